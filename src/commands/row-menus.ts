/** What the menu of each kind of row in the views offers. `npm run docs` writes it to the manifest. */
import * as keys from "./declarations/key-commands.ts";
import * as session from "./declarations/session-commands.ts";
import * as sync from "./declarations/sync-commands.ts";
import * as texts from "./declarations/text-commands.ts";
import * as usageReport from "./declarations/usage-report-commands.ts";
import * as windows from "./declarations/window-commands.ts";
import type { CommandDeclaration } from "./define-command.ts";

const PROJECTS = ["project", "signedOutProject"] as const;

/** `local…`: of the files, since nobody is signed in. */
const SOURCE_LANGUAGES = ["sourceLanguage", "localSourceLanguage"] as const;
const TARGET_LANGUAGES = ["language", "localLanguage"] as const;
const LANGUAGES = [...SOURCE_LANGUAGES, ...TARGET_LANGUAGES];

/** Keys that have something in common; the translation editor opens with them. */
const GROUPS = ["group", "unusedKeys"] as const;

/** `key`: its source text; `translation`: a key in another language. */
const KEYS = ["key", "translation"] as const;
const ISSUES = ["issue", "issueWithSuggestion"] as const;
const KEYS_AND_ISSUES = [...KEYS, ...ISSUES];

/** A kind of row that has a menu: its `viewItem`. */
export type RowKind =
  | (typeof LANGUAGES)[number]
  | (typeof KEYS_AND_ISSUES)[number]
  | (typeof PROJECTS)[number]
  | (typeof GROUPS)[number]
  /** Translations that the service does not have, of a language or of all. */
  | "localOnly"
  /** A language in QA Issues. */
  | "languageWithIssues"
  /** A rename that the service does not have yet. */
  | "rename"
  /** A translation function of the project’s own. */
  | "learnedFunction"
  /** A call that may mean several keys. */
  | "openCall"
  | "welcome"
  /** The last pull. */
  | "pulled"
  | "runningJob"
  /** The window listens for webhook deliveries. */
  | "webhooks"
  /** Rows that could not be loaded. */
  | "error";

/** A command in the menus of rows. It is offered if what it needs is there. */
export interface RowMenuEntry {
  readonly command: CommandDeclaration;
  /** The group in the menu and the position in it; `inline`: a button on the row. */
  readonly group: `${string}@${number}`;
  readonly rows: readonly RowKind[];
  /** Whether it edits texts, which needs write access to the service, or files without a service. */
  readonly editsTexts?: true;
}

/** In the order of the manifest. */
export const ROW_MENUS: readonly RowMenuEntry[] = [
  { command: windows.closeWelcomeCommand, group: "inline@1", rows: ["welcome"] },
  { command: windows.loadAgainCommand, group: "inline@1", rows: ["error"] },

  { command: session.refreshRowCommand, group: "inline@1", rows: ["project"] },
  { command: session.refreshRowCommand, group: "5_refresh@1", rows: LANGUAGES },
  { command: session.setSourceLanguageCommand, group: "1_source@1", rows: ["localLanguage"] },
  { command: session.addFunctionCommand, group: "inline@1", rows: ["learnedFunction"] },
  { command: session.ignoreFunctionCommand, group: "inline@2", rows: ["learnedFunction"] },

  { command: texts.translateRowCommand, group: "inline@1", rows: TARGET_LANGUAGES, editsTexts: true },
  {
    command: texts.translateRowCommand,
    group: "1_fix@3",
    rows: [...TARGET_LANGUAGES, "project"],
    editsTexts: true,
  },
  { command: texts.translateKeyCommand, group: "1_fix@3", rows: KEYS, editsTexts: true },
  { command: texts.editTranslationCommand, group: "inline@1", rows: KEYS, editsTexts: true },
  { command: texts.editTranslationCommand, group: "1_fix@2", rows: KEYS_AND_ISSUES, editsTexts: true },
  { command: texts.applySuggestionCommand, group: "inline@1", rows: ["issueWithSuggestion"] },
  { command: texts.applySuggestionCommand, group: "1_fix@1", rows: ["issueWithSuggestion"] },
  { command: texts.applySuggestionsCommand, group: "inline@1", rows: ["languageWithIssues"] },

  { command: keys.goToEntryCommand, group: "inline@2", rows: KEYS_AND_ISSUES },
  { command: keys.goToEntryCommand, group: "2_go@1", rows: KEYS_AND_ISSUES },
  { command: keys.findUsesCommand, group: "2_go@2", rows: KEYS_AND_ISSUES },
  { command: keys.copyKeyCommand, group: "3_copy@1", rows: KEYS_AND_ISSUES },
  { command: keys.copyTextCommand, group: "3_copy@2", rows: KEYS_AND_ISSUES },
  { command: keys.giveUpRenameCommand, group: "inline@1", rows: ["rename"] },

  { command: windows.openEditorRowCommand, group: "inline@2", rows: [...LANGUAGES, ...GROUPS] },
  {
    command: windows.openEditorRowCommand,
    group: "2_go@3",
    rows: [...PROJECTS, ...LANGUAGES, "languageWithIssues", ...GROUPS, ...KEYS_AND_ISSUES],
  },

  { command: sync.pushRowCommand, group: "4_sync@1", rows: ["sourceLanguage", ...KEYS] },
  { command: sync.pullRowCommand, group: "4_sync@2", rows: ["language", ...KEYS] },
  { command: sync.importLocalCommand, group: "4_sync@3", rows: ["language"] },
  { command: sync.importLocalCommand, group: "inline@1", rows: ["localOnly"] },
  { command: sync.showPulledCommand, group: "inline@1", rows: ["pulled"] },
  { command: sync.undoPullCommand, group: "inline@2", rows: ["pulled"] },
  { command: sync.stopWatchingJobCommand, group: "inline@1", rows: ["runningJob"] },
  { command: session.stopListeningCommand, group: "inline@1", rows: ["webhooks"] },

  { command: usageReport.limitCallCommand, group: "inline@1", rows: ["openCall"] },
  { command: usageReport.ignoreCallCommand, group: "inline@2", rows: ["openCall"] },
  { command: usageReport.limitCallCommand, group: "1_fix@1", rows: ["openCall"] },
  { command: usageReport.ignoreCallCommand, group: "1_fix@2", rows: ["openCall"] },
];
