/** Files and folders of a layout that exist and cannot be read: their keys are not missing. */
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { folderFiles } from "../../../../src/workspace/file-system/disk-files.ts";
import type { PathFilter } from "../../../../src/workspace/file-system/globs.ts";
import { walkFolder } from "../../../../src/workspace/file-system/walk-folder.ts";
import { matchFolder, matchPath } from "../../../../src/workspace/file-layout/path-patterns.ts";
import { LocalEntries } from "../../../../src/workspace/local-files/local-entries.ts";
import { unparsedRanges, unparsedRangesOfAll } from "../../../../src/workspace/local-files/local-file.ts";
import { createLocalFileIndexing } from "../../../../src/workspace/local-files/local-file-loader.ts";
import type { FormatName } from "../../../../src/model/file-formats.ts";
import { projectFiles, temporaryFolder } from "../../support/node-platform.ts";

const PATTERN = "lang/{locale}/{namespace}.json";
const FILE = '{ "title": "Cart" }';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Database;

beforeEach(async () => {
  folder = await temporaryFolder();
  database = new Database();
  await put("app/lang/en/cart.json");
  await put("app/lang/nl/cart.json");
  await put("outside/shared.json");
});
afterEach(async () => {
  database.close();
  await folder.remove();
});

const at = (path: string): string => join(folder.path, path);
async function put(path: string, text = FILE): Promise<void> {
  await mkdir(join(at(path), ".."), { recursive: true });
  await writeFile(at(path), text);
}

function open(path = PATTERN, format: FormatName = "json_js"): LocalEntries {
  const files = folderFiles(at("app"));
  const fileIndexing = createLocalFileIndexing(database, {
    ...files,
    // Nothing is read again for having been written a moment ago.
    read: (each) => {
      const content = files.read(each);
      return content.kind === "read" ? { ...content, recent: false } : content;
    },
  });
  const local = new LocalEntries({
    database,
    version: "1",
    files: projectFiles(at("app")),
    keysVersion: () => 0,
    indexing: () => fileIndexing,
  });
  local.configure({
    files: [{ path, format }],
    locales: {},
    sourceLocale: "en",
    serviceLocales: ["en", "nl"],
  });
  return local;
}

const problems = (local: LocalEntries): unknown[] =>
  local.incomplete.map(({ path, reason }) => [path, reason]);
const hiding = (local: LocalEntries): string[] =>
  unparsedRanges(local).flatMap(({ path, key }) => (key === null ? path : []));

test("reports nothing where all files can be read", async () => {
  const local = await open().load();
  expect([problems(local), hiding(local)]).toEqual([[], []]);
});

describe("a source file", () => {
  test.each([
    [
      "that is a link out of the project",
      () => symlink(at("outside/shared.json"), at("app/lang/en/x.json")),
      "outside",
    ],
    ["that is a link to nothing", () => symlink("../nothing.json", at("app/lang/en/x.json")), "broken_link"],
    ["that is a link to itself", () => symlink("x.json", at("app/lang/en/x.json")), "broken_link"],
    [
      "whose folder is a link to nothing",
      async () => {
        await rm(at("app/lang/en"), { recursive: true });
        await symlink(at("nothing"), at("app/lang/en"));
      },
      "broken_link",
    ],
  ] as const)("%s is a problem", async (_, make, reason) => {
    await make();
    const local = await open().load();
    const [path] = hiding(local);
    expect(["lang/en/x.json", "lang/en"]).toContain(path);
    expect(problems(local)).toEqual([[path, reason]]);
  });

  test("is read once the link leads to a file", async () => {
    await symlink("../../later.json", at("app/lang/en/x.json"));
    const local = await open().load();
    const { revision } = local;
    await local.reload();
    expect(local.revision).toBe(revision);
    await put("app/later.json", '{ "sum": "Sum" }');
    await local.reload();
    expect([problems(local), hiding(local)]).toEqual([[], []]);
    expect([...local.entries("en").values()].map(({ name }) => name.namespace).sort()).toEqual(["cart", "x"]);
  });

  test("that became unreadable keeps none of its old keys and is not missing", async () => {
    const local = await open().load();
    await rm(at("app/lang/en/cart.json"));
    await symlink(at("outside/shared.json"), at("app/lang/en/cart.json"));
    await local.reload();
    expect(hiding(local)).toEqual(["lang/en/cart.json"]);
    expect([...local.entries("en").values()]).toEqual([]);
    expect(problems(local)).toEqual([["lang/en/cart.json", "outside"]]);
    await rm(at("outside/shared.json"));
    await local.reload();
    expect(problems(local)).toEqual([["lang/en/cart.json", "broken_link"]]);
  });
});

