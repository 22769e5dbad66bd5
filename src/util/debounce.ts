/** Work that runs once after a burst of events. */

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
