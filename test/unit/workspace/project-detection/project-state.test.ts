/** The fingerprint by which a command notices that a folder's projects, layouts or configurations are others on disk. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CONFIGURATION_GLOBS } from "../../../../src/workspace/project-detection/configuration-globs.ts";
import { createFolderSearch } from "../../../../src/workspace/project-detection/folder-search.ts";

const SCOPE = { exclude: [], otherProjects: [] };
const INDEX = "src/locales/en/index.ts";

const FUTURE = 4_000_000_000;

let folder: string;
let seconds = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "project-state-"));
  write("package.json", '{ "dependencies": { "i18next": "1" } }');
  write(INDEX, "import home from './home.js'; export default { translation: { home } };");
  write("src/locales/en/home.ts", "export default { title: 'Home' };");
  write("src/locales/nl/home.ts", "export default { title: 'Thuis' };");
  write("src/Page.tsx", "t('home.title')");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a file, each time at another second of a year to come: a file that is just written counts as another one later. */
function write(path: string, text: string): void {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  utimesSync(full, FUTURE, FUTURE + ++seconds);
}

async function detect() {
  return createFolderSearch(folder).detectApps(SCOPE);
}

const state = async (): Promise<string> => {
  const search = createFolderSearch(folder);
  const { read } = await search.detectApps(SCOPE);
  return search.projectState({ read, configurations: CONFIGURATION_GLOBS }, SCOPE);
};

test("the files that were read decide: samples, and modules that compose others", async () => {
  const { apps, read } = await detect();
  expect(apps.get("")?.map(({ keyPrefix }) => keyPrefix)).toEqual(["home."]);
  expect(read).toEqual(expect.arrayContaining([INDEX, "src/locales/en/home.ts"]));
  expect(read).not.toContain("src/Page.tsx");
});

test.each([
  [INDEX, "export default {};"],
  ["src/locales/en/more.ts", "export default { title: 'More' };"],
  ["package.json", "{}"],
  ["packages/more/package.json", '{ "name": "more" }'],
  ["project-translations.json", "{}"],
  ["packages/more/project-translations.json", "{}"],
  ["src/i18n.ts", "i18next.init({ keySeparator: '/' })"],
  ["i18next.config.ts", "export default { locales: ['en'] }"],
  ["config/app.php", "<?php return ['fallback_locale' => 'nl'];"],
  ["locales/en.json", '{ "title": "Boards" }'],
])("a new or changed %s is another state", async (path, text) => {
  const before = await state();
  write(path, text);
  expect(await state()).not.toBe(before);
});

test("another text of a configuration is another state, also if nothing had read it", async () => {
  write("config/app.php", "<?php return ['fallback_locale' => 'nl'];");
  const before = await state();
  write("config/app.php", "<?php return ['fallback_locale' => 'de'];");
  expect(await state()).not.toBe(before);
});

test("a configuration that was read just after a change counts as another one later, once", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: (FUTURE + seconds) * 1_000 - 4_000 });
  const before = await state();
  expect(await state()).toBe(before);
  // No write can have left its stamp unchanged from now on.
  vi.setSystemTime((FUTURE + seconds) * 1_000 + 60_000);
  const later = await state();
  expect(later).not.toBe(before);
  vi.setSystemTime((FUTURE + seconds) * 1_000 + 120_000);
  expect(await state()).toBe(later);
});

test("a deleted file is another state", async () => {
  const before = await state();
  rmSync(join(folder, "src/locales/en/home.ts"));
  expect(await state()).not.toBe(before);
});

test("code and texts that decide nothing leave the state as it is", async () => {
  const before = await state();
  write("src/Page.tsx", "t('home.heading')");
  write("src/Other.tsx", "t('home.title')");
  write("src/locales/nl/home.ts", "export default { title: 'Huis' };");
  expect(await state()).toBe(before);
});
