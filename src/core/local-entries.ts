/**
 * What the project's local translation files hold: found by the layout, read when they changed, looked up by key
 * and locale, and edited by key. Source locale first, since it says which keys are plural. Writes nothing itself:
 * an edit is planned here and written through the port.
 */
import type { ReadOptions } from "./formats/format.ts";
import { MOST_FILE_BYTES } from "./formats/translation-file.ts";
import type { KeyName } from "./identity.ts";
import { KeyKinds, type KnownKinds } from "./key-kinds.ts";
import { globOf, matchPath, namingOf } from "./layout.ts";
import { type LocalChange, type LocalEditPlan, planLocalEdit } from "./local-edit.ts";
import {
  isOutdatedKind,
  keyNameIn,
  type LocalFile,
  type LocalPlace,
  type LocalProblem,
  type LocalReading,
  placeOf,
  readLocalFile,
  readOptionsOf,
} from "./local-files.ts";
import type { LocalEntry } from "./local-file-entries.ts";
import { NamePool } from "./name-pool.ts";
import { type LocaleMap, localeMap } from "./locale-names.ts";
import { type LocalSnapshot, snapshotOf } from "./local-snapshot.ts";
import type { FileContent, FileStamp, ProjectFiles, Sha1, TranslationFiles, YieldNow } from "./ports.ts";
import type { FilesEntry } from "./project-file.ts";
import type { Text } from "./text.ts";

export type { LocalChange, LocalEditPlan, LocalRefusal } from "./local-edit.ts";
export type { LocalEntry } from "./local-file-entries.ts";
export type { LocalFile, LocalPlace, LocalProblem } from "./local-files.ts";
export type { LocalSnapshot } from "./local-snapshot.ts";

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

/** What is needed of the platform, and what the service knows of its keys (`Project.keys`). */
export interface LocalEntriesPorts {
  readonly files: ProjectFiles;
  readonly sha1: Sha1;
  readonly yieldNow: YieldNow;
  readonly knownKeys: () => KnownKeys;
  readonly formats: TranslationFiles;
}

/** The keys of the service. Replaced as a whole. */
export interface KnownKeys extends KnownKinds {
  get(hash: string): KnownKey | undefined;
}

/** What the service says of a key. */
export interface KnownKey {
  readonly isPlural: boolean;
  /** Of the source language. */
  readonly text?: Text | null;
  readonly description?: string | null;
}

const NO_LAYOUT: LocalLayout = { files: [], locales: {}, sourceLocale: null, serviceLocales: [] };

