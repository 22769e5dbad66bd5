/** What is wrong with a project file: rows above the languages. */
import { Range } from "vscode";
import { setUpProjectFileCommand } from "../../commands/declarations/session-commands.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { locationText } from "../../messages/file-problem-messages.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import type { RowContent } from "../../vscode/ui/tree-view/row-content.ts";
import type { TreeNode } from "../../vscode/ui/tree-view/tree-node.ts";
import { PROJECT_FILE_NAME, type ProjectFileError } from "../../workspace/project-file/project-file.ts";
import { l10n } from "../../util/l10n.ts";

/** Returns a row for the errors, which opens the first, and one that offers to name files if the named ones do not exist. */
export function projectFileRows(open: OpenProject): readonly TreeNode[] {
  const { content, local, source, root, fileUri } = open;
  const rows: TreeNode[] = [];
  const [first] = content.errors;
  if (first !== undefined) {
    const { line, character } = first.at;
    rows.push({
      id: `${open.id}/project-file`,
      content: () => errorsContent(content.errors),
      opens: { uri: fileUri, selection: new Range(line, character, line, character) },
    });
  }
  const named = content.file.files ?? [];
  const isNothingThere = local.loaded !== null && !source.hasService && !source.isKnown;
  if (isNothingThere && named.length > 0)
    rows.push({
      id: `${open.id}/named-files`,
      content: () => missingFilesContent(named.map(({ path }) => path)),
      commandOptions: { folder: root },
    });
  return rows;
}

/** Returns the row of the errors of a project file. */
export function errorsContent(errors: readonly ProjectFileError[]): RowContent {
  const places = errors.map(({ path, at }) => {
    const location = locationText(PROJECT_FILE_NAME, at.line + 1, at.character + 1);
    return path.length === 0
      ? l10n.t("{0}: an error; the file may be misread from here on", location)
      : l10n.t("{0}: “{1}” is left out", location, path.join("."));
  });
  const label = l10n.t("Correct {0}", PROJECT_FILE_NAME);
  return {
    label,
    description: formatCount.mistakes(errors.length),
    tooltip: [label, ...places],
    icon: { status: "error" },
  };
}

/** Returns the row that names files that do not exist, and offers to name others. */
export function missingFilesContent(paths: readonly string[]): RowContent {
  return {
    label: l10n.t("Name the Files…"),
    description: l10n.t("no file at {0}", paths.join(", ")),
    icon: { status: "warning" },
    click: setUpProjectFileCommand,
  };
}
