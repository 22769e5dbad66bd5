/** Renames plural forms, contexts and links with the key that they belong to. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { applySplices } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { KeyConventions } from "../../../../src/frameworks/framework.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { keyHash, type KeyName } from "../../../../src/model/key-hash.ts";
import { planRename } from "../../../../src/workspace/refactoring/plan-key-rename.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { createKeyNames } from "../../support/key-database.ts";
import { NO_TEXTS, SourceFolder, usageOptions } from "../../support/source-folder.ts";
import { addKeys } from "../../support/key-database.ts";
import { createLocalProject } from "../local-files/local-project.ts";

const FIXTURES = join(import.meta.dirname, "../../../fixtures/frameworks");

/** The files of a fixture by path. */
function fixture(name: string): Record<string, string> {
  const root = join(FIXTURES, name);
  const paths = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Object.fromEntries(
    paths.map((each) => {
      const path = join(each.parentPath, each.name);
      return [relative(root, path).replaceAll("\\", "/"), readFileSync(path, "utf8")];
    }),
  );
}

interface Given {
  readonly files: Readonly<Record<string, string>>;
  readonly layout: readonly FilesEntry[];
  readonly framework: FrameworkName;
  readonly conventions?: KeyConventions;
  /** Whether the service has the keys too. */
  readonly isPushed?: boolean;
  /** Dutch texts of the service by key. */
  readonly atService?: Readonly<Record<string, string>>;
}

/** The changed files after a rename, the renamed keys, and what remains. */
async function renamed(given: Given, from: string, to: string) {
  const { files: contents, layout, framework, conventions = {}, isPushed = true, atService = {} } = given;
  const [namespace = "", key = ""] = from.split("|");
  const name: KeyName = { namespace, key, context: null };
  const { files, local } = createLocalProject(contents, {
    files: [...layout],
    sourceLocale: "en",
    serviceLocales: ["en", "nl"],
  });
  await local.load();
  const names = local.locales.flatMap((locale) =>
    Array.from(local.entries(locale).values(), ({ name: each }) => ({ ...each, hash: keyHash(each) })),
  );
  const folder = new SourceFolder(contents);
  try {
    const options = usageOptions(framework);
    const lookup = { ...options.lookup, ...conventions };
    const { database, usages, names: keyNames } = folder.open();
    mkdirSync(folder.root, { recursive: true });
    if (isPushed) addKeys(database, names);
    await folder.indexer(database).update({ ...options, lookup }, NO_TEXTS);
    const plan = await planRename(
      {
        files,
        local,
        usages: () => Promise.resolve(usages),
        names: isPushed ? keyNames : createKeyNames([]),
        find: options.find,
        lookup,
        serviceTexts: () => [
          Object.entries(atService).map(([ownKey, value]) => ({
            name: { namespace: "*", key: ownKey, context: null },
            locale: "nl",
            text: { value },
          })),
        ],
        canEdit: () => Promise.resolve(true),
        isFormerName: () => false,
      },
      name,
      { ...name, key: to },
    );
    if (plan.kind === "taken") return { kind: plan.kind, name: plan.name.key };
    if (plan.kind !== "planned") return { kind: plan.kind };
    // The code of other projects may use the name, also if there are only variants of it.
    expect(plan.names.changes.at(-1)).toMatchObject({ from: name, to: { ...name, key: to } });
    expect(new Set(plan.files.map(({ path }) => path)).size).toBe(plan.files.length);
    return {
      changes: plan.changes.map((change) => `${change.from.key} → ${change.to.key}`).sort(),
      texts: Object.fromEntries(
        plan.files.map((file) => [file.path, applySplices(file.before, file.splices)]),
      ),
      remaining: [
        ...plan.remaining.map(({ path }) => path),
        ...plan.linkingAtService.map((each) => `${each.name.key} (${each.locale})`),
      ],
    };
  } finally {
    folder.dispose();
  }
}

