/** Prompts for the files of an import, and for the fields that neither the options nor the paths determine. */
import * as vscode from "vscode";
import type { ImportFields } from "../../api/endpoints.ts";
import { FORMAT_NAMES, formatDisplayName, formatInfo, type FormatName } from "../../model/file-formats.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickOne, pickMany } from "../../vscode/ui/input/quick-pick.ts";
import { labelText } from "../../messages/escape-text.ts";
import { languageLabel, projectDisplayName } from "../../messages/labels.ts";
import { requireAnswer } from "../../commands/command-types.ts";
import { l10n } from "../../util/l10n.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { fileNamesText, firstPathsText } from "../../messages/sync/file-names.ts";
import { missingImportFields } from "../../sync/import/import-plan.ts";
import { type FoundFile, keyPrefixError, requireImportFields } from "../../operations/find-import-files.ts";

/** A field of an import that the paths of the files may determine. */
type DetectedField = "format" | "locale";

/**
 * Returns the fields of an import and the files they apply to.
 *
 * @throws {CommandError} `cancelled`; `invalid` if a required field is missing and `quiet` is set.
 */
export async function promptForFields(
  open: OpenProject,
  found: readonly FoundFile[],
  given: ImportFields,
  quiet: boolean,
): Promise<{ readonly files: readonly FoundFile[]; readonly fields: ImportFields }> {
  if (quiet) {
    requireImportFields(found, given);
    return { files: found, fields: given };
  }
  let files = await withoutKeyPrefix(found);
  for (const field of ["format", "locale"] as const) {
    if (given[field] === undefined)
      files = await promptForSeparateFiles(files, missingImportFields(files)[field], field);
  }
  const missing = missingImportFields(files);
  const needsPrompt = (field: DetectedField): boolean =>
    given[field] === undefined && missing[field].length > 0;
  let fields = given;
  if (needsPrompt("format")) {
    const format = await pickOne<FormatName>(
      l10n.t("Import: format"),
      l10n.t("The format of {0}", firstPathsText(missing.format)),
      FORMAT_NAMES.map((name) => ({
        label: formatDisplayName(name),
        description: formatInfo(name).extensions.join(", "),
        value: name,
      })),
    );
    fields = { ...fields, format };
  }
  if (needsPrompt("locale")) fields = { ...fields, locale: await promptForLocale(open, missing.locale) };
  if (fields.overwrite === undefined) {
    const overwrite = await pickOne(
      l10n.t("Import {0} into {1}", fileNamesText(files), projectDisplayName(open)),
      firstPathsText(files.map((file) => file.path)),
      [
        {
          label: `$(shield) ${l10n.t("Keep Existing Translations")}`,
          detail: l10n.t("Only missing translations are added."),
          value: false,
        },
        {
          label: `$(replace-all) ${l10n.t("Overwrite Existing Translations")}`,
          detail: l10n.t("Translations in the files replace those on the service, including other people’s."),
          value: true,
        },
      ],
    );
    fields = { ...fields, overwrite };
  }
  return { files, fields };
}

/**
 * Offers to omit files whose entry has a `keyPrefix`, which no field of an import can express.
 *
 * @throws {CommandError} `cancelled`; `invalid` if no files would remain.
 */
async function withoutKeyPrefix(files: readonly FoundFile[]): Promise<readonly FoundFile[]> {
  const prefixed = files.filter((file) => (file.target?.keyPrefix ?? "") !== "");
  if (prefixed.length === 0) return files;
  const paths = firstPathsText(prefixed.map((file) => file.path));
  const error = keyPrefixError(prefixed);
  const others = files.filter((file) => !prefixed.includes(file));
  if (others.length === 0) throw error;
  const skip = { label: `$(check) ${l10n.t("Skip These")}`, detail: labelText(paths), value: others };
  return pickOne(l10n.t("Import: keys with a prefix"), error.message, [skip]);
}

/**
 * A field applies to every file of a request (§ POST /imports rule 1, "forced by fields"), so files whose paths do not
 * determine it are sent separately. Returns the files to send now.
 *
 * @param undetermined paths of these files
 * @throws {CommandError} `cancelled`
 */
async function promptForSeparateFiles(
  files: readonly FoundFile[],
  undetermined: readonly string[],
  field: DetectedField,
): Promise<readonly FoundFile[]> {
  const these = files.filter((file) => undetermined.includes(file.path));
  const others = files.filter((file) => !undetermined.includes(file.path));
  if (these.length === 0 || others.length === 0) return files;
  const [title, message] =
    field === "format"
      ? [l10n.t("Import: format"), l10n.t("The format of some files cannot be told from their names.")]
      : [l10n.t("Import: language"), l10n.t("The language of some files cannot be told from their paths.")];
  return pickOne(title, message, [
    {
      label: `$(check) ${l10n.t("Skip These")}`,
      detail: labelText(firstPathsText(undetermined)),
      value: others,
    },
    {
      label: `$(edit) ${l10n.t("Import Only These")}`,
      description: l10n.t("You will be asked for the missing details."),
      value: these,
    },
  ]);
}

/** @throws {CommandError} `cancelled` */
async function promptForLocale(open: OpenProject, paths: readonly string[]): Promise<string> {
  const placeholder = l10n.t("The language of {0}", firstPathsText(paths));
  const languages = open.stats?.languages ?? [];
  if (languages.length === 0) {
    const typed = await vscode.window.showInputBox({
      title: l10n.t("Import: language"),
      prompt: placeholder,
      ignoreFocusOut: true,
    });
    return requireAnswer(typed?.trim() || undefined);
  }
  const choices = languages.map((language) => ({
    label: labelText(languageLabel(language)),
    value: language.locale,
  }));
  return pickOne(l10n.t("Import: language"), placeholder, choices);
}

/**
 * Returns the files and folders that the user chose, or `local`: the local translations that are not on the service.
 *
 * @throws {CommandError} `cancelled`
 */
export async function chooseImportFiles(open: OpenProject): Promise<vscode.Uri[] | "local"> {
  const local = await open.local.reload();
  const targets = local.files.filter(({ locales }) =>
    [...locales.keys()].some((locale) => locale !== local.sourceLocale),
  );
  const source = await pickOne(l10n.t("Import translations"), l10n.t("Where from?"), [
    ...(targets.length === 0
      ? []
      : [
          {
            label: `$(files) ${l10n.t("Translation Files of This Project…")}`,
            description: formatCount.files(targets.length),
            value: "project" as const,
          },
          {
            label: `$(diff-added) ${l10n.t("Only Local Translations That Are Not on the Service…")}`,
            value: "local" as const,
          },
        ]),
    { label: `$(file) ${l10n.t("Choose Files…")}`, value: "files" as const },
    { label: `$(folder) ${l10n.t("Choose a Folder…")}`, value: "folder" as const },
  ]);
  if (source === "local") return source;
  if (source !== "project") {
    const chosen = await vscode.window.showOpenDialog({
      canSelectFiles: source === "files",
      canSelectFolders: source === "folder",
      canSelectMany: true,
      defaultUri: open.root,
      openLabel: l10n.t("Import"),
    });
    return requireAnswer(chosen);
  }
  const picked = await pickMany(
    l10n.t("Import translations"),
    l10n.t("Selected files are imported."),
    targets.map(({ location, locales, entries }) => ({
      label: labelText(location.path),
      description: [[...locales.keys()].join(", "), formatCount.texts(entries.length)].join(" · "),
      picked: true,
      value: vscode.Uri.joinPath(open.root, location.path),
    })),
  );
  return requireAnswer(picked.length === 0 ? undefined : picked);
}
