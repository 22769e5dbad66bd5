/** Finds key usages in PHP files, between `<?php` or `<?=` and `?>`; the surrounding HTML is not code. */
import { sortByOffset } from "./javascript.ts";
import { lexPhp } from "./lexers/php-lexer.ts";
import { Mask } from "./lexers/masked-source.ts";
import { addPhpUsages, phpFunctions } from "./functions/php-usages.ts";
import { makeSource } from "./lexed-source.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "./usage.ts";
import { findHeaderUsages } from "./functions/wordpress-files.ts";

export const php: UsageLanguage = {
  languageIds: ["php"],
  extensions: [".phtml", ".php", ".inc"],
  comments: "block",
  find: findInPhp,
};

function findInPhp(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = phpFunctions(options);
  const headers = findHeaderUsages(text, options);
  if (!functions.prefilter.test(text)) return headers;
  const mask = new Mask(text);
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("<?", at);
    const start = open === -1 ? text.length : codeStart(text, open);
    mask.separate(at, start);
    const end = lexPhp(text, start, text.length, mask, "tag");
    at = Math.min(end + 2, text.length);
    mask.separate(end, at);
  }
  const usages: KeyUsage[] = [...headers];
  addPhpUsages(makeSource(mask.done(), "php"), functions, usages);
  return sortByOffset(usages);
}

/** Returns the offset after `<?php`, `<?=` or the short `<?`; `<?xml` of an XML declaration does not open PHP. */
export function codeStart(text: string, open: number): number {
  if (text.startsWith("<?=", open)) return open + 3;
  const word = text.slice(open + 2, open + 5).toLowerCase();
  if (word === "php") return open + 5;
  if (word !== "xml") return open + 2;
  const close = text.indexOf("?>", open);
  return close === -1 ? text.length : close;
}
