/** Edit Translation as a user answers it, with somebody else who edits the same text. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  editTranslationCommand,
  setTranslationCommand,
  setTranslationsCommand,
} from "../../../src/commands/declarations/text-commands.ts";
import { registerEditTranslation } from "../../../src/features/edit-translation/edit-translation-command.ts";
import { registerSetLocal } from "../../../src/features/set-local-text/set-local-text-command.ts";
import { UnsavedInput } from "../../../src/vscode/projects/unsaved-input.ts";
import { type CommandRunner } from "../support/command-runner.ts";
import { FEW_ITEMS, type FixtureProject } from "../support/fixture-project.ts";
import { cart, DUTCH, ENGLISH, hashOf, openShop, translate, translatedTexts } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import {
  answerNextInput,
  answerNextList,
  clickInNextMessage,
  messages,
  pickInNextList,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
/** Called before each request. */
let onRequest: (request: string) => Promise<unknown> | void;
/** Why the service refuses each text; `null`: it does not. */
let refusal: string | null;
beforeEach(async () => {
  onRequest = () => undefined;
  refusal = null;
  ({ shop, window, commands, refuse } = await openShop([registerEditTranslation, registerSetLocal], {
    maxItems: FEW_ITEMS,
    intercept: async (request, forward) => {
      await onRequest(request);
      if (refusal === null || !request.startsWith("PUT")) return forward();
      const errors = { "translations.0.value": [refusal] };
      return Response.json({ message: "Invalid.", errors }, { status: 422 });
    },
  }));
  await translate(window, { title: "Je mandje" });
});
afterEach(() => shop.close());

const edit = () => commands.ask(editTranslationCommand, { ...cart("title"), locale: "nl" });
const theirs = (value: string) =>
  window.client.writeTranslations("nl", [{ ...cart("title"), hash: hashOf("title"), value }], "overwrite");

/** Types in the next box, which starts from `before`; somebody else writes meanwhile. */
function type(before: string, value: string, meanwhile?: string): void {
  answerNextInput(async (input) => {
    expect(input.value).toBe(before);
    if (meanwhile !== undefined) await theirs(meanwhile);
    input.value = value;
    input.accept();
  });
}

test("taking theirs writes nothing, and the next edit starts from it", async () => {
  type("Je mandje", "Mijn mandje", "Hun mandje");
  pickInNextList((items, { title, placeHolder }) => {
    expect([title, placeHolder, ...items.map(({ label, detail }) => [label, detail])]).toEqual([
      "nl · cart.title was changed by someone else",
      "Before: Je mandje",
      ["$(arrow-left) Take Theirs", "Hun mandje"],
      ["$(arrow-right) Keep Mine", "Mijn mandje"],
      ["$(edit) Edit Again…", "Starts from my version."],
    ]);
    return items[0];
  });
  expect(await edit()).toMatchObject({ outcome: "unchanged", row: { value: "Hun mandje" } });
  expect(await translatedTexts(window)).toEqual({ title: "Hun mandje" });
  type("Hun mandje", "Ons mandje");
  expect(await edit()).toMatchObject({ outcome: "done" });
  expect(await translatedTexts(window)).toEqual({ title: "Ons mandje" });
});

test("what is dismissed in a conflict is offered by the next edit, and is still a conflict", async () => {
  type("Je mandje", "Mijn mandje", "Hun mandje");
  pickInNextList("no such answer");
  expect(await edit()).toEqual({ outcome: "cancelled" });
  expect(await translatedTexts(window)).toEqual({ title: "Hun mandje" });
  type("Mijn mandje", "Mijn mandje");
  pickInNextList("Keep Mine");
  expect(await edit()).toMatchObject({ outcome: "done" });
  expect(await translatedTexts(window)).toEqual({ title: "Mijn mandje" });
});

