/**
 * Uses of keys in templates of Django and Jinja: `{% translate %}`, `{% blocktranslate %}`, Jinja's `{% trans %}` blocks,
 * and gettext's functions in expressions. What stands outside of tags is text. A plain HTML file is such a template
 * only where the project has Django or Jinja.
 */
import { addUses, DEFAULT_SCOPE, plainFacts } from "./functions/call-usages.ts";
import { skipSpace, wordEnd } from "./lexers/characters.ts";
import { inOrder } from "./javascript.ts";
import { lexPython } from "./lexers/python-lexer.ts";
import { Mask } from "./lexers/masked-source.ts";
import { addExpressionUses, pythonFunctions } from "./functions/python-usages.ts";
import { makeSource, skipGroup, type Source } from "./source.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "./usage.ts";
import { literalText, readValues } from "./javascript/expression-values.ts";
import type { Value } from "./javascript/value.ts";

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
  // Django's texts of mails are templates too.
  extensions: [".html", ".htm", ".txt"],
  comments: "template",
  holds: ({ frameworks }) => frameworks.has("django") || frameworks.has("jinja"),
  find: (text, options) =>
    html.holds?.(options) === true ? findInTemplate(text, options, !options.frameworks.has("jinja")) : [],
};

const TRANSLATING = /\b(?:block)?trans/;

