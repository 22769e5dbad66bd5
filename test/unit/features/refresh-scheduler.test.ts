/** When a window refreshes its projects by itself, and what the commands for it ask and answer. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { refreshCommand, refreshRowCommand } from "../../../src/commands/declarations/session-commands.ts";
import type { Freshness } from "../../../src/database/project-state.ts";
import type { Session } from "../../../src/database/session/session.ts";
import { textSourceOf } from "../../../src/database/session/text-source.ts";
import type { StoreTable } from "../../../src/database/store.ts";
import {
  delayUntilRefresh,
  refreshAllCommand,
  registerRefresh,
} from "../../../src/features/refresh/refresh-scheduler.ts";
import type { App } from "../../../src/vscode/app.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { changedFocus, window, workspace } from "../support/vscode-stub.ts";

const INTERVAL = 300_000;
const NOW = Date.UTC(2026, 0, 1);
const SIGNED_IN = { kind: "signed-in", canWrite: true } as Session;
const SIGNED_OUT: Session = { kind: "signed-out" };
const refused = (reason: "archived" | "unauthorized"): Session => ({ kind: "refused", baseUrl: "", reason });

test("waits for the rest of the interval since the last attempt, whether it failed or not", () => {
  expect(delayUntilRefresh(NOW, NOW, INTERVAL)).toBe(INTERVAL);
  expect(delayUntilRefresh(NOW - 100_000, NOW, INTERVAL)).toBe(200_000);
  expect(delayUntilRefresh(NOW - INTERVAL, NOW, INTERVAL)).toBe(0);
});

test("refreshes at once in the beginning, after standby, and when the clock was set back", () => {
  expect(delayUntilRefresh(0, NOW, INTERVAL)).toBe(0);
  expect(delayUntilRefresh(NOW - 24 * 3_600_000, NOW, INTERVAL)).toBe(0);
  expect(delayUntilRefresh(NOW + 24 * 3_600_000, NOW, INTERVAL)).toBe(0);
  expect(delayUntilRefresh(NOW + 1, NOW, INTERVAL)).toBe(0);
});

type Work = (app: App, options: object, run: object) => Promise<unknown>;
/** What was asked and done, in this order. */
let asked: string[];
let all: OpenProject[];
let chosen: OpenProject;
let works: Map<object, readonly [Work, (options: object) => Promise<OpenProject>]>;
let disposables: { dispose(): void }[];
let logged: unknown[];
let whenReady: () => void;
const intervals = new WeakMap<object, number>();
const renders = new Map<StoreTable, (open?: OpenProject) => void>();
beforeEach(() => {
  asked = [];
  all = [];
  works = new Map();
  disposables = [];
  logged = [];
  renders.clear();
});
/** Registers the feature. Returns a function that tells it of a change. */
function register(): (table: StoreTable, open?: OpenProject) => void {
  const subscribe = (tables: readonly StoreTable[], render: (open?: OpenProject) => void) => {
    for (const table of tables) renders.set(table, render);
    return { dispose: () => undefined };
  };
  registerRefresh({
    log: { error: (_message: string, error: unknown) => void logged.push(error) },
    settings: { of: (root: object) => ({ refreshInterval: intervals.get(root) }) },
    store: { subscribe },
    projects: {
      get all() {
        return all;
      },
      choose: async () => chosen,
      whenReady: (work: () => void) => (whenReady = work),
      subscribe,
    },
    command: (declaration: object, work: Work, choose: () => Promise<OpenProject>) =>
      void works.set(declaration, [work, choose]),
    addDisposable: (...given: readonly { dispose(): void }[]) => void disposables.push(...given),
  } as unknown as App);
  return (table, open) => renders.get(table)?.(open);
}

interface Answers {
  session: Session;
  /** What a refresh does, besides being recorded. */
  answer: () => Promise<unknown>;
  freshness: Freshness;
  stats: object | null;
}
/** Adds a project to the window, refreshed after this many seconds. */
function addProject(name: string, seconds: number, session: Session): OpenProject & Answers {
  const root = {};
  intervals.set(root, seconds);
  const record = (what: string) => void asked.push(`${name}: ${what}`);
  const answers: Answers = {
    session,
    answer: async () => undefined,
    freshness: { kind: "fresh", at: NOW },
    stats: { contentVersion: 1 },
  };
  const refresher = Promise.resolve({
    refresh: async ({ signal, ...options }: { readonly signal?: AbortSignal } = {}) => {
      const given = Object.values(options).join(" ");
      record(
        ["refresh", ...(given === "" ? [] : [given]), ...(signal === undefined ? [] : ["signal"])].join(" "),
      );
      await open.answer();
      return open.stats;
    },
  });
  const jobPoller = { resume: () => record("jobs of others"), pollNow: () => record("jobs") };
  const open = Object.assign(answers, {
    root,
    refresher,
    connection: { refresher, jobPoller, retrySession: () => record("retry") },
    client: () => {
      if (answers.session.kind !== "signed-in") throw new Error("nobody is signed in");
    },
    local: { reload: async (signal?: AbortSignal) => record(`files ${String(signal !== undefined)}`) },
    loadLocal: async () => {
      await new Promise(setImmediate);
      record("texts");
    },
  }) as unknown as OpenProject & Answers;
  Object.defineProperty(open, "source", { get: () => textSourceOf(open.session, true, () => "en") });
  all = [...all, open];
  return open;
}

