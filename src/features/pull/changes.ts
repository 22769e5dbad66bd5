/** Shows which files a pull would change, each with its difference, before anything is written. */
import * as vscode from "vscode";
import type { FormatName } from "../../model/format-name.ts";
import { decodeText, isNotText } from "../../formats/encoding.ts";
import { factsOf } from "../../formats/format-facts.ts";
import { isNotReadable } from "../../formats/translation-file.ts";
import type { PullFile, PullPlan } from "../../sync/pull.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { formatAt } from "../../vscode/projects/file-texts.ts";
import { nameOf } from "../../vscode/command-requirements.ts";
import { counted } from "../../vscode/ui/counts.ts";
import { showList } from "../../vscode/ui/quick-pick.ts";
import type { ShownText, Side } from "../../vscode/ui/virtual-documents.ts";
import { textLine } from "../../vscode/ui/tree-rows.ts";
import { l10n } from "../../vscode/l10n.ts";

interface ChangeItem extends vscode.QuickPickItem {
  readonly file?: PullFile;
}

/** Whether the file holds source texts, which are pushed from here rather than pulled. */
export function isSource(open: OpenProject, path: string): boolean {
  const { sourceLocale } = open.project;
  return sourceLocale !== null && open.local.placeOf(path)?.locale === sourceLocale;
}

function warningsOf(open: OpenProject, { path, change, unread }: PullFile): readonly string[] {
  if (unread === true) return [l10n.t("the file here has a mistake in it and is replaced whole")];
  const isReplaced = change === "updated" && isSource(open, path);
  return isReplaced ? [l10n.t("source language: texts that were not pushed are replaced")] : [];
}

/** Whether a person wants all of it written. A row shows its difference and leaves the list open. */
export async function showChanges(app: App, open: OpenProject, plan: PullPlan): Promise<boolean> {
  const changed = plan.files.filter((file) => file.change !== "unchanged");
  const pick = vscode.window.createQuickPick<ChangeItem>();
  const difference: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("diff"),
    tooltip: l10n.t("Show Difference"),
  };
  const all: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("diff-multiple"),
    tooltip: l10n.t("Show All Differences"),
  };
  pick.title = l10n.t("Pull from {0} changes {1}", nameOf(open), counted.files(changed.length));
  pick.placeholder = l10n.t("Nothing is written yet.");
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.buttons = [all];
  const rows = (change: PullFile["change"], heading: string): ChangeItem[] => {
    const files = changed.filter((file) => file.change === change);
    if (files.length === 0) return [];
    return [
      { label: heading, kind: vscode.QuickPickItemKind.Separator },
      ...files.map((file) => ({
        label: `$(${change === "created" ? "new-file" : "edit"}) ${file.path}`,
        description: [counted.texts(file.texts), ...warningsOf(open, file)].join(" · "),
        buttons: [difference],
        file,
      })),
    ];
  };
  pick.items = [
    {
      label: `$(check) ${changed.length === 1 ? l10n.t("Write the File") : l10n.t("Write All {0} Files", changed.length)}`,
      alwaysShow: true,
    },
    ...rows("updated", l10n.t("Updated")),
    ...rows("created", l10n.t("Created")),
  ];
  pick.onDidTriggerItemButton(({ item }) => void showDifference(app, open, item.file));
  pick.onDidTriggerButton(() => void showAll(app, open, changed));
  const accept = ([item]: readonly ChangeItem[]): true | undefined => {
    if (item?.file === undefined) return item && true;
    void showDifference(app, open, item.file);
    return undefined;
  };
  const isAccepted = await showList(pick, accept);
  void app.texts.closeDifferences();
  return isAccepted ?? false;
}

async function showDifference(app: App, open: OpenProject, file: PullFile | undefined): Promise<void> {
  if (file === undefined) return;
  const title = l10n.t("{0}: local ↔ service", file.path);
  const { before = { name: file.path, text: "" }, after } = await sidesOf(open, file);
  if (before instanceof vscode.Uri) await app.texts.diff(before, after, title);
  else await app.texts.diffBelowList(before, after, title);
}

async function showAll(app: App, open: OpenProject, files: readonly PullFile[]): Promise<void> {
  const sides = await Promise.all(
    files.map(async (file) => {
      return { file: vscode.Uri.joinPath(open.root, file.path), ...(await sidesOf(open, file)) };
    }),
  );
  await app.texts.diffAll(l10n.t("Pull from {0}", nameOf(open)), sides);
}

/** The file as it is and as it would be; of one that VS Code shows no text of, what both say. */
async function sidesOf(
  open: OpenProject,
  { path, before, after }: PullFile,
): Promise<{ readonly before: Side | undefined; readonly after: ShownText }> {
  const format = formatAt(open, path);
  if (format !== undefined && factsOf(format)?.kind === "binary") {
    const listed = async (bytes: Uint8Array): Promise<ShownText> => {
      return { name: `${path}.txt`, text: await listOf(open, path, format, bytes) };
    };
    return { before: before && (await listed(before)), after: await listed(after) };
  }
  const decoded = decodeText(after, format);
  const text = isNotText(decoded) ? new TextDecoder().decode(after) : decoded.text;
  return { before: before && vscode.Uri.joinPath(open.root, path), after: { name: path, text } };
}

/** A line for each text. */
async function listOf(
  { local }: OpenProject,
  path: string,
  format: FormatName,
  bytes: Uint8Array,
): Promise<string> {
  const place = local.placeOf(path);
  const options = place === null ? { locale: "en", sourceLocale: "en" } : local.readOptions(place);
  const read = await local.formats.read(format, bytes, options);
  if (isNotReadable(read)) return "";
  const lines = Array.from(read.entries, ({ namespace, key, context, locale, text }) => {
    const name = [namespace, context, key].filter((part) => part !== null).join(" › ");
    return `${locale === null ? "" : `${locale}  `}${name} = ${textLine(text)}\n`;
  });
  return lines.join("");
}
