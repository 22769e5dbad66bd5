/** Lists of several requests: what each sends, the sum of their answers, and what was refused where. */
import { expect, test } from "vitest";
import {
  diffInBatches,
  type ExpectedChange,
  MALFORMED_TEXT,
  syncInBatches,
  withPartialResult,
  withRefusedItems,
  writeInBatches,
} from "../../../src/api/batches.ts";
import type { Client } from "../../../src/api/client.ts";
import type { SyncBody, TranslationItem } from "../../../src/api/endpoints.ts";
import { ApiError } from "../../../src/api/errors.ts";
import type { SyncResult } from "../../../src/api/response-schemas.ts";
import type { WriteResult } from "../../../src/api/undocumented-fields.ts";

const client = (functions: object): Client =>
  ({ maxItems: { diff: 2, sync: 2, write: 2 }, ...functions }) as unknown as Client;
const item = (key: string, changes: object = {}): TranslationItem => ({
  hash: key,
  namespace: "*",
  key,
  context: null,
  value: key,
  version: 1,
  ...changes,
});
const keysOf = (items: readonly { readonly hash: string }[]): string =>
  items.map(({ hash }) => hash).join("");
/** What every request of a list gets. */
const sharedOptions = { signal: new AbortController().signal, priority: "person" } as const;
const refusal = (index: number): ApiError =>
  new ApiError("invalid", "words", { errors: { [`translations.${index}.value`]: ["No."] } });

test("translations are written in requests of their mode, whose answers are added up", async () => {
  const sent: string[] = [];
  const progress: unknown[] = [];
  const writing = client({
    writeTranslations: (...given: readonly [string, readonly TranslationItem[], string, unknown]) => {
      const [locale, items, mode, options] = given;
      sent.push(`${locale} ${keysOf(items)} ${mode}`);
      expect(options).toMatchObject(sharedOptions);
      const [first, ...others] = items;
      return Promise.resolve({
        written: others.length,
        skipped: [{ item: first, reason: `first of ${sent.length}` }],
        unconfirmed: [first],
      });
    },
  });
  const items = [
    item("a"),
    item("b", { version: null }),
    item("c", { value: "half \ud83d" }),
    item("d"),
    item("e", { version: undefined }),
    item("f", { value: undefined, forms: { one: "\ud83d" } }),
    item("g", { namespace: "\ud83d" }),
    item("h", { context: "\ud83d" }),
  ];
  const onProgress = (done: number, total: number): void => void progress.push(`${done} of ${total}`);
  const sum = await writeInBatches(writing, "nl", items, "overwrite", { ...sharedOptions, onProgress });
  expect(sent).toEqual(["nl ad overwrite", "nl e overwrite", "nl b fill_empty"]);
  expect(progress).toEqual(["2 of 4", "3 of 4", "4 of 4"]);
  expect(sum.written).toBe(1);
  expect(sum.skipped.map((each) => `${each.item?.key} ${each.reason}`)).toEqual([
    `c ${MALFORMED_TEXT}`,
    `f ${MALFORMED_TEXT}`,
    `g ${MALFORMED_TEXT}`,
    `h ${MALFORMED_TEXT}`,
    "a first of 1",
    "e first of 2",
    "b first of 3",
  ]);
  expect(keysOf(sum.unconfirmed)).toBe("aeb");
  // Of another mode, none is guarded.
  sent.length = 0;
  await writeInBatches(writing, "nl", items.slice(0, 2), "fill_empty", sharedOptions);
  expect(sent).toEqual(["nl ab fill_empty"]);
});

test("what a later request refuses has its place in the whole list", async () => {
  const refusing = client({
    writeTranslations: (_: string, items: readonly TranslationItem[]) =>
      keysOf(items) === "ef"
        ? Promise.reject(refusal(1))
        : Promise.resolve({ written: 2, skipped: [], unconfirmed: [] }),
  });
  const items = [
    item("x", { value: "\ud83d" }),
    item("a"),
    item("b"),
    item("c"),
    item("d"),
    item("e"),
    item("f"),
  ];
  const seen: number[][] = [];
  const { result, failure } = await withPartialResult<WriteResult>(
    (onProgress) => writeInBatches(refusing, "nl", items, "overwrite", { onProgress }),
    (list, index) => ({ namespace: list, key: items[index]?.key ?? "", context: null }),
    (done, total) => seen.push([done, total]),
  );
  expect([result.written, failure?.sent, failure?.total]).toEqual([4, 4, 6]);
  expect(seen).toEqual([
    [2, 6],
    [4, 6],
  ]);
  expect(failure?.error).toMatchObject({
    items: [{ namespace: "translations", key: "f", field: "value", messages: ["No."] }],
  });
  // A first request that fails has no part that was done.
  const first = withPartialResult(
    (onProgress) => writeInBatches(refusing, "nl", items.slice(5), "overwrite", { onProgress }),
    () => undefined,
  );
  const refused: unknown = await first.catch((error: unknown) => error);
  expect(refused).toMatchObject({ refused: [{ index: 1 }] });
  // None of them has a name.
  expect(refused).not.toHaveProperty("items");
});

