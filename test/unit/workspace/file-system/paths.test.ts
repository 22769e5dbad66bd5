/** Paths of Windows, macOS and Linux, on any platform. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as nodeDisk from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix, win32 } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type Disk,
  diskStamp,
  temporaryPathOf,
  isMissing,
  isRecent,
  isRunning,
  writeTemporaryFile,
  renameOver,
  replaceFile,
  removeOrphanedFiles,
} from "../../../../src/workspace/file-system/atomic-write.ts";
import {
  isForbiddenName,
  resolveSymlinks,
  uriPathBelow,
  relativePathIn,
} from "../../../../src/workspace/file-system/paths.ts";

const failing = (code: string): Error => Object.assign(new Error(code), { code });

describe("relative path of a URI", () => {
  test.each([
    ["a drive letter in either case", "/c:/app", "/C:/app/lang/en.json", "win32", "lang/en.json"],
    [
      "a folder in another case",
      "/c:/Users/Me/App",
      "/c:/users/me/app/lang/EN.json",
      "win32",
      "lang/EN.json",
    ],
    ["a folder in another case", "/Users/Me/App", "/Users/me/app/en.json", "darwin", "en.json"],
    ["a folder in another case, which is another one", "/home/Me/app", "/home/me/app/en.json", "linux", null],
    ["a whole drive", "/c:/", "/c:/en.json", "win32", "en.json"],
    ["another drive", "/c:/app", "/d:/app/en.json", "win32", null],
    ["a share", "/share/app", "/share/app/en.json", "win32", "en.json"],
    ["a folder whose name begins alike", "/c:/app", "/c:/app2/en.json", "win32", null],
    ["the folder itself", "/c:/app", "/c:/app", "win32", null],
    ["the root of a disk", "/", "/en.json", "linux", "en.json"],
  ] as const)("%s: %s and %s on %s", (_, folder, path, system, below) => {
    expect(uriPathBelow(folder, path, system)).toBe(below);
  });
});

describe("relativePathIn", () => {
  test.each([
    ["C:\\app", "C:\\app\\lang\\en.json", "lang/en.json"],
    ["c:\\app", "C:\\APP\\lang\\en.json", "lang/en.json"],
    ["C:\\", "C:\\en.json", "en.json"],
    ["C:\\app", "C:\\app", ""],
    ["C:\\app", "C:\\app2\\en.json", null],
    ["C:\\app", "C:\\", null],
    ["C:\\app", "D:\\app\\en.json", null],
    ["\\\\server\\share\\app", "\\\\SERVER\\share\\app\\lang\\en.json", "lang/en.json"],
    ["\\\\server\\share\\app", "\\\\server\\other\\app\\en.json", null],
    ["C:\\app", "C:\\app\\..en.json", "..en.json"],
  ])("on Windows from %s to %s", (folder, path, way) => {
    expect(relativePathIn(folder, path, win32)).toBe(way);
  });

  test.each([
    ["/app", "/app/lang/en.json", "lang/en.json"],
    ["/", "/en.json", "en.json"],
    ["/app", "/App/en.json", null],
    ["/app", "/etc/passwd", null],
    ["/app", "/app/a\\b.json", "a\\b.json"],
  ])("elsewhere from %s to %s", (folder, path, way) => {
    expect(relativePathIn(folder, path, posix)).toBe(way);
  });
});

describe("path behind symbolic links", () => {
  /** A disk on which these are there, each with its place. */
  const disk = (there: Readonly<Record<string, string>>) => async (path: string) => {
    const place = there[path.toLowerCase()];
    if (place === undefined) throw failing("ENOENT");
    return place;
  };

  test("resolves a new file on a drive, not in the drive's current directory", async () => {
    // What `c:` alone means is the folder that a program has chosen on the drive.
    const realpath = disk({ "c:\\": "C:\\", "c:": "C:\\Users\\Me" });
    expect(await resolveSymlinks("c:\\lang\\en.json", realpath, isMissing, win32)).toBe("C:\\lang\\en.json");
  });

  test("resolves a new file on a UNC share", async () => {
    const realpath = disk({ "\\\\server\\share\\": "\\\\server\\share\\" });
    expect(await resolveSymlinks("\\\\server\\share\\lang\\en.json", realpath, isMissing, win32)).toBe(
      "\\\\server\\share\\lang\\en.json",
    );
  });

  test("resolves a mapped drive for the folder and its content", async () => {
    const share = "\\\\server\\share\\app";
    const realpath = disk({ "z:\\app": share, "z:\\app\\en.json": `${share}\\en.json` });
    const [home, own] = await Promise.all(
      ["z:\\app", "z:\\app\\en.json"].map((path) => resolveSymlinks(path, realpath, isMissing, win32)),
    );
    expect(relativePathIn(home ?? "", own ?? "", win32)).toBe("en.json");
  });

  test("returns nothing for a missing drive", async () => {
    await expect(resolveSymlinks("x:\\app\\en.json", disk({}), isMissing, win32)).rejects.toThrow("ENOENT");
  });

  test.each(["EPERM", "EACCES", "ELOOP"])("does not guess if a link cannot be followed: %s", async (code) => {
    const realpath = (path: string): Promise<string> =>
      path === "C:\\app\\link" ? Promise.reject(failing(code)) : Promise.resolve(path);
    await expect(resolveSymlinks("C:\\app\\link", realpath, isMissing, win32)).rejects.toThrow(code);
  });
});

