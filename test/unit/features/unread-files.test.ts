/**
 * Commands on translation files that cannot be read completely: what could not be done is in the outcome, and nothing that
 * was not read counts as deleted.
 */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  importLocalCommand,
  pullCommand,
  pushCommand,
} from "../../../src/commands/declarations/sync-commands.ts";
import { registerImport } from "../../../src/features/import/import-command.ts";
import { runTool } from "../../../src/agent-tools/tool.ts";
import { pushChanges } from "../../../src/agent-tools/write-tools.ts";
import { registerPull } from "../../../src/features/pull/pull-command.ts";
import {
  keysInFiles,
  removeFromFiles,
  revertedWrites,
} from "../../../src/features/usage-report/remove-from-files.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { toToolProject } from "../../../src/vscode/window-tool-host.ts";
import { CommandCancelled, type CommandRun } from "../../../src/commands/command-types.ts";
import { rootOf, type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import { cart, DUTCH, ENGLISH, openShop, sourceTexts, translate } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { pickInNextList } from "../support/vscode-stub.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
beforeEach(async () => {
  ({ shop, window, commands } = await openShop([registerPull, registerImport]));
});
afterEach(() => shop.close());

/** Puts a conflict marker before a line of a file. */
const breakBefore = (path: string, line: string): Promise<void> =>
  shop.edit(path, line, `<<<<<<< HEAD\n${line}`);

describe("a push", () => {
  test("sends what stands before an error, names the file, and sends the rest once it is mended", async () => {
    await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
    await shop.edit(ENGLISH, "'Voucher code'", "'Voucher'");
    const whole = await shop.read(ENGLISH);
    await breakBefore(ENGLISH, "    'voucher' => [");
    expect(await commands.run(pushCommand, {})).toMatchObject({
      outcome: "done",
      result: { updated: 1 },
      items: [{ file: ENGLISH, key: "*", namespace: "cart" }],
    });
    expect(await sourceTexts(window)).toMatchObject({ title: "Our cart", "voucher.label": "Voucher code" });
    expect(await commands.run(pushCommand, {})).toMatchObject({
      outcome: "failed",
      error: { reason: "unread_source", items: [{ file: ENGLISH }] },
    });
    await shop.write(ENGLISH, whole);
    const rest = await commands.run(pushCommand, {});
    expect(rest).toMatchObject({ outcome: "done", result: { updated: 1 } });
    expect("items" in rest).toBe(false);
    expect(await sourceTexts(window)).toMatchObject({ "voucher.label": "Voucher" });
  });

  test("of keys or files that were named, says nothing of what could not be read elsewhere", async () => {
    await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
    await shop.edit("lang/en.json", '"Log out": "Log out"', '"Log out": "Leave"');
    await breakBefore(ENGLISH, "    'voucher' => [");
    const only = async (...keys: readonly string[]) =>
      commands.run(pushCommand, { only: keys.map((key) => keyHash(cart(key))) });
    const title = await only("title");
    expect(title).toMatchObject({ outcome: "done", result: { updated: 1 } });
    expect("items" in title).toBe(false);
    // One of these may be in the part that was not read.
    expect(await only("title", "voucher.label")).toMatchObject({ error: { items: [{ file: ENGLISH }] } });
    const json = await commands.run(pushCommand, { files: ["lang/en.json"] });
    expect(json).toMatchObject({ outcome: "done", result: { updated: 1 } });
    expect("items" in json).toBe(false);
    expect(await commands.run(pushCommand, { files: [ENGLISH] })).toMatchObject({
      error: { items: [{ file: ENGLISH }] },
    });
  });

  test("names a link to nothing, in sentences", async () => {
    await shop.remove(ENGLISH);
    await symlink("nothing.php", join(rootOf(shop), ENGLISH));
    const failed = await commands.run(pushCommand, {});
    expect(failed).toMatchObject({ error: { reason: "unread_source", items: [{ file: ENGLISH }] } });
    expect(failed.outcome === "failed" && failed.error.message).toMatch(/[^.]\.$/u);
    expect(await commands.run(pushCommand, { archiveMissing: true })).toMatchObject({ outcome: "failed" });
    expect(Object.keys(await sourceTexts(window))).toHaveLength(4);
  });

  test("of a language model names the file too", async () => {
    const push = async (): Promise<unknown> => {
      const open = toToolProject(commands.app, commands.open);
      const { signal } = new AbortController();
      const host = { project: () => Promise.resolve(open), advice: {} };
      const plan = await runTool(host, pushChanges, {}, signal, pushChanges.plan);
      return JSON.parse(await plan.run());
    };
    expect(await push()).toEqual({ outcome: "unchanged", note: "There is nothing to push." });
    await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
    await breakBefore(ENGLISH, "    'voucher' => [");
    const unread = [expect.stringContaining(ENGLISH)];
    expect(await push()).toMatchObject({ outcome: "done", result: { updated: 1 }, unread });
    expect(await push()).toMatchObject({
      outcome: "unchanged",
      note: expect.stringContaining("else"),
      unread,
    });
  });
});

describe("importing local translations", () => {
  test("names a file that cannot be read completely, and fails if there is nothing else to send", async () => {
    await commands.run(pullCommand, {});
    await breakBefore(DUTCH, "    'extra'  => 'Alleen hier',");
    const file = { file: DUTCH, key: "*" };
    expect(await commands.run(importLocalCommand, { locale: "nl" })).toMatchObject({ items: [file] });
    await translate(window, { title: "Je mandje", total: "Totaal: :amount" });
    expect(await commands.run(importLocalCommand, {})).toMatchObject({
      outcome: "failed",
      error: { code: "invalid", reason: "unread_files", items: [file] },
    });
    expect(await commands.run(importLocalCommand, { locale: "fr" })).toMatchObject({ outcome: "unchanged" });
  });
});

test("a pull of which nothing can be applied fails and names the file, and is not called unchanged the next time", async () => {
  await translate(window, { title: "Je mandje", total: "Totaal: :amount" });
  await commands.run(pullCommand, {});
  await breakBefore(DUTCH, "    'extra'  => 'Alleen hier',");
  await translate(window, { title: "Hun mandje" });
  for (let time = 0; time < 2; time += 1)
    expect(await commands.run(pullCommand, {})).toMatchObject({
      outcome: "failed",
      error: { code: "invalid", reason: "not_applied", items: [{ file: DUTCH }] },
    });
});

test("a pull adds a translation whose key may stand in a part of the source file that could not be read", async () => {
  await translate(window, { title: "Je mandje", total: "Totaal: :amount" });
  await commands.run(pullCommand, {});
  await breakBefore(ENGLISH, "    'voucher' => [");
  await translate(window, { "voucher.label": "Code" });
  const pulled = await commands.run(pullCommand, {});
  expect(pulled).toMatchObject({ outcome: "done", items: [{ file: ENGLISH, field: "file" }] });
  expect(await shop.read(DUTCH)).toContain("'Code'");
  // A new file has it, too.
  await shop.remove(DUTCH);
  await commands.run(pullCommand, {});
  expect(await shop.read(DUTCH)).toContain("'Code'");
});

test("a pull puts back no key that was deleted in a file, while another one cannot be read", async () => {
  await translate(window, { title: "Je mandje", total: "Totaal: :amount" });
  await commands.run(pullCommand, {});
  await shop.edit(ENGLISH, `    'total' => "Total: :amount",\n`, "");
  await shop.edit(DUTCH, `    'total'  => "Totaal: :amount",\n`, "");
  await shop.write("lang/en/auth.php", "<?php\n\nreturn [\n<<<<<<< HEAD\n];\n");
  await translate(window, { total: "Samen: :amount" });
  await commands.run(pullCommand, {});
  expect(await shop.read(ENGLISH)).not.toContain("total");
});

describe("removing keys from the files", () => {
  const remove = async (keys: readonly string[], quiet = true) => {
    const run: CommandRun = {
      signal: new AbortController().signal,
      quiet,
      report: () => undefined,
      pause: () => undefined,
    };
    const { app, open } = commands;
    return removeFromFiles(
      app,
      open,
      await keysInFiles(
        open,
        keys.map((key) => keyHash(cart(key))),
        run,
      ),
      run,
    );
  };

  test("names the files that may still have them", async () => {
    await breakBefore(DUTCH, `    'total'  => "Totaal: :amount",`);
    expect(await remove(["title", "total"])).toMatchObject({
      outcome: "done",
      removed: 2,
      files: [ENGLISH],
      items: [
        { file: DUTCH, key: "title", locale: "nl" },
        { file: DUTCH, key: "*" },
      ],
    });
    expect(commands.results.at(-1)).toMatchObject({
      kind: "partly",
      message: expect.stringMatching(
        /^Removed 2 keys from 1 file\. They may still be in these files: .*lang\/nl\/cart\.php.*[^.]\.$/u,
      ),
    });
    expect(await shop.read(ENGLISH)).not.toContain("'total'");
    expect(await shop.read(DUTCH)).toContain("'total'");
  });

  test("counts none that only such files have, and fails if there is no other", async () => {
    await shop.edit(DUTCH, "    'extra'  => 'Alleen hier',", "    'extra'  => 'Alleen hier',\n<<<<<<< HEAD");
    expect(await remove(["title", "extra"])).toMatchObject({ outcome: "done", removed: 1, files: [ENGLISH] });
    expect(await shop.read(DUTCH)).toContain("Alleen hier");
    await expect(remove(["extra"])).rejects.toMatchObject({
      code: "invalid",
      message: `These files cannot be changed: ${DUTCH}.`,
      details: {
        reason: "unread_files",
        items: [
          { file: DUTCH, key: "extra" },
          { file: DUTCH, key: "*" },
        ],
      },
    });
  });

  test("names none of other namespaces, and none at all if everything could be read", async () => {
    await shop.write("lang/nl/auth.php", "<?php\n\nreturn [\n<<<<<<< HEAD\n];\n");
    const removed = await remove(["title"]);
    expect(removed).toMatchObject({ outcome: "done", removed: 1, files: [ENGLISH, DUTCH] });
    expect("items" in removed).toBe(false);
  });

  test("changes nothing before it is confirmed, and nothing at all if that is dismissed", async () => {
    const before = await shop.read(DUTCH);
    pickInNextList("no such answer");
    await expect(remove(["title"], false)).rejects.toBeInstanceOf(CommandCancelled);
    expect(await shop.read(DUTCH)).toBe(before);
    pickInNextList("Remove");
    expect(await remove(["title"], false)).toMatchObject({ outcome: "done", removed: 1 });
    expect(await shop.read(DUTCH)).not.toContain("Je mandje");
  });
});

test("the undo of a removal writes what was there before, and nothing over a later text", async () => {
  const before = await shop.read(DUTCH);
  await window.local.reload();
  const { writes } = await window.local.planEdit([{ name: cart("title"), locale: "nl", text: null }]);
  await window.files.write(writes);
  expect(await shop.read(DUTCH)).not.toContain("Je mandje");
  expect(await window.files.write(revertedWrites(writes))).toMatchObject({ kind: "written" });
  expect(await shop.read(DUTCH)).toBe(before);
  await window.files.write(writes);
  await shop.write(DUTCH, (await shop.read(DUTCH)).replace("Totaal", "Samen"));
  expect(await window.files.write(revertedWrites(writes))).toMatchObject({ kind: "changed" });
  expect(await shop.read(DUTCH)).toContain("Samen");
});
