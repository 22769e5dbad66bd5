/**
 * Sets up a demo: the sample app, the local service with its data, the packaged extension, one that signs in with the
 * public command, and one with a language model.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildAll, packageExtension } from "../setup/build.ts";
import { cache, projectNode, root } from "../setup/ensure.mjs";
import { startProcess } from "../setup/managed-process.ts";
import { onExit } from "../setup/cleanup.ts";

export interface DemoSetup {
  /** `.cache/demo`. */
  readonly folder: string;
  /** The app's folder, or the `.code-workspace` file of both. */
  readonly open: string;
  /** The packaged extension, the one that signs in, and a language model. */
  readonly vsixes: readonly string[];
  readonly services: readonly DemoService[];
}

export interface DemoService {
  readonly baseUrl: string;
  readonly token: string;
  readonly readToken: string;
}

const tour = join(root, "test", "demo", "tour.md");

/** Returns the steps of the tour that the window shows. */
export function tourSteps(): readonly string[] {
  return [...readFileSync(tour, "utf8").matchAll(/^\d+\. \*\*(.+?)\*\*/gmu)].map(([, step = ""]) => step);
}

/** Writes all files and starts the services. */
export async function setUpDemo({ two }: { readonly two: boolean }): Promise<DemoSetup> {
  const folder = join(cache, "demo");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  console.log("Building and packaging ...");
  buildAll();
  const vsix = join(folder, "project-translations.vsix");
  packageExtension(root, vsix);

  const apps = two ? ["webshop", "storefront"] : ["webshop"];
  const services: DemoService[] = [];
  for (const app of apps) {
    cpSync(join(root, "test", "demo", "sample", app), join(folder, app), { recursive: true });
    services.push(await startService(folder, app));
  }
  cpSync(tour, join(folder, "webshop", "TOUR.md"));
  const signIns = apps.map((app, at) => ({ folder: join(folder, app), ...services[at] }));
  const open = two ? join(folder, "demo.code-workspace") : join(folder, "webshop");
  if (two) writeFileSync(open, JSON.stringify({ folders: apps.map((path) => ({ path })) }));
  const vsixes = [vsix, packageSignIn(folder, signIns), packageModel(folder)];
  return { folder, open, vsixes, services };
}

/** Starts the service of an app; that of the web shop is the demo project. */
async function startService(folder: string, app: string): Promise<DemoService> {
  const data = ["--data", join(folder, `${app}.service.db`)];
  const project =
    app === "webshop" ? ["--demo"] : ["--project", join(root, "test", "demo", `${app}.service.json`)];
  const args = [join(root, "dist", "service.mjs"), ...data, ...project];
  const service = startProcess(projectNode, args);
  onExit(() => service.stop());
  const [line] = await service.line(/^\{.*\}$/, 20);
  return JSON.parse(line) as DemoService;
}

/** Packages test/demo/sign-in with the projects to sign in to. */
function packageSignIn(folder: string, signIns: readonly unknown[]): string {
  const source = join(folder, "sign-in");
  cpSync(join(root, "test", "demo", "sign-in"), source, { recursive: true });
  writeFileSync(join(source, "sign-ins.json"), JSON.stringify(signIns));
  const path = join(folder, "sign-in.vsix");
  packageExtension(source, path);
  return path;
}

/** Packages the language model, which needs no account. */
function packageModel(folder: string): string {
  const path = join(folder, "model.vsix");
  packageExtension(join(root, "test", "demo", "model"), path);
  return path;
}

/** Returns the settings, which turn off everything that would cover the extension. `theme`: default is VS Code's. */
export function userSettings(theme?: string): string {
  const settings = JSON.parse(readFileSync(join(root, "test", "demo", "settings.json"), "utf8")) as object;
  return JSON.stringify(theme === undefined ? settings : { ...settings, "workbench.colorTheme": theme });
}
