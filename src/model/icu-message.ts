/**
 * Parses the ICU arguments of a text that have options (`{n, plural, one {# file} other {# files}}`, `select`,
 * `selectordinal`), with offsets. Simple arguments (`{name}`) are found in placeholders.ts.
 */
import { neededCategories, pluralCategories } from "./plural-categories.ts";
import type { Span } from "../util/span.ts";
import { PLURAL_CATEGORIES } from "./translation-text.ts";

/** One `selector {text}` of an argument; the span is that of the text between the braces. */
export interface IcuOption extends Span {
  readonly selector: string;
}

/** An argument with options; the span includes its braces. */
export interface IcuChoice extends Span {
  readonly name: string;
  readonly type: "plural" | "selectordinal" | "select";
  /** `offset:1`, without whitespace; empty if absent. */
  readonly offset: string;
  readonly options: readonly IcuOption[];
}

const ARGUMENT_HEAD = /\{\s*([^\s{},]+)\s*,\s*(plural|selectordinal|select)\s*,\s*(offset\s*:\s*\d+)?/uy;
const OPTION_START = /\s*([^\s{}]+)\s*\{/uy;
const ARGUMENT_END = /\s*\}/uy;
const categoryNames: readonly string[] = PLURAL_CATEGORIES;

/** Returns the outermost arguments with options, in order; `null` if one cannot be parsed: no ICU message. */
export function parseIcuChoices(text: string): readonly IcuChoice[] | null {
  const found: IcuChoice[] = [];
  for (let at = text.indexOf("{"); at !== -1; at = text.indexOf("{", at)) {
    if (text[at - 1] === "'" && text[at - 2] !== "'" && found.length > 0) {
      at = endOfQuote(text, at - 1);
      continue;
    }
    ARGUMENT_HEAD.lastIndex = at;
    const head = ARGUMENT_HEAD.exec(text);
    if (head === null) {
      at++;
      continue;
    }
    const choice = parseChoice(text, head);
    if (choice === null) return null;
    found.push(choice);
    at = choice.end;
  }
  return found;
}

function parseChoice(text: string, head: RegExpExecArray): IcuChoice | null {
  const [, name = "", type, offset = ""] = head;
  const options: IcuOption[] = [];
  let at = head.index + head[0].length;
  for (;;) {
    OPTION_START.lastIndex = at;
    const selector = OPTION_START.exec(text)?.[1];
    if (selector === undefined) break;
    const open = OPTION_START.lastIndex;
    const close = closingBrace(text, open);
    if (close === -1 || options.some((option) => option.selector === selector)) return null;
    options.push({ selector, start: open, end: close });
    at = close + 1;
  }
  ARGUMENT_END.lastIndex = at;
  if (!ARGUMENT_END.test(text) || !options.some(({ selector }) => selector === "other")) return null;
  return {
    start: head.index,
    end: ARGUMENT_END.lastIndex,
    name,
    type: type as IcuChoice["type"],
    offset: offset.replaceAll(/\s/gu, ""),
    options,
  };
}

/** Returns the offset of the brace that closes the one before `at`, or -1. Quoted braces are skipped. */
function closingBrace(text: string, at: number): number {
  let depth = 1;
  for (; at < text.length; at++) {
    const character = text[at];
    if (character === "'") at = endOfQuote(text, at) - 1;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at;
  }
  return -1;
}

/** Returns the offset after a quote: an apostrophe quotes only before a brace or `#`; two are literal. */
function endOfQuote(text: string, at: number): number {
  const next = text[at + 1];
  if (next === "'") return at + 2;
  if (next === undefined || !"{}#".includes(next)) return at + 1;
  for (let from = at + 1; ;) {
    const close = text.indexOf("'", from);
    if (close === -1) return text.length;
    if (text[close + 1] !== "'") return close + 1;
    from = close + 2;
  }
}

/** Returns whether all braces outside of quotes are balanced and no quote is unclosed. */
export function hasBalancedBraces(text: string): boolean {
  for (let at = 0; at < text.length;) {
    const character = text[at];
    if (character === "}") return false;
    if (character === "{") {
      at = closingBrace(text, at + 1) + 1;
      if (at === 0) return false;
    } else if (character === "'") {
      at = endOfQuote(text, at);
      if (at === text.length && text.at(-1) !== "'") return false;
    } else at++;
  }
  return true;
}

/** Returns whether the argument selects by number. */
export function isPluralChoice({ type }: IcuChoice): boolean {
  return type !== "select";
}

/** Returns whether the selector is a plural category, not an exact number (`=0`) or a `select` value. */
export function isPluralCategory(selector: string): boolean {
  return categoryNames.includes(selector);
}

/** Returns the categories that a plural argument needs in the locale (always `other`) and those that it may have. */
export function icuPluralCategories(
  type: IcuChoice["type"],
  locale: string,
): { readonly needed: readonly string[]; readonly allowed: readonly string[] } {
  // Ordinals have their own categories, which are not checked: only `other` is required.
  if (type === "selectordinal") return { needed: ["other"], allowed: categoryNames };
  return {
    needed: [...new Set([...neededCategories(locale), "other"])],
    allowed: [...new Set([...pluralCategories(locale), "other"])],
  };
}

/**
 * Returns the message with the plural categories of another locale: missing categories get the text of `other`,
 * unknown ones are removed. Exact numbers and `select` options are unchanged.
 */
export function adaptPluralCategories(text: string, locale: string): string {
  const choices = parseIcuChoices(text) ?? [];
  let result = "";
  let rest = 0;
  for (const choice of choices) {
    result += text.slice(rest, choice.start) + adaptChoice(text, choice, locale);
    rest = choice.end;
  }
  return result + text.slice(rest);
}

function adaptChoice(text: string, choice: IcuChoice, locale: string): string {
  const { name, type, offset, options } = choice;
  const branch = (selector: string): string => {
    const option =
      options.find((each) => each.selector === selector) ?? options.find((each) => each.selector === "other");
    return ` ${selector} {${adaptPluralCategories(text.slice(option?.start, option?.end), locale)}}`;
  };
  let selectors = options.map(({ selector }) => selector);
  if (type === "plural") {
    const { needed } = icuPluralCategories(type, locale);
    const others = selectors.filter((selector) => !isPluralCategory(selector));
    selectors = [...others, ...PLURAL_CATEGORIES.filter((category) => needed.includes(category))];
  }
  return `{${name}, ${type},${offset === "" ? "" : ` ${offset}`}${selectors.map(branch).join("")}}`;
}
