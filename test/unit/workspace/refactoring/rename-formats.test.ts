/** Renames keys in translation files of every format, and reports what cannot be renamed. */
import { describe, expect, test } from "vitest";
import { applySplices } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { mo } from "../../../../src/formats/gettext/mo-format.ts";
import { xlsx } from "../../../../src/formats/spreadsheets/xlsx-format.ts";
import type { KeyName } from "../../../../src/model/key-hash.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { planRename } from "../../../../src/workspace/refactoring/plan-key-rename.ts";
import { decodeFile, type RenameUsages } from "../../../../src/workspace/refactoring/rename-edits.ts";
import { createLocalProject } from "../local-files/local-project.ts";
import { createKeyNames } from "../../support/key-database.ts";

const NO_USES: RenameUsages = {
  usagesOf: () => [],
  usagesOfName: () => [],
  patternsOf: () => [],
  usagesOfPattern: () => [],
  importsOf: () => null,
};

/** The files' texts after the rename, and the paths that it leaves. */
async function renamed(
  contents: Readonly<Record<string, string | Uint8Array>>,
  files: readonly FilesEntry[],
  from: KeyName,
  key: string,
  namespace: string = from.namespace,
  uneditable: readonly string[] = [],
  frameworks: readonly FrameworkName[] = [],
): Promise<{ readonly texts: Record<string, string>; readonly left: readonly string[] }> {
  const { files: memory, local } = createLocalProject(contents, {
    files,
    sourceLocale: "en",
    serviceLocales: ["en", "nl"],
  });
  const plan = await planRename(
    {
      files: memory,
      local,
      usages: () => Promise.resolve(NO_USES),
      names: createKeyNames([]),
      find: { frameworks: new Set(), functions: [] },
      lookup: { frameworks: new Set(frameworks) },
      canEdit: ({ path }) => Promise.resolve(!uneditable.includes(path)),
      isFormerName: () => false,
    },
    from,
    { ...from, namespace, key },
  );
  if (plan.kind !== "planned") throw new Error(plan.kind);
  const paths = plan.files.map(({ path }) => path);
  expect(paths).toEqual([...new Set(paths)]);
  for (const { path, before, splices, kind, isNew } of plan.files) {
    expect([kind, isNew]).toEqual(["translations", contents[path] === undefined]);
    if (isNew) expect(before).toBe("");
    for (const { start, end, text } of splices) {
      // A position inside a surrogate pair does not exist in VS Code.
      expect([before.slice(0, start), text, before.slice(end)].every((part) => part.isWellFormed())).toBe(
        true,
      );
    }
  }
  return {
    texts: Object.fromEntries(plan.files.map((file) => [file.path, applySplices(file.before, file.splices)])),
    left: plan.remaining.map(({ path, line }) => (line === null ? path : `${path}:${line}`)),
  };
}

const name = (namespace: string, key: string, context: string | null = null): KeyName => {
  return { namespace, key, context };
};

const PO = [
  'msgid ""',
  'msgstr ""',
  '"Language: nl\\n"',
  "",
  "# About the button.",
  'msgid "Save"',
  'msgstr "Bewaren"',
  "",
  'msgid "Zoom"',
  'msgstr "Inzoomen"',
  "",
].join("\n");
const POT = PO.replace(/msgstr "[A-Z].*"/g, 'msgstr ""').replace('"Language: nl\\n"\n', "");
const GETTEXT: FilesEntry[] = [
  { path: "po/shop.pot", format: "pot", namespace: "shop" },
  { path: "po/shop-{locale}.po", format: "po", namespace: "shop" },
];

