/**
 * Runs long tasks in a worker thread: reading large uploads, building large exports. In the bundle this file is part
 * of the whole program, which the thread loads, but only this part runs there.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { buildExport, type BuiltExport, type ExportRequest } from "./exports/build.ts";
import { refusedFiles, type RefusedFile } from "./imports/inspect.ts";
import { readLines, type Line, type ReadRequest } from "./imports/read.ts";
import type { JobErrorCode } from "./specification-decisions.ts";
import { JobFailure } from "./jobs/jobs.ts";
import type { MessageValues } from "./http/messages.ts";
import type { FormatName } from "../model/format-name.ts";
import type { UploadedFile } from "./imports/upload.ts";
import { Connection, openReader } from "./store/store.ts";

/** A task for a worker thread. */
export type Task =
  | {
      readonly kind: "inspect";
      readonly files: readonly UploadedFile[];
      readonly format: FormatName | undefined;
    }
  | { readonly kind: "read"; readonly dataFile: string; readonly request: ReadRequest }
  | { readonly kind: "build"; readonly dataFile: string; readonly request: ExportRequest };

interface Failed {
  readonly failure: { readonly code: JobErrorCode; readonly values: MessageValues };
}
type Outcome<E extends Task> = E extends { kind: "inspect" }
  ? { readonly refused: readonly RefusedFile[] }
  : E extends { kind: "read" }
    ? { readonly lines: Line[] } | Failed
    : { readonly built: BuiltExport } | Failed;

/** Uploads up to this size are read in the main thread. */
export const SMALL_BYTES = 64 * 1024;
/** Exports up to this number of values are built in the main thread. */
export const SMALL_VALUES = 4_000;
const WORKER_MARK = "project-translations-service";

/** Runs a task in a worker thread, or in this one if it is small. `stopping` aborts it. */
export async function runInThread<E extends Task>(
  task: E,
  isSmall: boolean,
  stopping?: AbortSignal,
): Promise<Outcome<E>> {
  if (isSmall) return (await perform(task)) as Outcome<E>;
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { mark: WORKER_MARK, task },
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Outcome<E>>();
  const stop = (): void => reject(stopping?.reason as Error);
  try {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread ended with ${code}`)));
    stopping?.addEventListener("abort", stop, { once: true });
    return await promise;
  } finally {
    stopping?.removeEventListener("abort", stop);
    await worker.terminate();
  }
}

async function perform(task: Task): Promise<Outcome<Task>> {
  try {
    switch (task.kind) {
      case "inspect":
        return { refused: await refusedFiles(task.files, task.format) };
      case "read":
        return await withReader(task.dataFile, async (connection) => {
          const plural = connection.sql("SELECT is_plural FROM keys WHERE hash = ?");
          return {
            lines: await readLines(task.request, (hash) => {
              const row = plural.get(hash);
              return row === undefined ? undefined : row["is_plural"] === 1;
            }),
          };
        });
      case "build":
        return await withReader(task.dataFile, async (connection) => ({
          built: await buildExport(connection, task.request),
        }));
    }
  } catch (error) {
    if (error instanceof JobFailure) return { failure: { code: error.code, values: error.values } };
    throw error;
  }
}

/** Runs `work` with a consistent snapshot of the store. */
async function withReader<T>(dataFile: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const database = openReader(dataFile);
  try {
    database.exec("BEGIN");
    return await work(new Connection(database));
  } finally {
    database.close();
  }
}

/** Returns whether this thread was started by `runInThread`, so that the program must not start the service. */
export function isWorkerThread(): boolean {
  return !isMainThread && (workerData as { mark?: unknown } | null)?.mark === WORKER_MARK;
}

if (isWorkerThread()) {
  parentPort?.postMessage(await perform((workerData as { task: Task }).task));
}
