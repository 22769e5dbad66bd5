/** What is wrong in the project's files, the newest files first. Used by the indexing process: the cost grows with the project. */
import type { QaIssue } from "../api/response-schemas.ts";
import type { KeyName } from "../model/key-hash.ts";
import { checkTrailingLineBreaks } from "../model/trailing-line-break.ts";
import type { Span } from "../util/span.ts";
import type { Database, Row } from "./database.ts";
import { parsedText } from "./records.ts";
import { HAS_NONEMPTY_FORM, IN_ORDER, type LocalProblem, VISIBLE } from "./local-file-repository.ts";

/** A location in a file. */
export interface FileLocation {
  readonly path: string;
  /** Milliseconds since the epoch; `Infinity`: just now. */
  readonly modified: number;
  readonly span: Span;
}

/** A usage of a name that no key has. */
export interface UnknownUsage extends FileLocation {
  /** As stored with usages. */
  readonly reference: string;
}

/** A key at the entry of a language. */
export interface KeyEntry extends FileLocation, KeyName {
  readonly hash: string;
  readonly locale: string;
}

/** A translation with issues, whose text is that of the entry. */
export interface EntryWithIssues extends KeyEntry {
  readonly issues: readonly QaIssue[];
}

/** A translation file with problems. */
export interface FileWithProblems extends Omit<FileLocation, "span"> {
  readonly problems: readonly LocalProblem[];
}

interface KeyWithEntry {
  readonly row: Row;
  readonly entry: Row;
}

const UNKNOWN = `SELECT s.path, s.modified, u.start, u.start + u.length AS end, r.reference
  FROM (SELECT DISTINCT reference AS id FROM reference_names) named
  CROSS JOIN key_references r ON r.id = named.id CROSS JOIN usages u ON u.reference = r.id
  CROSS JOIN source_files s ON s.id = u.file
  ORDER BY s.modified < 0 DESC, s.modified DESC, s.path, u.start LIMIT ?`;
/** The first entry of a key in a language, by precedence of files (`?2`, `?3`). */
const ENTRY = `SELECT f.path, f.modified, e.value_start AS start, e.value_end AS end, e.text
  FROM local_names n CROSS JOIN local_entries e ON e.name = n.id CROSS JOIN local_files f ON f.id = e.file
  WHERE n.hash = ?2 AND e.locale = ?3 AND ${VISIBLE} ORDER BY ${IN_ORDER} LIMIT 1`;
const COLUMNS = "k.hash, k.namespace, k.key, k.context";
const TRANSLATION_OF_KEY = `SELECT ${COLUMNS}, k.text AS source, t.text, t.issues`;
/** What is wrong in a language (`?1`): at most `?2`. */
const WITH_ISSUES = `${TRANSLATION_OF_KEY} FROM translations t CROSS JOIN keys k ON k.hash = t.hash
  WHERE t.locale = ?1 AND t.issues IS NOT NULL LIMIT ?2`;
/** A form that ends in a line break, in JSON. */
const HAS_LINE_BREAK = `(instr(t.text, '\\n"') > 0 OR instr(t.text, '\\r"') > 0)`;
const WITH_LINE_BREAK = `${TRANSLATION_OF_KEY} FROM translations t CROSS JOIN keys k ON k.hash = t.hash
  WHERE t.locale = ?1 AND t.issues IS NULL AND ${HAS_LINE_BREAK} LIMIT ?2`;
const IS_MISSING = `k.text IS NOT NULL AND k.${HAS_NONEMPTY_FORM} AND NOT EXISTS (
  SELECT 1 FROM translations t WHERE t.locale = ?1 AND t.hash = k.hash AND t.is_translated = 1)`;
const MISSING = `SELECT ${COLUMNS} FROM keys k WHERE ${IS_MISSING} ORDER BY k.id LIMIT ?2`;
/** The same in the entries of a file (`?3`) in a language (`?4`). */
const KEYS_OF_FILE = `local_entries e CROSS JOIN local_names n ON n.id = e.name CROSS JOIN keys k ON k.hash = n.hash`;
const START = "e.value_start AS start";
const OF_FILE = "e.file = ?3 AND e.locale = ?4";
const WRONG_IN_FILE = `${TRANSLATION_OF_KEY}, ${START} FROM ${KEYS_OF_FILE} CROSS JOIN translations t ON t.locale = ?1 AND t.hash = n.hash
  WHERE ${OF_FILE} AND (t.issues IS NOT NULL OR ${HAS_LINE_BREAK}) ORDER BY e.position LIMIT ?2`;
const MISSING_IN_FILE = `SELECT ${COLUMNS}, ${START} FROM ${KEYS_OF_FILE}
  WHERE ${OF_FILE} AND ${IS_MISSING} ORDER BY e.position LIMIT ?2`;
const NEWEST_FIRST = "ORDER BY f.modified < 0 DESC, f.modified DESC, f.path";
const FILES_IN_LANGUAGE = `SELECT f.id, f.path FROM local_files f
  WHERE ${VISIBLE} AND EXISTS (SELECT 1 FROM json_each(f.texts) t WHERE t.key = ?2) ${NEWEST_FIRST}`;
