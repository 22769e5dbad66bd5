/** After every refresh a window has the same data as a complete read, whatever others changed. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { translationsIn } from "../../support/key-database.ts";
import { keyHash, type KeyName } from "../../../../src/model/key-hash.ts";
import { projectKey, projectRow } from "../../../../src/database/project-state.ts";
import { runCount } from "../../support/full-run.ts";
import { openFixtureProject, type FixtureProject } from "../../support/fixture-project.ts";
import type { TestWindow } from "../../support/test-window.ts";

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

const NAMES: readonly KeyName[] = ["a", "b", "c", "d"].flatMap((key) =>
  ["*", "cart"].map((namespace) => ({ key, namespace, context: null })),
);
const name = fc.constantFrom(...NAMES);
const LOCALES = ["nl", "fr"] as const;
const change = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("sync" as const),
      names: fc.uniqueArray(name, { selector: keyHash, minLength: 1, maxLength: 4 }),
      value: fc.constantFrom("one :x", "two", "three"),
    }),
  },
  fc.record({ do: fc.constant("archive" as const), names: fc.array(name, { maxLength: 3 }) }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("translate" as const),
      locale: fc.constantFrom(...LOCALES),
      names: fc.uniqueArray(name, { selector: keyHash, minLength: 1, maxLength: 3 }),
      value: fc.constantFrom("", "een", "twee :x"),
    }),
  },
);
const round = fc.record({ changes: fc.array(change, { maxLength: 4 }), full: fc.boolean() });

const sorted = <Item extends { readonly hash: string }>(items: Iterable<Item>): Item[] =>
  [...items].sort((a, b) => (a.hash < b.hash ? -1 : 1));

/** An empty row is the same as none. */
const said = <Row extends { readonly text: unknown }>(rows: Iterable<Row>): Row[] =>
  [...rows].filter(({ text }) => text !== null);

async function expectKnown({ client, project }: TestWindow): Promise<void> {
  const { data } = await client.keys();
  expect(sorted(project.keys.values())).toEqual(sorted(data.map(projectKey)));
  for (const locale of LOCALES) {
    const rows = (await client.translations(locale)).data.map(projectRow);
    expect(sorted(said(translationsIn(project.database, locale))), locale).toEqual(sorted(said(rows)));
  }
}

test("keeps keys and translations equal to a model of the service", async () => {
  const colleague = await shop.open("colleague");
  const window = await shop.open("one");
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
      for (const { changes, full } of rounds) {
        for (const one of changes) {
          if (one.do === "sync") {
            const keys = one.names.map(({ key, namespace }) => ({ key, namespace, value: one.value }));
            await colleague.client.sync({ keys });
          } else if (one.do === "archive") {
            await colleague.client.sync({ keys: [], archive: one.names.map(keyHash) });
          } else {
            const items = one.names.map((each) => ({ ...each, hash: keyHash(each), value: one.value }));
            await colleague.client.writeTranslations(one.locale, items, "overwrite");
          }
        }
        await window.refresher.refresh(full ? { full } : {});
        await window.refresher.ensureLocale("fr");
        await expectKnown(window);
      }
    }),
    { numRuns: runCount(60) },
  );
  // A window that begins from nothing knows the same.
  const late = await shop.open("late");
  await late.refresher.refresh();
  await late.refresher.ensureLocale("fr");
  await expectKnown(late);
});
