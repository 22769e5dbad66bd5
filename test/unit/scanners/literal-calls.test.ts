/** Calls with literal arguments, whatever function they call. */
import { describe, expect, test } from "vitest";
import { literalArguments } from "../../../src/scanners/function-calls/literal-calls.ts";
import { expectLinearTime } from "../support/linear-time.ts";

const found = (text: string): readonly string[] =>
  literalArguments(text).map(({ callee, position, value }) => `${callee}[${position}] ${value}`);

describe("calls", () => {
  test.each([
    ["a function", `translate("a.b")`, ["translate[0] a.b"]],
    ["a method and its object", `window.globalize.translate('a')`, ["globalize.translate[0] a"]],
    ["an optional call", `this.hass?.localize?.("a")`, ["hass.localize[0] a"]],
    ["a method of an expression", `get().tr("a")`, ["tr[0] a"]],
    ["PHP's static method", `\\App\\Text::of('a')`, ["Text::of[0] a"]],
    ["PHP's chain of members", `$this->lang->line('a')`, ["$this->lang->line[0] a"]],
    ["a directive", `@tr('a')`, ["@tr[0] a"]],
    ["a template without values", "tr(`a`)", ["tr[0] a"]],
    ["line breaks", `tr(\n  "a",\n  {},\n)`, ["tr[0] a"]],
    ["the second argument after a name", `tr(this.locale, "a")`, ["tr[1] a"]],
    ["two literals", `tr("shop", "a", x)`, ["tr[0] shop", "tr[1] a"]],
    ["three literals", `tr("shop", "a", "b")`, ["tr[0] shop", "tr[1] a"]],
    ["assertions", `tr!("a"); x!.tr("b")`, ["tr[0] a", "x.tr[0] b"]],
    ["a name with an assertion, and what follows a call", `tr(a!.b, "c")"d")`, ["tr[1] c"]],
    ["a text behind a call", `x(tr("a") "b")`, ["tr[0] a"]],
    ["a dollar in quotes", 'tr("a${b}")', ["tr[0] a${b}"]],
    [
      "an object after an escape or nothing",
      String.raw`tr("a\n", { b: "c" }); tr("", { d: "e" })`,
      ["tr[0] a\n", "tr[0] "],
    ],
    ["escapes", String.raw`tr("it\"s \u0041")`, [`tr[0] it"s A`]],
    [
      "members of an object after a literal, up to the first that is no literal",
      `tr("page", { title: "Title", 'sub-title': \`It's\`, n: 1, last: "Last" })`,
      ["tr[0] page", "tr[1] page.title", "tr[1] page.sub-title"],
    ],
    ["an object after two literals", `tr("a", "b", { c: "d" })`, ["tr[0] a", "tr[1] b"]],
    ["PHP's optional chain of members", `$this?->lang?->line('a')`, ["$this->lang->line[0] a"]],
    [
      "PHP's longer chains, of which the last names count, and those of an expression",
      `$a->b->c->d->e->tr('a'); f()->tr('b'); A::$b->tr('c'); f()->g->tr('d')`,
      ["b->c->d->e->tr[0] a", "tr[0] b", "A::$b->tr[0] c", "tr[0] d"],
    ],
    [
      "a name and a call, and a literal after an object",
      `tr(x("a"), "b"); tr("c", {}, "d")`,
      ["x[0] a", "tr[0] c"],
    ],
    ["nested calls", `tr(cond ? a("x") : "y", b("z"))`, ["a[0] x", "b[0] z"]],
  ])("%s", (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test.each([
    ["a part of the argument", `tr("a." + key)`],
    ["a template with values", "tr(`a.${key}`)"],
    ["a condition", `if ("a" in x) return ("b")`],
    ["an array of PHP", `array("a", "b")`],
    ["a literal that is not closed", `tr("a\n)`],
    ["a literal over a line's end", `tr("a\nb")`],
    ["a call of no name", `("a")`],
    ["the second argument after an expression", `tr(x + 1, "a")`],
  ])("ignores %s", (_, text) => {
    expect(found(text)).toEqual([]);
  });

  test.each(
    "if elif while for foreach switch case match return await yield in of and or not typeof array echo print import require include_once require_once include isset".split(
      " ",
    ),
  )("ignores %s", (word) => {
    expect(found(`${word}("a"); ${word} ("b")`)).toEqual([]);
  });

  test("tells where the value starts", () => {
    const text = `x; tr("shop", 'a.b')`;
    expect(literalArguments(text).map(({ value, start }) => text.slice(start, start + value.length))).toEqual(
      ["shop", "a.b"],
    );
    const members = `tr("page", { title: "T", 'sub-title': "S", "x": "X" })`;
    const [, ...found] = literalArguments(members).map(({ start }) => members.slice(start, start + 5));
    expect(found).toEqual(["title", "sub-t", 'x": "']);
    expect(literalArguments(members).map(({ isMember = false }) => isMember)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  test("takes linear time for hostile texts", () => {
    for (const part of ["(", "(a", '("', "a.b(", "$a->b->", `f("a`, `f("a",{b:"c",`, "(a,", "(\\"]) {
      expectLinearTime((count) => literalArguments(part.repeat(count)), 100_000, part);
      expectLinearTime((count) => literalArguments(`(${part.repeat(count)}`), 100_000, part);
    }
  });
});
