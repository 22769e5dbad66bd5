/**
 * The client of the service: one method per endpoint of endpoints.ts, for one base URL and one token. It has no
 * project state; pagination.ts and batches.ts handle lists of any length.
 */
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
  type SyncBody,
  type TranslationItem,
  type TranslationsQuery,
  type WriteMode,
} from "./endpoints.ts";
import { ApiError, isApiError, isFieldRefused, mayHaveBeenExecuted } from "./errors.ts";
import { parseExport, type ExportResult } from "./export-response.ts";
import {
  ARCHIVED_FLAG_FORMATS,
  expectedFieldNames,
  WRITE_PROBE_KEYS,
  parseDiff,
  parseProject,
  parseWriteResult,
  updatedSinceFormats,
  syncBodyWithoutEmptyKeys,
  DEFAULT_WRITE_FIELD_NAMES,
  writeBody,
  type WriteResult,
} from "./undocumented-fields.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { parseResponse, type Redact } from "./parse-response.ts";
import type { Job, Key, TranslationRow, Stats, SyncResult } from "./response-schemas.ts";
import {
  DEFAULT_TIMEOUTS,
  type RequestOptions,
  type SendContext,
  sendWithRetry,
  type Timeouts,
} from "./send-with-retry.ts";

export type { RequestOptions } from "./send-with-retry.ts";

interface ImportOptions extends RequestOptions {
  /** Called with bytes sent and total bytes, where the platform's fetch makes that observable. */
  readonly onUpload?: (sent: number, total: number) => void;
}

/** Configuration and dependencies of a client. */
export interface ClientSettings
  extends Pick<SendContext, "fetch" | "clock" | "log">, Partial<Pick<SendContext, "random" | "onWait">> {
  /** Must be accepted by `parseBaseUrl`. */
  readonly baseUrl: string;
  readonly token: string;
  /** Returns the current `Accept-Language` (§ General conventions 2). */
  readonly locale: () => "en" | "nl";
  /** Called when a write fails that may have been executed, so that what was read before may be outdated. */
  readonly onUncertainWrite?: () => void;
  readonly timeouts?: Partial<Timeouts>;
  readonly maxBytes?: MaxBytes;
  readonly maxItems?: Record<keyof typeof MAX_ITEMS, number>;
}

/** All methods reject with an ApiError, or with the signal's reason. */
export type Client = ReturnType<typeof createClient>;

/** Size limits of responses. */
interface MaxBytes {
  readonly json: number;
  readonly export: number;
}
const MAX_BYTES: MaxBytes = { json: 64 * 1024 * 1024, export: 200 * 1024 * 1024 };

/** What a call adds to its endpoint. */
interface CallDetails {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  readonly form?: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onUpload?: ((sent: number, total: number) => void) | undefined;
  readonly cancelledWaitMs?: number;
  readonly successStatuses?: readonly number[];
  readonly maxResponseBytes?: number;
}

