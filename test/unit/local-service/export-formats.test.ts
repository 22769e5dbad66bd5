/** The exported files of each format. */
import { describe, expect, test, vi } from "vitest";
import { readZip } from "../../../src/formats/zip.ts";
import { ARCHIVE_LIMITS } from "../../../src/local-service/specification-decisions.ts";
import type { ProjectFile } from "../../../src/local-service/service-settings.ts";
import { start, type Harness } from "./harness.ts";

type Profiles = NonNullable<ProjectFile["exportProfiles"]>;
const languages = [{ locale: "nl" }, { locale: "nl-BE", fallback: ["nl"] }];

async function shop(exportProfiles: Profiles): Promise<Harness> {
  const service = await start({ type: "gettext", languages, exportProfiles });
  await service.data("POST", "/keys/sync", {
    keys: [
      { namespace: "shop", key: "Cart", context: "menu", value: "Cart", description: "Above the cart" },
      { namespace: "shop", key: "%d item", forms: { one: "%d item", other: "%d items" } },
      { namespace: "shop", key: "Later", value: "Later" },
    ],
  });
  await service.data("PUT", "/translations/nl", {
    translations: [
      { namespace: "shop", key: "Cart", context: "menu", value: "Winkelwagen" },
      { namespace: "shop", key: "%d item", forms: { one: "%d stuk", other: "%d stuks" } },
    ],
  });
  return service;
}

test.each([
  ["laravel_php", "text/x-php"],
  ["laravel_json", "application/json"],
  ["json_js", "application/json"],
  ["js_module", "text/javascript"],
  ["po", "text/x-gettext-translation"],
  ["pot", "text/x-gettext-translation-template"],
  ["mo", "application/x-gettext-translation"],
  ["wordpress_php", "text/x-php"],
  ["wordpress_jed", "application/json"],
  ["csv", "text/csv"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["xliff12", "application/xliff+xml"],
  ["xliff20", "application/xliff+xml"],
] as const)("%s: has a media type, is reproducible, and exports an empty project", async (format, type) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2024, 0, 1) });
  try {
    const profiles: Profiles = [{ key: "all", format, path: "{locale}.{namespace}" }];
    const one = await (await shop(profiles)).download("all?locales=nl");
    vi.setSystemTime(Date.UTC(2031, 5, 5));
    const other = await (await shop(profiles)).download("all?locales=nl");
    // The namespace of flat Laravel files is `*`, so nothing of the shop is in them.
    if (format === "laravel_json") return;
    expect([one.type, one.etag]).toEqual([type, other.etag]);
    const empty = await start({ languages, exportProfiles: [{ key: "all", format, path: "{locale}.x" }] });
    expect((await empty.download("all?locales=nl")).type).toBe(type);
  } finally {
    vi.useRealTimers();
  }
});

describe("a single file for all languages", () => {
  const profiles: Profiles = [{ key: "all", format: "csv", path: "texts.csv" }];
  test.each([
    [
      "omit",
      "nl,nl-BE",
      "namespace,key,context,description,nl,nl one,nl other,nl-BE,nl-BE one,nl-BE other\n" +
        "shop,Cart,menu,Above the cart,Winkelwagen,,,,,\n" +
        "shop,%d item,,,,%d stuk,%d stuks,,,\n",
    ],
    [
      "fallback",
      "nl-BE",
      "namespace,key,context,description,nl-BE,nl-BE one,nl-BE other\n" +
        "shop,Cart,menu,Above the cart,Winkelwagen,,\nshop,%d item,,,,%d stuk,%d stuks\nshop,Later,,,Later,,\n",
    ],
    [
      "empty",
      "nl",
      "namespace,key,context,description,nl,nl one,nl other\n" +
        "shop,Cart,menu,Above the cart,Winkelwagen,,\nshop,%d item,,,,%d stuk,%d stuks\nshop,Later,,,,,\n",
    ],
  ])("%s, of %s: has a column per language and a row per key", async (missing, locales, text) => {
    const service = await shop(profiles);
    expect((await service.download(`all?locales=${locales}&missing=${missing}`)).text).toBe(text);
  });

  test("has a column for an untranslated language", async () => {
    const service = await shop(profiles);
    const { text } = await service.download("all?locales=en,nl-BE");
    expect(text.split("\n")[0]).toBe(
      "namespace,key,context,description,en,en one,en other,nl-BE,nl-BE one,nl-BE other",
    );
  });

  test("is not available in formats for one language", async () => {
    const path = "all.po";
    await expect(shop([{ key: "a", format: "po", path }])).rejects.toThrow(
      /exportProfiles\.0\.path: must contain \{locale\}/u,
    );
    const files = [{ format: "json_js", path: "x.json" } as const];
    await expect(shop([{ key: "a", format: "csv", path: "a.csv", files }])).rejects.toThrow(
      /exportProfiles\.0\.files\.0\.path/u,
    );
  });
});

