/**
 * Reads and changes large translation files in a thread of its own, so that nothing in the editor waits for one. The
 * thread starts with the first such file and ends when there was none for a while; without it the work is done here.
 */
import { Worker } from "node:worker_threads";
import { editOver, readOver, type Line } from "../core/formats/conversation.ts";
import { refusalOf } from "../core/formats/edit.ts";
import { NO_SPAN } from "../core/formats/format.ts";
import type { PlacedProblem } from "../core/formats/translation-file.ts";
import type { TranslationFiles, YieldNow } from "../core/ports.ts";
import { lineOf } from "./thread-line.ts";

/** Files from this size on are large. Bytes; some 15 ms to read. */
const LARGE = 256 * 1024;
/** The thread ends after so long without work. Milliseconds. */
const IDLE = 30_000;
/** A file of 50 MB takes a good part of it. */
const MOST_MEMORY_MB = 2_048;
/** What it frees stays with the process, so it had better not take much at a time. */
const YOUNG_MB = 16;
const TOO_MUCH = "takes more memory than a file may";

interface Thread {
  readonly worker: Worker;
  readonly line: Line;
  /** Ends it; what is under way is rejected with the reason. */
  end(reason: unknown): void;
}

export interface FormatThreadNeeds {
  /** The program's file (`format-worker.ts`, bundled). */
  readonly program: string;
  readonly yieldNow: YieldNow;
  readonly warn: (text: string) => void;
}

export class FormatThread implements TranslationFiles {
  readonly #needs: FormatThreadNeeds;
  #thread: Thread | null = null;
  /** It could not be started, so it is not tried again. */
  #isBroken = false;
  #turn: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(needs: FormatThreadNeeds) {
    this.#needs = needs;
  }

  read: TranslationFiles["read"] = (format, bytes, options, signal) => {
    const here: () => ReturnType<TranslationFiles["read"]> = async () =>
      (await import("./on-demand.ts")).direct.read(format, bytes, options, signal);
    if (bytes.length < LARGE) return here();
    const { yieldNow } = this.#needs;
    const tooMuch: PlacedProblem = {
      code: "syntax",
      message: TOO_MUCH,
      span: NO_SPAN,
      line: null,
      column: null,
    };
    return this.#aside(
      (line) => readOver(line, format, bytes, options, yieldNow),
      here,
      () => ({ entries: [], problems: [tooMuch] }),
      signal,
    );
  };

  edit: TranslationFiles["edit"] = (format, bytes, changes, options) => {
    const here: () => ReturnType<TranslationFiles["edit"]> = async () =>
      (await import("./on-demand.ts")).direct.edit(format, bytes, changes, options);
    if ((bytes?.length ?? 0) < LARGE) return here();
    const { yieldNow } = this.#needs;
    return this.#aside(
      (line) => editOver(line, format, bytes, changes, options, yieldNow),
      here,
      () => ({
        bytes: bytes ?? new Uint8Array(),
        refused: changes.map((change) => refusalOf(change, "unsupported")),
      }),
    );
  };

  dispose(): void {
    clearTimeout(this.#idle);
    this.#thread?.end(new Error("the window closes"));
    this.#thread = null;
  }

  /** One piece of work at a time; `here` does it where there is no thread, `instead` is what comes of too much. */
  async #aside<Result>(
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
        this.#needs.warn(`The thread for large files failed: ${String(error)}`);
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
      this.#needs.warn(`No thread for large files can be started: ${String(error)}`);
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
