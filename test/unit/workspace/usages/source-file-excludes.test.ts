/** Which files are searched for usages. */
import { describe, expect, test } from "vitest";
import { isBoundedGlob, pathMatcher } from "../../../../src/workspace/file-system/globs.ts";
import { IgnoreRules, exclusionReason } from "../../../../src/workspace/usages/list-source-files.ts";

describe("ignored files", () => {
  test.each([
    ["node_modules/", true],
    ["app/node_modules/x/a.js", true],
    ["vendor/x/a.php", true],
    ["app/vendor/a.php", false],
    ["public/build/a.js", true],
    ["app/public/build/a.js", false],
    ["lib/a.min.js", true],
    ["web/bower_components/a.js", true],
    [".git/hooks/a.py", true],
    [".hg/a.py", true],
    [".svn/a.py", true],
    [".venv/a.py", true],
    ["lib/site-packages/a.py", true],
    ["lib/__pycache__/a.py", true],
    ["storage/framework/views/a.php", true],
    ["app/storage/framework/a.php", false],
    ["public/vendor/a.js", true],
    ["app/public/vendor/a.js", false],
    ["node_modules.ts", false],
    ["lib/a.js", false],
    ["generated/", true],
    ["app/a.gen.ts", true],
    ["app/a.gen.js", true],
    ["app/a.gen.php", false],
  ])("%s: %s", (path, isLeftOut) => {
    expect(IgnoreRules.of(["generated/", "*.gen.{ts,js}"]).ignores(path)).toBe(isLeftOut);
  });

  test.each([
    ["a.log", true],
    ["app/a.log", true],
    ["app/keep.log", false],
    ["app/deep/keep.log", true],
    ["app/out/a.ts", true],
    ["app/deep/out/a.ts", false],
    ["out/a.ts", false],
    ["application/out/a.ts", false],
    ["app/", false],
    ["app/secret.ts", true],
  ])("by several .gitignore files, of which deeper ones win, %s: %s", (path, isLeftOut) => {
    const rules = IgnoreRules.of([])
      .with({ folder: "", text: "*.log\r\nsecret.ts\n" })
      .with({ folder: "app", text: "/out\n!keep.log\n# !secret.ts" })
      .with({ folder: "app/deep", text: "*.log" });
    expect(rules.ignores(path)).toBe(isLeftOut);
  });

  test("by a rule for a folder's content, but not the folder itself", () => {
    const rules = IgnoreRules.of([]).with({ folder: "app", text: "*" });
    expect(["app/", "app/a.ts", "b.ts"].map((path) => rules.ignores(path))).toEqual([false, true, false]);
  });

  test("by a rule that takes long to match, not", () => {
    const rules = (text: string): IgnoreRules => IgnoreRules.of([]).with({ folder: "", text });
    expect(rules("a/**/b/**/c\n").ignores("a/x/b/x/c")).toBe(true);
    expect(rules("a/**/b/**/c/**/d\nx.ts\n").ignores("a/x/b/x/c/x/d")).toBe(false);
    expect(rules("a/**/b/**/c/**/d\nx.ts\n").ignores("x.ts")).toBe(true);
  });

  test("below 64 levels", () => {
    const path = (folders: number): string => `${"a/".repeat(folders)}a.ts`;
    const rules = IgnoreRules.of([]);
    expect([rules.ignores(path(64)), rules.ignores(path(65))]).toEqual([false, true]);
    const matches = pathMatcher(["*.ts"]);
    expect([matches(path(64)), matches(path(65))]).toEqual([true, false]);
  });

  test("outside of the folder", () => {
    expect(IgnoreRules.of([]).ignores("../a.ts")).toBe(true);
    expect(pathMatcher(["**"])("../a.ts")).toBe(false);
  });
});

describe("globs", () => {
  test.each<[readonly string[], string, boolean]>([
    [["**/*.{ts,tsx}"], "src/a.tsx", true],
    [["**/*.{ts,tsx}"], "src/a.js", false],
    [["{src,app/{web,api}}/*.ts"], "app/api/a.ts", true],
    [["{src,app/{web,api}}/*.ts"], "app/cli/a.ts", false],
    [["src/**/a.ts", "lib/*.ts"], "lib/b.ts", true],
    [[], "a.ts", false],
  ])("%j matches %s: %s", (globs, path, isFound) => {
    expect(pathMatcher(globs)(path)).toBe(isFound);
  });

  test.each([
    ["**/a/**/b/**/c", true],
    ["a/**/b/**/c", true],
    ["a/**/b/**/c/**/d", false],
    ["!**/a/**/b", true],
    ["a/**/**/**/b", true],
    ["a".repeat(1_000), true],
    ["a".repeat(1_001), false],
  ])("is matched in time: %s: %s", (glob, isTried) => {
    expect(isBoundedGlob(glob)).toBe(isTried);
  });
});

describe("text detection", () => {
  const line = (length: number): string => `${"x".repeat(length - 1)}\n`;

  test.each<[string, string, string | null]>([
    ["of lines of 300 characters is minified", line(303).repeat(100), "minified"],
    ["of shorter lines is not", line(302).repeat(100), null],
    ["of one line of 20,000 characters is", "x".repeat(20_000), "minified"],
    ["of one shorter line is not", "x".repeat(19_999), null],
    ["with a zero byte near its beginning is none", `${"x".repeat(999)}\0`, "not-text"],
    ["with one further down is", `${"x".repeat(1_000)}\0`, null],
  ])("%s", (_, text, reason) => {
    expect(exclusionReason(text)).toBe(reason);
  });
});
