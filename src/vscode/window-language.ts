/** The language of the window's messages. VS Code itself translates the texts of the manifest. */
import { readFileSync } from "node:fs";
import { env, l10n } from "vscode";
import { type Language, setLanguage } from "../util/l10n.ts";

/**
 * Applies the setting `language`; `auto` follows the display language. `dutchFile` is the path of the Dutch bundle; it is
 * read only if VS Code has not loaded it.
 */
export function applyLanguage(setting: "auto" | Language, dutchFile: string): void {
  const display = /^nl\b/iu.test(env.language) ? "nl" : "en";
  const language = setting === "auto" ? display : setting;
  if (language === "en") setLanguage("en", {});
  else setLanguage(language, (display === "nl" ? l10n.bundle : undefined) ?? readBundle(dutchFile));
}

function readBundle(file: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
}
