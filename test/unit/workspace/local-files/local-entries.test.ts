/** Local files by key and locale: what is found, what is read again and when, and where changes go. */
import { describe, expect, test } from "vitest";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { OUT_OF_MEMORY } from "../../../../src/workspace/local-files/translation-files-by-size.ts";
import { mayContain, unparsedRanges } from "../../../../src/workspace/local-files/unparsed-ranges.ts";
import { apply, change, hashOf, nameOf, textsIn, worldOf } from "./local-world.ts";

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

describe("load", () => {
  test("reads all files of the layout and names their keys", async () => {
    const world = worldOf(SHOP, LARAVEL);
    const files = await world.local.load();
    expect(files.locales).toEqual(["en", "nl", "pl"]);
    expect(textsIn(world, "en")).toEqual({
      "auth|failed": { value: "Failed" },
      "auth|apples": { forms: { one: "apple", other: "apples" } },
      "admin/users|title": { value: "Users" },
      "pkg::m|hi": { value: "Hi" },
      "*|A sentence.": { value: "A sentence." },
    });
    expect(await world.local.problems()).toEqual([]);
    const entry = world.local.find(hashOf(nameOf("auth|failed")), "nl");
    expect(entry).toMatchObject({ path: "lang/nl/auth.php", locale: "nl", text: { value: "Mislukt" } });
  });

  test("takes plural keys from the service first, then from the source files", async () => {
    const world = worldOf(SHOP, LARAVEL);
    await world.local.load();
    expect(textsIn(world, "pl")["auth|apples"]).toEqual({ forms: { one: "a", few: "b", many: "c" } });
    world.setKnown({ "auth|apples": false });
    await world.local.load();
    expect(textsIn(world, "pl")["auth|apples"]).toEqual({ value: "a|b|c" });
    expect(textsIn(world, "en")["auth|apples"]).toEqual({ value: "apple|apples" });
    world.setKnown({ "auth|apples": true });
    await world.local.load();
    expect(textsIn(world, "en")["auth|apples"]).toEqual({ forms: { one: "apple", other: "apples" } });
  });

  test("finds a plural key with suffixed members by its stem", async () => {
    const files = { "i18n/en.json": '{ "x_other": "y" }' };
    const world = worldOf(files, { files: [{ path: "i18n/{locale}.json", format: "json_js" }] });
    await world.local.load();
    expect(textsIn(world, "en")).toEqual({ "*|x_other": { value: "y" } });
    world.setKnown({ x: true });
    await world.local.load();
    expect(textsIn(world, "en")).toEqual({ "*|x": { forms: { other: "y" } } });
  });

  test("reads a file again only when it changed", async () => {
    const world = worldOf(SHOP, LARAVEL);
    await world.local.load();
    const { revision } = world.local;
    expect(world.files.reads.length).toBe(6);
    await world.local.load();
    world.local.invalidate();
    await world.local.load();
    expect(world.files.reads.length).toBe(6);
    expect(world.local.revision).toBe(revision);
    world.files.put("lang/nl/auth.php", php("'failed' => 'Fout',"));
    world.local.invalidate(["lang/nl/auth.php", "README.md"]);
    await world.local.load();
    expect(world.local.revision).toBeGreaterThan(revision);
    expect(world.files.reads.slice(6)).toEqual(["lang/nl/auth.php"]);
    expect(textsIn(world, "nl")).toEqual({ "auth|failed": { value: "Fout" } });
  });

  test("uses unsaved text instead of the file on disk", async () => {
    const world = worldOf(SHOP, LARAVEL);
    await world.local.load();
    world.files.put("lang/en/auth.php", php("'failed' => 'Typing',"), true);
    world.local.invalidate(["lang/en/auth.php"]);
    await world.local.load();
    expect(textsIn(world, "en")["auth|failed"]).toEqual({ value: "Typing" });
    // The source has no plural any more: its targets are read by their own rule again.
    expect(textsIn(world, "pl")["auth|apples"]).toBeDefined();
  });

  test("finds new files and forgets deleted ones", async () => {
    const world = worldOf(SHOP, LARAVEL);
    await world.local.load();
    world.files.put("lang/de/auth.php", php("'failed' => 'Fehler',"));
    world.local.invalidate(["lang/de/auth.php"]);
    expect((await world.local.load()).locales).toEqual(["en", "de", "nl", "pl"]);
    world.files.remove("lang/de/auth.php");
    world.local.invalidate(["lang/de/auth.php"]);
    await world.local.load();
    expect((await world.local.load()).locales).toEqual(["en", "nl", "pl"]);
  });

  test("does not count keys as missing if their file needs too much memory", async () => {
    let isOut = false;
    const world = worldOf(SHOP, LARAVEL, (indexing) => {
      const own = indexing.readFile.bind(indexing);
      return (file, signal) =>
        isOut
          ? Promise.reject(Object.assign(new Error("no memory"), { code: OUT_OF_MEMORY }))
          : own(file, signal);
    });
    await world.local.load();
    isOut = true;
    world.files.put("lang/en/auth.php", php("'failed' => 'Failed again',"));
    world.local.invalidate();
    const files = await world.local.load();
    expect(textsIn(world, "en")).not.toHaveProperty(["auth|failed"]);
    expect(textsIn(world, "nl")).toHaveProperty(["auth|failed"]);
    const ranges = unparsedRanges(files);
    expect(ranges).toEqual([
      { path: "lang/en/auth.php", line: null, column: null, namespace: "auth", key: null },
    ]);
    expect(mayContain(ranges, nameOf("auth|failed"))).toBe(true);
  });

  test("reads all files again for another source language, but not for more languages", async () => {
    const world = worldOf(SHOP, LARAVEL);
    await world.local.load();
    world.local.configure({
      ...LARAVEL,
      locales: {},
      sourceLocale: "en",
      serviceLocales: ["en", "nl", "pl"],
    });
    await world.local.load();
    expect(world.files.reads.length).toBe(6);
    world.local.configure({
      ...LARAVEL,
      locales: {},
      sourceLocale: "pl",
      serviceLocales: ["en", "nl", "pl"],
    });
    expect((await world.local.load()).locales).toEqual(["pl", "en", "nl"]);
    expect(world.files.reads.length).toBe(12);
    expect(textsIn(world, "pl")).toEqual({ "auth|apples": { forms: { one: "a", few: "b", many: "c" } } });
  });

  test("knows the location of a file that does not exist yet", async () => {
    const world = worldOf(SHOP, { ...LARAVEL, serviceLocales: ["en", "nl", "pl", "pt-BR"] });
    await world.local.load();
    expect(world.local.locate("lang/pt_BR/auth.php")).toMatchObject({
      locale: "pt-BR",
      keyNaming: { namespace: "auth", keyPrefix: "" },
    });
    expect(world.local.locate("lang/xx/auth.php")).toBeNull();
    expect(world.local.locate("src/auth.php")).toBeNull();
  });

  test("names all keys again for another layout", async () => {
    const world = worldOf(SHOP, LARAVEL);
    await world.local.load();
    world.local.configure({
      files: [{ ...PHP, namespace: "*", keyPrefix: "{namespace}." }],
      locales: { nl: "nl-NL" },
      sourceLocale: "en",
      serviceLocales: ["en", "nl-NL"],
    });
    const { locales } = await world.local.load();
    const problems = await world.local.problems();
    expect(locales).toEqual(["en", "nl-NL"]);
    expect(Object.keys(textsIn(world, "en")).sort()).toEqual([
      "*|admin/users.title",
      "*|auth.apples",
      "*|auth.failed",
    ]);
    expect(problems.map(({ code, path }) => [code, path])).toEqual([["locale", "lang/pl/auth.php"]]);
  });

  test("reports unreadable files and duplicate keys", async () => {
    const world = worldOf(
      {
        "a/en.json": '{ "k": "1", "n": 5 }',
        "b/en.json": '{ "k": "2" }',
        "a/nl.json": Uint8Array.from([0x7b, 0xff, 0x7d]),
      },
      {
        files: [
          { path: "a/{locale}.json", format: "json_js" },
          { path: "b/{locale}.json", format: "json_js" },
        ],
      },
    );
    await world.local.load();
    const problems = await world.local.problems();
    expect(problems.map(({ code, path, key }) => [code, path, key])).toEqual([
      ["type", "a/en.json", "n"],
      ["encoding", "a/nl.json", null],
      ["elsewhere", "b/en.json", "k"],
    ]);
    expect(textsIn(world, "en")).toEqual({ "*|k": { value: "1" } });
    const hash = hashOf(nameOf("*|k"));
    expect(world.local.entries("en").of([hash]).get(hash)?.text).toEqual({ value: "1" });
  });

  test("shares one read among concurrent callers, unharmed by an abort", async () => {
    const world = worldOf(SHOP, LARAVEL);
    await Promise.all([world.local.load(), world.local.load()]);
    expect(world.files.reads.length).toBe(6);
    world.files.put("lang/nl/auth.php", php("'failed' => 'Fout',"));
    world.local.invalidate(["lang/nl/auth.php"]);
    const aborted = AbortSignal.abort(new Error("enough"));
    await expect(world.local.load(aborted)).rejects.toThrow("enough");
    await world.local.load();
    expect(textsIn(world, "nl")["auth|failed"]).toEqual({ value: "Fout" });
  });

  test("does not list a source language without texts", async () => {
    const files = [
      { path: "{locale}.json", format: "json_js" as const },
      { path: "{locale}.po", format: "po" as const },
    ];
    const dutch = worldOf({ "nl.json": '{"a":"x"}' }, { files });
    expect((await dutch.local.load()).locales).toEqual(["nl"]);
    const empty = worldOf({ "nl.json": '{"a":"x"}', "en.json": "{}" }, { files });
    expect((await empty.local.load()).locales).toEqual(["en", "nl"]);
    // The messages are its texts.
    const gettext = worldOf({ "nl.po": 'msgid "a"\nmsgstr "x"\n' }, { files });
    expect((await gettext.local.load()).locales).toEqual(["en", "nl"]);
  });

  test("guesses the source and keeps file locales while the service is unknown", async () => {
    const world = worldOf(
      { "i18n/de.json": '{"a":"x"}', "i18n/en-GB.json": '{"a":"y"}' },
      { files: [{ path: "i18n/{locale}.json", format: "json_js" }], sourceLocale: null },
    );
    expect((await world.local.load()).locales).toEqual(["en-GB", "de"]);
  });

  test("yields between files and within large ones", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`key_${index}`, `text ${index}`]),
    );
    const world = worldOf(
      { "i18n/en.json": JSON.stringify(many) },
      { files: [{ path: "i18n/{locale}.json", format: "json_js" }] },
    );
    let turns = 0;
    const counting = setInterval(() => turns++);
    await world.local.load();
    clearInterval(counting);
    expect(turns).toBeGreaterThanOrEqual(5);
    expect(world.local.entries("en").size).toBe(20_000);
  });

  test("previews names under another mapping without reading files", async () => {
    const world = worldOf(SHOP, LARAVEL);
    await world.local.load();
    const names = [...world.local.sourceNamesUnder([{ ...PHP, namespace: "*", keyPrefix: "{namespace}." }])];
    expect(names.map(({ namespace, key }) => `${namespace}|${key}`).sort()).toEqual([
      "*|admin/users.title",
      "*|auth.apples",
      "*|auth.failed",
    ]);
  });
});

