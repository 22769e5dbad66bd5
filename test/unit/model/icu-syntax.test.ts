/** ICU messages, compared with FormatJS's own parser. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseIcuSyntax } from "../../../src/model/icu-syntax.ts";
import { expectLinearTime } from "../support/linear-time.ts";

interface Vector {
  readonly message: string;
  readonly error: string | null;
  readonly arguments?: readonly string[];
}

const path = join(import.meta.dirname, "../../fixtures/vectors/icu-messages.json");
const { messages } = JSON.parse(readFileSync(path, "utf8")) as { messages: readonly Vector[] };

describe("FormatJS", () => {
  test.each(messages)("agrees on $message", ({ message, error, arguments: names }) => {
    const parsed = parseIcuSyntax(message, { tags: true });
    expect(parsed.error === null).toBe(error === null);
    if (error === null)
      expect(parsed.arguments.map(({ name }) => name).sort()).toEqual([...(names ?? [])].sort());
  });
});

describe("errors", () => {
  test.each([
    ["Hi {n, foo}", "argument-type", "foo"],
    ["a {n, plural, one {x} autres {y}} b", "missing-other", "{n, plural, one {x} autres {y}"],
    ["a <b>x", "tag", "<b>x"],
    ["{n, plural, one {a} one {b} other {c}}", "duplicate-option", "one"],
    ["Dag {n", "closing-brace", "{n"],
    ["{n, number, ::}", "argument-style", "::"],
    ["{n, number, ::.00 currency/}", "argument-style", "::.00 currency/"],
    ["{d, date, ::  }", "argument-style", "::  "],
    ["{d, date, yyyy 'at}", "argument-style", "'"],
    // A no-break space is no space of the syntax.
    ["{n\u00a0}", "argument", "{n"],
  ])("of %j are at their place", (message, kind, text) => {
    const { error } = parseIcuSyntax(message, { tags: true });
    expect(error?.kind).toBe(kind);
    expect(message.slice(error?.start, error?.end)).toBe(text);
  });

  test("are no quoted braces of a style, nor nested ones", () => {
    for (const style of ["yyyy '}' MM", "{x} yyyy"])
      expect(parseIcuSyntax(`{d, date, ${style}} {e}`, { tags: true })).toMatchObject({
        error: null,
        arguments: [{ name: "d" }, { name: "e" }],
      });
  });

  test("do not concern tags outside of FormatJS, nor ICU's own types", () => {
    expect(parseIcuSyntax("<b>{n, spellout}", { tags: false }).error).toBeNull();
    expect(parseIcuSyntax("{n, spellout}", { tags: true }).error?.kind).toBe("argument-type");
  });

  test("are not marks of direction, nor skeletons", () => {
    const message =
      "{n, select,\u200ea {A} \u200fother{B}} {n, number, ::currency/EUR .00} {d, date, ::yMMMd}";
    expect(parseIcuSyntax(message, { tags: true })).toMatchObject({
      error: null,
      arguments: [{ name: "n" }, {}, {}],
    });
  });

  test.each(["{", "{n, plural, other {", "<b>", "'{", "{a, select, other "])(
    "a hundred thousand %j",
    (text) => {
      expectLinearTime((count) => parseIcuSyntax(text.repeat(count), { tags: true }), 100_000);
    },
  );
});
