/** Reads a translation file into the database: its entries under the names of their keys, and what is wrong with it. */
import type {
  FileFacts,
  LocalEntry,
  LocalFileRepository,
  LocalProblem,
  NewFile,
  StoredFile,
} from "../../database/local-file-repository.ts";
import { factsOf } from "../../formats/format-facts.ts";
import {
  isNotReadable,
  MAX_FILE_BYTES,
  otherFormatOf,
  type FileRead,
  type NotReadable,
} from "../../formats/translation-file.ts";
import type { FormatName } from "../../model/format-name.ts";
import { keyHash } from "../../model/key-identity.ts";
import type { localeMap } from "../../model/locales.ts";
import type { FileContent } from "../../model/platform.ts";
import type { Span } from "../../model/span.ts";
import { familyOf, keyNameIn, type LocalPlace, rankOf } from "./local-file.ts";
import type { FileOptions } from "./translation-files.ts";
import { yieldNow } from "../../model/time-slices.ts";

/** A file to read. */
export interface FileToRead {
  readonly place: LocalPlace;
  readonly content: FileContent;
  readonly options: FileOptions;
  /** As in `NewFile`. */
  readonly readUnder: string;
  /** What `localeMap` takes. */
  readonly locales: Parameters<typeof localeMap>;
}

/** What reading a file needs beside its content. */
export interface ReadDependencies {
  readonly repository: LocalFileRepository;
  readonly read: (format: FormatName, bytes: Uint8Array) => Promise<FileRead | NotReadable>;
  /** The service's locale that a file calls so; `null`: it has none such. */
  readonly toService: (fileLocale: string) => string | null;
}

/** Entries written between two chances for other work; about 10 ms. */
const BATCH_SIZE = 500;

/**
 * Reads one file's content and puts it in the place of what was known of the file; `readUnder`: as in `NewFile`. What was
 * known stays where it fails. Out: what is known of it now. @throws the signal's reason, and what SQLite says.
 */
export async function readLocalFile(
  dependencies: ReadDependencies,
  place: LocalPlace,
  content: FileContent,
  readUnder: string,
  signal?: AbortSignal,
): Promise<StoredFile> {
  const { repository } = dependencies;
  const file = newFile(place, content, readUnder);
  const read = await parsed(dependencies, place, content);
  const id = repository.begin(file);
  try {
    const { facts, count } = await written(dependencies, id, place, read, signal);
    repository.finish(id, file, facts, count);
    return { ...file, ...facts, count };
  } catch (error) {
    repository.abandon(id);
    throw error;
  }
}

/** Puts a file that cannot be read, for this problem, in the place of what was known of it. Out: what is known of it now. */
export function refuseLocalFile(
  repository: LocalFileRepository,
  { place, content, readUnder }: Pick<FileToRead, "place" | "content" | "readUnder">,
  problem: Pick<LocalProblem, "code" | "message">,
): StoredFile {
  const { path, locale } = place;
  const file = newFile(place, content, readUnder);
  const facts: FileFacts = {
    locales: new Map([[locale, null]]),
    namespaces: [],
    keyNamespaces: file.family === null ? [] : [place.naming.namespace],
    problems: [{ path, span: null, line: null, column: null, key: null, ...problem }],
  };
  repository.finish(repository.begin(file), file, facts, 0);
  return { ...file, ...facts, count: 0 };
}

function newFile({ path, entry, naming }: LocalPlace, content: FileContent, readUnder: string): NewFile {
  return {
    path,
    rank: rankOf(entry.format),
    family: familyOf(entry.format),
    keyPrefix: naming.keyPrefix,
    stamp: content.stamp,
    dirty: content.dirty,
    recent: content.recent ?? false,
    readUnder,
  };
}

/** What the file says, or one problem that keeps it from being read. */
async function parsed(
  { read }: ReadDependencies,
  { path, entry: { format } }: LocalPlace,
  { stamp, bytes }: FileContent,
): Promise<Pick<FileRead, "entries" | "namespaces"> & { readonly problems: readonly LocalProblem[] }> {
  const refused = (
    problem: Pick<LocalProblem, "code" | "message"> & Partial<LocalProblem>,
  ): { entries: []; problems: LocalProblem[] } => {
    return {
      entries: [],
      problems: [{ path, span: null, line: null, column: null, key: null, ...problem }],
    };
  };
  if (factsOf(format) === undefined) {
    return refused({ code: "unsupported", message: `files of ${format} are not read yet` });
  }
  if (stamp.size > MAX_FILE_BYTES || bytes.length > MAX_FILE_BYTES) {
    return refused({ code: "too_large", message: `over ${MAX_FILE_BYTES} bytes` });
  }
  const result = await read(format, bytes);
  if (isNotReadable(result)) {
    const { line, column } = result;
    return refused({ code: "encoding", message: "not valid in its encoding", line, column });
  }
  if (result.problems.length > 0 || result.entries.length === 0 || looksForeign(result.entries)) {
    const other = otherFormatOf(format, path, bytes);
    if (other !== null) {
      return refused({ code: "format", message: `is ${other}, not ${format}`, format: other });
    }
  }
  const problems = result.problems.map(({ code, message, span, line, column, key }): LocalProblem => {
    return { code, path, message, span, line, column, key: key ?? null };
  });
  return { ...result, problems };
}

/** Writes the entries of the project's locales. */
async function written(
  { repository, toService }: ReadDependencies,
  file: number,
  place: LocalPlace,
  read: Pick<FileRead, "entries" | "namespaces"> & { readonly problems: readonly LocalProblem[] },
  signal: AbortSignal | undefined,
): Promise<{ readonly facts: FileFacts; readonly count: number }> {
  const { path, entry: layout, placed, naming } = place;
  const family = familyOf(layout.format);
  const locales = new Map<string, string | null>();
  /** The file's names of locales that the service does not have, each with a place. */
  const unknown = new Map<string, Span>();
  const known = new Map<string | null, string | null>([[null, place.locale]]);
  const keyNamespaces = new Set(family === null ? [] : [naming.namespace]);
  let count = 0;
  let batch: LocalEntry[] = [];
  const flush = async (): Promise<void> => {
    signal?.throwIfAborted();
    repository.add(file, count, batch);
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
    // Where the path says the locale, columns of others are there to be compared with.
    if (placed.locale !== null && locale !== place.locale) continue;
    if (!locales.has(locale)) locales.set(locale, own);
    const name = keyNameIn(place, entry);
    if (family !== null) keyNamespaces.add(name.namespace);
    const { text, description } = entry;
    batch.push({ name, hash: keyHash(name), text, description, path, locale, entry });
    if (batch.length === BATCH_SIZE) await flush();
  }
  if (batch.length > 0) await flush();
  const problems = Array.from(unknown, ([locale, span]): LocalProblem => {
    const message = `the service has no locale ${locale}`;
    return { code: "locale", path, message, span, line: null, column: null, key: null };
  });
  const facts: FileFacts = {
    locales: locales.size === 0 ? new Map([[place.locale, null]]) : locales,
    namespaces: read.namespaces ?? [],
    keyNamespaces: [...keyNamespaces],
    problems: [...read.problems, ...problems],
  };
  return { facts, count };
}

/** Keys that only the headers of WordPress's own formats have. */
const FOREIGN = /^(?:locale_data\.|(?:plural-forms|x-generator|translation-revision-date)$)/u;

function looksForeign(entries: FileRead["entries"]): boolean {
  let seen = 0;
  for (const { key } of entries) {
    if (FOREIGN.test(key)) return true;
    if (++seen === 10) break;
  }
  return false;
}
