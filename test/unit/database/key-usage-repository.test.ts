/** Usages of keys in source files: where they are, what they mean, and what is left of them after a change. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { FileWordRepository } from "../../../src/database/file-word-repository.ts";
import {
  UsageRepository,
  type LiteralCalls,
  type ReferenceResolution,
  type SkipReason,
  type StoredImports,
} from "../../../src/database/key-usage-repository.ts";
import { addKeys } from "../support/key-database.ts";

/** What each reference means; `1` to `4` are keys. */
const MEANINGS: Readonly<Record<string, ReferenceResolution>> = {
  one: { kind: "keys", hashes: ["1"] },
  both: { kind: "keys", hashes: ["1", "2"] },
  some: { kind: "pattern", hashes: ["2", "3"], prefix: "a.", suffix: ".z", pattern: "a.*.z" },
  none: { kind: "pattern", hashes: [], prefix: "b.", suffix: "", pattern: "b.*" },
  gone: {
    kind: "unknown",
    names: [
      { namespace: "*", key: "gone", context: null },
      { namespace: "shop", key: "gone", context: "menu" },
    ],
  },
};

let database: Database;
let usages: UsageRepository;
/** The references that were resolved. */
let resolved: string[];
beforeEach(() => {
  database = new Database();
  usages = new UsageRepository(database);
  resolved = [];
  addKeys(
    database,
    ["1", "2", "3", "4"].map((hash) => ({ hash, namespace: "*", key: `key ${hash}`, context: null })),
  );
});
afterEach(() => database.close());

interface Scanned {
  readonly size?: number;
  readonly skipped?: SkipReason;
  readonly calls?: readonly LiteralCalls[];
  readonly imports?: StoredImports;
}

/** Stores a file whose usages, `REFERENCE START END`, are in this order. */
function put(path: string, found: readonly string[], scanned: Scanned = {}): void {
  const { size = 1, skipped = null, calls = [], imports } = scanned;
  usages.putFile(
    path,
    { size, modified: 7 },
    skipped,
    found.map((usage) => {
      const [reference = "", start, end] = usage.split(" ");
      return { reference, isDynamic: reference === "some", span: { start: Number(start), end: Number(end) } };
    }),
    calls,
    (reference) => {
      resolved.push(reference);
      return MEANINGS[reference] ?? { kind: "unknown", names: [] };
    },
    imports,
  );
}

const places = (found: ReturnType<UsageRepository["usagesOf"]>): readonly string[] =>
  found.map(({ path, span }) => `${path} ${span.start} ${span.end}`);
const idOf = (pattern: string): number =>
  usages.patterns().find((each) => each.pattern === pattern)?.id ?? -1;
const stored = (id: number) => usages.referencesAfter(id - 1, 1).filter((each) => each.id === id);

test("are found by their key, by path and place, where they certainly mean it", () => {
  put("b.ts", ["one 40 43", "some 1 9"]);
  put("a.ts", ["both 30 34", "one 5 8", "gone 50 60"]);
  expect(places(usages.usagesOf("1"))).toEqual(["a.ts 5 8", "a.ts 30 34", "b.ts 40 43"]);
  expect(places(usages.usagesOf("2"))).toEqual(["a.ts 30 34"]);
  expect(places(usages.usagesOf("3"))).toEqual([]);
  expect(["1", "2", "3"].map((hash) => usages.countUsages(hash))).toEqual([3, 1, 0]);
  expect(usages.countsOf(["3", "2", "1", "9"])).toEqual(
    new Map([
      ["1", 3],
      ["2", 1],
    ]),
  );
  expect(usages.countsOf(["2"])).toEqual(new Map([["2", 1]]));
  expect(usages.referencesOf("1").toSorted()).toEqual(["both", "one"]);
  // What other files have is not resolved again.
  expect(resolved).toEqual(["one", "some", "both", "gone"]);
});

test("of a name without a key are found by its namespace and context", () => {
  put("a.ts", ["gone 50 60", "one 1 4", "gone 9 12"]);
  const of = (namespace: string, context: string | null) => {
    const name = { namespace, key: "gone", context };
    expect(usages.countUsagesOfName(name)).toBe(usages.usagesOfName(name).length);
    return places(usages.usagesOfName(name));
  };
  expect(of("*", null)).toEqual(["a.ts 9 12", "a.ts 50 60"]);
  expect(of("*", "")).toEqual(["a.ts 9 12", "a.ts 50 60"]);
  expect(of("shop", "menu")).toEqual(["a.ts 9 12", "a.ts 50 60"]);
  expect([of("shop", null), of("*", "menu"), of("other", null)]).toEqual([[], [], []]);
});

