/** Conversion between offsets in texts and VS Code positions. */
import * as vscode from "vscode";
import type { Span } from "../../../util/span.ts";

/** The line index of a file's text, independent of the line endings of its document. */
export class Lines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    if (text.includes("\r")) {
      for (const found of text.matchAll(/\r\n|\n|\r/g)) this.#starts.push(found.index + found[0].length);
      return;
    }
    // Ten times as fast, for files of many thousand lines.
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  position(offset: number): vscode.Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return new vscode.Position(low, Math.max(0, offset - (this.#starts[low] ?? 0)));
  }

  offset({ line, character }: vscode.Position): number {
    return (this.#starts[line] ?? 0) + character;
  }

  /** Returns the span of a line including its line break. */
  line(line: number): Span {
    return { start: this.#starts[line] ?? Infinity, end: this.#starts[line + 1] ?? Infinity };
  }

  range(span: Span): vscode.Range {
    return new vscode.Range(this.position(span.start), this.position(span.end));
  }
}

/** Returns the range of a span in an open document. */
export function documentRange(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
