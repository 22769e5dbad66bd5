/** The rows of a pull preview, and what their check boxes mean. Knows nothing of VS Code but its texts. */
import type { LeftText } from "../../sync/pull/compare-with-export.ts";
import {
  leftTextsOf,
  problemsOf,
  settled,
  type PullChoice,
  type PullFile,
  type PullPlan,
} from "../../sync/pull/pull-plan.ts";
import { changedFilesOf } from "../../sync/pull/write-pull.ts";
import { l10n } from "../../util/l10n.ts";
import type { Project } from "../../database/project-state.ts";
import { textRow, type PreviewChoice, type PreviewRow, type PreviewSection } from "../preview-rows.ts";
import { formatCount, formatNumber } from "../counts-and-times.ts";
import { localeLabel } from "../labels.ts";
import { labelText } from "../escape-text.ts";
import { amountText, bothTexts, type PulledProject } from "./pull-messages.ts";

/** A file that would change, or a text that stays as it is in its file. */
export type PullChange = PullFile | LeftText;

const TEXT_ICONS = { file: "edit", deleted: "trash", conflict: "git-compare" } as const;

/** Identifies a change when it is listed again. */
export function pullChangeId(change: PullChange): string {
  return isFile(change) ? `file ${change.path}` : `text ${change.id}`;
}

/**
 * Returns files and texts. The box of a language stands for all its files, that of a file for all its texts.
 *
 * @param kept conflicts that were settled in favour of the files
 */
export function pullSections(
  project: PulledProject,
  plan: PullPlan,
  kept: readonly PullChange[] = [],
): readonly PreviewSection<PullChange>[] {
  const changed = changedFilesOf(plan);
  const left = leftOf(plan, kept);
  const conflicts = left.filter(({ reason }) => reason === "conflict");
  const local = left.filter(({ reason }) => reason !== "conflict");
  const isSource = ({ locale }: LeftText): boolean => locale === project.sourceLocale;
  const unsaved = unsavedPathsOf(plan);
  const filesOf = (change: PullFile["change"]): PullFile[] =>
    changed.filter((file) => file.change === change);
  const [updated, created] = [filesOf("updated"), filesOf("created")];
  return [
    {
      heading: l10n.t("Existing files: {0}", formatNumber(updated.length)),
      rows: fileRows(project, updated, unsaved),
    },
    {
      heading: l10n.t("Changed here and on the service: {0}", formatNumber(conflicts.length)),
      rows: textRows(project, conflicts),
    },
    ...localSections(project, local, isSource),
    {
      heading: l10n.t("New files: {0}", formatNumber(created.length)),
      rows: fileRows(project, created, unsaved),
    },
  ];
}

function localSections(
  project: PulledProject,
  local: readonly LeftText[],
  isSource: (text: LeftText) => boolean,
): readonly PreviewSection<PullChange>[] {
  const translations = local.filter((text) => !isSource(text));
  const source = local.filter(isSource);
  return [
    {
      heading: l10n.t("Changed only in your files: {0}", formatNumber(translations.length)),
      rows: textRows(project, translations),
    },
    { heading: l10n.t("Not pushed yet: {0}", formatNumber(source.length)), rows: textRows(project, source) },
  ];
}

function unsavedPathsOf(plan: PullPlan): ReadonlySet<string> {
  return new Set(problemsOf(plan).flatMap(({ kind, path }) => (kind === "unsaved" ? [path] : [])));
}

/** Existing files are checked at first unless their content might be lost; new files are not. */
function isFileChecked(file: PullFile, unsaved: ReadonlySet<string>): boolean {
  const mayLoseContent = file.isUnparsed === true || (file.isWhole && file.differing > 0);
  return file.change === "updated" && !mayLoseContent && !unsaved.has(file.path);
}

