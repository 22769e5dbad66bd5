/** The tabs of a window: of texts, and custom editors, whose documents are changed, saved, reverted, undone and closed. */
import { CancellationTokenSource, EventEmitter, TabInputCustom, TabInputText, type Uri } from "./values.ts";
import type { TextDocument } from "./workspace.ts";

interface Tab {
  readonly input: unknown;
  readonly label: string;
  readonly isDirty: boolean;
  /** Whether the next file that is opened takes its place. */
  readonly isPreview: boolean;
}

interface CustomDocument {
  readonly uri: Uri;
  dispose(): void;
}

/** A change of a custom document; without `undo` it only is unsaved. */
interface Change {
  readonly document: CustomDocument;
  readonly label?: string;
  readonly undo?: () => unknown;
  readonly redo?: () => unknown;
}

/** What the extension registers, as far as it is called. */
interface CustomEditorProvider {
  onDidChangeCustomDocument(listener: (change: Change) => void): { dispose(): void };
  openCustomDocument(
    uri: Uri,
    context: { readonly backupId: string | undefined },
    token: object,
  ): Promise<CustomDocument>;
  resolveCustomEditor(document: CustomDocument, panel: object, token: object): void;
  saveCustomDocument(document: CustomDocument, token: object): Promise<void>;
  revertCustomDocument(document: CustomDocument, token: object): Promise<void>;
  backupCustomDocument(
    document: CustomDocument,
    context: { readonly destination: Uri },
    token: object,
  ): Promise<{ readonly id: string; delete(): void }>;
}

const { token: NOT_CANCELLED } = new CancellationTokenSource();
const providers = new Map<string, CustomEditorProvider>();
let tabs: readonly Tab[] = [];
let active: Tab | undefined;
const changedTabs = new EventEmitter<{
  readonly opened: readonly Tab[];
  readonly closed: readonly Tab[];
  readonly changed: readonly Tab[];
}>();
/** Fires when a custom editor is shown, whose page can be loaded then. */
export const openedCustomEditor = new EventEmitter<CustomEditor>();

/** A custom editor in its tab, as VS Code keeps it. */
export class CustomEditor implements Tab {
  readonly input: TabInputCustom;
  readonly label: string;
  readonly isPreview = false;
  readonly group = { viewColumn: 1 };
  readonly document: CustomDocument;
  /** The changes that can be undone, and then those that can be redone. */
  readonly #changes: Change[] = [];
  #current = 0;
  #saved = 0;
  #isChanged = false;
  readonly #provider: CustomEditorProvider;
  readonly #listening: { dispose(): void };
  readonly #toExtension = new EventEmitter<unknown>();
  readonly #toPage = new EventEmitter<unknown>();
  readonly #closed = new EventEmitter<void>();
  /** What the page posts to, and hears. */
  readonly page = {
    post: (message: unknown): void => this.#toExtension.fire(asSent(message)),
    on: this.#toPage.event,
  };
  readonly webview = {
    html: "",
    options: {},
    cspSource: "csp",
    asWebviewUri: (uri: Uri): Uri => uri,
    postMessage: (message: unknown): Promise<boolean> => {
      this.#toPage.fire(asSent(message));
      return Promise.resolve(true);
    },
    onDidReceiveMessage: this.#toExtension.event,
  };

  constructor(provider: CustomEditorProvider, document: CustomDocument, type: string) {
    this.input = new TabInputCustom(document.uri, type);
    this.label = document.uri.path.split("/").at(-1) ?? "";
    this.document = document;
    this.#provider = provider;
    this.#listening = provider.onDidChangeCustomDocument((change) => {
      if (change.document === document) this.#change(change);
    });
  }

  get isActive(): boolean {
    return active === this;
  }

  /** Shows the editor, and then its page, once. */
  resolve(): void {
    if (this.webview.html !== "") return;
    const panel = {
      webview: this.webview,
      onDidDispose: this.#closed.event,
      dispose: () => closeTabs([this]),
    };
    this.#provider.resolveCustomEditor(this.document, panel, NOT_CANCELLED);
    if (this.webview.html !== "") openedCustomEditor.fire(this);
  }

  get isDirty(): boolean {
    return this.#isChanged || this.#current !== this.#saved;
  }

  /** What Undo would undo. */
  get undoLabel(): string | undefined {
    return this.#changes[this.#current - 1]?.label;
  }

  undo(): void {
    if (this.#current === 0) throw new Error("there is nothing to undo");
    this.#current -= 1;
    this.#changes[this.#current]?.undo?.();
  }

  redo(): void {
    if (this.#current === this.#changes.length) throw new Error("there is nothing to redo");
    this.#changes[this.#current]?.redo?.();
    this.#current += 1;
  }

  /** Returns whether the provider saved it. */
  async save(): Promise<boolean> {
    try {
      await this.#provider.saveCustomDocument(this.document, NOT_CANCELLED);
    } catch {
      return false;
    }
    this.#isSavedNow();
    return true;
  }

  async revert(): Promise<void> {
    await this.#provider.revertCustomDocument(this.document, NOT_CANCELLED);
    this.#isSavedNow();
  }

  /** Returns the id of the backup, with which the editor can be opened in another window. */
  async backup(destination: Uri): Promise<string> {
    return (await this.#provider.backupCustomDocument(this.document, { destination }, NOT_CANCELLED)).id;
  }

  close(): void {
    this.#listening.dispose();
    this.#closed.fire();
    this.document.dispose();
  }

  #isSavedNow(): void {
    this.#saved = this.#current;
    this.#isChanged = false;
  }

  #change(change: Change): void {
    if (change.undo === undefined) {
      this.#isChanged = true;
      return;
    }
    this.#changes.splice(this.#current, this.#changes.length, change);
    this.#current += 1;
  }
}

