/**
 * What a translation file's path says of it: format, locale, namespace (§ POST /imports 1); what the path does not
 * say is `null`. And the same with a look at the file's beginning, for paths that could mean several formats.
 */
import type { FormatName } from "../model/format-name.ts";
import { isLocaleName } from "../model/locales.ts";
import { contentFormat } from "./recognise-content.ts";

/** What a path says. */
export interface Recognised {
  readonly format: FormatName;
  readonly locale: string | null;
  readonly namespace: string | null;
}

/** File name endings, longest first, and the format that they mean without anything else known. */
const ENDINGS: readonly (readonly [string, FormatName])[] = [
  [".l10n.php", "wordpress_php"],
  [".php", "laravel_php"],
  [".json", "json_js"],
  [".pot", "pot"],
  [".po", "po"],
  [".mo", "mo"],
  [".csv", "csv"],
  [".xlsx", "xlsx"],
  [".xliff", "xliff12"],
  [".xlf", "xliff12"],
  [".ts", "js_module"],
  [".mts", "js_module"],
  [".cts", "js_module"],
  [".js", "js_module"],
  [".mjs", "js_module"],
  [".cjs", "js_module"],
];

/** Formats whose beginning is not looked at. */
const SAY_NOTHING: ReadonlySet<FormatName> = new Set(["mo", "csv", "xlsx"]);

/** The script hash at the end of a WordPress JSON file's name. */
const JED_NAME = /^(?:(.+)-)?([a-z]{2,3}(?:_[A-Za-z0-9]+)*)-[0-9a-f]{32}$/;

/** The format of a path or of a path pattern (`lang/{locale}.json`); `null` when its ending means none. */
export function formatOfPath(path: string): FormatName | null {
  const ending = endingOf(path);
  if (ending === undefined) return null;
  const folders = path.split("/");
  const name = (folders.pop() ?? "").slice(0, -ending[0].length);
  if (ending[1] !== "json_js") return ending[1];
  if (JED_NAME.test(name)) return "wordpress_jed";
  const inLang = folders[folders.length - 1] === "lang";
  return inLang && (name === "{locale}" || isLocaleName(name)) ? "laravel_json" : "json_js";
}

/**
 * Format, locale and namespace of a translation file by its path. The folder nearest to the file that names a
 * locale counts, then its name; the namespace is what comes after the locale, folders and all. `null` when the
 * ending is none of a translation file.
 */
export function recognisePath(path: string): Recognised | null {
  const format = formatOfPath(path);
  return format === null ? null : { format, ...placeIn(format, path) };
}

/**
 * As `recognisePath`, with the format that the file's content shows: JSON of WordPress or of Laravel or any other,
 * PHP of WordPress or of Laravel, the version of an XLIFF file. `head` is the file's beginning as text (64 KB say
 * enough; of a binary format anything). `null` also when the content is none of the formats that the path could mean:
 * a module that exports no object, say.
 */
export function recogniseContent(path: string, head: string): Recognised | null {
  const byPath = formatOfPath(path);
  const format = byPath === null ? null : contentFormat(byPath, head);
  return format === null ? null : { format, ...placeIn(format, path) };
}

/**
 * The format that a file has instead of the given one, where its content leaves no doubt; `null`: it may well be the
 * given one.
 */
export function otherFormat(given: FormatName, path: string, head: string): FormatName | null {
  const byContent = contentFormat(given, head);
  const isSure = byContent !== null && !SAY_NOTHING.has(given);
  const found = isSure ? byContent : (recogniseContent(path, head)?.format ?? null);
  return found === given ? null : found;
}

function placeIn(format: FormatName, path: string): Place {
  const folders = path.replaceAll("\\", "/").split("/");
  const name = (folders.pop() ?? "").slice(0, -(endingOf(path)?.[0].length ?? 0));
  switch (format) {
    case "csv":
    case "xlsx":
      return { locale: null, namespace: null };
    case "pot":
      return { locale: null, namespace: name };
    case "wordpress_jed":
      return jedPlace(folders, name);
    case "laravel_json":
      return { locale: isLocaleName(name) ? name : null, namespace: null };
    case "po":
    case "mo":
    case "wordpress_php":
      return gettextPlace(folders, name);
    case "xliff12":
    case "xliff20":
      return {
        locale: localeOfName(name)?.locale ?? nameAsLocale(name) ?? localeFolder(folders)?.locale ?? null,
        namespace: null,
      };
    default:
      return treePlace(folders, name);
  }
}

