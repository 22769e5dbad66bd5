/**
 * A PHP file that returns an array, to a tree with places. Reads literals, their concatenations and what stands in
 * brackets; any other expression is passed over whole and told. Nothing is ever executed.
 */
import type { Problem, Span } from "../format.ts";
import {
  heredocAt,
  identifierAt,
  isPhpSpace,
  quotedEnd,
  skipPhpToken,
  skipPhpTrivia,
  skipStretch,
  type StretchEnd,
} from "./php-lexer.ts";
import { PhpItems, WHOLE } from "./php-items.ts";
import { numberAt } from "./php-number.ts";
import { findReturn } from "./php-return.ts";
import { hasVariables, unescapeDouble, unescapeSingle } from "./php-strings.ts";
import {
  type BranchNode,
  MAX_DEPTH,
  type OtherNode,
  type TextNode,
  type Tree,
  type TreeNode,
} from "../tree/tree.ts";

/** Scans the whole text. Never throws; a file that breaks off or is no array leaves `sound` false. */
export function scanPhp(text: string): Tree {
  return new PhpScan(text).tree();
}

/** A part of a concatenation. */
interface Operand {
  /** `null`: code makes it, or its bytes are no text. */
  readonly text: string | null;
  readonly readOnly: TextNode["readOnly"];
  /** Why `text` is `null`. */
  readonly reason: "expression" | "interpolation";
}

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
      return { root: null, problems: this.#problems, sound: false };
    }
    this.#at = found.at;
    if (found.kind === "none") this.#break("no `return` of an array");
    this.#trivia();
    const root = found.kind === "found" ? this.#value("value") : null;
    if (root?.kind === "other") this.#problem("expression", "what is returned is not an array literal", root);
    if (root?.kind === "text") this.#break("what is returned is not an array");
    this.#trivia();
    if (root?.kind === "branch" && !this.#ended()) this.#break("a semicolon is missing after the array");
    this.#checkTail();
    const branch = root?.kind === "branch" ? root : null;
    return { root: branch, problems: this.#problems, sound: !this.#broken && branch !== null };
  }

  #ended(): boolean {
    return this.#text[this.#at] === ";" || this.#text.startsWith("?>", this.#at);
  }

  #value(kind: StretchEnd): TreeNode {
    const array = this.#arrayStart();
    if (array === null) return this.#scalar(kind);
    if (this.#depth >= MAX_DEPTH) {
      this.#break(`nested deeper than ${MAX_DEPTH}`);
      return this.#rest(this.#at, "unsupported", kind);
    }
    const start = this.#at;
    this.#depth++;
    const branch = this.#array(array.open, array.close);
    this.#depth--;
    this.#trivia();
    // `[…] + […]`, `[…][0]`: not the array alone.
    if (this.#atValueEnd()) return branch;
    this.#expectOperator();
    return this.#rest(start, "expression", kind);
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
    const { end } = first;
    this.#trivia();
    if (!this.#text.startsWith("=>", this.#at)) {
      const spread = first.kind === "other" && this.#text.startsWith("...", start);
      const name = spread ? null : items.nextIndex();
      if (name !== null) items.add({ name, nameSpan: first, named: false, node: first, start, end });
      else if (spread) this.#unknown(items, "what is spread here", first, { start, end }, "spread");
      else this.#unknown(items, "an item whose index is not known", first, { start, end }, "item");
      return;
    }
    this.#at += 2;
    this.#trivia();
    const node = this.#value("value");
    if (first.kind !== "text" || !isName(this.#text, first)) {
      this.#unknown(items, "an item whose key is not known", first, { start, end: node.end }, "named");
      return;
    }
    const quote = this.#text[start];
    const quoted = (quote === "'" || quote === '"') && quotedEnd(this.#text, start) === end;
    const nameSpan = quoted ? { start: start + 1, end: end - 1 } : { start, end };
    items.add({ name: first.value, nameSpan, named: true, node, start, end: node.end });
  }

  #unknown(
    items: PhpItems,
    what: string,
    told: Span,
    { start, end }: Span,
    kind: "spread" | "named" | "item",
  ): void {
    this.#problem("expression", `${what} is not read`, told);
    const node: OtherNode = { kind: "other", reason: "expression", start, end };
    const named = kind === "named";
    items.addUnknown({ name: "", nameSpan: node, named, unknown: true, node, start, end }, kind !== "item");
  }

  /** Literals joined by `.`; else the whole expression, unread. */
  #scalar(kind: StretchEnd): TextNode | OtherNode {
    const start = this.#at;
    const constant = this.#constant(kind);
    if (constant !== null) return constant;
    const joined = this.#joined();
    if (joined === null) {
      // Some of it may have been read, and brackets opened.
      this.#at = start;
      return this.#rest(start, "expression", kind);
    }
    const end = this.#at;
    this.#trivia();
    if (!this.#atValueEnd()) {
      this.#expectOperator();
      return this.#rest(start, joined.reason, kind);
    }
    this.#at = end;
    if (joined.text === null) return { kind: "other", reason: joined.reason, start, end };
    return { kind: "text", value: joined.text, readOnly: joined.readOnly, start, end };
  }

  /** `null`, `true` and `false`, standing alone. */
  #constant(kind: StretchEnd): OtherNode | null {
    const start = this.#at;
    if (!/[ntfNTF]/.test(this.#text[start] ?? "")) return null;
    const word = identifierAt(this.#text, start);
    if (!/^(?:null|true|false)$/i.test(word)) return null;
    const end = start + word.length;
    this.#at = end;
    this.#trivia();
    if (!this.#atValueEnd()) return this.#rest(start, "expression", kind);
    this.#at = end;
    return { kind: "other", reason: word.length === 4 && /^n/i.test(word) ? "empty" : "type", start, end };
  }

  /** Operands up to what is no `.`, the place after the last of them; `null` when something else stands there. */
  #joined(): Operand | null {
    let all = this.#operand();
    if (all === null) return null;
    for (;;) {
      const end = this.#at;
      this.#trivia();
      const dot = this.#text[this.#at] === "." && !/[.=\d]/.test(this.#text[this.#at + 1] ?? "");
      if (!dot) {
        this.#at = end;
        return all;
      }
      this.#at++;
      this.#trivia();
      const next = this.#operand();
      if (next === null) return null;
      all = join(all, next);
    }
  }

  /** One literal, or a concatenation in brackets, passed. `null`: something else stands here. */
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
    return { text: number.text, readOnly: null, reason: "expression" };
  }

  #quoted(start: number, quote: number): Operand | null {
    const end = quotedEnd(this.#text, start);
    if (end === null) {
      this.#break("a string is not closed");
      return null;
    }
    this.#at = end;
    const body = this.#text.slice(start + 1, end - 1);
    if (quote === 0x27) return { text: unescapeSingle(body), readOnly: null, reason: "expression" };
    return hasVariables(body) ? INTERPOLATED : { ...CODE, text: unescapeDouble(body, false) };
  }

  #heredoc(start: number): Operand | null {
    const heredoc = heredocAt(this.#text, start);
    if (heredoc === null) return null;
    this.#at = heredoc.end;
    const { body, raw, nowdoc } = heredoc;
    if (!nowdoc && raw !== null && hasVariables(raw)) return INTERPOLATED;
    if (body === null) {
      this.#break(
        raw === null ? "a heredoc is not closed" : "a line stands further out than the heredoc's end",
      );
      return null;
    }
    return { ...CODE, text: nowdoc ? body : unescapeDouble(body, true) };
  }

  /** `('a' . 'b')`, and `(string) 5`, which says the same without the cast. */
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

  /** `PHP_EOL` is a line end on all but Windows' PHP. */
  #lineEnd(start: number): Operand | null {
    const at = this.#text[start] === "\\" ? start + 1 : start;
    if (identifierAt(this.#text, at) !== "PHP_EOL") return null;
    this.#at = at + "PHP_EOL".length;
    return { text: "\n", readOnly: "expression", reason: "expression" };
  }

  /** Passes the rest of an expression that began at `start`. */
  #rest(start: number, reason: OtherNode["reason"], kind: StretchEnd): OtherNode {
    this.#at = skipStretch(this.#text, this.#at, kind);
    if (this.#at === start) this.#break("a value is missing");
    let end = this.#at;
    while (end > start && isPhpSpace(this.#text.charCodeAt(end - 1))) end--;
    return { kind: "other", reason, start, end };
  }

  #atValueEnd(): boolean {
    const char = this.#text[this.#at];
    if (char === undefined || char === "," || char === ";" || char === "]" || char === ")" || char === "}")
      return true;
    return this.#text.startsWith("=>", this.#at) || this.#text.startsWith("?>", this.#at);
  }

  /** Between two values something must stand: the quote of `'it's'` ends the text too early. */
  #expectOperator(): void {
    if (/[-+*/%.?<>=!&|^[(]/.test(this.#text[this.#at] ?? "")) return;
    if (!/^(?:and|x?or|instanceof)$/i.test(identifierAt(this.#text, this.#at)))
      this.#break("a comma is missing");
  }

  /** What follows the array is not read, but brackets that nothing opened say that the file is broken. */
  #checkTail(): void {
    let depth = 0;
    while (this.#at < this.#text.length && depth >= 0) {
      this.#trivia();
      const char = this.#text[this.#at];
      if (char === "(" || char === "[") depth++;
      else if (char === ")" || char === "]") depth--;
      if (depth < 0) this.#break("a bracket closes that nothing opened");
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
  return { text: a.text + b.text, readOnly: a.readOnly ?? b.readOnly, reason: "expression" };
}

/** Whether the text of a key is its name: a float is not, nor what differs from system to system. */
function isName(text: string, key: TextNode): boolean {
  if (key.readOnly !== null) return false;
  const first = text[key.start];
  return first === "'" || first === '"' || first === "<" || WHOLE.test(key.value);
}
