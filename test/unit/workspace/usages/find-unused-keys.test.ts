/** The usage report: used, unused and undeterminable keys, with reasons. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { KeyName } from "../../../../src/model/key-hash.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import type { KeyResolutionOptions } from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import type { ProjectKey } from "../../../../src/database/records.ts";
import { reportUsage, type UsageReport } from "../../../../src/workspace/usages/find-unused-keys.ts";
import type { CallChoice } from "../../../../src/workspace/usages/call-choices.ts";
import type { OtherProject } from "../../../../src/workspace/usages/usages-elsewhere.ts";
import { NO_TEXTS, SourceFolder, usageOptions } from "../../support/source-folder.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";

/** Another project of the window. */
interface Neighbour {
  readonly keys: readonly string[];
  readonly code: Readonly<Record<string, string>>;
  /** Default: that of the project. */
  readonly framework?: FrameworkName;
}

interface Case {
  readonly neighbour?: Neighbour;
  /** `namespace|key` to source text. */
  readonly keys: Readonly<Record<string, string>>;
  readonly code: Readonly<Record<string, string>>;
  readonly others?: Readonly<Record<string, string>>;
  readonly keep?: readonly string[];
  readonly framework?: FrameworkName | readonly FrameworkName[];
  readonly lookup?: Partial<KeyResolutionOptions>;
  readonly texts?: readonly { readonly name: KeyName; readonly text: Text }[];
  /** `usage.calls` of the project file. */
  readonly calls?: readonly CallChoice[];
}

/** The parts of the report as names and reasons. */
async function report({
  keys,
  code,
  others = {},
  keep = [],
  framework = "laravel",
  lookup = {},
  texts = [],
  calls = [],
  neighbour,
}: Case) {
  const otherFolder = new SourceFolder(neighbour?.code ?? {});
  const all = Object.entries(keys).map(([name, value]): ProjectKey => {
    const [namespace = "", key = ""] = name.split("|");
    const rest = { description: null, maxLength: null, tags: [], sourceHash: null, updatedAt: null };
    return { hash: name, namespace, key, context: null, isPlural: false, text: { value }, ...rest };
  });
  const options = usageOptions(...[framework].flat());
  const folder = new SourceFolder({ ...others, ...code });
  try {
    const { database, usages, names: keyNames } = folder.open();
    folder.setKeys(database, Object.keys(keys));
    const indexer = folder.indexer(database);
    const scope = { exclude: Object.keys(others).map((path) => `/${path}`) };
    const conventions = { ...options.lookup, ...lookup };
    await indexer.update({ ...options, ...scope, lookup: conventions }, NO_TEXTS);
    const found: UsageReport = await reportUsage({
      usages,
      keys: { values: () => all },
      names: keyNames,
      lookup: conventions,
      keep,
      texts: (markers) => [
        texts.filter(({ text }) => markers.some((each) => JSON.stringify(text).includes(each))),
      ],
      others:
        neighbour === undefined
          ? []
          : [await otherProject(otherFolder, neighbour, neighbour.framework ?? framework)],
      findOccurrences: (names) =>
        indexer.findOccurrences(names, { include: ["**"] }, [], conventions.frameworks, NO_TEXTS),
      findEvidence: () => indexer.findEvidence(conventions, calls, NO_TEXTS),
    });
    const reasons = found.undeterminable.map(({ key, pattern, path }) =>
      [key.hash, pattern, path].filter((each) => each !== null).join(" "),
    );
    return {
      used: found.used.length,
      unused: found.unused.map(({ hash }) => hash),
      maybe: reasons,
      probably: found.probablyUnused.map(({ key, pattern }) => `${key.hash} ${pattern}`),
      built: Array.from(found.built, ([hash, { pattern, path }]) => `${hash} ${pattern} ${path}`),
    };
  } finally {
    folder.dispose();
    otherFolder.dispose();
  }
}

