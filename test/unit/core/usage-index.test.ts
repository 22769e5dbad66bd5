/** The index of uses over files that come, change and go. */
import { describe, expect, test } from "vitest";
import { KeyNames } from "../../../src/core/key-names.ts";
import { searchHere } from "../../../src/core/code-search-here.ts";
import { UsageIndex, type UsageIndexOptions } from "../../../src/core/usage-index.ts";
import type { FileContent, FileStamp } from "../../../src/core/ports.ts";

/** A workspace in memory that counts what is asked of it. */
class Workspace {
  readonly texts = new Map<string, { text: string; modified: number }>();
  readonly stored = new Map<string, Uint8Array>();
  reads: string[] = [];
  yields = 0;
  time = 0;
  /** Milliseconds that each look at the clock takes. */
  step = 0;
  onRead: ((path: string) => void) | null = null;

  constructor(files: Record<string, string>) {
    for (const [path, text] of Object.entries(files)) this.set(path, text);
  }

  set(path: string, text: string): void {
    this.texts.set(path, { text, modified: (this.texts.get(path)?.modified ?? 0) + 1 });
  }

  open(keys: readonly string[], options: Partial<UsageIndexOptions> = {}): UsageIndex {
    const find = { frameworks: new Set(["laravel", "i18next"] as const), functions: [] };
    return new UsageIndex(
      {
        aside: searchHere,
        files: {
          find: async (glob) =>
            glob.endsWith(".gitignore")
              ? [...this.texts.keys()].filter((path) => path.endsWith(".gitignore"))
              : [...this.texts.keys()].sort(),
          stat: async (path) => this.#stamp(path),
          read: async (path) => {
            const file = this.texts.get(path);
            const stamp = this.#stamp(path);
            if (file === undefined || stamp === undefined) return undefined;
            if (file.text === "unreadable") throw new Error("EACCES");
            this.reads.push(path);
            const content: FileContent = { bytes: new TextEncoder().encode(file.text), stamp, dirty: false };
            this.onRead?.(path);
            return content;
          },
        },
        store: {
          read: async (name) => this.stored.get(name),
          write: async (name, bytes) => void this.stored.set(name, bytes),
        },
        now: () => (this.time += this.step),
        yieldNow: async () => void this.yields++,
        log: { info: () => {}, warn: () => {} },
      },
      { find, lookup: find, ...options },
      KeyNames.of(keys.map(asKey)),
    );
  }

  #stamp(path: string): FileStamp | undefined {
    const file = this.texts.get(path);
    return file && { size: new TextEncoder().encode(file.text).length, modified: file.modified };
  }
}

function asKey(text: string) {
  const [namespace = "", key = ""] = text.split("|");
  return { hash: text, namespace, key, context: null };
}

function used(index: UsageIndex, hash: string): readonly string[] {
  return index.usesOf(hash).map(({ path, span }) => `${path}:${span.start}-${span.end}`);
}

describe("what it says", () => {
  test("uses, patterns and what no key has", async () => {
    const index = new Workspace({
      "app/A.php": `<?php __('auth.failed'); __('auth.' . $x); __('nope.x');`,
      "resources/a.blade.php": `@lang('auth.failed')`,
      "src/a.ts": `t("shop:cart"); t(key)`,
      "README.md": `t("auth.failed")`,
    }).open(["auth|failed", "auth|throttle", "shop|cart"]);
    await index.build();
    expect(used(index, "auth|failed")).toEqual(["app/A.php:10-21", "resources/a.blade.php:7-18"]);
    expect(index.countOf("auth|failed")).toBe(2);
    expect(used(index, "shop|cart")).toEqual(["src/a.ts:3-12"]);
    expect(used(index, "auth|throttle")).toEqual([]);
    expect(index.patterns().map(({ pattern, matches }) => [pattern, matches.map((key) => key.hash)])).toEqual(
      [
        ["auth.*", ["auth|failed", "auth|throttle"]],
        ["*", []],
      ],
    );
    const [group] = index.patterns();
    expect(group && index.usesOfPattern(group)).toEqual([
      { path: "app/A.php", span: { start: 28, end: 40 } },
    ]);
    expect(index.unknown().map(({ said }) => said)).toEqual([{ kind: "static", key: "nope.x" }]);
    expect(index.usesOfName({ namespace: "nope", key: "x", context: null })).toEqual(
      index.unknown().flatMap(({ places }) => places),
    );
    expect(index.countOfName({ namespace: "nope", key: "x", context: null })).toBe(1);
    expect(index.usesOfName({ namespace: "nope", key: "y", context: null })).toEqual([]);
    expect(index.usesOfName({ namespace: "auth", key: "failed", context: null })).toEqual([]);
    expect(index.stats).toEqual({ files: 3, uses: 6, leftOut: [], complete: true });
  });

  test("a context that is not shown uses every variant; a group uses all in it", async () => {
    const index = new Workspace({
      "a.ts": `t("friend", { context: x }); t("menu", { returnObjects: true })`,
    }).open(["*|friend", "*|friend_male", "*|menu.a", "*|menu.b"]);
    await index.build();
    expect(["*|friend", "*|friend_male", "*|menu.a", "*|menu.b"].map((hash) => index.countOf(hash))).toEqual([
      1, 1, 1, 1,
    ]);
  });

  test("a text without a domain uses the key of every domain", async () => {
    const django = { frameworks: new Set(["django", "gettext"] as const), functions: [] };
    const index = new Workspace({
      "a.py": `_("Save")`,
      "templates/a.html": `{% trans "Save" %}`,
      "static/a.js": `gettext("Close")`,
    }).open(["django|Save", "djangojs|Save", "djangojs|Close"], { find: django, lookup: django });
    await index.build();
    expect(["django|Save", "djangojs|Save", "djangojs|Close"].map((hash) => index.countOf(hash))).toEqual([
      2, 2, 1,
    ]);
  });

  test("new names of keys change what uses mean", async () => {
    const index = new Workspace({ "a.ts": `t("a"); t("b")` }).open(["*|a"]);
    await index.build();
    let fired = 0;
    index.onDidChange(() => fired++);
    await index.setNames(KeyNames.of(["*|b"].map(asKey)));
    expect([index.countOf("*|a"), index.countOf("*|b"), fired]).toEqual([0, 1, 1]);
  });
});