test("that are only partly known have their pattern, and the keys that they may mean", () => {
  put("a.ts", ["none 1 3", "some 5 9", "both 20 24", "gone 30 34"]);
  const patterns = usages.patterns();
  expect(patterns.map(({ prefix, suffix, pattern }) => [prefix, suffix, pattern])).toEqual([
    ["b.", "", "b.*"],
    ["a.", ".z", "a.*.z"],
  ]);
  expect(usages.unmatchedPatterns()).toEqual([patterns[0]]);
  expect(["1", "2", "3"].map((hash) => usages.patternsOf(hash))).toEqual([[], [patterns[1]], [patterns[1]]]);
  expect(usages.openReferences()).toEqual([
    { ...patterns[0], reference: "none" },
    { ...patterns[1], reference: "some" },
  ]);
  expect(places(usages.usagesOfPattern(patterns[1]!))).toEqual(["a.ts 5 9"]);
  expect(usages.keysOfReference(idOf("b.*"))).toEqual([]);
  const key = (hash: string, isUsed: boolean) => {
    return { hash, namespace: "*", key: `key ${hash}`, context: null, isUsed };
  };
  expect(usages.keysOfReference(idOf("a.*.z"))).toEqual([key("2", true), key("3", false)]);
  expect(usages.keysWithoutUsage()).toEqual([key("3", false), key("4", false)]);
  expect(usages.dynamicReferences()).toEqual(["some"]);
});

test("of a file that is scanned again are replaced, and kept where another file has them", () => {
  put("a.ts", ["one 1 4", "some 5 9", "gone 10 14"]);
  put("b.ts", ["some 1 5"]);
  put("a.ts", ["both 2 6"], { size: 2 });
  expect(places(usages.usagesOf("1"))).toEqual(["a.ts 2 6"]);
  expect(usages.referencesOf("1")).toEqual(["both"]);
  expect(places(usages.usagesOfPattern(usages.patterns()[0]!))).toEqual(["b.ts 1 5"]);
  expect(usages.countUsagesOfName({ namespace: "*", key: "gone", context: null })).toBe(0);
  expect(usages.referencesAfter(0, 9).map(({ reference }) => reference)).toEqual(["some", "both"]);
  expect([...usages.fileStamps().values()].map(({ size }) => size)).toEqual([2, 1]);
  // Resolved anew, since nothing was left of it.
  put("a.ts", ["one 3 6"]);
  expect(resolved).toEqual(["one", "some", "gone", "both", "one"]);
  expect([usages.deleteFile("b.ts"), usages.deleteFile("b.ts")]).toEqual([true, false]);
  expect([usages.patterns(), usages.patternsOf("3"), usages.dynamicReferences()]).toEqual([[], [], []]);
  expect([...usages.paths()]).toEqual(["a.ts"]);
  expect(database.number("SELECT count(*) FROM reference_keys")).toBe(1);
});

test("of a file that is not scanned any more are gone, and the reason is known", () => {
  put("a.ts", ["one 1 4"]);
  put("min.js", [], { skipped: "minified" });
  put("big.ts", [], { skipped: "too-large" });
  expect(usages.skippedFiles()).toEqual([
    { path: "big.ts", reason: "too-large" },
    { path: "min.js", reason: "minified" },
  ]);
  put("a.ts", [], { skipped: "unreadable" });
  put("big.ts", ["one 1 4"]);
  expect(usages.skippedFiles().map(({ path }) => path)).toEqual(["a.ts", "min.js"]);
  expect(places(usages.usagesOf("1"))).toEqual(["big.ts 1 4"]);
});

