/**
 * Resolves names in JavaScript within the same file: constants, members of constant objects and enums, elements of
 * constant arrays, and the variables of loops over them. Returns expressions without evaluating them.
 */
import { cachedByObject } from "../../util/maps.ts";
import type { Span } from "../../util/span.ts";
import { isWord, skipSpace, skipSpaceBack, wordEnd } from "../lexers/characters.ts";
import type { Source } from "../source-reader.ts";
import { blockAround, redeclarationAround, ScopedBindings } from "./scopes.ts";

/** An expression, or `null` if the file does not contain it. */
export type KnownExpression = Span | null;

/** A name with a single value, and its scope. */
interface Constant extends Span {
  readonly offset: number;
  readonly value: Span;
  /** Path to the part of the value it refers to: empty for a constant, any element for a loop variable. */
  readonly steps: readonly Step[];
}

/** One step from a value to a part of it: a member or element by name, or any of them (`null`). */
type Step = string | null;

/** Bounds for generated or hostile files. */
const MAX_VALUE_CHARACTERS = 8_000;
const MAX_PARTS = 200;
const MAX_REFERENCES = 6;

const DECLARED = /\b(?:const\s+([\w$]+)\s*(?::[^=;]{0,200})?=(?![=>])|enum\s+([\w$]+)\s*(?=\{))/g;
const LOOPED =
  /\.\s*(?:map|forEach|flatMap|filter|some|every|find)\s*\(\s*(?:async\s+)?(?:\(\s*)?|\bfor\s*\(\s*(?:const|let|var)\s+(?=[\w$]+\s+of\b|[{[])/g;

/** Matches Vue's `v-for="item in ITEMS"` and Svelte's `{#each ITEMS as item}`, isolated by the `;` separators. */
const REPEATED =
  /;\s*(?:\(\s*)?([\w$]+|\{[^{};]{0,200}\})(?:\s*,\s*[\w$]+){0,2}\s*\)?\s+(?:in|of)\s+([\w$.]+)\s*(?=;)|;\s*([\w$.]+)\s+as\s+([\w$]+|\{[^{};]{0,200}\})(?=[\s,;(])/g;

/** Returns every expression that the name or path may refer to; `null` if unknown. */
export function constantsAt(source: Source, span: Span): readonly KnownExpression[] | null {
  return constantsOf(source).resolve(span);
}

const constantsOf = cachedByObject((source: Source) => new Constants(source));

class Constants {
  readonly #source: Source;
  readonly #constants = new ScopedBindings<Constant>();

  constructor(source: Source) {
    this.#source = source;
    const { code } = source;
    for (const { index: offset, 0: declaration, 1: constant, 2: enumeration } of code.matchAll(DECLARED)) {
      const start = offset + declaration.length;
      const end =
        constant === undefined ? source.skipGroup(start, code.length) : expressionEnd(source, start);
      const value = source.trimSpan(start, end);
      if (value.end === value.start) continue;
      const binding = { ...blockAround(source, offset), offset, value, steps: [] };
      this.#constants.add(constant ?? enumeration ?? "", binding);
    }
    for (const { index, 0: head } of code.matchAll(LOOPED)) {
      const target = index + head.length;
      if (head.startsWith("f")) this.#addFor(target);
      else this.#addCallback(index, target, /\(\s*(?:async\s+)?\(\s*$/.test(head));
    }
    for (const found of code.matchAll(REPEATED)) this.#addRepeated(found);
  }

  #addRepeated({ index, 0: all, 1: item, 2: list, 3: otherList, 4: otherItem }: RegExpExecArray): void {
    const [variable, value] = [item ?? otherItem ?? "", list ?? otherList ?? ""];
    const isItemFirst = item !== undefined;
    const target = index + (isItemFirst ? all.indexOf(variable) : all.lastIndexOf(variable));
    const start = index + (isItemFirst ? all.lastIndexOf(value) : all.indexOf(value));
    // The end of the element is not determined, but a nearer variable of the same name shadows this one.
    const scope = { start: target - 1, end: this.#source.code.length };
    this.#addTarget(target, target + variable.length, { start, end: start + value.length }, scope);
  }

  /** @param depth length of the reference chain, limited because names may refer to each other in a cycle */
  resolve({ start, end }: Span, depth = 0): readonly KnownExpression[] | null {
    const nameEnd = wordEnd(this.#source.code, start);
    if (nameEnd === start || nameEnd > end) return null;
    const path = this.#source.readMembers(nameEnd, end);
    const constant = path.end < end ? undefined : this.#find(this.#source.code.slice(start, nameEnd), start);
    if (constant === undefined) return null;
    let expressions: readonly KnownExpression[] = [constant.value];
    for (const step of [...constant.steps, ...path.members.map((member) => member.name)]) {
      expressions = expressions.flatMap((span) => (span === null ? [null] : this.#parts(span, step, depth)));
      if (expressions.length > MAX_PARTS) return null;
    }
    return expressions;
  }

  /** Returns the declaration in scope, unless a nearer one shadows it. */
  #find(name: string, offset: number): Constant | undefined {
    const constant = this.#constants.innermost(name, offset).at(-1);
    if (constant === undefined) return undefined;
    const redeclaration = redeclarationAround(this.#source, name, offset);
    const start = constant.steps.length === 0 ? constant.start : constant.offset;
    return redeclaration !== undefined && redeclaration.start > start ? undefined : constant;
  }

  /** Adds the variable of `for (const key of KEYS)`, which starts at `target`. */
  #addFor(target: number): void {
    const source = this.#source;
    const { code, brackets } = source;
    const last = targetEnd(source, target);
    const open = brackets.enclosing(target, "(");
    const close = open === -1 ? -1 : brackets.closing(open);
    const keyword = /^\s*of\s+/.exec(code.slice(last, last + 20));
    if (keyword === null || close < last) return;
    const value = source.trimSpan(last + keyword[0].length, close);
    const body = skipSpace(code, close + 1);
    const end = code[body] === "{" ? brackets.closing(body) : expressionEnd(source, body);
    this.#addTarget(target, last, value, { start: open, end });
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
  #addTarget(target: number, end: number, value: Span, scope: Span): void {
    const source = this.#source;
    const { code } = source;
    const iterated = iteratedValue(source, value);
    if (iterated === null || end <= target || scope.end < end) return;
    const add = (name: string, offset: number, steps: readonly Step[]): void =>
      this.#constants.add(name, { ...scope, offset, value: iterated.value, steps });
    const sign = code[target];
    if (sign !== "{" && sign !== "[") {
      if (!iterated.hasEntries) add(code.slice(target, end), target, [null]);
      return;
    }
    for (const [index, part] of source.splitAtCommas(target + 1, end - 1).entries()) {
      const text = code.slice(part.start, Math.min(part.end, part.start + 120));
      const found = /^([\w$]+)(?:\s*:\s*([\w$]+))?$/.exec(text);
      if (found?.[1] === undefined) continue;
      const name = found[2] ?? found[1];
      if (sign === "{" && !iterated.hasEntries) add(name, part.start, [null, found[1]]);
      else if (sign === "[" && iterated.hasEntries && index === 1) add(name, part.start, [null]);
    }
  }

  /** Returns the parts of an object, array or enum that the step leads to. */
  #parts(span: Span, step: Step, depth: number): readonly KnownExpression[] {
    const source = this.#source;
    const { code } = source;
    const start = unwrapped(source, span);
    if (isWord(code.charCodeAt(start))) {
      const values = depth < MAX_REFERENCES ? this.resolve({ start, end: span.end }, depth + 1) : null;
      return (
        values?.flatMap((value) => (value === null ? [null] : this.#parts(value, step, depth + 1))) ?? [null]
      );
    }
    const close = source.brackets.closing(start);
    if (close === -1 || close >= span.end) return [null];
    // `[["a"], ["b"]][0]`
    if (/^\s*[[.(]/.test(code.slice(close + 1, span.end))) return [null];
    const parts = source.splitAtCommas(start + 1, close);
    if (parts.length > MAX_PARTS) return [null];
    if (code[start] === "[") {
      if (step === null) return parts.map((part) => (code.startsWith("...", part.start) ? null : part));
      const part = /^\d+$/.test(step) ? parts[Number(step)] : undefined;
      return [part ?? null];
    }
    if (code[start] !== "{") return [null];
    const found: KnownExpression[] = [];
    for (const part of parts) {
      const member = source.readMember(part);
      if (step === null) found.push(member.value);
      else if (member.name === step) return [member.value];
    }
    return step === null ? found : [null];
  }
}

/** Returns the end of the name or destructuring pattern at the offset. */
function targetEnd(source: Source, target: number): number {
  return /[{[]/.test(source.code[target] ?? "")
    ? source.skipGroup(target, source.code.length)
    : wordEnd(source.code, target);
}

/**
 * Returns the start of the object or array inside parentheses and `Object.freeze(…)`; a type assertion may follow it.
 */
function unwrapped(source: Source, span: Span): number {
  const { code } = source;
  let start = span.start;
  for (let steps = 0; steps < 4; steps++) {
    const call = /^(?:Object\.freeze|markRaw|reactive|readonly)\s*(?=\()/.exec(code.slice(start, start + 30));
    if (call !== null) start += call[0].length;
    if (code[start] !== "(") break;
    start = skipSpace(code, start + 1, span.end);
  }
  return start;
}

/** Returns what a loop iterates over: `Object.values(X)` yields the values of X, `Object.entries(X)` yields pairs. */
function iteratedValue(source: Source, value: Span): { value: Span; hasEntries: boolean } | null {
  const { code } = source;
  const found = /^Object\.(values|entries|keys)\s*\(/.exec(code.slice(value.start, value.start + 30));
  if (found === null) return { value, hasEntries: false };
  const open = value.start + found[0].length - 1;
  const close = source.brackets.closing(open);
  if (close !== value.end - 1 || found[1] === "keys") return null;
  return { value: source.trimSpan(open + 1, close), hasEntries: found[1] === "entries" };
}

/** Returns the end of the expression at `from`: at `;`, at a comma, or at a line break where it is not continued. */
function expressionEnd(source: Source, from: number): number {
  const { code } = source;
  const limit = Math.min(code.length, from + MAX_VALUE_CHARACTERS);
  let end = skipSpace(code, from, limit);
  while (end < limit) {
    const char = code[end] ?? "";
    if (char === ";" || char === "," || char === ")" || char === "]" || char === "}") break;
    if (char === "\n") {
      const next = code[skipSpace(code, end, limit)] ?? "";
      const last = code[skipSpaceBack(code, end)] ?? "";
      if (!/[?:+|&.)\]]/.test(next) && !/[=+?:|&(]/.test(last)) break;
    }
    end = source.skipToken(end, limit);
  }
  return end;
}
