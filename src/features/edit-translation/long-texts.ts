/**
 * Documents in which a translation of several lines is edited: saving one hands its text back, closing it gives up.
 * Plural forms stand below a line with their category in brackets. Nothing of it is on disk.
 */
import * as vscode from "vscode";
import type { Text } from "../../core/text.ts";
import { neededCategories } from "../../core/plural-rules.ts";
import { isForms } from "../../core/text.ts";
import type { TextQuestion } from "../../host/ask-text.ts";

export const LONG_TEXT_SCHEME = "project-translations-edit";

interface Edited {
  bytes: Uint8Array;
  modified: number;
  readonly before: string;
  readonly isPlural: boolean;
  readonly saved: (text: Text) => void;
}

export class LongTexts implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #documents = new Map<string, Edited>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registration: vscode.Disposable;
  #count = 0;

  readonly onDidChangeFile = this.#changed.event;

  constructor() {
    this.#registration = vscode.workspace.registerFileSystemProvider(LONG_TEXT_SCHEME, this, {
      isCaseSensitive: true,
    });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
    this.#documents.clear();
  }

  /** The text as it was saved; `undefined`: its tab was closed. Rejects with the signal's reason. */
  async edit(question: TextQuestion, signal: AbortSignal): Promise<Text | undefined> {
    const name = question.title.replaceAll(/[/\\?#%*:|"<>\s]+/g, " ");
    const uri = vscode.Uri.from({ scheme: LONG_TEXT_SCHEME, path: `/${++this.#count}/${name}.txt` });
    const done = Promise.withResolvers<Text | undefined>();
    const before = printed(question);
    this.#documents.set(uri.path, {
      bytes: new TextEncoder().encode(before),
      before,
      modified: Date.now(),
      isPlural: question.isPlural,
      saved: done.resolve,
    });
    const isMine = (tab: vscode.Tab): boolean =>
      tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
    const listener = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.some(isMine)) done.resolve(undefined);
    });
    const abort = (): void => done.reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: false });
      return await done.promise;
    } finally {
      listener.dispose();
      signal.removeEventListener("abort", abort);
      this.#documents.delete(uri.path);
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isMine);
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
    edited.saved(readBack(new TextDecoder().decode(content), edited));
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
