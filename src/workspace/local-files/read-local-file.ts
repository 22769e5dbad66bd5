/** Parses a translation file into the database: its entries by key, and its problems. */
import type {
  FileDetails,
  LocalEntry,
  LocalFileRepository,
  LocalProblem,
  NewFile,
  StoredFile,
} from "../../database/local-file-repository.ts";
import { formatInfoOf } from "../../formats/format-properties.ts";
import {
  isUnreadable,
  MAX_FILE_BYTES,
  otherFormatOf,
  type FileRead,
  type UnreadableFile,
} from "../../formats/translation-file.ts";
import type { FormatName } from "../../model/format-name.ts";
import { keyHash } from "../../model/key-hash.ts";
import type { createLocaleMap } from "../../model/locales.ts";
import type { FileContent } from "../../model/platform.ts";
import type { Span } from "../../model/span.ts";
import { familyOf, keyNameIn, type LocalFileLocation, formatRank } from "./local-file.ts";
import type { FileOptions } from "./translation-file-access.ts";
import { yieldNow } from "../../model/event-loop.ts";

export interface FileToRead {
  readonly location: LocalFileLocation;
  readonly content: FileContent;
  readonly options: FileOptions;
  /** As in `NewFile`. */
  readonly readConditions: string;
  /** Arguments of `localeMap`. */
  readonly locales: Parameters<typeof createLocaleMap>;
}

export interface ReadDependencies {
  readonly repository: LocalFileRepository;
  readonly read: (format: FormatName, bytes: Uint8Array) => Promise<FileRead | UnreadableFile>;
  /** Maps a locale name in a file to the service's; `null` if the service has none. */
  readonly toService: (fileLocale: string) => string | null;
}

type ProblemDetails = Pick<LocalProblem, "code" | "message"> & Partial<LocalProblem>;

/** Returns a problem of a file; what is not given is unknown. */
export function fileProblem(path: string, problem: ProblemDetails): LocalProblem {
  return { path, span: null, line: null, column: null, key: null, ...problem };
}

/** Entries written between yields to the event loop; about 10 ms. */
const BATCH_SIZE = 1_000;

/**
 * Parses a file and replaces its stored entries, which stay as they are on failure. Returns the stored details.
 * @param readConditions as in `NewFile`
 * @throws the signal's reason, and SQLite errors
 */
export async function readLocalFile(
  dependencies: ReadDependencies,
  location: LocalFileLocation,
  content: FileContent,
  readConditions: string,
  signal?: AbortSignal,
): Promise<StoredFile> {
  const { repository } = dependencies;
  const file = newFile(location, content, readConditions);
  const read = await parseFile(dependencies, location, content);
  const id = repository.beginFile(file);
  try {
    const { facts, count } = await writeEntries(dependencies, id, location, read, signal);
    repository.completeFile(id, file, facts, count);
    return { ...file, ...facts, count };
  } catch (error) {
    repository.abandonFile(id);
    throw error;
  }
}

/** Replaces a file's stored entries with a problem that prevents parsing it. Returns the stored details. */
export function storeUnreadableFile(
  repository: LocalFileRepository,
  { location, content, readConditions }: Pick<FileToRead, "location" | "content" | "readConditions">,
  problem: Pick<LocalProblem, "code" | "message">,
): StoredFile {
  const { path, locale } = location;
  const file = newFile(location, content, readConditions);
  const facts: FileDetails = {
    locales: new Map([[locale, null]]),
    namespaces: [],
    keyNamespaces: file.family === null ? [] : [location.keyNaming.namespace],
    problems: [fileProblem(path, problem)],
  };
  repository.completeFile(repository.beginFile(file), file, facts, 0);
  return { ...file, ...facts, count: 0 };
}

function newFile(
  { path, entry, keyNaming }: LocalFileLocation,
  content: FileContent,
  readConditions: string,
): NewFile {
  return {
    path,
    rank: formatRank(entry.format),
    family: familyOf(entry.format),
    keyPrefix: keyNaming.keyPrefix,
    stamp: content.stamp,
    dirty: content.dirty,
    recent: content.recent ?? false,
    readConditions,
  };
}

