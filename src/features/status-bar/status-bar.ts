/** The status bar item: the state of the current project. Clicking it opens the menu. */
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
  openSettingsCommand,
  openWalkthroughCommand,
  showLogCommand,
  showMenuCommand,
  chooseInlayLanguageCommand,
  showDiagnosisCommand,
  toggleInlayHintsCommand,
} from "../../commands/declarations/window-commands.ts";
import {
  StatusBarAlignment,
  ThemeColor,
  window,
  commands,
  QuickPickItemKind,
  workspace,
  type QuickPickItem,
} from "vscode";
import { clock } from "../../api/system-clock.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { oneLine } from "../../messages/escape-text.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { l10n } from "../../util/l10n.ts";
import { showView, type ViewName } from "../../vscode/ui/tree-view/show-view.ts";
import { pendingCounts, runningJobs, statusContent, type StatusContent } from "./status-content.ts";
import { hintLocales } from "../../workspace/project-file/preview-locales.ts";

/** Registers the item and its menu. */
export function registerStatusBar(app: App): void {
  const item = window.createStatusBarItem("projectTranslations.status", StatusBarAlignment.Left, 40);
  item.name = "Project Translations";
  item.command = showMenuCommand.id;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    clearTimeout(timer);
    const content = contentOf(app);
    if (content === undefined) return item.hide();
    const { text, tooltip, isError, hasCountdown } = content;
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `Project Translations: ${tooltip}` };
    item.backgroundColor = isError === true ? new ThemeColor("statusBarItem.errorBackground") : undefined;
    item.show();
    if (hasCountdown === true) timer = setTimeout(draw, 1000);
  };
  app.addDisposable(
    item,
    { dispose: () => clearTimeout(timer) },
    app.store.subscribe(
      ["projects", "session", "stats", "freshness", "keys", "jobs", "activity", "pending", "drafts"],
      draw,
    ),
  );
  void app.projects.ready.then(draw);
  registerMenu(app);
}

/** Returns the content for the active project, else for one with a notable state. */
function contentOf({ projects: { active, all } }: App): StatusContent | undefined {
  const open = active ?? all.find(({ session }) => session.kind === "signed-in") ?? all[0];
  if (open === undefined) return undefined;
  const { session, isLocal, stats, activity, jobs, freshness } = open;
  return statusContent({
    session,
    isLocal,
    stats,
    activity,
    jobs,
    freshness,
    name: projectDisplayName(open),
    now: Date.now(),
    monotonic: clock.monotonic(),
  });
}

interface Action extends QuickPickItem {
  readonly act?: () => unknown;
}

/** Registers `projectTranslations.showMenu` and `projectTranslations.showLog`. */
function registerMenu(app: App): void {
  app.command(showLogCommand, async () => {
    app.log.show();
    return { outcome: "done" };
  });
  const extension = app.context.extension.id;
  app.command(openSettingsCommand, async () => {
    await commands.executeCommand("workbench.action.openSettings", `@ext:${extension}`);
    return { outcome: "done" };
  });
  app.command(openWalkthroughCommand, async () => {
    await commands.executeCommand("workbench.action.openWalkthrough", `${extension}#start`, false);
    return { outcome: "done" };
  });
  app.command(showMenuCommand, showMenu);
}

const showMenu: CommandWork<typeof showMenuCommand> = async (app, options, run) => {
  const { open } = run;
  if (options.confirm === false) return { outcome: "cancelled" };
  const chosen = await window.showQuickPick(actionsOf(app, open), {
    title: projectDisplayName(open),
    placeHolder: l10n.t("What do you want to do?"),
    matchOnDescription: true,
  });
  if (chosen?.act === undefined) return { outcome: "cancelled" };
  // Not awaited: the command reports its own result.
  void chosen.act();
  return { outcome: "done" };
};

