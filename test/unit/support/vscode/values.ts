/** Values of VS Code's API: places in texts, events, and what providers return. They do nothing by themselves. */
import { isAbsolute, posix } from "node:path";

interface UriParts {
  /** Default: a file. */
  readonly scheme?: string;
  readonly authority?: string;
  readonly path?: string;
  readonly query?: string;
  readonly fragment?: string;
}

const encodePath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;

  private constructor({ scheme = "file", authority = "", path = "", query = "", fragment = "" }: UriParts) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
    this.query = query;
    this.fragment = fragment;
  }

  get fsPath(): string {
    return this.path;
  }

  static file(path: string): Uri {
    if (!isAbsolute(path)) throw new Error(`${path} is not absolute`);
    return new Uri({ scheme: "file", path });
  }

  static from(parts: UriParts): Uri {
    return new Uri(parts);
  }

  static parse(text: string): Uri {
    const [, scheme = "file", , authority = "", path = "", query = "", fragment = ""] =
      /^([a-z][\w+.-]*):(\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/isu.exec(text) ?? [];
    const decode = decodeURIComponent;
    return new Uri({
      scheme,
      authority: decode(authority),
      path: decode(path),
      query: decode(query),
      fragment: decode(fragment),
    });
  }

  static joinPath(uri: Uri, ...segments: readonly string[]): Uri {
    return uri.with({ path: posix.join(uri.path, ...segments) });
  }

  with(changes: Partial<UriParts>): Uri {
    const { scheme, authority, path, query, fragment } = this;
    return new Uri({ scheme, authority, path, query, fragment, ...changes });
  }

  /** @param isPlain nothing is encoded */
  toString(isPlain = false): string {
    const encode = isPlain ? (text: string): string => text : encodePath;
    const place = this.authority === "" && this.scheme !== "file" ? "" : `//${this.authority}`;
    const query = this.query === "" ? "" : `?${isPlain ? this.query : encodeURIComponent(this.query)}`;
    return `${this.scheme}:${place}${encode(this.path)}${query}`;
  }

  toJSON(): object {
    return { $mid: 1, scheme: this.scheme, path: this.path, fsPath: this.fsPath, external: this.toString() };
  }
}

type Listener<Value> = (value: Value) => unknown;

export class EventEmitter<Value> {
  readonly #listeners = new Set<Listener<Value>>();

  readonly event = (listener: Listener<Value>) => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  fire(value: Value): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }

  compareTo(other: Position): number {
    return this.line - other.line || this.character - other.character;
  }

  translate(lines = 0, characters = 0): Position {
    return new Position(this.line + lines, this.character + characters);
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(start: Position, end: Position);
  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number);
  constructor(a: Position | number, b: Position | number, line = 0, character = 0) {
    this.start = typeof a === "number" ? new Position(a, typeof b === "number" ? b : 0) : a;
    this.end = typeof b === "number" ? new Position(line, character) : b;
  }

  get isEmpty(): boolean {
    return this.start.compareTo(this.end) === 0;
  }

  get isSingleLine(): boolean {
    return this.start.line === this.end.line;
  }

  contains(position: Position): boolean {
    return this.start.compareTo(position) <= 0 && position.compareTo(this.end) <= 0;
  }

  union({ start, end }: Range): Range {
    return new Range(
      start.compareTo(this.start) < 0 ? start : this.start,
      end.compareTo(this.end) > 0 ? end : this.end,
    );
  }

  with({
    start = this.start,
    end = this.end,
  }: {
    readonly start?: Position;
    readonly end?: Position;
  }): Range {
    return new Range(start, end);
  }
}

export class Selection extends Range {
  get active(): Position {
    return this.end;
  }
}

export class Location {
  readonly uri: Uri;
  readonly range: Range;

  constructor(uri: Uri, place: Range | Position) {
    this.uri = uri;
    this.range = place instanceof Position ? new Range(place, place) : place;
  }
}

export class RelativePattern {
  readonly baseUri: Uri;
  readonly pattern: string;

  constructor(base: Uri, pattern: string) {
    this.baseUri = base;
    this.pattern = pattern;
  }
}

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
  /** As it is shown: without support for icons, their names are text. */
  readonly value: string;
  isTrusted: unknown = false;

  constructor(value: string, supportThemeIcons = false) {
    this.value = supportThemeIcons ? value : value.replaceAll("$(", String.raw`\$(`);
  }
}
export class SnippetString {
  value = "";

  appendText(text: string): this {
    this.value += text.replaceAll(/[$}\\]/gu, String.raw`\$&`);
    return this;
  }

  appendTabstop(number: number): this {
    this.value += `$${number}`;
    return this;
  }
}

export class Hover {
  readonly contents: MarkdownString;
  readonly range: Range;

  constructor(contents: MarkdownString, range: Range) {
    this.contents = contents;
    this.range = range;
  }
}
export class InlayHint {
  readonly position: Position;
  readonly label: string;
  tooltip: MarkdownString | undefined;

  constructor(position: Position, label: string) {
    this.position = position;
    this.label = label;
  }
}
export class CodeLens {
  readonly range: Range;
  command: Command | undefined;

  constructor(range: Range) {
    this.range = range;
  }
}
export class FoldingRange {
  readonly start: number;
  readonly end: number;
  readonly kind: number | undefined;