test("what is kept over theirs is not written over a still later text, and is offered again", async () => {
  const closed = vi.spyOn(commands.app.virtualDocuments, "closeDifferences");
  type("Je mandje", "Mijn mandje", "Hun mandje");
  pickInNextList((items) => {
    onRequest = async (request) => {
      if (!request.startsWith("PUT")) return;
      onRequest = () => undefined;
      await theirs("Nog later");
    };
    return items.find(({ label }) => label.includes("Keep Mine"));
  });
  pickInNextList((items, { placeHolder }) => {
    expect([placeHolder, items[0]?.detail, items[1]?.detail]).toEqual([
      "Before: Hun mandje",
      "Nog later",
      "Mijn mandje",
    ]);
    return undefined;
  });
  expect(await edit()).toEqual({ outcome: "cancelled" });
  expect([closed.mock.calls.length, await translatedTexts(window)]).toEqual([2, { title: "Nog later" }]);
  type("Mijn mandje", "Ons mandje");
  pickInNextList((items, { placeHolder }) => {
    expect([placeHolder, items[0]?.detail]).toEqual(["Before: Hun mandje", "Nog later"]);
    return items[1];
  });
  expect(await edit()).toMatchObject({ outcome: "done" });
  expect(await translatedTexts(window)).toEqual({ title: "Ons mandje" });
  type("Ons mandje", "Ons mandje");
  expect(await edit()).toMatchObject({ outcome: "unchanged" });
});

test("edits again from mine, over their version only", async () => {
  type("Je mandje", "Mijn mandje", "Hun mandje");
  pickInNextList("Edit Again");
  type("Mijn mandje", "Ons mandje", "Weer anders");
  pickInNextList("Take Theirs");
  expect(await edit()).toMatchObject({ outcome: "unchanged", row: { value: "Weer anders" } });
  expect(await translatedTexts(window)).toEqual({ title: "Weer anders" });
});

test("cancelling while the translation is read prompts for nothing, and the next edit does", async () => {
  const theirs = { ...cart("title"), hash: hashOf("title"), value: "Votre panier" };
  await window.client.writeTranslations("fr", [theirs], "overwrite");
  await window.refresher.refresh({ priority: "person" });
  // Typed before the window was closed, which would be enough to go on from.
  const typed = new UnsavedInput(commands.open, "project", "translation", "fr", hashOf("title"));
  typed.save({ text: { value: "Mon panier" }, base: { value: "Votre panier" }, version: 1 });
  const editFrench = () => commands.ask(editTranslationCommand, { ...cart("title"), locale: "fr" });
  onRequest = () => commands.cancel();
  expect(await editFrench()).toEqual({ outcome: "cancelled" });
  onRequest = () => undefined;
  type("Mon panier", "Ton panier");
  expect(await editFrench()).toMatchObject({ outcome: "done" });
  expect(await translatedTexts(window, "fr")).toEqual({ title: "Ton panier" });
});

test("a text that was refused is kept, also beside the texts of other languages and keys", async () => {
  refuse("PUT /translations/nl");
  type("Je mandje", "Mijn mandje");
  expect(await edit()).toMatchObject({
    outcome: "failed",
    error: { code: "forbidden", message: expect.stringMatching(/What you typed is kept\.$/u) },
  });
  refuse(null);
  for (const other of [
    { ...cart("title"), locale: "fr" },
    { ...cart("total"), locale: "nl" },
  ]) {
    answerNextInput((input) => {
      expect([input.value, input.prompt]).not.toContain("Mijn mandje");
      input.hide();
    });
    expect(await commands.ask(editTranslationCommand, other)).toEqual({ outcome: "cancelled" });
  }
  answerNextInput((input) => {
    expect([input.value, input.prompt]).toEqual([
      "Mijn mandje",
      "Source: Your cart · Typed earlier, not saved yet · The heading.",
    ]);
    input.accept();
  });
  expect(await edit()).toMatchObject({ outcome: "done" });
  expect(await translatedTexts(window)).toEqual({ title: "Mijn mandje" });
  // And then there is nothing left that was typed earlier.
  answerNextInput((input) => {
    expect([input.value, input.prompt]).toEqual(["Mijn mandje", "Source: Your cart · The heading."]);
    input.hide();
  });
  expect(await edit()).toEqual({ outcome: "cancelled" });
});

test("what was typed earlier is gone once somebody types what the service has", async () => {
  refuse("PUT /translations/nl");
  type("Je mandje", "Mijn mandje");
  await edit();
  refuse(null);
  type("Mijn mandje", "Je mandje");
  expect(await edit()).toEqual({ outcome: "unchanged", row: null });
  type("Je mandje", "Je mandje");
  expect(await edit()).toEqual({ outcome: "unchanged", row: null });
});

