/**
 * The indexing process: reads the files of projects and writes their databases. A separate bundle without VS Code,
 * started by `indexer-client.ts`.
 */
import { isMainThread } from "node:worker_threads";
import { createBirpc } from "birpc";
import { Database, isWriteRefused } from "../database/database.ts";
import { getOrCreate } from "../util/maps.ts";
import type { CallResult, ClientFunctions, IndexCall, WorkerFunctions } from "./indexer-protocol.ts";
import type { SearchFiles } from "../workspace/usages/scan-source-files.ts";
import { createIndexing, type ProjectIndexing } from "./project-indexing.ts";
import { serveScanThread, ScanThread } from "./scan-thread.ts";

function serve(): void {
  const thread = new ScanThread();
  const projects = new Map<string, ProjectIndexing>();
  const running = new Map<number, AbortController>();
  const indexingOf = ({ databasePath, windowPid, root }: IndexCall): ProjectIndexing =>
    getOrCreate(projects, databasePath, () => {
      const database = new Database(databasePath, undefined, windowPid);
      database.prepareForWriting();
      const searchFiles: SearchFiles = (toSearch, find) => thread.search(root, toSearch, find);
      return createIndexing(database, root, searchFiles);
    });
  const run = async (call: IndexCall): Promise<CallResult> => {
    const { id, subject, name, args } = call;
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const functions = indexingOf(call)[subject] as unknown as Record<string, AnyFunction>;
      const callBack = (argument: unknown): void => void client.callBack.asEvent(id, argument);
      const given = args.map((each) => (isCallback(each) ? callBack : each));
      return { value: await functions[name]?.(...given, controller.signal) };
    } catch (error) {
      if (!isWriteRefused(error)) throw error;
      const { message, errcode } = error as { readonly message: string; readonly errcode?: unknown };
      return { refusedWrite: { message, errcode } };
    } finally {
      running.delete(id);
    }
  };
  const cancel = (id: number): void => running.get(id)?.abort();
  const client = createBirpc<ClientFunctions, WorkerFunctions>(
    { run, cancel },
    {
      post: (message) => process.send?.(message),
      on: (listener) => void process.on("message", listener),
      timeout: -1,
    },
  );
  void client.started.asEvent();
}

function isCallback(argument: unknown): boolean {
  return typeof argument === "object" && argument !== null && "isCallback" in argument;
}

type AnyFunction = (...args: unknown[]) => Promise<unknown>;

if (isMainThread) {
  // The process ends with the window that started it, however that ended.
  process.once("disconnect", () => process.exit());
  serve();
} else {
  serveScanThread();
}
