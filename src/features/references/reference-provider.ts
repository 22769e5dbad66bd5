/**
 * Find All References for keys, from code and from translation files: all usages, including dynamic ones that may refer to
 * the key; the entries in all languages are its declarations.
 */
import * as vscode from "vscode";
import { keyHash } from "../../model/key-hash.ts";
import type { KeyResolution } from "../../workspace/usages/resolve-usage-to-key.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { CODE_DOCUMENTS } from "../../vscode/projects/document-usages.ts";
import { FileTextCache } from "../../vscode/files/file-text-cache.ts";
import { entryAt, LOCAL_DOCUMENTS, localDocument } from "../../vscode/files/translation-file-documents.ts";
import { toAbortSignal } from "../../vscode/abort-signals.ts";
import { locateUsages } from "../../vscode/ui/documents/usage-locations.ts";

/** The keys at a position. */
interface KeysAt {
  readonly open: OpenProject;
  readonly hashes: readonly string[];
}

/** Registers the reference providers of code and of translation files. */
export function registerReferences(app: App): void {
  app.addDisposable(
    vscode.languages.registerReferenceProvider(CODE_DOCUMENTS, {
      provideReferences: async (document, position, { includeDeclaration }, token) =>
        referencesTo(app, await keysInCode(app, document, position), includeDeclaration, token),
    }),
    vscode.languages.registerReferenceProvider(LOCAL_DOCUMENTS, {
      provideReferences: async (document, position, { includeDeclaration }, token) =>
        referencesTo(app, await keyInFile(app, document, position), includeDeclaration, token),
    }),
  );
}

/** Returns all keys at the position: the branches of a template, the values of a constant. */
async function keysInCode(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<KeysAt | undefined> {
  const found = app.documentUsages.usageAt(document, position);
  if (found === undefined) return undefined;
  const { open, use } = found;
  const hashes = new Set<string>();
  for (const each of app.documentUsages.usagesWith(document, use)) {
    const hash = await hashOf(open, app.documentUsages.resolveKey(open, each));
    if (hash !== undefined) hashes.add(hash);
  }
  return { open, hashes: [...hashes] };
}

/** Returns the hash of the resolved key; for an unknown key that of the local entry. */
async function hashOf(open: OpenProject, lookup: KeyResolution): Promise<string | undefined> {
  if (lookup.kind === "known") return lookup.key.hash;
  if (lookup.kind !== "unknown") return undefined;
  const local = await open.local.load();
  const hashes = lookup.candidates.map((name) => keyHash(name));
  return hashes.find((each) => local.locales.some((locale) => local.entries(locale).has(each)));
}

async function keyInFile(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<KeysAt | undefined> {
  const local = await localDocument(app, document);
  const entry = local && entryAt(local, position);
  return local && entry && { open: local.open, hashes: [entry.hash] };
}

async function referencesTo(
  app: App,
  keys: KeysAt | undefined,
  withEntries: boolean,
  token: vscode.CancellationToken,
): Promise<vscode.Location[] | undefined> {
  if (keys === undefined || keys.hashes.length === 0) return undefined;
  const { open, hashes } = keys;
  const abort = toAbortSignal(token);
  const { signal } = abort;
  try {
    const usages = await app.usages.ready(open, signal);
    const places: vscode.Location[] = [];
    for (const hash of hashes) if (withEntries) places.push(...(await entriesOf(open, hash)));
    const seen = new Set<string>();
    for (const hash of hashes) {
      for (const { uri, range, path, line, character } of await locateUsages(open, usages, hash)) {
        const place = `${line}:${character}:${path}`;
        if (!seen.has(place)) places.push(new vscode.Location(uri, range));
        seen.add(place);
      }
    }
    return places;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    abort.dispose();
  }
}

async function entriesOf(open: OpenProject, hash: string): Promise<vscode.Location[]> {
  const local = await open.local.load();
  const texts = new FileTextCache(open);
  const found: vscode.Location[] = [];
  for (const locale of local.locales) {
    const entry = local.entries(locale).get(hash);
    const place = entry && (await texts.location(entry.path, entry.entry.keySpan));
    if (place !== undefined) found.push(place);
  }
  return found;
}
