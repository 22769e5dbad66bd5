/** The texts of a project's translation files, and, if nobody is signed in, the state that is made of them. */
import type { Database } from "../database/database.ts";
import type { Project } from "../database/project-state.ts";
import type { ProjectIndexing } from "../indexer/project-indexing.ts";
import type { Priority, RequestPriority } from "../util/priority.ts";
import type { WalkScope } from "../workspace/file-system/walk-folder.ts";
import { LocalEntries, type LocalEntriesDependencies } from "../workspace/local-files/local-entries.ts";
import { LocalOnlyState } from "../workspace/local-files/local-only-state.ts";
import {
  configuredLanguages,
  SOURCE_LANGUAGE_GLOBS,
} from "../workspace/project-detection/detect-source-language.ts";
import type { FolderSearch } from "../workspace/project-detection/folder-search.ts";
import type { ProjectFile } from "../workspace/project-file/project-file.ts";

type ReadingOptions = Pick<
  LocalEntriesDependencies,
  "files" | "version" | "updateLayout" | "unsavedFiles" | "onReading" | "onChanged" | "onPartlyRead"
>;

export interface LocalTextsOptions extends ReadingOptions {
  readonly project: Project;
  readonly database: Database;
  /** Whether keys and translations are those of a service. */
  readonly isSignedIn: boolean;
  /** Returns the project file with recognised layouts. */
  readonly file: () => ProjectFile;
  readonly scope: () => WalkScope;
  readonly search: Pick<FolderSearch, "read">;
  readonly indexing: (priority: Priority | RequestPriority) => ProjectIndexing;
  /** Deletes what was stored of the service's project. */
  readonly takeOver: () => Promise<void>;
  /** The source language that a person chose for a folder without a project file. */
  readonly chosenSource: () => string | null;
}

/** Maximum number of framework configuration files that are read. */
const MAX_CONFIGURATIONS = 50;

export class LocalTexts {
  readonly entries: LocalEntries;
  /** `null` if somebody is signed in. */
  readonly state: LocalOnlyState | null;
  readonly #options: LocalTextsOptions;

  constructor(options: LocalTextsOptions) {
    this.#options = options;
    const { project, isSignedIn, file, scope, search, indexing, takeOver, chosenSource, ...reading } =
      options;
    this.entries = new LocalEntries({
      ...reading,
      // Keys of local files do not decide how files are read.
      keysVersion: () => (isSignedIn ? project.version("keys") : 0),
      indexing: (priority) => indexing(priority).localFiles,
      scope,
    });
    this.state = isSignedIn
      ? null
      : new LocalOnlyState({
          project,
          local: this.entries,
          indexing: (priority) => indexing(priority).localKeys,
          takeOver,
          chosenSource: () => file().sourceLocale ?? chosenSource(),
          configuredLanguages: async () =>
            configuredLanguages(await search.read(SOURCE_LANGUAGE_GLOBS, scope(), MAX_CONFIGURATIONS)),
          onSourceLanguage: (locale) => this.configure(locale),
        });
  }

  /** Applies the project file and the languages. `sourceLocale` applies if nobody is signed in. */
  configure(sourceLocale = this.state?.sourceLocale ?? null): void {
    const { project, file } = this.#options;
    const { files = [], locales = {} } = file();
    const languages = project.source.hasService ? (project.stats?.languages ?? []) : [];
    this.entries.configure({
      files,
      locales,
      sourceLocale: this.state === null ? project.sourceLocale : sourceLocale,
      serviceLocales: languages.map((language) => language.locale),
    });
  }
}
