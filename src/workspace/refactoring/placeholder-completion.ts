/**
 * Where a call gives values for the placeholders of its text: the names of an options object or of a PHP array. Only
 * says what of a name is typed at a place and which names are there already; what names there are is not known here.
 */
import type { Span } from "../../model/span.ts";
import { quoteAround } from "../../scanners/lexers/quotes.ts";

/** A name that is being typed. */
export interface ReplacementPlace {
  /** What is typed of it so far, to be replaced. */
  readonly span: Span;
  /** The quote that it stands in; `null`: none yet. */
  readonly quote: "'" | '"' | null;
  /** Names that have a value already. */
  readonly given: ReadonlySet<string>;
  /** How an entry goes on behind its name. */
  readonly way: "object" | "array";
  /** The quote for a name that needs one: that of the key, which ends no attribute around the call. */
  readonly ownQuote: "'" | '"';
}

/** The entry of a name where nothing of it is there yet, up to its value. */
export function entryStart(name: string, { way, ownQuote }: ReplacementPlace): string {
  const literal = `${ownQuote}${name}${ownQuote}`;
  if (way === "array") return `${literal} => `;
  return `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal}: `;
}

/** Calls are not longer than this. UTF-16 units. */
const MAX_LENGTH = 4_000;

/** Whether a name could be typed here at all, from the text before: a cheap question before a dear one. */
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
  /** Where the entry that is being read begins. */
  entry: number;
  readonly given: Set<string>;
}

/** The name at the offset, in the last object or array that follows the key; `null`: none is typed there. */
export function replacementPlace(
  text: string,
  call: Span,
  key: Span,
  offset: number,
): ReplacementPlace | null {
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
    way: inner.char === "{" ? "object" : "array",
    ownQuote: quoteAround(text, key) === '"' ? '"' : "'",
  };
}

/** An object or array that is an argument of the call itself, or the `values` of a component. */
function isReplacement(text: string, open: readonly Bracket[]): boolean {
  const [inner, around] = [open.at(-1), open.at(-2)];
  if (inner === undefined) return false;
  if (inner.char === "(") {
    return open.length === 2 && /\barray$/.test(text.slice(Math.max(0, inner.at - 6), inner.at));
  }
  // Not `$names["…"]`, which is a value.
  if (open.length === 2 && around?.char === "(") return /[(,:]\s*$/.test(text.slice(around.at, inner.at));
  return open.length === 2 && around?.char === "{" && /values=$/.test(text.slice(around.at - 7, around.at));
}

function endEntry(text: string, open: readonly Bracket[], at: number): void {
  const inner = open.at(-1);
  if (inner === undefined) return;
  const name = nameOf(text.slice(inner.entry, at));
  if (name !== null) inner.given.add(name);
  inner.entry = at + 1;
}

/** What follows in the same object counts too. */
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
  const name = nameOf(entry);
  if (name !== null) inner.given.add(name);
}

function nameOf(entry: string): string | null {
  const found = /^\s*(?:'([^']*)'|"([^"]*)"|([A-Za-z_$][\w$]*))\s*(?:=>|:|$)/.exec(entry);
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? null);
}

function nameStart(text: string, offset: number): number {
  let start = offset;
  while (/[\w$]/.test(text[start - 1] ?? "")) start--;
  return start;
}
