/** i18next's options about keys, read from its configuration. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resolveKey } from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import type { FrameworkOptions } from "../../../../src/frameworks/framework.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { readFrameworkOptions } from "../../../../src/workspace/project-detection/read-framework-options.ts";
import { createKeyNames } from "../../support/key-database.ts";

const FIXTURES = join(import.meta.dirname, "../../../fixtures/frameworks");
const I18NEXT: ReadonlySet<FrameworkName> = new Set(["i18next"] as const);

const cases: readonly (readonly [title: string, path: string, text: string, found: FrameworkOptions])[] = [
  [
    "fallback namespaces that are calculated",
    "packages/i18n/src/core/instance.ts",
    `i18n.init({ fallbackNS: NAMESPACES.filter((each) => each !== DEFAULT), nsSeparator: false })`,
    { namespaceSeparator: false, fallbackNamespaces: "all" },
  ],
  ["no fallback namespaces", "i18n.ts", `i18n.init({ fallbackNS: false })`, {}],
  ["nothing", "src/i18n.ts", `i18n.use(initReactI18next).init({ lng: "en", resources })`, {}],
  [
    "separators that are off",
    "src/i18n.ts",
    `i18n.use(Backend).init({ nsSeparator: false, keySeparator: false, debug: true })`,
    { namespaceSeparator: false, keySeparator: false },
  ],
  [
    "separators of one's own",
    "src/i18n/index.ts",
    `await i18next.init<Http>({ nsSeparator: "::", keySeparator: '>' , x: { keySeparator: "no" } })`,
    { namespaceSeparator: "::", keySeparator: ">" },
  ],
  ["an empty separator is none", "i18n.js", `i18next.init({ keySeparator: "" })`, { keySeparator: false }],
  [
    "default and fallback namespaces",
    "i18n.ts",
    `i18n.init({ defaultNS: "common", fallbackNS: ["shared", "other"] })`,
    { defaultNamespaces: ["common", "*"], fallbackNamespaces: ["shared", "other"] },
  ],
  [
    "constants, and in short",
    "i18n.ts",
    `export const defaultNS = "app"; const FALLBACK = "shared" as const; const options = { defaultNS, fallbackNS: FALLBACK }; i18n.init(options)`,
    { defaultNamespaces: ["app", "*"], fallbackNamespaces: ["shared"] },
  ],
  [
    "the namespace that is loaded",
    "i18n.ts",
    `i18n.init({ ns: ["app", "errors"] })`,
    { defaultNamespaces: ["app", "*"] },
  ],
  [
    "translation stays the default where it is loaded",
    "i18n.ts",
    `i18n.init({ ns: ["app", "translation"] })`,
    {},
  ],
  [
    "a namespace that is not shown",
    "i18n.ts",
    `i18n.init({ defaultNS: process.env.NS, nsSeparator: sep })`,
    {},
  ],
  ["in comments", "i18n.ts", `i18n.init({ /* keySeparator: false, */ lng: "en" }) // nsSeparator: false`, {}],
  [
    "i18next-cli",
    "i18next.config.ts",
    `import { defineConfig } from 'i18next-cli';\nexport default defineConfig({ locales: ['en'], extract: { input: 'src', defaultNS: 'app', keySeparator: false } });`,
    { defaultNamespaces: ["app", "*"], keySeparator: false },
  ],
  [
    "i18next-parser",
    "i18next-parser.config.js",
    `module.exports = { defaultNamespace: 'app', namespaceSeparator: '|', keySeparator: '/' }`,
    { defaultNamespaces: ["app", "*"], namespaceSeparator: "|", keySeparator: "/" },
  ],
  [
    "next-i18next",
    "next-i18next.config.js",
    `module.exports = { i18n: { defaultLocale: "en" }, defaultNS: "common", nsSeparator: false }`,
    { defaultNamespaces: ["common", "*"], namespaceSeparator: false },
  ],
  [
    "nsMode of react-i18next",
    "i18n.ts",
    `i18n.use(initReactI18next).init({ ns: ["translation"], react: { useSuspense: false, nsMode: "fallback" } })`,
    { nsMode: "fallback" },
  ],
  [
    "the namespaces of a tool, which are not the default ones",
    "i18next-parser.config.js",
    `module.exports = { ns: ["app", "errors"], keySeparator: "/" }`,
    { keySeparator: "/" },
  ],
  [
    "namespaces of which none is shown",
    "i18n.ts",
    `i18n.init({ ns: NAMESPACES, pluralSeparator: "", contextSeparator: "" })`,
    {},
  ],
  [
    "the default namespace that none is",
    "i18n.ts",
    `i18n.init({ defaultNS: ["*", "a"] })`,
    { defaultNamespaces: ["*", "a"] },
  ],
  [
    "delimiters that are escaped",
    "i18n.ts",
    String.raw`i18n.init({ interpolation: { prefixEscaped: "%\\{", suffixEscaped: "\\}", nestingSuffixEscaped: "\\]" } })`,
    { interpolation: { prefix: "%{", suffix: "}" }, nesting: { prefix: "$t(", suffix: "]" } },
  ],
  [
    "a delimiter that is also escaped",
    "i18n.ts",
    String.raw`i18n.init({ interpolation: { prefixEscaped: "no", prefix: "[[" } })`,
    { interpolation: { prefix: "[[", suffix: "}}" } },
  ],
  ["other options of interpolation", "i18n.ts", `i18n.init({ interpolation: { escapeValue: false } })`, {}],
  ["another nsMode", "i18n.ts", `i18n.init({ react: { nsMode: "default" } })`, {}],
  [
    "an nsMode that is not shown",
    "i18n.ts",
    `i18n.init({ react: { nsMode: mode } })`,
    { nsMode: "fallback" },
  ],
  [
    "separators of plural forms and contexts, from a file of its own",
    "i18n.ts",
    readFileSync(join(FIXTURES, "i18next-separators/i18n.ts"), "utf8"),
    { defaultNamespaces: ["common", "*"], pluralSeparator: "___", contextSeparator: "--" },
  ],
  [
    "delimiters of placeholders, from a file of its own",
    "i18n.ts",
    readFileSync(join(FIXTURES, "i18next-interpolation/i18n.ts"), "utf8"),
    { defaultNamespaces: ["common", "*"], interpolation: { prefix: "%{", suffix: "}" } },
  ],
  [
    "one delimiter, and those of links",
    "i18n.ts",
    `i18n.init({ interpolation: { prefix: "[[", nestingPrefix: "<<", nestingSuffix: ">>" } })`,
    { interpolation: { prefix: "[[", suffix: "}}" }, nesting: { prefix: "<<", suffix: ">>" } },
  ],
  ["options from elsewhere", "i18n.ts", `import { options } from "../options"; i18n.init(options)`, {}],
  ["options that are called for", "i18n.ts", `i18n.init(optionsOf("en"))`, {}],
  ["no options", "i18n.ts", `i18n.init()`, {}],
  ["options that no call takes", "src/other.ts", `const i18n = { defaultNS: "a" };`, {}],
  [
    "the options of the first of several calls, and others that only another has",
    "i18n.ts",
    `i18n.init({ keySeparator: "/" }); other.init({ keySeparator: "-", nsSeparator: "|" });`,
    { keySeparator: "/", namespaceSeparator: "|" },
  ],
  ["an empty list", "i18n.ts", `i18n.init({ defaultNS: [] })`, {}],
  ["broken text", "i18n.ts", `i18n.init({ keySeparator: false, `, {}],
];

