/**
 * Selector functions that i18next accepts as keys: `t(($) => $.a.b)`, also with a conditional between several, and
 * arrays of them.
 */
import { escapeRegExp, skipSpace } from "../lexers/characters.ts";
import { splitAtCommas, type Source } from "../lexed-source.ts";
import { literalText, type ExpressionValue } from "../expression-values.ts";

const LENGTH_LIMIT = 400;

/**
 * Returns the keys that the selector, or array of selectors, in the range may select, with their ranges; `null` for
 * anything else.
 */
export function readSelectors(source: Source, start: number, end: number): readonly ExpressionValue[] | null {
  if (end - start > LENGTH_LIMIT) return null;
  if (source.code[start] !== "[" || source.brackets.closing(start) !== end - 1) {
    return readSelector(source, start, end);
  }
  const values: ExpressionValue[] = [];
  for (const part of splitAtCommas(source, start + 1, end - 1)) {
    const selected = readSelector(source, part.start, part.end);
    if (selected === null) return null;
    values.push(...selected);
  }
  return values.length === 0 ? null : values;
}

function readSelector(source: Source, start: number, end: number): readonly ExpressionValue[] | null {
  const text = source.code.slice(start, end);
  const head = /^(?:\(\s*([\w$]+)\s*\)|([\w$]+))\s*=>/.exec(text);
  const parameter = head?.[1] ?? head?.[2];
  if (head === null || parameter === undefined) return null;
  const path = new RegExp(`(?<![\\w$.])${escapeRegExp(parameter)}(?![\\w$])`, "g");
  path.lastIndex = head[0].length;
  const values: ExpressionValue[] = [];
  for (let found = path.exec(text); found !== null; found = path.exec(text)) {
    const value = readPath(source, start + found.index + found[0].length, end);
    if (value === null) return null;
    values.push(value);
  }
  return values.length === 0 ? null : values;
}

/** Reads `.a.b`, `["a b"]`, `[0]` and `?.c` after the parameter; computed members yield a pattern. */
function readPath(source: Source, from: number, end: number): ExpressionValue | null {
  const { code } = source;
  const names: string[] = [];
  let first = -1;
  let at = from;
  while (at < end) {
    const next = skipSpace(code, at, end);
    const member = /^\??\.\s*([A-Za-z_$][\w$]*)/.exec(code.slice(next, end));
    if (member !== null) {
      names.push(member[1] ?? "");
      at = next + member[0].length;
      if (first === -1) first = at - (member[1] ?? "").length;
    } else if (code[next] === "[") {
      const close = source.brackets.closing(next);
      if (close === -1 || close >= end) return null;
      const index = /^\s*(\d+)\s*$/.exec(code.slice(next + 1, close))?.[1];
      const name = index ?? literalText(source, { start: next + 1, end: close });
      if (first === -1) first = next;
      if (name === null) return computed(names, first, close + 1);
      names.push(name);
      at = close + 1;
    } else break;
  }
  // `$ => $.a.map(…)` calls a function and `$ => $.a-b` calculates, so neither is a selector.
  if (first === -1 || /[-+*/%(]/.test(code[skipSpace(code, at, end)] ?? "")) return null;
  return { exact: true, prefix: names.join("."), suffix: "", start: first, end: at };
}

function computed(names: readonly string[], start: number, end: number): ExpressionValue {
  return { exact: false, prefix: names.map((name) => `${name}.`).join(""), suffix: "", start, end };
}