test("a text with the version that it replaces is written without a box, unless somebody else was faster", async () => {
  const given = (value: string, version: number | null) =>
    commands.ask(editTranslationCommand, { ...cart("title"), locale: "nl", value, version });
  const { version } = window.project.translations.get("nl", hashOf("title")) ?? { version: null };
  expect(await given("Mand", version)).toMatchObject({ outcome: "done", row: { value: "Mand" } });
  pickInNextList("Take Theirs");
  expect(await given("Korf", version)).toMatchObject({ outcome: "unchanged", row: { value: "Mand" } });
  pickInNextList("Keep Mine");
  expect(await given("Korf", version)).toMatchObject({ outcome: "done" });
  expect(await translatedTexts(window)).toEqual({ title: "Korf" });
  // A text without one is only where the box starts.
  type("Tas", "Tasje");
  const proposed = { ...cart("title"), locale: "nl", value: "Tas" };
  expect(await commands.ask(editTranslationCommand, proposed)).toMatchObject({ outcome: "done" });
  // Nothing that nobody typed is kept.
  refuse("PUT /translations/nl");
  expect(
    await given("Zak", window.project.translations.get("nl", hashOf("title"))?.version ?? null),
  ).toMatchObject({
    error: { code: "forbidden", message: expect.not.stringContaining("kept") },
  });
  type("Tasje", "Tasje");
  expect(await edit()).toMatchObject({ outcome: "unchanged" });
});

test("keeping mine writes over theirs, even where mine is what it was before", async () => {
  type("Je mandje", "Mijn mandje", "Hun mandje");
  pickInNextList("Edit Again");
  // Their text now is the base: the same text would change nothing, and mine is written.
  type("Mijn mandje", "Je mandje");
  expect(await edit()).toMatchObject({ outcome: "done", row: { value: "Je mandje" } });
  expect(await translatedTexts(window)).toEqual({ title: "Je mandje" });
});

test("a key that was not pushed yet has only its source text, which is edited in its file", async () => {
  await shop.edit(ENGLISH, "'title'", "'fresh' => 'Fresh',\n    'title'");
  await window.local.reload();
  answerNextInput((input) => {
    expect([input.title, input.value]).toEqual(["en · cart.fresh", "Fresh"]);
    input.value = "Fresher";
    input.accept();
  });
  expect(await commands.ask(editTranslationCommand, cart("fresh"))).toMatchObject({
    outcome: "done",
    row: null,
  });
  expect(await shop.read(ENGLISH)).toContain("'fresh' => 'Fresher'");
  expect(await commands.ask(editTranslationCommand, { ...cart("fresh"), locale: "nl" })).toMatchObject({
    error: { code: "not_found" },
  });
});

test("a text that is given for a file is written there as it is, in the language that was named", async () => {
  const given = { ...cart("title"), locale: "en", value: "Our cart" };
  expect(await commands.ask(editTranslationCommand, given)).toMatchObject({ outcome: "done", row: null });
  expect(await shop.read(ENGLISH)).toContain("'title' => 'Our cart'");
  expect(await shop.read(DUTCH)).toContain("'Je mandje'");
  expect(await translatedTexts(window)).toEqual({ title: "Je mandje" });
  window.project.setSession({ kind: "signed-out" });
  const dutch = { ...cart("title"), locale: "nl", value: "Mand" };
  expect(await commands.ask(editTranslationCommand, dutch)).toMatchObject({ outcome: "done", row: null });
  expect(await shop.read(DUTCH)).toContain("'Mand'");
});

test("of a language that cannot be read nothing is edited, unless it was typed earlier", async () => {
  refuse("GET /translations/fr");
  const french = { ...cart("title"), locale: "fr" };
  expect(await commands.ask(editTranslationCommand, french)).toMatchObject({ outcome: "failed" });
  const typed = new UnsavedInput(commands.open, "project", "translation", "fr", hashOf("title"));
  typed.save({ text: { value: "Mon panier" }, base: null, version: null });
  answerNextInput((input) => {
    expect(input.value).toBe("Mon panier");
    input.hide();
  });
  expect(await commands.ask(editTranslationCommand, french)).toEqual({ outcome: "cancelled" });
});

test("a text that the service refuses is named with its reason, also of several", async () => {
  refusal = "Too rude.";
  const failure = {
    outcome: "failed",
    error: {
      code: "invalid",
      message: expect.stringMatching(/^The service refused cart\.title \(nl\): Too rude\./u),
    },
  };
  const options = { ...cart("title"), locale: "nl", value: "Mandje!" };
  expect(await commands.run(setTranslationCommand, options)).toMatchObject(failure);
  type("Je mandje", "Mandje!");
  expect(await edit()).toMatchObject(failure);
  refusal = null;
  refuse("PUT");
  const items = [{ ...cart("title"), value: "Mandje!" }];
  expect(await commands.run(setTranslationsCommand, { locale: "nl", items })).toMatchObject({
    outcome: "failed",
    error: { code: "forbidden" },
  });
  expect(await translatedTexts(window)).toEqual({ title: "Je mandje" });
});

