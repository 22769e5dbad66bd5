/**
 * The local translation files and their entries, as they were last read. A file that changed is written anew beside what
 * was known of it and takes its place in one step, so nobody ever sees a part of one. Unsaved text of an editor is one
 * process's own: other windows of the project go on seeing what the disk has.
 */
import type { Entry, Problem } from "../formats/format.ts";
import type { FormatName } from "../model/format-name.ts";
import type { KeyName } from "../model/key-identity.ts";
import type { FileStamp } from "../model/platform.ts";
import type { Span } from "../model/span.ts";
import { isEmptyText, isForms, type Text } from "../model/text.ts";
import type { Database } from "./database.ts";

/** One entry of a local file under the name of its key. */
export interface LocalEntry {
  readonly name: KeyName;
  readonly hash: string;
  readonly text: Text;
  readonly description: string | null;
  readonly path: string;
  /** The service's name of the locale. */
  readonly locale: string;
  /** As in the file, with its places; the file's own names of the key and the locale stand here. */
  readonly entry: Entry;
}

/** Something about the local files that a person should know. */
export interface LocalProblem {
  readonly code:
    | Problem["code"]
    | "encoding"
    | "unsupported"
    | "locale"
    | "elsewhere"
    | "format"
    | "too_large";
  readonly path: string;
  /** For engineers, in English. */
  readonly message: string;
  readonly span: Span | null;
  /** From 1, columns in UTF-16 units; `null`: of no place in the file, or of one that only `span` says. */
  readonly line: number | null;
  readonly column: number | null;
  readonly key: string | null;
  /** Of `format`: what the file is instead. */
  readonly format?: FormatName;
}

/** Formats with the same way of naming keys, of which one file is made of another. */
export type FormatFamily = "gettext" | "xliff";

/** What is known of a file before its entries are read. */
export interface NewFile {
  readonly path: string;
  /** Which of several files with a key counts: the one with the lowest rank, then the first by its path. */
  readonly rank: number;
  readonly family: FormatFamily | null;
  /** What stands before the file's own names of its keys. */
  readonly keyPrefix: string;
  readonly stamp: FileStamp;
  /** Unsaved text of an editor of this process. */
  readonly dirty: boolean;
  /** Its stamp does not tell later changes for certain (`FileContent.recent`). */
  readonly recent: boolean;
  /** All that decided how it was read, beside its content and the kinds of keys. */
  readonly readUnder: string;
}

/** What came of reading a file. */
export interface FileFacts {
  /** The locales whose texts it has a place for, by the service's names, with the file's own name (`null`: none). */
  readonly locales: ReadonlyMap<string, string | null>;
  /** As `ReadResult` has them. */
  readonly namespaces: readonly (string | null)[];
  /** The namespaces of its keys, where it has a family. */
  readonly keyNamespaces: readonly string[];
  readonly problems: readonly LocalProblem[];
}

/** A file that was read. */
export interface StoredFile extends NewFile, FileFacts {
  /** How many entries it has. */
  readonly count: number;
}

/** The files that count in this process (`?1`): its own unsaved texts, and what the disk has of all others. */
export const VISIBLE = `f.state = 'complete' AND (f.owner = ?1 OR f.owner IS NULL AND NOT EXISTS (
  SELECT 1 FROM local_files own WHERE own.path = f.path AND own.owner = ?1 AND own.state = 'complete'))`;
export const ENTRIES = `local_entries e JOIN local_files f ON f.id = e.file`;
const NAMED = `${ENTRIES} JOIN local_names n ON n.id = e.name`;
/** Of a text's JSON, in which `:"` begins a value and never stands inside of one: that a value is not empty. */
export const HAS_WORDS = `text GLOB '*:"[^"]*'`;
export const IN_ORDER = "f.rank, f.path, e.position";
const COLUMNS = `n.hash, n.namespace, n.key, n.context, e.name, e.locale, e.text, e.source, e.description, e.key_start,
  e.key_end, e.value_start, e.value_end, e.details, f.path, f.key_prefix`;

/** Rows of one batch; some 5 ms to read, 10 ms to write. */
const BATCH_SIZE = 500;

