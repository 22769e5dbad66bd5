/** Opens files of the sample app, signed in to its service. */
import assert from "node:assert/strict";
import { Position, Range, window, workspace, WorkspaceEdit, type TextDocument } from "vscode";
import { runSuccessfully, openFile, runCommand } from "../harness/documents.ts";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";

/** Signs in to a service of the demo; all keys are known afterwards. */
export async function signIn(): Promise<void> {
  const { baseUrl, token } = await startService({ demo: true });
  await runSuccessfully("signIn", { baseUrl, token });
  await runCommand("refresh");
}

/** Opens the file so that it can be seen. */
export async function show(path: string): Promise<TextDocument> {
  const document = await openFile(path);
  await window.showTextDocument(document);
  return document;
}

/** The whole document. */
export function all(document: TextDocument): Range {
  return new Range(new Position(0, 0), document.positionAt(document.getText().length));
}

async function write(document: TextDocument, range: Range, text: string): Promise<void> {
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, range, text);
  assert.ok(await workspace.applyEdit(edit));
}

/** Does the work on another text of the document, and puts the old one back. */
export async function withText(
  document: TextDocument,
  text: string,
  work: () => Promise<void>,
): Promise<void> {
  const before = document.getText();
  await write(document, all(document), text);
  try {
    await work();
  } finally {
    await write(document, all(document), before);
    await document.save();
  }
}

/** Sets one of the extension's settings, or takes it back. */
export async function set(name: string, value: unknown): Promise<void> {
  await workspace.getConfiguration("projectTranslations").update(name, value, true);
}

const THEMES = {
  dark: { name: "Default Dark Modern", mark: ".monaco-workbench.vs-dark" },
  light: { name: "Default Light Modern", mark: ".monaco-workbench.vs" },
  contrast: { name: "Default High Contrast", mark: ".monaco-workbench.hc-black" },
} as const;

/** In a run with screenshots, a picture in the default theme, and in a dark, a light and a high-contrast theme. */
export async function inAllThemes(name: string): Promise<void> {
  if ((await screenshot(name)) === null) return;
  const settings = workspace.getConfiguration("workbench");
  for (const [theme, { name: label, mark }] of Object.entries(THEMES)) {
    await settings.update("colorTheme", label, false);
    await onPage((page, selector) => page.locator(selector).waitFor(), mark);
    await screenshot(`${name}-${theme}`);
  }
  await settings.update("colorTheme", undefined, false);
}
