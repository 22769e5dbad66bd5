/** Translations of a language model, in a project at a service: what somebody writes meanwhile is kept. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  translateCommand,
  translateKeyCommand,
  translateRowCommand,
} from "../../../src/commands/declarations/text-commands.ts";
import { selectKeys } from "../../../src/features/translate/prepare-texts.ts";
import { registerTranslate } from "../../../src/features/translate/translate-command.ts";
import { keyHash, NO_NAMESPACE } from "../../../src/model/key-hash.ts";
import { setTranslations } from "../../../src/sync/edit/send-translations.ts";
import { openEditorCommand } from "../../../src/commands/declarations/window-commands.ts";
import type { OptionsOf } from "../../../src/commands/define-command.ts";
import type { App } from "../../../src/vscode/app.ts";
import { answerOf, itemsOf, rightAnswer, translateWhile } from "../machine-translation/support.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { FIXTURE_PROJECT_FILE, type FixtureProject } from "../support/fixture-project.ts";
import { cart, openShop, translatedTexts, typeText } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { clickInNextMessage, messages, pickInNextList, provideModel } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
/** With which options the translation editor was opened. */
let opened: OptionsOf<typeof openEditorCommand>[];
const recordEditor = (app: App): void =>
  app.command(openEditorCommand, async (_app, options) => {
    opened.push(options);
    return { outcome: "done" };
  });
beforeEach(async () => {
  opened = [];
  ({ shop, window, commands, refuse } = await openShop([registerTranslate, recordEditor]));
  messages.length = 0;
});
afterEach(() => {
  provideModel(null);
  return shop.close();
});

const keys = ["title", "total"].map(cart);
const draftsOf = (locale = "nl") =>
  [...window.project.drafts.all()].flatMap(({ text, origin, ...draft }) =>
    draft.locale === locale ? [{ text, origin, hash: draft.hash }] : [],
  );

const type = (key: string, value: string): void => typeText(window, key, value);

test("keeps what was typed while the model worked, and saves the rest", async () => {
  translateWhile(() => type("total", "typed"));
  expect(await commands.run(translateCommand, { locale: "nl", keys, save: true })).toMatchObject({
    outcome: "done",
    staged: 1,
    saved: 1,
    refused: [{ key: "total", locale: "nl", reason: "What you typed there is not saved yet." }],
  });
  expect(draftsOf()).toEqual([{ hash: keyHash(cart("total")), text: { value: "typed" }, origin: "person" }]);
  expect(await translatedTexts(window)).toEqual({ title: "x Your cart" });
});

test("translates what one key lacks: into the language of its row, or from its source text into all", async () => {
  await setTranslations(window, "nl", [{ name: cart("title"), text: { value: "Mandje" } }], "overwrite");
  await window.refresher.refresh({ priority: "person" });
  translateWhile(() => undefined);
  await commands.run(translateKeyCommand, { ...cart("total"), locale: "nl" });
  expect(draftsOf().map(({ hash }) => hash)).toEqual([keyHash(cart("total"))]);
  expect(draftsOf("fr")).toEqual([]);
  await commands.run(translateKeyCommand, { ...cart("title"), locale: "en" });
  expect(draftsOf().map(({ hash }) => hash)).toEqual([keyHash(cart("total"))]);
  expect(draftsOf("fr").map(({ hash }) => hash)).toEqual([keyHash(cart("title"))]);
});

test("does not save what was typed over a proposal while another language was translated", async () => {
  translateWhile((locale) => locale === "fr" && type("title", "typed"));
  const result = await commands.run(translateCommand, { locales: ["nl", "fr"], keys, save: true });
  expect(result).toMatchObject({ staged: 4, saved: 3, refused: [{ key: "title", locale: "nl" }] });
  expect(draftsOf()).toMatchObject([{ text: { value: "typed" }, origin: "person" }]);
  expect(draftsOf("fr")).toEqual([]);
  expect(await translatedTexts(window)).toEqual({ total: "x Total: :amount" });
  expect(await translatedTexts(window, "fr")).toEqual({ title: "x Your cart", total: "x Total: :amount" });
});

