/** Unsaved texts in a project without a service, of a person and of a language model: they are saved into the files. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refreshCommand } from "../../../src/commands/declarations/session-commands.ts";
import {
  setLocalCommand,
  translateCommand,
  translateKeyCommand,
} from "../../../src/commands/declarations/text-commands.ts";
import { translateWhile } from "../machine-translation/support.ts";
import { openEditorCommand } from "../../../src/commands/declarations/window-commands.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { followPages, hashOf } from "../support/shown-page.ts";
import { clickInNextMessage, messages, pickInNextList } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const ENGLISH = "lang/en/cart.php";
const DUTCH = "lang/nl/cart.php";
const FRENCH = "lang/fr/cart.php";
const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "project-translations.json": JSON.stringify({
    files: [{ path: "lang/{locale}/{namespace}.php", format: "laravel_php" }],
  }),
  [ENGLISH]: `<?php

return [
    'title' => 'Your cart',
    'total' => 'Total: :amount',
    'old' => 'Old cart',
];
`,
  [DUTCH]: "<?php\n\nreturn [\n    'title' => 'Je mandje',\n];\n",
};

let editor: Editor;
let shown: ReturnType<typeof followPages>;
beforeAll(async () => {
  shown = followPages();
  editor = await openEditor({ files: FILES });
});
afterAll(async () => {
  shown.dispose();
  await editor.close();
});

test("the key of a line is translated into the only other language, without a list, and then shown", async () => {
  const asked = translateWhile();
  await editor.show(ENGLISH, "'to|tal'");
  pickInNextList("Translate");
  expect(await editor.ask(translateKeyCommand, {})).toMatchObject({ outcome: "done", staged: 1 });
  expect(asked).toEqual(["nl cart.total"]);
  // And then all that is missing, of which one is proposed by now.
  pickInNextList("Translate");
  expect(await editor.ask(translateCommand, {})).toMatchObject({ outcome: "done", staged: 1 });
  expect(asked).toEqual(["nl cart.total", "nl cart.old"]);
  const page = shown.pages.at(-1) ?? expect.fail("there is a page");
  expect(page.views.at(-1)).toMatchObject({
    query: { filters: ["unsaved", "refused"] },
    locales: ["nl"],
    hash: null,
  });
  expect(await page.cell("cart", "total", "nl")).toBe("x Total: :amount [unsaved, machine]");
  expect(await editor.read(DUTCH)).toBe(FILES[DUTCH]);
});

test("what is saved is in the file, but not over what somebody wrote there meanwhile", async () => {
  translateWhile();
  const total = { namespace: "cart", key: "total" };
  const old = { namespace: "cart", key: "old" };
  const saved = await editor.run(translateCommand, { locale: "nl", keys: [total], save: true });
  expect(saved).toMatchObject({ outcome: "done", staged: 1, saved: 1, refused: [] });
  expect(await editor.read(DUTCH)).toContain("'total' => 'x Total: :amount'");
  const page = shown.pages.at(-1) ?? expect.fail("there is a page");
  expect([await page.cell("cart", "total", "nl"), await page.cell("cart", "old", "nl")]).toEqual([
    "x Total: :amount",
    "x Old cart [unsaved, machine]",
  ]);
  translateWhile(async () => {
    const text = await editor.read(DUTCH);
    await editor.write(DUTCH, text.replace("Je mandje", "Hun mandje"));
  });
  const title = { namespace: "cart", key: "title" };
  expect(
    await editor.run(translateCommand, {
      locale: "nl",
      keys: [title, old, { namespace: "cart", key: "none" }],
      save: true,
    }),
  ).toMatchObject({
    saved: 1,
    refused: [
      { key: "none", reason: "No translation file has this key." },
      { key: "title", reason: "Someone else changed the translation in the meantime." },
    ],
  });
  const text = await editor.read(DUTCH);
  expect([text.includes("Hun mandje"), text.includes("'old' => 'x Old cart'")]).toEqual([true, true]);
});

test("on a line of another language the key is translated into that one only", async () => {
  await editor.write(ENGLISH, FILES[ENGLISH].replace("];", "    'new' => 'New',\n];"));
  await editor.write(FRENCH, "<?php\n\nreturn [\n    'new' => '',\n];\n");
  const asked = translateWhile();
  await editor.show(FRENCH, "'n|ew'");
  expect(await editor.run(translateKeyCommand, {})).toMatchObject({ outcome: "done", staged: 1 });
  expect(asked).toEqual(["fr cart.new"]);
  // From the source text into all others.
  await editor.show(ENGLISH, "'n|ew'");
  await editor.run(translateKeyCommand, {});
  expect(asked).toEqual(["fr cart.new", "nl cart.new"]);
  await editor.run(setLocalCommand, { namespace: "cart", key: "new", locale: "nl", value: "Nieuw" });
  expect(messages.filter(({ kind }) => kind === "error")).toEqual([]);
});

test("what is typed is saved into its file, but not over what somebody wrote there, until that is decided", async () => {
  expect(await editor.ask(openEditorCommand, {})).toEqual({ outcome: "done" });
  const page = shown.pages.at(-1) ?? expect.fail("there is a page");
  const tab = page.editor;
  const text = (key: string, value: string, locale = "nl") => ({
    locale,
    hash: hashOf("cart", key),
    text: { value },
  });
  const title = { locale: "nl", hash: hashOf("cart", "title") };
  await tab.revert();
  await page.call.stage([text("title", "Mijn mandje"), text("total", "Som: :amont")]);
  await page.call.save();
  const dutch = await editor.read(DUTCH);
  expect([tab.isDirty, dutch.includes("'Mijn mandje'"), dutch.includes("'Som: :amont'")]).toEqual([
    false,
    true,
    true,
  ]);
  await waitUntil(async () => (await page.cell("cart", "total", "nl")) === "Som: :amont [issue]");
  expect(await page.call.details({ ...title, hash: hashOf("cart", "total") })).toMatchObject({
    source: { value: "Total: :amount" },
    sourceAtService: null,
    issues: [{ suggestion: "Som: :amount" }],
    readonlyReason: null,
  });
  expect(await page.call.setup(null)).toMatchObject({ isServiceKnown: false, restriction: "" });
  // Somebody else is faster.
  await page.call.stage([text("title", "Ons mandje")]);
  await editor.write(DUTCH, dutch.replace("Mijn mandje", "Hun mandje"));
  messages.length = 0;
  clickInNextMessage("Show Conflicts");
  await page.call.save();
  await waitUntil(() => tab.isDirty);
  expect(messages).toEqual([
    {
      kind: "warning",
      text: "nl: someone else changed 1 translation in the meantime. “Conflicts” shows both. Not saved, but kept in the translation editor: cart.title (nl).",
      actions: ["Show Conflicts"],
    },
  ]);
  await waitUntil(() => page.views.at(-1)?.query?.filters[0] === "conflicts");
  expect(await page.find({ filters: ["conflicts"] }, ["nl"])).toEqual(["title"]);
  expect(await page.call.details(title)).toMatchObject({
    conflict: { base: { value: "Mijn mandje" }, theirs: { value: "Hun mandje" } },
  });
  await page.call.keepMine([title]);
  await page.call.save();
  expect([tab.isDirty, await editor.read(DUTCH)]).toEqual([
    false,
    dutch.replace("Mijn mandje", "Ons mandje"),
  ]);
  // A source text has a file of its own.
  await page.call.stage([text("title", "Our cart", "en")]);
  await page.call.save();
  expect([tab.isDirty, await editor.read(DUTCH)]).toEqual([
    false,
    dutch.replace("Mijn mandje", "Ons mandje"),
  ]);
  expect(await editor.read(ENGLISH)).toContain("'title' => 'Our cart'");
});

test("a language whose file was deleted is no column; what was typed there is shown again with the file", async () => {
  const page = shown.pages.at(-1) ?? expect.fail("there is a page");
  const title = { locale: "fr", hash: hashOf("cart", "title") };
  await page.call.stage([{ ...title, text: { value: "Mon panier" } }]);
  const columns = async () => (await page.call.setup(null)).languages.map(({ locale }) => locale);
  expect(await columns()).toEqual(["en", "fr", "nl"]);
  const french = await editor.read(FRENCH);
  await rm(editor.uri(FRENCH).fsPath);
  await editor.run(refreshCommand, {});
  expect(await columns()).toEqual(["en", "nl"]);
  await editor.write(FRENCH, french);
  await editor.run(refreshCommand, {});
  expect(await columns()).toEqual(["en", "fr", "nl"]);
  expect(await page.cell("cart", "title", "fr")).toBe("Mon panier [unsaved]");
});
