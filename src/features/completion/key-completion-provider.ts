/**
 * Completion of keys inside the quotes of a key reference: by name and by text, with the source text as detail; namespaces
 * are offered before keys. Uses only the database.
 */
import * as vscode from "vscode";
import { previewLocales } from "../../workspace/project-file/preview-locales.ts";
import {
  suggestKeys,
  suggestNamespaces,
  type SuggestedKey,
  type SuggestionContext,
} from "../../workspace/usages/key-suggestions.ts";
import { NameWriter } from "../../workspace/refactoring/write-key-in-code.ts";
import { plainText } from "../../model/translation-text.ts";
import { usageLanguageFor } from "../../scanners/supported-source-languages.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { CODE_DOCUMENTS } from "../../vscode/usages/document-usages.ts";
import { localMessagesAt } from "../../vscode/usages/local-messages.ts";
import { keySummary } from "../../vscode/ui/text/key-markdown.ts";
import { shortText } from "../../messages/escape-text.ts";
import { l10n } from "../../util/l10n.ts";
import { placeholdersAt } from "./placeholder-completion-provider.ts";
import { documentRange } from "../../vscode/ui/documents/positions.ts";

/** The list is incomplete and recomputed on typing. Each item costs VS Code about 0.1 ms. */
const MAX_ITEMS = 50;
/** Of the source text, in characters. */
const MAX_DESCRIPTION_LENGTH = 60;

class KeyCompletion extends vscode.CompletionItem {
  readonly open: OpenProject;
  readonly hash: string;

  constructor(open: OpenProject, hash: string, label: vscode.CompletionItemLabel) {
    super(label, vscode.CompletionItemKind.Constant);
    this.open = open;
    this.hash = hash;
  }
}

