/**
 * A PHP file that returns an array, to a tree with places. Reads literals and their concatenations; any other
 * expression is passed over whole and told. Nothing is ever executed.
 */
import type { Problem } from "./format.ts";
import {
  heredocAt,
  identifierAt,
  quotedEnd,
  skipPhpTrivia,
  skipStretch,
  type StretchEnd,
} from "./php-lexer.ts";
import { unescapeDouble, unescapeSingle } from "./php-strings.ts";
import {
  type BranchNode,
  MAX_DEPTH,
  type Member,
  type OtherNode,
  type TextNode,
  type Tree,
  type TreeNode,
} from "./tree.ts";

/** A quoted string with a variable in it. */
const INTERPOLATION = /(?<!\\)(?:\\\\)*(?:\$[A-Za-z_\u0080-\uffff]|\$\{|\{\$)/u;

/** Scans the whole text. Never throws; a file that breaks off or is no array leaves `sound` false. */
export function scanPhp(text: string): Tree {
  return new PhpScan(text).tree();
}

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
    const root = this.#toReturn() ? this.#value("value") : null;
    if (root === null) this.#break("no `return` of an array");
    if (root?.kind === "other") this.#problem("expression", "what is returned is not an array literal", root);
    if (root?.kind === "text") this.#break("what is returned is not an array");
    this.#trivia();
    if (root?.kind === "branch" && !this.#ended()) this.#break("unexpected text after the array");
    const branch = root?.kind === "branch" ? root : null;
    return { root: branch, problems: this.#problems, sound: !this.#broken && branch !== null };
  }

  /** After `return` of the file's own level; statements before it are passed over. */
  #toReturn(): boolean {
    const open = /<\?php(?=\s|$)/i.exec(this.#text);
    if (open === null) return false;
    this.#at = open.index + open[0].length;
    while (this.#at < this.#text.length) {
      this.#trivia();
      const word = identifierAt(this.#text, this.#at).toLowerCase();
      if (word === "return") {
        this.#at += word.length;
        this.#trivia();
        return true;
      }
      if (word === "namespace" || word === "declare") this.#passHead();
      else this.#passStatement();
    }
    return false;
  }

  /** The block of `namespace A { … }` or `declare(…) { … }` may hold the `return`: only its head is passed. */
  #passHead(): void {
    const head = /[{;]/g;
    head.lastIndex = this.#at;
    this.#at = head.test(this.#text) ? head.lastIndex : this.#text.length;
  }

  #passStatement(): void {
    this.#at = skipStretch(this.#text, this.#at, "statement");
    if (this.#text.startsWith("?>", this.#at)) this.#at = this.#text.length;
    else if (/[;,)\]}]/.test(this.#text[this.#at] ?? "")) this.#at++;
  }

  #ended(): boolean {
    const rest = this.#text[this.#at];
    return rest === undefined || rest === ";" || this.#text.startsWith("?>", this.#at);
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
    return this.#atValueEnd() ? branch : this.#rest(start, "expression", kind);
  }

  #arrayStart(): { readonly open: number; readonly close: string } | null {
    if (this.#text[this.#at] === "[") return { open: this.#at + 1, close: "]" };
    const word = identifierAt(this.#text, this.#at);
    if (word.toLowerCase() !== "array") return null;
    const open = skipPhpTrivia(this.#text, this.#at + word.length);
    return this.#text[open] === "(" ? { open: open + 1, close: ")" } : null;
  }

  #array(open: number, close: string): BranchNode {
    const start = this.#at;
    const members: Member[] = [];
    let nextIndex = 0;
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
      const member = this.#member(nextIndex);
      if (member !== null) {
        members.push(member);
        if (/^(?:0|-?[1-9]\d*)$/.test(member.name)) nextIndex = Math.max(nextIndex, Number(member.name) + 1);
      }
      this.#trivia();
      if (this.#text[this.#at] === ",") this.#at++;
      else if (this.#text[this.#at] !== close) this.#break("a comma is missing");
    }
    return { kind: "branch", start, end: this.#at, open, members };
  }

  /** `null` for an item whose name is not known; it has been passed over and told. */
  #member(nextIndex: number): Member | null {
    const start = this.#at;
    const first = this.#value("key");
    const firstEnd = first.end;
    this.#trivia();
    if (!this.#text.startsWith("=>", this.#at)) {
      if (first.kind === "other" && this.#text.startsWith("...", start)) {
        this.#problem("expression", "a spread holds entries that are not known", first);
        return null;
      }
      return { name: String(nextIndex), nameSpan: first, named: false, node: first, start, end: firstEnd };
    }
    this.#at += 2;
    this.#trivia();
    const node = this.#value("value");
    if (first.kind !== "text") {
      this.#problem("expression", "the key is not a plain text", first);
      return null;
    }
    const quoted =
      /^['"]/.test(this.#text[first.start] ?? "") && this.#text[first.end - 1] === this.#text[first.start];
    const nameSpan = quoted
      ? { start: first.start + 1, end: first.end - 1 }
      : { start: first.start, end: first.end };
    return { name: first.value, nameSpan, named: true, node, start, end: node.end };
  }

  /** A literal, or literals joined by `.`; else the whole expression, unread. */
  #scalar(kind: StretchEnd): TextNode | OtherNode {
    const start = this.#at;
    let value = "";
    let end = start;
    let known = true;
    let reason: "expression" | "interpolation" = "expression";
    let readOnly: TextNode["readOnly"] = null;
    for (;;) {
      const operand = this.#operand();
      if (operand === null) return this.#rest(start, reason, kind);
      if (operand.text === null) {
        known = false;
        reason = "interpolation";
      } else {
        value += operand.text;
      }
      readOnly ??= operand.readOnly;
      end = this.#at;
      this.#trivia();
      if (this.#atValueEnd()) break;
      if (/['"]/.test(this.#text[this.#at] ?? "")) this.#break("a comma is missing");
      if (this.#text[this.#at] !== "." || this.#text[this.#at + 1] === "=")
        return this.#rest(start, reason, kind);
      this.#at++;
      this.#trivia();
    }
    this.#at = end;
    if (!known) return { kind: "other", reason, start, end };
    return { kind: "text", value, readOnly, start, end };
  }

  /** One literal, passed; `text` is `null` when it holds a variable. `null`: no literal stands here. */
  #operand(): { readonly text: string | null; readonly readOnly: TextNode["readOnly"] } | null {
    const start = this.#at;
    const first = this.#text[start];
    if (first === "'" || first === '"') {
      const end = quotedEnd(this.#text, start);
      if (end === null) {
        this.#break("a string is not closed");
        return null;
      }
      this.#at = end;
      const body = this.#text.slice(start + 1, end - 1);
      if (first === "'") return { text: unescapeSingle(body), readOnly: null };
      return { text: INTERPOLATION.test(body) ? null : unescapeDouble(body, false), readOnly: null };
    }
    if (first === "<") {
      const heredoc = heredocAt(this.#text, start);
      if (heredoc === null) return null;
      this.#at = heredoc.end;
      const { body } = heredoc;
      if (body === null) {
        this.#break("a heredoc is not closed");
        return null;
      }
      if (heredoc.nowdoc) return { text: body, readOnly: null };
      return { text: INTERPOLATION.test(body) ? null : unescapeDouble(body, true), readOnly: null };
    }
    return this.#otherOperand(start);
  }

  /** Whole numbers and `PHP_EOL` have a known text too. */
  #otherOperand(start: number): { readonly text: string; readonly readOnly: TextNode["readOnly"] } | null {
    const number = /-?(?:0|[1-9][0-9]*)(?![\w.])/y;
    number.lastIndex = start;
    const digits = number.exec(this.#text)?.[0];
    if (digits !== undefined) {
      this.#at += digits.length;
      return { text: digits === "-0" ? "0" : digits, readOnly: null };
    }
    if (identifierAt(this.#text, start) !== "PHP_EOL") return null;
    this.#at += "PHP_EOL".length;
    return { text: "\n", readOnly: "expression" };
  }

  /** Passes the rest of an expression that began at `start`. */
  #rest(start: number, reason: OtherNode["reason"], kind: StretchEnd): OtherNode {
    this.#at = skipStretch(this.#text, Math.max(this.#at, start), kind);
    if (this.#at === start) this.#break("a value is missing");
    let end = this.#at;
    while (end > start && /\s/.test(this.#text[end - 1] ?? "")) end--;
    return { kind: "other", reason, start, end };
  }

  #atValueEnd(): boolean {
    const char = this.#text[this.#at];
    if (char === undefined || char === "," || char === ";" || char === "]" || char === ")" || char === "}")
      return true;
    return this.#text.startsWith("=>", this.#at) || this.#text.startsWith("?>", this.#at);
  }

  #trivia(): void {
    this.#at = skipPhpTrivia(this.#text, this.#at);
  }

  #break(message: string): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#problem("syntax", message, { start: this.#at, end: Math.min(this.#at + 1, this.#text.length) });
  }

  #problem(code: Problem["code"], message: string, { start, end }: { start: number; end: number }): void {
    this.#problems.push({ code, message, span: { start, end } });
  }
}
