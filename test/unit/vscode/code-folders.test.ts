/** Which code outside of projects is theirs, as manifests and the folders of the window change; and the project files there. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { MAX_PROJECTS } from "../../../src/workspace/project-detection/project-roots.ts";
import { CodeFolders } from "../../../src/vscode/projects/code-folders.ts";
import {
  findWindowProjectFiles,
  readProjectFileOf,
} from "../../../src/vscode/projects/find-project-files.ts";
import { type CodeFolder, OutsideCode } from "../../../src/vscode/projects/outside-code.ts";
import { NO_FILE } from "../../../src/projects/project-file-reading.ts";
import { recordingLog, temporaryFolder } from "../support/node-platform.ts";
import { openFolders, setSetting, tellOfFile, Uri, workspace } from "../support/vscode-stub.ts";

const manifest = (name: string, ...dependencies: readonly string[]): string =>
  JSON.stringify({ name, dependencies: Object.fromEntries(dependencies.map((each) => [each, "*"])) });
/** The manifests below `/window`, by the name of the folder; `null`: they cannot be read. */
let manifests: Record<string, string | null>;
/** What was read, and with which exclusions; and how many files of it at most. */
let reads: string[];
let limits: (number | undefined)[];
/** The set-up of translations of each package. */
let setup: readonly string[];
let changes: number;
let codeFolders: CodeFolders;
const log = recordingLog();
const indexerClient = {
  forFolder: (folder: string) => ({
    folder: {
      read: async (
        [glob]: readonly string[],
        { exclude }: { readonly exclude: readonly string[] },
        limit?: number,
      ) => {
        limits.push(limit);
        reads.push([folder, glob?.includes("i18n") === true ? "setup" : "manifests", ...exclude].join(" "));
        if (glob?.includes("i18n") === true) return setup.map((text) => ({ path: "i18n.ts", text }));
        const all = Object.entries(manifests);
        if (all.some(([, text]) => text === null)) throw new Error("full disk");
        return all.map(([path, text]) => ({
          path: path === "" ? "package.json" : `${path}/package.json`,
          text,
        }));
      },
      find: async (_globs: readonly string[], { exclude }: { readonly exclude: readonly string[] }) => {
        reads.push([folder, ...exclude].join(" "));
        return Array.from({ length: 70 }, (_, number) => `app${number}/project-translations.json`);
      },
    },
  }),
} as never;

interface Project {
  readonly root: Uri;
  readonly file: { readonly usage?: { readonly include: readonly string[] } };
  readonly code: { folders: readonly CodeFolder[] };
  usesTextsOf: readonly Project[];
}
const projectAt = (path: string, ...include: readonly string[]): Project => ({
  root: Uri.file(`/window/${path}`),
  file: include.length === 0 ? {} : { usage: { include } },
  code: { folders: [] },
  usesTextsOf: [],
});
const foldersOf = ({ code }: Project) => code.folders.map(({ uri, path }) => `${path} ${uri.path}`);
const assign = (...projects: readonly Project[]) => codeFolders.assign(projects as never);

beforeEach(() => {
  [manifests, reads, changes] = [{}, [], 0];
  [limits, setup] = [[], []];
  log.lines.length = 0;
  workspace.workspaceFolders = [{ uri: Uri.file("/window"), name: "window" }];
  codeFolders = new CodeFolders(indexerClient, log);
  codeFolders.onDidChange(() => (changes += 1));
});
afterEach(() => {
  codeFolders.dispose();
  workspace.workspaceFolders = undefined;
});

