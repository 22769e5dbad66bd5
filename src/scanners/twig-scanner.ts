/**
 * Finds key usages in Twig templates: filters (`'key'|trans`), functions and the `{% trans %}` tag, as in Symfony,
 * Craft, Laravel, WordPress (Timber) and gettext. The project's frameworks decide which of them apply.
 */
import { cachedByObject } from "../util/maps.ts";
import type { Span } from "../util/span.ts";
import {
  addCallUsages,
  addUsages,
  type CallDetails,
  DEFAULT_SCOPE,
  defaultDetails,
  readNames,
  sortByOffset,
  type TranslatorScope,
} from "./function-calls/call-usages.ts";
import {
  escapeRegExp,
  indexWithin,
  isSpace,
  isWord,
  lastBefore,
  skipSpace,
  wordEnd,
  wordStart,
} from "./lexers/characters.ts";
import { type CallShape, mergeShapes, phpShapes, type Shapes } from "./function-calls/function-signatures.ts";
import {
  type Argument,
  makeSource,
  readArguments,
  readObject,
  skipGroup,
  type Source,
  trimSpan,
} from "./lexed-source.ts";
import type { FindOptions, Framework, KeyUsage, UsageLanguage } from "./key-usage.ts";
import {
  exactValue,
  type ExpressionValue,
  literalText,
  readValues,
  unknownValue,
} from "./evaluate-key-expression.ts";
import { EmbeddedCodeLexer } from "./lexers/embedded-code.ts";
import type { Masked } from "./lexers/masked-source.ts";

export const twig: UsageLanguage = {
  languageIds: ["twig"],
  extensions: [".twig"],
  comments: "template",
  find: findInTwig,
};

/** A filter: the position of the domain among its arguments, and the default domain. */
interface FilterShape {
  readonly domain?: number;
  readonly plural?: true;
  readonly otherwise?: string;
}

const SYMFONY_FILTERS: Readonly<Record<string, FilterShape>> = {
  trans: { domain: 1 },
  transchoice: { domain: 2, plural: true },
};
/** Craft's Twig filters `t` and `translate`, whose category comes first and is optional. */
const CRAFT_FILTERS: Readonly<Record<string, FilterShape>> = {
  t: { domain: 0, otherwise: "site" },
  translate: { domain: 0, otherwise: "site" },
};
const LARAVEL_FILTERS: Readonly<Record<string, FilterShape>> = {
  trans: {},
  trans_choice: { plural: true },
  lang: {},
};
const GETTEXT_FILTERS: Readonly<Record<string, FilterShape>> = { trans: {}, t: {}, translate: {} };
const SYMFONY_FUNCTIONS: Shapes = { trans: { key: 0, namespace: 2 }, t: { key: 0, namespace: 2 } };
/** Categories of Craft's and Yii's own texts. */
const FOREIGN_CATEGORIES = new Set(["app", "yii"]);

interface TwigFunctions {
  readonly filters: ReadonlyMap<string, FilterShape>;
  readonly functions: ReadonlyMap<string, readonly CallShape[]>;
  readonly filterCalls: RegExp;
  readonly calls: RegExp;
  readonly prefilter: RegExp;
  readonly gettext: boolean;
}

/** Frameworks with Twig templates; in projects without any of them, the usual names apply. */
const WITH_TWIG: readonly Framework[] = ["symfony", "craft", "laravel", "wordpress", "gettext"];

