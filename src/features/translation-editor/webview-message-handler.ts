/** One open page of the translation editor: handles its messages and notifies it of changes. */
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import * as v from "valibot";
import type { ProjectChange } from "../../database/project-state.ts";
import { isForms, type Replacement } from "../../model/translation-text.ts";
import type { StagedText } from "../../sync/drafts/draft-history.ts";
import { previewLocales } from "../../workspace/project-file/preview-locales.ts";
import type { App } from "../../vscode/app.ts";
import { refreshLocal } from "../../vscode/files/local-text-cache.ts";
import { showWarning } from "../../vscode/notifications.ts";
import { formatCount, formatNumber } from "../../vscode/ui/text/counts-and-times.ts";
import { locateUsages } from "../../vscode/ui/documents/usage-locations.ts";
import { l10n, translatedMessages } from "../../vscode/l10n.ts";
import {
  blockOf,
  FromPageSchema,
  joinMessages,
  NO_QUERY,
  ROW_BATCH_SIZE,
  splitMessage,
  type FromPage,
  type Match,
  type Query,
  type Row,
  type ToPage,
} from "../../webview/translation-editor/message-protocol.ts";
import { writeCells } from "../../webview/translation-editor/clipboard-cells.ts";
import type { TranslationsDocument } from "./translations-document.ts";
import { mergeRows } from "./keep-listed-rows.ts";
import { yieldNow } from "../../util/event-loop.ts";

/** Maximum number of matches that are shown and replaced at once. */
const MAX_MATCHES = 200;

const MAX_SEARCH_WORDS = 50;

/** Workspace state key of the chosen languages, by project folder. */
const LANGUAGES_KEY = "translationEditor.languages";

/** The initial state of a page. `null`: unchanged. */
export interface PageOptions {
  readonly query: Query | null;
  readonly locales: readonly string[] | null;
  /** The key to reveal. */
  readonly hash: string | null;
}

/** Minimum interval between change notifications to the page. */
const CHANGE_DEBOUNCE_MS = 100;

type CellRange = Extract<FromPage, { rows: unknown }>;

export class WebviewMessageHandler {
  readonly #app: App;
  readonly #document: TranslationsDocument;
  readonly #webview: vscode.Webview;
  readonly #subscriptions: vscode.Disposable[];
  #query = NO_QUERY;
  /** The visible languages; `null` for the user's choice or the preview languages. */
  #locales: readonly string[] | null = null;
  /** The languages of the page's columns, which may still be those of before a change. */
  #columns: readonly string[] = [];
  #hashes: readonly string[] = [];
  /** The key to reveal once the page is ready. */
  #focus: string | null = null;
  /** The active key of the page. */
  #active: string | null = null;
  /** The version of the row list that the page has. */
  #list = 0;
  #isListening = false;
  /** The version of the last painted list. */
  #painted = 0;
  /** The number of started queries. */
  #queries = 0;
  /** Whether the running query was requested by the user. */
  #isUserQuery = false;
  /** The languages that were complete when the query ran. */
  #knownLocales = "";
  #isSearchUpToDate = true;
  /** The number of started searches for replacements. */
  #searches = 0;
  /** The callers that wait until a list is painted. */
  #paintWaiters: readonly (PromiseWithResolvers<void> & { readonly list: number })[] = [];
  /** The initial options until they are shown. */
  #opened: PageOptions | null;
  readonly #loading: Promise<void>;
  #changeTimer: NodeJS.Timeout | undefined;

