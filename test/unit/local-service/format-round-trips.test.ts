/** Every format exported, imported again, and imported into an empty project. */
import { describe, expect, test } from "vitest";
import type { FormatName } from "../../../src/model/file-formats.ts";
import { FORMATS } from "../../../src/formats/supported-formats.ts";
import type { ProjectFile } from "../../../src/local-service/service-settings.ts";
import { start, type Harness } from "./harness.ts";

/** Where each format's files lie, so that their paths or they themselves say all that is needed. */
const PATHS: Readonly<Record<FormatName, string>> = {
  laravel_php: "lang/{locale}/{namespace}.php",
  laravel_json: "lang/{locale}.json",
  json_js: "locales/{locale}/{namespace}.json",
  js_module: "locales/{locale}/{namespace}.ts",
  po: "languages/{namespace}-{locale}.po",
  pot: "languages/{namespace}.pot",
  mo: "languages/{namespace}-{locale}.mo",
  wordpress_php: "languages/{namespace}-{locale}.l10n.php",
  wordpress_jed: "languages/{namespace}-{locale}-0123456789abcdef0123456789abcdef.json",
  csv: "texts.csv",
  xlsx: "texts.xlsx",
  xliff12: "{locale}/texts.xlf",
  xliff20: "{locale}/texts.xlf",
};

interface Content {
  readonly keys: readonly Record<string, unknown>[];
  readonly nl: readonly Record<string, unknown>[];
  readonly pl: readonly Record<string, unknown>[];
}

/** Two keys of a namespace, one of them plural. Gettext's are named by their source text. */
function content(format: FormatName): Content {
  const namespace = format === "laravel_json" ? {} : { namespace: "shop" };
  const [greeting, items] = isGettext(format) ? ["Hello :name", ":count item"] : ["greeting", "items"];
  const context = isGettext(format) ? { context: "menu" } : {};
  const plural = { ...namespace, key: items };
  const single = { ...namespace, ...context, key: greeting };
  return {
    keys: [
      { ...single, value: "Hello :name" },
      { ...plural, forms: { one: ":count item", other: ":count items" } },
      {
        ...namespace,
        key: "untranslated",
        value: isGettext(format) ? "untranslated" : 'Only "here",\n& <there>',
      },
    ],
    nl: [
      { ...single, value: "Hallo :name" },
      { ...plural, forms: { one: ":count stuk", other: ":count stuks" } },
    ],
    pl: [{ ...plural, forms: isXliff(format) ? { ...POLISH, other: ":count rzeczy" } : POLISH }],
  };
}

const POLISH = { one: ":count rzecz", few: ":count rzeczy", many: ":count wiele" };

/** Its plurals are ICU messages, which cannot do without `other`. */
function isXliff(format: FormatName): boolean {
  return format === "xliff12" || format === "xliff20";
}

function isSheet(format: FormatName): boolean {
  return format === "csv" || format === "xlsx";
}

function isGettext(format: FormatName): boolean {
  return ["po", "pot", "mo", "wordpress_php", "wordpress_jed"].includes(format);
}

const SHEET = [
  "namespace",
  "key",
  "en",
  "en one",
  "en other",
  "nl",
  "nl one",
  "nl other",
  "pl",
  "pl one",
  "pl few",
  "pl many",
];

function project(format: FormatName, more: ProjectFile = {}): ProjectFile {
  const texts = SHEET.slice(2);
  return {
    type: "laravel",
    languages: [{ locale: "nl" }, { locale: "pl" }],
    exportProfiles: [{ key: "all", format, path: PATHS[format] }],
    spreadsheetPresets: [
      {
        header: SHEET,
        namespace: "namespace",
        key: "key",
        languages: Object.fromEntries(texts.map((title) => [title, title.slice(0, 2)])),
        categories: Object.fromEntries(
          texts.filter((title) => title.length > 2).map((title) => [title, title.slice(3) as "one"]),
        ),
      },
    ],
    ...more,
  };
}

async function filled(format: FormatName): Promise<Harness> {
  const service = await start(project(format));
  const { keys, nl, pl } = content(format);
  await service.data("POST", "/keys/sync", { keys });
  await service.data("PUT", "/translations/nl", { translations: nl });
  await service.data("PUT", "/translations/pl", { translations: pl });
  return service;
}

interface File {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The export as it would lie in a checkout: a zip, or one file with its folders. */
async function exported(
  service: Harness,
  format: FormatName,
  query = "",
): Promise<File & { tag: string | null }> {
  const { status, type, etag, bytes } = await service.download(`all${query}`);
  expect(status).toBe(200);
  const path = PATHS[format].replace("{locale}", "nl").replace("{namespace}", "shop");
  return { name: type === "application/zip" ? "all.zip" : path, bytes, tag: etag };
}

async function imported(
  service: Harness,
  { name, bytes }: File,
  fields: Record<string, string> = {},
): Promise<Record<string, number>> {
  const answer = await service.upload({ [name]: bytes }, fields);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const job = await service.ended((answer.body["data"] as { id: number }).id);
  expect(job.error).toBeNull();
  return job.result ?? {};
}

/** What a reader of the service sees of a language, without what two services cannot have in common. */
async function rows(service: Harness, locale: string): Promise<unknown[]> {
  const all = await service.data<Record<string, unknown>[]>("GET", `/translations/${locale}`);
  return all
    .map(({ namespace, key, context, isPlural, value, forms: said }) => ({
      namespace,
      key,
      context,
      isPlural,
      value,
      forms: said,
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** How many texts the export has: of a template only the sources', of others also the translations. */
const SOURCES = 3;
const TRANSLATIONS = 3;

describe.each(FORMATS.map(({ name }) => name))("%s", (format) => {
  test("creates the same keys and translations in an empty project", async () => {
    const service = await filled(format);
    const other = await start(project(format));
    const result = await imported(other, await exported(service, format));
    expect(result).toMatchObject({ newKeys: SOURCES, changedTranslations: 0, unchanged: 0 });
    const locales = format === "pot" ? ["en"] : ["en", "nl", "pl"];
    // XLIFF does not say which of its units are plural.
    if (isXliff(format)) expect(result).toMatchObject({ newTranslations: SOURCES + TRANSLATIONS });
    else
      for (const locale of locales)
        expect(await rows(other, locale), locale).toEqual(await rows(service, locale));
  });

  // With "omit": test/service/formats.test.ts.
  test.each(["fallback", "empty"])("adds only missing texts with missing=%s", async (missing) => {
    const service = await filled(format);
    const before = await rows(service, "nl");
    const locales = isSheet(format) ? "" : "locales=nl&";
    const file = await exported(service, format, `?${locales}missing=${missing}`);
    const result = await imported(service, file, { overwrite: "1" });
    expect(result).toMatchObject({ newKeys: 0, changedTranslations: 0 });
    const languages = isSheet(format) ? 3 : format === "pot" ? 0 : 1;
    expect(result["newTranslations"]).toBe(missing === "fallback" ? languages : 0);
    if (missing !== "fallback") expect(await rows(service, "nl")).toEqual(before);
  });
});
