/** What a push and a pull ask, show and offer in a window that is signed in, and what follows from the answers. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { archiveCommand } from "../../../src/commands/declarations/key-commands.ts";
import { refreshCommand } from "../../../src/commands/declarations/session-commands.ts";
import {
  importLocalCommand,
  pullCommand,
  pushCommand,
  showPulledCommand,
  undoPullCommand,
} from "../../../src/commands/declarations/sync-commands.ts";
import { extractKeyCommand } from "../../../src/commands/declarations/text-commands.ts";
import { findTextsCommand } from "../../../src/features/extract-key/find-hard-coded-texts-command.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { DUTCH_SHOP, EXPORT_PROFILES } from "../support/fixture-project.ts";
import { type Editor, openEditor, selectionIn, wordsAt } from "../support/open-editor.ts";
import {
  answerNextInput,
  answerNextList,
  builtInCommands,
  clickInNextMessage,
  type Location,
  messages,
  pickInNextList,
  type QuickPick,
  type TextDocument,
  type Uri,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const ENGLISH = "lang/en/cart.php";
const DUTCH = "lang/nl/cart.php";
const SERVICE = { ...DUTCH_SHOP, exportProfiles: EXPORT_PROFILES };
const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  [ENGLISH]: `<?php

return [
    'title' => 'Your cart',
    'total' => 'Total: :amount',
    'items' => ':count item|:count items',
    'old' => 'Old',
];
`,
  [DUTCH]: `<?php

return [
    'title' => 'Je mandje',
];
`,
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ indexingProcess: true, files: FILES, service: SERVICE });
  expect(await editor.run(pushCommand, {})).toMatchObject({ result: { created: 4 } });
});
afterAll(() => editor.close());

const cart = (key: string) => ({ namespace: "cart", key, context: null });
const hashOf = (key: string): string => keyHash(cart(key));
/** The source texts of the active keys at the service. */
async function atService(): Promise<Readonly<Record<string, unknown>>> {
  const { data } = await editor.request<{
    readonly data: readonly { readonly key: string; readonly archived: boolean; readonly source: object }[];
  }>("GET", "/keys?namespace=cart");
  return Object.fromEntries(
    data.flatMap(({ key, archived, source }) => (archived ? [] : [[key, Object.values(source)[0]]])),
  );
}
/** Somebody else changes a source text. */
const changeAtService = (key: string, value: string) =>
  editor.request("POST", "/keys/sync", { keys: [{ namespace: "cart", key, value }], archive: [] });
/** Somebody else translates a text. */
const translateAtService = (key: string, value: string) =>
  editor.request("PUT", "/translations/nl", {
    mode: "overwrite",
    translations: [{ namespace: "cart", key, value }],
  });
/** Types a text in place of another one, which stays unsaved. */
async function type(path: string, before: string, text: string): Promise<TextDocument> {
  const { document } = await editor.show(path);
  document.type(selectionIn(document, `|${before}|`), text);
  return document;
}
const edit = async (path: string, before: string, text: string): Promise<void> =>
  editor.write(path, (await editor.read(path)).replace(before, text));
const lastMessage = () => messages.at(-1);
/** Waits for a list that a click in a message opens, and answers it. */
function answeredLater(answer: (preview: QuickPick) => unknown): Promise<void> {
  return new Promise((resolve) => {
    answerNextList(async (preview) => {
      await answer(preview);
      resolve();
    });
  });
}

