/** Replaces several files together: disk errors, rollback, and recovery after a crash. */
import type { FileWrite } from "../../../../src/model/platform.ts";
import { createHash } from "node:crypto";
import * as nodeDisk from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Disk } from "../../../../src/workspace/file-system/atomic-write.ts";
import {
  recoverTransactions,
  FileWriteError,
  stageFiles,
} from "../../../../src/workspace/file-system/file-transaction.ts";
import { temporaryFolder } from "../../support/node-platform.ts";

/** No system gives a process such an id. */
const ENDED = 99_999_999;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let notes: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  notes = join(folder.path, "notes");
});
afterEach(() => folder.remove());

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
const at = (path: string): string => join(folder.path, path);
const put = (path: string, text: string): Promise<void> => nodeDisk.writeFile(at(path), text);
const replacement = (path: string, before: string | null, after: string): FileWrite => ({
  path: at(path),
  before: before === null ? undefined : bytes(before),
  after: bytes(after),
});

/** The text of every file, with the folders. */
async function found(): Promise<Record<string, string>> {
  const all = await nodeDisk.readdir(folder.path, { recursive: true, withFileTypes: true });
  const texts = all.map(async (each) => {
    const path = join(each.parentPath, each.name);
    return [
      path.slice(folder.path.length + 1).replaceAll("\\", "/"),
      each.isFile() ? await nodeDisk.readFile(path, "utf8") : "(folder)",
    ] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

/** The disk, which refuses what the test says. */
function refusing(refuses: (step: keyof Disk, path: string) => boolean): Disk {
  const step =
    (name: keyof Disk) =>
    async (path: string, ...rest: unknown[]): Promise<unknown> => {
      const places = name === "rename" ? String(rest[0]) : path;
      if (refuses(name, basename(places))) throw Object.assign(new Error(`no ${name}`), { code: "EIO" });
      return (nodeDisk[name] as (...values: unknown[]) => Promise<unknown>)(path, ...rest);
    };
  const names = ["access", "chmod", "mkdir", "open", "readdir", "readFile", "rename", "rm", "rmdir", "stat"];
  return Object.fromEntries(names.map((name) => [name, step(name as keyof Disk)])) as unknown as Disk;
}

describe("replaceFiles", () => {
  beforeEach(async () => {
    await put("a", "old a");
    await put("b", "old b");
  });
  const both = (): FileWrite[] => [
    replacement("a", "old a", "new a"),
    replacement("b", "old b", "new b"),
    replacement("x/y/c", null, "new c"),
  ];
  const OLD = { a: "old a", b: "old b", notes: "(folder)" };

  test("writes all files and leaves no temporary files or journal", async () => {
    const staged = await stageFiles(both(), { journalFolder: notes });
    const beside = Object.keys(await found());
    expect(beside.filter((path) => path.endsWith(".tmp"))).toHaveLength(3);
    expect(beside.filter((path) => path.startsWith("notes/"))).toHaveLength(1);
    await staged.replace();
    expect(await found()).toEqual({
      a: "new a",
      b: "new b",
      x: "(folder)",
      "x/y": "(folder)",
      "x/y/c": "new c",
      notes: "(folder)",
    });
  });

  test("records paths but no contents in the journal", async () => {
    const staged = await stageFiles(both(), { journalFolder: notes });
    const [note = ""] = await nodeDisk.readdir(notes);
    const text = await nodeDisk.readFile(join(notes, note), "utf8");
    expect(JSON.parse(text)).toEqual({
      pid: process.pid,
      files: [
        { path: at("a"), beside: expect.any(String), before: digest("old a"), after: digest("new a") },
        { path: at("b"), beside: expect.any(String), before: digest("old b"), after: digest("new b") },
        { path: at("x/y/c"), beside: expect.any(String), before: null, after: digest("new c") },
      ],
    });
    await staged.discard();
  });

  test("leaves everything unchanged when aborted, and removes folders it created", async () => {
    await nodeDisk.mkdir(at("x"));
    const staged = await stageFiles(both(), { journalFolder: notes });
    await staged.discard();
    expect(await found()).toEqual({ ...OLD, x: "(folder)" });
  });

  test.each<[string, (step: keyof Disk, name: string) => boolean, string]>([
    ["a file cannot be looked at", (step, name) => step === "stat" && name === "b", "b"],
    ["a file may not be written", (step, name) => step === "access" && name === "b", "b"],
    ["a file cannot be read again", (step, name) => step === "readFile" && name === "b", "b"],
    ["a folder cannot be made", (step, name) => step === "mkdir" && name === "y", "x/y/c"],
    ["nothing can be put beside a file", (step, name) => step === "open" && name.startsWith("c."), "x/y/c"],
    ["a file cannot be replaced", (step, name) => step === "rename" && name === "b", "b"],
    ["the last file cannot be replaced", (step, name) => step === "rename" && name === "c", "x/y/c"],
  ])("leaves everything as it was where %s", async (_, refuses, path) => {
    const write = async (): Promise<void> => {
      const staged = await stageFiles(both(), { journalFolder: notes, disk: refusing(refuses) });
      await staged.replace();
    };
    const error = await write().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(FileWriteError);
    expect(error).toMatchObject({ name: "FileWriteError", path: at(path), written: [] });
    expect((error as Error).message).toContain(`${at(path)} was not written: Error: no `);
    expect(await found()).toEqual(OLD);
  });

  test("reports the files with new contents if they cannot be restored", async () => {
    let renames = 0;
    const disk = refusing((step) => step === "rename" && ++renames > 2);
    const staged = await stageFiles(both(), { disk });
    await expect(staged.replace()).rejects.toMatchObject({ path: at("x/y/c"), written: [at("a"), at("b")] });
    expect(await found()).toEqual({ a: "new a", b: "new b" });
  });

  test("removes a new file if a later one cannot be replaced", async () => {
    const disk = refusing((step, name) => step === "rename" && name === "b");
    const created = [replacement("new", null, "new"), replacement("in/folder/new", null, "new")];
    const staged = await stageFiles([...created, ...both()], {
      journalFolder: notes,
      disk,
    });
    await expect(staged.replace()).rejects.toThrow("no rename");
    expect(await found()).toEqual(OLD);
  });

  test.each([
    ["a file that is read-only", () => nodeDisk.chmod(at("b"), 0o555), "EACCES"],
    [
      "a folder of the name of a file",
      async () => {
        await nodeDisk.rm(at("b"));
        await nodeDisk.mkdir(at("b"));
      },
      "EISDIR",
    ],
  ])("refuses %s", async (_, prepare, code) => {
    await prepare();
    const failed = stageFiles(both(), { journalFolder: notes });
    await expect(failed).rejects.toMatchObject({ path: at("b"), cause: { code } });
    expect((await found())["a"]).toBe("old a");
    expect(await nodeDisk.readdir(notes)).toEqual([]);
  });

  test.each<[string, () => Promise<void>, Record<string, string>]>([
    ["changed", () => put("b", "typed"), { ...OLD, b: "typed" }],
    ["deleted", () => nodeDisk.rm(at("b")), { a: "old a", notes: "(folder)" }],
  ])("replaces no file if one was %s while they were staged", async (_, change, result) => {
    const staged = await stageFiles(both(), { journalFolder: notes });
    await change();
    expect(await staged.replace()).toEqual([at("b")]);
    expect(await found()).toEqual(result);
  });

  test("names every file that was changed while they were staged", async () => {
    const staged = await stageFiles(both(), { journalFolder: notes });
    await put("a", "typed");
    await put("b", "typed");
    expect(await staged.replace()).toEqual([at("a"), at("b")]);
  });

  test("replaces no file if a new one exists by then", async () => {
    const staged = await stageFiles(both(), { journalFolder: notes });
    await put("x/y/c", "another");
    expect(await staged.replace()).toEqual([at("x/y/c")]);
    expect(await found()).toEqual({ ...OLD, x: "(folder)", "x/y": "(folder)", "x/y/c": "another" });
  });

  test("keeps the file mode", async () => {
    await nodeDisk.chmod(at("a"), 0o600);
    const { mode } = await nodeDisk.stat(at("a"));
    await (await stageFiles(both())).replace();
    expect((await nodeDisk.stat(at("a"))).mode).toBe(mode);
  });

  test("continues if the journal cannot be written", async () => {
    await put("notes", "a file");
    await (await stageFiles(both(), { journalFolder: notes })).replace();
    expect((await found())["b"]).toBe("new b");
  });

  test("keeps the journal for the next start if a temporary file cannot be removed", async () => {
    const disk = refusing((step, name) => step === "rm" && name.startsWith("b.") && name.endsWith(".tmp"));
    const staged = await stageFiles(both(), { journalFolder: notes, disk });
    await staged.discard();
    expect(Object.keys(await found()).filter((path) => path.startsWith("b."))).toHaveLength(1);
    expect(await recoverTransactions(notes)).toEqual([
      { kind: "rolled-back", paths: [at("a"), at("b"), at("x/y/c")] },
    ]);
    expect(await found()).toEqual(OLD);
  });

  test("is not disturbed by the recovery of another window", async () => {
    const staged = await stageFiles(both(), { journalFolder: notes });
    expect(await recoverTransactions(notes)).toEqual([]);
    await staged.replace();
    expect(await found()).toMatchObject({ a: "new a", b: "new b", "x/y/c": "new c" });
  });
});

describe("recovery after a process ended", () => {
  const note = (pid: number): Promise<void> =>
    put(
      "notes/note.json",
      JSON.stringify({
        pid,
        files: [
          { path: at("a"), beside: at("a.tmp"), before: digest("old a"), after: digest("new a") },
          { path: at("b"), beside: at("b.tmp"), before: digest("old b"), after: digest("new b") },
          { path: at("c"), beside: at("c.tmp"), before: null, after: digest("new c") },
        ],
      }),
    );
  beforeEach(() => nodeDisk.mkdir(notes));

  test.each<[string, Record<string, string>, "completed" | "rolled-back", Record<string, string>]>([
    [
      "nothing was replaced yet",
      { a: "old a", b: "old b", "a.tmp": "new a", "b.tmp": "new b", "c.tmp": "new c" },
      "rolled-back",
      { a: "old a", b: "old b" },
    ],
    [
      "nothing was replaced, and not all stood beside",
      { a: "old a", b: "old b", "a.tmp": "new" },
      "rolled-back",
      { a: "old a", b: "old b" },
    ],
    [
      "one was replaced",
      { a: "new a", b: "old b", "b.tmp": "new b", "c.tmp": "new c" },
      "completed",
      { a: "new a", b: "new b", c: "new c" },
    ],
    ["all were", { a: "new a", b: "new b", c: "new c" }, "completed", { a: "new a", b: "new b", c: "new c" }],
    [
      "somebody changed one of the others since",
      { a: "new a", b: "mine", "b.tmp": "new b", "c.tmp": "new c" },
      "completed",
      { a: "new a", b: "mine", c: "new c" },
    ],
    [
      "what stands beside is not whole",
      { a: "new a", b: "old b", "b.tmp": "ne", "c.tmp": "new c" },
      "completed",
      { a: "new a", b: "old b", c: "new c" },
    ],
    [
      "somebody made the new file",
      { a: "new a", b: "new b", c: "mine", "c.tmp": "new c" },
      "completed",
      { a: "new a", b: "new b", c: "mine" },
    ],
  ])("where %s", async (_, files, kind, expected) => {
    for (const [path, text] of Object.entries(files)) await put(path, text);
    await note(ENDED);
    expect(await recoverTransactions(notes)).toEqual([{ kind, paths: [at("a"), at("b"), at("c")] }]);
    expect(await found()).toEqual({ ...expected, notes: "(folder)" });
  });

  test("does not count an unchanged file as replaced", async () => {
    await put("a", "same");
    await put("b", "old");
    await put("b.tmp", "new");
    const files = [
      { path: at("a"), beside: at("a.tmp"), before: digest("same"), after: digest("same") },
      { path: at("b"), beside: at("b.tmp"), before: digest("old"), after: digest("new") },
    ];
    await put("notes/note.json", JSON.stringify({ pid: ENDED, files }));
    expect(await recoverTransactions(notes)).toMatchObject([{ kind: "rolled-back" }]);
    expect(await found()).toEqual({ a: "same", b: "old", notes: "(folder)" });
  });

  test("leaves the transaction of a running process alone", async () => {
    await put("a.tmp", "new a");
    await note(process.ppid);
    expect(await recoverTransactions(notes)).toEqual([]);
    expect(Object.keys(await found()).sort()).toEqual(["a.tmp", "notes", "notes/note.json"]);
  });

  test("recovers the journal of an ended process with the same id", async () => {
    await put("a", "old a");
    await put("a.tmp", "new a");
    await note(process.pid);
    expect(await recoverTransactions(notes)).toMatchObject([{ kind: "rolled-back" }]);
    expect(await found()).toEqual({ a: "old a", notes: "(folder)" });
  });

  test.each(["", "{", '{"pid":1}', "[]"])("deletes a journal with %j", async (text) => {
    await put("notes/note.json", text);
    expect(await recoverTransactions(notes)).toEqual([]);
    expect(await found()).toEqual({ notes: "(folder)" });
  });

  test("deletes incomplete journals of ended processes and nothing else", async () => {
    const id = "01234567-89ab-cdef-0123-456789abcdef";
    await put(`notes/x.json.${ENDED}.${id}.tmp`, "{");
    await put(`notes/x.json.${process.ppid}.${id}.tmp`, "{");
    await put("notes/read.me", "mine");
    await recoverTransactions(notes);
    expect(Object.keys(await found()).sort()).toEqual([
      "notes",
      "notes/read.me",
      `notes/x.json.${process.ppid}.${id}.tmp`,
    ]);
  });

  test("does nothing without a journal folder", async () => {
    expect(await recoverTransactions(join(folder.path, "none"))).toEqual([]);
  });
});
