/**
 * Validates machine translations: one must contain everything of its source text that is not prose, and fit the key
 * and the language. Used by the translation editor, the translate command and the language model tools.
 */
import type { PipeRules } from "../model/pipe-plurals.ts";
import {
  icuPluralCategories,
  parseIcuChoices,
  isPluralCategory,
  isPluralChoice,
  type IcuChoice,
} from "../model/icu-message.ts";
import {
  markupTokens,
  splitPluralParts,
  placeholderTokens,
  blankOut,
  type PluralParts,
} from "../model/non-translatable-tokens.ts";
import { isCountPlaceholder } from "../model/placeholder-checks.ts";
import { delimitedFamily, type Delimiters, findPlaceholders } from "../model/placeholders.ts";
import { languageOf } from "../model/locales.ts";
import { supportedFrameworks } from "../frameworks/supported-frameworks.ts";
import { isSingleNumberCategory, neededCategories, pluralCategories } from "../model/plural-categories.ts";
import { isForms, areTextsEqual, type Text, codePointCount } from "../model/translation-text.ts";

interface TokenDifference {
  /** As written; of duplicates, each surplus one is unexpected. */
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
}

/** A problem of a value, or of one form of a plural text. */
type FormProblem =
  | ({ readonly kind: "placeholders" | "markup" } & TokenDifference)
  | { readonly kind: "too-long"; readonly length: number; readonly maxLength: number }
  | {
      readonly kind:
        | "empty"
        /** Tags that are not nested properly, where those of the source text are. */
        | "markup-order"
        /** Unbalanced braces, or an ICU argument with other options than the source text and the language need. */
        | "syntax"
        /** Other plural parts (`|`) than the source text and the language need, or other ranges before them. */
        | "parts"
        | "source-repeated"
        /** Control or invisible characters, lone surrogates, or line breaks where the source text has none. */
        | "characters"
        /** Other leading or trailing whitespace, or another number of line breaks, than the source text. */
        | "blanks"
        /** Comments on the translation, quotes or Markdown around it. */
        | "not-only-text";
    };

/** Why a translation is rejected. `form` is the plural category; `null` for a singular text. */
export type TranslationProblem =
  /** `singular`: where a plural one is required; `plural`: the other way round. */
  | { readonly kind: "source-changed" | "no-source" | "singular" | "plural" }
  | ({ readonly kind: "categories" } & TokenDifference)
  | (FormProblem & { readonly form: string | null });

/** The context of a check. */
export interface TranslationCheck {
  /** The text that was translated. */
  readonly source: Text | null;
  readonly sourceLocale: string;
  /** Locale of the translation. */
  readonly locale: string;
  readonly maxLength: number | null;
  /** Of the project's own placeholders. */
  readonly delimiters?: readonly Delimiters[];
  /** The current source text, where it may have changed since `source` was read. */
  readonly currentSource?: Text | null;
}

/** Returns all problems of a translation. Linear in the lengths of both texts. */
export function checkTranslation(check: TranslationCheck, text: Text): readonly TranslationProblem[] {
  const { source, currentSource = source, locale } = check;
  if (source === null) return [{ kind: "no-source" }];
  if (currentSource === null || !areTextsEqual(source, currentSource)) return [{ kind: "source-changed" }];
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
    const sources = [...new Set([sourceFormFor(check, source.forms, form), otherForm(source.forms)])];
    const problems = checkValue(check, sources, value, isSingleNumberCategory(locale, form));
    return problems.map((problem) => ({ ...problem, form }));
  });
}

/**
 * Returns the source form for a form of another language: the one of the same category. `other` where there is none,
 * and where it is for one number only (English `one`) but the other language's is not (Russian `one`: 1, 21, 31).
 */
export function sourceFormFor(
  { sourceLocale, locale }: Pick<TranslationCheck, "sourceLocale" | "locale">,
  forms: Readonly<Record<string, string>>,
  form: string,
): string {
  const isNarrow = isSingleNumberCategory(sourceLocale, form) && !isSingleNumberCategory(locale, form);
  return (isNarrow ? undefined : forms[form]) || otherForm(forms);
}

function otherForm(forms: Readonly<Record<string, string>>): string {
  return forms["other"] ?? Object.values(forms).at(-1) ?? "";
}

