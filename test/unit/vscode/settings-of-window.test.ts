/** The settings, the language of the window and the conditions of menus, as they change. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Store } from "../../../src/database/store.ts";
import { l10n, language, setLanguage } from "../../../src/util/l10n.ts";
import { contextKey } from "../../../src/vscode/context-keys.ts";
import {
  excludedFiles,
  isAlwaysUtf8,
  isAutoSaveOn,
  Settings,
} from "../../../src/vscode/extension-settings.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import type { Projects } from "../../../src/vscode/projects/project-registry.ts";
import { syncContextKeys } from "../../../src/vscode/update-context-keys.ts";
import { applyLanguage } from "../../../src/vscode/window-language.ts";
import {
  builtInCommands,
  env,
  l10n as l10nOfVsCode,
  openFolders,
  setSetting,
  TextDocument,
  Uri,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const FOLDER = Uri.file("/app") as never;
// A window that closes has no settings.
afterEach(() => openFolders([]));

describe("settings", () => {
  let settings: Settings;
  let changes: number;
  beforeEach(() => {
    settings = new Settings();
    changes = 0;
    settings.onDidChange(() => changes++);
  });
  afterEach(() => settings.dispose());

  test("are those of the manifest, and then what the user sets", () => {
    expect(settings.of(FOLDER)).toMatchObject({
      baseUrl: "",
      "hover.enabled": true,
      "diagnostics.unknownKey": "warning",
      "diagnostics.missingTranslation": "off",
      language: "auto",
      refreshInterval: 300,
    });
    setSetting("projectTranslations.refreshInterval", 5);
    setSetting("projectTranslations.inlayHints.maxLength", 1_000);
    expect(changes).toBe(2);
    expect(settings.of(FOLDER)).toMatchObject({ refreshInterval: 30, "inlayHints.maxLength": 500 });
    // Other settings are of no interest.
    setSetting("editor.fontSize", 20);
    expect(changes).toBe(2);
  });

  test("with a value that is none of the allowed ones are the default", () => {
    setSetting("projectTranslations.hover.enabled", "yes");
    setSetting("projectTranslations.diagnostics.unknownKey", "fatal");
    setSetting("projectTranslations.language", "fr");
    setSetting("projectTranslations.inlayHints.maxLength", "long");
    expect(settings.of()).toMatchObject({
      "hover.enabled": true,
      "diagnostics.unknownKey": "warning",
      language: "auto",
      "inlayHints.maxLength": 60,
    });
  });

  test.each([
    ["the user's, where it is set nowhere", [], 1],
    ["the workspace's", [2], 2],
    ["the folder's", [3], 3],
    ["the folder's, which counts before the workspace's", [2, 3], 3],
  ] as const)("are toggled where they are set: %s", async (_, set, target) => {
    for (const each of set) setSetting("projectTranslations.hover.enabled", true, each);
    await settings.toggle("hover.enabled", FOLDER);
    expect(settings.of(FOLDER)["hover.enabled"]).toBe(false);
    const { globalValue, workspaceValue, workspaceFolderValue } = workspace
      .getConfiguration("projectTranslations")
      .inspect("hover.enabled");
    expect([globalValue, workspaceValue, workspaceFolderValue].indexOf(false) + 1).toBe(target);
    await settings.toggle("hover.enabled", FOLDER);
    expect(settings.of(FOLDER)["hover.enabled"]).toBe(true);
  });

  test("are those of the folder of a file, or of its language; some are the window's", async () => {
    const [own, other] = [Uri.file("/app"), Uri.file("/other")];
    workspace.workspaceFolders = [own, other].map((uri) => ({ uri, name: uri.path }));
    const hints = "projectTranslations.inlayHints.maxLength";
    setSetting(hints, 20, 3, { folder: own });
    setSetting(hints, 30, 1, { language: "vue" });
    setSetting("projectTranslations.refreshInterval", 60, 3, { folder: own });
    const page = new TextDocument(Uri.file("/app/page.vue"), "");
    const scopes = [own, other, Uri.file("/app/page.vue"), page, undefined] as never[];
    expect(scopes.map((scope) => settings.of(scope)["inlayHints.maxLength"])).toEqual([20, 60, 20, 30, 60]);
    page.languageId = "typescript";
    expect(settings.of(page as never)["inlayHints.maxLength"]).toBe(20);
    expect(settings.of(own as never).refreshInterval).toBe(300);
    // What is set for a folder is toggled there.
    setSetting("projectTranslations.hover.enabled", false, 3, { folder: own });
    await settings.toggle("hover.enabled", own);
    await settings.toggle("hover.enabled", other);
    expect([own, other].map((scope) => settings.of(scope as never)["hover.enabled"])).toEqual([true, false]);
  });

  test("of VS Code are those of the folder", () => {
    const other = Uri.file("/other") as never;
    workspace.workspaceFolders = [FOLDER, other].map((uri) => ({ uri, name: "" }));
    const scope = { folder: FOLDER };
    const all = (folder: never) => [isAlwaysUtf8(folder), isAutoSaveOn(folder), excludedFiles(folder)];
    setSetting("files.autoSave", "onFocusChange", 3, scope);
    setSetting("files.exclude", { build: true }, 3, scope);
    setSetting("files.encoding", "utf16le", 3, scope);
    expect(all(FOLDER)).toEqual([false, true, ["/build"]]);
    expect(all(other)).toEqual([true, false, []]);
  });

  test.each(["encoding", "autoGuessEncoding"])(
    "a %s that is set for a language may be that of any file",
    (name) => {
      expect(isAlwaysUtf8(FOLDER)).toBe(true);
      setSetting(`files.${name}`, name === "encoding" ? "utf8" : false, 1, { language: "properties" });
      expect(isAlwaysUtf8(FOLDER)).toBe(false);
    },
  );

  test("of VS Code say which files are none, how they are encoded, and whether they are saved by themselves", () => {
    expect([isAlwaysUtf8(FOLDER), isAutoSaveOn(FOLDER)]).toEqual([true, false]);
    setSetting("files.autoGuessEncoding", true);
    expect(isAlwaysUtf8(FOLDER)).toBe(false);
    setSetting("files.autoGuessEncoding", false);
    setSetting("files.encoding", "windows1252");
    expect(isAlwaysUtf8(FOLDER)).toBe(false);
    setSetting("files.autoSave", "afterDelay");
    expect(isAutoSaveOn(FOLDER)).toBe(true);
    setSetting("files.exclude", {
      "**/.git": true,
      "/dist": true,
      build: true,
      "**/*.js": { when: "$(basename).ts" },
      "**/tmp": false,
    });
    expect(excludedFiles(FOLDER)).toEqual(["**/.git", "/dist", "/build"]);
  });
});

