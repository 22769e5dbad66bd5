/** What the key limit makes of a push: learned from a refusal, and told before the next push. */
import { KeyLimit } from "../../sync/key-limit.ts";
import type { Project } from "../../database/project-state.ts";
import type { PushPlan } from "../../sync/push-plan.ts";
import { clock } from "../../vscode/clock.ts";
import { l10n } from "../../vscode/l10n.ts";

const limits = new WeakMap<Project, KeyLimit>();

/** The key limit as far as this window knows it for the project. */
export function keyLimitOf(project: Project): KeyLimit {
  const limit = limits.get(project) ?? new KeyLimit(clock);
  limits.set(project, limit);
  return limit;
}

/** A sentence when the plan does not seem to fit; `null` when it does, or nobody knows. */
export function forecast(project: Project, { counts }: PushPlan): string | null {
  const room = keyLimitOf(project).room(project.stats?.contentVersion ?? null);
  const wanted = counts.new + counts.restored - counts.archive;
  if (room === null || wanted <= room.free) return null;
  return l10n.t(
    "May exceed the key limit: {0} more keys, about {1} of {2} free",
    wanted,
    room.free,
    room.limit,
  );
}
