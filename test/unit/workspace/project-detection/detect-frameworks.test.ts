/** Detects frameworks from manifests and headers. */
import { describe, expect, test } from "vitest";
import {
  detectFrameworks,
  detectFrameworksIn,
  foldersAbove,
  manifestGlobs,
  isFrameworkKey,
  isProvidedByFramework,
  MANIFEST_WATCH_GLOB,
} from "../../../../src/workspace/project-detection/detect-frameworks.ts";
import { candidatesOf } from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import { createKeyNames } from "../../support/key-database.ts";

const cases: readonly (readonly [path: string, text: string, frameworks: readonly string[]])[] = [
  ["composer.json", `{"require": {"php": "^8.2", "laravel/framework": "^12.0"}}`, ["laravel"]],
  ["composer.json", `{"require": {"illuminate/support": "*"}}`, ["laravel"]],
  ["composer.json", `{"type": "wordpress-plugin", "require": {}}`, ["wordpress"]],
  ["composer.json", `{"require": {"gettext/gettext": "^5"}}`, ["gettext"]],
  ["composer.json", `{"require": {"symfony/framework-bundle": "^7", "symfony/console": "^7"}}`, ["symfony"]],
  ["composer.json", `{"require": {"symfony/console": "^7"}}`, []],
  ["composer.json", `{"require": {"craftcms/cms": "^5"}}`, ["craft"]],
  ["composer.json", `{"require": {"monolog/monolog": "^3"}}`, []],
  ["package.json", `{"dependencies": {"i18next": "1", "react-i18next": "2"}}`, ["i18next"]],
  ["package.json", `{"dependencies": {"vue-i18n": "1", "laravel-vue-i18n": "2"}}`, ["vue-i18n", "laravel"]],
  ["frontend/package.json", `{"devDependencies": {"@nuxtjs/i18n": "9"}}`, ["vue-i18n"]],
  ["package.json", `{"dependencies": {"next-intl": "4"}}`, ["next-intl"]],
  ["package.json", `{"dependencies": {"react-intl": "4", "svelte-i18n": "1"}}`, ["formatjs", "svelte-i18n"]],
  ["package.json", `{"dependencies": {"@formatjs/svelte-intl": "1"}}`, ["formatjs"]],
  ["package.json", `{"dependencies": {"@sveltekit-i18n/base": "1"}}`, ["svelte-i18n"]],
  [
    "package.json",
    `{"dependencies": {"@ngx-translate/core": "17", "@ngx-translate/http-loader": "1"}}`,
    ["ngx-translate"],
  ],
  ["package.json", `{"dependencies": {"@jsverse/transloco": "7"}}`, ["transloco"]],
  ["ui/package.json", `{"dependencies": {"@ngneat/transloco": "6"}}`, ["transloco"]],
  ["package.json", `{"dependencies": {"@jsverse/transloco-messageformat": "7"}}`, ["messageformat"]],
  ["package.json", `{"dependencies": {"ngx-translate-messageformat-compiler": "7"}}`, ["messageformat"]],
  ["package.json", `{"dependencies": {"@lingui/core": "5", "@lingui/react": "5"}}`, ["lingui"]],
  ["package.json", `{"dependencies": {"@wordpress/i18n": "4"}}`, ["wordpress"]],
  ["package.json", `{"description": "not i18next", "keywords": ["vue-i18n"]}`, []],
  ["package.json", `{"dependencies": {"i18next": "1",, <<<<<<< half edited`, ["i18next"]],
  ["artisan", `#!/usr/bin/env php`, ["laravel"]],
  ["shop.php", `<?php\n/**\n * Plugin Name: Shop\n * Text Domain: shop\n */`, ["wordpress"]],
  ["style.css", `/*\nTheme Name: Shop\n*/`, ["wordpress"]],
  ["index.php", `<?php echo 1;`, []],
  ["requirements.txt", `Django==5.0\nrequests`, ["django", "gettext"]],
  ["requirements.txt", `flask_babel==4\nDjango.x`, ["jinja", "gettext"]],
  ["requirements.txt", `Flask.Babel==4`, ["jinja", "gettext"]],
  [
    "requirements/base.txt",
    `# django\n-r more.txt\nFlask-Babel>=4 ; x\nmy-django-like`,
    ["jinja", "gettext"],
  ],
  ["pyproject.toml", `dependencies = ["requests", "django[argon2]>=5"]`, ["django", "gettext"]],
  ["pyproject.toml", `[tool.poetry.dependencies]\ndjango = "^5"\nname = "djangoish"`, ["django", "gettext"]],
  ["setup.py", `setup(install_requires=['Babel>=2', 'x'])`, ["gettext"]],
  ["Pipfile", `[packages]\njinja2 = "*"`, ["jinja"]],
  ["setup.cfg", "[options]\ninstall_requires =\n  Django>=5\n", ["django", "gettext"]],
  ["Pipfile.lock", `"jinja2": {}`, []],
  [
    "backend/manage.py",
    `os.environ.setdefault("DJANGO_SETTINGS_MODULE", "x")\nimport django`,
    ["django", "gettext"],
  ],
  ["babel.cfg", `[python: **.py]\n[jinja2: **/templates/**.html]`, ["jinja", "gettext"]],
  ["po/POTFILES.in", `src/main.c`, ["gettext"]],
];

