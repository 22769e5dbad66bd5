/** What an import makes of files that say more, or less, than their paths. */
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { xlsx } from "../../../src/core/formats/sheets/xlsx.ts";
import type { ProjectFile } from "../../../src/service/settings.ts";
import { start, type Harness } from "./harness.ts";

const project: ProjectFile = { type: "laravel", languages: [{ locale: "nl" }, { locale: "pt-BR" }] };

type Files = Readonly<Record<string, string | Uint8Array>>;
type Fields = Readonly<Record<string, string>>;

/** The job's counters that are not zero, or the code that it failed with. */
async function imported(service: Harness, files: Files, fields?: Fields): Promise<unknown> {
  const answer = await service.upload(files, fields);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const job = await service.ended((answer.body["data"] as { id: number }).id);
  if (job.error !== null) return job.error.code;
  return Object.fromEntries(Object.entries(job.result ?? {}).filter(([, count]) => count !== 0));
}

/** What the answer says of each refused file. */
async function refused(service: Harness, files: Files, fields?: Fields): Promise<Record<string, string>> {
  const answer = await service.upload(files, fields);
  expect(answer.status, JSON.stringify(answer.body)).toBe(422);
  const errors = answer.body["errors"] as Record<string, string[]>;
  return Object.fromEntries(Object.entries(errors).map(([field, messages]) => [field, messages.join()]));
}

async function rows(service: Harness, locale: string): Promise<string[]> {
  const all = await service.data<Record<string, unknown>[]>("GET", `/translations/${locale}`);
  return all.map(({ namespace, key, context, value, forms }) =>
    [namespace, context, key, forms ?? value]
      .filter((part) => part !== null)
      .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
      .join(" | "),
  );
}

const PO = `msgid ""
msgstr ""
"Language: nl\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#. Above the cart
msgctxt "menu"
msgid "Cart"
msgstr "Winkelwagen"

msgid "%d item"
msgid_plural "%d items"
msgstr[0] "%d stuk"
msgstr[1] "%d stuks"

msgid "Later"
msgstr ""
`;

describe("files that say the source text too", () => {
  test("give it to the keys that they make", async () => {
    const service = await start(project);
    expect(await imported(service, { "shop-nl.po": PO })).toEqual({
      newKeys: 3,
      newTranslations: 2,
      skipped: 1,
    });
    expect(await rows(service, "en")).toEqual([
      "shop | menu | Cart | Cart",
      'shop | %d item | {"one":"%d item","other":"%d items"}',
      "shop | Later | Later",
    ]);
    expect(await rows(service, "nl")).toEqual([
      "shop | menu | Cart | Winkelwagen",
      'shop | %d item | {"one":"%d stuk","other":"%d stuks"}',
      "shop | Later",
    ]);
    const [key] = await service.data<{ description: string }[]>("GET", "/keys?limit=1000");
    expect(key?.description ?? null).toBeNull();
    const cart = (await service.data<{ key: string; description: string }[]>("GET", "/keys")).find(
      (one) => one.key === "Cart",
    );
    expect(cart?.description).toBe("Above the cart");
  });

  test("never to a key that is there, with a source text or without one, overwrite or not", async () => {
    const service = await start(project);
    await service.data("POST", "/keys/sync", {
      keys: [
        { namespace: "shop", key: "Cart", context: "menu", value: "Basket" },
        { namespace: "shop", key: "Later" },
      ],
    });
    await imported(service, { "shop-nl.po": PO }, { overwrite: "1" });
    expect(await rows(service, "en")).toEqual([
      "shop | menu | Cart | Basket",
      "shop | Later",
      'shop | %d item | {"one":"%d item","other":"%d items"}',
    ]);
  });

  test("the source's own file does overwrite, when it is told to", async () => {
    const service = await start(project);
    await service.data("POST", "/keys/sync", { keys: [{ namespace: "shop", key: "Cart", value: "Basket" }] });
    const file = { "shop-en.po": 'msgid "Cart"\nmsgstr "Trolley"\n' };
    expect(await imported(service, file)).toEqual({ skipped: 1 });
    expect(await imported(service, file, { overwrite: "1" })).toEqual({ changedTranslations: 1 });
    expect(await rows(service, "en")).toEqual(["shop | Cart | Trolley"]);
  });

  test("a template is of the source language, whatever it is called", async () => {
    const service = await start(project);
    const template = 'msgid ""\nmsgstr ""\n"Language: nl\\n"\n\nmsgid "Cart"\nmsgstr ""\n';
    expect(await imported(service, { "shop.pot": template })).toEqual({ newKeys: 1, newTranslations: 1 });
    expect(await rows(service, "en")).toEqual(["shop | Cart | Cart"]);
  });

  test("and keys that are left alone are not made by it", async () => {
    const service = await start(project);
    expect(await imported(service, { "shop-nl.po": PO }, { createUnknownKeys: "0" })).toEqual({ skipped: 3 });
    expect(await service.data("GET", "/keys")).toEqual([]);
  });
});

