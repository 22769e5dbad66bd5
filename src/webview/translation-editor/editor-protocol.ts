/** What the extension and the page of the translation editor call of each other, over birpc, and what they exchange. */
import type { RowQuery } from "../../model/translation-editor-filters.ts";
import type { CellId, TextEdit } from "../../model/text-edit.ts";
import type { Replacement, Text } from "../../model/translation-text.ts";

/**
 * Functions of the extension. It knows nothing of the view: rows are named by the hashes of their keys, columns by their
 * languages. The arguments are checked (`check-calls.ts`).
 */
export interface EditorFunctions {
  /** The page can be called. */
  ready(): void;
  /** @param locales the languages to show; `null` for those that the user chose before */
  setup(locales: readonly string[] | null): Promise<Setup>;
  /**
   * Returns the keys that match, in order, and one batch of rows.
   * @param locales the languages that the filters apply to
   * @param around a key of the batch; `null`, or one that is not found, for the first batch
   */
  find(query: RowQuery, locales: readonly string[], around: string | null): Promise<FoundRows>;
  /** Returns the rows of keys, with the cells of these languages. */
  rows(hashes: readonly string[], locales: readonly string[]): Promise<LoadedRows>;
  /** Returns which of these keys still exist. */
  existing(hashes: readonly string[]): Promise<readonly string[]>;
  details(cell: CellId): Promise<CellDetails>;
  /** Stores texts as unsaved changes. */
  stage(edits: readonly TextEdit[]): void;
  /** Pastes spreadsheet cells. `outside`: the number of those beyond the last row or column. */
  paste(cells: readonly PastedCell[], outside: number): void;
  /** Fills cells with the texts of the key `from`, in each of the languages. */
  fill(from: string, to: readonly string[], locales: readonly string[]): void;
  clear(hashes: readonly string[], locales: readonly string[]): void;
  /** Copies cells to the clipboard, in the format of spreadsheets. */
  copy(hashes: readonly string[], locales: readonly string[]): Promise<void>;
  /** Translates what is missing in cells; a single cell is translated in any case. Without languages: in all of them. */
  translate(hashes: readonly string[], locales: readonly string[]): Promise<void>;
  /** Returns the preview of a replacement in these keys; `null` if a later search was started. */
  findMatches(
    hashes: readonly string[],
    locales: readonly string[],
    replacement: Replacement,
  ): Promise<Matches | null>;
  replace(cells: readonly CellId[], replacement: Replacement): Promise<void>;
  /** Discards drafts. */
  discard(cells: readonly CellId[]): void;
  /** Resolves conflicts in favour of the drafts. */
  keepMine(cells: readonly CellId[]): void;
  save(): Promise<void>;
  /** Opens the first usage of the key. */
  showUsage(hash: string): Promise<void>;
  /** Lets the user choose languages, the source left out; `null` if the user chose none. */
  chooseLanguages(visible: readonly string[]): Promise<readonly string[] | null>;
  /** Remembers the languages and their order, the source left out. */
  setLanguages(locales: readonly string[]): void;
}

/** Functions of the page. */
export interface PageFunctions {
  /** Shows rows. Resolves when they are painted. */
  show(view: View): Promise<void>;
  /** What is read from these tables may have changed. */
  changed(tables: readonly ShownTable[]): void;
}

/** The tables that the page shows; `stats`: the languages. */
export const SHOWN_TABLES = ["stats", "keys", "translations", "files", "usages", "search", "drafts"] as const;
export type ShownTable = (typeof SHOWN_TABLES)[number];

/** What a page is to show. `null`: unchanged. */
export interface View {
  readonly query: RowQuery | null;
  readonly locales: readonly string[] | null;
  /** The key to reveal. */
  readonly hash: string | null;
}

/** What the page needs besides rows. */
export interface Setup {
  /** Of the messages. */
  readonly language: string;
  /** Localised messages by their English ones. */
  readonly messages: Readonly<Record<string, string>>;
  /** The columns, the source language first. */
  readonly languages: readonly Language[];
  /** The number of languages that can be columns. */
  readonly languageCount: number;
  /** Whether the project has a service, and the languages and counts of it were read. */
  readonly isServiceKnown: boolean;
  /** Why the service takes no texts now; empty: it does, or there is none. */
  readonly restriction: string;
  /** The separator between namespace and key. */
  readonly separator: string;
  readonly namespaces: readonly string[];
  readonly tags: readonly string[];
}

