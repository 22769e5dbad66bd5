/**
 * QA issues of translations that were derived from local files: which texts have to be checked, and the result. Used by the
 * indexing process.
 */
import type { QaIssue } from "../api/response-schemas.ts";
import type { FileTranslation } from "../model/placeholder-families.ts";
import type { BilingualFamily } from "../model/file-formats.ts";
import type { Database, Row } from "./database.ts";
import { IN_ORDER, VISIBLE } from "./local-file-repository.ts";
import { parsedText } from "./records.ts";
import { LOCAL_STATE } from "./schema-migrations.ts";
import { SyncMetadataRepository } from "./sync-metadata-repository.ts";

const [, , BASIS] = LOCAL_STATE;
/** The next texts, each with its visible entries in order: nearly all have one. A text without any has no file (`path`). */
const NEXT = `SELECT t.id, t.locale, t.text, t.issues, k.text AS source, e.source AS own_source, e.details, f.family, f.path
  FROM (SELECT id, locale, hash, text, issues FROM translations WHERE is_checked = 0 AND id > ?2 ORDER BY id LIMIT ?3) t
    LEFT JOIN keys k ON k.hash = t.hash
    LEFT JOIN local_names n ON n.hash = t.hash
    LEFT JOIN local_entries e ON e.name = n.id AND e.locale = t.locale
    LEFT JOIN local_files f ON f.id = e.file AND ${VISIBLE}
  ORDER BY t.id, f.id IS NULL, ${IN_ORDER}`;
const PUT = "UPDATE translations SET issues = ?, issue_count = ?, errors = ? WHERE id = ?";
const MARK_CHECKED = "UPDATE translations SET is_checked = 1 WHERE is_checked = 0 AND id > ? AND id <= ?";
const EXPIRE = `UPDATE translations SET is_checked = 0
  WHERE id > ? AND id <= ? AND revision = 0 AND is_checked <> 0`;
const INCREMENT_REVISION = `INSERT INTO state (name, value) VALUES ('revision', '1')
  ON CONFLICT DO UPDATE SET value = CAST(value + 1 AS TEXT)`;
/** Rows per transaction; some 10 ms. */
const BATCH_SIZE = 500;
const EXPIRED_ROWS = 4_000;

/** Reads the translations to check and writes their issues. */
export class LocalChecks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether translations are those of local files. */
  get areOfFiles(): boolean {
    return new SyncMetadataRepository(this.#database).content?.kind === "files";
  }

  /**
   * Marks all translations as not checked unless they were checked by the same rules. Each step is a transaction.
   * @param rules Identifies the rules.
   */
  *expire(rules: string): Generator<void> {
    const stored = this.#database.value("SELECT value FROM state WHERE name = ?", BASIS);
    if (stored === rules) return;
    const last = this.#database.number("SELECT coalesce(max(id), 0) FROM translations");
    for (let after = 0; after < last; after += EXPIRED_ROWS) {
      this.#database.write(EXPIRE, after, after + EXPIRED_ROWS);
      yield;
    }
    this.#database.write("INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)", BASIS, rules);
  }

  /**
   * Checks the next batch of texts. Returns the id of the last one; `null`: there are no more.
   * @param changed Gets the languages whose issues have changed.
   */
  checkBatch(
    after: number,
    check: (text: FileTranslation) => readonly QaIssue[],
    changed: Set<string>,
  ): number | null {
    return this.#database.transaction(() => {
      if (!this.areOfFiles) return null;
      let last: number | null = null;
      for (const row of this.#database.all(NEXT, this.#database.windowPid, after, BATCH_SIZE)) {
        const { id = 0, locale = "" } = row;
        if (id === last) continue;
        last = Number(id);
        const text = fileTranslation(row);
        const issues = text === null ? [] : check(text);
        const json = issues.length === 0 ? null : JSON.stringify(issues);
        if (json === row["issues"]) continue;
        const errors = issues.filter(({ level }) => level === "error").length;
        this.#database.sql(PUT).run(json, issues.length, errors, id);
        changed.add(String(locale));
      }
      if (last !== null) this.#database.sql(MARK_CHECKED).run(after, last);
      return last;
    });
  }

  /** So that other windows show the changes. */
  countRevision(): void {
    this.#database.write(INCREMENT_REVISION);
  }
}

interface Details {
  readonly formatFlags?: readonly string[];
  readonly isFuzzy?: boolean;
}

/** `null`: there is no text, or no file has it any more. */
function fileTranslation(row: Row): FileTranslation | null {
  const { locale, text = null, source = null, own_source: ownSource = null, details, family, path } = row;
  const parsed = parsedText(text);
  if (parsed === null || typeof path !== "string") return null;
  const { formatFlags, isFuzzy } = (typeof details === "string" ? JSON.parse(details) : {}) as Details;
  return {
    locale: String(locale),
    text: parsed,
    source: parsedText(source),
    ownSource: parsedText(ownSource),
    formatFlags,
    isFuzzy: isFuzzy === true,
    path,
    family: family as BilingualFamily | null,
  };
}
