/**
 * Spelling of key names in source code: in the literal, attribute, template tag or block of an existing usage. A
 * spelling is accepted only if scanning the changed code yields the name and leaves all other usages as they are.
 */
import { applySplices } from "../../formats/editing/apply-verified-edit.ts";
import type { Span } from "../../util/span.ts";
import { quoteAround, quoted, type Quote } from "../../scanners/lexers/literals.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "../../scanners/key-usage.ts";
import type { Splice } from "../../formats/format.ts";

/** Characters that are literal in the quotes of every language, with a preceding special character that may combine. */
const PLAIN = /([\\$&<]?)[\p{L}\p{N} _.,:;!?()/*+=~^|[\]…–—-]+/gu;

/** Writes names in place of the key of one usage. */
export class NameWriter {
  /** The replaced range: the key inside its quotes. */
  readonly span: Span;
  readonly #text: string;
  readonly #use: KeyUsage;
  readonly #language: UsageLanguage;
  readonly #options: FindOptions;
  readonly #quote: Quote | null;
  /** The index of the correct spelling, by the special characters of the name. */
  readonly #spellingIndexes = new Map<string, number>();
  #uses: readonly KeyUsage[] | undefined;

  constructor(text: string, use: KeyUsage, language: UsageLanguage, options: FindOptions) {
    this.#text = text;
    this.#use = use;
    this.#language = language;
    this.#options = options;
    this.span = use.literalSpan ?? use.keySpan;
    this.#quote = quoteAround(text, this.span);
  }

  /** Whether the key is a single quoted literal. */
  get isQuoted(): boolean {
    return this.#quote !== null;
  }

  /** Returns the edit that writes the name, in a literal or as the text of a block; `null` if that is impossible. */
  spliceFor(name: string): Splice | null {
    const { expression, callee } = this.#use;
    const isTag = this.#language.comments === "template" && /^(?:block)?trans/.test(callee);
    if (isTag && this.#quote === null && expression.kind === "static")
      return this.#blockSplice(name, expression.key);
    const written = this.write(name);
    return written === null ? null : { ...this.span, text: written };
  }

  /** Returns the splice for the block's text; `null` if its variables would change. */
  #blockSplice(name: string, before: string): Splice | null {
    const { callSpan } = this.#use;
    // Changed variables would also require changes of the tag.
    if (valuesOf(name).join("\n") !== valuesOf(before).join("\n")) return null;
    this.#uses ??= this.#language.find(this.#text, this.#options);
    for (const single of [true, false]) {
      const parts = name
        .split(VALUE)
        .map((part, index) =>
          index % 2 === 1 ? `{{ ${part.slice(2, -2)} }}` : single ? part.replaceAll("%%", "%") : part,
        );
      const splice = { ...this.span, text: parts.join("") };
      const after = this.#language.find(applySplices(this.#text, [splice]), this.#options);
      const is = after.find((use) => use.callSpan.start === callSpan.start)?.expression;
      if (after.length === this.#uses.length && is?.kind === "static" && is.key === name) return splice;
    }
    return null;
  }

  /** Returns the spelling of the name; `null` if it cannot be written there. */
  write(name: string): string | null {
    if (name === "") return null;
    const spellings = this.#spellingsOf(name);
    const signs = this.#signsOf(name);
    // Plain names need no verification in quotes; completion writes hundreds of them.
    if (this.#quote !== null && signs === "a") return name;
    const known = this.#spellingIndexes.get(signs);
    if (known !== undefined) return spellings[known] ?? null;
    const right = spellings.findIndex((written) => this.#resolvesTo(written, name));
    this.#spellingIndexes.set(signs, right);
    return spellings[right] ?? null;
  }

  /** Returns the part of a name that determines its spelling. */
  #signsOf(name: string): string {
    // Without quotes, identifiers are interchangeable but numbers are not.
    if (this.#quote === null) return name.replaceAll(/[A-Za-z_]\w*/g, "a");
    // `$5` is not a variable like `$a`, and `&a` is not a character reference like `&amp;`.
    return name.replaceAll(PLAIN, (found, special: string) => (special === "" ? "a" : found));
  }

  /** Returns the possible spellings in all languages, the most likely first. */
  #spellingsOf(name: string): readonly string[] {
    const quote = this.#quote;
    if (quote === null) {
      const isPart = /["'`]/.test(this.#text[this.span.start - 1] ?? "");
      // Without quotes, only names that cannot be parsed as other code.
      return !isPart && /^[A-Za-z_][\w.:-]*$/.test(name) ? [name] : [];
    }
    const escaped = quoted(name, quote, "");
    const inMarkup = name.replaceAll("&", "&amp;").replaceAll(quote, quote === '"' ? "&quot;" : "&#39;");
    return [
      escaped,
      // Escapes interpolation: PHP and JavaScript templates, then Twig.
      quoted(name, quote, quote),
      escaped.replaceAll("#{", String.raw`\#{`),
      escaped.replaceAll("\n", String.raw`\n`).replaceAll("\r", String.raw`\r`),
      // Django doubles percent signs in literals itself.
      escaped.replaceAll("%%", "%"),
      inMarkup,
      // For a script in an attribute, which cannot contain the attribute's quotes.
      escaped.replaceAll(/\\?'/g, String.raw`\u0027`).replaceAll(/\\?"/g, String.raw`\u0022`),
      // Raw strings have no escape sequences.
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
      (use.literalSpan ?? use.keySpan).start === start &&
      (use.literalSpan !== undefined || use.callSpan.start === callSpan.start);
    return areReadAgain(this.#uses, after, [splice], (use) => (isHere(use) ? name : null));
  }
}

/** Whether each usage is still in place with its key, or with that of `expected` (`null`: unchanged). */
export function areReadAgain(
  before: readonly KeyUsage[],
  after: readonly KeyUsage[],
  splices: readonly Splice[],
  expected: (use: KeyUsage) => string | null,
): boolean {
  if (before.length !== after.length) return false;
  return before.every((was, index) => {
    const is = after[index];
    if (is === undefined || is.callSpan.start !== placeAfter(was.callSpan.start, splices)) return false;
    const key = expected(was);
    const saysIt =
      key === null
        ? isSame(was.expression, is.expression)
        : is.expression.kind === "static" && is.expression.key === key;
    const isSameScope = was.keyPrefix === is.keyPrefix && String(was.namespaces) === String(is.namespaces);
    return saysIt && was.callee === is.callee && was.context === is.context && isSameScope;
  });
}

function isSame(was: KeyUsage["expression"], is: KeyUsage["expression"]): boolean {
  if (was.kind === "static") return is.kind === "static" && was.key === is.key;
  return is.kind === "pattern" && was.prefix === is.prefix && was.suffix === is.suffix;
}

/** Maps an offset to its position after the edits. */
export function placeAfter(offset: number, splices: readonly Splice[]): number {
  let place = offset;
  for (const { start, end, text } of splices) {
    if (end <= offset) place += text.length - (end - start);
  }
  return place;
}

const VALUE = /(%\([^()]*\)s)/;

function valuesOf(key: string): readonly string[] {
  return [...new Set(key.split(VALUE).filter((_, index) => index % 2 === 1))].toSorted();
}