/** Creates a client without sending anything. */
export function createClient(settings: ClientSettings) {
  const base = parseBaseUrl(settings.baseUrl);
  if (base.kind === "refused") throw new Error(`Invalid base URL: ${base.reason}`);
  const token = settings.token.trim();
  const redact: Redact = (text) => (token.length < 8 ? text : text.replaceAll(token, "[token]"));
  const {
    fetch,
    clock,
    log,
    onWait,
    random = Math.random,
    maxBytes = MAX_BYTES,
    maxItems = MAX_ITEMS,
  } = settings;
  const rateLimiter = new RateLimiter(clock);
  const timeouts = { ...DEFAULT_TIMEOUTS, ...settings.timeouts };
  const context = { fetch, clock, log, rateLimiter, timeouts, random, redact, onWait };
  let writeNames = DEFAULT_WRITE_FIELD_NAMES;
  /** The formats that the service accepts, as indexes in undocumented-fields.ts. */
  const accepted = { archived: 0, updatedSince: 0 };

  const send = (row: Endpoint<unknown>, details: CallDetails, options: RequestOptions = {}) => {
    const path = pathOf(row, details.parameters ?? {});
    const label = `${row.method} ${path}`;
    // Checked here because fetch quotes an invalid header value in its error.
    if (!/^[\u0021-\u007e]+$/u.test(token))
      throw new ApiError("unauthorized", `${label}: the token is malformed`, { endpoint: label });
    const type = details.json === undefined ? details.form?.type : "application/json";
    const httpRequest = {
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
      body: details.json === undefined ? details.form : JSON.stringify(details.json),
      onUpload: details.onUpload,
      cancelledWaitMs: details.cancelledWaitMs,
      maxResponseBytes: details.maxResponseBytes ?? maxBytes.json,
    };
    return sendWithRetry(context, row, httpRequest, options, details.successStatuses);
  };

  const request = async <Body>(
    row: Endpoint<Body>,
    details: CallDetails = {},
    options?: RequestOptions,
  ): Promise<Body> => {
    try {
      return parseResponse(await send(row, details, options), row.response);
    } catch (error) {
      if (row.isWrite === true && mayHaveBeenExecuted(error)) settings.onUncertainWrite?.();
      throw error;
    }
  };

  const requestData = async <Data>(
    row: Endpoint<{ readonly data: Data }>,
    details?: CallDetails,
    options?: RequestOptions,
  ): Promise<Data> => (await request(row, details, options)).data;

  /** Calls `read` with the accepted format of a field, or the next one if the service refuses the field. */
  const withAcceptedFormat = async <Format, Body>(
    field: keyof typeof accepted,
    formats: readonly [first: Format, second?: Format],
    read: (format: Format) => Promise<Body>,
  ): Promise<Body> => {
    const used = accepted[field];
    try {
      return await read(formats[used] ?? formats[0]);
    } catch (error) {
      const next = formats[used + 1];
      if (!isFieldRefused(error, field) || next === undefined) throw error;
      const result = await read(next);
      accepted[field] = used + 1;
      return result;
    }
  };

  const withUpdatedSince = <Body, Query extends { readonly updatedSince?: string }>(
    query: Query,
    read: (query: Query) => Promise<Body>,
  ): Promise<Body> =>
    query.updatedSince === undefined
      ? read(query)
      : withAcceptedFormat("updatedSince", updatedSinceFormats(query.updatedSince), (updatedSince) =>
          read({ ...query, updatedSince }),
        );

  return {
    /** Without a trailing slash. */
    baseUrl: base.url,
    /** The request budget and its change event. */
    rateLimiter,
    /** The most items of one request. */
    maxItems,

    project: async (options?: RequestOptions) =>
      parseProject(await requestData(ENDPOINTS.project, {}, options)),

    stats: (options?: RequestOptions): Promise<Stats> => requestData(ENDPOINTS.stats, {}, options),

    /** One page of at most 1,000. The default of `archived` is the service's, which is not documented. */
    keys: (
      { archived, ...query }: KeysQuery & PageQuery = {},
      options?: RequestOptions,
    ): Promise<Page<Key>> =>
      withAcceptedFormat("archived", ARCHIVED_FLAG_FORMATS, ({ yes, no }) => {
        const filter = archived === undefined ? {} : { archived: archived ? yes : no };
        return withUpdatedSince({ limit: maxItems.page, ...query, ...filter }, (pageQuery) =>
          request(ENDPOINTS.keys, { query: pageQuery }, options),
        );
      }),

    /** At most 10,000. `null`: the response cannot be parsed (undocumented-fields.ts), so everything has to be sent. */
    diff: async (keys: readonly DiffKey[], options?: RequestOptions) =>
      parseDiff(await request(ENDPOINTS.diff, { json: { keys } }, options), keys),

    /** At most 5,000 keys. On `key_limit_reached` nothing was written. */
    sync: async (body: SyncBody, options?: RequestOptions): Promise<SyncResult> => {
      try {
        return await requestData(ENDPOINTS.sync, { json: body }, options);
      } catch (error) {
        const reduced = syncBodyWithoutEmptyKeys(body);
        if (reduced === null || !isFieldRefused(error, "keys")) throw error;
        return requestData(ENDPOINTS.sync, { json: reduced }, options);
      }
    },

    updateKey: (keyHash: string, update: KeyUpdate, options?: RequestOptions): Promise<Key> =>
      requestData(ENDPOINTS.updateKey, { parameters: { keyHash }, json: update }, options),

    /** One page of at most 1,000 active keys with their translation in this language. */
    translations: (
      locale: string,
      query: TranslationsQuery & PageQuery = {},
      options?: RequestOptions,
    ): Promise<Page<TranslationRow>> =>
      withUpdatedSince({ limit: maxItems.page, ...query }, (pageQuery) =>
        request(ENDPOINTS.translations, { parameters: { locale }, query: pageQuery }, options),
      ),

    /** At most 1,000 items. Those that were not written are in `skipped`. */
    writeTranslations: async (
      locale: string,
      items: readonly TranslationItem[],
      mode: WriteMode,
      options?: RequestOptions,
    ): Promise<WriteResult> => {
      for (let names = writeNames, renamed = 0; ; renamed += 1) {
        try {
          const details = { parameters: { locale }, query: { mode }, json: writeBody(items, mode, names) };
          const response = await request(ENDPOINTS.writeTranslations, details, options);
          writeNames = names;
          return parseWriteResult(response, items);
        } catch (error) {
          // One new name of the list and one of the hash are adopted; more would be guessing.
          const expectedNames = renamed < 2 ? expectedFieldNames(error, names) : null;
          if (expectedNames === null) throw error;
          names = expectedNames;
        }
      }
    },

    /**
     * Not retried after a lost connection. `refusedFiles` returns the files of an `invalid` error. When it is cancelled
     * after the files were sent, the response is still waited for as long as otherwise, to follow the job.
     */
    import: (
      files: readonly ImportFile[],
      fields: ImportFields = {},
      options: ImportOptions = {},
    ): Promise<Job> => {
      const details = {
        form: importBody(files, fields, random),
        onUpload: options.onUpload,
        cancelledWaitMs: timeouts.slowHeadersMs,
      };
      return requestData(ENDPOINTS.import, details, options);
    },

    export: async (
      profileKey: string,
      { locales = [], missing, etag }: ExportQuery = {},
      options?: RequestOptions,
    ): Promise<ExportResult> => {
      const details = {
        parameters: { profileKey },
        query: { locales: locales.length === 0 ? undefined : locales.join(","), missing },
        headers: etag === undefined ? {} : { "If-None-Match": etag },
        successStatuses: [200, 202, 304],
        maxResponseBytes: maxBytes.export,
      };
      return parseExport(await send(ENDPOINTS.export, details, options), etag);
    },

    job: (id: number, options?: RequestOptions): Promise<Job> =>
      requestData(ENDPOINTS.job, { parameters: { jobId: String(id) } }, options),

    /** Returns whether the token has write scope, by sending a diff, which changes nothing. */
    probeWriteScope: async (options?: RequestOptions): Promise<boolean> => {
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

/**
 * Returns the `multipart/form-data` body of an import (§ POST /imports), whose length is known before it is sent. Its
 * `type` is the `Content-Type` header.
 * @param random Returns a number from 0 up to 1.
 */
function importBody(files: readonly ImportFile[], fields: ImportFields, random: () => number): Blob {
  const boundary = `----translations${Array.from({ length: 24 }, () => Math.floor(random() * 36).toString(36)).join("")}`;
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const text = typeof value === "boolean" ? (value ? "1" : "0") : value;
    parts.push(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`);
  }
  for (const file of files) {
    parts.push(
      `--${boundary}\r\nContent-Disposition: form-data; name="files[]"; filename="${escapeFileName(file.path)}"\r\n` +
        "Content-Type: application/octet-stream\r\n\r\n",
      // The Blob copies the bytes, so a shared buffer is fine too.
      file.bytes as Uint8Array<ArrayBuffer>,
      "\r\n",
    );
  }
  parts.push(`--${boundary}--\r\n`);
  return new Blob(parts, { type: `multipart/form-data; boundary=${boundary}` });
}

/** Escapes a file name as browsers do in forms: UTF-8 with three characters percent-encoded. */
function escapeFileName(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}
