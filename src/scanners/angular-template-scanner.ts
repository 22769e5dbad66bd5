/**
 * Finds key usages in templates of Angular components, in HTML files and in scripts: pipes (`'key' | name`), directives
 * (`[name]="'key'"`, `<p name>key</p>`), the translator that a structural directive declares (`*name="let t"`), and
 * calls in expressions. Tolerant of malformed markup; knows no components.
 */
import type { ComponentTemplates } from "../frameworks/framework.ts";
import { frameworksOf } from "../frameworks/supported-frameworks.ts";
import { cachedByObject } from "../util/maps.ts";
import type { Span } from "../util/span.ts";
import {
  exactValue,
  literalText,
  readValues,
  unknownValue,
  type ExpressionValue,
} from "./evaluate-key-expression.ts";
import {
  addCallUsages,
  addUsages,
  DEFAULT_SCOPE,
  defaultDetails,
  type TranslatorScope,
  UNKNOWN_SCOPE,
} from "./function-calls/call-usages.ts";
import { javascriptFunctions, nameAlternatives } from "./function-calls/function-signatures.ts";
import { addJavaScriptUsages } from "./javascript/javascript-scanner.ts";
import { ScopedBindings, ScopeTree } from "./javascript/scopes.ts";
import { addKeysInComment } from "./key-comments.ts";
import { type FindOptions, type Imports, type KeyUsage, sortByOffset } from "./key-usage.ts";
import { escapeRegExp, skipSpace, wordEnd } from "./lexers/characters.ts";
import { MarkupLexer } from "./lexers/embedded-code.ts";
import { unescapeMarkup } from "./lexers/string-literals.ts";
import type { Property, Source, Tag } from "./source-reader.ts";

/** What templates of a project may contain. */
interface TemplateSyntax {
  readonly pipes: RegExp | null;
  /** Attributes with keys, and whether the texts of their elements are keys without a value. */
  readonly attributes: ReadonlyMap<string, boolean>;
  readonly structural: readonly NonNullable<ComponentTemplates["structural"]>[];
  /** Cheap test whether a text may contain key usages at all. */
  readonly prefilter: RegExp;
}

const syntaxOf = cachedByObject((options: FindOptions): TemplateSyntax | null => {
  const templates = frameworksOf(options.frameworks).flatMap(({ calls }) => calls.componentTemplates ?? []);
  if (templates.length === 0) return null;
  const pipes = templates.flatMap((each) => each.pipes);
  const attributes = templates.flatMap((each) =>
    each.attributes.map((name) => [name, each.hasTextKeys === true] as const),
  );
  const structural = templates.flatMap((each) => each.structural ?? []);
  const names = [...pipes, ...attributes.map(([name]) => name), ...structural.map(({ name }) => name)];
  return {
    pipes:
      pipes.length === 0 ? null : new RegExp(`\\|\\s*(${pipes.map(escapeRegExp).join("|")})(?![\\w$])`, "g"),
    attributes: new Map(attributes),
    structural,
    prefilter: new RegExp(nameAlternatives([...new Set(names)])),
  };
});

/**
 * Returns the key usages in a template by offset.
 * @param imports also finds the fields of the component
 */
export function findInAngularTemplate(
  text: string,
  options: FindOptions,
  imports?: Imports,
): readonly KeyUsage[] {
  const syntax = syntaxOf(options);
  if (syntax === null) return [];
  const functions = javascriptFunctions(options);
  if (!syntax.prefilter.test(text) && !functions.prefilter.test(text)) return [];
  const lexer = new AngularLexer(text, syntax);
  const source = lexer.run();
  source.imports = imports;
  source.isTemplate = true;
  lexer.closeAll();
  const usages: KeyUsage[] = [];
  const translators = lexer.translators(source);
  const declared = addDeclaredCalls(source, translators, usages);
  addComments(text, lexer.comments, translators, options, usages);
  const calls: KeyUsage[] = [];
  addJavaScriptUsages(source, functions, calls);
  usages.push(...calls.filter(({ callSpan }) => !declared.has(callSpan.start)));
  addPipes(source, syntax, usages);
  for (const element of lexer.elements) addAttribute(source, element, syntax, usages);
  return sortByOffset(usages.map((usage) => ({ ...usage, isInHtml: true as const })));
}

