/** Which keys the code of a project at a service uses, directly or by a text. */
import { afterEach, expect, onTestFinished, test } from "vitest";
import { KeyNames } from "../../../src/database/key-name-repository.ts";
import { KeyRepository } from "../../../src/database/key-repository.ts";
import { UsageRepository } from "../../../src/database/key-usage-repository.ts";
import { Store } from "../../../src/database/store.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { UsageReports } from "../../../src/vscode/usages/usage-reports.ts";
import { createKeyDatabase } from "../support/key-database.ts";
import { findUnusedCommand } from "../../../src/commands/declarations/key-commands.ts";
import { refreshCommand } from "../../../src/commands/declarations/session-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { setTranslationsCommand } from "../../../src/commands/declarations/text-commands.ts";
import { SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { loseFileEvents, Uri } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let editor: Editor;
/** Closes the window of a test that has one. */
let close = async (): Promise<void> => undefined;
afterEach(async () => {
  await close();
  close = async () => undefined;
});
async function openWindow(options: Parameters<typeof openEditor>[0]): Promise<void> {
  editor = await openEditor(options);
  close = () => editor.close();
}

const ENGLISH = "locales/en/shop.json";
const FILES = {
  "package.json": JSON.stringify({ dependencies: { i18next: "^23.0.0" } }),
  "project-translations.json": JSON.stringify({
    files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
    sourceLocale: "en",
  }),
  [ENGLISH]: `{ "title": "Shop", "name": "Bookshop", "spare": "Spare" }\n`,
  "src/page.ts": `import i18next from "i18next";\nexport const title = i18next.t("shop:title");\n`,
};
/** Returns the number of used keys, and the unused ones. */
async function report(): Promise<readonly unknown[]> {
  const found = (await editor.run(findUnusedCommand, {})) as {
    readonly used?: number;
    readonly unused?: readonly { readonly key: string }[];
  };
  return [found.used, found.unused?.map(({ key }) => key)];
}

test("a key is used by a text of the files that contains it, until that no longer does", async () => {
  await openWindow({ files: FILES });
  expect(await report()).toEqual([1, ["name", "spare"]]);
  await editor.write(ENGLISH, FILES[ENGLISH].replace("Shop", "Shop of $t(shop:name)"));
  expect(await report()).toEqual([2, ["spare"]]);
  await editor.write(ENGLISH, FILES[ENGLISH]);
  expect(await report()).toEqual([1, ["name", "spare"]]);
  // A new key, of which no event told.
  loseFileEvents();
  await editor.write(ENGLISH, FILES[ENGLISH].replace('Spare"', 'Spare", "new": "New"'));
  expect(await report()).toEqual([1, ["name", "spare", "new"]]);
});

test("a key is used by a text that only the service has", async () => {
  await openWindow({ files: FILES, service: { ...SHOP, type: "i18next" } });
  expect(await editor.run(pushCommand, {})).toMatchObject({ outcome: "done", result: { created: 3 } });
  expect(await report()).toEqual([1, ["name", "spare"]]);
  const items = [{ namespace: "shop", key: "title", value: "Winkel van $t(shop:name)" }];
  await editor.run(setTranslationsCommand, { locale: "nl", items });
  await editor.run(refreshCommand, {});
  await waitUntil(
    async () => (await editor.hover("src/page.ts", '"shop:ti|tle"'))?.includes("Winkel") === true,
  );
  expect(await report()).toEqual([2, ["spare"]]);
  // A file says so, too, of which no event told.
  loseFileEvents();
  await editor.write(ENGLISH, FILES[ENGLISH].replace("Bookshop", "Bookshop $t(shop:spare)"));
  expect(await report()).toEqual([3, []]);
});

test("a report is made again once what it depends on has changed, and what shows it is told", async () => {
  const name = { namespace: "shop", key: "spare", context: null };
  const hash = keyHash(name);
  const database = createKeyDatabase([{ ...name, hash }]);
  const store = new Store<object>();
  onTestFinished(() => {
    store.dispose();
    database.close();
  });
  const read: string[] = [];
  const note = (what: string) => async () => void read.push(what);
  const open = {
    root: Uri.file("/shop"),
    file: {},
    source: { hasService: false },
    connection: { loadLocalKeys: note("keys of files") },
    files: { read: async () => ({ kind: "missing" }) },
    keys: new KeyRepository(database),
    keyNames: new KeyNames(database),
    translations: { containing: () => expect.fail("there is no service") },
    local: {
      reloadTexts: note("files"),
      paths: async () => new Set(["en.json"]),
      entriesContaining: () => [],
    },
  };
  const excepted: unknown[] = [];
  const usages = new UsageRepository(database);
  const reports = new UsageReports({
    projects: { all: [open] },
    store,
    documentUsages: { lookupOptions: () => ({ frameworks: new Set(["i18next"]) }) },
    usages: {
      of: () => usages,
      reload: async () => usages,
      reloadOthers: async () => new Map(),
      findEvidence: async () => new Map(),
      findOccurrences: async (_open: unknown, _names: unknown, except: unknown) => {
        excepted.push(except);
        return new Map();
      },
    },
  } as never);
  const { signal } = new AbortController();
  const current = () => reports.current(open as never, signal);
  const stateOf = () => reports.stateOf(open as never, hash);
  expect(stateOf()).toBeUndefined();
  const first = await current();
  expect([stateOf(), read, excepted]).toEqual(["unused", ["files", "keys of files"], [["en.json"]]]);
  expect([await current(), store.version(open, "usageReport")]).toEqual([first, 1]);
  expect(read).toHaveLength(2);
  store.changed(open, "keys");
  expect(stateOf()).toBeUndefined();
  expect(await current()).not.toBe(first);
  expect([stateOf(), store.version(open, "usageReport")]).toEqual(["unused", 2]);
});
