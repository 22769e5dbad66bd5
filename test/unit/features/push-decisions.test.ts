/** What a push sends, leaves, asks and fails with: plan, preview and request, against the local service. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PendingRename, ProjectKey } from "../../../src/database/records.ts";
import {
  decidePush,
  leftKeys,
  pushPlanFor,
  renamesByNewName,
  type PushRequest,
} from "../../../src/sync/push/push-decisions.ts";
import {
  choiceOf,
  plannedKeyId,
  pushSections,
  pushTitle,
  type PlannedKey,
} from "../../../src/messages/sync/push-rows.ts";
import { pushDifference } from "../../../src/features/push/push-difference.ts";
import type { VirtualText } from "../../../src/vscode/ui/documents/virtual-documents.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { planPush, type PushItem, type PushPlan } from "../../../src/sync/push/push-plan.ts";
import { sendPush } from "../../../src/sync/push/send-push.ts";
import { PreviewSelection } from "../../../src/vscode/ui/preview/preview-selection.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../support/fixture-project.ts";
import type { TestWindow } from "../support/test-window.ts";

const nameOf = (key: string, namespace = "cart") => ({ namespace, key, context: null });

const item = (
  key: string,
  change: PushItem["change"],
  { side = "none", pluralSwitch = false }: Partial<Pick<PushItem, "side" | "pluralSwitch">> = {},
): PushItem => ({
  hash: keyHash(nameOf(key)),
  name: nameOf(key),
  text: { value: `${key} here` },
  description: null,
  path: "lang/en/cart.php",
  change,
  side,
  pluralSwitch,
  service: change === "changed" ? stored(key) : null,
});

const stored = (key: string): ProjectKey => ({
  ...nameOf(key),
  hash: keyHash(nameOf(key)),
  isPlural: false,
  text: { value: `${key} there` },
  sourceHash: null,
  description: null,
  maxLength: null,
  tags: [],
  updatedAt: null,
});

const planOf = (
  items: readonly PushItem[],
  { archive = [], ...more }: Partial<Pick<PushPlan, "archive" | "unparsedRanges" | "malformed">> = {},
): PushPlan => ({
  items,
  archive,
  counts: { new: 0, changed: 0, restored: 0, unchanged: 0, archive: archive.length },
  empty: [],
  malformed: [],
  unparsedRanges: [],
  ...more,
});

const UNREAD = [
  { path: "lang/en/cart.php", namespace: null, key: null, line: 3, column: 1 },
] as unknown as PushPlan["unparsedRanges"];

const request = (changes: Partial<PushRequest> = {}): PushRequest => ({
  isAsked: false,
  isQuiet: true,
  isDryRun: false,
  archiveMissing: false,
  renames: new Map(),
  ...changes,
});

const renamed = (from: string, to: string): ReadonlyMap<string, PendingRename> =>
  new Map([[keyHash(nameOf(to)), { from: nameOf(from), to: nameOf(to) }]]);

const keysOf = (keys: readonly PlannedKey[]): readonly string[] =>
  keys.map((key) => ("change" in key ? key.name.key : key.key));

/** The code writes every namespace before a dot. */
const SPELLING = { namespaceSeparator: ".", unwrittenNamespaces: new Set<string>() };

const previewOf = (plan: PushPlan, rule: Partial<Parameters<typeof pushSections>[1]> = {}) => {
  const sections = pushSections(plan, {
    project: SPELLING,
    renames: new Map(),
    isArchiveChecked: false,
    isAsked: false,
    ...rule,
  });
  return { sections, selection: new PreviewSelection(plannedKeyId, sections) };
};

const everything = planOf(
  [
    item("new", "new"),
    item("changed", "changed", { side: "file" }),
    item("unsure", "unknown"),
    item("conflict", "changed", { side: "both" }),
    item("theirs", "changed", { side: "service" }),
    item("restored", "restored"),
    item("same", "unchanged"),
    item("plural", "changed", { side: "unknown", pluralSwitch: true }),
  ],
  { archive: [stored("gone")] },
);

