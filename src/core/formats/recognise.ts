/**
 * What a translation file's path says of it: format, locale, namespace (§ POST /imports 1). Looks at the path
 * alone; what the path does not say is `null`.
 */
import type { FormatName } from "../../api/schemas.ts";
import { isLocaleName } from "../locale-names.ts";

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
  const ending = endingOf(path);
  if (format === null || ending === undefined) return null;
  const folders = path.replaceAll("\\", "/").split("/");
  const name = (folders.pop() ?? "").slice(0, -ending[0].length);
  switch (format) {
    case "csv":
    case "xlsx":
      return { format, locale: null, namespace: null };
    case "pot":
      return { format, locale: null, namespace: name };
    case "wordpress_jed": {
      const match = JED_NAME.exec(name);
      return { format, locale: match?.[2] ?? null, namespace: match?.[1] ?? null };
    }
    case "laravel_json":
      return { format, locale: name, namespace: null };
    case "po":
    case "mo":
    case "wordpress_php":
      return { format, ...gettextPlace(folders, name) };
    case "xliff12":
    case "xliff20":
      return {
        format,
        locale: localeOfName(name)?.locale ?? localeFolder(folders)?.locale ?? null,
        namespace: null,
      };
    default:
      return { format, ...treePlace(folders, name) };
  }
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
  if (isLocaleName(name)) return { locale: name, namespace: null };
  for (let dash = name.indexOf("-"); dash > 0; dash = name.indexOf("-", dash + 1)) {
    const locale = name.slice(dash + 1);
    if (isLocaleName(locale)) return { locale, namespace: name.slice(0, dash) };
  }
  return localeOfName(name) ?? { locale: null, namespace: name };
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
