/**
 * Which files of a workspace are searched for uses: by ending, by `.gitignore`, by the project file's globs. And
 * which are left out for what they are, with the reason.
 */
import ignore, { type Ignore } from "ignore";
import { usageLanguages } from "../../scanners/registry.ts";
import type { LeftOutReason } from "../../database/usage-repository.ts";

/** Every file with an ending, or a name, that some language knows. */
export const DEFAULT_INCLUDE: readonly string[] = [
  `**/*.{${usageLanguages
    .flatMap((language) => language.extensions.map((extension) => extension.slice(1)))
    .join(",")}}`,
  `**/{${usageLanguages.flatMap((language) => language.fileNames ?? []).join(",")}}`,
];

/** Never the project's own code, whether or not a `.gitignore` says so. */
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
  /** The folder it lies in, relative to the root, empty for the root. */
  readonly folder: string;
  readonly text: string;
}

interface RulesOfFolder {
  /** With `/` at its end; empty for the root. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** Which paths are left out, relative to the root; those of folders end with `/`. Deeper `.gitignore` files win. */
export class IgnoreRules {
  readonly #exclude: Ignore;
  readonly #byFolder: readonly RulesOfFolder[];

  /** `exclude`: globs, in the syntax that `.gitignore` has too. */
  static of(exclude: readonly string[]): IgnoreRules {
    return new IgnoreRules(
      ignore().add([...ALWAYS_EXCLUDED, ...exclude.flatMap(expandBraces).filter(isBoundedGlob)]),
      [],
    );
  }

  private constructor(exclude: Ignore, byFolder: readonly RulesOfFolder[]) {
    this.#exclude = exclude;
    this.#byFolder = byFolder;
  }

  /** With the rules of one more `.gitignore`, which lies deeper than those before. */
  with({ folder, text }: IgnoreFile): IgnoreRules {
    const rules = ignore().add(text.split(/\r?\n/u).filter(isBoundedGlob));
    return new IgnoreRules(this.#exclude, [
      ...this.#byFolder,
      { folder: folder === "" ? "" : `${folder}/`, rules },
    ]);
  }

  ignores(path: string): boolean {
    if (!ignore.isPathValid(path) || isTooDeep(path) || this.#exclude.ignores(path)) return true;
    let ignored = false;
    for (const { folder, rules } of this.#byFolder) {
      if (!path.startsWith(folder) || path.length === folder.length) continue;
      const result = rules.test(path.slice(folder.length));
      if (result.ignored) ignored = true;
      else if (result.unignored) ignored = false;
    }
    return ignored;
  }
}

/** Says of a path whether one of the globs (`**`, `*`, `{a,b}`) finds it. */
export function pathMatcher(globs: readonly string[]): (path: string) => boolean {
  const rules = ignore().add(globs.flatMap(expandBraces).filter(isBoundedGlob));
  return (path) => ignore.isPathValid(path) && !isTooDeep(path) && rules.ignores(path);
}

/** A `**` inside of a pattern is tried at every folder of a path, and each more of them at every one again. */
const MAX_STARS_INSIDE = 2;
const MAX_FOLDERS = 64;
const MAX_GLOB = 1_000;

/**
 * Whether a pattern is tried in time that a path allows; any other is nobody's, and is passed over. Patterns come with
 * the repository, whoever wrote it.
 */
export function isBoundedGlob(glob: string): boolean {
  if (glob.length > MAX_GLOB) return false;
  const inside = glob.replaceAll(/(?:\*{2,}\/)+/gu, "**/").replaceAll(/^!?\/?\*\*\//gu, "");
  return inside.split("**/").length - 1 <= MAX_STARS_INSIDE;
}

function isTooDeep(path: string): boolean {
  return path.split("/", MAX_FOLDERS + 2).length > MAX_FOLDERS + 1;
}

const BRACES_LIMIT = 256;

/** `*.{a,b}` as `*.a` and `*.b`, which the syntax of `.gitignore` does not have. */
function expandBraces(glob: string): readonly string[] {
  let open = [glob];
  const done: string[] = [];
  while (open.length > 0 && open.length + done.length < BRACES_LIMIT) {
    const next: string[] = [];
    for (const pattern of open) {
      const found = /\{([^{}]*)\}/.exec(pattern);
      if (found === null) done.push(pattern);
      else {
        const rest = pattern.slice(found.index + found[0].length);
        const head = pattern.slice(0, found.index);
        for (const part of (found[1] ?? "").split(",")) next.push(`${head}${part}${rest}`);
      }
    }
    open = next;
  }
  return done;
}

/**
 * Globs that find together what the given ones find, as few as can be: each is a way through the whole workspace. Those
 * that are not tried in time are left out.
 */
export function fewestGlobs(globs: readonly string[]): readonly string[] {
  const apart: string[] = [];
  const parts = new Set<string>();
  for (const glob of globs.filter(isBoundedGlob)) {
    const groups = Array.from(glob.matchAll(/\{([^{}]*)\}/gu), ([, inner = ""]) => inner.split(",").length);
    const count = groups.reduce((product, length) => product * length, 1);
    if (count > MAX_JOINED || /\{[^}]*\{/u.test(glob)) apart.push(glob);
    else for (const part of expandBraces(glob)) parts.add(part);
  }
  const joined = [...parts].filter((part) => !/[{},]/u.test(part));
  apart.push(...[...parts].filter((part) => !joined.includes(part)));
  if (joined.length > 0) apart.unshift(joined.length === 1 ? joined.join("") : `{${joined.join(",")}}`);
  return apart;
}

const MAX_JOINED = 200;

/** Bytes. Larger files are no source that anybody wrote; what cannot be searched in parts has to be smaller. */
export const MAX_SOURCE_FILE_BYTES = 8 * 1024 * 1024;
export const MAX_WHOLE_FILE_BYTES = 2 * 1024 * 1024;
const MINIFIED_LENGTH = 20_000;
const MINIFIED_LINE = 300;

/** Why a text is not searched, or `null`. Minified: lines of more than 300 characters on average. */
export function reasonToLeaveOut(text: string): LeftOutReason | null {
  if (text.slice(0, 1_000).includes("\0")) return "not-text";
  if (text.length < MINIFIED_LENGTH) return null;
  let lines = 1;
  const most = text.length / MINIFIED_LINE;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (++lines > most) return null;
  }
  return "minified";
}
