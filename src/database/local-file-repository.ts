/**
 * The local translation files and their entries, as last read. A changed file is written next to its old version and
 * replaces it in one step, so no reader sees it half written. Unsaved text of an editor is only visible to its own
 * window; others see the file on disk.
 */
import type { Entry, Problem } from "../formats/format.ts";
import type { BilingualFamily, FormatName } from "../model/file-formats.ts";
import type { KeyName } from "../model/key-hash.ts";
import type { FileStamp, UnreadableReason } from "../model/platform.ts";
import type { Span } from "../util/span.ts";
import { isEmptyText, isForms, type Text } from "../model/translation-text.ts";
import type { Database, Row, SqlValue } from "./database.ts";
import type { NamedKey } from "./key-name-repository.ts";
import { textToJson } from "./records.ts";

/** One entry of a local file under the name of its key. */
export interface LocalEntry {
  readonly name: KeyName;
  readonly hash: string;
  readonly text: Text;
  readonly description: string | null;
  readonly path: string;
  /** The service's name of the locale. */
  readonly locale: string;
  /** The entry as in the file, with its ranges and the file's own names for key and locale. */
  readonly entry: Entry;
}

/** A problem in a local file to report to the user. */
export interface LocalProblem {
  readonly code:
    | Problem["code"]
    | "encoding"
    | "unsupported"
    | "locale"
    | "elsewhere"
    | "format"
    | "too_large"
    | "unreadable";
  readonly path: string;
  /** For developers, in English. */
  readonly message: string;
  readonly span: Span | null;
  /** 1-based, columns in UTF-16 code units; `null` without a position, or if only `span` has it. */
  readonly line: number | null;
  readonly column: number | null;
  /** The key that it is about; its own namespace and context are not known of every format. */
  readonly name: KeyName | null;
  /** The detected format, with the code `format`. */
  readonly format?: FormatName;
  /** With the code `unreadable`. */
  readonly reason?: UnreadableReason;
}

/** Metadata of a file before its entries are read. */
export interface NewFile {
  readonly path: string;
  /** Precedence among files with the same key: lowest rank first, then by path. */
  readonly rank: number;
  readonly family: BilingualFamily | null;
  /** Prefix of the keys in addition to their names in the file. */
  readonly keyPrefix: string;
  readonly stamp: FileStamp;
  /** Whether it is the unsaved text of an editor in this window. */
  readonly dirty: boolean;
  /** Whether a later change may leave the same stamp (`FileContent.recent`). */
  readonly recent: boolean;
  /** Everything that affects parsing except the content and the plural kinds of keys. */
  readonly readConditions: string;
}

/** Results of reading a file, besides its entries. */
export interface FileDetails {
  /** The file's locales, by the service's names, with the file's own names (`null`: none). */
  readonly locales: ReadonlyMap<string, string | null>;
  /** As in `ReadResult`. */
  readonly namespaces: readonly (string | null)[];
  /** The namespaces of its keys, if it has a family. */
  readonly keyNamespaces: readonly string[];
  readonly problems: readonly LocalProblem[];
  /** Number of entries with a text, by locale. */
  readonly texts: Readonly<Record<string, number>>;
  /** Namespaces of the entries that contain source texts, if it has a family. */
  readonly sourceNamespaces: readonly string[];
}

/** A file with its results. */
export interface StoredFile extends NewFile, FileDetails {
  /** Number of entries. */
  readonly count: number;
}

/** Condition for the files visible to this window (`?1`): its own unsaved texts, and other files as on disk. */
export const VISIBLE = `f.state = 'complete' AND (f.owner = ?1 OR f.owner IS NULL AND NOT EXISTS (
  SELECT 1 FROM local_files own WHERE own.path = f.path AND own.owner = ?1 AND own.state = 'complete'))`;
export const ENTRIES = `local_entries e JOIN local_files f ON f.id = e.file`;
const NAMED = `${ENTRIES} JOIN local_names n ON n.id = e.name`;
/** Looks up the entries of each name by its index, instead of reading those of all languages. */
const BY_NAME = `local_names n CROSS JOIN local_entries e ON e.name = n.id CROSS JOIN local_files f ON f.id = e.file`;
/** Condition for a text that has a non-empty value: in its JSON `:"` only occurs at the start of a value. */
export const HAS_NONEMPTY_FORM = `text GLOB '*:"[^"]*'`;
/** Rank of templates, which may have other texts than the source file. */
export const TEMPLATE_RANK = 1;
export const IN_ORDER = "f.rank, f.path, e.position";
const COLUMNS = `n.hash, n.namespace, n.key, n.context, e.name, e.locale, e.text, e.source, e.description, e.key_start,
  e.key_end, e.value_start, e.value_end, e.details, f.path, f.key_prefix`;

