/** The views are drawn again with each thing that they show, of each project, and say above the rows what there is to know. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import type { Job, Language, Stats } from "../../../src/api/response-schemas.ts";
import { setSourceLanguageCommand } from "../../../src/commands/declarations/session-commands.ts";
import { closeWelcomeCommand } from "../../../src/commands/declarations/window-commands.ts";
import { Database } from "../../../src/database/database.ts";
import { Project, type FollowedJob } from "../../../src/database/project-state.ts";
import type { Session } from "../../../src/database/session/session.ts";
import { Store, type StoreTable } from "../../../src/database/store.ts";
import { registerActivityView } from "../../../src/features/activity-view/activity-view.ts";
import { registerIssuesView } from "../../../src/features/issues-view/issues-view.ts";
import { registerLanguagesView } from "../../../src/features/languages-view/languages-view.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { setLanguage } from "../../../src/util/l10n.ts";
import type { App } from "../../../src/vscode/app.ts";
import { setContextKey } from "../../../src/vscode/context-keys.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import type { TreeNode } from "../../../src/vscode/ui/tree-view/tree-node.ts";
import { COMPLETE_CURSOR } from "../support/complete-cursor.ts";
import { addKeys } from "../support/key-database.ts";
import { createStored } from "../support/open-editor.ts";
import { closeEditors, Uri, views } from "../support/vscode-stub.ts";

const SIGNED_IN = { kind: "signed-in", baseUrl: "", slug: "a", name: "Shop", canWrite: true } as Session;
const SIGNED_OUT: Session = { kind: "signed-out" };
const REFUSED: Session = { kind: "refused", baseUrl: "", reason: "unauthorized" };
const FRESH = { kind: "fresh", at: 1 } as const;
const MINUTE_MS = 60_000;
const cart = (key: string) => ({ namespace: "cart", key, context: null });

const language = (locale: string, more: Partial<Language> = {}): Language => ({
  locale,
  name: "",
  isSource: locale === "en",
  totalKeys: 4,
  translated: 2,
  outdated: 0,
  qaErrors: 0,
  percent: 50,
  lastTranslatedAt: null,
  ...more,
});
const stats = (...languages: Language[]): Stats => ({ contentVersion: 1, languages });
const SHOP = stats(language("en"), language("nl"));

let store: Store<object>;
let all: OpenProject[];
let app: App;
let works: Map<object, (...args: readonly unknown[]) => Promise<object>>;
let ready: (() => void)[];
beforeEach(() => {
  closeEditors();
  setContextKey("serviceRunning", false);
  store = new Store();
  all = [];
  works = new Map();
  ready = [];
  /** As the store, but at once: each change is rendered alone. */
  const subscribe = (
    tables: readonly StoreTable[],
    render: (changed: ReadonlyMap<object, ReadonlySet<StoreTable>>) => void,
  ) =>
    store.onDidChange((table, project) => {
      if (tables.includes(table)) render(new Map(project === null ? [] : [[project, new Set([table])]]));
    });
  app = {
    context: createStored(""),
    store: { subscribe },
    projects: {
      get all() {
        return all;
      },
      whenReady: (work: () => void) => ready.push(work),
      subscribe: (tables: readonly StoreTable[], update: (open: OpenProject) => void) =>
        subscribe(tables, (changed) => {
          for (const open of all) if (changed.has(open)) update(open);
        }),
    },
    results: { of: (open: OpenProject) => results.get(open) ?? [] },
    documentUsages: { learnedFunctions: (open: OpenProject) => learned.get(open) ?? [] },
    command: (declaration: object, work: () => Promise<object>) => void works.set(declaration, work),
    // Context keys are the same for the tests that follow.
    addDisposable: (...owned: readonly { dispose(): unknown }[]) =>
      onTestFinished(() => owned.forEach((each) => void each.dispose())),
  } as unknown as App;
});
afterEach(() => setLanguage("en", {}));
const results = new WeakMap<OpenProject, readonly object[]>();
const learned = new WeakMap<OpenProject, readonly object[]>();