async function otherProject(
  folder: SourceFolder,
  { keys }: Neighbour,
  framework: FrameworkName | readonly FrameworkName[],
): Promise<OtherProject> {
  const options = usageOptions(...[framework].flat());
  const { database, usages, names } = folder.open();
  folder.setKeys(database, keys);
  const indexer = folder.indexer(database);
  await indexer.update(options, NO_TEXTS);
  return {
    usages,
    names,
    lookup: options.lookup,
    findOccurrences: (searched) =>
      indexer.findOccurrences(searched, { include: ["**"] }, [], options.lookup.frameworks, NO_TEXTS),
  };
}

test("has each of many keys", async () => {
  const keys = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`*|key.of${index}`, "A"]));
  const code = { "a.php": "<?php __('key.of499'); __('key.of500'); __('key.of1000');" };
  const { used, unused } = await report({ keys, code });
  expect([used, unused.length]).toEqual([3, 998]);
});

describe("the code of another project of the window", () => {
  const keys = {
    "shared|save": "Save",
    "shared|error.full": "Full",
    "shared|error.gone": "Gone",
    "shared|never": "Never",
    "shared|item_one": "One item",
    "shared|item_other": "Items",
  };
  const without = { keys, code: { "own.ts": "" }, framework: "i18next" } as const;

  test("uses the keys that it names, and may use those of its patterns", async () => {
    const code = {
      "src/app.ts":
        "i18next.t('shared:save'); i18next.t(`shared:error.${code}`); i18next.t('shared:item', { count })",
      "docs/readme.md": "See shared:never",
    };
    expect((await report(without)).unused).toHaveLength(6);
    expect(await report({ ...without, neighbour: { keys: ["common|title"], code } })).toEqual({
      used: 3,
      unused: [],
      maybe: [
        "shared|error.full shared:error.*",
        "shared|error.gone shared:error.*",
        "shared|never docs/readme.md",
      ],
      probably: [],
      built: [],
    });
  });

  test("means its own keys where it has them, and any of its keys where it names none of these", async () => {
    const code = { "src/app.ts": "i18next.t('shared:save'); i18next.t(key)", "notes.md": "shared:save" };
    const own = { keys: ["shared|save", "common|title"], code };
    expect((await report({ ...without, neighbour: own })).unused).toHaveLength(6);
    const parts = { keys: ["shared|error.own"], code: { "src/app.ts": "i18next.t(`shared:error.${x}`)" } };
    expect((await report({ ...without, neighbour: parts })).unused).toHaveLength(6);
    const consumer = {
      keys: [],
      code: { "src/app.ts": "i18next.t('shared:save'); i18next.t(key, { ns: 'shared' })" },
    };
    const { used, maybe, unused } = await report({ ...without, neighbour: consumer });
    expect([used, unused, maybe.length]).toEqual([1, [], 5]);
  });

  test("is searched for names as its own framework writes them, after the project’s own files", async () => {
    const given = {
      keys: { "cart|old.name": "x", "cart|full.name": "x" },
      code: { "a.php": "<?php" },
      others: { "own.md": "cart.full.name" },
      framework: "laravel",
    } as const;
    const code = { "b.ts": "const names = ['old.name'];", "b.md": "cart.full.name" };
    expect(await report({ ...given, neighbour: { keys: [], code, framework: "i18next" } })).toMatchObject({
      unused: [],
      maybe: ["cart|old.name b.ts", "cart|full.name own.md"],
    });
    expect((await report({ ...given, neighbour: { keys: [], code } })).unused).toEqual(["cart|old.name"]);
  });

  test.each([
    ["shared:error.", ["shared|error.own"]],
    ["error.", ["common|error.own"]],
  ])("means keys of both by a pattern %s where it also names one of the other’s", async (start, own) => {
    const code = `i18next.t('shared:save'); i18next.t(\`${start}\${x}\`)`;
    const { used, maybe } = await report({ ...without, neighbour: { keys: own, code: { "a.ts": code } } });
    expect([used, maybe]).toEqual([1, [`shared|error.full ${start}*`, `shared|error.gone ${start}*`]]);
  });
});

