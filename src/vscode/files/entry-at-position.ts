/** Translation files as documents: the selector, and the entry at a position. */
import type * as vscode from "vscode";
import type { LocalEntry, LocalFile } from "../../workspace/local-files/local-entries.ts";
import { documentsWhere } from "../../model/file-formats.ts";
import type { App } from "../app.ts";
import type { OpenProject } from "../projects/open-project.ts";
import { FileTextCache, type FileText } from "./file-text-cache.ts";

/** Selects documents that may be translation files; the project's layout decides. */
export const LOCAL_DOCUMENTS: vscode.DocumentSelector = documentsWhere(() => true);

/** A translation file with its parsed entries and its text. */
export interface LocalDocument extends FileText {
  readonly open: OpenProject;
  readonly file: LocalFile;
}

/** Returns the translation file of a document; `undefined` if it is not one. */
export async function localDocument(
  app: App,
  document: vscode.TextDocument,
): Promise<LocalDocument | undefined> {
  const open = app.projects.of(document.uri);
  const path = open?.relative(document.uri) ?? null;
  if (open === undefined || path === null || open.local.locate(path) === null) return undefined;
  const file = await open.local.file(path);
  const read = file && (await new FileTextCache(open).read(path));
  return read && { open, file, ...read };
}

/** Returns the translation file, and its entry whose key or value is at the position; `undefined` if there is none. */
export async function entryAt(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<(LocalDocument & { readonly entry: LocalEntry }) | undefined> {
  const local = await localDocument(app, document);
  const entry = local?.file.entries.entryAt(local.lines.offset(position));
  return local && entry && { ...local, entry };
}
