/**
 * Finds calls with literal arguments, whatever function they call: if most of a function's literals are keys, it is a
 * translation function of the project's own. Cheap: the text is not lexed, so calls in comments count too.
 */
import { isWord, skipSpace, skipSpaceBack, wordStart } from "../lexers/characters.ts";
import { unescapeJavaScript } from "../lexers/string-literals.ts";

/** A literal argument of a call, or the name of a member in an object after a literal. */
export interface LiteralArgument {
  /** The function with the object or class before it, if any: `globalize.translate`, `Text::of`, `$this->lang->line`. */
  readonly callee: string;
  /** Position of the argument, 0 or 1. */
  readonly position: number;
  /** The literal; of a member, the literal before the object and the member's name: `page.title`. */
  readonly value: string;
  readonly isMember?: true;
  /** Offset of the value, after its quote. */
  readonly start: number;
}

/** Words before a parenthesis that call nothing, and calls that take no keys. */
const NO_FUNCTIONS = new Set(
  "if elif while for foreach switch case match return await yield in of and or not typeof array echo print import require include_once require_once include isset".split(
    " ",
  ),
);
const NAME = /^[A-Za-z_$][\w$]*$/;
/** Longer literals are no keys. */
const MAX_CHARACTERS = 500;
const MAX_NAME_CHARACTERS = 100;
const MAX_MEMBERS = 500;

/** Returns the complete literals among the first two arguments of each call of a named function, by offset. */
export function literalArguments(text: string): readonly LiteralArgument[] {
  const found: LiteralArgument[] = [];
  for (let open = text.indexOf("("); open !== -1; open = text.indexOf("(", open + 1)) {
    let start = skipSpace(text, open + 1);
    let position = 0;
    if (!isQuote(text.charCodeAt(start))) {
      // Not a literal, but a name: the second argument may be one.
      const end = nameEnd(text, start);
      const comma = end === start ? end : skipSpace(text, end);
      start = skipSpace(text, comma + 1);
      if (text.charCodeAt(comma) !== 44 || !isQuote(text.charCodeAt(start))) continue;
      position = 1;
    }
    const callee = calleeBefore(text, open);
    if (callee === null) continue;
    for (; position <= 1 && isQuote(text.charCodeAt(start)); position++) {
      const close = literalEnd(text, start);
      const next = skipSpace(text, close + 1);
      if (close === -1 || (text[next] !== "," && text[next] !== ")")) break;
      const value = text.slice(start + 1, close);
      const isEscaped = value.includes("\\");
      found.push({
        callee,
        position,
        value: isEscaped ? unescapeJavaScript(value) : value,
        start: start + 1,
      });
      if (text[next] === ")") break;
      start = skipSpace(text, next + 1);
      if (position === 0 && text[start] === "{" && value !== "" && !isEscaped)
        for (const member of textMembers(text, start))
          found.push({ callee, position: 1, isMember: true, ...member, value: `${value}.${member.value}` });
    }
  }
  return found;
}

const MEMBER = /\s*(?:([A-Za-z_$][\w$]*)|(["'])([\w.$-]{1,100})\2)\s*:\s*(?=["'`])/y;

/** Returns the names of the members of an object whose values are literals, up to the first that is none. */
function textMembers(text: string, open: number): readonly Pick<LiteralArgument, "value" | "start">[] {
  const members: Pick<LiteralArgument, "value" | "start">[] = [];
  for (let offset = open + 1; members.length < MAX_MEMBERS;) {
    MEMBER.lastIndex = offset;
    const found = MEMBER.exec(text);
    if (found === null) break;
    const name = found[1] ?? found[3] ?? "";
    members.push({ value: name, start: offset + found[0].indexOf(name) });
    const close = literalEnd(text, MEMBER.lastIndex);
    const next = skipSpace(text, close + 1);
    if (close === -1 || text[next] !== ",") break;
    offset = next + 1;
  }
  return members;
}

function isQuote(char: number): boolean {
  return char === 34 || char === 39 || char === 96;
}

/** Returns the end of `name`, `a.b` or `a?.b` at the offset; longer names are cut. */
function nameEnd(text: string, start: number): number {
  const limit = start + MAX_NAME_CHARACTERS;
  let end = start;
  for (; end < limit; end++) {
    const char = text.charCodeAt(end);
    // Dots, `?` and `!`.
    if (!isWord(char) && char !== 46 && char !== 63 && char !== 33) break;
  }
  return end;
}

/** Returns the offset of the quote that closes the literal at `open`; -1 if it does not end on its line or has values. */
function literalEnd(text: string, open: number): number {
  const quote = text.charCodeAt(open);
  const limit = Math.min(text.length, open + MAX_CHARACTERS);
  for (let offset = open + 1; offset < limit; offset++) {
    const char = text.charCodeAt(offset);
    if (char === quote) return offset;
    if (char === 92) offset++;
    else if (char === 10 || (char === 36 && quote === 96 && text.charCodeAt(offset + 1) === 123)) return -1;
  }
  return -1;
}

/** Returns the name before the parenthesis at `open`, with its receiver; `null` if it calls no named function. */
function calleeBefore(text: string, open: number): string | null {
  let end = skipSpaceBack(text, open) + 1;
  if (text.startsWith("?.", end - 2)) end -= 2;
  else if (text[end - 1] === "!") end--;
  const start = wordStart(text, end);
  const name = text.slice(start, end);
  if (!NAME.test(name)) return null;
  if (text[start - 1] === "@") return `@${name}`;
  const isMember = /[.>:]/.test(text[start - 1] ?? "");
  if (isMember) return receiverBefore(text, start) + name;
  return NO_FUNCTIONS.has(name) ? null : name;
}

/** Returns the receiver before a name with its operator: in PHP the chain of names, else the last name. */
function receiverBefore(text: string, nameStart: number): string {
  if (text[nameStart - 1] === ".") {
    const end = text[nameStart - 2] === "?" || text[nameStart - 2] === "!" ? nameStart - 2 : nameStart - 1;
    const start = wordStart(text, end);
    return start === end ? "" : `${text.slice(start, end)}.`;
  }
  let start = nameStart;
  for (let names = 0; names < 4; names++) {
    const operator = text.slice(start - 2, start);
    if (operator !== "->" && operator !== "::") break;
    const end = text[start - 3] === "?" ? start - 3 : start - 2;
    const before = wordStart(text, end);
    if (before === end) return "";
    start = before;
  }
  return text.slice(start, nameStart).replaceAll("?->", "->");
}