/** A project of the window, with the state of its connection. */
function addProject(id: string, session: Session = SIGNED_IN): Project & OpenProject {
  const project = new Project(id, id, new Database(), undefined, store, session);
  const open = Object.assign(project, {
    root: Uri.file(`/${id}`),
    fileUri: Uri.file(`/${id}/project-translations.json`),
    content: { errors: [], detected: [], file: {} },
    local: { loaded: null, locales: [] },
    connection: project,
    refresher: Promise.resolve({ ensureLocale: async () => undefined }),
  }) as unknown as Project & OpenProject;
  all = [...all, open];
  return open;
}

interface Provider {
  readonly onDidChangeTreeData: (listener: () => void) => void;
  getChildren(node?: TreeNode): Promise<readonly TreeNode[]>;
}
const view = (name: string) => views.get(`projectTranslations.${name}`) ?? expect.fail("there is a view");
/** The rows of a view now, or those below one of them. */
const nodesOf = (name: string, parent?: TreeNode) =>
  (view(name).treeDataProvider as Provider).getChildren(parent);
const text = (node: TreeNode): string => {
  const { label, description = "" } = node.content();
  return description === "" ? label : `${label} | ${description}`;
};
/**
 * Returns the rows of a view as they were when it was last drawn, with those below the rows of projects; or those below the
 * rows that begin with these words.
 */
function follow(name: string, ...path: readonly string[]): () => Promise<readonly string[]> {
  const read = async (): Promise<readonly string[]> => {
    let nodes = await nodesOf(name);
    for (const words of path) {
      const parent = nodes.find((node) => text(node).startsWith(words));
      nodes = parent === undefined ? [] : await nodesOf(name, parent);
    }
    const shown: string[] = [];
    for (const node of nodes) {
      shown.push(text(node));
      if (node.content().children !== "expanded") continue;
      for (const below of await nodesOf(name, node)) shown.push(`- ${text(below)}`);
    }
    return shown;
  };
  let shown: Promise<readonly string[]> = Promise.resolve([]);
  (view(name).treeDataProvider as Provider).onDidChangeTreeData(() => {
    shown = read();
  });
  return () => shown;
}

const followed = (id: number, status: string, watching = true): FollowedJob => ({
  job: { id, status, progress: null, error: null, result: null } as unknown as Job,
  kind: "export",
  subject: ["app"],
  startedAt: Date.now(),
  watching,
});

