/** Modules of texts that `index` composes: the keys that the app sees, and the files where their texts stand. */
import { expect, test } from "vitest";
import { formats } from "../../../../src/formats/supported-formats.ts";
import { composedParts } from "../../../../src/workspace/file-layout/composed-modules.ts";
import {
  detectApps,
  mayCompose,
  proposeLayouts,
} from "../../../../src/workspace/file-layout/detect-layouts.ts";
import { MAX_FILE_BYTES } from "../../../../src/formats/parse-and-edit-file.ts";
import { keyNamingOf, locateKey } from "../../../../src/workspace/file-layout/path-patterns.ts";

type Files = Readonly<Record<string, string>>;

/** The parts as `names: path`, with `*` if they have members of their own. */
async function parts(files: Files): Promise<readonly string[]> {
  const found = await composedParts("en/index.ts", new Set(Object.keys(files)), async (path) => files[path]);
  return found.map(
    ({ path, names, hasOwnMembers }) => `${names.join(".")}: ${path}${hasOwnMembers ? " *" : ""}`,
  );
}

const TEXTS = "export default { a: 'A' };";

test("modules by their places, also in others, and in folders", async () => {
  const files = {
    "en/index.ts": `import translation from './translation/index.js'; import errors from './errors';
      const en = { translation, errors }; export default Object.freeze(en);`,
    "en/translation/index.ts": `import home from "./home.js"; import menu from "./menu.js";
      const translation = { title: "T", home, nested: { "menu": menu as Menu } }; export default translation satisfies Texts;`,
    "en/translation/home.ts": TEXTS,
    "en/translation/menu.ts": TEXTS,
    "en/errors.ts": TEXTS,
    "en/unused.ts": TEXTS,
  };
  expect(await parts(files)).toEqual([
    ": en/index.ts",
    "translation: en/translation/index.ts *",
    "errors: en/errors.ts *",
    "translation.home: en/translation/home.ts *",
    "translation.nested.menu: en/translation/menu.ts *",
  ]);
});

test("an export of everything adds nothing to a name that the module has itself", async () => {
  const files = {
    "en/index.ts": `import { en } from './a'; export default en;`,
    "en/a.ts": "export const en = { title: 'T' }; export * from './b';",
    "en/b.ts": "export const en = { other: 'O' };",
  };
  expect(await parts(files)).toEqual([": en/index.ts", ": en/a.ts *"]);
  // The name is that of the other module.
  expect(await parts({ ...files, "en/a.ts": "export * from './b';" })).toEqual([
    ": en/index.ts",
    ": en/a.ts",
    ": en/b.ts *",
  ]);
  // Of two others it may be that of either.
  const either = "export * from './b'; export * from './c';";
  expect(await parts({ ...files, "en/a.ts": either, "en/c.ts": files["en/b.ts"] })).toEqual([
    ": en/index.ts",
    ": en/a.ts *",
  ]);
});

test("what a module exports by name, the index of a folder, and nothing of a package", async () => {
  const files = {
    "en/index.ts": `import { x } from './a'; import shop from './shop'; import b from 'b'; export default { x, shop, b };`,
    "en/a.ts": "import b from './b'; export const x = { b }; export default { title: 'T' };",
    "en/b.ts": TEXTS,
    "en/shop/index.ts": TEXTS,
  };
  expect(await parts(files)).toEqual([
    ": en/index.ts",
    "x: en/a.ts",
    "shop: en/shop/index.ts *",
    "x.b: en/b.ts *",
  ]);
});

test("a module is the one whose whole name is imported, where several have the same name", async () => {
  const files = { "en/a.js": TEXTS, "en/a.ts": TEXTS, "en/a.mjs": TEXTS };
  for (const name of ["a.js", "a.ts", "a.mjs"]) {
    const code = `import a from './${name}'; export default { a };`;
    expect(await parts({ ...files, "en/index.ts": code })).toEqual([": en/index.ts", `a: en/${name} *`]);
  }
});