test("an unreadable file of another language does not keep source keys from being archived", async () => {
  await symlink("../nothing.json", at("app/lang/nl/x.json"));
  await symlink(at("nothing"), at("app/lang/de"));
  const local = await open().load();
  expect(hiding(local)).toEqual([]);
  expect(unparsedRangesOfAll(local).map(({ path }) => path)).toEqual(["lang/de", "lang/nl/x.json"]);
  expect(problems(local)).toEqual([
    ["lang/de", "broken_link"],
    ["lang/nl/x.json", "broken_link"],
  ]);
});

test("an unreadable folder of the source language is that of its name in the project file", async () => {
  await symlink(at("nothing"), at("app/lang/en_GB"));
  const local = open();
  const configure = (locales: Record<string, string>) =>
    local.configure({
      files: [{ path: PATTERN, format: "json_js" }],
      locales,
      sourceLocale: "en",
      serviceLocales: ["en", "nl"],
    });
  configure({ en_GB: "nl" });
  expect(hiding(await local.reload())).toEqual([]);
  configure({ en_GB: "en" });
  expect(hiding(await local.reload())).toEqual(["lang/en_GB"]);
});

test("an unreadable folder of another language may have source keys where each file has the source texts", async () => {
  await symlink(at("nothing"), at("app/lang/de"));
  const local = await open("lang/{locale}/{namespace}.xlf", "xliff12").load();
  expect(hiding(local)).toEqual(["lang/de"]);
});

test("an unreadable folder above those of the languages may have source keys", async () => {
  await rm(at("app/lang"), { recursive: true });
  await symlink(at("nothing"), at("app/lang"));
  expect(hiding(await open().load())).toEqual(["lang"]);
});

test("a broken translation hides source keys only where no source file has the texts, too", async () => {
  await put("app/lang/nl/cart.xlf", "<xliff");
  const local = await open("lang/{locale}/{namespace}.xlf", "xliff12").load();
  expect(local.unreadNamespaces).toBe("any");
  await put(
    "app/lang/en/cart.xlf",
    '<xliff version="1.2"><file original="cart" source-language="en"><body><trans-unit id="a"><source>A</source></trans-unit></body></file></xliff>',
  );
  await local.reload();
  expect([local.locales, local.unreadNamespaces]).toEqual([["en", "nl"], new Set()]);
});

test("names the namespaces whose keys may be missing, which are those of the source files alone", async () => {
  const local = await open().load();
  expect(local.unreadNamespaces).toEqual(new Set());
  await put("app/lang/nl/cart.json", "{ <<<<<<<");
  await put("app/lang/en/auth.json", "{ <<<<<<<");
  await symlink(at("nothing"), at("app/lang/de"));
  await local.reload();
  expect(local.unreadNamespaces).toEqual(new Set(["auth"]));
  expect(local.unreadSources).toEqual([
    { problem: local.incomplete.find(({ path }) => path === "lang/en/auth.json"), namespace: "auth" },
  ]);
  await rm(at("app/lang/en"), { recursive: true });
  await symlink(at("nothing"), at("app/lang/en"));
  await local.reload();
  expect(local.unreadNamespaces).toBe("any");
  expect(local.unreadSources).toMatchObject([{ problem: { path: "lang/en" }, namespace: null }]);
});

test.each([
  ["of another language hides no source keys", "lang/{locale}.csv", "lang/nl.csv", new Set()],
  ["hides keys of any namespace if it is of the source language", "lang/{locale}.csv", "lang/en.csv", "any"],
  ["hides keys of any namespace if it is of all languages", "texts.csv", "texts.csv", "any"],
] as const)("a table that cannot be read %s", async (_, pattern, path, expected) => {
  await put(`app/${path}`, '"');
  const local = await open(pattern, "csv").load();
  expect(local.incomplete.map((problem) => problem.path)).toEqual([path]);
  expect(local.unreadNamespaces).toEqual(expected);
});