const COMPONENT = /@Component\s*\(/;
const TEMPLATE = /(?<![\w$.])template\s*:\s*(?=["'`])/g;

/** Whether components in a script may contain key usages in templates. */
export function mayHaveInlineTemplates(text: string, options: FindOptions): boolean {
  const syntax = syntaxOf(options);
  return syntax !== null && COMPONENT.test(text) && syntax.prefilter.test(text);
}

/** Adds the usages in the templates that components in a script contain. */
export function addInlineTemplates(source: Source, options: FindOptions, out: KeyUsage[]): void {
  if (!COMPONENT.test(source.code)) return;
  for (const { index, 0: name } of source.code.matchAll(TEMPLATE)) {
    const open = index + name.length;
    const end = source.skipGroup(open, source.code.length);
    for (const usage of findInAngularTemplate(source.text.slice(open + 1, end - 1), options, source.imports))
      out.push(movedBy(usage, open + 1));
  }
}

function movedBy(usage: KeyUsage, offset: number): KeyUsage {
  const moved = ({ start, end }: Span): Span => ({ start: start + offset, end: end + offset });
  return {
    ...usage,
    keySpan: moved(usage.keySpan),
    callSpan: moved(usage.callSpan),
    ...(usage.literalSpan === undefined ? {} : { literalSpan: moved(usage.literalSpan) }),
  };
}

/** A translator that a directive declares, in the range of its element. */
interface DeclaredTranslator extends Span {
  readonly name: string;
  readonly scope: TranslatorScope;
}

/** Adds the calls of declared translators; returns their offsets. */
function addDeclaredCalls(
  source: Source,
  translators: readonly DeclaredTranslator[],
  out: KeyUsage[],
): ReadonlySet<number> {
  const found = new Set<number>();
  if (translators.length === 0) return found;
  const bindings = new ScopedBindings<DeclaredTranslator>();
  for (const translator of translators) bindings.add(translator.name, translator);
  const names = [...new Set(translators.map(({ name }) => escapeRegExp(name)))].join("|");
  for (const { index: start, 0: call, 1: callee = "" } of source.code.matchAll(
    new RegExp(`(?<![\\w$.])(${names})\\s*\\(`, "g"),
  )) {
    const translator = bindings.innermost(callee, start)[0];
    if (translator === undefined) continue;
    found.add(start);
    addCallUsages(
      source,
      { start, open: start + call.length - 1, callee },
      { key: 0 },
      translator.scope,
      out,
    );
  }
  return found;
}

/** Adds the keys that comments list; a surrounding directive's prefix applies to them. */
function addComments(
  text: string,
  comments: readonly Span[],
  translators: readonly DeclaredTranslator[],
  options: FindOptions,
  out: KeyUsage[],
): void {
  const tree = new ScopeTree(translators);
  for (const comment of comments)
    addKeysInComment(text, comment, tree.innermost(comment.start)[0]?.scope ?? DEFAULT_SCOPE, options, out);
}

/** Adds the operands of pipes. */
function addPipes(source: Source, { pipes }: TemplateSyntax, out: KeyUsage[]): void {
  const { code } = source;
  for (const { index, 0: pipe, 1: callee = "" } of pipes === null ? [] : code.matchAll(pipes)) {
    if (code[index - 1] === "|") continue;
    const operand = operandOf(source, index);
    const end = argumentsEnd(source, index + pipe.length);
    const details = defaultDetails(DEFAULT_SCOPE, callee, { start: operand.start, end });
    addUsages(readValues(source, operand), details, out);
  }
}

/**
 * Returns the expression before the pipe. As in Angular's grammar, a pipe in a branch of a conditional belongs to the
 * branch, and a colon after another pipe starts an argument.
 */
function operandOf(source: Source, pipe: number): Span {
  const { code, brackets } = source;
  // Text between expressions is a single semicolon.
  const from = Math.max(brackets.enclosing(pipe), code.lastIndexOf(";", pipe)) + 1;
  let start = from;
  let isPiped = false;
  for (let offset = from; offset < pipe; offset = source.skipToken(offset, pipe)) {
    const char = code[offset] ?? "";
    const next = code[offset + 1];
    if (char === "|") {
      isPiped ||= next !== "|" && code[offset - 1] !== "|";
    } else if (char === "," || char === ";" || (char === "?" && !/[?.]/.test(`${next}${code[offset - 1]}`))) {
      start = offset + 1;
      isPiped = false;
    } else if (char === ":" && !isPiped) start = offset + 1;
    else if (char === "=" && !/[=!<>]/.test(`${next}${code[offset - 1]}`)) start = offset + 1;
  }
  return source.trimSpan(start, pipe);
}

/** Returns the end of the pipe's arguments: `: { a: b } : c`. */
function argumentsEnd(source: Source, from: number): number {
  const { code } = source;
  let end = from;
  for (let offset = skipSpace(code, from); code[offset] === ":";) {
    offset = skipSpace(code, offset + 1);
    while (offset < code.length && !/[:|;,)\]}]/.test(code[offset] ?? "")) {
      offset = source.skipToken(offset, code.length);
    }
    end = source.trimSpan(from, offset).end;
  }
  return end;
}

