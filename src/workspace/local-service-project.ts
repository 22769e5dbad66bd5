/**
 * The settings of a project on the local service that is made for an app: its languages, its framework, and an export in the
 * format and layout of its files, so that a pull changes those files (contract of `--project`, src/local-service).
 */
import { formatInfoOf } from "../model/file-formats.ts";
import { hasPlaceholder } from "./file-layout/path-patterns.ts";
import type { FilesEntry } from "./project-file/project-file.ts";

/** What was found in the app's folder. */
export interface FoundApp {
  /** Its name, for people. */
  readonly name: string;
  /** Names of the recognised frameworks, the most specific first. */
  readonly frameworks: readonly string[];
  readonly files: readonly FilesEntry[];
  readonly sourceLocale: string;
  /** Locales of the translation files. */
  readonly locales: readonly string[];
}

type ExportFile = Pick<FilesEntry, "path" | "format" | "namespace" | "keyPrefix">;

/** The settings, as JSON. */
export interface LocalServiceProject {
  readonly slug: string;
  readonly name: string;
  readonly type: string;
  readonly sourceLocale: string;
  readonly languages: readonly { readonly locale: string }[];
  readonly exportProfiles?: readonly (ExportFile & {
    readonly key: string;
    readonly name: string;
    readonly files: readonly ExportFile[];
  })[];
}

/**
 * Returns the settings for an app.
 * @param before The settings of an earlier start: nothing that it had is removed, and its source language stays.
 */
export function localServiceProject(app: FoundApp, before?: LocalServiceProject): LocalServiceProject {
  const { name, files } = app;
  const sourceLocale = before?.sourceLocale ?? app.sourceLocale;
  const listed = before?.languages.map(({ locale }) => locale) ?? [];
  const locales = [...new Set([...listed, ...app.locales])].filter((locale) => locale !== sourceLocale);
  // A key is exported to the first file that can contain it, so files of one namespace precede those of any.
  const [first, ...others] = files
    .filter(isExportable)
    .toSorted((one, other) => Number(isOfAny(one)) - Number(isOfAny(other)))
    .map(exportFile);
  return {
    slug: before?.slug ?? slugOf(name),
    name: before?.name ?? name,
    type: typeOf(app),
    sourceLocale,
    languages: locales.map((locale) => ({ locale })),
    ...(first === undefined ? {} : { exportProfiles: [{ key: "app", name, ...first, files: others }] }),
  };
}

/** The framework whose own format the files have, else the first one. */
function typeOf({ frameworks, files }: FoundApp): string {
  const ofFormat = frameworks.find((framework) =>
    files.some(({ format }) => format.startsWith(`${framework}_`)),
  );
  return ofFormat ?? frameworks[0] ?? "other";
}

function isExportable({ path, format }: FilesEntry): boolean {
  const info = formatInfoOf(format);
  return hasPlaceholder(path, "locale") || info?.isTemplate === true || info?.ownLocales === true;
}

/** Whether the files may have keys of any namespace. */
function isOfAny({ namespace, keyPrefix }: FilesEntry): boolean {
  return keyPrefix === undefined && (namespace === undefined || hasPlaceholder(namespace, "namespace"));
}

function exportFile({ path, format, namespace, keyPrefix }: FilesEntry): ExportFile {
  return {
    path,
    format,
    ...(namespace === undefined ? {} : { namespace }),
    ...(keyPrefix === undefined ? {} : { keyPrefix }),
  };
}

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "");
  return slug === "" ? "project" : slug;
}
