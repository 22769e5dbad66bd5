/**
 * The whole extension in a window without VS Code (`vscode-stub.ts`): its real projects and databases, on files of a temporary
 * folder. A test opens files, and asks what the extension provides there, or runs commands.
 */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExtensionContext } from "vscode";
import type { CommandDeclaration, FieldsOf, OptionsOf } from "../../../src/commands/define-command.ts";
import type { CommandResult } from "../../../src/commands/command-types.ts";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import { signInCommand } from "../../../src/commands/declarations/session-commands.ts";
import { activate } from "../../../src/extension.ts";
import { contextKey, setContextKey, type ContextKeys } from "../../../src/vscode/context-keys.ts";
import { startService, type RunningService } from "../../../src/local-service/start-service.ts";
import { temporaryFolder } from "./node-platform.ts";
import { waitUntil } from "./wait-until.ts";
import {
  builtInCommands,
  CancellationTokenSource,
  type CodeLens,
  closeEditors,
  commands,
  EventEmitter,
  type Hover,
  type InlayHint,
  openFolders,
  problems,
  providersFor,
  Range,
  Selection,
  type TextDocument,
  type TextEditor,
  Uri,
  views,
  window,
  workspace,
} from "./vscode-stub.ts";

const REPOSITORY = join(import.meta.dirname, "../../..");
const INDEXING_PROCESS = "dist/indexer-process.mjs";
/** No path on any system: starting it fails at once. */
const NO_PROGRAM = "\0";

interface EditorOptions {
  readonly files: Readonly<Record<string, string>>;
  /** A folder with more files, which are copied. */
  readonly copied?: string;
  /** The folders of the window, below that of the files; default: that one. */
  readonly folders?: readonly string[];
  /** Starts a service with this project, and signs in to it. */
  readonly service?: object;
  /** Whether files are indexed in a process; default: in this one, as where no process can be started. */
  readonly indexingProcess?: boolean;
}

interface TreeProvider {
  getChildren(node?: unknown): Promise<readonly unknown[]>;
  getTreeItem(node: unknown): TreeRow;
  readonly onDidChangeTreeData: (listener: () => void) => unknown;
}

interface TreeRow {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly contextValue?: string;
  readonly command?: { readonly command: string; readonly arguments: readonly object[] };
}

/** A window, until it is closed; there is one at a time. */
export class Editor {
  readonly folder: string;
  readonly service: RunningService | null;
  /** What VS Code stores for the extension. */
  readonly stored: Stored;
  readonly #open: () => () => void;
  readonly #remove: () => Promise<void>;
  #close: () => void;

  /** @param open opens the window, and returns what closes it @param remove removes its files, and stops its service */
  constructor(
    folder: string,
    service: RunningService | null,
    stored: Stored,
    open: () => () => void,
    remove: () => Promise<void>,
  ) {
    this.folder = folder;
    this.service = service;
    this.stored = stored;
    this.#open = open;
    this.#remove = remove;
    this.#close = open();
  }

  async close(): Promise<void> {
    this.#close();
    await this.#remove();
  }

  /** Closes the window, and opens it again. What VS Code stores for the extension is there then, settings are not. */
  async reload(whileClosed: () => Promise<void> | void = () => undefined): Promise<void> {
    this.#close();
    await whileClosed();
    this.#close = this.#open();
    await this.run(listKeysCommand, {});
  }

  /** Runs a command with `confirm: false`. */
  run<Declared extends CommandDeclaration>(
    declaration: Declared,
    options: OptionsOf<Declared>,
  ): Promise<CommandResult<FieldsOf<Declared>>> {
    return this.ask(declaration, { ...options, confirm: false });
  }

  /** Runs a command as a user does. */
  ask<Declared extends CommandDeclaration>(
    { id }: Declared,
    options: OptionsOf<Declared>,
  ): Promise<CommandResult<FieldsOf<Declared>>> {
    return commands.executeCommand(id, options) as Promise<CommandResult<FieldsOf<Declared>>>;
  }

