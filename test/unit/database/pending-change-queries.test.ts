/** Cost of the comparison: batches stay small for any number of names, and the same state is compared once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Database, type Statement } from "../../../src/database/database.ts";
import { AgreedTextRepository } from "../../../src/database/personal/agreed-text-repository.ts";
import { PERSONAL_SCHEMA } from "../../../src/database/personal/personal-schema.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { KeyRepository } from "../../../src/database/key-repository.ts";
import { type LocalEntry, LocalFileRepository } from "../../../src/database/local-file-repository.ts";
import { PendingChangeQueries, type PendingTarget } from "../../../src/database/pending-change-queries.ts";
import { TranslationRepository } from "../../../src/database/translation-repository.ts";
import { textFingerprint } from "../../../src/model/agreed-text.ts";

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
  database.sql("INSERT INTO local_names (hash, namespace, key) VALUES ('j', '*', 'm')").run();
  expect(await isCounted(() => queries.count(scope))).toBe(true);
  await new AgreedTextRepository({ database: personal, project: "" }).store([
    { locale: "nl", hash: "h", fingerprint: "1" },
  ]);
  expect(await isCounted(() => queries.count(scope))).toBe(true);
  expect(await isCounted(() => queries.count(scope))).toBe(false);
  for (const each of [database, host, personal]) each.close();
  rmSync(folder, { recursive: true });
});

const NO_FACTS = {
  locales: new Map(),
  namespaces: [],
  keyNamespaces: [],
  problems: [],
  texts: {},
  sourceNamespaces: [],
};
const NL: PendingTarget = { locale: "nl", namespaces: [], state: "complete" };

interface FileOfTexts {
  readonly locale: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly rank?: number;
  readonly dirty?: boolean;
  readonly isFuzzy?: true;
  /** With the source texts of each, as in a gettext file. */
  readonly sources?: Readonly<Record<string, string>>;
}

/** A project whose keys `NAMESPACE|KEY` are their own hashes, with texts on three sides. */
function threeSides() {
  const database = new Database();
  const personal = new Database(undefined, undefined, undefined, PERSONAL_SCHEMA);
  const agreed = new AgreedTextRepository({ database: personal, project: "" });
  const named = (hash: string) => {
    const [namespace = "", key = ""] = hash.split("|");
    return { hash, namespace, key, context: null };
  };
  let number = 0;
  return {
    personal,
    agreed,
    write: ({ locale, texts, rank = 0, dirty = false, isFuzzy, sources }: FileOfTexts): void => {
      const path = `${number++}.json`;
      const stamp = { size: 1, modified: 1 };
      const file = {
        path,
        rank,
        family: sources === undefined ? null : ("gettext" as const),
        keyPrefix: "",
        stamp,
        dirty,
        recent: false,
        readConditions: "",
      };
      const span = { start: 0, end: 1 };
      const entries = Object.entries(texts).map(([hash, value]): LocalEntry => {
        const { namespace, key, context } = named(hash);
        const source = sources?.[hash] === undefined ? null : { value: sources[hash] };
        const own = { key, context, namespace: null, locale: null, readOnly: null, source };
        const said = { text: { value }, description: null };
        const spans = { keySpan: span, valueSpan: span };
        const entry = { ...own, ...said, ...spans, ...(isFuzzy ? { isFuzzy } : {}) };
        return { name: { namespace, key, context }, hash, ...said, path, locale, entry };
      });
      new LocalFileRepository(database).putFile(file, NO_FACTS, entries);
    },
    serve: (texts: Readonly<Record<string, string | null>>): void => {
      const none = { isPlural: false, sourceHash: null, description: null, maxLength: null, tags: [] };
      new KeyRepository(database).put(
        Object.entries(texts).map(([hash, value]) => {
          return { ...named(hash), ...none, updatedAt: null, text: value === null ? null : { value } };
        }),
        1,
      );
    },
    translate: (locale: string, texts: Readonly<Record<string, string>>): void => {
      const state = { isTranslated: true, isOutdated: false, issues: [], version: 1, updatedAt: null };
      new TranslationRepository(database).put(
        locale,
        Object.entries(texts).map(([hash, value]) => ({ ...state, hash, text: { value } })),
        1,
      );
    },
    agree: (locale: string, texts: Readonly<Record<string, string>>): Promise<void> =>
      agreed.store(
        Object.entries(texts).map(([hash, value]) => {
          return { locale, hash, fingerprint: textFingerprint({ value }) };
        }),
      ),
    count: (
      targets: readonly PendingTarget[] = [NL],
      signal?: AbortSignal,
      covered: readonly string[] = [],
    ) =>
      new PendingChangeQueries(database, personal).count(
        {
          personal: { project: "", path: personal.path },
          sourceLocale: "en",
          covered,
          targets,
        },
        signal,
      ),
  };
}

