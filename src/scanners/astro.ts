/**
 * Finds key usages in Astro components: in the frontmatter script between the `---` lines, and in markup whose
 * expressions may contain nested elements.
 */
import { lexBraceMarkup } from "./lexers/brace-markup.ts";
import { addComponentUsages } from "./javascript/components.ts";
import { addJavaScriptUsages, javascriptFunctions } from "./javascript/javascript-usages.ts";
import { sortByOffset } from "./javascript.ts";
import { lexJavaScript } from "./lexers/javascript-lexer.ts";
import { Mask } from "./lexers/masked-source.ts";
import { makeSource } from "./lexed-source.ts";
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
  const usages: KeyUsage[] = [];
  const bindings = addJavaScriptUsages(source, functions, usages);
  for (const tag of tags) addComponentUsages(source, bindings, tag.name, tag.attributes, tag, usages);
  return sortByOffset(usages);
}

/** Lexes the frontmatter script at the top of the file. Returns the offset after it, or 0 if there is none. */
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
