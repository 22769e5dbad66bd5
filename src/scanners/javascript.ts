/**
 * Uses of keys in JavaScript and TypeScript, with and without JSX. Plain TypeScript is a language of its own
 * here because `<T>value` is a type there, not an element.
 */
import { addJavaScriptUses, javascriptFunctions } from "./javascript/javascript-usages.ts";
import { lexJavaScript } from "./lexers/javascript-lexer.ts";
import { Mask } from "./lexers/masked-source.ts";
import { makeSource } from "./source.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "./usage.ts";

export const javascript: UsageLanguage = {
  languageIds: ["javascript", "javascriptreact", "typescriptreact"],
  extensions: [".tsx", ".jsx", ".mjs", ".cjs", ".js"],
  comments: "block",
  inParts: true,
  find: (text, options) => findIn(text, options, true),
};

export const typescript: UsageLanguage = {
  languageIds: ["typescript"],
  extensions: [".mts", ".cts", ".ts"],
  comments: "block",
  inParts: true,
  find: (text, options) => findIn(text, options, false),
};

function findIn(text: string, options: FindOptions, jsx: boolean): readonly KeyUsage[] {
  const functions = javascriptFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const mask = new Mask(text);
  lexJavaScript(text, 0, text.length, mask, jsx);
  const uses: KeyUsage[] = [];
  addJavaScriptUses(makeSource(mask.done(), "javascript"), functions, uses);
  return inOrder(uses);
}

/** Uses by place; of those at one place the order in which they were found. */
export function inOrder(uses: KeyUsage[]): readonly KeyUsage[] {
  return uses.sort((a, b) => a.keySpan.start - b.keySpan.start);
}
