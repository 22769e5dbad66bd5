/** The translation editor in its tab: what it is asked to show, and unsaved texts from the first letter to the service. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  refreshCommand,
  signInCommand,
  signOutCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { setTranslationCommand } from "../../../src/commands/declarations/text-commands.ts";
import { openEditorCommand } from "../../../src/commands/declarations/window-commands.ts";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import { updateKeyCommand } from "../../../src/features/update-key/update-key-command.ts";
import { createClient } from "../../../src/api/client.ts";
import { ALL_ROWS } from "../../../src/model/translation-editor-filters.ts";
import { answerOf, itemsOf, type ModelItem, rightAnswer } from "../machine-translation/support.ts";
import { fastClock, recordingLog } from "../support/node-platform.ts";
import { SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { followPages, hashOf, type ShownPage } from "../support/shown-page.ts";
import {
  clickInNextMessage,
  closeTabs,
  type CustomEditor,
  customEditors,
  env,
  logged,
  messages,
  openWith,
  pickInNextList,
  provideModel,
  setSetting,
  views,
  window,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const ENGLISH = "lang/en/cart.php";
const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "project-translations.json": JSON.stringify({
    files: [{ path: "lang/{locale}/{namespace}.php", format: "laravel_php" }],
  }),
  [ENGLISH]: `<?php

return [
    'title' => 'Your cart',
    'total' => 'Total: :amount',
    'items' => ':count item|:count items',
    'old' => 'Old cart',
];
`,
  "app/Cart.php": "<?php\n\necho __('cart.title');\n",
};

let editor: Editor;
let shown: ReturnType<typeof followPages>;
/** The last page that was loaded. */
let page: ShownPage;
let tab: CustomEditor;
beforeAll(async () => {
  shown = followPages();
  editor = await openEditor({ files: FILES, service: SHOP });
  await editor.run(pushCommand, {});
});
afterAll(async () => {
  shown.dispose();
  await editor.close();
});
beforeEach(() => void (messages.length = 0));

async function open(options: object = {}): Promise<void> {
  expect(await editor.ask(openEditorCommand, options)).toEqual({ outcome: "done" });
  page = shown.pages.at(-1) ?? expect.fail("there is a page");
  tab = page.editor;
}
const dutch = (key: string, value: string) => ({ locale: "nl", hash: hashOf("cart", key), text: { value } });
/** Types a Dutch text. */
const type = (key: string, value: string) => page.call.stage([dutch(key, value)]);
const cell = (key: string, locale = "nl") => page.cell("cart", key, locale);
/** Somebody else at the service. */
const colleague = () => {
  const { baseUrl, token } = editor.service ?? expect.fail("there is a service");
  return createClient({ baseUrl, token, fetch, clock: fastClock(), log: recordingLog(), locale: () => "en" });
};
const writeElsewhere = async (key: string, value: string): Promise<void> => {
  const name = { namespace: "cart", key, context: null };
  await colleague().writeTranslations("nl", [{ ...name, hash: hashOf("cart", key), value }], "overwrite");
};
const atService = async (key: string): Promise<string | null | undefined> => {
  const { data } = await colleague().translations("nl", {});
  return data.find((each) => each.hash === hashOf("cart", key))?.value;
};
/** What the page is to show: filters, search, languages and the key. */
const view = () => {
  const { query, locales, hash } = page.views.at(-1) ?? expect.fail("nothing is shown");
  return [query && { ...query }, locales, hash];
};
const query = (filters: readonly string[], search = "") => ({ ...ALL_ROWS, filters, search });

test("it opens in a tab with the project's name, and shows what was asked for", async () => {
  await open();
  expect(tab.label).toBe("Translations – Shop");
  expect(view()).toEqual([null, null, null]);
  const title = { namespace: "cart", key: "title" };
  for (const [options, expected] of [
    [{ filter: "untranslated", locale: "nl" }, [query(["untranslated"]), ["nl"], null]],
    // Texts of the source language are always shown.
    [{ filter: "notPushed", locale: "en" }, [query(["notPushed"]), null, null]],
    [{ search: "cart", locales: ["fr"] }, [query([], "cart"), ["fr"], null]],
    [
      { filter: ["unsaved", "refused"], locales: ["fr", "nl"] },
      [query(["unsaved", "refused"]), ["fr", "nl"], null],
    ],
    // A key of a language's rows does not hide the other languages, unless rows of that language are asked for.
    [{ ...title, locale: "nl" }, [query([]), null, hashOf("cart", "title")]],
    [{ ...title, locale: "nl", filter: "outdated" }, [query(["outdated"]), ["nl"], hashOf("cart", "title")]],
    [{ locale: "fr" }, [null, ["fr"], null]],
    [{}, [null, null, null]],
  ] as const) {
    await open(options);
    expect(view()).toEqual(expected);
  }
  expect(customEditors()).toHaveLength(1);
  expect(shown.pages).toHaveLength(1);
});

