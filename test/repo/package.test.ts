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
import { packagedFiles, SHIPPED_FILES } from "../setup/build.ts";
import { root } from "../setup/ensure.mjs";
import { manifest, read, readJson, trackedFiles } from "./tree.ts";

let files: readonly string[];
const size = (path: string) => statSync(join(root, path)).size;

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
  expect(files.toSorted()).toEqual(SHIPPED_FILES.toSorted());
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
    expect(size("dist/extension.cjs")).toBeLessThan(1_045_000);
    expect(statSync(vsix).size).toBeLessThan(1_200_000);
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

it("requires nothing at run time but VS Code and Node", () => {
  const asked = [...read("dist/extension.cjs").matchAll(/\brequire\("([^"]+)"\)/g)].map(
    (match) => match[1] ?? "",
  );
  expect(asked.filter((name) => name !== "vscode" && !name.startsWith("node:"))).toEqual([]);
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

it("contains every bundle that the extension starts, loads or shows", () => {
  const code = read("dist/extension.cjs");
  const started = code.matchAll(/"dist(?:\/|",\s*")([\w.-]+)"/gu);
  const loaded = code.matchAll(/import\("\.\/([\w.-]+)"\)/gu);
  const names = [...started, ...loaded].map(([, name]) => `dist/${name}`);
  expect(names).toContain("dist/indexer-process.mjs");
  expect(names.filter((name) => !files.includes(name))).toEqual([]);
});

it("indexes projects without VS Code's API", () => {
  const bundles = ["dist/indexer-process.mjs", "dist/shared.mjs", "dist/formats.cjs"];
  expect(bundles.filter((bundle) => /(?:require\(|from)"vscode"/u.test(read(bundle)))).toEqual([]);
  expect(size("dist/indexer-process.mjs") + size("dist/shared.mjs")).toBeLessThan(430_000);
});

/** The bundles that contain a text which only one library or part of the source has. */
const bundlesWith = (text: string) =>
  files.filter((path) => /^dist\/.*\.[cm]js$/u.test(path) && read(path).includes(text));

it("contains the module parser once and loads it on demand", () => {
  expect(bundlesWith("importReflection")).toEqual(["dist/module-parser.cjs"]);
  expect(read("dist/formats.cjs").split('import("./module-parser.cjs")')).toHaveLength(2);
});

it("contains the file formats once and loads them on demand", () => {
  expect(read("dist/extension.cjs").includes('import("./formats.cjs")')).toBe(true);
  expect(read("dist/shared.mjs").includes('import("./formats.cjs")')).toBe(true);
  expect(read("dist/service.mjs").includes('from"./formats.cjs"')).toBe(true);
  expect(bundlesWith("trans-unit")).toEqual(["dist/formats.cjs"]);
});

it("contains the protocol of agents once and loads it on demand", () => {
  expect(read("dist/extension.cjs").split('import("./mcp-server.cjs")')).toHaveLength(2);
  expect(bundlesWith("elicitation/create")).toEqual(["dist/mcp-server.cjs"]);
  expect(size("dist/mcp-server.cjs")).toBeLessThan(310_000);
});

it("loads text extraction and its parsers on demand", () => {
  expect(read("dist/extension.cjs").split('import("./extract.cjs")')).toHaveLength(2);
  expect(read("dist/extract.cjs").split('import("./module-parser.cjs")')).toHaveLength(2);
  expect(bundlesWith("encapsedpart")).toEqual(["dist/extract.cjs"]);
  // The extension, which has all scanners, passes the one that is needed.
  expect(size("dist/extract.cjs")).toBeLessThan(392_000);
});

it("does not load the local service with the extension", () => {
  expect(read("dist/extension.cjs")).not.toContain("hono");
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
