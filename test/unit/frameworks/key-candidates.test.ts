/** The names that a written key may have, in the order in which they are looked up: frameworks without a program to ask. */
import { expect, test } from "vitest";
import type { KeyConventions, WrittenKey } from "../../../src/frameworks/framework.ts";
import { domainCandidates, pathCandidates } from "../../../src/frameworks/key-candidates.ts";
import { formatjs } from "../../../src/frameworks/formatjs.ts";
import { generatedId, lingui } from "../../../src/frameworks/lingui.ts";
import { nextIntl } from "../../../src/frameworks/next-intl.ts";
import { laravel } from "../../../src/frameworks/laravel.ts";
import { symfony } from "../../../src/frameworks/symfony.ts";
import { transloco } from "../../../src/frameworks/transloco.ts";
import type { KeyName } from "../../../src/model/key-hash.ts";

const CALL: WrittenKey = { namespaces: null, keyPrefix: "", context: null };
type Candidates = (
  usage: WrittenKey,
  key: string,
  conventions: KeyConventions,
  isPartial: boolean,
) => Iterable<KeyName>;

const paths = pathCandidates(["translation", "*"]);
const shown = (found: Iterable<KeyName>): string[] =>
  Array.from(
    found,
    ({ namespace, key, context }) => `${namespace} ${key}${context === null ? "" : ` (${context})`}`,
  );

