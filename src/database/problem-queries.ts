/** What is wrong in the project's files, the newest files first. Used by the indexing process: the cost grows with the project. */
import type { QaIssue } from "../api/response-schemas.ts";
import type { KeyName } from "../model/key-hash.ts";
import { checkTrailingLineBreaks } from "../model/trailing-line-break.ts";
import type { Span } from "../util/span.ts";
import type { Database, Row } from "./database.ts";
import { parsedText } from "./records.ts";
import { HAS_NONEMPTY_FORM, IN_ORDER, type LocalProblem, VISIBLE } from "./local-file-repository.ts";

/** A place in a file. */
export interface FilePlace {
  readonly path: string;
  /** Milliseconds since the epoch; `Infinity`: just now. */
  readonly modified: number;
  readonly span: Span;
}

/** A usage of a name that no key has. */
export interface UnknownUsage extends FilePlace {
  /** As stored with usages. */
  readonly reference: string;
}

/** A key at the entry of a language. */
export interface KeyEntry extends FilePlace, KeyName {
  readonly hash: string;
  readonly locale: string;
}

/** A translation with issues, whose text is that of the entry. */
export interface EntryWithIssues extends KeyEntry {
  readonly issues: readonly QaIssue[];
}

/** A translation file with problems. */
export interface FileWithProblems extends Omit<FilePlace, "span"> {
  readonly problems: readonly LocalProblem[];
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
const TRANSLATION_OF_KEY = `SELECT t.hash, t.locale, t.text, t.issues, k.namespace, k.key, k.context, k.text AS source
  FROM translations t CROSS JOIN keys k ON k.hash = t.hash WHERE t.locale = ?`;
const WITH_ISSUES = `${TRANSLATION_OF_KEY} AND t.issues IS NOT NULL LIMIT ?`;
/** A form that ends in a line break, in JSON. */
const WITH_LINE_BREAK = `${TRANSLATION_OF_KEY} AND t.issues IS NULL
  AND (instr(t.text, '\\n"') > 0 OR instr(t.text, '\\r"') > 0) LIMIT ?`;
const MISSING = `SELECT k.hash, k.namespace, k.key, k.context FROM keys k
  WHERE k.text IS NOT NULL AND k.${HAS_NONEMPTY_FORM} AND NOT EXISTS (
    SELECT 1 FROM translations t WHERE t.locale = ? AND t.hash = k.hash AND t.is_translated = 1)
  ORDER BY k.id LIMIT ?`;
const FILES_WITH_PROBLEMS = `SELECT f.path, f.modified, f.problems FROM local_files f WHERE f.problems <> '[]' AND ${VISIBLE}
  ORDER BY f.modified < 0 DESC, f.modified DESC, f.path LIMIT ?2`;
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
      return { ...placeOf(row), reference: String(row["reference"]) };
    });
  }

  /** Returns entries of a language whose text has issues, also those that end in a line break. */
  entriesWithIssues(locale: string, limit: number): readonly EntryWithIssues[] {
    const rows = [WITH_ISSUES, WITH_LINE_BREAK].flatMap((sql) => this.#database.all(sql, locale, limit));
    return rows.flatMap((row) => {
      const entry = this.#entry(row, locale);
      // The service may have another text than the file.
      if (entry === undefined || entry["text"] !== row["text"]) return [];
      const stored = JSON.parse(String(row["issues"])) as readonly QaIssue[] | null;
      const lineBreaks = checkTrailingLineBreaks(parsedText(row["source"]), parsedText(row["text"]));
      const issues = [...(stored ?? []), ...lineBreaks];
      return issues.length === 0 ? [] : [{ ...entryOf(row, entry, locale), issues }];
    });
  }

  /** Returns the source entries of keys that are not translated into the language. */
  untranslated(locale: string, sourceLocale: string, limit: number): readonly KeyEntry[] {
    return this.#database.all(MISSING, locale, limit).flatMap((row) => {
      const entry = this.#entry(row, sourceLocale);
      return entry === undefined ? [] : [entryOf(row, entry, locale)];
    });
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

  /** Returns when a translation file changed, as of `FilePlace`. */
  modified(path: string): number {
    const row = this.#database.get(MODIFIED, this.#database.windowPid, path);
    return row === undefined ? 0 : modifiedOf(row);
  }

  /** Whether a local file has the key. */
  hasEntry(hash: string): boolean {
    return this.#database.get(IS_LOCAL, this.#database.windowPid, hash) !== undefined;
  }

  #entry(row: Row, locale: string): Row | undefined {
    return this.#database.get(ENTRY, this.#database.windowPid, row["hash"] ?? "", locale);
  }
}

function placeOf(row: Row): FilePlace {
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
    ...placeOf(entry),
    hash: String(key["hash"]),
    namespace: String(key["namespace"]),
    key: String(key["key"]),
    context: key["context"] as string | null,
    locale,
  };
}
