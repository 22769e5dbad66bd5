/** Reads and changes small translation files in this process and large ones in the indexing process. */
import type { Database } from "../../database/database.ts";
import { refusalOf } from "../../formats/edit.ts";
import { type Change, type Entry, NO_SPAN, type Splice } from "../../formats/format.ts";
import {
  type EditedFile,
  type FileRead,
  isNotReadable,
  type NotReadable,
} from "../../formats/translation-file.ts";
import type { FormatName } from "../../model/format-name.ts";
import { LocalFileIndexer, type LocalFileIndexing, type SomeEntries } from "./local-file-indexer.ts";
import type { FileOptions, TranslationFiles } from "./translation-files.ts";

/** Files from this size on are large; some 15 ms to read. */
const LARGE_BYTES = 256 * 1024;

export class LargeFiles implements TranslationFiles {
  readonly #here: LocalFileIndexer;
  readonly #indexing: LocalFileIndexing;

  constructor({ database, indexing }: { readonly database: Database; readonly indexing: LocalFileIndexing }) {
    this.#here = new LocalFileIndexer(database);
    this.#indexing = indexing;
  }

  async read(
    format: FormatName,
    bytes: Uint8Array,
    options: FileOptions,
    signal?: AbortSignal,
  ): Promise<FileRead | NotReadable> {
    if (bytes.length < LARGE_BYTES) return this.#here.read(format, bytes, options, signal);
    const entries: Entry[] = [];
    const onEntries = (some: SomeEntries): void => void entries.splice(some.start, Infinity, ...some.entries);
    try {
      const result = await this.#indexing.parse(format, bytes, options, onEntries, signal);
      return isNotReadable(result) ? result : { ...result, entries };
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      const problem = { code: "syntax", message: TOO_MUCH, span: NO_SPAN, line: null, column: null } as const;
      return { entries: [], problems: [problem] };
    }
  }

  async edit(
    format: FormatName,
    bytes: Uint8Array | undefined,
    changes: readonly Change[],
    options: FileOptions,
  ): Promise<EditedFile | NotReadable> {
    if ((bytes?.length ?? 0) < LARGE_BYTES) return this.#here.edit(format, bytes, changes, options);
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
    const files = bytes.length < LARGE_BYTES ? this.#here : this.#indexing;
    try {
      return await files.renameInPlace(format, bytes, entries, newKey, options);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      return null;
    }
  }
}

/** Of a file that is refused for that. */
export const TOO_MUCH = "takes more memory than a file may";

/** Code of the error of a call whose process ended for want of memory. */
export const OUT_OF_MEMORY = "ERR_OUT_OF_MEMORY";

/** Whether the indexing process ended since a file takes more memory than it has. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === OUT_OF_MEMORY;
}
