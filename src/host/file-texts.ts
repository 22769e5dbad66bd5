/** Texts of a project's files with their lines, each read once for one piece of work: places become VS Code's. */
import * as vscode from "vscode";
import { decodeText, isNotText } from "../core/bytes.ts";
import type { Span } from "../core/formats/format.ts";
import type { LocalEntry } from "../core/local-entries.ts";
import type { OpenProject } from "./app.ts";
import { Lines } from "./places.ts";

/** One file as it is on disk, or as the editor shows it. */
export interface FileText {
  readonly text: string;
  readonly lines: Lines;
}

export class FileTexts {
  readonly #open: OpenProject;
  readonly #texts = new Map<string, FileText | undefined>();

  constructor(open: OpenProject) {
    this.#open = open;
  }

  /** `undefined`: it is gone, or no text. */
  async read(path: string): Promise<FileText | undefined> {
    if (this.#texts.has(path)) return this.#texts.get(path);
    const content = await this.#open.files.read(path);
    const decoded = content && decodeText(content.bytes);
    const read =
      decoded === undefined || isNotText(decoded)
        ? undefined
        : { text: decoded.text, lines: new Lines(decoded.text) };
    this.#texts.set(path, read);
    return read;
  }

  /** Where a part of a file stands; `undefined` as in `read`. */
  async location(path: string, span: Span): Promise<vscode.Location | undefined> {
    const read = await this.read(path);
    const uri = vscode.Uri.joinPath(this.#open.root, path);
    return read && new vscode.Location(uri, read.lines.range(span));
  }
}

/** The whole of an entry: from its name to its value, whichever stands first. */
export function entrySpan({ entry: { keySpan, valueSpan } }: LocalEntry): Span {
  return {
    start: Math.min(keySpan.start, valueSpan.start),
    end: Math.max(keySpan.end, valueSpan.end),
  };
}
