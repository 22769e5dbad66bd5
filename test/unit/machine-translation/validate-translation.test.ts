/** The validation of machine translations: accepted and refused ones. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkTranslation } from "../../../src/machine-translation/validate-translation.ts";
import type { Delimiters } from "../../../src/model/placeholders.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import { propertyRuns } from "../support/full-run.ts";
import { expectLinearTime } from "../support/linear-time.ts";

interface Options {
  readonly locale?: string;
  readonly sourceLocale?: string;
  readonly maxLength?: number;
  readonly currentSource?: Text | null;
  readonly delimiters?: readonly Delimiters[];
}

function kinds(source: Text | null, translation: Text, options: Options = {}): string[] {
  const check = { source, sourceLocale: "en", locale: "nl", maxLength: null, ...options };
  return checkTranslation(check, translation).map((problem) =>
    "form" in problem && problem.form !== null ? `${problem.form}: ${problem.kind}` : problem.kind,
  );
}

const singular = (source: string, translation: string, options: Options = {}): string[] =>
  kinds({ value: source }, { value: translation }, options);

test("placeholders between the delimiters of the project", () => {
  const delimiters = [{ prefix: "((", suffix: "))" }];
  const check = (translation: string): string[] =>
    singular("Welcome, ((name)), again", translation, { delimiters });
  expect(check("Welkom terug, (( name ))")).toEqual([]);
  expect(check("Welkom terug, ((naam))")).toEqual(["placeholders"]);
  expect(check("Welkom terug")).toEqual(["placeholders"]);
  const context = { sourceLocale: "en", locale: "nl", maxLength: null, delimiters };
  const source = { value: "Welcome, ((name)), again" };
  expect(checkTranslation({ ...context, source }, { value: "Welkom terug, ((naam))" })).toEqual([
    { kind: "placeholders", form: null, missing: ["((name))"], unexpected: ["((naam))"] },
  ]);
  expect(singular("Welcome, ((name)), again", "Welkom terug")).toEqual([]);
  // Those that are placeholders anyway are told once.
  const braces = { delimiters: [{ prefix: "{{", suffix: "}}" }] };
  expect(singular("Hi {{name}}", "Dag {{naam}}", braces)).toEqual(["placeholders"]);
  expect(singular("Hi {{name}}", "Dag {{name}}", braces)).toEqual([]);
});

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
    ["printf, with a length", "%ld of %2$lu", "%ld van %2$lu"],
    ["Python's format", "{price:.2f} of {}", "{price:.2f} van {}"],
    [".NET and Fluent", "{0:N2} of { $name }", "{ $name }: {0:N2}"],
    ["Ruby's format and ERB", "%<count>d of <%= name %>", "<%= name %>: %<count>d"],
    ["two underscores", "Hi __name__", "Dag __name__"],
    ["vue-i18n, literal", "me{'@'}example", "ik{'@'}example"],
    ["an exclamation mark that is prose", "Wow!important! Go!", "Wauw! Belangrijk! Kom op !"],
    ["an address", "See https://a.example/help.", "Zie https://a.example/help!"],
    ["a mail address", "Mail me@a.example now", "Mail nu me@a.example"],
    ["a line break of two characters", "One\\nTwo", "Een\\nTwee"],
  ])("match in %s", (_, source, translation) => {
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
    ["Drupal's translated", "Hi @name", "Dag @naam"],
    ["Drupal's with an exclamation mark translated", "Hi !name", "Dag !naam"],
    ["Drupal's with an exclamation mark dropped", "By (!name)", "Door"],
    ["printf's with a length dropped", "%ld files", "bestanden"],
    ["printf's with a length, in another order", "%ld of %s", "%s van %ld"],
    ["Python's format translated", "{price:.2f}", "{prijs:.2f}"],
    ["Python's empty one with a blank", "Hi {}", "Dag { }"],
    ["Python's without its letter", "Hi %(name)s", "Dag %(name)"],
    [".NET's format changed", "{0:N2} due", "{0:N3} te betalen"],
    ["Fluent's translated", "Hi { $name }", "Dag { $naam }"],
    ["ERB's translated", "Hi <%= name %>", "Dag <%= naam %>"],
    ["underscores translated", "Hi __name__", "Dag __naam__"],
    ["with a letter that only looks the same", "Hi {{name}}", "Dag {{n\u0430me}}"],
    ["in marks that only look the same", "Hi {name}", "Dag ｛name｝"],
    ["another address", "See https://a.example", "Zie https://b.example"],
    ["an address that is new", "See this", "Zie https://b.example"],
    ["another mail address", "Mail me@a.example", "Mail me@b.example"],
    ["literal brace dropped", "me{'@'}example", "ik@example"],
    ["line break of two characters dropped", "One\\nTwo", "Een Twee"],
  ])("do not match: %s", (_, source, translation) => {
    expect(singular(source, translation)).toEqual(["placeholders"]);
  });

  test("are not escaped by an apostrophe", () => {
    expect(singular("The {name}", "L'{name}", { locale: "fr" })).toEqual(["syntax"]);
    expect(singular("The {name}", "L’{name}", { locale: "fr" })).toEqual([]);
    expect(singular("Use '{'x'}' and {name}", "Utiliser '{'x'}' et '{name}'", { locale: "fr" })).toEqual([
      "syntax",
    ]);
    expect(singular("The <b>car</b> of {name}", "L'<b>auto</b> de {name}", { locale: "fr" })).toEqual([
      "syntax",
    ]);
    expect(singular("The <b>car</b> of :name", "L'<b>auto</b> de :name", { locale: "fr" })).toEqual([]);
  });
});

describe("problems of placeholders and tags", () => {
  const problems = (source: string, translation: string): unknown =>
    checkTranslation(
      { source: { value: source }, sourceLocale: "en", locale: "nl", maxLength: null },
      { value: translation },
    );

  test("name missing and surplus ones as written", () => {
    expect(problems("{a} {b} {b}", "{b} {c}")).toEqual([
      { kind: "placeholders", form: null, missing: ["{a}", "{b}"], unexpected: ["{c}"] },
    ]);
    expect(problems("<b>a</b> <i>b</i>", "<b>a</b> <u>b</i>")).toEqual([
      { kind: "markup", form: null, missing: ["<i>"], unexpected: ["<u>"] },
    ]);
    expect(problems("a & b", "a &amp; b")).toEqual([
      { kind: "markup", form: null, missing: [], unexpected: ["&amp;"] },
    ]);
  });

  test("name the first ten of each", () => {
    const names = (first: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `{${first}${index}}`);
    expect(problems(names("a", 11).join(" "), names("b", 12).join(" "))).toEqual([
      { kind: "placeholders", form: null, missing: names("a", 10), unexpected: names("b", 10) },
    ]);
  });
});

describe("ICU messages with ordinals", () => {
  const source = "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} place";
  // Every language has its own categories of ordinals, of which nothing is known here but `other`.
  test.each([
    ["nl", "{n, selectordinal, other {#e}} plaats", []],
    ["nl", "{n, selectordinal, one {#ste} other {#e}} plaats", []],
    ["nl", "{n, selectordinal, many {#ste} other {#e}} plaats", []],
    ["nl", "{n, selectordinal, one {#ste}} plaats", ["syntax"]],
    ["nl", "{n, selectordinal, eerste {#ste} other {#e}} plaats", ["syntax"]],
    ["nl", "{n, plural, one {#ste} other {#e}} plaats", ["syntax"]],
    ["nl", "{n, selectordinal, other {e}} plaats", ["placeholders"]],
  ])("in %s: %s", (locale, translation, problems) => {
    expect(singular(source, translation, { locale })).toEqual(problems);
  });
});

describe("ICU messages", () => {
  test("may have their options in another order", () => {
    const options = ["=2 {a}", "=1 {b}", "one {c}", "other {d}"];
    const message = (order: readonly string[]): string => `{n, plural, ${order.join(" ")}}`;
    for (const source of [options, options.toReversed()])
      expect(singular(message(source), message(options), { locale: "nl" })).toEqual([]);
  });

  const source = "{n, plural, =0 {No files} one {# file} other {# files}} in {folder}";
  test.each([
    ["nl", "{n, plural, =0 {Geen bestanden} one {# bestand} other {# bestanden}} in {folder}", []],
    ["nl", "{n, plural, one {# bestand} other {# bestanden} =0 {Geen}} in {folder}", []],
    ["nl", "{n, plural, =0 {Geen} one {Eén bestand} other {# bestanden}} in {folder}", []],
    ["nl", "{n, plural, =0 {Geen bestanden in} one {# bestand in} other {# bestanden in}} {folder}", []],
    [
      "pl",
      "{n, plural, =0 {Brak} one {# plik} few {# pliki} many {# plików} other {# pliku}} w {folder}",
      [],
    ],
    [
      "pl",
      "{n, plural, =0 {Brak} one {# plik} few {} many {# plików} other {# pliku}} w {folder}",
      ["empty"],
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
    ["nl", "{n, plural, =0 {Geen} one {# bestand} other {'#' bestanden}} in {folder}", ["syntax"]],
    ["nl", "{n, plural, =0 {Geen} one {# bestand} other {# bestanden}} in '{folder}'", ["syntax"]],
    ["nl", "{n, plural, =0 {\u200b} one {# bestand} other {# bestanden}} in {folder}", ["characters"]],
    ["nl", "{n, plural, =0 {—} one {# bestand} other {# bestanden}} in {folder}", ["empty"]],
    ["nl", "{n, plural, =0 {Geen} one {# bestand} other {# bestanden}} in {folder}}", ["syntax"]],
    [
      "ar",
      "{n, plural, =0 {لا} zero {لا} one {ملف} two {ملفان} few {# ملفات} many {# ملفًا} other {# ملف}} في {folder}",
      [],
    ],
    [
      "ar",
      "{n, plural, =0 {لا} one {ملف} two {ملفان} few {# ملفات} many {# ملفًا} other {# ملف}} في {folder}",
      ["syntax"],
    ],
    ["cs", "{n, plural, =0 {Nic} one {# soubor} few {# soubory} other {# souborů}} v {folder}", []],
    ["cs", "{n, plural, =0 {Nic} one {# soubor} other {# souborů}} v {folder}", ["syntax"]],
    ["ga", "{n, plural, =0 {x} one {# y} two {# y} few {# y} many {# y} other {# y}} i {folder}", []],
    ["ga", "{n, plural, =0 {x} one {# y} two {# y} few {# y} other {# y}} i {folder}", ["syntax"]],
  ])("in %s: %s", (locale, translation, problems) => {
    expect(singular(source, translation, { locale })).toEqual(problems);
  });

  test("must keep the selectors of select and their content", () => {
    const from =
      "{who, select, male {He has {n, plural, one {# cat} other {# cats}}} other {They have {n, plural, one {# cat} other {# cats}}}}";
    const right =
      "{who, select, male {Hij heeft {n, plural, one {# kat} other {# katten}}} other {Zij hebben {n, plural, one {# kat} other {# katten}}}}";
    expect(singular(from, right)).toEqual([]);
    expect(singular(from, right.replace("male", "man"))).toEqual(["syntax"]);
    expect(singular(from, right.replace(/male \{.*?\}\}\} /u, ""))).toEqual(["syntax"]);
    expect(singular(from, right.replace("{who", "{wie"))).toEqual(["syntax"]);
    expect(singular(from, `'${right}'`)).toEqual(["syntax"]);
    expect(singular(from, right.replace("# katten", "katten"))).toEqual(["placeholders"]);
  });
});

describe("numbered parts", () => {
  test.each([
    ["{0} None|[1,19] Some|[20,*] :count", "{0} Geen|[1,19] Enkele|[20,*] :count", []],
    ["{0} None|[1,19] Some|[20,*] :count", "{0} Geen|[1,20] Enkele|[20,*] :count", ["parts"]],
    ["{0} None|[1,19] Some|[20,*] :count", "{0} Geen|[20,*] :count", ["parts"]],
    ["car | cars", "auto | auto's", []],
    ["car | cars", "auto", ["parts"]],
    ["car | cars", "auto | ", ["blanks", "parts"]],
    ["one car | {n} cars", "{n} auto | auto's", ["placeholders"]],
    ["A car", "Een | auto", ["parts"]],
    ["car | cars", "auto |  | auto's", ["parts"]],
    [":count car|:count cars", "Eén auto|:count auto’s", []],
    [":count car|:count cars", ":count auto|auto’s", ["placeholders"]],
    ["{0} |[1,*] :count", "{0} |[1,*] :count", []],
  ])("%s → %s", (source, translation, problems) => {
    expect(singular(source, translation)).toEqual(problems);
  });

  test.each([
    ["pl", "1 plik|:count pliki|:count plików", []],
    ["pl", "1 plik|pliki|plików", ["placeholders"]],
    ["pl", ":count plik|:count plików", []],
    ["pl", ":count plik", ["parts"]],
    ["ru", "Файл|:count файла|:count файлов", ["placeholders"]],
    ["ar", "لا|ملف|ملفان|:count ملفات|:count ملفًا|:count ملف", []],
    ["ja", ":count ファイル", []],
  ])("in %s: %s", (locale, translation, problems) => {
    expect(singular(":count file|:count files", translation, { locale })).toEqual(problems);
  });
});

describe("markup", () => {
  test.each([
    ["Read <b>this</b><br>now", "Lees <b>dit</b><br>nu", []],
    ["<0>Terms</0> and <1>privacy</1>", "<1>Privacy</1> en <0>voorwaarden</0>", []],
    ['<a href=":url" title="Help">Help</a>', '<a href=":url" title="Hulp">Hulp</a>', []],
    ['<a href="/a">Help</a>', '<a href="/b">Hulp</a>', ["markup"]],
    ["Read <b>this</b>", "Lees dit", ["markup"]],
    ["Read<br />now", "Lees<br>nu", []],
    ["Read<br>now", "Lees<br/>nu", []],
    ["Read<br>now", "Lees<hr>nu", ["markup"]],
    ["Read <b>this</b>", "Lees <b>dit<b>", ["markup"]],
    ["Read <b>this</b>", "Lees </b>dit<b>", ["markup-order"]],
    ["Read this", "Lees <script>alert(1)</script>dit", ["markup"]],
    ["Read this", "Lees <script dit", ["markup-order"]],
    ["a < b and b > c", "a < b en b > c", []],
    ["a <5 and b >3", "een <5 en b >3", []],
    ['<a href="/x" title="About :name">Go</a>', '<a href="/x" title="Over :name">Ga</a>', []],
    ['<a href="/x" title="Help">About :name</a>', '<a href="/x" title=":name">Over</a>', ["markup"]],
    ['<a href="/x">Go :name</a>', '<a href="/:name">Ga</a>', ["markup"]],
    ['<a href="/x">Go</a>', '<a href="/x" onclick="x()">Ga</a>', ["markup"]],
    ['<a href="/x">Go</a>', '<a href="javascript:x">Ga</a>', ["markup"]],
    ["<ul><li>Save it</li></ul>", "<li><ul>Bewaar</ul></li>", ["markup-order"]],
    ["<0>Read <1>this</1></0>", "<0>Lees</0> <1>dit</1>", ["markup-order"]],
    ["Read <b>this</b> now", "Lees dit nu<b> </b>", ["empty"]],
    ["Tom & Jerry", "Tom &amp; Jerry", ["markup"]],
    ["Terms &amp; conditions", "Algemene voorwaarden", []],
    ["Terms &amp; conditions", "Voorwaarden &amp;amp; bepalingen", ["markup"]],
    ["Write &lt;b&gt; here", "Schrijf hier <b>", ["markup"]],
    ["Write it here", "Schrijf &lt;script&gt; hier", ["markup"]],
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
    // Of the form's source text and that of "other", only one is to be followed.
    ["nl", { one: ":name bestand", other: ":count bestanden" }, ["one: placeholders"]],
    ["ru", { one: ":count файл", few: ":count файла", many: ":count файлов" }, []],
    ["ru", { one: "Один файл", few: ":count файла", many: ":count файлов" }, ["one: placeholders"]],
    ["ru", { one: ":count файл", other: ":count файлов" }, ["categories"]],
    ["ja", { other: ":count ファイル" }, []],
    ["ar", { zero: "لا", one: "ملف", two: "ملفان", few: ":count", many: ":count", other: ":count" }, []],
    ["ar", { one: "ملف", two: "ملفان", few: ":count", many: ":count", other: ":count" }, ["categories"]],
    [
      "ar",
      { zero: "لا", one: "ملف", two: "ملفان", few: "ملفات", many: ":count", other: ":count" },
      ["few: placeholders"],
    ],
    ["pl", { one: "Plik", few: ":count pliki", many: ":count plików" }, []],
    ["pl", { one: "Plik", few: ":count pliki", many: "\u200b" }, ["many: empty"]],
    ["pl", { one: "Plik", other: ":count plików" }, ["categories"]],
    ["cs", { one: "Soubor", few: ":count soubory", other: ":count souborů" }, []],
    ["cs", { one: "Soubor", few: ":count soubory", many: ":count souboru", other: ":count souborů" }, []],
    ["cs", { one: "Soubor", other: ":count souborů" }, ["categories"]],
    ["ga", { one: "Comhad", two: "Dhá", few: ":count", many: ":count", other: ":count" }, []],
    ["ga", { one: "Comhad", few: ":count", many: ":count", other: ":count" }, ["categories"]],
    ["fr", { one: ":count fichier", other: ":count fichiers" }, []],
    ["fr", { one: ":count fichier", many: ":count fichiers", other: ":count fichiers" }, []],
  ])("of %s: %j", (locale, forms, problems) => {
    expect(kinds(source, { forms }, { locale })).toEqual(problems);
  });

  test("are required exactly for plural keys", () => {
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
  ["a line break of another kind", "Save\nnow", "Nu\r\nopslaan", {}, ["characters"]],
  ["a line break that no editor shows", "Save", "Op\u2028slaan", {}, ["characters"]],
  ["fewer line breaks", "One\ntwo\nthree", "Een\ntwee drie", {}, ["blanks"]],
  ["no blank at the end", "Total: ", "Totaal:", {}, ["blanks"]],
  ["fewer blanks at the beginning", "  Total", " Totaal", {}, ["blanks"]],
  ["the same blanks at both ends", "  Total \t", "  Totaal \t", {}, []],
  ["a blank at the beginning that is new", "Total", " Totaal", {}, ["blanks"]],
  ["nothing that can be seen", "Save", "\u200b\u2060", {}, ["empty"]],
  ["a filler", "Save", "\u3164", {}, ["empty"]],
  ["nothing but punctuation", "Save", "...", {}, ["empty"]],
  ["nothing but the placeholder of a sentence", "Welcome back, dear :name", ":name", {}, ["empty"]],
  ["no article, in a language without", "The :name", ":name", { locale: "ru" }, []],
  ["a break without a width", "Save", "Op\u200bslaan", {}, ["characters"]],
  ["a mark of the direction, from left to right", "Save", "Op\u200eslaan", {}, ["characters"]],
  ["a mark of the direction, from right to left", "Hello!", "שלום!\u200f", { locale: "he" }, []],
  ["a joiner where the writing has it", "Save", "ذخیره\u200cسازی", { locale: "fa" }, []],
  ["a joiner behind a Latin name", "PDFs", "PDF\u200cها", { locale: "fa" }, []],
  ["an emoji of several", "Family", "Gezin 👨‍👩‍👧", {}, []],
  ["a soft hyphen", "Save", "Op\u00adslaan", {}, ["characters"]],
  ["invisible tags", "Save", "Opslaan\u{e0041}\u{e0042}", {}, ["characters"]],
  ["a mark that stands for a placeholder", "Save", "⟦1⟧ Opslaan", {}, ["characters"]],
  ["quotation marks around it", "Save", "“Opslaan”", {}, ["not-only-text"]],
  ["quotation marks that were there", '"Save"', "„Opslaan”", {}, []],
  ["two quotations", "Open or Save", "“Openen” of “Opslaan”", {}, []],
  ["emphasis", "Save", "**Opslaan**", {}, ["not-only-text"]],
  ["an introduction", "Save", "Here is the translation: Opslaan", {}, ["not-only-text"]],
  ["the source text with other marks", "Add to cart", "add to cart!", {}, ["source-repeated"]],
  ["a line break that was there", "Save\nnow", "Nu\nopslaan", {}, []],
  ["a fence", "Save\nit", "```\nOpslaan\n```", {}, ["blanks", "not-only-text"]],
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
])("accepts or rejects %s", (_, source, translation, options, problems) => {
  expect(singular(source, translation, options)).toEqual(problems);
});

test("rejects a key without source text", () => {
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
  "%(day)s",
  "%ld",
  "%name%",
  "%<name>s",
  "${total}",
  "{{-html}}",
  "{price:.2f}",
  "{when, date, short}",
  "{{price, currency}}",
  "@:menu.help",
  "@name",
  "!name",
  "__name__",
  "<%= name %>",
  "{'@'}",
  "https://a.example/b",
  "\\n",
  '<a href="/x">go</a>',
  "<0>·</0>",
  "{n, plural, one {# x} other {# y}}",
  "{g, select, male {x :a} other {y :a}}",
];
const PROSE = ["Hello", "your cart", "of", "is empty", "100", "— well"];

const parts = fc
  .array(fc.oneof(fc.constantFrom(...FIXED), fc.constantFrom(...PROSE)), { minLength: 1, maxLength: 8 })
  .filter((all) => all.some((part) => FIXED.includes(part)));

const translated = (part: string): string => (FIXED.includes(part) ? part : `x${part.length}y`);

test("accepts the same parts in any order", () => {
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
  (fixed) => fixed.replace(/[:{%<$@_\\]/u, "￥"),
  (fixed) => `${fixed.slice(0, 2)}\u200b${fixed.slice(2)}`,
  (fixed) => `\u202e${fixed}`,
  (fixed) => `${fixed}\n`,
  (fixed) => `<!--${fixed}-->`,
  (fixed) => `${fixed}⟦1⟧`,
  (fixed) => `\`\`\`${fixed}\`\`\``,
  (fixed) => `&lt;${fixed}`,
  (fixed) => fixed.split("").reverse().join(""),
];

test("rejects any translation with a broken part", () => {
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
    propertyRuns(10_000),
  );
});

test("takes time proportional to the text", () => {
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
    "@a",
    "a@a-",
    "https://a",
    "__a",
    "&amp;",
    "amp;",
    "<a></a>",
    "<b>",
    "\u200b",
    " \n",
    "%<a",
    "<%",
    "**",
  ];
  for (const part of parts) {
    expectLinearTime(
      (length) => {
        const text = part.repeat(length / part.length);
        singular(text, text);
      },
      32_768,
      part,
    );
  }
});

test("rejects an empty translation of a non-empty text", () => {
  expect(singular("Save", "")).toEqual(["empty"]);
  expect(singular("Save", " \n")).toEqual(["empty"]);
  expect(singular(" ", "")).toEqual([]);
  expect(singular(" ", "\n")).toEqual([]);
  expect(kinds({ forms: { one: "One", other: "More" } }, { forms: { one: " ", other: "Meer" } })).toEqual([
    "one: empty",
  ]);
});
