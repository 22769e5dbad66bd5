/**
 * Starts the extension: builds the app and registers the features. Nothing imports it.
 */
import type { ExtensionContext } from "vscode";
import { registerProjectFile } from "./features/project-file/set-up.ts";
import { registerSignIn } from "./features/sign-in/sign-in.ts";
import { buildApp } from "./host/build-app.ts";

export function activate(context: ExtensionContext): void {
  const app = buildApp(context);
  registerSignIn(app);
  registerProjectFile(app);
}
