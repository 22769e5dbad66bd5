/**
 * Matches the path patterns of the project file (`lang/{locale}/{namespace}.php`) with paths, and builds paths from
 * them. detect-layouts.ts proposes patterns for a folder. Reads no files.
 */
import { formatInfoOf } from "../../model/file-formats.ts";
import { NO_NAMESPACE } from "../../model/key-hash.ts";
import { hasLocaleShape } from "../../model/locales.ts";
import { escapeRegExp } from "../../model/translation-text.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { FilesEntry } from "../project-file/project-file.ts";

/** The values of a pattern's placeholders in a path; `null` if the pattern does not contain the placeholder. */
export interface PlaceholderValues {
  /** As in the file name; `localeMap` maps it to the service's name. */
  readonly locale: string | null;
  /** May contain folders (`admin/users`). */
  readonly namespace: string | null;
  /** A Laravel package (`lang/vendor/{package}/…`). */
  readonly package: string | null;
}

type PlaceholderName = keyof PlaceholderValues;

/** Splits a pattern into literal text (even indexes) and names of placeholders (odd ones). */
const PLACEHOLDER = /\{(locale|namespace|package)\}/u;

/** Returns the first part in braces that is no placeholder. */
export function unknownPlaceholder(pattern: string): string | undefined {
  return /\{(?!(?:locale|namespace|package)\})[^{}/]*\}/u.exec(pattern)?.[0];
}

/**
 * Returns the placeholder values of a path, or `null` if it does not match. `{locale}` and `{package}` match a folder
 * or a part of a name, `{namespace}` may span folders. A locale must be one of `locales` or look like one, so that
 * `lang/vendor/pkg/en/x.php` does not have the locale `vendor`.
 */
export function matchPath(
  pattern: string,
  path: string,
  locales?: ReadonlySet<string>,
): PlaceholderValues | null {
  const match = execPattern(pattern, path);
  if (match === null) return null;
  const { locale = null, namespace = null, package: packageName = null } = match.groups ?? {};
  if (locale !== null && !locales?.has(locale) && !hasLocaleShape(locale)) return null;
  return { locale, namespace, package: packageName };
}

/** Placeholders that are translated into the glob; real layouts have fewer. */
const MAX_WILDCARDS = 4;

/** Returns a glob that matches at least every path of the pattern. */
export function globOf(pattern: string): string {
  const parts = pattern.split(PLACEHOLDER);
  const cut = 2 * MAX_WILDCARDS + 1;
  const glob = parts.slice(0, cut).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[*?[\]{}]/g, "?");
    const before = parts[index - 1] ?? "";
    const isFolder = before.endsWith("/") || (index === 1 && before === "");
    return part === "namespace" && isFolder ? "**/*" : "*";
  });
  const text = glob.join("");
  // Each wildcard multiplies the attempts per path, so `**` replaces everything from the fifth one on.
  return parts.length <= cut ? text : `${text.slice(0, text.lastIndexOf("/") + 1)}**/*`;
}

/** More patterns than this have globs of their folders, since each glob is a search. */
const MAX_GLOBS = 12;

/** Returns globs that match at least every path of the patterns. */
export function globsOf(patterns: readonly string[]): readonly string[] {
  const globs = new Set(patterns.map(globOf));
  if (globs.size <= MAX_GLOBS) return [...globs];
  const inFolders = Array.from(globs, (glob) => {
    const start = glob.slice(0, glob.search(/[*?]|$/u));
    return `${start.slice(0, start.lastIndexOf("/") + 1)}**/*${/\.[^.*?/]+$/u.exec(glob)?.[0] ?? ""}`;
  });
  return [...new Set(inFolders)];
}

/**
 * Returns the placeholder values that are known for all matching files below a folder (`null`: not known yet); `null` if
 * no file there can match.
 */
export function matchFolder(pattern: string, folder: string): PlaceholderValues | null {
  const segments = pattern.split("/");
  const folders = folder === "" ? [] : folder.split("/");
  // A namespace may span folders.
  const end = segments.findIndex((segment) => segment.includes("{namespace}"));
  const known = end === -1 ? folders.length : Math.min(end, folders.length);
  if (known >= segments.length) return null;
  return matchPath(segments.slice(0, known).join("/"), folders.slice(0, known).join("/"));
}

/** Whether the pattern has the placeholder. */
export function hasPlaceholder(pattern: string, name: PlaceholderName): boolean {
  return pattern.includes(`{${name}}`);
}

/** How the keys of a file are named: their namespace, and the prefix of each key. */
export interface KeyNaming {
  readonly namespace: string;
  readonly keyPrefix: string;
}

/**
 * Returns the key naming of a file, by the rules of docs/project-file.md: `namespace` and `keyPrefix` of the entry
 * with the placeholders filled in; else the path's `{namespace}` (Laravel packages: `package::group`), else `*`.
 * Always `*` for `laravel_json`.
 */
