/** Notes above the preview of a push: exceeded limits, refused and omitted keys; and why nothing is pushed. */
import type { PushPlan } from "../../sync/push/push-plan.ts";
import { l10n } from "../../util/l10n.ts";
import { formatCount } from "../counts-and-times.ts";
import { KeyLimit } from "../../sync/push/key-limit.ts";
import type { Project } from "../../database/project-state.ts";
import { cachedByObject } from "../../util/maps.ts";
import { clock } from "../../api/system-clock.ts";
import type { LocalFiles, LocalProblem } from "../../workspace/local-files/local-entries.ts";
import type { UnparsedRange } from "../../workspace/local-files/local-file.ts";
import { locationText } from "../file-problem-messages.ts";
import { projectDisplayName, projectKeyLabel } from "../labels.ts";

/** Returns the known key limit of the project. */
export const keyLimitOf = cachedByObject((_project: Project) => new KeyLimit(clock));

/** Returns a warning if the plan would probably exceed the key limit, else `null`. */
function keyLimitWarning(project: Project, { counts }: PushPlan): string | null {
  const capacity = keyLimitOf(project).capacity(project.stats?.contentVersion ?? null);
  const wanted = counts.new - counts.archive;
  if (capacity === null || wanted <= capacity.free) return null;
  return l10n.t(
    "May exceed the key limit: {0} to add, about {1} of {2} free",
    formatCount.keys(wanted),
    capacity.free,
    capacity.limit,
  );
}

/** Returns the notes of a preview, the most important first, each short enough for one line. */
export function previewNotes(
  project: Project,
  local: LocalFiles,
  problems: readonly LocalProblem[],
  plan: PushPlan,
): string[] {
  const notes: string[] = [];
  const limitWarning = keyLimitWarning(project, plan);
  if (limitWarning !== null) notes.push(limitWarning);
  const sourceFiles = local.files.filter(({ locales }) => locales.has(local.sourceLocale));
  const sourcePaths = new Set(sourceFiles.map(({ location }) => location.path));
  const duplicates = problems.filter(
    ({ code, path }) => (code === "duplicate" || code === "elsewhere") && sourcePaths.has(path),
  );
  const [first] = duplicates;
  if (first !== undefined) {
    const count = formatCount.keys(duplicates.length);
    const label = first.name === null ? "" : projectKeyLabel(project, first.name);
    notes.push(l10n.t("Duplicates: {0} ({1} in {2})", count, label, first.path));
  }
  const refused = plan.items.filter((item) => item.pluralSwitch).length;
  if (refused > 0)
    notes.push(l10n.t("Will be refused: {0}, plural on one side only", formatCount.keys(refused)));
  if (plan.unparsedRanges.length > 0) notes.push(unparsedText(plan.unparsedRanges));
  if (plan.empty.length > 0) notes.push(skippedText(plan));
  return notes;
}

function skippedText({ empty }: PushPlan): string {
  return l10n.t("Skipped because they have no text: {0}.", formatCount.keys(empty.length));
}

/** Returns which files are incomplete, and that no keys are archived because of them. */
export function unparsedText(ranges: readonly UnparsedRange[]): string {
  return l10n.t(
    "These files cannot be read completely, so their other keys are left out and nothing is archived: {0}. Fix them first.",
    ranges.map(({ path, line, column }) => locationText(path, line, column)).join(", "),
  );
}

/** Returns the message for a push without changes. */
export function nothingToPushMessage(project: Pick<Project, "session" | "label">, plan: PushPlan): string {
  const message = l10n.t(
    "Nothing to push to {0}: {1}, all up to date.",
    projectDisplayName(project),
    formatCount.sourceTexts(plan.counts.unchanged),
  );
  return plan.empty.length === 0 ? message : `${message} ${skippedText(plan)}`;
}
