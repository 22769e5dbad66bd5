/** The product's client against the running service: push, pull and import at realistic sizes. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { diffInBatches, syncInBatches, writeInBatches } from "../../src/api/batches.ts";
import { createClient, type Client } from "../../src/api/client.ts";
import { isApiError, isFieldRefused, refusedFiles, type ApiError } from "../../src/api/errors.ts";
import { keyPages, translationPages } from "../../src/api/pagination.ts";
import type { Job } from "../../src/api/response-schemas.ts";
import { keyHash, sourceHash } from "../../src/model/key-hash.ts";
import { api } from "./support/http.ts";
import { Walk } from "./support/keys.ts";

const target = inject("target");
const service = api();
const walk = new Walk(service);
const log: string[] = [];

function clientOf(token: string, locale: "en" | "nl" = "en"): Client {
  return createClient({
    baseUrl: target.baseUrl,
    token,
    fetch,
    clock: {
      now: Date.now,
      monotonic: () => performance.now(),
      sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
    },
    log: { debug: (text) => log.push(text), warn: (text) => log.push(text) },
    locale: () => locale,
  });
}
const client = clientOf(target.token);

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isApiError(error)) throw new Error("not an ApiError", { cause: error });
  return error;
}

async function collect<Item>(pages: AsyncIterable<Item[]>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

async function ended(id: number): Promise<Job> {
  for (;;) {
    const job = await client.job(id);
    if (job.status === "succeeded" || job.status === "failed") return job;
    await sleep(target.isLocal ? 50 : 2_000);
  }
}

afterAll(async () => {
  await walk.cleanUp();
  const said = log.join("\n");
  expect(said).not.toContain(target.token);
  expect(said).not.toContain(target.readToken);
});

describe("sign in", () => {
  test("returns the project, its languages and whether the token may write", async () => {
    const project = await client.project();
    const { languages } = await client.stats();
    expect(languages[0]?.isSource).toBe(true);
    expect(project.exportProfiles.length).toBeGreaterThan(0);
    expect(await client.probeWriteScope()).toBe(true);
    expect(await clientOf(target.readToken).probeWriteScope()).toBe(false);
    expect((await failure(clientOf("ptw_unknown0123456789").project())).kind).toBe("unauthorized");
  });

  test("requests messages in the given language", async () => {
    const words = async (locale: "en" | "nl") =>
      (await failure(clientOf("ptw_unknown0123456789", locale).project())).serviceMessage;
    expect(await words("en")).not.toBe(await words("nl"));
  });
});

describe("push", () => {
  const text = (name: string, version = 1): string => `Text of ${name} “é” ${version}`;

  /** Keys of a test, in a namespace of its own. */
  function keysOf(count: number) {
    const own = new Walk(service);
    onTestFinished(() => own.cleanUp());
    const { namespace } = own;
    const names = Array.from({ length: count }, (_, i) => `push.${String(i).padStart(5, "0")}`);
    const key = (name: string, version = 1) => ({ namespace, key: name, value: text(name, version) });
    const diffKey = (name: string, version = 1) => ({
      hash: keyHash({ namespace, key: name }),
      sourceHash: sourceHash({ value: text(name, version) }),
    });
    const push = () => syncInBatches(client, { keys: names.map((name) => key(name)) });
    return { namespace, names, key, diffKey, push };
  }

  test("finds 12,000 new keys, then none", async () => {
    const { names, key, diffKey } = keysOf(12_000);
    const before = await diffInBatches(
      client,
      names.map((name) => diffKey(name)),
    );
    expect([before?.new.length, before?.changed.length, before?.unchanged]).toEqual([12_000, 0, 0]);
    const progress: number[] = [];
    const result = await syncInBatches(
      client,
      { keys: names.map((name) => key(name)) },
      { onProgress: (done) => progress.push(done) },
    );
    expect(result).toMatchObject({ created: 12_000, rejected: [] });
    expect(progress).toEqual([5_000, 10_000, 12_000]);
    const after = await diffInBatches(
      client,
      names.map((name) => diffKey(name)),
    );
    expect([after?.new, after?.changed, after?.restored, after?.unchanged]).toEqual([[], [], [], 12_000]);
  });

  test("reads all pages, with the hashes that the client computes", async () => {
    const { namespace, names, diffKey, push } = keysOf(2_500);
    await push();
    const keys = await collect(keyPages(client, { namespace, archived: false }));
    expect(new Map(keys.map((one) => [one.hash, one.sourceHash]))).toEqual(
      new Map(names.map((name) => [diffKey(name).hash, diffKey(name).sourceHash])),
    );
  });

  test("distinguishes changed, restored and archived keys", async () => {
    const { namespace, names, key, diffKey, push } = keysOf(3);
    await push();
    const [changed = "", gone = ""] = names;
    await syncInBatches(client, { keys: [], archive: [diffKey(gone).hash] });
    const answer = await diffInBatches(client, [diffKey(changed, 2), diffKey(gone), diffKey(names[2] ?? "")]);
    expect(answer).toEqual({
      new: [],
      changed: [diffKey(changed).hash],
      restored: [diffKey(gone).hash],
      unchanged: 1,
    });
    expect(await collect(keyPages(client, { namespace, archived: true }))).toMatchObject([
      { key: gone, archived: true },
    ]);
    expect(await client.sync({ keys: [key(changed, 2), key(gone)] })).toMatchObject({
      updated: 1,
      restored: 1,
    });
  });

  test("writes and reads 2,500 translations, and reports a conflict", async () => {
    const { namespace, names, diffKey, push } = keysOf(2_500);
    await push();
    const { target: locale } = await walk.locales();
    const items = names.map((name) => ({
      hash: diffKey(name).hash,
      namespace,
      key: name,
      context: null,
      value: `Tekst van ${name}`,
      version: null,
    }));
    expect(await writeInBatches(client, locale, items, "overwrite")).toEqual({
      written: 2_500,
      skipped: [],
      unconfirmed: [],
    });
    const rows = await collect(translationPages(client, locale, { namespace, status: "translated" }));
    expect(new Set(rows.map((row) => row.value))).toEqual(new Set(items.map((item) => item.value)));
    expect(rows.length).toBe(items.length);
    // Who thinks that there is none yet is told that there is.
    const again = await writeInBatches(client, locale, items.slice(0, 3), "overwrite");
    expect([again.written, again.skipped.map((skipped) => skipped.item?.hash)]).toEqual([
      0,
      items.slice(0, 3).map((item) => item.hash),
    ]);
    const [row] = rows;
    const item = items.find((one) => one.hash === row?.hash);
    if (row === undefined || item === undefined) throw new Error("a row without an item");
    const write = (value: string) =>
      client.writeTranslations(locale, [{ ...item, value, version: row.version }], "overwrite");
    expect(await write("Eerst")).toEqual({ written: 1, skipped: [], unconfirmed: [] });
    expect((await write("Daarna")).skipped[0]?.item?.hash).toBe(item.hash);
  });

  test("can be cancelled between two requests, which keeps what was sent", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const { namespace, names, key } = keysOf(10_000);
    const keys = names.map((name) => key(name));
    const pushed = syncInBatches(
      client,
      { keys },
      { signal: controller.signal, onProgress: () => controller.abort(reason) },
    );
    await expect(pushed).rejects.toBe(reason);
    expect(await collect(keyPages(client, { namespace }))).toHaveLength(5_000);
  });

  test("can be cancelled while reading", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    // Two pages.
    const { push } = keysOf(1_100);
    await push();
    const reading = (async () => {
      for await (const page of keyPages(client, {}, { signal: controller.signal }))
        if (page.length > 0) controller.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
  });
});