const FILES_WITH_PROBLEMS = `SELECT f.path, f.modified, f.problems FROM local_files f WHERE f.problems <> '[]' AND ${VISIBLE}
  ${NEWEST_FIRST} LIMIT ?2`;
const IS_TRANSLATED = "SELECT 1 FROM translations WHERE locale = ? AND hash = ? AND is_translated = 1";
const MODIFIED = `SELECT f.modified FROM local_files f WHERE f.path = ?2 AND ${VISIBLE}`;
const IS_LOCAL = `SELECT 1 FROM local_names n JOIN local_entries e ON e.name = n.id JOIN local_files f ON f.id = e.file
  WHERE n.hash = ?2 AND ${VISIBLE} LIMIT 1`;

/** Reads what is wrong. */
export class ProblemQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns usages of names that no key has. */
  unknownUsages(limit: number): readonly UnknownUsage[] {
    return this.#database.all(UNKNOWN, limit).map((row) => {
      return { ...locationOf(row), reference: String(row["reference"]) };
    });
  }

  /** Returns entries of a language whose text has issues, also those that end in a line break. */
  entriesWithIssues(locale: string, limit: number): readonly EntryWithIssues[] {
    const all = [WITH_ISSUES, WITH_LINE_BREAK].flatMap((sql) => this.#database.all(sql, locale, limit));
    const found =
      all.length < limit
        ? this.#withEntries(all, locale)
        : this.#inNewest(WRONG_IN_FILE, locale, locale, limit);
    return found.flatMap(({ row, entry }) => {
      // The service may have another text than the file.
      if (entry["text"] !== row["text"]) return [];
      const stored = JSON.parse(String(row["issues"])) as readonly QaIssue[] | null;
      const lineBreaks = checkTrailingLineBreaks(parsedText(row["source"]), parsedText(row["text"]));
      const issues = [...(stored ?? []), ...lineBreaks];
      return issues.length === 0 ? [] : [{ ...entryOf(row, entry, locale), issues }];
    });
  }

  /** Returns the source entries of keys that are not translated into the language. */
  untranslated(locale: string, sourceLocale: string, limit: number): readonly KeyEntry[] {
    const all = this.#database.all(MISSING, locale, limit);
    const found =
      all.length < limit
        ? this.#withEntries(all, sourceLocale)
        : this.#inNewest(MISSING_IN_FILE, locale, sourceLocale, limit);
    return found.map(({ row, entry }) => entryOf(row, entry, locale));
  }

  /** Whether a key is translated into the language. */
  isTranslated(locale: string, hash: string): boolean {
    return this.#database.get(IS_TRANSLATED, locale, hash) !== undefined;
  }

  /** Returns the files with problems. */
  filesWithProblems(limit: number): readonly FileWithProblems[] {
    return this.#database.all(FILES_WITH_PROBLEMS, this.#database.windowPid, limit).map((row) => ({
      path: String(row["path"]),
      modified: modifiedOf(row),
      problems: JSON.parse(String(row["problems"])) as LocalProblem[],
    }));
  }

  /** Returns when a translation file changed, as of `FileLocation`. */
  modified(path: string): number {
    const row = this.#database.get(MODIFIED, this.#database.windowPid, path);
    return row === undefined ? 0 : modifiedOf(row);
  }

  /** Whether a local file has the key. */
  hasEntry(hash: string): boolean {
    return this.#database.get(IS_LOCAL, this.#database.windowPid, hash) !== undefined;
  }

  /** Returns the keys with their entries in a language, without those that have none. */
  #withEntries(rows: readonly Row[], locale: string): KeyWithEntry[] {
    return rows.flatMap((row) => {
      const entry = this.#entry(row, locale);
      return entry === undefined ? [] : [{ row, entry }];
    });
  }

  /** Returns the first of too many: those whose entries are in the files that changed last. */
  #inNewest(sql: string, locale: string, entryLocale: string, limit: number): readonly KeyWithEntry[] {
    const found: KeyWithEntry[] = [];
    const files = this.#database.all(FILES_IN_LANGUAGE, this.#database.windowPid, entryLocale);
    for (const file of files) {
      if (found.length >= limit) break;
      const rows = this.#database.all(sql, locale, limit, file["id"] ?? 0, entryLocale);
      // A key may have several entries; the first by the order of files counts.
      const isFirst = ({ row, entry }: KeyWithEntry): boolean =>
        entry["path"] === file["path"] && entry["start"] === row["start"];
      found.push(...this.#withEntries(rows, entryLocale).filter(isFirst));
    }
    return found;
  }

  #entry(row: Row, locale: string): Row | undefined {
    return this.#database.get(ENTRY, this.#database.windowPid, row["hash"] ?? "", locale);
  }
}

function locationOf(row: Row): FileLocation {
  return {
    path: String(row["path"]),
    modified: modifiedOf(row),
    span: { start: Number(row["start"]), end: Number(row["end"]) },
  };
}

/** A file that was written just before has no time yet. */
function modifiedOf(row: Row): number {
  return Number(row["modified"]) < 0 ? Infinity : Number(row["modified"]);
}

function entryOf(key: Row, entry: Row, locale: string): KeyEntry {
  return {
    ...locationOf(entry),
    hash: String(key["hash"]),
    namespace: String(key["namespace"]),
    key: String(key["key"]),
    context: key["context"] as string | null,
    locale,
  };
}
