/** Counts what there is to push and to pull whenever local files or the cache have changed and things have settled. */
import { isDeepStrictEqual } from "node:util";
import { countToPull, countToPush } from "../../sync/pending-changes.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { yieldNow } from "../../vscode/clock.ts";

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
    const { revision } = local;
    const { keys } = project;
    const toPush = await countToPush(project, local, yieldNow);
    const toPull = await countToPull(project, local, yieldNow);
    // What changed meanwhile is counted anew, or is another project's.
    if (project.keys !== keys || local.revision !== revision) return;
    if (!isDeepStrictEqual(toPush, project.pushCounts)) project.setPushCounts(toPush);
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
