/**
 * Somebody signs in to another project while a command waits: what arrives then belongs to the project that the command began
 * with. Nothing of it is stored for, or sent to, the other one.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { renameAtServiceCommand } from "../../../src/commands/declarations/key-commands.ts";
import {
  importLocalCommand,
  pullCommand,
  pushCommand,
} from "../../../src/commands/declarations/sync-commands.ts";
import { setTranslationCommand, translateCommand } from "../../../src/commands/declarations/text-commands.ts";
import { addRename, pendingRenames } from "../../../src/database/personal/pending-rename-repository.ts";
import { registerEditTranslation } from "../../../src/features/edit-translation/edit-translation-command.ts";
import { registerImportLocal } from "../../../src/features/import/import-local-translations.ts";
import { registerPull } from "../../../src/features/pull/pull-command.ts";
import { registerPush } from "../../../src/features/push/push-command.ts";
import { registerRenameAtService } from "../../../src/features/rename/rename-at-service-command.ts";
import { registerTranslate } from "../../../src/features/translate/translate-command.ts";
import { TranslationsDocument } from "../../../src/features/translation-editor/translations-document.ts";
import { textFingerprint } from "../../../src/model/agreed-text.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { answerOf, itemsOf, rightAnswer } from "../machine-translation/support.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import type { TestWindow } from "../support/test-window.ts";
import { answerNextList, provideModel } from "../support/vscode-stub.ts";

const FEATURES = [
  registerEditTranslation,
  registerImportLocal,
  registerPull,
  registerPush,
  registerRenameAtService,
  registerTranslate,
];

let shop: FixtureProject;
let elsewhere: FixtureProject;
let window: TestWindow;
let other: TestWindow;
let commands: CommandRunner;
/** The beginning of the request after whose answer somebody signs in elsewhere; `null`: after none. */
let after: string | null;
let stored: unknown;

beforeEach(async () => {
  after = null;
  [shop, elsewhere] = await Promise.all([openFixtureProject(), openFixtureProject()]);
  window = await shop.open("one", {
    intercept: async (request, forward) => {
      const answer = await forward();
      if (after !== null && request.startsWith(after)) signInElsewhere();
      return answer;
    },
  });
  other = await elsewhere.open();
  commands = createCommandRunner(window, rootOf(shop), FEATURES);
  for (const [each, runner] of [
    [window, commands],
    [other, createCommandRunner(other, rootOf(elsewhere), FEATURES)],
  ] as const) {
    await each.refresher.refresh();
    expect(await runner.run(pushCommand, {})).toMatchObject({ outcome: "done" });
    for (const locale of ["nl", "fr"]) await each.refresher.ensureLocale(locale);
  }
  stored = contentOf(other);
  other.takeRequests();
});
afterEach(async () => {
  provideModel(null);
  await Promise.all([shop.close(), elsewhere.close()]);
});

function signInElsewhere(): void {
  after = null;
  commands.connect(createCommandRunner(other, rootOf(elsewhere), []).open);
}

/** What a person made in a project, and the texts that are cached of it. */
function contentOf({ project, database }: TestWindow): unknown {
  const personal = ["drafts", "rejected_translations", "unsaved_input", "state", "agreed_texts"];
  return [
    personal.map((table) => project.personal.database.all(`SELECT * FROM ${table} ORDER BY 1, 2, 3`)),
    database.all("SELECT hash, text FROM keys ORDER BY 1"),
    database.all("SELECT locale, hash, text FROM translations WHERE text IS NOT NULL ORDER BY 1, 2"),
  ];
}

const cart = (key: string) => ({ namespace: "cart", key, context: null });
const hashOf = (key: string): string => keyHash(cart(key));
const agreed = (locale: string, key: string) => window.project.agreedTexts.get(locale, hashOf(key));

async function edit(path: string, before: string, text: string): Promise<void> {
  const content = await shop.read(path);
  expect(content).toContain(before);
  await shop.write(path, content.replace(before, text));
}

/** Nothing was stored for the other project, and nothing written to its service. */
function expectNothingElsewhere(): void {
  expect(contentOf(other)).toEqual(stored);
  expect(other.takeRequests().filter((request) => !request.startsWith("GET "))).toEqual([]);
}

test("a push stores what was agreed for the project that it was sent to", async () => {
  await edit("lang/en/cart.php", "Your cart", "Your basket");
  after = "POST /keys/sync";
  await commands.run(pushCommand, {});
  expect(agreed("en", "title")).toBe(textFingerprint({ value: "Your basket" }));
  expectNothingElsewhere();
});

test("a push that was compared before sends nothing", async () => {
  await edit("lang/en/cart.php", "Your cart", "Your basket");
  answerNextList((preview) => {
    signInElsewhere();
    preview.accept();
  });
  expect(await commands.ask(pushCommand, {})).toMatchObject({ outcome: "failed" });
  expectNothingElsewhere();
});

test("a pull stores what was agreed for the project that it came from", async () => {
  const title = { locale: "fr", namespace: "cart", key: "title", value: "Votre panier" };
  expect(await commands.run(setTranslationCommand, title)).toMatchObject({ outcome: "done" });
  after = "GET /exports/";
  expect(await commands.run(pullCommand, { profile: "app" })).toMatchObject({ outcome: "done" });
  expect(await shop.read("lang/fr/cart.php")).toContain("Votre panier");
  expect(agreed("fr", "title")).toBe(textFingerprint({ value: "Votre panier" }));
  expectNothingElsewhere();
});

test("an import stores what was agreed for the project that it was sent to", async () => {
  after = "PUT /translations/nl";
  await commands.run(importLocalCommand, { locale: "nl" });
  expectNothingElsewhere();
});

test("a rename that is done stays pending elsewhere", async () => {
  await edit("lang/en/cart.php", "'title'", "'heading'");
  for (const { project } of [window, other]) addRename(project, cart("title"), cart("heading"));
  stored = contentOf(other);
  after = "POST /keys/sync";
  await commands.run(renameAtServiceCommand, { from: cart("title"), to: cart("heading") });
  expect(pendingRenames(window.project, await window.local.reload())).toEqual([]);
  expectNothingElsewhere();
});

test("what a language model answers late is proposed where it was asked for, and not saved", async () => {
  provideModel(async (messages) => {
    signInElsewhere();
    return answerOf(itemsOf(messages).items.map(rightAnswer));
  });
  const keys = ["title", "total"].map(cart);
  expect(await commands.run(translateCommand, { locale: "fr", keys, save: true })).toMatchObject({
    outcome: "failed",
  });
  expect(window.project.drafts.count()).toBe(2);
  expectNothingElsewhere();
});

test("the translation editor saves no text of another project", async () => {
  const document = new TranslationsDocument(commands.app, commands.open.fileUri, () => undefined);
  document.stage(
    ["fr", "nl"].map((locale) => ({ locale, hash: hashOf("title"), text: { value: "Panier" } })),
  );
  document.stage([{ locale: "en", hash: hashOf("title"), text: { value: "Your basket" } }]);
  after = "PUT /translations/";
  await document.save({ signal: new AbortController().signal, report: () => undefined });
  document.dispose();
  expectNothingElsewhere();
});
