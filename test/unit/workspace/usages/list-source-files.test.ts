/** Lists and reads the folder of a project on disk, and nothing outside of it. */
import { statSync } from "node:fs";
import { mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { diskStamp } from "../../../../src/workspace/file-system/atomic-write.ts";
import {
  NO_STAMP,
  outsideFolders,
  type SourceFiles,
  sourceFilesOf,
} from "../../../../src/workspace/usages/list-source-files.ts";
import { temporaryFolder } from "../../support/node-platform.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
let files: SourceFiles;
beforeEach(async () => {
  folder = await temporaryFolder();
  root = join(folder.path, "app");
  await mkdir(join(root, "src"), { recursive: true });
  await writeFile(join(root, "src", "a.ts"), "t('a')");
  await writeFile(join(root, "b.ts"), "");
  await writeFile(join(folder.path, "secret.ts"), "t('secret')");
  files = sourceFilesOf(root);
});
afterEach(() => {
  vi.restoreAllMocks();
  return folder.remove();
});

test("a file that exists and cannot be read is not missing", () => {
  // No file can have a longer name.
  expect(files.read(`${"a".repeat(300)}.ts`)).toEqual({
    kind: "skipped",
    stamp: NO_STAMP,
    reason: "unreadable",
  });
});

describe("list", () => {
  test("separates files and folders", async () => {
    expect(await files.list("")).toEqual({ files: ["b.ts"], folders: ["src"], linksOut: [] });
    expect(await files.list("src")).toEqual({ files: ["a.ts"], folders: [], linksOut: [] });
    expect(await files.list("none")).toEqual({ files: [], folders: [], linksOut: [] });
  });

  test("does not follow symbolic links to folders", async () => {
    await symlink(join(root, "src"), join(root, "link"), "junction");
    const listed = await files.list("");
    expect([listed.files.toSorted(), listed.folders]).toEqual([["b.ts", "link"], ["src"]]);
  });
});

describe("read", () => {
  /** Gives a file a time that is less than two seconds ago, however slow the machine is. */
  const now = (path: string): Promise<void> => utimes(join(root, path), 0, Date.now() / 1000 + 3_600);

  test("reads a recently written file again next time", async () => {
    await now("src/a.ts");
    const read = files.read("src/a.ts");
    expect(read).toEqual({ kind: "read", stamp: NO_STAMP, bytes: Buffer.from("t('a')") });
    expect(files.read("src/a.ts", NO_STAMP)).toMatchObject({ kind: "read" });
  });

  test("does not read a file with the known stamp", async () => {
    const { size, modified } = diskStamp(statSync(join(root, "src", "a.ts")));
    expect(files.read("src/a.ts", { size, modified })).toEqual({ kind: "same" });
    expect(files.read("src/a.ts", { size: size + 1, modified })).toMatchObject({ kind: "read" });
    expect(files.read("src/a.ts", { size, modified: modified - 1 })).toMatchObject({ kind: "read" });
  });

  test("reports missing files and non-files as missing", async () => {
    expect(files.read("src/none.ts")).toEqual({ kind: "missing" });
    expect(files.read("src")).toEqual({ kind: "missing" });
    expect(files.read("b.ts/a.ts")).toEqual({ kind: "missing" });
  });

  test("reads nothing outside of the folder, and names links there", async () => {
    await symlink(join(folder.path, "secret.ts"), join(root, "link.ts"));
    await symlink(join(root, "src", "a.ts"), join(root, "own.ts"));
    await symlink(join(root, "loop.ts"), join(root, "loop.ts"));
    await symlink(folder.path, join(root, "out"), "junction");
    await symlink(join(root, "src"), join(root, "in"), "junction");
    expect(files.read("../secret.ts")).toEqual({ kind: "missing" });
    const outside = { kind: "skipped", stamp: NO_STAMP, reason: "outside" };
    expect(files.read("link.ts")).toEqual(outside);
    expect(await files.list("")).toMatchObject({ linksOut: ["out"] });
    expect(files.read("out/secret.ts")).toEqual({ kind: "missing" });
    expect(files.read("in/a.ts")).toMatchObject({ kind: "read", bytes: Buffer.from("t('a')") });
    expect(files.read("loop.ts")).toEqual({ kind: "missing" });
    expect(files.read("own.ts")).toMatchObject({ kind: "read", bytes: Buffer.from("t('a')") });
  });

  test("reads nothing of a folder that leads out of this one by then", async () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(10_000);
    expect(files.read("src/a.ts")).toMatchObject({ kind: "read" });
    await writeFile(join(folder.path, "a.ts"), "t('secret')");
    await rm(join(root, "src"), { recursive: true });
    await symlink(folder.path, join(root, "src"), "junction");
    clock.mockReturnValue(11_001);
    expect(files.read("src/a.ts")).toEqual({ kind: "missing" });
  });

  test("rejects files over 8 MiB", async () => {
    await writeFile(join(root, "b.ts"), Buffer.alloc(8 * 1024 * 1024));
    expect(files.read("b.ts")).toMatchObject({ kind: "read" });
    await writeFile(join(root, "b.ts"), Buffer.alloc(8 * 1024 * 1024 + 1));
    await now("b.ts");
    expect(files.read("b.ts")).toEqual({ kind: "skipped", stamp: NO_STAMP, reason: "too-large" });
  });
});

describe("a folder beside it", () => {
  test("is listed and read, but nothing that links lead to", async () => {
    await mkdir(join(folder.path, "ui", "src"), { recursive: true });
    await writeFile(join(folder.path, "ui", "src", "a.ts"), "t('ui')");
    await symlink(join(folder.path, "secret.ts"), join(folder.path, "ui", "link.ts"));
    await symlink(join(folder.path, "ui", "src", "a.ts"), join(folder.path, "ui", "own.ts"));
    await symlink(folder.path, join(folder.path, "ui", "out"), "junction");
    expect(await files.list("../ui")).toEqual({
      files: expect.arrayContaining(["link.ts", "own.ts", "out"]) as string[],
      folders: ["src"],
      linksOut: ["out"],
    });
    expect(files.read("../ui/src/a.ts")).toMatchObject({ kind: "read", bytes: Buffer.from("t('ui')") });
    expect(files.read("../ui/own.ts")).toMatchObject({ kind: "read" });
    expect(files.read("../ui/link.ts")).toMatchObject({ kind: "skipped", reason: "outside" });
    expect(files.read("../ui/out/secret.ts")).toEqual({ kind: "missing" });
  });

  test("that is a link is not read", async () => {
    const other = await temporaryFolder();
    await writeFile(join(other.path, "secret.ts"), "t('secret')");
    await symlink(other.path, join(folder.path, "linked"), "junction");
    expect(files.read("../linked/secret.ts")).toEqual({ kind: "missing" });
    await other.remove();
  });
});

test.each([
  [["../ui/src/**/*.{ts,tsx}", "**/*.ts"], ["../ui/src"]],
  [["../../libs/*/src/**"], ["../../libs"]],
  [["../ui/*.ts", "../ui/{a,b}/*.ts"], ["../ui"]],
  [["../ui/src/a.ts"], ["../ui/src"]],
  [["../**/*.ts", "..", "../a.ts", "src/**"], []],
  [["../ui/../../secret/**", "../ui/./a/**"], []],
])("the folders outside in which %j may match", (globs, folders) => {
  expect(outsideFolders(globs)).toEqual(folders);
});
