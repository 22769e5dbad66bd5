/**
 * Starts the extension: builds the app and registers the features. Nothing imports it.
 */
import type { ExtensionContext } from "vscode";
import { registerProjectFile } from "./features/project-file/set-up.ts";
import { registerSignIn } from "./features/sign-in/sign-in.ts";
import { registerArchive } from "./features/archive/archive.ts";
import { registerGoToEntry } from "./features/go-to-entry/go-to-entry.ts";
import { registerListIssues } from "./features/list-issues/list-issues.ts";
import { registerListKeys } from "./features/list-keys/list-keys.ts";
import { registerSetLocal } from "./features/set-local/set-local.ts";
import { registerUpdateKey } from "./features/update-key/update-key.ts";
import { buildApp } from "./host/build-app.ts";

export function activate(context: ExtensionContext): void {
  const app = buildApp(context);
  registerSignIn(app);
  registerProjectFile(app);
  registerArchive(app);
  registerGoToEntry(app);
  registerListIssues(app);
  registerListKeys(app);
  registerSetLocal(app);
  registerUpdateKey(app);
}
