/**
 * ICU arguments with branches (`{n, plural, one {# file} other {# files}}`, `select`, `selectordinal`) in a text, with
 * offsets. Arguments without branches (`{name}`) are found in placeholders.ts.
 */
import { neededCategories, pluralCategories } from "./plural-rules.ts";
import type { Span } from "./span.ts";
import { CATEGORIES } from "./text.ts";

/** One `selector {text}` of an argument; the offsets are those of the text between the braces. */
export interface IcuOption extends Span {
  readonly selector: string;
}

/** An argument with branches. The offsets include its braces. */
export interface IcuChoice extends Span {
  readonly name: string;
  readonly type: "plural" | "selectordinal" | "select";
  /** `offset:1`; empty where there is none. */
  readonly offset: string;
  readonly options: readonly IcuOption[];
}

const HEAD = /\{\s*([^\s{},]+)\s*,\s*(plural|selectordinal|select)\s*,\s*(offset\s*:\s*\d+)?/uy;
const SELECTOR = /\s*([^\s{}]+)\s*\{/uy;
const CLOSE = /\s*\}/uy;
const names: readonly string[] = CATEGORIES;

/** The outermost arguments with branches, in order. `null`: one of them cannot be read, so the text is no ICU message. */
export function icuChoices(text: string): readonly IcuChoice[] | null {
  const found: IcuChoice[] = [];
  for (let at = text.indexOf("{"); at !== -1; at = text.indexOf("{", at)) {
    if (text[at - 1] === "'" && text[at - 2] !== "'" && found.length > 0) {
      at = quoteEnd(text, at - 1);
      continue;
    }
    HEAD.lastIndex = at;
    if (!HEAD.test(text)) {
      at++;
      continue;
    }
    const choice = readChoice(text, at);
    if (choice === null) return null;
    found.push(choice);
    at = choice.end;
  }
  return found;
}

function readChoice(text: string, start: number): IcuChoice | null {
  HEAD.lastIndex = start;
  const [, name = "", type, offset = ""] = HEAD.exec(text) ?? [];
  const options: IcuOption[] = [];
  let at = HEAD.lastIndex;
  for (;;) {
    SELECTOR.lastIndex = at;
    const selector = SELECTOR.exec(text)?.[1];
    if (selector === undefined) break;
    const open = SELECTOR.lastIndex;
    const close = closingBrace(text, open);
    if (close === -1 || options.some((option) => option.selector === selector)) return null;
    options.push({ selector, start: open, end: close });
    at = close + 1;
  }
  CLOSE.lastIndex = at;
  if (!CLOSE.test(text) || !options.some(({ selector }) => selector === "other")) return null;
  return {
    start,
    end: CLOSE.lastIndex,
    name,
    type: type as IcuChoice["type"],
    offset: offset.replaceAll(/\s/gu, ""),
    options,
  };
}

/** The offset of the brace that ends what begins at `at`; -1 where there is none. Quoted braces do not count. */
function closingBrace(text: string, at: number): number {
  let depth = 1;
  for (; at < text.length; at++) {
    const character = text[at];
    if (character === "'") at = quoteEnd(text, at) - 1;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at;
  }
  return -1;
}

/** ICU's rule: an apostrophe quotes only before a brace or `#`, and two are one that is meant. */
function quoteEnd(text: string, at: number): number {
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

/** Whether each brace outside of quotes has its counterpart, and no quote is left open. */
export function isBalanced(text: string): boolean {
  for (let at = 0; at < text.length;) {
    const character = text[at];
    if (character === "}") return false;
    if (character === "{") {
      at = closingBrace(text, at + 1) + 1;
      if (at === 0) return false;
    } else if (character === "'") {
      at = quoteEnd(text, at);
      if (at === text.length && text.at(-1) !== "'") return false;
    } else at++;
  }
  return true;
}

/** Whether the argument chooses by number. */
export function isPluralChoice({ type }: IcuChoice): boolean {
  return type !== "select";
}

/** Whether the selector is a plural category, and neither an exact number (`=0`) nor a word. */
export function isCategory(selector: string): boolean {
  return names.includes(selector);
}

/** The categories that a plural argument must have in the locale (`other` always), and those that it may have. */
export function icuCategories(
  type: IcuChoice["type"],
  locale: string,
): { readonly needed: readonly string[]; readonly allowed: readonly string[] } {
  // Ordinals have categories of their own, which cannot be told from those of cardinals: `other` alone is needed.
  if (type === "selectordinal") return { needed: ["other"], allowed: names };
  return {
    needed: [...new Set([...neededCategories(locale), "other"])],
    allowed: [...new Set([...pluralCategories(locale), "other"])],
  };
}

/**
 * The message with the plural categories of another locale: a category that it lacks gets the text of `other`, one that
 * the locale does not have goes. Exact numbers and branches of `select` stay.
 */
export function withCategoriesOf(text: string, locale: string): string {
  const choices = icuChoices(text) ?? [];
  let result = "";
  let rest = 0;
  for (const choice of choices) {
    result += text.slice(rest, choice.start) + adapted(text, choice, locale);
    rest = choice.end;
  }
  return result + text.slice(rest);
}

function adapted(text: string, choice: IcuChoice, locale: string): string {
  const { name, type, offset, options } = choice;
  const branch = (selector: string): string => {
    const option =
      options.find((each) => each.selector === selector) ?? options.find((each) => each.selector === "other");
    return ` ${selector} {${withCategoriesOf(text.slice(option?.start, option?.end), locale)}}`;
  };
  const own = options.map(({ selector }) => selector);
  const { needed } = icuCategories(type, locale);
  const selectors =
    type === "plural"
      ? [
          ...own.filter((selector) => !isCategory(selector)),
          ...CATEGORIES.filter((category) => needed.includes(category)),
        ]
      : own;
  return `{${name}, ${type},${offset === "" ? "" : ` ${offset}`}${selectors.map(branch).join("")}}`;
}
