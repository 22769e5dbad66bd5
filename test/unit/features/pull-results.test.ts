/** What a pull asks of the service, and what it says, offers and resolves with, one after the other. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { pullCommand, undoPullCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { registerPull } from "../../../src/features/pull/pull-command.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import {
  EXPORT_PROFILES,
  FIXTURE_PROJECT_FILE,
  openFixtureProject,
  type FixtureProject,
} from "../support/fixture-project.ts";
import { cart, DUTCH, ENGLISH, hashOf, openShop, translate } from "../support/open-shop.ts";
import { setTranslations } from "../../../src/sync/edit/send-translations.ts";
import type { TestWindow } from "../support/test-window.ts";
import { answerNextList, clickInNextMessage, messages } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
beforeEach(async () => {
  ({ shop, window, commands } = await openShop([registerPull]));
  messages.length = 0;
});
afterEach(() => shop.close());

const FRENCH = "lang/fr/cart.php";
const pull = (options: object = {}) => commands.run(pullCommand, { profile: "app", ...options });
const ask = (options: object = {}) => commands.ask(pullCommand, { profile: "app", ...options });
/** The exports that were requested since the last call. */
const exports = () => window.takeRequests().filter((request) => request.startsWith("GET /exports/"));
async function translateToFrench(value: string): Promise<void> {
  await setTranslations(window, "fr", [{ name: cart("title"), text: { value } }], "overwrite");
  await window.refresher.refresh({ priority: "person" });
  await window.refresher.ensureLocale("fr");
}

test("of an unchanged export is made again for a person whose files differ, and for nobody else", async () => {
  await translate(window, { title: "Hun mandje" });
  await translateToFrench("Votre panier");
  answerNextList((preview) => {
    // A new file is not checked.
    expect(preview.checked).toEqual([`$(edit) ${DUTCH}`]);
    preview.accept();
  });
  expect(await ask()).toMatchObject({ outcome: "done" });
  exports();
  messages.length = 0;
  expect(await ask()).toEqual({ outcome: "unchanged", files: [] });
  expect(exports()).toHaveLength(1);
  expect(messages).toEqual([
    {
      kind: "information",
      text: "Already up to date: nothing changed on Test since the last pull.",
      actions: ["Compare Again"],
    },
  ]);
  // As on another branch.
  await shop.write(FRENCH, "<?php\n\nreturn [\n];\n");
  answerNextList((preview) => {
    expect(preview.checked).toEqual([`$(edit) ${FRENCH}`]);
    preview.accept();
  });
  expect(await ask()).toMatchObject({ outcome: "done" });
  expect(exports()).toHaveLength(2);
  expect(await shop.read(FRENCH)).toContain("Votre panier");
  // And then without a person.
  await translateToFrench("Panier");
  const dutch = { locales: ["nl"] };
  await pull(dutch);
  exports();
  messages.length = 0;
  expect(await pull(dutch)).toEqual({ outcome: "unchanged", files: [] });
  expect(exports()).toHaveLength(1);
  expect(messages).toEqual([]);
  expect(await ask(dutch)).toEqual({ outcome: "unchanged", files: [{ path: DUTCH, change: "unchanged" }] });
  expect(exports()).toHaveLength(2);
  // Nor if only a source text differs, or one that changed on both sides.
  await pull();
  await shop.edit(FRENCH, "Panier", "Mon panier");
  await translateToFrench("Leur panier");
  await isMadeAgain(dutch);
  await shop.edit(FRENCH, "Mon panier", "Leur panier");
  await window.client.sync(
    { keys: [{ namespace: "cart", key: "title", value: "Their cart" }], archive: [] },
    {},
  );
  await window.refresher.refresh({ priority: "person" });
  await isMadeAgain(dutch);
});

/** Pulls twice what is up to date, as a person does the second time, although other files differ. */
async function isMadeAgain(options: object): Promise<void> {
  await pull(options);
  expect(await pull(options)).toEqual({ outcome: "unchanged", files: [] });
  exports();
  await ask(options);
  expect(exports()).toHaveLength(2);
}

