/**
 * One local translation file: where it stands in the project's layout, and its entries under the names of their
 * keys. What all files together hold is local-entries.ts's.
 */
import type { FormatName } from "../api/schemas.ts";
import type { Entry, Problem, ReadOptions, Span } from "./formats/format.ts";
import { type Entries, PackedEntries } from "./formats/packed-entries.ts";
import { factsOf } from "./formats/format-facts.ts";
import { isNotReadable, MOST_FILE_BYTES, otherFormatOf } from "./formats/translation-file.ts";
import type { KeyName } from "./identity.ts";
import type { KeyKinds } from "./key-kinds.ts";
import { FileEntries } from "./local-file-entries.ts";
import type { NamePool } from "./name-pool.ts";
import { matchPath, type Naming, namingOf, type Placed } from "./layout.ts";
import type { FileContent, FileStamp, TranslationFiles, YieldNow } from "./ports.ts";
import type { FilesEntry } from "./project-file.ts";
import { CATEGORIES } from "./text.ts";

/** A path and what the layout says of it. */
export interface LocalPlace {
  readonly path: string;
  readonly entry: FilesEntry;
  readonly placed: Placed;
  readonly naming: Naming;
  /** The service's name of the locale. Of a file that names its locales itself: of those texts where it does not. */
  readonly locale: string;
}

/** Something about the local files that a person should know. */
export interface LocalProblem {
  readonly code:
    | Problem["code"]
    | "encoding"
    | "unsupported"
    | "locale"
    | "elsewhere"
    | "format"
    | "too_large";
  readonly path: string;
  /** For engineers, in English. */
  readonly message: string;
  readonly span: Span | null;
  /** From 1, columns in UTF-16 units; `null`: of no place in the file, or of one that only `span` says. */
  readonly line: number | null;
  readonly column: number | null;
  readonly key: string | null;
  /** Of `format`: what the file is instead. */
  readonly format?: FormatName;
}

/** A file as it was read. */
export interface LocalFile {
  readonly place: LocalPlace;
  readonly stamp: FileStamp;
  readonly dirty: boolean;
  /** It was read under: the source's categories say which values with pipes are plural. */
  readonly sourceLocale: string;
  /** It was read under: how the file's own names of locales were understood; empty where it has none. */
  readonly localeNames: string;
  /** The locales whose texts it has a place for, by the service's names, with the file's own name (`null`: none). */
  readonly locales: ReadonlyMap<string, string | null>;
  readonly entries: FileEntries;
  readonly problems: readonly LocalProblem[];
}

/** Whether a key is plural, by its hash; `undefined` when nobody knows. */
export type KindOf = (hash: string) => boolean | undefined;

/** What reading a file needs beside its content. */
export interface LocalReading {
  readonly names: NamePool;
  readonly yieldNow: YieldNow;
  readonly formats: TranslationFiles;
  /** `null`: the service has no such locale. */
  readonly toService: (fileLocale: string) => string | null;
  /** Tells how `toService` understands names; another text when it may understand them otherwise. */
  readonly localeNames: string;
}

/** Entries hashed between two chances for other work; about 5 ms. */
const SLICE = 5_000;

/** Where a path stands: the first entry of the layout that fits it. */
export function placeOf(
  path: string,
  entries: readonly FilesEntry[],
  toService: (fileLocale: string) => string | null,
  sourceLocale: string,
): LocalPlace | "no_locale" | null {
  for (const entry of entries) {
    const placed = matchPath(entry.path, path);
    if (placed === null) continue;
    const locale = placed.locale === null ? sourceLocale : toService(placed.locale);
    if (locale === null) return "no_locale";
    return { path, entry, placed, naming: namingOf(entry, placed), locale };
  }
  return null;
}

/** How a file of that place is read: its keys' kinds by their hashes. `locales`: the names that columns may have. */
export function readOptionsOf(
  place: LocalPlace,
  sourceLocale: string,
  names: NamePool,
  kinds: Pick<KeyKinds, "of" | "stateOf">,
  locales: readonly string[],
): ReadOptions {
  const isSource = place.locale === sourceLocale;
  const kindOf = kinds.of(isSource);
  const { namespace, keyPrefix } = place.naming;
  return {
    locale: place.locale,
    sourceLocale,
    isPlural: (key, context, namespace = null) =>
      kindOf(names.hashAt(names.numberOf(keyNameIn(place, { key, context, namespace })))),
    kinds: JSON.stringify([kinds.stateOf(isSource), namespace, keyPrefix, place.entry.namespace]),
    ...(ownLocales(place.entry.format) && locales.length > 0 ? { locales } : {}),
  };
}

/** Whether files of the format may hold several locales and name them. */
export function ownLocales(format: FormatName): boolean {
  return factsOf(format)?.ownLocales === true;
}

