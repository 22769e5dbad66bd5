/** WordPress translation files for scripts (JSON) and PHP: reading and printing. */
import { describe, expect, test } from "vitest";
import type { NewEntry, ReadOptions, GeneratedTextFormat } from "../../../../src/formats/format.ts";
import { wordpressJed } from "../../../../src/formats/wordpress/wordpress-jed-format.ts";
import { wordpressPhp } from "../../../../src/formats/wordpress/wordpress-php-format.ts";
import { ENGLISH, type TextInput, textOf, toTextInput } from "../editing.ts";
import { DUTCH, POLISH } from "../gettext/po-samples.ts";

/** Key, context, text, and why it cannot be written. */
function entriesOf(format: GeneratedTextFormat, text: string, options: ReadOptions = DUTCH): unknown[] {
  return format
    .read(text, options)
    .entries.map(({ key, context, text: given, readOnly }) => [key, context, toTextInput(given), readOnly]);
}

function problemsOf(format: GeneratedTextFormat, text: string): unknown[] {
  return format
    .read(text, DUTCH)
    .problems.map(({ code, message, span, key }) => [code, key ?? message, text.slice(span.start, span.end)]);
}

const entry = (key: string, given: TextInput, context: string | null = null): NewEntry => ({
  key,
  context,
  text: textOf(given),
});

const HEADER = '"":{"domain":"messages","lang":"nl_NL","plural-forms":"nplurals=2; plural=n != 1;"}';
const jed = (messages: string): string => `{"domain":"messages","locale_data":{"messages":{${messages}}}}`;
const FULL = jed(
  `${HEADER},"button\\u0004Order":["Bestellen"],"%d order":["%d bestelling","%d bestellingen"],"Bare":"Kaal"`,
);

