/** Work that is done again before it has ended, such as a query: only the result of the last call counts. */
export class LatestCall {
  #count = 0;
  #last: Promise<void> = Promise.resolve();

  /**
   * Runs the work, which drops its result once `isLatest` returns false. Resolves when the work has ended, and that of all
   * calls that followed in the meantime.
   */
  run(work: (isLatest: () => boolean) => Promise<void>): Promise<void> {
    const number = ++this.#count;
    const isLatest = (): boolean => number === this.#count;
    this.#last = work(isLatest).then(() => (isLatest() ? undefined : this.#last));
    return this.#last;
  }
}
