/** Edit Translation as a user answers it, with somebody else who edits the same text. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { editTranslationCommand } from "../../../src/commands/declarations/text-commands.ts";
import { registerEditTranslation } from "../../../src/features/edit-translation/edit-translation-command.ts";
import { UnsavedInput } from "../../../src/vscode/projects/unsaved-input.ts";
import { type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import { cart, hashOf, openShop, translate, translatedTexts } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { answerNextInput, pickInNextList } from "../support/vscode-stub.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
/** Called before each request. */
let onRequest: () => void;
beforeEach(async () => {
  onRequest = () => undefined;
  ({ shop, window, commands } = await openShop([registerEditTranslation], {
    intercept: (_request, forward) => {
      onRequest();
      return forward();
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
  pickInNextList("Take Theirs");
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
