/**
 * What of a text is not prose, and must come through a translation unchanged: placeholders of every framework, markup,
 * and the syntax of ICU arguments and of parts by number (`a|b`).
 */
import { icuChoices, isPluralChoice, type IcuChoice } from "./icu-message.ts";
import { isCountPlaceholder } from "./placeholder-checks.ts";
import { findPlaceholders, type Placeholder, type PlaceholderFamily } from "./placeholders.ts";
import type { Span } from "./span.ts";

/** A placeholder of any framework. Two with the same `id` mean the same. */
export interface PlaceholderToken extends Span {
  readonly id: string;
  /** As written. */
  readonly text: string;
  /** Shows the number that a plural text counts. */
  readonly isCount: boolean;
  /** Gets the next argument, so that its order counts (`%s`). */
  readonly isPositional: boolean;
}

const FAMILIES: readonly PlaceholderFamily[] = ["laravel", "i18next", "icu", "printf"];

/**
 * What the four families do not have. A part of one may be found there too, in the source text and in the translation
 * alike.
 */
const OTHERS = new RegExp(
  [
    // `%{name}`, `${name}`, `%name%`, Ruby's `%<name>s`, ERB's `<%= name %>`, `__name__`.
    String.raw`[%$]\{[^{}]{1,200}\}|%[A-Za-z_]\w{1,100}%|%<\w{1,100}>[-+0-9.#]{0,9}[a-zA-Z]`,
    String.raw`<%[^%]{0,200}%>|(?<!\w)__[A-Za-z]\w{0,100}?__(?!\w)`,
    // i18next's `$t(key)`, vue-i18n's `@:key`, Drupal's `@name` and `!name`.
    String.raw`\$t\([^()]{1,200}\)|@(?:\.\w+)?:(?:\([^()]{1,200}\)|[\w.]{1,200}\w)|(?<![\w@.])@[A-Za-z_]\w*`,
    String.raw`(?<![^\s"'(>«„“‘])![a-z_]\w*`,
    // Addresses, and `\n` that is two characters.
    String.raw`(?<!\w)(?:https?:\/\/|www\.)[^\s<>"'{}|\\^]*[\w/=#&%-]|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+`,
    String.raw`\\[nrt]`,
  ].join("|"),
  "gu",
);
/** What else is in braces, exactly as it is: Python's `{price:.2f}`, .NET's `{0:N2}`, Fluent's `{ $name }`, `{'@'}`. */
const BRACES = /\{[^{}]{0,200}\}/gu;