test("names all files that were asked for, and only those", async () => {
  await translate(window, { title: "Hun mandje" });
  await translateToFrench("Votre panier");
  await shop.write(FRENCH, "<?php\n\nreturn [\n];\n");
  answerNextList((preview) => {
    preview.toggle(FRENCH);
    preview.accept();
  });
  expect(await ask({ files: [DUTCH, FRENCH] })).toEqual({
    outcome: "done",
    files: [
      { path: FRENCH, change: "unchanged" },
      { path: DUTCH, change: "updated" },
    ],
  });
  expect(await pull({ files: [ENGLISH] })).toEqual({
    outcome: "unchanged",
    files: [{ path: ENGLISH, change: "unchanged" }],
  });
  // As one of everything that was left out before.
  expect(await pull()).toMatchObject({ outcome: "done" });
  expect(await shop.read(FRENCH)).toContain("Votre panier");
});

test("of a key is for the language of its row; of a source row for all of them", async () => {
  await translate(window, { title: "Hun mandje", total: "Samen: :amount" });
  await translateToFrench("Votre panier");
  await shop.write(FRENCH, "<?php\n\nreturn [\n    'title' => 'Panier',\n];\n");
  const only = [hashOf("title")];
  expect(await pull({ only, locale: "fr" })).toMatchObject({ outcome: "done" });
  expect(await shop.read(DUTCH)).toContain("Je mandje");
  expect(await shop.read(FRENCH)).toContain("Votre panier");
  expect(await pull({ only, locale: "en" })).toMatchObject({ outcome: "done" });
  expect(await shop.read(DUTCH)).toContain("Hun mandje");
  expect(await shop.read(DUTCH)).not.toContain("Samen");
});

test("offers to undo it only if it wrote something, and undoes the last of two", async () => {
  const original = await shop.read(DUTCH);
  await translate(window, { title: "Hun mandje" });
  expect(await pull()).toMatchObject({ outcome: "done" });
  expect(commands.results.at(-1)).toMatchObject({ kind: "done", context: "pulled" });
  const first = await shop.read(DUTCH);
  await translate(window, { total: "Samen: :amount" });
  answerNextList((preview) => preview.accept());
  expect(await ask()).toMatchObject({ outcome: "done" });
  expect(messages.splice(0).map(({ kind, actions }) => [kind, actions])).toEqual([
    ["information", ["Show Changes", "Undo"]],
  ]);
  // Nothing is left to choose.
  expect(await ask({ ignoreEtag: true })).toMatchObject({ outcome: "unchanged" });
  expect(messages.splice(0)).toEqual([
    { kind: "information", text: "Already up to date: all files match Test.", actions: [] },
  ]);
  expect(commands.results.at(-1)?.context).toBeUndefined();
  expect(await commands.ask(undoPullCommand, {})).toEqual({ outcome: "done" });
  expect(await shop.read(DUTCH)).toBe(first);
  expect(messages.splice(0).map(({ text }) => text)).toEqual([
    "The pull from Test was undone: 1 translation in 1 file.",
  ]);
  expect(await commands.ask(undoPullCommand, {})).toMatchObject({ error: { reason: "no_pull" } });
  expect(await shop.read(DUTCH)).not.toBe(original);
});

test("says how many files it could not change, beside what it wrote, and does not call it all done", async () => {
  await translate(window, { title: "Hun mandje" });
  await translateToFrench("Votre panier");
  await shop.write(FRENCH, "<?php\n\nreturn [ 'title' => ");
  answerNextList((preview) => preview.accept());
  messages.length = 0;
  expect(await ask()).toMatchObject({ outcome: "done", items: [{ file: FRENCH }] });
  expect(messages.map(({ kind, text }) => [kind, text])).toEqual([
    ["warning", "Pulled from Test: 1 translation in 1 file. Could not be applied: 1."],
  ]);
  expect(commands.results.at(-1)).toMatchObject({
    kind: "partly",
    message: "Pulled from Test: 1 translation in 1 file.",
  });
  expect(await shop.read(DUTCH)).toContain("Hun mandje");
});

