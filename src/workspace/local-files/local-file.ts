/**
 * One local translation file: where it stands in the project's layout, what of it is known, and which of several files
 * with a key counts. What all files together hold is local-entries.ts's.
 */
import type {
  FormatFamily,
  LocalEntry,
  LocalFileRepository,
  StoredFile,
} from "../../database/local-file-repository.ts";
import { factsOf } from "../../formats/format-facts.ts";
import type { Entry } from "../../formats/format.ts";
import type { FormatName } from "../../model/format-name.ts";
import type { KeyName } from "../../model/key-identity.ts";
import type { Span } from "../../model/span.ts";
import { matchPath, type Naming, namingOf, type Placed } from "../layout/layout.ts";
import type { FilesEntry } from "../project-file/project-file.ts";

/** A path and what the layout says of it. */
export interface LocalPlace {
  readonly path: string;
  readonly entry: FilesEntry;
  readonly placed: Placed;
  readonly naming: Naming;
  /** The service's name of the locale. Of a file that names its locales itself: of those texts where it does not. */
  readonly locale: string;
}

/** A file as it was read. */
export interface LocalFile extends Omit<StoredFile, "count"> {
  readonly place: LocalPlace;
  readonly entries: FileEntries;
}

/** The entries of one file, in its order, as they were last read. */
export class FileEntries implements Iterable<LocalEntry> {
  readonly #repository: LocalFileRepository;
  readonly #path: string;
  readonly length: number;

  constructor(repository: LocalFileRepository, { path, count }: Pick<StoredFile, "path" | "count">) {
    this.#repository = repository;
    this.#path = path;
    this.length = count;
  }

  [Symbol.iterator](): Generator<LocalEntry> {
    return this.#repository.entriesOf(this.#path);
  }

  /** The first entry whose name or value has the offset in it or at its end. */
  around(offset: number): LocalEntry | undefined {
    return this.#repository.around(this.#path, offset);
  }

  /** The first entry that reaches, from its name to its value, into the part of the file. */
  within(part: Span): LocalEntry | undefined {
    return this.#repository.within(this.#path, part);
  }

  /** The namespaces of the keys. */
  namespaces(): readonly string[] {
    return this.#repository.namespacesIn(this.#path);
  }

  /** Whether some key begins so. */
  hasKeyStart(start: string): boolean {
    return this.#repository.hasKeyStart(this.#path, start);
  }
}

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

/** Whether files of the format may hold several locales and name them. */
export function ownLocales(format: FormatName): boolean {
  return factsOf(format)?.ownLocales === true;
}

/** Whether files of the format are made of others by a tool, so that what is written into one is lost. */
export function isGenerated(format: FormatName): boolean {
  return format === "mo" || format === "wordpress_php" || format === "wordpress_jed";
}

/** The rank of files that are made of others. */
export const GENERATED_RANK = 2;

/** A template goes after a file of the source language that was made of it and may say another text. */
export function rankOf(format: FormatName): number {
  if (isGenerated(format)) return GENERATED_RANK;
  return format === "pot" ? 1 : 0;
}

const FAMILIES: ReadonlyMap<FormatName, FormatFamily> = new Map([
  ...(["po", "pot", "mo", "wordpress_php", "wordpress_jed"] as const).map(
    (name) => [name, "gettext"] as const,
  ),
  ...(["xliff12", "xliff20"] as const).map((name) => [name, "xliff"] as const),
]);

/** The formats that name keys in the same way as this one, of which some say the source text beside their own. */
export function familyOf(format: FormatName): FormatFamily | null {
  return FAMILIES.get(format) ?? null;
}

/** Whether a key of the source language may stand in the file, whatever could be read of it. */
export function mayHoldSources(file: LocalFile, { files, sourceLocale }: SourceFiles): boolean {
  if (file.locales.has(sourceLocale)) return true;
  return (
    file.family !== null &&
    !files.some((other) => other.locales.has(sourceLocale) && other.family === file.family)
  );
}

/** What says where source texts stand. */
export interface SourceFiles {
  readonly files: readonly LocalFile[];
  readonly sourceLocale: string;
}

/**
 * The namespace under which a file keeps a new key where its layout, and not the file, says the key's namespace: the
 * wanted one where the file has it, else that of the entry with the most leading segments in common, else its last one.
 */
export function namespaceInFile(
  namespaces: readonly (string | null)[],
  entries: Iterable<Pick<Entry, "key" | "namespace">>,
  key: string,
  wanted: string | null,
): string | null {
  const [only] = namespaces;
  if (only === undefined || namespaces.includes(wanted)) return wanted;
  if (namespaces.length === 1) return only;
  let best = namespaces.at(-1) ?? null;
  let most = 0;
  for (const entry of entries) {
    const shared = leadingSegments(entry.key, key);
    if (shared > most) [most, best] = [shared, entry.namespace];
  }
  return best;
}

function leadingSegments(a: string, b: string): number {
  const [one, other] = [a.split("."), b.split(".")];
  const differs = one.findIndex((segment, index) => segment !== other[index]);
  return differs < 0 ? one.length : differs;
}

/** The name of a key that a file of the place calls so. A namespace that the file says gives way to the project file's. */
export function keyNameIn(
  { entry, naming }: Pick<LocalPlace, "entry" | "naming">,
  { key, context, namespace }: Pick<Entry, "key" | "context" | "namespace">,
): KeyName {
  const own = entry.namespace === undefined ? namespace : null;
  return { namespace: own ?? naming.namespace, key: naming.keyPrefix + key, context };
}
