/** The document and the page of the translation editor, in a project at a service, without a window. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { registerPush } from "../../../src/features/push/push-command.ts";
import type { EditorPage } from "../../../src/features/translation-editor/editor-page.ts";
import type { TranslationsDocument } from "../../../src/features/translation-editor/translations-document.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { ALL_ROWS } from "../../../src/model/translation-editor-filters.ts";
import type { StagedEdit } from "../../../src/sync/drafts/draft-history.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { openDocument, openPage, RUN } from "../support/editor-document.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import type { TestWindow } from "../support/test-window.ts";
import { clickInNextMessage, env, messages, window as shown } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let document: TranslationsDocument;
/** What VS Code can undo; `null`: the document is unsaved by something else. */
let edits: (StagedEdit | null)[];
beforeEach(async () => {
  shop = await openFixtureProject();
  ({ window, commands } = await openProject("one"));
  ({ document, edits } = openDocument(commands));
});
afterEach(async () => {
  document.dispose();
  await shop.close();
});

async function openProject(name: string) {
  const window = await shop.open(name);
  await window.refresher.refresh();
  const commands = createCommandRunner(window, rootOf(shop), [registerPush]);
  await commands.run(pushCommand, {});
  await window.refresher.ensureLocale("nl", { priority: "person" });
  return { window, commands };
}

const hashOf = (key: string): string => keyHash({ namespace: "cart", key, context: null });
const drafts = ({ project }: TestWindow = window): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Array.from(project.drafts.all(), ({ hash, text }) => [hash, text]));
const type = (key: string, value: string): number =>
  document.stage([{ locale: "nl", hash: hashOf(key), text: { value } }]);

