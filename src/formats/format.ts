/**
 * The interface of a file format: parses entries with their ranges, and edits files by splices. Each format has its
 * own file or folder next to this one; `supported-formats.ts` lists them. Formats know nothing of the service or the disk.
 */
import type { Span } from "../util/span.ts";
import type { FormatName } from "../model/file-formats.ts";
import type { Text } from "../model/translation-text.ts";

/** Identifies an entry within a file. */
export interface EntryName {
  /** The key: a dotted path, msgid or member name, without plural suffixes. */
  readonly key: string;
  readonly context: string | null;
  /** The namespace, if the file specifies it (a column, an XLIFF `file`); otherwise absent or `null`. */
  readonly namespace?: string | null;
  /** The locale as named in the file, if a file may contain several; otherwise absent or `null`. */
  readonly locale?: string | null;
}

/** One translation entry of a file. */
export interface Entry extends EntryName {
  readonly namespace: string | null;
  readonly locale: string | null;
  readonly text: Text;
  /** The source text, if the file also has that (gettext's msgid, XLIFF's `source`); otherwise `null`. */
  readonly source: Text | null;
  /** The description of the key from a column, note or comment. */
  readonly description: string | null;
  /** Range of the key's last segment. */
  readonly keySpan: Span;
  /** Ranges of the names of all forms, if plural forms are members of their own. */
  readonly formNameSpans?: readonly Span[];
  /** Range of the value with its quotes; for separate plural forms, from the first to the last. */
  readonly valueSpan: Span;
  /** Why the value is read-only (for example an expression); `null` if it is writable. */
  readonly readOnly: ReadOnlyReason | null;
  /** Whether the file marks the text as unreviewed, so that programs do not use it (gettext's `fuzzy`). */
  readonly isFuzzy?: boolean;
  /** gettext's flags of format strings: `php-format`, `no-c-format` …; absent without any. */
  readonly formatFlags?: readonly string[];
  /** Maximum length in characters, if the file sets one (XLIFF's `maxwidth`, gettext's `max-length:`). */
  readonly maxLength?: number;
}

/**
 * Why an entry is read-only. `expression`, `interpolation`: code or a formula produces the text. `source`: the text
 * is the key itself, or only exists as the source of a translation. `unsupported`: a notation that cannot be written
 * without loss.
 */
export type ReadOnlyReason = "expression" | "interpolation" | "source" | "unsupported";

/** A part of the file that could not be parsed, unlike the rest. */
export interface Problem {
  readonly code: "syntax" | "duplicate" | "type" | "expression";
  /** Not localised. */
  readonly message: string;
  readonly span: Span;
  readonly key?: string;
}

export interface ReadOptions {
  /** The locale of the file's texts, as named by the service. */
  readonly locale: string;
  readonly sourceLocale: string;
  /**
   * Whether a key is plural according to the service or the source file; `undefined` if unknown: the format's own
   * rule applies (docs/project-file.md).
   */
  readonly isPlural?: (key: string, context: string | null, namespace?: string | null) => boolean | undefined;
  /** For editing and printing: files of the same format whose style is followed, the most relevant first. */
  readonly examples?: readonly ExampleFile[];
  /** For printing a JavaScript file: whether Node treats it as CommonJS. */
  readonly isCommonJs?: boolean;
  /** Spreadsheets: what the columns contain; absent: determined by the header row (docs/project-file.md). */
  readonly columns?: readonly Column[];
  /** Spreadsheets: locale names that identify text columns; absent: anything that looks like a locale. */
  readonly locales?: readonly string[];
}

/** A file whose style is followed. */
export interface ExampleFile {
  readonly text: string;
  /** Whether the file has a byte order mark. */
  readonly bom: boolean;
  /** The locale of the file's texts, as in `ReadOptions`. */
  readonly locale: string;
}

/** A spreadsheet column, identified by its title in the header row. */
export type Column =
  | { readonly title: string; readonly holds: "namespace" | "key" | "context" | "description" }
  /** `locale: null`: the locale of the file; `category: null`: the value of a singular key. */
  | {
      readonly title: string;
      readonly holds: "text";
      readonly locale: string | null;
      readonly category: string | null;
    };