/** A column. */
export interface Language {
  readonly locale: string;
  readonly name: string;
  readonly isSource: boolean;
  /** Plural categories that the app never shows: it shows the text of `other` instead. */
  readonly hiddenCategories: readonly string[];
}

/** What rows are shown together with. */
export interface LoadedRows {
  readonly rows: readonly EditorRow[];
  readonly counts: Counts;
  /** Which of the languages are loaded. */
  readonly loadedLocales: readonly string[];
}

/** The result of a query. */
export interface FoundRows extends LoadedRows {
  /** The hashes of all keys that were found, in order, separated by commas: one text of any number takes little time. */
  readonly hashes: string;
  /** Where the first of the rows is in the list. */
  readonly start: number;
  /** Whether everything could be found that the search looks for. */
  readonly isSearchUpToDate: boolean;
}

/** The words of `data-state`. */
export const STATES = [
  "missing",
  "outdated",
  "issue",
  "lineBreak",
  "unsaved",
  "conflict",
  "machine",
  "refused",
  "readonly",
] as const;
export type State = (typeof STATES)[number];

export interface Cell {
  /** The value, or the plural forms with their categories. */
  readonly parts: readonly { readonly category: string | null; readonly text: string }[];
  /** Whether the parts are truncated. */
  readonly isTruncated: boolean;
  /** The placeholders in the text that the source text does not have. */
  readonly wrongPlaceholders: readonly string[];
  readonly states: readonly State[];
}

/** A key with its cells. */
export interface EditorRow {
  readonly hash: string;
  /** Empty if there is none. */
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly maxLength: number | null;
  readonly isNotPushed: boolean;
  /** `null` if the code is not indexed yet. */
  readonly usageCount: number | null;
  /** Whether only code that builds its keys may use the key. */
  readonly mayBeUsed: boolean;
  /** Whether the last usage report calls it unused. */
  readonly isUnused: boolean;
  /** The placeholders of the source text. */
  readonly placeholders: readonly string[];
  /** By language. */
  readonly cells: Readonly<Record<string, Cell>>;
}

/** The details of a cell and its key. */
export interface CellDetails {
  readonly cell: CellId;
  readonly source: Text | null;
  /** The source text at the service, if it differs from the local one. */
  readonly sourceAtService: Text | null;
  /** The previous source text of an outdated translation; `null` if this machine has not seen the change. */
  readonly previousSource: Text | null;
  readonly text: Text | null;
  /** The text on which the draft is based, and the current one of somebody else. */
  readonly conflict: { readonly base: Text | null; readonly theirs: Text | null } | null;
  /** Whether the source text changed after the machine translation. */
  readonly isSourceChanged: boolean;
  /** `form`: the affected plural category; `null` for a text without forms. */
  readonly issues: readonly {
    readonly message: string;
    readonly suggestion: string | null;
    readonly form: string | null;
  }[];
  /** Why the cell cannot be edited. */
  readonly readonlyReason: string | null;
  /** Why the machine translation was rejected. */
  readonly rejectionReason: string | null;
  /** Translations of similar source texts. */
  readonly similar: readonly { readonly source: Text; readonly text: Text }[];
  /** The path of the first usage in code. */
  readonly usedIn: string | null;
}

/** A text that a replacement would change, with excerpts from shortly before the first difference on. */
export interface Match {
  readonly cell: CellId;
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

/** `end`: whether there are no more matches, there are more, or the regular expression takes too long. */
export interface Matches {
  readonly matches: readonly Match[];
  readonly end: "complete" | "more" | "too-slow";
}

/** The number of texts in these states, of all keys and languages. */
export interface Counts {
  readonly unsaved: number;
  readonly conflicts: number;
  readonly refused: number;
}

/** The text of a spreadsheet cell, and where it is pasted. */
export interface PastedCell extends CellId {
  readonly copied: string;
}

/** Rows per request. */
export const ROW_BATCH_SIZE = 30;

/** Returns the first row of the batch that contains the row. */
export function batchStart(row: number): number {
  return row - (row % ROW_BATCH_SIZE);
}