export class LocalFileRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All files that count, in no order. */
  files(): StoredFile[] {
    return this.#all(`SELECT * FROM local_files f WHERE ${VISIBLE}`).map(fileOf);
  }

  /** Begins to write a file, which nobody sees before `finish`. Out: its number. */
  begin(file: NewFile): number {
    const { path, rank, family, keyPrefix, stamp, recent, readUnder } = file;
    const { lastInsertRowid } = this.#database
      .sql(
        `INSERT INTO local_files (owner, path, rank, family, key_prefix, size, modified, is_recent, read_under)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        this.#database.windowPid,
        path,
        rank,
        family,
        keyPrefix,
        stamp.size,
        stamp.modified,
        Number(recent),
        readUnder,
      );
    return Number(lastInsertRowid);
  }

  /** Adds entries (some 500) to a file that was begun; `position`: of the first of them. */
  add(file: number, position: number, entries: readonly LocalEntry[]): void {
    this.#database.transaction(() => {
      const insert = this.#database.sql(
        "INSERT INTO local_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      );
      for (const [index, each] of entries.entries()) {
        const { text, description, locale, entry } = each;
        const { keySpan, valueSpan, source, context, namespace, locale: own, readOnly } = entry;
        const { isFuzzy, maxLength } = entry;
        const name = this.#nameOf(each);
        const isPlain =
          namespace === null &&
          own === null &&
          readOnly === null &&
          isFuzzy !== true &&
          maxLength === undefined;
        // One without a context has the hash of one with an empty one.
        const details = {
          context,
          namespace,
          locale: own,
          readOnly,
          ...(isFuzzy === true ? { isFuzzy } : {}),
          ...(maxLength === undefined ? {} : { maxLength }),
        };
        insert.run(
          ...[file, position + index, name, locale, JSON.stringify(text), Number(isForms(text))],
          ...[source !== null && !isEmptyText(source) ? JSON.stringify(source) : null, description],
          ...[keySpan.start, keySpan.end, valueSpan.start, valueSpan.end],
          isPlain && context !== "" ? null : JSON.stringify(details),
        );
      }
    });
  }

  /** The number of a name, which is added where it is not there. */
  #nameOf({ hash, name: { namespace, key, context } }: LocalEntry): number {
    const known = this.#database.sql("SELECT id FROM local_names WHERE hash = ?").get(hash)?.["id"];
    if (known !== undefined) return Number(known);
    const insert = this.#database.sql(
      "INSERT INTO local_names (hash, namespace, key, context) VALUES (?, ?, ?, ?)",
    );
    return Number(insert.run(hash, namespace, key, context).lastInsertRowid);
  }

  /** The file that was begun takes the place of what was known of its path. */
  finish(file: number, { path, dirty }: NewFile, facts: FileFacts, count: number): void {
    const { locales, namespaces, keyNamespaces, problems } = facts;
    this.#database.transaction(() => {
      // What the disk has stays known to the other windows while the text is not saved.
      this.#retire(path, dirty ? "owner = ?1" : "(owner = ?1 OR owner IS NULL)");
      this.#database
        .sql(
          `UPDATE local_files SET state = 'complete', owner = ?, locales = ?, namespaces = ?, key_namespaces = ?,
             problems = ?, entries = ? WHERE id = ?`,
        )
        .run(
          dirty ? this.#database.windowPid : null,
          ...[[...locales], namespaces, keyNamespaces, problems].map((each) => JSON.stringify(each)),
          ...[count, file],
        );
    });
  }

  /** The file is there no more. */
  remove(path: string): void {
    this.#database.transaction(() => this.#retire(path, "(owner = ?1 OR owner IS NULL)"));
  }

  /** The file that was begun is given up. */
  abandon(file: number): void {
    this.#database.sql("UPDATE local_files SET state = 'replaced' WHERE id = ?").run(file);
  }

  /** Nobody sees these any more. */
  #retire(path: string, which: string): void {
    this.#database
      .sql(
        `UPDATE local_files SET owner = ?1, state = 'replaced' WHERE path = ?2 AND state = 'complete' AND ${which}`,
      )
      .run(this.#database.windowPid, path);
  }

  /** A file that was replaced, or that a process left behind which `isRunning` no more, by its number. */
  findReplaced(isRunning: (process: number) => boolean): number | undefined {
    const owned = this.#database.sql("SELECT id, owner, state FROM local_files WHERE owner IS NOT NULL");
    const replaced = owned.all().find(({ owner, state }) => {
      return Number(owner) === this.#database.windowPid ? state === "replaced" : !isRunning(Number(owner));
    });
    return replaced && Number(replaced["id"]);
  }

  /** Removes the next few entries of a file that was replaced, and the file after the last of them. */
  removeReplaced(file: number): void {
    this.#database.transaction(() => {
      const which = `file = ?1 AND position < ${BATCH_SIZE} +
        (SELECT min(position) FROM local_entries WHERE file = ?1)`;
      const names = this.#database.sql(`SELECT name FROM local_entries WHERE ${which}`).all(file);
      const { changes } = this.#database.sql(`DELETE FROM local_entries WHERE ${which}`).run(file);
      for (const { name } of names) this.#database.sql(DROP_NAME).run(name ?? null);
      if (changes === 0) this.#database.sql("DELETE FROM local_files WHERE id = ?").run(file);
    });
  }

  /** The entry that counts for a key in a locale. */
  find(hash: string, locale: string): LocalEntry | undefined {
    return this.#get(
      `SELECT ${COLUMNS} FROM ${NAMED} WHERE n.hash = ?2 AND e.locale = ?3 AND ${VISIBLE} ORDER BY ${IN_ORDER} LIMIT 1`,
      [hash, locale],
    );
  }

  /**
   * The entry of another language that says a key's source text; `covered`: families and namespaces (`gettext:shop`)
   * that have source files of their own.
   */
  findSource(hash: string, covered: readonly string[]): LocalEntry | undefined {
    return this.#get(
      `SELECT ${COLUMNS} FROM ${NAMED} WHERE n.hash = ?2 AND e.source IS NOT NULL AND ${UNCOVERED} AND ${VISIBLE}
       ORDER BY ${IN_ORDER} LIMIT 1`,
      [hash, JSON.stringify(covered)],
    );
  }

  /** The first entry that has the offset in its name or its value, or at the end of them. */
  around(path: string, offset: number): LocalEntry | undefined {
    return this.#get(
      `SELECT ${COLUMNS} FROM ${NAMED} WHERE f.path = ?2 AND ${VISIBLE}
         AND (?3 BETWEEN e.key_start AND e.key_end OR ?3 BETWEEN e.value_start AND e.value_end)
       ORDER BY e.position LIMIT 1`,
      [path, offset],
    );
  }

  /** The first entry that reaches, from its name to its value, into the part of the file. */
  within(path: string, { start, end }: Span): LocalEntry | undefined {
    return this.#get(
      `SELECT ${COLUMNS} FROM ${NAMED} WHERE f.path = ?2 AND ${VISIBLE}
         AND min(e.key_start, e.value_start) < ?4 AND max(e.key_end, e.value_end) >= ?3
       ORDER BY e.position LIMIT 1`,
      [path, start, end],
    );
  }

  /** The entries of a file in its order; of one that is replaced meanwhile those that were read until then. */
  *entriesOf(path: string): Generator<LocalEntry> {
    const id = `SELECT id FROM local_files f WHERE f.path = ?2 AND ${VISIBLE}`;
    const file = Number(this.#all(id, [path])[0]?.["id"] ?? -1);
    const next = `SELECT ${COLUMNS} FROM ${NAMED} WHERE e.file = ?2 AND e.position >= ?3 AND e.position < ?3 + ${BATCH_SIZE}
      AND f.state = 'complete' ORDER BY e.position`;
    for (let position = 0; ; position += BATCH_SIZE) {
      const rows = this.#all(next, [file, position]);
      yield* rows.map(entryOf);
      if (rows.length < BATCH_SIZE) return;
    }
  }

  /** The entries of a locale that count. A key that is there all the while comes exactly once, whatever is read meanwhile. */
  entriesIn(locale: string): Generator<LocalEntry> {
    return this.#byName(
      `SELECT ${COLUMNS} FROM ${NAMED} WHERE e.name > ?2 AND e.name <= ?2 + ${BATCH_SIZE} AND e.locale = ?3 AND ${VISIBLE}
       ORDER BY e.name, ${IN_ORDER}`,
      locale,
    );
  }

  /** The entries of other languages that count for the source texts which they say; `covered` as in `findSource`. */
  sourceEntries(covered: readonly string[]): Generator<LocalEntry> {
    return this.#byName(
      `SELECT ${COLUMNS} FROM ${NAMED} WHERE e.name > ?2 AND e.name <= ?2 + ${BATCH_SIZE} AND e.source IS NOT NULL
         AND ${UNCOVERED} AND ${VISIBLE} ORDER BY e.name, ${IN_ORDER}`,
      JSON.stringify(covered),
    );
  }

  /** Entries of a locale with the same key, in their order, key by key; nothing from time to time, for other work. */
  *entriesTwiceIn(locale: string): Generator<readonly LocalEntry[]> {
    const twice = `SELECT e.name FROM ${ENTRIES} WHERE e.name > ?2 AND e.name <= ?2 + ${BATCH_SIZE} AND e.locale = ?3 AND ${VISIBLE}
      GROUP BY e.name HAVING count(*) > 1`;
    const all = `SELECT ${COLUMNS} FROM ${NAMED} WHERE e.name = ?2 AND e.locale = ?3 AND ${VISIBLE} ORDER BY ${IN_ORDER}`;
    for (let last = 0; last < this.#lastName(); last += BATCH_SIZE) {
      for (const { name = 0 } of this.#all(twice, [last, locale])) {
        yield this.#all(all, [name, locale]).map(entryOf);
      }
      yield [];
    }
  }

  /** How many keys of a locale there are. */
  count(locale: string): number {
    const count = `SELECT count(DISTINCT e.name) AS count FROM ${ENTRIES} WHERE e.locale = ?2 AND ${VISIBLE}`;
    return Number(this.#all(count, [locale])[0]?.["count"]);
  }

  /** How many keys of a locale have a text that is not empty. */
  countTexts(locale: string): number {
    const count = `SELECT count(DISTINCT e.name) AS count FROM ${ENTRIES}
      WHERE e.locale = ?2 AND ${VISIBLE} AND e.${HAS_WORDS}`;
    return Number(this.#all(count, [locale])[0]?.["count"]);
  }

  /** Whether a key has plural forms in a locale; `undefined`: it has no entry there. */
  isPlural(hash: string, locale: string): boolean | undefined {
    const [row] = this.#all(
      `SELECT e.is_plural FROM ${NAMED} WHERE n.hash = ?2 AND e.locale = ?3 AND ${VISIBLE} ORDER BY ${IN_ORDER} LIMIT 1`,
      [hash, locale],
    );
    return row && row["is_plural"] === 1;
  }

  /** The paths of files that have the key with plural forms, or without. */
  pathsOf(hash: string, isPlural: boolean): string[] {
    return this.#all(
      `SELECT DISTINCT f.path FROM ${NAMED} WHERE n.hash = ?2 AND e.is_plural = ?3 AND ${VISIBLE}`,
      [hash, Number(isPlural)],
    ).map(({ path }) => String(path));
  }

  /** The keys that have plural forms in some file; `locale`: in one of that language. */
  *plurals(locale: string | null = null): Generator<KeyName & { readonly hash: string }> {
    const next = `SELECT e.name, n.hash, n.namespace, n.key, n.context FROM ${NAMED} WHERE e.is_plural AND e.name > ?2
      AND (?3 IS NULL OR e.locale = ?3) AND ${VISIBLE} GROUP BY e.name ORDER BY e.name LIMIT ${BATCH_SIZE}`;
    for (let last = 0; ;) {
      const rows = this.#all(next, [last, locale]);
      for (const row of rows) {
        last = Number(row["name"]);
        yield { hash: String(row["hash"]), ...nameOf(row) };
      }
      if (rows.length < BATCH_SIZE) return;
    }
  }

  /** Whether a key of the file begins so. */
  hasKeyStart(path: string, start: string): boolean {
    const any = `SELECT 1 FROM ${NAMED} WHERE f.path = ?2 AND ${VISIBLE} AND substr(n.key, 1, ?4) = ?3 LIMIT 1`;
    return this.#all(any, [path, start, start.length]).length > 0;
  }

  /** The namespaces of the keys in the file. */
  namespacesIn(path: string): string[] {
    const all = `SELECT DISTINCT n.namespace FROM ${NAMED} WHERE f.path = ?2 AND ${VISIBLE}`;
    return this.#all(all, [path]).map(({ namespace }) => String(namespace));
  }

  /** `next`: the rows of the next `BATCH_SIZE` names after `?2`, in their order. */
  *#byName(next: string, parameter: string): Generator<LocalEntry> {
    for (let start = 0; start < this.#lastName(); start += BATCH_SIZE) {
      let last = 0;
      for (const row of this.#all(next, [start, parameter])) {
        if (row["name"] === last) continue;
        last = Number(row["name"]);
        yield entryOf(row);
      }
    }
  }

  #lastName(): number {
    return Number(this.#database.sql("SELECT max(id) AS id FROM local_names").get()?.["id"] ?? 0);
  }

  #get(text: string, parameters: readonly Value[]): LocalEntry | undefined {
    const [row] = this.#all(text, parameters);
    return row && entryOf(row);
  }

  #all(text: string, parameters: readonly Value[] = []): Row[] {
    return this.#database.sql(text).all(this.#database.windowPid, ...parameters) as Row[];
  }
}

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

/** Of a name that no entry has any more. */
const DROP_NAME =
  "DELETE FROM local_names WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM local_entries WHERE name = ?1)";

/** Of an entry with a source text: that no file of the source language has its namespace (`?3`: JSON of those). */
export const UNCOVERED = `f.family IS NOT NULL AND f.family || ':' || n.namespace NOT IN (SELECT value FROM json_each(?3))`;

function nameOf(row: Row): KeyName {
  return {
    namespace: String(row["namespace"]),
    key: String(row["key"]),
    context: row["context"] as string | null,
  };
}

function entryOf(row: Row): LocalEntry {
  const name = nameOf(row);
  const text = parsed<Text>(row["text"]);
  const description = row["description"] as string | null;
  const entry: Entry = {
    key: name.key.slice(String(row["key_prefix"]).length),
    ...(row["details"] === null ? { ...PLAIN, context: name.context } : parsed<typeof PLAIN>(row["details"])),
    text,
    source: row["source"] === null ? null : parsed<Text>(row["source"]),
    description,
    keySpan: { start: Number(row["key_start"]), end: Number(row["key_end"]) },
    valueSpan: { start: Number(row["value_start"]), end: Number(row["value_end"]) },
  };
  const [path, locale, hash] = [String(row["path"]), String(row["locale"]), String(row["hash"])];
  return { name, hash, text, description, path, locale, entry };
}

/** What most entries have. */
const PLAIN: Pick<Entry, "context" | "namespace" | "locale" | "readOnly"> = {
  context: null,
  namespace: null,
  locale: null,
  readOnly: null,
};

function fileOf(row: Row): StoredFile {
  return {
    path: String(row["path"]),
    rank: Number(row["rank"]),
    family: row["family"] as FormatFamily | null,
    keyPrefix: String(row["key_prefix"]),
    stamp: { size: Number(row["size"]), modified: Number(row["modified"]) },
    dirty: row["owner"] !== null,
    recent: row["is_recent"] === 1,
    readUnder: String(row["read_under"]),
    locales: new Map(parsed<[string, string | null][]>(row["locales"])),
    namespaces: parsed(row["namespaces"]),
    keyNamespaces: parsed(row["key_namespaces"]),
    problems: parsed(row["problems"]),
    count: Number(row["entries"]),
  };
}

function parsed<Value>(json: unknown): Value {
  return JSON.parse(String(json)) as Value;
}
