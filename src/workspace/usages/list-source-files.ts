/**
 * The source files in a project's folder on disk, and nothing outside of it, not even through symbolic links. Selects
 * those to scan for usages: by extension, by `.gitignore`, by the project file's globs and by their content.
 */
import ignore, { type Ignore } from "ignore";
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileStamp } from "../../model/platform.ts";
import { diskStamp, isMissing, isRecent } from "../file-system/atomic-write.ts";
import { ignoreGlobs, isBoundedGlob, isTooDeep, withoutParents } from "../file-system/globs.ts";
import { relativePathIn } from "../file-system/paths.ts";
import { usageLanguages } from "../../scanners/supported-source-languages.ts";
import type { SkipReason } from "../../database/key-usage-repository.ts";

export type SourceFile =
  /** Unchanged. */
  | { readonly kind: "same" }
  /** Does not exist, or is in a folder outside of the project's. */
  | { readonly kind: "missing" }
  | { readonly kind: "skipped"; readonly stamp: FileStamp; readonly reason: SkipReason }
  | { readonly kind: "read"; readonly stamp: FileStamp; readonly bytes: Uint8Array };

/** Names in a folder. Symbolic links count as files, so that no folder is entered twice. */
export interface FolderContent {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Links to folders outside of the project's; they are also among the files. */
  readonly linksOut: readonly string[];
}

/** A project's folder. Paths are relative to it, with `/`; the folder itself is the empty path. */
export interface SourceFiles {
  /** Lists a folder; empty if it cannot be read. */
  list(folder: string): FolderContent | Promise<FolderContent>;
  /** Reads a file unless it still has the stamp `known`. Never throws. */
  read(path: string, known?: FileStamp): SourceFile;
}

/** A stamp that matches no file: the content is read again next time. */
export const NO_STAMP: FileStamp = { size: -1, modified: -1 };

/** How long a folder is known to be inside the root: resolving each file's path takes longer than its stamp. */
const RECHECK_MS = 1_000;

/** The first folder of a path outside of the root: `../ui` of `../ui/src/a.ts`; empty for a path inside. */
export function baseOf(path: string): string {
  return /^(?:\.\.\/)+[^/]+/u.exec(path)?.[0] ?? "";
}

/** Returns the folders outside of the root in which files can match the globs: `../ui/src` for `../ui/src/**`. */
export function outsideFolders(globs: readonly string[]): readonly string[] {
  const folders = globs.flatMap((glob) => {
    const parts = glob.split("/");
    const end = parts.findIndex((part) => /[*?[\]{}]/u.test(part));
    const folder = parts.slice(0, end === -1 ? -1 : end).join("/");
    return baseOf(folder) === "" || /\/\.\.?(?:\/|$)/u.test(withoutParents(folder)) ? [] : [folder];
  });
  return [...new Set(folders)];
}

function isMissingOrLoop(error: unknown): boolean {
  // A symbolic link loop.
  return isMissing(error) || (error as { code?: unknown }).code === "ELOOP";
}

/** @param root path of the folder on disk */
export function sourceFilesOf(root: string): SourceFiles {
  let checked: { readonly folder: string; readonly isInside: boolean; readonly at: number } | undefined;
  const isBelow = (folder: string, path: string): boolean =>
    relativePathIn(realpathSync.native(folder), realpathSync.native(path)) !== null;
  /** Whether a path leads to where it says: into the root, or the folder beside it. */
  const isInside = (path: string): boolean => {
    const base = baseOf(path);
    const isLink = base !== "" && !isBelow(join(root, dirname(base)), join(root, base));
    return !isLink && isBelow(join(root, base), join(root, path));
  };
  /** Whether a folder is inside the root. A folder's files are read one after the other. */
  const isFolderInside = (folder: string): boolean => {
    const now = performance.now();
    if (checked?.folder !== folder || now - checked.at > RECHECK_MS)
      checked = { folder, isInside: isInside(folder), at: now };
    return checked.isInside;
  };
  const isFolderOutside = (path: string): boolean => {
    try {
      return statSync(join(root, path)).isDirectory() && !isInside(path);
    } catch {
      // It leads nowhere.
      return false;
    }
  };
  return {
    list: (folder) => {
      const files: string[] = [];
      const folders: string[] = [];
      const linksOut: string[] = [];
      try {
        for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
          (entry.isDirectory() ? folders : files).push(entry.name);
          if (entry.isSymbolicLink() && isFolderOutside(join(folder, entry.name))) linksOut.push(entry.name);
        }
      } catch {
        // Deleted, or access is denied.
      }
      return { files, folders, linksOut };
    },
    read: (path, known) => {
      try {
        const fullPath = join(root, path);
        if (!isFolderInside(dirname(path))) return { kind: "missing" };
        let stat = lstatSync(fullPath);
        if (stat.isSymbolicLink()) {
          if (!isInside(path)) return { kind: "skipped", stamp: NO_STAMP, reason: "outside" };
          stat = statSync(fullPath);
        }
        if (!stat.isFile()) return { kind: "missing" };
        const found = diskStamp(stat);
        if (found.size === known?.size && found.modified === known.modified) return { kind: "same" };
        // Another write may leave the same stamp.
        const stamp = isRecent(found) ? NO_STAMP : found;
        if (found.size > MAX_SOURCE_FILE_BYTES) return { kind: "skipped", stamp, reason: "too-large" };
        return { kind: "read", stamp, bytes: readFileSync(fullPath) };
      } catch (error) {
        if (isMissingOrLoop(error)) return { kind: "missing" };
        return { kind: "skipped", stamp: NO_STAMP, reason: "unreadable" };
      }
    },
  };
}

