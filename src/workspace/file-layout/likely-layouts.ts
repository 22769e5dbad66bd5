/**
 * Files that look like translations by the languages in their paths, where nothing was recognised: what a person may name in the
 * project file. Their content is not read.
 */
import { extname } from "node:path/posix";
import type { FormatName } from "../../model/format-name.ts";
import { formatOfPath } from "../../formats/detect-format.ts";
import { isKnownLocale } from "../../model/locales.ts";
import { getOrCreate } from "../../util/maps.ts";
import { hasTranslationName, isExcluded } from "./infer-path-pattern.ts";

/** A pattern that files with languages in their paths have. */
export interface LikelyLayout {
  /** With `{locale}`, and `{namespace}` where each language has a folder. */
  readonly pattern: string;
  /** By the extension; `null`: not supported. */
  readonly format: FormatName | null;
  /** Sorted. */
  readonly locales: readonly string[];
  readonly files: number;
}

/** Extensions of translation files of other tools, which are not supported. */
const OTHER_EXTENSIONS: ReadonlySet<string> = new Set(
  ".yml .yaml .properties .arb .resx .strings .toml .ftl .xml .json5 .ini .rb .neon .ts".split(" "),
);
/** The names of formats that were looked for, as people know them. */
export const SEARCHED_FORMATS = "JSON, PHP, JavaScript, TypeScript, gettext, XLIFF, CSV, Excel";

/** Returns the likeliest patterns, the one with most languages first. */
export function likelyLayouts(paths: readonly string[], limit: number): readonly LikelyLayout[] {
  const groups = new Map<
    string,
    { readonly format: FormatName | null; locales: Set<string>; files: string[] }
  >();
  for (const path of paths) {
    const format = formatOfPath(path);
    if ((format === null && !OTHER_EXTENSIONS.has(extname(path))) || isExcluded(path)) continue;
    const found = localePattern(path);
    if (found === null) continue;
    const group = getOrCreate(groups, found.pattern, () => ({
      format,
      locales: new Set<string>(),
      files: [],
    }));
    group.locales.add(found.locale);
    group.files.push(path);
  }
  return [...groups]
    .filter(([, { locales, files }]) => locales.size > 1 || files.some(hasTranslationName))
    .map(([pattern, { format, locales, files }]) => ({
      pattern,
      format,
      locales: [...locales].sort(),
      files: files.length,
    }))
    .sort((a, b) => b.locales.length - a.locales.length || (a.pattern < b.pattern ? -1 : 1))
    .slice(0, limit);
}

/** Three letters alone are more often another word (`src`, `app`) than a language. */
function isLikelyLocale(name: string): boolean {
  return isKnownLocale(name) && !/^[a-z]{3}$/iu.test(name);
}

/** Returns the pattern of a path with a language as the name of a folder, or as a part of the file's name. */
export function localePattern(path: string): { readonly pattern: string; readonly locale: string } | null {
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  const at = folders.findLastIndex(isLikelyLocale);
  if (at !== -1) {
    const pattern = [...folders.slice(0, at), "{locale}", `{namespace}${extname(file)}`].join("/");
    return { pattern, locale: folders[at] ?? "" };
  }
  const name = file.slice(0, file.length - extname(file).length);
  // The longest end, then the longest start: `strings_pt_BR`, `nl-app`.
  const parts = [...name.matchAll(/[._-]/gu)].map(({ index }) => index);
  const ends = [0, ...parts.map((index) => index + 1)].map((start) => ({ start, end: name.length }));
  const starts = parts.toReversed().map((end) => ({ start: 0, end }));
  for (const { start, end } of [...ends, ...starts]) {
    const locale = name.slice(start, end);
    if (!isLikelyLocale(locale)) continue;
    const pattern = `${name.slice(0, start)}{locale}${name.slice(end)}${extname(file)}`;
    return { pattern: [...folders, pattern].join("/"), locale };
  }
  return null;
}
