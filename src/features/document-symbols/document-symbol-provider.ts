/**
 * Document symbols for translation files: outline, breadcrumbs and "Go to Symbol in Editor". Only for formats for which
 * VS Code has no outline.
 */
import { documentsWhere, formatInfoOf } from "../../model/file-formats.ts";
import * as vscode from "vscode";
import type { LocalEntry } from "../../workspace/local-files/local-entries.ts";
import type { App } from "../../vscode/app.ts";
import { localDocument, type LocalDocument } from "../../vscode/files/entry-at-position.ts";
import { textLine } from "../../messages/labels.ts";

const DOCUMENTS: vscode.DocumentSelector = documentsWhere(({ outline }) => outline !== null);

/** Registers the symbols. */
export function registerDocumentSymbols(app: App): void {
  const register = (): vscode.Disposable =>
    vscode.languages.registerDocumentSymbolProvider(DOCUMENTS, {
      provideDocumentSymbols: async (document) => {
        const local = await localDocument(app, document);
        return local === undefined ? undefined : symbolsOf(local);
      },
    });
  let registered = register();
  app.addDisposable({ dispose: () => registered.dispose() });
  // VS Code caches the outline until the text changes, so it must be invalidated when a file becomes a translation file.
  app.addDisposable(
    app.projects.onDidChange(() => {
      registered.dispose();
      registered = register();
    }),
  );
}

/**
 * Returns the entries nested in their groups; a group spans its first to last entry. In a spreadsheet the languages of a
 * row are nested in its key.
 */
function symbolsOf({ file, lines }: LocalDocument): vscode.DocumentSymbol[] {
  const roots: vscode.DocumentSymbol[] = [];
  const groups = new Map<string, vscode.DocumentSymbol>();
  const isNested = formatInfoOf(file.location.entry.format)?.outline === "nested";
  for (const entries of Map.groupBy(file.entries, ({ entry }) => entry.keySpan.start).values()) {
    const [first, ...others] = entries;
    if (first === undefined) continue;
    const { key, keySpan } = first.entry;
    const parts = isNested ? key.split(".") : [key];
    const name = shownName(parts.pop() ?? key);
    const range = others.reduce((whole, each) => whole.union(rangeOf(each, lines)), rangeOf(first, lines));
    let siblings = roots;
    for (const [index, part] of parts.entries()) {
      const path = parts.slice(0, index + 1).join(".");
      let group = groups.get(path);
      if (group === undefined) {
        group = new vscode.DocumentSymbol(shownName(part), "", vscode.SymbolKind.Namespace, range, range);
        groups.set(path, group);
        siblings.push(group);
      }
      group.range = group.range.union(range);
      siblings = group.children;
    }
    const text = textLine(others.length === 0 ? first.text : null);
    const { String } = vscode.SymbolKind;
    const symbol = new vscode.DocumentSymbol(name, text, String, range, lines.range(keySpan));
    if (others.length > 0) symbol.children = entries.map((each) => languageSymbol(each, lines));
    siblings.push(symbol);
  }
  return roots;
}

/** VS Code shows no outline if a name in it is empty. */
function shownName(name: string): string {
  return name === "" ? '""' : name;
}

/** Creates the symbol of one language of a row. */
function languageSymbol(
  { locale, text, entry }: LocalEntry,
  lines: LocalDocument["lines"],
): vscode.DocumentSymbol {
  const range = lines.range(entry.valueSpan);
  return new vscode.DocumentSymbol(locale, textLine(text), vscode.SymbolKind.Field, range, range);
}

function rangeOf({ entry }: LocalEntry, lines: LocalDocument["lines"]): vscode.Range {
  return lines.range(entry.keySpan).union(lines.range(entry.valueSpan));
}
