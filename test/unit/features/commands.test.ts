/** Commands one after the other, without prompts, on real files and the local service: nothing of a person is lost. */
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  archiveCommand,
  giveUpRenameCommand,
  renameAtServiceCommand,
} from "../../../src/commands/declarations/key-commands.ts";
import {
  pullCommand,
  pushCommand,
  undoPullCommand,
} from "../../../src/commands/declarations/sync-commands.ts";
import {
  applySuggestionCommand,
  applySuggestionsCommand,
  setTranslationCommand,
  setTranslationsCommand,
} from "../../../src/commands/declarations/text-commands.ts";
import type { Job } from "../../../src/api/response-schemas.ts";
import { addRename, pendingRenames } from "../../../src/database/personal/pending-rename-repository.ts";
import { registerApplySuggestions } from "../../../src/features/apply-suggestions/apply-suggestions-command.ts";
import {
  registerArchive,
  restoreCommand,
} from "../../../src/features/archive-keys/archive-and-restore-commands.ts";
import {
  writeTranslation,
  writeTranslations,
} from "../../../src/features/edit-translation/set-translation-command.ts";
import { registerImport } from "../../../src/features/import/import-command.ts";
import { registerPull } from "../../../src/features/pull/pull-command.ts";
import { registerPush } from "../../../src/features/push/push-command.ts";
import { registerRenameAtService } from "../../../src/features/rename/rename-at-service-command.ts";
import { registerUpdateKey, updateKeyCommand } from "../../../src/features/update-key/update-key-command.ts";
import { projectIssues, type KeyIssue } from "../../../src/sync/qa-issues.ts";
import type { App } from "../../../src/vscode/app.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import {
  cart,
  DUTCH,
  ENGLISH,
  hashOf,
  openShop,
  sourceTexts,
  setTranslation,
  translation,
} from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { messages } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const registerSetTranslation = (app: App): void => {
  app.command(setTranslationCommand, writeTranslation);
  app.command(setTranslationsCommand, writeTranslations);
};
const FEATURES = [
  registerPush,
  registerPull,
  registerImport,
  registerArchive,
  registerRenameAtService,
  registerApplySuggestions,
  registerSetTranslation,
  registerUpdateKey,
];

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
/** Unsaved texts of editors, by path. */
const unsaved = new Map<string, string>();
beforeEach(async () => {
  unsaved.clear();
  ({ shop, window, commands } = await openShop(FEATURES, { unsaved }));
});
afterEach(() => shop.close());

/** A source text that somebody else changed at the service. */
const changeAtService = (key: string, value: string) =>
  window.client.sync({ keys: [{ namespace: "cart", key, value }], archive: [] }, {});

