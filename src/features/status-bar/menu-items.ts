/** The menu of the status bar item, in each state of a project. Knows nothing of VS Code but its texts. */
import type { CommandDeclaration } from "../../commands/define-command.ts";
import {
  refreshCommand,
  setUpProjectFileCommand,
  signInCommand,
  signOutCommand,
  startLocalServiceCommand,
} from "../../commands/declarations/session-commands.ts";
import {
  importCommand,
  pullCommand,
  pushCommand,
  stopWatchingJobCommand,
} from "../../commands/declarations/sync-commands.ts";
import { findUnusedCommand, searchKeysCommand } from "../../commands/declarations/key-commands.ts";
import { editTranslationCommand } from "../../commands/declarations/text-commands.ts";
import {
  chooseInlayLanguageCommand,
  openEditorCommand,
  openSettingsCommand,
  openWalkthroughCommand,
  showDiagnosisCommand,
  toggleInlayHintsCommand,
} from "../../commands/declarations/window-commands.ts";
import type { Project } from "../../database/project-state.ts";
import { l10n } from "../../util/l10n.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { labelText } from "../../messages/escape-text.ts";
import { pendingCounts } from "../../messages/pending-counts.ts";
import type { ViewName } from "../../vscode/ui/tree-view/show-view.ts";
import { runningJobs } from "./status-content.ts";

/** What the menu depends on. */
export interface MenuState extends Pick<Project, "session" | "source" | "activity" | "jobs"> {
  readonly isTrusted: boolean;
  readonly areInlayHintsOn: boolean;
  /** The language of inlay hints; empty if none is known. */
  readonly inlayLanguage: string;
}

/** An item; headings have no action. */
export interface MenuItem {
  readonly label: string;
  readonly description?: string;
  readonly action?:
    | { readonly kind: "command"; readonly command: CommandDeclaration; readonly options?: object }
    | { readonly kind: "view"; readonly view: ViewName }
    | { readonly kind: "trust" };
}

function item(icon: string, label: string, command: CommandDeclaration, description = ""): MenuItem {
  return { label: `$(${icon}) ${label}`, description, action: { kind: "command", command } };
}

function editItem(restriction = ""): MenuItem {
  return item("edit", l10n.t("Edit Translation…"), editTranslationCommand, restriction);
}

function refreshItem(): MenuItem {
  return item("refresh", l10n.t("Refresh"), refreshCommand);
}

/** Returns the items of the menu. What works on files is there in every state. */
export function menuItems(state: MenuState): readonly MenuItem[] {
  const { isTrusted, session, source } = state;
  if (!isTrusted)
    return [
      {
        label: `$(workspace-trusted) ${l10n.t("Manage Workspace Trust")}`,
        action: { kind: "trust" },
      },
      ...textItems(state),
      ...projectItems(),
      ...helpItems(),
    ];
  if (session.kind === "signed-in")
    return [
      ...syncItems(state),
      ...textItems(state),
      ...jobItems(state),
      ...projectItems(),
      item("sign-out", l10n.t("Sign Out"), signOutCommand, session.baseUrl),
      ...helpItems(),
    ];
  const local = l10n.t("try everything without an account");
  return [
    item("sign-in", l10n.t("Sign In…"), signInCommand),
    item("server-environment", l10n.t("Start Local Service…"), startLocalServiceCommand, local),
    ...(session.kind === "refused"
      ? [refreshItem(), item("sign-out", l10n.t("Sign Out"), signOutCommand)]
      : []),
    ...(source.isKnown ? [editItem(), refreshItem()] : []),
    ...textItems(state),
    ...projectItems(),
    ...helpItems(),
  ];
}

function syncItems({ activity, source }: MenuState): readonly MenuItem[] {
  const restriction = source.refusal === null ? "" : l10n.t("needs a token with write access");
  const { toPush, toPull, pulled } = pendingCounts(activity);
  const pushed = restriction || (toPush > 0 ? formatCount.sourceTexts(toPush) : "");
  return [
    item("cloud-upload", l10n.t("Push…"), pushCommand, pushed),
    item("cloud-download", l10n.t("Pull…"), pullCommand, toPull > 0 ? pulled : ""),
    item("file-add", l10n.t("Import Files…"), importCommand, restriction),
    editItem(restriction),
    refreshItem(),
  ];
}

function textItems({ areInlayHintsOn, inlayLanguage }: MenuState): readonly MenuItem[] {
  const view = (icon: string, label: string, name: ViewName): MenuItem => ({
    label: `$(${icon}) ${label}`,
    action: { kind: "view", view: name },
  });
  return [
    { label: l10n.t("Show") },
    item("table", l10n.t("Open Translation Editor"), openEditorCommand),
    view("globe", l10n.t("Languages"), "languages"),
    view("warning", l10n.t("QA Issues"), "issues"),
    view("pulse", l10n.t("Activity"), "activity"),
    item("search", l10n.t("Search Keys…"), searchKeysCommand),
    item("references", l10n.t("Find Unused Keys"), findUnusedCommand),
    areInlayHintsOn
      ? item("eye-closed", l10n.t("Hide Inline Translations"), toggleInlayHintsCommand)
      : item("eye", l10n.t("Show Inline Translations"), toggleInlayHintsCommand),
    item("globe", l10n.t("Inline Language…"), chooseInlayLanguageCommand, inlayLanguage),
  ];
}

function jobItems({ jobs }: MenuState): readonly MenuItem[] {
  return runningJobs(jobs).map(({ job, subject }) => ({
    label: `$(eye-closed) ${l10n.t("Stop following {0}", labelText(subject.join(", ")))}`,
    action: { kind: "command", command: stopWatchingJobCommand, options: { job: job.id } },
  }));
}

function projectItems(): readonly MenuItem[] {
  return [
    { label: l10n.t("Project") },
    item("gear", l10n.t("Configure Project…"), setUpProjectFileCommand),
    item("info", l10n.t("Show Diagnostics"), showDiagnosisCommand),
  ];
}

function helpItems(): readonly MenuItem[] {
  return [
    item("settings-gear", l10n.t("Settings"), openSettingsCommand),
    item("mortar-board", l10n.t("Walkthrough"), openWalkthroughCommand),
  ];
}
