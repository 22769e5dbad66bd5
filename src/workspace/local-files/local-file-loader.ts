/**
 * Brings the stored local translation files up to date with the disk: lists the files of a layout, compares their stamps,
 * and reads those that differ. Runs in the indexing process, or in any other.
 */
import type { Database } from "../../database/database.ts";
import {
  LocalFileRepository,
  type LocalProblem,
  type StoredFile,
} from "../../database/local-file-repository.ts";
import { MAX_FILE_BYTES } from "../../formats/parse-and-edit-file.ts";
import type { FileContent, FileStamp, ReadOutcome } from "../../model/platform.ts";
import { yieldNow } from "../../util/event-loop.ts";
import { getOrCreate } from "../../util/maps.ts";
import { fingerprintOf } from "../../util/fingerprint.ts";
import { isRunning } from "../file-system/atomic-write.ts";
import type { FileState, FolderFiles } from "../file-system/disk-files.ts";
import type { WalkScope } from "../file-system/walk-folder.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import { combineFiles, sameStamp, type CombinedFiles } from "./combine-files.ts";
import {
  findFiles,
  findPaths,
  type FoundFiles,
  type Listing,
  listFiles,
  type LocalLayout,
  NO_FILES,
  readOptionsOf,
  unreadableProblem,
} from "./list-local-files.ts";
import { type FileToRead, LocalFileIndexer } from "./local-file-indexer.ts";
import { hasOwnLocales, type LocalFileLocation, type UnreadableFolder } from "./local-file.ts";
import {
  LARGE_FILE_BYTES,
  OUT_OF_MEMORY_PROBLEM,
  type RemoteTranslationFiles,
} from "./parse-large-files-in-indexer.ts";
import { StoredFiles } from "./stored-files.ts";

/** The functions for local files, which may run in another process. Results are plain data; every call may be repeated. */
export type LocalFileIndexing = RemoteTranslationFiles &
  Pick<LocalFileIndexer, "findDuplicates"> &
  Pick<LocalFileLoader, "list" | "listPaths" | "load">;

/** Creates the functions in this process. */
export function createLocalFileIndexing(
  database: Database,
  files: FolderFiles,
  indexer = new LocalFileIndexer(database),
): LocalFileIndexing {
  const loader = new LocalFileLoader(database, files, indexer);
  return {
    list: (...args) => loader.list(...args),
    listPaths: (...args) => loader.listPaths(...args),
    load: (...args) => loader.load(...args),
    findDuplicates: (...args) => indexer.findDuplicates(...args),
    parse: (...args) => indexer.parse(...args),
    edit: (...args) => indexer.edit(...args),
    renameInPlace: (...args) => indexer.renameInPlace(...args),
  };
}

/** The files of a project. Plain data. */
export interface LocalFileScope extends WalkScope {
  readonly layout: LocalLayout;
}

/** What to bring up to date. Plain data. */
export interface LoadRequest extends LocalFileScope {
  /** The files of the source language decide which keys are plural in all languages, and are read first. */
  readonly part: "source" | "others";
  /** Version of the extension: another one may parse files differently. */
  readonly version: string;
  /** Whether the files have to be listed again, since there may be new or deleted ones. */
  readonly mustList: boolean;
  /** Whether the stamp of every file has to be compared. */
  readonly mustCheckAll: boolean;
  /** Paths of files to check in any case: unsaved text has no stamp. */
  readonly changed: readonly string[];
  /** Unsaved texts of editors, by path. */
  readonly unsaved: ReadonlyMap<string, FileContent>;
  /** Whether other keys may be plural than before, by the service or the files of the source language. */
  readonly areKeysChanged: boolean;
  /** Whether files are read one by one, after a process ran out of memory. */
  readonly isCautious: boolean;
  /** Paths of files that a process ran out of memory on. */
  readonly tooLarge: readonly string[];
}

