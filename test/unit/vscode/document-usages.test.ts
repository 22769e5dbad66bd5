/** Usages in open documents: of which text, options and project they are, and what is remembered of frameworks. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { usageLanguageFor } from "../../../src/scanners/supported-source-languages.ts";
import { keyHash, type KeyName } from "../../../src/model/key-hash.ts";
import { KeyNames } from "../../../src/database/key-name-repository.ts";
import { UsageRepository } from "../../../src/database/key-usage-repository.ts";
import { DocumentUsages } from "../../../src/vscode/usages/document-usages.ts";
import { createKeyDatabase } from "../support/key-database.ts";
import { recordingLog } from "../support/node-platform.ts";
import {
  EventEmitter,
  Position,
  Range,
  tellOfFile,
  TextDocument,
  Uri,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const key = (namespace: string, name: string): KeyName => ({ namespace, key: name, context: null });
type Project = ReturnType<typeof projectAt>;
let all: Project[];
let stored: Map<string, unknown>;
let changed: Project[];
/** The dependencies that the manifest of each project names. */
let dependencies: readonly string[];
/** Code with options of the framework; `null`: none. */
let configuration: string | null;
/** The projects whose manifests were read. */
let reads: string[];
let usages: DocumentUsages;
const changedProjects = new EventEmitter<void>();
const log = recordingLog();

function projectAt(name: string, ...keys: readonly KeyName[]) {
  const root = Uri.file(`/projects/${name}`);
  const database = createKeyDatabase(keys.map((each) => ({ ...each, hash: keyHash(each) })));
  const read = async () => {
    reads.push(name);
    if (dependencies.includes("broken")) throw new Error("full disk");
    const named = Object.fromEntries(dependencies.map((each) => [each, "*"]));
    if (dependencies.includes("laravel"))
      return [{ path: "composer.json", text: `{ "require": { "laravel/framework": "^11.0" } }` }];
    if (dependencies.includes("django")) return [{ path: "requirements.txt", text: "Django==5.0\n" }];
    const options = configuration === null ? [] : [{ path: "src/i18n.ts", text: configuration }];
    return [{ path: "package.json", text: JSON.stringify({ dependencies: named }) }, ...options];
  };
  return {
    root,
    file: {} as Record<string, unknown>,
    keyNames: new KeyNames(database),
    usesTextsOf: [],
    connection: { database },
    codePath: ({ path }: Uri) => (path.startsWith(`${root.path}/`) ? path.slice(root.path.length + 1) : null),
    conventionFiles: async () => ({ read, above: [], name }),
  };
}
const open = (): DocumentUsages =>
  new DocumentUsages(
    {
      get all() {
        return all;
      },
      of: ({ path }: Uri) => all.find(({ root }) => path.startsWith(`${root.path}/`)),
      onDidChange: changedProjects.event,
    } as never,
    {
      get: (name: string) => stored.get(name),
      update: async (name: string, value: unknown) => void stored.set(name, value),
    } as never,
    log,
  );
beforeEach(async () => {
  [all, stored, changed, dependencies, reads] = [[projectAt("shop")], new Map(), [], ["i18next"], []];
  configuration = null;
  log.lines.length = 0;
  usages = open();
  usages.onDidChange((each) => void changed.push(each as unknown as Project));
  await usages.ready(shop());
});
afterEach(() => {
  usages.dispose();
  workspace.textDocuments = [];
  workspace.workspaceFolders = undefined;
});

const shop = () => all[0] as never;
const documentAt = (path: string, text: string) => new TextDocument(Uri.file(path), text);
const keysIn = (document: TextDocument): readonly unknown[] =>
  usages.usagesIn(document as never).map(({ expression }) => (expression as { key?: string }).key);
const CODE = `import i18next from "i18next";\ni18next.t("title");\n`;

