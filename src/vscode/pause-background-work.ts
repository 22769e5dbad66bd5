/** Lets background work give way to commands that somebody waits for, since they share a database and processors. */
export class ForegroundWork {
  readonly #running = new Set<Promise<unknown>>();
  #interruption = new AbortController();

  /** Runs work that somebody waits for. It must not wait for background work. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    this.#running.add(work);
    this.#interruption.abort();
    this.#interruption = new AbortController();
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  /**
   * Runs background work when no foreground work is running; it is aborted when some starts, and repeated afterwards.
   * @throws the signal's reason when aborted
   */
  async runInBackground<Result>(
    work: (signal: AbortSignal) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    for (;;) {
      while (this.#running.size > 0) await Promise.allSettled(this.#running);
      signal?.throwIfAborted();
      const interruption = this.#interruption.signal;
      try {
        return await work(signal === undefined ? interruption : AbortSignal.any([signal, interruption]));
      } catch (error) {
        if (!interruption.aborted) throw error;
      }
    }
  }
}
