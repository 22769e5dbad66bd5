/** One open page of the translation editor: handles its messages and notifies it of changes. */
import { nameOf } from "../../model/key-hash.ts";
import { translateCommand } from "../../commands/declarations/text-commands.ts";
import { EventEmitter, once } from "node:events";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import * as v from "valibot";
import type { StoreTable } from "../../database/store.ts";
import { ALL_ROWS, type RowQuery } from "../../model/translation-editor-filters.ts";
import { isForms, type Replacement } from "../../model/translation-text.ts";
import type { StagedText } from "../../sync/drafts/draft-history.ts";
import { previewLocales } from "../../workspace/project-file/preview-locales.ts";
import type { App } from "../../vscode/app.ts";
import { refreshLocal } from "../../vscode/files/local-texts.ts";
import { showWarning } from "../../vscode/notifications.ts";
import { formatCount, formatNumber } from "../../vscode/ui/text/counts-and-times.ts";
import { locateUsages } from "../../vscode/ui/documents/usage-locations.ts";
import { l10n, translatedMessages } from "../../vscode/l10n.ts";
import {
  batchStart,
  MessageFromPageSchema,
  joinMessages,
  ROW_BATCH_SIZE,
  splitMessage,
  type Match,
  type MessageFromPage,
  type MessageToPage,
  type Row,
} from "../../webview/translation-editor/message-protocol.ts";
import { writeCells } from "../../webview/translation-editor/clipboard-cells.ts";
import type { TranslationsDocument } from "./translations-document.ts";
import { keepListedRows } from "./keep-listed-rows.ts";
import { yieldNow } from "../../util/event-loop.ts";

/** Maximum number of matches that are shown and replaced at once. */
const MAX_MATCHES = 200;
/** Workspace state key of the chosen languages, by project folder. */
const LANGUAGES_KEY = "translationEditor.languages";

/** What a page is to show. `null`: unchanged. */
interface PageOptions {
  readonly query: RowQuery | null;
  readonly locales: readonly string[] | null;
  /** The key to reveal. */
  readonly hash: string | null;
}

type CellRange = Extract<MessageFromPage, { rows: unknown }>;

export class WebviewMessageHandler {
  readonly #app: App;
  readonly #document: TranslationsDocument;
  readonly #webview: vscode.Webview;
  readonly #subscriptions: vscode.Disposable[];
  readonly #disposal = new AbortController();
  #query = ALL_ROWS;
  /** The visible languages; `null` for the user's choice or the preview languages. */
  #locales: readonly string[] | null = null;
  /** The languages of the page's columns, which may still be those of before a change. */
  #columns: readonly string[] = [];
  /** The keys of the table. */
  #hashes: readonly string[] = [];
  /** The key to reveal once the page is ready. */
  #focus: string | null = null;
  /** The active key of the page. */
  #active: string | null = null;
  /** The revision of the table, which the page names in its messages. */
  #revision = 0;
  /** The revision of the table that the page has painted. */
  #paintedRevision = 0;
  /** Emits `painted`. */
  readonly #events = new EventEmitter();
  #isListening = false;
  /** The number of started queries. */
  #queryCount = 0;
  /** Whether the running query was requested by the user. */
  #isUserQuery = false;
  /** The languages that were loaded when the query ran. */
  #queriedLocales: readonly string[] = [];
  #isSearchUpToDate = true;
  /** The number of started searches for replacements. */
  #searchCount = 0;
  readonly #loading: Promise<void>;

