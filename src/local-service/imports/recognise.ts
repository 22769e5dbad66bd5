/**
 * Recognises format, language and namespace of an uploaded file by its path and start, unless the request forces them
 * (§ POST /imports rule 1).
 */
import type { FormatName } from "../../model/format-name.ts";
import { recogniseContent, recognisePath, type Recognised } from "../../formats/recognise-format.ts";
import { contentFormat } from "../../formats/recognise-format-by-content.ts";
import { decodeHead } from "../../formats/translation-file.ts";

/** Returns `null` when the content contradicts the extension or the forced format. */
export function recogniseFile(
  path: string,
  bytes: Uint8Array,
  forced: FormatName | undefined,
): Recognised | null {
  const beginning = decodeHead(bytes);
  if (forced === undefined) return recogniseContent(path, beginning);
  if (contentFormat(forced, beginning) === null) return null;
  const { locale = null, namespace = null } = recognisePath(path) ?? {};
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
