/** Names and links of Transloco, in the order of `TranslocoService.translate` and `selectTranslate`. */
import { expect, test } from "vitest";
import type { KeyConventions } from "../../../src/frameworks/framework.ts";
import { NO_NAMESPACE } from "../../../src/model/key-hash.ts";
import { transloco } from "../../../src/frameworks/transloco.ts";
import type { FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";
import { readFrameworkOptions } from "../../../src/workspace/project-detection/read-framework-options.ts";
import { resolveKey } from "../../../src/workspace/usages/resolve-usage-to-key.ts";
import { createKeyNames } from "../support/key-database.ts";

const FRAMEWORKS: ReadonlySet<FrameworkName> = new Set(["transloco"]);

/** Keys as `namespace|key`; the namespace is the folder of a scope. */
const KEYS = ["|title", "|form.name", "todos-page|title", "admin/users|list.empty", "nav|home", "|es.title"];

function resolved(
  key: string,
  namespaces: readonly string[] | null = null,
  { keyPrefix = "", ...conventions }: KeyConventions & { readonly keyPrefix?: string } = {},
): string {
  const names = createKeyNames(
    KEYS.map((hash) => {
      const [namespace = "", name = ""] = hash.split("|");
      return { hash, namespace: namespace || NO_NAMESPACE, key: name, context: null };
    }),
  );
  const usage = { expression: { kind: "static", key } as const, namespaces, keyPrefix, context: null };
  const found = resolveKey(usage, names, { frameworks: FRAMEWORKS, ...conventions });
  return found.kind === "known" ? found.key.hash : found.kind;
}

test("a key without a scope", () => {
  expect(resolved("title")).toBe("|title");
  expect(resolved("form.name")).toBe("|form.name");
  expect(resolved("name", null, { keyPrefix: "form" })).toBe("|form.name");
  expect(resolved("no")).toBe("unknown");
});

test("a scope's keys begin with its name in camel case", () => {
  expect(resolved("todosPage.title")).toBe("todos-page|title");
  expect(resolved("adminUsers.list.empty")).toBe("admin/users|list.empty");
  expect(resolved("nav.home")).toBe("nav|home");
  expect(resolved("title", null, { keyPrefix: "todosPage" })).toBe("todos-page|title");
});

test("a call with a scope or a language", () => {
  expect(resolved("title", ["todos-page"])).toBe("todos-page|title");
  expect(resolved("title", ["todos-page/en"])).toBe("todos-page|title");
  for (const language of ["zh-Hans", "sr-Latn-RS", "es-419", "pt_BR"])
    expect(resolved("title", [`todos-page/${language}`]), language).toBe("todos-page|title");
  expect(resolved("list.empty", ["admin/users"])).toBe("admin/users|list.empty");
  expect(resolved("list.empty", ["admin/users/pt-BR"])).toBe("admin/users|list.empty");
  expect(resolved("title", ["es"])).toBe("|title");
  expect(resolved("home", ["nav"])).toBe("nav|home");
});

test("aliases of scopes", () => {
  const files = [
    {
      path: "src/app/todos/todos.routes.ts",
      text: `import { provideTranslocoScope } from "@jsverse/transloco";
        export const routes = [{ providers: [provideTranslocoScope({ scope: "todos-page", alias: "td" }, { scope: "nav", alias: 'menu' })] }];`,
    },
    {
      path: "src/app/users/users.module.ts",
      text: `@NgModule({ providers: [{ provide: TRANSLOCO_SCOPE, useValue: { scope: 'admin/users', alias: 'users' } }] }) // transloco`,
    },
  ];
  const options = readFrameworkOptions(files, FRAMEWORKS);
  expect(options.namespaceAliases).toEqual({ td: "todos-page", menu: "nav", users: "admin/users" });
  expect(resolved("td.title", null, options)).toBe("todos-page|title");
  expect(resolved("users.list.empty", null, options)).toBe("admin/users|list.empty");
  expect(resolved("menu.home", null, options)).toBe("nav|home");
});

test("scopeMapping of the configuration, beside aliases of scopes", () => {
  const files = [
    {
      path: "src/app/app.config.ts",
      text: `provideTransloco({ config: { defaultLang: 'en', scopeMapping: { 'lazy-page': 'kazaz', "admin/users": USERS } } }); const USERS = 'users';`,
    },
    {
      path: "src/app/todos/todos.routes.ts",
      text: `provideTranslocoScope({ scope: "todos-page", alias: "td" }) // transloco`,
    },
  ];
  const options = readFrameworkOptions(files, FRAMEWORKS);
  expect(options.namespaceAliases).toEqual({ kazaz: "lazy-page", users: "admin/users", td: "todos-page" });
  expect(resolved("users.list.empty", null, options)).toBe("admin/users|list.empty");
});

test("scopes that keep their case", () => {
  const text = `provideTransloco({ config: { scopes: { keepCasing: true }, defaultLang: 'en' } })`;
  const options = readFrameworkOptions([{ path: "src/app/app.config.ts", text }], FRAMEWORKS);
  expect(options).toEqual({ keepsNamespaceCase: true });
  expect(resolved("todos-page.title", null, options)).toBe("todos-page|title");
  expect(resolved("admin/users.list.empty", null, options)).toBe("admin/users|list.empty");
  expect(resolved("todosPage.title", null, options)).toBe("unknown");
  expect(resolved("title", ["todos-page"], options)).toBe("todos-page|title");
  const other = text.replace("true", "false");
  expect(readFrameworkOptions([{ path: "src/app/app.config.ts", text: other }], FRAMEWORKS)).toEqual({});
});

test("one delimiter for both ends", () => {
  const text = `provideTransloco({ config: { interpolation: "%%" } })`;
  const options = readFrameworkOptions([{ path: "src/app/app.config.ts", text }], FRAMEWORKS);
  expect(options.interpolation).toEqual({ prefix: "%%", suffix: "%%" });
});

test.each([
  `export const appConfig = { providers: [provideTransloco({ config: { availableLangs: ["en"], interpolation: ["<<", ">>"] } })] };`,
  `import { translocoConfig } from "@ngneat/transloco"; const c = translocoConfig({ defaultLang: 'en', interpolation: ['<<', '>>'] });`,
])("delimiters in %s", (text) => {
  const options = readFrameworkOptions([{ path: "src/app/app.config.ts", text }], FRAMEWORKS);
  expect(options.interpolation).toEqual({ prefix: "<<", suffix: ">>" });
});

test.each([
  ["app.short-name", true],
  ["a.b.c", true],
  ["name", false],
  ["a.", false],
  ["a b.c", false],
  ["a.b}", false],
])("a link can refer to %s: %s", (key, canWrite) => {
  const text = "{{ a.b }}";
  const [link] = transloco.links?.find(text, {}) ?? [];
  expect(link && transloco.links?.canWrite(key, link, text)).toBe(canWrite);
});

test("a placeholder with a path is a link to that key", () => {
  const keys = (text: string, conventions: KeyConventions = {}): readonly string[] =>
    (transloco.links?.find(text, conventions) ?? []).map(({ key, span }) => {
      expect(text.slice(span.start, span.end)).toBe(key);
      return key;
    });
  expect(keys("Welcome to {{ app.name }}, {{user}} {{app.short-name}}")).toEqual([
    "app.name",
    "app.short-name",
  ]);
  expect(keys("<<app.name>> {{ a.b }}", { interpolation: { prefix: "<<", suffix: ">>" } })).toEqual([
    "app.name",
  ]);
  // One of them is another one in the next project.
  expect(keys("<<app.name>> <<a.b]]", { interpolation: { prefix: "<<", suffix: "]]" } })).toEqual(["a.b"]);
  expect(keys("<<app.name>> <<a.b]]", { interpolation: { prefix: "<<", suffix: ">>" } })).toEqual([
    "app.name",
  ]);
});
