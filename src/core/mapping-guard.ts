/**
 * Looks before a push whether the local files' mapping to keys fits the project at all, so that a wrong one never
 * doubles it; and which other mapping would fit better. It only counts; a person decides.
 */
import { alternativeMappings, type AlternativeMapping } from "./layout-proposals.ts";
import type { LocalKey } from "./push.ts";
import type { Project } from "./project.ts";
import type { FilesEntry } from "./project-file.ts";

export type MappingVerdict =
  | { readonly kind: "fits" }
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

export interface GuardNeeds {
  readonly project: Project;
  readonly files: readonly FilesEntry[];
  /** Reads the source entries under another mapping. */
  readonly read: (files: readonly FilesEntry[]) => Promise<readonly LocalKey[]>;
}

/** Judges by the cached keys, which must be complete; costs no request. */
export async function checkMapping(needs: GuardNeeds, local: readonly LocalKey[]): Promise<MappingVerdict> {
  const { project } = needs;
  const known = knownOf(project, local);
  if (!project.keysComplete || project.keys.size < TOO_FEW || local.length < TOO_FEW) return { kind: "fits" };
  if (known / Math.min(local.length, project.keys.size) >= LOOKS_WRONG) return { kind: "fits" };
  const rated: RatedMapping[] = [];
  for (const mapping of alternativeMappings(needs.files)) {
    const keys = await needs.read(mapping.files);
    const count = knownOf(project, keys);
    if (count > known) rated.push({ ...mapping, known: count, local: keys.length });
  }
  rated.sort((a, b) => b.known - a.known);
  return { kind: "suspicious", known, local: local.length, alternatives: rated };
}

function knownOf(project: Project, keys: readonly LocalKey[]): number {
  let known = 0;
  for (const key of keys) if (project.keys.has(key.hash)) known++;
  return known;
}
