/**
 * Which of several formats a file's beginning shows, where their names end alike. Looks at the text only as far as is
 * needed to tell; whether the rest is sound is the format's own to say.
 */
import type { FormatName } from "../model/format-name.ts";

/** So much of a file says what it is. UTF-16 units. */
export const HEAD_LENGTH = 65_536;

/**
 * The format of a file of which the path, or somebody, says `expected`: that one, or the one of the same kind of file
 * that its beginning shows; `null` when it is nothing of the kind.
 */
export function contentFormat(expected: FormatName, head: string): FormatName | null {
  switch (expected) {
    case "laravel_json":
    case "json_js":
    case "wordpress_jed":
      return jsonFormat(expected, head.slice(0, HEAD_LENGTH));
    case "laravel_php":
    case "wordpress_php":
      return phpFormat(expected, head.slice(0, HEAD_LENGTH));
    case "xliff12":
    case "xliff20":
      return xliffFormat(head.slice(0, HEAD_LENGTH));
    case "js_module":
      return exportsObject(head) ? expected : null;
    case "po":
    case "pot":
      return /^[ \t]*msgid[ \t"]/mu.test(head.slice(0, HEAD_LENGTH)) ? expected : null;
    case "mo":
    case "csv":
    case "xlsx":
      return expected;
  }
}

/** WordPress's has `locale_data`; Laravel's is flat. */
function jsonFormat(expected: "laravel_json" | "json_js" | "wordpress_jed", head: string): FormatName | null {
  const start = /^\s*[{[]/u.exec(head)?.[0];
  if (start === undefined) return null;
  if (start.endsWith("[")) return "json_js";
  const { names, nested } = topMembers(head, start.length);
  if (names.has("locale_data")) return "wordpress_jed";
  if (expected === "wordpress_jed" || nested) return "json_js";
  return expected;
}

/** The objects among the members of the root, by name; `nested`: there is one, or a list. */
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

/** WordPress's is an array of headers with the texts in `messages`. Laravel's `messages` are texts like others. */
function phpFormat(expected: "laravel_php" | "wordpress_php", head: string): FormatName | null {
  if (!head.includes("<?")) return null;
  if (!/(['"])messages\1\s*=>\s*(?:\[|array\s*\()/iu.test(head)) return "laravel_php";
  if (expected === "wordpress_php") return expected;
  const hasHeaders = /(['"])(?:plural-forms\1\s*=>\s*['"]\s*nplurals|x-generator\1\s*=>)/iu.test(head);
  return hasHeaders ? "wordpress_php" : "laravel_php";
}

/** 2.0, 2.1 and 2.2 are read alike; without a version it is the old one, which did not always demand one. */
function xliffFormat(head: string): FormatName | null {
  const attributes = /<(?:[\w.-]+:)?xliff\b([^>]*)/u.exec(head)?.[1];
  if (attributes === undefined) return null;
  const version = /\bversion\s*=\s*["']\s*(\d)/u.exec(attributes)?.[1];
  if (version !== undefined) return version === "1" ? "xliff12" : "xliff20";
  return attributes.includes("xliff:document:2") ? "xliff20" : "xliff12";
}

/** Whether the beginning of a module exports an object that stands there (as itself, by its name, or in a call). */
function exportsObject(head: string): boolean {
  const text = head.slice(0, HEAD_LENGTH);
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
  // The export of a long file stands behind what was looked at.
  if (named === undefined) return head.length >= HEAD_LENGTH && declared.length > 0;
  return declared.includes(named);
}
