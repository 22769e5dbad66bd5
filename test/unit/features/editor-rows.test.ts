/** What the cells of the translation editor show, and which can be edited. */
import { afterEach, expect, test } from "vitest";
import { archiveCommand } from "../../../src/commands/declarations/key-commands.ts";
import { registerArchive } from "../../../src/features/archive-keys/archive-and-restore-commands.ts";
import { EditorRows } from "../../../src/features/translation-editor/editor-rows.ts";
import { SearchIndex } from "../../../src/database/update-search-index.ts";
import { ensureTranslations } from "../../../src/sync/refresh/ensure-translations.ts";
import { createCommandRunner, rootOf } from "../support/command-runner.ts";
import { FIXTURE_PROJECT_FILE, openFixtureProject } from "../support/fixture-project.ts";
import { cart, DUTCH, ENGLISH, hashOf, openShop, translate } from "../support/open-shop.ts";
import { typedDraft } from "../support/typed-draft.ts";

const opened: { close: () => Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((shop) => shop.close())));

async function openRows(options: { readonly isPushed?: boolean } = {}) {
  const { shop, window, commands } = await openShop([registerArchive], options);
  opened.push(shop);
  await window.local.loadTexts();
  const rows = new EditorRows(commands.app, commands.open);
  const type = (locale: string, key: string, value: string): void =>
    rows.drafts.put([typedDraft(locale, hashOf(key), value)]);
  return { shop, rows, window, commands, type };
}

test("show the drafts of a language that the project no longer has, until they are discarded", async () => {
  const { rows, type } = await openRows();
  type("de", "title", "Ihr Warenkorb");
  expect(rows.languages().map(({ locale, name }) => `${locale} ${name}`)).toEqual([
    "en English",
    "nl Nederlands",
    "fr Français",
    "de no longer in the project",
  ]);
  expect([rows.isLoaded("de"), rows.canEdit("de", hashOf("title"))]).toEqual([true, false]);
  expect(rows.details({ locale: "de", hash: hashOf("title") }).readonlyReason).toMatch(/no longer has de/);
});

test("say that a key is archived, since it is restored rather than pushed", async () => {
  const { rows, commands } = await openRows();
  const reason = () => rows.details({ locale: "nl", hash: hashOf("title") }).readonlyReason;
  expect(reason()).toBeNull();
  await commands.run(archiveCommand, { hashes: [hashOf("title")] });
  expect(reason()).toBe("This key is archived on the service. Restore it first.");
});

test("mark the wrong placeholders of the stored text, and not those of a draft", async () => {
  const { rows, window, type } = await openRows();
  await translate(window, { total: "Totaal: :amont" });
  await ensureTranslations(window, "nl");
  const cell = () => rows.rows([hashOf("total")], ["nl"])[0]?.cells["nl"];
  expect(cell()).toMatchObject({ wrongPlaceholders: [":amont"] });
  type("nl", "total", ":amont is the total");
  expect(cell()).toMatchObject({ wrongPlaceholders: [], parts: [{ text: ":amont is the total" }] });
});

test("say in the details what is wrong with the text that is shown, and that its source text was changed", async () => {
  const { rows, commands, window, type } = await openRows();
  await translate(window, { title: "Je mandje" });
  await ensureTranslations(window, "nl");
  const title = { locale: "nl", hash: hashOf("title") };
  const details = () => {
    const { text, issues, isSourceChanged, conflict } = rows.details(title);
    return [text, issues.length, isSourceChanged, conflict];
  };
  expect(details()).toEqual([{ value: "Je mandje" }, 0, false, null]);
  type("nl", "title", "Mandje\n");
  expect(details()).toEqual([{ value: "Mandje\n" }, 1, false, expect.anything()]);
  rows.history.discard([title]);
  expect(details()).toEqual([{ value: "Je mandje" }, 0, false, null]);
  const { text: base, version: baseVersion } =
    window.project.translations.get("nl", title.hash) ?? expect.fail();
  const proposed = {
    ...title,
    text: { value: "Mand" },
    base,
    baseVersion,
    origin: "machine",
    model: "demo",
  } as const;
  rows.drafts.put([{ ...proposed, source: { value: "Your former cart" } }]);
  expect(details()).toEqual([{ value: "Mand" }, 0, true, { base, theirs: base }]);
  rows.drafts.put([{ ...proposed, source: { value: "Your cart" } }]);
  expect(details()).toEqual([{ value: "Mand" }, 0, false, null]);
  // How often a key is used is not known before all code is read.
  const usageCount = () => rows.rows([title.hash], ["nl"])[0]?.usageCount;
  expect(usageCount()).toBe(0);
  Object.assign(commands.app.usages, { areAllComplete: () => false });
  expect(usageCount()).toBeNull();
});