/** Rows per batch; some 5 ms to read, 10 ms to write. */
const BATCH_SIZE = 500;
/** Names per batch, each with an entry to look up; some 5 ms to read. */
const NAMES_BATCH_SIZE = 200;
/** Names per batch, in all languages; some 2 ms to count in a hundred. */
const DUPLICATES_BATCH_SIZE = 100;
/** Files per batch; some 2 ms to read. */
const FILES_BATCH_SIZE = 100;

/** Rows per query that searches texts; some 2 ms. */
const SEARCHED_ROWS = 2_000;

/** Reads and writes the tables of local files. */
export class LocalFileRepository {
  readonly #database: Database;
  /** Ids of names by hash, as of `#nameIdsVersion`: the files of all languages have the same names. */
  readonly #nameIds = new Map<string, number>();
  #nameIdsVersion: string | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Yields batches of the visible files, in no particular order. */
  *files(): Generator<readonly StoredFile[]> {
    for (const rows of this.#rows("*", FILES_BATCH_SIZE)) yield rows.map(toFile);
  }

  /** Yields batches of ids and fingerprints of the visible files: the row of an id may be replaced by another one. */
  *fileVersions(): Generator<readonly { readonly id: number; readonly version: string }[]> {
    const columns = "f.id, f.path || ' ' || f.size || ' ' || f.modified || ' ' || f.read_under AS version";
    for (const rows of this.#rows(columns, BATCH_SIZE))
      yield rows.map(({ id, version }) => ({ id: Number(id), version: String(version) }));
  }

  /** Returns the file of an id. */
  file(id: number): StoredFile | undefined {
    const row = this.#database.get("SELECT * FROM local_files WHERE id = ?", id);
    return row && toFile(row);
  }

  /** Returns the visible file at a path. */
  fileAt(path: string): StoredFile | undefined {
    const [row] = this.#all(`SELECT * FROM local_files f WHERE f.path = ?2 AND ${VISIBLE}`, [path]);
    return row && toFile(row);
  }

  /** Whether a file was read. */
  hasFile(path: string): boolean {
    return this.#all(`SELECT 1 FROM local_files f WHERE f.path = ?2 AND ${VISIBLE}`, [path]).length > 0;
  }

  /** Yields batches of the visible files' rows. */
  *#rows(columns: string, size: number): Generator<readonly Row[]> {
    const next = `SELECT ${columns} FROM local_files f WHERE f.id > ?2 AND ${VISIBLE} ORDER BY f.id LIMIT ${size}`;
    for (let last = 0; ;) {
      const rows = this.#all(next, [last]);
      yield rows;
      if (rows.length < size) return;
      last = Number(rows.at(-1)?.["id"]);
    }
  }

  /** Runs writes in one transaction, as `Database.transaction`. */
  transaction(work: () => void): void {
    try {
      this.#database.transaction(work);
    } catch (error) {
      // Names that were added in the transaction do not exist.
      this.#nameIds.clear();
      throw error;
    }
  }

  /** Adds a file that is invisible until `completeFile`. Returns its id. */
  beginFile(file: NewFile): number {
    const { path, rank, family, keyPrefix, stamp, recent, readConditions } = file;
    const sql = `INSERT INTO local_files
      (owner, path, rank, family, key_prefix, size, modified, is_recent, read_under)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    return this.#database.transaction(() => {
      const { lastInsertRowid } = this.#database
        .sql(sql)
        .run(
          ...[this.#database.windowPid, path, rank, family, keyPrefix],
          ...[stamp.size, stamp.modified, Number(recent), readConditions],
        );
      return Number(lastInsertRowid);
    });
  }

  /** Adds entries (at most some 1,000) to a new file; `position` is that of the first. */
  addEntries(file: number, position: number, entries: readonly LocalEntry[]): void {
    this.transaction(() => this.#addEntries(file, position, entries));
  }

  #addEntries(file: number, position: number, entries: readonly LocalEntry[]): void {
    this.#forgetStaleNameIds();
    const insert = this.#database.sql(
      "INSERT INTO local_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    for (const [index, each] of entries.entries()) {
      const { text, description, locale, entry } = each;
      const { keySpan, valueSpan, source } = entry;
      insert.run(
        file,
        position + index,
        this.#nameId(each),
        locale,
        textToJson(text),
        Number(isForms(text)),
        source !== null && !isEmptyText(source) ? textToJson(source) : null,
        description,
        keySpan.start,
        keySpan.end,
        valueSpan.start,
        valueSpan.end,
        detailsToJson(entry),
      );
    }
  }

  /** Returns the id of a name, which is added if necessary. */
  #nameId({ hash, name: { namespace, key, context } }: LocalEntry): number {
    const known =
      this.#nameIds.get(hash) ?? this.#database.value("SELECT id FROM local_names WHERE hash = ?", hash);
    const insert = "INSERT INTO local_names (hash, namespace, key, context) VALUES (?, ?, ?, ?)";
    const id = Number(known ?? this.#database.sql(insert).run(hash, namespace, key, context).lastInsertRowid);
    this.#nameIds.set(hash, id);
    return id;
  }

  /** Another connection may have removed names, or the database was moved to memory. */
  #forgetStaleNameIds(): void {
    const version = `${this.#database.path}:${this.#database.dataVersion}`;
    if (version === this.#nameIdsVersion) return;
    this.#nameIds.clear();
    this.#nameIdsVersion = version;
  }

  /** Adds a whole file with few entries (at most some 4,000) in place of the old version of its path. */
  putFile(file: NewFile, details: FileDetails, entries: readonly LocalEntry[]): void {
    const { path, dirty, rank, family, keyPrefix, stamp, recent, readConditions } = file;
    const sql = `INSERT INTO local_files (owner, path, rank, family, key_prefix, size, modified, is_recent, read_under, state,
      locales, namespaces, key_namespaces, problems, texts, source_namespaces, entries)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'complete', ?, ?, ?, ?, ?, ?, ?)`;
    this.transaction(() => {
      this.#replace(path, dirty);
      const { lastInsertRowid } = this.#database
        .sql(sql)
        .run(
          ...[dirty ? this.#database.windowPid : null, path, rank, family, keyPrefix],
          ...[stamp.size, stamp.modified, Number(recent), readConditions],
          ...[...detailsToColumns(details), entries.length],
        );
      this.#addEntries(Number(lastInsertRowid), 0, entries);
    });
  }

  /** Makes a new file visible in place of the old version of its path. */
  completeFile(file: number, { path, dirty }: NewFile, details: FileDetails, count: number): void {
    this.#database.transaction(() => {
      this.#replace(path, dirty);
      this.#database
        .sql(
          `UPDATE local_files SET state = 'complete', owner = ?, locales = ?, namespaces = ?, key_namespaces = ?,
             problems = ?, texts = ?, source_namespaces = ?, entries = ? WHERE id = ?`,
        )
        .run(dirty ? this.#database.windowPid : null, ...detailsToColumns(details), count, file);
    });
  }

  /** Hides a deleted file. */
  removeFile(path: string): void {
    this.#database.transaction(() => this.#retire(path, "(owner = ?1 OR owner IS NULL)"));
  }

  /** Discards a new file that was not completed. */
  abandonFile(file: number): void {
    this.#database.sql("UPDATE local_files SET state = 'replaced' WHERE id = ?").run(file);
  }

  /** Hides the old version of a path: unsaved text does not replace the file on disk, which other windows still see. */
  #replace(path: string, dirty: boolean): void {
    this.#retire(path, dirty ? "owner = ?1" : "(owner = ?1 OR owner IS NULL)");
  }

  /** Hides files, to be deleted in batches by `removeReplaced`. */
  #retire(path: string, which: string): void {
    const sql = `UPDATE local_files SET owner = ?1, state = 'replaced'
      WHERE path = ?2 AND state = 'complete' AND ${which}`;
    this.#database.sql(sql).run(this.#database.windowPid, path);
  }

  /** Returns the id of a file that was replaced, or whose owner process has ended. */
  findReplaced(isRunning: (process: number) => boolean): number | undefined {
    const owned = this.#database.all("SELECT id, owner, state FROM local_files WHERE owner IS NOT NULL");
    const replaced = owned.find(({ owner, state }) => {
      return Number(owner) === this.#database.windowPid ? state === "replaced" : !isRunning(Number(owner));
    });
    return replaced && Number(replaced["id"]);
  }

  /** Deletes the next batch of entries of a replaced file, and finally the file itself. */
  removeReplaced(file: number): void {
    this.#database.transaction(() => {
      const which = `file = ?1 AND position < ${BATCH_SIZE} +
        (SELECT min(position) FROM local_entries WHERE file = ?1)`;
      const names = this.#database.column<number>(`SELECT name FROM local_entries WHERE ${which}`, file);
      const { changes } = this.#database.sql(`DELETE FROM local_entries WHERE ${which}`).run(file);
      for (const name of names) this.#database.sql(DELETE_UNUSED_NAME).run(name);
      this.#nameIds.clear();
      if (changes === 0) this.#database.sql("DELETE FROM local_files WHERE id = ?").run(file);
    });
  }

  /** Returns the entry of a key in a locale, by precedence of files. */
  find(hash: string, locale: string): LocalEntry | undefined {
    return this.#first("n.hash = ?2 AND e.locale = ?3", [hash, locale]);
  }

  /**
   * Returns the entry of another language that contains a key's source text.
   * @param covered Families and namespaces (`gettext:shop`) that have source files of their own.
   */
  findSource(hash: string, covered: readonly string[]): LocalEntry | undefined {
    const condition = `n.hash = ?2 AND e.source IS NOT NULL AND ${UNCOVERED}`;
    return this.#first(condition, [hash, JSON.stringify(covered)]);
  }

  /** Returns the first entry whose name or value contains or touches the offset. */
  entryAt(path: string, offset: number): LocalEntry | undefined {
    const condition = `f.path = ?2
      AND (?3 BETWEEN e.key_start AND e.key_end OR ?3 BETWEEN e.value_start AND e.value_end)`;
    return this.#first(condition, [path, offset], "e.position");
  }

  /** Returns the first entry that overlaps the range, from its name to its value. */
  entryInRange(path: string, { start, end }: Span): LocalEntry | undefined {
    const condition = `f.path = ?2
      AND min(e.key_start, e.value_start) < ?4 AND max(e.key_end, e.value_end) >= ?3`;
    return this.#first(condition, [path, start, end], "e.position");
  }

  /** Yields the entries of a file in order; stops early if the file is replaced. */
  *entriesOf(path: string): Generator<LocalEntry> {
    const id = `SELECT id FROM local_files f WHERE f.path = ?2 AND ${VISIBLE}`;
    const file = Number(this.#all(id, [path])[0]?.["id"] ?? -1);
    const next = `SELECT ${COLUMNS} FROM ${NAMED} WHERE e.file = ?2 AND e.position >= ?3 AND e.position < ?3 + ${BATCH_SIZE}
      AND f.state = 'complete' ORDER BY e.position`;
    for (let position = 0; ; position += BATCH_SIZE) {
      const rows = this.#all(next, [file, position]);
      yield* rows.map(toEntry);
      if (rows.length < BATCH_SIZE) return;
    }
  }

  /** Yields one entry per key of a locale, by precedence; each key exactly once, also during concurrent writes. */
  entriesIn(locale: string): Generator<LocalEntry> {
    return this.#byName("e.locale = ?3", locale);
  }

  /** Yields the entries of other languages that contain source texts, one per key; `covered` as in `findSource`. */
  sourceEntries(covered: readonly string[]): Generator<LocalEntry> {
    return this.#byName(`e.source IS NOT NULL AND ${UNCOVERED}`, JSON.stringify(covered));
  }

  /**
   * Yields the entries of all languages whose text contains one of the strings, in lists of one slice of work each, which
   * may be empty.
   */
  *entriesContaining(strings: readonly string[]): Generator<readonly LocalEntry[]> {
    if (strings.length === 0) return;
    const inJson = JSON.stringify(strings.map((each) => JSON.stringify(each).slice(1, -1)));
    const files = `SELECT f.id, (SELECT max(e.position) FROM local_entries e WHERE e.file = f.id) AS last
      FROM local_files f WHERE f.id > ?2 AND ${VISIBLE} ORDER BY f.id LIMIT ${BATCH_SIZE}`;
    const contains = `e.file = ?2 AND e.position >= ?3 AND e.position < ?3 + ${SEARCHED_ROWS}
      AND EXISTS (SELECT 1 FROM json_each(?4) WHERE instr(e.text, value) > 0)`;
    for (let lastFile: SqlValue = 0; ;) {
      const batch = this.#all(files, [lastFile]);
      for (const { id = 0, last } of batch) {
        for (let start = 0; start <= Number(last ?? -1); start += SEARCHED_ROWS)
          yield this.#entries(contains, [id, start, inJson], "e.position");
      }
      if (batch.length < BATCH_SIZE) return;
      lastFile = batch.at(-1)?.["id"] ?? 0;
    }
  }

  /** Yields the entries of each key that a language has twice, in order, and an empty list after each batch. */
  *duplicateEntries(): Generator<readonly LocalEntry[]> {
    // Counts in the index first: hardly any key is there twice, also in files that are not visible.
    const twice = `SELECT d.name, d.locale FROM (SELECT name, locale FROM local_entries
        WHERE name > ?2 AND name <= ?3 GROUP BY name, locale HAVING count(*) > 1) d
      WHERE (SELECT count(*) FROM ${ENTRIES} WHERE e.name = d.name AND e.locale = d.locale AND ${VISIBLE}) > 1`;
    for (let last = 0; last < this.#lastName(); last += DUPLICATES_BATCH_SIZE) {
      for (const { name = 0, locale = "" } of this.#all(twice, [last, last + DUPLICATES_BATCH_SIZE])) {
        yield this.#entries("e.name = ?2 AND e.locale = ?3", [name, locale], IN_ORDER);
      }
      yield [];
    }
  }

  /** Returns whether a key has plural forms in a locale; `undefined` without an entry. */
  isPlural(hash: string, locale: string): boolean | undefined {
    const [row] = this.#all(
      `SELECT e.is_plural FROM ${NAMED} WHERE n.hash = ?2 AND e.locale = ?3 AND ${VISIBLE} ORDER BY ${IN_ORDER} LIMIT 1`,
      [hash, locale],
    );
    return row && row["is_plural"] === 1;
  }

  /** Returns the files that have the key with plural forms, or without. Those of a family state it themselves. */
  pathsOfKey(hash: string, isPlural: boolean): string[] {
    return this.#all(
      `SELECT DISTINCT f.path FROM ${NAMED} WHERE n.hash = ?2 AND e.is_plural = ?3 AND f.family IS NULL AND ${VISIBLE}`,
      [hash, Number(isPlural)],
    ).map(({ path }) => String(path));
  }

  /** Yields the keys with plural forms in any file, or in one of a locale. */
  *pluralKeys(locale: string | null = null): Generator<NamedKey> {
    const next = `SELECT e.name, n.hash, n.namespace, n.key, n.context FROM ${NAMED} WHERE e.is_plural AND e.name > ?2
      AND (?3 IS NULL OR e.locale = ?3) AND ${VISIBLE} GROUP BY e.name ORDER BY e.name LIMIT ${BATCH_SIZE}`;
    for (let last = 0; ;) {
      const rows = this.#all(next, [last, locale]);
      for (const row of rows) {
        last = Number(row["name"]);
        yield { hash: String(row["hash"]), ...toName(row) };
      }
      if (rows.length < BATCH_SIZE) return;
    }
  }

  /** Returns whether a key of the file has the prefix. */
  hasKeyStart(path: string, start: string): boolean {
    const any = `SELECT 1 FROM ${NAMED} WHERE f.path = ?2 AND ${VISIBLE} AND substr(n.key, 1, ?4) = ?3 LIMIT 1`;
    return this.#all(any, [path, start, start.length]).length > 0;
  }

  /** Returns the namespaces of the keys in the file. */
  namespacesIn(path: string): string[] {
    const all = `SELECT DISTINCT n.namespace FROM ${NAMED} WHERE f.path = ?2 AND ${VISIBLE}`;
    return this.#all(all, [path]).map(({ namespace }) => String(namespace));
  }

  /** Yields the first entry of each name that matches the condition on `?3`, the parameter. */
  *#byName(condition: string, parameter: string): Generator<LocalEntry> {
    const next = `SELECT ${COLUMNS} FROM ${BY_NAME} WHERE n.id > ?2 AND n.id <= ?2 + ${NAMES_BATCH_SIZE} AND ${condition}
      AND ${VISIBLE} ORDER BY n.id, ${IN_ORDER}`;
    for (let start = 0; start < this.#lastName(); start += NAMES_BATCH_SIZE) {
      let last: string | undefined;
      for (const entry of this.#all(next, [start, parameter]).map(toEntry)) {
        if (entry.hash === last) continue;
        last = entry.hash;
        yield entry;
      }
    }
  }

  #lastName(): number {
    return this.#database.number("SELECT max(id) FROM local_names");
  }

  #first(condition: string, parameters: readonly SqlValue[], order = IN_ORDER): LocalEntry | undefined {
    return this.#entries(condition, parameters, `${order} LIMIT 1`)[0];
  }

  /** Returns the visible entries that match a condition, whose parameters begin with `?2`. */
  #entries(condition: string, parameters: readonly SqlValue[], order: string): LocalEntry[] {
    const sql = `SELECT ${COLUMNS} FROM ${NAMED} WHERE ${condition} AND ${VISIBLE} ORDER BY ${order}`;
    return this.#all(sql, parameters).map(toEntry);
  }

  /** Returns the rows of a query whose `?1` is this window. */
  #all(text: string, parameters: readonly SqlValue[] = []): Row[] {
    return this.#database.all(text, this.#database.windowPid, ...parameters);
  }
}