/** What arrives of a message: VS Code sends it as JSON. */
function asSent(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message));
}

export function registerCustomEditorProvider(type: string, provider: CustomEditorProvider) {
  providers.set(type, provider);
  return { dispose: () => void providers.delete(type) };
}

/** Opens a custom editor as VS Code's command does: one for each URI. */
export async function openWith(
  uri: Uri,
  type: string,
  { background = false }: { readonly background?: boolean } = {},
  backupId?: string,
): Promise<void> {
  const provider = providers.get(type);
  if (provider === undefined) throw new Error(`there is no custom editor ${type}`);
  const shown = customEditorOf(uri);
  if (shown !== undefined) {
    active = shown;
    shown.resolve();
    return;
  }
  const document = await provider.openCustomDocument(uri, { backupId }, NOT_CANCELLED);
  const editor = new CustomEditor(provider, document, type);
  const before = active;
  addTab(editor);
  if (background) {
    // A page that is not shown is not loaded.
    active = before;
    return;
  }
  editor.resolve();
}

/** The custom editor of a URI, if its tab is open. */
export function customEditorOf(uri: Uri): CustomEditor | undefined {
  return customEditors().find(({ document }) => document.uri.toString() === uri.toString());
}

/** The open custom editors. */
export function customEditors(): readonly CustomEditor[] {
  return tabs.filter((tab) => tab instanceof CustomEditor);
}

/** Saves the custom editor in front. */
export async function saveActive(): Promise<void> {
  if (active instanceof CustomEditor) await active.save();
}

/** Shows a document in a tab of its own. */
export function showTextTab(document: TextDocument, isPreview: boolean): void {
  const isShown = (tab: Tab): boolean =>
    tab.input instanceof TabInputText &&
    !(tab.input instanceof TabInputCustom) &&
    tab.input.uri?.toString() === document.uri.toString();
  const shown = tabs.find(isShown);
  active = shown ?? {
    input: new TabInputText(document.uri),
    label: document.uri.path.split("/").at(-1) ?? "",
    isPreview,
    get isDirty() {
      return document.isDirty;
    },
  };
  if (shown === undefined) addTab(active);
}

function addTab(tab: Tab): void {
  tabs = [...tabs, tab];
  active = tab;
  changedTabs.fire({ opened: [tab], closed: [], changed: [] });
}

/** Closes tabs, without saving. */
export function closeTabs(closing: readonly Tab[]): void {
  const closed = tabs.filter((tab) => closing.includes(tab));
  tabs = tabs.filter((tab) => !closing.includes(tab));
  if (active !== undefined && closing.includes(active)) active = tabs.at(-1);
  for (const tab of closed) if (tab instanceof CustomEditor) tab.close();
  if (closed.length > 0) changedTabs.fire({ opened: [], closed, changed: [] });
}

/** Moves the tab of a document to another group, which closes it in its old one. */
export function moveTab(uri: Uri): void {
  const tab = tabs.find(
    ({ input }) => input instanceof TabInputText && input.uri?.toString() === uri.toString(),
  );
  if (tab === undefined) throw new Error(`${uri.path} is not open`);
  const moved = { input: tab.input, label: tab.label, isDirty: tab.isDirty, isPreview: tab.isPreview };
  tabs = [...tabs.filter((each) => each !== tab), moved];
  changedTabs.fire({ opened: [moved], closed: [tab], changed: [] });
}

/** Closes the tabs of a document, without saving. */
export function closeTabsOf(uri: Uri): void {
  closeTabs(
    tabs.filter(({ input }) => input instanceof TabInputText && input.uri?.toString() === uri.toString()),
  );
}

export const tabGroups = {
  get all() {
    return [{ tabs }];
  },
  get activeTabGroup() {
    return { activeTab: active };
  },
  onDidChangeTabs: changedTabs.event,
  close: async (closing: Tab | readonly Tab[]): Promise<boolean> => {
    closeTabs([closing].flat());
    return true;
  },
};

/** Closes all tabs. */
export function closeAllTabs(): void {
  closeTabs(tabs);
}
