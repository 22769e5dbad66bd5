/**
 * `npm run test:host -- soak`, by hand: random actions of eight hours of work in a few minutes, then an idle time. Prints the
 * memory of the extension host after each tenth and the requests to the service; test/bench/README.md says what for.
 * `SOAK_MINUTES`, `SOAK_IDLE` (minutes) and `SOAK_SEED` in the environment choose other durations and actions.
 */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { commands, workspace } from "vscode";
import { call, startService } from "../harness/bridge-client.ts";
import { RandomActions } from "./random-actions.ts";
import { measure, type Measurement } from "./measurement.ts";
import { randomGenerator } from "../../unit/support/random.ts";

const HOURS = 8;
const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 12);
const IDLE = Number(process.env["SOAK_IDLE"] ?? 4);
const SEED = Number(process.env["SOAK_SEED"] ?? 1);
/** Allowed factor after the first tenth. */
const GROWTH = 1.1;

const print = (text: string): Promise<null> => call("print", { text });

const line = (name: string, now: Measurement): string =>
  [
    name.padEnd(8),
    `resident ${now.resident} MB`,
    `heap ${now.heap} MB`,
    `external ${now.external} MB`,
    ...(now.emitters === null ? [] : [`emitters ${now.emitters}, signals ${now.signals}`]),
    Object.entries(now.resources)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(", "),
  ].join(" | ");

describe("long use", function () {
  this.timeout(0);
  const rejections: string[] = [];
  const recordRejection = (reason: unknown): void => {
    rejections.push(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
  };
  let faultProxy: ChildProcess;
  let address: string;
  let actions: RandomActions;

  const counts = async (): Promise<Record<string, number>> =>
    (await (await fetch(`${address}/-/counts`)).json()) as Record<string, number>;

  before(async () => {
    process.on("unhandledRejection", recordRejection);
    const service = await startService({
      project: {
        slug: "shop",
        sourceLocale: "en",
        languages: [{ locale: "nl" }, { locale: "fr" }],
        exportProfiles: [{ key: "app", format: "laravel_php", path: "lang/{locale}/{namespace}.php" }],
        // Hours pass in minutes, so what is allowed in a minute grows alike.
        limits: { perToken: 120 * 60, perAddress: 600 * 60 },
      },
    });
    faultProxy = spawn(process.execPath, [process.env["SOAK_FAULT_PROXY"] ?? "", service.baseUrl], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    assert.ok(faultProxy.stdout);
    for await (const line of createInterface({ input: faultProxy.stdout })) {
      address = line;
      break;
    }
    const signedIn = await commands.executeCommand<{ outcome: string }>("projectTranslations.signIn", {
      confirm: false,
      baseUrl: `${address}/v1`,
      token: service.token,
    });
    assert.equal(signedIn.outcome, "done", JSON.stringify(signedIn));
    actions = new RandomActions({
      random: randomGenerator(SEED),
      service,
      injectFault: async (kind, requests) => void (await fetch(`${address}/-/faults/${kind}/${requests}`)),
    });
  });

  after(() => {
    process.off("unhandledRejection", recordRejection);
    faultProxy.kill();
  });

  it("memory does not grow after the first tenth", async () => {
    await print(line("begin", await measure()));
    const tenths: Measurement[] = [];
    const start = Date.now();
    for (let tenth = 1; tenth <= 10; tenth++) {
      const end = start + (MINUTES * 60_000 * tenth) / 10;
      do await actions.next();
      while (Date.now() < end);
      await actions.reset();
      await workspace.saveAll(false);
      assert.equal(await actions.refresh(), "done");
      await commands.executeCommand("workbench.action.closeAllEditors");
      // Debounced work ends.
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      const now = await measure(tenth === 1 || tenth === 10);
      tenths.push(now);
      await print(line(`${tenth}/10`, now));
    }
    const work = [...actions.outcomes].sort(([a], [b]) => a.localeCompare(b));
    await print(`Done: ${work.map(([name, count]) => `${name} ${count}`).join(", ")}`);
    const requests = Object.entries(await counts()).sort(([, a], [, b]) => b - a);
    for (const [name, count] of requests)
      await print(`${(count / HOURS).toFixed(1).padStart(8)} requests an hour  ${name}`);
    const [first] = tenths;
    const last = tenths.at(-1);
    assert.ok(first && last);
    for (const name of ["resident", "heap"] as const)
      assert.ok(last[name] <= first[name] * GROWTH, `${name}: ${first[name]} → ${last[name]} MB`);
    const [least, most] = [first, last].map(({ emitters }) => emitters);
    assert.ok((most ?? 0) <= (least ?? 0) * GROWTH, `emitters: ${least} → ${most}`);
    assert.deepEqual(rejections, []);
  });

  it("does nothing but refresh while idle", async () => {
    await workspace.getConfiguration("projectTranslations").update("refreshInterval", 60, true);
    await new Promise((resolve) => setTimeout(resolve, 30_000));
    const before = await counts();
    const from = process.cpuUsage();
    // The runner ends a window that prints nothing for too long.
    for (let minute = 1; minute <= IDLE; minute++) {
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      await print(`idle for ${minute} min`);
    }
    const { user, system } = process.cpuUsage(from);
    const spent = (user + system) / 1000 / IDLE;
    const requests = Object.entries(await counts())
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, count]) => count > 0);
    await print(line("idle", await measure()));
    await print(`Idle: ${Math.round(spent)} ms of the processor a minute; ${JSON.stringify(requests)}`);
    assert.deepEqual(
      requests.map(([name]) => name),
      ["GET /stats"],
    );
    assert.ok((requests[0]?.[1] ?? 0) <= IDLE + 1);
    assert.deepEqual(rejections, []);
  });
});