describe("gettext", () => {
  test("renames the message in the template and every language", async () => {
    const found = await renamed(
      { "po/shop.pot": POT, "po/shop-nl.po": PO },
      GETTEXT,
      name("shop", "Save"),
      "Keep",
    );
    expect(found).toEqual({
      texts: {
        "po/shop.pot": POT.replace('msgid "Save"', 'msgid "Keep"'),
        "po/shop-nl.po": PO.replace('msgid "Save"', 'msgid "Keep"'),
      },
      left: [],
    });
  });

  test("renames entries that only translations have", async () => {
    const found = await renamed({ "po/shop-nl.po": PO }, GETTEXT, name("shop", "Save"), 'Say "no"');
    expect(found).toEqual({
      texts: { "po/shop-nl.po": PO.replace('msgid "Save"', 'msgid "Say \\"no\\""') },
      left: [],
    });
  });

  test("renames in an empty source catalogue without other changes", async () => {
    const source = POT.replace('msgstr ""\n', 'msgstr ""\n"Language: en\\n"\n');
    const files: FilesEntry[] = [{ path: "po/{locale}.po", format: "po", namespace: "shop" }];
    const contents = { "po/en.po": source, "po/nl.po": PO };
    const { texts, left } = await renamed(contents, files, name("shop", "Save"), "Keep");
    expect(texts).toEqual({
      "po/en.po": source.replace('msgid "Save"', 'msgid "Keep"'),
      "po/nl.po": PO.replace('msgid "Save"', 'msgid "Keep"'),
    });
    expect(left).toEqual([]);
  });

  test("keeps the old name everywhere if no file can take the new one", async () => {
    const contents = { "po/shop.pot": POT, "po/shop-nl.po": PO };
    const { texts, left } = await renamed(contents, GETTEXT, name("shop", "Save"), "Keep", "*");
    expect(texts).toEqual({});
    expect([...left].sort()).toEqual(["po/shop-nl.po", "po/shop.pot"]);
  });

  test("does not duplicate a name that exists as obsolete", async () => {
    const contents = { "po/shop-nl.po": `${PO}\n#~ msgid "Keep"\n#~ msgstr "Houden"\n` };
    const found = await renamed(contents, GETTEXT, name("shop", "Save"), "Keep");
    const text = found.texts["po/shop-nl.po"] ?? "";
    expect(text.match(/msgid "Keep"\nmsgstr "Bewaren"/gu)).toHaveLength(1);
    expect(text).not.toContain("#~");
    expect(text).not.toContain("Save");
  });

  test("renames the singular of a plural", async () => {
    const plural = 'msgid "%d day"\nmsgid_plural "%d days"\nmsgstr[0] ""\nmsgstr[1] ""\n';
    const found = await renamed({ "po/shop.pot": plural }, GETTEXT, name("shop", "%d day"), "%d date");
    expect(found.texts).toEqual({ "po/shop.pot": plural.replace('"%d day"', '"%d date"') });
  });

  test("uses the declared encoding and leaves files that cannot encode the name", async () => {
    const text = PO.replace('"Language: nl\\n"', '"Content-Type: text/plain; charset=ISO-8859-1\\n"').replace(
      "Bewaren",
      "Bewaren à la carte",
    );
    const bytes = new Uint8Array(Buffer.from(text, "latin1"));
    const done = await renamed({ "po/shop-nl.po": bytes }, GETTEXT, name("shop", "Save"), "Café");
    expect(done.texts).toEqual({ "po/shop-nl.po": text.replace('msgid "Save"', 'msgid "Café"') });
    const not = await renamed({ "po/shop-nl.po": bytes }, GETTEXT, name("shop", "Save"), "☕");
    expect(not).toEqual({ texts: {}, left: ["po/shop-nl.po"] });
  });

  test("leaves compiled catalogues alone", async () => {
    const entry = { key: "Save", context: null, text: { value: "Bewaren" } };
    const bytes = mo.print([entry], { locale: "nl", sourceLocale: "en" });
    const files: FilesEntry[] = [{ path: "mo/{locale}.mo", format: "mo", namespace: "shop" }];
    expect(await renamed({ "mo/nl.mo": bytes }, files, name("shop", "Save"), "Keep")).toEqual({
      texts: {},
      left: ["mo/nl.mo"],
    });
  });
});

test("renames the links in each plural form", async () => {
  const files: FilesEntry[] = [{ path: "{locale}.po", format: "po", namespace: "shop" }];
  const po = (brand: string): string =>
    `msgid "${brand}"\nmsgstr "Winkel"\n\nmsgid "item"\nmsgid_plural "items"\nmsgstr[0] "ding van $t(${brand})"\nmsgstr[1] "dingen van $t(${brand})"\n`;
  const found = await renamed(
    { "nl.po": po("brand") },
    files,
    name("shop", "brand"),
    "firm",
    "shop",
    [],
    ["i18next"],
  );
  expect(found).toEqual({ texts: { "nl.po": po("firm") }, left: [] });
});

