/** Documents, files and settings of VS Code, as far as the extension uses them: files are those on disk. */
import { existsSync, readdirSync, readFileSync, statSync, watch, type FSWatcher } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, matchesGlob, relative } from "node:path";
import { customEditorOf } from "./tabs.ts";
import type { Range, RelativePattern } from "./values.ts";
import {
  EventEmitter,
  FileType,
  Position,
  TextDocumentSaveReason,
  Uri,
  type WorkspaceEdit,
} from "./values.ts";

const LANGUAGES: Readonly<Record<string, string>> = {
  ".js": "javascript",
  ".json": "json",
  ".php": "php",
  ".po": "po",
  ".ts": "typescript",
  ".tsx": "typescriptreact",
  ".vue": "vue",
};

interface ContentChange {
  readonly text: string;
}

export const changedText = new EventEmitter<{
  readonly document: TextDocument;
  readonly contentChanges: readonly ContentChange[];
}>();

/** An open document, as a user types into it. */
export class TextDocument {
  readonly uri: Uri;
  languageId: string;
  encoding = "utf8";
  isClosed = false;
  isDirty = false;
  version = 1;
  #text: string;

  constructor(uri: Uri, text: string) {
    this.uri = uri;
    this.languageId = LANGUAGES[extname(uri.path)] ?? "plaintext";
    this.#text = text;
  }

  get lineCount(): number {
    return this.#text.split("\n").length;
  }

  getText(range?: Range): string {
    return range === undefined
      ? this.#text
      : this.#text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }

  lineAt(line: number) {
    const text = (this.#text.split("\n")[line] ?? "").replace(/\r$/u, "");
    return { text, isEmptyOrWhitespace: text.trim() === "" };
  }

  positionAt(offset: number): Position {
    const lines = this.#text.slice(0, Math.max(0, offset)).split("\n");
    return new Position(lines.length - 1, lines.at(-1)?.length ?? 0);
  }

  offsetAt({ line, character }: Position): number {
    const lines = this.#text.split("\n");
    const before = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
    return before + Math.min(character, lines[line]?.length ?? 0);
  }

  /** Replaces a part of the text, which is not saved. */
  type(range: Range, text: string): void {
    const [start, end] = [this.offsetAt(range.start), this.offsetAt(range.end)];
    this.isDirty = true;
    this.#change(this.#text.slice(0, start) + text + this.#text.slice(end));
  }

  async save(reason: number = TextDocumentSaveReason.Manual): Promise<boolean> {
    willSave.fire({ document: this, reason });
    const bytes = new TextEncoder().encode(this.#text);
    const system = fileSystems.get(this.uri.scheme);
    if (system === undefined) await writeFile(this.uri.fsPath, bytes);
    else system.writeFile(this.uri, bytes);
    this.isDirty = false;
    return true;
  }

  /** Shows what is on disk, unless there are unsaved changes. */
  reload(): void {
    const isThere = this.uri.scheme === "file" && existsSync(this.uri.fsPath);
    const text = isThere ? readFileSync(this.uri.fsPath, "utf8") : this.#text;
    if (!this.isDirty && text !== this.#text) this.#change(text);
  }

  #change(text: string): void {
    this.#text = text;
    this.version += 1;
    changedText.fire({ document: this, contentChanges: [{ text }] });
  }
}

interface FileEvents {
  readonly matches: (path: string) => boolean;
  readonly created: EventEmitter<Uri>;
  readonly changed: EventEmitter<Uri>;
  readonly deleted: EventEmitter<Uri>;
}

const watchers = new Set<FileEvents>();

function createFileSystemWatcher(
  glob: string | RelativePattern,
  ignoresCreated = false,
  ignoresChanged = false,
  ignoresDeleted = false,
) {
  const pattern = typeof glob === "string" ? glob : glob.pattern;
  const base = typeof glob === "string" ? null : glob.baseUri.path;
  const events: FileEvents = {
    matches: (path) => {
      const folder =
        base ?? workspace.workspaceFolders?.find(({ uri }) => path.startsWith(`${uri.path}/`))?.uri.path;
      return folder !== undefined && matchesGlob(relative(folder, path), pattern);
    },
    created: new EventEmitter(),
    changed: new EventEmitter(),
    deleted: new EventEmitter(),
  };
  watchers.add(events);
  const none = () => ({ dispose: () => undefined });
  return {
    onDidCreate: ignoresCreated ? none : events.created.event,
    onDidChange: ignoresChanged ? none : events.changed.event,
    onDidDelete: ignoresDeleted ? none : events.deleted.event,
    dispose: () => void watchers.delete(events),
  };
}

/** Tells the watchers of the window of a file. */
export function tellOfFile(kind: "created" | "changed" | "deleted", path: string): void {
  for (const events of [...watchers]) if (events.matches(path)) events[kind].fire(Uri.file(path));
}

/**
 * Tells of changes of the files in a folder and those below, and reloads documents, as VS Code does. Each folder is watched by
 * itself: Node loses sight of a file that another one replaces.
 */
class FolderWatcher {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #known = new Set<string>();

  constructor(folder: string) {
    this.#watch(folder, false);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #watch(folder: string, isNew: boolean): void {
    if (this.#watchers.has(folder)) return;
    const changed = (_event: string, name: string | null): void => {
      if (name !== null) this.#changed(join(folder, name));
    };
    this.#watchers.set(folder, watch(folder, changed));
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) this.#watch(path, isNew);
      else if (isNew) this.#changed(path);
      else this.#known.add(path);
    }
  }

  #changed(path: string): void {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) {
      this.#watch(path, true);
      return;
    }
    const kind = found === undefined ? "deleted" : this.#known.has(path) ? "changed" : "created";
    if (found === undefined) this.#known.delete(path);
    else this.#known.add(path);
    for (const document of workspace.textDocuments) if (document.uri.path === path) document.reload();
    tellOfFile(kind, path);
  }
}

