/** The database and the settings of the local service's project. */
import { Uri, workspace } from "vscode";
import * as v from "valibot";
import {
  localServiceProject,
  type FoundApp,
  type LocalServiceProject,
} from "../../workspace/local-service-project.ts";
import { sha1 } from "../../model/key-hash.ts";
import type { App } from "../../vscode/app.ts";
import { l10n } from "../../util/l10n.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";

/** Returns the path of the database for an app, or for windows without a folder, and creates its folder. */
export async function defaultData(
  { context }: App,
  open: OpenProject | undefined,
  kind: "own" | "demo",
): Promise<string> {
  const folder = Uri.joinPath(context.globalStorageUri, "local-service");
  await workspace.fs.createDirectory(folder);
  const name = open === undefined ? "no-folder" : sha1(open.root.toString());
  return Uri.joinPath(folder, `${name}${kind === "demo" ? "-demo" : ""}.db`).fsPath;
}

/** Returns what the app's translation files say; `undefined` if it has none. */
export async function findApp(
  app: App,
  open: OpenProject,
  signal: AbortSignal,
): Promise<FoundApp | undefined> {
  const { local } = open;
  await local.reload(signal);
  const { locales, sourceLocale } = local;
  if (locales.length === 0) return undefined;
  await app.documentUsages.ready(open);
  const { frameworks } = app.documentUsages.lookupOptions(open);
  return {
    name: open.label,
    frameworks: [...frameworks],
    files: open.file.files ?? [],
    sourceLocale: open.sourceLocale ?? sourceLocale,
    locales,
  };
}

/** Describes the app for people: its framework and languages. */
export function describeApp(app: FoundApp): string {
  const { type, sourceLocale, languages } = localServiceProject(app);
  const locales = languages.map(({ locale }) => locale).join(", ");
  const languagesText = locales === "" ? sourceLocale : `${sourceLocale} → ${locales}`;
  return type === "other" ? languagesText : l10n.t("{0}: {1}", type, languagesText);
}

/** Returns whether there is a file or folder. */
export async function exists(uri: Uri): Promise<boolean> {
  return workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** Of the settings of an earlier start. */
const EarlierSchema = v.object({
  slug: v.string(),
  name: v.string(),
  type: v.string(),
  sourceLocale: v.string(),
  languages: v.array(v.object({ locale: v.string() })),
});

/** Writes the settings for the app beside the database, and returns their path. What was there before stays listed. */
export async function writeSettings(data: string, app: FoundApp): Promise<string> {
  const uri = Uri.file(`${data}.project.json`);
  const project = localServiceProject(app, await readSettings(uri));
  await workspace.fs.writeFile(uri, new TextEncoder().encode(`${JSON.stringify(project, null, 2)}\n`));
  return uri.fsPath;
}

async function readSettings(uri: Uri): Promise<LocalServiceProject | undefined> {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(uri)));
    return v.parse(EarlierSchema, json);
  } catch {
    // The first start, or a file that was damaged: it is written anew.
    return undefined;
  }
}
