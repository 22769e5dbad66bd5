/** Which projects a window has, and what they are, while files, folders, settings and sign-ins change. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, test } from "vitest";
import { findUnusedCommand } from "../../../src/commands/declarations/key-commands.ts";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import {
  refreshCommand,
  setSourceLanguageCommand,
  signInCommand,
  signOutCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { showDiagnosisCommand } from "../../../src/commands/declarations/window-commands.ts";
import { startService } from "../../../src/local-service/start-service.ts";
import { DUTCH_SHOP } from "../support/fixture-project.ts";
import { contextKey } from "../../../src/vscode/context-keys.ts";
import { contextKeyIs, type Editor, openEditor } from "../support/open-editor.ts";
import {
  loseFileEvents,
  messages,
  openFolders,
  pickInNextList,
  setSetting,
  statusBarItems,
  trustGranted,
  views,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let editor: Editor;
afterEach(() => editor.close());

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const MANIFEST = json({ dependencies: { i18next: "^23.0.0" } });
const layout = (path: string, more: object = {}): string =>
  json({ files: [{ path, format: "json_js" }], sourceLocale: "en", ...more });
const SERVICE = { ...DUTCH_SHOP, type: "i18next" };

/** Returns the keys of the project of a folder, as a command lists them now. */
async function keys(folder?: string): Promise<readonly string[] | string> {
  const options = folder === undefined ? {} : { folder: editor.uri(folder).fsPath };
  const result = await editor.run(listKeysCommand, options);
  if (result.outcome === "failed") return result.error.code;
  return (result as { keys?: readonly { key: string }[] }).keys?.map(({ key }) => key) ?? [];
}
/** Returns what the diagnosis says of a project. */
async function diagnosis(name: string): Promise<string | undefined> {
  const { text = "" } = (await editor.run(showDiagnosisCommand, {})) as { readonly text?: string };
  return new RegExp(`^- ${name}: (.*)$`, "mu").exec(text)?.[1];
}
/** Returns how many keys the caches have that are not empty. */
async function keysStored(): Promise<readonly number[]> {
  const folder = join(editor.stored.folder, "projects");
  const counts = (await readdir(folder)).map((name) => {
    const database = new DatabaseSync(join(folder, name, "project.db"), { readOnly: true });
    const { count } = database.prepare("SELECT count(*) AS count FROM keys").get() as { count: number };
    database.close();
    return count;
  });
  return counts.filter((count) => count > 0);
}
const status = () => statusBarItems.get("projectTranslations.status")?.text;

describe("a project file", () => {
  test("makes a folder a project, and is followed as it changes, and when it is gone", async () => {
    editor = await openEditor({
      files: {
        "package.json": MANIFEST,
        "texts/en.json": `{ "a": "A" }`,
        "other/en.json": `{ "b": "B" }`,
        "both/en.json": `{ "a": "A", "b": "B" }`,
      },
    });
    expect(await keys()).toEqual([]);
    await editor.write("project-translations.json", layout("texts/{locale}.json"));
    await waitUntil(async () => (await keys()).includes("a"));
    await editor.write("project-translations.json", layout("other/{locale}.json"));
    expect(await keys()).toEqual(["b"]);
    const languages = () => editor.rows("languages");
    await waitUntil(async () => (await languages()).includes("English (en) | source, 1 key"));
    // Nobody runs a command.
    await editor.write("project-translations.json", layout("both/{locale}.json"));
    await waitUntil(async () => (await languages()).includes("English (en) | source, 2 keys"));
    await editor.write("both/en.json", `{ "a": "A", "b": "B", "c": "C" }`);
    await waitUntil(async () => (await languages()).includes("English (en) | source, 3 keys"));
    await rm(join(editor.folder, "project-translations.json"));
    await waitUntil(async () => (await keys()).length === 0);
  });

  test("in a folder below takes its files from the project around it", async () => {
    editor = await openEditor({
      files: {
        "package.json": MANIFEST,
        "project-translations.json": layout("{namespace}/locales/{locale}.json"),
        "b/locales/en.json": `{ "outer": "O" }`,
        "a/locales/en.json": `{ "inner": "I" }`,
        "a/src/a.ts": "",
      },
    });
    expect((await keys()).toString()).toBe("inner,outer");
    await editor.write("a/project-translations.json", layout("locales/{locale}.json"));
    await waitUntil(async () => (await keys("a/src")).toString() === "inner");
    await waitUntil(async () => (await keys("b")).toString() === "outer");
    await rm(join(editor.folder, "a/project-translations.json"));
    // Nobody runs a command.
    await waitUntil(async () => (await editor.rows("languages")).includes("English (en) | source, 2 keys"));
    expect(new Set(await keys("a/src"))).toEqual(new Set(["inner", "outer"]));
  });
});