describe("planEdit", () => {
  test("changes only the bytes of the entry", async () => {
    const world = worldOf(SHOP, LARAVEL);
    expect(
      await apply(world, [change("auth|failed", "nl", "Nee"), change("auth|failed", "en", "No")]),
    ).toEqual(["lang/nl/auth.php", "lang/en/auth.php"]);
    expect(world.files.text("lang/nl/auth.php")).toBe(SHOP["lang/nl/auth.php"].replace("Mislukt", "Nee"));
    expect(textsIn(world, "en")["auth|failed"]).toEqual({ value: "No" });
  });

  test("puts a new key into the file of its namespace, which is created if missing", async () => {
    const world = worldOf(SHOP, LARAVEL);
    expect(
      await apply(world, [
        change("auth|throttle", "en", "Wait"),
        change("cart/items|empty", "en", "Empty"),
        change("Another sentence.", "en", "x"),
        change("pkg::m|bye", "en", "Bye"),
      ]),
    ).toEqual(["lang/en/auth.php", "lang/en/cart/items.php", "lang/en.json", "lang/vendor/pkg/en/m.php"]);
    expect(world.files.text("lang/en/cart/items.php")).toBe(php("'empty' => 'Empty',"));
  });

  test("puts a translation next to its source, in the file of its locale", async () => {
    const world = worldOf(SHOP, { ...LARAVEL, locales: { pt_BR: "pt-BR" } });
    expect(
      await apply(world, [
        change("admin/users|title", "pt-BR", "Usuários"),
        change("A sentence.", "nl", "Een zin."),
        { name: nameOf("auth|apples"), locale: "de", text: { forms: { one: "Apfel", other: "Äpfel" } } },
      ]),
    ).toEqual(["lang/pt_BR/admin/users.php", "lang/nl.json", "lang/de/auth.php"]);
    expect(world.files.text("lang/de/auth.php")).toBe(php("'apples' => 'Apfel|Äpfel',"));
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
    const world = worldOf(files, layout);
    expect(await apply(world, [change("cart.full", "en", "f"), change("other", "en", "o")])).toEqual([
      "shop/en.json",
      "app/en.json",
    ]);
  });

  test("puts a new key next to its siblings if namespaces are not part of keys", async () => {
    const files = { "i/en/a.json": '{ "x": { "y": "1" } }', "i/en/b.json": '{ "z": { "y": "1" } }' };
    const world = worldOf(files, {
      files: [{ path: "i/{locale}/{namespace}.json", format: "json_js", namespace: "*" }],
    });
    expect(await apply(world, [change("z.new", "en", "2"), change("x.y", "nl", "3")])).toEqual([
      "i/en/b.json",
      "i/nl/a.json",
    ]);
  });

  test("removes entries and reports what is missing or cannot be written", async () => {
    const world = worldOf(
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
    const { writes, refused } = await world.local.planEdit(wanted);
    expect(writes.map((write) => write.path)).toEqual(["lang/en/auth.php"]);
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
    const world = worldOf({ "lang/en.json": '\ufeff{\r\n\t"a": "x"\r\n}' }, { files: [LARAVEL_JSON] });
    await world.local.load();
    world.files.put("lang/en.json", '\ufeff{\r\n\t"a": "x",\r\n\t"b": "y"\r\n}');
    const { writes } = await world.local.planEdit([change("a", "en", "z")]);
    expect(writes[0]?.before).toEqual(new TextEncoder().encode('\ufeff{\r\n\t"a": "x",\r\n\t"b": "y"\r\n}'));
    await world.files.write(writes);
    expect(world.files.text("lang/en.json")).toBe('\ufeff{\r\n\t"a": "z",\r\n\t"b": "y"\r\n}');
  });

  test("plans no write without changes", async () => {
    const world = worldOf(SHOP, LARAVEL);
    expect(await apply(world, [change("auth|failed", "en", "Failed")])).toEqual([]);
  });
});