describe("a push of unsaved texts", () => {
  test("sends them as they are shown, and saves nothing", async () => {
    const document = await type(ENGLISH, "Your cart", "Our cart");
    // A dry run asks nothing.
    expect(await editor.ask(pushCommand, { dryRun: true })).toMatchObject({ plan: { changed: 1 } });
    pickInNextList((items, { title, placeHolder }) => {
      expect([title, placeHolder]).toEqual(["Unsaved changes in 1 file", ENGLISH]);
      return items[1];
    });
    answerNextList((preview) => preview.accept());
    expect(await editor.ask(pushCommand, {})).toMatchObject({ result: { updated: 1 } });
    expect(await atService()).toMatchObject({ title: "Our cart" });
    expect(document.isDirty).toBe(true);
    expect(await editor.read(ENGLISH)).toContain("Your cart");
    await document.save();
    expect(await editor.run(pushCommand, {})).toMatchObject({ outcome: "unchanged" });
  });

  test("saves the source files on request, and no other", async () => {
    const dutch = await type(DUTCH, "Je mandje", "Mijn mandje");
    const document = await type(ENGLISH, "Our cart", "A cart");
    pickInNextList("no such answer");
    expect(await editor.ask(pushCommand, {})).toEqual({ outcome: "cancelled" });
    expect(document.isDirty).toBe(true);
    pickInNextList("Save and Continue");
    answerNextList((preview) => preview.accept());
    expect(await editor.ask(pushCommand, {})).toMatchObject({ result: { updated: 1 } });
    expect([document.isDirty, dutch.isDirty]).toEqual([false, true]);
    expect(await editor.read(ENGLISH)).toContain("A cart");
    expect(await editor.read(DUTCH)).toContain("Je mandje");
    expect(await atService()).toMatchObject({ title: "A cart" });
    // Translations are not pushed, so that nothing is asked of them.
    expect(await editor.ask(pushCommand, {})).toMatchObject({ outcome: "unchanged" });
    await dutch.save();
    await edit(DUTCH, "Mijn mandje", "Je mandje");
  });
});

describe("a push", () => {
  test("shows both sides of a text", async () => {
    await edit(ENGLISH, "'A cart'", "'Your cart'");
    answerNextList(async (preview) => {
      const shown = builtInCommands.length;
      preview.press("Show Difference", "cart.title");
      await waitUntil(() => builtInCommands.slice(shown).some(([id]) => id === "vscode.diff"));
      preview.accept();
    });
    expect(await editor.ask(pushCommand, {})).toMatchObject({ result: { updated: 1 } });
    expect(await editor.difference()).toEqual(["title: service ↔ local", "A cart", "Your cart"]);
    // The layout of the editors is as it was before the difference was shown below the list.
    const layouts = builtInCommands.filter(([id]) => id === "vscode.setEditorLayout");
    expect(layouts.at(-1)?.[1]).toEqual({ groups: [{}] });
  });

  test("with nothing to send offers what can be done with the rest, for just these keys", async () => {
    await editor.run(archiveCommand, { hashes: [hashOf("old")] });
    await changeAtService("total", "Sum: :amount");
    expect(await editor.ask(pushCommand, {})).toMatchObject({ outcome: "unchanged" });
    expect(lastMessage()).toMatchInlineSnapshot(`
      {
        "actions": [
          "Import Local Translations…",
          "Restore…",
          "Pull…",
          "Overwrite…",
          "Find Keys to Archive",
        ],
        "kind": "information",
        "text": "Nothing to push to Shop: 2 source texts, all up to date. 1 local translation is not on the service. Not pushed: archived on the service: 1 key; changed only on the service: 1 key.",
      }
    `);
    // Restore…
    clickInNextMessage("Restore…");
    const restored = answeredLater((preview) => {
      expect(preview.checked).toEqual(["$(history) cart.old"]);
      preview.accept();
    });
    await editor.ask(pushCommand, {});
    await restored;
    await waitUntil(async () => "old" in (await atService()));
    expect(await atService()).toMatchObject({ total: "Sum: :amount" });
    // Overwrite…
    clickInNextMessage("Overwrite…");
    const overwritten = answeredLater((preview) => {
      expect(preview.checked).toEqual(["$(cloud) cart.total"]);
      preview.accept();
    });
    await editor.ask(pushCommand, {});
    await overwritten;
    await waitUntil(async () => (await atService())["total"] === "Total: :amount");
  });

  test("finds keys to archive on request, of the project that it was for", async () => {
    await edit(ENGLISH, "    'old' => 'Old',\n", "");
    clickInNextMessage("Find Keys to Archive");
    const archived = answeredLater((preview) => {
      expect(preview.rows).toEqual(["$(archive) cart.old"]);
      expect(preview.checked).toEqual(["$(archive) cart.old"]);
      preview.accept();
    });
    expect(await editor.ask(pushCommand, {})).toMatchObject({ outcome: "unchanged" });
    await archived;
    await waitUntil(async () => !("old" in (await atService())));
    // Once there are none, it is not offered again.
    expect(await editor.ask(pushCommand, { archiveMissing: true })).toMatchObject({ outcome: "unchanged" });
    expect(lastMessage()?.actions).not.toContain("Find Keys to Archive");
  });

  test("offers to import what only the files have, and names its number", async () => {
    expect(await editor.ask(pushCommand, {})).toMatchObject({ outcome: "unchanged" });
    expect(lastMessage()).toMatchInlineSnapshot(`
      {
        "actions": [
          "Import Local Translations…",
          "Find Keys to Archive",
        ],
        "kind": "information",
        "text": "Nothing to push to Shop: 3 source texts, all up to date. 1 local translation is not on the service.",
      }
    `);
    clickInNextMessage("Import Local Translations…");
    let difference: readonly string[] = [];
    const imported = answeredLater(async (preview) => {
      expect(preview.title).toBe("1 local translation is not on the service");
      const shown = builtInCommands.length;
      preview.press("Show Difference", "Nederlands");
      await waitUntil(() => builtInCommands.slice(shown).some(([id]) => id === "vscode.diff"));
      difference = await editor.difference();
      preview.accept();
    });
    await editor.ask(pushCommand, {});
    await imported;
    expect(difference).toEqual(["Nederlands (nl): service ↔ local", "", "# cart.title\nJe mandje\n"]);
    await waitUntil(async () => (await editor.run(importLocalCommand, {})).outcome === "unchanged");
    expect(await editor.ask(pushCommand, {})).toMatchObject({ outcome: "unchanged" });
    expect(lastMessage()?.actions).toEqual(["Find Keys to Archive"]);
  });
});

