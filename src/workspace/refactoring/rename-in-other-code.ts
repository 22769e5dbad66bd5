/** Renames the usages of a project's keys in the code of another project of the window. */
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import type { UsageRepository } from "../../database/key-usage-repository.ts";
import { NO_NAMESPACE } from "../../model/key-hash.ts";
import { resolveKey } from "../usages/resolve-usage-to-key.ts";
import type { NameChange, RenameDependencies, RenameEdits } from "./rename-edits.ts";
import { changeOf, renameUsages, resolveUsages } from "./rename-in-code.ts";

/** The other project; paths are relative to it. */
export interface OtherCode extends Pick<RenameDependencies, "files" | "find" | "lookup"> {
  readonly usages: Pick<UsageRepository, "usagesOfName" | "importsOf">;
  /** The names of its own keys, which its code means first. */
  readonly names: KeyNameQueries;
  /** Whether no other project of the window has the namespace of the renamed keys too. */
  readonly isUnambiguous: (namespace: string) => boolean;
}

/** Keys without a namespace may be those of any project. */
function isUnnamed(namespace: string): boolean {
  return namespace === NO_NAMESPACE;
}

/** The names of the project whose keys are renamed. */
export interface RenamedNames {
  readonly changes: readonly NameChange[];
  readonly before: KeyNameQueries;
  readonly after: KeyNameQueries;
}

/**
 * Plans the rename in the code of the other project. Usages that may mean another key are reported instead.
 * @throws the signal's reason when aborted
 */
export async function renameInOtherCode(
  other: OtherCode,
  { changes: all, before, after }: RenamedNames,
  signal?: AbortSignal,
): Promise<RenameEdits> {
  const { usages, names, lookup } = other;
  // Code means the namespace of its own project, even if that lacks the key.
  const changes = all.filter(
    ({ from: { namespace } }) => isUnnamed(namespace) || !names.hasNamespace(namespace),
  );
  const paths = new Set(changes.flatMap(({ from }) => usages.usagesOfName(from).map(({ path }) => path)));
  const inCode = (await resolveUsages(other, paths, usages, before, signal)).map((file) => ({
    ...file,
    usages: file.usages.map(([usage, found]) => {
      const isOwn = resolveKey(usage, names, lookup).kind !== "unknown";
      return [usage, isOwn ? null : found] as const;
    }),
  }));
  const renamed = inCode.filter(
    ({ file, usages: found }) =>
      file === null || found.some(([, key]) => key !== null && changeOf(key, changes) !== undefined),
  );
  const isClear = changes.every(
    ({ from: { namespace } }) => !isUnnamed(namespace) && other.isUnambiguous(namespace),
  );
  if (isClear) return renameUsages(other, renamed, changes, after);
  return { files: [], remaining: renamed.map(({ path }) => ({ path, line: null })) };
}
