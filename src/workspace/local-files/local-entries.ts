/**
 * The project's local translation files: found by the layout, parsed into the database when they change, looked up by
 * key and locale, and edited by key. The indexing process lists, compares and reads them; this has what they have in
 * common, and the list of files on demand. Edits are only planned here; `ProjectFiles` writes them.
 */
import { bilingualFamily } from "../../model/file-formats.ts";
import { extname } from "node:path/posix";
import type { Database } from "../../database/database.ts";
import { KeyRepository } from "../../database/key-repository.ts";
import {
  type LocalEntry,
  LocalFileRepository,
  type LocalProblem,
  type StoredFile,
} from "../../database/local-file-repository.ts";
import { createLocaleMap, type LocaleMap } from "../../model/locales.ts";
import { collectInSlices, TimeSlices } from "../../util/event-loop.ts";
import type { Priority, RequestPriority } from "../../util/priority.ts";
import { WorkQueue } from "../../util/work-queue.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { getOrCreate } from "../../util/maps.ts";
import { fingerprintOf } from "../../util/fingerprint.ts";
import type { FileContent, ProjectFiles } from "../../model/platform.ts";
import { matchPath } from "../file-layout/path-patterns.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import type { LanguageSize } from "../project-detection/detect-source-language.ts";
import type { WalkScope } from "../file-system/walk-folder.ts";
import { type LocalChange, type LocalEditPlan, planLocalEdit } from "./plan-file-writes.ts";
import {
  type FileOptions,
  type TranslationFiles,
  translationFilesBySize,
  unlessOutOfMemory,
} from "./parse-large-files-in-indexer.ts";
import { type LocalLayout, NO_LAYOUT, readOptionsOf } from "./list-local-files.ts";
import { LocalFileIndexer } from "./local-file-indexer.ts";
import type {
  LocalFileIndexing,
  LocalFileScope,
  LocalFilesSummary,
  LoadProgress,
  LoadRequest,
  LoadResult,
} from "./local-file-loader.ts";
import {
  FileEntries,
  keyNameIn,
  type LocalFile,
  type LocalFileLocation,
  locateFile,
  LocaleEntries,
  type LocalFiles,
  type LocalTexts,
  namespaceIn,
  type UnreadableFolder,
} from "./local-file.ts";
import { StoredFiles } from "./stored-files.ts";

export type { LocalLayout } from "./list-local-files.ts";
export type { LocalEntry, LocalProblem } from "../../database/local-file-repository.ts";
export type { LocalChange, LocalEditPlan, LocalRefusal } from "./plan-file-writes.ts";
export type { LocaleEntries, LocalFile, LocalFileLocation, LocalFiles, LocalTexts } from "./local-file.ts";

export interface LocalEntriesDependencies {
  readonly database: Database;
  readonly files: Pick<ProjectFiles, "read">;
  /** Version of the extension: another one may parse files differently. */
  readonly version: string;
  /** Changes whenever the service's keys do, which decide which keys are plural. */
  readonly keysVersion: () => number;
  /** Returns the functions that run in the indexing process, or in this one. */
  readonly indexing: (priority: Priority | RequestPriority) => LocalFileIndexing;
  /** Returns what is no file of the project. Default: nothing. */
  readonly scope?: () => WalkScope;
  /** Makes the layout what the disk says now, before files are read by it. Default: it is. */
  readonly updateLayout?: () => Promise<void>;
  /** Returns the unsaved texts of editors, by path, of files with one of the extensions (`.php`). Default: none. */
  readonly unsavedFiles?: (extensions: ReadonlySet<string>) => ReadonlyMap<string, FileContent>;
  /** Called when the reading of changed files begins and ends. */
  readonly onReading?: (isReading: boolean) => void;
  /** Called after each load that found a change, and when files of the source language were read. */
  readonly onChanged?: () => void;
  /** Called when the files of the source language can be looked up; those of others are read after it has resolved. */
  readonly onPartlyRead?: () => Promise<void> | void;
}