describe("a pull", () => {
  test("shows the differences, and then what it wrote, until it is undone", async () => {
    await translateAtService("title", "Hun mandje");
    const before = await editor.read(DUTCH);
    let difference: readonly string[] = [];
    answerNextList(async (preview) => {
      const shown = builtInCommands.length;
      preview.press("Show Difference", DUTCH);
      await waitUntil(() => builtInCommands.slice(shown).some(([id]) => id === "vscode.diff"));
      difference = await editor.difference();
      preview.press("Show All Differences");
      await waitUntil(() => builtInCommands.slice(shown).some(([id]) => id === "vscode.changes"));
      const [, title, changes] = builtInCommands.findLast(([id]) => id === "vscode.changes") ?? [];
      const [[, onDisk, pulled] = []] = changes as readonly (readonly Uri[])[];
      expect([title, onDisk?.scheme, onDisk?.path]).toEqual([
        "Pull from Shop",
        "file",
        editor.uri(DUTCH).path,
      ]);
      expect((await workspace.openTextDocument(pulled as Uri)).getText()).toContain("Hun mandje");
      preview.accept();
    });
    expect(await editor.ask(pullCommand, {})).toMatchObject({
      outcome: "done",
      files: [
        { path: ENGLISH, change: "unchanged" },
        { path: DUTCH, change: "updated" },
      ],
    });
    const [title, left, right] = difference;
    expect(title).toBe(`${DUTCH}: local ↔ service`);
    expect(left).toContain("Je mandje");
    expect(right).toContain("Hun mandje");
    expect(lastMessage()).toMatchInlineSnapshot(`
      {
        "actions": [
          "Show Changes",
          "Undo",
        ],
        "kind": "information",
        "text": "Pulled from Shop: 1 translation in 1 file.",
      }
    `);
    const pulled = await editor.read(DUTCH);
    expect(pulled).toContain("Hun mandje");
    await editor.ask(showPulledCommand, {});
    const [, heading, resources] = builtInCommands.findLast(([id]) => id === "vscode.changes") ?? [];
    const [[file, was, is] = [], ...others] = resources as readonly (readonly Uri[])[];
    expect([heading, others]).toEqual(["Pulled from Shop", []]);
    expect(file?.path).toBe(editor.uri(DUTCH).path);
    expect(is?.path).toBe(editor.uri(DUTCH).path);
    expect((await workspace.openTextDocument(was as Uri)).getText()).toBe(before);
    const [row = ""] = (await editor.rows("activity")).filter((each) => each.startsWith("Pulled"));
    const label = row.split(" | ")[0] ?? "";
    expect((await editor.row("activity", label)).contextValue).toBe("pulled");
    expect(await editor.ask(undoPullCommand, {})).toEqual({ outcome: "done" });
    expect(await editor.read(DUTCH)).toBe(before);
    expect((await editor.row("activity", label)).contextValue).not.toBe("pulled");
    expect(await editor.ask(showPulledCommand, {})).toMatchObject({ error: { reason: "no_pull" } });
    // What was undone is shown as it is in the files now.
    await waitUntil(async () => (await editor.text(DUTCH)) === before);
  });

  test("writes what was agreed to", async () => {
    answerNextList((preview) => preview.accept());
    expect(await editor.ask(pullCommand, {})).toMatchObject({ outcome: "done" });
    expect(await editor.read(DUTCH)).toContain("Hun mandje");
    // What "Compare Again" does: there is nothing to choose.
    expect(await editor.ask(pullCommand, { ignoreEtag: true })).toMatchObject({ outcome: "unchanged" });
    expect(lastMessage()?.text).toBe("Already up to date: all files match Shop.");
  });

  test("that leaves a text can be undone, too, and says what it left", async () => {
    const before = await editor.read(DUTCH);
    await edit(DUTCH, "Hun mandje", "Mijn mandje");
    await translateAtService("title", "Een mandje");
    await translateAtService("total", "Samen: :amount");
    answerNextList((preview) => {
      expect(preview.checked).toEqual([`$(edit) ${DUTCH}`]);
      preview.accept();
    });
    expect(await editor.ask(pullCommand, {})).toMatchObject({
      outcome: "done",
      items: [{ key: "title", locale: "nl", file: DUTCH }],
    });
    expect(lastMessage()).toMatchInlineSnapshot(`
      {
        "actions": [
          "Show Details",
          "Show Changes",
          "Undo",
        ],
        "kind": "warning",
        "text": "Pulled from Shop: 1 translation in 1 file. Left as they are in your files: 1 text changed on both sides.",
      }
    `);
    await editor.ask(undoPullCommand, {});
    expect(await editor.read(DUTCH)).not.toContain("Samen");
    await editor.write(DUTCH, before);
  });

  test("offers the file's text of a conflict to the service, and leaves the file", async () => {
    await edit(DUTCH, "Hun mandje", "Mijn mandje");
    await translateAtService("title", "Een mandje");
    await editor.run(refreshCommand, {});
    let sides: readonly string[] = [];
    let settled: readonly unknown[] = [];
    const sent = answeredLater(async (preview) => {
      const shown = builtInCommands.length;
      preview.press("Show Difference", "cart.title");
      await waitUntil(() => builtInCommands.slice(shown).some(([id]) => id === "vscode.diff"));
      sides = await editor.difference();
      expect(preview.buttons.map(({ tooltip }) => tooltip)).toEqual([
        "Keep Mine for All Unselected Conflicts",
        "Show All Differences",
      ]);
      preview.press("Keep Mine", "cart.title");
      settled = preview.buttons.map(({ tooltip }) => tooltip);
      preview.press("Import Local Translations…");
    });
    let difference: readonly string[] = [];
    const imported = answeredLater(async (preview) => {
      expect(preview.title).toBe("1 translation changed in your files");
      const shown = builtInCommands.length;
      preview.press("Show Difference", "cart.title");
      await waitUntil(() => builtInCommands.slice(shown).some(([id]) => id === "vscode.diff"));
      difference = await editor.difference();
      preview.accept();
    });
    expect(await editor.ask(pullCommand, {})).toEqual({ outcome: "cancelled" });
    await sent;
    expect(sides).toEqual([`${DUTCH}: local ↔ service`, "Mijn mandje", "Een mandje"]);
    expect(settled).toEqual(["Import Local Translations…", "Show All Differences"]);
    await imported;
    const translation = async () =>
      (
        await editor.request<{ readonly data: readonly { readonly key: string; readonly value: string }[] }>(
          "GET",
          "/translations/nl",
        )
      ).data.find(({ key }) => key === "title")?.value;
    expect(difference).toEqual(["cart.title: service ↔ local", "Een mandje", "Mijn mandje"]);
    await waitUntil(async () => (await translation()) === "Mijn mandje");
    expect(await editor.read(DUTCH)).toContain("Mijn mandje");
  });
});

