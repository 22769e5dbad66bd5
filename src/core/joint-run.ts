/**
 * One piece of work that several callers wait for: each leaves by its own signal, and only when the last has left is
 * the work itself aborted. What the work is, and whether a caller may join it, is its owner's to say.
 */
import type { RequestOptions } from "../api/client.ts";
import type { Priority } from "../api/contract.ts";

/** How a caller waits. */
export interface JoinOptions {
  readonly signal?: AbortSignal;
  readonly priority?: Priority;
}

export class JointRun<Result> {
  readonly #controller = new AbortController();
  readonly #result: Promise<Result>;
  #priority: Priority = "background";
  #waiting = 0;

  /** Begins as soon as the caller lets go. The options are for every request of the work: their priority rises when a person joins. */
  constructor(work: (options: RequestOptions & { readonly signal: AbortSignal }) => Promise<Result>) {
    const priority = (): Priority => this.#priority;
    const options = {
      signal: this.#controller.signal,
      get priority(): Priority {
        return priority();
      },
    };
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
    this.#priority = "person";
  }

  /** The work's end; or the caller's own reason, when its signal comes first. */
  join({ signal, priority }: JoinOptions): Promise<Result> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (priority === "person") this.hurry();
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