const twigFunctions = cachedByObject((options: FindOptions): TwigFunctions => {
  const { frameworks } = options;
  const open = !WITH_TWIG.some((framework) => frameworks.has(framework));
  const has = (framework: Framework): boolean => open || frameworks.has(framework);
  const filters = new Map<string, FilterShape>([
    ...Object.entries(frameworks.has("gettext") ? GETTEXT_FILTERS : {}),
    ...Object.entries(has("laravel") ? LARAVEL_FILTERS : {}),
    ...Object.entries(has("craft") ? CRAFT_FILTERS : {}),
    ...Object.entries(has("symfony") ? SYMFONY_FILTERS : {}),
  ]);
  const functions = new Map<string, readonly CallShape[]>(
    [...phpShapes(options)].filter(([name]) => /^\w/.test(name)),
  );
  if (has("symfony")) {
    const own = mergeShapes(options.functions, []);
    for (const [name, shape] of Object.entries(SYMFONY_FUNCTIONS)) {
      functions.set(name, [...(own.get(name) ?? []), shape]);
    }
  }
  const names = [...functions.keys()].map(escapeRegExp).join("|");
  const filterNames = [...filters.keys()].map(escapeRegExp).join("|");
  return {
    filters,
    functions,
    filterCalls: new RegExp(`\\|\\s*(${filterNames})\\b`, "g"),
    calls: new RegExp(`\\b(${names})\\s*\\(`, "g"),
    prefilter: new RegExp(`\\|\\s*(?:${filterNames})\\b|\\b(?:${names})\\s*\\(|\\{%[-~]?\\s*trans`),
    gettext: frameworks.has("gettext"),
  };
});

function findInTwig(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = twigFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const { masked, tags } = lexTwig(text);
  const source = makeSource(masked, "javascript");
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
  return { ...DEFAULT_SCOPE, namespaces: readNames(source, trimSpan(source, tag.head.start, tag.head.end)) };
}

function addFilters(source: Source, functions: TwigFunctions, scope: TranslatorScope, out: KeyUsage[]): void {
  const { code } = source;
  for (const found of code.matchAll(functions.filterCalls)) {
    const shape = functions.filters.get(found[1] ?? "");
    const operand = operandBefore(source, found.index);
    if (shape === undefined || operand === null) continue;
    const nameEnd = found.index + found[0].length;
    const open = skipSpace(code, nameEnd);
    const close = code[open] === "(" ? source.brackets.closing(open) : -1;
    const args = close === -1 ? [] : readArguments(source, open).map((argument) => named(source, argument));
    const callSpan = { start: operand.start, end: close === -1 ? nameEnd : close + 1 };
    const facts = defaultDetails(scope, `|${found[1]}`, callSpan);
    facts.plural = shape.plural === true || args.some((argument) => isCount(source, argument));
    if (readDomain(source, args, shape, facts)) addUsages(valuesOf(source, operand), facts, out);
  }
}

/** Returns the range that the filter at `pipe` is applied to; `null` if there is none. */
function operandBefore(source: Source, pipe: number): Span | null {
  const { code } = source;
  const last = lastBefore(code, pipe);
  const char = code[last] ?? "";
  if (char === '"' || char === "'" || char === "`") {
    const open = code.lastIndexOf(char, last - 1);
    return open === -1 ? null : { start: open, end: last + 1 };
  }
  let start = last + 1;
  for (let steps = 0; steps < 8; steps++) {
    const before = lastBefore(code, start);
    if (/[)\]}]/.test(code[before] ?? "")) {
      const open = source.brackets.enclosing(before);
      if (open === -1 || source.brackets.closing(open) !== before) return null;
      start = open;
      if (!isWord(code.charCodeAt(open - 1)) && code[open - 1] !== ")" && code[open - 1] !== "]") break;
    } else if (isWord(code.charCodeAt(before))) {
      start = wordStart(code, before + 1);
      const dot = lastBefore(code, start);
      if (code[dot] !== "." && code[dot] !== "|") break;
      start = dot;
    } else break;
  }
  return start > last ? null : { start, end: last + 1 };
}

/** Returns the operand's possible values, which are unknown after another filter. */
function valuesOf(source: Source, { start, end }: Span): readonly ExpressionValue[] {
  const before = source.code[lastBefore(source.code, start)];
  return before === "|" || source.code[start] === "|" || source.code[start] === "."
    ? [unknownValue(start, end)]
    : readValues(source, start, end);
}

/** Reads the name of a Twig argument: `name = value` or `name: value`. */
function named(source: Source, argument: Argument): Argument {
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
  return readObject(source, argument).some(({ name }) => name === "%count%" || name === "count");
}

