/** One open page of the translation editor: answers its calls and tells it of changes. */
import { setImmediate } from "node:timers";
import { type BirpcReturn, createBirpc } from "birpc";
import * as vscode from "vscode";
import { translateCommand } from "../../commands/declarations/text-commands.ts";
import { nameOf } from "../../model/key-hash.ts";
import type { CellId, TextEdit } from "../../model/text-edit.ts";
import { ALL_ROWS, type RowQuery } from "../../model/translation-editor-filters.ts";
import type { Replacement } from "../../model/translation-text.ts";
import { yieldNow } from "../../util/event-loop.ts";
import { TimeLimitError } from "../../util/time-limit.ts";
import type { App } from "../../vscode/app.ts";
import { loadLocalFiles } from "../../vscode/files/local-texts.ts";
import { l10n, language, translatedMessages } from "../../util/l10n.ts";
import { offerActions, showWarning } from "../../vscode/notifications.ts";
import { sessionText } from "../../messages/connection-messages.ts";
import { nextStep, toFailure } from "../../messages/error-messages.ts";
import { locateUsages } from "../../vscode/ui/documents/usage-locations.ts";
import { labelText } from "../../messages/escape-text.ts";
import { languageLabel } from "../../messages/labels.ts";
import { formatCount, formatNumber } from "../../messages/counts-and-times.ts";
import { writeCells } from "../../webview/translation-editor/clipboard-cells.ts";
import {
  batchStart,
  ROW_BATCH_SIZE,
  SHOWN_TABLES,
  type EditorFunctions,
  type FoundRows,
  type LoadedRows,
  type Match,
  type Matches,
  type PageFunctions,
  type PastedCell,
  type Setup,
  type ShownTable,
  type View,
} from "../../webview/translation-editor/editor-protocol.ts";
import { previewLocales } from "../../workspace/project-file/preview-locales.ts";
import { translationScope } from "./cell-decisions.ts";
import { checkedFunction } from "./check-calls.ts";
import { clearedEdits, filledEdits, pastedEdits, replacedTexts } from "./range-edits.ts";
import type { TranslationsDocument } from "./translations-document.ts";
import { inVisibleOrder, languagesAtFirst, visibleLanguages } from "./visible-languages.ts";

/** Maximum number of matches that are shown and replaced at once. */
const MAX_MATCHES = 200;
/** Workspace state key of the chosen languages, by project folder. */
const LANGUAGES_KEY = "translationEditor.languages";
const UNCHANGED: View = { query: null, locales: null, hash: null };

export class EditorPage implements EditorFunctions {
  readonly #app: App;
  readonly #document: TranslationsDocument;
  readonly #page: BirpcReturn<PageFunctions, EditorFunctions>;
  readonly #subscriptions: vscode.Disposable[] = [];
  /** What the page is to show, until it has: a page that is hidden meanwhile is loaded anew. */
  #requested: { readonly view: View; readonly shown: PromiseWithResolvers<void> } | null = null;
  #isReady = false;
  #isDisposed = false;
  /** The rows that the page was last told of. */
  #rowsOfPage: TranslationsDocument["rows"];
  #isFailureShown = false;
  /** The number of started searches for replacements. */
  #searchCount = 0;

  readonly stage: (edits: readonly TextEdit[]) => void;

