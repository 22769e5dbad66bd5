/** Merging exported files into local ones, and messages about files that cannot be changed. */
import { describe, expect, test } from "vitest";
import { Project } from "../../../../src/database/project-state.ts";
import { textFingerprint } from "../../../../src/model/agreed-text.ts";
import type { FormatName } from "../../../../src/model/file-formats.ts";
import {
  DEFAULT_SELECTION,
  type MergeDependencies,
  type PullSelection,
} from "../../../../src/sync/pull/compare-with-export.ts";
import { mergeExport, type MergeResult, newFile } from "../../../../src/sync/pull/merge-export-into-file.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { hashOf, nameOf, createLocalProject } from "../../workspace/local-files/local-project.ts";

const JSON_FILES: FilesEntry = { path: "{locale}.json", format: "json_js" };
const PO_FILES: FilesEntry = { path: "{locale}.po", format: "po" };

interface Case {
  readonly ours?: string;
  readonly theirs: string;
  readonly wantsBytes?: boolean;
  readonly isQuiet?: boolean;
  /** Keys whose texts were once equal on both sides. */
  readonly agreed?: readonly string[];
  /** Keys that the files call otherwise by now; and those that are pulled alone. */
  readonly renamed?: readonly string[];
  readonly only?: readonly string[];
  /** Keys whose translations are outdated at the service. */
  readonly outdated?: readonly string[];
  readonly entry?: FilesEntry;
  readonly format?: FormatName | null;
  /** Of the file, where no entry is for it. */
  readonly path?: string;
}