describe("XLIFF", () => {
  const unit = (attributes: string): string =>
    `<xliff version="1.2"><file original="app" source-language="en" target-language="nl"><body>\n  <trans-unit ${attributes}>\n    <source>Save</source>\n    <target>Bewaren</target>\n  </trans-unit>\n</body></file></xliff>\n`;
  const files: FilesEntry[] = [{ path: "x/{locale}.xlf", format: "xliff12" }];

  test("renames the attribute that names the unit", async () => {
    for (const [before, after] of [
      ['id="save"', 'id="keep"'],
      ['id="7" resname="save"', 'id="7" resname="keep"'],
      ["id='save'", "id='keep'"],
    ] as const) {
      const found = await renamed({ "x/nl.xlf": unit(before) }, files, name("app", "save"), "keep");
      expect(found).toEqual({ texts: { "x/nl.xlf": unit(after) }, left: [] });
    }
  });

  test("keeps source and note if the unit is replaced", async () => {
    const entries: FilesEntry[] = [{ path: "x/{locale}.xlf", format: "xliff12" }];
    const text = unit('id="save"').replace("</target>\n", "</target>\n    <note>On the button.</note>\n");
    const found = await renamed({ "x/nl.xlf": text }, entries, name("app", "save"), "keep", "shop");
    const after = found.texts["x/nl.xlf"] ?? "";
    expect(after).toMatch(/<file original="shop"[^]*id="keep"/u);
    expect(after).toContain("<source>Save</source>");
    expect(after).toContain("<note>On the button.</note>");
    expect(after).not.toContain('id="save"');
  });

  test("keeps the source of each language if the unit is replaced", async () => {
    const english = unit('id="save"')
      .replace("<source>Save<", "<source>Save it<")
      .replace('language="nl"', 'language="en"');
    const contents = { "x/en.xlf": english, "x/nl.xlf": unit('id="save"') };
    const found = await renamed(contents, files, name("app", "save"), "keep", "shop");
    expect(found.texts["x/nl.xlf"]).toContain("<source>Save</source>");
  });

  test("escapes the name as XML", async () => {
    const found = await renamed({ "x/nl.xlf": unit('id="save"') }, files, name("app", "save"), 'a < "b" & c');
    const text = found.texts["x/nl.xlf"] ?? "";
    expect(text).toMatch(/id="a &lt; &quot;b&quot; &amp; c"/);
    expect(text).toContain("<target>Bewaren</target>");
  });
});

test("renames the key's cell in CSV", async () => {
  const sheet = "namespace;key;en;nl\r\nmenu;home;Home;Thuis\r\n;home;House;Huis\r\n";
  const files: FilesEntry[] = [{ path: "t.csv", format: "csv" }];
  expect(await renamed({ "t.csv": sheet }, files, name("menu", "home"), "start")).toEqual({
    texts: { "t.csv": sheet.replace("menu;home", "menu;start") },
    left: [],
  });
});

test("leaves workbooks alone", async () => {
  const entry = { key: "home", context: null, namespace: "menu", locale: "en", text: { value: "Home" } };
  const bytes = xlsx.print([entry], { locale: "en", sourceLocale: "en" });
  const files: FilesEntry[] = [{ path: "t.xlsx", format: "xlsx" }];
  expect(await renamed({ "t.xlsx": bytes }, files, name("menu", "home"), "start")).toEqual({
    texts: {},
    left: ["t.xlsx"],
  });
});

test.each([
  ["js_module", "m/{locale}.ts", "export default {\n  a: { b: 'x' },\n} as const;\n", "b:", "c:"],
  ["json_js", "m/{locale}.json", '{\n  "a": { "b": "x" }\n}\n', '"b":', '"c":'],
  ["laravel_php", "m/{locale}.php", "<?php return ['a' => ['b' => 'x']];\n", "'b' =>", "'c' =>"],
] as const)("%s: keeps the name's quotes", async (format, path, text, before, after) => {
  const file = path.replace("{locale}", "en");
  expect(
    await renamed({ [file]: text }, [{ path, format, namespace: "m" }], name("m", "a.b"), "a.c"),
  ).toEqual({
    texts: { [file]: text.replace(before, after) },
    left: [],
  });
});

