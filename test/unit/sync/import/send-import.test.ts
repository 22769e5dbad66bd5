/**
 * The requests of an import, so that the service assigns keys like the project file, against a real local service.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { translationsIn } from "../../support/key-database.ts";
import type { FormatName } from "../../../../src/model/file-formats.ts";
import { runImport } from "../../../../src/sync/import/send-import.ts";
import type { ProjectFile } from "../../../../src/workspace/project-file/project-file.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { planPush } from "../../../../src/sync/push/push-plan.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../../support/fixture-project.ts";
import type { TestWindow } from "../../support/test-window.ts";
import {
  importTarget,
  missingImportFields,
  groupIntoUploads,
  type ImportSource,
} from "../../../../src/sync/import/import-plan.ts";

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

/** The files as the command reads them. */
async function sources(window: TestWindow, ...paths: readonly string[]): Promise<ImportSource[]> {
  await window.local.load();
  const files: ImportSource[] = [];
  for (const path of paths) {
    const place = window.local.locate(path);
    const bytes = new TextEncoder().encode(await shop.read(path));
    files.push({ ...(place === null ? { path, target: null } : importTarget(place)), bytes });
  }
  return files;
}

const importAll = async (window: TestWindow, files: readonly ImportSource[]): Promise<void> => {
  for (const upload of groupIntoUploads(files, { overwrite: true })) {
    const outcome = await runImport(window, upload.files, upload.fields);
    expect(outcome).toMatchObject({ kind: "ended", job: { status: "succeeded", result: { newKeys: 0 } } });
  }
  await window.refresher.refresh({ priority: "person" });
};

test("fills the pushed keys of several layout entries without duplicates", async () => {
  const file: ProjectFile = {
    files: [
      { path: "shop/locales/{locale}.json", format: "json_js", namespace: "shop" },
      { path: "admin/locales/{locale}.json", format: "json_js", namespace: "admin" },
      // A path that reads like Laravel's own, and one that seems to name a namespace.
      { path: "lang/{locale}.json", format: "json_js" },
      { path: "web/{locale}/messages.json", format: "json_js" },
      { path: "modules/{namespace}/i18n/{locale}.json", format: "json_js" },
    ],
  };
  const places = ["shop/locales", "admin/locales", "lang", "web", "modules/billing/i18n"];
  const pathOf = (place: string, locale: string): string =>
    place === "web" ? `web/${locale}/messages.json` : `${place}/${locale}.json`;
  for (const [index, place] of places.entries()) {
    const text = (words: string): string => JSON.stringify({ menu: { [`open${index}`]: words } });
    await shop.write(pathOf(place, "en"), text("Open"));
    await shop.write(pathOf(place, "nl"), text(`Openen in ${place}`));
  }
  const window = await shop.open("one", { file });
  await window.refresher.refresh();
  await sendPush(window, (await planPush(window, await sourceKeys(window))).items, []);
  await window.refresher.refresh({ priority: "person" });
  expect(window.project.keys.size).toBe(places.length);
  const files = await sources(window, ...places.map((place) => pathOf(place, "nl")));
  expect(missingImportFields(files)).toEqual({ format: [], locale: [] });
  await importAll(window, files);
  expect(window.project.keys.size).toBe(places.length);
  const rows = translationsIn(window.project.database, "nl");
  expect(rows.map(({ text }) => text).filter((text) => text !== null)).toHaveLength(places.length);
});

test("uploads once per namespace and format, except what paths determine", async () => {
  for (const path of [
    "lang/nl/cart.php",
    "lang/nl/auth.php",
    "lang/fr/cart.php",
    "lang/nl.json",
    "po/shop-nl.po",
  ])
    await shop.write(path, "");
  const file: ProjectFile = {
    files: [
      { path: "lang/{locale}/{namespace}.php", format: "laravel_php" },
      { path: "lang/{locale}.json", format: "laravel_json" },
      { path: "po/shop-{locale}.po", format: "po", namespace: "shop" },
    ],
  };
  const window = await shop.open("one", { file });
  const paths = ["lang/nl/cart.php", "lang/nl.json", "lang/nl/auth.php", "po/shop-nl.po", "lang/fr/cart.php"];
  const files = await sources(window, ...paths);
  const uploads = groupIntoUploads(files, {}).map((each) => [
    each.files.map(({ path }) => path),
    each.fields,
  ]);
  expect(uploads).toEqual([
    [["lang/nl/cart.php", "lang/nl/auth.php", "lang/fr/cart.php"], { format: "laravel_php" }],
    [["lang/nl.json"], { format: "laravel_json" }],
    [["po/shop-nl.po"], { format: "po", namespace: "shop" }],
  ]);
  const given = groupIntoUploads(files, { namespace: "all", format: "po" });
  expect(given.map(({ fields }) => fields)).toEqual([{ namespace: "all", format: "po" }]);
});

test("sends the service's locale and handles key prefixes", async () => {
  await shop.write("i18n/messages_nl_NL.json", '{"a": "A"}');
  const file: ProjectFile = {
    files: [{ path: "i18n/messages_{locale}.json", format: "json_js", keyPrefix: "app." }],
    locales: { nl_NL: "nl" },
  };
  const window = await shop.open("one", { file });
  await window.refresher.refresh();
  const [source] = await sources(window, "i18n/messages_nl_NL.json");
  expect(source).toMatchObject({ path: "i18n/messages_nl.json", target: { keyPrefix: "app." } });
});

test("sends files outside of the layout as they are", async () => {
  await shop.write("delivery/nl/cart.php", "<?php return ['title' => 'Mandje'];");
  const window = await shop.open();
  const files = await sources(window, "delivery/nl/cart.php");
  expect(groupIntoUploads(files, {})).toMatchObject([{ fields: {} }]);
});

test.each<[string, string, ImportSource["target"], { locale?: string[]; format?: string[] }, string?]>([
  ["a path that says all", "lang/nl/cart.php", null, {}],
  ["a path without a language", "texts/cart.json", null, { locale: ["texts/cart.json"] }],
  ["a path without a format", "notes.txt", null, { format: ["notes.txt"] }],
  ["an archive", "all.ZIP", null, {}],
  ["a sheet, which says its languages", "texts.csv", null, {}],
  ["a catalogue, which says its language", "shop.po", null, {}],
  ["an entry that says the language", "a.json", placeOf("json_js", "nl"), {}],
  ["an entry that says the format alone", "notes.txt", placeOf("json_js", null), { locale: ["notes.txt"] }],
  ["an entry that says a format of several languages", "notes.txt", placeOf("csv", null), {}],
  ["content of a format that has the language in names", "shop-nl_NL.json", null, {}, '{"locale_data": {}}'],
])("determines what to ask for %s", (_, path, place, expected, text = "") => {
  expect(missingImportFields([{ path, target: place, bytes: new TextEncoder().encode(text) }])).toEqual({
    locale: [],
    format: [],
    ...expected,
  });
});

function placeOf(format: FormatName, locale: string | null): ImportSource["target"] {
  return { format, locale, namespace: null, keyPrefix: "" };
}