describe("the folders of a window", () => {
  const FILES = {
    "one/package.json": MANIFEST,
    "one/project-translations.json": layout("locales/{locale}.json"),
    "one/locales/en.json": `{ "first": "1" }`,
    "two/package.json": MANIFEST,
    "two/project-translations.json": layout("locales/{locale}.json"),
    "two/locales/en.json": `{ "second": "2" }`,
    "three/notes.txt": "",
    "one/src/a.ts": `import i18next from "i18next";\ni18next.t("firts");\n`,
  };
  const open = (...folders: readonly string[]): void =>
    openFolders(folders.map((path) => join(editor.folder, path)));

  test("that are replaced are no longer those of a command that comes at once", async () => {
    editor = await openEditor({ files: FILES, folders: ["one"] });
    await editor.show("one/locales/en.json");
    expect(await keys()).toEqual(["first"]);
    await waitUntil(() => editor.problems("one/src/a.ts").length === 1);
    open("two");
    expect(await keys()).toEqual(["second"]);
    await waitUntil(() => editor.problems("one/src/a.ts").length === 0);
    expect(await keys("one/locales")).toBe("no_project");
    open("one", "two");
    expect(await keys("one/locales")).toEqual(["first"]);
    expect(await keys("two/locales")).toEqual(["second"]);
  });

  test("decide together: the project of the active editor, of the last one, or the one that is chosen", async () => {
    editor = await openEditor({ files: FILES, folders: ["one", "two", "three"] });
    expect(await keys()).toBe("no_project");
    // The status bar is about the first one.
    const folder = editor.uri("one").toString();
    await waitUntil(() => statusBarItems.get("projectTranslations.status")?.isShown === true);
    expect(statusBarItems.get("projectTranslations.status")?.command?.arguments).toEqual([{ folder }]);
    pickInNextList((items) => {
      expect(items.map(({ label }) => label)).toEqual(["one", "two"]);
      return items[1];
    });
    expect(await editor.ask(listKeysCommand, {})).toMatchObject({ keys: [{ key: "second" }] });
    await editor.show("one/locales/en.json");
    expect(await keys()).toEqual(["first"]);
    await editor.show("three/notes.txt");
    expect(await keys()).toBe("no_project");
    expect(views.get("projectTranslations.languages")?.description).toBe("");
    open("two", "three");
    expect(await keys()).toEqual(["second"]);
    await waitUntil(() => views.get("projectTranslations.languages")?.description === "local files");
    // What is shown of a project goes with it.
    await editor.ask(findUnusedCommand, {});
    await waitUntil(() => statusBarItems.get("projectTranslations.status")?.isShown === true);
    expect([(await editor.rows("usage")).length > 0, contextKey("usageReport")]).toEqual([true, true]);
    open("three");
    await contextKeyIs("usageReport", false);
    expect(await editor.rows("usage")).toEqual([]);
    await waitUntil(() => statusBarItems.get("projectTranslations.status")?.isShown === false);
  });

  test("without any project ask for one of them, and without a folder say so", async () => {
    editor = await openEditor({ files: { "a/x.txt": "", "b/x.txt": "" }, folders: ["a", "b"] });
    expect(await keys()).toBe("no_project");
    pickInNextList("b");
    expect(await editor.ask(listKeysCommand, {})).toMatchObject({ outcome: "done", keys: [] });
    // It is a project now, also when the folders are searched again.
    expect(await keys()).toEqual([]);
    open("b", "a");
    expect(await keys()).toEqual([]);
    expect(await keys("a")).toEqual([]);
  });
});