/** What the files have in common, as they were last read. Plain data, whose size does not depend on their number. */
export interface LocalFilesSummary extends CombinedFiles {
  readonly sourceLocale: string;
  /** Arguments of `createLocaleMap`. */
  readonly localeNames: Listing["localeNames"];
  /** Changes with each change of a file. */
  readonly fingerprint: string;
  /** The namespaces that the files' paths give to their keys. */
  readonly namespaces: readonly string[];
  /** The same by language; languages with the same namespaces are together, as most are. */
  readonly namespacesByLocale: readonly LocaleNamespaces[];
  /** Indexes of the layout's entries that have files with keys. */
  readonly entriesWithKeys: readonly number[];
  /** Problems of files that are left out. */
  readonly problems: readonly LocalProblem[];
  readonly unreadableFolders: readonly UnreadableFolder[];
}

/** Languages, and the namespaces that the paths of their files give to their keys. */
export interface LocaleNamespaces {
  readonly locales: readonly string[];
  readonly namespaces: readonly string[];
}

/** The languages and layout entries of the files, by their paths alone. */
export interface ListedFiles {
  /** The service's names of the locales in paths. */
  readonly locales: readonly string[];
  /** Indexes of the layout's entries that have files. */
  readonly entries: readonly number[];
}

/** Sent while files are read. */
export interface LoadProgress {
  /** The file that is about to be read alone, since it may take much memory. */
  readonly path: string | null;
}

export interface LoadResult {
  readonly summary: LocalFilesSummary;
  /** Whether files were read. */
  readonly isRead: boolean;
  /** Whether a file was missing, so that they have to be listed again. */
  readonly isListingOutdated: boolean;
}

/** Bytes that are read and parsed together. */
const BATCH_BYTES = 512 * 1024;
const BATCH_FILES = 256;
/** Stamps compared between yields to the event loop; some 5 ms. */
const CHECKED_FILES = 200;
/** Equals no stamp of a file, so that a file is read once it can be. */
const UNREADABLE_STAMP: FileStamp = { size: -2, modified: 0 };

/** `list` and `load` must not run at the same time. */
export class LocalFileLoader {
  readonly #files: FolderFiles;
  readonly #repository: LocalFileRepository;
  readonly #indexer: LocalFileIndexer;
  readonly #stored: StoredFiles;
  #listing = NO_FILES;
  /** What the listing was made of; `null`: there is none. */
  #listed: LocalFileScope | null = null;
  /** The files that matched the patterns; `null`: they have to be found again. */
  #found: FoundFiles | null = null;
  /** The results of `#readConditions` for the listing, by layout entry and language. */
  readonly #conditions = new Map<FilesEntry, Map<string, string>>();
  #version = "";

  constructor(database: Database, files: FolderFiles, indexer: LocalFileIndexer) {
    this.#files = files;
    this.#repository = new LocalFileRepository(database);
    this.#indexer = indexer;
    this.#stored = new StoredFiles(this.#repository);
  }

