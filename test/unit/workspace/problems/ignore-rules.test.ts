/** Diagnostics ignored by a rule of the project file or by a comment. */
import { describe, expect, test } from "vitest";
import { isIgnored, isOnIgnoredLine } from "../../../../src/workspace/problems/ignored-diagnostics.ts";
import { parseProjectFile } from "../../../../src/workspace/project-file/project-file.ts";

const rulesOf = (...ignore: readonly unknown[]) =>
  parseProjectFile(JSON.stringify({ diagnostics: { ignore } })).file.diagnostics?.ignore;

const problem = { code: "unknown-key", path: "src/pages/cart.ts", names: ["cart.title", "cart:title"] };

describe("rule", () => {
  test.each([
    ["cart.title", true],
    ["cart.*", true],
    ["cart:title", true],
    ["title", false],
    ["cart.titles", false],
    ["cart?title", false],
    [{ key: "cart.*", code: "unknown-key" }, true],
    [{ key: "cart.*", code: "too-long" }, false],
    [{ path: "src/**" }, true],
    [{ path: "src/**/*.ts", key: "auth.*" }, false],
    [{ code: "unknown-key" }, true],
  ])("%o matches: %o", (rule, means) => {
    expect(isIgnored(rulesOf(rule), problem)).toBe(means);
  });

  test("is found among others, also when asked again", () => {
    const rules = rulesOf("auth.*", { code: "too-long" }, { path: "src/**" });
    for (const _ of [1, 2]) {
      expect(isIgnored(rules, problem)).toBe(true);
      expect(isIgnored(rules, { ...problem, path: "app/a.ts" })).toBe(false);
    }
    expect(isIgnored([], problem)).toBe(false);
  });

  test("without conditions is invalid, and does not affect others", () => {
    const { file, errors } = parseProjectFile('{ "diagnostics": { "ignore": [{}, "", "a.*", 7] } }');
    expect(file.diagnostics?.ignore).toEqual([{ key: "a.*" }]);
    expect(errors.length).toBeGreaterThan(0);
  });

  test("is optional", () => {
    expect(isIgnored(undefined, problem)).toBe(false);
  });
});

describe("ignore comment", () => {
  const at = (text: string): boolean => isOnIgnoredLine(text, text.indexOf("KEY"));

  test.each([
    ["t(/* project-translations-ignore */ 'KEY')", true],
    ["t('KEY') // project-translations-ignore", true],
    ["# project-translations-ignore-next-line\n_('KEY')", true],
    ["{# project-translations-ignore-next-line #}\r\n{{ 'KEY'|trans }}", true],
    ["t('KEY') // project-translations-ignore-next-line", false],
    ["// project-translations-ignore\nt('KEY')", false],
    ["// project-translations-ignore-next-line\n\nt('KEY')", false],
    ["t('KEY')", false],
  ])("%j matches: %o", (text, means) => {
    expect(at(text)).toBe(means);
  });

  test("applies to its own line", () => {
    const text = "a\nb // project-translations-ignore\nc";
    const found = text.split("").flatMap((_, offset) => (isOnIgnoredLine(text, offset) ? [offset] : []));
    expect([found[0], found.at(-1)]).toEqual([text.indexOf("b"), text.lastIndexOf("\n")]);
  });
});
