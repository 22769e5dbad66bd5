/** Parses and edits small translation files in this process and large ones in the indexing process. */
import type { Database } from "../../database/database.ts";
import { refusalOf } from "../../formats/apply-verified-edit.ts";
import { type Entry, NO_SPAN } from "../../formats/format.ts";
import { isUnreadable } from "../../formats/translation-file.ts";
import { LocalFileIndexer, type LocalFileIndexing, type EntryBatch } from "./local-file-indexer.ts";
import type { TranslationFiles } from "./translation-file-access.ts";

/** Smallest size of a large file, which takes about 15 ms to parse. */
const LARGE_BYTES = 256 * 1024;

/** Returns functions that parse and edit small files here, and large ones with `indexing`. */
export function translationFilesBySize(database: Database, indexing: LocalFileIndexing): TranslationFiles {
  const inProcess = new LocalFileIndexer(database);
  return {
    read: async (format, bytes, options, signal) => {
      if (bytes.length < LARGE_BYTES) return inProcess.read(format, bytes, options, signal);
      const entries: Entry[] = [];
      const onEntries = (some: EntryBatch): void =>
        void entries.splice(some.start, Infinity, ...some.entries);
      try {
        const result = await indexing.parse(format, bytes, options, onEntries, signal);
        return isUnreadable(result) ? result : { ...result, entries };
      } catch (error) {
        if (!isOutOfMemory(error)) throw error;
        const at = { span: NO_SPAN, line: null, column: null };
        return { entries: [], problems: [{ code: "syntax", message: OUT_OF_MEMORY_MESSAGE, ...at }] };
      }
    },
    edit: async (format, bytes, changes, options) => {
      if ((bytes?.length ?? 0) < LARGE_BYTES) return inProcess.edit(format, bytes, changes, options);
      try {
        return await indexing.edit(format, bytes, changes, options);
      } catch (error) {
        if (!isOutOfMemory(error)) throw error;
        const refused = changes.map((change) => refusalOf(change, "unsupported"));
        return { bytes: bytes ?? new Uint8Array(), refused };
      }
    },
    renameInPlace: async (format, bytes, entries, newKey, options) => {
      const files = bytes.length < LARGE_BYTES ? inProcess : indexing;
      try {
        return await files.renameInPlace(format, bytes, entries, newKey, options);
      } catch (error) {
        if (!isOutOfMemory(error)) throw error;
        return null;
      }
    },
  };
}

/** Message of the problem of a file that is too large to parse. */
export const OUT_OF_MEMORY_MESSAGE = "takes more memory than a file may";

/** Error code of a call whose process ran out of memory. */
export const OUT_OF_MEMORY = "ERR_OUT_OF_MEMORY";

/** Whether the error means that the indexing process ran out of memory on a file. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === OUT_OF_MEMORY;
}
