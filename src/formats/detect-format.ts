/**
 * Determines the format, locale and namespace of a translation file from its path (§ POST /imports 1); `null` for
 * what the path does not tell. Optionally also looks at the start of the file, for paths that several formats share.
 */
import { EXTENSIONS, formatInfo, type FormatName, isGenerated } from "../model/file-formats.ts";
import { isKnownLocale } from "../model/locales.ts";

interface LocaleAndNamespace {
  readonly locale: string | null;
  readonly namespace: string | null;
}

/** What is known from a path. */
export interface DetectedFormat extends LocaleAndNamespace {
  readonly format: FormatName;
}

/** The script hash at the end of a WordPress JSON file's name. */
const JED_NAME = /^(?:(.+)-)?([a-z]{2,3}(?:_[A-Za-z0-9]+)*)-[0-9a-f]{32}$/;

/** Returns the format of a path or path pattern (`lang/{locale}.json`); `null` if its ending belongs to no format. */
export function formatOfPath(path: string): FormatName | null {
  const format = endingOf(path)?.[1];
  if (format === undefined || formatInfo(format).content !== "json") return format ?? null;
  const { folders, name } = splitPath(path);
  if (JED_NAME.test(name)) return "wordpress_jed";
  const inLang = folders.at(-1) === "lang";
  return inLang && (name === "{locale}" || isKnownLocale(name)) ? "laravel_json" : "json_js";
}

/**
 * Returns the format, locale and namespace of a translation file by its path. The locale is that of the innermost
 * folder that names one, otherwise that of the file name (of an XLIFF file, its name comes first); the namespace is
 * everything after the locale, including folders. `null` if the ending is not that of a translation file.
 */
export function detectFromPath(path: string): DetectedFormat | null {
  const format = formatOfPath(path);
  return format === null ? null : { format, ...localeAndNamespaceIn(format, path) };
}

/**
 * Same as `detectFromPath`, but determines the format by the file's content: WordPress's, Laravel's or other JSON,
 * WordPress's or Laravel's PHP, or the XLIFF version. `head` is the start of the file as text (64 KB are enough;
 * anything for a binary format). Also `null` if the content is none of the formats that the path may stand for, such
 * as a module that exports no object.
 */
export function detectFromContent(path: string, head: string): DetectedFormat | null {
  const byPath = formatOfPath(path);
  const format = byPath === null ? null : contentFormat(byPath, head);
  return format === null ? null : { format, ...localeAndNamespaceIn(format, path) };
}

/** Returns the format of a file that, by its content, certainly is not the given one; `null` if it may be. */
export function otherFormat(given: FormatName, path: string, head: string): FormatName | null {
  const byContent = contentFormat(given, head);
  const isSure = byContent !== null && formatInfo(given).content !== null;
  const found = isSure ? byContent : (detectFromContent(path, head)?.format ?? null);
  return found === given ? null : found;
}

function localeAndNamespaceIn(format: FormatName, path: string): LocaleAndNamespace {
  const { folders, name } = splitPath(path);
  switch (formatInfo(format).naming) {
    case "none":
      return { locale: null, namespace: null };
    case "template":
      return { locale: null, namespace: name };
    case "script":
      return localeAndNamespaceOfJed(folders, name);
    case "locale":
      return { locale: isKnownLocale(name) ? name : null, namespace: null };
    case "domain":
      return localeAndNamespaceOfGettext(folders, name);
    case "own": {
      const nameLocale = localeOfName(name)?.locale ?? (isKnownLocale(name) ? name : undefined);
      return { locale: nameLocale ?? localeFolder(folders)?.locale ?? null, namespace: null };
    }
    case "tree":
      return localeAndNamespaceOfTree(path);
  }
}

/** `shop-nl_NL-0123456789abcdef0123456789abcdef`, or with the handle of a script instead of the hash. */
function localeAndNamespaceOfJed(folders: readonly string[], name: string): LocaleAndNamespace {
  const hashed = JED_NAME.exec(name);
  if (hashed !== null) return { locale: hashed[2] ?? null, namespace: hashed[1] ?? null };
  const parts = name.split("-");
  // Locales with a region first: part of a domain or handle may look like a language.
  for (const isMeant of [(part: string): boolean => part.includes("_"), (): boolean => true]) {
    const at = parts.findIndex((part, index) => index > 0 && isMeant(part) && isKnownLocale(part));
    if (at > 0) return { locale: parts[at] ?? null, namespace: parts.slice(0, at).join("-") };
  }
  return localeAndNamespaceOfGettext(folders, name);
}

