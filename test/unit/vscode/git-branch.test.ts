/** The current branch of a folder, and whether it is the default one, read from the files of git. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { branchOf } from "../../../src/vscode/files/git-branch.ts";
import { temporaryFolder } from "../support/node-platform.ts";
import { FileType, Uri, workspace } from "../support/vscode-stub.ts";

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}
const branch = (path = "."): ReturnType<typeof branchOf> => branchOf(Uri.file(join(folder, path)));
const HEAD = (name: string): string => `ref: refs/heads/${name}\n`;
const REMOTE = "refs/remotes/origin/HEAD";

test("a folder without a repository has none, and then the one that is checked out", async () => {
  expect(await branch()).toBeNull();
  await write(".git/HEAD", HEAD("feature/cart"));
  expect(await branch()).toEqual({ name: "feature/cart", isDefault: false });
  // Also where that file is a link.
  const { stat } = workspace.fs;
  vi.spyOn(workspace.fs, "stat").mockImplementation(async (uri) => {
    const found = await stat(uri);
    return { ...found, type: (found.type | FileType.SymbolicLink) as typeof found.type };
  });
  expect(await branch()).toEqual({ name: "feature/cart", isDefault: false });
  await write(".git/HEAD", "4b825dc642cb6eb9a060e54bf8d69288fbee4904\n");
  expect(await branch()).toBeNull();
});

test("a folder has that of the nearest repository around it", async () => {
  await write(".git/HEAD", HEAD("outer"));
  await mkdir(join(folder, "app/src"), { recursive: true });
  expect(await branch("app/src")).toMatchObject({ name: "outer" });
  await write("app/.git/HEAD", HEAD("inner"));
  expect(await branch("app/src")).toMatchObject({ name: "inner" });
  expect(await branch()).toMatchObject({ name: "outer" });
});

test.each(["main", "master", "trunk", "develop"])(
  "%s is a default branch, unless the remote has another one",
  async (name) => {
    await write(".git/HEAD", HEAD(name));
    expect(await branch()).toEqual({ name, isDefault: true });
    await write(`.git/${REMOTE}`, "ref: refs/remotes/origin/release/2\n");
    expect(await branch()).toEqual({ name, isDefault: false });
    await write(".git/HEAD", HEAD("release/2"));
    expect(await branch()).toEqual({ name: "release/2", isDefault: true });
  },
);

test("a linked worktree has its own branch, and the remote of its repository", async () => {
  await write("main/.git/HEAD", HEAD("main"));
  await write(`main/.git/${REMOTE}`, "ref: refs/remotes/origin/stable\n");
  await write("main/.git/worktrees/tree/HEAD", HEAD("stable"));
  await write("main/.git/worktrees/tree/commondir", "../..\n");
  await write("tree/.git", "gitdir: ../main/.git/worktrees/tree\n");
  await mkdir(join(folder, "tree/app/src"), { recursive: true });
  for (const path of ["tree", "tree/app/src"])
    expect(await branch(path)).toEqual({ name: "stable", isDefault: true });
  await write("tree/.git", `gitdir: ${join(folder, "main/.git/worktrees/tree")}\n`);
  expect(await branch("tree")).toEqual({ name: "stable", isDefault: true });
  expect(await branch("main")).toEqual({ name: "main", isDefault: false });
});

test.each(["//server/share/repository.git", "\\\\server\\share\\repository.git"])(
  "a link to another machine (%s) is not followed, nor is a repository around it taken",
  async (link) => {
    await write(".git/HEAD", HEAD("main"));
    await write("tree/.git", `gitdir: ${link}\n`);
    const asked = vi.spyOn(workspace.fs, "stat");
    expect(await branch("tree")).toBeNull();
    // To ask for it sends the name of the user to that machine.
    expect(
      asked.mock.calls.filter(([{ path, authority }]) => `${authority}${path}`.includes("server")),
    ).toEqual([]);
  },
);

test("a file that is too large for a reference is not read", async () => {
  await write(".git/HEAD", HEAD("main"));
  await write("app/.git/HEAD", HEAD("a".repeat(64 * 1024)));
  expect(await branch("app")).toMatchObject({ name: "main" });
});
