/** What a window shows, and what a user does there: lists, input boxes, notifications, views and editors. */
import { closeAllTabs, registerCustomEditorProvider, showTextTab, tabGroups } from "./tabs.ts";
import {
  EventEmitter,
  QuickPickItemKind,
  Range,
  Selection,
  type Uri,
  CancellationTokenSource,
} from "./values.ts";
import { TextDocument, workspace } from "./workspace.ts";
import { failTest } from "../fail-test.ts";

const nothing = { dispose: () => undefined };

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly kind?: number;
  /** Whether it is checked from the beginning. */
  readonly picked?: boolean;
  readonly buttons?: readonly Button[];
}
interface Button {
  readonly tooltip: string;
}
interface ListOptions {
  readonly title?: string;
  readonly placeHolder?: string;
  readonly canPickMany?: boolean;
}

type Pick = string | ((items: readonly Item[], options: ListOptions) => Item | readonly Item[] | undefined);

/** What is picked in the next lists of `showQuickPick`. */
const picks: Pick[] = [];

/** Picks the first row whose label contains the words, or what a function returns, in the next list that closes with a pick. */
export function pickInNextList(pick: Pick): void {
  picks.push(pick);
}

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
  /** Whether what is typed cannot be read by others. */
  password = false;
  /** Whether it stays open when another window has the focus. */
  ignoreFocusOut = false;
  /** Nobody can type in a disabled one. */
  enabled = true;
  busy = false;
  /** Which box it is of how many. */
  step: number | undefined;
  totalSteps: number | undefined;
  buttons: readonly Button[] = [];
  readonly #accepted = new EventEmitter<void>();
  readonly #hidden = new EventEmitter<void>();
  readonly #pressed = new EventEmitter<Button>();
  readonly #changed = new EventEmitter<string>();

  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidChangeValue = this.#changed.event;
  readonly onDidTriggerButton = this.#pressed.event;

  show(): void {
    const answer = typed.shift();
    if (answer === undefined) throw new Error(`nobody answers “${this.title}”`);
    if (!this.ignoreFocusOut) failTest(new Error(`“${this.title}” closes while a person looks elsewhere`));
    void Promise.resolve()
      .then(() => answer(this))
      .catch((error: unknown) => {
        failTest(error);
        // The command ends, too.
        this.hide();
      });
  }

  /** Types a text in place of what is there. */
  type(text: string): void {
    if (!this.enabled) throw new Error(`“${this.title}” is disabled`);
    this.value = text;
    this.#changed.fire(text);
  }

  /** Presses a button in the title. */
  press(tooltip: string): void {
    const button = this.buttons.find((each) => each.tooltip === tooltip);
    if (button === undefined) throw new Error(`there is no button ${tooltip}`);
    this.#pressed.fire(button);
  }

  /** Presses Enter. */
  accept(): void {
    this.#accepted.fire();
  }

  /** Closes it: nobody can do anything in it any more. */
  hide(): void {
    this.#hidden.fire();
    this.dispose();
  }

  dispose(): void {
    for (const each of [this.#accepted, this.#hidden, this.#pressed, this.#changed]) each.dispose();
  }
}

/** A list that a command fills, as a user sees and uses it. */
export class QuickPick {
  #items: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  activeItems: readonly Item[] = [];
  buttons: readonly Button[] = [];
  busy = false;
  title = "";
  placeholder = "";
  value = "";
  canSelectMany = false;
  readonly #accepted = new EventEmitter<void>();
  readonly #hidden = new EventEmitter<void>();
  readonly #selected = new EventEmitter<readonly Item[]>();
  readonly #active = new EventEmitter<readonly Item[]>();
  readonly #changed = new EventEmitter<string>();
  readonly #pressed = new EventEmitter<Button>();
  readonly #pressedOfItem = new EventEmitter<{ readonly item: Item; readonly button: Button }>();

  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidChangeSelection = this.#selected.event;
  readonly onDidChangeActive = this.#active.event;
  readonly onDidChangeValue = this.#changed.event;
  readonly onDidTriggerButton = this.#pressed.event;
  readonly onDidTriggerItemButton = this.#pressedOfItem.event;

  get items(): readonly Item[] {
    return this.#items;
  }

  set items(items: readonly Item[]) {
    this.#items = items;
    this.activeItems = items.slice(0, 1);
  }

  /** The labels of the rows, without headings, and of those that are checked. */
  get rows(): readonly string[] {
    return this.items.filter(({ kind }) => kind !== QuickPickItemKind.Separator).map(({ label }) => label);
  }
  get checked(): readonly string[] {
    return this.selectedItems.map(({ label }) => label);
  }

  /** Types a text in place of what is there. */
  type(text: string): void {
    this.value = text;
    this.#changed.fire(text);
  }

  /** Moves to the first row whose label contains the words. */
  move(words: string): void {
    this.activeItems = [this.#row(words)];
    this.#active.fire(this.activeItems);
  }

  /** Toggles the check box of the first row whose label contains the words. */
  toggle(words: string): void {
    const item = this.#row(words);
    this.selectedItems = this.selectedItems.includes(item)
      ? this.selectedItems.filter((each) => each !== item)
      : [...this.selectedItems, item];
    this.#selected.fire(this.selectedItems);
  }

  /** Presses a button of a row, or of the title. */
  press(tooltip: string, words?: string): void {
    const item = words === undefined ? undefined : this.#row(words);
    const button = (item?.buttons ?? this.buttons).find((each) => each.tooltip === tooltip);
    if (button === undefined) throw new Error(`there is no button ${tooltip}`);
    if (item === undefined) this.#pressed.fire(button);
    else this.#pressedOfItem.fire({ item, button });
  }

  /** Presses Enter; of a list without check boxes the active row is selected. */
  accept(): void {
    if (!this.canSelectMany) this.selectedItems = this.activeItems;
    this.#accepted.fire();
  }

  /** Closes it: nobody can do anything in it any more. */
  hide(): void {
    this.#hidden.fire();
    this.dispose();
  }

  show(): void {
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`nobody answers the list “${this.title}”`);
    void Promise.resolve()
      .then(() => answer(this))
      .catch((error: unknown) => {
        failTest(error);
        // The command ends, too.
        this.hide();
      });
  }

  dispose(): void {
    for (const each of [this.#accepted, this.#hidden, this.#selected, this.#active]) each.dispose();
    for (const each of [this.#changed, this.#pressed, this.#pressedOfItem]) each.dispose();
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

interface Message {
  readonly kind: "information" | "warning" | "error";
  readonly text: string;
  readonly actions: readonly string[];
}

/** The notifications that were shown. */
export const messages: Message[] = [];
const clicks: string[] = [];

/** Clicks the action in the next notification that has it. */
export function clickInNextMessage(action: string): void {
  clicks.push(action);
}

function showMessage(kind: Message["kind"]) {
  return (text: string, ...actions: readonly string[]): Promise<string | undefined> => {
    messages.push({ kind, text, actions });
    const index = clicks.findIndex((action) => actions.includes(action));
    return Promise.resolve(index === -1 ? undefined : clicks.splice(index, 1)[0]);
  };
}

export interface TextEditor {
  readonly document: TextDocument;
  selection: Selection;
}

interface View {
  title: string;
  description: string;
  message: string;
  badge: unknown;
  readonly treeDataProvider: unknown;
  dispose(): void;
}

interface StatusBarItem {
  text: string;
  tooltip: string;
  isShown: boolean;
  /** What a click runs. */
  command: { readonly command: string; readonly arguments: readonly object[] } | undefined;
  backgroundColor: unknown;
  accessibilityInformation?: { readonly label: string };
  show(): void;
  hide(): void;
  dispose(): void;
}

/** The views by id, the items of the status bar, and the log. */
export const views = new Map<string, View>();
export const statusBarItems = new Map<string, StatusBarItem>();
export const logged: string[] = [];

const changedEditors = new EventEmitter<readonly TextEditor[]>();
const changedActive = new EventEmitter<TextEditor | undefined>();
export const changedFocus = new EventEmitter<{ readonly focused: boolean }>();

/** Closes all editors, and forgets what was shown. */
export function closeEditors(): void {
  closeAllTabs();
  window.activeTextEditor = undefined;
  window.visibleTextEditors = [];
  forgetAnswers();
  for (const list of [messages, logged]) list.length = 0;
  views.clear();
  statusBarItems.clear();
}

/** Forgets answers that no list, input box or message has used. */
export function forgetAnswers(): void {
  for (const list of [picks, typed, answers, clicks]) list.length = 0;
}

export const window = {
  activeTextEditor: undefined as TextEditor | undefined,
  visibleTextEditors: [] as readonly TextEditor[],
  state: { focused: true },
  onDidChangeActiveTextEditor: changedActive.event,
  onDidChangeVisibleTextEditors: changedEditors.event,
  onDidChangeWindowState: changedFocus.event,
  createOutputChannel: () => {
    const log = (level: string) => (text: string) => void logged.push(`${level}: ${text}`);
    const ignore = (): void => undefined;
    return {
      debug: ignore,
      info: log("info"),
      warn: log("warn"),
      error: log("error"),
      show: ignore,
      dispose: ignore,
    };
  },
  createStatusBarItem: (id: string): StatusBarItem => {
    const item: StatusBarItem = {
      text: "",
      tooltip: "",
      isShown: false,
      command: undefined,
      backgroundColor: undefined,
      show: () => void (item.isShown = true),
      hide: () => void (item.isShown = false),
      dispose: () => undefined,
    };
    statusBarItems.set(id, item);
    return item;
  },
  setStatusBarMessage: (_text: string, _hideAfterMs: number) => nothing,
  registerCustomEditorProvider,
  withProgress: <Result>(
    _options: object,
    work: (progress: object, token: CancellationTokenSource["token"]) => Promise<Result>,
  ): Promise<Result> => work({ report: () => undefined }, new CancellationTokenSource().token),
  showTextDocument: async (
    shown: TextDocument | Uri,
    {
      selection,
      preserveFocus = false,
      preview = true,
    }: { readonly selection?: Range; readonly preserveFocus?: boolean; readonly preview?: boolean } = {},
  ): Promise<TextEditor> => {
    const document = shown instanceof TextDocument ? shown : await workspace.openTextDocument(shown);
    const { start, end } = selection ?? new Range(0, 0, 0, 0);
    const editor = { document, selection: new Selection(start, end) };
    showTextTab(document, preview);
    window.visibleTextEditors = [editor];
    if (!preserveFocus) window.activeTextEditor = editor;
    changedEditors.fire(window.visibleTextEditors);
    changedActive.fire(window.activeTextEditor);
    return editor;
  },
  tabGroups,
  showInformationMessage: showMessage("information"),
  showWarningMessage: showMessage("warning"),
  showErrorMessage: showMessage("error"),
  showOpenDialog: (): Promise<readonly Uri[] | undefined> => Promise.resolve(undefined),
  showSaveDialog: (): Promise<Uri | undefined> => Promise.resolve(undefined),
  createTreeView: (id: string, { treeDataProvider }: { readonly treeDataProvider: unknown }): View => {
    const view = { title: "", description: "", message: "", badge: undefined, treeDataProvider, ...nothing };
    views.set(id, view);
    return view;
  },
  createQuickPick: (): QuickPick => new QuickPick(),
  createInputBox: (): InputBox => new InputBox(),
  showInputBox: async (options: {
    readonly title?: string;
    readonly value?: string;
    readonly prompt?: string;
    readonly ignoreFocusOut?: boolean;
    readonly validateInput?: (
      value: string,
    ) => Promise<string | null | undefined> | string | null | undefined;
  }): Promise<string | undefined> => {
    const { title = "", value = "", prompt = "", ignoreFocusOut = false } = options;
    const box = Object.assign(new InputBox(), { title, value, prompt, ignoreFocusOut });
    let answer: string | undefined;
    const close = (problem: string | null | undefined): void => {
      box.validationMessage = problem ?? "";
      // VS Code accepts no value that has a message.
      if (box.validationMessage !== "") return;
      answer = box.value;
      box.hide();
    };
    const accept = (): void => {
      const problem = options.validateInput?.(box.value);
      if (problem instanceof Promise) void problem.then(close);
      else close(problem);
    };
    box.onDidAccept(accept);
    await new Promise<void>((resolve) => {
      box.onDidHide(resolve);
      box.show();
    });
    return answer;
  },
  showQuickPick: async (
    items: readonly Item[] | Promise<readonly Item[]>,
    options: ListOptions = {},
  ): Promise<Item | readonly Item[] | undefined> => {
    const pick = picks.shift();
    if (pick === undefined)
      throw new Error(`nobody answers the list “${options.title ?? options.placeHolder ?? ""}”`);
    const all = await items;
    if (typeof pick === "string") return all.find(({ label }) => label.includes(pick));
    try {
      return pick(all, options);
    } catch (error) {
      failTest(error);
      return undefined;
    }
  },
};
