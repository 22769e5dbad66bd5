/**
 * Reads the modules that source files import, as far as the values of keys depend on them: by relative paths, and by `paths`
 * and `baseUrl` of the nearest `tsconfig.json` or `jsconfig.json`.
 */
import { dirname, join } from "node:path/posix";
import { parse } from "jsonc-parser";
import type { ExportedValue, ImportedName, Imports } from "../../scanners/key-usage.ts";
import { componentField, exportedValue } from "../../scanners/javascript/exported-values.ts";
import { javascriptSource, type Source } from "../../scanners/source-reader.ts";
import type { FileStamp } from "../../model/platform.ts";
import { cachedByObject, getOrCreate } from "../../util/maps.ts";
import { baseOf, type SourceFiles } from "./list-source-files.ts";

/** What a file imports. Plain data. */
export interface FileImports {
  /** The finite values, in the order of their use. */
  readonly values: readonly (readonly [imported: ImportedName, value: ExportedValue])[];
  /** The modules that were looked for, as in `moduleOf`, and the paths of the configurations that map their names. */
  readonly dependencies: readonly string[];
}

export const NO_IMPORTS: FileImports = { values: [], dependencies: [] };

/** Files that another one exports from, and these again. */
const MAX_MODULE_DEPTH = 3;
const MAX_MODULE_BYTES = 512 * 1024;
const MAX_EXTENDED_CONFIGURATIONS = 4;
const EXTENSIONS = ["ts", "tsx", "d.ts", "mts", "cts", "js", "jsx", "mjs", "cjs"];
const EXTENSION = /(?:\.d)?\.[cm]?[jt]sx?$/u;
/** Components of one file, of which only the scripts count. */
const COMPONENT = /\.(?:vue|svelte)$/u;
const SCRIPT = /(<script\b[^>]*>)([^]*?)(?=<\/script)/gu;
const CONFIGURATIONS = ["tsconfig.json", "jsconfig.json"];

/** Returns a path without its extension and `/index`, empty for the project's folder: the name of a module in dependencies. */
export function moduleOf(path: string): string {
  return path.replace(EXTENSION, "").replace(/(?:^|\/)index$|^\.\/?$|\/$/u, "");
}

/**
 * Returns the values as the scanner asks for them; of unknown names, `null`.
 * @param stored the values as JSON, as the index has them; `null`: none
 */
export function importsOf(stored: string | null): Imports {
  if (stored === null) return () => null;
  const values = JSON.parse(stored) as FileImports["values"];
  const byName = new Map(values.map(([imported, value]) => [idOf(imported), value]));
  return (imported) => byName.get(idOf(imported)) ?? null;
}

function idOf({ specifier, name, isType, path = [] }: ImportedName): string {
  return JSON.stringify([specifier, name, isType, path]);
}

/** The mapping of module names in a configuration. Paths are relative to the project's folder. */
interface PathMapping {
  readonly paths: readonly (readonly [pattern: string, targets: readonly string[]])[];
  readonly baseUrl: string | null;
  /** The files that were read or looked for. */
  readonly files: readonly string[];
}

/** A module as it was read last. */
interface ReadModule {
  readonly stamp: FileStamp;
  readonly source: Source;
}

const MAX_MODULES = 500;

/** The modules of each folder, the latest last, for as long as their files do not change. */
const modulesOf = cachedByObject<SourceFiles, Map<string, ReadModule>>(() => new Map());

/** Reads modules of a folder; each file only once. */
export class ModuleReader {
  readonly #files: SourceFiles;
  readonly #sources = new Map<string, Source | null>();
  readonly #mappings = new Map<string, PathMapping>();
  readonly #values = new Map<string, FileImports & { readonly value: ExportedValue }>();
  /** Modules with what they import, by depth and path. */
  readonly #bound = new Map<string, { readonly source: Source; readonly found: () => FileImports } | null>();

  constructor(files: SourceFiles) {
    this.#files = files;
  }

