/**
 * JavaScript and TypeScript, with and without JSX. TypeScript without JSX is a separate language because `<T>value` is a
 * type assertion there, not an element.
 */
import { addInlineTemplates, mayHaveInlineTemplates } from "./angular-template-scanner.ts";
import { javascriptFunctions } from "./function-calls/function-signatures.ts";
import { addJavaScriptUsages } from "./javascript/javascript-scanner.ts";
import { removeOtherFunctions } from "./javascript/other-functions.ts";
import { addKeyComments, mayHaveKeyComments } from "./key-comments.ts";
import {
  type FindOptions,
  type Imports,
  type KeyUsage,
  sortByOffset,
  type UsageLanguage,
} from "./key-usage.ts";
import { javascriptSource } from "./source-reader.ts";

export const javascript: UsageLanguage = {
  languageIds: ["javascript", "javascriptreact", "typescriptreact"],
  extensions: [".tsx", ".jsx", ".mjs", ".cjs", ".js"],
  comments: "block",
  canSplit: true,
  find: (text, options, imports) => findIn(text, options, true, imports),
};

export const typescript: UsageLanguage = {
  languageIds: ["typescript"],
  extensions: [".mts", ".cts", ".ts"],
  comments: "block",
  canSplit: true,
  find: (text, options, imports) => findIn(text, options, false, imports),
};

function findIn(text: string, options: FindOptions, jsx: boolean, imports?: Imports): readonly KeyUsage[] {
  const functions = javascriptFunctions(options);
  const hasTemplates = mayHaveInlineTemplates(text, options);
  const hasComments = mayHaveKeyComments(text, options);
  if (!hasTemplates && !hasComments && !functions.prefilter.test(text)) return [];
  const usages: KeyUsage[] = [];
  const source = javascriptSource(text, jsx, imports);
  addJavaScriptUsages(source, functions, usages);
  removeOtherFunctions(source, usages);
  if (hasComments) addKeyComments(text, source, options, usages);
  if (hasTemplates) addInlineTemplates(source, options, usages);
  return sortByOffset(usages);
}
