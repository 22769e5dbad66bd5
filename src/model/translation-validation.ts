/**
 * Whether a translation that no person wrote may be taken: it must hold everything of its source text that is not prose,
 * and fit the key and the language. The translation editor, the translate command and the tools for agents all ask here.
 */
import { isDeepStrictEqual } from "node:util";
import { icuCategories, icuChoices, isCategory, isPluralChoice, type IcuChoice } from "./icu-message.ts";
import { markupTokens, pipeParts, placeholderTokens, blanked, type PipeParts } from "./message-tokens.ts";
import { pluralPartCount } from "./pipe-plurals.ts";
import { isSingleNumber, neededCategories, pluralCategories } from "./plural-rules.ts";
import { isForms, sameText, type Text } from "./text.ts";
import { lengthOf } from "./text-length.ts";

/** What is wrong with one value, or with one form of a plural text. */
type FormProblem =
  | { readonly kind: "empty" }
  /** Each as written; of one that comes twice and should come once, one is unexpected. */
  | {
      readonly kind: "placeholders";
      readonly missing: readonly string[];
      readonly unexpected: readonly string[];
    }
  | { readonly kind: "markup"; readonly missing: readonly string[]; readonly unexpected: readonly string[] }
  /** Tags that are not closed in order, where those of the source text are. */
  | { readonly kind: "markup-order" }
  /** Braces that do not match, or an ICU argument with other branches than the source text and the language have. */
  | { readonly kind: "syntax" }
  /** Other parts separated by `|`, or other ranges before them. */
  | { readonly kind: "parts" }
  | { readonly kind: "too-long"; readonly length: number; readonly maxLength: number }
  | { readonly kind: "source-repeated" }
  /** Control characters, invisible marks, broken characters, or line breaks where the source text has none. */
  | { readonly kind: "characters" }
  /** Other blanks at an end than the source text has, or more or fewer line breaks. */
  | { readonly kind: "blanks" }
  /** Words about the translation, or a fence, in place of the translation alone. */
  | { readonly kind: "not-only-text" };

/** Why a translation is refused. `form`: the plural category; `null` of a singular text. */
export type TranslationProblem =
  | { readonly kind: "source-changed" }
  | { readonly kind: "no-source" }
  /** A value where plural forms are wanted, or the other way round. */
  | { readonly kind: "singular" | "plural" }
  | {
      readonly kind: "categories";
      readonly missing: readonly string[];
      readonly unexpected: readonly string[];
    }
  | (FormProblem & { readonly form: string | null });

/** What a translation is checked against. */
export interface TranslationCheck {
  /** What was translated. */
  readonly source: Text | null;
  readonly sourceLocale: string;
  /** Of the translation. */
  readonly locale: string;
  readonly maxLength: number | null;
  /** The source text as it is now, where it may have changed since `source` was read. */
  readonly currentSource?: Text | null;
}

/** All that is wrong with the translation; none: it may be taken. Linear in the lengths of both texts. */
export function checkTranslation(check: TranslationCheck, text: Text): readonly TranslationProblem[] {
  const { source, currentSource = source, locale } = check;
  if (source === null) return [{ kind: "no-source" }];
  if (currentSource === null || !sameText(source, currentSource)) return [{ kind: "source-changed" }];
  if (!isForms(source)) {
    if (isForms(text)) return [{ kind: "plural" }];
    const problems = checkValue(check, [source.value], text.value, false);
    return problems.map((problem) => ({ ...problem, form: null }));
  }
  if (!isForms(text)) return [{ kind: "singular" }];
  const present = Object.keys(text.forms);
  const missing = neededCategories(locale).filter((category) => !present.includes(category));
  const allowed = pluralCategories(locale);
  const unexpected = present.filter((category) => !allowed.includes(category));
  if (missing.length + unexpected.length > 0) return [{ kind: "categories", missing, unexpected }];
  return Object.entries(text.forms).flatMap(([form, value]) => {
    const sources = [...new Set([sourceOfForm(check, source.forms, form), otherOf(source.forms)])];
    const problems = checkValue(check, sources, value, isSingleNumber(locale, form));
    return problems.map((problem) => ({ ...problem, form }));
  });
}

