/** The usage report in its view, the calls that hold keys open, and the removal of keys, without a service. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findUnusedCommand, removeUnusedCommand } from "../../../src/commands/declarations/key-commands.ts";
import {
  archiveUnusedCommand,
  showUsageReportCommand,
} from "../../../src/features/usage-report/usage-report-command.ts";
import {
  ignoreCallCommand,
  limitCallCommand,
} from "../../../src/commands/declarations/usage-report-commands.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { contextKey } from "../../../src/vscode/context-keys.ts";
import {
  answerNextInput,
  answerNextList,
  builtInCommands,
  clickInNextMessage,
  messages,
  pickInNextList,
  type Range,
  type Uri,
  views,
  window,
} from "../support/vscode-stub.ts";
import { hashOf } from "../support/shown-page.ts";
import { waitUntil } from "../support/wait-until.ts";

const ENGLISH = "lang/en/order.php";
const DUTCH = "lang/nl/order.php";
const PROJECT_FILE = `{
  "files": [{ "path": "lang/{locale}/{namespace}.php", "format": "laravel_php" }],
  "sourceLocale": "en"
}
`;
const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "project-translations.json": PROJECT_FILE,
  [ENGLISH]: `<?php

return [
    'title' => 'Order',
    'nobody' => 'Nobody',
    'status' => [
        'open' => 'Open',
        'sent' => 'Sent',
    ],
];
`,
  [DUTCH]: `<?php

return [
    'title' => 'Bestelling',
    'nobody' => 'Niemand',
];
`,
  "app/Order.php": `<?php

echo __('order.title');
echo __($status);
`,
  "app/States.php": "<?php\n\nconst STATES = ['open', 'sent'];\n",
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ indexingProcess: true, files: FILES });
});
afterAll(() => editor.close());
const rows = (...path: readonly string[]) => editor.rows("usage", ...path);
/** The lenses of the source file that say whether a key is used. */
const usageLenses = async (): Promise<readonly string[]> =>
  (await editor.lenses(ENGLISH)).filter((lens) => !lens.includes("translated"));

test("there is none before one was made", async () => {
  expect(await editor.run(showUsageReportCommand, {})).toMatchObject({ error: { code: "not_found" } });
  expect(await editor.run(removeUnusedCommand, {})).toMatchObject({ error: { code: "not_found" } });
  expect(await editor.run(archiveUnusedCommand, {})).toMatchObject({ outcome: "failed" });
  expect(await rows()).toEqual([]);
  // One that is made for a program is not shown.
  expect(await editor.run(findUnusedCommand, {})).toMatchObject({ outcome: "done" });
  // Nor is one by what a program says of a call.
  expect(await editor.run(ignoreCallCommand, { key: "$status" })).toEqual({ outcome: "done" });
  expect([await rows(), contextKey("usageReport")]).toEqual([[], false]);
  await editor.write("project-translations.json", PROJECT_FILE);
});

test("it has groups of keys, calls that hold keys open first", async () => {
  const shown = editor.follow("usage");
  const { outcome, ...groups } = await editor.ask(findUnusedCommand, {});
  expect(outcome).toBe("done");
  expect(JSON.parse(JSON.stringify(groups, (name, value: unknown) => (name === "hash" ? undefined : value))))
    .toMatchInlineSnapshot(`
    {
      "probablyUnused": [
        {
          "context": null,
          "key": "nobody",
          "namespace": "order",
          "pattern": "*",
        },
        {
          "context": null,
          "key": "status.open",
          "namespace": "order",
          "pattern": "*",
        },
        {
          "context": null,
          "key": "status.sent",
          "namespace": "order",
          "pattern": "*",
        },
      ],
      "undeterminable": [],
      "unused": [],
      "used": 1,
    }
  `);
  expect(await rows()).toMatchInlineSnapshot(`
    [
      "Unresolved calls (1)",
      "Unused (0)",
      "Probably unused (3)",
      "May be used (0)",
      "Used (1)",
    ]
  `);
  await waitUntil(() => shown().includes("Probably unused (3)"));
  expect(contextKey("usageReport")).toBe(true);
  expect(await rows("Unresolved calls")).toMatchInlineSnapshot(`
    [
      "__($status) | may mean 3 keys · app/Order.php:4",
    ]
  `);
  expect((await rows("Probably unused"))[0]).toBe(
    "order.nobody | only * could use it, and no file has the rest of its name",
  );
  await waitUntil(async () => (await usageLenses()).includes("5 probably unused"));
  expect(await usageLenses()).toEqual([
    "4 1 reference",
    "5 probably unused",
    "7 probably unused",
    "8 probably unused",
  ]);
  expect(await rows("Used")).toMatchInlineSnapshot(`
    [
      "order.title | used once",
    ]
  `);
  await waitUntil(() => views.get("projectTranslations.usage")?.message === "In use: 1 key");
  expect(builtInCommands).toContainEqual(["projectTranslations.usage.focus"]);
});

