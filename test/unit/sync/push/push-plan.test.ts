/** The plan of a push, compared with the texts of the service and the files key by key. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keyHash, sourceHash, type KeyName } from "../../../../src/model/key-hash.ts";
import { isEmptyText, isForms, type Text } from "../../../../src/model/translation-text.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { planPush, type LocalKey } from "../../../../src/sync/push/push-plan.ts";
import type { UnparsedRange } from "../../../../src/workspace/local-files/local-file.ts";
import { runCount } from "../../support/full-run.ts";
import {
  FEW_ITEMS,
  openFixtureProject,
  sourceKeys,
  type FixtureProject,
} from "../../support/fixture-project.ts";
import type { Interceptor, TestWindow } from "../../support/test-window.ts";

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

const NAMES: readonly KeyName[] = ["a.x", "a.y", "b", "c", "d"].flatMap((key) =>
  ["*", "shop"].map((namespace) => ({ key, namespace, context: null })),
);
const text: fc.Arbitrary<Text> = fc.oneof(
  fc.constantFrom("", "one", "two").map((value) => ({ value })),
  fc.constantFrom({ one: "1", other: "2" }, { one: "", other: "" }).map((forms) => ({ forms })),
);
const localKey: fc.Arbitrary<LocalKey> = fc
  .record({ name: fc.constantFrom(...NAMES), text, description: fc.constantFrom(null, "d") })
  .map((key) => ({ ...key, hash: keyHash(key.name), path: "lang/en/a.php" }));
const local = fc.uniqueArray(localKey, { selector: ({ hash }) => hash, maxLength: NAMES.length });
const range: fc.Arbitrary<UnparsedRange> = fc.record({
  path: fc.constantFrom("x.php", "y.php"),
  line: fc.constant(1),
  column: fc.constant(1),
  namespace: fc.constantFrom(null, "*", "shop"),
  key: fc.constantFrom(null, "a", "b", "b"),
});
const step = fc.record({
  local,
  only: fc.option(fc.subarray([...NAMES]), { nil: undefined, freq: 3 }),
  archiveMissing: fc.boolean(),
  unparsedRanges: fc.array(range, { maxLength: 2 }),
  /** Which of the planned items are left out. */
  left: fc.nat(3),
});

async function allKeys({ client }: TestWindow) {
  const [active, archived] = await Promise.all([client.keys(), client.keys({ archived: true })]);
  return [...active.data, ...archived.data];
}

test("classifies every key and sends the plan", async () => {
  const window = await shop.open();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      for (const { local: keys, only: named, archiveMissing, unparsedRanges, left } of steps) {
        await window.refresher.refresh();
        const only = named && new Set(named.map(keyHash));
        const data = await allKeys(window);
        const service = new Map(data.map((key) => [key.hash, key]));
        const meant = keys.filter(({ hash }) => only === undefined || only.has(hash));
        const full = meant.filter((key) => !isEmptyText(key.text));
        const changes = full.map((key) => {
          const is = service.get(key.hash);
          if (is === undefined) return "new";
          if (is.archived) return "restored";
          if (is.sourceHash !== sourceHash(key.text)) return "changed";
          return is.isPlural === isForms(key.text) ? "unchanged" : "changed";
        });
        const anywhere = unparsedRanges.filter(({ key }) => key === null);
        const hides = (name: KeyName, { namespace, key }: UnparsedRange): boolean =>
          (namespace === null || namespace === name.namespace) &&
          (key === null || name.key === key || name.key.startsWith(`${key}.`));
        const missing = data.filter(
          (key) =>
            !key.archived &&
            keys.every(({ hash }) => hash !== key.hash) &&
            (only === undefined || only.has(key.hash)) &&
            !unparsedRanges.some((each) => hides(key, each)),
        );
        const archive = archiveMissing && anywhere.length === 0 ? missing : [];
        const plan = await planPush(window, keys, {
          archiveMissing,
          unparsedRanges,
          ...(only === undefined ? {} : { only }),
        });
        expect(plan.items.map(({ hash, change }) => [hash, change])).toEqual(
          full.map(({ hash }, index) => [hash, changes[index]]),
        );
        const count = (change: string): number => changes.filter((each) => each === change).length;
        expect(plan.counts).toEqual({
          new: count("new"),
          changed: count("changed"),
          restored: count("restored"),
          unchanged: count("unchanged"),
          archive: archive.length,
        });
        expect(plan.archive.map(({ hash }) => hash).toSorted()).toEqual(
          archive.map(({ hash }) => hash).toSorted(),
        );
        expect(plan.empty).toEqual(meant.filter((key) => isEmptyText(key.text)));
        expect(plan.unparsedRanges.map(({ path }) => path)).toEqual([
          ...new Set(anywhere.map(({ path }) => path)),
        ]);
        for (const { hash, change, pluralSwitch, service: before, text: sent } of plan.items) {
          const is = service.get(hash);
          if (is === undefined || is.archived) continue;
          const isSwitch = is.isPlural !== isForms(sent) && is.sourceHash !== null;
          expect([hash, pluralSwitch]).toEqual([hash, isSwitch]);
          expect(before?.hash).toBe(change === "unchanged" ? undefined : hash);
        }

        const chosen = plan.items.filter(({ change }, index) => change !== "unchanged" && index % 4 !== left);
        const { result } = await sendPush(window, chosen, plan.archive);
        const after = new Map((await allKeys(window)).map((key) => [key.hash, key]));
        const refused = new Set(result.rejected.map(({ hash }) => hash));
        for (const { hash, text: sent } of chosen) {
          if (refused.has(hash)) expect(after.get(hash)?.sourceHash).toBe(service.get(hash)?.sourceHash);
          else expect(after.get(hash)).toMatchObject({ archived: false, sourceHash: sourceHash(sent) });
        }
        for (const { hash } of plan.archive) expect(after.get(hash)?.archived).toBe(true);
        // Nothing else was touched.
        const touched = new Set([...chosen, ...plan.archive].map(({ hash }) => hash));
        for (const [hash, key] of after) if (!touched.has(hash)) expect(key).toEqual(service.get(hash));
      }
    }),
    { numRuns: runCount(60) },
  );
});

