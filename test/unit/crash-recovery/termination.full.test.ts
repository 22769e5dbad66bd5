/**
 * Ends the process at each step of each action (simulated-process.ts); then a new window opens and the action is
 * repeated.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isApiError } from "../../../src/api/errors.ts";
import { realClock } from "../support/node-platform.ts";
import type { TestWindow } from "../support/test-window.ts";
import { ACTIONS } from "../fault-injection/user-actions.ts";
import { SimulatedProcess } from "./simulated-process.ts";
import { FILE_WORK, RENAME, serviceOf, type Work } from "./actions.ts";
import {
  cellOf,
  cleaned,
  stopScenarios,
  colleague,
  everything,
  isDone,
  openIn,
  openScenario,
  startScenarios,
} from "./scenarios.ts";
import { IS_FULL, samplePositions } from "../support/full-run.ts";

const FROM_WEATHER = [
  "sign in",
  "refresh",
  "hover fill",
  "push",
  "import",
  "edit",
  "bulk write",
  "update key",
  "archive",
];

const WORK: readonly Work[] = [
  ...ACTIONS.filter(({ name }) => FROM_WEATHER.includes(name)).map((action): Work => ({
    ...action,
    ...(action.before === "part" ? { inParts: [] } : {}),
  })),
  ...FILE_WORK,
  RENAME,
];

beforeAll(startScenarios);
afterAll(stopScenarios);

/** Steps of each row, for the table. */
const rows: string[] = [];
let cells = 0;
afterAll(() => {
  if (!IS_FULL) return;
  process.stdout.write(
    `\nEnds of the process: at which steps, and what had come of it then\n${rows.join("\n")}\n${cells} cells: ${rows.length} actions, each ended at every step\n`,
  );
});

/** Jobs that the service took have ended, whether anybody followed them or not. */
async function jobsEnded(): Promise<void> {
  // Ids are counted up, and every job so far was this test's.
  for (let id = 1; ; id++) {
    const status = async (): Promise<string> => (await colleague.job(id)).status;
    try {
      while (!["succeeded", "failed"].includes(await status())) await realClock().sleep(5);
    } catch (error) {
      if (isApiError(error, "not_found")) return;
      throw error;
    }
  }
}

describe.each(WORK)("$name", (work) => {
  test(
    IS_FULL ? "ended at any step" : "ended at the first, a middle and the last step",
    { timeout: 240_000 },
    async () => {
      const whole = await openScenario(work);
      const before = await everything(whole);
      whole.simulated.begin();
      expect(isDone(await work.run(whole.cell))).toBe(true);
      await whole.simulated.stop();
      if (work.name === "import") await jobsEnded();
      const after = await everything(whole);
      await cleaned(whole);
      const { steps } = whole.simulated;
      const states: string[] = [];
      for (const at of samplePositions(Array.from({ length: steps.length + 1 }, (_, index) => index + 1))) {
        states.push(await ended(work, at, { before, after }));
        cells++;
      }
      const counts = ["none", "part", "all"].map((state) => {
        const count = states.filter((each) => each === state).length;
        return count === 0 ? [] : [`${state} ×${count}`];
      });
      rows.push(
        `${work.name.padEnd(24)} ${String(states.length).padStart(3)} steps: ${counts.flat().join(", ")}`,
      );
    },
  );
});

/** The process ends at this step; out: what had come of the work. Everything that must hold afterwards is expected. */
async function ended(
  work: Work,
  at: number,
  {
    before,
    after,
  }: { readonly before: ReadonlyMap<string, string>; readonly after: ReadonlyMap<string, string> },
): Promise<string> {
  const scenario = await openScenario(work);
  const { simulated, folder, namespace } = scenario;
  simulated.begin(at);
  await Promise.race([simulated.ended, work.run(scenario.cell)]);
  await simulated.stop();
  if (work.name === "import") await jobsEnded();
  const where = `ended at ${at}: ${simulated.steps.at(-1)}`;

  // A new process knows nothing of the old one.
  const other = (await import(
    /* @vite-ignore */ new URL(
      `../../../src/workspace/file-system/file-transaction.ts?${scenario.namespace}`,
      import.meta.url,
    ).href
  )) as typeof import("../../../src/workspace/file-system/file-transaction.ts");
  await other.recoverTransactions(join(folder, "notes"));
  const found = await everything(scenario);
  const isOld = ([name, text]: [string, string]): boolean => before.get(name) === text;
  const isNew = ([name, text]: [string, string]): boolean => after.get(name) === text;
  const all = [...found];
  const state =
    all.every(isOld) && found.size === before.size
      ? "none"
      : all.every(isNew) && found.size === after.size
        ? "all"
        : "part";
  if (work.inParts !== undefined) {
    for (const each of all) {
      const isBetween = work.inParts.includes(each.join(": "));
      expect(isOld(each) || isNew(each) || isBetween, `${where}: ${each.join(" ")}`).toBe(true);
    }
  } else {
    expect(state, `${where}\n${JSON.stringify(all)}`).not.toBe("part");
  }
  // No file is lost, and none is left over.
  for (const name of before.keys()) if (after.has(name)) expect(found.has(name), where).toBe(true);

  const window = await openIn(folder, new SimulatedProcess(), "two", 60_000);
  window.jobs.resume();
  expect(await window.refresher.refresh({ priority: "person" }), where).not.toBeNull();
  expect(window.project.freshness.kind, where).toBe("fresh");
  expect(shownBy(window, namespace), where).toEqual(shownAt(await serviceOf(colleague, namespace)));
  // By itself the new window only reads.
  expect(
    window.takeRequests().filter((asked) => !asked.startsWith("GET ")),
    where,
  ).toEqual([]);

  const again = await work.run(cellOf(namespace, window));
  expect(isDone(again), `${where}: ${JSON.stringify(again)}`).toBe(true);
  expect(Object.fromEntries(await everything(scenario)), where).toEqual(Object.fromEntries(after));
  // What the old window followed is followed to its end too.
  while (window.project.jobs.some(({ watching }) => watching)) await realClock().sleep(5);
  for (const { job } of window.project.jobs) expect(job.status, where).toBe("succeeded");
  window.jobs.dispose();
  await cleaned(scenario);
  return state;
}

/** Keys and Dutch texts as a window shows them. */
function shownBy({ project }: TestWindow, namespace: string): readonly string[] {
  const keys = [...project.keys.values()].filter((key) => key.namespace === namespace);
  return keys
    .map(({ hash, key }) => {
      const text = project.translation("nl", hash)?.text ?? null;
      return `${key}: ${JSON.stringify(text !== null && "value" in text ? text.value : null)}`;
    })
    .sort();
}

const shownAt = (service: ReadonlyMap<string, string>): readonly string[] =>
  [...service]
    .flatMap(([name, text]) => (name.startsWith("nl ") ? [`${name.slice(3)}: ${text}`] : []))
    .sort();
