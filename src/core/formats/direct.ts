/** Reads and changes translation files in the caller's own thread. */
import type { FormatName } from "../../api/schemas.ts";
import type { TranslationFiles } from "../ports.ts";
import type { Format } from "./format.ts";
import { formatOf } from "./registry.ts";
import { editTranslationFile, readTranslationFile } from "./translation-file.ts";

/** The port as a plain call; all of a file's work is done before anything else runs. */
export const direct: TranslationFiles = {
  read: async (format, bytes, options, signal) => {
    signal?.throwIfAborted();
    return readTranslationFile(known(format), bytes, options);
  },
  edit: async (format, bytes, changes, options) =>
    editTranslationFile(known(format), bytes, changes, options),
};

function known(name: FormatName): Format {
  const format = formatOf(name);
  if (format === undefined) throw new Error(`files of ${name} are not read here`);
  return format;
}
