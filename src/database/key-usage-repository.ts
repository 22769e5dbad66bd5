/** Source files, the usages of keys in them, and how these are resolved to keys. */
import { sha1, type KeyName } from "../model/key-hash.ts";
import type { FileStamp } from "../model/platform.ts";
import type { Span } from "../util/span.ts";
import type { Database, SqlValue } from "./database.ts";
import type { NamedKey } from "./key-name-repository.ts";

/** Why a file was not scanned. */
export type SkipReason =
  | "minified"
  | "too-large"
  | "not-text"
  | "unreadable"
  /** The scanner ended with an error. */
  | "failed"
  /** A link to a file or folder out of the project's folder. */
  | "outside";

/** A usage in a file; `reference` is the key reference in the code, as JSON. */
export interface FileUsage {
  readonly reference: string;
  /** Whether it may refer to more keys than the one it names. */
  readonly isDynamic: boolean;
  readonly span: Span;
}

/**
 * The literals that a function, which may be the project's own, is called with in a file. `hasMembers`: they are a literal
 * at position 0 and the names of members in an object at `position`.
 */
export type LiteralCalls = readonly [
  callee: string,
  position: number,
  values: readonly string[],
  hasMembers?: true,
];

/** A function that was recognised as a translation function by its calls. */
export interface LearnedFunction {
  readonly name: string;
  /** Position of the key argument, counted from 0. */
  readonly key: number;
  /** Position of the prefix of the keys, which are the names of members in the object at `key`. */
  readonly prefix?: number;
  /** Number of calls with a literal, or of members. */
  readonly calls: number;
  /** Number of those whose literal is a key. */
  readonly known: number;
}

/** A file that was not scanned. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: SkipReason;
}

/** What the usages of a file depend on. */
export interface StoredImports {
  /** The values that it imports, as JSON; `null` if there are none. */
  readonly values: string | null;
  /** The modules that it imports them from. */
  readonly dependencies: readonly string[];
}

/** Where a key is used. */
export interface UsageLocation {
  readonly path: string;
  readonly span: Span;
}

/** A key reference that is only partly known. */
export interface UsagePattern {
  readonly id: number;
  readonly prefix: string;
  readonly suffix: string;
  /** The pattern to show: `admin.*.title`. */
  readonly pattern: string;
}

/** A key reference that may mean several keys. */
export interface OpenReference extends UsagePattern {
  /** As JSON. */
  readonly reference: string;
}

/** A key that an open reference may mean. */
export interface PatternKey extends NamedKey {
  /** Whether some other reference certainly means it. */
  readonly isUsed: boolean;
}

/** The project's keys that a reference is resolved to. */
export type ReferenceResolution =
  /** Certainly these keys. */
  | { readonly kind: "keys"; readonly hashes: readonly string[] }
  /** Possibly these keys. */
  | ({ readonly kind: "pattern"; readonly hashes: readonly string[] } & Omit<UsagePattern, "id">)
  /** None of the project's keys; these are its possible names. */
  | { readonly kind: "unknown"; readonly names: readonly KeyName[] };

/** A stored key reference. */
export interface StoredReference {
  readonly id: number;
  readonly reference: string;
  /** Fingerprint of its resolution. */
  readonly meaning: string;
}

const LOCATIONS = `SELECT path, start, length FROM usages JOIN source_files ON source_files.id = usages.file`;
const IN_ORDER = `ORDER BY path, start`;
const OF_HASH = `SELECT reference FROM reference_keys WHERE hash = ? AND is_certain = 1`;
const OF_NAME = `SELECT reference FROM reference_names WHERE key = ? AND namespace = ? AND context = ?`;
const IS_USED = `SELECT 1 FROM reference_keys c WHERE c.hash = k.hash AND c.is_certain = 1`;
/** Some 1 ms. */
const PATHS_PER_QUERY = 1_000;
const PATTERNS = `SELECT id, prefix, suffix, pattern FROM key_references`;

