/**
 * The preview of a push: new, changed, restored and optionally missing keys, each with a diff and a check box, and notes on
 * exceeded limits, refused and omitted keys. Sends nothing.
 */
import * as vscode from "vscode";
import type { ProjectKey, PendingRename } from "../../database/records.ts";
import type { PushItem, PushPlan, PushChange } from "../../sync/push/push-plan.ts";
import type { App } from "../../vscode/app.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { iconButton, showList } from "../../vscode/ui/input/quick-pick.ts";
import { l10n } from "../../vscode/l10n.ts";
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import type { Text } from "../../model/translation-text.ts";
import { textDocument, type VirtualText } from "../../vscode/ui/documents/virtual-documents.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { keyLabel, textLabel } from "../../vscode/ui/text/labels.ts";
import { KeyLimit } from "../../sync/push/key-limit.ts";
import type { Project } from "../../database/project-state.ts";
import { requireAnswer } from "../../vscode/commands/command-types.ts";
import { cachedByObject } from "../../util/maps.ts";
import { clock } from "../../vscode/system-clock.ts";
import type { LocalFiles, LocalProblem } from "../../workspace/local-files/local-entries.ts";
import type { UnparsedRange } from "../../workspace/local-files/local-file.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { locationText } from "../../vscode/ui/messages/file-problem-messages.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";

/** The user's selection. */
export interface PushChoice {
  readonly items: readonly PushItem[];
  readonly archive: readonly ProjectKey[];
  /** Keys to be renamed at the service; not among the items. */
  readonly renames: readonly PendingRename[];
}

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

/** What the push would do with one key, which is in the items, to archive or to be renamed. */
interface KeyChange {
  readonly kind: ChangeKind;
  readonly name: KeyName;
  readonly service: Text | null;
  readonly local: Text | null;
  readonly item?: PushItem;
  readonly archive?: ProjectKey;
  readonly rename?: PendingRename;
}

/** `conflict`, `atService`: texts of the service that a push would overwrite. */
type ChangeKind = Exclude<PushChange, "unchanged"> | "conflict" | "atService" | "renamed" | "archive";

/** In display order. */
const KINDS: Readonly<
  Record<ChangeKind, { readonly icon: string; readonly heading: (count: number) => string }>
> = {
  renamed: {
    icon: "symbol-key",
    heading: (count) => l10n.t("To be renamed, with their translations: {0}", count),
  },
  new: { icon: "add", heading: (count) => l10n.t("New: {0}", count) },
  changed: { icon: "edit", heading: (count) => l10n.t("Changed: {0}", count) },
  conflict: {
    icon: "git-compare",
    heading: (count) => l10n.t("Changed here and on the service, overwritten if checked: {0}", count),
  },
  atService: {
    icon: "cloud",
    heading: (count) => l10n.t("Changed only on the service, overwritten if checked: {0}", count),
  },
  restored: {
    icon: "history",
    heading: (count) => l10n.t("Archived on the service, restored if checked: {0}", count),
  },
  unknown: { icon: "question", heading: (count) => l10n.t("To be compared by the service: {0}", count) },
  archive: {
    icon: "archive",
    heading: (count) => l10n.t("Not in any local file, to be archived: {0}", count),
  },
};

/** More keys are grouped by namespace. */
const MAX_ROWS = 2_000;

interface Row extends vscode.QuickPickItem {
  /** One key, or the keys of a namespace; none for a heading. */
  readonly changes: readonly KeyChange[];
}

/**
 * Returns the selection.
 *
 * @throws {CommandError} `cancelled`
 */
export async function showPreview(
  app: App,
  plan: PushPlan,
  { name, notes, renames, isArchiveChecked, isAsked, planWithArchive }: PreviewDependencies,
): Promise<PushChoice> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const [note, ...otherNotes] = notes;
  pick.placeholder = note ?? l10n.t("Selected keys are sent. Use a row’s button to see its difference.");
  const difference = iconButton("diff", l10n.t("Show Difference"));
  const fill = (shown: PushPlan): void => {
    const selected = new Set(pick.selectedItems);
    const unchecked = new Set(pick.items.filter((row) => !selected.has(row)).map(idOf));
    const changes = changesOf(shown, renames);
    pick.title = titleOf(name, shown, changes);
    pick.items = [...otherNotes.map(headingRow), ...rowsOf(changes, difference)];
    pick.selectedItems = pick.items.filter(
      (row) => isCheckedInitially(row, isArchiveChecked, isAsked) && !unchecked.has(idOf(row)),
    );
  };
  fill(plan);
  if (planWithArchive !== undefined)
    pick.buttons = [
      iconButton("archive", l10n.t("Also List Keys Missing from Local Files, to Archive Them")),
    ];
  let failed: { readonly error: unknown } | undefined;
  pick.onDidTriggerItemButton(({ item }) => void showDifference(app, item));
  pick.onDidTriggerButton(() => {
    pick.buttons = [];
    pick.busy = true;
    planWithArchive?.()
      .then(fill, (error: unknown) => {
        failed = { error };
        pick.hide();
      })
      .finally(() => {
        pick.busy = false;
      });
  });
  const chosen = await showList(pick, (rows) => rows.flatMap(({ changes }) => changes));
  void app.virtualDocuments.closeDifferences();
  if (failed !== undefined) throw failed.error;
  const changes = requireAnswer(chosen);
  return {
    items: changes.flatMap(({ item, rename }) => (rename === undefined ? (item ?? []) : [])),
    archive: changes.flatMap(({ archive }) => archive ?? []),
    renames: changes.flatMap(({ rename }) => rename ?? []),
  };
}

