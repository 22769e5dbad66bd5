/** Resolves usages to keys of the project, for each framework. */
import { describe, expect, test } from "vitest";
import {
  candidatesOf,
  certainKeys,
  resolveKey,
  resolveName,
  scopeOfDynamicCall,
  withNamespaces,
  type KeyResolution,
  type KeyResolutionOptions,
  type KeyReference,
} from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import type { KeyNames } from "../../../../src/database/key-name-repository.ts";
import { createKeyNames } from "../../support/key-database.ts";
import { referenceTo } from "./key-references.ts";

/** Keys written `namespace|key` or `namespace|key|context`. */
function names(...keys: string[]): KeyNames {
  return createKeyNames(
    keys.map((text) => {
      const [namespace = "", key = "", context = null] = text.split("|");
      return { hash: text, namespace, key, context };
    }),
  );
}

function under(...frameworks: FrameworkName[]): KeyResolutionOptions {
  return { frameworks: new Set(frameworks) };
}

/** In short: the hash of a known key, the matches of a pattern, else the kind. */
function short(found: KeyResolution): string {
  if (found.kind === "known") return found.key.hash;
  if (found.kind === "pattern") return `pattern: ${found.matches.map((key) => key.hash).join(" ")}`;
  return found.kind;
}

test("a usage certainly means what it shows, in every domain that may be chosen, or the whole group, and no pattern", () => {
  const certain = (all: KeyNames, usage: KeyReference, options: KeyResolutionOptions) =>
    certainKeys(resolveKey(usage, all, options), usage, all, options).map(({ hash }) => hash);
  const plural = names("*|item_one", "*|item_other", "*|item_old", "*|menu.a", "*|menu.b");
  expect(certain(plural, referenceTo("item", { plural: true }), under("i18next"))).toEqual([
    "*|item_one",
    "*|item_other",
  ]);
  expect(certain(plural, referenceTo("menu"), under("i18next"))).toEqual(["*|menu.a", "*|menu.b"]);
  expect(certain(plural, referenceTo("menu.…"), under("i18next"))).toEqual([]);
  expect(certain(plural, referenceTo("gone"), under("i18next"))).toEqual([]);
  const domains = names("django|Save", "djangojs|Save", "djangojs|Close");
  expect(new Set(certain(domains, referenceTo("Save"), under("django", "gettext")))).toEqual(
    new Set(["django|Save", "djangojs|Save"]),
  );
  expect(certain(domains, referenceTo("Save", { namespaces: ["djangojs"] }), under("gettext"))).toEqual([
    "djangojs|Save",
  ]);
});

test("uses the common file name as the default namespace", () => {
  const all = names("dict|save", "dict|menu.title");
  const found = (key: string, framework: FrameworkName) =>
    short(resolveKey(referenceTo(key), all, withNamespaces(under(framework), all.namespaces())));
  expect(found("save", "svelte-i18n")).toBe("dict|save");
  expect(found("menu.…", "vue-i18n")).toBe("pattern: dict|menu.title");
  expect(found("save", "i18next")).toBe("unknown");
  const configured = { ...under("svelte-i18n"), defaultNamespaces: ["other"] };
  expect(short(resolveKey(referenceTo("save"), all, withNamespaces(configured, all.namespaces())))).toBe(
    "unknown",
  );
  const more = names("dict|save", "other|a");
  expect(
    short(resolveKey(referenceTo("save"), more, withNamespaces(under("svelte-i18n"), more.namespaces()))),
  ).toBe("unknown");
});

