/** Extracts a text from code: «…» marks the selection. */
import { type CodeFile, extractionAt } from "../../../../src/workspace/extract-text/extract-text.ts";
import type { FindOptions } from "../../../../src/scanners/key-usage.ts";
import { usageLanguageFor } from "../../../../src/scanners/supported-source-languages.ts";
import { applySplices } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";

export type ExtractLanguage = keyof typeof PATHS;

export const PATHS = {
  php: "a.php",
  blade: "a.blade.php",
  javascript: "a.jsx",
  typescript: "a.ts",
  tsx: "a.tsx",
  vue: "a.vue",
  svelte: "a.svelte",
  astro: "a.astro",
  twig: "a.html.twig",
  python: "a.py",
  django: "a.djhtml",
  jinja: "a.jinja",
  angular: "a.component.html",
} as const;

export function codeFile(path: string, text: string, options: FindOptions): CodeFile {
  return { path, text, language: usageLanguageFor(path), options };
}

/** The text of the key, and the document afterwards; `null`: nothing to take out. */
export async function extract(
  marked: string,
  language: ExtractLanguage,
  framework: FrameworkName | readonly FrameworkName[],
  key: string | null = "shop.new",
  domains: readonly string[] = [],
) {
  const head = language === "php" ? "<?php " : "";
  const text = `${head}${marked.replace("«", "").replace("»", "")}`;
  const start = head.length + marked.indexOf("«");
  const end = head.length + marked.indexOf("»") - 1;
  const frameworks = new Set([framework].flat());
  const options = { frameworks, functions: [], ...(domains.length > 0 ? { domains: new Set(domains) } : {}) };
  const found = await extractionAt(codeFile(PATHS[language], text, options), { start, end });
  if (found === null) return null;
  const splices = found.splicesFor(key ?? found.text);
  return splices === null ? "refused" : [found.text, applySplices(text, splices).slice(head.length)];
}
