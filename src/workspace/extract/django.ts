/** Selected words of a template of Django or Jinja as the text of a key, and the tag that takes their place. */
import type { Splice } from "../../formats/format.ts";
import type { Span } from "../../model/span.ts";
import { isTextAttribute, named, type Part, type Value, type Written } from "./translation-call.ts";
import { type TemplateExpression, templateExpressions, maskExpressions } from "./template-expressions.ts";
import { readMarkup } from "./parsers.ts";

/** `null`: the selection is no text (code, markup), or is a part of a key already. */
export function templateExtraction(
  text: string,
  selected: Span,
  language: "django" | "jinja",
): Written | null {
  const isJinja = language === "jinja";
  const expressions = templateExpressions(text, language);
  const also = isJinja ? [] : loadOf(text);
  const expression = expressions.find(
    ({ start, end }) => start < selected.end && end > selected.start && start < selected.start,
  );
  if (expression !== undefined && expression.end >= selected.end)
    return literalExtraction(text, expression, selected, isJinja, also);
  const inner = withoutQuotes(text, selected);
  const place = readMarkup(maskExpressions(text, expressions)).find(
    (each) => each.inner.start <= inner.start && each.inner.end >= inner.end,
  );
  if (place === undefined || place.kind === "script") return null;
  const isAttribute = place.kind === "attribute";
  if (isAttribute) {
    const isText = place.quote !== "" && isTextAttribute(text.slice(place.name.start, place.name.end));
    const around = text.slice(place.inner.start, inner.start) + text.slice(inner.end, place.inner.end);
    if (!isText || around.trim() !== "") return null;
  }
  const parts = partsOf(text, inner, expressions);
  if (parts === null) return null;
  const values = named(parts);
  const hasValues = values.length > 0;
  // What Jinja's function gives is escaped, what stands in its block is not.
  const isBlock = hasValues || (isJinja && /[&<>]/.test(text.slice(inner.start, inner.end)));
  let index = 0;
  const value = parts
    .map((part) =>
      typeof part !== "string"
        ? `%(${values[index++]?.name ?? ""})s`
        : isJinja && !hasValues
          ? part
          : doubled(part),
    )
    .join("")
    .replaceAll(/[ \t\r\n\f]+/g, " ");
  if (!isText(value)) return null;
  const quote = isAttribute && place.quote === '"' ? "'" : '"';
  return {
    text: value,
    span: inner,
    codeFor: (key) => (isBlock ? block(key, values, isJinja) : simple(key, quote, isJinja)),
    also,
  };
}

function isText(value: string): boolean {
  return /\p{L}/u.test(value.replaceAll(/%\(\w*\)s/g, ""));
}

/** A literal in a tag or an expression. */
function literalExtraction(
  text: string,
  expression: TemplateExpression,
  selected: Span,
  isJinja: boolean,
  also: readonly Splice[],
): Written | null {
  const literal = literalAt(text, selected);
  if (literal === null || literal.start < expression.code.start || literal.end > expression.code.end)
    return null;
  if (isName(text, expression, literal)) return null;
  const quote = text[literal.start] ?? '"';
  const value = text.slice(literal.start + 1, literal.end - 1);
  if (!isText(value) || value.includes("\\")) return null;
  return {
    text: isJinja ? value : doubled(value),
    span: literal,
    codeFor: (key) => `_(${inQuotes(isJinja ? key : undoubled(key), quote)})`,
    also,
  };
}

/** Filters whose argument people read. */
const TEXT_FILTERS = /(?:^|\|)\s*(?:default|default_if_none|yesno|pluralize|add)\s*$/;

/** The name of a file, a view, a pattern: anything but a text. */
function isName(text: string, expression: TemplateExpression, { start, end }: Span): boolean {
  const before = text.slice(expression.code.start, start).trimEnd();
  const isTag = text.startsWith("{%", expression.start);
  if (/[\w)\]]\[$/.test(before)) return true;
  if (/^\s*:/.test(text.slice(end, expression.code.end))) return true;
  if (before.endsWith(":") && !TEXT_FILTERS.test(before.slice(0, -1)) && /\|\s*\w+:$/.test(before))
    return true;
  if (/\b(?:url_for|static|url|asset|include|_|n?gettext|trans(?:late)?)\s*\($/.test(before)) return true;
  if (!isTag) return false;
  // Of a tag only what is given by name.
  return !/(?<![=!<>])=$/.test(before) && !/^\s*(?:firstof|cycle)\b/.test(before);
}

/** The quoted text that the selection is, with its quotes. */
function literalAt(text: string, { start, end }: Span): Span | null {
  for (const span of [
    { start, end },
    { start: start - 1, end: end + 1 },
  ]) {
    const quote = text[span.start] ?? "";
    if (!/["']/.test(quote) || text[span.end - 1] !== quote || span.end - span.start < 3) continue;
    if (!text.slice(span.start + 1, span.end - 1).includes(quote)) return span;
  }
  return null;
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

/** Texts and the values between them; `null`: tags among them. */
function partsOf(
  text: string,
  { start, end }: Span,
  expressions: readonly TemplateExpression[],
): Part[] | null {
  const parts: Part[] = [];
  let at = start;
  for (const expression of expressions) {
    if (expression.end <= start || expression.start >= end) continue;
    const code = text.slice(expression.code.start, expression.code.end).trim();
    if (expression.kind !== "value" || expression.start < start || expression.end > end || code === "")
      return null;
    parts.push(text.slice(at, expression.start), { code });
    at = expression.end;
  }
  parts.push(text.slice(at, end));
  return parts;
}

function doubled(text: string): string {
  return text.replaceAll("%", "%%");
}

function undoubled(text: string): string {
  return text.replaceAll("%%", "%");
}

function inQuotes(text: string, quote: string): string {
  return `${quote}${text.replaceAll(quote, `\\${quote}`)}${quote}`;
}

function simple(key: string, quote: string, isJinja: boolean): string {
  if (isJinja) return `{{ _(${inQuotes(key, quote)}) }}`;
  return /["\\\n]/.test(key)
    ? `{% blocktranslate %}${undoubled(key)}{% endblocktranslate %}`
    : `{% translate ${inQuotes(undoubled(key), quote)} %}`;
}

/** A block says its values by name; what is more than a name is given one. */
function block(key: string, values: readonly Value[], isJinja: boolean): string {
  const [open, close] = isJinja ? ["trans", "endtrans"] : ["blocktranslate", "endblocktranslate"];
  const given = [...new Map(values.map((value) => [value.name, value])).values()].filter(
    ({ name, code }) => name !== code,
  );
  const list = given.map(({ name, code }) => `${name}=${code}`).join(isJinja ? ", " : " ");
  const tag = list === "" ? open : isJinja ? `${open} ${list}` : `${open} with ${list}`;
  const text = key
    .split(/(%\(\w+\)s)/)
    .map((part) => (part.startsWith("%(") ? `{{ ${part.slice(2, -2)} }}` : undoubled(part)))
    .join("");
  return `{% ${tag} %}${text}{% ${close} %}`;
}

/** `{% load i18n %}` where it is not there yet: behind `{% extends %}`, which has to be first. */
function loadOf(text: string): readonly Splice[] {
  if (/\{%\s*load\s[^%]*\bi18n\b/.test(text)) return [];
  const extended = /^\s*\{%\s*extends\b[^%]*%\}/.exec(text)?.[0].length ?? 0;
  const load = "{% load i18n %}";
  return [{ start: extended, end: extended, text: extended === 0 ? `${load}\n` : `\n${load}` }];
}
