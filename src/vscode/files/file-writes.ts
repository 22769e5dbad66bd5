/**
 * Writing some files of a project together, all or none: on disk (file-transaction.ts), and through the editor where somebody
 * has not saved them yet. A document without unsaved changes is read again by VS Code; saving it would run formatters and
 * other actions on save over the whole file. Where files lie, and that they are as they were read, is files.ts's to know.
 */
import { Range, workspace, WorkspaceEdit, type TextDocument, type Uri } from "vscode";
import type { FormatName } from "../../model/format-name.ts";
import { decodeText, encodeText, isNotText, sameBytes } from "../../formats/encoding.ts";
import type { FileWrite, WriteOutcome } from "../../model/platform.ts";
import { atomicWrite } from "./atomic-write.ts";
import { notWritten } from "./write-errors.ts";
import { NotWritten, stageFiles } from "../../workspace/files/file-transaction.ts";

/** One write and the file's own place. */
export interface Place {
  readonly write: FileWrite;
  readonly uri: Uri;
  readonly format: FormatName | undefined;
}

/** A file with unsaved changes, and its document's text afterwards. */
interface UnsavedPlace extends Place {
  readonly document: TextDocument;
  readonly text: string;
}

/**
 * All of them stand beside their files before any is changed, so that a disk that refuses one leaves all as they are;
 * then unsaved documents, in one edit, since VS Code may refuse that; then the others.
 */
export async function writeAll(places: readonly Place[], notes: string): Promise<WriteOutcome> {
  // What a person had not saved yet stays theirs to save.
  const unsaved = places.flatMap((place): UnsavedPlace[] => {
    const document = openDocument(place.uri);
    const text = textOf(place.write.after, place.format);
    return document?.isDirty === true && text !== null ? [{ ...place, document, text }] : [];
  });
  const onDisk = places.filter(({ uri }) => !unsaved.some((each) => each.uri === uri));
  const staged = await saying(places, () =>
    stageFiles(
      onDisk
        .filter(({ uri }) => uri.scheme === "file")
        .map(({ uri, write }) => ({ path: uri.fsPath, before: write.before, after: write.after })),
      { notes },
    ),
  );
  const written: Place[] = [];
  try {
    const edit = new WorkspaceEdit();
    for (const { document, text, uri } of unsaved) {
      const change = smallestChange(document, text);
      if (change !== null) edit.replace(uri, change.range, change.text);
    }
    if (edit.size > 0 && !(await workspace.applyEdit(edit))) {
      await staged.discard();
      return { kind: "changed", paths: unsaved.map(({ write }) => write.path) };
    }
    for (const place of onDisk.filter(({ uri }) => uri.scheme !== "file")) {
      await saying([place], () => atomicWrite(place.uri, place.write.after));
      written.push(place);
    }
    await saying(places, () => staged.replace());
  } catch (error) {
    await staged.discard();
    await putBack(written, unsaved);
    throw error;
  }
  await Promise.all(onDisk.map(isShown));
  return { kind: "written" };
}

/** Milliseconds after which nobody waits any longer for VS Code to read a changed file again. */
const MAX_WAIT = 3_000;

/** Resolves when an open document of the file has been read again, so that whoever looks at it next sees the new text. */
function isShown({ uri, write, format }: Place): Promise<void> {
  const document = openDocument(uri);
  const text = textOf(write.after, format);
  if (document === undefined || text === null || sameLines(document.getText(), text)) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(done, MAX_WAIT);
    const listener = workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && event.contentChanges.length > 0) done();
    });
  });
}

/** VS Code shows all line ends of a document as one kind. */
function sameLines(a: string, b: string): boolean {
  return a.replaceAll(/\r\n?/gu, "\n") === b.replaceAll(/\r\n?/gu, "\n");
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

async function putBack(written: readonly Place[], unsaved: readonly UnsavedPlace[]): Promise<void> {
  for (const { uri, write } of written) {
    if (write.before === undefined) await workspace.fs.delete(uri);
    else await atomicWrite(uri, write.before);
  }
  const undo = new WorkspaceEdit();
  for (const { document, write, format } of unsaved) {
    const before = textOf(write.before ?? new Uint8Array(), format);
    const change = before === null ? null : smallestChange(document, before);
    if (change !== null) undo.replace(document.uri, change.range, change.text);
  }
  if (undo.size > 0) await workspace.applyEdit(undo);
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