test("source texts that were not pushed are no choice of a pull, which leaves them", async () => {
  await edit(ENGLISH, "'Your cart'", "'Any cart'");
  await translateAtService("title", "Een mandje");
  const items = [{ key: "title", locale: "en" }];
  expect(await editor.run(pullCommand, {})).toMatchObject({ outcome: "done", items });
  expect(await editor.ask(pullCommand, {})).toMatchObject({ outcome: "unchanged", items });
  expect(await editor.read(ENGLISH)).toContain("'Any cart'");
  await edit(ENGLISH, "'Any cart'", "'Your cart'");
});

test("a pull that keeps mine of a conflict writes nothing, and can be made again", async () => {
  await editor.run(pullCommand, {});
  await edit(DUTCH, "Samen", "Mijn totaal");
  await translateAtService("total", "Alles: :amount");
  answerNextList((preview) => {
    preview.press("Keep Mine", "cart.total");
    preview.accept();
  });
  expect(await editor.ask(pullCommand, {})).toMatchObject({ outcome: "unchanged" });
  expect(lastMessage()?.actions).toContain("Compare Again");
  expect(await editor.read(DUTCH)).toContain("Mijn totaal");
});

test("a pull of a file with unsaved changes writes nothing, and says why", async () => {
  const document = await type(DUTCH, "Mijn totaal", "Ons totaal");
  await translateAtService("title", "Zijn mandje");
  const before = await editor.read(DUTCH);
  expect(await editor.run(pullCommand, {})).toMatchObject({
    error: {
      code: "file_changed",
      message: `Nothing was written because these files have unsaved changes: ${DUTCH}. Save or close them, then try again.`,
    },
  });
  expect(await editor.read(DUTCH)).toBe(before);
  document.isDirty = false;
  document.reload();
});

