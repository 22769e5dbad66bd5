/**
 * A selected text of the code as the text of a key: what the text is, with placeholders for the values in it, and the
 * code that takes its place. It reads the selection and what stands around it; it writes nothing.
 */
import {
  domainOf,
  jsCall,
  named,
  phpCall,
  placeholderWriter,
  twigCall,
  type ExtractProject,
  type Value,
} from "./extract-calls.ts";
import { pythonExtraction } from "./extract-python.ts";
import { templateExtraction } from "./extract-template.ts";
import type { Span, Splice } from "./formats/format.ts";
import type { Quote } from "./usages/quotes.ts";

/** Languages that texts are extracted from. */
export type ExtractLanguage =
  | "php"
  | "blade"
  | "javascript"
  | "vue"
  | "svelte"
  | "twig"
  | "python"
  | "django"
  | "jinja";

/** What was selected. */
export interface Extraction {
  /** The text of the new key, with placeholders. */
  readonly text: string;
  /** What of the document is replaced. */
  readonly span: Span;
  /** The code for a key as it is said there. */
  readonly codeFor: (key: string) => string;
  /** What else the code needs: an import, a tag that loads something. */
  readonly also?: readonly Splice[];
  /** The text domain that the call names. */
  readonly domain?: string;
}

/** Where a text stands: in a literal, between tags, or as the value of an attribute. */
type Place =
  | { readonly kind: "literal"; readonly quote: Quote; readonly inner: Span; readonly outer: Span }
  | { readonly kind: "markup"; readonly inner: Span }
  | { readonly kind: "attribute"; readonly name: Span; readonly inner: Span; readonly outer: Span };

/** `null`: the selection is no text that a key can stand for (code, markup, a part of a literal). */
export function extractionAt(
  text: string,
  selected: Span,
  language: ExtractLanguage,
  project: ExtractProject,
): Extraction | null {
  if (language === "python") return pythonExtraction(text, trimmed(text, selected), project);
  if (language === "django" || language === "jinja") {
    return templateExtraction(text, trimmed(text, selected), language === "jinja");
  }
  const place = placeOf(text, trimmed(text, selected), language);
  if (place === null) return null;
  const inner = text.slice(place.inner.start, place.inner.end);
  const parts = partsOf(inner, place, language);
  if (parts === null) return null;
  const values = named(parts);
  const write = placeholderWriter(project, isPhp(language) ? "php" : language === "twig" ? "twig" : "js");
  let index = 0;
  const said = parts.map((part) =>
    typeof part === "string" ? part : write(values[index]?.name ?? "", index++),
  );
  const result = said.join("");
  if (result.trim() === "" || !/\p{L}/u.test(result)) return null;
  const domain = domainOf(project);
  const value = place.kind === "literal" ? result : result.replaceAll(/\s+/g, " ").trim();
  return {
    text: value,
    span:
      place.kind === "literal"
        ? place.outer
        : place.kind === "markup"
          ? place.inner
          : joined(place.name, place.outer),
    codeFor: (key) => codeAt(text, place, language, project, key, values),
    ...(domain === null ? {} : { domain }),
  };
}

function isPhp(language: ExtractLanguage): boolean {
  return language === "php" || language === "blade";
}

function trimmed(text: string, { start, end }: Span): Span {
  while (start < end && /\s/.test(text[start] ?? "")) start++;
  while (end > start && /\s/.test(text[end - 1] ?? "")) end--;
  return { start, end };
}

function joined(a: Span, b: Span): Span {
  return { start: a.start, end: b.end };
}

const QUOTES = /^["'`]$/;

function placeOf(text: string, span: Span, language: ExtractLanguage): Place | null {
  if (span.end <= span.start) return null;
  const [first, last] = [text[span.start] ?? "", text[span.end - 1] ?? ""];
  const isQuoted = QUOTES.test(first) && first === last && span.end - span.start > 2;
  const outer = isQuoted ? span : { start: span.start - 1, end: span.end + 1 };
  const quote = text[outer.start] ?? "";
  if (QUOTES.test(quote) && text[outer.end - 1] === quote) {
    const inner = { start: outer.start + 1, end: outer.end - 1 };
    const body = text.slice(inner.start, inner.end).replaceAll(/\\[\s\S]/g, "");
    if (body.includes(quote)) return null;
    const attribute = /(?:<[A-Za-z][^<>]*?\s)([A-Za-z][\w-]*)=$/s.exec(
      text.slice(Math.max(0, outer.start - 2_000), outer.start),
    );
    const inCode =
      (language === "blade" && isInEcho(text, outer.start)) ||
      (language === "twig" && isInTwig(text, outer.start));
    const inMarkup = language !== "php" && !inCode;
    if (attribute?.[1] !== undefined && inMarkup) {
      return {
        kind: "attribute",
        name: { start: outer.start - 1 - attribute[1].length, end: outer.start - 1 },
        inner,
        outer,
      };
    }
    // What stands in quotes between tags of Twig is a text like any other, and not a literal.
    return (quote === "`" && language === "php") || (language === "twig" && !inCode)
      ? null
      : { kind: "literal", quote: quote as Quote, inner, outer };
  }
  if (language === "php") return null;
  if (language === "twig") {
    if (isInTwig(text, span.start)) return null;
  } else if (language === "javascript" || language === "vue" || language === "svelte") {
    // Between two tags or expressions, and not in a script.
    const before = /[>}]\s*$/.test(text.slice(Math.max(0, span.start - 500), span.start));
    const after = /^\s*[<{]/.test(text.slice(span.end, span.end + 500));
    if (!before && !after) return null;
    if (language !== "javascript" && isInScript(text, span.start)) return null;
  } else if (isInEcho(text, span.start)) return null;
  return /<|>/.test(text.slice(span.start, span.end).replaceAll(/\{\{[\s\S]*?\}\}|\{[^{}]*\}/g, ""))
    ? null
    : { kind: "markup", inner: span };
}

/** Inside `{{ … }}`, a directive's arguments or a PHP tag: there PHP is written, not markup. */
function isInEcho(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4_000), at);
  const open = Math.max(
    before.lastIndexOf("{{"),
    before.lastIndexOf("{!!"),
    before.lastIndexOf("<?"),
    before.search(/@php\b(?![\s\S]*@endphp)/),
  );
  const close = Math.max(before.lastIndexOf("}}"), before.lastIndexOf("!!}"), before.lastIndexOf("?>"));
  return open > close || /@\w+\s*\([^()\n]*$/.test(before);
}

