/** Folding ranges for PO files, one per entry including its comments, since VS Code folds by indentation only. */
import * as vscode from "vscode";
import { documentsWhere } from "../../model/file-formats.ts";
import type { App } from "../../vscode/app.ts";

const DOCUMENTS: vscode.DocumentSelector = documentsWhere(
  ({ family, kind }) => family === "gettext" && kind === "text",
);

/** Registers the folding. */
export function registerFolding(app: App): void {
  app.addDisposable(
    vscode.languages.registerFoldingRangeProvider(DOCUMENTS, {
      provideFoldingRanges: (document) =>
        app.projects.of(document.uri) === undefined ? undefined : blocksOf(document),
    }),
  );
}

/** Returns the blocks between empty lines; a block of comments only (obsolete entries) has the kind comment. */
function blocksOf(document: vscode.TextDocument): vscode.FoldingRange[] {
  const ranges: vscode.FoldingRange[] = [];
  let start = -1;
  let isComment = true;
  const end = (line: number): void => {
    if (start !== -1 && line - 1 > start) {
      const kind = isComment ? vscode.FoldingRangeKind.Comment : undefined;
      ranges.push(new vscode.FoldingRange(start, line - 1, kind));
    }
    start = -1;
    isComment = true;
  };
  for (let line = 0; line < document.lineCount; line++) {
    const { text, isEmptyOrWhitespace } = document.lineAt(line);
    if (isEmptyOrWhitespace) end(line);
    else {
      if (start === -1) start = line;
      isComment &&= text.startsWith("#");
    }
  }
  end(document.lineCount);
  return ranges;
}
