/**
 * User actions, the rows of the fault matrix: the request at which the fault occurs, preparation, execution, and how
 * the result is determined. The faults are in faults.ts.
 */
import type { Client } from "../../../src/api/client.ts";
import { ApiError, isApiError } from "../../../src/api/errors.ts";
import { setTranslation, setTranslations, updateKey } from "../../../src/sync/edit/send-translations.ts";
import { keyHash, type KeyName } from "../../../src/model/key-hash.ts";
import { runImport } from "../../../src/sync/import/send-import.ts";
import { createLocaleMap } from "../../../src/model/locales.ts";
import { planPull, type PullDependencies } from "../../../src/sync/pull/pull-plan.ts";
import { sendPush } from "../../../src/sync/push/send-push.ts";
import { planPush } from "../../../src/sync/push/push-plan.ts";
import { readProjectAccess } from "../../../src/sync/session/verify-token.ts";
import { FIXTURE_PROJECT_FILE, sourceKeys } from "../support/fixture-project.ts";
import type { TestWindow } from "../support/test-window.ts";
import { writePull } from "../../../src/sync/pull/write-pull.ts";

/** One cell's part of the world: a namespace of its own at the service, an app folder of its own on disk. */
export interface Cell {
  readonly namespace: string;
  readonly window: TestWindow;
  /** A colleague's client, which no fault is done to. */
  readonly colleague: Client;
  readonly readFile: (path: string) => Promise<string>;
  readonly signal: AbortSignal;
}

/** What reaches the user: `code` picks the sentence. `told`: what was done of it, where that is said. */
export type Outcome =
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly code: string; readonly reason?: string; readonly told?: unknown }
  | { readonly kind: "left" };

/** `part`: the requests before the one that was struck, as the API's limits make them. */
export type State = "all" | "none" | "part";

export interface Action {
  readonly name: string;
  /** The request at which faults strike, and its number among those of its kind that is in one action. */
  readonly aim: { readonly method: string; readonly path: RegExp; readonly nth?: number };
  /** Whether the client may send the struck request again when nobody knows if it arrived. */
  readonly repeatable: boolean;
  /** What the state is when the struck request never arrived; default `none`. */
  readonly before?: State;
  /** Reads only: what was struck changes nothing at the service, and the state is what the window has. */
  readonly reads?: true;
  /** A field of the answer that the document shows, to be taken away or bent; absent where the answer is no JSON. */
  readonly shown?: readonly (string | number)[];
  /** Where a struck field does no harm, since the document does not show it. */
  readonly toleratesFields?: true;
  /** It follows a job. */
  readonly job?: true;
  /** It asks for the changes since the last time, and without that filter where it is refused. */
  readonly filters?: true;
  /** Of a failure only its kind is known afterwards. */
  readonly onlyKind?: true;
  /** Lists with pages are read. */
  readonly pages?: true;
  /** Before the window opens: files on disk, by path, and content of the service. */
  readonly files?: (namespace: string) => Readonly<Record<string, string>>;
  readonly prepare: (colleague: Client, namespace: string) => Promise<unknown>;
  /** After the window has read everything. */
  readonly meanwhile?: (cell: Cell) => Promise<unknown>;
  readonly run: (cell: Cell) => Promise<Outcome>;
  readonly state: (cell: Cell) => Promise<State>;
}

const DONE: Outcome = { kind: "done" };
const KEYS = ["title", "total", "items", "voucher"] as const;

const named = (namespace: string, key: string): KeyName => ({ namespace, key, context: null });

/** Four keys with their texts. */
export const source = (colleague: Client, namespace: string): Promise<unknown> =>
  colleague.sync({ keys: KEYS.map((key) => ({ namespace, key, value: `Text of ${key}` })) });

/** Dutch translations of these keys. */
export const translated = (
  colleague: Client,
  namespace: string,
  keys: readonly string[],
  value = "Oud",
  locale = "nl",
) =>
  colleague.writeTranslations(
    locale,
    keys.map((key) => ({ hash: keyHash(named(namespace, key)), namespace, key, context: null, value })),
    "overwrite",
  );

