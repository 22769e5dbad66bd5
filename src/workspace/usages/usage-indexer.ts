/**
 * Keeps the tables of source files and usages as the files are: lists the project's folder, searches what changed and
 * resolves what was found. Plain Node; it works in any thread.
 */
import { setImmediate } from "node:timers/promises";
import type { Database } from "../../database/database.ts";
import { KeyNames } from "../../database/key-names.ts";
import {
  type FileUsage,
  type LeftOutReason,
  type ReferenceMeaning,
  UsageRepository,
} from "../../database/usage-repository.ts";
import type { FileStamp } from "../../model/platform.ts";
import { inSlices } from "../../model/time-slices.ts";
import type { FindOptions, KeyUsage } from "../../scanners/usage.ts";
import { Mentions, type SearchedName } from "./key-mentions.ts";
import { parseKeyReference, serializeKeyReference } from "./key-reference-text.ts";
import type { KeyResolutionOptions } from "./key-resolution.ts";
import { NO_STAMP, type SourceFile, type SourceFiles } from "./source-files.ts";
import { DEFAULT_INCLUDE, IgnoreRules, pathMatcher } from "./usage-files.ts";
import { meaningOf } from "./usage-resolution.ts";
import { searchedLanguage, searchFile } from "./usage-search.ts";

/** Which files of the project's folder are searched. */
export interface SearchScope {
  /** Globs; default: the endings of every source language. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Folders below that are projects of their own. */
  readonly otherProjects?: readonly string[];
}

export interface UsageOptions extends SearchScope {
  readonly find: FindOptions;
  readonly lookup: KeyResolutionOptions;
}

/** Texts of documents that are open and not saved, by their paths; they count instead of the files on disk. */
export type UnsavedTexts = ReadonlyMap<string, string>;

/**
 * What the indexing process does with source files. Paths are relative to the project's folder, with `/`. All reject with
 * the signal's reason; what was read until then stays.
 */
