/** Replaces a file whole or not at all, wherever VS Code can write, also when the machine stops in the middle of it. */
import { Uri, workspace } from "vscode";
import { replaceFile } from "../../workspace/files/disk.ts";

/**
 * On disks by the system's own rename (disk.ts), since VS Code's removes the target first; elsewhere VS Code's
 * `writeFile` is all there is. Keeps the file's mode; creates missing folders.
 */
export async function atomicWrite(uri: Uri, bytes: Uint8Array): Promise<void> {
  if (uri.scheme === "file") {
    await replaceFile(uri.fsPath, bytes);
    return;
  }
  await workspace.fs.createDirectory(Uri.joinPath(uri, ".."));
  await workspace.fs.writeFile(uri, bytes);
}