test("the list of languages shows what each has, and what is read while it is open; then it ends", async () => {
  const french = { ...cart("title"), hash: hashOf("title"), value: "Votre panier" };
  await window.client.writeTranslations("fr", [french], "overwrite");
  await window.refresher.refresh({ priority: "person" });
  let fill: () => void = () => undefined;
  let isFollowing = true;
  const subscribe = (tables: readonly string[], work: () => void) => {
    expect(tables).toEqual(["keys", "translations", "drafts"]);
    fill = work;
    return { dispose: () => (isFollowing = false) };
  };
  Object.assign(commands.app.store, { subscribe });
  answerNextList(async (list) => {
    expect(list.busy).toBe(true);
    expect(list.activeItems.map(({ label }) => label)).toEqual(["Nederlands (nl)"]);
    list.move("fr");
    await waitUntil(() => !list.busy);
    fill();
    expect(list.title).toBe("cart.title");
    expect(list.items.map(({ label, description, detail }) => [label, description, detail])).toEqual([
      ["English (en)", "source, edited in the local file", "Your cart"],
      ["Nederlands (nl)", "", "Je mandje"],
      ["Français (fr)", "", "Votre panier"],
    ]);
    // What was chosen before is still chosen.
    expect(list.activeItems.map(({ label }) => label)).toEqual(["Français (fr)"]);
    list.accept();
  });
  type("Votre panier", "Ton panier");
  expect(await commands.ask(editTranslationCommand, cart("title"))).toMatchObject({ outcome: "done" });
  expect([isFollowing, await translatedTexts(window, "fr")]).toEqual([false, { title: "Ton panier" }]);
  // What only the files have is shown, too: a translation, and the source text that would be edited.
  await shop.edit(DUTCH, "];", "    'total' => 'Totaal: :amount',\n];");
  await shop.edit(ENGLISH, "Total: :amount", "Sum: :amount");
  await window.local.reload();
  await window.local.loadTexts();
  answerNextList((list) => {
    expect(list.items.map(({ label, description, detail }) => [label, description, detail])).toEqual([
      ["English (en)", "source, edited in the local file", "Sum: :amount"],
      ["Nederlands (nl)", "$(file) local, not on the service", "Totaal: :amount"],
      ["Français (fr)", "$(circle-slash) untranslated", ""],
    ]);
    list.hide();
  });
  expect(await commands.ask(editTranslationCommand, cart("total"))).toEqual({ outcome: "cancelled" });
});

test("an edit that is cancelled before it is sent keeps what was typed, and says so", async () => {
  answerNextInput((input) => {
    commands.cancel();
    input.value = "Mijn mandje";
    input.accept();
  });
  messages.length = 0;
  expect(await edit()).toEqual({ outcome: "cancelled" });
  expect(messages).toEqual([
    {
      kind: "information",
      text: "What you typed for nl · cart.title is kept: the next edit starts from it.",
      actions: ["Discard"],
    },
  ]);
  clickInNextMessage("Discard");
  answerNextInput((input) => {
    expect(input.value).toBe("Mijn mandje");
    input.hide();
  });
  expect(await edit()).toEqual({ outcome: "cancelled" });
  // Discarded, and then nothing is said.
  messages.length = 0;
  answerNextInput((input) => {
    expect(input.value).toBe("Je mandje");
    input.hide();
  });
  expect(await edit()).toEqual({ outcome: "cancelled" });
  expect(messages).toEqual([]);
  // What was sent by then is written, whatever is read of it.
  onRequest = (request) => {
    if (request.startsWith("PUT")) commands.cancel();
  };
  type("Je mandje", "Ons mandje");
  expect(await edit()).toMatchObject({ outcome: "done", row: { value: "Ons mandje" } });
  expect([messages, await translatedTexts(window)]).toEqual([[], { title: "Ons mandje" }]);
});

