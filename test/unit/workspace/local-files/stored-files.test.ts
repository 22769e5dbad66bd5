/** The details of files in memory, as the database has them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { LocalFileRepository } from "../../../../src/database/local-file-repository.ts";
import { StoredFiles } from "../../../../src/workspace/local-files/stored-files.ts";

test("are those of the database, also after it was moved to memory, where ids begin again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stored-files-"));
  const database = new Database(join(folder, "a.db"), () => undefined);
  const repository = new LocalFileRepository(database);
  const put = (path: string): void => {
    const stamp = { size: path.length, modified: 1 };
    const state = { stamp, dirty: false, recent: false, readConditions: "" };
    const none = { namespaces: [], keyNamespaces: [], problems: [], texts: {}, sourceNamespaces: [] };
    const file = { path, rank: 0, family: null, keyPrefix: "", ...state };
    repository.putFile(file, { ...none, locales: new Map([["en", null]]) }, []);
  };
  const stored = new StoredFiles(repository);
  const update = async () => {
    await stored.update();
    return [...stored.byPath].map(([path, file]) => [path, file.path, file.stamp.size]);
  };
  put("en.json");
  put("nl.json");
  expect(await update()).toEqual([
    ["en.json", "en.json", 7],
    ["nl.json", "nl.json", 7],
  ]);
  const before = stored.fingerprint;
  const reads: number[] = [];
  const read = repository.file.bind(repository);
  repository.file = (id) => {
    reads.push(id);
    return read(id);
  };
  await update();
  expect([stored.fingerprint, reads]).toEqual([before, []]);
  // It is read again with other plural keys, without a change on disk.
  put("nl.json");
  await update();
  expect([stored.fingerprint === before, reads.length]).toEqual([false, 1]);
  const again = stored.fingerprint;
  // Another file gets the id of one that is gone.
  repository.removeFile("nl.json");
  for (let gone = repository.findReplaced(() => true); gone !== undefined;) {
    repository.removeReplaced(gone);
    gone = repository.findReplaced(() => true);
  }
  put("pt-BR.json");
  expect(await update()).toEqual([
    ["en.json", "en.json", 7],
    ["pt-BR.json", "pt-BR.json", 10],
  ]);
  expect(stored.fingerprint).not.toBe(again);
  database.continueInMemory(new Error("the disk is full"));
  put("other.json");
  expect(await update()).toEqual([["other.json", "other.json", 10]]);
  expect(stored.fingerprint).not.toBe(before);
  database.close();
  rmSync(folder, { recursive: true });
});
