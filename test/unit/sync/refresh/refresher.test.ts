/** What a refresh requests, for whom, and how it ends, with a service in memory that answers as a test wants. */
import { describe, expect, test } from "vitest";
import type { Client, RequestOptions } from "../../../../src/api/client.ts";
import { ApiError, type ApiErrorKind } from "../../../../src/api/errors.ts";
import type { Language, Stats } from "../../../../src/api/response-schemas.ts";
import { Database } from "../../../../src/database/database.ts";
import { Project } from "../../../../src/database/project-state.ts";
import { contentOfProject } from "../../../../src/database/sync-metadata-repository.ts";
import { Refresher } from "../../../../src/sync/refresh/refresh.ts";
import { currentPriority } from "../../../../src/util/priority.ts";
import { FakeClock, nextMacrotask } from "../../support/fake-clock.ts";
import { recordingLog } from "../../support/node-platform.ts";

const SESSION = { kind: "signed-in", baseUrl: "x", slug: "shop", name: "Shop", canWrite: true } as const;

const language = (locale: string, totalKeys: number): Language => ({
  locale,
  name: locale,
  isSource: locale === "en",
  totalKeys,
  translated: 1,
  outdated: 0,
  qaErrors: 0,
  percent: 0,
  lastTranslatedAt: null,
});

/** One key, and one translation of it in Dutch and French; `intercept` may wait or throw. */
async function open({ preview = ["nl"] }: { readonly preview?: readonly string[] } = {}) {
  const project = new Project("id", "label", new Database(), undefined, undefined, SESSION);
  const requests: string[] = [];
  const priorities: (() => string)[] = [];
  const state = {
    contentVersion: 1,
    totalKeys: 1,
    locales: ["en", "nl", "fr"],
    diff: { new: [] as string[], changed: [] as string[], restored: [] as string[], unchanged: 0 },
    accepted: 0,
    isSignedIn: true,
    otherClient: null as Client | null,
    intercept: (_request: string): void | Promise<void> => undefined,
  };
  const answer = async <Data>(request: string, options: RequestOptions | undefined, data: () => Data) => {
    requests.push(request);
    priorities.push(() => currentPriority(options?.priority ?? "background"));
    await state.intercept(request);
    options?.signal?.throwIfAborted();
    return data();
  };
  const page = (data: readonly object[]) => ({ data, meta: { nextCursor: null, limit: 10 } });
  const name = { hash: "a", namespace: "*", key: "a", context: null, isPlural: false, updatedAt: null };
  const key = { ...name, source: { value: "A" }, sourceHash: "s", description: null, maxLength: null };
  const row = { ...name, value: "Aa", forms: null, isTranslated: true, isOutdated: false, version: 1 };
  const client = {
    maxItems: { page: 10, diff: 10 },
    stats: (options?: RequestOptions) =>
      answer("stats", options, (): Stats => {
        const languages = state.locales.map((locale) => language(locale, state.totalKeys));
        return { contentVersion: state.contentVersion, languages };
      }),
    keys: ({ archived }: { readonly archived?: boolean }, options?: RequestOptions) =>
      answer(archived === true ? "archived" : "keys", options, () =>
        page(archived === true ? [] : [{ ...key, tags: [], archived: false }]),
      ),
    translations: (locale: string, _: object, options?: RequestOptions) =>
      answer(locale, options, () => page([{ ...row, issues: [] }])),
    diff: (_: unknown, options?: RequestOptions) => answer("diff", options, () => state.diff),
  } as unknown as Client;
  const clock = new FakeClock();
  const log = recordingLog();
  const dependencies = {
    project,
    client: () => (state.isSignedIn ? (state.otherClient ?? client) : null),
    onAccepted: () => state.accepted++,
    preview: () => preview,
    clock,
    log,
  };
  const refresher = await Refresher.open(dependencies);
  const reopen = () => Refresher.open(dependencies);
  return { project, refresher, reopen, state, requests, priorities, clock, take: () => requests.splice(0) };
}

/** Holds the requests of a list until `open` is called. */
function gate(held: string) {
  const { promise: opened, resolve: release } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const intercept = (request: string): void | Promise<void> => {
    if (request !== held) return undefined;
    reach();
    return opened;
  };
  return { intercept, release, reached };
}

