/**
 * Opens a folder as VS Code does: finds its projects, reads their translation files, and indexes the usages in their code; or
 * signs in to the service of its project. Uses the functions of the indexer, in this process.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { CommandError } from "../commands/command-types.ts";
import type { Database } from "../database/database.ts";
import { openDatabase, openPersonalDatabase } from "../database/database-recovery.ts";
import { KeySearch } from "../database/full-text-search.ts";
import { KeyNames } from "../database/key-name-repository.ts";
import { UsageRepository } from "../database/key-usage-repository.ts";
import { PersonalData } from "../database/personal/personal-data.ts";
import { Project } from "../database/project-state.ts";
import { CONTENT_OF_FILES } from "../database/sync-metadata-repository.ts";
import { createIndexing, type ProjectIndexing } from "../indexer/project-indexing.ts";
import { sha1 } from "../model/key-hash.ts";
import type { ProjectFiles } from "../model/platform.ts";
import { definedFields } from "../util/defined-fields.ts";
import { l10n } from "../util/l10n.ts";
import { recoverTransactions } from "../workspace/file-system/file-transaction.ts";
import type { WalkScope } from "../workspace/file-system/walk-folder.ts";
import type { LocalEntries } from "../workspace/local-files/local-entries.ts";
import { detectConventions } from "../workspace/project-detection/detect-conventions.ts";
import { createFolderSearch } from "../workspace/project-detection/folder-search.ts";
import { spellKeys } from "../workspace/project-detection/key-spelling.ts";
import { scanAndLookupOptions } from "../workspace/project-detection/scan-and-lookup-options.ts";
import {
  PROJECT_FILE_NAME,
  type ParsedProjectFile,
  type ProjectFile,
} from "../workspace/project-file/project-file.ts";
import type { KeyResolutionOptions } from "../workspace/usages/resolve-usage-to-key.ts";
import { withNamespaces } from "../workspace/usages/resolve-usage-to-key.ts";
import { type UsageOptions, usageOptionsOf } from "../workspace/usages/usage-indexer.ts";
import { conventionFiles } from "./convention-files.ts";
import { findProjects, type FoundProject, type FoundProjects } from "./find-projects.ts";
import { LocalTexts } from "./local-texts.ts";
import { notifyingFiles } from "./notifying-files.ts";
import { openProjectFiles } from "./project-files.ts";
import { type ConnectOptions, NO_LOG, openConnection, type ServiceConnection, signIn } from "./sign-in.ts";

/** The state of a project, with its translation files. */
export type FolderProject = Project & { readonly local: LocalEntries };

/** A project of the folder, with everything that was asked for read. */
export interface OpenedProject {
  /** Relative to the opened folder; empty for the folder itself. */
  readonly path: string;
  readonly root: string;
  readonly project: FolderProject;
  /** The project file with recognised layouts; empty if there is none. */
  readonly file: ProjectFile;
  readonly local: LocalEntries;
  readonly files: ProjectFiles;
  /** Reads what changed in the translation files, and at the service. */
  reload(signal?: AbortSignal): Promise<void>;
  /** `null` if nobody is signed in. */
  readonly service: ServiceConnection | null;
  readonly database: Database;
  readonly indexing: ProjectIndexing;
  readonly keyNames: KeyNames;
  readonly keySearch: KeySearch;
  readonly usages: UsageRepository;
  readonly lookup: KeyResolutionOptions;
  readonly options: UsageOptions;
  /** Other projects whose texts the project's code uses, too. */
  usesTextsOf: readonly OpenedProject[];
}

export interface OpenedFolder {
  readonly projects: readonly OpenedProject[];
  /** The errors of project files, by path. */
  readonly errors: ReadonlyMap<string, ParsedProjectFile["errors"]>;
  /** Whether the folder has the same projects now, with the same project files, layouts, packages and configurations. */
  isCurrent(signal?: AbortSignal): Promise<boolean>;
  /** Deletes what was stored. */
  close(): Promise<void>;
}

