/**
 * The test module of a window: runs suites in it, one after the other. The workspace of each takes the place of that of the
 * suite before, so that nothing that the extension knows of one project is known of the next.
 */
import { commands, ConfigurationTarget, Uri, window, workspace } from "vscode";
import { call, onPage } from "./bridge-client.ts";
import { waitFor } from "./wait-for.ts";
import type { SuiteInWindow } from "./bridge-protocol.ts";

/** Runs suites for as long as the window is open. */
export async function run(): Promise<never> {
  for (;;) {
    const suite = await call("getSuite", null);
    await openWorkspace(suite);
    // It is in a bundle of its own, whose path is not known before.
    const bundle = require(suite.testModule) as { run(): Promise<void> };
    await bundle.run();
  }
}

async function openWorkspace({ workspace: path, settings }: SuiteInWindow): Promise<void> {
  const before = workspace.workspaceFolders?.[0]?.uri;
  if (before === undefined || before.fsPath === path) return;
  await closeEverything();
  const changed = new Promise<void>((resolve) => {
    const listener = workspace.onDidChangeWorkspaceFolders(() => {
      listener.dispose();
      resolve();
    });
  });
  workspace.updateWorkspaceFolders(0, workspace.workspaceFolders?.length, { uri: Uri.file(path) });
  await changed;
  await applySettings(settings);
  await waitFor("the extension has closed the projects of the suite before", async () => {
    const { text } = await commands.executeCommand<{ readonly text: string }>(
      "projectTranslations.showDiagnosis",
      { confirm: false },
    );
    return text.split("\n").every((line) => !isProjectIn(before.fsPath, line));
  });
}

/** Whether a line of the diagnosis names a project in the folder. */
function isProjectIn(folder: string, line: string): boolean {
  const named = "- Folder: ";
  return line === named + folder || line.startsWith(`${named}${folder}/`);
}

/** Closes what the tests before have left open, without a question about what is not saved. */
async function closeEverything(): Promise<void> {
  await emptyQuickPick();
  await waitFor("all editors are closed", async () => {
    if (window.tabGroups.all.every(({ tabs }) => tabs.length === 0)) return true;
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    return false;
  });
  for (const command of [
    "notifications.clearAll",
    "workbench.action.closePanel",
    "workbench.action.closeAuxiliaryBar",
    "workbench.view.explorer",
  ])
    await commands.executeCommand(command);
}

/** Replaces all settings of the window. */
async function applySettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const file = workspace.workspaceFile;
  if (file === undefined) throw new Error("The window has no file for its settings.");
  const content = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(file))) as {
    readonly settings?: Readonly<Record<string, unknown>>;
  };
  const configuration = workspace.getConfiguration();
  for (const name of Object.keys(content.settings ?? {}))
    if (!Object.hasOwn(settings, name))
      await configuration.update(name, undefined, ConfigurationTarget.Workspace);
  for (const [name, value] of Object.entries(settings))
    await configuration.update(name, value, ConfigurationTarget.Workspace);
}

/** Leaves no rows of the last quick pick: the page keeps them, hidden, until there is another. */
async function emptyQuickPick(): Promise<void> {
  const empty = window.createQuickPick();
  empty.show();
  await waitFor("the quick pick is empty", async () => {
    const rows = await onPage((page) => page.locator(".quick-input-list .monaco-list-row").count());
    return rows === 0;
  });
  empty.dispose();
  await onPage((page) => page.locator(".quick-input-widget").waitFor({ state: "hidden" }));
}
