/** Saves drafts to a real local service. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { KeyRepository } from "../../../../src/database/key-repository.ts";
import type {
  DraftId,
  TranslationDraftRepository,
  TranslationDraft,
} from "../../../../src/database/personal/translation-draft-repository.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { planPush } from "../../../../src/sync/push/push-plan.ts";
import { saveAtService, saveInFiles } from "../../../../src/sync/drafts/save-drafts.ts";
import { textsAtService } from "../../../../src/sync/drafts/current-texts.ts";
import { isInConflict } from "../../../../src/sync/drafts/decide-draft.ts";
import { setTranslations } from "../../../../src/sync/edit/send-translations.ts";
import { DraftHistory } from "../../../../src/sync/drafts/draft-history.ts";
import {
  FEW_ITEMS,
  openFixtureProject,
  sourceKeys,
  type FixtureProject,
} from "../../support/fixture-project.ts";
import type { TestWindow } from "../../support/test-window.ts";
import {
  hashOf as idIn,
  nameOf,
  createLocalProject,
  type LocalProject,
} from "../../workspace/local-files/local-project.ts";

let shop: FixtureProject;
let window: TestWindow;
let drafts: TranslationDraftRepository;
let staged: DraftHistory;

beforeEach(async () => {
  shop = await openFixtureProject();
  window = await shop.open();
  await window.refresher.refresh();
  await sendPush(window, (await planPush(window, await sourceKeys(window))).items, []);
  await window.refresher.refresh();
  await window.refresher.ensureLocale("nl");
  drafts = window.project.drafts;
  staged = new DraftHistory(drafts, (id) => textsAtService(window.project, id));
});
afterEach(() => shop.close());

const idOf = (key: string): string => idIn(nameOf(key));
const name = (key: string) => ({ namespace: "cart", key, context: null });
const hashOf = (key: string): string => keyHash(name(key));
const stage = (texts: Readonly<Record<string, string>>): void => {
  staged.stage(
    Object.entries(texts).map(([key, value]) => ({ locale: "nl", hash: hashOf(key), text: { value } })),
  );
};
const nameOfKey = ({ hash }: { readonly hash: string }) => window.project.keys.get(hash) ?? name("unknown");
/** Returns a function that names the keys of drafts in a file. */
const nameIn =
  (...keys: readonly string[]) =>
  ({ hash }: DraftId) =>
    nameOf(keys.find((key) => idOf(key) === hash) ?? "");
const save = async () => {
  const result = await saveAtService(window, "nl", [...drafts.all()], nameOfKey);
  staged.markSaved(result.saved);
  return result;
};

test("saves all drafts of a language in one request and reads them back", async () => {
  stage({ title: "Mand", total: "Samen" });
  window.takeRequests();
  const { saved, conflicts, refused, failure } = await save();
  expect([saved.length, conflicts, refused, failure]).toEqual([2, [], [], null]);
  expect(window.takeRequests().filter((request) => request.includes("PUT"))).toHaveLength(1);
  expect(drafts.count()).toBe(0);
  expect(window.project.translations.get("nl", hashOf("title"))?.text).toEqual({ value: "Mand" });
});

test("reports conflicts and saves the rest", async () => {
  stage({ title: "Mand" });
  await save();
  const colleague = await shop.open("two");
  await colleague.refresher.refresh();
  stage({ title: "Kar", total: "Samen" });
  await colleague.client.writeTranslations(
    "nl",
    [{ ...name("title"), hash: hashOf("title"), value: "Korf" }],
    "overwrite",
  );
  const { saved, conflicts } = await save();
  expect(saved.map(({ hash }) => hash)).toEqual([hashOf("total")]);
  expect(conflicts.map(({ hash }) => hash)).toEqual([hashOf("title")]);
  expect(window.project.translations.get("nl", hashOf("title"))?.text).toEqual({ value: "Korf" });
  staged.keepMine([{ locale: "nl", hash: hashOf("title") }]);
  expect((await save()).saved).toHaveLength(1);
  expect(window.project.translations.get("nl", hashOf("title"))?.text).toEqual({ value: "Kar" });
});

