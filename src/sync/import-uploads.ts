/**
 * How files are spread over uploads, so that the service reads each as the project file says. The fields of
 * § POST /imports count for every file of a request (rule 1, "forced by fields"), so each upload has one format and, where
 * the paths do not say them, one namespace and one language.
 */
import type { ImportFields, ImportFile } from "../api/endpoints.ts";
import type { FormatName } from "../model/format-name.ts";
import { factsOf } from "../formats/format-facts.ts";
import { recognisePath } from "../formats/recognise.ts";
import { NO_NAMESPACE } from "../model/key-identity.ts";
import { pathFor } from "../workspace/layout/layout.ts";
import type { LocalPlace } from "../workspace/local-files/local-file.ts";

/** What the project file says of a file, as far as the service would not find it in its path. */
export interface ImportPlace {
  readonly format: FormatName;
  /** `null`: the path or the file itself says it. */
  readonly namespace: string | null;
  readonly locale: string | null;
  /** What stands before each key; no field of an import says that. */
  readonly keyPrefix: string;
}

/** A file to import. */
export interface ImportSource extends ImportFile {
  /** `null`: no entry of the project file is for it. */
  readonly place: ImportPlace | null;
}

/** One request. */
export interface ImportUpload<Source extends ImportSource> {
  readonly files: readonly Source[];
  readonly fields: ImportFields;
}

/** The path to send the file under, with the service's name of its locale, and what its entry says beside the path. */
export function importPlace(place: LocalPlace): { readonly path: string; readonly place: ImportPlace } {
  const { entry, placed, naming, locale } = place;
  const path =
    placed.locale === null || placed.locale === locale
      ? place.path
      : (pathFor(entry.path, { ...placed, locale }) ?? place.path);
  const recognised = recognisePath(path);
  const facts = factsOf(entry.format);
  const inFile = facts?.ownNamespaces === true && entry.namespace === undefined;
  const byPath = (entry.format === "laravel_json" ? null : recognised?.namespace) ?? NO_NAMESPACE;
  const isStated = entry.namespace === undefined && byPath === naming.namespace;
  const hasLocale = placed.locale === null || facts?.ownLocales === true || recognised?.locale === locale;
  return {
    path,
    place: {
      format: entry.format,
      namespace: inFile || isStated ? null : naming.namespace,
      locale: hasLocale ? null : locale,
      keyPrefix: naming.keyPrefix,
    },
  };
}

/** The uploads, in the order of their first files. `given`: fields that a person said; they count for all files. */
export function importUploads<Source extends ImportSource>(
  files: readonly Source[],
  given: ImportFields,
): ImportUpload<Source>[] {
  const uploads = new Map<string, { files: Source[]; fields: ImportFields }>();
  for (const file of files) {
    const { format, namespace, locale } = file.place ?? {};
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
