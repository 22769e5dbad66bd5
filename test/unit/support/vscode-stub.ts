/**
 * The part of VS Code's API that localization, paths, notifications, lists, rows, language models and virtual files use, in English,
 * for code that needs nothing else of VS Code.
 */
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { isAbsolute, posix } from "node:path";

export const env = { language: "en" };

export const l10n = {
  t: (message: string, ...values: readonly (string | number | boolean)[]): string =>
    message.replaceAll(/\{(\d+)\}/gu, (place, index: string) => String(values[Number(index)] ?? place)),
};

/** The URI of a file on this machine. */
export class Uri {
  readonly scheme = "file";
  readonly authority = "";
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  get fsPath(): string {
    return this.path;
  }

  static file(path: string): Uri {
    if (!isAbsolute(path)) throw new Error(`${path} is not absolute`);
    return new Uri(path);
  }

  static from({ path }: { readonly path: string }): Uri {
    return new Uri(path);
  }

  static parse(text: string): Uri {
    return new Uri(text);
  }

  static joinPath({ path }: Uri, ...segments: readonly string[]): Uri {
    return new Uri(posix.join(path, ...segments));
  }

  toString(): string {
    return `file://${this.path}`;
  }
}

export class EventEmitter<Value> {
  readonly #listeners = new Set<(value: Value) => unknown>();

  readonly event = (listener: (value: Value) => unknown) => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  fire(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export const TextDocumentSaveReason = { Manual: 1, AfterDelay: 2, FocusOut: 3 } as const;
export const ViewColumn = { Beside: -2 } as const;
export class TabInputText {
  readonly uri: Uri | undefined = undefined;
}
export class TabInputCustom extends TabInputText {}

const nothing = { dispose: () => undefined };
/** Fires before a document is saved. */
export const willSave = new EventEmitter<{
  readonly document: { readonly uri: { readonly scheme: string; readonly path: string } };
  readonly reason: number;
}>();

/** Positions are offsets. */
export class Range {
  readonly start: number;
  readonly end: number;

  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }
}

/** An open document, as a user types into it. */
export class TextDocument {
  readonly uri: Uri;
  readonly encoding = "utf8";
  readonly isClosed = false;
  isDirty = false;
  version = 1;
  #text: string;

  constructor(uri: Uri, text: string) {
    this.uri = uri;
    this.#text = text;
  }

  getText(): string {
    return this.#text;
  }

  positionAt(offset: number): number {
    return offset;
  }

  offsetAt(position: number): number {
    return position;
  }

  /** Replaces a part of the text, which is not saved. */
  type({ start, end }: Range, text: string): void {
    this.#text = this.#text.slice(0, start) + text + this.#text.slice(end);
    this.isDirty = true;
    this.version += 1;
  }
}

export class WorkspaceEdit {
  readonly edits: { readonly uri: Uri; readonly range: Range; readonly text: string }[] = [];

  get size(): number {
    return this.edits.length;
  }

