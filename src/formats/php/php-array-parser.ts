/**
 * Scans a PHP file that returns an array into a tree with ranges. Reads literals, their concatenations and arrays;
 * any other expression is skipped and reported as a problem. Nothing is ever executed.
 */
import type { Problem } from "../format.ts";
import {
  afterOpeningTag,
  heredocAt,
  identifierAt,
  isPhpSpace,
  labelEnd,
  quotedEnd,
  skipPhpToken,
  skipPhpTrivia,
  skipExpression,
  type ExpressionEnd,
} from "../../scanners/lexers/php-lexer.ts";
import { phpInterpolation, unescapePhp } from "../../scanners/lexers/php-strings.ts";
import { numberAt } from "./php-literals.ts";
import {
  type BranchNode,
  MAX_DEPTH,
  type Member,
  type OtherNode,
  readOnlyBefore,
  type TextNode,
  type Tree,
  type TreeNode,
} from "../object-tree/value-tree.ts";
import type { Span } from "../../util/span.ts";

/** A key that PHP converts to an integer, quoted or not. */
export const CANONICAL_INTEGER = /^(?:0|-?[1-9][0-9]*)$/;

/** Integers of up to this many characters are exact in JavaScript, and so are their successors. */
const EXACT = 15;

class PhpItems {
  readonly #members: Member[] = [];
  /** The largest integer key; `-Infinity` if there is none, `NaN` if it is not known. */
  #largest = Number.NEGATIVE_INFINITY;
  /** Members before this index may be overwritten. */
  #uncertain = 0;

