/** What a push does with its plan: what is left, sent, or asked first. Knows nothing of VS Code. */
import { renameHashes } from "../../database/personal/pending-rename-repository.ts";
import type { PendingRename, ProjectKey } from "../../database/records.ts";
import { keyHash } from "../../model/key-hash.ts";
import { overwritesService, type PushItem, type PushPlan } from "./push-plan.ts";

/** What a push sends. */
export interface PushChoice {
  readonly items: readonly PushItem[];
  readonly archive: readonly ProjectKey[];
  /** Keys to be renamed at the service; not among the items. */
  readonly renames: readonly PendingRename[];
}

/** What was asked of a push, as far as its plan is concerned. */
export interface PushRequest {
  /** Whether the keys were named, so that they are also restored, and overwrite texts of the service. */
  readonly isAsked: boolean;
  readonly isQuiet: boolean;
  readonly isDryRun: boolean;
  readonly archiveMissing: boolean;
  /** Pending renames by the hashes of the new names. */
  readonly renames: ReadonlyMap<string, PendingRename>;
}

/** What a push does next. */
export type PushDecision =
  /** Fails: nothing is to be archived because of files that could not be read, and nobody is there to be told. */
  | { readonly kind: "incomplete" }
  /** Fails: there is nothing to push except what could not be read or encoded. */
  | { readonly kind: "unread" }
  | { readonly kind: "nothing"; readonly outcome: "unchanged" | "conflict" }
  /** A dry run ends with the plan. */
  | { readonly kind: "planned" }
  | { readonly kind: "preview"; readonly choice: PushChoice }
  | { readonly kind: "send"; readonly choice: PushChoice };

/** Decides what a push does with its plan, which is that of `pushPlanFor`. */
export function decidePush(plan: PushPlan, request: PushRequest): PushDecision {
  const { isAsked, isQuiet, isDryRun, archiveMissing, renames } = request;
  const isSilent = isQuiet || isDryRun;
  // Without a prompt, "nothing to archive" would be misleading if files could not be parsed.
  if (isSilent && archiveMissing && plan.unparsedRanges.length > 0) return { kind: "incomplete" };
  const choice = pushedWithoutPrompt(plan, isAsked);
  const canRename = !isQuiet && plan.items.some(({ hash }) => renames.has(hash));
  const hasConflict = leftKeys(plan, isAsked).atService.some(({ side }) => side === "both");
  const hasChoices = canRename || (hasConflict && !isSilent);
  if (choice.items.length === 0 && choice.archive.length === 0 && !hasChoices) {
    if (plan.unparsedRanges.length + plan.malformed.length > 0) return { kind: "unread" };
    return { kind: "nothing", outcome: hasConflict ? "conflict" : "unchanged" };
  }
  if (isDryRun) return { kind: "planned" };
  return { kind: isQuiet ? "send" : "preview", choice };
}

/**
 * Returns what is sent without a prompt: what the preview checks, except that a key that would be refused is sent, so that
 * the result names it, and that a renamed key is pushed as a new one; the rename, which archives the old key, stays pending.
 */
function pushedWithoutPrompt(plan: PushPlan, isAsked: boolean): PushChoice {
  const { archived, atService } = leftKeys(plan, isAsked);
  const left = new Set([...archived, ...atService]);
  const items = plan.items.filter((item) => item.change !== "unchanged" && !left.has(item));
  return { items, archive: plan.archive, renames: [] };
}

/** Keys that a push leaves as they are at the service unless they are chosen, although they differ. */
export interface LeftKeys {
  /** Somebody may have archived them on purpose. */
  readonly archived: readonly PushItem[];
  /** Somebody changed their texts. */
  readonly atService: readonly PushItem[];
}

/** Returns the keys that are left. `isAsked`: they were named, so none is. */
export function leftKeys({ items }: PushPlan, isAsked: boolean): LeftKeys {
  if (isAsked) return { archived: [], atService: [] };
  const archived = items.filter(({ change }) => change === "restored");
  return { archived, atService: items.filter(overwritesService) };
}

/**
 * Returns the plan of a project: the old key of a pending rename is not archived, since it still has the translations.
 * Texts of the service that would be overwritten count as changed if they were asked for.
 */
export function pushPlanFor(
  planned: PushPlan,
  { pending, isAsked }: { readonly pending: readonly PendingRename[]; readonly isAsked: boolean },
): PushPlan {
  const oldNames = renameHashes(pending, "from");
  const archive = planned.archive.filter(({ hash }) => !oldNames.has(hash));
  const changed = planned.counts.changed + (isAsked ? planned.items.filter(overwritesService).length : 0);
  return { ...planned, archive, counts: { ...planned.counts, changed, archive: archive.length } };
}

/** Returns pending renames by the hashes of the new names. */
export function renamesByNewName(pending: readonly PendingRename[]): ReadonlyMap<string, PendingRename> {
  return new Map(pending.map((rename) => [keyHash(rename.to), rename]));
}