/** Reads the domain into the details; returns `false` if the domain is not the project's. */
function readDomain(
  source: Source,
  args: readonly Argument[],
  shape: FilterShape,
  facts: CallDetails,
): boolean {
  if (shape.domain === undefined) return true;
  const given =
    args.find(({ name }) => name === "domain" || name === "category") ??
    (args.slice(0, shape.domain + 1).every(({ name }) => name === null) ? args[shape.domain] : undefined);
  const isNamed = given !== undefined && source.code[given.start] !== "{";
  const namespaces = isNamed ? readNames(source, given) : null;
  if (namespaces !== null) facts.scope = { ...facts.scope, namespaces };
  else if (shape.otherwise !== undefined) facts.scope = { ...facts.scope, namespaces: [shape.otherwise] };
  const bound = facts.scope.namespaces;
  return !(
    shape.otherwise !== undefined &&
    Array.isArray(bound) &&
    bound.every((one) => FOREIGN_CATEGORIES.has(one))
  );
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
    const before = code[lastBefore(code, start)];
    if (before === "." || before === "|" || isWord(code.charCodeAt(start - 1))) continue;
    const shape = functions.functions.get(name)?.find(({ qualifier = "" }) => qualifier === "");
    if (shape === undefined) continue;
    const bound = shape === SYMFONY_FUNCTIONS[name] ? scope : DEFAULT_SCOPE;
    addCallUsages(source, { start, open: start + found[0].length - 1, callee: name }, shape, bound, out);
  }
}