interface WorkspaceFolder {
  readonly uri: Uri;
  readonly name: string;
}

let folderWatchers: readonly FolderWatcher[] = [];

/** Opens these folders in the window, in place of others; none closes it. */
export function openFolders(folders: readonly string[]): void {
  for (const watcher of folderWatchers) watcher.close();
  workspace.workspaceFolders = folders.map((path) => ({ uri: Uri.file(path), name: basename(path) }));
  folderWatchers = workspace.workspaceFolders.map(({ uri }) => new FolderWatcher(uri.fsPath));
  if (folders.length > 0) {
    foldersChanged.fire();
    return;
  }
  workspace.workspaceFolders = undefined;
  workspace.textDocuments = [];
  workspace.isTrusted = true;
  settings = [];
}

/** File events are lost from now on, until other folders are opened: on some disks there are none, and others are late. */
export function loseFileEvents(): void {
  for (const watcher of folderWatchers) watcher.close();
}

/** The defaults of the manifest, and those of VS Code that the extension reads. */
const DEFAULTS = new Map<string, unknown>([
  ["files.encoding", "utf8"],
  ["files.autoGuessEncoding", false],
  ["files.autoSave", "off"],
  ["files.exclude", {}],
]);
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../../../package.json"), "utf8")) as {
  contributes: { configuration: { properties: Record<string, { default: unknown }> } };
};
for (const [name, { default: value }] of Object.entries(manifest.contributes.configuration.properties))
  DEFAULTS.set(name, value);

/** Where a setting is set: for everything, the files of a folder of the window, or those of a language. */
interface SettingScope {
  readonly folder?: Uri;
  readonly language?: string;
}

interface Setting extends SettingScope {
  readonly name: string;
  readonly value: unknown;
  readonly target: number;
}

let settings: readonly Setting[] = [];
const changedSettings = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();
const isSameScope = (a: SettingScope, b: SettingScope): boolean =>
  a.folder?.toString() === b.folder?.toString() && a.language === b.language;

/** Changes a setting, by default one of the user for everything. */
export function setSetting(name: string, value: unknown, target = 1, scope: SettingScope = {}): void {
  const others = settings.filter(
    (each) => each.name !== name || each.target !== target || !isSameScope(each, scope),
  );
  settings = [...others, { name, value, target, ...scope }];
  changedSettings.fire({ affectsConfiguration: (section) => name.startsWith(section) });
}

/** Takes back what was set. */
export function resetSettings(): void {
  const names = settings.map(({ name }) => name);
  settings = [];
  if (names.length === 0) return;
  changedSettings.fire({ affectsConfiguration: (section) => names.some((name) => name.startsWith(section)) });
}

function getConfiguration(section: string, scope?: Uri | TextDocument | null) {
  const document = scope instanceof TextDocument ? scope : undefined;
  const uri = document?.uri ?? (scope instanceof Uri ? scope : undefined);
  const folder = uri && workspace.getWorkspaceFolder(uri)?.uri;
  // Those of the folder come first, then those of the workspace.
  const all = (name: string): readonly Setting[] =>
    settings.filter((each) => each.name === `${section}.${name}`).toSorted((a, b) => b.target - a.target);
  const isHere = (each: Setting): boolean =>
    isSameScope(each, {}) || (folder !== undefined && isSameScope(each, { folder }));
  /** The one that counts: of the language, else of the folder, else of everything. */
  const settingOf = (name: string): Setting | undefined =>
    all(name).find(({ language }) => language !== undefined && language === document?.languageId) ??
    all(name).find((each) => folder !== undefined && each.folder?.toString() === folder.toString()) ??
    all(name).find((each) => isSameScope(each, {}));
  return {
    get: <Value>(name: string, missing?: Value): Value =>
      (settingOf(name)?.value ?? DEFAULTS.get(`${section}.${name}`) ?? missing) as Value,
    inspect: (name: string) => {
      const of = (target: number): unknown =>
        all(name).find((each) => each.target === target && isHere(each))?.value;
      const languageIds = all(name).flatMap(({ language }) => language ?? []);
      return { globalValue: of(1), workspaceValue: of(2), workspaceFolderValue: of(3), languageIds };
    },
    update: async (name: string, value: unknown, target: number) =>
      setSetting(`${section}.${name}`, value, target, target === 3 && folder !== undefined ? { folder } : {}),
  };
}

