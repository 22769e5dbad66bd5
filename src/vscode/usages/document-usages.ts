/**
 * Key usages in open documents and the keys they refer to. Usages are cached per document version, so that providers that
 * run while the user types are fast. Usages in all other files are in the usage index.
 */
import { posix } from "node:path";
import * as vscode from "vscode";
import { MANIFEST_WATCH_GLOB } from "../../workspace/project-detection/detect-frameworks.ts";
import {
  OPTION_WATCH_GLOBS,
  optionFileGlobs,
} from "../../workspace/project-detection/read-framework-options.ts";
import {
  type DetectedConventions,
  NOTHING_DETECTED,
  scanAndLookupOptions,
} from "../../workspace/project-detection/scan-and-lookup-options.ts";
import {
  resolveKey,
  withNamespaces,
  type KeyResolution,
  type KeyReference,
  type KeyResolutionOptions,
} from "../../workspace/usages/resolve-usage-to-key.ts";
import { spellKeys } from "../../workspace/project-detection/key-spelling.ts";
import {
  nearestAmongProjects,
  type ProjectsToResolveIn,
  resolveAmongProjects,
} from "../../workspace/usages/resolve-among-projects.ts";
import { importsOf } from "../../workspace/usages/imported-modules.ts";
import { withLearned } from "../../workspace/usages/learned-functions.ts";
import { type LearnedFunction, UsageRepository } from "../../database/key-usage-repository.ts";
import { NO_NAMESPACE } from "../../model/key-hash.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { Log } from "../../model/platform.ts";
import { usageLanguageFor, usageLanguages } from "../../scanners/supported-source-languages.ts";
import type { FindOptions, KeyUsage, LocalMessages, UsageLanguage } from "../../scanners/key-usage.ts";
import { fingerprintOf } from "../../util/fingerprint.ts";
import { detectConventions } from "../../workspace/project-detection/detect-conventions.ts";
import type { OpenProject } from "../projects/open-project.ts";
import type { Projects } from "../projects/project-registry.ts";
import { watchFiles } from "../files/watch-files.ts";

const LANGUAGE_IDS: readonly string[] = [
  ...new Set(usageLanguages.flatMap(({ languageIds }) => languageIds)),
];
const ENDINGS: readonly string[] = [...new Set(usageLanguages.flatMap(({ extensions }) => extensions))];
const FILE_NAMES: readonly string[] = usageLanguages.flatMap(({ fileNames }) => fileNames ?? []);

/**
 * Selects the documents that are searched for key usages: by language id, and by file name where no installed extension
 * contributes the language.
 */
export const CODE_DOCUMENTS: vscode.DocumentSelector = [
  ...LANGUAGE_IDS,
  { pattern: `**/*.{${ENDINGS.map((ending) => ending.slice(1)).join(",")}}` },
  { pattern: `**/{${FILE_NAMES.join(",")}}` },
];

/** The language ids and extensions for `when` clauses: `editorLangId in …` and `resourceExtname in …`. */
export const CODE_NAMES: readonly string[] = [...LANGUAGE_IDS, ...ENDINGS];

/** A key usage in a document, and the project of the document. */
export interface DocumentUsage {
  readonly open: OpenProject;
  readonly use: KeyUsage;
}

/** The scan and lookup options of one project. */
interface ProjectOptions {
  /** Without learned functions. */
  configured: FindOptions;
  learned: readonly LearnedFunction[];
  find: FindOptions;
  lookup: KeyResolutionOptions;
  functions: unknown;
  detected: Promise<void>;
}

interface CachedUsages {
  readonly version: number;
  readonly options: FindOptions;
  /** Values of other files, as they are indexed. */
  readonly imports: string | null;
  readonly uses: readonly KeyUsage[];
}

interface CachedLocalMessages {
  readonly version: number;
  readonly options: FindOptions;
  readonly messages: LocalMessages;
}

const NO_MESSAGES: LocalMessages = { messages: [], usages: [], files: [] };

export class DocumentUsages implements vscode.Disposable {
  readonly #projects: Projects;
  readonly #storage: vscode.Memento;
  readonly #log: Log;
  readonly #known = new WeakMap<OpenProject, ProjectOptions>();
  readonly #read = new WeakMap<vscode.TextDocument, CachedUsages>();
  readonly #local = new WeakMap<vscode.TextDocument, CachedLocalMessages>();
  readonly #changed = new vscode.EventEmitter<OpenProject>();
  readonly #disposables: vscode.Disposable[] = [this.#changed];

  /** Fires when usages in documents may be found or resolved differently. */
  readonly onDidChange: vscode.Event<OpenProject> = this.#changed.event;

