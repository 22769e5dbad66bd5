/**
 * Finds the placeholders of a text by family: Laravel's `:name`, i18next's `{{name}}`, ICU's and vue-i18n's `{name}`,
 * printf's `%s` and `%1$d`, Symfony's `%name%`. placeholder-checks.ts judges differences.
 */
import type { Placeholder } from "./placeholder.ts";
import { parseIcuSyntax } from "./icu-syntax.ts";
import { type FormatString, parseBraces, parseFormatString, type PrintfLanguage } from "./format-strings.ts";
import { getOrCreate } from "../util/maps.ts";
import { type Span, spanOf } from "../util/span.ts";
import { escapeRegExp } from "./translation-text.ts";

/**
 * - `colon`: `:name`; `double-braces`: `{{name}}`; `braces`: `{name}`, without quoting.
 * - `icu`: ICU messages; `icu-tags`: those in which tags are syntax.
 * - `printf`: directives of any language; `c-format` …: format strings of one language, which are valid or not.
 * - `verbatim`: whatever the code replaces, compared byte for byte: `%name%`, `{{ limit }}`.
 */
export type PlaceholderFamily =
  | "colon"
  | "double-braces"
  | "icu"
  | "icu-tags"
  | "braces"
  | "verbatim"
  | "printf"
  | FormatStringFamily
  | DelimitedFamily;

/** Names between delimiters that the project has chosen, encoded so that they have no colon. */
export type DelimitedFamily = `delimited:${string}:${string}`;

/** What is before and after a name. */
export interface Delimiters {
  readonly prefix: string;
  readonly suffix: string;
}

/** Returns the family of placeholders between these delimiters. */
export function delimitedFamily({ prefix, suffix }: Delimiters): DelimitedFamily {
  return `delimited:${encodeURIComponent(prefix)}:${encodeURIComponent(suffix)}`;
}

/** Returns whether the family is one of names between the project's own delimiters. */
export function isDelimitedFamily(family: PlaceholderFamily): family is DelimitedFamily {
  return family.startsWith("delimited:");
}

function delimitedPlaceholders(family: DelimitedFamily, text: string): Placeholder[] {
  const [prefix = "", suffix = ""] = family.split(":").slice(1).map(decodeURIComponent);
  const pattern = getOrCreate(delimitedPatterns, family, () => {
    // A name, and a format after a comma, as between the usual delimiters.
    const inside = String.raw`-?\s*([^\n,]{1,200}?)\s*(?:,[^\n]{0,200}?)?`;
    return new RegExp(`${escapeRegExp(prefix)}${inside}${escapeRegExp(suffix)}`, "gu");
  });
  return matchPlaceholders(text, pattern);
}

const delimitedPatterns = new Map<DelimitedFamily, RegExp>();

/** gettext's names of its kinds of format strings. */
export type FormatStringFamily =
  | "c-format"
  | "php-format"
  | "python-format"
  | "javascript-format"
  | "python-brace-format";

/** Returns all placeholders of the text in order, repeated ones included. Linear in the text's length. */
export function findPlaceholders(family: PlaceholderFamily, text: string): Placeholder[] {
  switch (family) {
    case "colon":
      // Accented letters occur in translated names; other letters do not belong to the name: `:name様` is `:name`.
      return matchPlaceholders(text, /(?<![\w:\\]):([A-Za-z_\u00c0-\u024f][\w\u00c0-\u024f]*)/gu);
    case "double-braces":
      return matchPlaceholders(text, /\{\{-?\s*([^{},]{1,200}?)\s*(?:,[^{}]{0,200})?\}\}/gu);
    case "icu":
    case "icu-tags":
      return icuArguments(text, family);
    case "braces":
      return bracedArguments(text);
    case "verbatim":
      return verbatimPlaceholders(text);
    case "printf":
      return printfDirectives(text);
    default:
      return isDelimitedFamily(family)
        ? delimitedPlaceholders(family, text)
        : [...parseFormat(family, text, text).arguments];
  }
}