const I18NEXT: Given = {
  files: fixture("i18next-variants"),
  layout: [{ path: "public/locales/{locale}/{namespace}.json", format: "json_js" }],
  framework: "i18next",
};
const COMMON = "public/locales/en/common.json";
const VUE: Given = {
  files: fixture("vue-links"),
  layout: [{ path: "src/locales/{locale}.json", format: "json_js" }],
  framework: "vue-i18n",
};

/** The files with these replacements, of which each occurs. */
function replaced(given: Given, path: string, ...pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((text, [before, after]) => {
    expect(text).toContain(before);
    return text.replace(before, after);
  }, given.files[path] ?? "");
}

describe.each([true, false])("i18next, pushed: %s", (isPushed) => {
  const given = { ...I18NEXT, isPushed };

  test("renames plural forms beside the key, in their places", async () => {
    expect(await renamed(given, "common|item", "thing")).toEqual({
      changes: ["item → thing", "item_one → thing_one", "item_other → thing_other"],
      texts: {
        [COMMON]: replaced(
          given,
          COMMON,
          ['"item"', '"thing"'],
          ['"item_one"', '"thing_one"'],
          ['"item_other"', '"thing_other"'],
        ),
        "src/App.tsx": replaced(given, "src/App.tsx", ["'item'", "'thing'"]),
      },
      remaining: [],
    });
  });

  test("renames ordinal forms without a key of the name", async () => {
    const found = await renamed(given, "common|place", "rank");
    expect(found.changes).toEqual(
      ["few", "one", "other", "two"].map((form) => `place_ordinal_${form} → rank_ordinal_${form}`),
    );
    expect(found.texts?.["src/App.tsx"]).toContain("t('rank', { count: n, ordinal: true })");
    expect(found.texts?.[COMMON]).toBe((given.files[COMMON] ?? "").replaceAll('"place_', '"rank_'));
    expect(found.remaining).toEqual([]);
  });

  test("renames contexts and their plural forms", async () => {
    const found = await renamed(given, "common|friend", "pal");
    expect(found.texts?.[COMMON]).toBe((given.files[COMMON] ?? "").replaceAll('"friend', '"pal'));
    expect(found.changes).toHaveLength(4);
  });

  test("renames links, and what they stand for", async () => {
    const brand = await renamed(given, "common|brand", "company.name");
    expect(brand.changes).toEqual(["brand → company.name"]);
    const room = await renamed(given, "common|brand", "firm");
    expect(room.texts?.[COMMON]).toBe(
      replaced(given, COMMON, ['"brand"', '"firm"'], ["$t(brand)", "$t(firm)"]),
    );
  });

  test("renames a variant that only a link shows", async () => {
    const found = await renamed(given, "common|room", "hall");
    expect(found).toMatchObject({ changes: ["room_big → hall_big"], remaining: [] });
    expect(found.texts?.[COMMON]).toBe(
      replaced(given, COMMON, ["$t(room,", "$t(hall,"], ["room_big", "hall_big"]),
    );
  });

  test("renames nothing onto another key's form", async () => {
    const files = {
      ...given.files,
      [COMMON]: '{ "item_one": "", "item_other": "x", "item": "y", "thing_one": "z" }',
    };
    expect(await renamed({ ...given, files }, "common|item", "thing")).toEqual({
      kind: "taken",
      name: "thing_one",
    });
  });
});

test("separators of the project separate the forms", async () => {
  const given: Given = {
    files: fixture("i18next-separators"),
    layout: [{ path: "{locale}-common.json", format: "json_js", namespace: "common" }],
    framework: "i18next",
    conventions: { pluralSeparator: "___", contextSeparator: "--" },
  };
  const found = await renamed(given, "common|item", "thing");
  expect(found.changes).toEqual(["item___one → thing___one", "item___other → thing___other"]);
  expect(found.texts?.["en-common.json"]).toBe(
    (given.files["en-common.json"] ?? "").replaceAll('"item___', '"thing___'),
  );
  const pal = await renamed(given, "common|pal", "friend");
  // Nothing shows the other context, which only its own name uses.
  expect(pal.changes).toEqual(["pal--male → friend--male"]);
});