describe("which files", () => {
  test("ignored ones, at any depth, with exceptions; excluded ones; never node_modules", async () => {
    const index = new Workspace({
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
    }).open(["*|a"], { exclude: ["tests/**/*.{ts,vue}"] });
    await index.build();
    expect(index.usesOf("*|a").map(({ path }) => path)).toEqual([
      "resources/views/vendor/mail.blade.php",
      "secret/c.ts",
      "src/keep.gen.ts",
      "tests/deep/t.tsx",
    ]);
  });

  test("templates only where the project has them; never installed packages", async () => {
    const files = {
      "a.html": `{% trans "a" %}`,
      "style.css": "/* Theme Name: x */",
      ".venv/lib/b.py": `_("b")`,
      "lib/site-packages/c.py": `_("c")`,
    };
    const plain = new Workspace(files).open([]);
    await plain.build();
    await plain.update("a.html");
    plain.updateText("style.css", "/* Theme Name: y */");
    expect([...plain.stats.leftOut, plain.stats.files]).toEqual([0]);
    const find = { frameworks: new Set(["django", "gettext"] as const), functions: [] };
    const django = new Workspace(files).open([], { find, lookup: find });
    await django.build();
    expect([django.stats.files, django.stats.uses]).toEqual([1, 1]);
  });

  test("only included ones", async () => {
    const index = new Workspace({ "a/x.ts": `t("a")`, "b/x.ts": `t("a")`, "b/x.vue": `{{ $t("a") }}` }).open(
      ["*|a"],
      {
        include: ["b/**/*.{ts,tsx}"],
      },
    );
    await index.update("a/x.ts");
    await index.update("b/x.ts");
    expect(index.usesOf("*|a").map(({ path }) => path)).toEqual(["b/x.ts"]);
  });

  test("what is left out is told, with the reason", async () => {
    const index = new Workspace({
      "min.js": `t("a");${"x();".repeat(10_000)}`,
      "big.php": `<?php __("a");\n${"// it's long\n".repeat(200_000)}`,
      "huge.ts": `t("a")\n${"// long\n".repeat(1_100_000)}`,
      "binary.js": `t("a")\0\0\0`,
      "locked.ts": "unreadable",
    }).open(["*|a"]);
    await index.build();
    expect(index.countOf("*|a")).toBe(0);
    expect(index.stats.leftOut).toEqual([
      { path: "big.php", reason: "too-large" },
      { path: "binary.js", reason: "not-text" },
      { path: "huge.ts", reason: "too-large" },
      { path: "locked.ts", reason: "unreadable" },
      { path: "min.js", reason: "minified" },
    ]);
  });

  test("a long file is searched in parts, and gives way between them", async () => {
    const block = `function f() {\n  const { t } = useTranslation("n");\n  return t("a");\n}\n\n`;
    const text = block.repeat(40_000);
    const workspace = new Workspace({ "long.ts": text });
    workspace.step = 15;
    const index = workspace.open(["n|a"]);
    await index.build();
    expect(text.length).toBeGreaterThan(2_000_000);
    expect(index.countOf("n|a")).toBe(40_000);
    expect(
      index.usesOf("n|a").every(({ span }) => text.slice(span.start - 3, span.end + 2) === 't("a")'),
    ).toBe(true);
    expect(workspace.yields).toBeGreaterThan(5);
  });
});

