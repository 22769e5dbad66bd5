/**
 * Configure Project: proposes the base URL and the recognised layouts for `project-translations.json` and writes those
 * that the user checks.
 */
import { setUpProjectFileCommand } from "../../commands/declarations/session-commands.ts";
import { window } from "vscode";
import { formatOfPath } from "../../formats/detect-format.ts";
import { formatDisplayName, GROUP_NAMES } from "../../model/file-formats.ts";
import type { FilesEntry } from "../../workspace/project-file/project-file.ts";
import {
  checkNamedLayout,
  type LikelyLayout,
  likelyLayouts,
  localePattern,
  type NamedLayout,
} from "../../workspace/file-layout/likely-layouts.ts";
import { proposeLayouts } from "../../workspace/file-layout/detect-layouts.ts";
import { PROJECT_FILE_NAME } from "../../workspace/project-file/project-file.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickMany, pickOne, type Choice } from "../../vscode/ui/input/quick-pick.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { showInformation, offerActions } from "../../vscode/notifications.ts";
import { CommandError, type CommandResult, requireAnswer } from "../../commands/command-types.ts";
import { editProjectFile, requireEditableProjectFile } from "../../vscode/projects/edit-project-file.ts";
import { l10n } from "../../util/l10n.ts";
import { layoutRows } from "./layout-rows.ts";

/** A change of the project file: the value is written at the path. */
interface Edit {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

type Proposal = Choice<readonly Edit[]> & { readonly picked: boolean };

/** Registers `projectTranslations.setUpProjectFile`. */
export function registerSetUpProjectFile(app: App): void {
  app.command(setUpProjectFileCommand, setUp);
}

const setUp: CommandWork<typeof setUpProjectFileCommand> = async (_app, options, run) => {
  const { open } = run;
  await requireEditableProjectFile(open);
  run.report(l10n.t("Looking for translation files"));
  const paths = await open.files.find(["**/*"], run.signal);
  const layouts = await layoutProposals(open, paths);
  const proposals = [...baseUrlProposal(open), ...layouts.proposals];
  const isNothingRecognised =
    !layouts.areAnyFound && (await open.local.reload(run.signal)).entriesWithKeys.length === 0;
  run.pause();
  if (isNothingRecognised && options.afterSignIn !== true && !run.quiet) return nameFiles(open, paths);
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
  const edits = chosen.flat();
  for (const { path, value } of edits) await editProjectFile(open, path, value);
  if (edits.length > 0) offerProjectFile(open, writtenMessage(edits.length));
  return { outcome: edits.length === 0 ? "unchanged" : "done", written: edits.length };
};

function writtenMessage(count: number): string {
  return count === 1
    ? l10n.t("1 entry was written to {0}.", PROJECT_FILE_NAME)
    : l10n.t("{0} entries were written to {1}.", count, PROJECT_FILE_NAME);
}

/** Shows what was written and offers to open the file. Does not wait for the user. */
function offerProjectFile(open: OpenProject, message: string): void {
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
      value: [{ path: ["baseUrl"], value: baseUrl }],
    },
  ];
}

/** Likely patterns that are offered. */
const MAX_LIKELY = 10;

