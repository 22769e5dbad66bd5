/** Saves what was changed in the translation editor, and says what could not be. */
import type { TranslationDraft } from "../../database/translation-drafts.ts";
import {
  saveAtService,
  saveInFiles,
  type NamedDraft,
  type SavedDrafts,
} from "../../sync/save-staged-texts.ts";
import type { App } from "../../vscode/app.ts";
import { CommandError } from "../../vscode/command-result.ts";
import { refusalMessage } from "../../vscode/ui/local-refusal.ts";
import { counted } from "../../vscode/ui/counts.ts";
import { failureOf } from "../../vscode/ui/error-messages.ts";
import { labelIn } from "../../vscode/ui/text-label.ts";
import { l10n } from "../../vscode/l10n.ts";
import type { ProjectTexts } from "./project-texts.ts";

/** Writes all drafts of the project. @throws with a sentence about what is left, which stays as it was typed. */
export async function saveDrafts(app: App, texts: ProjectTexts, signal: AbortSignal): Promise<void> {
  const all = [...texts.drafts.all()];
  texts.staged.begin(all);
  try {
    await saveAll(app, texts, all, signal);
  } finally {
    texts.staged.end();
  }
}

async function saveAll(
  app: App,
  texts: ProjectTexts,
  all: readonly TranslationDraft[],
  signal: AbortSignal,
): Promise<void> {
  const problems: string[] = [];
  for (const [locale, drafts] of byLocale(all, texts)) {
    const result = await saveLanguage(texts, locale, drafts, signal);
    texts.staged.settle(result.saved);
    if (result.failure !== null) {
      app.log.error(`The texts of ${locale} could not be saved`, result.failure.error);
      problems.push(failureOf(result.failure.error).message);
    }
    problems.push(...remainingText(texts, locale, result));
    // What the service does not answer for one language it answers for no other.
    if (result.failure !== null && texts.isAtService(locale)) break;
  }
  const message = [...new Set(problems)];
  if (message.length > 0)
    throw new Error([...message, l10n.t("Unsaved changes stay in the translation editor.")].join(" "));
}

async function saveLanguage(
  texts: ProjectTexts,
  locale: string,
  drafts: readonly NamedDraft[],
  signal: AbortSignal,
): Promise<SavedDrafts> {
  const { open } = texts;
  const nothing: SavedDrafts = { saved: [], conflicts: [], stale: [], refused: [], failure: null };
  try {
    if (texts.isAtService(locale)) {
      const client = open.client();
      const dependencies = { client, project: open.project, refresher: await open.refresher };
      return await saveAtService(dependencies, locale, drafts, { signal });
    }
    const baseOf = (draft: TranslationDraft) => texts.stored(draft.locale, draft.hash).text;
    const stale = drafts.filter(({ draft }) => texts.staged.isSourceChanged(draft));
    const current = drafts.filter((each) => !stale.includes(each));
    const result = { ...(await saveInFiles(open, current, baseOf, signal)), stale };
    await open.local.load(signal);
    if (result.changed.length === 0) return result;
    const message = l10n.t(
      "{0} was changed in the meantime, so nothing was written. Try again.",
      result.changed.join(", "),
    );
    return { ...result, failure: { error: new CommandError("file_changed", message) } };
  } catch (error) {
    return { ...nothing, failure: { error } };
  }
}

function remainingText(
  texts: ProjectTexts,
  locale: string,
  { conflicts, stale, refused }: SavedDrafts,
): readonly string[] {
  const message: string[] = [];
  if (stale.length > 0)
    message.push(
      l10n.t(
        "{0}: the source text of {1} by a language model was changed meanwhile. “Conflicts” shows which.",
        locale,
        counted.translations(stale.length),
      ),
    );
  if (conflicts.length > 0)
    message.push(
      l10n.t(
        "{0}: someone else changed {1} in the meantime. “Conflicts” shows both.",
        locale,
        counted.translations(conflicts.length),
      ),
    );
  const [first] = refused;
  if (first !== undefined) {
    const { name, reason } = first;
    message.push(
      typeof reason === "string"
        ? l10n.t("The service did not write {0}: {1}.", labelIn(texts.open, name), reason.replace(/\.$/u, ""))
        : refusalMessage(name, reason),
    );
    if (refused.length > 1) message.push(l10n.t("{0} more were refused.", refused.length - 1));
  }
  return message;
}

/** By language, the local files first. Drafts of keys that are there no more are left. */
function byLocale(
  drafts: readonly TranslationDraft[],
  texts: ProjectTexts,
): readonly (readonly [string, readonly NamedDraft[]])[] {
  const languages = new Map<string, NamedDraft[]>();
  for (const draft of drafts) {
    const name = texts.nameOf(draft.hash);
    if (name === undefined) continue;
    const list = languages.get(draft.locale);
    if (list === undefined) languages.set(draft.locale, [{ draft, name }]);
    else list.push({ draft, name });
  }
  const rank = (locale: string): number => Number(texts.isAtService(locale));
  return [...languages].sort(([a], [b]) => rank(a) - rank(b));
}