  /** @param storage stores what was detected, to be used until it is detected again */
  constructor(projects: Projects, storage: vscode.Memento, log: Log) {
    this.#projects = projects;
    this.#storage = storage;
    this.#log = log;
    const manifestChanged = (uri: vscode.Uri): void => {
      if (uri.path.includes("/node_modules/")) return;
      const folder = `${posix.dirname(uri.path)}/`;
      const below = projects.all.filter(({ root }) => root.path.startsWith(folder));
      for (const open of new Set([projects.of(uri) ?? [], below].flat())) this.#detect(open);
    };
    for (const glob of OPTION_WATCH_GLOBS) {
      const watcher = vscode.workspace.createFileSystemWatcher(glob, true, false, true);
      this.#disposables.push(
        watcher,
        watcher.onDidChange((uri) => {
          const open = projects.of(uri);
          if (open !== undefined && optionFileGlobs(this.#of(open).find.frameworks).length > 0)
            manifestChanged(uri);
        }),
      );
    }
    this.#disposables.push(
      watchFiles(MANIFEST_WATCH_GLOB, manifestChanged),
      projects.onDidChange(() => this.#detectAll()),
    );
    this.#detectAll();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Returns all usages in the document by offset; none for an unsupported language. */
  usagesIn(document: vscode.TextDocument): readonly KeyUsage[] {
    const open = this.#projects.of(document.uri);
    if (open === undefined) return [];
    const options = this.#of(open).find;
    const language = usageLanguageOf(document, options);
    if (language === undefined) return [];
    const path = open.codePath(document.uri);
    const imports = path === null ? null : new UsageRepository(open.connection.database).importsOf(path);
    const before = this.#read.get(document);
    if (before?.version === document.version && before.options === options && before.imports === imports)
      return before.uses;
    const find = () => language.find(document.getText(), options, importsOf(imports));
    const uses = this.#scan(document, find) ?? [];
    this.#read.set(document, { version: document.version, options, imports, uses });
    return uses;
  }

  /** Returns the messages that the document defines for itself; `undefined` where its language has none. */
  localMessagesIn(document: vscode.TextDocument): LocalMessages | undefined {
    const open = this.#projects.of(document.uri);
    if (open === undefined) return undefined;
    const options = this.#of(open).find;
    const language = usageLanguageOf(document, options);
    if (language?.findLocal === undefined) return undefined;
    const before = this.#local.get(document);
    if (before?.version === document.version && before.options === options) return before.messages;
    const findLocal = () => language.findLocal?.(document.getText(), options);
    const messages = this.#scan(document, findLocal) ?? NO_MESSAGES;
    this.#local.set(document, { version: document.version, options, messages });
    return messages;
  }

  /** Returns what a scanner finds; `undefined` if it fails: nothing is shown in this document then. */
  #scan<Found>(document: vscode.TextDocument, find: () => Found): Found | undefined {
    try {
      return find();
    } catch (error) {
      this.#log.warn(`${document.uri.toString()} could not be searched: ${String(error)}`);
      return undefined;
    }
  }

  /** Returns the innermost usage whose key, including its quotes, is at the position. */
  usageAt(document: vscode.TextDocument, position: vscode.Position): DocumentUsage | undefined {
    const open = this.#projects.of(document.uri);
    if (open === undefined) return undefined;
    const offset = document.offsetAt(position);
    let found: KeyUsage | undefined;
    for (const use of this.usagesIn(document)) {
      if (use.callSpan.start > offset && use.keySpan.start - 1 > offset) break;
      if (use.keySpan.start - 1 <= offset && offset <= use.keySpan.end + 1) found = use;
    }
    return found && { open, use: found };
  }

  /** Returns the usages with the same key range, such as the values of a constant or the branches of a template. */
  usagesWith(document: vscode.TextDocument, { keySpan }: KeyUsage): readonly KeyUsage[] {
    return this.usagesIn(document).filter(
      (use) => use.keySpan.start === keySpan.start && use.keySpan.end === keySpan.end,
    );
  }

  /** Resolves the usage to a key of the project. `options`: for whoever resolves many. */
  resolveKey(open: OpenProject, use: KeyUsage, options = this.lookupOptions(open)): KeyResolution {
    return resolveKey(use, open.keyNames, options);
  }

  /** Returns the projects of the window, to resolve usages in. */
  projects(): ProjectsToResolveIn<OpenProject> {
    return { all: this.#projects.all, lookupOf: (each) => this.lookupOptions(each) };
  }

  /**
   * Like `resolveKey`, for code of the project, in all projects of the window, as `resolveAmongProjects`. Returns the project
   * that the key belongs to.
   */
  resolveInWindow(
    open: OpenProject,
    use: KeyReference,
    options = this.lookupOptions(open),
  ): { readonly open: OpenProject; readonly resolution: KeyResolution } {
    return resolveAmongProjects(use, open, { ...this.projects(), options });
  }

  /**
   * Returns the spellings of known keys that are nearest to the unknown one of a usage, as `nearestAmongProjects`.
   * @param options those of `open`
   */
  nearestInWindow(
    open: OpenProject,
    use: KeyReference,
    limit: number,
    scope: "all" | "others" = "all",
    options = this.lookupOptions(open),
  ): readonly string[] {
    return nearestAmongProjects(use, limit, open, { ...this.projects(), options }, scope);
  }

  /** Returns the other projects of the window that alone have namespaces, with these. */
  namespacesElsewhere(open: OpenProject): ReadonlyMap<OpenProject, ReadonlySet<string>> {
    const owners = new Map<string, OpenProject[]>();
    for (const each of this.#projects.all)
      for (const namespace of each.keyNames.namespaces()) getOrCreate(owners, namespace, () => []).push(each);
    const found = new Map<OpenProject, Set<string>>();
    for (const [namespace, [only, ...more]] of owners) {
      if (only === undefined || only === open || more.length > 0 || namespace === NO_NAMESPACE) continue;
      getOrCreate(found, only, () => new Set()).add(namespace);
    }
    return found;
  }

  lookupOptions(open: OpenProject): KeyResolutionOptions {
    return withNamespaces(this.#of(open).lookup, open.keyNames.namespaces());
  }

  /** Returns the scan options; the same object until they change, since scanners cache by identity. */
  findOptions(open: OpenProject): FindOptions {
    return this.#of(open).find;
  }

  /** Returns the scan options without learned functions. */
  configuredOptions(open: OpenProject): FindOptions {
    return this.#of(open).configured;
  }

  /** Returns the functions that were recognised as translation functions by their calls, unless they are configured now. */
  learnedFunctions(open: OpenProject): readonly LearnedFunction[] {
    const { learned, configured } = this.#of(open);
    return learned.filter(({ name }) => !configured.functions.some((each) => each.name === name));
  }

  /** Reads the learned functions, which the indexer has stored. */
  readLearnedFunctions(open: OpenProject): void {
    const known = this.#of(open);
    const learned = new UsageRepository(open.connection.database).learnedFunctions();
    if (fingerprintOf(learned) === fingerprintOf(known.learned)) return;
    known.learned = learned;
    known.find = findOptionsOf(known);
    this.#changed.fire(open);
  }

  #of(open: OpenProject): ProjectOptions {
    let known = this.#known.get(open);
    const functions = open.file.usage?.functions;
    if (known === undefined) {
      const { configured, lookup } = scanAndLookupOptions(
        this.#storage.get<DetectedConventions>(storageKey(open)) ?? NOTHING_DETECTED,
        customFunctions(open),
      );
      spellKeys(open.connection, lookup);
      const learned = new UsageRepository(open.connection.database).learnedFunctions();
      const find = findOptionsOf({ configured, learned });
      known = { configured, learned, find, lookup, functions, detected: Promise.resolve() };
      this.#known.set(open, known);
      this.#detect(open);
    } else if (known.functions !== functions) {
      known.functions = functions;
      known.configured = { ...known.configured, functions: customFunctions(open) };
      known.find = findOptionsOf(known);
    }
    return known;
  }

  #detectAll(): void {
    for (const open of this.#projects.all) {
      if (this.#known.has(open)) this.#detect(open);
      else this.#of(open);
    }
  }

  /** Resolves when the frameworks and conventions of the project have been detected. */
  async ready(open: OpenProject): Promise<void> {
    await this.#of(open).detected;
  }

  #detect(open: OpenProject): void {
    const known = this.#of(open);
    known.detected = this.#detectNow(open).catch((error: unknown) => {
      this.#log.warn(`The frameworks of ${open.root.toString()} could not be detected: ${String(error)}`);
    });
  }

