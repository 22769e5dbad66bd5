/** Saves the drafts of the translation editor and reports those that could not be saved. */
import { env } from "vscode";
import type { TranslationDraft } from "../../database/translation-draft-repository.ts";
import { saveAtService, saveInFiles, type NamedDraft, type SaveResult } from "../../sync/edit/save-drafts.ts";
import type { App } from "../../vscode/app.ts";
import { localRefusalError } from "../../vscode/ui/text/local-edit-error-messages.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { toFailure } from "../../vscode/ui/text/error-messages.ts";
import { projectKeyLabel, textLine } from "../../vscode/ui/text/labels.ts";
import { l10n } from "../../vscode/l10n.ts";
import { valuesOf } from "../../model/text.ts";
import { showWarning } from "../../vscode/notifications.ts";
import { ensureRefreshed } from "../../vscode/projects/ensure-refreshed.ts";
import { shortText } from "../../vscode/ui/text/escape-text.ts";
import { writeCells } from "../../webview/translation-editor/clipboard-cells.ts";
import type { TranslationsDocument } from "./translations-document.ts";
import type { EditorRows } from "./editor-rows.ts";
import { fileChangedError } from "../../vscode/files/write-error-messages.ts";

const MAX_SHOWN_TEXTS = 3;
const MAX_SHOWN_CHARACTERS = 80;

/**
 * Writes all drafts of the project. Drafts that cannot be written are kept.
 *
 * @throws {Error} with a message about the remaining drafts.
 */
export async function saveDrafts(app: App, texts: EditorRows, signal: AbortSignal): Promise<void> {
  const all = [...texts.drafts.all()];
  texts.history.beginSave(all);
  try {
    await saveAll(app, texts, all, signal);
  } finally {
    texts.history.endSave();
  }
}

async function saveAll(
  app: App,
  texts: EditorRows,
  all: readonly TranslationDraft[],
  signal: AbortSignal,
): Promise<void> {
  const problems: string[] = [];
  try {
    // A key without a name may not have been read yet.
    if (all.some(({ hash }) => texts.nameOf(hash) === undefined)) await readKeys(texts, signal);
  } catch (error) {
    problems.push(toFailure(error).message);
  }
  for (const [locale, drafts] of byLocale(all, texts)) {
    const result = await saveLanguage(texts, locale, drafts, signal);
    texts.history.markSaved(result.saved);
    if (result.failure !== null) {
      app.log.error(`The texts of ${locale} could not be saved`, result.failure.error);
      problems.push(toFailure(result.failure.error).message);
    }
    problems.push(...remainingText(texts, locale, result));
    // If a request failed for one language, requests for others would fail as well.
    if (result.failure !== null && texts.isAtService(locale)) break;
  }
  const message = [...new Set(problems)];
  if (message.length > 0)
    throw new Error([...message, l10n.t("Unsaved changes stay in the translation editor.")].join(" "));
}

async function readKeys({ open }: EditorRows, signal: AbortSignal): Promise<void> {
  await open.local.load(signal);
  await ensureRefreshed(open, signal);
}

/**
 * Notifies the user of drafts that cannot be saved since their keys were deleted. They are kept, since the keys may be
 * restored, until the user discards them.
 */
export async function reportDeletedKeys(document: TranslationsDocument): Promise<void> {
  const { texts } = document;
  const unnamed = () => [...texts.drafts.all()].filter(({ hash }) => texts.nameOf(hash) === undefined);
  const drafts = unnamed();
  if (drafts.length === 0 || !texts.open.project.keysComplete || texts.open.local.loaded === null) return;
  const shown = drafts
    .slice(0, MAX_SHOWN_TEXTS)
    .map(({ locale, text }) => `${locale} “${shortText(textLine(text), MAX_SHOWN_CHARACTERS)}”`)
    .join(", ");
  const others = drafts.length - MAX_SHOWN_TEXTS;
  const copy = l10n.t("Copy Texts");
  const discard = l10n.t("Discard");
  const chosen = await showWarning(
    l10n.t(
      "Not saved, since their keys no longer exist: {0}. Unsaved texts are kept in case the keys are restored.",
      others > 0 ? l10n.t("{0} and {1} more", shown, others) : shown,
    ),
    copy,
    discard,
  );
  if (chosen === copy)
    await env.clipboard.writeText(writeCells(drafts.map(({ locale, text }) => [locale, ...valuesOf(text)])));
  else if (chosen === discard && document.texts === texts) document.discard(unnamed());
}

async function saveLanguage(
  texts: EditorRows,
  locale: string,
  drafts: readonly NamedDraft[],
  signal: AbortSignal,
): Promise<SaveResult> {
  const { open } = texts;
  const nothing: SaveResult = { saved: [], conflicts: [], stale: [], refused: [], failure: null };
  try {
    if (texts.isAtService(locale)) {
      const client = open.client();
      const dependencies = { client, project: open.project, refresher: await open.refresher };
      return await saveAtService(dependencies, locale, drafts, { signal });
    }
    const baseOf = (draft: TranslationDraft) => texts.stored(draft.locale, draft.hash).text;
    const stale = drafts.filter(({ draft }) => texts.history.isSourceChanged(draft));
    const current = drafts.filter((each) => !stale.includes(each));
    const result = { ...(await saveInFiles(open, current, baseOf, signal)), stale };
    await open.local.load(signal);
    if (result.changed.length === 0) return result;
    return { ...result, failure: { error: fileChangedError(result.changed) } };
  } catch (error) {
    return { ...nothing, failure: { error } };
  }
}

function remainingText(
  texts: EditorRows,
  locale: string,
  { conflicts, stale, refused }: SaveResult,
): readonly string[] {
  const message: string[] = [];
  if (stale.length > 0)
    message.push(
      l10n.t(
        "{0}: the source text of {1} by a language model was changed meanwhile. “Conflicts” shows which.",
        locale,
        formatCount.translations(stale.length),
      ),
    );
  if (conflicts.length > 0)
    message.push(
      l10n.t(
        "{0}: someone else changed {1} in the meantime. “Conflicts” shows both.",
        locale,
        formatCount.translations(conflicts.length),
      ),
    );
  const [first] = refused;
  if (first !== undefined) {
    const { name, reason } = first;
    message.push(
      typeof reason === "string"
        ? l10n.t(
            "The service did not write {0}: {1}.",
            projectKeyLabel(texts.open, name),
            reason === "" ? l10n.t("no reason given") : reason.replace(/\.$/u, ""),
          )
        : localRefusalError(name, reason).message,
    );
    if (refused.length > 1) message.push(l10n.t("{0} more were refused.", refused.length - 1));
  }
  return message;
}

/** Groups the drafts by language, local files first. Drafts of deleted keys are omitted (see `reportDeletedKeys`). */
function byLocale(
  drafts: readonly TranslationDraft[],
  texts: EditorRows,
): readonly (readonly [string, readonly NamedDraft[]])[] {
  const named = drafts.flatMap((draft): NamedDraft[] => {
    const name = texts.nameOf(draft.hash);
    return name === undefined ? [] : [{ draft, name }];
  });
  const rank = (locale: string): number => Number(texts.isAtService(locale));
  return [...Map.groupBy(named, ({ draft }) => draft.locale)].sort(([a], [b]) => rank(a) - rank(b));
}
