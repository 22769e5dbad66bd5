/** What the check of machine translations takes and refuses, and that no broken translation passes it. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkTranslation } from "../../../src/model/translation-check.ts";
import type { Text } from "../../../src/model/text.ts";
import { processorTime } from "../support/processor-time.ts";

interface Options {
  readonly locale?: string;
  readonly sourceLocale?: string;
  readonly maxLength?: number;
  readonly currentSource?: Text | null;
}

function kinds(source: Text | null, translation: Text, options: Options = {}): string[] {
  const check = { source, sourceLocale: "en", locale: "nl", maxLength: null, ...options };
  return checkTranslation(check, translation).map((problem) =>
    "form" in problem && problem.form !== null ? `${problem.form}: ${problem.kind}` : problem.kind,
  );
}

const singular = (source: string, translation: string, options: Options = {}): string[] =>
  kinds({ value: source }, { value: translation }, options);

describe("placeholders of every framework", () => {
  test.each([
    ["Laravel", "Hi :name", "Dag :name"],
    ["i18next", "Hi {{name}}, {{ count }}", "{{count}} voor {{ name }}"],
    ["i18next, nested", "$t(cart.title) of {{name}}", "{{name}}: $t(cart.title)"],
    ["ICU", "Hi {name}, {0}", "{0}, dag {name}"],
    ["ICU, with a type", "On {day, date, short}", "{day, date, short} dus"],
    ["printf, numbered", "%1$s of %2$d", "%2$d van %1$s"],
    ["printf, unnumbered in order", "%s of %d", "%s van %d"],
    ["Python", "%(name)s has %(count)d", "%(count)d van %(name)s"],
    ["Ruby and Twig", "%{name} and %name%", "%name% en %{name}"],
    ["vue-i18n, linked", "See @:menu.help now", "Zie nu @:menu.help"],
    ["a percent sign that is one", "Save 10% now", "Bespaar nu 10%"],
    ["an escaped percent sign", "%d%% done", "%d%% klaar"],
  ])("are the same in %s", (_, source, translation) => {
    expect(singular(source, translation)).toEqual([]);
  });

  test.each([
    ["dropped", "Hi :name", "Dag"],
    ["translated", "Hi :name", "Dag :naam"],
    ["doubled", "Hi {name}", "Dag {name} {name}"],
    ["doubled without a blank", "Hi :name", "Dag :name:name"],
    ["once in place of twice", "{name} and {name}", "{name}"],
    ["invented", "Hi", "Dag {name}"],
    ["of another framework", "Hi :name", "Dag {{name}}"],
    ["spelt with other capitals", "Hi {Name}", "Dag {name}"],
    ["of another type", "%d files", "%s bestanden"],
    ["in another order, where order counts", "%s of %d", "%d van %s"],
    ["with another format", "On {day, date, short}", "Op {day, date, long}"],
    ["without its format", "{{value, currency}} due", "{{value}} te betalen"],
    ["a percent sign no longer escaped", "%d%% done", "%d% klaar"],
    ["Ruby's translated", "Hi %{name}", "Dag %{naam}"],
    ["linked key translated", "See @:menu.help", "Zie @:menu.hulp"],
  ])("are refused: %s", (_, source, translation) => {
    expect(singular(source, translation)).toEqual(["placeholders"]);
  });

  test("are not quoted by an apostrophe", () => {
    expect(singular("The {name}", "L'{name}", { locale: "fr" })).toEqual(["syntax"]);
    expect(singular("The {name}", "L’{name}", { locale: "fr" })).toEqual([]);
  });
});

describe("ICU messages", () => {
  const source = "{n, plural, =0 {No files} one {# file} other {# files}} in {folder}";
  test.each([
    ["nl", "{n, plural, =0 {Geen bestanden} one {# bestand} other {# bestanden}} in {folder}", []],
    ["nl", "{n, plural, =0 {Geen} one {Eén bestand} other {# bestanden}} in {folder}", []],
    [
      "pl",
      "{n, plural, =0 {Brak} one {# plik} few {# pliki} many {# plików} other {# pliku}} w {folder}",
      [],
    ],
    ["pl", "{n, plural, =0 {Brak} one {# plik} other {# pliku}} w {folder}", ["syntax"]],
    ["nl", "{n, plural, =0 {Geen} one {# bestand} few {# x} other {# bestanden}} in {folder}", ["syntax"]],
    ["nl", "{n, plural, one {# bestand} other {# bestanden}} in {folder}", ["syntax"]],
    ["nl", "{n, meervoud, =0 {Geen} een {# bestand} anders {# bestanden}} in {folder}", ["syntax"]],
    ["nl", "{m, plural, =0 {Geen} one {# bestand} other {# bestanden}} in {folder}", ["syntax"]],
    ["nl", "{n, plural, =0 {Geen} one {# bestand} other {bestanden}} in {folder}", ["placeholders"]],
    ["nl", "{n, plural, =0 {Geen} one {# bestand} other {# bestanden}} in", ["placeholders"]],
    ["nl", "{n, plural, =0 {Geen} one {# bestand} other {# bestanden} in {folder}", ["syntax"]],
    ["nl", "# bestanden in {folder}", ["syntax"]],
  ])("in %s: %s", (locale, translation, problems) => {
    expect(singular(source, translation, { locale })).toEqual(problems);
  });

  test("with select keep its selectors, and what is within them", () => {
    const from =
      "{who, select, male {He has {n, plural, one {# cat} other {# cats}}} other {They have {n, plural, one {# cat} other {# cats}}}}";
    const right =
      "{who, select, male {Hij heeft {n, plural, one {# kat} other {# katten}}} other {Zij hebben {n, plural, one {# kat} other {# katten}}}}";
    expect(singular(from, right)).toEqual([]);
    expect(singular(from, right.replace("male", "man"))).toEqual(["syntax"]);
    expect(singular(from, right.replace("# katten", "katten"))).toEqual(["placeholders"]);
  });
});

describe("parts by number", () => {
  test.each([
    ["{0} None|[1,19] Some|[20,*] :count", "{0} Geen|[1,19] Enkele|[20,*] :count", []],
    ["{0} None|[1,19] Some|[20,*] :count", "{0} Geen|[1,20] Enkele|[20,*] :count", ["parts"]],
    ["{0} None|[1,19] Some|[20,*] :count", "{0} Geen|[20,*] :count", ["parts"]],
    ["car | cars", "auto | auto's", []],
    ["car | cars", "auto", ["parts"]],
    ["car | cars", "auto | ", ["parts"]],
    ["one car | {n} cars", "{n} auto | auto's", ["placeholders"]],
    ["A car", "Een | auto", ["parts"]],
  ])("%s → %s", (source, translation, problems) => {
    expect(singular(source, translation)).toEqual(problems);
  });
});

describe("markup", () => {
  test.each([
    ["Read <b>this</b><br>now", "Lees <b>dit</b><br>nu", []],
    ["<0>Terms</0> and <1>privacy</1>", "<1>Privacy</1> en <0>voorwaarden</0>", []],
    ['<a href=":url" title="Help">Help</a>', '<a href=":url" title="Hulp">Hulp</a>', []],
    ['<a href="/a">Help</a>', '<a href="/b">Hulp</a>', ["markup"]],
    ["Read <b>this</b>", "Lees dit", ["markup"]],
    ["Read <b>this</b>", "Lees <b>dit<b>", ["markup"]],
    ["Read <b>this</b>", "Lees </b>dit<b>", ["markup-order"]],
    ["Read this", "Lees <script>alert(1)</script>dit", ["markup"]],
    ["Read this", "Lees <script dit", ["markup-order"]],
    ["a < b and b > c", "a < b en b > c", []],
  ])("%s → %s", (source, translation, problems) => {
    expect(singular(source, translation)).toEqual(problems);
  });
});

describe("plural forms", () => {
  const source: Text = { forms: { one: "One file", other: ":count files" } };
  test.each([
    ["nl", { one: "Eén bestand", other: ":count bestanden" }, []],
    ["nl", { one: ":count bestand", other: ":count bestanden" }, []],
    ["nl", { other: ":count bestanden" }, ["categories"]],
    ["nl", { one: "Eén", two: "Twee", other: ":count" }, ["categories"]],
    ["nl", { one: "Eén bestand", other: "bestanden" }, ["other: placeholders"]],
    ["nl", { one: "", other: ":count bestanden" }, ["one: empty"]],
    ["ru", { one: ":count файл", few: ":count файла", many: ":count файлов" }, []],
    ["ru", { one: "Один файл", few: ":count файла", many: ":count файлов" }, ["one: placeholders"]],
    ["ru", { one: ":count файл", other: ":count файлов" }, ["categories"]],
    ["ja", { other: ":count ファイル" }, []],
    ["fr", { one: ":count fichier", other: ":count fichiers" }, []],
    ["fr", { one: ":count fichier", many: ":count fichiers", other: ":count fichiers" }, []],
  ])("of %s: %j", (locale, forms, problems) => {
    expect(kinds(source, { forms }, { locale })).toEqual(problems);
  });

  test("are wanted where the key has them, and only there", () => {
    expect(kinds(source, { value: "bestanden" })).toEqual(["singular"]);
    expect(kinds({ value: "files" }, { forms: { one: "a", other: "b" } })).toEqual(["plural"]);
  });
});

test.each([
  ["nothing", "Save", " ", {}, ["empty"]],
  ["more than maxLength, in code points", "Save", "👍👍👍", { maxLength: 2 }, ["too-long"]],
  ["as much as maxLength", "Save", "👍👍", { maxLength: 2 }, []],
  ["the source text", "Add to cart", "Add to cart", {}, ["source-repeated"]],
  ["the source text, in the same language", "Add to cart", "Add to cart", { locale: "en-GB" }, []],
  ["a name", "New York Times", "New York Times", {}, []],
  ["a word that many languages have", "Account", "Account", {}, []],
  ["what is nothing but placeholders", ":first :last", ":first :last", {}, []],
  ["a control character", "Save", "Op\u0000slaan", {}, ["characters"]],
  ["a mark that turns the direction", "Save", "Op\u202eslaan", {}, ["characters"]],
  ["half a surrogate pair", "Save", "Opslaan\ud83d", {}, ["characters"]],
  ["a line break that is new", "Save", "Opslaan\n", {}, ["characters"]],
  ["a line break that was there", "Save\nnow", "Nu\nopslaan", {}, []],
  ["a fence", "Save\nit", "```\nOpslaan\n```", {}, ["not-only-text"]],
  [
    "words about it",
    "Save",
    "Sure! Here is the translation that you asked for, in the style of the project: Opslaan",
    {},
    ["not-only-text"],
  ],
  [
    "a translation of an older text",
    "Save",
    "Opslaan",
    { currentSource: { value: "Store" } },
    ["source-changed"],
  ],
  ["a translation of a key that is gone", "Save", "Opslaan", { currentSource: null }, ["source-changed"]],
])("what is given: %s", (_, source, translation, options, problems) => {
  expect(singular(source, translation, options)).toEqual(problems);
});

test("a key without a source text cannot be translated", () => {
  expect(kinds(null, { value: "Opslaan" })).toEqual(["no-source"]);
});

/** Parts of source texts; each placeholder, tag or range is one, so that it is known what breaks a translation. */
const FIXED = [
  ":name",
  ":count",
  "{{user}}",
  "{total}",
  "{0}",
  "%1$s",
  "%{path}",
  "<b>bold</b>",
  "<br/>",
  "$t(a.b)",
];
const PROSE = ["Hello", "your cart", "of", "is empty", "100", "— well"];

