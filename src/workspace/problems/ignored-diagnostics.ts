/**
 * Diagnostics that the project file (`diagnostics.ignore`) or a comment in the code suppresses. Also inserts the
 * comment for one key usage, in the syntax of the language around it, but never where it would become text or change
 * which keys are found.
 */
import { fileNewline } from "../../formats/text/lines-and-indentation.ts";
import { cachedByObject } from "../../util/maps.ts";
import { pythonSource } from "../../scanners/source-reader.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "../../scanners/key-usage.ts";
import { keyPatternMatcher } from "../../model/key-hash.ts";
import type { IgnoreRule } from "../project-file/project-file.ts";
import { pathMatcher } from "../file-system/globs.ts";

/** Text to insert at an offset. */
interface CommentInsertion {
  readonly offset: number;
  readonly text: string;
}

/** Returns the comment for a usage, or `null` if none can be inserted. */
export function ignoreCommentFor(
  text: string,
  usage: KeyUsage,
  language: UsageLanguage,
  options: FindOptions,
): CommentInsertion | null {
  const before = namesOf(language.find(text, options));
  const found = insertionsFor(text, usage, language.comments).find((insertion) => {
    if (insertion === null) return false;
    const commented = insert(text, insertion);
    const isIgnored = [usage.keySpan.start, usage.callSpan.start].some((start) =>
      isOnIgnoredLine(commented, start < insertion.offset ? start : start + insertion.text.length),
    );
    return isIgnored && namesOf(language.find(commented, options)) === before;
  });
  return found ?? null;
}

function insert(text: string, { offset, text: inserted }: CommentInsertion): string {
  return text.slice(0, offset) + inserted + text.slice(offset);
}

/** Returns what the usages say of keys, without where: a comment must not change it. */
function namesOf(usages: readonly KeyUsage[]): string {
  return JSON.stringify(
    usages.map(({ expression, namespaces, keyPrefix }) => [expression, namespaces, keyPrefix]),
  );
}

/** Returns the insertions to try, the nearest to the key first. */
function insertionsFor(
  text: string,
  usage: KeyUsage,
  comments: UsageLanguage["comments"],
): readonly (CommentInsertion | null)[] {
  if (usage.isInHtml === true) return [beforeHtml(text, usage)];
  switch (comments) {
    case "block":
      return [inExpression(text, usage), inTag(text, usage)];
    case "markup": {
      const isScript = isInScript(text, usage.callSpan.start);
      return [inExpression(text, usage), isScript ? inTag(text, usage) : beforeTag(text, usage)];
    }
    case "template":
      return [beforeOpener(text, usage)];
    case "line":
      return [onLineAbove(text, usage)];
    case undefined:
      return [];
  }
}