async function open(given: Case): Promise<{ dependencies: MergeDependencies; path: string }> {
  const { entry = JSON_FILES } = given;
  const fixture = createLocalProject(
    { [entry.path.replace("{locale}", "en")]: "" },
    { files: [entry], serviceLocales: ["en", "nl"] },
  );
  const project = new Project("id", "label", fixture.database);
  const hashes = (names: readonly string[] = []): string[] => names.map((id) => hashOf(nameOf(id)));
  project.translations.put(
    "nl",
    hashes(given.outdated).map((hash) => ({
      hash,
      text: { value: "x" },
      isTranslated: true,
      isOutdated: true,
      issues: [],
      version: 1,
      updatedAt: null,
    })),
    1,
  );
  project.showLanguage("nl");
  await project.agreedTexts.store(
    hashes(given.agreed).map((hash) => ({ locale: "nl", hash, fingerprint: "before" })),
  );
  await fixture.local.load();
  return {
    path: given.path ?? entry.path.replace("{locale}", "nl"),
    dependencies: {
      local: fixture.local,
      files: fixture.files,
      project,
      wantsBytes: given.wantsBytes ?? false,
      isQuiet: given.isQuiet ?? false,
      ...(given.renamed === undefined ? {} : { renamed: new Set(hashes(given.renamed)) }),
      ...(given.only === undefined ? {} : { only: new Set(hashes(given.only)) }),
      toService: (locale) => locale,
      toFile: (locale) => locale,
    },
  };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const placed = (path: string, { entry = JSON_FILES, format = entry.format }: Case) => {
  return { path, format, locale: "nl", isInLayout: true };
};

const SHEETS: FilesEntry = { path: "texts.csv", format: "csv" };

/** The merged text, and what is told of it. */
async function merged(given: Case): Promise<unknown> {
  const { dependencies, path } = await open(given);
  const ours = bytes(given.ours ?? "");
  const result = await mergeExport(dependencies, placed(path, given), ours, bytes(given.theirs));
  if (result.bytes === null) return result.problems;
  const { texts, added, isUnparsed: unread, problems } = result;
  expect(problems).toEqual([]);
  const text = result.bytes === ours ? "ours" : new TextDecoder().decode(result.bytes);
  return [text === given.theirs ? "theirs" : text, texts, added, ...(unread === true ? ["unread"] : [])];
}

const OURS = '{ "a": "A",  "b": "B" }';
const po = (...entries: readonly string[]): string =>
  [`msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n`, ...entries].join("\n");
const message = (id: string, text: string, flag = ""): string => `${flag}msgid "${id}"\nmsgstr "${text}"\n`;
const FUZZY = "#, fuzzy\n";

describe("merging changed values", () => {
  test.each<[string, Case, unknown]>([
    ["one that changed", { ours: OURS, theirs: '{"a":"New","b":"B"}' }, ['{ "a": "New",  "b": "B" }', 1, 0]],
    [
      "one that is missing",
      { ours: '{ "a": "A" }', theirs: '{"a":"A","b":"B"}' },
      ['{ "a": "A", "b": "B" }', 1, 1],
    ],
    ["both", { ours: '{ "a": "A" }', theirs: '{"a":"New","b":"B"}' }, ['{ "a": "New", "b": "B" }', 2, 1]],
    [
      "two of a format without plural forms in names, as the project file says, whatever the content looks like",
      {
        entry: { path: "{locale}.json", format: "laravel_json" },
        ours: '{ "a_one": "1", "a_other": "n" }',
        theirs: '{"a_one":"One","a_other":"Many"}',
      },
      ['{ "a_one": "One", "a_other": "Many" }', 2, 0],
    ],
    [
      "none where all are the same, whatever the layout",
      { ours: OURS, theirs: '{"b":"B","a":"A"}' },
      ["ours", 0, 0],
    ],
    ["none where the bytes are the same", { ours: "{ broken", theirs: "{ broken" }, ["ours", 0, 0]],
    [
      "none where they are the same in a file of no format",
      { ours: OURS, theirs: OURS, path: "a.bin", format: null },
      ["ours", 0, 0],
    ],
    [
      "one beside a key that the file has twice",
      { ours: '{ "a": "A", "a": "A",  "b": "B" }', theirs: '{"a":"A","b":"New"}' },
      ['{ "a": "A", "a": "A",  "b": "New" }', 1, 0],
    ],
    [
      "one of an export that has a key twice",
      { ours: OURS, theirs: '{"a":"A","a":"A","b":"New"}' },
      ['{ "a": "A",  "b": "New" }', 1, 0],
    ],
    ["none that the export lacks", { ours: OURS, theirs: '{"a":"A"}' }, ["ours", 0, 0]],
    ["none that is not translated there", { ours: OURS, theirs: '{"a":"","b":"B"}' }, ["ours", 0, 0]],
    [
      "an empty one where there is none here",
      { ours: '{ "a": "A" }', theirs: '{"a":"A","b":""}' },
      ['{ "a": "A", "b": "" }', 1, 1],
    ],
    [
      "none under its old name",
      { ours: OURS, theirs: '{"a":"A","b":"B","old":"C"}', renamed: ["old"] },
      ["ours", 0, 0],
    ],
    [
      "those that are pulled alone",
      { ours: OURS, theirs: '{"a":"New","b":"New"}', only: ["b"] },
      ['{ "a": "A",  "b": "New" }', 1, 0],
    ],
  ])("%s", async (_, given, expected) => {
    expect(await merged(given)).toEqual(expected);
  });
});

describe("replacing by the service's bytes", () => {
  test.each<[string, Case, unknown]>([
    ["they are taken where a text differs", { ours: OURS, theirs: '{"a":"New","b":"B"}' }, ["theirs", 1, 0]],
    ["where the export lacks a key", { ours: OURS, theirs: '{"a":"A"}' }, ["theirs", 1, 0]],
    ["where a text is not translated there", { ours: OURS, theirs: '{"a":"","b":"New"}' }, ["theirs", 2, 0]],
    ["and not where the layout alone differs", { ours: OURS, theirs: '{"a":"A","b":"B"}' }, ["ours", 0, 0]],
    ["nor where both are empty", { ours: '{ "a": "" }', theirs: '{"a":""}' }, ["ours", 0, 0]],
    [
      "nor where they would bring back an old name",
      { ours: OURS, theirs: '{"a":"New","b":"B","old":"C"}', renamed: ["old"] },
      ['{ "a": "New",  "b": "B" }', 1, 0],
    ],
    [
      "nor where keys are pulled alone",
      { ours: OURS, theirs: '{"a":"New","b":"New"}', only: ["a"] },
      ['{ "a": "New",  "b": "B" }', 1, 0],
    ],
    [
      "nor, without a prompt, where a text was never sent",
      { ours: OURS, theirs: '{"a":"New"}', isQuiet: true },
      ['{ "a": "New",  "b": "B" }', 1, 0],
    ],
    [
      "and without a prompt where an empty text was never sent",
      { ours: '{ "a": "A", "b": "" }', theirs: '{"a":"New"}', isQuiet: true },
      ["theirs", 2, 0],
    ],
    [
      "and without a prompt where only the service lost a text",
      { ours: OURS, theirs: '{"a":"A"}', isQuiet: true, agreed: ["b"] },
      ["theirs", 1, 0],
    ],
    [
      "they take the place of a file with a mistake",
      { ours: "{ broken", theirs: '{"a":"A","b":"B"}' },
      ["theirs", 2, 0, "unread"],
    ],
    [
      "and of one of another kind",
      { ours: OURS, theirs: '{"a":"A"}', path: "a.bin", format: null },
      ["theirs", 0, 0, "unread"],
    ],
  ])("%s", async (_, given, expected) => {
    expect(await merged({ ...given, wantsBytes: true })).toEqual(expected);
  });
});

describe("reporting unreadable files", () => {
  test.each<[string, Case, unknown]>([
    [
      "a mistake here, with its place",
      { ours: '{\n "a": }', theirs: '{"a":"A"}' },
      [{ kind: "unreadable", path: "nl.json", why: "syntax", line: 2, column: expect.any(Number) }],
    ],
    [
      "a mistake in the export",
      { ours: OURS, theirs: '{\n "a": }' },
      [{ kind: "unreadable", path: "nl.json", why: "theirs", line: 2, column: expect.any(Number) }],
    ],
    [
      "a mistake in the export, also where its bytes are wanted",
      { ours: OURS, theirs: '{\n "a": }', wantsBytes: true },
      [{ kind: "unreadable", path: "nl.json", why: "theirs", line: 2, column: expect.any(Number) }],
    ],
    [
      "a file of no format",
      { ours: OURS, theirs: '{"a":"A"}', path: "a.bin", format: null },
      [{ kind: "unreadable", path: "a.bin", why: "format", line: null, column: null }],
    ],
  ])("%s", async (_, given, expected) => {
    expect(await merged(given)).toEqual(expected);
  });
});

describe("fuzzy translations", () => {
  const waiting = po(message("a", "Aa", FUZZY));
  const checked = po(message("a", "Aa"));

  test.each<[string, Case, unknown]>([
    ["is checked once the service says so", { ours: waiting, theirs: checked }, ["theirs", 1, 0]],
    ["waits while it is outdated there", { ours: waiting, theirs: checked, outdated: ["a"] }, ["ours", 0, 0]],
    ["comes with its mark", { ours: po(message("a", "Old")), theirs: waiting }, ["theirs", 1, 0]],
    [
      "comes with its mark into a file that has not had it",
      { ours: checked, theirs: po(message("a", "Aa"), message("b", "Bb", FUZZY)) },
      ["theirs", 1, 1],
    ],
    ["is no change of one that was checked here", { ours: checked, theirs: `${waiting}\n` }, ["ours", 0, 0]],
  ])("%s", async (_, given, expected) => {
    expect(await merged({ ...given, entry: PO_FILES })).toEqual(expected);
  });
});

test.each([
  ["whose texts are merged", false],
  ["that would be the service's", true],
])(
  "a text that is taken alone changes nothing else of a file %s, not even marks and empty texts",
  async (_, wantsBytes) => {
    const given: Case = {
      entry: PO_FILES,
      wantsBytes,
      theirs: po(message("a", "Theirs"), message("b", "Bb"), message("c", "")),
    };
    const { dependencies, path } = await open(given);
    const { project } = dependencies;
    const hash = hashOf(nameOf("a"));
    await project.agreedTexts.store([
      { locale: "nl", hash, fingerprint: textFingerprint({ value: "Theirs" }) },
    ]);
    const file = (a: string): Uint8Array => bytes(po(message("a", a), message("b", "Bb", FUZZY)));
    const merge = (selection: PullSelection) =>
      mergeExport(dependencies, placed(path, given), file("Ours"), bytes(given.theirs), { selection });
    const { left } = (await merge(DEFAULT_SELECTION)) as MergeResult;
    expect(left.map(({ name, reason }) => [name.key, reason])).toEqual([["a", "file"]]);
    const taken = await merge({ byDefault: false, left: new Set(left.map(({ id }) => id)) });
    expect(taken).toMatchObject({ texts: 1, added: 0, left: [] });
    expect(taken.bytes).toEqual(file("Theirs"));
  },
);

describe("new files", () => {
  const made = async (given: Case): Promise<unknown> => {
    const { dependencies, path } = await open(given);
    const theirs = bytes(given.theirs);
    const { bytes: made, texts } = await newFile(dependencies, placed(path, given), theirs);
    return [made === theirs ? "theirs" : new TextDecoder().decode(made ?? undefined), texts];
  };

  test.each<[string, Case, unknown]>([
    ["is the service's", { theirs: '{"a":"A","b":"B"}' }, ["theirs", 2]],
    ["is without old names", { theirs: '{"a":"A","old":"B"}', renamed: ["old"] }, ['{"a":"A"}', 1]],
    ["is whole where no key has another name", { theirs: '{"a":"A"}', renamed: ["old"] }, ["theirs", 1]],
    [
      "has no texts that anybody knows where it is of no format",
      { theirs: '{"a":"A"}', path: "a.bin", format: null },
      ["theirs", 0],
    ],
  ])("%s", async (_, given, expected) => {
    expect(await made(given)).toEqual(expected);
  });
});

test.each<[string, string, readonly string[]]>([
  ["is the service's", '{"a":"A","b":""}', []],
  ["is without old names", '{"a":"A","b":"","old":"C"}', ["old"]],
])("of a new file that %s, only its texts are agreed", async (_, theirs, renamed) => {
  const given: Case = { theirs, renamed };
  const { dependencies, path } = await open(given);
  const made = await newFile(dependencies, placed(path, given), bytes(theirs));
  expect(made.agreed.map(({ hash }) => hash)).toEqual([hashOf(nameOf("a"))]);
  await dependencies.project.agreedTexts.store(made.agreed);
  // What is translated later is no conflict.
  const later = bytes('{"a":"A","b":"B"}');
  const result = await mergeExport(dependencies, placed(path, given), made.bytes ?? later, later);
  expect(result).toMatchObject({ texts: 1, left: [] });
});

test("a new entry has the description of its key", async () => {
  const described = message("c", "Cc", "#. In a menu\n");
  const given: Case = { entry: PO_FILES, theirs: po(message("a", "Aa"), message("b", "Bb"), described) };
  const { dependencies, path } = await open(given);
  const { keys, syncMetadata } = dependencies.project;
  const none = { isPlural: false, sourceHash: null, maxLength: null, tags: [], updatedAt: null };
  const key = (id: string) => {
    const text = { value: id };
    return { ...nameOf(id), ...none, hash: hashOf(nameOf(id)), text, description: "On a button" };
  };
  keys.put([key("b"), key("c")], syncMetadata.nextRevision());
  const ours = bytes(po(message("a", "Aa")));
  const result = await mergeExport(dependencies, placed(path, given), ours, bytes(given.theirs));
  const text = new TextDecoder().decode(result.bytes ?? undefined);
  expect(text).toContain(`#. On a button\nmsgid "b"`);
  // The export's own is newer than what is stored.
  expect(text).toContain(`#. In a menu\nmsgid "c"`);
});

describe("sheet of all languages", () => {
  /** The service says `nl` of what a sheet may call `NL`. */
  const mergedSheet = async (
    ours: string,
    theirs: string,
    entry = SHEETS,
    path = SHEETS.path,
  ): Promise<unknown> => {
    const { dependencies } = await open({ theirs, entry });
    const result = await mergeExport(
      {
        ...dependencies,
        toService: (locale) => (locale === "xx" ? null : locale.toLowerCase()),
        toFile: (locale) => (locale === "nl" ? "Nl" : locale),
      },
      { path, format: "csv", locale: null, isInLayout: true },
      bytes(ours),
      bytes(theirs),
    );
    if (result.bytes === null) return result.problems;
    return [new TextDecoder().decode(result.bytes), result.texts, result.added, result.problems];
  };

  test("keeps its own locale names and adds new ones by the project file's names", async () => {
    expect(await mergedSheet("key,en,NL\na,A,Aa\n", "key,en,nl\na,A,Nieuw\nb,B,Bb\n")).toEqual([
      "key,en,NL\na,A,Nieuw\nb,B,Bb\n",
      3,
      2,
      [],
    ]);
    expect(await mergedSheet("key,en\na,A\n", "key,en,NL\na,A,Aa\n")).toEqual([
      "key,en,Nl\na,A,Aa\n",
      1,
      1,
      [],
    ]);
    // Of two columns for one language, the first gets what is new.
    expect(await mergedSheet("key,en,NL,nl\na,A,Aa,Aa\n", "key,en,nl\na,A,Aa\nb,B,Bb\n")).toEqual([
      "key,en,NL,nl\na,A,Aa,Aa\nb,B,Bb,\n",
      2,
      2,
      [],
    ]);
  });

  test("gets no keys of other namespaces if it has that of the project file", async () => {
    const all = "namespace,key,en,nl\napp,a,A,Nieuw\nshop,b,B,Bb\napp,c,C,Cc\n";
    const withoutNamespaces = "key,en,nl\na,A,Nieuw\nc,C,Cc\n";
    for (const entry of [
      { ...SHEETS, path: "app.csv", namespace: "app" },
      { path: "{namespace}.csv", format: "csv", namespace: "{namespace}" } as const,
    ])
      for (const theirs of [all, withoutNamespaces])
        expect(await mergedSheet("key,en,nl\na,A,Aa\n", theirs, entry, "app.csv")).toEqual([
          "key,en,nl\na,A,Nieuw\nc,C,Cc\n",
          3,
          2,
          [],
        ]);
  });

  test("gets new keys in its own column of namespaces", async () => {
    const theirs = "namespace,key,en,nl\n*,a,A,Nieuw\nshop,b,B,Bb\n*,c,C,Cc\n";
    expect(await mergedSheet("namespace,key,en,nl\n,a,A,Aa\nshop,b,B,B\n", theirs)).toEqual([
      "namespace,key,en,nl\n,a,A,Nieuw\n,c,C,Cc\nshop,b,B,Bb\n",
      4,
      2,
      [],
    ]);
  });

  test("is quietly replaced if its other texts were all sent once, whatever it calls the language", async () => {
    for (const sent of [["a", "b"], ["a"]]) {
      const given: Case = {
        theirs: "key,en,nl\na,A,Nieuw\n",
        entry: SHEETS,
        wantsBytes: true,
        isQuiet: true,
      };
      const { dependencies } = await open(given);
      await dependencies.project.agreedTexts.store(
        sent.map((key) => {
          const fingerprint = textFingerprint({ value: `${key} nl` });
          return { locale: "nl", hash: hashOf(nameOf(key)), fingerprint };
        }),
      );
      const result = await mergeExport(
        { ...dependencies, toService: (locale) => locale.toLowerCase() },
        { path: SHEETS.path, format: "csv", locale: null, isInLayout: true },
        bytes("key,en,NL\na,A,a nl\nb,,b nl\n"),
        bytes(given.theirs),
      );
      expect(new TextDecoder().decode(result.bytes ?? undefined)).toBe(
        sent.includes("b") ? given.theirs : "key,en,NL\na,A,Nieuw\nb,,b nl\n",
      );
    }
  });

  test("gets no column for a language without texts or unknown to the service", async () => {
    expect(await mergedSheet("key,en\na,A\n", "key,en,nl,xx\na,New,,x\n")).toEqual([
      "key,en\na,New\n",
      1,
      0,
      [],
    ]);
  });
});

test("reports a text that the file cannot contain, which is not counted and not agreed", async () => {
  const ours = '{ "a": { "b": "B" }, "c": "C" }';
  const given: Case = { theirs: '{ "a": "A", "c": "New", "d": "D" }' };
  const { dependencies, path } = await open(given);
  const result = await mergeExport(dependencies, placed(path, given), bytes(ours), bytes(given.theirs));
  expect(result).toMatchObject({
    texts: 2,
    agreed: [{ hash: hashOf(nameOf("c")) }, { hash: hashOf(nameOf("d")) }],
    problems: [{ kind: "text", path, refusal: { key: "a" } }],
  });
  expect(new TextDecoder().decode(result.bytes ?? undefined)).toBe(
    '{ "a": { "b": "B" }, "c": "New", "d": "D" }',
  );
});

test.each([true, false])(
  "equal texts are stored as agreed, unless they are unsaved (%s)",
  async (isUnsaved) => {
    const given: Case = { theirs: '{"a": "x"}' };
    const { dependencies, path } = await open(given);
    const ours = bytes('{ "a": "x" }');
    await mergeExport(dependencies, placed(path, given), ours, bytes(given.theirs), { isUnsaved });
    const agreed = dependencies.project.agreedTexts.get("nl", hashOf(nameOf("a")));
    expect(agreed === undefined).toBe(isUnsaved);
  },
);

test("a key counts as deleted from the source files only if they are of the service's source language", async () => {
  const given: Case = { theirs: '{"a": "A", "b": "B"}' };
  const { dependencies, path } = await open(given);
  const { project } = dependencies;
  await project.agreedTexts.store([{ locale: "en", hash: hashOf(nameOf("b")), fingerprint: "before" }]);
  const left = async (sourceLocale: string): Promise<unknown> => {
    const counts = { totalKeys: 2, translated: 0, outdated: 0, qaErrors: 0, percent: 0 };
    const language = { locale: sourceLocale, name: sourceLocale, isSource: true, lastTranslatedAt: null };
    project.setStats(
      { contentVersion: 1, languages: [{ ...language, ...counts }] },
      { kind: "fresh", at: 0 },
    );
    const ours = bytes('{ "a": "A" }');
    const result = await mergeExport(dependencies, placed(path, given), ours, bytes(given.theirs));
    return result.bytes === null ? null : result.left.map(({ name, reason }) => [name.key, reason]);
  };
  expect(await left("en")).toEqual([["b", "deleted"]]);
  expect(await left("fr")).toEqual([]);
});

test.each([
  [true, '{ "a": "Mand", "b": "Chariot", "c": "Wagen", "d": "Chariot" }', ["a"]],
  [false, '{ "a": "Chariot", "b": "Chariot", "c": "Wagen", "d": "Chariot" }', []],
])(
  "a text of another language takes no place of one that was never sent, if an export may have it (%s)",
  async (hasFallbacks, expected, left) => {
    const given: Case = { theirs: '{"a": "Chariot", "b": "Chariot", "c": "Wagen", "d": "Chariot"}' };
    const { dependencies, path } = await open(given);
    const { project } = dependencies;
    const state = { isTranslated: true, isOutdated: false, issues: [], version: 1, updatedAt: null };
    const row = (id: string) => ({ ...state, hash: hashOf(nameOf(id)), text: { value: "Chariot" } });
    project.translations.put("fr", ["a", "b", "c", "d"].map(row), 2);
    project.showLanguage("fr");
    // This one is the translation itself.
    const untranslated = { ...row("a"), text: null, isTranslated: false };
    project.translations.put("nl", [row("b"), untranslated], 2);
    const details = { isPlural: false, sourceHash: null, maxLength: null, tags: [], updatedAt: null };
    const key = { ...nameOf("a"), ...details, hash: hashOf(nameOf("a")), description: null };
    project.keys.put([{ ...key, text: { value: "Cart" } }], 3);
    const result = await mergeExport(
      { ...dependencies, hasFallbacks },
      placed(path, given),
      // An empty one is lost to nobody.
      bytes('{ "a": "Mand", "b": "Mand", "c": "Kar", "d": "" }'),
      bytes(given.theirs),
    );
    if (result.bytes === null) throw new Error("not merged");
    expect(new TextDecoder().decode(result.bytes)).toBe(expected);
    expect(result.left.map(({ name, reason }) => [name.key, reason])).toEqual(
      left.map((key) => [key, "file"]),
    );
  },
);

test.each([
  ["in a merged file", false, '{"a": "New", "b": "B", "c": "New"}', 1],
  ["in a file that is replaced, too", true, '{"a": "New", "b": "B", "c": "New"}', 1],
])(
  "only a text that takes the place of another, of which it is unknown who changed it, counts as such: %s",
  async (_, wantsBytes, theirs, differing) => {
    const given: Case = { theirs, wantsBytes };
    const { dependencies, path } = await open(given);
    const fingerprint = textFingerprint({ value: "C" });
    await dependencies.project.agreedTexts.store([{ locale: "nl", hash: hashOf(nameOf("c")), fingerprint }]);
    const ours = bytes('{ "a": "A", "b": "", "c": "C", "mine": "x" }');
    const result = await mergeExport(dependencies, placed(path, given), ours, bytes(theirs));
    expect(result).toMatchObject({ differing });
  },
);
