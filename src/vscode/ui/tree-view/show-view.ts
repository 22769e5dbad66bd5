/** Shows a view of the extension, by the command that VS Code has for each view. */
import { commands } from "vscode";

/** The views of the manifest, without the common prefix. */
export type ViewName = "languages" | "issues" | "activity" | "usage";

/** Shows the view and focuses it. */
export async function showView(view: ViewName): Promise<void> {
  await commands.executeCommand(`projectTranslations.${view}.focus`);
}
