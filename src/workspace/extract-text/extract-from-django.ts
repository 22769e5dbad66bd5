/** Extracts selected text of a Django or Jinja template as the text of a key, and creates the tag that replaces it. */
import { type Value, valueList } from "../../frameworks/code-styles.ts";
import type { Splice } from "../../formats/format.ts";
import type { Span } from "../../util/span.ts";
import { coversContent, type ExtractionDraft, isTextAttribute } from "./replacement-code.ts";
import { literalAt, parseTemplate, partsBetween, type TemplateExpression } from "./template-expressions.ts";

/** Returns `null` if the selection is not text (code, markup) or is part of a key already. */
export function templateTagDraft(
  text: string,
  selected: Span,
  language: "django-html" | "jinja-html",
): ExtractionDraft | null {
  const isJinja = language === "jinja-html";
  const { expressions, ranges } = parseTemplate(text, language);
  const extraSplices = isJinja ? [] : loadTagSplices(text);
  const expression = expressions.find(
    ({ start, end }) => start < selected.end && end > selected.start && start < selected.start,
  );
  if (expression !== undefined && expression.end >= selected.end)
    return literalDraft(text, expression, selected, isJinja, extraSplices);
  const span = withoutQuotes(text, selected);
  const range = ranges.find((each) => each.span.start <= span.start && each.span.end >= span.end);
  if (range === undefined || range.kind === "script") return null;
  const isAttribute = range.kind === "attribute";
  if (isAttribute) {
    const isText =
      range.quote !== "" && isTextAttribute(text.slice(range.nameSpan.start, range.nameSpan.end));
    if (!isText || !coversContent(text, range.span, span)) return null;
  }
  const parts = partsBetween(text, span, expressions, (code) => code !== "");
  if (parts === null) return null;
  const hasValues = parts.length > 1;
  // The result of Jinja's function is escaped, the content of its block is not.
  const isBlock = hasValues || (isJinja && /[&<>]/.test(text.slice(span.start, span.end)));
  const quote = isAttribute && range.quote === '"' ? "'" : '"';
  return {
    parts,
    span,
    collapsesWhitespace: true,
    codeFor: (key, values) =>
      isBlock ? translateBlock(key, values, isJinja) : translateTag(key, quote, isJinja),
    extraSplices,
  };
}

/** A literal in a tag or an expression. */
function literalDraft(
  text: string,
  expression: TemplateExpression,
  selected: Span,
  isJinja: boolean,
  extraSplices: readonly Splice[],
): ExtractionDraft | null {
  const literal = literalAt(text, selected);
  if (literal === null || literal.start < expression.code.start || literal.end > expression.code.end)
    return null;
  if (isName(text, expression, literal)) return null;
  const quote = text[literal.start] ?? '"';
  const value = text.slice(literal.start + 1, literal.end - 1);
  if (value.includes("\\")) return null;
  return {
    parts: [value],
    span: literal,
    codeFor: (key) => `_(${quoteLiteral(isJinja ? key : unescapePercent(key), quote)})`,
    extraSplices,
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
