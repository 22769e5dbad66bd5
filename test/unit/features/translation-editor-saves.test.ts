/** What a save of the translation editor leaves unsaved, and what its page is told of. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { StagedEdit } from "../../../src/sync/drafts/draft-history.ts";
import type { TranslationsDocument } from "../../../src/features/translation-editor/translations-document.ts";
import { FIXTURE_PROJECT_FILE } from "../support/fixture-project.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { openDocument, openPage, RUN } from "../support/editor-document.ts";
import type { FixtureProject } from "../support/fixture-project.ts";
import { ENGLISH, hashOf, openShop, translatedTexts } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { waitUntil } from "../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let document: TranslationsDocument;
/** What VS Code can undo; `null`: the document is unsaved by something else. */
let edits: (StagedEdit | null)[];
/** The status that the service answers requests that begin so with, or what it refuses in the first of them. */
let failing: Readonly<Record<string, number | Readonly<Record<string, readonly string[]>>>>;
/** Called before a request fails. */
let beforeFailure: () => Promise<void>;
beforeEach(async () => {
  failing = {};
  beforeFailure = async () => undefined;
  ({ shop, window, commands } = await openShop([], {
    intercept: async (request, forward) => {
      const [, status] = Object.entries(failing).find(([start]) => request.startsWith(start)) ?? [];
      if (status === undefined) return forward();
      await beforeFailure();
      if (typeof status === "number") return Response.json({ message: "No." }, { status });
      failing = {};
      return Response.json({ message: "Invalid.", errors: status }, { status: 422 });
    },
  }));
  ({ document, edits } = openDocument(commands));
});
afterEach(async () => {
  document.dispose();
  await shop.close();
});

async function readTranslations(): Promise<void> {
  for (const locale of ["nl", "fr"]) await window.refresher.ensureLocale(locale, { priority: "person" });
}
const type = (locale: string, key: string, value: string): number =>
  document.stage([{ locale, hash: hashOf(key), text: { value } }]);
const unsaved = (): readonly string[] => Array.from(window.project.drafts.all(), ({ locale }) => locale);
const writes = (): readonly string[] => window.requests.filter((request) => request.startsWith("PUT"));
const draft = (locale: string, key: string) =>
  ({
    locale,
    hash: hashOf(key),
    text: { value: "Warenkorb" },
    base: null,
    baseVersion: null,
    origin: "person",
    model: null,
    source: null,
  }) as const;

test("a language that cannot be written leaves the others, but a token that is refused ends the save", async () => {
  await readTranslations();
  type("fr", "title", "Panier");
  type("nl", "title", "Mandje");
  failing = { "PUT /translations/fr": 404 };
  expect(await document.save(RUN)).toMatchObject({ hasConflicts: false, next: "try-again" });
  expect(unsaved()).toEqual(["fr"]);
  expect(await translatedTexts(window)).toEqual({ title: "Mandje" });
  type("nl", "title", "Mand");
  failing = { PUT: 401 };
  window.requests.length = 0;
  expect(await document.save(RUN)).toMatchObject({ next: { label: "Sign In" } });
  expect([unsaved().toSorted(), writes().length]).toEqual([["fr", "nl"], 1]);
});

test("a cancelled save keeps what it has not written, and can be tried again", async () => {
  await readTranslations();
  type("nl", "title", "Mandje");
  const abort = new AbortController();
  abort.abort();
  expect(await document.save({ ...RUN, signal: abort.signal })).toEqual({
    message: "Saving was cancelled. Not saved, but kept in the translation editor: cart.title (nl).",
    hasConflicts: false,
    next: "try-again",
  });
  expect(await document.save(RUN)).toBeNull();
  expect(await translatedTexts(window)).toEqual({ title: "Mandje" });
});

test("nothing of a language that the project no longer has is sent", async () => {
  await readTranslations();
  window.project.drafts.put([draft("de", "title")]);
  type("nl", "title", "Mandje");
  window.requests.length = 0;
  expect(await document.save(RUN)).toBeNull();
  expect(writes()).toEqual(["PUT /translations/nl?mode=fill_empty"]);
  expect(unsaved()).toEqual(["de"]);
});