test("does not write over a translation that somebody else wrote meanwhile, and keeps the proposal", async () => {
  const colleague = await shop.open("two");
  await colleague.refresher.refresh();
  translateWhile(() =>
    setTranslations(colleague, "nl", [{ name: cart("title"), text: { value: "theirs" } }], "overwrite"),
  );
  expect(await commands.run(translateCommand, { locale: "nl", keys, save: true })).toMatchObject({
    staged: 2,
    saved: 1,
    refused: [{ key: "title", reason: "Someone else changed the translation in the meantime." }],
  });
  expect(await translatedTexts(window)).toEqual({ title: "theirs", total: "x Total: :amount" });
  expect(draftsOf()).toMatchObject([{ text: { value: "x Your cart" }, origin: "machine" }]);
});

test("stops at a language that cannot be saved, keeps its proposals, and saves them the next time", async () => {
  translateWhile(() => undefined);
  refuse("PUT /translations/fr");
  const options = { locales: ["nl", "fr"], keys, save: true };
  expect(await commands.run(translateCommand, options)).toMatchObject({
    outcome: "failed",
    error: { code: "forbidden", message: expect.stringContaining("2 translations written. Not done: 2.") },
    staged: 4,
    saved: 2,
  });
  expect(commands.results.at(-1)).toEqual({ message: "2 translations written.", kind: "partly" });
  expect([draftsOf(), draftsOf("fr")]).toMatchObject([[], [{ origin: "machine" }, { origin: "machine" }]]);
  refuse(null);
  expect(await commands.run(translateCommand, { ...options, locales: ["fr"] })).toMatchObject({ saved: 2 });
  expect(draftsOf("fr")).toEqual([]);
});

test("proposes without saving, and then leaves what was proposed to the user", async () => {
  translateWhile(() => undefined);
  expect(await commands.run(translateCommand, { locale: "nl", keys })).toMatchObject({ staged: 2, saved: 0 });
  expect(await translatedTexts(window)).toEqual({});
  expect(draftsOf()).toMatchObject([{ origin: "machine" }, { origin: "machine" }]);
  // Only what is missing: the proposals are not made again.
  expect(await commands.run(translateCommand, { locale: "nl", keys, missingOnly: true })).toMatchObject({
    outcome: "unchanged",
    requests: 0,
  });
});

test("as a user chooses them: languages with what is missing are checked, and the proposals are shown", async () => {
  await setTranslations(
    window,
    "fr",
    ["title", "total", "items", "voucher.label"].map((key) => ({
      name: cart(key),
      text: key === "items" ? { forms: { one: ":count", other: ":count" } } : { value: "x :amount" },
    })),
    "overwrite",
  );
  for (const name of ["Save & close", "Log out"]) {
    const text = { name: { namespace: NO_NAMESPACE, key: name, context: null }, text: { value: "x" } };
    await setTranslations(window, "fr", [text], "overwrite");
  }
  await window.refresher.refresh({ priority: "person" });
  translateWhile(() => undefined);
  pickInNextList((items, { title }) => {
    expect(title).toBe("Translate Missing");
    expect(
      items.map((item) => [item.label, item.description, (item as { picked?: boolean }).picked]),
    ).toEqual([
      ["Nederlands (nl)", "6 untranslated", true],
      ["Français (fr)", "complete", false],
    ]);
    return items.slice(0, 1);
  });
  pickInNextList("Translate");
  expect(await commands.ask(translateCommand, {})).toMatchObject({
    outcome: "done",
    staged: 6,
    saved: 0,
    model: "test-model",
  });
  expect(opened).toMatchObject([{ locales: ["nl"], filter: ["unsaved", "refused"] }]);
  expect([draftsOf().length, draftsOf("fr")]).toEqual([6, []]);
  expect(commands.results.at(-1)).toEqual({
    message: "6 translations proposed by Test model, not saved yet.",
    kind: "done",
  });
  // And then nothing is missing, but what was proposed is shown again.
  opened = [];
  expect(await commands.ask(translateCommand, { locale: "nl" })).toMatchObject({
    outcome: "unchanged",
    requests: 0,
  });
  expect(opened).toHaveLength(1);
  // From the translation editor nothing is opened.
  opened = [];
  await commands.ask(translateCommand, { locale: "nl", showsEditor: false });
  expect(opened).toEqual([]);
  // A language that is only outdated is checked, too.
  await window.client.sync(
    { keys: [{ namespace: "cart", key: "title", value: "Our cart" }], archive: [] },
    {},
  );
  pickInNextList((items) => {
    expect(items.map((item) => [item.description, (item as { picked?: boolean }).picked])).toEqual([
      ["6 untranslated", true],
      ["1 outdated", true],
    ]);
    return undefined;
  });
  expect(await commands.ask(translateCommand, {})).toEqual({ outcome: "cancelled" });
});

