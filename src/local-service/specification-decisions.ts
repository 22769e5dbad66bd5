/**
 * What the service does where the API document says "not shown", with the words of the document. No other file of the
 * service makes such a decision.
 */
import { formatInfo, type FormatInfo, type FormatName } from "../model/file-formats.ts";

/*
 * Decisions that are not values, and where they are implemented:
 * - "the error behaviour when a request exceeds an item count …: not shown": `422` on the field of the list. The
 *   document has no `400`, so a malformed body is `422` on `body` (`http/validate-request.ts`).
 * - The document has no `405`, so an unsupported method is an unknown URL, `404`. `X-RateLimit-*` describe the limit of
 *   the token, or of the address if no token was recognised (`http/server.ts`). Windows are fixed minutes
 *   (`http/rate-limit.ts`).
 * - "Exact field names of the project record: not shown", nor those of its languages and export profiles
 *   (`endpoints/project-stats-and-jobs.ts`).
 * - "opaque string" (§ Pagination): a cursor is unreadable for another list or other filters
 *   (`endpoints/key-list.ts`).
 * - "Which of these fields are required: not shown" (§ POST /keys/sync): only `key`. Without `value` and `forms` the
 *   source text stays unchanged, also of a restored key; an empty one removes it. A hash that is both sent and in
 *   `archive` counts as sent; unknown and archived ones in `archive` are ignored (`endpoints/keys.ts`).
 * - `requested` of the key-limit response is the number of keys that the sync would add: new and restored ones minus
 *   those that it archives. A sync that adds none is accepted, even above the limit (`endpoints/keys.ts`).
 * - While the source language changes, all requests that need the scope `write` get `409`, even the diff, since it
 *   compares the texts that are changing; reads continue (`http/server.ts`).
 * - "Order is by key" (§ Pagination): `GET /keys` is ordered by name in code point order, and keys with equal names (in
 *   other namespaces or contexts) by id (`endpoints/keys.ts`); `GET /translations` by id, as documented.
 * - A plural text is translated (`isTranslated`) when it has every form that whole numbers need
 *   (`edit-keys-and-translations.ts`). `updatedAt` of a row changes with its text, outdated mark and issues, and when
 *   its key is created or restored; `updatedSince` filters by it. A cleared translation keeps its version number.
 * - An import never restores an archived key, never changes a key between singular and plural, and never clears a
 *   text. Request fields override what a file contains. If a file of a target language also contains source texts,
 *   they are only used for the keys that it creates (`imports/import-job.ts`).
 * - "together with translation files" (§ POST /imports rule 5): with any other upload, even a spreadsheet with a
 *   language column (`imports/read-import-lines.ts`).
 * - "fall back along the fallback chain": the fallbacks of the language itself, then the source language. A key is
 *   written to the first file of a profile that can contain its namespace; other keys are not exported
 *   (`exports/build-export.ts`).
 * - `form` and `suggestion` of an issue are always strings, as shown; empty if there is none
 *   (`model/placeholder-checks.ts`).
 */

/** Documented limits (§ Limits). */
export const LIMITS = {
  perToken: 120,
  perAddress: 600,
  defaultPageSize: 500,
  maxPageSize: 1000,
  diffKeys: 10_000,
  syncKeys: 5_000,
  writeItems: 1_000,
  uploadBytes: 50 * 1024 * 1024,
  importLines: 50_000,
  maxLength: 32_768,
  maxLocalesLength: 1000,
  webhookAnswerMs: 5_000,
  translationsUpdatedMs: 5 * 60_000,
} as const;

/** "Maximum string lengths of the filter parameters per parameter: not shown"; in UTF-16 code units. */
export const LENGTHS = {
  filter: 255,
  cursor: 1000,
  namespace: 255,
  key: 4096,
  context: 1024,
  text: 1_000_000,
  description: 65_535,
  tag: 255,
  category: 32,
} as const;

/** "Numeric key limits of the plans … not shown": the limit if the project file has no `keyLimit`. */
export const DEFAULT_KEY_LIMIT = 100_000;

/** A larger JSON body is refused like a malformed one (`422` on `body`). */
export const MAX_JSON_BODY_BYTES = 64 * 1024 * 1024;

/**
 * "at most 50 MB" applies to all files of an upload together. A larger upload is parsed up to the first of these sizes,
 * to name the file that exceeds the limit, and read up to the second, so that the client receives the response.
 */
export const MAX_MULTIPART_BYTES = 128 * 1024 * 1024;
export const MAX_DRAINED_BYTES = 512 * 1024 * 1024;

/**
 * "`busy` (another writer holds the lock)": how long a write waits for the lock before it gets `409`, and how long a
 * request that only queues a job does.
 */
export const LOCK_WAIT_MS = 500;
export const JOB_LOCK_WAIT_MS = 5_000;

/** "Value formats of `archived` … and the default of `archived`: not shown." `null`: not filtered. */
export const ARCHIVED_VALUES: Readonly<Record<string, 0 | 1 | null>> = {
  true: 1,
  "1": 1,
  false: 0,
  "0": 0,
  all: null,
};
export const ARCHIVED_DEFAULT = "false";

/** "Value formats of … `updatedSince` …: not shown": ISO 8601 with a time zone, or a date. The time is inclusive. */
export const UPDATED_SINCE_PATTERN =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/u;