test("discarded texts that are restored make a clean document unsaved", async () => {
  await readTranslations();
  type("nl", "title", "Mandje");
  const { restore } = document.revert();
  edits.length = 0;
  restore();
  expect([edits, unsaved()]).toEqual([[null], ["nl"]]);
});

test("of several texts that the service refuses the first is named with its reason, and the others are saved", async () => {
  await readTranslations();
  for (const key of ["title", "total", "voucher.label"]) type("nl", key, `x ${key} :amount`);
  failing = { PUT: { "translations.0.value": ["Too rude."], "translations.2.value": ["Too long."] } };
  const reported: string[] = [];
  expect(await document.save({ ...RUN, report: (message) => void reported.push(message) })).toEqual({
    message: expect.stringMatching(
      /^Saved: 1 of 3 texts\. The service did not write cart\.\S+ \(nl\): Too rude\. Also refused: 1\. Not saved, but kept in the translation editor: cart\.\S+ \(nl\), cart\.\S+ \(nl\)\.$/u,
    ),
    hasConflicts: false,
    next: null,
  });
  expect([reported, unsaved()]).toEqual([["Saving 3 texts"], ["nl", "nl"]]);
  // And then those two are all.
  expect(await document.save(RUN)).toBeNull();
  expect(Object.keys(await translatedTexts(window))).toHaveLength(3);
});

test("texts of other source texts, and of translations that somebody changed, are counted and kept", async () => {
  await readTranslations();
  const proposed = { origin: "machine", model: "test", source: { value: "As it was" } } as const;
  for (const key of ["title", "total"]) window.project.drafts.put([{ ...draft("nl", key), ...proposed }]);
  window.project.drafts.put([{ ...draft("nl", "voucher.label"), base: { value: "As it was" } }]);
  expect(await document.save(RUN)).toEqual({
    message: expect.stringMatching(
      /^nl: the source text of 2 translations by a language model was changed meanwhile\. “Conflicts” shows which\. nl: someone else changed 1 translation in the meantime\. “Conflicts” shows both\. Not saved/u,
    ),
    hasConflicts: true,
    next: null,
  });
  // Where only the source texts are others, that is a conflict, too.
  window.project.drafts.remove([draft("nl", "voucher.label")]);
  expect(await document.save(RUN)).toMatchObject({ hasConflicts: true, next: null });
  expect([unsaved(), writes()]).toEqual([["nl", "nl"], []]);
});

test("a text whose key is deleted while it is saved is named as it was", async () => {
  await readTranslations();
  await window.local.load();
  type("fr", "title", "Panier");
  failing = { "PUT /translations/fr": 404 };
  beforeFailure = async () => {
    await window.client.sync({ keys: [], archive: [hashOf("title")] }, {});
    await shop.edit(ENGLISH, "    'title' => 'Your cart',\n", "");
    await window.local.reload();
    await window.refresher.refresh({ priority: "person" });
  };
  expect(await document.save(RUN)).toMatchObject({
    message: expect.stringContaining("kept in the translation editor: cart.title (fr)."),
  });
  expect(unsaved()).toEqual(["fr"]);
});

test("texts that were discarded in another project are restored there, and this one stays clean", async () => {
  await readTranslations();
  type("nl", "title", "Mandje");
  const { count, restore } = document.revert();
  const other = await shop.open("two");
  await other.refresher.refresh();
  commands.connect(createCommandRunner(other, rootOf(shop), []).open);
  edits.length = 0;
  restore();
  expect([count, edits, unsaved(), other.project.drafts.count()]).toEqual([1, [], ["nl"], 0]);
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a page that is still showing one key shows the next one as well, also when it is loaded again", async () => {
  await readTranslations();
  const first = Promise.withResolvers<void>();
  const views: (string | null)[] = [];
  const { page } = openPage(commands, document, async ({ hash }) => {
    if (views.push(hash) === 2) await first.promise;
  });
  page.ready();
  const view = (key: string) => ({ query: null, locales: null, hash: hashOf(key) });
  const done: string[] = [];
  void page.show(view("title")).then(() => done.push("title"));
  await waitUntil(() => views.length === 2);
  const last = page.show(view("total")).then(() => done.push("total"));
  await last;
  expect(views).toEqual([null, hashOf("title"), hashOf("total")]);
  first.resolve();
  await turn();
  expect(done.toSorted()).toEqual(["title", "total"]);
  // What was shown is not asked for again.
  page.ready();
  await waitUntil(() => views.length === 4);
  expect(views.at(-1)).toBeNull();
  page.dispose();
});

