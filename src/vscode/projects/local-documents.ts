/** The project's translation files as documents: which documents those are, and the entry at a place in one. */
import type * as vscode from "vscode";
import type { LocalEntry, LocalFile } from "../../workspace/local-files/local-entries.ts";
import type { App } from "../app.ts";
import type { OpenProject } from "./project-handle.ts";
import { FileTexts, type FileText } from "./file-texts.ts";

/** Documents that may be translation files; whether one is says the project's layout. */
export const LOCAL_DOCUMENTS: vscode.DocumentSelector = [
  "php",
  "json",
  "jsonc",
  "javascript",
  "typescript",
  { pattern: "**/*.{po,pot,csv,xlf,xliff}" },
];

/** A translation file as it was last read, with its text. */
export interface LocalDocument extends FileText {
  readonly open: OpenProject;
  readonly file: LocalFile;
}

/** The document as one of its project's translation files; `undefined` when it is none. */
export async function localDocument(
  app: App,
  document: vscode.TextDocument,
): Promise<LocalDocument | undefined> {
  const open = app.projects.of(document.uri);
  const path = open?.relative(document.uri) ?? null;
  if (open === undefined || path === null || open.local.placeOf(path) === null) return undefined;
  const { files } = await open.local.load();
  const file = files.find((each) => each.place.path === path);
  const read = file && (await new FileTexts(open).read(path));
  return read && { open, file, ...read };
}

/** The entry whose name or value stands at the position. */
export function entryAt({ file, lines }: LocalDocument, position: vscode.Position): LocalEntry | undefined {
  return file.entries.around(lines.offset(position));
}
