/**
 * How JavaScript writes names, texts and brackets, in the style of the file (quotes, names without quotes).
 */
import { skipJsonTrivia } from "../json/json-tree.ts";
import { unicodeEscape, type UnicodeHabits, withUnicodeEscapes } from "../unicode-escapes.ts";
import type { TreeStyle, TreeSyntax } from "../tree/tree-print.ts";

export const moduleSyntax: TreeSyntax = {
  skipTrivia: skipModuleTrivia,
  listsAreNameless: true,
  comments: "always",
  styleOf: moduleStyle,
};

/** After white space and comments. */
function skipModuleTrivia(text: string, offset: number): number {
  let at = skipJsonTrivia(text, offset);
  while (at < text.length && /\s/u.test(text[at] ?? "")) at = skipJsonTrivia(text, at + 1);
  return at;
}

type Quote = "'" | '"' | "`";

/** What a file does where the language leaves the choice. */
interface Habits extends UnicodeHabits {
  readonly quote: Quote;
  /** Names that need no quotes have them too. */
  readonly quotesNames: boolean;
  readonly newline: string;
}

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const WHOLE = /^(?:0|[1-9]\d{0,14})$/;
/** A quoted name that needs none, and one without quotes, at the start of a line or after a bracket or comma. */
const QUOTED_NAME = /(?:^|[{,])[ \t]*(["'])[A-Za-z_$][\w$]*\1[ \t]*:/gmu;
const BARE_NAME = /(?:^|[{,])[ \t]*[A-Za-z_$][\w$]*[ \t]*:/gmu;
/** A quote that stands where a value begins. */
const VALUE_QUOTE = /[:(=[,]\s?(["'`])/gu;

function moduleStyle(text: string): TreeStyle {
  const habits = habitsOf(text);
  return {
    unit: "  ",
    trailingComma: true,
    value: (value, like) => literal(value, like, habits),
    head: (name, like) => head(name, like, habits),
    brackets: (_, list) => (list ? ["[", "]"] : ["{", "}"]),
  };
}

/** Counted in the file's beginning, which is as good as all of it. */
const LOOKED_AT = 65_536;

function habitsOf(text: string): Habits {
  const start = text.slice(0, LOOKED_AT);
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

/** A literal in the quotes of the one that it replaces or stands beside. */
function literal(value: string, like: string | null, habits: Habits): string {
  const old = like?.[0];
  if (old === "`") return template(value, like ?? "", habits);
  if (old === '"' || old === "'") return quoted(value, old, like, habits);
  if (habits.quote === "`") return template(value, "", habits);
  return quoted(value, habits.quote, null, habits);
}

/** Control characters, lone halves of pairs, and line ends that look like blanks. */
const NEVER_RAW = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff]/gu;
const SHORT: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\v", "\\v"],
]);

function quoted(value: string, quote: '"' | "'", like: string | null, habits: Habits): string {
  const raw = value.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  return quote + escaped(raw, like, habits) + quote;
}

/** Line ends stand as they are, unless the old text had them escaped. */
function template(value: string, like: string, habits: Habits): string {
  const raw = value.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
  if (/\\n/u.test(like) && !/[\r\n]/u.test(like)) return `\`${escaped(raw, like, habits)}\``;
  const lines = raw.split("\n").map((line) => escaped(line, like, habits));
  return `\`${lines.join(habits.newline)}\``;
}

/** What cannot or should not stand as it is, as the file writes such characters. */
function escaped(raw: string, like: string | null, habits: Habits): string {
  const rawTab = like?.includes("\t") === true;
  const written = raw.replaceAll(NEVER_RAW, (char) => {
    if (char === "\t" && rawTab) return char;
    return SHORT.get(char) ?? unicodeEscape(char, habits);
  });
  return withUnicodeEscapes(written, like, habits);
}

/** `name: `, with quotes where the name needs them or its neighbours have them. */
function head(name: string, like: readonly string[], habits: Habits): string {
  const colon = like.flatMap((each) => /[ \t]*:[ \t]*$/u.exec(each)?.[0] ?? [])[0] ?? ": ";
  // As a plain name it would be what the object inherits.
  if (name === "__proto__") return `["__proto__"]${colon}`;
  const likeQuote = like.flatMap((each) => /^["']/u.exec(each)?.[0] ?? [])[0];
  const quote = (likeQuote ?? (habits.quote === "`" ? "'" : habits.quote)) as '"' | "'";
  const bareNeighbours = like.some((each) => /^[\p{ID_Start}$_]/u.test(each));
  const bareNumbers = like.some((each) => /^\d/u.test(each));
  const isBare =
    (NAME.test(name) && (bareNeighbours || !habits.quotesNames)) || (WHOLE.test(name) && bareNumbers);
  return (isBare ? name : quoted(name, quote, null, habits)) + colon;
}
