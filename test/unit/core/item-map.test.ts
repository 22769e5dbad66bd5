/** Keys and rows in columns against plain maps, through changes in any order; and what is asked without making items. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Columns, ItemMap } from "../../../src/core/item-map.ts";
import { KeyMap, NO_KEYS } from "../../../src/core/key-map.ts";
import { KeyNames } from "../../../src/core/key-names.ts";
import type { ProjectKey, ProjectRow } from "../../../src/core/project.ts";
import { NO_ROWS, type RowMap } from "../../../src/core/row-map.ts";
import { sameText, type Text } from "../../../src/core/text.ts";
import { sha1, yieldNow } from "../support/node-ports.ts";

const PLAIN = { noNullPrototype: true } as const;
const HASHES = [...Array.from({ length: 11 }, (_, index) => sha1(`${index}`)), "no hash"];
const hash = fc.constantFrom(...HASHES);
const words = fc.string({ unit: "binary", maxLength: 4 });
const text: fc.Arbitrary<Text> = fc.oneof(
  fc.record({ value: words }, PLAIN),
  fc.record({ forms: fc.dictionary(fc.constantFrom("one", "other"), words, PLAIN) }, PLAIN),
);
const orNull = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.option(value, { nil: null });
const time = orNull(fc.constantFrom("2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z", "some day"));
const key: fc.Arbitrary<ProjectKey> = fc.record(
  {
    hash,
    namespace: fc.constantFrom("*", "shop", "mail"),
    key: words,
    context: orNull(words),
    isPlural: fc.boolean(),
    text: orNull(text),
    sourceHash: orNull(hash),
    description: orNull(words),
    maxLength: orNull(fc.nat(300)),
    tags: fc.array(fc.constantFrom("a", "b", '"'), { maxLength: 2 }),
    updatedAt: time,
  },
  PLAIN,
);
const row: fc.Arbitrary<ProjectRow> = fc.record(
  {
    hash,
    text: orNull(text),
    isTranslated: fc.boolean(),
    isOutdated: fc.boolean(),
    issues: fc.array(
      fc.record(
        {
          rule: words,
          level: fc.constantFrom("error", "warning"),
          placeholder: words,
          form: orNull(fc.constant("one")),
          suggestion: orNull(words),
        },
        PLAIN,
      ),
      { maxLength: 2 },
    ),
    version: orNull(fc.nat()),
    updatedAt: time,
  },
  PLAIN,
);

/** Each a handful of changes at once; `fold`: all into columns afterwards. */
const steps = <Item>(item: fc.Arbitrary<Item & { hash: string }>) =>
  fc.array(
    fc.record({
      put: fc.array(item, { maxLength: 4 }),
      out: fc.array(hash, { maxLength: 2 }),
      fold: fc.boolean(),
    }),
    { maxLength: 8 },
  );

const inOrder = <Item extends { hash: string }>(items: Iterable<Item>): Item[] =>
  [...items].toSorted((a, b) => HASHES.indexOf(a.hash) - HASHES.indexOf(b.hash));

/** Goes through the steps with both, and looks at both after each. */
async function compare<
  Item extends { readonly hash: string; readonly updatedAt: string | null },
  Items extends ItemMap<Item, Columns<Item>>,
>(
  all: readonly { put: readonly Item[]; out: readonly string[]; fold: boolean }[],
  start: Items,
  look: (map: Items, model: ReadonlyMap<string, Item>) => void,
): Promise<void> {
  const model = new Map<string, Item>();
  let map = start;
  for (const { put, out, fold } of all) {
    const before = [...map.values()];
    const changes = new Map<string, Item | null>(out.map((each) => [each, null]));
    for (const each of put) changes.set(each.hash, each);
    for (const [each, item] of changes) {
      if (item === null) model.delete(each);
      else model.set(each, item);
    }
    const next = map.with(changes);
    expect([...map.values()]).toEqual(before);
    map = fold ? await next.folded(yieldNow, 0, 0) : next;
    expect(map.size).toBe(model.size);
    expect(inOrder(map.values())).toEqual(inOrder(model.values()));
    expect([...map]).toEqual([...map.values()].map((item) => [item.hash, item]));
    expect([...map.keys()]).toEqual([...map.values()].map((item) => item.hash));
    expect([...map.times()]).toEqual([...map.values()].map((item) => item.updatedAt));
    const each: unknown[] = [];
    map.forEach((item, of, whole) => each.push([of, item, whole === map]));
    expect(each).toEqual([...map].map(([of, item]) => [of, item, true]));
    for (const one of HASHES) {
      expect(map.get(one)).toEqual(model.get(one));
      expect(map.has(one)).toBe(model.has(one));
    }
    look(map, model);
  }
}