describe("Activity", () => {
  const HINT = "Jobs and pending changes are listed here once you are signed in.";
  test("says why there is nothing, from the beginning on, as somebody signs in and is refused", async () => {
    registerActivityView(app);
    expect(view("activity").message).toBe(HINT);
    const rows = follow("activity");
    const shop = addProject("shop", SIGNED_OUT);
    shop.setSession(SIGNED_IN);
    expect([view("activity").message, await rows()]).toEqual(["", ["Checked for changes | not yet"]]);
    shop.setSession(REFUSED);
    expect([view("activity").message, await rows()]).toEqual([
      "The service does not accept the token. Sign in with a new one.",
      [],
    ]);
    shop.setSession(SIGNED_OUT);
    expect(view("activity").message).toBe(HINT);
  });

  test("follows jobs, results, checks and what is pending", async () => {
    const shop = addProject("shop");
    shop.setStats(SHOP, { kind: "fresh", at: Date.now() - MINUTE_MS });
    registerActivityView(app);
    const rows = follow("activity");
    shop.setJobs([followed(1, "queued")]);
    expect(await rows()).toEqual(["Export: app | queued", "Checked for changes | 1 minute ago"]);
    shop.setJobs([followed(1, "running", false)]);
    expect((await rows())[0]).toBe("Export: app | no longer followed");
    shop.setJobs([]);
    results.set(shop, [{ message: "Pushed.", kind: "done", at: Date.now() }]);
    store.changed(null, "results");
    expect(await rows()).toEqual(["Pushed. | just now", "Checked for changes | 1 minute ago"]);
    shop.setStats(SHOP, { kind: "fresh", at: Date.now() + 1 });
    expect((await rows())[0]).toBe("Checked for changes | just now");
    shop.setActivity({ busyWith: "nl" });
    expect((await rows())[0]).toBe("Reading from the service | nl");
    shop.setActivity({ busyWith: null });
    shop.setActivity({ pushCounts: { new: 1, changed: 0, restored: 0 } });
    expect((await rows())[0]).toBe("1 source text to push | 1 new");
    shop.setSession({ ...SIGNED_IN, canWrite: false } as Session);
    expect((await rows())[0]).toBe("1 source text to push | 1 new · needs a token with write access");
    shop.setActivity({ pushCounts: null, renames: [{ from: cart("a"), to: cart("b") }] });
    expect((await rows())[0]).toBe("Rename to cart.b | cart.a");
    // How keys are spelt is known once the code was read.
    shop.namespaceSeparator = ":";
    store.changed(shop, "settings");
    expect((await rows())[0]).toBe("Rename to cart:b | cart:a");
  });

  test("has what each of two projects did, for its folder", async () => {
    const [shop, blog] = [addProject("shop"), addProject("blog", SIGNED_OUT)];
    registerActivityView(app);
    const rows = follow("activity");
    results.set(shop, [{ message: "Pushed the shop.", kind: "done", at: 1 }]);
    results.set(blog, [{ message: "Pushed the blog.", kind: "done", at: 1 }]);
    shop.setJobs([followed(1, "running")]);
    const SHOP_ROWS = [
      "shop",
      "- Export: app | running",
      "- Pushed the shop.",
      "- Checked for changes | not yet",
    ];
    const named = async () => (await rows()).map((row) => row.replace(/ \| .* years ago$/u, ""));
    expect([view("activity").message, await named()]).toEqual(["", SHOP_ROWS]);
    blog.setSession(SIGNED_IN);
    expect(await named()).toEqual([
      ...SHOP_ROWS,
      ...["blog", "- Pushed the blog.", "- Checked for changes | not yet"],
    ]);
    const nodes: TreeNode[] = [];
    for (const node of await nodesOf("activity")) nodes.push(...(await nodesOf("activity", node)));
    expect(nodes.map(({ commandOptions }) => commandOptions)).toEqual([
      { folder: shop.root, job: 1 },
      ...[shop, shop, blog, blog].map(({ root }) => ({ folder: root })),
    ]);
    // Both have a result of the same time.
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
    all = [blog];
    store.changed(null, "projects");
    expect(await named()).toEqual(["Pushed the blog.", "Checked for changes | not yet"]);
  });
});