test("a page is told when other cells can be edited, or another project is shown", async () => {
  await readTranslations();
  let render: (open: unknown, changed: ReadonlySet<string>) => void = () => undefined;
  const subscribe = (_: unknown, work: typeof render) => {
    render = work;
    return { dispose: () => undefined };
  };
  Object.assign(commands.app.projects, { subscribe });
  let showSettings: () => void = () => undefined;
  Object.assign(commands.app.store, {
    subscribe: (_: unknown, work: () => void) => {
      showSettings = work;
      return { dispose: () => undefined };
    },
  });
  await window.local.load();
  const { page, told } = openPage(commands, document);
  // A page that is not ready asks for everything when it is.
  showSettings();
  page.ready();
  await turn();
  expect(told).toEqual([]);
  const tellsOf = async (work: () => void): Promise<readonly string[]> => {
    told.length = 0;
    work();
    await turn();
    return told;
  };
  expect(await tellsOf(() => render(commands.open, new Set(["session"])))).toEqual(["stats"]);
  expect(await tellsOf(() => render(commands.open, new Set(["translations"])))).toEqual(["translations"]);
  expect(await tellsOf(() => type("nl", "title", "Mandje"))).toEqual(["drafts"]);
  // The messages are in another language.
  expect(await tellsOf(showSettings)).toEqual(["stats"]);
  // What another window types makes the document unsaved; what it discards does not.
  const showDrafts = () => render(commands.open, new Set(["drafts", "keys"]));
  edits.length = 0;
  window.project.drafts.put([draft("nl", "total")]);
  expect([await tellsOf(showDrafts), edits]).toEqual([["drafts", "keys"], [null]]);
  window.project.drafts.remove([draft("nl", "total")]);
  expect([await tellsOf(showDrafts), edits]).toEqual([["drafts", "keys"], [null]]);
  expect([await tellsOf(showDrafts), edits]).toEqual([["keys"], [null]]);
  const other = await shop.open("two");
  await other.refresher.refresh();
  const { open } = createCommandRunner(other, rootOf(shop), []);
  expect(await tellsOf(() => commands.connect(open))).toEqual(["stats", "keys"]);
  page.dispose();
  expect(await tellsOf(showSettings)).toEqual([]);
});

test("a page has the languages of the project file at first, and then those that were chosen in its folder", async () => {
  const named = await shop.open("two", { file: { ...FIXTURE_PROJECT_FILE, preview: ["fr"] } });
  await named.refresher.refresh();
  await named.local.load();
  const runner = createCommandRunner(named, rootOf(shop), []);
  const { document: shown } = openDocument(runner);
  const { page } = openPage(runner, shown);
  const locales = async () => (await page.setup(null)).languages.map(({ locale }) => locale);
  expect([await locales(), (await page.setup(null)).languageCount]).toEqual([["en", "fr"], 3]);
  const { workspaceState } = runner.app.context;
  await workspaceState.update("translationEditor.languages", { "file:///other": ["de"] });
  page.setLanguages(["nl"]);
  expect([await locales(), workspaceState.get("translationEditor.languages")]).toEqual([
    ["en", "nl"],
    { "file:///other": ["de"], [runner.open.root.toString()]: ["nl"] },
  ]);
  // What can be done is said, unless there is no service.
  const { session } = named.project;
  const restriction = async () => (await page.setup(null)).restriction;
  expect(await restriction()).toBe("");
  named.project.setSession({ ...session, canWrite: false } as typeof session);
  expect(await restriction()).toBe("read-only");
  named.project.setSession({ kind: "signed-out" });
  expect(await restriction()).toBe("");
  page.dispose();
  shown.dispose();
});