test("say what the source text is at the service, if that of the files differs", async () => {
  const { shop, rows, window } = await openRows();
  const sources = () => {
    const { source, sourceAtService } = rows.details({ locale: "nl", hash: hashOf("title") });
    return [source, sourceAtService, rows.rows([hashOf("title")], ["nl"])[0]?.isNotPushed];
  };
  expect(sources()).toEqual([{ value: "Your cart" }, null, false]);
  await shop.edit(ENGLISH, "Your cart", "Your basket");
  await window.local.reload();
  await window.local.loadTexts();
  expect(sources()).toEqual([{ value: "Your basket" }, { value: "Your cart" }, true]);
  // And placeholders are those of the source text that is shown.
  await shop.edit(ENGLISH, "Your basket", "The basket of :name");
  await window.local.reload();
  await window.local.loadTexts();
  expect(rows.rows([hashOf("title")], ["nl"])[0]?.placeholders).toEqual([":name"]);
});

test("describe a key as the service does, where its file says something else", async () => {
  const { rows, window } = await openRows();
  const description = () => rows.rows([hashOf("title")], ["nl"])[0]?.description;
  const before = description();
  await window.client.updateKey(hashOf("title"), { description: "Above the list." }, {});
  await window.refresher.refresh({ priority: "person" });
  expect([before, description()]).toEqual(["The heading.", "Above the list."]);
});

test("say of a key that is not pushed what its files say: its forms, its description and its values", async () => {
  const { shop, rows, window, type } = await openRows();
  const added =
    "// Below.\n    'boxes' => ':count box|:count boxes',\n    'fresh' => 'Fresh :name',\n    // The heading.";
  await shop.edit(ENGLISH, "// The heading.", added);
  await window.local.reload();
  await window.local.loadTexts();
  const [boxes, fresh, title] = rows.rows(["boxes", "fresh", "title"].map(hashOf), ["en", "nl"]);
  expect(boxes).toMatchObject({
    namespace: "cart",
    key: "boxes",
    description: "Below.",
    tags: [],
    maxLength: null,
    isNotPushed: true,
    placeholders: [":count"],
  });
  const parts = (row: typeof boxes, locale: string) => row?.cells[locale]?.parts.map(({ text }) => text);
  expect([parts(boxes, "en"), parts(boxes, "nl"), parts(fresh, "en")]).toEqual([
    [":count box", ":count boxes"],
    ["", ""],
    ["Fresh :name"],
  ]);
  expect([fresh?.description, fresh?.placeholders, title?.isNotPushed]).toEqual([null, [":name"], false]);
  expect([rows.isPlural(hashOf("boxes")), rows.isPlural(hashOf("fresh"))]).toEqual([true, false]);
  // What is typed counts, until it is discarded.
  type("en", "fresh", "Fresh :first :last");
  const placeholders = () => rows.rows([hashOf("fresh")], ["nl"])[0]?.placeholders;
  expect(placeholders()).toEqual([":first", ":last"]);
  rows.history.discardAll();
  expect(placeholders()).toEqual([":name"]);
});

test("replace nothing in cells that cannot be edited", async () => {
  const { rows } = await openRows({ isPushed: false });
  const replaced = { hash: hashOf("title"), before: { value: "mandje" }, text: { value: "wagen" } };
  expect(rows.preview({ ...replaced, locale: "nl" })).toBeNull();
  expect(rows.preview({ ...replaced, locale: "en" })).toMatchObject({ key: `cart.${cart("title").key}` });
});

test("are of the service whose token is stored, also before anything of it was read", async () => {
  const { rows, window } = await openRows();
  const { project } = window;
  project.setStats(null, project.freshness);
  project.setSession({ kind: "unknown", isTokenStored: true });
  expect([rows.isAtService("nl"), rows.isAtService("en")]).toEqual([true, false]);
  project.setSession({ kind: "signed-out" });
  expect([rows.isAtService("nl"), rows.isAtService("en")]).toEqual([false, false]);
});

test("say why a cell cannot be edited, and what to do", async () => {
  const { rows, window, shop } = await openRows();
  await ensureTranslations(window, "nl");
  const reason = (locale: string, key = "title") =>
    rows.details({ locale, hash: hashOf(key) }).readonlyReason;
  const states = (locale: string) => rows.rows([hashOf("title")], [locale])[0]?.cells[locale]?.states;
  expect([reason("nl"), reason("en")]).toEqual([null, null]);
  expect(reason("fr")).toBe("The translations of fr are not loaded yet.");
  // What is not loaded yet is not called missing.
  expect([states("fr"), states("nl")]).toEqual([["readonly"], ["missing"]]);
  await shop.edit(ENGLISH, "'title'", "'fresh' => 'Fresh',\n    'title'");
  await window.local.reload();
  await window.local.loadTexts();
  expect([reason("nl", "fresh"), reason("en", "fresh")]).toEqual([
    "Push this key first: the service does not know it yet.",
    null,
  ]);
  const { session } = window.project;
  window.project.setSession({ ...session, canWrite: false } as typeof session);
  expect([reason("nl"), reason("en")]).toEqual(["Editing needs a token with write access.", null]);
});

