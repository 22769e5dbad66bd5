/** How uploads end: one of them, and several in a row. */
import { describe, expect, test } from "vitest";
import type { Client } from "../../../src/api/client.ts";
import { MAX_UPLOAD_BYTES } from "../../../src/api/endpoints.ts";
import { ApiError, type ApiErrorKind } from "../../../src/api/errors.ts";
import type { Job } from "../../../src/api/response-schemas.ts";
import { PartialResultError } from "../../../src/commands/command-types.ts";
import {
  failedImportError,
  importResult,
  importUploads,
  type SentUpload,
  uploadImport,
} from "../../../src/operations/upload-import.ts";
import type { FoundFile } from "../../../src/operations/find-import-files.ts";
import type { JobEnd } from "../../../src/sync/poll-jobs.ts";
import type { ImportUpload } from "../../../src/sync/import/import-plan.ts";

const file = (path: string): FoundFile => ({
  path,
  file: `/${path}`,
  bytes: new Uint8Array(4),
  target: null,
});
const upload = (...paths: readonly string[]): ImportUpload<FoundFile> => ({
  files: paths.map(file),
  fields: {},
});
const job = (id: number, changes: object = {}): Job =>
  ({ id, status: "succeeded", result: null, error: null, ...changes }) as unknown as Job;
const refusal = (kind: ApiErrorKind, details = {}): ApiError => new ApiError(kind, "words", details);

interface Ways {
  readonly isFirst?: boolean;
  /** Bytes that were sent before the answer. */
  readonly sent?: number;
  readonly error?: ApiError;
  readonly end?: JobEnd | { readonly kind: "no_access"; readonly error: ApiError };
  /** Whether the caller gives up while the job is followed. */
  readonly isAborted?: boolean;
  readonly bytes?: number;
  readonly quiet?: boolean;
  /** Why the job cannot be followed. */
  readonly lost?: Error;
}

/** Sends `a.json` to a service that answers so. */
async function send({
  isFirst = true,
  sent = 4,
  error,
  end,
  isAborted = false,
  bytes = 4,
  quiet = true,
  lost,
}: Ways) {
  const stop = new AbortController();
  const progress: (number | "started")[] = [];
  let tellSent: () => void = () => undefined;
  const client = {
    import: (
      _: unknown,
      _fields: unknown,
      { onUpload }: { onUpload: (sent: number, total: number) => void },
    ) => {
      onUpload(1, 4);
      onUpload(sent, 4);
      tellSent = () => onUpload(4, 4);
      return error === undefined ? Promise.resolve(job(1)) : Promise.reject(error);
    },
  } as unknown as Client;
  const purposes: unknown[] = [];
  const follow = async (_: Job, purpose: unknown) => {
    purposes.push(purpose);
    // Later than the answer.
    tellSent();
    if (isAborted) stop.abort();
    stop.signal.throwIfAborted();
    if (lost !== undefined) throw lost;
    return end ?? { kind: "ended", job: job(1) };
  };
  const jobs = { follow } as never;
  const files = [{ ...file("a.json"), bytes: new Uint8Array(bytes) }];
  const outcome: unknown = await uploadImport(
    { client, jobs },
    { files, fields: {} },
    {
      signal: stop.signal,
      quiet,
      isFirst,
      onUpload: (percent) => progress.push(percent),
      onStarted: () => progress.push("started"),
      stepFor: (refused) => ({ label: `Open ${refused.length}`, act: () => undefined }),
    },
  ).catch((thrown: unknown) => thrown);
  return { outcome, progress, purposes };
}

describe("an upload", () => {
  test("says how much was sent, and then that it has started", async () => {
    expect(await send({})).toMatchObject({
      outcome: { kind: "ended", job: job(1) },
      progress: [25, 100, "started"],
    });
  });

  test("is followed with what was sent, and silently only if that was asked for", async () => {
    const purpose = { kind: "import", subject: ["a.json"] };
    expect((await send({})).purposes).toEqual([{ ...purpose, quiet: true }]);
    expect((await send({ quiet: false })).purposes).toEqual([{ ...purpose, quiet: false }]);
  });

  test("that is no longer watched goes on; one that the service forgot has failed", async () => {
    const { outcome } = await send({ end: { kind: "unwatched", job: job(1) } });
    expect(outcome).toEqual({ kind: "left", job: job(1) });
    expect((await send({ end: { kind: "vanished", job: job(1) } })).outcome).toMatchObject({
      code: "job_failed",
      message: "The service no longer knows this import. Check the project on the service’s website.",
    });
  });

  test("goes on when its caller no longer waits", async () => {
    const { outcome, progress } = await send({ isAborted: true });
    expect([outcome, progress.at(-1)]).toEqual([{ kind: "left", job: job(1) }, "started"]);
  });

  test("that fails while it is followed fails as that does, since the service has it", async () => {
    const lost = refusal("timeout");
    expect((await send({ lost })).outcome).toBe(lost);
  });

  test("of too many bytes is not sent", async () => {
    const { outcome, progress } = await send({ bytes: MAX_UPLOAD_BYTES + 1 });
    expect(outcome).toMatchObject({ code: "invalid", message: expect.stringContaining(" 50 MB or more ") });
    expect(progress).toEqual([]);
    expect((await send({ bytes: MAX_UPLOAD_BYTES })).outcome).toMatchObject({ kind: "ended" });
  });

  test("that can no longer be followed goes on, and keeps the code of the refusal", async () => {
    const error = refusal("unauthorized", { status: 401 });
    expect((await send({ end: { kind: "no_access", error } })).outcome).toMatchObject({
      code: "unauthorized",
      details: { status: 401 },
      message: expect.stringMatching(
        /^The import continues on the service, but can no longer be followed: The service/u,
      ),
    });
  });

  test("that was refused says which file, and that nothing was imported only if nothing was before", async () => {
    const error = refusal("invalid", { errors: { "files.0": ["Is empty."] } });
    const first = (await send({ error })).outcome;
    expect(first).toMatchObject({
      code: "invalid",
      message: expect.stringMatching(
        /^Nothing was imported\. The service refused this: a\.json: Is empty\./u,
      ),
      step: { label: "Open 1" },
    });
    const later = (await send({ error, isFirst: false })).outcome;
    expect(later).toMatchObject({ message: expect.stringMatching(/^The service refused this: a\.json/u) });
  });

  test("that was sent and is not answered keeps the kind and the status of the failure", async () => {
    const { outcome } = await send({ error: refusal("server_error", { status: 502 }) });
    expect(outcome).toMatchObject({
      code: "server_error",
      details: { status: 502 },
      message: expect.stringContaining("a.json"),
    });
  });
});

