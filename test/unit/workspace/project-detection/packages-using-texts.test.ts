/** Which packages use the texts of a project in another folder, by their manifests. */
import { expect, test } from "vitest";
import type { ManifestFile } from "../../../../src/frameworks/framework.ts";
import {
  assignCode,
  packagesUsingTexts,
} from "../../../../src/workspace/project-detection/packages-using-texts.ts";

/** A `package.json` with these dependencies. */
function npm(path: string, name: string, ...dependencies: readonly string[]): ManifestFile {
  const versions = Object.fromEntries(dependencies.map((each) => [each, "workspace:^"]));
  return {
    path: path === "" ? "package.json" : `${path}/package.json`,
    text: JSON.stringify({ name, dependencies: versions }),
  };
}

function found(
  manifests: readonly ManifestFile[],
  ...projects: readonly string[]
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(packagesUsingTexts(manifests, projects).packages);
}

const ROOT = npm("", "all", "react-i18next");
const TEXTS = npm("packages/texts", "@a/texts");
const MAIL = npm("packages/mail", "@a/mail");

test("a package uses the texts of its dependency, or of the nearest one that has any", () => {
  const manifests = [
    ROOT,
    TEXTS,
    MAIL,
    npm("packages/ui", "@a/ui", "@a/texts"),
    npm("apps/web", "@a/web", "@a/ui", "react-i18next"),
    npm("apps/mailer", "@a/mailer", "@a/mail", "@a/texts"),
    npm("apps/api", "@a/api", "koa"),
    // Without a framework of its own.
    npm("apps/cli", "@a/cli", "@a/ui"),
  ];
  expect(found(manifests, "packages/texts", "packages/mail")).toEqual({
    "packages/ui": ["packages/texts"],
    "apps/web": ["packages/texts"],
    "apps/mailer": ["packages/mail", "packages/texts"],
  });
});

test("dependencies of all kinds, in Composer too", () => {
  const composer = {
    path: "modules/shop/composer.json",
    text: JSON.stringify({ name: "a/shop", "require-dev": { "a/lang": "*" } }),
  };
  const lang = { path: "modules/lang/composer.json", text: JSON.stringify({ name: "a/lang" }) };
  const peer = { path: "ui/package.json", text: JSON.stringify({ peerDependencies: { "@a/texts": "*" } }) };
  expect(found([composer, lang, peer, TEXTS], "modules/lang", "packages/texts")).toEqual({
    "modules/shop": ["modules/lang"],
    ui: ["packages/texts"],
  });
});

test.each([
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
  "require",
  "require-dev",
])("a package uses the texts of what it names in %s", (member) => {
  const manifest = { path: "ui/package.json", text: JSON.stringify({ [member]: { "@a/texts": "*" } }) };
  expect(found([manifest, TEXTS], "packages/texts")).toEqual({ ui: ["packages/texts"] });
});

test("a package uses texts that are at most five packages away", () => {
  const chain = (length: number): readonly ManifestFile[] => [
    npm("app", "p0", "p1", "react-i18next"),
    ...Array.from({ length: length - 1 }, (_, index) =>
      npm(`p${index + 1}`, `p${index + 1}`, index === length - 2 ? "@a/texts" : `p${index + 2}`),
    ),
    TEXTS,
    MAIL,
  ];
  const projects = ["packages/texts", "packages/mail"];
  expect(found(chain(5), ...projects)["app"]).toEqual(["packages/texts"]);
  expect(found(chain(6), ...projects)["app"]).toBeUndefined();
});

test("a package is none of the folders above a project whose name only begins with its own", () => {
  const manifests = [npm("packages/ui", "@a/ui", "@a/texts"), npm("packages/ui-texts", "@a/texts")];
  expect(found(manifests, "packages/ui-texts")).toEqual({ "packages/ui": ["packages/ui-texts"] });
});

test("a package with a framework belongs to the only project", () => {
  const manifests = [TEXTS, npm("apps/web", "@a/web", "vue-i18n"), npm("apps/api", "@a/api", "koa")];
  expect(found(manifests, "packages/texts")).toEqual({ "apps/web": ["packages/texts"] });
  expect(found([...manifests, MAIL], "packages/texts", "packages/mail")).toEqual({});
});

test("packages of a project belong to it, and may use the texts of others", () => {
  const manifests = [
    ROOT,
    TEXTS,
    npm("apps/web", "@a/web", "@a/texts"),
    npm("apps/web/plugins/x", "@a/x", "@a/texts"),
    npm("apps/web/plugins/y", "@a/y", "@a/web"),
    npm("apps/web/plugins/z", "@a/z", "@a/mail"),
    MAIL,
  ];
  const all = ["apps/web", "packages/texts", "packages/mail"];
  const { packages, projects, names } = packagesUsingTexts(manifests, all);
  expect([...packages]).toEqual([]);
  expect([...projects]).toEqual([["apps/web", ["packages/texts", "packages/mail"]]]);
  expect(Object.fromEntries(names)).toEqual({
    "apps/web": "@a/web",
    "packages/texts": "@a/texts",
    "packages/mail": "@a/mail",
  });
  // The folder of all packages is no package of its own.
  expect(found([ROOT, TEXTS], "packages/texts")).toEqual({});
  expect(found(manifests, "")).toEqual({});
});

