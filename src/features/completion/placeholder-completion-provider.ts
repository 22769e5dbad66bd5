/**
 * Completion of placeholder names in the options object or PHP array of a call: those of the key's source text that have
 * no value yet.
 */
import * as vscode from "vscode";
import { keyHash } from "../../model/key-hash.ts";
import { findPlaceholders, isPrintf } from "../../model/placeholders.ts";
import {
  entryStart,
  mayBePlaceholderName,
  placeholderPosition,
  type PlaceholderPosition,
} from "./placeholder-position.ts";
import { type Text, valuesOf } from "../../model/translation-text.ts";
import type { KeyUsage } from "../../scanners/key-usage.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { localText } from "../../vscode/files/local-texts.ts";
import { shortText } from "../../messages/escape-text.ts";
import { familiesOf } from "../../vscode/ui/input/translation-input-checks.ts";
import { documentRange } from "../../vscode/ui/documents/positions.ts";

/** Lines above the cursor that may belong to the same call. */
const LINES_ABOVE = 12;
/** Of the source text, in characters. */
const MAX_DESCRIPTION_LENGTH = 60;

/** Returns the placeholder names for the position; `undefined` if none can be inserted there. */
export function placeholdersAt(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CompletionList | undefined {
  const before = new vscode.Range(
    Math.max(0, position.line - LINES_ABOVE),
    0,
    position.line,
    position.character,
  );
  if (!mayBePlaceholderName(document.getText(before))) return undefined;
  const open = app.projects.of(document.uri);
  if (open === undefined) return undefined;
  const offset = document.offsetAt(position);
  const text = document.getText();
  for (const use of app.documentUsages.usagesIn(document)) {
    if (use.callSpan.start > offset) break;
    const position = placeholderPosition(text, use.callSpan, use.keySpan, offset);
    if (position === null) continue;
    // A JavaScript array has no named entries.
    if (position.syntax === "array" && !/\.php$/i.test(document.uri.path)) return undefined;
    const source = sourceText(app, open, use);
    return source && new vscode.CompletionList(itemsOf(app, open, document, position, source));
  }
  return undefined;
}

/** Returns the source text of the key; for gettext-style keys the key itself. */
function sourceText(app: App, open: OpenProject, use: KeyUsage): Text | undefined {
  const lookup = app.documentUsages.resolveKey(open, use);
  if (lookup.kind === "known")
    return localText(open, lookup.key.hash) ?? open.keys.get(lookup.key.hash)?.text ?? undefined;
  if (lookup.kind !== "unknown") return undefined;
  for (const name of lookup.candidates) {
    const text = localText(open, keyHash(name));
    if (text !== undefined) return text;
  }
  return use.expression.kind === "static" ? { value: use.defaultText ?? use.expression.key } : undefined;
}

function itemsOf(
  app: App,
  open: OpenProject,
  document: vscode.TextDocument,
  position: PlaceholderPosition,
  source: Text,
): vscode.CompletionItem[] {
  const forms = valuesOf(source);
  const families = familiesOf(app, open).filter((family) => !isPrintf(family));
  const placeholders = families.flatMap((family) => forms.flatMap((form) => findPlaceholders(family, form)));
  const names = new Set(placeholders.map(({ name }) => name));
  const range = documentRange(document, position.span);
  const description = shortText(forms.at(-1) ?? "", MAX_DESCRIPTION_LENGTH);
  return [...names]
    .filter((name) => !position.given.has(name))
    .map((name, index) => {
      const label = { label: name, description };
      const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Field);
      item.insertText = insertText(name, position);
      item.sortText = String(index).padStart(4, "0");
      item.range = range;
      return item;
    });
}

/** Returns the text to insert: the name and, if the entry is incomplete, its value as a snippet. */
function insertText(name: string, position: PlaceholderPosition): vscode.SnippetString | string {
  if (position.quote !== null) return name;
  return new vscode.SnippetString().appendText(entryStart(name, position)).appendTabstop(0);
}
