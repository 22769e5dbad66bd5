/**
 * The source languages that are searched for key usages. To add one, create a file in this folder and list it here.
 */
import { astro, svelte } from "./svelte-and-astro-scanner.ts";
import { blade, php } from "./php-and-blade-scanner.ts";
import { django, jinja } from "./django-and-jinja-scanner.ts";
import { html } from "./html-scanner.ts";
import { python } from "./python-scanner.ts";
import { javascript, typescript } from "./script-languages.ts";
import { twig } from "./twig-scanner.ts";
import type { UsageLanguage } from "./key-usage.ts";
import { vue } from "./vue-scanner.ts";
import { filesWithTexts } from "./file-texts-scanner.ts";

export const usageLanguages: readonly UsageLanguage[] = [
  blade,
  php,
  typescript,
  javascript,
  vue,
  svelte,
  astro,
  twig,
  python,
  django,
  jinja,
  html,
  ...filesWithTexts,
];

const byLanguageId = new Map(
  usageLanguages.flatMap((language) => language.languageIds.map((id) => [id, language] as const)),
);
const byFileName = new Map(
  usageLanguages.flatMap((language) => (language.fileNames ?? []).map((name) => [name, language] as const)),
);
const byExtension = usageLanguages
  .flatMap((language) => language.extensions.map((extension) => ({ extension, language })))
  .sort((a, b) => b.extension.length - a.extension.length);

/**
 * Returns the language of a VS Code language id, or of a path by its extension (the longest wins, so `x.blade.php` is
 * Blade even if the editor treats it as PHP).
 */
export function usageLanguageFor(languageIdOrPath: string): UsageLanguage | undefined {
  const byId = byLanguageId.get(languageIdOrPath);
  if (byId !== undefined) return byId;
  const path = languageIdOrPath.toLowerCase();
  const byName = byFileName.get(path.slice(path.lastIndexOf("/") + 1));
  if (byName !== undefined) return byName;
  return byExtension.find(({ extension }) => path.endsWith(extension))?.language;
}
