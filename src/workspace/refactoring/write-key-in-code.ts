/**
 * Writes key names in source code: in the literal, attribute, template tag or block of an existing usage. Code is
 * accepted only if scanning the changed file yields the name and leaves all other usages as they are.
 */
import { isDeepStrictEqual } from "node:util";
import { applySplices } from "../../formats/editing/apply-verified-edit.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { Span } from "../../util/span.ts";
import { quoteAround, quoted, type Quote } from "../../scanners/lexers/string-literals.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "../../scanners/key-usage.ts";
import type { Splice } from "../../formats/format.ts";

/** Characters that are literal in the quotes of every language, with a preceding special character that may combine. */
const PLAIN = /([\\$&<]?)[\p{L}\p{N} _.,:;!?()/*+=~^|[\]…–—-]+/gu;

/** Writes names in place of the key of one usage. */
export class NameWriter {
  /** The replaced range: the key inside its quotes. */
  readonly span: Span;
  readonly #text: string;
  readonly #usage: KeyUsage;
  readonly #language: UsageLanguage;
  readonly #options: FindOptions;
  readonly #quote: Quote | null;
  /** The index of the correct code by the shape of the name; -1 if there is none. */
  readonly #codeIndexByShape = new Map<string, number>();
  #usages: readonly KeyUsage[] | undefined;

  constructor(text: string, usage: KeyUsage, language: UsageLanguage, options: FindOptions) {
    this.#text = text;
    this.#usage = usage;
    this.#language = language;
    this.#options = options;
    this.span = usage.literalSpan ?? usage.keySpan;
    this.#quote = quoteAround(text, this.span);
  }

  /** Whether the key is a single quoted literal. */
  get isQuoted(): boolean {
    return this.#quote !== null && this.#usage.hasValues !== true;
  }

  /** Returns the edit that writes the name, in a literal or as the text of a block; `null` if that is impossible. */
  spliceFor(name: string): Splice | null {
    const { expression, callee } = this.#usage;
    const isTag = this.#language.comments === "template" && /^(?:block)?trans/.test(callee);
    if (isTag && this.#quote === null && expression.kind === "static")
      return this.#blockSplice(name, expression.key);
    const code = this.codeFor(name);
    return code === null ? null : { ...this.span, text: code };
  }

  /** Returns the splice for the block's text; `null` if its variables would change. */
  #blockSplice(name: string, before: string): Splice | null {
    const { callSpan } = this.#usage;
    // Changed variables would also require changes of the tag.
    if (variablesIn(name).join("\n") !== variablesIn(before).join("\n")) return null;
    this.#usages ??= this.#language.find(this.#text, this.#options);
    for (const hasSinglePercent of [true, false]) {
      const parts = name
        .split(VARIABLE)
        .map((part, index) =>
          index % 2 === 1
            ? `{{ ${part.slice(2, -2)} }}`
            : hasSinglePercent
              ? part.replaceAll("%%", "%")
              : part,
        );
      const splice = { ...this.span, text: parts.join("") };
      const after = this.#language.find(applySplices(this.#text, [splice]), this.#options);
      const expression = after.find((usage) => usage.callSpan.start === callSpan.start)?.expression;
      const isWritten = expression?.kind === "static" && expression.key === name;
      if (isWritten && after.length === this.#usages.length) return splice;
    }
    return null;
  }

  /** Returns the code of the name, escaped for its quotes; `null` if it cannot be written there. */
  codeFor(name: string): string | null {
    if (name === "" || this.#usage.hasValues === true) return null;
    const possibleCode = this.#possibleCodeFor(name);
    const shape = this.#shapeOf(name);
    // Plain names need no verification in quotes; completion writes hundreds of them.
    if (this.#quote !== null && shape === "a") return name;
    const index = getOrCreate(this.#codeIndexByShape, shape, () =>
      possibleCode.findIndex((code) => this.#resolvesTo(code, name)),
    );
    return possibleCode[index] ?? null;
  }

  /** Returns the part of a name that determines its code. */
  #shapeOf(name: string): string {
    // Without quotes, identifiers are interchangeable but numbers are not.
    if (this.#quote === null) return name.replaceAll(/[A-Za-z_]\w*/g, "a");
    // `$5` is not a variable like `$a`, and `&a` is not a character reference like `&amp;`.
    return name.replaceAll(PLAIN, (found, special: string) => (special === "" ? "a" : found));
  }

  /** Returns the code of the name in any language, the most likely first. */
  #possibleCodeFor(name: string): readonly string[] {
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

  #resolvesTo(code: string, name: string): boolean {
    const language = this.#language;
    const { start } = this.span;
    const splice = { ...this.span, text: code };
    this.#usages ??= language.find(this.#text, this.#options);
    const after = language.find(applySplices(this.#text, [splice]), this.#options);
    const { callSpan } = this.#usage;
    const isHere = (usage: KeyUsage): boolean =>
      (usage.literalSpan ?? usage.keySpan).start === start &&
      (usage.literalSpan !== undefined || usage.callSpan.start === callSpan.start);
    return areUsagesPreserved(this.#usages, after, [splice], (usage) => (isHere(usage) ? name : null));
  }
}

/** Whether each usage is still in place with its key, or with that of `expectedKey` (`null`: unchanged). */
export function areUsagesPreserved(
  before: readonly KeyUsage[],
  after: readonly KeyUsage[],
  splices: readonly Splice[],
  expectedKey: (usage: KeyUsage) => string | null,
): boolean {
  if (before.length !== after.length) return false;
  return before.every((old, index) => {
    const current = after[index];
    if (current?.callSpan.start !== offsetAfter(old.callSpan.start, splices)) return false;
    const key = expectedKey(old);
    const expression = key === null ? old.expression : { kind: "static", key };
    return (
      isDeepStrictEqual(current.expression, expression) &&
      old.keyPrefix === current.keyPrefix &&
      String(old.namespaces) === String(current.namespaces) &&
      old.callee === current.callee &&
      old.context === current.context
    );
  });
}

/** Returns the offset after the edits. */
export function offsetAfter(offset: number, splices: readonly Splice[]): number {
  return splices
    .filter(({ end }) => end <= offset)
    .reduce((moved, { start, end, text }) => moved + text.length - (end - start), offset);
}

/** A variable in the text of a template's block. */
const VARIABLE = /(%\([^()]*\)s)/;

function variablesIn(key: string): readonly string[] {
  return [...new Set(key.split(VARIABLE).filter((_, index) => index % 2 === 1))].toSorted();
}