test.each(cases)("%s: %s", (path, text, frameworks) => {
  const found = detectFrameworks([{ path, text }]);
  expect([...found.frameworks].sort()).toEqual([...frameworks].sort());
  expect(found.reasons.every((reason) => reason.path === path && reason.evidence !== "")).toBe(true);
});

test("names the package as the reason", () => {
  const { reasons } = detectFrameworks([
    { path: "composer.json", text: `{"require": {"laravel/framework": "^12"}}` },
    { path: "package.json", text: `{"dependencies": {"react-i18next": "2"}}` },
  ]);
  expect(reasons).toEqual([
    { framework: "laravel", path: "composer.json", evidence: "laravel/framework" },
    { framework: "i18next", path: "package.json", evidence: "react-i18next" },
  ]);
});

test("reads text domains from plugin and theme headers", () => {
  const { domains } = detectFrameworks([
    { path: "shop.php", text: `<?php\n/*\n * Plugin Name: Shop\n * Text Domain: shop\n */` },
    { path: "themes/dark/style.css", text: `/*\nTheme Name: Dark\nText Domain:dark*/` },
    { path: "other.php", text: `<?php // Text Domain: other` },
    { path: "wp-content/plugins/plain/main.php", text: `<?php\n/* Plugin Name: A plain one */` },
  ]);
  expect([...domains].sort()).toEqual(["dark", "plain", "shop"]);
});

test.each([
  ["plain", ["plain"]],
  // Cloned into a folder of another name: which domain it has in WordPress cannot be told.
  ["plain-main", []],
  [undefined, []],
])("derives the text domain of a root plugin in the folder %s", (folder, expected) => {
  const { domains } = detectFrameworks(
    [
      { path: "plain.php", text: `<?php\n/* Plugin Name: Plain */` },
      { path: "shop.php", text: `<?php\n/*\n * Plugin Name: Shop\n * Text Domain: shop\n */` },
    ],
    folder,
  );
  expect([...domains].sort()).toEqual(expected.length === 0 ? [] : [...expected, "shop"]);
});

