/**
 * Finds key usages in Django and Jinja templates: `{% translate %}`, `{% blocktranslate %}`, Jinja's `{% trans %}`
 * blocks, and gettext functions in expressions. Everything outside tags is text. Plain HTML files are treated as
 * templates only in projects that use Django or Jinja.
 */
import {
  addUsages,
  DEFAULT_SCOPE,
  defaultDetails,
  sortByOffset,
  type CallDetails,
} from "./function-calls/call-usages.ts";
import { skipSpace, wordEnd } from "./lexers/characters.ts";
import { lexPython } from "./lexers/python-lexer.ts";
import { Mask } from "./lexers/masked-source.ts";
import { addExpressionUsages, pythonFunctions } from "./python-scanner.ts";
import { makeSource, skipGroup, type Source } from "./lexed-source.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "./key-usage.ts";
import type { Span } from "../util/span.ts";
import {
  exactValue,
  literalText,
  readValues,
  unknownValue,
  type ExpressionValue,
} from "./evaluate-key-expression.ts";

export const django: UsageLanguage = {
  languageIds: ["django-html", "django-txt"],
  extensions: [".djhtml", ".djtxt"],
  comments: "template",
  find: (text, options) => findInTemplate(text, options, true),
};

export const jinja: UsageLanguage = {
  languageIds: ["jinja-html", "jinja", "jinja2"],
  extensions: [".jinja2", ".jinja", ".j2"],
  comments: "template",
  find: (text, options) => findInTemplate(text, options, false),
};

export const html: UsageLanguage = {
  languageIds: ["html"],
  // Django's email bodies are templates too.
  extensions: [".html", ".htm", ".txt"],
  comments: "template",
  appliesTo: ({ frameworks }) => frameworks.has("django") || frameworks.has("jinja"),
  find: (text, options) =>
    html.appliesTo?.(options) === true ? findInTemplate(text, options, !options.frameworks.has("jinja")) : [],
};

const TRANSLATING = /\b(?:block)?trans/;