const NOTHING = {
  created: 0,
  changed: 0,
  restored: 0,
  changedAtService: 0,
  toPull: 0,
  localOnly: {},
  changedInFiles: {},
  conflicts: 0,
};

test("counts source texts by the side that changed since both were equal", async () => {
  const { write, serve, agree, count } = threeSides();
  write({
    locale: "en",
    texts: { "*|same": "A", "*|mine": "B2", "*|theirs": "C", "*|both": "D2", "*|none": "E2" },
  });
  serve({ "*|same": "A", "*|mine": "B", "*|theirs": "C2", "*|both": "D3", "*|none": "E" });
  await agree("en", { "*|same": "A", "*|mine": "B", "*|theirs": "C", "*|both": "D" });
  // What was never agreed on is the file's.
  expect(await count()).toEqual({ ...NOTHING, changed: 2, changedAtService: 1, conflicts: 1 });
});

test("counts translations by the side that changed, and keys that were deleted in the files not at all", async () => {
  const { write, serve, translate, agree, count } = threeSides();
  const source = {
    "*|same": "A",
    "*|mine": "B",
    "*|theirs": "C",
    "*|both": "D",
    "*|new": "E",
    "*|empty": "F",
  };
  write({ locale: "en", texts: source });
  serve({ ...source, "*|deleted": "G", "*|unknown": "H" });
  write({
    locale: "nl",
    texts: { "*|same": "a", "*|mine": "b2", "*|theirs": "c", "*|both": "d2", "*|new": "e", "*|empty": "" },
  });
  translate("nl", {
    "*|same": "a",
    "*|mine": "b",
    "*|theirs": "c2",
    "*|both": "d3",
    "*|empty": "f",
    "*|deleted": "g",
    "*|unknown": "h",
  });
  const agreed = { "*|same": "a", "*|mine": "b", "*|theirs": "c", "*|both": "d" };
  await agree("nl", agreed);
  await agree("en", { "*|deleted": "G" });
  // Theirs, the empty one, and the key that no file ever had.
  const counted = {
    ...NOTHING,
    changedAtService: 1,
    toPull: 3,
    localOnly: { nl: 1 },
    changedInFiles: { nl: 1 },
  };
  expect(await count()).toEqual({ ...counted, conflicts: 1 });
  // A language whose translations are not read has none to compare with.
  expect(await count([{ ...NL, state: "untouched" }])).toMatchObject({ toPull: 0, localOnly: { nl: 5 } });
});

test("does not pull a key again that was deleted in the files of the source language, but not yet in all", async () => {
  const { write, serve, translate, agree, count } = threeSides();
  write({ locale: "en", texts: { "*|a": "A" } });
  write({ locale: "nl", texts: { "*|a": "a" } });
  write({ locale: "fr", texts: { "*|gone": "g", "*|new": "n" } });
  // Its empty text is none.
  write({ locale: "nl", texts: { "*|gone": "" } });
  serve({ "*|a": "A", "*|gone": "G", "*|new": "N", "*|dropped": "D" });
  translate("nl", { "*|a": "a", "*|gone": "g", "*|new": "n", "*|dropped": "d" });
  await agree("en", { "*|a": "A", "*|gone": "G" });
  // Nor a translation that was deleted in its file, of a key whose source text no file ever had.
  await agree("nl", { "*|dropped": "d" });
  expect(await count()).toMatchObject({ changedAtService: 2, toPull: 1 });
});

test("a text that is fuzzy, or the source text itself, is no translation; a key that only a file has is none of the service", async () => {
  const { write, serve, translate, agree, count } = threeSides();
  write({ locale: "en", texts: { "*|a": "A", "*|b": "B", "*|c": "C", "*|d": "D", "*|mine": "M" } });
  // The service has no source text of one, with which its translation could be compared.
  serve({ "*|a": "A", "*|b": "B", "*|c": "C", "*|d": "D", "*|none": null });
  write({ locale: "nl", texts: { "*|a": "A", "*|c": "c", "*|mine": "m", "*|none": "n" } });
  write({ locale: "nl", texts: { "*|b": "b", "*|d": "d2" }, isFuzzy: true });
  // Nor is it a change in the file.
  translate("nl", { "*|d": "d" });
  await agree("nl", { "*|d": "d" });
  expect(await count()).toEqual({ ...NOTHING, created: 1, localOnly: { nl: 2 } });
});

