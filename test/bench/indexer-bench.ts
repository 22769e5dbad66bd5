import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../src/database/database.ts";
import { KeyRepository } from "../../src/database/key-repository.ts";
import { LocalKeys } from "../../src/database/keys-from-local-files.ts";
import { LocalEntries } from "../../src/workspace/local-files/local-entries.ts";
import { LocalFileIndexer } from "../../src/workspace/local-files/local-file-indexer.ts";
import { projectFiles } from "../unit/support/node-platform.ts";

const [root = "", pattern = "", format = "", sourceLocale = "en"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "pt-bench-"));
const database = new Database(join(folder, "project.db"));
database.prepareForWriting();
const keys = new KeyRepository(database);
const local = new LocalEntries({
  database,
  version: "1",
  files: projectFiles(root),
  keys: () => keys,
  indexing: new LocalFileIndexer(database),
});
local.configure({
  files: [{ path: pattern, format: format as never }],
  locales: {},
  sourceLocale,
  serviceLocales: [],
});
const t = async <R>(name: string, work: () => Promise<R> | R): Promise<R> => {
  const a = process.cpuUsage();
  const w = performance.now();
  const r = await work();
  const b = process.cpuUsage(a);
  console.log(name, "cpu", Math.round((b.user + b.system) / 1000), "wall", Math.round(performance.now() - w));
  return r;
};
await t("load", () => local.load());
const n = local.files.length;
let bytes = 0;
for (const f of local.files) bytes += f.stamp.size;
console.log(
  n,
  "files",
  local.files.reduce((s, f) => s + f.entries.length, 0),
  "entries",
  (bytes / 1e6).toFixed(1),
  "MB",
  local.locales.length,
  "locales",
);
await t("sizes", () => local.sizes());
database.write("INSERT OR REPLACE INTO state (name, value) VALUES ('owner', '\"local files\"')");
await t("localKeys", () =>
  new LocalKeys(database).update({
    sourceLocale,
    locales: local.locales.filter((l) => l !== sourceLocale),
    covered: local.covered,
  }),
);
await t("localKeys again", () =>
  new LocalKeys(database).update({
    sourceLocale,
    locales: local.locales.filter((l) => l !== sourceLocale),
    covered: local.covered,
  }),
);
console.log("db MB", (await stat(join(folder, "project.db"))).size / 1e6);
await rm(folder, { recursive: true });