test.each(cases)("%s", (_, path, text, found) => {
  expect(readFrameworkOptions([{ path, text }], I18NEXT)).toEqual(found);
});

test("does not read very long files", () => {
  const read = (length: number): FrameworkOptions =>
    readFrameworkOptions(
      [{ path: "i18n.ts", text: `i18n.init({ keySeparator: "/" })`.padEnd(length) }],
      I18NEXT,
    );
  expect([read(200_000), read(200_001)]).toEqual([{ keySeparator: "/" }, {}]);
});

test("reads what is said of the names of scopes", () => {
  const read = (keepCasing: string): FrameworkOptions =>
    readFrameworkOptions(
      [
        {
          path: "src/app.config.ts",
          text: `provideTransloco({ config: { scopes: { keepCasing: ${keepCasing} } } })`,
        },
      ],
      new Set(["transloco"] as const),
    );
  expect(read("true")).toEqual({ keepsNamespaceCase: true });
  expect([read("false"), read("isDevMode()")]).toEqual([{}, {}]);
});

test("prefers the first configuration of tools, and collects the names of scopes", () => {
  const parser = (path: string, separator: string) => ({
    path,
    text: `module.exports = { keySeparator: "${separator}" }`,
  });
  const tools = [parser("a/i18next-parser.config.js", "/"), parser("b/i18next-parser.config.js", "-")];
  expect(readFrameworkOptions(tools, I18NEXT)).toEqual({ keySeparator: "/" });
  const scope = (name: string, alias: string) => ({
    path: `src/${name}.routes.ts`,
    text: `providers: [provideTranslocoScope({ scope: "${name}", alias: "${alias}" })]`,
  });
  expect(
    readFrameworkOptions([scope("todos", "t"), scope("users", "u")], new Set(["transloco"] as const)),
  ).toEqual({ namespaceAliases: { t: "todos", u: "users" } });
});

