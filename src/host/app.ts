/**
 * What every feature is given: the doors to VS Code and the open projects of this window. `extension.ts` builds
 * it; features take it as their one argument and reach nothing else.
 */
import type * as vscode from "vscode";
import type { Client } from "../api/client.ts";
import type { LocalEntries } from "../core/local-entries.ts";
import type { ProjectFile } from "../core/project-file.ts";
import type { Log, ProjectFiles, Store } from "../core/ports.ts";
import type { Project } from "../core/project.ts";
import type { CodeKeys } from "./code-keys.ts";
import type { CommandResult, CommonOptions } from "./outcome.ts";
import type { Usages } from "./usages.ts";

/** One project of this window: a folder with (or fit for) a `project-translations.json`, and all that serves it. */
export interface OpenProject {
  /** The folder that holds the project file. */
  readonly root: vscode.Uri;
  /** The state; features read it and listen to it. */
  readonly project: Project;
  /** The project file as it is now; an empty one where there is none. */
  readonly file: ProjectFile;
  /** The project file's own place, there or not. */
  readonly fileUri: vscode.Uri;
  readonly files: ProjectFiles;
  readonly local: LocalEntries;
  readonly store: Store;
  /** The base URL that holds here (project file, else setting); `null` when none is set. */
  readonly baseUrl: string | null;
  /** The client of the signed-in session. Throws CommandError `untrusted` or `not_signed_in`. */
  client(): Client;
  /** Path relative to the root, with `/`; `null` when the file is not inside. */
  relative(uri: vscode.Uri): string | null;
}

/** The open projects. The nearest project file up the tree from a file is that file's project. */
export interface Projects {
  readonly all: readonly OpenProject[];
  of(uri: vscode.Uri): OpenProject | undefined;
  /** The active editor's project, else the only one. */
  readonly active: OpenProject | undefined;
  /**
   * The project that a command means: `options.folder`'s, else `active`, else the user picks one (with
   * `confirm: false`: CommandError `no_project`). `undefined`: the user closed the pick.
   */
  choose(options: CommonOptions): Promise<OpenProject | undefined>;
  /** A project was opened or closed, or its project file or base URL changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Any change of any project's state. */
  readonly onDidChangeState: vscode.Event<{ readonly open: OpenProject; readonly change: import("../core/project.ts").ProjectChange }>;
}

/** What a running command may use: a signal that its cancel button aborts, and a place to tell progress. */
export interface Run {
  readonly signal: AbortSignal;
  /** Shown after a second, in a notification with cancel (nothing with `confirm: false`). `percent` 0 to 100. */
  report(words: string, percent?: number): void;
}

export interface App {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly projects: Projects;
  /** Uses of keys in open documents. */
  readonly code: CodeKeys;
  /** Uses of keys in all files. */
  readonly usages: Usages;
  /** The one door to `registerCommand`; never throws to the caller, see outcome.ts. */
  command<Options extends CommonOptions, Fields extends object>(
    id: string,
    title: string,
    work: (options: Options, run: Run) => Promise<CommandResult<Fields>>,
  ): void;
  /** Ended with the extension. */
  own(thing: vscode.Disposable): void;
}
