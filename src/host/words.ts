/**
 * The words of the extension in the language that the setting `language` asks for. A drop-in for VS Code's own `l10n`
 * (same keys, same bundle), which knows only the display language. The manifest's texts stay VS Code's to translate.
 */
import { env, l10n as display } from "vscode";
import dutch from "../../l10n/bundle.l10n.nl.json";

/** A language that the service and the extension both speak (§ General conventions 2). */
export type Language = "en" | "nl";

type Value = string | number | boolean;

let forced: Language | null = null;

/** What the setting `language` says; `auto` follows the display language. */
export function setLanguage(setting: "auto" | Language): void {
  forced = setting === "auto" ? null : setting;
}

/** The language of the window, and so of what the service is asked for. */
export function language(): Language {
  return forced ?? displayLanguage();
}

function displayLanguage(): Language {
  return /^nl\b/iu.test(env.language) ? "nl" : "en";
}

/**
 * The message in the language of the window, with `{0}`, `{1}`, … filled in. A message without a translation stays
 * English.
 */
function t(message: string, ...values: readonly Value[]): string {
  if (forced === null || forced === displayLanguage()) return display.t(message, ...values);
  const bundle: Readonly<Record<string, string>> = forced === "nl" ? dutch : {};
  return (bundle[message] ?? message).replaceAll(/\{(\d+)\}/gu, (place, index: string) =>
    String(values[Number(index)] ?? place),
  );
}

/** Imported as VS Code's `l10n` is, so that the tools that gather strings find them. */
export const l10n = { t };
