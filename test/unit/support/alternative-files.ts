/** Imports, exports and jobs of the alternative service. */
import { createHash } from "node:crypto";
import { zipSync } from "fflate";
import { errorResponse, sha1, UNIT, type Answer, type Variant } from "./alternative-responses.ts";
import type { AlternativeContent } from "./alternative-content.ts";

interface StoredJob {
  readonly id: number;
  readonly type: string;
  readonly fails: boolean;
  polls: number;
}

export class AlternativeFiles {
  readonly #variant: Variant;
  readonly #content: AlternativeContent;
  readonly #jobs = new Map<number, StoredJob>();
  #pendingExports: number;

  constructor(variant: Variant, content: AlternativeContent) {
    this.#variant = variant;
    this.#content = content;
    this.#pendingExports = variant.slowExports ?? 0;
  }

  async import(bytes: Buffer, type: string): Promise<Answer> {
    const form = await new Response(new Uint8Array(bytes), { headers: { "Content-Type": type } }).formData();
    const files = form.getAll("files[]") as File[];
    const texts = await Promise.all(files.map((file) => file.text()));
    const refused = texts.flatMap((text, index) =>
      text.startsWith("{") ? [] : [[`files.${index}`, ["Kan niet gelezen worden."]] as const],
    );
    if (refused.length > 0)
      return { status: 422, body: { message: "Nee", errors: Object.fromEntries(refused) } };
    for (const text of texts) {
      for (const [key, value] of Object.entries(JSON.parse(text) as Record<string, string>)) {
        const hash = sha1(`*${UNIT}${key}${UNIT}`);
        if (this.#content.keys.has(hash))
          this.#content.translate((form.get("locale") as string | null) ?? "nl", hash, value);
      }
    }
    return this.#accepted("import");
  }

  #accepted(type: string): Answer {
    const job = { id: 900 + this.#jobs.size, type, fails: this.#variant.jobError !== undefined, polls: 0 };
    this.#jobs.set(job.id, job);
    return { status: 202, body: { data: this.#jobBody(job) }, headers: { Location: `/v1/jobs/${job.id}` } };
  }

  job(id: number): Answer {
    const job = this.#jobs.get(id);
    if (job === undefined) return errorResponse(404);
    job.polls++;
    return { body: { data: this.#jobBody(job) } };
  }

  #jobBody(job: StoredJob): unknown {
    // Includes a status that the document does not define.
    const status = ["queued", "preparing", job.fails ? "failed" : "succeeded"][Math.min(job.polls, 2)];
    const ended = job.polls >= 2;
    return {
      id: job.id,
      uuid: "job",
      type: job.type,
      status,
      progress: job.polls === 1 ? { done: 1, total: 2, phase: "x" } : null,
      result: ended && !job.fails ? (this.#variant.jobResult ?? []) : null,
      error: ended && job.fails ? { ...this.#variant.jobError, trace: [] } : null,
      createdAt: this.#content.time(),
      startedAt: null,
      finishedAt: null,
    };
  }

  export(query: URLSearchParams, ifNoneMatch: string | undefined): Answer {
    if (this.#pendingExports > 0) {
      this.#pendingExports--;
      return this.#accepted("export.json");
    }
    const locales = query.get("locales")?.split(",") ?? ["nl"];
    const files = Object.fromEntries(
      locales.map((locale) => {
        const texts = this.#content.active().flatMap((key) => {
          const text = this.#content.texts.get(locale)?.get(key.hash)?.text;
          return text === undefined ? [] : [[key.key, text] as const];
        });
        const json = JSON.stringify(Object.fromEntries(texts), null, "\t");
        return [`lang/${locale}.json`, new TextEncoder().encode(json)] as const;
      }),
    );
    const { disposition } = this.#variant;
    const raw =
      disposition === undefined
        ? zipSync(files, { mtime: new Date(2020, 0, 1) })
        : (Object.values(files)[0] ?? new Uint8Array());
    // Like a compressing proxy: a weak ETag, compared weakly.
    const tag = `"${createHash("sha256").update(raw).digest("hex")}"`;
    const headers = { ETag: `W/${tag}` };
    if (ifNoneMatch !== undefined && ifNoneMatch.replaceAll("W/", "").split(/,\s*/u).includes(tag))
      return { status: 304, headers };
    const type = disposition === undefined ? "application/octet-stream" : "application/json";
    return {
      raw,
      headers: {
        ...headers,
        "Content-Type": type,
        "Content-Disposition": disposition ?? "attachment; filename=shop export.zip",
      },
    };
  }
}
