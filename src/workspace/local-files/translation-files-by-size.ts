/** Parses and edits small translation files in this process and large ones in the indexing process. */
import type { Database } from "../../database/database.ts";
import { refusalOf } from "../../formats/edit.ts";
import { type Change, type Entry, NO_SPAN, type Splice } from "../../formats/format.ts";
import {
  type EditedFile,
  type FileRead,
  isUnreadable,
  type UnreadableFile,
} from "../../formats/translation-file.ts";
import type { FormatName } from "../../model/format-name.ts";
import { LocalFileIndexer, type LocalFileIndexing, type EntryBatch } from "./local-file-indexer.ts";
import type { FileOptions, TranslationFiles } from "./translation-files.ts";

/** Smallest size of a large file, which takes about 15 ms to parse. */
const LARGE_BYTES = 256 * 1024;

export class TranslationFilesBySize implements TranslationFiles {
  readonly #inProcess: LocalFileIndexer;
  readonly #indexing: LocalFileIndexing;

  constructor({ database, indexing }: { readonly database: Database; readonly indexing: LocalFileIndexing }) {
    this.#inProcess = new LocalFileIndexer(database);
    this.#indexing = indexing;
  }

  async read(
    format: FormatName,
    bytes: Uint8Array,
    options: FileOptions,
    signal?: AbortSignal,
  ): Promise<FileRead | UnreadableFile> {
    if (bytes.length < LARGE_BYTES) return this.#inProcess.read(format, bytes, options, signal);
    const entries: Entry[] = [];
    const onEntries = (some: EntryBatch): void => void entries.splice(some.start, Infinity, ...some.entries);
    try {
      const result = await this.#indexing.parse(format, bytes, options, onEntries, signal);
      return isUnreadable(result) ? result : { ...result, entries };
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      const problem = {
        code: "syntax",
        message: OUT_OF_MEMORY_MESSAGE,
        span: NO_SPAN,
        line: null,
        column: null,
      } as const;
      return { entries: [], problems: [problem] };
    }
  }

  async edit(
    format: FormatName,
    bytes: Uint8Array | undefined,
    changes: readonly Change[],
    options: FileOptions,
  ): Promise<EditedFile | UnreadableFile> {
    if ((bytes?.length ?? 0) < LARGE_BYTES) return this.#inProcess.edit(format, bytes, changes, options);
    try {
      return await this.#indexing.edit(format, bytes, changes, options);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      return {
        bytes: bytes ?? new Uint8Array(),
        refused: changes.map((change) => refusalOf(change, "unsupported")),
      };
    }
  }

  async renameInPlace(
    format: FormatName,
    bytes: Uint8Array,
    entries: readonly Entry[],
    newKey: string,
    options: FileOptions,
  ): Promise<Splice | null> {
    const files = bytes.length < LARGE_BYTES ? this.#inProcess : this.#indexing;
    try {
      return await files.renameInPlace(format, bytes, entries, newKey, options);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      return null;
    }
  }
}

/** Message of the problem of a file that is too large to parse. */
export const OUT_OF_MEMORY_MESSAGE = "takes more memory than a file may";

/** Error code of a call whose process ran out of memory. */
export const OUT_OF_MEMORY = "ERR_OUT_OF_MEMORY";

/** Whether the error means that the indexing process ran out of memory on a file. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === OUT_OF_MEMORY;
}
