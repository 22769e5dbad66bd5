/**
 * What every feature is given: the doors to VS Code and the open projects of this window. `extension.ts` builds
 * it; features take it as their one argument and reach nothing else.
 */
import type * as vscode from "vscode";
import type { Client } from "../api/client.ts";
import type { LocalEntries } from "../core/local-entries.ts";
import type { Jobs } from "../core/jobs.ts";
import type { ProjectFile, ProjectFileError } from "../core/project-file.ts";
import type { ProjectFiles, Store } from "../core/ports.ts";
import type { Project, ProjectChange } from "../core/project.ts";
import type { Refresher } from "../core/refresh.ts";
import type { CodeKeys } from "./code-keys.ts";
import type { LogChannel } from "./log.ts";
import type { CommandResult, CommonOptions } from "./outcome.ts";
import type { Verified } from "./session.ts";
import type { Results } from "./results.ts";
import type { Settings } from "./settings.ts";
import type { ShownTexts } from "./shown-texts.ts";
import type { Usages } from "./usages.ts";

/** One project of this window: a folder with (or fit for) a `project-translations.json`, and all that serves it. */
export interface OpenProject {
  /** The folder that holds the project file. */
  readonly root: vscode.Uri;
  /** The state; features read it and listen to it. */
  readonly project: Project;
  /** The project file as it is now; an empty one where there is none. */
  readonly file: ProjectFile;
  /** Mistakes in the project file. */
  readonly fileErrors: readonly ProjectFileError[];
  /** The project file's own place, there or not. */
  readonly fileUri: vscode.Uri;
  readonly files: ProjectFiles;
  readonly local: LocalEntries;
  readonly store: Store;
  /** Keeps the state as new as the service; already filled from the cache. */
  readonly refresher: Promise<Refresher>;
  readonly jobs: Jobs;
  /** It is known whether somebody is signed in. */
  readonly ready: Promise<void>;
  /** The base URL that holds here (project file, else setting); `null` when none is set. */
  readonly baseUrl: string | null;
  /** The client of the signed-in session. Throws CommandError `untrusted` or `not_signed_in`. */
  client(): Client;
  /** Gives a token that the service refused another chance; anything else stays as it is. */
  retrySession(): void;
  /** Path relative to the root, with `/`; `null` when the file is not inside. */
  relative(uri: vscode.Uri): string | null;
}

/** The open projects. The nearest project file up the tree from a file is that file's project. */
export interface Projects {
  readonly all: readonly OpenProject[];
  /** The window was searched for project files and the sessions are known. */
  readonly ready: Promise<void>;
  of(uri: vscode.Uri): OpenProject | undefined;
  /** The active editor's project, else the only one. */
  readonly active: OpenProject | undefined;
  /**
   * The project that a command means: `options.folder`'s, else `active`, else the user picks one (with
   * `confirm: false`: CommandError `no_project`). `undefined`: the user closed the pick.
   */
  choose(options: CommonOptions): Promise<OpenProject | undefined>;
  /**
   * Keeps a token that was verified, for this folder and base URL alone. Another base URL than the project file's holds
   * until the file names another again. Out: the project that is signed in (a new object where the base URL changed).
   */
  signIn(open: OpenProject, verified: Verified): Promise<OpenProject>;
  /** Forgets the token and all that came from the service. */
  signOut(open: OpenProject): Promise<void>;
  /** A project was opened or closed, or its project file or base URL changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Any change of any project's state. */
  readonly onDidChangeState: vscode.Event<{ readonly open: OpenProject; readonly change: ProjectChange }>;
}

/** What a running command may use: a signal that its cancel button aborts, and a place to tell progress. */
export interface Run {
  readonly signal: AbortSignal;
  /** Shown after a second, in a notification with cancel (nothing with `confirm: false`). `percent` 0 to 100. */
  report(words: string, percent?: number): void;
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
  readonly usages: Usages;
  /** Read-only documents and differences. */
  readonly texts: ShownTexts;
  /** What came of finished work, for the Activity view. */
  readonly results: Results;
  /** The one door to `registerCommand`; never throws to the caller, see outcome.ts. */
  command<Options extends CommonOptions, Fields extends object>(
    id: string,
    title: string,
    work: (options: Options, run: Run) => Promise<CommandResult<Fields>>,
  ): void;
  /** Ended with the extension. */
  own(thing: vscode.Disposable): void;
}
