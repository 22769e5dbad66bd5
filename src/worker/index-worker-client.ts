/**
 * Calls the indexing thread. It starts with the first call and ends after a while without one, which gives its memory
 * back. Calls that were under way when it was killed are repeated in a new one.
 */
import { Worker } from "node:worker_threads";
import { type BirpcReturn, createBirpc } from "birpc";
import type { Database } from "../database/database.ts";
import type { Log } from "../model/platform.ts";
import {
  CALLBACK,
  type ClientFunctions,
  type IndexCall,
  type WorkerFunctions,
} from "./index-worker-protocol.ts";
import { createIndexing, type ProjectIndexing } from "./indexing.ts";

const IDLE_MS = 10_000;
/** A translation file of 50 MB takes a good part of it. */
const MAX_OLD_SPACE_MB = 2_048;
/** What the thread frees stays with the process, so it had better not take much at a time. */
const MAX_YOUNG_SPACE_MB = 16;
const MAX_ATTEMPTS = 2;

export interface IndexWorkerDependencies {
  /** Path of the bundled `index-worker.ts`. */
  readonly program: string | URL;
  readonly log: Pick<Log, "warn">;
  /** Default: 10 s. Milliseconds. */
  readonly idleMs?: number;
}

interface Thread {
  readonly worker: Worker;
  readonly rpc: BirpcReturn<WorkerFunctions, ClientFunctions>;
  isStarted: boolean;
  hasEnded: boolean;
  calls: number;
}

type AnyFunction = (...args: unknown[]) => Promise<unknown>;

export class IndexWorkerClient {
  readonly #dependencies: IndexWorkerDependencies;
  readonly #projects = new WeakMap<Database, ProjectIndexing>();
  #thread: Thread | null = null;
  /** It could not be started, so it is not tried again. */
  #isBroken = false;
  #isDisposed = false;
  #lastId = 0;
  /** Functions among the arguments of calls that are under way, by the number of the call. */
  readonly #callbacks = new Map<number, (argument: unknown) => void>();
  #idle: NodeJS.Timeout | undefined;

  constructor(dependencies: IndexWorkerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Rejects what is under way. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#idle);
    if (this.#thread !== null) this.#end(this.#thread, new Error("The window closes"));
  }

  /**
   * The functions for the project of a database: in the thread, or in the calling one where only that sees the database.
   * They reject with the reason of their signal, and where the thread ended at each attempt. `root`: as `createIndexing`.
   */
  of(database: Database, root: string): ProjectIndexing {
    let indexing = this.#projects.get(database);
    if (indexing === undefined) this.#projects.set(database, (indexing = this.#create(database, root)));
    return indexing;
  }

  #create(database: Database, root: string): ProjectIndexing {
    const here = createIndexing(database, root);
    if (!database.isOnDisk) return here;
    const remote = <Subject extends keyof ProjectIndexing>(subject: Subject): ProjectIndexing[Subject] =>
      new Proxy(here[subject], {
        get: (functions, name) => {
          const inThisThread = Reflect.get(functions, name) as AnyFunction;
          return (...args: unknown[]) => {
            // It was moved to memory.
            if (!database.isOnDisk) return inThisThread.apply(functions, args);
            const signal = args.at(-1) instanceof AbortSignal ? (args.at(-1) as AbortSignal) : undefined;
            const callBack = args.find((each) => typeof each === "function") as
              | ((each: unknown) => void)
              | undefined;
            const call = {
              id: ++this.#lastId,
              databasePath: database.path,
              root,
              subject,
              name: String(name),
              args: args
                .filter((each) => each !== signal)
                .map((each) => (typeof each === "function" ? CALLBACK : each)),
            };
            return this.#call(call, () => inThisThread.apply(functions, args), signal, callBack);
          };
        },
      });
    return {
      usages: remote("usages"),
      localFiles: remote("localFiles"),
      localKeys: remote("localKeys"),
      search: remote("search"),
      pendingChanges: remote("pendingChanges"),
    };
  }

  async #call(
    call: IndexCall,
    inThisThread: () => Promise<unknown>,
    signal: AbortSignal | undefined,
    callBack: ((argument: unknown) => void) | undefined,
  ): Promise<unknown> {
    if (callBack !== undefined) this.#callbacks.set(call.id, callBack);
    try {
      return await this.#callThread(call, inThisThread, signal);
    } finally {
      this.#callbacks.delete(call.id);
    }
  }

  async #callThread(
    call: IndexCall,
    inThisThread: () => Promise<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      if (this.#isDisposed) throw new Error("The window closes");
      const thread = this.#isBroken ? null : (this.#thread ?? this.#start());
      if (thread === null) return inThisThread();
      const cancel = (): void => void thread.rpc.cancel.asEvent(call.id);
      signal?.addEventListener("abort", cancel, { once: true });
      clearTimeout(this.#idle);
      thread.calls++;
      try {
        const result = await thread.rpc.run(call);
        // It may have come to its end before the thread heard of the abort.
        signal?.throwIfAborted();
        return result;
      } catch (error) {
        signal?.throwIfAborted();
        if (!thread.hasEnded || this.#isDisposed) throw error;
        this.#dependencies.log.warn(`The indexing thread ended during ${call.name}: ${String(error)}`);
        if (attempt === MAX_ATTEMPTS && !this.#isBroken) throw error;
      } finally {
        signal?.removeEventListener("abort", cancel);
        thread.calls--;
        this.#endWhenIdle(thread);
      }
    }
  }

  #start(): Thread | null {
    let worker: Worker;
    try {
      worker = new Worker(this.#dependencies.program, {
        resourceLimits: {
          maxOldGenerationSizeMb: MAX_OLD_SPACE_MB,
          maxYoungGenerationSizeMb: MAX_YOUNG_SPACE_MB,
        },
      });
    } catch (error) {
      this.#isBroken = true;
      this.#dependencies.log.warn(`The indexing thread cannot be started: ${String(error)}`);
      return null;
    }
    // It does not keep the process alive.
    worker.unref();
    const rpc = createBirpc<WorkerFunctions, ClientFunctions>(
      {
        started: () => void (thread.isStarted = true),
        callBack: (id, argument) => this.#callbacks.get(id)?.(argument),
      },
      {
        post: (message) => worker.postMessage(message),
        on: (listener) => void worker.on("message", listener),
        timeout: -1,
      },
    );
    const thread: Thread = { worker, rpc, isStarted: false, hasEnded: false, calls: 0 };
    // What it posted before is taken first.
    worker.once("error", (error) => setImmediate(() => this.#end(thread, error)));
    worker.once("exit", (code) => {
      const error = new Error(`The indexing thread ended with code ${code}`);
      setImmediate(() => this.#end(thread, error));
    });
    this.#thread = thread;
    return thread;
  }

  #end(thread: Thread, reason: unknown): void {
    if (thread.hasEnded) return;
    thread.hasEnded = true;
    if (!thread.isStarted && !this.#isDisposed) this.#isBroken = true;
    if (this.#thread === thread) this.#thread = null;
    thread.rpc.$close(reason instanceof Error ? reason : new Error(String(reason)));
    void thread.worker.terminate();
  }

  #endWhenIdle(thread: Thread): void {
    clearTimeout(this.#idle);
    if (thread !== this.#thread || thread.calls > 0) return;
    const { idleMs = IDLE_MS } = this.#dependencies;
    this.#idle = setTimeout(() => this.#end(thread, new Error("The indexing thread was idle")), idleMs);
    this.#idle.unref();
  }
}
