/**
 * Where the mark that ignores one use of a key can be written, as a comment of the language that the key stands in. No
 * comment is offered where it would be text, or where another key would be read.
 */
import { IGNORE_MARK, isMarked, NEXT_LINE_MARK } from "./ignored-diagnostics.ts";
import { lexPython } from "../../scanners/lexers/python-lexer.ts";
import { Mask } from "../../scanners/lexers/masked-source.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "../../scanners/usage.ts";

/** What to put in, and before which offset. */
export interface MarkInsert {
  readonly at: number;
  readonly text: string;
}

/** The comment for the use, or `null` where none can be written. */
export function markFor(
  text: string,
  use: KeyUsage,
  language: UsageLanguage,
  options: FindOptions,
): MarkInsert | null {
  const before = namesIn(language.find(text, options));
  for (const insert of insertsFor(text, use, language.comments)) {
    if (insert === null) continue;
    const marked = text.slice(0, insert.at) + insert.text + text.slice(insert.at);
    const moved = (offset: number): number => (offset < insert.at ? offset : offset + insert.text.length);
    const holds = isMarked(marked, moved(use.keySpan.start)) || isMarked(marked, moved(use.callSpan.start));
    if (holds && namesIn(language.find(marked, options)) === before) return insert;
  }
  return null;
}

function namesIn(uses: readonly KeyUsage[]): string {
  return JSON.stringify(uses.map(({ used, namespaces, keyPrefix }) => [used, namespaces, keyPrefix]));
}

/** The places to try, the nearest to the key first. */
function insertsFor(
  text: string,
  use: KeyUsage,
  comments: UsageLanguage["comments"],
): readonly (MarkInsert | null)[] {
  switch (comments) {
    case "block":
      return [inExpression(text, use), inTag(text, use)];
    case "markup":
      return isInScript(text, use.callSpan.start)
        ? [inExpression(text, use), inTag(text, use)]
        : [inExpression(text, use), beforeTag(text, use)];
    case "template":
      return [beforeOpener(text, use)];
    case "line":
      return [inLineAbove(text, use)];
    case undefined:
      return [];
  }
}

/** `t(/* … *\/ "key")`: before any literal that begins an expression, and before a constant as an argument. */
function inExpression(text: string, { keySpan, callSpan }: KeyUsage): MarkInsert | null {
  const isQuoted = /["'`]/.test(text[keySpan.start - 1] ?? "");
  const at = isQuoted ? keySpan.start - 1 : keySpan.start;
  const before = text.slice(callSpan.start, at).trimEnd().slice(-1);
  const fits = isQuoted ? /[(,:?[{|&+.]/ : /[(,]/;
  return fits.test(before) ? { at, text: `/* ${IGNORE_MARK} */ ` } : null;
}

/** `<Trans /* … *\/ i18nKey="key">` of JSX. */
function inTag(text: string, { callSpan }: KeyUsage): MarkInsert | null {
  const name = /^<[A-Za-z][\w.]*(?=[\s/>])/.exec(text.slice(callSpan.start, callSpan.start + 200));
  return name && { at: callSpan.start + name[0].length, text: ` /* ${IGNORE_MARK} */` };
}

/** `<!-- … --><i18n-t keypath="key">`; Pug has other comments. */
function beforeTag(text: string, { callSpan: { start } }: KeyUsage): MarkInsert | null {
  if (text[start] !== "<" || /<template[^>]{0,200}lang=["']?pug/.test(text)) return null;
  return { at: start, text: `<!-- ${IGNORE_MARK} -->` };
}

function isInScript(text: string, at: number): boolean {
  const script = /<(\/?)script\b[^>]{0,1000}>/gi;
  let isIn = false;
  for (let found = script.exec(text); found !== null && found.index < at; found = script.exec(text)) {
    isIn = found[1] === "";
  }
  // Astro's own script stands between two lines.
  return isIn || (/^\s*---/.test(text) && text.indexOf("\n---", 4) > at);
}

/** `{# … #}{{ 'key'|trans }}`: before the braces that the key stands in. */
function beforeOpener(text: string, { callSpan }: KeyUsage): MarkInsert | null {
  const from = text.lastIndexOf("\n", callSpan.start) + 1;
  let at = -1;
  for (const found of text.slice(from, callSpan.start + 2).matchAll(/\{[{%]/g)) at = from + found.index;
  if (at === -1) return null;
  while (text[at - 1] === "{") at--;
  // What takes the white space away before the braces would find the comment there.
  const sign = /[-~]/.exec(text[at + 2] ?? "")?.[0] ?? "";
  return { at, text: `{#${sign} ${IGNORE_MARK} #}` };
}

/** A comment of its own above the line that the call begins in, as far from the margin as it is. */
function inLineAbove(text: string, { callSpan }: KeyUsage): MarkInsert | null {
  const at = text.lastIndexOf("\n", callSpan.start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(at, callSpan.start))?.[0] ?? "";
  const above = text.slice(0, at);
  if (/\\\r?\n$/.test(above)) return null;
  const insert = `${indent}# ${NEXT_LINE_MARK}${above.endsWith("\r\n") || /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n"}`;
  const marked = text.slice(0, at) + insert + text.slice(at);
  const mask = new Mask(marked);
  lexPython(marked, 0, marked.length, mask);
  // Within a text it would be no comment.
  const isComment =
    mask
      .done()
      .text.slice(at, at + insert.length)
      .trim() === "";
  return isComment ? { at, text: insert } : null;
}
