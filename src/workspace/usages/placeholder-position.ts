/**
 * Finds the position of a placeholder name in the options object or PHP array of a call: the typed part and the names
 * already present. Independent of the available names.
 */
import type { Span } from "../../util/span.ts";
import { wordEnd, wordStart } from "../../scanners/lexers/characters.ts";
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
  /** The names of the other entries. */
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
  const quoteAt = readBrackets(text, call.start, offset, open);
  const inner = open.at(-1);
  if (inner === undefined || inner.at < key.end || !isReplacement(text, open)) return null;
  const quote = quoteAt === -1 ? null : text[quoteAt];
  if (quote === "`") return null;
  const start = quote === null ? wordStart(text, offset) : quoteAt + 1;
  if (text.slice(inner.entry, quote === null ? start : quoteAt).trim() !== "") return null;
  const end = wordEnd(text, offset);
  const rest = /^[^\s"'`,()[\]{}]*/.exec(text.slice(end, end + MAX_LENGTH))?.[0].length ?? 0;
  inner.entry = text[end + rest] === quote ? end + rest + 1 : end;
  readBrackets(text, inner.entry, inner.entry + MAX_LENGTH, open, inner);
  return {
    span: { start, end },
    quote: quote === "'" || quote === '"' ? quote : null,
    given: inner.given,
    syntax: inner.char === "{" ? "object" : "array",
    ownQuote: quoteAround(text, key) === '"' ? '"' : "'",
  };
}

/**
 * Reads a range up to the end of a bracket, and keeps the open brackets with the names of their entries. Returns the
 * offset of the quote that is open at the end of the range; -1 if none is.
 */
function readBrackets(text: string, from: number, to: number, open: Bracket[], until?: Bracket): number {
  let quoteAt = -1;
  for (let at = from; at < Math.min(to, text.length); at++) {
    const char = text.charAt(at);
    if (quoteAt !== -1) {
      if (char === "\\") at++;
      else if (char === text[quoteAt]) quoteAt = -1;
    } else if (/["'`]/.test(char)) quoteAt = at;
    else if (/[([{]/.test(char)) open.push({ at, char, entry: at + 1, given: new Set() });
    else if (/[)\]},]/.test(char)) {
      const inner = open.at(-1);
      if (inner !== undefined) endEntry(text, inner, at);
      if (char === ",") continue;
      open.pop();
      if (inner === until) break;
    }
  }
  return quoteAt;
}

function endEntry(text: string, inner: Bracket, at: number): void {
  const entry = text.slice(inner.entry, at);
  const found = /^\s*(?:'([^']*)'|"([^"]*)"|([A-Za-z_$][\w$]*))\s*(?:=>|:|$)/.exec(entry);
  const name = found?.[1] ?? found?.[2] ?? found?.[3];
  if (name !== undefined) inner.given.add(name);
  inner.entry = at + 1;
}

/** Whether the object or array is an argument of the call, or the `values` of a component. */
function isReplacement(text: string, [around, inner, ...others]: readonly Bracket[]): boolean {
  if (around === undefined || inner === undefined || others.length > 0) return false;
  const before = text.slice(around.at, inner.at);
  if (inner.char === "(") return /\barray$/.test(before);
  // Excludes `$names["…"]`, which is an expression.
  if (around.char === "(") return /[(,:]\s*$/.test(before);
  return around.char === "{" && text.slice(0, around.at).endsWith("values=");
}
