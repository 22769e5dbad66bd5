/**
 * The words of the extension in the language that the setting `language` asks for. A drop-in for VS Code's own `l10n`
 * (same keys, same bundle), which knows only the display language. The manifest's texts stay VS Code's to translate.
 */
import { readFileSync } from "node:fs";
import { env, l10n as display } from "vscode";

/** A language that the service and the extension both speak (§ General conventions 2). */
export type Language = "en" | "nl";

type Value = string | number | boolean;

let forced: Language | null = null;
let bundle: Readonly<Record<string, string>> = {};

/**
 * What the setting `language` says; `auto` follows the display language. `dutchFile`: the path of the Dutch words, which
 * are read only where VS Code has not read them.
 */
export function setLanguage(setting: "auto" | Language, dutchFile: string): void {
  forced = setting === "auto" ? null : setting;
  bundle = {};
  if (forced === "nl" && forced !== displayLanguage()) {
    bundle = JSON.parse(readFileSync(dutchFile, "utf8")) as typeof bundle;
  }
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
  return (bundle[message] ?? message).replaceAll(/\{(\d+)\}/gu, (place, index: string) =>
    String(values[Number(index)] ?? place),
  );
}

/** Imported as VS Code's `l10n` is, so that the tools that gather strings find them. */
export const l10n = { t };
