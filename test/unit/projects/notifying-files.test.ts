/** Who is told that files were written. */
import { expect, test } from "vitest";
import type { FileWrite, ProjectFiles, WriteOutcome } from "../../../src/model/platform.ts";
import { notifyingFiles } from "../../../src/projects/notifying-files.ts";

const write = (path: string, before?: string): FileWrite => ({
  path,
  before: before === undefined ? undefined : new TextEncoder().encode(before),
  after: new TextEncoder().encode("after"),
});

/** Returns what is told of writes that end so, in order. */
async function told(outcome: WriteOutcome, ...writes: readonly FileWrite[]): Promise<readonly string[]> {
  const calls: string[] = [];
  const files = notifyingFiles({ write: async () => outcome } as unknown as ProjectFiles, {
    onCreated: (paths) => calls.push(`created ${paths.join()}`),
    onWritten: (paths) => calls.push(`written ${paths.join()}`),
    onProjectFileWritten: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      calls.push("applied");
    },
  });
  expect(await files.write(writes)).toBe(outcome);
  return calls;
}

test("all files that were written, and those that are new", async () => {
  const writes = [write("en.json", "old"), write("nl.json"), write("fr.json", "old"), write("de.json")];
  expect(await told({ kind: "written" }, ...writes)).toEqual([
    "created nl.json,de.json",
    "written en.json,nl.json,fr.json,de.json",
  ]);
});

test("the project file is applied before the write ends, also beside others", async () => {
  const writes = [write("en.json", "old"), write("project-translations.json", "{}")];
  expect((await told({ kind: "written" }, ...writes)).at(-1)).toBe("applied");
});

test("nothing is told if nothing was written", async () => {
  expect(await told({ kind: "changed", paths: ["en.json"] }, write("en.json", "old"))).toEqual([]);
});