test("finds the open part of a key in the code of another app of the folder", async () => {
  const { probably, maybe } = await report({
    keys: { "hook|on_UPDATE_CART": "x", "hook|on_paid": "x", "hook|on_NEVER": "x", "hook|on_gone": "x" },
    code: { "a.php": "<?php __('hook.on_' . $trigger);" },
    neighbour: {
      keys: ["cart|title"],
      code: { "Trigger.php": "<?php enum Trigger { case UPDATE_CART = 1; } $x = 'paid'; // gone" },
    },
  });
  expect(maybe).toEqual(["hook|on_UPDATE_CART hook.on_* Trigger.php", "hook|on_paid hook.on_* Trigger.php"]);
  expect(probably).toEqual(["hook|on_NEVER hook.on_*", "hook|on_gone hook.on_*"]);
});

/** The texts of a flat or nested JSON file, as `namespace|key`. */
function jsonKeys(namespace: string, path: string): Record<string, string> {
  const keys: Record<string, string> = {};
  const walk = (value: unknown, key: string): void => {
    if (typeof value === "string") keys[`${namespace}|${key}`] = value;
    else
      for (const [name, each] of Object.entries(value as object))
        walk(each, key === "" ? name : `${key}.${name}`);
  };
  walk(JSON.parse(readFileSync(fixture(path), "utf8")), "");
  return keys;
}

const fixture = (path: string): string => join(import.meta.dirname, "../../../fixtures/frameworks", path);

describe("plural forms, contexts and links", () => {
  test("are used by what i18next shows them for", async () => {
    const keys = jsonKeys("common", "i18next-variants/public/locales/en/common.json");
    const code = { "src/App.tsx": readFileSync(fixture("i18next-variants/src/App.tsx"), "utf8") };
    const found = await report({ keys, code, framework: "i18next" });
    expect({ unused: found.unused, maybe: found.maybe }).toEqual({ unused: ["common|gone"], maybe: [] });
    expect(found.used).toBe(15);
  });

  test("have the separators of the project", async () => {
    const keys = jsonKeys("common", "i18next-separators/en-common.json");
    const code = { "src/App.tsx": readFileSync(fixture("i18next-separators/App.tsx"), "utf8") };
    const lookup = { pluralSeparator: "___", contextSeparator: "--" };
    expect((await report({ keys, code, framework: "i18next", lookup })).unused).toEqual([
      "common|pal--female",
    ]);
  });

  test("are used through links of vue-i18n in any language", async () => {
    const keys = {
      "*|a": "A",
      "*|b c": "B",
      "*|d": "D",
      "*|e": "E",
      "*|f": "F",
      "*|gone": "x",
      "*|tip": "@:a",
    };
    const code = { "a.vue": "<template>{{ $t('tip') }}</template>" };
    const texts = [
      { name: { namespace: "*", key: "tip", context: null }, text: { value: "@:{'b c'} @.upper:d @:e." } },
      {
        name: { namespace: "*", key: "tip", context: null },
        text: { forms: { one: "-", other: "@:f" } },
      },
    ];
    expect((await report({ keys, code, framework: "vue-i18n", texts })).unused).toEqual(["*|gone"]);
  });

  test("are used by links that name no key as the framework would find it", async () => {
    const keys = { "app|tip": "See @:cart.title", "shop|cart.title": "Cart", "shop|cart.gone": "x" };
    const found = await report({ keys, code: { "a.ts": "" }, framework: "vue-i18n", keep: ["app.tip"] });
    expect(found).toMatchObject({ used: 2, unused: ["shop|cart.gone"] });
  });

  test("of several namespaces are used by a link in that of its text first", async () => {
    const keys = { "translation|brand": "x", "shop|brand": "x", "shop|tip": "$t(brand)" };
    const found = await report({ keys, code: { "a.ts": "t('shop:tip')" }, framework: "i18next" });
    expect(found.unused).toEqual(["translation|brand"]);
  });

  test("of which a link may take over the context are undeterminable", async () => {
    const keys = { "*|tip": "$t(room)", "*|room": "Room", "*|room_big": "Big", "*|room_one": "One" };
    const found = await report({ keys, code: { "a.ts": "t('tip', { context: x })" }, framework: "i18next" });
    expect(found).toMatchObject({ unused: [], used: 3, maybe: ["*|room_big room*"] });
    // Not of a link that says its own.
    const own = { ...keys, "*|tip": '$t(room, { "context": "small" })', "*|room_small": "Small" };
    const code = { "a.ts": "t('tip', { context: x })" };
    expect((await report({ keys: own, code, framework: "i18next" })).unused).toContain("*|room_big");
  });

  test("of a translator from elsewhere are undeterminable", async () => {
    const keys = { "a|x.item_one": "x", "b|x.item_one": "x", "b|x.items": "x" };
    const code = { "a.ts": "const { t } = props; t('item', { count });" };
    const found = await report({ keys, code, framework: "i18next" });
    expect(found.unused).toEqual(["b|x.items"]);
  });

  test("of a dynamic key are undeterminable", async () => {
    const keys = { "*|a.b.title_one": "x", "*|a.b.title_other": "x", "*|a.b.titles": "x" };
    const code = { "a.ts": "t(`a.${x}.title`, { count })" };
    expect((await report({ keys, code, framework: "i18next" })).unused).toEqual(["*|a.b.titles"]);
  });
});

