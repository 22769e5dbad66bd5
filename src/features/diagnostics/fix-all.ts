/**
 * "Fix All" for translation files, also on save and as a quick fix: applies all suggestions in one undoable edit. Does not
 * write to the service.
 */
import * as vscode from "vscode";
import { decodeText, isUndecodable } from "../../formats/encoding.ts";
import type { App } from "../../vscode/app.ts";
import {
  LOCAL_DOCUMENTS,
  localDocument,
  type LocalDocument,
} from "../../vscode/files/translation-file-documents.ts";
import { l10n } from "../../vscode/l10n.ts";
import { correctedEntries, type CorrectedEntry } from "./translation-file-diagnostics.ts";
import { KeyDiagnostic } from "./key-diagnostic.ts";
import { documentRange } from "../../vscode/ui/documents/positions.ts";

const FIX_ALL = vscode.CodeActionKind.SourceFixAll.append("projectTranslations");

/** Registers the action. */
export function registerFixAll(app: App): void {
  app.addDisposable(
    vscode.languages.registerCodeActionsProvider(
      LOCAL_DOCUMENTS,
      { provideCodeActions: (document, _range, context) => actionsFor(app, document, context) },
      { providedCodeActionKinds: [FIX_ALL, vscode.CodeActionKind.QuickFix] },
    ),
  );
}

async function actionsFor(
  app: App,
  document: vscode.TextDocument,
  { only, diagnostics }: vscode.CodeActionContext,
): Promise<vscode.CodeAction[]> {
  const isSource = only !== undefined && vscode.CodeActionKind.Source.intersects(only);
  const isQuick = diagnostics.some(
    (each) =>
      each instanceof KeyDiagnostic && (each.finding.kind === "placeholder" || each.finding.kind === "issue"),
  );
  if (isSource ? !only.contains(FIX_ALL) && !FIX_ALL.contains(only) : !isQuick) return [];
  const local = await localDocument(app, document);
  if (local === undefined) return [];
  const corrected = await correctedEntries(app, local, document.uri);
  // A single suggestion has its own quick fix.
  if (corrected.length < (isSource ? 1 : 2)) return [];
  const edit = await editFor(document, local, corrected);
  if (edit === null) return [];
  const title = l10n.t("Apply all suggestions in this file ({0})", corrected.length);
  const action = new vscode.CodeAction(title, isSource ? FIX_ALL : vscode.CodeActionKind.QuickFix);
  action.edit = edit;
  return [action];
}

/** Returns the edit; `null` if the file cannot be edited, or the document differs from the file that was read. */
async function editFor(
  document: vscode.TextDocument,
  { open, file, text }: LocalDocument,
  corrected: readonly CorrectedEntry[],
): Promise<vscode.WorkspaceEdit | null> {
  if (document.getText() !== text) return null;
  const changes = corrected.map(({ entry, text: after }) => ({
    name: entry.name,
    locale: entry.locale,
    text: after,
  }));
  const path = open.relative(document.uri);
  const { writes } = await open.local.planEdit(changes);
  const write = writes.find((each) => each.path === path);
  const after = write === undefined ? null : decodeText(write.after, file.location.entry.format);
  if (after === null || isUndecodable(after)) return null;
  const edit = new vscode.WorkspaceEdit();
  const { replacement, ...span } = difference(text, after.text);
  edit.replace(document.uri, documentRange(document, span), replacement);
  return edit;
}

/** Returns the smallest range in which the two texts differ. */
function difference(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly replacement: string } {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let same = 0;
  const most = Math.min(before.length, after.length) - start;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { start, end: before.length - same, replacement: after.slice(start, after.length - same) };
}
