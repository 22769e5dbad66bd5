/**
 * The path pattern that a single translation file would be found by, from its path alone. Which of the patterns are
 * proposed is decided in layout-proposals.ts, with a look at all files and into some.
 */
import type { FormatName } from "../../model/format-name.ts";
import { recognisePath, type Recognised } from "../../formats/recognise.ts";
import { isLocaleName } from "../../model/locales.ts";

/** What a file's path shows. */
export interface PatternOfPath {
  /** With `{locale}`, `{namespace}` and `{package}` where the path has such. */
  readonly pattern: string;
  readonly format: FormatName;
  readonly reason: "folder-per-locale" | "file-per-locale" | "package-overrides" | "one-file";
  /** As in the path. */
  readonly locale: string | null;
  /** The text in the place of `{namespace}`; of a file without a locale its name. */
  readonly name: string | null;
}

/** The pattern of a path; `null` when nothing shows that it is a translation file. */
export function patternOf(path: string): PatternOfPath | null {
  const recognised = recognise(path);
  if (recognised === null || path.endsWith(".d.ts")) return null;
  const { format, locale } = recognised;
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  if (locale === null) return oneFile(path, file, format);
  const at = folders.lastIndexOf(locale);
  if (at >= 0) return inFolder(folders, at, file, recognised, locale);
  return SPLITS[format] === undefined
    ? named(folders, file, recognised, locale)
    : gettextNamed(folders, file, recognised, locale);
}

/** Spreadsheets name their languages inside; one for each language lies as JSON files do. */
function recognise(path: string): Recognised | null {
  const found = recognisePath(path);
  if (found?.format !== "csv" && found?.format !== "xlsx") return found;
  const { locale, namespace } = recognisePath(`${path.slice(0, path.lastIndexOf("."))}.json`) ?? found;
  return { format: found.format, locale, namespace };
}

/** Formats whose files are named by a domain and a locale with something else between them than a dot. */
const SPLITS: Partial<Record<FormatName, string>> = { po: ".po", mo: ".mo", wordpress_php: ".l10n.php" };

/** Files without a language: templates, sources and spreadsheets. */
function oneFile(path: string, file: string, format: FormatName): PatternOfPath | null {
  switch (format) {
    case "pot":
    case "csv":
    case "xlsx":
    case "xliff12":
    case "xliff20":
      return {
        pattern: path,
        format,
        reason: "one-file",
        locale: null,
        name: file.slice(0, file.lastIndexOf(".")),
      };
    default:
      return null;
  }
}

function inFolder(
  folders: readonly string[],
  at: number,
  file: string,
  { format }: Recognised,
  locale: string,
): PatternOfPath {
  const before = folders.slice(0, at);
  const ending = format === "wordpress_php" ? ".l10n.php" : file.slice(file.indexOf("."));
  const base = file.slice(0, -ending.length);
  if (before[before.length - 2] === "vendor") {
    const pattern = [...before.slice(0, -1), "{package}", "{locale}", `{namespace}${ending}`].join("/");
    return { pattern, format, reason: "package-overrides", locale, name: base };
  }
  const between = folders.slice(at + 1);
  const isGettext = SPLITS[format] !== undefined;
  // Gettext's `LC_MESSAGES` is no part of a namespace, a folder of another format is.
  const middle = isGettext ? between : [];
  const pattern = [...before, "{locale}", ...middle, `{namespace}${ending}`].join("/");
  const name = isGettext ? base : [...between, base].join("/");
  return { pattern, format, reason: "folder-per-locale", locale, name };
}

/** `nl.json`, `common.nl.json`, `nl.common.json`. */
function named(
  folders: readonly string[],
  file: string,
  { format, namespace }: Recognised,
  locale: string,
): PatternOfPath | null {
  // PHP files outside a folder of a locale are code.
  if (format === "laravel_php" || format === "wordpress_jed") return null;
  const ending = file.slice(file.lastIndexOf("."));
  const parts = file.slice(0, -ending.length).split(".");
  const at = parts.length === 1 ? 0 : parts.lastIndexOf(locale);
  if (at < 0 || parts.length > 2 || (parts.length === 1 && parts[0] !== locale)) return null;
  if (parts.length === 2 && namespace === null && format !== "xliff12") return null;
  const names = parts.map((_, index) => (index === at ? "{locale}" : "{namespace}"));
  const pattern = [...folders, names.join(".") + ending].join("/");
  return {
    pattern,
    format,
    reason: "file-per-locale",
    locale,
    name: parts.find((_, index) => index !== at) ?? null,
  };
}

/** `nl.po`, `shop-nl_NL.po`, `shop.nl.po`. */
function gettextNamed(
  folders: readonly string[],
  file: string,
  { format, namespace }: Recognised,
  locale: string,
): PatternOfPath | null {
  const ending = SPLITS[format] ?? "";
  const name = file.slice(0, -ending.length);
  if (!file.endsWith(ending) || !name.endsWith(locale)) return null;
  const between = name.slice((namespace ?? "").length, name.length - locale.length);
  const pattern = [...folders, `${namespace === null ? "" : `{namespace}${between}`}{locale}${ending}`].join(
    "/",
  );
  return { pattern, format, reason: "file-per-locale", locale, name: namespace };
}

const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(
  "node_modules .git dist build out coverage bower_components storage .next .nuxt".split(" "),
);

/** Whether the path lies where nobody writes translations by hand. */
export function isSkipped(path: string): boolean {
  const folders = path.split("/").slice(0, -1);
  if (folders.some((folder) => SKIPPED_FOLDERS.has(folder))) return true;
  // Composer's `vendor` is not ours; `lang/vendor` holds our own overrides.
  const vendor = folders.indexOf("vendor");
  return vendor >= 0 && folders[vendor - 1] !== "lang";
}

/** Names that say "translations here". */
const HINT =
  /^(?:lang|langs|languages?|locales?|i18n|l10n|intl|translations?|messages|resources|po|strings)$/i;

/** Whether a folder's name says that translations lie there; of a spreadsheet its own name counts too. */
export function isHinted(path: string): boolean {
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  if (folders.some((folder) => HINT.test(folder))) return true;
  return /\.(?:csv|xlsx)$/iu.test(file) && HINT.test(file.slice(0, file.lastIndexOf(".")));
}

/** The files in the order in which they are looked into: English first, since a target's files may be empty. */
export function samplesOf(paths: readonly string[]): readonly string[] {
  const isEnglish = (path: string): boolean =>
    path.split(/[/.-]/).some((part) => isLocaleName(part) && /^en\b|^en_/i.test(part));
  return [...paths.filter(isEnglish), ...paths.filter((path) => !isEnglish(path))];
}