/** `t(/* … *\/ "key")`: before a literal that starts an expression, and before a constant as an argument. */
function inExpression(text: string, { keySpan, callSpan }: KeyUsage): CommentInsertion | null {
  const isQuoted = /["'`]/.test(text[keySpan.start - 1] ?? "");
  const offset = isQuoted ? keySpan.start - 1 : keySpan.start;
  const before = text.slice(callSpan.start, offset).trimEnd().slice(-1);
  const fits = isQuoted ? /[(,:?[{|&+.]/ : /[(,]/;
  return fits.test(before) ? { offset, text: `/* ${IGNORE_MARKER} */ ` } : null;
}

/** `<Trans /* … *\/ i18nKey="key">` of JSX. */
function inTag(text: string, { callSpan }: KeyUsage): CommentInsertion | null {
  const name = /^<[A-Za-z][\w.]*(?=[\s/>])/.exec(text.slice(callSpan.start, callSpan.start + 200));
  return name && { offset: callSpan.start + name[0].length, text: ` /* ${IGNORE_MARKER} */` };
}

/** `<!-- … --><i18n-t keypath="key">`; tags of Pug do not start so. */
function beforeTag(text: string, { callSpan: { start } }: KeyUsage): CommentInsertion | null {
  return text[start] === "<" ? { offset: start, text: `<!-- ${IGNORE_MARKER} -->` } : null;
}

/** `<!-- … --><p title="key">`, `<!-- … -->{{ 'key' }}`: before the tag around the key, or the braces. */
function beforeHtml(text: string, { callSpan: { start } }: KeyUsage): CommentInsertion | null {
  const tag = text.lastIndexOf("<", start);
  const isInTag = /^<[A-Za-z]/.test(text.slice(tag, tag + 2)) && !isTagClosed(text.slice(tag, start));
  const offset = isInTag ? tag : text.lastIndexOf("{{", start);
  return offset === -1 ? null : { offset, text: `<!-- ${IGNORE_MARKER} -->` };
}

/** Whether the tag ends within its text; `>` in quotes does not end it. */
function isTagClosed(tag: string): boolean {
  return tag.replaceAll(/"[^"]*"|'[^']*'/g, "").includes(">");
}

function isInScript(text: string, offset: number): boolean {
  const script = /<(\/?)script\b[^>]{0,1000}>/gi;
  let isIn = false;
  for (let found = script.exec(text); found !== null && found.index < offset; found = script.exec(text)) {
    isIn = found[1] === "";
  }
  // Astro's own script is between two `---` lines.
  return isIn || (/^\s*---/.test(text) && text.indexOf("\n---", 4) > offset);
}

/** `{# … #}{{ 'key'|trans }}`: before the braces around the key. */
function beforeOpener(text: string, { callSpan }: KeyUsage): CommentInsertion | null {
  const from = text.lastIndexOf("\n", callSpan.start) + 1;
  let offset = -1;
  for (const found of text.slice(from, callSpan.start + 2).matchAll(/\{[{%]/g)) offset = from + found.index;
  if (offset === -1) return null;
  // A whitespace control sign must be repeated in the comment.
  const sign = /[-~]/.exec(text[offset + 2] ?? "")?.[0] ?? "";
  return { offset, text: `{#${sign} ${IGNORE_MARKER} #}` };
}

/** A comment on its own line above the call, with the same indentation. */
function onLineAbove(text: string, { callSpan }: KeyUsage): CommentInsertion | null {
  const offset = text.lastIndexOf("\n", callSpan.start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(offset, callSpan.start))?.[0] ?? "";
  const above = text.slice(0, offset);
  if (/\\\r?\n$/.test(above)) return null;
  const insertion = { offset, text: `${indent}# ${NEXT_LINE_MARKER}${fileNewline(text)}` };
  // Inside a multi-line string it would not be a comment.
  const { text: withoutComments } = pythonSource(insert(text, insertion));
  const isComment = withoutComments.slice(offset, offset + insertion.text.length).trim() === "";
  return isComment ? insertion : null;
}

/** In a comment: suppresses diagnostics of the keys on this line. */
const IGNORE_MARKER = "project-translations-ignore";
/** In a comment: suppresses diagnostics of the keys on the next line. */
const NEXT_LINE_MARKER = `${IGNORE_MARKER}-next-line`;

/** The properties of a diagnostic that rules match. */
interface IgnorableProblem {
  readonly code: string;
  /** Relative to the project root. */
  readonly path: string;
  /** The key's names as written in code and by users. */
  readonly names: readonly string[];
}

type RuleMatcher = (problem: IgnorableProblem) => boolean;

const compiledRules = cachedByObject((rules: readonly IgnoreRule[]) => rules.map(compileRule));

/** Whether a rule matches the problem. Rules are compiled once per list. */
export function isIgnored(rules: readonly IgnoreRule[] | undefined, problem: IgnorableProblem): boolean {
  if (rules === undefined || rules.length === 0) return false;
  return compiledRules(rules).some((rule) => rule(problem));
}

/** Every field of a rule must match. */
function compileRule({ key, path, code }: IgnoreRule): RuleMatcher {
  const isKey = key === undefined ? null : keyPatternMatcher(key);
  const isPath = path === undefined ? null : pathMatcher([path]);
  return (problem) =>
    (code === undefined || code === problem.code) &&
    (isKey === null || problem.names.some(isKey)) &&
    (isPath === null || isPath(problem.path));
}

/** Whether the offset's line has an ignore comment, or the line above one for the next line. */
export function isOnIgnoredLine(text: string, offset: number): boolean {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const line = text.slice(start, end === -1 ? text.length : end);
  // The marker for the next line contains the other one.
  if (line.replaceAll(NEXT_LINE_MARKER, "").includes(IGNORE_MARKER)) return true;
  const above = text.slice(text.lastIndexOf("\n", start - 2) + 1, start);
  return above.includes(NEXT_LINE_MARKER);
}
