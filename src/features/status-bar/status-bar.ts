/** The status bar item: the state of the current project. Clicking it opens the menu. */
import {
  StatusBarAlignment,
  ThemeColor,
  window,
  commands,
  QuickPickItemKind,
  workspace,
  type QuickPickItem,
} from "vscode";
import { hasEnded } from "../../sync/poll-jobs.ts";
import type { Project } from "../../database/project-state.ts";
import type { App, Command } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount, relativeTime, formatNumber } from "../../vscode/ui/text/counts-and-times.ts";
import { labelText, oneLine } from "../../vscode/ui/text/escape-text.ts";
import { errorKindMessage, toFailure } from "../../vscode/ui/messages/error-messages.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { percentOf } from "../../vscode/ui/messages/job-messages.ts";
import { l10n } from "../../vscode/l10n.ts";
import { hintLocales } from "../../workspace/project-file/preview-locales.ts";

/** The content of the item. */
interface Shown {
  readonly text: string;
  readonly tooltip: string;
  readonly isError?: true;
  /** Contains a countdown, so it must be updated every second. */
  readonly counts?: true;
}

/** Registers the item and its menu. */
export function registerStatusBar(app: App): void {
  const item = window.createStatusBarItem("projectTranslations.status", StatusBarAlignment.Left, 40);
  item.name = "Project Translations";
  item.command = "projectTranslations.showMenu";
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    clearTimeout(timer);
    const shown = shownOf(app);
    if (shown === undefined) {
      item.hide();
      return;
    }
    const { text, tooltip, isError, counts } = shown;
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `Project Translations: ${tooltip}` };
    item.backgroundColor = isError === true ? new ThemeColor("statusBarItem.errorBackground") : undefined;
    item.show();
    if (counts === true) timer = setTimeout(draw, 1000);
  };
  app.addDisposable(
    item,
    { dispose: () => clearTimeout(timer) },
    app.projects.onDidChange(draw),
    app.projects.onDidChangeState(draw),
  );
  void app.projects.ready.then(draw);
  registerMenu(app);
}

/** Returns the content for the active project, else for one with a notable state. */
function shownOf(app: App): Shown | undefined {
  const { active, all } = app.projects;
  const open = active ?? all.find(({ project }) => project.session.kind === "signed-in") ?? all[0];
  if (open === undefined) return undefined;
  const { session } = open.project;
  switch (session.kind) {
    case "unknown":
      return undefined;
    case "untrusted":
      return {
        text: `$(workspace-untrusted) ${l10n.t("Translations")}`,
        tooltip: l10n.t("This folder is not trusted, so nothing is sent to the service."),
      };
    case "signed-out":
      if (open.project.isLocal) return localOf(open);
      return {
        text: `$(globe) ${l10n.t("Translations: sign in")}`,
        tooltip: l10n.t("You are not signed in. Click for options."),
      };
    case "rejected":
      return session.reason === "archived"
        ? {
            text: `$(archive) ${l10n.t("Translations: archived")}`,
            tooltip: l10n.t("The project is archived. Have it restored, or sign in to another."),
          }
        : {
            text: `$(error) ${l10n.t("Translations: token not accepted")}`,
            tooltip: errorKindMessage("unauthorized"),
            isError: true,
          };
    case "signed-in":
      return workOf(open) ?? restOf(open);
  }
}

/** The content for a project with local files only. */
function localOf({ project }: OpenProject): Shown {
  return {
    text: `$(globe) ${l10n.t("Translations: local files")}`,
    tooltip: [
      l10n.t("Local files; you are not signed in. Click for options."),
      ...percentTexts(project),
    ].join(" · "),
  };
}

/** Returns how much of each target language is translated. */
function percentTexts({ stats }: Project): readonly string[] {
  const targets = (stats?.languages ?? []).filter(({ isSource }) => !isSource);
  return targets.map(({ locale, percent }) => `${locale} ${l10n.t("{0} %", percent)}`);
}