test.each([
  ["import a from './a'; export default { ...a, title: 'T' };", [": en/index.ts *", ": en/a.ts *"]],
  [
    "import a from './a'; const inner = { a }; export default { shop: inner };",
    [": en/index.ts", "shop.a: en/a.ts *"],
  ],
  [
    "import { a } from './a'; export const en = 1; export default { x: a } as const;",
    [": en/index.ts", "x: en/a.ts *"],
  ],
  ["import a from './a'; export default defineMessages<Texts>({ a });", [": en/index.ts", "a: en/a.ts *"]],
  [
    "import a from './a'; const parts = { b: a }; export { parts as default };",
    [": en/index.ts", "b: en/a.ts *"],
  ],
  [
    "import a from './a'; export default { a }; module.exports = { title: 'T' };",
    [": en/index.ts", "a: en/a.ts *"],
  ],
  ["export { default } from './a';", [": en/index.ts", ": en/a.ts *"]],
  [
    "import a from './a'; const inner = Object.freeze({ a }); export default { shop: inner };",
    [": en/index.ts", "shop.a: en/a.ts *"],
  ],
  ["import a from './a'; export default make({ a }).texts;", [": en/index.ts *"]],
  ["import a from './a'; export default { shop: { ...a } };", [": en/index.ts", "shop: en/a.ts *"]],
  ["import a from './a'; export default { ...unknown, a };", [": en/index.ts *", "a: en/a.ts *"]],
  ["import a from './a'; export default { a, b: a };", [": en/index.ts", "a: en/a.ts *"]],
  ["import a from 'elsewhere'; import b from '../../b'; export default { a, b };", [": en/index.ts"]],
  ["import a from './a'; export default { ...texts.en, a };", [": en/index.ts *", "a: en/a.ts *"]],
  // What contains itself ends.
  ["const a = { ...a }; export default a;", [": en/index.ts *"]],
  ["const a = { b: a }; export default a;", [": en/index.ts *"]],
  ["const a = Object.freeze(a); export default a;", [": en/index.ts *"]],
  ["import a from './a'; export default { [x]: 1, a };", [": en/index.ts", "a: en/a.ts *"]],
  ["import en from './index'; export default { en };", [": en/index.ts"]],
  ["export default {", [": en/index.ts *"]],
  ["export default () => ({ a: 'A' });", [": en/index.ts *"]],
  ["export default { [x]: a, f() {}, t: `T`, l: ['a'] };", [": en/index.ts *"]],
])("%s", async (code, found) => {
  expect(await parts({ "en/index.ts": code, "en/a.ts": "export const a = { b: 'B' };" })).toEqual(found);
});

/** The entries of the only app. @param unreadable a file that cannot be read */
async function entries(files: Files, unreadable?: string) {
  const bytes = async (path: string) =>
    path === unreadable ? undefined : new TextEncoder().encode(files[path] ?? "");
  const found = await detectApps(Object.keys(files).sort(), bytes, formats);
  return found.get("") ?? [];
}

const INDEX = `import home from './home.js'; import menu from './menu.js'; export default { translation: { home, menu }, other: menu };`;

test("the layout has an entry for each module, and one for files that are not composed", async () => {
  const files = Object.fromEntries(
    ["en", "nl"].flatMap((locale) => [
      [`src/locales/${locale}/index.ts`, INDEX],
      [`src/locales/${locale}/home.ts`, TEXTS],
      [`src/locales/${locale}/menu.ts`, TEXTS],
    ]),
  );
  const composed = await entries(files);
  expect(composed).toEqual([
    {
      path: "src/locales/{locale}/home.ts",
      format: "js_module",
      namespace: "translation",
      keyPrefix: "home.",
    },
    {
      path: "src/locales/{locale}/menu.ts",
      format: "js_module",
      namespace: "translation",
      keyPrefix: "menu.",
    },
  ]);
  const [home] = composed;
  if (home === undefined) return;
  expect(keyNamingOf(home, { locale: "nl", namespace: null, package: null })).toEqual({
    namespace: "translation",
    keyPrefix: "home.",
  });
  expect(locateKey(home, { namespace: "translation", key: "home.a" })).toMatchObject({ key: "a" });
  expect(await entries({ ...files, "src/locales/en/more.ts": TEXTS })).toEqual([
    ...composed,
    { path: "src/locales/{locale}/{namespace}.ts", format: "js_module" },
  ]);
  const [, menu] = composed;
  for (const [unreadable, readable] of [
    ["menu", home],
    ["home", menu],
  ] as const)
    expect(await entries(files, `src/locales/en/${unreadable}.ts`)).toEqual([
      readable,
      { path: "src/locales/{locale}/{namespace}.ts", format: "js_module" },
    ]);
});

