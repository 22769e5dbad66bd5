/** Renames keys in code: in quotes, in constants, and never where other code depends on the name. */
import { expect, test } from "vitest";
import { applySplices } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { keyHash, type KeyName } from "../../../../src/model/key-hash.ts";
import { planRename } from "../../../../src/workspace/refactoring/plan-key-rename.ts";
import type { RenameUsages } from "../../../../src/workspace/refactoring/rename-edits.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { createLocalProject } from "../local-files/local-project.ts";
import { createKeyNames } from "../../support/key-database.ts";

interface Place {
  readonly path: string;
  readonly frameworks: readonly FrameworkName[];
  readonly from: string;
  readonly to: string;
  /** The context of the key. */
  readonly context?: string;
  /** Other keys of the project. */
  readonly others?: readonly string[];
  /** The values that the code imports, as they are stored. */
  readonly imported?: string;
}

const I18NEXT = ["i18next"] as const;
const IN_SCRIPT: Place = { path: "src/app.ts", frameworks: ["vue-i18n"], from: "a.b", to: "a.c" };

/** The code after the key got its new name, and how many uses are left for a person. */
async function renamed(code: string, place = IN_SCRIPT): Promise<readonly [string, number]> {
  const { plan } = await planned(code, place);
  const [file] = plan.files;
  return [file === undefined ? code : applySplices(file.before, file.splices), plan.remaining.length];
}

async function planned(code: string, place: Place) {
  const { path, context = null, others = [], imported = null } = place;
  const nameOf = (key: string, ofContext = context): KeyName => ({ namespace: "*", key, context: ofContext });
  const [from, to] = [nameOf(place.from), nameOf(place.to)];
  const names = [from, ...others.map((key) => nameOf(key, null))];
  const { files, local } = createLocalProject(
    { [path]: code },
    { files: [], sourceLocale: "en", serviceLocales: ["en"] },
  );
  const frameworks = new Set(place.frameworks);
  const plan = await planRename(
    {
      files,
      local,
      usages: () =>
        Promise.resolve({
          usagesOf: () => [{ path, span: { start: 0, end: 0 } }],
          usagesOfName: () => [],
          patternsOf: () => [],
          usagesOfPattern: () => [],
          importsOf: () => imported,
        }),
      names: createKeyNames(names.map((name) => ({ ...name, hash: keyHash(name) }))),
      find: { frameworks, functions: [] },
      lookup: { frameworks },
      canEdit: () => Promise.resolve(true),
      isFormerName: () => false,
    },
    from,
    to,
  );
  if (plan.kind !== "planned") throw new Error(plan.kind);
  return { plan };
}

const cases: readonly (readonly [title: string, before: string, after: string, left: number])[] = [
  ["a literal", `t("a.b"); t('x')`, `t("a.c"); t('x')`, 0],
  ["both branches", `t(x ? "a.b" : 'y')`, `t(x ? "a.c" : 'y')`, 0],
  ["a constant, once for all its uses", `const K = "a.b"; t(K); t(K)`, `const K = "a.c"; t(K); t(K)`, 0],
  [
    "a member of a constant",
    `const K = { one: "a.b", two: "x" } as const; t(K.one); t(K[y])`,
    `const K = { one: "a.c", two: "x" } as const; t(K.one); t(K[y])`,
    0,
  ],
  ["a constant of a constant", `const A = 'a.b'; const B = A; t(B)`, `const A = 'a.c'; const B = A; t(B)`, 0],
  [
    "a constant that means another key elsewhere",
    `const K = "a.b"; const { t } = useI18n(); t(K); { const t = useTranslations("shop"); t(K) }`,
    `const K = "a.b"; const { t } = useI18n(); t(K); { const t = useTranslations("shop"); t(K) }`,
    1,
  ],
  [
    "a literal beside a constant that means another key elsewhere",
    `const K = "a.b"; const { t } = useI18n(); t(K); t("a.b"); { const t = useTranslations("shop"); t(K) }`,
    `const K = "a.b"; const { t } = useI18n(); t(K); t("a.c"); { const t = useTranslations("shop"); t(K) }`,
    1,
  ],
  [
    "a constant behind its use",
    `const f = () => t(K); t("a.b"); const K = "a.b";`,
    `const f = () => t(K); t("a.c"); const K = "a.c";`,
    0,
  ],
  [
    "a call beside a function that puts the key together",
    'const label = (key) => t(`${key}.b`); label("a"); t("a.b")',
    'const label = (key) => t(`${key}.b`); label("a"); t("a.c")',
    1,
  ],
  ["a key that is put together", "const P = 'a'; t(`${P}.b`)", "const P = 'a'; t(`${P}.b`)", 1],
];