describe("a push", () => {
  test("leaves what somebody changed at the service, and then overwrites only what was named", async () => {
    await changeAtService("title", "Their cart");
    await changeAtService("total", "Their total: :amount");
    const left = await commands.run(pushCommand, {});
    expect(left.outcome).toBe("unchanged");
    await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
    const conflict = await commands.run(pushCommand, {});
    expect(conflict).toMatchObject({ outcome: "conflict", items: [{ key: "title" }, { key: "total" }] });
    expect(await sourceTexts(window)).toMatchObject({ title: "Their cart", total: "Their total: :amount" });
    const asked = await commands.run(pushCommand, { only: [hashOf("title")] });
    expect(asked).toMatchObject({ outcome: "done", result: { updated: 1 } });
    expect(await sourceTexts(window)).toMatchObject({ title: "Our cart", total: "Their total: :amount" });
  });

  test("leaves archived keys, and then restores those that were named", async () => {
    await commands.run(archiveCommand, { hashes: [hashOf("title"), hashOf("total")] });
    expect(Object.keys(await sourceTexts(window))).toEqual(["items", "voucher.label"]);
    expect((await commands.run(pushCommand, {})).outcome).toBe("unchanged");
    expect(Object.keys(await sourceTexts(window))).toEqual(["items", "voucher.label"]);
    expect(await commands.run(pushCommand, { only: [hashOf("total")] })).toMatchObject({
      result: { restored: 1 },
    });
    expect(Object.keys(await sourceTexts(window)).toSorted()).toEqual(["items", "total", "voucher.label"]);
  });

  test("archives keys that are missing, and not the old key of a rename until it was renamed", async () => {
    await setTranslation(commands, "title", "Je mandje");
    await shop.edit(ENGLISH, "'title'", "'heading'");
    await shop.edit(ENGLISH, "    'voucher' => [\n        'label' => 'Voucher code',\n    ],\n", "");
    addRename(window.project, cart("title"), cart("heading"));
    const dry = await commands.run(pushCommand, { archiveMissing: true, dryRun: true });
    expect(dry).toMatchObject({ plan: { new: 1, archive: 1 } });
    expect(await commands.run(pushCommand, { archiveMissing: true })).toMatchObject({
      result: { created: 1, archived: 1 },
    });
    expect(Object.keys(await sourceTexts(window)).toSorted()).toEqual(["heading", "items", "title", "total"]);
    expect(await translation(window, "title")).toBe("Je mandje");

    const renamed = await commands.run(renameAtServiceCommand, { from: cart("title"), to: cart("heading") });
    expect(renamed).toMatchObject({ outcome: "done", copied: 1, archived: true });
    expect(await translation(window, "heading")).toBe("Je mandje");
    expect(pendingRenames(window.project, await window.local.reload())).toEqual([]);
    expect(await commands.run(pushCommand, { archiveMissing: true })).toMatchObject({ outcome: "unchanged" });
    expect(Object.keys(await sourceTexts(window)).toSorted()).toEqual(["heading", "items", "total"]);
  });

  test("sends only the keys of the files that were named, and then the rest", async () => {
    await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
    await shop.edit("lang/en.json", '"Log out": "Log out"', '"Log out": "Leave"');
    const result = await commands.run(pushCommand, { files: [ENGLISH] });
    expect(result).toMatchObject({ outcome: "done", result: { updated: 1 } });
    expect(await sourceTexts(window)).toMatchObject({ title: "Our cart" });
    expect(await commands.run(pushCommand, {})).toMatchObject({ result: { updated: 1 } });
  });

  test("of files that were named overwrites nothing that somebody changed at the service", async () => {
    await changeAtService("title", "Their cart");
    await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
    expect(await commands.run(pushCommand, { files: [ENGLISH] })).toMatchObject({ outcome: "conflict" });
    expect(await sourceTexts(window)).toMatchObject({ title: "Their cart" });
  });

  test("changes nothing in a dry run", async () => {
    await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
    const first = await commands.run(pushCommand, { dryRun: true });
    expect(first).toMatchObject({ outcome: "done", plan: { changed: 1 } });
    expect("result" in first).toBe(false);
    expect(await sourceTexts(window)).toMatchObject({ title: "Your cart" });
    expect(await commands.run(pushCommand, { dryRun: true })).toEqual(first);
  });

  test("archives nothing while a file cannot be read, and names it", async () => {
    await shop.write(ENGLISH, (await shop.read(ENGLISH)).replace("];", ""));
    const failed = await commands.run(pushCommand, { archiveMissing: true });
    expect(failed).toMatchObject({
      outcome: "failed",
      error: { reason: "unread_source", items: [{ file: ENGLISH, key: "*" }] },
    });
    expect(Object.keys(await sourceTexts(window))).toHaveLength(4);
  });
});

