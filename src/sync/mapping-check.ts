/**
 * Looks before a push whether the local files' mapping to keys fits the project at all, so that a wrong one never
 * doubles it; and which other mapping would fit better. It only counts; a person decides.
 */
import * as v from "valibot";
import { alternativeMappings, type AlternativeMapping } from "../workspace/layout/alternative-mappings.ts";
import { keyHash } from "../model/key-identity.ts";
import type { LocalEntries } from "../workspace/local-files/local-entries.ts";
import type { LocalKey } from "./push-plan.ts";
import type { Project } from "../database/project-state.ts";
import type { FilesEntry } from "../workspace/project-file/project-file.ts";

export type MappingVerdict =
  | { readonly kind: "fits" }
  /** The keys of the service are not known whole, so nobody can say. */
  | { readonly kind: "unknown" }
  /** Few of the local keys are known, though the project is not empty. `alternatives`: the best first. */
  | {
      readonly kind: "suspicious";
      readonly known: number;
      readonly local: number;
      readonly alternatives: readonly RatedMapping[];
    };

/** Another mapping, and how many of its keys the service knows. */
export interface RatedMapping extends AlternativeMapping {
  readonly known: number;
  readonly local: number;
}

/** Under this share of known keys a mapping looks wrong. */
const LOOKS_WRONG = 0.5;
/** A project or an app this small says nothing. */
const TOO_FEW = 5;

export interface MappingCheckDependencies {
  readonly project: Project;
  readonly local: Pick<LocalEntries, "sourceNamesUnder">;
  readonly files: readonly FilesEntry[];
}

/** Judges by the keys that the project knows; costs no request. */
export function checkMapping(
  dependencies: MappingCheckDependencies,
  local: readonly LocalKey[],
): MappingVerdict {
  const { project } = dependencies;
  if (local.length < TOO_FEW) return { kind: "fits" };
  if (!project.keysComplete) return { kind: "unknown" };
  if (project.keys.size < TOO_FEW) return { kind: "fits" };
  const { known } = count(project, hashesOf(local));
  if (known / Math.min(local.length, project.keys.size) >= LOOKS_WRONG) return { kind: "fits" };
  const rated: RatedMapping[] = [];
  for (const mapping of alternativeMappings(dependencies.files)) {
    const rate = count(project, namesUnder(dependencies, mapping.files));
    if (rate.known > known) rated.push({ ...mapping, ...rate });
  }
  rated.sort((a, b) => b.known - a.known);
  return { kind: "suspicious", known, local: local.length, alternatives: rated };
}

/** Whether a person agreed to push to the project by this mapping although few of its keys are known. */
export function isMappingAgreed({ syncState }: Project, files: readonly FilesEntry[]): boolean {
  return syncState.get("agreed-mapping", v.string()) === JSON.stringify(files);
}

/** Stores the agreement; it holds for this project of the service and this very mapping. */
export function agreeToMapping({ syncState }: Project, files: readonly FilesEntry[]): void {
  syncState.set("agreed-mapping", JSON.stringify(files));
}

function* hashesOf(keys: readonly LocalKey[]): Generator<string> {
  for (const key of keys) yield key.hash;
}

function* namesUnder(
  dependencies: MappingCheckDependencies,
  files: readonly FilesEntry[],
): Generator<string> {
  for (const name of dependencies.local.sourceNamesUnder(files)) yield keyHash(name);
}

function count(project: Project, hashes: Iterable<string>): { known: number; local: number } {
  let known = 0;
  let local = 0;
  for (const hash of hashes) {
    local++;
    if (project.keys.has(hash)) known++;
  }
  return { known, local };
}
