/** Texts of a project's files, cached for one operation, to convert spans to VS Code locations. */
import * as vscode from "vscode";
import { decodeText, isUndecodable } from "../../formats/text/encoding.ts";
import type { Span } from "../../util/span.ts";
import { formatInfoOf } from "../../model/file-formats.ts";
import type { LocalEntry, LocalProblem } from "../../workspace/local-files/local-entries.ts";
import type { OpenProject } from "../projects/open-project.ts";
import { formatOfFile } from "./format-of-file.ts";
import { Lines } from "../ui/documents/positions.ts";

/** The text of a file on disk or, if it has unsaved changes, of its document. */
export interface FileText {
  readonly text: string;
  readonly lines: Lines;
}

export class FileTextCache {
  readonly #open: OpenProject;
  readonly #texts = new Map<string, FileText | undefined>();

  constructor(open: OpenProject) {
    this.#open = open;
  }

  /** Reads a file; `undefined` if it does not exist or is not text. */
  async read(path: string): Promise<FileText | undefined> {
    if (this.#texts.has(path)) return this.#texts.get(path);
    if (isBinary(this.#open, path)) return undefined;
    const content = await this.#open.files.read(path);
    // Only files of some formats can declare their encoding.
    const decoded =
      content.kind === "read" ? decodeText(content.bytes, formatOfFile(this.#open, path)) : undefined;
    const read =
      decoded === undefined || isUndecodable(decoded)
        ? undefined
        : { text: decoded.text, lines: new Lines(decoded.text) };
    this.#texts.set(path, read);
    return read;
  }

  /** Returns the location of a span; the start of a binary file; `undefined` if the file is missing or not decodable. */
  async location(path: string, span: Span): Promise<vscode.Location | undefined> {
    const uri = vscode.Uri.joinPath(this.#open.root, path);
    if (isBinary(this.#open, path)) return new vscode.Location(uri, new vscode.Position(0, 0));
    const read = await this.read(path);
    return read && new vscode.Location(uri, read.lines.range(span));
  }
}

/** Whether the file has a binary format (a workbook, a compiled catalogue). */
export function isBinary(open: OpenProject, path: string): boolean {
  return formatInfoOf(formatOfFile(open, path) ?? "")?.kind === "binary";
}

/** Returns the span of an entry, from its key to its value in either order. */
export function entrySpan({ entry: { keySpan, valueSpan } }: LocalEntry): Span {
  return {
    start: Math.min(keySpan.start, valueSpan.start),
    end: Math.max(keySpan.end, valueSpan.end),
  };
}

/** Adds line and column to a problem that has only an offset. `texts`: of the problem's project. */
export async function withLocation(problem: LocalProblem, texts: FileTextCache): Promise<LocalProblem> {
  if (problem.line !== null || problem.span === null || problem.span.end === 0) return problem;
  const location = await texts.location(problem.path, problem.span);
  if (location === undefined) return problem;
  const { line, character } = location.range.start;
  return { ...problem, line: line + 1, column: character + 1 };
}
