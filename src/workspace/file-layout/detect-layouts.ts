/**
 * Finds the apps in a folder without a project file, and the layouts of each. An app is a folder with a manifest and
 * translation files.
 */
import type { TranslationFiles } from "../local-files/translation-files.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import { isExcluded, patternOf } from "./infer-path-pattern.ts";
import { proposeLayouts } from "./suggest-layouts.ts";

/** Files that mark the root of an app. */
const MANIFESTS = "package.json,composer.json,manage.py,pyproject.toml,setup.py,angular.json,style.css";
const TRANSLATION_EXTENSIONS = "json,php,po,pot,mo,xlf,xliff,js,ts,mjs,mts,cjs,csv,xlsx";
/** Names of translation folders; scripts are only searched in these. */
const TRANSLATION_FOLDERS =
  "lang,langs,language,languages,locale,locales,i18n,l10n,intl,translation,translations,messages,resources,strings";

/** Globs of the paths to pass to `detectApps`. */
export const APP_GLOBS: readonly string[] = [
  `**/{${MANIFESTS}}`,
  "**/*.{json,po,pot,mo,xlf,xliff}",
  `**/{${TRANSLATION_FOLDERS}}/**/*.{php,js,ts,mjs,mts,cjs,csv,xlsx}`,
  "**/{translations,messages,locales,i18n,strings}.{csv,xlsx}",
];

/** Whether a new file may be the first one of a layout. */
export function mayBeTranslation(path: string): boolean {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  return (
    TRANSLATION_EXTENSIONS.split(",").includes(ending) &&
    !isExample(path) &&
    !isExcluded(path) &&
    patternOf(path) !== null
  );
}

/** Folders with translations of tests and examples. */
const EXAMPLE_FOLDER =
  /^(?:tests?|__tests__|specs?|fixtures?|__fixtures__|__mocks__|mocks?|testdata|test-data|e2e|cypress|examples?|samples?|demos?|playgrounds?|stories|templates?|stubs?)$/i;

function isExample(path: string): boolean {
  return path
    .split("/")
    .slice(0, -1)
    .some((folder) => EXAMPLE_FOLDER.test(folder));
}

/** Layouts by app folder (empty for the root), with paths relative to it. */
export type AppLayouts = ReadonlyMap<string, readonly FilesEntry[]>;

/**
 * Groups the proposed layouts by app.
 * @param paths paths that match `APP_GLOBS`
 */
export async function detectApps(
  paths: readonly string[],
  readBytes: (path: string) => Promise<Uint8Array | undefined>,
  formats: Pick<TranslationFiles, "read">,
): Promise<AppLayouts> {
  const candidates = paths.filter(mayBeTranslation);
  if (candidates.length === 0) return new Map();
  const layouts = (await proposeLayouts(candidates, readBytes, formats)).filter(
    ({ reason }) => reason !== "package-overrides",
  );
  const manifests = new Set(
    paths
      .filter((path) => !isExample(path) && MANIFESTS.split(",").includes(baseName(path)))
      .map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/")))),
  );
  const apps = Map.groupBy(layouts, ({ entry }) => appFolderOf(entry.path, manifests));
  // The texts of a single app may belong to the whole folder, with code in several packages.
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

/**
 * Returns the layouts of the app in a folder; for the root, if it is no app itself, those of all apps. `undefined` if
 * there are none.
 */
export function layoutsAt(apps: AppLayouts, folder: string): readonly FilesEntry[] | undefined {
  const own = apps.get(folder);
  if (own !== undefined || folder !== "") return own;
  return [...apps].flatMap(([path, entries]) =>
    entries.map((entry) => ({ ...entry, path: `${path}/${entry.path}` })),
  );
}

/** Returns the nearest folder above the layout that has a manifest. */
function appFolderOf(pattern: string, manifests: ReadonlySet<string>): string {
  const folders = pattern.slice(0, pattern.indexOf("{") + 1 || undefined).split("/");
  for (folders.pop(); folders.length > 0; folders.pop()) {
    const folder = folders.join("/");
    if (manifests.has(folder)) return folder;
  }
  return "";
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
