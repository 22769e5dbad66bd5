/**
 * Runs long tasks in a worker thread: reading large uploads, building large exports. In the bundle this file is part
 * of the whole program, which the thread loads, but only this part runs there.
 */
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { buildExport, type BuiltExport, type ExportRequest } from "./exports/build-export.ts";
import { readLines, type ImportLine, type ReadRequest } from "./imports/read-import-lines.ts";
import { refusedFiles } from "./imports/check-upload.ts";
import { JobFailure } from "./jobs.ts";
import { Connection, openReader } from "./store/store.ts";

interface Tasks {
  checkFiles: typeof refusedFiles;
  readLines(dataFile: string, request: ReadRequest): Promise<ImportLine[]>;
  buildExport(dataFile: string, request: ExportRequest): Promise<BuiltExport>;
}
type TaskName = keyof Tasks;
type TaskArguments<Name extends TaskName> = Parameters<Tasks[Name]>;
type TaskResult<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>;

const TASKS: {
  readonly [Name in TaskName]: (...args: TaskArguments<Name>) => Promise<TaskResult<Name>>;
} = {
  checkFiles: refusedFiles,
  readLines: (dataFile, request) =>
    withReader(dataFile, (connection) =>
      readLines(request, (hash) => {
        const row = connection.get<{ is_plural: number }>("SELECT is_plural FROM keys WHERE hash = ?", hash);
        return row && row.is_plural === 1;
      }),
    ),
  buildExport: (dataFile, request) => withReader(dataFile, (connection) => buildExport(connection, request)),
};

const WORKER_MARK = "project-translations-service";

interface ThreadData<Name extends TaskName> {
  readonly mark: typeof WORKER_MARK;
  readonly name: Name;
  readonly args: TaskArguments<Name>;
}

/** What a thread sends back. */
type ThreadMessage<Name extends TaskName> =
  | { readonly result: TaskResult<Name> }
  | { readonly failure: Pick<JobFailure, "code" | "values"> };

/**
 * Runs a task in a worker thread, or in this one if it is small. `stopping` aborts it.
 * @throws {JobFailure}
 */
export async function runInThread<Name extends TaskName>(
  name: Name,
  args: TaskArguments<Name>,
  isSmall: boolean,
  stopping?: AbortSignal,
): Promise<TaskResult<Name>> {
  if (isSmall) return TASKS[name](...args);
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { mark: WORKER_MARK, name, args } satisfies ThreadData<Name>,
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  });
  const exited = once(worker, "exit").then(([code]) => {
    throw new Error(`the thread ended with ${String(code)}`);
  });
  try {
    const events = await Promise.race([once(worker, "message", { signal: stopping }), exited]);
    const [message] = events as [ThreadMessage<Name>];
    if ("failure" in message) throw new JobFailure(message.failure.code, message.failure.values);
    return message.result;
  } finally {
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

/** Returns whether this thread was started by `runInThread`, so that the program must not start the service. */
export function isWorkerThread(): boolean {
  return !isMainThread && (workerData as Partial<ThreadData<TaskName>> | null)?.mark === WORKER_MARK;
}

async function runInThisThread<Name extends TaskName>({
  name,
  args,
}: ThreadData<Name>): Promise<ThreadMessage<Name>> {
  try {
    return { result: await TASKS[name](...args) };
  } catch (error) {
    if (error instanceof JobFailure) return { failure: { code: error.code, values: error.values } };
    throw error;
  }
}

if (isWorkerThread()) parentPort?.postMessage(await runInThisThread(workerData as ThreadData<TaskName>));
