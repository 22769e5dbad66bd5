/**
 * Which files an import sends and under which paths, since the service reads format, language and namespace from a
 * path (§ POST /imports rule 1). Reads the disk; sends nothing.
 */
import * as vscode from "vscode";
import { MAX_UPLOAD_BYTES } from "../../api/endpoints.ts";
import { recogniseContent, recognisePath } from "../../formats/recognise.ts";
import { beginningOf } from "../../formats/translation-file.ts";
import { importPlace, type ImportSource } from "../../sync/import-uploads.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { relativePathOfUri } from "../../vscode/files/files.ts";
import { CommandError } from "../../vscode/command-result.ts";
import { l10n } from "../../vscode/l10n.ts";

/** A file to import. */
export interface FoundFile extends ImportSource {
  readonly uri: vscode.Uri;
}

/** More files than these are somebody's whole disk. */
const MAX_FILES = 5_000;
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git", ".svn", ".hg"]);

/**
 * The files, folders gone through. Files of folders must look like translation files; named ones are taken as they
 * are. Throws CommandError when there are none or they are too many to send.
 */
export async function findImportFiles(
  open: OpenProject,
  uris: readonly vscode.Uri[],
  signal: AbortSignal,
): Promise<FoundFile[]> {
  const places = new Map<string, Place>();
  for (const uri of uris) {
    const { type } = await vscode.workspace.fs.stat(uri);
    const base = vscode.Uri.joinPath(uri, "..");
    if ((type & vscode.FileType.Directory) === 0) places.set(uri.toString(), { uri, base, isNamed: true });
    else
      for (const file of await filesBelow(uri, signal))
        places.set(file.toString(), { uri: file, base, isNamed: false });
  }
  const files: FoundFile[] = [];
  let bytes = 0;
  for (const { uri, base, isNamed } of [...places.values()].sort((a, b) =>
    a.uri.path < b.uri.path ? -1 : 1,
  )) {
    signal.throwIfAborted();
    bytes += (await vscode.workspace.fs.stat(uri)).size;
    // Before the rest is read into memory only to be refused.
    if (bytes > MAX_UPLOAD_BYTES) throw tooLarge(bytes);
    const file = await readFile(open, uri, base);
    if (isNamed || looksRight(file)) files.push(file);
    else bytes -= file.bytes.length;
  }
  if (files.length === 0) {
    throw new CommandError(
      "invalid",
      l10n.t("No translation files were found there. Choose files in a supported format."),
      { reason: "no_files" },
    );
  }
  return files;
}

/** Where a file was found: by its own name, or in a folder of which everything was looked at. */
interface Place {
  readonly uri: vscode.Uri;
  readonly base: vscode.Uri;
  readonly isNamed: boolean;
}

/** Code and data have endings of translation files too. */
function looksRight({ path, bytes }: FoundFile): boolean {
  return recogniseContent(path, beginningOf(bytes)) !== null;
}

/** The files together are over the limit (§ Limits: 50 MB). */
export function tooLarge(bytes: number): CommandError {
  return new CommandError(
    "invalid",
    l10n.t(
      "The files are too large: {0} MB or more together; the limit is 50 MB. Import fewer at a time.",
      Math.floor(bytes / 1024 / 1024),
    ),
    { reason: "too_large" },
  );
}

async function filesBelow(folder: vscode.Uri, signal: AbortSignal): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    signal.throwIfAborted();
    for (const [name, type] of await vscode.workspace.fs.readDirectory(next)) {
      const uri = vscode.Uri.joinPath(next, name);
      // A link could lead out of the folder that was chosen, or around in it.
      if ((type & vscode.FileType.SymbolicLink) !== 0) continue;
      if ((type & vscode.FileType.Directory) !== 0) {
        if (!SKIPPED.has(name)) folders.push(uri);
      } else if (
        recognisePath(uri.path)?.locale != null ||
        /\.(?:csv|xlsx|pot|po|mo|xlf|xliff)$/iu.test(name)
      ) {
        found.push(uri);
      }
      if (found.length > MAX_FILES) {
        throw new CommandError(
          "invalid",
          l10n.t("There are more than {0} files there. Choose a smaller folder.", MAX_FILES),
        );
      }
    }
  }
  return found;
}

async function readFile(open: OpenProject, uri: vscode.Uri, base: vscode.Uri): Promise<FoundFile> {
  const path = open.relative(uri);
  if (path !== null) {
    // Unsaved text counts as the editor shows it.
    const content = await open.files.read(path);
    const place = open.local.placeOf(path);
    const placed = place === null ? { path, place: null } : importPlace(place);
    if (content !== undefined) return { ...placed, uri, bytes: content.bytes };
  }
  const name = relativePathOfUri(base, uri) ?? uri.path.split("/").at(-1) ?? uri.path;
  return { path: name, place: null, uri, bytes: await vscode.workspace.fs.readFile(uri) };
}
