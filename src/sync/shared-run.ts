/**
 * One piece of work that several callers wait for: each leaves by its own signal, and only when the last has left is
 * the work itself aborted. What the work is, and whether a caller may join it, is its owner's to say.
 */
import type { RequestOptions } from "../api/client.ts";
import type { Priority } from "../api/endpoints.ts";
import { priorityNow, RequestPriority } from "../api/priority.ts";

/** How a caller waits. */
export interface JoinOptions {
  readonly signal?: AbortSignal;
  readonly priority?: Priority | RequestPriority;
}

export class SharedRun<Result> {
  readonly #controller = new AbortController();
  readonly #result: Promise<Result>;
  readonly #priority = new RequestPriority();
  #waiting = 0;

  /**
   * Begins as soon as the caller lets go. The options are for every request of the work: when a person joins, their
   * priority rises, also of those that wait to be sent.
   */
  constructor(work: (options: RequestOptions & { readonly signal: AbortSignal }) => Promise<Result>) {
    const options = { signal: this.#controller.signal, priority: this.#priority };
    // After who began it has joined, so that already the first request has their priority.
    this.#result = Promise.resolve().then(() => work(options));
    // Whoever left hears of its own signal only.
    this.#result.catch(() => undefined);
  }

  /** Everybody has left; it only winds down, so nobody should join it any more. */
  get aborted(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Resolves when it has ended, well or not. */
  get ended(): Promise<void> {
    return this.#result.then(
      () => undefined,
      () => undefined,
    );
  }

  /** Somebody waits for it now, so its next requests go before those that nobody waits for. */
  hurry(): void {
    this.#priority.raise();
  }

  /** The work's end; or the caller's own reason, when its signal comes first. */
  join({ signal, priority }: JoinOptions): Promise<Result> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (priority !== undefined && priorityNow(priority) === "person") this.hurry();
    else if (priority instanceof RequestPriority) {
      const raised = priority.onDidRaise(() => this.hurry());
      void this.ended.then(() => raised.dispose());
    }
    this.#waiting++;
    if (signal === undefined) return this.#result;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting--;
        if (this.#waiting === 0) this.abort(signal.reason);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }

  /** Ends it for all who wait. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }
}