test("packages that depend on a project are its code, and projects that do use its texts", async () => {
  manifests = {
    texts: manifest("texts", "i18next"),
    web: manifest("web", "texts"),
    tool: manifest("tool"),
    shop: manifest("shop", "texts", "more"),
    more: manifest("more", "i18next"),
  };
  const [texts, shop, more] = [projectAt("texts"), projectAt("shop"), projectAt("more")];
  await assign(texts, shop, more);
  expect([texts, shop, more].map(foldersOf)).toEqual([["../web /window/web"], [], []]);
  expect([texts, shop, more].map(({ usesTextsOf }) => usesTextsOf)).toEqual([[], [texts, more], []]);
  // Read once, until one has changed.
  await assign(texts, shop, more);
  expect(reads).toEqual(["/window manifests"]);
  manifests = {
    texts: manifest("texts", "i18next"),
    tool: manifest("tool", "texts"),
    shop: manifest("shop"),
  };
  tellOfFile("changed", "/window/node_modules/a/package.json");
  tellOfFile("changed", "/elsewhere/package.json");
  expect(changes).toBe(0);
  tellOfFile("changed", "/window/tool/package.json");
  // A burst of them counts once.
  tellOfFile("changed", "/window/web/package.json");
  expect(changes).toBe(1);
  await assign(texts, shop, more);
  expect([texts, shop].map(foldersOf)).toEqual([["../tool /window/tool"], []]);
  expect(shop.usesTextsOf).toEqual([]);
  // No package is left.
  manifests = { texts: manifest("texts", "i18next"), tool: manifest("tool"), shop: manifest("shop") };
  tellOfFile("changed", "/window/tool/package.json");
  await assign(texts, shop, more);
  expect([texts, shop].map(foldersOf)).toEqual([[], []]);
  expect(codeFolders.invalidate(Uri.file("/window") as never)).toBe(true);
  expect(codeFolders.invalidate(Uri.file("/window") as never)).toBe(false);
  // Nor is anything told once the window is closed.
  await assign(texts);
  const before = changes;
  codeFolders.dispose();
  const told = codeFolders.invalidate.bind(codeFolders);
  const asked: unknown[] = [];
  codeFolders.invalidate = (folder) => asked.push(folder) > 0 && told(folder);
  tellOfFile("changed", "/window/tool/package.json");
  expect([changes, asked]).toEqual([before, []]);
});

test("a package of several projects is code of the one that it imports where it sets its translations up", async () => {
  manifests = {
    texts: manifest("texts", "i18next"),
    more: manifest("more", "i18next"),
    web: manifest("web", "texts", "more"),
  };
  setup = [`import more from "more";\n`, `import { nl } from "more/nl";\n`];
  const [texts, more] = [projectAt("texts"), projectAt("more")];
  await assign(texts, more);
  expect([texts, more].map(foldersOf)).toEqual([[], ["../web /window/web"]]);
  expect([texts.usesTextsOf, more.usesTextsOf]).toEqual([[], [texts]]);
  expect([reads, limits]).toEqual([
    ["/window manifests", "/window/web setup"],
    [500, 30],
  ]);
});

test("the folders that a project file includes are its code, and then no packages are", async () => {
  manifests = { texts: manifest("texts", "i18next"), web: manifest("web", "texts") };
  const texts = projectAt("texts", "**/*.ts", "../scripts/**/*.ts");
  await assign(texts, projectAt("other"));
  expect(foldersOf(texts)).toEqual(["../scripts /window/scripts"]);
});

test("a project at the root of its folder is one of that, and each folder has its own packages", async () => {
  workspace.workspaceFolders = ["/window", "/second"].map((path) => ({ uri: Uri.file(path), name: path }));
  manifests = { texts: manifest("texts", "i18next"), web: manifest("web", "texts") };
  const [texts, whole] = [projectAt("texts"), { ...projectAt(""), root: Uri.file("/second") }];
  await assign(texts, whole);
  expect([texts, whole].map(foldersOf)).toEqual([["../web /window/web"], []]);
  // That one has the code of all of its folder anyway.
  expect(reads).toEqual(["/window manifests"]);
  const second = { ...projectAt("texts"), root: Uri.file("/second/texts") };
  await assign(texts, second);
  expect([texts, second].map(foldersOf)).toEqual([["../web /window/web"], ["../web /second/web"]]);
});

