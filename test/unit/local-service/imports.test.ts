/** Accepted and refused imports, and what they change. How jobs fail: import-formats.test.ts, and over HTTP. */
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { start, temporaryFolder } from "./harness.ts";
import { imported, project, refused, rows } from "./imports.ts";

test("imports keys, plural keys and translations from a zip of a Laravel app", async () => {
  const service = await start(project);
  const zip = zipSync({
    "app/lang/pt_BR/cart.php": strToU8("<?php return ['items' => ':count item|:count itens'];"),
    "app/lang/en/cart.php": strToU8(
      "<?php return ['title' => 'Cart', 'items' => ':count item|:count items'];",
    ),
    "app/lang/en/admin/users.php": strToU8("<?php return ['none' => 'Nobody'];"),
    "app/lang/en.json": strToU8('{"Add to cart": "Add to cart"}'),
    "app/lang/nl.json": strToU8('{"Add to cart": "In winkelwagen"}'),
    "app/README.md": strToU8("not read"),
    "__MACOSX/._en.json": strToU8("not read"),
  });
  expect(await imported(service, { "app.zip": zip }, { tag: "first" })).toEqual({
    newKeys: 4,
    newTranslations: 6,
  });
  expect(new Set(await rows(service, "en"))).toEqual(
    new Set([
      "* | Add to cart | Add to cart",
      "admin/users | none | Nobody",
      "cart | title | Cart",
      'cart | items | {"one":":count item","other":":count items"}',
    ]),
  );
  expect(await rows(service, "pt-BR")).toContain(
    'cart | items | {"one":":count item","other":":count itens"}',
  );
  expect(await service.data<object[]>("GET", "/keys?tag=first")).toHaveLength(4);
});

test("prefers forced fields to the path", async () => {
  const service = await start(project);
  await imported(
    service,
    { "lang/en/x.txt": '{"a": "A"}' },
    { locale: "nl", format: "json_js", namespace: "shop" },
  );
  expect(await rows(service, "nl")).toEqual(["shop | a | A"]);
});

test("reads a pipe value by the key's kind", async () => {
  const service = await start(project);
  await service.data("POST", "/keys/sync", { keys: [{ namespace: "m", key: "choice", value: "yes|no" }] });
  await imported(service, { "lang/nl/m.php": "<?php return ['choice' => 'ja|nee'];" });
  expect(await rows(service, "nl")).toEqual(["m | choice | ja|nee"]);
});

describe("rejected uploads", () => {
  test("name each file by its index, and what is wrong with it", async () => {
    const service = await start(project);
    const fields = await refused(service, {
      "lang/en/a.php": "<?php return [];",
      "lang/en/b.php": "no php",
      "en.json": "{ not json",
      "empty.json": "",
      "what.exe": "MZ",
      "en.php": new Uint8Array([0x3c, 0x3f, 0x70, 0x68, 0x70, 0xff]),
      "x.zip": "no zip",
      "bomb.zip": zipSync({ "en.json": new Uint8Array(3 * 1024 * 1024) }),
    });
    expect(fields).toMatchInlineSnapshot(`
      {
        "files.1": "lang/en/b.php: the contents do not match the extension.",
        "files.2": "en.json, line 1, column 3: the file cannot be read from here on.",
        "files.3": "empty.json: the file is empty.",
        "files.4": "what.exe: this kind of file is not supported.",
        "files.5": "en.php, line 1, column 6: this is not UTF-8 text.",
        "files.6": "x.zip: the file cannot be read.",
        "files.7": "bomb.zip: the archive is not safe.",
      }
    `);
    expect(await service.data("GET", "/keys")).toEqual([]);
    expect((await service.call("GET", "/jobs/1")).status).toBe(404);
  });

  test("include more than 50 MB", async () => {
    const service = await start(project);
    const half = new Uint8Array(30 * 1024 * 1024).fill(0x20);
    const { status, body } = await service.upload({ "en.json": half, "nl.json": half });
    expect([status, body["errors"]]).toEqual([
      422,
      { "files.1": ["nl.json: the files are larger than 50 MB in total."] },
    ]);
  });
});

test("skips a text of another kind than the key", async () => {
  const service = await start(project);
  const keys = [
    { key: "one", value: "Item" },
    { key: "many", forms: { one: "item", other: "items" } },
  ];
  await service.data("POST", "/keys/sync", { keys });
  const header = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n';
  const swapped = `${header}msgid "one"\nmsgid_plural "ones"\nmsgstr[0] "ding"\nmsgstr[1] "dingen"\n
msgid "many"\nmsgstr "ding"\n`;
  for (const file of ["nl.po", "en.po"]) {
    const before = [await rows(service, "en"), await rows(service, "nl")];
    expect(await imported(service, { [file]: swapped }, { overwrite: "1" })).toEqual({ skipped: 2 });
    expect([await rows(service, "en"), await rows(service, "nl")]).toEqual(before);
  }
});

test("imports texts of existing keys although the key limit is exceeded", async () => {
  const data = join(temporaryFolder(), "store.sqlite");
  const first = await start(project, { data });
  await imported(first, { "en.json": '{"a": "A", "b": "B"}' });
  await first.stop();
  const limited = await start({ ...project, keyLimit: 1 }, { data });
  expect(await imported(limited, { "nl.json": '{"a": "Aa"}' })).toEqual({ newTranslations: 1 });
  expect(await imported(limited, { "nl.json": '{"c": "Cé"}' })).toBe("key_limit_reached");
  // No keys come of it, so none are too many.
  const known = { createUnknownKeys: "0" };
  expect(await imported(limited, { "nl.json": '{"c": "Cé"}' }, known)).toEqual({ skipped: 1 });
});
