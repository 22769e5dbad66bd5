/**
 * `npm run test:host -- soak`, by hand: eight hours of a developer's day in a few minutes, then an idle time. Prints what
 * the extension host holds after each tenth and what was asked of the service; test/bench/README.md says what for.
 * `SOAK_MINUTES`, `SOAK_IDLE` (minutes) and `SOAK_SEED` in the environment choose another day.
 */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { commands, workspace } from "vscode";
import { call, startService } from "../harness/bridge-client.ts";
import { Day } from "./day.ts";
import { held, type Held } from "./measures.ts";
import { randomGenerator } from "../../unit/support/random.ts";

const HOURS = 8;
const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 12);
const IDLE = Number(process.env["SOAK_IDLE"] ?? 4);
const SEED = Number(process.env["SOAK_SEED"] ?? 1);
/** Above what stands after the first tenth. */
const GROWTH = 1.1;

const say = (text: string): Promise<null> => call("print", { text });

const line = (name: string, now: Held): string =>
  [
    name.padEnd(8),
    `resident ${now.resident} MB`,
    `heap ${now.heap} MB`,
    `outside ${now.outside} MB`,
    ...(now.emitters === null ? [] : [`emitters ${now.emitters}, signals ${now.signals}`]),
    Object.entries(now.resources)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(", "),
  ].join(" | ");

describe("a long day", function () {
  this.timeout(0);
  const rejections: string[] = [];
  const noteRejection = (reason: unknown): void => {
    rejections.push(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
  };
  let weather: ChildProcess;
  let address: string;
  let day: Day;

  const counts = async (): Promise<Record<string, number>> =>
    (await (await fetch(`${address}/-/counts`)).json()) as Record<string, number>;

  before(async () => {
    process.on("unhandledRejection", noteRejection);
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
    weather = spawn(process.execPath, [process.env["SOAK_WEATHER"] ?? "", service.baseUrl], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    assert.ok(weather.stdout);
    for await (const said of createInterface({ input: weather.stdout })) {
      address = said;
      break;
    }
    const signedIn = await commands.executeCommand<{ outcome: string }>("projectTranslations.signIn", {
      confirm: false,
      baseUrl: `${address}/v1`,
      token: service.token,
    });
    assert.equal(signedIn.outcome, "done", JSON.stringify(signedIn));
    day = new Day({
      random: randomGenerator(SEED),
      service,
      weather: async (kind, requests) => void (await fetch(`${address}/-/weather/${kind}/${requests}`)),
    });
  });

  after(() => {
    process.off("unhandledRejection", noteRejection);
    weather.kill();
  });

  it("memory does not grow after the first tenth", async () => {
    await say(line("begin", await held()));
    const tenths: Held[] = [];
    const begun = Date.now();
    for (let tenth = 1; tenth <= 10; tenth++) {
      const end = begun + (MINUTES * 60_000 * tenth) / 10;
      do await day.next();
      while (Date.now() < end);
      await day.evening();
      await workspace.saveAll(false);
      assert.equal(await day.refresh(), "done");
      await commands.executeCommand("workbench.action.closeAllEditors");
      // What was put off until nobody types comes to its end.
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      const now = await held(tenth === 1 || tenth === 10);
      tenths.push(now);
      await say(line(`${tenth}/10`, now));
    }
    const work = [...day.done].sort(([a], [b]) => a.localeCompare(b));
    await say(`Done: ${work.map(([name, count]) => `${name} ${count}`).join(", ")}`);
    const asked = Object.entries(await counts()).sort(([, a], [, b]) => b - a);
    for (const [name, count] of asked)
      await say(`${(count / HOURS).toFixed(1).padStart(8)} requests an hour  ${name}`);
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
    // The runner takes a window that says nothing for a dead one.
    for (let minute = 1; minute <= IDLE; minute++) {
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      await say(`idle for ${minute} min`);
    }
    const { user, system } = process.cpuUsage(from);
    const spent = (user + system) / 1000 / IDLE;
    const asked = Object.entries(await counts())
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, count]) => count > 0);
    await say(line("idle", await held()));
    await say(`Idle: ${Math.round(spent)} ms of the processor a minute; ${JSON.stringify(asked)}`);
    assert.deepEqual(
      asked.map(([name]) => name),
      ["GET /stats"],
    );
    assert.ok((asked[0]?.[1] ?? 0) <= IDLE + 1);
    assert.deepEqual(rejections, []);
  });
});
