/** Counts what there is to push and to pull whenever local files or the cache have changed and things have settled. */
import { countToPull, countToPush } from "../../core/waiting.ts";
import type { App, OpenProject } from "../../host/app.ts";

/** Milliseconds; typing in a translation file counts once. */
const SETTLE = 400;

/** Keeps `pushCounts` and `pullCount` of every project true. */
export function keepCounting(app: App): void {
  const timers = new Map<OpenProject, NodeJS.Timeout>();
  const count = async (open: OpenProject): Promise<void> => {
    timers.delete(open);
    const { project } = open;
    if (!project.keysComplete || (open.file.files ?? []).length === 0) return;
    const local = await open.local.load();
    const toPush = countToPush(project, local);
    const toPull = countToPull(project, local);
    if (JSON.stringify(toPush) !== JSON.stringify(project.pushCounts)) project.setPushCounts(toPush);
    if (toPull !== project.pullCount) project.setPullCount(toPull);
  };
  const later = (open: OpenProject): void => {
    clearTimeout(timers.get(open));
    const run = (): void => {
      count(open).catch((error: unknown) =>
        app.log.warn(`What there is to push and pull could not be counted: ${String(error)}`),
      );
    };
    timers.set(open, setTimeout(run, SETTLE));
  };
  app.own(
    app.projects.onDidChangeState(({ open, change }) => {
      if (change.keys === true || change.local === true || change.rows !== undefined) later(open);
    }),
  );
  app.own({ dispose: () => timers.forEach((timer) => clearTimeout(timer)) });
}
