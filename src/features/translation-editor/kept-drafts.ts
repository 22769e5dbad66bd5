/**
 * Unsaved texts of another project of the folder: typed over the local files before signing in, or while another project was
 * signed in. They are never moved by themselves; the user takes them over.
 */
import { openEditorCommand } from "../../commands/declarations/window-commands.ts";
import { KnownProjects, type KeptDrafts } from "../../database/personal/known-projects.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { projectDisplayName } from "../../messages/labels.ts";
import { l10n } from "../../util/l10n.ts";
import { commandAction, offerActions, showInformation } from "../../vscode/notifications.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickMany } from "../../vscode/ui/input/quick-pick.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { labelText } from "../../messages/escape-text.ts";
import { defineCommand, resolvesWith } from "../../commands/define-command.ts";

export const takeOverDraftsCommand = defineCommand({
  id: "takeOverDrafts",
  title: "Take Over Unsaved Texts",
  needs: "project",
  description:
    "Moves unsaved texts of another project of the folder to this one: texts that were typed without signing in, or with a token that was not recognised. With `confirm: false` those of the local files and of a project with the same slug.",
  resolvesWith: resolvesWith<{ readonly moved: number }>("`moved` (how many)"),
});

/** Registers `projectTranslations.takeOverDrafts`, which is offered once a window where a project probably has such texts. */
export function registerKeptDrafts(app: App): void {
  app.command(takeOverDraftsCommand, takeOverDrafts);
  const offered = new Set<string>();
  const offer = (): void => {
    for (const open of app.projects.all) {
      for (const kept of likelyDrafts(open)) {
        const id = `${open.id} ${open.personal.project} ${kept.project}`;
        if (offered.has(id)) continue;
        offered.add(id);
        offerTakingOver(app, open, kept);
      }
    }
  };
  app.addDisposable(app.projects.onDidChange(offer));
}

/** Returns the texts that probably belong to the signed-in project: of the local files, and of one with the same slug. */
function likelyDrafts({ session, personal }: OpenProject): readonly KeptDrafts[] {
  if (session.kind !== "signed-in") return [];
  const kept = new KnownProjects(personal.database).keptDrafts(personal.project);
  return kept.filter(({ name, slug }) => name === null || slug === session.slug);
}

function offerTakingOver(app: App, open: OpenProject, { name, count }: KeptDrafts): void {
  const texts = formatCount.unsavedTexts(count);
  const here = projectDisplayName(open);
  const message =
    name === null
      ? l10n.t(
          "Kept from the local files, typed without signing in: {0}. Take over to save to “{1}”; otherwise it is there again when you sign out.",
          texts,
          here,
        )
      : l10n.t(
          "Kept of another project called “{1}”: {0}. Take over only if it is the same project.",
          texts,
          name,
        );
  const options = { folder: open.root };
  offerActions(
    showInformation,
    message,
    commandAction(app, l10n.t("Take Over…"), takeOverDraftsCommand, options),
  );
}

const takeOverDrafts: CommandWork<typeof takeOverDraftsCommand> = async (app, _options, run) => {
  const { open } = run;
  const { personal } = run.connection;
  const known = new KnownProjects(personal.database);
  const kept = known.keptDrafts(personal.project);
  if (kept.length === 0) {
    if (!run.quiet) void showInformation(l10n.t("There are no unsaved texts of another project."));
    return { outcome: "unchanged", moved: 0 };
  }
  const likely = likelyDrafts(open);
  const isLikely = ({ project }: KeptDrafts): boolean => likely.some((each) => each.project === project);
  const chosen = run.quiet
    ? kept.filter(isLikely)
    : await pickMany(
        l10n.t("Take Over Unsaved Texts"),
        l10n.t(
          "They become unsaved changes of “{0}”, where you save or discard them",
          projectDisplayName(open),
        ),
        kept.map((each) => ({
          label: each.name === null ? l10n.t("Local files") : labelText(each.name),
          description: formatCount.unsavedTexts(each.count),
          picked: isLikely(each),
          value: each,
        })),
      );
  const moved = chosen.reduce((sum, { project }) => sum + known.moveDrafts(project, personal.project), 0);
  const left = chosen.reduce((sum, { count }) => sum + count, -moved);
  if (!run.quiet) {
    if (left > 0)
      void showInformation(
        l10n.t(
          "Left where they are: {0}. The same texts have unsaved changes here.",
          formatCount.unsavedTexts(left),
        ),
      );
    if (moved > 0) await app.run(openEditorCommand, { folder: open.root, filter: "unsaved" });
  }
  return { outcome: moved === 0 ? "unchanged" : "done", moved };
};