describe("usage report", () => {
  test("counts static usages as used and unmentioned keys as unused", async () => {
    expect(
      await report({
        keys: { "cart|title": "Cart", "cart|old_total": "Total" },
        code: { "a.php": "<?php echo __('cart.title');" },
      }),
    ).toEqual({ used: 1, unused: ["cart|old_total"], maybe: [], probably: [], built: [] });
  });

  test("reports the longest pattern that may refer to a key", async () => {
    expect(
      await report({
        keys: { "status|order.paid": "Paid", "status|other": "Other" },
        code: { "a.php": "<?php __('status.' . $a); __('status.order.' . $b);" },
      }),
    ).toMatchObject({
      used: 0,
      unused: [],
      probably: ["status|order.paid status.order.*", "status|other status.*"],
    });
  });

  test("counts names in strings, templates and documents as possible usages", async () => {
    expect(
      await report({
        keys: {
          "cart|a_b": "x",
          "cart|c.d": "x",
          "*|Save the cart": "x",
          '*|It\'s "late"': "x",
          "cart|gone": "x",
        },
        code: { "a.php": '<?php $key = \'cart.a_b\'; $other = "It\'s \\"late\\""; // gone' },
        others: { "b.html": "<b>${cart.c.d}</b> <i> Save the cart </i>" },
      }),
    ).toMatchObject({
      unused: ["cart|gone"],
      maybe: ["cart|a_b a.php", "cart|c.d b.html", "*|Save the cart b.html", '*|It\'s "late" a.php'],
    });
  });

  test("counts the name of a key without a namespace anywhere", async () => {
    const keys = { "*|cart.title": "x", "*|cart.total": "x", "*|gone": "x" };
    const { unused, maybe } = await report({
      keys,
      code: { "a.ts": "" },
      others: { "a.md": "See cart.title.", "b.html": "<i>cart.total</i>" },
      framework: "i18next",
    });
    expect([unused, maybe]).toEqual([["*|gone"], ["*|cart.title a.md", "*|cart.total b.html"]]);
  });

  test("names the file with the key itself rather than one with its namespace", async () => {
    for (const [qualified, plain] of [["b.md", "c.md"] as const, ["c.md", "b.md"] as const]) {
      const others = { [qualified]: "cart:old.name", [plain]: "old.name" };
      const { maybe } = await report({
        keys: { "cart|old.name": "x" },
        code: { "a.ts": "" },
        others,
        framework: "i18next",
      });
      expect(maybe).toEqual([`cart|old.name ${plain}`]);
    }
  });

  test("counts kept keys, framework groups and linked keys as used", async () => {
    const keys = {
      "validation|required": "Required",
      "errors|404": "Not found",
      "*|brand.name": "Shop",
      "*|hello": "Hello from @:brand.name",
      "*|nested": "$t(deep.one, {})",
      "*|deep.one": "One",
    };
    const given = { keys, keep: ["errors.*", "hello", "nested"], code: { "a.php": "<?php" } };
    const framework = ["laravel", "i18next", "vue-i18n"] as const;
    expect(await report({ ...given, framework })).toMatchObject({ used: 6, unused: [], maybe: [] });
    // In other frameworks these texts have no links.
    expect((await report(given)).unused).toEqual(["*|brand.name", "*|deep.one"]);
  });

  test("lists calls without literal parts without counting keys as used", async () => {
    expect(await report({ keys: { "cart|never": "x" }, code: { "a.php": "<?php __($key);" } })).toEqual({
      used: 0,
      unused: [],
      maybe: [],
      probably: ["cart|never *"],
      built: [],
    });
  });
});

