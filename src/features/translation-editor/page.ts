/** One open page of the translation editor: answers what it asks, and tells it what has changed. */
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import * as v from "valibot";
import type { Database } from "../../database/database.ts";
import { TranslationGrid } from "../../database/translation-grid.ts";
import { writtenNames, keyGlob } from "../../model/key-patterns.ts";
import type { ProjectChange } from "../../database/project-state.ts";
import { isForms } from "../../model/text.ts";
import type { StagedText } from "../../sync/staged-texts.ts";
import { previewLocales } from "../../workspace/project-file/preview-locales.ts";
import type { App } from "../../vscode/app.ts";
import { readLocal } from "../../vscode/projects/local-texts.ts";
import { showWarning } from "../../vscode/notifications.ts";
import { counted } from "../../vscode/ui/counts.ts";
import { number } from "../../vscode/ui/error-messages.ts";
import { usesOf } from "../../vscode/ui/usage-locations.ts";
import { l10n } from "../../vscode/l10n.ts";
import {
  blockOf,
  FromPageSchema,
  ROW_BATCH_SIZE,
  type Found,
  type FromPage,
  type Query,
  type Replacement,
  type Row,
  type ToPage,
} from "../../webview/translation-editor/messages.ts";
import { writeCells } from "../../webview/translation-editor/clipboard-cells.ts";
import type { TranslationsDocument } from "./document.ts";
import { pageStrings } from "./page-strings.ts";
import { yieldNow } from "../../model/time-slices.ts";

export const NO_QUERY: Query = { filters: [], search: "", namespace: null, tag: null, sort: "name" };

/** So many places are shown, and replaced, at once. */
const MAX_MATCHES = 200;

/** So many words are searched for. */
const MOST_WORDS = 50;

/** A message of rows ends once it is that long. Characters of JSON, which may be three bytes. */
const LONG_MESSAGE = 60_000;

/** Where the languages that a person chose are kept, by the project's folder. */
const LANGUAGES = "translationEditor.languages";

/** What a page is opened with. `null`: as it is. */
export interface PageOptions {
  readonly query: Query | null;
  readonly locales: readonly string[] | null;
  /** The key to go to. */
  readonly hash: string | null;
}

/** The page is told no more often than that of what the project reads. Milliseconds. */
const CHANGES_PAUSE = 100;

