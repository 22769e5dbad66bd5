/**
 * Finds key usages in Django and Jinja templates: `{% translate %}`, `{% blocktranslate %}`, Jinja's `{% trans %}`
 * blocks, and gettext functions in expressions. Everything outside tags is text.
 */
import type { Span } from "../util/span.ts";
import {
  exactValue,
  literalText,
  readValues,
  unknownValue,
  type ExpressionValue,
} from "./evaluate-key-expression.ts";
import { addUsages, DEFAULT_SCOPE, defaultDetails, type CallDetails } from "./function-calls/call-usages.ts";
import { templateLanguageIds } from "./function-calls/function-signatures.ts";
import { sortByOffset, type FindOptions, type KeyUsage, type UsageLanguage } from "./key-usage.ts";
import type { Source } from "./source-reader.ts";
import { skipSpace, wordEnd } from "./lexers/characters.ts";
import { EmbeddedCodeLexer } from "./lexers/embedded-code.ts";
import { lexPython } from "./lexers/python-lexer.ts";
import { addExpressionUsages, pythonFunctions } from "./python-scanner.ts";

export const django: UsageLanguage = {
  languageIds: templateLanguageIds("django-html"),
  extensions: [".djhtml", ".djtxt"],
  comments: "template",
  find: (text, options) => findInTemplate(text, options, false),
};

export const jinja: UsageLanguage = {
  languageIds: templateLanguageIds("jinja-html"),
  extensions: [".jinja2", ".jinja", ".j2"],
  comments: "template",
  find: (text, options) => findInTemplate(text, options, true),
};

const TRANSLATING = /\b(?:block)?trans/;

