/**
 * Completion of placeholders where a call gives their values: the names that the key's source text wants, in its
 * options object or PHP array. Nothing is offered that has a value already.
 */
import * as vscode from "vscode";
import { keyHash } from "../../model/key-identity.ts";
import { findPlaceholders } from "../../model/placeholders.ts";
import {
  entryStart,
  mayBeReplacement,
  replacementPlace,
  type ReplacementPlace,
} from "../../workspace/refactoring/placeholder-completion.ts";
import { isForms, type Text } from "../../model/text.ts";
import type { KeyUsage } from "../../scanners/usage.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { localText } from "../../vscode/projects/local-texts.ts";
import { shortText } from "../../vscode/markdown.ts";
import { familiesOf } from "../../vscode/ui/text-checks.ts";

/** So many lines above may belong to the same call. */
const LINES_ABOVE = 12;
/** Of the source text beside a name. Characters. */
const DETAIL_LENGTH = 60;

/** The names that can be typed at the place; `undefined`: it is none for such a name. */
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
  if (!mayBeReplacement(document.getText(before))) return undefined;
  const open = app.projects.of(document.uri);
  if (open === undefined) return undefined;
  const offset = document.offsetAt(position);
  const text = document.getText();
  for (const use of app.code.usesIn(document)) {
    if (use.callSpan.start > offset) break;
    const place = replacementPlace(text, use.callSpan, use.keySpan, offset);
    if (place === null) continue;
    // A list of JavaScript has no names.
    if (place.way === "array" && !/\.php$/i.test(document.uri.path)) return undefined;
    const source = sourceOf(app, open, use);
    if (source === undefined) return undefined;
    return new vscode.CompletionList(itemsOf(app, open, document, place, source));
  }
  return undefined;
}

/** What the key says in the source language; of a text that is its own key that text. */
function sourceOf(app: App, open: OpenProject, use: KeyUsage): Text | undefined {
  const lookup = app.code.resolveKey(open, use);
  if (lookup.kind === "known")
    return localText(open, lookup.key.hash) ?? open.project.keys.get(lookup.key.hash)?.text ?? undefined;
  if (lookup.kind !== "unknown") return undefined;
  for (const name of lookup.candidates) {
    const text = localText(open, keyHash(name));
    if (text !== undefined) return text;
  }
  return use.used.kind === "static" ? { value: use.defaultText ?? use.used.key } : undefined;
}

function itemsOf(
  app: App,
  open: OpenProject,
  document: vscode.TextDocument,
  place: ReplacementPlace,
  source: Text,
): vscode.CompletionItem[] {
  const forms = isForms(source) ? Object.values(source.forms) : [source.value];
  const families = familiesOf(app, open).filter((family) => family !== "printf");
  const names = new Set<string>();
  for (const family of families) {
    for (const form of forms) for (const { name } of findPlaceholders(family, form)) names.add(name);
  }
  const { start, end } = place.span;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const beside = shortText(forms.at(-1) ?? "", DETAIL_LENGTH);
  return [...names]
    .filter((name) => !place.given.has(name))
    .map((name, index) => {
      const item = new vscode.CompletionItem(
        { label: name, description: beside },
        vscode.CompletionItemKind.Field,
      );
      item.insertText = entryOf(name, place);
      item.sortText = String(index).padStart(4, "0");
      item.range = range;
      return item;
    });
}

/** The name, and how its entry goes on where nothing of it is there yet. */
function entryOf(name: string, place: ReplacementPlace): vscode.SnippetString | string {
  if (place.quote !== null) return name;
  return new vscode.SnippetString().appendText(entryStart(name, place)).appendTabstop(0);
}
