/**
 * One local translation file: its location in the layout, its stored details, and its rank among files with the same
 * key. local-entries.ts combines all files.
 */
import type {
  LocalEntry,
  LocalFileRepository,
  StoredFile,
  LocalProblem,
} from "../../database/local-file-repository.ts";
import { TEMPLATE_RANK } from "../../database/local-file-repository.ts";
import { formatInfoOf, type FormatName, isGenerated } from "../../model/file-formats.ts";
import type { Entry } from "../../formats/format.ts";
import type { KeyName } from "../../model/key-hash.ts";
import type { UnreadablePath } from "../../model/platform.ts";
import type { Span } from "../../util/span.ts";
import {
  matchPath,
  type KeyNaming,
  keyNamingOf,
  type PlaceholderValues,
} from "../file-layout/path-patterns.ts";
import type { FilesEntry } from "../project-file/project-file.ts";

/** A path, with the layout entry that it matches. */
export interface LocalFileLocation {
  readonly path: string;
  readonly entry: FilesEntry;
  readonly placeholders: PlaceholderValues;
  readonly keyNaming: KeyNaming;
  /** The service's name of the locale. In a file that names its locales itself: the locale of entries without one. */
  readonly locale: string;
}

/** A file as it was last read. */
export interface LocalFile extends Omit<StoredFile, "count"> {
  readonly location: LocalFileLocation;
  readonly entries: FileEntries;
}

/** A folder that cannot be listed, or a link to one. */
export interface UnreadableFolder extends UnreadablePath {
  /** Whether files of the source language may be in it. */
  readonly mayHaveSourceTexts: boolean;
}

/** The entries of one file, in file order, as they were last read. */
export class FileEntries implements Iterable<LocalEntry> {
  readonly #repository: LocalFileRepository;
  readonly #path: string;
  readonly length: number;

  constructor(repository: LocalFileRepository, { path, count }: Pick<StoredFile, "path" | "count">) {
    this.#repository = repository;
    this.#path = path;
    this.length = count;
  }

  [Symbol.iterator](): Generator<LocalEntry> {
    return this.#repository.entriesOf(this.#path);
  }

  /** Returns the first entry whose key or value contains the offset or ends at it. */
  entryAt(offset: number): LocalEntry | undefined {
    return this.#repository.entryAt(this.#path, offset);
  }

  /** Returns the first entry whose range, from its key to its value, overlaps the given one. */
  firstOverlapping(part: Span): LocalEntry | undefined {
    return this.#repository.entryInRange(this.#path, part);
  }

  /** Returns the namespaces of the keys. */
  namespaces(): readonly string[] {
    return this.#repository.namespacesIn(this.#path);
  }

  /** Whether a key starts with the prefix. */
  hasKeyPrefix(start: string): boolean {
    return this.#repository.hasKeyStart(this.#path, start);
  }
}

/** A path with the first layout entry that it matches. */
export type MatchedPath = Pick<LocalFileLocation, "path" | "entry" | "placeholders">;

/** Returns the first layout entry that matches the path; `null` if none does. */
export function matchEntry(path: string, entries: readonly FilesEntry[]): MatchedPath | null {
  for (const entry of entries) {
    const placeholders = matchPath(entry.path, path);
    if (placeholders !== null) return { path, entry, placeholders };
  }
  return null;
}

/** Returns the location of a matched path. */
export function locationOf(
  matched: MatchedPath,
  toService: (fileLocale: string) => string | null,
  sourceLocale: string,
): LocalFileLocation | "no_locale" {
  const { entry, placeholders } = matched;
  const locale = placeholders.locale === null ? sourceLocale : toService(placeholders.locale);
  return locale === null ? "no_locale" : { ...matched, keyNaming: keyNamingOf(entry, placeholders), locale };
}

/** Locates a path by the first layout entry that matches it; `null` if none does. */
export function locateFile(
  path: string,
  entries: readonly FilesEntry[],
  toService: (fileLocale: string) => string | null,
  sourceLocale: string,
): LocalFileLocation | "no_locale" | null {
  const matched = matchEntry(path, entries);
  return matched && locationOf(matched, toService, sourceLocale);
}

/** Whether a file of the format may contain several locales, which it names itself. */
export function hasOwnLocales(format: FormatName): boolean {
  return formatInfoOf(format)?.ownLocales === true;
}

/** Whether the files of a layout entry name their locales themselves, instead of their paths. */
export function namesItsLocales({ path, format }: FilesEntry): boolean {
  return !path.includes("{locale}") && hasOwnLocales(format);
}

/** Rank of generated files. */
const GENERATED_RANK = 2;

/** Returns the rank among files with the same key. */
export function formatRank(format: FormatName): number {
  if (isGenerated(format)) return GENERATED_RANK;
  return formatInfoOf(format)?.isTemplate === true ? TEMPLATE_RANK : 0;
}