  /** Returns the next implicit index; `null` after an unknown key, or negative ones (up to the PHP version). */
  nextIndex(): string | null {
    if (this.#largest === Number.NEGATIVE_INFINITY) return "0";
    return this.#largest >= 0 ? String(this.#largest + 1) : null;
  }

  add(member: Member): void {
    this.#members.push(member);
    const first = member.name.charCodeAt(0);
    if (first > 0x39 || !CANONICAL_INTEGER.test(member.name)) return;
    const index = member.name.length > EXACT ? Number.NaN : Number(member.name);
    this.#largest = Math.max(this.#largest, index);
  }

  /** Adds an item with an unknown name, or a spread. `replaces`: whether it may overwrite a preceding item. */
  addUnknown(member: Member, replaces: boolean): void {
    this.#largest = Number.NaN;
    if (replaces) this.#uncertain = this.#members.length;
    this.#members.push(member);
  }

  members(): readonly Member[] {
    return readOnlyBefore(this.#uncertain, this.#members);
  }
}

/**
 * `at` is after the keyword `return`; in a `branching` file the code in the span may return earlier; `none` has no
 * return.
 */
type PhpReturn =
  | { readonly kind: "found"; readonly at: number }
  | { readonly kind: "branching"; readonly span: Span }
  | { readonly kind: "none"; readonly at: number };

/** Keywords that end execution before a later `return`. */
const ENDINGS: ReadonlySet<string> = new Set(["__halt_compiler", "exit", "die", "throw"]);
/** Statements whose `:` opens a block, and the keywords that close it. */
const OPENINGS: ReadonlySet<string> = new Set(["if", "for", "foreach", "while", "switch"]);
const CLOSINGS: ReadonlySet<string> = new Set(["endif", "endfor", "endforeach", "endwhile", "endswitch"]);
const CONTINUED: ReadonlySet<string> = new Set(["else", "elseif"]);
/** Statements whose block in braces may contain the file's own `return`. */
const TRANSPARENT: ReadonlySet<string> = new Set(["namespace", "declare"]);

/** Finds the file's own `return`: the first one outside of functions, conditions and loops. */
function findReturn(text: string): PhpReturn {
  let at = afterOpeningTag(text, 0);
  let blocks = 0;
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
    const statement = passStatement(text, at, word);
    if (statement.returns) return { kind: "branching", span: { start: at, end: statement.end } };
    if (CLOSINGS.has(word)) blocks = Math.max(0, blocks - 1);
    if (statement.opens && OPENINGS.has(word)) blocks++;
    at = statement.end;
  }
}

interface Statement {
  readonly end: number;
  /** Whether the statement may return a value or jump. */
  readonly returns: boolean;
  /** Whether the statement ends with the `:` of a block (`if (…):`). */
  readonly opens: boolean;
}

/**
 * Skips one statement: up to its `;`, the end of its block (of a transparent one: its start), a closing tag or an
 * unmatched closing bracket.
 */
function passStatement(text: string, start: number, word: string): Statement {
  /** Where a `:` would open a block: directly after `else`, otherwise after the first parentheses. */
  let colon = word === "else" ? skipPhpTrivia(text, start + word.length) : null;
  const hasHead = OPENINGS.has(word) || CONTINUED.has(word);
  let depth = 0;
  /** Depth outside of the function body being skipped, whose `return` is its own; `null` outside of any. */
  let outside: number | null = null;
  let functionAhead = false;
  let returns = false;
  /** The last two characters: after `->` and `::` a keyword is a member name. */
  let before = "";
  for (let at = skipPhpTrivia(text, start); at < text.length;) {
    const char = text[at] ?? "";
    const end = skipPhpToken(text, at);
    if (depth === 0) {
      if (text.startsWith("?>", at)) return { end: at, returns, opens: false };
      const opens = char === ":" && at === colon;
      const isHeadEnd = opens || (char === "{" && TRANSPARENT.has(word));
      if (isHeadEnd || ";)]}".includes(char)) return { end, returns, opens };
    }
    if (char === "(" || char === "[" || char === "{") {
      if (char === "{") {
        if (functionAhead) outside ??= depth;
        functionAhead = false;
      }
      depth++;
    } else if (char === ")" || char === "]" || char === "}") {
      depth--;
      if (outside !== null && depth <= outside) outside = null;
      if (depth === 0 && char === "}") return { end, returns, opens: false };
      if (depth === 0 && hasHead) colon ??= skipPhpTrivia(text, end);
    } else if (char === ";") {
      functionAhead = false;
    } else if (outside === null && end - at <= 8 && before !== "->" && before !== "::") {
      const name = text.slice(at, end).toLowerCase();
      if (name === "function") functionAhead = true;
      else if (name === "goto" || (name === "return" && !isBare(text, end))) returns = true;
    }
    before = before.slice(-1) + char;
    at = skipPhpTrivia(text, end);
  }
  return { end: text.length, returns, opens: false };
}

/** Whether it is a `return;` without a value: a guard that leaves the file early. */
function isBare(text: string, offset: number): boolean {
  const at = skipPhpTrivia(text, offset);
  return text[at] === ";" || text.startsWith("?>", at);
}

/** Scans the whole text. Never throws; `isEditable` is false if the file is incomplete or returns no array. */
export function scanPhp(text: string): Tree {
  return new PhpScan(text).tree();
}

/** An operand of a concatenation. */
interface Operand {
  /** `null` if code computes it or its bytes are not UTF-8. */
  readonly text: string | null;
  readonly readOnly: TextNode["readOnly"];
  /** Why `text` is `null`. */
  readonly reason: "expression" | "interpolation";
}

/** Items whose name is not known. `replaces`: whether they may overwrite a preceding item. */
const UNKNOWN = {
  spread: { what: "what is spread here", named: false, replaces: true },
  key: { what: "an item whose key is not known", named: true, replaces: true },
  index: { what: "an item whose index is not known", named: false, replaces: false },
} as const;

const CODE: Operand = { text: null, readOnly: null, reason: "expression" };
const INTERPOLATED: Operand = { text: null, readOnly: null, reason: "interpolation" };

class PhpScan {
  readonly #text: string;
  readonly #problems: Problem[] = [];
  #at = 0;
  #depth = 0;
  #broken = false;