test("usages are those of the text, the options and the project as they are now", async () => {
  const document = documentAt("/projects/shop/a.ts", CODE);
  const first = usages.usagesIn(document as never);
  expect(keysIn(document)).toEqual(["title"]);
  // Nothing has changed.
  expect(usages.usagesIn(document as never)).toBe(first);
  document.type(new Range(1, 11, 1, 16), "name");
  expect(keysIn(document)).toEqual(["name"]);
  document.type(new Range(2, 0, 2, 0), `say("hello");\n`);
  expect(keysIn(document)).toEqual(["name"]);
  Object.assign(all[0] ?? {}, { file: { usage: { functions: [{ name: "say", key: 0 }] } } });
  expect(keysIn(document)).toEqual(["name", "hello"]);
  Object.assign(all[0] ?? {}, { file: {} });
  expect(keysIn(document)).toEqual(["name"]);
  expect(keysIn(documentAt("/elsewhere/a.ts", CODE))).toEqual([]);
  expect(keysIn(documentAt("/projects/shop/a.md", CODE))).toEqual([]);
});

test("of nested usages the innermost is the one at a place, and none is beside them", () => {
  const text = 'import i18next from "i18next";\ni18next.t(`menu.${i18next.t("name")}`);\n';
  const document = documentAt("/projects/shop/a.ts", text);
  const at = (words: string) => {
    const [before = "", after = ""] = words.split("|");
    const offset = text.indexOf(before + after) + before.length;
    return usages.usageAt(document as never, document.positionAt(offset) as never)?.use.expression;
  };
  expect(at('t("na|me")')).toMatchObject({ kind: "static", key: "name" });
  expect(at("t(`me|nu")).toMatchObject({ kind: "pattern" });
  // Its quotes belong to it, and what is beside them does not.
  for (const words of ['t(|"name"', '"name"|)']) expect(at(words)).toMatchObject({ key: "name" });
  expect([at("t(|`menu"), at("`menu.|$")].map((each) => each?.kind)).toEqual(["pattern", "pattern"]);
  for (const words of ["|t(`menu", "`);|", "import i18n|ext"]) expect(at(words)).toBeUndefined();
  const shown = usages.usageAt(document as never, new Position(1, 13) as never);
  expect(shown?.open).toBe(all[0]);
  // The key of the outer one may be after the inner one.
  Object.assign(all[0] ?? {}, { file: { usage: { functions: [{ name: "say", key: 1 }] } } });
  const later = documentAt(
    "/projects/shop/b.ts",
    'import i18next from "i18next";\nsay(i18next.t("title"), "hello");\n',
  );
  const keyAt = (character: number) =>
    usages.usageAt(later as never, new Position(1, character) as never)?.use.expression;
  expect([keyAt(16), keyAt(27)]).toMatchObject([{ key: "title" }, { key: "hello" }]);
});

test("values of a constant are usages at the same place, others are not", () => {
  const text = `import i18next from "i18next";
const name = wide ? "first" : "second";
i18next.t(name); i18next.t("title");
`;
  const document = documentAt("/projects/shop/a.ts", text);
  const [first, ...others] = usages.usagesIn(document as never);
  if (first === undefined) throw new Error("there are usages");
  expect(others.length).toBeGreaterThan(0);
  const same = usages.usagesWith(document as never, first);
  expect(same.map(({ keySpan }) => keySpan)).toEqual(same.map(() => first.keySpan));
  const last = others.at(-1);
  expect(last && usages.usagesWith(document as never, last)).toEqual([last]);
});

test("what is detected is remembered, used at once in the next window, and detected again there", async () => {
  const component = documentAt("/projects/shop/a.vue", `<template>{{ $t("title") }}</template>\n`);
  const detect = async (name: string): Promise<void> => {
    dependencies = [name];
    changedProjects.fire();
    await usages.ready(shop());
  };
  const { connection } = all[0] ?? projectAt("shop");
  const separator = () => (connection as { readonly namespaceSeparator?: string }).namespaceSeparator;
  expect(separator()).toBe(":");
  await detect("django");
  expect(keysIn(component)).toEqual([]);
  changed.length = 0;
  await detect("vue-i18n");
  expect([keysIn(component), changed]).toEqual([["title"], [all[0]]]);
  // Keys are spelled as the code of this framework does.
  expect(separator()).toBe(".");
  usages.dispose();
  all = [projectAt("shop")];
  dependencies = ["broken"];
  usages = open();
  expect(keysIn(component)).toEqual(["title"]);
  expect(all[0]?.connection).toMatchObject({ namespaceSeparator: "." });
  expect([...usages.findOptions(shop()).frameworks]).toEqual(["vue-i18n"]);
  await usages.ready(shop());
  expect(log.lines).toEqual([
    "The frameworks of file:///projects/shop could not be detected: Error: full disk",
  ]);
  await detect("django");
  expect(keysIn(component)).toEqual([]);
  // Another project remembers nothing of it.
  expect([...stored.keys()]).toEqual(["frameworks.file:///projects/shop"]);
});

