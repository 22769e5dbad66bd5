/** Plural keys of `json_js`: older i18next suffixes, vue-i18n's pipes, ICU messages. */
import { describe, expect, test } from "vitest";
import type { ReadOptions } from "../../../../src/formats/format.ts";
import { jsonJs } from "../../../../src/formats/json/json-format.ts";
import { edit, edited, ENGLISH, entryOf, readAll, type TextInput } from "../editing.ts";

const known = (kinds: Readonly<Record<string, boolean>>, locale = "en"): ReadOptions => ({
  locale,
  sourceLocale: "en",
  isPlural: (key) => (Object.hasOwn(kinds, key) ? kinds[key] : undefined),
});

test("a new form follows the one before it", () => {
  const polish = { locale: "pl", sourceLocale: "en" };
  const text = '{\n  "z": "z",\n  "a_one": "1",\n  "a_few": "2",\n  "a_other": "9",\n  "b": "b"\n}\n';
  const forms = { one: "1", few: "2", many: "5", other: "9" };
  expect(edited(jsonJs, text, { a: forms }, polish)).toBe(
    text.replace('"a_other"', '"a_many": "5",\n  "a_other"'),
  );
});

test("a form that comes before all others is among them, not behind other names that begin so", () => {
  const polish = { locale: "pl", sourceLocale: "en" };
  const text =
    '{\n  "z": "z",\n  "a_few": "2",\n  "a_many": "5",\n  "a_other": "9",\n  "a_list": "l",\n  "b": "b"\n}\n';
  const after = edited(jsonJs, text, { a: { one: "1", few: "2", many: "5", other: "9" } }, polish);
  expect(Object.keys(JSON.parse(after) as object).indexOf("a_one")).toBeLessThan(5);
  expect(readAll(jsonJs, after, polish)).toContainEqual(["a", { one: "1", few: "2", many: "5", other: "9" }]);
});

test.each<readonly [wanted: Readonly<Record<string, TextInput>>, refused: string, after: string]>([
  [
    { a_one: "Z", a: { one: "1", other: "2" } },
    "a",
    '{ "a": "x", "a_one": "Z", "b_one": "1", "b_other": "2" }',
  ],
  [
    { a: { one: "1", other: "2" }, a_one: "Z" },
    "a_one",
    '{ "a_one": "1", "a_other": "2", "b_one": "1", "b_other": "2" }',
  ],
])("of two keys that would get one name the first gets it: %j", (wanted, refused, after) => {
  const applied = edit(jsonJs, '{ "a": "x", "b_one": "1", "b_other": "2" }', wanted);
  expect(applied).toMatchObject({ text: after, refused: [{ key: refused, reason: "conflict" }] });
});