test("sends no request without keys", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  window.takeRequests();
  const blank: LocalKey = {
    name: { namespace: "*", key: "a", context: null },
    hash: keyHash({ namespace: "*", key: "a", context: null }),
    text: { value: "" },
    description: null,
    path: "a",
  };
  for (const keys of [[], [blank]]) {
    const plan = await planPush(window, keys);
    expect([plan.items, plan.empty]).toEqual([[], keys]);
  }
  expect(window.takeRequests()).toEqual([]);
});

test("leaves out keys of which any part has half a character, and sends the others", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const half = "half \ud83d";
  const keyOf = (name: Partial<KeyName>, description: string | null = null): LocalKey => {
    const whole = { namespace: "shop", key: "a", context: null, ...name };
    return { name: whole, text: { value: "A" }, description, hash: keyHash(whole), path: "lang/en/shop.php" };
  };
  const malformed = [
    keyOf({ namespace: half }),
    keyOf({ key: half }),
    keyOf({ context: half }),
    keyOf({ key: "described" }, half),
    { ...keyOf({ key: "plural" }), text: { forms: { one: "A", other: half } } },
  ];
  const plan = await planPush(window, [...malformed, keyOf({})]);
  expect(plan.malformed).toEqual(malformed);
  expect((await sendPush(window, plan.items, [])).result.created).toBe(1);
});

test("looks up the unsaved files once, and stores no text of them as agreed", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const keys = NAMES.map((name, index): LocalKey => {
    const path = index % 2 === 0 ? "lang/en/a.php" : "lang/en/b.php";
    return { name, text: { value: "one" }, description: null, hash: keyHash(name), path };
  });
  const plan = await planPush(window, keys);
  await sendPush(window, plan.items, []);
  const locale = window.project.sourceLocale ?? "";
  const hashes = keys.map(({ hash }) => hash);
  await window.project.agreedTexts.forget([locale], hashes);
  let lookUps = 0;
  const unsavedPaths = (): ReadonlySet<string> => {
    lookUps++;
    return new Set(["lang/en/b.php"]);
  };
  await planPush({ ...window, unsavedPaths }, keys);
  expect(lookUps).toBe(1);
  const saved = keys.filter(({ path }) => path === "lang/en/a.php").map(({ hash }) => hash);
  const agreed = () => new Set(window.project.agreedTexts.of(locale, hashes).keys());
  expect(agreed()).toEqual(new Set(saved));
  // Nor once they are sent.
  await window.project.agreedTexts.forget([locale], hashes);
  await sendPush({ ...window, unsavedPaths }, plan.items, []);
  expect(agreed()).toEqual(new Set(saved));
});

test("a plan agrees on texts that the service has, and not on those of new keys and of archived ones", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const keys = (await sourceKeys(window)).slice(0, 3);
  const [first, second, third] = keys.map(({ hash }) => hash) as [string, string, string];
  await sendPush(window, (await planPush(window, keys.slice(0, 2))).items, []);
  await window.client.sync({ keys: [], archive: [second] });
  await window.project.agreedTexts.forget(["en"], [first, second]);
  const plan = await planPush(window, keys);
  expect(plan.items.map(({ change }) => change)).toEqual(["unchanged", "restored", "new"]);
  expect([...window.project.agreedTexts.of("en", [first, second, third]).keys()]).toEqual([first]);
});

