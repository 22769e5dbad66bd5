/** Once every answer has come, the page shows what the extension has: the active cell, its details, rows and view. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { hashOf, openPage, settle } from "./editor-peer.ts";

type Page = Awaited<ReturnType<typeof openPage>>;

const COUNT = 5;
const KEYS = Array.from({ length: COUNT }, (_, key) => key);
const orders = fc.shuffledSubarray(KEYS, { minLength: COUNT });

/** What a person does while the answer to the query or update before is on its way. */
const meanwhile = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant("move" as const), row: fc.nat(COUNT - 1) }),
    fc.record({ does: fc.constantFrom("begin" as const, "end" as const) }),
  ),
  { maxLength: 3 },
);
const listSteps = fc.record({ asks: fc.constantFrom("query", "update"), order: orders, meanwhile });

it(
  "keeps the active key in its row or moves with it, except in the answer to a query",
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(listSteps, { minLength: 1, maxLength: 5 }), async (steps) => {
        const page = await openPage();
        const { state } = page;
        page.setFound(...KEYS);
        state.setQuery({});
        await settle();
        let list: readonly number[] = KEYS;
        let active = 0;
        let isEditing = false;
        let later: readonly number[] | null = null;
        const end = (): void => {
          isEditing = false;
          if (later !== null) list = later;
          later = null;
        };
        const check = (): void => {
          expect(state.listed.value).toEqual(list.map(hashOf));
          expect(state.active.value.row).toBe(list.indexOf(active));
          expect(state.editing.value !== null).toBe(isEditing);
        };
        for (const { asks, order, meanwhile: all } of steps) {
          const release = page.hold("find");
          page.setFound(...order);
          if (asks === "query") state.setQuery({});
          else void page.page.changed(["keys"]);
          await settle();
          for (const each of all) {
            if (each.does === "move") {
              // As the table does: moving ends an edit.
              state.endEdit({ focusesCell: false });
              end();
              state.goTo(each.row, 2);
              active = list[each.row] ?? -1;
            } else if (each.does === "begin") {
              state.beginEdit();
              isEditing = true;
            } else {
              state.endEdit({ focusesCell: true });
              end();
            }
            await settle();
            check();
          }
          await release();
          const isInPlace = order[list.indexOf(active)] === active;
          if (isEditing && (asks === "update" || isInPlace)) later = order;
          else {
            list = order;
            later = null;
            isEditing = false;
            if (asks === "query") active = order[0] ?? -1;
          }
          check();
        }
        state.endEdit({ focusesCell: true });
        end();
        await settle();
        check();
      }),
      { numRuns: 30 },
    );
  },
);

const LOCALES = ["nl", "fr", "de"];
const cells = fc.record({ key: fc.nat(COUNT - 1), locale: fc.constantFrom("en", ...LOCALES) });
const contentSteps = fc.record({
  does: fc.constantFrom("write", "type", "move", "languages", "query", "reveal", "edit", "wait"),
  cell: cells,
  isLong: fc.boolean(),
  locales: fc.shuffledSubarray(LOCALES, { minLength: 1 }),
  tables: fc.subarray(["stats", "keys", "translations", "drafts"] as const, { minLength: 1 }),
  late: fc.subarray(["find", "rows", "details", "setup", "existing"] as const),
  waits: fc.boolean(),
});

it(
  "shows the texts, languages and details that there are when all has arrived",
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(contentSteps, { minLength: 1, maxLength: 5 }), async (steps) => {
        const page = await openPage();
        page.setFound(...KEYS);
        page.state.setQuery({});
        await settle();
        for (const [number, step] of steps.entries()) {
          const text = `text ${number} `.repeat(step.isLong ? 40 : 1);
          const releases = step.late.map((name) => page.hold(name));
          await change(page, step, text);
          await settle();
          // The details are requested after a while.
          if (step.waits) await pause();
          // What is said after the answer was given, but not received yet.
          if (step.does === "write") {
            page.write(step.cell.locale, step.cell.key, `${text}, then`);
            void page.page.changed(["translations", "keys"]);
          }
          for (const release of releases.toReversed()) await release();
          await settle();
        }
        page.state.endEdit({ focusesCell: true });
        page.paint(page.state);
        await settle();
        await pause();
        await settle();
        expectCurrent(page);
        await expectSameViewAgain(page);
      }),
      { numRuns: 15 },
    );
  },
);

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

type ContentStep = typeof contentSteps extends fc.Arbitrary<infer Each> ? Each : never;

async function change(
  { state, page, write, choose }: Page,
  { does, cell: { key, locale }, locales, tables }: ContentStep,
  text: string,
): Promise<void> {
  const row = state.listed.value?.indexOf(hashOf(key)) ?? 0;
  const column = state.locales.value.indexOf(locale) + 1;
  switch (does) {
    case "write":
      write(locale, key, text);
      void page.changed(["translations", ...tables]);
      break;
    case "type":
      if (column === 0) break;
      state.goTo(row, column);
      state.setText(
        { hash: hashOf(key), locale },
        [{ category: null, text }],
        [{ category: null, text: "before" }],
      );
      break;
    case "move":
      state.goTo(row, column);
      break;
    case "languages":
      choose("en", ...locales);
      void page.changed(["stats", ...tables]);
      break;
    case "query":
      state.setQuery({ namespace: null });
      break;
    case "reveal":
      void page.show({ query: null, locales: null, hash: hashOf(key) });
      break;
    case "edit":
      state.goTo(row, column);
      state.beginEdit();
      break;
    case "wait":
      await pause();
      break;
  }
}

/** All that is shown is what the extension has. */
function expectCurrent({ state, textOf }: Page): void {
  const shown = state.listed.value ?? [];
  const locales = state.locales.value;
  for (const hash of shown) {
    const row = state.rows.value.get(hash);
    const texts = locales.map((locale) => row?.cells[locale]?.parts[0]?.text);
    // A long one is shown in part.
    expect(texts.map((text) => text?.slice(0, 200))).toEqual(
      locales.map((each) => textOf(each, hash).slice(0, 200)),
    );
  }
  const { row, column } = state.active.value;
  const cell = { hash: shown[row] ?? "", locale: locales[Math.max(1, column) - 1] ?? "" };
  expect(state.details.value?.cell).toEqual(cell);
  expect(state.details.value?.text).toEqual({ value: textOf(cell.locale, cell.hash) });
  if (column === 0) return;
  // Whoever edits it now starts from the whole text.
  state.beginEdit();
  expect(state.editing.value?.parts).toEqual([{ category: null, text: textOf(cell.locale, cell.hash) }]);
  state.endEdit({ focusesCell: true });
}

/** The tab that is shown again shows the same. */
async function expectSameViewAgain({ state, load }: Page): Promise<void> {
  const view = ({ active, query, locales }: Page["state"]): unknown => [
    active.value,
    query.value,
    locales.value,
  ];
  state.saveViewState(7);
  const before = view(state);
  expect(view(await load())).toEqual(before);
}
