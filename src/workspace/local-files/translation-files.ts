/** Reading and changing the content of translation files, in this thread or another one. */
import type { Change, Entry, ReadOptions, Splice } from "../../formats/format.ts";
import type { EditedFile, FileRead, NotReadable } from "../../formats/translation-file.ts";
import type { FormatName } from "../../model/format-name.ts";
import type { LocalPlace } from "./local-file.ts";

/** How a file is read or written. Plain data. */
export interface FileOptions extends Omit<ReadOptions, "isPlural"> {
  /** Of a file of the project: what is known of its keys decides which are plural. */
  readonly place?: LocalPlace;
}

/** The format must be one that is known here. */
export interface TranslationFiles {
  /** Rejects with the signal's reason as soon as that is aborted. */
  read(
    format: FormatName,
    bytes: Uint8Array,
    options: FileOptions,
    signal?: AbortSignal,
  ): Promise<FileRead | NotReadable>;
  /** Without `bytes` a new file. */
  edit(
    format: FormatName,
    bytes: Uint8Array | undefined,
    changes: readonly Change[],
    options: FileOptions,
  ): Promise<EditedFile | NotReadable>;
  /** What takes the place of the entries' name in the file; `null`: it cannot be replaced by itself. */
  renameInPlace(
    format: FormatName,
    bytes: Uint8Array,
    entries: readonly Entry[],
    newKey: string,
    options: FileOptions,
  ): Promise<Splice | null>;
}