  /** Returns a function that finds the imports of the file at the path, and what it found so far. */
  importsFrom(path: string, depth = 0): { readonly imports: Imports; readonly found: () => FileImports } {
    const values = new Map<string, readonly [ImportedName, ExportedValue]>();
    const dependencies = new Set<string>();
    const imports: Imports = (imported) => {
      const id = idOf(imported);
      const [, value] = getOrCreate(values, id, () => {
        const module = this.#module(path, imported, depth);
        for (const dependency of module.dependencies) dependencies.add(dependency);
        return [imported, module.value] as const;
      });
      return value;
    };
    return {
      imports,
      found: () => ({
        values: [...values.values()].filter(([, value]) => value !== null),
        dependencies: [...dependencies],
      }),
    };
  }

  #module(
    from: string,
    imported: ImportedName,
    depth: number,
  ): { value: ExportedValue; dependencies: string[] } {
    const dependencies: string[] = [];
    if (depth >= MAX_MODULE_DEPTH) return { value: null, dependencies };
    for (const candidate of this.#candidates(from, imported.specifier, dependencies)) {
      dependencies.push(moduleOf(candidate));
      const path = this.#find(candidate);
      if (path === null) continue;
      const { value, dependencies: others } = this.#export(path, imported, depth);
      dependencies.push(...others);
      return { value, dependencies };
    }
    return { value: null, dependencies };
  }

  #export(
    path: string,
    imported: ImportedName,
    depth: number,
  ): { readonly value: ExportedValue; readonly dependencies: readonly string[] } {
    return getOrCreate(this.#values, JSON.stringify([path, idOf(imported), depth]), () => {
      const module = this.#bind(path, depth);
      if (module === null) return { ...NO_IMPORTS, value: null };
      const value = (imported.specifier === "" ? componentField : exportedValue)(module.source, imported);
      return { ...module.found(), value };
    });
  }

  #bind(path: string, depth: number): { readonly source: Source; readonly found: () => FileImports } | null {
    return getOrCreate(this.#bound, `${depth} ${path}`, () => {
      const source = this.#read(path);
      if (source === null) return null;
      const { imports, found } = this.importsFrom(path, depth + 1);
      return { source: source.withImports(imports), found };
    });
  }

  /** Returns the paths, possibly without an extension, that the specifier may stand for. */
  #candidates(from: string, specifier: string, dependencies: string[]): readonly string[] {
    if (specifier === "") return [from.replace(/\.html?$/u, ".ts")];
    const folder = dirname(from);
    const inFolder = (paths: readonly string[]): readonly string[] =>
      paths.filter((path) => isBeside(from, path));
    if (/^\.\.?(?:\/|$)/u.test(specifier)) return inFolder([join(folder, specifier)]);
    const { paths, baseUrl, files } = this.#mapping(folder);
    dependencies.push(...files);
    for (const [pattern, targets] of paths) {
      const [start = "", end] = pattern.split("*");
      const isMatch =
        end === undefined
          ? specifier === pattern
          : specifier.length >= start.length + end.length &&
            specifier.startsWith(start) &&
            specifier.endsWith(end);
      if (!isMatch) continue;
      const rest = end === undefined ? "" : specifier.slice(start.length, specifier.length - end.length);
      return inFolder(targets.map((target) => target.replace("*", () => rest)));
    }
    return baseUrl === null ? [] : inFolder([join(baseUrl, specifier)]);
  }

  /** Returns the mapping of the nearest configuration. */
  #mapping(folder: string): PathMapping {
    return getOrCreate(this.#mappings, folder, () => {
      for (const name of CONFIGURATIONS) {
        const found = this.#configuration(join(folder, name), 0);
        if (found !== null) return found;
      }
      if (folder !== "." && folder !== "" && !folder.endsWith("..")) return this.#mapping(dirname(folder));
      return { paths: [], baseUrl: null, files: CONFIGURATIONS };
    });
  }

  /** Reads a configuration and, for what it does not have, those that it extends. */
  #configuration(path: string, depth: number): PathMapping | null {
    const file = this.#files.read(path);
    if (file.kind !== "read" || depth > MAX_EXTENDED_CONFIGURATIONS) return null;
    const json: unknown = parse(new TextDecoder().decode(file.bytes), [], { allowTrailingComma: true });
    const { extends: extended, compilerOptions, references } = recordOf(json);
    const options = recordOf(compilerOptions);
    // A solution only lists other configurations: `{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }`.
    const listed = (Array.isArray(references) ? references : [])
      .map((reference) => recordOf(reference)["path"])
      .filter((each) => typeof each === "string" && each.endsWith(".json"))
      .reverse();
    const bases = [...listed, extended]
      .flat()
      .filter((each) => typeof each === "string" && (each.startsWith(".") || listed.includes(each)));
    const folder = dirname(path);
    const inherited = bases.map((base) => {
      const target = join(folder, String(base));
      return this.#configuration(target.endsWith(".json") ? target : `${target}.json`, depth + 1);
    });
    const baseUrl = typeof options["baseUrl"] === "string" ? join(folder, options["baseUrl"]) : null;
    const paths = Object.entries(recordOf(options["paths"])).map(([pattern, targets]) => {
      const list = Array.isArray(targets) ? targets.filter((target) => typeof target === "string") : [];
      return [pattern, list.map((target) => join(baseUrl ?? folder, target))] as const;
    });
    const files = [path, ...inherited.flatMap((each) => each?.files ?? [])];
    const withPaths = inherited.findLast((each) => each !== null && each.paths.length > 0);
    const withBase = inherited.findLast((each) => each !== null && each.baseUrl !== null);
    return {
      paths: options["paths"] === undefined ? (withPaths?.paths ?? []) : paths,
      baseUrl: baseUrl ?? withBase?.baseUrl ?? null,
      files,
    };
  }

  /** Returns the path of the module's file; `null` if there is none. */
  #find(candidate: string): string | null {
    const stem = candidate.replace(/\.[cm]?jsx?$/u, "");
    const paths = [
      ...(EXTENSION.test(candidate) || COMPONENT.test(candidate) ? [candidate] : []),
      ...EXTENSIONS.map((extension) => `${stem}.${extension}`),
      ...EXTENSIONS.map((extension) => `${candidate}/index.${extension}`),
    ];
    return paths.find((path) => this.#read(path) !== null) ?? null;
  }

  #read(path: string): Source | null {
    return getOrCreate(this.#sources, path, () => {
      const modules = modulesOf(this.#files);
      const before = modules.get(path);
      const file = this.#files.read(path, before?.stamp);
      if (file.kind === "same") return before?.source ?? null;
      if (file.kind !== "read" || file.bytes.length > MAX_MODULE_BYTES) return null;
      const decoded = new TextDecoder().decode(file.bytes);
      const text = COMPONENT.test(path) ? scriptsOf(decoded) : decoded;
      const source = javascriptSource(text, /\.(?:[jt]sx|[cm]?js)$/u.test(path));
      modules.delete(path);
      modules.set(path, { stamp: file.stamp, source });
      const [oldest] = modules.keys();
      if (modules.size > MAX_MODULES && oldest !== undefined) modules.delete(oldest);
      return source;
    });
  }
}

/** Returns the scripts of a component, each at its own offset. */
function scriptsOf(text: string): string {
  let scripts = "";
  for (const { index, 1: tag = "", 2: script = "" } of text.matchAll(SCRIPT))
    scripts += text.slice(scripts.length, index + tag.length).replaceAll(/[^\n]/gu, " ") + script;
  return scripts;
}

/** Whether a path is in the project's folder, or in the same folder beside it as `from`. */
function isBeside(from: string, path: string): boolean {
  return (!path.startsWith("..") || baseOf(path) === baseOf(from)) && !path.startsWith("/");
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
