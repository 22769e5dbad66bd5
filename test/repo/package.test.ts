/** The contents and the size of the VSIX. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { gzipSync } from "node:zlib";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRelease, repositoryOf } from "../release/package.ts";
import { packagedFiles, shippedFiles } from "../setup/build.ts";
import { root } from "../setup/ensure.mjs";
import { manifest, read, readJson, trackedFiles } from "./tree.ts";

let files: readonly string[];

/** What a bundle imports when it is loaded. */
const importedBy = (bundle: string): readonly string[] =>
  Array.from(
    read(bundle).matchAll(/(?:^|[;}\n])(?:import|export)\b[^"'()]*"([^"]+)"/gu),
    ([, name = ""]) => name,
  );

/** A program, or what is loaded on demand, and the bundles that are loaded with it. */
function loadedBy(name: string): ReadonlySet<string> {
  const bundles = new Set([`dist/${name}.mjs`]);
  for (const bundle of bundles)
    for (const imported of importedBy(bundle))
      if (imported.startsWith("./")) bundles.add(`dist/${imported.slice(2)}`);
  return bundles;
}

/** All of them, with the code that may be loaded with each, in thousands of bytes. */
const LIMITS = {
  cli: 1,
  "command-line": 730,
  extension: 1068,
  extract: 450,
  formats: 222,
  "indexer-process": 465,
  "mcp-server": 322,
  "module-parser": 316,
  service: 390,
};
const programs = Object.keys(LIMITS) as readonly (keyof typeof LIMITS)[];

beforeAll(async () => {
  const folder = checkout();
  files = (await packagedFiles(folder)).map((path) => path.replaceAll("\\", "/"));
  rmSync(folder, { recursive: true });
});

/** Makes a folder with the names of all files of a checkout in which everything was built and tested, and returns its path. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), "checkout-"));
  const built = readdirSync(join(root, "dist")).map((name) => `dist/${name}`);
  const others = [".env", ".cache/report.json", "node_modules/a/index.js", "test/host/vscode/b.js", "a.vsix"];
  for (const path of [...trackedFiles(), ...built, ...others]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  for (const path of ["package.json", ".vscodeignore"]) cpSync(join(root, path), join(folder, path));
  return folder;
}

it("contains the bundles, l10n files and walkthrough pictures, and nothing else", () => {
  expect(files.toSorted()).toEqual(shippedFiles().toSorted());
});

describe("the package", () => {
  const folder = mkdtempSync(join(tmpdir(), "package-"));
  const vsix = join(folder, "extension.vsix");
  let said = "";
  let packed: Readonly<Record<string, Uint8Array>> = {};
  const text = (path: string) => new TextDecoder().decode(packed[`extension/${path}`]);

  beforeAll(async () => {
    said = await packageRelease(vsix, "https://github.com/owner/name", files);
    packed = unzipSync(readFileSync(vsix));
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it("is small", () => {
    expect(statSync(vsix).size).toBeLessThan(950_000);
  });

  it("is created without warnings", () => {
    expect(said).toContain("DONE");
    expect(said).not.toMatch(/WARN|ERROR/u);
  });

  it("derives repository, issues and homepage from one URL", () => {
    expect(JSON.parse(text("package.json"))).toMatchObject({
      ...manifest(),
      repository: { type: "git", url: "https://github.com/owner/name.git" },
      bugs: { url: "https://github.com/owner/name/issues" },
      homepage: "https://github.com/owner/name#readme",
    });
    const env = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "owner/name" };
    const own = { name: "a", publisher: "b", version: "1.0.0" };
    expect(repositoryOf(own, env)).toBe("https://github.com/owner/name");
    expect(repositoryOf({ ...own, repository: "https://example.com/own.git" }, env)).toBe(
      "https://example.com/own",
    );
    expect(repositoryOf(own, {})).toBeNull();
  });

  it("has a README whose pictures and links lead to existing files of the repository", () => {
    const links = [...text("readme.md").matchAll(/\]\(([^)#]+)[^)]*\)/gu)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(10);
    const home = /^https:\/\/github\.com\/owner\/name\/(?:blob|raw)\/HEAD\//u;
    expect(links.filter((link) => !home.test(link))).toEqual([]);
    expect(links.filter((link) => !existsSync(join(root, link.replace(home, ""))))).toEqual([]);
  });

  it("has all the metadata that registries show", () => {
    const { icon, galleryBanner, categories, keywords, qna, pricing, license, capabilities, description } =
      readJson<Readonly<Record<string, unknown>> & { readonly icon: string }>("package.json");
    const picture = readFileSync(join(root, icon));
    // Width and height of a PNG.
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([256, 256]);
    expect(galleryBanner).toMatchObject({ theme: "dark" });
    expect(categories).toContain("AI");
    expect(keywords).toContain("i18n");
    expect([qna, pricing, license]).toEqual(["marketplace", "Free", "MIT"]);
    expect(capabilities).toMatchObject({ untrustedWorkspaces: {}, virtualWorkspaces: {} });
    expect(description).toBe("%description%");
    expect(readJson<object>("package.json")).not.toHaveProperty("private");
  });
});

it("imports nothing at run time but VS Code and Node", () => {
  const names = [...loadedBy("extension")].flatMap((bundle) => importedBy(bundle));
  expect(names).toContain("vscode");
  expect(names.filter((name) => !/^(?:vscode$|node:|\.\/)/u.test(name))).toEqual([]);
});

it("contains no URLs but examples, localhost and XML namespaces", () => {
  const bundles = files.filter((path) => /^dist\/.*\.[cm]?js$/.test(path));
  const hosts = bundles.flatMap((path) =>
    [...read(path).matchAll(/\bhttps?:\/\/([\w.-]*\w)/g)].map(([, host = ""]) => host),
  );
  expect([...new Set(hosts)].toSorted()).toEqual([
    "127.0.0.1",
    // The SDK for agents: an issue that a message names, and the names of JSON schemas.
    "github.com",
    "json-schema.org",
    "localhost",
    "name",
    "schemas.openxmlformats.org",
    "translations.example.com",
    "www.w3.org",
  ]);
});

/** The bundles that a text leads to by `import()`. */
const loadedOnDemand = (code: string) =>
  Array.from(code.matchAll(/\bimport\("\.\/([\w.-]+)"\)/gu), ([, name]) => `dist/${name}`);

it("contains every bundle that the extension starts, loads or shows", () => {
  const code = [...loadedBy("extension")].map((bundle) => read(bundle)).join("\n");
  const started = Array.from(code.matchAll(/"dist(?:\/|",\s*")([\w.-]+)"/gu), ([, name]) => `dist/${name}`);
  expect(started).toEqual(expect.arrayContaining(["dist/indexer-process.mjs", "dist/service.mjs"]));
  expect([...started, ...loadedBy("extension")].filter((name) => !files.includes(name))).toEqual([]);
  expect([...new Set(loadedOnDemand(code))].toSorted()).toEqual([
    "dist/extract.mjs",
    "dist/formats.mjs",
    "dist/mcp-server.mjs",
  ]);
});

it("loads little code", () => {
  const sizes = programs.map((name) => {
    const bytes = [...loadedBy(name)].map((bundle) => statSync(join(root, bundle)).size);
    return [name, bytes.reduce((sum, each) => sum + each) / 1000] as const;
  });
  expect(sizes.filter(([name, size]) => size > LIMITS[name])).toEqual([]);
});

it("needs VS Code's API only in the extension", () => {
  const others = programs.filter((name) => name !== "extension");
  expect(
    others.filter((name) => [...loadedBy(name)].some((it) => importedBy(it).includes("vscode"))),
  ).toEqual([]);
});

/** The bundles that contain a text which only one library or part of the source has. */
const bundlesWith = (text: string) =>
  files.filter((path) => /^dist\/.*\.m?js$/u.test(path) && read(path).includes(text));

/** The programs, and what they load on demand, that import one of the bundles with such a text. */
const programsWith = (text: string) => {
  const bundles = bundlesWith(text);
  expect(bundles).toHaveLength(1);
  return programs.filter((name) => bundles.some((bundle) => loadedBy(name).has(bundle)));
};

it("contains large parts once, and loads on demand what is not needed at the start", () => {
  // Babel's parser, the file formats, the protocol of agents, PHP's parser, the server of the local service.
  expect(programsWith("importReflection")).toEqual(["module-parser"]);
  expect(programsWith("trans-unit")).toEqual(["formats", "service"]);
  expect(programsWith("elicitation/create")).toEqual(["mcp-server"]);
  expect(programsWith("encapsedpart")).toEqual(["extract"]);
  expect(programsWith("hono-already-sent")).toEqual(["service"]);
});

it("has a small translation editor page", () => {
  const page =
    gzipSync(read("dist/translation-editor.js")).length +
    gzipSync(read("dist/translation-editor.css")).length;
  expect(page).toBeLessThan(30_000);
});

it("uses VS Code types no newer than its minimum version", () => {
  const { engines, devDependencies } = manifest();
  expect(engines.vscode).toBe(`^${devDependencies["@types/vscode"]}`);
});
