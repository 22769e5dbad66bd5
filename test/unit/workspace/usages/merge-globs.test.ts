/** Globs are merged, so that the workspace is searched as few times as possible. */
import { describe, expect, test } from "vitest";
import { DEFAULT_INCLUDE, mergeGlobs } from "../../../../src/workspace/usages/list-source-files.ts";
import { MANIFEST_GLOBS } from "../../../../src/workspace/project-detection/detect-frameworks.ts";
import { optionFileGlobs } from "../../../../src/workspace/project-detection/read-framework-options.ts";

describe("mergeGlobs", () => {
  test("merges all globs if possible", () => {
    expect(mergeGlobs(["**/*.{ts,js}", "po/LINGUAS"])).toEqual(["{**/*.ts,**/*.js,po/LINGUAS}"]);
    expect(mergeGlobs(["**/*.vue"])).toEqual(["**/*.vue"]);
    expect(mergeGlobs([])).toEqual([]);
    for (const globs of [DEFAULT_INCLUDE, MANIFEST_GLOBS, optionFileGlobs(new Set(["i18next"] as const))])
      expect(mergeGlobs(globs)).toHaveLength(1);
  });

  test("keeps nested globs and too many alternatives apart", () => {
    const many = `{${Array.from({ length: 20 }, (_, at) => at).join(",")}}`;
    expect(mergeGlobs(["a{b,{c,d}}", `${many}/${many}/x`, "*.ts"])).toEqual([
      "*.ts",
      "a{b,{c,d}}",
      `${many}/${many}/x`,
    ]);
  });

  test("omits globs that take too long to match", () => {
    expect(mergeGlobs(["**/a/**/b/**/c/**/d/**/e", "*.ts"])).toEqual(["*.ts"]);
  });
});
