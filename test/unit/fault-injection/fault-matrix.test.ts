/**
 * The fault matrix: every action (user-actions.ts) under every fault (faults.ts), on real sockets against the local
 * service.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createClient, type Client } from "../../../src/api/client.ts";
import { FaultProxy, type ProxiedRequest, type Fault as FaultEffect } from "../support/fault-proxy.ts";
import { IS_FULL } from "../support/full-run.ts";
import { realClock, recordingLog } from "../support/node-platform.ts";
import { SimulatedNetwork } from "../support/simulated-network.ts";
import { openFixtureProject, FIXTURE_PROJECT_FILE, type FixtureProject } from "../support/fixture-project.ts";
import { openWindow, type TestWindow } from "../support/test-window.ts";
import { ACTIONS, fillCart, type Action, type Cell, type State } from "./user-actions.ts";
import { exportJob, FEW } from "./fault-effects.ts";
import { FAULTS } from "./faults.ts";
import type { Fault } from "./expected-outcomes.ts";

let shop: FixtureProject;
let proxy: FaultProxy;
let colleague: Client;

/** What each cell came to, for the table. */
const came = new Map<string, string>();
afterAll(() => {
  if (IS_FULL) process.stdout.write(table());
});

/** Actions that fail alike: a fault is tried on one of each kind at least. */
const kindOf = ({ reads, repeatable }: Action): string =>
  reads === true ? "read" : repeatable ? "repeatable write" : "write";

/**
 * All cells in the exhaustive run. In the quick one each fault meets one action of each kind, another one than the
 * fault before it met, so that every action and every pair of a fault and a kind is there.
 */
function isTried(action: Action, fault: Fault): boolean {
  const applicable = ACTIONS.filter((each) => fault.applies?.(each) !== false);
  if (IS_FULL) return applicable.includes(action);
  const alike = applicable.filter((each) => kindOf(each) === kindOf(action));
  return alike.length > 0 && alike[FAULTS.indexOf(fault) % alike.length] === action;
}

test("covers every action and every fault", () => {
  const tried = ACTIONS.flatMap((action) =>
    FAULTS.filter((fault) => isTried(action, fault)).map((fault) => ({ action, fault })),
  );
  expect(new Set(tried.map(({ action }) => action)).size).toBe(ACTIONS.length);
  expect(new Set(tried.map(({ fault }) => fault)).size).toBe(FAULTS.length);
});

let cells = 0;
describe.each(ACTIONS)("$name", (action) => {
  // A project for each row: what its cells leave there stays little.
  beforeAll(async () => {
    shop = await openFixtureProject();
    proxy = await FaultProxy.open(shop.service.baseUrl);
    colleague = createClient({
      ...shop.service,
      fetch: globalThis.fetch,
      clock: realClock(),
      log: recordingLog(),
      locale: () => "en",
    });
    await fillCart(colleague);
  });
  afterEach(async () => {
    proxy.fault = () => undefined;
    await proxy.openPort();
  });
  afterAll(async () => {
    await proxy.close();
    await shop.close();
  });

  test.each(FAULTS.filter((fault) => isTried(action, fault)))("$name", async (fault) => {
    const namespace = `cell${++cells}`;
    const folder = join(shop.folder, namespace);
    for (const [path, text] of Object.entries(action.files?.(namespace) ?? {})) {
      await mkdir(dirname(join(folder, "app", path)), { recursive: true });
      await writeFile(join(folder, "app", path), text);
    }
    await mkdir(join(folder, "app"), { recursive: true });
    await action.prepare(colleague, namespace);
    const network = new SimulatedNetwork(proxy);
    network.clockSkew = fault.wrong ?? 0;
    const { token } = shop.service;
    const window = await openWindow({
      baseUrl: proxy.baseUrl,
      token,
      folder,
      file: FIXTURE_PROJECT_FILE,
      preview: ["en", "nl"],
      clock: network.clientClock,
      fetch: network.fetch,
    });
    await network.drive(window.refresher.refresh());
    const leaving = new AbortController();
    const cell: Cell = {
      namespace,
      window,
      colleague,
      readFile: (path) => readFile(join(folder, "app", path), "utf8"),
      signal: leaving.signal,
    };
    await action.meanwhile?.(cell);

    const injected = new InjectedFault(network, action, fault);
    // Counted from the first effect: time must not pass while the window still writes down what it follows.
    const { patience } = fault;
    if (patience !== undefined)
      injected.onFirst = () => void network.clock.sleep(patience).then(() => leaving.abort());
    const outcome = await network.drive(action.run(cell));
    // Whoever left a job that is still followed closes the window, or it would be followed for ever.
    if (outcome.kind === "left") {
      expect(window.project.jobs[0]?.watching).toBe(true);
      window.jobs.dispose();
    }
    await network.settle();
    const sent = injected.sent();
    came.set(
      `${fault.name}\n${action.name}`,
      `${outcome.kind === "failed" ? outcome.code : outcome.kind} ×${sent}`,
    );

    const expected = fault.expected(action);
    expect(outcome.kind === "failed" ? outcome.code : outcome.kind).toBe(expected.code);
    if (expected.reason !== undefined && action.onlyKind !== true)
      expect(outcome).toMatchObject({ reason: expected.reason });
    if (expected.sent !== undefined) expect(sent).toBe(expected.sent);
    if (expected.most !== undefined) expect(sent).toBeLessThanOrEqual(expected.most);
    await injected.jobsEnded();
    expect(await action.state(cell)).toBe(stateAfter(action, fault));
    if (outcome.kind === "failed" && action.before === "part") expect(outcome.told).toBe(2);

    await injected.clear();
    if (fault.pause !== undefined) await network.clock.advance(fault.pause * 1000);
    await nextWorks(window, network, action, { ...cell, signal: new AbortController().signal });
    expect(window.log.lines.join("\n")).not.toContain(token);
  });
});