describe("by itself", () => {
  const pass = async (seconds: number): Promise<readonly string[]> => {
    asked = [];
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    return asked;
  };
  function focus(focused: boolean): void {
    window.state.focused = focused;
    changedFocus.fire({ focused });
  }
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
    return () => disposables.forEach((each) => each.dispose());
  });
  const both = (name: string) => [`${name}: refresh`, `${name}: jobs of others`];

  test("a window asks for each project after its interval, whatever the others are", async () => {
    addProject("files", 60, SIGNED_OUT);
    addProject("never", 0, SIGNED_IN);
    addProject("shop", 300, SIGNED_IN);
    addProject("blog", 60, SIGNED_IN);
    addProject("news", 600, SIGNED_IN);
    register();
    expect(await pass(0)).toEqual([]);
    whenReady();
    const first = await pass(0);
    expect(first.toSorted()).toEqual([...both("blog"), ...both("news"), ...both("shop")].toSorted());
    expect(await pass(59)).toEqual([]);
    expect(await pass(1)).toEqual(both("blog"));
    expect(await pass(239)).toEqual([...both("blog"), ...both("blog"), ...both("blog")]);
    expect((await pass(1)).toSorted()).toEqual([...both("blog"), ...both("shop")].toSorted());
    expect(vi.getTimerCount()).toBe(1);
    // Nobody looks.
    focus(false);
    expect(await pass(3_600)).toEqual([]);
    focus(true);
    expect((await pass(0)).toSorted()).toEqual(first.toSorted());
    for (const each of disposables) each.dispose();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("it follows the jobs of other windows once it has asked, and asks again after a failure", async () => {
    const shop = addProject("shop", 60, SIGNED_IN);
    let end: () => void = () => undefined;
    shop.answer = () => new Promise((resolve) => (end = () => resolve(undefined)));
    register();
    whenReady();
    expect(await pass(10)).toEqual(["shop: refresh"]);
    end();
    expect(await pass(0)).toEqual(["shop: jobs of others"]);
    shop.answer = () => Promise.reject(new Error("a full disk"));
    expect(await pass(50)).toEqual(["shop: refresh"]);
    expect(logged).toEqual([new Error("a full disk")]);
    shop.answer = async () => undefined;
    expect(await pass(60)).toEqual(both("shop"));
  });

  test("it asks at once after a sign-in, and of new projects and with another interval when they are due", async () => {
    const shop = addProject("shop", 300, SIGNED_OUT);
    const tell = register();
    whenReady();
    expect(await pass(600)).toEqual([]);
    shop.session = SIGNED_IN;
    tell("session", shop);
    expect(await pass(100)).toEqual(both("shop"));
    // As a token of another person.
    tell("session", shop);
    expect(await pass(0)).toEqual(both("shop"));
    expect(await pass(299)).toEqual([]);
    shop.session = refused("unauthorized");
    tell("session", shop);
    expect(await pass(600)).toEqual([]);
    // Its token works again once it is restored.
    shop.session = refused("archived");
    tell("session", shop);
    expect(await pass(0)).toEqual(both("shop"));
    const blog = addProject("blog", 0, SIGNED_IN);
    tell("projects");
    expect(await pass(0)).toEqual([]);
    intervals.set(blog.root, 30);
    tell("settings");
    expect(await pass(30)).toEqual([...both("blog"), ...both("blog")]);
    const news = addProject("news", 900, SIGNED_IN);
    tell("projects");
    expect(await pass(0)).toEqual(both("news"));
    intervals.set(news.root, 0);
    intervals.set(blog.root, 0);
    tell("settings");
    expect(await pass(600)).toEqual([...both("shop"), ...both("shop")]);
  });
});

describe("a command", () => {
  const run = async (command: object): Promise<unknown> => {
    const [work, choose] = works.get(command) ?? expect.fail("it is registered");
    const open = await choose({});
    expect(open).toBe(chosen);
    return work({} as App, {}, { open, report: () => undefined, signal: new AbortController().signal });
  };

  test("asks for the chosen project, also with a token that was refused: where it differs, or for everything", async () => {
    addProject("blog", 0, SIGNED_IN);
    chosen = addProject("shop", 0, SIGNED_IN);
    register();
    for (const [command, full] of [
      [refreshCommand, "where-different"],
      [refreshRowCommand, "where-different"],
      [refreshAllCommand, "true"],
    ] as const) {
      asked = [];
      expect(await run(command)).toEqual({ outcome: "done", stats: { contentVersion: 1 } });
      expect(asked).toEqual(["shop: retry", "shop: jobs", `shop: refresh person ${full} signal`]);
    }
  });

  test("says what failed, also if nothing was ever read or the answer is not that of this session", async () => {
    const shop = addProject("shop", 0, SIGNED_IN);
    chosen = shop;
    register();
    const error = new Error("500");
    shop.freshness = { kind: "offline", at: NOW, error };
    await expect(run(refreshCommand)).rejects.toBe(error);
    shop.freshness = { kind: "stored", at: NOW };
    await expect(run(refreshCommand)).rejects.toMatchObject({ code: "offline" });
    Object.assign(shop, { freshness: { kind: "fresh", at: NOW }, stats: null });
    await expect(run(refreshCommand)).rejects.toMatchObject({ code: "offline" });
    // Without a client nothing is asked, of jobs neither.
    shop.session = refused("unauthorized");
    asked = [];
    await expect(run(refreshCommand)).rejects.toThrow("nobody is signed in");
    expect(asked).toEqual(["shop: retry"]);
  });

  test("reads files where there is no service, unless the folder is not trusted", async () => {
    chosen = addProject("shop", 0, SIGNED_OUT);
    register();
    expect(await run(refreshCommand)).toEqual({ outcome: "done", stats: { contentVersion: 1 } });
    expect(asked).toEqual(["shop: retry", "shop: files true", "shop: texts"]);
    workspace.isTrusted = false;
    asked = [];
    await expect(run(refreshCommand)).rejects.toThrow("nobody is signed in");
    expect(asked).toEqual(["shop: retry"]);
  });
});
