/**
 * Counts texts that differ between the local files and the service, from the database alone, and stores which are equal.
 * The counts only show that there is something to do: a push and a pull compare with the service itself.
 */
import { PendingChangeQueries, type PendingTarget } from "../database/pending-change-queries.ts";
import type { Project, PushCounts } from "../database/project-state.ts";
import { changedSide } from "../model/agreed-text.ts";
import { keyHash } from "../model/key-hash.ts";
import { pendingRenames } from "../database/personal/pending-rename-repository.ts";
import type { PendingRename, ProjectRow } from "../database/records.ts";
import type {
  LocalEntries,
  LocalEntry,
  LocalFile,
  LocalTexts,
} from "../workspace/local-files/local-entries.ts";
import { isEmptyText, areTextsEqual } from "../model/translation-text.ts";
import { collectInSlices, forEachInSlices } from "../util/event-loop.ts";

/** Counts of pending changes. */
export interface PendingChanges {
  /** Source texts to push, and those of archived keys, which it leaves. `null`: not all keys of the service are known. */
  readonly toPush: PushCounts | null;
  /** Source texts that changed only at the service, which a push leaves as they are. */
  readonly sourceAtService: number;
  /** Translations that a pull writes to existing files. `null`: no language of the files is completely known. */
  readonly toPull: number | null;
  /** Languages with files whose translations are not known. */
  readonly uncounted: readonly string[];
  /** Translations that only local files have, by language; languages without any are absent. */
  readonly localOnly: ReadonlyMap<string, number>;
  /** Translations that changed only in the files since both sides were equal, by language. */
  readonly changedInFiles: ReadonlyMap<string, number>;
  /** Texts that changed on both sides. */
  readonly conflicts: number;
  /** Renames that the service does not have yet; not included in the counts. */
  readonly renames: readonly PendingRename[];
}

const NOTHING_KNOWN: PendingChanges = {
  toPush: null,
  sourceAtService: 0,
  toPull: null,
  uncounted: [],
  localOnly: new Map(),
  changedInFiles: new Map(),
  conflicts: 0,
  renames: [],
};

/**
 * Reads changed local files, and counts the pending changes of a project. What it costs here does not depend on the number
 * of files, unless keys were renamed in them.
 * @throws the signal's reason
 */
export async function countPendingChanges(
  project: Project,
  local: LocalEntries,
  queries: Pick<PendingChangeQueries, "count">,
  signal?: AbortSignal,
): Promise<PendingChanges> {
  // Without a sign-in, both sides are the files.
  if (!project.keysComplete || !project.source.hasService) return NOTHING_KNOWN;
  await local.loadTexts(signal);
  const { sourceLocale, covered } = local;
  const targets = local.locales.flatMap((locale): PendingTarget[] => {
    if (locale === sourceLocale || !isLocaleKnown(project, locale)) return [];
    return [
      {
        locale,
        namespaces: local.namespacesOf(locale),
        state: project.isComplete(locale) ? "complete" : "untouched",
      },
    ];
  });
  const { database: personal, project: owner } = project.personal;
  const scope = { personal: { project: owner, path: personal.path }, sourceLocale, covered, targets };
  // Another connection cannot read a database in memory.
  const counting = personal.isOnDisk ? queries : new PendingChangeQueries(project.database, personal);
  const counts = await counting.count(scope, signal);
  const renames = pendingRenames(project, local);
  const files = renames.length === 0 ? [] : (await local.load(signal)).files;
  const created = renames.filter(({ to }) => !project.keys.has(keyHash(to))).length;
  const oldNameCount = renames.reduce((sum, { from }) => {
    const hash = keyHash(from);
    const isPulledUnderOldName = ({ locale, state }: PendingTarget): boolean =>
      state === "complete" &&
      project.translations.get(locale, hash)?.isTranslated === true &&
      hasNamespace(files, locale, from.namespace);
    return sum + targets.filter(isPulledUnderOldName).length;
  }, 0);
  return {
    toPush: { new: counts.created - created, changed: counts.changed, restored: counts.restored },
    sourceAtService: counts.changedAtService,
    toPull: targets.some(({ state }) => state === "complete") ? counts.toPull - oldNameCount : null,
    uncounted: local.locales.filter(
      (locale) => locale !== sourceLocale && isTarget(project, locale) && !isLocaleKnown(project, locale),
    ),
    localOnly: new Map(Object.entries(counts.localOnly)),
    changedInFiles: new Map(Object.entries(counts.changedInFiles)),
    conflicts: counts.conflicts,
    renames,
  };
}

