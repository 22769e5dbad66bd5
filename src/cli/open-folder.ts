/**
 * Opens a folder as VS Code does: finds its projects, reads their translation files, and indexes the usages in their code; or
 * signs in to the service of its project. Uses the functions of the indexer, in this process.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { CONTENT_OF_FILES } from "../database/sync-metadata-repository.ts";
import type { Database } from "../database/database.ts";
import { openDatabase, openPersonalDatabase } from "../database/database-recovery.ts";
import { PersonalData } from "../database/personal/personal-data.ts";
import { KeySearch } from "../database/full-text-search.ts";
import { KeyNames } from "../database/key-name-repository.ts";
import { UsageRepository } from "../database/key-usage-repository.ts";
import { Project } from "../database/project-state.ts";
import type { ManifestFile } from "../frameworks/framework.ts";
import { CommandError } from "../commands/command-types.ts";
import { sha1 } from "../model/key-hash.ts";
import type { ProjectFiles } from "../model/platform.ts";
import { definedFields } from "../util/defined-fields.ts";
import { fingerprintOf } from "../util/fingerprint.ts";
import { l10n } from "../util/l10n.ts";
import { spellKeys } from "../workspace/project-detection/key-spelling.ts";
import { openProjectFiles } from "./project-files.ts";
import { serviceAccess } from "./service-access.ts";
import {
  type ConnectOptions,
  NO_LOG,
  openConnection,
  type ServiceConnection,
  signIn,
} from "./service-connection.ts";
import { createIndexing, type ProjectIndexing } from "../indexer/project-indexing.ts";
import { layoutsAt } from "../workspace/file-layout/detect-layouts.ts";
import { recoverTransactions } from "../workspace/file-system/file-transaction.ts";
import { folderFiles } from "../workspace/file-system/disk-files.ts";
import type { WalkScope } from "../workspace/file-system/walk-folder.ts";
import { LocalEntries } from "../workspace/local-files/local-entries.ts";
import { LocalOnlyState } from "../workspace/local-files/local-only-state.ts";
import { foldersAbove, SHARED_MANIFESTS } from "../workspace/project-detection/detect-frameworks.ts";
import {
  configuredLanguages,
  SOURCE_LANGUAGE_GLOBS,
} from "../workspace/project-detection/detect-source-language.ts";
import { createFolderSearch } from "../workspace/project-detection/folder-search.ts";
import {
  assignCode,
  MAX_SETUP_FILES,
  PACKAGE_MANIFESTS,
  SETUP_FILES,
} from "../workspace/project-detection/packages-using-texts.ts";
import { MAX_PROJECTS, projectRoots } from "../workspace/project-detection/project-roots.ts";
import { detectConventions } from "../workspace/project-detection/detect-conventions.ts";
import { scanAndLookupOptions } from "../workspace/project-detection/scan-and-lookup-options.ts";
import {
  type FilesEntry,
  parseProjectFile,
  PROJECT_FILE_NAME,
  type ParsedProjectFile,
  type ProjectFile,
  withLayouts,
} from "../workspace/project-file/project-file.ts";
import { outsideFolders } from "../workspace/usages/list-source-files.ts";
import type { KeyResolutionOptions } from "../workspace/usages/resolve-usage-to-key.ts";
import { withNamespaces } from "../workspace/usages/resolve-usage-to-key.ts";
import { type UsageOptions, usageOptionsOf } from "../workspace/usages/usage-indexer.ts";

/** The state of a project, with its translation files. */
export type FolderProject = Project & { readonly local: LocalEntries };

