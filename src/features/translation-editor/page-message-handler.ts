/** One open page of the translation editor: handles its messages and notifies it of changes. */
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import * as v from "valibot";
import type { Database } from "../../database/database.ts";
import { TranslationGrid } from "../../database/translation-grid.ts";
import { qualifiedNames, keyPatternMatcher } from "../../model/key-identity.ts";
import type { ProjectChange } from "../../database/project-state.ts";
import { isForms } from "../../model/text.ts";
import type { StagedText } from "../../sync/edit/draft-history.ts";
import { previewLocales } from "../../workspace/project-file/preview-locales.ts";
import type { App } from "../../vscode/app.ts";
import { refreshLocal } from "../../vscode/files/local-texts.ts";
import { showWarning } from "../../vscode/notifications.ts";
import { formatCount } from "../../vscode/ui/text/counts.ts";
import { formatNumber } from "../../vscode/ui/text/error-messages.ts";
import { locateUsages } from "../../vscode/ui/documents/usage-locations.ts";
import { l10n } from "../../vscode/l10n.ts";
import { joinParts, partsOf } from "../../webview/translation-editor/message-chunks.ts";
import {
  blockOf,
  FromPageSchema,
  ROW_BATCH_SIZE,
  type FromPage,
  type Query,
  type Replacement,
} from "../../webview/translation-editor/messages-from-page.ts";
import type { Found, Row, ToPage } from "../../webview/translation-editor/messages-to-page.ts";
import { writeCells } from "../../webview/translation-editor/clipboard-cells.ts";
import type { TranslationsDocument } from "./document.ts";
import { mergeRows } from "./merge-rows.ts";
import { pageStrings } from "./page-strings.ts";
import { yieldNow } from "../../model/event-loop.ts";

export const NO_QUERY: Query = { filters: [], search: "", namespace: null, tag: null, sort: "name" };

/** Maximum number of matches that are shown and replaced at once. */
const MAX_MATCHES = 200;

/** Maximum number of search words. */
const MOST_WORDS = 50;

/** Workspace state key of the chosen languages, by project folder. */
const LANGUAGES = "translationEditor.languages";

/** The initial state of a page. `null`: unchanged. */
export interface PageOptions {
  readonly query: Query | null;
  readonly locales: readonly string[] | null;
  /** The key to reveal. */
  readonly hash: string | null;
}

/** Minimum interval between change notifications to the page. Milliseconds. */
const CHANGES_PAUSE = 100;

type ListMessage = Extract<ToPage, { type: "list" }>;

