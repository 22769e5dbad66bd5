/**
 * Renames that were made in the files and not yet at the service. They are kept until they are done there or given up, so
 * that a push does not take the new name for another key and a pull does not bring the old one back.
 */
import * as v from "valibot";
import { keyHash, type KeyName } from "../model/key-identity.ts";
import type { Project } from "./project-state.ts";

const NameSchema = v.object({ namespace: v.string(), key: v.string(), context: v.nullable(v.string()) });
const RenamesSchema = v.array(v.object({ from: NameSchema, to: NameSchema }));

/** The names in the files of the source language. */
interface SourceFiles {
  readonly sourceLocale: string;
  entries(locale: string): { has(hash: string): boolean };
}

export interface PendingRename {
  readonly from: KeyName;
  readonly to: KeyName;
}

/** Keeps a rename; one that goes on with another takes its place. */
export function addRename({ syncState }: Project, from: KeyName, to: KeyName): void {
  syncState.update("renames", RenamesSchema, (before) => {
    const all = before ?? [];
    const first = all.find((rename) => isSame(rename.to, from))?.from ?? from;
    const others = all.filter((rename) => !isSame(rename.from, first));
    return isSame(first, to) ? others : [...others, { from: plain(first), to: plain(to) }];
  });
}

/** It was done at the service, or given up. */
export function removeRename({ syncState }: Project, from: KeyName): void {
  syncState.update("renames", RenamesSchema, (before) =>
    (before ?? []).filter((rename) => !isSame(rename.from, from)),
  );
}

/**
 * The renames that hold: the service has the old key, and the source files have the new name alone. Those of another
 * branch, say, wait until the files say so again.
 */
export function pendingRenames(project: Project, local: SourceFiles): readonly PendingRename[] {
  const all = project.syncState.get("renames", RenamesSchema) ?? [];
  if (all.length === 0) return all;
  const source = local.entries(local.sourceLocale);
  return all.filter(({ from, to }) => {
    const old = keyHash(from);
    return project.keys.has(old) && !source.has(old) && source.has(keyHash(to));
  });
}

/** The hashes of the old names, or of the new ones. */
export function hashesOf(renames: readonly PendingRename[], side: keyof PendingRename): ReadonlySet<string> {
  return new Set(renames.map((rename) => keyHash(rename[side])));
}

function isSame(a: KeyName, b: KeyName): boolean {
  return a.namespace === b.namespace && a.key === b.key && (a.context ?? "") === (b.context ?? "");
}

function plain({ namespace, key, context }: KeyName): KeyName {
  return { namespace, key, context };
}
