/** The row that offers to sign in while only local files are used, until it is closed. */
import { ThemeIcon, TreeItem, TreeItemCollapsibleState } from "vscode";
import type { App } from "../../vscode/app.ts";
import { contextKey, onDidChangeContextKey } from "../../vscode/context-keys.ts";
import type { TreeNode } from "../../vscode/ui/tree/lazy-tree.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Global state key: the row is closed for all folders. */
const CLOSED = "localWelcomeClosed";

/** Registers `projectTranslations.closeWelcome`. `changed` is called when the row changed. */
export function registerWelcome(app: App, changed: () => void): void {
  app.addDisposable(
    onDidChangeContextKey((name) => {
      if (name === "serviceRunning") changed();
    }),
  );
  app.command("projectTranslations.closeWelcome", l10n.t("Close"), async () => {
    await app.context.globalState.update(CLOSED, true);
    changed();
    return { outcome: "done" };
  });
}

/** Returns the row, if it is shown. */
export function welcomeRow(app: App): readonly TreeNode[] {
  const local = app.projects.all.filter(({ project }) => project.isLocal);
  if (local.length === 0 || local.some(({ project }) => project.session.kind === "untrusted")) return [];
  if (contextKey("serviceRunning") === true) return [{ id: "welcome/service", item: localServiceRow }];
  if (app.context.globalState.get(CLOSED) === true) return [];
  return [
    {
      id: "welcome",
      item: () => {
        const item = new TreeItem(l10n.t("Connect to a translation service…"), TreeItemCollapsibleState.None);
        item.description = l10n.t("sign in, or start one here");
        item.tooltip = l10n.t(
          "These are the translations of your files. Sign in, or start a local service, to push, pull and edit together.",
        );
        item.iconPath = new ThemeIcon("sign-in");
        item.contextValue = "welcome";
        item.command = { command: "projectTranslations.showMenu", title: l10n.t("Show Menu") };
        return item;
      },
    },
  ];
}

function localServiceRow(): TreeItem {
  const title = l10n.t("Sign In to the Local Service");
  const item = new TreeItem(title, TreeItemCollapsibleState.None);
  item.tooltip = l10n.t("The local service is running on this machine.");
  item.iconPath = new ThemeIcon("sign-in");
  item.command = {
    command: "projectTranslations.startLocalService",
    title,
    arguments: [{ signIn: true }],
  };
  return item;
}
