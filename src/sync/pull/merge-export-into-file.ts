/**
 * Merges one file of an export into the local file: only different values are changed, under the local file's own
 * names for keys and languages.
 */
import { sameBytes } from "../../formats/text/encoding.ts";
import { writeOptions } from "../../workspace/local-files/style-from-neighbour-files.ts";
import type { ExportLocation } from "../../workspace/local-files/map-export-to-local-files.ts";
import {
  type Change,
  type Entry,
  entryId,
  type EntryName,
  type ExampleFile,
  type Refusal,
} from "../../formats/format.ts";
import { formatInfoOf } from "../../formats/format-capabilities.ts";
import { detectFromContent } from "../../formats/detect-format.ts";
import {
  decodeHead,
  exampleOf,
  type FileRead,
  isUnreadable,
  MAX_FILE_BYTES,
  type UnreadableFile,
  type LocatedProblem,
} from "../../formats/parse-and-edit-file.ts";
import { keyHash, NO_NAMESPACE } from "../../model/key-hash.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { LocalEntries } from "../../workspace/local-files/local-entries.ts";
import {
  keyNameIn,
  namespaceChooser,
  hasOwnLocales,
  type LocalFileLocation,
} from "../../workspace/local-files/local-file.ts";
import type { FileOptions } from "../../workspace/local-files/parse-large-files-in-indexer.ts";
import type { ProjectFiles, UnreadableReason } from "../../model/platform.ts";
import type { Project } from "../../database/project-state.ts";
import { isEmptyText, areTextsEqual } from "../../model/translation-text.ts";
import { forEachInSlices } from "../../util/event-loop.ts";

/** Why a file, or a part of it, cannot be merged; lines and columns from 1, `null` if unknown. */
export type MergeProblem =
  /**
   * `syntax`: the local file cannot be parsed completely (because of conflict markers, for example), so it is not
   * changed. `theirs`: the export's file cannot be parsed. The reasons of `UnreadableReason` are the local file's.
   */
  | {
      readonly kind: "unreadable";
      readonly path: string;
      readonly why: "encoding" | "format" | "syntax" | "too_large" | "theirs" | UnreadableReason;
      readonly line: number | null;
      readonly column: number | null;
    }
  | { readonly kind: "text"; readonly path: string; readonly refusal: Refusal }
  /** The sheet has no column for a language, and none can be added. */
  | { readonly kind: "language"; readonly path: string; readonly locale: string };

/** The merged file; the same `bytes` object when nothing changed. */
export interface MergeResult {
  readonly bytes: Uint8Array;
  /** Number of changed texts. */
  readonly texts: number;
  /** Number of those that are new in the file. */
  readonly added: number;
  /** The local file could not be parsed, so it is unknown what is lost. */
  readonly isUnparsed?: true;
  readonly problems: readonly MergeProblem[];
}

export interface MergeDependencies {
  readonly local: LocalEntries;
  readonly files: Pick<ProjectFiles, "read">;
  readonly project: Project;
  /** Hashes of the old names of keys that were renamed in the files; they are not restored. */
  readonly renamed?: ReadonlySet<string>;
  /** Limits the pull to keys by hash, and to existing files. Default: all. */
  readonly only?: ReadonlySet<string>;
  /** Whether a file that differs is replaced by the service's bytes. */
  readonly wantsBytes: boolean;
  /** Maps a locale in files to the service's; `null` if it has none. */
  readonly toService: (fileLocale: string) => string | null;
  readonly toFile: (serviceLocale: string) => string;
}

