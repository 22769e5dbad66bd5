/** Chooses what is imported where no menu said it: the project's own translation files, or files or a folder elsewhere. */
import * as vscode from "vscode";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { ask, pickMany } from "../../vscode/ui/quick-pick.ts";
import { counted } from "../../vscode/ui/counts.ts";
import { labelText } from "../../vscode/markdown.ts";
import { l10n } from "../../vscode/l10n.ts";

/** The chosen places; `undefined`: closed. */
export async function chooseImportFiles(open: OpenProject): Promise<vscode.Uri[] | undefined> {
  const local = await open.local.reload();
  const targets = local.files.filter(({ locales }) =>
    [...locales.keys()].some((locale) => locale !== local.sourceLocale),
  );
  const from = await ask(l10n.t("Import translations"), l10n.t("Where from?"), [
    ...(targets.length === 0
      ? []
      : [
          {
            label: `$(files) ${l10n.t("Translation Files of This Project…")}`,
            description: counted.files(targets.length),
            value: "project" as const,
          },
        ]),
    { label: `$(file) ${l10n.t("Choose Files…")}`, value: "files" as const },
    { label: `$(folder) ${l10n.t("Choose a Folder…")}`, value: "folder" as const },
  ]);
  if (from === undefined) return undefined;
  if (from !== "project") {
    return vscode.window.showOpenDialog({
      canSelectFiles: from === "files",
      canSelectFolders: from === "folder",
      canSelectMany: true,
      defaultUri: open.root,
      openLabel: l10n.t("Import"),
    });
  }
  const picked = await pickMany(
    l10n.t("Import translations"),
    l10n.t("Selected files are imported."),
    targets.map(({ place, locales, entries }) => ({
      label: labelText(place.path),
      description: [[...locales.keys()].join(", "), counted.texts(entries.length)].join(" · "),
      picked: true,
      value: vscode.Uri.joinPath(open.root, place.path),
    })),
  );
  return picked?.length === 0 ? undefined : picked;
}
