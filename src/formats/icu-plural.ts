/**
 * Plurals of ICU messages (`{n, plural, one {# file} other {# files}}`), split into forms and joined again in place.
 * Everything around the single plural argument of a message is preserved.
 */
import { parseIcuChoices, hasBalancedBraces } from "../model/icu-message.ts";
import { PLURAL_CATEGORIES, type Forms } from "../model/translation-text.ts";

/** A `selector {text}` with the white space before and inside it. */
interface IcuBranch {
  readonly gap: string;
  readonly selector: string;
  readonly space: string;
  readonly text: string;
}

/** A message with one plural argument. Its parts, concatenated, are the message. */
export interface IcuPlural {
  /** Text outside of the plural argument: part of every form. */
  readonly prefix: string;
  readonly suffix: string;
  /** The name of the number. */
  readonly argument: string;
  /** From the opening brace to the first selector, including any offset. */
  readonly head: string;
  /** Selectors are CLDR categories and explicit numbers (`=0`); `other` is always present. */
  readonly branches: readonly IcuBranch[];
  /** Trailing white space and the closing brace. */
  readonly tail: string;
}

const EXACT = /^=\d+$/;
const names: readonly string[] = PLURAL_CATEGORIES;

/** Whether the message may contain a plural, so that its text is not plain. */
export function hasIcuPlural(text: string): boolean {
  return text.includes("{") && /,\s*plural\s*,/.test(text);
}

/**
 * Returns the message's plural. `null` if there is none, or if it could not be restored from its forms: a second
 * plural or a select, a selector that is not a category, a missing `other`, a bare `#` outside (which inside would
 * become the number), or unbalanced braces.
 */
export function splitIcu(text: string): IcuPlural | null {
  const [choice, ...others] = parseIcuChoices(text) ?? [];
  if (choice?.type !== "plural" || others.length > 0) return null;
  const prefix = text.slice(0, choice.start);
  const suffix = text.slice(choice.end);
  const isQuoted = (/'*$/u.exec(prefix)?.[0].length ?? 0) % 2 === 1;
  if (isQuoted || /#/u.test(prefix + suffix) || !hasBalancedBraces(prefix) || !hasBalancedBraces(suffix))
    return null;
  const { options } = choice;
  if (!options.every(({ selector }) => names.includes(selector) || EXACT.test(selector))) return null;
  let at = choice.start;
  let head = "";
  const branches = options.map(({ selector, start, end }): IcuBranch => {
    const before = text.slice(at, start - 1);
    const name = before.lastIndexOf(selector);
    const gap = /\s*$/u.exec(before.slice(0, name))?.[0] ?? "";
    if (at === choice.start) head = before.slice(0, name - gap.length);
    at = end + 1;
    return { gap, selector, space: before.slice(name + selector.length), text: text.slice(start, end) };
  });
  return { prefix, suffix, argument: choice.name, head, branches, tail: text.slice(at, choice.end) };
}

/** Returns the forms, each with the text around the plural. Explicit numbers are not categories and are left out. */
export function formsOfIcu({ prefix, suffix, branches }: IcuPlural): Forms {
  const texts = new Map(branches.map(({ selector, text }) => [selector, text]));
  const known = PLURAL_CATEGORIES.filter((category) => texts.has(category));
  return Object.fromEntries(
    known.map((category) => [category, prefix + (texts.get(category) ?? "") + suffix]),
  );
}

/**
 * Returns the message with other forms, keeping explicit numbers. The text around the plural stays outside if every
 * form begins and ends with it; otherwise it becomes part of the forms. `null` if the forms could not be read back:
 * no `other`, a name that is not a category, or unbalanced braces.
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

/** Returns a new message that consists of the plural only. */
export function newIcu(argument: string, forms: Forms): string | null {
  const known = PLURAL_CATEGORIES.filter((category) => Object.hasOwn(forms, category));
  const branches = known.map((category) => ` ${category} {${forms[category] ?? ""}}`);
  return checked(`{${argument}, plural,${branches.join("")}}`, forms);
}

function checked(message: string, forms: Forms): string | null {
  const plural = splitIcu(message);
  if (plural === null) return null;
  const read = formsOfIcu(plural);
  const wanted = Object.keys(forms);
  const isSame = wanted.every((name) => read[name] === forms[name]);
  return isSame ? message : null;
}

/** Returns branches with these texts, formatted like the old ones; a new category is inserted in CLDR order. */
function withForms(branches: readonly IcuBranch[], texts: ReadonlyMap<string, string>): readonly IcuBranch[] {
  const [first] = branches;
  const gap = branches[1]?.gap ?? (first?.gap === "" ? " " : (first?.gap ?? " "));
  const kept = branches.flatMap((branch) => {
    if (EXACT.test(branch.selector)) return [branch];
    const text = texts.get(branch.selector);
    return text === undefined ? [] : [{ ...branch, text }];
  });
  for (const category of PLURAL_CATEGORIES) {
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
