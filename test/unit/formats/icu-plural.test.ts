/** ICU plurals: parsed into forms, edited in place, and left unchanged where something would be lost. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formsOfIcu, joinIcu, newIcu, splitIcu } from "../../../src/formats/icu-plural.ts";
import { cpuTime } from "../support/cpu-time.ts";
import { propertyRuns, runCount } from "../support/full-run.ts";

function forms(text: string): Record<string, string> | null {
  const plural = splitIcu(text);
  return plural === null ? null : { ...formsOfIcu(plural) };
}

function joined(text: string, wanted: Record<string, string>): string | null {
  const plural = splitIcu(text);
  return plural === null ? null : joinIcu(plural, wanted);
}

describe("splitIcu", () => {
  test.each([
    ["{n, plural, one {# file} other {# files}}", { one: "# file", other: "# files" }],
    ["{n,plural,one{a}other{b}}", { one: "a", other: "b" }],
    ["{ n , plural ,\n  one {a}\n  other {b}\n}", { one: "a", other: "b" }],
    [
      "You have {n, plural, one {# file} other {# files}}.",
      { one: "You have # file.", other: "You have # files." },
    ],
    ["{n, plural, offset:1 =0 {none} one {a} other {b}}", { one: "a", other: "b" }],
    ["{n, plural, =0 {none} other {b}}", { other: "b" }],
    ["{n, plural, =10 {ten} other {b}}", { other: "b" }],
    ["''{n, plural, other {x}}", { other: "''x" }],
    ["{who}: {n, plural, other {{n, number} by {who}}}", { other: "{who}: {n, number} by {who}" }],
    ["{n, plural, other {it''s '{'quoted'}' '#'}}", { other: "it''s '{'quoted'}' '#'" }],
    [
      "{n, plural, other {{g, select, male {he} other {they}}}}",
      { other: "{g, select, male {he} other {they}}" },
    ],
    ["it's {n, plural, other {x}}", { other: "it's x" }],
    ["{n, plural, other {}}", { other: "" }],
  ])("%s", (text, expected) => {
    expect(forms(text)).toEqual(expected);
  });

  test.each([
    ["no plural", "{n} files"],
    ["an ordinal", "{n, selectordinal, one {#st} other {#th}}"],
    ["two plurals", "{n, plural, other {x}} {m, plural, other {y}}"],
    ["a select around", "{g, select, male {{n, plural, other {x}}} other {y}}"],
    ["a select beside", "{g, select, other {y}} {n, plural, other {x}}"],
    ["no `other`", "{n, plural, one {x}}"],
    ["a name that is no category", "{n, plural, lots {x} other {y}}"],
    ["a number without a sign", "{n, plural, 10 {x} other {y}}"],
    ["a category twice", "{n, plural, one {x} one {z} other {y}}"],
    ["an open brace", "{n, plural, one {x} other {y}"],
    ["a brace too many", "{n, plural, one {x} other {y}}}"],
    ["a number sign outside", "#1 {n, plural, other {x}}"],
    ["a number sign after it", "{n, plural, other {x}} #1"],
    ["quoted braces", "'{n, plural, other {x}}'"],
    ["a quote that does not end", "{n, plural, other {'{x}}"],
    ["text between", "{n, plural, one {x} and other {y}}"],
  ])("does not split %s", (_, text) => {
    expect(forms(text)).toBeNull();
  });

  test.each(["{", "{n, plural,", "'{", "{n,plural,other{", "{ ", "{n, plural, other {x}} "])(
    "handles a hundred thousand %j in linear time",
    (piece) => {
      const start = cpuTime();
      splitIcu(piece.repeat(100_000));
      splitIcu(`{n, plural, other {${piece.repeat(100_000)}`);
      expect(cpuTime() - start).toBeLessThan(5_000);
    },
  );
});

describe("joinIcu", () => {
  const message = "You have {n, plural, offset:1\n  =0 {none}\n  one  {# file}\n  other  {# files}\n}.";

  test("changes only the forms", () => {
    expect(joined(message, { one: "You have # File.", other: "You have # files." })).toBe(
      message.replace("# file}", "# File}"),
    );
  });

  test("adds a category in CLDR order in the style of the others, and removes it", () => {
    const wanted = { one: "You have 1.", few: "You have 2.", other: "You have 5." };
    const more = "You have {n, plural, offset:1\n  =0 {none}\n  one  {1}\n  few  {2}\n  other  {5}\n}.";
    expect(joined(message, wanted)).toBe(more);
    const back = { one: "You have # file.", other: "You have # files." };
    expect(joined(more, back)).toBe(message);
    expect(joined("{n, plural, one {x} other {y}}", { other: "z" })).toBe("{n, plural, other {z}}");
    expect(joined("{n, plural, other {z}}", { one: "x", other: "y" })).toBe("{n, plural, one {x} other {y}}");
  });

  test("moves surrounding text into the forms if they no longer share it", () => {
    expect(joined("You have {n, plural, other {#}}.", { one: "Only one", other: "You have #." })).toBe(
      "{n, plural, one {Only one} other {You have #.}}",
    );
  });

  test("adds a category before all others where they are", () => {
    expect(joined("{n, plural,  one {a} other {b}}", { zero: "z", one: "a", other: "b" })).toBe(
      "{n, plural,  zero {z} one {a} other {b}}",
    );
    expect(joined("{n,plural,one{a}other{b}}", { zero: "z", one: "a", other: "b" })).toBe(
      "{n,plural,zero{z}one{a}other{b}}",
    );
  });

  test("keeps text on both sides only where each form has it twice", () => {
    const message = "a{n, plural, one {x} other {y}}a";
    expect(joined(message, { one: "aa", other: "aya" })).toBe("a{n, plural, one {} other {y}}a");
    expect(joined(message, { one: "a", other: "aya" })).toBe("{n, plural, one {a} other {aya}}");
  });

  test("keeps text on both sides only where each form begins and ends with it", () => {
    const message = "a {n, plural, one {x} other {y}} b";
    expect(joined(message, { one: "a 1 b", other: "a 2 c" })).toBe("{n, plural, one {a 1 b} other {a 2 c}}");
    expect(joined(message, { one: "1 b", other: "a 2 b" })).toBe("{n, plural, one {1 b} other {a 2 b}}");
    expect(joined(message, { one: "a 1 b", other: "a 2 b" })).toBe("a {n, plural, one {1} other {2}} b");
  });

  test("keeps a number that has the name of a category", () => {
    expect(joined("{one, plural, one {x} other {y}}", { one: "a", other: "b" })).toBe(
      "{one, plural, one {a} other {b}}",
    );
    expect(joined("{other, plural, other {y}}", { one: "a", other: "b" })).toBe(
      "{other, plural, one {a} other {b}}",
    );
  });

  test("refuses what would not be read back", () => {
    expect(joined("{n, plural, other {x}}", { other: "} {" })).toBeNull();
    expect(joined("{n, plural, other {x}}", { other: "'{" })).toBeNull();
    expect(joined("{n, plural, other {x}}", { one: "a" })).toBeNull();
    expect(joined("{n, plural, other {x}}", { "=1": "a", other: "b" })).toBeNull();
    expect(newIcu("n", { other: "}" })).toBeNull();
    expect(newIcu("n", { other: "b", one: "a" })).toBe("{n, plural, one {a} other {b}}");
  });
});

test("round-trips any message that can be split", () => {
  const piece = fc.constantFrom(
    ...["{", "}", "'", "#", " ", "n", ",", "plural", "one", "other", "=0", "few", "{n}", "x", "\n", "''"],
    ...["{n, plural,", "one {", "other {", "offset:1", "select", "{n, plural, one {a} other {b}}"],
  );
  let taken = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      const plural = splitIcu(text);
      if (plural === null) return;
      taken++;
      expect(joinIcu(plural, formsOfIcu(plural))).toBe(text);
    }),
    { ...propertyRuns(2_000), examples: [[["{n, plural, one {a} other {b}}"]]] },
  );
  expect(taken).toBeGreaterThan(0);
});

test("round-trips or refuses any forms", () => {
  const words = fc.array(fc.constantFrom("{", "}", "'", "#", "a", " ", "{n}", "''", "|"), { maxLength: 6 });
  const wanted = fc.record({ one: words, few: words, other: words }, { requiredKeys: ["other"] });
  const start = fc.constantFrom(
    "{n, plural, one {a} other {b}}",
    "a {n, plural, =0 {z} other {b}} c",
    "{n,plural,few{a}other{b}}",
  );
  let joined = 0;
  fc.assert(
    fc.property(start, wanted, (text, lists) => {
      const said = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.join("")]));
      const plural = splitIcu(text);
      const after = plural === null ? null : joinIcu(plural, said);
      if (after === null) return;
      joined++;
      expect(forms(after)).toEqual(said);
    }),
    { numRuns: runCount(1_000) },
  );
  expect(joined).toBeGreaterThan(runCount(1_000) / 10);
});

test.each([
  ["{one, plural, one {# a} other {# b}}", "{one, plural, one {# c} few {# e} other {# d}}"],
  [
    "{other,  plural,  =0 {none} one{# a} other{other # b}}",
    "{other,  plural,  =0 {none} one{# c} few{# e} other{# d}}",
  ],
])("a number that has the name of a form keeps it: %s", (text, after) => {
  expect(joined(text, { one: "# c", few: "# e", other: "# d" })).toBe(after);
});