/** A file of Laravel. */
export const phpFile = (entries: Readonly<Record<string, string>>): string =>
  `<?php\n\nreturn [\n${Object.entries(entries)
    .map(([key, value]) => `    '${key}' => '${value}',\n`)
    .join("")}];\n`;

/** How many of the cell's keys are there, or translated so. */
async function keysThere({ colleague, namespace }: Cell): Promise<number> {
  return (await colleague.keys({ namespace })).data.length;
}

async function textsThere({ colleague, namespace }: Cell, text: string): Promise<number> {
  const { data } = await colleague.translations("nl", { namespace });
  return data.filter((row) => row.value === text).length;
}

const allOf = (count: number, all: number): State => (count === all ? "all" : count === 0 ? "none" : "part");

/** The window's own view: everything that a colleague did since is seen, or nothing of it. */
const seen = (cell: Cell): State =>
  allOf([...cell.window.project.keys.values()].filter((key) => key.namespace === cell.namespace).length, 4);

const failed = (error: unknown): Outcome => {
  if (!(error instanceof ApiError)) throw error;
  return {
    kind: "failed",
    code: error.kind,
    ...(error.reason === undefined ? {} : { reason: error.reason }),
  };
};

/** As the host does: an error of the client becomes a failure, whatever else is thrown is a fault of this program. */
const told =
  (run: (cell: Cell) => Promise<Outcome | void>): Action["run"] =>
  async (cell) => {
    try {
      return (await run(cell)) ?? DONE;
    } catch (error) {
      if (cell.signal.aborted) return { kind: "left" };
      return failed(error);
    }
  };

const pullNeeds = (window: TestWindow): PullDependencies => ({
  ...window,
  locationOptions: {
    file: FIXTURE_PROJECT_FILE,
    entries: FIXTURE_PROJECT_FILE.files ?? [],
    locales: new Set(["en", "nl", "fr"]),
    localeMap: createLocaleMap({}, ["en", "nl", "fr"], ["en", "nl"]),
  },
});

const nothing = (): Promise<void> => Promise.resolve();
const PUT_NL = { method: "PUT", path: /^\/translations\/nl$/u } as const;
const SYNC = { method: "POST", path: /^\/keys\/sync$/u } as const;

/** Four keys of which two are translated: the two kinds of writes go in two requests. */
const bulk = {
  prepare: async (colleague: Client, namespace: string) => {
    await source(colleague, namespace);
    await translated(colleague, namespace, ["title", "total"]);
  },
  run: told(async ({ window, namespace, signal }) => {
    const edits = KEYS.map((key) => ({
      name: named(namespace, key),
      text: { value: "Nieuw" },
      version: window.project.translation("nl", keyHash(named(namespace, key)))?.version ?? null,
    }));
    const done = await setTranslations(window, "nl", edits, "overwrite", { signal });
    if (done.failure !== null) return { ...failed(done.failure.error), told: done.written };
    return DONE;
  }),
} as const;

