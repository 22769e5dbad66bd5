/** `json_js` and `laravel_json`: flat and nested files, plural notations, and minimal edits. */
import { describe, expect, test } from "vitest";
import { jsonJs, laravelJson } from "../../../../src/formats/json/json-format.ts";
import { edit, edited, ENGLISH, entryOf, readAll } from "../editing.ts";
import { cpuTime } from "../../support/cpu-time.ts";

const JAPANESE = { locale: "ja", sourceLocale: "en" };

describe("reading json_js", () => {
  test("reads nested and flat names, and lists by index", () => {
    const text = '{ "a": { "b": "1", "l": ["x", "y"] }, "c.d": "2", "A sentence. Two.": "3" }';
    expect(readAll(jsonJs, text)).toEqual([
      ["a.b", "1"],
      ["a.l.0", "x"],
      ["a.l.1", "y"],
      ["c.d", "2"],
      ["A sentence. Two.", "3"],
    ]);
  });

  test("reads escapes, comments and a trailing comma", () => {
    const text = '{ // one\n "a": "\\u00e9\\/\\n\\"", /* two */ }';
    expect(readAll(jsonJs, text)).toEqual([["a", 'é/\n"']]);
    expect(jsonJs.read(text, ENGLISH).problems).toEqual([]);
  });

  test("reports values that are no text, and ignores null", () => {
    const text = '{ "a": 1, "b": true, "c": null, "d": "x" }';
    const { entries, problems } = jsonJs.read(text, ENGLISH);
    expect(entries.map((entry) => entry.key)).toEqual(["d"]);
    expect(problems.map((problem) => [problem.code, problem.key])).toEqual([
      ["type", "a"],
      ["type", "b"],
    ]);
    expect(edited(jsonJs, text, { c: "now" })).toBe('{ "a": 1, "b": true, "c": "now", "d": "x" }');
    expect(edit(jsonJs, text, { a: "x" }).refused).toEqual([
      { key: "a", context: null, reason: "unsupported" },
    ]);
  });

  test("uses and edits the last of duplicates", () => {
    const text = '{ "a": "1", "a": "2", "b": { "c": "x" }, "b": { "d": "y" } }';
    expect(readAll(jsonJs, text)).toEqual([
      ["a", "2"],
      ["b.d", "y"],
    ]);
    expect(jsonJs.read(text, ENGLISH).problems.map((problem) => problem.key)).toEqual(["a", "b.c"]);
    expect(edited(jsonJs, text, { a: "3" })).toBe(
      '{ "a": "1", "a": "3", "b": { "c": "x" }, "b": { "d": "y" } }',
    );
  });

  test("returns ranges", () => {
    const text = '{ "a": { "b": "x" } }';
    const entry = entryOf(jsonJs, text, "a.b");
    expect(text.slice(entry?.keySpan.start, entry?.keySpan.end)).toBe("b");
    expect(text.slice(entry?.valueSpan.start, entry?.valueSpan.end)).toBe('"x"');
  });

  test("accepts names of Object's members", () => {
    const text = '{ "__proto__": { "polluted": "x" }, "constructor": "y" }';
    expect(readAll(jsonJs, text)).toEqual([
      ["__proto__.polluted", "x"],
      ["constructor", "y"],
    ]);
    expect(edited(jsonJs, text, { "__proto__.more": "z" })).toBe(
      '{ "__proto__": { "polluted": "x", "more": "z" }, "constructor": "y" }',
    );
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test.each(["", "{", '{ "a": ', '{ "a": "b" "c": "d" }', "nonsense", '"text"', "{} {}", '{ "a": "b }\n'])(
    "reports %j and never edits it",
    (text) => {
      expect(jsonJs.read(text, ENGLISH).problems.map((problem) => problem.code)).toContain("syntax");
      if (text !== "") expect(edit(jsonJs, text, { a: "x" })).toMatchObject({ text, splices: [] });
    },
  );

  test.each([
    ["[", "["],
    ['{"a":', '{"a":'],
    ["/*", "/*"],
    ['"', '"'],
    ["[]", "[],"],
  ])("reads a hundred thousand %s without deep recursion", (_, piece) => {
    const start = cpuTime();
    jsonJs.read(`{"x": ${piece.repeat(100_000)}`, ENGLISH);
    expect(cpuTime() - start).toBeLessThan(5_000);
  });
});

describe("i18next plurals", () => {
  const text =
    '{\n  "item_one": "{{count}} item",\n  "item_other": "{{count}} items",\n  "a": { "b_other": "x" }\n}\n';

  test("are one key with forms", () => {
    expect(readAll(jsonJs, text)).toEqual([
      ["item", { one: "{{count}} item", other: "{{count}} items" }],
      // An English `_other` alone is a name.
      ["a.b_other", "x"],
    ]);
    const entry = entryOf(jsonJs, text, "item");
    expect(text.slice(entry?.valueSpan.start, entry?.valueSpan.end)).toBe(
      '"{{count}} item",\n  "item_other": "{{count}} items"',
    );
  });

  test("are complete with `_other` alone in a locale with one form", () => {
    expect(readAll(jsonJs, '{ "item_other": "x" }', JAPANESE)).toEqual([["item", { other: "x" }]]);
  });

  test("follow the known kind", () => {
    const isPlural = (key: string): boolean | undefined => ({ item: false, "a.b": true })[key];
    expect(readAll(jsonJs, text, { ...ENGLISH, isPlural })).toEqual([
      ["item_one", "{{count}} item"],
      ["item_other", "{{count}} items"],
      ["a.b", { other: "x" }],
    ]);
  });

  test("exclude ordinals, and suffixes next to the bare name", () => {
    const ordinals =
      '{ "p_ordinal_one": "st", "p_ordinal_other": "th", "k": "x", "k_one": "y", "k_other": "z" }';
    expect(readAll(jsonJs, ordinals).map(([key]) => key)).toEqual([
      "p_ordinal_one",
      "p_ordinal_other",
      "k",
      "k_one",
      "k_other",
    ]);
  });

  test("stay names of their own where the bare name is removed", () => {
    const beside = '{ "k": "x", "k_one": "y", "k_other": "z" }';
    expect(edited(jsonJs, beside, { k: null })).toBe('{ "k_one": "y", "k_other": "z" }');
  });

  test("exclude names with another separator", () => {
    expect(readAll(jsonJs, '{ "a___one": "x", "a___other": "y" }')).toEqual([
      ["a___one", "x"],
      ["a___other", "y"],
    ]);
  });

  test("are changed, added and removed one by one", () => {
    const after = edited(jsonJs, text, { item: { one: "1", other: "{{count}} items", many: "m" } });
    expect(after).toBe(
      '{\n  "item_one": "1",\n  "item_many": "m",\n  "item_other": "{{count}} items",\n  "a": { "b_other": "x" }\n}\n',
    );
    expect(edited(jsonJs, after, { item: { one: "{{count}} item", other: "{{count}} items" } })).toBe(text);
    expect(edited(jsonJs, text, { item: null })).toBe('{\n  "a": { "b_other": "x" }\n}\n');
  });

  test("include new keys and keys that change their kind", () => {
    expect(edited(jsonJs, '{\n  "b": "x",\n  "a": "y"\n}', { n: { other: "2", one: "1" } })).toBe(
      '{\n  "b": "x",\n  "a": "y",\n  "n_one": "1",\n  "n_other": "2"\n}',
    );
    expect(edited(jsonJs, '{ "b": "x", "a": "y" }', { b: { one: "1", other: "2" } })).toBe(
      '{ "b_one": "1", "b_other": "2", "a": "y" }',
    );
    expect(edited(jsonJs, text, { item: "all" })).toBe('{\n  "item": "all",\n  "a": { "b_other": "x" }\n}\n');
    expect(edit(jsonJs, text, { item: { "=0": "x", other: "y" } }).refused).toEqual([
      { key: "item", context: null, reason: "forms" },
    ]);
  });

  test("refuse singular names that look like forms", () => {
    expect(edit(jsonJs, '{ "a": "x" }', { n_one: "1", n_other: "2" })).toMatchObject({
      text: '{ "a": "x" }',
      refused: [{ reason: "conflict" }, { reason: "conflict" }],
    });
  });
});

describe("vue-i18n's pipes", () => {
  const text = '{\n  "car": "car | cars",\n  "title": "Home | Shop"\n}\n';
  const isPlural = (key: string): boolean => key === "car" || key === "bike";

  test("are plural only where the caller knows it", () => {
    expect(readAll(jsonJs, text)).toEqual([
      ["car", "car | cars"],
      ["title", "Home | Shop"],
    ]);
    expect(readAll(jsonJs, text, { ...ENGLISH, isPlural })[0]).toEqual([
      "car",
      { one: "car", other: "cars" },
    ]);
    expect(readAll(jsonJs, '{ "car": "no car|{n} car|{n} cars" }', { ...ENGLISH, isPlural })).toEqual([
      ["car", { zero: "no car", one: "{n} car", other: "{n} cars" }],
    ]);
  });

  test("keep their notation", () => {
    const options = { ...ENGLISH, isPlural };
    const after = edited(jsonJs, text, { car: { one: "auto", other: "autos" } }, options);
    expect(after).toBe('{\n  "car": "auto | autos",\n  "title": "Home | Shop"\n}\n');
    expect(edited(jsonJs, after, { bike: { one: "bike", other: "bikes" } }, options)).toContain(
      '"bike | bikes"',
    );
  });
});

describe("editing JSON", () => {
  test.each([
    [
      "slashes as the file has them",
      '{ "a": "<\\/b>", "c": "x" }',
      { c: "a/b" },
      '{ "a": "<\\/b>", "c": "a\\/b" }',
    ],
    [
      "or as the replaced text has them",
      '{ "a": "x/y", "b": "p\\/q" }',
      { a: "x/z", b: "p/r" },
      '{ "a": "x/z", "b": "p\\/r" }',
    ],
    [
      "signs as they are, unless all are escaped",
      '{ "a": "\\u003Cb\\u003E", "b": "<i>" }',
      { b: "<u>" },
      '{ "a": "\\u003Cb\\u003E", "b": "<u>" }',
    ],
    [
      "digits of letters as they are, whatever those of signs",
      '{ "a": "\\u003C\\u00e9", "b": "x" }',
      { b: "ü" },
      '{ "a": "\\u003C\\u00e9", "b": "\\u00fc" }',
    ],
    [
      "bare slashes behind a backslash",
      String.raw`{ "a": "\\/x", "b": "y" }`,
      { b: "p/q" },
      String.raw`{ "a": "\\/x", "b": "p/q" }`,
    ],
    ["bare slashes in its own place", String.raw`{ "a": "\\/x" }`, { a: "p/q" }, '{ "a": "p/q" }'],
    [
      "letters as they are, beside a backslash and what looks like an escape",
      String.raw`{ "a": "\\u00e9", "b": "y" }`,
      { b: "é" },
      String.raw`{ "a": "\\u00e9", "b": "é" }`,
    ],
    [
      "capitals of digits, also of only one",
      String.raw`{ "a": "\u200B", "b": "y" }`,
      { b: "é" },
      String.raw`{ "a": "\u200B", "b": "\u00E9" }`,
    ],
    [
      "an escaped sign behind a backslash",
      String.raw`{ "a": "\\\u003cb", "b": "y" }`,
      { b: "<" },
      String.raw`{ "a": "\\\u003cb", "b": "\u003c" }`,
    ],
    ["bare slashes too", '{ "a": "x" }', { a: "a/b" }, '{ "a": "a/b" }'],
    [
      "ASCII files stay ASCII",
      '{ "a": "\\u00e9", "c": "x" }',
      { c: "ü🎉" },
      '{ "a": "\\u00e9", "c": "\\u00fc\\ud83c\\udf89" }',
    ],
    [
      "also without a control character behind the others",
      '{ "a": "\\u00e9", "c": "x" }',
      { c: "\u007f~" },
      '{ "a": "\\u00e9", "c": "\\u007f~" }',
    ],
    ["and keep the case of their digits", '{ "a": "\\u00E9" }', { a: "éü" }, '{ "a": "\\u00E9\\u00FC" }'],
    ["escaped characters stay escaped", '{ "a": "\\u00a0é" }', { a: "\u00a0ü" }, '{ "a": "\\u00a0ü" }'],
    ["controls and quotes", '{ "a": "x" }', { a: '"\\\n\u0001' }, '{ "a": "\\"\\\\\\n\\u0001" }'],
  ])("%s", (_, before, wanted, after) => {
    expect(edited(jsonJs, before, wanted as unknown as Record<string, string>)).toBe(after);
  });

  test.each([
    ["{}", '{\n  "n": "x"\n}'],
    ["{}\n", '{\n  "n": "x"\n}\n'],
    ['{"a":"b"}', '{"a":"b","n":"x"}'],
    ['{"a":"b","c":"d"}', '{"a":"b","c":"d","n":"x"}'],
    ['{ "a": "b" }', '{ "a": "b", "n": "x" }'],
    ['{\r\n\t"z": "b"\r\n}', '{\r\n\t"z": "b",\r\n\t"n": "x"\r\n}'],
    ['{\n  "z": "b" \t\n}', '{\n  "z": "b", \t\n  "n": "x"\n}'],
    ['{\n    "z" : "b" // last\n}', '{\n    "z" : "b", // last\n    "n" : "x"\n}'],
  ])("restores %j after adding and removing a key", (before, after) => {
    expect(edited(jsonJs, before, { n: "x" })).toBe(after);
    expect(edited(jsonJs, after, { n: null })).toBe(before);
  });

  test("keeps files nested, flat and sorted", () => {
    expect(edited(jsonJs, '{\n  "b": { "c": "x" },\n  "a": "y"\n}', { "n.m": "1", "b.d": "2" })).toBe(
      '{\n  "b": { "c": "x", "d": "2" },\n  "a": "y",\n  "n": {\n    "m": "1"\n  }\n}',
    );
    expect(edited(jsonJs, '{\n  "b.c": "x",\n  "a.b": "y",\n  "z": "w"\n}', { "b.d": "1", "n.m": "2" })).toBe(
      '{\n  "b.c": "x",\n  "b.d": "1",\n  "a.b": "y",\n  "z": "w",\n  "n.m": "2"\n}',
    );
    expect(edited(jsonJs, '{\n  "a": "1",\n  "c": "2",\n  "e": "3"\n}', { d: "4" })).toBe(
      '{\n  "a": "1",\n  "c": "2",\n  "d": "4",\n  "e": "3"\n}',
    );
  });

  test("refuses a key below a text or in place of a group", () => {
    const text = '{ "a": "x", "b": { "c": "y" } }';
    expect(edit(jsonJs, text, { "a.n": "1", b: "2" })).toMatchObject({
      text,
      refused: [
        { key: "a.n", reason: "conflict" },
        { key: "b", reason: "conflict" },
      ],
    });
  });

  test("continues after a refusal, and refuses contexts", () => {
    expect(edit(jsonJs, '{ "a": "x" }', { a: "y", b: null })).toMatchObject({
      text: '{ "a": "y" }',
      refused: [{ key: "b", reason: "not_found" }],
    });
    expect(
      jsonJs.edit('{ "a": "x" }', [{ key: "a", context: "c", text: { value: "y" } }], ENGLISH).refused,
    ).toEqual([{ key: "a", context: "c", reason: "unsupported" }]);
  });

  test("appends to lists and removes their last item", () => {
    const text = '{ "l": ["x", "y"] }';
    expect(edited(jsonJs, text, { "l.2": "z" })).toBe('{ "l": ["x", "y", "z"] }');
    expect(edited(jsonJs, text, { "l.1": null })).toBe('{ "l": ["x"] }');
    expect(edit(jsonJs, text, { "l.5": "z", "l.0": null }).refused.map((refusal) => refusal.reason)).toEqual([
      "unsupported",
      "unsupported",
    ]);
  });
});

describe("laravel_json", () => {
  const text = '{\n    "Not found. Sorry.": "Niet gevonden.",\n    "apple|apples": "appel|appels"\n}\n';

  test("uses names as whole keys", () => {
    expect(readAll(laravelJson, text)).toEqual([
      ["Not found. Sorry.", "Niet gevonden."],
      ["apple|apples", { one: "appel", other: "appels" }],
    ]);
    expect(edited(laravelJson, text, { "a.b": "x" })).toBe(
      '{\n    "Not found. Sorry.": "Niet gevonden.",\n    "apple|apples": "appel|appels",\n    "a.b": "x"\n}\n',
    );
  });

  test("reports nested values", () => {
    const { entries, problems } = laravelJson.read(
      '{ "a": { "b": "x" }, "c_one": "y", "c_other": "z", "d": {}, "e": [] }',
      ENGLISH,
    );
    expect(entries.map((entry) => entry.key)).toEqual(["c_one", "c_other"]);
    expect(problems.map((problem) => [problem.code, problem.key])).toEqual([["type", "a"]]);
  });

  test("creates a new file", () => {
    const entries = [
      { key: "a.b", context: null, text: { value: "é/" } },
      { key: "n", context: null, text: { forms: { one: "1", other: "2" } } },
    ];
    expect(laravelJson.print(entries, ENGLISH)).toBe('{\n    "a.b": "é/",\n    "n": "1|2"\n}\n');
    expect(jsonJs.print(entries, ENGLISH)).toBe(
      '{\n  "a": {\n    "b": "é/"\n  },\n  "n_one": "1",\n  "n_other": "2"\n}\n',
    );
    expect(jsonJs.print([], ENGLISH)).toBe("{}\n");
    const named = (key: string, value: string) => ({ key, context: null, text: { value } });
    expect(jsonJs.print([named("a", "1"), named("a.b.c", "2")], ENGLISH)).toBe(
      '{\n  "a": "1",\n  "a.b.c": "2"\n}\n',
    );
    expect(jsonJs.print([named("a.b.c", "1"), named("a.b", "2")], ENGLISH)).toBe(
      '{\n  "a.b.c": "1",\n  "a": {\n    "b": "2"\n  }\n}\n',
    );
    const more = { key: "n", context: null, text: { forms: { "=0": "0", other: "2", one: "1" } } };
    expect(jsonJs.print([more], ENGLISH)).toBe('{\n  "n_one": "1",\n  "n_other": "2"\n}\n');
  });
});

describe("new name in a single-line branch", () => {
  test.each([
    ['{ "a": "1",  "b": "2" }', '{ "a": "1",  "b": "2",  "c": "3" }'],
    ['{"a": "1","b": "2"}', '{"a": "1","b": "2","c": "3"}'],
    ['{"a":"1"}', '{"a":"1","c":"3"}'],
    ['{"a": "1"}', '{"a": "1", "c": "3"}'],
  ])("%s", (text, after) => {
    expect(edited(jsonJs, text, { c: "3" })).toBe(after);
  });
});

describe("new name with dots", () => {
  test.each([
    // Where names of its kind stand flat, it does, though others are nested.
    ['{ "a": { "x": "1" }, "b.x": "2" }', "b.y", '{ "a": { "x": "1" }, "b.x": "2", "b.y": "3" }'],
    ['{ "a": { "x": "1" }, "b.x": "2" }', "c.y", '{ "a": { "x": "1" }, "b.x": "2", "c": {"y": "3"} }'],
    ['{ "b.x": "2" }', "c.y", '{ "b.x": "2", "c.y": "3" }'],
    ['{ "a": { "b.x": "2" } }', "a.b.y", '{ "a": { "b.x": "2", "b.y": "3" } }'],
  ])("%s and %s", (text, key, after) => {
    expect(edited(jsonJs, text, { [key]: "3" })).toBe(after);
  });
});