test("a text is unsaved until it is saved, and can be undone before and after", async () => {
  await waitUntil(async () => (await page.call.find(ALL_ROWS, ["nl"], null)).loadedLocales.includes("nl"));
  await type("title", "Je mandje");
  expect([tab.isDirty, tab.undoLabel, await cell("title")]).toEqual([
    true,
    "Edit Translations",
    "Je mandje [unsaved]",
  ]);
  tab.undo();
  expect([tab.isDirty, await cell("title")]).toEqual([false, " [missing]"]);
  tab.redo();
  expect([tab.isDirty, await cell("title")]).toEqual([true, "Je mandje [unsaved]"]);
  await page.call.save();
  expect([tab.isDirty, await cell("title"), await atService("title")]).toEqual([
    false,
    "Je mandje",
    "Je mandje",
  ]);
  // What was saved and then undone is another change.
  tab.undo();
  expect([tab.isDirty, await cell("title"), await atService("title")]).toEqual([
    true,
    " [missing, unsaved]",
    "Je mandje",
  ]);
  tab.redo();
  expect([tab.isDirty, await cell("title")]).toEqual([false, "Je mandje"]);
  expect(messages).toEqual([]);
});

test("the page is told of its own edits and of what others write, once they are known", async () => {
  page.changed.length = 0;
  await type("total", "Totaal: :amount");
  await waitUntil(() => page.changed.includes("drafts"));
  page.changed.length = 0;
  expect(
    await editor.run(setTranslationCommand, { namespace: "cart", key: "old", locale: "nl", value: "Oud" }),
  ).toMatchObject({ outcome: "done" });
  await waitUntil(() => page.changed.includes("translations"));
  expect(await cell("old")).toBe("Oud");
  await page.call.save();
});

test("what somebody else changed meanwhile stays unsaved, and is shown on request; then one side is chosen", async () => {
  await type("title", "Mijn mandje");
  await type("total", "Samen: :amount");
  await writeElsewhere("title", "Hun mandje");
  clickInNextMessage("Show Conflicts");
  await page.call.save();
  await waitUntil(() => tab.isDirty);
  expect([await cell("title"), await cell("total")]).toEqual([
    "Mijn mandje [unsaved, conflict]",
    "Samen: :amount",
  ]);
  expect(messages).toEqual([
    {
      kind: "warning",
      text: "Saved: 1 of 2 texts. nl: someone else changed 1 translation in the meantime. “Conflicts” shows both. Not saved, but kept in the translation editor: cart.title (nl).",
      actions: ["Show Conflicts"],
    },
  ]);
  await waitUntil(() => page.views.at(-1)?.query?.filters[0] === "conflicts");
  const id = { locale: "nl", hash: hashOf("cart", "title") };
  expect(await page.call.details(id)).toMatchObject({
    text: { value: "Mijn mandje" },
    conflict: { base: { value: "Je mandje" }, theirs: { value: "Hun mandje" } },
  });
  // Saving again does not write over it either.
  await page.call.save();
  expect(await atService("title")).toBe("Hun mandje");
  await page.call.keepMine([id]);
  expect([tab.undoLabel, await cell("title")]).toEqual(["Keep Mine", "Mijn mandje [unsaved]"]);
  await page.call.save();
  expect([tab.isDirty, await atService("title")]).toEqual([false, "Mijn mandje"]);
  // And the other side.
  await type("title", "Weer anders");
  await writeElsewhere("title", "Hun mandje");
  await page.call.save();
  await page.call.discard([id]);
  expect([tab.undoLabel, await cell("title")]).toEqual(["Discard Changes", "Hun mandje"]);
  await page.call.save();
  expect([tab.isDirty, await atService("title")]).toEqual([false, "Hun mandje"]);
});

