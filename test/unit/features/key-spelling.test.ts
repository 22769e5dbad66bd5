/** A key has one spelling, that of the code, wherever it is named. */
import { expect, test } from "vitest";
import { skippedError } from "../../../src/features/edit-translation/set-translation-command.ts";
import { reportMarkdown } from "../../../src/features/usage-report/report-markdown.ts";
import { localRefusalError } from "../../../src/messages/local-edit-error-messages.ts";
import { projectKeyLabel, writtenNamespace } from "../../../src/messages/labels.ts";
import { unknownKeyError } from "../../../src/vscode/ui/input/pick-key.ts";
import type { UsageReport } from "../../../src/workspace/usages/find-unused-keys.ts";

/** As i18next names keys: with a colon, and without its default namespace. */
const project = { namespaceSeparator: ":", unwrittenNamespaces: new Set(["translation"]), label: "Shop" };
const save = { namespace: "common", key: "save", context: null };
const title = { namespace: "translation", key: "title", context: null };
const open = { namespace: "common", key: "open", context: "verb" };

test("keys of the default namespace are named without it, others with the separator of the code", () => {
  expect([save, title, open].map((key) => projectKeyLabel(project, key))).toEqual([
    "common:save",
    "title",
    "common:open (verb)",
  ]);
  expect([save, title].map((key) => writtenNamespace(project, key))).toEqual(["common", ""]);
  expect(projectKeyLabel({ ...project, unwrittenNamespaces: "all" }, save)).toBe("save");
});

test("messages name keys as the code does", () => {
  const refusal = { path: "a.json", reason: "expression", line: 1, column: 1 } as never;
  const messages = [save, title].map((name) => [
    unknownKeyError(project, name).message,
    skippedError(project, name, "").message,
    localRefusalError(project, name, refusal).message,
  ]);
  for (const message of messages[0] ?? []) expect(message).toContain("common:save");
  for (const message of messages[1] ?? []) expect(message).toMatch(/(?<!translation.)\btitle\b/u);
});

test("the Markdown of a usage report names keys as the code does, and why a file was not searched", () => {
  const report = {
    used: [],
    unused: [save, title],
    probablyUnused: [{ key: open, pattern: "common:*" }],
    undeterminable: [{ key: title, pattern: "*", path: null }],
    skippedFiles: [{ path: "src/a.js", reason: "minified" }],
  } as unknown as UsageReport;
  const lines = reportMarkdown(project, report, []).split("\n");
  expect(lines.filter((line) => line.startsWith("- ")).map((line) => line.slice(0, 24))).toEqual([
    "- `common:save`",
    "- `title`",
    "- `common:open (verb)`: ",
    "- `title`: may be used b",
    "- `src/a.js` (minified)",
  ]);
});
