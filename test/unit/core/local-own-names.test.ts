/** Local files whose entries name their own namespaces and languages, and the source texts that only translations say. */
import { describe, expect, test } from "vitest";
import type { LocalChange, LocalEntriesPorts } from "../../../src/core/local-entries.ts";
import type { FilesEntry } from "../../../src/core/project-file.ts";
import type { Text } from "../../../src/core/text.ts";
import { mayStandIn, unreadIn } from "../../../src/core/unread.ts";
import { formatOf } from "../../../src/core/formats/registry.ts";
import { hashOf, nameOf, worldOf, type World } from "./local-world.ts";

const CSV: FilesEntry = { path: "i18n/texts.csv", format: "csv" };
const SHEET = [
  "namespace,key,description,en,nl,pt_BR",
  "cart,title,Above the list,Cart,Winkelwagen,",
  ",hello,,Hello,Hallo,Oi",
  "",
].join("\n");

function textsIn({ local }: World, locale: string): Record<string, Text> {
  const entries = [...(local.snapshot?.entries(locale).values() ?? [])];
  return Object.fromEntries(entries.map(({ name, text }) => [`${name.namespace}|${name.key}`, text]));
}

const change = (id: string, locale: string, value: string | null): LocalChange => {
  return { name: nameOf(id), locale, text: value === null ? null : { value } };
};

async function apply(world: World, changes: readonly LocalChange[]): Promise<string[]> {
  const plan = await world.local.planEdit(changes);
  expect(plan.refused).toEqual([]);
  await world.files.write(plan.writes);
  world.local.invalidate();
  await world.local.load();
  return plan.writes.map((write) => write.path);
}

const SERVICE = { sourceLocale: "en", serviceLocales: ["en", "nl", "pt-BR"] };

