/** The custom document of the translation editor. Unsaved changes are stored as drafts in the project's database. */
import {
  EventEmitter,
  TabInputCustom,
  env,
  window,
  workspace,
  type CustomDocument,
  type Disposable,
  type Tab,
  type Uri,
} from "vscode";
import type { DraftId, TranslationDraft } from "../../database/personal/translation-draft-repository.ts";
import { valuesOf } from "../../model/translation-text.ts";
import type { KeyName } from "../../model/key-hash.ts";
import type { CellId, TextEdit } from "../../model/text-edit.ts";
import type { StagedEdit } from "../../sync/drafts/draft-history.ts";
import {
  endsSave,
  saveAtService,
  saveOrder,
  type NameOf,
  type SaveResult,
} from "../../sync/drafts/save-drafts.ts";
import { unsavableDrafts, type UnsavableDrafts } from "../../sync/drafts/unsavable-drafts.ts";
import type { App } from "../../vscode/app.ts";
import { editDependencies } from "../../vscode/commands/command-requirements.ts";
import { signInCommand, signOutCommand } from "../../commands/declarations/session-commands.ts";
import { explainRefusal } from "../../vscode/commands/explain-refusal.ts";
import { CommandError, type CommandRun, type NextAction } from "../../commands/command-types.ts";
import { saveDraftsInFiles } from "../../vscode/files/save-drafts-in-files.ts";
import { isAbortError } from "../../util/abort-error.ts";
import { l10n } from "../../util/l10n.ts";
import { commandAction, showWarning } from "../../vscode/notifications.ts";
import { ensureRefreshed } from "../../vscode/projects/refresh-project.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount, formatNumber } from "../../messages/counts-and-times.ts";
import { nextStep, skipReason, toFailure } from "../../messages/error-messages.ts";
import { shortText } from "../../messages/escape-text.ts";
import { fileProblemMessage } from "../../messages/file-problem-messages.ts";
import { namedTexts, textLine } from "../../messages/labels.ts";
import { localRefusalError } from "../../messages/local-edit-error-messages.ts";
import { writeCells } from "../../webview/translation-editor/clipboard-cells.ts";
import { EditorRows } from "./editor-rows.ts";
import { folderOf } from "../../vscode/files/editor-uri.ts";

/** What a save has left. */
export interface Unsaved {
  readonly message: string;
  /** Whether somebody else has changed some of the texts, or a source text that was translated. */
  readonly hasConflicts: boolean;
  /** What to do about a failure: sign in or out first, or try again; `null` if nothing failed. */
  readonly next: "try-again" | NextAction | null;
}

/** Marks the document as dirty; with an edit that VS Code can undo and redo. */
type NotifyDirty = (edit: (StagedEdit & { readonly label: string }) | null) => void;

export class TranslationsDocument implements CustomDocument {
  readonly uri: Uri;
  readonly #app: App;
  readonly #notifyDirty: NotifyDirty;
  readonly #changed = new EventEmitter<void>();
  /** Fires when texts changed. */
  readonly onDidChange = this.#changed.event;
  readonly #subscription: Disposable;
  #rows: EditorRows;
  /** The rows whose dirty state VS Code knows. */
  #notifiedRows: EditorRows;
  /** The number and the version of the drafts when listeners were last notified. */
  #notifiedCount = 0;
  #notifiedVersion = -1;

  /** @throws {CommandError} `no_project` if there is no project for the file. */
  constructor(app: App, uri: Uri, notifyDirty: NotifyDirty) {
    this.uri = uri;
    this.#app = app;
    this.#notifyDirty = notifyDirty;
    const open = this.#open;
    if (open === undefined) throw new CommandError("no_project", l10n.t("There is no project here."));
    this.#rows = new EditorRows(app, open);
    this.#notifiedRows = this.#rows;
    this.#subscription = app.projects.onDidChange(() => this.#followProject());
  }

  /** Switches to the drafts of the signed-in project. */
  #followProject(): void {
    if (this.rows === this.#notifiedRows) return;
    this.#notifiedRows = this.rows;
    if (this.rows.drafts.count() > 0) this.#notifyDirty(null);
    else void this.#markClean();
    this.#fireChange();
  }

