/** The rows of recognised layouts in Configure Project. */
import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { formats } from "../../../src/formats/supported-formats.ts";
import { layoutRows } from "../../../src/features/set-up-project-file/layout-rows.ts";
import { proposeLayouts } from "../../../src/workspace/file-layout/detect-layouts.ts";

const TEXTS = 'export default { title: "Cart", total: "Total" };';
const INDEX =
  "import home from './home.js'; import menu from './menu.js'; export default { app: { home, menu } };";

async function rowsOf(files: Readonly<Record<string, string>>) {
  const read = async (path: string): Promise<Uint8Array> => Buffer.from(files[path] ?? "");
  return layoutRows(await proposeLayouts(Object.keys(files).sort(), read, formats));
}

test("modules that another one composes are one row, which writes an entry for each", async () => {
  const files = Object.fromEntries(
    ["en", "nl"].flatMap((locale) => [
      [`src/locales/${locale}/index.ts`, INDEX],
      [`src/locales/${locale}/home.ts`, TEXTS],
      [`src/locales/${locale}/menu.ts`, TEXTS],
      [`src/locales/${locale}/errors.ts`, TEXTS],
    ]),
  );
  const rows = await rowsOf(files);
  expect(rows.map(({ label, detail, isChecked }) => [label, detail, isChecked])).toEqual([
    ["$(file-code) src/locales/{locale}/index.ts", "2 modules that it composes, in en, nl", true],
    [
      "$(file-code) src/locales/{locale}/{namespace}.ts",
      "2 files in en, nl, for example src/locales/en/errors.ts",
      true,
    ],
  ]);
  const format = "js_module";
  expect(rows.map(({ entries }) => entries)).toEqual([
    [
      { path: "src/locales/{locale}/home.ts", format, namespace: "app", keyPrefix: "home." },
      { path: "src/locales/{locale}/menu.ts", format, namespace: "app", keyPrefix: "menu." },
    ],
    [{ path: "src/locales/{locale}/{namespace}.ts", format }],
  ]);
});

test("other layouts have a row each, and those that override a package's texts are not checked", async () => {
  const rows = await rowsOf({
    "lang/en/app.php": "<?php return ['a' => 'A'];",
    "lang/nl/app.php": "<?php return ['a' => 'B'];",
    "lang/vendor/shop/en/cart.php": "<?php return ['a' => 'A'];",
    "lang/vendor/shop/nl/cart.php": "<?php return ['a' => 'B'];",
  });
  expect(new Map(rows.map(({ label, isChecked }) => [label, isChecked]))).toEqual(
    new Map([
      ["$(file-code) lang/{locale}/{namespace}.php", true],
      ["$(file-code) lang/vendor/{package}/{locale}/{namespace}.php", false],
    ]),
  );
});

test("a file of all languages has them in its row, one of the source language says so, and a namespace is named", async () => {
  const rows = await rowsOf({
    "sheets/translations.csv": "key,en,nl\nsave,Save,Bewaren\n",
    "languages/shop.pot": 'msgid ""\nmsgstr ""\n\nmsgid "Save"\nmsgstr ""\n',
    "locale/nl/LC_MESSAGES/shop.po": 'msgid ""\nmsgstr "Language: nl\\n"\n\nmsgid "Save"\nmsgstr "Bewaren"\n',
  });
  expect(rows.map(({ label, description, detail }) => [label, description, detail])).toEqual([
    ["$(file-code) languages/shop.pot", "gettext POT, namespace shop", "The texts of the source language"],
    [
      "$(file-code) locale/{locale}/LC_MESSAGES/{namespace}.po",
      "gettext PO",
      "1 file in nl, for example locale/nl/LC_MESSAGES/shop.po",
    ],
    ["$(file-code) sheets/translations.csv", "CSV", "One file with en, nl"],
  ]);
});
