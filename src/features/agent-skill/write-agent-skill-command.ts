/** Write Skill for Agents: writes a file into the repository that tells agents how the texts of the app are changed. */
import { Uri, window, workspace } from "vscode";
import { writeAgentSkillCommand } from "../../commands/declarations/window-commands.ts";
import { CommandError } from "../../commands/command-types.ts";
import { sameBytes } from "../../formats/text/encoding.ts";
import { l10n } from "../../util/l10n.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { writeProjectFiles } from "../../vscode/files/write-files.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";

/** Where agents of several makers look for skills. */
const PATH = ".claude/skills/project-translations/SKILL.md";

/** Registers the command. */
export function registerAgentSkill(app: App): void {
  app.command(writeAgentSkillCommand, write);
}

const write: CommandWork<typeof writeAgentSkillCommand> = async (app, _options, run) => {
  const { open, quiet } = run;
  const after = await workspace.fs.readFile(Uri.file(app.context.asAbsolutePath("media/chat/SKILL.md")));
  const found = await open.files.read(PATH);
  if (found.kind === "unreadable")
    throw new CommandError("unsafe_file", l10n.t("{0} cannot be read, so it was not changed.", PATH));
  const before = found.kind === "read" ? found.bytes : undefined;
  const isWritten = before !== undefined && sameBytes(before, after);
  if (before !== undefined && !isWritten) {
    if (quiet)
      throw new CommandError(
        "file_changed",
        l10n.t("{0} exists and has other content, so it was not changed.", PATH),
        { reason: "exists" },
      );
    run.pause();
    const isReplaced = await pickOne(l10n.t("Replace {0}?", PATH), l10n.t("It has other content."), [
      { label: l10n.t("Keep"), value: false },
      { label: l10n.t("Replace"), value: true },
    ]);
    if (!isReplaced) return { outcome: "cancelled" };
  }
  if (!isWritten) await writeProjectFiles(open.files, [{ path: PATH, before, after }]);
  if (!quiet) await window.showTextDocument(Uri.joinPath(open.root, PATH));
  return { outcome: isWritten ? "unchanged" : "done", file: PATH };
};
