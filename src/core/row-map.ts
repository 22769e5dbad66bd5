/** The rows of one language by the hashes of their keys, in columns; what many callers ask of each, they ask by itself. */
import type { QaIssue } from "../api/schemas.ts";
import { kindAt, NULL, type PackedStrings, stringAt, StringPacker } from "./formats/packed-strings.ts";
import { HashTable, type HashTableData } from "./hash-table.ts";
import { NumberColumn, type NumberData, TimeColumn, type TimeData } from "./item-columns.ts";
import { type Changes, type Columns, ItemMap, type MapData, type Packer } from "./item-map.ts";
import type { ProjectRow } from "./project.ts";
import { sameText, type Text } from "./text.ts";
import { TextColumn, type TextData, TextPacker } from "./text-column.ts";

/** Most rows have no issues: one empty list serves them all. */
export const NO_ISSUES: readonly QaIssue[] = [];

const TRANSLATED = 1;
const OUTDATED = 2;

/** How many rows are so, and how many QA errors they have together. */
export interface RowCounts {
  readonly translated: number;
  readonly outdated: number;
  readonly errors: number;
}

interface RowData {
  readonly hashes: HashTableData;
  readonly texts: TextData;
  readonly marks: Uint8Array<ArrayBuffer>;
  /** Each list as JSON; `null`: the empty one. */
  readonly issues: PackedStrings;
  readonly versions: NumberData;
  readonly times: TimeData;
  readonly counts: RowCounts;
}

class RowColumns implements Columns<ProjectRow, RowData> {
  readonly data: RowData;
  readonly hashes: HashTable;
  readonly texts: TextColumn;
  readonly #versions: NumberColumn;
  readonly #times: TimeColumn;

  constructor(data: RowData) {
    this.data = data;
    this.hashes = new HashTable(data.hashes);
    this.texts = new TextColumn(data.texts);
    this.#versions = new NumberColumn(data.versions);
    this.#times = new TimeColumn(data.times);
  }

  at(number: number): ProjectRow {
    return {
      hash: this.hashes.at(number),
      text: this.texts.at(number),
      isTranslated: this.isMarked(number, TRANSLATED),
      isOutdated: this.isMarked(number, OUTDATED),
      issues: this.issuesAt(number),
      version: this.#versions.at(number),
      updatedAt: this.timeAt(number),
    };
  }

  isMarked(number: number, mark: number): boolean {
    return ((this.data.marks[number] ?? 0) & mark) !== 0;
  }
  hasIssues(number: number): boolean {
    return kindAt(this.data.issues, number) !== NULL;
  }
  issuesAt(number: number): readonly QaIssue[] {
    const issues = stringAt(this.data.issues, number);
    return issues === null ? NO_ISSUES : (JSON.parse(issues) as readonly QaIssue[]);
  }
  timeAt(number: number): string | null {
    return this.#times.at(number);
  }
}

/** Gathers rows to make columns of them. */
class RowPacker implements Packer<ProjectRow, RowColumns> {
  readonly #hashes: HashTable;
  readonly #texts: TextPacker;
  readonly #marks: Uint8Array<ArrayBuffer>;
  readonly #issues: StringPacker;
  readonly #versions: NumberColumn;
  readonly #times: TimeColumn;
  #counts: RowCounts = { translated: 0, outdated: 0, errors: 0 };

  /** `count`: how many will come. */
  constructor(count: number) {
    this.#hashes = new HashTable(count);
    this.#texts = new TextPacker(count);
    this.#marks = new Uint8Array(count);
    this.#issues = new StringPacker(count);
    this.#versions = new NumberColumn(count);
    this.#times = new TimeColumn(count);
  }