test("that creates a file removes it when it is undone, and can be made again", async () => {
  await translateToFrench("Votre panier");
  expect(await pull()).toMatchObject({ outcome: "done" });
  expect(await shop.read(FRENCH)).toContain("Votre panier");
  expect(await commands.run(undoPullCommand, {})).toEqual({ outcome: "done" });
  await expect(shop.read(FRENCH)).rejects.toThrow("ENOENT");
  expect(await pull()).toMatchObject({ outcome: "done" });
  expect(await shop.read(FRENCH)).toContain("Votre panier");
});

test("that left a text in a file can be made again on request, as it was asked for", async () => {
  await translate(window, { title: "Je mandje" });
  await pull();
  await shop.edit(DUTCH, "Je mandje", "Mijn mandje");
  await translate(window, { title: "Hun mandje" });
  answerNextList((preview) => {
    expect(preview.checked).toEqual([]);
    preview.press("Keep Mine", "cart.title");
    preview.accept();
  });
  clickInNextMessage("Compare Again");
  let compared: readonly string[] | undefined;
  answerNextList((preview) => {
    compared = preview.rows;
    preview.hide();
  });
  exports();
  expect(await ask({ locales: ["nl"], missing: "omit" })).toMatchObject({ outcome: "unchanged" });
  expect(messages.at(-1)).toMatchObject({ actions: ["Show Details", "Compare Again"] });
  await waitUntil(() => compared !== undefined);
  expect(compared).toEqual(["$(edit) cart.title"]);
  const asked = "GET /exports/app?locales=nl&missing=omit";
  expect(exports().filter((request) => request === asked)).toHaveLength(2);
  expect(await shop.read(DUTCH)).toContain("Mijn mandje");
  // Source texts that were not pushed are a choice only then.
  await shop.edit(DUTCH, "Mijn mandje", "Hun mandje");
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  expect(await ask()).toMatchObject({ outcome: "unchanged" });
  answerNextList((preview) => {
    expect(preview.rows).toEqual(["$(edit) cart.title"]);
    preview.hide();
  });
  expect(await ask({ ignoreEtag: true })).toEqual({ outcome: "cancelled" });
});

test("takes the export format, and what it has for missing translations, of the project file, unless they are given", async () => {
  await shop.close();
  const [app] = EXPORT_PROFILES;
  shop = await openFixtureProject({ exportProfiles: [{ ...app, key: "web" }, app] });
  const file = { ...FIXTURE_PROJECT_FILE, pull: { profile: "app", missing: "empty" as const } };
  const other = await shop.open("two", { file });
  const runner = createCommandRunner(other, rootOf(shop), [registerPull]);
  // Which languages there are is asked first.
  const requested = () => other.takeRequests().filter((each) => /^GET \/(?:stats|exports)/u.test(each));
  expect(await runner.run(pullCommand, {})).toMatchObject({ outcome: "unchanged" });
  expect(requested().slice(0, 2)).toEqual(["GET /stats", "GET /exports/app?missing=empty"]);
  expect(await runner.run(pullCommand, { profile: "web", missing: "omit" })).toMatchObject({});
  expect(requested()[0]).toBe("GET /exports/web?missing=omit");
  expect(await runner.run(pullCommand, { profile: "nowhere" })).toMatchObject({
    error: { code: "not_found", message: expect.stringContaining("“nowhere”") },
  });
  // Nobody can be asked which of them.
  const without = createCommandRunner(await shop.open("three"), rootOf(shop), [registerPull]);
  expect(await without.run(pullCommand, {})).toMatchObject({ error: { code: "invalid", reason: "profile" } });
});
