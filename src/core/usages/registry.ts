/** The languages whose sources are searched for uses of keys. A new one is a file beside this one and a line here. */
import { blade } from "./blade.ts";
import { javascript, typescript } from "./javascript.ts";
import { php } from "./php.ts";
import type { UsageLanguage } from "./usage.ts";
import { vue } from "./vue.ts";

export const usageLanguages: readonly UsageLanguage[] = [blade, php, typescript, javascript, vue];

const byLanguageId = new Map(
  usageLanguages.flatMap((language) => language.languageIds.map((id) => [id, language] as const)),
);
const byExtension = usageLanguages
  .flatMap((language) => language.extensions.map((extension) => ({ extension, language })))
  .sort((a, b) => b.extension.length - a.extension.length);

/**
 * The language of a VS Code language id, or of a path by its ending (the longest wins, so `x.blade.php` is
 * Blade even where the editor calls it PHP).
 */
export function usageLanguageFor(languageIdOrPath: string): UsageLanguage | undefined {
  const byId = byLanguageId.get(languageIdOrPath);
  if (byId !== undefined) return byId;
  const path = languageIdOrPath.toLowerCase();
  return byExtension.find(({ extension }) => path.endsWith(extension))?.language;
}
