/**
 * Starts the extension: builds the app and registers the features. Nothing imports it.
 */
import type { ExtensionContext } from "vscode";
import { registerActivityView } from "./features/activity-view/activity-view.ts";
import { registerDiagnosis } from "./features/diagnosis/diagnosis.ts";
import { registerIssuesView } from "./features/issues-view/issues-view.ts";
import { registerLanguagesView } from "./features/languages-view/languages-view.ts";
import { registerLocalService } from "./features/local-service/local-service.ts";
import { registerProjectFile } from "./features/project-file/set-up.ts";
import { registerRefresh } from "./features/refresh/refresh.ts";
import { registerSignIn } from "./features/sign-in/sign-in.ts";
import { registerArchive } from "./features/archive/archive.ts";
import { registerGoToEntry } from "./features/go-to-entry/go-to-entry.ts";
import { registerListIssues } from "./features/list-issues/list-issues.ts";
import { registerListKeys } from "./features/list-keys/list-keys.ts";
import { registerStatusBar } from "./features/status-bar/status-bar.ts";
import { registerSetLocal } from "./features/set-local/set-local.ts";
import { registerUpdateKey } from "./features/update-key/update-key.ts";
import { registerEditTranslation } from "./features/edit-translation/edit-translation.ts";
import { registerFindUses } from "./features/find-uses/find-uses.ts";
import { registerHover } from "./features/hover/hover.ts";
import { registerImport } from "./features/import/import.ts";
import { registerPull } from "./features/pull/pull.ts";
import { registerPush } from "./features/push/push.ts";
import { registerCompletion } from "./features/completion/completion.ts";
import { registerDefinition } from "./features/definition/definition.ts";
import { registerDiagnostics } from "./features/diagnostics/diagnostics.ts";
import { registerInlayHints } from "./features/inlay-hints/inlay-hints.ts";
import { registerReferences } from "./features/references/references.ts";
import { registerUsageReport } from "./features/usage-report/usage-report.ts";
import { registerCodeLens } from "./features/code-lens/code-lens.ts";
import { registerDocumentSymbols } from "./features/document-symbols/document-symbols.ts";
import { registerSearchKeys } from "./features/search-keys/search-keys.ts";
import { buildApp } from "./host/build-app.ts";

export function activate(context: ExtensionContext): void {
  const app = buildApp(context);
  registerSignIn(app);
  registerProjectFile(app);
  registerRefresh(app);
  registerLanguagesView(app);
  registerIssuesView(app);
  registerActivityView(app);
  registerStatusBar(app);
  registerLocalService(app);
  registerDiagnosis(app);
  registerArchive(app);
  registerGoToEntry(app);
  registerListIssues(app);
  registerListKeys(app);
  registerSetLocal(app);
  registerUpdateKey(app);
  registerEditTranslation(app);
  registerFindUses(app);
  registerHover(app);
  registerImport(app);
  registerPull(app);
  registerPush(app);
  registerCompletion(app);
  registerDefinition(app);
  registerDiagnostics(app);
  registerInlayHints(app);
  registerReferences(app);
  registerSearchKeys(app);
  registerUsageReport(app);
  registerCodeLens(app);
  registerDocumentSymbols(app);
}
