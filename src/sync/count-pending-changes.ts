/**
 * How many texts differ between the local files and the service, told from the cache without asking anybody. Push and
 * pull ask the service themselves; this is only for showing that there is something to do.
 */
import type { PendingCounting, PendingTarget } from "../database/pending-changes.ts";
import type { Project, PushCounts } from "../database/project-state.ts";
import { keyHash } from "../model/key-identity.ts";
import { type PendingRename, pendingRenames } from "../database/pending-renames.ts";
import type { LocalEntries, LocalEntry, LocalFiles } from "../workspace/local-files/local-entries.ts";
import { isEmptyText, sameText } from "../model/text.ts";

/** Texts compared between two chances for other work; about 5 ms. */
const BATCH_SIZE = 2_000;

export interface PendingChanges {
  /** Source texts to push; restored ones are counted as new. `null`: the keys of the service are not known whole. */
  readonly toPush: PushCounts | null;
  /** Translations that a pull puts into files that are there. `null`: no language of the files is known whole. */
  readonly toPull: number | null;
  /** How many translations of each language stand in local files alone; languages without any are left out. */
  readonly localOnly: ReadonlyMap<string, number>;
  /** What waits to be renamed at the service, which is in none of the counts. */
  readonly renames: readonly PendingRename[];
}

/** @throws the signal's reason */
export async function countPendingChanges(
  project: Project,
  local: LocalEntries,
  { counting }: { readonly counting: PendingCounting },
  signal?: AbortSignal,
): Promise<PendingChanges> {
  if (!project.keysComplete) return { toPush: null, toPull: null, localOnly: new Map(), renames: [] };
  const { sourceLocale, covered } = local;
  const targets = local.locales.flatMap((locale): PendingTarget[] => {
    if (locale === sourceLocale || !isKnown(project, locale)) return [];
    const files = local.files.filter(({ locales }) => locales.has(locale));
    const namespaces = files.flatMap(({ place }) => place.naming.namespace ?? []);
    return [{ locale, namespaces, state: project.isComplete(locale) ? "complete" : "untouched" }];
  });
  const scope = { sourceLocale, covered, targets };
  const counts = await counting.count(scope, ...(signal === undefined ? [] : [signal]));
  const renames = pendingRenames(project, local);
  const created = renames.filter(({ to }) => !project.keys.has(keyHash(to))).length;
  const old = renames.reduce((sum, { from }) => {
    const hash = keyHash(from);
    const holds = ({ locale, state }: PendingTarget): boolean =>
      state === "complete" &&
      project.translations.isTranslated(locale, hash) === true &&
      holdsNamespace(local, locale, from.namespace);
    return sum + targets.filter(holds).length;
  }, 0);
  return {
    toPush: { new: counts.created - created, changed: counts.changed, restored: 0 },
    toPull: targets.some(({ state }) => state === "complete") ? counts.toPull - old : null,
    localOnly: new Map(Object.entries(counts.localOnly)),
    renames,
  };
}

function holdsNamespace({ files }: LocalFiles, locale: string, namespace: string): boolean {
  return files.some(
    ({ locales, place, entries }) =>
      locales.has(locale) &&
      (place.naming.namespace === namespace || entries.namespaces().includes(namespace)),
  );
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
    if (++seen % BATCH_SIZE === 0) yield null;
    if (lacksTranslation(project, locale, entry.hash) && isTranslation(project, entry)) yield entry;
  }
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
