/** Local files as two windows see them, compared with a simple model: visibility, order and removal. */
import type { BilingualFamily } from "../../../src/model/file-formats.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import {
  LocalFileRepository,
  type LocalEntry,
  type NewFile,
} from "../../../src/database/local-file-repository.ts";
import { keyHash, type KeyName } from "../../../src/model/key-hash.ts";
import { isEmptyText, isForms, valuesOf, type Text } from "../../../src/model/translation-text.ts";
import type { Span } from "../../../src/util/span.ts";
import { propertyRuns } from "../support/full-run.ts";

const PATHS = ["a", "b", "c"] as const;
const LOCALES = ["en", "nl"] as const;
const NAMES: readonly KeyName[] = [
  { namespace: "*", key: "x.one", context: null },
  { namespace: "*", key: "x.two", context: "menu" },
  { namespace: "shop", key: "x.one", context: null },
  { namespace: "shop", key: "y", context: "" },
];
const PREFIX = "x.";
const NO_DETAILS = { namespaces: [], keyNamespaces: [], problems: [], texts: {}, sourceNamespaces: [] };

interface ModelFile {
  readonly file: NewFile;
  readonly entries: readonly LocalEntry[];
}
/** What the disk has of a path, and what each window has in an editor. */
interface Known {
  disk?: ModelFile;
  readonly unsaved: Map<number, ModelFile>;
}

const text: fc.Arbitrary<Text> = fc.constantFrom<Text>(
  { value: "" },
  { value: 'a "b"' },
  { forms: { one: "1", other: "2" } },
  { forms: { one: "", other: "" } },
);
const entries = fc.array(
  fc.record({
    name: fc.constantFrom(...NAMES),
    locale: fc.constantFrom(...LOCALES),
    text,
    source: fc.constantFrom<Text | null>(null, { value: "source" }, { value: "" }),
    description: fc.constantFrom(null, "d"),
    own: fc.constantFrom(null, "pt_BR"),
    isFuzzy: fc.constantFrom(undefined, true),
    maxLength: fc.constantFrom(undefined, 9),
    readOnly: fc.constantFrom(null, "source" as const),
  }),
  { maxLength: 5 },
);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      window: fc.nat(1),
      path: fc.constantFrom(...PATHS),
      rank: fc.nat(1),
      family: fc.constantFrom<BilingualFamily | null>(null, "gettext", "xliff"),
      dirty: fc.boolean(),
      recent: fc.boolean(),
      entries,
      isGivenUp: fc.constantFrom(false, false, false, true),
      /** Whether it is stored in one step, as small files are. */
      isSmall: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant("remove" as const), window: fc.nat(1), path: fc.constantFrom(...PATHS) }),
  fc.record({ do: fc.constant("clean" as const), window: fc.nat(1) }),
);

type Written = typeof entries extends fc.Arbitrary<readonly (infer Item)[]> ? Item : never;

function entryOf(path: string, prefix: string, index: number, given: Written): LocalEntry {
  const { name, locale, text: said, source, description, own, isFuzzy, maxLength, readOnly } = given;
  return {
    name,
    hash: keyHash(name),
    text: said,
    description,
    path,
    locale,
    entry: {
      key: name.key.slice(prefix.length),
      context: name.context,
      namespace: own === null ? null : name.namespace,
      locale: own,
      readOnly,
      ...(isFuzzy === undefined ? {} : { isFuzzy }),
      ...(maxLength === undefined ? {} : { maxLength }),
      text: said,
      // An empty one says nothing.
      source: source === null || isEmptyText(source) ? null : source,
      description,
      ...(index % 2 === 0
        ? { keySpan: spanAt(index, 0, 5), valueSpan: spanAt(index, 8, 15) }
        : { keySpan: spanAt(index, 10, 15), valueSpan: spanAt(index, 0, 7) }),
    },
  };
}

/** In some formats the value is before the name. */
function spanAt(index: number, start: number, end: number): Span {
  return { start: index * 20 + start, end: index * 20 + end };
}

