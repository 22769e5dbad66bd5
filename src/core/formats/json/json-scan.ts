/**
 * JSON text to a tree with places. Comments and trailing commas are taken, so that a hand-kept file is not lost
 * over them; whether they may be written is not decided here. Everything else must be JSON: what is not is told,
 * passed over, and leaves the file not to be changed.
 */
import type { Problem } from "../format.ts";
import { skipJsonTrivia } from "./json-tree.ts";
import {
  type BranchNode,
  MAX_DEPTH,
  type Member,
  type OtherNode,
  type Tree,
  type TreeNode,
} from "../tree/tree.ts";

/** Problems that are told of one file; the first ones are what a person mends. */
const MOST_PROBLEMS = 50;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const WORD = /[\w$.+-]+/y;
const NO_MEMBERS: readonly Member[] = [];

/** Scans the whole text. Never throws; what cannot be understood is a `syntax` problem and leaves `sound` false. */
export function scanJson(text: string): Tree {
  return new JsonScan(text).tree();
}

class JsonScan {
  readonly #text: string;
  readonly #problems: Problem[] = [];
  #at = 0;
  #depth = 0;
  #isTooDeep = false;

  constructor(text: string) {
    this.#text = text;
  }

  tree(): Tree {
    this.#trivia();
    const root = this.#at < this.#text.length ? this.#value() : null;
    this.#trivia();
    if (this.#isTooDeep) return { root: null, problems: this.#problems, sound: false };
    if (this.#at < this.#text.length && root !== null) this.#problem("text after the end", this.#text.length);
    const isObject = root?.kind === "branch" && (this.#text[root.start] === "{" || root.members.length === 0);
    if (isObject) return { root, problems: this.#problems, sound: this.#problems.length === 0 };
    if (this.#problems.length === 0) this.#problemAt("no object", root?.start ?? 0, root?.end ?? 0);
    return { root: null, problems: this.#problems, sound: false };
  }

  /** The value at hand, or `null` after telling that there is none. */
  #value(): TreeNode | null {
    const start = this.#at;
    const code = this.#text.charCodeAt(start);
    if (code === 0x22) {
      const value = this.#string();
      return value === null ? null : { kind: "text", value, readOnly: null, start, end: this.#at };
    }
    if (code === 0x7b || code === 0x5b) return this.#branch(code === 0x5b);
    return this.#literal();
  }

  #branch(isList: boolean): BranchNode {
    const start = this.#at++;
    const open = this.#at;
    if (++this.#depth > MAX_DEPTH) {
      if (!this.#isTooDeep) this.#problemAt(`nested deeper than ${MAX_DEPTH}`, start, open);
      this.#isTooDeep = true;
      this.#at = this.#text.length;
      return { kind: "branch", start, end: this.#at, open, members: NO_MEMBERS };
    }
    const close = isList ? 0x5d : 0x7d;
    const members: Member[] = [];
    for (;;) {
      this.#trivia();
      const code = this.#text.charCodeAt(this.#at);
      if (code === close) {
        this.#at++;
        break;
      }
      if (this.#at >= this.#text.length) {
        // Told of the innermost one, and not at all where an earlier mistake may be why.
        if (this.#problems.length === 0) {
          this.#problemAt(isList ? "no closing bracket" : "no closing brace", start, open);
        }
        break;
      }
      if (code === 0x2c) {
        this.#problem("a value is missing", this.#at + 1);
        this.#at++;
        continue;
      }
      const member = isList ? this.#item(members.length) : this.#member();
      if (member === null) this.#pass();
      else members.push(member);
      this.#trivia();
      const next = this.#text.charCodeAt(this.#at);
      if (next === 0x2c) this.#at++;
      else if (next === 0x5d || next === 0x7d) {
        if (next === close) continue;
        this.#problem("a bracket of the other kind", this.#at + 1);
        this.#at++;
        break;
      } else if (this.#at < this.#text.length) this.#problem("a comma is missing", this.#at + 1);
    }
    this.#depth--;
    return { kind: "branch", start, end: this.#at, open, members };
  }

  #item(index: number): Member | null {
    const node = this.#value();
    if (node === null) return null;
    const { start, end } = node;
    return { name: String(index), nameSpan: { start, end }, named: false, node, start, end };
  }

  #member(): Member | null {
    const start = this.#at;
    if (this.#text.charCodeAt(start) !== 0x22) {
      this.#problem("a name in double quotes is missing", this.#wordEnd());
      return null;
    }
    const name = this.#string();
    if (name === null) return null;
    const nameSpan = { start: start + 1, end: this.#at - 1 };
    this.#trivia();
    if (this.#text.charCodeAt(this.#at) !== 0x3a) {
      this.#problem("a colon is missing", this.#at + 1);
      return null;
    }
    this.#at++;
    this.#trivia();
    const node = this.#value();
    return node === null ? null : { name, nameSpan, named: true, node, start, end: node.end };
  }

  /** The string at hand; `null` after telling what is wrong with it. It is passed either way. */
  #string(): string | null {
    const text = this.#text;
    const start = this.#at;
    let isPlain = true;
    let at = start + 1;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) break;
      if (code === 0x5c) {
        isPlain = false;
        at++;
      } else if (code === 0x0a || code === 0x0d) {
        this.#at = at;
        this.#problemAt("a string is not closed on its line", start, at);
        return null;
      } else if (code < 0x20) {
        isPlain = false;
      }
    }
    if (at >= text.length) {
      this.#at = text.length;
      this.#problemAt("a string is not closed", start, text.length);
      return null;
    }
    this.#at = at + 1;
    if (isPlain) return text.slice(start + 1, at);
    try {
      return JSON.parse(text.slice(start, at + 1)) as string;
    } catch {
      this.#problemAt("a string with an escape or a control character that JSON has not", start, at + 1);
      return null;
    }
  }

  /** `true`, `false`, `null`, a number; anything else is told. */
  #literal(): OtherNode | null {
    const start = this.#at;
    NUMBER.lastIndex = start;
    if (NUMBER.test(this.#text)) {
      this.#at = NUMBER.lastIndex;
      return { kind: "other", reason: "type", start, end: this.#at };
    }
    const end = this.#wordEnd();
    const word = end - start <= 5 ? this.#text.slice(start, end) : "";
    if (word !== "null" && word !== "true" && word !== "false") {
      this.#problem("no value of JSON", end);
      return null;
    }
    this.#at = end;
    return { kind: "other", reason: word === "null" ? "empty" : "type", start, end };
  }

  #wordEnd(): number {
    WORD.lastIndex = this.#at;
    return WORD.test(this.#text) ? WORD.lastIndex : Math.min(this.#at + 1, this.#text.length);
  }

  /** Passes what was not understood: up to the comma or closing bracket that ends it. */
  #pass(): void {
    const text = this.#text;
    let depth = 0;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (depth === 0 && (code === 0x2c || code === 0x5d || code === 0x7d)) return;
      if (code === 0x22 || code === 0x27) {
        this.#passQuoted(code);
        continue;
      }
      const next = skipJsonTrivia(text, this.#at);
      if (next > this.#at) {
        this.#at = next;
        continue;
      }
      if (code === 0x5b || code === 0x7b) depth++;
      else if (code === 0x5d || code === 0x7d) depth--;
      this.#at++;
    }
  }

  #passQuoted(quote: number): void {
    const text = this.#text;
    for (this.#at++; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === 0x5c) this.#at++;
      else if (code === quote) break;
      else if (code === 0x0a || code === 0x0d) return;
    }
    this.#at = Math.min(this.#at + 1, text.length);
  }

  #trivia(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code <= 0x20 || code === 0x2f) this.#at = skipJsonTrivia(this.#text, this.#at);
  }

  #problem(message: string, end: number): void {
    this.#problemAt(message, this.#at, Math.min(end, this.#text.length));
  }

  #problemAt(message: string, start: number, end: number): void {
    if (this.#problems.length < MOST_PROBLEMS) {
      this.#problems.push({ code: "syntax", message, span: { start, end } });
    }
  }
}
