/** `GET /exports/{profileKey}`: the file, a job that builds it, or "not modified". */
import type { Context } from "hono";
import * as v from "valibot";
import {
  JOB_LOCK_WAIT_MS,
  JOB_TYPE_EXPORT,
  LARGE_EXPORT_VALUES,
  LIMITS,
  MAX_CACHED_EXPORTS,
} from "../specification-decisions.ts";
import type { BuiltExport, ExportRequest } from "../exports/build-export.ts";
import { notFound } from "../http/error-responses.ts";
import { oneOf, parseParameters, text } from "../http/validate-request.ts";
import { addJob, type JobHandler } from "../jobs.ts";
import { timestamp, type Service } from "../service-context.ts";
import { MISSING_MODES } from "../service-settings.ts";
import { contentVersion, listedLocales, totals } from "../store/store-rows.ts";
import { runInThread } from "../run-in-worker-thread.ts";
import { jobResponse, type Env, type Handler } from "./endpoint.ts";

/** Exports of up to this number of values are built in the main thread. */
const SMALL_EXPORT_VALUES = 4_000;

export const getExport: Handler = async (service, c) => {
  const request = exportRequest(service, c);
  const built = await currentExport(service, request);
  if (built === undefined) {
    const sql = "SELECT id FROM jobs WHERE type = ? AND request = ? AND status IN ('queued', 'running')";
    return service.store.write((connection) => {
      const pending = connection.get<{ id: number }>(sql, JOB_TYPE_EXPORT, JSON.stringify(request));
      const id = pending?.id ?? addJob(connection, JOB_TYPE_EXPORT, request, service.now());
      return jobResponse(service, c, connection, id);
    }, JOB_LOCK_WAIT_MS);
  }
  const headers = { ETag: built.etag, "Cache-Control": "private, no-cache" };
  if (matchesIfNoneMatch(c.req.header("if-none-match"), built.etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(new Uint8Array(built.bytes), {
    headers: {
      ...headers,
      "Content-Type": built.mediaType,
      "Content-Length": String(built.bytes.length),
      "Content-Disposition": contentDisposition(built.fileName),
    },
  });
};

function exportRequest({ settings, store }: Service, c: Context<Env>): ExportRequest {
  const profile = settings.exportProfiles.find((one) => one.key === c.req.param("profileKey"));
  if (profile === undefined) throw notFound();
  const all = listedLocales(store.reader);
  const query = parseParameters(
    c.req.query(),
    v.object({
      locales: v.optional(
        v.pipe(
          text(LIMITS.maxLocalesLength),
          v.transform((value) => value.split(",").flatMap((locale) => locale.trim() || [])),
          v.rawCheck(({ dataset, addIssue }) => {
            const unknown = dataset.typed && dataset.value.find((locale) => !all.includes(locale));
            if (unknown) addIssue({ message: "locale_unknown", input: unknown });
          }),
        ),
      ),
      missing: v.optional(oneOf(MISSING_MODES), profile.missing),
    }),
  );
  const requested = new Set(query.locales ?? profile.locales ?? all);
  // In the project's order, so that the same languages in another order are the same export.
  const locales = all.filter((locale) => requested.has(locale));
  return { slug: settings.slug, profile, locales, missing: query.missing };
}

/** Returns the export of the current content; `undefined` if a job must build it. */
async function currentExport(service: Service, request: ExportRequest): Promise<BuiltExport | undefined> {
  const { store, recentExports } = service;
  const cacheKey = JSON.stringify(request);
  const version = contentVersion(store.reader);
  const values = countValues(service, request);
  if (values > LARGE_EXPORT_VALUES) {
    return store.reader.get<BuiltExport>(
      `SELECT content_version AS contentVersion, etag, media_type AS mediaType, file_name AS fileName, bytes
       FROM exports WHERE request = ? AND content_version = ?`,
      cacheKey,
      version,
    );
  }
  const cached = recentExports.get(cacheKey);
  if (cached?.contentVersion === version) return cached;
  const isSmall = values <= SMALL_EXPORT_VALUES;
  const built = await runInThread("buildExport", [store.file, request], isSmall);
  recentExports.delete(cacheKey);
  recentExports.set(cacheKey, built);
  const [oldest] = recentExports.keys();
  if (oldest !== undefined && recentExports.size > MAX_CACHED_EXPORTS) recentExports.delete(oldest);
  return built;
}

/** Returns the number of values of an export: keys times languages. */
function countValues({ store }: Service, { locales }: ExportRequest): number {
  return totals(store.reader).active * locales.length;
}

/**
 * Returns whether the header contains this ETag: strong or weak (weak comparison, RFC 9110 13.1.2), in a list, or
 * `*`. Invalid members of the list are ignored.
 */
function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const tags = /(?:^|[\s,])(?:W\/)?("[\u0021\u0023-\u007e\u0080-\u{10ffff}]*")(?=[\s,]|$)/gu;
  return [...header.matchAll(tags)].some(([, tag]) => tag === etag);
}

function contentDisposition(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]|["\\]/gu, "_");
  const extended = ascii === fileName ? "" : `; filename*=UTF-8''${encodeURIComponent(fileName)}`;
  return `attachment; filename="${ascii}"${extended}`;
}

/** Builds a large export in a worker thread and stores it for its download. */
export const exportJob: JobHandler = {
  run: async (job) => {
    const { service, stopping } = job;
    const { store } = service;
    const request = job.request as ExportRequest;
    const total = countValues(service, request);
    job.report(0, total);
    const built = await runInThread("buildExport", [store.file, request], false, stopping);
    await store.write((connection) => {
      connection.run(
        `INSERT OR REPLACE INTO exports (request, content_version, etag, media_type, file_name, bytes, built_at)
         VALUES (:request, :contentVersion, :etag, :mediaType, :fileName, :bytes, :builtAt)`,
        { request: JSON.stringify(request), ...built, builtAt: timestamp(service.now()) },
      );
      connection.run(
        "DELETE FROM exports WHERE request NOT IN (SELECT request FROM exports ORDER BY built_at DESC LIMIT ?)",
        MAX_CACHED_EXPORTS,
      );
      const { etag, bytes, contentVersion: version } = built;
      job.succeed(connection, total, { etag, size: bytes.length, contentVersion: version });
    });
    service.log(`export ${job.id}: ${built.bytes.length} bytes`);
  },
};
