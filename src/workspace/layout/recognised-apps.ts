/**
 * The apps of a folder without a project file, and the layouts of each: an app is a folder with a manifest that has
 * translation files of its own.
 */
import type { TranslationFiles } from "../local-files/translation-files.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import { isSkipped, patternOf } from "./layout-patterns.ts";
import { proposeLayouts } from "./layout-proposals.ts";

/** What the folder's apps are told by. */
const MANIFESTS = "package.json,composer.json,manage.py,pyproject.toml,setup.py,angular.json,style.css";
const TRANSLATIONS = "json,php,po,pot,mo,xlf,xliff,js,ts,mjs,mts,cjs,csv,xlsx";
/** Names of folders that translations lie in; of scripts nothing else is looked at. */
const FOLDERS =
  "lang,langs,language,languages,locale,locales,i18n,l10n,intl,translation,translations,messages,resources,strings";

/** Globs of the paths to hand in. */
export const APP_GLOBS: readonly string[] = [
  `**/{${MANIFESTS}}`,
  "**/*.{json,po,pot,mo,xlf,xliff}",
  `**/{${FOLDERS}}/**/*.{php,js,ts,mjs,mts,cjs,csv,xlsx}`,
  "**/{translations,messages,locales,i18n,strings}.{csv,xlsx}",
];

/** Whether a new file may be the first of a layout. */
export function mayBeTranslation(path: string): boolean {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  return (
    TRANSLATIONS.split(",").includes(ending) &&
    !isExample(path) &&
    !isSkipped(path) &&
    patternOf(path) !== null
  );
}

/** Folders whose translations are material of tests and examples. */
const EXAMPLES =
  /^(?:tests?|__tests__|specs?|fixtures?|__fixtures__|__mocks__|mocks?|testdata|test-data|e2e|cypress|examples?|samples?|demos?|playgrounds?|stories|templates?|stubs?)$/i;

function isExample(path: string): boolean {
  return path
    .split("/")
    .slice(0, -1)
    .some((folder) => EXAMPLES.test(folder));
}

/** Layouts by the folder of their app (empty: the folder itself), relative to that. */
export type Apps = ReadonlyMap<string, readonly FilesEntry[]>;

/** `paths`: those that `APP_GLOBS` find. `readBytes` and `formats` as `proposeLayouts` has them. */
export async function recogniseApps(
  paths: readonly string[],
  readBytes: (path: string) => Promise<Uint8Array | undefined>,
  formats: Pick<TranslationFiles, "read">,
): Promise<Apps> {
  const candidates = paths.filter(mayBeTranslation);
  if (candidates.length === 0) return new Map();
  const layouts = (await proposeLayouts(candidates, readBytes, formats)).filter(
    ({ reason }) => reason !== "package-overrides",
  );
  const manifests = new Set(
    paths
      .filter((path) => !isExample(path) && MANIFESTS.split(",").includes(nameOf(path)))
      .map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/")))),
  );
  const apps = Map.groupBy(layouts, ({ entry }) => appOf(entry.path, manifests));
  // One app's texts may be those of the whole folder, whose code lies in several packages.
  if (apps.size <= 1) return new Map(layouts.length === 0 ? [] : [["", layouts.map(({ entry }) => entry)]]);
  return new Map(
    [...apps].map(([folder, own]) => [
      folder,
      own.map(({ entry }) => ({
        ...entry,
        path: folder === "" ? entry.path : entry.path.slice(folder.length + 1),
      })),
    ]),
  );
}

/** The layouts of the app in a folder; of the whole, where that is none, those of all apps. `undefined`: there are none. */
export function layoutsAt(apps: Apps, folder: string): readonly FilesEntry[] | undefined {
  const own = apps.get(folder);
  if (own !== undefined || folder !== "") return own;
  return [...apps].flatMap(([path, entries]) =>
    entries.map((entry) => ({ ...entry, path: `${path}/${entry.path}` })),
  );
}

/** The nearest folder above the layout that has a manifest. */
function appOf(pattern: string, manifests: ReadonlySet<string>): string {
  const folders = pattern.slice(0, pattern.indexOf("{") + 1 || undefined).split("/");
  for (folders.pop(); folders.length > 0; folders.pop()) {
    const folder = folders.join("/");
    if (manifests.has(folder)) return folder;
  }
  return "";
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
