/** What a user installs: the list of files in the VSIX, and their size. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { buildAll, shippedFiles } from "../setup/build.ts";
import { root } from "../setup/ensure.mjs";
import { manifest, read } from "./tree.ts";

let files: readonly string[];
const size = (path: string) => statSync(join(root, path)).size;

beforeAll(async () => {
  buildAll();
  files = (await shippedFiles()).map((path) => path.replaceAll("\\", "/"));
}, 300_000);

it("has the bundles, the words and the pictures of the walkthrough, and nothing else", () => {
  expect(files.toSorted()).toEqual(
    [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "dist/code-worker.cjs",
      "dist/extension.cjs",
      "dist/format-worker.cjs",
      "dist/module-parser.cjs",
      "dist/on-demand.cjs",
      "dist/service.mjs",
      "l10n/bundle.l10n.nl.json",
      "media/activity-bar.svg",
      "media/icon.png",
      "media/project-translations.schema.json",
      "media/walkthrough/connect.svg",
      "media/walkthrough/map.svg",
      "media/walkthrough/pull.svg",
      "media/walkthrough/push.svg",
      "media/walkthrough/see.svg",
      "package.json",
      "package.nls.json",
      "package.nls.nl.json",
    ].toSorted(),
  );
});

it("is small", () => {
  expect(size("dist/extension.cjs")).toBeLessThan(600_000);
  expect(files.reduce((sum, path) => sum + size(path), 0)).toBeLessThan(3_000_000);
});

it("asks for nothing at run time but VS Code and Node", () => {
  expect(manifest()).not.toHaveProperty("dependencies");
  const asked = [...read("dist/extension.cjs").matchAll(/\brequire\("([^"]+)"\)/g)].map(
    (match) => match[1] ?? "",
  );
  expect(asked.filter((name) => name !== "vscode" && !name.startsWith("node:"))).toEqual([]);
});

it("reads large files and searches code in threads that need no VS Code", () => {
  const needsIt = ["format-worker", "code-worker", "on-demand"].filter((bundle) =>
    read(`dist/${bundle}.cjs`).includes('require("vscode")'),
  );
  expect(needsIt).toEqual([]);
  expect(size("dist/format-worker.cjs")).toBeLessThan(50_000);
  expect(size("dist/code-worker.cjs")).toBeLessThan(150_000);
});

it("has the parser of modules once, and loads it when a module is read", () => {
  for (const bundle of ["on-demand.cjs", "service.mjs"]) {
    expect(read(`dist/${bundle}`).split('import("./module-parser.cjs")')).toHaveLength(2);
  }
});

it("loads the file formats when they are needed, once for the window and its thread", () => {
  expect(read("dist/extension.cjs").includes('import("./on-demand.cjs")')).toBe(true);
  expect(read("dist/format-worker.cjs").includes('require("./on-demand.cjs")')).toBe(true);
  // A name that no code but theirs has.
  const holds = ["extension", "format-worker", "code-worker", "on-demand"].filter((bundle) =>
    read(`dist/${bundle}.cjs`).includes("xl/workbook.xml"),
  );
  expect(holds).toEqual(["on-demand"]);
});

it("does not load the local service with the extension", () => {
  expect(read("dist/extension.cjs")).not.toContain("node:sqlite");
});

it("is typed by no newer VS Code than it asks for", () => {
  const { engines, devDependencies } = manifest();
  expect(engines.vscode).toBe(`^${devDependencies["@types/vscode"]}`);
});
