/**
 * A key's name as it has to be written at a place in code: between the quotes there, in a string of that language, in
 * an attribute, in a template's tag. What is written counts only where the code, read again, means the name.
 */
import { applySplices } from "../../formats/edit.ts";
import type { Span } from "../../model/span.ts";
import { quoteAround, quoted, type Quote } from "../../scanners/lexers/quotes.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "../../scanners/usage.ts";
import { areReadAgain } from "./verify-usages.ts";

/** Signs that mean themselves in the quotes of every language. */
const PLAIN = /[\p{L}\p{N} _.,:;!?()/*+=~^|[\]…–—-]+/gu;

/** Writes names at one use's place. */
export class NameWriter {
  /** What of the code is replaced: the key's text inside its quotes. */
  readonly span: Span;
  readonly #text: string;
  readonly #use: KeyUsage;
  readonly #language: UsageLanguage;
  readonly #options: FindOptions;
  readonly #quote: Quote | null;
  /** For names of these special signs, the number of the way that was right. */
  readonly #ways = new Map<string, number>();
  #uses: readonly KeyUsage[] | undefined;

  constructor(text: string, use: KeyUsage, language: UsageLanguage, options: FindOptions) {
    this.#text = text;
    this.#use = use;
    this.#language = language;
    this.#options = options;
    this.span = use.written ?? use.keySpan;
    this.#quote = quoteAround(text, this.span);
  }

  /** Whether the key stands between quotes, as one literal. */
  get isQuoted(): boolean {
    return this.#quote !== null;
  }

  /** The name as it is written there; `null`: it cannot be said there. */
  write(name: string): string | null {
    if (name === "") return null;
    const ways = this.#waysOf(name);
    const signs = name.replaceAll(PLAIN, "a");
    // Nothing can go wrong between quotes, and completion asks for hundreds of names.
    if (this.#quote !== null && signs === "a") return name;
    const known = this.#ways.get(signs);
    if (known !== undefined) return ways[known] ?? null;
    const right = ways.findIndex((written) => this.#resolvesTo(written, name));
    this.#ways.set(signs, right);
    return ways[right] ?? null;
  }

  /** Every way in which some language would write it, the likeliest first. */
  #waysOf(name: string): readonly string[] {
    const quote = this.#quote;
    if (quote === null) {
      const isPart = /["'`]/.test(this.#text[this.span.start - 1] ?? "");
      // Bare, only what cannot be taken for code beside it.
      return !isPart && /^[A-Za-z_][\w.:-]*$/.test(name) ? [name] : [];
    }
    const escaped = quoted(name, quote, "");
    const inMarkup = name.replaceAll("&", "&amp;").replaceAll(quote, quote === '"' ? "&quot;" : "&#39;");
    return [
      escaped,
      // A value's beginning in PHP and in JavaScript's templates, then in Twig.
      quoted(name, quote, quote),
      escaped.replaceAll("#{", String.raw`\#{`),
      escaped.replaceAll("\n", String.raw`\n`).replaceAll("\r", String.raw`\r`),
      // Django's literals double the sign by themselves.
      escaped.replaceAll("%%", "%"),
      inMarkup,
      // A script in an attribute, whose quotes it cannot have.
      escaped.replaceAll(/\\?'/g, String.raw`\u0027`).replaceAll(/\\?"/g, String.raw`\u0022`),
      // Raw strings know no escapes.
      name,
    ];
  }

  #resolvesTo(written: string, name: string): boolean {
    const language = this.#language;
    const { start } = this.span;
    const splice = { ...this.span, text: written };
    this.#uses ??= language.find(this.#text, this.#options);
    const after = language.find(applySplices(this.#text, [splice]), this.#options);
    const { callSpan } = this.#use;
    const isHere = (use: KeyUsage): boolean =>
      (use.written ?? use.keySpan).start === start &&
      (use.written !== undefined || use.callSpan.start === callSpan.start);
    return areReadAgain(this.#uses, after, [splice], (use) => (isHere(use) ? name : null));
  }
}
