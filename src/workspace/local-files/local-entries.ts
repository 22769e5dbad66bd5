/**
 * What the project's local translation files hold: found by the layout, read into the database when they changed, looked
 * up by key and locale, and edited by key. Source locale first, since it says which keys are plural. Lookups see what was
 * last read. Changes no file itself: an edit is planned here and written through the port.
 */
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../database/database.ts";
import type { KeyRepository } from "../../database/key-repository.ts";
import {
  type LocalEntry,
  LocalFileRepository,
  type LocalProblem,
  type StoredFile,
} from "../../database/local-file-repository.ts";
import { MAX_FILE_BYTES } from "../../formats/translation-file.ts";
import type { KeyName } from "../../model/key-identity.ts";
import { type LocaleMap, localeMap } from "../../model/locales.ts";
import type { FileContent, FileStamp, ProjectFiles } from "../../model/platform.ts";
import { isRunning } from "../files/disk.ts";
import { globOf, matchPath, namingOf } from "../layout/layout.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import type { LanguageSize } from "../project-file/source-language.ts";
import type { LocalChange, LocalEditPlan } from "./local-change.ts";
import { planLocalEdit } from "./local-edit.ts";
import { isOutOfMemory, LargeFiles, TOO_MUCH } from "./large-files.ts";
import type { LocalFileIndexing } from "./local-file-indexer.ts";
import {
  FileEntries,
  GENERATED_RANK,
  keyNameIn,
  type LocalFile,
  type LocalPlace,
  ownLocales,
  placeOf,
} from "./local-file.ts";
import { EntriesOfLocale, type LocaleEntries, type LocalFiles } from "./locale-entries.ts";
import { refuseLocalFile } from "./read-local-file.ts";
import type { FileOptions, TranslationFiles } from "./translation-files.ts";

export type { LocalEntry, LocalProblem } from "../../database/local-file-repository.ts";
export type { LocalEditPlan } from "./local-change.ts";
export type { LocalRefusal } from "./local-change.ts";
export type { LocalChange } from "./local-change.ts";
export type { LocalFile, LocalPlace } from "./local-file.ts";
export type { LocaleEntries, LocalFiles } from "./locale-entries.ts";
import { yieldNow } from "../../model/time-slices.ts";

/** What decides which files are ours and what their keys are called. */
export interface LocalLayout {
  /** `files` of the project file. */
  readonly files: readonly FilesEntry[];
  /** `locales` of the project file. */
  readonly locales: Readonly<Record<string, string>>;
  /** The service's, once known; else a guess is made from the files. */
  readonly sourceLocale: string | null;
  /** The service's locales; empty while unknown. */
  readonly serviceLocales: readonly string[];
}

export interface LocalEntriesDependencies {
  readonly database: Database;
  readonly files: ProjectFiles;
  /** Of the extension: another one may read files otherwise. */
  readonly version: string;
  /** Of the service; another object when they changed. */
  readonly keys: () => KeyRepository;
  /** In the indexing process, or in this one. */
  readonly indexing: LocalFileIndexing;
}

const NO_LAYOUT: LocalLayout = { files: [], locales: {}, sourceLocale: null, serviceLocales: [] };

