/** The usages in folders outside of the project's whose code belongs to it, on a real disk. */
import { afterEach, describe, expect, test } from "vitest";
import type { UsageOptions } from "../../../../src/workspace/usages/usage-indexer.ts";
import { NO_TEXTS, SourceFolder, usageOptions } from "../../support/source-folder.ts";

let folder: SourceFolder;

afterEach(() => folder.dispose());

describe("code folders outside of the project's", () => {
  const files = {
    ".gitignore": "dist/\n",
    "src/a.ts": 't("a")',
    "../web/src/b.ts":
      'import { KINDS } from "./kinds"; import { SECRET } from "../../other/c"; t("b"); t(`k.${KINDS[i]}`); t(`k.${SECRET}`)',
    "../web/src/kinds.ts": 'export const KINDS = ["one", "two"] as const;',
    "../web/.gitignore": "ignored/\n",
    "../web/ignored/x.ts": 't("b")',
    "../web/node_modules/x.ts": 't("b")',
    "../web/nested/x.ts": 't("b")',
    "../other/c.ts": 'export const SECRET = "three"; t("b")',
  };
  const options: UsageOptions = {
    ...usageOptions(),
    codeFolders: ["../web"],
    otherProjects: ["../web/nested"],
  };

  test("are searched like its own, and nothing beside them", async () => {
    folder = new SourceFolder(files);
    const { database, usages } = folder.open();
    folder.setKeys(database, ["*|a", "*|b", "*|k.one", "*|k.two", "*|k.three"]);
    const indexer = folder.indexer(database);
    await indexer.update(options, NO_TEXTS);
    const paths = (hash: string): readonly string[] => usages.usagesOf(hash).map(({ path }) => path);
    expect([...usages.paths()]).toEqual(["../web/src/b.ts", "../web/src/kinds.ts", "src/a.ts"]);
    expect(paths("*|b")).toEqual(["../web/src/b.ts"]);
    expect(paths("*|k.one")).toEqual(["../web/src/b.ts"]);
    expect(folder.reads).not.toContain("../other/c.ts");

    folder.write("../web/src/d.ts", 't("a")');
    folder.write("../web/src/kinds.ts", 'export const KINDS = ["two"] as const;');
    await indexer.updateFiles(["../web/src/d.ts", "../web/src/kinds.ts", "../other/c.ts"], options, NO_TEXTS);
    expect(paths("*|a").toSorted()).toEqual(["../web/src/d.ts", "src/a.ts"]);
    expect([...usages.paths()]).not.toContain("../other/c.ts");

    await indexer.update(usageOptions(), NO_TEXTS);
    expect([...usages.paths()]).toEqual(["src/a.ts"]);
  });

  test("are matched with the globs of the project file", async () => {
    folder = new SourceFolder(files);
    const { database, usages } = folder.open();
    await folder.indexer(database).update({ ...options, include: ["../web/src/b*"] }, NO_TEXTS);
    expect([...usages.paths()]).toEqual(["../web/src/b.ts"]);
  });
});
