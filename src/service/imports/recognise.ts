/**
 * What kind of file an uploaded one is, and where its texts belong, by its path and its beginning unless the request
 * forces it (§ POST /imports rule 1). Reads no entries.
 */
import type { FormatName } from "../../model/format-name.ts";
import { recogniseContent, recognisePath, type Recognised } from "../../formats/recognise.ts";
import { contentFormat } from "../../formats/recognise-content.ts";
import { beginningOf } from "../../formats/translation-file.ts";

/** `null`: the contents are wrong for the extension, or for the forced format. */
export function recogniseFile(
  path: string,
  bytes: Uint8Array,
  forced: FormatName | undefined,
): Recognised | null {
  const beginning = beginningOf(bytes);
  if (forced === undefined) return recogniseContent(path, beginning);
  if (contentFormat(forced, beginning) === null) return null;
  const { locale = null, namespace = null } = recognisePath(path) ?? {};
  return { format: forced, locale, namespace: forced === "laravel_json" ? null : namespace };
}

/** The path with `/` between its folders and nothing before the first. */
export function plainPath(path: string): string {
  return path.replaceAll("\\", "/").replace(/^(?:\.?\/)+/u, "");
}

/** The project's own name of a locale that a path or a file says: `pt_BR` is `pt-BR`. */
export function projectLocale(given: string, locales: readonly string[]): string | undefined {
  const plain = (locale: string): string => locale.replaceAll("_", "-").toLowerCase();
  return (
    locales.find((locale) => locale === given) ?? locales.find((locale) => plain(locale) === plain(given))
  );
}
