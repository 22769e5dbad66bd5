/**
 * QA issues of translations that were derived from local files: which texts have to be checked, and the result. Used by the
 * indexing process.
 */
import type { QaIssue } from "../api/response-schemas.ts";
import type { FileTranslation } from "../model/placeholder-families.ts";
import type { Database } from "./database.ts";
import { IN_ORDER, VISIBLE, type FormatFamily } from "./local-file-repository.ts";
import { parsedText } from "./records.ts";
import { LOCAL_STATE } from "./schema-migrations.ts";
import { SyncMetadataRepository } from "./sync-metadata-repository.ts";

/** A translation to check, with the entry that it was derived from. */
export interface UncheckedText extends FileTranslation {
  readonly id: number;
}

const [, , BASIS] = LOCAL_STATE;
const NEXT = `SELECT t.id, t.locale, t.hash, t.text, k.text AS source
  FROM translations t LEFT JOIN keys k ON k.hash = t.hash WHERE t.is_checked = 0 AND t.id > ? ORDER BY t.id LIMIT ?`;
const ENTRY = `SELECT e.source, e.details, f.family, f.path
  FROM local_names n CROSS JOIN local_entries e ON e.name = n.id CROSS JOIN local_files f ON f.id = e.file
  WHERE n.hash = ?2 AND e.locale = ?3 AND ${VISIBLE} ORDER BY ${IN_ORDER} LIMIT 1`;
const PUT = `UPDATE translations SET issues = ?, issue_count = ?, errors = ?, is_checked = 1
  WHERE id = ? AND text IS ? AND is_checked = 0`;
const EXPIRE = "UPDATE translations SET is_checked = 0 WHERE id > ? AND id <= ? AND revision = 0";
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
    check: (text: UncheckedText) => readonly QaIssue[],
    changed: Set<string>,
  ): number | null {
    return this.#database.transaction(() => {
      if (!this.areOfFiles) return null;
      const rows = this.#database.all(NEXT, after, BATCH_SIZE);
      for (const { id = 0, locale, hash = "", text = null, source = null } of rows) {
        const entry = this.#database.get(ENTRY, this.#database.windowPid, hash, locale ?? "");
        const parsed = parsedText(text);
        const details = JSON.parse(String(entry?.["details"] ?? null)) as Details | null;
        const issues =
          entry === undefined || parsed === null
            ? []
            : check({
                id: Number(id),
                locale: String(locale),
                text: parsed,
                source: parsedText(source),
                ownSource: parsedText(entry["source"] ?? null),
                formatFlags: details?.formatFlags,
                isFuzzy: details?.isFuzzy === true,
                path: String(entry["path"]),
                kind: entry["family"] as FormatFamily | null,
              });
        const errors = issues.filter(({ level }) => level === "error").length;
        const before = this.#database.value("SELECT issues FROM translations WHERE id = ?", id) ?? null;
        const after = issues.length === 0 ? null : JSON.stringify(issues);
        this.#database.sql(PUT).run(after, issues.length, errors, id, text);
        if (before !== after) changed.add(String(locale));
      }
      return rows.length === 0 ? null : Number(rows.at(-1)?.["id"]);
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
