/**
 * Problems of keys in the documents that can be seen. One pass over them, some time after the last change of
 * anything, and not one letter's work before; the next change ends it.
 */
import * as vscode from "vscode";
import type { App } from "../../vscode/app.ts";
import { localDocument } from "../../vscode/projects/local-documents.ts";
import { readLocal } from "../../vscode/projects/local-texts.ts";
import { findInFile } from "./file-findings.ts";
import { findInCode, isAnyWanted } from "./findings.ts";
import { registerFixes } from "./fixes.ts";
import type { KeyDiagnostic } from "./key-diagnostic.ts";
import { yieldNow } from "../../model/time-slices.ts";

/** Milliseconds after the last change. */
const DEBOUNCE_MS = 250;

/** Registers the diagnostics and their fixes. */
export function registerDiagnostics(app: App): void {
  const shown = new ShownProblems(app);
  app.own(shown);
  app.own(vscode.window.onDidChangeVisibleTextEditors(() => shown.soon()));
  app.own(vscode.workspace.onDidChangeTextDocument(({ document }) => shown.edited(document)));
  app.own(vscode.workspace.onDidCloseTextDocument((document) => shown.closed(document)));
  app.own(app.settings.onDidChange(() => shown.outdate()));
  app.own(app.projects.onDidChange(() => shown.outdate()));
  app.own(app.code.onDidChange(() => shown.outdate()));
  app.own(app.usages.onDidChange(() => shown.soon()));
  app.own(
    app.projects.onDidChangeState(({ change }) => {
      if (change.local && !change.keys && !change.rows) shown.soon();
      else if (change.keys || change.rows || change.stats || change.session) shown.outdate();
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

  /** Looks at all visible documents again when things have settled. */
  soon(): void {
    this.#pass++;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), DEBOUNCE_MS);
  }

  /** What was found may no longer hold, also in documents that cannot be seen. */
  outdate(): void {
    this.#isOutdated = true;
    this.soon();
  }

  edited(document: vscode.TextDocument): void {
    if (visibleDocuments().includes(document)) this.soon();
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
      try {
        const found = await this.#find(document);
        if (pass !== this.#pass || document.version !== version) return;
        this.#collection.set(document.uri, found);
      } catch (error) {
        this.#app.log.warn(`The problems of ${document.uri.toString()} could not be found: ${String(error)}`);
      }
      await yieldNow();
      if (pass !== this.#pass) return;
    }
  }

  async #find(document: vscode.TextDocument): Promise<KeyDiagnostic[]> {
    const open = this.#app.projects.of(document.uri);
    if (open === undefined || !isAnyWanted(this.#app, document.uri)) return [];
    const file = await localDocument(this.#app, document);
    if (file !== undefined) return findInFile(this.#app, file, document.uri);
    if (open.local.loaded === null) await readLocal(this.#app, open);
    return findInCode(this.#app, open, document);
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

/** Each document once, also when two editors show it. */
function visibleDocuments(): readonly vscode.TextDocument[] {
  return [...new Set(vscode.window.visibleTextEditors.map((editor) => editor.document))];
}
