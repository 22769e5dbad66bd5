/** What one mechanism does for all: noticing changes (`Store`), waiting for typing (`debounce`), running work in turn. */
import { expect, it } from "vitest";
import { sources } from "./tree.ts";

/** Returns the files of the extension whose code matches. */
function filesWith(pattern: RegExp): readonly string[] {
  return [...sources(/^src\/(?!local-service\/)/)].flatMap(([path, source]) =>
    pattern.test(source) ? path : [],
  );
}

it("state is versioned by the store; only code is compared as a whole", () => {
  expect(filesWith(/\bisDeepStrictEqual\b/)).toEqual([
    // Usages in code before and after an edit.
    "src/workspace/refactoring/write-key-in-code.ts",
  ]);
});

it("only the store delays what is shown; others wait for typing, for file events, or until a time", () => {
  expect(filesWith(/\bsetTimeout\(|\bsetInterval\(/)).toEqual([
    "src/database/store.ts",
    // Ends what does not end by itself.
    "src/features/local-service/service-process.ts",
    // The next refresh, and the countdown of a pause.
    "src/features/refresh/refresh-scheduler.ts",
    "src/features/status-bar/status-bar.ts",
    // Stops the idle process.
    "src/indexer/indexer-client.ts",
    "src/util/debounce.ts",
    "src/vscode/files/write-files.ts",
    // Shows the progress of what takes long.
    "src/vscode/ui/input/progress.ts",
    // Leaves the first moments of a window to the editor.
    "src/vscode/usages/usage-indexes.ts",
    // Reads rows that a person scrolls to.
    "src/webview/translation-editor/page-state.ts",
    // Files whose events do not arrive.
    "src/workspace/file-system/created-files.ts",
  ]);
  expect(filesWith(/from "[^"]*\/util\/debounce\.ts"/)).toEqual([
    "src/features/diagnostics/publish-diagnostics.ts",
    "src/features/search-keys/search-keys-command.ts",
    "src/vscode/projects/project-registry.ts",
    "src/vscode/usages/usage-indexes.ts",
    "src/webview/translation-editor/page-state.ts",
  ]);
});

it("work that must not run at the same time is in a queue", () => {
  // A chain of promises of its own would know nothing of priorities.
  expect(filesWith(/this\.#\w+ = \w+\.catch\(\(\) => undefined\)/)).toEqual(["src/util/work-queue.ts"]);
});
