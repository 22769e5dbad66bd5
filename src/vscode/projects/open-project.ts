/** The interfaces of open projects that features use. */
import type * as vscode from "vscode";
import type { VerifiedToken } from "./token-storage.ts";
import type { CommonOptions } from "../commands/command-types.ts";
import type { Database } from "../../database/database.ts";
import type { KeyNames } from "../../database/key-name-repository.ts";
import type { KeySearch } from "../../database/full-text-search.ts";
import type { ProjectChange, Project } from "../../database/project-state.ts";
import type { UnattendedEnd, Jobs } from "../../sync/poll-jobs.ts";
import type { PendingChanges } from "../../sync/count-pending-changes.ts";
import type { Refresher } from "../../sync/refresh/refresh.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import type { FilesEntry, ProjectFile, ProjectFileError } from "../../workspace/project-file/project-file.ts";
import type { LocalEntries } from "../../workspace/local-files/local-entries.ts";
import type { ProjectRecord } from "../../api/undocumented-fields.ts";
import type { Client } from "../../api/client.ts";

/** One project of this window: a folder with a `project-translations.json`, or with recognised translation files. */
export interface OpenProject {
  /** The folder that holds the project file. */
  readonly root: vscode.Uri;
  /** The observable state. */
  readonly project: Project;
  /** The project file with recognised layouts; empty if there is none. */
  readonly file: ProjectFile;
  /** The layouts recognised for a project file without `files`; also included in `file`. */
  readonly detected: readonly FilesEntry[];
  /** Errors in the project file. */
  readonly fileErrors: readonly ProjectFileError[];
  /** The location of the project file, whether it exists or not. */
  readonly fileUri: vscode.Uri;
  readonly files: ProjectFiles;
  readonly local: LocalEntries;
  /** The cache of the folder and of its project at the service. */
  readonly database: Database;
  /** The names of the active keys. */
  readonly keyNames: KeyNames;
  readonly keySearch: KeySearch;
  /** Synchronises the state with the service; resolves when the cached state is loaded. */
  readonly refresher: Promise<Refresher>;
  readonly jobs: Jobs;
  /** Resolves when it is known whether somebody is signed in. */
  readonly ready: Promise<void>;
  /** The effective base URL (sign-in, project file or setting); `null` if none is set. */
  readonly baseUrl: string | null;
  /** Identifies the project at the base URL; `null` if nobody is signed in. */
  readonly projectId: string | null;
  /** Counts the differences between the local files, read from disk if they changed, and the cached state of the service. */
  countPendingChanges(signal?: AbortSignal): Promise<PendingChanges>;
  /**
   * Returns the client of the signed-in session.
   *
   * @throws {CommandError} `untrusted`, `not_signed_in` or, for a refused token, `unauthorized`.
   */
  client(): Client;
  /** Stores a project record with a new name or slug. */
  updateRecord(record: ProjectRecord): Promise<void>;
  /** Uses a refused token again; a no-op in any other state. */
  retrySession(): void;
  /** Updates the keys and translations from the local files; a no-op if somebody is signed in. */
  updateLocal(signal?: AbortSignal): Promise<void>;
  /** Returns the path relative to the root, with `/`; `null` if the file is outside. */
  relative(uri: vscode.Uri): string | null;
}

/** The open projects. A file belongs to the project with the nearest root above it. */
export interface Projects {
  readonly all: readonly OpenProject[];
  /** Resolves when the window was searched for projects and their sessions are known. */
  readonly ready: Promise<void>;
  of(uri: vscode.Uri): OpenProject | undefined;
  /** The project of the active editor, else the last active one, else the only one. */
  readonly active: OpenProject | undefined;
  /**
   * Resolves the target project of a command: that of `options.folder`, else `active`, else the user picks one. With
   * `by: "editor"` the last active project is not used if no editor is open.
   *
   * @throws {CommandError} `no_project`, or `cancelled` if the pick was dismissed.
   */
  choose(options: CommonOptions, by?: "editor"): Promise<OpenProject>;
  /**
   * Stores a verified token for this folder and base URL. A base URL other than that of the project file is used until the
   * file changes it. Returns the signed-in project, a new object if the base URL changed.
   */
  signIn(open: OpenProject, verified: VerifiedToken): Promise<OpenProject>;
  /**
   * Stores the source language of the local files: in the project file if it exists, else on this machine.
   *
   * @throws {CommandError}
   */
  setSourceLanguage(open: OpenProject, locale: string): Promise<void>;
  /** Deletes the token and everything cached from the service. */
  signOut(open: OpenProject): Promise<void>;
  /** Fires when a project was opened or closed, or its project file or base URL changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Fires for every state change of every project. */
  readonly onDidChangeState: vscode.Event<{ readonly open: OpenProject; readonly change: ProjectChange }>;
  /** Fires when a job ended that no command is waiting for. */
  readonly onDidEndJob: vscode.Event<{ readonly open: OpenProject; readonly end: UnattendedEnd }>;
}
