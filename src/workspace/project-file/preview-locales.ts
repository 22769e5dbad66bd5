/** Which languages are shown where a person reads code (hovers, inlay hints), and so are kept first. */
import type { Stats } from "../../api/schemas.ts";
import type { ProjectFile } from "./project-file.ts";

/**
 * `preview` of the project file as far as the service has its languages, always with the source language before it; without
 * one the source and the first two others. While the languages are unknown: the file's own words.
 */
export function previewLocales(file: ProjectFile, stats: Stats | null): readonly string[] {
  const languages = stats?.languages ?? [];
  const source = languages.filter((language) => language.isSource).map((language) => language.locale);
  const others = languages.filter((language) => !language.isSource).map((language) => language.locale);
  const asked = file.preview;
  if (asked === undefined) return [...source, ...others.slice(0, 2)];
  if (languages.length === 0) return asked;
  return [
    ...new Set([...source, ...asked.filter((locale) => source.includes(locale) || others.includes(locale))]),
  ];
}

/** Where one language must do (inlay hints): those of `preview` as they stand there, then the source. */
export function hintLocales(file: ProjectFile, stats: Stats | null): readonly string[] {
  const [source, ...others] = previewLocales(file, stats);
  if (file.preview === undefined) return source === undefined ? [] : [source];
  const known = new Set([source, ...others]);
  const asked = file.preview.filter((locale) => known.has(locale));
  return [...new Set([...asked, ...(source === undefined ? [] : [source])])];
}
