/** What is said of a push: which keys, which file, and what was not done. */
import { expect, test } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import type { ProjectKey } from "../../../src/database/records.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import {
  leftItem,
  malformedItem,
  pushedMessage,
  refusedKeys,
  unreadText,
} from "../../../src/messages/sync/push-messages.ts";
import { keyLimitOf, nothingToPushMessage, previewNotes } from "../../../src/messages/sync/push-notes.ts";
import { pushSections, pushTitle } from "../../../src/messages/sync/push-rows.ts";
import type { PushItem, PushPlan } from "../../../src/sync/push/push-plan.ts";

const SPELLING = { namespaceSeparator: ".", unwrittenNamespaces: new Set<string>() };
const SHOP = { ...SPELLING, session: { kind: "signed-out" }, label: "Shop" } as const;
const nameOf = (key: string, namespace = "cart") => ({ namespace, key, context: null });

const item = (key: string, changes: Partial<PushItem> = {}): PushItem => ({
  hash: keyHash(nameOf(key)),
  name: nameOf(key),
  text: { value: `${key} here` },
  description: null,
  path: "lang/en/cart.php",
  change: "changed",
  side: "file",
  pluralSwitch: false,
  service: null,
  ...changes,
});

const planOf = (changes: Partial<PushPlan>): PushPlan => ({
  items: [],
  archive: [],
  counts: { new: 0, changed: 0, restored: 0, unchanged: 0, archive: 0 },
  empty: [],
  malformed: [],
  unparsedRanges: [],
  ...changes,
});

test.each<[string, Text, string | null, string]>([
  ["half \ud83d", { value: "a \ud83d" }, "whole", "value"],
  ["whole", { value: "whole" }, "half \ud83d", "description"],
  ["whole", { value: "half \ud83d" }, null, "value"],
])(
  "the key %s with half a character says its file and what of it is wrong",
  (key, text, description, field) => {
    const local = { hash: "", name: nameOf(key), text, description, path: "lang/en/cart.php" };
    expect(malformedItem(local)).toEqual({
      ...nameOf(key),
      file: "lang/en/cart.php",
      field,
      messages: [
        `lang/en/cart.php: ${key.toWellFormed()} contains half a character (an unpaired surrogate). Correct its text.`,
      ],
    });
  },
);

test("what was left out is one sentence, whatever each part ends with", () => {
  const messages = [["a.php:3:1: an error."], ["b.php is damaged", "c.php: half."]];
  const items = messages.map((each) => ({ ...nameOf("*"), field: "file", messages: each }));
  expect(unreadText(items)).toBe("Keys were left out: a.php:3:1: an error; b.php is damaged; c.php: half.");
});

test.each([
  ["both", { value: "a" }, "value", "cart.title was changed here and on the service."],
  ["service", { forms: { one: "a", other: "b" } }, "forms", "cart.title was changed only on the service."],
] as const)(
  "a key that was left names its file, and the side that changed: %s",
  (side, text, field, message) => {
    expect(leftItem(SPELLING, item("title", { side, text }))).toEqual({
      ...nameOf("title"),
      file: "lang/en/cart.php",
      field,
      messages: [message],
    });
  },
);

const NOTHING = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0, rejected: [] };

test("what the service did is said with its own words, in their order", () => {
  const rejected = [{ hash: "a", reason: "r" }];
  const all = { created: 1, updated: 2, restored: 3, unchanged: 4, archived: 5, rejected };
  expect(pushedMessage(SHOP, all)).toBe(
    "Pushed to Shop: 1 created, 2 updated, 3 restored, 4 unchanged, 5 archived, 1 refused.",
  );
  expect(pushedMessage(SHOP, NOTHING)).toBe("Pushed to Shop: nothing changed.");
});

test("refused keys have their names, also those to archive; a key that was not sent its hash", () => {
  const archived = { ...nameOf("gone"), hash: keyHash(nameOf("gone")) } as ProjectKey;
  const rejected = [
    { hash: keyHash(nameOf("title")), reason: "plural_changed" },
    { hash: archived.hash, reason: "in_use" },
    { hash: "f00", reason: "later word" },
  ];
  const sent = { items: [item("other"), item("title")], archive: [archived] };
  expect(refusedKeys(SPELLING, sent, { ...NOTHING, rejected })).toEqual([
    "cart.title: it would switch between a single text and plural forms. Archive the key first, or rename it",
    "cart.gone: in_use",
    "f00: later word",
  ]);
});

test("nothing to push says how many texts are the same, and how many have no text", () => {
  const counts = { new: 0, changed: 0, restored: 0, unchanged: 1, archive: 0 };
  expect(nothingToPushMessage(SHOP, planOf({ counts }))).toBe(
    "Nothing to push to Shop: 1 source text, all up to date.",
  );
  const empty = [item("a"), item("b")];
  expect(nothingToPushMessage(SHOP, planOf({ counts: { ...counts, unchanged: 7 }, empty }))).toBe(
    "Nothing to push to Shop: 7 source texts, all up to date. Skipped because they have no text: 2 keys.",
  );
});

const FILES = {
  sourceLocale: "en",
  files: [
    { location: { path: "lang/en/cart.php" }, locales: new Set(["en"]) },
    { location: { path: "lang/nl/cart.php" }, locales: new Set(["nl"]) },
  ],
} as unknown as Parameters<typeof previewNotes>[1];
const problem = (code: string, path: string, key: string | null) =>
  ({ code, path, name: key === null ? null : nameOf(key) }) as unknown as Parameters<
    typeof previewNotes
  >[2][number];

