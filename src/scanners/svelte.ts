/**
 * Finds key usages in Svelte components: in scripts and in the expressions of the markup. A translator created in the
 * script is in scope in the whole component.
 */
import { lexBraceMarkup } from "./lexers/brace-markup.ts";
import { addComponentUsages } from "./javascript/components.ts";
import { addJavaScriptUsages, javascriptFunctions } from "./javascript/javascript-usages.ts";
import { sortByOffset } from "./javascript.ts";
import { Mask } from "./lexers/masked-source.ts";
import { makeSource } from "./lexed-source.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "./usage.ts";

export const svelte: UsageLanguage = {
  languageIds: ["svelte"],
  extensions: [".svelte"],
  comments: "markup",
  find: findInSvelte,
};

function findInSvelte(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = javascriptFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const { masked, tags } = lexBraceMarkup(text, 0, new Mask(text), false);
  const source = makeSource(masked, "javascript");
  const usages: KeyUsage[] = [];
  const bindings = addJavaScriptUsages(source, functions, usages);
  for (const tag of tags) addComponentUsages(source, bindings, tag.name, tag.attributes, tag, usages);
  return sortByOffset(usages);
}
