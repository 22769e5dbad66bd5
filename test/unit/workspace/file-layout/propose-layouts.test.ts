/** Proposed layouts for common kinds of projects, and alternative mappings of the same files. */
import { describe, expect, test } from "vitest";
import { alternativeMappings } from "../../../../src/workspace/file-layout/alternative-layouts.ts";
import { proposeLayouts } from "../../../../src/workspace/file-layout/detect-layouts.ts";
import { formats } from "../../../../src/formats/supported-formats.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";

const PHP = "<?php return ['a' => 'x'];";
const JSON_TEXT = '{ "a": "x", "b": { "c": "y" } }';

async function propose(
  files: Readonly<Record<string, string>>,
): Promise<[string, string, string, string[]][]> {
  const proposals = await proposeLayouts(
    Object.keys(files),
    (path) => {
      const text = files[path];
      return Promise.resolve(text === undefined ? undefined : new TextEncoder().encode(text));
    },
    formats,
  );
  return proposals.map(({ entry, reason, locales }) => [entry.path, entry.format, reason, [...locales]]);
}

describe("proposeLayouts", () => {
  test("proposes Laravel's layouts", async () => {
    expect(
      await propose({
        "lang/en/auth.php": PHP,
        "lang/en/admin/users.php": PHP,
        "lang/nl/auth.php": PHP,
        "lang/vendor/pkg/en/messages.php": PHP,
        "lang/en.json": '{ "A": "B" }',
        "lang/php_en.json": '{ "A": "B" }',
        "app/Http/Kernel.php": PHP,
        "config/app.php": PHP,
        "vendor/laravel/framework/src/lang/en/auth.php": PHP,
        "node_modules/x/locales/en.json": JSON_TEXT,
        "composer.json": "{}",
      }),
    ).toEqual([
      ["lang/{locale}/{namespace}.php", "laravel_php", "folder-per-locale", ["en", "nl"]],
      ["lang/vendor/{package}/{locale}/{namespace}.php", "laravel_php", "package-overrides", ["en"]],
      ["lang/{locale}.json", "laravel_json", "file-per-locale", ["en"]],
    ]);
  });

  test.each([
    [
      "public/locales/{locale}/{namespace}.json",
      ["public/locales/en/common.json", "public/locales/nl/common.json"],
    ],
    ["locales/{locale}.json", ["locales/en.json", "locales/pt_BR.json"]],
    ["src/locales/{locale}.json", ["src/locales/en.json"]],
    ["messages/{locale}.json", ["messages/en.json"]],
    ["src/i18n/{locale}/{namespace}.json", ["src/i18n/en/a.json"]],
    [
      "packages/web/i18n/{namespace}.{locale}.json",
      ["packages/web/i18n/common.en.json", "packages/web/i18n/x.nl.json"],
    ],
    ["{locale}.json", ["en.json", "nl.json"]],
    ["locales/{locale}/{namespace}.json", ["locales/en/index.json", "locales/nl/index.json"]],
  ])("%s", async (pattern, paths) => {
    const found = await propose(Object.fromEntries(paths.map((path) => [path, JSON_TEXT])));
    expect(found.map(([path]) => path)).toEqual([pattern]);
  });

  test.each([
    [
      "a module that puts the others together",
      "src/locales/{locale}/{namespace}.ts",
      {
        "src/locales/en/index.ts": 'import cart from "../../core/cart";\nexport default { cart };\n',
        "src/locales/en/cart.ts": 'export default { title: "Your cart" };\n',
        "src/locales/nl/index.ts": 'import cart from "../../core/cart";\nexport default { cart };\n',
      },
    ],
    [
      "an empty file of the first language",
      "locales/{locale}.json",
      { "locales/de.json": "{}", "locales/en.json": "{}", "locales/fr.json": JSON_TEXT },
    ],
    [
      "a list of countries",
      "locales/{locale}/{namespace}.json",
      {
        "locales/en/countries.json": '{ "BE": "B", "DE": "G", "FR": "F", "GB": "U", "NL": "N" }',
        "locales/en/page.json": JSON_TEXT,
        "locales/nl/page.json": JSON_TEXT,
      },
    ],
    [
      "a file that cannot be read",
      "locales/{locale}/{namespace}.json",
      { "locales/en/a.json": '{ "a": ', "locales/en/b.json": JSON_TEXT, "locales/nl/a.json": "{}" },
    ],
  ])("finds a layout behind %s", async (_, pattern, files: Record<string, string>) => {
    expect((await propose(files)).map(([path]) => path)).toEqual([pattern]);
  });

  const PO =
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Hello"\nmsgstr "Hallo"\n';
  const POT = PO.replace("Hallo", "");
  const WORDPRESS =
    "<?php return ['plural-forms'=>'nplurals=2; plural=n!=1;','messages'=>['Hello'=>'Hallo']];";
  const JED = '{"locale_data":{"messages":{"":{"lang":"nl"},"Hello":["Hallo"]}}}';
  const MODULE = 'export default { a: "x", b: { c: "y" } } as const;\n';
  const xliff = (version: "1.2" | "2.0", target: string | null): string =>
    version === "1.2"
      ? `<xliff version="1.2"><file original="x" source-language="en" datatype="plaintext"><body><trans-unit id="a"><source>Hi</source>${target ?? ""}</trans-unit></body></file></xliff>`
      : `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en"><file id="f"><unit id="a"><segment><source>Hi</source>${target ?? ""}</segment></unit></file></xliff>`;
  const TARGET = "<target>Hoi</target>";

  /** Entry by entry: path, format, and the namespace where it says one. */
  async function entriesFor(files: Readonly<Record<string, string>>): Promise<(string | undefined)[][]> {
    const found = await proposeLayouts(
      Object.keys(files),
      (path) => Promise.resolve(new TextEncoder().encode(files[path])),
      formats,
    );
    return found
      .map(({ entry }) => [entry.path, entry.format, entry.namespace])
      .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  }

  test("proposes WordPress templates and catalogues, not compiled files", async () => {
    expect(
      await entriesFor({
        "languages/my-shop.pot": POT,
        "languages/my-shop-nl_NL.po": PO,
        "languages/my-shop-pt-BR.po": PO,
        "languages/my-shop-nl_NL.mo": "",
        "languages/my-shop-nl_NL.l10n.php": WORDPRESS,
        "languages/my-shop-nl_NL-0123456789abcdef0123456789abcdef.json": JED,
      }),
    ).toEqual([
      ["languages/my-shop-{locale}.po", "po", "my-shop"],
      ["languages/my-shop.pot", "pot", "my-shop"],
    ]);
  });

  test("proposes gettext folders and files named by their language", async () => {
    expect(
      await entriesFor({
        "locale/nl/LC_MESSAGES/django.po": PO,
        "locale/de/LC_MESSAGES/djangojs.po": PO,
        "locale/de/LC_MESSAGES/djangojs.mo": "",
      }),
    ).toEqual([["locale/{locale}/LC_MESSAGES/{namespace}.po", "po", undefined]]);
    expect(await entriesFor({ "po/app.pot": POT, "po/nl.po": PO, "po/de.po": PO })).toEqual([
      ["po/app.pot", "pot", undefined],
      ["po/{locale}.po", "po", undefined],
    ]);
    // Anywhere beside translations, and nowhere without any.
    expect(await entriesFor({ "app.pot": POT, "po/nl.po": PO })).toEqual([
      ["app.pot", "pot", undefined],
      ["po/{locale}.po", "po", undefined],
    ]);
    expect(await entriesFor({ "app.pot": POT })).toEqual([]);
    expect(await entriesFor({ "languages/shop.pot": POT })).toEqual([["languages/shop.pot", "pot", "shop"]]);
  });

  test("names up to three domains, and replaces more by a placeholder", async () => {
    const catalogues = (...domains: readonly string[]) =>
      entriesFor(Object.fromEntries(domains.map((domain) => [`languages/${domain}-nl.po`, PO])));
    expect(await catalogues("a", "b", "c")).toEqual(
      ["a", "b", "c"].map((domain) => [`languages/${domain}-{locale}.po`, "po", domain]),
    );
    expect(await catalogues("a", "b", "c", "d")).toEqual([
      ["languages/{namespace}-{locale}.po", "po", undefined],
    ]);
    const paths = ["a-nl", "b-de", "b-nl"].map((name) => `languages/${name}.po`);
    const found = await proposeLayouts(paths, async () => new TextEncoder().encode(PO), formats);
    expect(found.map(({ entry, files, locales }) => [entry.namespace, files, locales])).toEqual([
      ["b", 2, ["de", "nl"]],
      ["a", 1, ["nl"]],
    ]);
  });

  test("names the languages in order, and skips a file that is not valid in its encoding", async () => {
    const read = async (path: string) =>
      path.endsWith("en.json") ? Buffer.from('{ "a": "\xff" }', "latin1") : Buffer.from(JSON_TEXT);
    const [found] = await proposeLayouts(["locales/nl.json", "locales/en.json"], read, formats);
    expect(found).toMatchObject({ locales: ["en", "nl"], sample: "locales/nl.json", files: 2 });
    const paths = ["locales/de.json", "locales/en-GB.json"];
    const [readable] = await proposeLayouts(paths, async () => Buffer.from(JSON_TEXT), formats);
    expect(readable).toMatchObject({ sample: "locales/en-GB.json" });
  });

  test("orders layouts with equally many files by their paths", async () => {
    const paths = ["b/locales/en.json", "c/locales/en.json", "c/locales/nl.json", "a/locales/en.json"];
    const found = await propose(Object.fromEntries(paths.map((path) => [path, JSON_TEXT])));
    expect(found.map(([path]) => path)).toEqual(
      ["c", "a", "b"].map((folder) => `${folder}/locales/{locale}.json`),
    );
  });

  test("proposes compiled files if there is nothing else", async () => {
    expect(await entriesFor({ "languages/shop-nl.l10n.php": WORDPRESS })).toEqual([
      ["languages/shop-{locale}.l10n.php", "wordpress_php", "shop"],
    ]);
    const compiled = ["languages/shop-{locale}.l10n.php", "wordpress_php", "shop"];
    expect(await entriesFor({ "languages/shop-nl.l10n.php": WORDPRESS, "po/nl.po": PO })).toEqual([
      compiled,
      ["po/{locale}.po", "po", undefined],
    ]);
    expect(await entriesFor({ "languages/shop-nl.l10n.php": WORDPRESS, "languages/po/nl.po": PO })).toEqual([
      ["languages/po/{locale}.po", "po", undefined],
      compiled,
    ]);
  });

  test("proposes Angular's and Symfony's XLIFF files in their version", async () => {
    expect(
      await entriesFor({
        "src/locale/messages.xlf": xliff("1.2", null),
        "src/locale/messages.nl.xlf": xliff("1.2", TARGET),
        "src/locale/messages.de.xlf": xliff("1.2", TARGET),
        "config/other.xlf": xliff("1.2", null),
        "config/messages.xlf": xliff("1.2", null),
        // Its translations would be called otherwise.
        "src/locale/other.xlf": xliff("1.2", null),
        // Nothing shows that it is a source: no translation of it lies beside it.
        "src/i18n/alone.xlf": xliff("1.2", null),
        "src/i18n/newer.xlf": xliff("2.0", null),
      }),
    ).toEqual([
      ["src/locale/messages.xlf", "xliff12", undefined],
      ["src/locale/messages.{locale}.xlf", "xliff12", undefined],
    ]);
    expect(
      await entriesFor({
        "translations/messages.en.xlf": xliff("2.0", TARGET),
        "translations/validators.nl.xlf": xliff("2.0", TARGET),
      }),
    ).toEqual([["translations/{namespace}.{locale}.xlf", "xliff20", "{namespace}"]]);
  });

  test("proposes modules with texts, but no other code", async () => {
    expect(
      await entriesFor({
        "src/locales/en.ts": MODULE,
        "src/locales/nl.ts": MODULE,
        "src/locales/index.ts": "export { en } from '../../core/en';",
        "src/is/it.ts": MODULE,
        "src/nl/it.ts": MODULE,
        "src/i18n/en.ts": "export function load() {}",
      }),
    ).toEqual([["src/locales/{locale}.ts", "js_module", undefined]]);
    const dict = { "lang/en/dict.json": JSON_TEXT, "lang/nl/dict.json": JSON_TEXT };
    expect(await entriesFor({ ...dict, "lang/en/index.ts": MODULE, "lang/nl/index.ts": MODULE })).toEqual([
      ["lang/{locale}/{namespace}.json", "json_js", undefined],
    ]);
    const oneLanguage = { "lang/en/dict.json": JSON_TEXT, "lang/en/index.ts": MODULE };
    expect(await entriesFor(oneLanguage)).toEqual([["lang/{locale}/{namespace}.json", "json_js", undefined]]);
    const named = { ...dict, "lang/en/texts.ts": MODULE, "lang/nl/texts.ts": MODULE };
    expect((await entriesFor(named)).map(([path]) => path)).toEqual([
      "lang/{locale}/{namespace}.json",
      "lang/{locale}/{namespace}.ts",
    ]);
    const modules = { "lang/en/index.ts": MODULE, "lang/nl/index.ts": MODULE };
    expect(await entriesFor(modules)).toEqual([["lang/{locale}/index.ts", "js_module", undefined]]);
    // The texts of another app are not what it combines.
    expect(await entriesFor({ ...modules, "web/locales/en.json": JSON_TEXT })).toEqual([
      ["lang/{locale}/index.ts", "js_module", undefined],
      ["web/locales/{locale}.json", "json_js", undefined],
    ]);
  });

  test("proposes spreadsheets with one column per language, and one per language", async () => {
    const found = await propose({
      "i18n/texts.csv": "key,en,nl\na,x,y\n",
      "data/export.csv": "key,en,nl\na,x,y\n",
      "docs/translations.csv": "name,price\na,1\n",
    });
    expect(found).toEqual([["i18n/texts.csv", "csv", "one-file", ["en", "nl"]]]);
    expect(
      await entriesFor({ "lang/en.csv": "key,value\na,x\n", "lang/nl.csv": "key,value\na,y\n" }),
    ).toEqual([["lang/{locale}.csv", "csv", undefined]]);
  });

  test("ignores files without texts, and single files outside of a translation folder", async () => {
    expect(await propose({ "locales/en.json": '{ "a": 1, "b": 2 }', "locales/nl.json": "{}" })).toEqual([]);
    const values = (texts: number): string =>
      JSON.stringify({
        size: 1,
        ...Object.fromEntries(Array.from({ length: texts }, (_, n) => [`a${n}`, "Hi"])),
      });
    expect(await propose({ "locales/en.json": values(3), "locales/nl.json": values(3) })).toEqual([]);
    expect(await propose({ "locales/en.json": values(4), "locales/nl.json": values(4) })).toHaveLength(1);
    expect(await propose({ "data/is.json": JSON_TEXT })).toEqual([]);
    expect(await propose({ "locales/en.json": "nonsense" })).toEqual([]);
    expect(await proposeLayouts(["locales/en.json"], () => Promise.resolve(undefined), formats)).toEqual([]);
  });
});