test("reports code that may build the old name, with locations", async () => {
  const [from, to] = ["menu.open", "menu.close"].map((key) => ({ namespace: "*", key, context: null })) as [
    KeyName,
    KeyName,
  ];
  const form = { ...from, key: "menu.open_one" };
  const { files, local } = createLocalProject({}, { files: [], sourceLocale: "en", serviceLocales: ["en"] });
  const pattern = { pattern: "menu.*", count: 1 } as unknown as ReturnType<
    RenameUsages["patternsOf"]
  >[number];
  const place = { path: "src/app.ts", span: { start: 2, end: 9 } };
  const usages = {
    usagesOf: () => [],
    usagesOfName: () => [],
    patternsOf: (hash: string) => (hash === keyHash(form) ? [pattern] : []),
    usagesOfPattern: (of: unknown) => (of === pattern ? [place] : []),
  } as unknown as RenameUsages;
  const plan = await planRename(
    {
      files,
      local,
      names: createKeyNames([from, form].map((name) => ({ ...name, hash: keyHash(name) }))),
      usages: () => Promise.resolve(usages),
      find: { frameworks: new Set(), functions: [] },
      lookup: { frameworks: new Set(I18NEXT) },
      canEdit: () => Promise.resolve(true),
      isFormerName: () => false,
    },
    from,
    to,
  );
  expect(plan).toMatchObject({
    kind: "planned",
    changes: [
      { from: { ...from, hash: keyHash(from) }, to: { ...to, hash: keyHash(to) } },
      { from: form, to: { key: "menu.close_one" } },
    ],
    files: [],
    remaining: [{ path: place.path, line: null }],
  });
});

test("reports a key that is put together with an imported value", async () => {
  const code = 'import { P } from "./keys"; t("a.b"); t(`${P}.b`)';
  const imported = JSON.stringify([[{ specifier: "./keys", name: "P", isType: false }, "a"]]);
  expect(await renamed(code, { ...IN_SCRIPT, imported })).toEqual([code.replace('"a.b"', '"a.c"'), 1]);
});

test("says the line of each use that is left", async () => {
  const { plan } = await planned("const P = 'a';\nt(`${P}.b`);\n\nt(`${P}.b`);\n", IN_SCRIPT);
  expect(plan.remaining.map(({ path, line }) => [path, line])).toEqual(
    [2, 4].map((line) => [IN_SCRIPT.path, line]),
  );
});

test.each(cases)("%s", async (_, before, after, left) => {
  expect(await renamed(before)).toEqual([after, left]);
});

const VUE = ["vue-i18n"] as const;
const PHP = ["laravel"] as const;
const TWIG = ["symfony"] as const;
const DJANGO = ["django", "gettext"] as const;
const IMPORT = "from django.utils.translation import gettext as _\n";

