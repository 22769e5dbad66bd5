/** The view "Languages": a row for each language with its progress, and child rows for remaining work. */
import { closeWelcomeCommand } from "../../commands/declarations/window-commands.ts";
import { setSourceLanguageCommand } from "../../commands/declarations/session-commands.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { createTreeView } from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import type { TreeNode } from "../../vscode/ui/tree-view/tree-node.ts";
import { CommandError } from "../../commands/command-types.ts";
import { projectDisplayName } from "../../messages/labels.ts";
import { l10n } from "../../util/l10n.ts";
import { languageRow } from "./language-row.ts";
import { learnedFunctionRows, registerLearnedFunctions } from "./learned-functions.ts";
import { projectFileRows } from "./project-file-rows.ts";
import {
  decideWelcome,
  localServiceContent,
  originText,
  projectContent,
  signInContent,
  viewMessage,
  type ProjectViewState,
} from "./project-content.ts";
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
    view.description = shown === undefined ? "" : originText(stateOf(shown));
    view.message = (shown && viewMessage(stateOf(shown))) ?? "";
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
    app.store.subscribe(["settings", "projects", "session", "stats", "freshness"], describe),
  );
  app.projects.whenReady(describe);
}

/** Returns the languages, grouped by project if there are several; none if the welcome view is shown. */
function rootRows(app: App): readonly TreeNode[] {
  const { all } = app.projects;
  const [only, ...others] = all;
  if (only === undefined) return [];
  const first = [...all.flatMap(projectFileRows), ...welcomeRows(app)];
  if (others.length === 0) return [...first, ...languageRows(app, only)];
  return all.every(({ source }) => !source.hasService && !source.isKnown)
    ? first
    : [...first, ...all.map((open) => projectRow(app, open))];
}

function languageRows(app: App, open: OpenProject): readonly TreeNode[] {
  const { source, stats } = open;
  if (!source.isKnown || stats === null) return [];
  if (stats.languages.every((language) => language.totalKeys === 0)) return [];
  const languages = stats.languages.map((language) => languageRow(open, language));
  return [...languages, ...learnedFunctionRows(app, open)];
}

function projectRow(app: App, open: OpenProject): TreeNode {
  return {
    id: open.id,
    commandOptions: { folder: open.root },
    content: () => projectContent(stateOf(open)),
    children: () => languageRows(app, open),
  };
}

function stateOf(open: OpenProject): ProjectViewState {
  const { label, session, source, freshness } = open;
  return { name: projectDisplayName(open), label, session, source, freshness, now: Date.now() };
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
function welcomeRows({ projects, context }: App): readonly TreeNode[] {
  const isServiceRunning = contextKey("serviceRunning") === true;
  const isClosed = context.globalState.get(WELCOME_CLOSED) === true;
  switch (decideWelcome(projects.all, { isServiceRunning, isClosed })) {
    case "none":
      return [];
    case "sign-in":
      return [{ id: "welcome", content: signInContent }];
    case "local-service":
      return [{ id: "welcome/service", content: localServiceContent, commandOptions: { signIn: true } }];
  }
}
