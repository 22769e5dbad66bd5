/** Where a written text is looked for, and what is told of it, with a service in memory that answers as a test wants. */
import { describe, expect, test } from "vitest";
import type { Client, RequestOptions } from "../../../../src/api/client.ts";
import type { TranslationItem, TranslationsQuery } from "../../../../src/api/endpoints.ts";
import { ApiError } from "../../../../src/api/errors.ts";
import type { TranslationRow } from "../../../../src/api/response-schemas.ts";
import type { WriteResult } from "../../../../src/api/undocumented-fields.ts";
import { Database } from "../../../../src/database/database.ts";
import { Project, projectRow } from "../../../../src/database/project-state.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import {
  readRow,
  setTranslation,
  setTranslations,
  updateKey,
} from "../../../../src/sync/edit/send-translations.ts";

const nameOf = (key: string) => ({ namespace: "shop", key, context: "menu" });
const A = nameOf("a");

const row = (key: string, value: string | null, changes: Partial<TranslationRow> = {}): TranslationRow => ({
  ...nameOf(key),
  hash: keyHash(nameOf(key)),
  isPlural: false,
  value,
  forms: null,
  isTranslated: value !== null,
  isOutdated: false,
  issues: [],
  version: 1,
  updatedAt: null,
  ...changes,
});

interface World {
  /** When the service's translations were last changed, by language. */
  readonly changed?: Readonly<Record<string, string | null>>;
  readonly rows?: readonly TranslationRow[];
  /** Rows that the service returns for a query. */
  readonly answer?: (query: TranslationsQuery) => readonly TranslationRow[];
  readonly write?: (items: readonly TranslationItem[]) => Partial<WriteResult>;
  readonly isKeyKnown?: boolean;
  readonly isOffline?: boolean;
}

function open({ changed = {}, rows = [], answer = () => [], write, isKeyKnown = true, isOffline }: World) {
  const project = new Project("id", "label", new Database());
  const numbers = { name: "x", totalKeys: 1, translated: 0, outdated: 0, qaErrors: 0, percent: 0 };
  const languages = ["en", "nl"].map((locale) => {
    return { ...numbers, locale, isSource: locale === "en", lastTranslatedAt: changed[locale] ?? null };
  });
  project.setStats({ contentVersion: 1, languages }, { kind: "fresh", at: 0 });
  const details = { isPlural: false, text: null, sourceHash: null, description: null, maxLength: null };
  const key = { ...A, ...details, hash: keyHash(A), tags: [], updatedAt: "2026-01-09T00:00:00Z" };
  if (isKeyKnown) project.keys.put([key], 1);
  project.translations.put("nl", rows.map(projectRow), 1);
  project.showLanguage("nl");
  const queries: TranslationsQuery[] = [];
  const given: unknown[] = [];
  const refreshes: unknown[] = [];
  const client = {
    maxItems: { write: 2, page: 10 },
    translations: async (_: string, query: TranslationsQuery, { onResponse, ...options }: RequestOptions) => {
      expect(onResponse).toBeDefined();
      queries.push(query);
      given.push(options);
      return { data: answer(query), meta: { nextCursor: null, limit: 10 } };
    },
    writeTranslations: async (...[, items, mode, options]: readonly unknown[]) => {
      given.push([mode, options]);
      const list = items as readonly TranslationItem[];
      return { written: list.length, skipped: [], unconfirmed: [], ...write?.(list) };
    },
    updateKey: async (...[, update, options]: readonly unknown[]) => {
      given.push([update, options]);
      throw new ApiError("not_found", "No.");
    },
  } as unknown as Client;
  const refresher = {
    refresh: (options: unknown) => Promise.resolve((refreshes.push(options), isOffline === true ? null : {})),
    applyRows: () => Promise.resolve(),
  } as never;
  return { client, project, refresher, queries, given, refreshes };
}