test.each<[string, Candidates, Partial<WrittenKey>, string, KeyConventions, readonly string[]]>([
  ["its default namespaces", paths, {}, "save", {}, ["translation save", "* save"]],
  [
    "its context before none",
    paths,
    { context: "male" },
    "save",
    { defaultNamespaces: ["a"] },
    ["a save (male)", "a save"],
  ],
  [
    "its own namespace, which the binding does not change, and then its prefix",
    paths,
    { namespaces: ["shop"], keyPrefix: "cart" },
    "common:save",
    {},
    ["shop cart.common:save", "common save", "common cart.save", "* common.save", "* shop.cart.common:save"],
  ],
  [
    "those of the binding in their order, with its separator",
    paths,
    { namespaces: ["a", "b"], keyPrefix: "cart" },
    "save",
    { keySeparator: "/" },
    ["a cart/save", "b cart/save", "* a/cart/save", "* b/cart/save"],
  ],
  [
    "its prefix and a dot where keys have no separator",
    paths,
    { namespaces: ["a"], keyPrefix: "shop" },
    "title",
    { keySeparator: false },
    ["a shop.title", "* a.shop.title"],
  ],
  [
    "the fallback namespaces last",
    paths,
    {},
    "save",
    { fallbackNamespaces: ["common"] },
    ["translation save", "* save", "common save"],
  ],
  [
    "the fallback namespaces without its own",
    paths,
    {},
    "shop:save",
    { defaultNamespaces: ["app"], fallbackNamespaces: ["common"] },
    ["app shop:save", "shop save", "* shop.save", "common save", "common shop:save"],
  ],
  [
    "no fallback namespace where these are calculated",
    paths,
    {},
    "save",
    { fallbackNamespaces: "all" },
    ["translation save", "* save"],
  ],
  [
    "no namespace where they are not separated",
    paths,
    {},
    "a:b",
    { namespaceSeparator: false },
    ["translation a:b", "* a:b"],
  ],
  [
    "a group before the project's own separator",
    paths,
    {},
    "cart/it.em",
    { keySeparator: "/" },
    ["translation cart/it.em", "* cart/it.em", "cart it.em"],
  ],
  [
    "no group without a separator",
    paths,
    {},
    "cart.save",
    { keySeparator: false },
    ["translation cart.save", "* cart.save"],
  ],
  ["no namespace before a colon at the start", paths, {}, ":save", {}, ["translation :save", "* :save"]],
  [
    "an item of a list",
    paths,
    {},
    "cart.items[0].name",
    {},
    ["translation cart.items[0].name", "* cart.items[0].name", "cart items[0].name", "* cart.items.0.name"],
  ],
  [
    "the namespace before a separator of two signs",
    paths,
    {},
    "shop::save",
    { namespaceSeparator: "::" },
    ["translation shop::save", "* shop::save", "shop save", "* shop.save"],
  ],
  [
    "items of two lists",
    paths,
    {},
    "rows[0][12]",
    {},
    ["translation rows[0][12]", "* rows[0][12]", "* rows.0.12"],
  ],
  [
    "a member in brackets",
    paths,
    {},
    `cart["a-b"].name`,
    {},
    [`translation cart["a-b"].name`, `* cart["a-b"].name`, `cart["a-b"] name`, "* cart.a-b.name"],
  ],
  ["Transloco: no namespace before a colon", transloco.keys.candidates, {}, "Note: a", {}, ["* Note: a"]],
  [
    "the domain with the context, and then none",
    domainCandidates,
    { namespaces: ["shop"], context: "menu" },
    "Open",
    {},
    ["shop Open (menu)", "* Open (menu)"],
  ],
  [
    "Laravel: the whole key, then the group, also with a folder",
    laravel.keys.candidates,
    {},
    "/admin//cart.items.title",
    {},
    ["* /admin//cart.items.title", "/admin//cart items.title", "admin/cart items.title"],
  ],
  [
    "Laravel: of the project's own package, then of others",
    laravel.keys.candidates,
    {},
    "shop::cart.title",
    { packageNames: ["shop"] },
    ["* shop::cart.title", "* cart.title", "cart title", "shop::cart title"],
  ],
  [
    "Symfony: the domain, and that of ICU messages",
    symfony.keys.candidates,
    { namespaces: ["shop"] },
    "cart.title",
    {},
    ["shop cart.title", "shop+intl-icu cart.title", "* cart.title"],
  ],
  [
    "Transloco: the scope, also with a language behind it",
    transloco.keys.candidates,
    { namespaces: ["todo-page/en"] },
    "title",
    {},
    ["todo-page title", "* todoPage.title", "* title"],
  ],
  [
    "Transloco: signs that no name has, and a name of one word",
    transloco.keys.candidates,
    { namespaces: ["my_todo page"] },
    "todos.title",
    {},
    ["my_todo page todos.title", "* mytodoPage.todos.title", "* todos.title", "todos title"],
  ],
  [
    "Transloco: a scope of two folders is no language",
    transloco.keys.candidates,
    { namespaces: ["admin/todos"] },
    "title",
    {},
    ["admin/todos title", "* adminTodos.title", "* title"],
  ],
  [
    "Transloco: a language beside a scope does not make it one",
    transloco.keys.candidates,
    { namespaces: ["en", "todos"] },
    "title",
    {},
    ["en title", "* en.title", "todos title", "* todos.title", "* title"],
  ],
  [
    "Transloco: the scope of an alias before those whose names are written so, and the alias of a given scope",
    transloco.keys.candidates,
    { namespaces: ["menu-bar"] },
    "todosPage.title",
    { namespaceAliases: { todosPage: "x", menu: "menu-bar" } },
    [
      "menu-bar todosPage.title",
      "* menu.todosPage.title",
      "* todosPage.title",
      "todosPage title",
      "x title",
      "todos-page title",
      "todos/page title",
    ],
  ],
  [
    "Transloco: the alias of a scope that is given in one language",
    transloco.keys.candidates,
    { namespaces: ["menu-bar/en"] },
    "title",
    { namespaceAliases: { menu: "menu-bar" } },
    ["menu-bar title", "* menu.title", "* title"],
  ],
  [
    "Transloco: no scope of a key that ends with its dot",
    transloco.keys.candidates,
    {},
    "todosPage.",
    {},
    ["* todosPage."],
  ],
  [
    "next-intl: in PO files the last name, in the context of those before",
    nextIntl.keys.candidates,
    { keyPrefix: "Home.hero" },
    "title",
    {},
    ["* Home.hero.title", "Home hero.title", "* title (Home.hero)"],
  ],
  [
    "Lingui: the text and its id with the context, then the text without",
    lingui.keys.candidates,
    { context: "my context" },
    "Hello World",
    {},
    ["* Hello World (my context)", "* SO_WB8", "* Hello World"],
  ],
  [
    "Lingui: the first form of a plural text, in its context",
    lingui.keys.candidates,
    { context: "c" },
    "{n, plural, offset:1 one {# of {list}} other {#}}",
    {},
    [
      "* {n, plural, offset:1 one {# of {list}} other {#}} (c)",
      `* ${generatedId("{n, plural, offset:1 one {# of {list}} other {#}}", "c")}`,
      "* # of {list} (c)",
      "* {n, plural, offset:1 one {# of {list}} other {#}}",
    ],
  ],
  [
    "FormatJS: a written id with the prefix and namespace of its call",
    formatjs.keys.candidates,
    { keyPrefix: "home", namespaces: ["shop"] },
    "title",
    {},
    ["shop home.title", "* shop.home.title"],
  ],
  [
    "FormatJS: the id of a message alone, by each rule",
    formatjs.keys.candidates,
    { isMessage: true, context: "foo", namespaces: "unknown" },
    " foo\n ",
    {},
    ["* dI+HS6", "* dI+HS6SyCd", "* k23lr3"],
  ],
  [
    "Transloco: a language in place of a scope comes last",
    transloco.keys.candidates,
    { namespaces: ["en"] },
    "title",
    {},
    ["* title", "en title", "* en.title"],
  ],
])("%s", (_, candidates, usage, key, conventions, expected) => {
  expect(shown(candidates({ ...CALL, ...usage }, key, conventions, false))).toEqual(expected);
});

test("a part of a key has no context, id or scope of its own", () => {
  const partial = (candidates: Candidates, usage: Partial<WrittenKey>, key: string) =>
    shown(candidates({ ...CALL, ...usage }, key, {}, true));
  expect(partial(paths, { context: "male" }, "sa")).toEqual(["translation sa", "* sa"]);
  expect(partial(lingui.keys.candidates, { context: "c", keyPrefix: "page." }, "ti")).toEqual(["* page.ti"]);
  expect(partial(nextIntl.keys.candidates, {}, "Home.ti")).toEqual(["* Home.ti", "Home ti"]);
  expect(partial(transloco.keys.candidates, {}, "todosPage.")).toEqual([
    "* todosPage.",
    "todosPage ",
    "todos-page ",
    "todos/page ",
  ]);
});

test("a part of a key may be a whole group, and only then", () => {
  expect(shown(paths(CALL, "cart.", {}, true))).toEqual(["translation cart.", "* cart.", "cart "]);
  expect(shown(paths(CALL, "cart.", {}, false))).toEqual(["translation cart.", "* cart."]);
});
