/** Selects the languages shown in code (hovers, inlay hints), which are also fetched first. */
import type { Stats } from "../../api/response-schemas.ts";
import type { ProjectFile } from "./project-file.ts";

/**
 * Returns the source language and the project file's `preview` languages that the service has; without `preview`, the
 * source and the first two others. While the service's languages are unknown, `preview` as it is.
 */
export function previewLocales(file: ProjectFile, stats: Stats | null): readonly string[] {
  const languages = stats?.languages ?? [];
  const source = languages.filter(({ isSource }) => isSource).map(({ locale }) => locale);
  const others = languages.filter(({ isSource }) => !isSource).map(({ locale }) => locale);
  const configured = file.preview;
  if (configured === undefined) return [...source, ...others.slice(0, 2)];
  if (languages.length === 0) return configured;
  return [...new Set([...source, ...configured.filter((locale) => others.includes(locale))])];
}

/** Returns the languages to try for an inlay hint, which shows one: `preview` in order, then the source. */
export function hintLocales(file: ProjectFile, stats: Stats | null): readonly string[] {
  const [source, ...others] = previewLocales(file, stats);
  if (file.preview === undefined) return source === undefined ? [] : [source];
  const known = new Set([source, ...others]);
  const configured = file.preview.filter((locale) => known.has(locale));
  return [...new Set([...configured, ...(source === undefined ? [] : [source])])];
}
