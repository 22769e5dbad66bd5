/** Replaces a file whole or not at all, also when the machine stops in the middle of it. */
import { randomUUID } from "node:crypto";
import { chmod, open, rename, rm, stat } from "node:fs/promises";
import { Uri, workspace } from "vscode";

/**
 * Writes beside the file, then renames. On disks by the system's own rename, since VS Code's removes the target first;
 * elsewhere VS Code's `writeFile` is all there is. Keeps the file's mode; creates missing folders.
 */
export async function atomicWrite(uri: Uri, bytes: Uint8Array): Promise<void> {
  await workspace.fs.createDirectory(Uri.joinPath(uri, ".."));
  if (uri.scheme !== "file") {
    await workspace.fs.writeFile(uri, bytes);
    return;
  }
  const path = uri.fsPath;
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(beside, "wx");
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    const before = await stat(path).catch(() => undefined);
    if (before !== undefined) await chmod(beside, before.mode);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Whether an error says that there is no such file. */
export function isMissing(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === "FileNotFound" || code === "ENOENT" || code === "ENOTDIR" || code === "FileNotADirectory";
}