function hasNamespace(files: readonly LocalFile[], locale: string, namespace: string): boolean {
  return files.some(
    ({ locales, location, entries }) =>
      locales.has(locale) &&
      (location.keyNaming.namespace === namespace || entries.namespaces().includes(namespace)),
  );
}

/**
 * Returns the local translation of a key into a language in which the service has none. Entries that equal the source
 * text or are fuzzy do not count as translations.
 */
export function localOnlyEntry(
  project: Project,
  local: LocalTexts,
  locale: string,
  hash: string,
): LocalEntry | undefined {
  if (locale === local.sourceLocale || !lacksTranslation(project, locale, hash)) return undefined;
  const entry = local.entries(locale).get(hash);
  return entry !== undefined && isTranslation(project, entry) ? entry : undefined;
}

/** Returns all local-only entries of a language. */
export async function localOnlyEntries(
  project: Project,
  local: LocalTexts,
  locale: string,
): Promise<LocalEntry[]> {
  if (locale === local.sourceLocale || !isLocaleKnown(project, locale)) return [];
  return collectInSlices(
    local.entries(locale).values(),
    (entry) => lacksTranslation(project, locale, entry.hash) && isTranslation(project, entry),
  );
}

/** A translation that changed only in the files since both sides were equal. */
export interface ChangedEntry {
  readonly entry: LocalEntry;
  /** The service's translation. */
  readonly row: ProjectRow;
}

/** Returns all translations of a language that changed only in the files. */
export async function changedEntries(
  project: Project,
  local: LocalTexts,
  locale: string,
): Promise<ChangedEntry[]> {
  if (locale === local.sourceLocale || !project.isComplete(locale)) return [];
  const found: ChangedEntry[] = [];
  await forEachInSlices(local.entries(locale).values(), (entry) => {
    const { hash, text } = entry;
    if (!project.keys.has(hash) || !isTranslation(project, entry)) return;
    const row = project.translations.get(locale, hash);
    if (row?.isTranslated !== true || row.text === null || areTextsEqual(row.text, text)) return;
    const agreed = project.agreedTexts.get(locale, hash);
    if (changedSide(text, row.text, agreed) === "file") found.push({ entry, row });
  });
  return found;
}

/** Returns whether the service's translations in the language are completely known. */
function isLocaleKnown(project: Project, locale: string): boolean {
  return project.isComplete(locale) || isUntouched(project, locale);
}

function isTarget({ stats }: Project, locale: string): boolean {
  return stats?.languages.some((language) => language.locale === locale && !language.isSource) === true;
}

/** Returns whether the service has the language, but no translation in it. */
function isUntouched({ stats }: Project, locale: string): boolean {
  return (
    stats?.languages.some((language) => language.locale === locale && language.translated === 0) === true
  );
}

function lacksTranslation(project: Project, locale: string, hash: string): boolean {
  if (!project.keys.has(hash)) return false;
  return project.isComplete(locale)
    ? project.translations.get(locale, hash)?.isTranslated !== true
    : isUntouched(project, locale);
}

function isTranslation(project: Project, { hash, text, entry }: LocalEntry): boolean {
  if (isEmptyText(text) || entry.isFuzzy === true) return false;
  const source = project.keys.get(hash)?.text;
  return source == null || !areTextsEqual(source, text);
}