/** Parses the content; a file that cannot be parsed has one problem and no entries. */
async function parseFile(
  { read }: ReadDependencies,
  { path, entry: { format } }: LocalFileLocation,
  { stamp, bytes }: FileContent,
): Promise<Pick<FileRead, "entries" | "namespaces"> & { readonly problems: readonly LocalProblem[] }> {
  const refused = (problem: ProblemDetails): { entries: []; problems: LocalProblem[] } => {
    return { entries: [], problems: [fileProblem(path, problem)] };
  };
  if (formatInfoOf(format) === undefined) {
    return refused({ code: "unsupported", message: `files of ${format} are not read yet` });
  }
  if (stamp.size > MAX_FILE_BYTES || bytes.length > MAX_FILE_BYTES) {
    return refused({ code: "too_large", message: `over ${MAX_FILE_BYTES} bytes` });
  }
  const result = await read(format, bytes);
  if (isUnreadable(result)) {
    const { line, column } = result;
    return refused({ code: "encoding", message: "not valid in its encoding", line, column });
  }
  if (result.problems.length > 0 || result.entries.length === 0 || looksLikeWordPress(result.entries)) {
    const other = otherFormatOf(format, path, bytes);
    if (other !== null) {
      return refused({ code: "format", message: `is ${other}, not ${format}`, format: other });
    }
  }
  const problems = result.problems.map(({ code, message, span, line, column, key = null }) =>
    fileProblem(path, { code, message, span, line, column, key }),
  );
  return { ...result, problems };
}

/** Stores the entries of the project's locales. */
async function writeEntries(
  { repository, toService }: ReadDependencies,
  file: number,
  location: LocalFileLocation,
  read: Pick<FileRead, "entries" | "namespaces"> & { readonly problems: readonly LocalProblem[] },
  signal: AbortSignal | undefined,
): Promise<{ readonly facts: FileDetails; readonly count: number }> {
  const { path, entry: layout, placeholders, keyNaming } = location;
  const family = familyOf(layout.format);
  const locales = new Map<string, string | null>();
  /** Locale names that the service does not have, each with the range of the first. */
  const unknown = new Map<string, Span>();
  const known = new Map<string | null, string | null>([[null, location.locale]]);
  const keyNamespaces = new Set(family === null ? [] : [keyNaming.namespace]);
  let count = 0;
  let batch: LocalEntry[] = [];
  const flush = async (): Promise<void> => {
    signal?.throwIfAborted();
    repository.addEntries(file, count, batch);
    count += batch.length;
    batch = [];
    await yieldNow();
  };
  for (const entry of read.entries) {
    const own = entry.locale;
    let locale = known.get(own);
    if (locale === undefined) known.set(own, (locale = toService(own ?? "")));
    if (locale === null) {
      if (!unknown.has(own ?? "")) unknown.set(own ?? "", entry.keySpan);
      continue;
    }
    // Where the path names the locale, columns of other locales are only for reference.
    if (placeholders.locale !== null && locale !== location.locale) continue;
    if (!locales.has(locale)) locales.set(locale, own);
    const name = keyNameIn(location, entry);
    if (family !== null) keyNamespaces.add(name.namespace);
    const { text, description } = entry;
    batch.push({ name, hash: keyHash(name), text, description, path, locale, entry });
    if (batch.length === BATCH_SIZE) await flush();
  }
  await flush();
  const problems = Array.from(unknown, ([locale, span]) =>
    fileProblem(path, { code: "locale", message: `the service has no locale ${locale}`, span }),
  );
  const facts: FileDetails = {
    locales: locales.size === 0 ? new Map([[location.locale, null]]) : locales,
    namespaces: read.namespaces ?? [],
    keyNamespaces: [...keyNamespaces],
    problems: [...read.problems, ...problems],
  };
  return { facts, count };
}

const WORDPRESS_HEADER_KEYS = /^(?:locale_data\.|(?:plural-forms|x-generator|translation-revision-date)$)/u;

function looksLikeWordPress(entries: FileRead["entries"]): boolean {
  return entries.slice(0, 10).some(({ key }) => WORDPRESS_HEADER_KEYS.test(key));
}