/** `doubles`: a per cent sign of a literal is two in its key, as Django has it. */
function findInTemplate(text: string, options: FindOptions, doubles: boolean): readonly KeyUsage[] {
  const functions = pythonFunctions(options);
  if (
    !(doubles ? text.includes("{") : /[{#%]/.test(text)) ||
    (!TRANSLATING.test(text) && !functions.prefilter.test(text))
  )
    return [];
  const lexed = lexTemplate(text, !doubles);
  const source = makeSource(lexed.mask.done(), "python");
  const uses: KeyUsage[] = [];
  addExpressionUses(source, functions, uses);
  const found = doubles ? uses.map(withDoubled) : uses;
  for (let index = 0; index < lexed.tags.length; index++) {
    const tag = lexed.tags[index];
    if (tag === undefined || !/^(?:trans|translate|blocktrans|blocktranslate)$/.test(tag.name)) continue;
    const end = /^block|^trans$/.test(tag.name) ? closingTag(lexed.tags, index) : -1;
    if (end !== -1) addBlock(source, text, lexed.tags.slice(index, end + 1), found);
    else if (!tag.name.startsWith("block") && tag.isLine !== true) addTag(source, tag, found);
  }
  return inOrder(found);
}

/** One `{% … %}`: the whole, and what stands after its name. */
interface Tag {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** A line of its own (`# trans`), which may as well be text: it counts with its end only. */
  readonly isLine?: true;
}

const OPENERS = /\{(?:\{|%|#)/g;
/** The same, and Jinja's statements that are lines of their own; which sign begins one is the program's to say. */
const JINJA_OPENERS = /\{(?:\{|%|#)|^[ \t]*(?:#|%|%%)[ \t]*(trans|pluralize|endtrans)\b([^\n]*)(?:\n|$)/gm;
const LINES = /^[ \t]*(?:#|%|%%)[ \t]*trans\b/m;
const SKIPPED = new Map([
  ["comment", "endcomment"],
  ["verbatim", "endverbatim"],
  ["raw", "endraw"],
]);

/** The template's expressions as code; all else is blank. */
function lexTemplate(text: string, isJinja: boolean): { readonly mask: Mask; readonly tags: readonly Tag[] } {
  const mask = new Mask(text);
  const tags: Tag[] = [];
  const openers = new RegExp(isJinja && LINES.test(text) ? JINJA_OPENERS : OPENERS);
  // A closer that is not there before the end is not looked for again.
  const missing = new Set<string>();
  const find = (closer: string, from: number): number => {
    const place = missing.has(closer) ? -1 : text.indexOf(closer, from);
    if (place === -1) missing.add(closer);
    return place;
  };
  let done = 0;
  const expression = (start: number, end: number): void => {
    mask.separate(done, start);
    lexPython(text, start, end, mask, false);
    done = end;
  };
  for (let found = openers.exec(text); found !== null; found = openers.exec(text)) {
    const start = found.index;
    if (found[1] !== undefined) {
      const bodyStart = text.indexOf(found[1], start) + found[1].length;
      const bodyEnd = bodyStart + (found[2] ?? "").trimEnd().replace(/:$/, "").length;
      expression(bodyStart, bodyEnd);
      tags.push({ name: found[1], start, end: openers.lastIndex, bodyStart, bodyEnd, isLine: true });
      continue;
    }
    const closer = found[0] === "{{" ? "}}" : found[0] === "{%" ? "%}" : "#}";
    const close = find(closer, start + 2);
    if (close === -1) continue;
    openers.lastIndex = close + 2;
    if (found[0] === "{#") continue;
    if (found[0] === "{{") {
      expression(start + 2, close);
      continue;
    }
    const nameStart = skipSpace(text, /[-+]/.test(text[start + 2] ?? "") ? start + 3 : start + 2, close);
    const nameEnd = Math.min(wordEnd(text, nameStart), close);
    const bodyEnd = /[-+]/.test(text[close - 1] ?? "") ? close - 1 : close;
    const name = text.slice(nameStart, nameEnd);
    const ending = SKIPPED.get(name);
    if (ending !== undefined) {
      openers.lastIndex = afterTag(text, ending, close + 2);
      continue;
    }
    expression(nameEnd, Math.max(nameEnd, bodyEnd));
    tags.push({ name, start, end: close + 2, bodyStart: nameEnd, bodyEnd: Math.max(nameEnd, bodyEnd) });
  }
  mask.separate(done, text.length);
  return { mask, tags };
}

/** The place after `{% name … %}`; the text's end when there is none. */
function afterTag(text: string, name: string, from: number): number {
  const ending = new RegExp(`\\{%[-+]?\\s*${name}\\b`, "g");
  ending.lastIndex = from;
  const found = ending.exec(text);
  const close = found === null ? -1 : text.indexOf("%}", found.index);
  return close === -1 ? text.length : close + 2;
}

/** The index of the tag that ends the block of the one at `index`; -1 when it has no block. */
function closingTag(tags: readonly Tag[], index: number): number {
  const name = tags[index]?.name ?? "";
  for (let at = index + 1; at < Math.min(tags.length, index + 3); at++) {
    const other = tags[at]?.name ?? "";
    if (other === `end${name}`) return at;
    // Nothing but the plural's part may stand in such a block.
    if (other !== "plural" && other !== "pluralize") return -1;
  }
  return -1;
}

/** `{% translate "…" context "…" as x %}`. */
function addTag(source: Source, tag: Tag, out: KeyUsage[]): void {
  const start = skipSpace(source.text, tag.bodyStart, tag.bodyEnd);
  if (start >= tag.bodyEnd) return;
  // Said by the function; found with the expressions.
  if (/^_\s*\(/.test(source.code.slice(start, start + 20))) return;
  const sign = source.code[start];
  const isLiteral = sign === '"' || sign === "'";
  const end = isLiteral ? skipGroup(source, start, tag.bodyEnd) : wordEnd(source.code, start);
  const facts = plainFacts(DEFAULT_SCOPE);
  readContext(source, { start: end, end: tag.bodyEnd }, facts);
  const values: readonly Value[] = isLiteral
    ? readValues(source, start, end).map(doubled)
    : [{ exact: false, prefix: "", suffix: "", start, end: Math.max(end, start + 1) }];
  addUses(values, facts, tag.name, { start: tag.start, end: tag.end }, out);
}

/** A block whose text is the key: from its first tag to its last. */
function addBlock(source: Source, text: string, tags: readonly Tag[], out: KeyUsage[]): void {
  const [first, second] = tags;
  const last = tags.at(-1);
  if (first === undefined || second === undefined || last === undefined) return;
  const facts = plainFacts(DEFAULT_SCOPE);
  readContext(source, { start: first.bodyStart, end: first.bodyEnd }, facts);
  facts.plural = second !== last;
  const isJinja = !first.name.startsWith("block");
  const options = source.code.slice(first.bodyStart, first.bodyEnd);
  const isTrimmed = /(?:^|\s)trimmed(?:\s|,|$)/.test(options);
  const key = blockText(text.slice(first.end, second.start), isTrimmed, isJinja);
  if (isJinja && facts.contexts[0] === null) {
    // Jinja's context is a literal right after the name.
    const start = skipSpace(source.text, first.bodyStart, first.bodyEnd);
    const end = skipGroup(source, start, first.bodyEnd);
    const context = end > start ? literalText(source, { start, end }) : null;
    if (context !== null) facts.contexts = [context];
  }
  const written = { start: first.end, end: second.start };
  // What is trimmed is no part of the key.
  const inner = text.slice(written.start, written.end);
  if (isTrimmed && key !== "") {
    written.start += inner.length - inner.trimStart().length;
    written.end -= inner.length - inner.trimEnd().length;
  }
  const value = { exact: true, prefix: key, suffix: "", ...written };
  addUses([value], facts, first.name, { start: first.start, end: last.end }, out);
}

/** The text of a block as its key has it: `{{ name }}` is `%(name)s`, `%` is `%%`. */
function blockText(block: string, isTrimmed: boolean, isJinja: boolean): string {
  const written = isTrimmed ? block.trim().replaceAll(/\s*\n\s*/g, " ") : block;
  const values = /\{\{([\s\S]*?)\}\}/g;
  // Jinja leaves the sign alone where there is nothing to put in.
  const signs = isJinja && !written.includes("{{") ? "%" : "%%";
  let key = "";
  let at = 0;
  for (const found of written.matchAll(values)) {
    key += written.slice(at, found.index).replaceAll("%", signs);
    key += `%(${(found[1] ?? "").replace(/^[-+]|[-+]$/g, "").trim()})s`;
    at = found.index + found[0].length;
  }
  return key + written.slice(at).replaceAll("%", signs);
}

/** `context "…"` among a tag's words. */
function readContext(
  source: Source,
  { start, end }: { readonly start: number; readonly end: number },
  facts: ReturnType<typeof plainFacts>,
): void {
  const found = /(?:^|\s)context\s+(?=\S)/.exec(source.code.slice(start, end));
  if (found === null) return;
  const from = start + found.index + found[0].length;
  const to = skipGroup(source, from, end);
  const context = to === from ? null : literalText(source, { start: from, end: to });
  if (context === null) facts.dynamicContext = true;
  else facts.contexts = [context];
}

function doubled(value: Value): Value {
  return {
    ...value,
    prefix: value.prefix.replaceAll("%", "%%"),
    suffix: value.suffix.replaceAll("%", "%%"),
  };
}

function withDoubled(use: KeyUsage): KeyUsage {
  const { used } = use;
  return used.kind === "static" && used.key.includes("%")
    ? { ...use, used: { kind: "static", key: used.key.replaceAll("%", "%%") } }
    : use;
}