export interface ReadResult {
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
  /** The locale that the file declares (a header, an attribute), in its own notation. */
  readonly locale?: string | null;
  /** The file's namespaces in order, with or without entries (XLIFF's `file` elements). */
  readonly namespaces?: readonly (string | null)[];
}

/** Sets a key's text (and adds the key if missing), or removes it with `text: null`. */
export interface Change extends EntryName {
  readonly text: Text | null;
  readonly description?: string | null;
  /** Source text of a new entry in a bilingual file; absent if unknown. */
  readonly source?: Text | null;
  /** Whether to mark the text as fuzzy; absent: a changed text is not, an unchanged one keeps its flag. */
  readonly fuzzy?: boolean;
}

/** Replaces `[start, end)` with `text`. The splices of an edit are sorted and do not overlap. */
export interface Splice extends Span {
  readonly text: string;
}

/**
 * A change that is not made. `forms`: the file cannot contain all plural forms of the text. `encoding`: the file's encoding
 * lacks a character. `generated`: files of the format are only written as a whole.
 */
export interface Refusal extends EntryName {
  readonly reason: RefusalReason;
}

export type RefusalReason =
  | ReadOnlyReason
  | "syntax"
  | "conflict"
  | "not_found"
  | "forms"
  | "encoding"
  | "generated";

/** The renaming of a key that replaces only its written name. */
export interface KeyRename {
  /** The entry before renaming. */
  readonly entry: Entry;
  readonly newKey: string;
}

export interface EditResult {
  readonly splices: readonly Splice[];
  readonly refused: readonly Refusal[];
}

/** An entry of a new file. */
export interface NewEntry extends Change {
  readonly text: Text;
}

interface AnyFormat {
  readonly name: FormatName;
  /** Loads large dependencies of the format. Must be called before anything else. */
  prepare?(): Promise<void>;
}

/** A text format. Its text has no byte order mark: `encoding.ts` removes and restores it. */
export interface TextFormat extends AnyFormat {
  readonly kind: "text";
  /** Never throws on any input. */
  read(text: string, options: ReadOptions): ReadResult;
  /** Returns the smallest splices that apply the changes; all other text is preserved. */
  edit(text: string, changes: readonly Change[], options: ReadOptions): EditResult;
  /** Returns a new file with these entries in this order. */
  print(entries: readonly NewEntry[], options: ReadOptions): string;
  /** Returns the text as files contain it, if they have no place for some plural forms of the locale (Laravel's). */
  asWritten?(text: Text, options: ReadOptions): Text;
  /** Whether the two texts certainly differ only in the name of one key; if `false`, compare what `read` returns. */
  isOnlyRenamed?(
    texts: readonly [before: string, after: string],
    rename: KeyRename,
    options: ReadOptions,
  ): boolean;
}

/** A text format whose files other programs generate: they are read, and only written as a whole. */
export interface GeneratedTextFormat extends AnyFormat {
  readonly kind: "generated";
  /** Never throws on any input. */
  read(text: string, options: ReadOptions): ReadResult;
  print(entries: readonly NewEntry[], options: ReadOptions): string;
}

/** A binary format. Its files are only written as a whole, and the spans of its entries are all `NO_SPAN`. */
export interface BinaryFormat extends AnyFormat {
  readonly kind: "binary";
  /** Never throws on any input. */
  read(bytes: Uint8Array, options: ReadOptions): ReadResult;
  print(entries: readonly NewEntry[], options: ReadOptions): Uint8Array;
}

export type Format = TextFormat | GeneratedTextFormat | BinaryFormat;

/** The span of anything that has no range in the text. */
export const NO_SPAN: Span = { start: 0, end: 0 };

/** Returns a string that identifies an entry within a file. */
export function entryId({ key, context, namespace, locale }: EntryName): string {
  return `${namespace ?? ""}\u0004${locale ?? ""}\u0004${context ?? ""}\u0004${key}`;
}
