/** Files whose entries have their own namespaces and languages, and source texts that only target files have. */
import { describe, expect, test } from "vitest";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { mayContain, unparsedRanges } from "../../../../src/workspace/local-files/local-file.ts";
import { formatOf } from "../../../../src/formats/supported-formats.ts";
import {
  apply,
  change,
  hashOf,
  nameOf,
  textsIn,
  createLocalProject,
  type KnownKey,
} from "./local-project.ts";

const CSV: FilesEntry = { path: "i18n/texts.csv", format: "csv" };
const SHEET = [
  "namespace,key,description,en,nl,pt_BR",
  "cart,title,Above the list,Cart,Winkelwagen,",
  ",hello,,Hello,Hallo,Oi",
  "",
].join("\n");

const SERVICE = { sourceLocale: "en", serviceLocales: ["en", "nl", "pt-BR"] };

describe("spreadsheet with a column per language", () => {
  test("reads texts by namespace and the service's locale", async () => {
    const fixture = createLocalProject({ "i18n/texts.csv": SHEET }, { files: [CSV], ...SERVICE });
    const files = await fixture.local.load();
    expect(await fixture.local.problems()).toEqual([]);
    expect(files.locales).toEqual(["en", "nl", "pt-BR"]);
    expect(textsIn(fixture, "en")).toEqual({
      "cart|title": { value: "Cart" },
      "*|hello": { value: "Hello" },
    });
    expect(textsIn(fixture, "pt-BR")).toEqual({ "cart|title": { value: "" }, "*|hello": { value: "Oi" } });
    expect(fixture.local.find(hashOf(nameOf("cart|title")), "nl")).toMatchObject({
      locale: "nl",
      description: "Above the list",
      entry: { namespace: "cart", locale: "nl" },
    });
    expect([...(files.files[0]?.locales ?? [])]).toEqual([
      ["en", "en"],
      ["nl", "nl"],
      ["pt-BR", "pt_BR"],
    ]);
  });

  test("leaves out a column whose language is written in two ways, and says so", async () => {
    const contents = {
      "i18n/texts.csv": "key,en,nl_NL\nhi,Hi,Hoi\n",
      "nl-NL.json": "{}",
      "nl_NL.json": "{}",
    };
    const layout: FilesEntry[] = [CSV, { path: "{locale}.json", format: "json_js" }];
    const service = { sourceLocale: "en", serviceLocales: ["en", "nl-NL"] };
    const fixture = createLocalProject(contents, { files: layout, ...service });
    await fixture.local.load();
    expect(textsIn(fixture, "en")).toEqual({ "*|hi": { value: "Hi" } });
    expect(textsIn(fixture, "nl-NL")).toEqual({});
    const problems = await fixture.local.problems();
    expect(problems.map(({ code, path, span }) => [code, path, span === null])).toEqual([
      ["locale", "nl_NL.json", true],
      ["locale", "i18n/texts.csv", false],
    ]);
  });

  test("changes the text's own cell and adds a key to its namespace's rows", async () => {
    const fixture = createLocalProject({ "i18n/texts.csv": SHEET }, { files: [CSV], ...SERVICE });
    await apply(fixture, [change("cart|title", "pt-BR", "Carrinho")]);
    expect(fixture.files.text("i18n/texts.csv")).toBe(SHEET.replace("Winkelwagen,", "Winkelwagen,Carrinho"));
    await apply(fixture, [change("cart|empty", "en", "Empty"), change("cart|empty", "pt-BR", "Vazio")]);
    expect(fixture.files.text("i18n/texts.csv")).toMatch(/^cart,empty,,Empty,,Vazio$/m);
    await apply(fixture, [change("hello", "nl", null)]);
    expect(fixture.files.text("i18n/texts.csv")).toMatch(/^,hello,,Hello,,Oi$/m);
  });

  test("adds a key to the file that has its namespace", async () => {
    const xliff =
      '<xliff version="1.2"><file original="app" source-language="en" target-language="nl"><body>\n<trans-unit id="a"><source>A</source><target>Aa</target></trans-unit>\n</body></file></xliff>';
    const files: FilesEntry[] = [CSV, { path: "locale/messages.{locale}.xlf", format: "xliff12" }];
    const fixture = createLocalProject(
      { "i18n/texts.csv": SHEET, "locale/messages.nl.xlf": xliff },
      { files, ...SERVICE },
    );
    expect(await apply(fixture, [change("app|b", "nl", "Bee")])).toEqual(["locale/messages.nl.xlf"]);
    expect(await apply(fixture, [change("cart|b", "nl", "Bee")])).toEqual(["i18n/texts.csv"]);
  });

  test("writes the service's details with a new key", async () => {
    const known: ReadonlyMap<string, KnownKey> = new Map([
      [hashOf(nameOf("cart|new")), { isPlural: false, text: { value: "New" }, description: "As told" }],
    ]);
    const fixture = createLocalProject({ "i18n/texts.csv": SHEET }, { files: [CSV], ...SERVICE });
    fixture.setKnown(known);
    await apply(fixture, [change("cart|new", "nl", "Nieuw")]);
    expect(fixture.files.text("i18n/texts.csv")).toMatch(/^cart,new,As told,,Nieuw,$/m);
  });

  test("reports a locale unknown to the service once, and reads the file again when it is added", async () => {
    const fixture = createLocalProject(
      { "i18n/texts.csv": SHEET },
      { files: [CSV], ...SERVICE, serviceLocales: [] },
    );
    expect((await fixture.local.load()).locales).toEqual(["en", "nl", "pt_BR"]);
    fixture.local.configure({
      files: [CSV],
      locales: { nl: "nl-BE" },
      ...SERVICE,
      serviceLocales: ["en", "nl-BE"],
    });
    const { locales } = await fixture.local.load();
    expect(locales).toEqual(["en", "nl-BE"]);
    expect(textsIn(fixture, "nl-BE")["*|hello"]).toEqual({ value: "Hallo" });
    await apply(fixture, [change("hello", "nl-BE", "Dag")]);
    expect(fixture.files.text("i18n/texts.csv")).toContain(",hello,,Hello,Dag,Oi");
  });

  test("applies the project file's namespace to all keys", async () => {
    const files = { "i18n/texts.csv": SHEET };
    const fixture = createLocalProject(files, {
      files: [{ ...CSV, namespace: "shop", keyPrefix: "x." }],
      ...SERVICE,
    });
    await fixture.local.load();
    expect(Object.keys(textsIn(fixture, "en"))).toEqual(["shop|x.title", "shop|x.hello"]);
    expect(
      [...fixture.local.sourceNamesUnder([CSV])].map(({ namespace, key }) => `${namespace}|${key}`),
    ).toEqual(["cart|title", "*|hello"]);
  });

  test("reads only its own locale from a file per language", async () => {
    const fixture = createLocalProject(
      { "i18n/en.csv": "key,value\na,x\n", "i18n/nl.csv": "key,en,nl\na,x,y\n" },
      { files: [{ path: "i18n/{locale}.csv", format: "csv" }], ...SERVICE },
    );
    await fixture.local.load();
    const problems = await fixture.local.problems();
    expect(problems).toEqual([]);
    expect([textsIn(fixture, "en"), textsIn(fixture, "nl")]).toEqual([
      { "*|a": { value: "x" } },
      { "*|a": { value: "y" } },
    ]);
    expect(await apply(fixture, [change("b", "nl", "z")])).toEqual(["i18n/nl.csv"]);
    expect(fixture.files.text("i18n/nl.csv")).toBe("key,en,nl\na,x,y\nb,,z\n");
  });

  test("reads a workbook like a CSV file, and does not change single texts in it", async () => {
    const xlsx = formatOf("xlsx");
    if (xlsx?.kind !== "binary") throw new Error("xlsx is a binary format");
    const entries = ["en", "nl"].map((locale) => {
      return { key: "hello", context: null, namespace: "cart", locale, text: { value: `${locale} text` } };
    });
    const bytes = xlsx.print(entries, { locale: "en", sourceLocale: "en" });
    const fixture = createLocalProject(
      { "texts.xlsx": bytes },
      { files: [{ path: "texts.xlsx", format: "xlsx" }], ...SERVICE },
    );
    await fixture.local.load();
    expect(textsIn(fixture, "nl")).toEqual({ "cart|hello": { value: "nl text" } });
    const { writes, refused } = await fixture.local.planEdit([change("cart|hello", "nl", "Hallo")]);
    expect(writes).toEqual([]);
    expect(refused).toMatchObject([{ path: "texts.xlsx", reason: "generated" }]);
  });

  test("counts an unreadable row as a possible key of any namespace", async () => {
    const fixture = createLocalProject({ "i18n/texts.csv": `${SHEET}a,"b` }, { files: [CSV], ...SERVICE });
    const files = await fixture.local.load();
    const unread = unparsedRanges(files);
    expect((await fixture.local.problems()).map(({ code, line }) => [code, line])).toEqual([["syntax", 4]]);
    expect(mayContain(unread, nameOf("other|thing"))).toBe(true);
  });
});