/** What was stored by a version of the code, for certain options and data. */
type Fingerprint = "scanner" | "resolution" | "learning" | "configurations";

/** Reads and writes source files, usages and references. */
export class UsageRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the certain usages of a key, by path and offset. */
  usagesOf(hash: string): readonly UsageLocation[] {
    return this.#locations(`${LOCATIONS} WHERE reference IN (${OF_HASH}) ${IN_ORDER}`, hash);
  }

  /** Returns the references that certainly use a key. */
  referencesOf(hash: string): readonly string[] {
    return this.#database.column(`SELECT reference FROM key_references WHERE id IN (${OF_HASH})`, hash);
  }

  countUsages(hash: string): number {
    return this.#database.number(`SELECT count(*) FROM usages WHERE reference IN (${OF_HASH})`, hash);
  }

  /** Returns the number of usages of each of these keys that is used. */
  countsOf(hashes: readonly string[]): ReadonlyMap<string, number> {
    const sql = `SELECT r.hash, count(*) AS count FROM json_each(?) requested
      CROSS JOIN reference_keys r ON r.hash = requested.value AND r.is_certain = 1
      CROSS JOIN usages u ON u.reference = r.reference GROUP BY r.hash`;
    const rows = this.#database.all(sql, JSON.stringify(hashes));
    return new Map(rows.map(({ hash, count }) => [hash as string, Number(count)]));
  }

  /** Returns the usages of a name that no key of the project has. */
  usagesOfName({ namespace, key, context }: KeyName): readonly UsageLocation[] {
    const sql = `${LOCATIONS} WHERE reference IN (${OF_NAME}) ${IN_ORDER}`;
    return this.#locations(sql, key, namespace, context ?? "");
  }

  countUsagesOfName({ namespace, key, context }: KeyName): number {
    const sql = `SELECT count(*) FROM usages WHERE reference IN (${OF_NAME})`;
    return this.#database.number(sql, key, namespace, context ?? "");
  }

  usagesOfPattern({ id }: UsagePattern): readonly UsageLocation[] {
    return this.#locations(`${LOCATIONS} WHERE reference = ? ${IN_ORDER}`, id);
  }

  /** Returns the patterns that may refer to the key. */
  patternsOf(hash: string): readonly UsagePattern[] {
    const sql = `${PATTERNS} WHERE id IN (SELECT reference FROM reference_keys WHERE hash = ? AND is_certain = 0) ORDER BY id`;
    return this.#database.all<UsagePattern>(sql, hash);
  }

  /** Returns all patterns. */
  patterns(): readonly UsagePattern[] {
    return this.#database.all<UsagePattern>(`${PATTERNS} WHERE pattern IS NOT NULL ORDER BY id`);
  }

  /** Returns the patterns that match no key of the project. */
  unmatchedPatterns(): readonly UsagePattern[] {
    const sql = `${PATTERNS} WHERE pattern IS NOT NULL AND NOT EXISTS (SELECT 1 FROM reference_keys WHERE reference = id)
      ORDER BY id`;
    return this.#database.all<UsagePattern>(sql);
  }

  /** Returns all patterns with their references. */
  openReferences(): readonly OpenReference[] {
    const sql = `SELECT id, reference, prefix, suffix, pattern FROM key_references WHERE pattern IS NOT NULL ORDER BY id`;
    return this.#database.all<OpenReference>(sql);
  }

  /** Returns the keys that an open reference may mean by the parts that the code has. */
  keysOfReference(id: number): readonly PatternKey[] {
    const sql = `SELECT hash, namespace, key, context, EXISTS (${IS_USED}) AS is_used FROM reference_keys r
      CROSS JOIN keys k USING (hash) WHERE r.reference = ? AND r.is_certain = 0`;
    return this.#database
      .all(sql, id)
      .map(({ is_used: isUsed, ...name }) => ({ ...(name as unknown as NamedKey), isUsed: isUsed === 1 }));
  }

  /** Returns the keys that no reference certainly means. */
  keysWithoutUsage(): readonly PatternKey[] {
    const sql = `SELECT hash, namespace, key, context FROM keys k WHERE NOT EXISTS (${IS_USED})`;
    return this.#database.all<NamedKey>(sql).map((name) => ({ ...name, isUsed: false }));
  }

  /** Returns the references that may refer to more keys than the one they name. */
  dynamicReferences(): readonly string[] {
    return this.#database.column(`SELECT reference FROM key_references WHERE is_dynamic = 1`);
  }

  skippedFiles(): readonly SkippedFile[] {
    const sql = `SELECT path, left_out AS reason FROM source_files WHERE left_out IS NOT NULL ORDER BY path`;
    return this.#database.all<SkippedFile>(sql);
  }

  /** Returns the stamps that the files had when they were scanned, by path. */
  fileStamps(): ReadonlyMap<string, FileStamp> {
    const sql = `SELECT path, size, modified FROM source_files`;
    const rows = this.#database.all<FileStamp & { readonly path: string }>(sql);
    return new Map(rows.map((row) => [row.path, row]));
  }

  /** Yields the paths of all files, read in batches. */
  *paths(): Generator<string> {
    const sql = `SELECT path FROM source_files WHERE path > ? ORDER BY path LIMIT ${PATHS_PER_QUERY}`;
    for (let last = ""; ;) {
      const paths = this.#database.column(sql, last);
      yield* paths;
      if (paths.length < PATHS_PER_QUERY) return;
      last = paths.at(-1) ?? last;
    }
  }

  /** Replaces the usages of a file.
   * @param resolve Resolves a reference that no other file has. */
  putFile(
    path: string,
    { size, modified }: FileStamp,
    skipReason: SkipReason | null,
    usages: readonly FileUsage[],
    calls: readonly LiteralCalls[],
    resolve: (reference: string) => ReferenceResolution,
    imports: StoredImports = { values: null, dependencies: [] },
  ): void {
    this.#database.transaction(() => {
      const put = this.#database.sql(
        `INSERT INTO source_files (path, size, modified, left_out, imports) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (path) DO UPDATE SET size = excluded.size, modified = excluded.modified, left_out = excluded.left_out,
           imports = excluded.imports
         RETURNING id`,
      );
      const insert = this.#database.sql(
        `INSERT INTO usages (file, number, reference, start, length) SELECT ?, ?, id, ?, ? FROM key_references
         WHERE reference = ?`,
      );
      const known = this.#fileId(path);
      const before = this.#deleteUsages(known);
      const file = Number(put.get(path, size, modified, skipReason, imports.values)?.["id"]);
      const depend = this.#database.sql(
        `INSERT OR IGNORE INTO source_dependencies (module, file) VALUES (?, ?)`,
      );
      for (const module of imports.dependencies) depend.run(module, file);
      for (const [number, usage] of usages.entries()) {
        const { reference, span } = usage;
        const values = [file, number, span.start, span.end - span.start, reference] as const;
        if (insert.run(...values).changes > 0) continue;
        this.#insertReference(usage, resolve(reference));
        insert.run(...values);
      }
      this.#deleteUnused(before);
      if (known !== 0 || calls.length > 0)
        this.#putCalls(file, calls.length === 0 ? null : JSON.stringify(calls));
    });
  }

  /** Deletes a file. Returns whether it existed. */
  deleteFile(path: string): boolean {
    return this.#database.transaction(() => {
      const file = this.#fileId(path);
      const before = this.#deleteUsages(file);
      this.#putCalls(file, null);
      const { changes } = this.#database.sql(`DELETE FROM source_files WHERE path = ?`).run(path);
      this.#deleteUnused(before);
      return changes > 0;
    });
  }

  /** Returns the values that a file imports, as JSON; `null` if there are none. */
  importsOf(path: string): string | null {
    return (
      this.#database.value<string | null>(`SELECT imports FROM source_files WHERE path = ?`, path) ?? null
    );
  }

  /** Returns the modules that files depend on, each with the paths of these files. */
  dependencies(): ReadonlyMap<string, readonly string[]> {
    const sql = `SELECT module, path FROM source_dependencies JOIN source_files ON source_files.id = file`;
    const rows = this.#database.all<{ readonly module: string; readonly path: string }>(sql);
    return new Map(
      [...Map.groupBy(rows, ({ module }) => module)].map(([module, files]) => [
        module,
        files.map(({ path }) => path),
      ]),
    );
  }

  /** Returns the paths of the files that depend on a module. */
  dependentsOf(module: string): readonly string[] {
    const sql = `SELECT path FROM source_files WHERE id IN (SELECT file FROM source_dependencies WHERE module = ?)`;
    return this.#database.column(sql, module);
  }

  /** Marks every file as changed. */
  expireFiles(): void {
    this.#database.sql(`UPDATE source_files SET size = -1, modified = -1`).run();
  }

  /** Returns references after an id, ordered by id. */
  referencesAfter(id: number, limit: number): readonly StoredReference[] {
    const sql = `SELECT id, reference, meaning FROM key_references WHERE id > ? ORDER BY id LIMIT ?`;
    return this.#database.all<StoredReference>(sql, id, limit);
  }

  /** Stores the resolution of a reference. Returns whether it changed. */
  setResolution({ id, meaning: before }: StoredReference, resolution: ReferenceResolution): boolean {
    const fingerprint = resolutionFingerprint(resolution);
    if (fingerprint === before) return false;
    const { prefix, suffix, pattern } = patternColumns(resolution);
    const update = `UPDATE key_references SET prefix = ?, suffix = ?, pattern = ?, meaning = ? WHERE id = ?`;
    this.#database.transaction(() => {
      this.#deleteResolution(id);
      this.#database.sql(update).run(prefix, suffix, pattern, fingerprint, id);
      this.#insertResolution(id, resolution);
    });
    return true;
  }

  /** Returns a fingerprint of all literal calls. */
  literalCallsFingerprint(): string {
    const last = this.#database.number(`SELECT max(id) FROM literal_calls`);
    return `${last}/${this.#database.number(`SELECT count(*) FROM literal_calls`)}`;
  }

  /** Returns the literal calls of files after a row, ordered by row, and the last row. */
  literalCallsAfter(row: number, limit: number): readonly { readonly id: number; readonly calls: string }[] {
    const sql = `SELECT id, calls FROM literal_calls WHERE id > ? ORDER BY id LIMIT ?`;
    return this.#database.all<{ readonly id: number; readonly calls: string }>(sql, row, limit);
  }

  countKeys(): number {
    return this.#database.number(`SELECT keys FROM key_counts`);
  }

  /** Returns the functions that were recognised as translation functions; cheap. */
  learnedFunctions(): readonly LearnedFunction[] {
    const stored = this.#database.value<string>(`SELECT value FROM state WHERE name = 'usages.learned'`);
    return stored === undefined ? [] : (JSON.parse(stored) as readonly LearnedFunction[]);
  }

  setLearnedFunctions(functions: readonly LearnedFunction[]): void {
    const sql = `INSERT OR REPLACE INTO state (name, value) VALUES ('usages.learned', ?)`;
    this.#database.sql(sql).run(JSON.stringify(functions));
  }

  /** Returns a fingerprint of the names of the project's keys. */
  keyNamesFingerprint(): string {
    // Sorted by the index in a subquery, which takes a third of the time of a sorted aggregate.
    const sql = `SELECT group_concat(hash, '') FROM (SELECT hash FROM keys ORDER BY hash)`;
    return sha1(this.#database.value<string>(sql) ?? "");
  }

  /** Returns the fingerprint of the code that filled the tables. */
  fingerprint(of: Fingerprint): string | undefined {
    return this.#database.value<string>(`SELECT value FROM state WHERE name = ?`, `usages.${of}`);
  }

  setFingerprint(of: Fingerprint, value: string): void {
    const sql = `INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)`;
    this.#database.sql(sql).run(`usages.${of}`, value);
  }

  transaction<Result>(work: () => Result): Result {
    return this.#database.transaction(work);
  }

  #insertReference({ reference, isDynamic }: FileUsage, resolution: ReferenceResolution): void {
    const { prefix, suffix, pattern } = patternColumns(resolution);
    const sql = `INSERT INTO key_references (reference, is_dynamic, prefix, suffix, pattern, meaning)
      VALUES (?, ?, ?, ?, ?, ?)`;
    const values = [reference, Number(isDynamic), prefix, suffix, pattern] as const;
    const { lastInsertRowid } = this.#database.sql(sql).run(...values, resolutionFingerprint(resolution));
    this.#insertResolution(Number(lastInsertRowid), resolution);
  }

  #insertResolution(reference: number, resolution: ReferenceResolution): void {
    if (resolution.kind === "unknown") {
      const insert = this.#database.sql(
        `INSERT OR IGNORE INTO reference_names (key, namespace, context, reference) VALUES (?, ?, ?, ?)`,
      );
      for (const { key, namespace, context } of resolution.names) {
        insert.run(key, namespace, context ?? "", reference);
      }
    } else {
      const insert = this.#database.sql(
        `INSERT OR IGNORE INTO reference_keys (hash, is_certain, reference) VALUES (?, ?, ?)`,
      );
      for (const hash of resolution.hashes) insert.run(hash, resolution.kind === "keys" ? 1 : 0, reference);
    }
  }

  #deleteResolution(reference: number): void {
    this.#database.sql(`DELETE FROM reference_keys WHERE reference = ?`).run(reference);
    this.#database.sql(`DELETE FROM reference_names WHERE reference = ?`).run(reference);
  }

  /** Deletes a file's usages. Returns their references. @param file 0: a new one */
  #deleteUsages(file: number): readonly number[] {
    if (file === 0) return [];
    const sql = `SELECT DISTINCT reference FROM usages WHERE file = ?`;
    const references = this.#database.column<number>(sql, file);
    this.#database.sql(`DELETE FROM usages WHERE file = ?`).run(file);
    this.#database.sql(`DELETE FROM source_dependencies WHERE file = ?`).run(file);
    return references;
  }

  #fileId(path: string): number {
    return this.#database.number(`SELECT id FROM source_files WHERE path = ?`, path);
  }

  /** Replaces the literal calls of a file, unless they are the same. @param calls as JSON; `null`: none */
  #putCalls(file: number, calls: string | null): void {
    const before = this.#database.value<string>(`SELECT calls FROM literal_calls WHERE file = ?`, file);
    if (before === (calls ?? undefined)) return;
    if (before !== undefined) this.#database.sql(`DELETE FROM literal_calls WHERE file = ?`).run(file);
    if (calls !== null)
      this.#database.sql(`INSERT INTO literal_calls (file, calls) VALUES (?, ?)`).run(file, calls);
  }

  /** Deletes those of the references that have no usages. */
  #deleteUnused(references: readonly number[]): void {
    const remove = this.#database.sql(
      `DELETE FROM key_references WHERE id = ? AND NOT EXISTS (SELECT 1 FROM usages WHERE reference = key_references.id)`,
    );
    for (const id of references) if (remove.run(id).changes > 0) this.#deleteResolution(id);
  }

  #locations(sql: string, ...values: readonly SqlValue[]): readonly UsageLocation[] {
    return this.#database.all(sql, ...values).map(({ path, start, length }) => ({
      path: path as string,
      span: { start: Number(start), end: Number(start) + Number(length) },
    }));
  }
}

function patternColumns(
  resolution: ReferenceResolution,
): Record<"prefix" | "suffix" | "pattern", string | null> {
  return resolution.kind === "pattern" ? resolution : { prefix: null, suffix: null, pattern: null };
}

function resolutionFingerprint(resolution: ReferenceResolution): string {
  if (resolution.kind === "keys" && resolution.hashes.length === 1) return resolution.hashes.join("");
  return sha1(JSON.stringify(resolution));
}