describe("archive and restore", () => {
  test("restore the keys that were named, and leave the other archived ones", async () => {
    const all = ["title", "items", "total", "voucher.label"];
    expect(await commands.run(archiveCommand, { hashes: all.map(hashOf) })).toMatchObject({
      result: { archived: 4 },
    });
    expect(await sourceTexts(window)).toEqual({});
    const three = ["title", "items", "total"].map(hashOf);
    expect(await commands.run(restoreCommand, { hashes: [...three, hashOf("unknown")] })).toMatchObject({
      outcome: "done",
      result: { restored: 3 },
    });
    expect(Object.keys(await sourceTexts(window)).toSorted()).toEqual(["items", "title", "total"]);
    expect(await commands.run(restoreCommand, { hashes: three })).toMatchObject({ outcome: "unchanged" });
    expect(await commands.run(restoreCommand, {})).toMatchObject({ result: { restored: 1 } });
  });

  test("are not to be pushed on a machine that never had them as active keys", async () => {
    await commands.run(archiveCommand, { hashes: [hashOf("title"), hashOf("total")] });
    const other = await shop.open("other");
    await other.refresher.refresh();
    const { open } = createCommandRunner(other, rootOf(shop), FEATURES);
    expect((await open.countPendingChanges()).toPush).toEqual({ new: 0, changed: 0, restored: 2 });
    await commands.run(restoreCommand, {});
    await other.refresher.refresh({ priority: "person" });
    expect((await open.countPendingChanges()).toPush).toEqual({ new: 0, changed: 0, restored: 0 });
  });

  test("archive a key that was named twice once, and none that does not exist", async () => {
    const twice = [hashOf("title"), hashOf("title"), hashOf("nothing")];
    expect(await commands.run(archiveCommand, { hashes: twice })).toMatchObject({ result: { archived: 1 } });
    expect(await commands.run(archiveCommand, { hashes: twice })).toMatchObject({ outcome: "unchanged" });
  });

  test("restore a key with its translations", async () => {
    await setTranslation(commands, "title", "Je mandje");
    await commands.run(archiveCommand, { hashes: [hashOf("title")] });
    await commands.run(restoreCommand, { hashes: [hashOf("title")] });
    expect(await translation(window, "title")).toBe("Je mandje");
    expect(await sourceTexts(window)).toMatchObject({ title: "Your cart" });
  });
});