describe("possible dynamic usages", () => {
  const unusedOf = async (given: Case) => (await report(given)).unused;

  test("include the keys of a call's namespace, and no others", async () => {
    const keys = { "cart|title": "x", "cart|form.save": "x", "shop|gone": "x", "*|cart.total": "x" };
    const code = { "a.ts": 'const { t } = useTranslation("cart"); t(name);' };
    expect(await report({ keys, code, framework: "i18next" })).toMatchObject({
      unused: ["shop|gone"],
      probably: ["cart|title *", "cart|form.save *", "*|cart.total *"],
    });
  });

  test("include the keys below a call's prefix", async () => {
    const keys = { "cart|form.save": "x", "cart|title": "x", "Cart|title": "x", "Cart|gone.x": "x" };
    const code = { "a.ts": 'const { t } = useTranslation("cart", { keyPrefix: "form" }); t(name);' };
    expect(await unusedOf({ keys, code, framework: "i18next" })).toEqual([
      "cart|title",
      "Cart|title",
      "Cart|gone.x",
    ]);
    const intl = { "a.tsx": 'const t = useTranslations("Cart"); t(name);' };
    expect(await unusedOf({ keys, code: intl, framework: "next-intl" })).toEqual([
      "cart|form.save",
      "cart|title",
    ]);
  });

  test("include the default namespaces if known", async () => {
    const code = { "a.ts": "t(name);" };
    const given = { keys: { "translation|a": "x", "cart|b": "x" }, code, framework: "i18next" } as const;
    expect(await unusedOf(given)).toEqual(["cart|b"]);
    expect(await unusedOf({ ...given, keys: { "common|a": "x", "cart|b": "x" } })).toEqual([]);
    expect(await unusedOf({ ...given, lookup: { defaultNamespaces: ["cart"] } })).toEqual(["translation|a"]);
    expect(await unusedOf({ ...given, lookup: { fallbackNamespaces: ["cart"] } })).toEqual([]);
    expect(await unusedOf({ ...given, framework: "vue-i18n" })).toEqual([]);
  });

  test("include every key if the translator's namespace is unknown", async () => {
    const keys = { "cart|title": "x", "shop|a.b": "x" };
    const code = { "a.ts": "function label({ t, name }) { return t(name); }" };
    expect(await unusedOf({ keys, code, framework: "i18next" })).toEqual([]);
  });

  test("include keys with the suffix if the translator's prefix is unknown", async () => {
    const keys = {
      "cart|title": "x",
      "shop|form.title": "x",
      "shop|form.status.paid": "x",
      "shop|status.open": "x",
      "shop|form.subtitle": "x",
      "shop|laststatus.x": "x",
    };
    const code = { "a.ts": 'function f({ t }) { t("title"); t("status." + x); }' };
    expect(await report({ keys, code, framework: "i18next" })).toMatchObject({
      used: 1,
      unused: ["shop|form.subtitle", "shop|laststatus.x"],
      maybe: ["shop|form.title *title", "shop|form.status.paid status.*"],
      probably: ["shop|status.open status.*"],
    });
  });

  test("include keys with the suffix, also where another call may mean any key", async () => {
    const keys = { "cart|title": "x", "shop|form.title": "x", "shop|gone": "x" };
    const code = { "a.ts": 'function f({ t }) { t("title"); } t(name, { ns: "shop" }); t(name);' };
    expect(await report({ keys, code, framework: "vue-i18n" })).toMatchObject({
      used: 1,
      maybe: ["shop|form.title *title"],
      probably: ["shop|gone *"],
    });
  });

  test("include keys whose values come from outside of the project", async () => {
    const codes = ["AA", "BB", "CC", "DD", "EE"].map((code) => `status|${code}`);
    const keys = Object.fromEntries(codes.map((key) => [key, "x"]));
    const code = { "a.php": "<?php __('status.' . $code);" };
    expect(await report({ keys, code })).toMatchObject({
      unused: [],
      probably: [],
      maybe: codes.map((key) => `${key} status.*`),
    });
  });

  test("include the keys of a dynamic group", async () => {
    const keys = { "cart|title": "x", "shop|title": "x", "shop|form.title": "x", "shop|sub": "x" };
    expect(await unusedOf({ keys, code: { "a.php": '<?php __("$group.title");' } })).toEqual(["shop|sub"]);
    expect(await unusedOf({ keys, code: { "a.php": '<?php __("ca{$rt}.title");' } })).toEqual([
      "shop|title",
      "shop|form.title",
      "shop|sub",
    ]);
    expect(await unusedOf({ keys, code: { "a.ts": "t(`${group}:title`);" }, framework: "i18next" })).toEqual([
      "shop|form.title",
      "shop|sub",
    ]);
  });

  test("include every gettext domain, for whole and partial texts", async () => {
    const keys = { "django|Save": "x", "djangojs|Status paid": "x", "django|Delete": "x" };
    const given = { keys, framework: "gettext" } as const;
    expect(await unusedOf({ ...given, code: { "a.py": "_(label)" } })).toEqual([]);
    expect(await unusedOf({ ...given, code: { "a.py": '_(f"Status {x}")' } })).toEqual([
      "django|Save",
      "django|Delete",
    ]);
  });

  test("include the domain of a Symfony call", async () => {
    const keys = { "messages|a": "x", "messages+intl-icu|b": "x", "messages.en|c": "x", "shop|d": "x" };
    const code = { "a.php": "<?php $translator->trans($x);" };
    expect(await unusedOf({ keys, code, framework: "symfony" })).toEqual(["shop|d"]);
  });
});

