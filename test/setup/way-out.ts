/**
 * What must be undone before this process ends: on a signal, on an error that nobody caught, and when whoever started
 * this process is gone.
 */
const undone = new Set<() => unknown>();
let leaving: Promise<never> | undefined;

/** Registers work for the way out. Out: forgets it again (it was done otherwise). */
export function onTheWayOut(work: () => unknown): () => void {
  undone.add(work);
  return () => void undone.delete(work);
}

/** Does all that is registered, last first, then ends the process. A second call waits for the first. */
export function leave(code: number): Promise<never> {
  leaving ??= (async () => {
    for (const work of [...undone].reverse()) {
      try {
        await work();
      } catch (error) {
        console.error(error);
      }
    }
    return process.exit(code);
  })();
  return leaving;
}

process.on("SIGINT", () => void leave(130));
process.on("SIGTERM", () => void leave(143));
process.on("SIGHUP", () => void leave(129));
process.on("disconnect", () => void leave(1));
process.on("uncaughtException", (error) => {
  console.error(error);
  void leave(1);
});