/** Merges the texts of `theirs` into `ours`. `bytes` is `null` when the file must not be changed. */
export async function mergeExport(
  dependencies: MergeDependencies,
  mappedLocation: ExportLocation,
  ours: Uint8Array,
  theirs: Uint8Array,
): Promise<MergeResult | { readonly bytes: null; readonly problems: readonly MergeProblem[] }> {
  const location = withFormat(dependencies.local, mappedLocation, theirs);
  const { path, format } = location;
  const { formats } = dependencies.local;
  const unchanged = { bytes: ours, texts: 0, added: 0, problems: [] };
  if (sameBytes(ours, theirs)) return unchanged;
  const unreadable = (
    why: (MergeProblem & { kind: "unreadable" })["why"],
    at?: UnreadableFile | LocatedProblem,
    texts = 0,
  ): MergeResult | { bytes: null; problems: MergeProblem[] } => {
    if (dependencies.wantsBytes && why !== "theirs")
      return { bytes: theirs, texts, added: 0, problems: [], isUnparsed: true };
    const { line = null, column = null } = at ?? {};
    return { bytes: null, problems: [{ kind: "unreadable", path, why, line, column }] };
  };
  if (format === null || formatInfoOf(format) === undefined) return unreadable("format");
  if (Math.max(ours.length, theirs.length) > MAX_FILE_BYTES) return unreadable("too_large");
  const options = readOptions(dependencies, location);
  const remote = await formats.read(format, theirs, options);
  if (isUnreadable(remote)) return unreadable("theirs", remote);
  const remoteError = remote.problems.find(isSyntaxProblem);
  if (remoteError !== undefined) return unreadable("theirs", remoteError);
  const local = await formats.read(format, ours, options);
  if (isUnreadable(local)) return unreadable("encoding", local);
  const localError = local.problems.find(isSyntaxProblem);
  if (localError !== undefined) return unreadable("syntax", localError, remote.entries.length);
  const found = await differences(dependencies, location, local, remote.entries);
  const { changes, added, others, hasRenamed } = found;
  // The service's bytes would restore the old name and lose the text under the new one.
  const takesBytes = dependencies.wantsBytes && !hasRenamed && dependencies.only === undefined;
  if (takesBytes && changes.length + others > 0)
    return { bytes: theirs, texts: changes.length + others, added: 0, problems: [] };
  // Equal content: the file is not rewritten, whatever its layout.
  if (changes.length === 0) return unchanged;
  const edited = await formats.edit(format, ours, changes, {
    ...options,
    ...(await examplesFor(dependencies, location, theirs)),
  });
  if (isUnreadable(edited)) return unreadable("encoding", edited);
  const problems = refusalProblems(path, edited.refused);
  const texts = changes.length - edited.refused.length;
  return { bytes: edited.bytes, texts, added: Math.min(added, texts), problems };
}

/**
 * Returns the content of a file that does not exist yet: the service's bytes without keys that are renamed locally,
 * and the number of its texts.
 */
export async function newFile(
  dependencies: MergeDependencies,
  mappedLocation: ExportLocation,
  theirs: Uint8Array,
): Promise<{ readonly bytes: Uint8Array; readonly texts: number }> {
  const location = withFormat(dependencies.local, mappedLocation, theirs);
  const { format } = location;
  const none = { bytes: theirs, texts: 0 };
  if (format === null || formatInfoOf(format) === undefined || theirs.length > MAX_FILE_BYTES) return none;
  const { formats } = dependencies.local;
  const options = readOptions(dependencies, location);
  const read = await formats.read(format, theirs, options);
  if (isUnreadable(read)) return none;
  const names = new NameMapper(dependencies, location, [], []);
  const renamed = [...read.entries].filter((entry) => names.isRenamed(entry));
  const texts = read.entries.length - renamed.length;
  if (renamed.length === 0) return { bytes: theirs, texts };
  const changes = renamed.map((entry): Change => ({ ...entryName(entry), text: null }));
  const edited = await formats.edit(format, theirs, changes, options);
  return isUnreadable(edited) ? { bytes: theirs, texts } : { bytes: edited.bytes, texts };
}

/** Reports a language without a column once, not for each of its texts. */
function refusalProblems(path: string, refused: readonly Refusal[]): MergeProblem[] {
  const locales = new Set<string>();
  const problems: MergeProblem[] = [];
  for (const refusal of refused) {
    const { reason, locale = null } = refusal;
    if (reason !== "not_found" || locale === null) problems.push({ kind: "text", path, refusal });
    else locales.add(locale);
  }
  return [
    ...problems,
    ...Array.from(locales, (locale): MergeProblem => ({ kind: "language", path, locale })),
  ];
}

