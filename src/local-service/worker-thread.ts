/**
 * Runs long tasks in a worker thread: reading large uploads, building large exports. In the bundle this file is part
 * of the whole program, which the thread loads, but only this part runs there.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { buildExport, type BuiltExport, type ExportRequest } from "./exports/build-export.ts";
import { refusedFiles, type RefusedFile } from "./imports/refused-files.ts";
import { readLines, type Line, type ReadRequest } from "./imports/read-import.ts";
import type { JobErrorCode } from "./specification-decisions.ts";
import { JobFailure } from "./jobs/job-store.ts";
import type { MessageValues } from "./http/localised-messages.ts";
import type { FormatName } from "../model/format-name.ts";
import type { UploadedFile } from "./imports/parse-upload.ts";
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

type Result<E extends Task> = E extends { kind: "inspect" }
  ? RefusedFile[]
  : E extends { kind: "read" }
    ? Line[]
    : BuiltExport;

/** What a thread sends: the result, or the failure of its task. */
type Answer<E extends Task> =
  | { readonly result: Result<E> }
  | { readonly failure: { readonly code: JobErrorCode; readonly values: MessageValues } };

/** Uploads up to this size are read in the main thread. */
const SMALL_BYTES = 64 * 1024;
/** Exports up to this number of values are built in the main thread. */
export const SMALL_VALUES = 4_000;
const WORKER_MARK = "project-translations-service";

/** Returns whether an upload is read in the main thread. */
export function isSmallUpload(files: readonly UploadedFile[]): boolean {
  return files.reduce((size, { bytes }) => size + bytes.length, 0) <= SMALL_BYTES;
}

/**
 * Runs a task in a worker thread, or in this one if it is small. `stopping` aborts it.
 * @throws {JobFailure}
 */
export async function runInThread<E extends Task>(
  task: E,
  isSmall: boolean,
  stopping?: AbortSignal,
): Promise<Result<E>> {
  if (isSmall) return (await perform(task)) as Result<E>;
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { mark: WORKER_MARK, task },
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer<E>>();
  const stop = (): void => reject(stopping?.reason as Error);
  try {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread ended with ${code}`)));
    stopping?.addEventListener("abort", stop, { once: true });
    const answer = await promise;
    if ("failure" in answer) throw new JobFailure(answer.failure.code, answer.failure.values);
    return answer.result;
  } finally {
    stopping?.removeEventListener("abort", stop);
    await worker.terminate();
  }
}

async function perform(task: Task): Promise<Result<Task>> {
  switch (task.kind) {
    case "inspect":
      return refusedFiles(task.files, task.format);
    case "read":
      return withReader(task.dataFile, (connection) => {
        const plural = connection.sql("SELECT is_plural FROM keys WHERE hash = ?");
        return readLines(task.request, (hash) => {
          const row = plural.get(hash);
          return row === undefined ? undefined : row["is_plural"] === 1;
        });
      });
    case "build":
      return withReader(task.dataFile, (connection) => buildExport(connection, task.request));
  }
}

async function answerTo(task: Task): Promise<Answer<Task>> {
  try {
    return { result: await perform(task) };
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
  parentPort?.postMessage(await answerTo((workerData as { task: Task }).task));
}
