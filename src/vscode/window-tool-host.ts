/** The projects of the window, for the tools for agents: with unsaved texts, the session and the commands of the window. */
import { workspace } from "vscode";
import { ADVICE, chooseByLabel, type ToolHost, type ToolProject } from "../agent-tools/tool.ts";
import { pushCommand } from "../commands/declarations/sync-commands.ts";
import { untrustedError } from "../messages/error-messages.ts";
import type { App } from "./app.ts";
import { familiesOf } from "./ui/input/translation-input-checks.ts";
import type { OpenProject } from "./projects/open-project.ts";
import { ensureRefreshed, reloadFiles } from "./projects/refresh-project.ts";

/** Returns where the tools of this window are called. */
export function windowToolHost(app: App): ToolHost {
  return {
    project: async (label, signal) => {
      await app.projects.ready;
      const { all, active } = app.projects;
      const open = chooseByLabel(all, active, label);
      if (!workspace.isTrusted) throw untrustedError();
      await open.ready;
      await reloadFiles(open, signal);
      // Throws if nobody is signed in and there are no local files.
      if (open.source.hasService || !open.source.isKnown) open.client();
      return toToolProject(app, open);
    },
    advice: {
      ...ADVICE,
      not_signed_in: 'Ask the user to run the command "Project Translations: Sign In…".',
      unauthorized: 'Ask the user to sign in again with the command "Project Translations: Sign In…".',
      no_project: 'Ask the user to run the command "Project Translations: Configure Project…".',
    },
  };
}

/** Returns what tools get of a project. */
export function toToolProject(app: App, open: OpenProject): ToolProject {
  const { file, files, connection } = open;
  const { local, keySearch, refresher } = connection;
  return {
    project: connection,
    file,
    files,
    local,
    keySearch,
    refresher,
    get lookup() {
      return app.documentUsages.lookupOptions(open);
    },
    get hasEnded() {
      return connection.hasEnded;
    },
    client: () => connection.client(),
    refresh: (signal) => ensureRefreshed(open, signal),
    indexTexts: (signal) => connection.indexTexts(signal),
    checkTexts: (signal) => connection.checkTexts(familiesOf(app, open), signal),
    usages: (signal) => app.usages.reload(open, signal),
    window: {
      push: async (items) => {
        // Throws after a sign-in elsewhere, to which the command would push.
        connection.client();
        const only = items.map(({ hash }) => hash);
        const result = await app.run(pushCommand, { folder: open.root, confirm: false, only });
        if (result.outcome === "failed") throw new Error(result.error.message);
        return { outcome: result.outcome, result: result.result };
      },
    },
  };
}