  constructor(app: App, document: TranslationsDocument, webview: vscode.Webview) {
    this.#app = app;
    this.#document = document;
    this.stage = document.stage.bind(document);
    this.#rowsOfPage = document.rows;
    this.#page = createBirpc<PageFunctions, EditorFunctions>(this, {
      post: (message) => (this.#isDisposed ? undefined : webview.postMessage(message)),
      on: (listener) => void this.#subscriptions.push(webview.onDidReceiveMessage(listener)),
      bind: "functions",
      resolver: (name) => checkedFunction(this, name),
      onFunctionError: (error, name) =>
        app.log.error(`The translation editor could not answer “${name}”`, error),
      timeout: -1,
    });
    this.#subscriptions.push(
      document.onDidChange(() => this.#textsChanged()),
      // The language of the messages.
      app.store.subscribe(["settings"], () => this.#notify("stats")),
      app.projects.subscribe([...SHOWN_TABLES, "session"], (open, changed) => {
        if (open !== this.#rows.open) return;
        if (changed.has("drafts")) document.notifyNewDrafts();
        // What can be edited depends on the session.
        const isOtherSession = changed.has("session");
        this.#notify(
          ...SHOWN_TABLES.filter(
            (table) => table !== "drafts" && (changed.has(table) || (isOtherSession && table === "stats")),
          ),
        );
      }),
    );
    // Reads what the page will ask for while it loads.
    const visible = this.#visibleLocales(null);
    this.#logFailure(this.#load(visible));
    setImmediate(() => this.#logFailure(this.find(ALL_ROWS, visible, null)));
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
    this.#isReady = false;
    this.#isDisposed = true;
    this.#requested?.shown.reject(new DOMException("The translation editor was closed", "AbortError"));
  }

  /** Shows rows. Resolves when they are painted; rejects with an `AbortError` if the page is closed. */
  async show(view: View): Promise<void> {
    const shown = Promise.withResolvers<void>();
    // What was requested before is done when this is.
    const before = this.#requested?.shown;
    if (before !== undefined) shown.promise.then(before.resolve, before.reject);
    this.#requested = { view, shown };
    if (this.#isReady) this.#showRequested();
    await shown.promise;
  }

  ready(): void {
    this.#isReady = true;
    this.#showRequested();
  }

  #showRequested(): void {
    const requested = this.#requested;
    const showing = this.#page.show(requested?.view ?? UNCHANGED).then(() => {
      if (requested === null || this.#requested !== requested) return;
      this.#requested = null;
      requested.shown.resolve();
    });
    this.#logFailure(showing);
  }

