/** What `check` on the command line finds is what a window shows. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { CheckFinding } from "../../../src/cli/check.ts";
import { runCommandLine } from "../support/command-line.ts";
import { openEditor } from "../support/open-editor.ts";
import { problems, setSetting } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");

test.each([
  ["apps of many kinds", FIXTURES, 250],
  ["an app of each framework", join(FIXTURES, "framework-mistakes"), 70],
])("check finds in %s what the window shows", async (_what, copied, atLeast) => {
  const editor = await openEditor({ files: {}, copied });
  onTestFinished(() => editor.close());
  setSetting("projectTranslations.diagnostics.unknownKey", "error");
  setSetting("projectTranslations.diagnostics.missingTranslation", "information");
  setSetting("projectTranslations.diagnostics.qaIssues", "warning");
  const { stdout } = await runCommandLine(["check", editor.folder, "--format", "json"]);
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly CheckFinding[] };
  const found = findings
    .filter(({ code }) => code !== "project-file")
    .map(({ path, line, column, code, message }) => `${path}:${line}:${column} ${code} ${message}`);
  expect(found.length).toBeGreaterThan(atLeast);
  const shown = (): string[] =>
    [...problems].flatMap(([{ fsPath }, diagnostics]) =>
      diagnostics.map(({ range: { start }, code, message }) => {
        const path = fsPath.slice(editor.folder.length + 1);
        return `${path}:${start.line + 1}:${start.character + 1} ${String(code)} ${message}`;
      }),
    );
  await waitUntil(() => shown().length >= found.length);
  expect(shown().toSorted()).toEqual(found.toSorted());
});
