/** Builds the app from the adapters of VS Code. Starts no reading or requests that it would have to wait for. */
import type { ExtensionContext } from "vscode";
import type { App } from "./app.ts";
import { CodeKeys } from "./projects/code-keys.ts";
import { registerCommand } from "./commands.ts";
import { IndexWorkerClient } from "../worker/index-worker-client.ts";
import { InlayLanguage } from "./inlay-language.ts";
import { registerTreeCommands } from "./ui/lazy-tree.ts";
import { openLog } from "./log.ts";
import { WindowProjects } from "./projects/projects.ts";
import { RecentResults } from "./recent-results.ts";
import { Settings } from "./settings.ts";
import { VirtualDocuments } from "./ui/virtual-documents.ts";
import { UsageIndexes } from "./projects/usage-indexes.ts";
import { keepContextKeys } from "./context-updates.ts";
import { setLanguage } from "./l10n.ts";

/** The app of this window; everything it owns ends with the extension. */
export function createApp(context: ExtensionContext): App {
  const log = openLog();
  const settings = new Settings();
  const dutchFile = context.asAbsolutePath("l10n/bundle.l10n.nl.json");
  setLanguage(settings.of().language, dutchFile);
  const indexWorker = new IndexWorkerClient({
    program: context.asAbsolutePath("dist/index-worker.cjs"),
    log,
  });
  const results = new RecentResults();
  const projects = new WindowProjects({ context, log, settings, indexWorker, results });
  projects.ready.catch((error: unknown) => log.error("The window could not be searched for projects", error));
  const code = new CodeKeys(projects, log);
  const usages = new UsageIndexes({ projects, code, worker: indexWorker, log });
  const texts = new VirtualDocuments();
  const inlayLanguage = new InlayLanguage(context.workspaceState);
  const own: App["own"] = (thing) => void context.subscriptions.push(thing);
  for (const thing of [
    log,
    settings,
    indexWorker,
    projects,
    code,
    usages,
    texts,
    results,
    inlayLanguage,
    keepContextKeys(projects),
  ])
    own(thing);
  own(settings.onDidChange(() => setLanguage(settings.of().language, dutchFile)));
  const app: App = {
    context,
    log,
    settings,
    projects,
    code,
    usages,
    texts,
    results,
    inlayLanguage,
    command: (id, title, work) => own(registerCommand({ log, ready: () => projects.ready }, id, title, work)),
    own,
  };
  registerTreeCommands(app);
  return app;
}
