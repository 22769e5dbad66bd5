/**
 * Dependencies: each bundled package is named with its reason in CONTRIBUTING, and only named packages run install
 * scripts.
 */
import { globSync } from "node:fs";
import { type Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { describe, expect, test } from "vitest";
import { root } from "../setup/ensure.mjs";
import { manifest, read, readJson, sources, trackedFiles } from "./tree.ts";

interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly hasInstallScript?: boolean; readonly resolved?: string }>
  >;
}

/** The package of a file; of a package in another one's `node_modules`, the outer one. */
const nameIn = (path: string): string => {
  const [first = "", second = ""] = path
    .slice(path.indexOf("node_modules/") + "node_modules/".length)
    .split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
};

describe("packages in the bundles", () => {
  /** By the source maps, which name every file that went in, also those of which a package itself was made. */
  const bundled = (): ReadonlySet<string> => {
    const { packages } = readJson<LockFile>("package-lock.json");
    const names = globSync("dist/*.map", { cwd: root })
      .flatMap((map) => readJson<{ sources: readonly string[] }>(map).sources)
      .filter((source) => source.includes("node_modules/"))
      // What stands within a package came along with it.
      .map((source) => nameIn(source.split("/node_modules/").slice(0, 2).join("/node_modules/")));
    return new Set(names.filter((name) => Object.hasOwn(packages, `node_modules/${name}`)));
  };

  test("are those that CONTRIBUTING lists with a reason", () => {
    const [, after = ""] = read("CONTRIBUTING.md").split("## What is shipped, and why");
    const [table = ""] = after.split("\n## ");
    const rows = [...table.matchAll(/^\| (?!Package |-)([^|]+)\|([^|]+)\|$/gm)];
    for (const [row, , reason = ""] of rows) expect(reason.trim().length, row).toBeGreaterThan(20);
    const named = rows.flatMap(([, names = ""]) => names.split(",").map((name) => name.trim()));
    expect(named.toSorted()).toEqual([...bundled()].toSorted());
  });

  test("are shipped with their licences", () => {
    const notices = read("dist/THIRD-PARTY-NOTICES.txt");
    for (const name of bundled()) {
      const { version } = readJson<{ version: string }>(`node_modules/${name}/package.json`);
      expect(notices, name).toMatch(
        new RegExp(`^${name} ${version.replaceAll(".", "\\.")} \\(.+\\)\n\n.*licen`, "imsu"),
      );
    }
  });

  test("are exactly those in the software bill of materials", () => {
    const bill = readJson<{
      readonly components: readonly {
        readonly name: string;
        readonly version: string;
        readonly purl: string;
        readonly hashes?: readonly unknown[];
      }[];
    }>("dist/sbom.cdx.json");
    const notices = [...read("dist/THIRD-PARTY-NOTICES.txt").matchAll(/^-{80}\n\n(\S+) (\S+) \(/gmu)];
    expect(bill.components.map(({ name, version }) => `${name} ${version}`)).toEqual(
      notices.map(([, name, version]) => `${name} ${version}`),
    );
    const names = new Set(bill.components.map(({ name }) => name));
    expect([...bundled()].filter((name) => !names.has(name))).toEqual([]);
    for (const { purl, hashes } of bill.components) {
      expect(purl).toMatch(/^pkg:npm\/(?:%40[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/u);
      expect(hashes, purl).toHaveLength(1);
    }
  });

  test("are listed according to the CycloneDX schema", async () => {
    const { specVersion } = readJson<{ specVersion: Spec.Version }>("dist/sbom.cdx.json");
    const problem = await new Validation.JsonStrictValidator(specVersion).validate(
      read("dist/sbom.cdx.json"),
    );
    expect(problem).toBeNull();
  });

  test("are the dependencies, each with an exact version", () => {
    const { dependencies } = manifest();
    expect(Object.keys(dependencies).toSorted()).toEqual([...bundled()].toSorted());
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe("install scripts", () => {
  test("are listed, and allowed for no package", () => {
    const { packages } = readJson<LockFile>("package-lock.json");
    const withScript = Object.entries(packages).filter(
      ([, { hasInstallScript }]) => hasInstallScript === true,
    );
    const { allowScripts } = readJson<{ allowScripts: Readonly<Record<string, boolean>> }>("package.json");
    expect(Object.keys(allowScripts).toSorted()).toEqual(
      [...new Set(withScript.map(([path]) => nameIn(path)))].toSorted(),
    );
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual([]);
  });

  test("do not run", () => {
    const ensure = read("test/setup/ensure.mjs");
    const installs = [...ensure.matchAll(/npm\((\w+), \["ci"(.*?)\]/g)].map(
      ([, where, rest]) => `${where}${rest}`,
    );
    expect(installs).toEqual(['root, "--ignore-scripts"', ...Array(3).fill('project, "--ignore-scripts"')]);
  });

  test("lock files contain no download URLs", () => {
    for (const path of trackedFiles().filter((each) => each.endsWith("package-lock.json")))
      for (const [name, { resolved }] of Object.entries(readJson<LockFile>(path).packages))
        expect(resolved, `${path}: ${name}`).toBeUndefined();
  });
});

describe("the extension does not have", () => {
  test.each([
    // A webview brings tests of its own: no remote content, nonces, messages checked by a schema.
    ["webviews", /createWebviewPanel|registerWebviewViewProvider|registerWebviewPanelSerializer/],
    ["notebooks", /registerNotebookSerializer/],
    ["code made of text", /\beval\(|new Function\(|runInThisContext|runInNewContext/],
    ["a shell", /(?<!\.)\bexec(?:Sync|File|FileSync)?\(\s*["'`]|shell:\s*true|createTerminal|sendText/],
    ["Markdown whose every command or HTML counts", /isTrusted = true|supportHtml/],
    ["checks of certificates turned off", /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/],
  ])("%s", (_, pattern) => {
    // What the local service unpacks and answers runs in no window.
    const found = [...sources(/^src\/(?!service\/)/)].filter(([, text]) =>
      pattern.test(text.replaceAll(/\/\*[\s\S]*?\*\//g, "")),
    );
    expect(found.map(([path]) => path)).toEqual([]);
  });

  test("a webview view", () => {
    const views = Object.values(manifest().contributes.views ?? {}).flat() as readonly {
      readonly type?: string;
    }[];
    expect(views.filter(({ type }) => type !== undefined)).toEqual([]);
    expect(manifest().contributes).not.toHaveProperty("notebooks");
  });

  // Its tests are in webview.test.ts.
  test("a custom editor other than the translation editor", () => {
    const found = [...sources(/^src\//)].filter(([, text]) => text.includes("registerCustomEditorProvider"));
    expect(found.map(([path]) => path)).toEqual([
      "src/features/translation-editor/translation-editor-provider.ts",
    ]);
  });

  test("a notification outside `notifications.ts`", () => {
    const callers = [...sources(/^src\//)].filter(([, text]) =>
      /show(?:Information|Warning|Error)Message\(/.test(text),
    );
    expect(callers.map(([path]) => path)).toEqual(["src/vscode/notifications.ts"]);
  });
});