test("count conflicts of drafts, and show what a draft was based on", async () => {
  const { rows, window } = await openRows();
  await translate(window, { title: "Je mandje", total: "Totaal: :amount" });
  await ensureTranslations(window, "nl");
  rows.history.stage([
    { locale: "nl", hash: hashOf("title"), text: { value: "Mijn mandje" } },
    { locale: "nl", hash: hashOf("total"), text: { value: "Samen: :amount" } },
  ]);
  expect(rows.counts()).toEqual({ unsaved: 2, conflicts: 0, refused: 0 });
  await translate(window, { title: "Hun mandje" });
  expect(rows.counts()).toEqual({ unsaved: 2, conflicts: 1, refused: 0 });
  expect(rows.details({ locale: "nl", hash: hashOf("title") })).toMatchObject({
    text: { value: "Mijn mandje" },
    conflict: { base: { value: "Je mandje" }, theirs: { value: "Hun mandje" } },
    isSourceChanged: false,
  });
  expect(rows.details({ locale: "nl", hash: hashOf("total") }).conflict).toBeNull();
  // Their text is no conflict once it is the same.
  await translate(window, { title: "Mijn mandje" });
  expect(rows.counts()).toEqual({ unsaved: 2, conflicts: 0, refused: 0 });
});

test("have the source language first, as the service lists them, and name each", async () => {
  const { rows, window } = await openRows();
  const { stats, freshness } = window.project;
  if (stats === null) expect.fail("the project has them");
  window.project.setStats({ ...stats, languages: stats.languages.toReversed() }, freshness);
  expect(rows.languages().map(({ locale, name, isSource }) => [locale, name, isSource])).toEqual([
    ["en", "English", true],
    ["fr", "Français", false],
    ["nl", "Nederlands", false],
  ]);
  // As they name themselves, where the service has no names.
  const unnamed = stats.languages.map((language) => ({ ...language, name: "" }));
  window.project.setStats({ ...stats, languages: unnamed }, freshness);
  expect(rows.languages().map(({ name }) => name)).toEqual(["English", "Nederlands", "Français"]);
});

test("show what was refused of a language model, until somebody types or translates it", async () => {
  const { rows, window, type } = await openRows();
  await ensureTranslations(window, "nl");
  const refused = {
    hash: hashOf("title"),
    reason: "Too long.",
    source: { value: "Your cart" },
    version: null,
  };
  window.project.rejectedTranslations.put({ locale: "nl", ...refused });
  const shown = (key: string) => {
    const [row] = rows.rows([hashOf(key)], ["nl", "en"]);
    const { rejectionReason } = rows.details({ locale: "nl", hash: hashOf(key) });
    return [row?.cells["nl"]?.states, row?.cells["en"]?.states, rejectionReason, rows.counts().refused];
  };
  expect([shown("title"), shown("total")]).toEqual([
    [["missing", "refused"], [], "Too long.", 1],
    [["missing"], [], null, 1],
  ]);
  type("nl", "title", "Mandje");
  expect(shown("title")).toEqual([["unsaved"], [], null, 0]);
  rows.history.discard([{ locale: "nl", hash: hashOf("title") }]);
  expect(shown("title")).toEqual([["missing", "refused"], [], "Too long.", 1]);
  await translate(window, { title: "Mandje" });
  expect(shown("title")).toEqual([[], [], null, 0]);
});

test("show each of the translations of similar source texts once, and none that is empty or of other forms", async () => {
  const { rows, window, type } = await openRows();
  const names = ["one", "two", "three", "four"];
  const similar = names.map((name) => ({ namespace: "cart", key: name, value: `Your ${name} cart` }));
  const forms = { one: "Your cart", other: "Your carts" };
  await window.client.sync(
    { keys: [...similar, { namespace: "cart", key: "forms", forms }], archive: [] },
    {},
  );
  await translate(window, { one: "Hetzelfde", two: "Hetzelfde", three: "Hetzelfde", four: "Vierde" });
  await ensureTranslations(window, "nl");
  await new SearchIndex(window.database).update();
  const plural = { one: "Je mandje", other: "Je mandjes" };
  rows.history.stage([{ locale: "nl", hash: hashOf("forms"), text: { forms: plural } }]);
  const found = (locale = "nl") =>
    rows
      .details({ locale, hash: hashOf("title") })
      .similar.map(({ text }) => JSON.stringify(text))
      .toSorted();
  expect(found()).toEqual(['{"value":"Hetzelfde"}', '{"value":"Vierde"}']);
  // As shown: what is typed, also if it is cleared; and a long one is none to go by.
  type("nl", "four", "");
  expect(found()).toEqual(['{"value":"Hetzelfde"}']);
  type("nl", "four", "x".repeat(201));
  expect(found()).toEqual(['{"value":"Hetzelfde"}']);
  type("nl", "four", "Getypt");
  expect(found()).toEqual(['{"value":"Getypt"}', '{"value":"Hetzelfde"}']);
  expect(found("en")).toEqual([]);
});

