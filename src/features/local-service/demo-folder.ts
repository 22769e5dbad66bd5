/**
 * The sample app of the demo project. It lies in a folder of its own, so that the demo's texts never get into the app that
 * somebody works on.
 */
import { commands, Uri, workspace } from "vscode";
import * as v from "valibot";
import { startLocalServiceCommand } from "../../commands/declarations/session-commands.ts";
import type { App } from "../../vscode/app.ts";
import { exists } from "./service-data.ts";

/** The contents of the files by path, as esbuild.mjs writes them. */
const SampleSchema = v.record(v.string(), v.string());

/** Returns the folder of the sample app. */
export function demoFolder({ context }: App): Uri {
  return Uri.joinPath(context.globalStorageUri, "demo", "webshop");
}

/** Creates the sample app unless it exists, and opens it: in this window if that has no folder, else in a new one. */
export async function openDemoFolder(app: App): Promise<void> {
  const folder = demoFolder(app);
  if (!(await exists(folder))) await createSampleApp(app, folder);
  const forceNewWindow = (workspace.workspaceFolders?.length ?? 0) > 0;
  await commands.executeCommand("vscode.openFolder", folder, { forceNewWindow });
}

async function createSampleApp({ context }: App, folder: Uri): Promise<void> {
  const source = Uri.joinPath(context.extensionUri, "dist", "sample-app.json");
  const json: unknown = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(source)));
  for (const [path, text] of Object.entries(v.parse(SampleSchema, json)))
    await workspace.fs.writeFile(Uri.joinPath(folder, path), new TextEncoder().encode(text));
}

/** Starts the demo project, and signs in to it, in the window of the sample app. */
export function startDemoInItsFolder(app: App): void {
  const folder = demoFolder(app).toString();
  const start = (): void => {
    if (!workspace.isTrusted || workspace.workspaceFolders?.[0]?.uri.toString() !== folder) return;
    void app.run(startLocalServiceCommand, { demo: true, signIn: true, confirm: false });
  };
  app.addDisposable(workspace.onDidGrantWorkspaceTrust(start));
  app.projects.whenReady(start);
}