export class LocalEntries implements LocalFiles {
  readonly #dependencies: LocalEntriesDependencies;
  readonly #repository: LocalFileRepository;
  /** What the database has, by path. */
  #stored = new Map<string, StoredFile>();
  /** The same as of the last load. */
  #files: ReadonlyMap<string, LocalFile> = new Map();
  #inOrder: readonly LocalFile[] = [];
  readonly #stale = new Set<string>();
  #layout: LocalLayout = NO_LAYOUT;
  /** The layout of the last listing. */
  #listedLayout: LocalLayout = NO_LAYOUT;
  #listing: Listing | null = null;
  /** Counts what makes a listing outdated, also while it is being made. */
  #invalidations = 0;
  #sourceLocale = "en";
  #locales: readonly string[] = [];
  #covered: readonly string[] = [];
  #listingProblems: readonly LocalProblem[] = [];
  #localeMapArguments: Parameters<typeof localeMap> = [{}, [], []];
  #localeMap: LocaleMap = localeMap({}, [], []);
  /** What the names of locales inside of files are understood by. */
  #localeNames = "";
  /** What was last read by. */
  #keys: KeyRepository | null = null;
  readonly #formats: LargeFiles;
  #revision = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(dependencies: LocalEntriesDependencies) {
    this.#dependencies = dependencies;
    this.#repository = new LocalFileRepository(dependencies.database);
    this.#formats = new LargeFiles(dependencies);
  }

  /** Takes another layout; files are found and named anew with the next `load`. */
  configure(layout: LocalLayout): void {
    if (isDeepStrictEqual(layout, this.#layout)) return;
    this.#layout = layout;
    this.invalidate();
  }

  /**
   * Says what may have changed: these files' content (unsaved text too), or without `paths` anything, new and
   * deleted files included. Files whose size and time are as before are not read again.
   */
  invalidate(paths?: readonly string[]): void {
    if (paths === undefined) this.#dropListing();
    for (const path of paths ?? []) {
      if (!this.#layout.files.some((entry) => matchPath(entry.path, path) !== null)) continue;
      // A path that was not there, or may be there no more, means another list.
      this.#stale.add(path);
      if (!this.#files.has(path)) this.#dropListing();
    }
  }

  #dropListing(): void {
    this.#listing = null;
    this.#invalidations++;
  }

  /** The files; `null` until they were loaded. */
  get loaded(): LocalFiles | null {
    return this.#revision === 0 ? null : this;
  }

  /** Another number after each `load` that found a change; 0 before the first. */
  get revision(): number {
    return this.#revision;
  }

  get sourceLocale(): string {
    return this.#sourceLocale;
  }

  get locales(): readonly string[] {
    return this.#locales;
  }

  get files(): readonly LocalFile[] {
    return this.#inOrder;
  }

  /** Families and namespaces with source files of their own, as in `LocalFileRepository.findSource`. */
  get covered(): readonly string[] {
    return this.#covered;
  }

  /** How many texts the files of each language have. */
  sizes(): readonly LanguageSize[] {
    const locales = new Set(this.#inOrder.flatMap((file) => [...file.locales.keys()]));
    return [...locales].map((locale) => ({ locale, texts: this.#repository.countTexts(locale) }));
  }

  entries(locale: string): LocaleEntries {
    const covered = locale === this.#sourceLocale ? this.#covered : null;
    return new EntriesOfLocale(this.#repository, locale, covered);
  }

  /** What is wrong with the files, and the keys that stand in several of them. */
  async problems(): Promise<readonly LocalProblem[]> {
    const found = [...this.#listingProblems, ...this.#inOrder.flatMap((file) => file.problems)];
    for (const locale of this.#locales) {
      for (const [first, ...others] of this.#repository.entriesTwiceIn(locale)) {
        await yieldNow();
        if (first === undefined) continue;
        const counts = this.#files.get(first.path);
        for (const entry of others) {
          const file = this.#files.get(entry.path);
          if (counts === undefined || file === undefined || isMadeOf(file, counts)) continue;
          found.push(elsewhere(entry, first.path));
        }
      }
    }
    return found;
  }

  /** The entry of a key in a locale, as last loaded. */
  find(hash: string, locale: string): LocalEntry | undefined {
    return this.entries(locale).get(hash);
  }

  /** Reads what changed since the last time. Callers at the same time take turns; nothing to do costs nothing. */
  load(signal?: AbortSignal): Promise<LocalEntries> {
    const next = this.#queue.then(() => this.#load(signal));
    this.#queue = next.catch(() => undefined);
    return next.then(() => this);
  }

  /**
   * As `load`, after a look at the disk: lists the folders, compares the stamp of every file, and reads what differs. A
   * command that works with the files begins with this, since not every change is watched, or told in time.
   */
  reload(signal?: AbortSignal): Promise<LocalEntries> {
    this.invalidate();
    return this.load(signal);
  }

  /** Where a path stands in the layout, whether the file is there or not; `null` when it is none of ours. */
  placeOf(path: string): LocalPlace | null {
    const place = placeOf(path, this.#layout.files, this.#localeMap.toService, this.#sourceLocale);
    return place === "no_locale" ? null : place;
  }

  /** How a file of the place is read and edited. */
  readOptions(place: LocalPlace): FileOptions {
    const { locales, serviceLocales } = this.#listedLayout;
    // While the service is not known, whatever looks like a locale is one.
    const names = serviceLocales.length === 0 ? [] : [...serviceLocales, ...Object.keys(locales)];
    return {
      locale: place.locale,
      sourceLocale: this.#sourceLocale,
      place,
      ...(ownLocales(place.entry.format) && names.length > 0 ? { locales: names } : {}),
    };
  }

  /** What reads and changes files here. */
  get formats(): TranslationFiles {
    return this.#formats;
  }

  /** The changes as file writes; loads first. Written by `ProjectFiles.write`, which finds out what changed since. */
  async planEdit(changes: readonly LocalChange[], signal?: AbortSignal): Promise<LocalEditPlan> {
    await this.load(signal);
    const { files, keys } = this.#dependencies;
    return planLocalEdit(changes, {
      files,
      formats: this.formats,
      keys: keys(),
      local: this,
      layout: this.#layout.files,
      toFile: this.#localeMap.toFile,
      placeOf: (path) => this.placeOf(path),
      readOptions: (place) => this.readOptions(place),
    });
  }

  /** The source keys' names if the same files were mapped by other entries; files that no entry fits are left out. */
  *sourceNamesUnder(files: readonly FilesEntry[]): Generator<KeyName> {
    const fits = new Map<string, Pick<LocalPlace, "entry" | "naming"> | null>();
    for (const { path, entry } of this.entries(this.#sourceLocale).values()) {
      let fit = fits.get(path);
      if (fit === undefined) fits.set(path, (fit = fitOf(files, path)));
      if (fit !== null) yield keyNameIn(fit, entry);
    }
  }

  async #load(signal?: AbortSignal): Promise<void> {
    const { keys: keysNow, indexing } = this.#dependencies;
    const keys = keysNow();
    const isListed = this.#listing !== null;
    if (this.#revision > 0 && isListed && this.#stale.size === 0 && keys === this.#keys) return;
    const listing = this.#listing ?? (await this.#list(signal));
    const stale = new Set(this.#stale);
    this.#stale.clear();
    try {
      // Another window may have read some.
      if (!isListed) this.#stored = new Map(this.#repository.files().map((file) => [file.path, file]));
      const paths = new Set(listing.places.map(({ path }) => path));
      const gone = [...this.#stored.keys()].filter((path) => !paths.has(path));
      for (const path of gone) this.#remove(path);
      const check: Check = { all: !isListed, changed: stale, outdated: NONE };
      const isSource = (place: LocalPlace): boolean => place.locale === this.#sourceLocale;
      let outdated =
        keys === this.#keys ? NONE : await indexing.findOutdated(listing.places, this.#sourceLocale);
      const readSources = await this.#refresh(
        listing.places.filter(isSource),
        { ...check, outdated },
        signal,
      );
      // What is plural in them is so in all languages.
      if (readSources) outdated = await indexing.findOutdated(listing.places, this.#sourceLocale);
      const targets = listing.places.filter((place) => !isSource(place));
      const readTargets = await this.#refresh(targets, { ...check, outdated }, signal);
      this.#keys = keys;
      this.#take(listing, readSources || readTargets || gone.length > 0);
      if (this.#repository.findReplaced(isRunning) !== undefined) await indexing.removeReplaced();
    } catch (error) {
      for (const path of stale) this.#stale.add(path);
      if (!isListed) this.#dropListing();
      throw error;
    }
  }

  /** Finds the files and learns the locales from their names; kept unless it was outdated meanwhile. */
  async #list(signal?: AbortSignal): Promise<Listing> {
    const invalidations = this.#invalidations;
    const layout = this.#layout;
    const { files, locales, serviceLocales } = layout;
    const found = await Promise.all(
      files.map((entry) => this.#dependencies.files.find(globOf(entry.path), signal)),
    );
    if (layout !== this.#layout) return this.#list(signal);
    const paths = new Set(found.flat());
    this.#listedLayout = layout;
    this.#localeNames = JSON.stringify([locales, serviceLocales, layout.sourceLocale]);
    const inFiles = new Set<string>();
    for (const path of paths) {
      const placed = files.map((entry) => matchPath(entry.path, path)).find((match) => match !== null);
      if (placed?.locale !== null && placed?.locale !== undefined) inFiles.add(placed.locale);
    }
    this.#localeMapArguments = [locales, serviceLocales, [...inFiles]];
    this.#localeMap = localeMap(...this.#localeMapArguments);
    this.#sourceLocale = layout.sourceLocale ?? guessedSource([...inFiles]);
    const places: LocalPlace[] = [];
    const problems: LocalProblem[] = [];
    for (const path of [...paths].sort()) {
      const place = placeOf(path, files, this.#localeMap.toService, this.#sourceLocale);
      if (place === "no_locale") {
        problems.push({
          code: "locale",
          path,
          message: "the service has no such locale",
          span: null,
          line: null,
          column: null,
          key: null,
        });
      } else if (place !== null) {
        places.push(place);
      }
    }
    const listing = { places, problems };
    if (invalidations === this.#invalidations) this.#listing = listing;
    return listing;
  }

  /** Reads those files again that changed. Whether any did. */
  async #refresh(places: readonly LocalPlace[], check: Check, signal?: AbortSignal): Promise<boolean> {
    let changed = false;
    for (let index = 0; index < places.length; index += MAX_CONCURRENT) {
      signal?.throwIfAborted();
      const asked = await Promise.all(
        places.slice(index, index + MAX_CONCURRENT).map(async (place) => {
          return { place, stamp: await this.#newStamp(place, check) };
        }),
      );
      const outdated = asked.flatMap(({ place, stamp }) => (stamp === undefined ? [] : { place, stamp }));
      // Each large one when its turn comes: what is held at the same time stays with the process.
      const small = await Promise.all(
        outdated.map(async ({ place, stamp }) => (isLarge(stamp) ? null : this.#content(place, stamp))),
      );
      for (const [at, { place, stamp }] of outdated.entries()) {
        changed = true;
        const content = small[at] ?? (await this.#content(place, stamp));
        if (content === "gone") {
          this.#remove(place.path);
          this.#dropListing();
          continue;
        }
        this.#stored.set(place.path, await this.#read(place, content, signal));
      }
    }
    return changed;
  }

  async #read(place: LocalPlace, content: FileContent, signal: AbortSignal | undefined): Promise<StoredFile> {
    const file = {
      place,
      content,
      options: this.readOptions(place),
      readUnder: this.#readUnder(place),
      locales: this.#localeMapArguments,
    };
    try {
      return await this.#dependencies.indexing.readFile(file, signal);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      return refuseLocalFile(this.#repository, file, { code: "syntax", message: TOO_MUCH });
    }
  }

  /** The stamp of a file that must be read (again), `null` without one; `undefined` when what was read still holds. */
  async #newStamp(place: LocalPlace, check: Check): Promise<FileStamp | null | undefined> {
    const { path } = place;
    const before = this.#stored.get(path);
    const isSame = before?.readUnder === this.#readUnder(place) && !check.outdated.has(path);
    if (isSame && !check.all && !check.changed.has(path)) return undefined;
    const stamp = await this.#dependencies.files.stat(path);
    const isCertain = isSame && !check.changed.has(path) && !before.dirty && !before.recent;
    return isCertain && sameStamp(stamp, before.stamp) ? undefined : (stamp ?? null);
  }

  /** All that decides how a file is read, beside its content and the kinds of keys. */
  #readUnder(place: LocalPlace): string {
    const localeNames = ownLocales(place.entry.format) ? this.#localeNames : "";
    return JSON.stringify([this.#dependencies.version, place, this.#sourceLocale, localeNames]);
  }

  async #content({ path }: LocalPlace, stamp: FileStamp | null): Promise<FileContent | "gone"> {
    // Nothing so large is taken into memory only to be refused.
    if (stamp !== null && stamp.size > MAX_FILE_BYTES)
      return { bytes: new Uint8Array(), stamp, dirty: false };
    return (await this.#dependencies.files.read(path, stamp ?? undefined)) ?? "gone";
  }

  #remove(path: string): void {
    this.#repository.remove(path);
    this.#stored.delete(path);
  }

  /** Shows what was read. */
  #take({ places, problems }: Listing, isChanged: boolean): void {
    const before = this.#files;
    const files = places.flatMap((place): LocalFile[] => {
      const file = this.#stored.get(place.path);
      return file === undefined ? [] : [{ ...file, place, entries: new FileEntries(this.#repository, file) }];
    });
    const isOther = ({ path, readUnder, stamp }: LocalFile): boolean => {
      const other = before.get(path);
      return other?.readUnder !== readUnder || !sameStamp(other.stamp, stamp);
    };
    const source = this.#sourceLocale;
    const locales = new Set(files.flatMap((file) => [...file.locales.keys()]));
    const others = [...locales].filter((locale) => locale !== source).sort();
    const sourceFiles = files.filter((file) => file.locales.has(source));
    this.#covered = sourceFiles.flatMap(({ family, keyNamespaces }) =>
      family === null ? [] : keyNamespaces.map((namespace) => `${family}:${namespace}`),
    );
    const hasSource =
      sourceFiles.length > 0 || this.#repository.sourceEntries(this.#covered).next().done !== true;
    this.#locales = hasSource ? [source, ...others] : others;
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#inOrder = files;
    this.#listingProblems = problems;
    if (isChanged || this.#revision === 0 || files.length !== before.size || files.some(isOther)) {
      this.#revision++;
    }
  }
}

function elsewhere({ path, name, entry }: LocalEntry, first: string): LocalProblem {
  const message = `the key stands in ${first} too`;
  return { code: "elsewhere", path, message, span: entry.keySpan, line: null, column: null, key: name.key };
}

/** Whether that a key stands in both files is as it should be. */
function isMadeOf(file: LocalFile, first: LocalFile): boolean {
  if (file.family !== "gettext" || first.family !== "gettext") return false;
  return file.rank !== first.rank || (file.rank === GENERATED_RANK && file !== first);
}

/** The files of the layout as last found, and those that are left out. */
interface Listing {
  readonly places: readonly LocalPlace[];
  readonly problems: readonly LocalProblem[];
}

/** Which files to look at again. */
interface Check {
  /** What is known of the kinds of their keys has changed. */
  readonly outdated: ReadonlySet<string>;
  /** Every file whose stamp differs. */
  readonly all: boolean;
  /** These in any case: unsaved text has no stamp of its own. */
  readonly changed: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Files that are asked for at the same time. */
const MAX_CONCURRENT = 16;
/** Files from this size on are read one after the other. Bytes. */
const LARGE = 256 * 1024;

function isLarge(stamp: FileStamp | null): boolean {
  return stamp !== null && stamp.size >= LARGE;
}

function sameStamp(a: FileStamp | undefined, b: FileStamp): boolean {
  return a?.size === b.size && a.modified === b.modified;
}

function fitOf(files: readonly FilesEntry[], path: string): Pick<LocalPlace, "entry" | "naming"> | null {
  for (const entry of files) {
    const placed = matchPath(entry.path, path);
    if (placed !== null) return { entry, naming: namingOf(entry, placed) };
  }
  return null;
}

/** Before the service has said it: English if there is one, else the first. */
function guessedSource(locales: readonly string[]): string {
  const english =
    locales.find((locale) => locale === "en") ?? locales.find((locale) => /^en[-_]/i.test(locale));
  return english ?? locales.toSorted()[0] ?? "en";
}