describe("Laravel's built-in lines", () => {
  const namesOf = (...keys: string[]) =>
    createKeyNames(
      keys.map((text) => {
        const [namespace = "", key = ""] = text.split("|");
        return { hash: text, namespace, key, context: null };
      }),
    );
  const candidates = (name: string) => {
    const expression = { kind: "static", key: name } as const;
    const use = { expression, namespaces: null, keyPrefix: "", context: null };
    return candidatesOf(use, { frameworks: new Set(["laravel"]) });
  };
  const isText = (name: string, keys: readonly string[] = [], local: readonly string[] = []) =>
    isProvidedByFramework(candidates(name), new Set(["laravel"]), namesOf(...keys), new Set(local));

  test("are not unknown keys while the project has nothing of their group", () => {
    for (const name of ["auth.failed", "validation.required", "pagination.next", "passwords.sent"]) {
      expect(isText(name, ["cart|title", "authors|x", "*|author"], ["cart"])).toBe(true);
    }
    expect(isText("validation.custom.email.required")).toBe(true);
  });

  test("are unknown keys if the service or a file has the group", () => {
    expect(isText("auth.failed", ["auth|throttle"])).toBe(false);
    expect(isText("auth.failed", ["*|auth.throttle"])).toBe(false);
    expect(isText("auth.failed", [], ["auth"])).toBe(false);
    expect(isText("auth.failed", ["validation|required"], ["passwords"])).toBe(true);
  });

  test("are not unknown keys where a view taken over from the framework has its own text", () => {
    expect(isText("All rights reserved.", ["*|Save", "cart|title"], ["*", "cart"])).toBe(true);
    expect(isText("All rights removed.")).toBe(false);
  });

  test("are used by the framework itself, those of its groups and its texts", () => {
    const isUsed = (namespace: string, key: string): boolean =>
      isFrameworkKey({ namespace, key, context: null }, new Set(["laravel"]));
    expect([
      isUsed("auth", "failed"),
      isUsed("*", "auth.failed"),
      isUsed("*", "All rights reserved."),
    ]).toEqual([true, true, true]);
    expect([isUsed("cart", "failed"), isUsed("cart", "All rights reserved.")]).toEqual([false, false]);
  });

  test("do not include other groups or frameworks", () => {
    expect(isText("cart.title")).toBe(false);
    expect(isText("author.name")).toBe(false);
    expect(isText("auth")).toBe(false);
    const other = new Set(["i18next"] as const);
    expect(isProvidedByFramework(candidates("auth.failed"), other, namesOf(), new Set())).toBe(false);
  });
});

test("every manifest but PHP files is watched", () => {
  const names = MANIFEST_WATCH_GLOB.slice("**/{".length, -1).split(",");
  const expected = ["package.json", "setup.py", "Pipfile", "requirements*.txt", "artisan", "style.css"];
  expect(names).toEqual(expect.arrayContaining([...expected, "manage.py", "babel.ini", "POTFILES"]));
  expect(names.filter((name) => /[{}/]|^\*/.test(name))).toEqual([]);
});

describe("the manifests of a monorepo", () => {
  const npm = (...names: readonly string[]) => [
    {
      path: "package.json",
      text: JSON.stringify({ dependencies: Object.fromEntries(names.map((each) => [each, "1"])) }),
    },
  ];
  const found = (...folders: ReturnType<typeof npm>[]): readonly string[] => {
    const [own = [], ...above] = folders;
    return [...detectFrameworksIn(own, above).frameworks];
  };

  test("have the frameworks of an app that names none itself", () => {
    expect(found(npm("rxjs"), npm(), npm("@jsverse/transloco"))).toEqual(["transloco"]);
    expect(found([], npm("vue-i18n"), npm("@jsverse/transloco"))).toEqual(["vue-i18n"]);
    expect(found(npm("i18next"), npm("@jsverse/transloco"))).toEqual(["i18next"]);
  });

  test("are also those above the translation files", () => {
    const globs = manifestGlobs([
      { path: "webapp/i18n/{locale}.json" },
      { path: "lang/{locale}/{namespace}.php" },
      { path: ".config/lang/{locale}.json" },
    ]);
    const manifests = "{package.json,composer.json,pyproject.toml}";
    expect(globs.filter((glob) => glob.endsWith(`/${manifests}`))).toEqual([
      `webapp/i18n/${manifests}`,
      `webapp/${manifests}`,
      `lang/${manifests}`,
    ]);
  });

  test("are in the folders above the app", () => {
    expect(foldersAbove("apps/web/ui")).toEqual(["apps/web", "apps", ""]);
    expect(foldersAbove("ui")).toEqual([""]);
    expect(foldersAbove("")).toEqual([]);
  });
});