test("a text is not extracted to a key that the service has with another text, although no file has it", async () => {
  await changeAtService("only", "Only there");
  await editor.run(refreshCommand, {});
  const path = "resources/views/only.blade.php";
  await editor.write(path, "<p>Only here</p>\n<p>Only there</p>\n");
  const extract = async (words: string) => {
    await editor.show(path, words);
    return editor.run(extractKeyCommand, { key: "cart.only" });
  };
  expect(await extract("<p>|Only here|</p>")).toMatchObject({
    error: {
      message: "There is a key cart.only with another text. Nothing was changed; choose another name.",
    },
  });
  expect(await extract("<p>|Only there|</p>")).toEqual({ outcome: "done", key: "cart.only", file: null });
  // Some names cannot be written there.
  const message =
    "The key }} cannot be used at this place in the code. Nothing was changed; choose another name.";
  const before = await editor.text(path);
  await editor.show(path, "<p>|Only here|</p>");
  answerNextInput((input) => {
    input.type("}}");
    input.accept();
    expect(input.validationMessage).toBe(message);
    input.hide();
  });
  expect(await editor.ask(extractKeyCommand, {})).toEqual({ outcome: "cancelled" });
  expect(await editor.run(extractKeyCommand, { key: "}}" })).toMatchObject({ error: { message } });
  expect(await editor.text(path)).toBe(before);
  // A text in a translation file is no text in code.
  await editor.show(ENGLISH, "|'Your cart'|");
  expect(await editor.run(extractKeyCommand, { key: "cart.more" })).toMatchObject({
    error: { code: "invalid" },
  });
  expect(await editor.run(findTextsCommand, { files: [ENGLISH] })).toEqual({ outcome: "done", texts: [] });
  // A new group that only a file has.
  await editor.write("lang/en/hot.php", "<?php\n\nreturn ['tea' => 'Tea'];\n");
  await editor.write("lang/en.json", `{ "Log out": "Log out" }\n`);
  await editor.show(path, "<p>|Only here|</p>");
  expect(await editor.run(extractKeyCommand, { key: "hot.here" })).toMatchObject({ file: "lang/en/hot.php" });
  for (const added of ["lang/en/hot.php", "lang/en.json"]) await rm(editor.uri(added).fsPath);
});

test("a text that was extracted is offered its key again, also before that is pushed", async () => {
  const path = "resources/views/twice.blade.php";
  await editor.write(path, "<p>Fresh tea</p>\n<b>Fresh tea</b>\n");
  await editor.show(path, "<p>|Fresh tea|</p>");
  expect(await editor.run(extractKeyCommand, { key: "cart.tea" })).toMatchObject({ file: ENGLISH });
  await editor.show(path, "<b>|Fresh tea|</b>");
  pickInNextList((items) => {
    expect(items.map(({ label }) => label)).toEqual(["$(symbol-key) Use cart.tea", "$(add) New Key…"]);
    return items[0];
  });
  expect(await editor.ask(extractKeyCommand, {})).toEqual({ outcome: "done", key: "cart.tea", file: null });
  expect(await editor.text(path)).toBe("<p>{{ __('cart.tea') }}</p>\n<b>{{ __('cart.tea') }}</b>\n");
  const { document } = await editor.show(ENGLISH);
  document.isDirty = false;
  document.reload();
});

