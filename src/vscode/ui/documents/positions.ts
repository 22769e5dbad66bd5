/** Conversion between offsets in texts and VS Code positions. */
import * as vscode from "vscode";
import { LineStarts } from "../../../util/line-starts.ts";
import type { Span } from "../../../util/span.ts";

/** The line index of a file's text, independent of the line endings of its document. */
export class Lines extends LineStarts {
  override position(offset: number): vscode.Position {
    const { line, character } = super.position(offset);
    return new vscode.Position(line, character);
  }

  range(span: Span): vscode.Range {
    return new vscode.Range(this.position(span.start), this.position(span.end));
  }
}

/** Returns the range of a span in an open document. */
export function documentRange(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
