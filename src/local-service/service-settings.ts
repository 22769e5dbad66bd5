/** The settings that a manager edits on the website of the real service, here a file (`--project`). */
import * as v from "valibot";
import { FORMAT_NAMES, formatInfo } from "../model/file-formats.ts";
import { languageName } from "../model/locales.ts";
import { PLURAL_CATEGORIES } from "../model/translation-text.ts";
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
export const MISSING_MODES = ["fallback", "empty", "omit"] as const;
export type MissingMode = (typeof MISSING_MODES)[number];

const ExportFileSchema = v.pipe(
  v.object({
    format: v.picklist(FORMAT_NAMES),
    path: v.pipe(v.string(), v.minLength(1)),
    /** Naming of the keys in these files, as in `files` of `project-translations.json`. */
    namespace: v.optional(v.pipe(v.string(), v.minLength(1))),
    keyPrefix: v.optional(v.string()),
  }),
  v.forward(
    // A file with all languages, or without any, needs no placeholder.
    v.check(
      ({ format, path }) =>
        path.includes("{locale}") || formatInfo(format).isTemplate || formatInfo(format).ownLocales,
      "must contain {locale}",
    ),
    ["path"],
  ),
);

const ExportProfileSchema = v.pipe(
  v.intersect([
    ExportFileSchema,
    v.object({
      key: v.pipe(v.string(), v.regex(/^[\w.-]+$/u, "may contain only letters, digits, '.', '_' and '-'")),
      name: v.optional(v.string()),
      /** Additional files of the same export, each for the namespaces that its path can contain. */
      files: v.optional(v.array(ExportFileSchema), []),
      locales: v.optional(v.nullable(v.array(LocaleSchema)), null),
      missing: v.optional(v.picklist(MISSING_MODES), "omit"),
    }),
  ]),
  // The first file has the profile's own format and path.
  v.transform(({ key, name = key, format, path, namespace, keyPrefix, files, locales, missing }) => ({
    key,
    name,
    files: [{ format, path, namespace, keyPrefix }, ...files],
    locales,
    missing,
  })),
);
export type ExportProfile = v.InferOutput<typeof ExportProfileSchema>;

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
      "must be language columns",
    ),
    ["categories"],
  ),
);

export type SpreadsheetPreset = v.InferOutput<typeof PresetSchema>;

const LanguageSchema = v.pipe(
  v.object({
    locale: LocaleSchema,
    name: v.optional(v.string()),
    fallback: v.optional(v.array(LocaleSchema), []),
  }),
  v.transform(({ locale, name, fallback }) => ({ locale, name: name ?? languageName(locale), fallback })),
);

function integer(min: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(min));
}

const { slug, name, type, sourceLocale, languages, exportProfiles } = DEFAULT_PROJECT;

const SettingsSchema = v.pipe(
  v.object({
    slug: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]*$/u, "is not a slug")), slug),
    name: v.optional(v.pipe(v.string(), v.minLength(1)), name),
    type: v.optional(v.string(), type),
    sourceLocale: v.optional(LocaleSchema, sourceLocale),
    languages: v.optional(v.array(LanguageSchema), languages),
    exportProfiles: v.optional(v.array(ExportProfileSchema), exportProfiles),
    keyLimit: v.optional(integer(0), DEFAULT_KEY_LIMIT),
    archived: v.optional(v.boolean(), false),
    webhooks: v.optional(
      v.array(
        v.object({
          url: v.pipe(v.string(), v.url("is not a URL")),
          secret: v.pipe(v.string(), v.minLength(1)),
          events: v.array(v.picklist(EVENT_KINDS)),
        }),
      ),
      [],
    ),
    spreadsheetPresets: v.optional(v.array(PresetSchema), []),
    limits: v.optional(
      v.object({
        perToken: v.optional(integer(1), LIMITS.perToken),
        perAddress: v.optional(integer(1), LIMITS.perAddress),
      }),
      {},
    ),
  }),
  // The source language first, then the others as given.
  v.transform((settings) => {
    const isSource = ({ locale }: { locale: string }): boolean => locale === settings.sourceLocale;
    const source =
      settings.languages.find(isSource) ?? v.parse(LanguageSchema, { locale: settings.sourceLocale });
    const targets = settings.languages.filter((language) => !isSource(language));
    return { ...settings, languages: [source, ...targets] };
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    const locales = dataset.typed ? dataset.value.languages.map(({ locale }) => locale) : [];
    const duplicate = locales.find((locale, index) => locales.indexOf(locale) !== index);
    if (duplicate !== undefined) addIssue({ message: `The language ${duplicate} is listed twice.` });
  }),
);

/** Content of a project file; `completeSettings` adds the defaults. */
export type ProjectFile = v.InferInput<typeof SettingsSchema>;
export type Settings = v.InferOutput<typeof SettingsSchema>;

/** The project file or an option is invalid; the message is for the operator. */
export class SettingsError extends Error {}

/**
 * Parses the text of a project file.
 * @throws {SettingsError}
 */
export function parseProjectFile(text: string): ProjectFile {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\u{FEFF}/u, ""));
  } catch (error) {
    throw new SettingsError(`The project file is not valid JSON: ${(error as Error).message}`);
  }
  completeSettings(json as ProjectFile);
  return json as ProjectFile;
}

/**
 * Validates a project file and adds the defaults of missing settings.
 * @throws {SettingsError}
 */
export function completeSettings(file: ProjectFile): Settings {
  const result = v.safeParse(SettingsSchema, file);
  if (result.success) return result.output;
  const errors = result.issues.map((issue) => `  ${v.getDotPath(issue) ?? "(file)"}: ${issue.message}`);
  throw new SettingsError(`The project file cannot be used:\n${errors.join("\n")}`);
}