/** What stands at «…» before; `null`: it stays as it is, and is told. */
const written: readonly (readonly [
  path: string,
  frameworks: readonly FrameworkName[],
  code: string,
  to: string,
  after: string | null,
])[] = [
  // Scripts.
  ["a.ts", I18NEXT, `t('«a»')`, "it's", `it\\'s`],
  ["a.ts", I18NEXT, `t("«a»")`, "costs $a", "costs $a"],
  ["a.ts", I18NEXT, "t(`«a»`)", "costs ${a}", "costs \\${a}"],
  ["a.ts", I18NEXT, `t('«a»')`, "two\nlines", "two\\nlines"],
  ["a.ts", I18NEXT, `t('«a»')`, "a\\b", "a\\\\b"],
  // Attributes.
  ["a.tsx", I18NEXT, `<Trans i18nKey="«a»" />`, 'say "hi"', "say &quot;hi&quot;"],
  ["a.tsx", I18NEXT, `<Trans i18nKey="«a»" />`, "a\\b", "a\\b"],
  ["a.tsx", I18NEXT, `<Trans i18nKey="«a»" />`, "&amp;", "&amp;amp;"],
  ["a.tsx", I18NEXT, `<Trans i18nKey={"«a»"} />`, 'say "hi"', String.raw`say \"hi\"`],
  ["a.vue", VUE, `<template><i18n-t keypath="«a»" /></template>`, 'say "hi"', "say &quot;hi&quot;"],
  ["a.vue", VUE, `<template><p :title="$t('«a»')" /></template>`, 'say "hi"', String.raw`say \u0022hi\u0022`],
  ["a.vue", VUE, `<template><p :title="$t('«a»')" /></template>`, "it's", String.raw`it\'s`],
  ["a.vue", VUE, `<template>{{ $t('«a»') }}</template>`, "a }} b", null],
  ["a.svelte", VUE, `<p title="{$t('«a»')}" />`, "{it's}", String.raw`{it\'s}`],
  // PHP.
  ["a.php", PHP, `<?php __('«a»');`, "it's $a", String.raw`it\'s $a`],
  ["a.php", PHP, `<?php __("«a»");`, "it's $a", String.raw`it's \$a`],
  ["a.php", PHP, `<?php __("«a»");`, "{$a}", String.raw`{\$a}`],
  ["a.php", PHP, `<?php __("«a»");`, "$5", "$5"],
  // Twig.
  ["a.html.twig", TWIG, `{{ "«a»"|trans }}`, "#{a}", String.raw`\#{a}`],
  ["a.html.twig", TWIG, `{{ '«a»'|trans }}`, "#{a}", "#{a}"],
  ["a.html.twig", TWIG, `{{ "«a»"|trans }}`, "$a", "$a"],
  // Django and Python.
  ["a.djhtml", DJANGO, `{% translate "«a»" %}`, "5%% off", "5% off"],
  ["a.djhtml", DJANGO, `{% translate "«a»" %}`, "5% off", null],
  ["a.djhtml", DJANGO, `{% translate "«a»" %}`, "a %} b", null],
  ["a.py", DJANGO, `${IMPORT}_(r'«a»')`, String.raw`a\d`, String.raw`a\d`],
  ["a.py", DJANGO, `${IMPORT}_(r'«a»')`, "it's", null],
  ["a.py", DJANGO, `${IMPORT}_('«a»')`, "it's 5%", String.raw`it\'s 5%`],
  ["a.py", DJANGO, `${IMPORT}_("«a»")`, "$a {b}", "$a {b}"],
];

test.each(written)("%s of %j: %s as %j", async (path, frameworks, marked, to, after) => {
  const code = marked.replaceAll(/[«»]/g, "");
  const expected = after === null ? code : marked.replace(/«.*»/, () => after);
  expect(await renamed(code, { path, frameworks, from: "a", to })).toEqual([
    expected,
    after === null ? 1 : 0,
  ]);
});

test("says the line of a usage that it leaves", async () => {
  const { plan } = await planned("const P = 'a';\n\nt('a.b'); t(`${P}.b`);", IN_SCRIPT);
  expect(plan.remaining).toEqual([{ path: "src/app.ts", line: 3 }]);
});

test("keeps plural suffixes", async () => {
  const place: Place = { path: "a.ts", frameworks: I18NEXT, from: "item", to: "thing" };
  const code = (name: string): string => `t("${name}"); t("${name}_one"); t('${name}_other')`;
  expect(await renamed(code("item"), place)).toEqual([code("thing"), 0]);
});

test("writes the new name of a form that is renamed itself, without an ending of the old one", async () => {
  const place: Place = { path: "a.ts", frameworks: I18NEXT, from: "item_one", to: "single" };
  expect(await renamed('t("item_one")', place)).toEqual(['t("single")', 0]);
});

test("keeps the name of which only one form is renamed", async () => {
  const place: Place = { path: "a.ts", frameworks: I18NEXT, from: "item_one", to: "single" };
  const code = `t("item", { count: n }); t("item_one")`;
  expect(await renamed(code, { ...place, others: ["item_other"] })).toEqual([
    code.replace("item_one", "single"),
    0,
  ]);
});

test("leaves a form for a person whose new name is another key", async () => {
  const place: Place = { path: "a.ts", frameworks: I18NEXT, from: "item", to: "thing" };
  const code = `t("item"); t("item_one")`;
  expect(await renamed(code, { ...place, others: ["thing_one"] })).toEqual([
    code.replace('"item"', '"thing"'),
    1,
  ]);
  expect(await renamed(code, { ...place, others: ["other_one"] })).toEqual([
    code.replaceAll("item", "thing"),
    0,
  ]);
});

test("renames a call whose context is a variable, which means the key with any", async () => {
  const place: Place = { path: "a.ts", frameworks: ["gettext"], from: "Open", to: "Start", context: "menu" };
  expect(await renamed('pgettext(place, "Open")', place)).toEqual(['pgettext(place, "Start")', 0]);
});

test("keeps a constant whose other usages would change", async () => {
  const code = 'const K = "a.b"; t(K); t(`${K}.more`)';
  expect(await renamed(code)).toEqual([code, 1]);
});

