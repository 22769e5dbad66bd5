/** Messages for files that could not be written: the cause, what was and was not done, and what to do. */
import { CommandError } from "../commands/command-types.ts";
import { l10n } from "../util/l10n.ts";
import { FileWriteError } from "../workspace/file-system/file-transaction.ts";
import { isForbiddenName } from "../workspace/file-system/paths.ts";
import { isInToolFolder, isSafeRelativePath } from "../workspace/project-file/project-file.ts";

/** Returns the error to show. `path`: relative to the project; `written`: files that were changed nevertheless. */
export function writeError(error: unknown, path: string, written: readonly string[] = []): CommandError {
  const code = (error as { code?: unknown } | undefined)?.code;
  const { reason, message } = causeOf(typeof code === "string" ? code : "", path);
  const done =
    written.length === 0
      ? l10n.t("No file was changed.")
      : l10n.t("These files were written and could not be restored: {0}.", written.join(", "));
  return new CommandError("unsafe_file", `${message} ${done}`, { reason });
}

function causeOf(code: string, path: string): { readonly reason: string; readonly message: string } {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return {
        reason: "disk_full",
        message: l10n.t("There is not enough disk space for {0}. Free up space, then try again.", path),
      };
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "NoPermissions":
      return {
        reason: "read_only",
        message: l10n.t("{0} or its folder is read-only. Make it writable, then try again.", path),
      };
    case "ENOENT":
    case "FileNotFound":
      return {
        reason: "folder_missing",
        message: l10n.t("The folder of {0} no longer exists. Restore it, then try again.", path),
      };
    case "EISDIR":
    case "ENOTDIR":
    case "EEXIST":
    case "FileIsADirectory":
    case "FileNotADirectory":
      return {
        reason: "in_the_way",
        message: l10n.t(
          "{0} is a folder instead of a file, or a file instead of a folder. Move it, then try again.",
          path,
        ),
      };
    case "ENAMETOOLONG":
      return {
        reason: "name_too_long",
        message: l10n.t("The name of {0} is too long for this disk. Shorten the path of its folder.", path),
      };
    case "EBUSY":
    case "ETXTBSY":
      return {
        reason: "in_use",
        message: l10n.t("Another program is using {0}. Close it there, then try again.", path),
      };
    default:
      return {
        reason: "disk",
        message: l10n.t(
          "{0} could not be written. Check the disk and its permissions, then try again.",
          path,
        ),
      };
  }
}

/** The error for a path that is outside of the project, also behind a link. */
export function outsideProjectError(path: string): CommandError {
  return new CommandError(
    "unsafe_file",
    l10n.t(
      "{0} is outside the project, so it was not changed. Correct the path in project-translations.json.",
      path,
    ),
  );
}

/** Returns why no file may be written at the path, which links are not followed for; `null` if it may. */
export function unsafePathError(path: string): CommandError | null {
  if (isInToolFolder(path))
    return new CommandError(
      "unsafe_file",
      l10n.t(
        "{0} is in a folder whose contents a tool may run, so it was not changed. Correct the path in project-translations.json.",
        path,
      ),
    );
  if (isForbiddenName(path))
    return new CommandError(
      "unsafe_file",
      l10n.t(
        "Windows cannot have a file named {0}, so nothing was written. Rename the namespace, or change the path in project-translations.json.",
        path,
      ),
    );
  return isSafeRelativePath(path) ? null : outsideProjectError(path);
}

/**
 * Returns the error to show for one of `stageFiles`.
 * @param nameOf returns the path of a file relative to the project
 * @param first the path of the first file
 */
export function stagingError(error: unknown, nameOf: (path: string) => string, first: string): CommandError {
  if (!(error instanceof FileWriteError)) return writeError(error, first);
  return writeError(error.cause, nameOf(error.path), error.written.map(nameOf));
}

/** @param paths of the files that were changed since they were read */
export function fileChangedError(paths: readonly string[]): CommandError {
  return new CommandError(
    "file_changed",
    l10n.t("{0} was changed in the meantime, so nothing was written. Try again.", paths.join(", ")),
  );
}

/** Returns what became of files whose writing was interrupted. */
export function recoveryMessage(kind: "completed" | "rolled-back", files: readonly string[]): string {
  return kind === "completed"
    ? l10n.t(
        "The window closed while files were being written. They have now been completed: {0}.",
        files.join(", "),
      )
    : l10n.t(
        "The window closed before these files were written, so they are unchanged: {0}. Try again.",
        files.join(", "),
      );
}
