/** The row that offers to sign in while only local files are used, until it is closed. */
import { ThemeIcon } from "vscode";
import type { App } from "../../vscode/app.ts";
import { contextKey, onDidChangeContextKey } from "../../vscode/context-keys.ts";
import type { ItemProperties, TreeNode } from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
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
  return app.context.globalState.get(CLOSED) === true ? [] : [{ id: "welcome", item: signInRow }];
}

function signInRow(): ItemProperties {
  return {
    label: l10n.t("Connect to a translation service…"),
    description: l10n.t("sign in, or start one here"),
    tooltip: l10n.t(
      "These are the translations of your files. Sign in, or start a local service, to push, pull and edit together.",
    ),
    iconPath: new ThemeIcon("sign-in"),
    contextValue: "welcome",
    command: { command: "projectTranslations.showMenu", title: l10n.t("Show Menu") },
  };
}

function localServiceRow(): ItemProperties {
  const title = l10n.t("Sign In to the Local Service");
  return {
    label: title,
    tooltip: l10n.t("The local service is running on this machine."),
    iconPath: new ThemeIcon("sign-in"),
    command: { command: "projectTranslations.startLocalService", title, arguments: [{ signIn: true }] },
  };
}