test("statistics that arrive after a sign-in to another project are not taken for that project's", async () => {
  const { project, refresher, state, requests } = await open();
  const { intercept, release, reached } = gate("stats");
  state.intercept = intercept;
  const reading = refresher.refreshKeys();
  await reached;
  state.otherClient = {} as Client;
  release();
  await expect(reading).rejects.toMatchObject({ kind: "unauthorized" });
  expect([project.stats, project.freshness.kind, requests]).toEqual([null, "never", ["stats"]]);
});

describe("after an error of the keys", () => {
  test.each<[ApiErrorKind, boolean]>([
    ["unauthorized", false],
    ["forbidden", false],
    ["offline", false],
    ["timeout", false],
    ["server_error", false],
    ["rate_limited", false],
    ["busy", false],
    ["bad_response", true],
    ["invalid", true],
    ["not_found", true],
  ])("%s, the languages are read: %s", async (kind, isRead) => {
    const { project, refresher, state, requests } = await open();
    const error = new ApiError(kind, "No.");
    state.intercept = (request) => {
      if (request === "keys") throw error;
    };
    expect(await refresher.refresh()).toBeNull();
    expect(requests).toEqual(isRead ? ["stats", "keys", "nl"] : ["stats", "keys"]);
    expect(project.freshness).toEqual({ kind: "offline", at: null, error });
    const reasons: Partial<Record<ApiErrorKind, string>> = {
      unauthorized: "unauthorized",
      forbidden: "archived",
    };
    const reason = reasons[kind];
    expect(project.session).toEqual(
      reason === undefined ? SESSION : { kind: "refused", baseUrl: "x", reason },
    );
    expect(project.activity.busyWith).toBeNull();
  });

  test("forbidden, a session that was refused stays so, and the next accepted one is told", async () => {
    const { project, refresher, state } = await open();
    expect(await refresher.refresh()).not.toBeNull();
    expect(state.accepted).toBe(0);
    const refused = { kind: "refused", baseUrl: "x", reason: "unauthorized" } as const;
    project.setSession(refused);
    state.intercept = () => {
      throw new ApiError("forbidden", "No.");
    };
    await refresher.refresh();
    expect([project.session, state.accepted]).toEqual([refused, 0]);
    state.intercept = () => undefined;
    await refresher.refresh();
    expect(state.accepted).toBe(1);
  });
});

describe("what a refresh reads", () => {
  test("are the keys, the languages that are always shown, and those that were viewed, each once", async () => {
    const { project, refresher, take } = await open({ preview: ["en", "nl", "xx"] });
    await refresher.refresh();
    expect(take()).toEqual(["stats", "keys", "archived", "nl"]);
    await refresher.ensureLocale("fr");
    await refresher.ensureLocale("nl");
    expect(take()).toEqual(["fr"]);
    project.showLanguage("xx");
    await refresher.refresh({ full: true });
    expect(take()).toEqual(["stats", "keys", "nl", "fr"]);
  });

  test("is nothing as long as nothing changed, everything if that is wanted, and only what differs if that is", async () => {
    const { project, refresher, state, take } = await open();
    await refresher.refresh();
    take();
    await refresher.refresh();
    expect(take()).toEqual(["stats"]);
    await refresher.refresh({ full: "where-different" });
    expect(take()).toEqual(["stats"]);
    await refresher.refresh({ full: true });
    expect(take()).toEqual(["stats", "keys", "nl"]);
    // The service counts a key more than it lists.
    state.totalKeys = 2;
    state.contentVersion = 2;
    await refresher.refresh();
    expect(project.syncMetadata.cursor()?.differences).toEqual([-1]);
    take();
    await refresher.refresh({ full: "where-different" });
    expect(take()).toContain("keys");
  });

  test("is everything if one of those who wait for the next refresh wants that, in any order", async () => {
    for (const wishes of [
      [true, "where-different", false],
      [false, "where-different", true],
    ] as const) {
      const { refresher, state, take } = await open();
      await refresher.refresh();
      take();
      const { intercept, release, reached } = gate("stats");
      state.intercept = intercept;
      const running = refresher.refresh();
      await reached;
      const waiting = wishes.map((full) => refresher.refresh({ full, skipRunning: true }));
      release();
      await Promise.all([running, ...waiting]);
      expect(take()).toEqual(["stats", "stats", "keys", "nl"]);
    }
  });

  test("is asked for once more for a person, or for everything, but not for others, while it is read", async () => {
    for (const [options, count] of [
      [{}, 1],
      [{ priority: "background" }, 1],
      [{ priority: "person" }, 2],
      [{ full: true }, 2],
      [{ priority: "person", skipRunning: false }, 1],
    ] as const) {
      const { refresher, state, requests, priorities } = await open();
      const { intercept, release, reached } = gate("keys");
      state.intercept = intercept;
      const running = refresher.refresh();
      await reached;
      const other = refresher.refresh(options);
      await nextMacrotask();
      // Whoever waits for it waits for the one before it, too.
      const isPerson = "priority" in options && options.priority === "person";
      expect(priorities[1]?.()).toBe(isPerson ? "person" : "background");
      release();
      await Promise.all([running, other]);
      expect(requests.filter((request) => request === "stats")).toHaveLength(count);
    }
  });

  test("is shared by a language that is opened before anything is known", async () => {
    const { project, refresher, requests } = await open();
    await Promise.all([refresher.refresh(), refresher.ensureLocale("fr", { priority: "person" })]);
    expect(requests).toEqual(["stats", "keys", "archived", "nl", "fr"]);
    expect(project.isComplete("fr")).toBe(true);
  });

  test("is shared by a language that is opened while the first statistics are awaited, also by a person", async () => {
    const { project, refresher, state, requests } = await open();
    const { intercept, release, reached } = gate("stats");
    state.intercept = intercept;
    const running = refresher.refresh();
    await reached;
    const viewing = refresher.ensureLocale("fr", { priority: "person" });
    release();
    await Promise.all([running, viewing]);
    expect(requests.filter((request) => request === "stats")).toHaveLength(1);
    expect([project.isComplete("fr"), project.activity.busyWith]).toEqual([true, null]);
  });
});