test("a save that fails with auto save on is not tried again every second: the tab stays unsaved", async () => {
  await type("title", "Mijn mandje");
  await writeElsewhere("title", "Van hen");
  setSetting("files.autoSave", "afterDelay");
  expect(await tab.save()).toBe(false);
  expect(tab.isDirty).toBe(true);
  setSetting("files.autoSave", "off");
  await page.call.discard([{ locale: "nl", hash: hashOf("cart", "title") }]);
  expect(await tab.save()).toBe(true);
  expect(tab.isDirty).toBe(false);
});

test("reverting discards all unsaved texts, which can be restored, unless there are newer ones", async () => {
  await type("title", "Eerst");
  await type("total", "Eerst: :amount");
  const answer = Promise.withResolvers<string>();
  const message = vi.spyOn(window, "showInformationMessage").mockReturnValueOnce(answer.promise);
  await tab.revert();
  expect(message.mock.calls).toEqual([["Discarded: 2 unsaved texts.", "Restore"]]);
  message.mockRestore();
  expect([tab.isDirty, await cell("title"), await cell("total")]).toEqual([
    false,
    "Van hen",
    "Samen: :amount",
  ]);
  await type("title", "Daarna");
  await page.call.save();
  await type("title", "Nog later");
  answer.resolve("Restore");
  await waitUntil(async () => (await cell("total")) === "Eerst: :amount [unsaved]");
  expect([await cell("title"), tab.isDirty]).toEqual(["Nog later [unsaved]", true]);
  await tab.revert();
  messages.length = 0;
  // Nothing to discard is nothing to say.
  await tab.revert();
  expect(messages).toEqual([]);
});

test("cells are pasted, filled, cleared and copied, and it is said how many could not be changed", async () => {
  const [title, total, items] = ["title", "total", "items"].map((key) => hashOf("cart", key)) as [
    string,
    string,
    string,
  ];
  await page.call.paste(
    [
      { locale: "nl", hash: title, copied: "Geplakt" },
      { locale: "nl", hash: items, copied: "ding\ndingen" },
      { locale: "nl", hash: items, copied: "one line" },
    ],
    2,
  );
  expect([await cell("title"), await cell("items")]).toEqual([
    "Geplakt [unsaved]",
    "ding / dingen [unsaved]",
  ]);
  expect(messages.map(({ text }) => text)).toEqual([
    "Not changed: 3 of 5 texts. These texts are outside of the table, in read-only cells, or have no line for each plural form.",
  ]);
  // What is pasted at once is undone at once.
  tab.undo();
  expect([await cell("title"), await cell("items")]).toEqual(["Daarna", " /  [missing]"]);
  messages.length = 0;
  await page.call.fill(title, [total, items], ["nl"]);
  expect([await cell("total"), await cell("items")]).toEqual(["Daarna [unsaved]", " /  [missing]"]);
  expect(messages.map(({ text }) => text)).toEqual([
    "Not changed: 1 of 2 texts. These cells are read-only, or differ from the first one in having plural forms.",
  ]);
  messages.length = 0;
  await page.call.clear([title], ["nl"]);
  expect(await cell("title")).toBe(" [missing, unsaved]");
  expect(messages).toEqual([]);
  await page.call.copy([title, total], ["en", "nl"]);
  expect(await env.clipboard.readText()).toBe("Your cart\t\nTotal: :amount\tDaarna");
  await tab.revert();
});

