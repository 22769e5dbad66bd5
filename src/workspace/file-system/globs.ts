/** Matches paths with globs (`**`, `*`, `?`, `{a,b}`), relative to a folder and case-sensitive. */
import ignore, { type Ignore } from "ignore";
import { escapeRegExp } from "../../model/translation-text.ts";

/** Which paths are wanted; relative to the folder, with `/`. */
export interface PathFilter {
  readonly matches: (path: string) => boolean;
  /** Whether paths below the folder may match. */
  readonly mayContain: (folder: string) => boolean;
}

/** Returns a filter for the paths that match one of the globs. */
export function globFilter(globs: readonly string[]): PathFilter {
  const all = globs.flatMap(expandBraces);
  const paths = globs.map((glob) => expressionOf(glob));
  const folders = [...new Set(all.flatMap(foldersOf))].map((source) => new RegExp(source, "u"));
  return {
    matches: (path) => paths.some((each) => each.test(path)),
    mayContain: (folder) => folders.some((each) => each.test(folder)),
  };
}

/** Returns the sources of the expressions of the folders that may contain matches: one per level up to the first `**`. */
function foldersOf(glob: string): readonly string[] {
  const segments = glob.split("/");
  const anywhere = segments.findIndex((segment) => segment.includes("**"));
  const end = anywhere === -1 ? segments.length - 1 : anywhere;
  const levels = Array.from({ length: end }, (_, index) => sourceOf(segments.slice(0, index + 1).join("/")));
  const expressions = levels.map((level) => `^${level}$`);
  if (anywhere !== -1) expressions.push(levels.length === 0 ? "^" : `^${levels.at(-1)}/`);
  return expressions;
}

function expressionOf(glob: string): RegExp {
  return new RegExp(`^${sourceOf(glob)}$`, "u");
}

function sourceOf(glob: string): string {
  let depth = 0;
  return glob.replaceAll(/\*\*\/|\*+|[?{},]|[^*?{},]+/gu, (part) => {
    switch (part) {
      case "**/":
        return "(?:.*/)?";
      case "?":
        return "[^/]";
      case "{":
        depth++;
        return "(?:";
      case "}":
        depth--;
        return ")";
      case ",":
        return depth > 0 ? "|" : ",";
      default:
        if (part.startsWith("*")) return part === "*" ? "[^/]*" : ".*";
        return escapeRegExp(part);
    }
  });
}

const MAX_BRACE_EXPANSIONS = 256;

/** Expands `*.{a,b}` to `*.a` and `*.b`. */
export function expandBraces(glob: string): readonly string[] {
  let patterns = [glob];
  const expanded: string[] = [];
  while (patterns.length > 0 && patterns.length + expanded.length < MAX_BRACE_EXPANSIONS) {
    const next: string[] = [];
    for (const pattern of patterns) {
      const braces = /\{([^{}]*)\}/.exec(pattern);
      if (braces === null) expanded.push(pattern);
      else for (const part of (braces[1] ?? "").split(",")) next.push(pattern.replace(braces[0], () => part));
    }
    patterns = next;
  }
  return expanded;
}

/** Returns the rules of globs in `.gitignore` syntax, also with braces; unbounded ones are dropped. */
export function ignoreGlobs(globs: readonly string[]): Ignore {
  return ignore().add(globs.flatMap(expandBraces).filter(isBoundedGlob));
}

/** Returns the path in a folder outside without `../` at its start. */
export function withoutParents(path: string): string {
  return path.replace(/^(?:\.\.\/)+(?=[^/]+\/)/u, "");
}

/**
 * Returns a function that tests whether a path matches one of the globs (`**`, `*`, `{a,b}`). `../` at the start of a path or
 * glob is ignored: which folders outside are searched is decided elsewhere.
 */
export function pathMatcher(globs: readonly string[]): (path: string) => boolean {
  const rules = ignoreGlobs(globs.map(withoutParents));
  return (path) => {
    const inside = withoutParents(path);
    return ignore.isPathValid(inside) && !isTooDeep(path) && rules.ignores(inside);
  };
}

/** An inner `**` is tried at every folder of a path, and each further one again at every one. */
const MAX_STARS_INSIDE = 2;
const MAX_FOLDERS = 64;
const MAX_GLOB_CHARACTERS = 1_000;

/**
 * Whether matching a pattern takes bounded time; others are ignored. Patterns come with the repository, which may be
 * malicious.
 */
export function isBoundedGlob(glob: string): boolean {
  if (glob.length > MAX_GLOB_CHARACTERS) return false;
  const inside = glob.replaceAll(/(?:\*{2,}\/)+/gu, "**/").replaceAll(/^!?\/?\*\*\//gu, "");
  return inside.split("**/").length - 1 <= MAX_STARS_INSIDE;
}

/** Whether a path has so many folders that matching it may take long. */
export function isTooDeep(path: string): boolean {
  return path.split("/", MAX_FOLDERS + 2).length > MAX_FOLDERS + 1;
}
