/** The rows of a push preview, and what their check boxes mean. Knows nothing of VS Code but its texts. */
import type { PendingRename, ProjectKey } from "../../database/records.ts";
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import type { Text } from "../../model/translation-text.ts";
import type { PushChange, PushItem, PushPlan } from "../../sync/push/push-plan.ts";
import { l10n } from "../../util/l10n.ts";
import { replacedText, textRow, type PreviewRow, type PreviewSection } from "../preview-rows.ts";
import { formatCount } from "../counts-and-times.ts";
import { labelText } from "../escape-text.ts";
import { type KeySpelling, projectKeyLabel } from "../labels.ts";
import type { PushChoice } from "../../sync/push/push-decisions.ts";

/** A key of the plan: one to send, or one to archive. */
export type PlannedKey = PushItem | ProjectKey;

type Renames = ReadonlyMap<string, PendingRename>;

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
    heading: (count) => l10n.t("Archived, restored if checked: {0}", count),
  },
  unknown: { icon: "question", heading: (count) => l10n.t("To be compared by the service: {0}", count) },
  archive: {
    icon: "archive",
    heading: (count) => l10n.t("Not in any local file, to be archived: {0}", count),
  },
};

/** More keys are grouped by namespace. */
const MAX_ROWS = 2_000;

/** By which rows are checked at first. */
export interface PushRule {
  /** The project, whose code names the keys. */
  readonly project: KeySpelling;
  readonly renames: Renames;
  /** Whether keys to archive are checked. */
  readonly isArchiveChecked: boolean;
  /** Whether keys are checked that a push restores, or whose text at the service it overwrites. */
  readonly isAsked: boolean;
}

/** Identifies a key of the plan in a newer one. */
export function plannedKeyId({ hash }: PlannedKey): string {
  return hash;
}

/** Returns the keys by kind and name: a row for each, or for each namespace if there are too many. */
export function pushSections(plan: PushPlan, rule: PushRule): PreviewSection<PlannedKey>[] {
  const byKind = keysByKind(plan, rule.renames);
  const count = [...byKind].reduce((sum, [kind, keys]) => sum + (kind === "renamed" ? 0 : keys.length), 0);
  return (Object.keys(KINDS) as ChangeKind[]).flatMap((kind) => {
    const keys = byKind.get(kind);
    if (keys === undefined) return [];
    const isGrouped = count > MAX_ROWS && kind !== "renamed";
    const groups = isGrouped
      ? [...Map.groupBy(keys, (key) => nameOf(key).namespace)]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([, group]) => group)
      : keys.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).map((key) => [key]);
    const rows = groups.flatMap(([first, ...others]): PreviewRow<PlannedKey>[] => {
      if (first === undefined) return [];
      return [others.length === 0 ? keyRow(kind, first, rule) : groupRow(kind, [first, ...others], rule)];
    });
    return { heading: KINDS[kind].heading(keys.length), rows };
  });
}

/** Keys to archive, to restore, or whose text at the service would be overwritten only if that was asked for. */
function isChecked(kind: ChangeKind, { isArchiveChecked, isAsked }: PushRule): boolean {
  switch (kind) {
    case "archive":
      return isArchiveChecked;
    case "restored":
    case "conflict":
    case "atService":
      return isAsked;
    case "new":
    case "changed":
    case "unknown":
    case "renamed":
      return true;
  }
}

function keysByKind({ items, archive }: PushPlan, renames: Renames): Map<ChangeKind, PlannedKey[]> {
  const kinds = [...items, ...archive].flatMap((key) => {
    const kind = kindOf(key, renames);
    return kind === null ? [] : [[kind, key] as const];
  });
  const byKind = Map.groupBy(kinds, ([kind]) => kind);
  return new Map(Array.from(byKind, ([kind, group]) => [kind, group.map(([, key]) => key)]));
}

/** Returns `null` for a key that a push does not change. */
function kindOf(key: PlannedKey, renames: Renames): ChangeKind | null {
  if (!isItem(key)) return "archive";
  if (renames.has(key.hash)) return "renamed";
  if (key.change === "unchanged") return null;
  if (key.side === "both") return "conflict";
  return key.side === "service" ? "atService" : key.change;
}

