/** By which packages and files each framework is recognised, and which of its files are read. */
import { describe, expect, test } from "vitest";
import { supportedFrameworks, type FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";
import { globFilter } from "../../../src/workspace/file-system/globs.ts";
import {
  detectFrameworks,
  MANIFEST_GLOBS,
} from "../../../src/workspace/project-detection/detect-frameworks.ts";
import { configuredLanguages } from "../../../src/workspace/project-detection/detect-source-language.ts";

const PACKAGES: readonly (readonly [FrameworkName, manager: "composer" | "npm" | "python", names: string])[] =
  [
    [
      "gettext",
      "composer",
      "gettext/gettext gettext/translator phpmyadmin/motranslator phpmyadmin/twig-i18n-extension",
    ],
    ["gettext", "npm", "node-gettext jed ttag gettext.js vue3-gettext vue-gettext"],
    [
      "gettext",
      "python",
      `django wagtail djangorestframework babel flask-babel fastapi-babel starlette-babel aiogram-i18n python-gettext
     zope.i18n`,
    ],
    ["django", "python", "django wagtail djangorestframework"],
    ["jinja", "python", "jinja2 flask flask-babel fastapi-babel starlette-babel pyramid_jinja2"],
    [
      "laravel",
      "composer",
      "laravel/framework laravel/lumen-framework illuminate/translation illuminate/support illuminate/contracts",
    ],
    ["laravel", "npm", "laravel-vue-i18n laravel-react-i18n laravel-translator-js matice lang.js"],
    ["craft", "composer", "craftcms/cms"],
    [
      "symfony",
      "composer",
      "symfony/symfony symfony/framework-bundle symfony/twig-bundle symfony/twig-bridge",
    ],
    [
      "wordpress",
      "composer",
      `johnpbloch/wordpress johnpbloch/wordpress-core roots/wordpress roots/wordpress-no-content timber/timber
     wpackagist-plugin/akismet wpackagist-theme/dark wp-cli/i18n-command`,
    ],
    ["wordpress", "npm", "@wordpress/i18n @wordpress/scripts"],
    [
      "i18next",
      "npm",
      `i18next react-i18next next-i18next i18next-vue vue-i18next next-translate remix-i18next svelte-i18next
     solid-i18next @i18next-toolkit/react`,
    ],
    ["vue-i18n", "npm", "vue-i18n petite-vue-i18n @nuxtjs/i18n nuxt-i18n vue-i18n-next @intlify/core"],
    ["next-intl", "npm", "next-intl use-intl next-international"],
    ["svelte-i18n", "npm", "svelte-i18n svelte-intl-precompile sveltekit-i18n @sveltekit-i18n/base"],
    [
      "formatjs",
      "npm",
      "react-intl @formatjs/intl @formatjs/vue-intl @formatjs/svelte-intl @formatjs/cli vue-intl preact-intl",
    ],
    ["ngx-translate", "npm", "@ngx-translate/core ng2-translate"],
    ["transloco", "npm", "@jsverse/transloco @ngneat/transloco"],
    [
      "messageformat",
      "npm",
      "@jsverse/transloco-messageformat @ngneat/transloco-messageformat ngx-translate-messageformat-compiler",
    ],
    [
      "lingui",
      "npm",
      "@lingui/core @lingui/react @lingui/macro @lingui/cli @lingui/vite-plugin @lingui/swc-plugin @lingui/solid",
    ],
  ];

const MANIFESTS = {
  composer: (name: string) => ({ path: "composer.json", text: `{ "require": { "${name}": "*" } }` }),
  npm: (name: string) => ({ path: "package.json", text: `{ "dependencies": { "${name}": "1" } }` }),
  python: (name: string) => ({ path: "requirements.txt", text: `${name}>=1` }),
};

test.each(PACKAGES)("%s is recognised by its packages of %s", (framework, manager, names) => {
  for (const name of names.split(/\s+/)) {
    const found = detectFrameworks([MANIFESTS[manager](name)]).frameworks;
    const expected = PACKAGES.filter(
      ([, of, listed]) => of === manager && listed.split(/\s+/).includes(name),
    );
    expect([...found].sort(), name).toEqual(expected.map(([each]) => each).sort());
    expect(found, name).toContain(framework);
  }
});

test.each<["composer" | "npm" | "python", name: string]>([
  ["npm", "eslint-plugin-i18next"],
  ["npm", "i18next-scanner"],
  ["npm", "eslint-plugin-vue-i18n"],
  ["npm", "next-intl-split"],
  ["npm", "@types/react-intl"],
  ["npm", "gettext-parser"],
  ["npm", "@ngx-translate/http-loader"],
  ["npm", "@wordpress/eslint-plugin"],
  ["npm", "@lingui/eslint-plugin"],
  ["npm", "@jsverse/transloco-utils"],
  ["composer", "illuminate/collections"],
  ["composer", "symfony/twig-pack"],
  ["composer", "wp-cli/wp-cli"],
  ["composer", "craftcms/generator"],
  ["python", "django-environ"],
  ["python", "babelfish"],
  ["python", "flask-cors"],
])("no framework is recognised by the package of %s %s", (manager, name) => {
  expect([...detectFrameworks([MANIFESTS[manager](name)]).frameworks]).toEqual([]);
});

test("a file says what it shows, and one of the same name without it says nothing", () => {
  const found = (path: string, text: string) =>
    detectFrameworks([{ path, text }]).reasons.map(({ framework, evidence }) => `${framework}: ${evidence}`);
  expect(found("artisan", "#!/usr/bin/env php")).toEqual(["laravel: artisan"]);
  expect(found("artisan", "A painting")).toEqual([]);
  expect(found("manage.py", "import django")).toEqual(["gettext: django", "django: django"]);
  expect(found("manage.py", "import flask")).toEqual([]);
  expect(found("babel.cfg", "[jinja2: **.html]")).toEqual(["gettext: babel.cfg", "jinja: babel.cfg"]);
  expect(found("babel.cfg", "[jinja: **.html]")).toEqual(["gettext: babel.cfg", "jinja: babel.cfg"]);
  expect(found("babel.ini", "[python: **.py]")).toEqual(["gettext: babel.ini"]);
  for (const name of ["POTFILES", "POTFILES.in", "LINGUAS", "Makevars"])
    expect(found(`po/${name}`, "")).toEqual([`gettext: ${name}`]);
  expect(found("po/README", "jinja2:")).toEqual([]);
  expect(found("composer.json", '{ "type": "wordpress-muplugin" }')).toEqual([
    "wordpress: wordpress-muplugin",
  ]);
  expect(found("shop.php", "<?php /* Plugin Name: Shop */")).toEqual(["wordpress: Plugin Name"]);
  expect(found("style.css", "/* Theme Name: Shop */")).toEqual(["wordpress: Theme Name"]);
  expect(found("shop.php", "<?php /* Theme Name: Shop */")).toEqual([]);
  expect(found("style.css", "/* Plugin Name: Shop */")).toEqual([]);
  expect(found("shop.txt", "Plugin Name: Shop")).toEqual([]);
  expect(found("shop.php", `<?php ${" ".repeat(8_192)}\n/* Plugin Name: Shop */`)).toEqual([]);
});

/** Whether the globs match each path. */
function matching(globs: readonly string[], ...paths: readonly string[]): readonly string[] {
  const filter = globFilter(globs);
  return paths.filter((path) => filter.matches(path));
}

describe("the files that are read", () => {
  test.each([
    ..."artisan manage.py backend/manage.py server/manage.py src/manage.py api/manage.py app/manage.py".split(
      " ",
    ),
    ..."babel.cfg babel.ini backend/babel.cfg po/POTFILES po/POTFILES.in po/LINGUAS po/Makevars".split(" "),
    ..."shop.php style.css plugins/shop/shop.php themes/dark/style.css wp-content/plugins/shop/main.php".split(
      " ",
    ),
    "wp-content/themes/dark/style.css",
  ])("to recognise a framework include %s", (path) => {
    expect(matching(MANIFEST_GLOBS, path)).toEqual([path]);
  });

  test("do not include every PHP file and style sheet", () => {
    const paths = ["src/shop.php", "assets/style.css", "plugins/shop/inc/a.php", "src/deep/manage.py"];
    expect(matching(MANIFEST_GLOBS, ...paths)).toEqual([]);
  });

  test.each<[FrameworkName, paths: string, others: string]>([
    [
      "i18next",
      `i18next.config.ts next-i18next.config.js i18next-parser.config.mjs i18n.config.json src/i18n.ts i18n.js app/initI18n.mjs
       app/init-i18n.ts app/i18n.client.ts app/i18n.server.tsx src/i18nConfig.js src/i18n-config.js src/i18next.jsx src/i18n/index.ts
       app/i18n/config.ts client/i18next/settings.js lib/i18n/setup.ts lib/i18n/options.ts lib/i18n/instance.ts
       packages/i18n/src/index.ts packages/i18n/src/core/instance.ts packages/i18n/src/lib/client.ts`,
      "src/index.ts src/i18n/en.ts src/i18n/deep/er/index.ts src/i18n/index.css",
    ],
    [
      "transloco",
      `src/main.ts src/app/app.config.ts src/app/app.module.ts src/app/transloco-root.module.ts
       src/app/transloco/transloco-root.module.ts apps/shop/src/app/app.config.ts libs/ui/src/main.ts
       src/app/todos/todos.routes.ts src/app/app-routing.module.ts src/app/shop/transloco-loader.ts src/app/shop/shop.module.ts
       src/app/shop/shop.providers.ts`,
      "src/app/shop/shop.component.ts src/app/main.js",
    ],
    [
      "lingui",
      "lingui.config.ts lingui.config.js lingui.config.mjs apps/web/lingui.config.cjs packages/ui/lingui.config.mts",
      "src/lingui.config.ts lingui.config.json",
    ],
    [
      "laravel",
      `app/Providers/ShopServiceProvider.php src/ShopServiceProvider.php packages/shop/src/ShopServiceProvider.php
       modules/shop/Providers/ShopServiceProvider.php Modules/Shop/Providers/ShopServiceProvider.php`,
      "vendor/shop/ShopServiceProvider.php app/Providers/Shop.php",
    ],
  ])("for the options of %s", (framework, paths, others) => {
    const globs = supportedFrameworks.get(framework)?.configuration?.globs ?? [];
    const listed = paths.split(/\s+/);
    expect(matching(globs, ...listed, ...others.split(" "))).toEqual(listed);
  });

  test.each<[FrameworkName, paths: string]>([
    ["i18next", "src/i18n.ts lib/initI18n.js app/i18n/index.ts app/i18next/client.mjs i18next.config.cjs"],
    ["transloco", "src/main.ts src/app/app.config.ts a/shop.module.ts a/app.routes.ts a/transloco-loader.ts"],
    ["lingui", "lingui.config.ts apps/web/lingui.config.mjs"],
    ["laravel", "app/Providers/ShopServiceProvider.php"],
  ])("again after a change, of %s", (framework, paths) => {
    const watch = supportedFrameworks.get(framework)?.configuration?.watch ?? "";
    expect(matching([watch], ...paths.split(" "))).toEqual(paths.split(" "));
  });

  test.each<[FrameworkName, paths: string]>([
    ["laravel", "config/app.php app/Config/app.php"],
    [
      "django",
      `shop/settings.py backend/shop/settings.py shop/settings/__init__.py shop/settings/base.py
       backend/shop/settings/common.py`,
    ],
    ["symfony", "config/packages/translation.yaml config/packages/framework.yaml"],
    [
      "ngx-translate",
      `src/main.ts src/app/app.config.ts client/src/app/app.module.ts src/main/webapp/app/app.component.ts
       ui/src/app/core/core.module.ts apps/shop/src/app/app.module.ts projects/shop/src/main.ts`,
    ],
    ["transloco", "transloco.config.ts transloco.config.mjs src/app/app.config.ts apps/shop/src/main.ts"],
  ])("for the source language of %s", (framework, paths) => {
    const globs = supportedFrameworks.get(framework)?.sourceLanguage?.globs ?? [];
    expect(matching(globs, ...paths.split(/\s+/))).toEqual(paths.split(/\s+/));
    expect(
      matching(globs, "src/other.ts", "shop/other.py", "config/packages/other.yaml", "config/mail.php"),
    ).toEqual([]);
  });
});

test.each<[path: string, text: string, expected: readonly string[]]>([
  ["config/packages/translation.yaml", "framework:\n  translator:\n    fallbacks: ['de']\n", ["de"]],
  ["config/packages/translation.yaml", "framework:\n  translator:\n    fallbacks:\n      - de\n", ["de"]],
  [
    "config/packages/translation.yaml",
    "  default_locale: en # the first\n  fallbacks: [de, nl]\n",
    ["en", "de"],
  ],
  ["config/packages/translation.yaml", "  fallbacks: de\n  default_locale: 'pt_BR'\n", ["pt_BR", "de"]],
  ["config/packages/framework.yaml", "  other_default_locale: en\n", []],
  ["shop/settings.py", "TIME = 1\nLANGUAGE_CODE = 'nl'\n", ["nl"]],
  ["shop/settings.py", "X_LANGUAGE_CODE = 'nl'\n", []],
  ["config/app.php", "'locale' => 'nl', 'fallback_locale' => 'en', 'faker_locale' => 'fr_FR'", ["en", "nl"]],
  ["config/app.php", "'faker_locale' => 'fr_FR',", []],
  ["src/app/app.config.ts", "translate.setFallbackLang('en'); translate.use('de');", ["en"]],
  ["src/app/app.config.ts", "provideTranslateService({ defaultLanguage: 'en' })", ["en"]],
  ["src/app/app.config.ts", "translocoService.setDefaultLang('nl')", ["nl"]],
  [
    "src/app/app.config.ts",
    "provideTransloco({ config: { defaultLang: 'de', fallbackLang: 'en' } })",
    ["en", "de"],
  ],
])("the source language in %s: %s", (path, text, expected) => {
  expect(configuredLanguages([{ path, text }])).toEqual(expected);
});