describe("the language of messages", () => {
  const DUTCH = new URL("../../../l10n/bundle.l10n.nl.json", import.meta.url).pathname;
  afterEach(() => {
    env.language = "en";
    setLanguage("en", {});
    Object.assign(l10nOfVsCode, { bundle: undefined });
  });

  test.each([
    ["auto", "en", "en"],
    ["auto", "nl", "nl"],
    ["auto", "nl-BE", "nl"],
    ["auto", "nlx", "en"],
    ["auto", "de", "en"],
    ["en", "nl", "en"],
    ["nl", "en", "nl"],
  ] as const)("set to %s in an editor in %s, it is %s", (setting, display, expected) => {
    env.language = display;
    applyLanguage(setting, DUTCH);
    expect(language()).toBe(expected);
    expect(l10n.t("Untranslated ({0})", 2)).toBe(expected === "nl" ? "Onvertaald (2)" : "Untranslated (2)");
  });

  test("is that of VS Code's own messages where it has loaded them, and then English again", () => {
    env.language = "nl";
    Object.assign(l10nOfVsCode, { bundle: { "Sign In": "van VS Code" } });
    applyLanguage("auto", "/nowhere");
    expect(l10n.t("Sign In")).toBe("van VS Code");
    applyLanguage("en", "/nowhere");
    expect(l10n.t("Sign In")).toBe("Sign In");
  });
});