test("does not write a machine translation of a changed source text, but saves the rest", async () => {
  const key = (of: string) => window.project.keys.get(hashOf(of));
  const proposed = (of: string, value: string): TranslationDraft => ({
    locale: "nl",
    hash: hashOf(of),
    text: { value },
    base: null,
    baseVersion: null,
    origin: "machine",
    model: "demo",
    source: key(of)?.text ?? null,
  });
  drafts.put([proposed("title", "Mand"), proposed("total", "Samen")]);
  // What a person typed beside them has no source text.
  stage({ "voucher.label": "Bon" });
  const colleague = await shop.open("two");
  const php = await shop.read("lang/en/cart.php");
  await shop.write("lang/en/cart.php", php.replace("Your cart", "Your basket"));
  await colleague.refresher.refresh();
  await sendPush(colleague, (await planPush(colleague, await sourceKeys(colleague))).items, []);
  const { saved, conflicts, stale, refused, failure } = await save();
  expect(saved.map(({ hash }) => hash).toSorted()).toEqual(
    [hashOf("total"), hashOf("voucher.label")].toSorted(),
  );
  expect(stale.map(({ hash }) => hash)).toEqual([hashOf("title")]);
  expect([conflicts, refused, failure]).toEqual([[], [], null]);
  expect(key("title")?.text).toEqual({ value: "Your basket" });
  expect(window.project.translations.get("nl", hashOf("title"))?.isTranslated).not.toBe(true);
  staged.keepMine([{ locale: "nl", hash: hashOf("title") }]);
  expect((await save()).saved).toHaveLength(1);
  expect(window.project.translations.get("nl", hashOf("title"))?.text).toEqual({ value: "Mand" });
});

test("keeps a refused text with its reason and saves the rest", async () => {
  stage({ total: "Samen" });
  staged.stage([{ locale: "nl", hash: hashOf("title"), text: { forms: { one: "Mand", other: "Manden" } } }]);
  const { saved, conflicts, refused, failure } = await save();
  expect([conflicts, failure]).toEqual([[], null]);
  expect(saved.map(({ hash }) => hash)).toEqual([hashOf("total")]);
  expect(refused).toMatchObject([{ draft: { hash: hashOf("title") }, reason: "plural_changed" }]);
  expect(drafts.count()).toBe(1);
});

test("does not write over a translation that was cleared while the text was typed", async () => {
  const title = { locale: "nl", hash: hashOf("title") };
  staged.stage([{ ...title, before: { value: "Mand" }, text: { value: "Kar" } }]);
  const { saved, conflicts, refused } = await save();
  expect([saved, refused]).toEqual([[], []]);
  expect(conflicts.map(({ hash }) => hash)).toEqual([title.hash]);
  expect(window.project.translations.get("nl", title.hash)?.isTranslated).not.toBe(true);
  staged.keepMine([title]);
  expect((await save()).saved).toHaveLength(1);
});

test("does not send what is shown as a conflict, although the version is the same", async () => {
  stage({ title: "Mand" });
  await save();
  stage({ title: "Kar", total: "Samen" });
  // The service restored a backup: another text has the version that the draft is based on.
  const row = window.project.translations.get("nl", hashOf("title"));
  if (row === undefined) throw new Error("no row");
  await window.refresher.applyRows("nl", [{ ...row, text: { value: "Korf" } }]);
  expect([...drafts.all()].filter((draft) => isInConflict(staged.stateOf(draft)))).toHaveLength(1);
  window.takeRequests();
  const { saved, conflicts } = await save();
  expect(saved.map(({ hash }) => hash)).toEqual([hashOf("total")]);
  expect(conflicts.map(({ hash }) => hash)).toEqual([hashOf("title")]);
});

