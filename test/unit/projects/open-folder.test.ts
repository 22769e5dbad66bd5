/** Opening a folder from a program: which projects it has, what is read, kept and left behind, and where a token goes. */
import * as disk from "node:fs/promises";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { tmpdir } from "node:os";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clock } from "../../../src/api/system-clock.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { mayWrite, readSmallFile, resolveWithin } from "../../../src/projects/project-files.ts";
import { openFolder, type OpenFolderOptions, type OpenedFolder } from "../../../src/projects/open-folder.ts";
import {
  findProjectFiles,
  NO_FILE,
  readProjectFile,
  UNSAFE_FILE,
} from "../../../src/projects/project-file-reading.ts";
import { usageReport } from "../../../src/projects/usage-report.ts";
import { createFolderSearch } from "../../../src/workspace/project-detection/folder-search.ts";
import { FIXTURE_PROJECT_FILE, openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import { projectFiles, temporaryFolder } from "../support/node-platform.ts";
import { waitUntil } from "../support/wait-until.ts";

let folder: string;
let remove: () => Promise<unknown>;
const opened: OpenedFolder[] = [];
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await remove();
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
function app(path: string, texts: object = { title: "Title" }): void {
  write(join(path, "package.json"), '{ "dependencies": { "i18next": "25.0.0" } }');
  write(join(path, "locales/en/common.json"), JSON.stringify(texts));
  write(join(path, "locales/nl/common.json"), "{}");
}
async function open(options: OpenFolderOptions = {}): Promise<OpenedFolder> {
  const found = await openFolder(folder, options);
  opened.push(found);
  return found;
}
const namesOf = ({ projects }: OpenedFolder) =>
  projects.map(({ path, project }) => [path, project.label, project.keys.size]);
const PROJECT_FILE = "project-translations.json";
const FILES = [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }];
const code = (key: string) => `import i18next from "i18next";\ni18next.t("common:${key}");\n`;
/** Returns each project with the numbers of usages that it has of the keys. */
const usagesIn = ({ projects }: OpenedFolder, ...keys: readonly string[]) =>
  projects.map(({ path, usages }) => [
    path,
    ...keys.map((key) => usages.usagesOf(keyHash({ namespace: "common", key, context: null })).length),
  ]);
const RUNNING_JOB = {
  type: "import",
  status: "running",
  progress: null,
  result: null,
  error: null,
  createdAt: null,
  startedAt: null,
  finishedAt: null,
} as const;
const LEASES = v.array(v.object({ lease: v.nullable(v.object({ window: v.string() })) }));

