/** What a person can do about files that the service refused and about a failed import, as the button of its message. */
import * as vscode from "vscode";
import type { ImportFields } from "../../api/endpoints.ts";
import { importRemedy, type RefusedFile } from "../../sync/import.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { ask } from "../../vscode/ui/quick-pick.ts";
import { labelText } from "../../vscode/markdown.ts";
import { CommandError, type OwnStep } from "../../vscode/command-result.ts";
import { l10n } from "../../vscode/l10n.ts";
import type { FoundFile } from "./import-files.ts";

/**
 * The failure of files that the service refused (§ POST /imports rule 2): named, and opened by its button. `isFirst`: no
 * upload was imported before.
 */
export function refusal(
  refused: readonly RefusedFile[],
  files: readonly FoundFile[],
  isFirst: boolean,
): CommandError {
  const named = refused.map(({ path, messages }) => {
    const message = messages.join(" ");
    return { path, message: message.includes(path) ? message : `${path}: ${message}` };
  });
  const placeOf = (path: string): vscode.Uri | undefined => files.find((file) => file.path === path)?.uri;
  const show = async (): Promise<void> => {
    const [only] = named;
    const path =
      named.length === 1
        ? only?.path
        : await ask(
            l10n.t("Import: refused files"),
            l10n.t("Fix or exclude these files, then try again."),
            named.map(({ path, message }) => ({
              label: `$(file) ${labelText(path)}`,
              detail: labelText(message),
              value: path,
            })),
          );
    const uri = path === undefined ? undefined : placeOf(path);
    if (uri !== undefined) await vscode.commands.executeCommand("vscode.open", uri);
  };
  const reasons = named.map(({ message }) => (/[.!?]$/u.test(message) ? message : `${message}.`)).join(" ");
  return new CommandError(
    "invalid",
    isFirst
      ? l10n.t(
          "Nothing was imported. The service refused this: {0} Fix or exclude this file, then try again.",
          reasons,
        )
      : l10n.t("The service refused this: {0} Fix or exclude this file, then try again.", reasons),
    { status: 422, errors: Object.fromEntries(refused.map(({ path, messages }) => [path, [...messages]])) },
    { label: named.length === 1 ? l10n.t("Open File") : l10n.t("Show Files"), act: show },
  );
}

/** The way around a failed job, by its code; `undefined`: there is only what the message says. */
export function stepFor(
  code: string | undefined,
  { root }: OpenProject,
  files: readonly FoundFile[],
  fields: ImportFields,
): OwnStep | undefined {
  const uris = files.map((file) => file.uri);
  const again = (changed: ImportFields): unknown =>
    vscode.commands.executeCommand("projectTranslations.import", {
      folder: root,
      files: uris,
      ...fields,
      ...changed,
    });
  switch (importRemedy(code)) {
    case "free-keys":
      return { label: l10n.t("Import Without New Keys"), act: () => again({ createUnknownKeys: false }) };
    case "save-preset":
      return { label: l10n.t("Try Again"), act: () => again({}) };
    case "check-archive": {
      const zip = files.find((file) => /\.zip$/iu.test(file.path));
      if (zip === undefined) return undefined;
      return {
        label: l10n.t("Show File"),
        act: () => vscode.commands.executeCommand("revealInExplorer", zip.uri),
      };
    }
    case "split":
    case "import-apart":
    case "other":
      return undefined;
  }
}
