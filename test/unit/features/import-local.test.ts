/** Import Local Translations without prompts, on real files and the local service. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  importLocalCommand,
  pullCommand,
  pushCommand,
} from "../../../src/commands/declarations/sync-commands.ts";
import { setTranslationCommand } from "../../../src/commands/declarations/text-commands.ts";
import { writeTranslation } from "../../../src/features/edit-translation/set-translation-command.ts";
import { registerImport } from "../../../src/features/import/import-command.ts";
import { registerPull } from "../../../src/features/pull/pull-command.ts";
import { registerPush } from "../../../src/features/push/push-command.ts";
import type { App } from "../../../src/vscode/app.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { FEW_ITEMS, type FixtureProject } from "../support/fixture-project.ts";
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

const registerSetTranslation = (app: App): void => app.command(setTranslationCommand, writeTranslation);
const FEATURES = [registerPush, registerPull, registerImport, registerSetTranslation];

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
/** Unsaved texts of editors, by path. */
const unsaved = new Map<string, string>();
beforeEach(async () => {
  unsaved.clear();
  ({ shop, window, commands, refuse } = await openShop(FEATURES, { unsaved }));
  messages.length = 0;
});
afterEach(() => shop.close());

/** Opens another window of this machine, before whose first write somebody translates the title as `value`. */
async function openInterrupted(value: string): Promise<CommandRunner> {
  const { client } = window;
  const theirs = { ...cart("title"), hash: hashOf("title"), value };
  let isWritten = false;
  const other = await shop.open("other", {
    intercept: async (request, forward) => {
      if (request.startsWith("PUT") && !isWritten) {
        isWritten = true;
        await client.writeTranslations("nl", [theirs], "overwrite");
      }
      return forward();
    },
    machine: "one",
  });
  await other.refresher.refresh();
  return createCommandRunner(other, rootOf(shop), FEATURES);
}

