/** What the local files say, for whoever shows it beside the service's texts and cannot wait for the disk. */
import type { Text } from "../../model/text.ts";
import { localOnlyEntry } from "../../sync/count-pending-changes.ts";
import type { App } from "../app.ts";
import type { OpenProject } from "./project-handle.ts";

/** A key's source text in the local files as last read; `undefined`: there is none, or nobody read them yet. */
export function localText(open: OpenProject, hash: string): Text | undefined {
  const { loaded } = open.local;
  return loaded?.entries(loaded.sourceLocale).text(hash);
}

/** A key's translation that stands in a local file and not at the service, as last read. */
export function localOnlyText(open: OpenProject, locale: string, hash: string): Text | undefined {
  const { loaded } = open.local;
  return loaded === null ? undefined : localOnlyEntry(open.project, loaded, locale, hash)?.text;
}

/** Reads what changed, beside whatever else goes on. Rejects never; what cannot be read is logged. */
export async function readLocal(app: App, open: OpenProject): Promise<void> {
  try {
    await open.local.load();
    await open.updateLocal();
  } catch (error) {
    app.log.warn(`The local files could not be read: ${String(error)}`);
  }
}