const xliff = (original: string, units: string): string =>
  `<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n  <file original="${original}" source-language="en" target-language="nl" datatype="plaintext">\n    <body>\n${units}    </body>\n  </file>\n</xliff>\n`;
const unit = (id: string, source: string, target: string | null): string =>
  `      <trans-unit id="${id}">\n        <source>${source}</source>\n${target === null ? "" : `        <target>${target}</target>\n`}      </trans-unit>\n`;

describe("XLIFF", () => {
  const FILES: FilesEntry[] = [
    { path: "locale/messages.xlf", format: "xliff12" },
    { path: "locale/messages.{locale}.xlf", format: "xliff12" },
  ];

  test("reads source texts from translation files as read-only", async () => {
    const nl = xliff("app", unit("hi", "Hi", "Hoi") + unit("bye", "Bye", null));
    const fixture = createLocalProject({ "locale/messages.nl.xlf": nl }, { files: FILES, ...SERVICE });
    const files = await fixture.local.load();
    expect(files.locales).toEqual(["en", "nl"]);
    expect(textsIn(fixture, "en")).toEqual({ "app|hi": { value: "Hi" }, "app|bye": { value: "Bye" } });
    expect(textsIn(fixture, "nl")["app|bye"]).toEqual({ value: "" });
    const { refused, writes } = await fixture.local.planEdit([change("app|hi", "en", null)]);
    expect([writes, refused.map(({ reason, path }) => [reason, path])]).toEqual([
      [],
      [["source", "locale/messages.nl.xlf"]],
    ]);
  });

  test("takes the list of keys from the source file", async () => {
    const fixture = createLocalProject(
      {
        "locale/messages.xlf": xliff("app", unit("hi", "Hello", null)),
        "locale/messages.nl.xlf": xliff("app", unit("hi", "Hi", "Hoi") + unit("old", "Old", "Oud")),
      },
      { files: FILES, ...SERVICE },
    );
    await fixture.local.load();
    const problems = await fixture.local.problems();
    expect(problems).toEqual([]);
    expect(textsIn(fixture, "en")).toEqual({ "app|hi": { value: "Hello" } });
  });

  test("adds a translation with its source, changing only its own lines", async () => {
    const nl = xliff("app", unit("hi", "Hi", "Hoi"));
    const fixture = createLocalProject(
      {
        "locale/messages.xlf": xliff("app", unit("hi", "Hi", null) + unit("bye", "Bye", null)),
        "locale/messages.nl.xlf": nl,
      },
      { files: FILES, ...SERVICE },
    );
    await apply(fixture, [change("app|bye", "nl", "Doei")]);
    expect(fixture.files.text("locale/messages.nl.xlf")).toBe(
      xliff("app", unit("hi", "Hi", "Hoi") + unit("bye", "Bye", "Doei")),
    );
    await apply(fixture, [change("app|hi", "nl", "Hallo")]);
    expect(fixture.files.text("locale/messages.nl.xlf")).toContain("<target>Hallo</target>");
  });

  test("protects keys of an unreadable file from being archived", async () => {
    const broken = { "locale/messages.nl.xlf": "<xliff version='1.2'><file" };
    const alone = await createLocalProject(broken, { files: FILES, ...SERVICE }).local.load();
    expect(unparsedRanges(alone)[0]).toMatchObject({ path: "locale/messages.nl.xlf", line: 1, key: null });
    const withSource = { ...broken, "locale/messages.xlf": xliff("app", unit("hi", "Hi", null)) };
    expect(
      unparsedRanges(await createLocalProject(withSource, { files: FILES, ...SERVICE }).local.load()),
    ).toEqual([]);
  });
});