test("forms that are members of one key stay where they are", async () => {
  const files = {
    "en.json":
      '{\n  "a": { "item_one": "1", "x": "y", "item_other": "2" },\n  "z_one": "1", "z_other": "2"\n}\n',
    "a.ts": "t('a.item', { count }); t('z', { count });",
  };
  const given: Given = {
    files,
    layout: [{ path: "{locale}.json", format: "json_js" }],
    framework: "i18next",
  };
  const found = await renamed(given, "*|a.item", "a.thing");
  expect(found.texts?.["en.json"]).toBe(files["en.json"].replaceAll("item_", "thing_"));
  expect((await renamed(given, "*|z", "b")).texts?.["en.json"]).toBe(
    files["en.json"].replaceAll('"z_', '"b_'),
  );
});

test("forms that code names itself are other keys", async () => {
  const files = {
    "en.json": '{ "item": "a", "item_one": "b", "item_other": "c" }',
    "a.ts": "t('item'); t('item_one');",
  };
  const given: Given = {
    files,
    layout: [{ path: "{locale}.json", format: "json_js" }],
    framework: "i18next",
  };
  expect((await renamed(given, "*|item", "thing")).changes).toEqual(["item → thing"]);
  const unused = { ...given, files: { ...files, "a.ts": "" } };
  expect((await renamed(unused, "*|item", "thing")).changes).toHaveLength(3);
  const formAlone = { ...given, files: { ...files, "a.ts": "t('item_one');" } };
  expect((await renamed(formAlone, "*|item", "thing")).changes).toEqual([
    "item → thing",
    "item_other → thing_other",
  ]);
});

test("a variant that is no plural form is renamed only with the code or the text that shows it", async () => {
  const layout: readonly FilesEntry[] = [{ path: "{locale}.json", format: "json_js" }];
  const given = (en: string, code: string): Given => {
    return { files: { "en.json": en, "a.ts": code }, layout, framework: "i18next" };
  };
  const friends = '{ "friend": "a", "friend_male": "b" }';
  expect((await renamed(given(friends, ""), "*|friend", "pal")).changes).toEqual(["friend → pal"]);
  expect(await renamed(given('{ "friend_male": "b" }', ""), "*|friend", "pal")).toEqual({ kind: "unknown" });
  expect(
    (await renamed(given(friends, "t('friend', { context: 'male' });"), "*|friend", "pal")).changes,
  ).toEqual(["friend → pal", "friend_male → pal_male"]);
  // A text links to one form by its name, and code shows all.
  const items = '{ "item": "0", "item_one": "1", "item_other": "2", "tip": "$t(item_one)" }';
  expect(
    (await renamed(given(items, "t('item', { count: n });"), "*|item", "thing")).texts?.["en.json"],
  ).toBe(items.replaceAll("item", "thing"));
});

test("a key with the same name in another namespace is another key", async () => {
  const files = {
    "en/shop.json": '{ "item": "0", "item_one": "1", "item_other": "2", "a": "A", "tip": "$t(cart:item)" }',
    "en/cart.json": '{ "item": "x", "a": "A" }',
    "a.ts": "t('shop:a'); t('cart:a');",
  };
  const layout: readonly FilesEntry[] = [{ path: "{locale}/{namespace}.json", format: "json_js" }];
  const given: Given = { files, layout, framework: "i18next" };
  expect((await renamed(given, "shop|item", "thing")).changes).toEqual([
    "item → thing",
    "item_one → thing_one",
    "item_other → thing_other",
  ]);
  expect((await renamed(given, "shop|a", "b")).texts).toEqual({
    "en/shop.json": files["en/shop.json"].replace('"a"', '"b"'),
    "a.ts": "t('shop:b'); t('cart:a');",
  });
});