describe("Laravel", () => {
  const all = names(
    "*|auth.failed",
    "auth|failed",
    "auth|throttle",
    "admin/users|title",
    "pkg::group|a.b",
    "*|Read more.",
    "login|items.0",
    "fields|email",
  );
  const found = (key: string) => short(resolveKey(referenceTo(key), all, under("laravel")));

  test("looks in the JSON file first, like the framework", () => {
    expect(found("auth.failed")).toBe("*|auth.failed");
    expect(found("Read more.")).toBe("*|Read more.");
  });
  test("then looks in the group's file", () => {
    expect(found("auth.throttle")).toBe("auth|throttle");
    expect(found("login.items.0")).toBe("login|items.0");
  });
  test("resolves folders and packages", () => {
    expect(found("admin/users.title")).toBe("admin/users|title");
    expect(found("pkg::group.a.b")).toBe("pkg::group|a.b");
    expect(found("/admin/users.title")).toBe("admin/users|title");
    expect(found("admin//users.title")).toBe("admin/users|title");
  });
  test("resolves keys of a package by the name under which it loads the texts", () => {
    const packageNames = (key: string) =>
      short(resolveKey(referenceTo(key), all, { ...under("laravel"), packageNames: ["shop"] }));
    expect(packageNames("shop::auth.throttle")).toBe("auth|throttle");
    expect(packageNames("shop::admin/users.title")).toBe("admin/users|title");
    expect(packageNames("other::auth.throttle")).toBe("unknown");
    expect(packageNames("pkg::group.a.b")).toBe("pkg::group|a.b");
    expect(packageNames("shop::login.…")).toBe("pattern: login|items.0");
  });
  test("does not report a group or a whole file as missing", () => {
    expect(found("login.items")).toBe("intermediate");
    expect(found("fields")).toBe("intermediate");
    expect(found("pkg::group.a")).toBe("intermediate");
  });
  test("lists candidates of an unknown key, the likeliest first", () => {
    expect(resolveKey(referenceTo("auth.nope"), all, under("laravel"))).toEqual({
      kind: "unknown",
      candidates: [
        { namespace: "*", key: "auth.nope", context: null },
        { namespace: "auth", key: "nope", context: null },
      ],
    });
  });
  test("matches patterns within and across groups", () => {
    expect(found("auth.…")).toBe("pattern: *|auth.failed auth|failed auth|throttle");
    expect(found("auth.t…e")).toBe("pattern: auth|throttle");
    expect(found("admin/…")).toBe("pattern: admin/users|title");
    expect(found("…")).toBe("undeterminable");
    expect(found("")).toBe("undeterminable");
  });
});

describe("i18next", () => {
  const all = names(
    "translation|a.b",
    "common|save",
    "shop|cart.title",
    "shop|cart.item",
    "*|flat",
    "shop|friend_male",
    "shop|friend",
    "shop|boss|female",
    "*|admin.users",
    "shop|x.deep.y",
  );
  const found = (
    key: string,
    more?: Partial<KeyReference>,
    options: KeyResolutionOptions = under("i18next"),
  ) => short(resolveKey(referenceTo(key, more), all, options));

  test("uses the default namespaces", () => {
    expect(found("a.b")).toBe("translation|a.b");
    expect(found("flat")).toBe("*|flat");
  });
  test("reads a namespace from the key, with another separator or none", () => {
    expect(found("common:save")).toBe("common|save");
    expect(found("common::save", {}, { ...under("i18next"), namespaceSeparator: "::" })).toBe("common|save");
    expect(found("common:save", {}, { ...under("i18next"), namespaceSeparator: false })).toBe("unknown");
  });
  test("uses the bound namespaces in order", () => {
    expect(found("cart.title", { namespaces: ["common", "shop"] })).toBe("shop|cart.title");
    expect(found("cart.title", { namespaces: ["common"] })).toBe("unknown");
  });
  test("applies a prefix, also after a namespace in the key", () => {
    expect(found("title", { namespaces: ["shop"], keyPrefix: "cart" })).toBe("shop|cart.title");
    expect(found("shop:title", { keyPrefix: "cart" })).toBe("shop|cart.title");
  });
  test("uses fallback namespaces", () => {
    expect(found("save", { namespaces: ["shop"] })).toBe("unknown");
    expect(
      found("save", { namespaces: ["shop"] }, { ...under("i18next"), fallbackNamespaces: ["common"] }),
    ).toBe("common|save");
    const calculated = { ...under("i18next"), fallbackNamespaces: "all" as const };
    expect(found("save", { namespaces: ["shop"] }, withNamespaces(calculated, ["shop", "common"]))).toBe(
      "common|save",
    );
  });
  test("finds a namespace that is part of the key at the service", () => {
    expect(found("users", { namespaces: ["admin"] })).toBe("*|admin.users");
    expect(found("admin:users")).toBe("*|admin.users");
  });
  test("maps plural suffixes to one key", () => {
    expect(found("cart.item_one", { namespaces: ["shop"] })).toBe("shop|cart.item");
    expect(found("cart.item_plural", { namespaces: ["shop"] })).toBe("shop|cart.item");
    expect(found("cart.item_ordinal_few", { namespaces: ["shop"] })).toBe("shop|cart.item");
  });
  test("resolves contexts in the key, separate, and unknown", () => {
    expect(found("friend", { namespaces: ["shop"], context: "male" })).toBe("shop|friend_male");
    expect(found("boss", { namespaces: ["shop"], context: "female" })).toBe("shop|boss|female");
    expect(found("friend", { namespaces: ["shop"], context: "other" })).toBe("shop|friend");
    expect(found("boss", { namespaces: ["shop"], dynamicContext: true })).toBe("shop|boss|female");
  });
  test("shows the most specific form first, and no other key with a context", () => {
    const forms = names("*|pal", "*|pal_male", "*|pal_male_one", "*|pal_one", "*|pal_two|old", "*|pal_old");
    const usage = referenceTo("pal", { context: "male", plural: true });
    const resolved = resolveKey(usage, forms, under("i18next"));
    expect(resolved.kind === "known" && [resolved.key, ...resolved.variants].map(({ hash }) => hash)).toEqual(
      ["*|pal_male_one", "*|pal_male", "*|pal_one", "*|pal"],
    );
  });
  test("takes a file for a group only without a prefix", () => {
    expect(found("shop")).toBe("intermediate");
    expect(found("shop", { keyPrefix: "cart" })).toBe("unknown");
  });
  test("never reports a missing key for an unknown scope", () => {
    const unknown = { namespaces: "unknown" } as const;
    expect(found("save", unknown)).toBe("common|save");
    expect(found("title", unknown)).toBe("pattern: shop|cart.title");
    expect(found("nowhere", unknown)).toBe("pattern: ");
    expect(found("cart.…", unknown)).toBe("pattern: shop|cart.item shop|cart.title");
  });
  test("leaves a key of two namespaces undetermined for an unknown scope", () => {
    const unknown = { namespaces: "unknown" } as const;
    const two = names("common|save", "shop|save", "shop|cart.save", "shop|saved");
    expect(short(resolveKey(referenceTo("save", unknown), two, under("i18next")))).toBe(
      "pattern: common|save shop|save shop|cart.save",
    );
    const one = names("common|save", "shop|saved");
    expect(short(resolveKey(referenceTo("save", unknown), one, under("i18next")))).toBe("common|save");
  });
  test("matches patterns below a prefix, even without literal parts", () => {
    expect(found("x.…y", { namespaces: ["shop"] })).toBe("pattern: shop|x.deep.y");
    expect(found("…", { namespaces: ["shop"], keyPrefix: "cart" })).toBe(
      "pattern: shop|cart.item shop|cart.title",
    );
    expect(found("…title")).toBe("pattern: shop|cart.title");
  });
  test("resolves a group", () => {
    expect(found("cart", { namespaces: ["shop"] })).toBe("intermediate");
    expect(found("cart.", { namespaces: ["shop"] })).toBe("intermediate");
    expect(found("card.", { namespaces: ["shop"] })).toBe("unknown");
  });
});