test("the notes of a preview name what is twice in source files, refused, unread and empty", () => {
  const project = { ...SHOP, stats: null } as unknown as Parameters<typeof previewNotes>[0];
  const problems = [
    problem("duplicate", "lang/nl/cart.php", "dutch"),
    problem("syntax", "lang/en/cart.php", null),
    problem("elsewhere", "lang/en/cart.php", "title"),
    problem("duplicate", "lang/en/cart.php", "total"),
  ];
  const unparsedRanges = [
    { path: "a.php", line: 3, column: 5 },
    { path: "b.php", line: null, column: null },
  ] as unknown as PushPlan["unparsedRanges"];
  const items = [item("a", { pluralSwitch: true }), item("b")];
  const notes = previewNotes(project, FILES, problems, planOf({ items, unparsedRanges, empty: [item("c")] }));
  expect(notes).toEqual([
    "Duplicates: 2 keys (cart.title in lang/en/cart.php)",
    "Will be refused: 1 key, plural on one side only",
    "These files cannot be read completely, so their other keys are left out and nothing is archived: a.php:3:5, b.php. Fix them first.",
    "Skipped because they have no text: 1 key.",
  ]);
  expect(previewNotes(project, FILES, problems.slice(0, 2), planOf({ items: [item("b")] }))).toEqual([]);
});

test("a push that would exceed the key limit says so, and one that archives as many does not", () => {
  const project = { ...SHOP, stats: { contentVersion: 3 } } as unknown as Parameters<typeof previewNotes>[0];
  const refusal = new ApiError("key_limit_reached", "for the log", { limit: 10, used: 8 });
  keyLimitOf(project).recordError(refusal, 3);
  const counts = { new: 4, changed: 9, restored: 0, unchanged: 0, archive: 1 };
  const notesOf = (changes: Partial<typeof counts>) =>
    previewNotes(project, FILES, [], planOf({ counts: { ...counts, ...changes } }));
  expect(notesOf({})).toEqual(["May exceed the key limit: 3 keys to add, about 2 of 10 free"]);
  expect(notesOf({ archive: 2 })).toEqual([]);
});

const renamesOf = (from: string, to: string) =>
  new Map([[keyHash(nameOf(to)), { from: nameOf(from), to: nameOf(to) }]]);
const rule = { project: SPELLING, renames: new Map(), isArchiveChecked: false, isAsked: false };

test("the rows of a push are in the order of namespaces and keys", () => {
  const named = (key: string, namespace: string) => {
    return item(key, { name: nameOf(key, namespace), hash: keyHash(nameOf(key, namespace)), change: "new" });
  };
  const items = [named("b", "menu"), named("b", "cart"), named("a", "menu"), named("z", "a")];
  const [section] = pushSections(planOf({ items }), rule);
  expect(section?.rows.map(({ label }) => label)).toEqual(["a.z", "cart.b", "menu.a", "menu.b"]);
});

test("a row for a namespace names its first keys, and is checked as its keys are", () => {
  const many = Array.from({ length: 2_001 }, (_, index) => {
    const name = nameOf(`k${String(index).padStart(4, "0")}`, index < 6 ? "*" : index < 11 ? "b" : "a");
    return item(name.key, { name, hash: keyHash(name), change: index < 6 ? "restored" : "new" });
  });
  const sections = pushSections(planOf({ items: many }), rule);
  expect(sections.map(({ heading }) => heading)).toEqual(["New: 1,995", "Archived, restored if checked: 6"]);
  const rows = sections.flatMap((section) => section.rows);
  expect(
    rows.map(({ label, description, detail, isChecked }) => [label, description, detail, isChecked]),
  ).toEqual([
    ["a", "1,990 keys", "k0011, k0012, k0013, k0014, k0015, …", true],
    ["b", "5 keys", "k0006, k0007, k0008, k0009, k0010", true],
    ["without a namespace", "6 keys", "k0000, k0001, k0002, k0003, k0004, …", false],
  ]);
  // Two thousand are listed one by one, and renames are, whatever else there is.
  expect(pushSections(planOf({ items: many.slice(1) }), rule)[0]?.rows).toHaveLength(1_995);
  const renames = renamesOf("old", "new");
  const renamed = pushSections(planOf({ items: [...many, item("new")] }), { ...rule, renames });
  expect(renamed[0]?.rows.map(({ label, description }) => [label, description])).toEqual([
    ["cart.new", "was cart.old"],
  ]);
});

test("a key that will be refused is not checked, also where it was asked for", () => {
  const items = [
    item("plural", { change: "restored", pluralSwitch: true }),
    item("single", { change: "restored" }),
  ];
  const [section] = pushSections(planOf({ items }), { ...rule, isAsked: true });
  expect(section?.rows.map(({ isChecked }) => isChecked)).toEqual([false, true]);
});

test("the title counts keys whose change the service finds out as changed, and unchanged ones not at all", () => {
  const checked = [
    item("a", { change: "unknown", side: "none" }),
    item("b"),
    item("c", { change: "unchanged", side: "none" }),
  ];
  expect(pushTitle("Shop", checked, new Map())).toBe("Push to Shop: 2 changed");
});
