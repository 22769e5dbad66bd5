/**
 * Documents for editing multi-line translations: saving one returns its text, closing it cancels. Not on disk. The text
 * format is defined by plural-text-document.ts.
 */
import * as vscode from "vscode";
import type { Text } from "../../model/translation-text.ts";
import { neededCategories } from "../../model/plural-categories.ts";
import {
  printTextDocument,
  decideDocumentSave,
  type DocumentProblem,
  type EditedText,
} from "../../model/plural-text-document.ts";
import type { TextPrompt } from "../../vscode/ui/input/text-input.ts";
import { textDocument, type VirtualDocuments } from "../../vscode/ui/documents/virtual-documents.ts";
import { raceWithAbort } from "../../vscode/abort-signals.ts";
import { l10n } from "../../util/l10n.ts";

const LONG_TEXT_SCHEME = "project-translations-edit";

/** A language id with defaults in package.json that disable trimming and final newlines on save. */
const LANGUAGE = "projectTranslationsText";

interface Edited {
  bytes: Uint8Array;
  modified: number;
  /** The next write is an auto save, which does not end the edit. A save without participants fires no event. */
  isAutoSave: boolean;
  readonly before: EditedText;
  readonly saved: (text: Text) => void;
}

export class MultilineDocuments implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #documents = new Map<string, Edited>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registrations: readonly vscode.Disposable[];
  #count = 0;

  readonly onDidChangeFile = this.#changed.event;

  constructor() {
    this.#registrations = [
      vscode.workspace.registerFileSystemProvider(LONG_TEXT_SCHEME, this, { isCaseSensitive: true }),
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        if (document.uri.scheme !== LONG_TEXT_SCHEME) return;
        const edited = this.#documents.get(document.uri.path);
        if (edited !== undefined) edited.isAutoSave = reason !== vscode.TextDocumentSaveReason.Manual;
      }),
    ];
  }

  dispose(): void {
    for (const registration of this.#registrations) registration.dispose();
    this.#changed.dispose();
    this.#documents.clear();
  }

  /** Resolves to the saved text; `undefined` if the tab was closed. Rejects with the signal's reason. */
  async edit(prompt: TextPrompt, texts: VirtualDocuments, signal: AbortSignal): Promise<Text | undefined> {
    const name = prompt.title.replaceAll(/[/\\?#%*:|"<>\s]+/g, " ");
    const uri = vscode.Uri.from({ scheme: LONG_TEXT_SCHEME, path: `/${++this.#count}/${name}.txt` });
    const source = texts.uri(`${l10n.t("Source")} ${name}.txt`, textDocument(prompt.source));
    const hint = vscode.window.setStatusBarMessage(
      `$(save) ${l10n.t("Save to write the translation; close the tab to cancel")}`,
    );
    const done = Promise.withResolvers<Text | undefined>();
    const { current, isPlural, locale } = prompt;
    const before: EditedText = { text: current, isPlural, categories: neededCategories(locale) };
    this.#documents.set(uri.path, {
      bytes: new TextEncoder().encode(printTextDocument(before)),
      before,
      modified: Date.now(),
      isAutoSave: false,
      saved: done.resolve,
    });
    const shows = (tab: vscode.Tab, ...uris: readonly vscode.Uri[]): boolean => {
      const { input } = tab;
      return (
        input instanceof vscode.TabInputText && uris.some((one) => one.toString() === input.uri.toString())
      );
    };
    const tabsOf = (...uris: readonly vscode.Uri[]): vscode.Tab[] =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => shows(tab, ...uris)));
    const listener = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      // Moving a tab to another group also closes it in its old group.
      if (closed.some((tab) => shows(tab, uri)) && tabsOf(uri).length === 0) done.resolve(undefined);
    });
    try {
      const opened = await vscode.workspace.openTextDocument(uri, { encoding: "utf8" });
      const document = await vscode.languages.setTextDocumentLanguage(opened, LANGUAGE);
      await vscode.window.showTextDocument(document, { preview: false });
      await vscode.window.showTextDocument(source, {
        viewColumn: vscode.ViewColumn.Beside,
        preview: true,
        preserveFocus: true,
      });
      return await raceWithAbort(done.promise, signal);
    } finally {
      hint.dispose();
      listener.dispose();
      this.#documents.delete(uri.path);
      await vscode.window.tabGroups.close(tabsOf(uri, source));
    }
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, modified } = this.#of(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: modified, size: bytes.length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#of(uri).bytes;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const edited = this.#of(uri);
    const document = new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
    const save = decideDocumentSave(document, edited.before, edited.isAutoSave);
    edited.isAutoSave = false;
    // The document stays unsaved and VS Code shows the reason.
    if (save.kind === "refuse") throw new vscode.FileSystemError(problemMessage(save.problem));
    edited.bytes = content;
    edited.modified = Date.now();
    if (save.kind === "finish") edited.saved(save.text);
  }

  watch(): vscode.Disposable {
    return { dispose: () => undefined };
  }

  readDirectory(): [] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  #of(uri: vscode.Uri): Edited {
    const edited = this.#documents.get(uri.path);
    if (edited === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return edited;
  }
}

function problemMessage(problem: DocumentProblem): string {
  switch (problem.kind) {
    case "before":
      return l10n.t("There is text above the first heading. Move it below one, then save again.");
    case "missing":
      return l10n.t("The heading [{0}] is missing. Put it back, then save again.", problem.category);
    case "twice":
      return l10n.t(
        "The heading [{0}] appears twice. Remove one, or put a backslash before it if it is text, then save again.",
        problem.category,
      );
  }
}
