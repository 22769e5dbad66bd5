/** Builds the app from VS Code's doors. Cheap: nothing is read, asked or searched that is not waited for elsewhere. */
import type { ExtensionContext } from "vscode";
import type { App } from "./app.ts";
import { yieldNow } from "./clock.ts";
import { CodeKeys } from "./code-keys.ts";
import { registerCommand } from "./commands.ts";
import { FormatThread } from "./format-thread.ts";
import { registerTreeCommands } from "./lazy-tree.ts";
import { openLog } from "./log.ts";
import { WindowProjects } from "./projects.ts";
import { Results } from "./results.ts";
import { Settings } from "./settings.ts";
import { ShownTexts } from "./shown-texts.ts";
import { Usages } from "./usages.ts";
import { keepContextKeys } from "./window-state.ts";
import { setLanguage } from "./words.ts";

/** The app of this window; everything it owns ends with the extension. */
export function buildApp(context: ExtensionContext): App {
  const log = openLog();
  const settings = new Settings();
  const dutchFile = context.asAbsolutePath("l10n/bundle.l10n.nl.json");
  setLanguage(settings.of().language, dutchFile);
  const program = context.asAbsolutePath("dist/format-worker.cjs");
  const formats = new FormatThread({ program, yieldNow, warn: (text) => log.warn(text) });
  const results = new Results();
  const projects = new WindowProjects({ context, log, settings, formats, results });
  projects.ready.catch((error: unknown) => log.error("The window could not be searched for projects", error));
  const code = new CodeKeys(projects, log);
  const usages = new Usages(projects, code, log, context.asAbsolutePath("dist/code-worker.cjs"));
  const texts = new ShownTexts();
  const own: App["own"] = (thing) => void context.subscriptions.push(thing);
  for (const thing of [
    log,
    settings,
    formats,
    projects,
    code,
    usages,
    texts,
    results,
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
    command: (id, title, work) => own(registerCommand({ log, ready: () => projects.ready }, id, title, work)),
    own,
  };
  registerTreeCommands(app);
  return app;
}