/** Lets the user name the translation files of a folder in which none were recognised. */
async function nameFiles(
  open: OpenProject,
  paths: readonly string[],
): Promise<CommandResult<{ readonly written: number }>> {
  const likely = likelyLayouts(paths, MAX_LIKELY).map((layout): Choice<LikelyLayout | null> => ({
    label: `$(file-code) ${layout.pattern}`,
    description: layout.format === null ? l10n.t("format not supported") : formatDisplayName(layout.format),
    detail: l10n.t("{0} in {1}", formatCount.files(layout.files), layout.locales.join(", ")),
    value: layout,
  }));
  const chosen = await pickOne(
    l10n.t("No translation files were recognised. Which files are they?"),
    l10n.t(
      "Looked for {0} in {1}, by languages in the names of files and folders",
      GROUP_NAMES.join(", "),
      open.label,
    ),
    [
      ...likely,
      {
        label: l10n.t("$(folder-opened) Choose a file…"),
        detail: l10n.t("One of any language"),
        value: null,
      },
    ],
  );
  const layout = chosen ?? (await chooseFile(open));
  if (layout.format === null) {
    throw new CommandError(
      "invalid",
      l10n.t(
        "{0} has a format that is not supported. Supported formats: {1}.",
        layout.pattern,
        GROUP_NAMES.join(", "),
      ),
    );
  }
  const { format } = layout;
  // Who corrects the path may mean files of another format.
  const entryOf = (path: string): FilesEntry => ({ path, format: formatOfPath(path) ?? format });
  const pattern = await window.showInputBox({
    title: l10n.t("Where are the translation files?"),
    prompt: l10n.t("{locale} stands for the language, {namespace} for a group of keys."),
    value: layout.pattern,
    ignoreFocusOut: true,
    validateInput: async (value) => {
      const path = value.trim();
      if (path === "") return l10n.t("Enter a path.");
      const entry = entryOf(path);
      const named = await checkNamed(open, entry, paths);
      return named.kind === "usable" ? undefined : namedLayoutProblem(named, entry.format);
    },
  });
  const entry = entryOf(requireAnswer(pattern).trim());
  const named = await checkNamed(open, entry, paths);
  if (named.kind !== "usable") throw new CommandError("invalid", namedLayoutProblem(named, entry.format));
  await editProjectFile(open, ["files", -1], named.entry);
  const languages = named.locales.length === 0 ? "" : named.locales.join(", ");
  offerProjectFile(
    open,
    languages === ""
      ? l10n.t("{0} now names {1}.", PROJECT_FILE_NAME, formatCount.files(named.files))
      : l10n.t("{0} now names {1} in {2}.", PROJECT_FILE_NAME, formatCount.files(named.files), languages),
  );
  return { outcome: "done", written: 1 };
}

function checkNamed(open: OpenProject, entry: FilesEntry, paths: readonly string[]): Promise<NamedLayout> {
  return checkNamedLayout(entry, paths, readerOf(open), open.local.formats);
}

/** Returns why files that were named cannot be used, and what to do. */
function namedLayoutProblem(named: Exclude<NamedLayout, { kind: "usable" }>, format: string): string {
  switch (named.kind) {
    case "unsafe-path":
      return l10n.t("Enter a path in the folder, with “/” between its parts.");
    case "unknown-placeholder":
      return l10n.t(
        "{0} is not known: {locale} is the language, {namespace} a group of keys.",
        named.placeholder,
      );
    case "no-file":
      return l10n.t("No file in the folder has such a path.");
    case "no-texts":
      return l10n.t(
        "{0} contains no texts that can be read as {1}.",
        named.sample,
        formatDisplayName(format),
      );
    case "several-languages":
      return l10n.t(
        "{0} contains several languages ({1}). Put each language into a file of its own.",
        named.sample,
        named.locales.join(", "),
      );
  }
}

/** Lets the user choose one of the files in the folder. */
async function chooseFile(open: OpenProject): Promise<Pick<LikelyLayout, "pattern" | "format">> {
  const [uri] = requireAnswer(
    await window.showOpenDialog({
      title: l10n.t("Choose a translation file of any language"),
      defaultUri: open.root,
      canSelectMany: false,
    }),
  );
  const path = uri === undefined ? null : open.relative(uri);
  if (path === null)
    throw new CommandError("invalid", l10n.t("The file is not in the folder “{0}”.", open.label));
  return { pattern: localePattern(path)?.pattern ?? path, format: formatOfPath(path) };
}

async function layoutProposals(
  open: OpenProject,
  paths: readonly string[],
): Promise<{ readonly proposals: readonly Proposal[]; readonly areAnyFound: boolean }> {
  const written = open.content.detected.length > 0 ? [] : (open.file.files ?? []);
  const known = new Set(written.map((entry) => entry.path));
  const layouts = await proposeLayouts(paths, readerOf(open), open.local.formats);
  const rows = layoutRows(layouts.filter(({ entry }) => !known.has(entry.path)));
  const proposals = rows.map(({ label, description, detail, isChecked, entries }): Proposal => ({
    label,
    description,
    detail,
    picked: isChecked,
    value: entries.map((value) => ({ path: ["files", -1], value })),
  }));
  return { proposals, areAnyFound: layouts.length > 0 };
}

function readerOf({ files }: OpenProject): (path: string) => Promise<Uint8Array | undefined> {
  return async (path) => {
    const read = await files.read(path);
    return read.kind === "read" ? read.bytes : undefined;
  };
}
