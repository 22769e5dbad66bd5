/**
 * What the inside of the bench measures with: the figures so far, the host's own time and memory, and waiting. What is
 * done meanwhile is not said here.
 */
import { renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readOrders, type Measured, type Report, type Task } from "./orders.ts";

/** All that was measured in this window. */
export const figures: Measured = {};
export const orders = readOrders();

/** Tells the outside how far it is; whole at any moment. */
export function report(begun: readonly Task[]): void {
  const all: Report = { begun, figures, host: process.pid };
  writeFileSync(`${orders.out}.new`, JSON.stringify(all));
  renameSync(`${orders.out}.new`, orders.out);
}

/** Rejects when the signal is aborted first. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, signal === undefined ? {} : { signal });

/** Asks again and again until it is so. Milliseconds that it took; `null`: not in `seconds`. */
export async function until(seconds: number, is: () => Promise<boolean> | boolean): Promise<number | null> {
  const from = performance.now();
  while (performance.now() - from < seconds * 1000) {
    if (await is()) return performance.now() - from;
    await pause(10);
  }
  return null;
}

interface Usage {
  readonly user: number;
  readonly system: number;
}

/** Milliseconds of the processor that the host's own thread took; other processes' work does not lengthen them. */
export const threadTime = (): number => {
  // Node 24 has it; the types are of the oldest Node that is supported.
  const { user, system } = (process as unknown as { threadCpuUsage(): Usage }).threadCpuUsage();
  return (user + system) / 1000;
};

/** What the host did meanwhile: its thread's busy time, all threads' time, and the longest that the thread was held. */
export async function watched<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const profiler = orders.profile === undefined ? undefined : new Session();
  profiler?.connect();
  await profiler?.post("Profiler.enable");
  await profiler?.post("Profiler.setSamplingInterval", { interval: 500 });
  await profiler?.post("Profiler.start");
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const busy = performance.eventLoopUtilization();
  const cpu = process.cpuUsage();
  const own = threadTime();
  const from = performance.now();
  try {
    return await work();
  } finally {
    figures[`${name}: wall (ms)`] = performance.now() - from;
    figures[`${name}: busy (ms)`] = performance.eventLoopUtilization(busy).active;
    const { user, system } = process.cpuUsage(cpu);
    figures[`${name}: processor, all threads (ms)`] = (user + system) / 1000;
    figures[`${name}: processor, host's thread (ms)`] = threadTime() - own;
    delay.disable();
    figures[`${name}: longest block (ms)`] = Math.max(0, delay.max / 1e6 - 1);
    const profile = await profiler?.post("Profiler.stop");
    if (profile !== undefined)
      writeFileSync(
        `${orders.profile}-${name.replaceAll(" ", "-")}.cpuprofile`,
        JSON.stringify(profile.profile),
      );
    profiler?.disconnect();
  }
}

/** Notes the middle, the 95th of a hundred and the longest. */
export function spread(name: string, taken: readonly number[]): void {
  const sorted = taken.toSorted((a, b) => a - b);
  figures[`${name}: median (ms)`] = sorted[sorted.length >> 1] ?? null;
  figures[`${name}: 95th (ms)`] = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
  figures[`${name}: longest (ms)`] = sorted.at(-1) ?? null;
}

/** Until the host did next to nothing for two seconds; at most a minute, since VS Code itself may never do that. */
export async function rest(): Promise<void> {
  for (let quiet = 0, at = 0; quiet < 4 && at < 120; at++) {
    const from = performance.eventLoopUtilization();
    await pause(500);
    quiet = performance.eventLoopUtilization(from).utilization < 0.04 ? quiet + 1 : 0;
  }
}

/**
 * Notes what the host's process holds after it was made to tidy up. `settle`: milliseconds for threads that nobody needs
 * any more to end, and for V8 to give back what they held.
 */
export async function memory(name: string, settle = 1_000): Promise<void> {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  await pause(settle);
  figures[`memory ${name}, before a collection: rss (MB)`] = process.memoryUsage().rss / 2 ** 20;
  gc();
  await pause(500);
  gc();
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  figures[`memory ${name}: rss (MB)`] = rss / 2 ** 20;
  figures[`memory ${name}: heap (MB)`] = heapUsed / 2 ** 20;
  figures[`memory ${name}: buffers (MB)`] = Math.max(external, arrayBuffers) / 2 ** 20;
}
