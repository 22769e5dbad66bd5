/** What is requested of keys and of a language, and what of the pages is stored, with a service that says what a test wants. */
import { describe, expect, test } from "vitest";
import type { Client, RequestOptions } from "../../../../src/api/client.ts";
import { ApiError } from "../../../../src/api/errors.ts";
import type { Key, Language, Stats, TranslationRow } from "../../../../src/api/response-schemas.ts";
import { Database } from "../../../../src/database/database.ts";
import { Project, projectKey, projectRow } from "../../../../src/database/project-state.ts";
import type { SyncCursor } from "../../../../src/database/sync-metadata-repository.ts";
import {
  keyCounts,
  localeCounts,
  readKeys,
  readTranslations,
} from "../../../../src/sync/refresh/fetch-keys-and-translations.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { recordingLog } from "../../support/node-platform.ts";

const NOON = "2026-01-01T12:00:00Z";
const ELEVEN = "2026-01-01T11:00:00Z";
const CURSOR: SyncCursor = {
  contentVersion: 1,
  counts: [],
  since: NOON,
  keysSince: ELEVEN,
  fullReadAt: new FakeClock().now(),
  differences: [0, 0, 0],
};

const language = (locale: string, changes: Partial<Language> = {}): Language => ({
  locale,
  name: locale,
  isSource: locale === "en",
  totalKeys: 1,
  translated: 0,
  outdated: 0,
  qaErrors: 0,
  percent: 0,
  lastTranslatedAt: null,
  ...changes,
});
const statsOf = (...languages: readonly Language[]): Stats => ({
  contentVersion: 2,
  languages: [...languages],
});
const keyOf = (hash: string, changes: Partial<Key> = {}): Key => ({
  hash,
  namespace: "*",
  key: hash,
  context: null,
  isPlural: false,
  description: null,
  maxLength: null,
  sourceHash: null,
  source: { value: hash },
  tags: [],
  archived: false,
  updatedAt: ELEVEN,
  ...changes,
});
const rowOf = (hash: string, changes: Partial<TranslationRow> = {}): TranslationRow => ({
  hash,
  namespace: "*",
  key: hash,
  context: null,
  isPlural: false,
  value: `nl ${hash}`,
  forms: null,
  isTranslated: true,
  isOutdated: false,
  issues: [],
  version: 1,
  updatedAt: NOON,
  ...changes,
});
const hashes = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

interface Service {
  /** The pages of a list; of others there is none. */
  readonly pages: (query: string) => readonly (readonly (Key | TranslationRow)[])[] | ApiError;
  readonly stats: readonly Stats[];
  readonly cursor?: SyncCursor | null;
  readonly readsAll?: boolean;
  readonly pageSize?: number;
  /** Called with each request before it is answered. */
  readonly onRequest?: (request: string) => void;
  readonly checkSession?: () => void;
}

function open() {
  const project = new Project("id", "label", new Database());
  const requests: string[] = [];
  const given = new Set<RequestOptions["signal"]>();
  const options = { signal: new AbortController().signal };
  const prepare = (service: Service) => {
    const left = [...service.stats];
    const answer = (list: string, query: object, own: RequestOptions = {}) => {
      const { cursor = "0", ...filters } = query as { readonly cursor?: string };
      const request = [list, JSON.stringify(filters), cursor].filter((part) => part !== "{}" && part !== "0");
      requests.push(request.join(" "));
      given.add(own.signal);
      service.onRequest?.(request.join(" "));
      const pages = service.pages([list, JSON.stringify(filters)].filter((part) => part !== "{}").join(" "));
      if (pages instanceof ApiError) return Promise.reject(pages);
      const next = Number(cursor) + 1;
      const nextCursor = next < pages.length ? String(next) : null;
      return Promise.resolve({ data: pages[Number(cursor)] ?? [], meta: { nextCursor, limit: 1 } });
    };
    const client = {
      maxItems: { page: service.pageSize ?? 10 },
      keys: (query: object, own?: RequestOptions) => answer("keys", query, own),
      translations: (_: string, query: object, own?: RequestOptions) => answer("rows", query, own),
      stats: (own?: RequestOptions) => {
        requests.push("stats");
        given.add(own?.signal);
        const [first] = left;
        if (left.length > 1) left.shift();
        return Promise.resolve(structuredClone(first));
      },
    } as unknown as Client;
    const [stats = statsOf()] = left;
    if (left.length > 1) left.shift();
    const request = {
      client,
      stats,
      cursor: service.cursor ?? null,
      readsAll: service.readsAll ?? false,
      options,
      checkSession: service.checkSession ?? (() => undefined),
    };
    return [{ project, clock: new FakeClock(), log: recordingLog() }, request] as const;
  };
  const knows = (list: Iterable<Key>): void => project.keys.put([...list].map(projectKey), 0);
  return {
    project,
    requests,
    knows,
    keys: (service: Service) => readKeys(...prepare(service)),
    dutch: (service: Service) => {
      const [dependencies, request] = prepare(service);
      return readTranslations(dependencies, { ...request, locale: "nl" });
    },
    /** Every request was sent with the signal of the caller. */
    expectSignal: () => expect([...given]).toEqual([options.signal]),
    storedKeys: () => Array.from(project.keys.values(), ({ hash }) => hash).toSorted(),
  };
}