/** Adds the key of `{% trans with {…} from "domain" %}text{% endtrans %}` or `{% trans "text" %}`. */
function addTag(
  source: Source,
  text: string,
  { gettext }: TwigFunctions,
  tag: TransTag,
  scope: TranslatorScope,
  out: KeyUsage[],
): void {
  if (tag.name === "trans_default_domain") return;
  const head = source.code.slice(tag.head.start, tag.head.end);
  const facts = defaultDetails(scope, "trans", tag);
  const from = /\bfrom\s+/.exec(head);
  if (from !== null)
    facts.scope = { ...scope, namespaces: domainAt(source, tag, from.index + from[0].length) };
  facts.plural = tag.name === "transchoice" || /^\s*count\b/.test(head);
  if (tag.body === null) {
    const { index } = /\b(?:from|with|into|count)\b|$/.exec(head) ?? { index: head.length };
    addUsages(readValues(source, tag.head.start, tag.head.start + index), facts, out);
    return;
  }
  const body = text.slice(tag.body.start, tag.body.end);
  const plural = /\{%[-~]?\s*plural\b/.exec(body);
  if (plural !== null) facts.plural = true;
  const written = body.slice(0, plural?.index ?? body.length);
  const message = written.trim();
  if (message === "") return;
  const start = tag.body.start + written.indexOf(message);
  addUsages([messageOf(message, start, gettext)], facts, out);
}

function domainAt(source: Source, tag: TransTag, offset: number): KeyUsage["namespaces"] {
  const start = tag.head.start + offset;
  const name = literalText(source, { start, end: skipGroup(source, start, tag.head.end) });
  return name === null ? "unknown" : [name];
}

/** Returns the key of the text between tags: `%%` becomes `%`, and with gettext `{{ name }}` becomes `%name%`. */
function messageOf(message: string, start: number, gettext: boolean): ExpressionValue {
  const end = start + message.length;
  const text = gettext ? message.replaceAll(/\{\{[-~]?\s*(\w+)\s*[-~]?\}\}/g, "%$1%") : message;
  const variable = text.search(/\{[{%]/);
  if (variable === -1) return exactValue(gettext ? text : text.replaceAll("%%", "%"), start, end);
  const last = Math.max(text.lastIndexOf("}}"), text.lastIndexOf("%}"));
  const suffix = last < variable ? "" : text.slice(last + 2);
  return { exact: false, prefix: text.slice(0, variable), suffix, start, end };
}

/** A tag that takes a text: the range after its name, and the range of the text up to the end tag, if any. */
export interface TransTag {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly head: Span;
  readonly body: Span | null;
}

const TAGS = new Set(["trans", "transchoice", "translate", "trans_default_domain"]);
const BODY_LIMIT = 10_000;

export function lexTwig(text: string): { readonly masked: Masked; readonly tags: readonly TransTag[] } {
  const lexer = new TwigLexer(text);
  return { masked: lexer.run(), tags: lexer.tags };
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
    if (opener === "{{") return this.#expression(start, "}}");
    start = skipSpace(this.text, start);
    const nameEnd = wordEnd(this.text, start);
    const name = this.text.slice(start, nameEnd);
    const after = this.#expression(nameEnd, "%}");
    if (name === "verbatim" || name === "raw") return this.#endTag(`end${name}`, after, this.text.length).end;
    if (TAGS.has(name)) this.#tag(name, open, { start: nameEnd, end: Math.max(nameEnd, this.done) }, after);
    return after;
  }

  #tag(name: string, start: number, head: Span, after: number): void {
    const first = this.text[skipSpace(this.text, head.start, head.end)];
    // `{% trans "text" %}` has no end tag.
    const alone = name === "trans_default_domain" || first === '"' || first === "'";
    const close = alone ? null : this.#endTag(`end${name}`, after, after + BODY_LIMIT);
    if (close !== null && close.start === close.end) return;
    this.tags.push({
      start,
      end: close?.end ?? after,
      name,
      head,
      body: close === null ? null : { start: after, end: close.start },
    });
  }

  /** Lexes an expression from `start` to its closer; returns the offset after that. */
  #expression(start: number, closer: "}}" | "%}"): number {
    const { text, mask } = this;
    mask.separate(this.done, start);
    const tokens = /["'#~()[\]-]|\{[{%#]?|[%}]?\}/g;
    tokens.lastIndex = start;
    let depth = 0;
    for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
      const { index: at, 0: token } = found;
      // Another opener, or a closing `%}`, also ends an expression that is not closed.
      if (token === "%}" || (token === closer && depth <= 0) || /^\{./.test(token)) {
        this.done = at;
        return token.startsWith("{") ? at : at + 2;
      }
      if (token === "'" || token === '"') tokens.lastIndex = this.#string(at, token);
      else if (token === "#") {
        // A comment up to the end of the line or expression.
        const length = text.slice(at).search(/\n|[%}]\}|$/);
        mask.hide(at, at + length);
        tokens.lastIndex = at + length;
      } else if (token === "-" || token === "~") {
        if (text.startsWith(closer, at + 1)) mask.hide(at, at + 1);
        else if (token === "~") mask.mark(at, at + 1, "+");
      } else {
        depth += /[([{]/.test(token) ? 1 : -1;
        tokens.lastIndex = at + 1;
      }
    }
    this.done = text.length;
    return text.length;
  }

  /** Lexes a string; one with `#{…}` is marked as a template. Returns the offset after it. */
  #string(open: number, quote: string): number {
    const text = this.text;
    const expressions: Span[] = [];
    let at = open + 1;
    for (; at < text.length; at++) {
      const char = text[at];
      if (char === "\\") at++;
      else if (char === quote) break;
      else if (char === "#" && quote === '"' && text[at + 1] === "{") {
        const close = text.indexOf("}", at);
        if (close === -1) break;
        expressions.push({ start: at + 1, end: close + 1 });
        at = close;
      }
    }
    const end = Math.min(at, text.length);
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

  /** Returns the range of the end tag between the offsets; an empty range at the end of the text if there is none. */
  #endTag(name: string, from: number, to: number): Span {
    const text = this.text;
    const none = { start: text.length, end: text.length };
    const found = indexWithin(text, name, from, to);
    if (found === -1) return none;
    let start = found;
    while (start > from && isSpace(text.charCodeAt(start - 1))) start--;
    if (/[-~]/.test(text[start - 1] ?? "")) start--;
    return text.startsWith("{%", start - 2) ? { start: start - 2, end: this.after("%}", found) } : none;
  }
}