describe("JSON", () => {
  test("reads messages, contexts, forms and language", () => {
    expect(entriesOf(wordpressJed, FULL)).toEqual([
      ["Order", "button", "Bestellen", null],
      ["%d order", null, { one: "%d bestelling", other: "%d bestellingen" }, null],
      ["Bare", null, "Kaal", null],
    ]);
    const { entries, locale, problems } = wordpressJed.read(FULL, DUTCH);
    expect([locale, problems]).toEqual(["nl_NL", []]);
    expect(entries.map(({ source }) => source)).toEqual([{ value: "Order" }, null, { value: "Bare" }]);
    expect(entries.map(({ keySpan }) => FULL.slice(keySpan.start, keySpan.end))).toEqual([
      "Order",
      "%d order",
      "Bare",
    ]);
    expect(entries.map(({ valueSpan }) => FULL.slice(valueSpan.start, valueSpan.end))[0]).toBe(
      '["Bestellen"]',
    );
  });

  test.each([
    ["no header", jed('"a":["b"]'), [["a", null, "b", null]]],
    [
      "a header in other words",
      jed('"":{"Plural_Forms":"nplurals=1; plural=0;"},"a":["b"]'),
      [["a", null, "b", null]],
    ],
    ["an empty context", jed('"\\u0004a":["b"]'), [["a", null, "b", null]]],
    ["an empty list", jed('"a":[]'), [["a", null, "", null]]],
    [
      "forms by the locale where no header says them",
      jed('"a":["b","c"]'),
      [["a", null, { one: "b", other: "c" }, null]],
    ],
    [
      "more forms than there are names",
      jed('"a":["1","2","3","4","5","6","7"]'),
      [["a", null, "1", "unsupported"]],
    ],
    [
      "its own domain, not the first",
      '{"domain":"b","locale_data":{"a":{"x":["1"]},"b":{"y":["2"]}}}',
      [["y", null, "2", null]],
    ],
    [
      "the first domain, where its own is not there",
      '{"domain":"c","locale_data":{"n":5,"a":{"x":["1"]},"b":{"y":["2"]}}}',
      [["x", null, "1", null]],
    ],
  ])("is read with %s", (_, text, entries) => {
    expect(entriesOf(wordpressJed, text)).toEqual(entries);
  });

  test.each(["plural-forms", "plural_forms"])("takes the plural forms from the header's %s", (name) => {
    const text = `{"domain":"a","locale_data":{"a":{"":{"${name}":"nplurals=2; plural=n>1;"},"x":["1","2","3"]}}}`;
    const only = `{"domain":"a","locale_data":{"a":{"":{"${name}":"nplurals=1; plural=0;"},"x":["1"]}}}`;
    expect(entriesOf(wordpressJed, text, POLISH)).not.toEqual(
      entriesOf(wordpressJed, text.replace(name, "x"), POLISH),
    );
    expect(entriesOf(wordpressJed, only, POLISH)).toEqual([["x", null, "1", null]]);
  });

  test("reports what it does not read", () => {
    expect(
      problemsOf(wordpressJed, jed('"a":[1],"b":{"c":"d"},"e":true,"f":["g"],"f":["h"],"f":["i"]')),
    ).toEqual([
      ["type", "a", "[1]"],
      ["type", "b", '{"c":"d"}'],
      ["type", "e", "true"],
      ["duplicate", "f", '"f":["g"]'],
      ["duplicate", "f", '"f":["h"]'],
    ]);
    expect(problemsOf(wordpressJed, '{"locale_data":{"a":{},"b":{}}}')).toEqual([
      ["type", "the domain b is not read", "b"],
    ]);
    for (const text of ['{"a":1}', '{"locale_data":{}}', '{"locale_data":{"a":[]}}']) {
      expect(wordpressJed.read(text, DUTCH).entries).toEqual([]);
    }
    expect(problemsOf(wordpressJed, '{"a":1}')).toEqual([["type", "no messages in `locale_data`", "{"]]);
    expect(problemsOf(wordpressJed, '{"locale_data":{}}')).toEqual([
      ["type", "no messages in `locale_data`", "{}"],
    ]);
    expect(problemsOf(wordpressJed, '{"domain":"b","locale_data":{"a":{},"b":{}}} c')).toEqual([
      ["type", "the domain a is not read", "a"],
      ["syntax", expect.any(String), "c"],
    ]);
  });

  test("uses a known kind", () => {
    const isPlural = (key: string): boolean => key === "Bare";
    expect(entriesOf(wordpressJed, FULL, { ...DUTCH, isPlural })).toEqual([
      ["Order", "button", "Bestellen", null],
      ["%d order", null, "%d bestelling", "unsupported"],
      ["Bare", null, { one: "Kaal", other: "" }, null],
    ]);
    const inContext = (_: string, context: string | null): boolean => context === "button";
    expect(entriesOf(wordpressJed, FULL, { ...DUTCH, isPlural: inContext })[0]).toEqual([
      "Order",
      "button",
      { one: "Bestellen", other: "" },
      null,
    ]);
  });

  test("writes an empty last form", () => {
    const text = wordpressJed.print([entry("c", { one: "1", few: "2", many: "" })], POLISH);
    expect(text).toContain('"c": ["1", "2", ""]');
  });

  test("uses the msgid for an empty text in the source language", () => {
    const sources = (format: GeneratedTextFormat, text: string) =>
      format.read(text, ENGLISH).entries.map(({ source }) => source);
    expect(sources(wordpressJed, jed('"a":[""],"b":["x"]'))).toEqual([null, null]);
    expect(sources(wordpressPhp, php(`'a'=>'',"b\\0bs"=>"\\0"`))).toEqual([null, null]);
    expect(entriesOf(wordpressJed, jed('"a":[""],"b":["x"]'), ENGLISH)).toEqual([
      ["a", null, "a", null],
      ["b", null, "x", null],
    ]);
  });

  test("is printed like WP-CLI's output", () => {
    const entries = [
      entry("Order", "Bestellen", "button"),
      // In the order of the header's forms, not in the given one.
      entry("%d order", { other: "2", one: "1" }),
      entry("a", ""),
      entry("", "no name"),
      entry("b\u0004", "mark"),
      entry("nul", "a\0b"),
      entry("nul", "a", "b\0c"),
    ];
    const text = wordpressJed.print(entries, { locale: "nl-BE", sourceLocale: "en" });
    expect(JSON.parse(text)).toEqual({
      domain: "messages",
      locale_data: {
        messages: {
          "": { domain: "messages", lang: "nl_BE", "plural-forms": "nplurals=2; plural=(n != 1);" },
          "button\u0004Order": ["Bestellen"],
          "%d order": ["1", "2"],
          a: [""],
        },
      },
    });
    expect(entriesOf(wordpressJed, text)).toHaveLength(3);
    expect(text.endsWith("}\n")).toBe(true);
  });
});

