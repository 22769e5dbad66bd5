/** What the commands of rows do: each in the language, and with the keys, of its row, and with no others. */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  copyTextCommand,
  findUsesCommand,
  goToEntryCommand,
} from "../../../src/commands/declarations/key-commands.ts";
import { refreshCommand } from "../../../src/commands/declarations/session-commands.ts";
import {
  importLocalCommand,
  pullRowCommand,
  pushCommand,
  pushRowCommand,
} from "../../../src/commands/declarations/sync-commands.ts";
import {
  applySuggestionsCommand,
  editTranslationCommand,
} from "../../../src/commands/declarations/text-commands.ts";
import { openEditorRowCommand } from "../../../src/commands/declarations/window-commands.ts";
import { ALL_ROWS } from "../../../src/model/translation-editor-filters.ts";
import { EXPORT_PROFILES, SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { followPages, hashOf } from "../support/shown-page.ts";
import { answerNextInput, answerNextList, window } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const ENGLISH = "lang/en/cart.php";
const DUTCH = "lang/nl/cart.php";
const FRENCH = "lang/fr/cart.php";
const file = (texts: Readonly<Record<string, string>>): string =>
  `<?php\n\nreturn [\n${Object.entries(texts)
    .map(([key, text]) => `    '${key}' => '${text}',\n`)
    .join("")}];\n`;
const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  [ENGLISH]: file({ title: "Cart", total: "Total: :amount", sum: "Sum: :amount of :name", old: "Old" }),
  [DUTCH]: file({ title: "Mandje" }),
  [FRENCH]: file({ title: "Panier" }),
  "app/Cart.php": "<?php\n\necho __('cart.title');\n",
};

let editor: Editor;
beforeAll(async () => {
  const service = { ...SHOP, exportProfiles: EXPORT_PROFILES };
  editor = await openEditor({ files: FILES, service });
  await editor.run(pushCommand, {});
  await editor.run(refreshCommand, {});
});
afterAll(() => editor.close());

/** Somebody else translates texts. */
const translate = (locale: string, texts: Readonly<Record<string, string>>) =>
  editor.request("PUT", `/translations/${locale}`, {
    mode: "overwrite",
    translations: Object.entries(texts).map(([key, value]) => ({ namespace: "cart", key, value })),
  });
/** The texts of a language at the service that are not empty. */
async function atService(locale: string): Promise<Readonly<Record<string, string>>> {
  const { data } = await editor.request<{
    readonly data: readonly { readonly key: string; readonly value: string | null }[];
  }>("GET", `/translations/${locale}`);
  return Object.fromEntries(data.flatMap(({ key, value }) => (value === null ? [] : [[key, value]])));
}
const edit = async (path: string, before: string, text: string): Promise<void> =>
  editor.write(path, (await editor.read(path)).replace(before, text));
/** Waits for a row below others that begin so. */
const rowIs = (view: string, path: readonly string[], start: string): Promise<void> =>
  waitUntil(async () => {
    try {
      return (await editor.rows(view, ...path)).some((row) => row.startsWith(start));
    } catch {
      return false;
    }
  });
const accept = (): void => answerNextList((list) => list.accept());

test("local translations are imported of the language whose group it is", async () => {
  await rowIs("languages", ["Français"], "Local, not on the service (1)");
  accept();
  expect(await editor.runOnRow(importLocalCommand, "languages", "Français", "Local")).toMatchObject({
    outcome: "done",
    written: 1,
  });
  expect([await atService("fr"), await atService("nl")]).toEqual([{ title: "Panier" }, {}]);
  accept();
  expect(await editor.runOnRow(importLocalCommand, "languages", "Nederlands")).toMatchObject({ written: 1 });
  expect(await atService("nl")).toEqual({ title: "Mandje" });
});

test("a pull is of the language of the row, and then of the key alone", async () => {
  await translate("nl", { title: "Winkelmandje", old: "Oud" });
  await translate("fr", { title: "Votre panier", old: "Vieux" });
  await editor.run(refreshCommand, {});
  await rowIs("languages", ["Français", "Translated"], "cart.title | Votre panier");
  accept();
  expect(
    await editor.runOnRow(pullRowCommand, "languages", "Français", "Translated", "cart.title"),
  ).toMatchObject({ outcome: "done" });
  expect(await editor.read(FRENCH)).toBe(file({ title: "Votre panier" }));
  accept();
  expect(await editor.runOnRow(pullRowCommand, "languages", "Nederlands")).toMatchObject({ outcome: "done" });
  expect(await editor.read(DUTCH)).toBe(file({ title: "Winkelmandje", old: "Oud" }));
  expect(await editor.read(FRENCH)).toBe(file({ title: "Votre panier" }));
});

