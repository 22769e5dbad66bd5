/**
 * Scans JSON into a tree with ranges, and writes names, texts and brackets in the style of the file (`\/`, `\u00e9`).
 * Comments and trailing commas are accepted when reading; any other syntax error is a problem and makes the file
 * read-only.
 */
import type { Problem } from "../format.ts";
import type { TreeStyle, TreeSyntax } from "../object-tree/tree-serializer.ts";
import {
  type BranchNode,
  MAX_DEPTH,
  type Member,
  type OtherNode,
  type Tree,
  type TreeNode,
} from "../object-tree/value-tree.ts";
import { type UnicodeEscapeStyle, withUnicodeEscapes } from "../text/unicode-escapes.ts";

/** Maximum number of problems reported for a file; users start with the first ones anyway. */
const MAX_PROBLEMS = 50;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const WORD = /[\w$.+-]+/y;

/** Scans the whole text. Never throws; syntax errors are problems and make `isEditable` false. */
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
    this.#skipTrivia();
    const root = this.#at < this.#text.length ? this.#value() : null;
    this.#skipTrivia();
    if (this.#isTooDeep) return { root: null, problems: this.#problems, isEditable: false };
    if (this.#at < this.#text.length && root !== null) this.#problem("text after the end", this.#text.length);
    const isObject = root?.kind === "branch" && (this.#text[root.start] === "{" || root.members.length === 0);
    if (isObject) return { root, problems: this.#problems, isEditable: this.#problems.length === 0 };
    if (this.#problems.length === 0) this.#problemAt("no object", root?.start ?? 0, root?.end ?? 0);
    return { root: null, problems: this.#problems, isEditable: false };
  }

  /** Scans the value at the current offset; `null` after reporting that there is none. */
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
      return { kind: "branch", start, end: this.#at, open, members: [] };
    }
    const close = isList ? 0x5d : 0x7d;
    const members: Member[] = [];
    for (;;) {
      this.#skipTrivia();
      const code = this.#text.charCodeAt(this.#at);
      if (code === close) {
        this.#at++;
        break;
      }
      if (this.#at >= this.#text.length) {
        // Reported for the innermost value only, and not at all if an earlier error may be the cause.
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
      if (member === null) this.#skipToNextMember();
      else members.push(member);
      this.#skipTrivia();
      const next = this.#text.charCodeAt(this.#at);
      if (next === 0x2c) this.#at++;
      else if (next === 0x5d || next === 0x7d) {
        if (next === close) continue;
        this.#problem("a mismatched bracket", this.#at + 1);
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
    this.#skipTrivia();
    if (this.#text.charCodeAt(this.#at) !== 0x3a) {
      this.#problem("a colon is missing", this.#at + 1);
      return null;
    }
    this.#at++;
    this.#skipTrivia();
    const node = this.#value();
    return node === null ? null : { name, nameSpan, named: true, node, start, end: node.end };
  }

  /** Scans the string at the current offset; `null` after reporting what is wrong with it. Advances in both cases. */
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
      this.#problemAt("a string with an invalid escape or control character", start, at + 1);
      return null;
    }
  }

  /** Scans `true`, `false`, `null` or a number; reports anything else. */
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
      this.#problem("no JSON value", end);
      return null;
    }
    this.#at = end;
    return { kind: "other", reason: word === "null" ? "empty" : "type", start, end };
  }

  #wordEnd(): number {
    WORD.lastIndex = this.#at;
    return WORD.test(this.#text) ? WORD.lastIndex : Math.min(this.#at + 1, this.#text.length);
  }

  /** Skips invalid text up to the comma or closing bracket that ends it. */
  #skipToNextMember(): void {
    const text = this.#text;
    let depth = 0;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (depth === 0 && (code === 0x2c || code === 0x5d || code === 0x7d)) return;
      if (code === 0x22 || code === 0x27) {
        this.#skipQuoted(code);
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

  #skipQuoted(quote: number): void {
    const text = this.#text;
    for (this.#at++; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === 0x5c) this.#at++;
      else if (code === quote) break;
      else if (code === 0x0a || code === 0x0d) return;
    }
    this.#at = Math.min(this.#at + 1, text.length);
  }

  #skipTrivia(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code <= 0x20 || code === 0x2f) this.#at = skipJsonTrivia(this.#text, this.#at);
  }

  #problem(message: string, end: number): void {
    this.#problemAt(message, this.#at, Math.min(end, this.#text.length));
  }

  #problemAt(message: string, start: number, end: number): void {
    if (this.#problems.length < MAX_PROBLEMS) {
      this.#problems.push({ code: "syntax", message, span: { start, end } });
    }
  }
}

