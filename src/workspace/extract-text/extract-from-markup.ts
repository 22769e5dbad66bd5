/** Extracts text from templates: words between tags, attribute values, and literals in expressions or scripts. */
import { isTranslationFunction } from "../../scanners/function-calls/function-signatures.ts";
import type { Value } from "../../frameworks/code-styles.ts";
import type { Span } from "../../util/span.ts";
import { frontMatter } from "../../scanners/svelte-and-astro-scanner.ts";
import { skipSpaceBack, skipSpace, wordStart } from "../../scanners/lexers/characters.ts";
import { lexJavaScript } from "../../scanners/lexers/javascript-lexer.ts";
import { Mask } from "../../scanners/lexers/mask.ts";
import { unescapeJavaScript } from "../../scanners/lexers/string-literals.ts";
import { lexTwig } from "../../scanners/twig-scanner.ts";
import type { KeyUsage } from "../../scanners/key-usage.ts";
import { literalAt, parseTemplate, partsBetween, type TemplateExpression } from "./template-expressions.ts";
import {
  isScriptValue,
  scriptDraft,
  scriptContext,
  type ScriptContext,
  translatorOf,
} from "./extract-from-javascript.ts";
import { decodeMarkup, type MarkupRange } from "./syntax-tree-parsers.ts";
import { isPhpExpression, phpFragmentDraft } from "./extract-from-php.ts";
import {
  type AvoidedQuote,
  coversContent,
  type ExtractionDraft,
  type ProjectConventions,
  isTextAttribute,
  jsCall,
  scriptStyle,
  templateCall,
  type TextPart,
  phpCall,
  twigCall,
} from "./replacement-code.ts";

/** Tags in which any literal may be text; in others only named arguments. */
const PLAIN_TAGS = /^(?:set|if|elseif|else|do|return)$/;
/** Functions and filters whose first argument is a name or pattern. */
const NAME_FUNCTIONS =
  /^(?:path|url|asset|include|source|constant|block|attribute|date|date_modify|format|format_\w+|render|controller|template_from_string|encore_\w+|stimulus_\w+|csrf_token|is_granted|form_\w+|number_format|convert_encoding|escape|e|split|svg|craft|entries|siteUrl)$/;

/** Returns `null` for names and anything but literals. */
function twigDraft(
  { text, selected, project }: TemplateSelection,
  expression: TemplateExpression,
  avoided: AvoidedQuote,
): ExtractionDraft | null {
  const { code } = lexTwig(text).source;
  const literal = literalAt(code, selected);
  // Only the content of a literal is blank in the masked code.
  if (literal === null || code.slice(literal.start + 1, literal.end - 1).trim() !== "") return null;
  if (isName(code, text, expression, literal)) return null;
  return {
    parts: [unescapeJavaScript(text.slice(literal.start + 1, literal.end - 1))],
    span: literal,
    codeFor: (key, values) => twigCall(project, key, values, avoided),
  };
}

function isName(code: string, text: string, expression: TemplateExpression, { start, end }: Span): boolean {
  const before = skipSpaceBack(code, start);
  const sign = code[before] ?? "";
  const next = code[skipSpace(code, end)] ?? "";
  if (next === ":" && sign !== "?") return true;
  if (sign === "[" && /[\w)\]]/.test(code[before - 1] ?? "")) return true;
  if (sign === "(") {
    const name = code.slice(wordStart(code, before), before);
    if (isTranslationFunction(name) || NAME_FUNCTIONS.test(name)) return true;
  }
  if (!text.startsWith("{%", expression.start)) return false;
  const tag = /^\s*(\w+)/.exec(text.slice(expression.code.start, expression.code.end))?.[1] ?? "";
  return !PLAIN_TAGS.test(tag) && !/[:=]/.test(sign);
}

type MarkupLanguage = "vue" | "svelte" | "astro" | "blade" | "twig" | "angular-html";

/** A template and its existing usages. */
interface TemplateSelection {
  readonly text: string;
  readonly language: MarkupLanguage;
  readonly project: ProjectConventions;
  /** Key usages in the template. */
  readonly usages: readonly KeyUsage[];
  readonly selected: Span;
}

/** Returns `null` if there is no text. */
export function markupDraft(template: TemplateSelection): ExtractionDraft | null {
  const { text, language, project, usages, selected } = template;
  const preamble = language === "astro" ? frontMatter(text) : null;
  if (preamble !== null && selected.start < preamble.after) {
    const context = scriptContext(usages, project, ["typescript", "jsx"]);
    return scriptDraft(blankOutside(text, preamble), selected, context);
  }
  const { expressions, ranges } = parseTemplate(text, language, preamble?.after);
  const inside = expressions.find(({ start, end }) => start < selected.start && end > selected.end);
  const range = ranges.find(({ span }) => containsSelection(text, span, selected));
  if (range?.kind === "script") return embeddedScriptDraft(template, range);
  if (language === "vue" && (range === undefined || !isInTemplate(text, selected))) return null;
  if (range?.kind === "attribute" && range.quote === "" && inside === undefined) return null;
  const avoided = range?.kind === "attribute" ? range.quote : "";
  if (inside !== undefined) return expressionDraft(template, inside, avoided);
  if (range === undefined) return null;
  if (range.kind === "attribute") return attributeDraft(template, range, expressions);
  const parts = markupParts(text, selected, expressions, language);
  if (parts === null) return null;
  return {
    parts,
    span: selected,
    collapsesWhitespace: true,
    codeFor: (key, values) => interpolated(template, callFor(template, key, values, "")),
  };
}

