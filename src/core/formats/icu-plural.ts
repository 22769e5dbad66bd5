/**
 * Plurals of ICU messages (`{n, plural, one {# file} other {# files}}`): taken apart into forms and put together
 * again in place. Reads the one plural argument of a message; everything else in it is text that stays as it is.
 */
import { CATEGORIES, type Forms } from "../text.ts";

/** One `selector {text}`, and the white space before it and inside. */
interface IcuBranch {
  readonly gap: string;
  readonly selector: string;
  readonly space: string;
  readonly text: string;
}

/** A message with one plural in it. All parts together are the message. */
export interface IcuPlural {
  /** Outside of the plural: part of every form. */
  readonly prefix: string;
  readonly suffix: string;
  /** The number's name. */
  readonly argument: string;
  /** From the opening brace to the first selector, an offset with it. */
  readonly head: string;
  /** Selectors are CLDR categories and exact numbers (`=0`); `other` is among them. */
  readonly branches: readonly IcuBranch[];
  /** White space and the closing brace. */
  readonly tail: string;
}

const HEAD = /\{\s*([^\s{},]+)\s*,\s*(plural|selectordinal|select)\s*,/y;
const OFFSET = /\s*offset\s*:\s*\d+/y;
const SELECTOR = /(\s*)([^\s{}]+)(\s*)(?=\{)/y;
const EXACT = /^=\d+$/;
const names: readonly string[] = CATEGORIES;

/** Whether the message may have a plural, so that its text is no plain one. */
export function hasIcuPlural(text: string): boolean {
  return text.includes("{") && /,\s*plural\s*,/.test(text);
}

/**
 * The message's plural. `null` when it has none, or what could not be written back as forms: a second plural or a
 * select beside it, a selector that is no category, `other` missing, a bare `#` outside (which inside would become
 * the number), or braces that do not match.
 */
export function splitIcu(text: string): IcuPlural | null {
  let found: {
    readonly start: number;
    readonly end: number;
    readonly body: number;
    readonly name: string;
  } | null = null;
  for (let at = 0; at < text.length;) {
    const char = text[at];
    if (char === "}") return null;
    if (char === "'") at = quoteEnd(text, at, false);
    else if (char !== "{") at++;
    else {
      const end = braceEnd(text, at);
      if (end === null) return null;
      HEAD.lastIndex = at;
      const match = HEAD.exec(text);
      if (match !== null) {
        if (found !== null || match[2] !== "plural") return null;
        found = { start: at, end, body: HEAD.lastIndex, name: match[1] ?? "" };
      }
      at = end;
    }
  }
  if (found === null) return null;
  const prefix = text.slice(0, found.start);
  const suffix = text.slice(found.end);
  if (prefix.includes("#") || suffix.includes("#")) return null;
  OFFSET.lastIndex = found.body;
  const body = OFFSET.test(text) ? OFFSET.lastIndex : found.body;
  const parts = branchesOf(text, body, found.end - 1);
  if (parts === null) return null;
  return { prefix, suffix, argument: found.name, head: text.slice(found.start, body), ...parts };
}

function branchesOf(text: string, start: number, close: number): Pick<IcuPlural, "branches" | "tail"> | null {
  const branches: IcuBranch[] = [];
  const seen = new Set<string>();
  let at = start;
  for (;;) {
    SELECTOR.lastIndex = at;
    const match = SELECTOR.exec(text);
    if (match === null) break;
    const [, gap = "", selector = "", space = ""] = match;
    const open = SELECTOR.lastIndex;
    const end = braceEnd(text, open);
    if (end === null || end > close || seen.has(selector)) return null;
    if (!names.includes(selector) && !EXACT.test(selector)) return null;
    seen.add(selector);
    branches.push({ gap, selector, space, text: text.slice(open + 1, end - 1) });
    at = end;
  }
  const tail = text.slice(at, close + 1);
  return tail.trim() === "}" && seen.has("other") ? { branches, tail } : null;
}

/** After the matching brace of the one at `start`; `null` when there is none. */
function braceEnd(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const char = text[at];
    if (char === "'") {
      at = quoteEnd(text, at, true);
      continue;
    }
    if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at + 1;
    at++;
  }
  return null;
}

/** ICU's rule: an apostrophe quotes only before a brace (or `#` in a plural), and two are one that is meant. */
function quoteEnd(text: string, at: number, inPlural: boolean): number {
  const next = text[at + 1];
  if (next === "'") return at + 2;
  if (next !== "{" && next !== "}" && !(inPlural && next === "#")) return at + 1;
  let from = at + 1;
  for (;;) {
    const close = text.indexOf("'", from);
    if (close < 0) return text.length;
    if (text[close + 1] !== "'") return close + 1;
    from = close + 2;
  }
}

/** The forms, each with what stands around the plural. Exact numbers are no category, and not among them. */
export function formsOfIcu({ prefix, suffix, branches }: IcuPlural): Forms {
  const texts = new Map(branches.map(({ selector, text }) => [selector, text]));
  const known = CATEGORIES.filter((category) => texts.has(category));
  return Object.fromEntries(
    known.map((category) => [category, prefix + (texts.get(category) ?? "") + suffix]),
  );
}

/**
 * The message with other forms; exact numbers stay. What stands around the plural stays outside as long as every
 * form begins and ends with it, and else becomes part of the forms. `null` when the forms could not be read back:
 * no `other`, a name that is no category, braces that do not match.
 */
export function joinIcu(plural: IcuPlural, forms: Forms): string | null {
  const { prefix, suffix, head, branches, tail } = plural;
  const values = Object.values(forms);
  const around = prefix.length + suffix.length;
  const stays = values.every(
    (form) => form.length >= around && form.startsWith(prefix) && form.endsWith(suffix),
  );
  const inner = (form: string): string =>
    stays ? form.slice(prefix.length, form.length - suffix.length) : form;
  const texts = new Map(Object.entries(forms).map(([name, form]) => [name, inner(form)]));
  const printed = withForms(branches, texts)
    .map(({ gap, selector, space, text }) => `${gap}${selector}${space}{${text}}`)
    .join("");
  const message = head + printed + tail;
  return checked(stays ? prefix + message + suffix : message, forms);
}

/** A new message of nothing but the plural. */
export function newIcu(argument: string, forms: Forms): string | null {
  const known = CATEGORIES.filter((category) => Object.hasOwn(forms, category));
  const branches = known.map((category) => ` ${category} {${forms[category] ?? ""}}`);
  return checked(`{${argument}, plural,${branches.join("")}}`, forms);
}

function checked(message: string, forms: Forms): string | null {
  const plural = splitIcu(message);
  if (plural === null) return null;
  const read = formsOfIcu(plural);
  const wanted = Object.keys(forms);
  const isSame =
    wanted.length === Object.keys(read).length && wanted.every((name) => read[name] === forms[name]);
  return isSame ? message : null;
}

/** Branches of these texts in the old ones' manner; a new category goes where CLDR's order has it. */
function withForms(branches: readonly IcuBranch[], texts: ReadonlyMap<string, string>): readonly IcuBranch[] {
  const [first] = branches;
  const gap = branches[1]?.gap ?? (first?.gap === "" ? " " : (first?.gap ?? " "));
  const kept = branches.flatMap((branch) => {
    if (EXACT.test(branch.selector)) return [branch];
    const text = texts.get(branch.selector);
    return text === undefined ? [] : [{ ...branch, text }];
  });
  for (const category of CATEGORIES) {
    const text = texts.get(category);
    if (text === undefined || kept.some(({ selector }) => selector === category)) continue;
    const rank = names.indexOf(category);
    const before = kept.findIndex(({ selector }) => names.indexOf(selector) > rank);
    const index = before < 0 ? kept.length : before;
    kept.splice(index, 0, { gap, selector: category, space: branches.at(-1)?.space ?? " ", text });
  }
  return kept.map((branch, index) => {
    if (index === 0) return { ...branch, gap: first?.gap ?? branch.gap };
    return branch === first || branch.selector === first?.selector ? { ...branch, gap } : branch;
  });
}
