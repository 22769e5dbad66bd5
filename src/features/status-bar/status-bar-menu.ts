/** The menu of the status bar item: the available actions, and the requirements of unavailable ones. */
import { commands, QuickPickItemKind, window, workspace, type QuickPickItem } from "vscode";
import type { Project } from "../../database/project-state.ts";
import { hasEnded } from "../../sync/poll-jobs.ts";
import { hintLocales } from "../../workspace/project-file/preview-locales.ts";
import type { App, Command } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { oneLine } from "../../vscode/ui/text/escape-text.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { l10n } from "../../vscode/l10n.ts";

interface Action extends QuickPickItem {
  readonly id?: string;
  readonly argument?: object;
}

/** Registers `projectTranslations.showMenu` and `projectTranslations.showLog`. */
export function registerMenu(app: App): void {
  app.command("projectTranslations.showLog", l10n.t("Show Log"), async () => {
    app.log.show();
    return { outcome: "done" };
  });
  const extension = app.context.extension.id;
  app.command("projectTranslations.openSettings", l10n.t("Settings"), async () => {
    await commands.executeCommand("workbench.action.openSettings", `@ext:${extension}`);
    return { outcome: "done" };
  });
  app.command("projectTranslations.openWalkthrough", l10n.t("Walkthrough"), async () => {
    await commands.executeCommand("workbench.action.openWalkthrough", `${extension}#start`, false);
    return { outcome: "done" };
  });
  app.command("projectTranslations.showMenu", l10n.t("Show Menu"), showMenu);
}

const showMenu: Command = async (app, options) => {
  const open = await app.projects.choose(options);
  if (options.confirm === false) return { outcome: "cancelled" };
  const chosen = await window.showQuickPick(actionsOf(app, open), {
    title: projectDisplayName(open),
    placeHolder: l10n.t("What do you want to do?"),
    matchOnDescription: true,
  });
  if (chosen?.id === undefined) return { outcome: "cancelled" };
  // Not awaited: the command reports its own result.
  void commands.executeCommand(chosen.id, ...(chosen.argument === undefined ? [] : [chosen.argument]));
  return { outcome: "done" };
};

function actionsOf(app: App, open: OpenProject): Action[] {
  const { session, jobs } = open.project;
  const here = { folder: open.root };
  const own = (icon: string, label: string, name: string, description = ""): Action => ({
    label: `$(${icon}) ${label}`,
    description,
    id: `projectTranslations.${name}`,
    argument: here,
  });
  const help = [
    { label: `$(settings-gear) ${l10n.t("Settings")}`, id: "projectTranslations.openSettings" },
    { label: `$(mortar-board) ${l10n.t("Walkthrough")}`, id: "projectTranslations.openWalkthrough" },
  ];
  const always = [
    separator(l10n.t("Project")),
    own("gear", l10n.t("Set Up Project File…"), "setUpProjectFile"),
    own("info", l10n.t("Show Diagnosis"), "showDiagnosis"),
    own("output", l10n.t("Show Log"), "showLog"),
  ];
  if (!workspace.isTrusted) {
    return [
      { label: `$(workspace-trusted) ${l10n.t("Manage Workspace Trust")}`, id: "workbench.trust.manage" },
      ...always,
      ...help,
    ];
  }
  if (session.kind !== "signed-in") {
    const start = own(
      "server-environment",
      l10n.t("Start Local Service…"),
      "startLocalService",
      l10n.t("try everything without an account"),
    );
    const out = session.kind === "rejected" ? [own("sign-out", l10n.t("Sign Out"), "signOut")] : [];
    const local = open.project.isLocal
      ? [
          separator(l10n.t("Local files")),
          own("search", l10n.t("Search Keys…"), "searchKeys"),
          own("references", l10n.t("Find Unused Keys"), "findUnused"),
        ]
      : [];
    return [own("sign-in", l10n.t("Sign In…"), "signIn"), start, ...out, ...local, ...always];
  }
  const onlyRead = session.canWrite ? "" : l10n.t("needs a token with write access");
  const running = jobs.filter(({ job, watching }) => watching && !hasEnded(job));
  return [
    own("cloud-upload", l10n.t("Push…"), "push", onlyRead || pushDetail(open)),
    own("cloud-download", l10n.t("Pull…"), "pull", pullDetail(open)),
    own("file-add", l10n.t("Import Files…"), "import", onlyRead),
    own("edit", l10n.t("Edit Translation…"), "editTranslation", onlyRead),
    own("refresh", l10n.t("Refresh"), "refresh"),
    separator(l10n.t("Show")),
    { label: `$(globe) ${l10n.t("Languages")}`, id: "projectTranslations.languages.focus" },
    { label: `$(warning) ${l10n.t("QA Issues")}`, id: "projectTranslations.issues.focus" },
    { label: `$(pulse) ${l10n.t("Activity")}`, id: "projectTranslations.activity.focus" },
    own("search", l10n.t("Search Keys…"), "searchKeys"),
    own("references", l10n.t("Find Unused Keys"), "findUnused"),
    app.settings.of(open.root)["inlayHints.enabled"]
      ? own("eye-closed", l10n.t("Hide Inline Translations"), "toggleInlayHints")
      : own("eye", l10n.t("Show Inline Translations"), "toggleInlayHints"),
    own("globe", l10n.t("Inline Language…"), "chooseInlayLanguage", inlayLanguageOf(app, open)),
    ...running.map(({ job, subject }): Action => ({
      label: `$(eye-closed) ${l10n.t("Stop following {0}", oneLine(subject.join(", ")))}`,
      id: "projectTranslations.stopWatchingJob",
      argument: { ...here, job: job.id },
    })),
    ...always,
    own("sign-out", l10n.t("Sign Out"), "signOut", session.baseUrl),
    ...help,
  ];
}

/** Returns the language that inlay hints show first. */
function inlayLanguageOf(app: App, open: OpenProject): string {
  return app.inlayLanguage.of(open) ?? hintLocales(open.file, open.project.stats)[0] ?? "";
}

function separator(label: string): Action {
  return { label, kind: QuickPickItemKind.Separator };
}

/** Returns the number of source texts that a push would send. */
export function sourceTextsToPush({ pushCounts }: Project): number {
  return pushCounts === null ? 0 : pushCounts.new + pushCounts.changed + pushCounts.restored;
}

function pushDetail({ project }: OpenProject): string {
  const count = sourceTextsToPush(project);
  return count === 0 ? "" : formatCount.sourceTexts(count);
}

function pullDetail(open: OpenProject): string {
  const count = open.project.pullCount ?? 0;
  return count === 0 ? "" : formatCount.translations(count);
}