/**
 * Checks one value.
 * @param sources The source texts that it may translate.
 * @param isSingle Whether it is for one number only, which it may omit.
 */
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
  const length = codePointCount(value);
  if (maxLength !== null && length > maxLength) problems.push({ kind: "too-long", length, maxLength });
  if (hasBadCharacters(source, value)) return [...problems, { kind: "characters" }];
  if (!sources.some((each) => haveSameWhitespace(each, value))) problems.push({ kind: "blanks" });
  if (hasMoreThanTranslation(source, value)) problems.push({ kind: "not-only-text" });
  if (repeatsSource(check, source, value)) problems.push({ kind: "source-repeated" });
  return [
    ...problems,
    ...checkAny(sources, (each) => {
      const found = checkMessage(check, each, value, isSingle);
      if (found.some(({ kind }) => kind === "placeholders")) return found;
      return [...found, ...checkOwnPlaceholders(check, each, value, isSingle)];
    }),
  ];
}

/** Checks placeholders between the project's own delimiters. */
function checkOwnPlaceholders(
  { delimiters = [] }: TranslationCheck,
  source: string,
  value: string,
  isSingle: boolean,
): readonly FormProblem[] {
  const tokens = (text: string): readonly Token[] =>
    delimiters.flatMap((each) =>
      findPlaceholders(delimitedFamily(each), text).map((found) => ({
        id: found.text.replaceAll(/\s/gu, ""),
        text: found.text,
        isCount: isCountPlaceholder(found),
      })),
    );
  const difference = compareTokens(tokens(source), tokens(value), isSingle);
  return difference === null ? [] : [{ kind: "placeholders", ...difference }];
}

/** Returns the problems with the first of the sources, unless the value has none with another one. */
function checkAny(
  sources: readonly string[],
  problemsWith: (source: string) => readonly FormProblem[],
): readonly FormProblem[] {
  const results = sources.map(problemsWith);
  return results.find((each) => each.length === 0) ?? results[0] ?? [];
}

