/** Reading and changing the content of translation files, in this thread or another one. */
import type { Change, ReadOptions } from "../../formats/format.ts";
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
}
