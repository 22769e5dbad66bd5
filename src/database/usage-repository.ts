/** Source files, the usages of keys in them, and what these mean: the only code that reads or writes those tables. */
import { createHash } from "node:crypto";
import type { KeyName } from "../model/key-identity.ts";
import type { FileStamp } from "../model/platform.ts";
import type { Span } from "../model/span.ts";
import type { Database } from "./database.ts";

/** Why a file was not searched. */
export type LeftOutReason = "minified" | "too-large" | "not-text" | "unreadable";

/** What a file holds; `reference`: what it says of the key, as JSON. */
export interface FileUsage {
  readonly reference: string;
  /** It may mean more keys than its own name says. */
  readonly isDynamic: boolean;
  readonly span: Span;
}

export interface UsageLocation {
  readonly path: string;
  readonly span: Span;
}

/** Something that the code says only in part. */
export interface UsagePattern {
  readonly id: number;
  readonly prefix: string;
  readonly suffix: string;
  /** As a person writes it: `admin.*.title`. */
  readonly pattern: string;
}

/** What a reference means among the project's keys. */
export type ReferenceMeaning =
  /** These keys, for certain. */
  | { readonly kind: "keys"; readonly hashes: readonly string[] }
  /** Perhaps these keys. */
  | ({ readonly kind: "pattern"; readonly hashes: readonly string[] } & Omit<UsagePattern, "id">)
  /** None of the project's keys; it may have these names. */
  | { readonly kind: "unknown"; readonly names: readonly KeyName[] };

export interface StoredReference {
  readonly id: number;
  readonly reference: string;
  /** A fingerprint. */
  readonly meaning: string;
}

const PLACES = `SELECT path, start, length FROM usages JOIN source_files ON source_files.id = usages.file`;
const IN_ORDER = `ORDER BY path, start`;
const OF_HASH = `SELECT reference FROM reference_keys WHERE hash = ? AND is_certain = 1`;
const OF_NAME = `SELECT reference FROM reference_names WHERE key = ? AND namespace = ? AND context = ?`;
const PATTERNS = `SELECT id, prefix, suffix, pattern FROM key_references`;

