/** All declared commands, by their names. `npm run docs` writes it. */
import type { CommandDeclaration } from "../../src/commands/define-command.ts";
import { addFunctionCommand } from "../../src/commands/declarations/session-commands.ts";
import { applySuggestionCommand } from "../../src/commands/declarations/text-commands.ts";
import { applySuggestionsCommand } from "../../src/commands/declarations/text-commands.ts";
import { archiveCommand } from "../../src/commands/declarations/key-commands.ts";
import { archiveUnusedCommand } from "../../src/features/usage-report/usage-report-command.ts";
import { chooseInlayLanguageCommand } from "../../src/commands/declarations/window-commands.ts";
import { closeWelcomeCommand } from "../../src/commands/declarations/window-commands.ts";
import { copyKeyCommand } from "../../src/commands/declarations/key-commands.ts";
import { copyTextCommand } from "../../src/commands/declarations/key-commands.ts";
import { editTranslationCommand } from "../../src/commands/declarations/text-commands.ts";
import { extractKeyCommand } from "../../src/commands/declarations/text-commands.ts";
import { findTextsCommand } from "../../src/features/extract-key/find-hard-coded-texts-command.ts";
import { findUnusedCommand } from "../../src/commands/declarations/key-commands.ts";
import { findUsesCommand } from "../../src/commands/declarations/key-commands.ts";
import { giveUpRenameCommand } from "../../src/commands/declarations/key-commands.ts";
import { goToEntryCommand } from "../../src/commands/declarations/key-commands.ts";
import { ignoreCallCommand } from "../../src/commands/declarations/usage-report-commands.ts";
import { ignoreFunctionCommand } from "../../src/commands/declarations/session-commands.ts";
import { ignoreProblemCommand } from "../../src/features/diagnostics/quick-fixes.ts";
import { importCommand } from "../../src/commands/declarations/sync-commands.ts";
import { importLocalCommand } from "../../src/commands/declarations/sync-commands.ts";
import { limitCallCommand } from "../../src/commands/declarations/usage-report-commands.ts";
import { listIssuesCommand } from "../../src/features/list-issues/list-issues-command.ts";
import { listJobsCommand } from "../../src/features/activity-view/activity-view.ts";
import { listKeysCommand } from "../../src/features/list-keys/list-keys-command.ts";
import { listenForWebhooksCommand } from "../../src/features/webhooks/webhook-commands.ts";
import { loadAgainCommand } from "../../src/commands/declarations/window-commands.ts";
import { loadMoreCommand } from "../../src/vscode/ui/tree-view/lazy-tree-provider.ts";
import { openEditorCommand } from "../../src/commands/declarations/window-commands.ts";
import { openEditorRowCommand } from "../../src/commands/declarations/window-commands.ts";
import { openSettingsCommand } from "../../src/commands/declarations/window-commands.ts";
import { openWalkthroughCommand } from "../../src/commands/declarations/window-commands.ts";
import { pullCommand } from "../../src/commands/declarations/sync-commands.ts";
import { pullRowCommand } from "../../src/commands/declarations/sync-commands.ts";
import { pushCommand } from "../../src/commands/declarations/sync-commands.ts";
import { pushRowCommand } from "../../src/commands/declarations/sync-commands.ts";
import { refreshAllCommand } from "../../src/features/refresh/refresh-scheduler.ts";
import { refreshCommand } from "../../src/commands/declarations/session-commands.ts";
import { refreshRowCommand } from "../../src/commands/declarations/session-commands.ts";
import { removeUnusedCommand } from "../../src/commands/declarations/key-commands.ts";
import { renameAtServiceCommand } from "../../src/commands/declarations/key-commands.ts";
import { restoreCommand } from "../../src/features/archive-keys/archive-and-restore-commands.ts";
import { searchKeysCommand } from "../../src/commands/declarations/key-commands.ts";
import { setLocalCommand } from "../../src/commands/declarations/text-commands.ts";
import { setSourceLanguageCommand } from "../../src/commands/declarations/session-commands.ts";
import { setTranslationCommand } from "../../src/commands/declarations/text-commands.ts";
import { setTranslationsCommand } from "../../src/commands/declarations/text-commands.ts";
import { setUpProjectFileCommand } from "../../src/commands/declarations/session-commands.ts";
import { showDiagnosisCommand } from "../../src/commands/declarations/window-commands.ts";
import { showLogCommand } from "../../src/features/status-bar/status-bar.ts";
import { showMenuCommand } from "../../src/commands/declarations/window-commands.ts";
import { showPulledCommand } from "../../src/commands/declarations/sync-commands.ts";
import { showUsageReportCommand } from "../../src/features/usage-report/usage-report-command.ts";
import { signInCommand } from "../../src/commands/declarations/session-commands.ts";
import { signOutCommand } from "../../src/commands/declarations/session-commands.ts";
import { startLocalServiceCommand } from "../../src/commands/declarations/session-commands.ts";
import { stopListeningCommand } from "../../src/commands/declarations/session-commands.ts";
import { stopLocalServiceCommand } from "../../src/features/local-service/local-service-commands.ts";
import { stopWatchingJobCommand } from "../../src/commands/declarations/sync-commands.ts";
import { takeOverDraftsCommand } from "../../src/features/translation-editor/kept-drafts.ts";
import { toggleInlayHintsCommand } from "../../src/commands/declarations/window-commands.ts";
import { translateCommand } from "../../src/commands/declarations/text-commands.ts";
import { translateKeyCommand } from "../../src/commands/declarations/text-commands.ts";
import { translateRowCommand } from "../../src/commands/declarations/text-commands.ts";
import { undoPullCommand } from "../../src/commands/declarations/sync-commands.ts";
import { updateKeyCommand } from "../../src/features/update-key/update-key-command.ts";
import { writeAgentSkillCommand } from "../../src/features/agent-skill/write-agent-skill-command.ts";