const XLIFF = (target: string): string => `<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="shop" source-language="en" ${target} datatype="plaintext"><body>
    <trans-unit id="cart"><source>Cart</source><target>Winkelwagen</target></trans-unit>
  </body></file>
</xliff>`;

describe("the language", () => {
  const nl = async (service: Harness): Promise<string[]> => rows(service, "nl");
  test.each([
    ["PO's header", "messages.po", PO],
    ["XLIFF's target-language", "texts.xliff", XLIFF('target-language="nl"')],
  ])("is what %s says where the path does not", async (_, name, text) => {
    const service = await start(project);
    expect(await imported(service, { [name]: text }, { namespace: "x" })).toMatchObject({
      newTranslations: expect.any(Number),
    });
    expect((await nl(service)).join()).toContain("Winkelwagen");
  });

  test("is the path's where that says one, and the forced one before all", async () => {
    const service = await start(project);
    await imported(service, {
      "pt_BR.po": 'msgid ""\nmsgstr ""\n"Language: nl\\n"\n\nmsgid "a"\nmsgstr "b"\n',
    });
    expect(await rows(service, "pt-BR")).toEqual(["* | a | b"]);
    await imported(service, { "pt_BR.po": 'msgid "c"\nmsgstr "d"\n' }, { locale: "nl" });
    expect(await nl(service)).toEqual(["* | a", "* | c | d"]);
  });

  test.each([
    ["that is not of the project", { "messages.po": PO.replace("Language: nl", "Language: fi") }],
    ["that nothing names", { "messages.po": 'msgid "a"\nmsgstr "b"\n' }],
    ["that a path names and the project lacks", { "fi/shop.po": PO }],
    ["of an XLIFF file that is not of the project", { "texts.xlf": XLIFF('target-language="fi"') }],
  ])("%s fails the job", async (_, files) => {
    const service = await start(project);
    expect(await imported(service, files)).toBe("unknown_locale");
  });
});

describe("the namespace", () => {
  test("is the file's own, the path's, or none; a forced one is everybody's", async () => {
    const service = await start(project);
    await imported(service, { "a/nl.xlf": XLIFF('target-language="nl"') });
    expect(await rows(service, "en")).toEqual(["shop | cart | Cart"]);
    await imported(service, { "a/nl.xlf": XLIFF('target-language="nl"') }, { namespace: "forced" });
    expect(await rows(service, "nl")).toEqual(["shop | cart | Winkelwagen", "forced | cart | Winkelwagen"]);
  });
});

describe("formats by their contents", () => {
  test("a JSON file that nests is no flat Laravel one; XLIFF says its version", async () => {
    const service = await start(project);
    const v2 = `<xliff version="2.0" srcLang="en" trgLang="nl" xmlns="urn:oasis:names:tc:xliff:document:2.0">
      <file id="f"><unit id="u"><segment><source>A</source><target>B</target></segment></unit></file></xliff>`;
    const files = { "lang/nl.json": '{"menu": {"cart": "Winkelwagen"}}', "x.nl.xlf": v2 };
    expect(await imported(service, files)).toEqual({ newKeys: 2, newTranslations: 2 });
    expect(await rows(service, "nl")).toEqual(["* | menu.cart | Winkelwagen", "f | u | B"]);
  });
});

describe("plural keys", () => {
  test("are what the service knows them as, in every format", async () => {
    const service = await start(project);
    await service.data("POST", "/keys/sync", {
      keys: [
        { namespace: "m", key: "plural", forms: { one: "# thing", other: "# things" } },
        { namespace: "m", key: "single", value: "a|b" },
      ],
    });
    const xliff = XLIFF('target-language="nl"')
      .replace("shop", "m")
      .replace('id="cart"', 'id="plural"')
      .replace("Winkelwagen", "{n, plural, one {# ding} other {# dingen}}");
    expect(await imported(service, { "x.xlf": xliff })).toEqual({ newTranslations: 1 });
    expect(await rows(service, "nl")).toEqual([
      'm | plural | {"one":"# ding","other":"# dingen"}',
      "m | single",
    ]);
    const again = { "nl/m.json": '{"plural_one": "# ding", "plural_other": "# dingen", "single": "c|d"}' };
    expect(await imported(service, again)).toEqual({ unchanged: 1, newTranslations: 1 });
  });

  test("of an upload show their kind in any file that has words for them", async () => {
    const service = await start(project);
    const files = {
      "en/m.po": 'msgid "a"\nmsgid_plural "b"\nmsgstr[0] ""\nmsgstr[1] ""\n',
      "nl/m.php": "<?php return ['a' => 'ding|dingen'];",
    };
    expect(await imported(service, files)).toEqual({ newKeys: 1, newTranslations: 2 });
    expect(await rows(service, "nl")).toEqual(['m | a | {"one":"ding","other":"dingen"}']);
  });
});

