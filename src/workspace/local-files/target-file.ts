/**
 * Finds the file that contains a key's text in a locale or that it belongs in, and the file's own names of key,
 * namespace and locale. A new key goes to the file of its neighbours. Read-only.
 */
import type { Entry, EntryName } from "../../formats/format.ts";
import { formatInfoOf } from "../../formats/format-properties.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../../model/key-identity.ts";
import { pathFor, locateKey } from "../layout/layout.ts";
import type { LocalEditContext, LocalChange } from "./change-plan.ts";
import type { LocalEntry } from "../../database/local-file-repository.ts";
import {
  isGenerated,
  keyNameIn,
  namespaceInFile,
  hasOwnLocales,
  type LocalFile,
  type LocalFileLocation,
} from "./local-file.ts";
import type { FilesEntry } from "../project-file/project-file.ts";

/** The file of a key, and the name of the entry in it. */
export interface TargetEntry extends EntryName {
  readonly path: string;
  /** Whether the file does not contain the entry yet. */
  readonly isNew: boolean;
}

/** No file contains the entry, or none that may be written. */
export interface MissingTarget {
  readonly path: string | null;
  readonly reason: "not_found" | "no_file" | "source";
}

/** Finds the file of a key: its own, else the counterpart of its source file, else the file of its neighbours. */
export class TargetFinder {
  readonly #context: LocalEditContext;
  readonly #files: ReadonlyMap<string, LocalFile>;
  readonly #namespaces = new Map<string, ReadonlySet<string>>();
  /** Whether a file has keys with a prefix, by path and prefix. */
  readonly #hasPrefixCache = new Map<string, boolean>();

  constructor(context: LocalEditContext) {
    this.#context = context;
    this.#files = new Map(context.local.files.map((file) => [file.location.path, file]));
  }

  find({ name, locale, text }: LocalChange): TargetEntry | MissingTarget {
    const { local } = this.#context;
    const hash = keyHash(name);
    const own = local.entries(locale).get(hash);
    if (own !== undefined) {
      // The entry only exists as the source text in a file of another language.
      const isStated = this.#files.get(own.path)?.locales.has(locale) !== true;
      if (!isStated) return { path: own.path, isNew: false, ...entryNameOf(own) };
      if (text === null) return { path: own.path, reason: "source" };
    }
    if (text === null) return { path: null, reason: "not_found" };
    const source = local.entries(local.sourceLocale).get(hash);
    const beside = source === undefined ? null : this.#besideSource(source, locale);
    const isCalled = (target: TargetEntry): boolean => this.#hasKeyName(target, hash);
    const found =
      beside !== null && isCalled(beside)
        ? beside
        : this.#closestNeighbour(this.#candidates(name, locale).filter(isCalled), name);
    if (found !== null) return this.#inOwnNamespace(found);
    return own === undefined ? { path: null, reason: "no_file" } : { path: own.path, reason: "source" };
  }

