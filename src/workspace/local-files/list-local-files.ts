/** Lists the files of a layout by their paths alone: which belong to it, and how their locales correspond to the service's. */
import { bilingualFamily } from "../../model/file-formats.ts";
import type { LocalProblem } from "../../database/local-file-repository.ts";
import type { UnreadablePath, UnreadableReason } from "../../model/platform.ts";
import { createLocaleMap, type LocaleMap } from "../../model/locales.ts";
import { mapInSlices } from "../../util/event-loop.ts";
import { matchFolder, matchPath } from "../file-layout/path-patterns.ts";
import type { FolderFiles } from "../file-system/disk-files.ts";
import type { PathFilter } from "../file-system/globs.ts";
import type { WalkScope } from "../file-system/walk-folder.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import { fileProblem } from "./local-file-indexer.ts";
import type { FileOptions } from "./parse-large-files-in-indexer.ts";
import {
  hasOwnLocales,
  locationOf,
  matchEntry,
  type LocalFileLocation,
  type MatchedPath,
  type UnreadableFolder,
} from "./local-file.ts";

/** Which files belong to the project and how their keys are named. */
export interface LocalLayout {
  /** `files` of the project file. */
  readonly files: readonly FilesEntry[];
  /** `locales` of the project file. */
  readonly locales: Readonly<Record<string, string>>;
  /** The service's source locale; `null` while unknown: it is guessed from the files. */
  readonly sourceLocale: string | null;
  /** The service's locales; empty while unknown. */
  readonly serviceLocales: readonly string[];
}

/** The files of a layout, and how their locales correspond to the service's. */
export interface Listing {
  readonly layout: LocalLayout;
  readonly sourceLocale: string;
  readonly localeNames: Parameters<typeof createLocaleMap>;
  readonly localeMap: LocaleMap;
  readonly locations: readonly LocalFileLocation[];
  /** Problems of files that are left out. */
  readonly problems: readonly LocalProblem[];
  readonly unreadableFolders: readonly UnreadableFolder[];
}

/** What the patterns of a layout match. */
export interface FoundFiles {
  /** Sorted by path. */
  readonly files: readonly MatchedPath[];
  readonly unreadableFolders: readonly UnreadablePath[];
}

export const NO_LAYOUT: LocalLayout = { files: [], locales: {}, sourceLocale: null, serviceLocales: [] };

/** Returns the filter for the paths that match the layout. */
function layoutFilter({ files }: LocalLayout): PathFilter {
  return {
    matches: (path) => files.some((entry) => matchPath(entry.path, path) !== null),
    mayContain: (folder) => files.some((entry) => matchFolder(entry.path, folder) !== null),
  };
}

/** Returns the sorted paths that match the layout. */
export async function findPaths(
  layout: LocalLayout,
  files: Pick<FolderFiles, "find">,
  scope: WalkScope,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  if (layout.files.length === 0) return [];
  const found = await files.find(layoutFilter(layout), scope, signal);
  return found.files.toSorted();
}

/** Returns what matches the layout, also what cannot be read. */
export async function findFiles(
  layout: LocalLayout,
  files: Pick<FolderFiles, "find">,
  scope: WalkScope,
  signal?: AbortSignal,
): Promise<FoundFiles> {
  if (layout.files.length === 0) return { files: [], unreadableFolders: [] };
  const filter = layoutFilter(layout);
  const found = await files.find(filter, scope, signal);
  const all = new Set([...found.files, ...found.unreadable.map(({ path }) => path)]);
  return {
    files: await mapInSlices([...all].sort(), (path) => matchEntry(path, layout.files)),
    unreadableFolders: found.unreadable.filter(({ path }) => !filter.matches(path)),
  };
}

/** Lists the found files of the layout, whose patterns are those that they were found with. */
export async function listFiles(
  layout: LocalLayout,
  { files: matched, unreadableFolders: folders }: FoundFiles,
): Promise<Listing> {
  const { files, locales, serviceLocales } = layout;
  const inFiles = [...new Set(matched.flatMap(({ placeholders }) => placeholders.locale ?? []))];
  const localeNames: Listing["localeNames"] = [locales, serviceLocales, inFiles];
  const localeMap = createLocaleMap(...localeNames);
  const sourceLocale =
    layout.sourceLocale ?? guessSourceLocale(inFiles.flatMap((locale) => localeMap.toService(locale) ?? []));
  const problems: LocalProblem[] = [];
  const locations = await mapInSlices(matched, (file) => {
    const location = locationOf(file, localeMap.toService, sourceLocale);
    if (location !== "no_locale") return location;
    problems.push(fileProblem(file.path, { code: "locale", message: "the service has no such locale" }));
    return null;
  });
  const unreadableFolders = folders.map((folder) => {
    problems.push(fileProblem(folder.path, unreadableProblem(folder.reason)));
    const mayHaveSourceTexts = files.some((entry) => {
      const placeholders = matchFolder(entry.path, folder.path);
      if (placeholders === null) return false;
      // Bilingual files contain the source text in every language.
      if (placeholders.locale === null || bilingualFamily(entry.format) !== null) return true;
      return localeMap.toService(placeholders.locale) === sourceLocale;
    });
    return { ...folder, mayHaveSourceTexts };
  });
  return { layout, sourceLocale, localeNames, localeMap, locations, problems, unreadableFolders };
}

/** The files of a project without a layout. */
export const NO_FILES: Listing = {
  layout: NO_LAYOUT,
  sourceLocale: "en",
  localeNames: [{}, [], []],
  localeMap: createLocaleMap({}, [], []),
  locations: [],
  problems: [],
  unreadableFolders: [],
};

export function unreadableProblem(reason: UnreadableReason) {
  return { code: "unreadable", message: `cannot be read (${reason})`, reason } as const;
}

/** Returns the options for reading and editing a file of the listing. */
export function readOptionsOf(
  { layout, sourceLocale }: Pick<Listing, "layout" | "sourceLocale">,
  location: LocalFileLocation,
): FileOptions {
  const { locales, serviceLocales } = layout;
  // Until the service's locales are known, whatever looks like a locale is one.
  const names = serviceLocales.length === 0 ? [] : [...serviceLocales, ...Object.keys(locales)];
  return {
    locale: location.locale,
    sourceLocale,
    location,
    ...(hasOwnLocales(location.entry.format) && names.length > 0 ? { locales: names } : {}),
  };
}

/** Guesses the source locale: English if present, else the first one. */
function guessSourceLocale(locales: readonly string[]): string {
  const english = locales.includes("en") ? "en" : locales.find((locale) => /^en[-_]/i.test(locale));
  return english ?? locales.toSorted()[0] ?? "en";
}