const NOTHING_READ: LocalFilesSummary = {
  sourceLocale: "en",
  localeNames: [{}, [], []],
  locales: [],
  sizes: [],
  namespaces: [],
  namespacesByLocale: [],
  covered: [],
  hasOtherSources: false,
  incomplete: [],
  problems: [],
  unreadableFolders: [],
  entriesWithKeys: [],
  fingerprint: "",
};
const NO_SCOPE: WalkScope = { exclude: [], otherProjects: [] };

export class LocalEntries implements LocalFiles {
  readonly #dependencies: LocalEntriesDependencies;
  readonly #repository: LocalFileRepository;
  /** Details of the files in the database, as of the last `load`. */
  readonly #stored: StoredFiles;
  #summary = NOTHING_READ;
  #localeMap: LocaleMap = createLocaleMap({}, [], []);
  #namespaces: ReadonlySet<string> = new Set();
  #files: readonly LocalFile[] = [];
  /** The value of `#revision` that `#files` are of. */
  #filesRevision = 0;
  /** Path of the database that was read into. */
  #databasePath: string;
  readonly #stale = new Set<string>();
  #layout: LocalLayout = NO_LAYOUT;
  /** Whether the last load was with the current layout. */
  #isListed = false;
  /** Whether there may be new or deleted files. */
  #mustList = true;
  /** Whether the stamp of every file has to be compared. */
  #mustCheckAll = true;
  /** Incremented by every invalidation, so that one during a load is noticed. */
  #invalidations = 0;
  /** The version of the keys that the files were last read with. */
  #keysVersion: number | null = null;
  /** Parses and edits files. */
  readonly formats: TranslationFiles;
  #revision = 0;
  readonly #queue = new WorkQueue();

  constructor(dependencies: LocalEntriesDependencies) {
    this.#dependencies = dependencies;
    this.#databasePath = dependencies.database.path;
    this.#repository = new LocalFileRepository(dependencies.database);
    this.#stored = new StoredFiles(this.#repository);
    this.formats = translationFilesBySize(
      new LocalFileIndexer(dependencies.database),
      dependencies.indexing("person"),
    );
  }