describe("a pull", () => {
  const pull = (options: Parameters<typeof commands.run<typeof pullCommand>>[1] = {}) =>
    commands.run(pullCommand, { profile: "app", locales: ["en", "nl", "fr"], ...options });
  const changed = (result: {
    readonly files?: readonly { readonly path: string; readonly change: string }[];
  }) => (result.files ?? []).filter(({ change }) => change !== "unchanged").map(({ path }) => path);

  test("of some files, and then of everything, which is not called unchanged", async () => {
    await setTranslation(commands, "title", "Hun mandje");
    await setTranslation(commands, "title", "Votre panier", "fr");
    const french = await pull({ files: ["lang/fr/cart.php"] });
    expect(changed(french)).toEqual(["lang/fr/cart.php"]);
    expect(french).toMatchObject({ outcome: "done" });
    expect(await shop.read(DUTCH)).toContain("Je mandje");
    const rest = await pull();
    expect(changed(rest)).toEqual([DUTCH]);
    expect(await shop.read(DUTCH)).toContain("Hun mandje");
    // A file that is named is compared although nothing changed at the service.
    expect(await pull()).toEqual({ outcome: "unchanged", files: [] });
    await shop.edit(DUTCH, "Hun mandje", "Mijn mandje");
    expect(await pull({ files: [DUTCH] })).toMatchObject({ items: [{ key: "title", file: DUTCH }] });
  });

  test("of some files is not followed by one of everything when the window is closed meanwhile", async () => {
    const job = { type: "export", progress: null, result: null, error: null, createdAt: null };
    const times = { startedAt: null, finishedAt: null };
    let status = "running";
    let id = 0;
    const answer = (number: number, code: number): Response =>
      Response.json({ data: { ...job, ...times, id: number, status } }, { status: code });
    const other = await shop.open("two", {
      intercept: async (request, forward) => {
        if (request.startsWith("GET /exports/")) return answer(++id, 202);
        return request.startsWith("GET /jobs/") ? answer(id, 200) : forward();
      },
    });
    await other.refresher.refresh();
    const runner = createCommandRunner(other, rootOf(shop), FEATURES);
    const followed = () =>
      other.project.personal.get("jobs", v.array(v.object({ request: v.optional(v.unknown()) })));
    const requests: unknown[] = [];
    for (const options of [{ files: [DUTCH] }, {}]) {
      status = "running";
      const before = id;
      const result = runner.run(pullCommand, { profile: "app", ...options });
      await waitUntil(() => id > before && followed()?.length === id);
      requests.push(followed()?.[0]?.request);
      status = "failed";
      expect(await result).toMatchObject({ outcome: "failed" });
    }
    expect(requests).toEqual([undefined, { locales: [] }]);
  });

  test("leaves a conflict in the file, names it, and goes on naming it", async () => {
    await setTranslation(commands, "title", "Je mandje");
    await setTranslation(commands, "total", "Totaal: :amount");
    await pull();
    await shop.edit(DUTCH, "Je mandje", "Mijn mandje");
    await setTranslation(commands, "title", "Hun mandje");
    for (let time = 0; time < 2; time += 1) {
      const result = await pull();
      expect(result).toMatchObject({
        outcome: "conflict",
        items: [{ key: "title", locale: "nl", file: DUTCH }],
      });
      expect(await shop.read(DUTCH)).toContain("Mijn mandje");
    }
  });

  test("puts no text of another language over a translation that only the file has", async () => {
    await setTranslation(commands, "total", "Samen: :amount");
    expect(await pull({ missing: "fallback" })).toMatchObject({
      outcome: "done",
      items: [{ key: "title", locale: "nl", file: DUTCH }],
    });
    const text = await shop.read(DUTCH);
    // Where there is none, or the service has another translation, its text is taken.
    for (const part of ["Je mandje", "Samen: :amount", "'Voucher code'"]) expect(text).toContain(part);
    await setTranslation(commands, "title", "Hun mandje");
    await setTranslation(commands, "voucher.label", "Code");
    expect(await pull({ missing: "fallback" })).toMatchObject({ outcome: "done" });
    for (const part of ["Hun mandje", "'Code'"]) expect(await shop.read(DUTCH)).toContain(part);
  });

  test("puts no text of a key that is being renamed under its old name", async () => {
    await setTranslation(commands, "title", "Votre panier", "fr");
    await setTranslation(commands, "total", "Somme : :amount", "fr");
    await shop.write("lang/fr/cart.php", "<?php\n\nreturn [\n    'heading' => 'Votre panier',\n];\n");
    await shop.edit(ENGLISH, "'title'", "'heading'");
    addRename(window.project, cart("title"), cart("heading"));
    await pull({ locales: ["fr"] });
    const text = await shop.read("lang/fr/cart.php");
    expect([text.includes("'title'"), text.includes("Somme")]).toEqual([false, true]);
  });

  test("puts what the service has under the new name of a key whose rename is pending", async () => {
    await shop.edit(ENGLISH, "'title'", "'heading'");
    addRename(window.project, cart("title"), cart("heading"));
    expect(await commands.run(pushCommand, {})).toMatchObject({ result: { created: 1 } });
    await setTranslation(commands, "title", "Votre chariot", "fr");
    await setTranslation(commands, "heading", "Votre panier", "fr");
    await pull({ locales: ["fr"] });
    const text = await shop.read("lang/fr/cart.php");
    expect([text.includes("Votre chariot"), text.includes("Votre panier")]).toEqual([false, true]);
  });

  test("writes only the languages that were named", async () => {
    await setTranslation(commands, "title", "Hun mandje");
    await setTranslation(commands, "title", "Votre panier", "fr");
    expect(changed(await pull({ locales: ["fr"] }))).toEqual(["lang/fr/cart.php"]);
    expect(await shop.read(DUTCH)).toContain("Je mandje");
    // The language of a row limits a pull of single keys only.
    const only = { profile: "app", locale: "nl", only: [hashOf("title")] };
    await setTranslation(commands, "total", "Hun totaal: :amount");
    expect(changed(await commands.run(pullCommand, only))).toEqual([DUTCH]);
    expect(await shop.read(DUTCH)).toContain("Hun mandje");
    expect(await shop.read(DUTCH)).not.toContain("Hun totaal");
    expect(changed(await commands.run(pullCommand, { profile: "app", locale: "fr" }))).toEqual([DUTCH]);
  });

  test("goes on as it was asked for when its export is built after the window was closed", async () => {
    await setTranslation(commands, "title", "Hun mandje");
    await setTranslation(commands, "title", "Votre panier", "fr");
    const job = { id: 1, type: "export", status: "succeeded", progress: null, result: null, error: null };
    const purpose = { kind: "export" as const, subject: ["app"], quiet: true };
    const end = { kind: "ended" as const, job: job as Job };
    // Its user had given up waiting.
    commands.endJob({ ...end, purpose });
    expect(commands.results.filter(({ kind }) => kind === "failed")).toEqual([]);
    messages.length = 0;
    commands.endJob({ ...end, purpose: { ...purpose, quiet: false } });
    expect(messages).toMatchObject([{ text: "The export app is ready.", actions: ["Pull"] }]);
    window.takeRequests();
    commands.endJob({ ...end, purpose: { ...purpose, request: { locales: ["fr"], missing: "empty" } } });
    await waitUntil(async () => (await shop.read("lang/fr/cart.php").catch(() => "")).includes("panier"));
    const [request, ...others] = window.requests.filter((each) => each.startsWith("GET /exports/"));
    expect(request).toContain("missing=empty");
    expect(others).toEqual([]);
    expect(await shop.read(DUTCH)).toContain("Je mandje");
    // And then another one fails.
    messages.length = 0;
    for (const quiet of [true, false])
      commands.endJob({ kind: "vanished", job: job as Job, purpose: { ...purpose, quiet } });
    const message = "The service no longer knows this export. Pull again.";
    expect(commands.results.slice(-2)).toEqual([
      { kind: "failed", message },
      { kind: "failed", message },
    ]);
    expect(messages.map(({ text }) => text)).toEqual([message]);
  });

  test("remembers a chosen export format after the window was closed, and has pulled if that fails", async () => {
    const job = { id: 1, type: "export", status: "succeeded", progress: null, result: null, error: null };
    const request = { locales: ["nl"], isChosen: true };
    const purpose = { kind: "export" as const, subject: ["app"], quiet: true, request };
    const end = { kind: "ended" as const, job: job as Job, purpose };
    const file = (): Promise<string> => shop.read("project-translations.json").catch(() => "");
    commands.endJob(end);
    await waitUntil(async () => (await file()).includes('"profile": "app"'));
    await setTranslation(commands, "title", "Hun mandje");
    await shop.write("project-translations.json", "{");
    commands.endJob(end);
    await waitUntil(() => commands.results.some(({ message }) => message.includes("was not saved")));
    expect(await shop.read(DUTCH)).toContain("Hun mandje");
  });

  test("goes on with a preview, unless it was begun without prompts", () => {
    const run = vi.spyOn(commands.app, "run").mockResolvedValue({ outcome: "done" });
    const job = { id: 1, type: "export", status: "succeeded", progress: null, result: null, error: null };
    for (const quiet of [false, true]) {
      const purpose = { kind: "export" as const, subject: ["app"], quiet, request: { locales: ["fr"] } };
      commands.endJob({ kind: "ended", job: job as Job, purpose });
    }
    expect(run.mock.calls.map(([, options]) => options)).toMatchObject([
      { profile: "app", confirm: true },
      { profile: "app", confirm: false },
    ]);
  });

  test("needs a profile, and one that exists", async () => {
    expect(await commands.run(pullCommand, { profile: "nowhere" })).toMatchObject({ outcome: "failed" });
    // The only profile of the project is used.
    expect((await commands.run(pullCommand, {})).outcome).not.toBe("failed");
  });

  test("cannot be undone before there was one", async () => {
    expect(await commands.run(undoPullCommand, {})).toMatchObject({
      outcome: "failed",
      error: { reason: "no_pull" },
    });
  });

  test("is undone once, and not over what was written since", async () => {
    const before = await shop.read(DUTCH);
    await setTranslation(commands, "title", "Hun mandje");
    await pull();
    const pulled = await shop.read(DUTCH);
    await shop.write(DUTCH, `${pulled}// mine\n`);
    expect(await commands.run(undoPullCommand, {})).toMatchObject({ error: { code: "file_changed" } });
    expect(await shop.read(DUTCH)).toBe(`${pulled}// mine\n`);
    await shop.write(DUTCH, pulled);
    // A later pull that changed nothing is not the one that is undone.
    expect((await pull({ ignoreEtag: true })).outcome).toBe("unchanged");
    expect(await commands.run(undoPullCommand, {})).toMatchObject({ outcome: "done" });
    expect(await shop.read(DUTCH)).toBe(before);
    expect(await commands.run(undoPullCommand, {})).toMatchObject({ error: { reason: "no_pull" } });
    // And then it can be pulled again.
    expect(changed(await pull())).toContain(DUTCH);
  });
});

