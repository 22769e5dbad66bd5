/**
 * The preview of a push: new, changed, restored and optionally missing keys, each with a diff and a check box, and notes on
 * exceeded limits, refused and omitted keys. Sends nothing.
 */
import type { PendingRename } from "../../database/records.ts";
import type { PushPlan } from "../../sync/push/push-plan.ts";
import type { App } from "../../vscode/app.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { l10n } from "../../vscode/l10n.ts";
import { textDocument, type VirtualText } from "../../vscode/ui/documents/virtual-documents.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import type { PreviewRow } from "../../vscode/ui/preview/preview-selection.ts";
import { showPreview, type Difference } from "../../vscode/ui/preview/show-preview.ts";
import { KeyLimit } from "../../sync/push/key-limit.ts";
import type { Project } from "../../database/project-state.ts";
import { cachedByObject } from "../../util/maps.ts";
import { clock } from "../../vscode/system-clock.ts";
import type { LocalFiles, LocalProblem } from "../../workspace/local-files/local-entries.ts";
import type { UnparsedRange } from "../../workspace/local-files/local-file.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { locationText } from "../../vscode/ui/messages/file-problem-messages.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import type { PushChoice } from "./push-decisions.ts";
import {
  choiceOf,
  nameOf,
  plannedKeyId,
  pushSections,
  pushTitle,
  textOn,
  type PlannedKey,
} from "./push-rows.ts";

interface PreviewDependencies {
  /** The name of the project, for the title. */
  readonly name: string;
  /** Notes shown above the rows. */
  readonly notes: readonly string[];
  /** Pending renames by the hashes of the new names. */
  readonly renames: ReadonlyMap<string, PendingRename>;
  /** Whether rows to archive are checked initially. */
  readonly isArchiveChecked: boolean;
  /** Whether keys are checked initially that a push restores, or whose text at the service it overwrites. */
  readonly isAsked: boolean;
  /** Plans again including keys to archive; `undefined` if the plan includes them already. */
  readonly planWithArchive: (() => Promise<PushPlan>) | undefined;
}

/**
 * Returns the selection.
 *
 * @throws {CommandError} `cancelled`
 */
export async function previewPush(
  app: App,
  plan: PushPlan,
  { name, notes, renames, isArchiveChecked, isAsked, planWithArchive }: PreviewDependencies,
): Promise<PushChoice> {
  const [note, ...otherNotes] = notes;
  const rule = { renames, isArchiveChecked, isAsked };
  const { checked } = await showPreview<PlannedKey>(app, {
    idOf: plannedKeyId,
    sections: pushSections(plan, rule),
    titleOf: (keys) => pushTitle(name, keys, renames),
    placeholder: note ?? l10n.t("Selected keys are sent. Use a row’s button to see its difference."),
    notes: otherNotes,
    differenceOf,
    buttons: () =>
      planWithArchive === undefined
        ? []
        : [
            {
              icon: "archive",
              tooltip: l10n.t("Also List Keys Missing from Local Files, to Archive Them"),
              kind: "list",
              act: async () => pushSections(await planWithArchive(), rule),
            },
          ],
  });
  return choiceOf(checked, renames);
}

/** Returns both sides of a key, or of the keys of a namespace. */
function differenceOf({ changes, label }: PreviewRow<PlannedKey>): Difference {
  const [first, ...others] = changes;
  const name = first === undefined || others.length > 0 ? label : nameOf(first).key;
  const sideOf = (side: "service" | "local"): VirtualText => {
    const texts = changes.map((key) => {
      const text = textDocument(textOn(side, key));
      return others.length === 0 || textOn(side, key) === null ? text : `# ${nameOf(key).key}\n${text}\n`;
    });
    return { name: `${name}.txt`, text: texts.join("\n") };
  };
  const title = l10n.t("{0}: service ↔ local", labelText(name));
  return { title, before: sideOf("service"), after: sideOf("local") };
}

/** Returns the known key limit of the project. */
export const keyLimitOf = cachedByObject((_project: Project) => new KeyLimit(clock));

/** Returns a warning if the plan would probably exceed the key limit, else `null`. */
function keyLimitWarning(project: Project, { counts }: PushPlan): string | null {
  const capacity = keyLimitOf(project).capacity(project.stats?.contentVersion ?? null);
  const wanted = counts.new - counts.archive;
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
  const limitWarning = keyLimitWarning(open.project, plan);
  if (limitWarning !== null) notes.push(limitWarning);
  const sourceFiles = local.files.filter(({ locales }) => locales.has(local.sourceLocale));
  const sourcePaths = new Set(sourceFiles.map(({ location }) => location.path));
  const duplicates = problems.filter(
    ({ code, path }) => (code === "duplicate" || code === "elsewhere") && sourcePaths.has(path),
  );
  const [first] = duplicates;
  if (first !== undefined) {
    const count = formatCount.keys(duplicates.length);
    notes.push(l10n.t("Duplicates: {0} ({1} in {2})", count, first.key ?? "", first.path));
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
export function nothingToPushMessage(open: OpenProject, plan: PushPlan): string {
  const message = l10n.t(
    "Nothing to push: all {1} source texts are up to date on {0}.",
    projectDisplayName(open),
    plan.counts.unchanged,
  );
  return plan.empty.length === 0 ? message : `${message} ${skippedText(plan)}`;
}
