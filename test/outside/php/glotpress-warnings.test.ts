/** Pairs of source text and translation for which GlotPress warns of placeholders, or does not. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { checkPlaceholders } from "../../../src/model/placeholder-checks.ts";
import { requireTool, runText } from "../../unit/support/reference-tools.ts";
import { expectShare, type OutsideCase, projectFolder } from "../outside-suite.ts";

const TESTS = "tests/phpunit/testcases/test_builtin_warnings.php";
/** GlotPress's order of the plural forms by their number. */
const FORMS: readonly (readonly string[])[] = [[], ["other"], ["one", "other"], ["one", "few", "many"]];

/** Runs the body of a test with the functions; they record what it asserts. */
function record(file: string, name: string, functions: string, replace: (body: string) => string): unknown {
  const php = readFileSync(file, "utf8");
  const [, body = ""] =
    new RegExp(`function ${name}\\(\\) \\{\\n([\\s\\S]*?)\\n\\t\\}\\n`, "u").exec(php) ?? [];
  const code = `$all = []; ${functions} ${replace(body)} echo json_encode($all);`;
  return JSON.parse(runText("php", ["-n", "-r", code])) as unknown;
}

test("pairs", (context) => {
  const folder = projectFolder(context, "GlotPress", "GlotPress/GlotPress", TESTS);
  requireTool(context, "php");
  const pairs = record(
    join(folder, TESTS),
    "test_placeholders",
    "function warns($is, $rule, $source, $translation) { $GLOBALS['all'][] = [$is, $source, $translation]; }",
    (body) =>
      body
        .replaceAll("$this->assertNoWarnings(", "warns(false,")
        .replaceAll("$this->assertHasWarningsAndContainsOutput(", "warns(true,"),
  ) as readonly (readonly [boolean, string, string])[];
  const cases = pairs.map(([warns, source, translation]): OutsideCase => {
    const issues = checkPlaceholders(["printf"], { value: source }, { value: translation }, "bg");
    return {
      name: `${warns ? "invalid" : "valid"}: ${source} / ${translation}`,
      isRight: issues.length > 0 === warns,
    };
  });
  expectShare("GlotPress placeholders", cases, 0.98);
});

test("plural forms", (context) => {
  const folder = projectFolder(context, "GlotPress", "GlotPress/GlotPress", TESTS);
  requireTool(context, "php");
  const checks = record(
    join(folder, TESTS),
    "test_placeholders_using_check",
    `function check($singular, $plural, $forms, $locale) { return [$singular, $plural, $forms, $locale["nplurals"]]; }
     function expects($warnings, $check) { $GLOBALS['all'][] = [array_keys($warnings ?? []), ...$check]; }`,
    (body) =>
      body
        .replace(/^[\s\S]*?(?=\$fr =)/u, "")
        .replaceAll("new GP_Locale(", "(")
        .replaceAll("$this->assertEquals(", "expects(")
        .replaceAll("$w->check(", "check("),
  ) as readonly (readonly [number[], string, string, (string | null)[], number])[];
  const cases = checks.map(([warned, one, other, texts, count]): OutsideCase => {
    const names = FORMS[count] ?? [];
    const forms = Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
    // The languages of the tests by their number of forms.
    const locale = ["", "ja", "de", "ru"][count] ?? "";
    const issues = checkPlaceholders(["printf"], { forms: { one, other } }, { forms }, locale);
    const found = [...new Set(issues.map(({ form }) => names.indexOf(form)))];
    return {
      name: `${one} | ${other} / ${texts.join(" | ")}: ${found.join(", ")}, not ${warned.join(", ")}`,
      isRight: found.join() === warned.join(),
    };
  });
  expectShare("GlotPress plural forms", cases, 0.98);
});
