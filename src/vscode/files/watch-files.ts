/** File system watchers. */
import { workspace, type FileSystemWatcher, type GlobPattern, type Uri } from "vscode";

/** Calls `changed` with each file matching the glob that was created, changed or deleted, until it is disposed of. */
export function watchFiles(glob: GlobPattern, changed: (uri: Uri) => void): FileSystemWatcher {
  const watcher = workspace.createFileSystemWatcher(glob);
  watcher.onDidCreate(changed);
  watcher.onDidChange(changed);
  watcher.onDidDelete(changed);
  return watcher;
}