function nameAsLocale(name: string): string | undefined {
  return isLocaleName(name) ? name : undefined;
}

/** `shop-nl_NL-0123456789abcdef0123456789abcdef`, and with a script's handle instead of the hash. */
function jedPlace(folders: readonly string[], name: string): Place {
  const hashed = JED_NAME.exec(name);
  if (hashed !== null) return { locale: hashed[2] ?? null, namespace: hashed[1] ?? null };
  const parts = name.split("-");
  // With a region first: a word of a domain or a handle can look like a bare language.
  for (const isMeant of [(part: string): boolean => part.includes("_"), (): boolean => true]) {
    const at = parts.findIndex((part, index) => index > 0 && isMeant(part) && isLocaleName(part));
    if (at > 0) return { locale: parts[at] ?? null, namespace: parts.slice(0, at).join("-") };
  }
  return gettextPlace(folders, name);
}

interface Place {
  readonly locale: string | null;
  readonly namespace: string | null;
}

/** `nl/admin/users`, `vendor/pkg/nl/messages`, `nl`, `common.nl`. */
function treePlace(folders: readonly string[], name: string): Place {
  const folder = localeFolder(folders);
  if (folder !== undefined) {
    const group = [...folders.slice(folder.index + 1), name].join("/");
    const vendor = folders[folder.index - 2] === "vendor" ? folders[folder.index - 1] : undefined;
    return { locale: folder.locale, namespace: vendor === undefined ? group : `${vendor}::${group}` };
  }
  if (isLocaleName(name)) return { locale: name, namespace: null };
  return localeOfName(name) ?? { locale: null, namespace: name };
}

/** `shop-nl_NL`, `nl_NL`, `nl/LC_MESSAGES/shop`. */
function gettextPlace(folders: readonly string[], name: string): Place {
  const folder = localeFolder(folders);
  if (folder !== undefined) return { locale: folder.locale, namespace: name };
  if (isGettextLocale(name)) return { locale: name, namespace: null };
  for (let dash = name.indexOf("-"); dash > 0; dash = name.indexOf("-", dash + 1)) {
    const locale = name.slice(dash + 1);
    if (isGettextLocale(locale)) return { locale, namespace: name.slice(0, dash) };
  }
  return localeOfName(name) ?? { locale: null, namespace: name };
}

/** `nl`, `nl_NL`, `sr@latin`, `zh-Hans`; not `my-shop`, although `my` is a language. */
function isGettextLocale(text: string): boolean {
  return /^[a-z]+(?:[_@]|-(?:[A-Z]{2}|[A-Z][a-z]{3}|\d{3})\b|$)/u.test(text) && isLocaleName(text);
}

/** `common.nl` and `nl.common`. */
function localeOfName(name: string): { locale: string; namespace: string } | undefined {
  const dot = name.lastIndexOf(".");
  if (dot < 1) return undefined;
  const last = name.slice(dot + 1);
  if (isLocaleName(last)) return { locale: last, namespace: name.slice(0, dot) };
  const first = name.slice(0, name.indexOf("."));
  return isLocaleName(first) ? { locale: first, namespace: name.slice(first.length + 1) } : undefined;
}

/** Folders that look like a locale and are none. */
const NOT_LOCALES: ReadonlySet<string> = new Set([
  "app",
  "src",
  "lib",
  "web",
  "api",
  "bin",
  "doc",
  "pkg",
  "cms",
  "dev",
]);

function localeFolder(folders: readonly string[]): { index: number; locale: string } | undefined {
  for (let index = folders.length - 1; index >= 0; index--) {
    const locale = folders[index] ?? "";
    if (isLocaleName(locale) && !NOT_LOCALES.has(locale)) return { index, locale };
  }
  return undefined;
}

function endingOf(path: string): readonly [string, FormatName] | undefined {
  const lower = path.toLowerCase();
  return ENDINGS.find(([ending]) => lower.endsWith(ending));
}
