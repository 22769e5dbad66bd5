/** Writes the files of a pull, all or none, and reverts them. */
import type { FileWrite, WriteOutcome } from "../../model/platform.ts";
import { AppliedExports } from "./applied-exports.ts";
import { leftTextsOf, problemsOf, type PullDependencies, type PullFile, type PullPlan } from "./pull-plan.ts";
import { sameBytes } from "../../formats/text/encoding.ts";

type WriteDependencies = Pick<PullDependencies, "files" | "project" | "locationOptions">;

/**
 * Writes the plan's changes, all or none. `changed`: files that have changed since the plan, so that nothing was
 * written. The ETag is stored only if the complete export was applied.
 */
export async function writePull(
  { files, project, locationOptions }: WriteDependencies,
  plan: PullPlan,
): Promise<WriteOutcome> {
  const problems = problemsOf(plan);
  const unsaved = problems.flatMap((problem) => (problem.kind === "unsaved" ? [problem.path] : []));
  if (unsaved.length > 0) return { kind: "changed", paths: unsaved };
  const writes = changedFilesOf(plan);
  const outcome: WriteOutcome = writes.length === 0 ? { kind: "written" } : await files.write(writes);
  if (outcome.kind !== "written") return outcome;
  await project.agreedTexts.store(writes.flatMap(({ agreed }) => agreed));
  const applied = new AppliedExports(project.personal, locationOptions);
  applied.forgetFiles(new Set(writes.map(({ path }) => path)));
  const isComplete = problems.length === 0 && leftTextsOf(plan).length === 0;
  if (isComplete && plan.etag !== null) {
    const paths = plan.files.map((file) => file.path);
    applied.remember(plan.request, plan.etag, paths, plan.isPart === true);
  }
  return outcome;
}

/** Returns the files that the plan changes. */
export function changedFilesOf({ files }: PullPlan): readonly PullFile[] {
  return files.filter(({ change }) => change !== "unchanged");
}

/**
 * Reverts the files that `writePull` wrote and removes those that it created, as far as that was not done yet. `changed`:
 * files that have changed since, so that nothing was reverted.
 * @throws the error of `remove`, after the other files were removed
 */
export async function undoPull(
  { files, local, project, locationOptions }: WriteDependencies & Pick<PullDependencies, "local">,
  plan: PullPlan,
  remove: (path: string) => Promise<void>,
): Promise<WriteOutcome> {
  const changed: string[] = [];
  const created: string[] = [];
  const writes: FileWrite[] = [];
  for (const { path, change, before, after } of changedFilesOf(plan)) {
    const now = await files.read(path);
    const isReverted =
      before === undefined ? now.kind === "missing" : now.kind === "read" && sameBytes(now.bytes, before);
    if (isReverted) continue;
    if (now.kind !== "read" || now.dirty || !sameBytes(now.bytes, after)) changed.push(path);
    else if (change === "created" || before === undefined) created.push(path);
    else writes.push({ path, before: after, after: before });
  }
  if (changed.length > 0) return { kind: "changed", paths: changed };
  const outcome: WriteOutcome = writes.length === 0 ? { kind: "written" } : await files.write(writes);
  if (outcome.kind === "changed") return outcome;
  const removals = await Promise.allSettled(created.map(async (path) => remove(path)));
  const pulled = changedFilesOf(plan);
  // Whoever still reads the pulled texts in the database would agree on them again: both sides are equal there.
  local.invalidate(pulled.map(({ path }) => path));
  await local.loadTexts();
  await project.agreedTexts.undo(pulled.flatMap(({ agreed }) => agreed));
  new AppliedExports(project.personal, locationOptions).forgetFiles(new Set(pulled.map(({ path }) => path)));
  for (const [index, removal] of removals.entries()) {
    const isGone = (await files.stat(created[index] ?? "")) === undefined;
    if (removal.status === "rejected" && !isGone) throw removal.reason;
  }
  return outcome;
}