test("words are replaced in the cells that have them, as one step, after a preview", async () => {
  await type("title", "rood, blauw");
  await type("total", "rood :amount");
  const replacement = {
    find: "rood",
    replacement: "groen",
    matchCase: false,
    wholeWord: false,
    isRegExp: false,
  };
  const hashes = ["title", "total", "old"].map((key) => hashOf("cart", key));
  expect(await page.call.findMatches(hashes, ["nl"], replacement)).toEqual({
    matches: [
      {
        cell: { locale: "nl", hash: hashes[0] },
        key: "cart.title",
        before: "rood, blauw",
        after: "groen, blauw",
      },
      {
        cell: { locale: "nl", hash: hashes[1] },
        key: "cart.total",
        before: "rood :amount",
        after: "groen :amount",
      },
    ],
    end: "complete",
  });
  // One of the two is unchecked.
  await page.call.replace([{ locale: "nl", hash: hashes[0] as string }], replacement);
  expect([await cell("title"), await cell("total")]).toEqual([
    "groen, blauw [unsaved]",
    "rood :amount [unsaved]",
  ]);
  const slow = { ...replacement, find: "(a+)+$", isRegExp: true };
  await type("old", `${"a".repeat(60)}!`);
  expect(await page.call.findMatches(hashes, ["nl"], slow)).toMatchObject({ matches: [], end: "too-slow" });
  await page.call.replace([{ locale: "nl", hash: hashes[2] as string }], slow);
  expect(messages.at(-1)?.text).toBe(
    "Nothing was replaced: the regular expression takes too long in these texts.",
  );
  await tab.revert();
});

test("the details of a cell say what its source text was before, and where the key is used", async () => {
  const id = { locale: "nl", hash: hashOf("cart", "old") };
  expect(await page.call.details(id)).toMatchObject({
    source: { value: "Old cart" },
    text: { value: "Oud" },
    sourceAtService: null,
    previousSource: null,
    conflict: null,
    usedIn: null,
    readonlyReason: null,
  });
  await editor.write(ENGLISH, FILES[ENGLISH].replace("Old cart", "Former cart"));
  await waitUntil(async () => (await page.cell("cart", "old", "en")) === "Former cart");
  expect(await page.call.details(id)).toMatchObject({
    source: { value: "Former cart" },
    sourceAtService: { value: "Old cart" },
  });
  await editor.run(pushCommand, {});
  await editor.run(refreshCommand, {});
  await waitUntil(async () => (await cell("old")) === "Oud [outdated]");
  expect(await page.call.details(id)).toMatchObject({
    source: { value: "Former cart" },
    sourceAtService: null,
    previousSource: { value: "Old cart" },
  });
  await editor.run(updateKeyCommand, {
    namespace: "cart",
    key: "total",
    description: "Below",
    maxLength: 30,
  });
  // What is said of the stored text is not said of what is typed.
  await type("old", "Vorig mandje");
  expect(await cell("old")).toBe("Vorig mandje [unsaved]");
  // Once it is up to date again, what the source text was before does not matter.
  await page.call.save();
  expect(await page.call.details(id)).toMatchObject({
    text: { value: "Vorig mandje" },
    previousSource: null,
  });
  expect(await page.call.details({ locale: "nl", hash: hashOf("cart", "title") })).toMatchObject({
    usedIn: "app/Cart.php",
  });
});

test("a single cell is translated again, of several only what is missing, and nothing into the source language", async () => {
  const asked: string[][] = [];
  let items: readonly ModelItem[] = [];
  provideModel(async (sent) => {
    const { locale } = itemsOf(sent);
    ({ items } = itemsOf(sent));
    asked.push([locale, ...items.map(({ key }) => key)]);
    return answerOf(items.map(rightAnswer));
  });
  const translate = async (keys: readonly string[], locales: readonly string[]) => {
    asked.length = 0;
    pickInNextList("Translate");
    await page.call.translate(
      keys.map((key) => hashOf("cart", key)),
      locales,
    );
    return asked;
  };
  expect(await translate(["title"], ["nl"])).toEqual([["nl", "cart.title"]]);
  // With what is known of the key, so that the model knows it, too.
  expect(items[0]).toMatchObject({ source: "Your cart", usedAt: ["app/Cart.php:3"] });
  expect(items[0]).not.toHaveProperty("description");
  expect(await cell("title")).toBe("x Your cart [unsaved, machine]");
  await waitUntil(() => tab.isDirty);
  await tab.revert();
  expect(await translate(["title", "items"], ["en", "nl"])).toEqual([["nl", "cart.items"]]);
  await tab.revert();
  // Without a column the languages are asked for.
  pickInNextList((items) => items.filter(({ label }) => label.includes("fr")));
  expect(await translate(["title", "total"], [])).toEqual([["fr", "cart.title", "cart.total"]]);
  expect(items[1]).toMatchObject({ description: "Below", maxLength: 30 });
  await tab.revert();
  provideModel(null);
  messages.length = 0;
});

