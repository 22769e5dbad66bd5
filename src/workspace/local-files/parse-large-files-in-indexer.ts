/** Parses and edits the content of translation files: fast work in this process, slow work in the indexing process. */
import { refuseAll } from "../../formats/editing/apply-verified-edit.ts";
import type { KeyRename } from "../../formats/editing/rename-in-place.ts";
import { sameBytes } from "../../formats/text/encoding.ts";
import { type Change, type Entry, NO_SPAN, type ReadOptions, type Splice } from "../../formats/format.ts";
import {
  type EditedFile,
  type FileRead,
  isUnreadable,
  type UnreadableFile,
} from "../../formats/parse-and-edit-file.ts";
import type { FormatName } from "../../model/file-formats.ts";
import type { LocalFileLocation } from "./local-file.ts";

/** Options for parsing or editing a file. Plain data. */
export interface FileOptions extends Omit<ReadOptions, "isPlural"> {
  /** Location of a project file; its known keys decide which entries are plural. */
  readonly location?: LocalFileLocation;
}

/** Callers only pass formats that have a `FormatInfo`. */
export interface TranslationFiles {
  /** @throws the signal's reason, as soon as it is aborted */
  read(
    format: FormatName,
    bytes: Uint8Array,
    options: FileOptions,
    signal?: AbortSignal,
  ): Promise<FileRead | UnreadableFile>;
  /** Without `bytes`, creates a new file. */
  edit(
    format: FormatName,
    bytes: Uint8Array | undefined,
    changes: readonly Change[],
    options: FileOptions,
  ): Promise<EditedFile | UnreadableFile>;
  /** Returns the splices that rename the keys; `null` if the name cannot be replaced on its own. */
  renameInPlace(
    format: FormatName,
    bytes: Uint8Array,
    renames: readonly KeyRename[],
    options: FileOptions,
  ): Promise<readonly Splice[] | null>;
}

/** A batch of a file's entries. After a restart of the process they are sent again from the first one. */
export interface EntryBatch {
  /** Index of the first entry of the batch. */
  readonly start: number;
  readonly entries: readonly Entry[];
}

/** The functions in another process. Arguments are plain data, except for signals and `onEntries`. */
export interface RemoteTranslationFiles extends Pick<TranslationFiles, "edit" | "renameInPlace"> {
  /** Like `read`, with the entries in batches. */
  parse(
    format: FormatName,
    bytes: Uint8Array,
    options: FileOptions,
    onEntries: (batch: EntryBatch) => void,
    signal?: AbortSignal,
  ): Promise<Omit<FileRead, "entries"> | UnreadableFile>;
}

/** Smallest size of a large file, which takes about 15 ms to parse. */
export const LARGE_FILE_BYTES = 256 * 1024;
/** Smallest number of changes that are made as in a large file; some 50 ms. */
const MANY_CHANGES = 1_000;

/** Returns functions that use `local` for small files and `remote` for large ones and many changes. */
export function translationFilesBySize(
  local: TranslationFiles,
  remote: RemoteTranslationFiles,
): TranslationFiles {
  const isLarge = (bytes: Uint8Array | undefined): boolean => (bytes?.length ?? 0) >= LARGE_FILE_BYTES;
  return {
    read: (format, bytes, options, signal) => {
      if (!isLarge(bytes)) return local.read(format, bytes, options, signal);
      const entries: Entry[] = [];
      const onEntries = (batch: EntryBatch): void =>
        void entries.splice(batch.start, Infinity, ...batch.entries);
      const reading = remote
        .parse(format, bytes, options, onEntries, signal)
        .then((result) => (isUnreadable(result) ? result : { ...result, entries }));
      const problem = { ...OUT_OF_MEMORY_PROBLEM, span: NO_SPAN, line: null, column: null };
      return unlessOutOfMemory(reading, () => ({ entries: [], problems: [problem] }));
    },
    edit: async (format, bytes, changes, options) => {
      const files = isLarge(bytes) || changes.length >= MANY_CHANGES ? remote : local;
      const original = bytes ?? new Uint8Array();
      const edited = await unlessOutOfMemory(files.edit(format, bytes, changes, options), () => ({
        bytes: original,
        refused: refuseAll(changes, "unsupported"),
      }));
      // The other process returns a copy.
      const isUnchanged = !isUnreadable(edited) && sameBytes(edited.bytes, original);
      return isUnchanged ? { ...edited, bytes: original } : edited;
    },
    renameInPlace: (format, bytes, ...others) =>
      unlessOutOfMemory(
        (isLarge(bytes) ? remote : local).renameInPlace(format, bytes, ...others),
        () => null,
      ),
  };
}

/** The problem of a file that is too large to parse. */
export const OUT_OF_MEMORY_PROBLEM = {
  code: "syntax",
  message: "parsing it takes too much memory",
} as const;

/** Error code of a call whose process ran out of memory. */
export const OUT_OF_MEMORY = "ERR_OUT_OF_MEMORY";

/** Returns the result of the work, or of `otherwise` if the indexing process ran out of memory on the file. */
export async function unlessOutOfMemory<Result, Other>(
  work: Promise<Result>,
  otherwise: (error: unknown) => Other,
): Promise<Result | Awaited<Other>> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === OUT_OF_MEMORY)) throw error;
    return await otherwise(error);
  }
}