const given = (index: number, changes: Partial<Written> = {}): Written => ({
  name: NAMES[index]!,
  locale: "en",
  text: { value: 'a "b"' },
  source: null,
  description: null,
  own: null,
  isFuzzy: undefined,
  maxLength: undefined,
  readOnly: null,
  ...changes,
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
const writes = (
  window: number,
  path: (typeof PATHS)[number],
  written: Written[],
  changes: Partial<Extract<Step, { do: "write" }>> = {},
): Step => {
  const state = { rank: 0, family: null, dirty: false, recent: false, isGivenUp: false, isSmall: true };
  return { do: "write", window, path, entries: written, ...state, ...changes };
};
const FORMS: Text = { forms: { one: "1", other: "2" } };
/** What happens in any run, however few there are in the time. */
const EXAMPLES: [Step[]][] = [
  [
    [
      writes(0, "a", [given(0), given(1, { locale: "nl", own: "pt_BR" })], { rank: 1, recent: true }),
      writes(0, "b", [given(3, { maxLength: 9 }), given(3), given(0, { locale: "nl", text: FORMS })], {
        dirty: true,
        isSmall: false,
      }),
      writes(1, "b", [given(2, { isFuzzy: true })], { dirty: true }),
      { do: "remove", window: 0, path: "b" },
      { do: "clean", window: 1 },
      writes(1, "b", [given(2, { readOnly: "source" })]),
    ],
  ],
  [
    [
      writes(1, "c", [given(0, { source: { value: "source" } }), given(2, { source: { value: "" } })], {
        family: "gettext",
      }),
      writes(0, "b", [given(3, { description: "d" }), given(0, { text: { value: "" } })], { rank: 1 }),
      writes(0, "b", [given(2)], { isGivenUp: true }),
      writes(0, "c", [given(0, { text: FORMS })], { dirty: true }),
      writes(0, "c", [given(2, { text: FORMS, source: { value: "source" } })], { family: "xliff" }),
      { do: "clean", window: 0 },
      { do: "remove", window: 1, path: "c" },
    ],
  ],
];

/** The files that a window sees, those that count first. */
function visible(known: ReadonlyMap<string, Known>, window: number): ModelFile[] {
  return [...known.values()]
    .flatMap(({ disk, unsaved }) => unsaved.get(window) ?? disk ?? [])
    .sort((a, b) => a.file.rank - b.file.rank || (a.file.path < b.file.path ? -1 : 1));
}

const byHash = (entry: LocalEntry, other: LocalEntry): number => (entry.hash < other.hash ? -1 : 1);

/** The first of each key, by hash. */
function firstOfEach(all: readonly LocalEntry[]): LocalEntry[] {
  const first = new Map<string, LocalEntry>();
  for (const entry of all) if (!first.has(entry.hash)) first.set(entry.hash, entry);
  return [...first.values()].sort(byHash);
}

function expectSeen(repository: LocalFileRepository, files: readonly ModelFile[], window: number): void {
  const all = files.flatMap((each) => each.entries);
  const families = new Map(files.map(({ file }) => [file.path, file.family]));
  const stored = [...repository.files()].flat();
  expect(stored.toSorted((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1))).toEqual(
    files.map(({ file, entries: own }) => ({
      ...file,
      locales: new Map([["en", null]]),
      namespaces: [null, "shop"],
      keyNamespaces: ["shop"],
      problems: [],
      texts: { en: own.length },
      sourceNamespaces: ["mail"],
      count: own.length,
    })),
  );
  for (const { file, entries: own } of files) {
    const { path } = file;
    expect([...repository.entriesOf(path)], `${window} ${path}`).toEqual(own);
    expect(repository.namespacesIn(path).toSorted()).toEqual(
      [...new Set(own.map(({ name }) => name.namespace))].toSorted(),
    );
    for (const start of ["x", "x.", "x.o", "y", "yy", "X."])
      expect(repository.hasKeyStart(path, start)).toBe(own.some(({ name }) => name.key.startsWith(start)));
    for (const offset of [0, 5, 6, 8, 15, 16, 20, 28, 100]) {
      const has = ({ entry: { keySpan, valueSpan } }: LocalEntry): boolean =>
        [keySpan, valueSpan].some(({ start, end }) => start <= offset && offset <= end);
      expect(repository.entryAt(path, offset)).toEqual(own.find(has));
    }
    for (const [start, end] of [
      [0, 1],
      [16, 20],
      [5, 30],
      [15, 20],
      [16, 21],
      [6, 7],
      [90, 200],
    ] as const) {
      const reaches = ({ entry: { keySpan, valueSpan } }: LocalEntry): boolean =>
        Math.min(keySpan.start, valueSpan.start) < end && Math.max(keySpan.end, valueSpan.end) >= start;
      expect(repository.entryInRange(path, { start, end })).toEqual(own.find(reaches));
    }
  }
  expect([...repository.entriesOf("nowhere")]).toEqual([]);
  for (const path of [...PATHS, "nowhere"]) {
    const at = repository.fileAt(path);
    expect(at).toEqual(stored.find((each) => each.path === path));
    expect(repository.hasFile(path)).toBe(at !== undefined);
  }
  const versions = [...repository.fileVersions()].flat();
  expect(versions.flatMap(({ id }) => repository.file(id)?.path ?? []).toSorted()).toEqual(
    stored.map(({ path }) => path).toSorted(),
  );
  for (const { id, version } of versions) {
    const { path = "", stamp, readConditions } = repository.file(id) ?? {};
    expect(version).toBe(`${path} ${stamp?.size} ${stamp?.modified}.0 ${readConditions}`);
  }
  const quoted = all.filter(({ text }) => valuesOf(text).some((value) => value.includes('"b"')));
  const found = [...repository.entriesContaining(["nowhere", '"b"'])].flat();
  expect(found.map((entry) => JSON.stringify(entry)).toSorted()).toEqual(
    quoted.map((entry) => JSON.stringify(entry)).toSorted(),
  );
  expect([...repository.entriesContaining([])]).toEqual([]);
  for (const locale of LOCALES) {
    const here = all.filter((entry) => entry.locale === locale);
    expect([...repository.entriesIn(locale)].sort(byHash)).toEqual(firstOfEach(here));
    const twice = [...repository.duplicateEntries()].filter(([first]) => first?.locale === locale);
    const expected = firstOfEach(here)
      .map(({ hash }) => here.filter((entry) => entry.hash === hash))
      .filter((same) => same.length > 1);
    expect(twice.sort(([a], [b]) => byHash(a!, b!))).toEqual(expected);
    for (const name of NAMES) {
      const hash = keyHash(name);
      const own = here.find((entry) => entry.hash === hash);
      expect(repository.find(hash, locale)).toEqual(own);
      expect(repository.isPlural(hash, locale)).toBe(own && isForms(own.text));
    }
  }
  for (const locale of [null, ...LOCALES]) {
    const plural = all.filter((entry) => isForms(entry.text) && (locale === null || entry.locale === locale));
    expect([...repository.pluralKeys(locale)].map(({ hash }) => hash).toSorted()).toEqual(
      firstOfEach(plural).map(({ hash }) => hash),
    );
  }
  for (const covered of [[], ["gettext:shop"], ["gettext:*", "xliff:*", "xliff:shop"]]) {
    const says = all.filter(({ entry, name, path }) => {
      const family = families.get(path);
      return entry.source !== null && family != null && !covered.includes(`${family}:${name.namespace}`);
    });
    expect([...repository.sourceEntries(covered)].sort(byHash)).toEqual(firstOfEach(says));
    for (const name of NAMES) {
      const hash = keyHash(name);
      expect(repository.findSource(hash, covered)).toEqual(says.find((entry) => entry.hash === hash));
    }
  }
  for (const name of NAMES)
    for (const isPlural of [true, false]) {
      const paths = all
        .filter(({ hash, text: said }) => hash === keyHash(name) && isForms(said) === isPlural)
        // Files of a family state which keys are plural.
        .filter(({ path }) => families.get(path) == null)
        .map(({ path }) => path);
      expect(repository.pathsOfKey(keyHash(name), isPlural).toSorted()).toEqual(
        [...new Set(paths)].toSorted(),
      );
    }
}

test("shows each of two windows its own unsaved texts and the files on disk", () => {
  const folder = mkdtempSync(join(tmpdir(), "local-files-"));
  let number = 0;
  try {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const path = join(folder, `${number++}.db`);
        const databases = [1, 2].map((pid) => new Database(path, undefined, pid));
        const repositories = databases.map((database) => new LocalFileRepository(database));
        const known = new Map<string, Known>(PATHS.map((each) => [each, { unsaved: new Map() }]));
        const clean = (repository: LocalFileRepository): void => {
          for (;;) {
            const file = repository.findReplaced(() => true);
            if (file === undefined) return;
            repository.removeReplaced(file);
          }
        };
        for (const one of steps) {
          const repository = repositories[one.window]!;
          if (one.do === "clean") clean(repository);
          else if (one.do === "remove") {
            repository.removeFile(one.path);
            const of = known.get(one.path)!;
            delete of.disk;
            of.unsaved.delete(one.window);
          } else {
            const isFirst = one.path === "a";
            const file: NewFile = {
              path: one.path,
              rank: one.rank,
              family: one.family,
              keyPrefix: isFirst ? PREFIX : "",
              stamp: { size: number, modified: 7 },
              dirty: one.dirty,
              recent: one.recent,
              readConditions: "a",
            };
            const own = one.entries
              .filter(({ name }) => !isFirst || name.key.startsWith(PREFIX))
              .map((each, index) => entryOf(one.path, file.keyPrefix, index, each));
            const facts = {
              locales: new Map([["en", null]]),
              namespaces: [null, "shop"],
              keyNamespaces: ["shop"],
              problems: [],
              texts: { en: own.length },
              sourceNamespaces: ["mail"],
            };
            const isSmall = one.isSmall && !one.isGivenUp;
            const id = isSmall ? null : repository.beginFile(file);
            if (id !== null) {
              repository.addEntries(id, 0, own.slice(0, 2));
              repository.addEntries(id, 2, own.slice(2));
            }
            if (one.isGivenUp) repository.abandonFile(Number(id));
            else {
              if (id === null) repository.putFile(file, facts, own);
              else repository.completeFile(id, file, facts, own.length);
              const of = known.get(one.path)!;
              if (one.dirty) of.unsaved.set(one.window, { file, entries: own });
              else {
                of.disk = { file, entries: own };
                of.unsaved.delete(one.window);
              }
            }
          }
          for (const window of [0, 1]) expectSeen(repositories[window]!, visible(known, window), window);
        }
        for (const repository of repositories) clean(repository);
        // Nothing is kept of what nobody sees.
        const count = (table: string): unknown =>
          databases[0]!.sql(`SELECT count(*) AS count FROM ${table}`).get()?.["count"];
        const kept = [...known.values()].flatMap(({ disk, unsaved }) => [
          ...(disk === undefined ? [] : [disk]),
          ...unsaved.values(),
        ]);
        const all = kept.flatMap((each) => each.entries);
        expect([count("local_files"), count("local_entries"), count("local_names")]).toEqual([
          kept.length,
          all.length,
          new Set(all.map(({ hash }) => hash)).size,
        ]);
        for (const database of databases) database.close();
      }),
      { ...propertyRuns(80), examples: EXAMPLES },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const newFile = (path: string): NewFile => ({
  path,
  rank: 0,
  family: null,
  keyPrefix: "",
  stamp: { size: 1, modified: 1 },
  dirty: false,
  recent: false,
  readConditions: "",
});

function pluralEntry(path: string, index: number): LocalEntry {
  return entryOf(path, "", index, {
    name: { namespace: "*", key: `k${index}`, context: null },
    locale: "en",
    text: { forms: { other: "x" } },
    source: null,
    description: null,
    own: null,
    isFuzzy: undefined,
    maxLength: undefined,
    readOnly: null,
  });
}

test("finds and removes the data of ended processes in batches", () => {
  const database = new Database();
  const repository = new LocalFileRepository(database);
  const file = newFile("a");
  const id = repository.beginFile(file);
  const many = Array.from({ length: 1_200 }, (_, index) => pluralEntry("a", index));
  repository.addEntries(id, 0, many);
  // It is being written by this process.
  expect(repository.findReplaced(() => false)).toBeUndefined();
  const facts = { ...NO_DETAILS, locales: new Map() };
  repository.completeFile(id, file, facts, many.length);
  expect([...repository.entriesOf("a")]).toEqual(many);
  expect([...repository.entriesIn("en")].map(({ hash }) => hash).toSorted()).toEqual(
    many.map(({ hash }) => hash).toSorted(),
  );
  expect([...repository.pluralKeys()].map(({ key }) => key)).toEqual(many.map(({ name: { key } }) => key));
  repository.removeFile("a");
  expect([...repository.entriesOf("a")]).toEqual([]);
  const counts: unknown[] = [];
  for (let file2 = repository.findReplaced(() => true); file2 !== undefined;) {
    repository.removeReplaced(file2);
    counts.push(database.sql("SELECT count(*) AS count FROM local_entries").get()?.["count"]);
    file2 = repository.findReplaced(() => true);
  }
  expect(counts).toEqual([700, 200, 0, 0]);
  expect(database.sql("SELECT count(*) AS count FROM local_names").get()?.["count"]).toBe(0);
  database.close();
});

test("stores names again after a failed write", () => {
  const database = new Database();
  const repository = new LocalFileRepository(database);
  const file = newFile("a");
  const id = repository.beginFile(file);
  repository.addEntries(id, 0, [pluralEntry("a", 0)]);
  // The second of these names is found as soon as it is added, then its position is refused.
  const failing = [pluralEntry("a", 1), pluralEntry("a", 1), pluralEntry("a", 2)];
  expect(() => repository.addEntries(id, -2, failing)).toThrow("UNIQUE");
  repository.addEntries(id, 1, [pluralEntry("a", 1), pluralEntry("a", 2)]);
  const facts = { ...NO_DETAILS, locales: new Map() };
  repository.completeFile(id, file, facts, 3);
  expect([...repository.entriesOf("a")].map(({ name }) => name.key)).toEqual(["k0", "k1", "k2"]);
  database.close();
});

test("keeps an empty context of an entry, although its key is that without one", () => {
  const database = new Database();
  const repository = new LocalFileRepository(database);
  const contexts = [null, "", "menu"];
  repository.putFile(
    newFile("a"),
    { ...NO_DETAILS, locales: new Map() },
    contexts.map((context, index) =>
      entryOf("a", "", index, given(0, { name: { namespace: "*", key: "y", context } })),
    ),
  );
  expect([...repository.entriesOf("a")].map(({ entry }) => entry.context)).toEqual(contexts);
  database.close();
});

test("goes on in memory with all names when the disk cannot be written any more", () => {
  const folder = mkdtempSync(join(tmpdir(), "local-names-"));
  const database = new Database(join(folder, "a.db"), () => undefined);
  const repository = new LocalFileRepository(database);
  const facts = { ...NO_DETAILS, locales: new Map() };
  const write = (...numbers: readonly number[]): void =>
    repository.putFile(
      newFile("a"),
      facts,
      numbers.map((number) => pluralEntry("a", number)),
    );
  write(1, 2);
  database.sql("PRAGMA query_only = ON").run();
  write(2, 1, 3);
  expect(database.isOnDisk).toBe(false);
  expect([...repository.entriesOf("a")].map(({ name }) => name.key)).toEqual(["k2", "k1", "k3"]);
  database.close();
  rmSync(folder, { recursive: true });
});

test("any number of files is read, each once", () => {
  const database = new Database();
  const repository = new LocalFileRepository(database);
  const facts = { ...NO_DETAILS, locales: new Map() };
  const paths: string[] = [];
  for (const count of [99, 100, 101, 500, 501]) {
    database.transaction(() => {
      while (paths.length < count) {
        const path = `${paths.length}.json`;
        paths.push(path);
        repository.putFile(newFile(path), facts, [pluralEntry(path, paths.length)]);
      }
    });
    expect([...repository.files()].flat().map(({ path }) => path)).toEqual(paths);
    expect([...repository.fileVersions()].flat()).toHaveLength(count);
    const found = [...repository.entriesContaining(['"x"', "x"])].flat();
    expect(found.map(({ path }) => path)).toEqual(paths);
  }
  database.close();
});

test("a text is found anywhere in a file of any length, and the entries of a key are all found", () => {
  const database = new Database();
  const repository = new LocalFileRepository(database);
  const facts = { ...NO_DETAILS, locales: new Map() };
  const said = (path: string, index: number, value: string): LocalEntry => {
    const each = pluralEntry(path, index);
    return { ...each, text: { value }, entry: { ...each.entry, text: { value } } };
  };
  const many = Array.from({ length: 2_001 }, (_, index) =>
    said("a", index, index % 1_000 === 0 ? "@:x" : "y"),
  );
  repository.putFile(newFile("a"), facts, many);
  repository.putFile(newFile("b"), facts, []);
  repository.putFile(newFile("c"), facts, [said("c", 2_000, "@:y"), said("c", 7, "@:z")]);
  const slices = [...repository.entriesContaining(["@:"])];
  expect(slices.map((slice) => slice.map(({ path, name }) => `${path} ${name.key}`))).toEqual([
    ["a k0", "a k1000"],
    ["a k2000"],
    ["c k2000", "c k7"],
  ]);
  const twice = [...repository.duplicateEntries()].filter(({ length }) => length > 0);
  expect(twice.map((same) => same.map(({ path, name }) => `${path} ${name.key}`))).toEqual([
    ["a k7", "c k7"],
    ["a k2000", "c k2000"],
  ]);
  database.close();
});

test("finds a name again that no file had for a while, and that another process or this one removed", () => {
  const folder = mkdtempSync(join(tmpdir(), "local-names-"));
  const databases = [1, 1].map((pid) => new Database(join(folder, "a.db"), undefined, pid));
  const [repository, cleaning] = databases.map((database) => new LocalFileRepository(database)) as [
    LocalFileRepository,
    LocalFileRepository,
  ];
  const write = (key: string, cleaner: LocalFileRepository): void => {
    const name: KeyName = { namespace: "*", key, context: null };
    const given = { locale: "en", text: { value: key }, source: null, description: null, own: null } as const;
    const none = { isFuzzy: undefined, maxLength: undefined, readOnly: null };
    const state = { stamp: { size: 1, modified: 1 }, dirty: false, recent: false, readConditions: "" };
    const file: NewFile = { path: "a", rank: 0, family: null, keyPrefix: "", ...state };
    const details = { ...NO_DETAILS, locales: new Map([["en", null]]) };
    repository.putFile(file, details, [entryOf("a", "", 0, { ...given, ...none, name })]);
    for (
      let old = cleaner.findReplaced(() => true);
      old !== undefined;
      old = cleaner.findReplaced(() => true)
    )
      cleaner.removeReplaced(old);
  };
  for (const cleaner of [cleaning, repository]) {
    for (const key of ["one", "two", "one"]) write(key, cleaner);
    expect([...repository.entriesOf("a")].map(({ name }) => name.key)).toEqual(["one"]);
  }
  for (const database of databases) database.close();
  rmSync(folder, { recursive: true });
});
