/**
 * Opens a folder as VS Code does when nobody is signed in: finds its projects, reads their translation files, and indexes the
 * usages in their code. Uses the functions of the indexer, in this process.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { CONTENT_OF_FILES } from "../database/sync-metadata-repository.ts";
import { Database } from "../database/database.ts";
import { KeyNames } from "../database/key-name-repository.ts";
import { UsageRepository } from "../database/key-usage-repository.ts";
import { Project } from "../database/project-state.ts";
import type { ProjectFiles } from "../model/platform.ts";
import type { ManifestFile } from "../frameworks/framework.ts";
import { createIndexing, type ProjectIndexing } from "../indexer/project-indexing.ts";
import { diskProjectFiles } from "./disk-project-files.ts";
import { layoutsAt } from "../workspace/file-layout/detect-layouts.ts";
import { folderFiles } from "../workspace/file-system/disk-files.ts";
import type { WalkScope } from "../workspace/file-system/walk-folder.ts";
import { LocalEntries } from "../workspace/local-files/local-entries.ts";
import { LocalOnlyState } from "../workspace/local-files/local-only-state.ts";
import {
  detectFrameworksIn,
  foldersAbove,
  MANIFEST_GLOBS,
  manifestGlobs,
  SHARED_MANIFESTS,
} from "../workspace/project-detection/detect-frameworks.ts";
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
import {
  optionFileGlobs,
  readFrameworkOptions,
} from "../workspace/project-detection/read-framework-options.ts";
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
import type { UsageOptions } from "../workspace/usages/usage-indexer.ts";

/** A project of the folder, with everything indexed. */
export interface OpenedProject {
  /** Relative to the opened folder; empty for the folder itself. */
  readonly path: string;
  readonly root: string;
  readonly project: Project;
  /** The project file with recognised layouts; empty if there is none. */
  readonly file: ProjectFile;
  readonly local: LocalEntries;
  readonly database: Database;
  readonly indexing: ProjectIndexing;
  readonly keyNames: KeyNames;
  readonly usages: UsageRepository;
  readonly lookup: KeyResolutionOptions;
  readonly options: UsageOptions;
  readonly files: ProjectFiles;
  /** Reads what changed in the translation files. */
  reload(signal?: AbortSignal): Promise<void>;
  /** Other projects whose texts the project's code uses, too. */
  usesTextsOf: readonly OpenedProject[];
}

export interface OpenedFolder {
  readonly projects: readonly OpenedProject[];
  /** The errors of project files, by path. */
  readonly errors: ReadonlyMap<string, ParsedProjectFile["errors"]>;
  /** Deletes what was stored. */
  close(): Promise<void>;
}

