/** `GET /exports/{profileKey}`: the file, a job that builds it, or "not modified". */
import { formatOf } from "../../formats/supported-formats.ts";
import {
  JOB_LOCK_WAIT_MS,
  JOB_TYPE_EXPORT,
  LARGE_EXPORT_VALUES,
  LIMITS,
} from "../specification-decisions.ts";
import { matchesIfNoneMatch } from "../http/etag.ts";
import type { BuiltExport, ExportRequest } from "../exports/build.ts";
import { countValues, cachedExport } from "../exports/export-job.ts";
import { addJob, jobResponse } from "../jobs/jobs.ts";
import { notFound } from "../http/problem.ts";
import { contentVersion } from "../store/meta.ts";
import { listedLanguages } from "../store/rows.ts";
import type { Connection } from "../store/store.ts";
import { Query } from "../http/validate.ts";
import { runInThread, SMALL_VALUES } from "../worker-thread.ts";
import { dataResponse, jobUrl, type Endpoint, type Service } from "./endpoint.ts";

/** Cache of small exports by request; discarded when the content changes. */
const recent = new WeakMap<Service["store"], Map<string, BuiltExport>>();

export const getExport: Endpoint = {
  method: "GET",
  path: "/exports/:profileKey",
  scope: "read",
  waitsForSource: false,
  handle: async (service, c) => {
    const request = toExportRequest(service, c.req.param("profileKey") ?? "", new Query(c.req.url));
    const version = contentVersion(service.store.reader);
    const built = await buildNow(service, request, version);
    if (built === undefined) {
      const id = await service.store.write(JOB_LOCK_WAIT_MS, (connection) =>
        jobFor(service, connection, request),
      );
      service.jobs.start();
      const job = jobResponse(
        service.store.reader,
        id,
        (one) => service.jobs.progress(one),
        c.get("messageLanguage"),
      );
      return dataResponse(job, 202, { Location: jobUrl(c, id) });
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

function toExportRequest(service: Service, profileKey: string, query: Query): ExportRequest {
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
async function buildNow(
  service: Service,
  request: ExportRequest,
  version: number,
): Promise<BuiltExport | undefined> {
  const isWritable = request.profile.files.every((file) => formatOf(file.format) !== undefined);
  const values = countValues(service, request);
  if (values > LARGE_EXPORT_VALUES || !isWritable) return cachedExport(service, request, version);
  const kept = recent.get(service.store) ?? new Map<string, BuiltExport>();
  recent.set(service.store, kept);
  const name = JSON.stringify(request);
  const known = kept.get(name);
  if (known?.contentVersion === version) return known;
  const outcome = await runInThread(
    { kind: "build", dataFile: service.store.file, request },
    values <= SMALL_VALUES,
  );
  if ("failure" in outcome) return undefined;
  for (const [other, one] of kept)
    if (one.contentVersion !== outcome.built.contentVersion) kept.delete(other);
  kept.set(name, outcome.built);
  return outcome.built;
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