describe("the document", () => {
  test("saves what was typed, and then is clean", async () => {
    type("title", "Mandje");
    type("total", "Totaal: :amount");
    expect(await document.save(RUN)).toBeNull();
    expect(drafts()).toEqual({});
    const { data } = await window.client.translations("nl", { namespace: "cart" });
    expect(data.flatMap(({ key, value }) => (value === null ? [] : [[key, value]]))).toEqual([
      ["title", "Mandje"],
      ["total", "Totaal: :amount"],
    ]);
  });

  test("keeps a text whose translation somebody else wrote meanwhile, and saves the others", async () => {
    type("title", "Mandje");
    type("total", "Totaal: :amount");
    const translation = {
      namespace: "cart",
      key: "title",
      context: null,
      value: "theirs",
      hash: hashOf("title"),
    };
    await window.client.writeTranslations("nl", [translation], "overwrite");
    expect(await document.save(RUN)).toEqual({
      message:
        "Saved: 1 of 2 texts. nl: someone else changed 1 translation in the meantime. “Conflicts” shows both. Not saved, but kept in the translation editor: cart.title (nl).",
      hasConflicts: true,
      next: null,
    });
    expect(drafts()).toEqual({ [hashOf("title")]: { value: "Mandje" } });
  });

  test("says of conflicts also if a later language has none", async () => {
    await window.refresher.ensureLocale("fr", { priority: "person" });
    document.stage([{ locale: "fr", hash: hashOf("title"), text: { value: "Panier" } }]);
    type("title", "Mandje");
    const translation = {
      namespace: "cart",
      key: "title",
      context: null,
      value: "theirs",
      hash: hashOf("title"),
    };
    await window.client.writeTranslations("fr", [translation], "overwrite");
    expect(await document.save(RUN)).toMatchObject({ hasConflicts: true });
    expect(Array.from(window.project.drafts.all(), ({ locale }) => locale)).toEqual(["fr"]);
  });

  test("says that the token may only read, and offers to sign in with another one", async () => {
    const reader = await shop.open("reader", { token: shop.service.readToken });
    await reader.refresher.refresh();
    await reader.refresher.ensureLocale("nl", { priority: "person" });
    const { document: typed } = openDocument(createCommandRunner(reader, rootOf(shop), []));
    typed.stage([{ locale: "nl", hash: hashOf("title"), text: { value: "Mandje" } }]);
    expect(await typed.save(RUN)).toMatchObject({
      message:
        "The token for Test is read-only. Sign in with a token that has write access. Not saved, but kept in the translation editor: cart.title (nl).",
      hasConflicts: false,
      next: { label: "Sign In" },
    });
    typed.dispose();
  });

  test("names the keys and languages that are not saved, and shows at once that the token is refused", async () => {
    const revoked = { status: 401, headers: { "content-type": "application/json" } };
    let isRevoked = false;
    const open = await shop.open("three", {
      intercept: (_request, forward) =>
        isRevoked ? Promise.resolve(new Response(JSON.stringify({ message: "No." }), revoked)) : forward(),
    });
    await open.refresher.refresh();
    for (const locale of ["nl", "fr"]) await open.refresher.ensureLocale(locale, { priority: "person" });
    const runner = createCommandRunner(open, rootOf(shop), []);
    const { document: typed } = openDocument(runner);
    const cells = ["title", "total"].flatMap((key) => ["nl", "fr"].map((locale) => ({ key, locale })));
    typed.stage(cells.map(({ key, locale }) => ({ locale, hash: hashOf(key), text: { value: "Tekst" } })));
    isRevoked = true;
    expect(await typed.save(RUN)).toMatchObject({
      message:
        "The service does not accept the token. Sign in with a new one. Not saved, but kept in the translation editor: cart.title (fr, nl), cart.total (fr, nl).",
      next: { label: "Sign In" },
    });
    expect(open.project.session).toMatchObject({ kind: "refused", reason: "unauthorized" });
    typed.dispose();
  });

  test("says that the project was archived, and offers to sign out", async () => {
    const archived = { status: 403, headers: { "content-type": "application/json" } };
    let isArchived = false;
    const open = await shop.open("three", {
      intercept: (_request, forward) =>
        isArchived
          ? Promise.resolve(new Response(JSON.stringify({ message: "Archived." }), archived))
          : forward(),
    });
    await open.refresher.refresh();
    await open.refresher.ensureLocale("nl", { priority: "person" });
    const runner = createCommandRunner(open, rootOf(shop), []);
    const { document: typed } = openDocument(runner);
    typed.stage([{ locale: "nl", hash: hashOf("title"), text: { value: "Mandje" } }]);
    isArchived = true;
    expect(await typed.save(RUN)).toMatchObject({
      message:
        "The project is archived: nothing can be read or changed until it is restored. Not saved, but kept in the translation editor: cart.title (nl).",
      next: { label: "Sign Out" },
    });
    typed.dispose();
  });

  test("offers to try again what failed, beside the conflicts", async () => {
    let fails = false;
    const open = await shop.open("four", {
      intercept: (request, forward) =>
        fails && request.startsWith("PUT")
          ? Promise.resolve(new Response("<html>Bad gateway</html>", { status: 502 }))
          : forward(),
    });
    await open.refresher.refresh();
    await open.refresher.ensureLocale("nl", { priority: "person" });
    const runner = createCommandRunner(open, rootOf(shop), []);
    const { document: typed } = openDocument(runner);
    const edit = (key: string) => ({ locale: "nl", hash: hashOf(key), text: { value: "Mandje" } });
    typed.stage([edit("title"), edit("total")]);
    const name = { namespace: "cart", key: "title", context: null };
    await window.client.writeTranslations(
      "nl",
      [{ ...name, value: "theirs", hash: keyHash(name) }],
      "overwrite",
    );
    await open.refresher.refresh();
    fails = true;
    expect(await typed.save(RUN)).toMatchObject({
      hasConflicts: true,
      next: "try-again",
    });
    expect(Array.from(open.project.drafts.all())).toHaveLength(2);
    typed.dispose();
  });

  test("saves a source text first, which makes a machine translation of the one before a conflict", async () => {
    window.project.setSession({ kind: "signed-out" });
    await window.local.load();
    const source = { value: "Your cart" };
    const proposed = { locale: "de", hash: hashOf("title"), text: { value: "Warenkorb" }, source };
    window.project.drafts.put([
      { ...proposed, base: null, baseVersion: null, origin: "machine", model: "demo" },
    ]);
    document.stage([{ locale: "en", hash: hashOf("title"), text: { value: "Your basket" } }]);
    expect(await document.save(RUN)).toMatchObject({ hasConflicts: true });
    expect(await shop.read("lang/en/cart.php")).toContain("Your basket");
    expect(drafts()).toEqual({ [hashOf("title")]: { value: "Warenkorb" } });
  });

  test("writes no text of the service into the files after a sign-out during the save", async () => {
    const open = await shop.open("five", {
      intercept: async (request, forward) => {
        const answer = await forward();
        if (request.startsWith("PUT")) open.project.setSession({ kind: "signed-out" });
        return answer;
      },
    });
    await open.refresher.refresh();
    for (const locale of ["nl", "fr"]) await open.refresher.ensureLocale(locale, { priority: "person" });
    await open.local.load();
    const runner = createCommandRunner(open, rootOf(shop), []);
    const { document: typed } = openDocument(runner);
    const hash = hashOf("voucher.label");
    typed.stage(["fr", "nl"].map((locale) => ({ locale, hash, text: { value: "Code" } })));
    await typed.save(RUN);
    expect(open.project.session.kind).toBe("signed-out");
    expect(await shop.read("lang/nl/cart.php")).not.toContain("Code");
    await expect(shop.read("lang/fr/cart.php")).rejects.toThrow("ENOENT");
    typed.dispose();
  });

  test("undoes and redoes an edit only while its project is shown", async () => {
    type("title", "Mandje");
    const [edit] = edits;
    const other = await openProject("two");
    commands.connect(other.commands.open);
    type("total", "Totaal: :amount");
    edit?.undo();
    expect(drafts()).toEqual({ [hashOf("title")]: { value: "Mandje" } });
    expect(drafts(other.window)).toEqual({ [hashOf("total")]: { value: "Totaal: :amount" } });
    // What was typed since can be undone.
    edits.at(-1)?.undo();
    expect(drafts(other.window)).toEqual({});
    edits.at(-1)?.redo();
    edit?.redo();
    expect(drafts(other.window)).toEqual({ [hashOf("total")]: { value: "Totaal: :amount" } });
    expect(drafts()).toEqual({ [hashOf("title")]: { value: "Mandje" } });
  });

  test("keeps a text whose key cannot be read now, says so, and saves it when the file is corrected", async () => {
    const file = "lang/en/cart.php";
    const source = (await shop.read(file)).replace("];", "    'fresh' => 'Fresh',\n];");
    await shop.write(file, source);
    await window.local.reload();
    document.stage([{ locale: "en", hash: hashOf("fresh"), text: { value: "New" } }]);
    await shop.write(file, source.replace("    'fresh'", "<<<<<<< HEAD\n    'fresh'"));
    await window.local.reload();
    const warn = vi.spyOn(shown, "showWarningMessage");
    await document.save(RUN);
    await waitUntil(() => warn.mock.calls.length > 0);
    expect(warn.mock.calls).toMatchObject([
      [
        expect.stringMatching(/cannot be read now: en “New”\. lang\/en\/cart\.php:\d+:\d+: an error/u),
        "Copy Texts",
      ],
    ]);
    await shop.write(file, source);
    await window.local.reload();
    expect(await document.save(RUN)).toBeNull();
    expect(await shop.read(file)).toContain("'fresh' => 'New'");
    expect(drafts()).toEqual({});
    warn.mockClear();
    // And a deleted key is called that.
    document.stage([{ locale: "en", hash: hashOf("fresh"), text: { value: "Newer" } }]);
    await shop.write(file, source.replace("    'fresh' => 'Fresh',\n", ""));
    await window.local.reload();
    await document.save(RUN);
    await waitUntil(() => warn.mock.calls.length > 0);
    expect(warn.mock.calls).toMatchObject([
      [expect.stringContaining("no longer exist: en “Newer”"), "Copy Texts", "Discard"],
    ]);
    expect(drafts()).toEqual({ [hashOf("fresh")]: { value: "Newer" } });
  });

  test("discards texts of deleted keys on request, and none of another project", async () => {
    const file = "lang/en/cart.php";
    const source = await shop.read(file);
    await shop.write(file, source.replace("];", "    'fresh' => 'Fresh',\n];"));
    await window.local.reload();
    const edit = { locale: "en", hash: hashOf("fresh"), text: { value: "New" } };
    document.stage([edit]);
    await shop.write(file, source);
    await window.local.reload();
    const answer = Promise.withResolvers<string>();
    const warn = vi.spyOn(shown, "showWarningMessage").mockReturnValueOnce(answer.promise);
    await document.save(RUN);
    await waitUntil(() => warn.mock.calls.length > 0);
    const other = await openProject("two");
    const draft = {
      ...edit,
      base: null,
      baseVersion: null,
      origin: "person",
      model: null,
      source: null,
    } as const;
    other.window.project.drafts.put([draft]);
    commands.connect(other.commands.open);
    answer.resolve("Discard");
    await new Promise((resolve) => setImmediate(resolve));
    expect([drafts(), drafts(other.window)]).toEqual([
      { [hashOf("fresh")]: { value: "New" } },
      { [hashOf("fresh")]: { value: "New" } },
    ]);
  });

  test("of a deleted key can be discarded", async () => {
    const file = "lang/en/cart.php";
    const source = await shop.read(file);
    const names = ["fresh", "second", "third", "fourth"];
    await shop.write(
      file,
      source.replace("];", `${names.map((key) => `    '${key}' => 'x',\n`).join("")}];`),
    );
    await window.local.reload();
    document.stage(names.map((key) => ({ locale: "en", hash: hashOf(key), text: { value: `New\n${key}` } })));
    type("title", "Mandje");
    await shop.write(file, source);
    await window.local.reload();
    messages.length = 0;
    clickInNextMessage("Copy Texts");
    expect(await document.save(RUN)).toBeNull();
    const copied = names.map((key) => `en\t"New\n${key}"`).toSorted();
    await waitUntil(async () => (await env.clipboard.readText()).includes("fourth"));
    const text = await env.clipboard.readText();
    expect(text.split(/\n(?=en)/u).toSorted()).toEqual(copied);
    expect([Object.keys(drafts()).length, messages[0]?.text]).toEqual([
      4,
      expect.stringMatching(
        /^Not saved, since their keys or languages no longer exist: (?:en “New↵\w+”, ){2}en “New↵\w+” and 1 more\./u,
      ),
    ]);
    clickInNextMessage("Discard");
    expect(await document.save(RUN)).toBeNull();
    await waitUntil(() => Object.keys(drafts()).length === 0);
  });

  test("is unsaved again after a save during which something was typed", async () => {
    type("title", "Mandje");
    const saving = document.save(RUN);
    type("total", "Totaal: :amount");
    edits.length = 0;
    expect(await saving).toBeNull();
    await waitUntil(() => edits.length > 0);
    expect(edits).toEqual([null]);
    expect(drafts()).toEqual({ [hashOf("total")]: { value: "Totaal: :amount" } });
    edits.length = 0;
    expect(await document.save(RUN)).toBeNull();
    await new Promise((resolve) => setImmediate(resolve));
    expect([edits, drafts()]).toEqual([[], {}]);
  });

  test("is unsaved when another project with unsaved texts is shown", async () => {
    const other = await openProject("two");
    const { document: otherDocument } = openDocument(other.commands);
    otherDocument.stage([{ locale: "nl", hash: hashOf("title"), text: { value: "Mandje" } }]);
    otherDocument.dispose();
    expect(edits).toEqual([]);
    commands.connect(other.commands.open);
    expect(edits).toEqual([null]);
  });
});

