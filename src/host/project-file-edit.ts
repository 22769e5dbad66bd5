/** Changes one value of a project's file, after a person agreed; comments and everything else in it stay. */
import { PROJECT_FILE_NAME, setInProjectFile } from "../core/project-file.ts";
import type { OpenProject } from "./app.ts";
import { CommandError } from "./outcome.ts";
import { l10n } from "./words.ts";

/** Writes `value` at `path` (`undefined` takes it out); a file that is not there yet is made. Throws CommandError. */
export async function editProjectFile(
  open: OpenProject,
  path: readonly (string | number)[],
  value: unknown,
): Promise<void> {
  const before = (await open.files.read(PROJECT_FILE_NAME))?.bytes;
  const text = before === undefined ? "" : new TextDecoder().decode(before);
  const after = new TextEncoder().encode(setInProjectFile(text, path, value));
  const outcome = await open.files.write([{ path: PROJECT_FILE_NAME, before, after }]);
  if (outcome.kind === "written") return;
  throw new CommandError(
    "file_changed",
    l10n.t("{0} was changed in the meantime, so nothing was written. Try again.", PROJECT_FILE_NAME),
  );
}
