/**
 * All decisions about what the API document leaves open ("not shown"), each with the relevant quote. No other file of
 * the service makes any.
 */
import type { FormatName } from "../model/format-name.ts";

/*
 * Decisions that are not values, and where they are implemented:
 * - "the error behaviour when a request exceeds an item count …: not shown": `422` on the list's field. A malformed
 *   body is `422` on `body`, since the document has no `400` (`http/validate-request.ts`).
 * - An unsupported method is treated as an unknown URL, `404`, since the document has no `405`. Without a recognised
 *   token, `X-RateLimit-*` describe the address's limit, otherwise the token's (`server.ts`). Windows are fixed minutes
 *   (`http/authentication.ts`).
 * - "Exact field names of the project record: not shown", nor those of its languages and profiles
 *   (`endpoints/project.ts`).
 * - "opaque string" (§ Pagination): a cursor of another list or of other filters cannot be read
 *   (`endpoints/key-list.ts`).
 * - "Which of these fields are required: not shown" (§ POST /keys/sync): only `key`. Without `value` and `forms` the
 *   source text is unchanged, also of a key that is restored; an empty one removes it. A hash that is both sent and
 *   in `archive` counts as sent; unknown and archived ones in `archive` are ignored (`endpoints/keys.ts`).
 * - `requested` of the key-limit response is the number of keys that the sync would add: new and restored ones minus
 *   those that it archives. A sync that adds none is accepted, also over the limit (`endpoints/keys.ts`).
 * - While the source language changes, all requests that need the `write` scope get `409`, including the diff, which
 *   compares the texts that are being changed; reads continue (`server.ts`).
 * - "Order is by key" (§ Pagination): `GET /keys` is ordered by the key's name in code point order, and keys with
 *   equal names (in other namespaces or contexts) by id (`endpoints/keys.ts`); `GET /translations` by id, as
 *   documented.
 * - `isTranslated` of a plural text requires every form that whole numbers need (`edit-keys-and-translations.ts`).
 *   `updatedAt` of a row changes with its text, outdated mark and issues, and when its key is created or restored;
 *   `updatedSince` filters by it. A cleared translation retains its version count.
 * - An import never restores an archived key, never changes a key between singular and plural, and never clears a
 *   text. Request fields override what a file contains. If a file of a target language also contains source texts,
 *   they are only used for keys that it creates (`imports/import-job.ts`).
 * - "together with translation files" (§ POST /imports rule 5): any other kind of upload, also a spreadsheet with a
 *   language column (`imports/read-import.ts`).
 * - "fall back along the fallback chain": the language's own list, then the source language. A key is written to the
 *   first file of a profile that can contain its namespace; keys that fit no file are not exported
 *   (`exports/build-export.ts`).
 * - `form` and `suggestion` of an issue are always strings, as shown; empty if there is none
 *   (`model/placeholder-checks.ts`).
 */

/** Limits that the document specifies (§ Limits). */
export const LIMITS = {
  perToken: 120,
  perAddress: 600,
  pageDefault: 500,
  pageMost: 1000,
  diffKeys: 10_000,
  syncKeys: 5_000,
  writeItems: 1_000,
  uploadBytes: 50 * 1024 * 1024,
  importLines: 50_000,
  maxLength: 32_768,
  localesLength: 1000,
  webhookAnswerMs: 5_000,
  translationsUpdatedMs: 5 * 60_000,
} as const;

/**
 * "Maximum string lengths of the filter parameters per parameter: not shown." Also applies to names that are written.
 */
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

/** "Numeric key limits of the plans … not shown": the default if the project file has no `keyLimit`. */
export const DEFAULT_KEY_LIMIT = 100_000;

/** Maximum size of a JSON request body; a larger one is refused like a malformed one (`422`, `body`). */
export const JSON_BODY_BYTES = 64 * 1024 * 1024;

/**
 * "at most 50 MB" applies to all files of an upload together. Larger uploads are still parsed up to the first of
 * these sizes, to name the file that exceeds the limit, and read up to the second, so that the client receives the
 * response.
 */
export const MULTIPART_BYTES = 128 * 1024 * 1024;
export const MULTIPART_DRAIN_BYTES = 512 * 1024 * 1024;

/**
 * "`busy` (another writer holds the lock)": how long, in milliseconds, a short write waits for the lock before it gets
 * `409`, and how long a request does that only queues a job.
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

/**
 * "Value formats of … `updatedSince` …: not shown": ISO 8601 with a time zone, or only a date; the time itself is
 * included.
 */
export const UPDATED_SINCE_PATTERN =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/u;