export function keyNamingOf(entry: FilesEntry, placeholders: PlaceholderValues): KeyNaming {
  const keyPrefix = fillIn(entry.keyPrefix ?? "", placeholders) ?? "";
  const namespace = fillIn(namespaceTemplate(entry) ?? NO_NAMESPACE, placeholders) ?? NO_NAMESPACE;
  return { namespace, keyPrefix };
}

/** The placeholder values of the files that may contain a key, and the key in the file, without the prefix. */
interface KeyLocation {
  readonly placeholders: Partial<PlaceholderValues>;
  readonly key: string;
}

/** The inverse of `keyNamingOf`; `null` if the entry's files cannot contain the key. */
export function locateKey(
  entry: FilesEntry,
  { namespace, key }: { readonly namespace: string; readonly key: string },
): KeyLocation | null {
  const template = namespaceTemplate(entry);
  const byNamespace = template === null ? {} : matchTemplate(template, namespace);
  if (byNamespace === null) return null;
  const prefix = entry.keyPrefix ?? "";
  // The prefix is the shortest match of its template, with the values that the namespace determines.
  const filled = fillIn(prefix, byNamespace);
  if (filled !== null) {
    return key.startsWith(filled) ? keyLocation(entry, byNamespace, key.slice(filled.length)) : null;
  }
  for (let dot = key.indexOf("."); dot > 0 && dot < MAX_PREFIX_CHARACTERS; dot = key.indexOf(".", dot + 1)) {
    const found = matchTemplate(prefix, key.slice(0, dot + 1));
    if (found !== null) return keyLocation(entry, { ...byNamespace, ...found }, key.slice(dot + 1));
  }
  return null;
}

/** Returns `null` if a placeholder of the path has no value, or the key is empty. */
function keyLocation(
  entry: FilesEntry,
  placeholders: Partial<PlaceholderValues>,
  key: string,
): KeyLocation | null {
  const path = fillIn(entry.path, { ...placeholders, locale: "xx" });
  return path === null || key === "" ? null : { placeholders, key };
}

/** `null`: any namespace, since the files name the namespaces of their keys themselves. */
function namespaceTemplate(entry: FilesEntry): string | null {
  if (entry.namespace !== undefined) return entry.namespace;
  const info = formatInfoOf(entry.format);
  if (info?.hasNamespaces === false) return NO_NAMESPACE;
  if (!hasPlaceholder(entry.path, "namespace")) return info?.ownNamespaces === true ? null : NO_NAMESPACE;
  return hasPlaceholder(entry.path, "package") ? "{package}::{namespace}" : "{namespace}";
}

/** Returns the values of the template's placeholders; `null` if the text does not match. */
function matchTemplate(template: string, text: string): Partial<PlaceholderValues> | null {
  const match = execPattern(template, text);
  if (match === null) return null;
  const placeholders: Partial<Record<PlaceholderName, string>> = { ...match.groups };
  // `*` is not a file name: a key without a namespace is never in a `{namespace}` file.
  return placeholders.namespace === NO_NAMESPACE || placeholders.namespace?.includes("::") === true
    ? null
    : placeholders;
}

/** Returns a path, namespace or prefix with the placeholders filled in; `null` if a value is missing. */
export function fillIn(template: string, placeholders: Partial<PlaceholderValues>): string | null {
  const parts = template
    .split(PLACEHOLDER)
    .map((part, index) => (index % 2 === 0 ? part : (placeholders[part as PlaceholderName] ?? null)));
  return parts.includes(null) ? null : parts.join("");
}

/** Longer paths and names do not match. */
const MAX_PATH_CHARACTERS = 1024;
const MAX_PREFIX_CHARACTERS = 256;
const MAX_PLACEHOLDERS = 8;

/** Regular expression sources of the placeholders. Short lengths bound the backtracking. */
const PLACEHOLDER_SOURCES: Readonly<Record<PlaceholderName, string>> = {
  locale: "[^/]{1,40}?",
  package: "[^/]{1,100}?",
  namespace: ".+",
};

function execPattern(pattern: string, text: string): RegExpExecArray | null {
  return text.length > MAX_PATH_CHARACTERS ? null : patternRegExp(pattern).exec(text);
}

const MAX_CACHED_PATTERNS = 500;
const patternCache = new Map<string, RegExp>();

/** Compiles a pattern: a named group per placeholder, and a back reference where one is repeated. */
function patternRegExp(pattern: string): RegExp {
  if (patternCache.size > MAX_CACHED_PATTERNS) patternCache.clear();
  return getOrCreate(patternCache, pattern, () => {
    const parts = pattern.split(PLACEHOLDER);
    if (parts.length > 2 * MAX_PLACEHOLDERS + 1) return /(?!)/u;
    const sources = parts.map((part, index) => {
      if (index % 2 === 0) return escapeRegExp(part);
      const isRepeated = parts.slice(0, index).some((other, before) => other === part && before % 2 === 1);
      return isRepeated ? `\\k<${part}>` : `(?<${part}>${PLACEHOLDER_SOURCES[part as PlaceholderName]})`;
    });
    return new RegExp(`^${sources.join("")}$`, "u");
  });
}
