/**
 * Finds what is not prose in a text and must be unchanged in a translation: placeholders of all frameworks, markup,
 * and the syntax of ICU arguments and of plural parts (`a|b`).
 */
import { parseIcuChoices, isPluralChoice, type IcuChoice } from "./icu-message.ts";
import { isCountPlaceholder } from "./placeholder-checks.ts";
import type { Placeholder } from "./placeholder.ts";
import {
  delimitedFamily,
  type Delimiters,
  findPlaceholders,
  type PlaceholderFamily,
} from "./placeholders.ts";
import { type Span, spanOf } from "../util/span.ts";

/** A placeholder of any framework. Tokens with the same `id` are equivalent. */
export interface PlaceholderToken extends Span {
  readonly id: string;
  /** As written. */
  readonly text: string;
  /** Whether it shows the number that selects the plural form. */
  readonly isCount: boolean;
  /** Whether it takes the next argument, so that the order matters (`%s`). */
  readonly isPositional: boolean;
}

const FAMILIES: readonly PlaceholderFamily[] = ["colon", "double-braces", "braces", "printf"];

/** Placeholders outside of the four families; a match inside of one of theirs is harmless. */
const OTHER_PLACEHOLDERS = new RegExp(
  [
    // `%{name}`, `${name}`, `#{name}`, `[[name]]`, `<<name>>`, `%name%`, Ruby's `%<name>s`, ERB's `<%= name %>`, `__name__`.
    String.raw`[%$#]\{[^{}]{1,200}\}|\[\[[^[\]]{1,200}\]\]|<<[^<>]{1,200}>>`,
    String.raw`%[A-Za-z_]\w{1,100}%|%<\w{1,100}>[-+0-9.#]{0,9}[a-zA-Z]`,
    String.raw`<%[^%]{0,200}%>|(?<!\w)__[A-Za-z]\w{0,100}?__(?!\w)`,
    // i18next's `$t(key)`, vue-i18n's `@:key`, Drupal's `@name` and `!name`.
    String.raw`\$t\([^()]{1,200}\)|@(?:\.\w+)?:(?:\([^()]{1,200}\)|\{'[^']{1,200}'\}|[\w.]{1,200}\w)|(?<![\w@.])@[A-Za-z_]\w*`,
    String.raw`(?<![^\s"'(>«„“‘])![a-z_]\w*`,
    // Addresses, and `\n` that is two characters.
    String.raw`(?<!\w)(?:https?:\/\/|www\.)[^\s<>"'{}|\\^]*[\w/=#&%-]|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+`,
    String.raw`\\[nrt]`,
  ].join("|"),
  "gu",
);
/** Other expressions in braces, compared verbatim: `{price:.2f}`, `{0:N2}`, Fluent's `{ $name }`, `{'@'}`. */
const BRACES = /\{[^{}]{0,200}\}/gu;

/**
 * Returns the placeholders of a text without ICU options, in order.
 * @param delimiters of the project's own placeholders
 */