test("a broken file hides any key while a new layout, which has it no longer, is not read by", async () => {
  await put("app/lang/en/auth.json", "{ <<<<<<<");
  const local = await open().load();
  local.configure({ files: [], locales: {}, sourceLocale: "en", serviceLocales: ["en"] });
  expect(local.unreadNamespaces).toBe("any");
});

test("a file that cannot be read is one of the source language, whichever that is", async () => {
  await symlink("nothing.json", at("app/texts.json"));
  const local = open("texts.json");
  expect((await local.load()).locales).toEqual(["en"]);
  const files = [{ path: "texts.json", format: "json_js" as const }];
  local.configure({ files, locales: {}, sourceLocale: "nl", serviceLocales: ["en", "nl"] });
  expect((await local.load()).locales).toEqual(["nl"]);
});

test("a deleted file is missing and no problem", async () => {
  const local = await open().load();
  await rm(at("app/lang/en/cart.json"));
  await local.reload();
  expect([problems(local), hiding(local)]).toEqual([[], []]);
});

test("a folder and a file without permission are problems", async () => {
  // Permissions do not apply to root.
  const isRoot = process.getuid?.() === 0;
  await put("app/lang/en/secret.json");
  await chmod(at("app/lang/en/secret.json"), 0);
  await put("app/lang/fr/cart.json");
  await chmod(at("app/lang/fr"), 0);
  try {
    const local = await open().load();
    expect(problems(local)).toEqual(
      isRoot
        ? []
        : [
            ["lang/fr", "failed"],
            ["lang/en/secret.json", "failed"],
          ],
    );
  } finally {
    await chmod(at("app/lang/fr"), 0o755);
  }
});

test("refuses to write where an unreadable file is", async () => {
  await symlink("../nothing.json", at("app/lang/nl/x.json"));
  const local = await open().load();
  const plan = await local.planEdit([
    { name: { namespace: "x", key: "title", context: null }, locale: "nl", text: { value: "Mand" } },
  ]);
  expect(plan.writes).toEqual([]);
  expect(plan.refused).toMatchObject([{ path: "lang/nl/x.json", reason: "unreadable" }]);
});

test("only looks at what may match", async () => {
  await mkdir(at("outside/deep"));
  await symlink("nowhere", at("outside/deep/en.json"));
  await symlink(at("outside"), at("app/lang/fr"));
  await symlink("nowhere", at("app/lang/readme.txt"));
  await mkdir(at("app/node_modules/lang"), { recursive: true });
  await symlink("nowhere", at("app/node_modules/lang/en.json"));
  await symlink("nl", at("app/lang/de"));
  await symlink("..", at("app/lang/nl/up"));
  await symlink("nowhere", at("app/lang/nl/x.json"));
  await put("app/lang/en/generated/x.json");
  await put("app/lang/en/other/x.json");
  await symlink("cart.json", at("app/lang/en/secret.json"));
  await symlink("cart.json", at("app/lang/en/cart.txt"));
  const filter: PathFilter = {
    matches: (path) => matchPath(PATTERN, path) !== null,
    mayContain: (path) => matchFolder(PATTERN, path) !== null,
  };
  const scope = { exclude: ["**/generated", "secret.json"], otherProjects: ["lang/en/other"] };
  const { files, unreadable } = await walkFolder(at("app"), filter, scope);
  // `de` is a link to `nl`. What is behind a link out of the folder is only listed to report it.
  expect(files.toSorted()).toEqual([
    "lang/de/cart.json",
    "lang/en/cart.json",
    "lang/fr/shared.json",
    "lang/nl/cart.json",
  ]);
  expect(unreadable.map(({ path }) => path).sort()).toEqual(["lang/de/x.json", "lang/nl/x.json"]);
});

test.each([
  ["lang/{locale}/{namespace}.php", "", true],
  ["lang/{locale}/{namespace}.php", "lang", true],
  ["lang/{locale}/{namespace}.php", "lang/nl", true],
  ["lang/{locale}/{namespace}.php", "lang/nl/admin", true],
  ["lang/{locale}/{namespace}.php", "lang/vendor", false],
  ["lang/{locale}/{namespace}.php", "src", false],
  ["{namespace}/{locale}.json", "src/deep", true],
  ["lang/{locale}.json", "lang/nl", false],
  ["lang/{locale}.json", "lang", true],
])("%s may match below “%s”: %s", (pattern, path, expected) => {
  expect(matchFolder(pattern, path) !== null).toBe(expected);
});