test("writes over the text that a draft without a version is based on", async () => {
  stage({ title: "Mand" });
  await save();
  const title = { locale: "nl", hash: hashOf("title") };
  const draft = { ...title, text: { value: "Kar" }, base: { value: "Mand" }, baseVersion: null };
  drafts.put([{ ...draft, origin: "person", model: null, source: null }]);
  expect((await save()).saved).toHaveLength(1);
  expect(window.project.translations.get("nl", title.hash)?.text).toEqual({ value: "Kar" });
  expect(drafts.count()).toBe(0);
});

test("compares drafts of a language that is not loaded with what the service has", async () => {
  stage({ title: "Mand" });
  await save();
  stage({ title: "Kar" });
  // Signing out emptied the cache.
  const all = [...drafts.all()];
  window.project.syncMetadata.clear(null);
  const again = await shop.open("one");
  const result = await saveAtService(again, "nl", all, nameOfKey);
  expect(result).toMatchObject({ saved: [{ hash: hashOf("title") }], conflicts: [], failure: null });
});

test("saves a cleared translation", async () => {
  stage({ title: "Mand" });
  await save();
  stage({ title: "" });
  expect((await save()).saved).toHaveLength(1);
  expect(window.project.translations.get("nl", hashOf("title"))?.isTranslated).toBe(false);
});

test("sends no request without changes", async () => {
  window.takeRequests();
  expect(await saveAtService(window, "nl", [], nameOfKey)).toEqual({
    saved: [],
    conflicts: [],
    stale: [],
    refused: [],
    failure: null,
  });
  expect(window.takeRequests()).toEqual([]);
});

/** A window of the same machine whose writes are answered so, the first one first; later ones by the service. */
const withAnswers = (...answers: readonly ((pass: () => Promise<Response>) => Promise<Response>)[]) => {
  const left = [...answers];
  return shop.open("one", {
    intercept: (asked, pass) => (asked.startsWith("PUT") ? (left.shift() ?? ((own) => own())) : passOn)(pass),
  });
};
const passOn = (pass: () => Promise<Response>): Promise<Response> => pass();
const refusing =
  (errors: Record<string, readonly string[]>): (() => Promise<Response>) =>
  () =>
    Promise.resolve(Response.json({ message: "No", errors }, { status: 422 }));

test("shows what was written over another text although it cannot be read back", async () => {
  stage({ title: "Mand", total: "Samen" });
  await save();
  stage({ title: "Kar", "voucher.label": "Bon" });
  let isWritten = false;
  const answering = await shop.open("one", {
    intercept: (asked, pass) => {
      if (isWritten) return Promise.reject(new TypeError("fetch failed"));
      isWritten = asked.startsWith("PUT") && asked.includes("nl");
      return pass();
    },
  });
  const written = [...drafts.all()].filter(({ hash }) => hash === hashOf("title"));
  const { saved } = await saveAtService(answering, "nl", written, nameOfKey);
  expect(saved).toEqual(written);
  const shown = (key: string) => answering.project.translations.get("nl", hashOf(key))?.text;
  expect([shown("title"), shown("total")]).toEqual([{ value: "Kar" }, { value: "Samen" }]);
});

test("sends a write again without its refused items", async () => {
  stage({ title: "Mand", total: "Samen", "voucher.label": "Bon" });
  const all = [...drafts.all()];
  // The second refusal counts the items that are sent again.
  const answering = await withAnswers(
    refusing({ "translations.0.value": ["Too long.", "Bad."] }),
    refusing({ "translations.0.value": ["Bad."] }),
  );
  const result = await saveAtService(answering, "nl", all, nameOfKey);
  expect(result.failure).toBeNull();
  expect(result.refused).toEqual([
    { draft: all[0], reason: "Too long. Bad." },
    { draft: all[1], reason: "Bad." },
  ]);
  expect(result.saved).toEqual([all[2]]);
  const shown = all.map(({ hash }) => answering.project.translation("nl", hash)?.isTranslated === true);
  expect(shown).toEqual([false, false, true]);
});

