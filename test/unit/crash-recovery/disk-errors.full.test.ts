/**
 * A full, read-only or missing disk at any step of a write: either all files are written or none, and the action
 * succeeds once the disk recovers.
 */
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  recoverTransactions,
  FileWriteError,
  stageFiles,
} from "../../../src/workspace/file-system/file-transaction.ts";
import type { CommandError } from "../../../src/commands/command-types.ts";
import { temporaryFolder } from "../support/node-platform.ts";
import { ACTIONS } from "../fault-injection/user-actions.ts";
import { FILE_WORK, type Work } from "./actions.ts";
import { cleaned, stopScenarios, everything, isDone, openScenario, startScenarios } from "./scenarios.ts";
import { IS_FULL, samplePositions } from "../support/full-run.ts";

const CODES = ["ENOSPC", "EROFS", "EACCES", "ENOENT"] as const;
const WORK: readonly Work[] = [
  ...FILE_WORK,
  ...ACTIONS.filter(({ name }) => ["refresh", "import", "edit"].includes(name)),
];

const rows: string[] = [];
let cells = 0;
beforeAll(startScenarios);
afterAll(async () => {
  await stopScenarios();
  if (!IS_FULL) return;
  process.stdout.write(
    `\nA disk that refuses from a step on: what had come of it\n${rows.join("\n")}\n${cells} cells: ${WORK.length} actions, ${CODES.length} refusals from every step on, and each once\n`,
  );
});

describe.each(WORK)("$name", (work) => {
  test(
    IS_FULL ? "the disk refuses from any step on" : "the disk refuses from some steps on",
    { timeout: 240_000 },
    async () => {
      const whole = await openScenario(work);
      const before = await everything(whole);
      whole.simulated.begin();
      await work.run(whole.cell);
      await whole.simulated.stop();
      const after = await everything(whole);
      await cleaned(whole);
      const writes = whole.simulated.steps.flatMap((step, index) =>
        /^(?:make|write|rename)/u.test(step) ? [index + 1] : [],
      );
      const states: string[] = [];
      // A refusal of each kind at every step in turn; a sudden one once, a lasting one for good.
      for (const [index, at] of samplePositions([...writes.entries()])) {
        for (const lasts of [true, false]) {
          const code = CODES[index % CODES.length] ?? "ENOSPC";
          states.push(await refused(work, { at, code, lasts, before, after }));
          cells++;
        }
      }
      const count = (state: string): number => states.filter((each) => each === state).length;
      rows.push(
        `${work.name.padEnd(24)} ${String(writes.length).padStart(3)} steps: none ×${count("none")}, all ×${count("all")}, told ×${count("told")}`,
      );
    },
  );
});