describe("file of another format than configured", () => {
  const JED = '{"locale_data":{"messages":{"":{"lang":"nl"},"Hello":["Hallo"]}}}';

  test("is reported with its actual format and yields no keys", async () => {
    const fixture = createLocalProject(
      {
        "i18n/en.json": JED,
        "i18n/nl.json": "nonsense",
        "a/en.xlf": "<xliff version='2.0' srcLang='en'></xliff>",
      },
      {
        files: [
          { path: "i18n/{locale}.json", format: "json_js" },
          { path: "a/{locale}.xlf", format: "xliff12" },
        ],
        ...SERVICE,
      },
    );
    await fixture.local.load();
    const problems = await fixture.local.problems();
    expect(problems.map(({ code, path, format }) => [code, path, format])).toEqual([
      ["format", "a/en.xlf", "xliff20"],
      ["format", "i18n/en.json", "wordpress_jed"],
      ["syntax", "i18n/nl.json", undefined],
    ]);
    expect(textsIn(fixture, "en")).toEqual({});
    const { refused } = await fixture.local.planEdit([change("a", "en", "x")]);
    expect(refused.map(({ reason }) => reason)).toEqual(["unreadable"]);
  });
});

test("does not read a file over 50 MB", async () => {
  const fixture = createLocalProject(
    { "i18n/en.json": new Uint8Array(50 * 1024 * 1024 + 1) },
    { files: [{ path: "i18n/{locale}.json", format: "json_js" }], ...SERVICE },
  );
  await fixture.local.load();
  const problems = await fixture.local.problems();
  expect(problems.map(({ code, path }) => [code, path])).toEqual([["too_large", "i18n/en.json"]]);
  expect(fixture.files.reads).toEqual([]);
  const { refused } = await fixture.local.planEdit([change("a", "en", "x")]);
  expect(refused.map(({ reason }) => reason)).toEqual(["too_large"]);
});

