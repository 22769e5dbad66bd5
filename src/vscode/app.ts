/**
 * The dependencies of every feature: the VS Code adapters and the projects open in this window. `extension.ts` builds
 * the `App`; it is the only argument of a feature's `register…` function.
 */
import type { Store } from "../database/store.ts";
import type { Projects } from "./projects/project-registry.ts";
import type * as vscode from "vscode";
import type { DocumentUsages } from "./usages/document-usages.ts";
import type { InlayLanguage } from "./projects/inlay-language.ts";
import type { LogChannel } from "./log.ts";
import type { Client } from "../api/client.ts";
import type { OpenProject } from "./projects/open-project.ts";
import type { ProjectConnection } from "./projects/project-connection.ts";
import type { CommandResult, CommandRun } from "../commands/command-types.ts";
import type { ActivityResults } from "./projects/activity-results.ts";
import type { Settings } from "./extension-settings.ts";
import type { VirtualDocuments } from "./ui/documents/virtual-documents.ts";
import type { UsageIndexes } from "./usages/usage-indexes.ts";
import type { UsageReports } from "./usages/usage-reports.ts";
import type {
  CommandDeclaration,
  CommandRunner,
  FieldsOf,
  OptionsOf,
  Requirement,
} from "../commands/define-command.ts";

export interface App extends CommandRunner {
  readonly context: vscode.ExtensionContext;
  readonly log: LogChannel;
  readonly settings: Settings;
  readonly projects: Projects;
  /** Counts changes of everything that is shown; features subscribe to what they show. */
  readonly store: Store<object>;
  /** Key usages in open documents. */
  readonly documentUsages: DocumentUsages;
  /** Key usages in all source files. */
  readonly usages: UsageIndexes;
  /** Which keys are unused, for all that says so. */
  readonly usageReports: UsageReports;
  /** Read-only virtual documents and diff editors. */
  readonly virtualDocuments: VirtualDocuments;
  /** The language that inlay hints show. */
  readonly inlayLanguage: InlayLanguage;
  /** Results of finished commands and jobs, for the Activity view. */
  readonly results: ActivityResults;
  /**
   * Registers the work of a declared command. The command never throws to its caller; see command-types.ts.
   *
   * @param choose returns the project; default: `Projects.choose`
   */
  command<Declared extends CommandDeclaration>(
    declaration: Declared,
    work: CommandWork<Declared>,
    choose?: (options: OptionsOf<Declared>) => Promise<OpenProject>,
  ): void;
  /** Disposes of these when the extension is deactivated. */
  addDisposable(...disposables: readonly vscode.Disposable[]): void;
}

/** A project with what it was connected to when a command began. */
export interface ConnectedProject {
  readonly open: OpenProject;
  /** What the command does belongs to this connection, whoever signs in meanwhile. */
  readonly connection: ProjectConnection;
}

/** A project with the API client of its signed-in session. */
export interface SignedInProject extends ConnectedProject {
  readonly client: Client;
}

/** What a command has that needs this. */
export type Granted<Needs extends Requirement> = Needs extends "signed-in" | "write-access"
  ? SignedInProject
  : Needs extends "project" | "trusted-workspace"
    ? ConnectedProject
    : object;

/** The work of a declared command. `run` also has the project, its connection and the client, as far as the command needs them. */
export type CommandWork<Declared extends CommandDeclaration> = (
  app: App,
  options: OptionsOf<Declared>,
  run: CommandRun & Granted<Declared["needs"]>,
) => Promise<CommandResult<FieldsOf<Declared>>>;