test("the languages that are chosen are remembered, in their order, and there are only those of the project", async () => {
  const columns = async (locales: readonly string[] | null = null) =>
    (await page.call.setup(locales)).languages.map(({ locale }) => locale);
  expect(await columns()).toEqual(["en", "nl", "fr"]);
  await page.call.setLanguages(["fr", "xx"]);
  expect([await columns(), await columns(["nl"])]).toEqual([
    ["en", "fr"],
    ["en", "nl"],
  ]);
  await page.call.setLanguages(["fr", "nl"]);
  expect(await columns()).toEqual(["en", "fr", "nl"]);
  // Those that were shown keep their order, and others follow.
  pickInNextList((items) => {
    expect(items.map((item) => [item.label, (item as { picked?: boolean }).picked])).toEqual([
      ["Nederlands (nl)", false],
      ["Français (fr)", true],
    ]);
    return items;
  });
  expect(await page.call.chooseLanguages(["fr"])).toEqual(["fr", "nl"]);
  pickInNextList(() => undefined);
  expect(await page.call.chooseLanguages(["fr"])).toBeNull();
  expect(await page.call.existing([hashOf("cart", "title"), hashOf("cart", "none")])).toEqual([
    hashOf("cart", "title"),
  ]);
  await page.call.showUsage(hashOf("cart", "old"));
  expect(window.activeTextEditor?.document.uri.path).not.toBe(editor.uri("app/Cart.php").path);
  await page.call.showUsage(hashOf("cart", "title"));
  expect(window.activeTextEditor?.document.uri.path).toBe(editor.uri("app/Cart.php").path);
});

test("what was typed before the tab was closed is there again, and unsaved, when it is opened", async () => {
  await open();
  await type("title", "Blijft");
  closeTabs([tab]);
  expect(customEditors()).toEqual([]);
  await open();
  expect(shown.pages).toHaveLength(2);
  expect([tab.isDirty, await cell("title")]).toEqual([true, "Blijft [unsaved]"]);
});

test("a window that is opened again restores what of a backup was only in memory", async () => {
  await tab.revert();
  await type("title", "In een back-up");
  const id = await tab.backup(editor.uri("../backups/one.json"));
  const backup = JSON.parse(await editor.read("../backups/one.json")) as object;
  expect(backup).toMatchObject({ isOnDisk: true, drafts: [dutch("title", "In een back-up")] });
  await tab.revert();
  const openAgain = async (backupId: string) => {
    closeTabs(customEditors());
    await openWith(tab.document.uri, "projectTranslations.editor", {}, backupId);
    page = shown.pages.at(-1) ?? expect.fail("there is a page");
    tab = page.editor;
    return cell("title");
  };
  // What was on disk has been discarded there since.
  expect(await openAgain(id)).toBe("Daarna");
  await editor.write("../backups/one.json", JSON.stringify({ ...backup, isOnDisk: false }));
  expect([await openAgain(id), tab.isDirty]).toEqual(["In een back-up [unsaved]", true]);
  await tab.revert();
  // The texts of another project are there when somebody signs in to that one.
  const ofAnother = { ...backup, isOnDisk: false, project: "another" };
  await editor.write("../backups/one.json", JSON.stringify(ofAnother));
  expect(await openAgain(id)).toBe("Daarna");
  expect(await openAgain("file:///no/such/backup")).toBe("Daarna");
  expect(logged.findLast((line) => line.startsWith("error: "))).toMatch(
    /^error: The backup \/no\/such\/backup of unsaved texts could not be read/u,
  );
  await type("title", "Blijft");
});

test("the project file is shown as the same editor, in the same tab", async () => {
  await openWith(editor.uri("project-translations.json"), "projectTranslations.editor");
  await waitUntil(() => customEditors().length === 1);
  expect(customEditors()[0]?.label).toBe("Translations – Shop");
  expect(customEditors()[0]).toBe(tab);
});

