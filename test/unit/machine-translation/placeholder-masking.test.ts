/** Masked parts of a text are restored exactly, and nothing else is. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Masker, unmask } from "../../../src/machine-translation/placeholder-masking.ts";
import { propertyRuns } from "../support/full-run.ts";

const part = fc.constantFrom(
  ...["⟦", "⟧", "⟦1⟧", "{name}", ":count", "%s", "%1$d", "<b>", "</b>", "word", ".", " ", "\n", "\u00a0"],
);
const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));

test("round-trips texts with their whitespace", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (texts) => {
      const masker = new Masker();
      for (const each of texts) {
        const masked = masker.mask({ other: each }).get("other");
        if (masked === undefined) throw new Error("a form is missing");
        expect(unmask(masked.masked, masked)).toBe(each);
        expect(masked.masked).toBe(masked.masked.trim());
        expect(masked.masked.replaceAll(/⟦\d+⟧/gu, "")).not.toMatch(/[⟦⟧<>{}%]/u);
      }
    }),
    propertyRuns(300),
  );
});

test("keeps a text of whitespace as it is", () => {
  const masked = new Masker().mask({ other: " \n" }).get("other");
  if (masked === undefined) throw new Error("a form is missing");
  expect([masked.masked, unmask("", masked)]).toEqual(["", " \n"]);
});

test("masks a bracket before a placeholder", () => {
  const masked = new Masker().mask({ other: "⟦ {name} ⟧" }).get("other");
  expect(masked?.masked).toBe("⟦1⟧ ⟦2⟧ ⟦3⟧");
  expect(masked?.marks.map((mark) => mark.text)).toEqual(["⟦", "{name}", "⟧"]);
});

test("masks a bracket within markup with it", () => {
  const whole = 'A <b title="⟦">b</b> ⟧';
  const masked = new Masker().mask({ other: whole }).get("other");
  if (masked === undefined) throw new Error("a form is missing");
  expect(masked.masked).toBe("A ⟦1⟧b⟦2⟧ ⟦3⟧");
  expect(unmask(masked.masked, masked)).toBe(whole);
});

test("gives each argument a mark of its own, and a name the same one wherever it is", () => {
  const forms = new Masker().mask({ one: "%s of %s, {name} ({name})", other: "{name}: %s, %s" });
  expect(Array.from(forms.values(), ({ masked }) => masked)).toEqual([
    "⟦1⟧ of ⟦2⟧, ⟦3⟧ (⟦3⟧)",
    "⟦3⟧: ⟦1⟧, ⟦2⟧",
  ]);
});

test("masks placeholders between the delimiters of the project", () => {
  const masked = new Masker([{ prefix: "((", suffix: "))" }]).mask({ other: "Hello ((name))!" }).get("other");
  expect(masked?.masked).toBe("Hello ⟦1⟧!");
  const like = new Masker([{ prefix: "⟦", suffix: "⟧" }]).mask({ other: "Hello ⟦name⟧!" }).get("other");
  expect([like?.masked, like?.marks.map((mark) => mark.text)]).toEqual(["Hello ⟦1⟧!", ["⟦name⟧"]]);
});

test("rejects marks of another text and reordered positional ones", () => {
  const masker = new Masker();
  const first = masker.mask({ other: "%s of %s" }).get("other");
  const second = masker.mask({ other: "{a} or {b}" }).get("other");
  if (first === undefined || second === undefined) throw new Error("a form is missing");
  expect(unmask("⟦2⟧ van ⟦1⟧", first)).toBeNull();
  expect(unmask("⟦1⟧ van ⟦ 2 ⟧", first)).toBe("%s van %s");
  // Its number of placeholders is checked later.
  expect(unmask("⟦1⟧ van ⟦2⟧, ⟦1⟧", first)).toBe("%s van %s, %s");
  expect(unmask("⟦4⟧ of ⟦3⟧", second)).toBe("{b} of {a}");
  expect(unmask("⟦1⟧ of ⟦3⟧", second)).toBeNull();
  expect(unmask("⟦1⟧ ⟦3⟧", second, first.marks)).toBe("%s {a}");
  expect(unmask("⟦3⟧ ⟦", second)).toBeNull();
});