describe("errors", () => {
  test("report an invalid cursor, an unknown locale, a refused field", async () => {
    expect(isFieldRefused(await failure(client.keys({ cursor: "made-by-hand" })), "cursor")).toBe(true);
    expect((await failure(client.translations("xx-none"))).kind).toBe("not_found");
    expect((await failure(client.job(999_999_999))).kind).toBe("not_found");
    await walk.sync([{ key: "limited", value: "x" }]);
    const invalid = await failure(client.updateKey(walk.hash("limited"), { maxLength: 40_000 }));
    expect([invalid.kind, Object.keys(invalid.errors ?? {})]).toEqual(["invalid", ["maxLength"]]);
  });
});

describe("import and export", () => {
  const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

  test("uploads files with progress, polls the job and stores the texts", async () => {
    const { target: locale } = await walk.locales();
    const texts = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, i) => [`import.${i}`, `Tekst ${i} ${"x".repeat(100)}`]),
    );
    const sent: number[] = [];
    const job = await client.import(
      [{ path: `${locale}.json`, bytes: encode(texts) }],
      { locale, format: "json_js", namespace: walk.namespace, tag: "imported", overwrite: true },
      { onUpload: (done, total) => sent.push(done / total) },
    );
    expect(sent.at(-1)).toBe(1);
    expect(await ended(job.id)).toMatchObject({ status: "succeeded", error: null });
    const rows = await collect(
      translationPages(client, locale, { namespace: walk.namespace, tag: "imported" }),
    );
    expect(new Map(rows.map((row) => [row.key, row.value]))).toEqual(new Map(Object.entries(texts)));
  });

  test("reports refused files by their index", async () => {
    const { target: locale } = await walk.locales();
    const error = await failure(
      client.import(
        [
          { path: "good.json", bytes: encode({ a: "b" }) },
          { path: "bad.json", bytes: new TextEncoder().encode("{") },
        ],
        { locale, namespace: walk.namespace },
      ),
    );
    expect([error.kind, [...refusedFiles(error).keys()]]).toEqual(["invalid", [1]]);
  });

  test("exports a file immediately or after a job, and 304 when unchanged", async () => {
    const [profile] = (await client.project()).exportProfiles;
    const { target: locale } = await walk.locales();
    const key = profile?.key ?? "";
    let answer = await client.export(key, { locales: [locale] });
    while (answer.kind === "job") {
      expect((await ended(answer.job.id)).status).toBe("succeeded");
      answer = await client.export(key, { locales: [locale] });
    }
    if (answer.kind !== "file") throw new Error(answer.kind);
    expect(answer.bytes.length).toBeGreaterThan(0);
    expect(answer.fileName).not.toBeNull();
    expect(await client.export(key, { locales: [locale], etag: answer.etag ?? "" })).toEqual({
      kind: "not_modified",
      etag: answer.etag,
    });
    expect((await failure(client.export("no-such-profile"))).kind).toBe("not_found");
  });
});
