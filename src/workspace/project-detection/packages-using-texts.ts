/**
 * Finds the packages of a workspace that use the texts of a project in another folder: those that depend on its package, by
 * the names in `package.json` and `composer.json`. Pure: the caller finds and reads the files.
 */
import { dirname, join } from "node:path/posix";
import { parse } from "jsonc-parser";
import type { ManifestFile } from "../../frameworks/framework.ts";
import { outsideFolders } from "../usages/list-source-files.ts";
import { detectFrameworks } from "./detect-frameworks.ts";

/** A glob of the manifests to pass to `packagesUsingTexts`. */
export const PACKAGE_MANIFESTS = "**/{package.json,composer.json}";
export const MAX_MANIFESTS = 500;
/** A glob of the files that usually import the texts, for `mostImportedFirst`: at most `MAX_SETUP_FILES` of a package. */
export const SETUP_FILES = "**/{i18n,i18n/**/*,*i18n*}.{ts,tsx,js,jsx,mjs,vue}";
export const MAX_SETUP_FILES = 30;

/** Folders are relative to the workspace folder; empty for the folder itself. */
export interface PackagesUsingTexts {
  /**
   * Folders of packages without a project, with the projects whose texts they use: those of the nearest dependencies, in the
   * order of the manifest.
   */
  readonly packages: ReadonlyMap<string, readonly string[]>;
  /** The other projects whose texts the code of a project uses. */
  readonly projects: ReadonlyMap<string, readonly string[]>;
  /** The name of each project's package, if it has one. */
  readonly names: ReadonlyMap<string, string>;
}

/** A package, as its manifest describes it. */
interface Package {
  readonly folder: string;
  readonly name: string | null;
  readonly dependencies: readonly string[];
  readonly manifest: ManifestFile;
}

const DEPENDENCIES = [
  ...["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"],
  ...["require", "require-dev"],
];
/** Packages between a package and the texts that it uses. */
const MAX_DEPTH = 5;

/**
 * Returns which packages use the texts of which projects. If there is only one project, packages that use a translation
 * framework belong to it too.
 * @param manifests in the workspace folder, which their paths are relative to
 * @param projects folders of the projects
 */
export function packagesUsingTexts(
  manifests: readonly ManifestFile[],
  projects: readonly string[],
): PackagesUsingTexts {
  const all = manifests.flatMap((manifest) => packageOf(manifest) ?? []);
  const byName = new Map(all.flatMap((each) => (each.name === null ? [] : [[each.name, each] as const])));
  const byFolder = new Map(all.map((each) => [each.folder, each]));
  const provided = Map.groupBy(projects, (project) => nearest(project, (folder) => byFolder.has(folder)));
  const packages = new Map<string, readonly string[]>();
  const others = new Map<string, readonly string[]>();
  for (const each of all) {
    const own = nearest(each.folder, (folder) => projects.includes(folder));
    const used = textsUsedBy(each, byName, provided);
    if (own !== null) {
      const found = used.filter((project) => project !== own);
      if (found.length > 0) others.set(own, [...new Set([...(others.get(own) ?? []), ...found])]);
      continue;
    }
    if (projects.some((project) => isIn(project, each.folder))) continue;
    const isTranslated = used.length === 0 && projects.length === 1 && usesFramework(each);
    const found = isTranslated ? projects : used;
    if (found.length > 0) packages.set(each.folder, found);
  }
  const names = [...provided].flatMap(([folder, provides]) => {
    const name = folder === null ? null : (byFolder.get(folder)?.name ?? null);
    return name === null ? [] : provides.map((project) => [project, name] as const);
  });
  return { packages, projects: others, names: new Map(names) };
}

/** The code that projects have outside of their own folders. Folders are relative to the workspace folder. */
export interface AssignedCode {
  /** By project: the folders that its project file includes, and the packages whose code uses its texts, or uses them most. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  /** By project: the other projects whose texts its code uses, too. */
  readonly others: ReadonlyMap<string, readonly string[]>;
}

export interface CodeAssignment {
  /** Folders of the projects. */
  readonly projects: readonly string[];
  /** Reads the files of the workspace folder that match `PACKAGE_MANIFESTS`: at most `MAX_MANIFESTS`. */
  readonly readManifests: () => Promise<readonly ManifestFile[]>;
  /** Returns `usage.include` of the project file; a project that has it gets no packages. */
  readonly includeOf: (project: string) => readonly string[] | undefined;
  /** Reads the files of a package that match `SETUP_FILES`: needed where it may use several projects. */
  readonly readSetup: (folder: string) => Promise<readonly { readonly text: string }[]>;
}

