/**
 * Read-only documents that show a text which lies in no file: what the service has, what a result says, what a file
 * would become. They are the sides of VS Code's diff editors.
 */
import * as vscode from "vscode";
import { isForms, type Text } from "../../model/text.ts";

export const SHOWN_TEXT_SCHEME = "project-translations-text";

/** A text and a name for its tab, with an ending that tells the language. */
export interface ShownText {
  readonly name: string;
  readonly text: string;
}

/** One side of a difference: a text, or a file as it is. */
export type Side = ShownText | vscode.Uri;

/** As VS Code's commands about the layout have it; groups in a group stand the other way. */
interface EditorLayout {
  readonly orientation?: number;
  readonly groups: readonly { readonly size?: number; readonly groups?: EditorLayout["groups"] }[];
}

/** The orientation of groups that stand one below the other. */
const ROWS = 1;

/** So many documents are kept for as long as the window is open. */
const MAX_KEPT = 300;

export class VirtualDocuments implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #count = 0;
  /** Before a group was added below a list. */
  #layout: EditorLayout | undefined;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SHOWN_TEXT_SCHEME, {
      provideTextDocumentContent: (uri) => this.#texts.get(uri.query) ?? "",
    });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }

  /** The document's address. The name is shown in its tab. */
  uri(name: string, text: string): vscode.Uri {
    const id = String(++this.#count);
    this.#texts.set(id, text);
    const oldest = this.#texts.keys().next().value;
    if (this.#texts.size > MAX_KEPT && oldest !== undefined) this.#texts.delete(oldest);
    return vscode.Uri.from({ scheme: SHOWN_TEXT_SCHEME, path: `/${fileName(name)}`, query: id });
  }

  /** Opens a document of that text; Markdown as it is meant to be read. */
  async open(name: string, text: string): Promise<void> {
    if (name.endsWith(".md")) {
      await vscode.commands.executeCommand("markdown.showPreview", this.uri(name, text));
      return;
    }
    const document = await vscode.workspace.openTextDocument(this.uri(name, text));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Opens VS Code's diff editor; `before` stands left. */
  async diff(before: Side, after: Side, title: string): Promise<void> {
    const options: vscode.TextDocumentShowOptions = { preview: true, preserveFocus: true };
    const left = this.#side(before);
    await vscode.commands.executeCommand("vscode.diff", left, this.#side(after), title, options);
  }

  /** The same while a list is open, which covers the upper half of the editors: below them, until the list has ended. */
  async diffBelowList(before: Side, after: Side, title: string): Promise<void> {
    this.#layout ??= await this.#makeRoomBelow();
    const column = vscode.window.tabGroups.all.length;
    const options = { preview: true, preserveFocus: true, viewColumn: column };
    await vscode.commands.executeCommand(
      "vscode.diff",
      this.#side(before),
      this.#side(after),
      title,
      options,
    );
  }

  /** Adds a group of editors below the others. Out: how they were laid out before. */
  async #makeRoomBelow(): Promise<EditorLayout> {
    const before = await vscode.commands.executeCommand<EditorLayout>("vscode.getEditorLayout");
    const isRows = before.orientation === ROWS || before.groups.length === 1;
    const above = isRows ? before.groups : [{ groups: before.groups }];
    const groups = [...above.map((group) => ({ ...group, size: 0.5 / above.length })), { size: 0.5 }];
    await vscode.commands.executeCommand("vscode.setEditorLayout", { orientation: ROWS, groups });
    return before;
  }

  /** Closes the differences that were opened from a list, when that has ended. `title`: of an editor of several. */
  async closeDifferences(title?: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const ours = tabs.filter(({ input, label }) => {
      if (input instanceof vscode.TabInputTextDiff)
        return [input.original, input.modified].some((uri) => uri.scheme === SHOWN_TEXT_SCHEME);
      // VS Code has no stable type for an editor of several differences.
      return title !== undefined && !(input instanceof vscode.TabInputText) && label.startsWith(title);
    });
    if (ours.length > 0) await vscode.window.tabGroups.close(ours);
    const layout = this.#layout;
    this.#layout = undefined;
    if (layout !== undefined) await vscode.commands.executeCommand("vscode.setEditorLayout", layout);
  }

  /** Opens one editor with a difference for each file. `before: undefined`: it is made anew. */
  async diffAll(
    title: string,
    files: readonly { readonly file: vscode.Uri; readonly before: Side | undefined; readonly after: Side }[],
  ): Promise<void> {
    const resources = files.map(({ file, before, after }) => [
      file,
      before === undefined ? undefined : this.#side(before),
      this.#side(after),
    ]);
    await vscode.commands.executeCommand("vscode.changes", title, resources);
  }

  #side(side: Side): vscode.Uri {
    return side instanceof vscode.Uri ? side : this.uri(side.name, side.text);
  }
}

/** A text of a key as a document: the value, or each form below its category. */
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