test("keeps what the first requests wrote when a later one fails, and then saves the rest", async () => {
  stage({ title: "Mandje" });
  await save();
  stage({ title: "Mand", total: "Samen", "voucher.label": "Bon" });
  // What replaces a text is not sent with what is new.
  const [first = [], rest = []] = [true, false].map((isTitle) =>
    [...drafts.all()].filter(({ hash }) => (hash === hashOf("title")) === isTitle),
  );
  let writes = 0;
  const few = await shop.open("one", {
    maxItems: { ...FEW_ITEMS, write: 2 },
    intercept: (asked, pass) =>
      asked.startsWith("PUT") && ++writes === 2
        ? Promise.resolve(Response.json({ message: "No" }, { status: 403 }))
        : pass(),
  });
  const result = await saveAtService(few, "nl", [...rest, ...first], nameOfKey);
  expect(result).toMatchObject({ saved: first, refused: [], conflicts: [], stale: [] });
  expect(result.failure).toMatchObject({ error: { kind: "forbidden" } });
  expect(few.project.translation("nl", hashOf("title"))).toMatchObject({
    text: { value: "Mand" },
    version: expect.any(Number),
  });
  expect(await saveAtService(few, "nl", rest, nameOfKey)).toMatchObject({ saved: rest, failure: null });
  expect(writes).toBe(3);
});

test.each([
  ["of no item", { translations: ["Too many."] }],
  ["of an item that was not sent", { "translations.7.value": ["Too long."] }],
])("fails the save without marking anything saved for a refusal %s", async (_, errors) => {
  stage({ title: "Mand" });
  const answering = await withAnswers(refusing(errors));
  const result = await saveAtService(answering, "nl", [...drafts.all()], nameOfKey);
  expect(result).toMatchObject({
    saved: [],
    refused: [],
    conflicts: [],
    failure: { error: { status: 422 } },
  });
});

test("shows the sent text if it cannot be read back", async () => {
  stage({ title: "Mand" });
  const offline = await withAnswers(async (pass) => {
    const answer = await pass();
    offline.goOffline();
    return answer;
  });
  await offline.refresher.ensureLocale("nl");
  const result = await saveAtService(offline, "nl", [...drafts.all()], nameOfKey);
  expect(result.saved.map(({ hash }) => hash)).toEqual([hashOf("title")]);
  expect(offline.project.translations.get("nl", hashOf("title"))).toMatchObject({
    text: { value: "Mand" },
    isTranslated: true,
  });
});

test("keeps a text whose request got no answer and was not executed, and then saves it", async () => {
  stage({ title: "Mand", total: "Samen" });
  const fails = (): Promise<Response> => Promise.resolve(Response.json({ message: "No" }, { status: 502 }));
  const unanswered = async (pass: () => Promise<Response>): Promise<Response> => {
    await pass();
    return fails();
  };
  const executed = await withAnswers(...Array<typeof unanswered>(9).fill(unanswered));
  const saved = await saveAtService(executed, "nl", [...drafts.all()].slice(0, 1), nameOfKey);
  expect(saved.saved).toHaveLength(1);
  const failing = await withAnswers(...Array<typeof fails>(9).fill(fails));
  const result = await saveAtService(failing, "nl", [...drafts.all()].slice(1), nameOfKey);
  expect(result).toMatchObject({
    saved: [],
    conflicts: [],
    refused: [],
    failure: { error: { status: 502 } },
  });
  expect((await saveAtService(window, "nl", [...drafts.all()].slice(1), nameOfKey)).saved).toHaveLength(1);
});

/** The answer of a service that says so, after it wrote what it did not skip. */
const saying =
  (data: object) =>
  async (pass: () => Promise<Response>): Promise<Response> => {
    await pass();
    return Response.json({ data });
  };
const withoutList = saying({});

