/** Tells examples of a library from apps that are in a folder named like one: `playground` in a workspace of packages. */
import { basename, dirname } from "node:path/posix";
import { packagesUsingTexts } from "../project-detection/packages-using-texts.ts";

/** Folders with translations of tests and examples. */
const EXAMPLE_FOLDER =
  /^(?:tests?|__tests__|specs?|fixtures?|__fixtures__|__mocks__|mocks?|testdata|test-data|e2e|cypress|examples?|samples?|demos?|playgrounds?|stories|templates?|stubs?)$/i;

/** Manifests that name the packages which a package depends on. */
const PACKAGE_MANIFESTS: ReadonlySet<string> = new Set(["package.json", "composer.json"]);

/** Whether the path is in a folder of tests or examples, except in these apps. */
export function isExample(path: string, apps: readonly string[] = []): boolean {
  const app = apps.find((each) => path.startsWith(`${each}/`));
  const folders = (app === undefined ? path : path.slice(app.length + 1)).split("/").slice(0, -1);
  return folders.some((folder) => EXAMPLE_FOLDER.test(folder));
}

/**
 * Returns the folders of packages with translations that are named like an example, but depend on a package of the workspace
 * with translations: they show the texts of both.
 * @param paths manifests and translation files, also those of examples
 */
export async function exampleApps(
  paths: readonly string[],
  isTranslation: (path: string) => boolean,
  readText: (path: string) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const manifests = paths.filter((path) => PACKAGE_MANIFESTS.has(basename(path)));
  const isNamedLikeExample = (path: string): boolean =>
    EXAMPLE_FOLDER.test(basename(dirname(path))) && !isExample(dirname(path));
  if (!manifests.some(isNamedLikeExample)) return [];
  const translations = paths.filter(isTranslation);
  const withTexts = (isOf: (manifest: string) => boolean): readonly string[] =>
    manifests.filter((manifest) => {
      const folder = dirname(manifest);
      const isOwn = (path: string): boolean => path.startsWith(`${folder}/`) && !isExample(path, [folder]);
      return isOf(manifest) && translations.some(isOwn);
    });
  const examples = withTexts(isNamedLikeExample);
  const packages = examples.length === 0 ? [] : withTexts((path) => !isExample(path));
  if (packages.length === 0) return [];
  const read = [...examples, ...packages].map(async (path) => ({ path, text: (await readText(path)) ?? "" }));
  const used = packagesUsingTexts(await Promise.all(read), packages.map(dirname));
  return examples.map(dirname).filter((folder) => used.packages.has(folder));
}
