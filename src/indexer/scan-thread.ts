/**
 * Searches source files in a second thread of the indexing process, so that the first one can write the results to the
 * database meanwhile. The thread runs the same program as the process.
 */
import { type MessagePort, Worker } from "node:worker_threads";
import { type BirpcReturn, createBirpc } from "birpc";
import { channelOver } from "./indexer-protocol.ts";
import { searchFiles, type SearchFiles } from "../workspace/usages/scan-source-files.ts";
import { sourceFilesOf } from "../workspace/usages/source-files.ts";

/** Functions of the thread. */
interface ThreadFunctions {
  /** Searches files in the folder `root`. */
  search(root: string, ...args: Parameters<SearchFiles>): ReturnType<SearchFiles>;
}

/** The thread; started by the first call. An error in it ends the process, whose client then starts another one. */
export class ScanThread {
  #rpc: BirpcReturn<ThreadFunctions> | undefined;

  search: ThreadFunctions["search"] = (...args) => (this.#rpc ??= startThread()).search(...args);
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
  const search: ThreadFunctions["search"] = (root, toSearch, find) =>
    searchFiles(sourceFilesOf(root), toSearch, find, () => Promise.resolve());
  createBirpc<object, ThreadFunctions>(
    { search },
    channelOver(port, (message) => port.postMessage(message)),
  );
}
