/** Malicious globs, layouts and ignore rules are evaluated in bounded time, and ordinary ones keep their meaning. */
import { describe, expect, test } from "vitest";
import { keyPatternMatcher } from "../../../src/model/key-hash.ts";
import {
  globOf,
  matchPath,
  keyNamingOf,
  locateKey,
} from "../../../src/workspace/file-layout/path-patterns.ts";
import { isBoundedGlob, pathMatcher } from "../../../src/workspace/file-system/globs.ts";
import { IgnoreRules } from "../../../src/workspace/usages/list-source-files.ts";
import { cpuTime } from "../support/cpu-time.ts";

/** Milliseconds; each of these took minutes, or the rest of the day. */
const AT_ONCE = 2_000;

const LONG_NAME = `${"a".repeat(4000)}c`;
const DEEP = `${"a/".repeat(60)}c`;
const DEEPEST = `${"a/".repeat(2000)}c`;

function atOnce(work: () => unknown): void {
  const started = cpuTime();
  work();
  expect(cpuTime() - started).toBeLessThan(AT_ONCE);
}

describe("key pattern", () => {
  test("with many stars is matched at once", () => {
    const isMeant = keyPatternMatcher(`${"*a".repeat(500)}b`);
    atOnce(() => expect(isMeant(LONG_NAME)).toBe(false));
    atOnce(() => expect(keyPatternMatcher(`${"*a".repeat(500)}*`)(LONG_NAME)).toBe(true));
  });

  test.each([
    ["validation.*", "validation.min", true],
    ["validation.*", "validation.", true],
    ["validation.*", "xvalidation.min", false],
    ["*.title", "cart.title", true],
    ["*.title", "cart.titles", false],
    ["a*b*c", "a1b2c", true],
    ["a*b*c", "a1c2b", false],
    ["ab*ba", "aba", false],
    ["**", "", true],
    ["a.b", "a.b", true],
    ["a.b", "axb", false],
    ["a\nb*", "a\nbc\n", true],
    ["__proto__*", "__proto__.x", true],
  ])("%j matches %j: %s", (glob, name, means) => {
    expect(keyPatternMatcher(glob)(name)).toBe(means);
  });
});

describe("layout", () => {
  const many = "{namespace}{locale}".repeat(30);

  test.each([`${many}.json`, `${"{namespace}/".repeat(30)}x.json`, `{package}${many}{package}.php`])(
    "%s is matched at once",
    (pattern) => {
      for (const path of [LONG_NAME, DEEP, DEEPEST, `${DEEP}.json`]) atOnce(() => matchPath(pattern, path));
      atOnce(() =>
        keyNamingOf({ path: pattern, format: "json_js" }, { locale: "nl", namespace: "a", package: "b" }),
      );
      atOnce(() =>
        locateKey(
          { path: pattern, format: "json_js", namespace: many, keyPrefix: `${many}.` },
          { namespace: LONG_NAME, key: `${"a.".repeat(2000)}b` },
        ),
      );
      expect(globOf(pattern).split("*").length).toBeLessThan(20);
    },
  );

  test.each([
    "{package}a{namespace}a{locale}{package}{namespace}{locale}b",
    "{package}{namespace}{locale}b",
    "{locale}{package}a{namespace}{namespace}a{locale}.json",
  ])("%s, with the maximum of placeholders, is matched quickly", (pattern) => {
    for (const path of ["a".repeat(255), DEEP, "a/".repeat(500)]) atOnce(() => matchPath(pattern, path));
  });

  test("with too many placeholders is searched by its folder", () => {
    expect(globOf("a/{locale}/{package}/{locale}/b-{package}/{locale}-{namespace}.json")).toBe(
      "a/*/*/*/b-*/**/*",
    );
  });

  test("a repeated placeholder must have the same value", () => {
    expect(matchPath("{namespace}/{namespace}.json", "a/b/a/b.json")?.namespace).toBe("a/b");
    expect(matchPath("{namespace}/{namespace}.json", "a/b.json")).toBeNull();
    expect(matchPath("{locale}1/{locale}12.json", "nl1/nl12.json")?.locale).toBe("nl");
  });
});

describe("file globs", () => {
  const wild = ["**/a/".repeat(12), "/**/*/**/".repeat(6), "a/**/".repeat(9)].map((glob) => `${glob}b`);

  test.each(wild)("%s is ignored", (glob) => {
    expect(isBoundedGlob(glob)).toBe(false);
    for (const path of [DEEP, DEEPEST]) {
      atOnce(() => expect(pathMatcher([glob])(path)).toBe(false));
      atOnce(() =>
        IgnoreRules.of([glob])
          .with({ folder: "", text: `${glob}\n!${glob}\n` })
          .ignores(path),
      );
    }
  });

  test("endless stars and braces are matched at once", () => {
    for (const glob of [
      "**/".repeat(300) + "x",
      "*a".repeat(300),
      "[a-z]*".repeat(200),
      "{a,b}".repeat(60),
      "{a,".repeat(5000),
    ])
      atOnce(() => pathMatcher([glob])(DEEP));
  });

  test("ordinary globs match as before", () => {
    const rules = IgnoreRules.of(["**/*.{spec,test}.ts"]).with({
      folder: "",
      text: "/build/\n**/tmp/**\nsrc/**/gen/**/*.ts\n!keep.ts\r\n# x\n",
    });
    const searched = (path: string): boolean => !rules.ignores(path);
    expect(["build/a.ts", "a/tmp/b.ts", "src/x/gen/y/z.ts", "a/b.spec.ts"].filter(searched)).toEqual([]);
    expect(["a/build/x.ts", "src/gen.ts", "src/a/b.ts"].filter(searched)).toHaveLength(3);
    expect(isBoundedGlob("**/src/**/lang/**/x/**")).toBe(true);
  });
});
