/** What the placeholder checks say of a pair of texts, and that what they suggest is right. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPlaceholders, type PlaceholderFamily } from "../../../src/core/checks.ts";
import { findPlaceholders } from "../../../src/core/placeholders.ts";
import { processorTime } from "../support/processor-time.ts";

/** `rule placeholder -> suggestion` of each issue of a singular pair. */
function singular(family: PlaceholderFamily, source: string, translation: string, locale = "nl"): string[] {
  return checkPlaceholders([family], { value: source }, { value: translation }, locale).map(
    (issue) => `${issue.level} ${issue.rule} ${issue.placeholder} -> ${issue.suggestion}`,
  );
}

function plural(
  family: PlaceholderFamily,
  source: Record<string, string>,
  translation: Record<string, string>,
  locale: string,
): string[] {
  return checkPlaceholders([family], { forms: source }, { forms: translation }, locale).map(
    (issue) => `${issue.form}: ${issue.rule} ${issue.placeholder}`,
  );
}

describe("laravel", () => {
  test.each([
    ["the same, or with Laravel's capitals", "Hi :name", "Dag :Name en :NAME", []],
    ["no placeholder: times, addresses, PHP's double colon", "At 10:30", "Om 10:30, http://x, A::b", []],
    ["missing", "Hi :name", "Dag", ["error laravel.missing :name -> "]],
    ["translated", "Hi :name", "Dag :naam", ["error laravel.missing :name -> Dag :name"]],
    ["translated with accents", "Hi :name", "Cześć :imię,", ["error laravel.missing :name -> Cześć :name,"]],
    [
      "a stray blank",
      "In :count days",
      "In : count dagen",
      ["error laravel.missing :count -> In :count dagen"],
    ],
    ["other marks", "Hi :name", "Dag {{ name }}", ["error laravel.missing :name -> Dag :name"]],
    [
      "full-width colon",
      "Hi :name",
      "こんにちは\uff1aname",
      ["error laravel.missing :name -> こんにちは:name"],
    ],
    ["right before letters that have no blanks", "Hi :name", "こんにちは:name様", []],
    ["right behind a word, where Laravel fills it too", "Hi :name", "Dag x:name", []],
    ["odd capitals", "Hi :name", "Dag :nAme", ["error laravel.missing :name -> Dag :name"]],
    ["one too many", "Hi", "Dag :name", ["warning laravel.unexpected :name -> "]],
    [
      "two, each repaired in the one suggestion",
      ":name has :count",
      ":nam heeft :cont",
      [
        "error laravel.missing :name -> :name heeft :count",
        "error laravel.missing :count -> :name heeft :count",
      ],
    ],
    [
      "one that can be told and one that cannot",
      ":name of :shop",
      ":nme",
      ["error laravel.missing :name -> ", "error laravel.missing :shop -> "].map((line, index) =>
        index === 0 ? `${line}:name` : line,
      ),
    ],
  ])("%s", (_, source, translation, issues) => {
    expect(singular("laravel", source, translation)).toEqual(issues);
  });
});

describe("i18next", () => {
  test.each([
    [
      "blanks, unescaped and formatted ones are the same",
      "{{name}} {{n, number}}",
      "{{- name }} {{ n }}",
      [],
    ],
    ["single braces", "Hi {{name}}", "Dag {name}", ["error i18next.missing {{name}} -> Dag {{name}}"]],
    ["one too many", "Hi", "Dag {{name}}", ["warning i18next.unexpected {{name}} -> "]],
  ])("%s", (_, source, translation, issues) => {
    expect(singular("i18next", source, translation)).toEqual(issues);
  });
});