/** All of them. */
export const ACTIONS: readonly Action[] = [
  {
    name: "sign in",
    aim: { method: "GET", path: /^\/stats$/u },
    repeatable: true,
    reads: true,
    shown: ["data", "languages"],
    prepare: nothing,
    run: told(async ({ window, signal }) => {
      const { record, canWrite } = await readProjectAccess(window.client, { signal });
      if (record.slug !== "shop" || !canWrite) throw new Error("somebody else signed in");
      window.project.setSession({
        kind: "signed-in",
        baseUrl: window.client.baseUrl,
        slug: record.slug,
        name: record.name,
        canWrite,
      });
    }),
    state: ({ window: { project } }) =>
      Promise.resolve(
        project.session.kind === "signed-in" && project.session.slug === "shop" ? "all" : "none",
      ),
  },
  {
    name: "refresh",
    aim: { method: "GET", path: /^\/keys$/u },
    repeatable: true,
    reads: true,
    pages: true,
    filters: true,
    onlyKind: true,
    shown: ["data", 0, "hash"],
    prepare: nothing,
    meanwhile: ({ colleague, namespace }) => source(colleague, namespace),
    run: told(async ({ window: { refresher, project }, signal }) => {
      if ((await refresher.refresh({ priority: "person", signal })) !== null) return DONE;
      const { freshness } = project;
      const error = freshness.kind === "offline" ? freshness.error : null;
      return { kind: "failed", code: isApiError(error) ? error.kind : freshness.kind };
    }),
    state: (cell) => Promise.resolve(seen(cell)),
  },
  {
    name: "hover fill",
    aim: { method: "GET", path: /^\/translations\/fr$/u },
    repeatable: true,
    reads: true,
    pages: true,
    shown: ["data", 0, "isTranslated"],
    prepare: source,
    run: told(({ window, signal }) => window.refresher.ensureLocale("fr", { priority: "person", signal })),
    state: ({ window }) => Promise.resolve(window.project.isComplete("fr") ? "all" : "none"),
  },
  {
    name: "compare",
    aim: { method: "POST", path: /^\/keys\/diff$/u },
    repeatable: true,
    reads: true,
    shown: ["data", "new"],
    toleratesFields: true,
    files: (namespace) => ({ [`lang/en/${namespace}.php`]: phpFile({ title: "Title" }) }),
    prepare: nothing,
    run: told(async ({ window, signal }) => {
      const plan = await planPush(window, await sourceKeys(window), { signal });
      if (plan.counts.new + plan.counts.changed !== 1) throw new Error("the comparison is wrong");
    }),
    state: ({ window }) => Promise.resolve(window.project.activity.pushCounts === null ? "none" : "all"),
  },
  {
    name: "push",
    aim: SYNC,
    repeatable: true,
    shown: ["data", "created"],
    files: (namespace) => ({
      [`lang/en/${namespace}.php`]: phpFile({
        title: "Title",
        total: "Total",
        items: "Items",
        voucher: "Voucher",
      }),
    }),
    prepare: nothing,
    run: told(async ({ window, signal }) => {
      const plan = await planPush(window, await sourceKeys(window), { signal });
      const changes = plan.items.filter((item) => item.change !== "unchanged");
      if (changes.length === 0) return;
      const { failure } = await sendPush(window, changes, [], { signal });
      if (failure !== null) throw failure.error;
    }),
    state: async (cell) => allOf(await keysThere(cell), 4),
  },
  {
    name: "pull",
    aim: { method: "GET", path: /^\/exports\/app$/u },
    repeatable: true,
    reads: true,
    job: true,
    files: () => ({ "lang/nl/cart.php": phpFile({ title: "Van mij" }) }),
    prepare: nothing,
    run: told(async ({ window, signal }) => {
      const needs = pullNeeds(window);
      const request = { profile: "app", locales: ["nl"], missing: undefined };
      const outcome = await planPull(needs, request, { signal });
      switch (outcome.kind) {
        case "unchanged":
          return DONE;
        case "unsafe":
          return { kind: "failed", code: "unsafe_file" };
        case "job": {
          if (outcome.end === "unwatched") return { kind: "left" };
          const { error } = outcome.job;
          return { kind: "failed", code: "job_failed", ...(error === null ? {} : { reason: error.code }) };
        }
        case "planned": {
          const written = await writePull(needs, outcome.plan);
          return written.kind === "written" ? DONE : { kind: "failed", code: "file_changed" };
        }
      }
    }),
    state: async ({ readFile }) => {
      const text = await readFile("lang/nl/cart.php");
      if (text === phpFile({ title: "Van mij" })) return "none";
      return text.includes("'Van de dienst'") && text.includes("'Totaal'") ? "all" : "part";
    },
  },
  {
    name: "import",
    aim: { method: "POST", path: /^\/imports$/u },
    repeatable: false,
    job: true,
    shown: ["data", "id"],
    prepare: nothing,
    run: told(async ({ window, namespace, signal }) => {
      const texts = Object.fromEntries(KEYS.map((key) => [key, "Nieuw"]));
      const files = [{ path: `lang/nl/${namespace}.php`, bytes: new TextEncoder().encode(phpFile(texts)) }];
      const outcome = await runImport(window, files, { overwrite: true }, { signal });
      switch (outcome.kind) {
        case "ended": {
          const { status, error } = outcome.job;
          if (status === "succeeded") return DONE;
          return { kind: "failed", code: "job_failed", ...(error === null ? {} : { reason: error.code }) };
        }
        case "no_access":
          return { kind: "failed", code: outcome.error.kind };
        case "vanished":
          return { kind: "failed", code: "job_failed" };
        case "refused":
        case "too_large":
          return { kind: "failed", code: "invalid" };
        case "unwatched":
        case "left":
          return { kind: "left" };
      }
    }),
    state: async (cell) => allOf(await textsThere(cell, "Nieuw"), 4),
  },
  {
    name: "edit",
    aim: PUT_NL,
    repeatable: false,
    shown: ["data", "skipped"],
    toleratesFields: true,
    prepare: bulk.prepare,
    run: told(async ({ window, namespace, signal }) => {
      const name = named(namespace, "title");
      const version = window.project.translation("nl", keyHash(name))?.version ?? null;
      const outcome = await setTranslation(
        window,
        "nl",
        { name, text: { value: "Nieuw" }, version },
        { signal },
      );
      if (outcome.kind !== "done" && outcome.kind !== "unchanged")
        return { kind: "failed", code: outcome.kind };
      return DONE;
    }),
    state: async (cell) => allOf(await textsThere(cell, "Nieuw"), 1),
  },
  {
    name: "bulk write",
    aim: { ...PUT_NL, nth: 2 },
    repeatable: false,
    before: "part",
    shown: ["data", "skipped"],
    toleratesFields: true,
    ...bulk,
    state: async (cell) => allOf(await textsThere(cell, "Nieuw"), 4),
  },
  {
    name: "editor save",
    aim: PUT_NL,
    repeatable: false,
    shown: ["data", "skipped"],
    toleratesFields: true,
    prepare: async (colleague, namespace) => {
      await source(colleague, namespace);
      await translated(colleague, namespace, KEYS);
    },
    run: bulk.run,
    state: async (cell) => allOf(await textsThere(cell, "Nieuw"), 4),
  },
  {
    name: "update key",
    aim: { method: "PATCH", path: /^\/keys\/[0-9a-f]{40}$/u },
    repeatable: false,
    shown: ["data", "tags"],
    prepare: source,
    run: told(async ({ window, namespace, signal }) => {
      const update = { description: "Above the list", tags: ["web"] };
      const key = await updateKey(window, named(namespace, "title"), update, { signal });
      return key === null ? { kind: "failed", code: "not_found" } : DONE;
    }),
    state: async ({ colleague, namespace }) => {
      const { data } = await colleague.keys({ namespace });
      return data.some((key) => key.description === "Above the list" && key.tags[0] === "web")
        ? "all"
        : "none";
    },
  },
  {
    name: "archive",
    aim: SYNC,
    repeatable: true,
    shown: ["data", "archived"],
    prepare: source,
    run: told(async ({ window, namespace, signal }) => {
      await window.refresher.refresh({ priority: "person", signal });
      const keys = [...window.project.keys.values()].filter((key) => key.namespace === namespace);
      if (keys.length > 0) await sendPush(window, [], keys, { signal });
    }),
    state: async (cell) =>
      ({ all: "none", none: "all", part: "part" } as const)[allOf(await keysThere(cell), 4)],
  },
];

/** For pulls: what the service has, once. */
export async function fillCart(colleague: Client): Promise<void> {
  await source(colleague, "cart");
  await translated(colleague, "cart", ["title"], "Van de dienst");
  await translated(colleague, "cart", ["total"], "Totaal");
  // A language without any translation is not read at all.
  await translated(colleague, "cart", ["title"], "Panier", "fr");
}