describe("a spreadsheet with a column for each language", () => {
  test("every text under its key's namespace and the service's name of the language", async () => {
    const world = worldOf({ "i18n/texts.csv": SHEET }, { files: [CSV], ...SERVICE });
    const snapshot = await world.local.load();
    expect(snapshot.problems).toEqual([]);
    expect(snapshot.locales).toEqual(["en", "nl", "pt-BR"]);
    expect(textsIn(world, "en")).toEqual({ "cart|title": { value: "Cart" }, "*|hello": { value: "Hello" } });
    expect(textsIn(world, "pt-BR")).toEqual({ "cart|title": { value: "" }, "*|hello": { value: "Oi" } });
    expect(world.local.find(hashOf(nameOf("cart|title")), "nl")).toMatchObject({
      locale: "nl",
      description: "Above the list",
      entry: { namespace: "cart", locale: "nl" },
    });
    expect([...(snapshot.files[0]?.locales ?? [])]).toEqual([
      ["en", "en"],
      ["nl", "nl"],
      ["pt-BR", "pt_BR"],
    ]);
  });

  test("a change goes back into its own cell, a new key into a row of its namespace", async () => {
    const world = worldOf({ "i18n/texts.csv": SHEET }, { files: [CSV], ...SERVICE });
    await apply(world, [change("cart|title", "pt-BR", "Carrinho")]);
    expect(world.files.text("i18n/texts.csv")).toBe(SHEET.replace("Winkelwagen,", "Winkelwagen,Carrinho"));
    await apply(world, [change("cart|empty", "en", "Empty"), change("cart|empty", "pt-BR", "Vazio")]);
    expect(world.files.text("i18n/texts.csv")).toMatch(/^cart,empty,,Empty,,Vazio$/m);
    await apply(world, [change("hello", "nl", null)]);
    expect(world.files.text("i18n/texts.csv")).toMatch(/^,hello,,Hello,,Oi$/m);
  });

  test("a new key brings what the service says of it", async () => {
    const known: ReturnType<LocalEntriesPorts["knownKeys"]> = new Map([
      [hashOf(nameOf("cart|new")), { isPlural: false, text: { value: "New" }, description: "As told" }],
    ]);
    const world = worldOf({ "i18n/texts.csv": SHEET }, { files: [CSV], ...SERVICE });
    world.setKnown(known);
    await apply(world, [change("cart|new", "nl", "Nieuw")]);
    expect(world.files.text("i18n/texts.csv")).toMatch(/^cart,new,As told,,Nieuw,$/m);
  });

  test("a language that the service lacks is told once and left out; learning of it reads the file again", async () => {
    const world = worldOf({ "i18n/texts.csv": SHEET }, { files: [CSV], ...SERVICE, serviceLocales: [] });
    expect((await world.local.load()).locales).toEqual(["en", "nl", "pt_BR"]);
    world.local.configure({
      files: [CSV],
      locales: { nl: "nl-BE" },
      ...SERVICE,
      serviceLocales: ["en", "nl-BE"],
    });
    const { locales } = await world.local.load();
    expect(locales).toEqual(["en", "nl-BE"]);
    expect(textsIn(world, "nl-BE")["*|hello"]).toEqual({ value: "Hallo" });
    await apply(world, [change("hello", "nl-BE", "Dag")]);
    expect(world.files.text("i18n/texts.csv")).toContain(",hello,,Hello,Dag,Oi");
  });

  test("the project file's namespace counts for all keys", async () => {
    const files = { "i18n/texts.csv": SHEET };
    const world = worldOf(files, { files: [{ ...CSV, namespace: "shop", keyPrefix: "x." }], ...SERVICE });
    await world.local.load();
    expect(Object.keys(textsIn(world, "en"))).toEqual(["shop|x.title", "shop|x.hello"]);
    expect(
      [...world.local.sourceNamesUnder([CSV])].map(({ namespace, key }) => `${namespace}|${key}`),
    ).toEqual(["cart|title", "*|hello"]);
  });

  test("one for each language says only its own", async () => {
    const world = worldOf(
      { "i18n/en.csv": "key,value\na,x\n", "i18n/nl.csv": "key,en,nl\na,x,y\n" },
      { files: [{ path: "i18n/{locale}.csv", format: "csv" }], ...SERVICE },
    );
    const { problems } = await world.local.load();
    expect(problems).toEqual([]);
    expect([textsIn(world, "en"), textsIn(world, "nl")]).toEqual([
      { "*|a": { value: "x" } },
      { "*|a": { value: "y" } },
    ]);
    expect(await apply(world, [change("b", "nl", "z")])).toEqual(["i18n/nl.csv"]);
    expect(world.files.text("i18n/nl.csv")).toBe("key,en,nl\na,x,y\nb,,z\n");
  });

  test("a workbook is read and changed as a table of text is", async () => {
    const xlsx = formatOf("xlsx");
    if (xlsx?.kind !== "binary") throw new Error("xlsx is a binary format");
    const entries = ["en", "nl"].map((locale) => {
      return { key: "hello", context: null, namespace: "cart", locale, text: { value: `${locale} text` } };
    });
    const bytes = xlsx.print(entries, { locale: "en", sourceLocale: "en" });
    const world = worldOf(
      { "texts.xlsx": bytes },
      { files: [{ path: "texts.xlsx", format: "xlsx" }], ...SERVICE },
    );
    await world.local.load();
    expect(textsIn(world, "nl")).toEqual({ "cart|hello": { value: "nl text" } });
    expect(await apply(world, [change("cart|hello", "nl", "Hallo")])).toEqual(["texts.xlsx"]);
    expect(textsIn(world, "nl")).toEqual({ "cart|hello": { value: "Hallo" } });
    expect(textsIn(world, "en")).toEqual({ "cart|hello": { value: "en text" } });
    expect(await apply(world, [change("cart|hello", "nl", "Hallo")])).toEqual([]);
  });

  test("a row that is not understood may be a key of any namespace", async () => {
    const world = worldOf({ "i18n/texts.csv": `${SHEET}a,"b` }, { files: [CSV], ...SERVICE });
    const snapshot = await world.local.load();
    const unread = unreadIn(snapshot);
    expect(snapshot.problems.map(({ code, line }) => [code, line])).toEqual([["syntax", 4]]);
    expect(mayStandIn(unread, nameOf("other|thing"))).toBe(true);
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

  test("translations alone say the source too, which nobody can write there", async () => {
    const nl = xliff("app", unit("hi", "Hi", "Hoi") + unit("bye", "Bye", null));
    const world = worldOf({ "locale/messages.nl.xlf": nl }, { files: FILES, ...SERVICE });
    const snapshot = await world.local.load();
    expect(snapshot.locales).toEqual(["en", "nl"]);
    expect(textsIn(world, "en")).toEqual({ "app|hi": { value: "Hi" }, "app|bye": { value: "Bye" } });
    expect(textsIn(world, "nl")["app|bye"]).toEqual({ value: "" });
    const { refused, writes } = await world.local.planEdit([change("app|hi", "en", null)]);
    expect([writes, refused.map(({ reason, path }) => [reason, path])]).toEqual([
      [],
      [["source", "locale/messages.nl.xlf"]],
    ]);
  });

  test("the source's own file says which keys there are", async () => {
    const world = worldOf(
      {
        "locale/messages.xlf": xliff("app", unit("hi", "Hello", null)),
        "locale/messages.nl.xlf": xliff("app", unit("hi", "Hi", "Hoi") + unit("old", "Old", "Oud")),
      },
      { files: FILES, ...SERVICE },
    );
    const { problems } = await world.local.load();
    expect(problems).toEqual([]);
    expect(textsIn(world, "en")).toEqual({ "app|hi": { value: "Hello" } });
  });

  test("a new translation brings its source along, and only its own lines change", async () => {
    const nl = xliff("app", unit("hi", "Hi", "Hoi"));
    const world = worldOf(
      {
        "locale/messages.xlf": xliff("app", unit("hi", "Hi", null) + unit("bye", "Bye", null)),
        "locale/messages.nl.xlf": nl,
      },
      { files: FILES, ...SERVICE },
    );
    await apply(world, [change("app|bye", "nl", "Doei")]);
    expect(world.files.text("locale/messages.nl.xlf")).toBe(
      xliff("app", unit("hi", "Hi", "Hoi") + unit("bye", "Bye", "Doei")),
    );
    await apply(world, [change("app|hi", "nl", "Hallo")]);
    expect(world.files.text("locale/messages.nl.xlf")).toContain("<target>Hallo</target>");
  });

  test("a broken translation keeps what it may hold from being archived, where it is all there is", async () => {
    const broken = { "locale/messages.nl.xlf": "<xliff version='1.2'><file" };
    const alone = await worldOf(broken, { files: FILES, ...SERVICE }).local.load();
    expect(unreadIn(alone)[0]).toMatchObject({ path: "locale/messages.nl.xlf", line: 1, key: null });
    const withSource = { ...broken, "locale/messages.xlf": xliff("app", unit("hi", "Hi", null)) };
    expect(unreadIn(await worldOf(withSource, { files: FILES, ...SERVICE }).local.load())).toEqual([]);
  });
});

describe("a file that is not what the project file says", () => {
  const JED = '{"locale_data":{"messages":{"":{"lang":"nl"},"Hello":["Hallo"]}}}';

  test("is told with its right format, and none of its keys are taken", async () => {
    const world = worldOf(
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
    const { problems } = await world.local.load();
    expect(problems.map(({ code, path, format }) => [code, path, format])).toEqual([
      ["format", "a/en.xlf", "xliff20"],
      ["format", "i18n/en.json", "wordpress_jed"],
      ["syntax", "i18n/nl.json", undefined],
    ]);
    expect(textsIn(world, "en")).toEqual({});
    const { refused } = await world.local.planEdit([change("a", "en", "x")]);
    expect(refused.map(({ reason }) => reason)).toEqual(["unreadable"]);
  });
});

test("a file over 50 MB is not even read", async () => {
  const world = worldOf(
    { "i18n/en.json": new Uint8Array(50 * 1024 * 1024 + 1) },
    { files: [{ path: "i18n/{locale}.json", format: "json_js" }], ...SERVICE },
  );
  const { problems } = await world.local.load();
  expect(problems.map(({ code, path }) => [code, path])).toEqual([["too_large", "i18n/en.json"]]);
  expect(world.files.reads).toEqual([]);
  const { refused } = await world.local.planEdit([change("a", "en", "x")]);
  expect(refused.map(({ reason }) => reason)).toEqual(["too_large"]);
});