export interface OpenFolderOptions {
  /** Where the caches of projects are kept for the next time; default: a temporary folder. */
  readonly cache?: string | undefined;
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
 * @throws the signal's reason; nothing is left behind then
 */
export async function openFolder(folder: string, options: OpenFolderOptions = {}): Promise<OpenedFolder> {
  const storage = options.cache ?? (await mkdtemp(join(tmpdir(), "project-translations-")));
  const projects: OpenedProject[] = [];
  const close = async (): Promise<void> => {
    for (const { database, project } of projects) {
      project.dispose();
      database.close();
    }
    if (options.cache === undefined) await rm(storage, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const errors = await openProjects(folder, storage, projects, options);
    return { projects, errors, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openProjects(
  folder: string,
  storage: string,
  projects: OpenedProject[],
  { signal }: OpenFolderOptions,
): Promise<OpenedFolder["errors"]> {
  const search = createFolderSearch(folder);
  const files = await readMatching(folder, [`**/${PROJECT_FILE_NAME}`], MAX_PROJECTS, WITHOUT_PACKAGES);
  const parsed = new Map(files.map(({ path, text }) => [folderOf(path), parseProjectFile(text)] as const));
  const inFolder = { path: "", isSignedIn: false, isOpen: false };
  const projectFiles = files.map(({ path }) => `/${path}`);
  const apps = await search.detectApps(NOTHING_ELSE, signal);
  const paths = projectRoots([inFolder], projectFiles, () => [...apps.keys()].map((path) => `/${path}`))
    .map((path) => path.slice(1))
    .toSorted();
  const fileOf = (path: string): ProjectFile => {
    const file = parsed.get(path)?.file ?? {};
    return withLayouts(file, layoutsAt(apps, path) ?? []);
  };
  const { packages, others } = await assignCode({
    projects: paths,
    manifests: await readMatching(folder, [PACKAGE_MANIFESTS], MAX_MANIFESTS),
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
  for (const [index, path] of paths.entries()) {
    signal?.throwIfAborted();
    const otherProjects = paths
      .filter((other) => other !== path)
      .flatMap((other) => [other, ...codeFoldersOf(other)]);
    projects.push(
      await openProject(folder, path, {
        database: join(storage, `${index}.db`),
        file: fileOf(path),
        otherProjects,
        codeFolders: codeFoldersOf(path),
        signal,
      }),
    );
  }
  for (const each of projects)
    each.usesTextsOf = projects.filter(({ path }) => others.get(each.path)?.includes(path) === true);
  return new Map(files.map(({ path }) => [path, parsed.get(folderOf(path))?.errors ?? []]));
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
  readonly database: string;
  readonly file: ProjectFile;
  /** Relative to the opened folder, like the next. */
  readonly otherProjects: readonly string[];
  readonly codeFolders: readonly string[];
  readonly signal: AbortSignal | undefined;
}

async function openProject(
  folder: string,
  path: string,
  { signal, file, ...parts }: ProjectParts,
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
  const { frameworks, domains } = detectFrameworksIn(
    await manifests(manifestGlobs(layout), MANIFEST_GLOBS),
    await Promise.all(above),
    basename(root),
  );
  const globs = optionFileGlobs(frameworks);
  const frameworkOptions =
    globs.length === 0
      ? {}
      : readFrameworkOptions(await manifests(globs, globs, MAX_CONFIGURATIONS), frameworks);
  const { configured, lookup } = scanAndLookupOptions(
    { frameworks: [...frameworks], domains: [...domains], options: frameworkOptions },
    file.usage?.functions ?? [],
  );

  const database = new Database(parts.database);
  database.prepareForWriting();
  const indexing = createIndexing(database, root);
  const project = new Project(path, path === "" ? basename(folder) : path, database);
  const keyNames = new KeyNames(database);
  const files = diskProjectFiles(root, scope);
  const local = new LocalEntries({
    database,
    version: "1",
    files,
    keysVersion: () => 0,
    indexing: () => indexing.localFiles,
    scope: () => scope,
  });
  const chosenSource = file.sourceLocale ?? null;
  const configure = (sourceLocale: string | null): void =>
    local.configure({ files: layout, locales: file.locales ?? {}, sourceLocale, serviceLocales: [] });
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
  const load = async (cancel?: AbortSignal): Promise<void> => {
    await state.load();
    cancel?.throwIfAborted();
    await indexing.search.update(cancel);
  };
  await load(signal);
  const { include, exclude = [], ignoredFunctions } = file.usage ?? {};
  const options: UsageOptions = {
    find: configured,
    lookup: withNamespaces(lookup, keyNames.namespaces()),
    exclude: [...EXCLUDED, ...exclude],
    otherProjects,
    codeFolders,
    ...(include === undefined ? {} : { include }),
    ...(ignoredFunctions === undefined ? {} : { ignoredFunctions }),
  };
  await indexing.usages.update(options, new Map(), signal);
  return {
    path,
    root,
    project,
    file,
    local,
    database,
    indexing,
    keyNames,
    usages: new UsageRepository(database),
    lookup: options.lookup,
    options,
    files,
    reload: async (cancel) => {
      await local.reload(cancel);
      await load(cancel);
    },
    usesTextsOf: [],
  };
}
