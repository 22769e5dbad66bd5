/**
 * Writing some files of a project together, all or none: through the editor where they are open, else on disk
 * (staged-files.ts). Where they lie, and that they are as they were read, is files.ts's to know.
 */
import { Range, workspace, WorkspaceEdit, type TextDocument, type Uri } from "vscode";
import type { FormatName } from "../api/schemas.ts";
import { decodeText, encodeText, isNotText, sameBytes } from "../core/bytes.ts";
import type { FileWrite, WriteOutcome } from "../core/ports.ts";
import { atomicWrite } from "./atomic-write.ts";
import { notWritten } from "./not-written.ts";
import { NotWritten, stageFiles } from "./staged-files.ts";

/** One write and the file's own place. */
export interface Place {
  readonly write: FileWrite;
  readonly uri: Uri;
  readonly format: FormatName | undefined;
}

/** A file that is changed through its open document, and the document's text afterwards. */
interface OpenPlace extends Place {
  readonly document: TextDocument;
  readonly text: string;
}

/**
 * All of them stand beside their files before any is changed, so that a disk that refuses one leaves all as they are;
 * then open documents, in one edit, since VS Code may refuse that; then the others.
 */
export async function writeAll(places: readonly Place[], notes: string): Promise<WriteOutcome> {
  const open = places.flatMap((place): (OpenPlace & { readonly wasDirty: boolean })[] => {
    const edited = editedDocument(place);
    return edited === undefined ? [] : [{ ...place, ...edited, wasDirty: edited.document.isDirty }];
  });
  const saved = open.filter(({ wasDirty }) => !wasDirty);
  const closed = places.filter(({ uri }) => !open.some((each) => each.uri === uri));
  const staged = await saying(places, () =>
    stageFiles(
      // What a person had not saved yet stays theirs to save.
      [...saved, ...closed]
        .filter(({ uri }) => uri.scheme === "file")
        .map(({ uri, write }) => ({ path: uri.fsPath, before: write.before, after: write.after })),
      { notes },
    ),
  );
  const written: Place[] = [];
  try {
    const edit = new WorkspaceEdit();
    for (const { document, text, uri } of open) {
      const change = smallestChange(document, text);
      if (change !== null) edit.replace(uri, change.range, change.text);
    }
    if (edit.size > 0 && !(await workspace.applyEdit(edit))) {
      await staged.discard();
      return { kind: "changed", paths: open.map(({ write }) => write.path) };
    }
    for (const { document, write } of saved) {
      if (document.isDirty && !(await document.save())) throw notWritten(undefined, write.path);
    }
    for (const place of closed.filter(({ uri }) => uri.scheme !== "file")) {
      await saying([place], () => atomicWrite(place.uri, place.write.after));
      written.push(place);
    }
    await saying(places, () => staged.replace(new Set(saved.map(({ uri }) => uri.fsPath))));
  } catch (error) {
    await staged.discard();
    await putBack(written, open, new Set(saved.map(({ document }) => document)));
    throw error;
  }
  return { kind: "written" };
}

/** With what the disk refuses in words. */
async function saying<Value>(places: readonly Place[], work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const nameOf = (path: string): string =>
      places.find(({ uri }) => uri.fsPath === path)?.write.path ?? path;
    if (error instanceof NotWritten) {
      throw notWritten(error.cause, nameOf(error.path), error.written.map(nameOf));
    }
    throw notWritten(error, places[0]?.write.path ?? "");
  }
}

async function putBack(
  written: readonly Place[],
  open: readonly OpenPlace[],
  saved: ReadonlySet<TextDocument>,
): Promise<void> {
  for (const { uri, write } of written) {
    if (write.before === undefined) await workspace.fs.delete(uri);
    else await atomicWrite(uri, write.before);
  }
  const undo = new WorkspaceEdit();
  for (const { document, write, format } of open) {
    const before = textOf(write.before ?? new Uint8Array(), format);
    const change = before === null ? null : smallestChange(document, before);
    if (change !== null) undo.replace(document.uri, change.range, change.text);
  }
  if (undo.size > 0) await workspace.applyEdit(undo);
  for (const document of saved) if (document.isDirty) await document.save();
}

/** The one range in which the document and the wanted text differ; `null`: they do not. */
function smallestChange(document: TextDocument, wanted: string): { range: Range; text: string } | null {
  const before = document.getText();
  if (before === wanted) return null;
  const most = Math.min(before.length, wanted.length);
  let start = 0;
  while (start < most && before[start] === wanted[start]) start++;
  if (isInsideOfOne(before, start) || isInsideOfOne(wanted, start)) start--;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === wanted[wanted.length - 1 - end]) end++;
  if (isInsideOfOne(before, before.length - end) || isInsideOfOne(wanted, wanted.length - end)) end--;
  const range = new Range(document.positionAt(start), document.positionAt(before.length - end));
  return { range, text: wanted.slice(start, wanted.length - end) };
}

/** Between the two units of a line end or of a surrogate pair, where no position of VS Code can be. */
function isInsideOfOne(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  if (text[offset - 1] === "\r") return text[offset] === "\n";
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}

/** The document of an open file. */
export function openDocument(uri: Uri): TextDocument | undefined {
  const name = uri.toString();
  return workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === name);
}

/**
 * The open document through which the file is changed. None where the document, saved, would not be the wanted bytes, as
 * with mixed line ends or an encoding that VS Code does not know of: to save it would change more than was asked for, so
 * the file itself is written, and VS Code reads it again.
 */
function editedDocument({ uri, write, format }: Place): Pick<OpenPlace, "document" | "text"> | undefined {
  const document = openDocument(uri);
  const text = textOf(write.after, format);
  if (document === undefined || text === null) return undefined;
  if (document.isDirty) return { document, text };
  return savesAs(document, write, format) ? { document, text } : undefined;
}

/** Whether the document shows what the file says, and the text of other bytes would be saved as exactly these. */
export function savesAs(
  document: TextDocument,
  { before, after }: Pick<FileWrite, "before" | "after">,
  format: FormatName | undefined,
): boolean {
  const isShown = before !== undefined && textOf(before, format) === document.getText();
  return isShown && isSavedAs(document, after, format);
}

/** Whether the bytes are in the encoding in which VS Code saves the document. */
function isSavedAs(
  { encoding: own }: TextDocument,
  bytes: Uint8Array,
  format: FormatName | undefined,
): boolean {
  const decoded = decodeText(bytes, format);
  if (isNotText(decoded)) return false;
  const { text, bom, encoding } = decoded;
  if (own === "utf8") return !bom && sameBytes(encodeText({ text, bom }), bytes);
  if (own === "utf8bom") return bom && encoding === undefined;
  return own === encoding?.toLowerCase().replaceAll(/[^a-z0-9]/gu, "");
}

/** `null`: no text in any encoding that could be written back. */
export function textOf(bytes: Uint8Array, format: FormatName | undefined): string | null {
  const decoded = decodeText(bytes, format);
  return isNotText(decoded) ? null : decoded.text;
}
