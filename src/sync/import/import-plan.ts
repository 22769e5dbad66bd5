/**
 * Plans an import: determines what the service cannot detect from paths and contents, and groups files into requests. The
 * fields of a request apply to all of its files (§ POST /imports rule 1, "forced by fields"), so each has one format and,
 * where the paths do not contain them, one namespace and one language.
 */
import type { LocalFileLocation } from "../../workspace/local-files/local-file.ts";
import { NO_NAMESPACE } from "../../model/key-hash.ts";
import { detectFromPath, detectFromContent } from "../../formats/detect-format.ts";
import type { ImportFields, ImportFile } from "../../api/endpoints.ts";
import { decodeHead } from "../../formats/parse-and-edit-file.ts";
import { fillIn } from "../../workspace/file-layout/path-patterns.ts";
import { getOrCreate } from "../../util/maps.ts";
import { type FormatName, formatInfoOf } from "../../model/file-formats.ts";

/** Files for which the user has to specify a field. */
interface MissingImportFields {
  /** Files without a recognisable language. */
  readonly locale: readonly string[];
  /** Files without a recognisable format, which the service refuses unless the field forces one. */
  readonly format: readonly string[];
}

/** Checks path and content as the service does (rule 1); spreadsheets and zips contain their languages. */
export function missingImportFields(files: readonly ImportSource[]): MissingImportFields {
  const locale: string[] = [];
  const format: string[] = [];
  for (const file of files) {
    if (file.target?.locale != null || /\.zip$/iu.test(file.path)) continue;
    // Contradictions between path and content are left to the service.
    const detected = detectFromContent(file.path, decodeHead(file.bytes)) ?? detectFromPath(file.path);
    const known = file.target?.format ?? detected?.format;
    if (known === undefined) format.push(file.path);
    else if ((detected?.locale ?? null) === null && formatInfoOf(known)?.showsLocale !== true)
      locale.push(file.path);
  }
  return { locale, format };
}

/** What the project file says about a file, as far as the service cannot derive it from the path. */
interface ImportTarget {
  readonly format: FormatName;
  /** `null`: derived from the path or the file itself. */
  readonly namespace: string | null;
  readonly locale: string | null;
  /** Prefix of each key, which no field of an import can express. */
  readonly keyPrefix: string;
}

/** A file to import. */
export interface ImportSource extends ImportFile {
  /** `null`: no entry of the project file matches it. */
  readonly target: ImportTarget | null;
}

/** The files and fields of one request. */
export interface ImportUpload<Source extends ImportSource> {
  readonly files: readonly Source[];
  readonly fields: ImportFields;
}

/**
 * Returns the path to send a file under, with the service's name of its locale, and the fields that the path does not
 * imply.
 */
export function importTarget(location: LocalFileLocation): {
  readonly path: string;
  readonly target: ImportTarget;
} {
  const { entry, placeholders, keyNaming, locale } = location;
  const path =
    placeholders.locale === null || placeholders.locale === locale
      ? location.path
      : (fillIn(entry.path, { ...placeholders, locale }) ?? location.path);
  const detected = detectFromPath(path);
  const info = formatInfoOf(entry.format);
  const inFile = info?.ownNamespaces === true && entry.namespace === undefined;
  const byPath = (info?.hasNamespaces === false ? null : detected?.namespace) ?? NO_NAMESPACE;
  const isStated = entry.namespace === undefined && byPath === keyNaming.namespace;
  const hasLocale = placeholders.locale === null || info?.ownLocales === true || detected?.locale === locale;
  return {
    path,
    target: {
      format: entry.format,
      namespace: inFile || isStated ? null : keyNaming.namespace,
      locale: hasLocale ? null : locale,
      keyPrefix: keyNaming.keyPrefix,
    },
  };
}

/**
 * Groups files into uploads, in the order of their first files.
 * @param given Fields that the user specified; they apply to all files.
 */
export function groupIntoUploads<Source extends ImportSource>(
  files: readonly Source[],
  given: ImportFields,
): ImportUpload<Source>[] {
  const uploads = new Map<string, { files: Source[]; fields: ImportFields }>();
  for (const file of files) {
    const { format, namespace, locale } = file.target ?? {};
    const fields: ImportFields = {
      ...(format === undefined ? {} : { format }),
      ...(namespace == null ? {} : { namespace }),
      ...(locale == null ? {} : { locale }),
      ...given,
    };
    const id = JSON.stringify([fields.format, fields.namespace, fields.locale]);
    getOrCreate(uploads, id, () => ({ files: [], fields })).files.push(file);
  }
  return [...uploads.values()];
}