export class TranslationPage {
  readonly #app: App;
  readonly #document: TranslationsDocument;
  readonly #webview: vscode.Webview;
  readonly #subscriptions: vscode.Disposable[];
  #query = NO_QUERY;
  /** Shown until others are chosen; `null`: those that the person chose, else those of the preview. */
  #locales: readonly string[] | null = null;
  #hashes: readonly string[] = [];
  /** The key to go to, once the page listens. */
  #focus: string | null = null;
  /** The number of the list of rows that the page has. */
  #list = 0;
  #gridOf: { readonly database: Database; readonly grid: TranslationGrid } | null = null;
  #isListening = false;
  /** The last list that the page has painted. */
  #painted = 0;
  /** How often rows were looked for. */
  #finds = 0;
  /** Whether a person asked for the rows that are looked for. */
  #isAsked = false;
  /** The languages that were whole when the rows were looked for. */
  #known = "";
  #isSearchUpToDate = true;
  /** How often somebody looked for places to replace. */
  #searches = 0;
  readonly #awaited: {
    readonly list: number;
    readonly resolve: () => void;
    readonly reject: (reason: unknown) => void;
  }[] = [];

  /** What the page was opened with, as long as nothing else was asked for. */
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
      webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
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
    // The keys are put in order while the page loads.
    setImmediate(() => this.#find(false));
  }

  dispose(): void {
    clearTimeout(this.#changeTimer);
    for (const each of this.#subscriptions) each.dispose();
    for (const { reject } of this.#awaited) reject(new vscode.CancellationError());
  }

  /** Shows what is asked for. Resolves when it is painted. */
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
      this.#setUp();
      this.#find(true);
    } else if (this.#painted > 0) this.#tellPainted(this.#painted);
    await painted;
  }

  #take({ query, locales, hash }: PageOptions): void {
    if (query !== null) this.#query = query;
    if (locales !== null) this.#locales = locales;
    this.#focus = hash;
  }

  /** Resolves who waited for this list, or one before it, to be painted. */
  #tellPainted(list: number): void {
    this.#painted = list;
    const done = this.#awaited.filter((each) => each.list <= list);
    for (const each of done) this.#awaited.splice(this.#awaited.indexOf(each), 1);
    for (const { resolve } of done) resolve();
  }

  get #texts() {
    return this.#document.texts;
  }

  /** The languages that are shown, the source first. */
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
        // Without a service there is nothing to show before.
        if (!this.#texts.hasService) await this.#loading;
        this.#setUp();
        this.#find(true);
        return;
      case "query":
        this.#query = message.query;
        this.#focus = null;
        this.#find(true);
        return;
      case "rows":
        if (message.list !== this.#list) return;
        for (const each of this.#rowsFrom(message.start))
          this.#post({ type: "rows", list: this.#list, ...each });
        return;
      case "painted":
        this.#tellPainted(message.list);
        return;
      case "detail":
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
        await this.#findPlaces(message.asked);
        return;
      case "replace":
        this.#document.stage(
          message.cells.flatMap(({ locale, hash }) => {
            const text = this.#texts.replaced(locale, hash, message.asked);
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

  #setUp(): void {
    const languages = this.#texts.languages();
    const grid = this.#grid();
    this.#post({
      type: "setup",
      words: { ...pageStrings() },
      languages: this.#visible().flatMap((locale) => languages.filter((each) => each.locale === locale)),
      separator: this.#texts.open.project.namespaceSeparator,
      query: this.#query,
      namespaces: [...grid.namespaces()],
      tags: [...grid.tags()],
    });
  }

  #grid(): TranslationGrid {
    const { database, keySearch } = this.#texts.open;
    // It keeps the order of the keys.
    if (this.#gridOf?.database !== database)
      this.#gridOf = { database, grid: new TranslationGrid(database, keySearch) };
    return this.#gridOf.grid;
  }

  /** Runs the filter. `isAsked`: by the person; else only what is known has changed, and the place is kept. */
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
    // Another one was begun meanwhile.
    if (number !== this.#finds) return;
    const isUnusedAsked = filters.length === 1 && filters[0] === "unused";
    const hashes = isUnusedAsked ? found.filter((each) => !this.#isKept(each)) : found;
    this.#known = locales.join(" ");
    this.#isSearchUpToDate = isSearchUpToDate;
    if (!this.#isAsked && this.#list > 0 && hashes.join() === this.#hashes.join()) {
      this.#changed();
      return;
    }
    this.#hashes = hashes;
    this.#list += 1;
    const focus = this.#focus === null ? -1 : this.#hashes.indexOf(this.#focus);
    // A key may only be known once its file is read.
    if (this.#isListening && focus !== -1) this.#focus = null;
    const messages = this.#isAsked && this.#isListening ? this.#rowsFrom(blockOf(Math.max(0, focus))) : [];
    // With the first rows, so that the page draws once.
    const [first = { start: 0, rows: [] }, ...others] = messages;
    this.#post({
      type: "list",
      list: this.#list,
      count: this.#hashes.length,
      focus: focus === -1 ? null : focus,
      isAsked: this.#isAsked,
      ...first,
      ...texts.counts(),
    });
    for (const each of others) this.#post({ type: "rows", list: this.#list, ...each });
    this.#isAsked = false;
  }

  /** Looks through the texts of the list, with other work in between; a later search ends it. */
  async #findPlaces(asked: Replacement): Promise<void> {
    const search = ++this.#searches;
    const locales = this.#visible();
    const found: Found[] = [];
    let isAll = true;
    for (const [index, hash] of this.#hashes.entries()) {
      if (index % ROW_BATCH_SIZE === 0) await yieldNow();
      if (search !== this.#searches) return;
      for (const locale of locales) {
        const place = this.#texts.place(locale, hash, asked);
        if (place === null) continue;
        if (found.length < MAX_MATCHES) found.push(place);
        else isAll = false;
      }
      if (!isAll) break;
    }
    this.#post({ type: "found", found, isAll });
  }

  #paste({ row, column, texts }: Extract<FromPage, { type: "paste" }>): void {
    const locales = this.#visible();
    const pasted = texts.flatMap((line, down) =>
      line.flatMap((value, right) => this.#staged(row + down, locales[column + right], value)),
    );
    const taken = this.#document.stage(pasted);
    const count = texts.flat().length;
    if (taken === count) return;
    void showWarning(
      l10n.t(
        "Not pasted: {0} of {1}. They lie outside of the table, in cells that cannot be edited, or have no line for each plural form.",
        number(count - taken),
        counted.texts(count),
      ),
    );
  }

  #fill({ type, rows: [first, last], columns }: Extract<FromPage, { type: "fill" | "clear" }>): void {
    const locales = this.#visible().slice(columns[0], columns[1] + 1);
    const from = this.#hashes[first];
    if (from === undefined) return;
    const texts: StagedText[] = [];
    for (const locale of locales) {
      const text = type === "fill" ? this.#texts.textOf(locale, from) : { value: "" };
      if (text === null || isForms(text)) continue;
      for (let row = type === "fill" ? first + 1 : first; row <= last; row++)
        texts.push(...this.#staged(row, locale, text.value));
    }
    this.#document.stage(texts);
  }

  async #copy({ rows: [first, last], columns }: Extract<FromPage, { type: "copy" }>): Promise<void> {
    const locales = this.#visible().slice(columns[0], columns[1] + 1);
    const lines: string[][] = [];
    for (const hash of this.#hashes.slice(first, last + 1)) {
      if (lines.length % ROW_BATCH_SIZE === 0) await yieldNow();
      lines.push(locales.map((locale) => this.#texts.linesOf(locale, hash)));
    }
    await vscode.env.clipboard.writeText(writeCells(lines));
  }

  /** The command asks before it sends anything. Of one cell the text is wanted, of several what is missing there. */
  async #translate({
    rows: [first, last],
    columns,
  }: Extract<FromPage, { type: "translate" }>): Promise<void> {
    const { open, sourceLocale } = this.#texts;
    const chosen = columns === null ? [] : this.#visible().slice(columns[0], columns[1] + 1);
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

  /** The text for a cell, where there is one that it fits. */
  #staged(row: number, locale: string | undefined, value: string): readonly StagedText[] {
    const hash = this.#hashes[row];
    if (hash === undefined || locale === undefined) return [];
    const text = this.#texts.textOfLines(locale, hash, value);
    return text === null ? [] : [{ locale, hash, text }];
  }

  /** Whether the project file says that the key is used in ways that the code does not show. */
  #isKept(hash: string): boolean {
    const keep = (this.#texts.open.file.usage?.keep ?? []).map(keyGlob);
    const name = keep.length === 0 ? undefined : this.#texts.nameOf(hash);
    return name !== undefined && writtenNames(name).some((written) => keep.some((means) => means(written)));
  }

  /** The rows that are asked for together from this one on, in parts for messages that are not long. */
  #rowsFrom(start: number): readonly RowsPart[] {
    const grid = this.#grid();
    const hashes = this.#hashes.slice(start, start + ROW_BATCH_SIZE);
    const rows = this.#texts.rows(hashes, this.#visible(), (hash, local) => grid.isNotPushed(hash, local));
    return inParts(start, rows);
  }

  #changed(): void {
    this.#post({ type: "changed", ...this.#texts.counts() });
  }

  #projectChanged({ stats, keys, rows, local, search, drafts }: ProjectChange): void {
    if (drafts === true) this.#document.takeUntold();
    if (local === true) void readLocal(this.#app, this.#texts.open).then(() => this.#findMore());
    if (stats === true) void this.#load();
    const known = this.#visible().filter((locale) => this.#texts.isKnown(locale));
    // A row that was changed stays until the person runs the filter again; what was not known yet is no change.
    const isMoreKnown = known.join(" ") !== this.#known;
    const isMoreFound = search === true && !this.#isSearchUpToDate && this.#query.search !== "";
    if (stats === true || isMoreKnown) this.#setUp();
    if (isMoreKnown || isMoreFound || (this.#isAll && keys === true)) this.#find(false);
    else if (keys === true || rows !== undefined)
      this.#changeTimer ??= setTimeout(() => {
        this.#changeTimer = undefined;
        this.#changed();
      }, CHANGES_PAUSE);
  }

  /** Whether no filter keeps rows as they were when it was run. */
  get #isAll(): boolean {
    return this.#query.filters.length === 0 && this.#query.search === "";
  }

  #findMore(): void {
    if (this.#isAll) this.#find(false);
    else this.#changed();
  }

  /** Reads what is shown and not known yet. Rejects never. */
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
    const reading = readLocal(this.#app, open).then(() => {
      if (this.#list === 0) return;
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
    const [use] = await usesOf(open, this.#app.usages.of(open), hash, this.#texts.nameOf(hash));
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
    // Else the rows stay, and the place in them.
    if (!isOnlyMoved) this.#find(true);
  }

  #post(message: ToPage): void {
    if (this.#isListening) void this.#webview.postMessage(message);
  }
}

/** Rows of one message. */
interface RowsPart {
  /** The place of the first one. */
  readonly start: number;
  readonly rows: Row[];
}

function inParts(start: number, rows: readonly Row[]): readonly RowsPart[] {
  const parts: RowsPart[] = [];
  let length = LONG_MESSAGE;
  for (const [index, row] of rows.entries()) {
    if (length >= LONG_MESSAGE) {
      parts.push({ start: start + index, rows: [] });
      length = 0;
    }
    parts.at(-1)?.rows.push(row);
    length += JSON.stringify(row).length;
  }
  return parts;
}
