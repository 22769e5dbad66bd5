/** Concurrent edits, and jobs that two windows follow, against a real local service. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { translationsIn } from "../../support/key-database.ts";
import {
  rowFromItem,
  setTranslation,
  setTranslations,
  updateKey,
} from "../../../../src/sync/edit/send-translations.ts";
import { toTranslationItem } from "../../../../src/api/batches.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import { runImport } from "../../../../src/sync/import/send-import.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { planPush } from "../../../../src/sync/push/push-plan.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../../support/fixture-project.ts";
import type { Interceptor, TestWindow } from "../../support/test-window.ts";
import { waitUntil } from "../../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
const TITLE = { namespace: "cart", key: "title", context: null };

beforeEach(async () => {
  shop = await openFixtureProject();
  window = await shop.open();
  await window.refresher.refresh();
  await sendPush(window, (await planPush(window, await sourceKeys(window))).items, []);
  await window.refresher.refresh();
});
afterEach(() => shop.close());

test("reports a conflict with both texts for an old version, and writes nothing", async () => {
  const first = await setTranslation(window, "nl", { name: TITLE, text: { value: "Eerst" }, version: null });
  if (first.kind !== "done") throw new Error(first.kind);
  const colleague = await shop.open("two");
  await colleague.refresher.refresh();
  await setTranslation(colleague, "nl", {
    name: TITLE,
    text: { value: "Collega" },
    version: first.row.version,
  });
  const mine = await setTranslation(window, "nl", {
    name: TITLE,
    text: { value: "Ik" },
    version: first.row.version,
  });
  expect(mine).toMatchObject({
    kind: "conflict",
    theirs: { value: "Collega" },
    base: { text: { value: "Eerst" } },
  });
  if (mine.kind !== "conflict") return;
  const again = { name: TITLE, text: { value: "Ik" }, version: mine.theirs.version };
  expect(await setTranslation(window, "nl", again)).toMatchObject({ kind: "done", row: { value: "Ik" } });
});

test("does not call a text the one before that was read after the edit began", async () => {
  const first = await setTranslation(window, "nl", { name: TITLE, text: { value: "Eerst" }, version: null });
  if (first.kind !== "done") throw new Error(first.kind);
  const colleague = await shop.open("two");
  await colleague.refresher.refresh();
  await setTranslation(colleague, "nl", {
    name: TITLE,
    text: { value: "Collega" },
    version: first.row.version,
  });
  await window.refresher.refresh();
  const mine = await setTranslation(window, "nl", {
    name: TITLE,
    text: { value: "Ik" },
    version: first.row.version,
  });
  expect(mine).toMatchObject({ kind: "conflict", theirs: { value: "Collega" }, base: null });
});

test("derives the row of a cleared text as untranslated", () => {
  const rowOf = (text: Text) => rowFromItem(toTranslationItem({ name: TITLE, text }), text);
  expect(rowOf({ value: "" })).toMatchObject({ value: null, forms: null, isTranslated: false });
  expect(rowOf({ forms: { one: "", other: "" } })).toMatchObject({ forms: null, isTranslated: false });
  const written = { isTranslated: true, isOutdated: false, version: null };
  expect(rowOf({ value: "a" })).toMatchObject({ ...written, isPlural: false, value: "a", forms: null });
  const forms = { one: "a", other: "b" };
  expect(rowOf({ forms })).toMatchObject({ ...written, isPlural: true, value: null, forms });
});

test("reports a conflict to the second of two people who fill the same empty translation", async () => {
  await setTranslation(window, "fr", { name: TITLE, text: { value: "Panier" }, version: null });
  const late = await setTranslation(window, "fr", {
    name: TITLE,
    text: { value: "Le panier" },
    version: null,
  });
  expect(late).toMatchObject({ kind: "conflict", theirs: { value: "Panier" } });
});

test("shows no key again that somebody archived while its details were edited", async () => {
  const hash = keyHash(TITLE);
  const colleague = await shop.open("two");
  await colleague.client.sync({ keys: [], archive: [hash] });
  await window.refresher.refresh({ priority: "person" });
  expect(window.project.keys.has(hash)).toBe(false);
  const updated = await updateKey(window, TITLE, { description: "Heading" });
  expect(updated?.description).toBe("Heading");
  expect(window.project.keys.has(hash)).toBe(false);
});

test("accepts the same text twice", async () => {
  await setTranslation(window, "fr", { name: TITLE, text: { value: "Panier" }, version: null });
  const same = await setTranslation(window, "fr", { name: TITLE, text: { value: "Panier" }, version: null });
  expect(same.kind).toBe("unchanged");
});

test("accepts clearing a translation that is already empty", async () => {
  const first = await setTranslation(window, "fr", { name: TITLE, text: { value: "Panier" } });
  if (first.kind !== "done") throw new Error(first.kind);
  const { version } = first.row;
  await setTranslation(window, "fr", { name: TITLE, text: { value: "" }, version });
  const again = await setTranslation(window, "fr", { name: TITLE, text: { value: "" }, version });
  expect(again).toMatchObject({ kind: "unchanged", row: { value: null } });
});

test("needs two requests for a write and its row in a namespace of any size", async () => {
  const keys = Array.from({ length: 2200 }, (_, index) => ({ namespace: "many", key: `key${index}` }));
  await window.client.sync({ keys: keys.map((key) => ({ ...key, value: `Text of ${key.key}` })) });
  await window.refresher.refresh({ priority: "person" });
  const write = async (index: number): Promise<string[]> => {
    window.takeRequests();
    const name = { namespace: "many", key: `key${index}`, context: null };
    const outcome = await setTranslation(window, "nl", { name, text: { value: `Tekst ${index}` } });
    expect(outcome).toMatchObject({ kind: "done", row: { value: `Tekst ${index}`, isTranslated: true } });
    return window.takeRequests();
  };
  expect(await write(2100)).toHaveLength(2);
  expect(await write(7)).toHaveLength(2);
  const hash = keyHash({ namespace: "many", key: "key7" });
  expect(window.project.translation("nl", hash)?.text).toEqual({ value: "Tekst 7" });
});

test("needs two requests for a language that was not read", async () => {
  const keys = Array.from({ length: 2200 }, (_, index) => ({ namespace: "many", key: `key${index}` }));
  await window.client.sync({ keys: keys.map((key) => ({ ...key, value: `Text of ${key.key}` })) });
  await setTranslation(window, "fr", { name: TITLE, text: { value: "Panier" } });
  const other = await shop.open("other");
  const write = async (value: string): Promise<string[]> => {
    other.takeRequests();
    const name = { namespace: "many", key: "key2100", context: null };
    const outcome = await setTranslation(other, "fr", { name, text: { value } });
    expect(outcome).toMatchObject({ kind: "done", row: { value } });
    return other.takeRequests().slice(1);
  };
  // Before anything is known every page of the namespace may have it.
  expect((await write("Texte")).every((asked) => !asked.includes("updatedSince"))).toBe(true);
  // An import made many at one time since the keys were changed.
  const texts = keys.map((name) => ({ name: { ...name, context: null }, text: { value: name.key } }));
  await setTranslations(window, "fr", texts, "overwrite");
  await other.refresher.refresh();
  expect(other.project.loadedLocales()).not.toContain("fr");
  expect(await write("Autre texte")).toEqual([expect.stringContaining("updatedSince")]);
});

test("fills only empty translations on request, and names the others", async () => {
  const label = { namespace: "cart", key: "voucher.label", context: null };
  await setTranslation(window, "nl", { name: TITLE, text: { value: "Van een collega" } });
  const progress: unknown[] = [];
  const result = await setTranslations(
    window,
    "nl",
    [
      { name: TITLE, text: { value: "Mijn" } },
      { name: label, text: { value: "Kortingscode" } },
    ],
    "fill_empty",
    { onProgress: (done, total) => progress.push([done, total]) },
  );
  expect(progress).toEqual([[2, 2]]);
  expect(result).toEqual({
    failure: null,
    written: 1,
    skipped: [{ name: TITLE, reason: expect.any(String) }],
  });
  await window.refresher.refresh({ priority: "person" });
  const texts = [TITLE, label].map((name) => window.project.translation("nl", keyHash(name))?.text);
  expect(texts).toEqual([{ value: "Van een collega" }, { value: "Kortingscode" }]);
});

test("reports a key unknown to the service", async () => {
  const name = { namespace: "cart", key: "nowhere", context: null };
  window.takeRequests();
  expect(await setTranslation(window, "nl", { name, text: { value: "x" } })).toEqual({ kind: "unknown_key" });
  // No other namespace is searched for it.
  const lists = window.takeRequests().filter((asked) => asked.startsWith("GET /translations/nl"));
  expect(lists.filter((asked) => !asked.includes("namespace=cart"))).toEqual([]);
  expect(await updateKey(window, name, { description: "x" })).toBeNull();
});

test("calls a refusal of a text no conflict, if any version was to be overwritten", async () => {
  await setTranslation(window, "nl", { name: TITLE, text: { value: "Mand" } });
  const forms = { forms: { one: "Mand", other: "Manden" } };
  expect(await setTranslation(window, "nl", { name: TITLE, text: forms })).toMatchObject({
    kind: "skipped",
    row: { value: "Mand" },
  });
});

test("changes single details of a key", async () => {
  await updateKey(window, TITLE, { description: "The heading", maxLength: 20, tags: ["cart"] });
  const key = await updateKey(window, TITLE, { maxLength: null });
  expect(key).toMatchObject({ description: "The heading", maxLength: null, tags: ["cart"] });
  // A refusal does not mean that there is no such key.
  const refused = await shop.open("two", {
    intercept: (asked, pass) =>
      asked.startsWith("PATCH ")
        ? Promise.resolve(Response.json({ message: "No" }, { status: 403 }))
        : pass(),
  });
  await expect(updateKey(refused, TITLE, { tags: [] })).rejects.toMatchObject({ kind: "forbidden" });
});

test("follows an import in one window and reports it in both", async () => {
  const other = await shop.open("two", { machine: "one" });
  const text = "<?php return ['title' => 'Mandje'];";
  const files = [{ path: "lang/nl/cart.php", bytes: new TextEncoder().encode(text) }];
  const outcome = await runImport(window, files, { overwrite: true });
  expect(outcome).toMatchObject({ kind: "ended", job: { status: "succeeded" } });
  other.jobs.resume();
  expect(other.project.jobs[0]).toMatchObject({ kind: "import", subject: ["lang/nl/cart.php"] });
  await window.refresher.refresh();
  expect(translationsIn(window.project.database, "nl").map((row) => row.text)).toContainEqual({
    value: "Mandje",
  });
});

test("continues to follow a job after a reload", async () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `"k${index}": "v${index}"`);
  const bytes = new TextEncoder().encode(`{${lines.join(",")}}`);
  const job = await window.client.import([{ path: "lang/nl.json", bytes }], {});
  const following = window.jobs.follow(job, { kind: "import", subject: ["lang/nl.json"] });
  window.jobs.dispose();
  expect((await following).kind).toBe("unwatched");
  const reloaded = await shop.open("one");
  const ended = new Promise<void>((resolve) => {
    reloaded.project.onDidChange(() => {
      if (reloaded.project.jobs[0]?.job.status === "succeeded") resolve();
    });
  });
  reloaded.jobs.resume();
  await ended;
  expect(reloaded.project.jobs[0]?.job.id).toBe(job.id);
});

test("keeps following the job if aborted after the upload", async () => {
  const leaving = new AbortController();
  const files = [
    { path: "lang/nl/cart.php", bytes: new TextEncoder().encode("<?php return ['title' => 'M'];") },
  ];
  const running = runImport(window, files, {}, { signal: leaving.signal, onStarted: () => leaving.abort() });
  expect(await running).toMatchObject({ kind: "left", job: { type: "import" } });
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (window.project.jobs[0]?.job.status === "succeeded") resolve();
    };
    window.project.onDidChange(look);
    look();
  });
});

test("rejects too many files before sending anything", async () => {
  window.takeRequests();
  const files = [1, 2].map((index) => ({
    path: `lang/nl/big${index}.php`,
    bytes: new Uint8Array(26 * 1024 * 1024),
  }));
  expect(await runImport(window, files, {})).toEqual({ kind: "too_large", bytes: 52 * 1024 * 1024 });
  expect(window.takeRequests()).toEqual([]);
});

test("names a refused file", async () => {
  const bytes = new TextEncoder().encode("this is no PHP");
  const files = [
    { path: "lang/nl/cart.php", bytes: new TextEncoder().encode("<?php return ['title' => 'x'];") },
    { path: "lang/nl/broken.zip", bytes },
  ];
  const outcome = await runImport(window, files, {});
  expect(outcome).toMatchObject({ kind: "refused", files: [{ path: "lang/nl/broken.zip" }] });
});

test("fails if the service refuses a field of the upload, not a file", async () => {
  const files = [{ path: "lang/nl/cart.php", bytes: new TextEncoder().encode("<?php return [];") }];
  await expect(runImport(window, files, { locale: "not a locale" })).rejects.toMatchObject({
    kind: "invalid",
  });
});

test.each([
  ["offline", () => Promise.reject<Response>(new TypeError("fetch failed"))],
  ["invalid", () => Promise.resolve(Response.json({ message: "No" }, { status: 422 }))],
] as const)("succeeds if the translation was written but cannot be read back: %s", async (kind, answered) => {
  let isWritten = false;
  const intercept: Interceptor = async (asked, pass) => {
    if (isWritten && asked.startsWith("GET /translations/nl")) return answered();
    const answer = await pass();
    isWritten ||= asked.startsWith("PUT ");
    return answer;
  };
  const offline = await shop.open("two", { intercept });
  await offline.refresher.refresh();
  offline.takeRequests();
  const outcome = await setTranslation(offline, "nl", { name: TITLE, text: { value: "Mandje" } });
  expect(outcome).toMatchObject({
    kind: "done",
    row: { ...TITLE, value: "Mandje", isTranslated: true, version: null },
    readBackError: { kind },
  });
  // It is shown by a refresh.
  await waitUntil(() => offline.takeRequests().some((asked) => asked.startsWith("GET /stats")));
  await window.refresher.refresh({ priority: "person" });
  const row = window.project.translation("nl", keyHash(TITLE));
  expect(row?.text).toEqual({ value: "Mandje" });
});

test("reads a written row from the whole language where the filter by namespace finds nothing", async () => {
  const intercept: Interceptor = (asked, pass) =>
    asked.startsWith("GET /translations/nl?") && asked.includes("namespace=")
      ? Promise.resolve(Response.json({ data: [], meta: { nextCursor: null, limit: 100 } }))
      : pass();
  const filtered = await shop.open("two", { intercept });
  await filtered.refresher.refresh();
  const write = (name: typeof TITLE) => setTranslation(filtered, "nl", { name, text: { value: "Mandje" } });
  expect(await write(TITLE)).toMatchObject({ kind: "done", row: { value: "Mandje", isTranslated: true } });
  expect(await write({ ...TITLE, key: "nowhere" })).toEqual({ kind: "unknown_key" });
  // The same of a row that was not written.
  const late = { name: TITLE, text: { value: "Mand" }, version: 99 };
  expect(await setTranslation(filtered, "nl", late)).toMatchObject({
    kind: "conflict",
    theirs: { value: "Mandje" },
  });
});

test("fails if neither the response nor what is read back says whether it was written", async () => {
  let isDown = false;
  const intercept: Interceptor = async (asked, pass) => {
    if (isDown && asked.startsWith("GET /translations/nl")) throw new TypeError("fetch failed");
    const answer = await pass();
    return asked.startsWith("PUT ") ? Response.json({ data: {} }) : answer;
  };
  const offline = await shop.open("two", { intercept });
  await offline.refresher.refresh();
  isDown = true;
  const write = setTranslation(offline, "nl", { name: TITLE, text: { value: "Mandje" } });
  await expect(write).rejects.toMatchObject({ kind: "offline" });
  // Once it can be read back, the same text counts as there already.
  isDown = false;
  expect(await setTranslation(offline, "nl", { name: TITLE, text: { value: "Mandje" } })).toMatchObject({
    kind: "done",
    row: { value: "Mandje" },
  });
});

test("reports a translation that was skipped without a reason", async () => {
  await setTranslation(window, "nl", { name: TITLE, text: { value: "Van een collega" } });
  const intercept: Interceptor = (asked, pass) =>
    asked.startsWith("GET /translations/nl?") && asked.includes("namespace=")
      ? Promise.reject(new TypeError("fetch failed"))
      : pass();
  const offline = await shop.open("two", { intercept });
  await offline.refresher.refresh();
  const outcome = await setTranslation(offline, "nl", { name: TITLE, text: { value: "Mijn" }, version: 99 });
  expect(outcome).toEqual({ kind: "skipped", reason: expect.stringMatching(/./u), row: null });
});

test("names refused translations with their language", async () => {
  let index = 0;
  const intercept: Interceptor = (asked, pass) =>
    asked.startsWith("PUT ")
      ? Promise.resolve(
          Response.json(
            { message: "No", errors: { [`translations.${index}.value`]: ["Bad."] } },
            { status: 422 },
          ),
        )
      : pass();
  const refused = await shop.open("two", { intercept });
  const items = [{ ...TITLE, locale: "nl", field: "value", messages: ["Bad."] }];
  const edit = { name: TITLE, text: { value: "x" } };
  const one = await setTranslation(refused, "nl", edit).catch((thrown: unknown) => thrown);
  expect(one).toMatchObject({ kind: "invalid", items });
  index = 1;
  const edits = [{ ...edit, name: { ...TITLE, key: "total" } }, edit];
  const many = await setTranslations(refused, "nl", edits, "overwrite").catch((thrown: unknown) => thrown);
  expect(many).toMatchObject({ kind: "invalid", items });
});