describe("names that are invalid on Windows", () => {
  const forbidden = [
    ...[
      "CON",
      "lang/nul.json",
      "lang/aux/en.json",
      "Com1.php",
      "lpt9",
      "com\u00b9.txt",
      "con .json",
      "conin$",
    ],
    ...["a:b.json", "lang/a?.json", "a*", "a<b>.json", 'a"b', "a|b", "a\\b", "a\u0007b"],
    ...["lang/en.", "lang /en.json", "lang./en.json"],
  ];

  test.each(forbidden)("%j", (path) => {
    expect(isForbiddenName(path, "win32")).toBe(true);
    expect(isForbiddenName(path, "linux")).toBe(false);
    expect(isForbiddenName(path, "darwin")).toBe(false);
  });

  test.each([
    "lang/en.json",
    "./lang/en.json",
    "console.json",
    "com.json",
    "com10.json",
    "auxiliary/en.php",
    "日本.json",
    ".con",
  ])("allows %s", (path) => {
    expect(isForbiddenName(path, "win32")).toBe(false);
  });
});

test.each([
  ["ENOENT", true],
  ["ENOTDIR", true],
  ["FileNotFound", true],
  ["FileNotADirectory", true],
  ["EACCES", false],
  ["ELOOP", false],
  [undefined, false],
])("an error with the code %s says that nothing is there: %s", (code, expected) => {
  expect(isMissing(Object.assign(new Error("failed"), { code }))).toBe(expected);
});

test.each([
  ["is running", undefined, true],
  ["belongs to another user", "EPERM", true],
  ["has ended", "ESRCH", false],
])("a process that %s is running: %s %s", (_, code, expected) => {
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    if (code !== undefined) throw failing(code);
    return true;
  });
  onTestFinished(() => kill.mockRestore());
  expect(isRunning(4711)).toBe(expected);
  expect(kill.mock.calls).toEqual([[4711, 0]]);
});

test.each([
  [1_000, 2_000, 2_000],
  [2_000, 1_000, 2_000],
])(
  "the stamp of a file changed at %d, its metadata at %d, has the later time",
  (mtimeMs, ctimeMs, modified) => {
    expect(diskStamp({ size: 7, mtimeMs, ctimeMs })).toEqual({ size: 7, modified });
  },
);

test("a file’s temporary one stands beside it, under its name", () => {
  const path = join("/app", "en.json");
  expect(temporaryPathOf(path).startsWith(`${path}.${process.pid}.`)).toBe(true);
  expect(temporaryPathOf(path)).not.toBe(temporaryPathOf(path));
});

