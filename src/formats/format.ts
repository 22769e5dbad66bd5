/**
 * What a file format must do: read entries with their places, and say which bytes to replace for a change.
 * One file per format beside this one; `registry.ts` lists them. A format knows no service and no disk.
 */
import type { Span } from "../model/span.ts";
import type { FormatName } from "../model/format-name.ts";
import type { Text } from "../model/text.ts";

/** What tells an entry of one file from all others of it. */
export interface EntryName {
  /** The key as the contract's table names it: dotted path, msgid, member name. Plural suffixes are gone. */
  readonly key: string;
  readonly context: string | null;
  /** Only where the file itself names one (a column, an XLIFF `file`); else absent or `null`. */
  readonly namespace?: string | null;
  /** Only where one file holds several locales (a column for each), as the file calls it; else absent or `null`. */
  readonly locale?: string | null;
}

/** One translation entry of a file. */
export interface Entry extends EntryName {
  readonly namespace: string | null;
  readonly locale: string | null;
  readonly text: Text;
  /**
   * The source text, where a file of another language says it too (gettext's msgid, XLIFF's `source`); `null` where
   * it does not, and in a file of the source language itself.
   */
  readonly source: Text | null;
  /** The column, note or comment that describes the key. */
  readonly description: string | null;
  /** Where the key's own name (its last segment) stands. */
  readonly keySpan: Span;
  /** The value with its quotes. Of a plural key whose forms stand apart: from the first to the last. */
  readonly valueSpan: Span;
  /** Why the value can be read but not written (an expression, say); `null` when it can. */
  readonly readOnly: ReadOnlyReason | null;
  /** The file marks the text as one that is yet to be reviewed, so that programs do not use it (gettext's `fuzzy`). */
  readonly isFuzzy?: boolean;
  /** How many characters a text may have, where the file says so (XLIFF's `maxwidth`, gettext's flag `max-length:`). */
  readonly maxLength?: number;
}

/**
 * Words for people are the host's. `expression`, `interpolation`: code or a formula makes the text. `source`: the
 * text is the key itself or stands here only as the source of a translation. `unsupported`: a form of writing that
 * is read and cannot be written without loss.
 */
export type ReadOnlyReason = "expression" | "interpolation" | "source" | "unsupported";

/** Something in the file that could not be understood; the rest was read. */
export interface Problem {
  readonly code: "syntax" | "duplicate" | "type" | "expression";
  /** For engineers, in English. */
  readonly message: string;
  readonly span: Span;
  readonly key?: string;
}

export interface ReadOptions {
  /** The locale of this file's texts (the service's name of it). */
  readonly locale: string;
  readonly sourceLocale: string;
  /**
   * What is known of a key's kind from the service or the source file; `undefined`: unknown, the format's own
   * rule decides (the table of docs/project-file.md).
   */
  readonly isPlural?: (key: string, context: string | null, namespace?: string | null) => boolean | undefined;
  /**
   * Editing and printing: files of the same format that say how to write what the file itself does not show; those
   * that come first count more.
   */
  readonly examples?: readonly ExampleFile[];
  /** Printing a JavaScript file: whether Node takes it for CommonJS. */
  readonly isCommonJs?: boolean;
  /** Spreadsheets: what the columns mean; absent: the titles of the header row say it (the table of docs/project-file.md). */
  readonly columns?: readonly Column[];
  /** Spreadsheets: names that make a column the texts of a locale; absent: whatever has a locale's shape. */
  readonly locales?: readonly string[];
}

/** A file whose layout another one follows. */
export interface ExampleFile {
  readonly text: string;
  /** A byte-order mark stands before it. */
  readonly bom: boolean;
  /** The locale of its texts, as in `ReadOptions`. */
  readonly locale: string;
}

/** One column of a spreadsheet, by its title in the header row. */
export type Column =
  | { readonly title: string; readonly holds: "namespace" | "key" | "context" | "description" }
  /** `locale: null`: the file's own; `category: null`: the value of a singular key. */
  | {
      readonly title: string;
      readonly holds: "text";
      readonly locale: string | null;
      readonly category: string | null;
    };

export interface ReadResult {
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
  /** The language that the file itself says its texts are in, as it calls it (a header, an attribute). */
  readonly locale?: string | null;
  /** The namespaces that the file has places for, entries or not, in its order (XLIFF's `file` elements). */
  readonly namespaces?: readonly (string | null)[];
}

/** Set a key's text (a new key when the file lacks it), or remove it with `text: null`. */
export interface Change extends EntryName {
  readonly text: Text | null;
  readonly description?: string | null;
  /** For a new entry of a file that says the source text too; absent: unknown. */
  readonly source?: Text | null;
  /** Whether a text is to be marked as fuzzy; absent: one that changes is not, one that stays keeps its mark. */
  readonly fuzzy?: boolean;
}

/** Replace `[start, end)` by `text`. Splices of one edit do not overlap and are sorted. */
export interface Splice extends Span {
  readonly text: string;
}

/**
 * A change that was not made. `forms`: the file has no place for all plural forms of the text. `encoding`: the file's
 * encoding has no way to write it.
 */
export interface Refusal extends EntryName {
  readonly reason: ReadOnlyReason | "syntax" | "conflict" | "not_found" | "forms" | "encoding";
}

export interface EditResult {
  readonly splices: readonly Splice[];
  readonly refused: readonly Refusal[];
}

/** One entry to print into a new file. */
export interface NewEntry extends EntryName {
  readonly text: Text;
  readonly description?: string | null;
  /** For files that say the source text too; absent: unknown. */
  readonly source?: Text | null;
}

interface AnyFormat {
  readonly name: FormatName;
  /** File name endings, with the dot. */
  readonly extensions: readonly string[];
  /** Loads what the format needs and is too large to be there from the start; before anything else is called. */
  prepare?(): Promise<void>;
}

/** A format whose files are text. Text never has a byte-order mark here; `encoding.ts` takes it off and puts it back. */
export interface TextFormat extends AnyFormat {
  readonly kind: "text";
  /** Never throws on any input. */
  read(text: string, options: ReadOptions): ReadResult;
  /** The smallest splices that make the changes; everything else keeps its bytes. */
  edit(text: string, changes: readonly Change[], options: ReadOptions): EditResult;
  /** A whole new file with these entries in this order. */
  print(entries: readonly NewEntry[], options: ReadOptions): string;
}

/** A format whose files are no text and are rebuilt whole. Its entries' spans are all `NO_SPAN`. */
export interface BinaryFormat extends AnyFormat {
  readonly kind: "binary";
  /** Never throws on any input. */
  read(bytes: Uint8Array, options: ReadOptions): ReadResult;
  /** The given bytes themselves when nothing changed. What is not understood is kept, or the change refused. */
  edit(
    bytes: Uint8Array,
    changes: readonly Change[],
    options: ReadOptions,
  ): { readonly bytes: Uint8Array; readonly refused: readonly Refusal[] };
  print(entries: readonly NewEntry[], options: ReadOptions): Uint8Array;
}

export type Format = TextFormat | BinaryFormat;

/** Where nothing can be pointed at. */
export const NO_SPAN: Span = { start: 0, end: 0 };

/** One string for each entry of a file, whatever kind of format it has. */
export function entryId({ key, context, namespace, locale }: EntryName): string {
  return `${namespace ?? ""}\u0004${locale ?? ""}\u0004${context ?? ""}\u0004${key}`;
}