describe("Languages", () => {
  const ENGLISH = "English (en) | source, 4 keys";
  const WELCOME = "Connect to a translation service… | sign in, or start one here";
  const above = () => [view("languages").description, view("languages").message];
  const offline = (at: number | null) => ({
    kind: "offline" as const,
    at,
    error: new ApiError("server_error", "500", { status: 500, endpoint: "GET /stats" }),
  });
  const FAILED = "The service failed at GET /stats (500). Try again later.";

  test("says whose numbers they are, and how old, from the beginning on", async () => {
    const shop = addProject("shop");
    shop.setStats(SHOP, { kind: "stored", at: null });
    registerLanguagesView(app);
    ready.forEach((work) => work());
    expect(above()).toEqual(["Shop", ""]);
    shop.setStats(SHOP, offline(null));
    expect(above()).toEqual(["Shop", FAILED]);
    const at = Date.now() - MINUTE_MS;
    shop.setStats(SHOP, offline(at));
    expect(above()).toEqual(["Shop", `Not up to date: as of 1 minute ago. ${FAILED}`]);
    shop.setSession({ ...SIGNED_IN, name: "Store", canWrite: false } as Session);
    expect(above()[0]).toBe("Store · read-only");
    const rows = follow("languages");
    // And then the window gets another one: neither is said to be that of both.
    const blog = addProject("blog", SIGNED_OUT);
    store.changed(null, "projects");
    expect(above()).toEqual(["", ""]);
    expect(await rows()).toEqual([
      `shop | Not up to date: as of 1 minute ago. ${FAILED}`,
      ...[`- ${ENGLISH}`, "- Nederlands (nl) | 50%"],
      "blog | signed out",
    ]);
    all = [blog];
    store.changed(null, "projects");
    expect([above(), await rows()]).toEqual([["", ""], []]);
    blog.showLocal(SHOP, true, ["nl"]);
    expect([above(), await rows()]).toEqual([
      ["local files", ""],
      [WELCOME, ENGLISH, "Nederlands (nl) | 50%"],
    ]);
    all = [];
    store.changed(null, "projects");
    expect([above(), await rows()]).toEqual([["", ""], []]);
  });

  test("follows numbers, texts, what is in files, and functions of the code", async () => {
    const shop = addProject("shop");
    shop.setStats(SHOP, FRESH);
    registerLanguagesView(app);
    const rows = follow("languages");
    shop.setStats(stats(language("en"), language("nl", { percent: 75 })), FRESH);
    expect(await rows()).toEqual([ENGLISH, "Nederlands (nl) | 75%"]);
    shop.setActivity({ localOnly: new Map([["nl", 3]]), changedInFiles: new Map([["nl", 1]]) });
    expect((await rows())[1]).toBe("Nederlands (nl) | 75% · 3 not on the service");
    shop.setActivity({ localOnly: new Map([["fr", 3]]) });
    putIssues(shop);
    expect((await rows())[1]).toBe("Nederlands (nl) | 75% · 1 QA error · 1 QA warning");
    putIssues(shop, "warning");
    expect((await rows())[1]).toBe("Nederlands (nl) | 75% · 1 QA warning");
    const texts = follow("languages", "English", "All keys");
    addKeys(shop.database, [{ ...cart("title"), hash: keyHash(cart("title")), text: { value: "Our cart" } }]);
    shop.changed("keys");
    expect(await texts()).toEqual(["cart.title | Our cart"]);
    learned.set(shop, [{ name: "tr", key: 0, calls: 12, known: 10 }]);
    store.changed(shop, "settings");
    expect((await rows())[2]).toBe("tr() is used as a translation function | 12 calls");
    // An empty project has none.
    shop.setStats(stats(language("en", { totalKeys: 0 }), language("nl", { totalKeys: 0 })), FRESH);
    expect(await rows()).toEqual([]);
    // A language without keys is not all there is.
    shop.setStats(stats(language("en"), language("nl", { totalKeys: 0 })), FRESH);
    expect((await rows())[0]).toBe(ENGLISH);
    // Of which nothing is known.
    shop.setSession(REFUSED);
    expect(await rows()).toEqual([]);
  });

  test("has the languages of the right one of two projects, and no rows of projects while none has any", async () => {
    const [shop, blog] = [addProject("shop", SIGNED_OUT), addProject("blog", SIGNED_OUT)];
    registerLanguagesView(app);
    const rows = follow("languages");
    store.changed(null, "projects");
    expect(await rows()).toEqual([]);
    blog.showLocal(SHOP, true, ["nl"]);
    expect(await rows()).toEqual([
      WELCOME,
      "shop | signed out",
      ...["blog | local files", `- ${ENGLISH}`, "- Nederlands (nl) | 50%"],
    ]);
    // A token that is refused has its row, too.
    blog.showLocal(null, true, ["nl"]);
    shop.setSession(REFUSED);
    expect(await rows()).toEqual(["shop | token not accepted", "blog | signed out"]);
    shop.setSession(SIGNED_IN);
    shop.setStats(stats(language("en", { totalKeys: 9 })), FRESH);
    expect(await rows()).toEqual(["shop | Shop", "- English (en) | source, 9 keys", "blog | signed out"]);
    const nodes = await nodesOf("languages");
    expect(nodes.map(({ commandOptions }) => commandOptions)).toEqual([
      { folder: shop.root },
      { folder: blog.root },
    ]);
    const [first = expect.fail("there is a project")] = nodes;
    const [english = expect.fail("it has a language")] = await nodesOf("languages", first);
    expect(english.commandOptions).toEqual({ folder: shop.root, locale: "en", locales: ["en"] });
  });

  test("has the rows of what is wrong with each project file above all others", async () => {
    const [shop, blog] = [addProject("shop", SIGNED_OUT), addProject("blog", SIGNED_OUT)];
    const error = { path: ["files"], at: { line: 2, character: 5 } };
    const files = [{ path: "texts/{locale}.json" }];
    Object.assign(blog, {
      content: { errors: [error], detected: [], file: { files } },
      local: { loaded: {} },
    });
    registerLanguagesView(app);
    const rows = follow("languages");
    store.changed(null, "projects");
    const WRONG = [
      "Correct project-translations.json | 1 mistake",
      "Name the Files… | no file at texts/{locale}.json",
    ];
    expect(await rows()).toEqual(WRONG);
    shop.showLocal(SHOP, true, []);
    expect((await rows()).slice(0, 4)).toEqual([...WRONG, WELCOME, "shop | local files"]);
    const [wrong, missing] = await nodesOf("languages");
    expect([wrong?.opens?.uri, wrong?.opens?.selection?.start]).toMatchObject([
      blog.fileUri,
      { line: 2, character: 5 },
    ]);
    expect(missing?.commandOptions).toEqual({ folder: blog.root });
    all = [blog];
    store.changed(null, "projects");
    expect(await rows()).toEqual(WRONG);
  });

  test("the source language is set of files alone, to a language that has files", async () => {
    const shop = addProject("shop", REFUSED);
    Object.assign(shop, { local: { loaded: null, locales: ["en", "nl"] } });
    registerLanguagesView(app);
    const chosen: unknown[] = [];
    const setSourceLanguage = async (...given: unknown[]) => void chosen.push(given);
    Object.assign(app.projects, { setSourceLanguage });
    const set = async (locale: string) =>
      works.get(setSourceLanguageCommand)?.(app, { locale }, { open: shop }) ??
      expect.fail("it is registered");
    // It is set on the service, also while that refuses the token.
    await expect(set("nl")).rejects.toMatchObject({ code: "invalid" });
    shop.setSession(SIGNED_OUT);
    shop.showLocal(SHOP, true, []);
    await expect(set("fr")).rejects.toMatchObject({ code: "not_found" });
    expect(await set("en")).toEqual({ outcome: "unchanged", locale: "en" });
    expect(chosen).toEqual([]);
    expect(await set("nl")).toEqual({ outcome: "done", locale: "nl" });
    expect(chosen).toEqual([[shop, "nl"]]);
  });

  test("offers to sign in until that is closed, and then only the service that runs here", async () => {
    addProject("shop", SIGNED_OUT).showLocal(SHOP, true, []);
    registerLanguagesView(app);
    const rows = follow("languages");
    store.changed(null, "projects");
    expect((await rows())[0]).toBe(WELCOME);
    expect(await works.get(closeWelcomeCommand)?.(app, {})).toEqual({ outcome: "done" });
    expect((await rows())[0]).toBe(ENGLISH);
    setContextKey("serviceRunning", true);
    expect((await rows())[0]).toBe("Sign In to the Local Service");
    const [row] = await nodesOf("languages");
    expect(row?.commandOptions).toEqual({ signIn: true });
    setContextKey("serviceRunning", false);
    expect((await rows())[0]).toBe(ENGLISH);
  });
});