/** Inside `{{ … }}`, `{% … %}` or a comment. */
function isInTwig(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4_000), at);
  const open = Math.max(before.lastIndexOf("{{"), before.lastIndexOf("{%"), before.lastIndexOf("{#"));
  const close = Math.max(before.lastIndexOf("}}"), before.lastIndexOf("%}"), before.lastIndexOf("#}"));
  return open > close;
}

function isInScript(text: string, at: number): boolean {
  const before = text.slice(0, at);
  return before.lastIndexOf("<script") > before.lastIndexOf("</script>");
}

const PHP_VALUE = /\{(\$[^{}]+)\}|(\$[A-Za-z_]\w*(?:->[A-Za-z_]\w*|\[[^\]]*\])?)/g;
const ECHO = /\{\{\s*([\s\S]*?)\s*\}\}|\{!!\s*([\s\S]*?)\s*!!\}/g;
const TEMPLATE_VALUE = /\$\{([^{}]*)\}/g;
const JSX_VALUE = /\{([^{}]*)\}/g;

/** Texts, and the code of the values between them; `null`: values that cannot be taken apart. */
function partsOf(
  inner: string,
  place: Place,
  language: ExtractLanguage,
): (string | { code: string })[] | null {
  const inPhp = isPhp(language);
  if (place.kind === "literal") {
    if (language === "twig") return inner.includes("#{") ? null : [plain(inner, false, place.quote)];
    if (place.quote === "'" || (place.quote === '"' && !inPhp)) return [plain(inner, inPhp, place.quote)];
    return split(inner, inPhp ? PHP_VALUE : TEMPLATE_VALUE, (part) => plain(part, inPhp, place.quote));
  }
  if (language === "javascript" || language === "svelte")
    return place.kind === "attribute" ? [inner] : split(inner, JSX_VALUE, (part) => part);
  return split(inner, ECHO, (part) => part);
}

function split(
  inner: string,
  values: RegExp,
  read: (part: string) => string,
): (string | { code: string })[] | null {
  const parts: (string | { code: string })[] = [];
  let at = 0;
  for (const found of inner.matchAll(values)) {
    const code = (found[1] ?? found[2] ?? "").trim();
    if (code === "") return null;
    parts.push(read(inner.slice(at, found.index)), { code });
    at = found.index + found[0].length;
  }
  parts.push(read(inner.slice(at)));
  return parts;
}

/** The literal's text: escapes of the usual kinds are undone. */
function plain(written: string, inPhp: boolean, quote: Quote): string {
  const names: Readonly<Record<string, string>> = inPhp && quote === "'" ? {} : { n: "\n", t: "\t", r: "\r" };
  return written.replaceAll(/\\([\s\S])/g, (all, mark: string) => {
    if (Object.hasOwn(names, mark)) return names[mark] ?? all;
    return /[\\"'`$]/.test(mark) ? mark : all;
  });
}

function codeAt(
  text: string,
  place: Place,
  language: ExtractLanguage,
  project: ExtractProject,
  key: string,
  values: readonly Value[],
): string {
  if (isPhp(language) || language === "twig") {
    const call = isPhp(language) ? phpCall(project, key, values) : twigCall(project, key, values);
    if (place.kind === "literal") return call;
    return place.kind === "markup"
      ? `{{ ${call} }}`
      : `${text.slice(place.name.start, place.name.end)}="{{ ${call} }}"`;
  }
  const inTemplate = language === "vue" && !isInScript(text, place.inner.start);
  // Svelte's translator is a store, of which svelte-i18n hands out two names.
  const store = /\$_\s*\(/.test(text) ? "$_" : "$t";
  const name = language === "svelte" ? store : inTemplate ? "$t" : "t";
  if (place.kind === "literal")
    return jsCall(project, name, key, values, place.quote === "`" ? '"' : place.quote);
  if (place.kind === "markup") {
    const call = jsCall(project, name, key, values, '"');
    return language === "vue" ? `{{ ${call} }}` : `{${call}}`;
  }
  const attribute = text.slice(place.name.start, place.name.end);
  return language === "vue"
    ? `:${attribute}="${jsCall(project, name, key, values, "'")}"`
    : `${attribute}={${jsCall(project, name, key, values, '"')}}`;
}

/** So many words of a text make a key's last part. */
const MOST_WORDS = 4;

/** A short name for the text: its first words in small letters; `text` where it has none. */
export function wordsOf(text: string): string {
  const words = text
    .replaceAll(/\{\{?[^{}]*\}?\}|:\w+|%\d*\$?[sd]/g, " ")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).slice(0, MOST_WORDS).join("_") || "text";
}