  constructor(text: string) {
    this.#text = text;
  }

  tree(): Tree {
    const found = findReturn(this.#text);
    if (found.kind === "branching") {
      this.#problem("expression", "what is returned depends on code", found.span);
      return { root: null, problems: this.#problems, isEditable: false };
    }
    this.#at = found.at;
    if (found.kind === "none") this.#break("no `return` of an array");
    this.#trivia();
    const root = found.kind === "found" ? this.#value("value") : null;
    if (root?.kind === "other") this.#problem("expression", "what is returned is not an array literal", root);
    if (root?.kind === "text") this.#break("what is returned is not an array");
    this.#trivia();
    const isEnded = this.#text[this.#at] === ";" || this.#text.startsWith("?>", this.#at);
    if (root?.kind === "branch" && !isEnded) this.#break("a semicolon is missing after the array");
    this.#checkTail();
    const branch = root?.kind === "branch" ? root : null;
    return { root: branch, problems: this.#problems, isEditable: !this.#broken && branch !== null };
  }

  #value(kind: ExpressionEnd): TreeNode {
    const array = this.#arrayStart();
    if (array === null) return this.#scalar(kind);
    if (this.#depth >= MAX_DEPTH) {
      this.#break(`nested deeper than ${MAX_DEPTH}`);
      return this.#rest(this.#at, "unsupported", kind);
    }
    this.#depth++;
    const branch = this.#array(array.open, array.close);
    this.#depth--;
    return this.#whole(branch, "expression", kind);
  }

  #arrayStart(): { readonly open: number; readonly close: string } | null {
    const first = this.#text.charCodeAt(this.#at);
    if (first === 0x5b) return { open: this.#at + 1, close: "]" };
    if (first !== 0x61 && first !== 0x41) return null;
    const word = identifierAt(this.#text, this.#at);
    if (word.length !== 5 || word.toLowerCase() !== "array") return null;
    const open = skipPhpTrivia(this.#text, this.#at + word.length);
    return this.#text[open] === "(" ? { open: open + 1, close: ")" } : null;
  }

  #array(open: number, close: string): BranchNode {
    const start = this.#at;
    const items = new PhpItems();
    this.#at = open;
    for (;;) {
      this.#trivia();
      if (this.#text[this.#at] === close) {
        this.#at++;
        break;
      }
      if (this.#at >= this.#text.length || this.#broken) {
        this.#break("the array is not closed");
        break;
      }
      this.#member(items);
      this.#trivia();
      if (this.#text[this.#at] === ",") this.#at++;
      else if (this.#text[this.#at] !== close) this.#break("a comma is missing");
    }
    return { kind: "branch", start, end: this.#at, open, members: items.members() };
  }

  #member(items: PhpItems): void {
    const start = this.#at;
    const first = this.#value("key");
    this.#trivia();
    const named = this.#text.startsWith("=>", this.#at);
    if (!named) {
      const isSpread = this.#text.startsWith("...", start);
      const name = isSpread ? null : items.nextIndex();
      if (name === null) this.#unknown(items, isSpread ? "spread" : "index", first, first);
      else items.add({ name, nameSpan: first, named, node: first, start, end: first.end });
      return;
    }
    this.#at += 2;
    this.#trivia();
    const node = this.#value("value");
    const span = { start, end: node.end };
    if (first.kind !== "text" || !isName(this.#text, first)) {
      this.#unknown(items, "key", first, span);
      return;
    }
    const quote = this.#text[start];
    const quoted = (quote === "'" || quote === '"') && quotedEnd(this.#text, start) === first.end;
    const nameSpan = quoted ? { start: start + 1, end: first.end - 1 } : { start, end: first.end };
    items.add({ name: first.value, nameSpan, named, node, ...span });
  }

  #unknown(items: PhpItems, cause: keyof typeof UNKNOWN, shown: Span, { start, end }: Span): void {
    const { what, named, replaces } = UNKNOWN[cause];
    this.#problem("expression", `${what} is not read`, shown);
    const node: OtherNode = { kind: "other", reason: "expression", start, end };
    items.addUnknown({ name: "", nameSpan: node, named, unknown: true, node, start, end }, replaces);
  }

  /** Scans literals joined by `.`, or a constant; any other expression is skipped as a whole. */
  #scalar(kind: ExpressionEnd): TextNode | OtherNode {
    const start = this.#at;
    const joined = this.#joined();
    const end = this.#at;
    if (joined !== null) {
      const { text: value, readOnly, reason } = joined;
      if (value !== null) return this.#whole({ kind: "text", value, readOnly, start, end }, reason, kind);
      return this.#whole({ kind: "other", reason, start, end }, reason, kind);
    }
    // Start over: part of the expression and opening brackets may have been scanned.
    const word = identifierAt(this.#text, start);
    const isConstant = /^(?:null|true|false)$/i.test(word) && this.#text[start + word.length] !== "\\";
    this.#at = isConstant ? start + word.length : start;
    if (!isConstant) return this.#rest(start, "expression", kind);
    const reason = /^n/i.test(word) ? "empty" : "type";
    const constant: OtherNode = { kind: "other", reason, start, end: this.#at };
    return this.#whole(constant, "expression", kind);
  }

  /** Returns what was scanned; if it is only the start of an expression (`[…] + […]`, `[…][0]`), skips all of it. */
  #whole<Node extends TreeNode>(
    node: Node,
    reason: OtherNode["reason"],
    kind: ExpressionEnd,
  ): Node | OtherNode {
    this.#trivia();
    if (!this.#atValueEnd()) {
      this.#expectOperator();
      return this.#rest(node.start, reason, kind);
    }
    this.#at = node.end;
    return node;
  }

  /** Scans the operands of a concatenation and stops after the last one; `null` if anything else is found. */
  #joined(): Operand | null {
    let all = this.#operand();
    while (all !== null) {
      const end = this.#at;
      this.#trivia();
      const dot = this.#text[this.#at] === "." && !/[.\d]/.test(this.#text[this.#at + 1] ?? "");
      if (!dot) {
        this.#at = end;
        return all;
      }
      this.#at++;
      this.#trivia();
      const next = this.#operand();
      all = next === null ? null : join(all, next);
    }
    return null;
  }

  /** Scans one literal, or a concatenation in parentheses; `null` if it is anything else. */
  #operand(): Operand | null {
    const start = this.#at;
    const first = this.#text.charCodeAt(start);
    if (first === 0x27 || first === 0x22) return this.#quoted(start, first);
    if (first === 0x3c) return this.#heredoc(start);
    if (first === 0x28) return this.#bracketed(start);
    if (first === 0x50 || first === 0x5c) return this.#lineEnd(start);
    const number = numberAt(this.#text, start);
    if (number === null) return null;
    this.#at = number.end;
    return { ...CODE, text: number.text };
  }

  #quoted(start: number, quote: number): Operand | null {
    const end = quotedEnd(this.#text, start);
    if (end === null) {
      this.#break("a string is not closed");
      return null;
    }
    this.#at = end;
    const body = this.#text.slice(start + 1, end - 1);
    if (quote === 0x27) return { ...CODE, text: unescapePhp(body, "'") };
    return phpInterpolation(body) === null ? { ...CODE, text: unescapePhp(body, '"') } : INTERPOLATED;
  }

  #heredoc(start: number): Operand | null {
    const heredoc = heredocAt(this.#text, start);
    if (heredoc === null) return null;
    this.#at = heredoc.end;
    const { body, raw, nowdoc } = heredoc;
    if (!nowdoc && raw !== null && phpInterpolation(raw) !== null) return INTERPOLATED;
    if (body === null) {
      this.#break(
        raw === null ? "a heredoc is not closed" : "a line is indented less than the heredoc's end",
      );
      return null;
    }
    return { ...CODE, text: nowdoc ? body : unescapePhp(body, "heredoc") };
  }

  /** Scans `('a' . 'b')` or `(string) 5`, whose text is the same without the cast. */
  #bracketed(start: number): Operand | null {
    if (this.#depth >= MAX_DEPTH) return null;
    this.#at = start + 1;
    this.#trivia();
    const isCast = identifierAt(this.#text, this.#at).toLowerCase() === "string";
    if (isCast) this.#at += "string".length;
    this.#depth++;
    const inside = isCast ? CODE : this.#joined();
    this.#depth--;
    if (inside === null) return null;
    this.#trivia();
    if (this.#text[this.#at] !== ")") return null;
    this.#at++;
    if (!isCast) return inside;
    this.#trivia();
    this.#depth++;
    const cast = this.#operand();
    this.#depth--;
    return cast;
  }

  /** Scans `PHP_EOL`: a line feed everywhere except on Windows. */
  #lineEnd(start: number): Operand | null {
    const at = this.#text[start] === "\\" ? start + 1 : start;
    if (identifierAt(this.#text, at) !== "PHP_EOL") return null;
    this.#at = at + "PHP_EOL".length;
    return { ...CODE, text: "\n", readOnly: "expression" };
  }

  /** Skips the rest of an expression that began at `start`. */
  #rest(start: number, reason: OtherNode["reason"], kind: ExpressionEnd): OtherNode {
    this.#at = skipExpression(this.#text, this.#at, kind);
    if (this.#at === start) this.#break("a value is missing");
    let end = this.#at;
    while (end > start && isPhpSpace(this.#text.charCodeAt(end - 1))) end--;
    return { kind: "other", reason, start, end };
  }

  #atValueEnd(): boolean {
    const text = this.#text;
    const at = this.#at;
    const char = text[at];
    return (
      char === undefined || ",;])}".includes(char) || text.startsWith("=>", at) || text.startsWith("?>", at)
    );
  }

  /** Reports two values without an operator between them: in `'it's'` the text ends too early. */
  #expectOperator(): void {
    if (/[-+*/%.?<>=!&|^[(]/.test(this.#text[this.#at] ?? "")) return;
    if (!/^(?:and|x?or|instanceof)$/i.test(identifierAt(this.#text, this.#at)))
      this.#break("a comma is missing");
  }

  /** Reports unmatched brackets after the array; the rest there is ignored. */
  #checkTail(): void {
    let depth = 0;
    while (this.#at < this.#text.length && depth >= 0) {
      this.#trivia();
      const char = this.#text[this.#at];
      if (char === "(" || char === "[") depth++;
      else if (char === ")" || char === "]") depth--;
      if (depth < 0) this.#break("a closing bracket without an opening one");
      if (identifierAt(this.#text, this.#at).toLowerCase() === "__halt_compiler") return;
      this.#at = skipPhpToken(this.#text, this.#at);
    }
  }

  #trivia(): void {
    this.#at = skipPhpTrivia(this.#text, this.#at);
  }

  #break(message: string): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#problem("syntax", message, { start: this.#at, end: Math.min(this.#at + 1, this.#text.length) });
  }

  #problem(code: Problem["code"], message: string, { start, end }: Span): void {
    this.#problems.push({ code, message, span: { start, end } });
  }
}

function join(a: Operand, b: Operand): Operand {
  if (a.text === null) return a;
  if (b.text === null) return b;
  return { ...CODE, text: a.text + b.text, readOnly: a.readOnly ?? b.readOnly };
}

/** Whether the text of a key is its name: not for floats, or for anything that is system-dependent. */
function isName(text: string, key: TextNode): boolean {
  if (key.readOnly !== null) return false;
  const first = text[key.start];
  return first === "'" || first === '"' || first === "<" || CANONICAL_INTEGER.test(key.value);
}
