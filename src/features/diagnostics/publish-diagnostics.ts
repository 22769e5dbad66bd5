/**
 * Diagnostics: for the visible documents one debounced pass after any relevant change, which the next change cancels; for all
 * other files what the indexing process has found.
 */
import * as vscode from "vscode";
import type { App } from "../../vscode/app.ts";
import { localDocument } from "../../vscode/files/entry-at-position.ts";
import { loadLocalFiles } from "../../vscode/files/local-texts.ts";
import { findInFile, findInCode, isAnyEnabled, type KeyDiagnostic } from "./compute-diagnostics.ts";
import { listProjectProblems } from "./list-project-problems.ts";
import { registerFixes } from "./quick-fixes.ts";
import { debounce } from "../../util/debounce.ts";
import { yieldNow } from "../../util/event-loop.ts";

/** After the last change. */
const TYPING_DELAY_MS = 250;

/** Registers the diagnostics and their fixes. */
export function registerDiagnostics(app: App): void {
  const collection = vscode.languages.createDiagnosticCollection("projectTranslations");
  let pass = 0;
  let isOutdated = false;

  const isVisible = (name: string): boolean => visibleDocuments().some(({ uri }) => uri.toString() === name);
  const listed = listProjectProblems(app, (names) => {
    for (const name of names) if (!isVisible(name)) showListed(vscode.Uri.parse(name));
  });
  const showListed = (uri: vscode.Uri): void => {
    const problems = listed.of(uri);
    if (problems.length > 0) collection.set(uri, problems);
    else collection.delete(uri);
  };
  const runSoon = debounce(() => void run(), TYPING_DELAY_MS);
  const afterTyping = (): void => {
    pass++;
    runSoon();
  };
  /** A pass over all visible documents; the next one cancels it. */
  const run = async (): Promise<void> => {
    const current = ++pass;
    const documents = visibleDocuments();
    if (isOutdated) {
      const visible = new Set(documents.map(({ uri }) => uri.toString()));
      const hidden = Array.from(collection, ([uri]) => uri).filter((uri) => !visible.has(uri.toString()));
      for (const uri of hidden) showListed(uri);
    }
    isOutdated = false;
    for (const document of documents) {
      const { version } = document;
      const isCurrent = (): boolean => current === pass && document.version === version;
      try {
        const found = await findProblems(app, document, isCurrent);
        if (!isCurrent()) return;
        collection.set(document.uri, found);
      } catch (error) {
        app.log.warn(`The problems of ${document.uri.toString()} could not be found: ${String(error)}`);
      }
      await yieldNow();
      if (current !== pass) return;
    }
  };

  app.addDisposable(
    runSoon,
    { dispose: () => pass++ },
    collection,
    vscode.window.onDidChangeVisibleTextEditors(afterTyping),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (visibleDocuments().includes(document)) afterTyping();
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => showListed(uri)),
    app.store.subscribe(["usages", "files", "search"], () => void run()),
    // The results of documents that are not visible are outdated, too.
    app.store.subscribe(["settings", "projects", "keys", "translations", "stats", "session"], () => {
      isOutdated = true;
      void run();
    }),
  );
  registerFixes(app);
}

async function findProblems(
  app: App,
  document: vscode.TextDocument,
  isCurrent: () => boolean,
): Promise<KeyDiagnostic[]> {
  const open = app.projects.of(document.uri);
  if (open === undefined || !isAnyEnabled(app, document.uri)) return [];
  const file = await localDocument(app, document);
  if (file !== undefined) return findInFile(app, file, document.uri, isCurrent);
  await loadLocalFiles(app, open);
  return findInCode(app, open, document, isCurrent);
}

/** Returns the visible documents without duplicates. */
function visibleDocuments(): readonly vscode.TextDocument[] {
  return [...new Set(vscode.window.visibleTextEditors.map((editor) => editor.document))];
}
