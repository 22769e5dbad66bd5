/**
 * The project's local translation files: found by the layout, parsed into the database when they change, looked up by
 * key and locale, and edited by key. Source files are read first, since they decide which keys are plural. Lookups
 * return what was last read. Edits are only planned here; `ProjectFiles` writes them.
 */
import type { Database } from "../../database/database.ts";
import { KeyRepository } from "../../database/key-repository.ts";
import {
  type LocalEntry,
  LocalFileRepository,
  type LocalProblem,
  type StoredFile,
} from "../../database/local-file-repository.ts";
import { MAX_FILE_BYTES } from "../../formats/parse-and-edit-file.ts";
import { collectInSlices, TimeSlices, yieldNow } from "../../util/event-loop.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { getOrCreate } from "../../util/maps.ts";
import type {
  FileContent,
  FileStamp,
  ProjectFiles,
  ReadOutcome,
  UnreadableReason,
} from "../../model/platform.ts";
import { combineFiles, NOTHING_READ, sameStamp } from "./combine-files.ts";
import { isRunning } from "../file-system/atomic-write.ts";
import { matchPath } from "../file-layout/path-patterns.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import type { LanguageSize } from "../project-detection/detect-source-language.ts";
import { type LocalChange, type LocalEditPlan, planLocalEdit } from "./plan-file-writes.ts";
import {
  type FileOptions,
  LARGE_FILE_BYTES,
  OUT_OF_MEMORY_PROBLEM,
  type TranslationFiles,
  translationFilesBySize,
  unlessOutOfMemory,
} from "./parse-large-files-in-indexer.ts";
import {
  findFiles,
  findPaths,
  type FoundFiles,
  type Listing,
  listFiles,
  type LocalLayout,
  NO_FILES,
  NO_LAYOUT,
  unreadableProblem,
} from "./list-local-files.ts";
import {
  type FileToRead,
  LocalFileIndexer,
  type LocalFileIndexing,
  type ProblemDetails,
} from "./local-file-indexer.ts";
import {
  keyNameIn,
  type LocalFile,
  type LocalFileLocation,
  hasOwnLocales,
  locateFile,
  LocaleEntries,
  type LocalFiles,
  type UnreadableFolder,
} from "./local-file.ts";

import { FileBatches, groupByNamespace, type Readable } from "./read-in-batches.ts";

export type { LocalLayout } from "./list-local-files.ts";
export type { LocalEntry, LocalProblem } from "../../database/local-file-repository.ts";
export type { LocalChange, LocalEditPlan, LocalRefusal } from "./plan-file-writes.ts";
export type { LocaleEntries, LocalFile, LocalFileLocation, LocalFiles } from "./local-file.ts";

export interface LocalEntriesDependencies {
  readonly database: Database;
  readonly files: ProjectFiles;
  /** Version of the extension: another one may parse files differently. */
  readonly version: string;
  /** Changes whenever the service's keys do, which decide which keys are plural. */
  readonly keysVersion: () => number;
  /** Runs in the indexing process, or in this one. */
  readonly indexing: LocalFileIndexing;
  /** Runs work when nothing more urgent is running, and repeats it when it was aborted for that. Default: at once. */
  readonly runInBackground?: <Result>(
    work: (signal: AbortSignal | undefined) => Promise<Result>,
    signal: AbortSignal | undefined,
  ) => Promise<Result>;
  /** Called when the reading of changed files begins and ends. */
  readonly onReading?: (isReading: boolean) => void;
  /** Called after each `load` that found a change, and when files of the source language were read. */
  readonly onChanged?: () => void;
  /** Called when the files of the source language can be looked up; those of others are read after it has resolved. */
  readonly onPartlyRead?: () => Promise<void> | void;
}

