/** Finds the receiver of a call in JavaScript: the names before its last dot. */
import { isWord, lastBefore, wordStart } from "../lexers/characters.ts";
import type { Source } from "../lexed-source.ts";

/** The receiver of a call: `i18n.global` in `i18n.global.t(`; `null` if there is none. */
export interface Receiver {
  readonly start: number;
  /** Names joined by dots; empty for anything but plain names (a call or index). */
  readonly path: string;
}

/** Returns the receiver before the name at `nameStart`, across line breaks and `?.`. */
export function receiverBefore(source: Source, nameStart: number): Receiver | null {
  const { code } = source;
  const names: string[] = [];
  let offset = nameStart;
  for (let steps = 0; steps < 6; steps++) {
    const dot = lastBefore(code, offset);
    if (code[dot] !== "." || code[dot - 1] === ".") break;
    const before = code[dot - 1] === "?" ? dot - 1 : dot;
    let end = lastBefore(code, before) + 1;
    if (code[end - 1] === "!") end--;
    const wrapped = code[end - 1] === ")" ? wrappedName(source, end - 1) : null;
    if (wrapped !== null) return { start: wrapped.open, path: [wrapped.path, ...names].join(".") };
    const start = wordStart(code, end);
    if (start === end) return { start: names.length === 0 ? nameStart : offset, path: names.join(".") };
    names.unshift(code.slice(start, end));
    offset = start;
  }
  return names.length === 0 ? null : { start: offset, path: names.join(".") };
}

/** A name in parentheses, as type assertions require: `(i18n.t as any)`, `(<any>t)`. */
export interface WrappedName {
  /** Offset of the opening parenthesis. */
  readonly open: number;
  /** Offset of the last name. */
  readonly start: number;
  readonly end: number;
  /** All names, joined by dots. */
  readonly path: string;
}

const WRAPPED =
  /^(\s*(?:<[^()=;]{1,200}>\s*)?)((?:[\w$]+\s*[?!]?\.\s*){0,5})([\w$]+)\s*!?\s*(?:(?:as|satisfies)\b[\s\S]*)?$/;
const WRAPPED_LIMIT = 400;
const BEFORE_PARENTHESIS = new Set([
  "return",
  "await",
  "yield",
  "typeof",
  "void",
  "case",
  "else",
  "default",
  "in",
  "of",
]);

/** Returns the name in the parentheses that end at `close`; `null` for anything else, or the arguments of a call. */
export function wrappedName(source: Source, close: number): WrappedName | null {
  const { code, brackets } = source;
  const open = brackets.enclosing(close);
  if (open === -1 || brackets.closing(open) !== close || close - open > WRAPPED_LIMIT) return null;
  const found = isCallParenthesis(code, open) ? null : WRAPPED.exec(code.slice(open + 1, close));
  if (found === null) return null;
  const [, types = "", objects = "", name = ""] = found;
  const start = open + 1 + types.length + objects.length;
  const path = `${objects}${name}`.replaceAll(/[\s?!]/g, "");
  return { open, start, end: start + name.length, path };
}

/** Whether the parenthesis at `open` starts call arguments or a condition rather than an expression. */
export function isCallParenthesis(code: string, open: number): boolean {
  const before = lastBefore(code, open);
  if (isWord(code.charCodeAt(before))) {
    return !BEFORE_PARENTHESIS.has(code.slice(wordStart(code, before + 1), before + 1));
  }
  return code[before] === ")" || code[before] === "]";
}