/** Returns the values of the columns of `FileDetails`, in their order. */
function detailsToColumns(details: FileDetails): readonly string[] {
  const { locales, namespaces, keyNamespaces, problems, texts, sourceNamespaces } = details;
  return [[...locales], namespaces, keyNamespaces, problems, texts, sourceNamespaces].map((each) =>
    JSON.stringify(each),
  );
}

/** Returns the JSON of what most entries do not have; `null` without. */
function detailsToJson(entry: Entry): string | null {
  const { context, namespace, locale, readOnly, formatFlags, maxLength } = entry;
  const isFuzzy = entry.isFuzzy === true ? true : undefined;
  const hasFlags = isFuzzy !== undefined || formatFlags !== undefined || maxLength !== undefined;
  // An empty context must be stored: its key has the same name as one without a context.
  if (namespace === null && locale === null && readOnly === null && !hasFlags && context !== "") return null;
  return JSON.stringify({ context, namespace, locale, readOnly, isFuzzy, formatFlags, maxLength });
}

/** Deletes a name without entries. */
const DELETE_UNUSED_NAME =
  "DELETE FROM local_names WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM local_entries WHERE name = ?1)";

/** Condition for an entry with a source text whose namespace has no source file (`?3`: JSON of `covered`). */
export const UNCOVERED = `f.family IS NOT NULL AND f.family || ':' || n.namespace NOT IN (SELECT value FROM json_each(?3))`;

