/**
 * The settings that a manager would edit in the service's UI: the file given with `--project`, its defaults, and the
 * values stored before. Read at every start.
 */
import * as v from "valibot";
import { type FormatName, FORMAT_NAMES } from "../model/format-name.ts";
import { formatInfoOf } from "../formats/format-properties.ts";
import { PLURAL_CATEGORIES } from "../model/text.ts";
import { DEFAULT_KEY_LIMIT, DEFAULT_PROJECT, LIMITS } from "./specification-decisions.ts";

const EVENT_KINDS = [
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
const PathSchema = v.pipe(v.string(), v.minLength(1));
const FormatSchema = v.picklist(FORMAT_NAMES);
const MISSING_LOCALE_MESSAGE = "must have {locale} in it";

/** Returns whether the path has `{locale}` or needs none, because the file has all languages or none. */
function hasRequiredLocale({
  format,
  path,
}: {
  readonly format: FormatName;
  readonly path: string;
}): boolean {
  return path.includes("{locale}") || format === "pot" || formatInfoOf(format)?.ownLocales === true;
}
const MissingSchema = v.picklist(["fallback", "empty", "omit"]);

const ProfileFileSchema = v.pipe(
  v.object({ format: FormatSchema, path: PathSchema }),
  v.forward(
    v.check((file) => hasRequiredLocale(file), MISSING_LOCALE_MESSAGE),
    ["path"],
  ),
);

const ProfileFields = v.object({
  key: v.pipe(v.string(), v.regex(/^[\w.-]+$/u, "may have letters, digits, '.', '_' and '-'")),
  name: v.optional(v.string()),
  format: FormatSchema,
  path: PathSchema,
  /** Additional files of the same export, each for the namespaces that its path can contain. */
  files: v.optional(v.array(ProfileFileSchema), []),
  locales: v.optional(v.nullable(v.array(LocaleSchema)), null),
  missing: v.optional(MissingSchema, "omit"),
});
const ProfileSchema = v.pipe(
  ProfileFields,
  v.forward(
    v.check((file) => hasRequiredLocale(file), MISSING_LOCALE_MESSAGE),
    ["path"],
  ),
);

const PresetFields = v.object({
  header: v.array(v.string()),
  key: v.string(),
  namespace: v.optional(v.string()),
  context: v.optional(v.string()),
  description: v.optional(v.string()),
  languages: v.optional(v.record(v.string(), LocaleSchema), {}),
  /** Language columns that contain a single plural form, and which one. */
  categories: v.optional(v.record(v.string(), v.picklist(PLURAL_CATEGORIES)), {}),
});
const PresetSchema = v.pipe(
  PresetFields,
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

export type ParsedSettings = v.InferOutput<typeof SettingsSchema>;
type ParsedLanguage = NonNullable<ParsedSettings["languages"]>[number];
export type ProjectFile = v.InferInput<typeof SettingsSchema>;

export interface Profile {
  readonly key: string;
  readonly name: string;
  /** At least one; the first is the profile's own format and path. */
  readonly files: readonly { readonly format: FormatName; readonly path: string }[];
  readonly locales: readonly string[] | null;
  readonly missing: Missing;
}
export type Missing = v.InferOutput<typeof MissingSchema>;

interface SettingsLanguage {
  readonly locale: string;
  readonly name: string;
  readonly fallback: readonly string[];
}

type Webhook = NonNullable<ParsedSettings["webhooks"]>[number];
export type SpreadsheetPreset = NonNullable<ParsedSettings["spreadsheetPresets"]>[number];

/** Complete settings, with all defaults. */
export interface Settings {
  readonly slug: string;
  readonly name: string;
  readonly type: string;
  readonly sourceLocale: string;
  /** The source language first, then the others as given. */
  readonly languages: readonly SettingsLanguage[];
  readonly exportProfiles: readonly Profile[];
  readonly keyLimit: number;
  readonly archived: boolean;
  readonly webhooks: readonly Webhook[];
  readonly spreadsheetPresets: readonly SpreadsheetPreset[];
  readonly limits: { readonly perToken: number; readonly perAddress: number };
}

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
  const sourceLocale = given.sourceLocale ?? DEFAULT_PROJECT.sourceLocale;
  const listed: readonly ParsedLanguage[] =
    given.languages ?? DEFAULT_PROJECT.languages.map((language) => ({ ...language, fallback: [] }));
  const source: ParsedLanguage = listed.find((language) => language.locale === sourceLocale) ?? {
    locale: sourceLocale,
    fallback: [],
  };
  const targets = listed.filter((language) => language.locale !== sourceLocale);
  const twice = targets.find(
    (language, index) => targets.findIndex((l) => l.locale === language.locale) !== index,
  );
  if (twice !== undefined) throw new SettingsError(`The language ${twice.locale} is listed twice.`);
  const profiles = given.exportProfiles ?? v.parse(v.array(ProfileSchema), DEFAULT_PROJECT.exportProfiles);
  return {
    slug: given.slug ?? DEFAULT_PROJECT.slug,
    name: given.name ?? DEFAULT_PROJECT.name,
    type: given.type ?? DEFAULT_PROJECT.type,
    sourceLocale,
    languages: [source, ...targets].map((language): SettingsLanguage => ({
      locale: language.locale,
      name: language.name ?? languageName(language.locale),
      fallback: language.fallback,
    })),
    exportProfiles: profiles.map((profile) => ({
      key: profile.key,
      name: profile.name ?? profile.key,
      files: [{ format: profile.format, path: profile.path }, ...profile.files],
      locales: profile.locales,
      missing: profile.missing,
    })),
    keyLimit: given.keyLimit ?? DEFAULT_KEY_LIMIT,
    archived: given.archived ?? false,
    webhooks: given.webhooks ?? [],
    spreadsheetPresets: given.spreadsheetPresets ?? [],
    limits: {
      perToken: given.limits?.perToken ?? LIMITS.perToken,
      perAddress: given.limits?.perAddress ?? LIMITS.perAddress,
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
