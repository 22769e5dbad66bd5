/**
 * Lexer for Twig templates: distinguishes expressions from text and comments, and finds the texts between `{% trans
 * %}` and `{% endtrans %}`. The masked text resembles JavaScript, whose syntax is close to that of Twig expressions.
 */
import type { Span } from "../../model/span.ts";
import { indexWithin, isSpace, skipSpace, wordEnd } from "./characters.ts";
import { EmbeddedCodeLexer } from "./embedded-code.ts";
import type { Masked } from "./masked-source.ts";

/** A tag that takes a text: the range after its name, and the range of the text up to the end tag, if any. */
export interface TransTag {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly head: Span;
  readonly body: Span | null;
}

export interface LexedTwig {
  readonly masked: Masked;
  readonly tags: readonly TransTag[];
}

const TAGS = new Set(["trans", "transchoice", "translate", "trans_default_domain"]);
const BODY_LIMIT = 10_000;

export function lexTwig(text: string): LexedTwig {
  const lexer = new TwigLexer(text);
  return { masked: lexer.run(), tags: lexer.tags };
}

class TwigLexer extends EmbeddedCodeLexer {
  readonly tags: TransTag[] = [];

  protected override openers(): RegExp {
    return /\{[{%#]/g;
  }

  protected override open({ 0: opener, index: open }: RegExpExecArray): number {
    if (opener === "{#") return this.after("#}", open + 2);
    let start = open + 2;
    if (/[-~]/.test(this.text[start] ?? "")) start++;
    if (opener === "{{") return this.#expression(start, "}}");
    start = skipSpace(this.text, start);
    const nameEnd = wordEnd(this.text, start);
    const name = this.text.slice(start, nameEnd);
    const after = this.#expression(nameEnd, "%}");
    if (name === "verbatim" || name === "raw") return this.#endTag(`end${name}`, after, this.text.length).end;
    if (TAGS.has(name)) this.#tag(name, open, { start: nameEnd, end: Math.max(nameEnd, this.done) }, after);
    return after;
  }

  #tag(name: string, start: number, head: Span, after: number): void {
    const first = this.text[skipSpace(this.text, head.start, head.end)];
    // `{% trans "text" %}` has no end tag.
    const alone = name === "trans_default_domain" || first === '"' || first === "'";
    const close = alone ? null : this.#endTag(`end${name}`, after, after + BODY_LIMIT);
    if (close !== null && close.start === close.end) return;
    this.tags.push({
      start,
      end: close?.end ?? after,
      name,
      head,
      body: close === null ? null : { start: after, end: close.start },
    });
  }

  /** Lexes an expression from `start` to its closer; returns the offset after that. */
  #expression(start: number, closer: string): number {
    const text = this.text;
    const mask = this.mask;
    mask.separate(this.done, start);
    let depth = 0;
    let at = start;
    const finish = (end: number, after: number): number => {
      this.done = end;
      return after;
    };
    while (at < text.length) {
      const char = text[at] ?? "";
      if (depth <= 0 && text.startsWith(closer, at)) return finish(at, at + 2);
      switch (char) {
        case "'":
        case '"':
          at = this.#string(at, char);
          break;
        case "(":
        case "[":
          depth++;
          at++;
          break;
        case ")":
        case "]":
        case "}":
          depth--;
          at++;
          break;
        case "{":
          // Another opener: this expression is not closed.
          if (/[{%#]/.test(text[at + 1] ?? "")) return finish(at, at);
          depth++;
          at++;
          break;
        case "%":
          // The closer of the other kind also ends a malformed expression.
          if (text[at + 1] === "}") return finish(at, at + 2);
          at++;
          break;
        case "~":
          if (!text.startsWith(closer, at + 1)) mask.mark(at, at + 1, "+");
          else mask.hide(at, at + 1);
          at++;
          break;
        case "-":
          if (text.startsWith(closer, at + 1)) mask.hide(at, at + 1);
          at++;
          break;
        case "#":
          at = this.#comment(at);
          break;
        default:
          at++;
      }
    }
    return finish(text.length, text.length);
  }

  /** Lexes a comment from `#` to the end of the line. */
  #comment(at: number): number {
    const end = /\n|[%}]\}|$/g;
    end.lastIndex = at;
    const stop = end.exec(this.text)?.index ?? this.text.length;
    this.mask.hide(at, stop);
    return stop;
  }

  /** Lexes a string; one with `#{…}` is marked as a template. Returns the offset after it. */
  #string(open: number, quote: string): number {
    const text = this.text;
    const holes: Span[] = [];
    let at = open + 1;
    for (; at < text.length; at++) {
      const char = text[at];
      if (char === "\\") at++;
      else if (char === quote) break;
      else if (char === "#" && quote === '"' && text[at + 1] === "{") {
        const close = text.indexOf("}", at);
        if (close === -1) break;
        holes.push({ start: at + 1, end: close + 1 });
        at = close;
      }
    }
    const end = Math.min(at, text.length);
    if (holes.length === 0) this.mask.blank(open + 1, end);
    else {
      this.mask.mark(open, open + 1, "`");
      let from = open + 1;
      for (const hole of holes) {
        this.mask.blank(from, hole.start);
        from = hole.end;
      }
      this.mask.blank(from, end);
      this.mask.mark(end, end + 1, "`");
    }
    return Math.min(end + 1, text.length);
  }

  /** Returns the range of the end tag between the offsets; an empty range at the end of the text if there is none. */
  #endTag(name: string, from: number, to: number): Span {
    const text = this.text;
    const none = { start: text.length, end: text.length };
    const found = indexWithin(text, name, from, to);
    if (found === -1) return none;
    let start = found;
    while (start > from && isSpace(text.charCodeAt(start - 1))) start--;
    if (/[-~]/.test(text[start - 1] ?? "")) start--;
    return text.startsWith("{%", start - 2) ? { start: start - 2, end: this.after("%}", found) } : none;
  }
}
