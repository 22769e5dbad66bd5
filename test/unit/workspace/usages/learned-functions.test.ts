/** Translation functions of the project's own, recognised by their calls while a folder is indexed. */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { LearnedFunction, UsageRepository } from "../../../../src/database/key-usage-repository.ts";
import {
  isTestPath,
  LiteralCallCounts,
  takesOthers,
  unexplainedCalls,
  withLearned,
} from "../../../../src/workspace/usages/learned-functions.ts";
import { parseKeyReference } from "../../../../src/workspace/usages/stored-key-references.ts";
import type { UsageIndexer, UsageOptions } from "../../../../src/workspace/usages/usage-indexer.ts";
import { NO_TEXTS, SourceFolder, usageOptions } from "../../support/source-folder.ts";

const NO_FRAMEWORK = usageOptions();
/** The names of 40 keys. */
const NAMES = Array.from({ length: 40 }, (_, index) => `page.text${index}`);
const HASHES = NAMES.map((name) => `*|${name}`);

let folder: SourceFolder | undefined;
afterEach(() => {
  vi.restoreAllMocks();
  folder?.dispose();
  folder = undefined;
});

/** Code that calls the function with each of the names. */
const calls = (write: (name: string) => string, names: readonly string[] = NAMES): string =>
  names.map((name) => `${write(name)};\n`).join("");
const translate = (name: string): string => `globalize.translate("${name}")`;

interface Indexed {
  readonly usages: UsageRepository;
  readonly indexer: UsageIndexer;
  readonly setKeys: (keys: readonly string[]) => void;
  /** Indexes the folder and returns the learned functions. */
  readonly update: (options?: UsageOptions) => Promise<readonly LearnedFunction[]>;
  readonly usedKeys: () => number;
}

function open(files: Readonly<Record<string, string>>, keys: readonly string[] = HASHES): Indexed {
  const opened = new SourceFolder(files);
  folder = opened;
  const { database, usages } = opened.open();
  opened.setKeys(database, keys);
  const indexer = opened.indexer(database);
  return {
    usages,
    indexer,
    setKeys: (names) => opened.setKeys(database, names),
    update: async (options = NO_FRAMEWORK) => {
      await indexer.update(options, NO_TEXTS);
      return usages.learnedFunctions();
    },
    usedKeys: () => HASHES.filter((hash) => usages.countUsages(hash) > 0).length,
  };
}

const LEARNED = [{ name: "translate", key: 0, calls: 40, known: 40 }];