describe("importing local translations", () => {
  test("sends what changed only in the files, and neither conflicts nor what changed at the service", async () => {
    await setTranslation(commands, "title", "Je mandje");
    await setTranslation(commands, "total", "Totaal: :amount");
    await commands.run(pullCommand, { profile: "app" });
    await shop.edit(DUTCH, "Je mandje", "Mijn mandje");
    await setTranslation(commands, "total", "Samen: :amount");
    expect(await commands.run(importLocalCommand, { locale: "nl" })).toMatchObject({
      outcome: "done",
      written: 1,
      skipped: [],
    });
    expect([await translation(window, "title"), await translation(window, "total")]).toEqual([
      "Mijn mandje",
      "Samen: :amount",
    ]);
    // What was sent is agreed on: somebody else's text is pulled.
    await setTranslation(commands, "title", "Hun mandje");
    expect(await commands.run(importLocalCommand, { locale: "nl" })).toMatchObject({ outcome: "unchanged" });
    await commands.run(pullCommand, { profile: "app" });
    expect(await shop.read(DUTCH)).toContain("Hun mandje");
  });

  test("sends unsaved texts, which the files do not have: when they are discarded, a pull brings them back", async () => {
    expect(await commands.run(importLocalCommand, { locale: "nl" })).toMatchObject({ outcome: "done" });
    const before = await shop.read(DUTCH);
    const added = `    'voucher' => [\n        'label' => 'Vouchercode',\n    ],\n];`;
    unsaved.set(DUTCH, before.replace("Je mandje", "Mijn mandje").replace("];", added));
    expect(await commands.run(importLocalCommand, { locale: "nl" })).toMatchObject({
      outcome: "done",
      written: 2,
    });
    expect([await translation(window, "title"), await translation(window, "voucher.label")]).toEqual([
      "Mijn mandje",
      "Vouchercode",
    ]);
    unsaved.clear();
    expect(await shop.read(DUTCH)).toBe(before);
    expect(await commands.run(pullCommand, { profile: "app" })).toMatchObject({ outcome: "done" });
    expect(await shop.read(DUTCH)).toContain("Mijn mandje");
    expect(await shop.read(DUTCH)).toContain("Vouchercode");
  });

  test("takes a text of one language for no text of another: what somebody changed there is pulled", async () => {
    const french = "lang/fr/cart.php";
    await shop.write(french, "<?php\n\nreturn [\n    'title' => 'Votre panier',\n];\n");
    await commands.run(importLocalCommand, {});
    await shop.edit(DUTCH, "Totaal: :amount", "Samen: :amount");
    await shop.edit(french, "Votre panier", "Panier");
    await setTranslation(commands, "title", "Panier");
    expect(await commands.run(importLocalCommand, {})).toMatchObject({ written: 2, skipped: [] });
    // The Dutch file still has what it had, although the French one has the same text as the service.
    expect(await commands.run(importLocalCommand, {})).toMatchObject({ outcome: "unchanged" });
    await commands.run(pullCommand, { profile: "app" });
    expect(await shop.read(DUTCH)).toMatch(/'title'\s+=> 'Panier'/u);
  });

  test("says what it could not read of the translations, beside what it sent; source texts are none of them", async () => {
    await shop.write("lang/nl/broken.php", "<?php\n\nreturn [ 'a' => ");
    await shop.write("lang/en/broken.php", "<?php\n\nreturn [ 'a' => ");
    const broken = "lang/nl/broken.php";
    expect(await commands.run(importLocalCommand, {})).toMatchObject({
      outcome: "done",
      written: 2,
      items: [{ namespace: "broken", key: "*", file: broken }],
    });
    expect(commands.results.slice(-2)).toEqual([
      { kind: "partly", message: expect.stringContaining(`Translations were left out: ${broken}:3:17`) },
      { kind: "done", message: "2 translations written." },
    ]);
    // What cannot be read of one language is not said of another.
    expect(await commands.run(importLocalCommand, { locale: "fr" })).toEqual({ outcome: "unchanged" });
    // And then nothing is left but what cannot be read.
    expect(await commands.run(importLocalCommand, {})).toMatchObject({
      error: { code: "invalid", reason: "unread_files", items: [{ file: broken }] },
    });
  });

  test("sends nothing of a conflict", async () => {
    await setTranslation(commands, "title", "Je mandje");
    await setTranslation(commands, "total", "Totaal: :amount");
    await commands.run(pullCommand, { profile: "app" });
    await shop.edit(DUTCH, "Je mandje", "Mijn mandje");
    await setTranslation(commands, "title", "Hun mandje");
    expect((await commands.run(importLocalCommand, { locale: "nl" })).outcome).toBe("unchanged");
    // Nor of the source language, which is pushed.
    await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
    expect((await commands.run(importLocalCommand, {})).outcome).toBe("unchanged");
    expect(await translation(window, "title")).toBe("Hun mandje");
  });

  test("writes nothing over a translation that is changed while it is sent", async () => {
    await setTranslation(commands, "title", "Je mandje");
    await setTranslation(commands, "total", "Totaal: :amount");
    await commands.run(pullCommand, { profile: "app" });
    await shop.edit(DUTCH, "Je mandje", "Mijn mandje");
    await shop.edit(DUTCH, "Totaal: :amount", "Mijn totaal: :amount");
    const runner = await openInterrupted("Hun mandje");
    expect(await runner.run(importLocalCommand, { locale: "nl" })).toMatchObject({
      written: 1,
      skipped: [{ key: "cart.title" }],
    });
    expect([await translation(window, "title"), await translation(window, "total")]).toEqual([
      "Hun mandje",
      "Mijn totaal: :amount",
    ]);
  });

  test("writes exactly the translations that it counts, and neither source texts, unknown keys nor what is there", async () => {
    await commands.run(pushCommand, {});
    await setTranslation(commands, "total", "Totaal: :amount");
    await shop.edit(
      DUTCH,
      "];",
      "    'items' => ':count item|:count items',\n    'other' => 'Geen sleutel',\n];",
    );
    await shop.write("lang/fr/cart.php", "<?php\n\nreturn [\n    'title' => 'Votre panier',\n];\n");
    const keysBefore = Object.keys(await sourceTexts(window)).toSorted();
    const jobsBefore = window.project.jobs.length;
    expect(await commands.run(importLocalCommand, {})).toEqual({ outcome: "done", written: 2, skipped: [] });
    expect([
      await translation(window, "title"),
      await translation(window, "title", "fr"),
      await translation(window, "total"),
      await translation(window, "items"),
    ]).toEqual(["Je mandje", "Votre panier", "Totaal: :amount", null]);
    expect(Object.keys(await sourceTexts(window)).toSorted()).toEqual(keysBefore);
    expect(window.project.jobs.length).toBe(jobsBefore);
    expect((await commands.run(importLocalCommand, {})).outcome).toBe("unchanged");
  });

  test("replaces no translation that somebody writes while it is sent", async () => {
    const runner = await openInterrupted("Hun mandje");
    expect(await runner.run(importLocalCommand, { locale: "nl" })).toMatchObject({
      skipped: [{ key: "cart.title" }],
    });
    expect(await translation(window, "title")).toBe("Hun mandje");
  });

  test("says what was written before the service refused the rest, which can be sent again", async () => {
    await shop.write("lang/fr/cart.php", "<?php\n\nreturn [\n    'title' => 'Votre panier',\n];\n");
    refuse("PUT /translations/nl");
    expect(await commands.run(importLocalCommand, {})).toMatchObject({
      outcome: "failed",
      error: {
        code: "forbidden",
        message: expect.stringMatching(/^1 translation written\. Not done: 2\. /u),
      },
      written: 1,
    });
    expect(commands.results.at(-1)).toMatchObject({ message: "1 translation written.", kind: "partly" });
    expect(await translation(window, "title", "fr")).toBe("Votre panier");
    refuse("PUT /translations/");
    const before = commands.results.length;
    const failed = await commands.run(importLocalCommand, {});
    expect(failed).toMatchObject({ outcome: "failed", error: { code: "forbidden" } });
    expect("written" in failed).toBe(false);
    expect(commands.results.length).toBe(before);
    refuse(null);
    expect(await commands.run(importLocalCommand, {})).toMatchObject({ outcome: "done", written: 2 });
    expect(await translation(window, "title")).toBe("Je mandje");
  });

  test("names what the service did not write, with the reason", async () => {
    const runner = await openInterrupted("Hun mandje");
    await runner.run(importLocalCommand, { locale: "nl" });
    expect(runner.results.at(-1)?.kind).toBe("partly");
    expect(runner.results.at(-1)?.message).toMatch(
      /^1 translation written\. The service did not write 1 translation: cart\.title: /u,
    );
  });

  test("counts what a later request of a language did not send, and sends just that the next time", async () => {
    await shop.write("lang/fr/cart.php", "<?php\n\nreturn [\n    'title' => 'Votre panier',\n];\n");
    await shop.edit(DUTCH, "];", "    'voucher' => [\n        'label' => 'Vouchercode',\n    ],\n];");
    const theirs = { ...cart("title"), hash: hashOf("title"), value: "Leur panier" };
    let writes = 0;
    const few = await shop.open("few", {
      maxItems: { ...FEW_ITEMS, write: 1 },
      intercept: async (request, forward) => {
        if (!request.startsWith("PUT")) return forward();
        writes += 1;
        if (writes === 1) await window.client.writeTranslations("fr", [theirs], "overwrite");
        return writes === 3 ? Response.json({ message: "No." }, { status: 403 }) : forward();
      },
    });
    await few.refresher.refresh();
    const other = createCommandRunner(few, rootOf(shop), FEATURES);
    expect(await other.run(importLocalCommand, {})).toMatchObject({
      error: { message: expect.stringMatching(/^1 translation written\. Not done: 2\. /u) },
      written: 1,
      skipped: [{ locale: "fr", key: "cart.title" }],
    });
    expect(other.progress.filter((text) => text.startsWith("Writing"))).toEqual([
      "Writing 4 translations: 0 %",
      "Writing 4 translations: 25 %",
      "Writing 4 translations: 50 %",
    ]);
    expect(await other.run(importLocalCommand, {})).toMatchObject({ outcome: "done", written: 2 });
    expect(await other.run(importLocalCommand, {})).toEqual({ outcome: "unchanged" });
  });

  test("reads a language that nobody looked at before it says that there is nothing", async () => {
    const french =
      "<?php\n\nreturn [\n    'title' => 'Votre panier',\n    'total' => 'Somme : :amount',\n];\n";
    await shop.write("lang/fr/cart.php", french);
    const theirs = { ...cart("title"), hash: hashOf("title"), value: "Leur panier" };
    await window.client.writeTranslations("fr", [theirs], "overwrite");
    await window.refresher.refresh({ priority: "person" });
    expect(await commands.run(importLocalCommand, { locale: "fr" })).toMatchObject({ written: 1 });
    expect(await translation(window, "title", "fr")).toBe("Leur panier");
    expect(await translation(window, "total", "fr")).toBe("Somme : :amount");
  });

  test("has written what it could not read back", async () => {
    const write = window.client.writeTranslations;
    vi.spyOn(window.client, "writeTranslations").mockImplementationOnce(async (...given) => {
      const written = await write(...given);
      refuse("GET /translations");
      return written;
    });
    expect(await commands.run(importLocalCommand, {})).toEqual({ outcome: "done", written: 2, skipped: [] });
    expect(commands.results.at(-1)).toEqual({ kind: "done", message: "2 translations written." });
    refuse(null);
    await window.refresher.refresh({ priority: "person" });
    expect(await commands.run(importLocalCommand, {})).toEqual({ outcome: "unchanged" });
  });

  test("of one language leaves the others", async () => {
    await shop.write("lang/fr/cart.php", "<?php\n\nreturn [\n    'title' => 'Votre panier',\n];\n");
    expect(await commands.run(importLocalCommand, { locale: "fr" })).toMatchObject({ written: 1 });
    expect(await translation(window, "title")).toBeNull();
    expect(await commands.run(importLocalCommand, { locale: "fr" })).toMatchObject({ outcome: "unchanged" });
    expect(await commands.run(importLocalCommand, { locale: "en" })).toMatchObject({ outcome: "unchanged" });
    // Only a person is told that there is nothing.
    expect(messages).toEqual([]);
    expect(await commands.ask(importLocalCommand, { locale: "fr" })).toMatchObject({ outcome: "unchanged" });
    expect(messages.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Every local translation is on the service: .+\.$/u),
    ]);
  });
});
