/** Parses and edits the content of translation files, in this process or another one. */
import type { Change, Entry, ReadOptions, Splice } from "../../formats/format.ts";
import type { EditedFile, FileRead, UnreadableFile } from "../../formats/translation-file.ts";
import type { FormatName } from "../../model/format-name.ts";
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
  /** Returns the splice that renames the entries' key; `null` if the name cannot be replaced on its own. */
  renameInPlace(
    format: FormatName,
    bytes: Uint8Array,
    entries: readonly Entry[],
    newKey: string,
    options: FileOptions,
  ): Promise<Splice | null>;
}
