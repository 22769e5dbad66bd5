/**
 * Find All References of a key, from code and from its entry in a translation file: its uses in all code, also where
 * a pattern may mean it, and as its declarations the entries in every language.
 */
import * as vscode from "vscode";
import { keyHash } from "../../core/identity.ts";
import type { App, OpenProject } from "../../host/app.ts";
import { sha1 } from "../../host/clock.ts";
import { CODE_DOCUMENTS } from "../../host/code-keys.ts";
import { FileTexts } from "../../host/file-texts.ts";
import { entryAt, LOCAL_DOCUMENTS, localDocument } from "../../host/local-documents.ts";
import { abortOf } from "../../host/raced.ts";
import { usesOf } from "../../host/use-places.ts";

/** The key that stands at a position. */
interface KeyAt {
  readonly open: OpenProject;
  readonly hash: string;
}

/** Registers the reference providers of code and of translation files. */
export function registerReferences(app: App): void {
  app.own(
    vscode.languages.registerReferenceProvider(CODE_DOCUMENTS, {
      provideReferences: async (document, position, { includeDeclaration }, token) =>
        referencesTo(app, await keyInCode(app, document, position), includeDeclaration, token),
    }),
  );
  app.own(
    vscode.languages.registerReferenceProvider(LOCAL_DOCUMENTS, {
      provideReferences: async (document, position, { includeDeclaration }, token) =>
        referencesTo(app, await keyInFile(app, document, position), includeDeclaration, token),
    }),
  );
}

/** Of a key that the service does not have the name under which a local file has it. */
async function keyInCode(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<KeyAt | undefined> {
  const found = app.code.useAt(document, position);
  if (found === undefined) return undefined;
  const { open, use } = found;
  const lookup = app.code.lookUp(open, use);
  if (lookup.kind === "known") return { open, hash: lookup.key.hash };
  if (lookup.kind !== "unknown") return undefined;
  const snapshot = await open.local.load();
  const hashes = lookup.candidates.map((name) => keyHash(sha1, name));
  const hash = hashes.find((each) => snapshot.locales.some((locale) => snapshot.entries(locale).has(each)));
  return hash === undefined ? undefined : { open, hash };
}

async function keyInFile(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<KeyAt | undefined> {
  const local = await localDocument(app, document);
  const entry = local && entryAt(local, position);
  return local && entry && { open: local.open, hash: entry.hash };
}

async function referencesTo(
  app: App,
  key: KeyAt | undefined,
  withEntries: boolean,
  token: vscode.CancellationToken,
): Promise<vscode.Location[] | undefined> {
  if (key === undefined) return undefined;
  const { open, hash } = key;
  const abort = abortOf(token);
  const { signal } = abort;
  try {
    const uses = await usesOf(open, await app.usages.ready(open, signal), hash);
    const places = uses.map(({ uri, range }) => new vscode.Location(uri, range));
    return withEntries ? [...(await entriesOf(open, hash)), ...places] : places;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    abort.dispose();
  }
}

async function entriesOf(open: OpenProject, hash: string): Promise<vscode.Location[]> {
  const snapshot = await open.local.load();
  const texts = new FileTexts(open);
  const found: vscode.Location[] = [];
  for (const locale of snapshot.locales) {
    const entry = snapshot.entries(locale).get(hash);
    const place = entry && (await texts.location(entry.path, entry.entry.keySpan));
    if (place !== undefined) found.push(place);
  }
  return found;
}
