/** Finds key usages in Python files. */
import { sortByOffset } from "./javascript.ts";
import { lexPython } from "./lexers/python-lexer.ts";
import { Mask } from "./lexers/masked-source.ts";
import { addPythonUsages, pythonFunctions } from "./functions/python-usages.ts";
import { makeSource } from "./lexed-source.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "./usage.ts";

export const python: UsageLanguage = {
  languageIds: ["python"],
  extensions: [".pyi", ".pyw", ".py"],
  comments: "line",
  find: findInPython,
};

function findInPython(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = pythonFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const mask = new Mask(text);
  lexPython(text, 0, text.length, mask);
  const usages: KeyUsage[] = [];
  addPythonUsages(makeSource(mask.done(), "python"), functions, usages);
  return sortByOffset(usages);
}
