/**
 * Finds key usages in Twig templates: filters (`'key'|trans`), functions and the `{% trans %}` tag. The project's
 * frameworks decide which of them apply.
 */
import { cachedByObject } from "../util/maps.ts";
import type { Span } from "../util/span.ts";
import {
  exactValue,
  type ExpressionValue,
  literalText,
  readValues,
  unknownValue,
} from "./evaluate-key-expression.ts";
import {
  addCallUsages,
  addUsages,
  type CallDetails,
  DEFAULT_SCOPE,
  defaultDetails,
  readNames,
  type TranslatorScope,
} from "./function-calls/call-usages.ts";
import type { CallShape, FilterShape } from "../frameworks/framework.ts";
import { callsOf, phpShapes } from "./function-calls/function-signatures.ts";
import { type FindOptions, type KeyUsage, sortByOffset, type UsageLanguage } from "./key-usage.ts";
import type { Argument, Source } from "./source-reader.ts";
import {
  escapeRegExp,
  indexWithin,
  isSpace,
  isWord,
  skipSpace,
  skipSpaceBack,
  wordEnd,
} from "./lexers/characters.ts";
import { EmbeddedCodeLexer } from "./lexers/embedded-code.ts";

export const twig: UsageLanguage = {
  languageIds: ["twig"],
  extensions: [".twig"],
  comments: "template",
  find: findInTwig,
};

interface TwigFunctions {
  readonly filters: Readonly<Record<string, FilterShape>>;
  readonly functions: ReadonlyMap<string, readonly CallShape[]>;
  readonly filterCalls: RegExp;
  readonly calls: RegExp;
  readonly prefilter: RegExp;
  /** `{{ name }}` between tags is `%name%` in the key. */
  readonly hasVariablesInTags: boolean;
}

const twigFunctions = cachedByObject((options: FindOptions): TwigFunctions => {
  const calls = callsOf(options, "twig");
  const filters = Object.assign({}, ...calls.map((one) => one.filters)) as Readonly<
    Record<string, FilterShape>
  >;
  const shapes = phpShapes(
    options,
    calls.map((one) => one.functions),
  );
  const functions = new Map([...shapes].filter(([name]) => /^\w/.test(name)));
  const names = [...functions.keys()].map(escapeRegExp).join("|");
  const filterNames = Object.keys(filters).join("|");
  return {
    filters,
    functions,
    filterCalls: new RegExp(`\\|\\s*(${filterNames})\\b`, "g"),
    calls: new RegExp(`\\b(${names})\\s*\\(`, "g"),
    prefilter: new RegExp(`\\|\\s*(?:${filterNames})\\b|\\b(?:${names})\\s*\\(|\\{%[-~]?\\s*trans`),
    hasVariablesInTags: calls.some((one) => one.hasVariablesInTags === true),
  };
});

function findInTwig(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = twigFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const { source, tags } = lexTwig(text);
  const scope = defaultScope(source, tags);
  const usages: KeyUsage[] = [];
  addFilters(source, functions, scope, usages);
  addFunctions(source, functions, scope, usages);
  for (const tag of tags) addTag(source, text, functions, tag, scope, usages);
  return sortByOffset(usages);
}

/** Returns the scope set by `{% trans_default_domain "shop" %}` for the whole template. */
function defaultScope(source: Source, tags: readonly TransTag[]): TranslatorScope {
  const tag = tags.find(({ name }) => name === "trans_default_domain");
  if (tag === undefined) return DEFAULT_SCOPE;
  return { ...DEFAULT_SCOPE, namespaces: readNames(source, source.trimSpan(tag.head.start, tag.head.end)) };
}

function addFilters(source: Source, functions: TwigFunctions, scope: TranslatorScope, out: KeyUsage[]): void {
  const { code } = source;
  for (const found of code.matchAll(functions.filterCalls)) {
    const shape = functions.filters[found[1] ?? ""];
    const operand = source.operandBefore(found.index, ".|");
    if (shape === undefined || operand === null) continue;
    const nameEnd = found.index + found[0].length;
    const open = skipSpace(code, nameEnd);
    const close = code[open] === "(" ? source.brackets.closing(open) : -1;
    const args = close === -1 ? [] : source.readArguments(open).map((argument) => withName(source, argument));
    const callSpan = { start: operand.start, end: close === -1 ? nameEnd : close + 1 };
    const details = defaultDetails(scope, `|${found[1]}`, callSpan);
    const hasCount = shape.count !== undefined && args[shape.count] !== undefined;
    details.plural = shape.plural === true || hasCount || args.some((argument) => isCount(source, argument));
    if (readDomain(source, args, shape, details)) addUsages(valuesOf(source, operand), details, out);
  }
}

/** Returns the operand's possible values, which are unknown after another filter. */
function valuesOf(source: Source, operand: Span): readonly ExpressionValue[] {
  const isFiltered = /[.|]/.test(source.code[operand.start] ?? "");
  return isFiltered ? [unknownValue(operand)] : readValues(source, operand);
}

