/** Filters, search and order of the translation editor's keys, in a real database. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { KeyRepository } from "../../../src/database/key-repository.ts";
import type { ProjectKey, ProjectRow } from "../../../src/database/records.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { RejectedTranslationRepository } from "../../../src/database/personal/rejected-machine-translation-repository.ts";
import { SearchIndex } from "../../../src/database/update-search-index.ts";
import { TranslationDraftRepository } from "../../../src/database/personal/translation-draft-repository.ts";
import {
  DatabaseQueries,
  keysWithSourceText,
  TranslationEditorQueries,
  type RowQueryContext,
} from "../../../src/database/translation-editor-queries.ts";
import { LocalFileRepository } from "../../../src/database/local-file-repository.ts";
import { textFingerprint } from "../../../src/model/agreed-text.ts";
import { ALL_ROWS, type RowQuery } from "../../../src/model/translation-editor-filters.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import { TranslationRepository } from "../../../src/database/translation-repository.ts";

let database: Database;
let queries: TranslationEditorQueries;
let drafts: TranslationDraftRepository;
let refused: RejectedTranslationRepository;

const hash = (letter: string): string => letter.repeat(40);
const key = (letter: string, name: string, value: string, changes: Partial<ProjectKey> = {}): ProjectKey => ({
  hash: hash(letter),
  namespace: "cart",
  key: name,
  context: null,
  isPlural: false,
  text: { value },
  sourceHash: null,
  description: null,
  maxLength: null,
  tags: [],
  updatedAt: null,
  ...changes,
});
const row = (letter: string, value: string, changes: Partial<ProjectRow> = {}): ProjectRow => ({
  hash: hash(letter),
  text: { value },
  isTranslated: true,
  isOutdated: false,
  issues: [],
  version: 1,
  updatedAt: null,
  ...changes,
});
const context: RowQueryContext = {
  sourceLocale: "en",
  locales: ["en", "nl"],
  isServiceKnown: true,
  localSource: () => undefined,
  agreedSource: () => undefined,
  conflicts: () => [],
  unused: async () => [hash("a"), hash("c")],
};
const find = async (
  query: Partial<RowQuery> = {},
  changes: Partial<RowQueryContext> = {},
): Promise<string> => {
  const found = await queries.find({ ...ALL_ROWS, ...query }, { ...context, ...changes });
  return found.map((each) => each[0]).join("");
};

beforeEach(async () => {
  database = new Database();
  const personal = new PersonalData();
  drafts = new TranslationDraftRepository(personal, database);
  refused = new RejectedTranslationRepository(personal, database);
  queries = new TranslationEditorQueries(database, new DatabaseQueries(database), drafts, refused);
  const keys = [
    key("a", "title", "Your cart", { tags: ["head"] }),
    key("b", "empty", "It is empty", { updatedAt: "2026-01-02T00:00:00Z" }),
    key("c", "login", "Sign in", { namespace: "auth", updatedAt: "2026-01-01T00:00:00Z" }),
  ];
  new KeyRepository(database).put(keys, 1);
  const issue = {
    rule: "placeholder.missing",
    level: "error",
    placeholder: ":x",
    form: null,
    suggestion: null,
  };
  new TranslationRepository(database).put(
    "nl",
    [row("a", "Je mand", { isOutdated: true }), row("c", "Aanmelden", { issues: [issue] })],
    1,
  );
  await new SearchIndex(database).update();
});
afterEach(() => database.close());

it("orders keys by name, source text and last change", async () => {
  expect([await find(), await find({ sort: "source" }), await find({ sort: "changed" })]).toEqual([
    "cba",
    "bca",
    "bca",
  ]);
});

it.each([
  ["keys", "UPDATE key_counts SET keys = 5001"],
  ["texts", "UPDATE translation_counts SET rows = 20001"],
])("asks again after a query of a project with many %s has failed", async (_, grow) => {
  database.sql(grow).run();
  const own = new DatabaseQueries(database);
  let hasEnded = true;
  const hashes: DatabaseQueries["hashes"] = (...args) =>
    hasEnded ? Promise.reject(new Error("the process ended")) : own.hashes(...args);
  const elsewhere = { hashes, search: own.search.bind(own) };
  queries = new TranslationEditorQueries(database, elsewhere, drafts, refused);
  await expect(find()).rejects.toThrow("the process ended");
  hasEnded = false;
  expect(await find()).toBe("cba");
});

it("orders plural keys by their forms", async () => {
  const forms = { one: "z cart", other: "z carts" };
  new KeyRepository(database).put([key("p", "carts", "", { isPlural: true, text: { forms } })], 1);
  new KeyRepository(database).put([key("q", "above", "above")], 1);
  expect(await find({ sort: "source" })).toBe("qbcap");
});

it("filters by namespace and tag", async () => {
  expect([
    await find({ namespace: "auth" }),
    await find({ tag: "head" }),
    await find({ namespace: "auth", tag: "head" }),
    await find({ tag: "hea" }),
  ]).toEqual(["c", "a", "", ""]);
  expect([queries.namespaces(), queries.tags()]).toEqual([["auth", "cart"], ["head"]]);
});

it("finds issues of any level, which line breaks at the end are not among", async () => {
  const warning = { rule: "length", level: "warning", placeholder: null, form: null, suggestion: null };
  new TranslationRepository(database).put("nl", [row("a", "Je mand", { issues: [warning] })], 2);
  expect(await find({ filters: ["issues"] })).toBe("ca");
  new TranslationRepository(database).put("nl", [row("a", "Je mand")], 2);
  new TranslationRepository(database).put("nl", [row("b", "Leeg\n")], 2);
  expect(await find({ filters: ["issues"] })).toBe("c");
});

it("combines filters with OR over the visible languages", async () => {
  expect(await find({ filters: ["untranslated"] })).toBe("b");
  expect(await find({ filters: ["outdated"] })).toBe("a");
  expect(await find({ filters: ["issues"] })).toBe("c");
  expect(await find({ filters: ["untranslated", "issues"] })).toBe("cb");
  expect(await find({ filters: ["outdated"] }, { locales: ["en"] })).toBe("");
  const locales = ["en", "nl", "fr"];
  expect(await find({ filters: ["outdated"] }, { locales: locales.toReversed() })).toBe("a");
  expect(await find({ filters: ["untranslated"] }, { locales })).toBe("cba");
  expect(await find({ filters: ["unused"] })).toBe("ca");
  expect(await find({ filters: ["unused", "unsaved"] })).toBe("ca");
});

it("finds refused machine translations", async () => {
  expect(await find({ filters: ["refused"] })).toBe("");
  const refusal = { locale: "nl", hash: hash("c"), reason: "Too long.", source: { value: "Sign in" } };
  refused.put({ ...refusal, version: 1 });
  expect(await find({ filters: ["refused"] })).toBe("c");
  expect(await find({ filters: ["refused", "outdated"] })).toBe("ca");
  refused.remove(refusal);
  expect(await find({ filters: ["refused"] })).toBe("");
});

it("counts drafts as translated", async () => {
  const draft = {
    locale: "nl",
    hash: hash("b"),
    base: null,
    baseVersion: null,
    origin: "person",
    model: null,
    source: null,
  } as const;
  drafts.put([{ ...draft, text: { value: "Niets in de mand" } }]);
  expect(await find({ filters: ["untranslated"] })).toBe("");
  // One of another language is none of this one.
  expect(await find({ filters: ["untranslated"] }, { locales: ["en", "fr"] })).toBe("cba");
  expect(await find({ filters: ["unsaved"] })).toBe("b");
  expect(await find({ filters: ["conflicts"] }, { conflicts: () => [hash("b")] })).toBe("b");
  expect(await find({ search: "niets" })).toBe("b");
  expect([await find({ search: "mand niets" }), await find({ search: "niets kar" })]).toEqual(["b", ""]);
  expect(await find({ search: "value" })).toBe("");
  for (const text of [{ value: "" }, { forms: {} }, { forms: { one: "", other: "" } }]) {
    drafts.put([{ ...draft, text }]);
    expect(await find({ filters: ["untranslated"] })).toBe("b");
  }
  for (const text of [{ value: '"' }, { value: ":" }, { forms: { one: "", other: "x" } }]) {
    drafts.put([{ ...draft, text }]);
    expect(await find({ filters: ["untranslated"] })).toBe("");
  }
});

it("reflects later writes", async () => {
  const nl = new TranslationRepository(database);
  expect([await find(), await find({ filters: ["untranslated"] }), queries.tags()]).toEqual([
    "cba",
    "b",
    ["head"],
  ]);
  nl.put("nl", [row("b", "Leeg"), row("c", "", { text: null, isTranslated: false })], 2);
  expect([await find(), await find({ filters: ["untranslated"] })]).toEqual(["cba", "c"]);
  new KeyRepository(database).put([key("e", "total", "Total", { tags: ["sum", "head"] })], 2);
  expect([await find(), await find({ filters: ["untranslated"] })]).toEqual(["cbae", "ce"]);
  expect(queries.tags()).toEqual(["head", "sum"]);
});

it("finds names, source texts and translations, also with a filter", async () => {
  expect(await find({ search: "mand" })).toBe("a");
  expect(await find({ search: "EMPTY" })).toBe("b");
  expect(await find({ search: "auth.login" })).toBe("c");
  expect(await find({ search: "mand", filters: ["issues"] })).toBe("");
});

it("finds a key by words of its name and of a translation together, in any order", async () => {
  for (const search of ["cart.title mand", "mand cart.title", "car man", "cart a mand"])
    expect([search, await find({ search })]).toEqual([search, "a"]);
  for (const search of ["cart.empty mand", "auth mand", "cart.title mand nothing"])
    expect([search, await find({ search })]).toEqual([search, ""]);
});

describe("texts of local files", () => {
  beforeEach(() => {
    for (const [locale, texts] of [
      ["en", { a: "Your trolley", d: "Only here" }],
      // A key without a source text is in no row.
      ["nl", { a: "Je kar", d: 'Zegt "hier"', e: "Zonder bron" }],
      ["fr", { d: "" }],
      ["pl", { d: { forms: { one: "", few: "", other: "" } } }],
    ] as const)
      write(locale, texts);
  });

  it("are shown for the source language, and for all without a service", async () => {
    expect([await find({ search: "trolley" }), await find({ search: "ONLY cart.d" })]).toEqual(["a", "d"]);
    expect([await find({ search: "kar" }), await find({ search: "kar" }, { isServiceKnown: false })]).toEqual(
      ["", "a"],
    );
    expect(await find({ search: "cart.d" })).toBe("d");
    expect(await find({ search: "trolley kar" }, { isServiceKnown: false })).toBe("");
  });

  it("are in the order of the others, as long as a file has them", async () => {
    expect([await find(), await find({ sort: "source" })]).toEqual(["cdba", "bdca"]);
    expect([await find({ namespace: "cart" }), await find({ tag: "head" })]).toEqual(["dba", "a"]);
    // By the text of this language, also where others come first.
    expect(await find({ sort: "source" }, { sourceLocale: "nl" })).toBe("bcade");
    new LocalFileRepository(database).removeFile("en.json");
    expect([await find(), await find({ search: "only here" })]).toEqual(["cba", ""]);
  });

  it("are in their namespaces, each of which is listed once, also if only files have it", async () => {
    expect(queries.namespaces()).toEqual(["auth", "cart"]);
    write("en", { f: "Footer", g: "Greeting" }, { namespaces: { f: "*", g: "mail" } });
    expect(queries.namespaces()).toEqual(["*", "auth", "cart", "mail"]);
    expect([await find({ namespace: "mail" }), await find({ namespace: "*" })]).toEqual(["g", "f"]);
    // The names of keys without a namespace begin with no dot.
    expect([
      await find({ search: "mail.g" }),
      await find({ search: "*.f" }),
      await find({ search: ".f" }),
    ]).toEqual(["g", "", ""]);
  });

  it("are source texts, too, where files of translations have them", async () => {
    write("es", { c: "Entrar" }, { sources: { c: "Log in" } });
    const localSource = (of: string): Text | undefined =>
      of === hash("c") ? { value: "Log in" } : undefined;
    expect(await find({ filters: ["notPushed"] }, { localSource })).toBe("c");
    expect([await find({ search: "log in" }), await find({ search: "entrar" })]).toEqual(["c", ""]);
    write("es", { h: "Ayuda" }, { sources: { h: "Help" } });
    expect(await find()).toBe("cdbha");
  });

  it("of a file of several languages are each of their own", async () => {
    write("fr", { b: "Vide" }, { locales: ["fr", "es"] });
    const inFiles = { isServiceKnown: false };
    const untranslated = (locale: string): Promise<string> =>
      find({ filters: ["untranslated"] }, { locales: ["en", locale], ...inFiles });
    expect([await untranslated("fr"), await untranslated("es")]).toEqual(["cda", "cdba"]);
  });

  it("are found by the whole source text, in files and at the service", async () => {
    const withText = (value: string): Promise<readonly string[]> =>
      keysWithSourceText({ database, queries: new DatabaseQueries(database) }, { value }, "en");
    expect(await withText("Only here")).toEqual([hash("d")]);
    expect(await withText("Your cart")).toEqual([hash("a")]);
    expect(await withText("Your trolley")).toEqual([hash("a")]);
    expect([await withText("Only"), await withText("Je kar")]).toEqual([[], []]);
    write("en", { a: "Your cart" });
    expect([await withText("Your cart"), await withText("Only here")]).toEqual([[hash("a")], []]);
  });

  it("are found with some words in the name, and by special characters", async () => {
    expect(await find({ search: "cart.a trolley" })).toBe("a");
    expect(await find({ search: "cart.b trolley" })).toBe("");
    expect([await find({ search: "tro_ley" }), await find({ search: "tro%ey" })]).toEqual(["", ""]);
    write("en", { a: "Your 50%_\\trolley" });
    expect([await find({ search: "50%_" }), await find({ search: "5%_" })]).toEqual(["a", ""]);
    expect([await find({ search: "_\\tro" }), await find({ search: "\\%_" })]).toEqual(["a", ""]);
    expect(await find({ search: "trolley".padEnd(60_000, "x") })).toBe("");
  });

  it("are found by their words, not by how they are stored", async () => {
    const inFiles = { isServiceKnown: false };
    expect(await find({ search: "value" }, inFiles)).toBe("");
    expect(await find({ search: "forms few" }, inFiles)).toBe("");
    expect(await find({ search: '"' }, inFiles)).toBe("d");
    expect(await find({ search: '"hier"' }, inFiles)).toBe("d");
    write("pl", { d: { forms: { one: "rzecz", few: "rzeczy", other: "\\n" } } });
    expect([await find({ search: "rzeczy" }, inFiles), await find({ search: "\\n" }, inFiles)]).toEqual([
      "d",
      "d",
    ]);
  });

  it("are not pushed if the service has another source text or none", async () => {
    const local = new Map<string, Text>([
      [hash("a"), { value: "Your trolley" }],
      [hash("d"), { value: "Only here" }],
    ]);
    const localSource = (of: string): Text | undefined => local.get(of);
    expect(await find({ filters: ["notPushed"] }, { localSource })).toBe("da");
    expect(await find({ filters: ["notPushed"] }, { localSource, isServiceKnown: false })).toBe("");
    const withAgreed = (value: string): Promise<string> =>
      find(
        { filters: ["notPushed"] },
        { localSource, agreedSource: (of) => (of === hash("a") ? textFingerprint({ value }) : undefined) },
      );
    // As the service has it; as the file has it, so that the service changed it; another one, so that both did.
    expect([
      await withAgreed("Your cart"),
      await withAgreed("Your trolley"),
      await withAgreed("Bag"),
    ]).toEqual(["da", "d", "d"]);
    database.write("INSERT INTO archived_keys (hash) VALUES (?)", hash("d"));
    expect(await find({ filters: ["notPushed"] }, { localSource })).toBe("a");
    database.write("DELETE FROM archived_keys");
    local.set(hash("a"), { value: "Your cart" });
    local.set(hash("d"), { value: "" });
    expect(await find({ filters: ["notPushed"] }, { localSource })).toBe("");
    local.delete(hash("d"));
    expect(await find({ filters: ["notPushed"] }, { localSource })).toBe("");
  });

  it("are untranslated if no file has one", async () => {
    const inFiles = { isServiceKnown: false };
    expect(await find({ filters: ["untranslated"] }, { locales: ["en", "nl"], ...inFiles })).toBe("cb");
    expect(await find({ filters: ["untranslated"] }, { locales: ["en", "fr"], ...inFiles })).toBe("cdba");
    expect(await find({ filters: ["untranslated"] }, { locales: ["en", "pl"], ...inFiles })).toBe("cdba");
    expect(await find({ filters: ["untranslated"] }, { locales: ["en", "nl"] })).toBe("b");
    new LocalFileRepository(database).removeFile("nl.json");
    expect(await find({ filters: ["untranslated"] }, { locales: ["en", "nl"], ...inFiles })).toBe("cdba");
  });

  function write(
    locale: string,
    texts: Readonly<Record<string, string | Text>>,
    more: {
      readonly sources?: Readonly<Record<string, string>>;
      readonly locales?: readonly string[];
      readonly namespaces?: Readonly<Record<string, string>>;
    } = {},
  ): void {
    const { sources, locales = [locale], namespaces = {} } = more;
    const files = new LocalFileRepository(database);
    const file = {
      path: `${locale}.json`,
      rank: 0,
      family: sources === undefined ? null : ("gettext" as const),
      keyPrefix: "",
      stamp: { size: 1, modified: 1 },
      dirty: false,
      recent: false,
      readConditions: "",
    };
    const entries = Object.entries(texts).map(([letter, said]) => ({
      name: { namespace: namespaces[letter] ?? "cart", key: letter, context: null },
      hash: hash(letter),
      text: typeof said === "string" ? { value: said } : said,
      description: null,
      path: `${locale}.json`,
      locale,
      entry: {
        key: letter,
        context: null,
        namespace: null,
        locale: null,
        text: typeof said === "string" ? { value: said } : said,
        source: sources?.[letter] === undefined ? null : { value: sources[letter] },
        description: null,
        keySpan: { start: 0, end: 1 },
        valueSpan: { start: 1, end: 2 },
        readOnly: null,
      },
    }));
    const facts = {
      locales: new Map(locales.map((each) => [each, null])),
      namespaces: [],
      keyNamespaces: [],
      problems: [],
      texts: {},
      sourceNamespaces: [],
    };
    const id = files.beginFile(file);
    files.addEntries(id, 0, entries);
    files.completeFile(id, file, facts, entries.length);
  }
});
