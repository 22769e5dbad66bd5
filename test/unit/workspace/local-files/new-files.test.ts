/** New files follow the style of existing ones. */
import { describe, expect, test } from "vitest";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import { createLocalProject } from "./local-project.ts";

/** The file's text after its texts were set, by the keys; what it says of languages is the path's. */
async function written(
  entry: FilesEntry,
  contents: Readonly<Record<string, string>>,
  path: string,
  texts: Readonly<Record<string, Text>>,
  locale = "nl",
  others: readonly FilesEntry[] = [],
): Promise<string | undefined> {
  const { files, local } = createLocalProject(contents, {
    files: [...others, entry],
    sourceLocale: "en",
    serviceLocales: ["en", "nl", "fr", "pl"],
  });
  const changes = Object.entries(texts).map(([key, text]) => {
    return { name: { namespace: "m", key, context: null }, locale, text };
  });
  const plan = await local.planEdit(changes);
  expect(plan.refused).toEqual([]);
  expect(plan.writes.map((write) => write.path)).toEqual([path]);
  await files.write(plan.writes);
  return files.text(path);
}

test("a file without languages is created for texts of the source language alone", async () => {
  const entry: FilesEntry = { path: "src/texts.json", format: "json_js", namespace: "m" };
  expect(await written(entry, {}, "src/texts.json", { a: one("Save") }, "en")).toBe(`{\n  "a": "Save"\n}\n`);
  const { local } = createLocalProject(
    {},
    { files: [entry], sourceLocale: "en", serviceLocales: ["en", "nl"] },
  );
  const change = { name: { namespace: "m", key: "a", context: null }, locale: "nl", text: one("Bewaren") };
  expect((await local.planEdit([change])).refused).toMatchObject([{ path: null, reason: "no_file" }]);
});

const one = (value: string): Text => ({ value });
const COUNT: Text = { forms: { one: "{{count}} ding", other: "{{count}} dingen" } };
const JSON_JS: FilesEntry = { path: "l/{locale}.json", format: "json_js", namespace: "m" };

