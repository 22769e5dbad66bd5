/** What a rename needs and yields. */
import type { Text } from "../../model/translation-text.ts";
import { type FormatName, formatInfoOf } from "../../model/file-formats.ts";
import { decodeText, isUndecodable } from "../../formats/text/encoding.ts";
import type { Splice } from "../../formats/format.ts";
import type { KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";
import type { UsageRepository } from "../../database/key-usage-repository.ts";
import type { KeyName } from "../../model/key-hash.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import type { FindOptions } from "../../scanners/key-usage.ts";
import type { LocalEntries } from "../local-files/local-entries.ts";
import type { KeyResolutionOptions } from "../usages/resolve-usage-to-key.ts";

export interface RenameDependencies {
  readonly files: Pick<ProjectFiles, "read">;
  readonly local: LocalEntries;
  /** Resolves when the usages are complete for the current keys. */
  readonly usages: () => Promise<RenameUsages>;
  /** Names of the keys at the service. */
  readonly names: KeyNameQueries;
  readonly find: FindOptions;
  readonly lookup: KeyResolutionOptions;
  /** Translations of the service that contain one of the strings, in slices of work. */
  readonly serviceTexts?: (markers: readonly string[]) => Iterable<readonly ServiceText[]>;
  /** Whether the editor can change or create a translation file as planned. */
  readonly canEdit: (file: RenamedFile) => Promise<boolean>;
  /** Whether the service's key of that name is the renamed key itself, so that it may get its name back. */
  readonly isFormerName: (key: KeyName, name: KeyName) => boolean;
}

/** A translation of the service. */
export interface ServiceText {
  readonly name: KeyName;
  readonly locale: string;
  readonly text: Text;
}

export type RenameUsages = Pick<
  UsageRepository,
  "usagesOf" | "usagesOfName" | "patternsOf" | "usagesOfPattern" | "importsOf"
>;

/** A key and its new name. */
export interface NameChange {
  readonly from: NamedKey;
  readonly to: NamedKey;
}

/** A text file before and after; `splices` are the edits. */
export interface RenamedFile {
  readonly path: string;
  readonly kind: "code" | "translations";
  /** Whether the file does not exist yet; it is UTF-8 then. */
  readonly isNew: boolean;
  /** Empty for a new file. */
  readonly before: string;
  /** Whether it is UTF-8, with or without a byte order mark. */
  readonly isUtf8: boolean;
  readonly splices: readonly Splice[];
}

/**
 * An occurrence of the old name that remains: a usage that cannot be replaced, a dynamic usage, which no longer matches
 * the key, or a translation file that cannot be read completely, edited or have the new entry.
 */
export interface RemainingOccurrence {
  readonly path: string;
  /** From 1; `null` if unknown. */
  readonly line: number | null;
}

/** The edits of a rename, and what they leave behind. */
export interface RenameEdits {
  readonly files: readonly RenamedFile[];
  readonly remaining: readonly RemainingOccurrence[];
}

export type DecodedFile = Pick<RenamedFile, "isUtf8"> & { readonly text: string };

/** A file that does not exist yet. */
export const NEW_FILE: DecodedFile = { text: "", isUtf8: true };

/** Decodes a source file or, with `format`, a translation file; `null` if it is missing or not text. */
export function decodeFile(bytes: Uint8Array | undefined, format?: FormatName): DecodedFile | null {
  if (bytes === undefined || (format !== undefined && formatInfoOf(format)?.kind === "binary")) return null;
  const decoded = decodeText(bytes, format);
  return isUndecodable(decoded) ? null : { text: decoded.text, isUtf8: decoded.encoding === undefined };
}

export function renamedFile(
  path: string,
  kind: RenamedFile["kind"],
  { text, isUtf8 }: DecodedFile,
  splices: readonly Splice[],
  isNew = false,
): RenamedFile {
  return { path, kind, isNew, before: text, isUtf8, splices };
}
