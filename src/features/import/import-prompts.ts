/** Prompts for the fields of an import that neither the options nor the paths determine (§ POST /imports). */
import * as vscode from "vscode";
import type { ImportFields } from "../../api/endpoints.ts";
import { type FormatName, FORMAT_NAMES } from "../../model/format-name.ts";
import { missingImportFields } from "../../sync/import/send-import.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { CommandError } from "../../vscode/commands/command-types.ts";
import { l10n } from "../../vscode/l10n.ts";
import type { FoundFile } from "./collect-import-files.ts";
import { firstPathsText, fileNamesText } from "./import-messages.ts";

/** The complete fields of an import. */
export interface ImportFieldsOfFiles {
  readonly files: readonly FoundFile[];
  readonly fields: ImportFields;
}

/**
 * Returns the fields and the files they apply to; `undefined` if dismissed.
 *
 * @throws {CommandError} `invalid` if a required field is missing and `quiet` is set.
 */
export async function promptForFields(
  open: OpenProject,
  found: readonly FoundFile[],
  given: ImportFields,
  quiet: boolean,
): Promise<ImportFieldsOfFiles | undefined> {
  const withoutPrefix = await withoutKeyPrefix(found, quiet);
  if (withoutPrefix === undefined) return undefined;
  let files = withoutPrefix;
  for (const field of ["format", "locale"] as const) {
    if (quiet || given[field] !== undefined) continue;
    const chosen = await promptForSeparateFiles(files, missingImportFields(files)[field], field);
    if (chosen === undefined) return undefined;
    files = chosen;
  }
  const questions = missingImportFields(files);
  const fields: { -readonly [Name in keyof ImportFields]: ImportFields[Name] } = { ...given };

  if (fields.format === undefined && questions.format.length > 0) {
    const [first = ""] = questions.format;
    if (quiet) throw unknown("format", l10n.t("What format is {0}? Set the option “format”.", first));
    const format = await pickOne<FormatName>(
      l10n.t("Import: format"),
      l10n.t("The format of {0}", firstPathsText(questions.format)),
      FORMAT_NAMES.map((name) => ({ label: name, value: name })),
    );
    if (format === undefined) return undefined;
    fields.format = format;
  }
  if (fields.locale === undefined && questions.locale.length > 0) {
    const [first = ""] = questions.locale;
    if (quiet) throw unknown("locale", l10n.t("What language is {0}? Set the option “locale”.", first));
    const locale = await askLocale(open, questions.locale);
    if (locale === undefined) return undefined;
    fields.locale = locale;
  }
  if (fields.overwrite === undefined && !quiet) {
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
    if (overwrite === undefined) return undefined;
    fields.overwrite = overwrite;
  }
  return { files, fields };
}

/**
 * Offers to omit files whose entry has a `keyPrefix`, which no field of an import can express.
 *
 * @throws {CommandError} `invalid` if `quiet` is set or no files would remain.
 */
async function withoutKeyPrefix(
  files: readonly FoundFile[],
  quiet: boolean,
): Promise<readonly FoundFile[] | undefined> {
  const prefixed = files.filter((file) => (file.target?.keyPrefix ?? "") !== "");
  const [first] = prefixed;
  if (first === undefined) return files;
  const message = l10n.t(
    "An import cannot put “{0}” before the keys of {1}, as “keyPrefix” in project-translations.json asks. Write these translations with Edit Translation or Set Translations, or put the whole keys into the file and take “keyPrefix” away.",
    first.target?.keyPrefix ?? "",
    firstPathsText(prefixed.map((file) => file.path)),
  );
  const others = files.filter((file) => !prefixed.includes(file));
  if (quiet || others.length === 0) throw new CommandError("invalid", message, { reason: "key_prefix" });
  return pickOne(l10n.t("Import: keys with a prefix"), message, [
    {
      label: `$(check) ${l10n.t("Skip These")}`,
      detail: labelText(firstPathsText(prefixed.map((file) => file.path))),
      value: others,
    },
  ]);
}

/**
 * A field applies to every file of a request (§ POST /imports rule 1, "forced by fields"), so files whose paths do not
 * determine it are sent separately. Returns the files to send now; `undefined` if dismissed.
 */
async function promptForSeparateFiles(
  files: readonly FoundFile[],
  lacking: readonly string[],
  field: "format" | "locale",
): Promise<readonly FoundFile[] | undefined> {
  const these = files.filter((file) => lacking.includes(file.path));
  const others = files.filter((file) => !lacking.includes(file.path));
  if (these.length === 0 || others.length === 0) return files;
  const [title, message] =
    field === "format"
      ? [l10n.t("Import: format"), l10n.t("The format of some files cannot be told from their names.")]
      : [l10n.t("Import: language"), l10n.t("The language of some files cannot be told from their paths.")];
  return pickOne(title, message, [
    {
      label: `$(check) ${l10n.t("Skip These")}`,
      detail: labelText(firstPathsText(lacking)),
      value: others,
    },
    {
      label: `$(edit) ${l10n.t("Import Only These")}`,
      description: l10n.t("You will be asked for the missing details."),
      value: these,
    },
  ]);
}

async function askLocale(open: OpenProject, paths: readonly string[]): Promise<string | undefined> {
  const placeholder = l10n.t("The language of {0}", firstPathsText(paths));
  const languages = open.project.stats?.languages ?? [];
  if (languages.length === 0) {
    const typed = await vscode.window.showInputBox({
      title: l10n.t("Import: language"),
      prompt: placeholder,
      ignoreFocusOut: true,
    });
    return typed?.trim() === "" ? undefined : typed?.trim();
  }
  return pickOne(
    l10n.t("Import: language"),
    placeholder,
    languages.map(({ locale, name }) => ({
      label: labelText(locale),
      description: labelText(name),
      value: locale,
    })),
  );
}

function unknown(field: string, message: string): CommandError {
  return new CommandError("invalid", message, { errors: { [field]: [message] } });
}
