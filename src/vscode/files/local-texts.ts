/** Cached texts of the local files, for synchronous display next to the texts of the service. */
import type { Text } from "../../model/translation-text.ts";
import { localOnlyEntry } from "../../sync/count-pending-changes.ts";
import type { App } from "../app.ts";
import type { OpenProject } from "../projects/open-project.ts";

/** Returns a key's source text in the local files; `undefined` if there is none or the files were not read yet. */
export function localText(open: OpenProject, hash: string): Text | undefined {
  const { loaded } = open.local;
  return loaded?.entries(loaded.sourceLocale).get(hash)?.text;
}

/** Returns a key's translation that is in a local file but not at the service. */
export function localOnlyText(open: OpenProject, locale: string, hash: string): Text | undefined {
  const { loaded } = open.local;
  return loaded === null ? undefined : localOnlyEntry(open.connection, loaded, locale, hash)?.text;
}

/** Reads changed local files in the background. Never rejects; failures are logged. */
export async function loadLocalFiles(app: App, open: OpenProject): Promise<void> {
  try {
    await open.local.loadTexts();
    await open.loadLocal();
  } catch (error) {
    app.log.warn(`The local files could not be read: ${String(error)}`);
  }
}
