/**
 * A task that several callers wait for. Each can leave with its own signal; the task is aborted when the last has
 * left.
 */
import type { RequestOptions } from "../api/client.ts";
import { currentPriority, type Priority, RequestPriority } from "../util/priority.ts";

/** How a caller waits. */
export interface JoinOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: Priority | RequestPriority;
}

/** A shared task, started when it is created. */
export class SingleFlight<Result> {
  readonly #controller = new AbortController();
  readonly #result: Promise<Result>;
  readonly #priority = new RequestPriority();
  #callerCount = 0;

  /**
   * Starts the task in a microtask.
   * @param work Receives options for all of its requests: their priority rises when an interactive caller joins.
   */
  constructor(work: (options: RequestOptions & { readonly signal: AbortSignal }) => Promise<Result>) {
    const options = { signal: this.#controller.signal, priority: this.#priority };
    // Deferred until the creator has joined, so that the first request already has its priority.
    this.#result = Promise.resolve().then(() => work(options));
    // Callers that left only receive their own signal's reason.
    this.#result.catch(() => undefined);
  }

  /** Whether it was aborted, so that it should not be joined any more. */
  get aborted(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Number of callers that have not left. */
  get callerCount(): number {
    return this.#callerCount;
  }

  /** Resolves when the task has ended, successfully or not. */
  get ended(): Promise<void> {
    return this.#result.then(
      () => undefined,
      () => undefined,
    );
  }

  /** Makes its requests interactive, because a user waits for it. */
  raisePriority(): void {
    this.#priority.raise();
  }

  /** Returns the task's result; rejects with the signal's reason if that is aborted first. */
  join({ signal, priority }: JoinOptions): Promise<Result> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (priority !== undefined && currentPriority(priority) === "person") this.raisePriority();
    else if (priority instanceof RequestPriority) {
      const raised = priority.onDidRaise(() => this.raisePriority());
      void this.ended.then(() => raised.dispose());
    }
    this.#callerCount++;
    if (signal === undefined) return this.#result;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#callerCount--;
        if (this.#callerCount === 0) this.abort(signal.reason);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }

  /** Aborts the task for all callers. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }
}
