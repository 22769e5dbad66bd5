/**
 * From a key in code or in a translation file: Go to Definition, to its entry in the source language's file; Go to
 * Implementations, to its entries in every language; Find All References, to all usages, including dynamic ones that may
 * refer to it, with the entries as its declarations.
 */
import * as vscode from "vscode";
import { keyHash } from "../../model/key-hash.ts";
import type { KeyUsage } from "../../scanners/key-usage.ts";
import { certainKeys, type KeyResolution } from "../../workspace/usages/resolve-usage-to-key.ts";
import type { LocalEntry, LocalTexts } from "../../workspace/local-files/local-entries.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { CODE_DOCUMENTS } from "../../vscode/usages/document-usages.ts";
import { entrySpan, FileTextCache } from "../../vscode/files/file-text-cache.ts";
import { entryAt, LOCAL_DOCUMENTS } from "../../vscode/files/entry-at-position.ts";
import { localMessagesAt } from "../../vscode/usages/local-messages.ts";
import { toAbortSignal } from "../../vscode/abort-signals.ts";
import { documentRange } from "../../vscode/ui/documents/positions.ts";
import { locateUsages, locateUsagesElsewhere } from "../../vscode/ui/documents/usage-locations.ts";

/** Maximum number of entries for a position with several keys, a key group or a pattern. */
const MAX_LOCATIONS = 100;

/** The keys at a position. */
interface KeysAtPosition {
  readonly open: OpenProject;
  readonly files: LocalTexts;
  /** The range that names them. */
  readonly origin: vscode.Range;
  readonly hashes: readonly string[];
  /** Hashes of the keys that a group or pattern at the position may refer to. */
  readonly possibleHashes: readonly string[];
}

/** Selects the entries of a key. */
type EntriesOf = (files: LocalTexts, hash: string) => readonly LocalEntry[];

/** Registers the providers of definitions, implementations and references. */
export function registerDefinition(app: App): void {
  for (const [selector, keysAt, definitionsOf] of [
    [CODE_DOCUMENTS, keysInCode, firstEntry],
    [LOCAL_DOCUMENTS, keyInFile, sourceEntry],
  ] as const) {
    app.addDisposable(
      vscode.languages.registerDefinitionProvider(selector, {
        provideDefinition: async (document, position) =>
          (await localLinks(app, document, position, "first")) ??
          entryLinks(await keysAt(app, document, position), definitionsOf),
      }),
      vscode.languages.registerImplementationProvider(selector, {
        provideImplementation: async (document, position) =>
          (await localLinks(app, document, position, "all")) ??
          entryLinks(await keysAt(app, document, position), allEntries),
      }),
      vscode.languages.registerReferenceProvider(selector, {
        provideReferences: async (document, position, { includeDeclaration }, token) =>
          referencesTo(app, await keysAt(app, document, position), includeDeclaration, token),
      }),
    );
  }
}

/** Returns links to a message that the component defines itself: in the source language, or in all. */
async function localLinks(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
  which: "first" | "all",
): Promise<vscode.LocationLink[] | undefined> {
  const local = await localMessagesAt(app, document, position);
  const [first] = local?.messages ?? [];
  if (local === undefined || first === undefined) return undefined;
  const sourceLocale = app.projects.of(document.uri)?.sourceLocale;
  const source = local.messages.find(({ locale }) => locale === sourceLocale) ?? first;
  const shown = which === "all" ? local.messages : [source];
  return shown.slice(0, MAX_LOCATIONS).map((message) => {
    const range = documentRange(message.document, message.keySpan);
    return {
      originSelectionRange: documentRange(document, local.usage.keySpan),
      targetUri: message.document.uri,
      targetRange: range,
      targetSelectionRange: range,
    };
  });
}

