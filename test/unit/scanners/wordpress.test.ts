/** WordPress functions in PHP and JavaScript: arguments, text domains, and texts outside of calls. */
import { describe, expect, test } from "vitest";
import type { FindOptions } from "../../../src/scanners/key-usage.ts";
import { find, options } from "./marked.ts";

/** `key|namespaces|context|plural` of each use. */
function foundTexts(
  language: string,
  text: string,
  given: FindOptions = options(["wordpress"]),
): readonly string[] {
  return find(language, text, given).map(({ expression, namespaces, context, plural }) =>
    [
      expression.kind === "static" ? expression.key : `${expression.prefix}*${expression.suffix}`,
      namespaces === null ? "-" : namespaces === "unknown" ? "?" : namespaces.join(","),
      context ?? "-",
      plural ? "n" : "1",
    ].join("|"),
  );
}

function withDomains(...domains: readonly string[]): FindOptions {
  return { ...options(["wordpress"]), domains: new Set(domains) };
}

describe("arguments", () => {
  test.each("__ _e esc_attr__ esc_html__ esc_xml__ esc_attr_e esc_html_e esc_xml_e _ _c".split(" "))(
    "%s(text, domain)",
    (name) => {
      expect(foundTexts("php", `<?php ${name}( 'a', 'shop' );`)).toEqual(["a|shop|-|1"]);
    },
  );

  test.each("_x _ex esc_attr_x esc_html_x esc_xml_x".split(" "))("%s(text, context, domain)", (name) => {
    expect(foundTexts("php", `<?php ${name}( 'a', 'verb', 'shop' );`)).toEqual(["a|shop|verb|1"]);
  });

  test.each([
    ["_n( 'a', 'as', $n, 'shop' )", "a|shop|-|n"],
    ["_nc( 'a', 'as', $n, 'shop' )", "a|shop|-|n"],
    ["__ngettext( 'a', 'as', $n, 'shop' )", "a|shop|-|n"],
    ["_nx( 'a', 'as', $n, 'noun', 'shop' )", "a|shop|noun|n"],
    ["_n_noop( 'a', 'as', 'shop' )", "a|shop|-|n"],
    ["__ngettext_noop( 'a', 'as', 'shop' )", "a|shop|-|n"],
    ["_nx_noop( 'a', 'as', 'noun', 'shop' )", "a|shop|noun|n"],
    ["_x( context: 'noun', text: 'a', domain: 'shop' )", "a|shop|noun|1"],
    ["_n( number: 2, single: 'a', plural: 'as', domain: 'shop' )", "a|shop|-|n"],
    ["__( 'a' . ' b', SHOP_DOMAIN )", "a b|?|-|1"],
    ["__( 'a', $this->domain )", "a|?|-|1"],
    ["__( 'a' )", "a|-|-|1"],
    ["esc_html( 'a', 'shop' )", undefined],
    ["translate( 'a', 'shop' )", undefined],
  ])("%s in PHP", (call, expected) => {
    expect(foundTexts("php", `<?php echo ${call};`)).toEqual(expected === undefined ? [] : [expected]);
  });

  test.each([
    ["__( 'a', 'shop' )", "a|shop|-|1"],
    ["wp.i18n._x( 'a', 'verb', 'shop' )", "a|shop|verb|1"],
    ["i18n._n( 'a', 'as', n, 'shop' )", "a|shop|-|n"],
    ["_nx( 'a', 'as', n, 'noun', 'shop' )", "a|shop|noun|n"],
    ["hasTranslation( 'a', 'verb', 'shop' )", "a|shop|verb|1"],
    ["sprintf( __( `a`, 'shop' ), x )", "a|shop|-|1"],
    ["esc_html__( 'a', 'shop' )", undefined],
  ])("%s in JavaScript", (call, expected) => {
    expect(foundTexts("javascript", `${call};`)).toEqual(expected === undefined ? [] : [expected]);
  });

  test.each([
    `import { __ } from '@wordpress/i18n'; __( 'a', 'shop' )`,
    `import { __ as translate } from '@wordpress/i18n'; translate( 'a', 'shop' )`,
    `const { __ } = wp.i18n; __( 'a', 'shop' )`,
    `const { __: translate } = wp.i18n; translate( 'a', 'shop' )`,
    `const __ = wp.i18n.__; __( 'a', 'shop' )`,
    `const translate = wp.i18n.__; translate( 'a', 'shop' )`,
    `import * as i18n from '@wordpress/i18n'; i18n.__( 'a', 'shop' )`,
    `<Button label={ __( 'a', 'shop' ) } />`,
  ])("%s", (text) => {
    expect(foundTexts("javascriptreact", text)).toEqual(["a|shop|-|1"]);
  });
});

