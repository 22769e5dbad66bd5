/** Ranges in open documents. */
import { Range, type TextDocument } from "vscode";
import type { Span } from "../../../model/span.ts";

/** Returns the range of a span, whose offsets are in UTF-16 units. */
export function documentRange(document: TextDocument, { start, end }: Span): Range {
  return new Range(document.positionAt(start), document.positionAt(end));
}
