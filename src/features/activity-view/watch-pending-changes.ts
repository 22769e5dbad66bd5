/** Counts the pending changes of each project after local files or the cache changed. */
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";

/** Keeps the counts of pending changes of every project up to date. */
export function registerPendingCounts(app: App): void {
  const running = new Map<OpenProject, AbortController>();
  const count = async (open: OpenProject, signal: AbortSignal): Promise<void> => {
    const { connection } = open;
    if (!connection.keysComplete || (open.file.files ?? []).length === 0) return;
    const { toPush, toPull, ...others } = await connection.countPendingChanges(signal);
    if (signal.aborted) return;
    const { incomplete } = connection.local;
    connection.setActivity({ pushCounts: toPush, pullCount: toPull, ...others, incomplete });
  };
  const start = (open: OpenProject): void => {
    running.get(open)?.abort();
    const controller = new AbortController();
    running.set(open, controller);
    count(open, controller.signal)
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        app.log.warn(`The pending changes could not be counted: ${String(error)}`);
      })
      .finally(() => {
        if (running.get(open) === controller) running.delete(open);
      });
  };
  const untranslatedLanguages = new WeakMap<OpenProject, string>();
  /** Whether a language got its first or lost its last translation at the service. */
  const hasOtherLanguages = (open: OpenProject): boolean => {
    const languages = open.stats?.languages ?? [];
    const now = languages.flatMap(({ locale, translated }) => (translated === 0 ? locale : [])).join();
    const before = untranslatedLanguages.get(open);
    untranslatedLanguages.set(open, now);
    return now !== before;
  };
  app.addDisposable(
    app.projects.subscribe(["stats", "keys", "translations", "files", "renames"], (open, changed) => {
      const isOnlyStats = changed.size === 1 && changed.has("stats");
      if (hasOtherLanguages(open) || !isOnlyStats) start(open);
    }),
    { dispose: () => running.forEach((controller) => controller.abort()) },
  );
}