describe("alternativeMappings", () => {
  const php: FilesEntry = { path: "lang/{locale}/{namespace}.php", format: "laravel_php" };
  const json: FilesEntry = { path: "locales/{locale}.json", format: "json_js" };

  test("offers keys without namespace, with and without the group in the key", () => {
    const alternatives = alternativeMappings([php]);
    expect(alternatives.map(({ code }) => code)).toEqual(["namespace-in-key", "no-namespace"]);
    expect(alternatives[0]?.files).toEqual([{ ...php, namespace: "*", keyPrefix: "{namespace}." }]);
    const overrides: FilesEntry = { ...php, path: "lang/vendor/{package}/{locale}/{namespace}.php" };
    expect(alternativeMappings([overrides])[0]?.files).toEqual([
      { ...overrides, namespace: "*", keyPrefix: "{package}::{namespace}." },
    ]);
  });

  test("offers i18next's default namespace for files without one", () => {
    expect(alternativeMappings([json])).toEqual([
      { code: "default-namespace", files: [{ ...json, namespace: "translation" }] },
    ]);
  });

  test("offers a gettext file's domain or none, and no XLIFF namespace", () => {
    const po: FilesEntry = { path: "languages/shop-{locale}.po", format: "po" };
    expect(alternativeMappings([po])).toEqual([
      { code: "file-namespace", files: [{ ...po, namespace: "shop" }] },
    ]);
    expect(alternativeMappings([{ ...po, namespace: "shop" }])).toEqual([
      { code: "as-proposed", files: [po] },
    ]);
    const xliff: FilesEntry = { path: "translations/{namespace}.{locale}.xlf", format: "xliff12" };
    expect(alternativeMappings([xliff]).map(({ code, files: [entry] }) => [code, entry?.namespace])).toEqual([
      ["namespace-in-key", "*"],
      ["no-namespace", "*"],
      ["file-namespace", "{namespace}"],
    ]);
  });

  test.each<[FilesEntry, readonly string[]]>([
    [
      { path: "locale/{locale}/LC_MESSAGES/{namespace}.po", format: "po" },
      ["namespace-in-key", "no-namespace"],
    ],
    [{ path: "languages/shop.pot", format: "pot" }, ["file-namespace"]],
    [{ path: "i18n/shop.{locale}.json", format: "json_js" }, ["default-namespace"]],
    [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }, ["namespace-in-key", "no-namespace"]],
    [{ path: "lang/{namespace}/{locale}.json", format: "laravel_json" }, []],
    [{ path: "texts.csv", format: "csv" }, ["no-namespace"]],
  ])("offers what fits to %j", (entry, codes) => {
    expect(alternativeMappings([entry]).map(({ code }) => code)).toEqual(codes);
  });

  test("offers the path's namespaces if the mapping has others", () => {
    const given = [{ ...php, namespace: "*" }];
    expect(alternativeMappings(given).map(({ code }) => code)).toEqual(["as-proposed", "namespace-in-key"]);
  });
});
