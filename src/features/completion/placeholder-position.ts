/**
 * Finds the position of a placeholder name in the options object or PHP array of a call: the typed part and the names
 * already present. Independent of the available names.
 */
import type { Span } from "../../util/span.ts";
import { wordEnd, wordStart } from "../../scanners/lexers/characters.ts";
import { quoteAround } from "../../scanners/lexers/string-literals.ts";

/** A placeholder name that is being typed. */
export interface PlaceholderPosition {
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
export function entryStart(name: string, { syntax, ownQuote }: PlaceholderPosition): string {
  const literal = `${ownQuote}${name}${ownQuote}`;
  if (syntax === "array") return `${literal} => `;
  return `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal}: `;
}

/** Maximum length of a call. UTF-16 units. */
const MAX_LENGTH = 4_000;

/** Whether a name may be typed here, by the preceding text; a cheap check before `placeholderPosition`. */
export function mayBePlaceholderName(before: string): boolean {
  let depth = 0;
  for (let offset = before.length - 1; offset >= 0; offset--) {
    const char = before[offset] ?? "";
    if (char === ")" || char === "]" || char === "}") depth++;
    else if (char === "(" || char === "[" || char === "{") {
      if (depth-- > 0) continue;
      if (char === "(") return /,\s*array$/.test(before.slice(0, offset));
      const ahead = before.slice(0, offset).trimEnd();
      return /,$|,\s*\w+:$|\bvalues=\{$/.test(ahead);
    }
  }
  return false;
}

interface Bracket {
  readonly offset: number;
  readonly char: string;
  /** The start of the current entry. */
  entryStart: number;
  /** The names of the other entries. */
  readonly given: Set<string>;
}

/** Returns the name at the offset in the last object or array after the key; `null` if there is none. */
export function placeholderPosition(
  text: string,
  call: Span,
  key: Span,
  offset: number,
): PlaceholderPosition | null {
  if (offset <= key.end || offset > call.end || offset - call.start > MAX_LENGTH) return null;
  const open: Bracket[] = [];
  const quoteStart = readBrackets(text, call.start, offset, open);
  const innermost = open.at(-1);
  if (innermost === undefined || innermost.offset < key.end || !isPlaceholderObject(text, open)) return null;
  const quote = quoteStart === -1 ? null : text[quoteStart];
  if (quote === "`") return null;
  const start = quote === null ? wordStart(text, offset) : quoteStart + 1;
  if (text.slice(innermost.entryStart, quote === null ? start : quoteStart).trim() !== "") return null;
  const end = wordEnd(text, offset);
  const rest = /^[^\s"'`,()[\]{}]*/.exec(text.slice(end, end + MAX_LENGTH))?.[0].length ?? 0;
  innermost.entryStart = text[end + rest] === quote ? end + rest + 1 : end;
  readBrackets(text, innermost.entryStart, innermost.entryStart + MAX_LENGTH, open);
  return {
    span: { start, end },
    quote: quote === "'" || quote === '"' ? quote : null,
    given: innermost.given,
    syntax: innermost.char === "{" ? "object" : "array",
    ownQuote: quoteAround(text, key) === '"' ? '"' : "'",
  };
}

/**
 * Reads a range, and keeps the open brackets with the names of their entries. Returns the offset of the quote that is open
 * at its end; -1 if none is.
 */
function readBrackets(text: string, from: number, to: number, open: Bracket[]): number {
  let quoteStart = -1;
  for (let offset = from; offset < Math.min(to, text.length); offset++) {
    const char = text.charAt(offset);
    if (quoteStart !== -1) {
      if (char === "\\") offset++;
      else if (char === text[quoteStart]) quoteStart = -1;
    } else if (/["'`]/.test(char)) quoteStart = offset;
    else if (/[([{]/.test(char)) open.push({ offset, char, entryStart: offset + 1, given: new Set() });
    else if (/[)\]},]/.test(char)) {
      const innermost = open.at(-1);
      if (innermost !== undefined) recordEntry(text, innermost, offset);
      if (char !== ",") open.pop();
    }
  }
  return quoteStart;
}

function recordEntry(text: string, innermost: Bracket, offset: number): void {
  const entry = text.slice(innermost.entryStart, offset);
  const found = /^\s*(?:'([^']*)'|"([^"]*)"|([A-Za-z_$][\w$]*))\s*(?:=>|:|$)/.exec(entry);
  const name = found?.[1] ?? found?.[2] ?? found?.[3];
  if (name !== undefined) innermost.given.add(name);
  innermost.entryStart = offset + 1;
}

/** Whether the object or array is an argument of the call, or the `values` of a component. */
function isPlaceholderObject(text: string, [outermost, innermost, ...others]: readonly Bracket[]): boolean {
  if (outermost === undefined || innermost === undefined || others.length > 0) return false;
  const before = text.slice(outermost.offset, innermost.offset);
  if (innermost.char === "(") return /\barray$/.test(before);
  // Excludes `$names["…"]`, which is an expression.
  if (outermost.char === "(") return /[(,:]\s*$/.test(before);
  return outermost.char === "{" && text.slice(0, outermost.offset).endsWith("values=");
}
