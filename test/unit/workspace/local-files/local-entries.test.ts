/** Local files by key and locale: lookup, reloads, and where changes are written. */
import { describe, expect, test } from "vitest";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { OUT_OF_MEMORY } from "../../../../src/workspace/local-files/parse-large-files-in-indexer.ts";
import { mayContain, unparsedRanges } from "../../../../src/workspace/local-files/local-file.ts";
import { apply, change, hashOf, nameOf, textsIn, createLocalProject } from "./local-project.ts";

const PHP: FilesEntry = { path: "lang/{locale}/{namespace}.php", format: "laravel_php" };
const PACKAGES: FilesEntry = {
  path: "lang/vendor/{package}/{locale}/{namespace}.php",
  format: "laravel_php",
};
const LARAVEL_JSON: FilesEntry = { path: "lang/{locale}.json", format: "laravel_json" };
const LARAVEL = { files: [PHP, PACKAGES, LARAVEL_JSON] };

const php = (members: string): string => `<?php\n\nreturn [\n    ${members}\n];\n`;

const SHOP = {
  "lang/en/auth.php": php("'failed' => 'Failed',\n    'apples' => 'apple|apples',"),
  "lang/nl/auth.php": php("'failed' => 'Mislukt',\n    'apples' => 'appel|appels',"),
  "lang/pl/auth.php": php("'apples' => 'a|b|c',"),
  "lang/en/admin/users.php": php("'title' => 'Users',"),
  "lang/vendor/pkg/en/m.php": php("'hi' => 'Hi',"),
  "lang/en.json": '{\n    "A sentence.": "A sentence."\n}\n',
  "lang/en/README.md": "no",
  "other/en/x.php": php("'no' => 'no',"),
};

test.each(["reload", "reloadTexts"] as const)(
  "%s reads the files by the layout that the disk has then",
  async (reload) => {
    const fixture = createLocalProject(SHOP, { files: [PHP] });
    const { local, files } = fixture;
    await local.load();
    files.put("lang/en/auth.php", php("'failed' => 'Refused',"));
    fixture.updateLayout = async () => {
      local.configure({
        files: [{ ...PHP, keyPrefix: "errors." }],
        locales: {},
        sourceLocale: "en",
        serviceLocales: [],
      });
      await local.load();
      files.put("lang/en/auth.php", php("'failed' => 'Refused twice',"));
    };
    await local.load();
    expect(textsIn(fixture, "en")).toHaveProperty(["auth|failed"], { value: "Failed" });
    await local[reload]();
    expect(textsIn(fixture, "en")).toEqual({
      "auth|errors.failed": { value: "Refused twice" },
      "admin/users|errors.title": { value: "Users" },
    });
  },
);

