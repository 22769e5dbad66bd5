/** How urgent a request is, also while it waits: work that nobody waits for becomes a person's when one joins it. */
import type { Priority } from "./endpoints.ts";

export class RequestPriority {
  #value: Priority = "background";
  readonly #listeners = new Set<() => void>();

  get value(): Priority {
    return this.#value;
  }

  /** A person waits from now on. */
  raise(): void {
    if (this.#value === "person") return;
    this.#value = "person";
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }

  /** Called once, when it is raised; never where it is a person's already. */
  onDidRaise(listener: () => void): { dispose(): void } {
    if (this.#value !== "person") this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }
}

/** The priority at this moment. */
export function priorityNow(priority: Priority | RequestPriority): Priority {
  return priority instanceof RequestPriority ? priority.value : priority;
}