export class LocalEntries {
  readonly #ports: LocalEntriesPorts;
  readonly #read = new Map<string, LocalFile>();
  readonly #stale = new Set<string>();
  #names: NamePool;
  #layout: LocalLayout = NO_LAYOUT;
  #listing: Listing | null = null;
  #sourceLocale = "en";
  #localeMap: LocaleMap = localeMap({}, [], []);
  /** What the names of locales inside of files are understood by. */
  #localeNames = "";
  readonly #kinds: KeyKinds;
  #known: unknown = null;
  #snapshot: LocalSnapshot | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(ports: LocalEntriesPorts) {
    this.#ports = ports;
    this.#names = new NamePool(ports.sha1);
    this.#kinds = new KeyKinds(ports.knownKeys, this.#names);
  }

  /** Takes another layout; files are found and named anew with the next `load`. */
  configure(layout: LocalLayout): void {
    if (JSON.stringify(layout) === JSON.stringify(this.#layout)) return;
    this.#layout = layout;
    this.#localeNames = JSON.stringify([layout.locales, layout.serviceLocales, layout.sourceLocale]);
    this.invalidate();
  }

  /**
   * Says what may have changed: these files' content (unsaved text too), or without `paths` anything, new and
   * deleted files included. Files whose size and time are as before are not read again.
   */
  invalidate(paths?: readonly string[]): void {
    if (paths === undefined) this.#listing = null;
    for (const path of paths ?? []) {
      if (!this.#layout.files.some((entry) => matchPath(entry.path, path) !== null)) continue;
      // A path that was not there, or may be there no more, means another list.
      this.#stale.add(path);
      if (!this.#read.has(path)) this.#listing = null;
    }
  }

  /** As last loaded; `null` before the first time. */
  get snapshot(): LocalSnapshot | null {
    return this.#snapshot;
  }

  /** The entry of a key in a locale, as last loaded. */
  find(hash: string, locale: string): LocalEntry | undefined {
    return this.#snapshot?.entries(locale).get(hash);
  }

  /** Reads what changed since the last time. Callers at the same time take turns; nothing to do costs nothing. */
  load(signal?: AbortSignal): Promise<LocalSnapshot> {
    const next = this.#queue.then(() => this.#load(signal));
    this.#queue = next.catch(() => undefined);
    return next;
  }

  /** Where a path stands in the layout, whether the file is there or not; `null` when it is none of ours. */
  placeOf(path: string): LocalPlace | null {
    const place = placeOf(path, this.#layout.files, this.#localeMap.toService, this.#sourceLocale);
    return place === "no_locale" ? null : place;
  }

  /** How a file of the place is read and edited. */
  readOptions(place: LocalPlace): ReadOptions {
    const { locales, serviceLocales } = this.#layout;
    // While the service is not known, whatever looks like a locale is one.
    const names = serviceLocales.length === 0 ? [] : [...serviceLocales, ...Object.keys(locales)];
    return readOptionsOf(place, this.#sourceLocale, this.#names, this.#kinds, names);
  }

  /** What reads and changes files here. */
  get formats(): TranslationFiles {
    return this.#ports.formats;
  }

  /** The changes as file writes; loads first. Written by `ProjectFiles.write`, which finds out what changed since. */
  async planEdit(changes: readonly LocalChange[], signal?: AbortSignal): Promise<LocalEditPlan> {
    const snapshot = await this.load(signal);
    const { files, sha1, yieldNow, knownKeys } = this.#ports;
    return planLocalEdit(changes, {
      files,
      sha1,
      yieldNow,
      formats: this.formats,
      known: knownKeys(),
      snapshot,
      layout: this.#layout.files,
      toFile: this.#localeMap.toFile,
      placeOf: (path) => this.placeOf(path),
      readOptions: (place) => this.readOptions(place),
    });
  }

  /** The source keys' names if the same files were mapped by other entries; files that no entry fits are left out. */
  *sourceNamesUnder(files: readonly FilesEntry[]): Generator<KeyName> {
    const fits = new Map<string, Pick<LocalPlace, "entry" | "naming"> | null>();
    for (const { path, entry: said } of this.#snapshot?.entries(this.#sourceLocale).values() ?? []) {
      let fit = fits.get(path);
      if (fit === undefined) fits.set(path, (fit = fitOf(files, path)));
      if (fit !== null) yield keyNameIn(fit, said);
    }
  }

  async #load(signal?: AbortSignal): Promise<LocalSnapshot> {
    const known = this.#ports.knownKeys();
    if (
      this.#snapshot !== null &&
      this.#listing !== null &&
      this.#stale.size === 0 &&
      known === this.#known
    ) {
      return this.#snapshot;
    }
    const relisted = this.#listing === null;
    const listing = (this.#listing ??= await this.#list(signal));
    const stale = new Set(this.#stale);
    this.#stale.clear();
    try {
      const here = new Set(listing.places.map((place) => place.path));
      const gone = [...this.#read.keys()].filter((path) => !here.has(path));
      for (const path of gone) this.#read.delete(path);
      const isSource = (place: LocalPlace): boolean => place.locale === this.#sourceLocale;
      const check: Check = { kinds: known !== this.#known, all: relisted, changed: stale };
      let changed = await this.#refresh(listing.places.filter(isSource), check, signal);
      const kinds = (changed || relisted) && this.#kinds.settle(this.#read.values(), this.#sourceLocale);
      const targets = listing.places.filter((place) => !isSource(place));
      changed = (await this.#refresh(targets, { ...check, kinds: check.kinds || kinds }, signal)) || changed;
      this.#known = known;
      if (changed || relisted || gone.length > 0 || this.#snapshot === null) {
        this.#snapshot = await this.#assemble(listing);
      }
      return this.#snapshot;
    } catch (error) {
      for (const path of stale) this.#stale.add(path);
      if (relisted) this.#listing = null;
      throw error;
    }
  }

  /** Finds the files, learns the locales from their names, and puts the source's first. */
  async #list(signal?: AbortSignal): Promise<Listing> {
    const { files, locales, serviceLocales } = this.#layout;
    const paths = new Set<string>();
    for (const entry of files) {
      for (const path of await this.#ports.files.find(globOf(entry.path), signal)) paths.add(path);
    }
    const inFiles = new Set<string>();
    for (const path of paths) {
      const placed = files.map((entry) => matchPath(entry.path, path)).find((match) => match !== null);
      if (placed?.locale !== null && placed?.locale !== undefined) inFiles.add(placed.locale);
    }
    this.#localeMap = localeMap(locales, serviceLocales, [...inFiles]);
    this.#sourceLocale = this.#layout.sourceLocale ?? guessedSource([...inFiles]);
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
    return { places, problems };
  }

  /** Reads those files again that changed. Whether any did. */
  async #refresh(places: readonly LocalPlace[], check: Check, signal?: AbortSignal): Promise<boolean> {
    let changed = false;
    for (let index = 0; index < places.length; index += AT_ONCE) {
      signal?.throwIfAborted();
      const asked = await Promise.all(
        places.slice(index, index + AT_ONCE).map(async (place) => {
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
          this.#read.delete(place.path);
          this.#listing = null;
          continue;
        }
        const options = this.readOptions(place);
        this.#read.set(place.path, await readLocalFile(place, content, options, this.#reading, signal));
        await this.#ports.yieldNow();
      }
    }
    return changed;
  }

  get #reading(): LocalReading {
    const { yieldNow } = this.#ports;
    const { formats } = this;
    const names = this.#names;
    return { names, yieldNow, formats, toService: this.#localeMap.toService, localeNames: this.#localeNames };
  }

  /** The stamp of a file that must be read (again), `null` without one; `undefined` when what was read still holds. */
  async #newStamp(place: LocalPlace, check: Check): Promise<FileStamp | null | undefined> {
    const { files } = this.#ports;
    const before = this.#read.get(place.path);
    if (before !== undefined && !check.changed.has(place.path)) {
      const isSource = place.locale === this.#sourceLocale;
      const moved =
        before.sourceLocale !== this.#sourceLocale ||
        (before.localeNames !== "" && before.localeNames !== this.#localeNames) ||
        JSON.stringify(before.place) !== JSON.stringify(place);
      const outdated =
        moved ||
        (check.kinds &&
          (await isOutdatedKind(before, this.#names, this.#kinds.of(isSource), this.#ports.yieldNow)));
      if (!outdated && !check.all) return undefined;
      const stamp = await files.stat(place.path);
      return !outdated && !before.dirty && sameStamp(stamp, before.stamp) ? undefined : (stamp ?? null);
    }
    return (await files.stat(place.path)) ?? null;
  }

  async #content({ path }: LocalPlace, stamp: FileStamp | null): Promise<FileContent | "gone"> {
    // Nothing so large is taken into memory only to be refused.
    if (stamp !== null && stamp.size > MOST_FILE_BYTES)
      return { bytes: new Uint8Array(), stamp, dirty: false };
    return (await this.#ports.files.read(path, stamp ?? undefined)) ?? "gone";
  }

  async #assemble({ places, problems }: Listing): Promise<LocalSnapshot> {
    const files = places.flatMap((place) => this.#read.get(place.path) ?? []);
    const { yieldNow, sha1 } = this.#ports;
    const snapshot = await snapshotOf(files, problems, this.#sourceLocale, this.#names, yieldNow);
    const most = Math.max(...snapshot.locales.map((locale) => snapshot.entries(locale).size), 1000);
    if (this.#names.size > 4 * most) {
      // Names that went with their files, or were being typed. Numbers of one pool mean nothing in another.
      this.#names = new NamePool(sha1);
      this.#kinds.restart(this.#names);
      this.#read.clear();
    }
    return snapshot;
  }
}

/** The files of the layout as last found, and those that are left out. */
interface Listing {
  readonly places: readonly LocalPlace[];
  readonly problems: readonly LocalProblem[];
}

/** Which files to look at again. */
interface Check {
  /** What is known of keys' kinds has changed. */
  readonly kinds: boolean;
  /** Every file whose stamp differs. */
  readonly all: boolean;
  /** These in any case: unsaved text has no stamp of its own. */
  readonly changed: ReadonlySet<string>;
}

/** Files that are asked for at the same time. */
const AT_ONCE = 16;
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