  /** Lists the paths of the files, without reading them. */
  async listPaths(scope: LocalFileScope, signal?: AbortSignal): Promise<readonly string[]> {
    return findPaths(scope.layout, this.#files, scope, signal);
  }

  /** Lists the files again, without reading them. */
  async list(scope: LocalFileScope, signal?: AbortSignal): Promise<ListedFiles> {
    await this.#list(scope, true, signal);
    const { layout, locations } = this.#listing;
    const locales = new Set<string>();
    for (const { placeholders, locale } of locations) if (placeholders.locale !== null) locales.add(locale);
    return { locales: [...locales], entries: indexesOf(layout, locations) };
  }

  /**
   * Reads the files that changed.
   * @throws the signal's reason, and SQLite errors; what was read until then is stored
   */
  async load(
    request: LoadRequest,
    onProgress: (progress: LoadProgress) => void,
    signal?: AbortSignal,
  ): Promise<LoadResult> {
    signal?.throwIfAborted();
    this.#version = request.version;
    // A new process knows nothing of the files.
    const mustCheckAll = request.mustCheckAll || this.#listed === null;
    await this.#list(request, request.mustList, signal);
    await this.#stored.update();
    const { locations, sourceLocale } = this.#listing;
    const paths = new Set(locations.map(({ path }) => path));
    const removed = [...this.#stored.byPath.keys()].filter((path) => !paths.has(path));
    if (removed.length > 0) await this.#indexer.removeFiles(removed);
    const work = {
      request,
      onProgress,
      signal,
      mustCheckAll,
      changed: new Set(request.changed),
      missing: [] as string[],
      isRead: false,
    };
    const isSource = (location: LocalFileLocation): boolean => location.locale === sourceLocale;
    const sources = locations.filter(isSource);
    const files =
      request.part === "source" ? sources : groupByNamespace(locations.filter((each) => !isSource(each)));
    const sourcePaths = sources.map(({ path }) => path);
    const outdated = request.areKeysChanged
      ? await this.#indexer.findOutdated(sourcePaths, sourceLocale)
      : new Set<string>();
    await this.#readOutdated(files, work, outdated);
    if (work.missing.length > 0) await this.#indexer.removeFiles(work.missing);
    const summary = await this.#summary();
    if (request.part === "others" && this.#repository.findReplaced(isRunning) !== undefined)
      await this.#indexer.removeReplaced();
    return { summary, isRead: work.isRead, isListingOutdated: work.missing.length > 0 };
  }

  async #list(scope: LocalFileScope, mustFind: boolean, signal?: AbortSignal): Promise<void> {
    const { layout, exclude, otherProjects } = scope;
    const before = this.#listed;
    const whatIsFound = (each: LocalFileScope | null): string =>
      JSON.stringify([each?.layout.files, each?.exclude, each?.otherProjects]);
    const isSameScope = whatIsFound(scope) === whatIsFound(before);
    if (mustFind || !isSameScope || this.#found === null) {
      this.#listed = null;
      this.#found = await findFiles(layout, this.#files, scope, signal);
    } else if (fingerprintOf(layout) === fingerprintOf(before?.layout)) {
      return;
    }
    this.#listing = await listFiles(layout, this.#found);
    this.#conditions.clear();
    this.#listed = { layout, exclude, otherProjects };
  }

  /** Reads those of the files that are outdated. */
  async #readOutdated(
    locations: readonly LocalFileLocation[],
    work: RefreshWork,
    outdated: ReadonlySet<string>,
  ): Promise<void> {
    const { request, onProgress, signal } = work;
    let batch: FileToRead[] = [];
    let bytes = 0;
    const flush = async (): Promise<void> => {
      if (batch.length > 0) await this.#indexer.readFiles(batch, signal);
      batch = [];
      bytes = 0;
    };
    for (const [index, location] of locations.entries()) {
      if (index % CHECKED_FILES === 0) {
        await yieldNow();
        signal?.throwIfAborted();
      }
      const { path } = location;
      const before = this.#stored.byPath.get(path);
      const isSame = before?.readConditions === this.#readConditions(location);
      const mayBeOutdated = !isSame || work.changed.has(path) || outdated.has(path);
      if (!mayBeOutdated && !work.mustCheckAll) continue;
      const state = this.#files.stat(path);
      const unsaved = this.#unsaved(path, state, request);
      const stamp = unsaved?.stamp ?? (state.kind === "file" ? state.stamp : undefined);
      const isCertain = !mayBeOutdated && !before.dirty && !before.recent;
      if (isCertain && sameStamp(stamp, before.stamp)) continue;
      const content =
        unsaved === undefined ? this.#content(path, state) : ({ kind: "read", ...unsaved } as const);
      if (content.kind === "unreadable" && isSame && content.reason === before?.problems[0]?.reason) continue;
      if (!work.isRead) onProgress({ path: null });
      work.isRead = true;
      if (content.kind === "missing") {
        work.missing.push(path);
        continue;
      }
      const file = this.#fileToRead(location, content);
      if (content.kind === "unreadable") {
        await this.#indexer.storeUnparsed(file, unreadableProblem(content.reason));
      } else if (request.tooLarge.includes(path)) {
        await this.#indexer.storeUnparsed(file, OUT_OF_MEMORY_PROBLEM);
      } else {
        const isAlone = request.isCautious || content.bytes.length >= LARGE_FILE_BYTES;
        if (isAlone) {
          await flush();
          onProgress({ path });
        }
        batch.push(file);
        bytes += content.bytes.length;
        if (isAlone || bytes >= BATCH_BYTES || batch.length >= BATCH_FILES) await flush();
      }
    }
    await flush();
  }

  /** Returns the unsaved text of an editor, which shows the file by its real path. */
  #unsaved(path: string, state: FileState, { unsaved }: LoadRequest): FileContent | undefined {
    return unsaved.get(path) ?? (state.kind === "file" ? unsaved.get(state.realPath) : undefined);
  }

