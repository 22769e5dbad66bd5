/**
 * Where a file of an export belongs among the local files, and how it is read there. The service names its files
 * by the profile, which the API does not show; the project file says where ours lie.
 */
import type { FormatName } from "../../model/format-name.ts";
import { formatOfPath } from "../../formats/recognise.ts";
import { hasPlaceholder, matchPath, pathFor } from "../layout/layout.ts";
import type { LocaleMap } from "../../model/locales.ts";
import type { FilesEntry, ProjectFile } from "../project-file/project-file.ts";

export interface ExportPlace {
  /** Relative to the project's root, with `/`. */
  readonly path: string;
  readonly format: FormatName | null;
  /** The service's locale of the texts; `null`: it cannot be told from the name. */
  readonly locale: string | null;
}

export interface PlaceOptions {
  readonly file: ProjectFile;
  readonly entries: readonly FilesEntry[];
  /** The service's locales. */
  readonly locales: ReadonlySet<string>;
  readonly localeMap: LocaleMap;
  /** The languages that were asked for; decides where the name says none. */
  readonly asked: readonly string[];
}

/**
 * The place of the exported file `name` (a path in a zip, or the name of a single file): at the local entry that it
 * fits below `pull.into`, whole; else without the entry's leading folders, or by its last name alone. What fits nothing
 * lies in `pull.into` (the project's root) under its own name. A file with folders is put into a folder of the user's
 * choice just as it is called there.
 */
export function placeOf(name: string, options: PlaceOptions): ExportPlace {
  const into = (options.file.pull?.into ?? ".").replace(/^(?:\.\/)+/u, "").replace(/\/+$/u, "");
  const folder = into === "" || into === "." ? "" : `${into}/`;
  const whole = folder + name;
  for (const entry of options.entries) {
    const place = placeBy(entry, entry.path, whole, options);
    if (place !== null) return place;
  }
  if (folder === "" || !name.includes("/")) {
    for (const entry of options.entries.filter(({ path }) => path.startsWith(folder))) {
      const parts = entry.path.slice(folder.length).split("/");
      for (let from = 1; from < parts.length; from++) {
        const place = placeBy(entry, parts.slice(from).join("/"), name, options);
        if (place !== null) return place;
      }
    }
  }
  return { path: whole, format: formatOfPath(whole), locale: null };
}

function placeBy(
  entry: FilesEntry,
  pattern: string,
  name: string,
  options: PlaceOptions,
): ExportPlace | null {
  const placed = matchPath(pattern, name, options.locales);
  if (placed === null) return null;
  const only = options.asked.length === 1 ? (options.asked[0] ?? null) : null;
  const locale =
    placed.locale === null ? only : (options.localeMap.toService(placed.locale) ?? placed.locale);
  if (locale === null && hasPlaceholder(entry.path, "locale")) return null;
  const inFile = locale === null ? null : options.localeMap.toFile(locale);
  const path = pathFor(entry.path, { ...placed, locale: inFile });
  return path === null ? null : { path, format: entry.format, locale };
}
