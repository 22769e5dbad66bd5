/**
 * Read-only virtual documents (texts of the service, reports, proposed file contents) and diff editors between them and
 * files.
 */
import * as vscode from "vscode";
import { isForms, type Text } from "../../../model/translation-text.ts";

const VIRTUAL_TEXT_SCHEME = "project-translations-text";

/** The content of a virtual document and its tab name; the extension of the name determines the language. */
export interface VirtualText {
  readonly name: string;
  readonly text: string;
}

/** One side of a diff editor: a text or a file. */
export type DiffSide = VirtualText | vscode.Uri;

/** The diff of a file; without `before` it is new. */
export interface FileDiff {
  readonly file: vscode.Uri;
  readonly before: DiffSide | undefined;
  readonly after: DiffSide;
}

/** The layout type of VS Code's editor layout commands; nested groups have the other orientation. */
interface EditorLayout {
  readonly orientation?: number;
  readonly groups: readonly { readonly size?: number; readonly groups?: EditorLayout["groups"] }[];
}

/** The orientation of groups that are stacked vertically. */
const ROWS = 1;

/** The oldest documents are dropped beyond this number. */
const MAX_DOCUMENTS = 300;

function isMarkdownPreview(input: unknown): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith("markdown.preview");
}

export class VirtualDocuments implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #count = 0;
  /** The editor layout before `diffBelowList` changed it. */
  #layout: EditorLayout | undefined;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(VIRTUAL_TEXT_SCHEME, {
      provideTextDocumentContent: (uri) => this.#texts.get(uri.query) ?? "",
    });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }

  /** Creates a document and returns its URI. The name is shown in the tab. `path`: that of the file that it is a version of. */
  uri(name: string, text: string, path = `/${fileName(name)}`): vscode.Uri {
    const id = String(++this.#count);
    this.#texts.set(id, text);
    const oldest = this.#texts.keys().next().value;
    if (this.#texts.size > MAX_DOCUMENTS && oldest !== undefined) this.#texts.delete(oldest);
    return vscode.Uri.from({ scheme: VIRTUAL_TEXT_SCHEME, path, query: id });
  }

  /** Opens a document with the text; Markdown in the preview. */
  async open(name: string, text: string): Promise<void> {
    if (name.endsWith(".md")) {
      // Older versions of VS Code may go on showing the former text in a preview that is open already.
      const previews = vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(({ input, label }) => isMarkdownPreview(input) && label.endsWith(fileName(name)));
      if (previews.length > 0) await vscode.window.tabGroups.close(previews, true);
      await vscode.commands.executeCommand("markdown.showPreview", this.uri(name, text));
      return;
    }
    const document = await vscode.workspace.openTextDocument(this.uri(name, text));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /**
   * Opens a diff editor in a group below the others, so that an open quick pick does not cover it; `before` is on the left.
   */
  async diffBelowList(before: DiffSide, after: DiffSide, title: string): Promise<void> {
    this.#layout ??= await this.#addGroupBelow();
    const viewColumn = vscode.window.tabGroups.all.length;
    const options = { preview: true, preserveFocus: true, viewColumn };
    await vscode.commands.executeCommand(
      "vscode.diff",
      this.#uriOf(before),
      this.#uriOf(after),
      title,
      options,
    );
  }

  /** Adds an editor group below the others and returns the previous layout. */
  async #addGroupBelow(): Promise<EditorLayout> {
    const before = await vscode.commands.executeCommand<EditorLayout>("vscode.getEditorLayout");
    const isRows = before.orientation === ROWS || before.groups.length === 1;
    const above = isRows ? before.groups : [{ groups: before.groups }];
    const groups = [...above.map((group) => ({ ...group, size: 0.5 / above.length })), { size: 0.5 }];
    await vscode.commands.executeCommand("vscode.setEditorLayout", { orientation: ROWS, groups });
    return before;
  }

  /** Closes the diff editors opened from a list and restores the layout. `title`: of a multi-file diff editor. */
  async closeDifferences(title?: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const differences = tabs.filter(({ input, label }) => {
      if (input instanceof vscode.TabInputTextDiff)
        return [input.original, input.modified].some((uri) => uri.scheme === VIRTUAL_TEXT_SCHEME);
      // VS Code has no stable tab input type for multi-file diff editors.
      return title !== undefined && !(input instanceof vscode.TabInputText) && label.startsWith(title);
    });
    if (differences.length > 0) await vscode.window.tabGroups.close(differences);
    const layout = this.#layout;
    this.#layout = undefined;
    if (layout !== undefined) await vscode.commands.executeCommand("vscode.setEditorLayout", layout);
  }

  /** Opens one editor with the diffs of several files. */
  async diffAll(title: string, files: readonly FileDiff[]): Promise<void> {
    // VS Code shows sides with different paths as a renamed file.
    const resources = files.map(({ file, before, after }) => [
      file,
      before && this.#uriOf(before, file.path),
      this.#uriOf(after, file.path),
    ]);
    await vscode.commands.executeCommand("vscode.changes", title, resources);
  }

  #uriOf(side: DiffSide, path?: string): vscode.Uri {
    return side instanceof vscode.Uri ? side : this.uri(side.name, side.text, path);
  }
}

/** Returns the content of a document for a text: the value, or each form below its category. */
export function textDocument(text: Text | null): string {
  if (text === null) return "";
  if (!isForms(text)) return text.value;
  return Object.entries(text.forms)
    .map(([category, form]) => `[${category}]\n${form}\n`)
    .join("\n");
}

function fileName(name: string): string {
  const plain = name.replaceAll(/[/\\?#%*:|"<>\s]+/g, " ").trim();
  return plain === "" ? "text" : plain.slice(-80);
}
