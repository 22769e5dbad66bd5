/** The key limit, learned from a refusal and checked before the next push. */
import { KeyLimit } from "../../sync/push/key-limit.ts";
import type { Project } from "../../database/project-state.ts";
import type { PushPlan } from "../../sync/push/push-plan.ts";
import { clock } from "../../vscode/clock.ts";
import { l10n } from "../../vscode/l10n.ts";

const limits = new WeakMap<Project, KeyLimit>();

/** Returns the known key limit of the project. */
export function keyLimitOf(project: Project): KeyLimit {
  const limit = limits.get(project) ?? new KeyLimit(clock);
  limits.set(project, limit);
  return limit;
}

/** Returns a warning if the plan would probably exceed the key limit, else `null`. */
export function keyLimitWarning(project: Project, { counts }: PushPlan): string | null {
  const capacity = keyLimitOf(project).capacity(project.stats?.contentVersion ?? null);
  const wanted = counts.new + counts.restored - counts.archive;
  if (capacity === null || wanted <= capacity.free) return null;
  return l10n.t(
    "May exceed the key limit: {0} more keys, about {1} of {2} free",
    wanted,
    capacity.free,
    capacity.limit,
  );
}
