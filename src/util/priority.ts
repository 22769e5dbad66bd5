/**
 * The priority of a request to the service or of work of the indexer, which may be raised while it waits or runs: what
 * began in the background is a person's as soon as one waits for it.
 */

/** Whether a person waits for the result (`person`) or nobody does (`background`: a refresh, a poll, the index). */
export type Priority = "person" | "background";

/** A priority that begins as `background`. */
export class RequestPriority {
  #value: Priority = "background";
  readonly #listeners = new Set<() => void>();

  get value(): Priority {
    return this.#value;
  }

  /** Makes the request a person's. */
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

  /** Raises it if `other` is a person's, or as soon as it is. */
  raiseWith(other: Priority | RequestPriority): void {
    if (currentPriority(other) === "person") this.raise();
    else if (other instanceof RequestPriority) other.onDidRaise(() => this.raise());
  }
}

/** Returns the current value of a fixed or variable priority. */
export function currentPriority(priority: Priority | RequestPriority): Priority {
  return priority instanceof RequestPriority ? priority.value : priority;
}

/** Returns a variable priority that begins as the given one. */
export function variablePriority(priority: Priority | RequestPriority): RequestPriority {
  if (priority instanceof RequestPriority) return priority;
  const variable = new RequestPriority();
  variable.raiseWith(priority);
  return variable;
}