test("keeps a constant that is also the key prefix of other usages", async () => {
  const code = `const K = "shop"; const all = useTranslations(); all(K); const t = useTranslations(K); t("title")`;
  const place: Place = { path: "src/app.ts", frameworks: ["next-intl"], from: "shop", to: "store" };
  expect(await renamed(code, place)).toEqual([code, 1]);
  const apart = code.replace("useTranslations(K)", 'useTranslations("shop")');
  expect(await renamed(apart, place)).toEqual([apart.replace('K = "shop"', 'K = "store"'), 0]);
});

test("keeps a constant that is also the namespace of other usages", async () => {
  const code = `const K = "shop"; i18next.t(K); const { t } = useTranslation(K); t("title")`;
  const place: Place = { path: "src/app.ts", frameworks: ["i18next"], from: "shop", to: "store" };
  expect(await renamed(code, place)).toEqual([code, 1]);
  const apart = code.replace("useTranslation(K)", 'useTranslation("shop")');
  expect(await renamed(apart, place)).toEqual([apart.replace('K = "shop"', 'K = "store"'), 0]);
});

test("keeps a constant that is also the context of other usages", async () => {
  const place: Place = { path: "a.ts", frameworks: ["gettext"], from: "Open", to: "Start" };
  const code = 'const K = "Open"; gettext(K); pgettext(K, "Save")';
  expect(await renamed(code, place)).toEqual([code, 1]);
  const apart = code.replace("pgettext(K", 'pgettext("Open"');
  expect(await renamed(apart, place)).toEqual([apart.replace('K = "Open"', 'K = "Start"'), 0]);
});

test("leaves messages alone from which the framework computes the key", async () => {
  const react: Place = { path: "src/app.tsx", frameworks: ["formatjs"], from: "dI+HS6", to: "menu.foo" };
  const code = `intl.formatMessage({ defaultMessage: "foo", description: "foo" }); formatMessage({ id: "dI+HS6" })`;
  expect(await renamed(code, react)).toEqual([code.replace('"dI+HS6"', '"menu.foo"'), 1]);
  const next: Place = { path: "src/app.tsx", frameworks: ["next-intl"], from: "NhX4DJ", to: "menu.hello" };
  const message = `const t = useExtracted(); t("Hello")`;
  expect(await renamed(message, next)).toEqual([message, 1]);
});

test("a key keeps its context", async () => {
  const [from, to] = ["Open", "Start"].map((key) => ({ namespace: "*", key, context: "menu" })) as [
    KeyName,
    KeyName,
  ];
  const po = 'msgctxt "menu"\nmsgid "Open"\nmsgstr "Openen"\n';
  const layout = { files: [{ path: "{locale}.po", format: "po" as const }], serviceLocales: ["en", "nl"] };
  const { files, local } = createLocalProject({ "nl.po": po }, layout);
  const none = () => [];
  const plan = await planRename(
    {
      files,
      local,
      usages: () =>
        Promise.resolve({
          usagesOf: none,
          usagesOfName: none,
          patternsOf: none,
          usagesOfPattern: none,
          importsOf: () => null,
        }),
      names: createKeyNames([]),
      find: { frameworks: new Set(), functions: [] },
      lookup: { frameworks: new Set() },
      canEdit: () => Promise.resolve(true),
      isFormerName: () => false,
    },
    from,
    to,
  );
  expect(plan).toMatchObject({
    changes: [{ from: { ...from, hash: keyHash(from) }, to: { ...to, hash: keyHash(to) } }],
  });
});

test.each([
  [true, "planned"],
  [false, "taken"],
])("a name that the service has may be given back to its key: %s", async (isFormer, kind) => {
  const [from, to] = ["menu.open", "menu.old"].map((key) => ({ namespace: "*", key, context: null })) as [
    KeyName,
    KeyName,
  ];
  const asked: unknown[] = [];
  const { files, local } = createLocalProject({}, { files: [], sourceLocale: "en", serviceLocales: ["en"] });
  const plan = await planRename(
    {
      files,
      local,
      usages: () =>
        Promise.resolve({
          usagesOf: () => [],
          usagesOfName: () => [],
          patternsOf: () => [],
          usagesOfPattern: () => [],
          importsOf: () => null,
        }),
      names: createKeyNames([from, to].map((name) => ({ ...name, hash: keyHash(name) }))),
      find: { frameworks: new Set(), functions: [] },
      lookup: { frameworks: new Set() },
      canEdit: () => Promise.resolve(true),
      isFormerName: (key, name) => {
        asked.push([key.key, name.key]);
        return isFormer;
      },
    },
    from,
    to,
  );
  expect([plan.kind, asked]).toEqual([kind, [["menu.open", "menu.old"]]]);
});