const nothing = { dispose: () => undefined };
/** Fires before a document is saved. */
export const willSave = new EventEmitter<{
  readonly document: { readonly uri: { readonly scheme: string; readonly path: string } };
  readonly reason: number;
}>();
const opened = new EventEmitter<TextDocument>();
const closed = new EventEmitter<TextDocument>();
const foldersChanged = new EventEmitter<void>();
export const trustGranted = new EventEmitter<void>();
interface FileSystem {
  readFile(uri: Uri): Uint8Array;
  writeFile(uri: Uri, bytes: Uint8Array): void;
}

/** The file systems of the extension, and the contents of its virtual documents, by scheme. */
const fileSystems = new Map<string, FileSystem>();
const contents = new Map<string, { provideTextDocumentContent(uri: Uri): string }>();

/** Closes a document, without saving it. */
export function closeDocument(document: TextDocument): void {
  document.isClosed = true;
  workspace.textDocuments = workspace.textDocuments.filter((each) => each !== document);
  closed.fire(document);
}

function isIn({ uri }: WorkspaceFolder, { path, scheme }: Uri): boolean {
  return scheme === uri.scheme && (path === uri.path || path.startsWith(`${uri.path}/`));
}

export const workspace = {
  isTrusted: true,
  workspaceFolders: undefined as readonly WorkspaceFolder[] | undefined,
  fs: {
    stat: async ({ fsPath }: Uri) => {
      const found = await stat(fsPath);
      return { type: found.isFile() ? FileType.File : FileType.Directory, size: found.size };
    },
    readFile: ({ fsPath }: Uri) => readFile(fsPath),
    writeFile: async ({ fsPath }: Uri, bytes: Uint8Array) => {
      await mkdir(dirname(fsPath), { recursive: true });
      await writeFile(fsPath, bytes);
    },
    createDirectory: async ({ fsPath }: Uri) => void (await mkdir(fsPath, { recursive: true })),
    delete: ({ fsPath }: Uri) => rm(fsPath),
  },
  getWorkspaceFolder: (uri: Uri) => workspace.workspaceFolders?.find((folder) => isIn(folder, uri)),
  asRelativePath: ({ path, fsPath }: Uri, withFolder = false): string => {
    const folder = workspace.workspaceFolders?.find(({ uri }) => path.startsWith(`${uri.path}/`));
    if (folder === undefined) return fsPath;
    return join(withFolder ? folder.name : "", relative(folder.uri.path, path));
  },
  getConfiguration,
  createFileSystemWatcher,
  registerFileSystemProvider: (scheme: string, system: FileSystem) => {
    fileSystems.set(scheme, system);
    return nothing;
  },
  registerTextDocumentContentProvider: (
    scheme: string,
    provider: { provideTextDocumentContent(uri: Uri): string },
  ) => {
    contents.set(scheme, provider);
    return nothing;
  },
  onDidChangeConfiguration: changedSettings.event,
  onDidGrantWorkspaceTrust: trustGranted.event,
  onDidChangeWorkspaceFolders: foldersChanged.event,
  onDidOpenTextDocument: opened.event,
  onDidCloseTextDocument: closed.event,
  onWillSaveTextDocument: willSave.event,
  onDidChangeTextDocument: changedText.event,
  textDocuments: [] as TextDocument[],
  applyEdit: async ({ edits, created }: WorkspaceEdit): Promise<boolean> => {
    for (const { uri, contents: bytes } of created) await workspace.fs.writeFile(uri, bytes);
    // From the end on, so that the places of the others stay.
    const fromEnd = edits.toSorted((a, b) => b.range.start.compareTo(a.range.start));
    for (const { uri, range, text } of fromEnd) (await workspace.openTextDocument(uri)).type(range, text);
    return true;
  },
  openTextDocument: async (uri: Uri): Promise<TextDocument> => {
    const known = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (known !== undefined) return known;
    const bytes = fileSystems.get(uri.scheme)?.readFile(uri);
    const provided = contents.get(uri.scheme)?.provideTextDocumentContent(uri);
    const read = bytes === undefined ? provided : new TextDecoder().decode(bytes);
    const text = read ?? (uri.scheme === "file" ? await readFile(uri.fsPath, "utf8") : "");
    const document = new TextDocument(uri, text);
    workspace.textDocuments.push(document);
    opened.fire(document);
    return document;
  },
  save: async (uri: Uri): Promise<Uri | undefined> => {
    const isSaved = await customEditorOf(uri)?.save();
    return isSaved === false ? undefined : uri;
  },
};
