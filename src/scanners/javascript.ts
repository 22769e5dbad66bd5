/**
 * Finds key usages in JavaScript and TypeScript, with and without JSX. TypeScript without JSX is a separate language
 * because `<T>value` is a type assertion there, not an element.
 */
import { addJavaScriptUsages, javascriptFunctions } from "./javascript/javascript-usages.ts";
import { lexJavaScript } from "./lexers/javascript-lexer.ts";
import { Mask } from "./lexers/masked-source.ts";
import { makeSource } from "./lexed-source.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "./usage.ts";

export const javascript: UsageLanguage = {
  languageIds: ["javascript", "javascriptreact", "typescriptreact"],
  extensions: [".tsx", ".jsx", ".mjs", ".cjs", ".js"],
  comments: "block",
  canSplit: true,
  find: (text, options) => findIn(text, options, true),
};

export const typescript: UsageLanguage = {
  languageIds: ["typescript"],
  extensions: [".mts", ".cts", ".ts"],
  comments: "block",
  canSplit: true,
  find: (text, options) => findIn(text, options, false),
};

function findIn(text: string, options: FindOptions, jsx: boolean): readonly KeyUsage[] {
  const functions = javascriptFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const mask = new Mask(text);
  lexJavaScript(text, 0, text.length, mask, jsx);
  const usages: KeyUsage[] = [];
  addJavaScriptUsages(makeSource(mask.done(), "javascript"), functions, usages);
  return sortByOffset(usages);
}

/** Sorts usages by offset, in place; the sort is stable. */
export function sortByOffset(usages: KeyUsage[]): readonly KeyUsage[] {
  return usages.sort((a, b) => a.keySpan.start - b.keySpan.start);
}
