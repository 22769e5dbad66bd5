/**
 * The files of an import and their upload paths, from which the service derives format, language and namespace
 * (§ POST /imports rule 1).
 */
import { open as openFile, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type ImportFields, MAX_UPLOAD_BYTES } from "../api/endpoints.ts";
import { CommandError } from "../commands/command-types.ts";
import { HEAD_LENGTH, detectFromContent, detectFromPath } from "../formats/detect-format.ts";
import { decodeHead } from "../formats/parse-and-edit-file.ts";
import { unreadableFileError } from "../messages/file-problem-messages.ts";
import { firstPathsText } from "../messages/sync/file-names.ts";
import { formatInfo } from "../model/file-formats.ts";
import type { ProjectFiles } from "../model/platform.ts";
import { importTarget, missingImportFields, type ImportSource } from "../sync/import/import-plan.ts";
import { l10n } from "../util/l10n.ts";
import { relativePathIn } from "../workspace/file-system/paths.ts";
import type { LocalEntries } from "../workspace/local-files/local-entries.ts";

/** A file to import. */
export interface FoundFile extends ImportSource {
  /** The absolute path on disk. */
  readonly file: string;
}

/** The project that files are imported into. */
export interface ImportTarget {
  /** The folder of the project. */
  readonly root: string;
  readonly files: Pick<ProjectFiles, "read">;
  readonly local: Pick<LocalEntries, "locate">;
}

const MAX_FILES = 5_000;
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(["node_modules", ".git", ".svn", ".hg"]);

/**
 * Returns the files, searching folders recursively. Files in folders must look like translation files; files given
 * explicitly are always included.
 *
 * @param paths absolute paths
 * @param maxFiles in a folder: guards against importing a whole disk
 * @throws {CommandError} if there are no files or too many.
 */
export async function findImportFiles(
  target: ImportTarget,
  paths: readonly string[],
  signal: AbortSignal,
  maxFiles = MAX_FILES,
): Promise<FoundFile[]> {
  const found = new Map<string, { readonly base: string; readonly isExplicit: boolean }>();
  for (const path of paths) {
    const base = dirname(path);
    if (!(await stat(path)).isDirectory()) found.set(path, { base, isExplicit: true });
    else
      for (const file of await filesBelow(path, (each) => uploadPath(target, each, base), maxFiles, signal))
        if (!found.has(file)) found.set(file, { base, isExplicit: false });
  }
  const files: FoundFile[] = [];
  let bytes = 0;
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [file, { base, isExplicit }] of sorted) {
    signal.throwIfAborted();
    if (!isExplicit && !(await looksLikeTranslations(file, uploadPath(target, file, base)))) continue;
    bytes += (await stat(file)).size;
    // Fails before the remaining files are read into memory.
    if (bytes > MAX_UPLOAD_BYTES) throw tooLargeError(bytes);
    files.push(await readImportFile(target, file, base));
  }
  if (files.length > 0) return files;
  throw new CommandError(
    "invalid",
    l10n.t("No translation files were found there. Choose files in a supported format."),
    { reason: "no_files" },
  );
}

/** Returns whether the file starts like a translation file; source code and data have the same extensions. */
async function looksLikeTranslations(path: string, name: string): Promise<boolean> {
  const file = await openFile(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_LENGTH));
    return detectFromContent(name, decodeHead(buffer.subarray(0, bytesRead))) !== null;
  } finally {
    await file.close();
  }
}

/** The error for files that exceed the total size limit (§ Limits: 50 MB). */
export function tooLargeError(bytes: number): CommandError {
  return new CommandError(
    "invalid",
    l10n.t(
      "The files are too large: {0} MB or more together; the limit is 50 MB. Import fewer at a time.",
      Math.floor(bytes / 1024 / 1024),
    ),
    { reason: "too_large" },
  );
}

/** Whether the path suggests translations: by a locale, or by an ending of formats that need none there. */
function mayBeTranslations(path: string): boolean {
  const detected = detectFromPath(path);
  if (detected === null) return false;
  const { isOnlyTranslations, ownLocales } = formatInfo(detected.format);
  return detected.locale !== null || isOnlyTranslations || ownLocales;
}

/** Returns the path that says a file's language: folders above the project or the chosen folder, such as `/home/nl`, say none. */
function uploadPath({ root }: ImportTarget, file: string, base: string): string {
  return relativePathIn(root, file) ?? relativePathIn(base, file) ?? basename(file);
}

async function filesBelow(
  folder: string,
  uploadPathOf: (path: string) => string,
  maxFiles: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    signal.throwIfAborted();
    for (const entry of await readdir(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      // A symbolic link, which could leave the chosen folder or form a cycle, is neither.
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name)) folders.push(path);
      } else if (entry.isFile() && mayBeTranslations(uploadPathOf(path))) {
        found.push(path);
      }
      if (found.length > maxFiles) {
        throw new CommandError(
          "invalid",
          l10n.t("There are more than {0} files there. Choose a smaller folder.", maxFiles),
        );
      }
    }
  }
  return found;
}

async function readImportFile(
  { root, files, local }: ImportTarget,
  file: string,
  base: string,
): Promise<FoundFile> {
  const path = relativePathIn(root, file);
  if (path !== null) {
    // Includes unsaved changes of open editors.
    const read = await files.read(path);
    if (read.kind === "unreadable") throw unreadableFileError(path, read.reason);
    const location = local.locate(path);
    const located = location === null ? { path, target: null } : importTarget(location);
    if (read.kind === "read") return { ...located, file, bytes: read.bytes };
  }
  const name = relativePathIn(base, file) ?? basename(file);
  return { path: name, target: null, file, bytes: await readFile(file) };
}

/**
 * Requires that the service can tell the format and language of each file, and that no field is needed that it does not
 * have.
 * @throws {CommandError} `invalid`
 */
export function requireImportFields(files: readonly FoundFile[], given: ImportFields): void {
  const prefixed = files.filter(({ target }) => (target?.keyPrefix ?? "") !== "");
  if (prefixed.length > 0) throw keyPrefixError(prefixed);
  const missing = missingImportFields(files);
  for (const field of ["format", "locale"] as const) {
    const [first] = missing[field];
    if (given[field] === undefined && first !== undefined) throw missingFieldError(field, first);
  }
}

/** The error for a file whose format or language is not known. */
function missingFieldError(field: "format" | "locale", path: string): CommandError {
  const message =
    field === "format"
      ? l10n.t("What format is {0}? Set the option “format”.", path)
      : l10n.t("What language is {0}? Set the option “locale”.", path);
  return new CommandError("invalid", message, { errors: { [field]: [message] } });
}

/** The error for files whose entry has a `keyPrefix`, which no field of an import can express. */
export function keyPrefixError(prefixed: readonly FoundFile[]): CommandError {
  return new CommandError(
    "invalid",
    l10n.t(
      "An import cannot put “{0}” before the keys of {1}, as “keyPrefix” in project-translations.json asks. Send them with Import Local Translations, or put the whole keys into the file and take “keyPrefix” away.",
      prefixed[0]?.target?.keyPrefix ?? "",
      firstPathsText(prefixed.map(({ path }) => path)),
    ),
    { reason: "key_prefix" },
  );
}