test("signing out leaves unsaved texts for the next sign-in, and the tab shows the files", async () => {
  const { baseUrl, token } = editor.service ?? expect.fail("there is a service");
  expect(await editor.run(signOutCommand, {})).toMatchObject({ outcome: "done" });
  await waitUntil(() => !tab.isDirty);
  await waitUntil(async () => (await cell("title")) === " [missing]");
  // A clean tab gets the name of what it shows.
  await open();
  await waitUntil(() => customEditors().length === 1);
  expect([tab.label, customEditors()[0] === tab]).toEqual(["Translations – app", true]);
  await page.call.stage([{ ...dutch("title", "Mand"), locale: "en" }]);
  expect(await editor.run(signInCommand, { baseUrl, token })).toMatchObject({ outcome: "done" });
  await editor.run(listKeysCommand, {});
  await waitUntil(async () => (await cell("title")) === "Blijft [unsaved]");
  await waitUntil(() => tab.isDirty);
  // An unsaved one keeps its name and its tab.
  await open();
  expect([tab.label, customEditors().length]).toEqual(["Translations – app", 1]);
  await page.call.save();
  expect([tab.isDirty, await atService("title")]).toEqual([false, "Blijft"]);
  expect(await editor.read(ENGLISH)).toContain("'title' => 'Your cart'");
});

test("a tab in the background gets its name in the language of the window, unless it is unsaved", async () => {
  await editor.show("app/Cart.php");
  const { length } = shown.pages;
  const isNamed = (label: string) =>
    waitUntil(
      () =>
        customEditors()
          .map((each) => each.label)
          .join() === label,
    );
  try {
    for (const [language, label] of [
      ["nl", "Vertalingen – Shop"],
      ["en", "Translations – Shop"],
      ["nl", "Vertalingen – Shop"],
    ] as const) {
      setSetting("projectTranslations.language", language);
      await isNamed(label);
    }
    // It has no page before it comes to the front.
    expect(shown.pages).toHaveLength(length);
    await open();
    await type("title", "Getypt");
  } finally {
    setSetting("projectTranslations.language", "en");
  }
  await waitUntil(() => views.get("projectTranslations.usage")?.title === "Usage");
  await editor.run(listKeysCommand, {});
  expect(customEditors().map(({ label }) => label)).toEqual(["Vertalingen – Shop"]);
});

test("what a save could not do is said with what can be done about it, also once the tab was closed", async () => {
  const { fetch } = globalThis;
  let answer: { readonly status: number; readonly body: object } | null = null;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) =>
    answer !== null && init?.method === "PUT"
      ? Response.json(answer.body, { status: answer.status })
      : fetch(input, init),
  );
  await open();
  await tab.revert();
  await type("title", "Eerste");
  const save = async () => {
    messages.length = 0;
    await page.call.save();
    await waitUntil(() => tab.isDirty);
    return messages;
  };
  answer = { status: 422, body: { message: "No.", errors: { "translations.0.value": ["Too rude."] } } };
  expect(await save()).toEqual([
    {
      kind: "warning",
      text: "The service did not write cart.title (nl): Too rude. Not saved, but kept in the translation editor: cart.title (nl).",
      actions: ["Show Unsaved Texts"],
    },
  ]);
  answer = { status: 401, body: { message: "No." } };
  expect(await save()).toMatchObject([{ actions: ["Sign In"] }]);
  answer = null;
  await editor.run(refreshCommand, {});
  answer = { status: 404, body: { message: "No." } };
  const chosen = Promise.withResolvers<string>();
  const message = vi.spyOn(window, "showWarningMessage").mockReturnValueOnce(chosen.promise);
  await save();
  expect(message.mock.calls).toMatchObject([[expect.stringContaining("cart.title (nl)"), "Try Again"]]);
  answer = null;
  closeTabs(customEditors());
  chosen.resolve("Try Again");
  await waitUntil(async () => (await atService("title")) === "Eerste");
  page = shown.pages.at(-1) ?? expect.fail("there is a page");
  tab = page.editor;
  await waitUntil(() => !tab.isDirty);
  expect([customEditors().length, view()]).toEqual([1, [query(["unsaved"]), null, null]]);
  // What a save does once it has ended.
  await new Promise((resolve) => setImmediate(resolve));
});

test("an editor that is closed before its page is shown ends the command that opened it", async () => {
  shown.dispose();
  closeTabs(customEditors());
  const opening = editor.ask(openEditorCommand, {});
  await waitUntil(() => customEditors().length === 1);
  closeTabs(customEditors());
  expect(await opening).toEqual({ outcome: "cancelled" });
});
