/**
 * The settings that a manager would edit in the service's UI: the file given with `--project`, its defaults, and the
 * values stored before. Read at every start.
 */
import * as v from "valibot";
import { FORMAT_NAMES } from "../model/format-name.ts";
import { formatInfoOf } from "../formats/format-properties.ts";
import { PLURAL_CATEGORIES } from "../model/text.ts";
import { DEFAULT_KEY_LIMIT, DEFAULT_PROJECT, LIMITS } from "./specification-decisions.ts";

/** § Event kinds. */
export const EVENT_KINDS = [
  "translations.updated",
  "language.completed",
  "keys.synced",
  "import.finished",
  "ai_job.finished",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

const LocaleSchema = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/u, "is not a locale"),
);
const MissingSchema = v.picklist(["fallback", "empty", "omit"]);

const ProfileFileSchema = v.pipe(
  v.object({ format: v.picklist(FORMAT_NAMES), path: v.pipe(v.string(), v.minLength(1)) }),
  v.forward(
    // A file that has all languages or none needs no placeholder.
    v.check(
      ({ format, path }) =>
        path.includes("{locale}") || format === "pot" || formatInfoOf(format)?.ownLocales === true,
      "must have {locale} in it",
    ),
    ["path"],
  ),
);

const ProfileSchema = v.intersect([
  ProfileFileSchema,
  v.object({
    key: v.pipe(v.string(), v.regex(/^[\w.-]+$/u, "may have letters, digits, '.', '_' and '-'")),
    name: v.optional(v.string()),
    /** Additional files of the same export, each for the namespaces that its path can contain. */
    files: v.optional(v.array(ProfileFileSchema), []),
    locales: v.optional(v.nullable(v.array(LocaleSchema)), null),
    missing: v.optional(MissingSchema, "omit"),
  }),
]);

const PresetSchema = v.pipe(
  v.object({
    header: v.array(v.string()),
    key: v.string(),
    namespace: v.optional(v.string()),
    context: v.optional(v.string()),
    description: v.optional(v.string()),
    languages: v.optional(v.record(v.string(), LocaleSchema), {}),
    /** Language columns that contain a single plural form, and which one. */
    categories: v.optional(v.record(v.string(), v.picklist(PLURAL_CATEGORIES)), {}),
  }),
  v.forward(
    v.check(
      ({ languages, categories }) =>
        Object.keys(categories).every((title) => Object.hasOwn(languages, title)),
      "must be columns of a language",
    ),
    ["categories"],
  ),
);

const count = v.pipe(v.number(), v.integer(), v.minValue(1));

const SettingsSchema = v.object({
  slug: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]*$/u, "is not a slug"))),
  name: v.optional(v.pipe(v.string(), v.minLength(1))),
  type: v.optional(v.string()),
  sourceLocale: v.optional(LocaleSchema),
  languages: v.optional(
    v.array(
      v.object({
        locale: LocaleSchema,
        name: v.optional(v.string()),
        fallback: v.optional(v.array(LocaleSchema), []),
      }),
    ),
  ),
  exportProfiles: v.optional(v.array(ProfileSchema)),
  keyLimit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  archived: v.optional(v.boolean()),
  webhooks: v.optional(
    v.array(
      v.object({
        url: v.pipe(v.string(), v.url("is not a URL")),
        secret: v.pipe(v.string(), v.minLength(1)),
        events: v.array(v.picklist(EVENT_KINDS)),
      }),
    ),
  ),
  spreadsheetPresets: v.optional(v.array(PresetSchema)),
  limits: v.optional(v.object({ perToken: v.optional(count), perAddress: v.optional(count) })),
});

const CompleteSchema = v.required(SettingsSchema);

export type ParsedSettings = v.InferOutput<typeof SettingsSchema>;
type CompleteSettings = v.InferOutput<typeof CompleteSchema>;
export type ProjectFile = v.InferInput<typeof SettingsSchema>;
type ParsedLanguage = CompleteSettings["languages"][number];
export type SpreadsheetPreset = CompleteSettings["spreadsheetPresets"][number];
export type Missing = v.InferOutput<typeof MissingSchema>;

export interface Profile {
  readonly key: string;
  readonly name: string;
  /** At least one; the first is the profile's own format and path. */
  readonly files: readonly v.InferOutput<typeof ProfileFileSchema>[];
  readonly locales: readonly string[] | null;
  readonly missing: Missing;
}

/** Complete settings, with all defaults. */
export interface Settings extends Readonly<
  Omit<CompleteSettings, "languages" | "exportProfiles" | "limits">
> {
  /** The source language first, then the others as given. */
  readonly languages: readonly (ParsedLanguage & { readonly name: string })[];
  readonly exportProfiles: readonly Profile[];
  readonly limits: { readonly perToken: number; readonly perAddress: number };
}

const DEFAULTS = {
  ...DEFAULT_PROJECT,
  keyLimit: DEFAULT_KEY_LIMIT,
  archived: false,
  webhooks: [],
  spreadsheetPresets: [],
  limits: {},
};

/** An invalid project file: one line per error. */
export class SettingsError extends Error {}

/**
 * Parses the text of a project file.
 * @throws {SettingsError}
 */
export function parseProjectFile(text: string): ParsedSettings {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\u{FEFF}/u, ""));
  } catch (error) {
    throw new SettingsError(`The project file is not valid JSON: ${(error as Error).message}`);
  }
  const result = v.safeParse(SettingsSchema, json);
  if (result.success) return result.output;
  const faults = result.issues.map((issue) => `  ${v.getDotPath(issue) ?? "(file)"}: ${issue.message}`);
  throw new SettingsError(`The project file cannot be used:\n${faults.join("\n")}`);
}

/**
 * Adds the defaults of missing settings.
 * @throws {SettingsError} for a duplicate language.
 */
export function completeSettings(given: ParsedSettings): Settings {
  const settings = v.parse(CompleteSchema, { ...DEFAULTS, ...given });
  const { sourceLocale, languages, exportProfiles, limits } = settings;
  const source: ParsedLanguage = languages.find(({ locale }) => locale === sourceLocale) ?? {
    locale: sourceLocale,
    fallback: [],
  };
  const targets = languages.filter(({ locale }) => locale !== sourceLocale);
  const locales = targets.map(({ locale }) => locale);
  const twice = locales.find((locale, index) => locales.indexOf(locale) !== index);
  if (twice !== undefined) throw new SettingsError(`The language ${twice} is listed twice.`);
  return {
    ...settings,
    languages: [source, ...targets].map((language) => ({
      ...language,
      name: language.name ?? languageName(language.locale),
    })),
    exportProfiles: exportProfiles.map(({ key, name = key, format, path, files, locales: own, missing }) => ({
      key,
      name,
      files: [{ format, path }, ...files],
      locales: own,
      missing,
    })),
    limits: {
      perToken: limits.perToken ?? LIMITS.perToken,
      perAddress: limits.perAddress ?? LIMITS.perAddress,
    },
  };
}

/** Returns a language's name in itself (`Nederlands`), or its locale if unknown. */
function languageName(locale: string): string {
  try {
    const tag = locale.replaceAll("_", "-");
    const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? locale;
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return locale;
  }
}