const HEADER =
  'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n';
const APPLES = 'msgid "%d apple"\nmsgid_plural "%d apples"\n';

describe("gettext", () => {
  const FILES: FilesEntry[] = [
    { path: "languages/shop.pot", format: "pot", namespace: "shop" },
    { path: "languages/shop-{locale}.po", format: "po", namespace: "shop" },
  ];
  const PO = `${HEADER}\n#. On the button\nmsgid "Save"\nmsgstr "Opslaan"\n\n${APPLES}msgstr[0] "%d appel"\nmsgstr[1] ""\n`;
  const POT = `${HEADER}\nmsgid "Save"\nmsgstr ""\n\n${APPLES}msgstr[0] ""\nmsgstr[1] ""\n\nmsgctxt "verb"\nmsgid "Open"\nmsgstr ""\n`;

  test("reads source texts from translations", async () => {
    const fixture = createLocalProject({ "languages/shop-nl.po": PO }, { files: FILES, ...SERVICE });
    const { locales } = await fixture.local.load();
    const problems = await fixture.local.problems();
    expect([locales, problems]).toEqual([["en", "nl"], []]);
    expect(textsIn(fixture, "en")).toEqual({
      "shop|Save": { value: "Save" },
      "shop|%d apple": { forms: { one: "%d apple", other: "%d apples" } },
    });
    expect(fixture.local.find(hashOf(nameOf("shop|Save")), "en")?.description).toBe("On the button");
    const { refused } = await fixture.local.planEdit([change("shop|Save", "en", null)]);
    expect(refused.map(({ reason }) => reason)).toEqual(["source"]);
  });

  test("takes the list of keys from the template", async () => {
    const old = `${PO}\nmsgid "Gone"\nmsgstr "Weg"\n`;
    const files = { "languages/shop.pot": POT, "languages/shop-nl.po": old };
    const fixture = createLocalProject(files, { files: FILES, ...SERVICE });
    await fixture.local.load();
    const problems = await fixture.local.problems();
    expect(problems).toEqual([]);
    expect(Object.keys(textsIn(fixture, "en")).sort()).toEqual(["shop|%d apple", "shop|Open", "shop|Save"]);
    expect(textsIn(fixture, "nl")["shop|Gone"]).toEqual({ value: "Weg" });
  });

  test("changes only its own msgstr, and adds entries with msgid, plural and context", async () => {
    const files = {
      "languages/shop.pot": POT,
      "languages/shop-nl.po": `${HEADER}\nmsgid "Save"\nmsgstr "Opslaan"\n`,
    };
    const fixture = createLocalProject(files, { files: FILES, ...SERVICE });
    await apply(fixture, [change("shop|Save", "nl", "Bewaren")]);
    expect(fixture.files.text("languages/shop-nl.po")).toBe(`${HEADER}\nmsgid "Save"\nmsgstr "Bewaren"\n`);
    const open = { ...nameOf("shop|Open"), context: "verb" };
    await apply(fixture, [
      {
        name: nameOf("shop|%d apple"),
        locale: "nl",
        text: { forms: { one: "%d appel", other: "%d appels" } },
      },
      { name: open, locale: "nl", text: { value: "Openen" } },
    ]);
    const text = fixture.files.text("languages/shop-nl.po") ?? "";
    expect(text).toContain(`${APPLES}msgstr[0] "%d appel"\nmsgstr[1] "%d appels"\n`);
    expect(text).toContain('msgctxt "verb"\nmsgid "Open"\nmsgstr "Openen"\n');
    expect(text.startsWith(`${HEADER}\n`)).toBe(true);
  });

  test("prefers the source catalogue to the template", async () => {
    const files = {
      "languages/shop.pot": POT,
      "languages/shop-en.po": `${HEADER}\nmsgid "Save"\nmsgstr "Keep"\n`,
    };
    const fixture = createLocalProject(files, { files: FILES, ...SERVICE });
    await fixture.local.load();
    const problems = await fixture.local.problems();
    expect(problems).toEqual([]);
    expect(textsIn(fixture, "en")["shop|Save"]).toEqual({ value: "Keep" });
    expect(textsIn(fixture, "en")["shop|Open"]).toEqual({ value: "Open" });
    expect([...fixture.local.entries("en").values()]).toHaveLength(3);
  });

  test("keeps the file's encoding and refuses unencodable characters", async () => {
    const header = HEADER.replace("UTF-8", "ISO-8859-1");
    const bytes = Uint8Array.from(`${header}\nmsgid "Save"\nmsgstr "\xe9"\n`, (char) => char.charCodeAt(0));
    const fixture = createLocalProject({ "languages/shop-nl.po": bytes }, { files: FILES, ...SERVICE });
    await fixture.local.load();
    expect(textsIn(fixture, "nl")["shop|Save"]).toEqual({ value: "é" });
    const { writes, refused } = await fixture.local.planEdit([change("shop|Save", "nl", "ö")]);
    expect([refused, writes[0]?.after.at(-3)]).toEqual([[], 0xf6]);
    const impossible = await fixture.local.planEdit([change("shop|Save", "nl", "日本")]);
    expect([impossible.writes, impossible.refused.map(({ reason }) => reason)]).toEqual([[], ["encoding"]]);
  });

  test("neither reports nor writes compiled catalogues", async () => {
    const files = {
      "languages/shop-nl.po": PO,
      "languages/shop-nl.l10n.php":
        "<?php\nreturn ['plural-forms'=>'nplurals=2; plural=(n != 1);','language'=>'nl','messages'=>['Save'=>'Oud','Only'=>'Alleen']];\n",
    };
    const compiled: FilesEntry = {
      path: "languages/shop-{locale}.l10n.php",
      format: "wordpress_php",
      namespace: "shop",
    };
    const fixture = createLocalProject(files, { files: [compiled, ...FILES], ...SERVICE });
    await fixture.local.load();
    const problems = await fixture.local.problems();
    expect(problems).toEqual([]);
    expect(textsIn(fixture, "nl")).toMatchObject({
      "shop|Save": { value: "Opslaan" },
      "shop|Only": { value: "Alleen" },
    });
    expect(await apply(fixture, [change("shop|Save", "nl", "x"), change("shop|New", "nl", "y")])).toEqual([
      "languages/shop-nl.po",
    ]);
  });
});