/** Returns the JSON syntax; `unit` is the indentation of one level if the file shows none. */
export function jsonSyntax(unit: string): TreeSyntax {
  return {
    skipTrivia: skipJsonTrivia,
    hasNamelessLists: true,
    comments: "if-present",
    styleOf: (text) => jsonStyle(text, unit),
  };
}

/** Returns the offset after white space and comments. */
export function skipJsonTrivia(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d) {
      at++;
    } else if (code === 0x2f && text[at + 1] === "/") {
      while (at < text.length && text[at] !== "\n" && text[at] !== "\r") at++;
    } else if (code === 0x2f && text[at + 1] === "*") {
      const end = text.indexOf("*/", at + 2);
      at = end < 0 ? text.length : end + 2;
    } else {
      return at;
    }
  }
}

/** A file's choice of optional escapes. */
interface Escapes extends UnicodeEscapeStyle {
  readonly slash: boolean;
  /** Those of `<>&'"` that the file always escapes, with their escapes (PHP's `JSON_HEX_TAG` and similar flags). */
  readonly signs: readonly (readonly [sign: string, escape: string])[];
}

function jsonStyle(text: string, unit: string): TreeStyle {
  const escapes = escapesOf(text);
  return {
    unit,
    trailingComma: false,
    value: (value, example) => jsonLiteral(value, example, escapes),
    head: (name, [example]) =>
      jsonLiteral(name, null, escapes) + (/\s*:\s*$/.exec(example ?? "")?.[0] ?? ": "),
    brackets: (_, isList) => (isList ? ["[", "]"] : ["{", "}"]),
  };
}

// Preceded only by complete escapes, so that the backslash is not the second one of `\\\\`.
const SLASH = /(?<!\\)(?:\\\\)*\\\//;
const UNICODE = /(?<!\\)(?:\\\\)*\\u[0-9A-Fa-f]{4}/;
// Excludes `\u003C` and `\u003E`, which PHP writes in upper case even next to `\u00e9`.
const UPPER_HEX = /(?<!\\)(?:\\\\)*\\u(?!003[CE])(?=[0-9A-F]{4})[0-9]{0,3}[A-F]/;

/** Characters that are escaped for use in HTML, and their escapes. */
const SIGNS = [
  ["<", /(?<!\\)(?:\\\\)*\\u003c/i],
  [">", /(?<!\\)(?:\\\\)*\\u003e/i],
  ["&", /(?<!\\)(?:\\\\)*\\u0026/],
  ["'", /(?<!\\)(?:\\\\)*\\u0027/],
  ['"', /(?<!\\)(?:\\\\)*\\u0022/],
] as const;
const QUOTE = /(?<!\\)(?:\\\\)*\\"/;

function signIn(text: string, sign: string, escape: RegExp): [string, string][] {
  const found = escape.exec(text)?.[0].slice(-6);
  const isRaw = sign === '"' ? QUOTE.test(text) : text.includes(sign);
  return found === undefined || isRaw ? [] : [[sign, found]];
}

function escapesOf(text: string): Escapes {
  const unicode = UNICODE.test(text);
  return {
    slash: SLASH.test(text),
    ascii: unicode && !/[\u0080-\uffff]/.test(text),
    upperHex: UPPER_HEX.test(text),
    signs: unicode ? SIGNS.flatMap(([sign, escape]) => signIn(text, sign, escape)) : [],
  };
}

/** Returns a literal. Optional escapes follow the literal that it replaces, if that shows a preference. */
function jsonLiteral(value: string, example: string | null, escapes: Escapes): string {
  const slash = example?.includes("/") === true ? SLASH.test(example) : escapes.slash;
  const literal = JSON.stringify(value);
  let written = withUnicodeEscapes(slash ? literal.replaceAll("/", "\\/") : literal, example, escapes);
  for (const [sign, escape] of escapes.signs) {
    written =
      sign === '"'
        ? `"${written.slice(1, -1).replaceAll(/\\[^]/g, (pair) => (pair === '\\"' ? escape : pair))}"`
        : written.replaceAll(sign, escape);
  }
  return written;
}
