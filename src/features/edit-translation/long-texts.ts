/**
 * Documents in which a translation of several lines is edited: saving one hands its text back, closing it gives up.
 * Plural forms stand below a line with their category in brackets. Nothing of it is on disk.
 */
import * as vscode from "vscode";
import type { Text } from "../../core/text.ts";
import { neededCategories } from "../../core/plural-rules.ts";
import { isForms } from "../../core/text.ts";
import type { TextQuestion } from "../../host/ask-text.ts";
import { textDocument, type ShownTexts } from "../../host/shown-texts.ts";
import { l10n } from "../../host/words.ts";

export const LONG_TEXT_SCHEME = "project-translations-edit";

interface Edited {
  bytes: Uint8Array;
  modified: number;
  /** The next save is a person's own; those that VS Code makes by itself are only kept. */
  byHand: boolean;
  readonly before: string;
  readonly isPlural: boolean;
  readonly saved: (text: Text) => void;
}

export class LongTexts implements vscode.FileSystemProvider, vscode.Disposable {
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
        if (edited !== undefined) edited.byHand = reason === vscode.TextDocumentSaveReason.Manual;
      }),
    ];
  }

  dispose(): void {
    for (const registration of this.#registrations) registration.dispose();
    this.#changed.dispose();
    this.#documents.clear();
  }

  /** The text as it was saved; `undefined`: its tab was closed. Rejects with the signal's reason. */
  async edit(question: TextQuestion, texts: ShownTexts, signal: AbortSignal): Promise<Text | undefined> {
    const name = question.title.replaceAll(/[/\\?#%*:|"<>\s]+/g, " ");
    const uri = vscode.Uri.from({ scheme: LONG_TEXT_SCHEME, path: `/${++this.#count}/${name}.txt` });
    const source = texts.uri(`${l10n.t("Source")} ${name}.txt`, textDocument(question.source));
    const hint = vscode.window.setStatusBarMessage(
      `$(save) ${l10n.t("Save to write the translation, close its tab to give up")}`,
    );
    const done = Promise.withResolvers<Text | undefined>();
    const before = printed(question);
    this.#documents.set(uri.path, {
      bytes: new TextEncoder().encode(before),
      before,
      modified: Date.now(),
      byHand: false,
      isPlural: question.isPlural,
      saved: done.resolve,
    });
    const shows = (tab: vscode.Tab, ...uris: readonly vscode.Uri[]): boolean => {
      const { input } = tab;
      return (
        input instanceof vscode.TabInputText && uris.some((one) => one.toString() === input.uri.toString())
      );
    };
    const listener = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.some((tab) => shows(tab, uri))) done.resolve(undefined);
    });
    const abort = (): void => done.reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: false });
      await vscode.window.showTextDocument(source, {
        viewColumn: vscode.ViewColumn.Beside,
        preview: true,
        preserveFocus: true,
      });
      return await done.promise;
    } finally {
      hint.dispose();
      listener.dispose();
      signal.removeEventListener("abort", abort);
      this.#documents.delete(uri.path);
      const tabs = vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter((tab) => shows(tab, uri, source));
      await vscode.window.tabGroups.close(tabs);
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
    edited.bytes = content;
    edited.modified = Date.now();
    if (edited.byHand) edited.saved(readBack(new TextDecoder().decode(content), edited));
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

function printed({ current, isPlural, locale }: TextQuestion): string {
  if (!isPlural) return current !== null && !isForms(current) ? current.value : "";
  const forms = current !== null && isForms(current) ? current.forms : {};
  const categories = [...new Set([...neededCategories(locale), ...Object.keys(forms)])];
  return categories.map((category) => `[${category}]\n${forms[category] ?? ""}`).join("\n");
}

/** The way back of `printed`. Line ends, and a last one that the editor added, are as before. */
function readBack(document: string, { before, isPlural }: Edited): Text {
  const plain = document.replaceAll("\r\n", "\n");
  const own = plain.endsWith("\n") && !/[\n\r]$/.test(before) ? plain.slice(0, -1) : plain;
  const text = before.includes("\r\n") ? own.replaceAll("\n", "\r\n") : own;
  if (!isPlural) return { value: text };
  const forms: Record<string, string> = {};
  const parts = text.split(/^\[(\w+)\](?:\r?\n|$)/m);
  for (let index = 1; index < parts.length; index += 2) {
    forms[parts[index] ?? ""] = (parts[index + 1] ?? "").replace(/\r?\n$/, "");
  }
  return { forms };
}
