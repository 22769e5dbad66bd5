/** The usage index with files that are added, changed and deleted, on a real disk. */
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Database } from "../../../../src/database/database.ts";
import { UsageRepository } from "../../../../src/database/key-usage-repository.ts";
import { parseKeyReference } from "../../../../src/workspace/usages/stored-key-references.ts";
import type { UsageIndexer, UsageOptions } from "../../../../src/workspace/usages/usage-indexer.ts";
import { NO_TEXTS, SourceFolder, usageOptions } from "../../support/source-folder.ts";

const OPTIONS = usageOptions("laravel", "i18next");
let folder: SourceFolder;

afterEach(() => {
  folder.dispose();
});

interface Opened {
  readonly database: Database;
  readonly usages: UsageRepository;
  readonly indexer: UsageIndexer;
}

function open(keys?: readonly string[]): Opened {
  const { database, usages } = folder.open();
  if (keys !== undefined) folder.setKeys(database, keys);
  return { database, usages, indexer: folder.indexer(database) };
}

/** The usages in a folder of these files, gone through once. */
async function indexed(
  files: Readonly<Record<string, string>>,
  keys: readonly string[],
  options: UsageOptions = OPTIONS,
): Promise<Opened> {
  folder = new SourceFolder(files);
  const opened = open(keys);
  await opened.indexer.update(options, NO_TEXTS);
  return opened;
}

function paths(usages: UsageRepository, hash: string): readonly string[] {
  return usages.usagesOf(hash).map(({ path }) => path);
}

/** Files that were just written are read again, so it is some time later. */
function later(): void {
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
}