/** Returns those of a path whose folders and file name are the namespace: `nl/admin/users`, `vendor/pkg/nl/messages`, `common.nl`. */
export function localeAndNamespaceOfTree(path: string): LocaleAndNamespace {
  const { folders, name } = splitPath(path);
  const folder = localeFolder(folders);
  if (folder !== undefined) {
    const group = [...folders.slice(folder.index + 1), name].join("/");
    const vendor = folders[folder.index - 2] === "vendor" ? folders[folder.index - 1] : undefined;
    return { locale: folder.locale, namespace: vendor === undefined ? group : `${vendor}::${group}` };
  }
  if (isKnownLocale(name)) return { locale: name, namespace: null };
  return localeOfName(name) ?? { locale: null, namespace: name };
}

/** `shop-nl_NL`, `nl_NL`, `nl/LC_MESSAGES/shop`. */
function localeAndNamespaceOfGettext(folders: readonly string[], name: string): LocaleAndNamespace {
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
  return /^[a-z]+(?:[_@]|-(?:[A-Z]{2}|[A-Z][a-z]{3}|\d{3})\b|$)/u.test(text) && isKnownLocale(text);
}

/** `common.nl` and `nl.common`. */
function localeOfName(name: string): { locale: string; namespace: string } | undefined {
  const dot = name.lastIndexOf(".");
  if (dot < 1) return undefined;
  const last = name.slice(dot + 1);
  if (isKnownLocale(last)) return { locale: last, namespace: name.slice(0, dot) };
  const first = name.slice(0, name.indexOf("."));
  return isKnownLocale(first) ? { locale: first, namespace: name.slice(first.length + 1) } : undefined;
}

/** Common names of folders that are also three-letter language codes, of which ICU knows more in each version. */
const NOT_LOCALES: ReadonlySet<string> = new Set("app src lib web api bin doc pkg cms dev".split(" "));

function localeFolder(folders: readonly string[]): { index: number; locale: string } | undefined {
  for (let index = folders.length - 1; index >= 0; index--) {
    const locale = folders[index] ?? "";
    if (isKnownLocale(locale) && !NOT_LOCALES.has(locale)) return { index, locale };
  }
  return undefined;
}

/** Returns the folders of a translation file, and its name without the ending. */
export function splitPath(path: string): { readonly folders: readonly string[]; readonly name: string } {
  const folders = path.split(/[\\/]/u);
  const fileName = folders.pop() ?? "";
  return { folders, name: fileName.slice(0, fileName.length - (endingOf(path)?.[0].length ?? 0)) };
}

/** Returns the ending of a translation file's name, with its format by default. */
function endingOf(path: string): (typeof EXTENSIONS)[number] | undefined {
  const lower = path.toLowerCase();
  return EXTENSIONS.find(([ending]) => lower.endsWith(ending));
}

/** Number of UTF-16 units that are enough to recognise a format. */
export const HEAD_LENGTH = 65_536;

/**
 * Returns the format of a file that is expected (by its path or the user) to be `expected`: that format, or a related
 * one if the start of the file shows that; `null` if it is neither.
 */
