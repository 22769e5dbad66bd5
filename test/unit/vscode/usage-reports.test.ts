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

const NAME = { namespace: "shop", key: "spare", context: null };
const HASH = keyHash(NAME);

/** A project of files with one key that no code names, beside others of its window; and what its reports ask for. */
function projectWith(
  usagesOfOthers: (others: readonly object[]) => ReadonlyMap<object, UsageRepository>,
  projectFile: object | null = null,
) {
  const database = createKeyDatabase([{ ...NAME, hash: HASH }]);
  const store = new Store<object>();
  onTestFinished(() => {
    store.dispose();
    database.close();
  });
  const read: string[] = [];
  /** What may end each part of the work. */
  const signals = new Set<unknown>();
  const note = (what: string) => async (given: unknown) => {
    read.push(what);
    signals.add(given);
  };
  const open = {
    root: Uri.file("/shop"),
    file: {} as object,
    source: { hasService: false },
    connection: { loadLocalKeys: note("keys of files") },
    files: {
      read: async () =>
        projectFile === null
          ? { kind: "missing" }
          : { kind: "read", bytes: new TextEncoder().encode(JSON.stringify(projectFile)) },
    },
    keys: new KeyRepository(database),
    keyNames: new KeyNames(database),
    translations: { containing: () => expect.fail("there is no service") },
    local: {
      reloadTexts: note("files"),
      paths: async (given: unknown) => {
        signals.add(given);
        return new Set(["en.json"]);
      },
      entriesContaining: () => [],
    },
  };
  const empty = createKeyDatabase([]);
  onTestFinished(() => empty.close());
  const [site, remote] = [Uri.file("/site"), Uri.from({ scheme: "vscode-vfs", path: "/remote" })].map(
    (root) => ({
      root,
      keyNames: new KeyNames(empty),
      local: { paths: async () => new Set([`${root.path}/nl.json`]) },
    }),
  );
  const others = [site, remote].map((each) => each ?? expect.fail());
  /** Where names were searched for, but for which files, and whose options were asked for. */
  const searched: unknown[] = [];
  const lookups: unknown[] = [];
  /** Happens while the report is made. */
  const meanwhile: (() => void)[] = [];
  const usages = new UsageRepository(database);
  const reports = new UsageReports({
    projects: { all: [open, ...others] },
    store,
    documentUsages: {
      lookupOptions: (each: unknown) => {
        lookups.push(each);
        return { frameworks: new Set(["i18next"]) };
      },
    },
    usages: {
      of: () => usages,
      reload: async (_open: unknown, given: unknown) => {
        signals.add(given);
        return usages;
      },
      reloadOthers: async (_open: unknown, given: unknown) => {
        signals.add(given);
        return usagesOfOthers(others);
      },
      findEvidence: async (_open: unknown, choices: unknown, given: unknown) => {
        signals.add(given);
        searched.push(choices);
        meanwhile.pop()?.();
        return new Map();
      },
      findOccurrences: async (
        each: { readonly root: Uri },
        _names: unknown,
        except: unknown,
        given: unknown,
      ) => {
        signals.add(given);
        searched.push([each.root.path, except]);
        return new Map(each === open ? [] : [[0, "docs/texts.md"]]);
      },
    },
  } as never);
  const { signal } = new AbortController();
  const current = () => reports.current(open as never, signal);
  const make = (onSearch: () => void, ended = signal) => reports.make(open as never, ended, onSearch);
  const stateOf = () => reports.stateOf(open as never, HASH);
  return { open, others, store, read, searched, lookups, signal, signals, meanwhile, current, make, stateOf };
}

test("a report is made again once what it depends on has changed, and what shows it is told", async () => {
  const { open, others, store, read, searched, current, stateOf } = projectWith(() => new Map());
  expect(stateOf()).toBeUndefined();
  const first = await current();
  expect([stateOf(), read, searched]).toEqual([
    "unused",
    ["files", "keys of files"],
    [["/shop", ["en.json"]], []],
  ]);
  expect([await current(), store.version(open, "usageReport")]).toEqual([first, 1]);
  expect(read).toHaveLength(2);
  store.changed(open, "keys");
  expect(stateOf()).toBeUndefined();
  expect(await current()).not.toBe(first);
  expect([stateOf(), store.version(open, "usageReport")]).toEqual(["unused", 2]);
  // The code of other projects may use the keys, too; their keys and files are of no interest.
  for (const table of ["keys", "files", "usages"] as const) {
    expect(stateOf()).toBe("unused");
    for (const other of others) store.changed(other, table);
  }
  expect(stateOf()).toBeUndefined();
});

test("a key may be used where another project on the same disk names it, but for its translation files", async () => {
  const database = createKeyDatabase([]);
  onTestFinished(() => database.close());
  const usages = new UsageRepository(database);
  const { others, searched, lookups, current, stateOf } = projectWith(
    (all) => new Map(all.map((each) => [each, usages])),
  );
  const { undeterminable } = await current();
  expect(undeterminable.map(({ key, path }) => [key.hash, path])).toEqual([[HASH, "../site/docs/texts.md"]]);
  expect([stateOf(), searched]).toEqual([
    "mayBeUsed",
    [["/shop", ["en.json"]], [], ["/site", ["/site/nl.json"]]],
  ]);
  expect(others.map((each) => lookups.includes(each))).toEqual([true, false]);
});

test("a report is one of what the project file says, on disk for calls, and of what one signal may end", async () => {
  const calls = [{ key: "name" }, { key: "title", only: ["shop.title"] }];
  const database = createKeyDatabase([]);
  onTestFinished(() => database.close());
  const { open, store, read, searched, signal, signals, meanwhile, make, stateOf } = projectWith(
    (others) => new Map(others.map((each) => [each, new UsageRepository(database)])),
    { usage: { calls } },
  );
  let readBefore: readonly string[] = [];
  const { report: first, choices } = await make(() => (readBefore = [...read]));
  expect([choices, searched[1], readBefore]).toEqual([calls, calls, ["files", "keys of files"]]);
  expect([...signals]).toEqual([signal]);
  expect([first.used.length, stateOf()]).toEqual([0, "mayBeUsed"]);
  open.file = { usage: { keep: ["shop.sp*"] } };
  const { report: second } = await make(() => undefined);
  expect([second.used.map(({ key }) => key), stateOf()]).toEqual([["spare"], "used"]);
  // What changes while it is made is not in it.
  meanwhile.push(() => store.changed(open, "usages"));
  await make(() => undefined);
  expect(stateOf()).toBeUndefined();
  const left = AbortSignal.abort(new Error("left"));
  await expect(make(() => undefined, left)).rejects.toThrow("left");
});