describe("gettext", () => {
  const profiles: Profiles = [
    { key: "po", format: "po", path: "{locale}/{namespace}.po" },
    { key: "pot", format: "pot", path: "{namespace}.pot" },
    { key: "mo", format: "mo", path: "{locale}/{namespace}.mo" },
  ];
  test("exports an untranslated message empty, not at all, or with the fallback", async () => {
    const service = await shop(profiles);
    const of = async (missing: string): Promise<string> =>
      (await service.download(`po?locales=nl&missing=${missing}`)).text;
    expect(await of("empty")).toContain('msgid "Later"\nmsgstr ""\n');
    expect(await of("omit")).not.toContain("Later");
    expect(await of("fallback")).toContain('msgid "Later"\nmsgstr "Later"\n');
    expect(await of("omit")).toContain(
      '#. Above the cart\nmsgctxt "menu"\nmsgid "Cart"\nmsgstr "Winkelwagen"\n',
    );
    expect(await of("omit")).toContain(
      'msgid "%d item"\nmsgid_plural "%d items"\nmsgstr[0] "%d stuk"\nmsgstr[1] "%d stuks"\n',
    );
  });

  test("exports each message once in a template", async () => {
    const service = await shop(profiles);
    const { text } = await service.download("pot?missing=omit");
    expect(text.match(/^msgid "(?!")/gmu)).toHaveLength(3);
    expect(text).toContain('msgid "%d item"\nmsgid_plural "%d items"\nmsgstr[0] ""\nmsgstr[1] ""\n');
    expect(text).not.toContain("stuk");
  });

  test("omits empty messages from compiled catalogues", async () => {
    const service = await shop(profiles);
    const [empty, omit] = await Promise.all(
      ["empty", "omit"].map((missing) => service.download(`mo?locales=nl&missing=${missing}`)),
    );
    expect(empty?.etag).toBe(omit?.etag);
    expect(empty?.text).toContain("%d stuk\0%d stuks");
    expect(empty?.text).not.toContain("Later");
  });
});

test("exports source and target in XLIFF, with a file element per namespace", async () => {
  const service = await shop([{ key: "xliff", format: "xliff12", path: "{locale}.xlf" }]);
  const { text } = await service.download("xliff?locales=nl&missing=empty");
  expect(text).toContain('<file original="shop" source-language="en" target-language="nl"');
  expect(text).toMatch(/<source>Cart<\/source>\s*<target>Winkelwagen<\/target>/u);
  expect(text).toMatch(/<source>Later<\/source>\s*<target\s*\/>/u);
});

test.each([
  ["laravel_php", "'%d item' => ''"],
  ["json_js", '"%d item_one": "",\n  "%d item_other": ""'],
] as const)("%s: exports an untranslated plural", async (format, text) => {
  const service = await shop([{ key: "all", format, path: "{locale}.{namespace}" }]);
  await service.data("PUT", "/translations/nl", {
    translations: [{ namespace: "shop", key: "%d item", forms: {} }],
  });
  expect((await service.download("all?locales=nl&missing=empty")).text).toContain(text);
});

test("contains each file once in the archive, ordered by path", async () => {
  const service = await shop([
    {
      key: "all",
      format: "po",
      path: "{locale}/{namespace}.po",
      files: [{ format: "csv", path: "rest.csv" }],
    },
  ]);
  await service.data("POST", "/keys/sync", { keys: [{ key: "plain", value: "Plain" }] });
  const { type, bytes } = await service.download("all");
  expect(type).toBe("application/zip");
  expect(readZip(bytes, ARCHIVE_LIMITS).map(({ path }) => path)).toEqual([
    "en/shop.po",
    "nl/shop.po",
    "rest.csv",
  ]);
});