describe("the counts that reveal a change", () => {
  const before = statsOf(language("en"), language("nl"), language("fr"));
  test.each<[Partial<Language>]>([
    [{ totalKeys: 9 }],
    [{ translated: 9 }],
    [{ outdated: 9 }],
    [{ qaErrors: 9 }],
    [{ lastTranslatedAt: NOON }],
  ])("have those of each language: %j", (change) => {
    const after = statsOf(language("en"), language("nl", change), language("fr"));
    expect(keyCounts(after)).not.toEqual(keyCounts(before));
    expect(localeCounts(after, "nl")).not.toEqual(localeCounts(before, "nl"));
    expect(localeCounts(after, "fr")).toEqual(localeCounts(before, "fr"));
  });

  test("begin with the number of keys, and tell which languages there are", () => {
    expect(keyCounts(statsOf(language("nl", { totalKeys: 2 }), language("en", { totalKeys: 3 })))[0]).toBe(3);
    expect(keyCounts(statsOf(language("nl")))[0]).toBeNull();
    expect(keyCounts(statsOf(language("en"), language("de"), language("fr")))).not.toEqual(keyCounts(before));
    expect(localeCounts(before, "de")).toEqual([]);
  });
});

describe("all keys", () => {
  const three = statsOf(language("en", { totalKeys: 3 }));
  const archived = (count: number) =>
    hashes(count, "z").map((hash) => [keyOf(hash, { archived: true }), keyOf(`${hash} active`)]);

  test("are stored as they arrive, without those that are archived or no longer listed; then what was archived before", async () => {
    const { project, requests, knows, keys, expectSignal, storedKeys } = open();
    knows([keyOf("gone"), keyOf("old")]);
    const shown: (string | null)[] = [];
    project.onDidChange(() => {
      const { busyWith } = project.activity;
      if (busyWith !== null && busyWith !== shown.at(-1)) shown.push(busyWith);
    });
    await keys({
      stats: [three],
      pages: (query) =>
        query === "keys"
          ? [[keyOf("a"), keyOf("old", { archived: true })], [keyOf("b")], [keyOf("c")]]
          : archived(12),
    });
    expect(storedKeys()).toEqual(["a", "b", "c"]);
    expect(shown).toEqual(["2/3", "3/3", "4/3"]);
    const list = 'keys {"archived":true}';
    const others = Array.from({ length: 9 }, (_, page) => `${list} ${page + 1}`);
    expect(requests).toEqual(["keys", "keys 1", "keys 2", list, ...others, "stats"]);
    expect(["old", "z0", "z9", "z10", "z0 active"].map((hash) => project.keys.isArchived(hash))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expectSignal();
  });

  test("are known without what was archived before, where the service refuses to list that", async () => {
    const refused = (kind: "invalid" | "offline") => (query: string) =>
      query === "keys" ? [[keyOf("a")]] : new ApiError(kind, "archived");
    const { project, keys } = open();
    await keys({ stats: [statsOf(language("en"))], pages: refused("invalid") });
    expect(project.keysComplete).toBe(true);
    const other = open();
    const failing = other.keys({ stats: [statsOf(language("en"))], pages: refused("offline") });
    await expect(failing).rejects.toMatchObject({ kind: "offline" });
    expect(other.project.keysComplete).toBe(false);
  });

  test("that are read again need no list of what was archived before", async () => {
    const { requests, keys } = open();
    const stats = [statsOf(language("en"))];
    await keys({ stats, cursor: CURSOR, readsAll: true, pages: () => [[keyOf("a")]] });
    expect(requests).toEqual(["keys"]);
  });

  test("are followed by what was changed and archived while they were read", async () => {
    const { requests, keys, storedKeys } = open();
    const now = statsOf(language("en", { totalKeys: 2 }));
    await keys({
      stats: [now, { ...now, contentVersion: 3 }],
      cursor: CURSOR,
      readsAll: true,
      pages: (query) => {
        if (query === "keys") return [[keyOf("a")], [keyOf("b")]];
        return [query.includes("archived") ? [keyOf("b", { archived: true })] : [keyOf("c")]];
      },
    });
    expect(requests).toEqual([
      "keys",
      "keys 1",
      "stats",
      expect.stringMatching(/^keys \{"updatedSince":"[^"]+"\}$/u),
      expect.stringMatching(/^keys \{"archived":true,"updatedSince":"[^"]+"\}$/u),
      "stats",
    ]);
    expect(storedKeys()).toEqual(["a", "c"]);
  });

  test.each([
    ["are looked for among the archived ones if more are known than there are", 1, true],
    ["are not if fewer are known", 3, false],
  ])("%s", async (_, totalKeys, isArchivedRead) => {
    const { requests, knows, keys } = open();
    knows([keyOf("a"), keyOf("b")]);
    await keys({
      stats: [statsOf(language("en", { totalKeys }))],
      cursor: CURSOR,
      pages: () => [[]],
    });
    const hidden = 'keys {"archived":true,"updatedSince":"2026-01-01T11:59:30Z"}';
    expect(requests.includes(hidden)).toBe(isArchivedRead);
  });

  test("are not stored once the session has ended, nor is it that they were read", async () => {
    let isEnded = false;
    const ended = new Error("ended");
    const { project, keys, storedKeys } = open();
    const failing = keys({
      stats: [three],
      cursor: CURSOR,
      readsAll: true,
      pages: () => [hashes(251, "a").map((hash) => keyOf(hash)), [keyOf("b")]],
      onRequest: (request) => (isEnded = request === "keys 1"),
      checkSession: () => {
        if (isEnded) throw ended;
      },
    });
    await expect(failing).rejects.toBe(ended);
    expect(storedKeys()).toHaveLength(251);
    expect(project.keysComplete).toBe(false);
    // Also after everything was stored.
    for (const list of ["keys", "dutch"] as const) {
      const last = open();
      let checks = 0;
      const reading = last[list]({
        stats: [statsOf(language("en"), language("nl", { translated: 1 }))],
        cursor: CURSOR,
        pages: () => [list === "keys" ? [keyOf("a")] : [rowOf("a")]],
        checkSession: () => {
          checks++;
          if (checks > 1) throw ended;
        },
      });
      await expect(reading).rejects.toBe(ended);
      expect([checks, last.project.keysComplete, last.project.isComplete("nl")]).toEqual([2, false, false]);
    }
  });
});

describe("a language", () => {
  const empty = language("nl");
  test.each<[string, Language, readonly string[]]>([
    ["in which nothing was ever translated has no rows", empty, []],
    ["with a translation has rows", { ...empty, translated: 1 }, ["rows"]],
    ["with an outdated translation has rows", { ...empty, outdated: 1 }, ["rows"]],
    ["with an error has rows", { ...empty, qaErrors: 1 }, ["rows"]],
    ["that was translated once has rows", { ...empty, lastTranslatedAt: NOON }, ["rows"]],
    ["that is the source language has rows", { ...empty, isSource: true }, ["rows"]],
  ])("%s", async (_, dutch, expected) => {
    const { project, requests, dutch: read } = open();
    await read({
      stats: [statsOf(dutch)],
      pages: () => [[rowOf("a", { value: null, isTranslated: false })]],
    });
    expect(requests.filter((request) => request !== "stats")).toEqual(expected);
    expect(project.isComplete("nl")).toBe(true);
    expect(project.keysComplete).toBe(false);
  });

  test("is shown with its first page, and has no row in the end that is no longer listed", async () => {
    const { project, knows, dutch, requests, expectSignal } = open();
    knows(["a", "b"].map((hash) => keyOf(hash)));
    project.translations.put("nl", [projectRow(rowOf("gone"))], 0);
    const loaded: string[] = [];
    await dutch({
      stats: [statsOf(language("nl", { translated: 3, outdated: 2, qaErrors: 4 }))],
      pages: () => [[rowOf("a")], [rowOf("b")]],
      onRequest: (request) => loaded.push(`${request}: ${project.loadedLocales().join()}`),
    });
    expect(loaded).toEqual(["rows: ", "rows 1: nl"]);
    expect([project.translations.get("nl", "gone"), project.translations.get("nl", "b")?.text]).toEqual([
      undefined,
      { value: "nl b" },
    ]);
    // The counts differ at each reading, as they did after the whole one.
    expect(project.syncMetadata.cursor("nl")).toMatchObject({
      since: NOON,
      keysSince: ELEVEN,
      differences: [-1, -2, -4],
    });
    expect(requests).toEqual(["rows", "rows 1", "stats"]);
    expectSignal();
  });

  test("without any translation at the service, as after a backup was restored, keeps none", async () => {
    const { project, dutch } = open();
    project.translations.put("nl", [projectRow(rowOf("gone"))], 0);
    await dutch({ stats: [statsOf(empty)], cursor: CURSOR, readsAll: true, pages: () => [] });
    expect([project.isComplete("nl"), project.translation("nl", "gone")]).toEqual([true, undefined]);
  });

  test("that the service no longer has differs in nothing", async () => {
    const { project, dutch } = open();
    await dutch({ stats: [statsOf(language("en"))], pages: () => [[rowOf("a")]] });
    expect(project.syncMetadata.cursor("nl")?.differences).toEqual([0, 0, 0]);
  });

  test("with fewer rows than keys is read as far back as few keys changed", async () => {
    for (const [rows, since] of [
      [1, "2026-01-01T12:00:01Z"],
      [2_100, "2026-01-01T11:59:30Z"],
    ] as const) {
      const { project, requests, knows, dutch } = open();
      const all = hashes(2_100, "a");
      for (let start = 0; start < all.length; start += 700)
        knows(all.slice(start, start + 700).map((hash) => keyOf(hash, { updatedAt: NOON })));
      const known = all.slice(0, rows).map((hash) => projectRow(rowOf(hash, { updatedAt: ELEVEN })));
      for (let start = 0; start < known.length; start += 700)
        project.translations.put("nl", known.slice(start, start + 700), 0);
      await dutch({
        stats: [statsOf(language("nl", { translated: rows }))],
        cursor: CURSOR,
        pages: () => [[]],
      });
      expect(requests).toEqual([`rows {"updatedSince":"${since}"}`]);
    }
  });

  const changed = (count: number) =>
    hashes(count, "c").map((hash) => keyOf(hash, { namespace: "cart", updatedAt: NOON }));
  test.each([
    ["of namespaces whose source texts changed, while that is at most half of all pages", 20, true, true],
    ["of everything, where that would be more than half", 21, true, false],
    ["of everything, where not all keys are known", 20, false, false],
  ])("is searched for hidden changes in rows %s", async (_, count, isComplete, isByNamespace) => {
    const { project, requests, knows, dutch } = open();
    knows([...changed(count), ...hashes(40 - count, "d").map((hash) => keyOf(hash))]);
    if (isComplete) project.syncMetadata.setCursor(CURSOR);
    await dutch({
      stats: [statsOf(language("nl", { translated: 1 }))],
      cursor: CURSOR,
      pages: () => [[]],
    });
    expect(requests.filter((request) => request.includes("namespace"))).toEqual(
      isByNamespace ? ['rows {"namespace":"cart"}'] : [],
    );
  });

  test("is read again from the time of what changed while it was read", async () => {
    const { requests, dutch } = open();
    const now = statsOf(language("nl", { translated: 2 }));
    await dutch({
      stats: [now, { ...now, contentVersion: 3 }],
      pages: (query) => (query === "rows" ? [[rowOf("a")], [rowOf("b")]] : [[]]),
    });
    expect(requests).toEqual([
      "rows",
      "rows 1",
      "stats",
      'rows {"updatedSince":"2026-01-01T11:59:58Z"}',
      "stats",
    ]);
  });
});
