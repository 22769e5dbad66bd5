/**
 * The direction of imports: one planted breach of each kind, in a copy of the tree's shape, which the lint must refuse
 * by the rule meant for it, beside imports that it must let be.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ownNode, root } from "../setup/ensure.mjs";

const forbidden: readonly (readonly [file: string, from: string])[] = [
  ["src/api/a.ts", "vscode"],
  ["src/api/b.ts", "node:crypto"],
  ["src/api/c.ts", "undici"],
  ["src/api/d.ts", "../core/text.ts"],
  ["src/api/e.ts", "../host/app.ts"],
  ["src/core/a.ts", "vscode"],
  ["src/core/b.ts", "node:fs"],
  ["src/core/c.ts", "fs"],
  ["src/core/d.ts", "../host/app.ts"],
  ["src/core/formats/e.ts", "../../features/hover/hover.ts"],
  ["src/core/f.ts", "../service/store/store.ts"],
  ["src/core/g.ts", "../extension.ts"],
  ["src/host/a.ts", "../features/hover/hover.ts"],
  ["src/host/b.ts", "../service/start.ts"],
  ["src/host/c.ts", "../extension.ts"],
  ["src/features/push/a.ts", "../pull/pull.ts"],
  ["src/features/push/parts/b.ts", "../../pull/pull.ts"],
  ["src/features/push/c.ts", "../../service/start.ts"],
  ["src/features/push/d.ts", "../../extension.ts"],
  ["src/service/a.ts", "vscode"],
  ["src/service/b.ts", "../host/app.ts"],
  ["src/service/c.ts", "../features/hover/hover.ts"],
  ["src/service/d.ts", "../api/client.ts"],
  ["src/service/endpoints/e.ts", "../../api/pace.ts"],
  ["src/service/f.ts", "../core/project.ts"],
  ["src/service/endpoints/g.ts", "../../core/usages/php.ts"],
  ["src/service/h.ts", "../extension.ts"],
  ["test/unit/core/a.test.ts", "vscode"],
  ["test/unit/core/b.test.ts", "../../../src/host/app.ts"],
];

const allowed: readonly (readonly [file: string, from: string])[] = [
  ["src/api/ok-a.ts", "valibot"],
  ["src/api/ok-b.ts", "./schemas.ts"],
  ["src/core/ok-a.ts", "../api/client.ts"],
  ["src/core/formats/ok-b.ts", "../text.ts"],
  ["src/core/formats/ok-c.ts", "jsonc-parser"],
  ["src/host/ok-a.ts", "../core/project.ts"],
  ["src/host/ok-b.ts", "vscode"],
  ["src/features/push/ok-a.ts", "../../host/app.ts"],
  ["src/features/push/ok-b.ts", "./plan.ts"],
  ["src/features/push/parts/ok-c.ts", "../plan.ts"],
  ["src/service/ok-a.ts", "../api/contract.ts"],
  ["src/service/endpoints/ok-b.ts", "../../api/schemas.ts"],
  ["src/service/ok-c.ts", "../core/identity.ts"],
  ["src/service/ok-d.ts", "../core/formats/laravel-php.ts"],
  ["src/service/endpoints/ok-e.ts", "../store/store.ts"],
  ["src/service/ok-f.ts", "node:sqlite"],
  ["test/unit/core/ok-a.test.ts", "../../../src/host/staged-files.ts"],
  ["test/unit/core/ok-b.test.ts", "../../../src/host/read-code.ts"],
];

let folder: string;
let refused: ReadonlySet<string>;

beforeAll(() => {
  // Not in the checkout: there git's ignored folders are not linted.
  folder = mkdtempSync(join(tmpdir(), "pt-lint-"));
  cpSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  for (const [file, from] of [...forbidden, ...allowed]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(
      join(folder, file),
      `import { thing } from ${JSON.stringify(from)};\nexport const same = thing;\n`,
    );
  }
  const oxlint = join(root, "node_modules", "oxlint", "bin", "oxlint");
  const run = spawnSync(ownNode, [oxlint, "--format=json", "src", "test"], { cwd: folder, encoding: "utf8" });
  const { diagnostics } = JSON.parse(run.stdout) as {
    diagnostics: readonly { code: string; filename: string }[];
  };
  refused = new Set(
    diagnostics
      .filter((it) => it.code.includes("no-restricted-imports"))
      .map((it) => it.filename.replaceAll("\\", "/")),
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(forbidden)("refuses %s importing %s", (file) => {
  expect([...refused]).toContain(file);
});

it.each(allowed)("lets %s import %s", (file) => {
  expect([...refused]).not.toContain(file);
});
