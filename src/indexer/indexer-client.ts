/**
 * Calls an indexing process. It is started on demand and stopped when idle, which frees its memory; memory that a
 * worker thread frees would stay with the extension host. Calls in flight when it is killed are retried in a new
 * process.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type BirpcReturn, createBirpc } from "birpc";
import type { Database } from "../database/database.ts";
import { PriorityScheduler } from "../util/event-loop.ts";
import { getOrCreate } from "../util/maps.ts";
import { currentPriority, type Priority, RequestPriority, variablePriority } from "../util/priority.ts";
import type { Log } from "../model/platform.ts";
import { OUT_OF_MEMORY } from "../workspace/local-files/parse-large-files-in-indexer.ts";
import {
  CALLBACK,
  channelOver,
  type ClientFunctions,
  type IndexCall,
  type WorkerFunctions,
} from "./indexer-protocol.ts";
import {
  createFolderIndexing,
  createIndexing,
  type FolderIndexing,
  FUNCTION_NAMES,
  type ProjectIndexing,
} from "./project-indexing.ts";

const IDLE_MS = 10_000;
/** Parsing a translation file of 50 MB takes a large part of it. */
const MAX_HEAP_MB = 2_048;
/** V8's message before it ends a process whose heap is full. */
const OUT_OF_MEMORY_MESSAGE = "heap out of memory";
const MAX_STDERR_CHARACTERS = 2_000;
const MAX_ATTEMPTS = 2;

export interface IndexerDependencies {
  /** Path of the bundled `indexer-process.ts`. */
  readonly program: string;
  readonly log: Pick<Log, "warn">;
  /** Time without a call before the process is stopped; default: 10 s. */
  readonly idleMs?: number;
  /** Default: 2,048. MiB. */
  readonly maxHeapMb?: number;
}

interface WorkerProcess {
  readonly child: ChildProcess;
  readonly rpc: BirpcReturn<WorkerFunctions, ClientFunctions>;
  isStarted: boolean;
  hasEnded: boolean;
  calls: number;
}

type AnyFunction = (...args: unknown[]) => Promise<unknown>;

/** What the functions of a project or folder are called for. */
interface CallContext {
  /** `null`: the functions need none. */
  readonly database: Database | null;
  readonly root: string;
  readonly priority: Priority | RequestPriority;
}

/** Starts, calls and stops the indexing process. */
export class IndexerClient {
  readonly #dependencies: IndexerDependencies;
  readonly #projects = new WeakMap<Database, ProjectIndexing>();
  readonly #folders = new Map<string, FolderIndexing>();
  #process: WorkerProcess | null = null;
  /** Whether starting it failed, so that calls run in this process from then on. */
  #isBroken = false;
  #isDisposed = false;
  #lastId = 0;
  /** Callback arguments of the calls in flight, by the id of the call. */
  readonly #callbacks = new Map<number, (argument: unknown) => void>();
  /** Of the calls that run in this process. */
  readonly #scheduler = new PriorityScheduler();
  #idle: NodeJS.Timeout | undefined;

