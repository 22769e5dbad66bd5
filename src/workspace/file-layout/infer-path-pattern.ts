/**
 * Derives the path pattern of a single translation file from its path. detect-layouts.ts decides which patterns are
 * proposed, from all files and the content of some.
 */
import { formatInfo, formatInfoOf, type FormatName } from "../../model/file-formats.ts";
import {
  detectFromPath,
  type DetectedFormat,
  formatOfPath,
  localeAndNamespaceOfTree,
  splitPath,
} from "../../formats/detect-format.ts";
import { isKnownLocale } from "../../model/locales.ts";

/** The pattern derived from a file's path. */
export interface PatternOfPath {
  /** With `{locale}`, `{namespace}` and `{package}` where the path contains them. */
  readonly pattern: string;
  readonly format: FormatName;
  readonly reason: "folder-per-locale" | "file-per-locale" | "package-overrides" | "one-file";
  /** The locale in the path. */
  readonly locale: string | null;
  /** The text that `{namespace}` replaces; the file's name if it has no locale. */
  readonly name: string | null;
}

/** A file's path and what is recognised in it. */
interface DetectedPath extends DetectedFormat {
  readonly folders: readonly string[];
  readonly file: string;
  readonly locale: string;
}

type PathPattern = Pick<PatternOfPath, "pattern" | "reason" | "name">;

/** Returns the pattern of a path; `null` if nothing suggests a translation file. */
export function patternOf(path: string): PatternOfPath | null {
  const detected = detectFormatOf(path);
  if (detected === null || path.endsWith(".d.ts")) return null;
  const { format, locale } = detected;
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  if (locale === null) {
    if (formatInfoOf(format)?.mayLackLocale !== true) return null;
    return { pattern: path, format, reason: "one-file", locale, name: file.slice(0, file.lastIndexOf(".")) };
  }
  const located = { ...detected, folders, file, locale };
  const localeIndex = folders.lastIndexOf(locale);
  const byName = isDomainNamed(format) ? gettextFileNamePattern : fileNamePattern;
  const found = localeIndex >= 0 ? folderPattern(located, localeIndex) : byName(located);
  return found && { ...found, format, locale };
}

/** Spreadsheets name their locales inside; those with one locale each are laid out like trees of names. */
function detectFormatOf(path: string): DetectedFormat | null {
  const found = detectFromPath(path);
  if (found === null || formatInfoOf(found.format)?.family !== "spreadsheet") return found;
  return { format: found.format, ...localeAndNamespaceOfTree(path) };
}

/** Whether the names of files join a domain and a locale (`shop-nl.po`). */
function isDomainNamed(format: FormatName): boolean {
  return formatInfoOf(format)?.naming === "domain";
}

function folderPattern({ folders, file, format }: DetectedPath, localeIndex: number): PathPattern {
  const before = folders.slice(0, localeIndex);
  const isGettext = isDomainNamed(format);
  const base = isGettext ? splitPath(file).name : file.slice(0, file.indexOf("."));
  const ending = file.slice(base.length);
  if (before[before.length - 2] === "vendor") {
    const pattern = [...before.slice(0, -1), "{package}", "{locale}", `{namespace}${ending}`].join("/");
    return { pattern, reason: "package-overrides", name: base };
  }
  const between = folders.slice(localeIndex + 1);
  // Gettext's `LC_MESSAGES` is not part of the namespace; a subfolder of another format is.
  const middle = isGettext ? between : [];
  const pattern = [...before, "{locale}", ...middle, `{namespace}${ending}`].join("/");
  const name = isGettext ? base : [...between, base].join("/");
  return { pattern, reason: "folder-per-locale", name };
}

/** `nl.json`, `common.nl.json`, `nl.common.json`. */
function fileNamePattern({ folders, file, format, locale, namespace }: DetectedPath): PathPattern | null {
  // PHP files outside a locale's folder are code.
  if (formatInfoOf(format)?.mayNameLocale === false) return null;
  const ending = file.slice(file.lastIndexOf("."));
  const parts = file.slice(0, -ending.length).split(".");
  const localeIndex = parts.lastIndexOf(locale);
  if (localeIndex < 0 || parts.length > 2) return null;
  if (parts.length === 2 && namespace === null && formatInfoOf(format)?.family !== "xliff") return null;
  const names = parts.map((_, index) => (index === localeIndex ? "{locale}" : "{namespace}"));
  const pattern = [...folders, names.join(".") + ending].join("/");
  const name = parts.find((_, index) => index !== localeIndex) ?? null;
  return { pattern, reason: "file-per-locale", name };
}

/** `nl.po`, `shop-nl_NL.po`, `shop.nl.po`. */
function gettextFileNamePattern(detected: DetectedPath): PathPattern | null {
  const { folders, file, locale, namespace } = detected;
  const { name } = splitPath(file);
  const ending = file.slice(name.length);
  if (!name.endsWith(locale)) return null;
  const between = name.slice((namespace ?? "").length, name.length - locale.length);
  const start = namespace === null ? "" : `{namespace}${between}`;
  const pattern = [...folders, `${start}{locale}${ending}`].join("/");
  return { pattern, reason: "file-per-locale", name: namespace };
}

const EXCLUDED_FOLDERS: ReadonlySet<string> = new Set(
  "node_modules .git dist build out coverage bower_components storage .next .nuxt".split(" "),
);

/** Whether the path is in a folder of dependencies, build output or runtime data. */
export function isExcluded(path: string): boolean {
  const folders = path.split("/").slice(0, -1);
  if (folders.some((folder) => EXCLUDED_FOLDERS.has(folder))) return true;
  // Composer's `vendor` is a dependency folder; `lang/vendor` contains the app's own overrides.
  const vendor = folders.indexOf("vendor");
  return vendor >= 0 && folders[vendor - 1] !== "lang";
}

/** Names of folders and files that usually contain translations. */
export const TRANSLATION_NAMES: readonly string[] =
  "lang langs language languages locale locales i18n l10n intl translation translations messages resources po strings".split(
    " ",
  );

function isTranslationName(name: string): boolean {
  return TRANSLATION_NAMES.includes(name.toLowerCase());
}

/** Whether a folder's name suggests translations, or a file's own name where such files are found by it. */
export function hasTranslationName(path: string): boolean {
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  if (folders.some(isTranslationName)) return true;
  const format = formatOfPath(file);
  return format !== null && formatInfo(format).foundIn === "names" && isTranslationName(splitPath(file).name);
}

/** Sorts the files for sampling: English first, since files of target languages may be empty. */
export function englishFirst(paths: readonly string[]): readonly string[] {
  const isEnglish = (path: string): boolean =>
    path.split(/[/.-]/).some((part) => /^en\b|^en_/i.test(part) && isKnownLocale(part));
  const { english = [], others = [] } = Object.groupBy(paths, (path) =>
    isEnglish(path) ? "english" : "others",
  );
  return [...english, ...others];
}