  uri(path: string): Uri {
    return Uri.file(join(this.folder, path));
  }

  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), "utf8");
  }

  /** The text that an editor shows of a file. */
  async text(path: string): Promise<string> {
    return (await this.show(path)).document.getText();
  }

  write(path: string, text: string): Promise<void> {
    return writeBelow(this.folder, path, text);
  }

  /** Opens a file, with the cursor at the bar in the words: `t("ti|tle")`. What is between two bars is selected. */
  async show(path: string, words = "|"): Promise<TextEditor> {
    const editor = await window.showTextDocument(this.uri(path));
    editor.selection = selectionIn(editor.document, words);
    return editor;
  }

  /** Calls a provider of a kind (`Hover`) at a place of a file, which is opened; the first answer counts. */
  async provide<Answer>(
    kind: string,
    method: string,
    path: string,
    words = "|",
    ...more: readonly unknown[]
  ): Promise<Answer> {
    const { document, selection } = await this.show(path, words);
    const refused: unknown[] = [];
    for (const provider of providersFor<Record<string, (...args: readonly unknown[]) => unknown>>(
      kind,
      document,
    )) {
      try {
        const answer = await provider[method]?.(document, selection.active, ...more, NOT_CANCELLED);
        if (answer !== undefined) return answer as Answer;
      } catch (error) {
        refused.push(error);
      }
    }
    // As VS Code does, if another one has no answer either.
    if (refused.length > 0) throw refused[0];
    return undefined as Answer;
  }

  /** Calls all providers of a kind with these arguments, after the document of a file, which is opened. */
  async provideAll<Answer>(
    kind: string,
    method: string,
    path: string,
    ...args: readonly unknown[]
  ): Promise<readonly Answer[]> {
    const { document } = await this.show(path);
    const providers = providersFor<Record<string, (...given: readonly unknown[]) => unknown>>(kind, document);
    return Promise.all(
      providers.map(
        async (provider) => (await provider[method]?.(document, ...args, NOT_CANCELLED)) as Answer,
      ),
    );
  }

  /** Returns the hover at a place, with readable links. */
  async hover(path: string, words: string): Promise<string | undefined> {
    const hover = await this.provide<Hover | undefined>("Hover", "provideHover", path, words);
    return hover && this.readable(hover.contents.value);
  }

  /** Returns the inlay hints of a file: line, character and text. */
  async hints(path: string): Promise<readonly string[]> {
    const { document } = await this.show(path);
    const whole = new Range(document.positionAt(0), document.positionAt(document.getText().length));
    const all = await this.provideAll<readonly InlayHint[]>("InlayHints", "provideInlayHints", path, whole);
    return all.flat().map(({ position, label }) => `${position.line + 1}:${position.character} ${label}`);
  }

  /** Returns the code lenses of a file: line and text. */
  async lenses(path: string): Promise<readonly string[]> {
    return (await this.#lensesOf(path)).map(
      ({ range, command }) => `${range.start.line + 1} ${command?.title ?? ""}`,
    );
  }

  /** Clicks the first lens of a file with this text. */
  async clickLens(path: string, text: string): Promise<void> {
    const { command } = (await this.#lensesOf(path)).find((lens) => lens.command?.title === text) ?? {};
    if (command === undefined) throw new Error(`no lens says ${text}`);
    await commands.executeCommand(command.command, ...(command.arguments ?? []));
  }

  async #lensesOf(path: string): Promise<readonly CodeLens[]> {
    const { document } = await this.show(path);
    const [provider] = providersFor<{
      provideCodeLenses(shown: TextDocument): Promise<readonly CodeLens[]>;
      resolveCodeLens(lens: CodeLens): Promise<CodeLens>;
    }>("CodeLens", document);
    const lenses: CodeLens[] = [];
    for (const lens of (await provider?.provideCodeLenses(document)) ?? [])
      lenses.push((await provider?.resolveCodeLens(lens)) ?? lens);
    return lenses;
  }

  /**
   * Returns Markdown with line breaks that can be seen, and readable links: the command and its options, with the folder relative to
   * that of the files.
   */
  readable(text: string): string {
    return text
      .replaceAll("  \n", " ⏎\n")
      .replaceAll(
        /command:projectTranslations\.(\w+)\?([^\s)]+)/gu,
        (_link, command: string, given: string) => {
          const [options] = JSON.parse(decodeURIComponent(given)) as [Record<string, unknown>];
          return `${command} ${Object.values(options).join(" ").replace(this.folder, ".")}`;
        },
      );
  }

  /** The lines of the problems that are shown of a file. */
  problems(path: string): readonly string[] {
    return problems.of(this.uri(path)).map(({ range, message }) => `${range.start.line + 1}: ${message}`);
  }

  /** Returns the rows of a view, as label and description, or those below rows that begin with these words. */
  async rows(view: string, ...path: readonly string[]): Promise<readonly string[]> {
    return (await this.#rowsOf(view, path)).map(({ text }) => text);
  }

  /** Returns a row of a view, as VS Code draws it. */
  async row(view: string, ...path: readonly string[]): Promise<TreeRow> {
    const words = path.at(-1) ?? "";
    return rowThatBeginsWith(await this.#rowsOf(view, path.slice(0, -1)), words).item;
  }

  /** Follows the rows of a view. Returns what they were when the view last said that they have changed. */
  follow(view: string): () => readonly string[] {
    const provider = views.get(`projectTranslations.${view}`)?.treeDataProvider as TreeProvider;
    let shown: readonly string[] = [];
    provider.onDidChangeTreeData(() => void this.rows(view).then((rows) => (shown = rows)));
    return () => shown;
  }

  /** Runs a command of the menu of a row. */
  async runOnRow<Declared extends CommandDeclaration>(
    { id }: Declared,
    view: string,
    ...path: readonly string[]
  ): Promise<CommandResult<FieldsOf<Declared>>> {
    const { node } = rowThatBeginsWith(await this.#rowsOf(view, path.slice(0, -1)), path.at(-1) ?? "");
    return commands.executeCommand(id, node, undefined) as Promise<CommandResult<FieldsOf<Declared>>>;
  }

  /** Returns the last difference that was shown: its title, and the texts of both sides. */
  async difference(): Promise<readonly string[]> {
    const [, before, after, title] = builtInCommands.findLast(([id]) => id === "vscode.diff") ?? [];
    const texts = [before, after].map(async (uri) =>
      (await workspace.openTextDocument(uri as Uri)).getText(),
    );
    return [title as string, ...(await Promise.all(texts))];
  }

  /** Returns the last document with a report that was shown. */
  async report(): Promise<string> {
    const [, uri] = builtInCommands.findLast(([id]) => id === "markdown.showPreview") ?? [];
    return (await workspace.openTextDocument(uri as Uri)).getText();
  }

  /** Sends a request to the service, as somebody else does. */
  async request<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const { baseUrl = "", token = "" } = this.service ?? {};
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${baseUrl}${path}`, { method, headers, ...sent });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  async #rowsOf(view: string, path: readonly string[]) {
    const provider = views.get(`projectTranslations.${view}`)?.treeDataProvider as TreeProvider;
    const rowsBelow = async (parent?: unknown) =>
      (await provider.getChildren(parent)).map((node) => {
        const item = provider.getTreeItem(node);
        return { node, item, text: [item.label, item.description].filter((part) => part !== "").join(" | ") };
      });
    let rows = await rowsBelow();
    const above: string[] = [];
    for (const words of path) {
      const { node, item } = rowThatBeginsWith(rows, words);
      above.push(item.id);
      rows = await rowsBelow(node);
    }
    // VS Code shows none of them if two have the same id.
    const ids = [...above, ...rows.map(({ item }) => item.id)];
    if (new Set(ids).size < ids.length) throw new Error(`two rows have the same id: ${ids.join("; ")}`);
    return rows;
  }
}

function rowThatBeginsWith<Row extends { readonly text: string }>(rows: readonly Row[], words: string): Row {
  const row = rows.find(({ text }) => text.startsWith(words));
  if (row !== undefined) return row;
  throw new Error(`no row begins with “${words}”: ${rows.map(({ text }) => text).join("; ")}`);
}

export const NOT_CANCELLED = new CancellationTokenSource().token;

/** Waits until a condition of menus (`state`) has this value: it follows what happened, but not at once. */
export const contextKeyIs = <Name extends keyof ContextKeys>(
  name: Name,
  value: ContextKeys[Name],
): Promise<void> => waitUntil(() => contextKey(name) === value);

/** Finds the words, which have a bar where the cursor is, or two around what is selected. */
export function selectionIn(document: TextDocument, words: string): Selection {
  const [before = "", selected = "", after] = words.split("|");
  const whole = document.getText().indexOf(words.replaceAll("|", ""));
  if (whole === -1) throw new Error(`${document.uri.path} does not have ${words}`);
  const start = whole + before.length;
  const end = after === undefined ? start : start + selected.length;
  return new Selection(document.positionAt(start), document.positionAt(end));
}

/** Returns places as paths and the words there: `src/a.ts: title`. */
export async function wordsAt(
  editor: Editor,
  places: readonly { readonly uri: Uri; readonly range: Range }[],
): Promise<readonly string[]> {
  const texts = await Promise.all(
    places.map(async ({ uri, range }) => {
      const { document } = await window.showTextDocument(uri, { preserveFocus: true });
      return `${uri.path.slice(editor.folder.length + 1)}: ${document.getText(range)}`;
    }),
  );
  return texts;
}

async function writeBelow(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** Opens a window; resolves when its keys are read. */
export async function openEditor({
  files,
  copied,
  folders = ["."],
  service: project,
  indexingProcess = false,
}: EditorOptions): Promise<Editor> {
  // What another test did not use.
  closeEditors();
  const { path: outside, remove } = await temporaryFolder();
  const folder = join(outside, "app");
  if (copied !== undefined) await cp(copied, folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeBelow(folder, path, text);
  if (project !== undefined) await writeBelow(outside, "service.json", JSON.stringify(project));
  const service =
    project === undefined ? null : await startService({ project: join(outside, "service.json") });
  const stored = createStored(join(outside, "storage"));
  const open = (): (() => void) => {
    // What another window has set is not known in this one.
    setContextKey("state", "unknown");
    for (const name of ["serviceRunning", "listening", "usageReport"] as const) setContextKey(name, false);
    openFolders(folders.map((path) => join(folder, path)));
    const context = createContext(stored, indexingProcess);
    activate(context as unknown as ExtensionContext);
    return () => {
      for (const each of context.subscriptions.toReversed()) each.dispose();
      openFolders([]);
      closeEditors();
    };
  };
  const editor = new Editor(folder, service, stored, open, async () => {
    await service?.stop();
    await remove();
  });
  if (service !== null) {
    const { baseUrl, token } = service;
    const { outcome } = await editor.run(signInCommand, { baseUrl, token });
    if (outcome !== "done") throw new Error(`the sign-in ended as ${outcome}`);
  }
  if (folders.length === 1) await editor.run(listKeysCommand, {});
  return editor;
}

/** What VS Code stores for an extension: all but its folder in memory. */
type Stored = ReturnType<typeof createStored>;

export function createStored(folder: string) {
  const changed = new EventEmitter<{ readonly key: string }>();
  const values = new Map<string, string>();
  return {
    folder,
    globalState: memento(),
    workspaceState: memento(),
    secrets: {
      get: (name: string) => Promise.resolve(values.get(name)),
      store: async (name: string, value: string) => {
        values.set(name, value);
        changed.fire({ key: name });
      },
      delete: async (name: string) => {
        values.delete(name);
        changed.fire({ key: name });
      },
      keys: () => [...values.keys()],
      onDidChange: changed.event,
    },
  };
}

/** What VS Code gives to an extension. */
export function createContext({ folder, ...stored }: Stored, indexingProcess = false) {
  const manifest = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as object;
  return {
    ...stored,
    subscriptions: [] as { dispose(): void }[],
    extensionUri: Uri.file(REPOSITORY),
    asAbsolutePath: (path: string) =>
      path === INDEXING_PROCESS && !indexingProcess ? NO_PROGRAM : join(REPOSITORY, path),
    globalStorageUri: Uri.file(folder),
    extension: { id: "test.project-translations", packageJSON: manifest },
  };
}

function memento() {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (name: string, missing?: unknown) => values.get(name) ?? missing,
    update: async (name: string, value: unknown) => {
      if (value === undefined) values.delete(name);
      else values.set(name, value);
    },
  };
}