test("a language that cannot be read is a failure that its caller and the project are told", async () => {
  const { project, refresher, state } = await open();
  await refresher.refresh();
  const error = new ApiError("server_error", "No.");
  state.intercept = () => {
    throw error;
  };
  await expect(refresher.ensureLocale("fr")).rejects.toBe(error);
  expect(project.freshness).toMatchObject({ kind: "offline", error });
});

test("what is stored are the newest statistics, and when a refresh was last complete", async () => {
  const { project, refresher, reopen, state, clock } = await open();
  const storedNow = () => {
    const stored = project.syncMetadata.stats;
    return [stored?.stats.contentVersion, stored?.checkedAt];
  };
  state.intercept = (request) => {
    if (request === "keys") throw new ApiError("offline", "No.");
  };
  await refresher.refresh();
  expect(storedNow()).toEqual([1, null]);
  state.intercept = () => undefined;
  await refresher.refresh();
  const complete = clock.now();
  expect(storedNow()).toEqual([1, complete]);
  await clock.advance(1_000);
  state.contentVersion = 2;
  state.intercept = (request) => {
    if (request === "keys") throw new ApiError("offline", "No.");
  };
  await refresher.refresh();
  expect(storedNow()).toEqual([2, complete]);
  state.intercept = () => undefined;
  await refresher.refresh();
  // Nothing has changed since, so the time is written when the window closes.
  expect(storedNow()).toEqual([2, complete]);
  refresher.storeCheckedAt();
  expect(storedNow()).toEqual([2, complete + 1_000]);
  // They are not shown again in place of newer ones.
  await reopen();
  expect(project.freshness.kind).toBe("fresh");
});

test("a window that closes ends what it reads, also a language", async () => {
  const { project, refresher, state } = await open();
  await refresher.refresh();
  const { intercept, release, reached } = gate("fr");
  state.intercept = intercept;
  const reading = refresher.ensureLocale("fr");
  await reached;
  refresher.dispose();
  release();
  await reading;
  expect([project.isComplete("fr"), project.freshness.kind]).toEqual([false, "fresh"]);
});

test("what was written while the keys or a language are read for the first time is shown", async () => {
  const { project, refresher } = await open();
  // A language is shown with its first page.
  project.showLanguage("fr");
  const state = { isTranslated: true, isOutdated: false, issues: [], version: 2, updatedAt: null };
  await refresher.applyRows("fr", [{ ...state, hash: "a", text: { value: "Nouveau" } }]);
  expect([project.isComplete("fr"), project.translation("fr", "a")?.text]).toEqual([
    false,
    { value: "Nouveau" },
  ]);
  const name = { hash: "a", namespace: "*", key: "a", context: null, isPlural: false, sourceHash: null };
  const details = { text: { value: "A" }, maxLength: null, tags: [], updatedAt: null };
  await refresher.applyKey({ ...name, ...details, description: "Edited" });
  expect([project.keysComplete, project.keys.get("a")?.description]).toEqual([false, "Edited"]);
});

