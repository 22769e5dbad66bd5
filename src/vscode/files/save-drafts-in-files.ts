/** Saves drafts of texts that are kept in local files. */
import type { TranslationDraft } from "../../database/personal/translation-draft-repository.ts";
import { saveInFiles, type NameOf, type SaveResult } from "../../sync/drafts/save-drafts.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import type { ProjectConnection } from "../projects/project-connection.ts";
import { fileChangedError } from "../../messages/file-write-error-messages.ts";

/**
 * Writes drafts of one language to the local files. A file that changed meanwhile is the result's failure.
 *
 * @throws {Error} if a file cannot be read or written
 */
export async function saveDraftsInFiles(
  connection: ProjectConnection,
  files: ProjectFiles,
  drafts: readonly TranslationDraft[],
  nameOf: NameOf,
  signal: AbortSignal,
): Promise<SaveResult> {
  const { local } = connection;
  const { changed, ...result } = await saveInFiles(
    { project: connection, local, files },
    drafts,
    nameOf,
    signal,
  );
  await local.loadTexts(signal);
  const failure = changed.length === 0 ? null : { error: fileChangedError(changed) };
  return { ...result, failure };
}