/** Reads the name of a Twig argument: `name = value` or `name: value`. */
function withName(source: Source, argument: Argument): Argument {
  const { start, end } = argument;
  const [sign, name] =
    /^(\w+)\s*[:=](?!=)\s*/.exec(source.code.slice(start, Math.min(end, start + 60))) ?? [];
  return sign === undefined || name === undefined
    ? argument
    : { ...argument, name, start: start + sign.length };
}

/** Whether the argument selects a plural form in Symfony: `{ '%count%': n }`. */
function isCount(source: Source, argument: Argument): boolean {
  if (argument.name === "count") return true;
  return source.readObject(argument).some(({ name }) => name === "%count%" || name === "count");
}

/** Reads the domain into the details; returns `false` if the domain is not the project's. */
function readDomain(
  source: Source,
  args: readonly Argument[],
  { domain, defaultDomain, foreignDomains }: FilterShape,
  details: CallDetails,
): boolean {
  if (domain === undefined) return true;
  const argument =
    args.find(({ name }) => name === "domain" || name === "category") ??
    (args.slice(0, domain + 1).every(({ name }) => name === null) ? args[domain] : undefined);
  const isName = argument !== undefined && source.code[argument.start] !== "{";
  const namespaces = (isName ? readNames(source, argument) : null) ?? (defaultDomain && [defaultDomain]);
  if (namespaces) details.scope = { ...details.scope, namespaces };
  const { namespaces: bound } = details.scope;
  return !Array.isArray(bound) || !bound.every((name) => foreignDomains?.has(name) === true);
}

function addFunctions(
  source: Source,
  functions: TwigFunctions,
  scope: TranslatorScope,
  out: KeyUsage[],
): void {
  const { code } = source;
  for (const found of code.matchAll(functions.calls)) {
    const name = found[1] ?? "";
    const start = found.index;
    const before = code[skipSpaceBack(code, start)];
    if (before === "." || before === "|" || isWord(code.charCodeAt(start - 1))) continue;
    const shape = functions.functions.get(name)?.find(({ qualifier = "" }) => qualifier === "");
    if (shape === undefined) continue;
    const call = { start, open: start + found[0].length - 1, callee: name };
    addCallUsages(source, call, shape, shape.usesTemplateDomain === true ? scope : DEFAULT_SCOPE, out);
  }
}

