/**
 * Translation functions of the project's own that were recognised by their calls: their rows in the view "Languages", and
 * the commands that write one to the project file, or refuse it there.
 */
import { addFunctionCommand, ignoreFunctionCommand } from "../../commands/declarations/session-commands.ts";
import type { LearnedFunction } from "../../database/key-usage-repository.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { CommandError } from "../../commands/command-types.ts";
import { l10n } from "../../util/l10n.ts";
import { editProjectFile } from "../../vscode/projects/edit-project-file.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import type { RowContent } from "../../vscode/ui/tree-view/row-content.ts";
import type { TreeNode } from "../../vscode/ui/tree-view/tree-node.ts";
import { formatCount, formatNumber } from "../../messages/counts-and-times.ts";
import { PROJECT_FILE_NAME } from "../../workspace/project-file/project-file.ts";

/** Registers `projectTranslations.addFunction` and `projectTranslations.ignoreFunction`. */
export function registerLearnedFunctions(app: App): void {
  app.command(addFunctionCommand, addFunction);
  app.command(ignoreFunctionCommand, ignoreFunction);
}

/** Returns a row for each function. */
export function learnedFunctionRows(app: App, open: OpenProject): readonly TreeNode[] {
  return app.documentUsages.learnedFunctions(open).map((learned) => ({
    id: `${open.id}/function/${learned.name}/${learned.key}`,
    commandOptions: { folder: open.root, name: learned.name },
    content: () => learnedFunctionContent(learned),
  }));
}

/** Returns the row of a function. */
export function learnedFunctionContent({ name, calls, known }: LearnedFunction): RowContent {
  return {
    label: l10n.t("{0} is used as a translation function", `${name}()`),
    description: formatCount.calls(calls),
    tooltip: [
      l10n.t(
        "{0} of {1} calls name a key. Add the function to {2}, or refuse it there.",
        formatNumber(known),
        formatNumber(calls),
        PROJECT_FILE_NAME,
      ),
    ],
    icon: "symbol-function",
    kind: "learnedFunction",
  };
}

/** Finds a learned function. @throws {CommandError} `not_found` */
function learnedFunction(app: App, open: OpenProject, name: string): LearnedFunction {
  const found = app.documentUsages.learnedFunctions(open).find((learned) => learned.name === name);
  if (found !== undefined) return found;
  throw new CommandError("not_found", l10n.t("{0} is not used as a translation function.", `${name}()`));
}

const addFunction: CommandWork<typeof addFunctionCommand> = async (app, options, run) => {
  const { open } = run;
  const { name, key, prefix } = learnedFunction(app, open, options.name);
  const place = prefix === undefined ? { name, key } : { name, key, prefix };
  await editProjectFile(open, ["usage", "functions", -1], place);
  return { outcome: "done" };
};

const ignoreFunction: CommandWork<typeof ignoreFunctionCommand> = async (app, options, run) => {
  const { open } = run;
  const { name } = learnedFunction(app, open, options.name);
  await editProjectFile(open, ["usage", "ignoredFunctions", -1], name);
  return { outcome: "done" };
};
