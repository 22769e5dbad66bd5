/**
 * The URIs of the translation editor: its tab is called after the end of the path. It has no file; which folder's translations
 * it shows is in the query.
 */
import { TabInputCustom, Uri, window } from "vscode";

const SCHEME = "project-translations";

/** Returns the URI of the editor of a folder. Tabs with the same title are told apart by the folder, as those of files are. */
export function editorUri(root: Uri, title: string): Uri {
  // A separator would end the title.
  const name = title.replaceAll(/[\\/]/gu, "-");
  return Uri.from({
    scheme: SCHEME,
    path: `${root.path.replace(/\/$/u, "")}/${name}`,
    query: root.toString(),
  });
}

/** Returns the folder that the editor of a URI shows: an own URI, or the project file, which can be opened with it, too. */
export function folderOf(uri: Uri): Uri {
  return isEditorUri(uri) ? Uri.parse(uri.query) : Uri.joinPath(uri, "..");
}

/** Returns whether the URI is an own one, and not that of the project file. */
export function isEditorUri({ scheme }: Uri): boolean {
  return scheme === SCHEME;
}

/** Returns what the active editor shows: a file, or the folder of a translation editor. */
export function shownUri(): Uri | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof TabInputCustom && isEditorUri(input.uri)
    ? folderOf(input.uri)
    : window.activeTextEditor?.document.uri;
}
