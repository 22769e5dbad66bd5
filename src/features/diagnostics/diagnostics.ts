/**
 * Diagnostics for the visible documents. One debounced pass after any relevant change; the next change cancels it.
 */
import * as vscode from "vscode";
import type { App } from "../../vscode/app.ts";
import { localDocument } from "../../vscode/files/translation-file-documents.ts";
import { refreshLocal } from "../../vscode/files/local-text-cache.ts";
import { findInFile, findInCode, isAnyEnabled, type KeyDiagnostic } from "./find-problems.ts";
import { registerFixes } from "./quick-fixes.ts";
import { yieldNow } from "../../model/event-loop.ts";

/** After the last change. */
const DEBOUNCE_MS = 250;

/** Registers the diagnostics and their fixes. */
export function registerDiagnostics(app: App): void {
  const shown = new ShownProblems(app);
  app.addDisposable(
    shown,
    vscode.window.onDidChangeVisibleTextEditors(() => shown.schedule()),
    vscode.workspace.onDidChangeTextDocument(({ document }) => shown.edited(document)),
    vscode.workspace.onDidCloseTextDocument((document) => shown.closed(document)),
    app.settings.onDidChange(() => shown.invalidate()),
    app.projects.onDidChange(() => shown.invalidate()),
    app.documentUsages.onDidChange(() => shown.invalidate()),
    app.usages.onDidChange(() => shown.schedule()),
    app.projects.onDidChangeState(({ change }) => {
      if (change.local && !change.keys && !change.rows) shown.schedule();
      else if (change.keys || change.rows || change.stats || change.session) shown.invalidate();
    }),
  );
  registerFixes(app);
}

class ShownProblems implements vscode.Disposable {
  readonly #app: App;
  readonly #collection = vscode.languages.createDiagnosticCollection("projectTranslations");
  #timer: NodeJS.Timeout | undefined;
  #pass = 0;
  #isOutdated = false;

  constructor(app: App) {
    this.#app = app;
  }

  dispose(): void {
    this.#pass++;
    clearTimeout(this.#timer);
    this.#collection.dispose();
  }

  /** Schedules a pass over all visible documents. */
  schedule(): void {
    this.#pass++;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), DEBOUNCE_MS);
  }

  /** Invalidates the results of all documents, including those that are not visible. */
  invalidate(): void {
    this.#isOutdated = true;
    this.schedule();
  }

  edited(document: vscode.TextDocument): void {
    if (visibleDocuments().includes(document)) this.schedule();
  }

  closed(document: vscode.TextDocument): void {
    this.#collection.delete(document.uri);
  }

  async #run(): Promise<void> {
    const pass = this.#pass;
    const documents = visibleDocuments();
    if (this.#isOutdated) this.#forgetHidden(documents);
    for (const document of documents) {
      const { version } = document;
      const isCurrent = (): boolean => pass === this.#pass && document.version === version;
      try {
        const found = await this.#find(document, isCurrent);
        if (!isCurrent()) return;
        this.#collection.set(document.uri, found);
      } catch (error) {
        this.#app.log.warn(`The problems of ${document.uri.toString()} could not be found: ${String(error)}`);
      }
      await yieldNow();
      if (pass !== this.#pass) return;
    }
  }

  async #find(document: vscode.TextDocument, isCurrent: () => boolean): Promise<KeyDiagnostic[]> {
    const open = this.#app.projects.of(document.uri);
    if (open === undefined || !isAnyEnabled(this.#app, document.uri)) return [];
    const file = await localDocument(this.#app, document);
    if (file !== undefined) return findInFile(this.#app, file, document.uri, isCurrent);
    await refreshLocal(this.#app, open);
    return findInCode(this.#app, open, document, isCurrent);
  }

  #forgetHidden(visible: readonly vscode.TextDocument[]): void {
    this.#isOutdated = false;
    const names = new Set(visible.map((document) => document.uri.toString()));
    const hidden: vscode.Uri[] = [];
    this.#collection.forEach((uri) => {
      if (!names.has(uri.toString())) hidden.push(uri);
    });
    for (const uri of hidden) this.#collection.delete(uri);
  }
}

/** Returns the visible documents without duplicates. */
function visibleDocuments(): readonly vscode.TextDocument[] {
  return [...new Set(vscode.window.visibleTextEditors.map((editor) => editor.document))];
}
