/** Resolves usages in the code of a project to keys of this project, or of another one of the same window or folder. */
import type { KeySearch } from "../../database/full-text-search.ts";
import type { KeyNames } from "../../database/key-name-repository.ts";
import { NO_NAMESPACE } from "../../model/key-hash.ts";
import {
  type KeyReference,
  type KeyResolution,
  type KeyResolutionOptions,
  resolveKey,
} from "./resolve-usage-to-key.ts";
import { nearestSpellings } from "./key-suggestions.ts";

/** A project whose keys are searched. */
export interface ResolvableProject {
  readonly keyNames: KeyNames;
  /** Other projects whose texts the project's code uses, too. */
  readonly usesTextsOf: readonly ResolvableProject[];
}

export interface ProjectsToResolveIn<Open extends ResolvableProject> {
  /** All projects of the window or folder. */
  readonly all: readonly Open[];
  readonly lookupOf: (open: Open) => KeyResolutionOptions;
  /** Default: those of the project. */
  readonly options?: KeyResolutionOptions | undefined;
}

/**
 * Resolves a usage: a namespace that the project does not have, and exactly one other one, is resolved there, and a key of the
 * projects whose texts its code uses, too. Returns the project that the key belongs to.
 */
export function resolveAmongProjects<
  Open extends ResolvableProject & { readonly usesTextsOf: readonly Open[] },
>(
  use: KeyReference,
  open: Open,
  { all, lookupOf, options = lookupOf(open) }: ProjectsToResolveIn<Open>,
): { readonly open: Open; readonly resolution: KeyResolution } {
  const resolution = resolveKey(use, open.keyNames, options);
  if (resolution.kind !== "unknown" || all.length === 1) return { open, resolution };
  for (const { namespace } of resolution.candidates) {
    if (hasNamespace(open, namespace)) break;
    const [only, ...more] = all.filter((other) => hasNamespace(other, namespace));
    if (only === undefined || more.length > 0) continue;
    return { open: only, resolution: resolveKey(use, only.keyNames, options) };
  }
  for (const other of otherProjects(use, open, { all, lookupOf })) {
    const found = resolveKey(use, other.keyNames, lookupOf(other));
    if (found.kind === "known") return { open: other, resolution: found };
  }
  return { open, resolution };
}

/** Returns the other projects whose texts the project's code uses, and those of the package that the key names. */
function otherProjects<Open extends ResolvableProject & { readonly usesTextsOf: readonly Open[] }>(
  use: KeyReference,
  open: Open,
  { all, lookupOf }: Pick<ProjectsToResolveIn<Open>, "all" | "lookupOf">,
): ReadonlySet<Open> {
  const named = packageNamedBy(use);
  const packages =
    named === null ? [] : all.filter((each) => lookupOf(each).packageNames?.includes(named) === true);
  return new Set([...open.usesTextsOf, ...packages]);
}

/**
 * Returns the spellings of known keys that are nearest to the key of a usage which nothing has, nearest first: of its project
 * or, where that has none, of the others in which it was looked up.
 * @param scope `others`: not of its project
 */
export function nearestAmongProjects<
  Open extends ResolvableProject & { readonly keySearch: KeySearch; readonly usesTextsOf: readonly Open[] },
>(
  use: KeyReference,
  limit: number,
  open: Open,
  { all, lookupOf, options = lookupOf(open) }: ProjectsToResolveIn<Open>,
  scope: "all" | "others" = "all",
): readonly string[] {
  if (use.expression.kind === "pattern") return [];
  const { open: owner } = resolveAmongProjects(use, open, { all, lookupOf, options });
  const projects = new Set([owner, open, ...otherProjects(use, open, { all, lookupOf })]);
  if (scope === "others") projects.delete(open);
  for (const each of projects) {
    const ofOwner = each === owner || each === open;
    const found = nearestSpellings(use.expression.key, limit, {
      names: each.keyNames,
      search: each.keySearch,
      options: ofOwner ? options : lookupOf(each),
      usage: use,
    });
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the name under which texts are loaded that the key begins with: `shop::group.item`. */
function packageNamedBy({ expression }: KeyReference): string | null {
  const key = expression.kind === "static" ? expression.key : expression.prefix;
  const colons = key.indexOf("::");
  return colons <= 0 ? null : key.slice(0, colons);
}

function hasNamespace({ keyNames }: ResolvableProject, namespace: string): boolean {
  return namespace !== NO_NAMESPACE && keyNames.hasNamespace(namespace);
}
