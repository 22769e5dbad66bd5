/** Previews as a user answers them: what was unchecked is not sent, written or archived. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { archiveCommand, removeUnusedCommand } from "../../../src/commands/declarations/key-commands.ts";
import {
  importLocalCommand,
  pullCommand,
  pushCommand,
} from "../../../src/commands/declarations/sync-commands.ts";
import { applySuggestionsCommand } from "../../../src/commands/declarations/text-commands.ts";
import { registerApplySuggestions } from "../../../src/features/apply-suggestions/apply-suggestions-command.ts";
import {
  registerArchive,
  restoreCommand,
} from "../../../src/features/archive-keys/archive-and-restore-commands.ts";
import { registerImport } from "../../../src/features/import/import-command.ts";
import { registerPull } from "../../../src/features/pull/pull-command.ts";
import { registerPush } from "../../../src/features/push/push-command.ts";
import { registerRenameAtService } from "../../../src/features/rename/rename-at-service-command.ts";
import { addRename } from "../../../src/database/personal/pending-rename-repository.ts";
import type { Job } from "../../../src/api/response-schemas.ts";
import { setTranslations } from "../../../src/sync/edit/send-translations.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import {
  cart,
  DUTCH,
  ENGLISH,
  hashOf,
  openShop,
  sourceTexts,
  translate,
  translatedTexts,
} from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import {
  answerNextInput,
  answerNextList,
  messages,
  pickInNextList,
  window as shown,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
const FEATURES = [
  registerPull,
  registerImport,
  registerArchive,
  registerApplySuggestions,
  registerRenameAtService,
];
beforeEach(async () => {
  ({ shop, window, commands, refuse } = await openShop(FEATURES));
});
afterEach(() => shop.close());

test("a push sends what is still checked, and offers the rest again", async () => {
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  await shop.edit(ENGLISH, '"Total: :amount"', '"Sum: :amount"');
  answerNextList((preview) => {
    expect(preview.title).toBe("Push to Test: 2 changed");
    preview.toggle("total");
    expect(preview.title).toBe("Push to Test: 1 changed");
    preview.accept();
  });
  expect(await commands.ask(pushCommand, {})).toMatchObject({ outcome: "done", result: { updated: 1 } });
  expect(await sourceTexts(window)).toMatchObject({ title: "Our cart", total: "Total: :amount" });
  answerNextList((preview) => {
    expect(preview.checked).toEqual(["$(edit) cart.total"]);
    preview.toggle("total");
    preview.accept();
    // Nothing is selected, so the list stays open.
    expect(preview.title).toBe("Push to Test: nothing selected");
    preview.hide();
  });
  expect(await commands.ask(pushCommand, {})).toEqual({ outcome: "cancelled" });
  expect(await sourceTexts(window)).toMatchObject({ total: "Total: :amount" });
});

test("a push renames what is checked, and is done if nothing else is", async () => {
  await translate(window, { title: "Je mandje" });
  await shop.edit(ENGLISH, "'title'", "'heading'");
  await shop.edit(ENGLISH, '"Total: :amount"', '"Sum: :amount"');
  addRename(window.project, cart("title"), cart("heading"));
  // Why a rename failed is in Activity.
  refuse("POST /keys/sync");
  answerNextList((preview) => {
    preview.toggle("total");
    preview.accept();
  });
  expect(await commands.ask(pushCommand, {})).toMatchObject({ outcome: "unchanged" });
  expect(commands.results.at(-1)?.kind).toBe("failed");
  refuse(null);
  answerNextList((preview) => {
    expect(preview.title).toBe("Push to Test: 1 renamed, 1 changed");
    preview.toggle("total");
    preview.accept();
  });
  expect(await commands.ask(pushCommand, {})).toMatchObject({ outcome: "done", result: { created: 0 } });
  expect(messages.at(-1)?.text).toBe("Renamed on Test: 1 key.");
  expect(await sourceTexts(window)).toMatchObject({ heading: "Your cart", total: "Total: :amount" });
  expect(Object.keys(await sourceTexts(window))).not.toContain("title");
  expect(await translatedTexts(window)).toMatchObject({ heading: "Je mandje" });
});

test("a push does not call a key renamed whose old name stays, since its translation is outdated", async () => {
  await translate(window, { title: "Je mandje" });
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  await commands.run(pushCommand, {});
  await shop.edit(ENGLISH, "'title'", "'heading'");
  addRename(window.project, cart("title"), cart("heading"));
  const warn = vi.spyOn(shown, "showWarningMessage");
  answerNextList((preview) => preview.accept());
  expect(await commands.ask(pushCommand, {})).toMatchObject({ outcome: "unchanged" });
  expect(warn).toHaveBeenCalledWith("Renamed on Test: 0 of 1. See Activity for the reason.", "Show Activity");
  warn.mockRestore();
  expect(Object.keys(await sourceTexts(window))).toEqual(expect.arrayContaining(["title", "heading"]));
});

test("a push lists keys to archive on request, and archives only those that are checked then", async () => {
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  await shop.edit(ENGLISH, "    'voucher' => [\n        'label' => 'Voucher code',\n    ],\n", "");
  await shop.edit("lang/en.json", ',\n    "Log out": "Log out"', "");
  answerNextList(async (preview) => {
    preview.toggle("cart.title");
    preview.toggle("cart.title");
    preview.press("Also List Keys Missing from Local Files, to Archive Them");
    await waitUntil(() => preview.rows.includes("$(archive) cart.voucher.label"));
    expect(preview.checked).toEqual(["$(edit) cart.title"]);
    expect(preview.buttons).toEqual([]);
    preview.toggle("voucher.label");
    expect(preview.title).toBe("Push to Test: 1 changed, 1 to archive");
    preview.accept();
  });
  expect(await commands.ask(pushCommand, {})).toMatchObject({ result: { updated: 1, archived: 1 } });
  expect(Object.keys(await sourceTexts(window))).not.toContain("voucher.label");
  const { data } = await window.client.keys({});
  expect(data.filter(({ archived }) => !archived).map(({ key }) => key)).toContain("Log out");
});

test("a push whose keys to archive cannot be listed fails, and sends nothing", async () => {
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  answerNextList((preview) => {
    refuse("POST /keys/diff");
    preview.press("Also List Keys Missing from Local Files, to Archive Them");
  });
  expect(await commands.ask(pushCommand, {})).toMatchObject({
    outcome: "failed",
    error: { code: "forbidden" },
  });
  expect(await sourceTexts(window)).toMatchObject({ title: "Your cart" });
});

test("a pull uses the only export format without asking, and leaves the project file", async () => {
  await translate(window, { title: "Je winkelmandje" });
  answerNextList((preview) => preview.accept());
  expect(await commands.ask(pullCommand, {})).toMatchObject({ outcome: "done" });
  await expect(shop.read("project-translations.json")).rejects.toThrow("ENOENT");
});

test("a pull asks which export format to use, and remembers it only when it is done", async () => {
  const format = {
    name: "Web",
    format: "laravel_php",
    path: "lang/{locale}/{namespace}.php",
    missing: "omit",
  };
  const exportProfiles = [
    { ...format, key: "web", locales: null },
    { ...format, key: "dutch", name: "dutch", locales: ["nl"] },
  ];
  const other = await openFixtureProject({ exportProfiles });
  try {
    const unsaved = new Map<string, string>();
    const there = await other.open("one", { unsaved });
    await there.refresher.refresh();
    const others = createCommandRunner(there, rootOf(other), [registerPush, registerPull]);
    await others.run(pushCommand, {});
    const edits = [{ name: cart("title"), text: { value: "Je winkelmandje" } }];
    await setTranslations(there, "nl", edits, "overwrite");
    await there.refresher.refresh({ priority: "person" });
    pickInNextList((items) => {
      expect(items.map(({ label, description, detail }) => [label, description, detail])).toEqual([
        ["$(cloud-download) Web", "web · Laravel PHP", ""],
        ["$(cloud-download) dutch", "Laravel PHP", "nl"],
        ["$(edit) Type Another Key…", undefined, undefined],
      ]);
      return items[0];
    });
    answerNextList((preview) => preview.hide());
    expect(await others.ask(pullCommand, {})).toEqual({ outcome: "cancelled" });
    await expect(other.read("project-translations.json")).rejects.toThrow("ENOENT");
    pickInNextList("Web");
    unsaved.set(DUTCH, "<?php return [];");
    expect(await others.ask(pullCommand, {})).toMatchObject({ outcome: "failed" });
    await expect(other.read("project-translations.json")).rejects.toThrow("ENOENT");
    unsaved.clear();
    pickInNextList("Type Another Key…");
    answerNextInput((input) => {
      input.type(" ");
      input.accept();
      expect(input.validationMessage).toBe("Type the key of the export format.");
      input.type(" web ");
      input.accept();
    });
    answerNextList((preview) => preview.accept());
    expect(await others.ask(pullCommand, {})).toMatchObject({ outcome: "done" });
    expect(JSON.parse(await other.read("project-translations.json"))).toMatchObject({
      pull: { profile: "web" },
    });
    // Also if the export is the one that was pulled.
    await other.write("project-translations.json", '{ "pull": { "missing": "empty" } }\n');
    pickInNextList("Web");
    expect(await others.ask(pullCommand, {})).toMatchObject({ outcome: "unchanged" });
    expect(JSON.parse(await other.read("project-translations.json"))).toEqual({
      pull: { missing: "empty", profile: "web" },
    });
    // A file that cannot be changed is said, and left as it is.
    await other.write("project-translations.json", "{");
    pickInNextList("Web");
    expect(await others.ask(pullCommand, {})).toMatchObject({ outcome: "unchanged" });
    expect(others.results.at(-1)).toEqual({
      kind: "failed",
      message: expect.stringMatching(/^The export format was not saved: .*project-translations\.json/u),
    });
    expect(await other.read("project-translations.json")).toBe("{");
  } finally {
    await other.close();
  }
});

test("an export format that was chosen is not remembered if the preview is dismissed later", async () => {
  await translate(window, { title: "Je winkelmandje" });
  const job = { id: 1, type: "export", status: "succeeded", progress: null, result: null, error: null };
  const request = { locales: ["nl"], isChosen: true };
  const purpose = { kind: "export" as const, subject: ["app"], request };
  const continued = vi.spyOn(commands.app, "run");
  const read = vi.spyOn(window.files, "read");
  answerNextList((preview) => preview.hide());
  commands.endJob({ kind: "ended", job: job as Job, purpose });
  expect(await continued.mock.results[0]?.value).toEqual({ outcome: "cancelled" });
  await new Promise(setImmediate);
  // It is read before it is written.
  expect(read.mock.calls.map(([path]) => path)).not.toContain("project-translations.json");
  await expect(shop.read("project-translations.json")).rejects.toThrow("ENOENT");
});

test("a pull writes what is still checked, keeps what is kept, and nothing if it is dismissed", async () => {
  await translate(window, { title: "Je mandje", total: "Totaal: :amount" });
  await commands.run(pullCommand, { profile: "app" });
  await shop.edit(DUTCH, "Je mandje", "Mijn mandje");
  await translate(window, { title: "Hun mandje", total: "Samen: :amount" });
  const before = await shop.read(DUTCH);
  answerNextList((preview) => {
    preview.toggle("lang/nl/cart.php");
    preview.hide();
  });
  expect(await commands.ask(pullCommand, { profile: "app" })).toEqual({ outcome: "cancelled" });
  expect(await shop.read(DUTCH)).toBe(before);
  answerNextList((preview) => {
    preview.press("Keep Mine", "cart.title");
    expect(preview.checked).toEqual(["$(edit) lang/nl/cart.php"]);
    preview.accept();
  });
  expect(await commands.ask(pullCommand, { profile: "app" })).toMatchObject({ outcome: "done" });
  const after = await shop.read(DUTCH);
  expect([after.includes("Mijn mandje"), after.includes("Samen: :amount")]).toEqual([true, true]);
  // And then mine is sent, except what is unchecked.
  answerNextList((preview) => {
    expect(preview.title).toBe("1 translation changed in your files");
    preview.accept();
  });
  expect(await commands.ask(importLocalCommand, { locale: "nl" })).toMatchObject({ written: 1 });
  expect(await translatedTexts(window)).toMatchObject({ title: "Mijn mandje" });
});

test("keeps mine of all conflicts that are not checked", async () => {
  await translate(window, { title: "Je mandje", total: "Totaal: :amount" });
  await commands.run(pullCommand, { profile: "app" });
  await shop.edit(DUTCH, "Je mandje", "Mijn mandje");
  await shop.edit(DUTCH, "Totaal: :amount", "Mijn totaal: :amount");
  await translate(window, { title: "Hun mandje", total: "Hun totaal: :amount" });
  answerNextList((preview) => {
    preview.toggle("cart.total");
    preview.press("Keep Mine for All Unselected Conflicts");
    expect(preview.checked).toEqual(["$(git-compare) cart.total"]);
    preview.accept();
  });
  await commands.ask(pullCommand, { profile: "app" });
  const text = await shop.read(DUTCH);
  expect([text.includes("Mijn mandje"), text.includes("Hun totaal")]).toEqual([true, true]);
  expect(await commands.run(pullCommand, { profile: "app" })).not.toMatchObject({ outcome: "conflict" });
});

test("archives and restores what is still checked", async () => {
  const hashes = ["title", "total", "items"].map(hashOf);
  answerNextList((preview) => {
    expect(preview.title).toBe("Archive 3 keys of Test?");
    preview.toggle("total");
    expect(preview.title).toBe("Archive 2 keys of Test?");
    preview.accept();
  });
  expect(await commands.ask(archiveCommand, { hashes })).toMatchObject({ result: { archived: 2 } });
  expect(Object.keys(await sourceTexts(window)).toSorted()).toEqual(["total", "voucher.label"]);
  answerNextList((preview) => {
    expect(preview.checked).toHaveLength(2);
    preview.toggle("cart.title");
    preview.accept();
  });
  expect(await commands.ask(restoreCommand, { hashes })).toMatchObject({ result: { restored: 1 } });
  expect(Object.keys(await sourceTexts(window)).toSorted()).toEqual(["items", "total", "voucher.label"]);
  // Without names, nothing is checked at first.
  answerNextList((preview) => {
    expect([preview.rows, preview.checked]).toEqual([["$(discard) cart.title"], []]);
    expect(preview.title).toBe("Select keys to restore");
    preview.hide();
  });
  expect(await commands.ask(restoreCommand, {})).toEqual({ outcome: "cancelled" });
});

test.each(["Remove from Files…", "Restore"])("%s is offered for the archived keys only", async (label) => {
  const given: (readonly string[] | undefined)[] = [];
  for (const command of [removeUnusedCommand, restoreCommand])
    commands.app.command(command, async (_app, options) => {
      given.push(options.hashes);
      return { outcome: "cancelled" };
    });
  const inform = vi.spyOn(shown, "showInformationMessage").mockResolvedValueOnce(label);
  answerNextList((preview) => {
    preview.toggle("total");
    preview.accept();
  });
  await commands.ask(archiveCommand, { hashes: ["title", "total", "items"].map(hashOf) });
  await waitUntil(() => given.length > 0);
  expect(inform.mock.calls).toEqual([["Archived 2 keys.", "Remove from Files…", "Restore"]]);
  inform.mockRestore();
  expect(given.map((hashes) => hashes?.toSorted())).toEqual([["title", "items"].map(hashOf).toSorted()]);
});

test("archives keys that are only probably unused if they are checked", async () => {
  const options = { hashes: [hashOf("title")], alsoOffer: ["title", "total", "items"].map(hashOf) };
  answerNextList((preview) => {
    expect(preview.title).toBe("Archive 1 key of Test?");
    expect(preview.checked).toEqual(["$(archive) cart.title"]);
    expect(preview.rows).toHaveLength(3);
    preview.toggle("items");
    preview.accept();
  });
  expect(await commands.ask(archiveCommand, options)).toMatchObject({ result: { archived: 2 } });
  expect(Object.keys(await sourceTexts(window)).toSorted()).toEqual(["total", "voucher.label"]);
  // Without prompts, what was only offered stays.
  expect(await commands.run(archiveCommand, options)).toMatchObject({ outcome: "unchanged" });
  expect(Object.keys(await sourceTexts(window)).toSorted()).toEqual(["total", "voucher.label"]);
});

test("applies the suggestions that are still checked", async () => {
  await window.client.sync(
    { keys: [{ namespace: "cart", key: "title", value: "Cart of :name" }], archive: [] },
    {},
  );
  await translate(window, { title: "Mandje van :nam", total: "Totaal: :amont" });
  answerNextList((preview) => {
    expect(preview.title).toBe("Apply 2 suggestions?");
    preview.toggle("cart.title");
    preview.accept();
  });
  expect(await commands.ask(applySuggestionsCommand, { locale: "nl" })).toMatchObject({ written: 1 });
  expect(await translatedTexts(window)).toMatchObject({ title: "Mandje van :nam", total: "Totaal: :amount" });
});

test("an import of local translations sends the languages that are still checked, and then the rest", async () => {
  await shop.write("lang/fr/cart.php", "<?php\n\nreturn [\n    'title' => 'Votre panier',\n];\n");
  answerNextList((preview) => {
    expect(preview.items.find(({ label }) => label.includes("(nl)"))?.detail).toBe(DUTCH);
    preview.toggle("fr");
    preview.accept();
  });
  expect(await commands.ask(importLocalCommand, {})).toMatchObject({ outcome: "done" });
  expect(await translatedTexts(window)).toMatchObject({ title: "Je mandje" });
  expect(await translatedTexts(window, "fr")).toEqual({});
  answerNextList((preview) => {
    expect(preview.rows).toEqual([expect.stringContaining("fr")]);
    preview.accept();
  });
  expect(await commands.ask(importLocalCommand, {})).toMatchObject({ outcome: "done", written: 1 });
  expect(await translatedTexts(window, "fr")).toEqual({ title: "Votre panier" });
  expect(await commands.ask(importLocalCommand, {})).toEqual({ outcome: "unchanged" });
  expect(messages.at(-1)?.text).toBe("Every local translation is on the service: Test.");
});
