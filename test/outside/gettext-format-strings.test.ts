/** gettext's own lists of valid and invalid format strings (`gettext-tools/tests/format-*`). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { checkPlaceholders } from "../../src/model/placeholder-checks.ts";
import { type FormatStringFamily, parseFormat } from "../../src/model/placeholders.ts";
import { expectShare, type OutsideCase, projectFolder } from "./outside-suite.ts";

const TESTS = "gettext-tools/tests";
const LANGUAGES: readonly (readonly [name: string, family: FormatStringFamily])[] = [
  ["c", "c-format"],
  ["php", "php-format"],
  ["python", "python-format"],
  ["python-brace", "python-brace-format"],
  ["javascript", "javascript-format"],
];

/** Returns the lines of the data that the shell script contains, with the verdict of the comment before them. */
function listed(script: string, pattern: RegExp): RegExpMatchArray[] {
  const [, data = ""] = /<<\\EOF > \S+\.data\n([\s\S]*?)\nEOF\n/u.exec(script) ?? [];
  return [...data.matchAll(pattern)];
}

describe.each(LANGUAGES)("%s", (name, family) => {
  test("pairs that msgfmt accepts and rejects", (context) => {
    const folder = projectFolder(context, "gettext", "autotools-mirror/gettext", `${TESTS}/format-${name}-2`);
    const script = readFileSync(join(folder, TESTS, `format-${name}-2`), "utf8");
    const pairs = listed(script, /^# (Valid|Invalid): .*\nmsgid {2}"(.*)"\nmsgstr "(.*)"$/gmu);
    const cases = pairs.map(([, verdict, source = "", translation = ""]): OutsideCase => {
      const issues = checkPlaceholders([family], { value: source }, { value: translation }, "nl");
      return {
        name: `${verdict}: ${source} / ${translation}`,
        isRight: (issues.length === 0) === (verdict === "Valid"),
      };
    });
    expectShare(`gettext format-${name}-2`, cases, 0.98);
  });

  test("format strings that xgettext recognises", (context) => {
    const folder = projectFolder(context, "gettext", "autotools-mirror/gettext", `${TESTS}/format-${name}-1`);
    const script = readFileSync(join(folder, TESTS, `format-${name}-1`), "utf8");
    const strings = listed(script, /^# (Valid|Invalid): (.*)\n"(.*)"$/gmu).filter(
      ([, , why = "", text = ""]) => {
        // Valid, but not marked as a format string without a field.
        if (family === "python-brace-format" && !text.replaceAll("{{", "").includes("{")) return false;
        // Sizes that a conversion does not have: msgfmt 0.21 ignores them, and so do we.
        if (/size specifier/u.test(why) && family === "c-format") return false;
        // Python accepts any format after the colon; it is only judged by gettext's rules where the source text is valid.
        return !(family === "python-brace-format" && /format specifier|precision/u.test(why));
      },
    );
    const cases = strings.map(([, verdict, why, text = ""]): OutsideCase => {
      const isValid = parseFormat(family, text).error === null;
      return { name: `${verdict}: ${why}: ${text}`, isRight: isValid === (verdict === "Valid") };
    });
    expectShare(`gettext format-${name}-1`, cases, 0.98);
  });
});
