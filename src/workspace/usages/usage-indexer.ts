/**
 * Keeps the tables of source files and usages up to date: lists the project's folder, scans changed files and
 * resolves the usages. Plain Node; runs in any thread.
 */
import type { ProjectFile } from "../project-file/project-file.ts";
import { join } from "node:path/posix";
import type { Database } from "../../database/database.ts";
import { KeyNames } from "../../database/key-name-repository.ts";
import {
  type LearnedFunction,
  type LiteralCalls,
  type ReferenceResolution,
  UsageRepository,
} from "../../database/key-usage-repository.ts";
import { sha1 } from "../../model/key-hash.ts";
import type { FindOptions } from "../../scanners/key-usage.ts";
import { getOrCreate } from "../../util/maps.ts";
import { runInSlices, yieldNow } from "../../util/event-loop.ts";
import { FileWordRepository } from "../../database/file-word-repository.ts";
import type { FrameworkName } from "../../frameworks/supported-frameworks.ts";
import { type CallChoice, chosenReferences } from "./call-choices.ts";
import { findEvidence, type KeyEvidence } from "./find-evidence.ts";
import { KeyOccurrences, type SearchedName } from "./find-key-names-in-text.ts";
import { LiteralCallCounts, nameOf, takesOthers, withLearned } from "./learned-functions.ts";
import { findNamedKey, type KeyReference, type KeyResolutionOptions } from "./resolve-usage-to-key.ts";
import {
  DEFAULT_INCLUDE,
  IgnoreRules,
  NO_STAMP,
  type SourceFile,
  type SourceFiles,
} from "./list-source-files.ts";
import { pathMatcher } from "../file-system/globs.ts";
import { usageLanguages } from "../../scanners/supported-source-languages.ts";
import { moduleOf } from "./imported-modules.ts";
import { resolveStoredReference } from "./stored-key-references.ts";
import { fileWords, packageTexts, WordUpdate } from "./stored-words.ts";
import { type FileToScan, languageToScan, scanFiles, type ScanFiles } from "./scan-source-files.ts";

/** Which files of the project's folder are scanned. */
export interface ScanScope {
  /** Globs; default: the extensions of every source language. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Folders that belong to other projects. */
  readonly otherProjects?: readonly string[];
  /** Folders outside of the project's, whose code belongs to it. */
  readonly codeFolders?: readonly string[];
}

export interface UsageOptions extends ScanScope {
  /** Without learned functions, which the indexer adds. */
  readonly find: FindOptions;
  readonly lookup: KeyResolutionOptions;
  /** Patterns of functions that are never learned. */
  readonly ignoredFunctions?: readonly string[];
}

/** Returns the options of a project. `excluded`: patterns of what is no file of the project. */
export function usageOptionsOf(
  { usage = {} }: ProjectFile,
  excluded: readonly string[],
  options: Pick<UsageOptions, "find" | "lookup" | "otherProjects" | "codeFolders">,
): UsageOptions {
  const { include, exclude = [], ignoredFunctions } = usage;
  return {
    ...options,
    exclude: [...excluded, ...exclude],
    ...(include === undefined ? {} : { include }),
    ...(ignoredFunctions === undefined ? {} : { ignoredFunctions }),
  };
}

/** Texts of open documents with unsaved changes, by path; they replace the files on disk. */
export type UnsavedTexts = ReadonlyMap<string, string>;

/** The functions of the indexer, which may run in another process. */
export type UsageIndexing = Pick<UsageIndexer, keyof UsageIndexer>;

/** Increase whenever the same text yields other usages, or they resolve differently. */
const VERSION = 16;
/** Longest time between yields to the event loop. */
const SLICE_MS = 10;
/** References resolved per transaction; about 10 ms. */
const REFERENCE_BATCH_SIZE = 500;
/** Rows written per transaction; about 20 ms. */
const MAX_ROWS = 2_000;
/** Files per message to the thread that scans them. */
const FILE_BATCH_SIZE = 200;
const IGNORE_FILE = ".gitignore";
const SOURCE_EXTENSIONS = usageLanguages.flatMap(({ extensions }) => extensions);

/**
 * Paths are relative to the project's folder, with `/`. All methods reject with the signal's reason when aborted; what
 * was read until then is kept. Those that write must not run at the same time.
 */
