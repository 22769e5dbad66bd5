/**
 * Runs long tasks in a worker thread: reading large uploads, building large exports. In the bundle this file is part
 * of the whole program, which the thread loads, but only this part runs there.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { buildExport, type BuiltExport, type ExportRequest } from "./exports/build-export.ts";
import { refusedFiles } from "./imports/upload-files.ts";
import { readLines, type Line, type ReadRequest } from "./imports/read-import.ts";
import { JobFailure } from "./jobs.ts";
import { Connection, openReader } from "./store/store.ts";

interface Args {
  readonly inspect: Parameters<typeof refusedFiles>;
  readonly read: [dataFile: string, request: ReadRequest];
  readonly build: [dataFile: string, request: ExportRequest];
}

interface Results {
  readonly inspect: Awaited<ReturnType<typeof refusedFiles>>;
  readonly read: Line[];
  readonly build: BuiltExport;
}

const TASKS: { readonly [Name in keyof Args]: (...args: Args[Name]) => Promise<Results[Name]> } = {
  inspect: refusedFiles,
  read: (dataFile, request) =>
    withReader(dataFile, (connection) =>
      readLines(request, (hash) => {
        const row = connection.get<{ is_plural: number }>("SELECT is_plural FROM keys WHERE hash = ?", hash);
        return row && row.is_plural === 1;
      }),
    ),
  build: (dataFile, request) => withReader(dataFile, (connection) => buildExport(connection, request)),
};

/** What a thread sends: the result, or the failure of its task. */
type Answer<Name extends keyof Args> =
  | { readonly result: Results[Name] }
  | { readonly failure: Pick<JobFailure, "code" | "values"> };

/** Exports up to this number of values are built in the main thread. */
export const SMALL_VALUES = 4_000;
const WORKER_MARK = "project-translations-service";

/**
 * Runs a task in a worker thread, or in this one if it is small. `stopping` aborts it.
 * @throws {JobFailure}
 */
export async function runInThread<Name extends keyof Args>(
  name: Name,
  args: Args[Name],
  isSmall: boolean,
  stopping?: AbortSignal,
): Promise<Results[Name]> {
  if (isSmall) return TASKS[name](...args);
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { mark: WORKER_MARK, name, args },
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer<Name>>();
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

interface ThreadData<Name extends keyof Args> {
  readonly mark?: unknown;
  readonly name: Name;
  readonly args: Args[Name];
}

/** Returns whether this thread was started by `runInThread`, so that the program must not start the service. */
export function isWorkerThread(): boolean {
  return !isMainThread && (workerData as ThreadData<keyof Args> | null)?.mark === WORKER_MARK;
}

async function answerTo<Name extends keyof Args>({ name, args }: ThreadData<Name>): Promise<Answer<Name>> {
  try {
    return { result: await TASKS[name](...args) };
  } catch (error) {
    if (error instanceof JobFailure) return { failure: { code: error.code, values: error.values } };
    throw error;
  }
}

if (isWorkerThread()) parentPort?.postMessage(await answerTo(workerData as ThreadData<keyof Args>));
