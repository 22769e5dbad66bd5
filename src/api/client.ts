/**
 * The client of the service: one method per endpoint of endpoints.ts, for one base URL and one token. It has no
 * project state; pagination.ts and batches.ts handle lists of any length.
 */
import type { HttpResponse, HttpRequest } from "./http-request.ts";
import { parseBaseUrl } from "./parse-base-url.ts";
import {
  ENDPOINTS,
  MAX_ITEMS,
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
import { parseExport, type ExportResult } from "./export-response.ts";
import {
  ARCHIVED_FLAG_FORMATS,
  expectedFieldNames,
  WRITE_PROBE_KEYS,
  parseDiff,
  parseProject,
  parseWriteResult,
  isFieldRefused,
  updatedSinceFormats,
  syncBodyWithoutEmptyKeys,
  DEFAULT_WRITE_FIELD_NAMES,
  writeBody,
  type DiffResult,
  type ProjectRecord,
  type WriteFieldNames,
  type WriteResult,
} from "./undocumented-fields.ts";
import { importBody } from "./multipart.ts";
import type { Clock, Log } from "../model/platform.ts";
import type { OnWait } from "./request-wait.ts";
import type { RequestPriority } from "./request-priority.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { parseResponse, type Redact } from "./response-reader.ts";
import type { Job, Key, Row, Stats, SyncResult } from "./response-schemas.ts";
import { sendWithRetry, DEFAULT_TIMEOUTS, type Timeouts } from "./retry.ts";

/** Options of every request. An abort rejects with the signal's reason. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Default: the endpoint's priority. */
  readonly priority?: Priority | RequestPriority;
  readonly onWait?: OnWait;
  /** Total time that a `409` is retried; default `Timeouts.busyMs`. */
  readonly busyTimeoutMs?: number;
  /** Called before each retry of a request that may already have been executed: its response was lost. */
  readonly onRetry?: () => void;
  /**
   * Fails on a `409` for a change of the source language instead of retrying, where the request depends on that
   * language.
   */
  readonly failOnSourceLanguageChange?: boolean;
  /** Called with each success response. */
  readonly onResponse?: (response: Pick<HttpResponse, "bytes" | "headers">) => void;
}

interface ImportOptions extends RequestOptions {
  /** Called with bytes sent and total bytes, where the platform's fetch makes that observable. */
  readonly onUpload?: (sent: number, total: number) => void;
}

/** Configuration and dependencies of a client. */
export interface ClientSettings {
  /** Must be accepted by `parseBaseUrl`. */
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly log: Pick<Log, "debug" | "warn">;
  /** Returns the current `Accept-Language` (§ General conventions 2). */
  readonly locale: () => "en" | "nl";
  /** Returns a number from 0 up to 1; jitter of the retry delays. */
  readonly random?: () => number;
  readonly timeouts?: Partial<Timeouts>;
  /** Called for waiting requests that have no `onWait` of their own. */
  readonly onWait?: OnWait;
}

/** All methods reject with an ApiError, or with the signal's reason. */
export interface Client {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly origin: string;
  /** The request budget and its change event. */
  readonly rateLimiter: Pick<RateLimiter, "budget" | "onDidChange">;
  project(options?: RequestOptions): Promise<ProjectRecord>;
  stats(options?: RequestOptions): Promise<Stats>;
  /** One page of at most 1,000. The default of `archived` is the service's, which is not documented. */
  keys(query?: KeysQuery & PageQuery, options?: RequestOptions): Promise<Page<Key>>;
  /** At most 10,000. `null`: the response cannot be parsed (undocumented-fields.ts), so everything has to be sent. */
  diff(keys: readonly DiffKey[], options?: RequestOptions): Promise<DiffResult | null>;
  /** At most 5,000 keys. On `key_limit_reached` nothing was written. */
  sync(body: SyncBody, options?: RequestOptions): Promise<SyncResult>;
  updateKey(hash: string, update: KeyUpdate, options?: RequestOptions): Promise<Key>;
  /** One page of at most 1,000 active keys with their translation in this language. */
  translations(
    locale: string,
    query?: TranslationsQuery & PageQuery,
    options?: RequestOptions,
  ): Promise<Page<Row>>;
  /** At most 1,000 items. Those that were not written are in `skipped`. */
  writeTranslations(
    locale: string,
    items: readonly TranslationItem[],
    mode: WriteMode,
    options?: RequestOptions,
  ): Promise<WriteResult>;
  /** Not retried after a lost connection. `refusedFiles` returns the files of an `invalid` error. */
  import(files: readonly ImportFile[], fields?: ImportFields, options?: ImportOptions): Promise<Job>;
  export(profileKey: string, query?: ExportQuery, options?: RequestOptions): Promise<ExportResult>;
  job(id: number, options?: RequestOptions): Promise<Job>;
  /** Returns whether the token has write scope, by sending a diff, which changes nothing. */
  probeWriteScope(options?: RequestOptions): Promise<boolean>;
}