/**
 * The source form that a form of another language is translated from: its own category's. `other` where there is none,
 * and where it is for one number only (English `one`), but the other language's is for many (Russian `one`: 1, 21, 31).
 */
export function sourceOfForm(
  { sourceLocale, locale }: Pick<TranslationCheck, "sourceLocale" | "locale">,
  forms: Readonly<Record<string, string>>,
  form: string,
): string {
  const isNarrow = isSingleNumber(sourceLocale, form) && !isSingleNumber(locale, form);
  const own = isNarrow ? "" : (forms[form] ?? "");
  return own === "" ? otherOf(forms) : own;
}

function otherOf(forms: Readonly<Record<string, string>>): string {
  return forms["other"] ?? Object.values(forms).at(-1) ?? "";
}

/** `sources`: what the value may be a translation of. `isSingle`: it is for one number, and need not show it. */
function checkValue(
  check: TranslationCheck,
  sources: readonly string[],
  value: string,
  isSingle: boolean,
): readonly FormProblem[] {
  const [source = ""] = sources;
  if (isBlank(value)) return isBlank(source) ? [] : [{ kind: "empty" }];
  const problems: FormProblem[] = [];
  const { maxLength } = check;
  const length = lengthOf(value);
  if (maxLength !== null && length > maxLength) problems.push({ kind: "too-long", length, maxLength });
  if (hasBadCharacters(source, value)) return [...problems, { kind: "characters" }];
  if (!sources.some((each) => hasSameBlanks(each, value))) problems.push({ kind: "blanks" });
  if (isMoreThanText(source, value)) problems.push({ kind: "not-only-text" });
  if (isRepeated(check, source, value)) problems.push({ kind: "source-repeated" });
  const structure = sources.map((each) => checkMessage(check, each, value, isSingle));
  return [...problems, ...(structure.find((each) => each.length === 0) ?? structure[0] ?? [])];
}