function containsSelection(text: string, { start, end }: Span, selected: Span): boolean {
  if (start <= selected.start && end >= selected.end) return true;
  // An attribute's value may be selected with its quotes.
  return start === selected.start + 1 && end === selected.end - 1 && /["']/.test(text[selected.start] ?? "");
}

/** Returns the text up to the end of the span, blank before it. */
export function blankOutside(text: string, { start, end }: Span): string {
  return `${" ".repeat(start)}${text.slice(start, end)}`;
}

/** Vue's markup is HTML only in `<template>`; other blocks may be anything. */
function isInTemplate(text: string, { start, end }: Span): boolean {
  const open = /<template\b([^>]*)>/i.exec(text);
  if (open === null || /\blang\s*=\s*["']?(?!html)/i.test(open[1] ?? "")) return false;
  return open.index + open[0].length <= start && text.lastIndexOf("</template") >= end;
}

function embeddedScriptDraft(
  { text, language, project, usages, selected }: TemplateSelection,
  { span, attributes }: Extract<MarkupRange, { kind: "script" }>,
): ExtractionDraft | null {
  if (language === "blade" || language === "twig" || language === "angular-html") return null;
  // A component's store is not available in its module script.
  const isModule = attributes.has("module") || attributes.get("context") === "module";
  if (language === "svelte" && isModule) return null;
  const isTyped = /^tsx?$/.test(attributes.get("lang") ?? "");
  const plugins = language === "astro" || isTyped ? (["typescript"] as const) : (["jsx"] as const);
  const context = scriptContext(usagesWithin(usages, span), project, [...plugins]);
  const translator = language === "svelte" ? svelteTranslator(text, project, usages) : context.translator;
  return scriptDraft(blankOutside(text, span), selected, {
    ...context,
    translator,
    language: language === "astro" ? "js" : language,
  });
}

/** Unless the framework says otherwise, Svelte's translator is a store that svelte-i18n exports under two names. */
function svelteTranslator(text: string, project: ProjectConventions, usages: readonly KeyUsage[]): string {
  const usual = scriptStyle(project, "svelte").translator?.svelte;
  if (usual !== undefined) return translatorOf(usages, usual);
  return /\$_\s*\(/.test(text) ? "$_" : "$t";
}

function translatorIn({ text, language, project, usages }: TemplateSelection): string {
  if (language === "svelte") return svelteTranslator(text, project, usages);
  if (language === "astro") return translatorOf(usages, "t");
  const [start, end] = [text.indexOf("<template"), text.lastIndexOf("</template")];
  return translatorOf(
    usagesWithin(usages, { start, end }),
    scriptStyle(project, "vue").translator?.template ?? "$t",
  );
}

function usagesWithin(usages: readonly KeyUsage[], { start, end }: Span): readonly KeyUsage[] {
  return usages.filter(({ callSpan }) => callSpan.start >= start && callSpan.end <= end);
}

/** Extracts from an expression in the template's script language. */
function scriptExpressionDraft(
  template: TemplateSelection,
  code: Span,
  avoided: AvoidedQuote,
): ExtractionDraft | null {
  const { text, language, project, selected } = template;
  const written = text.slice(code.start, code.end);
  // Character references are decoded before the script is parsed.
  if (avoided !== "" && written.includes("&") && /&\w+;/.test(written)) return null;
  const context: ScriptContext = {
    plugins: language === "astro" ? ["typescript", "jsx"] : ["typescript"],
    translator: translatorIn(template),
    avoided,
    project,
    language: language === "vue" || language === "svelte" ? language : "js",
  };
  const before = " ".repeat(code.start - 1);
  return (
    scriptDraft(`${before}(${written})`, selected, context) ??
    scriptDraft(`${before} ${written}`, selected, context)
  );
}

function expressionDraft(
  template: TemplateSelection,
  expression: TemplateExpression,
  avoided: AvoidedQuote,
): ExtractionDraft | null {
  const { text, language, project, selected } = template;
  const { code, kind, directive } = expression;
  if (code.start > selected.start || code.end < selected.end) return null;
  if (language === "twig") return twigDraft(template, expression, avoided);
  if (language === "blade") {
    const isName = directive !== undefined && !/^(?:if|elseif|unless|json|php|dump|dd|case)$/.test(directive);
    const isStatement = expression.isStatement === true;
    return phpFragmentDraft(text, code, selected, project, { isStatement, isFirstName: isName, avoided });
  }
  if (kind === "other") return null;
  if (language === "angular-html") return angularDraft(template, code, avoided);
  // Quotes around braces in an attribute do not restrict the script's quotes.
  const around = language === "vue" ? avoided : "";
  return scriptExpressionDraft(template, code, around);
}

function attributeDraft(
  template: TemplateSelection,
  range: Extract<MarkupRange, { kind: "attribute" }>,
  expressions: readonly TemplateExpression[],
): ExtractionDraft | null {
  const { text, language, project, selected } = template;
  const { span: valueSpan, quote } = range;
  const name = text.slice(range.nameSpan.start, range.nameSpan.end);
  if (language === "vue" && /^(?:v-|[:@#])/.test(name)) {
    return /^(?:v-for|v-slot|#)/.test(name) ? null : scriptExpressionDraft(template, valueSpan, quote);
  }
  if (language === "angular-html" && /^[[(*@#]/.test(name)) {
    return /^\[(?!\()/.test(name) ? angularDraft(template, valueSpan, quote) : null;
  }
  if (language === "blade" && name.startsWith(":") && !name.startsWith("::")) {
    return phpFragmentDraft(text, valueSpan, selected, project, { avoided: quote });
  }
  if (!isTextAttribute(name)) return null;
  if (!coversContent(text, valueSpan, selected)) return null;
  const parts = markupParts(text, valueSpan, expressions, language);
  // Vue does not interpolate plain attributes.
  if (parts === null || (language === "vue" && parts.length > 1)) return null;
  const span = { start: range.nameSpan.start, end: valueSpan.end + quote.length };
  return {
    parts,
    span,
    collapsesWhitespace: true,
    codeFor: (key, values) => {
      const isBraced = language === "svelte" || language === "astro";
      const call = callFor(template, key, values, isBraced ? "" : quote);
      if (isBraced) return `${name}={${call}}`;
      // Only `attr.` binds attributes that are no properties.
      if (language === "angular-html")
        return `[${/^(?:aria|data)-/.test(name) ? "attr." : ""}${name}]=${quote}${call}${quote}`;
      return language === "vue"
        ? `:${name}=${quote}${call}${quote}`
        : `${name}=${quote}${interpolated(template, call)}${quote}`;
    },
  };
}

/** Extracts a literal from an expression of an Angular template, which scripts cannot contain. */
function angularDraft(
  { text, selected, project }: TemplateSelection,
  code: Span,
  avoided: AvoidedQuote,
): ExtractionDraft | null {
  const mask = new Mask(text);
  mask.hide(0, code.start);
  lexJavaScript(text, code.start, code.end, mask, false);
  mask.hide(code.end, text.length);
  const masked = mask.finish().code;
  const literal = literalAt(masked, selected);
  if (literal === null || literal.start < code.start || literal.end > code.end) return null;
  if (masked.slice(literal.start + 1, literal.end - 1).trim() !== "") return null;
  const before = masked[skipSpaceBack(masked, literal.start)] ?? " ";
  const next = masked[skipSpace(masked, literal.end)] ?? " ";
  // Names of properties, compared values and parts of concatenations.
  if (/[=+[]/.test(before) || /[=+|!]/.test(next) || (next === ":" && before !== "?")) return null;
  const isWhole =
    masked.slice(code.start, literal.start).trim() + masked.slice(literal.end, code.end).trim() === "";
  return {
    parts: [unescapeJavaScript(text.slice(literal.start + 1, literal.end - 1))],
    span: literal,
    codeFor: (key, values) => {
      const call = templateCall(project, key, values, avoided);
      return isWhole ? call : `(${call})`;
    },
  };
}

function interpolated({ language }: TemplateSelection, call: string): string {
  return language === "svelte" || language === "astro" ? `{${call}}` : `{{ ${call} }}`;
}

function callFor(
  template: TemplateSelection,
  key: string,
  values: readonly Value[],
  avoided: AvoidedQuote,
): string {
  const { language, project } = template;
  if (language === "blade") return phpCall(project, key, values, avoided);
  if (language === "twig") return twigCall(project, key, values, avoided);
  if (language === "angular-html") return templateCall(project, key, values, avoided);
  const call = { translator: translatorIn(template), quote: avoided === '"' ? "'" : '"', avoided } as const;
  return jsCall(project, call, key, values, language === "astro" ? "js" : language);
}

/** Splits a range into text and values; `null` if it contains anything else. */
function markupParts(
  text: string,
  span: Span,
  expressions: readonly TemplateExpression[],
  language: MarkupLanguage,
): TextPart[] | null {
  const parts = partsBetween(text, span, expressions, (code) => isValue(code, language));
  return parts && parts.map((part) => (typeof part === "string" ? decodeMarkup(part) : part));
}

/** Whether the code is a single expression that is not rendered as markup. */
function isValue(code: string, language: MarkupLanguage): boolean {
  if (language === "blade") return isPhpExpression(code);
  // A pipe has no name for a placeholder.
  if (language === "angular-html")
    return isScriptValue(code, ["typescript"]) && !/(?<!\|)\|(?!\|)/.test(code);
  if (language === "twig") return code !== "" && !/\|\s*raw\b|^["']|\{#|#\}/.test(code);
  return isScriptValue(code, language === "astro" ? ["typescript", "jsx"] : ["typescript"]);
}
