/**
 * Resolves names in JavaScript within the same file: constants, members of constant objects and enums, elements of
 * constant arrays, and the variables of loops over them. Returns expressions without evaluating them.
 */
import { cachedByObject, getOrCreate } from "../../util/maps.ts";
import type { Span } from "../../util/span.ts";
import { isWord, lastBefore, skipSpace, wordEnd, wordStart } from "../lexers/characters.ts";
import { blockAround, declarationsOf, type ScopeTree } from "./redeclarations.ts";
import { readMembers, splitAtCommas, skipGroup, trimSpan, type Source } from "../lexed-source.ts";

/** An expression, or `null` if the file does not contain it. */
export type KnownExpression = Span | null;

/** A name with a single value. `at` is its offset; the range is its scope. */
interface Named extends Span {
  readonly at: number;
  readonly value: Span;
  /** Path to the part of the value it refers to: empty for a constant, any element for a loop variable. */
  readonly steps: readonly Step[];
}

/** One step from a value to a part of it: a member or element by name, or any of them (`null`). */
type Step = string | null;

/** Bound for generated or hostile files. */
const NAMES_LIMIT = 100;
const VALUE_LIMIT = 8_000;
const PARTS_LIMIT = 200;
const DEPTH_LIMIT = 6;

const DECLARED = /\b(?:const\s+([\w$]+)\s*(?::[^=;]{0,200})?=(?![=>])|enum\s+([\w$]+)\s*(?=\{))/g;
const LOOPED =
  /\.\s*(?:map|forEach|flatMap|filter|some|every|find)\s*\(\s*(?:async\s+)?(?:\(\s*)?|\bfor\s*\(\s*(?:const|let|var)\s+(?=[\w$]+\s+of\b|[{[])/g;

/** Matches Vue's `v-for="item in ITEMS"` and Svelte's `{#each ITEMS as item}`, isolated by the `;` separators. */
const REPEATED =
  /;\s*(?:\(\s*)?([\w$]+|\{[^{};]{0,200}\})(?:\s*,\s*[\w$]+){0,2}\s*\)?\s+(?:in|of)\s+([\w$.]+)\s*(?=;)|;\s*([\w$.]+)\s+as\s+([\w$]+|\{[^{};]{0,200}\})(?=[\s,;(])/g;

/** Returns every expression that the name or path may refer to; `null` if unknown. */
export function constantsAt(source: Source, start: number, end: number): readonly KnownExpression[] | null {
  const nameEnd = wordEnd(source.code, start);
  if (nameEnd === start || nameEnd > end) return null;
  return constantsOf(source).at(start, nameEnd, end);
}

const constantsOf = cachedByObject((source: Source) => new Constants(source));

class Constants {
  readonly #source: Source;
  readonly #named = new Map<string, Named[]>();
  readonly #declared = new Map<string, ScopeTree<Span>>();

  constructor(source: Source) {
    this.#source = source;
    const { code } = source;
    for (const found of code.matchAll(DECLARED)) {
      const end = found.index + found[0].length;
      const [, constant, name = constant ?? ""] = found;
      const last = constant === undefined ? skipGroup(source, end, code.length) : expressionEnd(source, end);
      this.#addConstant(name, found.index, { start: end, end: last });
    }
    for (const found of code.matchAll(LOOPED)) {
      const target = found.index + found[0].length;
      if (code[found.index] === "f") this.#addFor(target);
      else this.#addCallback(found.index, target, /\(\s*(?:async\s+)?\(\s*$/.test(found[0]));
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
  at(start: number, nameEnd: number, end: number, depth = 0): readonly KnownExpression[] | null {
    const name = this.#source.code.slice(start, nameEnd);
    const path = readMembers(this.#source, nameEnd, end);
    const named = path.end < end ? undefined : this.#find(name, start);
    if (named === undefined) return null;
    let shown: readonly KnownExpression[] = [named.value];
    for (const step of [...named.steps, ...path.members.map((member) => member.name)]) {
      shown = shown.flatMap((span) => (span === null ? [null] : this.#parts(span, step, depth)));
      if (shown.length > PARTS_LIMIT) return null;
    }
    return shown;
  }

  /** Returns the declaration in scope, unless a nearer one shadows it. */
  #find(name: string, at: number): Named | undefined {
    let nearest: Named | undefined;
    for (const named of this.#named.get(name) ?? []) {
      if (named.start < at && at <= named.end && named.start >= (nearest?.start ?? -1)) nearest = named;
    }
    if (nearest === undefined) return undefined;
    if (this.#declared.size >= NAMES_LIMIT && !this.#declared.has(name)) return undefined;
    const declared = getOrCreate(this.#declared, name, () => declarationsOf(this.#source, name));
    const [hiding] = declared.innermost(at);
    const own = nearest.steps.length === 0 ? nearest.start : nearest.at;
    return hiding !== undefined && hiding.start > own ? undefined : nearest;
  }

  #add(name: string, named: Named): void {
    const list = getOrCreate(this.#named, name, () => []);
    if (list.length < NAMES_LIMIT) list.push(named);
  }

  #addConstant(name: string, at: number, { start, end }: Span): void {
    const value = trimSpan(this.#source, start, end);
    if (value.end > value.start) this.#add(name, { ...blockAround(this.#source, at), at, value, steps: [] });
  }

  /** Adds the variable of `for (const key of KEYS)`, which starts at `target`. */
  #addFor(target: number): void {
    const source = this.#source;
    const { code, brackets } = source;
    const last = targetEnd(source, target);
    const open = brackets.enclosing(target, "(");
    const close = open === -1 ? -1 : brackets.closing(open);
    const of = /^\s*of\s+/.exec(code.slice(last, last + 20));
    if (of === null || close < last) return;
    const value = trimSpan(source, last + of[0].length, close);
    const body = skipSpace(code, close + 1);
    const end = code[body] === "{" ? brackets.closing(body) : expressionEnd(source, body);
    this.#addTarget(target, last, value, { start: open, end });
  }

  /**
   * Adds the callback parameter of `KEYS.map((key) => …)`.
   * @param dot offset of the dot before the method
   * @param target offset of the parameter
   * @param wrapped whether the parameter is in parentheses
   */
  #addCallback(dot: number, target: number, wrapped: boolean): void {
    const { brackets } = this.#source;
    let open = brackets.enclosing(target, "(");
    if (wrapped && open !== -1) open = brackets.enclosing(open, "(");
    const value = operandBefore(this.#source, dot);
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
    const over = loopedOver(source, value);
    if (over === null || end <= target || scope.end < end) return;
    const add = (name: string, at: number, steps: readonly Step[]): void =>
      this.#add(name, { ...scope, at, value: over.value, steps });
    const sign = code[target];
    if (sign !== "{" && sign !== "[") {
      if (!over.entries) add(code.slice(target, end), target, [null]);
      return;
    }
    for (const [index, part] of splitAtCommas(source, target + 1, end - 1).entries()) {
      const text = code.slice(part.start, Math.min(part.end, part.start + 120));
      const found = /^([\w$]+)(?:\s*:\s*([\w$]+))?$/.exec(text);
      if (found?.[1] === undefined) continue;
      const name = found[2] ?? found[1];
      if (sign === "{" && !over.entries) add(name, part.start, [null, found[1]]);
      else if (sign === "[" && over.entries && index === 1) add(name, part.start, [null]);
    }
  }

  /** Returns the parts of an object, array or enum that the step leads to. */
  #parts(span: Span, step: Step, depth: number): readonly KnownExpression[] {
    const source = this.#source;
    const { code, text } = source;
    const start = unwrapped(source, span);
    const nameEnd = wordEnd(code, start);
    if (nameEnd > start) {
      const shown = depth < DEPTH_LIMIT ? this.at(start, nameEnd, span.end, depth + 1) : null;
      return (
        shown?.flatMap((each) => (each === null ? [null] : this.#parts(each, step, depth + 1))) ?? [null]
      );
    }
    const close = source.brackets.closing(start);
    if (close === -1 || close >= span.end) return [null];
    const parts = splitAtCommas(source, start + 1, close);
    if (parts.length > PARTS_LIMIT) return [null];
    if (code[start] === "[") {
      if (step === null) return parts.map((part) => (code.startsWith("...", part.start) ? null : part));
      const part = /^\d+$/.test(step) ? parts[Number(step)] : undefined;
      return [part ?? null];
    }
    if (code[start] !== "{") return [null];
    const found: KnownExpression[] = [];
    for (const part of parts) {
      const member = readMember(source, part, text);
      if (step === null) found.push(member.value);
      else if (member.name === step) return [member.value];
    }
    return step === null ? found : [null];
  }
}

/** Returns the end of the name or destructuring pattern at the offset. */
function targetEnd(source: Source, target: number): number {
  return /[{[]/.test(source.code[target] ?? "")
    ? skipGroup(source, target, source.code.length)
    : wordEnd(source.code, target);
}

/** Reads a member of an object or enum; its name is `null` if it is computed. */
function readMember(
  source: Source,
  part: Span,
  text: string,
): { name: string | null; value: KnownExpression } {
  const { code, brackets } = source;
  const sign = code[part.start];
  let nameEnd: number;
  let name: string | null = null;
  if (sign === "[") nameEnd = brackets.closing(part.start) + 1;
  else if (sign === '"' || sign === "'") {
    nameEnd = skipGroup(source, part.start, part.end);
    name = text.slice(part.start + 1, nameEnd - 1);
  } else {
    nameEnd = wordEnd(code, part.start);
    name = code.slice(part.start, nameEnd);
  }
  if (nameEnd <= part.start) return { name: null, value: null };
  const after = skipSpace(code, nameEnd, part.end);
  if (after >= part.end) return { name, value: sign === "[" ? null : part };
  const isValue = code[after] === ":" || (code[after] === "=" && code[after + 1] !== "=");
  return { name, value: isValue ? trimSpan(source, after + 1, part.end) : null };
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
function loopedOver(source: Source, value: Span): { value: Span; entries: boolean } | null {
  const { code } = source;
  const found = /^Object\.(values|entries|keys)\s*\(/.exec(code.slice(value.start, value.start + 30));
  if (found === null) return { value, entries: false };
  const open = value.start + found[0].length - 1;
  const close = source.brackets.closing(open);
  if (close !== value.end - 1 || found[1] === "keys") return null;
  return { value: trimSpan(source, open + 1, close), entries: found[1] === "entries" };
}

/** Returns the expression before a method's dot: names and members, an array, or a call. */
function operandBefore(source: Source, dot: number): Span | null {
  const { code, brackets } = source;
  const end = lastBefore(code, code[dot - 1] === "?" ? dot - 1 : dot) + 1;
  let start = end;
  for (let steps = 0; steps < 6; steps++) {
    const last = lastBefore(code, start);
    if (code[last] === "]" || code[last] === ")") {
      const open = brackets.enclosing(last);
      if (open === -1 || brackets.closing(open) !== last) return null;
      start = open;
      if (!isWord(code.charCodeAt(open - 1))) break;
      continue;
    }
    const word = wordStart(code, last + 1);
    if (word > last) break;
    start = word;
    const before = lastBefore(code, start);
    if (code[before] !== ".") break;
    start = code[before - 1] === "?" ? before - 1 : before;
  }
  return start < end ? { start, end } : null;
}

/** Returns the end of the expression at `from`: at `;`, at a comma, or at a line break where it is not continued. */
function expressionEnd(source: Source, from: number): number {
  const { code } = source;
  const limit = Math.min(code.length, from + VALUE_LIMIT);
  let at = skipSpace(code, from, limit);
  while (at < limit) {
    const char = code[at] ?? "";
    if (char === ";" || char === "," || char === ")" || char === "]" || char === "}") break;
    if (char === "\n") {
      const next = code[skipSpace(code, at, limit)] ?? "";
      const last = code[lastBefore(code, at)] ?? "";
      if (!/[?:+|&.)\]]/.test(next) && !/[=+?:|&(]/.test(last)) break;
    }
    const after = skipGroup(source, at, limit);
    at = after === at ? at + 1 : after;
  }
  return at;
}