test("without consent nothing is sent, and nothing is changed", async () => {
  const sent: string[] = [];
  translateWhile((locale) => sent.push(locale));
  pickInNextList("no such answer");
  expect(await commands.ask(translateCommand, { locale: "nl", keys })).toEqual({ outcome: "cancelled" });
  expect([sent, draftsOf(), opened]).toEqual([[], [], []]);
});

test("nothing is opened where nothing is missing, and that is said", async () => {
  translateWhile(() => undefined);
  await setTranslations(window, "nl", [{ name: cart("title"), text: { value: "Mandje" } }], "overwrite");
  await window.refresher.refresh({ priority: "person" });
  const options = { locale: "nl", keys: [cart("title")], missingOnly: true };
  expect(await commands.ask(translateCommand, options)).toMatchObject({ outcome: "unchanged" });
  expect(messages.at(-1)?.text).toBe("No translations are missing there.");
  expect(opened).toEqual([]);
  // A key that there is not is refused instead, and shown.
  expect(await commands.ask(translateCommand, { locale: "nl", ...cart("none") })).toMatchObject({
    outcome: "unchanged",
    refused: [{ key: "none" }],
  });
  expect([messages.at(-1)?.text, opened.length]).toEqual(["1 translation refused.", 1]);
});

test("a language is translated once, and must be one of the project, and not the source", async () => {
  translateWhile(() => undefined);
  expect(await commands.run(translateCommand, { locales: ["nl", "nl"], keys })).toMatchObject({ staged: 2 });
  for (const [locale, code] of [
    ["en", "invalid"],
    ["de", "not_found"],
  ] as const)
    expect(await commands.run(translateCommand, { locales: ["fr", locale], keys })).toMatchObject({
      error: { code },
    });
  expect(draftsOf("fr")).toEqual([]);
  expect(await commands.run(translateCommand, { locale: "fr", keys, model: "none" })).toMatchObject({
    error: { code: "no_model" },
  });
});

test("answers that fail the checks are refused with their reasons, and then a right one takes their place", async () => {
  provideModel(async (sent) => {
    const { items } = itemsOf(sent);
    return answerOf(items.map((item) => ({ ...rightAnswer(item), text: "Totaal" })));
  });
  const total = [cart("total")];
  expect(await commands.run(translateCommand, { locale: "nl", keys: total })).toMatchObject({
    outcome: "unchanged",
    staged: 0,
    refused: [
      { key: "total", locale: "nl", reason: expect.stringContaining("The model’s answer: “Totaal”") },
    ],
  });
  const { rejectedTranslations } = window.project;
  const hash = keyHash(cart("total"));
  expect([draftsOf(), rejectedTranslations.reason("nl", hash), rejectedTranslations.count()]).toEqual([
    [],
    expect.stringContaining(":amount"),
    1,
  ]);
  translateWhile(() => undefined);
  expect(await commands.run(translateCommand, { locale: "nl", keys: total })).toMatchObject({ staged: 1 });
  expect([draftsOf().length, rejectedTranslations.count()]).toEqual([1, 0]);
});

test("a refused answer is said with its reasons, and forgotten once somebody types the text", async () => {
  provideModel(async (sent) =>
    answerOf(itemsOf(sent).items.map((item) => ({ ...rightAnswer(item), text: "Totaal" }))),
  );
  pickInNextList("Translate");
  clickInNextMessage("Show Reasons");
  const options = { locale: "nl", keys, showsEditor: false };
  expect(await commands.ask(translateCommand, options)).toMatchObject({
    staged: 1,
    refused: [{ key: "total" }],
  });
  expect(messages.at(-1)?.text).toBe("1 translation refused.");
  expect(commands.results.at(-1)).toMatchObject({ kind: "partly" });
  await waitUntil(() => commands.documents.length > 0);
  expect(commands.documents).toEqual([
    ["Refused translations", expect.stringMatching(/^nl {2}cart\.total\n {4}.*“Totaal”/su)],
  ]);
  translateWhile(() => type("total", "typed"));
  expect(await commands.run(translateCommand, options)).toMatchObject({ refused: [{ key: "total" }] });
  expect(window.project.rejectedTranslations.count()).toBe(0);
  // And it does not come back when what was typed is discarded.
  window.project.drafts.remove(draftsOf().map(({ hash }) => ({ locale: "nl", hash })));
  expect(window.project.rejectedTranslations.count()).toBe(0);
});