test("prefers the application's configuration to that of tools", () => {
  expect(
    readFrameworkOptions(
      [
        {
          path: "i18next-parser.config.js",
          text: `module.exports = { defaultNamespace: "a", keySeparator: "/" }`,
        },
        { path: "src/i18n.ts", text: `i18n.init({ defaultNS: "b" })` },
      ],
      I18NEXT,
    ),
  ).toEqual({ defaultNamespaces: ["b", "*"], keySeparator: "/" });
});

/** Set-up, keys that the project has (`namespace|key`), and what a use of the key means. */
const issues: readonly (readonly [issue: string, text: string, has: string, used: string])[] = [
  [
    "i18next/i18next-scanner#31",
    `i18next.init({ nsSeparator: false, keySeparator: false })`,
    "translation|App key : ",
    "App key : ",
  ],
  ["i18next/i18next#1093", `i18n.init({ nsSeparator: "#" })`, "translation|ADMIN::A::B", "ADMIN::A::B"],
  [
    "i18next/i18next#825",
    `i18n.use(xhr).use(lngDetector).init({ ns: ["app.Messages", "ssh.Messages"], defaultNS: "app.Messages", keySeparator: "#" })`,
    "app.Messages|SSHLauncher.DescriptorDisplayName",
    "SSHLauncher.DescriptorDisplayName",
  ],
  [
    "i18next/i18next#1970",
    `const CONFIG = { ns: ALL, defaultNS: "common", fallbackNS: "common" }; i18next.init(CONFIG).then(run)`,
    "test|test with a space",
    "test:test with a space",
  ],
  ["i18next/i18next#2310", `i18next.init({ keySeparator: ":", nsSeparator: "::" })`, "shop|a:b", "shop::a:b"],
  ["i18next/i18next-parser#209", `i18n.init({ nsSeparator: "|" })`, "shop|Status: on", "shop|Status: on"],
];

test.each(issues)("%s", (_, text, has, used) => {
  const [namespace = "", key = ""] = has.split("|");
  const names = createKeyNames([{ namespace, key, context: null, hash: has }]);
  const options = {
    frameworks: new Set(["i18next" as const]),
    ...readFrameworkOptions([{ path: "src/i18n.ts", text }], I18NEXT),
  };
  const said = {
    expression: { kind: "static", key: used },
    namespaces: null,
    keyPrefix: "",
    context: null,
  } as const;
  expect(resolveKey(said, names, options)).toMatchObject({ kind: "known", key: { hash: has } });
});

test("the names under which Laravel packages load the texts", () => {
  const provider = (name: string) =>
    `<?php class P { function boot() { $this->loadTranslationsFrom(__DIR__ . '/../Resources/lang', '${name}'); } }`;
  const files = [
    { path: "src/Providers/ShopServiceProvider.php", text: provider("shop") },
    { path: "src/Providers/MailServiceProvider.php", text: provider("shop-mail") },
    { path: "src/Providers/AppServiceProvider.php", text: "<?php class A { function boot() {} }" },
  ];
  expect(readFrameworkOptions(files, new Set(["laravel"]))).toEqual({ packageNames: ["shop-mail", "shop"] });
  expect(readFrameworkOptions(files.slice(2), new Set(["laravel"]))).toEqual({});
});
