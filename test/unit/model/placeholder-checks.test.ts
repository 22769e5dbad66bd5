/** Placeholder checks of a source text and a translation, and their suggestions. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPlaceholders } from "../../../src/model/placeholder-checks.ts";
import { delimitedFamily, type PlaceholderFamily } from "../../../src/model/placeholders.ts";
import { findPlaceholders } from "../../../src/model/placeholders.ts";
import { expectLinearTime } from "../support/linear-time.ts";
import { propertyRuns } from "../support/full-run.ts";

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

describe("colon", () => {
  test.each([
    ["the same, or with Laravel's capitals", "Hi :name", "Dag :Name en :NAME", []],
    ["in capitals, all or the first, in either text", "Hi :NAME, :Shop", "Dag :name, :shop", []],
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
      "three, of which one is right, each in another's place",
      ":first :second :third",
      ": third : second :first",
      [
        "error laravel.missing :second -> :third :second :first",
        "error laravel.missing :third -> :third :second :first",
      ],
    ],
    [
      "full-width colon",
      "Hi :name",
      "こんにちは\uff1aname",
      ["error laravel.missing :name -> こんにちは:name"],
    ],
    ["right before letters that have no blanks", "Hi :name", "こんにちは:name様", []],
    ["right behind a word, where Laravel fills it too", "Hi :name", "Dag x:name", []],
    [
      "two, each most similar to the other's neighbour",
      ":name :game",
      ":gam :nam",
      ["error laravel.missing :name -> :game :name", "error laravel.missing :game -> :game :name"],
    ],
    [
      "translated, beside one that is too many",
      "Hi :name",
      "Dag :shop :naam",
      ["error laravel.missing :name -> Dag :shop :name", "warning laravel.unexpected :shop -> "],
    ],
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
    expect(singular("colon", source, translation)).toEqual(issues);
  });
});

test("placeholders between the project's own delimiters are i18next's", () => {
  const family = delimitedFamily({ prefix: "%{", suffix: "}" });
  expect(singular(family, "Hi %{name}", "Dag %{naam}")).toEqual([
    "error i18next.missing %{name} -> Dag %{name}",
  ]);
  expect(singular(family, "Hi %{name}", "Dag {{name}} %{ name, upper }")).toEqual([]);
  expect(singular(family, "Hi {{name}}", "Dag")).toEqual([]);
  const brackets = delimitedFamily({ prefix: "[[", suffix: "]]" });
  expect(singular(brackets, "a [[b]] [[c]]", "x [[b]]")).toEqual(["error i18next.missing [[c]] -> "]);
});

describe("double-braces", () => {
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
    expect(singular("double-braces", source, translation)).toEqual(issues);
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
    [
      "one with options, which a simple one does not replace",
      "You have {n, plural, one {# item} other {# items}}",
      "Je hebt {N} dingen",
      ["error icu.missing {n} -> ", "error icu.unexpected {N} -> "],
    ],
    ["double braces", "Hi {name}", "Dag {{name}}", ["error icu.missing {name} -> Dag {name}"]],
    ["one too many fails at run time", "Hi", "Dag {name}", ["error icu.unexpected {name} -> "]],
    [
      "an open brace",
      "Hi {name}, {n}",
      "Dag {name}, {n",
      ["error icu.missing {n} -> ", "error icu.syntax {n -> "],
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
      "swapped without numbers, which not every language knows",
      "%s has %d",
      "%d bij %s",
      ["error printf.type %d -> ", "error printf.type %s -> "],
    ],
    [
      "swapped, where the source shows that there are numbers",
      "%1$s has %2$05d",
      "%03d bij %s",
      ["error printf.type %03d -> %2$03d bij %1$s", "error printf.type %s -> %2$03d bij %1$s"],
    ],
    [
      "swapped with numbers: the letters or the numbers may be wrong",
      "%1$s has %2$d",
      "%1$d bij %2$s",
      ["error printf.type %1$d -> ", "error printf.type %2$s -> "],
    ],
    [
      "swapped where two of a kind cannot be told apart",
      "%1$s, %2$s has %3$d",
      "%d bij %s, %s",
      ["error printf.type %d -> ", "error printf.type %s -> "],
    ],
    [
      "the same kind twice, where the source has it once",
      "%1$s has %2$d, %3$d",
      "%d bij %s, %s",
      ["error printf.type %d -> ", "error printf.type %s -> ", "error printf.type %s -> "],
    ],
    [
      "swapped, with one of a kind too many",
      "%1$s has %2$d",
      "%d bij %s %d",
      ["error printf.unexpected %d -> ", "error printf.type %d -> ", "error printf.type %s -> "],
    ],
    [
      "one alone that may be the other",
      "%s has %d",
      "%d dingen",
      ["error printf.missing %d -> ", "error printf.type %d -> "],
    ],
    ["a wrong letter", "%s has %d", "%s heeft %s", ["error printf.type %s -> %s heeft %d"]],
    [
      "two wrong letters",
      "%s has %s",
      "%d heeft %d",
      ["error printf.type %d -> %s heeft %s", "error printf.type %d -> %s heeft %s"],
    ],
    [
      "a wrong letter with a width",
      "%1$s: %2$d",
      "%2$5.1f: %1$s",
      ["error printf.type %2$5.1f -> %2$5.1d: %1$s"],
    ],
    ["letters of the same kind", "%d %f %s", "%i %e %s", []],
    [
      "two that stand for the same argument, one of which is meant by another",
      "%3$s has %2$s",
      "%d heeft %1$s",
      ["error printf.missing %3$s -> %2$s heeft %3$s", "error printf.missing %2$s -> %2$s heeft %3$s"],
    ],
    [
      "a name with other capitals, without its letter and with another one",
      "%(name)s has %(count)d",
      "%(Name) heeft %(Count)s",
      [
        "error printf.missing %(name)s -> %(name)s heeft %(count)d",
        "error printf.missing %(count)d -> %(name)s heeft %(count)d",
      ],
    ],
    ["a blank in it", "Hi %s", "Dag % s", ["error printf.missing %s -> Dag %s"]],
    [
      "a blank in each",
      "%s has %d",
      "% s heeft % d",
      ["error printf.missing %s -> %s heeft %d", "error printf.missing %d -> %s heeft %d"],
    ],
    [
      "a blank in each of a kind",
      "%s has %s",
      "% s heeft % s",
      ["error printf.missing %s -> %s heeft %s", "error printf.missing %s -> %s heeft %s"],
    ],
    [
      "one blank for two that are missing",
      "%1$s has %2$s",
      "% s heeft",
      ["error printf.missing %1$s -> %1$s heeft", "error printf.missing %2$s -> "],
    ],
    [
      "a blank in each, swapped",
      "%s has %d",
      "% d bij % s",
      ["error printf.missing %s -> ", "error printf.missing %d -> "],
    ],
    ["a blank and another letter", "Hi %s", "Dag % d", ["error printf.missing %s -> "]],
    [
      "a correction that would move another one",
      "%s has %d",
      "% s heeft %s",
      ["error printf.missing %d -> "],
    ],
    [
      "a blank in one, beside one that is too many",
      "Hi %s",
      "Dag % s %2$d",
      ["error printf.missing %s -> Dag %s %2$d", "error printf.unexpected %2$d -> "],
    ],
    [
      "a blank in one, beside a value that is shown in two ways",
      "%1$s or %1$d, %2$s",
      "%1$s of %1$d, % 2$s",
      ["error printf.missing %2$s -> %1$s of %1$d, %2$s"],
    ],
    ["named ones", "%(name)s", "%(name)s", []],
    ["named ones with widths", "%(price).2f, %(count)i", "%(count)i: %(price).2f", []],
    ["a named number that is missing", "%(price).2f", "prijs", ["error printf.missing %(price).2f -> "]],
    [
      "a named number that is misspelt",
      "%(count)i",
      "%(aantal)i",
      ["error printf.missing %(count)i -> %(count)i"],
    ],
    [
      "a named one with blanks",
      "%(name)s x",
      "% ( Name ) s y",
      ["error printf.missing %(name)s -> %(name)s y"],
    ],
    [
      "a named one without its letter",
      "%(name)s x",
      "y %(name)",
      ["error printf.missing %(name)s -> y %(name)s"],
    ],
    ["a named one of another kind", "%(price).2f", "%(price)d", ["error printf.type %(price)d -> %(price)f"]],
    ["named ones in another order", "%(a)s has %(b)d", "%(b)d bij %(a)s", []],
    [
      "named ones with each other's letters",
      "%(a)s has %(b)d",
      "%(b)s bij %(a)d",
      ["error printf.type %(b)s -> %(b)d bij %(a)s", "error printf.type %(a)d -> %(b)d bij %(a)s"],
    ],
  ])("%s", (_, source, translation, issues) => {
    expect(singular("printf", source, translation)).toEqual(issues);
  });
});

describe("plural forms", () => {
  const source = { one: ":count apple", other: ":count apples of :owner" };
  test("allow a form for one number without the number", () => {
    expect(plural("colon", source, { one: "een appel", other: ":count appels van :owner" }, "nl")).toEqual(
      [],
    );
  });
  test("allow a form for one number without printf's number directive", () => {
    const apples = { one: "%d apple of %s", other: "%d apples of %s" };
    const translated = { one: "een appel van %2$s", other: "%d appels van %s" };
    expect(plural("printf", apples, translated, "nl")).toEqual([]);
    expect(plural("printf", apples, { ...translated, one: "een appel" }, "nl")).toEqual([
      "one: printf.missing %s",
    ]);
    expect(plural("printf", apples, { ...translated, other: "appels van %2$s" }, "nl")).toEqual([
      "other: printf.missing %d",
    ]);
  });
  test("require the number if `one` stands for many numbers", () => {
    expect(
      plural("colon", source, { one: "яблоко", few: ":count :owner", many: ":count :owner" }, "ru"),
    ).toEqual(["one: laravel.missing :count"]);
  });
  test("compare a form missing in the source with its other", () => {
    expect(plural("colon", source, { few: ":count" }, "pl")).toEqual(["few: laravel.missing :owner"]);
  });
  test("expect placeholders of any source form", () => {
    expect(plural("colon", source, { one: ":count :owner", other: ":count :owner" }, "nl")).toEqual([]);
  });
  test("skip empty forms and texts of another kind", () => {
    expect(plural("colon", source, { one: "", other: "" }, "nl")).toEqual([]);
    expect(checkPlaceholders(["colon"], { forms: source }, { value: "x" }, "nl")).toEqual([]);
  });
});

test("finds no issue in a text compared with itself", () => {
  const families: PlaceholderFamily[] = ["colon", "double-braces", "icu", "printf"];
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
    propertyRuns(100),
  );
});

test("suggests texts that fix the issue without new ones", () => {
  const word = fc.stringMatching(/^[a-z]{2,8}$/u);
  fc.assert(
    fc.property(word, word, word, (name, wrong, around) => {
      fc.pre(name !== wrong);
      const [issue] = checkPlaceholders(
        ["colon"],
        { value: `${around} :${name}` },
        { value: `:${wrong} ${around}` },
        "nl",
      );
      expect(findPlaceholders("colon", issue?.suggestion ?? "").map((one) => one.name)).toEqual([name]);
      expect(issue?.suggestion).toContain(around);
    }),
    propertyRuns(100),
  );
});

test("never overlaps or swaps printf directives in corrections", () => {
  const directive = fc.constantFrom(
    "%s",
    "%d",
    "% s",
    "% d",
    "%1$s",
    "%2$d",
    "% 1$s",
    "%(a)s",
    "%(a)d",
    "%(b)i",
    "%",
  );
  const text = fc.array(fc.oneof(directive, fc.constantFrom(" ", "w")), { maxLength: 6 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [source, translation] = [one.join(""), other.join("")];
      const wanted = findPlaceholders("printf", source);
      for (const issue of checkPlaceholders(["printf"], { value: source }, { value: translation }, "nl")) {
        if (issue.suggestion === "") continue;
        for (const { name, kind } of findPlaceholders("printf", issue.suggestion)) {
          const kinds = wanted.filter((each) => each.name === name).map((each) => each.kind);
          if (kinds.length > 0) expect(kinds).toContain(kind);
        }
        // What is no directive stays as it is.
        const plain = (value: string): string =>
          value.replaceAll(/%?[ ]*(?:\d\$)?(?:\([ab]\))?[sdi]|%| /g, "");
        expect(plain(issue.suggestion)).toBe(plain(translation));
      }
    }),
    propertyRuns(100),
  );
});

test("applies one of two corrections of a range", () => {
  const issues = checkPlaceholders(["printf"], { value: "%.2f %d" }, { value: "% s" }, "nl");
  expect(issues.length).toBeGreaterThan(0);
  for (const { suggestion } of issues) expect(["", "%.2f", "%d"]).toContain(suggestion);
});

test("takes linear time", () => {
  expectLinearTime((count) => {
    const text = "{a :b {{c %d }} ".repeat(count);
    const source = { value: `${text}:missing` };
    checkPlaceholders(["colon", "double-braces", "icu", "printf"], source, { value: text }, "nl");
  }, 20_000);
});