describe("a row is looked for", () => {
  const written = { ...A, hash: keyHash(A), isWritten: true, isThere: true };
  const find = async (world: World, key: object = {}, options?: RequestOptions) => {
    const opened = open(world);
    await readRow(opened, "nl", { ...A, hash: keyHash(A), ...key }, options);
    return opened;
  };
  const namespace = "shop";
  const changed = { nl: "2026-01-03T00:00:00Z", en: "2026-01-08T00:00:00Z" };
  const rows = [
    row("a", "A", { updatedAt: "2026-01-01T00:00:00Z" }),
    row("b", "B", { updatedAt: "2026-01-02T00:00:00Z" }),
  ];

  test("among changes after all known ones, the latest, those since its own, its namespace and then everywhere", async () => {
    const last = [
      { namespace, updatedSince: "2026-01-02T23:59:30Z" },
      { namespace, updatedSince: "2025-12-31T23:59:30Z" },
      { namespace },
    ];
    expect((await find({ changed, rows }, written)).queries).toEqual([
      { namespace, updatedSince: "2026-01-03T00:00:01Z" },
      ...last,
      {},
    ]);
    // One that need not be there is not looked for everywhere.
    expect((await find({ changed, rows })).queries).toEqual(last);
  });

  test("since the latest change that is known of the language, else of the keys", async () => {
    const b = nameOf("b");
    expect((await find({ rows }, { ...b, hash: keyHash(b) })).queries).toEqual([
      { namespace, updatedSince: "2026-01-01T23:59:30Z" },
      { namespace },
    ]);
    expect((await find({})).queries).toEqual([
      { namespace, updatedSince: "2026-01-08T23:59:30Z" },
      { namespace },
    ]);
    expect((await find({ isKeyKnown: false }, written)).queries).toEqual([{ namespace }, {}]);
  });

  test("for a person, unless its caller says for whom", async () => {
    const { signal } = new AbortController();
    expect((await find({ isKeyKnown: false }, {}, { signal })).given).toEqual([
      { priority: "person", signal },
    ]);
    const background = { priority: "background" } as const;
    expect((await find({ isKeyKnown: false }, {}, background)).given).toEqual([background]);
  });

  test("without the time of changes if that is refused; other failures are not ignored", async () => {
    const failing = (kind: "invalid" | "offline", isTimed: boolean) =>
      find({
        answer: ({ updatedSince }) => {
          if ((updatedSince !== undefined) === isTimed) throw new ApiError(kind, "No.");
          return [];
        },
      });
    expect((await failing("invalid", true)).queries.at(-1)).toEqual({ namespace });
    await expect(failing("invalid", false)).rejects.toMatchObject({ kind: "invalid" });
    await expect(failing("offline", true)).rejects.toMatchObject({ kind: "offline" });
  });
});