test("a comparison of several requests is one, or none if one of them cannot be read", async () => {
  const sent: string[] = [];
  let unreadable = "";
  const comparing = client({
    diff: (keys: readonly { readonly hash: string }[], options: unknown) => {
      expect(options).toBe(sharedOptions);
      const hashes = keysOf(keys);
      sent.push(hashes);
      const answer = {
        new: [`new ${hashes}`],
        changed: [`changed ${hashes}`],
        restored: [`restored ${hashes}`],
        unchanged: 1,
      };
      return Promise.resolve(hashes === unreadable ? null : answer);
    },
  });
  const keys = ["a", "b", "c"].map((hash) => ({ hash, sourceHash: null }));
  expect(await diffInBatches(comparing, keys, sharedOptions)).toEqual({
    new: ["new ab", "new c"],
    changed: ["changed ab", "changed c"],
    restored: ["restored ab", "restored c"],
    unchanged: 2,
  });
  expect(await diffInBatches(comparing, [], sharedOptions)).toEqual({
    new: [],
    changed: [],
    restored: [],
    unchanged: 0,
  });
  [unreadable, sent.length] = ["ab", 0];
  expect([await diffInBatches(comparing, keys, sharedOptions), sent]).toEqual([null, ["ab"]]);
});

test("keys are sent with those to archive, which free the most at first; what was done is counted as expected after a retry", async () => {
  const sent: string[] = [];
  let retried: readonly string[] = [];
  /** What the last attempt did itself. */
  let created = 0;
  const syncing = client({
    sync: ({ keys, archive = [] }: SyncBody, options: { readonly onRetry: () => void }) => {
      expect(options).toMatchObject(sharedOptions);
      const { onRetry } = options;
      const request = `${keys.map(({ key }) => key).join("")}-${archive.join("")}`;
      sent.push(request);
      if (retried.includes(request)) onRetry();
      const unchanged = keys.length - created;
      const counts = { created, updated: 0, restored: 0, unchanged, archived: 0 };
      return Promise.resolve({ ...counts, rejected: keys.length === 2 ? [{ hash: "b", reason: "no" }] : [] });
    },
  });
  const body = { keys: ["a", "b", "c"].map((key) => ({ key })), archive: ["x"] };
  const expected: ExpectedChange[] = [
    { hash: "a", count: "created" },
    { hash: "b", count: "updated" },
    { hash: "c", count: "updated" },
  ];
  const rejected = [{ hash: "b", reason: "no" }];
  const nothing = { created: 0, updated: 0, restored: 0, archived: 0, rejected };
  const sync = (): Promise<SyncResult> =>
    syncInBatches(syncing, body, {
      ...sharedOptions,
      expected,
      beforeEach: () => Promise.resolve(void sent.push("asked")),
    });
  expect(await sync()).toEqual({ ...nothing, unchanged: 3 });
  expect(sent).toEqual(["asked", "ab-x", "asked", "c-"]);
  retried = ["ab-x", "c-"];
  expect(await sync()).toMatchObject({
    created: 1,
    updated: 1,
    unchanged: 1,
    archived: 1,
  });
  expected[2] = { hash: "c", count: "restored" };
  expect(await sync()).toMatchObject({ created: 1, updated: 0, restored: 1, unchanged: 1 });
  // The keys of the other request were not changed by this sync.
  retried = ["ab-x"];
  expect(await sync()).toMatchObject({
    created: 1,
    updated: 0,
    unchanged: 2,
    archived: 1,
  });
  // What the last attempt has created itself was not unchanged.
  created = 1;
  expect(await sync()).toMatchObject({ created: 2, updated: 0, unchanged: 1, archived: 1 });
});

test("an error that names no item stays as it is", async () => {
  const busy = new ApiError("busy", "words");
  const failing = client({ diff: () => Promise.reject(busy) });
  await expect(diffInBatches(failing, [{ hash: "a", sourceHash: null }])).rejects.toBe(busy);
  const error = refusal(0);
  expect(withRefusedItems(error, () => undefined)).toBe(error);
  expect(withRefusedItems(new ApiError("busy", "words"), () => item("a"))).toMatchObject({ kind: "busy" });
  const odd = new Error("odd");
  expect(withRefusedItems(odd, () => item("a"))).toBe(odd);
});
