/** Randomised histories of concurrent clients: no lost updates, and caches converge. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Model } from "./model.ts";
import { NAMES, ConcurrentClients, shownIn, type Numbers, type Step, type Truth } from "./clients.ts";
import type { TestWindow } from "../support/test-window.ts";
import { runCount } from "../support/full-run.ts";

const who = fc.constantFrom(0 as const, 1 as const);
const name = fc.constantFrom(...NAMES);
// Few texts, so that two write the same now and then.
const text = fc.constantFrom("aap", "noot", "mies", "wim", "zus", "jet");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("open" as const), who, name }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("save" as const), who, name, text }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("force" as const), who, name, text }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("colleague" as const), name, text }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("push" as const),
      who: fc.constantFrom(0 as const, 1 as const, 2 as const),
      name,
      text,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("archive" as const), who, name }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("import" as const), who, overwrite: fc.boolean(), text }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refresh" as const), who }) },
);
const round = fc.array(step, { minLength: 1, maxLength: 4 });
/** While one imports, another pushes. */
const importing: fc.Arbitrary<Step[]> = fc
  .record({ overwrite: fc.boolean(), imported: text, pushed: text, name })
  .map(({ overwrite, imported, pushed, name }) => [
    { do: "import", who: 0, overwrite, text: imported },
    { do: "push", who: 1, name, text: pushed },
    { do: "push", who: 2, name, text: pushed },
  ]);
const history = fc.array(fc.oneof({ weight: 8, arbitrary: round }, { weight: 1, arbitrary: importing }), {
  minLength: 2,
  maxLength: 8,
});

/** What a window shows is what the service has. */
function converged(window: TestWindow, truth: Truth): void {
  for (const name of NAMES) {
    const there = truth.get(name);
    const expected =
      there === undefined
        ? undefined
        : {
            source: there.source,
            value: there.row.value,
            version: there.row.version,
            isOutdated: there.row.isOutdated,
          };
    expect(shownIn(window, name)).toEqual(expected);
  }
}

test.each(["as they are", "jumping", "going back", "standing still"] satisfies Numbers[])(
  "contentVersion %s: loses nothing, and all clients converge",
  async (numbers) => {
    await fc.assert(
      fc.asyncProperty(history, async (rounds) => {
        const clients = await ConcurrentClients.open(numbers);
        try {
          const model = new Model(await clients.truth());
          for (const steps of rounds) {
            const played = await clients.play(steps);
            model.holds(played, await clients.truth());
          }
          await clients.play([
            { do: "refresh", who: 0 },
            { do: "refresh", who: 1 },
          ]);
          const truth = await clients.truth();
          converged(clients.windows[0], truth);
          converged(clients.windows[1], truth);
          converged(await clients.another(), truth);
        } finally {
          await clients.close();
        }
      }),
      { numRuns: runCount(20) },
    );
  },
  120_000,
);