describe("a folder", () => {
  test("has its projects in the order of their paths, each with its own files and label", async () => {
    app("shop");
    app("blog", { a: "A", b: "B" });
    expect(namesOf(await open())).toEqual([
      ["blog", "blog", 2],
      ["shop", "shop", 1],
    ]);
  });

  test("that is itself the project has its own name", async () => {
    app("");
    const { projects } = await open({ reads: "texts" });
    expect(projects.map(({ path, root, project }) => [path, root, project.label])).toEqual([
      ["", folder, basename(folder)],
    ]);
  });

  test("without a project is an error that names it, or is allowed", async () => {
    await expect(openFolder(folder)).rejects.toMatchObject({
      code: "no_project",
      message: `No translation files were recognised in ${folder}.`,
    });
    expect((await open({ mayBeEmpty: true })).projects).toEqual([]);
  });

  test("in which nothing is found is left at once when the caller stops waiting", async () => {
    const stop = AbortSignal.abort(new Error("stopped"));
    await expect(openFolder(folder, { signal: stop })).rejects.toThrow("stopped");
    await expect(openFolder(folder, { mayBeEmpty: true, signal: stop })).rejects.toThrow("stopped");
  });

  test("has the frameworks of each project's own packages, not of those below it", async () => {
    app("");
    write("packages/inner/package.json", '{ "dependencies": { "vue-i18n": "11.0.0" } }');
    write("packages/inner/locales/en.json", '{ "a": "A" }');
    const layouts = (path: string) => `{ "files": [{ "path": "${path}", "format": "json_js" }] }`;
    write(PROJECT_FILE, layouts("locales/{locale}/{namespace}.json"));
    write(`packages/inner/${PROJECT_FILE}`, layouts("locales/{locale}.json"));
    const { projects } = await open({ reads: "nothing" });
    expect(projects.map(({ path, lookup }) => [path, [...lookup.frameworks]])).toEqual([
      ["", ["i18next"]],
      ["packages/inner", ["vue-i18n"]],
    ]);
  });

  test("has the code beside a project that its file includes, and none behind a link out of the folder", async () => {
    app("shop");
    write("shop/src/a.ts", "");
    const code = 'import i18next from "i18next";\ni18next.t("common:title");\n';
    write("scripts/a.ts", code);
    const outside = await temporaryFolder();
    writeFileSync(join(outside.path, "b.ts"), code);
    write("scripts/package.json", '{ "dependencies": { "vue-i18n": "11.0.0" } }');
    writeFileSync(join(outside.path, "package.json"), '{ "dependencies": { "react-intl": "7.0.0" } }');
    symlinkSync(outside.path, join(folder, "linked"));
    const files = [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }];
    const include = ["src/**/*.ts", "../scripts/**/*.ts", "../linked/**/*.ts"];
    write(`shop/${PROJECT_FILE}`, JSON.stringify({ files, usage: { include } }));
    const [project] = (await open()).projects;
    const hash = keyHash({ namespace: "common", key: "title", context: null });
    expect(project?.usages.usagesOf(hash).map(({ path }) => path)).toEqual(["../scripts/a.ts"]);
    expect([...(project?.lookup.frameworks ?? [])]).toEqual(["i18next", "vue-i18n"]);
    await outside.remove();
  });

  test("has the errors of project files by their paths", async () => {
    app("shop");
    write("shop/project-translations.json", '{ "files": [{ "path": "../x.json" }] }');
    const { errors } = await open({ reads: "nothing" });
    expect([...errors].map(([path, found]) => [path, found.map(({ code }) => code)])).toEqual([
      ["shop/project-translations.json", ["unsafe_path"]],
    ]);
  });

  test("is current until something that decides about its projects changes", async () => {
    app("shop");
    const found = await open({ reads: "nothing" });
    expect(await found.isCurrent()).toBe(true);
    write("shop/src/a.ts", "const a = 1;");
    expect(await found.isCurrent()).toBe(true);
    write(`shop/${PROJECT_FILE}`, '{ "sourceLocale": "nl" }');
    expect(await found.isCurrent()).toBe(false);
    const again = await open({ reads: "nothing" });
    expect(await again.isCurrent()).toBe(true);
    app("blog");
    expect(await again.isCurrent()).toBe(false);
  });

  test("reads as much as is asked for, and again when it is told to", async () => {
    app("");
    write("src/a.ts", 'import i18next from "i18next";\ni18next.t("common:title");\n');
    const hash = keyHash({ namespace: "common", key: "title", context: null });
    const stateOf = ({ projects: [project] }: OpenedFolder) => [
      project?.project.keys.size,
      project?.usages.usagesOf(hash).length,
      project?.keySearch.hashes(["title"]).size,
    ];
    expect(stateOf(await open({ reads: "nothing" }))).toEqual([0, 0, 0]);
    const texts = await open({ reads: "texts" });
    expect(stateOf(texts)).toEqual([1, 0, 1]);
    expect(stateOf(await open())).toEqual([1, 1, 1]);
    write("locales/en/common.json", '{ "title": "Title", "more": "Title of more" }');
    await texts.projects[0]?.reload();
    expect(stateOf(texts)).toEqual([2, 0, 2]);
  });

  test("leaves a cache only where one is asked for, also after an abort", async () => {
    app("");
    const own = join(folder, "tmp");
    mkdirSync(own);
    vi.stubEnv("TMPDIR", own);
    expect(tmpdir()).toBe(own);
    const temporary = await openFolder(folder, { reads: "texts" });
    expect(readdirSync(own)).toHaveLength(1);
    await temporary.close();
    expect(readdirSync(own)).toEqual([]);
    const stop = AbortSignal.abort(new Error("stopped"));
    await expect(openFolder(folder, { signal: stop })).rejects.toThrow("stopped");
    expect(readdirSync(own)).toEqual([]);
    const cache = join(folder, "cache");
    mkdirSync(cache);
    await (await openFolder(folder, { reads: "texts", cache })).close();
    expect([readdirSync(own), readdirSync(cache).some((name) => name.endsWith(".db"))]).toEqual([[], true]);
  });

  test("counts usages of keys only in the code of their project, not below another one", async () => {
    app("", { outer: "Outer" });
    app("inner", { inner: "Inner" });
    write("src/a.ts", code("outer"));
    write("inner/src/a.ts", code("inner"));
    write(PROJECT_FILE, JSON.stringify({ files: FILES }));
    write(`inner/${PROJECT_FILE}`, JSON.stringify({ files: FILES }));
    const found = await open();
    expect(usagesIn(found, "outer", "inner")).toEqual([
      ["", 1, 0],
      ["inner", 0, 1],
    ]);
    const reports = [];
    for (const each of found.projects) reports.push((await usageReport(each, found.projects)).unused.length);
    expect(reports).toEqual([0, 0]);
    // Its files are its own, too.
    const files = found.projects.map((each) => each.files.find(["**/*.ts", "**/common.json"]));
    expect((await Promise.all(files)).map((paths) => paths.toSorted())).toEqual([
      ["locales/en/common.json", "locales/nl/common.json", "src/a.ts"],
      ["locales/en/common.json", "locales/nl/common.json", "src/a.ts"],
    ]);
  });

  test("does not count usages in a folder beside it that belongs to another project", async () => {
    app("blog", { post: "Post" });
    app("shop", { title: "Title" });
    const dependencies = { i18next: "25.0.0" };
    write("blog/package.json", JSON.stringify({ name: "@x/blog", dependencies }));
    write("lib/web/package.json", JSON.stringify({ dependencies: { ...dependencies, "@x/blog": "1.0.0" } }));
    write("lib/a.ts", code("title"));
    write("lib/web/a.ts", code("title") + code("post"));
    const include = ["src/**/*.ts", "../lib/**/*.ts"];
    write(`shop/${PROJECT_FILE}`, JSON.stringify({ files: FILES, usage: { include } }));
    const found = await open();
    expect(usagesIn(found, "title")).toContainEqual(["shop", 1]);
    expect(usagesIn(found, "post")).toEqual([
      ["blog", 1],
      ["shop", 0],
    ]);
  });

  test("has the code of packages that use a project's texts, most of all by their set-up, with the other texts that it uses", async () => {
    const texts = (name: string): void => {
      app(name);
      write(join(name, "package.json"), `{ "name": "@x/${name}", "dependencies": { "i18next": "25.0.0" } }`);
    };
    texts("first");
    texts("second");
    texts("third");
    write("first/i18n.ts", 'import "@x/first";\nimport "@x/first";\n');
    const dependencies = { "@x/first": "1.0.0", "@x/second": "1.0.0", i18next: "25.0.0" };
    write("web/package.json", JSON.stringify({ dependencies }));
    write("web/i18n.ts", 'import "@x/second";\n');
    const { projects } = await open({ reads: "nothing" });
    const used = projects.map(({ path, options: { codeFolders }, usesTextsOf }) => {
      return [path, codeFolders, usesTextsOf.map((other) => other.path)];
    });
    expect(used).toEqual([
      ["first", [], []],
      ["second", ["../web"], ["first"]],
      ["third", [], []],
    ]);
  });

  test("has the frameworks of the nearest folder above that names any where its own packages name none", async () => {
    write("package.json", '{ "dependencies": { "vue-i18n": "11.0.0" } }');
    write("apps/package.json", "{}");
    write("apps/shop/locales/en.json", '{ "a": "A" }');
    write(
      `apps/shop/${PROJECT_FILE}`,
      '{ "files": [{ "path": "locales/{locale}.json", "format": "json_js" }] }',
    );
    const [project] = (await open({ reads: "nothing" })).projects;
    expect([...(project?.lookup.frameworks ?? [])]).toEqual(["vue-i18n"]);
  });

  test("has the texts that were just written, whoever wrote them", async () => {
    app("");
    const { projects } = await open({ reads: "texts" });
    const [project] = projects;
    const bytes = (text: string) => new TextEncoder().encode(text);
    const [before, after] = ['{"title":"Title"}', '{"title":"Heading"}'].map(bytes);
    if (project === undefined || after === undefined) throw new Error("no project");
    const titleOf = (found: typeof project) =>
      found.local.find(keyHash({ namespace: "common", key: "title", context: null }), "en")?.text;
    expect(await project.files.write([{ path: "locales/en/common.json", before, after }])).toEqual({
      kind: "written",
    });
    await project.local.load();
    expect(titleOf(project)).toEqual({ value: "Heading" });
  });
});

