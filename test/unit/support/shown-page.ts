/** The page of the translation editor in a window without VS Code: what it is asked to show, and what it calls. */
import { createBirpc, type BirpcReturn } from "birpc";
import type {
  EditorFunctions,
  PageFunctions,
  ShownTable,
  View,
} from "../../../src/webview/translation-editor/editor-protocol.ts";
import { ALL_ROWS, type RowQuery } from "../../../src/model/translation-editor-filters.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { type CustomEditor, openedCustomEditor } from "./vscode-stub.ts";

/** The hash of a key without a context. */
export const hashOf = (namespace: string, key: string): string => keyHash({ namespace, key, context: null });

/** A page, until its editor is closed. */
export class ShownPage {
  readonly editor: CustomEditor;
  /** What it was asked to show, the last at the end. */
  readonly views: View[] = [];
  readonly changed: ShownTable[] = [];
  /** The functions of the extension. */
  readonly call: BirpcReturn<EditorFunctions, PageFunctions>;

  constructor(editor: CustomEditor) {
    this.editor = editor;
    const functions: PageFunctions = {
      show: async (view) => void this.views.push(view),
      changed: (tables) => void this.changed.push(...tables),
    };
    this.call = createBirpc<EditorFunctions, PageFunctions>(functions, { ...editor.page, timeout: -1 });
  }

  /** Returns the names of the keys that a query finds, in order. */
  async find(query: Partial<RowQuery>, locales: readonly string[]): Promise<readonly string[]> {
    const { rows } = await this.call.find({ ...ALL_ROWS, ...query }, locales, null);
    return rows.map(({ key }) => key);
  }

  /** Returns a cell as text and states: `Je mandje [unsaved]`. */
  async cell(namespace: string, key: string, locale: string): Promise<string> {
    const { rows } = await this.call.rows([hashOf(namespace, key)], [locale]);
    const cell = rows[0]?.cells[locale];
    if (cell === undefined) throw new Error(`there is no cell of ${key} in ${locale}`);
    const { parts, states } = cell;
    const text = parts.map((part) => part.text).join(" / ");
    return states.length === 0 ? text : `${text} [${states.join(", ")}]`;
  }
}

/** The pages that were loaded since; each is ready at once. */
export function followPages(): { readonly pages: readonly ShownPage[]; dispose(): void } {
  const pages: ShownPage[] = [];
  const { dispose } = openedCustomEditor.event((editor) => {
    const page = new ShownPage(editor);
    pages.push(page);
    void page.call.ready.asEvent();
  });
  return { pages, dispose };
}
