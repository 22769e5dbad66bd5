/** What a project's conventions are made of, and how its keys are shown by them. */
import { expect, test } from "vitest";
import type { ManifestFile } from "../../../../src/frameworks/framework.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { pathMatcher } from "../../../../src/workspace/file-system/globs.ts";
import { CONFIGURATION_GLOBS } from "../../../../src/workspace/project-detection/configuration-globs.ts";
import { detectConventions } from "../../../../src/workspace/project-detection/detect-conventions.ts";
import { spellKeys } from "../../../../src/workspace/project-detection/key-spelling.ts";
import {
  NOTHING_DETECTED,
  scanAndLookupOptions,
} from "../../../../src/workspace/project-detection/scan-and-lookup-options.ts";
import type { KeyResolutionOptions } from "../../../../src/workspace/usages/resolve-usage-to-key.ts";

const npm = (...packages: readonly string[]): ManifestFile => {
  const dependencies = Object.fromEntries(packages.map((name) => [name, "1"]));
  return { path: "package.json", text: JSON.stringify({ dependencies }) };
};
const INIT: ManifestFile = {
  path: "src/i18n.ts",
  text: 'i18next.init({ defaultNS: "app", nsSeparator: "|" })',
};

/** The frameworks and options, and what was read, with the limit. */
async function detected(
  manifests: readonly ManifestFile[],
  above: readonly (readonly ManifestFile[])[] = [],
) {
  const reads: (readonly [
    globs: readonly string[],
    outside: readonly string[],
    limit: number | undefined,
  ])[] = [];
  const found = await detectConventions([{ path: "web/lang/{locale}.json", format: "json_js" }], {
    read: async (globs, outside, limit) => {
      reads.push([globs, outside, limit]);
      return reads.length === 1 ? manifests : [INIT];
    },
    above,
    name: "shop",
  });
  return { ...found, reads };
}

test("options are read of the frameworks that were found, in the manifests of the folder or above it", async () => {
  const own = await detected([npm("i18next")]);
  expect(own).toMatchObject({
    frameworks: ["i18next"],
    domains: [],
    options: { defaultNamespaces: ["app", "*"], namespaceSeparator: "|" },
  });
  const [manifests, options] = own.reads;
  // Those above the translation files, too, but not in folders with code elsewhere.
  expect(manifests?.[0]).toContain("web/{package.json,composer.json,pyproject.toml}");
  expect(manifests?.[1]).toContain("{composer.json,package.json}");
  expect(manifests?.[1]).not.toContain("web/{package.json,composer.json,pyproject.toml}");
  expect(options?.[0]).toEqual(options?.[1]);
  expect(options?.[2]).toBe(50);
  expect((await detected([npm("i18next")], [[npm("vue-i18n")]])).frameworks).toEqual(["i18next"]);
  const above = await detected([npm("koa")], [[npm("koa")], [npm("i18next")], [npm("vue-i18n")]]);
  expect(above).toMatchObject({ frameworks: ["i18next"], options: { namespaceSeparator: "|" } });
});

test("no options are read where no framework has any", async () => {
  expect(await detected([npm("koa")])).toMatchObject({ ...NOTHING_DETECTED, reads: [{}] });
  const plugin: ManifestFile = { path: "shop.php", text: "<?php\n/*\n * Plugin Name: Shop\n */" };
  expect(await detected([plugin])).toMatchObject({
    frameworks: ["wordpress"],
    domains: ["shop"],
    options: {},
  });
});

test("code is scanned and keys are looked up by the same options", () => {
  const functions = [{ name: "say", key: 0 }];
  const frameworks = new Set<FrameworkName>(["i18next"]);
  expect(scanAndLookupOptions({ ...NOTHING_DETECTED, frameworks: ["i18next"] }, functions)).toEqual({
    configured: { frameworks, functions },
    lookup: { frameworks },
  });
  const interpolation = { prefix: "<", suffix: ">" };
  const macros = { modules: ["@app/i18n"] };
  const options = {
    nsMode: "fallback",
    macros,
    interpolation,
    keySeparator: "/",
    pluralSeparator: "-",
  } as const;
  expect(scanAndLookupOptions({ frameworks: ["i18next"], domains: ["shop"], options }, functions)).toEqual({
    configured: {
      frameworks,
      functions,
      domains: new Set(["shop"]),
      nsMode: "fallback",
      macros,
      interpolation,
      keySeparator: "/",
    },
    lookup: { frameworks, interpolation, keySeparator: "/", pluralSeparator: "-" },
  });
});

test.each<[string, FrameworkName[], Partial<KeyResolutionOptions>, string, ReadonlySet<string> | "all"]>([
  ["i18next", ["i18next"], {}, ":", new Set(["translation", "*"])],
  ["another separator", ["i18next"], { namespaceSeparator: "|" }, "|", new Set(["translation", "*"])],
  ["no separator", ["i18next"], { namespaceSeparator: false }, " › ", new Set(["translation", "*"])],
  ["another default", ["i18next"], { defaultNamespaces: ["app"] }, ":", new Set(["app"])],
  ["Laravel", ["laravel"], { namespaceSeparator: "|" }, ".", new Set(["*"])],
  ["texts", ["gettext"], {}, " › ", "all"],
])("names of keys are shown as code has them: %s", (_, frameworks, more, separator, unwritten) => {
  const project: Parameters<typeof spellKeys>[0] = { namespaceSeparator: "", unwrittenNamespaces: new Set() };
  spellKeys(project, { frameworks: new Set(frameworks), ...more });
  expect(project).toEqual({ namespaceSeparator: separator, unwrittenNamespaces: unwritten });
});

test.each([
  "app/project-translations.json",
  "app/package.json",
  "composer.json",
  "api/requirements.txt",
  "api/pyproject.toml",
  "src/i18n.ts",
  "web/src/i18n/index.ts",
  "app/angular.json",
  "app/project.inlang/settings.json",
  "app/nuxt.config.ts",
])("%s decides which projects a folder has, or how their code is read", (path) => {
  expect(pathMatcher(CONFIGURATION_GLOBS)(path)).toBe(true);
});

test.each(["src/a.ts", "app/index.php", "readme.md", "style.scss"])(
  "%s decides nothing of projects",
  (path) => {
    expect(pathMatcher(CONFIGURATION_GLOBS)(path)).toBe(false);
  },
);