/** Assigns each package to the project whose texts it uses, or imports most often in the set-up of translations. */
export async function assignCode(assignment: CodeAssignment): Promise<AssignedCode> {
  const { projects, readManifests, includeOf, readSetup } = assignment;
  const folders = new Map(projects.map((path) => [path, includedFolders(path, assignment)]));
  // A project of the whole folder has the code of all packages.
  if (projects.every((path) => path === "")) return { folders, others: new Map() };
  const used = packagesUsingTexts(await readManifests(), projects);
  const others = new Map(used.projects);
  for (const [folder, candidates] of used.packages) {
    const setup = candidates.length < 2 ? [] : await readSetup(folder);
    const [first, ...more] = mostImportedFirst(candidates, used.names, setup);
    if (first === undefined || includeOf(first) !== undefined) continue;
    folders.get(first)?.push(folder);
    if (more.length > 0) others.set(first, [...new Set([...(others.get(first) ?? []), ...more])]);
  }
  return { folders, others };
}

/** Returns the folders that the project file includes with `../`, as far as they are in the workspace folder. */
function includedFolders(
  project: string,
  { projects, includeOf }: Pick<CodeAssignment, "projects" | "includeOf">,
): string[] {
  return outsideFolders(includeOf(project) ?? [])
    .map((path) => join(project, path))
    .filter((path) => path !== "." && !path.startsWith(".."))
    .filter((path) => !projects.some((other) => path === other || isIn(path, other)));
}

/**
 * Returns the projects, the one first whose package the set-up of translations imports most often.
 * @param names names of the projects' packages
 * @param files files of the package that match `SETUP_FILES`
 */
function mostImportedFirst(
  projects: readonly string[],
  names: ReadonlyMap<string, string>,
  files: readonly { readonly text: string }[],
): readonly string[] {
  const imports = (project: string): number => {
    const name = names.get(project);
    const quoted = ["'", '"'].map((quote) => `${quote}${name ?? ""}${quote}`);
    return files.reduce(
      (sum, { text }) => sum + quoted.reduce((count, each) => count + text.split(each).length - 1, 0),
      0,
    );
  };
  return projects
    .map((project) => ({ project, count: imports(project) }))
    .toSorted((a, b) => b.count - a.count)
    .map(({ project }) => project);
}

function packageOf(manifest: ManifestFile): Package | null {
  const json: unknown = parse(manifest.text);
  if (typeof json !== "object" || json === null) return null;
  const { name, ...members } = json as Readonly<Record<string, unknown>>;
  const dependencies = DEPENDENCIES.flatMap((member) => Object.keys(members[member] ?? {}));
  const folder = dirname(manifest.path);
  return {
    folder: folder === "." ? "" : folder,
    name: typeof name === "string" ? name : null,
    dependencies,
    manifest,
  };
}

/**
 * Returns the projects of the nearest dependencies that have any: of its own ones, or of those of a dependency if it uses a
 * translation framework.
 */
function textsUsedBy(
  from: Package,
  byName: ReadonlyMap<string, Package>,
  provided: ReadonlyMap<string | null, readonly string[]>,
): readonly string[] {
  const seen = new Set([from]);
  let level = [from];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: Package[] = [];
    for (const name of level.flatMap(({ dependencies }) => dependencies)) {
      const dependency = byName.get(name);
      if (dependency === undefined || seen.has(dependency)) continue;
      seen.add(dependency);
      next.push(dependency);
    }
    const found = next.flatMap(({ folder }) => provided.get(folder) ?? []);
    if (found.length > 0) return depth === 0 || usesFramework(from) ? found : [];
    level = next;
  }
  return [];
}

function usesFramework({ manifest }: Package): boolean {
  return detectFrameworks([manifest]).frameworks.size > 0;
}

/** Returns the nearest folder at or above this one that passes the test. */
function nearest(folder: string, test: (folder: string) => boolean): string | null {
  for (let each = folder; ; each = each.includes("/") ? dirname(each) : "") {
    if (test(each)) return each;
    if (each === "") return null;
  }
}

/** Whether a folder is in another one. */
function isIn(folder: string, parent: string): boolean {
  return parent === "" || folder.startsWith(`${parent}/`);
}
