/** Work that runs once after a burst of events: file events, and what a person types. */
import { getOrCreate } from "./maps.ts";

/** A function that runs its work after a delay; each call restarts the delay, `dispose` cancels it. */
export interface Debounced {
  (): void;
  dispose(): void;
}

/** Returns the debounced function for the work. */
export function debounce(work: () => void, delayMs: number): Debounced {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const dispose = (): void => clearTimeout(timer);
  const schedule = (): void => {
    dispose();
    timer = setTimeout(work, delayMs);
  };
  return Object.assign(schedule, { dispose });
}

/** Debounces several kinds of work, each with a delay of its own. */
export class DebouncedByName {
  readonly #delayMs: number;
  readonly #latest = new Map<string, () => void>();
  readonly #debounced = new Map<string, Debounced>();

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** Runs the work after the delay, unless another one of that name is scheduled before. */
  schedule(name: string, work: () => void): void {
    this.#latest.set(name, work);
    getOrCreate(this.#debounced, name, () => debounce(() => this.#run(name), this.#delayMs))();
  }

  #run(name: string): void {
    const work = this.#latest.get(name);
    this.#latest.delete(name);
    this.#debounced.delete(name);
    work?.();
  }

  dispose(): void {
    for (const debounced of this.#debounced.values()) debounced.dispose();
  }
}

/** Collects items of a burst, and hands all of them on once, after a delay from the first. */
export class Batch<Item> {
  readonly #handle: (items: readonly Item[]) => void;
  readonly #delayMs: number;
  #items: Item[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(handle: (items: readonly Item[]) => void, delayMs: number) {
    this.#handle = handle;
    this.#delayMs = delayMs;
  }

  add(item: Item): void {
    this.#items.push(item);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const items = this.#items;
      this.#items = [];
      this.#handle(items);
    }, this.#delayMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