export class TranslationPage {
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
  #gridOf: { readonly database: Database; readonly grid: TranslationGrid } | null = null;
  #isListening = false;
  /** The version of the last painted list. */
  #painted = 0;
  /** The number of started queries. */
  #finds = 0;
  /** Whether the running query was requested by the user. */
  #isAsked = false;
  /** The languages that were complete when the query ran. */
  #known = "";
  #isSearchUpToDate = true;
  /** The number of started searches for replacements. */
  #searches = 0;
  readonly #awaited: {
    readonly list: number;
    readonly resolve: () => void;
    readonly reject: (reason: unknown) => void;
  }[] = [];

  /** The initial options until the user changes the query. */
  #opened: PageOptions | null;
  readonly #loading: Promise<void>;
  #changeTimer: NodeJS.Timeout | undefined;

  constructor(
    app: App,
    document: TranslationsDocument,
    webview: vscode.Webview,
    { opened }: { readonly opened: PageOptions | null },
  ) {
    this.#app = app;
    this.#document = document;
    this.#webview = webview;
    this.#subscriptions = [
      webview.onDidReceiveMessage(joinParts((message) => this.#receive(message))),
      document.onDidChange(() => this.#changed()),
      app.projects.onDidChangeState(({ open, change }) => {
        if (open === this.#texts.open) this.#projectChanged(change);
      }),
      app.usages.onDidChange((open) => {
        if (open === this.#texts.open) this.#changed();
      }),
    ];
    this.#opened = opened;
    if (opened !== null) this.#take(opened);
    this.#loading = this.#load();
    // Prepares the first query while the page loads.
    setImmediate(() => void this.#prepare());
  }

  dispose(): void {
    clearTimeout(this.#changeTimer);
    for (const each of this.#subscriptions) each.dispose();
    for (const { reject } of this.#awaited) reject(new vscode.CancellationError());
  }

  /** Shows the rows of the options. Resolves when they are painted. */
  async show(options: PageOptions): Promise<void> {
    const isOpening = options === this.#opened;
    this.#opened = null;
    if (!isOpening) {
      this.#take(options);
      await this.#load();
    }
    const painted = new Promise<void>((resolve, reject) => {
      this.#awaited.push({ list: isOpening ? 1 : this.#list + 1, resolve, reject });
    });
    if (!isOpening) {
      this.#setUp(options.query);
      this.#find(true);
    } else if (this.#painted > 0) this.#reportPainted(this.#painted);
    await painted;
  }

  #take({ query, locales, hash }: PageOptions): void {
    if (query !== null) this.#query = query;
    if (locales !== null) this.#locales = locales;
    this.#focus = hash;
  }

  /** Resolves the callers that wait for this list or an earlier one. */
  #reportPainted(list: number): void {
    this.#painted = list;
    const done = this.#awaited.filter((each) => each.list <= list);
    for (const each of done) this.#awaited.splice(this.#awaited.indexOf(each), 1);
    for (const { resolve } of done) resolve();
  }

  get #texts() {
    return this.#document.texts;
  }

  /** Returns the visible languages, the source first. */
  #visible(): readonly string[] {
    const known = this.#texts.languages().map(({ locale }) => locale);
    const kept = this.#app.context.workspaceState.get<Readonly<Record<string, readonly string[]>>>(LANGUAGES);
    const { open } = this.#texts;
    const preview =
      open.project.stats === null ? known.slice(0, 3) : previewLocales(open.file, open.project.stats);
    const chosen = this.#locales ?? kept?.[open.root.toString()] ?? preview;
    const [source, ...others] = known;
    const shown = chosen.filter((locale) => others.includes(locale));
    return source === undefined ? shown : [source, ...new Set(shown)];
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

  async #act(message: FromPage): Promise<void> {
    switch (message.type) {
      case "ready":
        this.#isListening = true;
        // Without a service there are no rows before the files are read.
        if (!this.#texts.hasService) await this.#loading;
        this.#setUp(this.#query);
        this.#find(true);
        return;
      case "query":
        this.#query = message.query;
        this.#focus = null;
        this.#find(true);
        return;
      case "rows":
        if (message.list !== this.#list) return;
        this.#post({ type: "rows", list: this.#list, ...this.#rowsFrom(message.start) });
        return;
      case "painted":
        this.#reportPainted(message.list);
        return;
      case "active":
        this.#active = message.hash;
        this.#postList({ focus: null, isAsked: false });
        return;
      case "detail":
        this.#active = message.cell.hash;
        this.#post({ type: "detail", detail: this.#texts.detail(message.cell) });
        return;
      case "edit":
        this.#document.stage(message.texts);
        return;
      case "paste":
        if (message.list === this.#list) this.#paste(message);
        return;
      case "fill":
      case "clear":
        if (message.list === this.#list) this.#fill(message);
        return;
      case "copy":
        if (message.list === this.#list) await this.#copy(message);
        return;
      case "find":
        await this.#findPlaces(message.replacement);
        return;
      case "replace":
        this.#document.stage(
          message.cells.flatMap(({ locale, hash }) => {
            const text = this.#texts.replaced(locale, hash, message.replacement);
            return text === null ? [] : [{ locale, hash, text }];
          }),
        );
        return;
      case "discard":
        this.#document.discard(message.cells);
        return;
      case "keepMine":
        this.#document.keepMine(message.cells);
        return;
      case "save":
        await vscode.commands.executeCommand("workbench.action.files.save");
        return;
      case "translate":
        if (message.list === this.#list) await this.#translate(message);
        return;
      case "showUse":
        await this.#showUse(message.hash);
        return;
      case "chooseLanguages":
        await this.#chooseLanguages();
        return;
      case "languages":
        await this.#keepLanguages(message.locales);
    }
  }

  /** @param query `null`: the page keeps its query */
  #setUp(query: Query | null = null): void {
    const languages = this.#texts.languages();
    const grid = this.#grid();
    this.#columns = this.#visible();
    this.#post({
      type: "setup",
      words: { ...pageStrings() },
      languages: this.#columns.flatMap((locale) => languages.filter((each) => each.locale === locale)),
      separator: this.#texts.open.project.namespaceSeparator,
      query,
      namespaces: [...grid.namespaces()],
      tags: [...grid.tags()],
    });
  }

  /** Never rejects. */
  async #prepare(): Promise<void> {
    try {
      const grid = this.#grid();
      grid.namespaces();
      grid.tags();
      await this.#findNow(false);
    } catch (error) {
      this.#app.log.error("The rows of the translation editor could not be found", error);
    }
  }

  #grid(): TranslationGrid {
    const { database, keySearch } = this.#texts.open;
    // Reused, since it caches query results.
    if (this.#gridOf?.database !== database)
      this.#gridOf = { database, grid: new TranslationGrid(database, keySearch) };
    return this.#gridOf.grid;
  }

  /** Runs the query. `isAsked`: requested by the user; otherwise the scroll position is preserved. */
  #find(isAsked: boolean): void {
    this.#findNow(isAsked).catch((error: unknown) =>
      this.#app.log.error("The rows of the translation editor could not be found", error),
    );
  }

  async #findNow(isAsked: boolean): Promise<void> {
    const texts = this.#texts;
    const { filters, search, namespace, tag, sort } = this.#query;
    const locales = this.#visible().filter((locale) => texts.isKnown(locale));
    const words = search
      .split(/\s+/u)
      .filter((word) => word !== "")
      .slice(0, MOST_WORDS);
    const number = ++this.#finds;
    this.#isAsked ||= isAsked;
    const isSearchUpToDate = texts.open.keySearch.isUpToDate;
    const found = await this.#grid().find({ filters, words, namespace, tag, sort, locales }, texts.scope);
    // A newer query was started in the meantime.
    if (number !== this.#finds) return;
    const isUnusedAsked = filters.length === 1 && filters[0] === "unused";
    const matches = isUnusedAsked ? found.filter((each) => !this.#isKept(each)) : found;
    // A row that was changed may no longer match; only the user's own query removes it.
    const hashes =
      this.#isAsked || this.#isAll
        ? matches
        : mergeRows(this.#hashes, matches, (hash) => texts.nameOf(hash) !== undefined);
    this.#known = locales.join(" ");
    this.#isSearchUpToDate = isSearchUpToDate;
    if (!this.#isAsked && this.#list > 0 && hashes.join() === this.#hashes.join()) {
      this.#changed();
      return;
    }
    this.#hashes = hashes;
    this.#list += 1;
    const focus = this.#focus === null ? -1 : this.#hashes.indexOf(this.#focus);
    // The key may become known only after its file is read.
    if (this.#isListening && focus !== -1) this.#focus = null;
    this.#postList({ focus: focus === -1 ? null : focus, isAsked: this.#isAsked });
    this.#isAsked = false;
  }

  #postList({ focus, isAsked }: Pick<ListMessage, "focus" | "isAsked">): void {
    if (!this.#isListening) return;
    const hash = this.#active;
    const row = hash === null ? -1 : this.#hashes.indexOf(hash);
    this.#post({
      type: "list",
      list: this.#list,
      count: this.#hashes.length,
      focus,
      isAsked,
      active: hash === null ? null : { hash, row: row === -1 ? null : row },
      // Sent together, so that the page renders once.
      ...(isAsked ? this.#rowsFrom(blockOf(focus ?? 0)) : { start: 0, rows: [] }),
      ...this.#texts.counts(),
    });
  }

  /** Searches the texts of the list, yielding to other work; a later search cancels it. */
  async #findPlaces(replacement: Replacement): Promise<void> {
    const search = ++this.#searches;
    const locales = this.#visible();
    const found: Found[] = [];
    let isAll = true;
    for (const [index, hash] of this.#hashes.entries()) {
      if (index % ROW_BATCH_SIZE === 0) await yieldNow();
      if (search !== this.#searches) return;
      for (const locale of locales) {
        const place = this.#texts.place(locale, hash, replacement);
        if (place === null) continue;
        if (found.length < MAX_MATCHES) found.push(place);
        else isAll = false;
      }
      if (!isAll) break;
    }
    this.#post({ type: "found", found, isAll });
  }

  #paste({ row, locales, texts }: Extract<FromPage, { type: "paste" }>): void {
    const pasted = texts.flatMap((line, down) =>
      line.flatMap((value, right) => this.#staged(row + down, locales[right], value)),
    );
    this.#warnOfRest(
      texts.flat().length,
      this.#document.stage(pasted),
      l10n.t(
        "These texts are outside of the table, in read-only cells, or have no line for each plural form.",
      ),
    );
  }

  #fill({ type, rows: [first, last], locales }: Extract<FromPage, { type: "fill" | "clear" }>): void {
    const from = this.#hashes[first];
    if (from === undefined) return;
    const texts: StagedText[] = [];
    let count = 0;
    for (const locale of locales) {
      const text = type === "fill" ? this.#texts.textOf(locale, from) : null;
      if (type === "fill" && text === null) continue;
      const lines = text === null ? "" : this.#texts.linesOf(locale, from);
      for (let row = type === "fill" ? first + 1 : first; row <= last; row++) {
        const staged = this.#staged(row, locale, lines);
        texts.push(...staged.filter((each) => text === null || isForms(each.text) === isForms(text)));
        count += 1;
      }
    }
    this.#warnOfRest(
      count,
      this.#document.stage(texts),
      l10n.t("These cells are read-only, or differ from the first one in having plural forms."),
    );
  }

  /** Shows how many texts were not taken, if any, and why. */
  #warnOfRest(count: number, taken: number, why: string): void {
    if (taken === count) return;
    const left = l10n.t("Not changed: {0} of {1}.", formatNumber(count - taken), formatCount.texts(count));
    void showWarning(`${left} ${why}`);
  }

  async #copy({ rows: [first, last], locales }: Extract<FromPage, { type: "copy" }>): Promise<void> {
    const lines: string[][] = [];
    for (const hash of this.#hashes.slice(first, last + 1)) {
      if (lines.length % ROW_BATCH_SIZE === 0) await yieldNow();
      lines.push(locales.map((locale) => this.#texts.linesOf(locale, hash)));
    }
    await vscode.env.clipboard.writeText(writeCells(lines));
  }

  /** Runs the translate command, which asks for consent: for one cell in any case, for several only missing texts. */
  async #translate({
    rows: [first, last],
    locales: chosen,
  }: Extract<FromPage, { type: "translate" }>): Promise<void> {
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

  /** Returns the staged text of a cell, if the value is valid for it. */
  #staged(row: number, locale: string | undefined, value: string): readonly StagedText[] {
    const hash = this.#hashes[row];
    if (hash === undefined || locale === undefined) return [];
    const text = this.#texts.textOfLines(locale, hash, value);
    return text === null ? [] : [{ locale, hash, text }];
  }

  /** Whether the project file marks the key as used. */
  #isKept(hash: string): boolean {
    const keep = (this.#texts.open.file.usage?.keep ?? []).map(keyPatternMatcher);
    const name = keep.length === 0 ? undefined : this.#texts.nameOf(hash);
    return name !== undefined && qualifiedNames(name).some((written) => keep.some((means) => means(written)));
  }

  /** Returns the batch of rows that starts here. */
  #rowsFrom(start: number): { readonly start: number; readonly rows: Row[] } {
    const hashes = this.#hashes.slice(start, start + ROW_BATCH_SIZE);
    return { start, rows: [...this.#texts.rows(hashes, this.#columns)] };
  }

  #changed(): void {
    this.#post({ type: "changed", ...this.#texts.counts() });
  }

  #projectChanged({ stats, keys, rows, local, search, drafts }: ProjectChange): void {
    if (drafts === true) this.#document.notifyNewDrafts();
    if (local === true) void refreshLocal(this.#app, this.#texts.open).then(() => this.#findMore());
    if (stats === true) void this.#load();
    // The page requests everything when it is ready.
    if (!this.#isListening) return;
    const known = this.#visible().filter((locale) => this.#texts.isKnown(locale));
    // Changed rows stay until the user runs the filter again; newly loaded languages update the list.
    const isMoreKnown = known.join(" ") !== this.#known;
    const isMoreFound = search === true && !this.#isSearchUpToDate && this.#query.search !== "";
    if (stats === true || isMoreKnown) this.#setUp();
    if (isMoreKnown || isMoreFound || (this.#isAll && keys === true)) this.#find(false);
    // Similar texts are found by the search index.
    else if (keys === true || rows !== undefined || search === true)
      this.#changeTimer ??= setTimeout(() => {
        this.#changeTimer = undefined;
        this.#changed();
      }, CHANGES_PAUSE);
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
    try {
      await open.ready;
      const { session } = open.project;
      if (session.kind === "signed-in") {
        const refresher = await open.refresher;
        for (const locale of this.#visible())
          if (!this.#texts.isKnown(locale))
            void this.#read(refresher.ensureLocale(locale, { priority: "person" }));
      }
    } catch (error) {
      this.#app.log.warn(`Not every language could be read: ${String(error)}`);
    }
    if (open.local.loaded !== null) return;
    const reading = refreshLocal(this.#app, open).then(() => {
      if (!this.#isListening) return;
      this.#setUp();
      this.#find(false);
    });
    if (!this.#texts.hasService) await reading;
  }

  async #read(reading: Promise<void>): Promise<void> {
    try {
      await reading;
    } catch (error) {
      this.#app.log.warn(`Not every language could be read: ${String(error)}`);
    }
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
    await this.#keepLanguages([
      ...visible.filter((locale) => locales.includes(locale)),
      ...locales.filter((locale) => !visible.includes(locale)),
    ]);
  }

  async #keepLanguages(locales: readonly string[]): Promise<void> {
    const { workspaceState } = this.#app.context;
    const kept = workspaceState.get<Readonly<Record<string, readonly string[]>>>(LANGUAGES);
    const [, ...before] = this.#visible();
    const isOnlyMoved = isDeepStrictEqual(before.toSorted(), locales.toSorted());
    this.#locales = null;
    await workspaceState.update(LANGUAGES, { ...kept, [this.#texts.open.root.toString()]: locales });
    if (!isOnlyMoved) await this.#load();
    this.#setUp();
    // Otherwise rows and scroll position stay.
    if (!isOnlyMoved) this.#find(true);
  }

  #post(message: ToPage): void {
    if (!this.#isListening) return;
    for (const part of partsOf(message)) void this.#webview.postMessage(part);
  }
}
