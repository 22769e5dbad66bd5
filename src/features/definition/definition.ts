/** Go to Definition: from a key in code, or in a translation file, to its entry in the source language's file. */
import * as vscode from "vscode";
import { keyHash } from "../../core/identity.ts";
import type { Lookup } from "../../core/key-lookup.ts";
import type { LocalEntry, LocalSnapshot } from "../../core/local-entries.ts";
import type { App, OpenProject } from "../../host/app.ts";
import { sha1 } from "../../host/clock.ts";
import { CODE_DOCUMENTS } from "../../host/code-keys.ts";
import { entrySpan, FileTexts } from "../../host/file-texts.ts";
import { entryAt, LOCAL_DOCUMENTS, localDocument } from "../../host/local-documents.ts";

/** So many entries of a group or a pattern are offered to look at. */
const MOST = 100;

/** Registers the definition providers of code and of translation files. */
export function registerDefinition(app: App): void {
  app.own(
    vscode.languages.registerDefinitionProvider(CODE_DOCUMENTS, {
      provideDefinition: (document, position) => fromCode(app, document, position),
    }),
  );
  app.own(
    vscode.languages.registerDefinitionProvider(LOCAL_DOCUMENTS, {
      provideDefinition: (document, position) => fromEntry(app, document, position),
    }),
  );
}

async function fromCode(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.LocationLink[] | undefined> {
  const found = app.code.useAt(document, position);
  if (found === undefined) return undefined;
  const { open, use } = found;
  const { start, end } = use.keySpan;
  const origin = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const snapshot = await open.local.load();
  const entries = entriesOf(app, open, app.code.lookUp(open, use), snapshot);
  return links(open, entries, origin);
}

/** The source entry, else that of the first language that has one. */
function entryOf(snapshot: LocalSnapshot, hash: string): LocalEntry | undefined {
  for (const locale of snapshot.locales) {
    const entry = snapshot.entries(locale).get(hash);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function entriesOf(
  app: App,
  open: OpenProject,
  lookup: Lookup,
  snapshot: LocalSnapshot,
): readonly LocalEntry[] {
  switch (lookup.kind) {
    case "known":
      return [entryOf(snapshot, lookup.key.hash) ?? []].flat();
    case "unknown":
      for (const name of lookup.candidates) {
        const entry = entryOf(snapshot, keyHash(sha1, name));
        if (entry !== undefined) return [entry];
      }
      return [];
    case "intermediate":
    case "pattern": {
      const keys =
        lookup.kind === "pattern"
          ? lookup.matches
          : app.code.names(open).matching(lookup.namespace, lookup.prefix, "", MOST);
      return keys.slice(0, MOST).flatMap((key) => entryOf(snapshot, key.hash) ?? []);
    }
    case "undeterminable":
      return [];
  }
}

async function fromEntry(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.LocationLink[] | undefined> {
  const local = await localDocument(app, document);
  const here = local && entryAt(local, position);
  if (local === undefined || here === undefined) return undefined;
  const { open, lines } = local;
  const { snapshot } = open.local;
  const source = snapshot?.entries(snapshot.sourceLocale).get(here.hash);
  return source && links(open, [source], lines.range(here.entry.keySpan));
}

async function links(
  open: OpenProject,
  entries: readonly LocalEntry[],
  origin: vscode.Range,
): Promise<vscode.LocationLink[]> {
  const texts = new FileTexts(open);
  const found: vscode.LocationLink[] = [];
  for (const entry of entries) {
    const name = await texts.location(entry.path, entry.entry.keySpan);
    const whole = await texts.location(entry.path, entrySpan(entry));
    if (name === undefined || whole === undefined) continue;
    found.push({
      originSelectionRange: origin,
      targetUri: name.uri,
      targetRange: whole.range,
      targetSelectionRange: name.range,
    });
  }
  return found;
}