export function contentFormat(expected: FormatName, content: string): FormatName | null {
  const head = content.slice(0, HEAD_LENGTH);
  switch (formatInfo(expected).content) {
    case "json":
      return jsonFormat(expected, head);
    case "php":
      return phpFormat(expected, head);
    case "xliff":
      return xliffFormat(head);
    case "module":
      return exportsObject(head) ? expected : null;
    case "gettext":
      return /^[ \t]*msgid[ \t"]/mu.test(head) ? expected : null;
    case null:
      return expected;
  }
}

/** WordPress's files have `locale_data`; Laravel's are flat. */
function jsonFormat(expected: FormatName, head: string): FormatName | null {
  const start = /^\s*[{[]/u.exec(head)?.[0];
  if (start === undefined) return null;
  if (start.endsWith("[")) return "json_js";
  const { objectNames, hasNested } = rootObjects(head, start.length);
  if (objectNames.has("locale_data")) return "wordpress_jed";
  if (isGenerated(expected) || hasNested) return "json_js";
  return expected;
}

/** Returns the names of the root's members that are objects, and whether any member is an object or a list. */
function rootObjects(
  head: string,
  start: number,
): { readonly objectNames: ReadonlySet<string>; readonly hasNested: boolean } {
  const objectNames = new Set<string>();
  let hasNested = false;
  let depth = 1;
  let last = "";
  for (let at = start; at < head.length && depth > 0; at++) {
    const code = head.charCodeAt(at);
    if (code === 0x22) {
      const from = at + 1;
      for (at = from; at < head.length && head.charCodeAt(at) !== 0x22; at++) {
        if (head.charCodeAt(at) === 0x5c) at++;
      }
      last = head.slice(from, at);
    } else if (code === 0x7b || code === 0x5b) {
      if (depth === 1) {
        hasNested = true;
        if (code === 0x7b) objectNames.add(last);
      }
      depth++;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    }
  }
  return { objectNames, hasNested };
}

/**
 * WordPress's files are arrays of headers, with the texts in `messages`. In Laravel's, `messages` is a text like any
 * other.
 */
function phpFormat(expected: FormatName, head: string): FormatName | null {
  if (!head.includes("<?")) return null;
  if (!/(['"])messages\1\s*=>\s*(?:\[|array\s*\()/iu.test(head)) return "laravel_php";
  if (isGenerated(expected)) return expected;
  const hasHeaders = /(['"])(?:plural-forms\1\s*=>\s*['"]\s*nplurals|x-generator\1\s*=>)/iu.test(head);
  return hasHeaders ? "wordpress_php" : "laravel_php";
}

/** 2.0, 2.1 and 2.2 are read alike. A file without a version is 1.x, which did not always require one. */
function xliffFormat(head: string): FormatName | null {
  const attributes = /<(?:[\w.-]+:)?xliff\b([^>]*)/u.exec(head)?.[1];
  if (attributes === undefined) return null;
  const version = /\bversion\s*=\s*["']\s*(\d)/u.exec(attributes)?.[1];
  if (version !== undefined) return version === "1" ? "xliff12" : "xliff20";
  return attributes.includes("xliff:document:2") ? "xliff20" : "xliff12";
}

/** The start of a function that only returns an object literal. */
const RETURNING_FUNCTION = String.raw`(?:async\s+)?(?:(?:\([^(){}]{0,200}\)[^=;{}()]{0,200}|[\w$]+)\s*=>\s*(?:\(\s*|\{\s*return\s+\(?\s*)|function\s*[\w$]*\s*\([^(){}]{0,200}\)[^;{}()]{0,200}\{\s*return\s+\(?\s*)`;
/** The start of an object literal, also as the argument of a call, or returned by a function. */
const OBJECT_START = String.raw`(?:\(\s*)*(?:[\w$.]+\s*\(\s*)?(?:${RETURNING_FUNCTION})?\{`;
const EXPORTED_OBJECT = new RegExp(
  [
    String.raw`\bexport\s+default\s+${OBJECT_START}`,
    String.raw`\b(?:module\s*\.\s*exports|exports\s*\.\s*[\w$]+)\s*=\s*${OBJECT_START}`,
    // The value of a call may be anything, unless it is what the module is about.
    String.raw`\bexport\s+(?:const|let|var)\s+[\w$]+[^=;{}()]{0,200}=\s*(?:${RETURNING_FUNCTION})?\{`,
  ].join("|"),
  "u",
);

const DECLARED_OBJECT = new RegExp(
  String.raw`\b(?:const|let|var)\s+([\w$]+)[^=;{}()]{0,200}=\s*${OBJECT_START}`,
  "gu",
);

/**
 * Whether the start of a module exports an object literal: directly, by its name, as the argument of a call, or returned
 * by a function.
 */
function exportsObject(text: string): boolean {
  if (/^\s*</u.test(text)) return false;
  if (EXPORTED_OBJECT.test(text)) return true;
  const named =
    /\b(?:export\s+default|module\s*\.\s*exports\s*=|export\s*=)\s*(?:[\w$.]+\s*\(\s*)?([\w$]+)/u.exec(
      text,
    )?.[1];
  const declared = [...text.matchAll(DECLARED_OBJECT)].map(([, name]) => name);
  // In a long file the export may be beyond the part that was read.
  if (named === undefined) return text.length === HEAD_LENGTH && declared.length > 0;
  return declared.includes(named);
}
