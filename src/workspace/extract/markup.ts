/** A text in a template: words between tags, the value of an attribute, or a literal in an expression or a script. */
import type { Span } from "../../model/span.ts";
import { lastBefore, skipSpace, wordStart } from "../../scanners/lexers/characters.ts";
import { unescapeJavaScript } from "../../scanners/lexers/literals.ts";
import { lexTwig } from "../../scanners/lexers/twig-lexer.ts";
import type { KeyUsage } from "../../scanners/usage.ts";
import { type TemplateExpression, templateExpressions, maskExpressions } from "./template-expressions.ts";
import { isScriptValue, scriptDraft, scriptPlace, type ScriptPlace, translatorOf } from "./javascript.ts";
import { decodeMarkup, type MarkupPlace, readMarkup } from "./parsers.ts";
import { isPhpExpression, phpPieceDraft } from "./php.ts";
import {
  type AvoidedQuote,
  type Draft,
  type ExtractProject,
  isFormatjs,
  isTextAttribute,
  jsCall,
  type Part,
  phpCall,
  TRANSLATORS,
  twigCall,
  type Value,
} from "./translation-call.ts";

/** Tags in which any literal may be a text; of others only what is given by name. */
const PLAIN_TAGS = /^(?:set|if|elseif|else|do|return)$/;
/** Functions and filters whose first argument is a name or a pattern. */
const WITH_NAMES =
  /^(?:path|url|asset|include|source|constant|block|attribute|date|date_modify|format|format_\w+|render|controller|template_from_string|encore_\w+|stimulus_\w+|csrf_token|is_granted|form_\w+|number_format|convert_encoding|escape|e|split|svg|craft|entries|siteUrl)$/;

/** `null`: it is a name, or no literal. */
function twigDraft(
  text: string,
  expression: TemplateExpression,
  selected: Span,
  project: ExtractProject,
  avoided: AvoidedQuote,
): Draft | null {
  const { code } = lexTwig(text).masked;
  const literal = literalAt(code, text, selected);
  if (literal === null || isName(code, text, expression, literal)) return null;
  return {
    side: "twig",
    parts: [unescapeJavaScript(text.slice(literal.start + 1, literal.end - 1))],
    span: literal,
    codeFor: (key, values) => twigCall(project, key, values, avoided),
  };
}

/** The literal that the selection is, with or without its quotes. */
function literalAt(code: string, text: string, { start, end }: Span): Span | null {
  for (const [from, to] of [
    [start, end],
    [start - 1, end + 1],
  ] as const) {
    const quote = code[from] ?? "";
    const isLiteral = /["']/.test(quote) && code[to - 1] === quote && to - from > 2;
    // What a literal says is blank in the code, and only there.
    if (isLiteral && code.slice(from + 1, to - 1).trim() === "" && text.slice(from + 1, to - 1).trim() !== "")
      return { start: from, end: to };
  }
  return null;
}

function isName(code: string, text: string, expression: TemplateExpression, { start, end }: Span): boolean {
  const before = lastBefore(code, start);
  const sign = code[before] ?? "";
  const next = code[skipSpace(code, end)] ?? "";
  if (next === ":" && sign !== "?") return true;
  if (sign === "[" && /[\w)\]]/.test(code[before - 1] ?? "")) return true;
  if (sign === "(") {
    const name = code.slice(wordStart(code, before), before);
    if (TRANSLATORS.test(name) || WITH_NAMES.test(name)) return true;
  }
  if (!text.startsWith("{%", expression.start)) return false;
  const tag = /^\s*(\w+)/.exec(text.slice(expression.code.start, expression.code.end))?.[1] ?? "";
  return !PLAIN_TAGS.test(tag) && !/[:=]/.test(sign);
}

type MarkupLanguage = "vue" | "svelte" | "astro" | "blade" | "twig";

/** A template, and what its code is written like. */
interface Template {
  readonly text: string;
  readonly language: MarkupLanguage;
  readonly project: ExtractProject;
  /** Its uses of keys. */
  readonly uses: readonly KeyUsage[];
}