describe("a rename at the service", () => {
  test("that is refused leaves the key, and the rename pending", async () => {
    await shop.edit(ENGLISH, "'title'", "'heading'");
    addRename(window.project, cart("title"), cart("heading"));
    await changeAtService("heading", "Another text");
    const renamed = await commands.run(renameAtServiceCommand, { from: cart("title"), to: cart("heading") });
    expect(renamed).toMatchObject({ outcome: "unchanged", archived: false });
    expect(await sourceTexts(window)).toMatchObject({ title: "Your cart", heading: "Another text" });
    expect(pendingRenames(window.project, await window.local.reload())).toHaveLength(1);
    expect((await commands.run(giveUpRenameCommand, { from: cart("title") })).outcome).toBe("done");
    expect(pendingRenames(window.project, await window.local.reload())).toEqual([]);
    expect(await sourceTexts(window)).toMatchObject({ title: "Your cart" });
  });

  test("keeps the old key while a translation of it differs, and stays pending", async () => {
    await setTranslation(commands, "title", "Je mandje");
    await shop.edit(ENGLISH, "'title'", "'heading'");
    addRename(window.project, cart("title"), cart("heading"));
    await commands.run(pushCommand, {});
    await setTranslation(commands, "heading", "Iets anders");
    const kept = await commands.run(renameAtServiceCommand, { from: cart("title"), to: cart("heading") });
    expect(kept).toMatchObject({ outcome: "done", archived: false, skipped: ["nl"] });
    expect(pendingRenames(window.project, await window.local.reload())).toHaveLength(1);
    await setTranslation(commands, "heading", "Je mandje");
    const renamed = await commands.run(renameAtServiceCommand, { from: cart("title"), to: cart("heading") });
    expect(renamed).toMatchObject({ outcome: "done", archived: true });
    expect(pendingRenames(window.project, await window.local.reload())).toEqual([]);
  });

  test("gives up only the rename that was named", async () => {
    await shop.edit(ENGLISH, "'title'", "'heading'");
    await shop.edit(ENGLISH, "'total'", "'sum'");
    addRename(window.project, cart("title"), cart("heading"));
    addRename(window.project, cart("total"), cart("sum"));
    window.project.setActivity({ renames: pendingRenames(window.project, await window.local.reload()) });
    await commands.run(giveUpRenameCommand, { from: cart("title") });
    expect(pendingRenames(window.project, await window.local.reload()).map(({ from }) => from.key)).toEqual([
      "total",
    ]);
    expect(window.project.activity.renames.map(({ from }) => from.key)).toEqual(["total"]);
  });
});

