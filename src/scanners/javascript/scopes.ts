/**
 * Scopes of names in JavaScript: the ranges in which a name is bound to something, and where the file redeclares it as
 * a parameter, variable or function. Imports are ignored, since they apply to the whole module.
 */
import type { Span } from "../../util/span.ts";
import { cachedByObject, getOrCreate } from "../../util/maps.ts";
import { escapeRegExp, lastIndexBelow, skipSpace, skipSpaceBack, wordBefore } from "../lexers/characters.ts";
import type { Source } from "../source-reader.ts";
import { typeAt } from "./type-syntax.ts";

/** What may precede parentheses and a block that are no function. */
const NO_PARAMETERS = new Set(["if", "while", "for", "switch", "with", "await"]);
/** Further declarations of the same name are ignored. */
const MAX_DECLARATIONS = 500;
/** Maximum number of names in a file whose declarations are searched for. */
const MAX_NAMES = 250;
const MAX_ARROW_BODY_CHARACTERS = 20_000;

/** What names are bound to within ranges. */
export class ScopedBindings<T extends Span> {
  readonly #bindings = new Map<string, T[]>();
  /** Created on the first lookup of a name; discarded when the name gets another binding. */
  readonly #trees = new Map<string, ScopeTree<T>>();

  add(name: string, binding: T): void {
    this.#trees.delete(name);
    getOrCreate(this.#bindings, name, () => []).push(binding);
  }

  /** Returns the bindings of the name in the innermost range around the offset, in the order of their addition. */
  innermost(name: string, offset: number): readonly T[] {
    const bindings = this.#bindings.get(name);
    if (bindings === undefined) return [];
    return getOrCreate(this.#trees, name, () => new ScopeTree(bindings)).innermost(offset);
  }
}

/** A declaration of a name, and the range in which the name refers to it. */
export interface Declaration extends Span {
  /** Offset of the declared name. */
  readonly offset: number;
}

const declarationsOf = cachedByObject<Source, Map<string, ScopeTree<Declaration>>>(() => new Map());

/**
 * Returns the innermost declaration of `name` around the offset in this file, other than a hook's result; `undefined` if
 * there is none.
 */
export function redeclarationAround(source: Source, name: string, offset: number): Declaration | undefined {
  const declarations = declarationsOf(source);
  // With too many names, all further ones count as redeclared.
  if (declarations.size >= MAX_NAMES && !declarations.has(name))
    return { start: offset, end: offset, offset };
  return getOrCreate(declarations, name, () => findDeclarations(source, name)).innermost(offset)[0];
}

function findDeclarations(source: Source, name: string): ScopeTree<Declaration> {
  const { code } = source;
  const scopes: Declaration[] = [];
  const pattern = new RegExp(`(?<![\\w$\\u0080-\\uffff])${escapeRegExp(name)}(?![\\w$])`, "g");
  for (const { index: start } of code.matchAll(pattern)) {
    const next = skipSpace(code, start + name.length);
    const before = skipSpaceBack(code, start);
    if (code[before] === "." && code[before - 1] !== ".") continue;
    const word = wordBefore(code, start);
    const scope = word === "function" ? blockAround(source, start) : declaredAt(source, start, next, word);
    if (scope !== null) scopes.push({ ...scope, offset: start });
    if (scopes.length >= MAX_DECLARATIONS) break;
  }
  return new ScopeTree(scopes);
}

function declaredAt(source: Source, start: number, next: number, word: string): Span | null {
  const { code } = source;
  const after = code[next];
  if (after === "=" && code[next + 1] === ">") return arrowBody(source, next + 2, start);
  // In a pattern, `key: name` declares `name`; in `name: other`, `name` is only a property name.
  if (after === "." || after === "[" || after === "(" || word === "typeof") return null;
  if (after === "?" && !/[:,)]/.test(code[skipSpace(code, next + 1)] ?? "")) return null;
  if (word === "const" || word === "let" || word === "var") return blockAround(source, start);
  const open = source.brackets.enclosing(start);
  if (open === -1) return null;
  if (code[open] === "(") {
    // The type of a parameter, or its default value, declares nothing.
    const isOther = /[:=|&?]/.test(code[skipSpaceBack(code, start)] ?? "");
    return !isOther && /[:,)=?]/.test(after ?? "") ? parameterScope(source, open) : null;
  }
  return /[,}\]=]/.test(after ?? "") ? patternScope(source, open) : null;
}

/**
 * Returns the scope of the names in the destructuring pattern at `open`; `null` if it is not the pattern of a variable
 * or parameter.
 */
