/** What is stored of translation files, and what is said of those that cannot be read. */
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { KeyRepository } from "../../../../src/database/key-repository.ts";
import { LocalFileRepository } from "../../../../src/database/local-file-repository.ts";
import { MAX_FILE_BYTES } from "../../../../src/formats/parse-and-edit-file.ts";
import { createLocaleMap } from "../../../../src/model/locales.ts";
import {
  type FileToRead,
  LocalFileIndexer,
} from "../../../../src/workspace/local-files/local-file-indexer.ts";
import { locateFile } from "../../../../src/workspace/local-files/local-file.ts";
import type { EntryBatch } from "../../../../src/workspace/local-files/parse-large-files-in-indexer.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { hashOf, nameOf, NO_DETAILS } from "./local-project.ts";

const JSON_FILES: FilesEntry = { path: "{locale}.json", format: "json_js" };
const SERVICE: Parameters<typeof createLocaleMap> = [{}, ["en", "nl", "pt-BR"], ["en", "nl", "pt_BR"]];

let database: Database;
let indexer: LocalFileIndexer;

beforeEach(() => {
  database = new Database();
  indexer = new LocalFileIndexer(database);
  onTestFinished(() => database.close());
});

let modified = 0;

function file(entry: FilesEntry, path: string, text: string | Uint8Array): FileToRead {
  const location = locateFile(path, [entry], createLocaleMap(...SERVICE).toService, "en");
  if (location === null || location === "no_locale") throw new Error(`${path} has no place in the layout`);
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return {
    location,
    content: { bytes, stamp: { size: bytes.length, modified: ++modified }, dirty: false },
    options: { locale: location.locale, sourceLocale: "en", location },
    readConditions: "",
    locales: SERVICE,
  };
}

/** The number of rows, also of what was replaced. */
const rows = (table: "local_files" | "local_entries"): number =>
  database.number(`SELECT count(*) FROM ${table}`);

describe("a problem of a file", () => {
  const JED = '{"domain":"messages","locale_data":{"messages":{"":{"lang":"nl"},"Hello":["Hallo"]}}}';
  const CSV: FilesEntry = { path: "texts.csv", format: "csv" };

  test.each<[string, FilesEntry, string, string | Uint8Array, readonly object[]]>([
    [
      "says that its format is not supported",
      { path: "{locale}.strings", format: "apple_strings" as never },
      "nl.strings",
      '"a" = "b";',
      [{ code: "unsupported", message: "the format apple_strings is not supported", line: null, name: null }],
    ],
    [
      "says that it is too large",
      JSON_FILES,
      "nl.json",
      new Uint8Array(MAX_FILE_BYTES + 1),
      [{ code: "too_large", message: "over 52428800 bytes", line: null, span: null }],
    ],
    [
      "says where it is not valid in its encoding",
      JSON_FILES,
      "nl.json",
      Uint8Array.from([...new TextEncoder().encode('{\n  "a": "'), 0xff]),
      [{ code: "encoding", message: "not valid in its encoding", line: 2, column: 9, span: null }],
    ],
    [
      "names its format and the expected one",
      JSON_FILES,
      "nl.json",
      JED,
      [{ code: "format", message: "is wordpress_jed, not json_js", format: "wordpress_jed" }],
    ],
    [
      "names its format where it has texts and what is none",
      { path: "lang/{locale}.json", format: "laravel_json" },
      "lang/nl.json",
      '{ "a": "A", "b": 5, "c": { "d": "D" } }',
      [{ code: "format", message: "is json_js, not laravel_json", format: "json_js" }],
    ],
    [
      "names the key with its namespace and prefix",
      { path: "{locale}/{namespace}.json", format: "json_js", keyPrefix: "{namespace}." },
      "nl/cart.json",
      '{\n  "a": "A", "n": 5\n}',
      [
        {
          code: "type",
          line: 2,
          column: 18,
          span: { start: 19, end: 20 },
          name: { namespace: "cart", key: "cart.n", context: null },
        },
      ],
    ],
    [
      "is said beside a language that the service has not, at the name of its first key",
      CSV,
      "texts.csv",
      "key,en,fr\na,A,Ah\na,A,Ah\nb,B,Bé\n",
      [
        { code: "duplicate", line: 2 },
        { code: "locale", message: "the service has no locale fr", span: { start: 17, end: 18 } },
      ],
    ],
  ])("%s", async (_, entry, path, text, expected) => {
    const [stored] = await indexer.readFiles([file(entry, path, text)]);
    expect(stored?.problems).toMatchObject(expected.map((problem) => ({ path, ...problem })));
    expect(stored?.problems).toHaveLength(expected.length);
    expect(new LocalFileRepository(database).fileAt(path)?.problems).toEqual(stored?.problems);
  });
});

