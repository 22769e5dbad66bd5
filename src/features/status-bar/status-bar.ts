/** The status bar item: the state of the current project. Clicking it opens the menu. */
import {
  openSettingsCommand,
  openWalkthroughCommand,
  showMenuCommand,
} from "../../commands/declarations/window-commands.ts";
import { StatusBarAlignment, ThemeColor, window, commands, QuickPickItemKind, workspace } from "vscode";
import { clock } from "../../api/system-clock.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { labelText } from "../../messages/escape-text.ts";
import { localeLabel, projectDisplayName } from "../../messages/labels.ts";
import { l10n } from "../../util/l10n.ts";
import { showView } from "../../vscode/ui/tree-view/show-view.ts";
import { menuItems, type MenuItem } from "./menu-items.ts";
import { statusContent, type StatusContent } from "./status-content.ts";
import { hintLocales } from "../../workspace/project-file/preview-locales.ts";
import { defineCommand } from "../../commands/define-command.ts";

export const showLogCommand = defineCommand({
  id: "showLog",
  title: "Show Log",
  needs: "window",
  audience: "person",
  description: "Shows the log of the extension.",
});

/** Registers the item and its menu. */
export function registerStatusBar(app: App): void {
  const item = window.createStatusBarItem("projectTranslations.status", StatusBarAlignment.Left, 40);
  item.name = "Project Translations";
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    clearTimeout(timer);
    const open = shownProject(app);
    const content = open && contentOf(open);
    if (open === undefined || content === undefined) return item.hide();
    const { text, tooltip, isError, hasCountdown } = content;
    // The menu of the project that is shown, which may not be the one that a command would choose.
    item.command = {
      command: showMenuCommand.id,
      title: item.name ?? "",
      arguments: [{ folder: open.root.toString() }],
    };
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
      ["settings", "projects", "active", "session", "stats", "freshness", "jobs", "activity", "pending"],
      draw,
    ),
  );
  app.projects.whenReady(draw);
  registerMenu(app);
}

/** Returns the active project, else one with a notable state. */
function shownProject({ projects: { active, all } }: App): OpenProject | undefined {
  return active ?? all.find(({ source }) => source.isConnected) ?? all[0];
}

function contentOf(open: OpenProject): StatusContent | undefined {
  const { session, source, stats, activity, jobs, freshness } = open.connection;
  return statusContent({
    session,
    source,
    stats,
    activity,
    jobs,
    freshness,
    name: projectDisplayName(open),
    now: Date.now(),
    monotonic: clock.monotonic(),
  });
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
  const inlayLocale = app.inlayLanguage.of(open) ?? hintLocales(open.file, open.stats)[0];
  const items = menuItems({
    session: open.session,
    source: open.source,
    activity: open.connection.activity,
    jobs: open.connection.jobs,
    isTrusted: workspace.isTrusted,
    areInlayHintsOn: app.settings.of(open.root)["inlayHints.enabled"],
    inlayLanguage: inlayLocale === undefined ? "" : labelText(localeLabel(open, inlayLocale)),
  });
  const { Default, Separator } = QuickPickItemKind;
  const shown = items.map((item) => ({ ...item, kind: item.action === undefined ? Separator : Default }));
  const chosen = await window.showQuickPick(shown, {
    title: projectDisplayName(open),
    placeHolder: l10n.t("What do you want to do?"),
    matchOnDescription: true,
  });
  if (chosen?.action === undefined) return { outcome: "cancelled" };
  // Not awaited: the command reports its own result.
  void act(app, open, chosen.action);
  return { outcome: "done" };
};

function act(app: App, open: OpenProject, action: MenuItem["action"] & {}): Thenable<unknown> {
  switch (action.kind) {
    case "trust":
      return commands.executeCommand("workbench.trust.manage");
    case "view":
      return showView(action.view);
    case "command": {
      const { command, options } = action;
      return app.run(command, command.needs === "window" ? {} : { folder: open.root, ...options });
    }
  }
}
