/** Measurements of the bench's tasks: time, processor time and memory of the extension host. */
import { renameSync, writeFileSync } from "node:fs";
import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readTaskOptions, type Figures, type Report, type Task } from "./vscode-task-options.ts";

/** The figures of this window. */
export const figures: Figures = {};
export const taskOptions = readTaskOptions();
const isProfiled = taskOptions.profile !== undefined || taskOptions.ownCode !== undefined;

/** Writes the report atomically. */
export function report(begun: readonly Task[]): void {
  const all: Report = { begun, figures, host: process.pid };
  writeFileSync(`${taskOptions.out}.new`, JSON.stringify(all));
  renameSync(`${taskOptions.out}.new`, taskOptions.out);
}

/** Rejects when the signal is aborted first. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, signal === undefined ? {} : { signal });

/** Waits for a condition. Returns the milliseconds that it took; `null` after `seconds`. */
export async function waitUntil(
  seconds: number,
  is: () => Promise<boolean> | boolean,
): Promise<number | null> {
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

/** Returns the processor time of the host's main thread in milliseconds, which other processes do not affect. */
export const threadTime = (): number => {
  // Node 24 has it; the types are of the oldest Node that is supported.
  const { user, system } = (process as unknown as { threadCpuUsage(): Usage }).threadCpuUsage();
  return (user + system) / 1000;
};

/** Measures some work: wall time, busy time, processor time and the longest block of the event loop. */
export async function measure<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const profiler = isProfiled ? new Session() : undefined;
  profiler?.connect();
  await profiler?.post("Profiler.enable");
  await profiler?.post("Profiler.setSamplingInterval", { interval: 500 });
  await profiler?.post("Profiler.start");
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const blocks = recordBlocks();
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
    const longest = blocks.stop();
    const profile = await profiler?.post("Profiler.stop");
    if (profile !== undefined && taskOptions.ownCode !== undefined)
      figures[`${name}: longest block of ours (ms)`] = longestOwn(
        longest,
        profile.profile,
        taskOptions.ownCode,
      );
    if (profile !== undefined && taskOptions.profile !== undefined)
      writeFileSync(
        `${taskOptions.profile}-${name.replaceAll(" ", "-")}.cpuprofile`,
        JSON.stringify(profile.profile),
      );
    profiler?.disconnect();
  }
}

/** A time in which nothing else ran, in microseconds of the monotonic clock, as in CPU profiles. */
interface Block {
  readonly start: number;
  readonly end: number;
}

/** Shorter ones are not recorded. */
const MIN_BLOCK_MS = 25;

/** Records blocks of the event loop until it is stopped. */
function recordBlocks(): { stop(): readonly Block[] } {
  const now = (): number => Number(process.hrtime.bigint() / 1000n);
  const found: Block[] = [];
  let last = now();
  const beat = (): void => {
    const end = now();
    if (end - last > MIN_BLOCK_MS * 1000) found.push({ start: last, end });
    last = end;
  };
  const timer = setInterval(beat, 10);
  return {
    stop: () => {
      clearInterval(timer);
      beat();
      return found;
    },
  };
}

/** Returns the longest time in milliseconds that code of the folder took in one of the blocks, with what it called. */
function longestOwn(blocks: readonly Block[], profile: Profiler.Profile, folder: string): number {
  const own = new Set<number>();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const mark = (id: number, isOwn: boolean): void => {
    const node = nodes.get(id);
    if (node === undefined) return;
    const isOurs = isOwn || node.callFrame.url.includes(folder);
    if (isOurs) own.add(id);
    for (const child of node.children ?? []) mark(child, isOurs);
  };
  const [root] = profile.nodes;
  if (root !== undefined) mark(root.id, false);
  const taken = blocks.map(() => 0);
  let time = profile.startTime;
  let at = 0;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    time += profile.timeDeltas?.[index] ?? 0;
    while (at < blocks.length && (blocks[at]?.end ?? 0) < time) at++;
    const block = blocks[at];
    if (block === undefined) break;
    const next = profile.timeDeltas?.[index + 1] ?? 0;
    if (time >= block.start && own.has(id)) taken[at] = (taken[at] ?? 0) + next / 1000;
  }
  return Math.max(0, ...taken);
}

/** Records median, 95th percentile and maximum. */
export function recordPercentiles(name: string, taken: readonly number[]): void {
  const sorted = taken.toSorted((a, b) => a - b);
  figures[`${name}: median (ms)`] = sorted[sorted.length >> 1] ?? null;
  figures[`${name}: 95th (ms)`] = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
  figures[`${name}: longest (ms)`] = sorted.at(-1) ?? null;
}

/** Processor time of an idle host's thread in half a second, in milliseconds; a profiler takes 25 to 40 ms of its own. */
const IDLE_MS = 40;
const IDLE_PROFILED_MS = 100;

/** Waits until the host's thread did next to nothing for so many seconds, at most two minutes. */
export async function waitUntilIdle(seconds = 2): Promise<void> {
  const idle = isProfiled ? IDLE_PROFILED_MS : IDLE_MS;
  for (let quiet = 0, at = 0; quiet < 2 * seconds && at < 240; at++) {
    const from = threadTime();
    await pause(500);
    quiet = threadTime() - from < idle ? quiet + 1 : 0;
  }
}

/**
 * Records the memory of the host's process after a garbage collection.
 * @param settle milliseconds before it, in which idle threads end
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
