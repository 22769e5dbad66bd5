/** What the soaked extension host holds: memory after a collection, things that keep it awake, things that listen. */
import * as v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { EventEmitter } from "vscode";

/** Megabytes and counts at one moment. */
export interface Held {
  readonly resident: number;
  readonly heap: number;
  readonly outside: number;
  /** What keeps the host awake, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** Instances on the heap; `null`: not counted this time. */
  readonly emitters: number | null;
  readonly signals: number | null;
}

v8.setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const megabytes = (bytes: number): number => Math.round(bytes / 104_857.6) / 10;

/** Instances on the heap; collects by itself. */
function alive(constructor: unknown): number {
  return (v8 as unknown as Counting).queryObjects(constructor, { format: "count" });
}

/** Newer than the types of the oldest Node that is supported. */
interface Counting {
  queryObjects(constructor: unknown, options: { readonly format: "count" }): number;
}

/** Collects what is no longer needed, and looks. `thoroughly`: the heap is gone through, which holds the host up. */
export async function held(thoroughly = false): Promise<Held> {
  const emitters = thoroughly ? alive(EventEmitter) : null;
  const signals = thoroughly ? alive(AbortSignal) : null;
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
    outside: megabytes(external),
    resources,
    emitters,
    signals,
  };
}