/** A project of the folder, with everything that was asked for indexed. */
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
const WITHOUT_PACKAGES: WalkScope = { exclude: ["vendor/", ...EXCLUDED], otherProjects: [] };
const MAX_MANIFESTS = 500;
const MAX_CONFIGURATIONS = 50;

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
    const found = await findProjects(folder, options.signal);
    await openProjects(folder, storage, projects, found, options);
    return {
      projects,
      errors: new Map([...found.parsed].map(([path, { errors }]) => [join(path, PROJECT_FILE_NAME), errors])),
      isCurrent: async (signal) => (await findProjects(folder, signal)).version === found.version,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The projects of a folder. Paths are relative to the folder. */
interface FoundProjects {
  readonly paths: readonly string[];
  /** The project files, by the path of their folder. */
  readonly parsed: ReadonlyMap<string, ParsedProjectFile>;
  readonly fileOf: (path: string) => ProjectFile;
  /** Folders outside of a project with code that uses its texts. */
  readonly codeFoldersOf: (path: string) => readonly string[];
  /** Other projects whose texts the code of a project uses, by its path. */
  readonly others: ReadonlyMap<string, readonly string[]>;
  /** Fingerprint of all that decides which projects are opened, and how. */
  readonly version: string;
}

async function findProjects(folder: string, signal?: AbortSignal): Promise<FoundProjects> {
  const search = createFolderSearch(folder);
  const state = await search.projectState([], NOTHING_ELSE, signal);
  const files = await readMatching(folder, [`**/${PROJECT_FILE_NAME}`], MAX_PROJECTS, WITHOUT_PACKAGES);
  const parsed = new Map(files.map(({ path, text }) => [folderOf(path), parseProjectFile(text)] as const));
  const inFolder = { path: "", isSignedIn: false, isOpen: false };
  const projectFiles = files.map(({ path }) => `/${path}`);
  const { apps } = await search.detectApps(NOTHING_ELSE, signal);
  const paths = projectRoots([inFolder], projectFiles, () => [...apps.keys()].map((path) => `/${path}`))
    .map((path) => path.slice(1))
    .toSorted();
  const fileOf = (path: string): ProjectFile => {
    const file = parsed.get(path)?.file ?? {};
    return withLayouts(file, layoutsAt(apps, path) ?? []);
  };
  const manifests = await readMatching(folder, [PACKAGE_MANIFESTS], MAX_MANIFESTS);
  const { packages, others } = await assignCode({
    projects: paths,
    manifests,
    isListed: (path) => parsed.get(path)?.file.usage?.include !== undefined,
    readSetup: (path) => readMatching(join(folder, path), [SETUP_FILES], MAX_SETUP_FILES),
  });
  const codeFoldersOf = (path: string): readonly string[] => {
    const included = outsideFolders(fileOf(path).usage?.include ?? [])
      .map((each) => relative(folder, resolve(folder, path, each)))
      .filter((each) => each !== "" && !each.startsWith(".."))
      .filter((each) => !paths.some((other) => each === other || each.startsWith(`${other}/`)));
    return [...included, ...(packages.get(path) ?? [])];
  };
  const version = fingerprintOf([state, apps]);
  return { paths, parsed, fileOf, codeFoldersOf, others, version };
}

async function openProjects(
  folder: string,
  storage: string,
  projects: OpenedProject[],
  { paths, parsed, fileOf, codeFoldersOf, others }: FoundProjects,
  options: OpenFolderOptions,
): Promise<void> {
  const { signal, connect, mayBeEmpty = false } = options;
  if (paths.length === 0 && !mayBeEmpty)
    throw new CommandError("no_project", l10n.t("No translation files were recognised in {0}.", folder));
  if (connect !== undefined) requireSingleProject(folder, paths, parsed);
  for (const path of paths) {
    signal?.throwIfAborted();
    const otherProjects = paths
      .filter((other) => other !== path)
      .flatMap((other) => [other, ...codeFoldersOf(other)]);
    projects.push(
      await openProject(folder, path, {
        storage,
        options,
        file: fileOf(path),
        otherProjects,
        codeFolders: codeFoldersOf(path),
      }),
    );
  }
  for (const each of projects)
    each.usesTextsOf = projects.filter(({ path }) => others.get(each.path)?.includes(path) === true);
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

async function readMatching(
  folder: string,
  globs: readonly string[],
  limit = Number.POSITIVE_INFINITY,
  scope = NOTHING_ELSE,
): Promise<readonly ManifestFile[]> {
  const paths = await createFolderSearch(folder).find(globs, scope);
  const files = folderFiles(folder);
  return paths.slice(0, limit).flatMap((path) => {
    const content = files.read(path);
    return content.kind === "read" ? { path, text: new TextDecoder().decode(content.bytes) } : [];
  });
}

interface ProjectParts {
  readonly storage: string;
  readonly options: OpenFolderOptions;
  readonly file: ProjectFile;
  /** Relative to the opened folder, like the next. */
  readonly otherProjects: readonly string[];
  readonly codeFolders: readonly string[];
}

async function openProject(
  folder: string,
  path: string,
  {
    options: { signal, cache, reads = "code", writes = false, connect },
    storage,
    file,
    ...parts
  }: ProjectParts,
): Promise<OpenedProject> {
  const root = join(folder, path);
  const layout: readonly FilesEntry[] = file.files ?? [];
  const fromRoot = (other: string): string => relative(root, join(folder, other));
  const codeFolders = parts.codeFolders.map(fromRoot);
  const isBelowCode = (each: string): boolean => codeFolders.some((code) => each.startsWith(`${code}/`));
  const otherProjects = parts.otherProjects
    .map(fromRoot)
    .filter((each) => (each.startsWith("..") ? isBelowCode(each) : each !== ""));
  const scope: WalkScope = {
    exclude: EXCLUDED,
    otherProjects: otherProjects.filter((each) => !each.startsWith("..")),
  };
  const manifests = async (
    globs: readonly string[],
    globsOutside: readonly string[],
    limit?: number,
  ): Promise<readonly ManifestFile[]> => {
    const inFolders = codeFolders.map(async (each) => {
      const found = await readMatching(join(root, each), globsOutside, limit);
      return found.map(({ path: name, text }) => ({ path: `${each}/${name}`, text }));
    });
    return (await Promise.all([readMatching(root, globs, limit, scope), ...inFolders])).flat();
  };

  const above = foldersAbove(path).map((each) => readMatching(join(folder, each), SHARED_MANIFESTS));
  const detected = await detectConventions(layout, {
    read: manifests,
    above: await Promise.all(above),
    name: basename(root),
  });
  const { configured, lookup } = scanAndLookupOptions(detected, file.usage?.functions ?? []);

  const signedIn =
    connect === undefined
      ? null
      : await signIn(serviceAccess(connect.environment, file), { ...connect, signal });
  // One cache for each folder. What the service has is read anew each time.
  const name = sha1(root);
  const database = openDatabase(join(storage, `${name}.db`), NO_LOG);
  database.prepareForWriting();
  const indexing = createIndexing(database, root);
  const keyNames = new KeyNames(database);
  const journalFolder = cache === undefined ? undefined : join(cache, "writing", name);
  if (writes && journalFolder !== undefined) await recoverTransactions(journalFolder);
  const files = openProjectFiles({
    root,
    scope,
    journalFolder,
    onWritten: (paths) => local.invalidate(paths),
  });
  const local: LocalEntries = new LocalEntries({
    database,
    version: "1",
    files,
    keysVersion: () => (signedIn === null ? 0 : project.version("keys")),
    indexing: () => indexing.localFiles,
    scope: () => scope,
  });
  const personal =
    signedIn === null || cache === undefined
      ? undefined
      : new PersonalData(
          openPersonalDatabase(join(cache, `${name}.personal.db`), NO_LOG),
          signedIn.projectId,
        );
  const label = path === "" ? basename(folder) : path;
  const project: FolderProject = Object.assign(new Project(path, label, database, personal), { local });
  spellKeys(project, lookup);
  const configure = (sourceLocale: string | null): void =>
    local.configure({
      files: layout,
      locales: file.locales ?? {},
      sourceLocale,
      serviceLocales: signedIn === null ? [] : (project.stats?.languages ?? []).map(({ locale }) => locale),
    });
  let service: ServiceConnection | null = null;
  let loadKeys: (cancel: AbortSignal | undefined) => Promise<unknown>;
  if (signedIn === null) {
    const chosenSource = file.sourceLocale ?? null;
    configure(chosenSource);
    const state = new LocalOnlyState({
      project,
      local,
      indexing: () => indexing.localKeys,
      takeOver: () => indexing.serviceData.clear(project.syncMetadata.content, CONTENT_OF_FILES),
      chosenSource: () => chosenSource,
      configuredLanguages: async () =>
        configuredLanguages(await readMatching(root, SOURCE_LANGUAGE_GLOBS, MAX_CONFIGURATIONS, scope)),
      onSourceLanguage: configure,
    });
    loadKeys = () => state.load();
  } else {
    project.onDidChange((table) => {
      if (table === "stats") configure(project.sourceLocale);
    });
    const { refresher } = (service = await openConnection(project, signedIn, file));
    loadKeys = (cancel) => refresher.refresh({ priority: "person", ...definedFields({ signal: cancel }) });
  }
  const load = async (cancel: AbortSignal | undefined): Promise<void> => {
    await loadKeys(cancel);
    cancel?.throwIfAborted();
    // For the names that problems suggest.
    await indexing.search.updateKeys(cancel);
  };
  if (reads !== "nothing") await load(signal);
  const options = usageOptionsOf(file, EXCLUDED, {
    find: configured,
    lookup: withNamespaces(lookup, keyNames.namespaces()),
    otherProjects,
    codeFolders,
  });
  if (reads === "code") await indexing.usages.update(options, new Map(), signal);
  return {
    path,
    root,
    project,
    file,
    local,
    files,
    reload: async (cancel) => {
      await local.reload(cancel);
      await load(cancel);
    },
    service,
    database,
    indexing,
    keyNames,
    keySearch: new KeySearch(database),
    usages: new UsageRepository(database),
    lookup: options.lookup,
    options,
    usesTextsOf: [],
  };
}

/**
 * A token is that of one project.
 * @throws {CommandError} without exactly one project, or with a project file that cannot be read completely
 */
function requireSingleProject(
  folder: string,
  paths: readonly string[],
  files: ReadonlyMap<string, ParsedProjectFile>,
): void {
  const [path = "", ...others] = paths;
  if (others.length > 0)
    throw new CommandError(
      "no_project",
      l10n.t("There are several projects in {0}: {1}. Name the folder of one.", folder, paths.join(", ")),
    );
  const [error] = files.get(path)?.errors ?? [];
  if (error !== undefined)
    throw new CommandError(
      "invalid",
      `${PROJECT_FILE_NAME}: ${[error.path.join("."), error.message].filter((text) => text !== "").join(": ")}`,
    );
}
