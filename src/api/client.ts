/**
 * The client of the service: one method per endpoint of endpoints.ts, for one base URL and one token. It holds no
 * state of a project; lists of any length are for pages.ts and batches.ts.
 */
import type { Incoming, Outgoing } from "./http-request.ts";
import { readBaseUrl } from "./base-url.ts";
import {
  ENDPOINTS,
  MAX,
  type DiffKey,
  type Endpoint,
  type ExportQuery,
  type ImportFields,
  type ImportFile,
  type KeysQuery,
  type KeyUpdate,
  type Page,
  type PageQuery,
  type Priority,
  type SyncBody,
  type TranslationItem,
  type TranslationsQuery,
  type WriteMode,
} from "./endpoints.ts";
import { ApiError, isApiError, SOURCE_LANGUAGE_CHANGE } from "./errors.ts";
import { readExport, type ExportAnswer } from "./exports.ts";
import {
  ARCHIVED_SPELLINGS,
  askedNames,
  PROBE_KEYS,
  readDiff,
  readProject,
  readWrite,
  refusesField,
  sinceSpellings,
  withoutEmptyKeys,
  WRITE_NAMES,
  writeBody,
  type DiffAnswer,
  type ProjectRecord,
  type WriteNames,
  type WriteResult,
} from "./undocumented-fields.ts";
import { importBody } from "./multipart.ts";

import type { ClientClock, ClientLog, OnWait } from "./platform.ts";
import type { RequestPriority } from "./priority.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { readAnswer, type Redact } from "./response-reader.ts";
import type { Job, Key, Row, Stats, SyncResult } from "./schemas.ts";
import { send, TIMEOUTS, type Timeouts } from "./retry.ts";

/** What every request takes. An abort rejects with the signal's reason, at any point. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Default: the endpoint's own. */
  readonly priority?: Priority | RequestPriority;
  readonly onWait?: OnWait;
  /** Milliseconds that a `409` is waited out in all; default: the client's own. */
  readonly busyTimeout?: number;
  /** Told each time before the request is sent again although it may have been done: its answer was lost. */
  readonly onRepeat?: () => void;
  /**
   * Throws a `409` for a change of the source language instead of sending the same again: what is sent depends on the
   * language.
   */
  readonly failOnSourceLanguageChange?: boolean;
  /** Told of each good answer. */
  readonly onAnswer?: (answer: Pick<Incoming, "bytes" | "headers">) => void;
}

interface ImportOptions extends RequestOptions {
  /** Bytes sent so far of how many; never called where the platform's fetch does not let it be seen. */
  readonly onUpload?: (sent: number, total: number) => void;
}

export interface ClientSettings {
  /** Checked by `readBaseUrl`; what that refuses throws here. */
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: ClientClock;
  readonly log: ClientLog;
  /** Asked before each request, for `Accept-Language` (§ General conventions 2). */
  readonly locale: () => "en" | "nl";
  /** 0 up to 1; spreads the pauses. */
  readonly random?: () => number;
  readonly timeouts?: Partial<Timeouts>;
  /** Told of every request that waits and says nothing of its own. */
  readonly onWait?: OnWait;
}

/** All methods throw ApiError, or the signal's reason. */
export interface Client {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly origin: string;
  /** The rate budget, to show and to listen to. */
  readonly rateLimiter: Pick<RateLimiter, "budget" | "onDidChange">;
  project(options?: RequestOptions): Promise<ProjectRecord>;
  stats(options?: RequestOptions): Promise<Stats>;
  /** One page of at most 1,000. Without `archived` the service's own default holds, which is not shown. */
  keys(query?: KeysQuery & PageQuery, options?: RequestOptions): Promise<Page<Key>>;
  /** At most 10,000. `null`: the answer cannot be read (undocumented-fields.ts), so everything is to be sent. */
  diff(keys: readonly DiffKey[], options?: RequestOptions): Promise<DiffAnswer | null>;
  /** At most 5,000 keys. A `key_limit_reached` wrote nothing. */
  sync(body: SyncBody, options?: RequestOptions): Promise<SyncResult>;
  updateKey(hash: string, update: KeyUpdate, options?: RequestOptions): Promise<Key>;
  /** One page of at most 1,000 active keys with their translation in this language. */
  translations(
    locale: string,
    query?: TranslationsQuery & PageQuery,
    options?: RequestOptions,
  ): Promise<Page<Row>>;
  /** At most 1,000. What was not written is in `skipped`. */
  writeTranslations(
    locale: string,
    items: readonly TranslationItem[],
    mode: WriteMode,
    options?: RequestOptions,
  ): Promise<WriteResult>;
  /** Never repeated after a lost connection. `refusedFiles` reads which files an `invalid` is about. */
  import(files: readonly ImportFile[], fields?: ImportFields, options?: ImportOptions): Promise<Job>;
  export(profileKey: string, query?: ExportQuery, options?: RequestOptions): Promise<ExportAnswer>;
  job(id: number, options?: RequestOptions): Promise<Job>;
  /** Whether the token may write, asked by a diff, which changes nothing. */
  probeWriteScope(options?: RequestOptions): Promise<boolean>;
}

