/**
 * Finds the `return` whose value a PHP file gives to who includes it. Statements before it are passed over unread;
 * where they could return something else, that is told.
 */
import type { Span } from "../format.ts";
import { afterOpeningTag, labelEnd, skipPhpToken, skipPhpTrivia } from "./php-lexer.ts";

/** `at` is after the word `return`; a `branching` file may return by the code in the span; `none` has no return. */
export type PhpReturn =
  | { readonly kind: "found"; readonly at: number }
  | { readonly kind: "branching"; readonly span: Span }
  | { readonly kind: "none"; readonly at: number };

/** What ends the file before a `return` that follows could run. */
const ENDINGS: ReadonlySet<string> = new Set(["__halt_compiler", "exit", "die", "throw"]);
/** Statements whose `:` opens a block, and the words that close it. */
const OPENINGS: ReadonlySet<string> = new Set(["if", "for", "foreach", "while", "switch"]);
const CLOSINGS: ReadonlySet<string> = new Set(["endif", "endfor", "endforeach", "endwhile", "endswitch"]);
const CONTINUED: ReadonlySet<string> = new Set(["else", "elseif"]);

/** The file's own `return`: the first that stands in no function, condition or loop. */
export function findReturn(text: string): PhpReturn {
  let at = afterOpeningTag(text, 0);
  let blocks = 0;
  let block: Span | null = null;
  for (;;) {
    at = skipPhpTrivia(text, at);
    if (at >= text.length) return { kind: "none", at };
    if (text.startsWith("?>", at)) {
      at = afterOpeningTag(text, at + 2);
      continue;
    }
    const end = labelEnd(text, at);
    const word = text.slice(at, Math.min(end, at + 32)).toLowerCase();
    if (blocks === 0) {
      if (word === "return") return { kind: "found", at: end };
      if (ENDINGS.has(word)) return { kind: "none", at };
    }
    if (word === "namespace" || word === "declare") {
      at = passHead(text, end);
      continue;
    }
    const statement = passStatement(text, at, word);
    if (statement.returns) return { kind: "branching", span: { start: at, end: statement.end } };
    if (CLOSINGS.has(word)) blocks = Math.max(0, blocks - 1);
    if (statement.opens && OPENINGS.has(word)) {
      blocks++;
      block ??= { start: at, end: statement.end };
    }
    if (blocks === 0) block = null;
    at = statement.end;
  }
}

/** The block of `namespace A { … }` or `declare(…) { … }` may hold the `return`: only its head is passed. */
function passHead(text: string, offset: number): number {
  let depth = 0;
  for (let at = offset; at < text.length;) {
    const next = skipPhpTrivia(text, at);
    const char = text[next];
    if (next >= text.length) return text.length;
    if (depth <= 0 && (char === "{" || char === ";" || text.startsWith("?>", next))) {
      return char === "?" ? next : next + 1;
    }
    if (char === "(") depth++;
    else if (char === ")") depth--;
    at = skipPhpToken(text, next);
  }
  return text.length;
}

interface Statement {
  readonly end: number;
  /** Something in it may end the file's code with a value, or jump. */
  readonly returns: boolean;
  /** It ends with the `:` of a block (`if (…):`). */
  readonly opens: boolean;
}

/** One statement: up to its `;`, the end of its block, a closing tag or a bracket that it did not open. */
function passStatement(text: string, start: number, word: string): Statement {
  const hasHead = OPENINGS.has(word) || CONTINUED.has(word);
  /** Where the `:` of a block would stand: right after `else`, or after the first brackets of the others. */
  let head: "ahead" | "closed" | "past" = !hasHead ? "past" : word === "else" ? "closed" : "ahead";
  let depth = 0;
  /** Depth outside of the function whose body is being passed; there a `return` is the function's own. */
  let outside: number | null = null;
  let functionAhead = false;
  let returns = false;
  let before = "";
  for (let at = hasHead ? labelEnd(text, start) : start; at < text.length;) {
    const next = skipPhpTrivia(text, at);
    if (next !== at) {
      at = next;
      continue;
    }
    const char = text[at] ?? "";
    if (depth === 0) {
      if (char === "?" && text[at + 1] === ">") return { end: at, returns, opens: false };
      if (char === ";" || char === ")" || char === "]" || char === "}") {
        return { end: at + 1, returns, opens: false };
      }
      if (char === ":" && head === "closed") return { end: at + 1, returns, opens: true };
      if (head === "closed") head = "past";
    }
    const end = skipPhpToken(text, at);
    if (char === "(" || char === "[" || char === "{") {
      if (char === "{") {
        if (functionAhead) outside ??= depth;
        functionAhead = false;
      }
      depth++;
    } else if (char === ")" || char === "]" || char === "}") {
      depth--;
      if (head === "ahead" && depth === 0) head = "closed";
      if (outside !== null && depth <= outside) outside = null;
      if (depth === 0 && char === "}") return { end, returns, opens: false };
    } else if (char === ";") {
      functionAhead = false;
    } else if (outside === null && end - at <= 8 && !isMemberOf(before)) {
      const name = text.slice(at, end).toLowerCase();
      if (name === "function") functionAhead = true;
      else if (name === "goto" || (name === "return" && !isBare(text, end))) returns = true;
    }
    before = before.slice(-1) + char;
    at = end;
  }
  return { end: text.length, returns, opens: false };
}

/** After `->` or `::` a word is a name. */
function isMemberOf(before: string): boolean {
  return before === "->" || before === "::";
}

/** `return;` gives no array: a guard that leaves the file early. */
function isBare(text: string, offset: number): boolean {
  const at = skipPhpTrivia(text, offset);
  return text[at] === ";" || text.startsWith("?>", at);
}
