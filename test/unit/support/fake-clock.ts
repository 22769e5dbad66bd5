/** A clock that only the test advances, so that waits are instant and deterministic. */

/** `sleeps`: the durations of all sleeps that were started, in milliseconds. */
export class FakeClock {
  readonly sleeps: number[] = [];
  /** How far the time of day is ahead of the time that has passed, in milliseconds: as if the clock had been set. */
  skew = 0;
  #now = Date.parse("2026-01-01T00:00:00Z");
  readonly #timers = new Set<{ readonly at: number; readonly resolve: () => void }>();

  now(): number {
    return this.#now + this.skew;
  }

  monotonic(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(milliseconds);
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error);
      const abort = (): void => {
        this.#timers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const sleeper = {
        at: this.#now + milliseconds,
        resolve: () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
      };
      this.#timers.add(sleeper);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  get pendingCount(): number {
    return this.#timers.size;
  }

  /** Advances the time and resolves the sleeps that are due, in order. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      const advanceToNext = [...this.#timers].sort((a, b) => a.at - b.at)[0];
      if (advanceToNext === undefined || advanceToNext.at > end) break;
      this.#now = Math.max(this.#now, advanceToNext.at);
      this.#timers.delete(advanceToNext);
      advanceToNext.resolve();
      await nextMacrotask();
    }
    this.#now = end;
    await nextMacrotask();
  }

  /** Advances the time to the end of the next sleep. */
  async next(): Promise<void> {
    const at = Math.min(...[...this.#timers].map((sleeper) => sleeper.at));
    await this.advance(Math.max(0, at - this.#now));
  }
}

/** Resolves in a later macrotask, after everything that is ready has run. */
export const nextMacrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
