/**
 * The table of endpoints (§ Endpoint list): method, path, scope, retry policy and response schema. The client and the
 * local service both use it.
 */
import * as v from "valibot";
import {
  JobSchema,
  KeySchema,
  PageMetaSchema,
  TranslationRowSchema,
  StatsSchema,
  SyncResultSchema,
  type Forms,
  type SyncKey,
} from "./response-schemas.ts";
import type { FormatName } from "../model/file-formats.ts";
import type { Priority } from "../util/priority.ts";

/** One row of the table. `Body` is the parsed body of a success response. */
export interface Endpoint<Body> {
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  /** Relative to the base URL; `{name}` is a path parameter. */
  readonly path: string;
  /** The scope that a token needs (§ Authentication 4). */
  readonly scope: "read" | "write";
  /** Whether it changes something at the service. */
  readonly isWrite?: boolean;
  /**
   * Whether it may be sent again when the response was lost. Reads and the diff change nothing; "Repeating the same
   * sync changes nothing the second time" (§ Sync rule 3). The document does not say so of the others: a second
   * import is a second job, a second write may overwrite a change made in between.
   */
  readonly repeatable: boolean;
  /** Default priority. */
  readonly priority: Priority;
  /** It processes thousands of items before it responds, so its timeout is longer. */
  readonly isSlow?: boolean;
  readonly response: v.GenericSchema<unknown, Body>;
}

/** § Envelopes, one object. */
function objectEnvelope<Item>(
  item: v.GenericSchema<unknown, Item>,
): v.GenericSchema<unknown, { data: Item }> {
  return v.object({ data: item });
}

/** § Envelopes, a list. */
function listEnvelope<Item>(item: v.GenericSchema<unknown, Item>): v.GenericSchema<unknown, Page<Item>> {
  return v.object({ data: v.array(item), meta: PageMetaSchema });
}

/** For records that undocumented-fields.ts parses, since the document does not show their fields. */
const anyFields = v.record(v.string(), v.unknown());

const READ = { method: "GET", scope: "read", repeatable: true, priority: "background" } as const;
const WRITE = {
  method: "POST",
  scope: "write",
  isWrite: true,
  repeatable: false,
  priority: "person",
  isSlow: true,
} as const;

export const ENDPOINTS = {
  project: { ...READ, path: "/project", priority: "person", response: objectEnvelope(anyFields) },
  stats: { ...READ, path: "/stats", response: objectEnvelope(StatsSchema) },
  keys: { ...READ, path: "/keys", response: listEnvelope(KeySchema) },
  diff: { ...WRITE, path: "/keys/diff", isWrite: false, repeatable: true, response: v.unknown() },
  sync: { ...WRITE, path: "/keys/sync", repeatable: true, response: objectEnvelope(SyncResultSchema) },
  updateKey: {
    ...WRITE,
    method: "PATCH",
    path: "/keys/{keyHash}",
    isSlow: false,
    response: objectEnvelope(KeySchema),
  },
  translations: { ...READ, path: "/translations/{locale}", response: listEnvelope(TranslationRowSchema) },
  writeTranslations: { ...WRITE, method: "PUT", path: "/translations/{locale}", response: v.unknown() },
  import: { ...WRITE, path: "/imports", response: objectEnvelope(JobSchema) },
  export: {
    ...READ,
    path: "/exports/{profileKey}",
    priority: "person",
    isSlow: true,
    response: objectEnvelope(JobSchema),
  },
  job: { ...READ, path: "/jobs/{jobId}", response: objectEnvelope(JobSchema) },
} as const satisfies Record<string, Endpoint<unknown>>;

/** Most items of one request (§ Limits). */
export const MAX_ITEMS = { page: 1000, diff: 10_000, sync: 5_000, write: 1_000 } as const;

/** Limit for all files of one import together (§ Limits): 50 MB. */
export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;

/** One page of a list (§ Pagination). */
export interface Page<Item> {
  data: Item[];
  meta: { nextCursor: string | null; limit: number };
}

/** Filters of `GET /keys`. `tag: "untagged"` selects keys without a tag. */
export interface KeysQuery {
  readonly namespace?: string;
  readonly tag?: string;
  readonly archived?: boolean;
  /** A value of an `updatedAt` field of the service. */
  readonly updatedSince?: string;
}

/** Filters of `GET /translations/{locale}`. */
export interface TranslationsQuery extends Omit<KeysQuery, "archived"> {
  readonly status?: "all" | "translated" | "untranslated";
}

/** Selects a page: its size (1 to 1,000, default 1,000) and its cursor. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** One item of `POST /keys/diff`. */
export interface DiffKey {
  readonly hash: string;
  readonly sourceHash: string | null;
}

/** Body of `POST /keys/sync`: at most 5,000 keys and 5,000 archived keys (batches.ts splits longer lists). */
export interface SyncBody {
  readonly keys: readonly SyncKey[];
  /** Hashes of keys to archive. */
  readonly archive?: readonly string[];
}

/** Body of `PATCH /keys/{keyHash}`: absent fields are unchanged, `null` clears, `tags` is the complete new set. */
export interface KeyUpdate {
  readonly description?: string | null;
  readonly maxLength?: number | null;
  readonly tags?: readonly string[];
}

/** One translation to write. An empty `value` clears it; `version`, as last read, protects concurrent changes. */
export interface TranslationItem {
  readonly hash: string;
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
  readonly value?: string;
  readonly forms?: Forms;
  readonly version?: number | null;
}

/** `fill_empty` writes only where there is no translation (§ PUT /translations/{locale}). */
export type WriteMode = "overwrite" | "fill_empty";

/** One file of an import. The service derives format, language and namespace from `path` (separated by `/`). */
export interface ImportFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Form fields of `POST /imports`, besides the files. */
export interface ImportFields {
  readonly locale?: string;
  readonly format?: FormatName;
  readonly namespace?: string;
  readonly overwrite?: boolean;
  readonly createUnknownKeys?: boolean;
  readonly tag?: string;
}

/** Query of `GET /exports/{profileKey}`, and the ETag of a cached export. */
export interface ExportQuery {
  readonly locales?: readonly string[];
  readonly missing?: "fallback" | "empty" | "omit" | undefined;
  readonly etag?: string | undefined;
}