test("a push is of the key of the row, and then of all source texts", async () => {
  await edit(ENGLISH, "'Cart'", "'Our cart'");
  await edit(ENGLISH, "'Old'", "'Older'");
  accept();
  expect(await editor.runOnRow(pushRowCommand, "languages", "English", "All keys", "cart.old")).toMatchObject(
    {
      result: { updated: 1 },
    },
  );
  const sources = async () => {
    const { data } = await editor.request<{
      readonly data: readonly { readonly key: string; readonly source: { readonly value: string } }[];
    }>("GET", "/keys");
    return Object.fromEntries(data.map(({ key, source }) => [key, source.value]));
  };
  expect(await sources()).toMatchObject({ title: "Cart", old: "Older" });
  accept();
  expect(await editor.runOnRow(pushRowCommand, "languages", "English")).toMatchObject({
    result: { updated: 1 },
  });
  expect(await sources()).toMatchObject({ title: "Our cart", old: "Older" });
});

test("a translation is edited, copied and shown in the language of its row", async () => {
  await editor.run(refreshCommand, {});
  await rowIs("languages", ["Nederlands", "Outdated"], "cart.title");
  const row = ["languages", "Nederlands", "Outdated", "cart.title"] as const;
  expect(await editor.runOnRow(copyTextCommand, ...row)).toMatchObject({ text: "Winkelmandje" });
  expect(await editor.runOnRow(goToEntryCommand, ...row)).toEqual({ outcome: "done", file: DUTCH });
  expect(window.activeTextEditor?.document.uri.path).toBe(editor.uri(DUTCH).path);
  expect(await editor.runOnRow(findUsesCommand, ...row)).toMatchObject({ uses: [{ path: "app/Cart.php" }] });
  answerNextInput((input) => {
    expect([input.title, input.value]).toEqual(["nl · cart.title", "Winkelmandje"]);
    input.type("Ons mandje");
    input.accept();
  });
  expect(await editor.runOnRow(editTranslationCommand, ...row)).toMatchObject({ outcome: "done" });
  expect([await atService("nl"), await atService("fr")]).toEqual([
    { title: "Ons mandje", old: "Oud" },
    { title: "Votre panier", old: "Vieux" },
  ]);
});

test("issues are shown, and mended, in the language of their row", async () => {
  await translate("nl", { total: "Totaal: :amont", sum: "Som: :amont van :nam" });
  await translate("fr", { total: "Somme: :amont" });
  await editor.run(refreshCommand, {});
  const view = editor.follow("issues");
  await rowIs("issues", ["Nederlands"], "cart.sum | ");
  expect(await editor.rows("issues", "Nederlands")).toEqual([
    ":amount is missing | cart.total",
    "cart.sum | 2 QA issues",
  ]);
  expect(await editor.rows("issues", "Nederlands", "cart.sum")).toEqual([
    ":amount is missing | Som: :amont van :nam",
    ":name is missing | Som: :amont van :nam",
  ]);
  const pages = followPages();
  const shown = () => {
    const { query, locales, hash } = pages.pages.at(-1)?.views.at(-1) ?? expect.fail("nothing is shown");
    return [query, locales, hash];
  };
  try {
    const issues = { ...ALL_ROWS, filters: ["issues"] };
    await editor.runOnRow(openEditorRowCommand, "issues", "Français");
    expect(shown()).toEqual([issues, ["fr"], null]);
    await editor.runOnRow(openEditorRowCommand, "issues", "Nederlands", "cart.sum");
    expect(shown()).toEqual([issues, ["nl"], hashOf("cart", "sum")]);
  } finally {
    pages.dispose();
  }
  accept();
  expect(await editor.runOnRow(applySuggestionsCommand, "issues", "Nederlands")).toMatchObject({
    written: 2,
  });
  expect([await atService("nl"), await atService("fr")]).toMatchObject([
    { total: "Totaal: :amount", sum: "Som: :amount van :name" },
    { total: "Somme: :amont" },
  ]);
  // The view is of what is left, also while nobody refreshes.
  await waitUntil(() => view().length === 1);
  expect(view()).toEqual(["Français (fr) | 1 QA error"]);
});
