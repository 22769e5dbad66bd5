/**
 * Checks before a push whether the mapping of local files to keys fits the project, so that a wrong one does not
 * duplicate all keys, and which other mapping would fit better. The user decides.
 */
import { forEachInSlices } from "../../util/event-loop.ts";
import * as v from "valibot";
import {
  alternativeMappings,
  type AlternativeMapping,
} from "../../workspace/file-layout/alternative-layouts.ts";
import { keyHash } from "../../model/key-hash.ts";
import type { LocalEntries } from "../../workspace/local-files/local-entries.ts";
import type { LocalKey } from "./push-plan.ts";
import type { Project } from "../../database/project-state.ts";
import type { FilesEntry } from "../../workspace/project-file/project-file.ts";

/** Result of the check. */
export type MappingVerdict =
  | { readonly kind: "fits" }
  /** Not all keys of the service are known. */
  | { readonly kind: "unknown" }
  /** The service knows few of the local keys, although the project is not empty. `alternatives`: best first. */
  | {
      readonly kind: "suspicious";
      readonly known: number;
      readonly local: number;
      readonly alternatives: readonly RatedMapping[];
    };

/** Another mapping, with the numbers of its local keys and of those that the service knows. */
export interface RatedMapping extends AlternativeMapping {
  readonly known: number;
  readonly local: number;
}

/** Share of known keys below which a mapping is suspicious. */
const MIN_KNOWN_SHARE = 0.5;
/** With fewer keys the share is not meaningful. */
const MIN_KEYS = 5;

export interface MappingCheckDependencies {
  readonly project: Project;
  readonly local: Pick<LocalEntries, "sourceNamesUnder">;
  readonly files: readonly FilesEntry[];
}

/** Compares the local keys with the stored ones, without a request. */
export async function checkMapping(
  dependencies: MappingCheckDependencies,
  local: readonly Pick<LocalKey, "hash">[],
): Promise<MappingVerdict> {
  const { project } = dependencies;
  if (local.length < MIN_KEYS) return { kind: "fits" };
  if (!project.keysComplete) return { kind: "unknown" };
  if (project.keys.size < MIN_KEYS) return { kind: "fits" };
  const { known } = await countKnown(project, local, ({ hash }) => hash);
  if (known / Math.min(local.length, project.keys.size) >= MIN_KNOWN_SHARE) return { kind: "fits" };
  const rated: RatedMapping[] = [];
  for (const mapping of alternativeMappings(dependencies.files)) {
    const names = dependencies.local.sourceNamesUnder(mapping.files);
    const rate = await countKnown(project, names, keyHash);
    if (rate.known > known) rated.push({ ...mapping, ...rate });
  }
  rated.sort((a, b) => b.known - a.known);
  return { kind: "suspicious", known, local: local.length, alternatives: rated };
}

/** Returns whether the user has confirmed this mapping for the project although few of its keys are known. */
export function isMappingAgreed({ personal }: Project, files: readonly FilesEntry[]): boolean {
  return personal.get("agreed-mapping", v.string()) === JSON.stringify(files);
}

/** Stores the user's confirmation for this project and exactly this mapping. */
export function agreeToMapping({ personal }: Project, files: readonly FilesEntry[]): void {
  personal.set("agreed-mapping", JSON.stringify(files));
}

async function countKnown<Item>(
  { keys }: Project,
  items: Iterable<Item>,
  hashOf: (item: Item) => string,
): Promise<{ known: number; local: number }> {
  const counted = { known: 0, local: 0 };
  await forEachInSlices(items, (item) => {
    counted.local++;
    if (keys.has(hashOf(item))) counted.known++;
  });
  return counted;
}
