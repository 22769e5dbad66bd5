/** Searches a folder for files and apps; runs in the indexing process, or in any other. */
import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import type { ManifestFile } from "../../frameworks/framework.ts";
import { MAX_FILE_BYTES } from "../../formats/parse-and-edit-file.ts";
import { mapInSlices } from "../../util/event-loop.ts";
import { sha1 } from "../../model/key-hash.ts";
import { isRecent } from "../file-system/atomic-write.ts";
import { folderFiles } from "../file-system/disk-files.ts";
import { globFilter } from "../file-system/globs.ts";
import { relativePathIn } from "../file-system/paths.ts";
import { walkFolder, type WalkScope } from "../file-system/walk-folder.ts";
import { APP_GLOBS, detectApps, type AppLayouts } from "../file-layout/detect-layouts.ts";

/** Manifests and configurations have at most some kilobytes. */
const MAX_READ_BYTES = 1024 * 1024;
/** More files are not looked at. */
const MAX_APP_FILES = 20_000;

/** The apps of a folder, and the files that were read to detect them. Plain data. */
export interface DetectedApps {
  readonly apps: AppLayouts;
  readonly read: readonly string[];
}

/** The files whose stamps decide about projects; of all others that may have texts only the names do. Plain data. */
interface DecisiveFiles {
  /** As in `DetectedApps`. */
  readonly read: readonly string[];
  /** Globs: `CONFIGURATION_GLOBS`. */
  readonly configurations: readonly string[];
}

/** The functions of a search. Arguments and results are plain data. */
export interface FolderSearch {
  /** Returns the sorted paths that match one of the globs, relative to the folder. */
  find(globs: readonly string[], scope: WalkScope, signal?: AbortSignal): Promise<readonly string[]>;
  /** Reads those of them that are no larger than `MAX_READ_BYTES` and not outside behind a link: at most `limit`. */
  read(
    globs: readonly string[],
    scope: WalkScope,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly ManifestFile[]>;
  /** Returns the layouts of the apps in the folder. */
  detectApps(scope: WalkScope, signal?: AbortSignal): Promise<DetectedApps>;
  /** Returns a fingerprint of what decides about projects, as it is on disk. */
  projectState(decisive: DecisiveFiles, scope: WalkScope, signal?: AbortSignal): Promise<string>;
}

/** @param root path of the folder */
export function createFolderSearch(root: string): FolderSearch {
  const find: FolderSearch["find"] = async (globs, scope, signal) => {
    const { files } = await walkFolder(root, globFilter(globs), scope, signal);
    return files.toSorted();
  };
  return {
    find,
    read: async (globs, scope, limit, signal) => {
      const disk = folderFiles(root);
      const paths = await find(globs, scope, signal);
      return paths.slice(0, limit).flatMap((path) => {
        const state = disk.stat(path);
        if (state.kind !== "file" || state.stamp.size > MAX_READ_BYTES) return [];
        const content = disk.read(path);
        return content.kind === "read" ? { path, text: new TextDecoder().decode(content.bytes) } : [];
      });
    },
    detectApps: async (scope, signal) => {
      const found = await walkFolder(root, globFilter(APP_GLOBS), scope, signal, MAX_APP_FILES);
      const files = withoutLinkedPackages(root, found.files);
      const disk = folderFiles(root);
      const read = new Set<string>();
      const readBytes = async (path: string): Promise<Uint8Array | undefined> => {
        read.add(path);
        const state = disk.stat(path);
        if (state.kind !== "file" || state.stamp.size > MAX_FILE_BYTES) return undefined;
        const content = disk.read(path);
        return content.kind === "read" ? content.bytes : undefined;
      };
      const { formats } = await import("../../formats/supported-formats.ts");
      const apps = await detectApps(files.toSorted(), readBytes, {
        read: async (format, bytes, options) => formats.read(format, bytes, options),
      });
      return { apps, read: [...read].sort() };
    },
    projectState: async ({ read, configurations }, scope, signal) => {
      const isConfiguration = globFilter(configurations).matches;
      const filter = globFilter([...APP_GLOBS, ...configurations]);
      const { files } = await walkFolder(root, filter, scope, signal);
      const disk = folderFiles(root);
      const stamped = new Set(read);
      const states = await mapInSlices(files.toSorted(), (path) => {
        if (!stamped.has(path) && !isConfiguration(path)) return path;
        const state = disk.stat(path);
        // Another write could leave the stamp of a recent file unchanged.
        return JSON.stringify([path, state, state.kind === "file" && isRecent(state.stamp)]);
      });
      return sha1(states.join("\n"));
    },
  };
}

/** Omits the files of packages that a link shows a second time, as in `linux/webapp -> ../webapp`. */
function withoutLinkedPackages(root: string, files: readonly string[]): readonly string[] {
  const all = new Set(files);
  const realRoot = realpathSync.native(root);
  const linked = files.filter((path) => {
    if (basename(path) !== "package.json" && basename(path) !== "composer.json") return false;
    const real = realPathIn(realRoot, path);
    return real !== null && real !== path && all.has(real);
  });
  const folders = linked.map((path) => path.slice(0, -basename(path).length));
  return files.filter((path) => !folders.some((folder) => path.startsWith(folder)));
}

/** Returns where a path leads, relative to the folder; `null` if that is outside, or nothing. */
function realPathIn(realRoot: string, path: string): string | null {
  try {
    return relativePathIn(realRoot, realpathSync.native(join(realRoot, path)));
  } catch {
    return null;
  }
}
