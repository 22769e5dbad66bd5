/** Reads what functions return: their declared type, or the expressions that they return. */
import type { Span } from "../../util/span.ts";
import { isWord, skipSpace, typeArgumentsEnd, wordEnd } from "../lexers/characters.ts";
import type { Source } from "../source-reader.ts";
import { expressionEnd } from "./constants.ts";
import { returnTypeAt } from "./type-syntax.ts";

/** The part of a function after its parameters. */
export interface FunctionResult {
  /** The declared type; `null` if none. */
  readonly type: Span | null;
  /** Offset of the body's brace, or of the expression that an arrow function returns. */
  readonly body: number;
}

const MAX_RETURNS = 50;

/** Reads the function at the offset (`name(…) {`, `function (…) {`, `(…) => …`, `x => …`); `null` for anything else. */
export function functionAt(source: Source, start: number): FunctionResult | null {
  const { code, brackets } = source;
  let open = start;
  const keyword = /^(?:async\b|function\b\s*\*?)\s*/.exec(code.slice(start, start + 40))?.[0] ?? "";
  // Promises and iterators have no text.
  if (keyword.startsWith("async") || keyword.includes("*")) return null;
  open = skipSpace(code, start + keyword.length);
  if (isWord(code.charCodeAt(open))) open = skipSpace(code, wordEnd(code, open));
  if (code[open] === "<") open = skipSpace(code, typeArgumentsEnd(code, open));
  let next = open;
  if (code[open] === "(") {
    const close = brackets.closing(open);
    if (close === -1) return null;
    next = skipSpace(code, close + 1);
  }
  let type: Span | null = null;
  if (code[next] === ":" && next > open) {
    const declared = returnTypeAt(source, next);
    ({ type } = declared);
    next = declared.end;
  }
  if (code.startsWith("=>", next)) return { type, body: skipSpace(code, next + 2) };
  return code[next] === "{" && next > open ? { type, body: next } : null;
}

/** Returns the expressions that the function may return; `null` if it returns nothing or too much. */
export function returnedExpressions(source: Source, { body }: FunctionResult): readonly Span[] | null {
  const { code, brackets } = source;
  if (code[body] !== "{") return [source.trimSpan(body, expressionEnd(source, body))];
  const close = brackets.closing(body);
  const found: Span[] = [];
  for (const { index } of code.slice(body, Math.max(close, body)).matchAll(/\breturn\b/g)) {
    const start = body + index;
    if (isInInnerFunction(source, start, body)) continue;
    const value = source.trimSpan(start + "return".length, expressionEnd(source, start + "return".length));
    if (value.end > value.start) found.push(value);
    if (found.length > MAX_RETURNS) return null;
  }
  return found.length === 0 ? null : found;
}

/** Whether a function inside the body at `body` contains the offset. */
function isInInnerFunction(source: Source, offset: number, body: number): boolean {
  const { code, brackets } = source;
  for (let open = brackets.enclosing(offset, "{"); open > body; open = brackets.enclosing(open, "{")) {
    const before = code.slice(Math.max(body, open - 200), open).trimEnd();
    if (before.endsWith("=>")) return true;
    // Also before the type of its result.
    if (/\)(?:\s*:[^;:{}()]{1,100})?$/.test(before)) {
      const parameters = brackets.opening(code.lastIndexOf(")", open));
      if (
        !/\b(?:if|for|while|switch|catch|with)\s*(?:await\s*)?$/.test(
          code.slice(Math.max(0, parameters - 20), parameters),
        )
      )
        return true;
    }
  }
  return false;
}