describe("indexing", () => {
  test("stores each way in which code names a key", async () => {
    const code = `import { t } from "i18next"; t("shop:cart"); t("cart", { ns: "shop" }); t("shop:other"); t("shop:" + x);`;
    const { usages } = await indexed({ "src/a.ts": code }, ["shop|cart", "shop|other"]);
    const names = usages.referencesOf("shop|cart").map((reference) => {
      const { expression, namespaces } = parseKeyReference(reference);
      return expression.kind === "static" ? [namespaces, expression.key] : [];
    });
    expect(names).toHaveLength(2);
    expect(names).toEqual(
      expect.arrayContaining([
        [null, "shop:cart"],
        [["shop"], "cart"],
      ]),
    );
  });

  test("stores usages, patterns and unknown names", async () => {
    const { usages } = await indexed(
      {
        "app/A.php": `<?php __('auth.failed'); __('auth.' . $x); __('nope.x');`,
        "resources/a.blade.php": `@lang('auth.failed')`,
        "src/a.ts": `t("shop:cart"); t(key)`,
        "README.md": `t("auth.failed")`,
      },
      ["auth|failed", "auth|throttle", "shop|cart"],
    );
    expect(usages.usagesOf("auth|failed")).toEqual([
      { path: "app/A.php", span: { start: 10, end: 21 } },
      { path: "resources/a.blade.php", span: { start: 7, end: 18 } },
    ]);
    expect(usages.countUsages("auth|failed")).toBe(2);
    expect(usages.usagesOf("shop|cart")).toEqual([{ path: "src/a.ts", span: { start: 3, end: 12 } }]);
    expect(usages.usagesOf("auth|throttle")).toEqual([]);
    const [group] = usages.patternsOf("auth|throttle");
    expect(group).toMatchObject({ prefix: "auth.", suffix: "", pattern: "auth.*" });
    expect(group && usages.usagesOfPattern(group)).toEqual([
      { path: "app/A.php", span: { start: 28, end: 40 } },
    ]);
    expect(usages.unmatchedPatterns().map(({ pattern }) => pattern)).toEqual(["*"]);
    const name = { namespace: "nope", key: "x", context: null };
    expect(usages.usagesOfName(name)).toEqual([{ path: "app/A.php", span: { start: 47, end: 53 } }]);
    expect(usages.countUsagesOfName(name)).toBe(1);
    expect(usages.usagesOfName({ ...name, key: "y" })).toEqual([]);
    expect(usages.usagesOfName({ ...name, namespace: "auth", key: "failed" })).toEqual([]);
    expect([...usages.paths()]).toHaveLength(3);
  });

  test("counts all variants of an unknown context and all keys of a group as used", async () => {
    const keys = ["*|friend", "*|friend_male", "*|menu.a", "*|menu.b"];
    const { usages } = await indexed(
      { "a.ts": `t("friend", { context: x }); t("menu", { returnObjects: true })` },
      keys,
    );
    expect(keys.map((hash) => usages.countUsages(hash))).toEqual([1, 1, 1, 1]);
  });

  test("counts a text without domain as a usage in every domain", async () => {
    const keys = ["django|Save", "djangojs|Save", "djangojs|Close"];
    const { usages } = await indexed(
      {
        "a.py": `_("Save")`,
        "templates/a.html": `{% trans "Save" %}`,
        "static/a.js": `gettext("Close")`,
      },
      keys,
      usageOptions("django", "gettext"),
    );
    expect(keys.map((hash) => usages.countUsages(hash))).toEqual([2, 2, 1]);
    expect(Object.fromEntries(usages.countsOf([...keys, "django|Open"]))).toEqual({
      "django|Save": 2,
      "djangojs|Save": 2,
      "djangojs|Close": 1,
    });
  });

  test("resolves usages again for other keys or conventions", async () => {
    const { database, usages, indexer } = await indexed({ "a.ts": `t("a"); t("b")` }, ["*|a"]);
    const counts = (): readonly number[] => ["*|a", "*|b", "x|a"].map((hash) => usages.countUsages(hash));
    folder.setKeys(database, ["*|b", "x|a"]);
    await indexer.resolve(OPTIONS.lookup);
    expect(counts()).toEqual([0, 1, 0]);
    expect(usages.countUsagesOfName({ namespace: "*", key: "a", context: null })).toBe(1);
    await indexer.resolve({ ...OPTIONS.lookup, defaultNamespaces: ["x"] });
    expect(counts()).toEqual([0, 1, 1]);
    expect(usages.countUsagesOfName({ namespace: "*", key: "a", context: null })).toBe(0);
    // Also while files are scanned.
    folder.setKeys(database, ["*|a", "*|b"]);
    folder.write("b.ts", `t("b")`);
    await indexer.updateFiles(["b.ts"], OPTIONS, NO_TEXTS);
    expect(counts()).toEqual([1, 2, 0]);
    // Also for keys that appear while usages are resolved by those before.
    folder.setKeys(database, ["*|a"]);
    const resolving = folder.indexer(database).resolve(OPTIONS.lookup);
    folder.setKeys(database, ["*|b"]);
    await resolving;
    expect(counts()).toEqual([0, 2, 0]);
  });

  test("writes nothing where neither files nor options have changed", async () => {
    const { database, indexer } = await indexed(
      { "a.ts": `import { B } from "./b"; t(B)`, "b.ts": `export const B = "a"` },
      ["*|a"],
    );
    later();
    await indexer.update(OPTIONS, NO_TEXTS);
    const writes = (): number => Number(database.sql("SELECT total_changes() AS count").get()?.["count"]);
    const before = writes();
    await indexer.update(OPTIONS, NO_TEXTS);
    // In another order.
    await indexer.update(usageOptions("i18next", "laravel"), NO_TEXTS);
    await indexer.resolve(OPTIONS.lookup);
    await indexer.learn(OPTIONS, NO_TEXTS);
    expect(writes()).toBe(before);
  });
});