/** Returns the keys of one literal: several for the branches of a template, or the values of a constant. */
async function keysInCode(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<KeysAtPosition | undefined> {
  const found = app.documentUsages.usageAt(document, position);
  if (found === undefined) return undefined;
  const { use } = found;
  const all = app.documentUsages
    .usagesWith(document, use)
    .map((each) => ({ ...app.documentUsages.resolveInWindow(found.open, each), use: each }));
  // All of them are in one project, except where a constant names keys of several.
  const open = all.find(({ resolution }) => resolution.kind === "known")?.open ?? all[0]?.open ?? found.open;
  const files = await open.local.loadTexts();
  const own = all.filter((each) => each.open === open);
  return {
    open,
    files,
    origin: documentRange(document, use.keySpan),
    hashes: [...new Set(own.flatMap((each) => hashesOf(app, files, each)))],
    possibleHashes: own.flatMap(({ resolution }) => hashesOfGroup(open, resolution)),
  };
}

/** Returns the hashes of the keys that the usage certainly means; for an unknown key that of the local entry. */
function hashesOf(
  app: App,
  files: LocalTexts,
  {
    open,
    resolution: lookup,
    use,
  }: { readonly open: OpenProject; readonly resolution: KeyResolution; readonly use: KeyUsage },
): readonly string[] {
  if (lookup.kind === "known") {
    const options = app.documentUsages.lookupOptions(open);
    return certainKeys(lookup, use, open.keyNames, options).map(({ hash }) => hash);
  }
  if (lookup.kind !== "unknown") return [];
  const hashes = lookup.candidates.map((name) => keyHash(name));
  return hashes.filter((hash) => allEntries(files, hash).length > 0).slice(0, 1);
}

function hashesOfGroup(open: OpenProject, lookup: KeyResolution): readonly string[] {
  if (lookup.kind !== "pattern" && lookup.kind !== "intermediate") return [];
  const keys =
    lookup.kind === "pattern"
      ? lookup.matches
      : open.keyNames.matching(lookup.namespace, lookup.prefix, "", MAX_LOCATIONS);
  return keys.slice(0, MAX_LOCATIONS).map(({ hash }) => hash);
}

async function keyInFile(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<KeysAtPosition | undefined> {
  const found = await entryAt(app, document, position);
  if (found === undefined) return undefined;
  const { open, lines, entry } = found;
  const origin = lines.range(entry.entry.keySpan);
  return { open, files: await open.local.loadTexts(), origin, hashes: [entry.hash], possibleHashes: [] };
}

/** Returns the entries of all languages, the source first. */
function allEntries(files: LocalTexts, hash: string): readonly LocalEntry[] {
  return files.locales.flatMap((locale) => files.entries(locale).get(hash) ?? []);
}

/** Returns the source entry, else that of the first language that has one. */
function firstEntry(files: LocalTexts, hash: string): readonly LocalEntry[] {
  return allEntries(files, hash).slice(0, 1);
}

function sourceEntry(files: LocalTexts, hash: string): readonly LocalEntry[] {
  const entry = files.entries(files.sourceLocale).get(hash);
  return entry === undefined ? [] : [entry];
}

async function entryLinks(
  keys: KeysAtPosition | undefined,
  entriesOf: EntriesOf,
): Promise<vscode.LocationLink[] | undefined> {
  if (keys === undefined) return undefined;
  const { open, files, origin, hashes, possibleHashes } = keys;
  const entries = [...hashes, ...possibleHashes].flatMap((hash) => entriesOf(files, hash));
  // In a spreadsheet the languages share the key's cell.
  const byLocation = new Map(entries.map((entry) => [`${entry.entry.keySpan.start} ${entry.path}`, entry]));
  const texts = new FileTextCache(open);
  const links: vscode.LocationLink[] = [];
  for (const entry of [...byLocation.values()].slice(0, MAX_LOCATIONS)) {
    const name = await texts.location(entry.path, entry.entry.keySpan);
    const whole = await texts.location(entry.path, entrySpan(entry));
    if (name === undefined || whole === undefined) continue;
    links.push({
      originSelectionRange: origin,
      targetUri: name.uri,
      targetRange: whole.range,
      targetSelectionRange: name.range,
    });
  }
  return links;
}

async function referencesTo(
  app: App,
  keys: KeysAtPosition | undefined,
  includeEntries: boolean,
  token: vscode.CancellationToken,
): Promise<vscode.Location[] | undefined> {
  if (keys === undefined || keys.hashes.length === 0) return undefined;
  const { open, files, hashes } = keys;
  const abort = toAbortSignal(token);
  try {
    const usages = await app.usages.load(open, abort.signal);
    const texts = new FileTextCache(open);
    const entries = includeEntries ? hashes.flatMap((hash) => allEntries(files, hash)) : [];
    const locations: vscode.Location[] = [];
    for (const { path, entry } of entries) {
      const location = await texts.location(path, entry.keySpan);
      if (location !== undefined) locations.push(location);
    }
    const found = new Map<string, vscode.Location>();
    for (const hash of hashes) {
      const name = open.keys.get(hash) ?? allEntries(files, hash)[0]?.name;
      for (const { uri, range, path, line, character } of await locateUsages(open, usages, hash, name))
        found.set(`${line}:${character}:${path}`, new vscode.Location(uri, range));
      if (name === undefined) continue;
      for (const other of app.projects.all.filter((each) => each !== open)) {
        const others = await app.usages.load(other, abort.signal);
        for (const { uri, range } of await locateUsagesElsewhere(open, other, others, name))
          found.set(
            `${range.start.line}:${range.start.character}:${uri.toString()}`,
            new vscode.Location(uri, range),
          );
      }
    }
    return [...locations, ...found.values()];
  } catch (error) {
    if (abort.signal.aborted) return undefined;
    throw error;
  } finally {
    abort.dispose();
  }
}