test("change their meaning, once, and then nothing is left of the one before", () => {
  put("a.ts", ["one 1 4", "gone 5 9", "some 10 14"]);
  const [one, gone, some] = usages.referencesAfter(0, 9);
  if (one === undefined || gone === undefined || some === undefined) throw new Error("no references");
  expect(usages.referencesAfter(one.id, 1)).toEqual([gone]);
  expect(usages.setResolution(one, { kind: "keys", hashes: ["1"] })).toBe(false);
  expect(usages.setResolution(some, MEANINGS["some"]!)).toBe(false);
  expect(usages.setResolution(gone, { kind: "keys", hashes: ["4"] })).toBe(true);
  expect(places(usages.usagesOf("4"))).toEqual(["a.ts 5 9"]);
  expect(usages.countUsagesOfName({ namespace: "*", key: "gone", context: null })).toBe(0);
  expect(usages.setResolution(stored(gone.id)[0]!, { kind: "keys", hashes: ["4"] })).toBe(false);
  // That a key is meant is another meaning than that it may be.
  const open = { kind: "pattern", hashes: ["3"], prefix: "a.", suffix: ".z", pattern: "a.*.z" } as const;
  expect(usages.setResolution(some, open)).toBe(true);
  expect([usages.patternsOf("3").length, usages.countUsages("3")]).toEqual([1, 0]);
  expect(usages.setResolution(stored(some.id)[0]!, { kind: "keys", hashes: ["3"] })).toBe(true);
  expect([usages.patterns(), usages.patternsOf("2"), usages.countUsages("3")]).toEqual([[], [], 1]);
  // And back.
  expect(usages.setResolution(stored(some.id)[0]!, MEANINGS["some"]!)).toBe(true);
  expect([usages.patterns().map(({ pattern }) => pattern), usages.countUsages("3")]).toEqual([["a.*.z"], 0]);
  expect(usages.setResolution(one, MEANINGS["gone"]!)).toBe(true);
  expect(places(usages.usagesOfName({ namespace: "shop", key: "gone", context: "menu" }))).toEqual([
    "a.ts 1 4",
  ]);
  // The same keys in another order are another meaning than one of them.
  expect(usages.setResolution(stored(gone.id)[0]!, { kind: "keys", hashes: ["4", "1"] })).toBe(true);
  expect(usages.countsOf(["1", "4"])).toEqual(
    new Map([
      ["1", 1],
      ["4", 1],
    ]),
  );
});

test("files have the modules that they depend on, as of their last scan", () => {
  const imports = (...dependencies: readonly string[]) => ({
    imports: { values: `[${dependencies.length}]`, dependencies },
  });
  put("a.ts", [], imports("src/keys", "src/more", "src/keys"));
  put("b.ts", [], imports("src/keys"));
  put("c.ts", []);
  expect(new Map(usages.dependencies())).toEqual(
    new Map([
      ["src/keys", ["a.ts", "b.ts"]],
      ["src/more", ["a.ts"]],
    ]),
  );
  expect(usages.dependentsOf("src/keys")).toEqual(["a.ts", "b.ts"]);
  expect(["a.ts", "b.ts", "c.ts", "d.ts"].map((path) => usages.importsOf(path))).toEqual([
    "[3]",
    "[1]",
    null,
    null,
  ]);
  put("a.ts", [], imports("src/more"));
  usages.deleteFile("b.ts");
  expect([usages.dependentsOf("src/keys"), usages.dependentsOf("src/more")]).toEqual([[], ["a.ts"]]);
  put("a.ts", []);
  expect([usages.dependencies().size, usages.importsOf("a.ts")]).toEqual([0, null]);
});

test("literal calls are stored anew only if they change, which their fingerprint says", () => {
  const calls = (value: string): Scanned => ({ calls: [["f", 0, [value]]] });
  const none = usages.literalCallsFingerprint();
  put("a.ts", [], calls("x"));
  put("b.ts", [], calls("y"));
  const both = usages.literalCallsFingerprint();
  expect(both).not.toBe(none);
  put("a.ts", ["one 1 4"], { ...calls("x"), size: 9 });
  put("c.ts", []);
  put("c.ts", []);
  expect(usages.literalCallsFingerprint()).toBe(both);
  const all = usages.literalCallsAfter(0, 9);
  expect(all.map(({ calls: json }) => JSON.parse(json) as unknown)).toEqual([
    [["f", 0, ["x"]]],
    [["f", 0, ["y"]]],
  ]);
  expect(usages.literalCallsAfter(all[0]!.id, 9)).toEqual([all[1]]);
  expect(usages.literalCallsAfter(0, 1)).toEqual([all[0]]);
  put("a.ts", [], calls("z"));
  const changed = usages.literalCallsFingerprint();
  expect(changed).not.toBe(both);
  usages.deleteFile("b.ts");
  const fewer = usages.literalCallsFingerprint();
  expect(fewer).not.toBe(changed);
  put("a.ts", []);
  expect(usages.literalCallsFingerprint()).not.toBe(fewer);
  expect(usages.literalCallsAfter(0, 9)).toEqual([]);
});

