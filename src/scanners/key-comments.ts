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

/** The lists in comments of a project. */
interface KeyComments {
  readonly names: string;
  /** Documentation comments with a list. */
  readonly inScripts: RegExp;
}

const keyCommentsOf = cachedByObject((options: FindOptions): KeyComments | null => {
  const names = frameworksOf(options.frameworks).flatMap(({ calls }) => calls.keyComment ?? []);
  if (names.length === 0) return null;
  const alternatives = names.map(escapeRegExp).join("|");
  const inside = String.raw`(?:[^*]|\*(?!/))*`;
  return {
    names: alternatives,
    inScripts: new RegExp(`/\\*\\*${inside}?(?<![\\w$.])(?:${alternatives})\\(${inside}\\*/`, "g"),
  };
});

/** Whether a script may have comments with keys. */
export function mayHaveKeyComments(text: string, options: FindOptions): boolean {
  const comments = keyCommentsOf(options);
  return comments !== null && text.search(comments.inScripts) !== -1;
}

/** Adds the keys in the documentation comments of a script. */
export function addKeyComments(text: string, source: Source, options: FindOptions, out: KeyUsage[]): void {
  const comments = keyCommentsOf(options);
  for (const { index, 0: comment } of comments === null ? [] : text.matchAll(comments.inScripts)) {
    // In a string it is no comment.
    if (source.text[index] !== " ") continue;
    addKeysInComment(text, { start: index, end: index + comment.length }, DEFAULT_SCOPE, options, out);
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
  const comments = keyCommentsOf(options);
  if (comments === null) return;
  const lists = new RegExp(`(?<![\\w$.])(${comments.names})\\(([^()]*)\\)`, "dg");
  for (const { index, 0: list, 1: callee = "", indices } of text.slice(start, end).matchAll(lists)) {
    const callSpan = { start: start + index, end: start + index + list.length };
    const [from = 0] = indices?.[2] ?? [];
    for (const { index: at, 0: key } of list
      .slice(from - index, -1)
      .matchAll(/[^\s,*](?:[^,*\n]*[^\s,*])?/g)) {
      const keyStart = start + from + at;
      const details = defaultDetails(scope, callee, callSpan);
      addUsages([exactValue(key, keyStart, keyStart + key.length)], details, out);
    }
  }
}