describe("learning", () => {
  test("finds all calls of a wrapper, also those without a complete literal", async () => {
    const { usages, usedKeys, update } = open({
      "src/a.js": calls(translate),
      "src/b.js": `translate(wide ? "page.text1" : "page.text2"); globalize.translate("page." + name);`,
    });
    expect(await update()).toEqual(LEARNED);
    expect(usedKeys()).toBe(40);
    expect(usages.usagesOf("*|page.text2").map(({ path }) => path)).toEqual(["src/a.js", "src/b.js"]);
    expect(usages.patternsOf("*|page.text3")).toMatchObject([{ pattern: "page.*" }]);
  });

  test.each([
    ["TypeScript", "a.ts", (name: string) => `this.hass.localize("${name}")`, "localize"],
    ["Vue", "a.vue", (name: string) => `<p>{{ say('${name}') }}</p>`, "say"],
    ["PHP", "a.php", (name: string) => `<?php Text::of('${name}') ?>`, "of"],
    ["Blade", "a.blade.php", (name: string) => `{{ say('${name}') }}`, "say"],
    ["Python", "a.py", (name: string) => `self.say("${name}")`, "say"],
  ])("works in %s", async (_, path, write, name) => {
    const code = calls(write);
    const { update, usedKeys } = open({
      [path]: path.endsWith(".vue") ? `<template>${code}</template>` : code,
    });
    expect(await update()).toMatchObject([{ name, key: 0 }]);
    expect(usedKeys()).toBe(40);
  });

  test("recognises a prefix and an object with texts by key", async () => {
    const members = NAMES.map((name) => `${name.slice("page.".length)}: "A text",`).join("\n  ");
    const { update, usedKeys, usages } = open({
      "a.ts": `const messages = defineTexts("page", {\n  ${members}\n});`,
      "b.ts": `defineTexts("page", { text1: \`A\`, "text2": text, ...others, text3() {} }); defineTexts(prefix, { text5: "A" })`,
    });
    expect(await update()).toEqual([{ name: "defineTexts", key: 1, prefix: 0, calls: 41, known: 41 }]);
    expect(usedKeys()).toBe(40);
    const paths = (name: string): readonly string[] => usages.usagesOf(`*|${name}`).map(({ path }) => path);
    expect(paths("page.text1")).toEqual(["a.ts", "b.ts"]);
    expect(paths("page.text2")).toEqual(["a.ts", "b.ts"]);
    expect(paths("page.text3")).toEqual(["a.ts"]);
  });

  test("takes no other text for a key where some calls have others", async () => {
    const others = ["notes", "options", "columns", "value", "renderer"];
    const { usages, update, usedKeys } = open({
      "src/a.js": calls(translate),
      "src/b.js": calls(translate, others),
    });
    expect(await update()).toEqual([{ ...LEARNED[0], calls: 45 }]);
    expect(usedKeys()).toBe(40);
    const references = usages.referencesAfter(0, 100).map(({ reference }) => parseKeyReference(reference));
    expect(references.every(({ isUncertain }) => isUncertain === true)).toBe(true);
    folder?.write("src/b.js", calls(translate, others.slice(1, 2)));
    expect(await update()).toEqual([{ ...LEARNED[0], calls: 41 }]);
    const fewer = usages.referencesAfter(0, 100).map(({ reference }) => parseKeyReference(reference));
    expect(fewer.some(({ isUncertain }) => isUncertain === true)).toBe(false);
  });

  test("does not call a name unknown that the function may complete to a key", async () => {
    const { usages, update } = open({
      "src/a.js": calls(translate),
      "src/b.js": calls(translate, ["core#page.text1", "text2", "page.txt3", "core#text4"]),
    });
    await update();
    const unknown = (key: string): number => usages.countUsagesOfName({ namespace: "*", key, context: null });
    expect(usages.patternsOf("*|page.text1")).toMatchObject([{ pattern: "*core#page.text1" }]);
    expect(usages.patternsOf("*|page.text2")).toMatchObject([{ pattern: "*text2" }]);
    expect(["core#page.text1", "text2", "page.txt3", "core#text4"].map(unknown)).toEqual([0, 0, 1, 1]);
  });

  test("recognises the second argument", async () => {
    const { update, usedKeys } = open({ "a.ts": calls((name) => `tr(locale, "${name}")`) });
    expect(await update()).toMatchObject([{ name: "tr", key: 1 }]);
    expect(usedKeys()).toBe(40);
  });

  test("counts texts and members of objects at the same place apart", async () => {
    const members = `tr("page", { text1: "A", text2: "B" });`;
    const { update } = open({ "a.ts": calls((name) => `tr(locale, "${name}")`) + members });
    expect(await update()).toEqual([{ name: "tr", key: 1, calls: 40, known: 40 }]);
  });

  test("recognises a method only of the object that has keys", async () => {
    const others = calls((name) => `shape.translate("${name}px")`);
    const { update, usages } = open({ "a.js": calls(translate) + others });
    expect(await update()).toMatchObject([{ name: "globalize.translate", calls: 40, known: 40 }]);
    expect(usages.countUsagesOfName({ namespace: "*", key: "page.text1px", context: null })).toBe(0);
  });

  test("counts variants of a key, and uses all of them", async () => {
    const names = NAMES.map((name) => `${name}_other`);
    const { update, usages } = open(
      { "a.ts": calls((name) => `say("${name}", { count: 2 })`) },
      names.flatMap((name) => [`*|${name}`]),
    );
    expect(await update(usageOptions("i18next"))).toMatchObject([{ name: "say" }]);
    expect(usages.countUsages("*|page.text1_other")).toBe(1);
  });
});

