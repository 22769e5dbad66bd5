/**
 * A child process that replaces two files of a folder and kills itself at the step `ENDS_AT`. It prints errors of the
 * disk.
 */
import * as nodeDisk from "node:fs/promises";
import { join } from "node:path";
import type { Disk } from "../../../src/workspace/file-system/atomic-write.ts";
import { FileWriteError, stageFiles } from "../../../src/workspace/file-system/file-transaction.ts";

const folder = process.argv[2] ?? "";
const at = process.env["ENDS_AT"];
const die = (): Promise<never> => {
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => undefined);
};
const disk: Disk = {
  ...nodeDisk,
  rename: async (from, to) => {
    // The note is put in place by a rename too.
    const isNote = String(to).endsWith(".json");
    if (!isNote && at === "staged") await die();
    await nodeDisk.rename(from, to);
    if (!isNote && at === "replaced") await die();
  },
};
try {
  const after = Buffer.alloc(100_000, "x");
  const files = ["a", "b"].map((name) => ({
    path: join(folder, `${name}.php`),
    before: Buffer.from(name),
    after,
  }));
  const staged = await stageFiles(files, { journalFolder: join(folder, "notes"), disk });
  await staged.replace();
  process.stdout.write("written\n");
} catch (error) {
  process.stdout.write(
    `${error instanceof FileWriteError ? String((error.cause as { code?: string }).code) : String(error)}\n`,
  );
}
