/** Query plans of the comparison: batches stay small for any number of names. */
import { expect, test } from "vitest";
import { Database, type Statement } from "../../../src/database/database.ts";
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