test("messages of a component are those of its text as it is now, and nothing else has any", () => {
  const block = (text: string) => `<i18n>{ "en": { "title": "${text}" } }</i18n>`;
  const component = documentAt("/projects/shop/a.vue", block("Title"));
  const local = () => usages.localMessagesIn(component as never);
  const texts = () => local()?.messages.map(({ text }) => JSON.stringify(text));
  const first = local();
  expect(texts()?.join()).toContain("Title");
  expect(local()).toBe(first);
  component.type(new Range(0, 0, 0, block("Title").length), block("Name"));
  expect(texts()).toHaveLength(1);
  expect(texts()?.join()).toContain("Name");
  // They may be found by other functions from now on.
  const named = local();
  Object.assign(all[0] ?? {}, { file: { usage: { functions: [{ name: "say", key: 0 }] } } });
  expect(local()).not.toBe(named);
  expect(usages.localMessagesIn(documentAt("/elsewhere/a.vue", block("Title")) as never)).toBeUndefined();
  expect(usages.localMessagesIn(documentAt("/projects/shop/a.ts", CODE) as never)).toBeUndefined();
});

test("code is read as the language of its file name, else as that of the editor", async () => {
  dependencies = ["i18next"];
  const page = documentAt("/projects/shop/page", CODE);
  expect(keysIn(page)).toEqual([]);
  page.languageId = "typescript";
  expect(keysIn(page)).toEqual(["title"]);
  // Editors take a template of Laravel for PHP, in which this is text.
  const template = documentAt("/projects/shop/a.blade.php", "<p>@lang('cart.title')</p>\n");
  template.languageId = "php";
  expect(keysIn(template)).toEqual(["cart.title"]);
});

test("where a scanner fails, nothing is found in that text, which is logged once, and other texts have their usages", () => {
  const code = `<template>{{ $t("title") }}</template>\n<i18n>{ "en": { "own": "Own" } }</i18n>\n`;
  const component = documentAt("/projects/shop/a.vue", code);
  const [vue, fails] = [usageLanguageFor("a.vue"), () => expect.fail("no number")];
  if (vue === undefined) throw new Error("it is a language");
  // What was found in the text before counts no longer.
  const first = { found: keysIn(component), messages: usages.localMessagesIn(component as never) };
  expect([first.found, first.messages?.messages.length]).toEqual([["title"], 1]);
  component.type(new Range(0, 0, 0, 0), "\n");
  vi.spyOn(vue, "find").mockImplementation(fails);
  vi.spyOn(vue, "findLocal").mockImplementation(fails);
  const failure = "file:///projects/shop/a.vue could not be searched: AssertionError: no number";
  expect([keysIn(component), keysIn(component), log.lines]).toEqual([[], [], [failure]]);
  const local = () => usages.localMessagesIn(component as never);
  const none = { messages: [], usages: [], files: [] };
  expect([local(), local(), log.lines]).toEqual([none, none, [failure, failure]]);
  expect(keysIn(documentAt("/projects/shop/a.ts", CODE))).toEqual(["title"]);
  vi.restoreAllMocks();
  component.type(new Range(1, 0, 1, 0), " ");
  expect(local()).toEqual(vue.findLocal?.(component.getText(), usages.findOptions(shop())));
});

