/**
 * Selection of the export profile: those in the project record, or a typed key, since the record's fields are not shown
 * (§ Project).
 */
import * as vscode from "vscode";
import type { CommandRun } from "../../vscode/app.ts";
import { labelText } from "../../vscode/ui/text/markdown.ts";
import type { SignedInProject } from "../../vscode/commands/command-requirements.ts";
import { CommandError } from "../../vscode/commands/command-result.ts";
import { l10n } from "../../vscode/l10n.ts";

interface ProfileItem extends vscode.QuickPickItem {
  /** `undefined` for the item that prompts for another key. */
  readonly key: string | undefined;
}

/**
 * Returns the profile's key; `undefined` if dismissed. Without prompts the only profile is used.
 *
 * @throws {CommandError} `invalid` with the reason `profile` without prompts if there is not exactly one profile.
 */
export async function chooseProfile(
  { client }: SignedInProject,
  run: CommandRun,
): Promise<string | undefined> {
  const { exportProfiles } = await client.project({ signal: run.signal });
  const [only] = exportProfiles;
  if (run.quiet) {
    if (only !== undefined && exportProfiles.length === 1) return only.key;
    throw new CommandError(
      "invalid",
      l10n.t(
        "No export profile is set. Set “pull.profile” in project-translations.json, or the option “profile”.",
      ),
      { reason: "profile" },
    );
  }
  run.pause();
  if (exportProfiles.length === 0) return typeProfile();
  const items: ProfileItem[] = exportProfiles.map(({ key, name, format, locales }) => ({
    label: `$(cloud-download) ${labelText(name)}`,
    description: [key === name ? "" : labelText(key), labelText(format ?? "")]
      .filter((word) => word !== "")
      .join(" · "),
    ...(locales === null ? {} : { detail: labelText(locales.join(", ")) }),
    key,
  }));
  items.push({ label: `$(edit) ${l10n.t("Type Another Key…")}`, alwaysShow: true, key: undefined });
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t("Pull: export profile"),
    placeHolder: l10n.t("It is saved in project-translations.json."),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (picked === undefined) return undefined;
  return picked.key ?? typeProfile();
}

async function typeProfile(): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: l10n.t("Pull: export profile"),
    prompt: l10n.t("The key of an export profile of the project. It is saved in project-translations.json."),
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === "" ? l10n.t("Type the profile’s key.") : undefined),
  });
  return key?.trim();
}
