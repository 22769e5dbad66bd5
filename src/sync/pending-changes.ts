/**
 * How many texts differ between the local files and the service, told from the cache without asking anybody. Push and
 * pull ask the service themselves; this is only for showing that there is something to do.
 */
import type { LocalFiles } from "../workspace/local-files/local-entries.ts";
import type { YieldNow } from "../model/platform.ts";
import type { Project, PushCounts } from "../database/project-state.ts";
import { isEmptyText } from "../model/text.ts";

/** Texts compared between two chances for other work; about 5 ms. */
const SLICE = 2_000;

/** Source texts to push. `null`: the keys of the service are not known whole. Restored ones are told as new. */
export async function countToPush(
  project: Project,
  local: LocalFiles,
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
    const isSame = keys.isText(hash, text);
    if (isSame === undefined) fresh++;
    else if (!isSame) changed++;
  }
  return { new: fresh, changed, restored: 0 };
}

/**
 * Translations that the files lack or have otherwise, in the languages that are loaded and have files. A key that no
 * source file holds is not counted: a pull has no place for it. `null`: no such language.
 */
export async function countToPull(
  project: Project,
  local: LocalFiles,
  yieldNow: YieldNow,
): Promise<number | null> {
  const { translations } = project;
  const source = local.entries(local.sourceLocale);
  let count: number | null = null;
  let seen = 0;
  for (const locale of local.locales) {
    if (locale === local.sourceLocale || !project.isComplete(locale)) continue;
    count ??= 0;
    for (const hash of translations.translated(locale)) {
      if (++seen % SLICE === 0) await yieldNow();
      if (source.has(hash)) count++;
    }
    // In the order of the files, where a text is read without looking for it.
    for (const { hash, text } of local.entries(locale).values()) {
      if (++seen % SLICE === 0) await yieldNow();
      const isSame = source.has(hash) && translations.isText(locale, hash, text) === true;
      if (isSame && translations.isTranslated(locale, hash) === true) count--;
    }
  }
  return count;
}
