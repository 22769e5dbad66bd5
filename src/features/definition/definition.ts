/**
 * Go to Definition: from a key in code, or in a translation file, to its entry in the source language's file. Go to
 * Implementations: to its entries in every language, which VS Code shows in a peek.
 */
import * as vscode from "vscode";
import { keyHash } from "../../core/identity.ts";
import type { Lookup } from "../../core/key-lookup.ts";
import type { LocalEntry, LocalSnapshot } from "../../core/local-entries.ts";
import type { App, OpenProject } from "../../host/app.ts";
import { sha1 } from "../../host/clock.ts";
import { CODE_DOCUMENTS } from "../../host/code-keys.ts";
import { entrySpan, FileTexts } from "../../host/file-texts.ts";
import { entryAt, LOCAL_DOCUMENTS, localDocument } from "../../host/local-documents.ts";

/** So many entries of a place, a group or a pattern are offered to look at. */
const MOST = 100;

/** Registers the providers of definitions and implementations, for code and for translation files. */
export function registerDefinition(app: App): void {
  app.own(
    vscode.languages.registerDefinitionProvider(CODE_DOCUMENTS, {
      provideDefinition: (document, position) => fromCode(app, document, position, sourceEntry),
    }),
  );
  app.own(
    vscode.languages.registerImplementationProvider(CODE_DOCUMENTS, {
      provideImplementation: (document, position) => fromCode(app, document, position, allEntries),
    }),
  );
  app.own(
    vscode.languages.registerDefinitionProvider(LOCAL_DOCUMENTS, {
      provideDefinition: (document, position) =>
        fromEntry(app, document, position, (snapshot, hash) =>
          [snapshot.entries(snapshot.sourceLocale).get(hash) ?? []].flat(),
        ),
    }),
  );
  app.own(
    vscode.languages.registerImplementationProvider(LOCAL_DOCUMENTS, {
      provideImplementation: (document, position) => fromEntry(app, document, position, allEntries),
    }),
  );
}

/** Which entries of a key are wanted. */
type EntriesOf = (snapshot: LocalSnapshot, hash: string) => readonly LocalEntry[];

async function fromCode(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
  entriesFor: EntriesOf,
): Promise<vscode.LocationLink[] | undefined> {
  const found = app.code.useAt(document, position);
  if (found === undefined) return undefined;
  const { open, use } = found;
  const { start, end } = use.keySpan;
  const origin = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const snapshot = await open.local.load();
  // One place may say several keys: the branches within a template, the texts of a constant.
  const entries = app.code
    .usesWith(document, use)
    .flatMap((each) =>
      entriesOf(app, open, app.code.lookUp(open, each), (hash) => entriesFor(snapshot, hash)),
    );
  const places = new Map(entries.map((entry) => [`${entry.entry.keySpan.start} ${entry.path}`, entry]));
  return links(open, [...places.values()].slice(0, MOST), origin);
}

/** The source entry, else that of the first language that has one. */
function sourceEntry(snapshot: LocalSnapshot, hash: string): readonly LocalEntry[] {
  return allEntries(snapshot, hash).slice(0, 1);
}

/** The entries of every language, the source's first. */
function allEntries(snapshot: LocalSnapshot, hash: string): readonly LocalEntry[] {
  return snapshot.locales.flatMap((locale) => snapshot.entries(locale).get(hash) ?? []);
}

function entriesOf(
  app: App,
  open: OpenProject,
  lookup: Lookup,
  entriesFor: (hash: string) => readonly LocalEntry[],
): readonly LocalEntry[] {
  switch (lookup.kind) {
    case "known":
      return entriesFor(lookup.key.hash);
    case "unknown":
      for (const name of lookup.candidates) {
        const entries = entriesFor(keyHash(sha1, name));
        if (entries.length > 0) return entries;
      }
      return [];
    case "intermediate":
    case "pattern": {
      const keys =
        lookup.kind === "pattern"
          ? lookup.matches
          : app.code.names(open).matching(lookup.namespace, lookup.prefix, "", MOST);
      return keys
        .slice(0, MOST)
        .flatMap((key) => entriesFor(key.hash))
        .slice(0, MOST);
    }
    case "undeterminable":
      return [];
  }
}

async function fromEntry(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
  entriesFor: EntriesOf,
): Promise<vscode.LocationLink[] | undefined> {
  const local = await localDocument(app, document);
  const here = local && entryAt(local, position);
  if (local === undefined || here === undefined) return undefined;
  const { open, lines } = local;
  const snapshot = await open.local.load();
  return links(open, entriesFor(snapshot, here.hash), lines.range(here.entry.keySpan));
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
