/** Links in texts, by the syntax of the project's frameworks, and the keys that they mean. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { linkMarkers, linksIn, resolveLink } from "../../../../src/workspace/usages/text-links.ts";
import { createKeyNames } from "../../support/key-database.ts";
import { keyOf } from "../../support/source-folder.ts";

const under = (...frameworks: readonly FrameworkName[]) => ({ frameworks: new Set(frameworks) });
const TEXT = "See @:cart.title and $t(shop.total).";

test.each<
  readonly [frameworks: readonly FrameworkName[], links: readonly string[], markers: readonly string[]]
>([
  [["i18next"], ["shop.total"], ["$t("]],
  [["vue-i18n"], ["cart.title"], ["@"]],
  [
    ["vue-i18n", "i18next"],
    ["shop.total", "cart.title"],
    ["$t(", "@"],
  ],
  [["laravel"], [], []],
  [["laravel", "i18next"], ["shop.total"], ["$t("]],
])("a text has the links of %j", (frameworks, links, markers) => {
  expect(linksIn(TEXT, under(...frameworks)).map(({ key }) => key)).toEqual(links);
  expect(linkMarkers(under(...frameworks))).toEqual(markers);
});

test("a text has links in every syntax where no framework is known", () => {
  expect(
    linksIn(TEXT, under())
      .map(({ key, span }) => `${key}: ${TEXT.slice(span.start, span.end)}`)
      .sort(),
  ).toEqual(["cart.title: cart.title", "shop.total: shop.total"]);
  expect(linkMarkers(under())).toEqual(expect.arrayContaining(["@", "$t("]));
});

test("a link has the delimiters of the project", () => {
  const options = { ...under("i18next"), nesting: { prefix: "[[", suffix: "]]" } };
  expect(linksIn("[[cart.title]] $t(shop.total)", options).map(({ key }) => key)).toEqual(["cart.title"]);
  expect(linkMarkers(options)).toEqual(["[["]);
});

test("a link means the key in the namespace of its text, or else what a call without one means", () => {
  const names = createKeyNames(
    ["shop|brand", "translation|brand", "translation|name", "cart|other", "shop|item_one"].map(keyOf),
  );
  const found = (text: string, namespace: string): string | undefined => {
    const [link] = linksIn(text, under("i18next"));
    const owner = { namespace, key: "tip", context: null };
    return link && resolveLink(link, owner, names, under("i18next"))?.key.hash;
  };
  expect(found("$t(brand)", "shop")).toBe("shop|brand");
  expect(found("$t(brand)", "cart")).toBe("translation|brand");
  expect(found("$t(name)", "shop")).toBe("translation|name");
  expect(found("$t(other)", "shop")).toBeUndefined();
  expect(found("$t(cart:other)", "shop")).toBe("cart|other");
  // The count of the call that shows the text may be any.
  expect(found("$t(item)", "shop")).toBe("shop|item_one");
});