export function patternScope(source: Source, open: number): Span | null {
  const { code, brackets } = source;
  let pattern = open;
  while (code[pattern] === "{" || code[pattern] === "[") {
    const equals = equalsAfter(source, pattern);
    const around = brackets.enclosing(pattern);
    if (equals !== -1) {
      const parameters = code[around] === "(" ? parameterScope(source, around) : null;
      return parameters ?? blockAround(source, pattern);
    }
    if (around === -1 || !/[:[,(]/.test(code[skipSpaceBack(code, pattern)] ?? "")) return null;
    pattern = around;
  }
  return parameterScope(source, pattern);
}

/**
 * Returns the function whose parameter list opens at `open`, from there to its end; `null` if it is not a parameter
 * list.
 */
export function parameterScope(source: Source, open: number): Span | null {
  const { code, brackets } = source;
  const close = brackets.closing(open);
  let next = skipSpace(code, close + 1);
  if (code[next] === ":") {
    const type = /^[^;={}()]{0,200}(?:=>|\{)/.exec(code.slice(next, next + 204));
    if (type === null) return null;
    next += type[0].length - (type[0].endsWith("{") ? 1 : 2);
  }
  if (code[next] === "=" && code[next + 1] === ">") return arrowBody(source, next + 2, open);
  if (code[next] !== "{" || NO_PARAMETERS.has(wordBefore(code, open))) return null;
  return { start: open, end: Math.max(brackets.closing(next), next) };
}

/** Returns the range from the parameters to the end of the arrow function's body. */
function arrowBody(source: Source, after: number, start: number): Span {
  const { code, brackets } = source;
  const body = skipSpace(code, after);
  if (code[body] === "{") {
    const close = brackets.closing(body);
    if (close !== -1) return { start, end: close };
  }
  const around = brackets.enclosing(start);
  const limit = around === -1 ? code.length : brackets.closing(around);
  let end = body;
  while (end < limit && end - body < MAX_ARROW_BODY_CHARACTERS && code[end] !== ";" && code[end] !== ",") {
    end = source.skipToken(end, limit);
  }
  return { start, end };
}

/** Returns the innermost block around an offset; the braces of a destructuring pattern are no block. */
export function blockAround(source: Source, offset: number): Span {
  const { code, brackets } = source;
  let open = brackets.enclosing(offset, "{");
  while (open !== -1 && equalsAfter(source, open) !== -1) open = brackets.enclosing(open, "{");
  return open === -1 ? { start: -1, end: code.length } : { start: open, end: brackets.closing(open) };
}

/**
 * Returns the offset of the equals sign after the destructuring pattern at `open`, and after its type if it has one;
 * -1 if there is none.
 */
export function equalsAfter(source: Source, open: number): number {
  const { code, brackets } = source;
  let next = skipSpace(code, brackets.closing(open) + 1);
  if (code[next] === ":" && /^(?:const|let|var)$/.test(wordBefore(code, open))) {
    next = skipSpace(code, typeAt(source, next + 1).end);
  }
  return code[next] === "=" && code[next + 1] !== "=" ? next : -1;
}

/** Finds the innermost of several ranges: the last one that starts before an offset and contains it. */
export class ScopeTree<T extends Span> {
  /** Distinct starts, ascending by start and descending by end. */
  readonly #starts: number[] = [];
  /** The items of each range in their original order, and the index of the enclosing range; -1 if none. */
  readonly #ranges: { readonly items: readonly [T, ...T[]]; readonly parent: number }[] = [];

  constructor(items: readonly T[]) {
    const stack: number[] = [];
    let last: T[] = [];
    for (const item of items.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
      if (last[0]?.start === item.start && last[0].end === item.end) {
        last.push(item);
        continue;
      }
      while (stack.length > 0 && (this.#ranges[stack.at(-1) ?? 0]?.items[0].end ?? 0) < item.end) stack.pop();
      const first: [T, ...T[]] = [item];
      last = first;
      this.#ranges.push({ items: first, parent: stack.at(-1) ?? -1 });
      stack.push(this.#starts.push(item.start) - 1);
    }
  }

  /** Returns the items of the innermost range that contains the offset; empty if there is none. */
  innermost(offset: number): readonly T[] {
    let range = this.#ranges[lastIndexBelow(this.#starts, offset + 1)];
    while (range !== undefined && range.items[0].end < offset) range = this.#ranges[range.parent];
    return range?.items ?? [];
  }
}
