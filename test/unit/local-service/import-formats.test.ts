/** Imports of files whose content and path disagree. */
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { start, type Harness } from "./harness.ts";
import { imported, PO, project, rows } from "./imports.ts";

describe("files with source texts", () => {
  test("provide it for new keys", async () => {
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

  test("never change an existing key", async () => {
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

  test("are overwritten by a file of the source language if requested", async () => {
    const service = await start(project);
    await service.data("POST", "/keys/sync", { keys: [{ namespace: "shop", key: "Cart", value: "Basket" }] });
    const file = { "shop-en.po": 'msgid "Cart"\nmsgstr "Trolley"\n' };
    expect(await imported(service, file)).toEqual({ skipped: 1 });
    expect(await imported(service, file, { overwrite: "1" })).toEqual({ changedTranslations: 1 });
    expect(await rows(service, "en")).toEqual(["shop | Cart | Trolley"]);
  });

  test("treat a template as the source language", async () => {
    const service = await start(project);
    const template = 'msgid ""\nmsgstr ""\n"Language: nl\\n"\n\nmsgid "Cart"\nmsgstr ""\n';
    expect(await imported(service, { "shop.pot": template })).toEqual({ newKeys: 1, newTranslations: 1 });
    expect(await rows(service, "en")).toEqual(["shop | Cart | Cart"]);
  });

  test("do not create keys if unknown keys are skipped", async () => {
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

describe("locale", () => {
  const nl = async (service: Harness): Promise<string[]> => rows(service, "nl");
  test.each([
    ["PO's header", "messages.po", PO],
    ["XLIFF's target-language", "texts.xliff", XLIFF('target-language="nl"')],
  ])("is read from %s if the path has none", async (_, name, text) => {
    const service = await start(project);
    expect(await imported(service, { [name]: text }, { namespace: "x" })).toMatchObject({
      newTranslations: expect.any(Number),
    });
    expect((await nl(service)).join()).toContain("Winkelwagen");
  });

  test("is the forced one, else the path's", async () => {
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
  ])("fails the job: %s", async (_, files) => {
    const service = await start(project);
    expect(await imported(service, files)).toBe("unknown_locale");
  });
});

describe("namespace", () => {
  test("is the forced one, else the file's, the path's, or none", async () => {
    const service = await start(project);
    await imported(service, { "a/nl.xlf": XLIFF('target-language="nl"') });
    expect(await rows(service, "en")).toEqual(["shop | cart | Cart"]);
    await imported(service, { "a/nl.xlf": XLIFF('target-language="nl"') }, { namespace: "forced" });
    expect(await rows(service, "nl")).toEqual(["shop | cart | Winkelwagen", "forced | cart | Winkelwagen"]);
  });
});

describe("formats detected by content", () => {
  test("distinguish nested from flat JSON, and XLIFF versions", async () => {
    const service = await start(project);
    const v2 = `<xliff version="2.0" srcLang="en" trgLang="nl" xmlns="urn:oasis:names:tc:xliff:document:2.0">
      <file id="f"><unit id="u"><segment><source>A</source><target>B</target></segment></unit></file></xliff>`;
    const files = { "lang/nl.json": '{"menu": {"cart": "Winkelwagen"}}', "x.nl.xlf": v2 };
    expect(await imported(service, files)).toEqual({ newKeys: 2, newTranslations: 2 });
    expect(await rows(service, "nl")).toEqual(["* | menu.cart | Winkelwagen", "f | u | B"]);
  });
});

describe("plural keys", () => {
  test("keep the service's kind in every format", async () => {
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

  test("get their kind from any file of the upload with texts", async () => {
    const service = await start(project);
    const files = {
      "en/m.po": 'msgid "a"\nmsgid_plural "b"\nmsgstr[0] ""\nmsgstr[1] ""\n',
      "nl/m.php": "<?php return ['a' => 'ding|dingen'];",
    };
    expect(await imported(service, files)).toEqual({ newKeys: 1, newTranslations: 2 });
    expect(await rows(service, "nl")).toEqual(['m | a | {"one":"ding","other":"dingen"}']);
  });
});

describe("duplicate texts of a key in a language", () => {
  const files = {
    "a/nl/m.json": '{"x": "one", "y": "same"}',
    "b/nl/m.json": '{"x": "two", "y": "same", "z": ""}',
    "c/nl/m.json": '{"z": "three"}',
  };
  test("use the last non-empty one, idempotently", async () => {
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

  test("include two files of a zip with the same path", async () => {
    const service = await start(project);
    const zip = zipSync({ "x1/nl.json": strToU8('{"x": "one"}'), "x2/nl.json": strToU8('{"x": "two"}') });
    // The second one's name, in its own header and in the directory.
    const twice = Uint8Array.from(zip, (byte, at) => (byte === 0x32 && zip[at + 1] === 0x2f ? 0x31 : byte));
    expect(await imported(service, { "all.zip": twice })).toEqual({ newKeys: 1, newTranslations: 1 });
    expect(await rows(service, "nl")).toEqual(["* | x | two"]);
  });
});