function actionsOf(app: App, open: OpenProject): Action[] {
  const { session } = open;
  const action = (icon: string, label: string, command: CommandDeclaration, description = ""): Action => ({
    label: `$(${icon}) ${label}`,
    description,
    act: () => app.run(command, { folder: open.root }),
  });
  const show = (icon: string, label: string, view: ViewName): Action => ({
    label: `$(${icon}) ${label}`,
    act: () => showView(view),
  });
  const help = [
    { label: `$(settings-gear) ${l10n.t("Settings")}`, act: () => app.run(openSettingsCommand, {}) },
    { label: `$(mortar-board) ${l10n.t("Walkthrough")}`, act: () => app.run(openWalkthroughCommand, {}) },
  ];
  const always = [
    separator(l10n.t("Project")),
    action("gear", l10n.t("Configure Project…"), setUpProjectFileCommand),
    action("info", l10n.t("Show Diagnostics"), showDiagnosisCommand),
  ];
  if (!workspace.isTrusted) {
    return [
      {
        label: `$(workspace-trusted) ${l10n.t("Manage Workspace Trust")}`,
        act: () => commands.executeCommand("workbench.trust.manage"),
      },
      ...always,
      ...help,
    ];
  }
  if (session.kind !== "signed-in") {
    const start = action(
      "server-environment",
      l10n.t("Start Local Service…"),
      startLocalServiceCommand,
      l10n.t("try everything without an account"),
    );
    const signOut =
      session.kind === "rejected" ? [action("sign-out", l10n.t("Sign Out"), signOutCommand)] : [];
    const local = open.isLocal
      ? [
          separator(l10n.t("Local files")),
          action("search", l10n.t("Search Keys…"), searchKeysCommand),
          action("references", l10n.t("Find Unused Keys"), findUnusedCommand),
        ]
      : [];
    return [action("sign-in", l10n.t("Sign In…"), signInCommand), start, ...signOut, ...local, ...always];
  }
  const restriction = session.canWrite ? "" : l10n.t("needs a token with write access");
  const { toPush, toPull } = pendingCounts(open);
  const pushDescription = restriction || (toPush > 0 ? formatCount.sourceTexts(toPush) : "");
  const inlayLanguage = app.inlayLanguage.of(open) ?? hintLocales(open.file, open.stats)[0] ?? "";
  return [
    action("cloud-upload", l10n.t("Push…"), pushCommand, pushDescription),
    action(
      "cloud-download",
      l10n.t("Pull…"),
      pullCommand,
      toPull > 0 ? formatCount.translations(toPull) : "",
    ),
    action("file-add", l10n.t("Import Files…"), importCommand, restriction),
    action("edit", l10n.t("Edit Translation…"), editTranslationCommand, restriction),
    action("refresh", l10n.t("Refresh"), refreshCommand),
    separator(l10n.t("Show")),
    show("globe", l10n.t("Languages"), "languages"),
    show("warning", l10n.t("QA Issues"), "issues"),
    show("pulse", l10n.t("Activity"), "activity"),
    action("search", l10n.t("Search Keys…"), searchKeysCommand),
    action("references", l10n.t("Find Unused Keys"), findUnusedCommand),
    app.settings.of(open.root)["inlayHints.enabled"]
      ? action("eye-closed", l10n.t("Hide Inline Translations"), toggleInlayHintsCommand)
      : action("eye", l10n.t("Show Inline Translations"), toggleInlayHintsCommand),
    action("globe", l10n.t("Inline Language…"), chooseInlayLanguageCommand, inlayLanguage),
    ...runningJobs(open.jobs).map(({ job, subject }): Action => ({
      label: `$(eye-closed) ${l10n.t("Stop following {0}", oneLine(subject.join(", ")))}`,
      act: () => app.run(stopWatchingJobCommand, { folder: open.root, job: job.id }),
    })),
    ...always,
    action("sign-out", l10n.t("Sign Out"), signOutCommand, session.baseUrl),
    ...help,
  ];
}

function separator(label: string): Action {
  return { label, kind: QuickPickItemKind.Separator };
}
