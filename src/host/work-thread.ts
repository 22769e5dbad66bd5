/**
 * A thread that works for the window: it starts with the first piece of work, does one at a time, and ends when there
 * was none for a while. What the work is, its owner knows.
 */
import { Worker } from "node:worker_threads";
import type { Line } from "../core/formats/conversation.ts";
import { lineOf } from "./thread-line.ts";

/** The thread ends after so long without work. Milliseconds. */
const IDLE = 10_000;
/** A file of 50 MB takes a good part of it. */
const MOST_MEMORY_MB = 2_048;
/** What it frees stays with the process, so it had better not take much at a time. */
const YOUNG_MB = 16;

interface Thread {
  readonly worker: Worker;
  readonly line: Line;
  /** Ends it; what is under way is rejected with the reason. */
  end(reason: unknown): void;
}

export interface WorkThreadNeeds {
  /** The program's file, bundled. */
  readonly program: string;
  /** What it is for, in English. */
  readonly name: string;
  readonly warn: (text: string) => void;
}

export class WorkThread {
  readonly #needs: WorkThreadNeeds;
  #thread: Thread | null = null;
  /** It could not be started, so it is not tried again. */
  #isBroken = false;
  #turn: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(needs: WorkThreadNeeds) {
    this.#needs = needs;
  }

  dispose(): void {
    clearTimeout(this.#idle);
    this.#thread?.end(new Error("the window closes"));
    this.#thread = null;
  }

  /** One piece of work at a time; `here` does it where there is no thread, `instead` is what comes of too much. */
  async aside<Result>(
    work: (line: Line) => Promise<Result>,
    here: () => Promise<Result>,
    instead: () => Result,
    signal?: AbortSignal,
  ): Promise<Result> {
    const before = this.#turn;
    const { promise: done, resolve: leave } = Promise.withResolvers<void>();
    this.#turn = before.then(() => done);
    try {
      await before;
      signal?.throwIfAborted();
      const thread = this.#isBroken ? null : this.#start();
      if (thread === null) return await here();
      const abort = (): void => this.#end(thread, signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      try {
        return await work(thread.line);
      } catch (error) {
        signal?.throwIfAborted();
        // A thread in the middle of something is of no use to the next.
        this.#end(thread, error);
        this.#needs.warn(`The thread for ${this.#needs.name} failed: ${String(error)}`);
        return isOutOfMemory(error) ? instead() : await here();
      } finally {
        signal?.removeEventListener("abort", abort);
      }
    } finally {
      leave();
      this.#endWhenIdle();
    }
  }

  #start(): Thread | null {
    if (this.#thread !== null) return this.#thread;
    const { promise: failed, reject } = Promise.withResolvers<never>();
    // Whoever waits hears of it.
    failed.catch(() => undefined);
    let worker: Worker;
    try {
      worker = new Worker(this.#needs.program, {
        resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MB },
      });
    } catch (error) {
      this.#isBroken = true;
      this.#needs.warn(`No thread for ${this.#needs.name} can be started: ${String(error)}`);
      return null;
    }
    let isUp = false;
    worker.once("message", () => {
      isUp = true;
    });
    worker.once("error", (error) => {
      if (!isUp) this.#isBroken = true;
      reject(error);
    });
    worker.once("exit", (code) => reject(new Error(`the thread ended with ${code}`)));
    const thread: Thread = {
      worker,
      line: lineOf(worker, failed),
      end: (reason) => {
        reject(reason);
        void worker.terminate();
      },
    };
    // Nothing of it keeps the process alive.
    worker.unref();
    this.#thread = thread;
    return thread;
  }

  #end(thread: Thread, reason: unknown): void {
    if (this.#thread === thread) this.#thread = null;
    thread.end(reason);
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    if (thread === null) return;
    this.#idle = setTimeout(() => this.#end(thread, new Error("nobody needs the thread")), IDLE);
    this.#idle.unref();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY";
}
