/**
 * How many texts differ between the local files and the service, told from the cache without asking anybody. Push and
 * pull ask the service themselves; this is only for showing that there is something to do.
 */
import type { LocalEntry, LocalFiles } from "../workspace/local-files/local-entries.ts";
import type { YieldNow } from "../model/platform.ts";
import type { Project, PushCounts } from "../database/project-state.ts";
import { isEmptyText, sameText } from "../model/text.ts";

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
 * Translations that the local files lack or have otherwise, in the languages that are loaded and have files: what a pull
 * puts into files that are there. A key of a namespace that no file of the language holds would need a new one, and is
 * not counted. `null`: no such language.
 */
export async function countToPull(
  project: Project,
  local: LocalFiles,
  yieldNow: YieldNow,
): Promise<number | null> {
  const { keys, translations } = project;
  let count: number | null = null;
  let seen = 0;
  for (const locale of local.locales) {
    if (locale === local.sourceLocale || !project.isComplete(locale)) continue;
    count ??= 0;
    const namespaces = namespacesOf(local, locale);
    for (const hash of translations.translated(locale)) {
      if (++seen % SLICE === 0) await yieldNow();
      const namespace = keys.namespace(hash);
      if (namespace !== undefined && namespaces.has(namespace)) count++;
    }
    // In the order of the files, where a text is read without looking for it.
    for (const { hash, text } of local.entries(locale).values()) {
      if (++seen % SLICE === 0) await yieldNow();
      if (translations.isText(locale, hash, text) !== true || !keys.has(hash)) continue;
      if (translations.isTranslated(locale, hash) === true) count--;
    }
  }
  return count;
}

/** The namespaces that files of a language hold, or are for. */
function namespacesOf(local: LocalFiles, locale: string): ReadonlySet<string> {
  const files = local.files.filter(({ locales }) => locales.has(locale));
  return new Set(files.flatMap(({ place, entries }) => [place.naming.namespace, ...entries.namespaces()]));
}

/**
 * The entry of a local file that translates a key of the service into a language in which the service is known to have no
 * translation of it. One that only repeats the source text, or that waits for a check, is no translation.
 */
export function localOnlyEntry(
  project: Project,
  local: LocalFiles,
  locale: string,
  hash: string,
): LocalEntry | undefined {
  if (locale === local.sourceLocale || !lacksTranslation(project, locale, hash)) return undefined;
  const entry = local.entries(locale).get(hash);
  return entry !== undefined && isTranslation(project, entry) ? entry : undefined;
}

/** All of a language that `localOnlyEntry` gives. May be gone through while files are being read. */
export function* localOnlyEntries(
  project: Project,
  local: LocalFiles,
  locale: string,
): Generator<LocalEntry | null> {
  if (locale === local.sourceLocale || !isKnown(project, locale)) return;
  let seen = 0;
  for (const entry of local.entries(locale).values()) {
    if (++seen % SLICE === 0) yield null;
    if (lacksTranslation(project, locale, entry.hash) && isTranslation(project, entry)) yield entry;
  }
}

/** How many translations of each language stand in local files alone; languages without any are left out. */
export async function countLocalOnly(
  project: Project,
  local: LocalFiles,
  yieldNow: YieldNow,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (!project.keysComplete) return counts;
  for (const locale of local.locales) {
    let count = 0;
    for (const entry of localOnlyEntries(project, local, locale)) {
      if (entry === null) await yieldNow();
      else count++;
    }
    if (count > 0) counts.set(locale, count);
  }
  return counts;
}

/** Whether it is known of each key what the service has in the language. */
function isKnown(project: Project, locale: string): boolean {
  return project.isComplete(locale) || isUntouched(project, locale);
}

/** The service has the language, and no translation in it. */
function isUntouched({ stats }: Project, locale: string): boolean {
  return (
    stats?.languages.some((language) => language.locale === locale && language.translated === 0) === true
  );
}

function lacksTranslation(project: Project, locale: string, hash: string): boolean {
  if (!project.keys.has(hash)) return false;
  return project.isComplete(locale)
    ? project.translations.isTranslated(locale, hash) !== true
    : isUntouched(project, locale);
}

function isTranslation(project: Project, { hash, text, entry }: LocalEntry): boolean {
  if (isEmptyText(text) || entry.isFuzzy === true) return false;
  const source = project.keys.get(hash)?.text;
  return source == null || !sameText(source, text);
}