/** Every file with an extension or name of a supported language. */
export const DEFAULT_INCLUDE: readonly string[] = [
  `**/*.{${usageLanguages
    .flatMap((language) => language.extensions.map((extension) => extension.slice(1)))
    .join(",")}}`,
  `**/{${usageLanguages.flatMap((language) => language.fileNames ?? []).join(",")}}`,
];

/** Other text files that may contain key names. */
export const MENTIONING_FILES =
  "**/*.{html,htm,xhtml,twig,latte,tpl,svelte,hbs,ejs,erb,haml,slim,pug,njk,liquid,mustache,md,mdx,yml,yaml,neon,ini,toml,conf,properties,json,json5,jsonc,xml,xsl,graphql,gql,sql,rb,go,rs,java,kt,scala,cs,fs,swift,dart,py,ex,exs,lua,c,h,cpp,hpp,coffee,txt}";

/** Never the project's own code, regardless of `.gitignore`. */
const ALWAYS_EXCLUDED = [
  "node_modules/",
  "bower_components/",
  ".git/",
  ".hg/",
  ".svn/",
  "/vendor/",
  ".venv/",
  "site-packages/",
  "__pycache__/",
  "/storage/framework/",
  "/public/build/",
  "/public/vendor/",
  "*.min.js",
];

/** The rules of one `.gitignore`. */
export interface IgnoreFile {
  /** Its folder relative to the root, empty for the root. */
  readonly folder: string;
  readonly text: string;
}

interface FolderRules {
  /** Ends with `/`; empty for the root. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** Ignored paths, relative to the root; folders end with `/`. Deeper `.gitignore` files take precedence. */
export class IgnoreRules {
  readonly #exclude: Ignore;
  readonly #byFolder: readonly FolderRules[];

  /** @param exclude globs in `.gitignore` syntax */
  static of(exclude: readonly string[]): IgnoreRules {
    return new IgnoreRules(ignoreGlobs([...ALWAYS_EXCLUDED, ...exclude]), []);
  }

  private constructor(exclude: Ignore, byFolder: readonly FolderRules[]) {
    this.#exclude = exclude;
    this.#byFolder = byFolder;
  }

  /** Returns the rules with those of another `.gitignore`, which must be in a deeper folder. */
  with({ folder, text }: IgnoreFile): IgnoreRules {
    const rules = ignore().add(text.split(/\r?\n/u).filter(isBoundedGlob));
    return new IgnoreRules(this.#exclude, [
      ...this.#byFolder,
      { folder: folder === "" ? "" : `${folder}/`, rules },
    ]);
  }

  ignores(path: string): boolean {
    const inside = withoutParents(path);
    if (!ignore.isPathValid(inside) || isTooDeep(path) || this.#exclude.ignores(inside)) return true;
    let ignored = false;
    for (const { folder, rules } of this.#byFolder) {
      if (!path.startsWith(folder) || path.length === folder.length) continue;
      const below = path.slice(folder.length);
      // The ignore files of a folder say nothing of those beside it.
      if (below.startsWith("../")) continue;
      const result = rules.test(below);
      if (result.ignored) ignored = true;
      else if (result.unignored) ignored = false;
    }
    return ignored;
  }
}

/** Larger files are not handwritten source; files that must be scanned in one go have the smaller limit. */
export const MAX_SOURCE_FILE_BYTES = 8 * 1024 * 1024;
export const MAX_WHOLE_FILE_BYTES = 2 * 1024 * 1024;
const MINIFIED_MIN_CHARACTERS = 20_000;
const MINIFIED_LINE_CHARACTERS = 300;

/** Returns why a text is not scanned, or `null`. Minified: more than 300 characters per line on average. */
export function exclusionReason(text: string): SkipReason | null {
  if (text.slice(0, 1_000).includes("\0")) return "not-text";
  if (text.length < MINIFIED_MIN_CHARACTERS) return null;
  let lines = 1;
  const most = text.length / MINIFIED_LINE_CHARACTERS;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (++lines > most) return null;
  }
  return "minified";
}
