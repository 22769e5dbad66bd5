/**
 * The indexing process: reads the files of projects and writes their databases. A separate bundle without VS Code,
 * started by `indexer-client.ts`.
 */
import { constants, getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { createBirpc } from "birpc";
import { Database, isWriteRefused } from "../database/database.ts";
import { PriorityScheduler } from "../util/event-loop.ts";
import { getOrCreate } from "../util/maps.ts";
import { type RequestPriority, variablePriority } from "../util/priority.ts";
import {
  type CallResult,
  channelOver,
  type ClientFunctions,
  type IndexCall,
  type WorkerFunctions,
} from "./indexer-protocol.ts";
import type { ScanFiles } from "../workspace/usages/scan-source-files.ts";
import {
  createFolderIndexing,
  createIndexing,
  type FolderIndexing,
  type ProjectIndexing,
} from "./project-indexing.ts";
import { serveScanThread, ScanThread } from "./scan-thread.ts";

function serve(): void {
  const thread = new ScanThread();
  const indexings = new Map<string, ProjectIndexing | FolderIndexing>();
  const running = new Map<number, RunningCall>();
  const scheduler = new PriorityScheduler();
  const indexingOf = ({ database: location, root }: IndexCall): ProjectIndexing | FolderIndexing =>
    getOrCreate(indexings, location?.path ?? `folder ${root}`, () => {
      if (location === null) return createFolderIndexing(root);
      const database = new Database(location.path, undefined, location.windowPid);
      database.prepareForWriting();
      const scanFiles: ScanFiles = (filesToScan, find) => thread.scan(root, filesToScan, find);
      return createIndexing(database, root, scanFiles);
    });
  const run = async (call: IndexCall): Promise<CallResult> => {
    const { id, subject, name, args } = call;
    const controller = new AbortController();
    const priority = variablePriority(call.priority);
    running.set(id, { controller, priority });
    try {
      const functions = Reflect.get(indexingOf(call), subject) as Record<string, AnyFunction>;
      const callBack = (argument: unknown): void => void client.callBack.asEvent(id, argument);
      const received = args.map((argument) => (isCallback(argument) ? callBack : argument));
      const work = async (): Promise<unknown> => functions[name]?.(...received, controller.signal);
      return { value: await scheduler.run(priority, work) };
    } catch (error) {
      if (!isWriteRefused(error)) throw error;
      const { message, errcode } = error as { readonly message: string; readonly errcode?: unknown };
      return { refusedWrite: { message, errcode } };
    } finally {
      running.delete(id);
    }
  };
  const raise = (id: number): void => running.get(id)?.priority.raise();
  const cancel = (id: number): void => {
    running.get(id)?.controller.abort();
    // It ends at its next yield, also while people's work is running.
    raise(id);
  };
  const client = createBirpc<ClientFunctions, WorkerFunctions>(
    { run, cancel, raise },
    channelOver(process, (message) => process.send?.(message)),
  );
  void client.started.asEvent();
}

/** Where processors are scarce, the extension host and the page come first; elsewhere this changes nothing. */
function lowerPriority(): void {
  try {
    setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox may not allow it.
  }
}

function isCallback(argument: unknown): boolean {
  return typeof argument === "object" && argument !== null && "isCallback" in argument;
}

/** Half of what `PRIORITY_BELOW_NORMAL` of `node:os` is: a person may wait for what the process does. */
const NICENESS = 5;

interface RunningCall {
  readonly controller: AbortController;
  readonly priority: RequestPriority;
}

type AnyFunction = (...args: unknown[]) => Promise<unknown>;

if (parentPort === null) {
  lowerPriority();
  // The process ends with the window that started it, however that ended.
  process.once("disconnect", () => process.exit());
  serve();
} else {
  serveScanThread(parentPort);
}
