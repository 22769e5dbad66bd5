/** A clock that only a test moves, so that minutes of waiting cost nothing and come out the same in every run. */

/** Time stands still until it is moved. `sleeps` are all waits that were begun, in milliseconds. */
export class ManualClock {
  readonly sleeps: number[] = [];
  #now = Date.parse("2026-01-01T00:00:00Z");
  readonly #sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(milliseconds);
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error);
      const abort = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const sleeper = {
        at: this.#now + milliseconds,
        wake: () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Moves time on and wakes whoever is due, in order. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      const next = [...this.#sleepers].sort((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.#now = Math.max(this.#now, next.at);
      this.#sleepers.delete(next);
      next.wake();
      await turn();
    }
    this.#now = end;
    await turn();
  }

  /** Moves time to the next sleeper. */
  async next(): Promise<void> {
    const at = Math.min(...[...this.#sleepers].map((sleeper) => sleeper.at));
    await this.advance(Math.max(0, at - this.#now));
  }
}

/** Lets everything that is ready run. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
