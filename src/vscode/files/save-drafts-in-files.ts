/** Saves drafts of texts that are kept in local files. */
import type { TranslationDraft } from "../../database/personal/translation-draft-repository.ts";
import type { Text } from "../../model/translation-text.ts";
import { saveInFiles, type NameOf, type SaveResult } from "../../sync/drafts/save-drafts.ts";
import type { OpenProject } from "../projects/open-project.ts";
import { fileChangedError } from "../../messages/file-write-error-messages.ts";

/**
 * Writes drafts of one language to the local files, except for machine translations of a source text that has changed. A
 * file that changed meanwhile is the result's failure.
 *
 * @throws {Error} if a file cannot be read or written
 */
export async function saveDraftsInFiles(
  open: OpenProject,
  drafts: readonly TranslationDraft[],
  of: {
    readonly nameOf: NameOf;
    readonly storedText: (draft: TranslationDraft) => Text | null;
    readonly isStale: (draft: TranslationDraft) => boolean;
  },
  signal: AbortSignal,
): Promise<SaveResult> {
  const { stale = [], current = [] } = Object.groupBy(drafts, (draft) =>
    of.isStale(draft) ? "stale" : "current",
  );
  const { changed, ...result } = await saveInFiles(open, current, of.nameOf, of.storedText, signal);
  await open.local.loadTexts(signal);
  const failure = changed.length === 0 ? null : { error: fileChangedError(changed) };
  return { ...result, stale, failure };
}