test("the same frameworks change nothing, and options stay the same object, by which scanners cache", async () => {
  const { length } = changed;
  const before = usages.findOptions(shop());
  const read = reads.length;
  changedProjects.fire();
  await usages.ready(shop());
  expect(reads.length).toBeGreaterThan(read);
  expect([changed.length, usages.findOptions(shop())]).toEqual([length, before]);
  expect(usages.findOptions(shop())).toBe(before);
  expect(usages.configuredOptions(shop())).toBe(before);
});

test("a project that appears is read, too", async () => {
  all.push(projectAt("web"));
  changedProjects.fire();
  await waitUntil(() => changed.includes(all[1] as Project));
  expect(keysIn(documentAt("/projects/web/a.ts", CODE))).toEqual(["title"]);
});

test("a manifest that changes is read again for its project and those below it, and not that of a package", async () => {
  all = ["apps/web", "apps/site", "other", "apps/web-shop"].map((name) => projectAt(name));
  workspace.workspaceFolders = [{ uri: Uri.file("/projects"), name: "projects" }];
  changedProjects.fire();
  const ready = () => Promise.all(all.map((each) => usages.ready(each as never)));
  await ready();
  const readAfter = async (kind: "created" | "changed" | "deleted", path: string) => {
    reads = [];
    tellOfFile(kind, `/projects/${path}`);
    await ready();
    return [...new Set(reads)];
  };
  expect(await readAfter("changed", "apps/web/package.json")).toEqual(["apps/web"]);
  expect(await readAfter("created", "apps/package.json")).toEqual(["apps/web", "apps/site", "apps/web-shop"]);
  expect(await readAfter("deleted", "package.json")).toHaveLength(4);
  expect(await readAfter("changed", "apps/web/node_modules/a/package.json")).toEqual([]);
  expect(await readAfter("changed", "apps/web/src/page.ts")).toEqual([]);
  all.push(projectAt("apps/web/plugin"));
  changedProjects.fire();
  await ready();
  expect(await readAfter("changed", "apps/web/package.json")).toEqual(["apps/web", "apps/web/plugin"]);
  all.pop();
  // Not one that comes or goes, of which the framework knows nothing yet.
  expect(await readAfter("changed", "apps/web/src/i18n.ts")).toEqual(["apps/web"]);
  expect(await readAfter("created", "apps/web/src/i18n.ts")).toEqual([]);
  // Nor where no framework has options; of some they are in one place.
  for (const [framework, path, read] of [
    ["django", "apps/web/src/i18n.ts", []],
    ["laravel", "apps/web/app/Providers/AppServiceProvider.php", ["apps/web"]],
  ] as const) {
    dependencies = [framework];
    changedProjects.fire();
    await ready();
    expect(await readAfter("changed", path)).toEqual(read);
  }
});

test("learned functions find usages, and are not listed once the project file has them", async () => {
  const code = `import { say, other } from "./texts";\nsay("hello");\n`;
  const document = documentAt("/projects/shop/a.ts", code);
  const own = all[0] ?? projectAt("shop");
  const learn = (...names: readonly string[]): void => {
    const functions = names.map((name) => ({ name, key: 0, calls: 23, known: 23 }));
    new UsageRepository(own.connection.database).setLearnedFunctions(functions);
    changed.length = 0;
    usages.readLearnedFunctions(shop());
  };
  const names = () => usages.learnedFunctions(shop()).map(({ name }) => name);
  expect([keysIn(document), names()]).toEqual([[], []]);
  learn("say");
  expect([keysIn(document), names(), changed]).toEqual([["hello"], ["say"], [own]]);
  // They are not configured.
  expect(usages.configuredOptions(shop()).functions).toEqual([]);
  learn("say");
  expect(changed).toEqual([]);
  own.file = { usage: { functions: [{ name: "other", key: 0 }] } };
  expect([keysIn(document), names()]).toEqual([["hello"], ["say"]]);
  document.type(new Range(2, 0, 2, 0), `other("more");\n`);
  expect(keysIn(document)).toEqual(["hello", "more"]);
  // Another framework changes neither, nor does the next window forget them.
  dependencies = ["vue-i18n"];
  changedProjects.fire();
  await usages.ready(shop());
  expect(keysIn(document)).toEqual(["hello", "more"]);
  usages.dispose();
  usages = open();
  expect(keysIn(document)).toEqual(["hello", "more"]);
  own.file = { usage: { functions: [{ name: "say", key: 0 }] } };
  usages.findOptions(shop());
  expect([keysIn(document), names()]).toEqual([["hello"], []]);
  own.file = {};
  learn();
  expect([keysIn(document), names()]).toEqual([[], []]);
});