test("a plan of some keys leaves the numbers of all keys as they were", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const keys = await sourceKeys(window);
  const { counts } = await planPush(window, keys);
  expect(counts.new).toBeGreaterThan(1);
  const shown = window.project.activity.pushCounts;
  expect(shown?.new).toBe(counts.new);
  const only = new Set([keys[0]?.hash ?? ""]);
  expect((await planPush(window, keys, { only })).counts.new).toBe(1);
  expect(window.project.activity.pushCounts).toEqual(shown);
});

test("a plan tells from then on which keys are archived, and which the service does not have at all", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const keys = await sourceKeys(window);
  const [first, second] = keys.map(({ hash }) => hash) as [string, string];
  await sendPush(window, (await planPush(window, keys.slice(0, 1))).items, []);
  await window.client.sync({ keys: [], archive: [first] });
  await window.database.writeInSlices(window.project.keys.setArchived([second], []));
  const areArchived = () => [first, second].map((hash) => window.project.keys.isArchived(hash));
  expect(areArchived()).toEqual([false, true]);
  await planPush(window, keys);
  expect(areArchived()).toEqual([true, false]);
});

test("a plan whose answer comes after a sign-out tells nothing of archived keys", async () => {
  let isEnding = false;
  const intercept: Interceptor = async (asked, pass) => {
    const answer = await pass();
    if (isEnding && asked === "POST /keys/diff") window.signOut();
    return answer;
  };
  const window: TestWindow = await shop.open("one", { intercept });
  await window.refresher.refresh();
  const keys = (await sourceKeys(window)).slice(0, 1);
  const hash = keys[0]?.hash ?? "";
  await sendPush(window, (await planPush(window, keys)).items, []);
  await window.client.sync({ keys: [], archive: [hash] });
  isEnding = true;
  expect((await planPush(window, keys)).items).toMatchObject([{ change: "restored" }]);
  expect(window.project.keys.isArchived(hash)).toBe(false);
});

test("without a readable comparison, keys that cannot be read now may all have changed, until they are sent", async () => {
  const intercept: Interceptor = (asked, pass) =>
    asked === "POST /keys/diff" ? Promise.resolve(Response.json({ data: { different: true } })) : pass();
  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  const keys = await sourceKeys(window);
  await sendPush(window, (await planPush(window, keys)).items, []);
  await window.refresher.refresh({ priority: "person" });
  const { stats } = window.project;
  window.project.setStats(stats, { kind: "offline", at: 0, error: "offline" });
  const { items, counts } = await planPush(window, keys);
  expect(new Set(items.map(({ change }) => change))).toEqual(new Set(["unknown"]));
  const none = { new: 0, changed: 0, restored: 0 };
  expect([counts, window.project.activity.pushCounts]).toEqual([
    { ...none, changed: keys.length, unchanged: 0, archive: 0 },
    { ...none, changed: keys.length },
  ]);
  await sendPush(window, items, []);
  expect(window.project.activity.pushCounts).toEqual(none);
  window.project.setStats(stats, { kind: "fresh", at: 0 });
  expect((await planPush(window, keys)).counts).toMatchObject({ changed: 0, unchanged: keys.length });
});

test("each missing key is listed once, although the list is read again", async () => {
  let hasExpired = false;
  const intercept: Interceptor = async (request, pass) => {
    if (hasExpired || !request.includes("cursor=")) return pass();
    hasExpired = true;
    return Response.json({ message: "No", errors: { cursor: ["It has expired."] } }, { status: 422 });
  };
  const window = await shop.open("one", { intercept, maxItems: { ...FEW_ITEMS, page: 2 } });
  const { items } = await planPush(window, await sourceKeys(window));
  await sendPush(window, items, []);
  const { archive } = await planPush(window, [], { archiveMissing: true });
  expect(hasExpired).toBe(true);
  expect(archive.map(({ hash }) => hash).toSorted()).toEqual(items.map(({ hash }) => hash).toSorted());
});

test("a plural text is a change although its hash is that of the singular one", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const name = { namespace: "shop", key: "count", context: null };
  const keyOf = (text: Text): LocalKey => ({
    name,
    text,
    description: null,
    hash: keyHash(name),
    path: "lang/en/shop.php",
  });
  const [singular, plural] = [{ value: '{"one":"a","other":"b"}' }, { forms: { one: "a", other: "b" } }];
  expect(sourceHash(plural)).toBe(sourceHash(singular));
  await sendPush(window, (await planPush(window, [keyOf(singular)])).items, []);
  await window.refresher.refresh({ priority: "person" });
  const { items } = await planPush(window, [keyOf(plural)]);
  expect(items).toMatchObject([{ change: "changed", pluralSwitch: true, side: "file" }]);
  // A key whose text is not known may be plural, too.
  const { keys, syncMetadata } = window.project;
  const known = keys.get(keyHash(name));
  if (known === undefined) throw new Error("no key");
  keys.put([{ ...known, text: null }], syncMetadata.nextRevision());
  expect((await planPush(window, [keyOf(plural)])).items).toMatchObject([{ pluralSwitch: false }]);
});