test.each([
  ["lists no skipped items", {}],
  ["only counts them", { written: 1, skipped: 1 }],
])("reads back what was written if the response %s", async (_, data) => {
  stage({ title: "Mand" });
  await save();
  stage({ title: "Kar", total: "Samen" });
  const colleague = await shop.open("two");
  const theirs = { ...name("title"), hash: hashOf("title"), value: "Korf" };
  await colleague.client.writeTranslations("nl", [theirs], "overwrite");
  const answering = await withAnswers(saying(data), saying(data));
  const result = await saveAtService(answering, "nl", [...drafts.all()], nameOfKey);
  expect([result.saved.map(({ hash }) => hash), result.refused]).toEqual([[hashOf("total")], []]);
  expect(result.conflicts.map(({ hash }) => hash)).toEqual([hashOf("title")]);
  expect(answering.project.translations.get("nl", hashOf("title"))?.text).toEqual({ value: "Korf" });
  expect(answering.project.translations.get("nl", hashOf("total"))?.text).toEqual({ value: "Samen" });
});

test.each([true, false])(
  "shows what a colleague wrote before the read-back (versions: %s)",
  async (hasVersions) => {
    stage({ title: "Mand" });
    const colleague = await shop.open("two");
    const theirs = { ...name("title"), hash: hashOf("title"), value: "Korf" };
    const answering = await shop.open("one", {
      intercept: async (asked, pass) => {
        const answer = await pass();
        if (asked.startsWith("PUT")) await colleague.client.writeTranslations("nl", [theirs], "overwrite");
        if (hasVersions || !asked.startsWith("GET /translations")) return answer;
        return Response.json(
          JSON.parse((await answer.text()).replaceAll(/"version":\d+/gu, '"version":null')),
        );
      },
    });
    await answering.refresher.ensureLocale("nl");
    const result = await saveAtService(answering, "nl", [...drafts.all()], nameOfKey);
    expect(result).toMatchObject({ refused: [], failure: null });
    expect(answering.project.translations.get("nl", hashOf("title"))?.text).toEqual({ value: "Korf" });
  },
);

test("keeps a text of which neither response nor read-back says that it was written", async () => {
  stage({ title: "Mand" });
  const offline = await withAnswers(async (pass) => {
    const answer = await withoutList(pass);
    offline.goOffline();
    return answer;
  });
  await offline.refresher.ensureLocale("nl");
  const result = await saveAtService(offline, "nl", [...drafts.all()], nameOfKey);
  const failure = { error: { kind: "bad_response", field: "data.skipped" } };
  expect(result).toMatchObject({ saved: [], conflicts: [], refused: [], failure });
  expect((await save()).saved).toHaveLength(1);
});

test("counts as written what is read back as sent, and as skipped what is not", async () => {
  stage({ title: "Mand" });
  await save();
  const texts = [
    { name: name("title"), text: { value: "Kar" }, version: 99 },
    { name: name("total"), text: { value: "Samen" } },
  ];
  const answering = await withAnswers(withoutList, withoutList);
  await answering.refresher.refresh();
  await answering.refresher.ensureLocale("nl");
  const result = await setTranslations(answering, "nl", texts, "overwrite");
  expect(result).toMatchObject({ written: 1, skipped: [{ name: name("title"), reason: "" }] });
});

test("counts what the service did not name as skipped as written if it cannot be read back", async () => {
  const texts = [{ name: name("title"), text: { value: "Mand" } }];
  const write = (answering: TestWindow) => setTranslations(answering, "nl", texts, "overwrite");
  expect(await write(window)).toMatchObject({ written: 1, skipped: [] });
  texts[0] = { name: name("title"), text: { value: "Kar" } };
  const offline = await withAnswers(async (pass) => {
    const answer = await withoutList(pass);
    offline.goOffline();
    return answer;
  });
  await offline.refresher.refresh();
  await offline.refresher.ensureLocale("nl");
  expect(offline.project.translations.get("nl", hashOf("title"))?.text).toEqual({ value: "Mand" });
  expect(await write(offline)).toEqual({ written: 1, skipped: [], failure: null });
});

