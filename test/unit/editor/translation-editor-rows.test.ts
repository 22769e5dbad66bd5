/** The rows of the translation editor in a window: where they are opened from, and what they say of keys. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { findUnusedCommand } from "../../../src/commands/declarations/key-commands.ts";
import { refreshCommand } from "../../../src/commands/declarations/session-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { setTranslationCommand } from "../../../src/commands/declarations/text-commands.ts";
import {
  openEditorCommand,
  openEditorRowCommand,
} from "../../../src/commands/declarations/window-commands.ts";
import { updateKeyCommand } from "../../../src/features/update-key/update-key-command.ts";
import { ALL_ROWS } from "../../../src/model/translation-editor-filters.ts";
import { DUTCH_SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { followPages, hashOf, type ShownPage } from "../support/shown-page.ts";
import { type CompletionList, type Hover, type Range, type Uri, window } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const ENGLISH = "lang/en/cart.php";
const MANY = Array.from({ length: 201 }, (_, index) => `k${String(index).padStart(3, "0")}`);
const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  [ENGLISH]: `<?php

return [
    'title' => 'Your cart',
    'total' => 'Total: :amount',
    'items' => ':count item|:count items',
    'old' => 'Old cart',
];
`,
  "lang/en/many.php": `<?php\n\nreturn [\n${MANY.map((key) => `    '${key}' => 'Text ${key}',\n`).join("")}];\n`,
  "app/Cart.php": "<?php\n\necho __('cart.title');\n",
};

let editor: Editor;
let pages: ReturnType<typeof followPages>;
let page: ShownPage;
beforeAll(async () => {
  pages = followPages();
  editor = await openEditor({ files: FILES, service: DUTCH_SHOP });
  await editor.run(pushCommand, {});
  await editor.run(refreshCommand, {});
  expect(await editor.ask(openEditorCommand, {})).toEqual({ outcome: "done" });
  page = pages.pages.at(-1) ?? expect.fail("there is a page");
});
afterAll(async () => {
  pages.dispose();
  await editor.close();
});

const title = hashOf("cart", "title");
/** What the page is to show: query, languages and key. */
const view = () => {
  const { query, locales, hash } = page.views.at(-1) ?? expect.fail("nothing is shown");
  return [query, locales, hash];
};
const query = (filters: readonly string[]) => ({ ...ALL_ROWS, filters });

test("rows of views, and the lens of a line, open it with what they stand for", async () => {
  await waitUntil(async () => (await editor.rows("languages")).some((row) => row.startsWith("Nederlands")));
  const untranslated = query(["untranslated"]);
  for (const [path, expected] of [
    [["Nederlands"], [null, ["nl"], null]],
    [
      ["Nederlands", "Untranslated"],
      [untranslated, ["nl"], null],
    ],
    [
      ["Nederlands", "Untranslated", "cart.title"],
      [untranslated, ["nl"], title],
    ],
    [
      ["English", "All keys", "cart.title"],
      [query([]), null, title],
    ],
  ] as const) {
    await editor.runOnRow(openEditorRowCommand, "languages", ...path);
    expect(view()).toEqual(expected);
  }
  await editor.ask(findUnusedCommand, {});
  await editor.runOnRow(openEditorRowCommand, "usage", "Unused");
  expect(view()).toEqual([query(["unused"]), null, null]);
  await editor.ask(openEditorCommand, {});
  const [lens = ""] = await editor.lenses(ENGLISH);
  expect(lens).toMatch(/^4 .* translated/u);
  await editor.clickLens(ENGLISH, lens.replace(/^4 /u, ""));
  expect(view()).toEqual([query([]), null, title]);
});

test("the page runs only its own script, and is told what there is to choose from", async () => {
  const { html, options } = page.editor.webview;
  const [root, ...others] = (options as { readonly localResourceRoots: readonly Uri[] }).localResourceRoots;
  expect([options, root?.path.split("/").at(-1), others]).toMatchObject([
    { enableScripts: true },
    "dist",
    [],
  ]);
  const [, nonce = ""] = /script-src 'nonce-([^']+)'/u.exec(html) ?? [];
  expect(html).toContain("default-src 'none'");
  expect(html.match(/<script[^>]*>/gu)).toEqual([expect.stringContaining(`nonce="${nonce}"`)]);
  expect(await page.call.setup(null)).toMatchObject({
    language: "en",
    languageCount: 2,
    isServiceKnown: true,
    restriction: "",
    separator: ".",
    namespaces: ["cart", "many"],
    tags: [],
  });
});

