/**
 * Uses of keys in Astro components: the script between the `---` lines, and markup whose expressions may hold
 * elements again.
 */
import { lexBraceMarkup } from "./lexers/brace-markup.ts";
import { addComponentUses } from "./javascript/components.ts";
import { addJavaScriptUses, javascriptFunctions } from "./javascript/javascript-usages.ts";
import { inOrder } from "./javascript.ts";
import { lexJavaScript } from "./lexers/javascript-lexer.ts";
import { Mask } from "./lexers/masked-source.ts";
import { makeSource } from "./source.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "./usage.ts";

export const astro: UsageLanguage = {
  languageIds: ["astro"],
  extensions: [".astro"],
  comments: "markup",
  find: findInAstro,
};

function findInAstro(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = javascriptFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const mask = new Mask(text);
  const { masked, tags } = lexBraceMarkup(text, lexScript(text, mask), mask, true);
  const source = makeSource(masked, "javascript");
  const uses: KeyUsage[] = [];
  const bindings = addJavaScriptUses(source, functions, uses);
  for (const tag of tags) addComponentUses(source, bindings, tag.name, tag.attributes, tag, uses);
  return inOrder(uses);
}

/** The script at the file's top; returns the place after it, 0 when there is none. */
function lexScript(text: string, mask: Mask): number {
  const fence = /^\s*---[ \t]*\r?\n/.exec(text.slice(0, 200));
  if (fence === null) return 0;
  const start = fence[0].length;
  const close = text.indexOf("\n---", start - 1);
  const end = close === -1 ? text.length : close;
  mask.separate(0, start);
  lexJavaScript(text, start, end, mask, false);
  return end;
}
