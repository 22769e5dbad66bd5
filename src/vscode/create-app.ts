/** Composition root: builds the app from the VS Code adapters. Does not wait for files or requests. */
import type { ExtensionContext } from "vscode";
import type { App } from "./app.ts";
import { DocumentUsages } from "./usages/document-usages.ts";
import { Commands } from "./commands/register-command.ts";
import { Store } from "../database/store.ts";
import { IndexerClient } from "../indexer/indexer-client.ts";
import { InlayLanguage } from "./projects/inlay-language.ts";
import { registerTreeCommands } from "./ui/tree-view/lazy-tree-provider.ts";
import { openLog } from "./log.ts";
import { Projects } from "./projects/project-registry.ts";
import { ActivityResults } from "./projects/activity-results.ts";
import { Settings } from "./extension-settings.ts";
import { VirtualDocuments } from "./ui/documents/virtual-documents.ts";
import { UsageIndexes } from "./usages/usage-indexes.ts";
import { UsageReports } from "./usages/usage-reports.ts";
import { syncContextKeys } from "./update-context-keys.ts";
import { applyLanguage } from "./window-language.ts";

/** Creates the app of this window; everything it creates is disposed of with the extension. */
export function createApp(context: ExtensionContext): App {
  const log = openLog();
  const settings = new Settings();
  const dutchFile = context.asAbsolutePath("l10n/bundle.l10n.nl.json");
  applyLanguage(settings.of().language, dutchFile);
  const program = context.asAbsolutePath("dist/indexer-process.mjs");
  const indexerClient = new IndexerClient({ program, log });
  const results = new ActivityResults();
  const store = new Store<object>((error) => log.error("A change could not be shown", error));
  const projects = new Projects({ context, log, settings, store, indexerClient, results });
  const documentUsages = new DocumentUsages(projects, context.workspaceState, log);
  const usages = new UsageIndexes({
    projects,
    documentUsages,
    indexerClient,
    log,
  });
  const usageReports = new UsageReports({ projects, store, documentUsages, usages });
  const virtualDocuments = new VirtualDocuments();
  const inlayLanguage = new InlayLanguage(context.workspaceState);
  const addDisposable: App["addDisposable"] = (...disposables) =>
    void context.subscriptions.push(...disposables);
  addDisposable(
    log,
    settings,
    indexerClient,
    projects,
    documentUsages,
    usages,
    virtualDocuments,
    results,
    inlayLanguage,
    syncContextKeys(projects, store),
    settings.onDidChange(() => applyLanguage(settings.of().language, dutchFile)),
    projects.onDidChange(() => store.changed(null, "projects")),
    settings.onDidChange(() => store.changed(null, "settings")),
    inlayLanguage.onDidChange(() => store.changed(null, "settings")),
    documentUsages.onDidChange((each) => store.changed(each, "settings")),
    usages.onDidChange((each) => store.changed(each, "usages")),
    results.onDidChange(() => store.changed(null, "results")),
    store,
  );
  const commands = new Commands(() => app);
  const app: App = {
    context,
    log,
    settings,
    projects,
    store,
    documentUsages,
    usages,
    usageReports,
    virtualDocuments,
    results,
    inlayLanguage,
    command: (...command) => addDisposable(commands.register(...command)),
    run: (declaration, options) => commands.run(declaration, options),
    addDisposable,
  };
  registerTreeCommands(app);
  return app;
}