/** Returns the key usages in a template by offset. */
export function findInTemplate(text: string, options: FindOptions, isJinja: boolean): readonly KeyUsage[] {
  const functions = pythonFunctions(options);
  if (!(isJinja ? /[{#%]/ : /\{/).test(text)) return [];
  if (!TRANSLATING.test(text) && !functions.prefilter.test(text)) return [];
  const lexer = new TemplateLexer(text, isJinja);
  const source = lexer.run();
  const { tags } = lexer;
  const calls: KeyUsage[] = [];
  addExpressionUsages(source, functions, calls);
  const usages = isJinja ? calls : calls.map(doublePercentInKey);
  for (const [index, tag] of tags.entries()) {
    if (!/^(?:trans|translate|blocktrans|blocktranslate)$/.test(tag.name)) continue;
    const end = /^block|^trans$/.test(tag.name) ? closingTag(tags, index) : -1;
    if (end !== -1) addBlock(source, text, tags.slice(index, end + 1), usages);
    else if (!tag.name.startsWith("block") && tag.isLine !== true) addTag(source, tag, usages);
  }
  return sortByOffset(usages);
}

/** One `{% … %}` tag: its full range, and the range after its name. */
interface Tag extends Span {
  readonly name: string;
  readonly body: Span;
  /** A Jinja line statement (`# trans`). Since it may be plain text, it only counts if its end statement exists. */
  readonly isLine?: true;
}

const OPENERS = /\{(?:\{|%|#)/g;
/** `OPENERS` plus Jinja's line statements, whose prefix is configured in the application. */
const JINJA_OPENERS = /\{(?:\{|%|#)|^[ \t]*(?:#|%|%%)[ \t]*(trans|pluralize|endtrans)\b([^\n]*)(?:\n|$)/gm;
const LINES = /^[ \t]*(?:#|%|%%)[ \t]*trans\b/m;
const VERBATIM_TAGS = new Map([
  ["comment", "endcomment"],
  ["verbatim", "endverbatim"],
  ["raw", "endraw"],
]);

class TemplateLexer extends EmbeddedCodeLexer {
  readonly tags: Tag[] = [];
  readonly #isJinja: boolean;

  constructor(text: string, isJinja: boolean) {
    super(text, "python");
    this.#isJinja = isJinja;
  }

  protected override openers(): RegExp {
    return new RegExp(this.#isJinja && LINES.test(this.text) ? JINJA_OPENERS : OPENERS);
  }

  protected override open({ index: start, 0: opener, 1: statement, 2: rest }: RegExpExecArray): number {
    const { text } = this;
    if (statement !== undefined) {
      const bodyStart = text.indexOf(statement, start) + statement.length;
      const bodyEnd = bodyStart + (rest ?? "").trimEnd().length;
      const end = start + opener.length;
      this.#addTag({ name: statement, start, end, body: { start: bodyStart, end: bodyEnd }, isLine: true });
      return end;
    }
    const close = this.find(opener === "{{" ? "}}" : opener === "{%" ? "%}" : "#}", start + 2);
    if (close === text.length) return start + 2;
    const end = close + 2;
    if (opener === "{{") this.#expression({ start: start + 2, end: close });
    if (opener !== "{%") return end;
    const nameStart = skipSpace(text, /[-+]/.test(text.charAt(start + 2)) ? start + 3 : start + 2, close);
    const nameEnd = Math.min(wordEnd(text, nameStart), close);
    const name = text.slice(nameStart, nameEnd);
    const endTag = VERBATIM_TAGS.get(name);
    if (endTag !== undefined) return afterTag(text, endTag, end);
    const bodyEnd = Math.max(nameEnd, /[-+]/.test(text.charAt(close - 1)) ? close - 1 : close);
    this.#addTag({ name, start, end, body: { start: nameEnd, end: bodyEnd } });
    return end;
  }

  #addTag(tag: Tag): void {
    this.#expression(tag.body);
    this.tags.push(tag);
  }

  #expression({ start, end }: Span): void {
    this.embed(start, () => {
      lexPython(this.text, start, end, this.mask, false);
      return end;
    });
  }
}

/** Returns the offset after the next `{% name … %}`, or the length of the text if there is none. */
function afterTag(text: string, name: string, from: number): number {
  const tag = new RegExp(`\\{%[-+]?\\s*${name}\\b`, "g");
  tag.lastIndex = from;
  const found = tag.exec(text);
  const close = found === null ? -1 : text.indexOf("%}", found.index);
  return close === -1 ? text.length : close + 2;
}

/** Returns the index of the tag that closes the block opened at `index`, or -1 if it opens no block. */
function closingTag(tags: readonly Tag[], index: number): number {
  const name = tags[index]?.name ?? "";
  for (let next = index + 1; next < Math.min(tags.length, index + 3); next++) {
    const other = tags[next]?.name ?? "";
    if (other === `end${name}`) return next;
    // The only other tag allowed in such a block is the one that starts its plural part.
    if (other !== "plural" && other !== "pluralize") return -1;
  }
  return -1;
}

/** Adds the key of `{% translate "…" context "…" as x %}`. */
function addTag(source: Source, tag: Tag, out: KeyUsage[]): void {
  const { body } = tag;
  const start = skipSpace(source.text, body.start, body.end);
  if (start >= body.end) return;
  // A gettext function call, which is found with the expressions.
  if (/^_\s*\(/.test(source.code.slice(start, start + 20))) return;
  const isLiteral = /["']/.test(source.code[start] ?? "");
  const end = isLiteral ? source.skipGroup(start, body.end) : wordEnd(source.code, start);
  const details = defaultDetails(DEFAULT_SCOPE, tag.name, tag);
  readContext(source, { start: end, end: body.end }, details);
  const values = isLiteral
    ? readValues(source, { start, end }).map(doublePercent)
    : [unknownValue({ start, end: Math.max(end, start + 1) })];
  addUsages(values, details, out);
}

/** Adds the usage of a block whose text is the key, from its opening to its closing tag. */
function addBlock(source: Source, text: string, tags: readonly Tag[], out: KeyUsage[]): void {
  const [first, second] = tags;
  const last = tags.at(-1);
  if (first === undefined || second === undefined || last === undefined) return;
  const { body } = first;
  const details = defaultDetails(DEFAULT_SCOPE, first.name, { start: first.start, end: last.end });
  const isJinja = !first.name.startsWith("block");
  if (isJinja) {
    // Jinja's context is a literal directly after the name.
    const start = skipSpace(source.text, body.start, body.end);
    details.contexts = [literalText(source, { start, end: source.skipGroup(start, body.end) })];
  }
  readContext(source, body, details);
  details.plural = second !== last;
  const isTrimmed = /(?:^|\s)trimmed(?:\s|,|$)/.test(source.code.slice(body.start, body.end));
  const content = text.slice(first.end, second.start);
  const key = blockText(content, isTrimmed, isJinja);
  if (key === "") return;
  // Trimmed whitespace is not part of the key.
  const start = first.end + (isTrimmed ? content.length - content.trimStart().length : 0);
  const end = second.start - (isTrimmed ? content.length - content.trimEnd().length : 0);
  addUsages([exactValue(key, start, end)], details, out);
}

/** Returns the key for a block's text: `{{ name }}` becomes `%(name)s`, and `%` becomes `%%`. */
function blockText(content: string, isTrimmed: boolean, isJinja: boolean): string {
  const text = isTrimmed ? content.trim().replaceAll(/\s*\n\s*/g, " ") : content;
  // Jinja does not double percent signs in a block without variables.
  const percent = isJinja && !text.includes("{{") ? "%" : "%%";
  return text.replaceAll(/\{\{([\s\S]*?)\}\}|%/g, (_, value?: string) =>
    value === undefined ? percent : `%(${value.replace(/^[-+]|[-+]$/g, "").trim()})s`,
  );
}

/** Reads `context "…"` from a tag's arguments. */
function readContext(source: Source, { start, end }: Span, details: CallDetails): void {
  const found = /(?:^|\s)context\s+(?=\S)/.exec(source.code.slice(start, end));
  if (found === null) return;
  const contextStart = start + found.index + found[0].length;
  const span = { start: contextStart, end: source.skipGroup(contextStart, end) };
  const context = span.start === span.end ? null : literalText(source, span);
  if (context === null) details.dynamicContext = true;
  else details.contexts = [context];
}

/** Django doubles the percent signs of a literal in its key. */
function doublePercent(literal: ExpressionValue): ExpressionValue {
  return { ...literal, prefix: literal.prefix.replaceAll("%", "%%") };
}

function doublePercentInKey(usage: KeyUsage): KeyUsage {
  const { expression } = usage;
  return expression.kind === "static"
    ? { ...usage, expression: { kind: "static", key: expression.key.replaceAll("%", "%%") } }
    : usage;
}
