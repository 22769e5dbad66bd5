/** The open projects of a window, as features see them. */
import type * as vscode from "vscode";

import type { VerifiedToken } from "./token-storage.ts";
import type { CommonOptions } from "../command-result.ts";
import type { Database } from "../../database/database.ts";
import type { KeyNames } from "../../database/key-names.ts";
import type { KeySearch } from "../../database/key-search.ts";
import type { ProjectChange, Project } from "../../database/project-state.ts";
import type { UnattendedEnd, Jobs } from "../../sync/jobs.ts";
import type { PendingChanges } from "../../sync/count-pending-changes.ts";
import type { Refresher } from "../../sync/refresh.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import type { FilesEntry, ProjectFile, ProjectFileError } from "../../workspace/project-file/project-file.ts";
import type { LocalEntries } from "../../workspace/local-files/local-entries.ts";
import type { ProjectRecord } from "../../api/undocumented-fields.ts";
import type { Client } from "../../api/client.ts";
/** One project of this window: a folder with (or fit for) a `project-translations.json`, and all that serves it. */
export interface OpenProject {
  /** The folder that holds the project file. */
  readonly root: vscode.Uri;
  /** The state; features read it and listen to it. */
  readonly project: Project;
  /** The project file as it is now; an empty one where there is none. */
  readonly file: ProjectFile;
  /** The layouts that were found where the project file names none; `file` has them too. */
  readonly recognised: readonly FilesEntry[];
  /** Mistakes in the project file. */
  readonly fileErrors: readonly ProjectFileError[];
  /** The project file's own place, there or not. */
  readonly fileUri: vscode.Uri;
  readonly files: ProjectFiles;
  readonly local: LocalEntries;
  /** All that is known of the folder and its project of the service. */
  readonly database: Database;
  /** The names of the active keys. */
  readonly keyNames: KeyNames;
  readonly keySearch: KeySearch;
  /** Keeps the state as new as the service; already filled from the cache. */
  readonly refresher: Promise<Refresher>;
  readonly jobs: Jobs;
  /** It is known whether somebody is signed in. */
  readonly ready: Promise<void>;
  /** The base URL that holds here (project file, else setting); `null` when none is set. */
  readonly baseUrl: string | null;
  /** Which project of the base URL it is; `null`: nobody is signed in. */
  readonly projectId: string | null;
  /** Counts what differs between the local files, read anew where they changed, and the service, as far as it is known. */
  countPendingChanges(signal?: AbortSignal): Promise<PendingChanges>;
  /** The client of the signed-in session. Throws CommandError `untrusted` or `not_signed_in`. */
  client(): Client;
  /** The service calls the project otherwise than it did when the token was saved. */
  takeRecord(record: ProjectRecord): Promise<void>;
  /** Gives a token that the service refused another chance; anything else stays as it is. */
  retrySession(): void;
  /** Where nobody is signed in: reads the local files, whose keys and translations are shown then. */
  updateLocal(signal?: AbortSignal): Promise<void>;
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
   * `confirm: false`: CommandError `no_project`). `undefined`: the user closed the pick. `by`: where no editor is open,
   * `active` is the project of the last one, unless this is `editor`.
   */
  choose(options: CommonOptions, by?: "editor"): Promise<OpenProject | undefined>;
  /**
   * Keeps a token that was verified, for this folder and base URL alone. Another base URL than the project file's holds
   * until the file names another again. Out: the project that is signed in (a new object where the base URL changed).
   */
  signIn(open: OpenProject, verified: VerifiedToken): Promise<OpenProject>;
  /**
   * Keeps which language of the local files is the source: in the project file, where there is one, else on this machine.
   * Throws CommandError.
   */
  setSourceLanguage(open: OpenProject, locale: string): Promise<void>;
  /** Forgets the token and all that came from the service. */
  signOut(open: OpenProject): Promise<void>;
  /** A project was opened or closed, or its project file or base URL changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Any change of any project's state. */
  readonly onDidChangeState: vscode.Event<{ readonly open: OpenProject; readonly change: ProjectChange }>;
  /** A job ended for which no command waits any more. */
  readonly onDidEndJob: vscode.Event<{ readonly open: OpenProject; readonly end: UnattendedEnd }>;
}
