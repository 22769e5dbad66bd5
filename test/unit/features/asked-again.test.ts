/** Editors ask again for lenses and inline translations after each change of what these show. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Store, type StoreTable } from "../../../src/database/store.ts";
import { registerCodeLens } from "../../../src/features/code-lens/code-lens-provider.ts";
import { registerInlayHints } from "../../../src/features/inlay-hints/inlay-hints-provider.ts";
import type { App } from "../../../src/vscode/app.ts";
import { providersFor, type TextDocument, Uri } from "../support/vscode-stub.ts";

const disposables: { dispose(): unknown }[] = [];
let store: Store<object>;
beforeEach(() => {
  store = new Store();
  disposables.push(store);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => disposables.splice(0).forEach((each) => each.dispose()));

/** Counts how often a provider says that its answers have changed. */
function count(register: (app: App) => void, path: string, kind: string, event: string) {
  register({
    store,
    command: () => undefined,
    addDisposable: (...all: { dispose(): unknown }[]) => disposables.push(...all),
  } as never);
  const document = { uri: Uri.file(path), languageId: "json" } as TextDocument;
  const provider = providersFor<Record<string, (listener: () => void) => unknown>>(kind, document).at(-1);
  let times = 0;
  provider?.[event]?.(() => times++);
  return () => times;
}

test.each([
  [
    "lenses",
    registerCodeLens,
    ["/app/en.json", "CodeLens", "onDidChangeCodeLenses"],
    ["settings", "projects", "usages", "usageReport", "files", "keys", "translations", "stats"],
  ],
  [
    "inline translations",
    registerInlayHints,
    ["/app/a.ts", "InlayHints", "onDidChangeInlayHints"],
    ["settings", "projects", "files", "keys", "translations", "stats"],
  ],
] as const)("%s", (_name, register, [path, kind, event], tables) => {
  const times = count(register, path, kind, event);
  const project = {};
  const isToldOf = (table: StoreTable): boolean => {
    const before = times();
    store.changed(project, table);
    vi.advanceTimersByTime(1_000);
    return times() > before;
  };
  expect(tables.filter(isToldOf)).toEqual(tables);
  expect((["jobs", "results"] as const).filter(isToldOf)).toEqual([]);
});
