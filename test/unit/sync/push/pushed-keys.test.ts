/** What is stored and told of pushed keys, with a service in memory that answers as a test wants. */
import { expect, test } from "vitest";
import type { Client, RequestOptions } from "../../../../src/api/client.ts";
import type { SyncBody } from "../../../../src/api/endpoints.ts";
import { ApiError } from "../../../../src/api/errors.ts";
import type { SyncResult } from "../../../../src/api/response-schemas.ts";
import { Database } from "../../../../src/database/database.ts";
import { Project } from "../../../../src/database/project-state.ts";
import type { ProjectKey } from "../../../../src/database/records.ts";
import { keyHash, sourceHash } from "../../../../src/model/key-hash.ts";
import type { PushItem } from "../../../../src/sync/push/push-plan.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";

const SESSION = { kind: "signed-in", baseUrl: "x", slug: "shop", name: "Shop", canWrite: true } as const;
const BEFORE = "2025-01-01T00:00:00Z";
const NOTHING: SyncResult = {
  created: 0,
  updated: 0,
  restored: 0,
  unchanged: 0,
  archived: 0,
  rejected: [],
};

const nameOf = (key: string) => ({ namespace: "shop", key, context: "menu" });
const hashOf = (key: string): string => keyHash(nameOf(key));

const stored = (key: string, changes: Partial<ProjectKey> = {}): ProjectKey => ({
  ...nameOf(key),
  hash: hashOf(key),
  isPlural: false,
  text: { value: key },
  sourceHash: sourceHash({ value: key }),
  description: "Known",
  maxLength: 9,
  tags: ["web"],
  updatedAt: BEFORE,
  ...changes,
});

const item = (key: string, change: PushItem["change"], changes: Partial<PushItem> = {}): PushItem => ({
  name: nameOf(key),
  hash: hashOf(key),
  text: { value: key },
  description: null,
  path: "lang/en/shop.php",
  change,
  service: null,
  pluralSwitch: false,
  side: "file",
  ...changes,
});

type Answer = Partial<SyncResult> | Error;

/** A project with these keys; each request gets the next answer, a second later than the one before. */
function open(keys: readonly ProjectKey[], answers: readonly Answer[], size = 1_000, hasDate = true) {
  const project = new Project("id", "label", new Database(), undefined, undefined, SESSION);
  project.keys.put(keys, 1);
  let requests = 0;
  let isRetried = false;
  const sync = ({ keys: sent }: SyncBody, { onResponse, onRetry }: RequestOptions) => {
    const answer = answers[requests] ?? { created: sent.length };
    const date = new Date(Date.UTC(2026, 0, 1, 10, 0, ++requests)).toUTCString();
    if (isRetried) onRetry?.();
    if (answer instanceof Error) return Promise.reject(answer);
    onResponse?.({ bytes: new Uint8Array(), headers: new Headers(hasDate ? { date } : {}) });
    return Promise.resolve({ ...NOTHING, ...answer });
  };
  const client = { maxItems: { sync: size }, sync } as unknown as Client;
  return { client, project, retry: () => (isRetried = true) };
}

const AT = "2026-01-01T10:00:01.999Z";