/** Reads one file's content. Lets other work run between slices. Rejects with the signal's reason. */
export async function readLocalFile(
  place: LocalPlace,
  content: FileContent,
  options: ReadOptions,
  reading: LocalReading,
  signal?: AbortSignal,
): Promise<LocalFile> {
  const { stamp, dirty, bytes } = content;
  const { path, entry } = place;
  const file = {
    place,
    stamp,
    dirty,
    sourceLocale: options.sourceLocale,
    localeNames: ownLocales(entry.format) ? reading.localeNames : "",
    locales: new Map([[place.locale, null]]),
    entries: FileEntries.none(path, reading.names),
    problems: [],
  };
  const refused = (problem: Pick<LocalProblem, "code" | "message"> & Partial<LocalProblem>): LocalFile => {
    return { ...file, problems: [{ path, span: null, line: null, column: null, key: null, ...problem }] };
  };
  if (factsOf(entry.format) === undefined) {
    return refused({ code: "unsupported", message: `files of ${entry.format} are not read yet` });
  }
  if (stamp.size > MOST_FILE_BYTES || bytes.length > MOST_FILE_BYTES) {
    return refused({ code: "too_large", message: `over ${MOST_FILE_BYTES} bytes` });
  }
  const result = await reading.formats.read(entry.format, bytes, options, signal);
  if (isNotReadable(result)) {
    const { line, column } = result;
    return refused({ code: "encoding", message: "not valid in its encoding", line, column });
  }
  if (result.problems.length > 0 || result.entries.length === 0 || looksForeign(result.entries)) {
    const format = otherFormatOf(entry.format, path, bytes);
    if (format !== null)
      return refused({ code: "format", message: `is ${format}, not ${entry.format}`, format });
  }
  const problems = result.problems.map(({ code, message, span, line, column, key }): LocalProblem => {
    return { code, path, message, span, line, column, key: key ?? null };
  });
  const { entries, locales, unknown } = await named(place, result.entries, reading);
  for (const [locale, span] of unknown) {
    const message = `the service has no locale ${locale}`;
    problems.push({ code: "locale", path, message, span, line: null, column: null, key: null });
  }
  return { ...file, locales: locales.size === 0 ? file.locales : locales, entries, problems };
}

/** Keys that only the headers of WordPress's own formats have. */
const FOREIGN = /^(?:locale_data\.|(?:plural-forms|x-generator|translation-revision-date)$)/u;

function looksForeign(entries: Entries): boolean {
  let seen = 0;
  for (const { key } of entries) {
    if (FOREIGN.test(key)) return true;
    if (++seen === 10) break;
  }
  return false;
}

interface Named {
  readonly entries: FileEntries;
  readonly locales: ReadonlyMap<string, string | null>;
  /** The file's names of locales that the service does not have, each with a place. */
  readonly unknown: ReadonlyMap<string, Span>;
}

async function named(
  place: LocalPlace,
  found: Entries,
  { names, yieldNow, toService }: LocalReading,
): Promise<Named> {
  const packed = PackedEntries.of(found);
  const rows = new Uint32Array(packed.length);
  const numbers = new Uint32Array(packed.length);
  let count = 0;
  const locales = new Map<string, string | null>();
  const unknown = new Map<string, Span>();
  const known = new Map<string | null, string | null>([[null, place.locale]]);
  for (let row = 0; row < packed.length; row++) {
    if (row % SLICE === SLICE - 1) await yieldNow();
    const own = packed.localeAt(row);
    let locale = known.get(own);
    if (locale === undefined) known.set(own, (locale = toService(own ?? "")));
    if (locale === null) {
      if (!unknown.has(own ?? "")) unknown.set(own ?? "", packed.at(row).keySpan);
      continue;
    }
    // Where the path says the locale, columns of others are there to be compared with.
    if (place.placed.locale !== null && locale !== place.locale) continue;
    if (!locales.has(locale)) locales.set(locale, own);
    const key = packed.keyAt(row);
    const name = { key, context: packed.contextAt(row), namespace: packed.namespaceAt(row) };
    rows[count] = row;
    numbers[count++] = names.numberOf(keyNameIn(place, name));
  }
  names.pack();
  const { path, naming } = place;
  const isWhole = count === packed.length;
  const entries = new FileEntries({
    path,
    keyPrefix: naming.keyPrefix,
    packed,
    rows: isWhole ? null : rows.slice(0, count),
    names,
    numbers: isWhole ? numbers : numbers.slice(0, count),
    locales: known,
  });
  return { entries, locales, unknown };
}

/** The name of a key that a file of the place calls so. A namespace that the file says gives way to the project file's. */
export function keyNameIn(
  { entry, naming }: Pick<LocalPlace, "entry" | "naming">,
  { key, context, namespace }: Pick<Entry, "key" | "context" | "namespace">,
): KeyName {
  const own = entry.namespace === undefined ? namespace : null;
  return { namespace: own ?? naming.namespace, key: naming.keyPrefix + key, context };
}

const SUFFIX = new RegExp(`_(?:${CATEGORIES.join("|")})$`, "u");

/** Formats whose files say themselves which keys are plural. */
const SAY_KINDS: ReadonlySet<FormatName> = new Set([
  ...(["po", "pot", "mo", "wordpress_php", "wordpress_jed", "xliff12", "xliff20"] as const),
]);

/** Whether the file would read differently by what is known of its keys' kinds now. */
export async function isOutdatedKind(
  { place, entries }: LocalFile,
  names: NamePool,
  kindOf: KindOf,
  yieldNow: YieldNow,
): Promise<boolean> {
  if (SAY_KINDS.has(place.entry.format)) return false;
  for (let index = 0; index < entries.length; index++) {
    if (index % SLICE === SLICE - 1) await yieldNow();
    const kind = kindOf(entries.hashAt(index));
    if (kind !== undefined) {
      if (kind !== entries.hasFormsAt(index)) return true;
      continue;
    }
    if (entries.hasFormsAt(index)) continue;
    const name = entries.nameAt(index);
    if (!SUFFIX.test(name.key)) continue;
    const stem = names.numberOf({ ...name, key: name.key.replace(SUFFIX, "") });
    if (kindOf(names.hashAt(stem)) === true) return true;
  }
  return false;
}