test("a save that refuses some is partly done; what is left is what was not tried", async () => {
  translateWhile(() => type("total", "typed"));
  expect(await commands.run(translateCommand, { locale: "nl", keys, save: true })).toMatchObject({
    saved: 1,
  });
  expect(commands.results.at(-1)).toEqual({ message: "1 translation written.", kind: "partly" });
  translateWhile(
    (locale) =>
      locale === "fr" &&
      setTranslations(
        window,
        "nl",
        [{ name: cart("items"), text: { forms: { one: "a", other: "b" } } }],
        "overwrite",
      ),
  );
  refuse("PUT /translations/fr");
  const more = [cart("items"), cart("voucher.label")];
  expect(
    await commands.run(translateCommand, { locales: ["nl", "fr"], keys: more, save: true }),
  ).toMatchObject({
    error: { message: expect.stringContaining("1 translation written. Not done: 2.") },
    saved: 1,
  });
});

test("proposals of another language, or of keys that are gone, are neither shown nor saved", async () => {
  translateWhile(() => undefined);
  expect(await commands.run(translateCommand, { locale: "nl", keys })).toMatchObject({ staged: 2 });
  const french = keys.map((name) => ({ name, text: { value: "x :amount" } }));
  await setTranslations(window, "fr", french, "overwrite");
  await window.refresher.refresh({ priority: "person" });
  const options = { locale: "fr", keys, missingOnly: true };
  expect(await commands.ask(translateCommand, options)).toMatchObject({ outcome: "unchanged" });
  expect([messages.at(-1)?.text, opened]).toEqual(["No translations are missing there.", []]);
  // Archived while the next language is translated.
  translateWhile(async (locale) => {
    if (locale !== "fr") return;
    await window.client.sync({ keys: [], archive: [keyHash(cart("total"))] }, {});
    await window.refresher.refresh({ priority: "person" });
  });
  const both = { locales: ["nl", "fr"], keys, save: true };
  const saved = await commands.run(translateCommand, both);
  expect(saved).toMatchObject({ saved: 2, refused: [{ key: keyHash(cart("total")), locale: "fr" }] });
  expect(await translatedTexts(window)).toEqual({ title: "x Your cart" });
});

test("translates also while the code cannot be read", async () => {
  vi.spyOn(commands.app.usages, "reload").mockRejectedValueOnce(new Error("The code cannot be read."));
  translateWhile(() => undefined);
  expect(await commands.run(translateCommand, { locale: "nl", keys })).toMatchObject({ staged: 2 });
});

test("nothing is sent if the glossary cannot be read, or to a service that was signed out of meanwhile", async () => {
  const sent: string[] = [];
  translateWhile((locale) => sent.push(locale));
  const file = { ...FIXTURE_PROJECT_FILE, translate: { glossary: "glossary.csv" } };
  const named = await shop.open("two", { file });
  await named.refresher.refresh();
  const others = createCommandRunner(named, rootOf(shop), [registerTranslate]);
  expect(await others.run(translateCommand, { locale: "nl", keys })).toMatchObject({
    error: { code: "invalid", message: expect.stringContaining("The glossary glossary.csv cannot be read.") },
  });
  pickInNextList((items) => {
    commands.connect(others.open);
    return items.find(({ label }) => label.includes("Translate"));
  });
  expect(await commands.ask(translateCommand, { locale: "nl", keys })).toMatchObject({
    error: { code: "not_signed_in" },
  });
  expect(sent).toEqual([]);
});

test("the source text that was changed while the model worked makes its answer a refused one", async () => {
  translateWhile(async () => {
    await window.client.sync(
      { keys: [{ namespace: "cart", key: "title", value: "Our cart" }], archive: [] },
      {},
    );
    await window.refresher.refresh({ priority: "person" });
  });
  expect(await commands.run(translateCommand, { locale: "nl", keys, save: true })).toMatchObject({
    staged: 1,
    saved: 1,
    refused: [{ key: "title" }],
  });
  expect(await translatedTexts(window)).toEqual({ total: "x Total: :amount" });
});