test.each([
  ["on disk", 0, MAX_FILE_BYTES + 1, ["too_large"]],
  ["in an editor", MAX_FILE_BYTES + 1, -1, ["too_large"]],
  ["of the largest size", 0, MAX_FILE_BYTES, ["syntax"]],
])("a file that is too large %s is not parsed", async (_, length, size, codes) => {
  const large = file(JSON_FILES, "nl.json", new Uint8Array(length));
  const content = { ...large.content, stamp: { size, modified: 1 } };
  const [stored] = await indexer.readFiles([{ ...large, content }]);
  expect(stored?.problems.map(({ code }) => code)).toEqual(codes);
});

test("a file that is not parsed is stored with its problem, its language and no texts", async () => {
  await indexer.readFiles([file(JSON_FILES, "pt_BR.json", '{ "a": "A" }')]);
  const broken = file(JSON_FILES, "pt_BR.json", "");
  const stored = await indexer.storeUnparsed(broken, { code: "syntax", message: "too deep" });
  expect(stored).toMatchObject({
    path: "pt_BR.json",
    count: 0,
    locales: new Map([["pt-BR", null]]),
    problems: [
      { path: "pt_BR.json", code: "syntax", message: "too deep", span: null, line: null, name: null },
    ],
  });
  const repository = new LocalFileRepository(database);
  expect([...repository.entriesIn("pt-BR")]).toEqual([]);
  expect(repository.fileAt("pt_BR.json")).toEqual(stored);
});

test("what files say of themselves is their texts by language, and the namespaces of keys and source texts", async () => {
  const xliff = (original: string, units: string): string =>
    `<file original="${original}" source-language="en" target-language="nl"><body>${units}</body></file>`;
  const unit = (id: string, source: string, target: string): string =>
    `<trans-unit id="${id}"><source>${source}</source><target>${target}</target></trans-unit>`;
  const texts = `<xliff version="1.2">${xliff("shop", unit("a", "A", "Aa") + unit("b", "B", ""))}${xliff("menu", unit("c", "", "Cé"))}</xliff>`;
  const read = await indexer.readFiles([
    file({ path: "{locale}.xlf", format: "xliff12" }, "nl.xlf", texts),
    file({ path: "{locale}.po", format: "po", namespace: "empty" }, "en.po", 'msgid ""\nmsgstr ""\n'),
    file(
      { path: "texts.csv", format: "csv" },
      "texts.csv",
      "namespace,key,en,fr,pt_BR\nshop,a,A,Un,Ah\nshop,b,B,Deux,\n",
    ),
    file(JSON_FILES, "nl.json", "{}"),
  ]);
  expect(
    read.map(({ path, family, locales, texts, keyNamespaces, sourceNamespaces, count }) => {
      return [path, family, [...locales], texts, keyNamespaces, sourceNamespaces, count];
    }),
  ).toEqual([
    ["nl.xlf", "xliff", [["nl", null]], { nl: 2 }, ["*", "shop", "menu"], ["shop"], 3],
    ["en.po", "gettext", [["en", null]], {}, ["empty"], [], 0],
    [
      "texts.csv",
      null,
      [
        ["en", "en"],
        ["pt-BR", "pt_BR"],
      ],
      { en: 2, "pt-BR": 1 },
      [],
      [],
      4,
    ],
    ["nl.json", null, [["nl", null]], {}, [], [], 0],
  ]);
});

