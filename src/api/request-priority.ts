/**
 * The priority of a request, which may be raised while the request waits: a background task becomes interactive when
 * a user joins it.
 */

/** Whether a user waits for the response (`person`) or nobody does (`background`: a refresh, a poll). */
export type Priority = "person" | "background";

/** A priority that begins as `background`. */
export class RequestPriority {
  #value: Priority = "background";
  readonly #listeners = new Set<() => void>();

  get value(): Priority {
    return this.#value;
  }

  /** Makes the request interactive. */
  raise(): void {
    if (this.#value === "person") return;
    this.#value = "person";
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }

  /** Calls the listener once when the priority is raised; never if it already was. */
  onDidRaise(listener: () => void): { dispose(): void } {
    if (this.#value !== "person") this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }
}

/** Returns the current value of a fixed or variable priority. */
export function currentPriority(priority: Priority | RequestPriority): Priority {
  return priority instanceof RequestPriority ? priority.value : priority;
}
