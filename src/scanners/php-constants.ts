/** Finds the values of constants of classes and cases of enums in PHP, in the same file, and those of `match`. */
import { cachedByObject, getOrCreate } from "../util/maps.ts";
import type { Span } from "../util/span.ts";
import { escapeRegExp, skipSpace } from "./lexers/characters.ts";
import type { Source } from "./source-reader.ts";

const MATCH = /^match\s*\(/i;
const CONSTANT = /^\\?(?:\w+\\)*(\w+)\s*::\s*(\w+)\s*(?:->\s*value)?$/;
const CLASS = /\b(?:class|enum|interface|trait)\s+(\w+)[^{};]*$/;
const MAX_HEAD_CHARACTERS = 300;
const MAX_CONSTANTS = 250;

/** Returns the results of the `match` that fills the range; `null` for any other expression. */
export function matchResults(source: Source, { start, end }: Span): readonly Span[] | null {
  const { code, brackets } = source;
  const head = MATCH.exec(code.slice(start, start + 40));
  if (head === null) return null;
  const open = skipSpace(code, brackets.closing(start + head[0].length - 1) + 1, end);
  if (code[open] !== "{" || brackets.closing(open) !== end - 1) return null;
  return source.splitAtCommas(open + 1, end - 1).flatMap((arm) => {
    let offset = arm.start;
    while (offset < arm.end && !code.startsWith("=>", offset)) offset = source.skipToken(offset, arm.end);
    const value = source.trimSpan(Math.min(offset + 2, arm.end), arm.end);
    return /^throw\b/.test(code.slice(value.start, value.start + 6)) ? [] : [value];
  });
}

const valuesOf = cachedByObject<Source, Map<string, Span | null>>(() => new Map());

/** Returns the value of `self::NAME`, `Name::NAME` or `Name::CASE->value`; `null` if the file does not declare it. */
export function constantValue(source: Source, { start, end }: Span): Span | null {
  const [, owner, name] = CONSTANT.exec(source.code.slice(start, Math.min(end, start + 200))) ?? [];
  if (owner === undefined || name === undefined) return null;
  const declared = owner === "self" ? classAround(source, start) : owner;
  if (declared === null) return null;
  const values = valuesOf(source);
  const id = `${declared}::${name}`;
  if (values.size >= MAX_CONSTANTS && !values.has(id)) return null;
  return getOrCreate(values, id, () => findConstant(source, declared, name));
}

function findConstant(source: Source, owner: string, name: string): Span | null {
  const { code } = source;
  const pattern = new RegExp(
    `\\b(?:const\\s+(?:[\\w|?\\\\]+\\s+)?|case\\s+)${escapeRegExp(name)}\\s*=(?!=)`,
    "g",
  );
  for (const { index, 0: head } of code.matchAll(pattern)) {
    if (classAround(source, index) !== owner) continue;
    const from = index + head.length;
    let end = from;
    while (end < code.length && !/[;,}]/.test(code[end] ?? "")) end = source.skipToken(end, code.length);
    return source.trimSpan(from, end);
  }
  return null;
}

/** Returns the name of the class, enum, interface or trait around the offset; `null` if there is none. */
function classAround({ code, brackets }: Source, offset: number): string | null {
  for (let open = brackets.enclosing(offset, "{"); open !== -1; open = brackets.enclosing(open, "{")) {
    const name = CLASS.exec(code.slice(Math.max(0, open - MAX_HEAD_CHARACTERS), open))?.[1];
    if (name !== undefined) return name;
  }
  return null;
}
