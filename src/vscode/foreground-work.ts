/** Lets background work pause while somebody waits for a command that uses the same database and processors. */
export class ForegroundWork {
  readonly #running = new Set<Promise<unknown>>();

  /** Runs work that somebody waits for. It must not wait for background work that pauses. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  /** Resolves when no such work is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
