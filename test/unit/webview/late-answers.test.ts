/** What is typed stays as it was typed, in whichever order the extension answers. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { hashOf, openPage, settle } from "./editor-peer.ts";

const KEYS = [0, 1, 2, 3, 4, 5];
const keys = fc.constantFrom(...KEYS);

/** What makes the page ask, what is typed before the answers come, and in which order they come. */
const steps = fc.record({
  asks: fc.constantFrom("find", "show", "keys", "translations", "stats", "copy", "move"),
  key: keys,
  late: fc.shuffledSubarray(["find", "rows", "details", "setup", "existing"] as const),
  typed: fc.array(keys, { minLength: 1, maxLength: 3 }),
});
type Step = typeof steps extends fc.Arbitrary<infer Each> ? Each : never;
type Page = Awaited<ReturnType<typeof openPage>>;

it("shows what was typed last in each cell, and has sent it", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 4 }), async (all) => {
      const page = await openPage();
      /** What a person has typed, by the hash of the key: nobody else writes. */
      const typed = new Map<string, string>();
      const check = (): void => {
        for (const [hash, text] of typed) expect(shownText(page, hash) ?? text).toBe(text);
      };
      for (const [number, step] of all.entries()) {
        const releases = step.late.map((name) => page.hold(name));
        ask(page, step);
        await settle();
        for (const key of step.typed) {
          const text = `text ${number} of ${key}, after ${typed.size}`;
          if (type(page, key, text)) typed.set(hashOf(key), text);
          check();
          await settle();
        }
        for (const release of releases) {
          await release();
          check();
        }
      }
      for (const [hash, text] of typed) expect(page.textOf("nl", hash)).toBe(text);
    }),
    { numRuns: 20 },
  );
});

/** Returns the text of a row that is loaded. */
function shownText({ state }: Page, hash: string): string | undefined {
  return state.rows.value.get(hash)?.cells["nl"]?.parts[0]?.text;
}

/** Types a text into the Dutch cell of a key, if it is shown. */
function type({ state }: Page, key: number, text: string): boolean {
  const row = state.listed.value?.indexOf(hashOf(key)) ?? -1;
  if (row === -1) return false;
  state.goTo(row, 2);
  state.beginEdit();
  const { value: edited } = state.editing;
  if (edited === null) return false;
  state.setText(edited.id, [{ category: null, text }]);
  state.endEdit({ focusesCell: true });
  return true;
}

function ask({ state, page, setFound }: Page, { asks, key }: Step): void {
  switch (asks) {
    case "find":
      setFound(key, ...KEYS.filter((each) => each !== key));
      state.setQuery({ search: `${key}` });
      break;
    case "show":
      void page.show({ query: null, locales: ["en", "nl"], hash: hashOf(key) });
      break;
    case "copy":
      state.changeSelected("copy");
      break;
    case "move":
      state.goTo(key, 2);
      break;
    default:
      void page.changed([asks]);
  }
}
