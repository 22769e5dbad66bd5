/** Write Skill for Agents: writes a file into the repository that tells agents how the texts of the app are changed. */
import { Uri, window, workspace } from "vscode";
import { l10n } from "../../util/l10n.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { writeProjectFiles } from "../../vscode/files/write-files.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { decideSkill, SKILL_PATH } from "./agent-skill-decisions.ts";
import { defineCommand, resolvesWith } from "../../commands/define-command.ts";

export const writeAgentSkillCommand = defineCommand({
  id: "writeAgentSkill",
  title: "Write Skill for Agents",
  needs: "trusted-workspace",
  description:
    "Writes `.claude/skills/project-translations/SKILL.md` into the project, which tells agents how its texts are changed. A file with other content is only replaced if you agree; with `confirm: false` the command fails then.",
  resolvesWith: resolvesWith<{ readonly file: string }>("`file` (its path)"),
});

/** Registers the command. */
export function registerAgentSkill(app: App): void {
  app.command(writeAgentSkillCommand, write);
}

const write: CommandWork<typeof writeAgentSkillCommand> = async (app, _options, run) => {
  const { open, quiet } = run;
  const after = await workspace.fs.readFile(Uri.file(app.context.asAbsolutePath("media/chat/SKILL.md")));
  const { kind, before } = decideSkill(await open.files.read(SKILL_PATH), after, quiet);
  if (kind === "ask") {
    run.pause();
    const isReplaced = await pickOne(l10n.t("Replace {0}?", SKILL_PATH), l10n.t("It has other content."), [
      { label: l10n.t("Keep"), value: false },
      { label: l10n.t("Replace"), value: true },
    ]);
    if (!isReplaced) return { outcome: "cancelled" };
  }
  if (kind !== "unchanged") await writeProjectFiles(open.files, [{ path: SKILL_PATH, before, after }]);
  if (!quiet) await window.showTextDocument(Uri.joinPath(open.root, SKILL_PATH));
  return { outcome: kind === "unchanged" ? "unchanged" : "done", file: SKILL_PATH };
};
