/**
 * Finds the placeholders of a text by family: Laravel's `:name`, i18next's `{{name}}`, ICU's and vue-i18n's `{name}`,
 * printf's `%s` and `%1$d`. placeholder-checks.ts judges differences.
 */
import { getOrCreate } from "../util/maps.ts";
import { type Span, spanOf } from "../util/span.ts";
import { escapeRegExp } from "./translation-text.ts";

export type PlaceholderFamily = "laravel" | "i18next" | "icu" | "printf";

export interface Placeholder extends Span {
  /** Its identity: the name, or the position of a printf directive. */
  readonly name: string;
  /** printf's kind of value (`d`, `s`, `f`); empty in the other families. */
  readonly kind: string;
  /** As written, with its delimiters. */
  readonly text: string;
}

/** Returns all placeholders of the text in order, repeated ones included. Linear in the text's length. */
export function findPlaceholders(family: PlaceholderFamily, text: string): Placeholder[] {
  switch (family) {
    case "laravel":
      // Accented letters occur in translated names; other letters do not belong to the name: `:name様` is `:name`.
      return matchPlaceholders(text, /(?<![\w:\\]):([A-Za-z_\u00c0-\u024f][\w\u00c0-\u024f]*)/gu);
    case "i18next":
      return matchPlaceholders(text, /\{\{-?\s*([^{},]{1,200}?)\s*(?:,[^{}]{0,200})?\}\}/gu);
    case "icu":
      return icuArguments(text);
    case "printf":
      return printfDirectives(text);
  }
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
    return this.#family === "laravel" ? name.toUpperCase() : name;
  }

  #isSame(a: string, b: string): boolean {
    if (a === b) return true;
    if (this.#family !== "laravel") return false;
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
  if (family !== "printf") return new RegExp(String.raw`[:：]${blanks}${escaped}(?!\w)|${inBraces}`, "giu");
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

/** Returns whether all braces of an ICU text are balanced. */
export function areBracesBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "{") depth++;
    else if (character === "}" && --depth < 0) return false;
  }
  return depth === 0;
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

/**
 * Finds `{name}`, `{0}`, and `{name, type, …}` with the arguments in its options. Skips i18next's `{{…}}`; ignores
 * quoting, since vue-i18n has none and both texts of a pair quote alike.
 */
function icuArguments(text: string): Placeholder[] {
  const found: Placeholder[] = [];
  const argument = /\{\s*([\p{L}_][\p{L}\p{N}_.-]*|\d+)\s*(\}|,\s*([a-z]+)\s*[,}])/uy;
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
  if ("diu".includes(letter)) return "d";
  if ("eEfFgG".includes(letter)) return "f";
  return "@ars".includes(letter) ? "s" : letter;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