test.each([
  ["wordpress_php", "w/{locale}.l10n.php", "<?php\nreturn ['messages'=>['Save'=>'Bewaren']];\n"],
  ["wordpress_jed", "w/{locale}.json", '{"locale_data":{"messages":{"Save":["Bewaren"]}}}\n'],
] as const)("%s: leaves what other programs generate", async (format, path, text) => {
  const file = path.replace("{locale}", "nl");
  const files: FilesEntry[] = [{ path, format, namespace: "shop" }];
  expect(await renamed({ [file]: text }, files, name("shop", "Save"), "Keep")).toEqual({
    texts: {},
    left: [file],
  });
});

describe("a key that moves to another file", () => {
  const files: FilesEntry[] = [{ path: "{locale}/{namespace}.json", format: "json_js" }];
  const DUTCH = { "nl/cart.json": '{ "save": "Bewaren" }\n', "nl/shop.json": '{ "open": "Openen" }\n' };
  const DUTCH_MOVED = { "nl/cart.json": "{}\n", "nl/shop.json": '{ "open": "Openen", "save": "Bewaren" }\n' };

  test.each([
    ["is damaged", '{ "open": "Open", }}\n', []],
    ["cannot be edited", '{ "open": "Open" }\n', ["en/shop.json"]],
  ])("keeps its text where the other file %s", async (_, english, uneditable) => {
    const contents = { "en/cart.json": '{ "save": "Save" }\n', "en/shop.json": english, ...DUTCH };
    const found = await renamed(contents, files, name("cart", "save"), "save", "shop", uneditable);
    expect(found.texts).toEqual(DUTCH_MOVED);
    expect([...found.left].sort()).toEqual(["en/cart.json", "en/shop.json"]);
  });

  test("beside a key that begins with a similar emoji", async () => {
    const contents = { "en/cart.json": '{ "😀": "A", "😁": "B" }\n', "en/shop.json": '{ "😀": "C" }\n' };
    const found = await renamed(contents, files, name("cart", "😀"), "😁", "shop");
    expect(found.texts).toEqual({
      "en/cart.json": '{ "😁": "B" }\n',
      "en/shop.json": '{ "😀": "C", "😁": "A" }\n',
    });
  });

  test("creates the other file", async () => {
    const contents = { "en/cart.json": '{ "save": "Save" }\n', ...DUTCH };
    const found = await renamed(contents, files, name("cart", "save"), "save", "shop");
    expect(found).toEqual({
      texts: { "en/cart.json": "{}\n", "en/shop.json": '{ "save": "Save" }\n', ...DUTCH_MOVED },
      left: [],
    });
  });
});

test("moves a key to the file whose prefix its new name has", async () => {
  const layout = ["shop", "cart"].map((part): FilesEntry => {
    return { path: `${part}/{locale}.json`, format: "json_js", keyPrefix: `${part}.` };
  });
  const contents = { "shop/en.json": '{ "title": "Shop", "a": "A" }', "cart/en.json": '{ "b": "B" }' };
  expect(await renamed(contents, layout, name("*", "shop.title"), "shop.name")).toEqual({
    texts: { "shop/en.json": '{ "name": "Shop", "a": "A" }' },
    left: [],
  });
  expect(await renamed(contents, layout, name("*", "shop.title"), "cart.name")).toEqual({
    texts: { "shop/en.json": '{ "a": "A" }', "cart/en.json": '{ "b": "B", "name": "Shop" }' },
    left: [],
  });
});

test("names files that cannot be read completely, and may have the key in what could not be read", async () => {
  const files: FilesEntry[] = [{ path: "lang/{locale}/{namespace}.php", format: "laravel_php" }];
  const whole = "<?php return ['title' => 'Cart'];";
  const found = await renamed(
    {
      "lang/en/cart.php": whole,
      "lang/nl/cart.php": "<?php return [\n<<<<<<< HEAD\n'title' => 'Mand'];",
      "lang/nl/auth.php": "<?php return [\n<<<<<<< HEAD\n];",
    },
    files,
    name("cart", "title"),
    "heading",
  );
  expect(found).toEqual({
    texts: { "lang/en/cart.php": whole.replace("title", "heading") },
    left: ["lang/nl/cart.php:2"],
  });
});

test("names a file once that cannot be read completely and has the key", async () => {
  const files: readonly FilesEntry[] = [{ path: "{locale}.json", format: "json_js" }];
  const contents = { "en.json": '{ "a": "A" }', "nl.json": '{ "a": "A",\n  "end\n' };
  expect(await renamed(contents, files, name("*", "a"), "c", "*", ["nl.json"])).toEqual({
    texts: { "en.json": '{ "c": "A" }' },
    left: ["nl.json:2"],
  });
});