test("a key that was archived while its text was typed is not known, and the text is kept", async () => {
  answerNextInput(async (input) => {
    await window.client.sync({ keys: [], archive: [hashOf("title")] }, {});
    input.value = "Mijn mandje";
    input.accept();
  });
  expect(await edit()).toMatchObject({
    outcome: "failed",
    error: { code: "not_found", message: expect.stringContaining("cart.title") },
  });
  await window.client.sync(
    { keys: [{ namespace: "cart", key: "title", value: "Your cart" }], archive: [] },
    {},
  );
  await window.refresher.refresh({ priority: "person" });
  type("Mijn mandje", "Ons mandje");
  expect(await edit()).toMatchObject({ outcome: "done" });
});

test("the boxes know the key: its forms, its maximum length, and what its source text was", async () => {
  await window.client.updateKey(hashOf("total"), { maxLength: 3 }, {});
  await window.client.sync(
    { keys: [{ namespace: "cart", key: "title", value: "Our cart" }], archive: [] },
    {},
  );
  await window.refresher.refresh({ priority: "person" });
  answerNextInput((input) => {
    input.type("Totaal: :amount");
    expect(input.validationMessage).toMatchObject({ message: expect.stringContaining("3 characters") });
    input.hide();
  });
  expect(await commands.ask(editTranslationCommand, { ...cart("total"), locale: "nl" })).toEqual({
    outcome: "cancelled",
  });
  answerNextInput((input) => {
    expect(input.prompt).toBe("Source: Our cart · Source text before: Your cart · The heading.");
    input.value = "Ons mandje";
    input.accept();
  });
  expect(await edit()).toMatchObject({ outcome: "done" });
  // It is up to date then.
  answerNextInput((input) => {
    expect(input.prompt).toBe("Source: Our cart · The heading.");
    input.hide();
  });
  await edit();
  for (const text of ["ding", "dingen"])
    answerNextInput((input) => {
      input.value = text;
      input.accept();
    });
  expect(await commands.ask(editTranslationCommand, { ...cart("items"), locale: "nl" })).toMatchObject({
    outcome: "done",
    row: { forms: { one: "ding", other: "dingen" } },
  });
  const forms = { one: "thing", other: "things" };
  expect(await commands.ask(editTranslationCommand, { ...cart("items"), locale: "en", forms })).toMatchObject(
    { outcome: "done" },
  );
  expect(await shop.read(ENGLISH)).toContain("'thing|things'");
});

test("several texts replace what is there, except where it has changed since; a later failure says what is left", async () => {
  const set = (items: readonly object[], more: object = {}) =>
    commands.run(setTranslationsCommand, { locale: "nl", items, ...more } as never);
  expect(await set([])).toEqual({ outcome: "unchanged", written: 0, skipped: [] });
  expect(
    await set([
      { ...cart("title"), value: "Mand" },
      { ...cart("total"), value: "Som: :amount" },
    ]),
  ).toEqual({ outcome: "done", written: 2, skipped: [] });
  expect(await set([{ ...cart("title"), value: "Korf" }], { mode: "fill_empty" })).toMatchObject({
    outcome: "unchanged",
    written: 0,
  });
  const old = [{ ...cart("title"), value: "Korf", version: 99 }];
  expect(await set(old)).toEqual({
    outcome: "unchanged",
    written: 0,
    skipped: [{ ...cart("title"), reason: expect.any(String) }],
  });
  expect(await translatedTexts(window)).toEqual({ title: "Mand", total: "Som: :amount" });
  expect(
    await commands.run(setTranslationCommand, { ...cart("none"), locale: "nl", value: "Niets" }),
  ).toMatchObject({ error: { code: "not_found" } });
  const noLanguage = { error: { code: "not_found", message: "The project has no language de." } };
  const german = { ...cart("title"), value: "Korb" };
  expect(await commands.run(setTranslationCommand, { ...german, locale: "de" })).toMatchObject(noLanguage);
  expect(await commands.run(setTranslationsCommand, { locale: "de", items: [german] })).toMatchObject(
    noLanguage,
  );
  // Ten a request: the second one fails.
  const many = Array.from({ length: 12 }, (_, index) => ({
    namespace: "many",
    key: `k${index}`,
    value: "x",
  }));
  await window.client.sync({ keys: many, archive: [] }, {});
  onRequest = (request) => {
    if (request.startsWith("PUT")) refuse("PUT");
  };
  expect(await set(many)).toMatchObject({
    outcome: "failed",
    error: { message: expect.stringContaining("10 translations written. Not done: 2.") },
    written: 10,
    skipped: [],
  });
});
