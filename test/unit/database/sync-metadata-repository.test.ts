/** The synchronisation state: what was read, of which project, and how it is cleared. */
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { KeyRepository } from "../../../src/database/key-repository.ts";
import { SyncMetadataRepository, contentOfProject } from "../../../src/database/sync-metadata-repository.ts";
import { SearchIndex } from "../../../src/database/update-search-index.ts";
import type { TranslationRepository } from "../../../src/database/translation-repository.ts";
import { CURSOR, key, many, row } from "./numbered-rows.ts";
import { openRepositories } from "./open-repositories.ts";

let folder: string;
let database: Database;
let keys: KeyRepository;
let translations: TranslationRepository;
let syncMetadata: SyncMetadataRepository;
let close: () => void;

beforeEach(() => {
  ({ folder, database, keys, translations, syncMetadata, close } = openRepositories());
});
afterEach(() => close());

describe("sync state", () => {
  it("has a cursor for keys and one per language", () => {
    expect(syncMetadata.cursor()).toBeNull();
    syncMetadata.setCursor(CURSOR);
    syncMetadata.setCursor({ ...CURSOR, contentVersion: 8 }, "nl");
    expect(syncMetadata.cursor()).toEqual(CURSOR);
    expect(syncMetadata.cursor("nl")?.contentVersion).toBe(8);
    expect([syncMetadata.hasCursor(), syncMetadata.hasCursor("nl"), syncMetadata.hasCursor("fr")]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("notifies other windows when cleared", () => {
    const other = new Database(join(folder, "project.db"));
    try {
      const state = new SyncMetadataRepository(other);
      state.hasExternalChanges();
      syncMetadata.content = contentOfProject("shop");
      syncMetadata.clear(contentOfProject("blog"));
      expect(state.hasExternalChanges()).toBe(false);
      syncMetadata.clear(contentOfProject("shop"));
      expect([state.hasExternalChanges(), state.hasExternalChanges()]).toEqual([true, false]);
    } finally {
      other.close();
    }
  });

  it("has the languages with a cursor, and what was stored of the files", () => {
    expect(syncMetadata.locales()).toEqual([]);
    for (const locale of ["nl", "fr"]) syncMetadata.setCursor(CURSOR, locale);
    syncMetadata.setCursor(CURSOR);
    expect(syncMetadata.locales().toSorted()).toEqual(["fr", "nl"]);
    const counts = { keys: 1, withText: 1, sourceName: "English", languages: [] };
    syncMetadata.local = { sourceLocale: "en", detectedSource: null, counts };
    expect(syncMetadata.local).toEqual({ sourceLocale: "en", detectedSource: null, counts });
  });

  it("is cleared with everything of the project, for the next one, and revisions go on", () => {
    const shop = contentOfProject("shop");
    const blog = contentOfProject("blog");
    syncMetadata.content = shop;
    syncMetadata.stats = { stats: { contentVersion: 1, languages: [] }, checkedAt: 1 };
    syncMetadata.set("results", [1]);
    const counts = { keys: 1, withText: 1, sourceName: "English", languages: [] };
    syncMetadata.local = { sourceLocale: "en", detectedSource: null, counts };
    for (const name of ["local keys", "local checks", "usages.scanner"])
      database.write("INSERT INTO state (name, value) VALUES (?, '1')", name);
    for (const locale of ["", "nl"]) syncMetadata.setCursor(CURSOR, locale);
    keys.put([key(1), key(2)], syncMetadata.nextRevision());
    translations.put("nl", [row(1)], syncMetadata.nextRevision());
    Array.from(keys.remove([key(2).hash], syncMetadata.nextRevision()));
    const before = syncMetadata.nextRevision();
    syncMetadata.clear(shop, blog);
    expect(syncMetadata.content).toEqual(blog);
    expect([syncMetadata.stats, syncMetadata.get("results", v.unknown()), syncMetadata.locales()]).toEqual([
      null,
      null,
      [],
    ]);
    expect([syncMetadata.hasCursor(), keys.isArchived(key(2).hash)]).toEqual([false, false]);
    expect(database.all("SELECT keys, with_text FROM key_counts")).toEqual([{ keys: 0, with_text: 0 }]);
    // What is of the code stays.
    expect(database.column("SELECT name FROM state ORDER BY name")).toEqual([
      "content",
      "revision",
      "usages.scanner",
    ]);
    const revision = syncMetadata.nextRevision();
    expect(revision).toBe(before + 2);
    // A key that was removed there may be one of this project, from an earlier read.
    keys.put([key(2)], 1);
    expect(keys.has(key(2).hash)).toBe(true);
    syncMetadata.clear(null, shop);
    expect(syncMetadata.content).toEqual(blog);
  });

  it("ignores values of another shape", () => {
    syncMetadata.set("results", { of: "an earlier version" });
    expect(syncMetadata.get("results", v.array(v.number()))).toBeNull();
    expect(syncMetadata.update("results", v.array(v.number()), (before) => [...(before ?? []), 1])).toEqual([
      1,
    ]);
    expect(syncMetadata.get("results", v.array(v.number()))).toEqual([1]);
  });

  it("is cleared only for its own project", () => {
    const fill = (): void => {
      syncMetadata.setCursor(CURSOR);
      keys.put([key(1)], syncMetadata.nextRevision());
      translations.put("nl", [row(1)], syncMetadata.nextRevision());
    };
    const counts = (): number[] => [
      keys.size,
      translations.counts("nl").rows,
      Number(syncMetadata.hasCursor()),
    ];
    syncMetadata.content = contentOfProject("shop");
    fill();
    syncMetadata.clear(contentOfProject("shop"));
    expect([counts(), syncMetadata.content]).toEqual([[0, 0, 0], null]);
    syncMetadata.content = contentOfProject("storefront");
    fill();
    syncMetadata.clear(contentOfProject("shop"));
    expect([counts(), syncMetadata.content]).toEqual([[1, 1, 1], contentOfProject("storefront")]);
  });

  it("is cleared with the full-text index of translations, whose rows get the same numbers again", async () => {
    const found = (): number =>
      database.sql("SELECT rowid FROM translation_search WHERE translation_search MATCH 'tek'").all().length;
    translations.put("nl", [row(1), row(2)], syncMetadata.nextRevision());
    await new SearchIndex(database).update();
    expect(found()).toBe(2);
    translations.put("nl", [row(3)], syncMetadata.nextRevision());
    syncMetadata.clear(null);
    expect([found(), database.column("SELECT id FROM translations_to_index")]).toEqual([0, []]);
    translations.put("nl", [row(3), row(4, { text: { value: "other" } })], syncMetadata.nextRevision());
    await new SearchIndex(database).update();
    expect(found()).toBe(1);
  });

  it("is cleared with the full-text index", () => {
    keys.put([key(1)], syncMetadata.nextRevision());
    const index = (): void => {
      database
        .sql("INSERT INTO key_search (rowid, name, context, text) SELECT id, '..' || key, '', text FROM keys")
        .run();
    };
    const found = (): number =>
      database.sql("SELECT rowid FROM key_search WHERE key_search MATCH 'quoted'").all().length;
    index();
    expect(found()).toBe(1);
    syncMetadata.clear(null);
    expect(found()).toBe(0);
    const toIndex = database.sql("SELECT id FROM keys_to_index");
    expect(toIndex.all()).toEqual([]);
    keys.put([key(2)], syncMetadata.nextRevision());
    expect(toIndex.all()).toHaveLength(1);
  });

  it("is cleared without triggers, which are restored", () => {
    database.sql("CREATE TABLE removed (hash TEXT)").run();
    const trigger =
      "CREATE TRIGGER note AFTER DELETE ON keys BEGIN INSERT INTO removed (hash) VALUES (old.hash); END";
    database.sql(trigger).run();
    const removed = (): number =>
      Number(database.sql("SELECT count(*) AS count FROM removed").get()?.["count"]);
    for (const expected of [1, 2]) {
      keys.put(many(key, 10), syncMetadata.nextRevision());
      syncMetadata.clear(null);
      expect(keys.size).toBe(0);
      keys.put([key(1)], syncMetadata.nextRevision());
      Array.from(keys.remove([key(1).hash], syncMetadata.nextRevision()));
      expect(removed()).toBe(expected);
    }
  });

  it("tells whether another window has read or written", () => {
    const other = new Database(join(folder, "project.db"));
    const others = new SyncMetadataRepository(other);
    keys.put([key(1)], syncMetadata.nextRevision());
    syncMetadata.setCursor(CURSOR);
    expect(syncMetadata.hasExternalChanges()).toBe(false);
    expect(others.hasExternalChanges()).toBe(true);
    new KeyRepository(other).put([key(2)], others.nextRevision());
    // A revision of this window's own must not hide it.
    keys.put([key(3)], syncMetadata.nextRevision());
    expect(syncMetadata.hasExternalChanges()).toBe(true);
    expect(syncMetadata.hasExternalChanges()).toBe(false);
    expect(keys.size).toBe(3);
    other.close();
  });
});
