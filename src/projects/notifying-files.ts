/** Files of a project that tell what was written, since file system events arrive later. */
import type { ProjectFiles } from "../model/platform.ts";
import { PROJECT_FILE_NAME } from "../workspace/project-file/project-file.ts";

/** What is called after files were written. Paths are relative to the project's root. */
interface WriteListeners {
  /** Called with the files that did not exist, before `onWritten`. */
  readonly onCreated?: (paths: readonly string[]) => void;
  readonly onWritten: (paths: readonly string[]) => void;
  /** Resolves when the new content of the project file is applied. */
  readonly onProjectFileWritten?: () => Promise<void>;
}

/** Returns the files with a `write` that calls the listeners, unless nothing was written. */
export function notifyingFiles(
  files: ProjectFiles,
  { onCreated, onWritten, onProjectFileWritten }: WriteListeners,
): ProjectFiles {
  return {
    ...files,
    write: async (writes) => {
      const outcome = await files.write(writes);
      if (outcome.kind !== "written") return outcome;
      onCreated?.(writes.flatMap(({ path, before }) => (before === undefined ? path : [])));
      const paths = writes.map(({ path }) => path);
      onWritten(paths);
      if (paths.includes(PROJECT_FILE_NAME)) await onProjectFileWritten?.();
      return outcome;
    },
  };
}
