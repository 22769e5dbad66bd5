/** Which paths globs match, and which folders may contain them. */
import { matchesGlob } from "node:path/posix";
import { describe, expect, test } from "vitest";
import { globFilter } from "../../../../src/workspace/file-system/globs.ts";
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
])("%s may match below “%s”: %s", (glob, folder, expected) => {
  expect(globFilter([glob]).mayContain(folder)).toBe(expected);
});