/** Returns the paths of the files whose texts are unsaved ones of an editor. */
export function unsavedPaths({ files }: Pick<LocalFileList, "files">): ReadonlySet<string> {
  return new Set(files.flatMap(({ dirty, location }) => (dirty ? location.path : [])));
}

/** Whether the file may contain source keys, including keys that could not be parsed. */
export function mayContainSourceTexts(file: LocalFile, { files, sourceLocale }: LocalFileList): boolean {
  if (file.locales.has(sourceLocale)) return true;
  const { family } = file;
  return (
    family !== null && !files.some((other) => other.locales.has(sourceLocale) && other.family === family)
  );
}

/** Whether a key may be in both files, because one is compiled from the other or is its template. */
export function mayShareKeys(file: RankedFile, first: RankedFile): boolean {
  if (file.family !== "gettext" || first.family !== "gettext") return false;
  return file.rank !== first.rank || (file.rank === GENERATED_RANK && file.path !== first.path);
}

type RankedFile = Pick<StoredFile, "path" | "family" | "rank">;

/** The local files, and which of them have source texts. */
export type LocalFileList = Pick<LocalFiles, "files" | "sourceLocale">;

/**
 * Returns a function that chooses the namespace that a file stores a new key under where the layout decides the key's
 * namespace: the requested one if the file has it, else that of the entry with the most leading segments in common,
 * else the file's last one. The entries are only read if they are needed.
 */
export function namespaceChooser(
  namespaces: readonly (string | null)[],
  entries: Iterable<Pick<Entry, "key" | "namespace">>,
): (key: string, requested: string | null) => string | null {
  const [first, ...others] = namespaces;
  let namespaceByPrefix: ReadonlyMap<string, string | null> | undefined;
  return (key, requested) => {
    if (first === undefined || namespaces.includes(requested)) return requested;
    if (others.length === 0) return first;
    namespaceByPrefix ??= firstNamespaces(entries);
    for (const prefix of keyPrefixes(key)) {
      const namespace = namespaceByPrefix.get(prefix);
      if (namespace !== undefined) return namespace;
    }
    return others.at(-1) ?? null;
  };
}

/** Returns the namespace of the first entry of each key prefix. */
function firstNamespaces(entries: Iterable<Pick<Entry, "key" | "namespace">>): Map<string, string | null> {
  const found = new Map<string, string | null>();
  for (const { key, namespace } of entries) {
    for (const prefix of keyPrefixes(key)) if (!found.has(prefix)) found.set(prefix, namespace);
  }
  return found;
}

/** Yields the key and its leading segments, the longest first. */
function* keyPrefixes(key: string): Generator<string> {
  for (let end = key.length; end > 0; end = key.lastIndexOf(".", end - 1)) yield key.slice(0, end);
}

/** Returns the name of an entry's key. The layout's namespace takes precedence over the entry's own. */
export function keyNameIn(
  { entry, keyNaming }: Pick<LocalFileLocation, "entry" | "keyNaming">,
  { key, context, namespace }: Pick<Entry, "key" | "context" | "namespace">,
): KeyName {
  const ownNamespace = entry.namespace === undefined ? namespace : null;
  return { namespace: ownNamespace ?? keyNaming.namespace, key: keyNaming.keyPrefix + key, context };
}

/** The entries of all files, and the files. */
export interface LocalFiles extends LocalTexts {
  /** Sorted by path. Files that cannot be read are among them, with that problem and without entries. */
  readonly files: readonly LocalFile[];
}

/** The entries of all files. */
export interface LocalTexts {
  readonly sourceLocale: string;
  /** The service's names of the locales that have files, source first. */
  readonly locales: readonly string[];
  /** Folders that may contain files of the layout and cannot be listed. */
  readonly unreadableFolders: readonly UnreadableFolder[];
  /** The first problem of each file or folder that could not be read completely, so that keys may be missing. */
  readonly incomplete: readonly LocalProblem[];
  /** Returns one entry per key, that of the highest-ranking file. Empty for a locale without files. */
  entries(locale: string): LocaleEntries;
}

/** The entries of one locale, by key hash, looked up in the database: also source texts that only other files have. */
export class LocaleEntries {
  readonly #repository: LocalFileRepository;
  readonly #locale: string;
  /** As in `LocalFileRepository.findSource`; `null` if no other files have texts of this language. */
  readonly #covered: readonly string[] | null;

  constructor(repository: LocalFileRepository, locale: string, covered: readonly string[] | null) {
    this.#repository = repository;
    this.#locale = locale;
    this.#covered = covered;
  }

  has(hash: string): boolean {
    return this.get(hash) !== undefined;
  }

  get(hash: string): LocalEntry | undefined {
    return this.#repository.find(hash, this.#locale) ?? this.#source(hash);
  }

  #source(hash: string): LocalEntry | undefined {
    const found = this.#covered === null ? undefined : this.#repository.findSource(hash, this.#covered);
    return found && toSourceEntry(found, this.#locale);
  }