/** Value of the filter `tag` for keys without a tag (§ GET /keys). */
export const UNTAGGED = "untagged";

/** "Names of the response fields: not shown" (§ POST /keys/diff): lists of hashes and a count. */
export interface DiffAnswer {
  readonly new: readonly string[];
  readonly changed: readonly string[];
  readonly restored: readonly string[];
  readonly unchanged: number;
}

/**
 * "Reasons other than `plural_changed`: not shown" (§ Sync result). `duplicate`: the key occurs twice in a request.
 * Only the first is used, since writing both would not be idempotent.
 */
export type RejectReason = "plural_changed" | "duplicate";

/**
 * "Items not written are returned in `skipped` with a reason" (§ PUT /translations/{locale}); the document has no
 * reasons. An item identifies its key by `hash`, or by `key` with `namespace` and `context`; `version: null` means that
 * there was no translation when it was read.
 */
export type SkipReason =
  | "unknown_key"
  | "archived"
  | "plural_changed"
  | "version_conflict"
  | "not_empty"
  | "duplicate";

/**
 * "Names of item fields other than `value` and `version` … not shown": the name of the list. "Parameter `mode`" is
 * accepted in the body and in the query, and has this default.
 */
export const WRITE_LIST = "translations";
export const WRITE_MODES = ["overwrite", "fill_empty"] as const;
export const WRITE_MODE_DEFAULT: (typeof WRITE_MODES)[number] = "overwrite";

/** "value for export jobs is an identifier of the export type" (§ Job). */
export const JOB_TYPE_EXPORT = "export";
export const JOB_TYPE_IMPORT = "import";
/** The types of jobs that `GET /jobs` does not return: "for an import or export job …; other jobs give `404`". */
export const JOB_TYPE_AI = "ai_translation";
export const JOB_TYPE_SOURCE = "source_language_change";

/** "Complete list of job error codes: not shown." The first five are documented. */
export type JobErrorCode =
  | "too_many_lines"
  | "key_limit_reached"
  | "needs_mapping"
  | "keys_only_mixed"
  | "zip_slip"
  | "unknown_format"
  | "unknown_locale"
  | "unreadable_file"
  | "internal_error";

/**
 * "`fallback` (fall back along the fallback chain), `empty`, `omit`": a text of another language, an empty text, no
 * entry. A compiled catalogue cannot mark a text as untranslated and would show users an empty one, so `empty` omits
 * the key there, like `msgfmt`. A template (`pot`) contains every key regardless of `missing`, and a spreadsheet of all
 * languages omits rows without any text.
 */
export function isEmptyOmitted({ emptyText }: FormatInfo): boolean {
  return emptyText === "text";
}

/** "A large export not built yet" (§ GET /exports): one with more values (keys times languages) is built by a job. */
export const LARGE_EXPORT_VALUES = 20_000;
/** Number of built exports that are cached for their next download. */
export const MAX_CACHED_EXPORTS = 20;
/** Date of all zip entries, so that equal files give an equal zip ("The ETag depends only on the bytes"). */
export const ZIP_DATE = { year: 1980, month: 0, day: 1 } as const;

/** "unsafe archive" (§ POST /imports rule 2). */
export const ARCHIVE_LIMITS = { entries: 10_000, unpackedBytes: 512 * 1024 * 1024, ratio: 200 } as const;

/** "Retry schedule and number of attempts: not shown": delays before the second and later attempts. */
export const RETRY_DELAYS_MS: readonly number[] = [2, 10, 60, 300, 1_800, 7_200, 21_600].map(
  (seconds) => seconds * 1000,
);
/** Maximum number of deliveries in flight. */
export const MAX_CONCURRENT_DELIVERIES = 4;

/** Days after which ended jobs and deliveries are deleted, when the service starts. */
export const RETENTION_DAYS = 30;

/** The project of a store without a project file and without the demo. */
export const DEFAULT_PROJECT = {
  slug: "project",
  name: "Project",
  type: "other",
  sourceLocale: "en",
  languages: [{ locale: "nl" }, { locale: "de" }, { locale: "fr" }],
  exportProfiles: [
    {
      key: "json",
      name: "JSON",
      format: "json_js" as const,
      path: "{locale}/{namespace}.json",
      files: [{ format: "json_js" as const, path: "{locale}.json" }],
    },
  ],
};

/** Placeholder families by project `type`. */
export const FAMILIES_BY_TYPE: Readonly<
  Record<string, readonly ("colon" | "double-braces" | "icu" | "printf")[]>
> = {
  laravel: ["colon"],
  i18next: ["double-braces"],
  "react-i18next": ["double-braces"],
  "next-i18next": ["double-braces"],
  icu: ["icu"],
  formatjs: ["icu"],
  "next-intl": ["icu"],
  vue: ["icu"],
  "vue-i18n": ["icu"],
  "svelte-i18n": ["icu"],
  wordpress: ["printf"],
  gettext: ["printf"],
};
export const FAMILIES_DEFAULT = ["double-braces", "icu", "printf"] as const;

/** "the media type of its format (for example `application/json`, `text/x-php`, `application/zip`)". */
export function mediaTypeOf(format: FormatName | "zip"): string {
  return format === "zip" ? "application/zip" : formatInfo(format).mediaType;
}
