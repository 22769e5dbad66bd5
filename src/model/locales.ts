/**
 * Locales as they stand in file names. They are opaque strings; here is only decided what looks like one, and
 * which name in files and which of the service mean the same, where exactly one can.
 */

/** `nl`, `pt_BR`, `zh-Hans`, `de_informal`, `sr@latin`; says nothing of whether the language exists. */
const SHAPE = /^[a-z]{2,3}(?:[-_@.][a-z0-9]{2,12}){0,4}$/i;

/** Whether the text has the shape of a locale. */
export function hasLocaleShape(text: string): boolean {
  return SHAPE.test(text) && !text.toLowerCase().startsWith("php_");
}

let names: Intl.DisplayNames | undefined;

/** Whether the text has the shape of a locale and its language is one that exists. */
export function isLocaleName(text: string): boolean {
  if (!hasLocaleShape(text)) return false;
  names ??= new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  try {
    return names.of(text.slice(0, /[-_@.]|$/.exec(text)?.index).toLowerCase()) !== undefined;
  } catch {
    return false;
  }
}

/** `pt_BR` and `pt-BR` are one. */
function plain(locale: string): string {
  return locale.toLowerCase().replaceAll("_", "-");
}

/** File locale to service locale and back, for one project. */
export interface LocaleMap {
  /** `null`: the service has no such locale, or more than one could be meant. */
  readonly toService: (fileLocale: string) => string | null;
  /** The name for files; the service's own where nothing else is known. */
  readonly toFile: (serviceLocale: string) => string;
}

/**
 * The project file's `locales` first; else the same name; else the one name that differs only in case and in `_`
 * for `-`, where it is the only one on both sides. `service`: the service's locales (empty while unknown: then
 * every file locale stands for itself); `inFiles`: the locales that file names show.
 */
export function localeMap(
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
  const byPlain = Map.groupBy(
    service.filter((locale) => !settled.has(locale)),
    plain,
  );
  const open = Map.groupBy(
    inFiles.filter((locale) => !forward.has(locale)),
    plain,
  );
  for (const [name, locales] of open) {
    const candidates = byPlain.get(name);
    if (locales.length === 1 && candidates?.length === 1 && locales[0] !== undefined) {
      forward.set(locales[0], candidates[0] ?? locales[0]);
    }
  }
  const backward = new Map([...forward].map(([file, locale]) => [locale, file]));
  const seen = new Set(inFiles);
  /** A name that no file had yet (a file to come): by the same rule, among what is not taken. */
  const guess = (locale: string): string | null => {
    if (known.has(locale)) return locale;
    const same = service.filter((other) => plain(other) === plain(locale) && !backward.has(other));
    return same.length === 1 ? (same[0] ?? null) : null;
  };
  return {
    toService: (locale) => {
      if (service.length === 0) return forward.get(locale) ?? locale;
      return forward.get(locale) ?? (seen.has(locale) ? null : guess(locale));
    },
    toFile: (locale) => backward.get(locale) ?? habit(locale, inFiles),
  };
}

/** A locale that no file has yet is written with `_` where all others with a region are. */
function habit(locale: string, inFiles: readonly string[]): string {
  const underscores =
    inFiles.some((name) => name.includes("_")) && !inFiles.some((name) => name.includes("-"));
  return underscores ? locale.replaceAll("-", "_") : locale;
}