test("next-intl: tries the whole path, then its first part as the namespace", () => {
  const bound = { keyPrefix: "Home.hero" };
  expect(short(resolveKey(referenceTo("title", bound), names("*|Home.hero.title"), under("next-intl")))).toBe(
    "*|Home.hero.title",
  );
  expect(short(resolveKey(referenceTo("title", bound), names("Home|hero.title"), under("next-intl")))).toBe(
    "Home|hero.title",
  );
  expect(short(resolveKey(referenceTo("Home.list[0]"), names("Home|list[0]"), under("next-intl")))).toBe(
    "Home|list[0]",
  );
});

test("vue-i18n: resolves list items by index", () => {
  expect(short(resolveKey(referenceTo("a[0].b"), names("*|a.0.b"), under("vue-i18n")))).toBe("*|a.0.b");
});

test("WordPress: resolves text, domain and context", () => {
  const all = names("shop|Post|verb", "shop|Post", "*|Read more");
  const found = (key: string, more?: Partial<KeyReference>) =>
    short(resolveKey(referenceTo(key, more), all, under("wordpress")));
  expect(found("Post", { namespaces: ["shop"], context: "verb" })).toBe("shop|Post|verb");
  expect(found("Post", { namespaces: ["shop"] })).toBe("shop|Post");
  expect(found("Read more", { namespaces: ["shop"] })).toBe("*|Read more");
  expect(found("Post", { namespaces: ["shop"], context: "noun" })).toBe("unknown");
});

