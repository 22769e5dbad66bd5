/**
 * Distinguishes formats with the same file extension by the start of the file's content. Looks only as far as
 * necessary; whether the rest is valid is up to the format.
 */
import type { FormatName } from "../model/format-name.ts";

/** Number of UTF-16 units that are enough to recognise a format. */
export const HEAD_LENGTH = 65_536;

/**
 * Returns the format of a file that is expected (by its path or the user) to be `expected`: that format, or a related
 * one if the start of the file shows that; `null` if it is neither.
 */
export function contentFormat(expected: FormatName, content: string): FormatName | null {
  const head = content.slice(0, HEAD_LENGTH);
  switch (expected) {
    case "laravel_json":
    case "json_js":
    case "wordpress_jed":
      return jsonFormat(expected, head);
    case "laravel_php":
    case "wordpress_php":
      return phpFormat(expected, head);
    case "xliff12":
    case "xliff20":
      return xliffFormat(head);
    case "js_module":
      return exportsObject(head) ? expected : null;
    case "po":
    case "pot":
      return /^[ \t]*msgid[ \t"]/mu.test(head) ? expected : null;
    case "mo":
    case "csv":
    case "xlsx":
      return expected;
  }
}

/** WordPress's files have `locale_data`; Laravel's are flat. */
function jsonFormat(expected: "laravel_json" | "json_js" | "wordpress_jed", head: string): FormatName | null {
  const start = /^\s*[{[]/u.exec(head)?.[0];
  if (start === undefined) return null;
  if (start.endsWith("[")) return "json_js";
  const { names, nested } = topMembers(head, start.length);
  if (names.has("locale_data")) return "wordpress_jed";
  if (expected === "wordpress_jed" || nested) return "json_js";
  return expected;
}

/** Returns the names of the root's members that are objects; `nested`: whether there is any object or list. */
function topMembers(
  head: string,
  start: number,
): { readonly names: ReadonlySet<string>; readonly nested: boolean } {
  const names = new Set<string>();
  let nested = false;
  let depth = 1;
  let last = "";
  for (let at = start; at < head.length && depth > 0; at++) {
    const code = head.charCodeAt(at);
    if (code === 0x22) {
      const from = at + 1;
      for (at = from; at < head.length && head.charCodeAt(at) !== 0x22; at++) {
        if (head.charCodeAt(at) === 0x5c) at++;
      }
      if (depth === 1) last = head.slice(from, at);
    } else if (code === 0x7b || code === 0x5b) {
      if (depth === 1) {
        nested = true;
        if (code === 0x7b) names.add(last);
      }
      depth++;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    }
  }
  return { names, nested };
}

/**
 * WordPress's files are arrays of headers, with the texts in `messages`. In Laravel's, `messages` is a text like any
 * other.
 */
function phpFormat(expected: "laravel_php" | "wordpress_php", head: string): FormatName | null {
  if (!head.includes("<?")) return null;
  if (!/(['"])messages\1\s*=>\s*(?:\[|array\s*\()/iu.test(head)) return "laravel_php";
  if (expected === "wordpress_php") return expected;
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

/** Whether the start of a module exports an object literal: directly, by its name, or as the argument of a call. */
function exportsObject(text: string): boolean {
  if (/^\s*</u.test(text)) return false;
  if (/\bexport\s+default\s+(?:\(\s*)*(?:\{|[\w$.]+\s*\(\s*\{)/u.test(text)) return true;
  if (/\b(?:module\s*\.\s*exports|exports\s*\.\s*[\w$]+)\s*=\s*(?:\{|[\w$.]+\s*\(\s*\{)/u.test(text))
    return true;
  if (/\bexport\s+(?:const|let|var)\s+[\w$]+[^=;{}()]{0,200}=\s*\{/u.test(text)) return true;
  const named =
    /\b(?:export\s+default|module\s*\.\s*exports\s*=|export\s*=)\s*(?:[\w$.]+\s*\(\s*)?([\w$]+)/u.exec(
      text,
    )?.[1];
  const declared = [...text.matchAll(/\b(?:const|let|var)\s+([\w$]+)[^=;{}()]{0,200}=\s*\{/gu)].map(
    ([, name]) => name,
  );
  // In a long file the export may be beyond the part that was read.
  if (named === undefined) return text.length === HEAD_LENGTH && declared.length > 0;
  return declared.includes(named);
}
