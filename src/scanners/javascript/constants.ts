/** The constants of a file, and the variables of loops over them, with their scopes and values. */
import type { Span } from "../../util/span.ts";
import {
  isWord,
  skipSpace,
  skipSpaceBack,
  typeArgumentsEnd,
  wordBefore,
  wordEnd,
} from "../lexers/characters.ts";
import type { ExportedValue } from "../key-usage.ts";
import type { Source } from "../source-reader.ts";
import { blockAround, equalsAfter, ScopedBindings } from "./scopes.ts";

/** What a name may refer to; `null` if the file does not show it. */
export type KnownExpression =
  | (Span & { readonly isOfType?: boolean } & (
        | { readonly kind: "value" }
        /** Any value of the type. `bases`: types that it extends. */
        | { readonly kind: "type"; readonly bases?: readonly Span[] }
        /** The name of a member. */
        | { readonly kind: "text"; readonly text: string }
        /** A value of another file, at the place of its name here. */
        | { readonly kind: "imported"; readonly value: Exclude<ExportedValue, null> }
      ))
  | null;

/** Everything that an expression may be. */
export type Alternatives = readonly KnownExpression[];

/** A name with a single value, and its scope. */
export interface Constant extends Span {
  readonly offset: number;
  readonly value: Span;
  /** Path to the part of the value it refers to: empty for a constant, any element for a loop variable. */
  readonly steps: readonly Step[];
  /** Whether it is an enum, which is also a type. */
  readonly isEnum?: true;
}

/** Stands for the names of all members. */
export const NAMES = Symbol("names");

/** One step from a value to a part of it: a member or element by name, one of several, any of them (`null`), or their names. */
export type Step = string | readonly string[] | null | typeof NAMES;

/** Functions whose result contains a value of their type argument: in this member, or itself (empty). */
export const HOLDERS: ReadonlyMap<string, string> = new Map([
  ["useState", "0"],
  ["createSignal", "0"],
  ["useRef", "current"],
  ["ref", "value"],
  ["shallowRef", "value"],
  ["computed", "value"],
  ["defineProps", ""],
  ["$props", ""],
  ["$state", ""],
  ["signal", ""],
  ["input", ""],
]);
/** Methods whose result has some of the elements of an array. */
export const ELEMENT_METHODS = new Set("filter slice sort reverse toSorted toReversed concat".split(" "));
/** Longer values are cut off. */
export const MAX_VALUE_CHARACTERS = 8_000;

