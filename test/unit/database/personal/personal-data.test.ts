/** The personal database on a real disk: what is in it outlives the cache, the session, damage and a full disk. */
import { contentOfProject } from "../../../../src/database/sync-metadata-repository.ts";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase, openPersonalDatabase } from "../../../../src/database/database-recovery.ts";
import type { Database } from "../../../../src/database/database.ts";
import { importEarlierData } from "../../../../src/database/personal/import-earlier-data.ts";
import { KnownProjects, personalProject } from "../../../../src/database/personal/known-projects.ts";
import { PersonalData } from "../../../../src/database/personal/personal-data.ts";
import { addRename } from "../../../../src/database/personal/pending-rename-repository.ts";
import type { TranslationDraft } from "../../../../src/database/personal/translation-draft-repository.ts";
import { UnsavedInputRepository } from "../../../../src/database/personal/unsaved-input-repository.ts";
import { Project } from "../../../../src/database/project-state.ts";

let folder: string;
let path: string;
let warnings: string[];
const opened: Database[] = [];
const log = { warn: (text: string): void => void warnings.push(text) };

const track = (database: Database): Database => {
  opened.push(database);
  return database;
};
const open = (onInMemory?: () => void): Database => track(openPersonalDatabase(path, log, onInMemory));
const openCache = (name = "project.db"): Database => track(openDatabase(join(folder, name), log));
const projectIn = (personal: Database, id = "shop", cache = openCache()): Project =>
  new Project("id", "label", cache, new PersonalData(personal, id));
const hashOf = (number: number): string => number.toString(16).padStart(40, "0");
const draft = (number = 1, text = "Mand"): TranslationDraft => ({
  locale: "nl",
  hash: hashOf(number),
  text: { value: text },
  base: null,
  baseVersion: null,
  origin: "person",
  model: null,
  source: null,
});
const REJECTED = {
  locale: "nl",
  hash: hashOf(1),
  reason: "Too long.",
  source: { value: "Cart" },
  version: 1,
};
const textsOf = ({ drafts }: Project): unknown[] => [...drafts.all()].map(({ text }) => text);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "personal-"));
  path = join(folder, "personal", "app.db");
  warnings = [];
});
afterEach(() => {
  for (const database of opened.splice(0)) database.close();
  rmSync(folder, { recursive: true });
});