describe("what is not learned", () => {
  const others = (count: number): string => calls((name) => `say("${name}!")`, NAMES.slice(0, count));
  test.each([
    ["too few calls", calls((name) => `say("${name}")`, NAMES.slice(0, 19))],
    ["too few calls with keys", calls((name) => `say("${name}")`, NAMES.slice(0, 30)) + others(8)],
    ["the same few keys", calls((name) => `say("${name}")`, NAMES.slice(0, 9)).repeat(4)],
    ["a word in front of a parenthesis", calls((name) => `return ("${name}")`)],
    ["the word in a tag", calls((name) => `if ("${name}", x) {}`)],
  ])("%s", async (_, code) => {
    const { update } = open({ "src/a.js": code });
    expect(await update()).toEqual([]);
  });

  test("a small share of many keys", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `*|more.text${index}`);
    const { update } = open({ "a.js": calls(translate) }, [...HASHES, ...many]);
    expect(await update()).toEqual([]);
  });

  test.each([
    ["tests", "tests/a.js"],
    ["a test", "src/a.test.ts"],
    ["a test of PHP", "src/ATest.php"],
    ["generated files", "src/generated/a.ts"],
  ])("calls in %s", async (_, path) => {
    const code = calls((name) => `say("${name}")`);
    const { update } = open({ [path]: path.endsWith(".php") ? `<?php ${code}` : code });
    expect(await update()).toEqual([]);
  });

  test("calls in code that says it is generated", async () => {
    const { update } = open({ "src/a.ts": `// Code generated by tool. DO NOT EDIT.\n${calls(translate)}` });
    expect(await update()).toEqual([]);
  });

  test("a function of the framework, or of the project file", async () => {
    const { update, usedKeys } = open({ "a.ts": calls((name) => `t("${name}"); say("${name}")`) });
    const find = { ...NO_FRAMEWORK.find, functions: [{ name: "say", key: 0 }] };
    expect(await update({ ...NO_FRAMEWORK, find })).toEqual([]);
    expect(usedKeys()).toBe(40);
  });

  test("a function whose key the project file names at another place", async () => {
    const { update } = open({ "a.ts": calls((name) => `say("${name}", value)`) });
    expect(await update()).toMatchObject([{ name: "say", key: 0 }]);
    const find = { ...NO_FRAMEWORK.find, functions: [{ name: "say", key: 1 }] };
    expect(await update({ ...NO_FRAMEWORK, find })).toEqual([]);
  });

  test("a function that the project file refuses", async () => {
    const { update, usedKeys } = open({ "a.ts": calls(translate) });
    expect(await update()).toEqual(LEARNED);
    expect(await update({ ...NO_FRAMEWORK, ignoredFunctions: ["trans*"] })).toEqual([]);
    expect(usedKeys()).toBe(0);
    expect(await update({ ...NO_FRAMEWORK, ignoredFunctions: [] })).toEqual(LEARNED);
    expect(usedKeys()).toBe(40);
  });
});