export interface UsageIndexing {
  /** Searches all files that differ from what the tables have of them. */
  update(options: UsageOptions, unsaved: UnsavedTexts, signal?: AbortSignal): Promise<void>;
  /** The same for a few files, which may be new or gone. */
  updateFiles(
    paths: readonly string[],
    options: UsageOptions,
    unsaved: UnsavedTexts,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Resolves all usages again where the names of the project's keys or the conventions changed since. */
  resolve(lookup: KeyResolutionOptions, signal?: AbortSignal): Promise<void>;
  /**
   * The first file of the scope that holds each name, by the name's position; of names that no file holds: none.
   * `except`: paths that are not searched.
   */
  findMentions(
    names: readonly SearchedName[],
    scope: SearchScope,
    except: readonly string[],
    unsaved: UnsavedTexts,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<number, string>>;
}

/** To be raised whenever other usages are found in the same text, or they mean other keys. */
const VERSION = 1;
/** After so long other work of the thread has its turn. Milliseconds. */
const SLICE_MS = 10;
/** References that are resolved in one transaction; some 10 ms. */
const REFERENCE_BATCH_SIZE = 500;
/** Rows that are written in one transaction; some 20 ms. */
const MAX_ROWS = 2_000;
const IGNORE_FILE = ".gitignore";

export class UsageIndexer implements UsageIndexing {
  readonly #database: Database;
  readonly #files: SourceFiles;
  readonly #usages: UsageRepository;
  readonly #names: KeyNames;
  /** Found, and not written yet. */
  #writes: (() => void)[] = [];
  #rows = 0;
  /** By path, the search that began last: what earlier ones found is outdated. */
  readonly #searches = new Map<string, symbol>();
  #sliceStart = 0;

  constructor(database: Database, files: SourceFiles) {
    this.#database = database;
    this.#files = files;
    this.#usages = new UsageRepository(database);
    this.#names = new KeyNames(database);
  }

  async update(options: UsageOptions, unsaved: UnsavedTexts, signal?: AbortSignal): Promise<void> {
    this.#expireOtherOptions(options.find);
    const paths = new Set<string>();
    try {
      for await (const path of this.#list(options, signal)) {
        if (searchedLanguage(path, options.find) === undefined) continue;
        paths.add(path);
        await this.#search(path, options, unsaved, this.#usages.stampOf(path));
        await this.#pause(signal);
      }
    } finally {
      this.#write();
    }
    const others = this.#usages.paths().filter((path) => !paths.has(path));
    await this.updateFiles(others, options, unsaved, signal);
    this.#database.checkpoint();
  }

  async updateFiles(
    paths: readonly string[],
    options: UsageOptions,
    unsaved: UnsavedTexts,
    signal?: AbortSignal,
  ): Promise<void> {
    const isIncluded = matcherOf(options);
    const rulesByFolder = new Map<string, IgnoreRules>();
    try {
      for (const path of paths) {
        const isSearched =
          isIncluded(path) &&
          searchedLanguage(path, options.find) !== undefined &&
          !(await this.#rulesOf(folderOf(path), options, rulesByFolder)).ignores(path);
        if (isSearched) await this.#search(path, options, unsaved, undefined);
        else this.#forget(path);
        await this.#pause(signal);
      }
    } finally {
      this.#write();
    }
    await this.resolve(options.lookup, signal);
  }

  async resolve(lookup: KeyResolutionOptions, signal?: AbortSignal): Promise<void> {
    const conventions = { ...lookup, frameworks: [...lookup.frameworks].sort() };
    for (;;) {
      const fingerprint = JSON.stringify([VERSION, conventions, this.#usages.keyNamesFingerprint()]);
      if (fingerprint === this.#usages.fingerprint("resolution")) return;
      let last = 0;
      for (;;) {
        const references = this.#usages.referencesAfter(last, REFERENCE_BATCH_SIZE);
        if (references.length === 0) break;
        this.#usages.transaction(() => {
          for (const reference of references) {
            this.#usages.setMeaning(reference, this.#meaningOf(reference.reference, lookup));
            last = reference.id;
          }
        });
        await this.#pause(signal);
      }
      // The names may have changed since, which the next round finds.
      this.#usages.setFingerprint("resolution", fingerprint);
    }
  }

  async findMentions(
    names: readonly SearchedName[],
    scope: SearchScope,
    except: readonly string[],
    unsaved: UnsavedTexts,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<number, string>> {
    const mentions = new Mentions<number>();
    for (const [index, name] of names.entries()) mentions.add(name, index);
    const excepted = new Set(except);
    for await (const path of this.#list(scope, signal)) {
      if (excepted.has(path)) continue;
      const text = unsaved.get(path) ?? textOf(await this.#files.read(path));
      if (text !== undefined) mentions.search(path, text);
      await this.#pause(signal);
    }
    const found = new Map<number, string>();
    for (const index of names.keys()) {
      const path = mentions.pathOf(index);
      if (path !== undefined) found.set(index, path);
    }
    return found;
  }

  /** Files that were searched with other options count as changed. */
  #expireOtherOptions({ frameworks, functions, domains = new Set(), nsMode }: FindOptions): void {
    const sets = [frameworks, domains].map((set) => [...set].sort());
    const fingerprint = JSON.stringify([VERSION, sets, functions, nsMode ?? null]);
    if (fingerprint === this.#usages.fingerprint("scanner")) return;
    this.#usages.transaction(() => {
      this.#usages.expireFiles();
      this.#usages.setFingerprint("scanner", fingerprint);
    });
  }

  /** The paths of the scope. Folders that are ignored are not entered. */
  async *#list(scope: SearchScope, signal: AbortSignal | undefined): AsyncGenerator<string> {
    const isIncluded = matcherOf(scope);
    const open = [{ folder: "", rules: IgnoreRules.of(scope.exclude ?? []) }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      await this.#pause(signal);
      const { folder } = next;
      const { files, folders } = await this.#files.list(folder);
      const rules = files.includes(IGNORE_FILE) ? await this.#withIgnoreFile(next.rules, folder) : next.rules;
      for (const name of files) {
        const path = pathIn(folder, name);
        if (isIncluded(path) && !rules.ignores(path)) yield path;
      }
      for (const name of folders) {
        const path = pathIn(folder, name);
        if (scope.otherProjects?.includes(path) !== true && !rules.ignores(`${path}/`)) {
          open.push({ folder: path, rules });
        }
      }
    }
  }

  /** The rules for files in the folder. `known`: those of folders that were asked for before. */
  async #rulesOf(folder: string, scope: SearchScope, known: Map<string, IgnoreRules>): Promise<IgnoreRules> {
    let rules = known.get(folder);
    if (rules === undefined) {
      const outer =
        folder === ""
          ? IgnoreRules.of(scope.exclude ?? [])
          : await this.#rulesOf(folderOf(folder), scope, known);
      known.set(folder, (rules = await this.#withIgnoreFile(outer, folder)));
    }
    return rules;
  }

  async #withIgnoreFile(rules: IgnoreRules, folder: string): Promise<IgnoreRules> {
    const text = textOf(await this.#files.read(pathIn(folder, IGNORE_FILE)));
    return text === undefined ? rules : rules.with({ folder, text });
  }

  /** `known`: the stamp of what the tables have; `undefined`: it is searched in any case. */
  async #search(
    path: string,
    { find, lookup }: UsageOptions,
    unsaved: UnsavedTexts,
    known: FileStamp | undefined,
  ): Promise<void> {
    const search = Symbol(path);
    this.#searches.set(path, search);
    const text = unsaved.get(path);
    const file: SourceFile =
      text === undefined
        ? await this.#files.read(path, known)
        : { kind: "read", stamp: NO_STAMP, bytes: new TextEncoder().encode(text) };
    const put = (stamp: FileStamp, leftOut: LeftOutReason | null, usages: readonly FileUsage[]): void =>
      this.#put(
        path,
        search,
        () =>
          this.#usages.putFile(path, stamp, leftOut, usages, (reference) =>
            this.#meaningOf(reference, lookup),
          ),
        usages.length + 1,
      );
    switch (file.kind) {
      case "same":
        break;
      case "missing":
        this.#forget(path);
        break;
      case "unreadable":
        put(NO_STAMP, "unreadable", []);
        break;
      case "too-large":
        put(file.stamp, "too-large", []);
        break;
      case "read": {
        const language = searchedLanguage(path, find);
        if (language === undefined) break;
        const { uses, leftOut } = await inSlices(searchFile(file.bytes, language, find), () => this.#pause());
        put(file.stamp, leftOut, uses.filter(isOfKey).map(fileUsage));
      }
    }
  }

  #forget(path: string): void {
    const search = Symbol(path);
    this.#searches.set(path, search);
    this.#put(path, search, () => this.#usages.deleteFile(path));
  }

  #put(path: string, search: symbol, write: () => void, rows = 1): void {
    if (this.#rows >= MAX_ROWS) this.#write();
    this.#rows += rows;
    this.#writes.push(() => {
      if (this.#searches.get(path) !== search) return;
      this.#searches.delete(path);
      write();
    });
  }