test("what a person discards before it is saved is not saved", async () => {
  translateWhile(
    (locale) =>
      locale === "fr" &&
      window.project.drafts.set([[{ locale: "nl", hash: keyHash(cart("title")) }, undefined]]),
  );
  expect(await commands.run(translateCommand, { locales: ["nl", "fr"], keys, save: true })).toMatchObject({
    staged: 4,
    saved: 3,
    refused: [],
  });
  expect(await translatedTexts(window)).toEqual({ total: "x Total: :amount" });
});

test("a model that fails later keeps what it proposed before, and says how much is left", async () => {
  const asked: string[] = [];
  provideModel(async (sent) => {
    const { locale, items } = itemsOf(sent);
    asked.push(locale);
    if (locale === "fr") throw new Error("The model is gone.");
    const isAgain = asked.length > 1;
    // The second answer lacks the placeholder at first.
    return answerOf(
      items.map((item, at) => (at === 0 || isAgain ? rightAnswer(item) : { id: item.id, text: "x" })),
    );
  });
  expect(await commands.run(translateCommand, { locales: ["nl", "fr"], keys })).toMatchObject({
    outcome: "failed",
    error: { message: expect.stringContaining("Not done: 2.") },
    staged: 2,
    requests: 3,
  });
  expect(asked).toEqual(["nl", "nl", "fr"]);
  expect([draftsOf().length, draftsOf("fr").length]).toEqual([2, 0]);
});

test("an empty source text is not selected, also if its key was named", async () => {
  const key = window.project.keys.get(keyHash(cart("title"))) ?? expect.fail("the project has it");
  window.project.keys.put([{ ...key, sourceHash: null, text: { value: "" } }], Number.MAX_SAFE_INTEGER);
  for (const isMissing of [false, true]) {
    const selected = await selectKeys(commands.open, "nl", keys, isMissing);
    expect([selected.keys.map((each) => each.key), selected.refused]).toEqual([["total"], []]);
  }
});

test("signing out while the model works ends it; what was proposed stays with that project", async () => {
  const other = await openShop([registerTranslate]);
  translateWhile((locale) => locale === "fr" && commands.connect(other.commands.open));
  expect(await commands.run(translateCommand, { locales: ["nl", "fr"], keys, save: true })).toMatchObject({
    outcome: "failed",
    error: { code: "not_signed_in" },
    staged: 4,
    saved: 0,
  });
  expect([...other.window.project.drafts.all()]).toEqual([]);
  expect([draftsOf().length, draftsOf("fr").length]).toEqual([2, 2]);
  expect(await translatedTexts(window)).toEqual({});
  await other.shop.close();
});

test("signing out while translations are saved writes none of the others into the files", async () => {
  let signsOut = false;
  const other = await openShop([registerTranslate], {
    intercept: async (request, forward) => {
      const answer = await forward();
      if (signsOut && request.startsWith("PUT")) other.window.project.setSession({ kind: "signed-out" });
      return answer;
    },
  });
  translateWhile(() => undefined);
  signsOut = true;
  const options = { locales: ["fr", "nl"], keys: [cart("voucher.label")], save: true };
  expect(await other.commands.run(translateCommand, options)).toMatchObject({ staged: 2 });
  expect(other.window.project.session.kind).toBe("signed-out");
  expect(await other.shop.read("lang/nl/cart.php")).not.toContain("Voucher");
  await other.shop.close();
});

test("an outdated translation is translated again, and saved over the one that it had", async () => {
  await setTranslations(window, "nl", [{ name: cart("title"), text: { value: "Mandje" } }], "overwrite");
  await window.client.sync(
    { keys: [{ namespace: "cart", key: "title", value: "Our cart" }], archive: [] },
    {},
  );
  await window.refresher.refresh({ priority: "person" });
  translateWhile(() => undefined);
  const options = { locale: "nl", keys, missingOnly: true, save: true };
  expect(await commands.run(translateRowCommand, options)).toMatchObject({
    staged: 2,
    saved: 2,
    refused: [],
  });
  expect(await translatedTexts(window)).toEqual({ title: "x Our cart", total: "x Total: :amount" });
});
