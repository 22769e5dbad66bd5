/**
 * Go to Definition: from a key in code, or in a translation file, to its entry in the source language's file. Go to
 * Implementations: to its entries in every language, which VS Code shows in a peek.
 */
import * as vscode from "vscode";
import { keyHash } from "../../model/key-hash.ts";
import type { KeyResolution } from "../../workspace/usages/resolve-usage-to-key.ts";
import type { LocalEntry, LocalFiles } from "../../workspace/local-files/local-entries.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { CODE_DOCUMENTS } from "../../vscode/projects/document-usages.ts";
import { entrySpan, FileTextCache } from "../../vscode/files/file-text-cache.ts";
import { entryAt, LOCAL_DOCUMENTS, localDocument } from "../../vscode/files/translation-file-documents.ts";
import { documentRange } from "../../vscode/ui/documents/positions.ts";

/** Maximum number of entries for a position with several keys, a key group or a pattern. */
const MAX_LOCATIONS = 100;

/** Registers the providers of definitions and implementations, for code and for translation files. */
export function registerDefinition(app: App): void {
  app.addDisposable(
    vscode.languages.registerDefinitionProvider(CODE_DOCUMENTS, {
      provideDefinition: (document, position) => fromCode(app, document, position, sourceEntry),
    }),
    vscode.languages.registerImplementationProvider(CODE_DOCUMENTS, {
      provideImplementation: (document, position) => fromCode(app, document, position, allEntries),
    }),
    vscode.languages.registerDefinitionProvider(LOCAL_DOCUMENTS, {
      provideDefinition: (document, position) =>
        fromEntry(app, document, position, (files, hash) =>
          [files.entries(files.sourceLocale).get(hash) ?? []].flat(),
        ),
    }),
    vscode.languages.registerImplementationProvider(LOCAL_DOCUMENTS, {
      provideImplementation: (document, position) => fromEntry(app, document, position, allEntries),
    }),
  );
}

/** Selects the entries of a key. */
type EntriesOf = (files: LocalFiles, hash: string) => readonly LocalEntry[];

async function fromCode(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
  entriesFor: EntriesOf,
): Promise<vscode.LocationLink[] | undefined> {
  const found = app.documentUsages.usageAt(document, position);
  if (found === undefined) return undefined;
  const { open, use } = found;
  const origin = documentRange(document, use.keySpan);
  const files = await open.local.load();
  // One literal may refer to several keys: the branches of a template, the values of a constant.
  const entries = app.documentUsages
    .usagesWith(document, use)
    .flatMap((each) =>
      entriesOf(open, app.documentUsages.resolveKey(open, each), (hash) => entriesFor(files, hash)),
    );
  const places = new Map(entries.map((entry) => [`${entry.entry.keySpan.start} ${entry.path}`, entry]));
  return links(open, [...places.values()].slice(0, MAX_LOCATIONS), origin);
}

/** Returns the source entry, else that of the first language that has one. */
function sourceEntry(files: LocalFiles, hash: string): readonly LocalEntry[] {
  return allEntries(files, hash).slice(0, 1);
}

/** Returns the entries of all languages, the source first. */
function allEntries(files: LocalFiles, hash: string): readonly LocalEntry[] {
  return files.locales.flatMap((locale) => files.entries(locale).get(hash) ?? []);
}

function entriesOf(
  open: OpenProject,
  lookup: KeyResolution,
  entriesFor: (hash: string) => readonly LocalEntry[],
): readonly LocalEntry[] {
  switch (lookup.kind) {
    case "known":
      return entriesFor(lookup.key.hash);
    case "unknown":
      for (const name of lookup.candidates) {
        const entries = entriesFor(keyHash(name));
        if (entries.length > 0) return entries;
      }
      return [];
    case "intermediate":
    case "pattern": {
      const keys =
        lookup.kind === "pattern"
          ? lookup.matches
          : open.keyNames.matching(lookup.namespace, lookup.prefix, "", MAX_LOCATIONS);
      return keys
        .slice(0, MAX_LOCATIONS)
        .flatMap((key) => entriesFor(key.hash))
        .slice(0, MAX_LOCATIONS);
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
  const files = await open.local.load();
  return links(open, entriesFor(files, here.hash), lines.range(here.entry.keySpan));
}

async function links(
  open: OpenProject,
  entries: readonly LocalEntry[],
  origin: vscode.Range,
): Promise<vscode.LocationLink[]> {
  const texts = new FileTextCache(open);
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
