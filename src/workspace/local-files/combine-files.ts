/** What is known of all files of a listing together, from the details of each as it was last read. */
import type { LocalFileRepository, LocalProblem, StoredFile } from "../../database/local-file-repository.ts";
import type { FileStamp } from "../../model/platform.ts";
import { TimeSlices } from "../../util/event-loop.ts";
import type { LanguageSize } from "../project-detection/detect-source-language.ts";
import type { Listing } from "./list-local-files.ts";
import { FileEntries, hidesKeys, type LocalFile } from "./local-file.ts";

/** The files that were read so far. */
export interface CombinedFiles {
  /** Sorted by path. */
  readonly byPath: ReadonlyMap<string, LocalFile>;
  readonly list: readonly LocalFile[];
  /** The source language if it has texts, then the others. */
  readonly locales: readonly string[];
  /** The number of texts per language; those that are in several files count several times. */
  readonly sizes: readonly LanguageSize[];
  /** Families and namespaces that have source files, as in `LocalFileRepository.findSource`. */
  readonly covered: readonly string[];
  /** The first problem of each file or folder that could not be read completely. */
  readonly incomplete: readonly LocalProblem[];
}

export const NOTHING_READ: CombinedFiles = {
  byPath: new Map(),
  list: [],
  locales: [],
  sizes: [],
  covered: [],
  incomplete: [],
};

/** Combines the files, letting other tasks run in between. `isChanged`: whether a file differs from those before. */
export async function combineFiles(
  { locations, sourceLocale: source, problems }: Listing,
  stored: ReadonlyMap<string, StoredFile>,
  repository: LocalFileRepository,
  before: CombinedFiles,
): Promise<{ readonly combined: CombinedFiles; readonly isChanged: boolean }> {
  const slices = new TimeSlices();
  const byPath = new Map<string, LocalFile>();
  const sizes = new Map<string, number>();
  const covered = new Set<string>();
  const inFiles: LocalProblem[] = [];
  /** Families and namespaces whose source texts are in files of other languages. */
  const containedSources = new Set<string>();
  let isChanged = false;
  let hasSourceFile = false;
  for (const location of locations) {
    if (slices.isOver) await slices.next();
    const details = stored.get(location.path);
    if (details === undefined) continue;
    const file = { ...details, location, entries: new FileEntries(repository, details) };
    byPath.set(file.path, file);
    const old = before.byPath.get(file.path);
    isChanged ||= old?.readConditions !== file.readConditions || !sameStamp(old.stamp, file.stamp);
    for (const locale of file.locales.keys())
      sizes.set(locale, (sizes.get(locale) ?? 0) + (file.texts[locale] ?? 0));
    const { family } = file;
    if (file.locales.has(source)) {
      hasSourceFile = true;
      if (family !== null) for (const namespace of file.keyNamespaces) covered.add(`${family}:${namespace}`);
    }
    for (const namespace of file.sourceNamespaces) containedSources.add(`${family}:${namespace}`);
    const problem = file.problems.find(hidesKeys);
    if (problem !== undefined) inFiles.push(problem);
  }
  const hasSource = hasSourceFile || [...containedSources].some((namespace) => !covered.has(namespace));
  const otherLocales = [...sizes.keys()].filter((locale) => locale !== source).sort();
  const combined = {
    byPath,
    list: [...byPath.values()],
    locales: hasSource ? [source, ...otherLocales] : otherLocales,
    sizes: Array.from(sizes, ([locale, texts]) => ({ locale, texts })),
    covered: [...covered],
    incomplete: [...problems.filter(hidesKeys), ...inFiles],
  };
  return { combined, isChanged: isChanged || byPath.size !== before.byPath.size };
}

export function sameStamp(a: FileStamp | undefined, b: FileStamp): boolean {
  return a?.size === b.size && a.modified === b.modified;
}
