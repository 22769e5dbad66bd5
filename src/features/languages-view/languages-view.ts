/** The view "Languages": a row for each language with its progress, and child rows for remaining work. */
import { commandLink } from "../../vscode/commands/command-links.ts";
import { closeWelcomeCommand, showMenuCommand } from "../../commands/declarations/window-commands.ts";
import {
  setSourceLanguageCommand,
  signInCommand,
  startLocalServiceCommand,
} from "../../commands/declarations/session-commands.ts";
import { ThemeColor, ThemeIcon, TreeItemCollapsibleState } from "vscode";
import type { Session } from "../../database/session/session.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import {
  createTreeView,
  type ItemProperties,
  type TreeNode,
} from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { toFailure } from "../../messages/error-messages.ts";
import { CommandError } from "../../commands/command-types.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { l10n } from "../../util/l10n.ts";
import { languageRow } from "./language-row.ts";
import { learnedFunctionRows, registerLearnedFunctions } from "./learned-functions.ts";
import { relativeTime } from "../../messages/counts-and-times.ts";
import { contextKey, onDidChangeContextKey } from "../../vscode/context-keys.ts";

/** Registers the view and the commands of its rows. */
export function registerLanguagesView(app: App): void {
  const { tree, view } = createTreeView(
    app,
    "projectTranslations.languages",
    () => l10n.t("Languages"),
    () => rootRows(app),
  );
  const describe = (): void => {
    const [only, ...others] = app.projects.all;
    const shown = others.length === 0 ? only : undefined;
    view.description = shown === undefined ? "" : originText(shown);
    view.message = (shown && messageOf(shown)) ?? "";
  };
  app.command(setSourceLanguageCommand, setSourceLanguage);
  registerLearnedFunctions(app);
  app.command(closeWelcomeCommand, async () => {
    await app.context.globalState.update(WELCOME_CLOSED, true);
    tree.redraw();
    return { outcome: "done" };
  });
  app.addDisposable(
    onDidChangeContextKey((name) => {
      if (name === "serviceRunning") tree.redraw();
    }),
    app.store.subscribe(["projects", "settings", "session", "stats", "keys", "translations", "pending"], () =>
      tree.redraw(),
    ),
    app.store.subscribe(["settings", "projects", "session", "stats", "freshness", "activity"], describe),
  );
  void app.projects.ready.then(describe);
}

/** Returns the languages, grouped by project if there are several; none if the welcome view is shown. */
function rootRows(app: App): readonly TreeNode[] {
  const { all } = app.projects;
  const [only, ...others] = all;
  if (only === undefined) return [];
  const welcome = welcomeRows(app);
  if (others.length === 0) return [...welcome, ...languageRows(app, only)];
  return all.every(({ source }) => !source.hasService && !source.isKnown)
    ? []
    : [...welcome, ...all.map((open) => projectRow(app, open))];
}

/** Returns the origin of the numbers. */
function originText(open: OpenProject): string {
  const { hasService, isKnown, refusal } = open.source;
  if (!isKnown) return "";
  if (!hasService) return l10n.t("local files");
  const name = projectDisplayName(open);
  return refusal === null ? name : `${name} · ${l10n.t("read-only")}`;
}

function languageRows(app: App, open: OpenProject): readonly TreeNode[] {
  const { source, stats } = open;
  if (!source.isKnown || stats === null) return [];
  if (stats.languages.every((language) => language.totalKeys === 0)) return [];
  const languages = stats.languages.map((language) => languageRow(open, language));
  return [...languages, ...learnedFunctionRows(app, open)];
}

function projectRow(app: App, open: OpenProject): TreeNode {
  const { label, id, session, source } = open;
  const commandOptions = { folder: open.root };
  const item = (): ItemProperties => {
    const isSignedIn = source.isConnected;
    const contextValue = isSignedIn ? "project" : "projectSignedOut";
    if (source.isKnown)
      return {
        label,
        description: (isSignedIn ? messageOf(open) : undefined) ?? originText(open),
        iconPath: new ThemeIcon(isSignedIn ? "globe" : "folder"),
        collapsibleState: TreeItemCollapsibleState.Expanded,
        contextValue,
      };
    return {
      label,
      description: sessionText(session),
      iconPath: new ThemeIcon("plug", new ThemeColor("disabledForeground")),
      contextValue,
      command: commandLink(signInCommand, commandOptions),
    };
  };
  return { id, commandOptions, item, children: () => languageRows(app, open) };
}

function sessionText(session: Session): string {
  switch (session.kind) {
    case "unknown":
    case "signed-in":
      return "";
    case "untrusted":
      return l10n.t("not trusted");
    case "signed-out":
      return l10n.t("signed out");
    case "rejected":
      return session.reason === "archived" ? l10n.t("archived") : l10n.t("token not accepted");
  }
}

/** Returns the message of the view: why no data of the service is shown, or its age when offline. */
function messageOf(open: OpenProject): string | undefined {
  const { source, freshness } = open;
  if (source.refusal === "untrusted")
    return l10n.t("This folder is not trusted, so nothing is sent to the service.");
  if (!source.isConnected || freshness.kind !== "offline") return undefined;
  const { message } = toFailure(freshness.error);
  if (freshness.at === null) return message;
  return l10n.t("Not up to date: as of {0}. {1}", relativeTime(freshness.at, Date.now()), message);
}

/** Sets the source language of a project without a service. */
const setSourceLanguage: CommandWork<typeof setSourceLanguageCommand> = async (app, options, run) => {
  const { open } = run;
  const { locale } = options;
  if (open.source.hasService)
    throw new CommandError("invalid", l10n.t("The source language is set on the service."));
  if (!open.local.locales.includes(locale))
    throw new CommandError("not_found", l10n.t("There are no translation files for {0}.", locale));
  if (open.sourceLocale === locale) return { outcome: "unchanged", locale };
  await app.projects.setSourceLanguage(open, locale);
  return { outcome: "done", locale };
};

/** Global state key: whether the welcome row is closed, for all folders. */
const WELCOME_CLOSED = "localWelcomeClosed";

/** Returns the welcome row, if it is shown. */
function welcomeRows(app: App): readonly TreeNode[] {
  const local = app.projects.all.filter(({ source }) => source.isKnown && !source.hasService);
  if (local.length === 0 || local.some(({ source }) => source.refusal === "untrusted")) return [];
  if (contextKey("serviceRunning") === true) return [{ id: "welcome/service", item: localServiceRow }];
  return app.context.globalState.get(WELCOME_CLOSED) === true ? [] : [{ id: "welcome", item: signInRow }];
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
    command: commandLink(showMenuCommand, {}),
  };
}

function localServiceRow(): ItemProperties {
  const title = l10n.t("Sign In to the Local Service");
  return {
    label: title,
    tooltip: l10n.t("The local service is running on this machine."),
    iconPath: new ThemeIcon("sign-in"),
    command: commandLink(startLocalServiceCommand, { signIn: true }, title),
  };
}