describe("files are stored", () => {
  const many = (count: number, start = 0): string =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${start + index}`, "x"])),
    );

  test("in transactions of some thousand texts, and each once", async () => {
    const transaction = database.transaction.bind(database);
    const counts: number[] = [];
    let depth = 0;
    database.transaction = (work) => {
      const before = rows("local_entries");
      depth++;
      try {
        return transaction(work);
      } finally {
        const count = rows("local_entries") - before;
        if (--depth === 0 && count > 0) counts.push(count);
      }
    };
    const sizes = [3_000, 1_000, 1, 5_000];
    const paths = ["en.json", "nl.json", "pt_BR.json", "pt-BR.json"];
    const read = await indexer.readFiles(
      sizes.map((size, index) => file(JSON_FILES, paths[index] ?? "", many(size))),
    );
    expect(read.map(({ count }) => count)).toEqual(sizes);
    expect(counts).toEqual([4_000, 4_000, 1_000, 1]);
    expect([rows("local_files"), rows("local_entries")]).toEqual([4, 9_001]);
    const repository = new LocalFileRepository(database);
    expect(paths.map((path) => repository.fileAt(path)?.count)).toEqual(sizes);
    expect([...repository.entriesOf("pt-BR.json")].map(({ name }) => name.key).at(-1)).toBe("k4999");
  });

  test("only while nobody has stopped the reading", async () => {
    let checks = 0;
    // Once the file was parsed.
    const throwIfAborted = (): void => {
      if (++checks > 1) throw new Error("enough");
    };
    const signal = { throwIfAborted } as AbortSignal;
    await expect(indexer.readFiles([file(JSON_FILES, "nl.json", "{}")], signal)).rejects.toThrow("enough");
    expect(rows("local_files")).toBe(0);
  });

  test("until they are removed, several at once", async () => {
    const paths = ["en.json", "nl.json", "pt_BR.json"];
    await indexer.readFiles(paths.map((path) => file(JSON_FILES, path, '{ "a": "A" }')));
    await indexer.removeFiles(paths.slice(1));
    const repository = new LocalFileRepository(database);
    expect(paths.map((path) => repository.hasFile(path))).toEqual([true, false, false]);
    expect(rows("local_files")).toBe(3);
    await indexer.removeReplaced();
    expect([rows("local_files"), rows("local_entries")]).toEqual([1, 1]);
  });
});

test("a key that is in several files of a language is said of each later one, in the languages asked for", async () => {
  const layout: FilesEntry[] = ["a", "b", "c"].map((name) => ({
    ...JSON_FILES,
    path: `${name}/{locale}.json`,
  }));
  const [a, b, c] = layout as [FilesEntry, FilesEntry, FilesEntry];
  await indexer.readFiles([
    file(a, "a/en.json", '{ "k": "1", "own": "1" }'),
    file(b, "b/en.json", '{ "k": "2" }'),
    file(c, "c/en.json", '{ "other": "3", "k": "3" }'),
    file(a, "a/nl.json", '{ "k": "1" }'),
    file(b, "b/nl.json", '{ "k": "2" }'),
  ]);
  const problem = (path: string, start: number) => ({
    path,
    code: "elsewhere",
    message: `the key is also in a/${path.slice(2)}`,
    line: null,
    column: null,
    span: { start, end: start + 1 },
    name: nameOf("k"),
  });
  expect(await indexer.findDuplicates(["en"])).toEqual([problem("b/en.json", 3), problem("c/en.json", 17)]);
  expect(await indexer.findDuplicates(["nl", "en"])).toHaveLength(3);
  expect(await indexer.findDuplicates(["nl"])).toEqual([problem("b/nl.json", 3)]);
  await expect(indexer.findDuplicates(["en"], AbortSignal.abort(new Error("enough")))).rejects.toThrow(
    "enough",
  );
});

test("a catalogue and its template have the same keys, two catalogues of a language have not", async () => {
  const po: FilesEntry = { path: "{namespace}/{locale}.po", format: "po", namespace: "shop" };
  const text = 'msgid "Save"\nmsgstr "Bewaar"\n';
  await indexer.readFiles([
    file({ path: "shop.pot", format: "pot", namespace: "shop" }, "shop.pot", 'msgid "Save"\nmsgstr ""\n'),
    file(po, "a/en.po", text),
    file(po, "a/nl.po", text),
    file(po, "b/nl.po", text),
  ]);
  const found = await indexer.findDuplicates(["en", "nl"]);
  expect(found.map(({ path, message }) => [path, message])).toEqual([
    ["b/nl.po", "the key is also in a/nl.po"],
  ]);
});

test("the entries of a file are handed over in parts", async () => {
  const texts = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`k${index}`, "x"]));
  const bytes = new TextEncoder().encode(JSON.stringify({ ...texts, n: 5 }));
  const batches: EntryBatch[] = [];
  const options = { locale: "nl", sourceLocale: "en" };
  const rest = await indexer.parse("json_js", bytes, options, (batch) => void batches.push(batch));
  expect(batches.map(({ start, entries }) => [start, entries.length, entries[0]?.key])).toEqual([
    [0, 500, "k0"],
    [500, 500, "k500"],
    [1_000, 1, "k1000"],
  ]);
  expect(rest).toMatchObject({ problems: [{ code: "type", key: "n" }] });
  expect(rest).not.toHaveProperty("entries");
  const binary = Uint8Array.from([0xff]);
  expect(await indexer.parse("json_js", binary, options, () => expect.unreachable())).toMatchObject({
    refused: "encoding",
  });
});

describe("which keys are plural", () => {
  const PHP: FilesEntry = { path: "lang/{locale}/{namespace}.php", format: "laravel_php" };
  const XLIFF =
    '<xliff version="1.2"><file original="shop" source-language="en" target-language="nl"><body><trans-unit id="n"><source>y</source><target>x</target></trans-unit></body></file></xliff>';
  const know = (id: string, isPlural: boolean, context: string | null = null): void => {
    const name = { ...nameOf(id), context };
    new KeyRepository(database).put([{ ...NO_DETAILS, ...name, hash: hashOf(name), isPlural }], 1);
  };
  const textsIn = (locale: string): Record<string, unknown> =>
    Object.fromEntries(
      [...new LocalFileRepository(database).entriesIn(locale)].map(({ name, text }) => [
        `${name.namespace}|${name.key}|${name.context ?? ""}`,
        text,
      ]),
    );

  test.each<
    [string, readonly [FilesEntry, string, string], readonly [FilesEntry, string, string], string, string]
  >([
    [
      "the namespace of their paths",
      [PHP, "lang/nl/a.php", "<?php return ['n' => 'x'];"],
      [PHP, "lang/nl/b.php", "<?php return ['n' => 'x'];"],
      "a|n",
      "b|n",
    ],
    [
      "their prefix",
      [{ path: "a/{locale}.json", format: "laravel_json", keyPrefix: "a." }, "a/nl.json", '{ "n": "x" }'],
      [{ path: "b/{locale}.json", format: "laravel_json", keyPrefix: "b." }, "b/nl.json", '{ "n": "x" }'],
      "a.n",
      "b.n",
    ],
    [
      "a namespace that one of them must not name itself",
      [{ path: "a/{locale}.xlf", format: "xliff12" }, "a/nl.xlf", XLIFF],
      [{ path: "b/{locale}.xlf", format: "xliff12", namespace: "*" }, "b/nl.xlf", XLIFF],
      "shop|n",
      "n",
    ],
  ])("depends on %s", async (_, one, other, plural, single) => {
    for (const [known, unknown] of [
      [plural, single],
      [single, plural],
    ] as const) {
      know(known, true);
      know(unknown, false);
      await new LocalFileIndexer(database).readFiles([file(...one), file(...other)]);
      const texts = textsIn("nl");
      const textOf = (id: string): unknown => {
        const { namespace, key } = nameOf(id);
        return texts[`${namespace}|${key}|`];
      };
      expect([textOf(known), textOf(unknown)]).toEqual([{ forms: { other: "x" } }, { value: "x" }]);
    }
  });

  test("depends on their context", async () => {
    const sheet: FilesEntry = { path: "a.csv", format: "csv" };
    const text = "key,context,nl,nl other\nn,menu,,\nn,,,\n";
    for (const context of ["menu", null]) {
      know("n", context === "menu", "menu");
      know("n", context === null);
      await new LocalFileIndexer(database).readFiles([file(sheet, "a.csv", text)]);
      const texts = textsIn("nl");
      expect([texts["*|n|menu"], texts["*|n|"]]).toEqual(
        context === "menu" ? [{ forms: {} }, { value: "" }] : [{ value: "" }, { forms: {} }],
      );
    }
  });

  test("is what a file shows that is none of the project", async () => {
    const bytes = new TextEncoder().encode('{ "n_one": "x", "n_other": "y" }');
    const options = { locale: "nl", sourceLocale: "en" };
    const read = await indexer.read("json_js", bytes, options);
    expect(read).toMatchObject({ entries: [{ key: "n", text: { forms: { one: "x", other: "y" } } }] });
  });

  test("counts for edits, too", async () => {
    know("apples", true);
    const { content, options } = file(JSON_FILES, "nl.json", '{ "b": "B", "apples_other": "appels" }');
    const change = { key: "apples", context: null, locale: null, text: null };
    const edited = await indexer.edit("json_js", content.bytes, [change], options);
    expect(edited).toMatchObject({ refused: [] });
    expect(new TextDecoder().decode("bytes" in edited ? edited.bytes : undefined)).toBe('{ "b": "B" }');
  });

  test("counts for new names, too", async () => {
    for (const key of ["apples", "pears"]) know(key, true);
    const { content, options } = file(JSON_FILES, "nl.json", '{ "apples_other": "appels" }');
    const read = await indexer.read("json_js", content.bytes, options);
    const entries = "entries" in read ? read.entries : [];
    expect(entries.map(({ key }) => key)).toEqual(["apples"]);
    const rename = { entries, newKey: "pears" };
    expect(await indexer.renameInPlace("json_js", content.bytes, [rename], options)).toEqual([
      { start: 3, end: 15, text: "pears_other" },
    ]);
  });
});