/** Registers the completion of keys. */
export function registerCompletion(app: App): void {
  app.addDisposable(
    vscode.languages.registerCompletionItemProvider(
      CODE_DOCUMENTS,
      {
        provideCompletionItems: (document, position, token) => complete(app, document, position, token),
        resolveCompletionItem: (item) => {
          const key = item instanceof KeyCompletion ? item.open.keys.get(item.hash) : undefined;
          if (item instanceof KeyCompletion && key !== undefined)
            item.documentation = new vscode.MarkdownString(keySummary(item.open, key), true);
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

async function complete(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.CompletionList | undefined> {
  if (!app.settings.of(document)["completion.enabled"]) return undefined;
  // Cheap early return: most characters are typed outside of strings.
  const before = document.lineAt(position.line).text.slice(0, position.character);
  const isInString = /["'`]/.test(before);
  const local = isInString ? await localItemsAt(app, document, position) : [];
  if (token.isCancellationRequested) return undefined;
  const keys = isInString ? keysAt(app, document, position) : undefined;
  if (local.length === 0) return keys ?? placeholdersAt(app, document, position);
  return new vscode.CompletionList([...local, ...(keys?.items ?? [])], keys?.isIncomplete);
}

/** Returns an item for each message that the component defines itself. */
async function localItemsAt(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<readonly vscode.CompletionItem[]> {
  const open = app.projects.of(document.uri);
  const language = usageLanguageFor(document.uri.path);
  const local = await localMessagesAt(app, document, position);
  if (open === undefined || language === undefined || local === undefined) return [];
  const writer = new NameWriter(
    document.getText(),
    local.usage,
    language,
    app.documentUsages.findOptions(open),
  );
  const range = documentRange(document, local.usage.keySpan);
  if (!writer.isQuoted || !range.isSingleLine || !range.contains(position)) return [];
  const byKey = Map.groupBy(local.all, ({ key }) => key);
  return Array.from(byKey, ([key, messages]) => {
    const text = messages.find((message) => message.text !== null)?.text ?? "";
    const label = { label: key, description: shortText(text, MAX_DESCRIPTION_LENGTH) };
    const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Constant);
    item.detail = l10n.t("Defined in this component");
    item.insertText = writer.codeFor(key) ?? "";
    item.filterText = key;
    // Before the keys of the project.
    item.sortText = ` ${key}`;
    item.range = range;
    return item;
  }).filter(({ insertText }) => insertText !== "");
}

function keysAt(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CompletionList | undefined {
  const found = app.documentUsages.usageAt(document, position);
  if (found === undefined || found.use.expression.kind === "pattern") return undefined;
  const { open, use } = found;
  // The framework computes the key from the text.
  if (use.isMessage === true) return undefined;
  const offset = document.offsetAt(position);
  const language = usageLanguageFor(document.uri.path);
  if (language === undefined || use.literalSpan !== undefined) return undefined;
  const writer = new NameWriter(document.getText(), use, language, app.documentUsages.findOptions(open));
  if (!writer.isQuoted || offset < use.keySpan.start || offset > use.keySpan.end) return undefined;
  const range = documentRange(document, use.keySpan);
  if (!range.isSingleLine) return undefined;
  const typed = document.getText(range.with({ end: position }));
  const context: SuggestionContext = {
    names: open.keyNames,
    search: open.keySearch,
    options: app.documentUsages.lookupOptions(open),
    usage: use,
  };
  const locales = previewLocales(open.file, open.stats);
  const { keys, hasMore } = suggestKeys(typed, MAX_ITEMS, context, locales);
  const elsewhere = suggestionsElsewhere(app, typed, open, context);
  const own = keys.map((suggested) => ({ open, suggested }));
  const items = [
    ...[...suggestNamespaces(typed, context), ...elsewhere.namespaces].flatMap((prefix) => {
      const insertText = writer.codeFor(prefix);
      return insertText === null ? [] : [namespaceItem(prefix, insertText, range)];
    }),
    // Omits keys that cannot be written in this kind of literal.
    ...[...own, ...elsewhere.keys].flatMap(({ open: owner, suggested }, index) => {
      const insertText = writer.codeFor(suggested.spelling);
      return insertText === null ? [] : [keyItem(owner, suggested, index, insertText, range)];
    }),
  ];
  // The search also matches texts, so VS Code must not filter the old items.
  return new vscode.CompletionList(items, hasMore || typed !== "");
}

/**
 * Suggests namespaces that only one other project of the window has, such as a shared package, and, once such a namespace is
 * written, its keys.
 */
function suggestionsElsewhere(
  app: App,
  typed: string,
  open: OpenProject,
  context: SuggestionContext,
): {
  readonly namespaces: readonly string[];
  readonly keys: readonly { readonly open: OpenProject; readonly suggested: SuggestedKey }[];
} {
  const namespaces: string[] = [];
  const keys: { open: OpenProject; suggested: SuggestedKey }[] = [];
  const { namespaces: bound } = context.usage;
  for (const [other, own] of app.documentUsages.namespacesElsewhere(open)) {
    const there = { ...context, names: other.keyNames, search: other.keySearch };
    namespaces.push(...suggestNamespaces(typed, there, [...own]));
    const isWritten = [...own].some(
      (namespace) =>
        (typed.length > namespace.length && typed.startsWith(namespace)) ||
        (Array.isArray(bound) && bound.includes(namespace)),
    );
    if (!isWritten) continue;
    const locales = previewLocales(other.file, other.stats);
    for (const suggested of suggestKeys(typed, MAX_ITEMS, there, locales).keys)
      if (own.has(suggested.key.namespace)) keys.push({ open: other, suggested });
  }
  return { namespaces, keys };
}

/** An item for a namespace; accepting it triggers completion of its keys. */
function namespaceItem(prefix: string, insertText: string, range: vscode.Range): vscode.CompletionItem {
  const label = { label: prefix, description: l10n.t("namespace") };
  const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Module);
  item.insertText = insertText;
  item.filterText = prefix;
  // Sorts before the keys, whose sort texts begin with a digit.
  item.sortText = ` ${prefix}`;
  item.range = range;
  item.command = { command: "editor.action.triggerSuggest", title: "" };
  return item;
}

function keyItem(
  open: OpenProject,
  { key, spelling, filter }: SuggestedKey,
  index: number,
  insertText: string,
  range: vscode.Range,
): KeyCompletion {
  const item = new KeyCompletion(open, key.hash, {
    label: spelling,
    description: shortText(plainText(key.text), MAX_DESCRIPTION_LENGTH),
  });
  item.insertText = insertText;
  item.filterText = filter;
  item.sortText = String(index).padStart(4, "0");
  item.range = range;
  return item;
}
