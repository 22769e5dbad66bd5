/**
 * Completion of keys, inside a key's own quotes and nowhere else: by name and by text, with the source text beside
 * each. From the cache alone; the other languages are told of the one that a person looks at.
 */
import * as vscode from "vscode";
import { previewLocales } from "../../core/preview-locales.ts";
import { searchKeys, type FoundKey } from "../../core/key-search.ts";
import type { ProjectKey } from "../../core/project.ts";
import { isForms } from "../../core/text.ts";
import { quoteAround, quoted, type Quote } from "../../core/usages/quotes.ts";
import type { App, OpenProject } from "../../host/app.ts";
import { CODE_DOCUMENTS } from "../../host/code-keys.ts";
import { keySummary } from "../../host/key-markdown.ts";
import { shortText } from "../../host/markdown.ts";

/** So many are offered; with each letter the best are looked for anew. */
const MOST = 200;
/** Of a text beside a name. Characters. */
const BESIDE = 60;

class KeyCompletion extends vscode.CompletionItem {
  readonly open: OpenProject;
  readonly key: ProjectKey;

  constructor(open: OpenProject, key: ProjectKey, label: vscode.CompletionItemLabel) {
    super(label, vscode.CompletionItemKind.Constant);
    this.open = open;
    this.key = key;
  }
}

/** Registers the completion of keys. */
export function registerCompletion(app: App): void {
  app.own(
    vscode.languages.registerCompletionItemProvider(
      CODE_DOCUMENTS,
      {
        provideCompletionItems: (document, position) => complete(app, document, position),
        resolveCompletionItem: (item: KeyCompletion) => {
          item.documentation = new vscode.MarkdownString(keySummary(item.open, item.key), true);
          return item;
        },
      },
      "'",
      '"',
      "`",
      ".",
      ":",
      "/",
    ),
  );
}

function complete(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CompletionList<KeyCompletion> | undefined {
  if (!app.settings.of(document.uri)["completion.enabled"]) return undefined;
  // Most letters are typed outside of any string: those cost no more than this.
  const before = document.lineAt(position.line).text.slice(0, position.character);
  if (!/["'`]/.test(before)) return undefined;
  const found = app.code.useAt(document, position);
  if (found === undefined || found.use.used.kind === "pattern") return undefined;
  const { open, use } = found;
  const offset = document.offsetAt(position);
  const quote = quoteAround(document.getText(), use.keySpan);
  if (quote === null || offset < use.keySpan.start || offset > use.keySpan.end) return undefined;
  const range = new vscode.Range(
    document.positionAt(use.keySpan.start),
    document.positionAt(use.keySpan.end),
  );
  if (!range.isSingleLine) return undefined;
  const typed = document.getText(range.with({ end: position }));
  const { project } = open;
  const rows = previewLocales(open.file, project.stats).map((locale) => project.rows(locale)?.rows);
  const { found: keys, more } = searchKeys(typed, MOST, {
    keys: project.keys,
    names: app.code.names(open),
    options: app.code.lookupOptions(open),
    use,
    texts: rows.map((each) => (hash) => each?.get(hash)?.text),
  });
  const items = keys.map((each, index) => itemOf(open, each, index, quote, range));
  // By each letter other texts fit, which the editor cannot know.
  return new vscode.CompletionList(items, more || typed !== "" || project.keys.size > items.length);
}

function itemOf(
  open: OpenProject,
  { key, spelling, filter }: FoundKey,
  index: number,
  quote: Quote,
  range: vscode.Range,
): KeyCompletion {
  const text = key.text === null ? "" : isForms(key.text) ? (key.text.forms["other"] ?? "") : key.text.value;
  const known = open.project.keys.get(key.hash) as ProjectKey;
  const item = new KeyCompletion(open, known, { label: spelling, description: shortText(text, BESIDE) });
  item.insertText = quoted(spelling, quote);
  item.filterText = filter;
  item.sortText = String(index).padStart(4, "0");
  item.range = range;
  return item;
}