describe("i18next's v3", () => {
  const text = '{\n  "title": "x",\n  "friend": "A friend",\n  "friend_plural": "{{count}} friends"\n}\n';

  test("combines a name and its `_plural`", () => {
    expect(readAll(jsonJs, text)).toEqual([
      ["title", "x"],
      ["friend", { one: "A friend", other: "{{count}} friends" }],
    ]);
    const entry = entryOf(jsonJs, text, "friend");
    expect(text.slice(entry?.keySpan.start, entry?.keySpan.end)).toBe("friend");
    expect(readAll(jsonJs, '{ "a": { "b_male": "1", "b_male_plural": "2", "c_plural": "3" } }')).toEqual([
      ["a.b_male", { one: "1", other: "2" }],
      ["a.c_plural", "3"],
    ]);
  });

  test("prefers known kinds, and only applies to languages with two forms", () => {
    expect(readAll(jsonJs, text, known({ friend: false })).length).toBe(3);
    expect(readAll(jsonJs, text, { locale: "ru", sourceLocale: "en" }).length).toBe(3);
  });

  test("writes the forms of a language like the file of another one", () => {
    const examples = [{ text, bom: false, locale: "en" }];
    const russian = { locale: "ru", sourceLocale: "en", examples };
    expect(edited(jsonJs, "{}\n", { a: { one: "1", few: "2", many: "5" } }, russian)).toBe(
      '{\n  "a_0": "1",\n  "a_1": "2",\n  "a_2": "5"\n}\n',
    );
  });

  test("reads numbered forms if the whole family is there", () => {
    const russian = { locale: "ru", sourceLocale: "en" };
    const family = '{ "a_0": "{{count}} год", "a_1": "{{count}} года", "a_2": "{{count}} лет" }';
    expect(readAll(jsonJs, family, russian)).toEqual([
      ["a", { one: "{{count}} год", few: "{{count}} года", many: "{{count}} лет" }],
    ]);
    expect(readAll(jsonJs, family).length).toBe(3);
    const steps = '{ "step_0": "Eins", "step_1": "Zwei", "step_2": "Drei" }';
    expect(readAll(jsonJs, steps, russian).length).toBe(3);
    expect(readAll(jsonJs, family.replace("a_2", "a_3"), russian).length).toBe(3);
    expect(readAll(jsonJs, family.replace(" }", ', "a_3": "" }'), russian).length).toBeGreaterThan(2);
    expect(readAll(jsonJs, '{ "a_0": "x", "a_2": "y" }', known({ a: true }, "ru"))).toEqual([
      ["a", { one: "x", many: "y" }],
    ]);
    expect(readAll(jsonJs, '{ "a_0": "x" }', known({ a: true }, "ja"))).toEqual([["a", { other: "x" }]]);
    expect(readAll(jsonJs, '{ "a_0": "x" }', { locale: "ja", sourceLocale: "en" })).toEqual([["a_0", "x"]]);
  });

  // Languages whose rules i18next.test.ts does not compare, in the order of its plural resolver.
  test.each([
    ["he", ["one", "two", "many", "other"]],
    ["lv", ["one", "other", "zero"]],
    ["mt", ["one", "few", "many", "other"]],
    ["ga", ["one", "two", "few", "many", "other"]],
    ["gd", ["one", "two", "few", "other"]],
  ])("numbers the forms of %s: %j", (locale, categories) => {
    const members = categories.map((category, index) => [`a_${index}`, `{{count}} ${category}`] as const);
    const text = JSON.stringify(Object.fromEntries(members));
    const forms = Object.fromEntries(categories.map((category) => [category, `{{count}} ${category}`]));
    expect(readAll(jsonJs, text, known({ a: true }, locale))).toEqual([["a", forms]]);
  });

  test("keeps its notation", () => {
    const one = edited(jsonJs, text, { friend: { one: "1", other: "2" } });
    expect(one).toBe('{\n  "title": "x",\n  "friend": "1",\n  "friend_plural": "2"\n}\n');
    expect(edited(jsonJs, one, { friend: { one: "A friend", other: "{{count}} friends" } })).toBe(text);
    expect(edited(jsonJs, text, { foe: { one: "1", other: "2" } })).toBe(
      text.replace('s"', 's",\n  "foe": "1",\n  "foe_plural": "2"'),
    );
    expect(edited(jsonJs, text, { friend: null })).toBe('{\n  "title": "x"\n}\n');
    expect(edited(jsonJs, text, { friend: "all" })).toBe('{\n  "title": "x",\n  "friend": "all"\n}\n');
    expect(edited(jsonJs, text, { title: { one: "1", other: "2" } })).toContain(
      '"title": "1",\n  "title_plural": "2",\n  "friend"',
    );
  });

  test("drops a French `many` only if equal, and refuses another", () => {
    expect(edited(jsonJs, text, { friend: { one: "1", many: "2", other: "2" } })).toContain('_plural": "2"');
    expect(edit(jsonJs, text, { friend: { one: "1", many: "3", other: "2" } })).toMatchObject({
      text,
      refused: [{ key: "friend", reason: "forms" }],
    });
    expect(edit(jsonJs, text, { n: { one: "1", few: "3", other: "2" } }).refused).toEqual([
      { key: "n", context: null, reason: "forms" },
    ]);
    const polish = '{ "a_0": "{{count}} 1", "a_1": "2", "a_2": "5" }';
    const options = { locale: "pl", sourceLocale: "en" };
    expect(
      edit(jsonJs, polish, { a: { one: "1", few: "2", many: "5", other: "0.5" } }, options).refused,
    ).toEqual([{ key: "a", context: null, reason: "forms" }]);
    expect(edited(jsonJs, polish, { a: { one: "{{count}} 1", few: "b", other: "c" } }, options)).toBe(
      '{ "a_0": "{{count}} 1", "a_1": "b", "a_2": "c" }',
    );
  });
});

