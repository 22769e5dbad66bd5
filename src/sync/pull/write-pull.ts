/** Writes the files of a pull, all or none, and reverts them. */
import type { WriteOutcome } from "../../model/platform.ts";
import { AppliedExports } from "./applied-exports.ts";
import type { PullDependencies, PullPlan } from "./pull-plan.ts";
import { sameBytes } from "../../formats/text/encoding.ts";

/**
 * Writes the plan's changes, all or none. `changed`: files that have changed since the plan, so that nothing was
 * written. The ETag is stored only if the complete export was applied.
 */
export async function writePull(
  dependencies: Pick<PullDependencies, "files" | "project" | "locationOptions">,
  plan: PullPlan,
): Promise<WriteOutcome> {
  const unsaved = plan.problems.flatMap((problem) => (problem.kind === "unsaved" ? [problem.path] : []));
  if (unsaved.length > 0) return { kind: "changed", paths: unsaved };
  const writes = plan.files.filter((file) => file.change !== "unchanged");
  const outcome: WriteOutcome =
    writes.length === 0 ? { kind: "written" } : await dependencies.files.write(writes);
  const state = new AppliedExports(dependencies.project.personal, dependencies.locationOptions);
  if (outcome.kind === "written") state.forgetFiles(new Set(writes.map(({ path }) => path)));
  const missing = plan.problems.flatMap((problem) => (problem.kind === "language" ? [problem.path] : []));
  if (outcome.kind === "written" && plan.problems.length === missing.length && plan.etag !== null) {
    const paths = plan.files.map((file) => file.path);
    const incomplete = new Map(
      await Promise.all(missing.map(async (path) => [path, await dependencies.files.stat(path)] as const)),
    );
    state.remember(plan.request, plan.etag, paths, incomplete, plan.isPart === true);
  }
  return outcome;
}

/**
 * Reverts the files that `writePull` wrote and removes those that it created. `changed`: files that have changed
 * since, so that nothing was reverted.
 */
export async function undoPull(
  { files, project, locationOptions }: Pick<PullDependencies, "files" | "project" | "locationOptions">,
  plan: PullPlan,
  remove: (path: string) => Promise<void>,
): Promise<WriteOutcome> {
  const created = plan.files.filter(({ change }) => change === "created");
  const changed: string[] = [];
  for (const { path, after } of created) {
    const now = await files.read(path);
    if (now.kind === "missing") continue;
    if (now.kind === "unreadable" || now.dirty || !sameBytes(now.bytes, after)) changed.push(path);
  }
  if (changed.length > 0) return { kind: "changed", paths: changed };
  const writes = plan.files.flatMap(({ path, change, before, after }) =>
    change === "updated" && before !== undefined ? [{ path, before: after, after: before }] : [],
  );
  const outcome: WriteOutcome = writes.length === 0 ? { kind: "written" } : await files.write(writes);
  if (outcome.kind === "changed") return outcome;
  for (const { path } of created) await remove(path);
  const reverted = plan.files.flatMap(({ path, change }) => (change === "unchanged" ? [] : [path]));
  new AppliedExports(project.personal, locationOptions).forgetFiles(new Set(reverted));
  return outcome;
}
