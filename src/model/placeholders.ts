/**
 * The placeholders of a text, by the family of its framework: Laravel's `:name`, i18next's `{{name}}`, ICU's and
 * vue-i18n's `{name}`, printf's `%s` and `%1$d`. Finds and compares; what a difference means stands in `placeholder-checks.ts`.
 */

export type PlaceholderFamily = "laravel" | "i18next" | "icu" | "printf";

export interface Placeholder {
  /** What makes it this one: its name, or for printf its position. */
  readonly name: string;
  /** printf's kind of value (`d`, `s`, `f`); empty in the other families. */
  readonly kind: string;
  /** As written, with its marks. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** All placeholders of the text in their order; one that comes twice is there twice. Linear in the text's length. */
export function findPlaceholders(family: PlaceholderFamily, text: string): Placeholder[] {
  switch (family) {
    case "laravel":
      // Letters with accents too, since a translated name has them; not all letters, since `:name様` is `:name`.
      return matches(text, /(?<![\w:\\]):([A-Za-z_\u00c0-\u024f][\w\u00c0-\u024f]*)/gu);
    case "i18next":
      return matches(text, /\{\{-?\s*([^{},]{1,200}?)\s*(?:,[^{}]{0,200})?\}\}/gu);
    case "icu":
      return icuArguments(text);
    case "printf":
      return printfDirectives(text);
  }
}

/**
 * Placeholders by name. Laravel also fills `:Name` and `:NAME` for `name`: a capital first letter, or all capitals;
 * in the other families a name is itself alone.
 */
export class PlaceholderNames {
  readonly #family: PlaceholderFamily;
  readonly #byName = new Map<string, Placeholder[]>();

  constructor(family: PlaceholderFamily, placeholders: readonly Placeholder[]) {
    this.#family = family;
    for (const placeholder of placeholders) {
      const bucket = this.#bucket(placeholder.name);
      const known = this.#byName.get(bucket);
      if (known === undefined) this.#byName.set(bucket, [placeholder]);
      else if (!known.some((one) => one.name === placeholder.name && one.kind === placeholder.kind)) {
        known.push(placeholder);
      }
    }
  }

  /** Those of this name, one of each spelling and kind. */
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
 * Where a text seems to mean this placeholder but writes it wrongly: other case, stray blanks, the marks of
 * another family. `taken`: what of the text means something else, in order: the right ones, which mean themselves, and
 * what is corrected already. `undefined` when nothing looks like it.
 */
export function findMisspelt(
  family: PlaceholderFamily,
  text: string,
  wanted: Placeholder,
  taken: readonly { readonly start: number; readonly end: number }[],
): { readonly start: number; readonly end: number } | undefined {
  let next = 0;
  for (const match of text.matchAll(misspeltPattern(family, wanted))) {
    const start = match.index;
    const end = start + match[0].length;
    while ((taken[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    if ((taken[next]?.start ?? Number.POSITIVE_INFINITY) >= end) return { start, end };
  }
  return undefined;
}

function misspeltPattern(family: PlaceholderFamily, { name, text }: Placeholder): RegExp {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  const blanks = String.raw`[ \u00a0]*`;
  const inBraces = String.raw`\{{1,3}${blanks}-?${blanks}${escaped}${blanks}\}{1,3}|%${escaped}%`;
  if (family !== "printf") return new RegExp(String.raw`[:：]${blanks}${escaped}(?!\w)|${inBraces}`, "giu");
  // Another letter would be another value.
  const letter = text.slice(-1);
  const sign = `[%％]${blanks}`;
  return text.startsWith("%(")
    ? new RegExp(
        String.raw`${sign}[(（]${blanks}${escaped}${blanks}[)）](?:${blanks}${letter}(?!\w)|(?!\w))|${inBraces}`,
        "giu",
      )
    : new RegExp(String.raw`${sign}(?:\d{1,2} ?[$＄] ?)?${letter}(?![\p{L}\p{N}])`, "giu");
}

/** Whether every brace of an ICU text is closed. */
export function bracesBalance(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "{") depth++;
    else if (character === "}" && --depth < 0) return false;
  }
  return depth === 0;
}

function matches(text: string, pattern: RegExp): Placeholder[] {
  return Array.from(text.matchAll(pattern), (match) => ({
    name: match[1] ?? "",
    kind: "",
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/**
 * `{name}`, `{0}`, and `{name, type, …}` with the arguments in its branches. `{{…}}` is i18next's and passed over;
 * quoted braces are not looked at, since vue-i18n has none and both texts of a pair would have them alike.
 */
function icuArguments(text: string): Placeholder[] {
  const found: Placeholder[] = [];
  const argument = /\{\s*([\p{L}_][\p{L}\p{N}_.-]*|\d+)\s*(\}|,\s*([a-z]+)\s*[,}])/uy;
  const doubled = /\{\{[^{}]*\}\}/uy;
  /** What each open brace is: an argument with branches, one of its branches, or anything else. */
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
      kind: kindOf(letter),
      text: match[0],
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return found;
}

/** Letters that print the same kind of value are one kind. */
function kindOf(letter: string): string {
  if ("diu".includes(letter)) return "d";
  if ("eEfFgG".includes(letter)) return "f";
  return "@ars".includes(letter) ? "s" : letter;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
