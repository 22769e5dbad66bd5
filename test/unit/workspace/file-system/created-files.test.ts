/** Deletions of created files that no watcher reports, on disk. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CreatedFiles } from "../../../../src/workspace/file-system/created-files.ts";
import { waitUntil } from "../../support/wait-until.ts";

let folder: string;
let deleted: string[];
let files: CreatedFiles;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pt-created-"));
  deleted = [];
  files = new CreatedFiles((path) => deleted.push(path), 5);
});
afterEach(() => {
  vi.useRealTimers();
  files.dispose();
  rmSync(folder, { recursive: true });
});

/** Creates the files on disk. */
function create(...names: string[]): string[] {
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) writeFileSync(path, "{}");
  return paths;
}

/** Lets the time pass, and waits for the check that is due, of at most a few files. */
async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds);
  for (let turn = 0; turn < 20; turn++) await stat(folder);
}

const useFakeTimers = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });

it("notices a deletion of what was created, unless a watcher has reported the file", async () => {
  const [reported = "", first = "", second = ""] = create("reported.json", "first.json", "second.json");
  files.add([reported, first, second]);
  files.reported(reported);
  rmSync(reported);
  rmSync(first);
  await waitUntil(() => deleted.length === 1);
  rmSync(second);
  await waitUntil(() => deleted.length === 2);
  expect(deleted).toEqual([first, second]);
});

it("notices each deletion once, and none of a file that cannot be looked at", async () => {
  useFakeTimers();
  const [gone = "", link = "", kept = ""] = create("gone.json", "link.json", "kept.json");
  files.add([gone, link, kept]);
  rmSync(gone);
  rmSync(link);
  symlinkSync("link.json", link);
  for (let check = 0; check < 3; check++) await pass(5);
  expect(deleted).toEqual([gone]);
  rmSync(kept);
  await pass(5);
  expect(deleted).toEqual([gone, kept]);
});

it("looks every second, for a minute", async () => {
  useFakeTimers();
  files.dispose();
  files = new CreatedFiles((path) => deleted.push(path));
  const [early = "", late = ""] = create("early.json", "late.json");
  files.add([early, late]);
  rmSync(early);
  await pass(999);
  expect(deleted).toEqual([]);
  await pass(1);
  expect(deleted).toEqual([early]);
  vi.advanceTimersByTime(59_000);
  await pass(0);
  await pass(1_000);
  expect(vi.getTimerCount()).toBe(0);
  rmSync(late);
  await pass(5_000);
  expect(deleted).toEqual([early]);
  // What is created then is looked for.
  const [another = ""] = create("another.json");
  files.add([another]);
  rmSync(another);
  await pass(1_000);
  expect(deleted).toEqual([early, another]);
});

it("notices nothing any more after its end, also of a check that has begun", async () => {
  useFakeTimers();
  const [path = ""] = create("a.json");
  files.add([path]);
  files.add([path]);
  expect(vi.getTimerCount()).toBe(1);
  rmSync(path);
  vi.advanceTimersByTime(5);
  files.dispose();
  await pass(5);
  expect(deleted).toEqual([]);
  files.add(create("b.json"));
  expect(vi.getTimerCount()).toBe(0);
  const others = new CreatedFiles((each) => deleted.push(each), 5);
  others.add([path]);
  others.dispose();
  expect(vi.getTimerCount()).toBe(0);
  const ended = new CreatedFiles((each) => deleted.push(each), 5);
  ended.dispose();
  ended.add([path]);
  expect(vi.getTimerCount()).toBe(0);
});