  /** Changes the layout; the next load names the files again, and finds them again if the patterns changed. */
  configure(layout: LocalLayout): void {
    if (fingerprintOf(layout) === fingerprintOf(this.#layout)) return;
    const isSamePatterns = fingerprintOf(layout.files) === fingerprintOf(this.#layout.files);
    this.#layout = layout;
    this.#isListed = false;
    if (!isSamePatterns) this.invalidate();
  }

  /**
   * Marks files as possibly changed (unsaved text included); without `paths` all of them, and new or deleted files
   * too. Files with an unchanged size and modification time are not read again.
   */
  invalidate(paths?: readonly string[]): void {
    this.#invalidations++;
    if (paths === undefined) this.#invalidateAll();
    for (const path of paths ?? []) {
      if (!this.#layout.files.some((entry) => matchPath(entry.path, path) !== null)) continue;
      this.#stale.add(path);
      // A created or deleted path changes the listing.
      if (!this.#repository.hasFile(path)) this.#invalidateAll();
    }
  }

  #invalidateAll(): void {
    this.#mustList = true;
    this.#mustCheckAll = true;
  }

  /** The files; `null` before the first load. */
  get loaded(): LocalTexts | null {
    return this.#revision === 0 ? null : this;
  }

  /** Changes with each load that found a change; 0 before the first. */
  get revision(): number {
    return this.#revision;
  }

  get sourceLocale(): string {
    return this.#summary.sourceLocale;
  }

  get locales(): readonly string[] {
    return this.#summary.locales;
  }

  /** As of the last `load`. */
  get files(): readonly LocalFile[] {
    return this.#files;
  }

  get unreadableFolders(): readonly UnreadableFolder[] {
    return this.#summary.unreadableFolders;
  }

  get incomplete(): readonly LocalProblem[] {
    return this.#summary.incomplete;
  }

  /** The namespaces of keys that may be missing, since source files could not be read completely. */
  get unreadNamespaces(): ReadonlySet<string> | "any" {
    const found = new Set<string>();
    for (const { namespace } of this.unreadSources) {
      if (namespace === null) return "any";
      found.add(namespace);
    }
    return found;
  }

  /** The problems of source files that could not be read completely; `namespace`: of keys that may be missing, if all have it. */
  get unreadSources(): readonly { readonly problem: LocalProblem; readonly namespace: string | null }[] {
    return this.incomplete.flatMap((problem) => {
      const { path } = problem;
      const location = this.locate(path);
      if (location !== null)
        return this.#mayHaveSources(location) ? [{ problem, namespace: namespaceIn(location) }] : [];
      const folder = this.unreadableFolders.find((each) => each.path === path);
      return folder?.mayHaveSourceTexts === false ? [] : [{ problem, namespace: null }];
    });
  }

  #mayHaveSources({ locale, entry: { format } }: LocalFileLocation): boolean {
    if (locale === this.sourceLocale) return true;
    const family = bilingualFamily(format);
    return family !== null && !this.covered.some((each) => each.startsWith(`${family}:`));
  }

  /** Families and namespaces that have source files, as in `LocalFileRepository.findSource`. */
  get covered(): readonly string[] {
    return this.#summary.covered;
  }

  /** The number of texts per language; those that are in several files count several times. */
  get sizes(): readonly LanguageSize[] {
    return this.#summary.sizes;
  }

  /** The namespaces that the files' paths give to their keys. */
  get namespaces(): ReadonlySet<string> {
    return this.#namespaces;
  }

  /** The namespaces that the paths of a language's files give to their keys. */
  namespacesOf(locale: string): readonly string[] {
    const found = this.#summary.namespacesByLocale.find(({ locales }) => locales.includes(locale));
    return found?.namespaces ?? [];
  }

  /** The layout entries that have files with keys. */
  get entriesWithKeys(): readonly FilesEntry[] {
    return this.#entriesAt(this.#summary.entriesWithKeys);
  }

  #entriesAt(indexes: readonly number[]): readonly FilesEntry[] {
    return indexes.flatMap((index) => this.#layout.files[index] ?? []);
  }

  /** Whether a file was read. */
  hasFile(path: string): boolean {
    return this.#repository.hasFile(path);
  }

  /** Finds the files without reading them. Returns the locales in their paths, and the layout entries that have files. */
  list(
    signal?: AbortSignal,
    priority: Priority | RequestPriority = "person",
  ): Promise<{ readonly locales: readonly string[]; readonly entries: readonly FilesEntry[] }> {
    const list = async (current: RequestPriority) => {
      const invalidations = this.#invalidations;
      const { locales, entries } = await this.#dependencies.indexing(current).list(this.#scope(), signal);
      if (invalidations === this.#invalidations) this.#mustList = false;
      return { locales, entries: this.#entriesAt(entries) };
    };
    return this.#queue.run(list, { priority });
  }

  entries(locale: string): LocaleEntries {
    const { hasOtherSources } = this.#summary;
    const covered = locale === this.sourceLocale && hasOtherSources ? this.covered : null;
    return new LocaleEntries(this.#repository, locale, covered);
  }

  /** Returns the source texts that were read, by path and position. */
  async sourceEntries(): Promise<readonly LocalEntry[]> {
    const entries = await collectInSlices(this.entries(this.sourceLocale).values());
    return entries.sort(inFileOrder);
  }

  /** As `LocalFileRepository.entriesContaining`. */
  entriesContaining(strings: readonly string[]): Iterable<readonly LocalEntry[]> {
    return this.#repository.entriesContaining(strings);
  }

  /** Returns the problems of the files, including keys that are in several of them; after a `load`. */
  async problems(signal?: AbortSignal): Promise<readonly LocalProblem[]> {
    const inFiles = this.files.flatMap((file) => file.problems);
    const duplicates = await this.#dependencies.indexing("person").findDuplicates(this.locales, signal);
    return [...this.#summary.problems, ...inFiles, ...duplicates];
  }

  /** Returns the entry of a key in a locale, as last read. */
  find(hash: string, locale: string): LocalEntry | undefined {
    return this.entries(locale).get(hash);
  }

  /**
   * Reads what changed since the last time, without the list of files, so that its cost here does not depend on their
   * number. Concurrent calls run in turn; without changes this costs nothing.
   */
  loadTexts(signal?: AbortSignal, priority: Priority | RequestPriority = "person"): Promise<LocalTexts> {
    const load = async (current: RequestPriority): Promise<LocalTexts> => {
      await this.#load(current, signal);
      return this;
    };
    return this.#queue.run(load, { priority });
  }

  /** Like `loadTexts`. Returns one file, as in `files`; `undefined` if there is none at the path. */
  async file(path: string, signal?: AbortSignal): Promise<LocalFile | undefined> {
    await this.loadTexts(signal);
    const details = this.#repository.fileAt(path);
    return details && this.#toFile(details);
  }

  #toFile(details: StoredFile): LocalFile | undefined {
    const location = this.locate(details.path);
    if (location === null) return undefined;
    return { ...details, location, entries: new FileEntries(this.#repository, details) };
  }

  /** Like `loadTexts`, and reads the list of files, which takes longer the more there are: for commands. */
  load(signal?: AbortSignal): Promise<LocalEntries> {
    const load = async (priority: RequestPriority): Promise<LocalEntries> => {
      await this.#load(priority, signal);
      await this.#readFiles();
      return this;
    };
    return this.#queue.run(load, { priority: "person" });
  }

  /**
   * Like `load`, but checks the disk first: whether it has another layout, the folders, and the stamp of every file. Commands
   * that work on files start with this, since not every change is watched or reported in time.
   */
  async reload(signal?: AbortSignal): Promise<LocalEntries> {
    await this.#check(signal);
    return this.load(signal);
  }

  /** Like `loadTexts`, but checks the disk first, like `reload`. */
  async reloadTexts(signal?: AbortSignal): Promise<LocalTexts> {
    await this.#check(signal);
    return this.loadTexts(signal);
  }

  async #check(signal: AbortSignal | undefined): Promise<void> {
    await this.#dependencies.updateLayout?.();
    signal?.throwIfAborted();
    this.invalidate();
  }

  /** Lists the files that match the layout, without reading them. */
  async paths(signal?: AbortSignal): Promise<ReadonlySet<string>> {
    return new Set(await this.#dependencies.indexing("person").listPaths(this.#scope(), signal));
  }

  /** Returns the location of a path in the layout, whether or not the file exists; `null` if no entry matches. */
  locate(path: string): LocalFileLocation | null {
    const location = locateFile(path, this.#layout.files, this.#localeMap.toService, this.sourceLocale);
    return location === "no_locale" ? null : location;
  }

  /** Returns the options for reading and editing a file. */
  readOptions(location: LocalFileLocation): FileOptions {
    return readOptionsOf({ layout: this.#layout, sourceLocale: this.sourceLocale }, location);
  }

  /** Plans the changes as file writes, after a `load`. `ProjectFiles.write` detects files that changed since. */
  async planEdit(changes: readonly LocalChange[], signal?: AbortSignal): Promise<LocalEditPlan> {
    await this.load(signal);
    const { files, database } = this.#dependencies;
    return planLocalEdit(changes, {
      files,
      formats: this.formats,
      keys: new KeyRepository(database),
      local: this,
      layout: this.#layout.files,
      toFile: this.#localeMap.toFile,
      locate: (path) => this.locate(path),
      readOptions: (location) => this.readOptions(location),
    });
  }

  /** Yields the names of the source keys if other entries mapped the same files; without a match, none. */
  *sourceNamesUnder(files: readonly FilesEntry[]): Generator<KeyName> {
    const { sourceLocale } = this;
    const locations = new Map<string, ReturnType<typeof locateFile>>();
    for (const { path, entry } of this.entries(sourceLocale).values()) {
      const location = getOrCreate(locations, path, () =>
        locateFile(path, files, (locale) => locale, sourceLocale),
      );
      if (location !== null && location !== "no_locale") yield keyNameIn(location, entry);
    }
  }

  #scope(): LocalFileScope {
    const { exclude, otherProjects } = this.#dependencies.scope?.() ?? NO_SCOPE;
    return { layout: this.#layout, exclude, otherProjects };
  }

  async #load(priority: RequestPriority, signal: AbortSignal | undefined): Promise<void> {
    const { database, version, unsavedFiles } = this.#dependencies;
    const keysVersion = this.#dependencies.keysVersion();
    if (database.path !== this.#databasePath) {
      // It was moved to memory, without the files.
      this.#databasePath = database.path;
      this.#invalidateAll();
    }
    const isCurrent = this.#isListed && !this.#mustList && !this.#mustCheckAll;
    if (isCurrent && this.#stale.size === 0 && keysVersion === this.#keysVersion) return;
    const invalidations = this.#invalidations;
    const layout = this.#layout;
    const stale = [...this.#stale];
    this.#stale.clear();
    const extensions = new Set(layout.files.map(({ path }) => extname(path)));
    const request = {
      ...this.#scope(),
      version,
      mustCheckAll: this.#mustCheckAll,
      changed: stale,
      unsaved: unsavedFiles?.(extensions) ?? new Map(),
      isCautious: false,
      tooLarge: [],
    };
    const read = async (part: LoadRequest["part"], mustList: boolean, areKeysChanged: boolean) => {
      const result = await this.#read({ ...request, part, mustList, areKeysChanged }, priority, signal);
      this.#apply(result.summary);
      return result;
    };
    try {
      const areKeysChanged = keysVersion !== this.#keysVersion;
      const sources = await read("source", this.#mustList, areKeysChanged);
      if (sources.isRead) await this.#dependencies.onPartlyRead?.();
      const others = await read("others", false, areKeysChanged || sources.isRead);
      this.#keysVersion = keysVersion;
      this.#isListed = layout === this.#layout;
      if (invalidations === this.#invalidations) {
        this.#mustList = sources.isListingOutdated || others.isListingOutdated;
        this.#mustCheckAll = false;
      }
    } catch (error) {
      for (const path of stale) this.#stale.add(path);
      // Files of other languages may not have been read with the plural keys of new source files.
      this.#keysVersion = null;
      throw error;
    } finally {
      this.#dependencies.onReading?.(false);
    }
  }

  /** If the process that reads files runs out of memory, reads them without the one that is too large. */
  async #read(
    request: LoadRequest,
    priority: RequestPriority,
    signal: AbortSignal | undefined,
  ): Promise<LoadResult> {
    signal?.throwIfAborted();
    let path: string | null = null;
    const onProgress = (progress: LoadProgress): void => {
      path = progress.path;
      this.#dependencies.onReading?.(true);
    };
    const reading = this.#dependencies.indexing(priority).load(request, onProgress, signal);
    return unlessOutOfMemory(reading, (error) => {
      const { isCautious, tooLarge } = request;
      const found = path === null || tooLarge.includes(path) ? [] : [path];
      if (isCautious && found.length === 0) throw error;
      const careful = { ...request, isCautious: true, tooLarge: [...tooLarge, ...found] };
      return this.#read(careful, priority, signal);
    });
  }

  /** Replaces what is known of the files. */
  #apply(summary: LocalFilesSummary): void {
    if (fingerprintOf(summary) === fingerprintOf(this.#summary)) return;
    this.#summary = summary;
    this.#localeMap = createLocaleMap(...summary.localeNames);
    this.#namespaces = new Set(summary.namespaces);
    this.#revision++;
    this.#dependencies.onChanged?.();
  }

  /** Reads the list of files, letting other tasks run in between. */
  async #readFiles(): Promise<void> {
    const revision = this.#revision;
    if (revision === this.#filesRevision) return;
    await this.#stored.update();
    const slices = new TimeSlices();
    const files: LocalFile[] = [];
    for (const details of this.#stored.byPath.values()) {
      if (slices.isOver) await slices.next();
      const file = this.#toFile(details);
      if (file !== undefined) files.push(file);
    }
    this.#files = files.sort((a, b) => (a.path < b.path ? -1 : 1));
    this.#filesRevision = revision;
  }
}

/** Compares entries by file path and position. */
function inFileOrder(a: LocalEntry, b: LocalEntry): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.entry.keySpan.start - b.entry.keySpan.start;
}
