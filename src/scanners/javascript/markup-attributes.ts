/** Reads the attributes of elements in JSX and templates. */

import { isWord, skipSpace } from "../lexers/characters.ts";
import { skipGroup, typeArgumentsEnd, type Source, type Property } from "../lexed-source.ts";
/** One attribute of a component: its name and the range of its value (including quotes, excluding braces). */
export type Attribute = Property;

/** Returns the attributes of the JSX tag whose name ends before `from`, and the offset after the tag. */
export function readAttributes(
  source: Source,
  from: number,
): { attributes: readonly Attribute[]; end: number } {
  const { code } = source;
  const attributes: Attribute[] = [];
  const limit = Math.min(code.length, from + TAG_LIMIT);
  let at = skipSpace(code, from);
  if (code[at] === "<") at = typeArgumentsEnd(code, at);
  while (at < limit) {
    at = skipSpace(code, at, limit);
    const char = code[at];
    if (char === ">") return { attributes, end: at + 1 };
    if (char === "/" && code[at + 1] === ">") return { attributes, end: at + 2 };
    if (char === "{") {
      const after = skipGroup(source, at, limit);
      if (after <= at + 1) break;
      at = after;
      continue;
    }
    const nameEnd = attributeNameEnd(code, at);
    if (nameEnd === at) break;
    const name = code.slice(at, nameEnd);
    const equals = skipSpace(code, nameEnd, limit);
    if (code[equals] !== "=") {
      at = nameEnd;
      attributes.push({ name, value: null });
      continue;
    }
    const value = skipSpace(code, equals + 1, limit);
    const after = skipGroup(source, value, limit);
    if (after <= value + 1) break;
    const literal = code[value] !== "{";
    attributes.push({
      name,
      value: literal ? { start: value, end: after } : { start: value + 1, end: after - 1 },
    });
    at = after;
  }
  return { attributes: [], end: at };
}

function attributeNameEnd(code: string, start: number): number {
  let at = start;
  while (isWord(code.charCodeAt(at)) || code[at] === "-" || code[at] === ":" || code[at] === ".") at++;
  return at;
}

const TAG_LIMIT = 20_000;
