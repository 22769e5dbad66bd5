/** What is shown of a translation as it comes: in a file only, read, missing, outdated; and when rows of a language are read. */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import type { ProjectKey } from "../../../src/database/records.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import { explainRefusal } from "../../../src/vscode/commands/explain-refusal.ts";
import { ensureKeys, ensureTranslations } from "../../../src/vscode/projects/refresh-project.ts";
import {
  keyHeading,
  keySummary,
  textInLanguage,
  textMarkdown,
} from "../../../src/vscode/ui/text/key-markdown.ts";
import { shownTranslation } from "../../../src/vscode/ui/text/translation-states.ts";
import { showTranslations } from "../../../src/vscode/ui/tree-view/key-and-issue-rows.ts";
import { setTranslations } from "../../../src/sync/edit/send-translations.ts";
import { ApiError } from "../../../src/api/errors.ts";
import { type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import { cart, ENGLISH, hashOf, openShop, translate } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
beforeEach(async () => {
  ({ shop, window, commands } = await openShop([]));
  await window.local.load();
  window.takeRequests();
});
afterEach(() => shop.close());

/** Returns what is shown of a key in a language. */
function shown(key: string, locale = "fr"): readonly unknown[] {
  const { text, isLocalOnly, states } = shownTranslation(commands.open, hashOf(key), locale);
  return [text, isLocalOnly, states.map(({ icon, label }) => `${icon} ${label}`)];
}
const keyOf = (key: string): ProjectKey => {
  const found = window.project.keys.get(hashOf(key));
  if (found === undefined) throw new Error(`${key} is a key`);
  return found;
};

test("a text that only a file has is said to be there, one that was not read yet too, and then neither", async () => {
  await shop.write("lang/fr/cart.php", "<?php return ['title' => 'Votre panier'];");
  await window.local.reload();
  await window.local.load();
  const local = { value: "Votre panier" };
  expect(shown("title")).toEqual([local, true, ["file local, not on the service"]]);
  expect(shown("total")).toEqual([null, false, ["sync not read yet"]]);
  // One that was read is known before the others of its language, and may be missing and outdated at once.
  const row = (text: Text | null, isOutdated: boolean) =>
    vi
      .spyOn(commands.open.connection, "translation")
      .mockReturnValueOnce({ text, isTranslated: text !== null, isOutdated } as never);
  row({ value: "Total" }, false);
  expect(shown("total")).toEqual([{ value: "Total" }, false, []]);
  row(null, true);
  expect(shown("total")).toEqual([null, false, ["circle-slash untranslated", "history outdated"]]);
  vi.restoreAllMocks();
  await ensureTranslations(commands.open, "fr");
  expect(shown("title")).toEqual([local, true, ["file local, not on the service"]]);
  expect(shown("total")).toEqual([null, false, ["circle-slash untranslated"]]);
  // Also after somebody has cleared what the service had.
  for (const value of ["Panier", ""])
    await setTranslations(window, "fr", [{ name: cart("title"), text: { value } }], "overwrite");
  await window.refresher.refresh({ priority: "person" });
  await ensureTranslations(commands.open, "fr");
  expect(commands.open.connection.translation("fr", hashOf("title"))).toMatchObject({ text: null });
  expect(shown("title")).toEqual([local, true, ["file local, not on the service"]]);
  expect(textInLanguage(commands.open, keyOf("title"), "fr")).toEqual(local);
  expect(textInLanguage(commands.open, keyOf("title"), "en")).toEqual({ value: "Your cart" });
});

test("a translation of the service takes the place of a file's, and is outdated after a push", async () => {
  await translate(window, { title: "Mandje" });
  await ensureTranslations(commands.open, "nl");
  expect(shown("title", "nl")).toEqual([{ value: "Mandje" }, false, []]);
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  await commands.run(pushCommand, {});
  await window.refresher.refresh({ priority: "person" });
  await ensureTranslations(commands.open, "nl");
  expect(shown("title", "nl")).toEqual([{ value: "Mandje" }, false, ["history outdated"]]);
});

test("rows of a language wait for its texts, and then are shown while nothing answers", async () => {
  const { open } = commands;
  expect(open.isComplete("fr")).toBe(false);
  await showTranslations(open, "fr");
  expect(open.isComplete("fr")).toBe(true);
  // They are read again, and nobody waits for that.
  const asks = vi.spyOn(await open.refresher, "ensureLocale");
  asks.mockReturnValueOnce(new Promise(() => undefined));
  await showTranslations(open, "fr");
  expect(asks.mock.calls).toEqual([["fr", { priority: "person" }]]);
  window.goOffline();
  await window.refresher.refresh({ priority: "person" });
  window.takeRequests();
  asks.mockClear();
  // It would ask again with each drawing.
  await showTranslations(open, "fr");
  expect(asks.mock.calls).toEqual([]);
  expect(open.isComplete("de")).toBe(false);
  asks.mockRejectedValueOnce(new Error("nothing answers"));
  await expect(showTranslations(open, "de")).rejects.toThrow("nothing answers");
});

test("where there is no service, no text is said to be missing there", async () => {
  await shop.write("lang/fr/cart.php", "<?php return ['title' => 'Votre panier'];");
  await window.local.reload();
  await window.local.load();
  expect(shown("title")[2]).toEqual(["file local, not on the service"]);
  window.project.setSession({ kind: "signed-out" });
  expect(shown("title")[1]).toBe(false);
  expect(shown("title")[2]).not.toContain("file local, not on the service");
});

test("keys are read once they were never read completely", async () => {
  // Without a push, which reads in the background.
  const unpushed = await openShop([], { isPushed: false });
  onTestFinished(() => unpushed.shop.close());
  const { window: fresh, commands: runner } = unpushed;
  fresh.takeRequests();
  const { signal } = new AbortController();
  await ensureKeys(runner.open, signal);
  expect(fresh.takeRequests()).toEqual([]);
  fresh.project.syncMetadata.clear(null);
  await ensureKeys(runner.open, signal);
  expect(fresh.takeRequests().some((request) => request.startsWith("GET /keys"))).toBe(true);
});

test("after a 401 the session is read again, and the error stays; without a session nothing is", async () => {
  const refused = new ApiError("unauthorized", "revoked", { status: 401 });
  expect(await explainRefusal(commands.open, refused)).toBe(refused);
  expect(window.takeRequests().length).toBeGreaterThan(0);
  window.project.setSession({ kind: "signed-out" });
  const forbidden = new ApiError("forbidden", "refused", { status: 403 });
  expect(await explainRefusal(commands.open, refused)).toBe(refused);
  expect(await explainRefusal(commands.open, forbidden)).toBe(forbidden);
  expect(window.takeRequests()).toEqual([]);
});

test("texts in Markdown have no links, and all forms that the language needs", () => {
  const { open } = commands;
  expect(textMarkdown({ value: "[a](b)" }, "nl")).not.toContain("[a](b)");
  expect(textMarkdown({ forms: { one: "a", few: "b", other: "" } }, "nl")).toBe(
    "_one_ a · _other_ – · _few_ b",
  );
  expect(textMarkdown({ forms: { few: "b" } }, null)).toBe("_few_ b");
  expect(keyHeading(open, { namespace: "cart", key: "title", context: null })).toBe("**cart&#46;title**");
  expect(keyHeading(open, { namespace: "cart", key: "title", context: "me*nu" })).toBe(
    "**cart&#46;title** _(me&#42;nu)_",
  );
  const summary = keySummary(open, { ...keyOf("title"), description: "On *top*" });
  expect(summary).toMatch(/^\*\*cart&#46;title\*\*\n\n`en` Your cart {2}\n/u);
  expect(summary).toMatch(/\n\nOn &#42;top&#42;$/u);
  expect(summary).toContain("untranslated");
  // The languages are those of the project file; a plural text has the forms of each.
  const plural = { ...keyOf("title"), text: { forms: { one: "[a](b)" } } };
  Object.assign(open, { file: { ...open.file, preview: ["fr"] } });
  const inFrench = keySummary(open, plural);
  expect(inFrench).toContain("`en` _one_ ");
  expect(inFrench).toContain(" · _other_ –");
  expect(inFrench).not.toContain("[a](b)");
  expect(inFrench).toContain("`fr` ");
  expect(inFrench).not.toContain("`nl` ");
  // Also of one with other forms than the source language.
  const forms = { one: "a", few: "b" };
  vi.spyOn(open.connection, "translation").mockReturnValueOnce({ text: { forms } } as never);
  Object.assign(open, { file: { preview: ["pl"] }, stats: null });
  expect(keySummary(open, plural)).toContain("`pl` _one_ a · _few_ b · _many_ –");
});