test("it is shown as a document", async () => {
  expect(await editor.ask(showUsageReportCommand, {})).toEqual({ outcome: "done" });
  expect(await editor.report()).toMatchInlineSnapshot(`
    "# Usage of keys: app

    1 key used, 0 unused, 3 probably unused, 0 that may be used.

    ## Unresolved calls

    - \`__($status)\` (\`app/Order.php:4\`): may mean 3 keys

    ## Probably unused

    - \`order.nobody\`: only \`*\` could use it, and no file has the rest of its name
    - \`order.status.open\`: only \`*\` could use it, and no file has the rest of its name
    - \`order.status.sent\`: only \`*\` could use it, and no file has the rest of its name
    "
  `);
});

test("a call is limited to keys, or ignored, and that can be undone", async () => {
  const [call] = await rows("Unresolved calls");
  const words = call?.split(" | ")[0] ?? "";
  answerNextInput((input) => {
    input.type(" , ");
    input.accept();
    expect(input.validationMessage).toBe("Type the beginning of the keys.");
    input.type("order.status.");
    input.accept();
  });
  expect(await editor.runOnRow(limitCallCommand, "usage", "Unresolved calls", words)).toEqual({
    outcome: "done",
  });
  expect(JSON.parse(await editor.read("project-translations.json"))).toMatchObject({
    usage: { calls: [{ path: "app/Order.php", key: "$status", only: ["order.status.*"] }] },
  });
  expect(messages.at(-1)?.text).toBe("$status in app/Order.php means only order.status.*.");
  expect(await rows()).toMatchInlineSnapshot(`
    [
      "Unused (1)",
      "Probably unused (0)",
      "May be used (2)",
      "Used (1)",
    ]
  `);
  expect(await rows("May be used")).toEqual([
    "order.status.open | may be used by order.status.*, with a word in app/States.php",
    "order.status.sent | may be used by order.status.*, with a word in app/States.php",
  ]);
  await waitUntil(async () => (await usageLenses()).includes("5 unused"));
  expect((await usageLenses()).slice(1)).toEqual(["5 unused", "7 may be used", "8 may be used"]);
  clickInNextMessage("Undo");
  expect(await editor.run(limitCallCommand, { key: "$other" })).toMatchObject({ error: { code: "invalid" } });
  await editor.write("project-translations.json", PROJECT_FILE);
  await editor.ask(findUnusedCommand, {});
  expect(await editor.runOnRow(ignoreCallCommand, "usage", "Unresolved calls", words)).toEqual({
    outcome: "done",
  });
  await waitUntil(async () => (await editor.read("project-translations.json")) === PROJECT_FILE);
  // The report is made again, too.
  await waitUntil(async () => (await rows()).includes("Unresolved calls (1)"));
});

test("what was said of a call is undone alone, and not in a file that was changed since", async () => {
  /** Limits the call, does something, and then clicks Undo. */
  const undoAfter = async (work: () => Promise<void>): Promise<void> => {
    const answer = Promise.withResolvers<string>();
    vi.spyOn(window, "showInformationMessage").mockReturnValueOnce(answer.promise);
    expect(await editor.ask(limitCallCommand, { key: "$status", only: ["order.status.*"] })).toEqual({
      outcome: "done",
    });
    await work();
    answer.resolve("Undo");
  };
  const kept = PROJECT_FILE.replace('"en"', '"en",\n  "usage": { "keep": ["order.nobody"] }');
  await editor.write("project-translations.json", kept);
  await undoAfter(async () => undefined);
  await waitUntil(async () => (await editor.read("project-translations.json")) === kept);
  const shown = messages.length;
  await undoAfter(() => editor.write("project-translations.json", PROJECT_FILE));
  await waitUntil(() => messages.slice(shown).some(({ kind }) => kind === "error"));
  expect(await editor.read("project-translations.json")).toBe(PROJECT_FILE);
  // A file that was created for it is empty then.
  await rm(editor.uri("project-translations.json").fsPath);
  await editor.ask(findUnusedCommand, {});
  await undoAfter(async () => {
    expect(JSON.parse(await editor.read("project-translations.json"))).toEqual({
      usage: { calls: [{ key: "$status", only: ["order.status.*"] }] },
    });
  });
  await waitUntil(async () => (await editor.read("project-translations.json")) === "{}\n");
  await editor.write("project-translations.json", PROJECT_FILE);
  await editor.ask(findUnusedCommand, {});
});