describe("key that changes its kind", () => {
  test("keeps its position and comments", () => {
    const text = '{\n  // about a\n  "a": "x", // more\n  "b": "y"\n}\n';
    const forms = edited(jsonJs, text, { a: { one: "1", other: "2" } });
    expect(forms).toBe('{\n  // about a\n  "a_one": "1", // more\n  "a_other": "2",\n  "b": "y"\n}\n');
    expect(edited(jsonJs, forms, { a: "x" })).toBe(text);
  });

  test("changes only the suffix of an escaped name", () => {
    const text = '{ "\\u0061b": "x" }';
    const forms = edited(jsonJs, text, { ab: { one: "1", other: "2" } });
    expect(forms).toBe('{ "\\u0061b_one": "1", "ab_other": "2" }');
    expect(edited(jsonJs, forms, { ab: "x" })).toBe(text);
  });

  test("may take a name freed by the same edit", () => {
    const text = '{ "a": "x", "a_one": { "b": "y" } }';
    const forms = { one: "1", other: "2" };
    expect(edit(jsonJs, text, { a: forms })).toMatchObject({
      text,
      refused: [{ key: "a", reason: "conflict" }],
    });
    const single = known({ a: false });
    expect(edited(jsonJs, '{ "a": "x", "a_one": "y" }', { a_one: null, a: forms }, single)).toBe(
      '{ "a_one": "1", "a_other": "2" }',
    );
  });

  test("is refused if one of its names is taken", () => {
    const text = '{ "a": "x", "a_few": "f", "n_few": { "b": "x" }, "z": "z" }';
    const options = known({ a: false, n: false, z: false });
    const wanted = { a: { one: "1", few: "2", other: "3" }, n: { one: "1", few: "2" }, z: "Z" };
    const { text: after, refused } = edit(jsonJs, text, wanted, options);
    expect(refused.map(({ key, reason }) => [key, reason])).toEqual([
      ["a", "conflict"],
      ["n", "conflict"],
    ]);
    expect(after).toBe(text.replace('"z": "z"', '"z": "Z"'));
  });
});

describe("vue-i18n's pipes", () => {
  test.each([
    ["en", "a | b", { one: "a", other: "b" }],
    ["en", "no | a | b", { zero: "no", one: "a", other: "b" }],
    ["fr", "no | a | b", { zero: "no", one: "a", other: "b" }],
    ["ru", "a | b | c", { one: "a", few: "b", many: "c" }],
    ["ru", "no | a | b | c", { zero: "no", one: "a", few: "b", many: "c" }],
    ["cs", "no | a | b | c", { zero: "no", one: "a", few: "b", other: "c" }],
    ["ja", "a", { other: "a" }],
  ])("%s: %s", (locale, value, forms) => {
    const options = known({ k: true }, locale);
    const text = JSON.stringify({ k: value });
    expect(readAll(jsonJs, text, options)).toEqual([["k", forms]]);
    const other = Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, `${form}!`]));
    expect(edited(jsonJs, text, { k: other }, options)).toBe(text.replaceAll(/\w+(?= \||"})/g, "$&!"));
  });

  test("keep their separators, and use the file's for new parts", () => {
    const options = known({ k: true });
    expect(edited(jsonJs, '{ "k": "a|b" }', { k: { zero: "0", one: "a", other: "b" } }, options)).toBe(
      '{ "k": "0|a|b" }',
    );
    expect(edited(jsonJs, '{ "k": "a  |  b" }', { k: { one: "1", other: "2" } }, options)).toBe(
      '{ "k": "1  |  2" }',
    );
  });

  test("are not in literals", () => {
    const options = known({ k: true });
    const text = `{ "k": "a {'|'} b | c" }`;
    expect(readAll(jsonJs, text, options)).toEqual([["k", { one: "a {'|'} b", other: "c" }]]);
    expect(edited(jsonJs, text, { k: { one: "{'|'}", other: "d" } }, options)).toBe(`{ "k": "{'|'} | d" }`);
  });

  test("refuse what would not be read back", () => {
    const options = known({ k: true });
    const reasons = (forms: Record<string, string>): unknown =>
      edit(jsonJs, '{ "k": "a | b" }', { k: forms }, options).refused.map(({ reason }) => reason);
    expect(reasons({ one: "1", few: "2", other: "3" })).toEqual(["forms"]);
    expect(reasons({ one: "1|2", other: "3" })).toEqual(["unsupported"]);
    expect(reasons({ one: "1 ", other: "3" })).toEqual(["unsupported"]);
  });
});