  /** Saves the document without changes, since VS Code clears the dirty state only on save. */
  async #markClean(): Promise<void> {
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
    const isOfDocument = ({ input }: Tab): boolean =>
      input instanceof TabInputCustom && input.uri.toString() === this.uri.toString();
    if (tabs.some((tab) => tab.isDirty && isOfDocument(tab))) await workspace.save(this.uri);
  }

  /** The current project. */
  get #open(): OpenProject | undefined {
    const folder = folderOf(this.uri).toString();
    return this.#app.projects.all.find(({ root }) => root.toString() === folder);
  }

  /** The rows of the current project. */
  get rows(): EditorRows {
    const open = this.#open;
    if (open !== undefined && open.connection !== this.#rows.connection)
      this.#rows = new EditorRows(this.#app, open);
    return this.#rows;
  }

  /** Notifies VS Code of drafts from other windows or from machine translation. */
  notifyNewDrafts(): void {
    if (this.rows.open.version("drafts") === this.#notifiedVersion) return;
    if (this.rows.drafts.count() > this.#notifiedCount) this.#notifyDirty(null);
    this.#fireChange();
  }

  /** The names of edited keys, also of those that are deleted before they are saved. */
  readonly #names = new Map<string, KeyName>();

  /** Returns the name that an edited key had. */
  lastName(hash: string): KeyName | undefined {
    return this.#names.get(hash);
  }

  /** Stages the edits of editable cells and returns their number. */
  stage(edits: readonly TextEdit[]): number {
    const editable = edits.filter(({ locale, hash }) => this.rows.canEdit(locale, hash));
    for (const { hash } of editable) {
      const name = this.rows.keyName(hash);
      if (name !== undefined) this.#names.set(hash, name);
    }
    this.#edit(this.rows.history.stage(editable), l10n.t("Edit Translations"));
    return editable.length;
  }

  discard(cells: readonly CellId[]): void {
    this.#edit(this.rows.history.discard(cells), l10n.t("Discard Changes"));
  }

  keepMine(cells: readonly CellId[]): void {
    this.#edit(this.rows.history.keepMine(cells), l10n.t("Keep Mine"));
  }

  /**
   * Writes all drafts of the project, language by language. Drafts that cannot be written are kept.
   * @returns what could not be saved; `null` if everything was
   */
  async save({ signal, report }: Pick<CommandRun, "signal" | "report">): Promise<Unsaved | null> {
    const { rows } = this;
    const all = [...rows.drafts.all()];
    report(l10n.t("Saving {0}", formatCount.texts(all.length)));
    const problems = new Set<string>();
    let hasConflicts = false;
    let next: Unsaved["next"] = null;
    /** What was tried or would have been, in order. */
    const unsaved = new Set<TranslationDraft>();
    const fail = async (thrown: unknown): Promise<void> => {
      if (isAbortError(thrown)) {
        problems.add(l10n.t("Saving was cancelled."));
        next = "try-again";
        return;
      }
      const error = await explainRefusal(rows.open, thrown);
      const failure = toFailure(error, undefined, rows.open);
      problems.add(failure.message);
      const step = nextStep(failure);
      if (step === "sign-in") next = this.#action(l10n.t("Sign In"), signInCommand);
      else if (step === "sign-out") next = this.#action(l10n.t("Sign Out"), signOutCommand);
      else next = "try-again";
    };
    rows.history.beginSave(all);
    try {
      await readUnknownKeys(rows, all, signal).catch(fail);
      const nameOf = ({ hash }: DraftId): KeyName =>
        rows.keyName(hash) ?? this.lastName(hash) ?? { namespace: "", key: hash, context: null };
      const isSavable = ({ locale, hash }: TranslationDraft): boolean =>
        rows.keyName(hash) !== undefined && !rows.isRemoved(locale);
      // As it is now: signing out meanwhile does not make texts of the service texts of the files.
      const locales = new Set(all.map(({ locale }) => locale).filter((locale) => rows.isAtService(locale)));
      const isInService = (locale: string): boolean => locales.has(locale);
      const groups = saveOrder(all, {
        isAtService: isInService,
        isSavable,
        sourceLocale: rows.sourceLocale,
      });
      for (const [, drafts] of groups) for (const draft of drafts) unsaved.add(draft);
      for (const [locale, drafts] of groups) {
        const isAtService = isInService(locale);
        let result: SaveResult;
        try {
          result = isAtService
            ? await saveAtService(
                await editDependencies({ connection: rows.connection, client: rows.connection.client() }),
                locale,
                drafts,
                nameOf,
                { signal },
              )
            : await saveDraftsInFiles(rows.connection, rows.open.files, drafts, nameOf, signal);
        } catch (error) {
          result = { saved: [], conflicts: [], stale: [], refused: [], failure: { error } };
        }
        rows.history.markSaved(result.saved);
        for (const draft of result.saved) unsaved.delete(draft);
        const { failure } = result;
        if (failure !== null) {
          this.#app.log.error(`The texts of ${locale} could not be saved`, failure.error);
          await fail(failure.error);
        }
        hasConflicts ||= result.conflicts.length + result.stale.length > 0;
        for (const problem of describeUnsaved(rows, locale, result, nameOf)) problems.add(problem);
        if (failure !== null && endsSave(failure.error, isAtService)) break;
      }
      if (problems.size > 0) {
        const savedCount = groups.reduce((sum, [, { length }]) => sum + length, 0) - unsaved.size;
        const saved =
          savedCount === 0
            ? []
            : [l10n.t("Saved: {0} of {1}.", formatNumber(savedCount), formatCount.texts(all.length))];
        const left = Array.from(unsaved, (draft) => ({ name: nameOf(draft), locale: draft.locale }));
        const kept =
          left.length === 0
            ? []
            : [l10n.t("Not saved, but kept in the translation editor: {0}.", namedTexts(rows.open, left))];
        return { message: [...saved, ...problems, ...kept].join(" "), hasConflicts, next };
      }
      // Edits that were made during the save.
      this.notifyUnsaved();
      return null;
    } finally {
      rows.history.endSave();
      this.#fireChange();
      reportUnsavable(this).catch((error: unknown) =>
        this.#app.log.error("Texts of deleted keys and languages could not be reported", error),
      );
    }
  }

  #action(label: string, declaration: typeof signInCommand | typeof signOutCommand): NextAction {
    return commandAction(this.#app, label, declaration, { folder: this.rows.open.root });
  }

  /** Notifies VS Code of drafts after a save, since it considers everything as saved. */
  notifyUnsaved(): void {
    setImmediate(() => {
      if (this.rows.drafts.count() > 0) this.#notifyDirty(null);
    });
  }

  /** Discards all drafts. Returns their number, and what restores those of texts that have no other ones. */
  revert(): { readonly count: number; readonly restore: () => void } {
    const { rows } = this;
    const drafts = rows.history.discardAll();
    this.#fireChange();
    const restore = (): void => {
      rows.history.restore(drafts);
      // Another project may be shown.
      if (this.rows === rows) this.notifyNewDrafts();
    };
    return { count: drafts.length, restore };
  }

  /** Notifies listeners that texts changed. */
  #fireChange(): void {
    this.#notifiedCount = this.rows.drafts.count();
    this.#notifiedVersion = this.rows.open.version("drafts");
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #edit(edit: StagedEdit | null, label: string): void {
    this.#fireChange();
    if (edit === null) return;
    const { rows } = this;
    // Undo and redo apply only while the project of the edit is shown.
    const ifShown = (work: () => void) => (): void => {
      if (this.rows === rows) work();
      this.#fireChange();
    };
    this.#notifyDirty({ label, undo: ifShown(edit.undo), redo: ifShown(edit.redo) });
  }
}

const MAX_SHOWN_TEXTS = 3;
const MAX_SHOWN_CHARACTERS = 80;

/** Reads the keys of drafts without a name: they may not have been read yet. */
async function readUnknownKeys(
  rows: EditorRows,
  drafts: readonly TranslationDraft[],
  signal: AbortSignal,
): Promise<void> {
  if (drafts.every(({ hash }) => rows.keyName(hash) !== undefined)) return;
  await rows.connection.local.loadTexts(signal);
  await ensureRefreshed(rows.open, signal);
}

/**
 * Notifies the user of drafts that cannot be saved. They are kept, since their keys and languages may be restored or read
 * again; the user may discard those whose keys or languages were deleted.
 */
async function reportUnsavable(document: TranslationsDocument): Promise<void> {
  const { rows } = document;
  const { connection } = rows;
  const { local } = connection;
  const unsavable = (): UnsavableDrafts =>
    unsavableDrafts(rows.drafts.all(), {
      isRemoved: (locale) => rows.isRemoved(locale),
      hasKey: (hash) => rows.keyName(hash) !== undefined,
      areKeysKnown: connection.keysComplete && local.loaded !== null,
      nameOf: (hash) => document.lastName(hash),
      unreadNamespaces: local.unreadNamespaces,
    });
  const { deleted, unread } = unsavable();
  const copy = l10n.t("Copy Texts");
  const discard = l10n.t("Discard");
  const report = async (drafts: readonly TranslationDraft[], message: string, ...actions: string[]) => {
    if (drafts.length === 0) return;
    const chosen = await showWarning(message, copy, ...actions);
    if (chosen === copy)
      await env.clipboard.writeText(
        writeCells(drafts.map(({ locale, text }) => [locale, ...valuesOf(text)])),
      );
    else if (chosen === discard && document.rows === rows) document.discard(unsavable().deleted);
  };
  const problems = local.unreadSources.map(({ problem }) => fileProblemMessage(problem));
  await Promise.all([
    report(
      unread,
      l10n.t(
        "Not saved, since their keys may be in a part of a file that cannot be read now: {0}. {1}. Unsaved texts are kept; save again when the file is corrected.",
        excerptOf(unread),
        problems.slice(0, 1).join("").replace(/\.$/u, ""),
      ),
    ),
    report(
      deleted,
      l10n.t(
        "Not saved, since their keys or languages no longer exist: {0}. Unsaved texts are kept in case these are restored.",
        excerptOf(deleted),
      ),
      discard,
    ),
  ]);
}

/** Returns the first of the texts, and the number of the others. */
function excerptOf(drafts: readonly TranslationDraft[]): string {
  const shown = drafts
    .slice(0, MAX_SHOWN_TEXTS)
    .map(({ locale, text }) => `${locale} “${shortText(textLine(text), MAX_SHOWN_CHARACTERS)}”`)
    .join(", ");
  const others = drafts.length - MAX_SHOWN_TEXTS;
  return others > 0 ? l10n.t("{0} and {1} more", shown, others) : shown;
}

/** Yields a sentence about each kind of drafts that were not written. */
function* describeUnsaved(
  rows: EditorRows,
  locale: string,
  { conflicts, stale, refused: [refused, ...others] }: SaveResult,
  nameOf: NameOf,
): Generator<string> {
  if (stale.length > 0)
    yield l10n.t(
      "{0}: the source text of {1} by a language model was changed meanwhile. “Conflicts” shows which.",
      locale,
      formatCount.translations(stale.length),
    );
  if (conflicts.length > 0)
    yield l10n.t(
      "{0}: someone else changed {1} in the meantime. “Conflicts” shows both.",
      locale,
      formatCount.translations(conflicts.length),
    );
  if (refused === undefined) return;
  const { draft, reason } = refused;
  const name = nameOf(draft);
  if (typeof reason !== "string") yield localRefusalError(rows.open, name, reason).message;
  else
    yield l10n.t(
      "The service did not write {0}: {1}.",
      namedTexts(rows.open, [{ name, locale }]),
      skipReason(reason),
    );
  if (others.length > 0) yield l10n.t("Also refused: {0}.", others.length);
}
