/** Code outside of a project that uses its texts: packages that depend on it, and folders that the project file names. */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findUsesCommand } from "../../../src/commands/declarations/key-commands.ts";
import { ignoreProblemCommand } from "../../../src/features/diagnostics/quick-fixes.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { type CodeAction, loseFileEvents, pickInNextList, problems, Range } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const manifest = (name: string, ...dependencies: readonly string[]): string =>
  json({ name, dependencies: Object.fromEntries(dependencies.map((each) => [each, "*"])) });
const projectFile = (include?: readonly string[]): string =>
  json({
    files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
    sourceLocale: "en",
    ...(include === undefined ? {} : { usage: { include } }),
  });
const CODE = `import i18next from "i18next";\nexport const title = i18next.t("shop:title");\n`;
const FILES = {
  "package.json": manifest("root"),
  "packages/texts/package.json": manifest("texts", "i18next"),
  "packages/texts/project-translations.json": projectFile(),
  "packages/texts/locales/en/shop.json": `{ "title": "Shop" }`,
  "packages/texts/src/own.ts": CODE,
  "packages/web/package.json": manifest("web", "texts", "i18next"),
  "packages/web/src/page.ts": CODE,
  "packages/tool/package.json": manifest("tool"),
  "packages/tool/src/tool.ts": CODE,
  "scripts/check.ts": CODE,
};
const WEB = "packages/web/src/page.ts";
const TOOL = "packages/tool/src/tool.ts";
const SCRIPT = "scripts/check.ts";

let editor: Editor;
beforeEach(async () => {
  editor = await openEditor({ files: FILES });
});
afterEach(() => editor.close());

const isKnownIn = async (path: string): Promise<boolean> =>
  (await editor.hover(path, '"shop:ti|tle"'))?.includes("Shop") === true;
/** Returns the files that use the key. */
async function uses(): Promise<readonly string[]> {
  const folder = editor.uri("packages/texts").fsPath;
  const found = (await editor.run(findUsesCommand, { folder, namespace: "shop", key: "title" })) as {
    readonly uses?: readonly { readonly path: string }[];
  };
  return (found.uses ?? []).map(({ path }) => path).sort();
}
const OWN = "src/own.ts";

test("a package that depends on the texts uses them, and then one that does no longer", async () => {
  expect(await isKnownIn("packages/texts/src/own.ts")).toBe(true);
  await waitUntil(() => isKnownIn(WEB));
  expect([await isKnownIn(TOOL), await isKnownIn(SCRIPT)]).toEqual([false, false]);
  expect(await uses()).toEqual(["../web/src/page.ts", OWN]);
  pickInNextList((items) => {
    expect(items.map(({ detail }) => detail)).toEqual(
      Array(2).fill('export const title = i18next.t("shop:title");'),
    );
    return undefined;
  });
  const folder = editor.uri("packages/texts").fsPath;
  await editor.ask(findUsesCommand, { folder, namespace: "shop", key: "title" });
  await editor.write("packages/tool/package.json", manifest("tool", "texts", "i18next"));
  await editor.write("packages/web/package.json", manifest("web"));
  await waitUntil(() => isKnownIn(TOOL));
  expect(await isKnownIn(WEB)).toBe(false);
  expect(await uses()).toEqual(["../tool/src/tool.ts", OWN]);
});

test("a command finds a package that uses the texts by now, also if no event told of it", async () => {
  expect(await uses()).toEqual(["../web/src/page.ts", OWN]);
  loseFileEvents();
  await editor.write("packages/tool/package.json", manifest("tool", "texts", "i18next"));
  expect(await uses()).toEqual(["../tool/src/tool.ts", "../web/src/page.ts", OWN]);
  expect(await isKnownIn(TOOL)).toBe(true);
});

test("a folder that the project file names is the project's, until it is no longer named", async () => {
  const file = "packages/texts/project-translations.json";
  expect(await isKnownIn(SCRIPT)).toBe(false);
  await editor.write(file, projectFile(["**/*.ts", "../../scripts/**/*.ts"]));
  await waitUntil(() => isKnownIn(SCRIPT));
  await waitUntil(async () => (await uses()).includes("../../scripts/check.ts"));
  // Not one that a link leads out of the folder of the window.
  await editor.write("../outside/check.ts", CODE);
  await symlink(join(editor.folder, "../outside"), join(editor.folder, "linked"));
  await editor.write(file, projectFile(["**/*.ts", "../../scripts/**/*.ts", "../../linked/**/*.ts"]));
  expect(await uses()).toEqual(["../../scripts/check.ts", OWN]);
  expect([await isKnownIn(SCRIPT), await isKnownIn("linked/check.ts")]).toEqual([true, false]);
  await editor.write(file, projectFile());
  await waitUntil(async () => !(await isKnownIn(SCRIPT)));
  expect(await uses()).not.toContain("../../scripts/check.ts");
});

test("a package with texts of its own uses those that it depends on, too, and then no longer", async () => {
  await editor.write("packages/web/project-translations.json", projectFile());
  await editor.write("packages/web/locales/en/shop.json", `{ "own": "Own" }`);
  await editor.write("packages/web/src/own.ts", CODE.replace('title")', 'own")'));
  const own = async () => await editor.hover("packages/web/src/own.ts", '"shop:o|wn"');
  await waitUntil(async () => (await own())?.includes("Own") === true);
  await waitUntil(() => isKnownIn(WEB));
  await editor.write("packages/web/package.json", manifest("web", "i18next"));
  await waitUntil(async () => !(await isKnownIn(WEB)));
});

test("each folder of the window has packages of its own", async () => {
  await editor.close();
  const below = (folder: string) =>
    Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`${folder}/${path}`, text]));
  editor = await openEditor({ files: { ...below("one"), ...below("two") }, folders: ["one", "two"] });
  for (const folder of ["one", "two"]) {
    await waitUntil(() => isKnownIn(`${folder}/${WEB}`));
    expect(await isKnownIn(`${folder}/${TOOL}`)).toBe(false);
  }
});

test("unsaved code of another package counts as it is typed", async () => {
  await waitUntil(() => isKnownIn(WEB));
  const shown = await editor.show(WEB, 'i18next.t("|shop:title|")');
  shown.document.type(shown.selection, "shop:other");
  expect(await uses()).toEqual([OWN]);
  // What is wrong there is ignored by its path from the project.
  await waitUntil(() => editor.problems(WEB).length === 1);
  const context = { diagnostics: problems.of(editor.uri(WEB)), only: undefined };
  const given = ["CodeActions", "provideCodeActions", WEB, new Range(0, 0, 0, 0), context] as const;
  const fixes = (await editor.provideAll<readonly CodeAction[]>(...given)).flat();
  const { command } = fixes.find(({ title }) => title === "Ignore by a pattern…") ?? {};
  const path = "../web/src/page.ts";
  const key = "shop:other";
  const folder = editor.uri("packages/texts");
  expect(command?.arguments).toEqual([{ folder, code: "unknown-key", path, key }]);
  const rule = { code: "unknown-key", path };
  expect(await editor.run(ignoreProblemCommand, { folder: folder.fsPath, ...rule })).toMatchObject({ rule });
  await waitUntil(() => editor.problems(WEB).length === 0);
});
