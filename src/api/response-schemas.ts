/**
 * Schemas of the Project Translation Service API, version 1, as documented. Unknown fields are dropped, and unknown
 * values of open lists are preserved (§ General conventions 4).
 */
import * as v from "valibot";

/** Plural category (`one`, `other`, …) to text. */
const FormsSchema = v.record(v.string(), v.string());
export type Forms = v.InferOutput<typeof FormsSchema>;

/** PHP encodes an empty object as `[]`. */
const formsOrEmptyList = v.union([
  FormsSchema,
  v.pipe(
    v.tuple([]),
    v.transform((): Forms => ({})),
  ),
]);

const timestamp = v.string();
const count = v.number();

/** § Key. `source` has `value` for a singular key and `forms` for a plural one. */
export const KeySchema = v.object({
  hash: v.string(),
  namespace: v.string(),
  key: v.string(),
  context: v.nullable(v.string()),
  isPlural: v.boolean(),
  description: v.nullable(v.string()),
  maxLength: v.nullable(v.number()),
  sourceHash: v.nullable(v.string()),
  source: v.union([
    v.object({ value: v.nullish(v.string()), forms: v.nullish(formsOrEmptyList) }),
    v.pipe(
      // A key may have no source text (§ Key identity, `sourceHash`).
      v.union([v.tuple([]), v.null()]),
      v.transform((): { value?: string; forms?: Forms } => ({})),
    ),
  ]),
  tags: v.array(v.string()),
  archived: v.boolean(),
  updatedAt: v.nullable(timestamp),
});
export type Key = v.InferOutput<typeof KeySchema>;

/** § Translation row, one entry of `issues`. The set of rules and levels is open ("not shown"). */
const QaIssueSchema = v.object({
  rule: v.string(),
  level: v.string(),
  placeholder: v.nullish(v.string()),
  form: v.nullish(v.string()),
  suggestion: v.nullish(v.string()),
});
export type QaIssue = v.InferOutput<typeof QaIssueSchema>;

/** § Translation row (one active key in one language). */
export const TranslationRowSchema = v.object({
  hash: v.string(),
  namespace: v.string(),
  key: v.string(),
  context: v.nullable(v.string()),
  isPlural: v.boolean(),
  value: v.nullable(v.string()),
  forms: v.nullable(formsOrEmptyList),
  isTranslated: v.boolean(),
  isOutdated: v.boolean(),
  issues: v.array(QaIssueSchema),
  version: v.nullable(v.number()),
  updatedAt: v.nullable(timestamp),
});
export type TranslationRow = v.InferOutput<typeof TranslationRowSchema>;

/** § Language progress entry. `percent` is rounded. */
const LanguageSchema = v.object({
  locale: v.string(),
  name: v.string(),
  isSource: v.boolean(),
  totalKeys: count,
  translated: count,
  outdated: count,
  qaErrors: count,
  percent: count,
  lastTranslatedAt: v.nullable(timestamp),
});
export type Language = v.InferOutput<typeof LanguageSchema>;

/** Body of `GET /stats`: source language first. */
export const StatsSchema = v.object({ contentVersion: v.number(), languages: v.array(LanguageSchema) });
export type Stats = v.InferOutput<typeof StatsSchema>;

/**
 * An unknown status counts as `running`: "Clients poll until `succeeded` or `failed`" (§ Job states), and it is
 * neither.
 */
const JOB_STATUSES = ["queued", "running", "succeeded", "failed"] as const;
const jobStatus = v.pipe(
  v.string(),
  v.transform((word) => JOB_STATUSES.find((status) => status === word) ?? "running"),
);

/** Jobs are stored as JSON; a result nested deeper than this is dropped, since it could not be serialised. */
const MAX_DEPTH = 32;

function isDeeperThan(maxDepth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return maxDepth === 0 || Object.values(value).some((each) => isDeeperThan(maxDepth - 1, each));
}

/**
 * § Job. The fields of `result` are not shown. It is "filled once succeeded" and `error` "present on a failed job",
 * so both may be absent before.
 */
export const JobSchema = v.object({
  id: v.number(),
  type: v.string(),
  status: jobStatus,
  progress: v.nullable(v.object({ done: v.number(), total: v.number() })),
  result: v.optional(
    v.nullable(
      v.pipe(
        v.union([v.array(v.unknown()), v.record(v.string(), v.unknown())]),
        v.transform((result) => (isDeeperThan(MAX_DEPTH, result) ? null : result)),
      ),
    ),
    null,
  ),
  error: v.optional(v.nullable(v.object({ code: v.string(), message: v.string() })), null),
  createdAt: v.nullable(timestamp),
  startedAt: v.nullable(timestamp),
  finishedAt: v.nullable(timestamp),
});
export type Job = v.InferOutput<typeof JobSchema>;

/** § Sync result. Reasons other than `plural_changed` are not shown, so any string is accepted. */
export const SyncResultSchema = v.object({
  created: count,
  updated: count,
  restored: count,
  unchanged: count,
  archived: count,
  rejected: v.array(v.object({ hash: v.string(), reason: v.string() })),
});
export type SyncResult = v.InferOutput<typeof SyncResultSchema>;

/** `meta` of a list envelope (§ Envelopes). */
export const PageMetaSchema = v.object({ nextCursor: v.nullable(v.string()), limit: v.number() });

/** One item of `POST /keys/sync`. */
export interface SyncKey {
  readonly key: string;
  readonly namespace?: string;
  readonly context?: string;
  readonly value?: string;
  readonly forms?: Forms;
  readonly description?: string;
  readonly maxLength?: number;
  readonly tags?: readonly string[];
}