  constructor(app: App, document: TranslationsDocument, webview: vscode.Webview) {
    this.#app = app;
    this.#document = document;
    this.#webview = webview;
    this.#subscriptions = [
      webview.onDidReceiveMessage(joinMessages((message) => this.#receive(message))),
      document.onDidChange(() => this.#notifyChanged()),
      app.projects.subscribe(
        ["stats", "keys", "translations", "files", "usages", "search", "drafts"],
        (open, changed) => {
          if (open === this.#rows.open) this.#projectChanged(changed);
        },
      ),
    ];
    this.#loading = this.#load();
    // Prepares the first query while the page loads.
    setImmediate(() => this.#update());
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
    this.#disposal.abort();
    this.#isListening = false;
  }

  /** Shows the rows of the options. Resolves when they are painted; rejects with an `AbortError` if the page is closed. */
  async show({ query, locales, hash }: PageOptions): Promise<void> {
    if (query !== null) this.#query = query;
    this.#focus = hash;
    if (locales !== null) {
      this.#locales = locales;
      await this.#load();
    }
    const revision = this.#revision + 1;
    this.#setUp(query);
    await this.#find(true);
    while (this.#paintedRevision < revision)
      await once(this.#events, "painted", { signal: this.#disposal.signal });
  }

  get #rows() {
    return this.#document.rows;
  }

  /** Returns the visible languages, the source first. */
  #visibleLocales(): readonly string[] {
    const [source, ...others] = this.#rows.languages().map(({ locale }) => locale);
    if (source === undefined) return [];
    const { open } = this.#rows;
    const { stats } = open.project;
    const preview = stats === null ? others.slice(0, 2) : previewLocales(open.file, stats);
    const chosen = this.#locales ?? this.#chosenLanguages()[open.root.toString()] ?? preview;
    // Drafts in languages that the project no longer has can be discarded in their columns.
    const removed = this.#rows.removedLocales();
    return [source, ...new Set([...chosen.filter((locale) => others.includes(locale)), ...removed])];
  }

  /** Returns the visible languages whose texts are all loaded. */
  #loadedLocales(): readonly string[] {
    return this.#visibleLocales().filter((locale) => this.#rows.isLoaded(locale));
  }

  /** Returns the languages that the user chose, by project folder. */
  #chosenLanguages(): Readonly<Record<string, readonly string[]>> {
    return this.#app.context.workspaceState.get(LANGUAGES_KEY, {});
  }

  #receive(message: unknown): void {
    const parsed = v.safeParse(MessageFromPageSchema, message);
    if (parsed.success) this.#logFailure(this.#handle(parsed.output));
    else this.#app.log.warn("The translation editor's page sent an unknown message");
  }

  #logFailure(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#app.log.error("The translation editor could not be updated", error));
  }

  async #handle(message: MessageFromPage): Promise<unknown> {
    // Its rows are those of an older table.
    if ("revision" in message && message.type !== "painted" && message.revision !== this.#revision) return;
    switch (message.type) {
      case "ready":
        this.#isListening = true;
        // Without a service there are no rows before the files are read.
        if (!this.#rows.hasService) await this.#loading;
        this.#setUp(this.#query);
        return this.#find(true);
      case "query":
        this.#query = message.query;
        this.#focus = null;
        return this.#find(true);
      case "rows":
        return this.#post({ type: "rows", revision: this.#revision, ...this.#rowBatch(message.start) });
      case "painted":
        this.#paintedRevision = message.revision;
        return this.#events.emit("painted");
      case "active":
        this.#active = message.hash;
        return this.#postTable(null, false);
      case "details":
        this.#active = message.cell.hash;
        return this.#post({ type: "details", details: this.#rows.details(message.cell) });
      case "edit":
        return this.#document.stage([{ ...message.cell, before: message.before, text: message.text }]);
      case "paste":
        return this.#paste(message);
      case "fill":
        return this.#fill(message);
      case "clear":
        return this.#clear(message);
      case "copy":
        return this.#copy(message);
      case "find":
        return this.#findMatches(message.replacement);
      case "replace":
        return this.#document.stage(
          message.cells.flatMap(({ locale, hash }) => {
            const text = this.#rows.replaced(locale, hash, message.replacement);
            return text === null ? [] : [{ locale, hash, text }];
          }),
        );
      case "discard":
        return this.#document.discard([message.cell]);
      case "keepMine":
        return this.#document.keepMine([message.cell]);
      case "save":
        return vscode.commands.executeCommand("workbench.action.files.save");
      case "translate":
        return this.#translate(message);
      case "showUsage":
        return this.#showUsage(message.hash);
      case "chooseLanguages":
        return this.#chooseLanguages();
      case "languages":
        return this.#setLanguages(message.locales);
    }
  }