describe("a text that was written", () => {
  const refused: World["write"] = ([item]) => ({ skipped: [{ item: item ?? null, reason: "locked" }] });
  const unconfirmed: World["write"] = (items) => ({ unconfirmed: [...items] });
  const { signal } = new AbortController();
  const write = async (world: World) => {
    const opened = open(world);
    const edit = { name: A, text: { value: "New" }, version: 1 };
    const result = await setTranslation(opened, "nl", edit, { signal, priority: "person" });
    return { ...opened, result };
  };

  test.each<[string, World["write"], TranslationRow, object]>([
    ["is done, whatever somebody wrote over it since", undefined, row("a", "Theirs"), { kind: "done" }],
    ["is done if the service has it", unconfirmed, row("a", "New"), { kind: "done" }],
    ["is skipped if nothing changed", unconfirmed, row("a", "Old"), { kind: "skipped", reason: "" }],
    ["is in conflict with another", unconfirmed, row("a", "Theirs", { version: 2 }), { kind: "conflict" }],
    ["is skipped with the service's reason", refused, row("a", "Old"), { kind: "skipped", reason: "locked" }],
    ["is as it was", refused, row("a", "New"), { kind: "unchanged" }],
  ])("%s", async (_, answerToWrite, current, expected) => {
    const { result } = await write({
      ...(answerToWrite === undefined ? {} : { write: answerToWrite }),
      answer: () => [current],
    });
    expect(result).toMatchObject(expected);
  });

  test("is looked for everywhere if its key must be there, which else is unknown", async () => {
    const kinds: unknown[] = [];
    for (const [isKeyKnown, answerToWrite] of [
      [true, refused],
      [false, unconfirmed],
      [false, refused],
    ] as const) {
      const changed = { nl: "2026-01-03T00:00:00Z" };
      const { result, queries } = await write({ isKeyKnown, write: answerToWrite, changed });
      kinds.push([result.kind, queries.length, queries.at(-1)]);
    }
    // Among the newest changes only if it was written.
    expect(kinds).toEqual([
      ["unknown_key", 3, {}],
      ["unknown_key", 4, {}],
      ["unknown_key", 2, { namespace: "shop" }],
    ]);
  });

  test("is read back after a cancellation only where that alone tells whether it was written", async () => {
    const person = { priority: "person" };
    const sent = ["overwrite", { ...person, signal }];
    const answer = () => [row("a", "New")];
    expect((await write({ answer })).given).toEqual([sent, { ...person, signal }]);
    expect((await write({ answer, write: unconfirmed })).given).toEqual([sent, person]);
  });
});

describe("many texts that were written", () => {
  const edits = (texts: Readonly<Record<string, Text>>) =>
    Object.entries(texts).map(([key, text]) => ({ name: nameOf(key), text }));
  const write = async (texts: Readonly<Record<string, Text>>, world: World) => {
    const opened = open(world);
    const progress: unknown[] = [];
    const onProgress = (...counts: readonly number[]): void => void progress.push(counts);
    const options = { priority: "background", onProgress } as const;
    const result = await setTranslations(opened, "nl", edits(texts), "fill_empty", options);
    return { ...opened, result, progress };
  };

  test("are sent as their caller says, who is told of the progress, and shown at once", async () => {
    const { given, progress, refreshes, result } = await write(
      { a: { value: "A" }, b: { value: "B" }, c: { value: "C" } },
      { write: ([item]) => ({ written: 1, skipped: [{ item: item ?? null, reason: "no" }] }) },
    );
    const sent = ["fill_empty", expect.objectContaining({ priority: "background" })];
    expect([given, progress, refreshes]).toEqual([
      [sent, sent],
      [
        [2, 3],
        [3, 3],
      ],
      [{ priority: "person" }],
    ]);
    const skipped = ["a", "c"].map((key) => ({ name: nameOf(key), reason: "no" }));
    expect(result).toEqual({ written: 2, skipped, failure: null });
  });

  test("are compared with what the service has, where its answer does not name those that it left out", async () => {
    const texts = {
      a: { value: "A" },
      b: { forms: { one: "x", other: "y" } },
      c: { value: "C" },
      d: { value: "D" },
    };
    const rows = [
      row("a", "A"),
      row("b", null, { isPlural: true, forms: { one: "x", other: "y" }, isTranslated: true }),
      row("c", "Theirs"),
    ];
    const unconfirmed: World["write"] = (items) => ({ unconfirmed: [...items] });
    const { result, refreshes } = await write(texts, { rows, write: unconfirmed });
    expect(result).toEqual({ written: 3, skipped: [{ name: nameOf("c"), reason: "" }], failure: null });
    expect(refreshes).toHaveLength(2);
    // Offline, its word counts.
    const offline = await write(texts, { rows, write: unconfirmed, isOffline: true });
    expect(offline.result).toMatchObject({ written: 4, skipped: [] });
  });
});

test("the details of a key are sent as their caller says", async () => {
  const opened = open({});
  const options = { priority: "background" } as const;
  expect(await updateKey(opened, A, { tags: ["b"] }, options)).toBeNull();
  expect(opened.given).toEqual([[{ tags: ["b"] }, options]]);
});