test("gettext: finds a text without domain in any domain", () => {
  const all = names("django|Save", "djangojs|Save", "djangojs|Close", "*|Open", "django|Save. Then go.");
  const found = (key: string, more?: Partial<KeyReference>) =>
    short(resolveKey(referenceTo(key, more), all, under("django", "gettext")));
  expect(found("Save")).toBe("django|Save");
  expect(found("Close")).toBe("djangojs|Close");
  expect(found("Open")).toBe("*|Open");
  expect(found("Close", { namespaces: ["django"] })).toBe("unknown");
  expect(found("Close", { context: "verb" })).toBe("unknown");
  expect(found("Save. Then go")).toBe("unknown");
});

test("gettext: a part of a text is of the domain that the call names, or of any", () => {
  const all = names("django|Save as", "djangojs|Save all");
  const found = (more?: Partial<KeyReference>) =>
    short(resolveKey(referenceTo("Save …", more), all, under("django", "gettext")));
  expect(found({ namespaces: ["djangojs"] })).toBe("pattern: djangojs|Save all");
  expect(found()).toBe("pattern: django|Save as djangojs|Save all");
});

test("FormatJS: a message of a translator from elsewhere may be any key, and is never missing", () => {
  const message: Partial<KeyReference> = { namespaces: "unknown", isMessage: true };
  const all = names("*|Hello", "*|menu.Hello");
  expect(short(resolveKey(referenceTo("Bye", message), all, under("formatjs")))).toBe("pattern: ");
  expect(short(resolveKey(referenceTo("Bye", message), names("*|Good.Bye"), under("formatjs")))).toBe(
    "pattern: ",
  );
  expect(short(resolveKey(referenceTo("Bye", { isMessage: true }), all, under("formatjs")))).toBe("unknown");
});

test("gettext: does not split a text into segments", () => {
  const all = names("*|Sure. Really.", "*|a.Sure");
  expect(short(resolveKey(referenceTo("Sure"), all, under("gettext")))).toBe("unknown");
  const unbound = resolveKey(referenceTo("Sure", { namespaces: "unknown" }), all, under("wordpress"));
  expect(unbound).toMatchObject({ kind: "pattern", matches: [] });
});

test("Symfony: resolves domains, ICU message files and XLIFF file names", () => {
  const all = names("messages|a.b", "shop+intl-icu|c", "kiosk.en.xlf|d", "*|e");
  const found = (key: string, more?: Partial<KeyReference>) =>
    short(resolveKey(referenceTo(key, more), all, under("symfony")));
  expect(found("a.b")).toBe("messages|a.b");
  expect(found("c", { namespaces: ["shop"] })).toBe("shop+intl-icu|c");
  expect(found("d", { namespaces: ["kiosk"] })).toBe("kiosk.en.xlf|d");
  expect(found("e", { namespaces: ["shop"] })).toBe("*|e");
  expect(found("d")).toBe("unknown");
});

test("Symfony: ignores the texts of bundles", () => {
  const all = names("messages|a", "shop.en.xlf|b");
  const found = (key: string, domain: string) =>
    resolveKey(referenceTo(key, { namespaces: [domain] }), all, under("symfony")).kind;
  expect(found("Next", "TablerBundle")).toBe("pattern");
  expect(found("x", "messages")).toBe("unknown");
  expect(found("x", "shop")).toBe("unknown");
});

test("Craft: uses the category as the namespace", () => {
  expect(
    short(
      resolveKey(referenceTo("A text.", { namespaces: ["site"] }), names("site|A text."), under("craft")),
    ),
  ).toBe("site|A text.");
});

test("Craft: ignores the texts of other categories", () => {
  const found = (key: string, category: string): string =>
    resolveKey(referenceTo(key, { namespaces: [category] }), names("shop|A text."), under("craft")).kind;
  expect(found("No", "app")).toBe("pattern");
  expect(found("No", "shop")).toBe("unknown");
});