describe("ICU messages", () => {
  const text = '{\n  "n": "{count, plural, one {# file} other {# files}}",\n  "t": "T"\n}\n';

  test("are plural only if known", () => {
    expect(readAll(jsonJs, text)[0]).toEqual(["n", "{count, plural, one {# file} other {# files}}"]);
    expect(readAll(jsonJs, text, known({ n: true }))[0]).toEqual(["n", { one: "# file", other: "# files" }]);
  });

  test("are changed in place and determine the notation of new plural keys", () => {
    const options = known({ n: true });
    expect(edited(jsonJs, text, { n: { one: "a file", other: "# files" } }, options)).toBe(
      text.replace("# file}", "a file}"),
    );
    const more = edited(jsonJs, text, { m: { one: "1", other: "#" } }, options);
    expect(more).toContain('"m": "{count, plural, one {1} other {#}}"');
    expect(edited(jsonJs, more, { m: null }, known({ n: true, m: true }))).toBe(text);
    const other = edited(
      jsonJs,
      '{ "n": "{n, plural, other {x}}" }',
      { m: { one: "1", other: "2" } },
      options,
    );
    expect(other).toContain('"m": "{n, plural, one {1} other {2}}"');
    expect(edited(jsonJs, text, { t: { one: "1", other: "#" } }, options)).toContain(
      '"t": "{count, plural, one {1} other {#}}"',
    );
  });

  test("are read-only if they cannot be split", () => {
    const hard = '{ "n": "{a, plural, other {x}} {b, plural, other {y}}" }';
    const [entry] = jsonJs.read(hard, known({ n: true })).entries;
    expect(entry).toMatchObject({
      text: { forms: { other: "{a, plural, other {x}} {b, plural, other {y}}" } },
      readOnly: "unsupported",
    });
    expect(edit(jsonJs, hard, { n: { one: "1", other: "2" } }, known({ n: true }))).toMatchObject({
      text: hard,
      refused: [{ reason: "unsupported" }],
    });
    expect(edited(jsonJs, hard, { n: "x" })).toBe('{ "n": "x" }');
  });

  test("require `other` and only CLDR categories", () => {
    const reasons = (forms: Record<string, string>): unknown =>
      edit(jsonJs, text, { n: forms }, known({ n: true })).refused.map(({ reason }) => reason);
    expect(reasons({ one: "1" })).toEqual(["forms"]);
    expect(reasons({ "=0": "0", other: "1" })).toEqual(["forms"]);
    expect(reasons({ one: "}", other: "1" })).toEqual(["unsupported"]);
  });
});

test("uses i18next's newest notation in a file without plurals", () => {
  expect(edited(jsonJs, '{ "title": "Home | Shop" }', { n: { one: "1", other: "2" } })).toBe(
    '{ "title": "Home | Shop", "n_one": "1", "n_other": "2" }',
  );
  expect(edited(jsonJs, "", { n: { one: "1", other: "2" } }, ENGLISH)).toBe(
    '{\n  "n_one": "1",\n  "n_other": "2"\n}\n',
  );
});

test("a key gets forms or another key has the name of one of them: what comes second is refused", () => {
  const text = '{ "x": "a", "y_one": "1", "y_other": "2" }';
  const forms = { one: "1", other: "2" };
  const keyFirst = edit(jsonJs, text, { x_other: "b", x: forms });
  expect(keyFirst.text).toBe(text.replace('"a"', '"a", "x_other": "b"'));
  expect(keyFirst.refused).toMatchObject([{ key: "x", reason: "conflict" }]);
  const formsFirst = edit(jsonJs, text, { x: forms, x_other: "b" });
  expect(formsFirst.text).toBe(text.replace('"x": "a"', '"x_one": "1", "x_other": "2"'));
  expect(formsFirst.refused).toMatchObject([{ key: "x_other", reason: "conflict" }]);
});