/** The filter value for keys without a tag (§ GET /keys). */
export const UNTAGGED = "untagged";

/** "Names of the response fields: not shown" (§ POST /keys/diff): lists of hashes and a count. */
export interface DiffAnswer {
  readonly new: readonly string[];
  readonly changed: readonly string[];
  readonly restored: readonly string[];
  readonly unchanged: number;
}

/**
 * "Reasons other than `plural_changed`: not shown" (§ Sync result). `duplicate`: the key occurs twice in one request
 * (the first is used), since writing both would not be idempotent.
 */
export type RejectReason = "plural_changed" | "duplicate";

/**
 * "Items not written are returned in `skipped` with a reason" (§ PUT /translations/{locale}); the reason codes are
 * our own. An item identifies its key by `hash`, or by `key` with `namespace` and `context`; `version: null` means
 * that there was no translation when it was read.
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
/** Never shown by `GET /jobs`: "for an import or export job …; other jobs give `404`". */
export const JOB_TYPE_AI = "ai_translation";
/** The background job that changes the source language; like AI jobs, it is not visible in `GET /jobs`. */
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
 * "`fallback` (fall back along the fallback chain), `empty`, `omit`" means the same in all formats: another language's
 * text, an empty text, no entry. Compiled catalogues cannot mark a text as untranslated and would show users an empty
 * text, so `empty` omits the key there, like gettext's own `msgfmt`. A template (`pot`) contains every key regardless
 * of `missing`, and a spreadsheet of all languages omits rows without any text.
 */
export const EMPTY_IS_OMITTED: ReadonlySet<string> = new Set(["mo", "wordpress_php", "wordpress_jed"]);
/** Formats whose plural forms are parts of a single value: without a text it is one empty value, not empty parts. */
export const ONE_VALUE_FORMATS: ReadonlySet<string> = new Set([
  "laravel_php",
  "laravel_json",
  "xliff12",
  "xliff20",
]);

/**
 * "A large export not built yet" (§ GET /exports): number of values (keys times languages) above which an export is
 * a job.
 */
export const LARGE_EXPORT_VALUES = 20_000;
/** Number of built exports that are cached for their next download. */
export const MAX_CACHED_EXPORTS = 20;
/** The date of every zip entry, so that equal files result in an equal zip ("The ETag depends only on the bytes"). */
export const ZIP_DATE = { year: 1980, month: 0, day: 1 } as const;

/** "unsafe archive" (§ POST /imports rule 2): refused before anything is unpacked, or while unpacking. */
export const ARCHIVE_LIMITS = { entries: 10_000, unpackedBytes: 512 * 1024 * 1024, ratio: 200 } as const;

/**
 * "Retry schedule and number of attempts: not shown." Delays before the second, third … attempt; after the last one
 * the delivery is abandoned.
 */
export const RETRY_DELAYS_MS: readonly number[] = [2, 10, 60, 300, 1_800, 7_200, 21_600].map(
  (seconds) => seconds * 1000,
);
/** Maximum number of deliveries in flight. */
export const MAX_CONCURRENT_DELIVERIES = 4;

/** Days after which ended jobs and deliveries are deleted at a start. */
export const RETENTION_DAYS = 30;

/** A store without a project file and without the demo; the document's two languages and two more. */
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

/** Placeholder family by project `type`; any other type uses braces and printf. */
export const FAMILIES_BY_TYPE: Readonly<
  Record<string, readonly ("laravel" | "i18next" | "icu" | "printf")[]>
> = {
  laravel: ["laravel"],
  i18next: ["i18next"],
  "react-i18next": ["i18next"],
  "next-i18next": ["i18next"],
  icu: ["icu"],
  formatjs: ["icu"],
  "next-intl": ["icu"],
  vue: ["icu"],
  "vue-i18n": ["icu"],
  "svelte-i18n": ["icu"],
  wordpress: ["printf"],
  gettext: ["printf"],
};
export const FAMILIES_DEFAULT = ["i18next", "icu", "printf"] as const;

/** "the media type of its format (for example `application/json`, `text/x-php`, `application/zip`)". */
export const MEDIA_TYPES: Readonly<Record<FormatName | "zip", string>> = {
  laravel_php: "text/x-php",
  wordpress_php: "text/x-php",
  laravel_json: "application/json",
  json_js: "application/json",
  wordpress_jed: "application/json",
  js_module: "text/javascript",
  po: "text/x-gettext-translation",
  pot: "text/x-gettext-translation-template",
  mo: "application/x-gettext-translation",
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xliff12: "application/xliff+xml",
  xliff20: "application/xliff+xml",
  zip: "application/zip",
};
