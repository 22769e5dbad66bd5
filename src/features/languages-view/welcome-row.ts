/** The row that offers a service to somebody who works with files alone, until they close it. */
import { ThemeIcon, TreeItem, TreeItemCollapsibleState } from "vscode";
import type { App } from "../../vscode/app.ts";
import { contextKey, onDidChangeContextKey } from "../../vscode/context-keys.ts";
import type { TreeNode } from "../../vscode/ui/lazy-tree.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Name in the state of this machine: it is closed once for all folders. */
const CLOSED = "localWelcomeClosed";

/** Registers `projectTranslations.closeWelcome`. `changed`: the row is another one, or no more. */
export function registerWelcome(app: App, changed: () => void): void {
  app.own(
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

/** The row, or none. */
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