/** The same once more, and then a refresh: both as if nothing had been. */
async function nextWorks(
  window: TestWindow,
  network: SimulatedNetwork,
  action: Action,
  cell: Cell,
): Promise<void> {
  const { session } = window.project;
  // A refused token, or an archived project, is tried again by signing in.
  if (session.kind === "refused")
    window.project.setSession({ ...session, kind: "signed-in", slug: "shop", name: "Shop", canWrite: true });
  expect(await network.drive(action.run(cell))).toEqual({ kind: "done" });
  await network.settle();
  expect(await action.state(cell)).toBe("all");
  expect(await network.drive(window.refresher.refresh({ priority: "person" }))).not.toBeNull();
  expect(window.project.freshness.kind).toBe("fresh");
  await network.settle();
}

/** All or none as promised: what the service took is there, and what it did not take is not. */
function stateAfter(action: Action, fault: Fault): State {
  const { code, taken } = fault.expected(action);
  const happened = action.reads === true ? code === "done" : taken;
  return happened ? "all" : (action.before ?? "none");
}

/** A fault over one run of an action. */
class InjectedFault {
  readonly #network: SimulatedNetwork;
  readonly #action: Action;
  readonly #fault: Fault;
  readonly #imports: number[] = [];
  #aimed = 0;
  #struck = 0;
  /** Told when the fault first strikes at the proxy. */
  onFirst: () => void = () => undefined;
  #over = false;

  constructor(network: SimulatedNetwork, action: Action, fault: Fault) {
    this.#network = network;
    this.#action = action;
    this.#fault = fault;
    proxy.takeLog();
    network.unsentRequests.length = 0;
    const effect = fault.effect?.(network, action);
    proxy.fault = (asked) => this.#noting(this.#effectOn(asked, effect));
    network.onRequest = (method, path) => {
      if (fault.connectionFailure === undefined || this.#over) return undefined;
      if (this.#isAim(method, path) && ++this.#aimed >= (action.aim.nth ?? 1)) this.#struck += 1;
      return this.#struck > 0 ? fault.connectionFailure : undefined;
    };
  }

  /** How often the struck request was sent; those before it in the same action do not count. */
  sent(): number {
    const asked = [
      ...proxy.takeLog().map(({ method, path }) => `${method} ${path}`),
      ...this.#network.unsentRequests,
    ];
    const aims = asked.filter((each) => this.#isAim(...(each.split(" ") as [string, string])));
    return aims.length - ((this.#action.aim.nth ?? 1) - 1);
  }

  async clear(): Promise<void> {
    this.#over = true;
    await proxy.openPort();
  }

  /** Imports that the service took have ended, whether anybody followed them or not. */
  async jobsEnded(): Promise<void> {
    for (const id of this.#imports) {
      while (!["succeeded", "failed"].includes((await colleague.job(id)).status)) await realClock().sleep(5);
    }
  }

  #isAim(method: string, path: string): boolean {
    const { aim } = this.#action;
    return method === aim.method && aim.path.test(path);
  }

  #effectOn(asked: ProxiedRequest, effect: FaultEffect | undefined): FaultEffect | undefined {
    if (this.#over || effect === undefined) return undefined;
    const { lasts, atJob, atPages } = this.#fault;
    const isAim = this.#isAim(asked.method, asked.path);
    if (isAim) this.#aimed += 1;
    const isKind =
      atJob === true
        ? asked.path.startsWith("/jobs/")
        : isAim &&
          this.#aimed >= (this.#action.aim.nth ?? 1) &&
          (atPages !== true || asked.query.has("cursor"));
    if (isKind && ++this.#struck === 1) this.onFirst();
    const strikes = { once: isKind && this.#struck === 1, kind: isKind, on: this.#struck > 0 }[lasts];
    if (strikes) return effect;
    // Exports of this size are built at once: the first time the proxy tells of a job that builds it.
    if (atJob === true && isAim && asked.path.startsWith("/exports/") && this.#aimed === 1)
      return (passage) => passage.answer(exportJob());
    if (atPages === true && asked.query.has("limit"))
      return async (passage) => passage.answer(await passage.forward(FEW));
    return undefined;
  }

  /** Notes the jobs of imports that the service took. */
  #noting(effect: FaultEffect | undefined): FaultEffect {
    return (passage) => {
      const take: typeof passage.forward = async (query) => {
        const answer = await passage.forward(query);
        if (passage.request.path === "/imports" && answer.status === 202)
          this.#imports.push((JSON.parse(answer.body.toString()) as { data: { id: number } }).data.id);
        return answer;
      };
      const noting = { ...passage, take };
      return effect === undefined ? take().then((answer) => passage.answer(answer)) : effect(noting);
    };
  }
}

function table(): string {
  const widths = ACTIONS.map(({ name }) => Math.max(name.length, 18));
  const first = Math.max(...FAULTS.map(({ name }) => name.length));
  const rows = FAULTS.map(({ name: fault }) =>
    [
      fault.padEnd(first),
      ...ACTIONS.map(({ name }, at) => (came.get(`${fault}\n${name}`) ?? "·").padEnd(widths[at] ?? 0)),
    ].join(" "),
  );
  const head = ["".padEnd(first), ...ACTIONS.map(({ name }, at) => name.padEnd(widths[at] ?? 0))].join(" ");
  return `\nFault matrix: what came of it, and how often the struck request was sent\n${[head, ...rows].join("\n")}\n${came.size} cells: ${ACTIONS.length} actions under ${FAULTS.length} faults\n`;
}
