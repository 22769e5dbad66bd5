/** What the projects of a window have once files are typed in, and other windows of the folder have written. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keyHash } from "../../../src/model/key-hash.ts";
import type { App } from "../../../src/vscode/app.ts";
import { createApp } from "../../../src/vscode/create-app.ts";
import { entryAt } from "../../../src/vscode/files/entry-at-position.ts";
import { localText } from "../../../src/vscode/files/local-texts.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { entryAtCursor } from "../../../src/vscode/ui/input/pick-key.ts";
import { temporaryFolder } from "../support/node-platform.ts";
import { createContext, createStored, selectionIn } from "../support/open-editor.ts";
import {
  changedFocus,
  closeEditors,
  loseFileEvents,
  openFolders,
  Position,
  Selection,
  TextDocument,
  Uri,
  window,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const DUTCH = "nl.json";
const LAYOUT = JSON.stringify({ files: [{ path: "{locale}.json", format: "json_js" }], sourceLocale: "nl" });
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let app: App;
let close: () => void;
/** What was counted of projects. */
let counted: string[];
beforeEach(async () => {
  folder = await temporaryFolder();
  await write("project-translations.json", LAYOUT);
  await write(DUTCH, `{\r\n  "title": "Titel",\n  "total": "Totaal {{n}}"\r\n}\n`);
  await write("en.json", `{ "title": "Title", "total": "Total" }`);
  openFolders([folder.path]);
  [app, close] = openWindow();
  await app.projects.ready;
  await shop().loadLocal();
  counted = [];
  app.store.onDidChange((table) => void counted.push(table));
});
afterEach(async () => {
  close();
  openFolders([]);
  closeEditors();
  await folder.remove();
});

const shop = (of = app): OpenProject => of.projects.all[0] ?? expect.fail("there is a project");
const uri = (path: string): Uri => Uri.file(join(folder.path, path));
const write = (path: string, text: string): Promise<void> => writeFile(join(folder.path, path), text);
const hashOf = (key: string): string => keyHash({ namespace: "*", key, context: null });
/** Opens the folder in a window of its own. */
function openWindow(): readonly [App, () => void] {
  const context = createContext(createStored(`${folder.path}-storage`));
  const opened = createApp(context as never);
  return [opened, () => context.subscriptions.toReversed().forEach((each) => each.dispose())];
}

test("keys and texts are those that are typed, until they are discarded", async () => {
  const document = await workspace.openTextDocument(uri(DUTCH));
  document.type(selectionIn(document, '|"total"|'), '"more": "Meer",\n  "total"');
  await waitUntil(() => shop().keys.size === 3);
  expect(localText(shop(), hashOf("more"))).toEqual({ value: "Meer" });
  document.type(selectionIn(document, "|Meer|"), "Nog meer");
  await waitUntil(() => shop().keys.get(hashOf("more"))?.text !== null);
  document.isDirty = false;
  document.reload();
  await waitUntil(() => shop().keys.size === 2);
  expect(localText(shop(), hashOf("more"))).toBeUndefined();
  expect(localText(shop(), hashOf("title"))).toEqual({ value: "Titel" });
});

test("an entry is found where the file has it, whatever line breaks its document has", async () => {
  // VS Code gives all lines the same ones.
  const document = new TextDocument(
    uri(DUTCH),
    `{\r\n  "title": "Titel",\r\n  "total": "Totaal {{n}}"\r\n}\r\n`,
  );
  const keyAt = async (line: number, character: number) =>
    (await entryAt(app, document as never, new Position(line, character) as never))?.entry.name.key;
  expect([await keyAt(1, 3), await keyAt(2, 3), await keyAt(2, 8)]).toEqual(["title", "total", "total"]);
  // At quotes and braces.
  expect([await keyAt(0, 0), await keyAt(2, 2), await keyAt(3, 0)]).toEqual(Array(3).fill(undefined));
});

test("the entry at the cursor is one of the project that is asked for, and of its translation files", async () => {
  await window.showTextDocument(uri(DUTCH));
  const show = async (path: string, line: number): Promise<string | undefined> => {
    const editor = await window.showTextDocument(uri(path));
    // Whatever is selected.
    editor.selection = new Selection(new Position(0, 0), new Position(line, 0));
    const found = await entryAtCursor(app, shop());
    return found && `${found.locale} ${found.name.key}`;
  };
  expect([await show(DUTCH, 2), await show(DUTCH, 1)]).toEqual(["nl total", "nl title"]);
  expect([await show(DUTCH, 0), await show("project-translations.json", 0)]).toEqual([undefined, undefined]);
  expect(await show(DUTCH, 1)).toBe("nl title");
  expect(await entryAtCursor(app, { root: uri("other") } as never)).toBeUndefined();
});

test("a report is of the keys that are in the files by then, also if no event told of them", async () => {
  loseFileEvents();
  await write(DUTCH, `{ "title": "Titel", "total": "Totaal {{n}}", "more": "Meer" }`);
  let known: number | undefined;
  const { signal } = new AbortController();
  const { report } = await app.usageReports.make(shop(), signal, () => (known = shop().keys.size));
  expect([known, report.unused.map(({ key }) => key)]).toEqual([3, ["title", "total", "more"]]);
});

test("a report during which the keys change is not current any more, and the next one is", async () => {
  const { signal } = new AbortController();
  const state = () => app.usageReports.stateOf(shop(), hashOf("title"));
  const find = app.usages.findOccurrences.bind(app.usages);
  vi.spyOn(app.usages, "findOccurrences").mockImplementationOnce((...given) => {
    shop().changed("keys");
    return find(...given);
  });
  const { report } = await app.usageReports.make(shop(), signal);
  expect(state()).toBeUndefined();
  expect(await app.usageReports.current(shop(), signal)).not.toBe(report);
  await waitUntil(async () => {
    await app.usageReports.current(shop(), signal);
    return state() === "unused";
  });
});

test("what another window has stored is shown once this one has the focus, and what it did itself is not", async () => {
  const focus = (focused: boolean): readonly string[] => {
    counted = [];
    changedFocus.fire({ focused });
    return counted;
  };
  focus(true);
  counted = [];
  await shop().connection.checkTexts(["double-braces"]);
  expect(counted).toContain("translations");
  expect(focus(true)).toEqual([]);
  const [other, closeOther] = openWindow();
  await other.projects.ready;
  await shop(other).loadLocal();
  shop(other).connection.drafts.put([
    {
      locale: "en",
      hash: hashOf("title"),
      text: { value: "Heading" },
      base: { value: "Title" },
      baseVersion: null,
      origin: "person",
      model: null,
      source: null,
    },
  ]);
  expect(focus(false)).toEqual([]);
  expect(focus(true)).toEqual(expect.arrayContaining(["drafts", "renames"]));
  expect(shop().connection.drafts.get("en", hashOf("title"))?.text).toEqual({ value: "Heading" });
  expect(focus(true)).not.toContain("drafts");
  closeOther();
});
