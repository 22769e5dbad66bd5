/**
 * Files that were created here and that no watcher has reported yet. If such a file is deleted, it is never reported: watchers
 * drop a creation together with its deletion, for seconds on a busy machine.
 */
import { stat } from "node:fs/promises";
import { isMissing } from "./atomic-write.ts";

/** Whoever deletes a file later than this, or where no watcher reports anything, is noticed by the next command. */
const MAX_WAIT_MS = 60_000;
const CHECK_INTERVAL_MS = 1_000;

export class CreatedFiles {
  readonly #onDeleted: (path: string) => void;
  readonly #intervalMs: number;
  /** Until when each file is checked: a time of the monotonic clock, which nobody sets. */
  readonly #unreported = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDisposed = false;

  /** @param onDeleted called with the path of a file that was deleted before it was reported */
  constructor(onDeleted: (path: string) => void, intervalMs = CHECK_INTERVAL_MS) {
    this.#onDeleted = onDeleted;
    this.#intervalMs = intervalMs;
  }

  /** Adds files that were created just now. */
  add(paths: readonly string[]): void {
    for (const path of paths) this.#unreported.set(path, performance.now() + MAX_WAIT_MS);
    this.#checkLater();
  }

  /** A watcher has reported the file, and will report its deletion, too. */
  reported(path: string): void {
    this.#unreported.delete(path);
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  #checkLater(): void {
    if (this.#unreported.size === 0 || this.#isDisposed) return;
    this.#timer ??= setTimeout(() => void this.#check(), this.#intervalMs);
  }

  async #check(): Promise<void> {
    for (const [path, until] of this.#unreported) {
      const isDeleted = await stat(path).then(() => false, isMissing);
      if (this.#isDisposed) return;
      if (isDeleted && this.#unreported.delete(path)) this.#onDeleted(path);
      else if (performance.now() > until) this.#unreported.delete(path);
    }
    this.#timer = undefined;
    this.#checkLater();
  }
}
