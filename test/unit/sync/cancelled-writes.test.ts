/** Writes that are cancelled while their response is on its way: nothing that was written is called cancelled. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { keyHash } from "../../../src/model/key-hash.ts";
import { saveAtService } from "../../../src/sync/drafts/save-drafts.ts";
import { setTranslation, setTranslations, updateKey } from "../../../src/sync/edit/send-translations.ts";
import { runImport } from "../../../src/sync/import/send-import.ts";
import { sendPush } from "../../../src/sync/push/send-push.ts";
import { planPush } from "../../../src/sync/push/push-plan.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../support/fixture-project.ts";
import type { Interceptor, TestWindow } from "../support/test-window.ts";

const TITLE = { namespace: "cart", key: "title", context: null };
const FILES = [
  { path: "lang/nl/cart.php", bytes: new TextEncoder().encode("<?php return ['title' => 'M'];") },
];

let shop: FixtureProject;
let window: TestWindow;
let cancel: AbortController;
/** What happens to the responses of writes, whose requests are cancelled once the service has executed them. */
let response: "arrives" | "is lost";

const interceptWrites: Interceptor = async (request, forward, signal) => {
  if (!/^(?:PUT|PATCH|POST \/imports|POST \/keys\/sync)/u.test(request)) return forward();
  const answer = await forward();
  cancel.abort();
  if (response === "arrives") return answer;
  return new Promise((_, reject) =>
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
  );
};

beforeEach(async () => {
  shop = await openFixtureProject();
  const other = await shop.open("other");
  await other.refresher.refresh();
  await sendPush(other, (await planPush(other, await sourceKeys(other))).items, []);
  window = await shop.open("one", { intercept: interceptWrites });
  await window.refresher.refresh();
  await window.refresher.ensureLocale("nl");
  cancel = new AbortController();
  response = "arrives";
});
afterEach(() => shop.close());

const edit = { name: TITLE, text: { value: "Mand" }, version: null };
const WRITES: readonly [string, () => Promise<unknown>, object][] = [
  ["translation", () => setTranslation(window, "nl", edit, { signal: cancel.signal }), { kind: "done" }],
  [
    "list of translations",
    () => setTranslations(window, "nl", [edit], "overwrite", { signal: cancel.signal }),
    { written: 1, failure: null },
  ],
  [
    "key",
    () => updateKey(window, TITLE, { description: "Cart" }, { signal: cancel.signal }),
    { description: "Cart" },
  ],
  [
    "push",
    async () => {
      const name = { namespace: "cart", key: "added", context: null };
      const added = { hash: keyHash(name), name, text: { value: "New" }, change: "new" as const };
      const item = {
        ...added,
        description: null,
        service: null,
        pluralSwitch: false,
        side: "none" as const,
        path: "lang/en/cart.php",
      };
      return sendPush(window, [item], [], { signal: cancel.signal, sourceLocale: "en" });
    },
    { result: { created: 1 }, failure: null },
  ],
  [
    "import",
    () => runImport(window, FILES, {}, { signal: cancel.signal }),
    { kind: "left", job: { type: "import" } },
  ],
];

test.each(WRITES)("reports a %s that was written", async (_, write, result) => {
  expect(await write()).toMatchObject(result);
});

test.each(WRITES.slice(0, -1))("says that a %s may have been written", async (_, write) => {
  response = "is lost";
  await expect(write()).rejects.toMatchObject({ kind: "cancelled" });
});

test("reads a text back after a cancellation if the response does not say what was written", async () => {
  const intercept: Interceptor = async (request, forward) => {
    const answer = await forward();
    if (!request.startsWith("PUT")) return answer;
    cancel.abort();
    return Response.json({ data: {} });
  };
  const unclear = await shop.open("unclear", { intercept });
  await unclear.refresher.refresh();
  expect(await setTranslation(unclear, "nl", edit, { signal: cancel.signal })).toMatchObject({
    kind: "done",
    row: { value: "Mand", version: expect.any(Number) },
  });
});

test("reports the requests before the one that was cancelled", async () => {
  const edits = Array.from({ length: 1_001 }, (_, index) => ({
    name: { ...TITLE, key: `key${index}` },
    text: { value: "x" },
    version: 1,
  }));
  const { written, failure } = await setTranslations(window, "nl", edits, "overwrite", {
    signal: cancel.signal,
  });
  expect({ written, failure }).toMatchObject({ failure: { error: cancel.signal.reason, sent: 1_000 } });
});

test("follows the job of an import whose response arrives after the command has ended", async () => {
  const answered = Promise.withResolvers<void>();
  const intercept: Interceptor = async (request, forward) => {
    const answer = await forward();
    if (!request.startsWith("POST /imports")) return answer;
    cancel.abort();
    await answered.promise;
    return answer;
  };
  const slow = await shop.open("slow", { intercept });
  await slow.refresher.refresh();
  const outcome = await runImport(slow, FILES, {}, { signal: cancel.signal });
  expect(outcome).toEqual({ kind: "left", job: null });
  answered.resolve();
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (slow.project.jobs[0]?.job.status === "succeeded") resolve();
    };
    slow.project.onDidChange(look);
    look();
  });
  // Nobody was there any more, so its end is said.
  expect(slow.unattended).toMatchObject([{ kind: "ended", purpose: { kind: "import", quiet: false } }]);
});

test("sends nothing after a cancellation", async () => {
  cancel.abort();
  window.takeRequests();
  for (const [, write] of WRITES)
    await write().then(
      (result) => expect(result).toMatchObject({ failure: { error: cancel.signal.reason } }),
      (error: unknown) => expect(error).toBe(cancel.signal.reason),
    );
  expect(window.takeRequests().filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test.each(["arrives", "is lost"] as const)("reads saved drafts back whose response %s", async (how) => {
  response = how;
  const draft = {
    locale: "nl",
    hash: keyHash(TITLE),
    text: { value: "Mand" },
    base: null,
    baseVersion: null,
    source: null,
    model: null,
    origin: "person" as const,
  };
  const result = await saveAtService(window, "nl", [draft], () => TITLE, { signal: cancel.signal });
  expect(result.saved).toEqual([draft]);
  expect(window.project.translations.get("nl", draft.hash)?.text).toEqual({ value: "Mand" });
});
