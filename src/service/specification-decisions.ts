/**
 * Everything that the API document leaves open ("not shown") and that an implementation must decide. One place,
 * each choice beside the document's words. No other file of the service decides such a thing.
 */

/*
 * Choices that are no values, and where they are made:
 * - "the error behaviour when a request exceeds an item count …: not shown": `422` on the list's field (`validate.ts`).
 * - A malformed body is `422` on `body`, since the document has no `400`; a method that a URL does not have makes it
 *   an unknown URL, `404`, since it has no `405` (`server.ts`).
 * - Without a recognised token `X-RateLimit-*` tell of the address, with one of the token. Windows are fixed minutes.
 * - "Which of these fields are required: not shown" (§ POST /keys/sync): `key` alone. Without `value` and `forms` the
 *   source text stays as it is; an empty one takes it away. A hash both sent and in `archive` counts as sent; one in
 *   `archive` that is unknown or archived is passed over (`endpoints/sync.ts`).
 * - `requested` of the key-limit answer is what the sync would add: new and restored keys without those it archives.
 * - While the source language changes, all that needs the `write` scope waits with `409`, the diff too, since it
 *   compares the very texts that are being changed; reading goes on (`waitsForSource`).
 * - "Order is by key" (§ Pagination): `GET /keys` goes by the key's name in the order of code points, those of one name
 *   (other namespaces, other contexts) by id; `GET /translations` by id, as it says itself (`endpoints/keys.ts`).
 * - `isTranslated` of a plural text: every form that whole numbers need (`content-edit.ts`). `updatedAt` of a row
 *   moves with its text, outdated mark and issues, and when its key is made or restored; `updatedSince` filters on it.
 *   A cleared translation keeps counting its versions.
 * - An import never restores an archived key, never changes the kind of a key and clears nothing
 *   (`imports/write.ts`). Fields that are given win over what a file says of itself. A file of a target language that
 *   says the source text too gives it to the keys that it makes, never to one that is there.
 * - "fall back along the fallback chain": the language's own list, then the source language. A key goes into the
 *   first file of a profile that can hold its namespace; one that fits none is not in the export (`exports/build.ts`).
 * - `form` and `suggestion` of an issue are always strings, as shown; empty where there is none (`checks.ts`).
 */

/** What the document fixes (§ Limits). */
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

/** "Maximum string lengths of the filter parameters per parameter: not shown." Also of names that are written. */
export const LENGTHS = {
  filter: 255,
  namespace: 255,
  key: 4096,
  context: 1024,
  text: 1_000_000,
  description: 65_535,
  tag: 255,
  category: 32,
} as const;

/** "Numeric key limits of the plans … not shown": what holds when the project file gives no `keyLimit`. */
export const DEFAULT_KEY_LIMIT = 100_000;

/** A request's JSON body may not be longer than this; a longer one is refused like a malformed one (`422`, `body`). */
export const JSON_BODY_BYTES = 64 * 1024 * 1024;

/**
 * "at most 50 MB" is taken for all files of an upload together. A larger upload is still taken apart up to the first
 * size, to say which file is one too many; and read up to the second, so that the sender gets its answer at all.
 */
export const MULTIPART_BYTES = 128 * 1024 * 1024;
export const MULTIPART_DRAIN_BYTES = 512 * 1024 * 1024;

/**
 * "busy (another writer holds the lock)": how long a short write stands in line before it is told so, and how
 * long a request does that only has to note a job. Milliseconds.
 */
export const LOCK_WAIT_MS = 500;
export const JOB_LOCK_WAIT_MS = 5_000;

/** "Value formats of `archived` … and the default of `archived`: not shown." */
export const ARCHIVED_VALUES: Readonly<Record<string, boolean | "all">> = {
  true: true,
  "1": true,
  false: false,
  "0": false,
  all: "all",
};
export const ARCHIVED_DEFAULT = false;

/** "Value formats of … `updatedSince`: not shown": ISO 8601 with a zone, or a date alone; the moment itself counts. */
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
 * "Reasons other than `plural_changed`: not shown" (§ Sync result). `duplicate`: the same key a second time in
 * one request (the first is taken), since writing both would not be idempotent.
 */
export type RejectReason = "plural_changed" | "duplicate";

/**
 * "Items not written are returned in `skipped` with a reason" (§ PUT /translations/{locale}); the words are ours.
 * An item names its key by `hash`, or by `key` with `namespace` and `context`; `version: null` says that there
 * was no translation when it was read.
 */