describe("changes", () => {
  test("forgets a function that is not called any more", async () => {
    const { update, indexer, usages, usedKeys } = open({
      "a.js": calls(translate),
      "b.js": `translate("page.text1")`,
    });
    expect(await update()).toEqual([{ ...LEARNED[0], calls: 41, known: 41 }]);
    folder?.remove("a.js");
    await indexer.updateFiles(["a.js"], NO_FRAMEWORK, NO_TEXTS);
    expect(usages.learnedFunctions()).toEqual([]);
    expect(usedKeys()).toBe(0);
  });

  test("learns from a file that changes", async () => {
    const { update, indexer, usages, usedKeys } = open({
      "a.js": "",
      "b.js": `translate(x ? "page.text1" : "")`,
    });
    expect(await update()).toEqual([]);
    folder?.write("a.js", calls(translate));
    await indexer.updateFiles(["a.js"], NO_FRAMEWORK, NO_TEXTS);
    expect(usages.learnedFunctions()).toEqual(LEARNED);
    expect(usages.usagesOf("*|page.text1").map(({ path }) => path)).toEqual(["a.js", "b.js"]);
    expect(usedKeys()).toBe(40);
  });

  test("learns a function again whose key is at another place by then", async () => {
    const call = (name: string): string => `say("${name}")`;
    const { update, indexer, usages } = open({
      "a.js": calls(call),
      "b.js": `say(x ? "page.text1" : "", y ? "page.text2" : "", y);`,
      "c.js": `say("page", { text3: "A" });`,
    });
    const found = (path: string): readonly string[] =>
      ["text1", "text2", "text3"].filter((key) =>
        usages.usagesOf(`*|page.${key}`).some((usage) => usage.path === path),
      );
    expect(await update()).toMatchObject([{ name: "say", key: 0 }]);
    expect(found("b.js")).toEqual(["text1"]);
    folder?.write(
      "a.js",
      calls((name) => `say(locale, "${name}")`),
    );
    await indexer.updateFiles(["a.js"], NO_FRAMEWORK, NO_TEXTS);
    expect([found("b.js"), found("c.js")]).toEqual([["text2"], []]);
    const members = NAMES.map((name) => `${name.slice("page.".length)}: "A text",`).join("\n  ");
    folder?.write("a.js", `say("page", {\n  ${members}\n});`);
    await indexer.updateFiles(["a.js"], NO_FRAMEWORK, NO_TEXTS);
    expect(usages.learnedFunctions()).toMatchObject([{ name: "say", key: 1, prefix: 0 }]);
    expect(found("c.js")).toEqual(["text3"]);
  });

  test("learns by the namespace that calls leave out", async () => {
    const { update } = open(
      { "a.js": calls(translate) },
      NAMES.map((name) => `app|${name}`),
    );
    const options = usageOptions("i18next");
    expect(await update(options)).toEqual([]);
    const lookup = { ...options.lookup, defaultNamespaces: ["app"] };
    expect(await update({ ...options, lookup })).toEqual(LEARNED);
    expect(await update(options)).toEqual([]);
  });

  test("forgets what another window has forgotten", async () => {
    const { update, indexer, usages } = open({ "a.js": calls(translate), "b.js": "" });
    expect(await update()).toEqual(LEARNED);
    folder?.remove("a.js");
    const { database } = folder?.open() ?? expect.fail();
    await folder?.indexer(database).updateFiles(["a.js"], NO_FRAMEWORK, NO_TEXTS);
    folder?.write("b.js", `translate("page.text1")`);
    await indexer.updateFiles(["b.js"], NO_FRAMEWORK, NO_TEXTS);
    expect(usages.countUsages("*|page.text1")).toBe(0);
  });

  test("learns when keys are known later, and forgets when they are gone", async () => {
    const { update, setKeys, indexer, usages, usedKeys } = open({ "a.js": calls(translate) }, []);
    expect(await update()).toEqual([]);
    setKeys(HASHES);
    await indexer.resolve(NO_FRAMEWORK.lookup);
    await indexer.learn(NO_FRAMEWORK, NO_TEXTS);
    expect(usages.learnedFunctions()).toEqual(LEARNED);
    expect(usedKeys()).toBe(40);
    setKeys(HASHES.slice(0, 20));
    await indexer.resolve(NO_FRAMEWORK.lookup);
    await indexer.learn(NO_FRAMEWORK, NO_TEXTS);
    expect(usages.learnedFunctions()).toEqual([]);
  });

  test("reads files again that have not changed, if they may call what was learned", async () => {
    const { update, setKeys, indexer, usedKeys } = open({ "a.js": calls(translate), "b.js": "other(1)" }, []);
    // Stamps of files that were just written are not known.
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
    await update();
    setKeys(HASHES);
    await indexer.resolve(NO_FRAMEWORK.lookup);
    if (folder !== undefined) folder.reads = [];
    await indexer.learn(NO_FRAMEWORK, NO_TEXTS);
    expect(usedKeys()).toBe(40);
  });

  test("completes what was aborted", async () => {
    const { indexer, usages, usedKeys, update } = open({ "a.js": calls(translate) });
    const stop = new AbortController();
    const updating = indexer.update(NO_FRAMEWORK, NO_TEXTS, stop.signal);
    stop.abort(new Error("stopped"));
    await updating.catch(() => undefined);
    expect(await update()).toEqual(LEARNED);
    expect(usages.learnedFunctions()).toEqual(LEARNED);
    expect(usedKeys()).toBe(40);
  });
});