const parts = fc
  .array(fc.oneof(fc.constantFrom(...FIXED), fc.constantFrom(...PROSE)), { minLength: 1, maxLength: 8 })
  .filter((all) => all.some((part) => FIXED.includes(part)));

const translated = (part: string): string => (FIXED.includes(part) ? part : `x${part.length}y`);

test("any order of the same parts is taken", () => {
  // With some prose, so that the translation is not the source.
  const reordered = parts
    .filter((all) => all.some((part) => PROSE.includes(part)))
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
  fc.assert(
    fc.property(reordered, ([source, order]) => {
      expect(singular(source.join(" "), order.map(translated).join(" "))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

/** Ways to break what is fixed. */
const BREAKS: readonly ((fixed: string) => string)[] = [
  () => "",
  (fixed) => `${fixed} ${fixed}`,
  (fixed) => fixed.replace(/[a-z]+/u, (word) => `x${word}`),
  (fixed) => fixed.replace(/[a-z0-9]/u, "é"),
  (fixed) => fixed.slice(0, -1),
  (fixed) => fixed.slice(1),
  (fixed) => `{${fixed}_}`,
  (fixed) => `${fixed} {extra}`,
  (fixed) => `${fixed} <script>`,
  (fixed) => fixed.replace(/[:{%<$]/u, "￥"),
];

test("no translation with a broken part is taken", () => {
  const broken = fc.tuple(parts, fc.nat(), fc.constantFrom(...BREAKS));
  fc.assert(
    fc.property(broken, ([source, at, breakPart]) => {
      const places = source.flatMap((part, index) => (FIXED.includes(part) ? [index] : []));
      const place = places[at % places.length];
      const translation = source.map((part, index) => (index === place ? breakPart(part) : translated(part)));
      const text = translation.join(" ");
      fc.pre(text !== source.map(translated).join(" "));
      expect(singular(source.join(" "), text)).not.toEqual([]);
    }),
    { numRuns: 10_000 },
  );
});

test("takes time that grows with the text alone", () => {
  const parts = [
    ":a ",
    "{{a}}",
    "{a}",
    "%s ",
    "{n, plural, other {",
    "<a ",
    "a|",
    " ",
    "'{",
    "${",
    "%",
    "<!--",
    "[1,",
  ];
  for (const part of parts) {
    const text = part.repeat(32_768 / part.length);
    const before = processorTime();
    singular(text, text);
    expect(processorTime() - before).toBeLessThan(2_000);
  }
});