/** Adds the key in an attribute of the element, or its texts. */
function addAttribute(
  source: Source,
  element: Element,
  { attributes }: TemplateSyntax,
  out: KeyUsage[],
): void {
  const { tag, texts } = element;
  for (const { name: written, value } of tag.attributes) {
    const name = written.replace(/^\[(.*)\]$/, "$1");
    const hasTextKeys = attributes.get(name);
    if (hasTextKeys === undefined) continue;
    const details = defaultDetails(DEFAULT_SCOPE, name, tag);
    const isEmpty = value === null || (value.isPlain === true && value.end - value.start <= 2);
    if (!isEmpty) {
      const values = readValues(source, value);
      // HTML has an attribute `translate`, too.
      const isKey = ({ isExact, prefix }: ExpressionValue): boolean =>
        !isExact || !/^(?:yes|no)$/.test(prefix);
      addUsages(value.isPlain === true ? values.filter(isKey) : values, details, out);
    } else if (hasTextKeys) {
      for (const text of texts) {
        const callSpan = { start: tag.start, end: Math.max(tag.end, text.end) };
        addUsages([text], { ...details, callSpan }, out);
      }
    }
  }
}

/** An element with an attribute that matters, and its range. */
interface Element extends Span {
  readonly tag: Tag;
  /** The keys in its texts. */
  readonly texts: ExpressionValue[];
}

/** An element that is not closed yet. */
interface OpenElement {
  readonly name: string;
  readonly element: { tag: Tag; texts: ExpressionValue[]; start: number; end: number } | null;
}

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;
/** Start tags that an end tag may close at once. */
const MAX_UNCLOSED = 50;

class AngularLexer extends MarkupLexer {
  readonly elements: Element[] = [];
  readonly comments: Span[] = [];
  readonly #syntax: TemplateSyntax;
  readonly #open: OpenElement[] = [];
  /** Start of the text after the last tag. */
  #textStart = 0;
  /** Whether an unclosed quote was found, so that quotes may be plain text. */
  #ignoresQuotes = false;

  constructor(text: string, syntax: TemplateSyntax) {
    super(text);
    this.#syntax = syntax;
  }