export type SkipReason =
  | "unknown_key"
  | "archived"
  | "plural_changed"
  | "version_conflict"
  | "not_empty"
  | "duplicate";

/**
 * "Names of item fields other than `value` and `version` … not shown": the list's name. "Parameter `mode`" may stand
 * in the body or in the query; without one it is the default.
 */
export const WRITE_LIST = "translations";
export const WRITE_MODES = ["overwrite", "fill_empty"] as const;
export const WRITE_MODE_DEFAULT: (typeof WRITE_MODES)[number] = "overwrite";

/** "value for export jobs is an identifier of the export type" (§ Job). */
export const JOB_TYPE_EXPORT = "export";
export const JOB_TYPE_IMPORT = "import";
/** Never shown by `GET /jobs`: "for an import or export job …; other jobs give `404`". */
export const JOB_TYPE_AI = "ai_translation";
/** The background work of a changed source language; as little a job of `GET /jobs` as an AI job. */
export const JOB_TYPE_SOURCE = "source_language_change";

/** "Complete list of job error codes: not shown." The first five are the document's. */
export type JobErrorCode =
  | "too_many_lines"
  | "key_limit_reached"
  | "needs_mapping"
  | "keys_only_mixed"
  | "zip_slip"
  | "unknown_format"
  | "unsupported_format"
  | "unknown_locale"
  | "unreadable_file"
  | "internal_error";

/**
 * "`missing`: `fallback` …, `empty`, `omit`" means the same in all formats: another language's text, a text without
 * words, no entry. Only a compiled catalogue cannot say "not translated": there an empty text would be shown to
 * people, so `empty` leaves the key out, as gettext's own `msgfmt` does. A template (`pot`) says every key whatever
 * `missing` is, and in a spreadsheet of all languages a row is left out when none of them has a text.
 */
export const EMPTY_IS_OMITTED: ReadonlySet<string> = new Set(["mo", "wordpress_php", "wordpress_jed"]);
/** Where the forms of a plural are parts of one value: without words it is one empty value, not empty parts. */
export const ONE_VALUE_FORMATS: ReadonlySet<string> = new Set([
  "laravel_php",
  "laravel_json",
  "xliff12",
  "xliff20",
]);

/** "A large export not built yet" (§ GET /exports): from how many values (keys times languages) on it is a job. */
export const LARGE_EXPORT_VALUES = 20_000;
/** Built exports kept for their next download. */
export const MAX_CACHED_EXPORTS = 20;
/** The date in every zip entry, so that equal files are an equal zip ("The ETag depends only on the bytes"). */
export const ZIP_DATE = { year: 1980, month: 0, day: 1 } as const;

/** "unsafe archive" (§ POST /imports rule 2): refused before anything is unpacked, or while unpacking. */
export const ARCHIVE_LIMITS = { entries: 10_000, unpackedBytes: 512 * 1024 * 1024, ratio: 200 } as const;

/** "Retry schedule and number of attempts: not shown." Waits before the second, third … attempt; then it ends. */
export const RETRY_DELAYS_MS: readonly number[] = [2, 10, 60, 300, 1_800, 7_200, 21_600].map(
  (seconds) => seconds * 1000,
);
/** Deliveries that are under way at once. */
export const MAX_CONCURRENT_DELIVERIES = 4;

/** Days after which ended jobs and deliveries are forgotten at a start. */
export const RETENTION_DAYS = 30;

/** The languages of a store that no project file and no demo describes; the document's own two and two more. */
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
      format: "json_js",
      path: "{locale}/{namespace}.json",
      files: [{ format: "json_js", path: "{locale}.json" }],
      locales: null,
      missing: "omit",
    },
  ],
} as const;

/** A project whose `type` is one of these has placeholders of that family; any other type: braces and printf. */
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

/** Fields of `GET /project` "beyond these: not shown". */
interface ProjectLanguage {
  readonly locale: string;
  readonly name: string;
  readonly isSource: boolean;
  readonly fallback: readonly string[];
}
interface ProjectProfile {
  readonly key: string;
  readonly name: string;
  readonly format: string;
  readonly locales: readonly string[] | null;
  readonly missing: string;
}
export interface ProjectRecord {
  readonly slug: string;
  readonly name: string;
  readonly type: string;
  readonly sourceLocale: string;
  readonly contentVersion: number;
  readonly languages: readonly ProjectLanguage[];
  readonly exportProfiles: readonly ProjectProfile[];
}

/** "the media type of its format (for example `application/json`, `text/x-php`, `application/zip`)". */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
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
