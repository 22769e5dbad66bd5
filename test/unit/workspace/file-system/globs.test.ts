/** Which paths globs match, and which folders may contain them. */
import { matchesGlob } from "node:path/posix";
import { describe, expect, test } from "vitest";
import {
  expandBraces,
  globFilter,
  isBoundedGlob,
  isTooDeep,
  pathMatcher,
  withoutParents,
} from "../../../../src/workspace/file-system/globs.ts";
import { APP_GLOBS } from "../../../../src/workspace/file-layout/detect-layouts.ts";
import { MANIFEST_GLOBS } from "../../../../src/workspace/project-detection/detect-frameworks.ts";
import { SOURCE_LANGUAGE_GLOBS } from "../../../../src/workspace/project-detection/detect-source-language.ts";

const PATHS = [
  "package.json",
  "composer.json",
  "sub/package.json",
  "packages/one/package.json",
  "packages/one/deep/package.json",
  "requirements-dev.txt",
  "requirements/base.txt",
  "wp-content/plugins/shop/shop.php",
  "plugins/shop/style.css",
  "lang/en/cart.php",
  "app/locales/nl.js",
  "po/LINGUAS",
  "src/i18n/index.ts",
  "src/i18n.ts",
  "nuxt.config.ts",
  "config/app.php",
  "a+b (c).json",
  "a,b.json",
  "a,c.json",
];

describe("globs of this extension", () => {
  test.each([
    ...APP_GLOBS,
    ...MANIFEST_GLOBS,
    ...SOURCE_LANGUAGE_GLOBS,
    "**/*",
    "*.json",
    "a+b (c).json",
    "a,b.json",
    "{a,b}.json",
    "{a,b},c.json",
    "lang/**",
    "lang/??/c?rt.php",
    "lang?en/*.php",
    "?.ts",
  ])("%s matches what it matches in Node", (glob) => {
    const { matches } = globFilter([glob]);
    expect(PATHS.filter(matches)).toEqual(PATHS.filter((path) => matchesGlob(path, glob)));
  });

  test.each([...APP_GLOBS, ...MANIFEST_GLOBS, ...SOURCE_LANGUAGE_GLOBS])(
    "the folders of what %s matches are searched",
    (glob) => {
      const { matches, mayContain } = globFilter([glob]);
      const folders = PATHS.filter(matches).flatMap((path) => {
        const parts = path.split("/").slice(0, -1);
        return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
      });
      expect(folders.filter((folder) => !mayContain(folder))).toEqual([]);
    },
  );
});

test.each([
  ["{composer,package}.json", "packages", false],
  ["{apps,packages}/*/package.json", "packages", true],
  ["{apps,packages}/*/package.json", "src", false],
  ["{apps,packages}/*/package.json", "packages/one", true],
  ["{apps,packages}/*/package.json", "packages/one/src", false],
  ["src/**/*.ts", "src", true],
  ["src/**/*.ts", "src/a/b", true],
  ["src/**/*.ts", "lib", false],
  ["**/*.ts", "lib/a", true],
  ["src/*.ts", "src", true],
  ["src/*.ts", "src/a.ts", false],
  ["lib/**/x/*.ts", "lib/a/b", true],
  ["lib/**/x/*.ts", "library", false],
  ["lib/one/**/*.ts", "lib/two", false],
  ["lib/**.ts", "lib/a/b", true],
])("%s may match below “%s”: %s", (glob, folder, expected) => {
  expect(globFilter([glob]).mayContain(folder)).toBe(expected);
});

test.each([
  ["a", ["a"]],
  ["{a,b}/{c,d}", ["a/c", "a/d", "b/c", "b/d"]],
  ["{a,{b,c}}.ts", ["a.ts", "b.ts", "a.ts", "c.ts"]],
  ["{,x/}$&.ts", ["$&.ts", "x/$&.ts"]],
  ["{$&,$1}.ts", ["$&.ts", "$1.ts"]],
])("the braces of %s are expanded", (glob, expected) => {
  expect(expandBraces(glob).toSorted()).toEqual(expected.toSorted());
});

test("braces are expanded to a limited number of globs", () => {
  expect(expandBraces("{a,b}".repeat(7))).toHaveLength(128);
  expect(expandBraces("{a,b}".repeat(30)).length).toBeLessThanOrEqual(512);
});

test.each([
  ["a/**/b/**/c", true],
  ["**/a/**/b/**/c", true],
  ["/**/a/**/b/**/c", true],
  ["!**/a/**/b/**/c", true],
  ["!/**/a/**/b/**/c", true],
  ["a/**/b/**/c/**/d", false],
  ["**/a/**/b/**/c/**/d", false],
  ["a/**/**/**/**/b", true],
  ["a/***/**/****/b/**/c", true],
  ["x".repeat(1_000), true],
  ["x".repeat(1_001), false],
])("a glob is used if matching it takes bounded time: %s, %s", (glob, expected) => {
  expect(isBoundedGlob(glob)).toBe(expected);
});

test.each([
  [64, false],
  [65, true],
  [10_000, true],
])("a path in %d folders is too deep: %s", (folders, expected) => {
  expect(isTooDeep(`${"a/".repeat(folders)}b`)).toBe(expected);
});

test.each([
  ["../common/a.ts", "common/a.ts"],
  ["../../common/a.ts", "common/a.ts"],
  ["../a.ts", "../a.ts"],
  ["src/../a.ts", "src/../a.ts"],
  ["src/a.ts", "src/a.ts"],
])("the path %s without what leads out of the folder is %s", (path, expected) => {
  expect(withoutParents(path)).toBe(expected);
});

test.each<[string, readonly string[], string, boolean]>([
  ["one of several globs", ["a/*.ts", "b/*.{js,ts}"], "b/x.js", true],
  ["none of them", ["a/*.ts", "b/*.{js,ts}"], "b/x.css", false],
  ["a folder outside by its name", ["../common/**"], "../../common/a.ts", true],
  ["any file", ["**"], "a/b", true],
  ["no path that is none of a folder", ["**"], "/a", false],
  ["no path in too many folders", ["**"], `${"a/".repeat(65)}b`, false],
  ["no path by a glob that would take long", ["a/**/b/**/c/**/d"], "a/b/c/d", false],
])("matches %s", (_, globs, path, expected) => {
  expect(pathMatcher(globs)(path)).toBe(expected);
});
