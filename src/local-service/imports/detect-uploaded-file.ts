/**
 * Detects format, language and namespace of an uploaded file by its path and start, unless the request forces them
 * (§ POST /imports rule 1).
 */
import type { FormatName } from "../../model/format-name.ts";
import {
  contentFormat,
  detectFromContent,
  detectFromPath,
  type DetectedFormat,
} from "../../formats/detect-format.ts";
import { decodeHead } from "../../formats/translation-file.ts";

/** Returns `null` when the content contradicts the extension or the forced format. */
export function detectFromFile(
  path: string,
  bytes: Uint8Array,
  forced: FormatName | undefined,
): DetectedFormat | null {
  const beginning = decodeHead(bytes);
  if (forced === undefined) return detectFromContent(path, beginning);
  if (contentFormat(forced, beginning) === null) return null;
  const { locale = null, namespace = null } = detectFromPath(path) ?? {};
  return { format: forced, locale, namespace: forced === "laravel_json" ? null : namespace };
}

/** Normalises a path: `/` as separator and no leading one. */
export function plainPath(path: string): string {
  return path.replaceAll("\\", "/").replace(/^(?:\.?\/)+/u, "");
}

/** Returns the project's name of a locale in a path or file: `pt_BR` is `pt-BR`. */
export function projectLocale(given: string, locales: readonly string[]): string | undefined {
  const plain = (locale: string): string => locale.replaceAll("_", "-").toLowerCase();
  return (
    locales.find((locale) => locale === given) ?? locales.find((locale) => plain(locale) === plain(given))
  );
}
