/**
 * Determines the source language without a service: the one in the framework's configuration, else the language with
 * most texts. Configuration is read from its source; nothing is executed.
 */
import { normalizeLocale } from "../../model/locales.ts";
import { LOCALE_PATTERN } from "../../frameworks/framework.ts";
import { supportedFrameworks } from "../../frameworks/supported-frameworks.ts";

/** Globs of the files to pass to `configuredLanguages`, without nested braces, which file system watchers do not support. */
export const SOURCE_LANGUAGE_GLOBS: readonly string[] = [
  "{*.config,*.i18n,angular,inlang.settings}.{js,ts,mjs,cjs,mts,json}",
  "project.inlang/settings.json",
  "{src,app,resources/js,resources/ts}/{main,app,App,index,i18n,routing}.{js,ts,jsx,tsx,mjs,vue,svelte}",
  "{i18n,src/i18n}/{routing,request,navigation,locale,locales}.{js,ts}",
  ...[...supportedFrameworks.values()].flatMap(({ configuration }) => configuration?.globs ?? []),
  ...[...supportedFrameworks.values()].flatMap(({ sourceLanguage }) => sourceLanguage?.globs ?? []),
];

const SCRIPT = (name: string): RegExp =>
  new RegExp(
    String.raw`\b${name}["']?\s*[:=(]\s*(?:\{[^{}]*?\b(?:default|code)["']?\s*:\s*)?(?:\[\s*)?["'\`](${LOCALE_PATTERN})["'\`]`,
    "g",
  );
/** Patterns by file type, the likeliest source language first: a fallback language is the most complete one. */
const RULES: readonly (readonly [RegExp, readonly RegExp[]])[] = [
  ...[...supportedFrameworks.values()].flatMap(({ sourceLanguage }) =>
    sourceLanguage?.settings === undefined
      ? []
      : [[sourceLanguage.settings.files, sourceLanguage.settings.patterns] as const],
  ),
  [
    /\.(?:[cm]?[jt]sx?|json|vue|svelte)$/,
    "sourceLocale sourceLanguage sourceLanguageTag baseLocale fallbackLng fallbackLocale defaultLocale defaultLanguage"
      .split(" ")
      .concat([...supportedFrameworks.values()].flatMap(({ sourceLanguage }) => sourceLanguage?.names ?? []))
      .map(SCRIPT),
  ],
];

const MAX_CONFIG_CHARACTERS = 200_000;

/** Returns the languages in the configuration files, the likeliest source first. */
export function configuredLanguages(
  files: readonly { readonly path: string; readonly text: string }[],
): readonly string[] {
  const found: { readonly rank: number; readonly locale: string }[] = [];
  for (const { path, text } of files) {
    const rules = text.length > MAX_CONFIG_CHARACTERS ? undefined : RULES.find(([kind]) => kind.test(path));
    const code = text.replaceAll(/^\s*(?:\/\/|#|\*).*$/gm, "");
    for (const [rank, rule] of (rules?.[1] ?? []).entries())
      for (const [, locale = ""] of code.matchAll(rule)) found.push({ rank, locale });
  }
  return [...new Set(found.sort((a, b) => a.rank - b.rank).map(({ locale }) => locale))];
}

/** The number of texts that the files have in a language. */
export interface LanguageSize {
  readonly locale: string;
  readonly texts: number;
}

/** Languages with at least this share of the largest number of texts count as equally complete. */
const SIMILAR_SIZE_RATIO = 0.95;

/**
 * Returns the language that the others are translated from: the first configured one that has files, else the one
 * with most texts; among similar sizes English.
 * @param hasSourceTextInside whether files of other languages contain the source text themselves (gettext's `msgid`,
 * XLIFF's `source`), so that it needs no file
 */
export function detectSourceLanguage(
  sizes: readonly LanguageSize[],
  configured: readonly string[],
  hasSourceTextInside: boolean,
): string {
  for (const language of configured) {
    const same = sizes.find(({ locale }) => normalizeLocale(locale) === normalizeLocale(language));
    const base = same ?? sizes.find(({ locale }) => normalizeLocale(locale) === baseLanguageOf(language));
    if (base !== undefined) return base.locale;
    if (hasSourceTextInside) return language;
    const variant = sizes.find(({ locale }) => baseLanguageOf(locale) === baseLanguageOf(language));
    if (variant !== undefined) return variant.locale;
  }
  const maxTexts = Math.max(0, ...sizes.map(({ texts }) => texts));
  const complete = sizes.filter(({ texts }) => texts >= maxTexts * SIMILAR_SIZE_RATIO);
  const english = (hasSourceTextInside ? sizes : complete)
    .filter(({ locale }) => baseLanguageOf(locale) === "en")
    .sort((a, b) => a.locale.length - b.locale.length)[0];
  if (english !== undefined) return english.locale;
  if (hasSourceTextInside) return "en";
  return complete.toSorted((a, b) => b.texts - a.texts || (a.locale < b.locale ? -1 : 1))[0]?.locale ?? "en";
}

function baseLanguageOf(locale: string): string {
  return normalizeLocale(locale).split(/[-.@]/)[0] ?? "";
}
