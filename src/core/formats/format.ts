/**
 * What a file format must do: read entries with their places, and say which bytes to replace for a change.
 * One file per format beside this one; `registry.ts` lists them. A format knows no service and no disk.
 */
import type { FormatName } from "../../api/schemas.ts";
import type { Text } from "../text.ts";

/** Half-open range of UTF-16 offsets in the file's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One translation entry of a file. */
export interface Entry {
  /** The key as the contract's table names it: dotted path, msgid, member name. Plural suffixes are gone. */
  readonly key: string;
  readonly context: string | null;
  /** Only where the file itself names one (a column, an XLIFF `file`). */
  readonly namespace: string | null;
  readonly text: Text;
  readonly description: string | null;
  /** Where the key's own name (its last segment) stands. */
  readonly keySpan: Span;
  /** The value with its quotes. Of a plural key whose forms stand apart: from the first to the last. */
  readonly valueSpan: Span;
  /** Why the value can be read but not written (an expression, say); `null` when it can. */
  readonly readOnly: ReadOnlyReason | null;
}

/** Words for people are the host's. */
export type ReadOnlyReason = "expression" | "interpolation" | "unsupported";

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
   * rule decides (contract.md's table).
   */
  readonly isPlural?: (key: string, context: string | null) => boolean | undefined;
}

export interface ReadResult {
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
}

/** Set a key's text (a new key when the file lacks it), or remove it with `text: null`. */
export interface Change {
  readonly key: string;
  readonly context: string | null;
  readonly text: Text | null;
  readonly description?: string | null;
}

/** Replace `[start, end)` by `text`. Splices of one edit do not overlap and are sorted. */
export interface Splice extends Span {
  readonly text: string;
}

export interface Refusal {
  readonly key: string;
  readonly context: string | null;
  readonly reason: ReadOnlyReason | "syntax" | "conflict" | "not_found";
}

export interface EditResult {
  readonly splices: readonly Splice[];
  readonly refused: readonly Refusal[];
}

/** One entry to print into a new file. */
export interface NewEntry {
  readonly key: string;
  readonly context: string | null;
  readonly text: Text;
  readonly description?: string | null;
}

/** A format whose files are text. Text never has a byte-order mark here; `bytes.ts` takes it off and puts it back. */
export interface TextFormat {
  readonly kind: "text";
  readonly name: FormatName;
  /** File name endings, with the dot. */
  readonly extensions: readonly string[];
  /** Never throws on any input. */
  read(text: string, options: ReadOptions): ReadResult;
  /** The smallest splices that make the changes; everything else keeps its bytes. */
  edit(text: string, changes: readonly Change[], options: ReadOptions): EditResult;
  /** A whole new file with these entries in this order. */
  print(entries: readonly NewEntry[], options: ReadOptions): string;
}

export type Format = TextFormat;