/** Checks placeholders, markup, ICU arguments and plural parts of a message or of an option of one. */
function checkMessage(
  check: TranslationCheck,
  source: string,
  value: string,
  isSingle: boolean,
): readonly FormProblem[] {
  const sourceChoices = parseIcuChoices(source);
  const choices = parseIcuChoices(value);
  // If the source text is no ICU message, its braces are prose or placeholders.
  if (sourceChoices === null || (sourceChoices.length === 0 && choices?.length === 0)) {
    return checkParts(check, source, value, isSingle);
  }
  const pairs = choices && pairChoices(sourceChoices, choices);
  if (choices === null || pairs === null) return [{ kind: "syntax" }];
  const quoted = (text: string, all: readonly IcuChoice[]): number =>
    all.filter(({ start }) => /(?<!')'$/u.test(text.slice(Math.max(0, start - 2), start))).length;
  if (quoted(value, choices) > quoted(source, sourceChoices)) return [{ kind: "syntax" }];
  // Words may move into the options.
  const plain = checkPlain(blankOut(source, sourceChoices), blankOut(value, choices), isSingle).filter(
    ({ kind }) => kind !== "empty",
  );
  const inChoices = pairs.flatMap(([from, to]) =>
    checkChoice(check, { choice: from, text: source }, { choice: to, text: value }),
  );
  return [...plain, ...inChoices].slice(0, 1);
}

/** Pairs each argument of the translation with that of the source text, in any order; `null` if they differ. */
function pairChoices(
  source: readonly IcuChoice[],
  found: readonly IcuChoice[],
): [IcuChoice, IcuChoice][] | null {
  const idOf = ({ name, type, offset }: IcuChoice): string => JSON.stringify([name, type, offset]);
  const rest = Map.groupBy(source, idOf);
  const pairs = found.flatMap((choice): [IcuChoice, IcuChoice][] => {
    const from = rest.get(idOf(choice))?.shift();
    return from === undefined ? [] : [[from, choice]];
  });
  return pairs.length === found.length && found.length === source.length ? pairs : null;
}

interface ChoiceInText {
  readonly choice: IcuChoice;
  readonly text: string;
}

function checkChoice(
  check: TranslationCheck,
  source: ChoiceInText,
  found: ChoiceInText,
): readonly FormProblem[] {
  const isPlural = isPluralChoice(found.choice);
  const isCategory = (selector: string): boolean => isPlural && isPluralCategory(selector);
  const selectors = ({ choice }: ChoiceInText): string[] => choice.options.map(({ selector }) => selector);
  /** Selectors contain no spaces. */
  const fixed = (all: readonly string[]): string =>
    all
      .filter((selector) => !isCategory(selector))
      .sort()
      .join(" ");
  const { needed, allowed } = icuPluralCategories(found.choice.type, check.locale);
  const present = selectors(found);
  const hasCategories = needed.every((category) => present.includes(category));
  const isSame =
    fixed(selectors(source)) === fixed(present) &&
    (!isPlural || (hasCategories && present.filter(isCategory).every((each) => allowed.includes(each))));
  if (!isSame) return [{ kind: "syntax" }];
  const branches = Object.fromEntries(
    source.choice.options.map(({ selector, start, end }) => [selector, source.text.slice(start, end)]),
  );
  return found.choice.options.flatMap(({ selector, start, end }): readonly FormProblem[] => {
    const value = withNumber(found, found.text.slice(start, end));
    const isExact = isPlural && !isCategory(selector);
    const isSingle = isExact || (isPlural && isSingleNumberCategory(check.locale, selector));
    const branch = isCategory(selector) ? sourceFormFor(check, branches, selector) : branches[selector];
    const candidates = [...new Set([branch ?? "", ...(isExact ? [] : [otherForm(branches)])])];
    if (isBlank(value) && !candidates.some(isBlank)) return [{ kind: "empty" }];
    return checkAny(candidates, (each) => checkMessage(check, withNumber(source, each), value, isSingle));
  });
}

/** Replaces a `#` that is the plural number; texts do not contain this character. */
const NUMBER_SIGN = "\u0000";

/** Marks each `#` of a plural option as the number. */
function withNumber({ choice }: ChoiceInText, branch: string): string {
  return isPluralChoice(choice) ? branch.replaceAll("#", NUMBER_SIGN) : branch;
}

/** Checks a value with plural parts (`|`), or a plain one. */
function checkParts(
  check: TranslationCheck,
  source: string,
  value: string,
  isSingle: boolean,
): readonly FormProblem[] {
  const from = splitPluralParts(source);
  const to = splitPluralParts(value);
  if (from.parts.length === 1 && to.parts.length === 1) return checkPlain(source, value, isSingle);
  const hasRanges = from.ranges.some((range) => range !== "");
  const categories =
    from.parts.length > 1 && !hasRanges
      ? PART_CATEGORIES.find(
          (partsOf) =>
            from.parts.length === partsOf(check.sourceLocale).length &&
            to.parts.length === partsOf(check.locale).length,
        )?.(check.locale)
      : undefined;
  const isSame = from.parts.length === to.parts.length && from.ranges.join() === to.ranges.join();
  /** Counts the bars that do not separate parts. */
  const bars = (text: string, { parts }: PluralParts): number => text.split("|").length - parts.length;
  if ((!isSame && categories === undefined) || bars(source, from) !== bars(value, to))
    return [{ kind: "parts" }];
  const last = from.parts.at(-1) ?? "";
  return to.parts
    .flatMap((part, index): readonly FormProblem[] => {
      const sourcePart = from.parts[index] ?? last;
      if (isBlank(part)) return isBlank(sourcePart) ? [] : [{ kind: "parts" }];
      const candidates = [...new Set(isSame ? [sourcePart] : [sourcePart, last])];
      const isOne = isSingle || isSingleNumberCategory(check.locale, categories?.[index] ?? "");
      return checkAny(candidates, (each) => checkPlain(each, part, isOne));
    })
    .slice(0, 1);
}

/** Returns the plural categories of the parts of a value, in each framework that has parts. */
const PART_CATEGORIES: readonly PipeRules["shownCategories"][] = [...supportedFrameworks.values()].flatMap(
  ({ pipes }) => pipes?.shownCategories ?? [],
);

/** Checks placeholders and markup of a text without ICU options and plural parts. */
function checkPlain(source: string, value: string, isSingle: boolean): readonly FormProblem[] {
  const problems: FormProblem[] = [];
  const placeholders = compareTokens(placeholdersAndNumbers(source), placeholdersAndNumbers(value), isSingle);
  // An apostrophe before a brace quotes it in ICU messages: users would see the name instead of its value.
  const isQuoted = icuQuoteCount(value) > icuQuoteCount(source);
  if (placeholders !== null) problems.push({ kind: "placeholders", ...placeholders });
  else if (isQuoted || nonPlaceholderBraces(source) !== nonPlaceholderBraces(value))
    problems.push({ kind: "syntax" });
  const tags = markupTokens(value);
  const sourceTags = markupTokens(source);
  const markup = compareTokens(sourceTags, tags);
  const nesting = elementNesting(sourceTags);
  const isElsewhere = nesting !== null && nesting !== elementNesting(tags);
  if (markup !== null) problems.push({ kind: "markup", ...markup });
  else if (isElsewhere || tagStartCount(source) !== tagStartCount(value))
    problems.push({ kind: "markup-order" });
  else if (emptyElementCount(value) > emptyElementCount(source)) problems.push({ kind: "empty" });
  const entities = compareTokens(entityTokens(source, source), entityTokens(value, source));
  if (markup === null && entities !== null) problems.push({ kind: "markup", ...entities });
  if (problems.length === 0 && lacksWords(source, value)) problems.push({ kind: "empty" });
  return problems;
}

/** Counts the apostrophes that start an ICU quote. */
function icuQuoteCount(text: string): number {
  const quoted = text.includes("{") || text.includes(NUMBER_SIGN) ? /(?<!')'[{<\0]/gu : /(?<!')'\{/gu;
  return text.match(quoted)?.length ?? 0;
}

/** Returns whether no words are left, where the source text has three or no placeholders. */
function lacksWords(source: string, value: string): boolean {
  const words = proseWords(source).length;
  if (words === 0 || (words < 3 && placeholdersAndNumbers(value).length > 0)) return false;
  return !/[\p{L}\p{N}\p{S}]/u.test(proseOf(value));
}

/** Returns the braces that do not belong to a placeholder. */
function nonPlaceholderBraces(text: string): string {
  return blankOut(text, placeholderTokens(text)).match(/[{}]/gu)?.sort().join("") ?? "";
}

interface Token {
  readonly id: string;
  readonly text: string;
  readonly isCount?: boolean;
}

function placeholdersAndNumbers(text: string): readonly Token[] {
  const [, ...rest] = text.split(NUMBER_SIGN);
  return [...placeholderTokens(text), ...rest.map(() => ({ id: "#", text: "#", isCount: true }))];
}

/** Returns the difference; `null` if there is none. With `isSingle`, tokens of the count may be missing. */
function compareTokens(
  source: readonly Token[],
  found: readonly Token[],
  isSingle = false,
): TokenDifference | null {
  const rest = [...found];
  const missing: string[] = [];
  for (const token of source) {
    const index = rest.findIndex(({ id }) => id === token.id);
    if (index !== -1) rest.splice(index, 1);
    else if (!isSingle || token.isCount !== true) missing.push(token.text);
  }
  if (missing.length + rest.length === 0) return null;
  return {
    missing: missing.slice(0, MAX_REPORTED_TOKENS),
    unexpected: rest.map(({ text }) => text).slice(0, MAX_REPORTED_TOKENS),
  };
}

/** Tokens that a problem lists. */
const MAX_REPORTED_TOKENS = 10;

/** Elements without an end tag. */
const VOID_ELEMENT = /^<(?:br|hr|img|input|wbr|area|col|source|link|meta)\b/iu;

/** Returns which element is nested in which; `null` if they are not nested properly. */
function elementNesting(tags: readonly Token[]): string | null {
  const open: string[] = [];
  const nestings: string[] = [];
  for (const { text } of tags) {
    const name = /^<\/?([\w:.-]+)/u.exec(text)?.[1]?.toLowerCase();
    if (name === undefined || text.endsWith("/>") || VOID_ELEMENT.test(text)) continue;
    if (!text.startsWith("</")) {
      nestings.push(`${open.at(-1) ?? ""}>${name}`);
      open.push(name);
    } else if (open.pop() !== name) return null;
  }
  return open.length === 0 ? nestings.sort().join() : null;
}

/** Counts the elements without content. */
function emptyElementCount(text: string): number {
  return text.match(/<([A-Za-z][\w:.-]*|\d+)(?:\s[^<>]*)?>\s*<\/\1\s*>/gu)?.length ?? 0;
}

const ENTITY = /&(?:amp;)*(?:[A-Za-z]\w{1,30}|#\d{1,7}|#[xX][\dA-Fa-f]{1,6});/gu;

/** Returns all character references if the source text has none; else `<`, `>` and what is escaped twice. */
function entityTokens(text: string, source: string): readonly Token[] {
  const hasSome = source.search(ENTITY) !== -1;
  return (text.match(ENTITY) ?? [])
    .filter((each) => !hasSome || /^&(?:lt|gt|amp;.*);$/iu.test(each))
    .map((each) => ({ id: each.toLowerCase(), text: each }));
}

/** Counts what looks like the start of a tag, complete or not. */
function tagStartCount(text: string): number {
  return text.match(/<(?=[A-Za-z/!?])/gu)?.length ?? 0;
}

/** Returns whether nothing of the text is visible. */
function isBlank(text: string): boolean {
  return /^[\s\p{Cf}\p{Z}\u115f\u1160\u2800\u3164\uffa0]*$/u.test(text);
}

/**
 * Control, private use and invalid characters, and invisible ones: bidirectional controls, byte order mark, soft
 * hyphen, fillers, tags. Also the brackets that placeholder-masking.ts uses.
 */
const BAD_CHARACTERS =
  /(?![\t\n])[\p{Cc}\p{Co}\p{Zl}\p{Zp}\u00ad\u115f\u1160\u180e\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffd⟦⟧\u{e0000}-\u{e0fff}]/gu;
/** Zero-width joiners and spaces whose neighbours are Latin, whitespace or missing: no script needs them there. */
const BAD_JOINER = /(?<![^\0-\u024f])[\u200b-\u200d](?![^\0-\u024f])/gu;
/** Direction marks, which only right-to-left texts need. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/gu;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

function hasBadCharacters(source: string, value: string): boolean {
  if (!value.isWellFormed()) return source.isWellFormed();
  const patterns = [BAD_CHARACTERS, BAD_JOINER, ...(RIGHT_TO_LEFT.test(value) ? [] : [DIRECTION_MARKS])];
  if (patterns.some((pattern) => value.match(pattern)?.some((bad) => !source.includes(bad)) === true))
    return true;
  return ["\n", "\t"].some((character) => value.includes(character) && !source.includes(character));
}

/** Returns whether both have the same leading and trailing whitespace and as many line breaks. */
function haveSameWhitespace(source: string, value: string): boolean {
  const ends = (text: string): string =>
    JSON.stringify([/^\s*/u.exec(text)?.[0], text.slice(text.trimEnd().length)]);
  return ends(source) === ends(value) && source.split("\n").length === value.split("\n").length;
}

/** A translation may be this many times as long as its source text, plus a number of characters. */
const MAX_LENGTH_FACTOR = 4;
const MAX_EXTRA_CHARACTERS = 60;

function hasMoreThanTranslation(source: string, value: string): boolean {
  if (["```", "**"].some((mark) => value.includes(mark) && !source.includes(mark))) return true;
  if (FULLY_QUOTED.test(value) && !/["“”„«»`「」『』]/u.test(source)) return true;
  if (INTRODUCTION.test(value) && !/[:：]/u.test(source)) return true;
  return value.length > source.length * MAX_LENGTH_FACTOR + MAX_EXTRA_CHARACTERS;
}

/** Texts in quotation marks. */
const FULLY_QUOTED = /^["“„«`「『][^"“”„«»`「」『』]*["”“»`」』]$/u;
/** Typical introductions of language models. */
const INTRODUCTION =
  /^(?:translation|translated|here(?:['’]s| is)|sure|certainly|of course)\b[^.!?]{0,80}[:：]/iu;

/**
 * Returns whether the value is the untranslated source text. Names and single words are often the same in many
 * languages, so at least two words are required, one of which, after the first, starts with a lowercase letter or has
 * no case.
 */
function repeatsSource({ sourceLocale, locale }: TranslationCheck, source: string, value: string): boolean {
  if (languageOf(sourceLocale) === languageOf(locale)) return false;
  const words = proseWords(source);
  const [, ...others] = words;
  if (proseWords(value).join(" ").toLowerCase() !== words.join(" ").toLowerCase()) return false;
  return others.some((word) => word.length > 1 && word.charAt(0) === word.charAt(0).toLowerCase());
}

function proseWords(text: string): readonly string[] {
  const message = blankOut(text, parseIcuChoices(text) ?? []);
  return proseOf(message).match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [];
}

/** Returns a text without ICU arguments, with blanks for everything that is not translated. */
function proseOf(text: string): string {
  return blankOut(text, [...placeholderTokens(text), ...markupTokens(text)]);
}