/** An answer in JSON, and an export, may be this long. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;
const MAX_EXPORT_BYTES = 200 * 1024 * 1024;

/** What a call adds to its row of the table. */
interface Call {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  readonly form?: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onUpload?: (sent: number, total: number) => void;
  readonly good?: readonly number[];
  readonly most?: number;
}

/** Builds the client; nothing is sent yet. */
export function createClient(settings: ClientSettings): Client {
  const base = readBaseUrl(settings.baseUrl);
  if (base.kind === "refused") throw new Error(`The base URL cannot be used: ${base.reason}`);
  const token = settings.token.trim();
  const redact: Redact = (text) => (token.length < 8 ? text : text.replaceAll(token, "[token]"));
  const rateLimiter = new RateLimiter(settings.clock);
  const random = settings.random ?? Math.random;
  const environment = {
    fetch: settings.fetch,
    clock: settings.clock,
    log: settings.log,
    rateLimiter,
    timeouts: { ...TIMEOUTS, ...settings.timeouts },
    random,
    redact,
  };
  let writeNames = WRITE_NAMES;
  let archivedSpelling = 0;
  let sinceSpelling = 0;

  const call = async (row: Endpoint<unknown>, given: Call, options: RequestOptions = {}) => {
    const path = fill(row, given.parameters ?? {});
    const label = `${row.method} ${path}`;
    // Nothing else can stand in a header, and a platform that refuses one quotes it in its error.
    if (!/^[\u0021-\u007e]+$/u.test(token))
      throw new ApiError("unauthorized", `${label}: the token is malformed`, { endpoint: label });
    const body = given.json === undefined ? given.form : JSON.stringify(given.json);
    const type = given.json === undefined ? given.form?.type : "application/json";
    const outgoing: Outgoing = {
      label,
      method: row.method,
      url: base.url + path + queryText(given.query ?? {}),
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: "application/json, */*;q=0.5",
        "Accept-Language": settings.locale(),
        ...(type === undefined ? {} : { "Content-Type": type }),
        ...given.headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(given.onUpload === undefined ? {} : { onUpload: given.onUpload }),
      most: given.most ?? MAX_JSON_BYTES,
    };
    const incoming = await send(environment, {
      outgoing,
      repeatable: row.repeatable,
      works: row.works === true,
      priority: options.priority ?? row.priority,
      good: given.good ?? [200, 201],
      retriesBusy: (reason) =>
        options.failOnSourceLanguageChange !== true || reason !== SOURCE_LANGUAGE_CHANGE,
      signal: options.signal,
      onWait: options.onWait ?? settings.onWait,
      onRepeat: options.onRepeat,
      busyTimeout: options.busyTimeout ?? environment.timeouts.busy,
    });
    options.onAnswer?.(incoming);
    return incoming;
  };

  const ask = async <Answer>(row: Endpoint<Answer>, given: Call, options?: RequestOptions): Promise<Answer> =>
    readAnswer(await call(row, given, options), row.answer);

  /** A list with `updatedSince` in the spelling that the service takes, which is remembered. */
  const sinceAsRead = async <Answer, Query extends { readonly updatedSince?: string }>(
    query: Query,
    read: (query: Query) => Promise<Answer>,
  ): Promise<Answer> => {
    if (query.updatedSince === undefined) return read(query);
    const spellings = sinceSpellings(query.updatedSince);
    const asked = (spelling: number): Query => ({
      ...query,
      updatedSince: spellings[spelling] ?? spellings[0],
    });
    try {
      return await read(asked(sinceSpelling));
    } catch (error) {
      if (!refusesField(error, "updatedSince") || sinceSpelling > 0 || spellings.length === 1) throw error;
      const answer = await read(asked(1));
      sinceSpelling = 1;
      return answer;
    }
  };

  const client: Client = {
    baseUrl: base.url,
    origin: base.origin,
    rateLimiter,

    project: async (options) => readProject((await ask(ENDPOINTS.project, {}, options)).data),

    stats: async (options) => (await ask(ENDPOINTS.stats, {}, options)).data,

    keys: async ({ archived, ...query } = {}, options) => {
      const page = (spelling: number): Promise<Page<Key>> => {
        const { yes, no } = ARCHIVED_SPELLINGS[spelling] ?? ARCHIVED_SPELLINGS[0];
        const filter = archived === undefined ? {} : { archived: archived ? yes : no };
        return sinceAsRead({ limit: MAX.page, ...query, ...filter }, (asked) =>
          ask(ENDPOINTS.keys, { query: asked }, options),
        );
      };
      try {
        return await page(archivedSpelling);
      } catch (error) {
        if (!refusesField(error, "archived") || archivedSpelling > 0) throw error;
        const answer = await page(1);
        archivedSpelling = 1;
        return answer;
      }
    },

    diff: async (keys, options) => readDiff(await ask(ENDPOINTS.diff, { json: { keys } }, options), keys),

    sync: async (body, options) => {
      try {
        return (await ask(ENDPOINTS.sync, { json: body }, options)).data;
      } catch (error) {
        const less = withoutEmptyKeys(body);
        if (less === null || !refusesField(error, "keys")) throw error;
        return (await ask(ENDPOINTS.sync, { json: less }, options)).data;
      }
    },

    updateKey: async (keyHash, update, options) =>
      (await ask(ENDPOINTS.updateKey, { parameters: { keyHash }, json: update }, options)).data,

    translations: (locale, query = {}, options) =>
      sinceAsRead({ limit: MAX.page, ...query }, (asked) =>
        ask(ENDPOINTS.translations, { parameters: { locale }, query: asked }, options),
      ),

    writeTranslations: async (locale, items, mode, options) => {
      const write = async (names: WriteNames): Promise<WriteResult> => {
        const given = { parameters: { locale }, query: { mode }, json: writeBody(items, mode, names) };
        const answer = await ask(ENDPOINTS.writeTranslations, given, options);
        return readWrite(answer, items, `PUT /translations/${locale}`);
      };
      for (let names = writeNames, renamed = 0; ; renamed += 1) {
        try {
          const result = await write(names);
          writeNames = names;
          return result;
        } catch (error) {
          // One name of the list and one of the hash can be learnt; more would be guessing.
          const asked = renamed < 2 ? askedNames(error, names) : null;
          if (asked === null) throw error;
          names = asked;
        }
      }
    },

    import: async (files, fields = {}, options = {}) => {
      const given = { form: importBody(files, fields, random), good: [200, 201, 202] };
      const upload = options.onUpload === undefined ? {} : { onUpload: options.onUpload };
      return readAnswer(
        await call(ENDPOINTS.import, { ...given, ...upload }, options),
        ENDPOINTS.import.answer,
      ).data;
    },

    export: async (profileKey, { locales, missing, etag } = {}, options) => {
      const given = {
        parameters: { profileKey },
        query: {
          locales: locales === undefined || locales.length === 0 ? undefined : locales.join(","),
          missing,
        },
        headers: etag === undefined ? {} : { "If-None-Match": etag },
        good: [200, 202, 304],
        most: MAX_EXPORT_BYTES,
      };
      return readExport(await call(ENDPOINTS.export, given, options), etag);
    },

    job: async (id, options) =>
      (await ask(ENDPOINTS.job, { parameters: { jobId: String(id) } }, options)).data,

    probeWriteScope: async (options) => {
      try {
        await ask(ENDPOINTS.diff, { json: { keys: PROBE_KEYS } }, options);
        return true;
      } catch (error) {
        // The scope was fine, only what was asked was not.
        if (isApiError(error, "invalid")) return true;
        if (!isApiError(error, "forbidden")) throw error;
      }
      // "the token lacks the scope of the endpoint, or the project is archived" (§ Authentication 6): a read tells.
      await ask(ENDPOINTS.project, {}, options);
      return false;
    },
  };
  return client;
}

/** The path with its parameters, which are never empty and never climb. */
function fill(row: Endpoint<unknown>, parameters: Readonly<Record<string, string>>): string {
  return row.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    const value = parameters[name] ?? "";
    if (value === "" || value === "." || value === "..")
      throw new ApiError("not_found", `${row.method} ${row.path}: ${name} cannot be "${value}"`);
    return encodeURIComponent(value.toWellFormed());
  });
}

function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search.toString()}`;
}