/** Adds the key of `{% trans with {…} from "domain" %}text{% endtrans %}` or `{% trans "text" %}`. */
function addTag(
  source: Source,
  text: string,
  { hasVariablesInTags }: TwigFunctions,
  tag: TransTag,
  scope: TranslatorScope,
  out: KeyUsage[],
): void {
  if (tag.name === "trans_default_domain") return;
  const head = source.code.slice(tag.head.start, tag.head.end);
  const details = defaultDetails(scope, "trans", tag);
  const from = /\bfrom\s+/.exec(head);
  if (from !== null) {
    const start = tag.head.start + from.index + from[0].length;
    const end = source.skipGroup(start, tag.head.end);
    // Otherwise an operator follows: `from 'shop_' ~ kind`.
    const isWhole = /^\s*(?:[a-z]|$)/i.test(source.code.slice(end, tag.head.end));
    const domain = isWhole ? literalText(source, { start, end }) : null;
    details.scope = { ...scope, namespaces: domain === null ? "unknown" : [domain] };
  }
  details.plural = tag.name === "transchoice" || /^\s*count\b/.test(head);
  if (tag.body === null) {
    const length = head.search(/\b(?:from|with|into|count)\b|$/);
    addUsages(readValues(source, { start: tag.head.start, end: tag.head.start + length }), details, out);
    return;
  }
  const body = text.slice(tag.body.start, tag.body.end);
  const plural = /\{%[-~]?\s*plural\b/.exec(body);
  if (plural !== null) details.plural = true;
  const written = body.slice(0, plural?.index ?? body.length);
  const message = written.trim();
  if (message === "") return;
  const start = tag.body.start + written.indexOf(message);
  addUsages([messageOf(message, start, hasVariablesInTags)], details, out);
}

/** Returns the key of the text between tags: `%%` becomes `%`, or `{{ name }}` becomes `%name%`. */
function messageOf(message: string, start: number, hasVariables: boolean): ExpressionValue {
  const end = start + message.length;
  const text = hasVariables ? message.replaceAll(/\{\{[-~]?\s*(\w+)\s*[-~]?\}\}/g, "%$1%") : message;
  const variable = text.search(/\{[{%]/);
  if (variable === -1) return exactValue(hasVariables ? text : text.replaceAll("%%", "%"), start, end);
  const last = Math.max(text.lastIndexOf("}}"), text.lastIndexOf("%}"));
  const suffix = last < variable ? "" : text.slice(last + 2);
  return { isExact: false, prefix: text.slice(0, variable), suffix, start, end };
}

/** A tag that takes a text: the range after its name, and the range of the text up to the end tag, if any. */
interface TransTag {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly head: Span;
  readonly body: Span | null;
}

const TAGS = new Set(["trans", "transchoice", "translate", "trans_default_domain"]);
const MAX_BODY_CHARACTERS = 10_000;

export function lexTwig(text: string): { readonly source: Source; readonly tags: readonly TransTag[] } {
  const lexer = new TwigLexer(text);
  return { source: lexer.run(), tags: lexer.tags };
}

class TwigLexer extends EmbeddedCodeLexer {
  readonly tags: TransTag[] = [];

  protected override openers(): RegExp {
    return /\{[{%#]/g;
  }

  protected override open({ 0: opener, index: open }: RegExpExecArray): number {
    if (opener === "{#") return this.after("#}", open + 2);
    let start = open + 2;
    if (/[-~]/.test(this.text[start] ?? "")) start++;
    if (opener === "{{") return this.#expression(start, "}}").next;
    start = skipSpace(this.text, start);
    const nameEnd = wordEnd(this.text, start);
    const name = this.text.slice(start, nameEnd);
    const { end, next } = this.#expression(nameEnd, "%}");
    if (name === "verbatim" || name === "raw") {
      return this.#endTag(`end${name}`, next, this.text.length)?.end ?? this.text.length;
    }
    if (TAGS.has(name)) this.#tag(name, open, { start: nameEnd, end: Math.max(nameEnd, end) }, next);
    return next;
  }

  #tag(name: string, start: number, head: Span, after: number): void {
    const first = this.text[skipSpace(this.text, head.start, head.end)];
    // `{% trans "text" %}` has no end tag.
    if (name === "trans_default_domain" || first === '"' || first === "'") {
      this.tags.push({ start, end: after, name, head, body: null });
      return;
    }
    const endTag = this.#endTag(`end${name}`, after, after + MAX_BODY_CHARACTERS);
    if (endTag === null) return;
    this.tags.push({ start, end: endTag.end, name, head, body: { start: after, end: endTag.start } });
  }

  /** Lexes an expression from `start` to its closer; returns its end, and the offset to continue at. */
  #expression(start: number, closer: "}}" | "%}"): { readonly end: number; readonly next: number } {
    const { text, mask } = this;
    const tokens = /["'#~()[\]-]|\{[{%#]?|[%}]?\}/g;
    tokens.lastIndex = start;
    let depth = 0;
    let next = text.length;
    const end = this.embed(start, () => {
      for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
        const { index, 0: token } = found;
        // Another opener, or a closing `%}`, also ends an expression that is not closed.
        if (token === "%}" || (token === closer && depth <= 0) || /^\{./.test(token)) {
          next = token.startsWith("{") ? index : index + 2;
          return index;
        }
        if (token === "'" || token === '"') tokens.lastIndex = this.#string(index, token);
        else if (token === "#") {
          // A comment up to the end of the line or expression.
          const length = text.slice(index).search(/\n|[%}]\}|$/);
          mask.hide(index, index + length);
          tokens.lastIndex = index + length;
        } else if (token === "-" || token === "~") {
          if (text.startsWith(closer, index + 1)) mask.hide(index, index + 1);
          else if (token === "~") mask.mark(index, index + 1, "+");
        } else {
          depth += /[([{]/.test(token) ? 1 : -1;
          tokens.lastIndex = index + 1;
        }
      }
      return text.length;
    });
    return { end, next };
  }

  /** Lexes a string; one with `#{…}` is marked as a template. Returns the offset after it. */
  #string(open: number, quote: string): number {
    const text = this.text;
    const expressions: Span[] = [];
    let offset = open + 1;
    for (; offset < text.length; offset++) {
      const char = text[offset];
      if (char === "\\") offset++;
      else if (char === quote) break;
      else if (quote === '"' && text.startsWith("#{", offset)) {
        const close = text.indexOf("}", offset);
        if (close === -1) break;
        expressions.push({ start: offset + 1, end: close + 1 });
        offset = close;
      }
    }
    const end = Math.min(offset, text.length);
    const isTemplate = expressions.length > 0;
    if (isTemplate) this.mask.mark(open, open + 1, "`");
    let from = open + 1;
    for (const expression of expressions) {
      this.mask.blank(from, expression.start);
      from = expression.end;
    }
    this.mask.blank(from, end);
    if (isTemplate) this.mask.mark(end, end + 1, "`");
    return Math.min(end + 1, text.length);
  }

  /** Returns the range of the end tag between the offsets; `null` if there is none. */
  #endTag(name: string, from: number, to: number): Span | null {
    const { text } = this;
    const nameStart = indexWithin(text, name, from, to);
    if (nameStart === -1) return null;
    let start = nameStart;
    while (start > from && isSpace(text.charCodeAt(start - 1))) start--;
    if (/[-~]/.test(text[start - 1] ?? "")) start--;
    return text.startsWith("{%", start - 2) ? { start: start - 2, end: this.after("%}", nameStart) } : null;
  }
}