const DECLARED = /\b(?:const\s+([\w$]+)\s*(?::[^=;]{0,200})?=(?![=>])|enum\s+([\w$]+)\s*(?=\{))/g;
const LOOPED =
  /\.\s*(?:map|forEach|flatMap|filter|some|every|find)\s*\(\s*(?:async\s+)?(?:function\b\s*[\w$]*\s*)?(?:\(\s*)?|\bfor\s*\(\s*(?:const|let|var)\s+(?=[\w$]+\s+(?:of|in)\b|[{[])/g;

/** Matches Vue's `v-for="item in ITEMS"` and Svelte's `{#each ITEMS as item}`, isolated by the `;` separators. */
const REPEATED =
  /;\s*(?:\(\s*)?([\w$]+|\{[^{};]{0,200}\})(?:\s*,\s*[\w$]+){0,2}\s*\)?\s+(?:in|of)\s+([\w$.]+)\s*(?=;)|;\s*([\w$.]+)\s+as\s+([\w$]+|\{[^{};]{0,200}\})(?=[\s,;(])/dg;

/** Collects the constants of a file. */
export function collectConstants(source: Source): ScopedBindings<Constant> {
  return new Collector(source).constants;
}

class Collector {
  readonly #source: Source;
  readonly constants = new ScopedBindings<Constant>();

  constructor(source: Source) {
    this.#source = source;
    const { code } = source;
    for (const { index: offset, 0: declaration, 1: constant, 2: enumeration } of code.matchAll(DECLARED)) {
      const start = offset + declaration.length;
      const end =
        constant === undefined ? source.skipGroup(start, code.length) : expressionEnd(source, start);
      const value = source.trimSpan(start, end);
      const binding: Constant = { ...blockAround(source, offset), offset, value, steps: [] };
      if (constant !== undefined) this.constants.add(constant, binding);
      else this.constants.add(enumeration ?? "", { ...binding, isEnum: true });
    }
    for (const { index, 0: head } of code.matchAll(LOOPED)) {
      const target = index + head.length;
      if (head.startsWith("f")) this.#addFor(target);
      else this.#addCallback(index, target, head.indexOf("(") < head.lastIndexOf("("));
    }
    for (const found of code.matchAll(REPEATED)) this.#addRepeated(found);
  }

  #addRepeated({ indices }: RegExpExecArray): void {
    const [target, end] = indices?.[1] ?? indices?.[4] ?? [0, 0];
    const [from, to] = indices?.[2] ?? indices?.[3] ?? [0, 0];
    // The end of the element is not determined, but a nearer variable of the same name shadows this one.
    const scope = { start: target - 1, end: this.#source.code.length };
    this.#addTarget(target, end, { start: from, end: to }, scope);
  }

  /** Adds the variable of `for (const key of KEYS)`, which starts at `target`. */
  #addFor(target: number): void {
    const source = this.#source;
    const { code, brackets } = source;
    const last = targetEnd(source, target);
    const open = brackets.enclosing(target, "(");
    const close = open === -1 ? -1 : brackets.closing(open);
    const keyword = /^\s*(?:of|in)\s+/.exec(code.slice(last, last + 20));
    if (keyword === null || close < last) return;
    const value = source.trimSpan(last + keyword[0].length, close);
    const body = skipSpace(code, close + 1);
    const end = code[body] === "{" ? brackets.closing(body) : expressionEnd(source, body);
    const scope = { start: open, end };
    if (keyword[0].trim() === "of") this.#addTarget(target, last, value, scope);
    else this.constants.add(code.slice(target, last), { ...scope, offset: target, value, steps: [NAMES] });
  }

  /**
   * Adds the callback parameter of `KEYS.map((key) => …)`.
   * @param dot offset of the dot before the method
   * @param target offset of the parameter
   * @param isParenthesized whether the parameter is in parentheses
   */
  #addCallback(dot: number, target: number, isParenthesized: boolean): void {
    const { brackets, code } = this.#source;
    let open = brackets.enclosing(target, "(");
    if (isParenthesized && open !== -1) open = brackets.enclosing(open, "(");
    const value = this.#source.operandBefore(code[dot - 1] === "?" ? dot - 1 : dot, ".");
    if (open === -1 || value === null) return;
    this.#addTarget(target, targetEnd(this.#source, target), value, {
      start: open,
      end: brackets.closing(open),
    });
  }

  /** Adds the names that a loop variable declares: its own, or those in its destructuring pattern. */
  #addTarget(target: number, end: number, list: Span, scope: Span): void {
    const source = this.#source;
    const { code } = source;
    const { value, step, hasEntries } = iteratedValue(this.#source, list);
    if (end <= target || scope.end < end) return;
    const add = (name: string, offset: number, steps: readonly Step[]): void =>
      this.constants.add(name, { ...scope, offset, value, steps });
    const sign = code[target];
    if (sign !== "{" && sign !== "[") {
      if (!hasEntries) add(code.slice(target, end), target, [step]);
      return;
    }
    for (const [index, part] of source.splitAtCommas(target + 1, end - 1).entries()) {
      const text = code.slice(part.start, Math.min(part.end, part.start + 120));
      const found = /^([\w$]+)(?:\s*:\s*([\w$]+))?$/.exec(text);
      if (found?.[1] === undefined) continue;
      const name = found[2] ?? found[1];
      if (sign === "{" && !hasEntries) add(name, part.start, [step, found[1]]);
      else if (sign === "[" && !hasEntries) add(name, part.start, [step, String(index)]);
      else if (sign === "[" && index < 2) add(name, part.start, [index === 0 ? NAMES : null]);
    }
  }
}

/**
 * Returns the outermost destructuring pattern around a declared name, or the name itself, and the steps from it to the name;
 * `null` if these are not known.
 */
export function destructuredPath(
  source: Source,
  name: Span,
): { readonly root: Span; readonly steps: readonly string[] } | null {
  const { code, brackets } = source;
  const steps: string[] = [];
  let root = name;
  const isPlain = /^(?:const|let|var|function)$/.test(wordBefore(code, name.start));
  let open = isPlain ? -1 : brackets.enclosing(name.start);
  for (let levels = 0; levels < MAX_PATTERNS && /[{[]/.test(code[open] ?? ""); levels++) {
    const close = brackets.closing(open);
    const { start } = root;
    const parts = source.splitAtCommas(open + 1, close);
    const index = parts.findIndex((part) => part.start <= start && start < part.end);
    const part = parts[index];
    if (part === undefined || code.startsWith("...", part.start)) return null;
    const step = code[open] === "[" ? String(index) : source.readMember(part).name;
    if (step === null) return null;
    steps.unshift(step);
    root = { start: open, end: close + 1 };
    if (equalsAfter(source, open) !== -1) break;
    open = brackets.enclosing(open);
  }
  return { root, steps };
}

const MAX_PATTERNS = 8;

/** Returns what a loop iterates over: `Object.values(X)` yields the values of X, `Object.entries(X)` yields pairs. */
export function iteratedValue(
  source: Source,
  list: Span,
): { readonly value: Span; readonly step: Step; readonly hasEntries: boolean } {
  const { code } = source;
  const value = withoutAssertion(source, list);
  const found = OBJECT_CALL.exec(code.slice(value.start, value.start + 40));
  const open = value.start + (found?.[0].length ?? 0) - 1;
  if (found === null || source.brackets.closing(open) !== value.end - 1) {
    return { value, step: null, hasEntries: false };
  }
  const [argument = value] = source.readArguments(open);
  return {
    value: argument,
    step: found[1] === "keys" ? NAMES : null,
    hasEntries: found[1] === "entries",
  };
}

/** Returns the range of the value inside parentheses, without `as const`, `as T` and `satisfies T`. */
export function withoutAssertion(source: Source, span: Span): Span {
  const { code } = source;
  let { start, end } = span;
  for (let levels = 0; levels < 4; levels++) {
    if (code[start] === "(" && source.brackets.closing(start) === end - 1) {
      ({ start, end } = source.trimSpan(start + 1, end - 1));
      continue;
    }
    const assertion = assertionIn(source, { start, end });
    if (assertion === -1) break;
    ({ start, end } = source.trimSpan(start, assertion));
  }
  return { start, end };
}

/** Like `withoutAssertion`, also without `Object.freeze(…)` and its kin. */
export function unwrapped(source: Source, span: Span): Span {
  const { code } = source;
  let value = withoutAssertion(source, span);
  for (let levels = 0; levels < 4; levels++) {
    const { start, end } = value;
    const call = WRAPPER.exec(code.slice(start, start + 60));
    if (call === null || source.brackets.closing(start + call[0].length - 1) !== end - 1) break;
    const [first] = source.readArguments(start + call[0].length - 1);
    if (first === undefined) break;
    value = withoutAssertion(source, first);
  }
  return value;
}

const WRAPPER = /^(?:Object\.freeze|markRaw|reactive|readonly|Array\.from|new\s+Set)\s*(?:<[^<>()]*>)?\s*\(/;
const OBJECT_CALL = /^Object\s*\.\s*(values|entries|keys)\s*(?:<[^<>()]*>)?\s*\(/;

/** Returns the offset of `as` or `satisfies` at the top level of the range; -1 if there is none. */
function assertionIn(source: Source, { start, end }: Span): number {
  const { code } = source;
  let offset = start;
  while (offset < end) {
    if (isWord(code.charCodeAt(offset))) {
      const last = wordEnd(code, offset);
      const word = code.slice(offset, last);
      if (offset > start && (word === "as" || word === "satisfies") && code[offset - 1] !== ".")
        return offset;
      offset = last;
    } else offset = source.skipToken(offset, end);
  }
  return -1;
}

/** Returns the end of the name or destructuring pattern at the offset. */
function targetEnd(source: Source, target: number): number {
  return /[{[]/.test(source.code[target] ?? "")
    ? source.skipGroup(target, source.code.length)
    : wordEnd(source.code, target);
}

/** Returns the end of the expression at `from`: at `;`, at a comma, or at a line break where it is not continued. */
export function expressionEnd(source: Source, from: number): number {
  const { code } = source;
  const limit = Math.min(code.length, from + MAX_VALUE_CHARACTERS);
  let end = skipSpace(code, from, limit);
  while (end < limit) {
    const char = code[end] ?? "";
    if (char === ";" || char === "," || char === ")" || char === "]" || char === "}") break;
    if (char === "\n") {
      const next = code[skipSpace(code, end, limit)] ?? "";
      const last = code[skipSpaceBack(code, end)] ?? "";
      if (!/[?:+|&.]/.test(next) && !/[=+?:|&(]/.test(last)) break;
    }
    const typesEnd = char === "<" ? typeArgumentsEnd(code, end, limit) : end;
    end = typesEnd > end && code[typesEnd] === "(" ? typesEnd : source.skipToken(end, limit);
  }
  return end;
}