describe("icu", () => {
  test.each([
    ["arguments in branches", "{n, plural, one {a} other {# of {who}}}", "{n, plural, other {# {who}}}", []],
    [
      "words of a branch are no arguments",
      "{n, plural, one {apple} other {apples}}",
      "{n, plural, one {appel} other {appels}}",
      [],
    ],
    [
      "a lost one inside a branch",
      "{n, plural, other {by {who}}}",
      "{n, plural, other {door}}",
      ["error icu.missing {who} -> "],
    ],
    ["double braces", "Hi {name}", "Dag {{name}}", ["error icu.missing {name} -> Dag {name}"]],
    ["one too many fails at run time", "Hi", "Dag {name}", ["error icu.unexpected {name} -> "]],
    [
      "an open brace",
      "Hi {name}, {n}",
      "Dag {name}, {n",
      ["error icu.missing {n} -> ", "error icu.syntax { -> "],
    ],
  ])("%s", (_, source, translation, issues) => {
    expect(singular("icu", source, translation)).toEqual(issues);
  });
});

describe("printf", () => {
  test.each([
    ["numbered for unnumbered, in any order", "%s has %d", "%2$d bij %1$s", []],
    ["a plain percent sign", "50% discount, 100%%", "50% korting", []],
    ["missing", "%s has %d", "%s heeft", ["error printf.missing %d -> "]],
    [
      "swapped without numbers",
      "%s has %d",
      "%d bij %s",
      ["error printf.type %d -> %s bij %d", "error printf.type %s -> %s bij %d"],
    ],
    ["a blank in it", "Hi %s", "Dag % s", ["error printf.missing %s -> Dag %s"]],
    ["named ones", "%(name)s", "%(name)s", []],
  ])("%s", (_, source, translation, issues) => {
    expect(singular("printf", source, translation)).toEqual(issues);
  });
});

describe("plural forms", () => {
  const source = { one: ":count apple", other: ":count apples of :owner" };
  test("a form for one number need not show it", () => {
    expect(plural("laravel", source, { one: "een appel", other: ":count appels van :owner" }, "nl")).toEqual(
      [],
    );
  });
  test("a form for many numbers must, though it is called one", () => {
    expect(
      plural("laravel", source, { one: "яблоко", few: ":count :owner", many: ":count :owner" }, "ru"),
    ).toEqual(["one: laravel.missing :count"]);
  });
  test("a form that the source lacks is held against its other", () => {
    expect(plural("laravel", source, { few: ":count" }, "pl")).toEqual(["few: laravel.missing :owner"]);
  });
  test("what any source form has is not unexpected", () => {
    expect(plural("laravel", source, { one: ":count :owner", other: ":count :owner" }, "nl")).toEqual([]);
  });
  test("an empty form is untranslated, another kind of text is not compared", () => {
    expect(plural("laravel", source, { one: "", other: "" }, "nl")).toEqual([]);
    expect(checkPlaceholders(["laravel"], { forms: source }, { value: "x" }, "nl")).toEqual([]);
  });
});

test("a text never has issues with itself, in any family", () => {
  const families: PlaceholderFamily[] = ["laravel", "i18next", "icu", "printf"];
  const piece = fc.constantFrom(
    ":a",
    ":count",
    "{{x}}",
    "{y}",
    "{n, plural, other {#}}",
    "%s",
    "%2$d",
    " ",
    "w",
    "{",
    "}",
    "%",
    ":",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = { value: pieces.join("") };
      expect(checkPlaceholders(families, text, text, "en")).toEqual([]);
    }),
  );
});

test("a suggestion has every placeholder that it was made for, and does not make it worse", () => {
  const word = fc.stringMatching(/^[a-z]{2,8}$/u);
  fc.assert(
    fc.property(word, word, word, (name, wrong, around) => {
      fc.pre(name !== wrong);
      const [issue] = checkPlaceholders(
        ["laravel"],
        { value: `${around} :${name}` },
        { value: `:${wrong} ${around}` },
        "nl",
      );
      expect(findPlaceholders("laravel", issue?.suggestion ?? "").map((one) => one.name)).toEqual([name]);
      expect(issue?.suggestion).toContain(around);
    }),
  );
});

test("long texts take no longer than their length asks for", () => {
  const text = "{a :b {{c %d }} ".repeat(20_000);
  const started = processorTime();
  checkPlaceholders(
    ["laravel", "i18next", "icu", "printf"],
    { value: `${text}:missing` },
    { value: text },
    "nl",
  );
  expect(processorTime() - started).toBeLessThan(5_000);
});
