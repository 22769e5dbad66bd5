/** Counts what there is to push and to pull whenever local files or the cache have changed and things have settled. */
import { isDeepStrictEqual } from "node:util";
import { countLocalOnly, countToPull, countToPush } from "../../sync/pending-changes.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { yieldNow } from "../../vscode/clock.ts";

/** Milliseconds; typing in a translation file counts once. */
const SETTLE = 400;

/** Keeps `pushCounts`, `pullCount` and `localOnly` of every project true. */
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
    const localOnly = await countLocalOnly(project, local, yieldNow);
    // What changed meanwhile is counted anew, or is another project's.
    if (project.keys !== keys || local.revision !== revision) return;
    if (!isDeepStrictEqual(toPush, project.pushCounts)) project.setPushCounts(toPush);
    if (toPull !== project.pullCount) project.setPullCount(toPull);
    if (!isDeepStrictEqual(localOnly, project.localOnly)) project.setLocalOnly(localOnly);
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
  const untouched = new WeakMap<OpenProject, string>();
  /** Whether a language got its first translation, or lost its last. */
  const isOther = (open: OpenProject): boolean => {
    const languages = open.project.stats?.languages ?? [];
    const now = languages.flatMap(({ locale, translated }) => (translated === 0 ? locale : [])).join();
    const before = untouched.get(open);
    untouched.set(open, now);
    return now !== before;
  };
  app.own(
    app.projects.onDidChangeState(({ open, change }) => {
      if (change.stats === true && isOther(open)) later(open);
      if (change.keys === true || change.local === true || change.rows !== undefined) later(open);
    }),
  );
  app.own({ dispose: () => timers.forEach((timer) => clearTimeout(timer)) });
}
