/**
 * Uses of keys in Svelte components: scripts and the expressions of the markup. A translator made in the script
 * holds in the whole component.
 */
import { lexBraceMarkup } from "./lexers/brace-markup.ts";
import { addComponentUses } from "./javascript/components.ts";
import { addJavaScriptUses, javascriptFunctions } from "./javascript/javascript-usages.ts";
import { inOrder } from "./javascript.ts";
import { Mask } from "./lexers/masked-source.ts";
import { makeSource } from "./source.ts";
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
  const uses: KeyUsage[] = [];
  const bindings = addJavaScriptUses(source, functions, uses);
  for (const tag of tags) addComponentUses(source, bindings, tag.name, tag.attributes, tag, uses);
  return inOrder(uses);
}
