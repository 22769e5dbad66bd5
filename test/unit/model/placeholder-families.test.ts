/** Which placeholders a file's texts have, and the issues of whole files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jsonJs } from "../../../src/formats/json/json-format.ts";
import { po } from "../../../src/formats/gettext/po-format.ts";
import { xliff12 } from "../../../src/formats/xliff/xliff-format.ts";
import type { Entry } from "../../../src/formats/format.ts";
import { checkPlaceholders } from "../../../src/model/placeholder-checks.ts";
import { placeholderFamilies, type TextOrigin } from "../../../src/model/placeholder-families.ts";
import type { PlaceholderFamily } from "../../../src/model/placeholders.ts";
import type { Text } from "../../../src/model/translation-text.ts";

const fixture = (path: string): string =>
  readFileSync(join(import.meta.dirname, "../../fixtures", path), "utf8");
const options = { locale: "nl", sourceLocale: "en" };

function issuesOf(
  { key, text, source: own, formatFlags = [] }: Entry,
  project: readonly PlaceholderFamily[],
  origin: Pick<TextOrigin, "path" | "family">,
  source: Text | null = own,
): string[] {
  const families = placeholderFamilies(project, { ...origin, formatFlags, source });
  return checkPlaceholders(families, source, text, "nl").map(
    ({ form, rule, placeholder }) => `${key.slice(0, 12)}${form && ` ${form}`}: ${rule} ${placeholder}`,
  );
}

// As Transloco's transpiler of messages does.
test.each<readonly [source: string, families: readonly PlaceholderFamily[]]>([
  ["Hi {{ name }}", ["double-braces"]],
  ["{n, plural, one {# of {{ total }}} other {#}}", ["double-braces"]],
  ["{n, plural, one {#} other {#}}", ["icu"]],
  ["Hi", ["icu"]],
])("double braces before ICU messages: %s", (source, families) => {
  const origin: TextOrigin = { path: "en.json", family: null, formatFlags: [], source: { value: source } };
  expect(placeholderFamilies(["double-braces", "icu"], origin)).toEqual(families);
});

describe("files", () => {
  test("PO with Python's braces, in any project", () => {
    const { entries } = po.read(fixture("format-strings/python-brace.po"), options);
    for (const project of [[], ["printf"]] as const) {
      expect(
        entries.flatMap((entry) => issuesOf(entry, project, { path: "nl.po", family: "gettext" })),
      ).toEqual([
        "Hello {name}: python-brace.missing {name}",
        "{0} of {1}: python-brace.missing {1}",
        "{} file in { one: python-brace.unexpected {map!r}",
      ]);
    }
  });

  test("Symfony's XLIFF, byte for byte", () => {
    const { entries } = xliff12.read(fixture("format-strings/symfony-placeholders.nl.xlf"), options);
    for (const project of [[], ["verbatim"]] as const) {
      expect(
        entries.flatMap((entry) => issuesOf(entry, project, { path: "messages.nl.xlf", family: "xliff" })),
      ).toEqual([
        "hello: symfony.missing %name%",
        "size: symfony.missing {{ limit }}",
        "size: symfony.missing {{ suffix }}",
        "size: symfony.unexpected {{ achtervoegsel }}",
      ]);
    }
  });

  test("JSON of FormatJS with apostrophes", () => {
    const sources = new Map(
      jsonJs
        .read(fixture("icu-quotes/en.json"), { ...options, locale: "en" })
        .entries.map((each) => [each.key, each.text]),
    );
    const { entries } = jsonJs.read(fixture("icu-quotes/fr.json"), { ...options, locale: "fr" });
    const issues = (family: PlaceholderFamily): string[] =>
      entries.flatMap((entry) =>
        issuesOf(entry, [family], { path: "fr.json", family: null }, sources.get(entry.key) ?? null),
      );
    for (const family of ["icu-tags", "icu"] as const) {
      expect(issues(family)).toEqual([
        "added: icu.missing {type}",
        "file: icu.missing {name}",
        "books: icu.syntax {n, plural, one {# livre d'{who}} other {# livres d'{who}}",
        "days: icu.syntax {n, plural, one {# jour} autres {# jours}",
        "control: icu.missing {name}",
      ]);
    }
    // vue-i18n has no quoting.
    expect(issues("braces")).toEqual(["control: icu.missing {name}"]);
  });
});

test("a doubled apostrophe is suggested", () => {
  const [issue] = checkPlaceholders(
    ["icu-tags"],
    { value: "The {type} was added" },
    { value: "L'{type} a été ajouté" },
    "fr",
  );
  expect(issue?.suggestion).toBe("L''{type} a été ajouté");
});

test.each([
  // GlotPress judges these alike.
  ["a lone percent sign for a doubled one", "printf", "%% a", "% б", ["printf.syntax %"]],
  ["a percent sign in both texts", "printf", "% a", "б", []],
  ["a percent sign that is not doubled", "printf", "%s of 100%%", "%s van 100%", ["printf.syntax %"]],
  ["a doubled percent sign before a letter", "printf", "%s a", "%%s б", ["printf.missing %s"]],
  ["a sloppy source text", "printf", "%s is 100% done", "%s is 100% klaar", []],
  ["an unclosed tag", "icu-tags", "<b>{n}</b>", "<b>{n}", ["icu.syntax <b>{n}"]],
  ["a tag that is not syntax", "icu", "<b>{n}</b>", "<b>{n}", []],
  [
    "tags that FormatJS does not parse in the source text either",
    "icu-tags",
    "<a href='/x'>{n}</a>",
    "<a>{n}",
    [],
  ],
  ["an unknown type", "icu-tags", "{n, number}", "{n, getal}", ["icu.syntax getal"]],
  ["ICU's own types", "icu", "{n, spellout}", "{n, spellout}", []],
  ["Symfony's intervals", "verbatim", "{0} none|]0,Inf[ %count%", "{0} geen|]1,Inf[ %count%", []],
  ["a placeholder in a tag", "verbatim", '<x equiv-text="{{ a }}"/>', '<x equiv-text="{{ b }}"/>', []],
] as const)("%s", (_, family, source, translation, expected) => {
  const issues = checkPlaceholders([family], { value: source }, { value: translation }, "nl");
  expect(issues.map(({ rule, placeholder }) => `${rule} ${placeholder}`)).toEqual(expected);
});

describe("families", () => {
  const of = (
    project: readonly PlaceholderFamily[],
    origin: Partial<TextOrigin>,
  ): readonly PlaceholderFamily[] =>
    placeholderFamilies(project, { path: "x", family: null, formatFlags: [], source: null, ...origin });

  test("follow flags before frameworks", () => {
    const flagged = (...formatFlags: string[]) => of(["printf"], { family: "gettext", formatFlags });
    expect(flagged()).toEqual(["printf"]);
    expect(flagged("php-format")).toEqual(["php-format"]);
    expect(flagged("python-format", "python-brace-format")).toEqual(["python-format", "python-brace-format"]);
    expect(flagged("no-c-format")).toEqual([]);
    expect(flagged("no-python-brace-format")).toEqual(["printf"]);
    expect(
      of(["printf"], {
        family: "gettext",
        formatFlags: ["no-python-brace-format"],
        source: { value: "{name}" },
      }),
    ).toEqual(["printf"]);
    expect(flagged("perl-brace-format")).toEqual([]);
  });

  test("are Python's braces where the source text has nothing else", () => {
    const families = (value: string, project: readonly PlaceholderFamily[] = ["printf"]) =>
      of(project, { family: "gettext", source: { value } });
    expect(families("{name}")).toEqual(["python-brace-format"]);
    expect(families("{percent}% of")).toEqual(["python-brace-format"]);
    expect(families("{name} %s")).toEqual(["printf"]);
    expect(families("{ name }")).toEqual(["printf"]);
    expect(families("Use {}")).toEqual(["printf"]);
    expect(families("{name}", ["icu-tags"])).toEqual(["icu-tags"]);
  });

  test("are ICU's in Symfony's files with +intl-icu", () => {
    expect(of(["verbatim"], { path: "translations/messages+intl-icu.nl.xlf", family: "xliff" })).toEqual([
      "icu",
    ]);
  });
});

describe("without a framework", () => {
  const check = (source: string, text: string): readonly string[] => {
    const origin: TextOrigin = {
      path: "en.json",
      family: null,
      formatFlags: [],
      source: { value: source },
    };
    const families = placeholderFamilies([], origin);
    return checkPlaceholders(families, { value: source }, { value: text }, "nl").map(
      ({ rule, placeholder }) => `${rule} ${placeholder}`,
    );
  };

  test("options of a source text show that it is an ICU message", () => {
    const source = "{count, plural, one {# file} other {# files}} of {name}";
    expect(check(source, "{count, plural, one {# bestand} other {# bestanden}} van {name}")).toEqual([]);
    expect(check(source, "{count, plural, one {# bestand} other {# bestanden}}")).toEqual([
      "icu.missing {name}",
    ]);
    const unclosed = check(source, "{count, plural, one {# bestand} van {name}");
    expect(unclosed.some((issue) => issue.startsWith("icu.syntax"))).toBe(true);
  });

  test.each([
    ["Hi {name}", "Dag"],
    ["Use {a, b} or '{'", "Gebruik"],
    ["{count, plural, one {# file}", "{count"],
    ["50% of {{ total }}", "50% van {total"],
  ])("%s is not checked", (source, text) => {
    expect(check(source, text)).toEqual([]);
  });
});