function fileRows(
  project: PulledProject,
  files: readonly PullFile[],
  unsaved: ReadonlySet<string>,
): PreviewRow<PullChange>[] {
  const fileRow = (file: PullFile): PreviewRow<PullChange> => ({
    icon: file.change === "created" ? "new-file" : "edit",
    label: labelText(file.path),
    description: [formatCount.texts(file.texts), noteOf(file, unsaved) ?? []].flat().join(" · "),
    changes: [file],
    isChecked: isFileChecked(file, unsaved),
  });
  const byLocale = Map.groupBy(files, ({ locale }) => locale);
  return [...byLocale].flatMap(([locale, group]): PreviewRow<PullChange>[] => {
    if (locale === null || group.length === 1) return group.map(fileRow);
    const description = amountText(project, group);
    return [groupRow("globe", localeLabel(project, locale), description, group), ...group.map(fileRow)];
  });
}

function textRows(project: PulledProject, texts: readonly LeftText[]): PreviewRow<PullChange>[] {
  const rowOf = (text: LeftText): PreviewRow<PullChange> =>
    textRow<PullChange>(project, text, {
      icon: TEXT_ICONS[text.reason],
      name: text.name,
      notes: [text.locale, text.path],
      detail: bothTexts(text),
      isChecked: false,
      canKeep: text.reason === "conflict",
    });
  return [...Map.groupBy(texts, ({ path }) => path)].flatMap(([path, group]): PreviewRow<PullChange>[] => {
    if (group.length === 1) return group.map(rowOf);
    return [groupRow("file", path, formatCount.texts(group.length), group), ...group.map(rowOf)];
  });
}

/** A group is checked if all its changes are. */
function groupRow(
  icon: string,
  name: string,
  description: string,
  changes: readonly PullChange[],
): PreviewRow<PullChange> {
  return { icon, label: labelText(name), description, changes, isChecked: false, hasDifference: false };
}

/** Returns what the user should know of a file before it is written. */
function noteOf(file: PullFile, unsaved: ReadonlySet<string>): string | undefined {
  if (unsaved.has(file.path)) return l10n.t("has unsaved changes");
  if (file.isUnparsed === true) return l10n.t("the local file has an error and is replaced as a whole");
  const notes = [
    ...(file.isWhole ? [l10n.t("replaced as a whole")] : []),
    // Of these it is unknown which side changed.
    ...(file.differing > 0 ? [formatCount.replacedTexts(file.differing)] : []),
  ];
  return notes.length > 0 ? notes.join(" · ") : undefined;
}

/** Returns the files and texts that were checked and kept. */
export function chosenChanges({ checked, kept }: PreviewChoice<PullChange>): PullChoice {
  return {
    files: checked.filter(isFile),
    texts: checked.filter(isText),
    kept: kept.filter(isText),
  };
}

/** Returns the title of the preview: what is checked. `name`: of the project. */
export function pullTitle(project: PulledProject, name: string, checked: readonly PullChange[]): string {
  if (checked.length === 0) return l10n.t("Pull from {0}: nothing selected", name);
  const { files, texts } = chosenChanges({ checked, kept: [] });
  return l10n.t("Pull from {0}: {1}", name, amountText(project, files, texts));
}

/** Returns what happens to the selected rows. */
export function pullPlaceholder(plan: PullPlan): string {
  const left = leftTextsOf(plan);
  if (left.some(({ reason }) => reason === "conflict"))
    return l10n.t("Selected texts are pulled; where both changed, you can also keep yours");
  if (left.length > 0) return l10n.t("Selected texts are pulled; the others stay as they are");
  return changedFilesOf(plan).some(({ change }) => change === "updated")
    ? l10n.t("Selected files are written")
    : l10n.t("Nothing to update: select the new files you want");
}

/** Whether there are translations that the service could get: those that changed only in the files, or were kept. */
export function hasSendable(
  { sourceLocale }: Pick<Project, "sourceLocale">,
  plan: PullPlan,
  kept: readonly PullChange[],
): boolean {
  return leftOf(plan, kept).some(({ reason, locale }) => reason === "file" && locale !== sourceLocale);
}

function leftOf(plan: PullPlan, kept: readonly PullChange[]): LeftText[] {
  const ids = new Set(kept.map(pullChangeId));
  return leftTextsOf(plan).map((text) => (ids.has(pullChangeId(text)) ? settled(text) : text));
}

/** Whether the change is that of a file. */
export function isFile(change: PullChange): change is PullFile {
  return "change" in change;
}

function isText(change: PullChange): change is LeftText {
  return !isFile(change);
}
