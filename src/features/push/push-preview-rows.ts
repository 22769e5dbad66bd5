/**
 * The rows of a push preview: one for each key, or one for each namespace if there are too many. Independent of the quick
 * pick that shows them.
 */
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { PushChange, PushItem, PushPlan } from "../../sync/push/push-plan.ts";
import type { PendingRename } from "../../database/records.ts";
import type { Text } from "../../model/text.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { textDocument } from "../../vscode/ui/documents/virtual-documents.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { keyLabel, textLabel } from "../../vscode/ui/text/labels.ts";
import { l10n } from "../../vscode/l10n.ts";

/** What the push would do with the keys of a row. */
export type RowKind = Exclude<PushChange, "unchanged"> | "renamed" | "archive";

export interface PushRow {
  readonly kind: RowKind;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly items: readonly PushItem[];
  readonly archive: readonly ProjectKey[];
  /** The pending rename at the service, for a row of a renamed key. */
  readonly rename?: PendingRename;
  /** The service would refuse it, so it is not checked initially. */
  readonly refused: boolean;
}

/** More keys are grouped by namespace. */
const MAX_ROWS = 2_000;

const ICONS: Readonly<Record<RowKind, string>> = {
  new: "add",
  renamed: "symbol-key",
  changed: "edit",
  restored: "history",
  unknown: "question",
  archive: "archive",
};

/** In display order. */
export const ROW_KINDS: readonly RowKind[] = ["renamed", "new", "changed", "restored", "unknown", "archive"];

/** Returns the heading of a kind. */
export function kindLabel(kind: RowKind, count: number): string {
  switch (kind) {
    case "new":
      return l10n.t("New: {0}", count);
    case "renamed":
      return l10n.t("To be renamed, with their translations: {0}", count);
    case "changed":
      return l10n.t("Changed: {0}", count);
    case "restored":
      return l10n.t("Restored from the archive: {0}", count);
    case "unknown":
      return l10n.t("To be compared by the service: {0}", count);
    case "archive":
      return l10n.t("Not in any local file, to be archived: {0}", count);
  }
}

/** Returns the rows of all changes, sorted by kind and name. */
export function previewRows(plan: PushPlan, renames: ReadonlyMap<string, PendingRename>): PushRow[] {
  const items = plan.items.filter((item) => item.change !== "unchanged" && !renames.has(item.hash));
  const byNamespace = items.length + plan.archive.length > MAX_ROWS;
  return ROW_KINDS.flatMap((kind) => {
    if (kind === "renamed") {
      return plan.items.flatMap((item) => {
        const rename = renames.get(item.hash);
        return rename === undefined ? [] : [renameRow(item, rename)];
      });
    }
    if (kind === "archive") {
      return byNamespace
        ? grouped(plan.archive, (key) => key).map((group) => groupRow(kind, [], group))
        : sorted(plan.archive, (key) => key).map(archiveRow);
    }
    const own = items.filter((item) => item.change === kind);
    return byNamespace
      ? grouped(own, (item) => item.name).map((group) => groupRow(kind, group, []))
      : sorted(own, (item) => item.name).map((item) => itemRow(kind, item));
  });
}

/** Returns both sides of a row's diff: the service's text and the local one. */
export function diffSides(row: PushRow): { readonly service: string; readonly local: string } {
  const [item] = row.items;
  const [archived] = row.archive;
  if (row.items.length + row.archive.length === 1) {
    return {
      service: textDocument(item?.service?.text ?? archived?.text ?? null),
      local: item === undefined ? "" : textDocument(item.text),
    };
  }
  const document = (lines: readonly (readonly [KeyName, Text | null | undefined])[]): string =>
    lines.map(([name, text]) => (text ? `# ${name.key}\n${textDocument(text)}\n` : "")).join("\n");
  return {
    service: document([
      ...row.items.map((each) => [each.name, each.service?.text] as const),
      ...row.archive.map((key) => [key, key.text] as const),
    ]),
    local: document(row.items.map((each) => [each.name, each.text] as const)),
  };
}

/** Returns the row of one key. */
function keyRow(kind: RowKind, { key, context, ...name }: KeyName, detail: string): PushRow {
  return {
    kind,
    label: `$(${ICONS[kind]}) ${labelText(context === null ? key : `${key} (${context})`)}`,
    description: namespaceOf(name),
    detail,
    items: [],
    archive: [],
    refused: false,
  };
}

function itemRow(kind: RowKind, item: PushItem): PushRow {
  const now = textLabel(item.text);
  const before = item.service?.text ?? null;
  const message = kind === "changed" && before !== null ? `${textLabel(before)} → ${now}` : now;
  const detail = item.pluralSwitch
    ? l10n.t("Switches between a single text and plural forms, which the service refuses: {0}", message)
    : message;
  return { ...keyRow(kind, item.name, detail), items: [item], refused: item.pluralSwitch };
}

function renameRow(item: PushItem, rename: PendingRename): PushRow {
  const description = l10n.t("was {0}", keyLabel(rename.from));
  return { ...itemRow("renamed", item), description, rename };
}

function archiveRow(key: ProjectKey): PushRow {
  return { ...keyRow("archive", key, textLabel(key.text)), archive: [key] };
}

function groupRow(kind: RowKind, items: readonly PushItem[], archive: readonly ProjectKey[]): PushRow {
  const name = items[0]?.name ?? archive[0];
  const names = [...items.map((item) => item.name), ...archive]
    .slice(0, 5)
    .map((each) => labelText(each.key));
  return {
    kind,
    label: `$(${ICONS[kind]}) ${name === undefined ? "" : namespaceOf(name) || l10n.t("without a namespace")}`,
    description: formatCount.keys(items.length + archive.length),
    detail: `${names.join(", ")}${items.length + archive.length > names.length ? ", …" : ""}`,
    items,
    archive,
    refused: false,
  };
}

/** Groups items by namespace, sorted by it. */
function grouped<Item>(all: readonly Item[], name: (item: Item) => KeyName): Item[][] {
  return [...Map.groupBy(all, (item) => name(item).namespace)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => group);
}

function sorted<Item>(all: readonly Item[], name: (item: Item) => KeyName): Item[] {
  const text = (item: Item): string => `${name(item).namespace}\u001f${name(item).key}`;
  return all.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}

function namespaceOf({ namespace }: Pick<KeyName, "namespace">): string {
  return namespace === NO_NAMESPACE ? "" : labelText(namespace);
}
