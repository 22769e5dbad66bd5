/** Imports of spreadsheets and zips, also with misleading names. */
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { xlsx } from "../../../src/formats/spreadsheets/xlsx-format.ts";
import type { ProjectFile } from "../../../src/local-service/service-settings.ts";
import { start } from "./harness.ts";
import { imported, project, refused, rows } from "./imports.ts";

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

  test("map plural columns by a preset", async () => {
    const service = await start(withPresets);
    await service.data("POST", "/keys/sync", {
      keys: [{ namespace: "shop", key: "items", forms: { one: "1", other: "n" } }],
    });
    const csv = `${header.join(";")};;\nshop;items;Things;;ding;dingen\n`;
    expect(await imported(service, { "a.csv": csv })).toEqual({ newTranslations: 1, skipped: 1 });
    expect(await rows(service, "nl")).toEqual(['shop | items | {"one":"ding","other":"dingen"}']);
    expect((await service.data<{ description: string }[]>("GET", "/keys"))[0]?.description).toBe("Things");
  });

  test("map plural columns of a workbook by a preset", async () => {
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
  ])("%s", async (code, files) => {
    const service = await start(withPresets);
    expect(await imported(service, files)).toBe(code);
    expect(await service.data("GET", "/keys")).toEqual([]);
  });

  test("create keys without a language column, and recognise existing ones", async () => {
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

  test("reject a preset with plural columns of no language", async () => {
    const wrong = [{ header: ["Key"], key: "Key", categories: { Key: "one" as const } }];
    await expect(start({ ...project, spreadsheetPresets: wrong })).rejects.toThrow(
      /spreadsheetPresets\.0\.categories/u,
    );
  });
});

describe("zips", () => {
  test("skip other files, scripts included", async () => {
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

  test("fail if no file is readable", async () => {
    const service = await start(project);
    expect(await imported(service, { "a.zip": zipSync({ "readme.md": strToU8("x") }) })).toBe(
      "unknown_format",
    );
  });

  test("reject nested zips and invalid files by the index of the upload", async () => {
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
      "files.2": "wrong.zip: nl.json, line 2, column 3: the file cannot be read from here on.",
    });
    expect(await service.data("GET", "/keys")).toEqual([]);
  });
});

describe("content that does not match the extension", () => {
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

  test.each(names)("rejects %s with the content of an image or another file", async (name) => {
    const service = await start(project);
    const isOwn = [/\.php$/u, /\.json$/u, /\.pot?$/u, /^$/u, /\.csv$/u];
    for (const [index, text] of others.entries()) {
      if (isOwn[index]?.test(name) === true) continue;
      expect(Object.keys(await refused(service, { [name]: text })), text).toEqual(["files.0"]);
    }
    expect(Object.keys(await refused(service, { [name]: png }))).toEqual(["files.0"]);
  });

  test("is rejected for a forced format too", async () => {
    const service = await start(project);
    for (const format of ["laravel_php", "laravel_json", "po", "mo", "xlsx", "xliff12", "wordpress_jed"]) {
      expect(
        Object.keys(await refused(service, { "x.txt": "just words" }, { format, locale: "nl" })),
        format,
      ).toEqual(["files.0"]);
    }
  });

  test("reports where a text is not valid UTF-8", async () => {
    const service = await start(project);
    const bytes = Uint8Array.of(...strToU8('{\n  "a": "b'), 0xe9, ...strToU8('"}'));
    expect(await refused(service, { "nl.json": bytes })).toEqual({
      "files.0": "nl.json, line 2, column 10: this is not UTF-8 text.",
    });
  });
});
