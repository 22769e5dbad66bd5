/** Translations of a language model, in a project at a service: what somebody writes meanwhile is kept. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { translateCommand, translateKeyCommand } from "../../../src/commands/declarations/text-commands.ts";
import { registerTranslate } from "../../../src/features/translate/translate-command.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { setTranslations } from "../../../src/sync/edit/send-translations.ts";
import { answerOf, itemsOf, rightAnswer } from "../machine-translation/support.ts";
import { type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import { cart, openShop, translatedTexts } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { provideModel } from "../support/vscode-stub.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
beforeEach(async () => {
  ({ shop, window, commands, refuse } = await openShop([registerTranslate]));
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

/** Types a text, as a user does while the model works. */
const type = (key: string, value: string): void =>
  window.project.drafts.put([
    {
      locale: "nl",
      hash: keyHash(cart(key)),
      text: { value },
      base: null,
      baseVersion: null,
      origin: "person",
      model: null,
      source: null,
    },
  ]);

/** The model translates everything, but `meanwhile` comes first. */
const translateWhile = (meanwhile: (locale: string) => unknown): void =>
  provideModel(async (messages) => {
    const { locale, items } = itemsOf(messages);
    await meanwhile(locale);
    return answerOf(items.map(rightAnswer));
  });

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