/** Size limits of responses. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;
const MAX_EXPORT_BYTES = 200 * 1024 * 1024;

/** What a call adds to its endpoint. */
interface CallDetails {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  readonly form?: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onUpload?: ((sent: number, total: number) => void) | undefined;
  readonly successStatuses?: readonly number[];
  readonly maxResponseBytes?: number;
}

/** Creates a client without sending anything. */
export function createClient(settings: ClientSettings): Client {
  const base = parseBaseUrl(settings.baseUrl);
  if (base.kind === "refused") throw new Error(`Invalid base URL: ${base.reason}`);
  const token = settings.token.trim();
  const redact: Redact = (text) => (token.length < 8 ? text : text.replaceAll(token, "[token]"));
  const rateLimiter = new RateLimiter(settings.clock);
  const random = settings.random ?? Math.random;
  const context = {
    fetch: settings.fetch,
    clock: settings.clock,
    log: settings.log,
    rateLimiter,
    timeouts: { ...DEFAULT_TIMEOUTS, ...settings.timeouts },
    random,
    redact,
  };
  let writeNames = DEFAULT_WRITE_FIELD_NAMES;
  /** The formats that the service accepts, as indexes in undocumented-fields.ts. */
  const accepted = { archived: 0, updatedSince: 0 };

  const send = async (row: Endpoint<unknown>, details: CallDetails, options: RequestOptions = {}) => {
    const path = pathOf(row, details.parameters ?? {});
    const label = `${row.method} ${path}`;
    // Checked here because fetch quotes an invalid header value in its error.
    if (!/^[\u0021-\u007e]+$/u.test(token))
      throw new ApiError("unauthorized", `${label}: the token is malformed`, { endpoint: label });
    const body = details.json === undefined ? details.form : JSON.stringify(details.json);
    const type = details.json === undefined ? details.form?.type : "application/json";
    const httpRequest: HttpRequest = {
      label,
      method: row.method,
      url: base.url + path + queryString(details.query ?? {}),
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: "application/json, */*;q=0.5",
        "Accept-Language": settings.locale(),
        ...(type === undefined ? {} : { "Content-Type": type }),
        ...details.headers,
      },
      body,
      onUpload: details.onUpload,
      maxResponseBytes: details.maxResponseBytes ?? MAX_JSON_BYTES,
    };
    const response = await sendWithRetry(context, {
      httpRequest,
      repeatable: row.repeatable,
      isSlow: row.isSlow === true,
      priority: options.priority ?? row.priority,
      successStatuses: details.successStatuses,
      retriesBusy: (reason) =>
        options.failOnSourceLanguageChange !== true || reason !== SOURCE_LANGUAGE_CHANGE,
      signal: options.signal,
      onWait: options.onWait ?? settings.onWait,
      onRetry: options.onRetry,
      busyTimeoutMs: options.busyTimeoutMs,
    });
    options.onResponse?.(response);
    return response;
  };

  const request = async <Body>(
    row: Endpoint<Body>,
    details: CallDetails,
    options?: RequestOptions,
  ): Promise<Body> => parseResponse(await send(row, details, options), row.response);

  /** Calls `read` with the accepted format of a field, or the next one if the service refuses the field. */
  const withAcceptedFormat = async <Body>(
    field: keyof typeof accepted,
    formats: readonly unknown[],
    read: (format: number) => Promise<Body>,
  ): Promise<Body> => {
    try {
      return await read(accepted[field]);
    } catch (error) {
      if (!isFieldRefused(error, field) || accepted[field] > 0 || formats.length === 1) throw error;
      const result = await read(1);
      accepted[field] = 1;
      return result;
    }
  };

  const withUpdatedSince = async <Body, Query extends { readonly updatedSince?: string }>(
    query: Query,
    read: (query: Query) => Promise<Body>,
  ): Promise<Body> => {
    if (query.updatedSince === undefined) return read(query);
    const formats = updatedSinceFormats(query.updatedSince);
    return withAcceptedFormat("updatedSince", formats, (format) =>
      read({ ...query, updatedSince: formats[format] ?? formats[0] }),
    );
  };

  const client: Client = {
    baseUrl: base.url,
    origin: base.origin,
    rateLimiter,

    project: async (options) => parseProject((await request(ENDPOINTS.project, {}, options)).data),

    stats: async (options) => (await request(ENDPOINTS.stats, {}, options)).data,

    keys: ({ archived, ...query } = {}, options) =>
      withAcceptedFormat("archived", ARCHIVED_FLAG_FORMATS, (format) => {
        const { yes, no } = ARCHIVED_FLAG_FORMATS[format] ?? ARCHIVED_FLAG_FORMATS[0];
        const filter = archived === undefined ? {} : { archived: archived ? yes : no };
        return withUpdatedSince({ limit: MAX_ITEMS.page, ...query, ...filter }, (pageQuery) =>
          request(ENDPOINTS.keys, { query: pageQuery }, options),
        );
      }),

    diff: async (keys, options) =>
      parseDiff(await request(ENDPOINTS.diff, { json: { keys } }, options), keys),

    sync: async (body, options) => {
      try {
        return (await request(ENDPOINTS.sync, { json: body }, options)).data;
      } catch (error) {
        const reduced = syncBodyWithoutEmptyKeys(body);
        if (reduced === null || !isFieldRefused(error, "keys")) throw error;
        return (await request(ENDPOINTS.sync, { json: reduced }, options)).data;
      }
    },

    updateKey: async (keyHash, update, options) =>
      (await request(ENDPOINTS.updateKey, { parameters: { keyHash }, json: update }, options)).data,

    translations: (locale, query = {}, options) =>
      withUpdatedSince({ limit: MAX_ITEMS.page, ...query }, (pageQuery) =>
        request(ENDPOINTS.translations, { parameters: { locale }, query: pageQuery }, options),
      ),

    writeTranslations: async (locale, items, mode, options) => {
      const write = async (names: WriteFieldNames): Promise<WriteResult> => {
        const details = { parameters: { locale }, query: { mode }, json: writeBody(items, mode, names) };
        const response = await request(ENDPOINTS.writeTranslations, details, options);
        return parseWriteResult(response, items);
      };
      for (let names = writeNames, renamed = 0; ; renamed += 1) {
        try {
          const result = await write(names);
          writeNames = names;
          return result;
        } catch (error) {
          // One new name of the list and one of the hash are adopted; more would be guessing.
          const expectedNames = renamed < 2 ? expectedFieldNames(error, names) : null;
          if (expectedNames === null) throw error;
          names = expectedNames;
        }
      }
    },

    import: async (files, fields = {}, options = {}) => {
      const details = { form: importBody(files, fields, random), onUpload: options.onUpload };
      return (await request(ENDPOINTS.import, details, options)).data;
    },

    export: async (profileKey, { locales, missing, etag } = {}, options) => {
      const details = {
        parameters: { profileKey },
        query: {
          locales: locales === undefined || locales.length === 0 ? undefined : locales.join(","),
          missing,
        },
        headers: etag === undefined ? {} : { "If-None-Match": etag },
        successStatuses: [200, 202, 304],
        maxResponseBytes: MAX_EXPORT_BYTES,
      };
      return parseExport(await send(ENDPOINTS.export, details, options), etag);
    },

    job: async (id, options) =>
      (await request(ENDPOINTS.job, { parameters: { jobId: String(id) } }, options)).data,

    probeWriteScope: async (options) => {
      try {
        await request(ENDPOINTS.diff, { json: { keys: WRITE_PROBE_KEYS } }, options);
        return true;
      } catch (error) {
        // The scope was accepted, only the body was not.
        if (isApiError(error, "invalid")) return true;
        if (!isApiError(error, "forbidden")) throw error;
      }
      // "the token lacks the scope of the endpoint, or the project is archived" (§ Authentication 6): a read tells the two apart.
      await request(ENDPOINTS.project, {}, options);
      return false;
    },
  };
  return client;
}

/** Returns the path with its parameters filled in. An empty or relative parameter would select another endpoint. */
function pathOf(row: Endpoint<unknown>, parameters: Readonly<Record<string, string>>): string {
  return row.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    const value = parameters[name] ?? "";
    if (value === "" || value === "." || value === "..")
      throw new ApiError("not_found", `${row.method} ${row.path}: ${name} cannot be "${value}"`);
    return encodeURIComponent(value.toWellFormed());
  });
}

function queryString(query: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search.toString()}`;
}
