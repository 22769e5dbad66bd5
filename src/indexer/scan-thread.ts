/**
 * Scans source files in a second thread of the indexing process, so that the first one can write the results to the
 * database at the same time. The thread runs the same program as the process.
 */
import { type MessagePort, Worker } from "node:worker_threads";
import { type BirpcReturn, createBirpc } from "birpc";
import { channelOver } from "./indexer-protocol.ts";
import { getOrCreate } from "../util/maps.ts";
import { scanFiles, type ScanFiles } from "../workspace/usages/scan-source-files.ts";
import { type SourceFiles, sourceFilesOf } from "../workspace/usages/list-source-files.ts";

/** Functions of the thread. */
interface ThreadFunctions {
  /** Scans files in the folder `root`. */
  scan(root: string, ...args: Parameters<ScanFiles>): ReturnType<ScanFiles>;
}

/** The thread; started by the first call. An error in it ends the process, whose client then starts another one. */
export class ScanThread {
  #rpc: BirpcReturn<ThreadFunctions> | undefined;

  scan: ThreadFunctions["scan"] = (...args) => (this.#rpc ??= startThread()).scan(...args);
}

function startThread(): BirpcReturn<ThreadFunctions> {
  const thread = new Worker(process.argv[1] ?? "");
  thread.on("exit", (code) => process.exit(code));
  return createBirpc<ThreadFunctions>(
    {},
    channelOver(thread, (message) => thread.postMessage(message)),
  );
}

/** Answers calls in the thread that `port` connects to its parent. */
export function serveScanThread(port: MessagePort): void {
  const filesByRoot = new Map<string, SourceFiles>();
  const scan: ThreadFunctions["scan"] = (root, filesToScan, find) => {
    const files = getOrCreate(filesByRoot, root, () => sourceFilesOf(root));
    return scanFiles(files, filesToScan, find, () => Promise.resolve());
  };
  createBirpc<object, ThreadFunctions>(
    { scan },
    channelOver(port, (message) => port.postMessage(message)),
  );
}