  async #detectNow(open: OpenProject): Promise<void> {
    const detected = await detectConventions(open.file.files ?? [], await open.conventionFiles());
    const known = this.#of(open);
    const { configured: find, lookup } = scanAndLookupOptions(detected, known.configured.functions);
    const isSameFind = fingerprintOf(known.configured) === fingerprintOf(find);
    if (isSameFind && fingerprintOf(known.lookup) === fingerprintOf(lookup)) return;
    known.lookup = lookup;
    void this.#storage.update(storageKey(open), detected);
    spellKeys(open.connection, lookup);
    // Scanners cache by the identity of the options.
    if (!isSameFind) {
      known.configured = find;
      known.find = findOptionsOf(known);
    }
    this.#changed.fire(open);
  }
}

function storageKey(open: OpenProject): string {
  return `frameworks.${open.root.toString()}`;
}

function findOptionsOf({ configured, learned }: Pick<ProjectOptions, "configured" | "learned">): FindOptions {
  if (learned.length === 0) return configured;
  return { ...configured, functions: withLearned(configured.functions, learned) };
}

/** Returns the language by file extension, since editors classify `x.blade.php` as PHP; else by language id. */
export function usageLanguageOf(
  { uri, languageId }: vscode.TextDocument,
  options: FindOptions,
): UsageLanguage | undefined {
  return [usageLanguageFor(uri.path), usageLanguageFor(languageId)].find(
    (language) => language !== undefined && language.appliesTo?.(options) !== false,
  );
}

function customFunctions(open: OpenProject): FindOptions["functions"] {
  return open.file.usage?.functions ?? [];
}
