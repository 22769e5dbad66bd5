/** Finds the parts of a template that are not markup: expressions, statements and comments, by template language. */
import type { TemplateDialect } from "../../frameworks/framework.ts";
import type { Span } from "../../util/span.ts";
import { lexJavaScript } from "../../scanners/lexers/javascript-lexer.ts";
import { Mask } from "../../scanners/lexers/mask.ts";
import { lexPhp } from "../../scanners/lexers/php-lexer.ts";
import { type MarkupRange, markupRanges } from "./syntax-tree-parsers.ts";
import type { TextPart } from "./replacement-code.ts";

export type TemplateLanguage = "vue" | "svelte" | "astro" | "blade" | "twig" | TemplateDialect;

export interface TemplateExpression extends Span {
  /** A value rendered as text, an expression that is not, or anything else. */
  readonly kind: "value" | "expression" | "other";
  /** Range of its code; empty if it has none. */
  readonly code: Span;
  /** Blade directive that the code is the argument list of. */
  readonly directive?: string;
  /** Whether the code is statements. */
  readonly isStatement?: true;
}

const OPENERS: Readonly<Record<TemplateLanguage, RegExp>> = {
  vue: /<(script|style)(?![\w-])|<!--|\{\{/gi,
  svelte: /<(script|style)(?![\w-])|<!--|\{/gi,
  astro: /<(script|style)(?![\w-])|<!--|\{/gi,
  blade: /\{\{--|@?\{\{\{?|@?\{!!|<\?(?:php|=)?|@@\w+|@(\w+)/gi,
  twig: /\{[{%#]/g,
  "angular-html": /<(script|style)(?![\w-])|<!--|\{\{/gi,
  "django-html": /\{[{%#]/g,
  "jinja-html": /\{[{%#]/g,
};

/** A template's expressions, in order, and its markup. */
interface ParsedTemplate {
  readonly expressions: readonly TemplateExpression[];
  /** The text with neutral characters in place of expressions, and blank before the template. */
  readonly masked: string;
  readonly ranges: readonly MarkupRange[];
}

/** @param from end of a preamble that is not template */
export function parseTemplate(text: string, language: TemplateLanguage, from = 0): ParsedTemplate {
  const openers = new RegExp(OPENERS[language]);
  openers.lastIndex = from;
  const expressions: TemplateExpression[] = [];
  for (let found = openers.exec(text); found !== null; found = openers.exec(text)) {
    const start = found.index;
    const opener = found[0];
    if (opener.startsWith("<") && !opener.startsWith("<?")) {
      openers.lastIndex = skipElement(text, start, found[1]);
      continue;
    }
    const expression =
      language === "blade"
        ? bladeExpression(text, start, opener, found[1])
        : language === "svelte" || language === "astro"
          ? braceExpression(text, start, language === "astro")
          : tagExpression(text, start, opener, language);
    if (expression === null) continue;
    expressions.push(expression);
    openers.lastIndex = Math.max(expression.end, start + 1);
  }
  const masked = " ".repeat(from) + maskExpressions(text, expressions).slice(from);
  return { expressions, masked, ranges: markupRanges(masked) };
}

/** Replaces expressions by neutral characters, for parsing the markup. */
function maskExpressions(text: string, expressions: readonly TemplateExpression[]): string {
  let result = "";
  let copiedEnd = 0;
  for (const { start, end, kind } of expressions) {
    // A value may be a complete attribute value; a statement separates attributes.
    result += text.slice(copiedEnd, start) + (kind === "other" ? " " : "\uE000").repeat(end - start);
    copiedEnd = end;
  }
  return result + text.slice(copiedEnd);
}

/** Returns the quoted literal that is selected, with or without its quotes. */
export function literalAt(code: string, { start, end }: Span): Span | null {
  for (const span of [
    { start, end },
    { start: start - 1, end: end + 1 },
  ]) {
    const quote = code[span.start] ?? "";
    if (!/["']/.test(quote) || code[span.end - 1] !== quote) continue;
    if (!code.slice(span.start + 1, span.end - 1).includes(quote)) return span;
  }
  return null;
}

/** Returns the offset after a comment, or after a script's or style's end tag. */
function skipElement(text: string, start: number, tag: string | undefined): number {
  const closer = tag === undefined ? "-->" : `</${tag}`;
  const close = text.indexOf(closer, start);
  return close === -1 ? text.length : close + closer.length;
}

function braceExpression(text: string, start: number, jsx: boolean): TemplateExpression {
  // The end of a block (`{/if}`) would look like the start of a regular expression.
  const blockEnd = /^\{\/[a-z]+\s*(?=\})/.exec(text.slice(start, start + 40));
  const close =
    blockEnd === null
      ? lexJavaScript(text, start + 1, text.length, new Mask(text), jsx, "brace")
      : start + blockEnd[0].length;
  const code = { start: start + 1, end: close };
  const isPlain = !/^\s*(?:[#:@]|\/(?![/*]))/.test(text.slice(code.start, code.start + 20));
  return { start, end: Math.min(close + 1, text.length), code, kind: isPlain ? "value" : "other" };
}

/** Tags with verbatim content or comments, and their end tags. */
const VERBATIM: ReadonlyMap<string, string> = new Map([
  ["verbatim", "endverbatim"],
  ["raw", "endraw"],
  ["comment", "endcomment"],
]);

function tagExpression(
  text: string,
  start: number,
  opener: string,
  language: TemplateLanguage,
): TemplateExpression | null {
  const closer = opener === "{{" ? "}}" : opener === "{%" ? "%}" : "#}";
  const close = closerAt(text, start + 2, closer, language === "twig" && opener !== "{#");
  if (close === -1) return null;
  const code = { start: start + 2, end: close };
  // Whitespace control characters are not code.
  const hasControl = language !== "vue" && language !== "django-html" && language !== "angular-html";
  if (hasControl && /[-~+]/.test(text[code.start] ?? "")) code.start++;
  if (hasControl && /[-~+]/.test(text[code.end - 1] ?? "")) code.end--;
  if (opener === "{#") return { start, end: close + 2, kind: "other", code: { start, end: start } };
  if (opener === "{{") return { start, end: close + 2, kind: "value", code };
  const name = /^\s*(\w+)/.exec(text.slice(code.start, close))?.[1] ?? "";
  const ending = VERBATIM.get(name);
  if (ending === undefined) return { start, end: close + 2, kind: "other", code };
  const end = new RegExp(`\\{%[-~+]?\\s*${ending}\\b[^%]*%\\}`).exec(text.slice(close));
  const last = end === null ? text.length : close + end.index + end[0].length;
  return { start, end: last, kind: "other", code: { start, end: start } };
}

function closerAt(text: string, from: number, closer: string, withStrings: boolean): number {
  if (!withStrings) return text.indexOf(closer, from);
  const found = new RegExp(
    `(?:"(?:[^"\\\\]|\\\\[\\s\\S])*"|'(?:[^'\\\\]|\\\\[\\s\\S])*'|(?!${closer.replace("}}", "\\}\\}")})[^"'])*`,
    "y",
  );
  found.lastIndex = from;
  const end = from + (found.exec(text)?.[0].length ?? 0);
  return text.startsWith(closer, end) ? end : -1;
}

function bladeExpression(
  text: string,
  start: number,
  opener: string,
  directive: string | undefined,
): TemplateExpression | null {
  const after = start + opener.length;
  /** The expression up to the closer, whose code is what is between them. */
  const upTo = (closer: string, kind: TemplateExpression["kind"] = "other"): TemplateExpression => {
    const close = text.indexOf(closer, after);
    const end = close === -1 ? text.length : close;
    return { start, end: Math.min(end + closer.length, text.length), kind, code: { start: after, end } };
  };
  const withoutCode = ({ end }: Span): TemplateExpression => {
    return { start, end, kind: "other", code: { start, end: start } };
  };
  if (opener === "{{--") return withoutCode(upTo("--}}"));
  if (opener.startsWith("@{")) return withoutCode(upTo(opener.includes("!!") ? "!!}" : "}}"));
  if (opener.startsWith("@@")) return withoutCode({ start, end: after });
  // Values rendered as markup would be escaped within a text.
  if (opener === "{!!") return upTo("!!}", "expression");
  if (opener.startsWith("{")) return upTo(opener === "{{{" ? "}}}" : "}}", "value");
  if (opener === "<?=") return upTo("?>");
  if (opener.startsWith("<?")) return { ...upTo("?>"), isStatement: true };
  // An email address is not a directive.
  if (/\w/.test(text[start - 1] ?? "") || directive === undefined) return null;
  if (directive === "verbatim") return withoutCode(upTo("@endverbatim"));
  const open = /^[ \t]*\(/.exec(text.slice(after, after + 100))?.[0].length;
  if (open !== undefined) {
    const end = lexPhp(text, after + open - 1, text.length, new Mask(text), "parenthesis");
    const code = { start: after + open, end: Math.max(end - 1, after + open) };
    return { start, end, kind: "other", code, directive };
  }
  return directive === "php" ? { ...upTo("@endphp"), isStatement: true } : withoutCode({ start, end: after });
}

/**
 * Splits a range into its texts and the code of the values between them; `null` where anything else is among them.
 * @param isValue Whether the code can be passed as a value.
 */
export function partsBetween(
  text: string,
  { start, end }: Span,
  expressions: readonly TemplateExpression[],
  isValue: (code: string) => boolean,
): TextPart[] | null {
  const parts: TextPart[] = [];
  let copiedEnd = start;
  for (const expression of expressions) {
    if (expression.end <= start || expression.start >= end) continue;
    const code = text.slice(expression.code.start, expression.code.end).trim();
    const isInside = expression.start >= start && expression.end <= end;
    if (expression.kind !== "value" || !isInside || !isValue(code)) return null;
    parts.push(text.slice(copiedEnd, expression.start), { code });
    copiedEnd = expression.end;
  }
  parts.push(text.slice(copiedEnd, end));
  return parts;
}