describe("load", () => {
  test("reads all files of the layout and names their keys", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    const files = await fixture.local.load();
    expect(files.locales).toEqual(["en", "nl", "pl"]);
    expect(textsIn(fixture, "en")).toEqual({
      "auth|failed": { value: "Failed" },
      "auth|apples": { forms: { one: "apple", other: "apples" } },
      "admin/users|title": { value: "Users" },
      "pkg::m|hi": { value: "Hi" },
      "*|A sentence.": { value: "A sentence." },
    });
    expect(await fixture.local.problems()).toEqual([]);
    const entry = fixture.local.find(hashOf(nameOf("auth|failed")), "nl");
    expect(entry).toMatchObject({ path: "lang/nl/auth.php", locale: "nl", text: { value: "Mislukt" } });
  });

  test("takes plural keys from the service first, then from the source files", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    await fixture.local.load();
    expect(textsIn(fixture, "pl")["auth|apples"]).toEqual({ forms: { one: "a", few: "b", many: "c" } });
    fixture.setKnown({ "auth|apples": false });
    await fixture.local.load();
    expect(textsIn(fixture, "pl")["auth|apples"]).toEqual({ value: "a|b|c" });
    expect(textsIn(fixture, "en")["auth|apples"]).toEqual({ value: "apple|apples" });
    fixture.setKnown({ "auth|apples": true });
    await fixture.local.load();
    expect(textsIn(fixture, "en")["auth|apples"]).toEqual({ forms: { one: "apple", other: "apples" } });
  });

  test("finds a plural key with suffixed members by its stem", async () => {
    const files = { "i18n/en.json": '{ "x_other": "y" }' };
    const fixture = createLocalProject(files, { files: [{ path: "i18n/{locale}.json", format: "json_js" }] });
    await fixture.local.load();
    expect(textsIn(fixture, "en")).toEqual({ "*|x_other": { value: "y" } });
    fixture.setKnown({ x: true });
    await fixture.local.load();
    expect(textsIn(fixture, "en")).toEqual({ "*|x": { forms: { other: "y" } } });
  });

  test("reads a file again only when it changed", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    await fixture.local.load();
    const { revision } = fixture.local;
    expect(fixture.files.reads.length).toBe(6);
    await fixture.local.load();
    fixture.local.invalidate();
    await fixture.local.load();
    expect(fixture.files.reads.length).toBe(6);
    expect(fixture.local.revision).toBe(revision);
    fixture.files.put("lang/nl/auth.php", php("'failed' => 'Fout',"));
    fixture.local.invalidate(["README.md", "lang/nl/auth.php"]);
    await fixture.local.load();
    expect(fixture.local.revision).toBeGreaterThan(revision);
    expect(fixture.files.reads.slice(6)).toEqual(["lang/nl/auth.php"]);
    expect(textsIn(fixture, "nl")).toEqual({ "auth|failed": { value: "Fout" } });
    const { files } = fixture.local;
    await fixture.local.load();
    expect(fixture.files.reads.length).toBe(7);
    expect(fixture.local.files).toBe(files);
  });

  test("says when files are read, and when they have changed", async () => {
    const { local, files, events } = createLocalProject(SHOP, LARAVEL);
    const since = async (act: () => void): Promise<readonly string[]> => {
      events.length = 0;
      act();
      await local.load();
      return events;
    };
    // Of the source language first, then of the others.
    const first = ["reading", "changed", "reading", "changed", "read"];
    expect(local.loaded).toBeNull();
    expect(await since(() => undefined)).toEqual(first);
    expect(local.loaded).toBe(local);
    expect(await since(() => undefined)).toEqual([]);
    const same = { ...LARAVEL, locales: {}, sourceLocale: "en", serviceLocales: [] };
    expect(await since(() => local.configure(same))).toEqual([]);
    expect(await since(() => local.invalidate())).toEqual(["read"]);
    const changeDutch = (): void => {
      files.put("lang/nl/auth.php", SHOP["lang/nl/auth.php"].replace("Mislukt", "Fout"));
      local.invalidate(["lang/nl/auth.php"]);
    };
    expect(await since(changeDutch)).toEqual(["reading", "changed", "read"]);
  });

  test("asks for the unsaved texts of files with the extensions of the layout", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    await fixture.local.load();
    expect(fixture.unsavedExtensions).toEqual(new Set([".php", ".json"]));
  });

  test("uses unsaved text instead of the file on disk", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    await fixture.local.load();
    fixture.files.put("lang/en/auth.php", php("'failed' => 'Typing',"), true);
    fixture.local.invalidate(["lang/en/auth.php"]);
    await fixture.local.load();
    expect(textsIn(fixture, "en")["auth|failed"]).toEqual({ value: "Typing" });
    // The source has no plural any more: its targets are read by their own rule again.
    expect(textsIn(fixture, "pl")["auth|apples"]).toBeDefined();
  });

  test("returns one file, with what changed in it, without reading the list of all", async () => {
    const { local, files } = createLocalProject(SHOP, LARAVEL);
    const file = await local.file("lang/nl/auth.php");
    expect(file).toMatchObject({ path: "lang/nl/auth.php", location: { locale: "nl" } });
    files.put("lang/nl/auth.php", php("'failed' => 'Anders',"), true);
    local.invalidate(["lang/nl/auth.php"]);
    const changed = await local.file("lang/nl/auth.php");
    expect(changed?.dirty).toBe(true);
    expect(Array.from(changed?.entries ?? [], ({ text }) => text)).toEqual([{ value: "Anders" }]);
    expect(await local.file("lang/nl/none.php")).toBeUndefined();
    expect(await local.file("other/en/x.php")).toBeUndefined();
    expect(local.files).toEqual([]);
  });

  test("knows the namespaces of the files of each language", async () => {
    const { local, files } = createLocalProject(SHOP, LARAVEL);
    await local.loadTexts();
    expect([...local.namespaces].sort()).toEqual(["*", "admin/users", "auth", "pkg::m"]);
    expect(["en", "nl", "pl", "fr"].map((locale) => local.namespacesOf(locale))).toEqual([
      ["*", "admin/users", "auth", "pkg::m"],
      ["auth"],
      ["auth"],
      [],
    ]);
    files.put("lang/nl/cart.php", php("'title' => 'Mand',"));
    local.invalidate(["lang/nl/cart.php"]);
    await local.loadTexts();
    expect([...local.namespaces].sort()).toEqual(["*", "admin/users", "auth", "cart", "pkg::m"]);
    expect(local.namespacesOf("nl")).toEqual(["auth", "cart"]);
    files.remove("lang/vendor/pkg/en/m.php");
    files.remove("lang/nl/cart.php");
    local.invalidate();
    await local.loadTexts();
    expect([...local.namespaces].sort()).toEqual(["*", "admin/users", "auth"]);
  });

  test("knows the namespace of a table for each language in it", async () => {
    const { local } = createLocalProject(
      { "texts.csv": "key,en,nl,pl\na,A,Aa,Ac\n", "nl.json": '{ "b": "Bé" }' },
      {
        files: [
          { path: "texts.csv", format: "csv", namespace: "shop" },
          { path: "{locale}.json", format: "json_js" },
        ],
      },
    );
    await local.loadTexts();
    expect(["en", "nl", "pl"].map((locale) => local.namespacesOf(locale))).toEqual([
      ["shop"],
      ["*", "shop"],
      ["shop"],
    ]);
  });

  test("finds new files and forgets deleted ones", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    await fixture.local.load();
    fixture.files.put("lang/de/auth.php", php("'failed' => 'Fehler',"));
    fixture.local.invalidate(["lang/de/auth.php"]);
    expect((await fixture.local.load()).locales).toEqual(["en", "de", "nl", "pl"]);
    expect(fixture.local.files.map(({ path }) => path)).toEqual([
      "lang/de/auth.php",
      "lang/en.json",
      "lang/en/admin/users.php",
      "lang/en/auth.php",
      "lang/nl/auth.php",
      "lang/pl/auth.php",
      "lang/vendor/pkg/en/m.php",
    ]);
    fixture.files.remove("lang/de/auth.php");
    fixture.local.invalidate(["lang/de/auth.php"]);
    await fixture.local.load();
    expect((await fixture.local.load()).locales).toEqual(["en", "nl", "pl"]);
  });

  test("does not count keys as missing if their file needs too much memory", async () => {
    let isOut = false;
    const fixture = createLocalProject(SHOP, LARAVEL, (indexing) => {
      const own = indexing.readFiles.bind(indexing);
      return (files, signal) =>
        isOut
          ? Promise.reject(Object.assign(new Error("no memory"), { code: OUT_OF_MEMORY }))
          : own(files, signal);
    });
    await fixture.local.load();
    isOut = true;
    fixture.files.put("lang/en/admin/users.php", php("'title' => 'All users',"));
    fixture.files.put("lang/en/auth.php", php("'failed' => 'Failed again',"));
    fixture.local.invalidate();
    const files = await fixture.local.load();
    expect(textsIn(fixture, "en")).not.toHaveProperty(["auth|failed"]);
    expect(textsIn(fixture, "nl")).toHaveProperty(["auth|failed"]);
    const ranges = unparsedRanges(files);
    expect(ranges).toEqual(
      ["admin/users", "auth"].map((namespace) => {
        return { path: `lang/en/${namespace}.php`, line: null, column: null, namespace, key: null };
      }),
    );
    expect(mayContain(ranges, nameOf("auth|failed"))).toBe(true);
  });

  test("reads all files again for another source language, but not for more languages", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    await fixture.local.load();
    fixture.local.configure({
      ...LARAVEL,
      locales: {},
      sourceLocale: "en",
      serviceLocales: ["en", "nl", "pl", "pt-BR"],
    });
    await fixture.local.load();
    expect(fixture.files.reads.length).toBe(6);
    expect(fixture.local.locate("lang/pt_BR/auth.php")?.locale).toBe("pt-BR");
    fixture.local.configure({
      ...LARAVEL,
      locales: {},
      sourceLocale: "pl",
      serviceLocales: ["en", "nl", "pl"],
    });
    expect((await fixture.local.load()).locales).toEqual(["pl", "en", "nl"]);
    expect(fixture.files.reads.length).toBe(12);
    expect(textsIn(fixture, "pl")).toEqual({ "auth|apples": { forms: { one: "a", few: "b", many: "c" } } });
  });

  test("knows the location of a file that does not exist yet", async () => {
    const fixture = createLocalProject(SHOP, { ...LARAVEL, serviceLocales: ["en", "nl", "pl", "pt-BR"] });
    await fixture.local.load();
    expect(fixture.local.locate("lang/pt_BR/auth.php")).toMatchObject({
      locale: "pt-BR",
      keyNaming: { namespace: "auth", keyPrefix: "" },
    });
    expect(fixture.local.locate("lang/xx/auth.php")).toBeNull();
    expect(fixture.local.locate("src/auth.php")).toBeNull();
  });

  test("names all keys again for another layout", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    await fixture.local.load();
    fixture.local.configure({
      files: [{ ...PHP, namespace: "*", keyPrefix: "{namespace}." }],
      locales: { nl: "nl-NL" },
      sourceLocale: "en",
      serviceLocales: ["en", "nl-NL"],
    });
    const { locales } = await fixture.local.load();
    const problems = await fixture.local.problems();
    expect(locales).toEqual(["en", "nl-NL"]);
    expect(Object.keys(textsIn(fixture, "en")).sort()).toEqual([
      "*|admin/users.title",
      "*|auth.apples",
      "*|auth.failed",
    ]);
    expect(problems.map(({ code, path }) => [code, path])).toEqual([["locale", "lang/pl/auth.php"]]);
  });

  test("reports unreadable files and duplicate keys", async () => {
    const fixture = createLocalProject(
      {
        "a/en.json": '{ "k": "1", "n": 5 }',
        "b/en.json": '{ "k": "2" }',
        "a/nl.json": Uint8Array.from([0x7b, 0xff, 0x7d]),
        "a/de.json": '{ "k": "1" }',
        "b/de.json": '{ "k": "2" }',
      },
      {
        files: [
          { path: "a/{locale}.json", format: "json_js" },
          { path: "b/{locale}.json", format: "json_js" },
        ],
      },
    );
    await fixture.local.load();
    const problems = await fixture.local.problems();
    expect(problems.map(({ code, path, name }) => [code, path, name?.key ?? null])).toEqual([
      ["type", "a/en.json", "n"],
      ["encoding", "a/nl.json", null],
      ["elsewhere", "b/de.json", "k"],
      ["elsewhere", "b/en.json", "k"],
    ]);
    expect(textsIn(fixture, "en")).toEqual({ "*|k": { value: "1" } });
    expect(fixture.local.find(hashOf(nameOf("*|k")), "en")?.text).toEqual({ value: "1" });
  });

  test("knows all keys of a file with a key that is there twice", async () => {
    const files = { "en.json": '{ "a": "1", "a": "2" }', "nl.json": "{ <<<" };
    const { local } = createLocalProject(files, { files: [{ path: "{locale}.json", format: "json_js" }] });
    await local.load();
    expect((await local.problems()).map(({ code, path }) => [code, path])).toEqual([
      ["duplicate", "en.json"],
      ["syntax", "nl.json"],
    ]);
    expect([local.incomplete.map(({ path }) => path), local.unreadNamespaces]).toEqual([
      ["nl.json"],
      new Set(),
    ]);
  });

  test("shares one read among concurrent callers, unharmed by an abort", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    await Promise.all([fixture.local.load(), fixture.local.load()]);
    expect(fixture.files.reads.length).toBe(6);
    fixture.files.put("lang/nl/auth.php", php("'failed' => 'Fout',"));
    fixture.local.invalidate(["lang/nl/auth.php"]);
    const aborted = AbortSignal.abort(new Error("enough"));
    await expect(fixture.local.load(aborted)).rejects.toThrow("enough");
    await fixture.local.load();
    expect(textsIn(fixture, "nl")["auth|failed"]).toEqual({ value: "Fout" });
  });

  test("applies the plural keys of a source file, also if the load was aborted after it was read", async () => {
    let abort = new AbortController();
    const fixture = createLocalProject(SHOP, LARAVEL, (indexing) => {
      const own = indexing.readFiles.bind(indexing);
      return async (files, signal) => {
        const stored = await own(files, signal);
        if (stored.some(({ path }) => path === "lang/en/auth.php")) abort.abort(new Error("enough"));
        return stored;
      };
    });
    await fixture.local.load();
    expect(textsIn(fixture, "pl")["auth|apples"]).toHaveProperty("forms");
    fixture.files.put("lang/en/auth.php", php("'apples' => 'apple',"));
    abort = new AbortController();
    await expect(fixture.local.reload(abort.signal)).rejects.toThrow("enough");
    await fixture.local.reload();
    expect(textsIn(fixture, "pl")["auth|apples"]).toEqual({ value: "a|b|c" });
  });

  test("does not list a source language without texts", async () => {
    const files = [
      { path: "{locale}.json", format: "json_js" as const },
      { path: "{locale}.po", format: "po" as const },
    ];
    const dutch = createLocalProject({ "nl.json": '{"a":"x"}' }, { files });
    expect((await dutch.local.load()).locales).toEqual(["nl"]);
    const empty = createLocalProject({ "nl.json": '{"a":"x"}', "en.json": "{}" }, { files });
    expect((await empty.local.load()).locales).toEqual(["en", "nl"]);
    // The messages are its texts.
    const gettext = createLocalProject({ "nl.po": 'msgid "a"\nmsgstr "x"\n' }, { files });
    expect((await gettext.local.load()).locales).toEqual(["en", "nl"]);
  });

  test("guesses the source and keeps file locales while the service is unknown", async () => {
    const fixture = createLocalProject(
      { "i18n/de.json": '{"a":"x"}', "i18n/en-GB.json": '{"a":"y"}' },
      { files: [{ path: "i18n/{locale}.json", format: "json_js" }], sourceLocale: null },
    );
    expect((await fixture.local.load()).locales).toEqual(["en-GB", "de"]);
  });

  test("yields between files and within large ones", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`key_${index}`, `text ${index}`]),
    );
    const fixture = createLocalProject(
      { "i18n/en.json": JSON.stringify(many) },
      { files: [{ path: "i18n/{locale}.json", format: "json_js" }] },
    );
    let turns = 0;
    const counting = setInterval(() => turns++);
    await fixture.local.load();
    clearInterval(counting);
    expect(turns).toBeGreaterThanOrEqual(5);
    expect([...fixture.local.entries("en").values()]).toHaveLength(20_000);
    expect(fixture.local.files.map(({ entries }) => entries.length)).toEqual([20_000]);
    expect(fixture.database.number("SELECT count(*) FROM local_files")).toBe(1);
  });

  test("previews names under another mapping without reading files", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    await fixture.local.load();
    const names = [
      ...fixture.local.sourceNamesUnder([{ ...PHP, namespace: "*", keyPrefix: "{namespace}." }]),
    ];
    expect(names.map(({ namespace, key }) => `${namespace}|${key}`).sort()).toEqual([
      "*|admin/users.title",
      "*|auth.apples",
      "*|auth.failed",
    ]);
  });
});