  /**
   * Whether the entry would be read back as the same key: namespaces and prefixes of a layout may contain the locale.
   */
  #hasKeyName(target: TargetEntry, hash: string): boolean {
    const location = this.#context.locate(target.path);
    return location === null || keyHash(keyNameIn(location, { namespace: null, ...target })) === hash;
  }

  /** Replaces the namespace with the one that the file uses where the layout sets the namespace. */
  #inOwnNamespace(target: TargetEntry): TargetEntry {
    const file = this.#files.get(target.path);
    if (file === undefined || file.location.entry.namespace === undefined) return target;
    const { key, namespace = null } = target;
    return { ...target, namespace: namespaceInFile(file.namespaces, parsedEntriesOf(file), key, namespace) };
  }

  /** Returns the counterpart of the source key's file in this locale. */
  #besideSource(source: LocalEntry, locale: string): TargetEntry | null {
    const file = this.#files.get(source.path);
    if (file === undefined || isGenerated(file.location.entry.format)) return null;
    const { entry, placeholders } = file.location;
    const { key, context, namespace } = source.entry;
    if (!entry.path.includes("{locale}")) {
      if (!hasOwnLocales(entry.format)) return null;
      return {
        path: source.path,
        isNew: true,
        key,
        context,
        namespace,
        locale: this.#localeNameIn(file, locale),
      };
    }
    const path = pathFor(entry.path, { ...placeholders, locale: this.#context.toFile(locale) });
    if (path === null || path === source.path) return null;
    const called = this.#localeNameAt(path, entry, locale);
    return { path, isNew: true, key, context, namespace, locale: called };
  }

  /** Returns the files that may contain the key; compiled files only if there are no others. */
  #candidates(name: KeyName, locale: string): readonly TargetEntry[] {
    const all = [...this.#existingTargets(name, locale), ...this.#possibleTargets(name, locale)];
    const own = all.filter(({ path }) => {
      const format = this.#context.locate(path)?.entry.format;
      return format === undefined || !isGenerated(format);
    });
    return own.length > 0 ? own : all;
  }

  /** Returns existing files with keys of this namespace. */
  #existingTargets(name: KeyName, locale: string): readonly TargetEntry[] {
    return [...this.#files.values()].flatMap((file) => {
      if (!this.#mayContainLocale(file, locale)) return [];
      const { path, entry, keyNaming } = file.location;
      const isFree = formatInfoOf(entry.format)?.ownNamespaces === true;
      const fits =
        (isFree || keyNaming.namespace === name.namespace) && name.key.startsWith(keyNaming.keyPrefix);
      const key = name.key.slice(keyNaming.keyPrefix.length);
      if (!fits || key === "") return [];
      const called = { key, context: name.context, namespace: fileNamespace(file.location, name) };
      return [{ path, isNew: true, ...called, locale: this.#localeNameIn(file, locale) }];
    });
  }

  #mayContainLocale({ location, locales }: LocalFile, locale: string): boolean {
    if (locales.has(locale)) return true;
    // A locale can be added where the file itself names its locales.
    return location.placeholders.locale === null && hasOwnLocales(location.entry.format);
  }

  /** Returns a file for each layout entry that can contain the key, in layout order, whether or not it exists. */
  #possibleTargets(name: KeyName, locale: string): readonly TargetEntry[] {
    const { layout, local } = this.#context;
    return layout.flatMap((entry) => {
      const found = locateKey(entry, name);
      if (found === null) return [];
      const holdsOthers = entry.path.includes("{locale}") || hasOwnLocales(entry.format);
      if (!holdsOthers && locale !== local.sourceLocale) return [];
      const path = pathFor(entry.path, { ...found.placeholders, locale: this.#context.toFile(locale) });
      if (path === null || !isInsideProject(path)) return [];
      const location = this.#context.locate(path);
      const namespace = location === null ? null : fileNamespace(location, name);
      const called = { key: found.key, context: name.context, namespace };
      return [{ path, isNew: true, ...called, locale: this.#localeNameAt(path, entry, locale) }];
    });
  }

  /** Returns the file's name of the locale of a new text; `null` if the file does not name locales. */
  #localeNameIn({ location, locales }: LocalFile, locale: string): string | null {
    const known = locales.get(locale);
    if (known !== undefined) return known;
    return location.placeholders.locale === null && hasOwnLocales(location.entry.format)
      ? this.#context.toFile(locale)
      : null;
  }

  #localeNameAt(path: string, entry: FilesEntry, locale: string): string | null {
    const file = this.#files.get(path);
    if (file !== undefined) return this.#localeNameIn(file, locale);
    const namesThem = !entry.path.includes("{locale}") && hasOwnLocales(entry.format);
    return namesThem ? this.#context.toFile(locale) : null;
  }

  /**
   * Prefers existing files with keys of the namespace, then the one with the keys that share the most leading
   * segments.
   */
  #closestNeighbour(candidates: readonly TargetEntry[], name: KeyName): TargetEntry | null {
    const [only = null] = candidates;
    if (candidates.length < 2) return only;
    let best: TargetEntry | null = null;
    let most: readonly [number, number] = [-2, 0];
    for (const candidate of candidates) {
      const file = this.#files.get(candidate.path);
      const rank = file === undefined ? -1 : this.#namespacesIn(file).has(name.namespace) ? 1 : 0;
      const shared = file === undefined ? 0 : this.#countSharedSegments(file, name.key);
      if (rank < most[0] || (rank === most[0] && shared <= most[1] && best !== null)) continue;
      best = candidate;
      most = [rank, shared];
    }
    return best;
  }

  /** Returns the namespaces of the keys in a file. */
  #namespacesIn({ location: { path }, entries }: LocalFile): ReadonlySet<string> {
    let namespaces = this.#namespaces.get(path);
    if (namespaces === undefined) this.#namespaces.set(path, (namespaces = new Set(entries.namespaces())));
    return namespaces;
  }

  #countSharedSegments({ location, entries }: LocalFile, key: string): number {
    const segments = key.split(".");
    for (let count = segments.length - 1; count > 0; count--) {
      const start = `${segments.slice(0, count).join(".")}.`;
      const id = JSON.stringify([location.path, start]);
      let has = this.#hasPrefixCache.get(id);
      if (has === undefined) this.#hasPrefixCache.set(id, (has = entries.hasKeyPrefix(start)));
      if (has) return count;
    }
    return 0;
  }
}

function* parsedEntriesOf({ entries }: LocalFile): Generator<Entry> {
  for (const { entry } of entries) yield entry;
}

function entryNameOf({ entry: { key, context, namespace, locale } }: LocalEntry): EntryName {
  return { key, context, namespace, locale };
}

/** Returns a file's own name of a key's namespace; `null` if the layout sets it, or the key has none. */
function fileNamespace(
  location: Pick<LocalFileLocation, "entry" | "keyNaming">,
  { namespace }: KeyName,
): string | null {
  const isStated = keyNameIn(location, { key: "", context: null, namespace: null }).namespace === namespace;
  return isStated || namespace === NO_NAMESPACE ? null : namespace;
}

/** Namespaces come from the service and must not lead out of the project. */
function isInsideProject(path: string): boolean {
  return (
    !path.startsWith("/") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}