test("names code that gets the key from another module", async () => {
  const files = {
    "en.json": '{ "a": "A" }',
    "keys.ts": "export const A = 'a';",
    "app.ts": "import { A } from './keys'; t(A); t('a');",
  };
  const layout: readonly FilesEntry[] = [{ path: "{locale}.json", format: "json_js" }];
  const found = await renamed({ files, layout, framework: "i18next" }, "*|a", "b");
  expect(found.texts).toEqual({
    "en.json": '{ "b": "A" }',
    "app.ts": files["app.ts"].replace("t('a')", "t('b')"),
  });
  expect(found.remaining).toEqual(["app.ts"]);
});

describe("vue-i18n", () => {
  test("renames links in every language", async () => {
    const found = await renamed(VUE, "*|menu.open", "menu.show");
    expect(found).toEqual({
      changes: ["menu.open → menu.show"],
      texts: {
        "src/locales/en.json": replaced(
          VUE,
          "src/locales/en.json",
          ['"open"', '"show"'],
          ["@:menu.open", "@:menu.show"],
        ),
        "src/locales/nl.json": replaced(
          VUE,
          "src/locales/nl.json",
          ['"open"', '"show"'],
          ["@:menu.open", "@:menu.show"],
        ),
        "src/Home.vue": replaced(VUE, "src/Home.vue", ["'menu.open'", "'menu.show'"]),
      },
      remaining: [],
    });
  });

  const en = (text: string): Given => ({
    ...VUE,
    files: { "src/locales/en.json": `{\n  "a b": "x",\n  "tip": ${JSON.stringify(text)}\n}\n`, "a.vue": "" },
  });

  test.each([
    ["@.upper:{'a b'}!", "c d", "@.upper:{'c d'}!"],
    ["@:{'a b'} @:{ 'a b' }", "c", "@:{'c'} @:{ 'c' }"],
  ])("renames %s", async (before, to, after) => {
    const found = await renamed(en(before), "*|a b", to);
    expect(found.texts?.["src/locales/en.json"]).toBe(
      en(after).files["src/locales/en.json"]?.replace('"a b"', JSON.stringify(to)),
    );
  });

  test("renames a link that the file escapes, by writing its text anew", async () => {
    const files = { "src/locales/en.json": '{ "a": "x", "tip": "See \\u0040:a" }', "a.vue": "" };
    const found = await renamed({ ...VUE, files }, "*|a", "c");
    expect(JSON.parse(found.texts?.["src/locales/en.json"] ?? "")).toEqual({ c: "x", tip: "See @:c" });
    expect(found.remaining).toEqual([]);
  });

  test("moves an entry to another group, and lists links that cannot be written", async () => {
    const moved = await renamed(VUE, "*|menu.open", "actions.open");
    expect(JSON.parse(moved.texts?.["src/locales/en.json"] ?? "")).toEqual({
      menu: { close: "Close" },
      actions: { open: "Open" },
      tip: "Press @:actions.open now",
    });
    const files = { "src/locales/en.json": '{ "a": "x", "tip": "See @:a" }', "a.vue": "" };
    const left = await renamed({ ...VUE, files }, "*|a", "b c");
    expect(left.remaining).toEqual(["src/locales/en.json"]);
    expect(left.texts?.["src/locales/en.json"]).toBe('{ "b c": "x", "tip": "See @:a" }');
  });

  test("lists links in texts that only the service has", async () => {
    const files = {
      "src/locales/en.json": '{ "a": "x", "tip": "See @:a", "other": "y" }',
      "src/locales/nl.json": '{ "tip": "Zie @:a" }',
    };
    const atService = { tip: "Zie ook @:a", other: "Of @:a", last: "@:b", tips: "@:tip" };
    const left = await renamed({ ...VUE, files, atService }, "*|a", "c");
    expect(left.remaining).toEqual(["other (nl)"]);
  });
});
