/**
 * Localised messages in the language of the setting `language`. A drop-in replacement for VS Code's `l10n` (same keys,
 * same bundle), which supports only the display language. VS Code itself translates the texts of the manifest.
 */
import { readFileSync } from "node:fs";
import { env, l10n as display } from "vscode";

/** A language that both the service and the extension support (§ General conventions 2). */
export type Language = "en" | "nl";

type Value = string | number | boolean;

let forced: Language | null = null;
let bundle: Readonly<Record<string, string>> = {};

/**
 * Applies the setting `language`; `auto` follows the display language. `dutchFile` is the path of the Dutch bundle; it is
 * read only if VS Code has not loaded it.
 */
export function setLanguage(setting: "auto" | Language, dutchFile: string): void {
  forced = setting === "auto" ? null : setting;
  bundle = {};
  if (forced === "nl" && forced !== displayLanguage()) {
    bundle = JSON.parse(readFileSync(dutchFile, "utf8")) as typeof bundle;
  }
}

/** Returns the language of the window, which is also sent to the service as `Accept-Language`. */
export function language(): Language {
  return forced ?? displayLanguage();
}

function displayLanguage(): Language {
  return /^nl\b/iu.test(env.language) ? "nl" : "en";
}

/** Returns the translated message with `{0}`, `{1}`, … filled in; the English message if there is no translation. */
function t(message: string, ...values: readonly Value[]): string {
  if (forced === null || forced === displayLanguage()) return display.t(message, ...values);
  return (bundle[message] ?? message).replaceAll(/\{(\d+)\}/gu, (placeholder, index: string) =>
    String(values[Number(index)] ?? placeholder),
  );
}

/** Returns all messages in the language of the window, by the English ones; none in English. */
export function translatedMessages(): Readonly<Record<string, string>> {
  return forced === null || forced === displayLanguage() ? (display.bundle ?? {}) : bundle;
}

/** Has the shape of VS Code's `l10n`, so that the l10n tools find the messages. */
export const l10n = { t };

/** Returns the locale's name in the language of the window ("Brazilian Portuguese"), or the locale if it has none. */
export function languageName(locale: string): string {
  try {
    const names = new Intl.DisplayNames([language()], { type: "language" });
    return names.of(locale.replaceAll("_", "-")) ?? locale;
  } catch {
    return locale;
  }
}