describe("file selection", () => {
  test("respects ignore files at any depth, exclusions, and skips node_modules", async () => {
    const { usages } = await indexed(
      {
        ".gitignore": "dist/\n*.gen.ts\n",
        "dist/a.ts": `t("a")`,
        "src/x.gen.ts": `t("a")`,
        "src/.gitignore": "!keep.gen.ts\nsecret/\n",
        "src/keep.gen.ts": `t("a")`,
        "src/secret/b.ts": `t("a")`,
        "secret/c.ts": `t("a")`,
        "node_modules/m/index.js": `t("a")`,
        "vendor/m/a.php": `<?php __("a");`,
        "resources/views/vendor/mail.blade.php": `@lang("a")`,
        "tests/deep/t.ts": `t("a")`,
        "tests/deep/t.tsx": `t("a")`,
        "app.min.js": `t("a")`,
        "apps/other/a.ts": `t("a")`,
        "apps/others/a.ts": `t("a")`,
      },
      ["*|a"],
      { ...OPTIONS, exclude: ["tests/**/*.{ts,vue}"], otherProjects: ["apps/other"] },
    );
    expect(paths(usages, "*|a")).toEqual([
      "apps/others/a.ts",
      "resources/views/vendor/mail.blade.php",
      "secret/c.ts",
      "src/keep.gen.ts",
      "tests/deep/t.tsx",
    ]);
  });

  test("looks for ignore files only where the listing has one", async () => {
    await indexed({ "a/b/c.ts": "", "a/.gitignore": "x", "d/e.ts": "" }, []);
    expect(folder.ignoreFiles).toEqual(["a/.gitignore"]);
  });

  test("does not enter folders that are ignored or of other projects", async () => {
    const files = {
      ".gitignore": "dist/\n",
      "dist/a.ts": "",
      "node_modules/m/a.js": "",
      "src/deep/a.ts": "",
      "apps/b/a.ts": "",
    };
    await indexed(files, [], { ...OPTIONS, otherProjects: ["apps/b"] });
    expect(folder.lists.toSorted()).toEqual(["", "apps", "src", "src/deep"]);
  });

  test("applies the same rules to single changed files", async () => {
    const { usages, indexer } = await indexed({ ".gitignore": "dist/\n" }, ["*|a"]);
    const all = ["dist/a.ts", "src/a.ts", "node_modules/a.js", "apps/other/a.ts", "tests/a.ts", "a.md"];
    for (const path of all) folder.write(path, `t("a")`);
    const options = { ...OPTIONS, exclude: ["tests/"], otherProjects: ["apps/other"] };
    await indexer.updateFiles(all, options, NO_TEXTS);
    expect(paths(usages, "*|a")).toEqual(["src/a.ts"]);
    folder.write(".gitignore", "src/\n");
    await indexer.updateFiles(all, options, NO_TEXTS);
    expect(paths(usages, "*|a")).toEqual(["dist/a.ts"]);
    // A rule for a folder is none for a file of that name.
    folder.write(".gitignore", "a.ts/\n");
    await indexer.updateFiles(all, options, NO_TEXTS);
    expect(paths(usages, "*|a")).toEqual(["dist/a.ts", "src/a.ts"]);
  });

  test("applies the rules of every folder above a single changed file", async () => {
    const files = { "src/deep/.gitignore": "x.ts\n", "src/.gitignore": "/y.ts\n", "other/deep/x.ts": "" };
    const { usages, indexer } = await indexed(files, ["*|a"]);
    const all = ["src/deep/x.ts", "src/deep/y.ts", "src/y.ts", "src/x.ts", "other/deep/x.ts"];
    for (const path of all) folder.write(path, `t("a")`);
    await indexer.updateFiles(all, OPTIONS, NO_TEXTS);
    expect(paths(usages, "*|a")).toEqual(["other/deep/x.ts", "src/deep/y.ts", "src/x.ts"]);
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(paths(usages, "*|a")).toEqual(["other/deep/x.ts", "src/deep/y.ts", "src/x.ts"]);
  });

  test("does not let an ignored folder include its own files again", async () => {
    const files = {
      ".gitignore": "build/\n",
      "build/.gitignore": "!*.ts\n",
      "build/a.ts": `t("a")`,
      "build/deep/.gitignore": "!*.ts\n",
      "build/deep/b.ts": `t("a")`,
      "src/c.ts": `t("a")`,
    };
    const { usages, indexer } = await indexed(files, ["*|a"]);
    expect(paths(usages, "*|a")).toEqual(["src/c.ts"]);
    await indexer.updateFiles(Object.keys(files), OPTIONS, NO_TEXTS);
    expect(paths(usages, "*|a")).toEqual(["src/c.ts"]);
  });

  test("searches templates only in projects that use them, never installed packages", async () => {
    const files = {
      "a.html": `{% trans "a" %}`,
      "style.css": "/* Theme Name: x */",
      ".venv/lib/b.py": `_("b")`,
      "lib/site-packages/c.py": `_("c")`,
    };
    const { usages, indexer } = await indexed(files, []);
    await indexer.updateFiles(["a.html"], OPTIONS, new Map([["style.css", "/* Theme Name: y */"]]));
    expect([...usages.paths()]).toEqual([]);
    await indexer.update(usageOptions("django", "gettext"), NO_TEXTS);
    expect([...usages.paths()]).toEqual(["a.html"]);
    // Nothing is known of them any more when the project no longer uses them.
    await indexer.update(OPTIONS, NO_TEXTS);
    expect([...usages.paths()]).toEqual([]);
  });

  test("searches only included files", async () => {
    const files = { "a/x.ts": `t("a")`, "b/x.ts": `t("a")`, "b/x.vue": `{{ $t("a") }}` };
    const options = { ...OPTIONS, include: ["b/**/*.{ts,tsx}"] };
    const { usages, indexer } = await indexed(files, ["*|a"], options);
    expect(paths(usages, "*|a")).toEqual(["b/x.ts"]);
    await indexer.updateFiles(["a/x.ts", "b/x.ts"], options, NO_TEXTS);
    expect(paths(usages, "*|a")).toEqual(["b/x.ts"]);
  });

  test("follows no symbolic link out of the folder or to a second path", async () => {
    const { usages, indexer } = await indexed({ "a/a.ts": `t("a")` }, ["*|a"]);
    const outside = join(folder.root, "../secret.ts");
    writeFileSync(outside, `t("a")`);
    symlinkSync(outside, join(folder.root, "link.ts"));
    symlinkSync(join(folder.root, ".."), join(folder.root, "up"));
    symlinkSync(join(folder.root, "a"), join(folder.root, "again"));
    symlinkSync("itself.ts", join(folder.root, "itself.ts"));
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(paths(usages, "*|a")).toEqual(["a/a.ts"]);
    await indexer.updateFiles(["link.ts", "up/secret.ts"], OPTIONS, NO_TEXTS);
    expect(paths(usages, "*|a")).toEqual(["a/a.ts"]);
    expect(usages.skippedFiles()).toEqual([
      { path: "link.ts", reason: "outside" },
      { path: "up", reason: "outside" },
    ]);
    expect(
      await indexer.findOccurrences([{ name: "a", isLiteral: true }], {}, ["a/a.ts"], new Set(), NO_TEXTS),
    ).toEqual(new Map());
    rmSync(join(folder.root, "up"));
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(usages.skippedFiles()).toEqual([{ path: "link.ts", reason: "outside" }]);
  });

  test("names no link out of the folder that is ignored, left out or without source files", async () => {
    const { usages, indexer } = await indexed({ "src/a.ts": `t("a")`, ".gitignore": "cache\n" }, ["*|a"]);
    for (const name of ["cache", "node_modules", "shared"])
      symlinkSync(join(folder.root, ".."), join(folder.root, name));
    await indexer.update({ ...OPTIONS, include: ["src/**/*.ts"] }, NO_TEXTS);
    expect(usages.skippedFiles()).toEqual([]);
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(usages.skippedFiles()).toEqual([{ path: "shared", reason: "outside" }]);
  });

  test("stores skipped files with the reason", async () => {
    const { usages, indexer } = await indexed(
      {
        "min.js": `t("a");${"x();".repeat(10_000)}`,
        "big.php": `<?php __("a");\n${"// it's long\n".repeat(200_000)}`,
        "huge.ts": `t("a")\n${"// long\n".repeat(1_100_000)}`,
        "binary.js": `t("a")\0\0\0`,
      },
      ["*|a"],
    );
    expect(usages.countUsages("*|a")).toBe(0);
    expect(usages.skippedFiles()).toEqual([
      { path: "big.php", reason: "too-large" },
      { path: "binary.js", reason: "not-text" },
      { path: "huge.ts", reason: "too-large" },
      { path: "min.js", reason: "minified" },
    ]);
    folder.write("binary.js", `t("a")`);
    await indexer.update(OPTIONS, NO_TEXTS);
    expect([usages.countUsages("*|a"), usages.skippedFiles().length]).toEqual([1, 3]);
  });

  test("retries an unreadable file without affecting others", async () => {
    const { usages, indexer } = await indexed({ "a.ts": `t("a")`, "b.ts": `t("a")` }, ["*|a"]);
    folder.unreadable.add("a.ts");
    folder.write("b.ts", `t("a"); t("a")`);
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(usages.skippedFiles()).toEqual([{ path: "a.ts", reason: "unreadable" }]);
    expect(usages.countUsages("*|a")).toBe(2);
    folder.unreadable.clear();
    await indexer.update(OPTIONS, NO_TEXTS);
    expect([usages.skippedFiles().length, usages.countUsages("*|a")]).toEqual([0, 3]);
  });

  test("searches a long file in slices", async () => {
    const block = `/** Returns a text of the namespace. */\nfunction f() {\n  const { t } = useTranslation("n");\n  return t("a");\n}\n\n`;
    const text = block.repeat(22_000);
    const { usages } = await indexed({ "long.ts": text }, ["n|a"]);
    expect(text.length).toBeGreaterThan(2_000_000);
    const found = usages.usagesOf("n|a");
    expect(found).toHaveLength(22_000);
    expect(found.every(({ span }) => text.slice(span.start - 3, span.end + 2) === 't("a")')).toBe(true);
  });
});

