/** What a push says that it did not do. */
import { expect, test } from "vitest";
import { emptySyncResult } from "../../../src/api/batches.ts";
import { ApiError, SOURCE_LANGUAGE_CHANGE } from "../../../src/api/errors.ts";
import { PartialResultError } from "../../../src/commands/command-types.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { decideReadPush, pushUntilSent, requireAllSent } from "../../../src/operations/push-requirements.ts";
import type { PushRequest } from "../../../src/sync/push/push-decisions.ts";
import type { PushItem, PushPlan } from "../../../src/sync/push/push-plan.ts";

const SPELLING = { namespaceSeparator: ".", unwrittenNamespaces: new Set<string>() };
const COUNTS = { new: 1, changed: 1, restored: 0, unchanged: 0, archive: 0 };
const SENT = { plan: COUNTS, result: emptySyncResult() };

const item = (key: string, changes: Partial<PushItem>): PushItem => {
  const name = { namespace: "cart", key, context: null };
  const text = { value: key };
  return {
    hash: keyHash(name),
    name,
    text,
    description: null,
    path: "lang/en/cart.php",
    change: "changed",
    service: null,
    pluralSwitch: false,
    side: "file",
    ...changes,
  };
};

const plan = (items: readonly PushItem[], changes: Partial<PushPlan> = {}): PushPlan => {
  return { items, archive: [], counts: COUNTS, empty: [], malformed: [], unparsedRanges: [], ...changes };
};

const decide = (planned: PushPlan, changes: Partial<PushRequest> = {}) => {
  const request = {
    isAsked: false,
    isQuiet: true,
    isDryRun: false,
    archiveMissing: false,
    renames: new Map(),
    ...changes,
  };
  return decideReadPush(SPELLING, { incomplete: [] }, planned, request);
};

const UNREAD = { path: "lang/en/shop.php", namespace: "shop", line: 3, column: 5 } as never;

test.each([
  ["requests that were answered", new ApiError("busy", "busy"), /^Pushed\. Not done: 3\.$/u],
  [
    "a request without an answer",
    new ApiError("timeout", "late"),
    /^Pushed\. Not done, or not confirmed: 3\.$/u,
  ],
] as const)("after %s, counts what was not sent, and then nothing where all was", (_, error, message) => {
  const failure = { error, sent: 7, total: 10 };
  const send = () => requireAllSent({ result: emptySyncResult(), failure }, "Pushed.", 10, SENT);
  expect(send).toThrow(PartialResultError);
  expect(send).toThrow(message);
  expect(() =>
    requireAllSent({ result: emptySyncResult(), failure: null }, "Pushed.", 10, SENT),
  ).not.toThrow();
});

test("a change of the source language is thrown as it is, so that the push is planned again", () => {
  const error = new ApiError("busy", "changing", { reason: SOURCE_LANGUAGE_CHANGE });
  const failure = { error, sent: 7, total: 10 };
  expect(() => requireAllSent({ result: emptySyncResult(), failure }, "Pushed.", 10, SENT)).toThrow(error);
});

test("names what could not be read beside what is left, also when the rest is sent", () => {
  const planned = plan(
    [item("mine", {}), item("theirs", { side: "service" }), item("both", { side: "both" })],
    {
      unparsedRanges: [UNREAD],
      malformed: [item("half \ud83d", {})],
    },
  );
  const { decision, unread, fields } = decide(planned);
  expect(decision).toMatchObject({ kind: "send", choice: { items: [{ name: { key: "mine" } }] } });
  expect(unread.map(({ file }) => file)).toEqual(["lang/en/shop.php", "lang/en/cart.php"]);
  expect(fields.items?.map(({ file, key }) => [file, key])).toEqual([
    ["lang/en/shop.php", "*"],
    ["lang/en/cart.php", "half \ud83d"],
    ["lang/en/cart.php", "theirs"],
    ["lang/en/cart.php", "both"],
  ]);
});

test("fails with what could not be read where nothing else is to be pushed, and where it would archive", () => {
  const broken = { unparsedRanges: [UNREAD] };
  const failureOf = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };
  const failure = {
    code: "invalid",
    details: { reason: "unread_source", items: [{ file: "lang/en/shop.php", key: "*" }] },
  };
  const unchanged = item("same", { change: "unchanged", side: "none" });
  expect(failureOf(() => decide(plan([unchanged], broken)))).toMatchObject(failure);
  const archiving = () => decide(plan([item("mine", {})], broken), { archiveMissing: true });
  expect(failureOf(archiving)).toMatchObject(failure);
  // What is left at the service is named, too.
  const theirs = item("theirs", { side: "service" });
  for (const work of [
    () => decide(plan([theirs], broken)),
    () => decide(plan([item("mine", {}), theirs], broken), { archiveMissing: true }),
  ])
    expect(failureOf(work)).toMatchObject({ details: { items: [{ key: "*" }, { key: "theirs" }] } });
});

const ZERO = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0 };

test("a push that fails after a part was stored says what the service has, once; else it fails as it did", async () => {
  const project = { session: { kind: "signed-out" }, label: "Shop" } as const;
  const clock = { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() };
  const busy = new ApiError("timeout", "late");
  const fails = (error: Error, count: number, what: keyof typeof ZERO = "created"): Promise<unknown> =>
    pushUntilSent(
      project,
      (stored) => {
        stored[what] += count;
        return Promise.reject(error);
      },
      { clock },
    ).catch((thrown: unknown) => thrown);
  expect(await fails(busy, 0)).toBe(busy);
  expect(await fails(busy, 2)).toMatchObject({
    message: expect.stringMatching(
      /Shop.*The other keys were not sent, or the service has not confirmed them\.$/u,
    ),
    fields: { result: { created: 2, updated: 0 } },
    cause: busy,
  });
  for (const what of ["updated", "restored", "unchanged", "archived"] as const)
    expect(await fails(busy, 1, what)).toMatchObject({ fields: { result: { ...ZERO, [what]: 1 } } });
  const partial = new PartialResultError("Pushed.", {}, busy);
  expect(await fails(partial, 2)).toBe(partial);
  // Planned again after a change of the source language: what both rounds stored.
  let rounds = 0;
  const change = new ApiError("busy", "busy", { reason: SOURCE_LANGUAGE_CHANGE });
  const both = pushUntilSent(
    project,
    (stored) => {
      stored.updated += 1;
      rounds += 1;
      return rounds === 1 ? Promise.reject(change) : Promise.resolve(stored.updated);
    },
    { clock },
  );
  expect(await both).toBe(2);
});