  add(row: ProjectRow): void {
    const number = this.#hashes.add(row.hash);
    this.#texts.add(row.text);
    this.#marks[number] = (row.isTranslated ? TRANSLATED : 0) + (row.isOutdated ? OUTDATED : 0);
    this.#issues.add(row.issues.length === 0 ? null : JSON.stringify(row.issues));
    this.#versions.add(row.version);
    this.#times.add(row.updatedAt);
    this.#counts = counted(this.#counts, row, 1);
  }

  packed(): RowColumns {
    return new RowColumns({
      hashes: this.#hashes.data,
      texts: this.#texts.packed(),
      marks: this.#marks,
      issues: this.#issues.packed(),
      versions: this.#versions.data,
      times: this.#times.data,
      counts: this.#counts,
    });
  }
}

/** Rows by the hashes of their keys; never changed (see ItemMap). */
export class RowMap extends ItemMap<ProjectRow, RowColumns> {
  /** `data`: what another one was. */
  static from({ columns, changes, size }: MapData<ProjectRow, RowData>): RowMap {
    return new RowMap(new RowColumns(columns), new Map(changes), size);
  }

  /** For a few: they are kept as they are. */
  static of(rows: Iterable<ProjectRow>): RowMap {
    return NO_ROWS.with(new Map(Array.from(rows, (row) => [row.hash, row])));
  }

  protected override make(columns: RowColumns, changes?: Changes<ProjectRow>, size?: number): this {
    return new RowMap(columns, changes, size) as this;
  }

  protected override packer(count: number): RowPacker {
    return new RowPacker(count);
  }

  /** `undefined`: there is no such row. So of all that is asked of one row. */
  isTranslated(hash: string): boolean | undefined {
    return this.look(
      hash,
      (row) => row.isTranslated,
      (number) => this.columns.isMarked(number, TRANSLATED),
    );
  }

  isOutdated(hash: string): boolean | undefined {
    return this.look(
      hash,
      (row) => row.isOutdated,
      (number) => this.columns.isMarked(number, OUTDATED),
    );
  }

  /** Whether the row has this text; it is not unpacked. */
  isText(hash: string, text: Text): boolean | undefined {
    return this.look(
      hash,
      (row) => row.text !== null && sameText(row.text, text),
      (number) => this.columns.texts.isAt(number, text),
    );
  }

  /** The row, where it has QA issues. */
  withIssuesAt(hash: string): ProjectRow | undefined {
    return this.look(
      hash,
      (row) => (row.issues.length > 0 ? row : undefined),
      (number) => (this.columns.hasIssues(number) ? this.columns.at(number) : undefined),
    );
  }

  /** The hashes of those with a translated text. */
  *translated(): Generator<string> {
    const all = this.pass(
      (row) => (row.isTranslated && row.text !== null ? row.hash : null),
      (number) =>
        this.columns.isMarked(number, TRANSLATED) && this.columns.texts.has(number)
          ? this.columns.hashes.at(number)
          : null,
    );
    for (const hash of all) if (hash !== null) yield hash;
  }

  /** The rows with QA issues. */
  *withIssues(): Generator<ProjectRow> {
    const all = this.pass(
      (row) => (row.issues.length > 0 ? row : null),
      (number) => (this.columns.hasIssues(number) ? this.columns.at(number) : null),
    );
    for (const row of all) if (row !== null) yield row;
  }

  counts(): RowCounts {
    let { counts } = this.columns.data;
    for (const [hash, row] of this.changes) {
      const number = this.columns.hashes.numberOf(hash);
      if (number !== -1) counts = counted(counts, this.columns.at(number), -1);
      if (row !== null) counts = counted(counts, row, 1);
    }
    return counts;
  }
}

export const NO_ROWS = new RowMap(new RowPacker(0).packed());

function counted(counts: RowCounts, row: ProjectRow, by: 1 | -1): RowCounts {
  const errors = row.issues.filter(({ level }) => level === "error").length;
  return {
    translated: counts.translated + (row.isTranslated ? by : 0),
    outdated: counts.outdated + (row.isOutdated ? by : 0),
    errors: counts.errors + by * errors,
  };
}
