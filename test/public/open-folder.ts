/**
 * Opens a folder as VS Code does that nobody signed in to and that has no project file: recognises its projects, reads
 * their translation files, and indexes the usages in their code. Uses the functions of the extension, in this process.
 */
import { CONTENT_OF_FILES } from "../../src/database/sync-metadata-repository.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { Database } from "../../src/database/database.ts";
import { KeyNames } from "../../src/database/key-name-repository.ts";
import { UsageRepository } from "../../src/database/key-usage-repository.ts";
import { Project } from "../../src/database/project-state.ts";
import type { ManifestFile } from "../../src/frameworks/framework.ts";
import { createIndexing, type ProjectIndexing } from "../../src/indexer/project-indexing.ts";
import {
  configuredLanguages,
  SOURCE_LANGUAGE_GLOBS,
} from "../../src/workspace/project-detection/detect-source-language.ts";
import {
  detectFrameworksIn,
  foldersAbove,
  manifestGlobs,
  SHARED_MANIFESTS,
} from "../../src/workspace/project-detection/detect-frameworks.ts";
import { createFolderSearch } from "../../src/workspace/project-detection/folder-search.ts";
import {
  assignCode,
  MAX_SETUP_FILES,
  PACKAGE_MANIFESTS,
  SETUP_FILES,
} from "../../src/workspace/project-detection/packages-using-texts.ts";
import { MAX_PROJECTS } from "../../src/workspace/project-detection/project-roots.ts";
import {
  optionFileGlobs,
  readFrameworkOptions,
} from "../../src/workspace/project-detection/read-framework-options.ts";
import { scanAndLookupOptions } from "../../src/workspace/project-detection/scan-and-lookup-options.ts";
import type { FilesEntry } from "../../src/workspace/project-file/project-file.ts";
import type { WalkScope } from "../../src/workspace/file-system/walk-folder.ts";
import { LocalEntries } from "../../src/workspace/local-files/local-entries.ts";
import { LocalOnlyState } from "../../src/workspace/local-files/local-only-state.ts";
import type { KeyResolutionOptions } from "../../src/workspace/usages/resolve-usage-to-key.ts";
import { withNamespaces } from "../../src/workspace/usages/resolve-usage-to-key.ts";
import type { UsageOptions } from "../../src/workspace/usages/usage-indexer.ts";
import { projectFiles } from "../unit/support/node-platform.ts";

/** A project of the folder, with everything indexed. */
export interface OpenedProject {
  /** Relative to the opened folder; empty for the folder itself. */
  readonly path: string;
  readonly root: string;
  readonly project: Project;
  readonly local: LocalEntries;
  readonly database: Database;
  readonly indexing: ProjectIndexing;
  readonly keyNames: KeyNames;
  readonly usages: UsageRepository;
  readonly lookup: KeyResolutionOptions;
  readonly options: UsageOptions;
  /** Other projects whose texts the project's code uses, too. */
  usesTextsOf: readonly OpenedProject[];
}

/** The default of VS Code's setting `files.exclude`. */
const EXCLUDED = ["**/.git", "**/.svn", "**/.hg", "**/.DS_Store", "**/Thumbs.db"];
const NOTHING_ELSE: WalkScope = { exclude: EXCLUDED, otherProjects: [] };
const MAX_MANIFESTS = 500;
const MAX_CONFIGURATIONS = 50;