/** `null`: there is no text. */
export function markupDraft(template: Template, selected: Span): Draft | null {
  const { text, language, project, uses } = template;
  const head = language === "astro" ? frontMatter(text) : null;
  if (head !== null && selected.end <= head.end) {
    return scriptDraft(
      only(text, head),
      selected,
      project,
      scriptPlace(uses, project, ["typescript", "jsx"]),
    );
  }
  const expressions = templateExpressions(text, language, head?.end ?? 0);
  const inside = expressions.find(({ start, end }) => start < selected.start && end > selected.end);
  const blank = `${" ".repeat(head?.end ?? 0)}${maskExpressions(text, expressions).slice(head?.end ?? 0)}`;
  const place = readMarkup(blank).find(({ inner }) => isAround(text, inner, selected));
  if (place?.kind === "script") return inScript(template, place, selected);
  if (language === "vue" && (place === undefined || !isInTemplate(text, selected))) return null;
  if (place?.kind === "attribute" && place.quote === "" && inside === undefined) return null;
  const avoided = place?.kind === "attribute" ? place.quote : "";
  if (inside !== undefined) return inExpression(template, inside, selected, avoided);
  if (place === undefined) return null;
  if (place.kind === "attribute") return inAttribute(template, place, expressions, selected);
  const parts = partsIn(text, selected, expressions, language);
  if (parts === null) return null;
  return {
    side: language === "astro" ? "js" : language === "blade" ? "php" : language,
    parts,
    span: selected,
    collapses: true,
    codeFor: (key, values) => {
      const call = callFor(template, key, values, "");
      return language === "svelte" || language === "astro" ? `{${call}}` : `{{ ${call} }}`;
    },
  };
}