test("the only namespace of the files is the default one where the code names none", async () => {
  write("package.json", '{ "dependencies": { "@jsverse/transloco": "7.0.0" } }');
  for (const locale of ["en", "nl"]) write(`locales/${locale}/dict.json`, '{ "title": "Title" }');
  const [project] = (await open({ reads: "texts" })).projects;
  expect([...(project?.lookup.frameworks ?? [])]).toEqual(["transloco"]);
  expect(project?.lookup.defaultNamespaces).toEqual(["dict", "*"]);
});

test("calls of the functions in the project file are usages", async () => {
  app("");
  write("src/a.ts", 'say("common:title");\n');
  const counted = async (usage?: object) => {
    write(PROJECT_FILE, JSON.stringify({ files: FILES, ...(usage === undefined ? {} : { usage }) }));
    return usagesIn(await open(), "title");
  };
  expect(await counted()).toEqual([["", 0]]);
  expect(await counted({ functions: [{ name: "say", key: 0 }] })).toEqual([["", 1]]);
});

test("keys that the project file keeps are not unused, and its source language is that of the texts", async () => {
  app("", { title: "Title", old: "Old", kept: "Kept" });
  write("src/a.ts", 'import i18next from "i18next";\ni18next.t("common:title");\n');
  const files = [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }];
  const unused = async (more: object) => {
    write(PROJECT_FILE, JSON.stringify({ files, ...more }));
    const found = await open();
    const [project] = found.projects;
    if (project === undefined) throw new Error("no project");
    const report = await usageReport(project, found.projects);
    return [project.local.sourceLocale, ...report.unused.map(({ key }) => key)];
  };
  expect(await unused({})).toEqual(["en", "old", "kept"]);
  expect(await unused({ usage: { keep: ["common.ke*"] } })).toEqual(["en", "old"]);
  expect(await unused({ sourceLocale: "nl" })).toContain("nl");
});

