/** Imports run down and have no cycles; each rule detects a planted violation. */
import { describe, expect, it } from "vitest";
import { circularImports, FOLDERS, forbiddenImports, importGraph } from "./import-graph.ts";
import { sources, trackedFiles } from "./tree.ts";

const graph = importGraph(sources(/^/));

describe("imports", () => {
  it("go down the layers", () => {
    expect(graph.size).toBeGreaterThan(0);
    expect(forbiddenImports(graph)).toEqual([]);
  });

  it("are not circular, including types", () => {
    expect(circularImports(graph)).toEqual([]);
  });

  it("are between known folders", () => {
    const folders = new Set([...graph.keys()].map((path) => path.split("/")[1]));
    expect(folders).toEqual(new Set(FOLDERS));
  });

  it("no folder contains more than 25 files", () => {
    const counts = new Map<string, number>();
    for (const path of trackedFiles().filter((each) => each.startsWith("src/"))) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
  });
});

/** The breaches among files with these imports. */
function breaches(files: Readonly<Record<string, string>>): readonly string[] {
  return forbiddenImports(importGraph(new Map(Object.entries(files))));
}

describe("a violation", () => {
  const breaking: readonly (readonly [from: string, to: string])[] = [
    ["src/model/a.ts", "../api/response-schemas.ts"],
    ["src/model/a.ts", "vscode"],
    ["src/api/a.ts", "../formats/format.ts"],
    ["src/formats/php/a.ts", "../../workspace/file-layout/path-patterns.ts"],
    ["src/scanners/a.ts", "../formats/format.ts"],
    ["src/database/a.ts", "../sync/push/push-plan.ts"],
    ["src/workspace/usages/a.ts", "../../sync/push/push-plan.ts"],
    ["src/workspace/usages/a.ts", "vscode"],
    ["src/sync/a.ts", "../vscode/app.ts"],
    ["src/indexer/a.ts", "vscode"],
    ["src/indexer/a.ts", "../api/client.ts"],
    ["src/sync/a.ts", "../scanners/key-usage.ts"],
    ["src/commands/a.ts", "../frameworks/framework.ts"],
    ["src/operations/a.ts", "../machine-translation/translate-texts.ts"],
    ["src/mcp/a.ts", "../sync/push/push-plan.ts"],
    ["src/features/push/a.ts", "../../indexer/indexer-client.ts"],
    ["src/vscode/a.ts", "../features/hover/hover-provider.ts"],
    ["src/vscode/a.ts", "../extension.ts"],
    ["src/features/push/a.ts", "../pull/pull-command.ts"],
    ["src/features/push/a.ts", "../../local-service/cli.ts"],
    ["src/local-service/a.ts", "../api/client.ts"],
    ["src/local-service/a.ts", "../vscode/app.ts"],
    ["src/local-service/a.ts", "vscode"],
    ["src/features/push/a.ts", "hono"],
  ];
  it.each(breaking)("from %s to %s is detected", (from, to) => {
    for (const text of [
      `import { a } from "${to}";`,
      `import type { a } from "${to}";`,
      `const a = import("${to}");`,
    ]) {
      expect(breaches({ [from]: text })).toHaveLength(1);
    }
  });

  const allowed: readonly (readonly [from: string, to: string])[] = [
    ["src/api/a.ts", "valibot"],
    ["src/formats/php/a.ts", "../../model/translation-text.ts"],
    ["src/sync/a.ts", "../workspace/file-layout/layout.ts"],
    ["src/features/push/a.ts", "./preview.ts"],
    ["src/features/push/a.ts", "../../vscode/app.ts"],
    ["src/local-service/exports/a.ts", "../../workspace/file-layout/path-patterns.ts"],
    ["src/local-service/a.ts", "node:sqlite"],
  ];
  it.each(allowed)("from %s to %s is allowed", (from, to) => {
    expect(breaches({ [from]: `import { a } from "${to}";` })).toEqual([]);
  });

  it("in a cycle is detected, including types", () => {
    const files = {
      "src/model/a.ts": `import { b } from "./b.ts";`,
      "src/model/b.ts": `import type { c } from "./c.ts";`,
      "src/model/c.ts": `export { a } from "./a.ts";`,
      "src/model/d.ts": `import { a } from "./a.ts";`,
    };
    expect(circularImports(importGraph(new Map(Object.entries(files))))).toEqual([
      ["src/model/a.ts", "src/model/b.ts", "src/model/c.ts"],
    ]);
  });
});