  get #rows() {
    return this.#document.rows;
  }

  async setup(locales: readonly string[] | null): Promise<Setup> {
    const loading = this.#load(this.#visibleLocales(locales));
    // Without a service there are no rows before the files are read.
    if (!this.#rows.isServiceKnown) await loading;
    const languages = this.#rows.languages();
    const { queries } = this.#rows;
    return {
      language: language(),
      messages: translatedMessages(),
      languages: this.#visibleLocales(locales).flatMap((locale) =>
        languages.filter((each) => each.locale === locale),
      ),
      languageCount: languages.length,
      isServiceKnown: this.#rows.isServiceKnown,
      restriction: this.#rows.open.source.hasService ? sessionText(this.#rows.open.session) : "",
      separator: this.#rows.open.namespaceSeparator,
      namespaces: queries.namespaces(),
      tags: queries.tags(),
    };
  }

  async find(query: RowQuery, locales: readonly string[], around: string | null): Promise<FoundRows> {
    const rows = this.#rows;
    const isSearchUpToDate = rows.open.keySearch.isUpToDate;
    const loaded = locales.filter((locale) => rows.isLoaded(locale));
    const found = await rows.queries.find(query, rows.queryContext(loaded));
    const start = batchStart(Math.max(0, around === null ? 0 : found.indexOf(around)));
    return {
      hashes: found.join(","),
      start,
      isSearchUpToDate,
      rows: rows.rows(found.slice(start, start + ROW_BATCH_SIZE), locales),
      counts: rows.counts(),
      loadedLocales: loaded,
    };
  }

  async rows(hashes: readonly string[], locales: readonly string[]): Promise<LoadedRows> {
    const rows = this.#rows;
    return {
      rows: rows.rows(hashes, locales),
      counts: rows.counts(),
      loadedLocales: locales.filter((locale) => rows.isLoaded(locale)),
    };
  }

  async existing(hashes: readonly string[]): Promise<readonly string[]> {
    return hashes.filter((hash) => this.#rows.keyName(hash) !== undefined);
  }

  async details(cell: CellId) {
    return this.#rows.details(cell);
  }

  paste(cells: readonly PastedCell[], outside: number): void {
    this.#stageAll(
      [...pastedEdits(cells, this.#rows), ...Array<null>(outside).fill(null)],
      l10n.t(
        "These texts are outside of the table, in read-only cells, or have no line for each plural form.",
      ),
    );
  }

  fill(from: string, to: readonly string[], locales: readonly string[]): void {
    this.#stageAll(
      filledEdits(from, to, locales, this.#rows),
      l10n.t("These cells are read-only, or differ from the first one in having plural forms."),
    );
  }

  clear(hashes: readonly string[], locales: readonly string[]): void {
    this.#stageAll(clearedEdits(hashes, locales, this.#rows), l10n.t("These cells are read-only."));
  }

  /** Stages edits. Warns if some were skipped (`null`, or in read-only cells), and why. */
  #stageAll(edits: readonly (TextEdit | null)[], reason: string): void {
    const skipped = edits.length - this.#document.stage(edits.filter((edit) => edit !== null));
    if (skipped === 0) return;
    const count = l10n.t("Not changed: {0} of {1}.", formatNumber(skipped), formatCount.texts(edits.length));
    void showWarning(`${count} ${reason}`);
  }

  async copy(hashes: readonly string[], locales: readonly string[]): Promise<void> {
    const lines: string[][] = [];
    for (const hash of hashes) {
      if (lines.length % ROW_BATCH_SIZE === 0) await yieldNow();
      lines.push(locales.map((locale) => this.#rows.clipboardText(locale, hash)));
    }
    await vscode.env.clipboard.writeText(writeCells(lines));
  }

  /** Runs the translate command, which asks for consent. */
  async translate(hashes: readonly string[], chosen: readonly string[]): Promise<void> {
    const { open, sourceLocale } = this.#rows;
    const keys = hashes.flatMap((hash) => {
      const name = this.#rows.keyName(hash);
      return name === undefined ? [] : [nameOf(name)];
    });
    const { locales, missingOnly } = translationScope(keys.length, chosen, sourceLocale);
    await this.#app.run(translateCommand, {
      folder: open.root,
      keys,
      ...(locales.length === 0 ? {} : { locales }),
      missingOnly,
      showsEditor: false,
    });
  }

  /** Yields to other work; a later search cancels it. */
  async findMatches(
    hashes: readonly string[],
    locales: readonly string[],
    replacement: Replacement,
  ): Promise<Matches | null> {
    const number = ++this.#searchCount;
    const rows = this.#rows;
    const matches: Match[] = [];
    try {
      for await (const replaced of replacedTexts(cellsOf(hashes, locales), replacement, rows)) {
        if (number !== this.#searchCount) return null;
        matches.push(...replaced.flatMap((each) => rows.preview(each) ?? []));
        if (matches.length > MAX_MATCHES) break;
      }
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw error;
      return { matches: [], end: "too-slow" };
    }
    return {
      matches: matches.slice(0, MAX_MATCHES),
      end: matches.length <= MAX_MATCHES ? "complete" : "more",
    };
  }

  /** Replaces in the cells that still have a match. The texts are staged together, as one step. */
  async replace(cells: readonly CellId[], replacement: Replacement): Promise<void> {
    const edits: TextEdit[] = [];
    try {
      for await (const replaced of replacedTexts(cells, replacement, this.#rows)) edits.push(...replaced);
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw error;
      void showWarning(l10n.t("Nothing was replaced: the regular expression takes too long in these texts."));
      return;
    }
    this.#document.stage(edits);
  }

  discard(cells: readonly CellId[]): void {
    this.#document.discard(cells);
  }

  keepMine(cells: readonly CellId[]): void {
    this.#document.keepMine(cells);
  }

  async save(): Promise<void> {
    await vscode.commands.executeCommand("workbench.action.files.save");
  }

  async showUsage(hash: string): Promise<void> {
    const { open } = this.#rows;
    const [usage] = await locateUsages(open, this.#app.usages.of(open), hash, this.#rows.keyName(hash));
    if (usage === undefined) return;
    await vscode.window.showTextDocument(usage.uri, {
      selection: usage.range,
      viewColumn: vscode.ViewColumn.Beside,
    });
  }

  async chooseLanguages(visible: readonly string[]): Promise<readonly string[] | null> {
    const [, ...others] = this.#rows.languages();
    const items = others.map(({ locale, name }) => ({
      label: labelText(languageLabel({ locale, name })),
      locale,
      picked: visible.includes(locale),
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: l10n.t("Languages in the translation editor"),
    });
    // VS Code does not always return the focus to a web view.
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    if (chosen === undefined) return null;
    return inVisibleOrder(
      visible,
      chosen.map(({ locale }) => locale),
    );
  }

  setLanguages(locales: readonly string[]): void {
    const chosen = { ...this.#chosenLanguages(), [this.#rows.open.root.toString()]: locales };
    this.#logFailure(Promise.resolve(this.#app.context.workspaceState.update(LANGUAGES_KEY, chosen)));
  }

  /** Returns the languages that the user chose, by project folder. */
  #chosenLanguages(): Readonly<Record<string, readonly string[]>> {
    return this.#app.context.workspaceState.get(LANGUAGES_KEY, {});
  }

  /** @param locales `null`: the user's choice, or those that are shown at first */
  #visibleLocales(locales: readonly string[] | null): readonly string[] {
    const { open } = this.#rows;
    const { stats } = open;
    const known = this.#rows.languages().map(({ locale }) => locale);
    const preview = open.file.preview === undefined ? null : previewLocales(open.file, stats);
    return visibleLanguages({
      known,
      chosen: locales ?? this.#chosenLanguages()[open.root.toString()] ?? languagesAtFirst(known, preview),
      removed: this.#rows.removedLocales(),
    });
  }

  /** Loads what is not loaded yet of the languages. Never rejects. */
  async #load(locales: readonly string[]): Promise<void> {
    const { open } = this.#rows;
    const fail = (error: unknown): void => this.#reportUnloaded(locales, error);
    try {
      await open.ready;
      const refresher = await open.refresher;
      const missing = locales.filter((locale) => !this.#rows.isLoaded(locale));
      void Promise.all(missing.map((locale) => refresher.ensureLocale(locale, { priority: "person" }))).then(
        () => (this.#isFailureShown = false),
        fail,
      );
    } catch (error) {
      fail(error);
    }
    if (open.local.loaded !== null) return;
    const reading = loadLocalFiles(this.#app, open).then(() => {
      if (open.local.loaded !== null) this.#notify("stats", "files");
    });
    if (!this.#rows.isServiceKnown) await reading;
  }

  /** Says once, until it succeeds, why texts are not there. A refused token is shown by the views. */
  #reportUnloaded(locales: readonly string[], error: unknown): void {
    this.#app.log.warn(`Not every language could be read: ${String(error)}`);
    const { code, message } = toFailure(error, undefined, this.#rows.open);
    if (this.#isDisposed || this.#isFailureShown || nextStep({ code }) === "sign-in") return;
    this.#isFailureShown = true;
    const act = (): void => {
      this.#isFailureShown = false;
      this.#logFailure(this.#load(locales));
    };
    offerActions(showWarning, l10n.t("Not all texts of the translation editor could be read. {0}", message), {
      label: l10n.t("Try Again"),
      act,
    });
  }

  /** Tells the page of the texts of the document, or of another project. */
  #textsChanged(): void {
    const isOtherProject = this.#rows !== this.#rowsOfPage;
    this.#rowsOfPage = this.#rows;
    if (isOtherProject) this.#notify("stats", "keys");
    else this.#notify("drafts");
  }

  /** A page that is not ready asks for everything when it is. */
  #notify(...tables: readonly ShownTable[]): void {
    if (this.#isReady && tables.length > 0) this.#logFailure(this.#page.changed.asEvent(tables));
  }

  #logFailure(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#app.log.error("The translation editor could not be updated", error));
  }
}

function* cellsOf(hashes: readonly string[], locales: readonly string[]): Generator<CellId> {
  for (const hash of hashes) for (const locale of locales) yield { locale, hash };
}