test("of many rows those around a key are read first, and only the first matches are shown", async () => {
  const query = { ...ALL_ROWS, namespace: "many" };
  const around = async (key: string | null) => {
    const found = await page.call.find(query, ["en"], key && hashOf("many", key));
    return [found.hashes.split(",").length, found.start, found.rows.length, found.rows[0]?.key];
  };
  expect(await around(null)).toEqual([201, 0, 30, "k000"]);
  expect(await around("k029")).toEqual([201, 0, 30, "k000"]);
  expect(await around("k030")).toEqual([201, 30, 30, "k030"]);
  expect(await around("k200")).toEqual([201, 180, 21, "k180"]);
  expect(await around("gone")).toEqual([201, 0, 30, "k000"]);
  const words = { find: "text", replacement: "word", matchCase: false, wholeWord: true, isRegExp: false };
  const hashes = MANY.map((key) => hashOf("many", key));
  const found = async (count: number) => {
    const { matches = [], end } = (await page.call.findMatches(hashes.slice(0, count), ["en"], words)) ?? {};
    return [matches.length, end];
  };
  expect([await found(200), await found(201)]).toEqual([
    [200, "complete"],
    [200, "more"],
  ]);
  // All are replaced at once, and undone at once.
  const last = () => page.cell("many", "k200", "en");
  await page.call.replace(
    hashes.map((hash) => ({ locale: "en", hash })),
    words,
  );
  expect([await last(), await page.find({ filters: ["unsaved"] }, ["en"])]).toEqual([
    "word k200 [unsaved]",
    MANY.slice(0, 30),
  ]);
  page.editor.undo();
  expect([await last(), page.editor.isDirty]).toEqual(["Text k200", false]);
});

test("a row says what is known of its key at the service and in the code", async () => {
  const total = { namespace: "cart", key: "total" };
  await editor.run(updateKeyCommand, { ...total, description: "Below", maxLength: 30, tags: ["a"] });
  const write = (value: string, version?: number | null) =>
    editor.run(setTranslationCommand, {
      ...total,
      locale: "nl",
      value,
      ...(version !== undefined && { version }),
    });
  const { row: first } = (await write("Totaal: :amount")) as { readonly row?: { readonly version: number } };
  expect(await write("Totaal: :amont", first?.version)).toMatchObject({ outcome: "done" });
  // A text that was read before that one does not replace it.
  expect(await write("Samen: :amount", first?.version)).toMatchObject({
    outcome: "conflict",
    theirs: { value: "Totaal: :amont" },
  });
  const row = async (key: string) => {
    const { rows } = await page.call.rows([hashOf("cart", key)], ["nl"]);
    const { cells: _, ...others } = rows[0] ?? expect.fail("there is a row");
    return others;
  };
  // A report counts until something else of the project arrives.
  await waitUntil(async () => {
    await editor.run(findUnusedCommand, {});
    return (await row("old")).isUnused;
  });
  expect(await row("title")).toEqual({
    hash: title,
    namespace: "cart",
    key: "title",
    context: null,
    description: null,
    tags: [],
    maxLength: null,
    isNotPushed: false,
    usageCount: 1,
    mayBeUsed: false,
    isUnused: false,
    placeholders: [],
  });
  expect(await row("total")).toMatchObject({
    description: "Below",
    tags: ["a"],
    maxLength: 30,
    usageCount: 0,
    placeholders: [":amount"],
  });
  expect((await page.find({ filters: ["unused"], namespace: "cart" }, ["nl"])).toSorted()).toEqual([
    "items",
    "old",
    "total",
  ]);
  expect(await page.call.details({ locale: "nl", hash: hashOf("cart", "total") })).toMatchObject({
    issues: [{ suggestion: "Totaal: :amount" }],
    rejectionReason: null,
  });
  expect((await page.call.setup(null)).tags).toEqual(["a"]);
  // A key that a pattern may mean by now.
  await editor.write("app/Old.php", "<?php\n\necho __('cart.'.$name), ['old'];\n");
  // The filter finds unused keys by what the code is now, without another report of the user's.
  await waitUntil(
    async () => !(await page.find({ filters: ["unused"], namespace: "cart" }, ["nl"])).includes("old"),
  );
  await editor.run(findUnusedCommand, {});
  await waitUntil(async () => (await row("old")).mayBeUsed);
  expect((await row("old")).isUnused).toBe(false);
});

test("of many keys a hover lists the first, and completion says that there are more", async () => {
  const path = "app/Many.php";
  await editor.write(path, "<?php\n\necho __('many'), __('many.k');\n");
  const lines = (await editor.hover(path, "'ma|ny'"))?.split("\n") ?? [];
  expect(lines[0]).toBe("$(list-tree) A group of 201 keys");
  expect(lines.filter((line) => line.startsWith("- "))).toEqual([
    ...MANY.slice(0, 8).map((key) => `- **many&#46;${key}** Text ${key}`),
    "- …",
  ]);
  const { range } = await editor.provide<Hover & { readonly range: Range }>(
    "Hover",
    "provideHover",
    path,
    "'ma|ny'",
  );
  expect(window.activeTextEditor?.document.getText(range)).toBe("many");
  const provide = ["Completion", "provideCompletionItems", path, "'many.k|'"] as const;
  const { items, isIncomplete } = await editor.provide<CompletionList>(...provide);
  expect([items.length, isIncomplete]).toEqual([50, true]);
  expect(items[0]).toMatchObject({
    label: { label: "many.k000", description: "Text k000" },
    sortText: "0000",
  });
  expect(items[49]?.sortText).toBe("0049");
  // Also while nothing is typed.
  await editor.write("app/None.php", "<?php\n\necho __('');\n");
  const first = ["Completion", "provideCompletionItems", "app/None.php", "__('|')"] as const;
  expect((await editor.provide<CompletionList>(...first)).isIncomplete).toBe(true);
});