  /** @param query `null`: the page keeps its query */
  #setUp(query: RowQuery | null = null): void {
    const languages = this.#rows.languages();
    const { queries } = this.#rows;
    this.#columns = this.#visibleLocales();
    this.#post({
      type: "setup",
      messages: translatedMessages(),
      languages: this.#columns.flatMap((locale) => languages.filter((each) => each.locale === locale)),
      separator: this.#rows.open.project.namespaceSeparator,
      query,
      namespaces: [...queries.namespaces()],
      tags: [...queries.tags()],
    });
  }

  /** Runs the query again after changes; the scroll position is preserved. */
  #update(): void {
    this.#logFailure(this.#find(false));
  }

  /** Runs the query. `isUserQuery`: requested by the user; otherwise the scroll position is preserved. */
  async #find(isUserQuery: boolean): Promise<void> {
    const rows = this.#rows;
    const locales = this.#loadedLocales();
    const number = ++this.#queryCount;
    this.#isUserQuery ||= isUserQuery;
    const isSearchUpToDate = rows.open.keySearch.isUpToDate;
    const found = await rows.queries.find(this.#query, rows.queryContext(locales));
    // A newer query was started in the meantime.
    if (number !== this.#queryCount) return;
    // A row that was changed may no longer match; only the user's own query removes it.
    const hashes =
      this.#isUserQuery || this.#isUnfiltered
        ? found
        : keepListedRows(this.#hashes, found, (hash) => rows.keyName(hash) !== undefined);
    this.#queriedLocales = locales;
    this.#isSearchUpToDate = isSearchUpToDate;
    if (!this.#isUserQuery && this.#revision > 0 && isDeepStrictEqual(hashes, this.#hashes))
      return this.#notifyChanged();
    this.#hashes = hashes;
    this.#revision += 1;
    const focus = this.#focus === null ? -1 : this.#hashes.indexOf(this.#focus);
    // The key may become known only after its file is read.
    if (this.#isListening && focus !== -1) this.#focus = null;
    this.#postTable(focus === -1 ? null : focus, this.#isUserQuery);
    this.#isUserQuery = false;
  }

  /** @param focus the row to reveal */
  #postTable(focus: number | null, isUserQuery: boolean): void {
    if (!this.#isListening) return;
    const hash = this.#active;
    const row = hash === null ? -1 : this.#hashes.indexOf(hash);
    this.#post({
      type: "table",
      revision: this.#revision,
      rowCount: this.#hashes.length,
      focus,
      isUserQuery,
      active: hash === null ? null : { hash, row: row === -1 ? null : row },
      // Sent together, so that the page renders once.
      ...(isUserQuery ? this.#rowBatch(batchStart(focus ?? 0)) : { start: 0, rows: [] }),
      counts: this.#rows.counts(),
    });
  }

  /** Searches the texts of the table, yielding to other work; a later search cancels it. */
  async #findMatches(replacement: Replacement): Promise<void> {
    const number = ++this.#searchCount;
    const locales = this.#visibleLocales();
    const matches: Match[] = [];
    for (const [index, hash] of this.#hashes.entries()) {
      if (matches.length > MAX_MATCHES) break;
      if (index % ROW_BATCH_SIZE === 0) await yieldNow();
      if (number !== this.#searchCount) return;
      matches.push(...locales.flatMap((locale) => this.#rows.preview(locale, hash, replacement) ?? []));
    }
    const isComplete = matches.length <= MAX_MATCHES;
    this.#post({ type: "matches", matches: matches.slice(0, MAX_MATCHES), isComplete });
  }

  #paste({ row, locales, texts }: Extract<MessageFromPage, { type: "paste" }>): void {
    const staged = texts.flatMap((line, down) =>
      line.map((copied, right): StagedText | null => {
        const [hash, locale] = [this.#hashes[row + down], locales[right]];
        if (hash === undefined || locale === undefined) return null;
        const text = this.#rows.parseClipboardText(locale, hash, copied);
        return text && { locale, hash, text };
      }),
    );
    this.#stage(
      staged,
      l10n.t(
        "These texts are outside of the table, in read-only cells, or have no line for each plural form.",
      ),
    );
  }

  #fill({ rows: [first, last], locales }: CellRange): void {
    const from = this.#hashes[first];
    if (from === undefined) return;
    const staged = locales.flatMap((locale) => {
      const text = this.#rows.text(locale, from);
      const hashes = text === null ? [] : this.#hashes.slice(first + 1, last + 1);
      return hashes.map((hash) =>
        text !== null && isForms(text) === this.#rows.isPlural(hash) ? { locale, hash, text } : null,
      );
    });
    this.#stage(
      staged,
      l10n.t("These cells are read-only, or differ from the first one in having plural forms."),
    );
  }

  #clear({ rows: [first, last], locales }: CellRange): void {
    const staged = this.#hashes.slice(first, last + 1).flatMap((hash) => {
      const text = this.#rows.isPlural(hash) ? { forms: {} } : { value: "" };
      return locales.map((locale) => ({ locale, hash, text }));
    });
    this.#stage(staged, l10n.t("These cells are read-only."));
  }

  /** Stages texts. Warns if some were skipped (`null`, or in read-only cells), and why. */
  #stage(texts: readonly (StagedText | null)[], reason: string): void {
    const skipped = texts.length - this.#document.stage(texts.filter((text) => text !== null));
    if (skipped === 0) return;
    const count = l10n.t("Not changed: {0} of {1}.", formatNumber(skipped), formatCount.texts(texts.length));
    void showWarning(`${count} ${reason}`);
  }

  async #copy({ rows: [first, last], locales }: CellRange): Promise<void> {
    const lines: string[][] = [];
    for (const hash of this.#hashes.slice(first, last + 1)) {
      if (lines.length % ROW_BATCH_SIZE === 0) await yieldNow();
      lines.push(locales.map((locale) => this.#rows.clipboardText(locale, hash)));
    }
    await vscode.env.clipboard.writeText(writeCells(lines));
  }

  /** Runs the translate command, which asks for consent: for one cell in any case, for several only missing texts. */
  async #translate({ rows: [first, last], locales: chosen }: CellRange): Promise<void> {
    const { open, sourceLocale } = this.#rows;
    const locales = chosen.filter((locale) => locale !== sourceLocale);
    const keys = this.#hashes.slice(first, last + 1).flatMap((hash) => {
      const name = this.#rows.keyName(hash);
      return name === undefined ? [] : [nameOf(name)];
    });
    await this.#app.run(translateCommand, {
      folder: open.root,
      keys,
      ...(locales.length === 0 ? {} : { locales }),
      missingOnly: keys.length > 1 || locales.length !== 1,
      showsEditor: false,
    });
  }

  /** Returns the batch of rows that starts here. */
  #rowBatch(start: number): { readonly start: number; readonly rows: Row[] } {
    const hashes = this.#hashes.slice(start, start + ROW_BATCH_SIZE);
    return { start, rows: this.#rows.rows(hashes, this.#columns) };
  }

  /** Notifies the page that the content of rows may have changed. */
  #notifyChanged(): void {
    this.#post({ type: "changed", counts: this.#rows.counts() });
  }

  #projectChanged(changed: ReadonlySet<StoreTable>): void {
    if (changed.has("drafts")) this.#document.notifyNewDrafts();
    if (changed.has("stats")) this.#logFailure(this.#load());
    // The page requests everything when it is ready.
    if (!this.#isListening) return;
    // Changed rows stay until the user runs the filter again; newly loaded languages update the table.
    const isMoreLoaded = !isDeepStrictEqual(this.#loadedLocales(), this.#queriedLocales);
    const isMoreFound = changed.has("search") && !this.#isSearchUpToDate && this.#query.search !== "";
    if (changed.has("stats") || isMoreLoaded) this.#setUp();
    const hasNewKeys = this.#isUnfiltered && (changed.has("keys") || changed.has("files"));
    if (isMoreLoaded || isMoreFound || hasNewKeys) this.#update();
    // Similar texts are found by the search index.
    else if (
      ["keys", "translations", "files", "usages", "search"].some((table) => changed.has(table as StoreTable))
    )
      this.#notifyChanged();
  }

  /** Whether the query has no filter or search. */
  get #isUnfiltered(): boolean {
    return this.#query.filters.length === 0 && this.#query.search === "";
  }

  /** Loads visible languages that are not loaded yet. Never rejects. */
  async #load(): Promise<void> {
    const { open } = this.#rows;
    const warn = (error: unknown): void =>
      this.#app.log.warn(`Not every language could be read: ${String(error)}`);
    try {
      await open.ready;
      const { session } = open.project;
      if (session.kind === "signed-in") {
        const refresher = await open.refresher;
        for (const locale of this.#visibleLocales())
          if (!this.#rows.isLoaded(locale))
            refresher.ensureLocale(locale, { priority: "person" }).catch(warn);
      }
    } catch (error) {
      warn(error);
    }
    if (open.local.loaded !== null) return;
    const reading = refreshLocal(this.#app, open).then(() => {
      if (!this.#isListening) return;
      this.#setUp();
      this.#update();
    });
    if (!this.#rows.hasService) await reading;
  }

  async #showUsage(hash: string): Promise<void> {
    const { open } = this.#rows;
    const [usage] = await locateUsages(open, this.#app.usages.of(open), hash, this.#rows.keyName(hash));
    if (usage !== undefined)
      await vscode.window.showTextDocument(usage.uri, {
        selection: usage.range,
        viewColumn: vscode.ViewColumn.Beside,
      });
  }

  async #chooseLanguages(): Promise<void> {
    const visible = this.#visibleLocales();
    const [, ...others] = this.#rows.languages();
    const items = others.map(({ locale, name }) => ({
      label: locale,
      description: name,
      picked: visible.includes(locale),
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: l10n.t("Languages in the translation editor"),
    });
    // VS Code does not always return the focus to a web view.
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    if (chosen === undefined) return;
    const locales = chosen.map(({ label }) => label);
    await this.#setLanguages([
      ...visible.filter((locale) => locales.includes(locale)),
      ...locales.filter((locale) => !visible.includes(locale)),
    ]);
  }

  async #setLanguages(locales: readonly string[]): Promise<void> {
    const [, ...before] = this.#visibleLocales();
    const isOnlyMoved = isDeepStrictEqual(before.toSorted(), locales.toSorted());
    this.#locales = null;
    const chosen = { ...this.#chosenLanguages(), [this.#rows.open.root.toString()]: locales };
    await this.#app.context.workspaceState.update(LANGUAGES_KEY, chosen);
    if (!isOnlyMoved) await this.#load();
    this.#setUp();
    // Otherwise rows and scroll position stay.
    if (!isOnlyMoved) await this.#find(true);
  }

  #post(message: MessageToPage): void {
    if (!this.#isListening) return;
    for (const part of splitMessage(message)) void this.#webview.postMessage(part);
  }
}
