/** Reveals an entry of a translation file in an editor; a binary file is revealed in the explorer. */
import * as vscode from "vscode";
import type { LocalEntry } from "../../../workspace/local-files/local-entries.ts";
import type { OpenProject } from "../../projects/open-project.ts";
import { FileTextCache, isBinary } from "../../files/file-text-cache.ts";
import { showInformation } from "../../notifications.ts";
import { projectKeyLabel } from "../../../messages/labels.ts";
import { l10n } from "../../../util/l10n.ts";

/** Opens the entry's file at its value. For a binary file, shows a notification that names the key. */
export async function revealEntry(
  open: OpenProject,
  { name, path, entry }: LocalEntry,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  if (isBinary(open, path)) {
    await vscode.commands.executeCommand("revealInExplorer", vscode.Uri.joinPath(open.root, path));
    void showInformation(
      l10n.t(
        "{0} is in {1}, which another program makes and VS Code does not show as text.",
        projectKeyLabel(open, name),
        path,
      ),
    );
    return;
  }
  const location = await new FileTextCache(open).location(path, entry.valueSpan);
  if (location !== undefined)
    await vscode.window.showTextDocument(location.uri, { ...options, selection: location.range });
}
