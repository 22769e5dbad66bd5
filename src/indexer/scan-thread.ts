/**
 * Searches source files in a second thread of the indexing process, so that the first one can write the results to the
 * database meanwhile. The thread runs the same program as the process.
 */
import { parentPort, Worker } from "node:worker_threads";
import { type BirpcReturn, createBirpc } from "birpc";
import type { FindOptions } from "../scanners/key-usage.ts";
import {
  type FileToSearch,
  searchFiles,
  type SourceFileContent,
} from "../workspace/usages/scan-source-files.ts";
import { sourceFilesOf } from "../workspace/usages/source-files.ts";

/** Functions of the thread. */
interface ThreadFunctions {
  /** Searches files in the folder `root`, as `SearchFiles`. */
  search(
    root: string,
    toSearch: readonly FileToSearch[],
    find: FindOptions,
  ): Promise<readonly SourceFileContent[]>;
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
    {
      post: (message) => thread.postMessage(message),
      on: (listener) => void thread.on("message", listener),
      timeout: -1,
    },
  );
}

/** Answers calls in the thread. */
export function serveScanThread(): void {
  const search: ThreadFunctions["search"] = (root, toSearch, find) =>
    searchFiles(sourceFilesOf(root), toSearch, find, () => Promise.resolve());
  createBirpc<object, ThreadFunctions>(
    { search },
    {
      post: (message) => parentPort?.postMessage(message),
      on: (listener) => void parentPort?.on("message", listener),
      timeout: -1,
    },
  );
}