describe("one key in one language, several times", () => {
  const files = {
    "a/nl/m.json": '{"x": "one", "y": "same"}',
    "b/nl/m.json": '{"x": "two", "y": "same", "z": ""}',
    "c/nl/m.json": '{"z": "three"}',
  };
  test("the last that says something counts, and again changes nothing", async () => {
    const service = await start(project);
    expect(await imported(service, files)).toEqual({
      newKeys: 3,
      newTranslations: 3,
      unchanged: 1,
      skipped: 2,
    });
    expect(await rows(service, "nl")).toEqual(["m | x | two", "m | y | same", "m | z | three"]);
    expect(await imported(service, files, { overwrite: "1" })).toEqual({ unchanged: 4, skipped: 2 });
  });

  test("also two files of a zip with one path", async () => {
    const service = await start(project);
    const zip = zipSync({ "x1/nl.json": strToU8('{"x": "one"}'), "x2/nl.json": strToU8('{"x": "two"}') });
    // The second one's name, in its own header and in the directory.
    const twice = Uint8Array.from(zip, (byte, at) => (byte === 0x32 && zip[at + 1] === 0x2f ? 0x31 : byte));
    expect(await imported(service, { "all.zip": twice })).toEqual({ newKeys: 1, newTranslations: 1 });
    expect(await rows(service, "nl")).toEqual(["* | x | two"]);
  });
});

describe("spreadsheets", () => {
  const header = ["Group", "Key", "Note", "en", "nl one", "nl other"];
  const presets: ProjectFile["spreadsheetPresets"] = [
    {
      header,
      namespace: "Group",
      key: "Key",
      description: "Note",
      languages: { en: "en", "nl one": "nl", "nl other": "nl" },
      categories: { "nl one": "one", "nl other": "other" },
    },
    { header: ["Key"], key: "Key" },
    { header: ["Key", "fi"], key: "Key", languages: { fi: "fi" } },
  ];
  const withPresets = { ...project, spreadsheetPresets: presets };
  const sheet = (title: string): Uint8Array =>
    xlsx.kind === "binary"
      ? xlsx.print([{ key: "a", context: null, text: { value: "b" } }], { locale: title, sourceLocale: "en" })
      : new Uint8Array();

  test("a preset may say which columns are plural forms", async () => {
    const service = await start(withPresets);
    await service.data("POST", "/keys/sync", {
      keys: [{ namespace: "shop", key: "items", forms: { one: "1", other: "n" } }],
    });
    const csv = `${header.join(";")};;\nshop;items;Things;;ding;dingen\n`;
    expect(await imported(service, { "a.csv": csv })).toEqual({ newTranslations: 1, skipped: 1 });
    expect(await rows(service, "nl")).toEqual(['shop | items | {"one":"ding","other":"dingen"}']);
    expect((await service.data<{ description: string }[]>("GET", "/keys"))[0]?.description).toBe("Things");
  });

  test("the same of a workbook", async () => {
    const service = await start({
      ...project,
      spreadsheetPresets: [{ header: ["key", "value"], key: "key", languages: { value: "nl" } }],
    });
    expect(await imported(service, { "a.xlsx": sheet("nl") })).toEqual({ newKeys: 1, newTranslations: 1 });
    expect(await rows(service, "nl")).toEqual(["* | a | b"]);
  });

  test.each([
    ["needs_mapping", { "a.xlsx": sheet("nl") }],
    ["needs_mapping", { "a.csv": "Key,nl\na,b\n" }],
    ["needs_mapping", { "a.csv": "key\na\n" }],
    ["unknown_locale", { "a.csv": "Key,fi\na,b\n" }],
    ["keys_only_mixed", { "a.csv": "Key\na\n", "nl.po": PO }],
  ])("%s", async (code, files) => {
    const service = await start(withPresets);
    expect(await imported(service, files)).toBe(code);
    expect(await service.data("GET", "/keys")).toEqual([]);
  });

  test("without a language column they make keys, and know those that are there", async () => {
    const service = await start(withPresets);
    expect(await imported(service, { "a.csv": "Key\na\nb\na\n" }, { tag: "listed" })).toEqual({ newKeys: 2 });
    expect(await imported(service, { "a.csv": "Key\na\nc\n" }, { createUnknownKeys: "0" })).toEqual({
      skipped: 2,
    });
    const keys = await service.data<{ key: string; tags: string[] }[]>("GET", "/keys");
    expect(keys.map(({ key, tags }) => [key, ...tags])).toEqual([
      ["a", "listed"],
      ["b", "listed"],
    ]);
  });

  test("plural columns that are no columns of a language are a fault of the project file", async () => {
    const wrong = [{ header: ["Key"], key: "Key", categories: { Key: "one" as const } }];
    await expect(start({ ...project, spreadsheetPresets: wrong })).rejects.toThrow(
      /spreadsheetPresets\.0\.categories/u,
    );
  });
});

