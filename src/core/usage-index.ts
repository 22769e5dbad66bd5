/**
 * Where keys are used in a workspace: built in the background in short slices from files that nobody opened,
 * kept in the project's store by size and time, and mended file by file. What a use means is asked of the
 * project's key names, anew whenever these change.
 */
import type { KeyName } from "./identity.ts";
import type { LookupOptions } from "./key-lookup.ts";
import type { KeyNames } from "./key-names.ts";
import type { CodeSearch, FileStamp, Log, ProjectFiles, Store, Subscription } from "./ports.ts";
import { decodeTable, encodeTable } from "./usage-cache.ts";
import {
  DEFAULT_INCLUDE,
  IgnoreRules,
  fewestGlobs,
  pathMatcher,
  SIZE_LIMIT,
  WHOLE_LIMIT,
  type IgnoreFile,
} from "./usage-files.ts";
import { searchedLanguage, searchFile } from "./usage-search.ts";
import { UsageMeanings, type UsagePattern } from "./usage-meanings.ts";
import { UsageTable, type FoundUses, type LeftOutReason, type UsePlace } from "./usage-table.ts";
import type { FindOptions, KeyUse, UsageLanguage, UsedKey } from "./usages/usage.ts";

export type { LeftOutReason, UsePlace } from "./usage-table.ts";
export type { UsagePattern } from "./usage-meanings.ts";

/** What the index needs of a platform. */
export interface UsageIndexPorts {
  readonly files: Pick<ProjectFiles, "find" | "stat" | "read">;
  readonly store: Pick<Store, "read" | "write">;
  /** Searches many files at a time elsewhere than in this thread. */
  readonly aside: CodeSearch;
  /** Milliseconds, for the length of a slice of work. */
  readonly now: () => number;
  /** Resolves after whatever else waits had its turn (`setImmediate`). */
  readonly yieldNow: () => Promise<void>;
  readonly log: Pick<Log, "info" | "warn">;
}

/** What to search and how; another set of options needs another index. */
export interface UsageIndexOptions {
  readonly find: FindOptions;
  readonly lookup: LookupOptions;
  /** Globs as `ProjectFiles.find` takes them; default: every language's endings. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

export interface UsageStats {
  readonly files: number;
  readonly uses: number;
  /** Files that were not searched, each with its reason. */
  readonly leftOut: readonly { readonly path: string; readonly reason: LeftOutReason }[];
  /** The workspace was gone through once: what is not in the index is not used. */
  readonly complete: boolean;
}

const IGNORE_FILES = "**/.gitignore";
const IGNORE_FILE = /(?:^|\/)\.gitignore$/u;
/** The name of the index in the project's store. */
const STORED = "usages";
const SLICE_MILLISECONDS = 20;
const READS_AT_ONCE = 16;

export class UsageIndex {
  readonly #ports: UsageIndexPorts;
  readonly #options: UsageIndexOptions;
  readonly #fingerprint: string;
  readonly #isIncluded: (path: string) => boolean;
  readonly #listeners = new Set<() => void>();
  #table = new UsageTable();
  #meanings: UsageMeanings;
  #rules = new IgnoreRules([], []);
  #complete = false;
  #loaded = false;
  #changed = false;
  #sliceStart = 0;
  /** Files that were mended one by one while a build goes on: what the build read of them may be older. */
  #mended: Set<string> | null = null;

  constructor(ports: UsageIndexPorts, options: UsageIndexOptions, names: KeyNames) {
    this.#ports = ports;
    this.#options = options;
    this.#meanings = new UsageMeanings(this.#table, names, options.lookup);
    this.#isIncluded = pathMatcher(options.include ?? DEFAULT_INCLUDE);
    const { frameworks, functions, domains = [] } = options.find;
    this.#fingerprint = JSON.stringify([[...frameworks].sort(), functions, [...domains].sort()]);
  }