test("names a file that the editor cannot change, and renames in the others", async () => {
  const files: readonly FilesEntry[] = [{ path: "{locale}.json", format: "json_js" }];
  const contents = { "en.json": '{ "a": "A" }', "nl.json": '{ "a": "A" }' };
  expect(await renamed(contents, files, name("*", "a"), "c", "*", ["nl.json"])).toEqual({
    texts: { "en.json": '{ "c": "A" }' },
    left: ["nl.json"],
  });
});

test("leaves links in a second file with the same key, whose texts cannot be written anew", async () => {
  const files = ["a", "b"].map((part): FilesEntry => ({ path: `${part}/{locale}.json`, format: "json_js" }));
  // The link is not in the file as it is read.
  const tip = '{ "tip": "See \\u0040:brand" }';
  const contents = { "a/en.json": tip, "b/en.json": tip, "b/nl.json": '{ "brand": "Merk" }' };
  const found = await renamed(contents, files, name("*", "brand"), "firm", "*", [], ["vue-i18n"]);
  expect(found.texts).toEqual({ "b/nl.json": '{ "firm": "Merk" }' });
  expect([...found.left].sort()).toEqual(["a/en.json", "b/en.json"]);
});

test("keeps the key if a file of another language has the new name", async () => {
  const files: readonly FilesEntry[] = [{ path: "{locale}.json", format: "json_js" }];
  const contents = { "en.json": '{ "a": "A" }', "nl.json": '{ "a": "A", "b": "B" }' };
  await expect(renamed(contents, files, name("*", "a"), "b")).rejects.toThrow("taken");
  expect((await renamed(contents, files, name("*", "a"), "c")).texts["nl.json"]).toBe(
    '{ "c": "A", "b": "B" }',
  );
});

test("renames one context of a message, and no other", async () => {
  const files: FilesEntry[] = [{ path: "{locale}.po", format: "po" }];
  const message = (context: string, text: string): string => `${context}msgid "Open"\nmsgstr "${text}"\n`;
  const po = `msgid ""\nmsgstr ""\n\n${message('msgctxt "menu"\n', "Openen")}\n${message("", "Geopend")}`;
  const menu = await renamed({ "nl.po": po }, files, name("*", "Open", "menu"), "Start");
  expect(menu.texts).toEqual({ "nl.po": po.replace('"menu"\nmsgid "Open"', '"menu"\nmsgid "Start"') });
  const plain = await renamed({ "nl.po": po }, files, name("*", "Open"), "Start");
  expect(plain.texts).toEqual({
    "nl.po": po.replace('msgid "Open"\nmsgstr "Geopend"', 'msgid "Start"\nmsgstr "Geopend"'),
  });
});

test("a key that moves to a file with source texts gets the text of the source language", async () => {
  const files: readonly FilesEntry[] = [
    { path: "{locale}/cart.json", format: "json_js", namespace: "cart" },
    { path: "x/{locale}.xlf", format: "xliff12" },
  ];
  const xliff =
    '<xliff version="1.2"><file original="shop" source-language="en" target-language="nl"><body>\n</body></file></xliff>\n';
  const contents = {
    "en/cart.json": '{ "save": "Save" }',
    "nl/cart.json": '{ "save": "Bewaren" }',
    "x/nl.xlf": xliff,
  };
  const found = await renamed(contents, files, name("cart", "save"), "keep", "shop");
  expect(found.texts["x/nl.xlf"]).toMatch(/<source>Save<\/source>\s*<target[^>]*>Bewaren<\/target>/u);
});

test("moves a key whose texts in one file link to it, each with its own text", async () => {
  const files: readonly FilesEntry[] = [{ path: "t.csv", format: "csv" }];
  const sheet = "namespace;key;en;nl\r\nshop;title;See $t(shop:title);Zie $t(shop:title)\r\n";
  const found = await renamed(
    { "t.csv": sheet },
    files,
    name("shop", "title"),
    "head",
    "cart",
    [],
    ["i18next"],
  );
  expect(found).toEqual({
    texts: { "t.csv": sheet.replace("shop;title", "cart;head").replaceAll("shop:title", "cart:head") },
    left: [],
  });
});