test("lists no candidate twice", () => {
  const candidates = candidatesOf(referenceTo("a.b_one", { context: "x" }), under("i18next", "laravel"));
  const ids = candidates.map(({ namespace, key, context }) => `${namespace}|${key}|${context}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(candidatesOf(referenceTo("a…b"), under("i18next"))).toEqual([]);
});

test("a part of a key, of a translator from elsewhere, is looked for where it is most likely first", () => {
  const found = (...keys: string[]): string =>
    short(resolveKey(referenceTo("status.…", { namespaces: "unknown" }), names(...keys), under("i18next")));
  expect(found("translation|status.a", "shop|status.b")).toBe("pattern: translation|status.a");
  expect(found("shop|status.b")).toBe("pattern: shop|status.b");
});

test("a namespace that is built ends with what the code has of it", () => {
  const all = names("items|title", "cart|title", "items|text");
  expect(short(resolveKey(referenceTo("…s.title"), all, under("laravel")))).toBe("pattern: items|title");
});

test("a call without a part of its key is limited by its prefix and namespace, and by a default namespace that exists", () => {
  const scope = (more: Partial<KeyReference>, ...keys: string[]) =>
    scopeOfDynamicCall(referenceTo("…", more), names(...keys), under("i18next"));
  expect(scope({ keyPrefix: "cart" }, "shop|cart.title")).toContainEqual(["translation", "cart."]);
  expect(scope({ namespaces: ["shop"] }, "cart|title")).toEqual([
    ["shop", ""],
    ["*", "shop."],
  ]);
  expect(scope({}, "translation|title")).toContainEqual(["translation", ""]);
  expect(scope({}, "shop|title")).toBeNull();
  expect(scope({ namespaces: "unknown", keyPrefix: "cart" }, "translation|cart.title")).toBeNull();
});

test("limits the matches of a pattern", () => {
  const many = names(...Array.from({ length: 50 }, (_, index) => `*|a.${index}`));
  const found = resolveKey(referenceTo("a.…"), many, { ...under("vue-i18n"), patternLimit: 10 });
  expect(found.kind === "pattern" && found.matches.length).toBe(10);
});

describe("what a usage means", () => {
  type Row = readonly [
    title: string,
    keys: readonly string[],
    usage: KeyReference,
    options: KeyResolutionOptions,
    found: string,
  ];
  const rows: readonly Row[] = [
    ["a namespace, where no framework is known", ["ns|a"], referenceTo("ns:a"), under(), "ns|a"],
    [
      "a group, where no framework is known",
      ["auth|failed"],
      referenceTo("auth.failed"),
      under(),
      "auth|failed",
    ],
    [
      "a group, where another framework has texts as keys",
      ["*|menu.a"],
      referenceTo("menu"),
      under("gettext", "i18next"),
      "intermediate",
    ],
    [
      "no other namespace than the one that the key begins with",
      ["shop|title", "menu|other"],
      referenceTo("menu.title"),
      under("ngx-translate"),
      "unknown",
    ],
    [
      "any namespace",
      ["shop|title", "menu|other"],
      referenceTo("title"),
      under("ngx-translate"),
      "shop|title",
    ],
    [
      "a key that a learned function completes",
      ["*|menu.title", "*|subtitle"],
      referenceTo("title", { isLearned: true }),
      under("i18next"),
      "pattern: *|menu.title",
    ],
    [
      "no key that only ends so",
      ["*|subtitle"],
      referenceTo("title", { isLearned: true }),
      under("i18next"),
      "unknown",
    ],
    [
      "no completed key where keys have no parts",
      ["*|menu title"],
      referenceTo("title", { isLearned: true }),
      { ...under("i18next"), keySeparator: false },
      "unknown",
    ],
    [
      "a file that is named after the default domain",
      ["messages.app|title"],
      referenceTo("title"),
      under("symfony"),
      "messages.app|title",
    ],
    [
      "an unknown domain, where keys have no domain",
      ["*|x"],
      referenceTo("title", { namespaces: ["shop"] }),
      under("symfony"),
      "unknown",
    ],
    [
      "a part of a key in the files of a domain",
      ["shop.en|a.b", "other|a.c"],
      referenceTo("a.…", { namespaces: ["shop"] }),
      under("symfony"),
      "pattern: shop.en|a.b",
    ],
    [
      "no more keys than are asked for, of all namespaces",
      ["x|a.1", "y|a.2", "y|a.3"],
      referenceTo("a.…", { namespaces: ["x", "y"] }),
      { ...under("i18next"), patternLimit: 2 },
      "pattern: x|a.1 y|a.2",
    ],
    [
      "the end of a group's name, and the keys of the group",
      ["messages|title", "*|messy", "other|mess"],
      referenceTo("mess…"),
      under("laravel"),
      "pattern: *|messy messages|title",
    ],
    [
      "the start of a key in its group",
      ["messages|title", "messages|other", "messages2|title"],
      referenceTo("messages.ti…"),
      under("laravel"),
      "pattern: messages|title",
    ],
    [
      "a key in groups whose names begin so",
      ["messages|title", "other|title"],
      referenceTo("mess….title"),
      under("laravel"),
      "pattern: messages|title",
    ],
    [
      "a key behind any namespace",
      ["*|title", "a|title", "b|title", "b|other"],
      referenceTo("…:title"),
      under("i18next"),
      "pattern: a|title b|title",
    ],
    [
      "a key behind any namespace and a longer separator",
      ["a|title", "a|:title"],
      referenceTo("…::title"),
      { ...under("i18next"), namespaceSeparator: "::" },
      "pattern: a|title",
    ],
    [
      "a key in a group whose name ends with the next part of what the code has",
      ["x.b|title", "x.c|title", "b|title"],
      referenceTo("….b.title"),
      under("laravel"),
      "pattern: x.b|title",
    ],
    [
      "plural forms of names with both parts, which do not overlap",
      ["*|a.b_one", "*|a.bxb_one", "*|a.bxb_male"],
      referenceTo("a.b…b", { plural: true }),
      under("i18next"),
      "pattern: *|a.bxb_one",
    ],
    [
      "no more plural forms than are asked for",
      ["*|a.1x_one", "*|a.2x_one", "*|a.3x_one"],
      referenceTo("a.…x", { plural: true }),
      { ...under("i18next"), patternLimit: 2 },
      "pattern: *|a.1x_one *|a.2x_one",
    ],
    [
      "what follows the translator’s prefix, not a group of that name",
      ["form|st.a", "form|other", "st|b", "*|form.st.c", "*|st.d"],
      referenceTo("st.…", { keyPrefix: "form" }),
      under("laravel"),
      "pattern: *|form.st.c form|st.a",
    ],
    [
      "all behind the translator’s prefix, in no other group",
      ["form|save", "cart|title"],
      referenceTo("…", { keyPrefix: "form" }),
      under("laravel"),
      "pattern: form|save",
    ],
    [
      "a context in a file of the domain",
      ["shop.en|a", "shop.en|a|verb"],
      referenceTo("a", { namespaces: ["shop"], context: "verb" }),
      under("symfony"),
      "shop.en|a|verb",
    ],
    [
      "no plural form of nothing",
      ["shop|_one"],
      referenceTo("shop:", { plural: true }),
      under("i18next"),
      "unknown",
    ],
  ];
  test.each(rows)("%s", (_, keys, usage, options, found) => {
    expect(short(resolveKey(usage, names(...keys), options))).toBe(found);
  });

  test("beside the default namespace, keys without one", () => {
    const options = withNamespaces(under("svelte-i18n"), ["dict"]);
    const all = names("dict|a", "*|b");
    expect(["a", "b"].map((key) => short(resolveKey(referenceTo(key), all, options)))).toEqual([
      "dict|a",
      "*|b",
    ]);
    const plain = under("svelte-i18n");
    expect(withNamespaces(plain, ["*"])).toBe(plain);
  });

  test("only names without a context have suffixes", () => {
    const candidates = candidatesOf(
      referenceTo("friend", { context: "male", plural: true }),
      under("i18next"),
    );
    expect(candidates.filter(({ context }) => context !== null).map(({ key }) => key)).toEqual([
      "friend",
      "friend",
    ]);
    expect(candidates.map(({ key }) => key)).toContain("friend_male_other");
    const form = candidatesOf(referenceTo("friend_one", { context: "male" }), under("i18next"));
    expect(form.filter(({ context }) => context !== null).map(({ key }) => key)).toEqual([
      "friend_one",
      "friend_one",
    ]);
    // A name is more than a suffix.
    expect(candidatesOf(referenceTo("_one"), under("i18next")).map(({ key }) => key)).not.toContain("");
  });

  test("another name at the same place, also where the namespace is unknown", () => {
    const unbound = referenceTo("old", { namespaces: "unknown" });
    const all = names("shop|title", "shop|menu.item", "cart|menu.item");
    const found = (name: string) => resolveName(unbound, name, all, under("i18next"))?.key.hash;
    expect([found("title"), found("menu.item"), found("")]).toEqual(["shop|title", undefined, undefined]);
    const bound = referenceTo("old", { namespaces: ["cart"] });
    expect(resolveName(bound, "title", all, under("i18next"))).toBeUndefined();
  });

  test("any key, where only some of the frameworks have a default namespace", () => {
    const all = names("translation|title", "shop.en|a");
    expect(scopeOfDynamicCall(referenceTo("…"), all, under("i18next", "vue-i18n"))).toBeNull();
    expect(scopeOfDynamicCall(referenceTo("…"), all, under())).toBeNull();
    expect(
      scopeOfDynamicCall(referenceTo("…", { namespaces: ["shop"] }), all, under("symfony")),
    ).toContainEqual(["shop.en", ""]);
  });
});
