/**
 * The files of an import and their upload paths, from which the service derives format, language and namespace
 * (§ POST /imports rule 1), and prompts for the fields that neither the options nor the paths determine.
 */
import * as vscode from "vscode";
import { type ImportFields, MAX_UPLOAD_BYTES } from "../../api/endpoints.ts";
import { type FormatName, FORMAT_NAMES } from "../../model/format-name.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickOne, pickMany } from "../../vscode/ui/input/quick-pick.ts";
import { labelText } from "../../messages/escape-text.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { invalidOptionError } from "../../vscode/commands/command-options.ts";
import { CommandError, requireAnswer } from "../../commands/command-types.ts";
import { unreadableFileError } from "../../messages/file-problem-messages.ts";
import { l10n } from "../../util/l10n.ts";
import { open as openFile } from "node:fs/promises";
import { HEAD_LENGTH, detectFromContent, detectFromPath } from "../../formats/detect-format.ts";
import { decodeHead } from "../../formats/parse-and-edit-file.ts";
import { getOrCreate } from "../../util/maps.ts";
import { relativePathOfUri } from "../../vscode/files/project-file-system.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { fileNamesText, firstPathsText } from "./file-names.ts";
import { importTarget, missingImportFields, type ImportSource } from "../../sync/import/import-plan.ts";

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
  let files = await withoutKeyPrefix(found, quiet);
  for (const field of ["format", "locale"] as const) {
    if (!quiet && given[field] === undefined)
      files = await promptForSeparateFiles(files, missingImportFields(files)[field], field);
  }
  const missing = missingImportFields(files);
  const needsPrompt = (field: DetectedField): boolean => {
    const [first] = missing[field];
    if (given[field] !== undefined || first === undefined) return false;
    if (!quiet) return true;
    throw invalidOptionError(
      field,
      field === "format"
        ? l10n.t("What format is {0}? Set the option “format”.", first)
        : l10n.t("What language is {0}? Set the option “locale”.", first),
    );
  };
  let fields = given;
  if (needsPrompt("format")) {
    const format = await pickOne<FormatName>(
      l10n.t("Import: format"),
      l10n.t("The format of {0}", firstPathsText(missing.format)),
      FORMAT_NAMES.map((name) => ({ label: name, value: name })),
    );
    fields = { ...fields, format };
  }
  if (needsPrompt("locale")) fields = { ...fields, locale: await promptForLocale(open, missing.locale) };
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
    fields = { ...fields, overwrite };
  }
  return { files, fields };
}

/**
 * Offers to omit files whose entry has a `keyPrefix`, which no field of an import can express.
 *
 * @throws {CommandError} `cancelled`; `invalid` if `quiet` is set or no files would remain.
 */
async function withoutKeyPrefix(files: readonly FoundFile[], quiet: boolean): Promise<readonly FoundFile[]> {
  const prefixed = files.filter((file) => (file.target?.keyPrefix ?? "") !== "");
  const [first] = prefixed;
  if (first === undefined) return files;
  const paths = firstPathsText(prefixed.map((file) => file.path));
  const message = l10n.t(
    "An import cannot put “{0}” before the keys of {1}, as “keyPrefix” in project-translations.json asks. Write these translations with Edit Translation or Set Translations, or put the whole keys into the file and take “keyPrefix” away.",
    first.target?.keyPrefix ?? "",
    paths,
  );
  const others = files.filter((file) => !prefixed.includes(file));
  if (quiet || others.length === 0) throw new CommandError("invalid", message, { reason: "key_prefix" });
  const skip = { label: `$(check) ${l10n.t("Skip These")}`, detail: labelText(paths), value: others };
  return pickOne(l10n.t("Import: keys with a prefix"), message, [skip]);
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
  const choices = languages.map(({ locale, name }) => ({
    label: labelText(locale),
    description: labelText(name),
    value: locale,
  }));
  return pickOne(l10n.t("Import: language"), placeholder, choices);
}

/** A file to import. */
export interface FoundFile extends ImportSource {
  readonly uri: vscode.Uri;
}

/** Guards against importing a whole disk. */
const MAX_FILES = 5_000;
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(["node_modules", ".git", ".svn", ".hg"]);