/** Somebody reads Dutch, which has an error and a warning. */
function putIssues(open: Project, ...levels: readonly string[]): void {
  const hash = keyHash(cart("title"));
  if (open.keys.get(hash) === undefined)
    addKeys(open.database, [{ ...cart("title"), hash, text: { value: "Cart" } }]);
  const issues = (levels.length === 0 ? ["error", "warning"] : levels).map((level) => {
    return { rule: "style", level, placeholder: null, form: null, suggestion: null };
  });
  const row = { hash, text: { value: "Mandje" }, isTranslated: true, isOutdated: false, issues };
  open.translations.put("nl", [{ ...row, version: 1, updatedAt: null }], 1);
  open.syncMetadata.setCursor(COMPLETE_CURSOR, "nl");
  open.showLanguage("nl");
  open.changed("translations");
}

describe("below a language", () => {
  const issue = { rule: "style", level: "warning", placeholder: null, form: null, suggestion: null };
  const put = (open: Project, key: string, more: object = {}): void => {
    const hash = keyHash(cart(key));
    addKeys(open.database, [{ ...cart(key), hash, text: { value: `Text of ${key}` } }]);
    const text = { value: `Tekst van ${key}` };
    const row = {
      hash,
      text,
      isTranslated: true,
      isOutdated: false,
      issues: [],
      version: 1,
      updatedAt: null,
    };
    open.translations.put("nl", [{ ...row, ...more }], 1);
  };
  const read = (open: Project): void => {
    open.syncMetadata.setCursor(COMPLETE_CURSOR, "nl");
    open.showLanguage("nl");
  };
  /** The rows below a row of a group, with the options of their commands. */
  async function rowsOf(group: string): Promise<readonly (readonly [string, object | undefined])[]> {
    let nodes = await nodesOf("languages");
    for (const words of ["Nederlands", group]) {
      const parent = nodes.find((node) => text(node).startsWith(words));
      nodes = await nodesOf("languages", parent ?? expect.fail(`${words} has a row`));
    }
    return nodes.map((node) => [text(node), node.commandOptions]);
  }
  const NUMBERS = stats(language("en"), language("nl", { translated: 3, outdated: 2, qaErrors: 1 }));

  test("rows wait for its texts the first time, in the order of the service, and a click is for one of them", async () => {
    const shop = addProject("shop");
    // What was not read yet is asked for, also if the last request failed.
    shop.setStats(NUMBERS, { kind: "offline", at: 1, error: new Error("500") });
    const asked: unknown[] = [];
    const ensureLocale = async (locale: string, options: object) => {
      asked.push([locale, options]);
      await new Promise(setImmediate);
      put(shop, "z", { isOutdated: true });
      put(shop, "b", { text: null, isTranslated: false });
      put(shop, "a", { isOutdated: true, issues: [issue, { ...issue, rule: "other" }] });
      put(shop, "c");
      read(shop);
    };
    Object.assign(shop, { refresher: Promise.resolve({ ensureLocale }) });
    registerLanguagesView(app);
    const { root: folder } = shop;
    const optionsOf = (key: string) => ({ folder, ...cart(key), locale: "nl", only: [keyHash(cart(key))] });
    expect(await rowsOf("Outdated")).toEqual([
      ["cart.z | Tekst van z", { ...optionsOf("z"), filter: "outdated" }],
      ["cart.a | Tekst van a", { ...optionsOf("a"), filter: "outdated" }],
    ]);
    expect(asked).toEqual([["nl", { priority: "person" }]]);
    // From then on they are shown at once and asked for again, and what fails meanwhile is not theirs to tell.
    shop.setStats(NUMBERS, FRESH);
    const fails = async () => {
      asked.push("again");
      throw new Error("500");
    };
    Object.assign(shop, { refresher: Promise.resolve({ ensureLocale: fails }) });
    expect(await rowsOf("Untranslated")).toEqual([
      ["cart.b | Text of b", { ...optionsOf("b"), filter: "untranslated" }],
    ]);
    expect(await rowsOf("Translated")).toEqual(
      ["z", "a", "c"].map((key) => [
        `cart.${key} | Tekst van ${key}`,
        { ...optionsOf(key), filter: undefined },
      ]),
    );
    expect(asked.slice(1)).toEqual(["again", "again"]);
    const found = await rowsOf("QA issues");
    expect(found).toMatchObject([
      ["style | cart.a", { ...optionsOf("a"), filter: "issues", issue: { rule: "style" } }],
      ["other | cart.a", { ...optionsOf("a"), filter: "issues", issue: { rule: "other" } }],
    ]);
    const [, dutch] = await nodesOf("languages");
    const groups = await nodesOf("languages", dutch);
    expect(groups.map(({ commandOptions }) => commandOptions)).toEqual(
      [["untranslated"], ["outdated"], ["issues"], []].map((filter) => ({ folder, locale: "nl", filter })),
    );
    // A key that is in several groups has a row in each.
    const below = await Promise.all(groups.map((group) => nodesOf("languages", group)));
    const ids = below.flat().map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([8, 8]);
    const tooltip = ["cart.z", "en: Text of z", "nl: Tekst van z"];
    expect(below[1]?.[0]?.content()).toMatchObject({ kind: "translation", tooltip });
  });

  test("rows of files are in the order of their names", async () => {
    const shop = addProject("shop", SIGNED_OUT);
    shop.showLocal(NUMBERS, true, ["nl"]);
    for (const key of ["z", "a", "m"]) put(shop, key, { isOutdated: true });
    read(shop);
    await app.context.globalState.update("localWelcomeClosed", true);
    registerLanguagesView(app);
    expect((await rowsOf("Outdated")).map(([row]) => row.at(5)).join("")).toBe("amz");
    const [english] = await nodesOf("languages");
    const [group] = await nodesOf("languages", english);
    expect((await nodesOf("languages", group))[0]?.content().kind).toBe("key");
  });
});