function toName(row: Row): KeyName {
  return {
    namespace: String(row["namespace"]),
    key: String(row["key"]),
    context: row["context"] as string | null,
  };
}

function toEntry(row: Row): LocalEntry {
  const name = toName(row);
  const text = parseJson<Text>(row["text"]);
  const description = row["description"] as string | null;
  const entry: Entry = {
    key: name.key.slice(String(row["key_prefix"]).length),
    ...(row["details"] === null
      ? { ...DEFAULT_DETAILS, context: name.context }
      : parseJson<typeof DEFAULT_DETAILS>(row["details"])),
    text,
    source: row["source"] === null ? null : parseJson<Text>(row["source"]),
    description,
    keySpan: { start: Number(row["key_start"]), end: Number(row["key_end"]) },
    valueSpan: { start: Number(row["value_start"]), end: Number(row["value_end"]) },
  };
  const [path, locale, hash] = [String(row["path"]), String(row["locale"]), String(row["hash"])];
  return { name, hash, text, description, path, locale, entry };
}

/** Values of most entries, which are not stored. */
const DEFAULT_DETAILS: Pick<Entry, "context" | "namespace" | "locale" | "readOnly"> = {
  context: null,
  namespace: null,
  locale: null,
  readOnly: null,
};

function toFile(row: Row): StoredFile {
  return {
    path: String(row["path"]),
    rank: Number(row["rank"]),
    family: row["family"] as BilingualFamily | null,
    keyPrefix: String(row["key_prefix"]),
    stamp: { size: Number(row["size"]), modified: Number(row["modified"]) },
    dirty: row["owner"] !== null,
    recent: row["is_recent"] === 1,
    readConditions: String(row["read_under"]),
    locales: new Map(parseJson<[string, string | null][]>(row["locales"])),
    namespaces: parseJson(row["namespaces"]),
    keyNamespaces: parseJson(row["key_namespaces"]),
    problems: parseJson(row["problems"]),
    texts: parseJson(row["texts"]),
    sourceNamespaces: parseJson(row["source_namespaces"]),
    count: Number(row["entries"]),
  };
}

function parseJson<Value>(json: unknown): Value {
  return JSON.parse(String(json)) as Value;
}