/** @param doubles whether a percent sign in a literal is doubled in its key, as in Django */
function findInTemplate(text: string, options: FindOptions, doubles: boolean): readonly KeyUsage[] {
  const functions = pythonFunctions(options);
  if (
    !(doubles ? text.includes("{") : /[{#%]/.test(text)) ||
    (!TRANSLATING.test(text) && !functions.prefilter.test(text))
  )
    return [];
  const lexed = lexTemplate(text, !doubles);
  const source = makeSource(lexed.mask.done(), "python");
  const usages: KeyUsage[] = [];
  addExpressionUsages(source, functions, usages);
  const found = doubles ? usages.map(escapePercentInKey) : usages;
  for (let index = 0; index < lexed.tags.length; index++) {
    const tag = lexed.tags[index];
    if (tag === undefined || !/^(?:trans|translate|blocktrans|blocktranslate)$/.test(tag.name)) continue;
    const end = /^block|^trans$/.test(tag.name) ? closingTag(lexed.tags, index) : -1;
    if (end !== -1) addBlock(source, text, lexed.tags.slice(index, end + 1), found);
    else if (!tag.name.startsWith("block") && tag.isLine !== true) addTag(source, tag, found);
  }
  return sortByOffset(found);
}

/** One `{% … %}` tag: its full range, and the range after its name. */
interface Tag {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
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

/** Masks everything but the template's expressions and collects its tags. */
function lexTemplate(text: string, isJinja: boolean): { readonly mask: Mask; readonly tags: readonly Tag[] } {
  const mask = new Mask(text);
  const tags: Tag[] = [];
  const openers = new RegExp(isJinja && LINES.test(text) ? JINJA_OPENERS : OPENERS);
  // Remembers closers that do not occur again, so that the lexer stays linear.
  const missing = new Set<string>();
  const find = (closer: string, from: number): number => {
    const offset = missing.has(closer) ? -1 : text.indexOf(closer, from);
    if (offset === -1) missing.add(closer);
    return offset;
  };
  let done = 0;
  const addExpression = (start: number, end: number): void => {
    mask.separate(done, start);
    lexPython(text, start, end, mask, false);
    done = end;
  };
  const addTag = (tag: Tag): void => {
    addExpression(tag.bodyStart, tag.bodyEnd);
    tags.push(tag);
  };
  for (let found = openers.exec(text); found !== null; found = openers.exec(text)) {
    const { index: start, 0: opener, 1: statement, 2: rest = "" } = found;
    if (statement !== undefined) {
      const bodyStart = text.indexOf(statement, start) + statement.length;
      const bodyEnd = bodyStart + rest.trimEnd().replace(/:$/, "").length;
      addTag({ name: statement, start, end: openers.lastIndex, bodyStart, bodyEnd, isLine: true });
      continue;
    }
    const close = find(opener === "{{" ? "}}" : opener === "{%" ? "%}" : "#}", start + 2);
    if (close === -1) continue;
    const end = close + 2;
    openers.lastIndex = end;
    if (opener === "{{") addExpression(start + 2, close);
    if (opener !== "{%") continue;
    const nameStart = skipSpace(text, /[-+]/.test(text.charAt(start + 2)) ? start + 3 : start + 2, close);
    const bodyStart = Math.min(wordEnd(text, nameStart), close);
    const name = text.slice(nameStart, bodyStart);
    const ending = VERBATIM_TAGS.get(name);
    if (ending !== undefined) openers.lastIndex = afterTag(text, ending, end);
    else {
      const bodyEnd = Math.max(bodyStart, /[-+]/.test(text.charAt(close - 1)) ? close - 1 : close);
      addTag({ name, start, end, bodyStart, bodyEnd });
    }
  }
  mask.separate(done, text.length);
  return { mask, tags };
}

/** Returns the offset after the next `{% name … %}`, or the length of the text if there is none. */
function afterTag(text: string, name: string, from: number): number {
  const ending = new RegExp(`\\{%[-+]?\\s*${name}\\b`, "g");
  ending.lastIndex = from;
  const found = ending.exec(text);
  const close = found === null ? -1 : text.indexOf("%}", found.index);
  return close === -1 ? text.length : close + 2;
}

/** Returns the index of the tag that closes the block opened at `index`, or -1 if it opens no block. */
function closingTag(tags: readonly Tag[], index: number): number {
  const name = tags[index]?.name ?? "";
  for (let at = index + 1; at < Math.min(tags.length, index + 3); at++) {
    const other = tags[at]?.name ?? "";
    if (other === `end${name}`) return at;
    // The only other tag allowed in such a block is the one that starts its plural part.
    if (other !== "plural" && other !== "pluralize") return -1;
  }
  return -1;
}

/** `{% translate "…" context "…" as x %}`. */
function addTag(source: Source, tag: Tag, out: KeyUsage[]): void {
  const start = skipSpace(source.text, tag.bodyStart, tag.bodyEnd);
  if (start >= tag.bodyEnd) return;
  // A gettext function call, which is found with the expressions.
  if (/^_\s*\(/.test(source.code.slice(start, start + 20))) return;
  const sign = source.code[start];
  const isLiteral = sign === '"' || sign === "'";
  const end = isLiteral ? skipGroup(source, start, tag.bodyEnd) : wordEnd(source.code, start);
  const facts = defaultDetails(DEFAULT_SCOPE, tag.name, tag);
  readContext(source, { start: end, end: tag.bodyEnd }, facts);
  const values: readonly ExpressionValue[] = isLiteral
    ? readValues(source, start, end).map(escapePercent)
    : [unknownValue(start, Math.max(end, start + 1))];
  addUsages(values, facts, out);
}

/** Adds the usage of a block whose text is the key, from its opening to its closing tag. */
function addBlock(source: Source, text: string, tags: readonly Tag[], out: KeyUsage[]): void {
  const [first, second] = tags;
  const last = tags.at(-1);
  if (first === undefined || second === undefined || last === undefined) return;
  const { bodyStart, bodyEnd } = first;
  const facts = defaultDetails(DEFAULT_SCOPE, first.name, { start: first.start, end: last.end });
  const isJinja = !first.name.startsWith("block");
  if (isJinja) {
    // Jinja's context is a literal directly after the name.
    const start = skipSpace(source.text, bodyStart, bodyEnd);
    const context = literalText(source, { start, end: skipGroup(source, start, bodyEnd) });
    facts.contexts = [context];
  }
  readContext(source, { start: bodyStart, end: bodyEnd }, facts);
  facts.plural = second !== last;
  const isTrimmed = /(?:^|\s)trimmed(?:\s|,|$)/.test(source.code.slice(bodyStart, bodyEnd));
  const inner = text.slice(first.end, second.start);
  const key = blockText(inner, isTrimmed, isJinja);
  // Trimmed whitespace is not part of the key.
  const trims = isTrimmed && key !== "";
  const start = first.end + (trims ? inner.length - inner.trimStart().length : 0);
  const end = second.start - (trims ? inner.length - inner.trimEnd().length : 0);
  addUsages([exactValue(key, start, end)], facts, out);
}

/** Returns the key for a block's text: `{{ name }}` becomes `%(name)s`, and `%` becomes `%%`. */
function blockText(block: string, isTrimmed: boolean, isJinja: boolean): string {
  const written = isTrimmed ? block.trim().replaceAll(/\s*\n\s*/g, " ") : block;
  const values = /\{\{([\s\S]*?)\}\}|%/g;
  // Jinja does not double percent signs in a block without variables.
  const signs = isJinja && !written.includes("{{") ? "%" : "%%";
  return written.replaceAll(values, (_, value?: string) =>
    value === undefined ? signs : `%(${value.replace(/^[-+]|[-+]$/g, "").trim()})s`,
  );
}

/** Reads `context "…"` from a tag's arguments. */
function readContext(source: Source, { start, end }: Span, facts: CallDetails): void {
  const found = /(?:^|\s)context\s+(?=\S)/.exec(source.code.slice(start, end));
  if (found === null) return;
  const from = start + found.index + found[0].length;
  const to = skipGroup(source, from, end);
  const context = to === from ? null : literalText(source, { start: from, end: to });
  if (context === null) facts.dynamicContext = true;
  else facts.contexts = [context];
}

function escapePercent(value: ExpressionValue): ExpressionValue {
  return {
    ...value,
    prefix: value.prefix.replaceAll("%", "%%"),
    suffix: value.suffix.replaceAll("%", "%%"),
  };
}

function escapePercentInKey(usage: KeyUsage): KeyUsage {
  const { expression } = usage;
  return expression.kind === "static" && expression.key.includes("%")
    ? { ...usage, expression: { kind: "static", key: expression.key.replaceAll("%", "%%") } }
    : usage;
}
