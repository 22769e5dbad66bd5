/** A small project of the local service; each test case has a namespace, a folder and a window of its own. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createClient, type Client } from "../../../src/api/client.ts";
import type { Clock } from "../../../src/model/platform.ts";
import { realClock, recordingLog } from "../support/node-platform.ts";
import { openFixtureProject, FIXTURE_PROJECT_FILE, type FixtureProject } from "../support/fixture-project.ts";
import { openWindow, type TestWindow } from "../support/test-window.ts";
import type { Cell } from "../fault-injection/user-actions.ts";
import { SimulatedProcess } from "./simulated-process.ts";
import { filesOf, serviceOf, type Work } from "./actions.ts";

let shop: FixtureProject;
/** A client that is never interrupted. */
export let colleague: Client;

/** Starts the service. */
export async function startScenarios(): Promise<void> {
  shop = await openFixtureProject();
  const log = recordingLog();
  colleague = createClient({ ...shop.service, fetch, clock: realClock(), log, locale: () => "en" });
}

export const stopScenarios = (): Promise<void> => shop.close();

/** A cell of the matrix: a namespace, a folder and a window of its own. */
export interface Scenario {
  readonly namespace: string;
  readonly folder: string;
  readonly simulated: SimulatedProcess;
  readonly window: TestWindow;
  readonly cell: Cell;
}

let scenarios = 0;

/** Creates a scenario whose window has read everything. */
export async function openScenario(work: Work): Promise<Scenario> {
  const namespace = `end${++scenarios}`;
  const folder = join(shop.folder, namespace);
  await mkdir(join(folder, "app"), { recursive: true });
  for (const [path, text] of Object.entries(work.files?.(namespace) ?? {})) {
    await mkdir(dirname(join(folder, "app", path)), { recursive: true });
    await writeFile(join(folder, "app", path), text);
  }
  await work.prepare(colleague, namespace);
  const simulated = new SimulatedProcess();
  const window = await openIn(folder, simulated, "one");
  await window.refresher.refresh();
  const cell = cellOf(namespace, window);
  await work.meanwhile?.(cell);
  return { namespace, folder, simulated, window, cell };
}

/** @param later milliseconds by which its clock is ahead */
export function openIn(
  folder: string,
  simulated: SimulatedProcess,
  name: string,
  later = 0,
): Promise<TestWindow> {
  const { baseUrl, token } = shop.service;
  const { fetch, disk } = simulated;
  // Polls and pauses pass quickly; how long an answer may take does not, whatever else the machine does.
  const [quick, real] = [realClock(100), realClock()];
  const intercept: Clock = {
    now: () => real.now() + later,
    monotonic: () => real.monotonic(),
    sleep: (milliseconds, signal) => (milliseconds > 10_000 ? real : quick).sleep(milliseconds, signal),
  };
  const own = { fetch, disk, clock: simulated.clock(intercept), window: name };
  return openWindow({ baseUrl, token, folder, file: FIXTURE_PROJECT_FILE, preview: ["en", "nl"], ...own });
}

/** What a row of the matrix acts in. */
export function cellOf(namespace: string, window: TestWindow): Cell {
  const readFile = (): Promise<string> => Promise.reject(new Error("files are compared whole"));
  return { namespace, window, colleague, readFile, signal: new AbortController().signal };
}

/** Returns what could be lost: the local files and the content of the service. */
export async function everything({ folder, namespace }: Scenario): Promise<ReadonlyMap<string, string>> {
  return new Map(
    [...(await filesOf(folder)), ...(await serviceOf(colleague, namespace))].map(plain(namespace)),
  );
}

/** Removes the namespace, so that scenarios can be compared. */
const plain =
  (namespace: string) =>
  ([name, text]: readonly [string, string]): [string, string] => [
    name.replaceAll(namespace, "*"),
    text.replaceAll(namespace, "*"),
  ];

/** Archives the keys of the namespace, so that exports no longer contain them. */
export async function cleaned({ namespace }: Scenario): Promise<void> {
  const { data } = await colleague.keys({ namespace });
  await colleague.sync({ keys: [], archive: data.map(({ hash }) => hash) });
}

/** Whether an action of the fault matrix succeeded. */
export const isDone = (came: unknown): boolean =>
  typeof came !== "object" || came === null || !("kind" in came) || came.kind !== "failed";