  replace(uri: Uri, range: Range, text: string): void {
    this.edits.push({ uri, range, text });
  }
}

export const FileType = { File: 1, Directory: 2, SymbolicLink: 64 } as const;

export const workspace = {
  isTrusted: true,
  fs: {
    stat: async ({ fsPath }: Uri) => {
      const { size } = await stat(fsPath);
      return { type: FileType.File, size };
    },
    readFile: ({ fsPath }: Uri) => readFile(fsPath),
    writeFile: ({ fsPath }: Uri, bytes: Uint8Array) => writeFile(fsPath, bytes),
    delete: ({ fsPath }: Uri) => rm(fsPath),
  },
  registerFileSystemProvider: () => nothing,
  onWillSaveTextDocument: willSave.event,
  onDidChangeTextDocument: () => nothing,
  textDocuments: [] as TextDocument[],
  applyEdit: ({ edits }: WorkspaceEdit): Promise<boolean> => {
    for (const { uri, range, text } of edits)
      workspace.textDocuments.find((each) => each.uri.path === uri.path)?.type(range, text);
    return Promise.resolve(true);
  },
  openTextDocument: (uri: Uri): Promise<{ readonly uri: Uri }> => Promise.resolve({ uri }),
};

export const languages = { setTextDocumentLanguage: <Document>(document: Document): Document => document };

/** Notifications that nobody answers, and no tabs. */
export const window = {
  setStatusBarMessage: () => nothing,
  showTextDocument: (): Promise<undefined> => Promise.resolve(undefined),
  tabGroups: {
    all: [],
    onDidChangeTabs: () => nothing,
    close: (): Promise<boolean> => Promise.resolve(true),
  },
  showInformationMessage: (): Promise<undefined> => Promise.resolve(undefined),
  showWarningMessage: (): Promise<undefined> => Promise.resolve(undefined),
  showErrorMessage: (): Promise<undefined> => Promise.resolve(undefined),
  createTreeView: () => ({ title: "", ...nothing }),
  createQuickPick: (): QuickPick => new QuickPick(),
  createInputBox: (): InputBox => new InputBox(),
  showInputBox: async (options: {
    readonly title?: string;
    readonly value?: string;
    readonly validateInput?: (value: string) => string | undefined;
  }): Promise<string | undefined> => {
    const box = Object.assign(new InputBox(), { title: options.title ?? "", value: options.value ?? "" });
    let answer: string | undefined;
    box.onDidAccept(() => {
      box.validationMessage = options.validateInput?.(box.value) ?? "";
      // VS Code accepts no value that has a message.
      if (box.validationMessage !== "") return;
      answer = box.value;
      box.hide();
    });
    await new Promise<void>((resolve) => {
      box.onDidHide(() => resolve());
      box.show();
    });
    return answer;
  },
  showQuickPick: (
    items: readonly Item[],
    { title }: { readonly title?: string } = {},
  ): Promise<Item | undefined> => {
    const words = picks.shift();
    if (words === undefined) throw new Error(`nobody answers the list “${title ?? ""}”`);
    return Promise.resolve(items.find(({ label }) => label.includes(words)));
  },
};

/** The name of a codicon, and its colour. */
export class ThemeIcon {
  readonly id: string;
  readonly color: ThemeColor | undefined;

  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}
export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}
export class MarkdownString {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;

export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;

interface Item {
  readonly label: string;
  readonly kind?: number;
  readonly buttons?: readonly Button[];
}
interface Button {
  readonly tooltip: string;
}
/** What is picked in the next lists of `showQuickPick`. */
const picks: string[] = [];

/** Picks the first row whose label contains the words in the next list that closes with a pick. */
export function pickInNextList(words: string): void {
  picks.push(words);
}

type Listener<Value> = (value: Value) => unknown;

export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 } as const;
export const QuickInputButtons = { Back: { tooltip: "Back" } } as const;

/** What a user does in the next input boxes. */
const typed: ((input: InputBox) => Promise<void> | void)[] = [];

export function answerNextInput(answer: (input: InputBox) => Promise<void> | void): void {
  typed.push(answer);
}

/** An input box, as a user sees and uses it. */
export class InputBox {
  value = "";
  title = "";
  prompt = "";
  validationMessage: unknown = "";
  buttons: readonly Button[] = [];
  readonly #accepted: Listener<void>[] = [];
  readonly #hidden: Listener<void>[] = [];
  readonly #pressed: Listener<Button>[] = [];

  readonly onDidAccept = (listener: Listener<void>) => this.#accepted.push(listener);
  readonly onDidHide = (listener: Listener<void>) => this.#hidden.push(listener);
  readonly onDidChangeValue = () => nothing;
  readonly onDidTriggerButton = (listener: Listener<Button>) => this.#pressed.push(listener);

  show(): void {
    const answer = typed.shift();
    if (answer === undefined) throw new Error(`nobody answers “${this.title}”`);
    void Promise.resolve()
      .then(() => answer(this))
      .catch((error: unknown) => {
        // The command ends, too.
        this.hide();
        throw error;
      });
  }