describe("keeping up", () => {
  test("a second window reads nothing that did not change, and forgets what is gone", async () => {
    const workspace = new Workspace({
      "a.ts": `t("a")`,
      "b.ts": `t("b"); t("é😀"); t("a." + x)`,
      "c.ts": `t("a")`,
    });
    const keys = ["*|a", "*|b", "*|é😀", "*|a.x"];
    await workspace.open(keys).build();
    expect(workspace.reads).toEqual(["a.ts", "b.ts", "c.ts"]);
    workspace.reads = [];
    workspace.set("a.ts", `t("b")`);
    workspace.texts.delete("c.ts");
    const again = workspace.open(keys);
    await again.build();
    expect(workspace.reads).toEqual(["a.ts"]);
    expect(keys.map((hash) => again.countOf(hash))).toEqual([0, 2, 1, 0]);
    expect(used(again, "*|b")).toEqual(["a.ts:3-4", "b.ts:3-4"]);
    expect(again.patterns().map(({ pattern }) => pattern)).toEqual(["a.*"]);
  });

  test("what was kept under other options, or is damaged, is not taken", async () => {
    const workspace = new Workspace({ "a.ts": `tr("a")` });
    await workspace.open(["*|a"]).build();
    const own = { frameworks: new Set<never>(), functions: [{ name: "tr", key: 0 }] };
    const other = workspace.open(["*|a"], { find: own });
    await other.build();
    expect(other.countOf("*|a")).toBe(1);
    const bytes = workspace.stored.get("usages");
    for (const damaged of [
      bytes?.slice(0, 40),
      bytes?.slice(0, -1),
      new Uint8Array(3),
      new Uint8Array(64).fill(255),
    ]) {
      workspace.stored.set("usages", damaged ?? new Uint8Array());
      const index = workspace.open(["*|a"], { find: own });
      await index.build();
      expect(index.countOf("*|a")).toBe(1);
    }
  });

  test("one file at a time", async () => {
    const workspace = new Workspace({ "a.ts": `t("a")` });
    const index = workspace.open(["*|a", "*|b", "*|c"]);
    await index.build();
    workspace.set("a.ts", `t("b"); t("b")`);
    await index.update("a.ts");
    expect([index.countOf("*|a"), index.countOf("*|b")]).toEqual([0, 2]);
    index.updateText("a.ts", `t("c")`);
    expect([index.countOf("*|b"), index.countOf("*|c")]).toEqual([0, 1]);
    workspace.texts.delete("a.ts");
    await index.update("a.ts");
    expect([index.countOf("*|c"), index.stats.files, index.stats.uses]).toEqual([0, 0, 0]);
  });

  test("what is typed again and again leaves nothing behind", async () => {
    const index = new Workspace({}).open(["*|key"]);
    for (let round = 0; round < 3; round++) {
      for (let length = 1; length <= 3; length++)
        index.updateText("a.ts", `t("${"key".slice(0, length)}"); t("x${round}" + y)`);
    }
    expect(index.countOf("*|key")).toBe(1);
    expect(index.patterns().map(({ pattern }) => pattern)).toEqual(["x2*"]);
    expect(index.unknown()).toEqual([]);
  });

  test("a file that is mended while a build goes on is not put back", async () => {
    const workspace = new Workspace({ "a.ts": `t("a")` });
    const index = workspace.open(["*|a", "*|b"]);
    workspace.onRead = () => index.updateText("a.ts", `t("b")`);
    await index.build();
    expect([index.countOf("*|a"), index.countOf("*|b")]).toEqual([0, 1]);
  });

  test("an abort ends a build with its reason, and keeps what was read", async () => {
    const workspace = new Workspace(
      Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}.ts`, `t("a")`])),
    );
    const index = workspace.open(["*|a"]);
    const controller = new AbortController();
    workspace.onRead = () => {
      if (workspace.reads.length === 20) controller.abort(new Error("enough"));
    };
    await expect(index.build(controller.signal)).rejects.toThrow("enough");
    expect(index.stats.complete).toBe(false);
    expect(index.countOf("*|a")).toBeGreaterThanOrEqual(1);
    expect(index.countOf("*|a")).toBeLessThan(50);
  });

  test("work is cut into slices", async () => {
    const workspace = new Workspace(
      Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}.ts`, `t("a")`])),
    );
    workspace.step = 5;
    await workspace.open(["*|a"]).build();
    expect(workspace.yields).toBeGreaterThan(20);
  });
});