test("counts what the service did not name as skipped as written in a language that is not read", async () => {
  const answering = await withAnswers(withoutList);
  await answering.refresher.refresh();
  const texts = [{ name: name("title"), text: { value: "Panier" } }];
  expect(answering.project.loadedLocales()).not.toContain("fr");
  expect(await setTranslations(answering, "fr", texts, "overwrite")).toEqual({
    written: 1,
    skipped: [],
    failure: null,
  });
});

test("reports a key that the service no longer has", async () => {
  stage({ title: "Mand", gone: "Weg" });
  const result = await saveAtService(window, "nl", [...drafts.all()], ({ hash }) =>
    name(hash === hashOf("title") ? "title" : "gone"),
  );
  expect(result).toMatchObject({
    saved: [{ hash: hashOf("title") }],
    refused: [{ draft: { hash: hashOf("gone") }, reason: "unknown_key" }],
  });
});

test("saves any text unchanged, except lone surrogates", async () => {
  const texts = {
    title: "<img src=x onerror=alert(1)> [a](command:b) &amp;",
    total: "\u202eabc\u2066 \u0000",
    "voucher.label": "\ud83d and \udc00\ud83d",
  };
  for (const [key, value] of Object.entries({ ...texts, items: "x".repeat(32_768) })) {
    if (key === "items") staged.stage([{ locale: "nl", hash: hashOf("title"), text: { value } }]);
    else stage({ [key]: value });
  }
  const [whole] = [...drafts.all()].filter(({ hash }) => hash === hashOf("title"));
  expect(whole?.text).toEqual({ value: "x".repeat(32_768) });
  const { saved, refused, failure } = await save();
  expect([saved.length, refused, failure, drafts.count()]).toEqual([3, [], null, 0]);
  const there = (key: string) => window.project.translations.get("nl", hashOf(key))?.text;
  expect(there("title")).toEqual({ value: "x".repeat(32_768) });
  expect(there("total")).toEqual({ value: texts.total });
  expect(there("voucher.label")).toEqual({ value: "\ufffd and \ufffd\ufffd" });
  stage({ title: texts.title });
  await save();
  expect(there("title")).toEqual({ value: texts.title });
});

test("saves a thousand pasted texts in one step and one request", async () => {
  const keys = Array.from({ length: 1_000 }, (_, index) => `key_${index}`);
  const entries = keys.map((key) => `    '${key}' => 'Text of ${key}',`);
  await shop.write("lang/en/many.php", `<?php\n\nreturn [\n${entries.join("\n")}\n];\n`);
  await window.local.reload();
  await sendPush(window, (await planPush(window, await sourceKeys(window))).items, []);
  await window.refresher.refresh();
  const manyHash = (key: string): string => keyHash({ namespace: "many", key, context: null });
  const edit = staged.stage(
    keys.map((key, index) => ({ locale: "nl", hash: manyHash(key), text: { value: `Tekst ${index}` } })),
  );
  expect(drafts.count()).toBe(1_000);
  edit?.undo();
  expect(drafts.count()).toBe(0);
  edit?.redo();
  window.takeRequests();
  const result = await save();
  expect([result.saved.length, result.failure, drafts.count()]).toEqual([1_000, null, 0]);
  expect(window.takeRequests().filter((request) => request.includes("PUT"))).toHaveLength(1);
  expect(window.project.translations.get("nl", manyHash("key_999"))?.text).toEqual({ value: "Tekst 999" });
});

/** The files of a project of which nothing else is known. */
const withKeys = ({ local, files, database }: LocalProject) => ({
  local,
  files,
  project: { keys: new KeyRepository(database), sourceLocale: null },
});