describe("Personal data", () => {
  it("belongs to its project", () => {
    const personal = open();
    const shop = projectIn(personal);
    const blog = projectIn(personal, "blog", shop.database);
    shop.drafts.put([draft()]);
    shop.personal.set("agreed-mapping", "files");
    new UnsavedInputRepository(shop.personal).put("translation nl", { text: "typed" });
    expect([textsOf(shop), textsOf(blog)]).toEqual([[{ value: "Mand" }], []]);
    expect([shop.drafts.count(), blog.drafts.count(), blog.drafts.get("nl", hashOf(1))]).toEqual([
      1,
      0,
      undefined,
    ]);
    expect(blog.personal.get("agreed-mapping", v.string())).toBeNull();
    expect(new UnsavedInputRepository(blog.personal).get("translation nl")).toBeUndefined();
    blog.drafts.remove([draft()]);
    expect(shop.drafts.count()).toBe(1);
    const [mine, theirs] = [shop, blog].map(({ personal: own }) => new UnsavedInputRepository(own));
    theirs?.put("translation nl", "of the blog");
    mine?.put("description", "typed too");
    mine?.remove("translation nl");
    expect([mine?.get("translation nl"), mine?.get("description"), theirs?.get("translation nl")]).toEqual([
      undefined,
      "typed too",
      "of the blog",
    ]);
  });

  it("is kept when the session ends and the cache belongs to another project", () => {
    const personal = open();
    const project = projectIn(personal);
    const name = (key: string) => ({ namespace: "cart", key, context: null });
    project.syncMetadata.content = contentOfProject("shop");
    project.drafts.put([draft()]);
    addRename(project, name("title"), name("heading"));
    project.personal.set("agreed-mapping", "files");
    project.syncMetadata.clear(contentOfProject("shop"));
    project.reset({ kind: "signed-out" });
    project.syncMetadata.content = contentOfProject("blog");
    const again = projectIn(open());
    expect(textsOf(again)).toEqual([{ value: "Mand" }]);
    expect(again.personal.get("renames", v.array(v.unknown()))).toHaveLength(1);
    expect(again.personal.get("agreed-mapping", v.string())).toBe("files");
  });

  it("is kept when the cache is damaged", () => {
    const personal = open();
    const cache = openCache();
    projectIn(personal, "shop", cache).drafts.put([draft()]);
    cache.close();
    opened.splice(opened.indexOf(cache), 1);
    writeFileSync(join(folder, "project.db"), "no database at all, but some text that is long enough");
    expect(textsOf(projectIn(open()))).toEqual([{ value: "Mand" }]);
  });

  it("continues in memory, with what is on disk, when the disk is full", async () => {
    let count = 0;
    const personal = open(() => count++);
    const project = projectIn(personal);
    project.drafts.put([draft(1)]);
    const input = new UnsavedInputRepository(project.personal);
    input.put("translation nl", "typed");
    project.rejectedTranslations.put(REJECTED);
    project.personal.set("agreed-mapping", "files");
    await project.agreedTexts.store([{ locale: "nl", hash: hashOf(1), fingerprint: "1" }]);
    const known = new KnownProjects(personal);
    known.put("https://a.example", { id: "1", slug: "shop", name: "Shop" });
    // From now on SQLite reports that the disk is full.
    personal.sql(`PRAGMA max_page_count = ${personal.number("PRAGMA page_count")}`).get();
    project.drafts.put(Array.from({ length: 500 }, (_, index) => draft(index + 2, "x".repeat(200))));
    expect([personal.isOnDisk, count, project.drafts.count()]).toEqual([false, 1, 501]);
    expect([
      input.get("translation nl"),
      project.personal.get("agreed-mapping", v.string()),
      project.agreedTexts.get("nl", hashOf(1)),
      personal.column("SELECT reason FROM rejected_translations"),
      known.withSlug("https://a.example", "shop").length,
    ]).toEqual(["typed", "files", "1", ["Too long."], 1]);
    expect(projectIn(open()).drafts.count()).toBe(1);
  });

  it("is read as far as possible when its file is damaged, which is kept", () => {
    const personal = open();
    const project = projectIn(personal);
    const many = Array.from({ length: 2_000 }, (_, index) => draft(index, "x".repeat(200)));
    project.drafts.put(many);
    project.personal.set("agreed-mapping", "files");
    personal.checkpoint();
    personal.close();
    opened.splice(opened.indexOf(personal), 1);
    const bytes = readFileSync(path);
    // A page in the middle of the drafts, and the number that tells that the schema is of a later version.
    bytes.fill(
      0xff,
      Math.floor(bytes.length / 2 / 4096) * 4096,
      Math.floor(bytes.length / 2 / 4096 + 1) * 4096,
    );
    writeFileSync(path, bytes);
    const other = new DatabaseSync(path);
    other.exec("PRAGMA user_version = 1000");
    other.close();
    const recovered = projectIn(open());
    expect(recovered.drafts.count()).toBeGreaterThan(1_800);
    expect(recovered.personal.get("agreed-mapping", v.string())).toBe("files");
    expect(recovered.drafts.get("nl", hashOf(0))).toEqual(many[0]);
    expect(recovered.drafts.get("nl", hashOf(1_999))).toEqual(many[1_999]);
    expect(existsSync(`${path}.damaged`)).toBe(true);
    expect(warnings).toEqual([
      expect.stringContaining("is renamed"),
      expect.stringContaining("Not everything could be read"),
    ]);
  });

  it("is read with what was written last from a file of a later version that another window has open", () => {
    const theirs = open();
    projectIn(theirs).drafts.put([draft(1)]);
    // In the file beside it, which is moved into it only by a checkpoint.
    theirs.sql("PRAGMA user_version = 1000").run();
    const mine = projectIn(open());
    expect([textsOf(mine), existsSync(`${path}.damaged-wal`)]).toEqual([[{ value: "Mand" }], true]);
    expect(warnings).toEqual([expect.stringContaining("is renamed")]);
    mine.drafts.put([draft(2)]);
    expect([mine, projectIn(open())].map(({ drafts }) => drafts.count())).toEqual([2, 2]);
  });

  it("goes on in a new file when damage is found while it is used", () => {
    let count = 0;
    const personal = open(() => count++);
    const project = projectIn(personal);
    project.drafts.put(Array.from({ length: 2_000 }, (_, index) => draft(index, "x".repeat(200))));
    personal.checkpoint();
    const file = openSync(path, "r+");
    const pages = Math.floor(statSync(path).size / 4096);
    writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, Math.floor(pages / 2) * 4096);
    closeSync(file);
    // Forgets the pages that were read before.
    personal.sql("PRAGMA shrink_memory").run();
    for (let index = 0; index < 2_000; index++) project.drafts.put([draft(index, "Mand")]);
    expect([personal.isOnDisk, count]).toEqual([true, 0]);
    expect(existsSync(`${path}.damaged`)).toBe(true);
    const again = projectIn(open());
    expect(again.drafts.count()).toBeGreaterThan(1_800);
    expect(again.drafts.get("nl", hashOf(1_999))?.text).toEqual({ value: "Mand" });
  });

  it("is read from a disk that cannot be written, and left there as it is", () => {
    const personal = open();
    projectIn(personal).drafts.put([draft(1)]);
    personal.checkpoint();
    const readOnly = join(folder, "read-only");
    mkdirSync(readOnly);
    // No file can have a longer name, as those do that SQLite needs to write beside this one.
    const file = join(readOnly, `${"a".repeat(250)}.db`);
    copyFileSync(path, file);
    const before = readFileSync(file);
    const temporary = join(folder, "temporary");
    mkdirSync(temporary);
    vi.stubEnv("TMPDIR", temporary);
    let count = 0;
    const inMemory = track(openPersonalDatabase(file, log, () => count++));
    const project = projectIn(inMemory);
    expect([inMemory.isOnDisk, count, textsOf(project)]).toEqual([false, 1, [{ value: "Mand" }]]);
    expect(warnings).toEqual([expect.stringContaining("only stored in memory")]);
    project.drafts.put([draft(2)]);
    expect(project.drafts.count()).toBe(2);
    expect([readdirSync(readOnly).length, readFileSync(file).equals(before)]).toEqual([1, true]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("is read from such a disk with what was written last, which is in a file beside it", () => {
    const project = projectIn(open());
    project.drafts.put([draft(1)]);
    const readOnly = join(folder, "read-only.db");
    for (const ending of ["", "-wal"]) copyFileSync(path + ending, readOnly + ending);
    // In place of a file that SQLite needs to write.
    symlinkSync("nowhere", `${readOnly}-shm`);
    const inMemory = track(openPersonalDatabase(readOnly, log));
    expect([inMemory.isOnDisk, textsOf(projectIn(inMemory))]).toEqual([false, [{ value: "Mand" }]]);
    expect(warnings).toEqual([expect.stringContaining("only stored in memory")]);
  });

  it("is nowhere if what is on such a disk cannot be read either, which is said", () => {
    const readOnly = join(folder, "app.db");
    mkdirSync(readOnly);
    const inMemory = track(openPersonalDatabase(readOnly, log));
    expect([inMemory.isOnDisk, projectIn(inMemory).drafts.count()]).toEqual([false, 0]);
    expect(warnings).toEqual([
      expect.stringContaining("only stored in memory"),
      expect.stringContaining("could not be read"),
    ]);
  });

  it("never replaces an earlier file that was set aside", () => {
    for (const text of ["first", "second"]) {
      const personal = open();
      personal.close();
      opened.splice(opened.indexOf(personal), 1);
      for (const ending of ["-wal", "-shm"]) rmSync(path + ending, { force: true });
      writeFileSync(path, `${text}, no database, but some text that is long enough`);
    }
    open();
    expect(readFileSync(`${path}.damaged`, "utf8")).toMatch(/^first/u);
    expect(readFileSync(`${path}.damaged-2`, "utf8")).toMatch(/^second/u);
  });
});

/** The tables of version 0.3 with what a person made; the others are empty there, too, before the first refresh. */
const TABLES_OF_0_3 = `
  CREATE TABLE keys (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE input_drafts (
    project TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (project, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE drafts (
    project TEXT NOT NULL DEFAULT '', locale TEXT NOT NULL, hash TEXT NOT NULL, text TEXT NOT NULL, base TEXT,
    base_version INTEGER, origin TEXT NOT NULL, model TEXT, source TEXT, PRIMARY KEY (project, locale, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE refused_translations (
    project TEXT NOT NULL, locale TEXT NOT NULL, hash TEXT NOT NULL, reason TEXT NOT NULL, source TEXT NOT NULL,
    version INTEGER, PRIMARY KEY (project, locale, hash)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 101;
`;

it("moves to another base URL, except what is there already", async () => {
  const personal = open();
  const [before, after, elsewhere] = [
    "http://127.0.0.1:1/v1",
    "http://127.0.0.1:2/v1",
    "http://127.0.0.1:3/v1",
  ];
  const cache = openCache();
  for (const baseUrl of [before, elsewhere])
    new KnownProjects(personal).put(baseUrl, { id: "shop", slug: "shop", name: "Shop" });
  const [shop, moved, other] = [before, after, elsewhere].map((baseUrl) =>
    projectIn(personal, personalProject(baseUrl, "shop"), cache),
  );
  if (shop === undefined || moved === undefined || other === undefined) throw new Error("no project");
  shop.drafts.put([draft()]);
  other.drafts.put([draft()]);
  shop.personal.set("renames", ["shop"]);
  moved.personal.set("renames", ["there"]);
  new UnsavedInputRepository(shop.personal).put("translation nl", "typed");
  shop.rejectedTranslations.put(REJECTED);
  const known = new KnownProjects(personal);
  const agreed = Array.from({ length: 1_001 }, (_, number) => {
    return { locale: "nl", hash: hashOf(number + 1), fingerprint: "1" };
  });
  await shop.agreedTexts.store(agreed);
  await moved.agreedTexts.store([{ locale: "nl", hash: hashOf(2), fingerprint: "there" }]);
  await other.agreedTexts.store([{ locale: "nl", hash: hashOf(1), fingerprint: "elsewhere" }]);
  await known.moveBaseUrl(before, after);
  const hashes = agreed.map(({ hash }) => hash);
  expect([shop, moved, other].map(({ agreedTexts }) => agreedTexts.of("nl", hashes).size)).toEqual([
    0, 1_001, 1,
  ]);
  expect([1, 2, 1_001].map((number) => moved.agreedTexts.get("nl", hashOf(number)))).toEqual([
    "1",
    "there",
    "1",
  ]);
  expect([shop, moved, other].map(textsOf)).toEqual([[], [draft().text], [draft().text]]);
  const inputs = [shop, moved, other].map(({ personal: own }) =>
    new UnsavedInputRepository(own).get("translation nl"),
  );
  expect(inputs).toEqual([undefined, "typed", undefined]);
  expect(personal.column("SELECT project FROM rejected_translations")).toEqual([moved.personal.project]);
  expect([before, after, elsewhere].map((baseUrl) => known.withSlug(baseUrl, "shop").length)).toEqual([
    0, 1, 1,
  ]);
  expect(moved.personal.get("renames", v.unknown())).toEqual(["there"]);
  expect(shop.personal.get("renames", v.unknown())).toEqual(["shop"]);
});

describe("Data of version 0.3", () => {
  const BASE_URL = "https://a.example/v1";
  const createCache = (name: string, owner = "shop"): string => {
    const file = join(folder, name);
    const cache = new DatabaseSync(file);
    const put = (sql: string, ...values: readonly string[]): void => void cache.prepare(sql).run(...values);
    cache.exec(`PRAGMA journal_mode = WAL; ${TABLES_OF_0_3}`);
    put("INSERT INTO state VALUES ('owner', ?)", owner);
    put("INSERT INTO state VALUES ('renames', ?)", JSON.stringify([{ of: owner }]));
    for (const name of ["jobs", "pulls", "agreed-mapping"])
      put("INSERT INTO state VALUES (?, ?)", name, JSON.stringify(name));
    for (const project of ["shop", "local files"])
      put(
        `INSERT INTO drafts (project, locale, hash, text, origin) VALUES (?, 'nl', ?, '{"value":"Mand"}', 'person')`,
        project,
        hashOf(1),
      );
    put("INSERT INTO input_drafts VALUES ('', 'local nl', '\"typed\"')");
    put(
      `INSERT INTO refused_translations VALUES ('blog', 'nl', ?, 'Too long.', '{"value":"Cart"}', NULL)`,
      hashOf(2),
    );
    cache.close();
    return file;
  };

  it("moves to the projects that it belongs to, and the cache is built anew", () => {
    const file = createCache("project.db");
    const cache = openCache();
    expect(cache.isOnDisk).toBe(true);
    expect(cache.column("SELECT name FROM sqlite_schema WHERE name IN ('drafts', 'input_drafts')")).toEqual(
      [],
    );
    const personal = open();
    importEarlierData(personal, `${file}.outdated`, BASE_URL);
    const [shop, local] = [
      projectIn(personal, personalProject(BASE_URL, "shop"), cache),
      projectIn(personal, "", cache),
    ];
    expect([textsOf(shop), textsOf(local)]).toEqual([[{ value: "Mand" }], [{ value: "Mand" }]]);
    expect(shop.personal.get("renames", v.unknown())).toEqual([{ of: "shop" }]);
    for (const name of ["jobs", "pulls", "agreed-mapping"] as const)
      expect([shop, local].map((each) => each.personal.get(name, v.string()))).toEqual([name, null]);
    const known = new KnownProjects(personal);
    expect(known.withSlug(BASE_URL, "shop")).toMatchObject([{ id: "shop" }]);
    expect(known.keys(shop.personal.project)).toEqual([hashOf(1)]);
    expect(new UnsavedInputRepository(local.personal).get("local nl")).toBe("typed");
    expect(personal.value("SELECT reason FROM rejected_translations")).toBe("Too long.");
    expect(known.withSlug(BASE_URL, "blog")).toMatchObject([{ id: "blog" }]);
    // What is discarded later does not come back.
    shop.drafts.remove([draft()]);
    importEarlierData(personal, `${file}.outdated`, BASE_URL);
    expect([textsOf(shop), textsOf(local)]).toEqual([[], [{ value: "Mand" }]]);
    expect(existsSync(`${file}.damaged`)).toBe(false);
  });

  it("is nowhere in a cache of a later version", () => {
    const cache = openCache();
    cache.checkpoint();
    const personal = open();
    importEarlierData(personal, join(folder, "project.db"), BASE_URL);
    expect(personal.number("SELECT count(*) FROM drafts")).toBe(0);
    importEarlierData(personal, join(folder, "missing"), BASE_URL);
  });

  it("replaces nothing that was typed since", () => {
    const file = createCache("project.db.outdated");
    const personal = open();
    const shop = projectIn(personal, personalProject(BASE_URL, "shop"));
    shop.drafts.put([draft(1, "Kar")]);
    importEarlierData(personal, file, BASE_URL);
    expect(textsOf(shop)).toEqual([{ value: "Kar" }]);
  });

  it("is read once from a damaged cache that was set aside", () => {
    const file = createCache("project.db.damaged");
    const personal = open();
    const shop = projectIn(personal, personalProject(BASE_URL, "shop"));
    importEarlierData(personal, file, BASE_URL);
    expect(textsOf(shop)).toEqual([{ value: "Mand" }]);
    shop.drafts.remove([draft()]);
    importEarlierData(personal, file, BASE_URL);
    expect(textsOf(shop)).toEqual([]);
  });

  it("is read as far as possible from a cache whose drafts are damaged", () => {
    const file = createCache("project.db.damaged");
    const cache = new DatabaseSync(file);
    cache.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO drafts (project, locale, hash, text, origin)
      SELECT 'shop', 'de', printf('%040d', i), '{"value":"' || printf('%0200d', i) || '"}', 'person' FROM n`);
    cache.close();
    const bytes = readFileSync(file);
    const middle = Math.floor(bytes.length / 2 / 4096) * 4096;
    writeFileSync(file, bytes.fill(0xff, middle, middle + 4096));
    const personal = open();
    importEarlierData(personal, file, BASE_URL);
    const shop = projectIn(personal, personalProject(BASE_URL, "shop"));
    expect(shop.drafts.count()).toBeGreaterThan(100);
    expect(shop.drafts.count()).toBeLessThan(2_001);
    expect(shop.drafts.get("de", "1".padStart(40, "0"))?.text).toEqual({ value: "1".padStart(200, "0") });
    // Other tables, too.
    expect(shop.personal.get("renames", v.unknown())).toEqual([{ of: "shop" }]);
    expect(personal.value("SELECT reason FROM rejected_translations")).toBe("Too long.");
  });

  it("is read from each cache that is set aside under the same name", () => {
    const personal = open();
    const shop = projectIn(personal, personalProject(BASE_URL, "shop"));
    for (const time of [1, 2]) {
      const file = createCache("project.db.outdated");
      utimesSync(file, time, time);
      importEarlierData(personal, file, BASE_URL);
      expect(textsOf(shop)).toEqual([{ value: "Mand" }]);
      shop.drafts.remove([draft()]);
      rmSync(file);
    }
  });

  it("is read again in the next window while the personal database is in memory", () => {
    const file = createCache("project.db.outdated");
    const blocked = join(folder, "personal");
    writeFileSync(blocked, "");
    for (const canWrite of [false, true]) {
      if (canWrite) rmSync(blocked);
      const personal = open();
      expect(personal.isOnDisk).toBe(canWrite);
      importEarlierData(personal, file, BASE_URL);
      expect(textsOf(projectIn(personal, personalProject(BASE_URL, "shop")))).toEqual([{ value: "Mand" }]);
    }
  });
});

it("knows the projects of a folder by their base URL and slug, and by keys that they have or had", () => {
  const personal = open();
  const known = new KnownProjects(personal);
  const [one, two] = ["https://a.example", "https://b.example"] as const;
  known.put(one, { id: "1", slug: "shop", name: "Shop" });
  known.put(two, { id: "1", slug: "shop", name: "Other shop" });
  known.put(one, { id: "2", slug: "blog", name: "Blog" });
  expect(known.withSlug(one, "shop")).toEqual([
    { project: personalProject(one, "1"), id: "1", slug: "shop", name: "Shop" },
  ]);
  // A slug may change, and become that of another one.
  known.put(one, { id: "1", slug: "store", name: "Store" });
  known.put(one, { id: "2", slug: "shop", name: "Blog" });
  expect(known.withSlug(one, "shop").map(({ id }) => id)).toEqual(["2"]);
  expect(known.withSlug(one, "store")).toMatchObject([{ id: "1", name: "Store" }]);
  expect(known.withSlug(two, "shop")).toMatchObject([{ name: "Other shop" }]);
  known.put(one, { id: "1", slug: "store", name: "Corner store" });
  expect(known.withSlug(one, "store")).toMatchObject([{ id: "1", name: "Corner store" }]);
  const project = personalProject(one, "1");
  const cache = openCache();
  const insert = `INSERT INTO keys (hash, namespace, key, is_plural, tags, revision) VALUES (?, '*', ?, 0, '[]', 1)`;
  for (let number = 600; number > 0; number--) cache.write(insert, hashOf(number), `${number}`);
  known.storeKeys(project, cache);
  expect(known.keys(project)).toEqual(Array.from({ length: 500 }, (_, number) => hashOf(number + 1)));
  expect(known.keys(personalProject(two, "1"))).toEqual([]);
  // One that is emptied says nothing of the project.
  cache.write("DELETE FROM keys");
  known.storeKeys(project, cache);
  projectIn(personal, project, cache).drafts.put([draft(1), draft(9_999)]);
  expect(known.keys(project)).toHaveLength(501);
  expect(known.keys(personalProject(two, "1"))).toEqual([]);
  expect(known.keys(project).at(-1)).toBe(hashOf(9_999));
  cache.write(insert, hashOf(700), "a");
  known.storeKeys(project, cache);
  expect(known.keys(project).toSorted()).toEqual([hashOf(1), hashOf(700), hashOf(9_999)]);
});

describe("Kept drafts", () => {
  it("are those of the folder's other projects, and are moved where nothing is in the way", () => {
    const personal = open();
    const known = new KnownProjects(personal);
    const BASE_URL = "https://a.example/v1";
    known.put(BASE_URL, { id: "1", slug: "shop", name: "Shop" });
    const shop = projectIn(personal, personalProject(BASE_URL, "1"));
    const local = projectIn(personal, "", shop.database);
    local.drafts.put([draft(1), { ...draft(2, "Kar"), base: { value: "Korf" }, baseVersion: 7 }, draft(3)]);
    shop.drafts.put([draft(3, "Tas")]);
    const { project } = shop.personal;
    expect(known.keptDrafts(project)).toEqual([{ project: "", name: null, slug: null, count: 3 }]);
    expect(known.keptDrafts("")).toEqual([{ project, name: "Shop", slug: "shop", count: 1 }]);
    const unnamed = projectIn(personal, personalProject(BASE_URL, "blog"), shop.database);
    unnamed.drafts.put([draft(9)]);
    expect(known.keptDrafts(project).map(({ name }) => name)).toEqual([null, "blog"]);
    expect(known.moveDrafts("", project)).toBe(2);
    expect(textsOf(shop)).toEqual([{ value: "Mand" }, { value: "Kar" }, { value: "Tas" }]);
    expect(shop.drafts.get("nl", hashOf(2))).toMatchObject({ base: { value: "Korf" }, baseVersion: null });
    expect(textsOf(local)).toEqual([{ value: "Mand" }]);
  });
});