describe("text domains", () => {
  const text = `__( 'a', 'shop' ); __( 'b', 'woocommerce' ); __( 'c' ); __( 'd', domain ); _x( 'e', 'f', 'shop' )`;

  test("ignore calls for another domain", () => {
    const expected = ["a|shop|-|1", "c|?|-|1", "d|?|-|1", "e|shop|f|1"];
    expect(foundTexts("javascript", text, withDomains("shop"))).toEqual(expected);
    expect(foundTexts("php", `<?php ${text.replace("domain", "$domain")};`, withDomains("shop"))).toEqual(
      expected,
    );
  });

  test("include several projects' domains and WordPress's own", () => {
    expect(foundTexts("javascript", text, withDomains("shop", "woocommerce"))).toHaveLength(5);
    expect(foundTexts("javascript", text, withDomains("default"))).toEqual(["c|-|-|1", "d|?|-|1"]);
  });

  test("use the namespace without a header", () => {
    expect(foundTexts("javascript", text)).toEqual([
      "a|shop|-|1",
      "b|woocommerce|-|1",
      "c|-|-|1",
      "d|?|-|1",
      "e|shop|f|1",
    ]);
  });

  test("are absent for configured functions", () => {
    const own = { ...withDomains("shop"), functions: [{ name: "tr", key: 0 }] };
    expect(foundTexts("php", `<?php tr( 'a', 'other' );`, own)).toEqual(["a|-|-|1"]);
  });
});

test("does not read an array as domain in a project of WordPress and Laravel", () => {
  const both = options(["wordpress", "laravel"]);
  expect(
    foundTexts(
      "php",
      `<?php __( 'a', [ 'b' => 1 ] ); __( 'c', array( 1 ) ); __( 'd', 'shop' ); trans( 'e' );`,
      both,
    ),
  ).toEqual(["a|-|-|1", "c|-|-|1", "d|shop|-|1", "e|-|-|1"]);
});