test("an accepted key keeps what only the service knows of it, and is as new as the answer if it changed", async () => {
  const keys = ["text", "words", "same", "refused", "gone"].map((key) => stored(key));
  const window = open(keys, [
    {
      created: 1,
      updated: 2,
      unchanged: 1,
      archived: 1,
      rejected: [{ hash: hashOf("refused"), reason: "no" }],
    },
  ]);
  const items = [
    item("text", "changed", { text: { value: "Other" } }),
    item("words", "changed", { description: "Other" }),
    item("same", "unchanged"),
    item("refused", "changed", { text: { value: "Other" } }),
    item("new", "new", { text: { forms: { one: "a", other: "b" } } }),
  ];
  const { storedAt, left } = await sendPush(window, items, [stored("gone")]);
  expect([storedAt, left]).toEqual([AT, { items: [], archive: [] }]);
  const other = { text: { value: "Other" }, sourceHash: sourceHash({ value: "Other" }) };
  const text = { forms: { one: "a", other: "b" } };
  const fresh = { description: null, maxLength: null, tags: [], isPlural: true, updatedAt: AT };
  const after = [...window.project.keys.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  expect(after).toEqual([
    stored("new", { ...fresh, text, sourceHash: sourceHash(text) }),
    stored("refused"),
    stored("same"),
    stored("text", { ...other, updatedAt: AT }),
    stored("words", { description: "Other", updatedAt: AT }),
  ]);
});

test.each<[boolean, Partial<SyncResult>]>([
  [true, { created: 1, updated: 1, unchanged: 1, archived: 1 }],
  [true, { created: 2, rejected: [{ hash: "other", reason: "no" }], archived: 1 }],
  [false, { created: 2, archived: 1 }],
  [false, { created: 3 }],
  [false, { created: 2, restored: 1, archived: 1 }],
])("is certain of what the service has (%s) after %j", async (isCertain, answer) => {
  const window = open([stored("z")], [answer]);
  const items = ["a", "b", "c"].map((key) => item(key, "new"));
  const { storedAt } = await sendPush(window, items, [stored("z")]);
  expect(storedAt).toBe(isCertain ? AT : null);
  // Whatever the service answered, these are not sent again.
  expect(window.project.keys.get(hashOf("a"))?.updatedAt).toBe(isCertain ? AT : null);
});

test("the time of several requests is that of the last; none is known of a service without a clock", async () => {
  const items = ["a", "b", "c"].map((key) => item(key, "new"));
  expect((await sendPush(open([], [], 2), items, [])).storedAt).toBe("2026-01-01T10:00:02.999Z");
  expect((await sendPush(open([], [], 2, false), items, [])).storedAt).toBeNull();
});

test("after a failure only what was sent is stored and archived; the rest is left", async () => {
  const archive = ["x", "y", "z"].map((key) => stored(key));
  const items = ["a", "b", "c"].map((key) => item(key, "new"));
  const window = open(archive, [{ created: 2, archived: 2 }, new ApiError("offline", "No.")], 2);
  const progress: number[][] = [];
  const onProgress = (...counts: readonly number[]): void => void progress.push([...counts]);
  const pushed = await sendPush(window, items, archive, { onProgress });
  expect(pushed).toMatchObject({ storedAt: null, failure: { sent: 4, total: 6 } });
  expect(pushed.left).toEqual({ items: items.slice(2), archive: archive.slice(2) });
  expect([...window.project.keys.values()].map(({ key }) => key).toSorted()).toEqual(["a", "b", "z"]);
  expect(progress).toEqual([[4, 6]]);
});

test("a key that cannot be archived is named whole", async () => {
  const error = new ApiError("invalid", "No.", { errors: { "archive.1": ["No."] } });
  const archive = [stored("y"), stored("z")];
  await expect(sendPush(open(archive, [error]), [], archive)).rejects.toMatchObject({
    items: [{ ...nameOf("z"), messages: ["No."] }],
  });
});

test("nothing is agreed any more of an archived key, in any language", async () => {
  const window = open([stored("z")], [{ archived: 1 }]);
  const { project } = window;
  const language = { name: "x", totalKeys: 1, translated: 0, outdated: 0, qaErrors: 0, percent: 0 };
  const languages = ["en", "nl"].map((locale) => {
    return { ...language, locale, isSource: locale === "en", lastTranslatedAt: null };
  });
  project.setStats({ contentVersion: 1, languages }, { kind: "fresh", at: 0 });
  const agreed = () => languages.map(({ locale }) => project.agreedTexts.get(locale, hashOf("z")));
  await project.agreedTexts.store(
    languages.map(({ locale }) => ({ locale, hash: hashOf("z"), fingerprint: "f" })),
  );
  expect(agreed()).toEqual(["f", "f"]);
  await sendPush(window, [], [stored("z")]);
  expect(agreed()).toEqual([undefined, undefined]);
});

test("what was pushed counts no longer as to be pushed; texts over the service's never did", async () => {
  const window = open([], [{ created: 5 }]);
  window.project.setActivity({ pushCounts: { new: 0, changed: 4, restored: 2 } });
  const items = [
    item("a", "new"),
    item("b", "changed"),
    item("c", "unknown"),
    item("d", "restored"),
    item("e", "changed", { side: "both" }),
  ];
  await sendPush(window, items, []);
  expect(window.project.activity.pushCounts).toEqual({ new: 0, changed: 2, restored: 1 });
});

test("all of many accepted keys are stored", async () => {
  const window = open([], []);
  const items = Array.from({ length: 501 }, (_, at) => item(`key${at}`, "new"));
  await sendPush(window, items, []);
  expect(window.project.keys.size).toBe(501);
});

test("no more of many keys is stored once the session has ended, and none is removed", async () => {
  const window = open([stored("z")], []);
  const { project } = window;
  const ending = project.database.onDidWrite((tables) => {
    if (tables.includes("keys")) project.setSession({ kind: "signed-out" });
  });
  const items = Array.from({ length: 501 }, (_, at) => item(`key${at}`, "new"));
  await sendPush(window, items, [stored("z")]);
  ending.dispose();
  expect([project.keys.size, project.keys.has(hashOf("z"))]).toEqual([251, true]);
});

test("of a repeated request only keys that were to change count as changed", async () => {
  const window = open([], [{ unchanged: 3 }]);
  window.retry();
  const items = [item("a", "unchanged"), item("b", "unknown"), item("c", "changed")];
  const { result } = await sendPush(window, items, []);
  expect(result).toEqual({ ...NOTHING, updated: 1, unchanged: 2 });
});