  constructor(app: App, document: TranslationsDocument, webview: vscode.Webview, opened: PageOptions | null) {
    this.#app = app;
    this.#document = document;
    this.#webview = webview;
    this.#subscriptions = [
      webview.onDidReceiveMessage(joinMessages((message) => this.#receive(message))),
      document.onDidChange(() => this.#changed()),
      app.projects.onDidChangeState(({ open, change }) => {
        if (open === this.#texts.open) this.#projectChanged(change);
      }),
      app.usages.onDidChange((open) => {
        if (open === this.#texts.open) this.#changed();
      }),
    ];
    this.#opened = opened;
    if (opened !== null) this.#applyOptions(opened);
    this.#loading = this.#load();
    // Prepares the first query while the page loads.
    setImmediate(() => this.#find(false));
  }

  dispose(): void {
    clearTimeout(this.#changeTimer);
    for (const each of this.#subscriptions) each.dispose();
    for (const { reject } of this.#paintWaiters) reject(new vscode.CancellationError());
  }

  /** Shows the rows of the options. Resolves when they are painted. */
  async show(options: PageOptions): Promise<void> {
    const isOpening = options === this.#opened;
    this.#opened = null;
    if (!isOpening) {
      this.#applyOptions(options);
      await this.#load();
    }
    const waiter = { list: isOpening ? 1 : this.#list + 1, ...Promise.withResolvers<void>() };
    this.#paintWaiters = [...this.#paintWaiters, waiter];
    if (isOpening) this.#resolvePainted();
    else {
      this.#setUp(options.query);
      this.#find(true);
    }
    await waiter.promise;
  }

  #applyOptions({ query, locales, hash }: PageOptions): void {
    if (query !== null) this.#query = query;
    if (locales !== null) this.#locales = locales;
    this.#focus = hash;
  }

  #resolvePainted(): void {
    const isPainted = ({ list }: { readonly list: number }): boolean => list <= this.#painted;
    for (const { resolve } of this.#paintWaiters.filter(isPainted)) resolve();
    this.#paintWaiters = this.#paintWaiters.filter((waiter) => !isPainted(waiter));
  }

  get #texts() {
    return this.#document.texts;
  }

  /** Returns the visible languages, the source first. */
  #visible(): readonly string[] {
    const known = this.#texts.languages().map(({ locale }) => locale);
    const { open } = this.#texts;
    const preview =
      open.project.stats === null ? known.slice(0, 3) : previewLocales(open.file, open.project.stats);
    const chosen = this.#locales ?? this.#chosenLanguages()[open.root.toString()] ?? preview;
    const [source, ...others] = known;
    const shown = chosen.filter((locale) => others.includes(locale));
    return source === undefined ? shown : [source, ...new Set(shown)];
  }

  /** The languages that the user chose, by project folder. */
  #chosenLanguages(): Readonly<Record<string, readonly string[]>> {
    return this.#app.context.workspaceState.get(LANGUAGES_KEY, {});
  }

  #receive(message: unknown): void {
    const parsed = v.safeParse(FromPageSchema, message);
    if (!parsed.success) {
      this.#app.log.warn("The translation editor's page sent something unknown");
      return;
    }
    this.#act(parsed.output).catch((error: unknown) => {
      this.#app.log.error("The translation editor could not answer its page", error);
    });
  }

  async #act(message: FromPage): Promise<unknown> {
    // Positions in an older list.
    if ("list" in message && message.type !== "painted" && message.list !== this.#list) return;
    switch (message.type) {
      case "ready":
        this.#isListening = true;
        // Without a service there are no rows before the files are read.
        if (!this.#texts.hasService) await this.#loading;
        this.#setUp(this.#query);
        return this.#find(true);
      case "query":
        this.#query = message.query;
        this.#focus = null;
        return this.#find(true);
      case "rows":
        return this.#post({ type: "rows", list: this.#list, ...this.#rowsFrom(message.start) });
      case "painted":
        this.#painted = message.list;
        return this.#resolvePainted();
      case "active":
        this.#active = message.hash;
        return this.#postList(null, false);
      case "detail":
        this.#active = message.cell.hash;
        return this.#post({ type: "detail", detail: this.#texts.detail(message.cell) });
      case "edit":
        return this.#document.stage(message.texts);
      case "paste":
        return this.#paste(message);
      case "fill":
      case "clear":
        return this.#fill(message);
      case "copy":
        return this.#copy(message);
      case "find":
        return this.#findMatches(message.replacement);
      case "replace":
        return this.#document.stage(
          message.cells.flatMap(({ locale, hash }) => {
            const text = this.#texts.replaced(locale, hash, message.replacement);
            return text === null ? [] : [{ locale, hash, text }];
          }),
        );
      case "discard":
      case "keepMine":
        return this.#document[message.type](message.cells);
      case "save":
        return vscode.commands.executeCommand("workbench.action.files.save");
      case "translate":
        return this.#translate(message);
      case "showUse":
        return this.#showUse(message.hash);
      case "chooseLanguages":
        return this.#chooseLanguages();
      case "languages":
        return this.#setLanguages(message.locales);
    }
  }

  /** @param query `null`: the page keeps its query */
  #setUp(query: Query | null = null): void {
    const languages = this.#texts.languages();
    const { grid } = this.#texts;
    this.#columns = this.#visible();
    this.#post({
      type: "setup",
      messages: translatedMessages(),
      languages: this.#columns.flatMap((locale) => languages.filter((each) => each.locale === locale)),
      separator: this.#texts.open.project.namespaceSeparator,
      query,
      namespaces: [...grid.namespaces()],
      tags: [...grid.tags()],
    });
  }

  /** Runs the query. `isUserQuery`: requested by the user; otherwise the scroll position is preserved. */
  #find(isUserQuery: boolean): void {
    this.#findNow(isUserQuery).catch((error: unknown) =>
      this.#app.log.error("The rows of the translation editor could not be found", error),
    );
  }

  async #findNow(isUserQuery: boolean): Promise<void> {
    const texts = this.#texts;
    // Cached for the page, which needs them first.
    texts.grid.namespaces();
    texts.grid.tags();
    const { filters, search, namespace, tag, sort } = this.#query;
    const locales = this.#visible().filter((locale) => texts.isKnown(locale));
    const words = search
      .split(/\s+/u)
      .filter((word) => word !== "")
      .slice(0, MAX_SEARCH_WORDS);
    const number = ++this.#queries;
    this.#isUserQuery ||= isUserQuery;
    const isSearchUpToDate = texts.open.keySearch.isUpToDate;
    const matches = await texts.grid.find({ filters, words, namespace, tag, sort, locales }, texts.scope);
    // A newer query was started in the meantime.
    if (number !== this.#queries) return;
    // A row that was changed may no longer match; only the user's own query removes it.
    const hashes =
      this.#isUserQuery || this.#isAll
        ? matches
        : mergeRows(this.#hashes, matches, (hash) => texts.nameOf(hash) !== undefined);
    this.#knownLocales = locales.join(" ");
    this.#isSearchUpToDate = isSearchUpToDate;
    if (!this.#isUserQuery && this.#list > 0 && hashes.join() === this.#hashes.join()) {
      this.#changed();
      return;
    }
    this.#hashes = hashes;
    this.#list += 1;
    const focus = this.#focus === null ? -1 : this.#hashes.indexOf(this.#focus);
    // The key may become known only after its file is read.
    if (this.#isListening && focus !== -1) this.#focus = null;
    this.#postList(focus === -1 ? null : focus, this.#isUserQuery);
    this.#isUserQuery = false;
  }

  /** @param focus the row to reveal */
  #postList(focus: number | null, isUserQuery: boolean): void {
    if (!this.#isListening) return;
    const hash = this.#active;
    const row = hash === null ? -1 : this.#hashes.indexOf(hash);
    this.#post({
      type: "list",
      list: this.#list,
      count: this.#hashes.length,
      focus,
      isUserQuery,
      active: hash === null ? null : { hash, row: row === -1 ? null : row },
      // Sent together, so that the page renders once.
      ...(isUserQuery ? this.#rowsFrom(blockOf(focus ?? 0)) : { start: 0, rows: [] }),
      counts: this.#texts.counts(),
    });
  }

  /** Searches the texts of the list, yielding to other work; a later search cancels it. */
  async #findMatches(replacement: Replacement): Promise<void> {
    const search = ++this.#searches;
    const locales = this.#visible();
    const matches: Match[] = [];
    let isAll = true;
    for (const [index, hash] of this.#hashes.entries()) {
      if (index % ROW_BATCH_SIZE === 0) await yieldNow();
      if (search !== this.#searches) return;
      for (const locale of locales) {
        const match = this.#texts.preview(locale, hash, replacement);
        if (match === null) continue;
        if (matches.length < MAX_MATCHES) matches.push(match);
        else isAll = false;
      }
      if (!isAll) break;
    }
    this.#post({ type: "matches", matches, isAll });
  }

  #paste({ row, locales, texts }: Extract<FromPage, { type: "paste" }>): void {
    const pasted = texts.flatMap((line, down) =>
      line.flatMap((lines, right): StagedText[] => {
        const [hash, locale] = [this.#hashes[row + down], locales[right]];
        if (hash === undefined || locale === undefined) return [];
        const text = this.#texts.textOfLines(locale, hash, lines);
        return text === null ? [] : [{ locale, hash, text }];
      }),
    );
    this.#warnOfSkipped(
      texts.flat().length,
      this.#document.stage(pasted),
      l10n.t(
        "These texts are outside of the table, in read-only cells, or have no line for each plural form.",
      ),
    );
  }

  #fill({ type, rows: [first, last], locales }: CellRange): void {
    const from = this.#hashes[first];
    if (from === undefined) return;
    const texts: StagedText[] = [];
    let count = 0;
    for (const locale of locales) {
      const filled = type === "fill" ? this.#texts.textOf(locale, from) : null;
      if (type === "fill" && filled === null) continue;
      for (const hash of this.#hashes.slice(type === "fill" ? first + 1 : first, last + 1)) {
        count += 1;
        const isPlural = this.#texts.isPlural(hash);
        const text = filled ?? (isPlural ? { forms: {} } : { value: "" });
        if (isForms(text) === isPlural) texts.push({ locale, hash, text });
      }
    }
    this.#warnOfSkipped(
      count,
      this.#document.stage(texts),
      l10n.t("These cells are read-only, or differ from the first one in having plural forms."),
    );
  }

  /** Shows how many texts were not taken, if any, and why. */
  #warnOfSkipped(count: number, taken: number, why: string): void {
    if (taken === count) return;
    const left = l10n.t("Not changed: {0} of {1}.", formatNumber(count - taken), formatCount.texts(count));
    void showWarning(`${left} ${why}`);
  }

  async #copy({ rows: [first, last], locales }: CellRange): Promise<void> {
    const lines: string[][] = [];
    for (const hash of this.#hashes.slice(first, last + 1)) {
      if (lines.length % ROW_BATCH_SIZE === 0) await yieldNow();
      lines.push(locales.map((locale) => this.#texts.linesOf(locale, hash)));
    }
    await vscode.env.clipboard.writeText(writeCells(lines));
  }

  /** Runs the translate command, which asks for consent: for one cell in any case, for several only missing texts. */
  async #translate({ rows: [first, last], locales: chosen }: CellRange): Promise<void> {
    const { open, sourceLocale } = this.#texts;
    const locales = chosen.filter((locale) => locale !== sourceLocale);
    const keys = this.#hashes.slice(first, last + 1).flatMap((hash) => this.#texts.nameOf(hash) ?? []);
    await vscode.commands.executeCommand("projectTranslations.translate", {
      folder: open.root,
      keys,
      ...(locales.length === 0 ? {} : { locales }),
      missingOnly: keys.length > 1 || locales.length !== 1,
      showsEditor: false,
    });
  }

  /** Returns the batch of rows that starts here. */
  #rowsFrom(start: number): { readonly start: number; readonly rows: Row[] } {
    const hashes = this.#hashes.slice(start, start + ROW_BATCH_SIZE);
    return { start, rows: [...this.#texts.rows(hashes, this.#columns)] };
  }

  #changed(): void {
    this.#post({ type: "changed", counts: this.#texts.counts() });
  }

  #projectChanged({ stats, keys, rows, local, search, drafts }: ProjectChange): void {
    if (drafts === true) this.#document.notifyNewDrafts();
    if (local === true) void refreshLocal(this.#app, this.#texts.open).then(() => this.#findMore());
    if (stats === true) void this.#load();
    // The page requests everything when it is ready.
    if (!this.#isListening) return;
    const known = this.#visible().filter((locale) => this.#texts.isKnown(locale));
    // Changed rows stay until the user runs the filter again; newly loaded languages update the list.
    const isMoreKnown = known.join(" ") !== this.#knownLocales;
    const isMoreFound = search === true && !this.#isSearchUpToDate && this.#query.search !== "";
    if (stats === true || isMoreKnown) this.#setUp();
    if (isMoreKnown || isMoreFound || (this.#isAll && keys === true)) this.#find(false);
    // Similar texts are found by the search index.
    else if (keys === true || rows !== undefined || search === true)
      this.#changeTimer ??= setTimeout(() => {
        this.#changeTimer = undefined;
        this.#changed();
      }, CHANGE_DEBOUNCE_MS);
  }

  /** Whether the query has no filter or search. */
  get #isAll(): boolean {
    return this.#query.filters.length === 0 && this.#query.search === "";
  }

  #findMore(): void {
    if (this.#isAll) this.#find(false);
    else this.#changed();
  }

  /** Loads visible languages that are not loaded yet. Never rejects. */
  async #load(): Promise<void> {
    const { open } = this.#texts;
    const warn = (error: unknown): void =>
      this.#app.log.warn(`Not every language could be read: ${String(error)}`);
    try {
      await open.ready;
      const { session } = open.project;
      if (session.kind === "signed-in") {
        const refresher = await open.refresher;
        for (const locale of this.#visible())
          if (!this.#texts.isKnown(locale))
            refresher.ensureLocale(locale, { priority: "person" }).catch(warn);
      }
    } catch (error) {
      warn(error);
    }
    if (open.local.loaded !== null) return;
    const reading = refreshLocal(this.#app, open).then(() => {
      if (!this.#isListening) return;
      this.#setUp();
      this.#find(false);
    });
    if (!this.#texts.hasService) await reading;
  }

  async #showUse(hash: string): Promise<void> {
    const { open } = this.#texts;
    const [use] = await locateUsages(open, this.#app.usages.of(open), hash, this.#texts.nameOf(hash));
    if (use !== undefined)
      await vscode.window.showTextDocument(use.uri, {
        selection: use.range,
        viewColumn: vscode.ViewColumn.Beside,
      });
  }

  async #chooseLanguages(): Promise<void> {
    const visible = this.#visible();
    const [, ...others] = this.#texts.languages();
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
    const [, ...before] = this.#visible();
    const isOnlyMoved = isDeepStrictEqual(before.toSorted(), locales.toSorted());
    this.#locales = null;
    const chosen = { ...this.#chosenLanguages(), [this.#texts.open.root.toString()]: locales };
    await this.#app.context.workspaceState.update(LANGUAGES_KEY, chosen);
    if (!isOnlyMoved) await this.#load();
    this.#setUp();
    // Otherwise rows and scroll position stay.
    if (!isOnlyMoved) this.#find(true);
  }

  #post(message: ToPage): void {
    if (!this.#isListening) return;
    for (const part of splitMessage(message)) void this.#webview.postMessage(part);
  }
}