test("what the service has written is not stored after a sign-out, nor with the data of another project", async () => {
  for (const end of [
    (project: Project) => project.setSession({ kind: "signed-out" }),
    (project: Project) => project.syncMetadata.clear(null, contentOfProject("other")),
  ]) {
    const { project, refresher } = await open();
    await refresher.refresh();
    end(project);
    const state = { isTranslated: true, isOutdated: false, issues: [], version: 2, updatedAt: null };
    await refresher.applyRows("nl", [{ ...state, hash: "a", text: { value: "Nieuw" } }]);
    const name = { hash: "new", namespace: "*", key: "new", context: null };
    const details = { isPlural: false, sourceHash: null, description: null, maxLength: null, tags: [] };
    await refresher.applyKey({ ...name, ...details, text: { value: "New" }, updatedAt: null });
    expect(project.translations.get("nl", "a")?.text).not.toEqual({ value: "Nieuw" });
    expect(project.keys.has("new")).toBe(false);
  }
});

describe("a push that is already stored", () => {
  const AT = "2030-01-01T00:00:00Z";
  /** Applies a push of so many keys; returns the requests, and whether they are not read back. */
  async function apply(
    sent: number,
    prepare: (world: Awaited<ReturnType<typeof open>>) => void = () => undefined,
    meanwhile: (world: Awaited<ReturnType<typeof open>>) => void = () => undefined,
  ) {
    const world = await open();
    const stats = await world.refresher.refresh();
    if (stats === null) throw new Error("not refreshed");
    world.take();
    prepare(world);
    const applied = world.refresher.applyPush(stats, sent, AT);
    await nextMacrotask();
    const early = world.take();
    await world.clock.advance(999);
    early.push(...world.take());
    meanwhile(world);
    await world.clock.advance(1);
    await applied;
    return {
      early,
      requests: world.take(),
      isApplied: world.project.syncMetadata.cursor()?.since === AT,
      world,
    };
  }

  test("is not read back if no key differs, which is asked after a second, in the background", async () => {
    const { early, requests, isApplied, world } = await apply(1_000);
    expect([early, requests, isApplied]).toEqual([[], ["diff"], true]);
    expect(world.priorities.at(-1)?.()).toBe("background");
  });

  test.each([
    ["new", { new: ["a"] }],
    ["changed", { changed: ["a"] }],
    ["restored", { restored: ["a"] }],
  ])("is read back if a key is %s", async (_, change) => {
    const { requests, isApplied } = await apply(1_000, ({ state }) => Object.assign(state.diff, change));
    expect([requests, isApplied]).toEqual([["diff"], false]);
  });

  test("is read back if that costs no more requests", async () => {
    // One page of ten, and one comparison of a tenth.
    expect(await apply(11)).toMatchObject({ requests: [], isApplied: false });
    expect(await apply(12)).toMatchObject({ requests: ["diff"], isApplied: true });
  });

  test.each([
    ["changed a text", { contentVersion: 0 }],
    ["created a key", { counts: [7] }],
  ])("is read back with what others did before, of which nothing is known yet: they %s", async (_, known) => {
    const { early, requests, isApplied } = await apply(1_000, ({ project: { syncMetadata } }) => {
      const cursor = syncMetadata.cursor();
      if (cursor === null) throw new Error("nothing is known");
      syncMetadata.setCursor({ ...cursor, ...known });
    });
    expect([early, requests, isApplied]).toEqual([[], [], false]);
  });

  test("is read back after a failure, and is of no use to another session", async () => {
    const failing = await apply(1_000, ({ state }) => {
      state.intercept = () => {
        throw new ApiError("offline", "No.");
      };
    });
    expect([failing.isApplied, failing.world.project.freshness.kind]).toEqual([false, "fresh"]);
    const ended = await apply(1_000, undefined, ({ project }) => project.setSession({ kind: "signed-out" }));
    expect(ended.isApplied).toBe(false);
  });
});
