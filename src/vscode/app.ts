/**
 * The dependencies of every feature: the VS Code adapters and the projects open in this window. `extension.ts` builds
 * the `App`; it is the only argument of a feature's `register…` function.
 */
import type { Project } from "../database/project-state.ts";
import type { Store } from "../database/store.ts";
import type { Projects } from "./projects/project-registry.ts";
import type * as vscode from "vscode";
import type { ForegroundWork } from "./pause-background-work.ts";
import type { DocumentUsages } from "./usages/document-usages.ts";
import type { InlayLanguage } from "./projects/inlay-language.ts";
import type { LogChannel } from "./log.ts";
import type { CommandResult, CommandRun, CommonOptions } from "./commands/command-types.ts";
import type { ActivityResults } from "./projects/activity-results.ts";
import type { Settings } from "./extension-settings.ts";
import type { VirtualDocuments } from "./ui/documents/virtual-documents.ts";
import type { UsageIndexes } from "./usages/usage-indexes.ts";
import type { CommandDeclaration, FieldsOf, OptionsOf } from "../commands/define-command.ts";

export interface App {
  readonly context: vscode.ExtensionContext;
  readonly log: LogChannel;
  readonly settings: Settings;
  readonly projects: Projects;
  /** Counts changes of everything that is shown; features subscribe to what they show. */
  readonly store: Store<Project>;
  /** Key usages in open documents. */
  readonly documentUsages: DocumentUsages;
  readonly foregroundWork: ForegroundWork;
  /** Key usages in all source files. */
  readonly usages: UsageIndexes;
  /** Read-only virtual documents and diff editors. */
  readonly virtualDocuments: VirtualDocuments;
  /** The language that inlay hints show. */
  readonly inlayLanguage: InlayLanguage;
  /** Results of finished commands and jobs, for the Activity view. */
  readonly results: ActivityResults;
  /** Registers the work of a declared command. The command never throws to its caller; see command-types.ts. */
  command<Declared extends CommandDeclaration>(declaration: Declared, work: CommandWork<Declared>): void;
  /** Runs a command of another feature, as its callers do; `options` are checked by the compiler. */
  run<Declared extends CommandDeclaration>(
    declaration: Declared,
    options: OptionsOf<Declared>,
  ): Promise<CommandResult<FieldsOf<Declared>>>;
  /** Disposes of these when the extension is deactivated. */
  addDisposable(...disposables: readonly vscode.Disposable[]): void;
}

/** The work of a command with these options; `Fields` are those of its result beside `outcome`. */
export type Command<Options = CommonOptions, Fields extends object = object> = (
  app: App,
  options: Options,
  run: CommandRun,
) => Promise<CommandResult<Fields>>;

/** The work of a declared command. */
export type CommandWork<Declared extends CommandDeclaration> = Command<
  OptionsOf<Declared>,
  FieldsOf<Declared>
>;