/** Returns example files for conventions that the local file does not show: the source language's, then the export's. */
async function examplesFor(
  { local, files }: MergeDependencies,
  { path, format, locale }: ExportLocation,
  theirs: Uint8Array,
): Promise<Pick<FileOptions, "examples">> {
  const known = local.locate(path);
  const beside =
    known === null || local.loaded === null ? {} : await writeOptions(files, local, known, false);
  const exported = format === null ? null : exampleOf(format, theirs, known?.locale ?? locale ?? "en");
  const isSource = ({ locale: other }: ExampleFile): boolean => other === local.sourceLocale;
  const { examples = [] } = beside;
  return {
    examples: [
      ...examples.filter(isSource),
      ...(exported === null ? [] : [exported]),
      ...examples.filter((example) => !isSource(example)),
    ],
  };
}

/** Sets the format by the export's content, unless an entry of the project file specifies it. */
function withFormat(local: LocalEntries, location: ExportLocation, theirs: Uint8Array): ExportLocation {
  const { path, format } = location;
  if (local.locate(path) !== null) return location;
  return { ...location, format: detectFromContent(path, decodeHead(theirs))?.format ?? format };
}

/**
 * Compares the two files. `others` counts differences that only the service's bytes would apply: keys that the export
 * lacks, keys that are in another local file, and untranslated texts (`missing=empty`), which do not replace a text.
 */
async function differences(
  dependencies: MergeDependencies,
  location: ExportLocation,
  { entries: local, namespaces }: FileRead,
  remote: readonly Entry[],
): Promise<{
  readonly changes: readonly Change[];
  readonly added: number;
  readonly others: number;
  readonly hasRenamed: boolean;
}> {
  const names = new NameMapper(dependencies, location, local, namespaces ?? []);
  const localById = new Map<string, Entry>();
  await forEachInSlices(local, (entry) => {
    const id = names.idOf(entry);
    if (id !== null) localById.set(id, entry);
  });
  const changes: Change[] = [];
  let added = 0;
  let others = 0;
  let hasRenamed = false;
  const isReviewed = (entry: Entry): boolean => entry.isFuzzy !== true && !names.isOutdated(entry);
  await forEachInSlices(remote, (entry) => {
    const id = names.idOf(entry);
    if (id === null) return;
    if (names.isRenamed(entry)) {
      hasRenamed = true;
      return;
    }
    if (!names.isWanted(entry)) return;
    const known = localById.get(id);
    localById.delete(id);
    if (known === undefined) {
      if (names.isElsewhere(entry)) others++;
      // An empty cell of a sheet does not justify a new column or row.
      else if (entry.locale === null || !isEmptyText(entry.text)) {
        changes.push(names.newEntry(entry));
        added++;
      }
    } else if (isEmptyText(entry.text)) {
      if (!areTextsEqual(known.text, entry.text)) others++;
    } else if (!areTextsEqual(known.text, entry.text)) {
      const fuzzy = entry.isFuzzy === true ? { fuzzy: true } : {};
      changes.push({ ...entryName(known), text: entry.text, ...fuzzy });
    } else if (known.isFuzzy === true && isReviewed(entry)) {
      changes.push({ ...entryName(known), text: entry.text, fuzzy: false });
    }
  });
  return { changes, added, others: others + localById.size, hasRenamed };
}

/** Maps the names of keys and languages in both files to the service's. */
class NameMapper {
  readonly #dependencies: MergeDependencies;
  readonly #location: LocalFileLocation | null;
  readonly #namespaces: readonly (string | null)[];
  readonly #chooseNamespace: ReturnType<typeof namespaceChooser>;
  /** Locales of the local file, by the service's. */
  readonly #fileLocales = new Map<string, string | null>();
  readonly #serviceLocales = new Map<string, string | null>();