describe("QA Issues", () => {
  const shown = async (rows: () => Promise<readonly string[]>) => {
    const { badge, message } = view("issues");
    return [badge, message, await rows()];
  };
  const errors = (value: number, tooltip = `${value} QA errors`) => ({ value, tooltip });

  test("has what the service counts, then what was read, of all projects", async () => {
    const shop = addProject("shop");
    registerIssuesView(app);
    const rows = follow("issues");
    shop.setStats(stats(language("en"), language("nl", { qaErrors: 5 }), language("nl-BE")), FRESH);
    expect(await shown(rows)).toEqual([errors(5), "", ["Nederlands (nl) | 5 QA errors"]]);
    putIssues(shop);
    expect(await shown(rows)).toEqual([
      { value: 1, tooltip: "1 QA error · 1 QA warning" },
      "",
      ["Nederlands (nl) | 1 QA error · 1 QA warning"],
    ]);
    const inDutch = follow("issues", "Nederlands");
    shop.namespaceSeparator = ":";
    store.changed(shop, "settings");
    expect(await inDutch()).toEqual(["cart:title | 2 QA issues"]);
    const blog = addProject("blog");
    blog.setStats(stats(language("en"), language("fr", { qaErrors: 2 })), FRESH);
    const grouped = [
      "shop",
      "- Nederlands (nl) | 1 QA error · 1 QA warning",
      "blog",
      "- Français (fr) | 2 QA errors",
    ];
    expect(await shown(rows)).toEqual([errors(3, "3 QA errors · 1 QA warning"), "", grouped]);
    const below = await Promise.all((await nodesOf("issues")).map((node) => nodesOf("issues", node)));
    expect(below.flat().map(({ commandOptions }) => commandOptions)).toEqual([
      { folder: shop.root, locale: "nl", filter: "issues" },
      { folder: blog.root, locale: "fr", filter: "issues" },
    ]);
    // The errors are mended: a warning alone has no badge.
    putIssues(shop, "warning");
    blog.setStats(stats(language("en"), language("fr")), FRESH);
    expect(await shown(rows)).toEqual([undefined, "", ["shop", "- Nederlands (nl) | 1 QA warning"]]);
    all = [blog];
    store.changed(null, "projects");
    expect(await shown(rows)).toEqual([undefined, "No QA issues.", []]);
    blog.setSession(REFUSED);
    expect((await shown(rows))[1]).toBe("The service does not accept the token. Sign in with a new one.");
  });
});

test("all views speak the language of the window, also once that is another one", () => {
  addProject("shop", SIGNED_OUT).showLocal(SHOP, true, []);
  for (const register of [registerLanguagesView, registerIssuesView, registerActivityView]) register(app);
  setLanguage("nl", {
    Languages: "Talen",
    "local files": "lokale bestanden",
    "QA Issues": "QA-problemen",
    "No QA issues.": "Geen QA-problemen.",
    Activity: "Activiteit",
    "Jobs and pending changes are listed here once you are signed in.": "Meld je aan.",
  });
  store.changed(null, "settings");
  const said = ["languages", "issues", "activity"].map((name) => {
    const { title, description, message } = view(name);
    return [title, description, message];
  });
  expect(said).toEqual([
    ["Talen", "lokale bestanden", ""],
    ["QA-problemen", "", "Geen QA-problemen."],
    ["Activiteit", "", "Meld je aan."],
  ]);
});
