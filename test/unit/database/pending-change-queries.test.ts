/** Cost of the comparison: batches stay small for any number of names, and the same state is compared once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Database, type Statement } from "../../../src/database/database.ts";
import { AgreedTextRepository } from "../../../src/database/personal/agreed-text-repository.ts";
import { PERSONAL_SCHEMA } from "../../../src/database/personal/personal-schema.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { PendingChangeQueries } from "../../../src/database/pending-change-queries.ts";

test("scans no language once per batch", async () => {
  const database = new Database();
  database.sql("INSERT INTO local_names (hash, namespace, key) VALUES ('h', '*', 'k')").run();
  const texts: string[] = [];
  const sql = (text: string): Statement => {
    texts.push(text);
    return database.sql(text);
  };
  const noticed = new Proxy(database, {
    get: (target, name) => (name === "sql" ? sql : Reflect.get(target, name, target)),
  });
  const target = { locale: "nl", namespaces: [], state: "complete" } as const;
  const personal = new PersonalData();
  const scope = {
    personal: { project: "", path: personal.database.path },
    sourceLocale: "en",
    covered: [],
    targets: [target],
  };
  await new PendingChangeQueries(noticed, personal.database).count(scope);
  const compared = [...new Set(texts)].filter((text) => text.includes("FROM local_names n"));
  expect(compared).toHaveLength(3);
  for (const text of compared) {
    const [first] = database.sql(`EXPLAIN QUERY PLAN ${text}`).all();
    expect(first?.["detail"]).toBe("SEARCH n USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)");
  }
  database.close();
});

test("does not compare the same state again, and compares a changed one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pending-"));
  const database = new Database(join(folder, "project.db"));
  const host = new Database(join(folder, "project.db"));
  const path = join(folder, "personal.db");
  const personal = new Database(path, undefined, undefined, PERSONAL_SCHEMA);
  let batches = 0;
  const noticed = new Proxy(database, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== "all") return typeof value === "function" ? value.bind(target) : value;
      return (...args: Parameters<Database["all"]>) => {
        batches++;
        return target.all(...args);
      };
    },
  });
  host.sql("INSERT INTO local_names (hash, namespace, key) VALUES ('h', '*', 'k')").run();
  const scope = { personal: { project: "", path }, sourceLocale: "en", covered: [], targets: [] };
  const queries = new PendingChangeQueries(noticed);
  const isCounted = async (count: () => Promise<unknown>): Promise<boolean> => {
    batches = 0;
    await count();
    return batches > 0;
  };
  expect(await isCounted(() => queries.count(scope))).toBe(true);
  expect(await isCounted(() => queries.count(scope))).toBe(false);
  expect(await isCounted(() => queries.count({ ...scope, sourceLocale: "nl" }))).toBe(true);
  expect(await isCounted(() => queries.count(scope))).toBe(true);
  host.sql("INSERT INTO local_names (hash, namespace, key) VALUES ('i', '*', 'l')").run();
  expect(await isCounted(() => queries.count(scope))).toBe(true);
  await new AgreedTextRepository({ database: personal, project: "" }).store([
    { locale: "nl", hash: "h", fingerprint: "1" },
  ]);
  expect(await isCounted(() => queries.count(scope))).toBe(true);
  expect(await isCounted(() => queries.count(scope))).toBe(false);
  for (const each of [database, host, personal]) each.close();
  rmSync(folder, { recursive: true });
});
