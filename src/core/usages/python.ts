/** Uses of keys in Python files. */
import { inOrder } from "./javascript.ts";
import { lexPython } from "./lex-python.ts";
import { Mask } from "./mask.ts";
import { addPythonUses, pythonFunctions } from "./python-uses.ts";
import { makeSource } from "./source.ts";
import type { FindOptions, KeyUse, UsageLanguage } from "./usage.ts";

export const python: UsageLanguage = {
  languageIds: ["python"],
  extensions: [".pyi", ".pyw", ".py"],
  comments: "line",
  interpolating: "",
  find: findInPython,
};

function findInPython(text: string, options: FindOptions): readonly KeyUse[] {
  const functions = pythonFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const mask = new Mask(text);
  lexPython(text, 0, text.length, mask);
  const uses: KeyUse[] = [];
  addPythonUses(makeSource(mask.done(), "python"), functions, uses);
  return inOrder(uses);
}
