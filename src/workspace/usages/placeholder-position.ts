/**
 * Finds the position of a placeholder name in the options object or PHP array of a call: the typed part and the names
 * already present. Independent of the available names.
 */
import type { Span } from "../../model/span.ts";
import { quoteAround } from "../../scanners/lexers/literals.ts";

/** A placeholder name that is being typed. */
export interface ReplacementPosition {
  /** The typed part, to be replaced. */
  readonly span: Span;
  /** The surrounding quote; `null` if there is none. */
  readonly quote: "'" | '"' | null;
  /** Names that already have a value. */
  readonly given: ReadonlySet<string>;
  /** The syntax of entries. */
  readonly syntax: "object" | "array";
  /** The quote to use for names: that of the key, which cannot end a surrounding attribute. */
  readonly ownQuote: "'" | '"';
}

/** Returns the start of a new entry, up to its value. */
export function entryStart(name: string, { syntax, ownQuote }: ReplacementPosition): string {
  const literal = `${ownQuote}${name}${ownQuote}`;
  if (syntax === "array") return `${literal} => `;
  return `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal}: `;
}

/** Maximum length of a call. UTF-16 units. */
const MAX_LENGTH = 4_000;

/** Whether a name may be typed here, by the preceding text; a cheap check before `replacementPlace`. */
export function mayBeReplacement(before: string): boolean {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    const char = before[at] ?? "";
    if (char === ")" || char === "]" || char === "}") depth++;
    else if (char === "(" || char === "[" || char === "{") {
      if (depth-- > 0) continue;
      if (char === "(") return /,\s*array$/.test(before.slice(0, at));
      const ahead = before.slice(0, at).trimEnd();
      return /,$|,\s*\w+:$|\bvalues=\{$/.test(ahead);
    }
  }
  return false;
}

interface Bracket {
  readonly at: number;
  readonly char: string;
  /** The start of the current entry. */
  entry: number;
  readonly given: Set<string>;
}

/** Returns the name at the offset in the last object or array after the key; `null` if there is none. */
export function replacementPosition(
  text: string,
  call: Span,
  key: Span,
  offset: number,
): ReplacementPosition | null {
  if (offset <= key.end || offset > call.end || offset - call.start > MAX_LENGTH) return null;
  const open: Bracket[] = [];
  let quote: string | null = null;
  let quoteAt = 0;
  for (let at = call.start; at < offset; at++) {
    const char = text[at] ?? "";
    if (quote !== null) {
      if (char === "\\") at++;
      else if (char === quote) quote = null;
    } else if (char === "'" || char === '"' || char === "`") {
      quote = char;
      quoteAt = at;
    } else if (char === "(" || char === "[" || char === "{") {
      open.push({ at, char, entry: at + 1, given: new Set() });
    } else if (char === ")" || char === "]" || char === "}") open.pop();
    else if (char === "," && open.length > 0) endEntry(text, open, at);
  }
  const inner = open.at(-1);
  if (inner === undefined || inner.at < key.end || !isReplacement(text, open)) return null;
  if (quote === "`" || (quote !== null && !/^\s*$/.test(text.slice(inner.entry, quoteAt)))) return null;
  const start = quote === null ? nameStart(text, offset) : quoteAt + 1;
  if (quote === null && !/^\s*$/.test(text.slice(inner.entry, start))) return null;
  let end = offset;
  while (/[\w$]/.test(text[end] ?? "")) end++;
  givenAfter(text, end, inner);
  return {
    span: { start, end },
    quote: quote === null ? null : (quote as "'" | '"'),
    given: inner.given,
    syntax: inner.char === "{" ? "object" : "array",
    ownQuote: quoteAround(text, key) === '"' ? '"' : "'",
  };
}

/** Whether the object or array is an argument of the call, or the `values` of a component. */
function isReplacement(text: string, open: readonly Bracket[]): boolean {
  const [inner, around] = [open.at(-1), open.at(-2)];
  if (inner === undefined) return false;
  if (inner.char === "(") {
    return open.length === 2 && /\barray$/.test(text.slice(Math.max(0, inner.at - 6), inner.at));
  }
  // Excludes `$names["…"]`, which is an expression.
  if (open.length === 2 && around?.char === "(") return /[(,:]\s*$/.test(text.slice(around.at, inner.at));
  return open.length === 2 && around?.char === "{" && /values=$/.test(text.slice(around.at - 7, around.at));
}

function endEntry(text: string, open: readonly Bracket[], at: number): void {
  const inner = open.at(-1);
  if (inner === undefined) return;
  addName(inner, text.slice(inner.entry, at));
  inner.entry = at + 1;
}

/** Adds the names that follow in the same object. */
function givenAfter(text: string, from: number, inner: Bracket): void {
  const rest = text.slice(from, from + MAX_LENGTH);
  let depth = 0;
  let entry = -1;
  for (let at = 0; at < rest.length; at++) {
    const char = rest[at] ?? "";
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char) && depth-- === 0) {
      if (entry !== -1) addName(inner, rest.slice(entry, at));
      return;
    } else if (char === "," && depth === 0) {
      if (entry !== -1) addName(inner, rest.slice(entry, at));
      entry = at + 1;
    }
  }
}

function addName(inner: Bracket, entry: string): void {
  const found = /^\s*(?:'([^']*)'|"([^"]*)"|([A-Za-z_$][\w$]*))\s*(?:=>|:|$)/.exec(entry);
  const name = found?.[1] ?? found?.[2] ?? found?.[3];
  if (name !== undefined) inner.given.add(name);
}

function nameStart(text: string, offset: number): number {
  let start = offset;
  while (/[\w$]/.test(text[start - 1] ?? "")) start--;
  return start;
}
