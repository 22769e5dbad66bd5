/** No tracked file has a registry address, a path of a machine, or a skipped or focused test. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../setup/ensure.mjs";
import { read, readJson, trackedFiles } from "./tree.ts";

const files = trackedFiles();
const text = files.filter((path) =>
  /\.(ts|mjs|cjs|js|json|md|ya?ml|css|html|svg)$|^\.[^/]+$|^\.ci\//.test(path),
);
const own = text.filter(
  (path) => !path.endsWith("package-lock.json") && !/^test\/(fixtures|demo\/sample)\//.test(path),
);

describe("lock files", () => {
  const locks = files.filter((path) => path.endsWith("package-lock.json"));

  it("exist for every package", () => {
    expect(locks).toEqual([
      "package-lock.json",
      "test/host/vscode/browser/package-lock.json",
      "test/host/vscode/minimum/package-lock.json",
      "test/host/vscode/newest/package-lock.json",
      "test/mutation/package-lock.json",
    ]);
  });

  it.each(locks)("%s contains no URLs", (lock) => {
    expect(read(lock)).not.toMatch(/"resolved"|https?:\/\/[^"]*\/-\//);
  });

  it.each(locks)("%s pins the dependencies of its package.json", (lock) => {
    const { packages } = readJson<{
      packages: Record<string, { dependencies?: object; devDependencies?: object }>;
    }>(lock);
    const wanted = readJson<{ dependencies?: object; devDependencies?: object }>(
      lock.replace("package-lock", "package"),
    );
    expect(packages[""]?.dependencies).toEqual(wanted.dependencies);
    expect(packages[""]?.devDependencies).toEqual(wanted.devDependencies);
  });

  it.each(locks)("%s has the packages of all platforms", (lock) => {
    const { packages } = readJson<{
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    }>(lock);
    const names = new Set(
      Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13)),
    );
    const wanted = Object.values(packages).flatMap((it) => Object.keys(it.optionalDependencies ?? {}));
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  });

  it("are written without URLs by npm", () => {
    for (const lock of locks) {
      expect(read(lock.replace("package-lock.json", ".npmrc"))).toContain(
        "omit-lockfile-registry-resolved=true",
      );
    }
  });
});

describe("the tree", () => {
  it("contains no absolute paths of a developer's machine", () => {
    const places = [root, `${homedir()}/.`];
    const found = own.filter((path) => places.some((place) => read(path).includes(place)));
    expect(found).toEqual([]);
  });

  it("has no relative paths that lead out of the checkout", () => {
    const leading = /["'`(]((?:\.\.\/)+)[\w.@-]/g;
    const outside = own.filter((path) => {
      const depth = path.split("/").length - 1;
      const ups = Array.from(read(path).matchAll(leading), (match) => (match[1] ?? "").length / 3);
      return ups.some((up) => up > depth);
    });
    expect(outside).toEqual([]);
  });

  it("contains no registry URLs", () => {
    const hosts = /registry\.[a-z-]+\.(org|com|io)|\.npmrc.*registry=|\/\/[^/\s"']+:_authToken/;
    expect(
      own.filter((path) => path !== "test/repo/repository-content.test.ts" && hosts.test(read(path))),
    ).toEqual([]);
  });

  it("has no file larger than 1 MB", () => {
    expect(files.filter((path) => statSync(join(root, path)).size > 1_000_000)).toEqual([]);
  });

  it("has only the expected entries at its top level", () => {
    const top = [...new Set(files.map((path) => path.split("/")[0] ?? ""))].filter(
      (name) => !name.startsWith("."),
    );
    const known = [
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "RELEASING.md",
      "docs",
      "esbuild.mjs",
      "l10n",
      "media",
      "package-lock.json",
    ];
    const more = ["package.json", "package.nls.json", "package.nls.nl.json", "src", "test", "tsconfig.json"];
    expect(top.filter((name) => !known.includes(name) && !more.includes(name))).toEqual([]);
  });

  it("has no `.skip` or `.only`", () => {
    const tests = own.filter((path) => path.endsWith(".test.ts"));
    expect(tests.length).toBeGreaterThan(0);
    expect(
      tests.filter((path) => /\b(it|test|describe|suite)\.(skip|only|todo|skipIf|fails)\b/.test(read(path))),
    ).toEqual([]);
  });

  it("waits for a condition without a limit of its own, and compares no time of day", () => {
    // `vi.waitFor` gives up after a second; see test/unit/support/wait-until.ts and linear-time.ts.
    const limited = new RegExp(
      String.raw`\bvi\.wait(For|Until)\b|expect\.poll\b|(performance|Date)\.now\(\) - \w+\)\.toBeLess`,
      "u",
    );
    const tests = own.filter((path) => /^test\/(unit|service)\/.*\.test\.ts$/u.test(path));
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((path) => limited.test(read(path)))).toEqual([]);
  });

  it("says how often a property runs, so that full runs repeat what does more in them", () => {
    const tests = own.filter(
      (path) => /^test\/unit\/.*\.test\.ts$/u.test(path) && read(path).includes("fc.assert("),
    );
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((path) => !/\bpropertyRuns\(|\brunCount\(|\bnumRuns\b/u.test(read(path)))).toEqual(
      [],
    );
  });
});

describe("a source file", () => {
  const sources = own.filter((path) => /^(src|test)\/.*\.(ts|mjs)$/.test(path));

  it("starts with a description", () => {
    expect(sources.filter((path) => !/^(#!.*\n)?\/\*\*\s/.test(read(path)))).toEqual([]);
  });

  it("has at most 600 lines", () => {
    expect(sources.filter((path) => read(path).split("\n").length > 601)).toEqual([]);
  });

  it("spreads no object literal into another one", () => {
    expect(sources.filter((path) => /^\s*\.\.\.\{/m.test(read(path)))).toEqual([]);
  });

  it("has no TODO comments", () => {
    const later = /\b(TODO|FIXME|XXX|HACK)\b/;
    expect(
      sources.filter((path) => path !== "test/repo/repository-content.test.ts" && later.test(read(path))),
    ).toEqual([]);
  });
});
