/** Lists the files of a layout by their paths alone: which belong to it, and how their locales correspond to the service's. */
import type { LocalProblem } from "../../database/local-file-repository.ts";
import { createLocaleMap, type LocaleMap } from "../../model/locales.ts";
import { matchPath } from "../file-layout/path-patterns.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import { fileProblem } from "./local-file-indexer.ts";
import { locateFile, type LocalFileLocation } from "./local-file.ts";

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
}

export const NO_LAYOUT: LocalLayout = { files: [], locales: {}, sourceLocale: null, serviceLocales: [] };

/** Lists files. @param paths those that match the layout's patterns, sorted */
export function listFiles(layout: LocalLayout, paths: readonly string[]): Listing {
  const { files, locales, serviceLocales } = layout;
  const inFiles = paths.flatMap((path) => {
    const placeholders = files.map((entry) => matchPath(entry.path, path)).find((match) => match !== null);
    return placeholders?.locale ?? [];
  });
  const localeNames: Listing["localeNames"] = [locales, serviceLocales, [...new Set(inFiles)]];
  const localeMap = createLocaleMap(...localeNames);
  const sourceLocale = layout.sourceLocale ?? guessSourceLocale(inFiles);
  const locations: LocalFileLocation[] = [];
  const problems: LocalProblem[] = [];
  for (const path of paths) {
    const location = locateFile(path, files, localeMap.toService, sourceLocale);
    if (location === "no_locale")
      problems.push(fileProblem(path, { code: "locale", message: "the service has no such locale" }));
    else if (location !== null) locations.push(location);
  }
  return { layout, sourceLocale, localeNames, localeMap, locations, problems };
}

/** Guesses the source locale: English if present, else the first one. */
function guessSourceLocale(locales: readonly string[]): string {
  const english = locales.includes("en") ? "en" : locales.find((locale) => /^en[-_]/i.test(locale));
  return english ?? locales.toSorted()[0] ?? "en";
}