test("files are all listed, however many there are, and all changed once they have expired", () => {
  for (const count of [1_000, 1_001]) {
    const paths = Array.from({ length: count }, (_, index) => `src/${String(index).padStart(4, "0")}.ts`);
    database.transaction(() => paths.forEach((path) => put(path, [])));
    expect([...usages.paths()]).toEqual(paths);
  }
  put("src/0000.ts", ["one 1 4"], { size: 5 });
  expect(usages.fileStamps().get("src/0000.ts")).toMatchObject({ size: 5, modified: 7 });
  usages.expireFiles();
  const stamps = [...usages.fileStamps().values()];
  expect(stamps).toHaveLength(1_001);
  expect(stamps.every(({ size, modified }) => size === -1 && modified === -1)).toBe(true);
  expect(usages.countUsages("1")).toBe(1);
});

test("what the code and the keys were is known by fingerprints, each for itself", () => {
  expect(usages.fingerprint("scanner")).toBeUndefined();
  usages.setFingerprint("scanner", "1");
  usages.setFingerprint("resolution", "2");
  usages.setFingerprint("scanner", "3");
  expect((["scanner", "resolution", "learning"] as const).map((each) => usages.fingerprint(each))).toEqual([
    "3",
    "2",
    undefined,
  ]);
  expect(usages.learnedFunctions()).toEqual([]);
  const learned = [{ name: "tr", key: 1, calls: 3, known: 2 }];
  usages.setLearnedFunctions([]);
  usages.setLearnedFunctions(learned);
  expect(usages.learnedFunctions()).toEqual(learned);
  const names = usages.keyNamesFingerprint();
  database.sql("DELETE FROM keys").run();
  expect([usages.countKeys(), usages.keyNamesFingerprint() === names]).toEqual([0, false]);
  addKeys(
    database,
    ["4", "3", "2", "1"].map((hash) => ({ hash, namespace: "*", key: hash, context: null })),
  );
  expect([usages.countKeys(), usages.keyNamesFingerprint()]).toEqual([4, names]);
  addKeys(database, [{ hash: "0", namespace: "*", key: "0", context: null }]);
  expect([usages.countKeys(), usages.keyNamesFingerprint() === names]).toEqual([5, false]);
});

test("the words of files are kept for the version that they were searched by, and replaced file by file", () => {
  const words = new FileWordRepository(database);
  const stamp = { size: 1, modified: 7 };
  words.prepare("1");
  words.put("b.php", stamp, ["paid", "open"]);
  words.put("a.php", stamp, []);
  words.put("c.php", stamp, ["late"]);
  words.prepare("1");
  expect(words.after("", 2)).toEqual([
    { path: "a.php", words: [] },
    { path: "b.php", words: ["paid", "open"] },
  ]);
  words.put("b.php", { size: 2, modified: 8 }, new Set(["due"]));
  words.delete("a.php");
  expect(words.after("a.php", 9).map(({ words: own }) => own)).toEqual([["due"], ["late"]]);
  expect(words.after("b.php", 9).map(({ path }) => path)).toEqual(["c.php"]);
  expect(words.stamps().get("b.php")).toMatchObject({ size: 2, modified: 8 });
  expect([...words.stamps().keys()].toSorted()).toEqual(["b.php", "c.php"]);
  words.prepare("2");
  expect(words.stamps().size).toBe(0);
  words.put("b.php", stamp, ["due"]);
  words.prepare("2");
  expect(words.stamps().size).toBe(1);
});

test("lists the paths of any number of files, each once", () => {
  const add = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2001)
    INSERT INTO source_files (path, size, modified) SELECT 'src/' || i || '.ts', 1, 1 FROM n`;
  database.sql(add).run();
  const found: string[] = [];
  for (const path of usages.paths()) {
    found.push(path);
    if (found.length > 2001) break;
  }
  expect([found.length, new Set(found).size]).toEqual([2001, 2001]);
});
