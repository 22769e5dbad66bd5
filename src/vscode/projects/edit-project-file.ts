/** Edits of the project file that preserve comments and formatting. */
import { Range, window } from "vscode";
import { decodeText, encodeText, isUndecodable } from "../../formats/text/encoding.ts";
import {
  parseProjectFile,
  PROJECT_FILE_NAME,
  setInProjectFile,
} from "../../workspace/project-file/project-file.ts";
import type { FileWrite } from "../../model/platform.ts";
import type { OpenProject } from "./open-project.ts";
import { CommandError } from "../../commands/command-types.ts";
import { l10n } from "../../util/l10n.ts";
import { writeProjectFiles } from "../files/write-files.ts";
import { locationText, unreadableFileError } from "../../messages/file-problem-messages.ts";

/**
 * Sets the value at `path`, or removes it (`undefined`). Creates the file if it does not exist. Returns what was written.
 *
 * @throws {CommandError} `invalid` if the file cannot be parsed, `file_changed` if it changed in the meantime.
 */
export async function editProjectFile(
  open: OpenProject,
  path: readonly (string | number)[],
  value: unknown,
): Promise<FileWrite> {
  const { before, text, bom } = await readProjectText(open);
  const edited = setInProjectFile(text, path, value);
  if (edited === null) throw damagedProjectFileError(open, text);
  const write = { path: PROJECT_FILE_NAME, before, after: encodeText({ text: edited, bom }) };
  await writeProjectFiles(open.files, [write]);
  return write;
}

/**
 * Checks before a person is asked what to write that the file can be edited, if there is one.
 *
 * @throws {CommandError} as `editProjectFile`
 */
export async function requireEditableProjectFile(open: OpenProject): Promise<void> {
  const { text } = await readProjectText(open);
  if (setInProjectFile(text, ["files", -1], {}) === null) throw damagedProjectFileError(open, text);
}

/** Reads the file; its text is empty if there is none. */
async function readProjectText(open: OpenProject) {
  const read = await open.files.read(PROJECT_FILE_NAME);
  if (read.kind === "unreadable") throw unreadableFileError(PROJECT_FILE_NAME, read.reason);
  if (read.kind !== "read") return { before: undefined, text: "", bom: false };
  const decoded = decodeText(read.bytes);
  if (isUndecodable(decoded)) throw damagedProjectFileError(open, "");
  return { before: read.bytes, text: decoded.text, bom: decoded.bom };
}

/** The error for a project file that is not JSON, or has another value in place of a list: opens it there. */
function damagedProjectFileError({ fileUri }: OpenProject, text: string): CommandError {
  const [first] = parseProjectFile(text).errors;
  const { line, character } = first?.at ?? { line: 0, character: 0 };
  return new CommandError(
    "invalid",
    l10n.t(
      "{0}: an error, so nothing was written. Correct it there, then try again.",
      locationText(PROJECT_FILE_NAME, line + 1, character + 1),
    ),
    {},
    {
      label: l10n.t("Open File"),
      act: () => window.showTextDocument(fileUri, { selection: new Range(line, character, line, character) }),
    },
  );
}
