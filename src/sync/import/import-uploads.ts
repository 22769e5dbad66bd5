/**
 * Groups files into uploads so that the service reads each as the project file says. The fields of § POST /imports
 * apply to every file of a request (rule 1, "forced by fields"), so each upload has one format and, where the paths
 * do not contain them, one namespace and one language.
 */
import type { ImportFields, ImportFile } from "../../api/endpoints.ts";
import type { FormatName } from "../../model/format-name.ts";
import { formatInfoOf } from "../../formats/format-properties.ts";
import { recognisePath } from "../../formats/recognise.ts";
import { NO_NAMESPACE } from "../../model/key-identity.ts";
import { pathFor } from "../../workspace/layout/layout.ts";
import type { LocalFileLocation } from "../../workspace/local-files/local-file.ts";

/** What the project file says about a file, as far as the service cannot derive it from the path. */
export interface ImportTarget {
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
      : (pathFor(entry.path, { ...placeholders, locale }) ?? location.path);
  const recognised = recognisePath(path);
  const info = formatInfoOf(entry.format);
  const inFile = info?.ownNamespaces === true && entry.namespace === undefined;
  const byPath = (entry.format === "laravel_json" ? null : recognised?.namespace) ?? NO_NAMESPACE;
  const isStated = entry.namespace === undefined && byPath === keyNaming.namespace;
  const hasLocale =
    placeholders.locale === null || info?.ownLocales === true || recognised?.locale === locale;
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
    const upload = uploads.get(id);
    if (upload === undefined) uploads.set(id, { files: [file], fields });
    else upload.files.push(file);
  }
  return [...uploads.values()];
}