  /** Writes what was found, in one transaction. */
  #write(): void {
    const writes = this.#writes;
    if (writes.length === 0) return;
    this.#writes = [];
    this.#rows = 0;
    this.#usages.transaction(() => {
      for (const write of writes) write();
    });
  }

  #meaningOf(reference: string, lookup: KeyResolutionOptions): ReferenceMeaning {
    return meaningOf(parseKeyReference(reference), this.#names, lookup);
  }

  /** Lets other work run, where this slice took long enough. */
  async #pause(signal?: AbortSignal): Promise<void> {
    if (performance.now() - this.#sliceStart < SLICE_MS) return;
    await setImmediate();
    this.#sliceStart = performance.now();
    signal?.throwIfAborted();
  }
}

/** Empty keys are no usages. */
function isOfKey({ used }: KeyUsage): boolean {
  return used.kind !== "static" || used.key !== "";
}

function fileUsage(usage: KeyUsage): FileUsage {
  const isDynamic = usage.used.kind === "pattern" || usage.namespaces === "unknown";
  return { reference: serializeKeyReference(usage), isDynamic, span: usage.keySpan };
}

function matcherOf({
  include = DEFAULT_INCLUDE,
  otherProjects = [],
}: SearchScope): (path: string) => boolean {
  const isIncluded = pathMatcher(include);
  return (path) => isIncluded(path) && !otherProjects.some((folder) => path.startsWith(`${folder}/`));
}

function textOf(file: SourceFile): string | undefined {
  return file.kind === "read" ? new TextDecoder().decode(file.bytes) : undefined;
}

function pathIn(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
