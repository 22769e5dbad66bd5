/** The service to test: that of the environment variables, else a local one. */
import type { TestProject } from "vitest/node";
import { NO_LIMITS, startLocal } from "./local-service.ts";

export interface Target {
  readonly baseUrl: string;
  readonly token: string;
  readonly readToken: string;
  readonly isLocal: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    target: Target;
  }
}

/** Settings of the local service. Another service needs at least a target language, and a profile with one file. */
const PROJECT = {
  slug: "walk",
  name: "Walk",
  type: "laravel",
  sourceLocale: "en",
  languages: [{ locale: "nl" }, { locale: "fr" }, { locale: "pt-BR", fallback: ["fr"] }],
  exportProfiles: [
    { key: "json", format: "json_js", path: "{locale}/{namespace}.json" },
    { key: "app", format: "laravel_php", path: "lang/{locale}/{namespace}.php" },
    { key: "laravel-json", format: "laravel_json", path: "lang/{locale}.json" },
    { key: "module", format: "js_module", path: "{locale}/{namespace}.js" },
    { key: "po", format: "po", path: "{namespace}-{locale}.po" },
    { key: "pot", format: "pot", path: "{namespace}.pot" },
    { key: "mo", format: "mo", path: "{namespace}-{locale}.mo" },
    { key: "wordpress-php", format: "wordpress_php", path: "{namespace}-{locale}.l10n.php" },
    {
      key: "jed",
      format: "wordpress_jed",
      path: "{namespace}-{locale}-0123456789abcdef0123456789abcdef.json",
    },
    { key: "csv", format: "csv", path: "texts.csv" },
    { key: "xlsx", format: "xlsx", path: "texts.xlsx" },
    { key: "xliff12", format: "xliff12", path: "{locale}.xlf" },
    { key: "xliff20", format: "xliff20", path: "{locale}.xlf" },
  ],
  spreadsheetPresets: ["en", "nl"].map((locale) => ({
    header: ["namespace", "key", locale, `${locale} one`, `${locale} other`],
    namespace: "namespace",
    key: "key",
    languages: { [locale]: locale, [`${locale} one`]: locale, [`${locale} other`]: locale },
    categories: { [`${locale} one`]: "one", [`${locale} other`]: "other" },
  })),
  limits: NO_LIMITS,
};

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { env } = process;
  const baseUrl = env["PROJECT_TRANSLATIONS_BASE_URL"];
  if (baseUrl !== undefined) {
    const token = env["PROJECT_TRANSLATIONS_TOKEN"];
    const readToken = env["PROJECT_TRANSLATIONS_READ_TOKEN"];
    if (token === undefined || readToken === undefined)
      throw new Error(
        "PROJECT_TRANSLATIONS_TOKEN (read and write) and PROJECT_TRANSLATIONS_READ_TOKEN are also needed.",
      );
    project.provide("target", { baseUrl, token, readToken, isLocal: false });
    return async () => undefined;
  }
  const service = await startLocal({ project: PROJECT });
  const { token, readToken } = service;
  project.provide("target", { baseUrl: service.baseUrl, token, readToken, isLocal: true });
  return async () => void (await service.stop());
}
