/**
 * How many texts differ between the local files and the service, told from the cache without asking anybody. Push and
 * pull ask the service themselves; this is only for showing that there is something to do.
 */
import type { LocalSnapshot } from "./local-entries.ts";
import type { YieldNow } from "./ports.ts";
import type { Project, PushCounts } from "./project.ts";
import { isEmptyText, sameText } from "./text.ts";

/** Texts compared between two chances for other work; about 5 ms. */
const SLICE = 2_000;

/** Source texts to push. `null`: the keys of the service are not known whole. Restored ones are told as new. */
export async function countToPush(
  project: Project,
  local: LocalSnapshot,
  yieldNow: YieldNow,
): Promise<PushCounts | null> {
  if (!project.keysComplete) return null;
  const { keys } = project;
  let fresh = 0;
  let changed = 0;
  let seen = 0;
  for (const { hash, text } of local.entries(local.sourceLocale).values()) {
    if (++seen % SLICE === 0) await yieldNow();
    if (isEmptyText(text)) continue;
    const known = keys.get(hash);
    if (known === undefined) fresh++;
    else if (known.text === null || !sameText(known.text, text)) changed++;
  }
  return { new: fresh, changed, restored: 0 };
}

/**
 * Translations that the files lack or have otherwise, in the languages that are loaded and have files. A key that no
 * source file holds is not counted: a pull has no place for it. `null`: no such language.
 */
export async function countToPull(
  project: Project,
  local: LocalSnapshot,
  yieldNow: YieldNow,
): Promise<number | null> {
  const source = local.entries(local.sourceLocale);
  let count: number | null = null;
  let seen = 0;
  for (const locale of local.locales) {
    const rows = project.rows(locale);
    if (locale === local.sourceLocale || rows?.complete !== true) continue;
    count ??= 0;
    const entries = local.entries(locale);
    for (const { hash, text, isTranslated } of rows.rows.values()) {
      if (++seen % SLICE === 0) await yieldNow();
      if (!isTranslated || text === null || !source.has(hash)) continue;
      const here = entries.text(hash);
      if (here === undefined || !sameText(here, text)) count++;
    }
  }
  return count;
}
