/** Finds what a PHP function assigns to its own variables, as the possible values of one. */
import { cachedByObject, getOrCreate } from "../util/maps.ts";
import type { Span } from "../util/span.ts";
import { escapeRegExp, skipSpace, skipSpaceBack, wordBefore } from "./lexers/characters.ts";
import type { Source } from "./source-reader.ts";

const VARIABLE = /^\$[\w\u0080-\uffff]+$/;
const FUNCTION = /\bfunction\b\s*&?\s*\w*\s*$/i;
/** Between the parameters of a closure and the variables that it takes over. */
const USE = /\)\s*use\s*$/i;
const RETURN_TYPE = /\)\s*(?::\s*[?\w\\|&\s]{1,100})?$/;
/** Before parentheses in which variables are declared. */
const DECLARING = /\b(?:fn\b\s*&?|catch|list)\s*$/i;
/** Before a variable that may get its value elsewhere. */
const OTHER_SOURCE = /(?<!&)&\s*$|\b(?:global|static)\s+$/i;
const CHANGED = /^(?:\+\+|--|\[|(?:\.|\?\?|[-+*/%|&^]|\*\*|<<|>>)=)/;
const MAX_FUNCTION_CHARACTERS = 20_000;
const MAX_HEAD_CHARACTERS = 2_000;
const MAX_ASSIGNMENTS = 20;
const MAX_VARIABLES = 250;

/** A function's body, and where its parameters start. */
interface FunctionBody extends Span {
  readonly head: number;
}

const assignmentsOf = cachedByObject<Source, Map<string, readonly Span[] | null>>(() => new Map());

/**
 * Returns every expression that the function around the variable in the range assigns to it; `null` for any other expression,
 * and if it may have other values: of a parameter, a loop, a part of a list, or one that was changed.
 */
export function assignedValues(source: Source, { start, end }: Span): readonly Span[] | null {
  const name = source.code.slice(start, Math.min(end, start + 100));
  if (!VARIABLE.test(name)) return null;
  const body = functionAround(source, start);
  if (body === null || body.end - body.start > MAX_FUNCTION_CHARACTERS) return null;
  const found = assignmentsOf(source);
  const id = `${body.start}:${name}`;
  if (found.size >= MAX_VARIABLES && !found.has(id)) return null;
  return getOrCreate(found, id, () => findAssignments(source, body, name));
}

function findAssignments(source: Source, body: FunctionBody, name: string): readonly Span[] | null {
  const { code } = source;
  const values: Span[] = [];
  const occurrence = new RegExp(`${escapeRegExp(name)}(?![\\w\\u0080-\\uffff])`, "g");
  occurrence.lastIndex = body.head;
  for (let found = occurrence.exec(code); found !== null; found = occurrence.exec(code)) {
    const { index } = found;
    if (index >= body.end) break;
    const after = skipSpace(code, index + name.length);
    if (index < body.start || mayBeAnother(source, index) || CHANGED.test(code.slice(after, after + 3)))
      return null;
    if (code[after] !== "=" || /^=[=>]/.test(code.slice(after, after + 2))) continue;
    // A closure has variables of its own.
    if (functionAround(source, index)?.start !== body.start) continue;
    if (values.length === MAX_ASSIGNMENTS) return null;
    values.push(source.trimSpan(after + 1, expressionEnd(source, after + 1, body.end)));
  }
  return values.length === 0 ? null : values;
}

/** Whether the variable at the offset is declared there, or may be assigned to in another way. */
function mayBeAnother(source: Source, offset: number): boolean {
  const { code, brackets } = source;
  if (OTHER_SOURCE.test(code.slice(Math.max(0, offset - 20), offset))) return true;
  const open = brackets.enclosing(offset);
  if (open === -1) return false;
  if (code[open] === "[") {
    // An index, as in `$list[$key] = 1`.
    const word = wordBefore(code, open);
    if (!/^(?:as)?$/i.test(word) || /[)\]}]/.test(code[skipSpaceBack(code, open)] ?? "")) return false;
    const isList = /^\s*=(?![=>])/.test(code.slice(brackets.closing(open) + 1, brackets.closing(open) + 21));
    // `foreach ($rows as [$key])`, or a list in another one.
    return isList || mayBeAnother(source, open);
  }
  if (code[open] !== "(") return false;
  const head = code.slice(Math.max(0, open - 40), open);
  return (
    DECLARING.test(head) || (/\bforeach\s*$/i.test(head) && /\bas\b/i.test(code.slice(open + 1, offset)))
  );
}

/** Returns the innermost function or closure around the offset; `null` if there is none. */
function functionAround({ code, brackets }: Source, offset: number): FunctionBody | null {
  for (let open = brackets.enclosing(offset, "{"); open !== -1; open = brackets.enclosing(open, "{")) {
    const from = Math.max(0, open - MAX_HEAD_CHARACTERS);
    const type = RETURN_TYPE.exec(code.slice(Math.max(from, open - 150), open).trimEnd());
    if (type === null) continue;
    let head = brackets.opening(Math.max(from, open - 150) + type.index);
    const taken = USE.exec(code.slice(Math.max(from, head - 20), Math.max(from, head)));
    if (taken !== null) head = brackets.opening(Math.max(from, head - 20) + taken.index);
    if (head !== -1 && FUNCTION.test(code.slice(Math.max(0, head - 100), head)))
      return { head, start: open, end: brackets.closing(open) };
  }
  return null;
}

/** Returns the end of the expression at the offset: before a semicolon, comma or closing bracket. */
function expressionEnd(source: Source, start: number, limit: number): number {
  let end = start;
  while (end < limit && !/[;,)\]}]/.test(source.code[end] ?? "")) end = source.skipToken(end, limit);
  return end;
}