describe("planEdit", () => {
  test("changes only the bytes of the entry", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    expect(
      await apply(fixture, [change("auth|failed", "nl", "Nee"), change("auth|failed", "en", "No")]),
    ).toEqual(["lang/nl/auth.php", "lang/en/auth.php"]);
    expect(fixture.files.text("lang/nl/auth.php")).toBe(SHOP["lang/nl/auth.php"].replace("Mislukt", "Nee"));
    expect(textsIn(fixture, "en")["auth|failed"]).toEqual({ value: "No" });
  });

  test("puts a new key into the file of its namespace, which is created if missing", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    expect(
      await apply(fixture, [
        change("auth|throttle", "en", "Wait"),
        change("cart/items|empty", "en", "Empty"),
        change("Another sentence.", "en", "x"),
        change("pkg::m|bye", "en", "Bye"),
      ]),
    ).toEqual(["lang/en/auth.php", "lang/en/cart/items.php", "lang/en.json", "lang/vendor/pkg/en/m.php"]);
    expect(fixture.files.text("lang/en/cart/items.php")).toBe(php("'empty' => 'Empty',"));
  });

  test("puts a translation next to its source, in the file of its locale", async () => {
    const fixture = createLocalProject(SHOP, { ...LARAVEL, locales: { pt_BR: "pt-BR" } });
    expect(
      await apply(fixture, [
        change("admin/users|title", "pt-BR", "Usuários"),
        change("A sentence.", "nl", "Een zin."),
        { name: nameOf("auth|apples"), locale: "de", text: { forms: { one: "Apfel", other: "Äpfel" } } },
      ]),
    ).toEqual(["lang/pt_BR/admin/users.php", "lang/nl.json", "lang/de/auth.php"]);
    expect(fixture.files.text("lang/de/auth.php")).toBe(php("'apples' => 'Apfel|Äpfel',"));
  });

  test("prefers the file with sibling keys", async () => {
    const files = {
      "app/en.json": '{ "home": { "title": "x" } }',
      "shop/en.json": '{ "cart": { "title": "y", "empty": "z" } }',
    };
    const layout = {
      files: Object.keys(files).map((path) => ({
        path: path.replace("en", "{locale}"),
        format: "json_js" as const,
      })),
    };
    const fixture = createLocalProject(files, layout);
    expect(await apply(fixture, [change("cart.full", "en", "f"), change("other", "en", "o")])).toEqual([
      "shop/en.json",
      "app/en.json",
    ]);
  });

  test("puts a new key next to its siblings if namespaces are not part of keys", async () => {
    const files = { "i/en/a.json": '{ "x": { "y": "1" } }', "i/en/b.json": '{ "z": { "y": "1" } }' };
    const fixture = createLocalProject(files, {
      files: [{ path: "i/{locale}/{namespace}.json", format: "json_js", namespace: "*" }],
    });
    expect(await apply(fixture, [change("z.new", "en", "2"), change("x.y", "nl", "3")])).toEqual([
      "i/en/b.json",
      "i/nl/a.json",
    ]);
  });

  test("removes entries and reports what is missing or cannot be written", async () => {
    const fixture = createLocalProject(
      { ...SHOP, "lang/en/x.php": php("'a' => env('A'),"), "lang/en/bad.php": Uint8Array.from([0xff]) },
      { files: [PHP] },
    );
    const wanted = [
      change("auth|failed", "en", null),
      change("auth|none", "en", null),
      change("*|A sentence.", "en", "x"),
      change("x|a", "en", "y"),
      change("bad|a", "en", "y"),
      change("../../etc|a", "en", "y"),
      change("/abs|a", "en", "y"),
    ];
    const { writes, refused } = await fixture.local.planEdit(wanted);
    expect(writes.map((write) => write.path)).toEqual(["lang/en/auth.php"]);
    expect(new TextDecoder().decode(writes[0]?.after)).toBe(php("'apples' => 'apple|apples',"));
    expect(refused.map(({ change: { name }, reason }) => [name.namespace, reason])).toEqual([
      ["auth", "not_found"],
      ["*", "no_file"],
      ["../../etc", "no_file"],
      ["/abs", "no_file"],
      ["x", "expression"],
      ["bad", "unreadable"],
    ]);
  });

  test("uses the current content, including a byte order mark", async () => {
    const fixture = createLocalProject(
      { "lang/en.json": '\ufeff{\r\n\t"a": "x"\r\n}' },
      { files: [LARAVEL_JSON] },
    );
    await fixture.local.load();
    fixture.files.put("lang/en.json", '\ufeff{\r\n\t"a": "x",\r\n\t"b": "y"\r\n}');
    const { writes } = await fixture.local.planEdit([change("a", "en", "z")]);
    expect(writes[0]?.before).toEqual(new TextEncoder().encode('\ufeff{\r\n\t"a": "x",\r\n\t"b": "y"\r\n}'));
    await fixture.files.write(writes);
    expect(fixture.files.text("lang/en.json")).toBe('\ufeff{\r\n\t"a": "z",\r\n\t"b": "y"\r\n}');
  });

  test("plans no write without changes", async () => {
    const fixture = createLocalProject(SHOP, LARAVEL);
    expect(await apply(fixture, [change("auth|failed", "en", "Failed")])).toEqual([]);
  });
});