test("a stamp is recent for two seconds", () => {
  const now = vi.spyOn(Date, "now").mockReturnValue(10_000);
  onTestFinished(() => now.mockRestore());
  const times = [8_000, 8_001, 10_000, 11_000];
  expect(times.map((modified) => isRecent({ size: 1, modified }))).toEqual([false, true, true, true]);
});

test("a new file is on the disk, with the mode of the old one, before it is used", async () => {
  const steps: unknown[] = [];
  const done = async (...step: unknown[]): Promise<void> => void steps.push(step);
  const bytes = new Uint8Array([1]);
  const disk = {
    open: async (...call: unknown[]) => {
      await done("open", ...call);
      return {
        writeFile: (content: unknown) => done("write", content),
        sync: () => done("sync"),
        close: () => done("close"),
      };
    },
    stat: async (path: string) => {
      await done("stat", path);
      return { mode: 0o640 };
    },
    chmod: (...call: unknown[]) => done("chmod", ...call),
  } as unknown as Disk;
  await writeTemporaryFile("new", bytes, "old", disk);
  // A file that is there already is another window's.
  expect(steps).toEqual([
    ["open", "new", "wx"],
    ["write", bytes],
    ["sync"],
    ["close"],
    ["stat", "old"],
    ["chmod", "new", 0o640],
  ]);
});

describe("replacing a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "paths-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const refusing = (times: number, code: string) => {
    let calls = 0;
    const rename = async (): Promise<void> => {
      if (++calls <= times) throw failing(code);
    };
    return { disk: { rename }, calls: () => calls };
  };

  test.each(["EPERM", "EACCES", "EBUSY"])("is retried on Windows while others read it: %s", async (code) => {
    const { disk, calls } = refusing(2, code);
    await renameOver("a", "b", disk, "win32");
    expect(calls()).toBe(3);
  });

  test("fails at once on other systems and for other errors", async () => {
    for (const [code, system] of [
      ["EPERM", "linux"],
      ["ENOSPC", "win32"],
    ] as const) {
      const { disk, calls } = refusing(1, code);
      await expect(renameOver("a", "b", disk, system)).rejects.toThrow(code);
      expect(calls()).toBe(1);
    }
  });

  test("fails in the end if the file stays locked", async () => {
    const { disk, calls } = refusing(Number.POSITIVE_INFINITY, "EBUSY");
    await expect(renameOver("a", "b", disk, "win32")).rejects.toThrow("EBUSY");
    expect(calls()).toBeGreaterThan(3);
  });

  test.each([
    ["has the longest name there can be", `${"n".repeat(250)}.json`],
    ["has a name of long letters", `${"語".repeat(80)}.json`],
  ])("works if it %s", async (_, name) => {
    const path = join(folder, name);
    writeFileSync(path, "before");
    await replaceFile(path, new TextEncoder().encode("after"));
    expect(readFileSync(path, "utf8")).toBe("after");
    expect(readdirSync(folder).filter((each) => each.endsWith(".tmp"))).toEqual([]);
    rmSync(path);
  });

  test("works for paths longer than the default limit of Windows", async () => {
    const path = join(folder, ...Array<string>(12).fill("d".repeat(40)), "en.json");
    await replaceFile(path, new TextEncoder().encode("{}"));
    expect(readFileSync(path, "utf8")).toBe("{}");
  });

  test("leaves no temporary file that the next start cannot find, for names of any length", async () => {
    const left = join(folder, "left");
    rmSync(left, { recursive: true, force: true });
    mkdirSync(left);
    for (const name of ["short.json", `${"n".repeat(250)}.json`]) {
      const beside = temporaryPathOf(join(left, name)).replace(`.${process.pid}.`, ".99999999.");
      writeFileSync(beside, "");
    }
    expect(readdirSync(left)).toHaveLength(2);
    await removeOrphanedFiles(left, nodeDisk);
    expect(readdirSync(left)).toEqual([]);
  });
});