export const ALL_COMMANDS: readonly CommandDeclaration[] = [
  addFunctionCommand,
  applySuggestionCommand,
  applySuggestionsCommand,
  archiveCommand,
  archiveUnusedCommand,
  chooseInlayLanguageCommand,
  closeWelcomeCommand,
  copyKeyCommand,
  copyTextCommand,
  editTranslationCommand,
  extractKeyCommand,
  findTextsCommand,
  findUnusedCommand,
  findUsesCommand,
  giveUpRenameCommand,
  goToEntryCommand,
  ignoreCallCommand,
  ignoreFunctionCommand,
  ignoreProblemCommand,
  importCommand,
  importLocalCommand,
  limitCallCommand,
  listIssuesCommand,
  listJobsCommand,
  listKeysCommand,
  listenForWebhooksCommand,
  loadAgainCommand,
  loadMoreCommand,
  openEditorCommand,
  openEditorRowCommand,
  openSettingsCommand,
  openWalkthroughCommand,
  pullCommand,
  pullRowCommand,
  pushCommand,
  pushRowCommand,
  refreshAllCommand,
  refreshCommand,
  refreshRowCommand,
  removeUnusedCommand,
  renameAtServiceCommand,
  restoreCommand,
  searchKeysCommand,
  setLocalCommand,
  setSourceLanguageCommand,
  setTranslationCommand,
  setTranslationsCommand,
  setUpProjectFileCommand,
  showDiagnosisCommand,
  showLogCommand,
  showMenuCommand,
  showPulledCommand,
  showUsageReportCommand,
  signInCommand,
  signOutCommand,
  startLocalServiceCommand,
  stopListeningCommand,
  stopLocalServiceCommand,
  stopWatchingJobCommand,
  takeOverDraftsCommand,
  toggleInlayHintsCommand,
  translateCommand,
  translateKeyCommand,
  translateRowCommand,
  undoPullCommand,
  updateKeyCommand,
  writeAgentSkillCommand,
];