  constructor(dependencies: IndexerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Stops the process and rejects the calls in flight. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#idle);
    if (this.#process !== null) this.#end(this.#process, new Error("The window is closing"));
  }

  /**
   * Returns the functions for the project of a database. They run in the indexing process, or in this one if the
   * database is in memory, where it moves when the process cannot write its file. They reject with the signal's reason,
   * and when the process ended at each attempt.
   * @param root As in `createIndexing`.
   * @param priority Of all calls; background calls stop between files or batches while people's are running.
   */
  forProject(
    database: Database,
    root: string,
    priority: Priority | RequestPriority = "background",
  ): ProjectIndexing {
    const local = getOrCreate(this.#projects, database, () => createIndexing(database, root));
    return this.#scheduled(local, { database, root, priority });
  }

  /** Returns the functions for a folder, which run as those of a project, for a person. */
  forFolder(root: string): FolderIndexing {
    const local = getOrCreate(this.#folders, root, () => createFolderIndexing(root));
    return this.#scheduled(local, { database: null, root, priority: "person" });
  }

  /** Returns functions that call those of the indexing process. @param local the same in this process */
  #scheduled<Indexing extends object>(local: Indexing, context: CallContext): Indexing {
    const subjects = Object.entries(local).map(([subject, functions]: [string, object]) => {
      const names = Object.keys(FUNCTION_NAMES[subject as keyof typeof FUNCTION_NAMES]);
      const calls = names.map((name) => {
        const runHere = (Reflect.get(functions, name) as AnyFunction).bind(functions);
        const call: AnyFunction = (...args) => this.#call(context, { subject, name }, args, runHere);
        return [name, call];
      });
      return [subject, Object.fromEntries(calls)];
    });
    return Object.fromEntries(subjects) as Indexing;
  }

  async #call(
    { database, root, priority }: CallContext,
    target: Pick<IndexCall, "subject" | "name">,
    args: readonly unknown[],
    runHere: AnyFunction,
  ): Promise<unknown> {
    const signal = args.find((argument) => argument instanceof AbortSignal);
    const callback = args.find((argument) => typeof argument === "function");
    const id = ++this.#lastId;
    const call: Omit<IndexCall, "priority"> = {
      ...target,
      id,
      root,
      database: database && { path: database.path, windowPid: database.windowPid },
      args: args
        .filter((argument) => !(argument instanceof AbortSignal))
        .map((argument) => (typeof argument === "function" ? CALLBACK : argument)),
    };
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      if (this.#isDisposed) throw new Error("The window is closing");
      // The database may have been moved to memory since.
      const isRemote = database?.isOnDisk !== false && !this.#isBroken;
      const worker = isRemote ? (this.#process ?? this.#start()) : null;
      if (worker === null) return this.#scheduler.run(variablePriority(priority), () => runHere(...args));
      const cancel = (): void => void worker.rpc.cancel.asEvent(id);
      const raised =
        priority instanceof RequestPriority
          ? priority.onDidRaise(() => void worker.rpc.raise.asEvent(id))
          : undefined;
      signal?.addEventListener("abort", cancel, { once: true });
      if (callback !== undefined) this.#callbacks.set(id, callback as (argument: unknown) => void);
      clearTimeout(this.#idle);
      worker.calls++;
      try {
        const result = await worker.rpc.run({ ...call, priority: currentPriority(priority) });
        // The call may have ended before the process received the abort.
        signal?.throwIfAborted();
        if ("value" in result) return result.value;
        database?.continueInMemory(
          Object.assign(new Error(result.refusedWrite.message), result.refusedWrite),
        );
      } catch (error) {
        signal?.throwIfAborted();
        if (!worker.hasEnded || this.#isDisposed) throw error;
        this.#dependencies.log.warn(`The indexing process ended during ${target.name}: ${String(error)}`);
        if (attempt === MAX_ATTEMPTS && !this.#isBroken) throw error;
      } finally {
        signal?.removeEventListener("abort", cancel);
        raised?.dispose();
        this.#callbacks.delete(id);
        worker.calls--;
        this.#endWhenIdle(worker);
      }
    }
  }

  #start(): WorkerProcess | null {
    const { program, maxHeapMb = MAX_HEAP_MB } = this.#dependencies;
    const { NODE_OPTIONS: _, ...environment } = process.env;
    let child: ChildProcess;
    try {
      child = fork(program, {
        // In a desktop VS Code the executable is Electron, which needs this to run as Node.
        env: { ...environment, ELECTRON_RUN_AS_NODE: "1" },
        execArgv: ["--disable-warning=ExperimentalWarning", `--max-old-space-size=${maxHeapMb}`],
        serialization: "advanced",
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
    } catch (error) {
      this.#isBroken = true;
      this.#dependencies.log.warn(`The indexing process cannot be started: ${String(error)}`);
      return null;
    }
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-MAX_STDERR_CHARACTERS);
    });
    const rpc = createBirpc<WorkerFunctions, ClientFunctions>(
      {
        started: () => void (worker.isStarted = true),
        callBack: (id, argument) => this.#callbacks.get(id)?.(argument),
      },
      // Send errors are ignored: the end of the process rejects the calls.
      channelOver(child, (message) => void child.send(message as object, () => undefined)),
    );
    const worker: WorkerProcess = { child, rpc, isStarted: false, hasEnded: false, calls: 0 };
    // Also waits for the channel to close, so that all messages of the process have been received.
    Promise.all([once(child, "close"), once(child, "disconnect")]).then(
      () => {
        const code = child.exitCode ?? child.signalCode;
        const error = new Error(`The indexing process ended with code ${code}: ${stderr}`);
        const isOutOfMemory = stderr.includes(OUT_OF_MEMORY_MESSAGE);
        this.#end(worker, isOutOfMemory ? Object.assign(error, { code: OUT_OF_MEMORY }) : error);
      },
      (error: unknown) => this.#end(worker, error),
    );
    this.#process = worker;
    return worker;
  }

  #end(worker: WorkerProcess, reason: unknown): void {
    if (worker.hasEnded) return;
    worker.hasEnded = true;
    if (!worker.isStarted && !this.#isDisposed) this.#isBroken = true;
    if (this.#process === worker) this.#process = null;
    worker.rpc.$close(reason instanceof Error ? reason : new Error(String(reason)));
    worker.child.kill();
  }

  #endWhenIdle(worker: WorkerProcess): void {
    clearTimeout(this.#idle);
    if (worker !== this.#process || worker.calls > 0) return;
    const { idleMs = IDLE_MS } = this.#dependencies;
    this.#idle = setTimeout(() => this.#end(worker, new Error("The indexing process was idle")), idleMs);
    this.#idle.unref();
  }
}
