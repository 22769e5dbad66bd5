/** What a push does with its plan: renames, keys to archive, and what is left. */
import { expect, test } from "vitest";
import type { PendingRename, ProjectKey } from "../../../../src/database/records.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import {
  decidePush,
  pushPlanFor,
  type PushRequest,
  renamesByNewName,
} from "../../../../src/sync/push/push-decisions.ts";
import type { PushItem, PushPlan } from "../../../../src/sync/push/push-plan.ts";

const nameOf = (key: string) => ({ namespace: "cart", key, context: null });
const item = (key: string, changes: Partial<PushItem> = {}): PushItem => ({
  hash: keyHash(nameOf(key)),
  name: nameOf(key),
  text: { value: key },
  description: null,
  path: "en.json",
  change: "unchanged",
  service: null,
  pluralSwitch: false,
  side: "none",
  ...changes,
});
const active = (key: string) => ({ ...nameOf(key), hash: keyHash(nameOf(key)) }) as ProjectKey;
const rename = (from: string, to: string): PendingRename => ({ from: nameOf(from), to: nameOf(to) });
const plan = (items: readonly PushItem[], changes: Partial<PushPlan> = {}): PushPlan => ({
  items,
  archive: [],
  counts: { new: 0, changed: 0, restored: 0, unchanged: 0, archive: 0 },
  empty: [],
  malformed: [],
  unparsedRanges: [],
  ...changes,
});
const decide = (planned: PushPlan, changes: Partial<PushRequest> = {}) =>
  decidePush(planned, {
    isAsked: false,
    isQuiet: false,
    isDryRun: false,
    archiveMissing: false,
    renames: new Map(),
    ...changes,
  });
const UNPARSED = [{ path: "en.json" }] as unknown as PushPlan["unparsedRanges"];

test("only the rename of a key that is pushed is something to choose, where somebody is asked", () => {
  const planned = plan([item("new")]);
  const renames = renamesByNewName([rename("old", "new")]);
  expect(decide(planned, { renames })).toMatchObject({ kind: "preview", choice: { items: [] } });
  expect(decide(planned, { renames, isQuiet: true })).toEqual({ kind: "nothing", outcome: "unchanged" });
  const others = renamesByNewName([rename("a", "b")]);
  expect(decide(planned, { renames: others })).toEqual({ kind: "nothing", outcome: "unchanged" });
});

test("a conflict alone is shown to a person, and the outcome where nobody is asked", () => {
  const planned = plan([item("both", { change: "changed", side: "both" })]);
  expect(decide(planned)).toMatchObject({ kind: "preview", choice: { items: [] } });
  for (const silent of [{ isQuiet: true }, { isDryRun: true }])
    expect(decide(planned, silent)).toEqual({ kind: "nothing", outcome: "conflict" });
  const theirs = plan([item("theirs", { change: "changed", side: "service" })]);
  expect(decide(theirs)).toEqual({ kind: "nothing", outcome: "unchanged" });
  // Named keys are sent, whoever changed them.
  expect(decide(theirs, { isAsked: true, isQuiet: true })).toMatchObject({
    kind: "send",
    choice: { items: theirs.items },
  });
});

test("what could not be read fails a push that archives or has nothing else, if nobody sees it", () => {
  const unread = plan([item("new", { change: "new" })], { unparsedRanges: UNPARSED });
  for (const silent of [{ isQuiet: true }, { isDryRun: true }])
    expect(decide(unread, { archiveMissing: true, ...silent })).toEqual({ kind: "incomplete" });
  expect(decide(unread, { archiveMissing: true })).toMatchObject({ kind: "preview" });
  expect(decide(unread, { isQuiet: true })).toMatchObject({ kind: "send" });
  expect(decide(plan([], { unparsedRanges: UNPARSED }))).toEqual({ kind: "unread" });
  expect(decide(plan([], { malformed: [item("half")] }))).toEqual({ kind: "unread" });
  expect(decide(plan([]))).toEqual({ kind: "nothing", outcome: "unchanged" });
});

test("the old key of a pending rename is not archived, and what was asked for counts as changed", () => {
  const planned = plan([item("theirs", { change: "changed", side: "service" }), item("same")], {
    archive: ["old", "gone"].map(active),
  });
  const pending = [rename("old", "new")];
  const { archive, counts } = pushPlanFor(planned, { pending, isAsked: false });
  expect(archive.map(({ key }) => key)).toEqual(["gone"]);
  expect(counts).toMatchObject({ archive: 1, changed: 0 });
  expect(pushPlanFor(planned, { pending: [], isAsked: true }).counts).toMatchObject({
    archive: 2,
    changed: 1,
  });
});

test("keys to archive are something to push, keys archived at the service are not, and a dry run ends with the plan", () => {
  const archiving = plan([item("same")], { archive: [active("gone")] });
  const choice = { items: [], archive: archiving.archive, renames: [] };
  expect(decide(archiving)).toEqual({ kind: "preview", choice });
  expect(decide(archiving, { isQuiet: true })).toEqual({ kind: "send", choice });
  expect(decide(archiving, { isDryRun: true })).toEqual({ kind: "planned" });
  const restored = plan([item("back", { change: "restored" })]);
  expect(decide(restored, { isQuiet: true })).toEqual({ kind: "nothing", outcome: "unchanged" });
  // Named keys are restored, too.
  expect(decide(restored, { isAsked: true, isQuiet: true })).toMatchObject({
    kind: "send",
    choice: { items: restored.items },
  });
});