test("a command finds new apps in each folder of the window, also if no event told of them", async () => {
  const app = (folder: string, text: string) => ({
    [`${folder}/package.json`]: MANIFEST,
    [`${folder}/locales/en.json`]: text,
    [`${folder}/locales/nl.json`]: "{}",
  });
  editor = await openEditor({
    files: {
      ...app("one", `{ "first": "1", "second": "2", "third": "3" }`),
      ...app("two/packages/a", `{ "a": "A" }`),
      ...app("three/packages/a", `{ "a": "A" }`),
    },
    folders: ["one", "two", "three"],
  });
  const unused = async () => {
    const found = (await editor.run(findUnusedCommand, { folder: editor.uri("one").fsPath })) as {
      readonly unused?: readonly { readonly key: string }[];
    };
    return found.unused?.map(({ key }) => key);
  };
  expect(await unused()).toEqual(["first", "second", "third"]);
  loseFileEvents();
  for (const [folder, used] of [
    ["two/packages/b", "first"],
    ["three/packages/b", "second"],
  ] as const) {
    const code = `import i18next from "i18next";\ni18next.t("${used}");\n`;
    const files = Object.entries({ ...app(folder, `{ "own": "Own" }`), [`${folder}/src/a.ts`]: code });
    for (const [path, text] of files) await editor.write(path, text);
  }
  expect(await unused()).toEqual(["third"]);
  expect(await keys("three/packages/b")).toEqual(["own"]);
});

describe("without a project file", () => {
  const FILES = {
    "package.json": MANIFEST,
    "locales/en.json": `{ "title": "Title" }`,
    "locales/nl.json": `{ "title": "Titel" }`,
  };

  test("layouts are recognised, and again when files of other ones come and go", async () => {
    editor = await openEditor({ files: FILES });
    expect(await keys()).toEqual(["title"]);
    await editor.write("src/i18n/en/shop.json", `{ "name": "Shop" }`);
    await editor.write("src/i18n/nl/shop.json", `{ "name": "Winkel" }`);
    await waitUntil(async () => (await editor.rows("languages")).includes("English (en) | source, 2 keys"));
    expect(await keys()).toEqual(["title", "name"]);
    await rm(join(editor.folder, "src"), { recursive: true });
    await waitUntil(async () => (await editor.rows("languages")).includes("English (en) | source, 1 key"));
  });

  test("the source language is that of the framework's configuration, as that changes and goes", async () => {
    editor = await openEditor({ files: FILES });
    const sourceIs = (name: string): Promise<void> =>
      waitUntil(async () =>
        (await editor.rows("languages")).some((row) => row.startsWith(`${name} | source`)),
      );
    await sourceIs("English (en)");
    const configuration = "next-i18next.config.js";
    await editor.write(configuration, `module.exports = { i18n: { defaultLocale: "nl" } };\n`);
    await sourceIs("Nederlands (nl)");
    await editor.write(configuration, `module.exports = { i18n: { defaultLocale: "en" } };\n`);
    await editor.write("locales/nl.json", `{ "title": "Kop" }`);
    await sourceIs("English (en)");
    // A command reads it again where no event told of it.
    loseFileEvents();
    await editor.write(configuration, `module.exports = { i18n: { defaultLocale: "nl" } };\n`);
    await editor.run(findUnusedCommand, {});
    await sourceIs("Nederlands (nl)");
  });

  test("a file that is opened is read, also if no event told of it: of a known layout, and of a new one", async () => {
    editor = await openEditor({ files: FILES });
    await waitUntil(async () => (await editor.rows("languages")).some((row) => row.startsWith("Nederlands")));
    loseFileEvents();
    await editor.write("locales/de.json", `{ "title": "Titel" }`);
    await editor.show("locales/de.json");
    await waitUntil(async () => (await editor.rows("languages")).some((row) => row.startsWith("Deutsch")));
    for (const locale of ["en", "nl"])
      await editor.write(`src/i18n/${locale}/shop.json`, `{ "name": "Shop" }`);
    await editor.show("src/i18n/en/shop.json");
    await waitUntil(async () => (await editor.rows("languages")).includes("English (en) | source, 2 keys"));
  });

  test("an app whose texts are gone by the time of a command is no project any more", async () => {
    const app = (name: string) => ({
      [`packages/${name}/package.json`]: MANIFEST,
      [`packages/${name}/locales/en.json`]: `{ "${name}": "${name}" }`,
      [`packages/${name}/locales/nl.json`]: "{}",
    });
    editor = await openEditor({ files: { ...app("a"), ...app("b") } });
    expect(await keys("packages/b")).toEqual(["b"]);
    await rm(join(editor.folder, "packages/b/locales"), { recursive: true });
    const folder = editor.uri("packages/b").fsPath;
    expect(await editor.run(findUnusedCommand, { folder })).toMatchObject({ error: { code: "no_project" } });
    expect(await keys("packages/a")).toEqual(["a"]);
  });

  test("the source language is chosen for this machine, and stays when the window is opened again", async () => {
    editor = await openEditor({ files: FILES });
    expect(await editor.run(setSourceLanguageCommand, { locale: "nl" })).toMatchObject({ outcome: "done" });
    const isDutch = async (): Promise<boolean> =>
      (await editor.rows("languages")).some((row) => row.startsWith("Nederlands (nl) | source"));
    await waitUntil(isDutch);
    await expect(editor.read("project-translations.json")).rejects.toThrow("ENOENT");
    await editor.reload();
    expect(await keys()).toEqual(["title"]);
    await waitUntil(isDutch);
  });

  test("the source language is written into the project file, if there is one", async () => {
    editor = await openEditor({
      files: { ...FILES, "project-translations.json": layout("locales/{locale}.json") },
    });
    expect(await editor.run(setSourceLanguageCommand, { locale: "nl" })).toMatchObject({ outcome: "done" });
    expect(JSON.parse(await editor.read("project-translations.json"))).toMatchObject({ sourceLocale: "nl" });
    await waitUntil(async () =>
      (await editor.rows("languages")).some((row) => row.startsWith("Nederlands (nl) | source")),
    );
  });
});

