/** Chooses the file of a key: the one that contains it, else the one that a new key belongs in. */
import { locateKey, fillIn } from "../file-layout/path-patterns.ts";
import {
  namesItsLocales,
  type LocalFile,
  namespaceChooser,
  keyNameIn,
  type LocalFileLocation,
  type LocalFiles,
} from "./local-file.ts";
import { type KeyName, keyHash, NO_NAMESPACE } from "../../model/key-hash.ts";
import { getOrCreate, cachedByObject } from "../../util/maps.ts";
import type { Entry, EntryName } from "../../formats/format.ts";
import { isGenerated, formatInfoOf } from "../../model/file-formats.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import type { Text } from "../../model/translation-text.ts";

/** The file of a key, and the name of the entry in it. */
interface TargetEntry extends EntryName {
  readonly path: string;
  /** Whether the file does not contain the entry yet. */
  readonly isNew: boolean;
}

/** No file contains the entry, or none that may be written. */
interface MissingTarget {
  readonly path: string | null;
  readonly reason: "not_found" | "no_file" | "source" | "generated";
}

/** A text to write; `null` removes it. */
interface RequestedText {
  readonly name: KeyName;
  readonly locale: string;
  readonly text: Text | null;
}

/** What the choice depends on. */
export interface TargetFileContext {
  readonly local: LocalFiles;
  readonly layout: readonly FilesEntry[];
  /** Returns the file name's form of a locale of the service. */
  toFile(serviceLocale: string): string;
  locate(path: string): LocalFileLocation | null;
}

/** Finds the file of a key: its own, else the counterpart of its source file, else the file of its neighbours. */
export class TargetFinder {
  readonly #context: TargetFileContext;
  readonly #files: ReadonlyMap<string, LocalFile>;
  /** Whether a file has keys with a prefix, by path and prefix. */
  readonly #hasPrefixCache = new Map<string, boolean>();

  constructor(context: TargetFileContext) {
    this.#context = context;
    this.#files = new Map(context.local.files.map((file) => [file.location.path, file]));
  }

  find({ name, locale, text }: RequestedText): TargetEntry | MissingTarget {
    const { local } = this.#context;
    const hash = keyHash(name);
    const existing = local.entries(locale).get(hash);
    const path = existing?.path ?? null;
    if (existing !== undefined && this.#files.get(existing.path)?.locales.has(locale) === true) {
      const { key, context, namespace, locale: localeInFile } = existing.entry;
      if (this.#isEditable(existing.path))
        return { path: existing.path, isNew: false, key, context, namespace, locale: localeInFile };
      // The text belongs in the file that this one is generated from, which has the source text, too.
      const counterpart = text === null ? null : this.#counterpartOf(hash, locale);
      return counterpart === null ? { path, reason: "generated" } : this.#withFileNamespace(counterpart);
    }
    // An existing entry is the source text in a file of another language.
    if (text === null) return { path, reason: existing === undefined ? "not_found" : "source" };
    const keepsName = (target: TargetEntry): boolean => this.#keepsKeyName(target, hash);
    const found =
      this.#counterpartOf(hash, locale) ??
      this.#closestNeighbour(this.#candidates(name, locale).filter(keepsName), name);
    if (found !== null) return this.#withFileNamespace(found);
    return { path, reason: existing === undefined ? "no_file" : "source" };
  }

  /** Whether it would be read back as the same key: namespaces and prefixes may contain the locale. */
  #keepsKeyName(target: TargetEntry, hash: string): boolean {
    const location = this.#context.locate(target.path);
    return location !== null && keyHash(keyNameIn(location, { namespace: null, ...target })) === hash;
  }