test("counts a name without its group only where code may leave the group out", async () => {
  const keys = { "cart|title": "x", "cart|old.name": "x", "cart|full.name": "x", "cart|size": "x" };
  const code = { "a.php": "<?php $a = ['title', 'old.name', 'cart.full.name', 'cart.', 'size'];" };
  expect((await report({ keys, code })).unused).toEqual(["cart|title", "cart|old.name", "cart|size"]);
  expect((await report({ keys, code, framework: "i18next" })).unused).toEqual([]);
  expect((await report({ keys, code, framework: ["laravel", "i18next"] })).unused).toEqual([]);
  // A call that may mean any key makes a name of two parts.
  const open = { "a.php": `${code["a.php"]} __($group . $name);` };
  expect(await report({ keys, code: open })).toMatchObject({
    unused: [],
    maybe: ["cart|title * a.php", "cart|old.name * a.php", "cart|full.name a.php", "cart|size * a.php"],
  });
});

describe("quoted names", () => {
  const quoted = { "cart|title": "x", "cart|total": "x" };
  const unusedWith = async (others: Case["others"] = {}, framework: FrameworkName = "i18next") =>
    (await report({ keys: quoted, code: { "code.ts": 'useTranslation("cart");' }, others, framework }))
      .unused;

  test.each([
    ["single quotes", "a.ts", "const names = ['title'];"],
    ["double quotes", "a.md", 'The "title" of it'],
    ["backticks", "a.ts", "const names = [`title`];"],
    ["an attribute", "a.html", "<x-label name=title2 key='title'>"],
    ["behind an apostrophe", "a.ts", "// doesn't matter\nconst names = ['title'];"],
    ["a string in a string", "a.json", String.raw`{ "json": "{\"key\":\"title\"}" }`],
    ["an attribute with references", "a.html", '<a data-x="{&quot;key&quot;:&quot;title&quot;}">'],
    ["text between tags", "a.html", "<b>\n  title\n</b>"],
    ["a value without quotes", "a.yaml", "form:\n  label: title\n"],
    ["a list without quotes", "a.yml", "- title\n- other\n"],
  ])("count as possible usages: %s", async (_, path, text) => {
    expect(await unusedWith({ [path]: text })).toEqual(["cart|total"]);
  });

  test.each([
    ["a plain word", "a.ts", "const title = 1; // title"],
    ["a part of a literal", "a.ts", "const names = ['the title', 'titles', 'Title'];"],
    ["unlike quotes", "a.ts", '`title"'],
    ["a name in YAML", "a.yml", "title: other"],
    ["a word of a plain value", "a.yml", "label: the title"],
  ])("do not include %s", async (_, path, text) => {
    expect(await unusedWith({ [path]: text })).toEqual(["cart|title", "cart|total"]);
  });

  test("include single letters, escapes, several lines and doubled percent signs", async () => {
    const keys = { "a|x": "", "a|It's": "", "a|Grün": "", "a|A & B": "", "a|5% off": "", "a|One\ntwo": "" };
    const text = String.raw`'x' 'It\'s' "Gr\u00fcn" <b>A &amp; B</b> {% "5%% off" %} "One\ntwo"`;
    const given = { keys, code: { "a.ts": "" }, framework: "i18next" } as const;
    expect((await report({ ...given, others: { "b.twig": text } })).unused).toEqual([]);
    const broken = { "b.twig": "'One\ntwo'" };
    expect((await report({ ...given, others: broken })).unused).not.toContain("a|One\ntwo");
  });

  test("include labels that Symfony derives from field names", async () => {
    const keys = { "messages|First name": "x", "messages|Email": "x", "messages|Last name": "x" };
    const code = { "a.php": "<?php $builder->add('firstName')->add('email');" };
    expect((await report({ keys, code, framework: "symfony" })).unused).toEqual(["messages|Last name"]);
    const snake = { "a.php": "<?php $builder->add('last_name');" };
    expect((await report({ keys, code: snake, framework: "symfony" })).unused).toEqual([
      "messages|First name",
      "messages|Email",
    ]);
    expect((await report({ keys, code, framework: "craft" })).unused).toHaveLength(3);
    const word = { "a.php": "<?php // firstName\n$builder->add('email');" };
    expect((await report({ keys, code: word, framework: "symfony" })).unused).toEqual([
      "messages|First name",
      "messages|Last name",
    ]);
    const others = { "messages|first name": "x", "messages|First Name": "x", "messages|First-name": "x" };
    expect((await report({ keys: others, code, framework: "symfony" })).unused).toHaveLength(3);
  });
});

test("counts keys as used that a file lists with most of the keys which a call builds", async () => {
  const keys = { "status|open": "Open", "status|paid": "Paid", "status|sent": "Sent", "status|lost": "Lost" };
  const code = {
    "a.php": "<?php __('status.' . $x);",
    "config/shop.php": "<?php return ['open', 'paid', 'sent'];",
  };
  expect(await report({ keys, code })).toEqual({
    used: 3,
    unused: [],
    maybe: [],
    probably: ["status|lost status.*"],
    built: ["open", "paid", "sent"].map((key) => `status|${key} status.* config/shop.php`),
  });
});
