/** Personal databases with the tables of earlier and later versions of the extension: nothing in them is lost. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { openPersonalDatabase } from "../../../../src/database/database-recovery.ts";
import { PERSONAL_SCHEMA } from "../../../../src/database/personal/personal-schema.ts";
import { migrate } from "../../../../src/database/schema-migrations.ts";

/** A row of each table, by the version that has the table first. */
const ROWS: readonly (readonly [version: number, table: string, values: readonly (string | number)[]])[] = [
  [
    1,
    "drafts",
    ["shop", "nl", "h1", '{"value":"Mand"}', '{"value":"Tas"}', 3, "person", "model", '{"value":"Cart"}'],
  ],
  [1, "rejected_translations", ["shop", "nl", "h2", "Too long.", '{"value":"Cart"}', 4]],
  [1, "unsaved_input", ["shop", "translation nl", '"typed"']],
  [1, "state", ["shop", "renames", "[]"]],
  [2, "projects", ["shop", "base", "1", "shop", "Shop", '["h1"]']],
  [3, "agreed_texts", ["shop", "nl", "h1", "fingerprint"]],
];

let folder: string;
let path: string;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "personal-versions-"));
  path = join(folder, "app.db");
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Creates a file with the tables of a version and a row in each. */
function createFile(version: number, laterSql = ""): void {
  const file = new DatabaseSync(path);
  for (const migration of PERSONAL_SCHEMA.migrations.slice(0, version)) file.exec(migration);
  for (const [since, table, values] of ROWS)
    if (since <= version)
      file.prepare(`INSERT INTO ${table} VALUES (${values.map(() => "?").join(", ")})`).run(...values);
  file.exec(`PRAGMA user_version = ${version}; ${laterSql}`);
  file.close();
}

/** Opens the file as the extension does. Returns the first row of each table, as far as it is expected there. */
function read(version: number): unknown[] {
  const database = openPersonalDatabase(path, { warn: (text) => void warnings.push(text) });
  try {
    expect(database.isOnDisk).toBe(true);
    return ROWS.filter(([since]) => since <= version).map(([, table]) =>
      Object.values(database.get(`SELECT * FROM ${table}`) ?? {}),
    );
  } finally {
    database.close();
  }
}

const rowsOf = (version: number): unknown[] =>
  ROWS.filter(([since]) => since <= version).map(([, , values]) => values);

test("a row of each table is tested", () => {
  expect(ROWS.map(([, table]) => table).toSorted()).toEqual([...PERSONAL_SCHEMA.keptRows].toSorted());
  expect(PERSONAL_SCHEMA.migrations).toHaveLength(Math.max(...ROWS.map(([version]) => version)));
});

test.each(PERSONAL_SCHEMA.migrations.map((_, index) => index + 1))(
  "a file of version %d is migrated with its rows",
  (version) => {
    createFile(version);
    expect(read(version)).toEqual(rowsOf(version));
    expect(read(version)).toEqual(rowsOf(version));
    expect(warnings).toEqual([]);
  },
);

test("of two windows that open a file of the first version at once, one migrates it", () => {
  createFile(1);
  const first = new DatabaseSync(path);
  class Second extends DatabaseSync {
    override exec(sql: string): void {
      if (sql.startsWith("BEGIN")) migrate(first, PERSONAL_SCHEMA);
      super.exec(sql);
    }
  }
  const second = new Second(path);
  migrate(second, PERSONAL_SCHEMA);
  first.close();
  second.close();
  expect(read(1)).toEqual(rowsOf(1));
  expect(warnings).toEqual([]);
});

describe("a file of a later version", () => {
  const version = PERSONAL_SCHEMA.migrations.length;
  const later = `
    ALTER TABLE drafts ADD COLUMN reviewer TEXT NOT NULL DEFAULT 'somebody';
    CREATE TABLE reviews (name TEXT PRIMARY KEY) STRICT;
    INSERT INTO reviews VALUES ('of a later version');
    PRAGMA user_version = ${version + 1};`;

  it("is kept as it is, and its rows are copied", () => {
    createFile(version, later);
    expect(read(version)).toEqual(rowsOf(version));
    expect(warnings).toEqual([expect.stringContaining("is renamed")]);
    const kept = new DatabaseSync(`${path}.damaged`);
    expect(kept.prepare("SELECT name FROM reviews").get()).toEqual({ name: "of a later version" });
    expect(kept.prepare("SELECT reviewer FROM drafts").get()).toEqual({ reviewer: "somebody" });
    expect(kept.prepare("PRAGMA user_version").get()).toEqual({ user_version: version + 1 });
    kept.close();
  });

  it("is copied once: what is discarded afterwards does not come back", () => {
    createFile(version, later);
    read(version);
    const file = new DatabaseSync(path);
    file.exec("DELETE FROM drafts");
    file.close();
    expect(read(version)[0]).toEqual([]);
    expect(existsSync(`${path}.damaged-2`)).toBe(false);
  });
});