describe("without a prompt", () => {
  test("sends what the preview checks, and what is refused, so that the result names it", () => {
    const decision = decidePush(everything, request());
    if (decision.kind !== "send") throw new Error(decision.kind);
    const sent = keysOf([...decision.choice.items, ...decision.choice.archive]);
    expect(sent).toEqual(["new", "changed", "unsure", "plural", "gone"]);
    const { checked } = previewOf(everything, { isArchiveChecked: true }).selection;
    expect([...keysOf(checked), "plural"].toSorted()).toEqual(sent.toSorted());
  });

  test("sends archived keys and texts changed at the service only if they were named", () => {
    const decision = decidePush(everything, request({ isAsked: true }));
    if (decision.kind !== "send") throw new Error(decision.kind);
    expect(keysOf(decision.choice.items)).toEqual([
      "new",
      "changed",
      "unsure",
      "conflict",
      "theirs",
      "restored",
      "plural",
    ]);
  });

  test("pushes a renamed key as a new one, and leaves the rename pending", () => {
    const renames = renamed("old", "new");
    const decision = decidePush(planOf([item("new", "new")]), request({ renames }));
    if (decision.kind !== "send") throw new Error(decision.kind);
    expect([keysOf(decision.choice.items), decision.choice.renames]).toEqual([["new"], []]);
  });

  test("does nothing for a rename alone", () => {
    const renames = renamed("old", "same");
    expect(decidePush(planOf([item("same", "unchanged")]), request({ renames }))).toEqual({
      kind: "nothing",
      outcome: "unchanged",
    });
  });

  test.each([
    ["a conflict", item("conflict", "changed", { side: "both" }), "conflict"],
    ["a text changed at the service", item("theirs", "changed", { side: "service" }), "unchanged"],
    ["an archived key", item("restored", "restored"), "unchanged"],
  ] as const)("sends nothing for %s", (_name, only, outcome) => {
    expect(decidePush(planOf([only]), request())).toEqual({ kind: "nothing", outcome });
  });
});

describe("files that cannot be read", () => {
  test("a push that was to archive fails without a prompt, and shows the rest with one", () => {
    const plan = planOf([item("new", "new")], { unparsedRanges: UNREAD });
    const archiving = { archiveMissing: true };
    expect(decidePush(plan, request(archiving)).kind).toBe("incomplete");
    expect(decidePush(plan, request({ ...archiving, isQuiet: false, isDryRun: true })).kind).toBe(
      "incomplete",
    );
    expect(decidePush(plan, request({ ...archiving, isQuiet: false })).kind).toBe("preview");
    expect(decidePush(plan, request()).kind).toBe("send");
  });

  test("a push of nothing else fails", () => {
    expect(decidePush(planOf([], { unparsedRanges: UNREAD }), request()).kind).toBe("unread");
    const malformed = [item("half", "new")];
    expect(decidePush(planOf([item("same", "unchanged")], { malformed }), request()).kind).toBe("unread");
  });
});

describe("with a prompt", () => {
  const asking = (changes: Partial<PushRequest> = {}): PushRequest => request({ isQuiet: false, ...changes });

  test("asks for changes, for a conflict alone, and for a rename alone", () => {
    expect(decidePush(planOf([item("new", "new")]), asking()).kind).toBe("preview");
    expect(decidePush(planOf([item("both", "changed", { side: "both" })]), asking()).kind).toBe("preview");
    const renames = renamed("old", "same");
    expect(decidePush(planOf([item("same", "unchanged")]), asking({ renames })).kind).toBe("preview");
    expect(decidePush(planOf([], { archive: [stored("gone")] }), asking()).kind).toBe("preview");
  });

  test("has nothing to ask if only the service changed, or a key is archived there", () => {
    const plan = planOf([item("theirs", "changed", { side: "service" }), item("restored", "restored")]);
    expect(decidePush(plan, asking())).toEqual({ kind: "nothing", outcome: "unchanged" });
  });

  test("a dry run asks nothing, and ends with the plan", () => {
    expect(decidePush(everything, asking({ isDryRun: true }))).toEqual({ kind: "planned" });
    const conflict = planOf([item("both", "changed", { side: "both" })]);
    expect(decidePush(conflict, asking({ isDryRun: true }))).toEqual({
      kind: "nothing",
      outcome: "conflict",
    });
  });
});

