/** Translation functions of the project's own, recognised by their calls while a folder is indexed. */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { LearnedFunction, UsageRepository } from "../../../../src/database/key-usage-repository.ts";
import { takesOthers, withLearned } from "../../../../src/workspace/usages/learned-functions.ts";
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