/** Opens all projects of a folder; `close` deletes what was stored. */
export async function openFolder(
  folder: string,
): Promise<{ readonly projects: readonly OpenedProject[]; close(): Promise<void> }> {
  const storage = await mkdtemp(join(tmpdir(), "pt-public-"));
  const search = createFolderSearch(folder);
  const apps = await search.detectApps(NOTHING_ELSE);
  const paths = [...apps.keys()].slice(0, MAX_PROJECTS);
  const { packages: codeFolders, others } = await assignCode({
    projects: paths,
    manifests: await readMatching(folder, [PACKAGE_MANIFESTS], MAX_MANIFESTS),
    isListed: () => false,
    readSetup: (path) => readMatching(join(folder, path), [SETUP_FILES], MAX_SETUP_FILES),
  });
  const projects: OpenedProject[] = [];
  for (const [index, path] of paths.entries()) {
    const otherProjects = paths
      .filter((other) => other !== path)
      .flatMap((other) => [other, ...(codeFolders.get(other) ?? [])]);
    projects.push(
      await openProject(folder, path, {
        database: join(storage, `${index}.db`),
        files: apps.get(path) ?? [],
        otherProjects,
        codeFolders: codeFolders.get(path) ?? [],
      }),
    );
  }
  for (const each of projects)
    each.usesTextsOf = projects.filter(({ path }) => others.get(each.path)?.includes(path) === true);
  return {
    projects,
    close: async () => {
      for (const { database, project } of projects) {
        project.dispose();
        database.close();
      }
      await rm(storage, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function readMatching(
  folder: string,
  globs: readonly string[],
  limit = Number.POSITIVE_INFINITY,
  scope = NOTHING_ELSE,
): Promise<readonly ManifestFile[]> {
  const paths = await createFolderSearch(folder).find(globs, scope);
  const files = projectFiles(folder);
  const found: ManifestFile[] = [];
  for (const path of paths.slice(0, limit)) {
    const content = await files.read(path);
    if (content.kind === "read") found.push({ path, text: new TextDecoder().decode(content.bytes) });
  }
  return found;
}

interface ProjectParts {
  readonly database: string;
  readonly files: readonly FilesEntry[];
  /** Relative to the opened folder, like the next. */
  readonly otherProjects: readonly string[];
  readonly codeFolders: readonly string[];
}

async function openProject(folder: string, path: string, parts: ProjectParts): Promise<OpenedProject> {
  const root = join(folder, path);
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
  const manifests = async (globs: readonly string[], limit?: number): Promise<readonly ManifestFile[]> => {
    const inFolders = codeFolders.map(async (each) => {
      const found = await readMatching(join(root, each), globs, limit);
      return found.map(({ path: name, text }) => ({ path: `${each}/${name}`, text }));
    });
    return (await Promise.all([readMatching(root, globs, limit, scope), ...inFolders])).flat();
  };

  const above = foldersAbove(path).map((each) => readMatching(join(folder, each), SHARED_MANIFESTS));
  const { frameworks, domains } = detectFrameworksIn(
    await manifests(manifestGlobs(parts.files)),
    await Promise.all(above),
    basename(root),
  );
  const globs = optionFileGlobs(frameworks);
  const options =
    globs.length === 0 ? {} : readFrameworkOptions(await manifests(globs, MAX_CONFIGURATIONS), frameworks);
  const { configured, lookup } = scanAndLookupOptions(
    { frameworks: [...frameworks], domains: [...domains], options },
    [],
  );

  const database = new Database(parts.database);
  database.prepareForWriting();
  const indexing = createIndexing(database, root);
  const project = new Project(path, path, database);
  const names = new KeyNames(database);
  const local = new LocalEntries({
    database,
    version: "1",
    files: projectFiles(root),
    keysVersion: () => 0,
    indexing: () => indexing.localFiles,
    scope: () => scope,
  });
  const configure = (sourceLocale: string | null): void =>
    local.configure({ files: parts.files, locales: {}, sourceLocale, serviceLocales: [] });
  configure(null);
  const state = new LocalOnlyState({
    project,
    local,
    indexing: () => indexing.localKeys,
    takeOver: async () => project.syncMetadata.clear(project.syncMetadata.content, CONTENT_OF_FILES),
    chosenSource: () => null,
    configuredLanguages: async () =>
      configuredLanguages(await readMatching(root, SOURCE_LANGUAGE_GLOBS, MAX_CONFIGURATIONS, scope)),
    onSourceLanguage: configure,
  });
  await state.load();
  const usageOptions: UsageOptions = {
    find: configured,
    lookup: withNamespaces(lookup, names.namespaces()),
    exclude: EXCLUDED,
    otherProjects,
    codeFolders,
  };
  await indexing.usages.update(usageOptions, new Map());
  return {
    path,
    root,
    project,
    local,
    database,
    indexing,
    keyNames: names,
    usages: new UsageRepository(database),
    lookup: usageOptions.lookup,
    options: usageOptions,
    usesTextsOf: [],
  };
}
