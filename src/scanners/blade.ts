/**
 * Finds key usages in Blade templates: echoes, directive arguments, `@php` blocks, PHP tags and bound component
 * attributes. Only Blade comments are skipped, because code inside HTML comments still runs.
 */
import { sortByOffset } from "./function-calls/call-usages.ts";
import { isWord, wordEnd } from "./lexers/characters.ts";
import { lexPhp } from "./lexers/php-lexer.ts";
import { EmbeddedCodeLexer } from "./lexers/embedded-code.ts";
import { addPhpUsages, phpFunctions, type PhpFunctions, codeStart } from "./php.ts";
import { makeSource } from "./lexed-source.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "./usage.ts";

export const blade: UsageLanguage = {
  languageIds: ["blade"],
  extensions: [".blade.php"],
  comments: "block",
  find: findInBlade,
};

function findInBlade(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = phpFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const usages: KeyUsage[] = [];
  addPhpUsages(makeSource(new BladeLexer(text, functions).run(), "php"), functions, usages);
  return sortByOffset(usages);
}

/** Everything in a template that can start or hide PHP code. */
const OPENERS = /\{\{--|@?\{\{\{?|@?\{!!|@@?\w+|<\?(?:php|=)?|(?<=[\s"'])::?[\w.:-]+\s*=\s*["']/gi;

class BladeLexer extends EmbeddedCodeLexer {
  readonly #functions: PhpFunctions;

  constructor(text: string, functions: PhpFunctions) {
    super(text);
    this.#functions = functions;
  }

  protected override openers(): RegExp {
    return new RegExp(OPENERS);
  }

  protected override open({ 0: opener, index: start }: RegExpExecArray): number {
    const after = start + opener.length;
    if (opener === "{{--") return this.after("--}}", after);
    if (opener.startsWith("@{") || opener.startsWith("@@")) {
      return opener.startsWith("@{") ? this.after(opener.includes("!!") ? "!!}" : "}}", after) : after;
    }
    if (opener.startsWith("{!!")) return this.#php(after, this.find("!!}", after), "end");
    if (opener.startsWith("{{{")) return this.#php(after, this.find("}}}", after), "end");
    if (opener.startsWith("{{")) return this.#php(after, this.find("}}", after), "end");
    if (opener.startsWith("<?")) return this.#php(codeStart(this.text, start), this.text.length, "tag");
    if (opener.startsWith("@")) return this.#directive(opener, start, after);
    if (opener.startsWith("::")) return after;
    const close = this.find(opener.at(-1) ?? '"', after);
    // Echoes inside an attribute value end at their own braces, so they are lexed separately.
    return /\{\{|\{!!/.test(this.text.slice(after, close)) ? after : this.#php(after, close, "end");
  }

  #directive(opener: string, start: number, after: number): number {
    // `name@example.com` is not a directive.
    if (isWord(this.text.charCodeAt(start - 1))) return after;
    const end = wordEnd(this.text, start + 1);
    if (opener === "@verbatim") return this.after("@endverbatim", after);
    let open = end;
    while (this.text[open] === " " || this.text[open] === "\t") open++;
    if (this.text[open] === "(") {
      // The name stays unmasked if the directive itself takes a key.
      const from = this.#functions.shapes.has(opener) ? start : open;
      this.mask.separate(this.done, from);
      this.done = lexPhp(this.text, open, this.text.length, this.mask, "parenthesis");
      return this.done;
    }
    if (opener === "@php") return this.#php(after, this.find("@endphp", after), "end");
    return after;
  }

  /** Lexes `[start, end)` as PHP and masks the text before it. */
  #php(start: number, end: number, until: "end" | "tag"): number {
    this.mask.separate(this.done, start);
    this.done = lexPhp(this.text, start, end, this.mask, until);
    return this.done;
  }
}
