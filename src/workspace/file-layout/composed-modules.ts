/**
 * Modules of texts that another module composes: `index.ts` imports its parts and exports one object, which the app loads.
 * The texts stay in the files of the parts; the object shows which keys they are. Nothing is executed.
 */
import { dirname, join } from "node:path/posix";
import { constantsOf } from "../../scanners/javascript/constant-resolution.ts";
import { exportsOf, importOf } from "../../scanners/javascript/module-syntax.ts";
import { extensionsWhere } from "../../model/file-formats.ts";
import { javascriptSource, type Source } from "../../scanners/source-reader.ts";
import type { Span } from "../../util/span.ts";

/** A module in the composed object. */
export interface ComposedPart {
  readonly path: string;
  /** Where its own object stands in the composed one; empty for that itself. */
  readonly names: readonly string[];
  /** Whether it has members of its own, beside other modules. */
  readonly hasOwnMembers: boolean;
}

const MAX_PARTS = 1_000;
const MAX_DEPTH = 16;
const EXTENSION = /\.[cm]?[jt]sx?$/u;

/**
 * Returns the modules that the one at the path composes, itself first; each with the first place where it stands.
 * @param paths those that may be parts
 * @param read returns the text of a module
 */
export async function composedParts(
  path: string,
  paths: ReadonlySet<string>,
  read: (path: string) => Promise<string | undefined>,
): Promise<readonly ComposedPart[]> {
  const parts = new Map<string, ComposedPart>();
  const pending = [{ path, name: "default", names: [] as readonly string[] }];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (parts.has(next.path) || parts.size >= MAX_PARTS || next.names.length > MAX_DEPTH) continue;
    const text = await read(next.path);
    if (text === undefined) continue;
    const object = new ComposedObject(javascriptSource(text), next.name);
    parts.set(next.path, { path: next.path, names: next.names, hasOwnMembers: object.hasOwnMembers });
    for (const { specifier, name, names } of object.imported) {
      const found = modulePath(join(dirname(next.path), specifier), paths);
      if (specifier.startsWith(".") && found !== undefined)
        pending.push({ path: found, name, names: [...next.names, ...names] });
    }
  }
  return [...parts.values()];
}

/** Returns the path of the module's file. */
function modulePath(specified: string, paths: ReadonlySet<string>): string | undefined {
  const stem = specified.replace(EXTENSION, "");
  const candidates = extensionsWhere(({ isCode }) => isCode).flatMap((extension) => [
    `${stem}${extension}`,
    `${specified}/index${extension}`,
  ]);
  return [specified, ...candidates].find((path) => paths.has(path));
}

/** Another module in an object. */
interface ImportedMember {
  readonly specifier: string;
  /** What is imported of it. */
  readonly name: string;
  readonly names: readonly string[];
}

/** The object that a module exports. */
class ComposedObject {
  readonly #source: Source;
  readonly imported: ImportedMember[] = [];
  hasOwnMembers = false;

  constructor(source: Source, name: string) {
    this.#source = source;
    const exports = exportsOf(source, name);
    for (const [index, exported] of exports.entries()) {
      const others = exports.slice(index + 1);
      // A name that the module does not declare is one of the only module of which it exports everything.
      if (exported.kind === "local" && others.length === 1 && !this.#declares(exported.name)) continue;
      if (exported.kind === "elsewhere") this.imported.push({ ...exported, names: [] });
      else if (exported.kind === "local") this.#readName(exported.name, [], 0);
      else this.#read(exported.span, [], 0);
      if (this.imported.length > 0 || this.hasOwnMembers) break;
    }
    // Whether there are any is decided when the file is read.
    if (this.imported.length === 0) this.hasOwnMembers = true;
  }

  /** Reads an object, the name of one, or a call that returns its argument (`Object.freeze(texts)`). */
  #read(span: Span, names: readonly string[], depth: number): void {
    const { code } = this.#source;
    const { start, end } = this.#withoutType(span);
    if (depth > MAX_DEPTH) return;
    if (code[start] === "{") return this.#readMembers(start, names, depth);
    const value = code.slice(start, end);
    if (/^[\w$]+$/.test(value)) return this.#readName(value, names, depth);
    const call = /^[\w$.]+\s*(?:<[^()]{0,200}>\s*)?\(/.exec(value)?.[0];
    if (call === undefined || !value.endsWith(")")) {
      this.hasOwnMembers = true;
      return;
    }
    const [argument] = this.#source.readArguments(start + call.length - 1);
    if (argument !== undefined) this.#read(argument, names, depth + 1);
  }

  #declares(name: string): boolean {
    return (
      importOf(this.#source, name) !== undefined || constantsOf(this.#source).topLevelValue(name) !== null
    );
  }

  #readName(name: string, names: readonly string[], depth: number): void {
    const imported = importOf(this.#source, name);
    if (imported !== undefined) {
      this.imported.push({ ...imported, names });
      return;
    }
    const parts = constantsOf(this.#source).topLevelValue(name)?.parts ?? [];
    if (parts.length === 0) this.hasOwnMembers = true;
    for (const part of parts) if (part?.kind === "value") this.#read(part, names, depth + 1);
  }

  #readMembers(open: number, names: readonly string[], depth: number): void {
    const { code, brackets } = this.#source;
    const close = brackets.closing(open);
    if (close === -1) return;
    for (const part of this.#source.splitAtCommas(open + 1, close)) {
      const spread = /^\.\.\.\s*/.exec(code.slice(part.start, part.end))?.[0].length ?? 0;
      if (spread > 0) {
        this.#read({ start: part.start + spread, end: part.end }, names, depth + 1);
        continue;
      }
      const { name, value } = this.#source.readMember(part);
      if (name === null || value === null) continue;
      const inner = this.#withoutType(value);
      const isText = !/^(?:[\w$]+$|\{)/.test(code.slice(inner.start, inner.end));
      if (isText) this.hasOwnMembers = true;
      else this.#read(value, [...names, name], depth + 1);
    }
  }

  #withoutType(span: Span): Span {
    const { start, end } = this.#source.trimSpan(span.start, span.end);
    const type = /\s(?:as|satisfies)\s+[\w$<>.,\s[\]'"|]+$/.exec(this.#source.code.slice(start, end));
    return type === null ? { start, end } : this.#source.trimSpan(start, start + type.index);
  }
}