function isAround(text: string, inner: Span, selected: Span): boolean {
  if (inner.start <= selected.start && inner.end >= selected.end) return true;
  // An attribute's value may be selected with its quotes.
  return (
    inner.start === selected.start + 1 &&
    inner.end === selected.end - 1 &&
    /["']/.test(text[selected.start] ?? "") &&
    text[inner.start - 2] === "="
  );
}

/** The text, blank but for the span. */
export function only(text: string, { start, end }: Span): string {
  return `${" ".repeat(start)}${text.slice(start, end)}`;
}

/** Astro's script between two lines of dashes. */
export function frontMatter(text: string): Span | null {
  const fence = /^\s*---[ \t]*\r?\n/.exec(text.slice(0, 200));
  if (fence === null) return null;
  const close = text.indexOf("\n---", fence[0].length - 1);
  return { start: fence[0].length, end: close === -1 ? text.length : close };
}

/** Vue's markup is HTML in `<template>`; blocks beside it are anything. */
function isInTemplate(text: string, { start, end }: Span): boolean {
  const open = /<template\b([^>]*)>/i.exec(text);
  if (open === null || /\blang\s*=\s*["']?(?!html)/i.test(open[1] ?? "")) return false;
  return open.index + open[0].length <= start && text.lastIndexOf("</template") >= end;
}

function inScript(
  { text, language, project, uses }: Template,
  { inner, attributes }: Extract<MarkupPlace, { kind: "script" }>,
  selected: Span,
): Draft | null {
  if (language === "blade" || language === "twig") return null;
  // A component's store is not there in its module's script.
  const isModule = attributes.has("module") || attributes.get("context") === "module";
  if (language === "svelte" && isModule) return null;
  const isTyped = /^tsx?$/.test(attributes.get("lang") ?? "");
  const plugins = language === "astro" || isTyped ? (["typescript"] as const) : (["jsx"] as const);
  const place = scriptPlace(usesIn(uses, inner), project, [...plugins]);
  const own: ScriptPlace =
    language === "svelte"
      ? { ...place, side: "svelte", translator: storeIn(text) }
      : { ...place, side: sideOf(language) };
  return scriptDraft(only(text, inner), selected, project, own);
}

function sideOf(language: MarkupLanguage): "vue" | "svelte" | "js" {
  return language === "vue" || language === "svelte" ? language : "js";
}

/** Svelte's translator is a store, of which svelte-i18n hands out two names. */
function storeIn(text: string): string {
  return /\$_\s*\(/.test(text) ? "$_" : "$t";
}

function translatorIn({ text, language, project, uses }: Template): string {
  if (language === "svelte") return storeIn(text);
  if (language === "astro") return translatorOf(uses, "t");
  const [start, end] = [text.indexOf("<template"), text.lastIndexOf("</template")];
  return translatorOf(usesIn(uses, { start, end }), isFormatjs(project) ? "$formatMessage" : "$t");
}

function usesIn(uses: readonly KeyUsage[], { start, end }: Span): readonly KeyUsage[] {
  return uses.filter(({ callSpan }) => callSpan.start >= start && callSpan.end <= end);
}

/** An expression in the template's own language. */
function inScriptExpression(
  template: Template,
  code: Span,
  selected: Span,
  avoided: AvoidedQuote,
): Draft | null {
  const { text, language, project } = template;
  const written = text.slice(code.start, code.end);
  // References are replaced before the script is read.
  if (avoided !== "" && written.includes("&") && /&\w+;/.test(written)) return null;
  const place: ScriptPlace = {
    side: sideOf(language),
    plugins: language === "astro" ? ["typescript", "jsx"] : ["typescript"],
    translator: translatorIn(template),
    avoided,
  };
  const before = " ".repeat(code.start - 1);
  return (
    scriptDraft(`${before}(${written})`, selected, project, place) ??
    scriptDraft(`${before} ${written}`, selected, project, place)
  );
}

function inExpression(
  template: Template,
  expression: TemplateExpression,
  selected: Span,
  avoided: AvoidedQuote,
): Draft | null {
  const { text, language, project } = template;
  const { code, kind, directive } = expression;
  if (code.start > selected.start || code.end < selected.end) return null;
  if (language === "twig") return twigDraft(text, expression, selected, project, avoided);
  if (language === "blade") {
    const isName = directive !== undefined && !/^(?:if|elseif|unless|json|php|dump|dd|case)$/.test(directive);
    const isStatement = expression.isStatement === true;
    return phpPieceDraft(text, code, selected, project, { isStatement, isFirstName: isName, avoided });
  }
  if (kind === "other") return null;
  // Braces in an attribute's quotes are no quotes of the script's.
  const around = language === "vue" ? avoided : "";
  return inScriptExpression(template, code, selected, around);
}

function inAttribute(
  template: Template,
  place: Extract<MarkupPlace, { kind: "attribute" }>,
  expressions: readonly TemplateExpression[],
  selected: Span,
): Draft | null {
  const { text, language, project } = template;
  const { inner, quote } = place;
  const name = text.slice(place.name.start, place.name.end);
  if (language === "vue" && /^(?:v-|[:@#])/.test(name)) {
    return /^(?:v-for|v-slot|#)/.test(name) ? null : inScriptExpression(template, inner, selected, quote);
  }
  if (language === "blade" && name.startsWith(":") && !name.startsWith("::")) {
    return phpPieceDraft(text, inner, selected, project, { avoided: quote });
  }
  if (!isTextAttribute(name) || /[^\w-]/.test(name)) return null;
  const before = text.slice(inner.start, Math.max(selected.start, inner.start));
  const after = text.slice(Math.min(selected.end, inner.end), inner.end);
  if (`${before}${after}`.trim() !== "") return null;
  const parts = partsIn(text, inner, expressions, language);
  // Vue puts no values into a plain attribute.
  if (parts === null || (language === "vue" && parts.length > 1)) return null;
  const span = { start: place.name.start, end: inner.end + quote.length };
  return {
    side: language === "astro" ? "js" : language === "blade" ? "php" : language,
    parts,
    span,
    collapses: true,
    codeFor: (key, values) => {
      if (language === "svelte" || language === "astro")
        return `${name}={${callFor(template, key, values, "")}}`;
      const call = callFor(template, key, values, quote);
      return language === "vue"
        ? `:${name}=${quote}${call}${quote}`
        : `${name}=${quote}{{ ${call} }}${quote}`;
    },
  };
}

function callFor(template: Template, key: string, values: readonly Value[], avoided: AvoidedQuote): string {
  const { language, project } = template;
  if (language === "blade") return phpCall(project, key, values, avoided);
  if (language === "twig") return twigCall(project, key, values, avoided);
  const translator = translatorIn(template);
  return jsCall(project, { translator, quote: avoided === '"' ? "'" : '"', avoided }, key, values);
}

/** Texts, and the code of the values between them; `null`: anything else among them. */
function partsIn(
  text: string,
  { start, end }: Span,
  expressions: readonly TemplateExpression[],
  language: MarkupLanguage,
): Part[] | null {
  const parts: Part[] = [];
  let at = start;
  for (const expression of expressions) {
    if (expression.end <= start || expression.start >= end) continue;
    const code = text.slice(expression.code.start, expression.code.end).trim();
    if (
      expression.kind !== "value" ||
      expression.start < start ||
      expression.end > end ||
      !isValue(code, language)
    )
      return null;
    parts.push(decodeMarkup(text.slice(at, expression.start)), { code });
    at = expression.end;
  }
  parts.push(decodeMarkup(text.slice(at, end)));
  return parts;
}

/** One expression, and none whose value is shown as markup. */
function isValue(code: string, language: MarkupLanguage): boolean {
  if (language === "blade") return isPhpExpression(code);
  if (language === "twig") return code !== "" && !/\|\s*raw\b|^["']|\{#|#\}/.test(code);
  return isScriptValue(code, language === "astro" ? ["typescript", "jsx"] : ["typescript"]);
}
