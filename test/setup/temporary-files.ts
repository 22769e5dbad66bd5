/** Where tests keep their temporary files. */
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { onExit } from "./cleanup.ts";

/** A file system in memory; in a container it may be very small. */
const IN_MEMORY = "/dev/shm";

/** Many times what all layers together need. Bytes. */
const MIN_FREE = 2 * 1024 ** 3;

/**
 * From now on temporary files of this process and of those that it starts lie in memory, where the machine has room and
 * TMPDIR names no folder yet. The services and databases of the tests wait at each commit for the disk: with hundreds
 * of services that would be most of the time.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env["TMPDIR"] !== undefined || !hasRoomInMemory()) return;
  const folder = mkdtempSync(join(IN_MEMORY, "pt-"));
  process.env["TMPDIR"] = folder;
  onExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return process.platform === "linux" && bavail * bsize >= MIN_FREE;
  } catch {
    return false;
  }
}