describe("texts outside of calls", () => {
  test("include plugin headers", () => {
    const text = `<?php\n/**\n * Plugin Name:  My Shop\n * Version: 1\n * Description: It's a shop. */\n/* Author: Me */ // Text Domain: x\n`;
    expect(foundTexts("php", text)).toEqual(["My Shop|-|-|1", "It's a shop.|-|-|1", "Me|-|-|1"]);
    const uses = find("php", text, options(["wordpress"]));
    expect(uses.map(({ keySpan }) => text.slice(keySpan.start, keySpan.end))).toEqual([
      "My Shop",
      "It's a shop.",
      "Me",
    ]);
  });

  test("include every field of plugins and themes that wp-cli extracts, up to the end of the comment or code", () => {
    const fields = (name: string): string =>
      `${name} Name: A ?> x\n${name} URI: B\nDescription: C\nAuthor: D\nAuthor URI: E\nVersion: 1`;
    const found = ["A|-|-|1", "B|-|-|1", "C|-|-|1", "D|-|-|1", "E|-|-|1"];
    expect(foundTexts("php", `<?php\n/*\n${fields("Plugin")}\n*/`)).toEqual(found);
    expect(foundTexts("style.css", `/*\n${fields("Theme")}\n*/`)).toEqual(found);
  });

  test("include fields in other case and after the signs of comments", () => {
    expect(foundTexts("php", `<?php # @plugin name: A\n// DESCRIPTION: B\n\t * author: C`)).toEqual([
      "A|-|-|1",
      "B|-|-|1",
      "C|-|-|1",
    ]);
    expect(foundTexts("php", `<?php // The Plugin Name: A`)).toEqual([]);
  });

  test("exclude headers of bundled themes", () => {
    const own = withDomains("dark");
    expect(foundTexts("style.css", `/*\nTheme Name: Twenty Two\n*/`, own)).toEqual([]);
    expect(foundTexts("style.css", `/*\nTheme Name: Dark\n*/`, own)).toEqual(["Dark|-|-|1"]);
  });

  test("have the header's domain", () => {
    expect(foundTexts("php", `<?php\n/*\nPlugin Name: A\nText Domain: shop\n*/\n__('b', 'shop');`)).toEqual([
      "A|shop|-|1",
      "b|shop|-|1",
    ]);
  });

  test("include headers in the first 8,192 characters", () => {
    const text = (before: number): string => `<?php\n${" ".repeat(before)}\n/* Plugin Name: A */`;
    const last = 8_192 - text(0).length + "A */".length;
    expect(foundTexts("php", text(last - 4))).toEqual(["A|-|-|1"]);
    expect(foundTexts("php", text(last))).toEqual([]);
  });

  test("exclude headers of bundled plugins", () => {
    const own = withDomains("shop");
    expect(foundTexts("php", `<?php\n/*\nPlugin Name: A\nText Domain: shop\n*/`, own)).toEqual([
      "A|shop|-|1",
    ]);
    expect(foundTexts("php", `<?php\n/*\nPlugin Name: Action Scheduler\n*/`, own)).toEqual([]);
    expect(foundTexts("php", `<?php\n/*\nPlugin Name: Shop\n*/`, own)).toEqual(["Shop|-|-|1"]);
    expect(foundTexts("php", `<?php\n/*\nPlugin Name: B\nText Domain: other\n*/`, own)).toEqual([]);
    const spaced = { ...own, domains: new Set(["my-shop-2"]) };
    expect(foundTexts("php", `<?php\n/*\nPlugin Name: My - Shop 2\n*/`, spaced)).toEqual([
      "My - Shop 2|-|-|1",
    ]);
    expect(foundTexts("php", `<?php /* Template Name: Full width */ ?>`, own)).toEqual(["Full width|-|-|1"]);
  });

  test("include headers of themes, templates and patterns", () => {
    expect(
      foundTexts("style.css", `/*\nTheme URI: https://a.example\nTheme Name: Dark\nTags: x\n*/`),
    ).toEqual(["https://a.example|-|-|1", "Dark|-|-|1"]);
    expect(foundTexts("php", `<?php /* Template Name: Full width */ ?>`)).toEqual(["Full width|-|-|1"]);
    expect(
      foundTexts("php", `<?php\n/**\n * Title: Hero\n * Slug: dark/hero\n * Description: Big\n */`),
    ).toEqual(["Hero|-|Pattern title|1", "Big|-|Pattern description|1"]);
    expect(
      foundTexts("php", `<?php\n// Title: no pattern\n// Slug: hero\n// Description: of anything`),
    ).toEqual([]);
  });

  test("include block.json", () => {
    const text = JSON.stringify({
      title: "Card",
      description: 'A "card".',
      keywords: ["a", "b"],
      textdomain: "shop",
      styles: [{ name: "x", label: "Round" }],
      variations: [{ title: "Small" }],
      category: "widgets",
    });
    expect(foundTexts("src/card/block.json", text)).toEqual([
      "Card|shop|block title|1",
      'A "card".|shop|block description|1',
      "a|shop|block keyword|1",
      "b|shop|block keyword|1",
      "Round|shop|block style label|1",
      "Small|shop|block variation title|1",
    ]);
    expect(foundTexts("block.json", text, withDomains("other"))).toEqual([]);
    expect(foundTexts("block.json", text, options(["laravel"]))).toEqual([]);
    expect(foundTexts("block.json", "{ half")).toEqual([]);
  });

  test("handle block.json without domain or with other values", () => {
    expect(foundTexts("block.json", `{ "title": "A" }`)).toEqual(["A|-|block title|1"]);
    expect(foundTexts("block.json", `{ "title": "A", "textdomain": "" }`)).toEqual(["A|-|block title|1"]);
    expect(foundTexts("block.json", `{ "title": "A", "textdomain": 5 }`, withDomains("shop"))).toEqual([
      "A|-|block title|1",
    ]);
    expect(
      foundTexts(
        "block.json",
        `{ "title": 1, "description": "", "keywords": "a", "styles": [{ "label": {} }, "b"] }`,
      ),
    ).toEqual([]);
    expect(foundTexts("block.json", "[]")).toEqual([]);
  });

  test("include theme.json", () => {
    const text = `{ "settings": { "color": { "palette": [{ "slug": "x", "name": "Red" }] }, "blocks": { "core/a": { "color": { "duotone": [{ "name": "Two" }] } } } }, "customTemplates": [{ "name": "y", "title": "Blank" }] }`;
    expect(foundTexts("theme.json", text)).toEqual([
      "Red|-|Color name|1",
      "Two|-|Duotone name|1",
      "Blank|-|Custom template name|1",
    ]);
  });

  test("include every member of theme.json and block.json that wp-cli extracts", () => {
    const named = (name: string): readonly object[] => [{ slug: "x", name }];
    const settings = {
      typography: { fontSizes: named("Big"), fontFamilies: named("Serif") },
      color: { palette: named("Red"), gradients: named("Sunset"), duotone: named("Two"), x: named("no") },
      spacing: { spacingSizes: named("Wide") },
      dimensions: { aspectRatios: named("Square"), dimensionSizes: named("Small") },
      shadow: { presets: named("Soft") },
      border: { radiusSizes: named("Round") },
    };
    const contexts = [
      "Big|-|Font size name|1",
      "Serif|-|Font family name|1",
      "Red|-|Color name|1",
      "Sunset|-|Gradient name|1",
      "Two|-|Duotone name|1",
      "Wide|-|Space size name|1",
      "Square|-|Aspect ratio name|1",
      "Small|-|Dimension size name|1",
      "Soft|-|Shadow name|1",
      "Round|-|Border radius size name|1",
    ];
    const theme = {
      title: "Dark",
      description: "A dark one",
      settings: { ...settings, blocks: { "core/a": settings } },
      customTemplates: [{ name: "y", title: "Blank" }],
      templateParts: [{ name: "z", title: "Header" }],
    };
    expect(foundTexts("theme.json", JSON.stringify(theme))).toEqual([
      "Dark|-|Style variation name|1",
      "A dark one|-|Style variation description|1",
      ...contexts,
      ...contexts,
      "Blank|-|Custom template name|1",
      "Header|-|Template part name|1",
    ]);
    const variation = { name: "v", title: "A", description: "B", keywords: ["c", "d"] };
    expect(foundTexts("block.json", JSON.stringify({ variations: [variation] }))).toEqual([
      "A|-|block variation title|1",
      "B|-|block variation description|1",
      "c|-|block variation keyword|1",
      "d|-|block variation keyword|1",
    ]);
  });

  test("exist only in WordPress projects", () => {
    expect(find("php", `<?php /* Plugin Name: A */`, options(["laravel"]))).toEqual([]);
    expect(find("style.css", `/* Theme Name: A */`, options())).toEqual([]);
  });
});
