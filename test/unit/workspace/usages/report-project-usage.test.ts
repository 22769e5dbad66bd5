/** What the index of a project and its usage report look at: files, options, and the other projects. */
import { afterEach, expect, test } from "vitest";
import type { ProjectKey } from "../../../../src/database/records.ts";
import { pathMatcher } from "../../../../src/workspace/file-system/globs.ts";
import { DEFAULT_INCLUDE, MENTIONING_FILES } from "../../../../src/workspace/usages/list-source-files.ts";
import {
  type IndexedProject,
  mentioningScope,
  reportProjectUsage,
} from "../../../../src/workspace/usages/report-project-usage.ts";
import { usageOptionsOf } from "../../../../src/workspace/usages/usage-indexer.ts";
import { keyOf, NO_TEXTS, SourceFolder, usageOptions } from "../../support/source-folder.ts";

const OPTIONS = usageOptions("i18next");
const folders: SourceFolder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.dispose();
});

test("the project file says which files are scanned, besides what is no file of the project", () => {
  expect(usageOptionsOf({}, ["dist/"], { ...OPTIONS, otherProjects: ["b"] })).toEqual({
    ...OPTIONS,
    otherProjects: ["b"],
    exclude: ["dist/"],
  });
  const usage = { include: ["src/**"], exclude: ["src/old/"], ignoredFunctions: ["say"], keep: ["a.*"] };
  expect(usageOptionsOf({ usage }, ["dist/"], OPTIONS)).toEqual({
    ...OPTIONS,
    include: ["src/**"],
    exclude: ["dist/", "src/old/"],
    ignoredFunctions: ["say"],
  });
});

test("names are looked for in the code, whatever the project file includes, and in other texts", () => {
  expect(mentioningScope(OPTIONS)).toEqual({ include: [...DEFAULT_INCLUDE, MENTIONING_FILES] });
  const scope = { exclude: ["dist/"], otherProjects: ["b"], codeFolders: ["../web"] };
  expect(mentioningScope({ ...OPTIONS, ...scope, include: ["src/**/*.foo"] })).toEqual({
    ...scope,
    include: ["src/**/*.foo", ...DEFAULT_INCLUDE, MENTIONING_FILES],
  });
});

test("names are looked for in templates, documents and configuration of every kind", () => {
  const endings =
    "html htm xhtml twig latte tpl svelte hbs ejs erb haml slim pug njk liquid mustache md mdx yml yaml neon ini toml conf " +
    "properties json json5 jsonc xml xsl graphql gql sql rb go rs java kt scala cs fs swift dart py ex exs lua c h cpp hpp " +
    "coffee txt";
  const isLookedAt = pathMatcher([MENTIONING_FILES]);
  expect(endings.split(" ").filter((ending) => !isLookedAt(`docs/a.${ending}`))).toEqual([]);
  expect(["a.png", "a.exe", "a.lock"].filter(isLookedAt)).toEqual([]);
  const isCode = pathMatcher(DEFAULT_INCLUDE);
  const code = "ts tsx js jsx mjs cjs mts cts vue svelte astro php py html".split(" ");
  expect(code.filter((ending) => !isCode(`src/a.${ending}`))).toEqual([]);
});

/** A project with these files and keys, whose code is indexed. */
async function indexed(
  root: string,
  files: Readonly<Record<string, string>>,
  keys: readonly string[],
): Promise<IndexedProject & { readonly keys: { values: () => ProjectKey[] } }> {
  const folder = new SourceFolder(files);
  folders.push(folder);
  const { database, usages, names } = folder.open();
  folder.setKeys(database, keys);
  const indexer = folder.indexer(database);
  await indexer.update(OPTIONS, NO_TEXTS);
  const details = { description: null, maxLength: null, tags: [], sourceHash: null, updatedAt: null };
  return {
    root,
    usages,
    names,
    lookup: OPTIONS.lookup,
    keys: {
      values: () => keys.map((key) => ({ ...keyOf(key), isPlural: false, text: null, ...details })),
    },
    findOccurrences: (searched) =>
      indexer.findOccurrences(searched, { include: ["**"] }, [], OPTIONS.lookup.frameworks, NO_TEXTS),
  };
}

test("files of other projects are named from the project’s folder, and calls with the number of their keys", async () => {
  const keys = ["shop|status.a", "shop|status.b", "shop|save", "shop|gone", "shop|menu.x"];
  const app = await indexed("/w/apps/web", { "a.ts": 't("shop:status." + x); t("shop:menu." + y);' }, keys);
  const other = await indexed("/w/packages/ui", { "docs/read.md": "shop:gone" }, []);
  const indexer = folders[0]?.indexer(folders[0].open().database);
  const report = await reportProjectUsage(
    {
      ...app,
      keep: ["shop:save"],
      findEvidence: async () => (await indexer?.findEvidence(OPTIONS.lookup, [], NO_TEXTS)) ?? expect.fail(),
    },
    [other],
  );
  expect(report.used.map(({ hash }) => hash)).toEqual(["shop|save"]);
  expect(report.undeterminable.map(({ key, path }) => [key.hash, path])).toEqual([
    ["shop|gone", "../../packages/ui/docs/read.md"],
  ]);
  expect(report.probablyUnused.map(({ key }) => key.hash)).toEqual([
    "shop|status.a",
    "shop|status.b",
    "shop|menu.x",
  ]);
  expect([...report.heldKeys.values()].toSorted((a, b) => a - b)).toEqual([1, 2]);
});