test("an entry has all names of a module that others compose, below its namespace", async () => {
  const files = {
    "locales/en/index.ts": "import home from './home'; export default { app: { page: { home } } };",
    "locales/en/home.ts": TEXTS,
  };
  expect(await entries(files)).toEqual([
    { path: "locales/{locale}/home.ts", format: "js_module", namespace: "app", keyPrefix: "page.home." },
  ]);
});

test("keys of the index itself have no namespace, and each entry has the number of its own files", async () => {
  const index = "import home from './home'; export default { title: 'Title', home };";
  const files: Files = {
    "locales/en/index.ts": index,
    "locales/en/home.ts": TEXTS,
    "locales/nl/home.ts": TEXTS,
    "locales/en/more.ts": TEXTS,
    "lang/en.json": '{ "a": "A" }',
    "lang/nl.json": '{ "a": "A" }',
  };
  const proposed = await proposeLayouts(
    Object.keys(files),
    async (path) => new TextEncoder().encode(files[path]),
    formats,
  );
  expect(
    proposed.map(({ entry, ...rest }) => [
      ...[entry.path, entry.namespace, rest.files, rest.sample],
      ...[rest.composedBy, rest.reason, rest.locales.join(" ")],
    ]),
  ).toEqual([
    [
      ...["locales/{locale}/index.ts", "*", 1, "locales/en/index.ts"],
      ...["locales/{locale}/index.ts", "folder-per-locale", "en nl"],
    ],
    [
      ...["locales/{locale}/home.ts", "home", 2, "locales/en/home.ts"],
      ...["locales/{locale}/index.ts", "folder-per-locale", "en nl"],
    ],
    [
      ...["locales/{locale}/{namespace}.ts", undefined, 1, "locales/en/index.ts"],
      ...[undefined, "folder-per-locale", "en nl"],
    ],
    ["lang/{locale}.json", undefined, 2, "lang/en.json", undefined, "file-per-locale", "en nl"],
  ]);
});

test("a change of a module of texts may change the layout, one of data may not", () => {
  expect(mayCompose("texts/src/locales/en/index.ts")).toBe(true);
  expect(mayCompose("src/locales/en/home.mts")).toBe(true);
  expect(mayCompose("src/locales/en/home.json")).toBe(false);
  expect(mayCompose("lang/en/home.php")).toBe(false);
  expect(mayCompose("src/home.ts")).toBe(false);
});

test("a file that is too large shows neither what it composes nor which texts it has", async () => {
  const found = async (code: string, ...paths: readonly string[]) => {
    const large = new Uint8Array(MAX_FILE_BYTES + 1).fill(0x20);
    large.set(new TextEncoder().encode(code));
    const bytes = async (path: string) =>
      path.endsWith("index.ts") ? large : new TextEncoder().encode(TEXTS);
    return (await detectApps(paths, bytes, formats)).get("") ?? [];
  };
  const index = "locales/en/index.ts";
  expect(await found(INDEX, index, "locales/en/home.ts", "locales/en/menu.ts")).toEqual([
    { path: "locales/{locale}/{namespace}.ts", format: "js_module" },
  ]);
  expect(await found(TEXTS, index)).toEqual([]);
});

test("an index that composes nothing is a module like the others", async () => {
  const files = { "locales/en/index.ts": TEXTS, "locales/en/home.ts": TEXTS, "locales/nl/home.ts": TEXTS };
  expect(await entries(files)).toEqual([{ path: "locales/{locale}/{namespace}.ts", format: "js_module" }]);
});