/** Placeholders, markup, ICU arguments and parts of a message, which may be a branch of another. */
function checkMessage(
  check: TranslationCheck,
  source: string,
  value: string,
  isSingle: boolean,
): readonly FormProblem[] {
  const sourceChoices = icuChoices(source);
  const choices = icuChoices(value);
  // Where the source text cannot be read as a message, its braces are prose or placeholders.
  if (sourceChoices === null || (sourceChoices.length === 0 && choices?.length === 0)) {
    return checkParts(check, source, value, isSingle);
  }
  if (choices === null || !isSameKind(sourceChoices, choices)) return [{ kind: "syntax" }];
  const quoted = (text: string, all: readonly IcuChoice[]): number =>
    all.filter(({ start }) => /(?<!')'$/u.test(text.slice(Math.max(0, start - 2), start))).length;
  if (quoted(value, choices) > quoted(source, sourceChoices)) return [{ kind: "syntax" }];
  // Words may move into the branches.
  const plain = checkPlain(blanked(source, sourceChoices), blanked(value, choices), isSingle).filter(
    ({ kind }) => kind !== "empty",
  );
  const inner = pairs(sourceChoices, choices).flatMap(([from, to]) =>
    checkChoice(check, { choice: from, text: source }, { choice: to, text: value }),
  );
  return [...plain, ...inner].slice(0, 1);
}

function isSameKind(source: readonly IcuChoice[], found: readonly IcuChoice[]): boolean {
  const kinds = (choices: readonly IcuChoice[]): string =>
    choices
      .map((choice) => JSON.stringify([choice.name, choice.type, choice.offset]))
      .sort()
      .join();
  return kinds(source) === kinds(found);
}

/** Each argument of the translation with its own of the source text, whatever their order. */
function pairs(source: readonly IcuChoice[], found: readonly IcuChoice[]): [IcuChoice, IcuChoice][] {
  const rest = [...source];
  return found.flatMap((choice) => {
    const index = rest.findIndex(({ name, type }) => name === choice.name && type === choice.type);
    const [from] = index === -1 ? [] : rest.splice(index, 1);
    return from === undefined ? [] : [[from, choice] as [IcuChoice, IcuChoice]];
  });
}

interface ChoiceIn {
  readonly choice: IcuChoice;
  readonly text: string;
}

function checkChoice(check: TranslationCheck, source: ChoiceIn, found: ChoiceIn): readonly FormProblem[] {
  const selectors = ({ choice }: ChoiceIn, isFixed: boolean): string[] =>
    choice.options
      .map(({ selector }) => selector)
      .filter((selector) => (isPluralChoice(choice) && isCategory(selector)) !== isFixed);
  const fixed = selectors(source, true).sort();
  const { needed, allowed } = icuCategories(found.choice.type, check.locale);
  const categories = selectors(found, false);
  const isSame =
    isDeepStrictEqual(fixed, selectors(found, true).sort()) &&
    (!isPluralChoice(found.choice) ||
      (needed.every((category) => categories.includes(category)) &&
        categories.every((category) => allowed.includes(category))));
  if (!isSame) return [{ kind: "syntax" }];
  const branches = Object.fromEntries(
    source.choice.options.map(({ selector, start, end }) => [selector, source.text.slice(start, end)]),
  );
  return found.choice.options.flatMap(({ selector, start, end }): readonly FormProblem[] => {
    const value = withNumber(found, found.text.slice(start, end));
    const isExact = isPluralChoice(found.choice) && !isCategory(selector);
    const isSingle = isPluralChoice(found.choice) && (isExact || isSingleNumber(check.locale, selector));
    const own =
      isPluralChoice(found.choice) && !isExact ? sourceOfForm(check, branches, selector) : branches[selector];
    const candidates = [...new Set([own ?? "", ...(isExact ? [] : [otherOf(branches)])])];
    if (isBlank(value) && !candidates.some(isBlank)) return [{ kind: "empty" }];
    const results = candidates.map((each) => checkMessage(check, withNumber(source, each), value, isSingle));
    return results.find((each) => each.length === 0) ?? results[0] ?? [];
  });
}

/** Stands for `#` where it is the number; no text has this character. */
const NUMBER = "\u0000";

/** `#` within a plural branch is the number. */
function withNumber({ choice }: ChoiceIn, branch: string): string {
  return isPluralChoice(choice) ? branch.replaceAll("#", NUMBER) : branch;
}

/** A value with parts by number, or a single one. */
function checkParts(
  check: TranslationCheck,
  source: string,
  value: string,
  isSingle: boolean,
): readonly FormProblem[] {
  const from = pipeParts(source);
  const to = pipeParts(value);
  if (from.parts.length === 1 && to.parts.length === 1) return checkPlain(source, value, isSingle);
  const hasRanges = from.ranges.some((range) => range !== "");
  const isUsual =
    from.parts.length > 1 &&
    !hasRanges &&
    from.parts.length === pluralPartCount(check.sourceLocale) &&
    to.parts.length === pluralPartCount(check.locale);
  const isSame = from.parts.length === to.parts.length && from.ranges.join() === to.ranges.join();
  const bars = (text: string, { parts }: PipeParts): number => text.split("|").length - parts.length;
  if ((!isSame && !isUsual) || bars(source, from) !== bars(value, to)) return [{ kind: "parts" }];
  const last = from.parts.at(-1) ?? "";
  const categories = isUsual ? neededCategories(check.locale) : [];
  return to.parts
    .flatMap((part, index): readonly FormProblem[] => {
      const own = from.parts[index] ?? last;
      if (isBlank(part)) return isBlank(own) ? [] : [{ kind: "parts" }];
      const candidates = [...new Set(isSame ? [own] : [own, last])];
      const isOne = isSingle || isSingleNumber(check.locale, categories[index] ?? "");
      const results = candidates.map((each) => checkPlain(each, part, isOne));
      return results.find((each) => each.length === 0) ?? results[0] ?? [];
    })
    .slice(0, 1);
}

/** Placeholders and markup of a text without branches and parts. */
function checkPlain(source: string, value: string, isSingle: boolean): readonly FormProblem[] {
  const problems: FormProblem[] = [];
  const placeholders = differenceOf(numbered(source), numbered(value), isSingle);
  // Before a brace an apostrophe quotes in ICU messages: the reader would see the name in place of its value.
  const isQuoted = quotes(value) > quotes(source);
  if (placeholders !== null) problems.push({ kind: "placeholders", ...placeholders });
  else if (isQuoted || braces(source) !== braces(value)) problems.push({ kind: "syntax" });
  const tags = markupTokens(value);
  const sourceTags = markupTokens(source);
  const markup = differenceOf(sourceTags, tags, false);
  const isElsewhere = nesting(sourceTags) !== null && nesting(sourceTags) !== nesting(tags);
  if (markup !== null) problems.push({ kind: "markup", ...markup });
  else if (isElsewhere || tagStarts(source) !== tagStarts(value)) problems.push({ kind: "markup-order" });
  else if (emptyElements(value) > emptyElements(source)) problems.push({ kind: "empty" });
  const entities = differenceOf(entityTokens(source, source), entityTokens(value, source), false);
  if (markup === null && entities !== null) problems.push({ kind: "markup", ...entities });
  if (problems.length === 0 && isWithoutWords(source, value)) problems.push({ kind: "empty" });
  return problems;
}

/** How often an apostrophe stands where ICU takes it for the beginning of what is quoted. */
function quotes(text: string): number {
  const quoted = text.includes("{") || text.includes(NUMBER) ? /(?<!')'[{<\0]/gu : /(?<!')'\{/gu;
  return text.match(quoted)?.length ?? 0;
}

/** Whether nothing is left of the words: of three, or where there is no placeholder either. */
function isWithoutWords(source: string, value: string): boolean {
  const words = proseWords(source).length;
  if (words === 0 || (words < 3 && numbered(value).length > 0)) return false;
  return !/[\p{L}\p{N}\p{S}]/u.test(blanked(value, [...placeholderTokens(value), ...markupTokens(value)]));
}

/** The braces that are of no placeholder. */
function braces(text: string): string {
  return blanked(text, placeholderTokens(text)).match(/[{}]/gu)?.sort().join("") ?? "";
}

interface Token {
  readonly id: string;
  readonly text: string;
  readonly isCount?: boolean;
}

function numbered(text: string): readonly Token[] {
  const numbers = text
    .split(NUMBER)
    .slice(1)
    .map(() => ({ id: "#", text: "#", isCount: true }));
  return [...placeholderTokens(text), ...numbers];
}

/** Which tokens are too few and too many; `null`: none. `isSingle`: those of the count may be left out. */
function differenceOf(
  source: readonly Token[],
  found: readonly Token[],
  isSingle: boolean,
): { readonly missing: readonly string[]; readonly unexpected: readonly string[] } | null {
  const rest = [...found];
  const missing: string[] = [];
  for (const token of source) {
    const index = rest.findIndex(({ id }) => id === token.id);
    if (index !== -1) rest.splice(index, 1);
    else if (!isSingle || token.isCount !== true) missing.push(token.text);
  }
  if (missing.length + rest.length === 0) return null;
  return {
    missing: missing.slice(0, MAX_NAMED),
    unexpected: rest.map(({ text }) => text).slice(0, MAX_NAMED),
  };
}

/** Of a text with more faults these are named. */
const MAX_NAMED = 10;

/** Elements that have no end tag. */
const VOID = /^<(?:br|hr|img|input|wbr|area|col|source|link|meta)\b/iu;

/** Which elements are inside of which; `null`: they are not closed in order. */
function nesting(tags: readonly Token[]): string | null {
  const open: string[] = [];
  const inside: string[] = [];
  for (const { text } of tags) {
    const name = /^<\/?([\w:.-]+)/u.exec(text)?.[1]?.toLowerCase();
    if (name === undefined || text.endsWith("/>") || VOID.test(text)) continue;
    if (!text.startsWith("</")) {
      inside.push(`${open.at(-1) ?? ""}>${name}`);
      open.push(name);
    } else if (open.pop() !== name) return null;
  }
  return open.length === 0 ? inside.sort().join() : null;
}

/** How many elements have nothing in them. */
function emptyElements(text: string): number {
  return text.match(/<([A-Za-z][\w:.-]*|\d+)(?:\s[^<>]*)?>\s*<\/\1\s*>/gu)?.length ?? 0;
}

const ENTITY = /&(?:amp;)*(?:[A-Za-z]\w{1,30}|#\d{1,7}|#[xX][\dA-Fa-f]{1,6});/gu;

/**
 * Character references that matter: all where the source text has none; else those of `<` and `>`, and those that are
 * escaped twice.
 */
function entityTokens(text: string, source: string): readonly Token[] {
  const hasSome = source.search(ENTITY) !== -1;
  return (text.match(ENTITY) ?? [])
    .filter((each) => !hasSome || /^&(?:lt|gt|amp;.*);$/iu.test(each))
    .map((each) => ({ id: each.toLowerCase(), text: each }));
}

/** How often a tag seems to begin, whether it ends or not. */
function tagStarts(text: string): number {
  return text.match(/<(?=[A-Za-z/!?])/gu)?.length ?? 0;
}

/** Whether there is nothing that a reader would see. */
function isBlank(text: string): boolean {
  return /^[\s\p{Cf}\p{Z}\u115f\u1160\u2800\u3164\uffa0]*$/u.test(text);
}

/**
 * Control characters, private use, what is no character, and what nobody sees: marks that turn the writing direction, the
 * byte order mark, the soft hyphen, fillers, tags and the like. Also the brackets of our marks.
 */
const BAD =
  /(?![\t\n])[\p{Cc}\p{Co}\p{Zl}\p{Zp}\u00ad\u115f\u1160\u180e\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffd⟦⟧\u{e0000}-\u{e0fff}]/gu;
/** Joiners and breaks without a width where both neighbours are Latin, blank or missing: no writing needs them there. */
const BAD_JOINER = /(?<![^\0-\u024f])[\u200b-\u200d](?![^\0-\u024f])/gu;
/** Marks of the writing direction, which only texts from right to left have. */
const DIRECTION = /[\u061c\u200e\u200f]/gu;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

function hasBadCharacters(source: string, value: string): boolean {
  if (!value.isWellFormed()) return source.isWellFormed();
  const patterns = [BAD, BAD_JOINER, ...(RIGHT_TO_LEFT.test(value) ? [] : [DIRECTION])];
  if (patterns.some((pattern) => value.match(pattern)?.some((bad) => !source.includes(bad)) === true))
    return true;
  return ["\n", "\t"].some((character) => value.includes(character) && !source.includes(character));
}

/** Whether both begin and end with the same blanks, and have as many line breaks. */
function hasSameBlanks(source: string, value: string): boolean {
  const ends = (text: string): string =>
    JSON.stringify([/^\s*/u.exec(text)?.[0], text.slice(text.trimEnd().length)]);
  return ends(source) === ends(value) && source.split("\n").length === value.split("\n").length;
}

/** A text may be so many times as long as its source text, and so many characters longer, whatever the language. */
const MAX_GROWTH = 4;
const MAX_LONGER = 60;

function isMoreThanText(source: string, value: string): boolean {
  if (["```", "**"].some((mark) => value.includes(mark) && !source.includes(mark))) return true;
  if (QUOTED.test(value) && !/["“”„«»`「」『』]/u.test(source)) return true;
  if (INTRODUCED.test(value) && !/[:：]/u.test(source)) return true;
  return value.length > source.length * MAX_GROWTH + MAX_LONGER;
}

/** In quotation marks as a whole. */
const QUOTED = /^["“„«`「『][^"“”„«»`「」『』]*["”“»`」』]$/u;
/** As models begin an answer. */
const INTRODUCED =
  /^(?:translation|translated|here(?:['’]s| is)|sure|certainly|of course)\b[^.!?]{0,80}[:：]/iu;

/**
 * Whether the value is the source text although the language is another. Names and single words are often the same in
 * many languages, so it takes two words, of which one that is not the first begins with a small letter, or has no case.
 */
function isRepeated({ sourceLocale, locale }: TranslationCheck, source: string, value: string): boolean {
  if (language(sourceLocale) === language(locale)) return false;
  const words = proseWords(source);
  const [, ...others] = words;
  if (proseWords(value).join(" ").toLowerCase() !== words.join(" ").toLowerCase()) return false;
  return others.some((word) => word.length > 1 && word.charAt(0) === word.charAt(0).toLowerCase());
}

function language(locale: string): string {
  return locale.toLowerCase().split(/[-_@.]/u)[0] ?? "";
}

function proseWords(text: string): readonly string[] {
  const message = blanked(text, icuChoices(text) ?? []);
  const prose = blanked(message, [...placeholderTokens(message), ...markupTokens(message)]);
  return prose.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [];
}