describe("the preview", () => {
  test("checks what a push sends by itself; archiving, restoring and overwriting only if asked for", () => {
    expect(keysOf(previewOf(everything).selection.checked)).toEqual(["new", "changed", "unsure"]);
    const asked = previewOf(everything, { isAsked: true, isArchiveChecked: true }).selection.checked;
    expect(keysOf(asked).toSorted()).toEqual(
      ["changed", "conflict", "gone", "new", "restored", "theirs", "unsure"].toSorted(),
    );
  });

  test("has headings by kind, without unchanged keys", () => {
    expect(previewOf(everything).sections.map(({ heading }) => heading)).toEqual([
      "New: 1",
      "Changed: 2",
      "Changed here and on the service, overwritten if checked: 1",
      "Changed only on the service, overwritten if checked: 1",
      "Archived, restored if checked: 1",
      "To be compared by the service: 1",
      "Not in any local file, to be archived: 1",
    ]);
  });

  test("shows both texts of a change, and why a key will be refused", () => {
    const details = new Map(
      previewOf(everything).sections.flatMap(({ rows }) => rows.map(({ label, detail }) => [label, detail])),
    );
    expect(details.get("cart.new")).toBe("new here");
    expect(details.get("cart.changed")).toBe("changed there → changed here");
    expect(details.get("cart.conflict")).toBe("conflict there → conflict here");
    expect(details.get("cart.gone")).toBe("gone there");
    expect(details.get("cart.plural")).toMatch(/^Switches between a single text and plural forms/u);
  });

  test("a renamed key is renamed, and not sent as a new one", () => {
    const renames = renamed("old", "new");
    const { sections, selection } = previewOf(planOf([item("new", "new"), item("other", "new")]), {
      renames,
    });
    expect(sections[0]).toMatchObject({
      heading: "To be renamed, with their translations: 1",
      rows: [{ label: "cart.new", description: "was cart.old", isChecked: true }],
    });
    const choice = choiceOf(selection.checked, renames);
    expect([keysOf(choice.items), choice.renames]).toEqual([["other"], [...renames.values()]]);
  });

  test("thousands of keys have a row for each namespace, whose box stands for all of them", () => {
    const many = Array.from({ length: 2001 }, (_, index) => item(`key ${index}`, "new"));
    const other = {
      ...item("other", "new"),
      name: nameOf("other", "menu"),
      hash: keyHash(nameOf("other", "menu")),
    };
    const { sections, selection } = previewOf(planOf([...many, other]));
    const [cart, menu] = sections[0]?.rows ?? [];
    expect([cart?.label, cart?.description, menu?.label]).toEqual(["cart", "2,001 keys", "menu.other"]);
    expect(selection.checked).toHaveLength(2002);
    selection.toggle(sections[0]?.rows ?? [], new Set(menu === undefined ? [] : [menu]));
    expect(keysOf(selection.checked)).toEqual(["other"]);
  });

  test("both sides of a row are those of its key, or of all keys of its namespace", () => {
    const rowOf = (plan: PushPlan) => previewOf(plan).sections[0]?.rows[0] ?? expect.fail("there is a row");
    expect(pushDifference(rowOf(planOf([item("changed", "changed", { side: "file" })])))).toEqual({
      title: "changed: service ↔ local",
      before: { name: "changed.txt", text: "changed there" },
      after: { name: "changed.txt", text: "changed here" },
    });
    const many = Array.from({ length: 2001 }, (_, index) => item(`key ${index}`, "new"));
    const { title, ...sides } = pushDifference(rowOf(planOf(many)));
    const [before, after] = [sides.before as VirtualText, sides.after as VirtualText];
    expect([title, before.name, before.text.trim()]).toEqual(["cart: service ↔ local", "cart.txt", ""]);
    expect(after.text.split("\n").slice(0, 5)).toEqual([
      "# key 0",
      "key 0 here",
      "",
      "# key 1",
      "key 1 here",
    ]);
  });

  test("the title says what is checked", () => {
    const none = new Map<string, PendingRename>();
    const { checked } = previewOf(everything).selection;
    expect(pushTitle("Shop", checked, none)).toBe("Push to Shop: 1 new, 2 changed");
    const all = [...everything.items, ...everything.archive];
    expect(pushTitle("Shop", all, renamed("old", "new"))).toBe(
      "Push to Shop: 1 renamed, 3 changed, 1 changed on both sides, 1 changed on the service, 1 restored, 1 to archive",
    );
    expect(pushTitle("Shop", [], none)).toBe("Push to Shop: nothing selected");
  });

  test("unchecked rows stay unchecked when keys to archive are listed, too, and these are not checked", () => {
    const { sections, selection } = previewOf(planOf([item("a", "new"), item("b", "new")]));
    const rows = sections.flatMap((section) => section.rows);
    selection.toggle(rows, new Set(rows.slice(1)));
    const rule = { project: SPELLING, renames: new Map(), isArchiveChecked: false, isAsked: false };
    selection.list(
      pushSections(planOf([item("a", "new"), item("b", "new")], { archive: [stored("gone")] }), rule),
    );
    expect(keysOf(selection.checked)).toEqual(["b"]);
  });
});

