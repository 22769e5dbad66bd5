/**
 * Writes several files, all or none: on disk (file-transaction.ts), or as an edit of the open document if that has unsaved
 * changes. Documents without unsaved changes are reloaded by VS Code; saving them would run formatters on save.
 */
import { Range, Uri, workspace, WorkspaceEdit, type TextDocument } from "vscode";
import type { FormatName } from "../../model/file-formats.ts";
import { decodeText, encodeText, isUndecodable, sameBytes } from "../../formats/text/encoding.ts";
import type { FileWrite, ProjectFiles, WriteOutcome } from "../../model/platform.ts";
import { smallestReplacement } from "../../util/span.ts";
import { fileChangedError } from "../../messages/file-write-error-messages.ts";
import type { LocatedWrite as WriteOnDisk } from "../../projects/project-files.ts";
import type { StagedFiles } from "../../workspace/file-system/file-transaction.ts";

/** A write to an open document. */
interface LocatedWrite extends WriteOnDisk {
  readonly uri: Uri;
  readonly format: FormatName | undefined;
}

/** A write to a document with unsaved changes. `text`: the document's text after the write. */
interface UnsavedWrite extends LocatedWrite {
  readonly document: TextDocument;
  readonly text: string;
}

/**
 * Writes the files (`Documents` of src/projects/project-files.ts). All are staged next to their targets first, so that a disk
 * error changes none of them; then documents with unsaved changes are edited, which VS Code may refuse; then the staged files
 * replace their targets. What was typed or written while they were staged counts as changed.
 */
export async function writeFiles(
  located: readonly WriteOnDisk[],
  stage: (onDisk: readonly WriteOnDisk[]) => Promise<StagedFiles>,
  formatAt: (path: string) => FormatName | undefined,
): Promise<WriteOutcome> {
  const writes = located.map(({ write, target }): LocatedWrite => {
    return { write, target, uri: Uri.file(target), format: formatAt(write.path) };
  });
  // Documents with unsaved changes are edited and left unsaved.
  const unsaved = writes.flatMap((each): UnsavedWrite[] => {
    const document = openDocument(each.uri);
    const text = textOfBytes(each.write.after, each.format);
    return document?.isDirty === true && text !== null ? [{ ...each, document, text }] : [];
  });
  const onDisk = writes.filter(({ uri }) => !unsaved.some((each) => each.uri === uri));
  const staged = await stage(onDisk);
  try {
    const typed = unsaved.filter(({ document, write, format }) => {
      return textOfBytes(write.before ?? new Uint8Array(), format) !== document.getText();
    });
    if (typed.length > 0) {
      await staged.discard();
      return { kind: "changed", paths: typed.map(({ write }) => write.path) };
    }
    const edit = new WorkspaceEdit();
    for (const { document, text, uri } of unsaved) {
      const change = smallestChange(document, text);
      if (change !== null) edit.replace(uri, change.range, change.text);
    }
    if (edit.size > 0 && !(await workspace.applyEdit(edit))) {
      await staged.discard();
      return { kind: "changed", paths: unsaved.map(({ write }) => write.path) };
    }
    const changed = await staged.replace();
    if (changed.length > 0) {
      await revertEdits(unsaved);
      return { kind: "changed", paths: changed };
    }
  } catch (error) {
    await staged.discard();
    await revertEdits(unsaved);
    throw error;
  }
  await Promise.all(onDisk.map(waitUntilReloaded));
  return { kind: "written" };
}

/**
 * Writes files of a project, all or none.
 *
 * @throws {CommandError} `file_changed` if one of them was changed since it was read.
 */
export async function writeProjectFiles(files: ProjectFiles, writes: readonly FileWrite[]): Promise<void> {
  const outcome = await files.write(writes);
  if (outcome.kind === "changed") throw fileChangedError(outcome.paths);
}

const MAX_RELOAD_WAIT_MS = 3_000;

/** Resolves when VS Code has reloaded the open document of the file, or after a timeout. */
function waitUntilReloaded({ uri, write, format }: LocatedWrite): Promise<void> {
  const document = openDocument(uri);
  const text = textOfBytes(write.after, format);
  if (document === undefined || text === null || sameLines(document.getText(), text)) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(done, MAX_RELOAD_WAIT_MS);
    const listener = workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && event.contentChanges.length > 0) done();
    });
  });
}

/** Compares texts ignoring line endings, which VS Code normalises per document. */
function sameLines(a: string, b: string): boolean {
  return a.replaceAll(/\r\n?/gu, "\n") === b.replaceAll(/\r\n?/gu, "\n");
}

/** Reverts the edits of documents with unsaved changes. */
async function revertEdits(unsaved: readonly UnsavedWrite[]): Promise<void> {
  const undo = new WorkspaceEdit();
  for (const { document, write, format } of unsaved) {
    const before = textOfBytes(write.before ?? new Uint8Array(), format);
    const change = before === null ? null : smallestChange(document, before);
    if (change !== null) undo.replace(document.uri, change.range, change.text);
  }
  if (undo.size > 0) await workspace.applyEdit(undo);
}

/** Returns the smallest edit that changes the document to `after`; `null` if they are equal. */
export function smallestChange(document: TextDocument, after: string): { range: Range; text: string } | null {
  const before = document.getText();
  if (before === after) return null;
  const { start, end, text } = smallestReplacement(before, after);
  return { range: new Range(document.positionAt(start), document.positionAt(end)), text };
}

/** Returns the document of an open file. */
export function openDocument(uri: Uri): TextDocument | undefined {
  const name = uri.toString();
  return workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === name);
}

/** Whether the document shows `before`, and saving it with the text of `after` would write exactly those bytes. */
export function savesAs(
  document: TextDocument,
  { before, after }: Pick<FileWrite, "before" | "after">,
  format: FormatName | undefined,
): boolean {
  const isShown = before !== undefined && textOfBytes(before, format) === document.getText();
  return isShown && isSavedAs(document, after, format);
}

/** Whether the bytes have the encoding in which VS Code saves the document. */
function isSavedAs(
  { encoding: own }: TextDocument,
  bytes: Uint8Array,
  format: FormatName | undefined,
): boolean {
  const decoded = decodeText(bytes, format);
  if (isUndecodable(decoded)) return false;
  const { text, bom, encoding } = decoded;
  if (own === "utf8") return !bom && sameBytes(encodeText({ text, bom }), bytes);
  if (own === "utf8bom") return bom && encoding === undefined;
  return own === encoding?.toLowerCase().replaceAll(/[^a-z0-9]/gu, "");
}

/** Decodes the bytes; `null` if they cannot be decoded and encoded again without loss. */
export function textOfBytes(bytes: Uint8Array, format: FormatName | undefined): string | null {
  const decoded = decodeText(bytes, format);
  return isUndecodable(decoded) ? null : decoded.text;
}