test("what is typed in another window of the folder is unsaved here, too, once that is noticed", async () => {
  const other = await shop.open("two", { machine: "one" });
  window.project.showExternalChanges();
  const changes: string[] = [];
  window.project.onDidChange((table) => changes.push(table));
  window.project.showExternalChanges();
  expect(changes).toEqual([]);
  const typed = { base: null, baseVersion: null, origin: "person", model: null, source: null } as const;
  other.project.drafts.put([{ locale: "nl", hash: hashOf("title"), text: { value: "Mandje" }, ...typed }]);
  window.project.showExternalChanges();
  window.project.showExternalChanges();
  expect(changes).toEqual(["drafts", "renames"]);
  document.notifyNewDrafts();
  expect(edits).toEqual([null]);
  expect(drafts()).toEqual({ [hashOf("title")]: { value: "Mandje" } });
});

describe("the page", () => {
  let page: EditorPage;
  beforeEach(async () => {
    await window.local.load();
    ({ page } = openPage(commands, document));
  });

  test("finds the texts that a replacement changes, and answers only the last search", async () => {
    const hashes = ["title", "total", "voucher.label"].map(hashOf);
    const find = (words: string) =>
      page.findMatches(hashes, ["en"], {
        find: words,
        replacement: "x",
        matchCase: false,
        wholeWord: false,
        isRegExp: false,
      });
    const [first, second] = await Promise.all([find("cart"), find("total")]);
    expect(first).toBeNull();
    expect(second?.matches).toMatchObject([{ before: "Total: :amount", after: "x: :amount" }]);
    expect((await find("cart"))?.matches).toHaveLength(1);
  });

  test("says once that a language could not be read, and reads it when that is asked for", async () => {
    const name = { namespace: "cart", key: "title", context: null };
    await window.client.writeTranslations(
      "fr",
      [{ ...name, value: "Panier", hash: keyHash(name) }],
      "overwrite",
    );
    let fails = true;
    const open = await shop.open("five", {
      intercept: (request, forward) =>
        fails && request.startsWith("GET /translations/fr")
          ? Promise.resolve(
              new Response(JSON.stringify({ message: "The index is being rebuilt." }), { status: 500 }),
            )
          : forward(),
    });
    await open.refresher.refresh();
    const runner = createCommandRunner(open, rootOf(shop), []);
    const { document: shownDocument } = openDocument(runner);
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const messages: string[] = [];
    const warn = vi
      .spyOn(shown, "showWarningMessage")
      .mockImplementation(async (message: string) => answers[messages.push(message) - 1]?.promise);
    const { page: failing } = openPage(runner, shownDocument);
    await failing.setup(["en", "fr"]);
    await waitUntil(() => messages.length > 0);
    await failing.setup(["en", "fr"]);
    await waitUntil(() => open.requests.filter((each) => each.startsWith("GET /translations/fr")).length > 1);
    expect(messages).toEqual([
      expect.stringContaining("Not all texts of the translation editor could be read. The service failed at"),
    ]);
    expect(open.project.isComplete("fr")).toBe(false);
    // It is said again if that fails, too.
    answers[0]?.resolve("Try Again");
    await waitUntil(() => messages.length > 1);
    expect(open.project.isComplete("fr")).toBe(false);
    fails = false;
    answers[1]?.resolve("Try Again");
    await waitUntil(() => open.project.isComplete("fr"));
    warn.mockRestore();
    failing.dispose();
    shownDocument.dispose();
  });

  test("filters by the languages that are loaded, and then by those that were loaded since", async () => {
    const find = () => page.find({ ...ALL_ROWS, filters: ["untranslated"] }, ["en", "fr"], null);
    expect(await find()).toMatchObject({ hashes: "", loadedLocales: ["en"] });
    await window.refresher.ensureLocale("fr", { priority: "person" });
    const { hashes, loadedLocales } = await find();
    expect(loadedLocales).toEqual(["en", "fr"]);
    expect(hashes.split(",")).toContain(hashOf("title"));
  });

  test("has the source language first, whatever other languages were chosen", async () => {
    const localesOf = async (chosen: readonly string[] | null) =>
      (await page.setup(chosen)).languages.map(({ locale }) => locale);
    expect(await localesOf(null)).toEqual(["en", "nl", "fr"]);
    expect(await localesOf(["fr", "nl"])).toEqual(["en", "fr", "nl"]);
  });

  test("shows what was asked for last, and tells all who asked that it is shown", async () => {
    const views: unknown[] = [];
    ({ page } = openPage(commands, document, async (view) => void views.push(view)));
    const view = { query: null, locales: null };
    const first = page.show({ ...view, hash: hashOf("title") }).then(() => "shown");
    const last = page.show({ ...view, hash: hashOf("total") });
    page.ready();
    await last;
    const waiting = new Promise((resolve) => setImmediate(() => resolve("waiting")));
    expect(await Promise.race([first, waiting])).toBe("shown");
    expect(views).toEqual([{ ...view, hash: hashOf("total") }]);
    page.dispose();
  });

  test("that is closed before it was painted does not keep those waiting who asked for it", async () => {
    const view = { query: null, locales: null, hash: null };
    const asked = [page.show(view), page.show(view)].map((each) =>
      each.then(
        () => "shown",
        ({ name }: Error) => name,
      ),
    );
    page.dispose();
    expect(await Promise.all(asked)).toEqual(["AbortError", "AbortError"]);
  });

  test("that is closed after an earlier view was painted does not keep those waiting who asked for the next", async () => {
    const painted = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const views: unknown[] = [];
    ({ page } = openPage(commands, document, async ({ hash }) => {
      if (hash !== null) await painted[views.push(hash) - 1]?.promise;
    }));
    page.ready();
    const [first, next] = ["title", "total"].map((key) =>
      page.show({ query: null, locales: null, hash: hashOf(key) }).then(
        () => "shown",
        ({ name }: Error) => name,
      ),
    );
    while (views.length < 2) await new Promise((resolve) => setImmediate(resolve));
    painted[0]?.resolve();
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    page.dispose();
    expect(await Promise.all([first, next])).toEqual(["AbortError", "AbortError"]);
    painted[1]?.resolve();
  });

  test("is told of changes of its own project only", async () => {
    const other = await openProject("two");
    let render: (open: unknown, changed: ReadonlySet<string>) => void = () => undefined;
    const subscribe = (_: unknown, work: typeof render) => {
      render = work;
      return { dispose: () => undefined };
    };
    Object.assign(commands.app.projects, { subscribe });
    const { page: subscribed, told } = openPage(commands, document);
    subscribed.ready();
    const changed = new Set(["keys"]);
    render(other.commands.open, changed);
    await new Promise(setImmediate);
    expect(told).toEqual([]);
    render(commands.open, changed);
    await new Promise(setImmediate);
    expect(told).toEqual(["keys"]);
    subscribed.dispose();
  });

  test("changes the cells of the keys that are named, and none of another project", async () => {
    type("title", "Mandje");
    const other = await openProject("two");
    await other.window.client.sync(
      { keys: [{ namespace: "cart", key: "new", value: "New" }], archive: [] },
      {},
    );
    await other.window.refresher.refresh({ priority: "person" });
    // The keys of the other project's table: the shown one does not have all of them.
    page.paste([{ locale: "nl", hash: hashOf("new"), copied: "Nieuw" }], 0);
    page.clear([hashOf("new")], ["nl"]);
    page.fill(hashOf("title"), [hashOf("new"), hashOf("total")], ["nl"]);
    expect(drafts()).toEqual({
      [hashOf("title")]: { value: "Mandje" },
      [hashOf("total")]: { value: "Mandje" },
    });
    // And then that project is shown.
    commands.connect(other.commands.open);
    page.paste([{ locale: "nl", hash: hashOf("new"), copied: "Nieuw" }], 0);
    expect(drafts(other.window)).toEqual({ [hashOf("new")]: { value: "Nieuw" } });
    expect(Object.keys(drafts())).toHaveLength(2);
  });
});