describe("JSON", () => {
  test("uses the source file's indentation, line endings, final newline and byte order mark", async () => {
    const english = `\uFEFF{\r\n\t"a" : {\r\n\t\t"b" : "Save"\r\n\t}\r\n}`;
    expect(await written(JSON_JS, { "l/en.json": english }, "l/nl.json", { "a.b": one("Bewaren") })).toBe(
      english.replace("Save", "Bewaren"),
    );
  });

  test("follows files of its own layout entry, not of another", async () => {
    const contents = { "a/en.json": `{\n\t"a": "Save"\n}`, "l/en.json": `{\n    "a": "Save"\n}\n` };
    const others = [{ ...JSON_JS, path: "a/{locale}.json", namespace: "other" }];
    expect(await written(JSON_JS, contents, "l/nl.json", { a: one("Bewaren") }, "nl", others)).toBe(
      `{\n    "a": "Bewaren"\n}\n`,
    );
  });

  test("writes one line if the source file has one line", async () => {
    const texts = { "a.b": one("x"), c: one("y") };
    for (const english of ['{"a":{"b":"1"},"c":"2"}\n', '{ "a": { "b": "1" }, "c": "2" }\n']) {
      const dutch = await written(JSON_JS, { "l/en.json": english }, "l/nl.json", texts);
      expect(dutch?.replaceAll(" ", "")).toBe('{"a":{"b":"x"},"c":"y"}\n');
      expect(dutch?.includes(": ")).toBe(english.includes(": "));
    }
  });

  test("is flat if the source file is flat", async () => {
    const english = `{\n    "a.b": "Save",\n    "c": "Open"\n}\n`;
    const flat = { "a.b": one("Bewaren") };
    expect(await written(JSON_JS, { "l/en.json": english }, "l/nl.json", flat)).toBe(
      `{\n    "a.b": "Bewaren"\n}\n`,
    );
    const contents = { "l/en.json": english, "l/nl.json": `{\n    "c": "Openen"\n}\n` };
    expect(await written(JSON_JS, contents, "l/nl.json", flat)).toBe(
      `{\n    "c": "Openen",\n    "a.b": "Bewaren"\n}\n`,
    );
    const empty = { "l/en.json": english, "l/nl.json": "{}\n" };
    expect(await written(JSON_JS, empty, "l/nl.json", flat)).toBe(`{\n    "a.b": "Bewaren"\n}\n`);
  });

  test("is nested if the source file is nested", async () => {
    const contents = { "l/en.json": `{"a":{"b":"Save"}}`, "l/nl.json": `{\n  "c": "Openen"\n}\n` };
    expect(await written(JSON_JS, contents, "l/nl.json", { "a.b": one("Bewaren") })).toBe(
      `{\n  "c": "Openen",\n  "a": {\n    "b": "Bewaren"\n  }\n}\n`,
    );
  });

  test("prefers the file's own style to the source file's", async () => {
    const contents = { "l/en.json": `{"a.b":"Save","c.d":"x"}`, "l/nl.json": `{\n  "c": { "d": "y" }\n}\n` };
    const dutch = await written(JSON_JS, contents, "l/nl.json", { "a.b": one("Bewaren") });
    expect(JSON.parse(dutch ?? "")).toEqual({ c: { d: "y" }, a: { b: "Bewaren" } });
  });

  test.each([
    ["v3", `{ "n": "{{count}} thing", "n_plural": "{{count}} things" }`, ["n", "n_plural"]],
    ["v4", `{ "n_one": "{{count}} thing", "n_other": "{{count}} things" }`, ["n_one", "n_other"]],
    ["ICU", `{ "n": "{count, plural, one {# thing} other {# things}}" }`, ["n"]],
  ])("writes the first plural in the source file's style: %s", async (_, english, names) => {
    for (const dutch of [undefined, `{ "x": "y" }`]) {
      const contents = { "l/en.json": english, ...(dutch === undefined ? {} : { "l/nl.json": dutch }) };
      const after = JSON.parse((await written(JSON_JS, contents, "l/nl.json", { n: COUNT })) ?? "") as object;
      expect(Object.keys(after).filter((key) => key !== "x")).toEqual(names);
    }
  });

  test("numbers i18next v3 forms of a language with more forms", async () => {
    const english = `{ "n": "{{count}} thing", "n_plural": "{{count}} things" }`;
    const polish: Text = { forms: { one: "1", few: "2", many: "3" } };
    const after = await written(JSON_JS, { "l/en.json": english }, "l/pl.json", { n: polish }, "pl");
    expect(JSON.parse(after ?? "")).toEqual({ n_0: "1", n_1: "2", n_2: "3" });
  });

  test("follows another language's file if the source file shows no style", async () => {
    const contents = { "l/en.json": `{ "a": "b" }`, "l/fr.json": `{ "a": "b", "n": "1", "n_plural": "2" }` };
    const after = await written(JSON_JS, contents, "l/nl.json", { n: COUNT });
    expect(JSON.parse(after ?? "")).toEqual({ n: "{{count}} ding", n_plural: "{{count}} dingen" });
  });
});

describe("JavaScript modules", () => {
  const module = (ending: string): FilesEntry => {
    return { path: `l/{locale}.${ending}`, format: "js_module", namespace: "m" };
  };
  const texts = { a: one("x") };

  test("export like the source file, with its quotes", async () => {
    for (const [before, after] of [
      ["module.exports = ", "\n"],
      ["'use strict'\n\nmodule.exports = ", ";\n"],
      ["export default ", " as const;\n"],
      ["export = ", ";\n"],
    ]) {
      const english = `${before}{\n    a: 'b',\n}${after}`;
      expect(await written(module("ts"), { "l/en.ts": english }, "l/nl.ts", texts)).toBe(
        english.replace("'b'", "'x'"),
      );
    }
  });

  test("copy nothing else from the source file", async () => {
    const esm = `import type { Messages } from "../../core/types";\nconst en: Messages = { a: "b" };\nexport default en;\n`;
    expect(await written(module("ts"), { "l/en.ts": esm }, "l/nl.ts", texts)).toBe(
      `export default { a: "x" };\n`,
    );
    const common = `const en = {\n  a: "b"\n};\nmodule.exports = en;\n`;
    expect(await written(module("js"), { "l/en.js": common }, "l/nl.js", texts)).toBe(
      `module.exports = {\n  a: "x"\n};\n`,
    );
  });

  test.each([
    ["cjs", {}, "module.exports = "],
    ["cts", {}, "module.exports = "],
    ["mjs", { "package.json": "{}" }, "export default "],
    ["js", {}, "export default "],
    ["js", { "package.json": `{ "name": "x" }` }, "module.exports = "],
    ["js", { "package.json": `{ "type": "commonjs" }` }, "module.exports = "],
    ["js", { "package.json": `{ "type": "mod` }, "module.exports = "],
    ["js", { "package.json": `{ "type": "module" }` }, "export default "],
    ["js", { "package.json": "{}", "l/package.json": `{ "type": "module" }` }, "export default "],
    ["ts", { "package.json": "{}" }, "export default "],
  ])("starts a new .%s file with %j by %s", async (ending, contents, before) => {
    expect(await written(module(ending), contents, `l/en.${ending}`, texts, "en")).toBe(
      `${before}{\n  a: "x",\n};\n`,
    );
  });
});