test("is pulled only into namespaces that a file of the language has, or a file of the source language", async () => {
  const { write, serve, translate, count } = threeSides();
  write({ locale: "en", texts: { "cart|a": "A", "mail|a": "B" } });
  write({ locale: "nl", texts: { "cart|a": "a" } });
  // A template is made by a program.
  write({ locale: "en", texts: { "pot|a": "P" }, rank: 1 });
  serve({ "cart|a": "A", "cart|b": "B", "mail|a": "B", "shop|a": "S", "pot|b": "P", "cart|none": null });
  translate("nl", { "cart|a": "a", "cart|b": "b", "mail|a": "m", "shop|a": "s" });
  expect(await count()).toMatchObject({ changedAtService: 1, toPull: 1 });
  expect(await count([{ ...NL, namespaces: ["mail"] }])).toMatchObject({ changedAtService: 1, toPull: 2 });
  expect(await count([{ ...NL, namespaces: ["shop", "mail", "none"] }])).toMatchObject({ toPull: 3 });
});

test("takes source texts from files of translations where there is none of the source language", async () => {
  const { write, serve, agree, agreed, count } = threeSides();
  const sources = { "*|mine": "M2", "*|same": "S", "*|twice": "T", "shop|new": "N", "shop|only": "" };
  write({ locale: "nl", texts: { "*|mine": "m", "shop|new": "n", "shop|only": "o" }, sources });
  write({ locale: "en", texts: { "*|twice": "T2" } });
  write({ locale: "fr", texts: { "*|same": "s", "*|twice": "t" }, sources, dirty: true });
  serve({ "*|mine": "M", "*|same": "S", "*|twice": "T2", "shop|only": "O" });
  await agree("en", { "*|mine": "M" });
  expect(await count([])).toMatchObject({ created: 1, changed: 1, changedAtService: 0 });
  // Nothing is known of an unsaved text, and the file of the source language counts first.
  expect([...agreed.of("en", ["*|mine", "*|same", "*|twice"]).keys()]).toEqual(["*|mine", "*|twice"]);
  expect(await count([], undefined, ["gettext:shop"])).toMatchObject({ created: 0, changed: 1 });
  expect(await count([], undefined, ["gettext:*"])).toMatchObject({ created: 1, changed: 0 });
});

test("stores what both sides have, except of unsaved texts, and counts as well where that cannot be written", async () => {
  const { write, serve, translate, agreed, personal, count } = threeSides();
  const print = (value: string): string => textFingerprint({ value });
  write({ locale: "en", texts: { "*|a": "A", "*|b": "B" } });
  write({ locale: "nl", texts: { "*|a": "a" } });
  serve({ "*|a": "A", "*|b": "B" });
  translate("nl", { "*|a": "a", "*|b": "b" });
  personal.sql("PRAGMA query_only = ON").run();
  expect(await count()).toMatchObject({ toPull: 1, changed: 0 });
  expect(agreed.get("en", "*|a")).toBeUndefined();
  personal.sql("PRAGMA query_only = OFF").run();
  write({ locale: "nl", texts: { "*|b": "b" }, dirty: true });
  expect(await count()).toMatchObject({ toPull: 0, changed: 0 });
  expect(["en", "nl"].map((locale) => [...agreed.of(locale, ["*|a", "*|b"])])).toEqual([
    [
      ["*|a", print("A")],
      ["*|b", print("B")],
    ],
    [["*|a", print("a")]],
  ]);
});

test("stores what both sides have now in place of what they had", async () => {
  const { write, serve, agree, agreed, count } = threeSides();
  await agree("en", { "*|a": "A" });
  write({ locale: "en", texts: { "*|a": "A2" } });
  serve({ "*|a": "A2" });
  await count();
  expect(agreed.get("en", "*|a")).toBe(textFingerprint({ value: "A2" }));
});

test("is ended by its signal, and counts anew with another personal database", async () => {
  const { write, serve, count } = threeSides();
  write({ locale: "en", texts: { "*|a": "A" } });
  serve({ "*|a": "B" });
  await expect(count([NL], AbortSignal.abort(new Error("closed")))).rejects.toThrow("closed");
  expect(await count()).toMatchObject({ changed: 1 });
});