test("a project file below its package, cycles and damaged manifests", () => {
  const manifests = [
    npm("texts", "@a/texts", "@a/web"),
    npm("web", "@a/web", "@a/web", "@a/texts"),
    { path: "broken/package.json", text: "[" },
    { path: "null/package.json", text: "null" },
    { path: "odd/package.json", text: '{ "dependencies": null, "require": 3, "name": 4 }' },
  ];
  expect(found(manifests, "texts/src")).toEqual({ web: ["texts/src"] });
  const both = [
    TEXTS,
    npm("u", "u", "@a/texts"),
    npm("v", "v", "@a/texts", "web"),
    npm("web", "web", "u", "v", "react-i18next"),
  ];
  expect(found(both, "packages/texts")["web"]).toEqual(["packages/texts"]);
});

test("an import counts for the package of that whole name", async () => {
  const admin = npm("packages/texts-admin", "@a/texts-admin");
  const { folders } = await assignCode({
    projects: ["packages/texts", "packages/texts-admin"],
    readManifests: async () => [ROOT, TEXTS, admin, npm("apps/web", "@a/web", "@a/texts", "@a/texts-admin")],
    includeOf: () => undefined,
    readSetup: async () => [{ text: 'import "@a/texts-admin"; import "@a/texts-admin"; import "@a/texts";' }],
  });
  expect(folders.get("packages/texts-admin")).toEqual(["apps/web"]);
});

test("the code of a package is that of the project that its set-up imports most often", async () => {
  const manifests = [
    ROOT,
    TEXTS,
    MAIL,
    npm("apps/web", "@a/web", "@a/texts", "@a/mail"),
    npm("apps/cli", "@a/cli", "@a/mail"),
  ];
  const read: string[] = [];
  const assign = (includeOf: (project: string) => readonly string[] | undefined) =>
    assignCode({
      projects: ["packages/texts", "packages/mail"],
      readManifests: () => Promise.resolve(manifests),
      includeOf,
      readSetup: async (folder) => {
        read.push(folder);
        return [{ text: 'import "@a/mail"; import "@a/mail"; import "@a/texts";' }];
      },
    });
  const { folders, others } = await assign(() => undefined);
  expect(Object.fromEntries(folders)).toEqual({
    "packages/texts": [],
    "packages/mail": ["apps/web", "apps/cli"],
  });
  expect(Object.fromEntries(others)).toEqual({ "packages/mail": ["packages/texts"] });
  // Only where it decides.
  expect(read).toEqual(["apps/web"]);
  const include = [
    "src/**",
    "../../apps/web/src/**",
    "../texts/**",
    "../texts/src/**",
    "../../../elsewhere/**",
  ];
  const listed = await assign((project) => (project === "packages/mail" ? include : undefined));
  expect([Object.fromEntries(listed.folders), [...listed.others]]).toEqual([
    { "packages/texts": [], "packages/mail": ["apps/web/src"] },
    [],
  ]);
});

test("a project with the code of several packages uses the texts that any of them uses", async () => {
  const { others } = await assignCode({
    projects: ["packages/texts", "packages/mail", "packages/news"],
    readManifests: async () => [
      ROOT,
      TEXTS,
      MAIL,
      npm("packages/news", "@a/news"),
      npm("apps/web", "@a/web", "@a/texts", "@a/mail"),
      npm("apps/cli", "@a/cli", "@a/news", "@a/mail", "@a/texts"),
    ],
    includeOf: () => undefined,
    readSetup: async () => [{ text: 'import "@a/mail";' }],
  });
  expect(Object.fromEntries(others)).toEqual({ "packages/mail": ["packages/texts", "packages/news"] });
});

test("a project uses the texts of another one that its own package depends on", async () => {
  const { others } = await assignCode({
    projects: ["packages/texts", "packages/mail"],
    readManifests: async () => [ROOT, TEXTS, npm("packages/mail", "@a/mail", "@a/texts")],
    includeOf: () => undefined,
    readSetup: async () => [],
  });
  expect(Object.fromEntries(others)).toEqual({ "packages/mail": ["packages/texts"] });
});

test("a project of the whole folder uses the texts of one in it, as its packages do", async () => {
  const { folders, others } = await assignCode({
    projects: ["", "packages/texts"],
    readManifests: async () => [ROOT, TEXTS, npm("apps/web", "@a/web", "@a/texts")],
    includeOf: () => undefined,
    readSetup: async () => [],
  });
  expect(Object.fromEntries(others)).toEqual({ "": ["packages/texts"] });
  expect(Object.fromEntries(folders)).toEqual({ "": [], "packages/texts": [] });
});

test("a project of the whole folder has the code of all packages, so none is assigned", async () => {
  const assigned = await assignCode({
    projects: [""],
    readManifests: () => Promise.reject(new Error("no manifest is needed")),
    includeOf: () => undefined,
    readSetup: async () => [],
  });
  expect([[...assigned.folders], [...assigned.others]]).toEqual([[["", []]], []]);
});