  /** Replaces the namespace with the one that the file uses where the layout sets the namespace. */
  #withFileNamespace(target: TargetEntry): TargetEntry {
    const file = this.#files.get(target.path);
    if (file === undefined || file.location.entry.namespace === undefined) return target;
    const { key, namespace = null } = target;
    return { ...target, namespace: chooseNamespaceIn(file)(key, namespace) };
  }

  /** Returns the counterpart of the source key's file in this locale, if the key keeps its name there. */
  #counterpartOf(hash: string, locale: string): TargetEntry | null {
    const { local } = this.#context;
    const source = local.entries(local.sourceLocale).get(hash);
    const file = source === undefined ? undefined : this.#files.get(source.path);
    if (source === undefined || file === undefined || !this.#isEditable(source.path)) return null;
    const { entry, placeholders } = file.location;
    const { key, context, namespace } = source.entry;
    const path = fillIn(entry.path, { ...placeholders, locale: this.#context.toFile(locale) });
    if (path === null || (path === source.path && !namesItsLocales(entry))) return null;
    const localeInFile = this.#localeInFile(path, entry, locale);
    const target = { path, isNew: true, key, context, namespace, locale: localeInFile };
    return this.#keepsKeyName(target, hash) ? target : null;
  }

  /** Returns whether single texts of the file can be changed. */
  #isEditable(path: string): boolean {
    const location = this.#context.locate(path);
    return location === null || !isGenerated(location.entry.format);
  }

  /** Returns the files that may contain the key; those that cannot be edited only if there are no others. */
  #candidates(name: KeyName, locale: string): readonly TargetEntry[] {
    const all = [...this.#existingTargets(name, locale), ...this.#possibleTargets(name, locale)];
    const edited = all.filter(({ path }) => this.#isEditable(path));
    return edited.length > 0 ? edited : all;
  }

  /** Returns existing files with keys of this namespace, of which some may have another prefix. */
  #existingTargets(name: KeyName, locale: string): readonly TargetEntry[] {
    return [...this.#files.values()].flatMap(({ location, locales }) => {
      const { entry, keyNaming } = location;
      // A locale can be added where the file itself names its locales.
      if (!locales.has(locale) && !namesItsLocales(entry)) return [];
      const fits =
        keyNaming.namespace === name.namespace || formatInfoOf(entry.format)?.ownNamespaces === true;
      const key = name.key.slice(keyNaming.keyPrefix.length);
      return fits && key !== "" ? [this.#newEntry(location, key, name, locale)] : [];
    });
  }

  /** Returns a file for each layout entry that can contain the key, in layout order, whether or not it exists. */
  #possibleTargets(name: KeyName, locale: string): readonly TargetEntry[] {
    const { layout, local } = this.#context;
    return layout.flatMap((entry) => {
      const found = locateKey(entry, name);
      if (found === null) return [];
      const hasTargetLocales = entry.path.includes("{locale}") || namesItsLocales(entry);
      if (!hasTargetLocales && locale !== local.sourceLocale) return [];
      const path = fillIn(entry.path, { ...found.placeholders, locale: this.#context.toFile(locale) });
      if (path === null || !isInsideProject(path)) return [];
      const location = this.#context.locate(path);
      return location === null ? [] : [this.#newEntry(location, found.key, name, locale)];
    });
  }

  #newEntry(location: LocalFileLocation, key: string, name: KeyName, locale: string): TargetEntry {
    const { path, entry } = location;
    const namespace = namespaceInFile(location, name);
    const localeInFile = this.#localeInFile(path, entry, locale);
    return { path, isNew: true, key, context: name.context, namespace, locale: localeInFile };
  }

  /** Returns the file's name of the locale of a new text; `null` if the file does not name locales. */
  #localeInFile(path: string, entry: FilesEntry, locale: string): string | null {
    const known = this.#files.get(path)?.locales.get(locale);
    if (known !== undefined) return known;
    return namesItsLocales(entry) ? this.#context.toFile(locale) : null;
  }

  /** Prefers files with keys of the namespace, then that with keys that share the most leading segments. */
  #closestNeighbour(candidates: readonly TargetEntry[], name: KeyName): TargetEntry | null {
    if (candidates.length < 2) return candidates[0] ?? null;
    const rated = candidates.map((candidate) => {
      const file = this.#files.get(candidate.path);
      if (file === undefined) return { candidate, rank: -1, shared: 0 };
      const rank = namespacesIn(file).has(name.namespace) ? 1 : 0;
      return { candidate, rank, shared: this.#countSharedSegments(file, name.key) };
    });
    rated.sort((a, b) => b.rank - a.rank || b.shared - a.shared);
    return rated[0]?.candidate ?? null;
  }

  #countSharedSegments({ location, entries }: LocalFile, key: string): number {
    const segments = key.split(".");
    for (let count = segments.length - 1; count > 0; count--) {
      const start = `${segments.slice(0, count).join(".")}.`;
      const id = JSON.stringify([location.path, start]);
      if (getOrCreate(this.#hasPrefixCache, id, () => entries.hasKeyPrefix(start))) return count;
    }
    return 0;
  }
}

const namespacesIn = cachedByObject(({ entries }: LocalFile) => new Set(entries.namespaces()));

const chooseNamespaceIn = cachedByObject((file: LocalFile) =>
  namespaceChooser(file.namespaces, parsedEntriesOf(file)),
);

function* parsedEntriesOf({ entries }: LocalFile): Generator<Entry> {
  for (const { entry } of entries) yield entry;
}

/** Returns a file's own name of a key's namespace; `null` if the layout sets it, or the key has none. */
function namespaceInFile(location: LocalFileLocation, { namespace }: KeyName): string | null {
  const isSetByLayout =
    keyNameIn(location, { key: "", context: null, namespace: null }).namespace === namespace;
  return isSetByLayout || namespace === NO_NAMESPACE ? null : namespace;
}

/** Namespaces come from the service and must not lead out of the project. */
function isInsideProject(path: string): boolean {
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