test("lists source texts by file and place", async () => {
  const texts = Object.fromEntries(["d", "a", "c", "b", "f", "e"].map((key) => [key, key]));
  const { local, files } = createLocalProject(
    { "b/en.json": JSON.stringify({ z: "z", y: "y" }), "a/en.json": JSON.stringify(texts) },
    { files: ["a", "b"].map((name) => ({ path: `${name}/{locale}.json`, format: "json_js" })) },
  );
  await local.load();
  const entries = await local.sourceEntries();
  expect(entries.map(({ name }) => name.key)).toEqual(["d", "a", "c", "b", "f", "e", "z", "y"]);
  files.put("a/en.json", JSON.stringify({ new: "new", ...texts }));
  await local.reload();
  const later = await local.sourceEntries();
  expect(later.map(({ name }) => name.key)).toEqual(["new", "d", "a", "c", "b", "f", "e", "z", "y"]);
});

test("previews names in files of a language that the project file gives another name", async () => {
  const files: FilesEntry[] = [{ path: "{locale}.json", format: "json_js" }];
  const { local } = createLocalProject({ "us.json": '{ "a": "A" }' }, { files, locales: { us: "en" } });
  await local.load();
  expect([...local.sourceNamesUnder(files)]).toEqual([nameOf("a")]);
  expect([...local.sourceNamesUnder([{ path: "other/{locale}.json", format: "json_js" }])]).toEqual([]);
});

test("lists the files of the layout, but not others that its glob matches", async () => {
  const files = {
    "src/a.en.ts": "",
    "src/a.service.ts": "",
    "src/deep/b.nl.ts": "",
    "src/deep/b.spec.ts": "",
  };
  const layout: readonly FilesEntry[] = [{ path: "src/{namespace}.{locale}.ts", format: "js_module" }];
  const { local } = createLocalProject(files, { files: layout });
  expect([...(await local.paths())]).toEqual(["src/a.en.ts", "src/deep/b.nl.ts"]);
});
