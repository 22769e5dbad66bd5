/** Decides when the search index of a project is updated: after writes, but not while files are read, of which there may be many. */

export interface SearchIndexSchedulerDependencies {
  /** Whether everything that was written is in the index. */
  readonly isUpToDate: () => boolean;
  /** Updates the index, in the background. */
  readonly update: (signal: AbortSignal) => Promise<unknown>;
  readonly onUpdated: () => void;
  readonly onError: (error: unknown) => void;
}

export class SearchIndexScheduler {
  readonly #dependencies: SearchIndexSchedulerDependencies;
  readonly #disposed = new AbortController();
  #isUpdating = false;
  #isReading = false;

  constructor(dependencies: SearchIndexSchedulerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Waits while files are read. */
  setReading(isReading: boolean): void {
    this.#isReading = isReading;
    this.updateSoon();
  }

  /** Updates the index if it is not up to date; a running update is followed by another one if there is more to do. */
  updateSoon(): void {
    const { isUpToDate, update, onUpdated, onError } = this.#dependencies;
    const { signal } = this.#disposed;
    if (this.#isUpdating || this.#isReading || signal.aborted || isUpToDate()) return;
    this.#isUpdating = true;
    update(signal)
      .finally(() => (this.#isUpdating = false))
      .then(
        () => {
          onUpdated();
          this.updateSoon();
        },
        (error: unknown) => {
          if (!signal.aborted) onError(error);
        },
      );
  }

  dispose(): void {
    this.#disposed.abort();
  }
}