/** The content for running jobs and pauses, if any. */
function workOf(open: OpenProject): Shown | undefined {
  const { jobs, activity } = open.project;
  const { waiting, busyWith } = activity;
  const name = projectDisplayName(open);
  if (waiting !== null) {
    const seconds = Math.max(0, Math.ceil((waiting.until - Date.now()) / 1000));
    return waiting.kind === "rate-limit"
      ? {
          text: `$(sync~spin) ${l10n.t("Paused {0} s (rate limit)", seconds)}`,
          tooltip: l10n.t("{0}: rate limit reached. Continues automatically.", name),
          counts: true,
        }
      : {
          text: `$(sync~spin) ${l10n.t("Project is busy, retrying in {0} s", seconds)}`,
          tooltip: l10n.t("{0}: someone else is writing. Retrying automatically.", name),
          counts: true,
        };
  }
  const running = jobs.filter(({ job, watching }) => watching && !hasEnded(job));
  const [first] = running;
  if (first !== undefined) {
    const done = percentOf(first.job);
    const percent = done === undefined ? "" : ` ${l10n.t("{0} %", done)}`;
    const what = first.kind === "import" ? l10n.t("Import") : l10n.t("Export");
    const more = running.length > 1 ? ` +${running.length - 1}` : "";
    return {
      text: `$(sync~spin) ${what}${percent}${more}`,
      tooltip: `${name}: ${what}${percent}: ${first.subject.join(", ")}`,
    };
  }
  if (busyWith === null) return undefined;
  return {
    text: `$(sync~spin) ${labelText(name)} ${labelText(busyWith)}`,
    tooltip: l10n.t("{0}: reading from the service", name),
  };
}

/** The content for an idle project. */
function restOf(open: OpenProject): Shown {
  const { freshness, activity } = open.project;
  const { pullCount } = activity;
  const name = projectDisplayName(open);
  if (freshness.kind === "offline") {
    const when = freshness.at === null ? "" : ` · ${relativeTime(freshness.at, Date.now())}`;
    return {
      text: `$(debug-disconnect) ${labelText(name)}${when}`,
      tooltip: `${name}: ${toFailure(freshness.error).message}`,
    };
  }
  const toPush = sourceTextsToPush(open.project);
  const toPull = pullCount ?? 0;
  const signs = [
    toPush > 0 ? `$(arrow-up)${formatNumber(toPush)}` : "",
    toPull > 0 ? `$(arrow-down)${formatNumber(toPull)}` : "",
  ];
  const facts = [name, ...percentTexts(open.project)];
  if (toPush > 0) facts.push(l10n.t("To push: {0}", formatCount.sourceTexts(toPush)));
  if (toPull > 0) facts.push(l10n.t("To pull: {0}", formatCount.translations(toPull)));
  return {
    text: [`$(globe) ${labelText(name)}`, ...signs.filter((sign) => sign !== "")].join(" "),
    tooltip: facts.join(" · "),
  };
}

interface Action extends QuickPickItem {
  readonly id?: string;
  readonly argument?: object;
}

/** Registers `projectTranslations.showMenu` and `projectTranslations.showLog`. */
function registerMenu(app: App): void {
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
  const toPush = sourceTextsToPush(open.project);
  const toPull = open.project.activity.pullCount ?? 0;
  const inlayLanguage = app.inlayLanguage.of(open) ?? hintLocales(open.file, open.project.stats)[0] ?? "";
  return [
    own(
      "cloud-upload",
      l10n.t("Push…"),
      "push",
      onlyRead || (toPush > 0 ? formatCount.sourceTexts(toPush) : ""),
    ),
    own("cloud-download", l10n.t("Pull…"), "pull", toPull > 0 ? formatCount.translations(toPull) : ""),
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
    own("globe", l10n.t("Inline Language…"), "chooseInlayLanguage", inlayLanguage),
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

function separator(label: string): Action {
  return { label, kind: QuickPickItemKind.Separator };
}

/** Returns the number of source texts that a push would send. */
function sourceTextsToPush({ activity: { pushCounts } }: Project): number {
  return pushCounts === null ? 0 : pushCounts.new + pushCounts.changed + pushCounts.restored;
}
