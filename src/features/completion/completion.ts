/**
 * Completion of keys, inside a key's own quotes and nowhere else: by name and by text, with the source text beside
 * each; and of namespaces before them. From the cache alone; the other languages are told of the one that a person
 * looks at.
 */
import * as vscode from "vscode";
import { previewLocales } from "../../core/preview-locales.ts";
import { searchKeys, searchNamespaces, type FoundKey, type SearchNeeds } from "../../core/key-search.ts";
import type { ProjectKey } from "../../core/project.ts";
import { isForms } from "../../core/text.ts";
import { quoteAround, quoted, type Quote } from "../../core/usages/quotes.ts";
import { usageLanguageFor } from "../../core/usages/registry.ts";
import type { App, OpenProject } from "../../host/app.ts";
import { CODE_DOCUMENTS } from "../../host/code-keys.ts";
import { yieldNow } from "../../host/clock.ts";
import { keySummary } from "../../host/key-markdown.ts";
import { shortText } from "../../host/markdown.ts";
import { abortOf } from "../../host/raced.ts";
import { l10n } from "../../host/words.ts";
import { placeholdersAt } from "./placeholders.ts";

/** So many are offered; with each letter the best are looked for anew. */
const MOST = 200;
/** A list that comes later is felt. Milliseconds. */
const IN_TIME = 15;
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
        provideCompletionItems: async (document, position, token) => {
          const abort = abortOf(token);
          try {
            return await complete(app, document, position, abort.signal);
          } catch (error) {
            // Another letter was typed meanwhile.
            if (abort.signal.aborted) return undefined;
            throw error;
          } finally {
            abort.dispose();
          }
        },
        resolveCompletionItem: (item) => {
          if (item instanceof KeyCompletion)
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

async function complete(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
  signal: AbortSignal,
): Promise<vscode.CompletionList | undefined> {
  if (!app.settings.of(document)["completion.enabled"]) return undefined;
  return (await keysAt(app, document, position, signal)) ?? placeholdersAt(app, document, position);
}

async function keysAt(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
  signal: AbortSignal,
): Promise<vscode.CompletionList | undefined> {
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
  const started = performance.now();
  const needs: SearchNeeds = {
    keys: project.keys,
    names: app.code.names(open),
    options: app.code.lookupOptions(open),
    use,
    ...textsOf(open),
    yieldNow,
    signal,
    isOver: () => performance.now() - started > IN_TIME,
  };
  const { found: keys, more } = await searchKeys(typed, MOST, needs);
  const interpolating = usageLanguageFor(document.uri.path)?.interpolating;
  const write = (spelling: string): string => quoted(spelling, quote, interpolating);
  const items = [
    ...searchNamespaces(typed, needs).map((start) => namespaceItem(start, quote, range)),
    ...keys.map((each, index) => itemOf(open, each, index, write, range)),
  ];
  // By each letter other texts fit, which the editor cannot know.
  return new vscode.CompletionList(items, more || typed !== "" || project.keys.size > keys.length);
}

/** The preview languages, and every other one that is known from the service or from a file. */
function textsOf({ file, local, project }: OpenProject): Pick<SearchNeeds, "texts" | "others"> {
  const preview = previewLocales(file, project.stats);
  const all = new Set([...project.loadedLocales(), ...(local.snapshot?.locales ?? [])]);
  const textsIn = (locale: string): SearchNeeds["texts"][number] => {
    const rows = project.rows(locale)?.rows;
    const entries = local.snapshot?.entries(locale);
    return (hash) => rows?.get(hash)?.text ?? entries?.text(hash);
  };
  return {
    texts: preview.map(textsIn),
    others: [...all].filter((locale) => !preview.includes(locale)).map(textsIn),
  };
}

/** The beginning of a namespace's keys; taken, it asks for them. */
function namespaceItem(start: string, quote: Quote, range: vscode.Range): vscode.CompletionItem {
  const label = { label: start, description: l10n.t("namespace") };
  const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Module);
  item.insertText = quoted(start, quote);
  item.filterText = start;
  // Before the keys, whose numbers begin with a digit.
  item.sortText = ` ${start}`;
  item.range = range;
  item.command = { command: "editor.action.triggerSuggest", title: "" };
  return item;
}

function itemOf(
  open: OpenProject,
  { key, spelling, filter }: FoundKey,
  index: number,
  write: (spelling: string) => string,
  range: vscode.Range,
): KeyCompletion {
  const text = key.text === null ? "" : isForms(key.text) ? (key.text.forms["other"] ?? "") : key.text.value;
  const known = open.project.keys.get(key.hash) as ProjectKey;
  const item = new KeyCompletion(open, known, { label: spelling, description: shortText(text, BESIDE) });
  item.insertText = write(spelling);
  item.filterText = filter;
  item.sortText = String(index).padStart(4, "0");
  item.range = range;
  return item;
}
