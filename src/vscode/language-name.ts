/** Names of languages for people, in the language of the window. */
import { language } from "./l10n.ts";

/** "Dutch", "Brazilian Portuguese"; the locale itself where it has no name. */
export function languageName(locale: string): string {
  try {
    const names = new Intl.DisplayNames([language()], { type: "language" });
    return names.of(locale.replaceAll("_", "-")) ?? locale;
  } catch {
    return locale;
  }
}