  #content(path: string, state: FileState): ReadOutcome {
    if (state.kind !== "file") return state;
    // Do not read a file only to reject it for its size.
    if (state.stamp.size > MAX_FILE_BYTES)
      return { kind: "read", bytes: new Uint8Array(), stamp: state.stamp, dirty: false };
    return this.#files.read(path);
  }

  #fileToRead(location: LocalFileLocation, content: Exclude<ReadOutcome, { kind: "missing" }>): FileToRead {
    return {
      location,
      content:
        content.kind === "read"
          ? content
          : { bytes: new Uint8Array(), stamp: UNREADABLE_STAMP, dirty: false },
      options: readOptionsOf(this.#listing, location),
      readConditions: this.#readConditions(location),
      locales: this.#listing.localeNames,
    };
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
      return JSON.stringify([this.#version, entry, locale, sourceLocale, localeNames]);
    });
  }

  async #summary(): Promise<LocalFilesSummary> {
    await this.#stored.update();
    const { layout, sourceLocale, localeNames, problems, unreadableFolders, locations } = this.#listing;
    const combined = await combineFiles(this.#listing, this.#stored.byPath);
    const withKeys = locations.filter(({ path }) => (this.#stored.byPath.get(path)?.count ?? 0) > 0);
    return {
      ...combined,
      sourceLocale,
      localeNames,
      problems,
      unreadableFolders,
      namespaces: [...new Set(locations.map(({ keyNaming }) => keyNaming.namespace))],
      namespacesByLocale: namespacesByLocale(locations, this.#stored.byPath),
      fingerprint: this.#stored.fingerprint,
      entriesWithKeys: indexesOf(layout, withKeys),
    };
  }
}

/** One run of `load`. */
interface RefreshWork {
  readonly request: LoadRequest;
  readonly onProgress: (progress: LoadProgress) => void;
  readonly signal: AbortSignal | undefined;
  readonly mustCheckAll: boolean;
  readonly changed: ReadonlySet<string>;
  readonly missing: string[];
  isRead: boolean;
}

/** Returns the indexes of the layout's entries that the files belong to. */
function indexesOf({ files }: LocalLayout, locations: readonly LocalFileLocation[]): readonly number[] {
  const entries = new Set(locations.map(({ entry }) => entry));
  return files.flatMap((entry, index) => (entries.has(entry) ? index : []));
}

function namespacesByLocale(
  locations: readonly LocalFileLocation[],
  files: ReadonlyMap<string, StoredFile>,
): readonly LocaleNamespaces[] {
  const byLocale = new Map<string, Set<string>>();
  for (const { path, keyNaming } of locations)
    for (const locale of files.get(path)?.locales.keys() ?? [])
      getOrCreate(byLocale, locale, () => new Set()).add(keyNaming.namespace);
  const groups = new Map<string, { locales: string[]; namespaces: readonly string[] }>();
  for (const [locale, found] of byLocale) {
    const namespaces = [...found].toSorted();
    getOrCreate(groups, JSON.stringify(namespaces), () => ({ locales: [], namespaces })).locales.push(locale);
  }
  return [...groups.values()];
}

/**
 * Returns the files namespace by namespace, so that those of all languages with the same keys are stored one after the
 * other: their entries are adjacent in the index.
 */
export function groupByNamespace(locations: readonly LocalFileLocation[]): readonly LocalFileLocation[] {
  return [...Map.groupBy(locations, ({ keyNaming }) => keyNaming.namespace).values()].flat();
}