test("the value of a name that is imported is what the index has of it by now", () => {
  const text = `import i18next from "i18next";\nimport { NAME } from "./names";\ni18next.t(NAME);\n`;
  const document = documentAt("/projects/shop/a.ts", text);
  const index = (value: string): void => {
    const values = JSON.stringify([[{ specifier: "./names", name: "NAME", isType: false }, value]]);
    const imports = { values, dependencies: ["names"] };
    const repository = new UsageRepository((all[0] ?? projectAt("shop")).connection.database);
    repository.putFile("a.ts", { size: 1, modified: 1 }, null, [], [], () => expect.fail("none"), imports);
  };
  expect(keysIn(document)).not.toContain("title");
  index("title");
  expect(keysIn(document)).toEqual(["title"]);
  index("name");
  expect(keysIn(document)).toEqual(["name"]);
});

test("namespaces of other projects are those that one of them alone has", () => {
  const [common, cart, menu] = [key("common", "a"), key("cart", "a"), key("menu", "a")];
  all = [projectAt("shop", cart), projectAt("web", common, menu), projectAt("site", menu, key("*", "a"))];
  const found = usages.namespacesElsewhere(all[0] as never);
  expect([...found].map(([project, names]) => [project, [...names]])).toEqual([[all[1], ["common"]]]);
  expect([...usages.namespacesElsewhere(all[1] as never).values()].map((names) => [...names])).toEqual([
    ["cart"],
  ]);
});

test("options that change only what keys mean change how they are looked up, and not how code is scanned", async () => {
  const before = usages.findOptions(shop());
  changed.length = 0;
  configuration = `import i18next from "i18next";\ni18next.init({ nsSeparator: "|" });\n`;
  changedProjects.fire();
  await usages.ready(shop());
  expect(usages.findOptions(shop())).toBe(before);
  expect([usages.lookupOptions(shop()).namespaceSeparator, changed]).toEqual(["|", [all[0]]]);
});

test("keys are looked up in all projects of the window, each with the options of its own code", async () => {
  const [cart, menu] = [key("cart", "total"), key("menu", "title")];
  all = [projectAt("shop", cart), projectAt("web", menu)];
  const use = (name: string) => ({ expression: { kind: "static", key: name }, namespaces: null }) as never;
  const resolved = (name: string) => {
    const { open: owner, resolution } = usages.resolveInWindow(shop(), use(name));
    return [owner, resolution.kind];
  };
  expect([resolved("cart:total"), resolved("menu:title"), resolved("menu:none")]).toEqual([
    [all[0], "known"],
    [all[1], "known"],
    [all[1], "unknown"],
  ]);
  // Whoever resolves many gives the options.
  const options = { ...usages.lookupOptions(shop()), namespaceSeparator: "|" };
  const other = usages.resolveInWindow(shop(), use("menu|title"), options);
  expect([other.open, other.resolution.kind]).toEqual([all[1], "known"]);
  // Code of this framework names no namespace where there is one alone.
  dependencies = ["vue-i18n"];
  changedProjects.fire();
  await usages.ready(shop());
  expect(usages.lookupOptions(shop()).defaultNamespaces).toEqual(["cart", "*"]);
});

test("a window reads what projects follow as soon as it is opened, until it is closed", async () => {
  const made = vi.spyOn(workspace, "createFileSystemWatcher");
  usages.dispose();
  reads = [];
  usages = open();
  await waitUntil(() => reads.length > 0);
  const stops = made.mock.results.map(({ value }) => vi.spyOn(value as { dispose(): void }, "dispose"));
  usages.dispose();
  expect(stops.map(({ mock }) => mock.calls.length)).toEqual(stops.map(() => 1));
});