describe("what is left", () => {
  test("are archived keys and texts of the service, unless they were named", () => {
    const { archived, atService } = leftKeys(everything, false);
    expect([keysOf(archived), keysOf(atService)]).toEqual([["restored"], ["conflict", "theirs"]]);
    expect(leftKeys(everything, true)).toEqual({ archived: [], atService: [] });
  });

  test("counts as changed only if it was named", () => {
    const planned = { ...everything, counts: { ...everything.counts, changed: 2 } };
    expect(pushPlanFor(planned, { pending: [], isAsked: false }).counts.changed).toBe(2);
    expect(pushPlanFor(planned, { pending: [], isAsked: true }).counts.changed).toBe(4);
  });
});

describe("against the service", () => {
  let shop: FixtureProject;
  let window: TestWindow;
  beforeEach(async () => {
    shop = await openFixtureProject();
    window = await shop.open();
  });
  afterEach(() => shop.close());

  const planned = async (archiveMissing = false): Promise<PushPlan> => {
    await window.refresher.refresh({ priority: "person" });
    await window.local.reload();
    return planPush(window, await sourceKeys(window), { archiveMissing });
  };
  const activeKeys = async (): Promise<readonly string[]> =>
    (await window.client.keys({ namespace: "cart" })).data.map(({ key }) => key).toSorted();

  test("sends what stays checked, and then only what is checked of the rest", async () => {
    const plan = await planned();
    const { sections, selection } = previewOf(plan);
    const rows = sections.flatMap((section) => section.rows);
    selection.toggle(rows, new Set(rows.filter(({ label }) => label === "cart.title")));
    const { items, archive } = choiceOf(selection.checked, new Map());
    await sendPush(window, items, archive);
    expect(await activeKeys()).toEqual(["title"]);

    const again = previewOf(await planned());
    const others = again.sections.flatMap((section) => section.rows);
    expect(others.map(({ label }) => label)).not.toContain("cart.title");
    again.selection.toggle(others, new Set(others.filter(({ label }) => label !== "cart.items")));
    const second = choiceOf(again.selection.checked, new Map());
    await sendPush(window, second.items, second.archive);
    expect(await activeKeys()).toEqual(["title", "total", "voucher.label"]);
  });

  test("archives no old key of a pending rename, and archives it once the rename is given up", async () => {
    await sendPush(window, (await planned()).items, []);
    const file = await shop.read("lang/en/cart.php");
    await shop.write("lang/en/cart.php", file.replace("'title'", "'heading'"));
    const pending = [{ from: nameOf("title"), to: nameOf("heading") }];
    const whole = await planned(true);
    expect(keysOf(whole.archive)).toEqual(["title"]);
    const plan = pushPlanFor(whole, { pending, isAsked: false });
    expect([plan.archive, plan.counts.archive]).toEqual([[], 0]);
    const [renames] = previewOf(plan, { renames: renamesByNewName(pending) }).sections;
    expect(renames).toMatchObject({
      heading: "To be renamed, with their translations: 1",
      rows: [{ label: "cart.heading", description: "was cart.title" }],
    });
    const decision = decidePush(plan, request({ archiveMissing: true, renames: renamesByNewName(pending) }));
    if (decision.kind !== "send") throw new Error(decision.kind);
    await sendPush(window, decision.choice.items, decision.choice.archive);
    expect(await activeKeys()).toEqual(["heading", "items", "title", "total", "voucher.label"]);

    const later = pushPlanFor(await planned(true), { pending: [], isAsked: false });
    const archiving = decidePush(later, request({ archiveMissing: true }));
    if (archiving.kind !== "send") throw new Error(archiving.kind);
    await sendPush(window, archiving.choice.items, archiving.choice.archive);
    expect(await activeKeys()).toEqual(["heading", "items", "total", "voucher.label"]);
  });
});