export interface OpenFolderOptions {
  /**
   * Where the caches of projects are kept for the next time, and what their files and the service last agreed on; default: a
   * temporary folder. What is read of the service is never kept.
   */
  readonly cache?: string | undefined;
  /** What is read at once; default: texts, and the code that uses them. */
  readonly reads?: "nothing" | "texts" | "code";
  /** Whether files are written: then what a killed process had begun to write is completed first. Default: no. */
  readonly writes?: boolean | undefined;
  /** Signs in to the service of the only project; default: nobody is signed in. */
  readonly connect?: ConnectOptions | undefined;
  /** Whether the folder may have no project, as before the first text was added; default: no. */
  readonly mayBeEmpty?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The default of VS Code's setting `files.exclude`. */
const EXCLUDED = ["**/.git", "**/.svn", "**/.hg", "**/.DS_Store", "**/Thumbs.db"];
const NOTHING_ELSE: WalkScope = { exclude: EXCLUDED, otherProjects: [] };

/**
 * Opens all projects of a folder.
 * @throws {CommandError} `no_project`
 * @throws the signal's reason; nothing is left behind then
 */
export async function openFolder(folder: string, options: OpenFolderOptions = {}): Promise<OpenedFolder> {
  const kept = options.connect === undefined ? options.cache : undefined;
  const storage = kept ?? (await mkdtemp(join(tmpdir(), "project-translations-")));
  const projects: OpenedProject[] = [];
  const close = async (): Promise<void> => {
    for (const { database, project, service } of projects) {
      service?.refresher.dispose();
      service?.jobs.dispose();
      project.dispose();
      database.close();
      project.personal.database.close();
    }
    if (kept === undefined) await rm(storage, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const found = await findProjects(folder, NOTHING_ELSE, options.signal);
    if (found.projects.length === 0 && options.mayBeEmpty !== true)
      throw new CommandError("no_project", l10n.t("No translation files were recognised in {0}.", folder));
    if (options.connect !== undefined) requireSingleProject(folder, found);
    for (const each of found.projects) {
      options.signal?.throwIfAborted();
      projects.push(await openProject(folder, each, found.projects, { ...options, storage }));
    }
    for (const [index, { usesTextsOf }] of found.projects.entries()) {
      const open = projects[index];
      if (open !== undefined) open.usesTextsOf = projects.filter(({ path }) => usesTextsOf.includes(path));
    }
    const errors = Array.from(found.parsed, ([path, parsed]) => {
      return [join(path, PROJECT_FILE_NAME), parsed.errors] as const;
    });
    return {
      projects,
      errors: new Map(errors),
      isCurrent: async (signal) => {
        return (await findProjects(folder, NOTHING_ELSE, signal)).version === found.version;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openProject(
  folder: string,
  { path, file, codeFolders: code }: FoundProject,
  found: readonly FoundProject[],
  { storage, ...options }: OpenFolderOptions & { readonly storage: string },
): Promise<OpenedProject> {
  const { signal, cache, reads = "code", writes = false, connect } = options;
  const root = join(folder, path);
  const fromRoot = (other: string): string => relative(root, join(folder, other));
  const codeFolders = code.map(fromRoot);
  const isBelowCode = (each: string): boolean => codeFolders.some((below) => each.startsWith(`${below}/`));
  const otherProjects = found
    .filter((other) => other.path !== path)
    .flatMap((other) => [other.path, ...other.codeFolders])
    .map(fromRoot)
    .filter((each) => !each.startsWith("..") || isBelowCode(each));
  const scope: WalkScope = { exclude: EXCLUDED, otherProjects };
  const search = createFolderSearch(root);
  const sources = await conventionFiles({ root, folder, scope, codeFolders }, createFolderSearch);
  const detected = await detectConventions(file.files ?? [], sources);
  const { configured, lookup } = scanAndLookupOptions(detected, file.usage?.functions ?? []);

  const signedIn = connect === undefined ? null : await signIn(connect, file, signal);
  // One cache for each folder. What the service has is read anew each time.
  const name = sha1(root);
  const database = openDatabase(join(storage, `${name}.db`), NO_LOG);
  database.prepareForWriting();
  const indexing = createIndexing(database, root);
  const keyNames = new KeyNames(database);
  const staging = cache === undefined ? {} : { journalFolder: join(cache, "writing", name) };
  if (writes && staging.journalFolder !== undefined) await recoverTransactions(staging.journalFolder);
  const onDisk = openProjectFiles({ root, search, scope: () => scope, staging });
  const files = notifyingFiles(onDisk, { onWritten: (paths) => texts.entries.invalidate(paths) });
  const personal =
    signedIn === null || cache === undefined
      ? undefined
      : new PersonalData(
          openPersonalDatabase(join(cache, `${name}.personal.db`), NO_LOG),
          signedIn.projectId,
        );
  const label = path === "" ? basename(folder) : path;
  const state = new Project(path, label, database, personal);
  const texts: LocalTexts = new LocalTexts({
    project: state,
    database,
    isSignedIn: signedIn !== null,
    files,
    version: "1",
    file: () => file,
    scope: () => scope,
    search,
    indexing: () => indexing,
    takeOver: () => indexing.serviceData.clear(state.syncMetadata.content, CONTENT_OF_FILES),
    chosenSource: () => null,
  });
  const project: FolderProject = Object.assign(state, { local: texts.entries });
  spellKeys(project, lookup);
  project.onDidChange((table) => {
    if (table === "stats" && signedIn !== null) texts.configure();
  });
  texts.configure();
  const service = signedIn === null ? null : await openConnection(project, signedIn, file);
  const load = async (cancel: AbortSignal | undefined): Promise<void> => {
    await texts.state?.load();
    await service?.refresher.refresh({ priority: "person", ...definedFields({ signal: cancel }) });
    cancel?.throwIfAborted();
    // For the names that problems suggest.
    await indexing.search.updateKeys(cancel);
  };
  if (reads !== "nothing") await load(signal);
  const usageOptions = usageOptionsOf(file, EXCLUDED, {
    find: configured,
    lookup: withNamespaces(lookup, keyNames.namespaces()),
    otherProjects,
    codeFolders,
  });
  if (reads === "code") await indexing.usages.update(usageOptions, new Map(), signal);
  return {
    path,
    root,
    project,
    file,
    local: texts.entries,
    files,
    reload: async (cancel) => {
      await texts.entries.reload(cancel);
      await load(cancel);
    },
    service,
    database,
    indexing,
    keyNames,
    keySearch: new KeySearch(database),
    usages: new UsageRepository(database),
    lookup: usageOptions.lookup,
    options: usageOptions,
    usesTextsOf: [],
  };
}

/**
 * A token is that of one project.
 * @throws {CommandError} without exactly one project, or with a project file that cannot be read completely
 */
function requireSingleProject(folder: string, { projects, parsed }: FoundProjects): void {
  const paths = projects.map(({ path }) => path);
  if (paths.length > 1)
    throw new CommandError(
      "no_project",
      l10n.t("There are several projects in {0}: {1}. Name the folder of one.", folder, paths.join(", ")),
    );
  const [error] = parsed.get(paths[0] ?? "")?.errors ?? [];
  if (error === undefined) return;
  const texts = [error.path.join("."), error.message].filter((text) => text !== "");
  throw new CommandError("invalid", `${PROJECT_FILE_NAME}: ${texts.join(": ")}`);
}