test("keys are as in a plain map, whatever changes", async () => {
  await fc.assert(
    fc.asyncProperty(steps(key), text, (all, other) =>
      compare<ProjectKey, KeyMap>(all, NO_KEYS, (map, model) => {
        for (const one of HASHES) {
          const is = model.get(one);
          expect(map.isPlural(one)).toBe(is?.isPlural);
          expect(map.maxLength(one)).toBe(is?.maxLength);
          for (const each of [other, is?.text ?? other]) expect(map.isText(one, each)).toBe(same(is, each));
        }
        const names = ({ hash, namespace, key, context }: ProjectKey) => ({ hash, namespace, key, context });
        expect(Array.from(map.names(), (name) => names(name as ProjectKey))).toEqual(
          Array.from(map.values(), names),
        );
        const known = [...KeyNames.of(map.names()).namespaces()];
        for (const { namespace } of model.values()) expect(known).toContain(namespace);
        expect(
          Array.from(map.namespacesAndTimes(), ({ namespace, updatedAt }) => [namespace, updatedAt]),
        ).toEqual(Array.from(map.values(), ({ namespace, updatedAt }) => [namespace, updatedAt]));
      }),
    ),
    { numRuns: 60 },
  );
});

test("rows are as in a plain map, whatever changes", async () => {
  await fc.assert(
    fc.asyncProperty(steps(row), text, (all, other) =>
      compare<ProjectRow, RowMap>(all, NO_ROWS, (map, model) => {
        const rows = [...map.values()];
        for (const one of HASHES) {
          const is = model.get(one);
          expect(map.isTranslated(one)).toBe(is?.isTranslated);
          expect(map.isOutdated(one)).toBe(is?.isOutdated);
          expect(map.withIssuesAt(one)).toEqual((is?.issues.length ?? 0) > 0 ? is : undefined);
          for (const each of [other, is?.text ?? other]) expect(map.isText(one, each)).toBe(same(is, each));
        }
        expect([...map.withIssues()]).toEqual(rows.filter(({ issues }) => issues.length > 0));
        expect([...map.translated()]).toEqual(
          rows.filter(({ isTranslated, text }) => isTranslated && text !== null).map(({ hash }) => hash),
        );
        expect(map.counts()).toEqual({
          translated: rows.filter(({ isTranslated }) => isTranslated).length,
          outdated: rows.filter(({ isOutdated }) => isOutdated).length,
          errors: rows.flatMap(({ issues }) => issues).filter(({ level }) => level === "error").length,
        });
      }),
    ),
    { numRuns: 60 },
  );
});

function same(is: { readonly text: Text | null } | undefined, text: Text): boolean | undefined {
  return is === undefined ? undefined : is.text !== null && sameText(is.text, text);
}

test("a later map says what it has otherwise", async () => {
  await fc.assert(
    fc.asyncProperty(steps(key), fc.nat(8), async (all, at) => {
      let first = NO_KEYS;
      let map = NO_KEYS;
      for (const [index, { put, out, fold }] of all.entries()) {
        map = map.with(new Map<string, ProjectKey | null>(out.map((each) => [each, null])));
        map = map.with(new Map(put.map((each) => [each.hash, each])));
        if (fold) map = await map.folded(yieldNow, 0, 0);
        if (index === at) first = map;
      }
      const changed = first.with(first.changesTo(map));
      expect(inOrder(changed.values())).toEqual(inOrder(map.values()));
      expect(first.changesTo(first).size).toBe(0);
    }),
    { numRuns: 60 },
  );
});

test("of one change among many only that one is told", async () => {
  const keys = await KeyMap.of(many(5000)).folded(yieldNow);
  const [one] = many(1);
  const later = keys.with(new Map([[one!.hash, { ...one!, key: "other" }]]));
  expect([...keys.changesTo(later).values()].map((each) => each?.key)).toEqual(["other"]);
  expect(await later.folded(yieldNow)).toBe(later);
});

test("many changes go into new columns, with chances for other work between", async () => {
  let chances = 0;
  const counted = (): Promise<void> => {
    chances++;
    return yieldNow();
  };
  const keys = KeyMap.of(many(5000));
  const folded = await keys.folded(counted);
  expect(folded).not.toBe(keys);
  expect([...folded.values()]).toEqual([...keys.values()]);
  expect(chances).toBeGreaterThan(3);
});

function many(count: number): ProjectKey[] {
  return Array.from({ length: count }, (_, index) => ({
    hash: sha1(`${index}`),
    namespace: "*",
    key: `key.${index}`,
    context: null,
    isPlural: false,
    text: { value: `Text ${index}` },
    sourceHash: null,
    description: null,
    maxLength: null,
    tags: [],
    updatedAt: null,
  }));
}
