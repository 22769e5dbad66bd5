/** Writes what a person has confirmed, where no window does: to the service, or to translation files. */
import type { TranslationDraft } from "../database/personal/translation-draft-repository.ts";
import { toFailure } from "../messages/error-messages.ts";
import { localRefusalError } from "../messages/local-edit-error-messages.ts";
import type { KeyName } from "../model/key-hash.ts";
import { saveAtService, saveInFiles, type SaveResult } from "../sync/drafts/save-drafts.ts";
import type { PushItem } from "../sync/push/push-plan.ts";
import { sendPush } from "../sync/push/send-push.ts";
import { keyFields } from "./read-tools.ts";
import type { ResultRow } from "./limit-result-tokens.ts";
import type { ToolProject } from "./tool.ts";

const CHANGED = "Somebody changed it meanwhile. Read it again with get_translations, then stage it again.";

/**
 * Sends source texts to the service (§ POST /keys/sync).
 * @throws {Error} with what was sent before a failure
 */
export async function sendPlanned(
  open: ToolProject,
  items: readonly PushItem[],
  sourceLocale: string,
  signal: AbortSignal,
): Promise<ResultRow> {
  const { project } = open;
  const refresher = await open.refresher;
  const { stats } = project;
  const { result, failure, storedAt } = await sendPush({ client: open.client(), project }, items, [], {
    signal,
    sourceLocale,
    priority: "person",
  });
  if (stats !== null && storedAt !== null) await refresher.applyPush(stats, items.length, storedAt);
  await refresher.refresh({ priority: "person", skipRunning: true });
  if (failure !== null)
    throw new Error(
      `${failure.sent} of ${items.length} keys were sent. The others were not: ${toFailure(failure.error).message}`,
    );
  return { outcome: "done", result };
}

/** Writes staged translations to the service; those that were written are staged no longer. */
export async function saveStaged(
  open: ToolProject,
  drafts: readonly TranslationDraft[],
  signal: AbortSignal,
): Promise<ResultRow> {
  const { project } = open;
  const dependencies = { client: open.client(), project, refresher: await open.refresher };
  let saved = 0;
  const notSaved: ResultRow[] = [];
  for (const [locale, ofLocale] of Map.groupBy(drafts, (draft) => draft.locale)) {
    const isKnown = ({ hash }: TranslationDraft): boolean => project.keys.has(hash);
    const known = ofLocale.filter(isKnown);
    const nameOf = nameIn(open);
    const result = await saveAtService(dependencies, locale, known, nameOf, { signal });
    project.drafts.remove(result.saved);
    saved += result.saved.length;
    notSaved.push(...notSavedRows(open, result));
    if (result.failure !== null) notSaved.push({ locale, problem: toFailure(result.failure.error).message });
  }
  return { saved, notSaved: notSaved.length === 0 ? undefined : notSaved };
}

/**
 * Writes staged translations to the translation files, changing only the bytes of their entries.
 * @throws {Error} if a file cannot be written
 */
export async function saveStagedInFiles(
  open: ToolProject,
  drafts: readonly TranslationDraft[],
  signal: AbortSignal,
): Promise<{ readonly saved: number; readonly notSaved: readonly ResultRow[] }> {
  const result = await saveInFiles(open, drafts, nameIn(open), signal);
  const notSaved = notSavedRows(open, result);
  if (result.changed.length > 0)
    throw new Error(
      `Nothing was written, since files changed meanwhile: ${result.changed.join(", ")}. Call the tool again.`,
    );
  return { saved: result.saved.length, notSaved };
}

/** Returns a function that names the key of a draft. */
function nameIn({ project }: ToolProject): (draft: Pick<TranslationDraft, "hash">) => KeyName {
  return ({ hash }) => {
    const key = project.keys.get(hash);
    if (key === undefined) throw new Error("A key was removed meanwhile. Call the tool again.");
    const { namespace, key: name, context } = key;
    return { namespace, key: name, context };
  };
}

function notSavedRows(open: ToolProject, { conflicts, stale, refused }: SaveResult): readonly ResultRow[] {
  const nameOf = nameIn(open);
  const row = (draft: TranslationDraft, problem: string): ResultRow => ({
    locale: draft.locale,
    ...keyFields(nameOf(draft)),
    problem,
  });
  return [
    ...conflicts.map((draft) => row(draft, CHANGED)),
    ...stale.map((draft) => row(draft, "The source text was changed in the meantime. Read it again.")),
    ...refused.map(({ draft, reason }) =>
      row(
        draft,
        typeof reason === "string" ? reason : localRefusalError(open.project, nameOf(draft), reason).message,
      ),
    ),
  ];
}