/**
 * Returns the files, searching folders recursively. Files in folders must look like translation files; files given
 * explicitly are always included.
 *
 * @throws {CommandError} if there are no files or too many.
 */
export async function findImportFiles(
  open: OpenProject,
  uris: readonly vscode.Uri[],
  signal: AbortSignal,
): Promise<FoundFile[]> {
  const locations = new Map<string, { uri: vscode.Uri; base: vscode.Uri; isExplicit: boolean }>();
  for (const uri of uris) {
    const { type } = await vscode.workspace.fs.stat(uri);
    const base = vscode.Uri.joinPath(uri, "..");
    if ((type & vscode.FileType.Directory) === 0)
      locations.set(uri.toString(), { uri, base, isExplicit: true });
    else
      for (const file of await filesBelow(uri, signal))
        getOrCreate(locations, file.toString(), () => ({ uri: file, base, isExplicit: false }));
  }
  const files: FoundFile[] = [];
  let bytes = 0;
  const sorted = [...locations.values()].sort((a, b) => (a.uri.path < b.uri.path ? -1 : 1));
  for (const { uri, base, isExplicit } of sorted) {
    signal.throwIfAborted();
    if (!isExplicit && !(await looksLikeTranslations(uri))) continue;
    bytes += (await vscode.workspace.fs.stat(uri)).size;
    // Fails before the remaining files are read into memory.
    if (bytes > MAX_UPLOAD_BYTES) throw tooLargeError(bytes);
    files.push(await readFile(open, uri, base));
  }
  if (files.length === 0) {
    throw new CommandError(
      "invalid",
      l10n.t("No translation files were found there. Choose files in a supported format."),
      { reason: "no_files" },
    );
  }
  return files;
}

/** Returns whether the file starts like a translation file; source code and data have the same extensions. */
async function looksLikeTranslations(uri: vscode.Uri): Promise<boolean> {
  const file = await openFile(uri.fsPath);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_LENGTH));
    return detectFromContent(uri.path, decodeHead(buffer.subarray(0, bytesRead))) !== null;
  } finally {
    await file.close();
  }
}

/** The error for files that exceed the total size limit (§ Limits: 50 MB). */
export function tooLargeError(bytes: number): CommandError {
  return new CommandError(
    "invalid",
    l10n.t(
      "The files are too large: {0} MB or more together; the limit is 50 MB. Import fewer at a time.",
      Math.floor(bytes / 1024 / 1024),
    ),
    { reason: "too_large" },
  );
}

async function filesBelow(folder: vscode.Uri, signal: AbortSignal): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    signal.throwIfAborted();
    for (const [name, type] of await vscode.workspace.fs.readDirectory(next)) {
      const uri = vscode.Uri.joinPath(next, name);
      // A symbolic link could leave the chosen folder or form a cycle.
      if ((type & vscode.FileType.SymbolicLink) !== 0) continue;
      if ((type & vscode.FileType.Directory) !== 0) {
        if (!SKIPPED_FOLDERS.has(name)) folders.push(uri);
      } else if (
        detectFromPath(uri.path)?.locale != null ||
        /\.(?:csv|xlsx|pot|po|mo|xlf|xliff)$/iu.test(name)
      ) {
        found.push(uri);
      }
      if (found.length > MAX_FILES) {
        throw new CommandError(
          "invalid",
          l10n.t("There are more than {0} files there. Choose a smaller folder.", MAX_FILES),
        );
      }
    }
  }
  return found;
}

async function readFile(open: OpenProject, uri: vscode.Uri, base: vscode.Uri): Promise<FoundFile> {
  const path = open.relative(uri);
  if (path !== null) {
    // Includes unsaved changes of open editors.
    const read = await open.files.read(path);
    if (read.kind === "unreadable") throw unreadableFileError(path, read.reason);
    const location = open.local.locate(path);
    const located = location === null ? { path, target: null } : importTarget(location);
    if (read.kind === "read") return { ...located, uri, bytes: read.bytes };
  }
  const name = relativePathOfUri(base, uri) ?? uri.path.split("/").at(-1) ?? uri.path;
  return { path: name, target: null, uri, bytes: await vscode.workspace.fs.readFile(uri) };
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
