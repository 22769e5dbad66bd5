/**
 * Where a name is declared anew in JavaScript: as a parameter, a variable, a function. Only enough of scopes to
 * tell a translator that was passed on from the one the file made. Imports do not count: they are the module's.
 */
import type { Span } from "../../model/span.ts";
import { escapeRegExp, isWord, lastBefore, skipSpace, wordStart } from "../lexers/characters.ts";
import { HOOKS } from "./translation-functions.ts";
import { skipGroup, type Source } from "../source.ts";

const NO_PARAMETERS = new Set(["if", "while", "for", "switch", "with", "return", "await"]);
/** More declarations of one name than this are not looked at. */
const MAX_DECLARATIONS = 500;
/** How far the body of an arrow function without braces is followed, in characters. */
const BODY_LIMIT = 20_000;

/** The ranges in which `name` stands for something declared in this file by other means than a hook. */
export function findDeclarations(source: Source, name: string): readonly Span[] {
  const { code } = source;
  const scopes: Span[] = [];
  const first = /^\w/.test(name) ? "\\b" : "";
  const pattern = new RegExp(`${first}${escapeRegExp(name)}(?![\\w$])`, "g");
  for (const found of code.matchAll(pattern)) {
    const start = found.index;
    const end = start + name.length;
    if (isWord(code.charCodeAt(start - 1))) continue;
    const next = skipSpace(code, end);
    const before = lastBefore(code, start);
    if (code[before] === "." && code[before - 1] !== ".") continue;
    const word = code.slice(wordStart(code, before + 1), before + 1);
    const scope =
      code[next] === "("
        ? word === "function"
          ? block(source, start)
          : null
        : declaredAt(source, start, next, word);
    if (scope !== null) scopes.push(scope);
    if (scopes.length >= MAX_DECLARATIONS) break;
  }
  return scopes;
}

function declaredAt(source: Source, start: number, next: number, word: string): Span | null {
  const { code } = source;
  const after = code[next];
  if (after === "=" && code[next + 1] === ">") return arrowBody(source, next + 2, start);
  // In a pattern the last name of `key: name` is declared; `name: other` only names a property.
  if (after === "." || after === "?" || after === "[") return null;
  if (word === "const" || word === "let" || word === "var") {
    return isCopy(code, next) ? null : block(source, start);
  }
  const open = source.brackets.enclosing(start);
  if (open === -1) return null;
  return code[open] === "("
    ? after === ":" || after === "," || after === ")" || after === "="
      ? parameterScope(source, open)
      : null
    : patternScope(source, open, after);
}

/** `const a = t;`, `const { t } = i18n;` and hooks are bindings, read elsewhere. */
const COPY = new RegExp(
  `^\\s*(?:await\\s+)?(?:[\\w$]+\\s*\\??\\.\\s*){0,4}(?:\\$?t|i18n|i18next|global|${Object.keys(HOOKS).join("|")})\\b(?!\\s*\\.\\s*(?!t\\b|bind\\b)\\w)`,
);

function isCopy(code: string, equals: number): boolean {
  return code[equals] === "=" && COPY.test(code.slice(equals + 1, equals + 160));
}

/** A name within `{ … }` or `[ … ]`: a pattern of a variable or of a parameter, or no declaration at all. */
function patternScope(source: Source, open: number, after: string | undefined): Span | null {
  const { code, brackets } = source;
  if (after === ":" || !(after === "," || after === "}" || after === "]" || after === "=")) return null;
  let outer = open;
  for (let level = 0; level < 4; level++) {
    const close = brackets.closing(outer);
    const next = skipSpace(code, close + 1);
    const before = lastBefore(code, outer);
    const word = code.slice(wordStart(code, before + 1), before + 1);
    if (word === "const" || word === "let" || word === "var") {
      return code[next] === "=" && code[next + 1] !== "=" && !isCopy(code, next)
        ? block(source, outer)
        : null;
    }
    const around = brackets.enclosing(outer);
    if (around === -1) return null;
    if (code[around] === "(") return parameterScope(source, around);
    outer = around;
    if (code[before] !== ":" && code[before] !== "[" && code[before] !== ",") return null;
  }
  return null;
}

/** The function whose parameters stand in the parentheses at `open`, from there to its end; `null`: they are none. */
export function parameterScope(source: Source, open: number): Span | null {
  const { code, brackets } = source;
  const before = lastBefore(code, open);
  const word = code.slice(wordStart(code, before + 1), before + 1);
  if (NO_PARAMETERS.has(word)) return null;
  const close = brackets.closing(open);
  let next = skipSpace(code, close + 1);
  if (code[next] === ":") {
    const type = /^[^;={}()]{0,200}(?:=>|\{)/.exec(code.slice(next, next + 204));
    if (type === null) return null;
    next += type[0].length - (type[0].endsWith("{") ? 1 : 2);
  }
  if (code[next] === "{") return { start: open, end: Math.max(brackets.closing(next), next) };
  if (code[next] === "=" && code[next + 1] === ">") return arrowBody(source, next + 2, open);
  return null;
}

/** From the parameters to the end of what follows `=>`. */
function arrowBody(source: Source, after: number, start: number): Span {
  const { code, brackets } = source;
  const body = skipSpace(code, after);
  if (code[body] === "{") {
    const close = brackets.closing(body);
    if (close !== -1) return { start, end: close };
  }
  const around = brackets.enclosing(start);
  const limit = around === -1 ? code.length : brackets.closing(around);
  let at = body;
  while (at < limit && at - body < BODY_LIMIT && code[at] !== ";" && code[at] !== ",") {
    const next = skipGroup(source, at, limit);
    at = next === at ? at + 1 : next;
  }
  return { start, end: at };
}

/** The innermost block around a place. */
function block(source: Source, at: number): Span {
  const open = source.brackets.enclosing(at, "{");
  return open === -1
    ? { start: -1, end: source.code.length }
    : { start: open, end: source.brackets.closing(open) };
}
