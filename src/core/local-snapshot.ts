/**
 * One moment's content of all local files, by locale and key: which of several files counts for a key, and the source
 * texts that only files of other languages say. Reads and writes nothing.
 */
import type { FormatName } from "../api/schemas.ts";
import type { LocalEntry, LocalFile, LocalProblem } from "./local-files.ts";
import type { YieldNow } from "./ports.ts";
import { isEmptyText } from "./text.ts";

/** One moment's content of all local files. Another object as soon as anything differs. */
export interface LocalSnapshot {
  readonly sourceLocale: string;
  /** The service's names, source first, of the locales that have files. */
  readonly locales: readonly string[];
  readonly files: readonly LocalFile[];
  readonly problems: readonly LocalProblem[];
  /** By hash; of a key that stands in two files the first. Empty for a locale without files. */
  entries(locale: string): ReadonlyMap<string, LocalEntry>;
}

const NO_ENTRIES: ReadonlyMap<string, LocalEntry> = new Map();

/** Entries that are put in order between two chances for other work; about 5 ms. */
const SLICE = 20_000;

/** `files` in the order of their paths; `problems`: beside those of the files. */
export async function snapshotOf(
  files: readonly LocalFile[],
  problems: readonly LocalProblem[],
  sourceLocale: string,
  yieldNow: YieldNow,
): Promise<LocalSnapshot> {
  const byLocale = new Map<string, Map<string, LocalEntry>>();
  const found = [...problems, ...files.flatMap((file) => file.problems)];
  let count = 0;
  const byPath = new Map(files.map((file) => [file.place.path, file]));
  // What is made of another file counts only where that is not there.
  const inOrder = files.toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const file of inOrder) {
    for (const locale of file.locales.keys()) if (!byLocale.has(locale)) byLocale.set(locale, new Map());
    for (const entry of file.entries) {
      const index = byLocale.get(entry.locale);
      const first = index?.get(entry.hash);
      if (first === undefined) index?.set(entry.hash, entry);
      else if (!isMadeOf(file, byPath.get(first.path))) found.push(elsewhere(entry, first));
      if (++count % SLICE === 0) await yieldNow();
    }
  }
  for (const entry of saidSources(inOrder, sourceLocale)) {
    let index = byLocale.get(sourceLocale);
    if (index === undefined) byLocale.set(sourceLocale, (index = new Map()));
    if (!index.has(entry.hash)) index.set(entry.hash, entry);
    if (++count % SLICE === 0) await yieldNow();
  }
  const others = [...byLocale.keys()].filter((locale) => locale !== sourceLocale).sort();
  const locales = byLocale.has(sourceLocale) ? [sourceLocale, ...others] : others;
  return {
    sourceLocale,
    locales,
    files,
    problems: found,
    entries: (locale) => byLocale.get(locale) ?? NO_ENTRIES,
  };
}

function elsewhere({ path, name, entry }: LocalEntry, first: LocalEntry): LocalProblem {
  const message = `the key stands in ${first.path} too`;
  return { code: "elsewhere", path, message, span: entry.keySpan, line: null, column: null, key: name.key };
}

/** Formats with the same way of naming keys, of which one file is made of another. */
type Family = "gettext" | "xliff";

const FAMILIES: ReadonlyMap<FormatName, Family> = new Map([
  ...(["po", "pot", "mo", "wordpress_php", "wordpress_jed"] as const).map(
    (name) => [name, "gettext"] as const,
  ),
  ...(["xliff12", "xliff20"] as const).map((name) => [name, "xliff"] as const),
]);

/** Whether files of the format are made of others by a tool, so that what is written into one is lost. */
export function isGenerated(format: FormatName): boolean {
  return format === "mo" || format === "wordpress_php" || format === "wordpress_jed";
}

/** A template goes after a file of the source language that was made of it and may say another text. */
function rankOf({ place: { entry } }: LocalFile): number {
  if (isGenerated(entry.format)) return 2;
  return entry.format === "pot" ? 1 : 0;
}

/** Whether that a key stands in both files is as it should be. */
function isMadeOf(file: LocalFile, first: LocalFile | undefined): boolean {
  if (first === undefined || familyOf(file) !== "gettext" || familyOf(first) !== "gettext") return false;
  return rankOf(file) !== rankOf(first) || (rankOf(file) === 2 && file !== first);
}

function familyOf({ place }: LocalFile): Family | undefined {
  return FAMILIES.get(place.entry.format);
}

/**
 * Source texts that stand only in files of other languages (msgid, XLIFF's `source`), as entries of the source
 * language that cannot be written. Where a file of the source language holds keys of the same namespace, what it lacks
 * is no key any more.
 */
function* saidSources(files: readonly LocalFile[], sourceLocale: string): Generator<LocalEntry> {
  const covered = new Set<string>();
  const placeOf = (family: Family, namespace: string): string => `${family}\u001f${namespace}`;
  for (const file of files) {
    const family = familyOf(file);
    if (family === undefined || !file.locales.has(sourceLocale)) continue;
    covered.add(placeOf(family, file.place.naming.namespace));
    for (const { name } of file.entries) covered.add(placeOf(family, name.namespace));
  }
  for (const file of files) {
    const family = familyOf(file);
    if (family === undefined || file.locales.has(sourceLocale)) continue;
    for (const said of file.entries) {
      const { source } = said.entry;
      if (source === null || isEmptyText(source)) continue;
      if (covered.has(placeOf(family, said.name.namespace))) continue;
      const entry = { ...said.entry, text: source, source: null, readOnly: "source" as const };
      yield { ...said, text: source, locale: sourceLocale, entry };
    }
  }
}

/** Whether a key of the source language may stand in the file, whatever could be read of it. */
export function mayHoldSources(file: LocalFile, { files, sourceLocale }: SourceFiles): boolean {
  if (file.locales.has(sourceLocale)) return true;
  const family = familyOf(file);
  return (
    family !== undefined &&
    !files.some((other) => other.locales.has(sourceLocale) && familyOf(other) === family)
  );
}

/** The part of a snapshot that says where source texts stand. */
export type SourceFiles = Pick<LocalSnapshot, "files" | "sourceLocale">;
