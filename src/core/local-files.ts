/**
 * One local translation file: where it stands in the project's layout, and its entries under the names of their
 * keys. What all files together hold is local-entries.ts's.
 */
import type { Entry, Problem, ReadOptions, Span } from "./formats/format.ts";
import { formatOf } from "./formats/registry.ts";
import { keyHash, type KeyName } from "./identity.ts";
import { matchPath, type Naming, namingOf, type Placed } from "./layout.ts";
import type { FileContent, FileStamp, Sha1, YieldNow } from "./ports.ts";
import type { FilesEntry } from "./project-file.ts";
import { CATEGORIES, isForms, type Text } from "./text.ts";
import { isNotReadable, readTranslationFile } from "./formats/translation-file.ts";

/** A path and what the layout says of it. */
export interface LocalPlace {
  readonly path: string;
  readonly entry: FilesEntry;
  readonly placed: Placed;
  readonly naming: Naming;
  /** The service's name of the locale. */
  readonly locale: string;
}

/** One entry of a local file under the name of its key. */
export interface LocalEntry {
  readonly name: KeyName;
  readonly hash: string;
  readonly text: Text;
  readonly description: string | null;
  readonly path: string;
  /** The service's name of the locale. */
  readonly locale: string;
  /** As in the file, with its places; the file's own name of the key stands here. */
  readonly entry: Entry;
}

/** Something about the local files that a person should know. */
export interface LocalProblem {
  readonly code: Problem["code"] | "encoding" | "unsupported" | "locale" | "elsewhere";
  readonly path: string;
  /** For engineers, in English. */
  readonly message: string;
  readonly span: Span | null;
  readonly key: string | null;
}

/** A file as it was read. */
export interface LocalFile {
  readonly place: LocalPlace;
  readonly stamp: FileStamp;
  readonly dirty: boolean;
  /** It was read under: the source's categories say which values with pipes are plural. */
  readonly sourceLocale: string;
  readonly entries: readonly LocalEntry[];
  readonly problems: readonly LocalProblem[];
}

/** Whether a key is plural, by its hash; `undefined` when nobody knows. */
export type KindOf = (hash: string) => boolean | undefined;

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

/** How a file of that place is read: its keys' kinds by their hashes. */
export function readOptionsOf(
  place: LocalPlace,
  sourceLocale: string,
  sha1: Sha1,
  kindOf: KindOf,
): ReadOptions {
  const { naming, locale } = place;
  return {
    locale,
    sourceLocale,
    isPlural: (key, context, namespace = null) =>
      kindOf(keyHash(sha1, nameIn(naming, key, context, namespace))),
  };
}

/** Reads one file's content. Lets other work run between slices. */
export async function readLocalFile(
  place: LocalPlace,
  content: FileContent,
  options: ReadOptions,
  { sha1, yieldNow }: { readonly sha1: Sha1; readonly yieldNow: YieldNow },
): Promise<LocalFile> {
  const { stamp, dirty, bytes } = content;
  const format = formatOf(place.entry.format);
  const { path, naming, locale } = place;
  const { sourceLocale } = options;
  const refused = (code: LocalProblem["code"], message: string): LocalFile => {
    return {
      place,
      stamp,
      dirty,
      sourceLocale,
      entries: [],
      problems: [{ code, path, message, span: null, key: null }],
    };
  };
  if (format === undefined) return refused("unsupported", `files of ${place.entry.format} are not read yet`);
  const result = await readTranslationFile(format, bytes, options);
  if (isNotReadable(result)) return refused("encoding", "not valid UTF-8");
  const entries: LocalEntry[] = [];
  for (const [index, entry] of result.entries.entries()) {
    const name = nameIn(naming, entry.key, entry.context, entry.namespace);
    const { text, description } = entry;
    entries.push({ name, hash: keyHash(sha1, name), text, description, path, locale, entry });
    if (index % SLICE === SLICE - 1) await yieldNow();
  }
  const problems = result.problems.map(({ code, message, span, key }): LocalProblem => ({
    code,
    path,
    message,
    span,
    key: key ?? null,
  }));
  return { place, stamp, dirty, sourceLocale, entries, problems };
}

/** The name of a key that a file calls `key`. */
function nameIn(naming: Naming, key: string, context: string | null, namespace: string | null): KeyName {
  return { namespace: namespace ?? naming.namespace, key: naming.keyPrefix + key, context };
}

const SUFFIX = new RegExp(`_(?:${CATEGORIES.join("|")})$`, "u");

/** Whether the file would read differently by what is known of its keys' kinds now. */
export function isOutdatedKind(file: LocalFile, sha1: Sha1, kindOf: KindOf): boolean {
  return file.entries.some(({ name, hash, text }) => {
    const kind = kindOf(hash);
    if (kind !== undefined) return kind !== isForms(text);
    const stem = name.key.replace(SUFFIX, "");
    return stem !== name.key && !isForms(text) && kindOf(keyHash(sha1, { ...name, key: stem })) === true;
  });
}