test("keys whose names the code builds are used, and files that are no text are named", async () => {
  await editor.write("app/Built.php", "<?php\n\necho __('order.' . $name);\n");
  await editor.write("app/Names.php", "<?php\n\nconst NAMES = ['nobody', 'status.open', 'status.sent'];\n");
  await editor.write("app/Data.php", "<?php \0");
  await editor.ask(findUnusedCommand, {});
  expect(await rows("Used")).toEqual([
    "order.title | used once",
    "order.nobody | built by order.* with a word in app/Names.php",
    "order.status.open | built by order.* with a word in app/Names.php",
    "order.status.sent | built by order.* with a word in app/Names.php",
  ]);
  expect(await rows("Files that")).toEqual(["app/Data.php | not a text file"]);
  const { command } = await editor.row("usage", "Files that", "app/Data.php");
  expect((command?.arguments[0] as Uri | undefined)?.path).toBe(editor.uri("app/Data.php").path);
  for (const path of ["app/Built.php", "app/Names.php", "app/Data.php"]) await rm(editor.uri(path).fsPath);
  await editor.ask(findUnusedCommand, {});
});

test("a call in several places has a row for each, and is decided about in one place or in all", async () => {
  const call = "__($status)";
  const places = () => rows("Unresolved calls", call);
  await editor.write("app/Other.php", "<?php\n\n\necho __($status), __($status);\n");
  await editor.ask(findUnusedCommand, {});
  expect(await places()).toEqual(["app/Order.php:4", "app/Other.php:4", "app/Other.php:4"]);
  await editor.write("app/Other.php", "<?php\n\n\necho __($status);\n");
  await editor.ask(findUnusedCommand, {});
  expect(await rows("Unresolved calls")).toEqual([`${call} | may mean 3 keys · 2 calls`]);
  expect(await places()).toEqual(["app/Order.php:4", "app/Other.php:4"]);
  const { command } = await editor.row("usage", "Unresolved calls", call, "app/Other.php");
  const [uri, shown] = (command?.arguments ?? []) as unknown as [Uri, { readonly selection: Range }];
  expect([uri.path, shown.selection.start.line]).toEqual([editor.uri("app/Other.php").path, 3]);
  await editor.runOnRow(ignoreCallCommand, "usage", "Unresolved calls", call, "app/Other.php");
  expect(messages.at(-1)?.text).toBe("The usage report ignores $status in app/Other.php.");
  expect(await rows("Unresolved calls")).toEqual([`${call} | may mean 3 keys · app/Order.php:4`]);
  await editor.write("project-translations.json", PROJECT_FILE);
  await editor.ask(findUnusedCommand, {});
  await editor.runOnRow(ignoreCallCommand, "usage", "Unresolved calls", call);
  expect(messages.at(-1)?.text).toBe("The usage report ignores $status.");
  expect(await rows()).not.toContain("Unresolved calls (1)");
  await rm(editor.uri("app/Other.php").fsPath);
  await editor.write("project-translations.json", PROJECT_FILE);
  await editor.ask(findUnusedCommand, {});
});

test("keys are removed from all files after a look at the changes, and that can be undone", async () => {
  const texts = async () => [await editor.read(ENGLISH), await editor.read(DUTCH)];
  const before = await texts();
  // The code has begun to use one of them, and then no longer does.
  await editor.write("app/Late.php", "<?php\n\necho __('order.nobody');\n");
  answerNextList((list) => {
    expect(list.rows).toEqual(["$(trash) order.status.open", "$(trash) order.status.sent"]);
    list.hide();
  });
  expect(await editor.ask(removeUnusedCommand, {})).toEqual({ outcome: "cancelled" });
  await rm(editor.uri("app/Late.php").fsPath);
  pickInNextList("Show All Differences");
  pickInNextList("Remove");
  answerNextList((list) => {
    expect([list.title, list.rows]).toMatchInlineSnapshot(`
      [
        "Select keys to remove",
        [
          "$(trash) order.nobody",
          "$(trash) order.status.open",
          "$(trash) order.status.sent",
        ],
      ]
    `);
    list.toggle("order.nobody");
    list.accept();
  });
  clickInNextMessage("Undo");
  const removed = await editor.ask(removeUnusedCommand, {});
  expect(removed).toMatchObject({ outcome: "done", files: [ENGLISH, DUTCH] });
  // The report is that of the keys that were left, although they are there again by then.
  expect(await rows()).toContain("Probably unused (2)");
  expect(builtInCommands.some(([id]) => id === "vscode.changes")).toBe(true);
  await waitUntil(async () => (await texts()).join() === before.join());
});

