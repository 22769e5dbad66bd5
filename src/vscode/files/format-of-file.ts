/** The format of a project's file. */
import type { FormatName } from "../../model/file-formats.ts";
import { formatOfPath } from "../../formats/detect-format.ts";
import type { LocalEntries } from "../../workspace/local-files/local-entries.ts";

/** Returns the format of a file by the project's layout, else by its name. */
export function formatOfFile(
  { local }: { readonly local: LocalEntries },
  path: string,
): FormatName | undefined {
  return local.locate(path)?.entry.format ?? formatOfPath(path) ?? undefined;
}