describe("sign-ins", () => {
  const FILES = { "package.json": MANIFEST, "locales/en.json": `{ "title": "Title" }` };
  test("in another window count here, too: out, and then in again", async () => {
    editor = await openEditor({ files: FILES, service: SERVICE });
    await contextKeyIs("state", "signed-in");
    const { secrets } = editor.stored;
    const name = secrets.keys().find((each) => each.startsWith("token.")) ?? "";
    const saved = (await secrets.get(name)) ?? "";
    await secrets.delete(name);
    await waitUntil(() => status() === "$(globe) Translations: local files");
    await contextKeyIs("state", "signed-out");
    // Of another folder.
    await secrets.store(`${name}0`, saved);
    expect(await diagnosis("Session")).not.toContain("Shop");
    await secrets.store(name, saved);
    await contextKeyIs("state", "signed-in");
    expect(await diagnosis("Session")).toContain("Shop");
  });

  test("stay when the window is opened again, also of a folder without texts, until somebody signs out", async () => {
    editor = await openEditor({ files: { "notes.txt": "" }, service: SERVICE });
    const value = { namespace: "cart", key: "title", value: "Cart" };
    await editor.request("POST", "/keys/sync", { keys: [value], archive: [] });
    await editor.reload();
    await editor.run(refreshCommand, {});
    await contextKeyIs("state", "signed-in");
    expect(await diagnosis("Session")).toBe("Shop (shop), reading and writing");
    expect(messages).toEqual([]);
    expect(await keysStored()).toEqual([1]);
    expect(await editor.run(signOutCommand, {})).toEqual({ outcome: "done" });
    expect(await keysStored()).toEqual([]);
    // It was only known by the sign-in.
    expect(await diagnosis("Base URL")).not.toMatch(/^http/u);
  });

  test("with another token of the same project go on with that one", async () => {
    editor = await openEditor({ files: FILES, service: SERVICE });
    const { baseUrl = "", token = "", readToken = "" } = editor.service ?? {};
    await contextKeyIs("canWrite", true);
    await editor.run(signInCommand, { baseUrl, token: readToken });
    await contextKeyIs("canWrite", false);
    expect(await diagnosis("Session")).toBe("Shop (shop), read-only");
    await editor.run(signInCommand, { baseUrl, token });
    await contextKeyIs("canWrite", true);
  });

  test("at another base URL than that of the project file count until the file has another one", async () => {
    editor = await openEditor({
      files: { ...FILES, "project-translations.json": layout("locales/{locale}.json") },
      service: SERVICE,
      indexingProcess: true,
    });
    const { baseUrl } = editor.service ?? { baseUrl: "" };
    expect(await diagnosis("Base URL")).toBe(baseUrl);
    const other = "http://127.0.0.1:1/v1";
    // What the service has is kept for when the folder is signed in to there again.
    await editor.request("POST", "/keys/sync", {
      keys: [{ namespace: "cart", key: "title", value: "Cart" }],
      archive: [],
    });
    await editor.run(refreshCommand, {});
    expect(await keysStored()).toEqual([1]);
    await editor.write("texts/en.json", `{ "other": "Other", "more": "More" }`);
    await editor.write("project-translations.json", layout("texts/{locale}.json", { baseUrl: other }));
    await contextKeyIs("state", "signed-out");
    // Nobody runs a command.
    await waitUntil(async () => (await editor.rows("languages")).includes("English (en) | source, 2 keys"));
    expect(await diagnosis("Base URL")).toBe(other);
    expect(await keys()).toEqual(["other", "more"]);
    expect(new Set(await keysStored())).toEqual(new Set([1, 2]));
    // As it was when somebody signed in.
    await editor.write("project-translations.json", layout("locales/{locale}.json"));
    await contextKeyIs("state", "signed-in");
    expect(await diagnosis("Base URL")).toBe(baseUrl);
  });

  test("are for the base URL of the setting where the project file has none", async () => {
    editor = await openEditor({ files: FILES });
    expect(await diagnosis("Base URL")).not.toMatch(/^http/u);
    setSetting("projectTranslations.baseUrl", "http://127.0.0.1:1/v1");
    await waitUntil(async () => (await diagnosis("Base URL")) === "http://127.0.0.1:1/v1");
    // That of the folder.
    const scope = { folder: editor.uri(".") };
    setSetting("projectTranslations.baseUrl", "http://127.0.0.1:2/v1", 3, scope);
    await waitUntil(async () => (await diagnosis("Base URL")) === "http://127.0.0.1:2/v1");
    setSetting("projectTranslations.baseUrl", undefined, 3, scope);
    setSetting("projectTranslations.baseUrl", "no address");
    await waitUntil(async () => (await diagnosis("Base URL")) !== "http://127.0.0.1:1/v1");
  });

  test("are not used in a folder that is not trusted, and then are", async () => {
    editor = await openEditor({ files: FILES, service: SERVICE });
    await editor.reload(async () => {
      workspace.isTrusted = false;
    });
    await contextKeyIs("state", "untrusted");
    expect(await diagnosis("Session")).not.toContain("Shop");
    workspace.isTrusted = true;
    trustGranted.fire();
    await contextKeyIs("state", "signed-in");
  });

  test("with a token of another project show that one", async () => {
    editor = await openEditor({ files: FILES, service: SERVICE });
    await editor.write("../blog.json", json({ ...SERVICE, slug: "blog", name: "Blog" }));
    const other = await startService({ project: join(editor.folder, "../blog.json") });
    try {
      const { baseUrl, token: next } = other;
      expect(await editor.run(signInCommand, { baseUrl, token: next })).toMatchObject({
        outcome: "done",
        project: { slug: "blog" },
      });
      expect(await diagnosis("Session")).toBe("Blog (blog), reading and writing");
      expect(await diagnosis("Base URL")).toBe(baseUrl);
      await editor.reload();
      await contextKeyIs("state", "signed-in");
      expect(await diagnosis("Session")).toBe("Blog (blog), reading and writing");
    } finally {
      await other.stop();
    }
  });
});