function changesOf(
  { items, archive }: PushPlan,
  renames: ReadonlyMap<string, PendingRename>,
): readonly KeyChange[] {
  return [
    ...items.flatMap((item): KeyChange[] => {
      const rename = renames.get(item.hash);
      const change = { name: item.name, service: item.service?.text ?? null, local: item.text, item };
      if (rename !== undefined) return [{ ...change, kind: "renamed", rename }];
      if (item.change === "unchanged") return [];
      const kind = item.side === "both" ? "conflict" : item.side === "service" ? "atService" : item.change;
      return [{ ...change, kind }];
    }),
    ...archive.map((key): KeyChange => ({
      kind: "archive",
      name: key,
      service: key.text,
      local: null,
      archive: key,
    })),
  ];
}

/** Returns the rows by kind and name, below headings: one for each key, or for each namespace if there are too many. */
function rowsOf(changes: readonly KeyChange[], button: vscode.QuickInputButton): Row[] {
  const isGrouped = changes.filter(({ kind }) => kind !== "renamed").length > MAX_ROWS;
  const byKind = Map.groupBy(changes, ({ kind }) => kind);
  return (Object.keys(KINDS) as ChangeKind[]).flatMap((kind): Row[] => {
    const ofKind = byKind.get(kind);
    if (ofKind === undefined) return [];
    const { icon, heading } = KINDS[kind];
    const groups =
      isGrouped && kind !== "renamed"
        ? [...Map.groupBy(ofKind, ({ name }) => name.namespace)]
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([, group]) => group)
        : ofKind.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).map((change) => [change]);
    const rows = groups.flatMap(([first, ...others]): Row[] => {
      if (first === undefined) return [];
      const group = [first, ...others];
      const labels = others.length === 0 ? keyLabels(first) : groupLabels(group);
      return [{ ...labels, label: `$(${icon}) ${labels.label}`, buttons: [button], changes: group }];
    });
    return [headingRow(heading(ofKind.length)), ...rows];
  });
}

function sortKey({ name }: KeyChange): string {
  return `${name.namespace}\u001f${name.key}`;
}

function headingRow(label: string): Row {
  return { label, kind: vscode.QuickPickItemKind.Separator, changes: [] };
}

function keyLabels({ kind, name, service, local, item, rename }: KeyChange) {
  const { key, context } = name;
  const now = textLabel(kind === "archive" ? service : local);
  const replaces = kind === "changed" || kind === "conflict" || kind === "atService";
  const texts = replaces && service !== null ? `${textLabel(service)} → ${now}` : now;
  return {
    label: labelText(context === null ? key : `${key} (${context})`),
    description: rename === undefined ? namespaceLabel(name) : l10n.t("was {0}", keyLabel(rename.from)),
    detail:
      item?.pluralSwitch === true
        ? l10n.t("Switches between a single text and plural forms, which the service refuses: {0}", texts)
        : texts,
  };
}

function groupLabels(group: readonly KeyChange[]) {
  const names = group.slice(0, 5).map(({ name }) => labelText(name.key));
  return {
    label: (group[0] && namespaceLabel(group[0].name)) || l10n.t("without a namespace"),
    description: formatCount.keys(group.length),
    detail: `${names.join(", ")}${group.length > names.length ? ", …" : ""}`,
  };
}

function namespaceLabel({ namespace }: KeyName): string {
  return namespace === NO_NAMESPACE ? "" : labelText(namespace);
}

/**
 * Keys to archive, to restore, or whose text at the service would be overwritten are not checked initially unless that was
 * asked for, nor are keys that would be refused.
 */
function isCheckedInitially({ changes }: Row, isArchiveChecked: boolean, isAsked: boolean): boolean {
  const [first, ...others] = changes;
  if (first === undefined || (first.kind === "archive" && !isArchiveChecked)) return false;
  if (["restored", "conflict", "atService"].includes(first.kind) && !isAsked) return false;
  return others.length > 0 || first.item?.pluralSwitch !== true;
}

function idOf({ label, description }: Row): string {
  return `${label}\u001f${description ?? ""}`;
}

async function showDifference(app: App, { changes, description }: Row): Promise<void> {
  const [first, ...others] = changes;
  if (first === undefined) return;
  const name = others.length === 0 ? first.name.key : (description ?? "");
  const side = (of: "service" | "local"): VirtualText => {
    const texts = changes.map((change) => {
      const text = textDocument(change[of]);
      return others.length === 0 || change[of] === null ? text : `# ${change.name.key}\n${text}\n`;
    });
    return { name: `${name}.txt`, text: texts.join("\n") };
  };
  const title = l10n.t("{0}: service ↔ local", labelText(name));
  await app.virtualDocuments.diffBelowList(side("service"), side("local"), title);
}

function titleOf(name: string, plan: PushPlan, changes: readonly KeyChange[]): string {
  const count = (...kinds: readonly ChangeKind[]): number =>
    changes.filter(({ kind }) => kinds.includes(kind)).length;
  const unchanged = plan.items.length + plan.archive.length - changes.length;
  const parts = [
    ...(count("renamed") > 0 ? [l10n.t("{0} renamed", count("renamed"))] : []),
    l10n.t("{0} new", count("new")),
    l10n.t("{0} changed", count("changed", "unknown")),
    ...(count("conflict") > 0 ? [l10n.t("{0} changed on both sides", count("conflict"))] : []),
    ...(count("atService") > 0 ? [l10n.t("{0} changed on the service", count("atService"))] : []),
    ...(count("restored") > 0 ? [l10n.t("{0} restored", count("restored"))] : []),
    l10n.t("{0} unchanged", unchanged),
    ...(count("archive") > 0 ? [l10n.t("{0} to archive", count("archive"))] : []),
  ];
  return l10n.t("Push to {0}: {1}", name, parts.join(", "));
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