  /** Called after a build, a mended file, and new key names. */
  onDidChange(listener: () => void): Subscription {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /**
   * Goes through the workspace: takes what the store kept, reads only files whose size or time differ, and
   * forgets those that are gone. Rejects with the signal's reason when aborted; what was read until then stays.
   */
  async build(signal?: AbortSignal): Promise<void> {
    this.#sliceStart = this.#ports.now();
    this.#mended = new Set();
    try {
      if (!this.#loaded) await this.#load();
      const paths = await this.#listFiles(signal);
      await this.#forgetAllBut(new Set(paths));
      await this.#readAll(await this.#searchAside(paths, signal), signal);
      this.#complete = true;
    } finally {
      this.#mended = null;
      this.#fire();
    }
    await this.save();
  }

  /** Reads one file again, or forgets it when it is gone or not to be searched. */
  async update(path: string): Promise<void> {
    const language = this.#languageOf(path);
    if (language === undefined) return;
    this.#mended?.add(path);
    const file = !this.#isSearched(path) ? undefined : await this.#ports.files.read(path);
    if (file === undefined) {
      this.remove(path);
      return;
    }
    this.#sliceStart = this.#ports.now();
    await this.#search(path, language, file.bytes, file.stamp, undefined);
    this.#fire();
  }

  /** Takes the text of an open editor; the file on disk is read again at the next build. */
  updateText(path: string, text: string): void {
    const language = this.#languageOf(path);
    if (language === undefined || !this.#isSearched(path)) return;
    this.#mended?.add(path);
    this.#put(path, { size: -1, modified: -1 }, language.find(text, this.#options.find), null);
    this.#fire();
  }

  remove(path: string): void {
    this.#mended?.add(path);
    if (!this.#table.remove(path)) return;
    this.#changed = true;
    this.#fire();
  }

  /** The project's keys changed: uses mean what these names say. Resolved in slices. */
  async setNames(names: KeyNames): Promise<void> {
    this.#sliceStart = this.#ports.now();
    const meanings = new UsageMeanings(this.#table, names, this.#options.lookup);
    this.#meanings = meanings;
    for (const id of this.#table.ids()) {
      await this.#breathe();
      if (this.#meanings !== meanings) return;
      meanings.resolve(id);
    }
    this.#fire();
  }

  /** Where the key of that hash is used for certain. */
  usesOf(hash: string): readonly UsePlace[] {
    return this.#table.places(new Set(this.#meanings.idsOf(hash)));
  }

  /** Where a name is used that no key of the project has, as of a key that was never pushed. */
  usesOfName(name: KeyName): readonly UsePlace[] {
    return this.#table.places(new Set(this.#meanings.unknownIdsOf(name)));
  }

  /** How often that is; cheap enough for every line of a locale file. */
  countOfName(name: KeyName): number {
    let count = 0;
    for (const id of this.#meanings.unknownIdsOf(name)) count += this.#table.count(id);
    return count;
  }

  /** How often the key is used for certain; cheap enough for every line of a locale file. */
  countOf(hash: string): number {
    let count = 0;
    for (const id of this.#meanings.idsOf(hash)) count += this.#table.count(id);
    return count;
  }

  /** What the code says only in part, with the keys that it may mean. */
  patterns(): readonly UsagePattern[] {
    return this.#meanings.patterns();
  }

  /** Of these those that may mean the key. */
  patternsOf(hash: string): readonly UsagePattern[] {
    return this.#meanings.patternsOf(hash);
  }

  /** Where a pattern stands. */
  usesOfPattern(pattern: UsagePattern): readonly UsePlace[] {
    return this.#table.places(new Set([pattern.id]));
  }

  /** Uses of names that no key of the project has, with what each says. */
  unknown(): readonly { readonly said: UsedKey; readonly places: readonly UsePlace[] }[] {
    const ids = this.#meanings.unknownIds();
    const places = this.#table.placesById(new Set(ids));
    return ids.map((id) => ({ said: this.#table.said(id).used, places: places.get(id) ?? [] }));
  }

  get stats(): UsageStats {
    const { fileCount: files, useCount: uses } = this.#table;
    return { files, uses, leftOut: this.#table.leftOut(), complete: this.#complete };
  }

  /** Paths that one of the globs finds, and those of the index, without what is ignored; after a build. */
  async findTexts(globs: readonly string[], signal?: AbortSignal): Promise<readonly string[]> {
    // What the index went through already is not listed again.
    const { include = DEFAULT_INCLUDE } = this.#options;
    const others = globs.filter((glob) => !include.includes(glob));
    const paths = new Set([...this.#table.paths(), ...(await this.#find(others, signal))]);
    return [...paths].filter((path) => !this.#rules.ignores(path));
  }

  /** Writes the index to the store when it changed since. */
  async save(): Promise<void> {
    if (!this.#changed) return;
    this.#changed = false;
    this.#sliceStart = this.#ports.now();
    const bytes = await encodeTable(this.#table, this.#fingerprint, () => this.#breathe());
    await this.#ports.store.write(STORED, bytes);
  }

  async #load(): Promise<void> {
    this.#loaded = true;
    const bytes = await this.#ports.store.read(STORED);
    const table = bytes && (await decodeTable(bytes, this.#fingerprint, () => this.#breathe()));
    // Files that were mended before the first build are newer than what was kept.
    if (table === undefined || this.#table.fileCount > 0) return;
    this.#table = table;
    const meanings = this.#meanings.over(table);
    this.#meanings = meanings;
    for (const id of table.ids()) {
      await this.#breathe();
      meanings.resolve(id);
    }
  }

  async #listFiles(signal: AbortSignal | undefined): Promise<readonly string[]> {
    const { files } = this.#ports;
    const ignoreFiles: IgnoreFile[] = [];
    const found = await this.#find([IGNORE_FILES, ...(this.#options.include ?? DEFAULT_INCLUDE)], signal);
    for (const path of found) {
      if (path.includes("node_modules/") || !IGNORE_FILE.test(path)) continue;
      const stamp = await files.stat(path);
      const file =
        stamp === undefined || stamp.size > WHOLE_LIMIT ? undefined : await files.read(path, stamp);
      if (file === undefined) continue;
      const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      ignoreFiles.push({ folder, text: new TextDecoder().decode(file.bytes) });
    }
    this.#rules = new IgnoreRules(ignoreFiles, this.#options.exclude ?? []);
    const paths: string[] = [];
    for (const path of found) {
      await this.#breathe();
      if (this.#languageOf(path) !== undefined && this.#isSearched(path)) paths.push(path);
    }
    return paths;
  }

  /** Paths that one of the globs finds, each once. */
  async #find(globs: readonly string[], signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
    const paths = new Set<string>();
    for (const glob of fewestGlobs(globs)) {
      for (const path of await this.#ports.files.find(glob, signal)) paths.add(path);
    }
    return paths;
  }

  /** The language of the file, if the project has it at all. */
  #languageOf(path: string): UsageLanguage | undefined {
    return searchedLanguage(path, this.#options.find);
  }

  #isSearched(path: string): boolean {
    return this.#isIncluded(path) && !this.#rules.ignores(path);
  }

  async #forgetAllBut(paths: ReadonlySet<string>): Promise<void> {
    for (const path of this.#table.paths()) {
      await this.#breathe();
      if (!paths.has(path) && this.#mended?.has(path) !== true && this.#table.remove(path))
        this.#changed = true;
    }
  }

  /** Has those files searched elsewhere that can be; the others. */
  async #searchAside(paths: readonly string[], signal: AbortSignal | undefined): Promise<readonly string[]> {
    const files = paths.map((path) => ({ path, known: this.#table.stampOf(path) ?? null }));
    const take = async (found: FoundUses): Promise<void> => {
      for (const file of found.files) {
        await this.#breathe();
        if (this.#mended?.has(file.path) === true) continue;
        for (const id of this.#table.take(file, found)) this.#meanings.resolve(id);
        this.#changed = true;
      }
    };
    return this.#ports.aside.search(files, this.#options.find, take, signal);
  }

  /** Some reads go on at once; searching takes turns, and gives way after each slice. */
  async #readAll(paths: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
        signal?.throwIfAborted();
        await this.#readOne(path);
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, lane));
  }

  async #readOne(path: string): Promise<void> {
    const language = this.#languageOf(path);
    if (language === undefined) return;
    try {
      const stamp = await this.#ports.files.stat(path);
      const known = this.#table.stampOf(path);
      if (stamp === undefined || isSame(stamp, known)) return;
      if (stamp.size > SIZE_LIMIT) {
        this.#put(path, stamp, [], "too-large");
        return;
      }
      const file = await this.#ports.files.read(path, stamp);
      if (file === undefined || this.#mended?.has(path) === true) return;
      await this.#search(path, language, file.bytes, file.stamp, this.#mended ?? undefined);
    } catch (error) {
      // One file that cannot be read (rights, a broken link) must not cost the others.
      this.#ports.log.warn(`uses: ${path} could not be read: ${String(error)}`);
      this.#put(path, { size: -1, modified: -1 }, [], "unreadable");
    }
  }

  /** Finds the uses in the bytes. `newer`: paths whose text was taken from elsewhere meanwhile. */
  async #search(
    path: string,
    language: UsageLanguage,
    bytes: Uint8Array,
    stamp: FileStamp,
    newer: ReadonlySet<string> | undefined,
  ): Promise<void> {
    const parts = searchFile(bytes, language, this.#options.find);
    for (;;) {
      await this.#breathe();
      const { done, value } = parts.next();
      if (done !== true) continue;
      if (newer?.has(path) !== true) this.#put(path, stamp, value.uses, value.leftOut);
      return;
    }
  }

  #put(path: string, stamp: FileStamp, uses: readonly KeyUse[], leftOut: LeftOutReason | null): void {
    for (const id of this.#table.set(path, stamp, uses, leftOut)) this.#meanings.resolve(id);
    this.#changed = true;
  }

  /** Lets others run when this slice of work was long enough. */
  async #breathe(): Promise<void> {
    while (this.#ports.now() - this.#sliceStart >= SLICE_MILLISECONDS) {
      const before = this.#sliceStart;
      await this.#ports.yieldNow();
      if (this.#sliceStart === before) this.#sliceStart = this.#ports.now();
    }
  }

  #fire(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isSame(stamp: FileStamp, known: FileStamp | undefined): boolean {
  return known !== undefined && stamp.size === known.size && stamp.modified === known.modified;
}