/** Returns what is sent of the checked keys. */
export function choiceOf(checked: readonly PlannedKey[], renames: Renames): PushChoice {
  const items = checked.filter(isItem);
  return {
    items: items.filter(({ hash }) => !renames.has(hash)),
    archive: checked.flatMap((key) => (isItem(key) ? [] : key)),
    renames: items.flatMap(({ hash }) => renames.get(hash) ?? []),
  };
}

/** Returns the title of the preview: what is checked. `project`: its name. */
export function pushTitle(project: string, checked: readonly PlannedKey[], renames: Renames): string {
  if (checked.length === 0) return l10n.t("Push to {0}: nothing selected", project);
  const counts = new Map<ChangeKind, number>();
  for (const key of checked) {
    const kind = kindOf(key, renames);
    if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const count = (kind: ChangeKind): number => counts.get(kind) ?? 0;
  const changed = count("changed") + count("unknown");
  const parts = [
    [count("renamed"), l10n.t("{0} renamed", count("renamed"))],
    [count("new"), l10n.t("{0} new", count("new"))],
    [changed, l10n.t("{0} changed", changed)],
    [count("conflict"), l10n.t("{0} changed on both sides", count("conflict"))],
    [count("atService"), l10n.t("{0} changed on the service", count("atService"))],
    [count("restored"), l10n.t("{0} restored", count("restored"))],
    [count("archive"), l10n.t("{0} to archive", count("archive"))],
  ] as const;
  const texts = parts.flatMap(([number, text]) => (number > 0 ? text : []));
  return l10n.t("Push to {0}: {1}", project, texts.join(", "));
}

/** Returns the name of a key of the plan. */
export function nameOf(key: PlannedKey): KeyName {
  return isItem(key) ? key.name : key;
}

/** Returns the text of a key of the plan on one side; `null` if the side does not have it. */
export function textOn(side: "service" | "local", key: PlannedKey): Text | null {
  if (isItem(key)) return side === "local" ? key.text : (key.service?.text ?? null);
  return side === "local" ? null : key.text;
}

function isItem(key: PlannedKey): key is PushItem {
  return "change" in key;
}

function sortKey(key: PlannedKey): string {
  const { namespace, key: name } = nameOf(key);
  return `${namespace}\u001f${name}`;
}

function keyRow(kind: ChangeKind, key: PlannedKey, rule: PushRule): PreviewRow<PlannedKey> {
  const { project, renames } = rule;
  const service = textOn("service", key);
  const replaces = kind === "changed" || kind === "conflict" || kind === "atService";
  const texts =
    kind === "archive"
      ? replacedText(null, service)
      : replacedText(replaces ? service : null, textOn("local", key));
  const rename = kind === "renamed" ? renames.get(key.hash) : undefined;
  const isRefused = isItem(key) && key.pluralSwitch;
  return textRow(project, key, {
    icon: KINDS[kind].icon,
    name: nameOf(key),
    notes: rename === undefined ? [] : [l10n.t("was {0}", projectKeyLabel(project, rename.from))],
    detail: isRefused
      ? l10n.t("Switches between a single text and plural forms, which the service refuses: {0}", texts)
      : texts,
    isChecked: isChecked(kind, rule) && !isRefused,
  });
}

function groupRow(kind: ChangeKind, group: readonly PlannedKey[], rule: PushRule): PreviewRow<PlannedKey> {
  const names = group.slice(0, 5).map((key) => labelText(nameOf(key).key));
  return {
    icon: KINDS[kind].icon,
    label: (group[0] && namespaceLabel(nameOf(group[0]))) || l10n.t("without a namespace"),
    description: formatCount.keys(group.length),
    detail: `${names.join(", ")}${group.length > names.length ? ", …" : ""}`,
    changes: group,
    isChecked: isChecked(kind, rule),
  };
}

function namespaceLabel({ namespace }: KeyName): string {
  return namespace === NO_NAMESPACE ? "" : labelText(namespace);
}