describe("source texts that other files contain", () => {
  const PO: FilesEntry = { path: "{locale}.po", format: "po" };
  const po = (...messages: readonly (readonly [string, string])[]): string =>
    messages.map(([id, text]) => `msgid "${id}"\nmsgstr "${text}"\n`).join("\n");
  const keys = ({ local }: ReturnType<typeof createLocalProject>, locale: string): string[] =>
    Array.from(local.entries(locale).values(), ({ name }) => name.key).sort();

  test("are texts of the source language alone, and each once", async () => {
    const files = {
      "nl.po": po(["Save", "Bewaar"]),
      "fr.po": po(["Save", "Garder"], ["Open", "Ouvrir"]),
      "en.json": '{ "Save": "Keep" }',
    };
    const fixture = createLocalProject(files, {
      files: [PO, { path: "{locale}.json", format: "json_js" }],
    });
    await fixture.local.load();
    expect([keys(fixture, "en"), keys(fixture, "nl")]).toEqual([["Open", "Save"], ["Save"]]);
    expect(textsIn(fixture, "en")["*|Save"]).toEqual({ value: "Keep" });
    expect(fixture.local.find(hashOf(nameOf("Open")), "nl")).toBeUndefined();
    expect(fixture.local.find(hashOf(nameOf("Save")), "en")?.text).toEqual({ value: "Keep" });
    // A source text that only a translation has cannot be changed there.
    const open = { path: "fr.po", locale: "en", text: { value: "Open" } };
    const entry = { text: { value: "Open" }, source: null, readOnly: "source" };
    expect(fixture.local.find(hashOf(nameOf("Open")), "en")).toMatchObject({ ...open, entry });
    const listed = [...fixture.local.entries("en").values()].find(({ name }) => name.key === "Open");
    expect(listed).toMatchObject({ ...open, entry });
    const fuller = fixture.local.entries("en");
    expect([fuller.has(hashOf(nameOf("Open"))), fuller.has(hashOf(nameOf("Close")))]).toEqual([true, false]);
  });

  test("are none in files that leave them empty", async () => {
    const unit = '<trans-unit id="a"><source></source><target>Aa</target></trans-unit>';
    const files = {
      "nl.xlf": `<xliff version="1.2"><file original="a" source-language="en" target-language="nl"><body>${unit}</body></file></xliff>`,
    };
    const { local } = createLocalProject(files, { files: [{ path: "{locale}.xlf", format: "xliff12" }] });
    expect((await local.load()).locales).toEqual(["nl"]);
  });

  test("have a key for each context", async () => {
    const files = { "nl.po": `msgctxt "menu"\n${po(["Open", "Open"])}\n${po(["Open", "Geopend"])}` };
    const fixture = createLocalProject(files, { files: [PO] });
    await fixture.local.load();
    const open = (context: string | null): unknown =>
      fixture.local.find(hashOf({ namespace: "*", key: "Open", context }), "nl")?.text;
    expect([open("menu"), open(null)]).toEqual([{ value: "Open" }, { value: "Geopend" }]);
  });
});
