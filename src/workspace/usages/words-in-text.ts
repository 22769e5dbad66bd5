/**
 * Finds the words of source code and configuration files that may be a part of a key which the code builds: quoted words,
 * members of lists and enums, and names that frameworks derive from those. In any language, also in code that is
 * incomplete; a word too many only means that a key may be used.
 */
import { formatOfPath } from "../../formats/detect-format.ts";
import { type FrameworkName, frameworksOf } from "../../frameworks/supported-frameworks.ts";
import { formatInfo } from "../../model/file-formats.ts";

/** Increase whenever the same text yields other words. */
export const WORDS_VERSION = 3;

const MAX_WORD_CHARACTERS = 60;
/** Of a quoted list of words. */
const MAX_LIST_CHARACTERS = 500;
const MAX_SPACES = 3;

const QUOTE = /["'`]/g;
/** A part of a key, which may end with a separator, and then start with one, too; keys may contain a few spaces. */
const WORD = /^(?:[\p{L}\p{N}_]|[.:/-](?=.*[._:/-]$))[\p{L}\p{N}_.:/ -]*$/u;
/** Words in one text: `required|string`, `id,name`. */
const LIST = /^[\p{L}\p{N}_.:/-]+(?:\s*[,|]\s*[\p{L}\p{N}_.:/-]+)+$/u;
/** The start of a text with values, up to the first: `status.${…}`, `status.{$x}`, `status.%s`, `status.#{x}`. */
const TEMPLATE_START = /["'`]([\p{L}\p{N}_][\p{L}\p{N}_.:/-]{1,59}[_.:/-])(?=[$%{]|#\{)/gu;
/** Members of objects and enums, constants, cases and classes: their names may become parts of keys. */
const MEMBER = /(?:^|[{,(;])[ \t]*(?:-[ \t]+)?([\p{L}_][\p{L}\p{N}_-]{0,59})[ \t]*(?::|=>|=(?![=~>]))/gmu;
const DECLARED = /\b(?:case|const|class|trait)[ \t]+([\p{L}_][\p{L}\p{N}_]{0,59})/gu;
const ENUM = /\benum\b[^{};"'`]{0,200}\{([^{}]{0,20000})\}/g;
const ENUM_MEMBER = /(?:^|,)\s*(?:case\s+)?([\p{L}_][\p{L}\p{N}_]{0,59})/gu;
/** Values without quotes: `label: Save`, `- save`. */
const PLAIN_VALUE =
  /^[ \t]*(?:-[ \t]+)*(?:[\w.-]{1,200}[ \t]*[:=][ \t]*)?([^\s"'#:][^\n"'#]{0,60}?)[ \t]*$/gm;
const PLAIN_VALUE_FILE = /\.(?:ya?ml|neon|ini|toml|conf|properties)$/i;

/** Documents and lists of packages, whose words say nothing of the code; neither do files of translations only. */
const UNRELATED =
  /\.(?:md|mdx|txt|lock)$|(?:^|\/)(?:package-lock|npm-shrinkwrap|package|composer)\.json$|\.min\.\w+$/i;

/** Whether the words of the file at the path count. */
export function hasWords(path: string): boolean {
  const format = formatOfPath(path);
  return !UNRELATED.test(path) && (format === null || !formatInfo(format).isOnlyTranslations);
}

/** Whether a text can be a word, and so be searched for. */
export function isWord(text: string): boolean {
  return text.length <= MAX_WORD_CHARACTERS && WORD.test(text) && text.split(" ").length <= MAX_SPACES + 1;
}

/** Returns the words of a text. Linear in its length. */
export function wordsIn(
  path: string,
  text: string,
  frameworks: ReadonlySet<FrameworkName>,
): ReadonlySet<string> {
  const words = new Set<string>();
  const add = (word: string): void => {
    if (isWord(word)) words.add(word);
  };
  const openings = new Map<string, number>();
  for (const { 0: quote, index } of text.matchAll(QUOTE)) {
    // Any text between two quotes of a kind, since an apostrophe in a comment would invert all strings after it.
    const start = openings.get(quote);
    openings.set(quote, index + 1);
    if (start === undefined || index - start > MAX_LIST_CHARACTERS) continue;
    const literal = text.slice(start, index);
    add(literal);
    if (LIST.test(literal)) for (const word of literal.split(/[,|]/u)) add(word.trim());
  }
  for (const pattern of [TEMPLATE_START, MEMBER, DECLARED])
    for (const [, word = ""] of text.matchAll(pattern)) add(word);
  for (const [, members = ""] of text.matchAll(ENUM))
    for (const [, word = ""] of members.matchAll(ENUM_MEMBER)) add(word);
  if (PLAIN_VALUE_FILE.test(path)) for (const [, word = ""] of text.matchAll(PLAIN_VALUE)) add(word);
  if (path.endsWith(".php"))
    for (const { derivedNames } of frameworksOf(frameworks))
      for (const word of derivedNames?.(text) ?? []) add(word);
  return words;
}