export class UsageRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Where the key of that hash is used for certain, by path and place. */
  usagesOf(hash: string): readonly UsageLocation[] {
    return this.#places(`${PLACES} WHERE reference IN (${OF_HASH}) ${IN_ORDER}`, hash);
  }

  countOf(hash: string): number {
    return this.#count(`SELECT count(*) AS count FROM usages WHERE reference IN (${OF_HASH})`, hash);
  }

  /** Where a name is used that no key of the project has. */
  usagesOfName({ namespace, key, context }: KeyName): readonly UsageLocation[] {
    return this.#places(
      `${PLACES} WHERE reference IN (${OF_NAME}) ${IN_ORDER}`,
      key,
      namespace,
      context ?? "",
    );
  }

  countOfName({ namespace, key, context }: KeyName): number {
    const sql = `SELECT count(*) AS count FROM usages WHERE reference IN (${OF_NAME})`;
    return this.#count(sql, key, namespace, context ?? "");
  }

  usagesOfPattern({ id }: UsagePattern): readonly UsageLocation[] {
    return this.#places(`${PLACES} WHERE reference = ? ${IN_ORDER}`, id);
  }

  /** Patterns that may mean the key. */
  patternsOf(hash: string): readonly UsagePattern[] {
    const sql = `${PATTERNS} WHERE id IN (SELECT reference FROM reference_keys WHERE hash = ? AND is_certain = 0) ORDER BY id`;
    return this.#database.sql(sql).all(hash) as unknown as readonly UsagePattern[];
  }

  /** Patterns that match no key of the project. */
  patternsOfNoKey(): readonly UsagePattern[] {
    const sql = `${PATTERNS} WHERE pattern IS NOT NULL AND NOT EXISTS (SELECT 1 FROM reference_keys WHERE reference = id)
      ORDER BY id`;
    return this.#database.sql(sql).all() as unknown as readonly UsagePattern[];
  }

  /** References that may mean more keys than their own names say. */
  dynamicReferences(): readonly string[] {
    const rows = this.#database.sql(`SELECT reference FROM key_references WHERE is_dynamic = 1`).all();
    return rows.map((row) => row["reference"] as string);
  }

  leftOut(): readonly { readonly path: string; readonly reason: LeftOutReason }[] {
    const sql = `SELECT path, left_out AS reason FROM source_files WHERE left_out IS NOT NULL ORDER BY path`;
    return this.#database.sql(sql).all() as unknown as ReturnType<UsageRepository["leftOut"]>;
  }

  /** How the file was when it was searched. */
  stampOf(path: string): FileStamp | undefined {
    const sql = `SELECT size, modified FROM source_files WHERE path = ?`;
    return this.#database.sql(sql).get(path) as FileStamp | undefined;
  }

  paths(): readonly string[] {
    return this.#database
      .sql(`SELECT path FROM source_files`)
      .all()
      .map((row) => row["path"] as string);
  }

  /** Replaces what is stored of a file. `meaningOf`: of a reference that no other file has. */
  putFile(
    path: string,
    { size, modified }: FileStamp,
    leftOut: LeftOutReason | null,
    usages: readonly FileUsage[],
    meaningOf: (reference: string) => ReferenceMeaning,
  ): void {
    const put = this.#database.sql(
      `INSERT INTO source_files (path, size, modified, left_out) VALUES (?, ?, ?, ?)
       ON CONFLICT (path) DO UPDATE SET size = excluded.size, modified = excluded.modified, left_out = excluded.left_out`,
    );
    const insert = this.#database.sql(
      `INSERT INTO usages (file, number, reference, start, length) SELECT ?, ?, id, ?, ? FROM key_references
       WHERE reference = ?`,
    );
    this.#database.transaction(() => {
      const before = this.#deleteUsages(path);
      put.run(path, size, modified, leftOut);
      const file = this.#fileId(path);
      for (const [number, usage] of usages.entries()) {
        const { reference, span } = usage;
        const values = [file, number, span.start, span.end - span.start, reference] as const;
        if (insert.run(...values).changes > 0) continue;
        this.#insertReference(usage, meaningOf(reference));
        insert.run(...values);
      }
      this.#deleteUnused(before);
    });
  }

  /** Returns whether there was such a file. */
  deleteFile(path: string): boolean {
    return this.#database.transaction(() => {
      const before = this.#deleteUsages(path);
      const { changes } = this.#database.sql(`DELETE FROM source_files WHERE path = ?`).run(path);
      this.#deleteUnused(before);
      return changes > 0;
    });
  }

  /** Every file counts as changed from now on. */
  expireFiles(): void {
    this.#database.sql(`UPDATE source_files SET size = -1, modified = -1`).run();
  }

  /** In the order of their ids. */
  referencesAfter(id: number, limit: number): readonly StoredReference[] {
    const sql = `SELECT id, reference, meaning FROM key_references WHERE id > ? ORDER BY id LIMIT ?`;
    return this.#database.sql(sql).all(id, limit) as unknown as readonly StoredReference[];
  }

  /** Returns whether it meant something else before. */
  setMeaning({ id, meaning: before }: StoredReference, meaning: ReferenceMeaning): boolean {
    const fingerprint = fingerprintOf(meaning);
    if (fingerprint === before) return false;
    const { prefix, suffix, pattern } = partsOf(meaning);
    const update = `UPDATE key_references SET prefix = ?, suffix = ?, pattern = ?, meaning = ? WHERE id = ?`;
    this.#database.transaction(() => {
      this.#deleteMeaning(id);
      this.#database.sql(update).run(prefix, suffix, pattern, fingerprint, id);
      this.#insertMeaning(id, meaning);
    });
    return true;
  }

  /** Differs where the names of the project's keys differ. */
  keyNamesFingerprint(): string {
    const fingerprint = createHash("sha1");
    for (const row of this.#database.sql(`SELECT hash FROM keys ORDER BY hash`).iterate()) {
      fingerprint.update(row["hash"] as string);
    }
    return fingerprint.digest("hex");
  }

  /** What the tables were made with, as `setFingerprint` stored it. */
  fingerprint(of: "scanner" | "resolution"): string | undefined {
    const row = this.#database.sql(`SELECT value FROM state WHERE name = ?`).get(`usages.${of}`);
    return row?.["value"] as string | undefined;
  }

  setFingerprint(of: "scanner" | "resolution", value: string): void {
    this.#database
      .sql(
        `INSERT INTO state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      )
      .run(`usages.${of}`, value);
  }

  transaction<Result>(work: () => Result): Result {
    return this.#database.transaction(work);
  }

  #insertReference({ reference, isDynamic }: FileUsage, meaning: ReferenceMeaning): void {
    const { prefix, suffix, pattern } = partsOf(meaning);
    const { lastInsertRowid } = this.#database
      .sql(
        `INSERT INTO key_references (reference, is_dynamic, prefix, suffix, pattern, meaning) VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(reference, isDynamic ? 1 : 0, prefix, suffix, pattern, fingerprintOf(meaning));
    this.#insertMeaning(Number(lastInsertRowid), meaning);
  }

  #insertMeaning(reference: number, meaning: ReferenceMeaning): void {
    if (meaning.kind === "unknown") {
      const insert = this.#database.sql(
        `INSERT OR IGNORE INTO reference_names (key, namespace, context, reference) VALUES (?, ?, ?, ?)`,
      );
      for (const { key, namespace, context } of meaning.names) {
        insert.run(key, namespace, context ?? "", reference);
      }
    } else {
      const insert = this.#database.sql(
        `INSERT OR IGNORE INTO reference_keys (hash, is_certain, reference) VALUES (?, ?, ?)`,
      );
      for (const hash of meaning.hashes) insert.run(hash, meaning.kind === "keys" ? 1 : 0, reference);
    }
  }

  #deleteMeaning(reference: number): void {
    this.#database.sql(`DELETE FROM reference_keys WHERE reference = ?`).run(reference);
    this.#database.sql(`DELETE FROM reference_names WHERE reference = ?`).run(reference);
  }

  /** Returns the references that the file's usages had. */
  #deleteUsages(path: string): readonly number[] {
    const file = this.#fileId(path);
    if (file === null) return [];
    const before = this.#database.sql(`SELECT DISTINCT reference FROM usages WHERE file = ?`).all(file);
    this.#database.sql(`DELETE FROM usages WHERE file = ?`).run(file);
    return before.map((row) => Number(row["reference"]));
  }

  #fileId(path: string): number | null {
    const row = this.#database.sql(`SELECT id FROM source_files WHERE path = ?`).get(path);
    return row === undefined ? null : Number(row["id"]);
  }

  /** Deletes those of the references that no usage has any more. */
  #deleteUnused(references: readonly number[]): void {
    const remove = this.#database.sql(
      `DELETE FROM key_references WHERE id = ? AND NOT EXISTS (SELECT 1 FROM usages WHERE reference = key_references.id)`,
    );
    for (const id of references) if (remove.run(id).changes > 0) this.#deleteMeaning(id);
  }

  #places(sql: string, ...values: readonly (string | number)[]): readonly UsageLocation[] {
    return this.#database
      .sql(sql)
      .all(...values)
      .map(({ path, start, length }) => ({
        path: path as string,
        span: { start: Number(start), end: Number(start) + Number(length) },
      }));
  }

  #count(sql: string, ...values: readonly string[]): number {
    return Number(this.#database.sql(sql).get(...values)?.["count"]);
  }
}

function partsOf(meaning: ReferenceMeaning): Record<"prefix" | "suffix" | "pattern", string | null> {
  return meaning.kind === "pattern" ? meaning : { prefix: null, suffix: null, pattern: null };
}

function fingerprintOf(meaning: ReferenceMeaning): string {
  if (meaning.kind === "keys" && meaning.hashes.length === 1) return meaning.hashes.join("");
  return createHash("sha1").update(JSON.stringify(meaning)).digest("base64");
}