describe("a translation", () => {
  const version = async (): Promise<number> =>
    (await window.client.translations("nl", {})).data.find(({ hash }) => hash === hashOf("title"))?.version ??
    0;

  test("is not written over a newer one, which is returned", async () => {
    await setTranslation(commands, "title", "Eerst");
    const read = await version();
    await setTranslation(commands, "title", "Hun mandje");
    const options = { locale: "nl", ...cart("title"), value: "Mijn mandje", version: read };
    expect(await commands.run(setTranslationCommand, options)).toMatchObject({
      outcome: "conflict",
      theirs: { value: "Hun mandje" },
    });
    expect(await translation(window, "title")).toBe("Hun mandje");
    const again = { ...options, version: await version() };
    expect((await commands.run(setTranslationCommand, again)).outcome).toBe("done");
    expect(await translation(window, "title")).toBe("Mijn mandje");
  });

  test("of several, writes those that did not change, and names the others", async () => {
    await setTranslation(commands, "title", "Eerst");
    const read = await version();
    await setTranslation(commands, "title", "Hun mandje");
    const items = [
      { ...cart("title"), value: "Mijn mandje", version: read },
      { ...cart("total"), value: "Samen: :amount" },
    ];
    expect(await commands.run(setTranslationsCommand, { locale: "nl", items })).toMatchObject({
      outcome: "done",
      written: 1,
      skipped: [{ key: "title" }],
    });
    expect([await translation(window, "title"), await translation(window, "total")]).toEqual([
      "Hun mandje",
      "Samen: :amount",
    ]);
  });

  test("fills only what is empty in that mode", async () => {
    await setTranslation(commands, "title", "Eerst");
    const items = ["title", "total"].map((key) => ({ ...cart(key), value: `${key} :amount` }));
    await commands.run(setTranslationsCommand, { locale: "nl", items, mode: "fill_empty" });
    expect([await translation(window, "title"), await translation(window, "total")]).toEqual([
      "Eerst",
      "total :amount",
    ]);
  });

  test("of a language or a key that does not exist is refused", async () => {
    expect(await setTranslation(commands, "title", "x", "xx")).toMatchObject({
      error: { code: "not_found" },
    });
    expect(await setTranslation(commands, "nothing", "x")).toMatchObject({ outcome: "failed" });
  });
});