describe("updates", () => {
  const FILES = { "a.ts": `t("a")`, "b.ts": `t("b"); t("é😀"); t("a." + x)`, "c.ts": `t("a")` };
  const KEYS = ["*|a", "*|b", "*|é😀", "*|a.x"];

  test("reads only changed files and forgets deleted ones", async () => {
    await indexed(FILES, KEYS);
    expect(folder.reads.toSorted()).toEqual(["a.ts", "b.ts", "c.ts"]);
    later();
    await open().indexer.update(OPTIONS, NO_TEXTS);
    folder.reads = [];
    const { usages, indexer } = open();
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(folder.reads).toEqual([]);
    folder.write("a.ts", `t("b") `);
    folder.remove("c.ts");
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(folder.reads).toEqual(["a.ts"]);
    expect(KEYS.map((hash) => usages.countUsages(hash))).toEqual([0, 2, 1, 0]);
    expect(usages.patternsOf("*|a.x").map(({ pattern }) => pattern)).toEqual(["a.*"]);
  });

  test("resolves a new reference once", async () => {
    const again = vi.spyOn(UsageRepository.prototype, "setResolution");
    const { usages } = await indexed({ "src/a.ts": `t("shop:cart"); t("shop:other")` }, ["shop|cart"]);
    expect(paths(usages, "shop|cart")).toEqual(["src/a.ts"]);
    expect(again).not.toHaveBeenCalled();
  });

  test("reads a recently written file again", async () => {
    const { usages, indexer } = await indexed({ "a.ts": `t("a")` }, KEYS);
    // The same size, and within the step of the disk's clock the same time.
    folder.write("a.ts", `t("b")`);
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(KEYS.map((hash) => usages.countUsages(hash))).toEqual([0, 1, 0, 0]);
  });

  test("searches everything again for other options", async () => {
    const { usages, indexer } = await indexed({ "a.ts": `tr("a")` }, KEYS);
    expect(usages.countUsages("*|a")).toBe(0);
    later();
    await indexer.update(OPTIONS, NO_TEXTS);
    const find = { frameworks: new Set<never>(), functions: [{ name: "tr", key: 0 }] };
    await indexer.update({ ...OPTIONS, find }, NO_TEXTS);
    expect(usages.countUsages("*|a")).toBe(1);
  });

  const CONVENTIONS: readonly (readonly [string, Partial<UsageOptions["find"]>])[] = [
    ["frameworks", { frameworks: new Set(["laravel"]) }],
    ["functions", { functions: [{ name: "tr", key: 0 }] }],
    ["domains", { domains: new Set(["shop"]) }],
    ["hooks that search all namespaces", { nsMode: "fallback" }],
    ["macros", { macros: { modules: ["@app/i18n"] } }],
    ["separator of keys", { keySeparator: "/" }],
  ];
  test.each(CONVENTIONS)("reads all files again for other %s, once", async (_, find) => {
    const { indexer } = await indexed({ "a.ts": "", "b.ts": "" }, []);
    later();
    await indexer.update(OPTIONS, NO_TEXTS);
    const options = { ...OPTIONS, find: { ...OPTIONS.find, ...find } };
    folder.reads = [];
    await indexer.update(options, NO_TEXTS);
    expect(folder.reads.toSorted()).toEqual(["a.ts", "b.ts"]);
    await indexer.update(options, NO_TEXTS);
    expect(folder.reads).toHaveLength(2);
  });

  test("updates single files, with unsaved text until it is saved", async () => {
    const { usages, indexer } = await indexed({ "a.ts": `t("a")` }, ["*|a", "*|b", "*|c"]);
    const counts = (): readonly number[] => ["*|a", "*|b", "*|c"].map((hash) => usages.countUsages(hash));
    folder.write("a.ts", `t("b"); t("b")`);
    await indexer.updateFiles(["a.ts"], OPTIONS, NO_TEXTS);
    expect(counts()).toEqual([0, 2, 0]);
    later();
    await indexer.update(OPTIONS, new Map([["a.ts", `t("c")`]]));
    expect(counts()).toEqual([0, 0, 1]);
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(counts()).toEqual([0, 2, 0]);
    folder.remove("a.ts");
    await indexer.updateFiles(["a.ts"], OPTIONS, NO_TEXTS);
    expect([...counts(), [...usages.paths()].length]).toEqual([0, 0, 0, 0]);
  });

  test("leaves no stale rows after repeated edits", async () => {
    const { database, usages, indexer } = await indexed({ "a.ts": "" }, ["*|key"]);
    for (let round = 0; round < 3; round++) {
      for (let length = 1; length <= 3; length++) {
        const text = `t("${"key".slice(0, length)}"); t("x${round}" + y)`;
        await indexer.updateFiles(["a.ts"], OPTIONS, new Map([["a.ts", text]]));
      }
    }
    expect(usages.countUsages("*|key")).toBe(1);
    expect(usages.unmatchedPatterns().map(({ pattern }) => pattern)).toEqual(["x2*"]);
    const rows = ["key_references", "usages", "reference_keys", "reference_names"].map(
      (table) => database.sql(`SELECT count(*) AS count FROM ${table}`).get()?.["count"],
    );
    expect(rows).toEqual([2, 2, 1, 0]);
  });

  test("does not overwrite a newer result with an older one", async () => {
    const { usages, indexer } = await indexed({}, ["*|a", "*|b"]);
    for (let index = 0; index < 400; index++) folder.write(`${index}.ts`, `t("a")`);
    const running = indexer.update(OPTIONS, NO_TEXTS);
    const unsaved = new Map([["0.ts", `t("b")`]]);
    while (usages.countUsages("*|b") === 0) await indexer.updateFiles(["0.ts"], OPTIONS, unsaved);
    await running;
    await indexer.updateFiles(["0.ts"], OPTIONS, unsaved);
    expect([usages.countUsages("*|a"), usages.countUsages("*|b")]).toEqual([399, 1]);
  });

  test("rejects with the abort reason and keeps what was read", async () => {
    folder = new SourceFolder({});
    for (let index = 0; index < 400; index++) folder.write(`${index}.ts`, `t("a")`.repeat(20));
    const { usages, indexer } = open(["*|a"]);
    const stop = new AbortController();
    const running = indexer.update(OPTIONS, NO_TEXTS, stop.signal);
    const stopAfterSome = (): void => {
      if (usages.countUsages("*|a") > 0) stop.abort(new Error("enough"));
      else setImmediate(stopAfterSome);
    };
    stopAfterSome();
    await expect(running).rejects.toThrow("enough");
    const count = usages.countUsages("*|a");
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(400 * 20);
    expect([...usages.paths()].length).toBeLessThanOrEqual(folder.reads.length);
  });

  test("converges when two windows index at once", async () => {
    folder = new SourceFolder({});
    for (let index = 0; index < 300; index++) folder.write(`${index}.ts`, `t("a"); t("${index}")`);
    const [one, other] = [open(["*|a"]), open()];
    await Promise.all([one.indexer.update(OPTIONS, NO_TEXTS), other.indexer.update(OPTIONS, NO_TEXTS)]);
    expect([one.usages.countUsages("*|a"), other.usages.countUsages("*|a")]).toEqual([300, 300]);
    expect([...one.usages.paths()]).toHaveLength(300);
  });

  test("fails on a full disk and continues when there is space", async () => {
    folder = new SourceFolder({});
    for (let index = 0; index < 400; index++) folder.write(`${index}.ts`, `t("a"); t("some key ${index}")`);
    const { database, usages, indexer } = open(["*|a"]);
    const pages = Number(database.sql("PRAGMA page_count").get()?.["page_count"]);
    database.sql(`PRAGMA max_page_count = ${pages + 4}`).get();
    await expect(indexer.update(OPTIONS, NO_TEXTS)).rejects.toThrow("full");
    expect(usages.countUsages("*|a")).toBe([...usages.paths()].length);
    database.sql(`PRAGMA max_page_count = ${pages + 1_000}`).get();
    await indexer.update(OPTIONS, NO_TEXTS);
    expect([usages.countUsages("*|a"), [...usages.paths()].length]).toEqual([400, 400]);
  });
});
