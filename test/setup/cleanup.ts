/** Cleanup before this process exits: on a signal, on an uncaught error, and when the parent process is gone. */
const pending = new Set<() => unknown>();
let exiting: Promise<never> | undefined;

/** Registers cleanup work. Returns a function that unregisters it. */
export function onExit(work: () => unknown): () => void {
  pending.add(work);
  return () => void pending.delete(work);
}

/** Runs all registered work, last registered first, then exits the process. A second call waits for the first. */
export function exit(code: number): Promise<never> {
  exiting ??= (async () => {
    for (const work of [...pending].reverse()) {
      try {
        await work();
      } catch (error) {
        console.error(error);
      }
    }
    return process.exit(code);
  })();
  return exiting;
}

process.on("SIGINT", () => void exit(130));
process.on("SIGTERM", () => void exit(143));
process.on("SIGHUP", () => void exit(129));
process.on("disconnect", () => void exit(1));
process.on("uncaughtException", (error) => {
  // Writing an error to a closed pipe would be the next uncaught error.
  if (exiting === undefined) console.error(error);
  void exit(1);
});
