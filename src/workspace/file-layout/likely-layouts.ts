/**
 * Files that look like translations by the languages in their paths, where nothing was recognised: what a person may name in the
 * project file, and whether that works.
 */
import { extname } from "node:path/posix";
import { formatInfoOf, type FormatName } from "../../model/file-formats.ts";
import { detectFromContent, formatOfPath } from "../../formats/detect-format.ts";
import { decodeHead, isUnreadable, MAX_FILE_BYTES } from "../../formats/parse-and-edit-file.ts";
import { isKnownLocale } from "../../model/locales.ts";
import { getOrCreate } from "../../util/maps.ts";
import { matchEntry } from "../local-files/local-file.ts";
import type { TranslationFiles } from "../local-files/parse-large-files-in-indexer.ts";
import { isSafeRelativePath, type FilesEntry } from "../project-file/project-file.ts";
import { englishFirst, hasTranslationName, isExcluded } from "./infer-path-pattern.ts";
import { unknownPlaceholder } from "./path-patterns.ts";

/** A pattern that files with languages in their paths have. */
export interface LikelyLayout {
  /** With `{locale}`, and `{namespace}` where each language has a folder. */
  readonly pattern: string;
  /** By the extension; `null`: not supported. */
  readonly format: FormatName | null;
  /** Sorted. */
  readonly locales: readonly string[];
  readonly files: number;
}

/** Extensions of translation files of other tools, which are not supported. */
const OTHER_EXTENSIONS: ReadonlySet<string> = new Set(
  ".yml .yaml .properties .arb .resx .strings .toml .ftl .xml .json5 .ini .rb .neon".split(" "),
);

/** Returns the likeliest patterns: those that are supported first, and of these the one with most languages. */
export function likelyLayouts(paths: readonly string[], limit: number): readonly LikelyLayout[] {
  const groups = new Map<
    string,
    { readonly format: FormatName | null; locales: Set<string>; files: string[] }
  >();
  for (const path of paths) {
    const format = formatOfPath(path);
    if ((format === null && !OTHER_EXTENSIONS.has(extname(path))) || isExcluded(path)) continue;
    const found = localePattern(path);
    if (found === null) continue;
    const group = getOrCreate(groups, found.pattern, () => ({
      format,
      locales: new Set<string>(),
      files: [],
    }));
    group.locales.add(found.locale);
    group.files.push(path);
  }
  return [...groups]
    .filter(([, { locales, files }]) => locales.size > 1 || files.some(hasTranslationName))
    .map(([pattern, { format, locales, files }]) => ({
      pattern,
      format,
      locales: [...locales].sort(),
      files: files.length,
    }))
    .sort(
      (a, b) =>
        Number(a.format === null) - Number(b.format === null) ||
        b.locales.length - a.locales.length ||
        (a.pattern < b.pattern ? -1 : 1),
    )
    .slice(0, limit);
}

/** `nl`, `pt_BR`, `zh-Hant`, `de_informal`; not `nl-app` or `nl.strings`, which have another word beside the language. */
const LOCALE_ALONE = /^[a-z]+(?:[_@][a-z\d]+|-(?:[a-z]{2}|han[st]|latn|cyrl|\d{3}))*$/iu;

/** Three letters alone are more often another word (`src`, `app`) than a language. */
function isLikelyLocale(name: string): boolean {
  return isKnownLocale(name) && LOCALE_ALONE.test(name) && !/^[a-z]{3}$/iu.test(name);
}

/** Returns the pattern of a path with a language as the name of a folder, or as a part of the file's name. */
export function localePattern(path: string): { readonly pattern: string; readonly locale: string } | null {
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  const at = folders.findLastIndex(isLikelyLocale);
  if (at !== -1) {
    const pattern = [...folders.slice(0, at), "{locale}", `{namespace}${extname(file)}`].join("/");
    return { pattern, locale: folders[at] ?? "" };
  }
  const name = file.slice(0, file.length - extname(file).length);
  // The longest end, then the longest start: `strings_pt_BR`, `nl-app`.
  const parts = [...name.matchAll(/[._-]/gu)].map(({ index }) => index);
  const ends = [0, ...parts.map((index) => index + 1)].map((start) => ({ start, end: name.length }));
  const starts = parts.toReversed().map((end) => ({ start: 0, end }));
  for (const { start, end } of [...ends, ...starts]) {
    const locale = name.slice(start, end);
    if (!isLikelyLocale(locale)) continue;
    const pattern = `${name.slice(0, start)}{locale}${name.slice(end)}${extname(file)}`;
    return { pattern: [...folders, pattern].join("/"), locale };
  }
  return null;
}

/** What an entry that a person named reads, or why it cannot be used. */
export type NamedLayout =
  | {
      readonly kind: "usable";
      readonly entry: FilesEntry;
      readonly files: number;
      readonly locales: readonly string[];
    }
  /** Not a path in the folder, as the project file writes them. */
  | { readonly kind: "unsafe-path" }
  | { readonly kind: "unknown-placeholder"; readonly placeholder: string }
  /** No file has such a path. */
  | { readonly kind: "no-file" }
  /** The files contain no texts in this format. */
  | { readonly kind: "no-texts"; readonly sample: string }
  /** One file contains all languages, which only spreadsheets and XLIFF may. */
  | { readonly kind: "several-languages"; readonly sample: string; readonly locales: readonly string[] };

/** Files of a layout that are read: some may be empty. */
const MAX_SAMPLES = 10;

/**
 * Checks a named entry by the files that it matches, and corrects its format by their content.
 * @param readBytes `undefined` if the file cannot be read
 */
export async function checkNamedLayout(
  entry: FilesEntry,
  paths: readonly string[],
  readBytes: (path: string) => Promise<Uint8Array | undefined>,
  formats: Pick<TranslationFiles, "read">,
): Promise<NamedLayout> {
  if (!isSafeRelativePath(entry.path)) return { kind: "unsafe-path" };
  const placeholder = unknownPlaceholder(entry.path);
  const matching = paths.flatMap((path) => matchEntry(path, [entry]) ?? []);
  const samples = englishFirst(matching.map(({ path }) => path));
  const [first] = samples;
  if (first === undefined)
    return placeholder === undefined ? { kind: "no-file" } : { kind: "unknown-placeholder", placeholder };
  for (const sample of samples.slice(0, MAX_SAMPLES)) {
    const bytes = await readBytes(sample);
    if (bytes === undefined || bytes.length > MAX_FILE_BYTES) continue;
    const isBinary = formatInfoOf(entry.format)?.kind === "binary";
    const format =
      (isBinary ? undefined : detectFromContent(sample, decodeHead(bytes))?.format) ?? entry.format;
    const read = await formats.read(format, bytes, { locale: "en", sourceLocale: "en" });
    if (isUnreadable(read) || read.entries.length === 0) continue;
    const groups = [...new Set(read.entries.map(({ key }) => key.split(".", 1)[0] ?? ""))];
    if (!entry.path.includes("{locale}") && groups.length > 1 && groups.every(isLikelyLocale))
      return { kind: "several-languages", sample, locales: groups.toSorted() };
    const inPaths = matching.flatMap(({ placeholders }) => placeholders.locale ?? []);
    const inside = read.entries.flatMap(({ locale }) => locale ?? []);
    const locales = [...new Set([...inPaths, ...inside])].sort();
    return { kind: "usable", entry: { ...entry, format }, files: matching.length, locales };
  }
  return { kind: "no-texts", sample: first };
}
