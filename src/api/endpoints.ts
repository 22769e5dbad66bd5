/**
 * The one table of endpoints (§ Endpoint list): method, path, scope and what is known of each. The client and the
 * local service both read it; nothing here sends or answers.
 */
import * as v from "valibot";
import {
  JobSchema,
  KeySchema,
  PageMetaSchema,
  RowSchema,
  StatsSchema,
  SyncResultSchema,
  type Forms,
  type SyncKey,
} from "./schemas.ts";
import type { FormatName } from "../model/format-name.ts";

/** The scope a token must have (§ Authentication 4). */
type Scope = "read" | "write";

/** Who waits for an answer: a person does now, or nobody does (a refresh, a poll). */
export type Priority = "person" | "background";

/** One row of the table. `Answer` is what a good answer's body is read as. */
export interface Endpoint<Answer> {
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  /** Below the base URL; `{name}` is a path parameter. */
  readonly path: string;
  readonly scope: Scope;
  /**
   * Whether it may be sent again when nobody knows if it arrived. Reads and the diff change nothing; "Repeating the
   * same sync changes nothing the second time" (§ Sync rule 3). Of the others the document says no such thing: a
   * second import is a second job, a second write may run over what somebody wrote in between.
   */
  readonly repeatable: boolean;
  /** Used when the caller says nothing. */
  readonly priority: Priority;
  /** It reads or writes thousands of things before it answers, so an answer is waited for longer. */
  readonly works?: true;
  readonly answer: v.GenericSchema<unknown, Answer>;
}

/** § Envelopes, one object. */
function one<Item>(item: v.GenericSchema<unknown, Item>): v.GenericSchema<unknown, { data: Item }> {
  return v.object({ data: item });
}

/** § Envelopes, a list. */
function list<Item>(item: v.GenericSchema<unknown, Item>): v.GenericSchema<unknown, Page<Item>> {
  return v.object({ data: v.array(item), meta: PageMetaSchema });
}

function endpoint<Answer>(row: Endpoint<Answer>): Endpoint<Answer> {
  return row;
}

/** Read by undocumented-fields.ts, since the document does not show the fields. */
const anything = v.record(v.string(), v.unknown());

/** Every endpoint of the document, once. */
export const ENDPOINTS = {
  project: endpoint({
    method: "GET",
    path: "/project",
    scope: "read",
    repeatable: true,
    priority: "person",
    answer: one(anything),
  }),
  stats: endpoint({
    method: "GET",
    path: "/stats",
    scope: "read",
    repeatable: true,
    priority: "background",
    answer: one(StatsSchema),
  }),
  keys: endpoint({
    method: "GET",
    path: "/keys",
    scope: "read",
    repeatable: true,
    priority: "background",
    answer: list(KeySchema),
  }),
  diff: endpoint({
    method: "POST",
    path: "/keys/diff",
    scope: "write",
    repeatable: true,
    priority: "person",
    works: true,
    answer: v.unknown(),
  }),
  sync: endpoint({
    method: "POST",
    path: "/keys/sync",
    scope: "write",
    repeatable: true,
    priority: "person",
    works: true,
    answer: one(SyncResultSchema),
  }),
  updateKey: endpoint({
    method: "PATCH",
    path: "/keys/{keyHash}",
    scope: "write",
    repeatable: false,
    priority: "person",
    answer: one(KeySchema),
  }),
  translations: endpoint({
    method: "GET",
    path: "/translations/{locale}",
    scope: "read",
    repeatable: true,
    priority: "background",
    answer: list(RowSchema),
  }),
  writeTranslations: endpoint({
    method: "PUT",
    path: "/translations/{locale}",
    scope: "write",
    repeatable: false,
    priority: "person",
    works: true,
    answer: v.unknown(),
  }),
  import: endpoint({
    method: "POST",
    path: "/imports",
    scope: "write",
    repeatable: false,
    priority: "person",
    works: true,
    answer: one(JobSchema),
  }),
  export: endpoint({
    method: "GET",
    path: "/exports/{profileKey}",
    scope: "read",
    repeatable: true,
    priority: "person",
    works: true,
    answer: one(JobSchema),
  }),
  job: endpoint({
    method: "GET",
    path: "/jobs/{jobId}",
    scope: "read",
    repeatable: true,
    priority: "background",
    answer: one(JobSchema),
  }),
} as const;

/** Items of one request (§ Limits). */
export const MAX = { page: 1000, diff: 10_000, sync: 5_000, write: 1_000 } as const;

/** All files of one import together (§ Limits): 50 MB. */
export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;

/** One page of a list (§ Pagination). */
export interface Page<Item> {
  data: Item[];
  meta: { nextCursor: string | null; limit: number };
}

/** Filters of `GET /keys`. `tag: "untagged"` selects keys without one. */
export interface KeysQuery {
  readonly namespace?: string;
  readonly tag?: string;
  readonly archived?: boolean;
  /** As a field `updatedAt` of the service wrote it. */
  readonly updatedSince?: string;
}

/** Filters of `GET /translations/{locale}`. */
export interface TranslationsQuery {
  readonly status?: "all" | "translated" | "untranslated";
  readonly namespace?: string;
  readonly tag?: string;
  /** As a field `updatedAt` of the service wrote it. */
  readonly updatedSince?: string;
}

/** Which page: 1 to 1000 items (here always 1000 when not said), and where it begins. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** One item of `POST /keys/diff`. */
export interface DiffKey {
  readonly hash: string;
  readonly sourceHash: string | null;
}

/** Body of `POST /keys/sync`; at most 5,000 of each here (batches.ts sends more). */
export interface SyncBody {
  readonly keys: readonly SyncKey[];
  /** Hashes of keys to archive. */
  readonly archive?: readonly string[];
}

/** Body of `PATCH /keys/{keyHash}`: what is left out stays, `null` clears, `tags` is the new complete set. */
export interface KeyUpdate {
  readonly description?: string | null;
  readonly maxLength?: number | null;
  readonly tags?: readonly string[];
}

/** One translation to write. An empty `value` clears; `version` as it was read guards against running over. */
export interface TranslationItem {
  readonly hash: string;
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
  readonly value?: string;
  readonly forms?: Forms;
  readonly version?: number | null;
}

/** `fill_empty` only fills empty translations (§ PUT /translations/{locale}). */
export type WriteMode = "overwrite" | "fill_empty";

/** One file of an import. The service recognises format, language and namespace from `path` (`/` between parts). */
export interface ImportFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Fields of `POST /imports` beside the files. */
export interface ImportFields {
  readonly locale?: string;
  readonly format?: FormatName;
  readonly namespace?: string;
  readonly overwrite?: boolean;
  readonly createUnknownKeys?: boolean;
  readonly tag?: string;
}

/** Query of `GET /exports/{profileKey}`, and the ETag of what is already here. */
export interface ExportQuery {
  readonly locales?: readonly string[];
  readonly missing?: "fallback" | "empty" | "omit";
  readonly etag?: string;
}
