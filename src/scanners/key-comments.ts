/** Finds keys that comments list for a framework's extractor, since the code builds them: `t(a.b, a.c)`. */
import { frameworksOf } from "../frameworks/supported-frameworks.ts";
import { cachedByObject } from "../util/maps.ts";
import type { Span } from "../util/span.ts";
import { exactValue } from "./evaluate-key-expression.ts";
import {
  addUsages,
  DEFAULT_SCOPE,
  defaultDetails,
  type TranslatorScope,
} from "./function-calls/call-usages.ts";
import type { FindOptions, KeyUsage } from "./key-usage.ts";
import { escapeRegExp } from "./lexers/characters.ts";
import type { Source } from "./source-reader.ts";

/** Returns a pattern for the lists in comments of a project, with their names and keys; `null` if it has none. */
const listPatternOf = cachedByObject((options: FindOptions): RegExp | null => {
  const names = frameworksOf(options.frameworks).flatMap(({ calls }) => calls.keyComment ?? []);
  if (names.length === 0) return null;
  return new RegExp(`(?<![\\w$.])(${names.map(escapeRegExp).join("|")})\\(([^()]*)\\)`, "dg");
});

/** Yields the documentation comments of a script. */
function* documentationComments(text: string): Generator<Span> {
  for (let start = text.indexOf("/**"); start !== -1;) {
    const close = text.indexOf("*/", start + 2);
    if (close === -1) return;
    yield { start, end: close + 2 };
    start = text.indexOf("/**", close + 2);
  }
}

/** Whether a script may have comments with keys. */
export function mayHaveKeyComments(text: string, options: FindOptions): boolean {
  const lists = listPatternOf(options);
  if (lists === null) return false;
  for (const { start, end } of documentationComments(text))
    if (text.slice(start, end).search(lists) !== -1) return true;
  return false;
}

/** Adds the keys in the documentation comments of a script. */
export function addKeyComments(text: string, source: Source, options: FindOptions, out: KeyUsage[]): void {
  for (const comment of documentationComments(text)) {
    // In a string it is no comment.
    if (source.text[comment.start] === " ") addKeysInComment(text, comment, DEFAULT_SCOPE, options, out);
  }
}

/** Adds the keys in a comment of a script or template. */
export function addKeysInComment(
  text: string,
  { start, end }: Span,
  scope: TranslatorScope,
  options: FindOptions,
  out: KeyUsage[],
): void {
  const lists = listPatternOf(options);
  if (lists === null) return;
  for (const { index, 0: list, 1: callee = "", indices } of text.slice(start, end).matchAll(lists)) {
    const callSpan = { start: start + index, end: start + index + list.length };
    const [from = 0] = indices?.[2] ?? [];
    // A call that is commented out uses no key; keys of a list have no quotes.
    if (/^\s*["'`]/u.test(list.slice(from - index))) continue;
    for (const { index: at, 0: key } of list
      .slice(from - index, -1)
      .matchAll(/[^\s,*](?:[^,*\n]*[^\s,*])?/g)) {
      const keyStart = start + from + at;
      const details = defaultDetails(scope, callee, callSpan);
      addUsages([exactValue(key, keyStart, keyStart + key.length)], details, out);
    }
  }
}