test("a job that failed has its code as the reason, and the offered step", () => {
  const step = { label: "Map", act: () => undefined };
  const failed = job(1, { error: { code: "needs_mapping", message: "No." } });
  expect(failedImportError(failed, step)).toMatchObject({
    code: "job_failed",
    details: { reason: "needs_mapping" },
    step,
    message: expect.stringContaining("column mapping"),
  });
  expect(failedImportError(job(1)).details).toEqual({});
});

test("the result of several uploads has all jobs, and the last one by itself", () => {
  const done = [job(1), job(2), job(3)].map((each) => ({ job: each }));
  expect(importResult(done)).toEqual({ job: job(3), jobs: [job(1), job(2), job(3)] });
});

describe("uploads in a row", () => {
  const PROJECT = { session: { kind: "signed-out" }, label: "Shop" } as const;
  const { signal } = new AbortController();
  /** Sends them, each of which ends as it is said, by its first file. */
  const sendAll = (
    uploads: readonly ImportUpload<FoundFile>[],
    ends: Readonly<Record<string, SentUpload | Error>>,
    ended = signal,
  ) => {
    const sent: string[] = [];
    const result = importUploads(
      PROJECT,
      uploads,
      ({ files }, isFirst) => {
        const path = files[0]?.path ?? "";
        sent.push(`${files.map((each) => each.path).join("+")}${isFirst ? " first" : ""}`);
        const end = ends[path] ?? { kind: "done", job: job(sent.length) };
        return end instanceof Error ? Promise.reject(end) : Promise.resolve(end);
      },
      ended,
    );
    return { sent, result };
  };

  test("are all sent, and only those before the first success are the first", async () => {
    const parts = [upload("a.json"), upload("b.json")];
    const { sent, result } = sendAll([upload("whole.zip", "b.json"), upload("c.json")], {
      "whole.zip": { kind: "parts", parts },
    });
    const { done, isLeft, unsent } = await result;
    expect(sent).toEqual(["whole.zip+b.json first", "a.json first", "b.json", "c.json"]);
    expect([isLeft, unsent]).toEqual([false, []]);
    expect(done.map(({ files, job: { id } }) => [files[0]?.path, id])).toEqual([
      ["a.json", 2],
      ["b.json", 3],
      ["c.json", 4],
    ]);
  });

  test("end with one that goes on without being watched; the files after it were not sent", async () => {
    const { sent, result } = sendAll([upload("a"), upload("b"), upload("c", "d"), upload("e")], {
      b: { kind: "left", job: job(7) },
    });
    const { done, isLeft, unsent } = await result;
    expect(sent).toEqual(["a first", "b"]);
    expect([done.at(-1)?.job.id, isLeft, unsent.map(({ path }) => path)]).toEqual([7, true, ["c", "d", "e"]]);
  });

  test("fail as the first one does, and after it with what was imported and what was not", async () => {
    const busy = refusal("busy");
    await expect(sendAll([upload("a"), upload("b")], { a: busy }).result).rejects.toBe(busy);
    const error: unknown = await sendAll([upload("a", "b"), upload("c", "d"), upload("e")], {
      c: busy,
    }).result.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PartialResultError);
    expect(error).toMatchObject({
      message: "Imported 2 files into Shop. Not done: 3.",
      fields: { job: job(1), jobs: [job(1)] },
      cause: busy,
    });
  });

  test("are not begun after an abort", async () => {
    const stop = new AbortController();
    stop.abort();
    const { sent, result } = sendAll([upload("a")], {}, stop.signal);
    await expect(result).rejects.toBe(stop.signal.reason);
    expect(sent).toEqual([]);
  });

  test("of which one was imported when it was aborted say so", async () => {
    const stop = new AbortController();
    const uploads = [upload("a"), upload("b")];
    const result = importUploads(
      PROJECT,
      uploads,
      () => {
        stop.abort();
        return Promise.resolve({ kind: "done", job: job(1) });
      },
      stop.signal,
    );
    await expect(result).rejects.toMatchObject({ message: "Imported a into Shop. Not done: 1." });
  });
});