  constructor(
    dependencies: MergeDependencies,
    { path }: ExportLocation,
    local: readonly Entry[],
    namespaces: readonly (string | null)[],
  ) {
    this.#dependencies = dependencies;
    this.#namespaces = namespaces;
    this.#chooseNamespace = namespaceChooser(namespaces, local);
    this.#location = dependencies.local.locate(path);
    for (const locale of new Set(local.map((entry) => entry.locale))) {
      const serviceLocale = this.#serviceLocale(locale);
      if (serviceLocale !== null) getOrCreate(this.#fileLocales, serviceLocale, () => locale);
    }
  }

  /** Returns an id that is comparable across both files; `null` if the entry does not belong to this file. */
  idOf(entry: Entry): string | null {
    if (this.#location === null) return entryId(entry);
    const locale = this.#serviceLocale(entry.locale);
    if (locale === null) return null;
    // The export's sheet has all namespaces, the local one a single one.
    const { entry: layout, keyNaming } = this.#location;
    if (
      layout.namespace !== undefined &&
      hasOwnLocales(layout.format) &&
      entry.namespace !== null &&
      entry.namespace !== keyNaming.namespace
    ) {
      return null;
    }
    return entryId({ ...keyNameIn(this.#location, entry), locale });
  }

  /** Returns whether another multilingual file has the key. */
  isElsewhere(entry: Entry): boolean {
    const { loaded } = this.#dependencies.local;
    const hash = this.#hashOf(entry);
    if (hash === null || loaded === null || entry.locale === null) return false;
    const source = loaded.entries(loaded.sourceLocale).get(hash);
    return source !== undefined && source.path !== this.#location?.path;
  }

  /** Returns whether it has the old name of a key that was renamed locally. */
  isRenamed(entry: Entry): boolean {
    const { renamed } = this.#dependencies;
    return renamed !== undefined && renamed.size > 0 && renamed.has(this.#hashOf(entry) ?? "");
  }

  isWanted(entry: Entry): boolean {
    return this.#dependencies.only?.has(this.#hashOf(entry) ?? "") !== false;
  }

  /** Returns whether the translation is outdated at the service. */
  isOutdated(entry: Entry): boolean {
    const locale = this.#serviceLocale(entry.locale);
    const hash = this.#hashOf(entry);
    if (hash === null || locale === null) return false;
    return this.#dependencies.project.translation(locale, hash)?.isOutdated === true;
  }

  /** Returns the hash of the entry's key; `null` for a file outside of the layout. */
  #hashOf(entry: Entry): string | null {
    return this.#location && keyHash(keyNameIn(this.#location, entry));
  }

  /** Returns the entry to add to the local file. */
  newEntry(entry: Entry): Change {
    const { key, context, text } = entry;
    const known = this.#dependencies.project.keys.get(this.#hashOf(entry) ?? "");
    const isSource = this.#serviceLocale(entry.locale) === this.#dependencies.project.sourceLocale;
    const source = isSource ? null : (entry.source ?? known?.text ?? null);
    return {
      ...{ key, context, text, namespace: this.#namespaceOf(entry), locale: this.#fileLocale(entry) },
      description: entry.description ?? known?.description ?? null,
      ...(source === null ? {} : { source }),
      ...(entry.isFuzzy === true ? { fuzzy: true } : {}),
    };
  }

  #namespaceOf({ key, namespace }: Entry): string | null {
    if (this.#location === null) return namespace;
    if (this.#location.entry.namespace !== undefined) {
      if (this.#namespaces.length === 0) return null;
      return this.#chooseNamespace(key, namespace);
    }
    return [this.#location.keyNaming.namespace, NO_NAMESPACE].includes(namespace ?? "") ? null : namespace;
  }

  #fileLocale({ locale }: Entry): string | null {
    const service = this.#location === null || locale === null ? null : this.#serviceLocale(locale);
    if (service === null) return locale;
    const known = this.#fileLocales.get(service);
    return known === undefined ? this.#dependencies.toFile(service) : known;
  }

  /** Maps a locale in the file; texts without one have the file's. */
  #serviceLocale(locale: string | null): string | null {
    if (locale === null) return this.#location?.locale ?? "";
    return getOrCreate(this.#serviceLocales, locale, () =>
      this.#location === null ? locale : this.#dependencies.toService(locale),
    );
  }
}

function entryName({ key, context, namespace, locale }: Entry): EntryName {
  return { key, context, namespace, locale };
}

/** Returns the options that the local file is read with, so that both sides agree on what is plural. */
function readOptions({ local, project }: MergeDependencies, { path, locale }: ExportLocation): FileOptions {
  const known = local.locate(path);
  if (known !== null) return local.readOptions(known);
  const sourceLocale = project.sourceLocale ?? "en";
  return { locale: locale ?? sourceLocale, sourceLocale };
}

function isSyntaxProblem({ code }: LocatedProblem): boolean {
  return code === "syntax";
}