  /** Ends the elements that are not closed. */
  closeAll(): void {
    for (const { element } of this.#open) if (element !== null) element.end = this.text.length;
  }

  /** Returns the translators that directives declare. */
  translators(source: Source): readonly DeclaredTranslator[] {
    return this.elements.flatMap(({ tag, start, end }) =>
      this.#syntax.structural.flatMap(({ name, prefixes }) => {
        const found = declaredIn(source, tag, name, prefixes);
        return found === null ? [] : { ...found, start, end };
      }),
    );
  }

  protected override openers(): RegExp {
    return /<!--|\{\{|<\/?(?=[A-Za-z])|(?<![\w@.])@(?:else\s+if|if|for|switch|case|let)\b/g;
  }

  protected override open({ index, 0: opener }: RegExpExecArray): number {
    const after = index + opener.length;
    if (opener === "{{") {
      const end = this.#interpolationEnd(after);
      return this.script(after, end) + 2;
    }
    if (opener.startsWith("@")) return this.#controlFlow(opener, after);
    this.#addText(index);
    const end = opener === "<!--" ? this.after("-->", after) : this.#tag(index, opener);
    if (opener === "<!--") this.comments.push({ start: index, end });
    this.#textStart = end;
    return end;
  }

  #tag(index: number, opener: string): number {
    if (opener === "<") return this.startTag(index);
    const nameStart = index + opener.length;
    const name = /^[\w:.-]*/.exec(this.text.slice(nameStart, nameStart + 100))?.[0] ?? "";
    const recent = this.#open.slice(-MAX_UNCLOSED);
    const opened = recent.findLastIndex((each) => each.name === name);
    const end = this.after(">", nameStart);
    if (opened === -1) return end;
    for (const { element } of this.#open.splice(opened - recent.length))
      if (element !== null) element.end = end;
    return end;
  }

  /** Lexes the head of a block: `@if (a; as b) {`, `@let a = b;`. */
  #controlFlow(opener: string, after: number): number {
    const { text } = this;
    if (opener.endsWith("let")) {
      const equals = /^\s+[\w$]+\s*=(?!=)/.exec(text.slice(after, after + 200));
      if (equals === null) return after;
      const start = after + equals[0].length;
      return this.script(start, this.#endOf(start, ";"));
    }
    const open = skipSpace(text, after);
    return text[open] === "(" ? this.script(open + 1, this.#endOf(open + 1, ")")) : after;
  }

  /** Returns the offset of the closer outside of quotes and parentheses. */
  #endOf(from: number, closer: ")" | ";"): number {
    const head = this.text.slice(from, from + MAX_HEAD_CHARACTERS);
    const parts = /[()]|;|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
    let depth = 0;
    for (let found = parts.exec(head); found !== null; found = parts.exec(head)) {
      const [part] = found;
      if (part === closer && depth === 0) return from + found.index;
      if (part === "(") depth++;
      else if (part === ")") depth--;
    }
    return from;
  }

  /** Returns the offset of the braces that close an interpolation; those in quotes do not. */
  #interpolationEnd(from: number): number {
    const close = this.find("}}", from);
    if (this.#ignoresQuotes || close === this.text.length) return close;
    const inside = /(?:[^"'`}]|\}(?!\})|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)*/y;
    inside.lastIndex = from;
    const end = from + (inside.exec(this.text)?.[0].length ?? 0);
    if (this.text.startsWith("}}", end)) return end;
    this.#ignoresQuotes = true;
    return close;
  }

  protected override attribute(_tag: string, start: number, out: Property[]): number {
    ATTRIBUTE.lastIndex = start;
    const [written = "", name = "", double, single] = ATTRIBUTE.exec(this.text) ?? [];
    const value = double ?? single;
    const end = start + Math.max(written.length, 1);
    const isWanted = this.#isWanted(name);
    if (value === undefined) {
      if (isWanted && written === name) out.push({ name, value: null });
      return end;
    }
    const span = { start: end - 1 - value.length, end: end - 1 };
    if (/^[[(*@#]|^(?:bind|on)-/.test(name)) {
      this.script(span.start, span.end);
      if (isWanted) out.push({ name, value: span });
    } else if (value.includes("{{")) {
      const only = /^\s*\{\{([^{}]*)\}\}\s*$/.exec(value);
      this.#interpolations(span);
      const start = span.start + value.indexOf("{{") + 2;
      if (isWanted)
        out.push({ name, value: only === null ? span : { start, end: start + (only[1] ?? "").length } });
    } else if (isWanted) out.push({ name, value: this.plainValue(span.start - 1, span.end + 1) });
    return end;
  }

  #isWanted(name: string): boolean {
    const plain = name.replace(/^\*|^\[(.*)\]$/, "$1");
    const { attributes, structural } = this.#syntax;
    if (attributes.has(plain)) return true;
    if (structural.length === 0) return false;
    return (
      name.startsWith("let-") ||
      structural.some((each) => plain === each.name || prefixAttributes(each).includes(plain))
    );
  }

  #interpolations({ start, end }: Span): void {
    for (let open = this.text.indexOf("{{", start); open !== -1 && open < end;) {
      const close = Math.min(this.#interpolationEnd(open + 2), end);
      this.script(open + 2, close);
      open = this.text.indexOf("{{", close);
    }
  }

  protected override content(name: string, start: number, isEmpty: boolean): number {
    const tag = this.tags.at(-1);
    const element =
      tag?.end === start ? { tag, texts: [] as ExpressionValue[], start: tag.start, end: start } : null;
    if (element !== null) this.elements.push(element);
    if (/^(?:script|style)$/i.test(name) && !isEmpty) return this.find(`</${name}`, start);
    if (!isEmpty && !VOID.test(name)) this.#open.push({ name, element });
    return start;
  }

  /** Adds the text before a tag to the element that it is in. */
  #addText(end: number): void {
    const element = this.#open.at(-1)?.element;
    const raw = this.text.slice(this.#textStart, end);
    if (element === undefined || element === null || raw.trim() === "") return;
    const start = this.#textStart + raw.length - raw.trimStart().length;
    const span = { start, end: start + raw.trim().length };
    const isDynamic = raw.includes("{{") || /[@{}]/.test(raw);
    element.texts.push(
      isDynamic ? unknownValue(span) : exactValue(unescapeMarkup(raw.trim()), span.start, span.end),
    );
  }
}

/** Longest head of a block. UTF-16 units. */
const MAX_HEAD_CHARACTERS = 600;

/** Returns the attributes with the prefix of a structural directive: `translocoPrefix` of `prefix`. */
function prefixAttributes({
  name,
  prefixes,
}: NonNullable<ComponentTemplates["structural"]>): readonly string[] {
  return prefixes.map((prefix) => `${name}${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}`);
}

/** Returns the translator that the tag declares; `null` if it declares none. */
function declaredIn(
  source: Source,
  { attributes }: Tag,
  name: string,
  prefixes: readonly string[],
): Omit<DeclaredTranslator, keyof Span> | null {
  const valueOf = (...names: readonly string[]): Property | undefined =>
    attributes.find((attribute) => names.includes(attribute.name.replace(/^\[(.*)\]$/, "$1")));
  const short = valueOf(`*${name}`)?.value;
  if (short !== undefined && short !== null) {
    const code = source.code.slice(short.start, short.end);
    const declared = /\blet\s+([\w$]+)(?![\w$])\s*(?:=\s*\$implicit\b|(?!\s*=))/.exec(code)?.[1];
    if (declared === undefined) return null;
    if (prefixes.length === 0) return { name: declared, scope: DEFAULT_SCOPE };
    const option = new RegExp(`(?<![\\w$.'])(?:${prefixes.map(escapeRegExp).join("|")})\\b\\s*:?\\s*`).exec(
      code,
    );
    return { name: declared, scope: scopeOf(source, option && optionSpan(source, short, option)) };
  }
  const variable = attributes.find(
    (attribute) =>
      attribute.name.startsWith("let-") &&
      (attribute.value === null ||
        /^["']?(?:\$implicit)?["']?$/.test(source.text.slice(attribute.value.start, attribute.value.end))),
  );
  if (variable === undefined || valueOf(name) === undefined) return null;
  const prefix = valueOf(...prefixAttributes({ name, prefixes }));
  return { name: variable.name.slice("let-".length), scope: scopeOf(source, prefix?.value ?? null) };
}

/** Returns the value of an option in a structural directive. */
function optionSpan(source: Source, value: Span, option: RegExpExecArray): Span {
  const start = value.start + option.index + option[0].length;
  let end = start;
  while (end < value.end && !/[;,]/.test(source.code[end] ?? "")) {
    const word = wordEnd(source.code, end);
    end = word > end ? word : source.skipToken(end, value.end);
  }
  return source.trimSpan(start, end);
}

function scopeOf(source: Source, prefix: Property["value"]): TranslatorScope {
  if (prefix === null) return DEFAULT_SCOPE;
  const keyPrefix = literalText(source, prefix);
  return keyPrefix === null ? UNKNOWN_SCOPE : { ...DEFAULT_SCOPE, keyPrefix };
}