  constructor(start: number, end: number, kind?: number) {
    this.start = start;
    this.end = end;
    this.kind = kind;
  }
}
export class DocumentSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: number;
  range: Range;
  readonly selectionRange: Range;
  children: DocumentSymbol[] = [];

  constructor(name: string, detail: string, kind: number, range: Range, selectionRange: Range) {
    if (name === "") throw new Error("name must not be falsy");
    this.name = name;
    this.detail = detail;
    this.kind = kind;
    this.range = range;
    this.selectionRange = selectionRange;
  }
}
export class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: number;
  source: string | undefined;
  code: string | undefined;

  constructor(range: Range, message: string, severity: number) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}
export interface Command {
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}
export class CompletionItem {
  readonly label: { readonly label: string; readonly description?: string };
  readonly kind: number;
  command: Command | undefined;
  insertText: string | SnippetString = "";
  documentation: MarkdownString | undefined;
  detail: string | undefined;
  sortText = "";
  filterText = "";
  range: Range | undefined;

  constructor(label: { readonly label: string; readonly description?: string }, kind: number) {
    this.label = label;
    this.kind = kind;
  }
}
export class CompletionList {
  readonly items: readonly CompletionItem[];
  readonly isIncomplete: boolean;

  constructor(items: readonly CompletionItem[] = [], isIncomplete = false) {
    this.items = items;
    this.isIncomplete = isIncomplete;
  }
}
export class CodeActionKind {
  static readonly QuickFix = new CodeActionKind("quickfix");
  static readonly RefactorExtract = new CodeActionKind("refactor.extract");
  static readonly Source = new CodeActionKind("source");
  static readonly SourceFixAll = new CodeActionKind("source.fixAll");
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  append(part: string): CodeActionKind {
    return new CodeActionKind(`${this.value}.${part}`);
  }

  contains({ value }: CodeActionKind): boolean {
    return value === this.value || value.startsWith(`${this.value}.`);
  }

  intersects(other: CodeActionKind): boolean {
    return this.contains(other) || other.contains(this);
  }
}
export class CodeAction {
  title: string;
  readonly kind: CodeActionKind;
  command: Command | undefined;
  edit: WorkspaceEdit | undefined;
  isPreferred = false;

  constructor(title: string, kind: CodeActionKind) {
    this.title = title;
    this.kind = kind;
  }
}

export class WorkspaceEdit {
  readonly edits: {
    readonly uri: Uri;
    readonly range: Range;
    readonly text: string;
    readonly label?: string;
  }[] = [];
  readonly created: { readonly uri: Uri; readonly contents: Uint8Array }[] = [];

  get size(): number {
    return this.edits.length;
  }

  replace(uri: Uri, range: Range, text: string, metadata?: { readonly label: string }): void {
    this.edits.push({ uri, range, text, ...(metadata && { label: metadata.label }) });
  }

  insert(uri: Uri, position: Position, text: string): void {
    this.replace(uri, new Range(position, position), text);
  }

  createFile(uri: Uri, { contents }: { readonly contents: Uint8Array }): void {
    this.created.push({ uri, contents });
  }
}

export class FileSystemError extends Error {
  static FileNotFound({ path }: Uri): FileSystemError {
    return new FileSystemError(`${path} does not exist`);
  }

  static NoPermissions({ path }: Uri): FileSystemError {
    return new FileSystemError(`${path} may not be changed`);
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}

export class TabInputText {
  readonly uri: Uri | undefined;

  constructor(uri?: Uri) {
    this.uri = uri;
  }
}
export class TabInputCustom extends TabInputText {
  readonly viewType: string;

  constructor(uri: Uri, viewType: string) {
    super(uri);
    this.viewType = viewType;
  }
}
export class TabInputTextDiff {
  readonly original: Uri;
  readonly modified: Uri;

  constructor(original: Uri, modified: Uri) {
    this.original = original;
    this.modified = modified;
  }
}
export class TabInputWebview {
  readonly viewType: string;

  constructor(viewType: string) {
    this.viewType = viewType;
  }
}

export class LanguageModelError extends Error {}
export const LanguageModelChatMessage = { User: (content: string) => ({ content }) };
export class LanguageModelTextPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}
export class LanguageModelToolResult {
  readonly content: readonly LanguageModelTextPart[];

  constructor(content: readonly LanguageModelTextPart[]) {
    this.content = content;
  }
}
export class McpStdioServerDefinition {
  readonly label: string;
  readonly command: string;
  args: readonly string[];
  readonly env: object;
  readonly version: string;

  constructor(label: string, command: string, args: readonly string[], env: object, version: string) {
    this.label = label;
    this.command = command;
    this.args = args;
    this.env = env;
    this.version = version;
  }
}

export const TextDocumentSaveReason = { Manual: 1, AfterDelay: 2, FocusOut: 3 } as const;
export const ViewColumn = { Beside: -2 } as const;
export const FileType = { File: 1, Directory: 2, SymbolicLink: 64 } as const;
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 } as const;
export const QuickInputButtons = { Back: { tooltip: "Back" } } as const;
export const CompletionItemKind = { Field: 4, Module: 8, Constant: 20 } as const;
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 } as const;
export const SymbolKind = { Namespace: 2, Field: 7, String: 14 } as const;
export const FoldingRangeKind = { Comment: 1 } as const;
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const ProgressLocation = { Notification: 15 } as const;
export const StatusBarAlignment = { Left: 1 } as const;
