/** A command that is given no keys, files or languages is not one for all of them. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { pullCommand, pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { translateCommand } from "../../../src/commands/declarations/text-commands.ts";
import { registerPull } from "../../../src/features/pull/pull-command.ts";
import { registerTranslate } from "../../../src/features/translate/translate-command.ts";
import { translateWhile } from "../machine-translation/support.ts";
import type { CommandRunner } from "../support/command-runner.ts";
import type { FixtureProject } from "../support/fixture-project.ts";
import { DUTCH, ENGLISH, openShop, sourceTexts, translate } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { provideModel } from "../support/vscode-stub.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
beforeEach(async () => {
  ({ shop, window, commands } = await openShop([registerPull, registerTranslate]));
});
afterEach(() => {
  provideModel(null);
  return shop.close();
});

test("a push of no keys or of no files sends nothing", async () => {
  await shop.edit(ENGLISH, "Your cart", "Your basket");
  for (const options of [{ only: [] }, { files: [] }])
    expect(await commands.run(pushCommand, options)).toMatchObject({ outcome: "unchanged" });
  expect(await sourceTexts(window)).toMatchObject({ title: "Your cart" });
  expect(await commands.run(pushCommand, {})).toMatchObject({ outcome: "done" });
});

test("a pull of no keys or of no files writes nothing, and the next one all", async () => {
  await translate(window, { title: "Hun mandje" });
  const before = await shop.read(DUTCH);
  for (const options of [{ only: [] }, { files: [] }]) {
    await commands.run(pullCommand, { profile: "app", ...options });
    expect(await shop.read(DUTCH)).toBe(before);
  }
  await commands.run(pullCommand, { profile: "app" });
  expect(await shop.read(DUTCH)).toBe(before.replace("Je mandje", "Hun mandje"));
});

test("no text is sent to a language model for no keys or no languages", async () => {
  const asked = translateWhile();
  for (const options of [{ keys: [] }, { locales: [] }, { keys: [], locale: "nl" }])
    expect(await commands.run(translateCommand, options)).toMatchObject({
      outcome: "unchanged",
      requests: 0,
    });
  expect(asked).toEqual([]);
});