test("writes PHP arrays, line endings and surrounding lines like the source file", async () => {
  const entry: FilesEntry = { path: "l/{locale}.php", format: "laravel_php", namespace: "m" };
  const english = `<?php\r\n\r\ndeclare(strict_types=1);\r\n\r\nreturn array(\r\n  'a' => array(\r\n    'b' => 'Save',\r\n  ),\r\n);\r\n`;
  expect(await written(entry, { "l/en.php": english }, "l/nl.php", { "a.b": one("Bewaren") })).toBe(
    english.replace("Save", "Bewaren"),
  );
});

test("writes gettext line endings and wrapping like the source file", async () => {
  const entry: FilesEntry = { path: "l/{locale}.po", format: "po", namespace: "m" };
  const words = "word ".repeat(30).trim();
  const english = `msgid ""\nmsgstr ""\n"Language: en\\n"\n\nmsgid "a"\nmsgstr ""\n"${words.slice(0, 74)} "\n"${words.slice(75)}"\n`;
  const contents = { "l/en.po": english.replaceAll("\n", "\r\n") };
  const dutch = (await written(entry, contents, "l/nl.po", { a: one(words) })) ?? "";
  expect(dutch.replaceAll("\r\n", "")).not.toContain("\n");
  expect(dutch).toContain(contents["l/en.po"].slice(contents["l/en.po"].indexOf('msgid "a"')));
});

test("writes XLIFF indentation and line endings like the source file", async () => {
  const entry: FilesEntry = { path: "l/{locale}.xlf", format: "xliff12", namespace: "m" };
  const english = `<?xml version="1.0" encoding="UTF-8"?>\r\n<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">\r\n\t<file original="" source-language="en" datatype="plaintext">\r\n\t\t<body>\r\n\t\t\t<trans-unit id="a" resname="a">\r\n\t\t\t\t<source>Save</source>\r\n\t\t\t</trans-unit>\r\n\t\t</body>\r\n\t</file>\r\n</xliff>\r\n`;
  const dutch = await written(entry, { "l/en.xlf": english }, "l/nl.xlf", { a: one("Bewaren") });
  expect(dutch).toBe(
    english
      .replace('source-language="en"', 'source-language="en" target-language="nl"')
      .replace("</source>\r\n", "</source>\r\n\t\t\t\t<target>Bewaren</target>\r\n"),
  );
});

test("writes CSV separators and line endings like the source file", async () => {
  const entry: FilesEntry = { path: "l/{locale}.csv", format: "csv", namespace: "m" };
  const contents = { "l/en.csv": "key;value\r\na;Save, please\r\n" };
  expect(await written(entry, contents, "l/nl.csv", { a: one("Bewaren, graag") })).toBe(
    "key;value\r\na;Bewaren, graag\r\n",
  );
});

test("follows no file without texts", async () => {
  const polish = '{\n      "a": "x"\n}\n';
  const contents = { "l/en.json": "{}", "l/fr.json": "{}", "l/pl.json": polish };
  expect(await written(JSON_JS, contents, "l/nl.json", { a: one("y") })).toBe(polish.replace("x", "y"));
});

test("follows the same group in the source language, then in another, then another group", async () => {
  const entry: FilesEntry = { path: "l/{locale}/{namespace}.json", format: "json_js" };
  const indented = (width: number): string => `{\n${" ".repeat(width)}"a": "x"\n}\n`;
  const files: Record<string, string> = {
    "l/en/a.json": indented(1),
    "l/fr/a.json": indented(3),
    "l/en/m.json": indented(5),
    "l/fr/m.json": indented(7),
  };
  for (const [width, without] of [
    [5, []],
    [7, ["l/en/m.json"]],
    [1, ["l/en/m.json", "l/fr/m.json"]],
    [3, ["l/en/m.json", "l/fr/m.json", "l/en/a.json"]],
  ] as const) {
    const contents = Object.fromEntries(
      Object.entries(files).filter(([path]) => !without.some((each) => each === path)),
    );
    expect(await written(entry, contents, "l/nl/m.json", { a: one("y") })).toBe(
      indented(width).replace("x", "y"),
    );
  }
});