const php = (messages: string): string =>
  `<?php\nreturn ['plural-forms'=>'nplurals=2; plural=n != 1;','language'=>'nl_NL','messages'=>[${messages}]];\n`;
const ORDERS = String.raw`'%d order' . "\0" . '%d orders'=>'%d bestelling' . "\0" . '%d bestellingen'`;
const SHOP = php(`'Shop'=>'Winkel',"button\\4Order"=>'Bestellen',${ORDERS}`);

describe("PHP", () => {
  test("reads messages, contexts, forms and language", () => {
    expect(entriesOf(wordpressPhp, SHOP)).toEqual([
      ["Shop", null, "Winkel", null],
      ["Order", "button", "Bestellen", null],
      ["%d order", null, { one: "%d bestelling", other: "%d bestellingen" }, null],
    ]);
    const { entries, locale, problems } = wordpressPhp.read(SHOP, DUTCH);
    expect([locale, problems]).toEqual(["nl_NL", []]);
    expect(entries.map(({ source }) => source)).toEqual([
      { value: "Shop" },
      { value: "Order" },
      { forms: { one: "%d order", other: "%d orders" } },
    ]);
  });

  test.each([
    ["the header's entry", `''=>'x','a'=>'b'`, [["a", null, "b", null]]],
    ["forms in a list", `'a'=>['b','c']`, [["a", null, { one: "b", other: "c" }, "unsupported"]]],
    ["forms without their plural", `'a'=>"b\\0c"`, [["a", null, { one: "b", other: "c" }, null]]],
    ["a plural of one form", `"a\\0as"=>'b'`, [["a", null, { one: "b", other: "" }, null]]],
    [
      "more forms than there are names",
      `'a'=>"1\\0002\\0003\\0004\\0005\\0006\\0007"`,
      [["a", null, "1", "unsupported"]],
    ],
    ["a text that code is part of", `'a'=>'b' . PHP_EOL`, [["a", null, "b\n", "expression"]]],
    ["an empty context", `"\\4a"=>'b'`, [["a", null, "b", null]]],
  ])("is read with %s", (_, messages, entries) => {
    expect(entriesOf(wordpressPhp, php(messages))).toEqual(entries);
  });

  test("reads comments as descriptions", () => {
    const { entries } = wordpressPhp.read(php(`\n// What it is\n'a'=>'b',\n'c'=>'d'\n`), DUTCH);
    expect(entries.map(({ key, description }) => [key, description])).toEqual([
      ["a", "What it is"],
      ["c", null],
    ]);
  });

  test("reports what it does not read", () => {
    expect(
      problemsOf(wordpressPhp, php(`'n'=>true,'a'=>f(),'b'=>null,'c'=>[],'d'=>[5=>'x'],'e'=>'1','e'=>'2'`)),
    ).toEqual(
      expect.arrayContaining([
        ["type", "n", "true"],
        ["expression", "a", "f()"],
        ["type", "b", "null"],
        ["type", "c", "[]"],
        ["type", "d", "[5=>'x']"],
        ["duplicate", "e", "'e'=>'1'"],
      ]),
    );
    expect(problemsOf(wordpressPhp, "<?php return ['a'=>'b'];")).toEqual([
      ["type", "the file has no array of messages", "["],
    ]);
    expect(problemsOf(wordpressPhp, "<?php return ['messages'=>['a'=>'b']")).toEqual([
      ["syntax", expect.any(String), expect.any(String)],
    ]);
    expect(problemsOf(wordpressPhp, "<?php return ['messages'=>f()];")).toContainEqual([
      "expression",
      "the file has no array of messages",
      "f()",
    ]);
  });

  test("uses the msgid for an empty text in the source language", () => {
    expect(entriesOf(wordpressPhp, php(`'a'=>'',"b\\0bs"=>"\\0"`), ENGLISH)).toEqual([
      ["a", null, "a", null],
      ["b", null, { one: "b", other: "bs" }, null],
    ]);
  });

  test("is printed with language and forms", () => {
    const text = wordpressPhp.print(
      [
        entry("Order", "Bestellen", "button"),
        entry("%d", { one: "1", other: "2" }),
        entry("", "no name"),
        entry("nul", "a\0b"),
        entry("nul", "a", "b\0c"),
      ],
      { locale: "nl-BE", sourceLocale: "en" },
    );
    expect(wordpressPhp.read(text, DUTCH).locale).toBe("nl_BE");
    expect(wordpressPhp.print([entry("a", "b\\c")], DUTCH)).toBe(
      "<?php\nreturn [\n    'language' => 'nl',\n    'plural-forms' => 'nplurals=2; plural=(n != 1);',\n" +
        "    'messages' => [\n        'a' => 'b\\\\c',\n    ],\n];\n",
    );
    expect(entriesOf(wordpressPhp, text)).toEqual([
      ["Order", "button", "Bestellen", null],
      ["%d", null, { one: "1", other: "2" }, null],
    ]);
  });
});