test("replaces only unchanged texts in local files", async () => {
  const fixture = createLocalProject(
    {
      "en.json": '{"a": "A", "b": "B", "c": "C", "d": "D"}',
      "nl.json": '{"a": "Aa",  "b": "Bb", "c": "Cc"}',
    },
    { files: [{ path: "{locale}.json", format: "json_js" }], serviceLocales: ["en", "nl"] },
  );
  await fixture.local.load();
  const draft = (key: string, value: string, base: string | null): TranslationDraft => ({
    locale: "nl",
    hash: idOf(key),
    text: { value },
    base: base === null ? null : { value: base },
    baseVersion: null,
    origin: "person",
    model: null,
    source: null,
  });
  const all = [
    draft("a", "Nieuw", "Aa"),
    draft("b", "Bb", "Oud"),
    draft("c", "Mijn", "Oud"),
    draft("d", "Vier", null),
    draft("nowhere", "x", null),
  ];
  const names = ["a", "b", "c", "d", "nowhere"];
  const result = await saveInFiles(withKeys(fixture), all, nameIn(...names));
  const saved = new Set(result.saved.map(({ hash }) => hash));
  expect(names.filter((each) => saved.has(idOf(each)))).toEqual(["a", "b", "d", "nowhere"]);
  expect(result.conflicts).toMatchObject([{ hash: idOf("c") }]);
  expect([result.refused, result.changed]).toEqual([[], []]);
  expect(fixture.files.text("nl.json")).toBe(
    '{"a": "Nieuw",  "b": "Bb", "c": "Cc",  "d": "Vier",  "nowhere": "x"}',
  );
});

test("reports local files that change during the write, without marking anything saved", async () => {
  const fixture = createLocalProject(
    { "en.json": '{"a": "A"}', "nl.json": '{"a": "Aa", "b": "Bb"}' },
    { files: [{ path: "{locale}.json", format: "json_js" }], serviceLocales: ["en", "nl"] },
  );
  await fixture.local.load();
  const draft = (key: string, base: string): TranslationDraft => ({
    locale: "nl",
    hash: idOf(key),
    text: { value: "Nieuw" },
    base: { value: base },
    baseVersion: null,
    origin: "person",
    model: null,
    source: null,
  });
  const all = [
    draft("a", "Aa"),
    // Here nothing is to be written.
    { ...draft("b", "Bb"), text: { value: "Bb" } },
  ];
  const files = {
    find: (globs: readonly string[]) => fixture.files.find(globs),
    stat: (path: string) => fixture.files.stat(path),
    read: (path: string) => fixture.files.read(path),
    write: () => Promise.resolve({ kind: "changed", paths: ["nl.json"] } as const),
  };
  const result = await saveInFiles({ ...withKeys(fixture), files }, all, nameIn("a", "b"));
  expect(result.saved.map(({ hash }) => hash)).toEqual([idOf("b")]);
  expect([result.changed, result.refused, result.conflicts]).toEqual([["nl.json"], [], []]);
});

test("refuses a text that a local file cannot contain and writes the rest", async () => {
  const fixture = createLocalProject(
    { "en.json": '{"a": "A", "b": "B"}', "nl.json": '{"a": "Aa"}' },
    { files: [{ path: "{locale}.json", format: "json_js" }], serviceLocales: ["en", "nl"] },
  );
  await fixture.local.load();
  const draft = (key: string, locale: string, base: string | null): TranslationDraft => ({
    locale,
    hash: idOf(key),
    text: { value: "Nieuw" },
    base: base === null ? null : { value: base },
    baseVersion: null,
    origin: "person",
    model: null,
    source: null,
  });
  const all = [draft("a", "nl", "Aa"), draft("x|b", "nl", null)];
  const result = await saveInFiles(withKeys(fixture), all, nameIn("a", "x|b"));
  expect(result.saved.map(({ hash }) => hash)).toEqual([idOf("a")]);
  expect(result.refused).toMatchObject([{ draft: all[1] }]);
  expect(fixture.files.text("nl.json")).toBe('{"a": "Nieuw"}');
});