test("functions of the project file come before those that were learned", () => {
  const configured = { name: "say", key: 1 };
  const learned: LearnedFunction = { name: "say", key: 0, calls: 40, known: 40 };
  expect(withLearned([configured], [learned, { ...learned, name: "tell", calls: 60 }])).toEqual([
    configured,
    { name: "say", key: 0, prefix: undefined, isLearned: true },
    { name: "tell", key: 0, prefix: undefined, isLearned: true, takesOthers: true },
  ]);
});

test.each([
  [20, 17, false],
  [20, 16, true],
  [200, 194, false],
  [200, 193, true],
])("of %i calls with %i keys, the function also takes other texts: %s", (calls, known, others) => {
  expect(takesOthers({ name: "say", key: 0, calls, known })).toBe(others);
});

describe("calls by literal", () => {
  type Calls = readonly (readonly [
    callee: string,
    position: number,
    values: readonly string[],
    hasMembers?: true,
  ])[];
  const K = NAMES.slice(0, 20);
  const learnedOf = (
    calls: Calls,
    configured: readonly string[] = [],
    ignored: readonly string[] = [],
    size = 40,
  ) => {
    const counts = new LiteralCallCounts();
    for (const each of calls) counts.add([each]);
    // Names of which the second part is missing are forms of one key.
    const keyOf = (literal: string): string | null =>
      NAMES.includes(literal) ? literal : literal.startsWith("form") ? "form" : null;
    const search = counts.translationFunctions(
      keyOf,
      size,
      configured.map((name) => ({ name, key: 0 })),
      ignored,
    );
    for (;;) {
      const step = search.next();
      if (step.done === true)
        return step.value.map(
          ({ name, key, prefix = "-", calls: all, known }) => `${name} ${key} ${prefix} ${known}/${all}`,
        );
    }
  };
  const repeated = (name: string, count: number): readonly string[] =>
    Array.from({ length: count }, () => name);

  test.each<readonly [what: string, calls: Calls, learned: readonly string[]]>([
    [
      "of files are counted together",
      [
        ["say", 0, K.slice(0, 12)],
        ["say", 0, K.slice(12)],
      ],
      ["say 0 - 20/20"],
    ],
    [
      "count at each place of a function",
      [
        ["say", 0, K],
        ["say", 1, K],
      ],
      ["say 0 - 20/20"],
    ],
    [
      "of members count apart",
      [
        ["say", 1, K.slice(0, 19)],
        ["say", 1, K, true],
      ],
      ["say 1 0 20/20"],
    ],
    [
      "of a method count for its name",
      [
        ["app.say", 0, K],
        ["this.app.say", 0, K],
      ],
      ["say 0 - 40/40"],
    ],
    [
      "of a method count for its object where the name has others",
      [
        ["app.say", 0, K],
        ["shape.say", 0, repeated("x", 5)],
      ],
      ["app.say 0 - 20/20"],
    ],
    [
      "of a function before those of a method",
      [
        ["app.say", 0, K],
        ["say", 0, repeated("x", 9)],
        ["say", 1, K],
      ],
      ["say 1 - 20/20"],
    ],
    ["are too few", [["say", 0, K.slice(0, 19)]], []],
    [
      "name too few keys",
      [["say", 0, [...K.slice(0, 9), ...K.slice(0, 9), "x", "form1"].slice(0, 19).concat("page.text1")]],
      [],
    ],
    ["name too few keys by many forms", [["say", 0, [...K.slice(0, 8), ...numberedForms(20)]]], []],
    ["name ten keys", [["say", 0, [...K.slice(0, 10), ...K.slice(0, 10)]]], ["say 0 - 20/20"]],
    ["name no key too often", [["say", 0, [...K, ...repeated("x", 4)]]], []],
    ["name no key sometimes", [["say", 0, [...K, ...repeated("x", 3)]]], ["say 0 - 20/23"]],
  ])("%s", (_, all, learned) => {
    expect(learnedOf(all)).toEqual(learned);
  });

  function numberedForms(count: number): readonly string[] {
    return Array.from({ length: count }, (_, index) => `form${index}`);
  }

  test("teach nothing that the project file names or refuses, with and without its object", () => {
    const calls: Calls = [
      ["app.say", 0, K],
      ["shape.say", 0, repeated("x", 5)],
      ["tell", 0, K],
    ];
    expect(learnedOf(calls)).toEqual(["tell 0 - 20/20", "app.say 0 - 20/20"]);
    for (const name of ["say", "app.say"]) {
      expect(learnedOf(calls, [name])).toEqual(["tell 0 - 20/20"]);
      expect(learnedOf(calls, [], [name])).toEqual(["tell 0 - 20/20"]);
    }
    expect(learnedOf(calls, [], ["app.*"])).toEqual(["tell 0 - 20/20"]);
    expect(learnedOf(calls, ["other"], ["other"])).toHaveLength(2);
    // Of many keys, twenty are few.
    expect(learnedOf(calls, [], [], 400)).toHaveLength(2);
    expect(learnedOf(calls, [], [], 401)).toEqual([]);
  });
});

