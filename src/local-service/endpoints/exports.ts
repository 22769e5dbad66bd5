/** `GET /exports/{profileKey}`: the file, a job that builds it, or "not modified". */
import {
  JOB_LOCK_WAIT_MS,
  JOB_TYPE_EXPORT,
  LARGE_EXPORT_VALUES,
  LIMITS,
} from "../specification-decisions.ts";
import { matchesIfNoneMatch } from "../http/etag.ts";
import type { BuiltExport, ExportRequest } from "../exports/build-export.ts";
import { countValues, cachedExport } from "../exports/export-job.ts";
import { addJob } from "../jobs/job-store.ts";
import { notFound } from "../http/error-responses.ts";
import { contentVersion } from "../store/store-values.ts";
import { listedLanguages } from "../store/store-rows.ts";
import type { Connection } from "../store/store.ts";
import type { TextParameters } from "../http/validate-request.ts";
import { runInThread, SMALL_VALUES } from "../worker-thread.ts";
import { jobResponse, queryOf, type Endpoint, type Service } from "./endpoint.ts";

export const getExport: Endpoint = {
  method: "GET",
  path: "/exports/:profileKey",
  scope: "read",
  handle: async (service, c) => {
    const request = toExportRequest(service, c.req.param("profileKey") ?? "", queryOf(c));
    const built = await currentExport(service, request);
    if (built === undefined) {
      const id = await service.store.write(JOB_LOCK_WAIT_MS, (connection) =>
        jobFor(service, connection, request),
      );
      return jobResponse(service, c, id);
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
        "Content-Disposition": disposition(built.fileName),
      },
    });
  },
};

function toExportRequest(service: Service, profileKey: string, query: TextParameters): ExportRequest {
  const { settings, store } = service;
  const profile = settings.exportProfiles.find((one) => one.key === profileKey);
  if (profile === undefined) throw notFound();
  const all = listedLanguages(store.reader).map((language) => language.locale);
  const requested = query
    .text("locales", LIMITS.localesLength)
    ?.split(",")
    .map((locale) => locale.trim())
    .filter((locale) => locale !== "");
  for (const locale of requested ?? []) {
    if (!all.includes(locale)) query.addError("locales", { code: "locale_unknown", values: { locale } });
  }
  const missing = query.oneOf("missing", ["fallback", "empty", "omit"]) ?? profile.missing;
  query.throwIfInvalid();
  const wanted = new Set(requested ?? profile.locales ?? all);
  // In the project's order, so that the same languages in another order are the same export.
  return { slug: settings.slug, profile, locales: all.filter((locale) => wanted.has(locale)), missing };
}

/** Returns the current export; `undefined` if it needs a job. */
async function currentExport(service: Service, request: ExportRequest): Promise<BuiltExport | undefined> {
  const version = contentVersion(service.store.reader);
  const values = countValues(service, request);
  if (values > LARGE_EXPORT_VALUES) return cachedExport(service, request, version);
  const name = JSON.stringify(request);
  const known = service.recentExports.get(name);
  if (known?.contentVersion === version) return known;
  const built = await runInThread(
    { kind: "build", dataFile: service.store.file, request },
    values <= SMALL_VALUES,
  );
  for (const [other, one] of service.recentExports)
    if (one.contentVersion !== built.contentVersion) service.recentExports.delete(other);
  service.recentExports.set(name, built);
  return built;
}

/** Returns the job that builds this export: a running one or a new one. */
function jobFor(service: Service, connection: Connection, request: ExportRequest): number {
  const text = JSON.stringify(request);
  const open = connection
    .sql("SELECT id FROM jobs WHERE type = ? AND request = ? AND status IN ('queued', 'running')")
    .get(JOB_TYPE_EXPORT, text);
  return open === undefined
    ? addJob(connection, JOB_TYPE_EXPORT, request, service.now())
    : Number(open["id"]);
}

function disposition(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\]/gu, "_");
  const extended = plain === fileName ? "" : `; filename*=UTF-8''${encodeURIComponent(fileName)}`;
  return `attachment; filename="${plain}"${extended}`;
}
