/** How JavaScript writes names, texts and brackets, in the style of the file (quotes, unquoted names). */
import { skipJsonTrivia } from "../json/json-parser.ts";
import { unicodeEscape, type UnicodeEscapeStyle, withUnicodeEscapes } from "../text/unicode-escapes.ts";
import type { TreeStyle, TreeSyntax } from "../object-tree/tree-serializer.ts";

export const moduleSyntax: TreeSyntax = {
  skipTrivia: skipModuleTrivia,
  hasNamelessLists: true,
  comments: "always",
  styleOf: moduleStyle,
};

/** Returns the offset after white space and comments. */
function skipModuleTrivia(text: string, offset: number): number {
  let at = skipJsonTrivia(text, offset);
  while (at < text.length && /\s/u.test(text[at] ?? "")) at = skipJsonTrivia(text, at + 1);
  return at;
}

type Quote = "'" | '"' | "`";

/** A file's choices where the language leaves some. */
interface LiteralStyle extends UnicodeEscapeStyle {
  readonly quote: Quote;
  /** Whether names are quoted even if they need no quotes. */
  readonly quotesNames: boolean;
  readonly newline: string;
}

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const WHOLE = /^(?:0|[1-9]\d{0,14})$/;
/** A name that is quoted needlessly, and an unquoted one, at the start of a line or after a bracket or comma. */
const QUOTED_NAME = /(?:^|[{,])[ \t]*(["'])[A-Za-z_$][\w$]*\1[ \t]*:/gmu;
const BARE_NAME = /(?:^|[{,])[ \t]*[A-Za-z_$][\w$]*[ \t]*:/gmu;
/** A quote at the start of a value. */
const VALUE_QUOTE = /[:(=[,]\s?(["'`])/gu;

function moduleStyle(text: string): TreeStyle {
  const style = literalStyleOf(text);
  return {
    unit: "  ",
    trailingComma: true,
    value: (value, example) => literal(value, example, style),
    head: (name, examples) => head(name, examples, style),
    brackets: (_, isList) => (isList ? ["[", "]"] : ["{", "}"]),
  };
}

/** Maximum length of the sample from which the style is determined, in UTF-16 units. */
const MAX_SAMPLE_LENGTH = 65_536;

function literalStyleOf(text: string): LiteralStyle {
  const start = text.slice(0, MAX_SAMPLE_LENGTH);
  const counts: Record<Quote, number> = { '"': 0, "'": 0, "`": 0 };
  for (const [, quote] of start.matchAll(VALUE_QUOTE)) counts[quote as Quote]++;
  const bare = start.match(BARE_NAME)?.length ?? 0;
  const quoted = start.match(QUOTED_NAME)?.length ?? 0;
  const quote = counts["'"] > counts['"'] ? "'" : '"';
  return {
    quote: counts["`"] > counts[quote] ? "`" : quote,
    ascii: /\\u[0-9A-Fa-f]{4}/u.test(start) && !/[\u0080-\uffff]/.test(text),
    upperHex: /\\u(?=[0-9A-F]{4})[0-9]*[A-F]/u.test(start),
    quotesNames: quoted > bare,
    newline: start.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** Returns a literal in the quotes of the one that it replaces or is inserted next to. */
function literal(value: string, example: string | null, style: LiteralStyle): string {
  const old = example?.[0];
  if (old === "`") return template(value, example ?? "", style);
  if (old === '"' || old === "'") return quoted(value, old, example, style);
  if (style.quote === "`") return template(value, "", style);
  return quoted(value, style.quote, null, style);
}

/** Control characters, lone surrogates, and invisible line separators. */
const NEVER_RAW = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff]/gu;
const SHORT: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\v", "\\v"],
]);

function quoted(value: string, quote: '"' | "'", example: string | null, style: LiteralStyle): string {
  const raw = value.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  return quote + escaped(raw, example, style) + quote;
}

/** Line ends are written as they are, unless the old text has them escaped. */
function template(value: string, example: string, style: LiteralStyle): string {
  const raw = value.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
  if (/\\n/u.test(example) && !/[\r\n]/u.test(example)) return `\`${escaped(raw, example, style)}\``;
  const lines = raw.split("\n").map((line) => escaped(line, example, style));
  return `\`${lines.join(style.newline)}\``;
}

/** Escapes what cannot or should not be written as it is, in the style of the file. */
function escaped(raw: string, example: string | null, style: LiteralStyle): string {
  const rawTab = example?.includes("\t") === true;
  const written = raw.replaceAll(NEVER_RAW, (char) => {
    if (char === "\t" && rawTab) return char;
    return SHORT.get(char) ?? unicodeEscape(char, style);
  });
  return withUnicodeEscapes(written, example, style);
}

/** Returns `name: `, quoted if the name requires it or its neighbours are quoted. */
function head(name: string, examples: readonly string[], style: LiteralStyle): string {
  const colon = examples.flatMap((each) => /[ \t]*:[ \t]*$/u.exec(each)?.[0] ?? [])[0] ?? ": ";
  // Uncomputed, it would set the prototype.
  if (name === "__proto__") return `["__proto__"]${colon}`;
  const neighbourQuote = examples.flatMap((each) => /^["']/u.exec(each)?.[0] ?? [])[0];
  const quote = (neighbourQuote ?? (style.quote === "`" ? "'" : style.quote)) as '"' | "'";
  const hasBareNeighbours = examples.some((each) => /^[\p{ID_Start}$_]/u.test(each));
  const hasBareNumbers = examples.some((each) => /^\d/u.test(each));
  const isBare =
    (NAME.test(name) && (hasBareNeighbours || !style.quotesNames)) || (WHOLE.test(name) && hasBareNumbers);
  return (isBare ? name : quoted(name, quote, null, style)) + colon;
}