describe("a folder with a token", () => {
  let shop: FixtureProject;
  beforeEach(async () => {
    shop = await openFixtureProject();
  });
  afterEach(() => shop.close());
  const asked: string[] = [];
  const connect = (baseUrl = shop.service.baseUrl, token = shop.service.token) => ({
    accessTo: () => {
      asked.push(baseUrl);
      return { token, baseUrl };
    },
    progress: { report: () => undefined },
  });

  test("needs exactly one project, whose file can be read completely, before the token is asked for", async () => {
    app("shop");
    app("blog");
    asked.length = 0;
    await expect(openFolder(folder, { connect: connect() })).rejects.toMatchObject({
      code: "no_project",
      message: `There are several projects in ${folder}: blog, shop. Name the folder of one.`,
    });
    rmSync(join(folder, "blog"), { recursive: true });
    write("shop/project-translations.json", "{ nonsense");
    await expect(openFolder(folder, { connect: connect() })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^project-translations\.json: /u),
    });
    write("shop/project-translations.json", '{ "files": [{ "path": "../x.json" }] }');
    await expect(openFolder(folder, { connect: connect() })).rejects.toMatchObject({
      message: expect.stringMatching(/^project-translations\.json: files\.0\.path: ./u),
    });
    expect(asked).toEqual([]);
  });

  test("has the keys of the service, also with a base URL without its version; nothing of them is kept", async () => {
    const where = join(shop.folder, "app");
    await shop.write(PROJECT_FILE, JSON.stringify(FIXTURE_PROJECT_FILE));
    const { client } = await shop.open();
    await client.sync({ keys: [{ namespace: "cart", key: "theirs", value: "Theirs" }] });
    const cache = join(shop.folder, "cache");
    mkdirSync(cache);
    const origin = new URL(shop.service.baseUrl).origin;
    const signedIn = await openFolder(where, { connect: connect(origin), cache });
    const [project] = signedIn.projects;
    expect(Array.from(project?.project.keys.values() ?? [], ({ key }) => key)).toEqual(["theirs"]);
    expect(project?.project.session).toMatchObject({
      kind: "signed-in",
      name: "Shop",
      slug: "shop",
      canWrite: true,
    });
    expect([project?.local.sourceLocale, project?.project.freshness.kind]).toEqual(["en", "fresh"]);
    await client.sync({ keys: [{ namespace: "cart", key: "more", value: "More" }] });
    await project?.reload();
    expect(Array.from(project?.project.keys.values() ?? [], ({ key }) => key)).toEqual(["theirs", "more"]);
    expect(project?.project.loadedLocales()).toContain("nl");
    await signedIn.close();
    expect(readdirSync(cache).every((name) => name.includes(".personal.db"))).toBe(true);
    const withoutCache = await openFolder(where, { connect: connect(origin), reads: "nothing" });
    expect(withoutCache.projects[0]?.project.session.kind).toBe("signed-in");
    await withoutCache.close();
    await expect(openFolder(where, { connect: connect(`${origin}/nowhere`) })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("remembers what its files and the service agree on for each project of the service", async () => {
    const where = join(shop.folder, "app");
    const cache = join(shop.folder, "cache");
    mkdirSync(cache);
    const other = await openFixtureProject();
    const openedWith = async ({ service: { baseUrl, token } }: FixtureProject) => {
      const found = await openFolder(where, { connect: connect(baseUrl, token), cache, reads: "nothing" });
      opened.push(found);
      return found.projects[0]?.project.agreedTexts;
    };
    try {
      await (await openedWith(shop))?.store([{ locale: "nl", hash: "a", fingerprint: "agreed" }]);
      expect((await openedWith(other))?.get("nl", "a")).toBeUndefined();
      expect((await openedWith(shop))?.get("nl", "a")).toBe("agreed");
    } finally {
      await other.close();
    }
  });

  test("follows jobs as a program of its own, which other programs of the folder leave to it", async () => {
    const own = await openFixtureProject();
    const cache = join(own.folder, "cache");
    mkdirSync(cache);
    const ends: Promise<unknown>[] = [];
    for (const id of [1, 2]) {
      const found = await openFolder(join(own.folder, "app"), {
        connect: connect(own.service.baseUrl, own.service.token),
        cache,
        reads: "nothing",
      });
      opened.push(found);
      const jobs = found.projects[0]?.service?.jobs;
      if (jobs !== undefined) ends.push(jobs.follow({ ...RUNNING_JOB, id }, { kind: "import", subject: [] }));
    }
    await own.service.stop();
    const leases = () =>
      opened.flatMap(({ projects: [project] }) => {
        project?.service?.jobs.pollNow();
        return project?.project.personal.get("jobs", LEASES) ?? [];
      });
    await waitUntil(() => leases().every(({ lease }) => lease !== null));
    expect(new Set(leases().map(({ lease }) => lease?.window)).size).toBe(2);
    for (const each of opened.splice(0)) await each.close();
    expect(await Promise.all(ends)).toMatchObject([{ kind: "unwatched" }, { kind: "unwatched" }]);
    rmSync(own.folder, { recursive: true });
  });

  test("is waited for as long as the service says, which is reported", async () => {
    const { baseUrl, token } = shop.service;
    const limited = { status: 429, headers: { "Retry-After": "7" } };
    vi.spyOn(globalThis, "fetch").mockResolvedValueOnce(Response.json({ message: "Wait." }, limited));
    let passed = 0;
    const sleep = clock.sleep.bind(clock);
    vi.spyOn(clock, "monotonic").mockImplementation(() => performance.now() + passed);
    vi.spyOn(clock, "sleep").mockImplementation(async (duration, signal) => {
      // Requests have a limit, too.
      if (duration > 10_000) return sleep(duration, signal);
      passed += duration;
    });
    const reported: string[] = [];
    const progress = { report: (message: string) => reported.push(message) };
    const where = join(shop.folder, "app");
    const found = await openFolder(where, {
      connect: { accessTo: () => ({ token, baseUrl }), progress },
      reads: "nothing",
    });
    opened.push(found);
    expect(found.projects[0]?.project.session.kind).toBe("signed-in");
    expect(new Set(reported)).toEqual(new Set(["Paused: rate limit"]));
  });

  test("of an archived project is refused as archived", async () => {
    const archived = await openFixtureProject({ archived: true });
    try {
      const { baseUrl, token } = archived.service;
      await expect(
        openFolder(join(archived.folder, "app"), { connect: connect(baseUrl, token) }),
      ).rejects.toMatchObject({
        code: "forbidden",
        message: "The project is archived: nothing can be read or changed until it is restored.",
      });
    } finally {
      await archived.close();
    }
  });
});

describe("files of a folder", () => {
  test("are read through links within it, and are recent just after a write, which another may follow", async () => {
    write("en.json", "{}");
    symlinkSync(join(folder, "en.json"), join(folder, "nl.json"));
    const files = projectFiles(folder);
    expect(await files.read("nl.json")).toMatchObject({ kind: "read", dirty: false, recent: true });
  });

  test("are found behind links within it, and not behind those out of it or in a circle", async () => {
    write("a/file.json", "{}");
    symlinkSync(join(folder, "a"), join(folder, "inside"));
    symlinkSync(tmpdir(), join(folder, "outside"));
    symlinkSync(join(folder, "circle"), join(folder, "circle"));
    expect(await resolveWithin(folder, join(folder, "a/file.json"))).toBe(join(folder, "a/file.json"));
    expect(await resolveWithin(folder, join(folder, "inside/file.json"))).toBe(join(folder, "a/file.json"));
    expect(await resolveWithin(folder, join(folder, "outside/file.json"))).toBeNull();
    expect(await resolveWithin(folder, join(folder, "circle/file.json"))).toBeNull();
    expect(await mayWrite(folder, "a/new.json")).toBe(true);
    for (const path of ["outside/new.json", "circle/new.json", "../new.json", ".vscode/tasks.json"])
      expect(await mayWrite(folder, path), path).toBe(false);
  });

  test("are small ones that exist, or none", async () => {
    write("a.json", "12345");
    mkdirSync(join(folder, "directory"));
    symlinkSync("/etc/hostname", join(folder, "link.json"));
    const read = async (path: string, max = 5) => {
      const bytes = await readSmallFile(folder, path, max);
      return bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : bytes;
    };
    expect([await read("a.json"), await read("a.json", 4), await read("none.json")]).toEqual([
      "12345",
      null,
      undefined,
    ]);
    expect([await read("directory"), await read("link.json")]).toEqual([null, null]);
    expect(await read("x".repeat(300))).toBeNull();
  });

  test("that are project files are read below roots, not in packages, and never through links out of the folder", async () => {
    write(PROJECT_FILE, '{ "sourceLocale": "nl" }');
    write(`app/${PROJECT_FILE}`, "{}");
    write(`vendor/pack/${PROJECT_FILE}`, "{}");
    write(`node_modules/pack/${PROJECT_FILE}`, "{}");
    mkdirSync(join(folder, "linked"));
    symlinkSync("/etc/hostname", join(folder, "linked", PROJECT_FILE));
    write(`old/${PROJECT_FILE}`, "{}");
    const found = await findProjectFiles(folder, createFolderSearch(folder), ["old/"]);
    expect(found.toSorted()).toEqual([`app/${PROJECT_FILE}`, PROJECT_FILE]);
    expect((await readProjectFile(folder, "")).file.sourceLocale).toBe("nl");
    expect(await readProjectFile(folder, "none")).toBe(NO_FILE);
    expect(await readProjectFile(folder, "linked")).toBe(UNSAFE_FILE);
    expect(existsSync(join(folder, "linked", PROJECT_FILE))).toBe(true);
  });

  test("are not written where the folder is gone, or where one changed at the last moment", async () => {
    write("app/nl.json", "{}");
    const root = join(folder, "app");
    const bytes = (text: string) => new TextEncoder().encode(text);
    const edit = { path: "nl.json", before: bytes("{}"), after: bytes('{ "a": "b" }') };
    const chmod: typeof disk.chmod = async (path, mode) => {
      await disk.chmod(path, mode);
      // Somebody saves while the new content is written beside the file.
      writeFileSync(join(root, "nl.json"), '{ "theirs": "" }');
    };
    const files = projectFiles(root, { disk: { ...disk, chmod } });
    expect(await files.write([edit])).toEqual({ kind: "changed", paths: ["nl.json"] });
    expect(readdirSync(root)).toEqual(["nl.json"]);
    expect(new TextDecoder().decode(await disk.readFile(join(root, "nl.json")))).toBe('{ "theirs": "" }');
    expect(await projectFiles(root).write([{ ...edit, before: bytes('{ "theirs": "" }') }])).toEqual({
      kind: "written",
    });
    rmSync(root, { recursive: true });
    await expect(
      projectFiles(root).write([{ path: "fr.json", before: undefined, after: bytes("{}") }]),
    ).rejects.toMatchObject({ code: "unsafe_file", details: { reason: "folder_missing" } });
    expect(existsSync(root)).toBe(false);
  });

  test("are not read behind a link out of the folder that is made later", async () => {
    write("app/lang/nl.json", "{}");
    write("out/nl.json", "{}");
    const clock = vi.spyOn(performance, "now").mockReturnValue(10_000);
    const files = projectFiles(join(folder, "app"));
    expect(await files.read("lang/nl.json")).toMatchObject({ kind: "read" });
    rmSync(join(folder, "app/lang"), { recursive: true });
    symlinkSync(join(folder, "out"), join(folder, "app/lang"));
    clock.mockReturnValue(12_001);
    expect(await files.read("lang/nl.json")).toEqual({ kind: "unreadable", reason: "outside" });
  });

  test("that cannot be read say why: outside, a broken link, no file, or nothing there", async () => {
    mkdirSync(join(folder, "directory"));
    symlinkSync(tmpdir(), join(folder, "outside"));
    symlinkSync(join(folder, "nowhere"), join(folder, "broken"));
    symlinkSync(join(folder, "circle"), join(folder, "circle"));
    const files = projectFiles(folder);
    const read = async (path: string) => {
      const outcome = await files.read(path);
      expect(await files.stat(path)).toBeUndefined();
      return outcome.kind === "unreadable" ? outcome.reason : outcome.kind;
    };
    expect(await read("directory")).toBe("not_a_file");
    expect(await read("outside")).toBe("outside");
    expect(await read("broken")).toBe("broken_link");
    expect(await read("circle")).toBe("broken_link");
    expect(await read("nothing")).toBe("missing");
    expect(await read("x".repeat(300))).toBe("failed");
    symlinkSync("/etc", join(folder, "out"));
    const known = { size: 1, modified: 1 };
    expect(await files.read("out/hostname", known)).toEqual({ kind: "unreadable", reason: "outside" });
    const edit = { path: "directory", before: undefined, after: new Uint8Array() };
    expect(await files.write([edit])).toEqual({ kind: "changed", paths: ["directory"] });
    await expect(files.read("../a")).rejects.toMatchObject({ code: "unsafe_file" });
  });
});
