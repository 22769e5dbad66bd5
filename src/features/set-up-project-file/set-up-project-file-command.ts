/**
 * Configure Project: proposes the base URL and the recognised layouts for `project-translations.json` and writes those
 * that the user checks.
 */
import { setUpProjectFileCommand } from "../../commands/declarations/session-commands.ts";
import { window } from "vscode";
import { proposeLayouts, type LayoutProposal } from "../../workspace/file-layout/detect-layouts.ts";
import { PROJECT_FILE_NAME } from "../../workspace/project-file/project-file.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickMany, type Choice } from "../../vscode/ui/input/quick-pick.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { showInformation, offerActions } from "../../vscode/notifications.ts";
import { CommandError, type CommandRun } from "../../vscode/commands/command-types.ts";
import { editProjectFile } from "../../vscode/projects/edit-project-file.ts";
import { l10n } from "../../vscode/l10n.ts";

/** A change of the project file: the value is written at the path. */
interface Edit {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

type Proposal = Choice<Edit> & { readonly picked: boolean };

/** Registers `projectTranslations.setUpProjectFile`. */
export function registerSetUpProjectFile(app: App): void {
  app.command(setUpProjectFileCommand, setUp);
}

const setUp: CommandWork<typeof setUpProjectFileCommand> = async (_app, options, run) => {
  const { open } = run;
  run.report(l10n.t("Looking for translation files"));
  const proposals = [...baseUrlProposal(open), ...(await layoutProposals(open, run))];
  run.pause();
  // After signing in, prompts only if there is something important to propose.
  if (proposals.length === 0 || (options.afterSignIn === true && proposals.every(({ picked }) => !picked))) {
    if (options.afterSignIn !== true && !run.quiet) {
      void showInformation(
        l10n.t("{0} already has everything that was found. You can add more by hand.", PROJECT_FILE_NAME),
      );
    }
    return { outcome: "unchanged", written: 0 };
  }
  if (run.quiet) {
    throw new CommandError(
      "invalid",
      l10n.t("Changes to {0} need a person’s confirmation.", PROJECT_FILE_NAME),
    );
  }
  const chosen = await pickMany(
    l10n.t("Write to {0}?", PROJECT_FILE_NAME),
    l10n.t(
      "Nothing is written until you confirm. The file contains no secrets and belongs in version control.",
    ),
    proposals,
  );
  for (const { path, value } of chosen) await editProjectFile(open, path, value);
  if (chosen.length > 0) offerProjectFile(open, chosen.length);
  return { outcome: chosen.length === 0 ? "unchanged" : "done", written: chosen.length };
};

/** Shows what was written and offers to open the file. Does not wait for the user. */
function offerProjectFile(open: OpenProject, count: number): void {
  const message =
    count === 1
      ? l10n.t("1 entry was written to {0}.", PROJECT_FILE_NAME)
      : l10n.t("{0} entries were written to {1}.", count, PROJECT_FILE_NAME);
  const act = () => window.showTextDocument(open.fileUri);
  offerActions(showInformation, message, { label: l10n.t("Open File"), act });
}

/** Proposes the signed-in base URL if the file has none; not a URL of this machine, since the file is shared. */
function baseUrlProposal(open: OpenProject): readonly Proposal[] {
  const { baseUrl, file } = open;
  if (baseUrl === null || file.baseUrl !== undefined) return [];
  const isShared = baseUrl.startsWith("https:");
  return [
    {
      label: l10n.t("$(link) Base URL"),
      description: baseUrl,
      detail: isShared
        ? l10n.t("Your team then only needs a token.")
        : l10n.t("An address on this machine that nobody else can use."),
      picked: isShared,
      value: { path: ["baseUrl"], value: baseUrl },
    },
  ];
}

async function layoutProposals(open: OpenProject, run: CommandRun): Promise<readonly Proposal[]> {
  const written = open.content.detected.length > 0 ? [] : (open.file.files ?? []);
  const known = new Set(written.map((entry) => entry.path));
  const paths = await open.files.find(["**/*"], run.signal);
  const readBytes = async (path: string): Promise<Uint8Array | undefined> => {
    const read = await open.files.read(path);
    return read.kind === "read" ? read.bytes : undefined;
  };
  const layouts = await proposeLayouts(paths, readBytes, open.local.formats);
  return layouts
    .filter(({ entry }) => !known.has(entry.path))
    .map((layout): Proposal => ({
      label: `$(file-code) ${layout.entry.path}`,
      description: descriptionOf(layout),
      detail: detailOf(layout),
      picked: layout.reason !== "package-overrides",
      value: { path: ["files", -1], value: layout.entry },
    }));
}

function descriptionOf({ entry: { format, namespace } }: LayoutProposal): string {
  return namespace === undefined ? format : l10n.t("{0}, namespace {1}", format, namespace);
}

function detailOf({ reason, files, locales, sample }: LayoutProposal): string {
  if (reason !== "one-file")
    return l10n.t("{0} in {1}, for example {2}", formatCount.files(files), locales.join(", "), sample);
  return locales.length === 0
    ? l10n.t("The texts of the source language")
    : l10n.t("One file with {0}", locales.join(", "));
}
