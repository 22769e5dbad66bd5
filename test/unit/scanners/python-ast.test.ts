/** Python calls compared with Python's own parser. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runCount } from "../support/full-run.ts";
import { requireTool, PYTHON, runText } from "../support/reference-tools.ts";
import { find } from "./marked.ts";

const CALLS = `
import ast, json, sys, warnings
warnings.simplefilter("ignore")

def text(node):
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    if all(isinstance(part, ast.Constant) for part in parts):
        said = "".join(part.value for part in parts)
        # Characters by name are not decoded by the scanner.
        return None if "\\u2022" in said else said

def calls(program):
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError):
        return None
    return [text(node.args[0]) for node in ast.walk(tree)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_" and text(node.args[0]) is not None]

json.dump([calls(program) for program in json.load(sys.stdin)], sys.stdout)
`;

/** The texts of the calls of `_` in each program, as Python reads them; `null` for what is no Python. */
function python(programs: readonly string[]): (string[] | null)[] {
  return JSON.parse(runText(PYTHON, ["-c", CALLS], JSON.stringify(programs))) as (string[] | null)[];
}

function ours(program: string): string[] {
  return find("python", program).flatMap(({ expression }) =>
    expression.kind === "static" ? [expression.key] : [],
  );
}

const quotes = fc.constantFrom("'", '"', "'''", '"""');
const text = fc
  .array(
    fc.constantFrom("a", " ", "#", "'", '"', "\\\\", "\\'", '\\"', "\\n", "\\x41", "\\\n", "\n", "_('no')"),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(""));
const literal = fc
  .tuple(fc.constantFrom("", "", "r", "u", "R"), quotes, fc.oneof(text, fc.constantFrom("{", "{x}", "é")))
  .map(([prefix, quote, body]) => {
    const isLine = quote.length === 1;
    return prefix + quote + (isLine ? body.replaceAll(/(?<!\\)(\\\\)*[\n'"]/g, "") : body) + quote;
  });
const gap = fc.constantFrom("", "", " ", "\n", "\\\n", "\\\r\n", " # it's\n", '# "\n');

/** Expressions; those in an f-string are on one line, in the other kind of quote. */
const { expression } = fc.letrec<{ expression: string; formatted: string; call: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("x", "{}", "x[1:2]", "'' ''"),
    literal,
    tie("call"),
    tie("formatted"),
    fc
      .tuple(tie("expression"), gap, tie("expression"))
      .map(([one, space, other]) => `(${one},${space}${other})`),
    tie("expression").map((inner) => `{'k': ${inner}}`),
  ),
  call: fc
    .tuple(gap, fc.oneof(literal, literal, tie("formatted")), gap, fc.option(literal))
    .map(([before, one, between, other]) => `_(${before}${one}${between}${other ?? ""})`),
  formatted: fc
    .tuple(
      fc.constantFrom("f", "F", "rf", "fR"),
      quotes,
      fc.array(
        fc.oneof(
          fc.constantFrom("a", "{{", "}}", "{{}}", "\\\\", "\\N{BULLET}", "\\{{", "#", "\\'", "'", '"', "\n"),
          tie("expression").map((inner) => `{ ${inner} }`),
          tie("call").map((inner) => `{${inner}!r:>{w}}`),
        ),
        { maxLength: 4 },
      ),
    )
    // Before Python 3.12 an expression held neither the quote around it nor a backslash, a comment or a line end.
    .map(([prefix, quote, parts]) => {
      const isOld = (part: string): boolean =>
        !/^\{[ _]/.test(part) ||
        !(
          /[\\#]/.test(part) ||
          part.includes(quote.charAt(0)) ||
          (quote.length === 1 && part.includes("\n"))
        );
      return [prefix, quote, ...parts.filter(isOld), quote].join("");
    }),
}));
const statement = fc
  .tuple(fc.constantFrom("", "y = ", "# it's ", "def f(a=1): return ", "y = 1 + \\\n"), expression)
  .map((parts) => parts.join(""));
const program = fc.array(statement, { minLength: 1, maxLength: 3 }).map((lines) => `${lines.join("\n")}\n`);

describe("Python's own parser", () => {
  test("finds the same calls", (context) => {
    requireTool(context, "python");
    const programs = fc.sample(program, runCount(20_000));
    const expected = python(programs);
    let count = 0;
    for (const [index, texts] of expected.entries()) {
      const given = programs[index] ?? "";
      if (texts === null) continue;
      count += texts.length;
      expect(ours(given).sort(), given).toEqual(texts.sort());
    }
    expect(count).toBeGreaterThan(runCount(20_000) / 5);
  });
});