interface Refusal {
  readonly at: number;
  readonly code: string;
  readonly lasts: boolean;
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

async function refused(work: Work, { at, code, lasts, before, after }: Refusal): Promise<string> {
  const scenario = await openScenario(work);
  const { simulated, cell } = scenario;
  const where = `${code} at ${at}${lasts ? " on" : ""}`;
  simulated.refuse(code, at, lasts ? Infinity : 1);
  let failure: unknown = null;
  try {
    expect(isDone(await work.run(cell)), where).toBe(true);
  } catch (error) {
    failure = error;
  }
  simulated.recover();
  const found = await everything(scenario);
  const isSame = (one: ReadonlyMap<string, string>): boolean =>
    JSON.stringify([...found].sort(byName)) === JSON.stringify([...one].sort(byName));
  let state: string;
  if (failure === null) {
    // What is a person's is done; only what is kept for quickness is not.
    expect(Object.fromEntries(found), where).toEqual(Object.fromEntries(after));
    state = "all";
  } else {
    expect(failure, where).toMatchObject({ name: "CommandError", code: "unsafe_file" });
    // A file that could be replaced, but could not be put back, is named to the person.
    state = (failure as CommandError).message.includes("could not be restored") ? "told" : "none";
    if (state === "none") expect(Object.fromEntries(found), where).toEqual(Object.fromEntries(before));
    else expect(isSame(before) || lasts, where).toBe(true);
  }
  expect(
    [...found.keys()].filter((name) => name.endsWith(".tmp")),
    where,
  ).toEqual([]);
  expect(isDone(await work.run(cell)), where).toBe(true);
  expect(Object.fromEntries(await everything(scenario)), where).toEqual(Object.fromEntries(after));
  await simulated.stop();
  await cleaned(scenario);
  return state;
}

const byName = ([one]: readonly [string, string], [other]: readonly [string, string]): number =>
  one < other ? -1 : 1;

describe("file system errors", () => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ path: folder, remove } = await temporaryFolder());
    await writeFile(join(folder, "a.php"), "a");
    await writeFile(join(folder, "b.php"), "b");
  });
  afterEach(() => remove());

  const both = () => [
    { path: join(folder, "a.php"), before: Buffer.from("a"), after: Buffer.from("new a") },
    { path: join(folder, "b.php"), before: Buffer.from("b"), after: Buffer.from("new b") },
  ];
  const notes = (): string => join(folder, "notes");
  const causeOf = async (work: Promise<unknown>): Promise<unknown> => {
    const error: unknown = await work.then(
      () => null,
      (why: unknown) => why,
    );
    expect(error).toBeInstanceOf(FileWriteError);
    return ((error as FileWriteError).cause as { code?: unknown }).code;
  };
  const unchanged = async (): Promise<void> => {
    expect(await readFile(join(folder, "a.php"), "utf8")).toBe("a");
    const left = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".tmp"));
    expect(left).toEqual([]);
  };

  test("keeps all files if one is read-only", async () => {
    await chmod(join(folder, "b.php"), 0o444);
    expect(await causeOf(stageFiles(both(), { journalFolder: notes() }))).toBe("EACCES");
    await unchanged();
    expect(await readFile(join(folder, "b.php"), "utf8")).toBe("b");
  });

  test("keeps all files if a folder has a file's name", async () => {
    await rm(join(folder, "b.php"));
    await mkdir(join(folder, "b.php"));
    expect(await causeOf(stageFiles(both(), { journalFolder: notes() }))).toBe("EISDIR");
    await unchanged();
  });

  test("keeps all files if a file has a folder's name", async () => {
    const inside = { path: join(folder, "b.php", "c.php"), before: undefined, after: Buffer.from("c") };
    const [first] = both();
    const code = await causeOf(
      stageFiles(first === undefined ? [] : [first, inside], { journalFolder: notes() }),
    );
    expect(["ENOTDIR", "EEXIST"]).toContain(code);
    await unchanged();
  });

  test("handles a folder removed before the replacement", async () => {
    await mkdir(join(folder, "lang"));
    const files = [
      ...both(),
      { path: join(folder, "lang", "c.php"), before: undefined, after: Buffer.from("c") },
    ];
    const staged = await stageFiles(files, { journalFolder: notes() });
    await rm(join(folder, "lang"), { recursive: true });
    expect(await causeOf(staged.replace())).toBe("ENOENT");
    await unchanged();
    expect(await readFile(join(folder, "b.php"), "utf8")).toBe("b");
  });

  test("removes a new folder if its file cannot be written", async () => {
    const files = [
      { path: join(folder, "new", "deep", "c.php"), before: undefined, after: Buffer.from("c") },
      { path: join(folder, "a.php", "d.php"), before: undefined, after: Buffer.from("d") },
    ];
    await causeOf(stageFiles(files, { journalFolder: notes() }));
    expect((await readdir(folder)).filter((name) => name !== "notes").sort()).toEqual(["a.php", "b.php"]);
  });

  /** Runs a child that replaces both files with much longer ones, under the shell's own limits and as somebody. */
  const child = (before: string, extra: object = {}): string => {
    const program = fileURLToPath(new URL("replace-child.ts", import.meta.url));
    const { stdout, stderr, signal } = spawnSync(
      "sh",
      ["-c", `${before} exec "$0" "$@"`, process.execPath, program, folder],
      { encoding: "utf8", ...extra },
    );
    return signal ?? `${stdout}${stderr}`.trim();
  };

  test("leaves no partial file when a size limit is hit, as on a full disk", async () => {
    expect(child("ulimit -f 16;")).toBe("EFBIG");
    await unchanged();
  });

  test("handles a read-only folder", async () => {
    // Root may write anywhere, so its child is somebody else.
    const isRoot = process.getuid?.() === 0;
    await chmod(folder, isRoot ? 0o755 : 0o555);
    expect(child("", isRoot ? { uid: 65_534, gid: 65_534 } : {})).toBe("EACCES");
    await chmod(folder, 0o755);
    await unchanged();
  });

  test("completes the replacement of a killed process", async () => {
    expect(child("ENDS_AT=replaced")).toBe("SIGKILL");
    const [half] = await recoverTransactions(notes());
    expect(half?.kind).toBe("completed");
    expect((await readFile(join(folder, "a.php"), "utf8")).length).toBe(100_000);
    expect((await readFile(join(folder, "b.php"), "utf8")).length).toBe(100_000);
    expect((await readdir(folder)).sort()).toEqual(["a.php", "b.php", "notes"]);
    expect(await readdir(notes())).toEqual([]);
  });

  test("keeps all files if a process was killed before the replacement", async () => {
    expect(child("ENDS_AT=staged")).toBe("SIGKILL");
    expect((await recoverTransactions(notes())).map(({ kind }) => kind)).toEqual(["rolled-back"]);
    await unchanged();
    expect(await readdir(notes())).toEqual([]);
  });

  test("keeps changes made after the process was killed", async () => {
    expect(child("ENDS_AT=replaced")).toBe("SIGKILL");
    await writeFile(join(folder, "b.php"), "mine");
    await recoverTransactions(notes());
    expect(await readFile(join(folder, "b.php"), "utf8")).toBe("mine");
    expect((await readdir(folder)).sort()).toEqual(["a.php", "b.php", "notes"]);
  });

  test("leaves the writes of this process alone", async () => {
    const staged = await stageFiles(both(), { journalFolder: notes() });
    expect(await recoverTransactions(notes())).toEqual([]);
    await staged.replace();
    expect(await readFile(join(folder, "b.php"), "utf8")).toBe("new b");
  });
});
