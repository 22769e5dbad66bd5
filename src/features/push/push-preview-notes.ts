/**
 * Notes of a push preview: exceeded limits, refused and omitted keys. The key limit is learned from a refusal and checked
 * before the next push.
 */
import { KeyLimit } from "../../sync/push/key-limit.ts";
import type { Project } from "../../database/project-state.ts";
import { clock } from "../../vscode/system-clock.ts";
import type { LocalFiles, LocalProblem } from "../../workspace/local-files/local-entries.ts";
import type { PushPlan } from "../../sync/push/push-plan.ts";
import type { UnparsedRange } from "../../workspace/local-files/local-file.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { locationText } from "../../vscode/files/file-problem-messages.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { l10n } from "../../vscode/l10n.ts";

const limits = new WeakMap<Project, KeyLimit>();

/** Returns the known key limit of the project. */
export function keyLimitOf(project: Project): KeyLimit {
  const limit = limits.get(project) ?? new KeyLimit(clock);
  limits.set(project, limit);
  return limit;
}

/** Returns a warning if the plan would probably exceed the key limit, else `null`. */
function keyLimitWarning(project: Project, { counts }: PushPlan): string | null {
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

/** Returns the notes of a preview, the most important first, each short enough for one line. */
export function previewNotes(
  open: OpenProject,
  local: LocalFiles,
  problems: readonly LocalProblem[],
  plan: PushPlan,
): string[] {
  const notes: string[] = [];
  const over = keyLimitWarning(open.project, plan);
  if (over !== null) notes.push(over);
  const twice = problems.filter(({ code }) => code === "duplicate" || code === "elsewhere");
  const source = twice.filter(({ path }) =>
    local.files.some((file) => file.location.path === path && file.locales.has(local.sourceLocale)),
  );
  if (source.length > 0) {
    const [first] = source;
    notes.push(
      l10n.t(
        "Duplicates: {0} ({1} in {2})",
        formatCount.keys(source.length),
        first?.key ?? "",
        first?.path ?? "",
      ),
    );
  }
  const switches = plan.items.filter((item) => item.pluralSwitch).length;
  if (switches > 0)
    notes.push(l10n.t("Will be refused: {0}, plural on one side only", formatCount.keys(switches)));
  if (plan.unparsedRanges.length > 0) notes.push(unparsedText(plan.unparsedRanges));
  if (plan.empty.length > 0)
    notes.push(l10n.t("Skipped because they have no text: {0}.", formatCount.keys(plan.empty.length)));
  return notes;
}

/** Returns why no keys are archived. */
export function unparsedText(places: readonly UnparsedRange[]): string {
  return l10n.t(
    "Nothing is archived because these files cannot be read completely: {0}. Fix them first.",
    places.map(({ path, line, column }) => locationText(path, line, column)).join(", "),
  );
}

/** Returns the message for a push without changes. */
export function nothingToPushMessage(open: OpenProject, { counts, empty }: PushPlan): string {
  const message = l10n.t(
    "Nothing to push: all {1} source texts are up to date on {0}.",
    projectDisplayName(open),
    counts.unchanged,
  );
  return empty.length === 0
    ? message
    : `${message} ${l10n.t("Skipped because they have no text: {0}.", formatCount.keys(empty.length))}`;
}