describe("suggestions", () => {
  const wrong = async (): Promise<void> => {
    await setTranslation(commands, "total", "Totaal: :amont");
    await changeAtService("title", "Cart of :name");
    await setTranslation(commands, "title", "Mandje van :nam");
    await window.refresher.refresh({ priority: "person" });
  };

  test("are applied to the keys that were named, and then to the rest", async () => {
    await wrong();
    const hashes = [hashOf("total")];
    expect(await commands.run(applySuggestionsCommand, { locale: "nl", hashes })).toMatchObject({
      written: 1,
    });
    expect([await translation(window, "total"), await translation(window, "title")]).toEqual([
      "Totaal: :amount",
      "Mandje van :nam",
    ]);
    expect(await commands.run(applySuggestionsCommand, {})).toMatchObject({ outcome: "done", written: 1 });
    expect(await translation(window, "title")).toBe("Mandje van :name");
    expect(await commands.run(applySuggestionsCommand, {})).toMatchObject({ outcome: "unchanged" });
  });

  test("of one issue is not written over a translation that somebody changed in the meantime", async () => {
    await wrong();
    const issueOfTotal = async (): Promise<KeyIssue> => {
      const [issue] = await projectIssues(window.project, "nl", ({ key }) => key === "total");
      return issue ?? expect.fail("there is an issue");
    };
    const issue = await issueOfTotal();
    const theirs = { ...cart("total"), hash: hashOf("total"), value: "Samen: :amount" };
    await window.client.writeTranslations("nl", [theirs], "overwrite");
    expect(await commands.run(applySuggestionCommand, { issue })).toMatchObject({ outcome: "conflict" });
    expect(await translation(window, "total")).toBe("Samen: :amount");
    await wrong();
    expect(await commands.run(applySuggestionCommand, { issue: await issueOfTotal() })).toMatchObject({
      outcome: "done",
    });
    expect(await translation(window, "total")).toBe("Totaal: :amount");
  });

  test("are not written over a translation that somebody changed in the meantime", async () => {
    await wrong();
    const theirs = { ...cart("total"), hash: hashOf("total"), value: "Samen: :amount" };
    await window.client.writeTranslations("nl", [theirs], "overwrite");
    expect(await commands.run(applySuggestionsCommand, { locale: "nl" })).toMatchObject({
      written: 1,
      skipped: [{ key: "total", locale: "nl" }],
    });
    expect(await translation(window, "total")).toBe("Samen: :amount");
  });
});

test("updates the fields of a key that are given, and keeps the others", async () => {
  const update = (changes: object) => commands.run(updateKeyCommand, { ...cart("title"), ...changes });
  expect(await update({ description: "On top", tags: ["a"] })).toMatchObject({ outcome: "done" });
  expect(await update({ maxLength: 20 })).toMatchObject({
    key: { description: "On top", maxLength: 20, tags: ["a"] },
  });
  expect(await update({ maxLength: 20 })).toMatchObject({ outcome: "unchanged" });
  expect(await update({ tags: [] })).toMatchObject({
    key: { description: "On top", maxLength: 20, tags: [] },
  });
  expect(await update({})).toMatchObject({ outcome: "failed" });
  for (const malformed of [{ description: "half \ud83d" }, { tags: ["a", "\ude00"] }])
    expect(await update(malformed)).toMatchObject({
      error: { code: "invalid", message: expect.stringMatching(/^cart\.title was not updated: /u) },
    });
  expect(await update({ maxLength: 21 })).toMatchObject({ key: { description: "On top", tags: [] } });
});
