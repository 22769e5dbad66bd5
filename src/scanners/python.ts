/** Uses of keys in Python files. */
import { inOrder } from "./javascript.ts";
import { lexPython } from "./lexers/python-lexer.ts";
import { Mask } from "./lexers/masked-source.ts";
import { addPythonUses, pythonFunctions } from "./functions/python-usages.ts";
import { makeSource } from "./source.ts";
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
  const uses: KeyUsage[] = [];
  addPythonUses(makeSource(mask.done(), "python"), functions, uses);
  return inOrder(uses);
}
