/** Detects format, language and namespace from a file's path and beginning. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { otherFormat, detectFromContent, detectFromPath } from "../../../src/formats/detect-format.ts";

const XLIFF = (version: string): string => `<?xml version="1.0"?>\n<xliff version="${version}" srcLang="en">`;
const JED = '{"translation-revision-date":"","domain":"messages","locale_data":{"messages":{"":{}}}}';
const WORDPRESS =
  "<?php\nreturn ['domain'=>NULL,'plural-forms'=>'nplurals=2; plural=n != 1;','messages'=>['a'=>'b']];";
const LARAVEL = "<?php return ['messages' => ['hi' => 'Hi'], 'language' => 'Language'];";
const MD5 = "0123456789abcdef0123456789abcdef";

describe("detectFromContent", () => {
  test.each([
    ["lang\\nl.json", '{ "A sentence.": "Een zin." }', "laravel_json"],
    ["lang/nl.json", '{ "A sentence.": "Een zin." }', "laravel_json"],
    ["lang/nl.json", '{ "cart": { "title": "x" } }', "json_js"],
    ["lang/nl.json", JED, "wordpress_jed"],
    ["lang/nl.json", `{"a":{"b":{}},"c":[{}],${JED.slice(1)}`, "wordpress_jed"],
    ["languages/nl.php", WORDPRESS.replace("plural-forms", "Plural-Forms"), "wordpress_php"],
    ["languages/nl.php", "<?php return ['X-Generator' => 'WP', 'messages' => array()];", "wordpress_php"],
    ["src/locales/nl.json", '{ "a": "x" }', "json_js"],
    ["lang/nl.json", '{ "a": { "locale_data": {} } }', "json_js"],
    ["lang/nl.json", '{ "a": ["b"], "locale_data": {} }', "wordpress_jed"],
    ["src/locales/nl.ts", "const b = { c: 1 };\nconst nl = { a: 1 };\nexport default nl;", "js_module"],
    ["src/locales/nl.json", '["a", "b"]', "json_js"],
    ["lang/nl.json", '["a", "b"]', "json_js"],
    ["lang/nl.json", String.raw`{ "a": "\"{", "b": "c" }`, "laravel_json"],
    ["src/locales/nl.json", '{ "locale_data": [] }', "json_js"],
    [`languages/shop-nl_NL-${MD5}.json`, JED, "wordpress_jed"],
    [`languages/shop-nl_NL-${MD5}.json`, '{ "locale_data": "a text", "{": "}" }', "json_js"],
    ["languages/shop-nl_NL-script.json", JED, "wordpress_jed"],
    ["lang/nl/auth.php", LARAVEL, "laravel_php"],
    ["languages/shop-nl_NL.php", WORDPRESS, "wordpress_php"],
    ["languages/shop-nl_NL.l10n.php", WORDPRESS, "wordpress_php"],
    ["languages/shop-nl_NL.l10n.php", "<?php return ['messages' => ['a' => 'b']];", "wordpress_php"],
    ["lang/nl/x.l10n.php", "<?php return ['a' => 'b'];", "laravel_php"],
    ["translations/messages.nl.xlf", XLIFF("1.2"), "xliff12"],
    ["translations/messages.nl.xlf", XLIFF("2.0"), "xliff20"],
    ["translations/messages.nl.xliff", XLIFF("2.1"), "xliff20"],
    ["a/nl.xlf", '<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:2.0">', "xliff20"],
    ["a/nl.xlf", "<xliff>", "xliff12"],
    ["locale/nl/LC_MESSAGES/shop.po", 'msgid ""\nmsgstr ""\n', "po"],
    ["a/nl.po", '# A comment\n  msgid\t"a"\n', "po"],
    ["src/locales/nl.ts", 'export default { a: "x" } as const;', "js_module"],
    [
      "src/locales/nl.ts",
      'import type { M } from "x";\nconst nl: M = { a: "x" };\nexport default nl;',
      "js_module",
    ],
    ["src/locales/nl.ts", "export default defineLocale({ a: 1 })", "js_module"],
    ["src/locales/nl.ts", "export default defineI18nLocale(() => ({ a: 'x' }))", "js_module"],
    [
      "src/locales/nl.ts",
      "export default defineI18nLocale(async (locale): Promise<M> => {\n  return { a: 'x' };\n})",
      "js_module",
    ],
    ["src/locales/nl.ts", "export default () => ({ a: 'x' })", "js_module"],
    ["src/locales/nl.ts", "export default function () { return { a: 'x' }; }", "js_module"],
    ["src/locales/nl.js", "module.exports = freeze(function () { return { a: 'x' }; });", "js_module"],
    ["src/locales/nl.ts", "const nl = defineLocale(() => ({ a: 'x' }));\nexport default nl;", "js_module"],
    ["src/locales/nl.ts", "export const messages = {\n  a: 'x' }", "js_module"],
    ["src/locales/nl.ts", "export  const   nl  :  Messages<A,  B>  =   { a: 1 }", "js_module"],
    ["src/locales/nl.ts", "export let n={}", "js_module"],
    ["src/locales/nl.ts", "export var\nmessages\n=\n{", "js_module"],
    ["src/locales/nl.ts", "const  nl  :  M  =  { a: 1 }; export  default  nl", "js_module"],
    ["src/locales/nl.ts", "export default ( ( { a: 1 } ) )", "js_module"],
    ["src/locales/nl.ts", "const nl = { a: 1 };\nexport = nl;", "js_module"],
    ["src/locales/nl.cjs", "const nl = { a: 1 };\nmodule.exports = nl;", "js_module"],
    ["src/locales/nl.cjs", "module . exports  =  freeze ( { a: 1 } )", "js_module"],
    ["src/locales/nl.cjs", "'use strict';\nmodule.exports = {a: 'x'};", "js_module"],
    ["src/locales/nl.js", "exports.nl = {a: 'x'};", "js_module"],
    ["translations.csv", "anything", "csv"],
  ])("%s: %s", (path, head, format) => {
    expect(detectFromContent(path, head)?.format).toBe(format);
  });

  test.each([
    ["lang/nl.json", "nonsense"],
    ["lang/nl/auth.php", "Not Found"],
    ["a/nl.xlf", "<html>"],
    ["a/nl.po", "# nothing\n"],
    ["a/nl.po", '# of msgid "a"\nxmsgid "a"\nmsgids\n'],
    ["src/locales/nl.ts", "export function load() { return { a: 1 }; }"],
    ["src/locales/nl.ts", "const x = { a: 1 };\nuse(x);"],
    ["src/locales/nl.ts", "export const nl = load({ a: 1 });"],
    ["src/locales/nl.ts", "export const nl: { a: 1 } = load();"],
    ["src/locales/nl.ts", "const nl = { a: 1 }; export default de;"],
    ["src/locales/nl.ts", "exporting const nl = { a: 1 }"],
    ["qt/app_nl.ts", '<?xml version="1.0"?>\n<!DOCTYPE TS><TS version="2.1">'],
    ["src/locales/nl.ts", "export default defineConfig(() => load())"],
    ["src/locales/nl.ts", "<script>\nexport default { a: 1 };\n</script>"],
    ["README.md", "{}"],
  ])("does not recognise %s with %s", (path, head) => {
    expect(detectFromContent(path, head)).toBeNull();
  });

  test("returns language and namespace of the detected format", () => {
    expect(detectFromContent("languages/shop-nl_NL-my-script.json", JED)).toEqual({
      format: "wordpress_jed",
      locale: "nl_NL",
      namespace: "shop",
    });
    expect(detectFromContent("languages/my-shop-nl.php", WORDPRESS)).toEqual({
      format: "wordpress_php",
      locale: "nl",
      namespace: "my-shop",
    });
    expect(detectFromPath("translations/nl.xlf")).toEqual({
      format: "xliff12",
      locale: "nl",
      namespace: null,
    });
  });

  test("reads only the start of a long file", () => {
    const long = `const nl = {\n${'  key: "text",\n'.repeat(200_000)}};\nexport default nl;`;
    expect(detectFromContent("src/nl.ts", long)?.format).toBe("js_module");
    expect(detectFromContent("src/nl.ts", "const a = 1;\n".repeat(20_000))).toBeNull();
    expect(detectFromContent("src/nl.ts", 'const a = { b: "c" };\n')).toBeNull();
    expect(detectFromContent("lang/nl.json", '{"a":'.repeat(200_000))?.format).toBe("json_js");
    expect(detectFromContent("a/nl.xlf", "<".repeat(500_000))).toBeNull();
  });
});

describe("otherFormat", () => {
  test.each([
    ["json_js", "lang/nl.json", JED, "wordpress_jed"],
    ["wordpress_jed", "lang/nl.json", '{ "a": "b" }', "json_js"],
    ["laravel_json", "i18n/nl.json", '{ "a": { "b": "c" } }', "json_js"],
    ["laravel_php", "languages/nl.php", WORDPRESS, "wordpress_php"],
    ["xliff12", "a/nl.xlf", XLIFF("2.0"), "xliff20"],
    ["json_js", "a/nl.po", 'msgid ""', "po"],
    ["csv", "a/nl.json", '{ "a": "b" }', "json_js"],
  ] as const)("returns %s for %s", (given, path, head, other) => {
    expect(otherFormat(given, path, head)).toBe(other);
  });

  test.each([
    ["json_js", "lang/nl.json", '{ "a": "b" }'],
    ["laravel_json", "i18n/nl.json", '{ "a": "b" }'],
    ["po", "a/shop.pot", 'msgid ""'],
    ["json_js", "a/nl.json", "nonsense"],
    ["csv", "a/export.txt", "key;nl"],
  ] as const)("accepts %s for %s with %s", (given, path, head) => {
    expect(otherFormat(given, path, head)).toBeNull();
  });
});

describe("detectFromPath", () => {
  test.each([
    ["lang/nl/auth.php", "laravel_php nl auth"],
    ["lang/nl/admin/users.php", "laravel_php nl admin/users"],
    ["lang/vendor/pkg/nl/messages.php", "laravel_php nl pkg::messages"],
    ["vendor/pkg/lang/nl/messages.php", "laravel_php nl messages"],
    ["lang/nl.json", "laravel_json nl -"],
    ["lang/{locale}.json", "laravel_json - -"],
    ["lang/messages.json", "json_js - messages"],
    ["lang/sub/nl.json", "json_js nl -"],
    ["src/locales/nl.json", "json_js nl -"],
    ["src/locales/nl.administration.json", "json_js nl administration"],
    ["src/locales/shop.nl.json", "json_js nl shop"],
    ["messages/.nl.json", "json_js - .nl"],
    ["src/locales/nl.administration.texts.json", "json_js nl administration.texts"],
    ["src/locales/shop.texts.json", "json_js - shop.texts"],
    ["src\\locales\\nl\\shop.json", "json_js nl shop"],
    ["app/dev/texts.json", "json_js - texts"],
    ["nl/de/texts.json", "json_js de texts"],
    ["src/i18n/nl.ts", "js_module nl -"],
    ["src/i18n/nl.MJS", "js_module nl -"],
    ["locale/nl/LC_MESSAGES/shop.po", "po nl shop"],
    ["languages/shop-nl_NL.po", "po nl_NL shop"],
    ["languages/my-shop.po", "po - my-shop"],
    ["languages/my-shop-zh-Hans.po", "po zh-Hans my-shop"],
    ["languages/shop-pt-BR.mo", "mo pt-BR shop"],
    ["languages/nl_NL.po", "po nl_NL -"],
    ["languages/sr@latin.po", "po sr@latin -"],
    ["languages/shop.nl.po", "po nl shop"],
    ["languages/shop.pot", "pot - shop"],
    ["languages/shop-nl_NL.l10n.php", "wordpress_php nl_NL shop"],
    [`languages/shop-nl_NL-${MD5}.json`, "wordpress_jed nl_NL shop"],
    [`languages/nl_NL-${MD5}.json`, "wordpress_jed nl_NL -"],
    [`languages/shop-nl_NL-${MD5}0.json`, "json_js - shop-nl_NL-0123456789abcdef0123456789abcdef0"],
    ["translations/messages.nl.xlf", "xliff12 nl -"],
    ["translations/nl/messages.xliff", "xliff12 nl -"],
    ["translations/nl.xliff", "xliff12 nl -"],
    ["de/messages.nl.xlf", "xliff12 nl -"],
    ["translations/messages.xliff", "xliff12 - -"],
    ["nl/export.csv", "csv - -"],
    ["nl/export.xlsx", "xlsx - -"],
    ["nl.txt", "none"],
    ["nl/php", "none"],
  ])("%s: %s", (path, said) => {
    const found = detectFromPath(path);
    expect(found === null ? "none" : `${found.format} ${found.locale ?? "-"} ${found.namespace ?? "-"}`).toBe(
      said,
    );
  });

  test("takes no common name of a folder for a language", () => {
    const folders = "app src lib web api bin doc pkg cms dev".split(" ");
    expect(folders.map((folder) => detectFromPath(`${folder}/texts.json`)?.locale)).toEqual(
      folders.map(() => null),
    );
  });

  test("recognises a script handle after the language", () => {
    const placeOf = (name: string): unknown => {
      const found = detectFromContent(`languages/${name}.json`, JED);
      return [found?.locale, found?.namespace];
    };
    expect(placeOf("shop-nl_NL-my-script")).toEqual(["nl_NL", "shop"]);
    expect(placeOf("my-shop-nl-my-script")).toEqual(["nl", "my-shop"]);
    expect(placeOf("my-de-shop-nl_NL-x")).toEqual(["nl_NL", "my-de-shop"]);
    expect(placeOf("shop")).toEqual([null, "shop"]);
    expect(placeOf("nl/shop")).toEqual(["nl", "shop"]);
  });
});

test("recognises Nuxt's function of a locale", () => {
  const path = join(import.meta.dirname, "../../fixtures/frameworks/nuxt-locale-function.en.ts");
  expect(detectFromContent("i18n/locales/en.ts", readFileSync(path, "utf8"))?.format).toBe("js_module");
});
