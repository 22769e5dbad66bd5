/**
 * Renames made in the files but not yet at the service. They are stored until they are done or discarded, so that a
 * push does not create the new name as another key, and a pull does not restore the old one.
 */
import * as v from "valibot";
import { keyHash, nameOf, type KeyName } from "../../model/key-hash.ts";
import type { Project } from "../project-state.ts";
import type { PendingRename } from "../records.ts";
import { LOCAL_PROJECT, PersonalData } from "./personal-data.ts";

const NameSchema = v.object({ namespace: v.string(), key: v.string(), context: v.nullable(v.string()) });
const RenamesSchema = v.array(v.object({ from: NameSchema, to: NameSchema }));

/** The names in the files of the source language. */
interface SourceFiles {
  readonly sourceLocale: string;
  entries(locale: string): { has(hash: string): boolean };
}

/** Stores a rename; a second rename of the same key is combined with the first. */
export function addRename(project: Project, from: KeyName, to: KeyName): void {
  takeLocalRenames(project.personal);
  project.personal.update("renames", RenamesSchema, (before) => withRename(before ?? [], { from, to }));
  project.changed("renames");
}

function withRename(all: readonly PendingRename[], { from, to }: PendingRename): PendingRename[] {
  const first = all.find((rename) => isSameName(rename.to, from))?.from ?? from;
  const others = all.filter((rename) => !isSameName(rename.from, first));
  return isSameName(first, to) ? others : [...others, { from: nameOf(first), to: nameOf(to) }];
}

/** Moves the renames that were made while nobody was signed in to the signed-in project: they are in the same files. */
function takeLocalRenames(personal: PersonalData): void {
  if (personal.project === LOCAL_PROJECT) return;
  const local = new PersonalData(personal.database, LOCAL_PROJECT);
  if ((local.get("renames", RenamesSchema) ?? []).length === 0) return;
  personal.database.transaction(() => {
    const made = local.get("renames", RenamesSchema) ?? [];
    personal.update("renames", RenamesSchema, (before) => made.reduce(withRename, before ?? []));
    local.set("renames", []);
  });
}

/** Whether the key was renamed in the files, and still has the other name at the service. */
export function isFormerName({ personal }: Project, key: KeyName, name: KeyName): boolean {
  takeLocalRenames(personal);
  const all = personal.get("renames", RenamesSchema) ?? [];
  return all.some(({ from, to }) => isSameName(to, key) && isSameName(from, name));
}

/** Removes a rename that was done at the service or discarded. */
export function removeRename(project: Project, from: KeyName): void {
  project.personal.update("renames", RenamesSchema, (before) =>
    (before ?? []).filter((rename) => !isSameName(rename.from, from)),
  );
  project.changed("renames");
}

/**
 * Returns the renames that apply now: the service has the old key, and the source files only have the new name.
 * Others, for example of another branch, stay stored.
 */
export function pendingRenames(project: Project, local: SourceFiles): readonly PendingRename[] {
  takeLocalRenames(project.personal);
  const all = project.personal.get("renames", RenamesSchema) ?? [];
  if (all.length === 0) return all;
  const source = local.entries(local.sourceLocale);
  return all.filter(({ from, to }) => {
    const old = keyHash(from);
    return project.keys.has(old) && !source.has(old) && source.has(keyHash(to));
  });
}

/** Returns the hashes of the old or the new names. */
export function renameHashes(
  renames: readonly PendingRename[],
  side: keyof PendingRename,
): ReadonlySet<string> {
  return new Set(renames.map((rename) => keyHash(rename[side])));
}

function isSameName(a: KeyName, b: KeyName): boolean {
  return a.namespace === b.namespace && a.key === b.key && (a.context ?? "") === (b.context ?? "");
}
