/** Measures the extension host: memory after a garbage collection, active resources, event emitters. */
import * as v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { EventEmitter } from "vscode";

/** Megabytes and counts at one moment. */
export interface Measurement {
  readonly resident: number;
  readonly heap: number;
  readonly external: number;
  /** Active resources by kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** Instances on the heap; `null`: not counted this time. */
  readonly emitters: number | null;
  readonly signals: number | null;
}

v8.setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const megabytes = (bytes: number): number => Math.round(bytes / 104_857.6) / 10;

/** Returns the number of instances on the heap, after a garbage collection. */
function countInstances(constructor: unknown): number {
  return (v8 as unknown as Counting).queryObjects(constructor, { format: "count" });
}

/** Newer than the types of the oldest Node that is supported. */
interface Counting {
  queryObjects(constructor: unknown, options: { readonly format: "count" }): number;
}

/** @param countsInstances also counts instances, which blocks the host */
export async function measure(countsInstances = false): Promise<Measurement> {
  const emitters = countsInstances ? countInstances(EventEmitter) : null;
  const signals = countsInstances ? countInstances(AbortSignal) : null;
  for (let round = 0; round < 2; round++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  return {
    resident: megabytes(rss),
    heap: megabytes(heapUsed),
    external: megabytes(external),
    resources,
    emitters,
    signals,
  };
}
