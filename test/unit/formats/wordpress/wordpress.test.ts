/** WordPress translation files for scripts (JSON) and PHP: reading and editing. */
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change, NewEntry, ReadOptions, TextFormat } from "../../../../src/formats/format.ts";
import { wordpressJed } from "../../../../src/formats/wordpress/wordpress-jed-format.ts";
import { wordpressPhp } from "../../../../src/formats/wordpress/wordpress-php-format.ts";
import { ENGLISH, type TextInput, textOf, toTextInput } from "../editing.ts";
import { DUTCH, POLISH } from "../gettext/po-samples.ts";

/** Key, context, text, and why it cannot be written. */
function entriesOf(format: TextFormat, text: string, options: ReadOptions = DUTCH): unknown[] {
  return format
    .read(text, options)
    .entries.map(({ key, context, text: given, readOnly }) => [key, context, toTextInput(given), readOnly]);
}

function problemsOf(format: TextFormat, text: string): unknown[] {
  return format
    .read(text, DUTCH)
    .problems.map(({ code, message, span, key }) => [code, key ?? message, text.slice(span.start, span.end)]);
}

type ChangeInput = readonly [
  key: string,
  given: TextInput | null,
  context?: string | null,
  source?: TextInput,
];

function edited(
  format: TextFormat,
  text: string,
  asked: readonly ChangeInput[],
  options = DUTCH,
): string | string[] {
  const changes = asked.map(([key, given, context = null, source]): Change => ({
    key,
    context,
    text: given === null ? null : textOf(given),
    ...(source === undefined ? {} : { source: textOf(source) }),
  }));
  const applied = applyEdit(format, text, changes, options);
  return applied.refused.length > 0 ? applied.refused.map(({ reason }) => reason) : applied.text;
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
  });

  test("uses a known kind", () => {
    const isPlural = (key: string): boolean => key === "Bare";
    expect(entriesOf(wordpressJed, FULL, { ...DUTCH, isPlural })).toEqual([
      ["Order", "button", "Bestellen", null],
      ["%d order", null, "%d bestelling", "unsupported"],
      ["Bare", null, { one: "Kaal", other: "" }, null],
    ]);
  });

  test.each<[string, readonly ChangeInput[], (text: string) => string]>([
    ["a text", [["Order", "Nu", "button"]], (text) => text.replace("Bestellen", "Nu")],
    ["a bare text, in ASCII as the rest", [["Bare", "é"]], (text) => text.replace("Kaal", "\\u00e9")],
    [
      "one form",
      [["%d order", { one: "x", other: "%d bestellingen" }]],
      (text) => text.replace("%d bestelling", "x"),
    ],
    ["a message that goes", [["Bare", null]], (text) => text.replace(',"Bare":"Kaal"', "")],
    ["a message that comes", [["New", "Nieuw"]], (text) => text.replace('"Kaal"', '"Kaal","New":["Nieuw"]')],
    [
      "a plural that comes, with a context",
      [["New", { one: "1", other: "2" }, "c"]],
      (text) => text.replace('"Kaal"', '"Kaal","c\\u0004New":["1","2"]'),
    ],
    ["nothing", [["Bare", "Kaal"]], (text) => text],
  ])("is changed by %s, and nothing else is", (_, asked, after) => {
    expect(edited(wordpressJed, FULL, asked)).toBe(after(FULL));
  });

  test.each<[string, string, readonly ChangeInput[], string]>([
    [
      "over lines",
      jed('\n  "a": [\n    "b"\n  ]\n'),
      [["c", "d"]],
      jed('\n  "a": [\n    "b"\n  ],\n  "c": [\n    "d"\n  ]\n'),
    ],
    [
      "with blanks",
      jed('"a": [ "b", "c" ]'),
      [["d", { one: "1", other: "2" }]],
      jed('"a": [ "b", "c" ], "d": [ "1", "2" ]'),
    ],
    ["bare", jed('"a":"b"'), [["c", "d"]], jed('"a":"b","c":"d"')],
    ["empty", jed(""), [["c", "d"]], jed('\n  "c": ["d"]\n')],
    ["an empty list", jed('"a":[]'), [["a", "b"]], jed('"a":["b"]')],
    [
      "a form too few",
      jed('"a":["b","c"]'),
      [["a", { one: "1", few: "2", many: "3" }]],
      jed('"a":["1","2","3"]'),
    ],
  ])("keeps its style: %s", (title, text, asked, after) => {
    expect(edited(wordpressJed, text, asked, title === "a form too few" ? POLISH : DUTCH)).toBe(after);
  });

  test.each<[string, ChangeInput, string]>([
    ["of what is not there", ["x", null], "not_found"],
    ["of one text to forms", ["Bare", { one: "x", other: "y" }], "forms"],
    ["of forms to one text", ["%d order", "x"], "forms"],
    [
      "to forms that the file has no place for",
      ["x", { one: "1", few: "2", many: "3", other: "4" }],
      "forms",
    ],
    ["with a NUL", ["Bare", "a\0b"], "unsupported"],
    ["with the mark of a context in its key", ["a\u0004b", "x"], "unsupported"],
    ["with the mark of a context in its context", ["a", "x", "b\u0004c"], "unsupported"],
    ["without a name", ["", "x"], "unsupported"],
  ])("refuses a change %s", (_, asked, reason) => {
    expect(edited(wordpressJed, FULL, [asked])).toEqual([reason]);
  });

  test("does not edit a broken file or one without messages", () => {
    for (const text of ['{"a":1}', jed('"a":["b"').slice(0, -4)]) {
      expect(edited(wordpressJed, text, [["a", "x"]])).toEqual(["syntax"]);
    }
  });

  test("changes the last of duplicates and removes both", () => {
    const text = jed('"a":["1"],"b":["2"],"a":["3"]');
    expect(edited(wordpressJed, text, [["a", "x"]])).toBe(text.replace("3", "x"));
    expect(edited(wordpressJed, text, [["a", null]])).toBe(jed('"b":["2"]'));
  });

  test("writes an empty last form", () => {
    expect(edited(wordpressJed, jed('"a":["b"]'), [["c", { one: "1", other: "" }]])).toBe(
      jed('"a":["b"],"c":["1",""]'),
    );
    const text = wordpressJed.print([entry("c", { one: "1", few: "2", many: "" })], POLISH);
    expect(text).toContain('"c": ["1", "2", ""]');
  });

  test("leaves texts equal to the msgid empty in the source language", () => {
    const text = jed('"a":[""],"b":["x"]');
    expect(entriesOf(wordpressJed, text, ENGLISH)).toEqual([
      ["a", null, "a", null],
      ["b", null, "x", null],
    ]);
    expect(edited(wordpressJed, text, [["b", "b"]], ENGLISH)).toBe(jed('"a":[""],"b":[""]'));
    expect(edited(wordpressJed, text, [["c", "c"]], ENGLISH)).toBe(jed('"a":[""],"b":["x"],"c":[""]'));
    expect(edited(wordpressJed, text, [["b", ""]], ENGLISH)).toEqual(["unsupported"]);
    const repeated = jed('"a":["a"],"b":["x"]');
    expect(edited(wordpressJed, repeated, [["b", "b"]], ENGLISH)).toBe(jed('"a":["a"],"b":["b"]'));
    expect(edited(wordpressJed, text, [["a", ""]])).toBe(text);
  });

  test("is printed like WP-CLI's output", () => {
    const entries = [
      entry("Order", "Bestellen", "button"),
      entry("%d order", { one: "1", other: "2" }),
      entry("a", ""),
      entry("", "no name"),
      entry("b\u0004", "mark"),
      entry("nul", "a\0b"),
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
    ["a comment", `// What it is\n'a'=>'b'`, [["a", null, "b", null]]],
  ])("is read with %s", (_, messages, entries) => {
    expect(entriesOf(wordpressPhp, php(messages))).toEqual(entries);
  });

  test("reports what it does not read", () => {
    expect(
      problemsOf(wordpressPhp, php(`'a'=>f(),'b'=>null,'c'=>[],'d'=>[5=>'x'],'e'=>'1','e'=>'2'`)),
    ).toEqual(
      expect.arrayContaining([
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
    expect(problemsOf(wordpressPhp, "<?php return ['messages'=>f()];")).toContainEqual([
      "expression",
      "the file has no array of messages",
      "f()",
    ]);
  });

  test.each<[string, readonly ChangeInput[], (text: string) => string]>([
    ["a text", [["Shop", "it's"]], (text) => text.replace("'Winkel'", String.raw`'it\'s'`)],
    ["a text with a context", [["Order", "Nu", "button"]], (text) => text.replace("Bestellen", "Nu")],
    [
      "a form",
      [["%d order", { one: "x", other: "y" }]],
      (text) =>
        text.replace(String.raw`'%d bestelling' . "\0" . '%d bestellingen'`, String.raw`'x' . "\0" . 'y'`),
    ],
    ["a message that goes", [["Shop", null]], (text) => text.replace("'Shop'=>'Winkel',", "")],
    ["a plural that goes", [["%d order", null]], (text) => text.replace(`,${ORDERS}`, "")],
    [
      "a message that comes",
      [["New", "Nieuw"]],
      (text) => text.replace("bestellingen'", "bestellingen','New'=>'Nieuw'"),
    ],
    [
      "a plural that comes, named as the others are",
      [["%d new", { one: "1", other: "2" }, null, { one: "%d new", other: "%d news" }]],
      (text) =>
        text.replace(
          "bestellingen'",
          String.raw`bestellingen','%d new' . "\0" . '%d news'=>'1' . "\0" . '2'`,
        ),
    ],
  ])("is changed by %s, and nothing else is", (_, asked, after) => {
    expect(edited(wordpressPhp, SHOP, asked)).toBe(after(SHOP));
  });

  test("adds messages to a file with only headers", () => {
    expect(edited(wordpressPhp, "<?php\nreturn ['language'=>'nl'];\n", [["a", "b"]])).toBe(
      "<?php\nreturn ['language'=>'nl', 'messages'=>['a' => 'b']];\n",
    );
    expect(edited(wordpressPhp, "<?php\nreturn ['language'=>'nl'];\n", [["a", null]])).toEqual(["not_found"]);
    expect(edited(wordpressPhp, "<?php\nreturn ['messages'=>f()];\n", [["a", "b"]])).toEqual(["expression"]);
  });

  test.each<[string, ChangeInput, string]>([
    ["of what is not there", ["x", null], "not_found"],
    [
      "to forms that the file has no place for",
      ["x", { one: "1", few: "2", many: "3", other: "4" }],
      "forms",
    ],
    ["with a NUL", ["Shop", "a\0b"], "unsupported"],
    ["with the mark of a context in its key", ["a\u0004b", "x"], "unsupported"],
    ["with a NUL in its key", ["a\0b", "x"], "unsupported"],
    ["without a name", ["", "x"], "unsupported"],
  ])("refuses a change %s", (_, asked, reason) => {
    expect(edited(wordpressPhp, SHOP, [asked])).toEqual([reason]);
  });

  test("does not edit a broken file or computed texts", () => {
    expect(edited(wordpressPhp, SHOP.slice(0, -5), [["Shop", "x"]])).toEqual(["syntax"]);
    expect(edited(wordpressPhp, php("'a'=>'b' . PHP_EOL"), [["a", "x"]])).toEqual(["expression"]);
    expect(edited(wordpressPhp, php("'a'=>['b','c']"), [["a", { one: "x", other: "y" }]])).toEqual([
      "unsupported",
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
      ],
      { locale: "nl-BE", sourceLocale: "en" },
    );
    expect(wordpressPhp.read(text, DUTCH).locale).toBe("nl_BE");
    expect(text).toContain("nplurals=2; plural=(n != 1);");
    expect(entriesOf(wordpressPhp, text)).toEqual([
      ["Order", "button", "Bestellen", null],
      ["%d", null, { one: "1", other: "2" }, null],
    ]);
  });
});
