/**
 * Selection of the export profile: those in the project record, or a typed key, since the record's fields are not shown
 * (§ Project).
 */
import * as vscode from "vscode";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import type { SignedInProject } from "../../vscode/commands/command-requirements.ts";
import { CommandError, type CommandRun } from "../../vscode/commands/command-types.ts";
import { l10n } from "../../vscode/l10n.ts";

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
  const profiles = exportProfiles.map(({ key, name, format, locales }) => ({
    label: `$(cloud-download) ${labelText(name)}`,
    description: [key === name ? "" : labelText(key), labelText(format ?? "")]
      .filter((word) => word !== "")
      .join(" · "),
    ...(locales === null ? {} : { detail: labelText(locales.join(", ")) }),
    value: async () => key,
  }));
  const picked = await pickOne<() => Promise<string | undefined>>(
    l10n.t("Pull: export profile"),
    l10n.t("It is saved in project-translations.json."),
    [...profiles, { label: `$(edit) ${l10n.t("Type Another Key…")}`, alwaysShow: true, value: typeProfile }],
  );
  return picked?.();
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