describe("zips", () => {
  test("files of other kinds are passed over, scripts among them", async () => {
    const service = await start(project);
    const zip = zipSync({
      "app/locales/nl/shop.json": strToU8('{"a": "b"}'),
      "app/main.ts": strToU8('import "./x.ts";\nstart();\n'),
      "app/empty.json": strToU8(""),
      "app/logo.png": strToU8("\u0089PNG"),
      "app/readme.md": strToU8("# x"),
    });
    expect(await imported(service, { "app.zip": zip })).toEqual({ newKeys: 1, newTranslations: 1 });
  });

  test("with nothing to read in them, the format is not recognised", async () => {
    const service = await start(project);
    expect(await imported(service, { "a.zip": zipSync({ "readme.md": strToU8("x") }) })).toBe(
      "unknown_format",
    );
  });

  test("in zips, and files that are wrong in them, are refused by the index of the upload", async () => {
    const service = await start(project);
    const inner = zipSync({ "nl.json": strToU8('{"a": "b"}') });
    expect(
      await refused(service, {
        "nl.json": '{"a": "b"}',
        "outer.zip": zipSync({ "x/inner.zip": inner }),
        "wrong.zip": zipSync({ "nl.json": strToU8('{"a":\n  oops}') }),
      }),
    ).toEqual({
      "files.1": "outer.zip: the archive is not safe.",
      "files.2": "wrong.zip: nl.json, line 2, column 3: the file cannot be read from here.",
    });
    expect(await service.data("GET", "/keys")).toEqual([]);
  });
});

describe("contents that are wrong for the extension", () => {
  const png = Uint8Array.of(
    0x89,
    0x50,
    0x4e,
    0x47,
    0x0d,
    0x0a,
    0x1a,
    0x0a,
    0,
    0,
    0,
    0x0d,
    0x49,
    0x48,
    0x44,
    0x52,
  );
  const names = [
    "nl.php",
    "nl.json",
    "nl.ts",
    "nl.js",
    "nl.po",
    "nl.pot",
    "nl.mo",
    "nl.l10n.php",
    "nl.csv",
    "nl.xlsx",
    "nl.xlf",
    "nl.xliff",
  ];
  const others = [
    "<?php return ['a' => 'b'];",
    '{"a": "b"}',
    'msgid "a"\nmsgstr "b"\n',
    '<?xml version="1.0"?><html/>',
    "key,nl\na,b\n",
  ];

  test.each(names)("%s that is a picture, or any other kind of file", async (name) => {
    const service = await start(project);
    const isOwn = [/\.php$/u, /\.json$/u, /\.pot?$/u, /^$/u, /\.csv$/u];
    for (const [index, text] of others.entries()) {
      if (isOwn[index]?.test(name) === true) continue;
      expect(Object.keys(await refused(service, { [name]: text })), text).toEqual(["files.0"]);
    }
    expect(Object.keys(await refused(service, { [name]: png }))).toEqual(["files.0"]);
  });

  test("for a forced format too", async () => {
    const service = await start(project);
    for (const format of ["laravel_php", "laravel_json", "po", "mo", "xlsx", "xliff12", "wordpress_jed"]) {
      expect(
        Object.keys(await refused(service, { "x.txt": "just words" }, { format, locale: "nl" })),
        format,
      ).toEqual(["files.0"]);
    }
  });

  test("says where a text is not in UTF-8", async () => {
    const service = await start(project);
    const bytes = Uint8Array.of(...strToU8('{\n  "a": "b'), 0xe9, ...strToU8('"}'));
    expect(await refused(service, { "nl.json": bytes })).toEqual({
      "files.0": "nl.json, line 2, column 10: this is no text in UTF-8.",
    });
  });
});
