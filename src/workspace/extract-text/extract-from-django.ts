/** Extracts selected text of a Django or Jinja template as the text of a key, and creates the tag that replaces it. */
import type { Splice } from "../../formats/format.ts";
import type { Span } from "../../util/span.ts";
import { type ExtractionDraft, isTextAttribute, type Value, valueList } from "./replacement-code.ts";
import { literalAt, parseTemplate, partsBetween, type TemplateExpression } from "./template-expressions.ts";

/** Returns `null` if the selection is not text (code, markup) or is part of a key already. */
export function djangoDraft(
  text: string,
  selected: Span,
  language: "django" | "jinja",
): ExtractionDraft | null {
  const isJinja = language === "jinja";
  const { expressions, ranges } = parseTemplate(text, language);
  const also = isJinja ? [] : loadTagSplices(text);
  const expression = expressions.find(
    ({ start, end }) => start < selected.end && end > selected.start && start < selected.start,
  );
  if (expression !== undefined && expression.end >= selected.end)
    return literalDraft(text, expression, selected, isJinja, also);
  const inner = withoutQuotes(text, selected);
  const place = ranges.find((each) => each.inner.start <= inner.start && each.inner.end >= inner.end);
  if (place === undefined || place.kind === "script") return null;
  const isAttribute = place.kind === "attribute";
  if (isAttribute) {
    const isText = place.quote !== "" && isTextAttribute(text.slice(place.name.start, place.name.end));
    const around = text.slice(place.inner.start, inner.start) + text.slice(inner.end, place.inner.end);
    if (!isText || around.trim() !== "") return null;
  }
  const parts = partsBetween(text, inner, expressions, (code) => code !== "");
  if (parts === null) return null;
  const hasValues = parts.length > 1;
  // The result of Jinja's function is escaped, the content of its block is not.
  const isBlock = hasValues || (isJinja && /[&<>]/.test(text.slice(inner.start, inner.end)));
  const quote = isAttribute && place.quote === '"' ? "'" : '"';
  return {
    side: language,
    parts,
    span: inner,
    collapses: true,
    codeFor: (key, values) =>
      isBlock ? translateBlock(key, values, isJinja) : translateTag(key, quote, isJinja),
    also,
  };
}

/** A literal in a tag or an expression. */
function literalDraft(
  text: string,
  expression: TemplateExpression,
  selected: Span,
  isJinja: boolean,
  also: readonly Splice[],
): ExtractionDraft | null {
  const literal = literalAt(text, selected);
  if (literal === null || literal.start < expression.code.start || literal.end > expression.code.end)
    return null;
  if (isName(text, expression, literal)) return null;
  const quote = text[literal.start] ?? '"';
  const value = text.slice(literal.start + 1, literal.end - 1);
  if (value.includes("\\")) return null;
  return {
    side: isJinja ? "jinja" : "django",
    parts: [value],
    span: literal,
    codeFor: (key) => `_(${quoteLiteral(isJinja ? key : unescapePercent(key), quote)})`,
    also,
  };
}

/** Filters whose argument is displayed. */
const TEXT_FILTERS = /(?:^|\|)\s*(?:default|default_if_none|yesno|pluralize|add)\s*$/;

/** Whether the literal names a file, a view or a pattern. */
function isName(text: string, expression: TemplateExpression, { start, end }: Span): boolean {
  const before = text.slice(expression.code.start, start).trimEnd();
  const isTag = text.startsWith("{%", expression.start);
  if (/[\w)\]]\[$/.test(before)) return true;
  if (/^\s*:/.test(text.slice(end, expression.code.end))) return true;
  if (before.endsWith(":") && !TEXT_FILTERS.test(before.slice(0, -1)) && /\|\s*\w+:$/.test(before))
    return true;
  if (/\b(?:url_for|static|url|asset|include|_|n?gettext|trans(?:late)?)\s*\($/.test(before)) return true;
  if (!isTag) return false;
  // In a tag, only named arguments may be text.
  return !/(?<![=!<>])=$/.test(before) && !/^\s*(?:firstof|cycle)\b/.test(before);
}

/** An attribute's value may be selected with its quotes. */
function withoutQuotes(text: string, { start, end }: Span): Span {
  const quote = text[start] ?? "";
  return /["']/.test(quote) &&
    text[end - 1] === quote &&
    /=\s*$/.test(text.slice(Math.max(0, start - 5), start))
    ? { start: start + 1, end: end - 1 }
    : { start, end };
}

function unescapePercent(text: string): string {
  return text.replaceAll("%%", "%");
}

function quoteLiteral(text: string, quote: string): string {
  return `${quote}${text.replaceAll(quote, `\\${quote}`)}${quote}`;
}

function translateTag(key: string, quote: string, isJinja: boolean): string {
  if (isJinja) return `{{ _(${quoteLiteral(key, quote)}) }}`;
  return /["\\\n]/.test(key)
    ? `{% blocktranslate %}${unescapePercent(key)}{% endblocktranslate %}`
    : `{% translate ${quoteLiteral(unescapePercent(key), quote)} %}`;
}

/** A block names its values; expressions get a name. */
function translateBlock(key: string, values: readonly Value[], isJinja: boolean): string {
  const [open, close] = isJinja ? ["trans", "endtrans"] : ["blocktranslate", "endblocktranslate"];
  const given = values.filter(({ name, code }) => name !== code);
  const list = valueList(given, ({ name, code }) => `${name}=${code}`, isJinja ? ", " : " ");
  const tag = list === "" ? open : isJinja ? `${open} ${list}` : `${open} with ${list}`;
  const text = key
    .split(/(%\(\w+\)s)/)
    .map((part) => (part.startsWith("%(") ? `{{ ${part.slice(2, -2)} }}` : unescapePercent(part)))
    .join("");
  return `{% ${tag} %}${text}{% ${close} %}`;
}

/** Adds `{% load i18n %}` if missing: after `{% extends %}`, which must come first. */
function loadTagSplices(text: string): readonly Splice[] {
  if (/\{%\s*load\s[^%]*\bi18n\b/.test(text)) return [];
  const extended = /^\s*\{%\s*extends\b[^%]*%\}/.exec(text)?.[0].length ?? 0;
  const load = "{% load i18n %}";
  return [{ start: extended, end: extended, text: extended === 0 ? `${load}\n` : `\n${load}` }];
}