test("changes only the links, in a text as the file writes it", async () => {
  const files: readonly FilesEntry[] = [{ path: "{locale}.json", format: "json_js" }];
  const en = String.raw`{ "brand": "B", "other": "O", "tip": "\u00c0 @:{'brand'}, @:other" }`;
  const to = async (key: string): Promise<string | undefined> =>
    (await renamed({ "en.json": en }, files, name("*", "brand"), key, "*", [], ["vue-i18n"])).texts[
      "en.json"
    ];
  expect(await to("firm")).toBe(en.replaceAll("brand", "firm"));
  // The file writes a quote otherwise than the text does.
  const tip = `À @:{'a "b"'}, @:other`;
  expect(JSON.parse((await to('a "b"')) ?? "")).toEqual({ 'a "b"': "B", other: "O", tip });
});

test("a plural form in a context is another message, not a form of the message", async () => {
  const files: readonly FilesEntry[] = [{ path: "{locale}.po", format: "po" }];
  const po = ["item", "item_one"].map((id) => `msgctxt "menu"\nmsgid "${id}"\nmsgstr "x"\n`).join("\n");
  const found = await renamed(
    { "nl.po": po },
    files,
    name("*", "item", "menu"),
    "thing",
    "*",
    [],
    ["i18next"],
  );
  expect(found.texts).toEqual({ "nl.po": po.replace('"item"', '"thing"') });
});

test("moves a key whose text links to itself", async () => {
  const files: readonly FilesEntry[] = [{ path: "{locale}/{namespace}.json", format: "json_js" }];
  const contents = {
    "en/shop.json": '{ "title": "See $t(shop:title)", "other": "x" }',
    "en/cart.json": "{}",
  };
  const found = await renamed(contents, files, name("shop", "title"), "heading", "cart", [], ["i18next"]);
  expect(found.left).toEqual([]);
  expect(JSON.parse(found.texts["en/cart.json"] ?? "")).toEqual({ heading: "See $t(cart:heading)" });
  expect(JSON.parse(found.texts["en/shop.json"] ?? "")).toEqual({ other: "x" });
});

test("edits a file once that a key moves to and that also links to the key", async () => {
  const files: readonly FilesEntry[] = [{ path: "{locale}/{namespace}.json", format: "json_js" }];
  const found = await renamed(
    {
      "en/shop.json": '{ "title": "Shop", "other": "x" }',
      "en/cart.json": '{ "link": "Back to $t(shop:title)" }',
    },
    files,
    name("shop", "title"),
    "heading",
    "cart",
    [],
    ["i18next"],
  );
  expect(found.left).toEqual([]);
  expect(JSON.parse(found.texts["en/shop.json"] ?? "")).toEqual({ other: "x" });
  expect(JSON.parse(found.texts["en/cart.json"] ?? "")).toEqual({
    link: "Back to $t(heading)",
    heading: "Shop",
  });
});

test("a file says whether the editor reads it as UTF-8", () => {
  const po = `msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\nmsgid "é"\nmsgstr "é"\n`;
  const latin1 = Buffer.from(po, "latin1");
  expect(decodeFile(latin1, "po")).toEqual({ text: po, isUtf8: false });
  expect(decodeFile(Buffer.from("\ufeffé"))).toEqual({ text: "é", isUtf8: true });
  expect([decodeFile(latin1), decodeFile(undefined), decodeFile(Buffer.from("a"), "xlsx")]).toEqual([
    null,
    null,
    null,
  ]);
});

test("renames the key in files that appeared without an event", async () => {
  const { files, local } = createLocalProject(
    { "en.json": '{ "a": "A" }' },
    {
      files: [{ path: "{locale}.json", format: "json_js" }],
      sourceLocale: "en",
      serviceLocales: ["en", "nl"],
    },
  );
  await local.load();
  files.put("nl.json", '{ "a": "Aa" }');
  const plan = await planRename(
    {
      files,
      local,
      usages: () => Promise.resolve(NO_USES),
      names: createKeyNames([]),
      find: { frameworks: new Set(), functions: [] },
      lookup: { frameworks: new Set() },
      canEdit: () => Promise.resolve(true),
      isFormerName: () => false,
    },
    name("*", "a"),
    name("*", "b"),
  );
  expect(plan.kind === "planned" && plan.files.map(({ path }) => path)).toEqual(["en.json", "nl.json"]);
});