  /** In hash order. Files may be read while iterating. */
  *values(): Generator<LocalEntry> {
    yield* this.#repository.entriesIn(this.#locale);
    yield* this.#sourcesInFiles();
  }

  /** Yields source texts that are only in files of other languages (`msgid`, XLIFF's `source`). */
  *#sourcesInFiles(): Generator<LocalEntry> {
    if (this.#covered === null) return;
    for (const entry of this.#repository.sourceEntries(this.#covered)) {
      if (this.#repository.find(entry.hash, this.#locale) === undefined)
        yield toSourceEntry(entry, this.#locale);
    }
  }
}

/** Converts an entry that contains the source text too into a read-only entry of the source language. */
function toSourceEntry(found: LocalEntry, sourceLocale: string): LocalEntry {
  const text = found.entry.source ?? found.text;
  const entry = { ...found.entry, text, source: null, readOnly: "source" as const };
  return { ...found, text, locale: sourceLocale, entry };
}

/** A range of a source file that could not be parsed, or a folder that could not be listed. */
export interface UnparsedRange {
  readonly path: string;
  /** From 1; `null` for the file as a whole, or a file without lines. */
  readonly line: number | null;
  readonly column: number | null;
  /** `null`: any namespace, in a file that names its keys' namespaces itself. */
  readonly namespace: string | null;
  /** The key, or leading segments of keys, with an unparsed value; `null`: any key. */
  readonly key: string | null;
}

/** Problems that keep no key from being parsed. */
const HARMLESS_PROBLEMS: ReadonlySet<LocalProblem["code"]> = new Set(["duplicate", "elsewhere", "locale"]);

/** Whether any keys of the file may be missing because of the problem, not only the one that it names. */
export function hidesKeys({ code, name }: LocalProblem): boolean {
  return !HARMLESS_PROBLEMS.has(code) && (name === null || code === "syntax");
}

/** Returns what could not be read or parsed of the source files; empty if all of it was. */
export function unparsedRanges(
  local: LocalFileList & Pick<LocalFiles, "unreadableFolders">,
): UnparsedRange[] {
  const folders = local.unreadableFolders.filter(({ mayHaveSourceTexts }) => mayHaveSourceTexts);
  return rangesIn(
    folders,
    local.files.filter((file) => mayContainSourceTexts(file, local)),
  );
}

/** As `unparsedRanges`, of the files of all languages. */
export function unparsedRangesOfAll({
  files,
  unreadableFolders,
}: Pick<LocalFiles, "files" | "unreadableFolders">): UnparsedRange[] {
  return rangesIn(unreadableFolders, files);
}

/** Returns the namespace of all keys of a file; `null` if the file names those of its keys itself. */
export function namespaceIn({
  entry,
  keyNaming,
}: Pick<LocalFileLocation, "entry" | "keyNaming">): string | null {
  const hasOwn = entry.namespace === undefined && formatInfoOf(entry.format)?.ownNamespaces === true;
  return hasOwn ? null : keyNaming.namespace;
}

function rangesIn(folders: LocalFiles["unreadableFolders"], files: LocalFiles["files"]): UnparsedRange[] {
  const inFiles = files.flatMap((file): UnparsedRange[] => {
    const { path } = file.location;
    const namespace = namespaceIn(file.location);
    const problems = file.problems.filter(({ code }) => !HARMLESS_PROBLEMS.has(code));
    return problems.map((problem) => ({
      path,
      line: problem.line,
      column: problem.column,
      namespace,
      key: hidesKeys(problem) ? null : (problem.name?.key ?? null),
    }));
  });
  return [
    ...folders.map(({ path }) => ({ path, line: null, column: null, namespace: null, key: null })),
    ...inFiles,
  ];
}

/** Returns the first of the ranges of each file or folder that may have any key. */
export function wholeRanges(ranges: readonly UnparsedRange[]): UnparsedRange[] {
  const byPath = new Map<string, UnparsedRange>();
  for (const range of ranges)
    if (range.key === null && !byPath.has(range.path)) byPath.set(range.path, range);
  return [...byPath.values()];
}

/** Whether the key may be in one of the ranges, as far as their files tell its namespace. */
export function mayContainInNamespace(ranges: readonly UnparsedRange[], name: KeyName): boolean {
  const { namespace } = name;
  return mayContain(
    ranges.filter((range) => (range.namespace ?? namespace) === namespace),
    name,
  );
}

/** Whether the key may be in one of the ranges: in any of them that may have any key. */
export function mayContain(ranges: readonly UnparsedRange[], name: KeyName): boolean {
  return ranges.some(
    ({ namespace, key }) =>
      key === null ||
      ((namespace ?? name.namespace) === name.namespace &&
        (name.key === key || name.key.startsWith(`${key}.`))),
  );
}
