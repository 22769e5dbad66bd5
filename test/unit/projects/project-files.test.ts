/** The files of a project on disk: what is read of open documents, and what is written if something else writes, too. */
import * as disk from "node:fs/promises";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProjectFiles, readSmallFile } from "../../../src/projects/project-files.ts";
import { createFolderSearch } from "../../../src/workspace/project-detection/folder-search.ts";
import { projectFiles, temporaryFolder } from "../support/node-platform.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  await mkdir(at("texts/nl"), { recursive: true });
  await symlink(at("texts"), at("lang"));
  for (const path of PATHS) await writeFile(at(path), "before");
});
afterEach(() => folder.remove());

const PATHS = ["lang/en.json", "lang/nl.json", "texts/de.json"] as const;
const at = (path: string): string => join(folder.path, path);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const writes = PATHS.map((path) => ({ path, before: bytes("before"), after: bytes("after") }));
const contents = (): Promise<readonly string[]> =>
  Promise.all(PATHS.map((path) => readFile(at(path), "utf8")));

test("none is written if one changed since it was read, which is named as in the project", async () => {
  await writeFile(at("texts/nl.json"), "theirs");
  const outcome = await projectFiles(folder.path).write(writes);
  expect(outcome).toEqual({ kind: "changed", paths: ["lang/nl.json"] });
  expect(await contents()).toEqual(["before", "theirs", "before"]);
});

test("none is written if one changes while they are prepared, which is named as in the project", async () => {
  let prepared = 0;
  const files = projectFiles(folder.path, {
    disk: {
      ...disk,
      access: async (path, mode) => {
        if (++prepared === PATHS.length) await writeFile(at("texts/nl.json"), "theirs");
        return disk.access(path, mode);
      },
    },
  });
  expect(await files.write(writes)).toEqual({ kind: "changed", paths: ["lang/nl.json"] });
  expect(await contents()).toEqual(["before", "theirs", "before"]);
  expect((await readdir(at("texts"))).toSorted()).toEqual(["de.json", "en.json", "nl", "nl.json"]);
});

test("none is written where a folder is in the place of one", async () => {
  const [first, ...others] = writes;
  const inTheWay = { path: "lang/nl", before: undefined, after: bytes("after") };
  const outcome = await projectFiles(folder.path).write(
    [first, inTheWay, ...others].filter((each) => each !== undefined),
  );
  expect(outcome).toEqual({ kind: "changed", paths: ["lang/nl"] });
  expect(await contents()).toEqual(["before", "before", "before"]);
});

test("a document with unsaved changes is that of each path that leads to its file", async () => {
  const stamp = { modified: 1, size: 5 };
  const files = openProjectFiles({
    root: folder.path,
    search: createFolderSearch(folder.path),
    scope: () => ({ exclude: [], otherProjects: [] }),
    documents: {
      unsaved: (target) =>
        target === at("texts/nl.json") ? { stamp, bytes: () => bytes("typed") } : undefined,
      write: () => Promise.resolve({ kind: "written" }),
    },
  });
  const textAt = async (path: string): Promise<string> => {
    const found = await files.read(path);
    return found.kind === "read" ? `${new TextDecoder().decode(found.bytes)} ${found.dirty}` : found.kind;
  };
  expect([await textAt("texts/nl.json"), await textAt("lang/nl.json")]).toEqual(["typed true", "typed true"]);
  expect([await textAt("lang/en.json"), await textAt("lang/fr.json")]).toEqual(["before false", "missing"]);
  expect(await files.stat("lang/nl.json")).toEqual(stamp);
});

test("files that an editor prepared and then did not write are not left beside the others", async () => {
  const files = openProjectFiles({
    root: folder.path,
    search: createFolderSearch(folder.path),
    scope: () => ({ exclude: [], otherProjects: [] }),
    documents: {
      unsaved: () => undefined,
      write: async (all, stage) => {
        const staged = await stage(all);
        expect(await readdir(at("texts"))).toHaveLength(8);
        await staged.discard();
        return { kind: "changed", paths: [] };
      },
    },
  });
  const added = { path: "lang/new/fr.json", before: undefined, after: bytes("after") };
  await files.write([...writes, added]);
  expect((await readdir(at("texts"))).toSorted()).toEqual(["de.json", "en.json", "nl", "nl.json"]);
  expect(await contents()).toEqual(["before", "before", "before"]);
});

test("a small file is read up to its largest size, and not beyond", async () => {
  expect(await readSmallFile(folder.path, "lang/en.json", "before".length)).toEqual(bytes("before"));
  expect(await readSmallFile(folder.path, "lang/en.json", "before".length - 1)).toBeNull();
  expect(await readSmallFile(folder.path, "lang/fr.json", 100)).toBeUndefined();
});