describe("the conditions of menus", () => {
  const languages = (...counts: readonly number[]) => ({
    languages: counts.map((totalKeys) => ({ totalKeys })),
  });
  const project = (kind: string, more: object = {}) => ({
    session: { kind },
    source: { refusal: "signed-out", hasService: false, isKnown: false },
    stats: null,
    freshness: { kind: "never" },
    ...more,
  });
  const signedIn = (refusal: string | null, more: object = {}) =>
    project("signed-in", { source: { refusal, hasService: true, isKnown: true }, ...more });

  const store = new Store<object>();
  afterEach(() => {
    workspace.isTrusted = true;
    workspace.workspaceFolders = undefined;
  });

  /** Returns the values for the projects of a window. */
  function keysOf(...all: readonly object[]): readonly unknown[] {
    const projects = {
      all: all as readonly OpenProject[],
      whenReady: (work: () => void) => work(),
    } as unknown as Projects;
    const synced = syncContextKeys(projects, store);
    synced.dispose();
    return (["state", "canWrite", "local", "empty", "unreachable"] as const).map(contextKey);
  }

  test("without a project, in a window with a folder and without", () => {
    expect(keysOf()).toEqual(["no-project", false, false, false, false]);
    workspace.workspaceFolders = [{ uri: Uri.file("/app"), name: "app" }];
    expect(keysOf()).toEqual(["signed-out", false, false, false, false]);
    workspace.isTrusted = false;
    expect(keysOf(project("signed-in"))[0]).toBe("untrusted");
  });

  test("with one project", () => {
    expect(keysOf(project("unknown"))).toEqual(["unknown", false, false, false, false]);
    const files = { source: { refusal: "signed-out", hasService: false, isKnown: true } };
    expect(keysOf(project("signed-out", files))).toEqual(["signed-out", false, true, false, false]);
    expect(keysOf(signedIn(null))).toEqual(["signed-in", true, false, false, false]);
    expect(keysOf(signedIn("read-only"))).toEqual(["signed-in", false, false, false, false]);
    const refused = (reason: string) => project("refused", { session: { kind: "refused", reason } });
    expect(keysOf(refused("archived"))[0]).toBe("archived");
    expect(keysOf(refused("unauthorized"))[0]).toBe("refused");
  });

  test("with a project without keys, and one that could not be reached before anything was read", () => {
    expect(keysOf(signedIn(null, { stats: languages(0, 0) }))[3]).toBe(true);
    expect(keysOf(signedIn(null, { stats: languages(0, 2) }))[3]).toBe(false);
    const offline = { freshness: { kind: "offline" } };
    expect(keysOf(signedIn(null, offline))[4]).toBe(true);
    expect(keysOf(signedIn(null, { ...offline, stats: languages(2) }))[4]).toBe(false);
  });

  test("with several projects", () => {
    const out = project("signed-out");
    expect(keysOf(out, out).slice(0, 2)).toEqual(["signed-out", false]);
    expect(keysOf(out, signedIn(null)).slice(0, 2)).toEqual(["several", true]);
    // What is true of one of them.
    const files = project("signed-out", {
      source: { refusal: "signed-out", hasService: false, isKnown: true },
    });
    expect(keysOf(files, signedIn(null), signedIn("read-only")).slice(0, 3)).toEqual(["several", true, true]);
    // What is only known of one project is not said of several.
    const empty = signedIn(null, { stats: languages(0) });
    expect(keysOf(empty, empty).slice(3)).toEqual([false, false]);
  });

  test("follow what changes, and are set only then", async () => {
    const all = [project("unknown")];
    const projects = { all, whenReady: (work: () => void) => work() } as unknown as Projects;
    const synced = syncContextKeys(projects, store);
    builtInCommands.length = 0;
    all[0] = signedIn(null);
    store.changed(all[0] ?? null, "session");
    await waitUntil(() => contextKey("state") === "signed-in");
    expect(builtInCommands).toEqual([
      ["setContext", "projectTranslations.state", "signed-in"],
      ["setContext", "projectTranslations.canWrite", true],
    ]);
    all[0] = signedIn(null, { stats: languages(0) });
    store.changed(all[0] ?? null, "stats");
    await waitUntil(() => contextKey("empty") === true);
    all.push(project("signed-out"));
    store.changed(null, "projects");
    await waitUntil(() => contextKey("state") === "several");
    synced.dispose();
  });
});
