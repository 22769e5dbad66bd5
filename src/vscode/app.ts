/**
 * What every feature is given: the adapters of VS Code and the open projects of this window. `extension.ts` builds
 * it; features take it as their one argument and reach nothing else.
 */
import type { Projects } from "./projects/project-handle.ts";
import type * as vscode from "vscode";
import type { CodeKeys } from "./projects/code-keys.ts";
import type { InlayLanguage } from "./inlay-language.ts";
import type { LogChannel } from "./log.ts";
import type { CommandResult, CommonOptions } from "./command-result.ts";
import type { RecentResults } from "./recent-results.ts";
import type { Settings } from "./settings.ts";
import type { VirtualDocuments } from "./ui/virtual-documents.ts";
import type { UsageIndexes } from "./projects/usage-indexes.ts";

/** What a running command may use: a signal that its cancel button aborts, and a place to tell progress. */
export interface Run {
  readonly signal: AbortSignal;
  /** Shown after a second, in a notification with cancel (nothing with `confirm: false`). `percent` 0 to 100. */
  report(message: string, percent?: number): void;
  /** Takes what is shown away while a person is asked something; the next `report` shows it again. */
  pause(): void;
}

export interface App {
  readonly context: vscode.ExtensionContext;
  readonly log: LogChannel;
  readonly settings: Settings;
  readonly projects: Projects;
  /** Uses of keys in open documents. */
  readonly code: CodeKeys;
  /** Uses of keys in all files. */
  readonly usages: UsageIndexes;
  /** Read-only documents and differences. */
  readonly texts: VirtualDocuments;
  /** Which language inlay hints show. */
  readonly inlayLanguage: InlayLanguage;
  /** What came of finished work, for the Activity view. */
  readonly results: RecentResults;
  /** The one entry point to `registerCommand`; never throws to the caller, see command-result.ts. */
  command<Options extends CommonOptions, Fields extends object>(
    id: string,
    title: string,
    work: (options: Options, run: Run) => Promise<CommandResult<Fields>>,
  ): void;
  /** Ended with the extension. */
  own(thing: vscode.Disposable): void;
}