test("keys that are named are removed, used or not, and what cannot be removed is named", async () => {
  const [nobody, title] = ["nobody", "title"].map((key) => hashOf("order", key)) as [string, string];
  const dutch = await editor.read(DUTCH);
  // The file has an error after its first entries.
  await editor.write(DUTCH, dutch.replace("    'nobody'", "<<<<<<< HEAD\n    'nobody'"));
  expect(await editor.run(removeUnusedCommand, { hashes: [nobody, hashOf("order", "gone")] })).toEqual({
    outcome: "done",
    removed: 1,
    files: [ENGLISH],
    items: [expect.objectContaining({ file: DUTCH, key: "*" })],
  });
  expect(await editor.read(ENGLISH)).not.toContain("Nobody");
  expect(await editor.read(DUTCH)).toContain("Niemand");
  await editor.write(DUTCH, dutch);
  expect(await editor.run(removeUnusedCommand, { hashes: [nobody] })).toEqual({
    outcome: "done",
    removed: 1,
    files: [DUTCH],
  });
  expect(await editor.run(removeUnusedCommand, { hashes: [nobody] })).toEqual({
    outcome: "unchanged",
    removed: 0,
    files: [],
  });
  // After a look at the changes that is not confirmed, nothing is written.
  pickInNextList("Show All Differences");
  pickInNextList("no such answer");
  expect(await editor.ask(removeUnusedCommand, { hashes: [title] })).toEqual({ outcome: "cancelled" });
  expect(await editor.read(DUTCH)).toContain("Bestelling");
  pickInNextList("Remove");
  expect(await editor.ask(removeUnusedCommand, { hashes: [title] })).toMatchObject({ removed: 1 });
  expect(messages.at(-1)).toMatchObject({
    kind: "information",
    text: "Removed 1 key from 2 files.",
    actions: ["Undo"],
  });
});

test("removing keys is not undone in a file that was changed since", async () => {
  await editor.write(ENGLISH, FILES[ENGLISH]);
  await editor.write(DUTCH, FILES[DUTCH]);
  pickInNextList("Remove");
  clickInNextMessage("Undo");
  const undone = vi.spyOn(window, "showErrorMessage");
  const answer = Promise.withResolvers<string>();
  vi.spyOn(window, "showInformationMessage").mockReturnValueOnce(answer.promise);
  expect(await editor.ask(removeUnusedCommand, { hashes: [hashOf("order", "title")] })).toMatchObject({
    outcome: "done",
  });
  const changed = (await editor.read(DUTCH)).replace("Niemand", "Geen mens");
  await editor.write(DUTCH, changed);
  answer.resolve("Undo");
  await waitUntil(() => undone.mock.calls.length > 0);
  expect(await editor.read(DUTCH)).toBe(changed);
});

test("nothing is removed where no file can be changed, or where the code uses no key", async () => {
  await editor.write(ENGLISH, FILES[ENGLISH].replace("    'title'", "<<<<<<< HEAD\n    'title'"));
  await editor.write(DUTCH, FILES[DUTCH].replace("    'title'", "<<<<<<< HEAD\n    'title'"));
  const hashes = [hashOf("order", "title")];
  expect(await editor.run(removeUnusedCommand, { hashes })).toMatchObject({ outcome: "unchanged" });
  await editor.write(ENGLISH, FILES[ENGLISH]);
  await editor.write(DUTCH, FILES[DUTCH]);
  await editor.write("app/Order.php", "<?php\n");
  for (const confirm of [false, true])
    expect(await editor.ask(removeUnusedCommand, { confirm })).toMatchObject({ error: { code: "invalid" } });
  expect(await rows("Unused")).toHaveLength(4);
});
