/** Projects on the local service that are made for an app. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { createClient } from "../../../src/api/client.ts";
import { startService } from "../../../src/local-service/start-service.ts";
import { localServiceProject, type FoundApp } from "../../../src/workspace/local-service-project.ts";
import { realClock, recordingLog, temporaryFolder } from "../support/node-platform.ts";

const LARAVEL: FoundApp = {
  name: "Mój sklep",
  frameworks: ["i18next", "laravel"],
  files: [
    { path: "lang/{locale}/{namespace}.php", format: "laravel_php" },
    { path: "lang/{locale}.json", format: "laravel_json" },
    { path: "source-only.json", format: "json_js" },
  ],
  sourceLocale: "pl",
  locales: ["de", "pl"],
};

test("have the app's framework, languages, formats and layout", () => {
  expect(localServiceProject(LARAVEL)).toEqual({
    slug: "m-j-sklep",
    name: "Mój sklep",
    type: "laravel",
    sourceLocale: "pl",
    languages: [{ locale: "de" }],
    exportProfiles: [
      {
        key: "app",
        name: "Mój sklep",
        path: "lang/{locale}/{namespace}.php",
        format: "laravel_php",
        files: [{ path: "lang/{locale}.json", format: "laravel_json" }],
      },
    ],
  });
});

test("are exported to tables and templates without a language in their path, and first to files of one namespace", () => {
  const files: FoundApp["files"] = [
    { path: "{locale}.json", format: "json_js" },
    { path: "texts.csv", format: "csv", keyPrefix: "shop." },
    { path: "shop.pot", format: "pot", namespace: "shop" },
    { path: "all/{locale}/{namespace}.json", format: "json_js", namespace: "{namespace}" },
  ];
  const [profile] = localServiceProject({ ...LARAVEL, files }).exportProfiles ?? [];
  expect(profile).toMatchObject({ ...files[1], files: [files[2], files[0], files[3]] });
  expect(localServiceProject({ ...LARAVEL, name: "--", files: [] })).toEqual({
    slug: "project",
    name: "--",
    type: "i18next",
    sourceLocale: "pl",
    languages: [{ locale: "de" }],
  });
});

test("lose no language and keep their source language at a later start", () => {
  const before = localServiceProject(LARAVEL);
  const app = { ...LARAVEL, name: "Another name", sourceLocale: "en", locales: ["en", "fr"] };
  const later = localServiceProject(app, before);
  expect(later).toMatchObject({
    slug: "m-j-sklep",
    name: "Mój sklep",
    sourceLocale: "pl",
    languages: [{ locale: "de" }, { locale: "en" }, { locale: "fr" }],
  });
});

test.each<[string, Partial<FoundApp>, string]>([
  ["the first framework without a format of its own", { files: [] }, "i18next"],
  ["other without a framework", { frameworks: [] }, "other"],
])("have the type of %s", (_, changes, type) => {
  expect(localServiceProject({ ...LARAVEL, ...changes }).type).toBe(type);
});

test("are served, with an export of the app's own files", async () => {
  const folder = await temporaryFolder();
  const app: FoundApp = {
    ...LARAVEL,
    files: [...LARAVEL.files, { path: "languages/shop-{locale}.po", format: "po", namespace: "shop" }],
  };
  const project = join(folder.path, "project.json");
  await writeFile(project, JSON.stringify(localServiceProject(app)));
  const service = await startService({ project, data: join(folder.path, "data.db") });
  try {
    const client = createClient({
      ...service,
      fetch: globalThis.fetch,
      clock: realClock(),
      log: recordingLog(),
      locale: () => "en",
    });
    await client.sync({
      keys: [
        { namespace: "cart", key: "title", value: "Koszyk" },
        { namespace: "shop", key: "Pay", value: "Zapłać" },
      ],
    });
    const { languages } = await client.stats();
    expect(languages.map(({ locale }) => locale)).toEqual(["pl", "de"]);
    const { exportProfiles } = await client.project();
    expect(exportProfiles?.map(({ key }) => key)).toEqual(["app"]);
    const exported = await client.export("app", { locales: ["pl"] });
    if (exported.kind !== "file") throw new Error(exported.kind);
    const files = unzipSync(exported.bytes);
    expect(Object.keys(files).toSorted()).toEqual(["lang/pl/cart.php", "languages/shop-pl.po"]);
  } finally {
    await service.stop();
    await rm(folder.path, { recursive: true });
  }
});
