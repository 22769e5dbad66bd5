/**
 * Locales in file names. They are opaque strings: this module only decides what looks like a locale, and which locale
 * of a file corresponds to which one of the service where that is unambiguous.
 */
import { getOrCreate } from "../util/maps.ts";

/** `nl`, `pt_BR`, `zh-Hans`, `de_informal`, `sr@latin`; the language need not exist. */
const LOCALE_PATTERN = /^[a-z]{2,3}(?:[-_@.][a-z0-9]{2,12}){0,4}$/i;

/** Returns whether the text looks like a locale. */
export function hasLocaleShape(text: string): boolean {
  return LOCALE_PATTERN.test(text) && !text.toLowerCase().startsWith("php_");
}

/** Returns the language of a locale: `pt` of `pt_BR`. */
export function languageOf(locale: string): string {
  return (locale.split(/[-_@.]/, 1)[0] ?? "").toLowerCase();
}

const namesInThemselves = new Map<string, string>();

/**
 * Returns a language's name in itself (`Nederlands`), or its locale if unknown. The first time takes up to a millisecond, and
 * projects have a hundred languages.
 */
export function languageName(locale: string): string {
  return getOrCreate(namesInThemselves, locale, () => nameInItself(locale));
}

function nameInItself(locale: string): string {
  try {
    const tag = locale.replaceAll(/[_@.]/gu, "-");
    const names = new Intl.DisplayNames([tag], { type: "language", fallback: "none" });
    // A variant of the project's own (`de_informal`) has none.
    const name = names.of(tag) ?? names.of(languageOf(locale));
    if (name === undefined) return locale;
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return locale;
  }
}

let languageNames: Intl.DisplayNames | undefined;
/** Whether a language of two or three letters exists: asking for its name takes long, and paths repeat a few. */
const knownLanguages = new Map<string, boolean>();

/** Returns whether the text looks like a locale and its language exists. */
export function isKnownLocale(text: string): boolean {
  return (
    hasLocaleShape(text) && getOrCreate(knownLanguages, languageOf(text), () => hasName(languageOf(text)))
  );
}

function hasName(language: string): boolean {
  languageNames ??= new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  return languageNames.of(language) !== undefined;
}

/** Makes `pt_BR` and `pt-BR` equal. */
export function normalizeLocale(locale: string): string {
  return locale.toLowerCase().replaceAll("_", "-");
}

/** Maps the locales of files to those of the service and back, for one project. */
export interface LocaleMap {
  /** `null`: the service has no such locale, or the match is ambiguous. */
  readonly toService: (fileLocale: string) => string | null;
  /** The locale in file names; the service's own where there is no other. */
  readonly toFile: (serviceLocale: string) => string;
}

/**
 * Creates the mapping: first `locales` of the project file, then equal names, then names that differ only in case and
 * in `_` for `-`, where they are unique on both sides.
 * @param service The service's locales; empty while unknown, and then each file locale maps to itself.
 * @param inFiles The locales in file names.
 */
export function createLocaleMap(
  explicit: Readonly<Record<string, string>>,
  service: readonly string[],
  inFiles: readonly string[],
): LocaleMap {
  const forward = new Map(Object.entries(explicit));
  const taken = new Set(forward.values());
  const known = new Set(service);
  for (const locale of inFiles) {
    if (forward.has(locale) || taken.has(locale)) continue;
    if (service.length === 0 || known.has(locale)) forward.set(locale, locale);
  }
  const settled = new Set(forward.values());
  const free = service.filter((locale) => !settled.has(locale));
  const freeByName = Map.groupBy(free, normalizeLocale);
  const open = inFiles.filter((locale) => !forward.has(locale));
  for (const [name, [locale, ...others]] of Map.groupBy(open, normalizeLocale)) {
    const [match, ...more] = freeByName.get(name) ?? [];
    if (locale === undefined || match === undefined || others.length + more.length > 0) continue;
    forward.set(locale, match);
  }
  const backward = new Map([...forward].map(([file, locale]) => [locale, file]));
  const seen = new Set(inFiles);
  /** Matches a locale of a file that does not exist yet, by the same rule, among the locales that are not mapped. */
  const uniqueMatch = (locale: string): string | null => {
    if (known.has(locale)) return locale;
    const same = freeByName.get(normalizeLocale(locale)) ?? [];
    const [match = null, ...more] = same.filter((other) => !backward.has(other));
    return more.length === 0 ? match : null;
  };
  return {
    toService: (locale) => {
      if (service.length === 0) return forward.get(locale) ?? locale;
      return forward.get(locale) ?? (seen.has(locale) ? null : uniqueMatch(locale));
    },
    toFile: (locale) => backward.get(locale) ?? matchSeparatorStyle(locale, inFiles),
  };
}

/** Writes a locale that no file has yet with `_` if all others with a region are written so. */
function matchSeparatorStyle(locale: string, inFiles: readonly string[]): string {
  const underscores =
    inFiles.some((name) => name.includes("_")) && !inFiles.some((name) => name.includes("-"));
  return underscores ? locale.replaceAll("-", "_") : locale;
}