  /** Presses a button in the title. */
  press(tooltip: string): void {
    const button = this.buttons.find((each) => each.tooltip === tooltip);
    if (button === undefined) throw new Error(`there is no button ${tooltip}`);
    for (const listener of this.#pressed) listener(button);
  }

  /** Presses Enter. */
  accept(): void {
    for (const listener of this.#accepted) listener();
  }

  hide(): void {
    for (const listener of this.#hidden) listener();
  }

  dispose(): void {
    this.#accepted.length = 0;
    this.#hidden.length = 0;
  }
}

/** A list with check boxes, as a user sees and uses it. */
export class QuickPick {
  items: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  buttons: readonly Button[] = [];
  title = "";
  placeholder = "";
  readonly #accepted: Listener<void>[] = [];
  readonly #hidden: Listener<void>[] = [];
  readonly #selected: Listener<readonly Item[]>[] = [];
  readonly #pressed: Listener<Button>[] = [];
  readonly #pressedOfItem: Listener<{ readonly item: Item; readonly button: Button }>[] = [];

  readonly onDidAccept = (listener: Listener<void>) => this.#accepted.push(listener);
  readonly onDidHide = (listener: Listener<void>) => this.#hidden.push(listener);
  readonly onDidChangeSelection = (listener: Listener<readonly Item[]>) => this.#selected.push(listener);
  readonly onDidTriggerButton = (listener: Listener<Button>) => this.#pressed.push(listener);
  readonly onDidTriggerItemButton = (listener: Listener<{ readonly item: Item; readonly button: Button }>) =>
    this.#pressedOfItem.push(listener);

  /** The labels of the rows, without headings, and of those that are checked. */
  get rows(): readonly string[] {
    return this.items.filter(({ kind }) => kind !== QuickPickItemKind.Separator).map(({ label }) => label);
  }
  get checked(): readonly string[] {
    return this.selectedItems.map(({ label }) => label);
  }

  /** Toggles the check box of the first row whose label contains the words. */
  toggle(words: string): void {
    const item = this.#row(words);
    this.selectedItems = this.selectedItems.includes(item)
      ? this.selectedItems.filter((each) => each !== item)
      : [...this.selectedItems, item];
    for (const listener of this.#selected) listener(this.selectedItems);
  }

  /** Presses a button of a row, or of the title. */
  press(tooltip: string, words?: string): void {
    const item = words === undefined ? undefined : this.#row(words);
    const button = (item?.buttons ?? this.buttons).find((each) => each.tooltip === tooltip);
    if (button === undefined) throw new Error(`there is no button ${tooltip}`);
    if (item === undefined) for (const listener of this.#pressed) listener(button);
    else for (const listener of this.#pressedOfItem) listener({ item, button });
  }

  accept(): void {
    for (const listener of this.#accepted) listener();
  }

  hide(): void {
    for (const listener of this.#hidden.splice(0)) listener();
  }

  show(): void {
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`nobody answers the list “${this.title}”`);
    void Promise.resolve()
      .then(() => answer(this))
      .catch((error: unknown) => {
        // The command ends, too.
        this.hide();
        throw error;
      });
  }

  dispose(): void {
    this.#hidden.splice(0);
  }

  #row(words: string): Item {
    const item = this.items.find(
      ({ label, kind }) => kind !== QuickPickItemKind.Separator && label.includes(words),
    );
    if (item === undefined) throw new Error(`no row has the words ${words}`);
    return item;
  }
}

const answers: ((pick: QuickPick) => unknown)[] = [];

/** Answers the next list. */
export function answerNextList(answer: (pick: QuickPick) => unknown): void {
  answers.push(answer);
}

export class LanguageModelError extends Error {}
export const LanguageModelChatMessage = { User: (content: string) => ({ content }) };
export class CancellationTokenSource {
  readonly token = {};
  cancel(): void {}
  dispose(): void {}
}

type AnswerRequest = (messages: readonly string[]) => Promise<string>;

/** The editor's language models: none until `provideModel`. */
export const lm: { selectChatModels?: () => Promise<readonly object[]> } = {};

/** Provides a language model that answers so; `null`: none any more. */
export function provideModel(answerRequest: AnswerRequest | null): void {
  if (answerRequest === null) {
    delete lm.selectChatModels;
    return;
  }
  const sendRequest = async (messages: readonly { readonly content: string }[]) => {
    const answer = await answerRequest(messages.map(({ content }) => content));
    return {
      text: (async function* () {
        yield answer;
      })(),
    };
  };
  const model = { id: "test-model", name: "Test model", maxInputTokens: 100_000, sendRequest };
  lm.selectChatModels = () => Promise.resolve([model]);
}