export class UsageIndexer {
  readonly #database: Database;
  readonly #files: SourceFiles;
  readonly #scanFiles: ScanFiles;
  readonly #usages: UsageRepository;
  readonly #names: KeyNames;
  /** Pending writes. */
  #writes: (() => void)[] = [];
  #rows = 0;
  /** The functions for which files are being scanned again; else those in the database apply. */
  #newlyLearned: readonly LearnedFunction[] | undefined;
  #sliceStart = 0;

  /** @param scanFiles scans in another thread; default: in this one */
  constructor(database: Database, files: SourceFiles, scanFiles?: ScanFiles) {
    this.#database = database;
    this.#files = files;
    this.#scanFiles = scanFiles ?? this.#scanHere;
    this.#usages = new UsageRepository(database);
    this.#names = new KeyNames(database);
  }

  /** Scans all files that have changed. */
  async update(options: UsageOptions, unsaved: UnsavedTexts, signal?: AbortSignal): Promise<void> {
    this.#expireIfOptionsChanged(options.find);
    // First, since the usages found below are resolved when they are stored.
    await this.resolve(options.lookup, signal);
    const { paths, changed } = await this.#scanAll(options, unsaved, signal);
    const others = [...this.#usages.paths()].filter((path) => !paths.has(path));
    const dependents = this.#dependentsOf(new Set([...changed, ...others]));
    await this.updateFiles([...others, ...dependents], options, unsaved, signal);
    this.#database.checkpoint();
  }

  /**
   * Scans all files that have changed. Returns the paths of all and of those that were scanned.
   * @param names Unchanged files that contain one of these names are scanned too.
   */
  async #scanAll(
    options: UsageOptions,
    unsaved: UnsavedTexts,
    signal: AbortSignal | undefined,
    names?: readonly string[],
  ): Promise<{ readonly paths: ReadonlySet<string>; readonly changed: ReadonlySet<string> }> {
    const stamps = this.#usages.fileStamps();
    const paths = new Set<string>();
    const linksOut: string[] = [];
    const changed = new Set<string>();
    let batch: FileToScan[] = [];
    let writeResults = (): Promise<void> => Promise.resolve();
    // While one batch is scanned, the results of the one before are written.
    const scanBatch = async (): Promise<void> => {
      const writePrevious = writeResults;
      writeResults = this.#startScan(batch, options, this.#scanFiles, signal, changed);
      batch = [];
      await writePrevious();
    };
    try {
      for await (const path of this.#list(options, signal, linksOut)) {
        if (languageToScan(path, options.find) === undefined) continue;
        paths.add(path);
        const file = { path, text: unsaved.get(path), known: stamps.get(path) };
        batch.push(names === undefined ? file : { ...file, names });
        if (batch.length === FILE_BATCH_SIZE) await scanBatch();
      }
      await scanBatch();
      await writeResults();
      for (const path of linksOut) {
        paths.add(path);
        this.#enqueueWrite(() =>
          this.#usages.putFile(path, NO_STAMP, "outside", [], [], () => ({ kind: "unknown", names: [] })),
        );
      }
    } finally {
      this.#flush();
    }
    return { paths, changed };
  }

  /** Returns the files that depend on values of changed ones, or on a configuration that has changed, beside those. */
  #dependentsOf(changed: ReadonlySet<string>): readonly string[] {
    const modules = new Set(Array.from(changed, moduleOf));
    const found = new Set<string>();
    const configurations: string[] = [];
    for (const [module, dependents] of this.#usages.dependencies()) {
      if (module.endsWith(".json")) configurations.push(module);
      if (modules.has(module)) for (const path of dependents) found.add(path);
    }
    const texts = configurations.sort().map((path) => [path, decodedText(this.#files.read(path)) ?? null]);
    const fingerprint = sha1(JSON.stringify(texts));
    if (fingerprint !== this.#usages.fingerprint("configurations")) {
      for (const path of configurations)
        for (const dependent of this.#usages.dependentsOf(path)) found.add(dependent);
      this.#usages.setFingerprint("configurations", fingerprint);
    }
    return [...found].filter((path) => !changed.has(path));
  }

  /** Scans some files, which may be new or deleted, and those that depend on them. */
  async updateFiles(
    paths: readonly string[],
    options: UsageOptions,
    unsaved: UnsavedTexts,
    signal?: AbortSignal,
  ): Promise<void> {
    const isIncluded = matcherOf(options);
    const rulesByFolder = new Map<string, IgnoreRules>();
    const all = new Set(paths);
    for (const path of paths)
      for (const dependent of this.#usages.dependentsOf(moduleOf(path))) all.add(dependent);
    try {
      for (const path of all) {
        const isScanned =
          isIncluded(path) &&
          languageToScan(path, options.find) !== undefined &&
          !(await this.#rulesOf(folderOf(path), options, rulesByFolder)).ignores(path);
        const scan = isScanned ? this.#scanHere : treatAsMissing;
        const file = { path, text: unsaved.get(path), known: undefined };
        await this.#startScan([file], options, scan, signal)();
      }
    } finally {
      this.#flush();
    }
    await this.resolve(options.lookup, signal);
    await this.learn(options, unsaved, signal);
  }

  /**
   * Recognises the project's own translation functions by their calls, and scans the files that may call those that were
   * learned or forgotten.
   */
  async learn(options: UsageOptions, unsaved: UnsavedTexts, signal?: AbortSignal): Promise<void> {
    const { find, lookup, ignoredFunctions = [] } = options;
    const fingerprint = JSON.stringify([
      VERSION,
      conventionsOf(lookup),
      find.functions,
      ignoredFunctions,
      this.#usages.keyNamesFingerprint(),
      this.#usages.literalCallsFingerprint(),
    ]);
    if (fingerprint === this.#usages.fingerprint("learning")) return;
    const before = this.#usages.learnedFunctions();
    const learned = await this.#translationFunctions(options, signal);
    const names = [...new Set([...difference(before, learned), ...difference(learned, before)])];
    if (names.length > 0) {
      this.#newlyLearned = learned;
      try {
        await this.#scanAll(options, unsaved, signal, names);
      } finally {
        this.#newlyLearned = undefined;
      }
    }
    this.#usages.transaction(() => {
      this.#usages.setLearnedFunctions(learned);
      this.#usages.setFingerprint("learning", fingerprint);
    });
  }

  /** Counts all calls with literals. */
  async #translationFunctions(
    { find, lookup, ignoredFunctions = [] }: UsageOptions,
    signal: AbortSignal | undefined,
  ): Promise<readonly LearnedFunction[]> {
    const counts = new LiteralCallCounts();
    for (let last = 0; ;) {
      const rows = this.#usages.literalCallsAfter(last, FILE_BATCH_SIZE);
      if (rows.length === 0) break;
      for (const { id, calls } of rows) {
        counts.add(JSON.parse(calls) as readonly LiteralCalls[]);
        last = id;
      }
      await this.#pause(signal);
    }
    const keys = new Map<string, string | null>();
    const keyOf = (literal: string): string | null =>
      getOrCreate(keys, literal, () => this.#keyOf(literal, lookup));
    const size = this.#usages.countKeys();
    const search = counts.translationFunctions(keyOf, size, find.functions, ignoredFunctions);
    return runInSlices(search, () => this.#pause(signal));
  }

  /** Returns the hash of the key that a literal names, as the argument of a translation function. */
  #keyOf(key: string, lookup: KeyResolutionOptions): string | null {
    const exact: KeyReference = {
      expression: { kind: "static", key },
      namespaces: null,
      keyPrefix: "",
      context: null,
    };
    const found =
      findNamedKey(exact, this.#names, lookup) ??
      findNamedKey({ ...exact, openOptions: true }, this.#names, lookup);
    return found?.key.hash ?? null;
  }

  /** Adds the learned functions. */
  #withLearned(find: FindOptions): FindOptions {
    const learned = this.#newlyLearned ?? this.#usages.learnedFunctions();
    return learned.length === 0 ? find : { ...find, functions: withLearned(find.functions, learned) };
  }

  /** Resolves all usages again if key names or conventions have changed. */
  async resolve(lookup: KeyResolutionOptions, signal?: AbortSignal): Promise<void> {
    const conventions = conventionsOf(lookup);
    for (;;) {
      const fingerprint = JSON.stringify([VERSION, conventions, this.#usages.keyNamesFingerprint()]);
      if (fingerprint === this.#usages.fingerprint("resolution")) return;
      let last = 0;
      for (;;) {
        const references = this.#usages.referencesAfter(last, REFERENCE_BATCH_SIZE);
        if (references.length === 0) break;
        this.#usages.transaction(() => {
          for (const reference of references) {
            this.#usages.setResolution(
              reference,
              resolveStoredReference(reference.reference, this.#names, lookup),
            );
            last = reference.id;
          }
        });
        await this.#pause(signal);
      }
      // Names that changed in the meantime are found in the next round.
      this.#usages.setFingerprint("resolution", fingerprint);
    }
  }

  /**
   * Returns the first file in the scope that contains each name, by the index of the name; names without one are
   * omitted. Stores the words of the files that have changed.
   * @param except paths that are not searched
   * @param frameworks those of the project
   */
  async findOccurrences(
    names: readonly SearchedName[],
    scope: ScanScope,
    except: readonly string[],
    frameworks: ReadonlySet<FrameworkName>,
    unsaved: UnsavedTexts,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<number, string>> {
    const occurrences = new KeyOccurrences<number>();
    for (const [index, name] of names.entries()) occurrences.add(name, index);
    const excluded = new Set(except);
    const words = new WordUpdate(new FileWordRepository(this.#database), frameworks);
    for await (const path of this.#list(scope, signal)) {
      if (excluded.has(path)) continue;
      const isUnsaved = unsaved.has(path);
      const file = isUnsaved ? undefined : this.#files.read(path);
      const text = unsaved.get(path) ?? (file && decodedText(file));
      if (text !== undefined) {
        occurrences.search(path, text);
        words.update(path, text, file?.kind === "read" ? file.stamp : NO_STAMP);
      }
      await this.#pause(signal);
    }
    words.finish();
    return occurrences.paths();
  }

  /**
   * Returns the evidence for keys that the code may build, by hash, from the words that `findOccurrences` has stored.
   */
  async findEvidence(
    lookup: KeyResolutionOptions,
    choices: readonly CallChoice[],
    unsaved: UnsavedTexts,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, KeyEvidence>> {
    const textOf = (path: string): string | undefined =>
      unsaved.get(path) ?? decodedText(this.#files.read(path));
    const search = findEvidence({
      usages: this.#usages,
      names: this.#names,
      lookup,
      words: fileWords(new FileWordRepository(this.#database)),
      choices: chosenReferences(choices, this.#usages, textOf),
      packages: await packageTexts(this.#files, lookup.frameworks),
    });
    return runInSlices(search, () => this.#pause(signal));
  }

  /** Files scanned with other options count as changed. */
  #expireIfOptionsChanged(find: FindOptions): void {
    const { frameworks, functions, domains = new Set(), nsMode, macros, keySeparator } = find;
    const sets = [frameworks, domains].map((set) => [...set].sort());
    const fingerprint = JSON.stringify([
      VERSION,
      sets,
      functions,
      nsMode ?? null,
      macros ?? null,
      keySeparator ?? null,
    ]);
    if (fingerprint === this.#usages.fingerprint("scanner")) return;
    this.#usages.transaction(() => {
      this.#usages.expireFiles();
      this.#usages.setFingerprint("scanner", fingerprint);
    });
  }

  /**
   * Yields the paths in the scope. Ignored folders are not entered.
   * @param linksOut receives the links to folders outside of the project's that may contain such files
   */
  async *#list(
    scope: ScanScope,
    signal: AbortSignal | undefined,
    linksOut: string[] = [],
  ): AsyncGenerator<string> {
    const isIncluded = matcherOf(scope);
    const rulesByFolder = new Map<string, IgnoreRules>();
    const pending = ["", ...(scope.codeFolders ?? [])];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      await this.#pause(signal);
      const { files, folders, linksOut: links } = await this.#files.list(folder);
      const rules = await this.#rulesOf(folder, scope, rulesByFolder, files.includes(IGNORE_FILE));
      for (const name of files) {
        const path = join(folder, name);
        if (isIncluded(path) && !rules.ignores(path)) yield path;
      }
      for (const name of links) {
        const path = join(folder, name);
        const mayHaveFiles = SOURCE_EXTENSIONS.some((extension) =>
          isIncluded(join(path, `file${extension}`)),
        );
        if (mayHaveFiles && !rules.ignores(`${path}/`)) linksOut.push(path);
      }
      for (const name of folders) {
        const path = join(folder, name);
        if (scope.otherProjects?.includes(path) !== true && !rules.ignores(`${path}/`)) pending.push(path);
      }
    }
  }

  /**
   * Returns the ignore rules of a folder.
   * @param cache those of visited folders
   * @param mayHaveFile `false`: the folder certainly has no ignore file
   */
  async #rulesOf(
    folder: string,
    scope: ScanScope,
    cache: Map<string, IgnoreRules>,
    mayHaveFile = true,
  ): Promise<IgnoreRules> {
    const cached = cache.get(folder);
    if (cached !== undefined) return cached;
    const inherited =
      folder === ""
        ? IgnoreRules.of(scope.exclude ?? [])
        : await this.#rulesOf(folderOf(folder), scope, cache);
    // As in git, an ignored folder cannot include its own files again.
    const isRead = mayHaveFile && (folder === "" || !inherited.ignores(`${folder}/`));
    const text = isRead ? decodedText(this.#files.read(join(folder, IGNORE_FILE))) : undefined;
    const rules = text === undefined ? inherited : inherited.with({ folder, text });
    cache.set(folder, rules);
    return rules;
  }

  /** Scans files in this thread. */
  readonly #scanHere: ScanFiles = (filesToScan, find) =>
    scanFiles(this.#files, filesToScan, find, () => this.#pause());

  /**
   * Starts to scan files. The returned function waits for it and writes the results.
   * @param changed gets the paths of those that have changed
   */
  #startScan(
    filesToScan: readonly FileToScan[],
    { find, lookup }: UsageOptions,
    scanFiles: ScanFiles,
    signal: AbortSignal | undefined,
    changed?: Set<string>,
  ): () => Promise<void> {
    const scanning = scanFiles(filesToScan, this.#withLearned(find));
    // Handled by the returned function, unless an earlier error has ended the update.
    scanning.catch(() => undefined);
    const resolve = (reference: string): ReferenceResolution =>
      resolveStoredReference(reference, this.#names, lookup);
    return async () => {
      const contents = await scanning;
      for (const [index, { path }] of filesToScan.entries()) {
        await this.#pause(signal);
        const content = contents[index];
        if (content === undefined || content.kind === "same") continue;
        changed?.add(path);
        if (content.kind === "missing") {
          this.#enqueueWrite(() => this.#usages.deleteFile(path));
          continue;
        }
        const { stamp, skipReason, usages, calls, imports } = content;
        const stored = {
          values: imports.values.length === 0 ? null : JSON.stringify(imports.values),
          dependencies: imports.dependencies,
        };
        const write = (): void =>
          this.#usages.putFile(path, stamp, skipReason, usages, calls, resolve, stored);
        this.#enqueueWrite(write, usages.length + 1);
      }
    };
  }

  #enqueueWrite(write: () => void, rows = 1): void {
    if (this.#rows >= MAX_ROWS) this.#flush();
    this.#rows += rows;
    this.#writes.push(write);
  }

  /** Writes all pending results in one transaction. */
  #flush(): void {
    const writes = this.#writes;
    if (writes.length === 0) return;
    this.#writes = [];
    this.#rows = 0;
    this.#usages.transaction(() => {
      for (const write of writes) write();
    });
  }

  /** Yields to the event loop if this slice took long enough. */
  async #pause(signal?: AbortSignal): Promise<void> {
    if (performance.now() - this.#sliceStart < SLICE_MS) return;
    await yieldNow();
    this.#sliceStart = performance.now();
    signal?.throwIfAborted();
  }
}

/** The conventions as JSON data. */
function conventionsOf(lookup: KeyResolutionOptions): object {
  return { ...lookup, frameworks: [...lookup.frameworks].sort() };
}

/** Returns the names of the functions that the others do not include. */
function difference(
  functions: readonly LearnedFunction[],
  others: readonly LearnedFunction[],
): readonly string[] {
  return functions.filter((each) => !others.some((other) => isSameFunction(each, other))).map(nameOf);
}

/** Whether calls of both are found in the same way. */
function isSameFunction(a: LearnedFunction, b: LearnedFunction): boolean {
  const isSameShape = a.name === b.name && a.key === b.key && a.prefix === b.prefix;
  return isSameShape && takesOthers(a) === takesOthers(b);
}

function matcherOf({
  include = DEFAULT_INCLUDE,
  otherProjects = [],
  codeFolders = [],
}: ScanScope): (path: string) => boolean {
  const isIncluded = pathMatcher(include);
  const isBelow = (path: string) => (folder: string) => path.startsWith(`${folder}/`);
  return (path) =>
    isIncluded(path) &&
    !otherProjects.some(isBelow(path)) &&
    (!path.startsWith("../") || codeFolders.some(isBelow(path)));
}

function decodedText(file: SourceFile): string | undefined {
  return file.kind === "read" ? new TextDecoder().decode(file.bytes) : undefined;
}

const treatAsMissing: ScanFiles = (files) => Promise.resolve(files.map(() => ({ kind: "missing" })));

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
