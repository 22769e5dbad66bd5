/**
 * Finds where JavaScript redeclares a name as a parameter, variable or function. Scope analysis only goes as far as
 * telling a translator that was passed in from one created in the file. Imports are ignored, since they apply to the
 * whole module.
 */
import type { Span } from "../../util/span.ts";
import { escapeRegExp, lastBefore, lastIndexBelow, skipSpace, wordStart } from "../lexers/characters.ts";
import { HOOKS } from "../function-calls/function-signatures.ts";
import { skipGroup, type Source } from "../lexed-source.ts";

const NO_PARAMETERS = new Set(["if", "while", "for", "switch", "with", "return", "await"]);
/** Further declarations of the same name are ignored. */
const MAX_DECLARATIONS = 500;
/** Maximum length, in characters, of the body of an arrow function without braces. */
const BODY_LIMIT = 20_000;

/** Returns the ranges in which `name` refers to a declaration of this file other than a hook's result. */
export function declarationsOf(source: Source, name: string): ScopeTree<Span> {
  const { code } = source;
  const scopes: Span[] = [];
  const pattern = new RegExp(`(?<![\\w$\\u0080-\\uffff])${escapeRegExp(name)}(?![\\w$])`, "g");
  for (const found of code.matchAll(pattern)) {
    const start = found.index;
    const end = start + name.length;
    const next = skipSpace(code, end);
    const before = lastBefore(code, start);
    if (code[before] === "." && code[before - 1] !== ".") continue;
    const word = code.slice(wordStart(code, before + 1), before + 1);
    const scope =
      code[next] === "("
        ? word === "function"
          ? blockAround(source, start)
          : null
        : declaredAt(source, start, next, word);
    if (scope !== null) scopes.push(scope);
    if (scopes.length >= MAX_DECLARATIONS) break;
  }
  return new ScopeTree(scopes);
}

function declaredAt(source: Source, start: number, next: number, word: string): Span | null {
  const { code } = source;
  const after = code[next];
  if (after === "=" && code[next + 1] === ">") return arrowBody(source, next + 2, start);
  // In a pattern, `key: name` declares `name`; in `name: other`, `name` is only a property name.
  if (after === "." || after === "?" || after === "[") return null;
  if (word === "const" || word === "let" || word === "var") {
    return isCopy(code, next) ? null : blockAround(source, start);
  }
  const open = source.brackets.enclosing(start);
  if (open === -1) return null;
  return code[open] === "("
    ? after === ":" || after === "," || after === ")" || after === "="
      ? parameterScope(source, open)
      : null
    : patternScope(source, open, after);
}

/** Matches `const a = t;`, `const { t } = i18n;` and hooks, which hook-bindings.ts reads. */
const COPY = new RegExp(
  `^\\s*(?:await\\s+)?(?:[\\w$]+\\s*\\??\\.\\s*){0,4}(?:\\$?t|i18n|i18next|global|${Object.keys(HOOKS).join("|")})\\b(?!\\s*\\.\\s*(?!t\\b|bind\\b)\\w)`,
);

function isCopy(code: string, equals: number): boolean {
  return code[equals] === "=" && COPY.test(code.slice(equals + 1, equals + 160));
}

/** Returns the scope of a name within `{ … }` or `[ … ]` if that is the pattern of a variable or parameter. */
function patternScope(source: Source, open: number, after: string | undefined): Span | null {
  const { code, brackets } = source;
  if (after === ":" || !(after === "," || after === "}" || after === "]" || after === "=")) return null;
  let outer = open;
  for (let level = 0; level < 4; level++) {
    const close = brackets.closing(outer);
    const next = skipSpace(code, close + 1);
    const before = lastBefore(code, outer);
    const word = code.slice(wordStart(code, before + 1), before + 1);
    if (word === "const" || word === "let" || word === "var") {
      return code[next] === "=" && code[next + 1] !== "=" && !isCopy(code, next)
        ? blockAround(source, outer)
        : null;
    }
    const around = brackets.enclosing(outer);
    if (around === -1) return null;
    if (code[around] === "(") return parameterScope(source, around);
    outer = around;
    if (code[before] !== ":" && code[before] !== "[" && code[before] !== ",") return null;
  }
  return null;
}

/**
 * Returns the function whose parameter list opens at `open`, from there to its end; `null` if it is not a parameter
 * list.
 */
export function parameterScope(source: Source, open: number): Span | null {
  const { code, brackets } = source;
  const before = lastBefore(code, open);
  const word = code.slice(wordStart(code, before + 1), before + 1);
  if (NO_PARAMETERS.has(word)) return null;
  const close = brackets.closing(open);
  let next = skipSpace(code, close + 1);
  if (code[next] === ":") {
    const type = /^[^;={}()]{0,200}(?:=>|\{)/.exec(code.slice(next, next + 204));
    if (type === null) return null;
    next += type[0].length - (type[0].endsWith("{") ? 1 : 2);
  }
  if (code[next] === "{") return { start: open, end: Math.max(brackets.closing(next), next) };
  if (code[next] === "=" && code[next + 1] === ">") return arrowBody(source, next + 2, open);
  return null;
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
  let at = body;
  while (at < limit && at - body < BODY_LIMIT && code[at] !== ";" && code[at] !== ",") {
    const next = skipGroup(source, at, limit);
    at = next === at ? at + 1 : next;
  }
  return { start, end: at };
}

/** Returns the innermost block around an offset. */
export function blockAround(source: Source, at: number): Span {
  const open = source.brackets.enclosing(at, "{");
  return open === -1
    ? { start: -1, end: source.code.length }
    : { start: open, end: source.brackets.closing(open) };
}

/** Finds the innermost of nested ranges. */
export class ScopeTree<T extends Span> {
  /** Distinct starts, ascending by start and descending by end. */
  readonly #starts: number[] = [];
  /** The items of each range in their original order, and the index of the enclosing range; -1 if none. */
  readonly #ranges: { readonly items: readonly [T, ...T[]]; readonly parent: number }[] = [];

  /** The ranges are nested or disjoint; a partial overlap is treated as disjoint. */
  constructor(items: readonly T[]) {
    const stack: number[] = [];
    let last: T[] = [];
    for (const item of [...items].sort((a, b) => a.start - b.start || b.end - a.end)) {
      if (last[0]?.start === item.start && last[0].end === item.end) {
        last.push(item);
        continue;
      }
      while (stack.length > 0 && (this.#ranges[stack.at(-1) ?? 0]?.items[0].end ?? 0) < item.end) stack.pop();
      const same: [T, ...T[]] = [item];
      last = same;
      this.#ranges.push({ items: same, parent: stack.at(-1) ?? -1 });
      stack.push(this.#starts.push(item.start) - 1);
    }
  }

  /** Returns the items of the innermost range that contains the offset; empty if there is none. */
  innermost(at: number): readonly T[] {
    let range = this.#ranges[lastIndexBelow(this.#starts, at + 1)];
    while (range !== undefined && range.items[0].end < at) range = this.#ranges[range.parent];
    return range?.items ?? [];
  }
}
