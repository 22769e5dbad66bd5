/** Format strings: `msgfmt --check-format` decides what is right. */
import { describe, expect, test } from "vitest";
import { checkPlaceholders } from "../../../src/model/placeholder-checks.ts";
import type { FormatStringFamily } from "../../../src/model/placeholders.ts";
import { expectLinearTime } from "../support/linear-time.ts";
import { requireTool, run } from "../support/reference-tools.ts";

const issues = (family: FormatStringFamily, source: string, translation: string): string[] =>
  checkPlaceholders([family], { value: source }, { value: translation }, "nl").map(
    ({ rule, placeholder, suggestion }) => `${rule} ${placeholder} -> ${suggestion}`,
  );

test.each<[FormatStringFamily, string, string, string[]]>([
  ["c-format", "%d of %s", "%x van %s", ["printf.type %x -> %d van %s"]],
  ["c-format", "%s", "%s 100%", ["printf.syntax % -> %s 100%%"]],
  ["c-format", "%ld", "%d", ["printf.type %d -> "]],
  // Only a translation may ask for the digits of its language.
  ["c-format", "%d", "%Id", []],
  ["c-format", "%Id", "x", []],
  ["php-format", "%d", "%x", []],
  ["php-format", "%1$s %2$d", "%2$d %1$s", []],
  ["php-format", "%s", "100 % %s", ["printf.syntax %  -> 100 %% %s"]],
  ["php-format", "%s", "%y", ["printf.syntax %y -> "]],
  ["python-format", "%(n)d", "%(m)d", ["printf.missing %(n)d -> %(n)d"]],
  ["python-format", "%d", "%(n)d", ["printf.missing %d -> %d"]],
  ["javascript-format", "%s %d", "%d %s", ["printf.type %d -> ", "printf.type %s -> "]],
  ["python-brace-format", "{name}", "{naam}", ["python-brace.missing {name} -> {name}"]],
  ["python-brace-format", "{count:d}", "{count}", []],
  ["python-brace-format", "{0} of {1}", "{0} van {2}", ["python-brace.missing {1} -> {0} van {1}"]],
  ["python-brace-format", "{folder!r}", "{map!r}", ["python-brace.missing {folder!r} -> {folder!r}"]],
  ["python-brace-format", "{user.name}", "{user}", ["python-brace.missing {user.name} -> {user.name}"]],
  ["python-brace-format", "{percent}% of", "{percent}% van", []],
  ["python-brace-format", "{a}", "{a", ["python-brace.syntax { -> "]],
  // What is no format string in the source text cannot be wrong in a translation.
  ["c-format", "100%", "100 %", []],
  ["python-brace-format", "{ a }", "{ b }", []],
])("%s: %s, %s", (family, source, translation, expected) => {
  expect(issues(family, source, translation)).toEqual(expected);
});

test("a form for few numbers may omit arguments, others not", () => {
  const source = { forms: { one: "a file", other: "%d files" } };
  const check = (family: FormatStringFamily, locale: string, forms: Record<string, string>): string[] =>
    checkPlaceholders([family], source, { forms }, locale).map(({ form, rule }) => `${form} ${rule}`);
  expect(check("c-format", "cs", { one: "a", few: "b", other: "%d c" })).toEqual([]);
  expect(check("c-format", "ru", { one: "a", few: "%d b", many: "%d c" })).toEqual(["one printf.missing"]);
  expect(check("c-format", "nl", { one: "%s", other: "%d c" })).toEqual(["one printf.type"]);
  // Python counts the arguments.
  expect(check("python-format", "nl", { one: "a", other: "%d c" })).toEqual(["one printf.missing"]);
});

test("takes linear time", () => {
  for (const family of ["c-format", "php-format", "python-format", "python-brace-format"] as const) {
    for (const piece of ["%", "%(", "%((", "{", "{a:", "{a[", "%1$", "%'"]) {
      const work = (count: number): void => {
        issues(family, "x", piece.repeat(count));
        issues(family, piece.repeat(count), "x");
      };
      expectLinearTime(work, 50_000, piece);
    }
  }
});

/** Pieces of format strings that all versions of msgfmt know. */
const PIECES: Readonly<Record<FormatStringFamily, readonly string[]>> = {
  "c-format": [
    "%s",
    "%d",
    "%u",
    "%ld",
    "%lld",
    "%5.2f",
    "%Lf",
    "%c",
    "%%",
    "%",
    "%y",
    "%1$s",
    "%2$d",
    "%3$s",
    "%*d",
  ],
  "php-format": [
    "%s",
    "%d",
    "%x",
    "%e",
    "%c",
    "%%",
    "%",
    "%y",
    "%1$s",
    "%2$d",
    "%3$s",
    "%'*10s",
    "%.2f",
    "100% of",
  ],
  "python-format": [
    "%s",
    "%r",
    "%d",
    "%x",
    "%g",
    "%c",
    "%%",
    "%",
    "%(a)s",
    "%(b)d",
    "%(a",
    "%*d",
    "%.0s",
    "100% of",
  ],
  "javascript-format": [
    "%s",
    "%d",
    "%x",
    "%f",
    "%c",
    "%j",
    "%%",
    "%",
    "%y",
    "%1$s",
    "%2$d",
    "%5d",
    "%u",
    "5%",
  ],
  "python-brace-format": [
    "{name}",
    "{0}",
    "{1}",
    "{a.b}",
    "{a[0]}",
    "{{",
    "}}",
    "{",
    "}",
    "{ n }",
    "{q:d}",
    "{a.0}",
  ],
};

describe("msgfmt agrees", () => {
  test.for(Object.entries(PIECES) as [FormatStringFamily, readonly string[]][])(
    "on %s",
    ([family, pieces], context) => {
      requireTool(context, "gettext");
      const pairs = pieces.flatMap((one) =>
        pieces.flatMap((two) => [
          [`${one} x`, `${two} x`],
          [`${one} ${two} x`, `${two} x`],
          [`${one} ${two} x`, `${two} ${one} x`],
          [`${one} x`, `${one} ${two} x`],
        ]),
      );
      const wrong = wrongByMsgfmt(family, pairs as [string, string][]);
      const different = pairs.filter(
        ([source = "", text = ""], index) => issues(family, source, text).length > 0 !== wrong.has(index),
      );
      expect(different).toEqual([]);
    },
  );
});

/** Returns the indexes of the pairs that msgfmt rejects. */
function wrongByMsgfmt(flag: string, pairs: readonly [string, string][]): ReadonlySet<number> {
  const header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n';
  // Five lines each, from the third on; the context makes them distinct.
  const messages = pairs.map(
    ([source, text], index) =>
      `\n#, ${flag}\nmsgctxt "${index}"\nmsgid ${JSON.stringify(source)}\nmsgstr ${JSON.stringify(text)}\n`,
  );
  let errors = "";
  try {
    run("msgfmt", ["--check-format", "-o", "-", "-"], header + messages.join(""));
  } catch (error) {
    errors = String(error);
  }
  return new Set([...errors.matchAll(/:(\d+): /gu)].map(([, line]) => Math.floor((Number(line) - 3) / 5)));
}
