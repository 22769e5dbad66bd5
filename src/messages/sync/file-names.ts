/** The names of files in messages and prompts. */
import { l10n } from "../../util/l10n.ts";
import { formatCount } from "../counts-and-times.ts";
import { labelText } from "../escape-text.ts";

/** Returns the first paths and the number of the others. */
export function firstPathsText(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(", ");
  return paths.length > 3 ? l10n.t("{0} and {1} more", shown, paths.length - 3) : shown;
}

/** Returns the path of a single file, or the number of files. */
export function fileNamesText(files: readonly { readonly path: string }[]): string {
  const [only] = files;
  return only !== undefined && files.length === 1 ? labelText(only.path) : formatCount.files(files.length);
}