test("show the translations of at most three similar source texts, each once, and not their own", async () => {
  const { rows, window } = await openRows();
  const names = ["one", "two", "three", "four", "five"];
  const similar = names.map((name) => ({ namespace: "cart", key: name, value: `Your ${name} cart` }));
  await window.client.sync({ keys: similar, archive: [] }, {});
  await translate(window, {
    title: "Je mandje",
    one: "Hetzelfde",
    two: "Hetzelfde",
    three: "Derde",
    four: "Vierde",
    five: "Vijfde",
  });
  await ensureTranslations(window, "nl");
  await new SearchIndex(window.database).update();
  const found = rows.details({ locale: "nl", hash: hashOf("title") }).similar.map(({ text }) => text);
  expect(found).toHaveLength(3);
  expect(new Set(found.map((text) => JSON.stringify(text))).size).toBe(3);
  expect(found).not.toContainEqual({ value: "Je mandje" });
});

test("show a long text in part, and copy it whole", async () => {
  const { rows, type } = await openRows();
  const long = "x".repeat(201);
  type("en", "title", long);
  const cell = () => rows.rows([hashOf("title")], ["en"])[0]?.cells["en"];
  expect(cell()).toMatchObject({ parts: [{ text: "x".repeat(200) }], isTruncated: true });
  expect(rows.clipboardText("en", hashOf("title"))).toBe(long);
  type("en", "title", "x".repeat(200));
  expect(cell()).toMatchObject({ parts: [{ text: "x".repeat(200) }], isTruncated: false });
});

test("of a file that other programs make cannot be edited", async () => {
  const shop = await openFixtureProject();
  opened.push(shop);
  const MADE = "languages/shop-{locale}.l10n.php";
  await shop.write(
    MADE.replace("{locale}", "nl"),
    "<?php\nreturn ['messages' => ['Your cart' => 'Je mand']];\n",
  );
  const files = [...(FIXTURE_PROJECT_FILE.files ?? []), { path: MADE, format: "wordpress_php" as const }];
  const window = await shop.open("one", { file: { files } });
  window.project.setSession({ kind: "signed-out" });
  const { app, open } = createCommandRunner(window, rootOf(shop), []);
  const local = await window.local.loadTexts();
  const rows = new EditorRows(app, open);
  const reasons = [...local.entries("nl").values()].map(({ hash, path }) => [
    path,
    rows.details({ locale: "nl", hash }).readonlyReason,
  ]);
  expect(Object.fromEntries(reasons)).toEqual({
    [DUTCH]: null,
    [MADE.replace("{locale}", "nl")]: "This text is in a file that is only replaced as a whole.",
  });
});

test("without a service, count conflicts with the files, and take a typed source text for the source", async () => {
  const { shop, rows: signedIn, commands, window, type } = await openRows();
  window.project.setSession({ kind: "signed-out" });
  await window.local.load();
  const rows = new EditorRows(commands.app, commands.open);
  rows.history.stage([
    { locale: "nl", hash: hashOf("title"), text: { value: "Mijn mandje" } },
    { locale: "en", hash: hashOf("total"), text: { value: "Sum: :sum" } },
  ]);
  expect(rows.counts()).toMatchObject({ unsaved: 2, conflicts: 0 });
  expect(rows.rows([hashOf("total")], ["nl"])[0]?.placeholders).toEqual([":sum"]);
  await shop.edit(DUTCH, "Je mandje", "Hun mandje");
  await window.local.reload();
  await window.local.loadTexts();
  expect(rows.counts()).toMatchObject({ unsaved: 2, conflicts: 1 });
  expect(signedIn.isServiceKnown).toBe(false);
  // No language is called removed there.
  type("de", "title", "Warenkorb");
  expect([rows.removedLocales(), rows.isRemoved("de"), rows.languages().map(({ locale }) => locale)]).toEqual(
    [[], false, ["en", "nl", "fr"]],
  );
});
