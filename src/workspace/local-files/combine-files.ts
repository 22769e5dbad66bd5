/** What is known of all files of a listing together, from the details of each as it was last read. */
import type { LocalProblem, StoredFile } from "../../database/local-file-repository.ts";
import type { FileStamp } from "../../model/platform.ts";
import { TimeSlices } from "../../util/event-loop.ts";
import type { LanguageSize } from "../project-detection/detect-source-language.ts";
import type { Listing } from "./list-local-files.ts";
import { hidesKeys } from "./local-file.ts";

/** What the files that were read so far have in common. */
export interface CombinedFiles {
  /** The source language if it has texts, then the others. */
  readonly locales: readonly string[];
  /** The number of texts per language; those that are in several files count several times. */
  readonly sizes: readonly LanguageSize[];
  /** Families and namespaces that have source files, as in `LocalFileRepository.findSource`. */
  readonly covered: readonly string[];
  /** Whether files of other languages contain source texts that are in no source file. */
  readonly hasOtherSources: boolean;
  /** The first problem of each file or folder that could not be read completely. */
  readonly incomplete: readonly LocalProblem[];
}

/** Combines the files, letting other tasks run in between. */
export async function combineFiles(
  { locations, sourceLocale: source, problems }: Pick<Listing, "locations" | "sourceLocale" | "problems">,
  stored: ReadonlyMap<string, StoredFile>,
): Promise<CombinedFiles> {
  const slices = new TimeSlices();
  const sizes = new Map<string, number>();
  const covered = new Set<string>();
  const inFiles: LocalProblem[] = [];
  /** Families and namespaces whose source texts are in files of other languages. */
  const containedSources = new Set<string>();
  let hasSourceFile = false;
  for (const { path } of locations) {
    if (slices.isOver) await slices.next();
    const file = stored.get(path);
    if (file === undefined) continue;
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
  const hasOtherSources = [...containedSources].some((namespace) => !covered.has(namespace));
  const otherLocales = [...sizes.keys()].filter((locale) => locale !== source).sort();
  return {
    locales: hasSourceFile || hasOtherSources ? [source, ...otherLocales] : otherLocales,
    sizes: Array.from(sizes, ([locale, texts]) => ({ locale, texts })),
    covered: [...covered],
    hasOtherSources,
    incomplete: [...problems.filter(hidesKeys), ...inFiles],
  };
}

export function sameStamp(a: FileStamp | undefined, b: FileStamp): boolean {
  return a?.size === b.size && a.modified === b.modified;
}
