/**
 * Decodes string literals of JavaScript and Python, which are passed without their quotes, and character references of
 * markup; escapes text for literals. php-strings.ts decodes those of PHP.
 */
import type { Span } from "../../util/span.ts";

const JS_ESCAPE = /\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-3]?[0-7]{1,2}|[\s\S])/g;
const PYTHON_ESCAPE = /\\(U[0-9a-fA-F]{8}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-7]{1,3}|[abfnrtv\\'"\n])/g;
const JS_CHARACTERS = {
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  f: "\f",
  b: "\b",
  "\n": "",
};
const PYTHON_CHARACTERS = { ...JS_CHARACTERS, a: "\u0007" };

/** Returns the value of a JavaScript string or of the literal part of a template. */
export function unescapeJavaScript(raw: string): string {
  return decodeEscapes(withLineFeeds(raw), JS_ESCAPE, JS_CHARACTERS);
}

/** Returns the value of a Python string. Unknown escapes keep their backslash; raw strings have no escapes. */
export function unescapePython(text: string, isRaw: boolean): string {
  const read = withLineFeeds(text);
  return isRaw ? read : decodeEscapes(read, PYTHON_ESCAPE, PYTHON_CHARACTERS);
}

/** Both languages read every line end in a literal as a line feed, whatever the file has. */
function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

/** @param characters values of the letters that stand for another character */
function decodeEscapes(raw: string, escapes: RegExp, characters: Readonly<Record<string, string>>): string {
  if (!raw.includes("\\")) return raw;
  return raw.replaceAll(escapes, (_, escape: string) => {
    const hex = /^[uUx]\{?([0-9a-fA-F]+)/.exec(escape)?.[1];
    if (hex !== undefined) return characterOf(hex, 16) ?? "\ufffd";
    return /^[0-7]/.test(escape) ? (characterOf(escape, 8) ?? "") : (characters[escape] ?? escape);
  });
}

/** Returns the character with this code point; `undefined` if it is none. */
function characterOf(digits: string, base: number): string | undefined {
  const codePoint = Number.parseInt(digits, base);
  return codePoint > 0x10_ffff ? undefined : String.fromCodePoint(codePoint);
}

/** Delimiter of a string literal. */
export type Quote = "'" | '"' | "`";

/**
 * Returns the quote around a key's range; `null` for anything but a plain literal (a concatenation, a selector, a
 * template with expressions).
 */
export function quoteAround(text: string, { start, end }: Span): Quote | null {
  const quote = text[start - 1];
  if (quote !== "'" && quote !== '"' && quote !== "`") return null;
  if (text[end] !== quote) return null;
  const inner = text.slice(start, end).replaceAll(/\\[\s\S]/g, "");
  return inner.includes(quote) || (quote === "`" && inner.includes("${")) ? null : quote;
}

/**
 * Escapes text for a literal with such quotes.
 * @param interpolating the quotes inside which `$` starts an interpolation
 */
export function quoted(text: string, quote: Quote, interpolating = '"`'): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  if (!interpolating.includes(quote)) return escaped;
  // Interpolations in double-quoted PHP strings and in templates.
  return escaped.replaceAll(/\$(?=[\w{\u0080-\uffff])|(?<=\{)\$/g, String.raw`\$`);
}

const NAMED_CHARACTERS: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  copy: "©",
  reg: "®",
  trade: "™",
  times: "×",
  rarr: "→",
  larr: "←",
  bull: "•",
  middot: "·",
  euro: "€",
};

/** Returns the text with its character references replaced; unknown ones are preserved. */
export function unescapeMarkup(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g,
    (reference: string, decimal?: string, hex?: string, name?: string) =>
      (name === undefined
        ? characterOf(decimal ?? hex ?? "", decimal === undefined ? 16 : 10)
        : NAMED_CHARACTERS[name]) ?? reference,
  );
}
