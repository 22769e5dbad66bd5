/** Texts of a project's files with their lines, each read once for one piece of work: places become VS Code's. */
import * as vscode from "vscode";
import type { FormatName } from "../../model/format-name.ts";
import { decodeText, isNotText } from "../../formats/encoding.ts";
import type { Span } from "../../model/span.ts";
import { formatOfPath } from "../../formats/recognise.ts";
import { factsOf } from "../../formats/format-facts.ts";
import type { LocalEntry } from "../../workspace/local-files/local-entries.ts";
import type { OpenProject } from "./project-handle.ts";
import { Lines } from "../ui/positions.ts";

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
    if (isBinary(this.#open, path)) return undefined;
    const content = await this.#open.files.read(path);
    // The format says whether the file may declare an encoding of its own.
    const decoded = content && decodeText(content.bytes, formatAt(this.#open, path));
    const read =
      decoded === undefined || isNotText(decoded)
        ? undefined
        : { text: decoded.text, lines: new Lines(decoded.text) };
    this.#texts.set(path, read);
    return read;
  }

  /** Where a part of a file stands, of one without text its beginning; `undefined`: it is gone, or in no known encoding. */
  async location(path: string, span: Span): Promise<vscode.Location | undefined> {
    const uri = vscode.Uri.joinPath(this.#open.root, path);
    if (isBinary(this.#open, path)) return new vscode.Location(uri, new vscode.Position(0, 0));
    const read = await this.read(path);
    return read && new vscode.Location(uri, read.lines.range(span));
  }
}

/** Whether the file is none that VS Code shows as text (a workbook, a compiled catalogue). */
export function isBinary(open: OpenProject, path: string): boolean {
  return factsOf(formatAt(open, path) ?? "")?.kind === "binary";
}

/** The format that a file of the project has, by its layout, else by its name. */
export function formatAt(open: OpenProject, path: string): FormatName | undefined {
  return open.local.placeOf(path)?.entry.format ?? formatOfPath(path) ?? undefined;
}

/** The whole of an entry: from its name to its value, whichever stands first. */
export function entrySpan({ entry: { keySpan, valueSpan } }: LocalEntry): Span {
  return {
    start: Math.min(keySpan.start, valueSpan.start),
    end: Math.max(keySpan.end, valueSpan.end),
  };
}