test.each<readonly [path: string, isTest: boolean]>([
  ...[
    ...[
      "test/a.ts",
      "tests/a.ts",
      "src/__tests__/a.ts",
      "spec/a.rb",
      "specs/a.ts",
      "__mocks__/a.ts",
      "mock/a.ts",
    ],
    ...[
      "mocks/a.ts",
      "fixture/a.ts",
      "fixtures/a.ts",
      "__fixtures__/a.ts",
      "e2e/a.ts",
      "cypress/a.ts",
      "stories/a.ts",
    ],
    ...[
      "src/a.test.ts",
      "src/a.tests.ts",
      "src/a-test.ts",
      "src/a_test.py",
      "src/a.spec.ts",
      "src/a.specs.ts",
    ],
    ...["src/a.stories.tsx", "src/a.cy.ts", "src/a.e2e.ts", "src/CartTest.php", "src/CartSpec.scala"],
    ...["src/test_cart.py", "src/conftest.py", "shop/tests.py", "src/test.ts", "test.js"],
  ].map((path) => [path, true] as const),
  ...["src/a.ts", "src/latest.ts", "src/contest/a.ts", "src/testing/a.ts", "src/test_a/b.ts"].map(
    (path) => [path, false] as const,
  ),
])("%s is part of the tests: %s", (path, isTest) => {
  expect(isTestPath(path)).toBe(isTest);
});

test.each<readonly [path: string, text: string, count: number]>([
  ["src/a.ts", "", 1],
  ["src/generated/a.ts", "", 0],
  ["src/__generated__/a.ts", "", 0],
  ["dist/a.js", "", 0],
  ["build/a.js", "", 0],
  ["src/a.gen.ts", "", 0],
  ["src/a.generated.ts", "", 0],
  ["src/a.test.ts", "", 0],
  ["src/ATest.php", "", 0],
  ["src/latest.ts", "", 1],
  ["src/a.ts", "/** @generated */", 0],
  ["src/a.ts", "// DO NOT EDIT", 0],
  ["src/a.ts", "// autogenerated", 0],
  ["src/a.ts", "// Auto-generated", 0],
  ["src/a.ts", "// auto generated", 0],
  ["src/a.ts", "// generated by hand", 1],
  ["src/a.ts", `${" ".repeat(1_000)}// do not edit`, 1],
])("literals of calls in %s with %j: %i", (path, header, count) => {
  const text = `${header}\nsay("a"); say("");`;
  const found = unexplainedCalls(path, { text, usages: [] }, { frameworks: new Set(), functions: [] });
  expect(found).toEqual(count === 0 ? [] : [["say", 0, ["a"]]]);
});
