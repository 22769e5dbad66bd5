/** The URIs of translation editors: the title of the tab, and the folder that it shows. */
import { afterEach, expect, test, vi } from "vitest";
import { editorUri, folderOf, isEditorUri, shownUri } from "../../../src/vscode/files/editor-uri.ts";
import { closeEditors, openWith, TextDocument, Uri, window } from "../support/vscode-stub.ts";
import { registerCustomEditorProvider } from "../support/vscode/tabs.ts";

afterEach(() => closeEditors());

test("the title is the end of the path, without separators; the folder is that which was given", () => {
  for (const path of ["/projects/app", "/"]) {
    const root = Uri.file(path) as never;
    const uri = editorUri(root, "Shop / en\\nl");
    expect(uri.path).toBe(`${path === "/" ? "" : path}/Shop - en-nl`);
    expect([isEditorUri(uri), folderOf(uri).toString()]).toEqual([true, String(root)]);
  }
  const file = Uri.file("/projects/app/project-translations.json") as never;
  expect([isEditorUri(file), folderOf(file).path]).toEqual([false, "/projects/app"]);
});

test("what is shown is the folder of the translation editor in front, else the file", async () => {
  expect(shownUri()).toBeUndefined();
  const code = Uri.file("/projects/app/a.php");
  await window.showTextDocument(new TextDocument(code, ""));
  expect(shownUri()?.path).toBe(code.path);
  const registered = registerCustomEditorProvider("editor", {
    onDidChangeCustomDocument: () => ({ dispose: () => undefined }),
    openCustomDocument: async (uri: Uri) => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: () => undefined,
  } as never);
  await openWith(editorUri(Uri.file("/projects/shop"), "Shop"), "editor");
  expect(shownUri()?.path).toBe("/projects/shop");
  // Also in a group beside another one.
  const groups = [{ activeTab: undefined }, window.tabGroups.activeTabGroup];
  const all = vi.spyOn(window.tabGroups, "all", "get").mockReturnValue(groups as never);
  expect(shownUri()?.path).toBe("/projects/shop");
  all.mockRestore();
  // The project file may be open in it, and is a file.
  await openWith(Uri.file("/projects/blog/project-translations.json"), "editor");
  expect(shownUri()?.path).toBe(code.path);
  registered.dispose();
});