test("a hover looks for a key that was not pushed under each of its names", async () => {
  await editor.write("lang/en.json", `{ "cart.new": "New in the cart" }\n`);
  await editor.write("app/Cart.php", "<?php\n\necho __('cart.new');\n");
  await waitUntil(async () =>
    (await editor.hover("app/Cart.php", "'cart.n|ew'"))?.includes("Not pushed yet"),
  );
  const linked = async (path: string, words: string) => {
    const given = ["Definition", "provideDefinition", path, words] as const;
    const links = await editor.provide<readonly { readonly targetUri: Uri }[]>(...given);
    return links.map(({ targetUri }) => targetUri.path.slice(editor.folder.length + 1));
  };
  expect(await linked("app/Cart.php", "'cart.n|ew'")).toEqual(["lang/en.json"]);
  expect(await editor.hover("app/Cart.php", "'cart.n|ew'")).toMatchInlineSnapshot(`
    "**cart&#46;new**

    New in the cart

    $(cloud-upload) Not pushed yet

    ---

    [$(go-to-file) Go to Entry](goToEntry . * cart.new )"
  `);
  await edit(ENGLISH, "    'title'", "    'fresh' => 'Fresh',\n    'title'");
  await editor.write("app/Fresh.php", "<?php\n\necho __('cart.fresh');\n");
  await waitUntil(async () =>
    (await editor.hover("app/Fresh.php", "'cart.fr|esh'"))?.includes("Not pushed yet"),
  );
  expect(await editor.hover("app/Fresh.php", "'cart.fr|esh'")).toContain("(goToEntry . cart fresh )");
  const fresh = ["app/Fresh.php", "'cart.fr|esh'"] as const;
  expect(await linked(...fresh)).toEqual([ENGLISH]);
  expect(await editor.hints("app/Fresh.php")).toEqual(["3:20 Fresh"]);
  const given = ["Reference", "provideReferences", ...fresh] as const;
  await waitUntil(async () => {
    const places = await editor.provide<readonly Location[]>(...given, { includeDeclaration: true });
    return (await wordsAt(editor, places)).join() === `${ENGLISH}: fresh,app/Fresh.php: cart.fresh`;
  });
  // Of two names that are in files, the one that comes first counts, also in another language only.
  await editor.write("lang/nl.json", `{ "cart.fresh": "Vers" }\n`);
  await waitUntil(async () => (await linked(...fresh)).join() === "lang/nl.json");
  await editor.write("lang/nl.json", "{}\n");
  await waitUntil(async () => (await linked(...fresh)).join() === ENGLISH);
  expect(await editor.run(pushCommand, {})).toMatchObject({ result: { created: 2 } });
});

test("a file that cannot be read completely is named in Activity, until it is mended", async () => {
  const named = async (): Promise<readonly string[]> =>
    (await editor.rows("activity")).filter((row) => row.startsWith("Not read completely"));
  expect(await named()).toEqual([]);
  const whole = await editor.read(DUTCH);
  await editor.write(DUTCH, whole.replace("];", ""));
  await waitUntil(async () => (await named()).length > 0);
  expect(await named()).toEqual([`Not read completely: 1 file | ${DUTCH}`]);
  await translateAtService("title", "Weer een mandje");
  const shown = builtInCommands.length;
  clickInNextMessage("Show Details");
  expect(await editor.ask(pullCommand, { files: [DUTCH] })).toMatchObject({
    error: { reason: "not_applied" },
  });
  await waitUntil(() => builtInCommands.slice(shown).some(([id]) => id === "markdown.showPreview"));
  expect(await editor.report()).toMatchInlineSnapshot(`
    "# Nothing was pulled. lang/nl/cart.php:7:1 has an error. Fix it, then pull again.

    - lang/nl/cart.php:7:1 has an error. Fix it, then pull again.
    "
  `);
  await editor.write(DUTCH, whole);
  await waitUntil(async () => (await named()).length === 0);
});