export class LocalEntries implements LocalFiles {
  readonly #dependencies: LocalEntriesDependencies;
  readonly #repository: LocalFileRepository;
  /** Files in the database, by path. */
  readonly #stored = new Map<string, StoredFile>();
  /** Files as of the last load. */
  #combined = NOTHING_READ;
  /** Path of the database that `#stored` is from. */
  #databasePath: string;
  readonly #stale = new Set<string>();
  #layout: LocalLayout = NO_LAYOUT;
  /** The last listing. */
  #listing = NO_FILES;
  #isListed = false;
  /** The files that matched the patterns; `null`: they have to be found again. */
  #found: FoundFiles | null = null;
  /** The results of `#readConditions` for the listing, by layout entry and language. */
  readonly #conditions = new Map<FilesEntry, Map<string, string>>();
  readonly #strings = new Map<string, string>();
  /** The listing of the last complete load. */
  #loadedListing: Listing | null = null;
  /** Whether the stamp of every file has to be compared. */
  #mustCheckAll = true;
  /** Incremented by every invalidation, so that one during a listing is noticed. */
  #invalidations = 0;
  /** The version of the keys that the files were last read with. */
  #keysVersion: number | null = null;
  /** Parses and edits files. */
  readonly formats: TranslationFiles;
  #revision = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(dependencies: LocalEntriesDependencies) {
    this.#dependencies = dependencies;
    this.#databasePath = dependencies.database.path;
    this.#repository = new LocalFileRepository(dependencies.database);
    this.formats = translationFilesBySize(new LocalFileIndexer(dependencies.database), dependencies.indexing);
  }

  /** Changes the layout; the next `load` names the files again, and finds them again if the patterns changed. */
  configure(layout: LocalLayout): void {
    if (JSON.stringify(layout) === JSON.stringify(this.#layout)) return;
    const isSamePatterns = JSON.stringify(layout.files) === JSON.stringify(this.#layout.files);
    this.#layout = layout;
    if (isSamePatterns) this.#isListed = false;
    else this.invalidate();
  }

  /**
   * Marks files as possibly changed (unsaved text included); without `paths` all of them, and new or deleted files
   * too. Files with an unchanged size and modification time are not read again.
   */
  invalidate(paths?: readonly string[]): void {
    if (paths === undefined) this.#dropListing();
    for (const path of paths ?? []) {
      if (!this.#layout.files.some((entry) => matchPath(entry.path, path) !== null)) continue;
      // A created or deleted path changes the listing.
      this.#stale.add(path);
      if (!this.#combined.byPath.has(path)) this.#dropListing();
    }
  }

  #dropListing(): void {
    this.#isListed = false;
    this.#found = null;
    this.#mustCheckAll = true;
    this.#invalidations++;
  }

  /** The files; `null` before the first load. */
  get loaded(): LocalFiles | null {
    return this.#revision === 0 ? null : this;
  }

  /** Changes with each `load` that found a change; 0 before the first. */
  get revision(): number {
    return this.#revision;
  }

  get sourceLocale(): string {
    return this.#listing.sourceLocale;
  }

  get locales(): readonly string[] {
    return this.#combined.locales;
  }

  get files(): readonly LocalFile[] {
    return this.#combined.list;
  }

  get unreadableFolders(): readonly UnreadableFolder[] {
    return this.#listing.unreadableFolders;
  }

  get incomplete(): readonly LocalProblem[] {
    return this.#combined.incomplete;
  }

  /** Families and namespaces that have source files, as in `LocalFileRepository.findSource`. */
  get covered(): readonly string[] {
    return this.#combined.covered;
  }

  /** The number of texts per language; those that are in several files count several times. */
  get sizes(): readonly LanguageSize[] {
    return this.#combined.sizes;
  }

  /** Finds the files without reading them. Returns their locations. */
  list(signal?: AbortSignal): Promise<readonly LocalFileLocation[]> {
    const next = this.#queue.then(async () => {
      if (!this.#isListed) await this.#list(signal);
      return this.#listing.locations;
    });
    this.#queue = next.catch(() => undefined);
    return next;
  }

  entries(locale: string): LocaleEntries {
    const covered = locale === this.sourceLocale ? this.covered : null;
    return new LocaleEntries(this.#repository, locale, covered);
  }

  /** As `LocalFileRepository.entriesContaining`. */
  entriesContaining(strings: readonly string[]): Iterable<readonly LocalEntry[]> {
    return this.#repository.entriesContaining(strings);
  }

  /** Returns the problems of the files, including keys that are in several of them. */
  async problems(signal?: AbortSignal): Promise<readonly LocalProblem[]> {
    const inFiles = this.files.flatMap((file) => file.problems);
    const duplicates = await this.#dependencies.indexing.findDuplicates(this.locales, signal);
    return [...this.#listing.problems, ...inFiles, ...duplicates];
  }

  /** Returns the entry of a key in a locale, as last loaded. */
  find(hash: string, locale: string): LocalEntry | undefined {
    return this.entries(locale).get(hash);
  }

  /** Reads what changed since the last load. Concurrent calls run in turn; without changes this costs nothing. */
  load(signal?: AbortSignal): Promise<LocalEntries> {
    const next = this.#queue.then(() => this.#load(signal));
    this.#queue = next.catch(() => undefined);
    return next.then(() => this);
  }

  /**
   * Like `load`, but checks the disk first: lists the folders, compares the stamp of every file, and reads those that
   * differ. Commands that work on files start with this, since not every change is watched or reported in time.
   */
  reload(signal?: AbortSignal): Promise<LocalEntries> {
    this.invalidate();
    return this.load(signal);
  }

  /** Lists the files that match the layout, without reading them. */
  paths(signal?: AbortSignal): Promise<ReadonlySet<string>> {
    return findPaths(this.#layout, this.#dependencies.files, signal);
  }

  /** Returns the location of a path in the layout, whether or not the file exists; `null` if no entry matches. */
  locate(path: string): LocalFileLocation | null {
    const { toService } = this.#listing.localeMap;
    const location = locateFile(path, this.#layout.files, toService, this.sourceLocale);
    return location === "no_locale" ? null : location;
  }

  /** Returns the options for reading and editing a file. */
  readOptions(location: LocalFileLocation): FileOptions {
    const { locales, serviceLocales } = this.#listing.layout;
    // Until the service's locales are known, whatever looks like a locale is one.
    const names = serviceLocales.length === 0 ? [] : [...serviceLocales, ...Object.keys(locales)];
    return {
      locale: location.locale,
      sourceLocale: this.sourceLocale,
      location,
      ...(hasOwnLocales(location.entry.format) && names.length > 0 ? { locales: names } : {}),
    };
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
      toFile: this.#listing.localeMap.toFile,
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

  async #load(signal?: AbortSignal): Promise<void> {
    const { database, indexing } = this.#dependencies;
    const keysVersion = this.#dependencies.keysVersion();
    if (database.path !== this.#databasePath) {
      // It was moved to memory, without the files.
      this.#databasePath = database.path;
      this.#dropListing();
    }
    const isLoaded = this.#isListed && this.#loadedListing === this.#listing && !this.#mustCheckAll;
    if (isLoaded && this.#stale.size === 0 && keysVersion === this.#keysVersion) return;
    if (!this.#isListed) await this.#list(signal);
    const listing = this.#listing;
    const { locations, sourceLocale } = listing;
    const invalidations = this.#invalidations;
    const mustCheckAll = this.#mustCheckAll;
    const stale = new Set(this.#stale);
    this.#stale.clear();
    try {
      // Another window may have read files into the database.
      if (mustCheckAll) await this.#readStored();
      const paths = new Set(locations.map(({ path }) => path));
      const removed = [...this.#stored.keys()].filter((path) => !paths.has(path));
      await this.#remove(removed);
      const check = { all: mustCheckAll, listing: listing !== this.#loadedListing, changed: stale };
      const isSource = (location: LocalFileLocation): boolean => location.locale === sourceLocale;
      const sources = locations.filter(isSource);
      const findOutdated = (): Promise<ReadonlySet<string>> =>
        indexing.findOutdated(
          sources.map(({ path }) => path),
          sourceLocale,
        );
      let outdated = keysVersion === this.#keysVersion ? new Set<string>() : await findOutdated();
      const readSources = await this.#refresh(sources, { ...check, outdated }, signal);
      // Source files decide which keys are plural in all languages.
      if (readSources) outdated = await findOutdated();
      if (readSources) {
        await this.#publish(true);
        await this.#dependencies.onPartlyRead?.();
      }
      await yieldNow();
      const targets = locations.filter((location) => !isSource(location));
      const readTargets = await this.#refresh(
        await groupByNamespace(targets),
        { ...check, outdated },
        signal,
      );
      await yieldNow();
      await this.#publish(readTargets || (removed.length > 0 && !readSources));
      this.#keysVersion = keysVersion;
      this.#loadedListing = listing;
      if (invalidations === this.#invalidations) this.#mustCheckAll = false;
      if (this.#repository.findReplaced(isRunning) !== undefined) await indexing.removeReplaced();
    } catch (error) {
      for (const path of stale) this.#stale.add(path);
      // Files of other languages may not have been read with the plural keys of new source files.
      this.#keysVersion = null;
      throw error;
    } finally {
      this.#dependencies.onReading?.(false);
    }
  }

  async #readStored(): Promise<void> {
    const slices = new TimeSlices();
    const stored: StoredFile[] = [];
    for (const files of this.#repository.files()) {
      stored.push(...files);
      if (slices.isOver) await slices.next();
    }
    this.#stored.clear();
    stored.forEach((file) => this.#keep(file));
  }

  /** Lists the files; again the next time if they were invalidated in the meantime. */
  async #list(signal?: AbortSignal): Promise<void> {
    const invalidations = this.#invalidations;
    const layout = this.#layout;
    const found = this.#found ?? (await findFiles(layout, this.#dependencies.files, signal));
    if (invalidations === this.#invalidations) this.#found = found;
    const listing = await listFiles(layout, found);
    if (layout !== this.#layout) return this.#list(signal);
    this.#listing = listing;
    this.#conditions.clear();
    this.#isListed = invalidations === this.#invalidations;
  }

  /** Reads the changed files again. Returns whether there were any. */
  async #refresh(
    all: readonly LocalFileLocation[],
    check: RefreshScope,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const locations = check.all
      ? all
      : await collectInSlices(all, (file) => this.#mayBeOutdated(file, check));
    let changed = false;
    const batches = new FileBatches((files) => this.#readInBackground(() => Promise.resolve(files), signal));
    try {
      for (let index = 0; index < locations.length; index += MAX_CONCURRENT_READS) {
        signal?.throwIfAborted();
        const checked = await Promise.all(
          locations.slice(index, index + MAX_CONCURRENT_READS).map(async (location) => {
            const stamp = await this.#stampIfOutdated(location, check);
            if (stamp === undefined) return [];
            // Large files one at a time: memory that is used at once stays with the process.
            const isLarge = stamp !== null && stamp.size >= LARGE_FILE_BYTES;
            const content = isLarge ? null : await this.#content(location, stamp);
            const isStillUnreadable =
              content?.kind === "unreadable" && content.reason === this.#unreadableReason(location);
            return isStillUnreadable ? [] : { location, stamp, content };
          }),
        );
        const outdated = checked.flat();
        if (outdated.length > 0) this.#dependencies.onReading?.(true);
        for (const { location, stamp, content } of outdated) {
          changed = true;
          if (content !== null) {
            await batches.add({ location, content });
            continue;
          }
          await batches.finish();
          const readLarge = async () => [{ location, content: await this.#content(location, stamp) }];
          await this.#readInBackground(readLarge, signal);
        }
      }
      await batches.finish();
    } finally {
      await batches.stop();
    }
    return changed;
  }

  /** Reads files when nothing more urgent is running; their contents are read again after an interruption. */
  async #readInBackground(
    contents: () => Promise<readonly Readable[]>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { runInBackground = (work, stop) => work(stop) } = this.#dependencies;
    signal?.throwIfAborted();
    await runInBackground(async (stop) => {
      const readable: FileToRead[] = [];
      const missing: string[] = [];
      for (const { location, content } of await contents()) {
        switch (content.kind) {
          case "read":
            readable.push(this.#fileToRead(location, content));
            break;
          case "unreadable":
            await this.#storeUnreadable(location, content.reason);
            break;
          case "missing":
            missing.push(location.path);
        }
      }
      await this.#remove(missing);
      if (missing.length > 0) this.#dropListing();
      for (const stored of await this.#read(readable, stop)) this.#keep(stored);
    }, signal);
  }

  #fileToRead(location: LocalFileLocation, content: FileContent): FileToRead {
    return {
      location,
      content,
      options: this.readOptions(location),
      readConditions: this.#readConditions(location),
      locales: this.#listing.localeNames,
    };
  }

  async #storeUnreadable(location: LocalFileLocation, reason: UnreadableReason): Promise<void> {
    const content = { bytes: new Uint8Array(), stamp: UNREADABLE_STAMP, dirty: false };
    await this.#storeUnparsed(this.#fileToRead(location, content), unreadableProblem(reason));
  }

  async #storeUnparsed(file: FileToRead, problem: ProblemDetails): Promise<StoredFile> {
    // Only its details are needed, and it may be large.
    const withoutBytes = { ...file, content: { ...file.content, bytes: new Uint8Array() } };
    const stored = await this.#dependencies.indexing.storeUnparsed(withoutBytes, problem);
    this.#keep(stored);
    return stored;
  }

  /** If the process that reads them runs out of memory, reads them one by one, and without the one that is too large. */
  async #read(files: readonly FileToRead[], signal?: AbortSignal): Promise<readonly StoredFile[]> {
    const [file, ...others] = files;
    if (file === undefined) return [];
    return unlessOutOfMemory(this.#dependencies.indexing.readFiles(files, signal), async () => {
      if (others.length === 0) return [await this.#storeUnparsed(file, OUT_OF_MEMORY_PROBLEM)];
      const stored: StoredFile[] = [];
      for (const each of files) stored.push(...(await this.#read([each], signal)));
      return stored;
    });
  }

  /** Whether the file may have to be read, without a look at the disk. */
  #mayBeOutdated(location: LocalFileLocation, { changed, outdated, listing }: RefreshScope): boolean {
    const { path } = location;
    if (changed.has(path) || outdated.has(path)) return true;
    return listing && this.#stored.get(path)?.readConditions !== this.#readConditions(location);
  }

  /** Returns the stamp of a file to read, `null` if it is missing, `undefined` if it is up to date. */
  async #stampIfOutdated(
    location: LocalFileLocation,
    check: RefreshScope,
  ): Promise<FileStamp | null | undefined> {
    const { path } = location;
    const before = this.#stored.get(path);
    const stamp = await this.#dependencies.files.stat(path);
    const isCertain =
      before?.readConditions === this.#readConditions(location) &&
      !check.outdated.has(path) &&
      !check.changed.has(path) &&
      !before.dirty &&
      !before.recent;
    return isCertain && sameStamp(stamp, before.stamp) ? undefined : (stamp ?? null);
  }

  /**
   * Returns a fingerprint of all that decides how a file is read, other than its path and content and which keys are plural:
   * one string for all files with the same layout entry and language.
   */
  #readConditions({ entry, locale }: LocalFileLocation): string {
    const { layout, sourceLocale } = this.#listing;
    const ofEntry = getOrCreate(this.#conditions, entry, () => new Map<string, string>());
    return getOrCreate(ofEntry, locale, () => {
      const localeNames = hasOwnLocales(entry.format)
        ? [layout.locales, layout.serviceLocales, layout.sourceLocale]
        : null;
      const conditions = [this.#dependencies.version, entry, locale, sourceLocale, localeNames];
      return this.#shared(JSON.stringify(conditions));
    });
  }

  /** Returns the same string for all equal ones, of which thousands of files would each have their own. */
  #shared(text: string): string {
    return getOrCreate(this.#strings, text, () => text);
  }

  #keep(file: StoredFile): void {
    this.#stored.set(file.path, { ...file, readConditions: this.#shared(file.readConditions) });
  }

  async #content({ path }: LocalFileLocation, stamp: FileStamp | null): Promise<ReadOutcome> {
    // Do not read a file only to reject it for its size.
    if (stamp !== null && stamp.size > MAX_FILE_BYTES)
      return { kind: "read", bytes: new Uint8Array(), stamp, dirty: false };
    return this.#dependencies.files.read(path, stamp ?? undefined);
  }

  /** Returns why the file could not be read the last time, under the same conditions. */
  #unreadableReason(location: LocalFileLocation): UnreadableReason | undefined {
    const before = this.#stored.get(location.path);
    if (before?.readConditions !== this.#readConditions(location)) return undefined;
    return before.problems.find(({ code }) => code === "unreadable")?.reason;
  }

  async #remove(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    await this.#dependencies.indexing.removeFiles(paths);
    for (const path of paths) this.#stored.delete(path);
  }

  /** Replaces the current files and locales with what was read. */
  async #publish(isRead: boolean): Promise<void> {
    const { combined, isChanged } = await combineFiles(
      this.#listing,
      this.#stored,
      this.#repository,
      this.#combined,
    );
    this.#combined = combined;
    if (!isRead && !isChanged && this.#revision > 0) return;
    this.#revision++;
    this.#dependencies.onChanged?.();
  }
}

/** Which files to check for changes. */
interface RefreshScope {
  /** Files whose plural keys have changed. */
  readonly outdated: ReadonlySet<string>;
  /** Checks the stamp of every file. */
  readonly all: boolean;
  /** Whether files are named or read differently than before, or there are others. */
  readonly listing: boolean;
  /** Files to check in any case: unsaved text has no stamp. */
  readonly changed: ReadonlySet<string>;
}

/** Files read at once. */
const MAX_CONCURRENT_READS = 32;
/** Equals no stamp of a file, so that a file is read once it can be. */
const UNREADABLE_STAMP: FileStamp = { size: -2, modified: 0 };