export function placeholderTokens(
  text: string,
  delimiters: readonly Delimiters[] = [],
): readonly PlaceholderToken[] {
  const own = delimiters.flatMap((each) => findPlaceholders(delimitedFamily(each), text));
  const found = own.map((placeholder) => ({
    ...literalToken(placeholder.text, placeholder.start),
    isCount: isCountPlaceholder(placeholder),
  }));
  const others = blankOut(text, own);
  for (const family of FAMILIES)
    for (const placeholder of findPlaceholders(family, others))
      found.push(familyToken(family, placeholder, others));
  for (const { index, 0: match } of others.matchAll(OTHER_PLACEHOLDERS))
    found.push(literalToken(match, index));
  for (const { index, 0: match } of blankOut(others, found).matchAll(BRACES))
    found.push({ ...literalToken(match, index), id: match });
  // Laravel also replaces a known placeholder directly after a word or a colon, where findPlaceholders sees none.
  const colonNames = new Set(found.filter(({ id }) => id.startsWith(":")).map(({ id }) => id));
  for (const { index, 0: match } of colonNames.size === 0
    ? []
    : others.matchAll(/(?<=[\w:]):[A-Za-z_]\w*/gu)) {
    if (colonNames.has(match)) found.push(literalToken(match, index));
  }
  // A lone percent sign is prose, unless the text is a format string.
  if (found.some(({ id }) => id.startsWith("printf ")) || others.includes("%%")) {
    for (const { index, 0: match } of blankOut(others, found).matchAll(/%%|%/gu))
      found.push(literalToken(match, index));
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

function literalToken(text: string, start: number): PlaceholderToken {
  const id = text.replaceAll(/\s/gu, "");
  return { id, text, start, end: start + text.length, isCount: false, isPositional: false };
}

function familyToken(family: PlaceholderFamily, placeholder: Placeholder, text: string): PlaceholderToken {
  const { name, kind, start } = placeholder;
  // findPlaceholders returns only the start of `{when, date, short}`.
  const close = text[placeholder.end - 1] === "}" ? -1 : text.indexOf("}", placeholder.end);
  const end = family === "braces" && close !== -1 ? close + 1 : placeholder.end;
  const written = text.slice(start, end);
  const isPositional = family === "printf" && !/%(?:\d+\$|\()/u.test(written);
  let id = written.replaceAll(/\s/gu, "");
  if (family === "colon") id = `:${name}`;
  // A model must not choose another notation of an integer.
  const notation = kind === "d" && !/[diu]$/u.test(written) ? written.slice(-1) : kind;
  if (family === "printf") id = `printf ${isPositional ? "" : "="}${name} ${notation}`;
  return { id, text: written, start, end, isCount: isCountPlaceholder(placeholder), isPositional };
}

/** A tag or comment. Of attributes that users see (`alt`, `title`), the `id` has only the placeholders. */
export interface MarkupToken extends Span {
  readonly id: string;
  readonly text: string;
}

/** A comment ends before the next one begins: where none is closed, each is searched for its end only up to there. */
const MARKUP = /<!--(?:(?!<!--)[\s\S])*?-->|<\/?[A-Za-z][^<>]*>|<\/?\d+\s*\/?>/gu;
const READABLE_ATTRIBUTES = /\s(alt|title|placeholder|aria-label)\s*=\s*("[^"]*"|'[^']*')/giu;

/** Returns the markup of a text, in order. */
export function markupTokens(text: string): readonly MarkupToken[] {
  return Array.from(text.matchAll(MARKUP), (match) => ({
    id: match[0]
      .replaceAll(READABLE_ATTRIBUTES, (_, name: string, value: string) =>
        [" ", name, ...placeholderTokens(value).map(({ id }) => id)].sort().join(" "),
      )
      .replaceAll(/\s+/gu, " ")
      .replace(/\s*\/?>$/u, ">"),
    text: match[0],
    ...spanOf(match),
  }));
}

/** Separators of plural parts, including the range that may follow (`|[2,*]`). */
const SEPARATOR =
  /(?:^|(?<!\s)\s*\|)\s*(?:\{\s*-?\d+\s*\}|[[\]]\s*(?:\*|-?\d+)\s*,\s*(?:\*|-?\d+)\s*[[\]])\s*|(?<!\s)\s*\|\s*/gu;

/** A text split at `|`. */
export interface PluralParts {
  readonly parts: readonly string[];
  /** The range before each part (`[2,*]`, `{0}`); empty if absent. */
  readonly ranges: readonly string[];
}

/** Returns the spans of separators and ranges in a text with `|`. */
export function pluralSeparatorSpans(text: string): readonly Span[] {
  return text.includes("|") ? Array.from(text.matchAll(SEPARATOR), spanOf) : [];
}

/** Splits a text into its plural parts; a text without `|` is one part. */
export function splitPluralParts(text: string): PluralParts {
  const parts: string[] = [];
  const ranges: string[] = [];
  let rest = 0;
  for (const { start, end } of pluralSeparatorSpans(text)) {
    const separator = text.slice(start, end);
    if (separator.includes("|")) {
      parts.push(text.slice(rest, start));
      if (ranges.length < parts.length) ranges.push("");
    }
    ranges.push(separator.replaceAll(/[\s|]/gu, ""));
    rest = end;
  }
  parts.push(text.slice(rest));
  if (ranges.length < parts.length) ranges.push("");
  return { parts, ranges };
}

/** A span that is not prose. `isPositional`: a placeholder whose order matters. */
export interface NonTranslatableSpan extends Span {
  readonly isPositional: boolean;
}

/**
 * Returns everything in a text that is not prose, ICU syntax included, in order and without overlaps.
 * @param delimiters of the project's own placeholders
 */
export function nonTranslatableSpans(
  text: string,
  delimiters: readonly Delimiters[] = [],
): readonly NonTranslatableSpan[] {
  const choices = parseIcuChoices(text) ?? [];
  const prose = blankOut(text, choices);
  const others = [...markupTokens(prose), ...(choices.length > 0 ? [] : pluralSeparatorSpans(prose))];
  return mergeSpans([
    ...choices.flatMap((choice) => choiceSpans(text, choice, delimiters)),
    ...placeholderTokens(prose, delimiters).map(({ start, end, isPositional }) => ({
      start,
      end,
      isPositional,
    })),
    ...others.map(({ start, end }) => ({ start, end, isPositional: false })),
  ]);
}

/** Replaces the spans with spaces, so that offsets stay valid. */
export function blankOut(text: string, spans: readonly Span[]): string {
  let result = "";
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= result.length) continue;
    const from = Math.max(start, result.length);
    result += text.slice(result.length, from) + " ".repeat(end - from);
  }
  return result + text.slice(result.length);
}

function choiceSpans(
  text: string,
  choice: IcuChoice,
  delimiters: readonly Delimiters[],
): NonTranslatableSpan[] {
  const spans: NonTranslatableSpan[] = [];
  let from = choice.start;
  for (const { start, end } of choice.options) {
    spans.push({ start: from, end: start, isPositional: true });
    const branch = text.slice(start, end);
    for (const inner of nonTranslatableSpans(branch, delimiters)) {
      spans.push({ start: start + inner.start, end: start + inner.end, isPositional: inner.isPositional });
    }
    const nested = blankOut(branch, parseIcuChoices(branch) ?? []);
    for (const { index } of isPluralChoice(choice) ? nested.matchAll(/#/gu) : []) {
      spans.push({ start: start + index, end: start + index + 1, isPositional: false });
    }
    from = end;
  }
  spans.push({ start: from, end: choice.end, isPositional: true });
  return spans;
}

function mergeSpans(spans: readonly NonTranslatableSpan[]): readonly NonTranslatableSpan[] {
  const result: NonTranslatableSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}