const PRINTF_LANGUAGES: Readonly<Record<Exclude<FormatStringFamily, "python-brace-format">, PrintfLanguage>> =
  {
    "c-format": "c",
    "php-format": "php",
    "python-format": "python",
    "javascript-format": "javascript",
  };

/** Parses a format string: a source text, or the translation of `source`. */
export function parseFormat(family: FormatStringFamily, text: string, source?: string): FormatString {
  return family === "python-brace-format"
    ? parseBraces(text, source)
    : parseFormatString(PRINTF_LANGUAGES[family], text, source !== undefined);
}

/** Returns whether the family is one of format strings, which are valid or not. */
export function isFormatStringFamily(family: PlaceholderFamily): family is FormatStringFamily {
  return family.endsWith("-format");
}

/** Looks placeholders up by name; for Laravel, `:Name` and `:NAME` are `name` too. */
export class PlaceholderNames {
  readonly #family: PlaceholderFamily;
  readonly #byName = new Map<string, Placeholder[]>();

  constructor(family: PlaceholderFamily, placeholders: readonly Placeholder[]) {
    this.#family = family;
    for (const placeholder of placeholders) {
      const known = getOrCreate(this.#byName, this.#bucket(placeholder.name), () => []);
      if (!known.some((one) => one.name === placeholder.name && one.kind === placeholder.kind)) {
        known.push(placeholder);
      }
    }
  }

  /** Returns the placeholders of this name, one per spelling and kind. */
  named(name: string): readonly Placeholder[] {
    return (this.#byName.get(this.#bucket(name)) ?? []).filter((one) => this.#isSame(one.name, name));
  }

  has(name: string): boolean {
    return this.named(name).length > 0;
  }

  #bucket(name: string): string {
    return this.#family === "colon" ? name.toUpperCase() : name;
  }

  #isSame(a: string, b: string): boolean {
    if (a === b) return true;
    if (this.#family !== "colon") return false;
    return lowerFirst(a) === lowerFirst(b) || a === b.toUpperCase() || b === a.toUpperCase();
  }
}

/**
 * Returns the span of a misspelled placeholder: wrong case, stray spaces, or the delimiters of another family.
 * @param taken Sorted spans that are other placeholders: correct ones, and those already repaired.
 */
export function findMisspelled(
  family: PlaceholderFamily,
  text: string,
  wanted: Placeholder,
  taken: readonly Span[],
): Span | undefined {
  let next = 0;
  for (const match of text.matchAll(misspelledPattern(family, wanted))) {
    const span = spanOf(match);
    while ((taken[next]?.end ?? Number.POSITIVE_INFINITY) <= span.start) next++;
    if ((taken[next]?.start ?? Number.POSITIVE_INFINITY) >= span.end) return span;
  }
  return undefined;
}

function misspelledPattern(family: PlaceholderFamily, { name, text }: Placeholder): RegExp {
  const escaped = escapeRegExp(name);
  const blanks = String.raw`[ \u00a0]*`;
  const inBraces = String.raw`\{{1,3}${blanks}-?${blanks}${escaped}${blanks}\}{1,3}|%${escaped}%`;
  if (!isPrintf(family)) return new RegExp(String.raw`[:：]${blanks}${escaped}(?!\w)|${inBraces}`, "giu");
  // Another letter would format another value.
  const letter = text.slice(-1);
  const sign = `[%％]${blanks}`;
  return text.startsWith("%(")
    ? new RegExp(
        String.raw`${sign}[(（]${blanks}${escaped}${blanks}[)）](?:${blanks}${letter}(?!\w)|(?!\w))|${inBraces}`,
        "giu",
      )
    : new RegExp(String.raw`${sign}(?:\d{1,2} ?[$＄] ?)?${letter}(?![\p{L}\p{N}])`, "giu");
}

/** Returns whether the placeholders are printf's. */
export function isPrintf(family: PlaceholderFamily): boolean {
  return family === "printf" || (isFormatStringFamily(family) && family !== "python-brace-format");
}

/** Returns the matches of a pattern, whose first group is the name. */
export function matchPlaceholders(text: string, pattern: RegExp): Placeholder[] {
  return Array.from(text.matchAll(pattern), (match) => ({
    name: match[1] ?? "",
    kind: "",
    text: match[0],
    ...spanOf(match),
  }));
}

/** Returns the arguments of an ICU message; of a text that is none, what looks like arguments outside of quotes. */
function icuArguments(text: string, family: "icu" | "icu-tags"): Placeholder[] {
  const { arguments: found, error } = parseIcuSyntax(text, { tags: family === "icu-tags" });
  if (error !== null) return bracedArguments(blankIcuQuotes(text));
  return found.map(({ name, start, end }) => {
    const isSimple = text[end - 1] === "}";
    return { name, kind: "", text: isSimple ? text.slice(start, end) : `{${name}}`, start, end };
  });
}

/** Replaces what apostrophes quote in ICU messages by spaces. */
function blankIcuQuotes(text: string): string {
  return text.replaceAll(/''|'[{}](?:[^']|'')*(?:'|$)/gu, (quoted) => " ".repeat(quoted.length));
}

/** Finds what Symfony's code usually replaces: `%name%` and `{{ name }}`, outside of tags. Their names are their texts. */
function verbatimPlaceholders(text: string): Placeholder[] {
  const outside = text.includes("<") ? text.replaceAll(/<[^<>]*>/gu, (tag) => " ".repeat(tag.length)) : text;
  return matchPlaceholders(outside, /(%[A-Za-z_][\w.-]*%|\{\{[^{}]{1,200}\}\})/gu);
}

/** Finds `{name}`, `{0}`, and `{name, type, …}` with the arguments in its options. Skips i18next's `{{…}}`. */
function bracedArguments(text: string): Placeholder[] {
  const found: Placeholder[] = [];
  const argument = /\{\s*([\p{L}_][\p{L}\p{N}_$.-]*|-?\d+)\s*(\}|,\s*([a-z]+)\s*[,}])/uy;
  const doubled = /\{\{[^{}]*\}\}/uy;
  /** The open braces: of an argument with options, of one of its options, or of anything else. */
  const open: ("branches" | "branch" | "other")[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "}") open.pop();
    if (text[at] !== "{") continue;
    if (open.at(-1) === "branches") {
      open.push("branch");
      continue;
    }
    doubled.lastIndex = at;
    argument.lastIndex = at;
    const skipped = doubled.exec(text);
    const match = skipped === null ? argument.exec(text) : null;
    if (skipped !== null) at += skipped[0].length - 1;
    else if (match?.[1] === undefined) open.push("other");
    else {
      const end = at + match[0].length;
      const type = match[3];
      const text = type === undefined ? match[0] : `{${match[1]}}`;
      found.push({ name: match[1], kind: "", text, start: at, end });
      const closed = match[0].endsWith("}");
      if (!closed) open.push(/^(?:plural|select|selectordinal)$/u.test(type ?? "") ? "branches" : "other");
      at = end - 1;
    }
  }
  return found;
}

function printfDirectives(text: string): Placeholder[] {
  const found: Placeholder[] = [];
  let next = 1;
  const pattern =
    /%%|%\(([\w.-]+)\)[-+0#]{0,5}\d{0,3}(?:\.\d{1,3})?([acdeEfFgGiorsuxX])|%(?:(\d{1,2})\$)?[-+0#']{0,5}\d{0,3}(?:\.\d{1,3})?(?:hh?|ll?|[jztLq])?([bcdeEfFgGiosuxX@])/gu;
  for (const match of text.matchAll(pattern)) {
    if (match[0] === "%%") continue;
    const letter = match[2] ?? match[4] ?? "s";
    found.push({
      name: match[1] ?? match[3] ?? String(next++),
      kind: valueKind(letter),
      text: match[0],
      ...spanOf(match),
    });
  }
  return found;
}

/** Maps letters that format the same kind of value to one of them. */
function valueKind(letter: string): string {
  if ("bdiouxX".includes(letter)) return "d";
  if ("eEfFgG".includes(letter)) return "f";
  return "@ars".includes(letter) ? "s" : letter;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
