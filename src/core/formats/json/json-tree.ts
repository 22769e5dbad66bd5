/** How JSON writes names, texts and brackets, in the habits of the file at hand (`\/`, `\u00e9`). */
import { type UnicodeHabits, withUnicodeEscapes } from "../unicode-escapes.ts";
import type { TreeStyle, TreeSyntax } from "../tree/tree-print.ts";

/** The syntax; `unit` is one level of indentation where the file shows none. */
export function jsonSyntax(unit: string): TreeSyntax {
  return {
    skipTrivia: skipJsonTrivia,
    listsAreNameless: true,
    comments: "if-present",
    styleOf: (text) => jsonStyle(text, unit),
  };
}

/** After white space and comments. */
export function skipJsonTrivia(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d) {
      at++;
    } else if (code === 0x2f && text[at + 1] === "/") {
      while (at < text.length && text[at] !== "\n" && text[at] !== "\r") at++;
    } else if (code === 0x2f && text[at + 1] === "*") {
      const end = text.indexOf("*/", at + 2);
      at = end < 0 ? text.length : end + 2;
    } else {
      return at;
    }
  }
}

/** Which escapes a file uses where JSON leaves the choice. */
interface Escapes extends UnicodeHabits {
  readonly slash: boolean;
  /** Those of `<>&'"` that never stand there as they are, and how they do (PHP's `JSON_HEX_TAG` and its kin). */
  readonly signs: readonly (readonly [sign: string, escape: string])[];
}

function jsonStyle(text: string, unit: string): TreeStyle {
  const escapes = escapesOf(text);
  return {
    unit,
    trailingComma: false,
    value: (value, like) => jsonLiteral(value, like, escapes),
    head: (name, [like]) => jsonLiteral(name, null, escapes) + (/\s*:\s*$/.exec(like ?? "")?.[0] ?? ": "),
    brackets: (_, list) => (list ? ["[", "]"] : ["{", "}"]),
  };
}

// Each backslash before these must be one of an escape, not the second of `\\\\`.
const SLASH = /(?<!\\)(?:\\\\)*\\\//;
const UNICODE = /(?<!\\)(?:\\\\)*\\u[0-9A-Fa-f]{4}/;
// PHP writes `\u003C` beside `\u00e9`.
const UPPER_HEX = /(?<!\\)(?:\\\\)*\\u(?!003[CE])(?=[0-9A-F]{4})[0-9]{0,3}[A-F]/;

/** What a text of a page is not to hold as it is, and each of them as an escape. */
const SIGNS = [
  ["<", /(?<!\\)(?:\\\\)*\\u003c/i],
  [">", /(?<!\\)(?:\\\\)*\\u003e/i],
  ["&", /(?<!\\)(?:\\\\)*\\u0026/],
  ["'", /(?<!\\)(?:\\\\)*\\u0027/],
  ['"', /(?<!\\)(?:\\\\)*\\u0022/],
] as const;
const QUOTE = /(?<!\\)(?:\\\\)*\\"/;

function signIn(text: string, sign: string, escape: RegExp): [string, string][] {
  const found = escape.exec(text)?.[0].slice(-6);
  const isRaw = sign === '"' ? QUOTE.test(text) : text.includes(sign);
  return found === undefined || isRaw ? [] : [[sign, found]];
}

function escapesOf(text: string): Escapes {
  const unicode = UNICODE.test(text);
  return {
    slash: SLASH.test(text),
    ascii: unicode && !/[\u0080-\uffff]/.test(text),
    upperHex: UPPER_HEX.test(text),
    signs: unicode ? SIGNS.flatMap(([sign, escape]) => signIn(text, sign, escape)) : [],
  };
}

/** A literal; where the one that it replaces tells how `/` or a character is written, that holds. */
function jsonLiteral(value: string, like: string | null, escapes: Escapes): string {
  const slash = like?.includes("/") === true ? SLASH.test(like) : escapes.slash;
  const literal = JSON.stringify(value);
  let written = withUnicodeEscapes(slash ? literal.replaceAll("/", "\\/") : literal, like, escapes);
  for (const [sign, escape] of escapes.signs) {
    written =
      sign === '"'
        ? `"${written.slice(1, -1).replaceAll(/\\[^]/g, (pair) => (pair === '\\"' ? escape : pair))}"`
        : written.replaceAll(sign, escape);
  }
  return written;
}
