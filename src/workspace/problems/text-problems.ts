/** What is wrong with a translation in a file, compared with its source text. */
import { checkPlaceholders, type PlaceholderIssue } from "../../model/placeholder-checks.ts";
import { type FileTranslation, placeholderFamilies } from "../../model/placeholder-families.ts";
import type { PlaceholderFamily } from "../../model/placeholders.ts";
import type { Text } from "../../model/translation-text.ts";

/** Returns the source text that the translation is compared with: a format string is the one in the code. */
export function comparedSource({
  source,
  ownSource,
  formatFlags,
}: Pick<FileTranslation, "source" | "ownSource" | "formatFlags">): Text | null {
  return (formatFlags === undefined ? source : undefined) ?? ownSource ?? source;
}

/**
 * Returns what is wrong with the placeholders.
 * @param families Those of the project's frameworks and formats.
 */
export function placeholderProblems(
  families: readonly PlaceholderFamily[],
  file: FileTranslation,
): readonly PlaceholderIssue[] {
  const { path, family, text, locale, formatFlags = [], isFuzzy } = file;
  if (isFuzzy) return [];
  const source = comparedSource(file);
  return checkPlaceholders(
    placeholderFamilies(families, { path, family, formatFlags, source }),
    source,
    text,
    locale,
  );
}