/** The placeholders of a text without ICU branches, in order. */
export function placeholderTokens(text: string): readonly PlaceholderToken[] {
  const found = FAMILIES.flatMap((family) =>
    findPlaceholders(family, text).map((placeholder) => token(family, placeholder, text)),
  );
  for (const { index, 0: match } of text.matchAll(OTHERS)) found.push(plain(match, index));
  for (const { index, 0: match } of blanked(text, found).matchAll(BRACES))
    found.push({ ...plain(match, index), id: match });
  // Laravel fills a placeholder also right behind a word or a colon, where it is not looked for as a new one.
  const laravel = new Set(found.filter(({ id }) => id.startsWith(":")).map(({ id }) => id));
  for (const { index, 0: match } of laravel.size === 0 ? [] : text.matchAll(/(?<=[\w:]):[A-Za-z_]\w*/gu)) {
    if (laravel.has(match)) found.push(plain(match, index));
  }
  // A percent sign alone is prose, unless a function that formats reads the text.
  if (found.some(({ id }) => id.startsWith("printf ")) || text.includes("%%")) {
    for (const { index, 0: match } of blanked(text, found).matchAll(/%%|%/gu))
      found.push(plain(match, index));
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

function plain(text: string, start: number): PlaceholderToken {
  const id = text.replaceAll(/\s/gu, "");
  return { id, text, start, end: start + text.length, isCount: false, isPositional: false };
}

function token(family: PlaceholderFamily, placeholder: Placeholder, text: string): PlaceholderToken {
  const { name, kind, start } = placeholder;
  // Of `{when, date, short}` only the beginning is found.
  const close = text[placeholder.end - 1] === "}" ? -1 : text.indexOf("}", placeholder.end);
  const end = family === "icu" && close !== -1 ? close + 1 : placeholder.end;
  const written = text.slice(start, end);
  const isPositional = family === "printf" && !/^%(?:\d+\$|\()/u.test(written);
  const ids: Record<PlaceholderFamily, string> = {
    laravel: `:${name}`,
    i18next: written.replaceAll(/\s/gu, ""),
    icu: written.replaceAll(/\s/gu, ""),
    printf: `printf ${isPositional ? "" : "="}${name} ${kind}`,
  };
  return {
    id: ids[family],
    text: written,
    start,
    end,
    isCount: isCountPlaceholder(placeholder),
    isPositional,
  };
}

/** A tag, a comment or the like; what a reader sees of it (`alt`, `title`) is prose, of which its `id` has the placeholders. */
export interface MarkupToken extends Span {
  readonly id: string;
  readonly text: string;
}

const MARKUP = /<!--[\s\S]*?-->|<\/?[A-Za-z][^<>]*>|<\/?\d+\s*\/?>/gu;
const READABLE_ATTRIBUTES = /\s(alt|title|placeholder|aria-label)\s*=\s*("[^"]*"|'[^']*')/giu;

/** The markup of a text, in order. */
export function markupTokens(text: string): readonly MarkupToken[] {
  return Array.from(text.matchAll(MARKUP), ({ index, 0: match }) => ({
    id: match
      .replaceAll(READABLE_ATTRIBUTES, (_, name: string, value: string) =>
        [" ", name, ...placeholderTokens(value).map(({ id }) => id)].sort().join(" "),
      )
      .replaceAll(/\s+/gu, " ")
      .replace(/\s*\/?>$/u, ">"),
    text: match,
    start: index,
    end: index + match.length,
  }));
}

/** Where parts by number are separated, with the range that the next part may begin with (`|[2,*]`). */
const SEPARATOR =
  /(?:^|(?<!\s)\s*\|)\s*(?:\{\s*-?\d+\s*\}|[[\]]\s*(?:\*|-?\d+)\s*,\s*(?:\*|-?\d+)\s*[[\]])\s*|(?<!\s)\s*\|\s*/gu;

/** A text taken apart at `|`. */
export interface PipeParts {
  readonly parts: readonly string[];
  /** The range before each part (`[2,*]`, `{0}`); empty for none. */
  readonly ranges: readonly string[];
}

/** The spans of separators and ranges in a text with `|`; none in another. */
export function pipeSpans(text: string): readonly Span[] {
  if (!text.includes("|")) return [];
  return Array.from(text.matchAll(SEPARATOR), ({ index, 0: match }) => ({
    start: index,
    end: index + match.length,
  }));
}

/** The parts of a text by number; one part without `|`. */
export function pipeParts(text: string): PipeParts {
  const parts: string[] = [];
  const ranges: string[] = [];
  let rest = 0;
  for (const { start, end } of pipeSpans(text)) {
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

/** What is not prose, in order and without overlaps. `isPositional`: of a placeholder whose order counts. */
export interface Fixed extends Span {
  readonly isPositional: boolean;
}

/** Everything in a text that is not prose, the syntax of ICU arguments included. */
export function fixedSpans(text: string): readonly Fixed[] {
  const choices = icuChoices(text) ?? [];
  const spans: Fixed[] = choices.flatMap((choice) => choiceSpans(text, choice));
  const prose = blanked(text, choices);
  for (const { start, end, isPositional } of placeholderTokens(prose))
    spans.push({ start, end, isPositional });
  const others = [...markupTokens(prose), ...(choices.length > 0 ? [] : pipeSpans(prose))];
  return merged([...spans, ...others.map(({ start, end }) => ({ start, end, isPositional: false }))]);
}

/** The text with blanks in place of the spans, so that offsets stay. */
export function blanked(text: string, spans: readonly Span[]): string {
  let result = "";
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= result.length) continue;
    const from = Math.max(start, result.length);
    result += text.slice(result.length, from) + " ".repeat(end - from);
  }
  return result + text.slice(result.length);
}

function choiceSpans(text: string, choice: IcuChoice): Fixed[] {
  const spans: Fixed[] = [];
  let from = choice.start;
  for (const { start, end } of choice.options) {
    spans.push({ start: from, end: start, isPositional: true });
    const branch = text.slice(start, end);
    for (const inner of fixedSpans(branch)) {
      spans.push({ start: start + inner.start, end: start + inner.end, isPositional: inner.isPositional });
    }
    if (isPluralChoice(choice)) {
      const nested = blanked(branch, icuChoices(branch) ?? []);
      for (const { index } of nested.matchAll(/#/gu)) {
        spans.push({ start: start + index, end: start + index + 1, isPositional: false });
      }
    }
    from = end;
  }
  spans.push({ start: from, end: choice.end, isPositional: true });
  return spans;
}

function merged(spans: readonly Fixed[]): readonly Fixed[] {
  const result: Fixed[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}
