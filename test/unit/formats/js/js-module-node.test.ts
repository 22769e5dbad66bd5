/** `js_module`: damaged and hostile files, and comparison with Node. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { jsModule } from "../../../../src/formats/js/js-module-format.ts";
import { isForms } from "../../../../src/model/translation-text.ts";
import { edit, ENGLISH, readAll } from "../editing.ts";
import { askNode } from "./js-reference.ts";
import { cpuTime } from "../../support/cpu-time.ts";
import { propertyRuns, runCount } from "../../support/full-run.ts";

beforeAll(async () => jsModule.prepare?.());

const problems = (text: string): unknown[] =>
  jsModule.read(text, ENGLISH).problems.map(({ code, message, span, key }) => {
    return [code, key ?? message, text.slice(span.start, span.end)];
  });

describe("damaged and hostile modules", () => {
  test("report errors with location and are not written", () => {
    for (const text of [
      "export default { a: 'x",
      "export default { a: 'x' b: 'y' }",
      "export default { a: 'x' };}",
      "{",
    ]) {
      const read = jsModule.read(text, ENGLISH);
      expect([text, read.problems[0]?.code]).toEqual([text, "syntax"]);
      expect([text, edit(jsModule, text, { a: "y" }).text]).toEqual([text, text]);
    }
    expect(jsModule.read("export default {\n  a: 'x' b: 'y' }", ENGLISH).problems[0]?.span.start).toBe(26);
  });

  test("use the last of duplicates and report the other", () => {
    const text = "export default { a: 'x', a: 'y' }";
    expect(readAll(jsModule, text)).toEqual([["a", "y"]]);
    expect(problems(text)).toEqual([["duplicate", "a", "a: 'x'"]]);
  });

  test.each([
    ["brackets", "export default " + "{a:".repeat(100_000)],
    ["lists", "export default {a:" + "[".repeat(100_000)],
    [
      "generic functions in one another",
      "export default {a:" + "<T>(".repeat(40) + "1" + ")".repeat(40) + "}",
    ],
    [
      "generic functions with more between",
      "export default {a:" + "<T,>(1, ".repeat(40) + "1" + ")".repeat(40) + "}",
    ],
    [
      "a sum of very many texts",
      `export default { a: ${Array.from({ length: 3000 }, () => "'x'").join(" + ")} }`,
    ],
    ["templates in templates", "export default {a:" + "`${".repeat(20_000)],
    ["a text of a megabyte", `export default { a: '${"x".repeat(1 << 20)}' }`],
    ["NUL", "export default {\0 a: 'x' }"],
    ["half a pair", "export default { a: '\ud83d', \ud83d: 'x' }"],
  ])("are processed in time: %s", (_, text) => {
    const started = cpuTime();
    expect(() => jsModule.read(text, ENGLISH)).not.toThrow();
    expect(() => edit(jsModule, text, { a: "y", b: "z" })).not.toThrow();
    expect(cpuTime() - started).toBeLessThan(5000);
  });

  test("never execute", () => {
    const text = "globalThis.ran = true; export default { a: (globalThis.ran = true, 'x') }";
    jsModule.read(text, ENGLISH);
    expect("ran" in globalThis).toBe(false);
  });
});

const PIECES = [
  ...Array.from("{}[](),:;`'\"\\+."),
  "...rest",
  "a: 'x'",
  'b: "y"',
  "'c-d': `z`",
  "[name]: 'n'",
  "['e']: 'f'",
  "\n",
  "// words\n",
  "/* words */",
  " as const",
  " + 'w'",
  "1",
  "null",
  "<T>(",
  "=> ",
  "a?b:c",
  "__proto__: 'p'",
  "é: '\\u00e9'",
  "${name}",
];

describe("compared with Node", () => {
  const member = fc.constantFrom(
    "a: 'x'",
    'a: "y"',
    "b: 'it\\'s' + `\\``",
    "'c.d': '\\u{1F389}'",
    "['e']: 'f'",
    "[name]: 'n'",
    "...outer",
    "b: { a: 'in', l: ['1', , '2'] }",
    "c: t('x')",
    "d: `multi\nline`",
    "7: 'seven'",
    "name",
    "m() {}",
    "// words\n f: 'g'",
    "__proto__: { z: 'p' }",
    "h: null",
    "i: ['p', ...rest, 'q']",
    "j: ('k') as string",
    "k: Object.freeze({ a: 'x' })",
  );
  const module = fc
    .tuple(
      fc.constantFrom(
        (body: string) => `export default ${body}`,
        (body: string) => `const nl = ${body} as const;\nexport default nl;`,
        (body: string) => `module.exports = ${body};`,
        (body: string) => `export const nl = ${body} satisfies object;`,
        (body: string) => `export default define(${body})`,
      ),
      fc.array(member, { maxLength: 6 }),
      fc.constantFrom(", ", ",\n  ", ",\r\n\t"),
    )
    .map(([around, members, comma]) => around(`{\n  ${members.join(comma)}\n}`));
  const text = fc.array(
    fc.constantFrom("'", '"', "`", "\\", "$", "{x}", "\n", "\r", "\u2028", "é🎉", "a", "\0", "\ud83d"),
    {
      maxLength: 4,
    },
  );

  test("reads the same as Node, before and after an edit", () => {
    const key = fc.constantFrom(
      "a",
      "b.a",
      "c.d",
      "new",
      "b.new key",
      "7",
      "d",
      "f",
      "__proto__",
      "constructor",
    );
    const cases = fc.sample(fc.tuple(module, fc.array(fc.tuple(key, fc.option(text)), { maxLength: 3 })), {
      numRuns: runCount(400),
    });
    const files = cases.flatMap(([before, wanted]) => {
      const changes = wanted.map(([name, said]) => {
        return { key: name, context: null, text: said === null ? null : { value: said.join("") } };
      });
      return [before, applyEdit(jsModule, before, changes, ENGLISH).text];
    });
    const wrong: unknown[] = [];
    for (const [index, said] of askNode(files).entries()) {
      const file = files[index] ?? "";
      if ("error" in said) {
        const isTold = jsModule.read(file, ENGLISH).problems.some(({ code }) => code === "syntax");
        if (!isTold) wrong.push([file, said.error]);
      } else {
        for (const { key: name, text: read, readOnly } of jsModule.read(file, ENGLISH).entries) {
          if (readOnly !== null || isForms(read)) continue;
          if (said.leaves.get(name) !== read.value)
            wrong.push([file, name, read.value, said.leaves.get(name)]);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test("handles any mixture of fragments", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
        const file = `export default {${pieces.join("")}}`;
        const { entries } = jsModule.read(file, ENGLISH);
        for (const { key: name } of entries.slice(0, 2)) {
          const applied = edit(jsModule, file, { [name]: "new" });
          if (applied.refused.length > 0) expect(applied.text).toBe(file);
        }
      }),
      propertyRuns(1000),
    );
  });
});