test("names of the header are read in any case, a language that is empty is none, and the last messages count", () => {
  const header = "'Plural-Forms'=>'nplurals=1; plural=0;','Language'=>'nl'";
  const file = `<?php return [${header},'messages'=>['z'=>'1'],'messages'=>["a\\0b"=>'x']];`;
  expect(entriesOf(wordpressPhp, file)).toEqual([["a", null, { other: "x" }, null]]);
  expect(wordpressPhp.read(file, DUTCH).locale).toBe("nl");
  expect(wordpressPhp.read(file.replace("'nl'", "''"), DUTCH).locale).toBeNull();
  const twice = file.replace("'Language'", "'language'=>'fr','Language'");
  expect(wordpressPhp.read(twice, DUTCH).locale).toBe("nl");
  const domains = `{"domain":"a","domain":"b","locale_data":{},"locale_data":{"a":{},"b":{"x":["1"]},"b":{"y":["2"]}}}`;
  expect(entriesOf(wordpressJed, domains)).toEqual([["y", null, "2", null]]);
  const two = '{"locale_data":{"a":{"x":[1],"y":["1"],"y":["2"]},"b":{}}}';
  expect(problemsOf(wordpressJed, two)).toEqual([
    ["type", "x", "[1]"],
    ["duplicate", "y", '"y":["1"]'],
    ["type", "the domain b is not read", "b"],
  ]);
});

test("the last of repeated messages is in effect, in its place", () => {
  const header = "'domain'=>'x','plural-forms'=>'nplurals=2; plural=n != 1;'";
  const php = `<?php return [${header},'messages'=>['a'=>'1','b'=>'2','a'=>'3','c'=>'4']];`;
  const read = [
    ["b", null, "2", null],
    ["a", null, "3", null],
    ["c", null, "4", null],
  ];
  expect(entriesOf(wordpressPhp, php)).toEqual(read);
  expect(entriesOf(wordpressJed, jed(`${HEADER},"a":["1"],"b":["2"],"a":["3"],"c":["4"]`))).toEqual(read);
});