test("a project at the root of the window's folder uses the texts of those below that its package depends on", async () => {
  manifests = { "": manifest("whole", "texts"), texts: manifest("texts", "i18next") };
  const [whole, texts] = [{ ...projectAt(""), root: Uri.file("/window") }, projectAt("texts")];
  await assign(whole, texts);
  expect([whole.usesTextsOf, texts.usesTextsOf]).toEqual([[texts], []]);
});

test("code to which a link leads outside of the window is nobody's, and files are read in the folders alone", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const at = (...names: readonly string[]) => join(folder.path, ...names);
  for (const name of ["window/texts", "window/web", "outside"]) await mkdir(at(name), { recursive: true });
  await symlink(at("outside"), at("window/link"));
  workspace.workspaceFolders = [{ uri: Uri.file(at("window")), name: "window" }];
  manifests = {
    texts: manifest("texts", "i18next"),
    web: manifest("web", "texts"),
    link: manifest("link", "texts"),
  };
  const texts = { ...projectAt("texts"), root: Uri.file(at("window/texts")) };
  await assign(texts);
  expect(foldersOf(texts)).toEqual([`../web ${at("window/web")}`]);
  const code = new OutsideCode(at("journal"));
  code.folders = texts.code.folders;
  await writeFile(at("window/web/a.ts"), "text");
  expect(code.pathOf(Uri.file(at("window/web/lib/a.ts")) as never)).toBe("../web/lib/a.ts");
  expect(code.pathOf(Uri.file(at("window/website/a.ts")) as never)).toBeNull();
  const bytes = new TextEncoder().encode("text");
  expect(await code.read("../web/a.ts", undefined)).toMatchObject({
    kind: "read",
    bytes,
    stamp: { size: 4 },
  });
  // What is known of it is not looked up again.
  const known = { size: 9, modified: 9 };
  expect(await code.read("../web/a.ts", known)).toMatchObject({ kind: "read", bytes, stamp: known });
  for (const path of ["../website/a.ts", "a.ts"]) expect(code.read(path, undefined)).toBeUndefined();
});

test("manifests that cannot be read are logged, and there is no other code", async () => {
  manifests = { texts: null };
  const texts = projectAt("texts");
  setSetting("files.exclude", { build: true });
  await assign(texts);
  setSetting("files.exclude", undefined);
  expect(reads).toEqual(["/window manifests /build"]);
  expect([foldersOf(texts), log.lines]).toEqual([
    [],
    ["The packages of file:///window could not be read: Error: full disk"],
  ]);
});

test("project files are searched in each folder without what is excluded, and only so many are taken", async () => {
  workspace.workspaceFolders = ["/window", "/second"].map((path) => ({ uri: Uri.file(path), name: path }));
  setSetting("files.exclude", { build: true });
  const found = await findWindowProjectFiles({
    forFolder: (folder: string) => (indexerClient as { forFolder(folder: string): object }).forFolder(folder),
  } as never);
  setSetting("files.exclude", undefined);
  expect(reads).toEqual(["/window vendor/ /build", "/second vendor/ /build"]);
  // Of 70 in each.
  expect(found).toHaveLength(MAX_PROJECTS);
});

test("a project file is read below its folder of the window, or by itself", async () => {
  const folder = await temporaryFolder();
  try {
    await mkdir(join(folder.path, "app"));
    const file = join(folder.path, "app", "project-translations.json");
    expect(await readProjectFileOf(Uri.file(join(folder.path, "app")) as never)).toBe(NO_FILE);
    await writeFile(file, `{ "sourceLocale": "nl" }`);
    for (const folders of [[folder.path], [join(folder.path, "app")], []]) {
      openFolders(folders);
      const read = await readProjectFileOf(Uri.file(join(folder.path, "app")));
      expect(read.file).toMatchObject({ sourceLocale: "nl" });
    }
  } finally {
    openFolders([]);
    await folder.remove();
  }
});
